//! Sixteen bytes at a time: where a JSON string ends or needs an escape. What is done there is left to reader and writer.

use wide::u8x16;

/// The bytes that are looked at in one step. In a dump there is a quote or a backslash every ten bytes: longer steps, or
/// a call of memchr for each, gain nothing.
pub(super) const LANES: usize = 16;

/// How many of the bytes stand before the first that a JSON string cannot hold as it is; [`LANES`] if there is none.
#[inline]
pub(super) fn before_escaped(bytes: [u8; LANES]) -> usize {
    // The bit behind the sixteen ends the count where no byte is marked.
    (escaped(bytes) | 1 << LANES).trailing_zeros() as usize
}

/// A bit for each byte that a JSON string cannot hold as it is (quote, backslash, control character), the first lowest.
#[inline]
pub(super) fn escaped(bytes: [u8; LANES]) -> u32 {
    let bytes = u8x16::new(bytes);
    let control = bytes.min(u8x16::splat(0x1f)).cmp_eq(bytes);
    let marks = bytes.cmp_eq(u8x16::splat(b'"')) | bytes.cmp_eq(u8x16::splat(b'\\')) | control;
    marks.move_mask() as u32
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
                let expected = if matches!(byte, b'"' | b'\\' | ..b' ') { lane } else { LANES };
                assert_eq!(before_escaped(bytes), expected);
                bytes[LANES - 1] = b'"';
                assert_eq!(before_escaped(bytes), expected.min(LANES - 1));
            }
        }
    }
}
