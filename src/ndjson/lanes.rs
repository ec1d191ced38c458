//! Finds the end of a JSON string sixteen bytes at a time, for code that skips values.

use wide::u8x16;

/// The number of bytes that are examined in one step. A dump has a quote or a backslash every ten bytes, so that longer
/// steps, or a call of memchr for each, gain nothing.
pub(super) const LANES: usize = 16;

/// The number of bytes before the first that a JSON string cannot contain unescaped; [`LANES`] if there is none.
#[inline]
pub(super) fn before_escaped(bytes: [u8; LANES]) -> usize {
    // The bit after the sixteen ends the count if no byte is marked.
    (escaped(bytes) | 1 << LANES).trailing_zeros() as usize
}

/// One bit for each byte that a JSON string cannot contain unescaped (quote, backslash, control character), the first
/// byte lowest.
#[inline]
fn escaped(bytes: [u8; LANES]) -> u32 {
    let bytes = u8x16::new(bytes);
    let control = bytes.min(u8x16::splat(0x1f)).cmp_eq(bytes);
    let marks = bytes.cmp_eq(u8x16::splat(b'"')) | bytes.cmp_eq(u8x16::splat(b'\\')) | control;
    marks.move_mask() as u32
}

/// The bytes of a block, each represented by one bit of a word.
pub(super) const BLOCK: usize = 64;

/// The positions of special bytes in a block; the first byte is the lowest bit.
pub(super) struct Marks {
    pub(super) quote: u64,
    pub(super) backslash: u64,
    /// The control characters, which a JSON string cannot contain.
    pub(super) control: u64,
}

/// One bit for each byte of the block that passes `test`.
#[inline(always)]
fn bits(block: &[u8; BLOCK], test: impl Fn(u8x16) -> u8x16) -> u64 {
    let mut bits = 0;
    for (n, lanes) in block.as_chunks::<LANES>().0.iter().enumerate() {
        bits |= u64::from(test(u8x16::new(*lanes)).move_mask() as u16) << (n * LANES);
    }
    bits
}

impl Marks {
    #[inline(always)]
    pub(super) fn of(block: &[u8; BLOCK]) -> Self {
        Marks {
            quote: bits(block, |bytes| bytes.cmp_eq(u8x16::splat(b'"'))),
            backslash: bits(block, |bytes| bytes.cmp_eq(u8x16::splat(b'\\'))),
            control: bits(block, |bytes| bytes.min(u8x16::splat(0x1f)).cmp_eq(bytes)),
        }
    }
}

/// Finds the bytes that are escaped by a backslash, block by block. The arithmetic is from
/// [simdjson](https://github.com/simdjson/simdjson/blob/master/src/generic/stage1/json_escape_scanner.h): a subtraction
/// carries through each run of backslashes.
#[derive(Default)]
pub(super) struct Escapes {
    /// The lowest bit shows whether the first byte of the next block is escaped.
    next: u64,
}

impl Escapes {
    /// The escaped bytes of the next block, given its backslashes.
    #[inline]
    pub(super) fn go_on(&mut self, backslash: u64) -> u64 {
        const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;
        let begins = backslash & !self.next;
        let ends = ((begins << 1) | ODD).wrapping_sub(begins) ^ ODD;
        let escaped = ends ^ (backslash | self.next);
        self.next = (ends & backslash) >> 63;
        escaped
    }

    /// Whether the last byte seen was a backslash that escapes the next.
    pub(super) fn next_is_escaped(&self) -> bool {
        self.next == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
    /// The same as [`Escapes`], byte by byte.
    fn escaped_one_by_one(text: &[u8]) -> Vec<bool> {
        let mut behind = false;
        let mut step = |&byte: &u8| {
            let escaped = behind;
            behind = byte == b'\\' && !escaped;
            escaped
        };
        text.iter().map(&mut step).collect()
    }

    proptest! {
        #[test]
        fn a_byte_is_escaped_after_an_odd_number_of_backslashes(
            text in prop::collection::vec(prop_oneof![3 => Just(b'\\'), 1 => any::<u8>()], BLOCK * 3),
        ) {
            let mut escapes = Escapes::default();
            let mut found = Vec::new();
            for block in text.as_chunks::<BLOCK>().0 {
                let marks = Marks::of(block);
                let escaped = escapes.go_on(marks.backslash);
                for (n, &byte) in block.iter().enumerate() {
                    found.push(escaped >> n & 1 == 1);
                    let marked = [marks.quote, marks.backslash, marks.control].map(|mark| mark >> n & 1 == 1);
                    prop_assert_eq!(marked, [byte == b'"', byte == b'\\', byte < b' ']);
                }
            }
            prop_assert_eq!(&found, &escaped_one_by_one(&text));
            prop_assert_eq!(escapes.next_is_escaped(), escaped_one_by_one(&[&text[..], b"x"].concat())[text.len()]);
        }
    }
}
