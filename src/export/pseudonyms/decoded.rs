//! Decodes a text and remembers where each part of it is in the original: a slug may be percent-encoded, encoded once more in a link for
//! sharing a page, or part of JSON with escaped slashes.

use crate::html::tokenizer;
use std::ops::Range;

/// The most bytes of a character reference.
const REFERENCE: usize = 40;

/// The most levels of encoding: a URL in a URL in a URL.
const LEVELS: usize = 3;

pub(super) struct Decoded<'t> {
    written: &'t str,
    pub(super) text: String,
    /// The text with ASCII letters in lower case.
    pub(super) lower: String,
    /// The place in `written` that each byte of the text comes from, and the end of `written`.
    from: Vec<usize>,
}

impl<'t> Decoded<'t> {
    pub(super) fn of(written: &'t str) -> Self {
        let from: Vec<usize> = (0..=written.len()).collect();
        Decoded::levels(written, written.as_bytes().to_vec(), from)
    }

    /// Like [`Decoded::of`], for a text with character references.
    pub(super) fn of_html(written: &'t str) -> Self {
        let (text, from) = references(written);
        Decoded::levels(written, text, from)
    }

    fn levels(written: &'t str, mut text: Vec<u8>, mut from: Vec<usize>) -> Self {
        for _ in 0..LEVELS {
            let before = text.len();
            (text, from) = decode(&text, &from);
            if text.len() == before {
                break;
            }
        }
        let text = String::from_utf8(text).expect("only whole letters are decoded");
        Decoded { written, lower: text.to_ascii_lowercase(), text, from }
    }

    /// Keeps a text as it is, without decoding it.
    pub(super) fn as_written(written: &'t str) -> Self {
        Decoded { written, text: written.to_owned(), lower: String::new(), from: (0..=written.len()).collect() }
    }

    /// Whether the byte at a place of the text is not encoded in the original.
    pub(super) fn is_as_written(&self, at: usize) -> bool {
        self.from[at + 1] == self.from[at] + 1 && self.written.as_bytes()[self.from[at]] == self.text.as_bytes()[at]
    }

    /// The original with other words at these places of the text; `None` if there are no places.
    pub(super) fn replace(&self, mut places: Vec<(Range<usize>, String)>) -> Option<String> {
        places.retain(|(place, _)| !place.is_empty());
        places.sort_by_key(|(place, _)| place.start);
        let (mut out, mut done) = (String::new(), 0);
        for (place, words) in &places {
            let [start, end] = [place.start, place.end].map(|at| self.from[at]);
            if start >= done {
                out.push_str(&self.written[done..start]);
                out.push_str(words);
                done = end;
            }
        }
        (done > 0).then(|| out + &self.written[done..])
    }
}

/// Decodes character references once, provided that a semicolon ends them.
fn references(written: &str) -> (Vec<u8>, Vec<usize>) {
    let (mut out, mut from, mut done) = (Vec::with_capacity(written.len()), Vec::with_capacity(written.len() + 1), 0);
    for (at, _) in written.match_indices('&') {
        let Some(end) = written.as_bytes()[at..].iter().take(REFERENCE).position(|&byte| byte == b';') else {
            continue;
        };
        let reference = &written[at..=at + end];
        let meant = tokenizer::decode(reference);
        if at >= done && meant != reference {
            out.extend(&written.as_bytes()[done..at]);
            from.extend(done..at);
            from.extend(std::iter::repeat_n(at, meant.len()));
            out.extend(meant.as_bytes());
            done = at + end + 1;
        }
    }
    out.extend(&written.as_bytes()[done..]);
    from.extend(done..=written.len());
    (out, from)
}

/// Decodes percent-encoded UTF-8, and slashes escaped in JSON, once. In a query, a plus is a blank; a `&` is enough to recognise a query,
/// because its beginning may have been replaced.
fn decode(text: &[u8], from: &[usize]) -> (Vec<u8>, Vec<usize>) {
    let (mut out, mut places) = (Vec::with_capacity(text.len()), Vec::with_capacity(from.len()));
    let (mut at, mut is_query) = (0, false);
    while at < text.len() {
        let bytes: Vec<u8> = text[at..].chunks_exact(3).map_while(encoded).collect();
        let length = 3 * bytes.len();
        if !bytes.is_empty() && std::str::from_utf8(&bytes).is_ok() {
            places.extend((at..at + length).step_by(3).map(|at| from[at]));
            out.extend(bytes);
            at += length;
            continue;
        }
        if text[at..].starts_with(b"\\/") {
            places.push(from[at]);
            out.push(b'/');
            at += 2;
            continue;
        }
        is_query |= matches!(text[at], b'?' | b'&');
        for _ in 0..length.max(1) {
            places.push(from[at]);
            out.push(if text[at] == b'+' && is_query { b' ' } else { text[at] });
            at += 1;
        }
    }
    places.push(from[at]);
    (out, places)
}

/// The byte that `%XX` encodes.
fn encoded(letters: &[u8]) -> Option<u8> {
    let [b'%', high, low] = *letters else { return None };
    let [high, low] = [high, low].map(|digit| char::from(digit).to_digit(16));
    u8::try_from(high? * 16 + low?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_decoded_and_replaced_where_it_is_written() {
        for (written, text) in [
            ("", ""),
            ("a+b?c+d", "a+b?c d"),
            ("%C3%A9%2525", "é%"),
            ("%2525252F", "%2F"),
            ("%C3%28%zz%4", "%C3%28%zz%4"),
            (r"\/a\n", r"/a\n"),
            ("100%", "100%"),
        ] {
            let decoded = Decoded::of(written);
            assert_eq!(decoded.text, text, "{written}");
            let whole = decoded.replace(vec![(0..text.len(), "x".to_owned())]);
            assert_eq!(whole.unwrap_or_default(), if text.is_empty() { "" } else { "x" });
        }
        let html = Decoded::of_html("A &amp; B&#8217;s &x; & %41&");
        assert_eq!(html.text, "A & B’s &x; & A&");
        assert_eq!(html.replace(vec![(0..9, "x".to_owned())]).as_deref(), Some("x &x; & %41&"));
        let places = vec![(2..3, "y".to_owned()), (0..1, "x".to_owned()), (2..2, "z".to_owned())];
        assert_eq!(Decoded::of("%61%2562c").replace(places).as_deref(), Some("x%2562y"));
        assert_eq!(Decoded::of("abc").replace(Vec::new()), None);
    }
}
