//! The shape of JSON text without its grammar: strings and brackets, for what a strict parser refused, and the
//! removal of white space between tokens. What the values mean is not known here.

use memchr::{memchr, memchr2, memchr3};

/// A walk over a value that may arrive in parts; only strings and brackets count.
#[derive(Default)]
pub(super) struct Walk {
    /// Bytes seen.
    pub(super) done: usize,
    depth: usize,
    in_string: bool,
}

impl Walk {
    /// Goes on in `value`, which begins with the same bytes as before and `{`, `[` or `"`; the length of the value
    /// when its end is there.
    pub(super) fn go_on(&mut self, value: &[u8]) -> Option<usize> {
        while self.done < value.len() {
            if self.in_string {
                let Some(next) = memchr2(b'"', b'\\', &value[self.done..]) else {
                    self.done = value.len();
                    return None;
                };
                let at = self.done + next;
                if value[at] == b'\\' {
                    if at + 1 == value.len() {
                        self.done = at;
                        return None;
                    }
                    self.done = at + 2;
                    continue;
                }
                self.in_string = false;
                self.done = at + 1;
            } else {
                match value[self.done] {
                    b'"' => self.in_string = true,
                    b'{' | b'[' => self.depth += 1,
                    b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                }
                self.done += 1;
            }
            if self.depth == 0 && !self.in_string {
                return Some(self.done);
            }
        }
        None
    }
}

/// Bytes of an item in which white space between tokens must show, if its writer puts any.
const SAMPLE: usize = 512;

/// Appends a JSON value without the white space between its tokens. A value that has none is copied as it is: there
/// is none if no control character is in it (JSON has them between tokens only) and no space in its first tokens,
/// for a program that writes JSON spaces all tokens alike.
pub fn append_compact(out: &mut Vec<u8>, value: &[u8]) {
    if memchr3(b'\n', b'\r', b'\t', value).is_none() && first_space(value).is_none() {
        out.extend_from_slice(value);
        return;
    }
    out.reserve(value.len());
    let mut at = 0;
    while at < value.len() {
        match value[at] {
            b'"' => {
                let end = string_end(value, at + 1);
                out.extend_from_slice(&value[at..end]);
                at = end;
            }
            b' ' | b'\n' | b'\r' | b'\t' => at += 1,
            byte => {
                out.push(byte);
                at += 1;
            }
        }
    }
}

/// The first space between two tokens of the sample.
fn first_space(value: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < value.len().min(SAMPLE) {
        match value[at] {
            b'"' => at = string_end(value, at + 1),
            b' ' => return Some(at),
            _ => at += 1,
        }
    }
    None
}

/// The end of the string whose first character stands at `from`. Looking for quotes alone is faster than stopping at
/// each of the many backslashes that PHP writes.
fn string_end(value: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(next) = memchr(b'"', &value[at..]) {
        at += next;
        let backslashes = value[from..at].iter().rev().take_while(|&&b| b == b'\\').count();
        at += 1;
        if backslashes % 2 == 0 {
            return at;
        }
    }
    value.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compact(value: &str) -> String {
        let mut out = Vec::new();
        append_compact(&mut out, value.as_bytes());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn white_space_between_tokens_goes_and_that_of_strings_stays() {
        let spaced = "{ \"a b\" : [ 1 ,\t-2e+5 , \" x\\\" , \\\\\" ] ,\r\n\"c\":{ } , \"d\" : null }";
        assert_eq!(compact(spaced), r#"{"a b":[1,-2e+5," x\" , \\"],"c":{},"d":null}"#);
    }

    #[test]
    fn a_compact_value_is_its_own_copy() {
        let value = r#"{"a":" x , y: z\" , ","b":[1,2,{"c":"\\"}]}"#;
        assert_eq!(compact(value), value);
    }

    #[test]
    fn a_line_break_far_behind_is_found() {
        let long = "x".repeat(5000);
        assert_eq!(compact(&format!("{{\"a\":\"{long}\",\n\"b\":1}}")), format!("{{\"a\":\"{long}\",\"b\":1}}"));
    }

    #[test]
    fn a_value_in_parts_has_the_same_end_wherever_it_is_cut() {
        let text = br#"{"a":"}\"]\\","b":[{},[]],"c":"\\\""} {"#;
        for cut in 0..text.len() {
            let mut walk = Walk::default();
            let end = walk.go_on(&text[..cut]).or_else(|| walk.go_on(text));
            assert_eq!(end, Some(text.len() - 2), "cut at {cut}");
        }
    }
}
