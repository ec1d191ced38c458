//! Scans HTML sixteen bytes at a time (SIMD): finds the end of a text or a value, and whether it needs decoding. The tokenizer uses the
//! results.
//!
//! The texts and values in posts are twenty to sixty bytes long: calling memchr for each took longer than examining them.

use super::is_space;
use memchr::{memchr, memchr3};
use wide::u8x16;

const LANES: usize = 16;
/// The number of bytes that are examined here: beyond that, memchr is faster.
const NEAR: usize = 64;

/// The position of the next `<` from `at` on, or the end; and whether what precedes it needs no decoding: no reference,
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

/// The position of the next `byte` from `at` on.
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

/// The sixteen bytes from `at` on, and how many of them are the name of a tag; `None` if the name is longer or has unusual characters, or
/// if there are fewer bytes.
#[inline]
pub(super) fn tag_name(bytes: &[u8], at: usize) -> Option<([u8; LANES], usize)> {
    let chunk = *bytes.get(at..)?.first_chunk()?;
    let lanes = u8x16::new(chunk);
    let ends = mask(low(lanes) | lanes.cmp_eq(u8x16::splat(b'/')) | lanes.cmp_eq(u8x16::splat(b'>')));
    Some((chunk, name_length(chunk, ends)?))
}

/// How many bytes from `at` on are the name of an attribute; `None` if it is longer than fifteen, has unusual characters, or is near the
/// end of the input.
#[inline]
pub(super) fn attribute_name(bytes: &[u8], at: usize) -> Option<usize> {
    let chunk = *bytes.get(at..)?.first_chunk()?;
    let lanes = u8x16::new(chunk);
    let signs = lanes.cmp_eq(u8x16::splat(b'=')) | lanes.cmp_eq(u8x16::splat(b'/')) | lanes.cmp_eq(u8x16::splat(b'>'));
    // A `=` at the first position belongs to the name; the caller excludes the other characters there.
    name_length(chunk, mask(low(lanes) | signs) & !1)
}

/// The position of the first of `ends`, unless it is a control character, which names may contain.
#[inline]
fn name_length(chunk: [u8; LANES], ends: u32) -> Option<usize> {
    let length = ends.trailing_zeros() as usize;
    let end = *chunk.get(length)?;
    (end > b' ' || is_space(end)).then_some(length)
}

/// Marks HTML's white space and control characters: one comparison instead of five.
#[inline]
fn low(chunk: u8x16) -> u8x16 {
    chunk.min(u8x16::splat(b' ')).cmp_eq(chunk)
}

/// Whether a text or value needs no decoding: no reference, no CR, no NUL.
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
        // Examines some bytes for the second time.
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
    fn names_have_the_same_length_as_byte_by_byte() {
        for byte in 0..=u8::MAX {
            for at in 0..LANES {
                let mut bytes = [b'x'; 2 * LANES];
                bytes[at] = byte;
                let ends =
                    |signs: &[u8], from| (from..LANES).find(|n| is_space(bytes[*n]) || signs.contains(&bytes[*n]));
                let usual = byte > b' ' || is_space(byte);
                assert_eq!(
                    tag_name(&bytes, 0).map(|(_, length)| length),
                    ends(b"/>", 0).filter(|_| usual),
                    "{byte} {at}"
                );
                assert_eq!(attribute_name(&bytes, 0), ends(b"=/>", 1).filter(|_| usual), "{byte} {at}");
            }
        }
    }

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
