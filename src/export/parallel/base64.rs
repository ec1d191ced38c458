//! Base64 with padding, the way tools for parallel text put a document on one line. Encoding only.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Appends `bytes` in [RFC 4648] base64.
///
/// [RFC 4648]: https://www.rfc-editor.org/rfc/rfc4648#section-4
pub(crate) fn write(out: &mut Vec<u8>, bytes: &[u8]) {
    out.reserve(bytes.len().div_ceil(3) * 4);
    let digit = |bits: u32| DIGITS[(bits & 63) as usize];
    let (groups, rest) = bytes.as_chunks::<3>();
    for &[a, b, c] in groups {
        let bits = u32::from(a) << 16 | u32::from(b) << 8 | u32::from(c);
        out.extend_from_slice(&[digit(bits >> 18), digit(bits >> 12), digit(bits >> 6), digit(bits)]);
    }
    match *rest {
        [a] => {
            let bits = u32::from(a) << 16;
            out.extend_from_slice(&[digit(bits >> 18), digit(bits >> 12), b'=', b'=']);
        }
        [a, b] => {
            let bits = u32::from(a) << 16 | u32::from(b) << 8;
            out.extend_from_slice(&[digit(bits >> 18), digit(bits >> 12), digit(bits >> 6), b'=']);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors of RFC 4648, section 10.
    #[test]
    fn the_vectors_of_the_rfc() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            let mut out = Vec::new();
            write(&mut out, bytes.as_bytes());
            assert_eq!(out, text.as_bytes());
        }
        let mut out = Vec::new();
        write(&mut out, &[0xfb, 0xff, 0xbf]);
        assert_eq!(out, b"+/+/");
    }
}
