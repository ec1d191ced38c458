//! Finds the end of a JSON value by its strings and brackets alone, for text that a strict parser rejected. This module
//! does not interpret the values.

use memchr::memchr2;

/// A walk over a value that may arrive in parts; it tracks only strings and brackets.
#[derive(Default)]
pub(super) struct Brackets {
    pub(super) done: usize,
    depth: usize,
    in_string: bool,
}

impl Brackets {
    /// Continues in `value`, which begins with the same bytes as in the last call and with `{`, `[` or `"`. Returns the
    /// length of the value once its end has been found.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_in_parts_has_the_same_end_wherever_it_is_cut() {
        let text = br#"{"a":"}\"]\\","b":[{},[]],"c":"\\\""} {"#;
        for cut in 0..text.len() {
            let mut brackets = Brackets::default();
            let end = brackets.go_on(&text[..cut]).or_else(|| brackets.go_on(text));
            assert_eq!(end, Some(text.len() - 2), "cut at {cut}");
        }
    }
}
