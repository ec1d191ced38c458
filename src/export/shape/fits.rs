//! Whether a record fits a shape, in one pass over its bytes that parses nothing: strings and numbers are only told apart.
//! The record is known to be valid JSON. What this calls unfit is looked at again by a parser, so it may be too strict
//! (a key with an escape), never too lenient.

use super::{Field, Form, Shape};
use crate::ndjson::string_end;

/// Digits that every 64-bit integer has room for.
const SAFE_DIGITS: usize = 18;

impl Shape {
    /// Whether this JSON fits: no key that the shape does not have, none missing that is required, no value of another type.
    pub fn fits(&self, json: &[u8]) -> bool {
        let mut walk = Walk { json, at: 0 };
        walk.value(self)
    }
}

struct Walk<'j> {
    json: &'j [u8],
    at: usize,
}

impl<'j> Walk<'j> {
    /// The next byte that is no blank, without taking it.
    fn peek(&mut self) -> u8 {
        while let Some(byte) = self.json.get(self.at) {
            if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                return *byte;
            }
            self.at += 1;
        }
        0
    }

    /// Takes the next byte, if it is this one.
    fn take(&mut self, byte: u8) -> bool {
        let is = self.peek() == byte;
        self.at += usize::from(is);
        is
    }

    /// The depth of the calls is that of the shape, not of the input.
    fn value(&mut self, shape: &Shape) -> bool {
        match (self.peek(), &shape.form) {
            (b'n', _) => {
                self.at += 4;
                shape.null
            }
            (b'"', Form::Text) => {
                self.string();
                true
            }
            (b't', Form::Boolean) => {
                self.at += 4;
                true
            }
            (b'f', Form::Boolean) => {
                self.at += 5;
                true
            }
            (b'-' | b'0'..=b'9', form @ (Form::Integer | Form::Number)) => {
                let digits = self.number();
                *form == Form::Number || (digits.len() <= SAFE_DIGITS && !digits.iter().any(|b| b".eE".contains(b)))
            }
            (b'[', Form::List(element)) => self.list(element),
            (b'{', Form::Object(fields)) => self.object(fields),
            (_, Form::Any) => {
                self.skip();
                true
            }
            _ => false,
        }
    }

    /// Takes a string; what stands between its quotes.
    fn string(&mut self) -> &'j [u8] {
        let start = self.at + 1;
        match string_end(self.json, self.at) {
            Ok(end) => {
                self.at = end;
                &self.json[start..end - 1]
            }
            Err(_) => {
                self.at = self.json.len();
                &[]
            }
        }
    }

    fn number(&mut self) -> &'j [u8] {
        let start = self.at;
        let rest = &self.json[start..];
        let length = rest.iter().position(|b| !matches!(b, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'));
        self.at += length.unwrap_or(rest.len());
        &self.json[start..self.at]
    }

    fn list(&mut self, element: &Shape) -> bool {
        self.at += 1;
        if self.take(b']') {
            return true;
        }
        while self.value(element) {
            if !self.take(b',') {
                return self.take(b']');
            }
        }
        false
    }

    fn object(&mut self, fields: &[Field]) -> bool {
        self.at += 1;
        let mut missing = fields.iter().filter(|field| field.required).count();
        if self.take(b'}') {
            return missing == 0;
        }
        // Keys come in their order, most of the time.
        let mut next = 0;
        while self.peek() == b'"' {
            let at = if fields.get(next).is_some_and(|field| self.is_key(&field.name)) {
                self.at += fields[next].name.len() + 2;
                next
            } else {
                let name = self.string();
                let later = fields[next..].iter().position(|field| field.name.as_bytes() == name);
                let Some(later) = later else { return false };
                next + later
            };
            next = at + 1;
            missing -= usize::from(fields[at].required);
            if !self.take(b':') || !self.value(&fields[at].shape) {
                return false;
            }
            if !self.take(b',') {
                return missing == 0 && self.take(b'}');
            }
        }
        false
    }

    /// Whether the string here is this one, without taking it.
    fn is_key(&self, name: &str) -> bool {
        let rest = &self.json[self.at + 1..];
        // A backslash before the quote would make it a part of the key.
        rest.get(name.len()) == Some(&b'"') && rest.starts_with(name.as_bytes()) && !name.ends_with('\\')
    }

    /// Takes a value of any kind.
    fn skip(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.peek() {
                b'"' => drop(self.string()),
                b'[' | b'{' => {
                    depth += 1;
                    self.at += 1;
                }
                b']' | b'}' => {
                    depth = depth.saturating_sub(1);
                    self.at += 1;
                }
                b',' | b':' => self.at += 1,
                0 => return,
                _ => {
                    let rest = &self.json[self.at..];
                    let end = rest.iter().position(|b| b",:]}\" \t\r\n".contains(b)).unwrap_or(rest.len());
                    self.at += end.max(1);
                }
            }
            if depth == 0 {
                return;
            }
        }
    }
}
