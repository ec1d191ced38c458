//! Parses data written by PHP's `serialize()`: the metadata of uploads, Polylang's groups. Objects, which could be anything, are refused.

use memchr::memmem;
use serde_json::{Map, Number, Value};

/// How deeply arrays may be nested.
const DEPTH: usize = 16;
/// The most values in a serialized text.
const MOST: usize = 20_000;

/// Parses a serialized value; `None` if the text is not one, or is too large. An array with the keys 0, 1, 2, … becomes a list.
pub(super) fn unserialize(text: &str) -> Option<Value> {
    let mut reading = Unserializer { rest: text.trim_start(), left: MOST };
    reading.value(0)
}

struct Unserializer<'t> {
    rest: &'t str,
    left: usize,
}

impl<'t> Unserializer<'t> {
    fn value(&mut self, depth: usize) -> Option<Value> {
        self.left = self.left.checked_sub(1)?;
        let kind = self.rest.as_bytes().first()?;
        self.rest = self.rest.get(1..)?;
        Some(match kind {
            b'N' => {
                self.until(';')?;
                Value::Null
            }
            b'b' => Value::Bool(self.scalar()? == "1"),
            b'i' => Value::Number(self.scalar()?.parse::<i64>().ok()?.into()),
            b'd' => Number::from_f64(self.scalar()?.parse().ok()?).map_or(Value::Null, Value::Number),
            b's' => Value::String(self.string()?.to_owned()),
            b'a' if depth < DEPTH => self.array(depth)?,
            _ => return None,
        })
    }

    fn until(&mut self, end: char) -> Option<&'t str> {
        let (before, after) = self.rest.split_once(end)?;
        self.rest = after;
        Some(before)
    }

    /// Reads the rest of a number or a truth value: `:1;`.
    fn scalar(&mut self) -> Option<&'t str> {
        self.until(';')?.strip_prefix(':')
    }

    /// Reads the rest of a string: `:3:"abc";`. If the length is wrong, because the text was changed after it was written, the string ends
    /// at the next quote that precedes a semicolon.
    fn string(&mut self) -> Option<&'t str> {
        self.until(':')?;
        let length: usize = self.until(':')?.parse().ok()?;
        let text = self.rest.strip_prefix('"')?;
        let is_right = text.get(length..).is_some_and(|after| after.starts_with("\";"));
        let end = if is_right { length } else { memmem::find(text.as_bytes(), b"\";")? };
        self.rest = &text[end + 2..];
        Some(&text[..end])
    }

    /// Reads the rest of an array: `:1:{…}`.
    fn array(&mut self, depth: usize) -> Option<Value> {
        self.until('{')?;
        let (mut map, mut list) = (Map::new(), Vec::new());
        while !self.rest.starts_with('}') {
            let key = match self.value(DEPTH)? {
                Value::String(key) => key,
                Value::Number(key) => key.to_string(),
                _ => return None,
            };
            let value = self.value(depth + 1)?;
            if map.is_empty() && key == list.len().to_string() {
                list.push(value);
                continue;
            }
            map.extend(std::mem::take(&mut list).into_iter().enumerate().map(|(at, value)| (at.to_string(), value)));
            map.insert(key, value);
        }
        self.rest = &self.rest[1..];
        Some(if map.is_empty() { Value::Array(list) } else { Value::Object(map) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn values_of_php_are_read_and_objects_are_not() {
        for (text, value) in [
            ("i:-5;", json!(-5)),
            ("d:1.5;", json!(1.5)),
            ("b:1;", json!(true)),
            ("N;", Value::Null),
            ("s:3:\"é\";", json!("é")),
            ("s:9:\"too \"short\";", json!("too \"short")),
            ("a:0:{}", json!([])),
            ("a:2:{i:0;s:1:\"a\";i:1;a:1:{s:1:\"k\";i:2;}}", json!(["a", {"k": 2}])),
            ("a:2:{i:0;i:7;i:2;i:8;}", json!({"0": 7, "2": 8})),
            ("a:1:{i:5;b:0;}", json!({"5": false})),
        ] {
            assert_eq!(unserialize(text), Some(value), "{text}");
        }
        for text in
            ["", "x", "O:8:\"stdClass\":0:{}", "a:1:{i:0;O:1:\"x\":0:{}}", "i:x;", "s:1:\"a", "a:1:{", "a:1:{b:1;i:1;}"]
        {
            assert_eq!(unserialize(text), None, "{text}");
        }
        assert_eq!(unserialize(&"a:1:{i:0;".repeat(100_000)), None);
        assert_eq!(unserialize(&format!("a:9:{{{}}}", "i:0;i:1;".repeat(100_000))), None);
    }

    proptest! {
        #![proptest_config(crate::cases::cases(300))]

        #[test]
        fn no_text_does_harm(text in "(a:1:\\{|[abdisN]:?|[0-9]{1,3}|[:;\"}]|é){0,40}") {
            unserialize(&text);
        }
    }
}
