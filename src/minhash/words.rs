//! Splits a text into the words by which texts are compared: letters and digits in lower case; typography (`wptexturize`), markup and
//! punctuation are ignored.

use crate::language::script::is_letter;

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;

/// The lower-case form of ASCII letters and digits; 0 for other bytes.
const LETTER: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0u8;
    while byte < 0x80 {
        if byte.is_ascii_alphanumeric() {
            table[byte as usize] = byte.to_ascii_lowercase();
        }
        byte += 1;
    }
    table
};

/// Calls `take` with a hash of each word of a JSON string, in order. All escapes except `\u` separate words. In scripts without spaces,
/// each pair of adjacent characters is a word.
pub(crate) fn each_word(json: &[u8], mut take: impl FnMut(u64)) {
    let (mut hash, mut before) = (OFFSET, None);
    let mut at = 0;
    while let Some(&byte) = json.get(at) {
        let start = at;
        for &byte in &json[start..] {
            let letter = LETTER[usize::from(byte)];
            if letter == 0 {
                break;
            }
            hash = (hash ^ u64::from(letter)).wrapping_mul(PRIME);
            at += 1;
        }
        if at > start {
            before = None;
            continue;
        }
        at += 1;
        if byte < 0x80 && byte != b'\\' {
            before = None;
            end(&mut hash, &mut take);
            continue;
        }
        let c = character(json, &mut at);
        if is_unspaced(c) {
            // This script has no spaces between words, so pairs of characters are hashed.
            end(&mut hash, &mut take);
            if let Some(before) = before {
                take((OFFSET ^ u64::from(before)).wrapping_mul(PRIME) ^ u64::from(c as u32));
            }
            before = Some(c as u32);
        } else if matches!(c, 'ß'..='ö' | 'ø'..='ÿ') {
            before = None;
            hash = (hash ^ u64::from(c as u32)).wrapping_mul(PRIME);
        } else if is_letter(c) || !is_punctuation(c) && c.is_numeric() {
            before = None;
            for c in c.to_lowercase() {
                hash = (hash ^ u64::from(c as u32)).wrapping_mul(PRIME);
            }
        } else {
            before = None;
            end(&mut hash, &mut take);
        }
    }
    end(&mut hash, &mut take);
}

/// Ends a word, if there is one.
fn end(hash: &mut u64, take: &mut impl FnMut(u64)) {
    if *hash != OFFSET {
        take(*hash);
        *hash = OFFSET;
    }
}

/// The finaliser of MurmurHash3: every bit of the result depends on the whole word.
pub(super) fn mixed(hash: u64) -> u64 {
    let mut h = hash ^ hash >> 33;
    h = h.wrapping_mul(0xff51_afd7_ed55_8ccd);
    h = (h ^ h >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    h ^ h >> 33
}

/// The character at `at - 1`, an escape or a character beyond ASCII; `at` moves to its end. Escapes other than `\u` count as blanks.
fn character(json: &[u8], at: &mut usize) -> char {
    if json[*at - 1] == b'\\' {
        let escape = json.get(*at);
        *at += 1;
        let code = json.get(*at..*at + 4).filter(|_| escape == Some(&b'u'));
        *at += code.map_or(0, <[u8]>::len);
        let code = code.and_then(|code| u32::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
        return code.and_then(char::from_u32).unwrap_or(' ');
    }
    let length = (json[*at - 1].leading_ones() as usize).clamp(1, 4);
    let c = json.get(*at - 1..*at - 1 + length).and_then(|c| std::str::from_utf8(c).ok());
    *at += length - 1;
    c.and_then(|c| c.chars().next()).unwrap_or(' ')
}

/// Whether a character is a blank, a quote or a dash, the most common characters that are not letters: these need no look-up in the tables
/// of Unicode.
fn is_punctuation(c: char) -> bool {
    matches!(c, '\0'..='/' | ':'..='@' | '\u{2000}'..='\u{206f}')
}

/// Whether the character belongs to a script without spaces between words: Thai, Lao, Myanmar, Khmer, Chinese, Japanese.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuation_is_neither_letter_nor_number() {
        assert_eq!(('\0'..=char::MAX).find(|c| is_punctuation(*c) && c.is_alphanumeric()), None);
    }
}
