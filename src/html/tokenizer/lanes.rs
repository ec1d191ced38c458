//! Sixteen bytes at a time: where a text or a value ends, and whether it needs decoding. The tokenizer uses the result.
//!
//! The texts and values of a content are twenty to sixty bytes long: calling memchr for each took longer than examining
//! them.

use memchr::{memchr, memchr3};
use wide::u8x16;

const LANES: usize = 16;
/// What is longer is left to memchr.
const NEAR: usize = 64;

/// Where from `at` on the next `<` stands, or the end; and whether what stands before it stands for itself: no reference,
/// no CR, no NUL.
#[inline]
pub(super) fn text_end(bytes: &[u8], mut at: usize) -> (usize, bool) {
    let far = at + NEAR;
    let mut plain = true;
    while at < far
        && let Some(&chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk())
    {
        let chunk = u8x16::new(chunk);
        let open = mask(chunk.cmp_eq(u8x16::splat(b'<')));
        let odd = mask(odd(chunk));
        if open != 0 {
            let n = open.trailing_zeros();
            return (at + n as usize, plain && odd & ((1 << n) - 1) == 0);
        }
        plain &= odd == 0;
        at += LANES;
    }
    let rest = &bytes[at..];
    let end = memchr(b'<', rest).unwrap_or(rest.len());
    (at + end, plain && memchr3(b'&', b'\r', 0, &rest[..end]).is_none())
}

/// Where from `at` on the next `byte` stands.
#[inline]
pub(super) fn find(byte: u8, bytes: &[u8], mut at: usize) -> Option<usize> {
    let far = at + NEAR;
    while at < far
        && let Some(&chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk())
    {
        let found = mask(u8x16::new(chunk).cmp_eq(u8x16::splat(byte)));
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize);
        }
        at += LANES;
    }
    memchr(byte, &bytes[at..]).map(|n| at + n)
}

/// The sixteen bytes from `at` on, and how many of them are the name of a tag; none if it is longer, or they are fewer.
#[inline]
pub(super) fn tag_name(bytes: &[u8], at: usize) -> Option<([u8; LANES], usize)> {
    let chunk = *bytes.get(at..)?.first_chunk()?;
    let lanes = u8x16::new(chunk);
    let ends = mask(spaces(lanes) | lanes.cmp_eq(u8x16::splat(b'/')) | lanes.cmp_eq(u8x16::splat(b'>')));
    (ends != 0).then(|| (chunk, ends.trailing_zeros() as usize))
}

/// How many bytes from `at` on are the name of an attribute; none if it is longer than fifteen, or near the end.
#[inline]
pub(super) fn attribute_name(bytes: &[u8], at: usize) -> Option<usize> {
    let lanes = u8x16::new(*bytes.get(at..)?.first_chunk()?);
    let signs = lanes.cmp_eq(u8x16::splat(b'=')) | lanes.cmp_eq(u8x16::splat(b'/')) | lanes.cmp_eq(u8x16::splat(b'>'));
    // A `=` in the first place belongs to the name, and nothing else comes here.
    let ends = mask(spaces(lanes) | signs) & !1;
    (ends != 0).then(|| ends.trailing_zeros() as usize)
}

/// HTML's white space, as [`is_space`](super::is_space) has it.
#[inline]
fn spaces(chunk: u8x16) -> u8x16 {
    let is = |byte| chunk.cmp_eq(u8x16::splat(byte));
    is(b' ') | is(b'\n') | is(b'\t') | is(b'\r') | is(b'\x0C')
}

/// Whether text or value stands for itself: no reference, no CR, no NUL.
#[inline]
pub(super) fn is_plain(bytes: &[u8]) -> bool {
    let (chunks, rest) = bytes.as_chunks::<LANES>();
    if chunks.len() > NEAR / LANES {
        return memchr3(b'&', b'\r', 0, bytes).is_none();
    }
    let is_odd = |chunk: [u8; LANES]| mask(odd(u8x16::new(chunk))) != 0;
    if chunks.iter().any(|chunk| is_odd(*chunk)) {
        return false;
    }
    match bytes.last_chunk() {
        // Some of it for the second time.
        Some(&chunk) => !is_odd(chunk),
        None => !rest.iter().any(|byte| matches!(byte, b'&' | b'\r' | 0)),
    }
}

#[inline]
fn odd(chunk: u8x16) -> u8x16 {
    chunk.cmp_eq(u8x16::splat(b'&')) | chunk.cmp_eq(u8x16::splat(b'\r')) | chunk.cmp_eq(u8x16::splat(0))
}

#[inline]
fn mask(chunk: u8x16) -> u32 {
    chunk.move_mask() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_found_and_references_seen_wherever_they_stand() {
        for length in 0..150 {
            for at in 0..=length {
                for byte in [b'<', b'&', b'\r', 0, b'a'] {
                    let mut bytes = vec![b'x'; length];
                    if let Some(place) = bytes.get_mut(at) {
                        *place = byte;
                    }
                    let odd = |bytes: &[u8]| bytes.iter().any(|b| matches!(b, b'&' | b'\r' | 0));
                    assert_eq!(is_plain(&bytes), !odd(&bytes));
                    for from in [0, 1, 17].into_iter().filter(|from| *from <= length) {
                        let end = bytes[from..].iter().position(|b| *b == b'<').map_or(length, |n| from + n);
                        assert_eq!(text_end(&bytes, from), (end, !odd(&bytes[from..end])));
                        let found = bytes[from..].iter().position(|b| *b == byte).map(|n| from + n);
                        assert_eq!(find(byte, &bytes, from), found);
                    }
                }
            }
        }
    }
}
