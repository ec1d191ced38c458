//! Finds the blanks of a text: those that collapse, and how long the text goes on without one that does.

use wide::u8x16;

/// The length of the blanks of any kind that `text` begins with, without those that part something.
pub(super) fn leading_blanks(text: &str, parts: &[char]) -> usize {
    text.len() - text.trim_start_matches(|c: char| c.is_whitespace() && !parts.contains(&c)).len()
}

/// What collapses: a form feed does not.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// How long the text goes on with single blanks between words.
pub(super) fn regular(bytes: &[u8]) -> usize {
    let mut at = 0;
    // Nearly all of a text is words with one space between them: sixteen bytes at a time, and the one after them.
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
    // The last sixteen, some of them for the second time. A blank at the end is like one before another.
    let start = bytes.len() - chunk.len();
    match stops(chunk, true) >> (at - start) {
        0 => bytes.len(),
        stops => at + stops.trailing_zeros() as usize,
    }
}

/// A bit for each blank that is not a single one between words, or is not shown: `next` tells whether a blank
/// follows.
fn stops(chunk: &[u8; 16], next: bool) -> u32 {
    let chunk = u8x16::new(*chunk);
    let is = |byte| chunk.cmp_eq(u8x16::splat(byte));
    let spaces = is(b' ').move_mask() as u32;
    let others = (is(b'\t') | is(b'\n') | is(b'\r')).move_mask() as u32;
    let behind = (spaces | others) >> 1 | u32::from(next) << 15;
    others | (spaces & behind)
}
