//! Decodes HTML text: character references, line ends, NUL. The table of named references is htmlize's; the common ones
//! are decoded here directly.

use super::lanes;
use htmlize::Context;
use memchr::{memchr, memchr3};

/// A piece of text as written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    pub raw: &'a str,
    pub kind: TextKind,
}

/// The rules by which a text is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextKind {
    /// Text of the data state: it has references; the tree builder treats NUL.
    Data,
    /// Text of the data state that is known to need no decoding.
    Plain,
    /// Text in title or textarea: it has references, and NUL is replaced.
    Rcdata,
    /// Text in script, style or comments: it has no references, and NUL is replaced.
    Raw,
    /// Text in CDATA sections: it has no references; the tree builder treats NUL.
    Cdata,
    /// Attribute values: they have references by rules of their own, and NUL is replaced.
    Attribute,
}

/// What to do with a NUL that the tokenizer lets through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nul {
    #[cfg(any(test, feature = "fuzzing"))]
    Keep,
    Drop,
    Replace,
}

impl<'a> Text<'a> {
    /// Whether decoding would change nothing.
    pub(crate) fn is_plain(&self) -> bool {
        self.kind == TextKind::Plain || lanes::is_plain(self.raw.as_bytes())
    }

    /// The text: unchanged if it is plain, else decoded into `buffer`.
    pub(crate) fn decode<'b>(&self, buffer: &'b mut String, nul: Nul) -> &'b str
    where
        'a: 'b,
    {
        if self.is_plain() {
            return self.raw;
        }
        buffer.clear();
        self.decode_into(buffer, nul);
        buffer
    }

    /// Appends the text to `out`.
    pub(crate) fn decode_into(&self, out: &mut String, nul: Nul) {
        let references = match self.kind {
            TextKind::Data | TextKind::Rcdata => Some(Context::General),
            TextKind::Attribute => Some(Context::Attribute),
            TextKind::Raw | TextKind::Cdata | TextKind::Plain => None,
        };
        let nul = if matches!(self.kind, TextKind::Data | TextKind::Cdata) { nul } else { Nul::Replace };
        let mut rest = self.raw;
        while let Some(at) = memchr3(b'&', b'\r', 0, rest.as_bytes()) {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            let taken = match (rest.as_bytes()[0], references) {
                (b'&', Some(context)) => reference(rest, context, out),
                (b'\r', _) => {
                    out.push('\n');
                    if rest.as_bytes().get(1) == Some(&b'\n') { 2 } else { 1 }
                }
                (0, _) => {
                    match nul {
                        #[cfg(any(test, feature = "fuzzing"))]
                        Nul::Keep => out.push('\0'),
                        Nul::Drop => {}
                        Nul::Replace => out.push('\u{FFFD}'),
                    }
                    1
                }
                _ => {
                    out.push('&');
                    1
                }
            };
            rest = &rest[taken..];
        }
        out.push_str(rest);
    }
}

/// Decodes the reference at the `&` that `rest` starts with, and returns how many bytes it took.
fn reference(rest: &str, context: Context, out: &mut String) -> usize {
    if let Some((decoded, length)) = common(rest.as_bytes()) {
        out.push(decoded);
        return length;
    }
    let bytes = rest.as_bytes();
    let name = bytes[1..].iter().position(|b| !b.is_ascii_alphanumeric() && *b != b'#').map_or(bytes.len(), |n| n + 1);
    // Attribute values look one byte further: `&copy=` is not a reference there.
    let end = if matches!(bytes.get(name), Some(b';' | b'=')) { name + 1 } else { name };
    out.push_str(&htmlize::unescape_in(&rest[..end], context));
    end
}

/// Decodes numeric references of printable characters, and the names that make up nearly all references in WordPress
/// texts.
fn common(bytes: &[u8]) -> Option<(char, usize)> {
    let end = memchr(b';', &bytes[..bytes.len().min(8)])?;
    let decoded = match &bytes[1..end] {
        b"amp" => '&',
        b"lt" => '<',
        b"gt" => '>',
        b"quot" => '"',
        [b'#', digits @ ..] if !digits.is_empty() => {
            let mut code = 0;
            for digit in digits {
                code = code * 10 + u32::from(digit.is_ascii_digit().then(|| digit - b'0')?);
            }
            // Control characters, C1 and surrogates have their own rules.
            char::from_u32(code).filter(|_| (0x20..0x7F).contains(&code) || (0xA0..0xFFF0).contains(&code))?
        }
        // The shortest and the longest name; a NUL before a name would not show in its key.
        name if (2..=6).contains(&name.len()) && name[0] != 0 => {
            let name = key(name);
            char::from(0xA0 + LATIN_1.iter().position(|known| *known == name)? as u8)
        }
        _ => return None,
    };
    Some((decoded, end + 1))
}

/// A name of at most eight bytes as a number.
const fn key(name: &[u8]) -> u64 {
    let (mut key, mut at) = (0, 0);
    while at < name.len() {
        key = key << 8 | name[at] as u64;
        at += 1;
    }
    key
}

/// The names of the characters from U+00A0 to U+00FF, in order: htmlize takes ten times as long for `&eacute;`.
const NAMES: &str = "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
    micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave \
    Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml \
    Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth \
    ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml ";
const LATIN_1: [u64; 96] = keys(NAMES);

/// The key of each name; each name is followed by a space.
const fn keys<const N: usize>(names: &str) -> [u64; N] {
    let (mut keys, mut rest, mut at) = ([0; N], names.as_bytes(), 0);
    while at < N {
        let mut end = 0;
        while rest[end] != b' ' {
            end += 1;
        }
        let (name, after) = rest.split_at(end);
        keys[at] = key(name);
        rest = after.split_at(1).1;
        at += 1;
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_latin_1_are_those_of_htmlize() {
        for (name, code) in NAMES.split_whitespace().zip(0xA0_u32..=0xFF) {
            let reference = format!("&{name};");
            let decoded = common(reference.as_bytes()).map(|(decoded, length)| (decoded.to_string(), length));
            assert_eq!(decoded, Some((htmlize::unescape(&*reference).into_owned(), reference.len())));
            assert_eq!(decoded.unwrap().0.chars().next(), char::from_u32(code));
        }
        assert_eq!((NAMES.split_whitespace().count(), common(b"&eAcute;")), (96, None));
        assert_eq!(common(b"&\0sup3;"), None);
    }
}
