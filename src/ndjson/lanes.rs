//! Sixteen bytes at a time: where a JSON string ends or needs an escape. What is done there is left to reader and writer.

use wide::u8x16;

/// The bytes that are looked at in one step. In a dump there is a quote or a backslash every ten bytes: longer steps, or
/// a call of memchr for each, gain nothing.
pub(super) const LANES: usize = 16;

/// How many of the bytes stand before the first quote or backslash; [`LANES`] if there is none.
#[inline]
pub(super) fn before_quote_or_backslash(bytes: [u8; LANES]) -> usize {
    let bytes = u8x16::new(bytes);
    count(bytes.cmp_eq(u8x16::splat(b'"')) | bytes.cmp_eq(u8x16::splat(b'\\')))
}

/// How many of the bytes stand before the first that a JSON string cannot hold as it is; [`LANES`] if there is none.
#[inline]
pub(super) fn before_escaped(bytes: [u8; LANES]) -> usize {
    let bytes = u8x16::new(bytes);
    let control = bytes.min(u8x16::splat(0x1f)).cmp_eq(bytes);
    count(bytes.cmp_eq(u8x16::splat(b'"')) | bytes.cmp_eq(u8x16::splat(b'\\')) | control)
}

/// The lanes before the first one that is marked.
#[inline]
fn count(marks: u8x16) -> usize {
    // The bit behind the sixteen ends the count where no lane is marked.
    (marks.move_mask() as u32 | 1 << LANES).trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_judged_in_every_lane() {
        for byte in 0..=u8::MAX {
            for lane in 0..LANES {
                let mut bytes = [b'a'; LANES];
                bytes[lane] = byte;
                let expected = |marked: bool| if marked { lane } else { LANES };
                assert_eq!(before_quote_or_backslash(bytes), expected(matches!(byte, b'"' | b'\\')));
                assert_eq!(before_escaped(bytes), expected(matches!(byte, b'"' | b'\\' | ..b' ')));
                bytes[LANES - 1] = b'"';
                assert!(before_escaped(bytes) <= lane.max(LANES - 1));
            }
        }
    }
}
