//! Where the values of a JSON text end: its grammar, for what is passed over. Everything is checked as strictly as serde_json
//! does when it skips a value; what is wrong with a text is left to serde_json to say.

use super::lanes::{LANES, before_escaped, escaped};
use std::fmt;

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is no JSON, or not of the usual kind: ask serde_json.
    Odd,
    /// The input ends before the value does.
    Unfinished,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("refused")
    }
}

impl std::error::Error for Refused {}

/// Where from `at` on something else than white space stands, or the end.
#[inline]
pub(super) fn skip_space(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

/// The next byte from `at` on that is no white space, and where it stands.
#[inline]
pub(super) fn token(text: &[u8], at: usize) -> Result<(u8, usize), Refused> {
    match text.get(at) {
        Some(&byte) if byte > b' ' => Ok((byte, at)),
        _ => {
            let at = skip_space(text, at);
            text.get(at).map(|&byte| (byte, at)).ok_or(Refused::Unfinished)
        }
    }
}

/// The brackets that are open, as bits: no recursion, and no memory for what is nested less than 64 deep.
#[derive(Default)]
struct Nesting {
    bits: u64,
    depth: usize,
    deeper: Vec<u64>,
}

impl Nesting {
    fn open(&mut self, is_object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.deeper.push(self.bits);
        }
        self.bits = self.bits << 1 | u64::from(is_object);
        self.depth += 1;
    }

    fn close(&mut self) {
        self.bits >>= 1;
        self.depth -= 1;
        if self.depth > 0
            && self.depth.is_multiple_of(64)
            && let Some(bits) = self.deeper.pop()
        {
            self.bits = bits;
        }
    }

    fn in_object(&self) -> bool {
        self.bits & 1 == 1
    }
}

/// The end of the value that begins at `at`.
pub(super) fn value_end(text: &[u8], at: usize) -> Result<usize, Refused> {
    value_end_noting(text, at, |_, _| {})
}

/// As [`value_end`]; `note` gets the start and the end of all white space between the value's tokens, in order.
pub(super) fn value_end_noting(
    text: &[u8],
    mut at: usize,
    mut note: impl FnMut(usize, usize),
) -> Result<usize, Refused> {
    let mut token = |at| {
        let (byte, start) = token(text, at)?;
        if start > at {
            note(at, start);
        }
        Ok((byte, start))
    };
    let mut nesting = Nesting::default();
    loop {
        // A value is to come.
        let (byte, start) = token(at)?;
        at = match byte {
            b'"' => string_end(text, start)?,
            open @ (b'{' | b'[') => {
                nesting.open(open == b'{');
                let (byte, start) = token(start + 1)?;
                if byte == open + 2 {
                    nesting.close();
                    start + 1
                } else {
                    at = if open == b'{' { key_end(text, start, &mut token)? } else { start };
                    continue;
                }
            }
            b't' => word_end(text, start, "true")?,
            b'f' => word_end(text, start, "false")?,
            b'n' => word_end(text, start, "null")?,
            _ => number_end(text, start)?,
        };
        // A value has ended: so may what it stands in.
        loop {
            if nesting.depth == 0 {
                return Ok(at);
            }
            let (byte, start) = token(at)?;
            at = start + 1;
            match (byte, nesting.in_object()) {
                (b'}', true) | (b']', false) => nesting.close(),
                (b',', true) => {
                    let (_, start) = token(at)?;
                    at = key_end(text, start, &mut token)?;
                    break;
                }
                (b',', false) => break,
                _ => return Err(Refused::Odd),
            }
        }
    }
}

/// The end, past its colon, of the key that begins at `at`.
fn key_end(
    text: &[u8],
    at: usize,
    token: &mut impl FnMut(usize) -> Result<(u8, usize), Refused>,
) -> Result<usize, Refused> {
    if text.get(at) != Some(&b'"') {
        return Err(Refused::Odd);
    }
    match token(string_end(text, at)?)? {
        (b':', at) => Ok(at + 1),
        _ => Err(Refused::Odd),
    }
}

