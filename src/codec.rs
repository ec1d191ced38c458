//! Packs numbers and strings into few bytes, for memory and for scratch files that the same program reads again. It is
//! not used for files that users see.

/// Appends a number: seven bits per byte, the lowest first; the eighth bit is set if more bytes follow.
#[inline]
pub(crate) fn put_number(packed: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        packed.push(number as u8 | 0x80);
        number >>= 7;
    }
    packed.push(number as u8);
}

/// Appends bytes, preceded by their number.
pub(crate) fn put_bytes(packed: &mut Vec<u8>, bytes: &[u8]) {
    put_number(packed, bytes.len() as u64);
    packed.extend_from_slice(bytes);
}

/// Reads values that the functions above appended, from the start; each read returns `None` if the input is truncated.
pub(crate) struct Packed<'n>(pub(crate) &'n [u8]);

impl<'n> Packed<'n> {
    #[inline]
    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    #[inline]
    pub(crate) fn size(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    pub(crate) fn bytes(&mut self) -> Option<&'n [u8]> {
        let length = self.size()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_packed_comes_back() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let mut packed = Vec::new();
        numbers.iter().for_each(|&number| put_number(&mut packed, number));
        put_bytes(&mut packed, &[7; 200]);
        let mut back = Packed(&packed);
        assert_eq!(numbers.map(|_| back.number()), numbers.map(Some));
        assert_eq!((back.bytes(), back.number()), (Some(&[7; 200][..]), None));
        assert_eq!(Packed(&[5, 1]).bytes(), None);
    }
}
