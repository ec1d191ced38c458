//! Finds white space in a text: which of it collapses, and how far the text continues with only single spaces between
//! words.

use wide::u8x16;

/// The length of all kinds of white space at the start of `text`, up to one of the separators in `parts`.
pub(super) fn leading_blanks(text: &str, parts: &[char]) -> usize {
    text.len() - text.trim_start_matches(|c: char| c.is_whitespace() && !parts.contains(&c)).len()
}

/// White space that collapses; a form feed does not.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// How far the text continues with only single spaces between words.
pub(super) fn regular(bytes: &[u8]) -> usize {
    let mut at = 0;
    // Nearly all text is words with one space between them: examine sixteen bytes at a time, and the one after them.
    while let Some(&[ref chunk @ .., next]) = bytes.get(at..).and_then(|rest| rest.first_chunk::<17>()) {
        let stops = stops(chunk, is_blank(next));
        if stops != 0 {
            return at + stops.trailing_zeros() as usize;
        }
        at += 16;
    }
    let Some(chunk) = bytes.last_chunk() else {
        let stops =
            |n: &usize| is_blank(bytes[*n]) && (bytes[*n] != b' ' || bytes.get(n + 1).is_none_or(|b| is_blank(*b)));
        return (at..bytes.len()).find(stops).unwrap_or(bytes.len());
    };
    // The last sixteen bytes, some of them for the second time. A space at the end is treated as if another followed.
    let start = bytes.len() - chunk.len();
    match stops(chunk, true) >> (at - start) {
        0 => bytes.len(),
        stops => at + stops.trailing_zeros() as usize,
    }
}

/// A bit for each space that is not a single one between words or is not shown; `next` is whether white space follows.
fn stops(chunk: &[u8; 16], next: bool) -> u32 {
    let chunk = u8x16::new(*chunk);
    let is = |byte| chunk.cmp_eq(u8x16::splat(byte));
    let spaces = is(b' ').move_mask() as u32;
    let others = (is(b'\t') | is(b'\n') | is(b'\r')).move_mask() as u32;
    let behind = (spaces | others) >> 1 | u32::from(next) << 15;
    others | (spaces & behind)
}