/// The end of the word that begins at `at`, if it is this one.
pub(super) fn word_end(text: &[u8], at: usize, word: &str) -> Result<usize, Refused> {
    if text[at..].starts_with(word.as_bytes()) { Ok(at + word.len()) } else { Err(Refused::Odd) }
}

fn digits_end(text: &[u8], mut at: usize) -> Result<usize, Refused> {
    let start = at;
    while text.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    if at > start { Ok(at) } else { Err(Refused::Odd) }
}

/// The end of the number that begins at `at`.
pub(super) fn number_end(text: &[u8], mut at: usize) -> Result<usize, Refused> {
    if text.get(at) == Some(&b'-') {
        at += 1;
    }
    at = if text.get(at) == Some(&b'0') { at + 1 } else { digits_end(text, at)? };
    if text.get(at) == Some(&b'.') {
        at = digits_end(text, at + 1)?;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        at += 1;
        if matches!(text.get(at), Some(b'+' | b'-')) {
            at += 1;
        }
        at = digits_end(text, at)?;
    }
    Ok(at)
}

/// Where from `at` on the next quote, backslash or control character stands, or the end.
#[inline]
pub(super) fn special(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let n = before_escaped(chunk);
        at += n;
        if n < LANES {
            return at;
        }
    }
    bytes[at..].iter().position(|b| matches!(b, b'"' | b'\\' | ..b' ')).map_or(bytes.len(), |n| at + n)
}

/// The end, past its closing quote, of the string whose opening quote stands at `at`.
///
/// # Errors
/// When it is no JSON string, or ends with the input.
pub fn string_end(bytes: &[u8], at: usize) -> Result<usize, Refused> {
    let mut at = at + 1;
    // Of sixteen bytes one look tells all that is to be heeded: in a dump that is two or three.
    'step: while let Some(&chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let mut marks = escaped(chunk);
        while marks != 0 {
            let n = marks.trailing_zeros() as usize;
            match chunk[n] {
                b'"' => return Ok(at + n + 1),
                b'\\' => {
                    let next = n + escape_length(&bytes[at + n..])?;
                    if next >= LANES {
                        at += next;
                        continue 'step;
                    }
                    marks &= u32::MAX << next;
                }
                _ => return Err(Refused::Odd),
            }
        }
        at += LANES;
    }
    loop {
        at = special(bytes, at);
        match bytes.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') => at += escape_length(&bytes[at..])?,
            Some(_) => return Err(Refused::Odd),
            None => return Err(Refused::Unfinished),
        }
    }
}

/// The length of the escape that `bytes` begin with, whatever it means.
fn escape_length(bytes: &[u8]) -> Result<usize, Refused> {
    match bytes.get(1) {
        // serde_json does not look whether a surrogate that nobody wants has its other half.
        Some(b'u') => unit(bytes).map(|_| 6),
        Some(b'"' | b'\\' | b'/' | b'n' | b't' | b'r' | b'b' | b'f') => Ok(2),
        _ => Err(Refused::Odd),
    }
}

/// The value of each hexadecimal digit; 255 of every other byte.
const DIGITS: [u8; 256] = {
    let mut digits = [u8::MAX; 256];
    let mut value = 0;
    while value < 16 {
        digits[b"0123456789abcdef"[value] as usize] = value as u8;
        digits[b"0123456789ABCDEF"[value] as usize] = value as u8;
        value += 1;
    }
    digits
};

/// The UTF-16 unit of `\uXXXX`.
pub(super) fn unit(bytes: &[u8]) -> Result<u32, Refused> {
    let Some(&[b'\\', b'u', a, b, c, d]) = bytes.first_chunk() else { return Err(Refused::Odd) };
    let [a, b, c, d] = [a, b, c, d].map(|digit| u32::from(DIGITS[usize::from(digit)]));
    if (a | b | c | d) > 15 { Err(Refused::Odd) } else { Ok(a << 12 | b << 8 | c << 4 | d) }
}
