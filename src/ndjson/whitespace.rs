//! Records the white space between the tokens of a JSON value, and writes the value without it. Callers ensure that the value
//! is JSON.

use super::skip::value_end;
use crate::codec::{Packed, put_number};

/// The most gaps that are recorded, which take one MiB. A value with more is parsed again when it is copied.
const MOST: usize = 1 << 16;

/// The positions of white space between the tokens of a value. Recording it while the value is checked, instead of searching
/// for it in a second pass, saves a fifth of wp-index's time for a dump that has any.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gaps {
    /// The starts and ends of the gaps, in order.
    list: Vec<(usize, usize)>,
    /// Whether there are more gaps than `list` has.
    unknown: bool,
}

impl Gaps {
    /// Clears the list, for another value.
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.unknown = false;
    }

    /// Adds a gap; gaps must be added in order.
    #[inline]
    pub(crate) fn note(&mut self, start: usize, end: usize) {
        if self.list.len() < MOST {
            self.list.push((start, end));
        } else {
            self.unknown = true;
        }
    }

    /// Appends the gaps in a compact form. Most are one space, which is one bit of the number that gives the bytes before the
    /// gap.
    pub(crate) fn note_in(&self, notes: &mut Vec<u8>) {
        put_number(notes, if self.unknown { 0 } else { self.list.len() as u64 + 1 });
        let mut at = 0;
        for &(start, end) in self.list.iter().filter(|_| !self.unknown) {
            let (before, width) = ((start - at) as u64, (end - start) as u64);
            put_number(notes, before << 1 | u64::from(width > 1));
            if width > 1 {
                put_number(notes, width);
            }
            at = end;
        }
    }

    /// Reads the output of [`Gaps::note_in`]; `None` if it is truncated.
    pub(crate) fn recall(&mut self, notes: &mut Packed<'_>) -> Option<()> {
        self.clear();
        let count = notes.number()?;
        self.unknown = count == 0;
        let mut at = 0;
        for _ in 1..count {
            let before = notes.size()?;
            let start = at + (before >> 1);
            at = start + if before & 1 == 0 { 1 } else { notes.size()? };
            self.list.push((start, at));
        }
        Some(())
    }

    /// Appends `value`, from which the gaps were recorded, without them.
    pub(crate) fn append_without(&self, out: &mut Vec<u8>, value: &[u8]) {
        if self.unknown {
            append_compact(out, value);
            return;
        }
        let mut at = 0;
        for &(start, end) in &self.list {
            out.extend_from_slice(&value[at..start]);
            at = end;
        }
        out.extend_from_slice(&value[at..]);
    }
}

/// Appends a JSON value without the white space between its tokens.
fn append_compact(out: &mut Vec<u8>, value: &[u8]) {
    let mut at = 0;
    // Text that is not JSON ends too early; from there on, it is copied unchanged.
    let _ = value_end(value, 0, |start, end| {
        out.extend_from_slice(&value[at..start]);
        at = end;
    });
    out.extend_from_slice(&value[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ndjson::Walk;

    /// The value without white space between its tokens, in both ways.
    fn compact(value: &str) -> String {
        let mut walk = Walk::noting(value.as_bytes(), Gaps::default());
        walk.value().unwrap();
        let [mut noted, mut walked] = [Vec::new(), Vec::new()];
        walk.into_gaps().append_without(&mut noted, value.as_bytes());
        append_compact(&mut walked, value.as_bytes());
        assert_eq!(noted, walked);
        String::from_utf8(noted).unwrap()
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
    fn white_space_after_a_long_string_is_found() {
        let long = "x".repeat(5000);
        assert_eq!(compact(&format!("{{\"a\":\"{long}\", \"b\":1}}")), format!("{{\"a\":\"{long}\",\"b\":1}}"));
    }

    #[test]
    fn a_value_with_more_gaps_than_are_noted_loses_them_all() {
        let spaced = format!("[{}1]", "1, ".repeat(MOST + 1));
        assert_eq!(compact(&spaced), spaced.replace(' ', ""));
    }
}
