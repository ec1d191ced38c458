//! Finds where a JSON value ends, by the full grammar, so that values that nobody needs can be skipped. Everything is checked as strictly
//! as serde_json does when it skips a value; serde_json produces the error messages.

use super::lanes::{BLOCK, Escapes, LANES, Marks, before_escaped};

/// Why a value is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// It is not valid JSON, or not the kind of value that the reader expects. The caller lets serde_json parse it again, which decides.
    Odd,
    /// The input ends before the value does.
    Unfinished,
}

/// The position, from `at` on, of the first byte that is not white space, or the end.
#[inline]
pub(super) fn skip_space(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

/// The first byte from `at` on that is not white space, with its position.
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

/// The open brackets, as bits: there is no recursion, and nesting less than 64 deep needs no allocation.
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

/// The end of the value that begins at `at`; `note` gets the start and the end of all white space between the value's
/// tokens, in order.
pub(super) fn value_end(text: &[u8], mut at: usize, mut note: impl FnMut(usize, usize)) -> Result<usize, Refused> {
    let mut token = |at| {
        let (byte, start) = token(text, at)?;
        if start > at {
            note(at, start);
        }
        Ok((byte, start))
    };
    let mut nesting = Nesting::default();
    loop {
        // A value is expected here.
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
        // A value has ended, and the one around it may end with it.
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

/// The end, after its colon, of the key that begins at `at`.
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

/// The end of this word, if it begins at `at`.
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

/// The position, from `at` on, of the next quote, backslash or control character, or the end.
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

/// The end, after its closing quote, of the string whose opening quote is at `at`.
///
/// # Errors
/// If it is not a JSON string, or the input ends first.
#[inline]
pub(crate) fn string_end(bytes: &[u8], at: usize) -> Result<usize, Refused> {
    let mut at = at + 1;
    // Keys and most values are short: one step of sixteen bytes finds their end.
    if let Some(&chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let n = before_escaped(chunk);
        at += n;
        if n < LANES && chunk[n] == b'"' {
            return Ok(at + 1);
        }
    }
    long_string_end(bytes, at)
}

/// The end, after its closing quote, of the string that contains `at`, which must not follow a backslash. The string is read block by block
/// instead of escape by escape, because the JSON that PHP writes has an escape every ten to twenty bytes. (Inlining this into its callers
/// takes a tenth more instructions in `release`.)
#[inline(never)]
fn long_string_end(bytes: &[u8], mut at: usize) -> Result<usize, Refused> {
    let mut escapes = Escapes::default();
    while let Some(block) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let marks = Marks::of(block);
        let escaped = escapes.go_on(marks.backslash);
        let end = (marks.quote & !escaped).trailing_zeros();
        // The bytes after the end do not belong to this string.
        let inside = 1_u64.checked_shl(end).map_or(u64::MAX, |bit| bit - 1);
        if marks.control & inside != 0 {
            return Err(Refused::Odd);
        }
        check_letters(bytes, at, escaped & !marks.quote & !marks.backslash & inside)?;
        if end < BLOCK as u32 {
            return Ok(at + end as usize + 1);
        }
        at += BLOCK;
    }
    // The last byte of the block may be a backslash.
    if escapes.next_is_escaped() {
        at -= 1;
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

/// The letters that may follow a backslash in an escape of one letter.
const IS_LETTER: [bool; 256] = {
    let mut letters = [false; 256];
    let mut at = 0;
    while at < 8 {
        letters[b"\"\\/bfnrt"[at] as usize] = true;
        at += 1;
    }
    letters
};

/// Checks that each of these bytes, given as bits of the block at `at`, may follow a backslash. A block has few of them:
/// checking each is faster than comparing the whole block with every letter.
fn check_letters(bytes: &[u8], at: usize, mut letters: u64) -> Result<(), Refused> {
    while letters != 0 {
        let letter = at + letters.trailing_zeros() as usize;
        if !IS_LETTER[usize::from(bytes[letter])] {
            // When serde_json skips a value, it does not check whether surrogates form pairs.
            unit(&bytes[letter - 1..])?;
        }
        letters &= letters - 1;
    }
    Ok(())
}

/// The length of the escape at the start of `bytes`, whatever its meaning.
fn escape_length(bytes: &[u8]) -> Result<usize, Refused> {
    match bytes.get(1) {
        // When serde_json skips a value, it does not check whether surrogates form pairs.
        Some(b'u') => unit(bytes).map(|_| 6),
        Some(&letter) if IS_LETTER[usize::from(letter)] => Ok(2),
        _ => Err(Refused::Odd),
    }
}

/// The value of each hexadecimal digit; 255 for every other byte.
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
fn unit(bytes: &[u8]) -> Result<u32, Refused> {
    let Some(&[b'\\', b'u', a, b, c, d]) = bytes.first_chunk() else { return Err(Refused::Odd) };
    let [a, b, c, d] = [a, b, c, d].map(|digit| u32::from(DIGITS[usize::from(digit)]));
    if (a | b | c | d) > 15 { Err(Refused::Odd) } else { Ok(a << 12 | b << 8 | c << 4 | d) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::de::IgnoredAny;

    proptest! {
        #![proptest_config(crate::cases::cases(5_000))]

        /// Strings longer than a block, with escapes at the boundaries of blocks.
        #[test]
        fn strings_end_where_serde_json_sees_their_end(
            pieces in prop::collection::vec((prop::sample::select(vec![
                "\\\\", "\\\"", "\\/", "\\n", "\\b", "\\f", "\\r", "\\t", "\\u00e9", "\\ud83d", "\\uDE00", "é", "u", "x", "/",
                "nineteen characters",
            ]), 0..40_usize), 0..12),
            odd in prop_oneof![8 => Just(""), 1 => Just("\\x"), 1 => Just("\\u12g4"), 1 => Just("\n"), 1 => Just("\\u12")],
            rest in prop::sample::select(vec!["", "\"", "\" ", "\",\"b\\x\":1", "\":\"a long value, to have a block behind the end: \\q \u{1} and so on, 64 bytes\""]),
        ) {
            let text: String = pieces.iter().map(|(piece, times)| piece.repeat(*times)).collect();
            let text = format!("\"{text}{odd}{text}{rest}");
            let mut values = serde_json::Deserializer::from_str(&text).into_iter::<IgnoredAny>();
            let expected = match values.next() {
                Some(Ok(_)) => Ok(values.byte_offset()),
                Some(Err(e)) if e.is_eof() => Err(Refused::Unfinished),
                _ => Err(Refused::Odd),
            };
            let found = string_end(text.as_bytes(), 0);
            // If a file ends in the middle of an escape, only serde_json distinguishes the end from damage.
            prop_assert!(found == expected || (found.is_err() && expected == Err(Refused::Unfinished)), "{:?} {:?}", found, expected);
        }
    }
}
