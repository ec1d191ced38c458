//! Detects the script of a text, to check whether the text can be in the language of its tag. Scripts of languages:
//! <https://www.unicode.org/cldr/charts/latest/supplemental/languages_and_scripts.html>.

use super::LanguageTag;

/// The fewest letters of a text that is judged.
const LETTERS: usize = 40;
/// The share of the letters that must be in another script to contradict the tag.
const OTHER: f64 = 0.7;

/// Blocks of letters, each with its script as it is written in a tag.
const BLOCKS: &[(u32, u32, &str)] = &[
    (0x41, 0x24f, "Latn"),
    (0x370, 0x3ff, "Grek"),
    (0x400, 0x52f, "Cyrl"),
    (0x530, 0x58f, "Armn"),
    (0x590, 0x5ff, "Hebr"),
    (0x600, 0x77f, "Arab"),
    (0x8a0, 0x8ff, "Arab"),
    (0x900, 0x97f, "Deva"),
    (0x980, 0x9ff, "Beng"),
    (0xa00, 0xa7f, "Guru"),
    (0xa80, 0xaff, "Gujr"),
    (0xb00, 0xb7f, "Orya"),
    (0xb80, 0xbff, "Taml"),
    (0xc00, 0xc7f, "Telu"),
    (0xc80, 0xcff, "Knda"),
    (0xd00, 0xd7f, "Mlym"),
    (0xd80, 0xdff, "Sinh"),
    (0xe00, 0xe7f, "Thai"),
    (0xe80, 0xeff, "Laoo"),
    (0x1000, 0x109f, "Mymr"),
    (0x10a0, 0x10ff, "Geor"),
    (0x1100, 0x11ff, "Kore"),
    (0x1200, 0x139f, "Ethi"),
    (0x1780, 0x17ff, "Khmr"),
    (0x1e00, 0x1eff, "Latn"),
    (0x1f00, 0x1fff, "Grek"),
    (0x3040, 0x30ff, "Kana"),
    (0x3130, 0x318f, "Kore"),
    (0x3400, 0x9fff, "Hani"),
    (0xac00, 0xd7af, "Kore"),
    (0xf900, 0xfaff, "Hani"),
    (0xfb50, 0xfeff, "Arab"),
    (0x20000, 0x3ffff, "Hani"),
];

/// Languages that are not written in Latin letters, and their scripts.
const SCRIPTS: &[(&str, &[&str])] = &[
    ("Cyrl", &["ru", "uk", "be", "bg", "mk", "ky", "tg", "tt", "ba", "cv", "ce", "os", "sah"]),
    ("Grek", &["el"]),
    ("Armn", &["hy"]),
    ("Hebr", &["he", "iw", "yi"]),
    ("Arab", &["ar", "arz", "ary", "fa", "ur", "ps", "ckb", "ug", "azb"]),
    ("Deva", &["hi", "mr", "ne"]),
    ("Beng", &["bn", "as"]),
    ("Gujr", &["gu"]),
    ("Orya", &["or"]),
    ("Taml", &["ta"]),
    ("Telu", &["te"]),
    ("Knda", &["kn"]),
    ("Mlym", &["ml"]),
    ("Sinh", &["si"]),
    ("Thai", &["th"]),
    ("Laoo", &["lo"]),
    ("Mymr", &["my"]),
    ("Geor", &["ka"]),
    ("Ethi", &["am", "ti"]),
    ("Khmr", &["km"]),
    ("Kore", &["ko"]),
    ("Kana", &["ja"]),
    ("Hani", &["zh", "yue"]),
];

/// Languages that are written in several scripts; their tags need not state the script.
const SEVERAL: &[&str] =
    &["sr", "bs", "sh", "az", "uz", "kk", "mn", "ku", "tk", "pa", "sd", "ks", "ms", "ha", "tmh", "zgh", "kab"];

/// Whether more than 70 % of the letters of a text are in another script than its language. `json` is the text between the quotes of
/// a JSON string.
pub(crate) fn contradicts(tag: &LanguageTag, json: &str) -> bool {
    let primary = tag.primary();
    let names_script =
        tag.as_str().split('-').any(|part| part.len() == 4 && part.bytes().all(|b| b.is_ascii_alphabetic()));
    if names_script || SEVERAL.contains(&primary) {
        return false;
    }
    let script =
        SCRIPTS.iter().find(|(_, languages)| languages.contains(&primary)).map_or("Latn", |(script, _)| script);
    if script == "Latn" && is_surely_latin(json.as_bytes()) {
        return false;
    }
    let Ok(text) = serde_json::from_str::<String>(&format!("\"{json}\"")) else { return false };
    let (mut letters, mut other, mut rest) = (0usize, 0usize, text.len());
    let mut block = block_of('a');
    for c in text.chars() {
        rest -= c.len_utf8();
        if !is_letter(c) {
            continue;
        }
        if !(block.0..=block.1).contains(&(c as u32)) {
            // Most letters are in the same block as the letter before.
            block = block_of(c);
        }
        let own = Some(block.2).filter(|own| !own.is_empty());
        // Japanese and Korean have Chinese characters as well.
        let fits = own == Some(script) || own == Some("Hani") && matches!(script, "Kana" | "Kore");
        letters += 1;
        other += usize::from(own.is_some() && !fits);
        // The rest of the text cannot raise the share above the limit.
        if fits && (other + rest) as f64 <= (letters + rest) as f64 * OTHER {
            return false;
        }
    }
    letters >= LETTERS && other as f64 > letters as f64 * OTHER
}

/// The script that most letters of a text belong to.
pub(crate) fn of(text: &str) -> Option<&'static str> {
    let mut counts = [0usize; BLOCKS.len()];
    for c in text.chars().filter(|c| is_letter(*c)) {
        let at = BLOCKS.partition_point(|&(_, last, _)| last < c as u32);
        if BLOCKS.get(at).is_some_and(|&(first, ..)| first <= c as u32) {
            counts[at] += 1;
        }
    }
    let all = |script| (0..counts.len()).filter(|&at| BLOCKS[at].2 == script).map(|at| counts[at]).sum::<usize>();
    let counted = BLOCKS.iter().map(|&(.., script)| (all(script), script));
    counted.filter(|(n, _)| *n > 0).max().map(|(_, script)| script)
}

/// Whether so many bytes are ASCII letters that the others cannot change the result. In most texts, a quarter of the bytes suffices;
/// looking at each character took a third of the time for reading heads.
fn is_surely_latin(json: &[u8]) -> bool {
    let (mut letters, mut foreign, mut escapes, mut rest) = (0usize, 0usize, 0usize, json.len());
    for part in json.chunks(255) {
        // Counts in `u8`, so that many bytes are counted at once.
        let count = |is: fn(&u8) -> bool| usize::from(part.iter().map(|b| u8::from(is(b))).sum::<u8>());
        letters += count(u8::is_ascii_alphabetic);
        foreign += count(|b| *b >= 0x80);
        escapes += count(|b| *b == b'\\');
        rest -= part.len();
        // An escape is one character of up to five letters, and other characters have two bytes or more: less than 7 of 10 letters
        // can be foreign.
        if 3 * ((foreign + rest) / 2 + escapes) < 7 * letters.saturating_sub(5 * escapes) {
            return true;
        }
    }
    false
}

/// Like `char::is_alphabetic`, but faster for common letters beyond ASCII.
pub(crate) fn is_letter(c: char) -> bool {
    match c {
        '\0'..'\u{80}' => c.is_ascii_alphabetic(),
        '\u{80}'..='\u{bf}' => matches!(c, 'ª' | 'µ' | 'º'),
        '\u{c0}'..='\u{24f}' => !matches!(c, '×' | '÷'),
        // Greek, Cyrillic, Hebrew, Arabic, Kana, Chinese, Korean.
        '\u{3a3}'..='\u{3f5}' | '\u{400}'..='\u{481}' | '\u{48a}'..='\u{52f}' | '\u{5d0}'..='\u{5ea}' => true,
        '\u{620}'..='\u{657}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{4e00}'..='\u{9fff}' => true,
        '\u{ac00}'..='\u{d7a3}' => true,
        '\u{2000}'..='\u{206f}' => false,
        _ => c.is_alphabetic(),
    }
}

/// The block of a letter; a block without a script if the letter is in none of the above.
fn block_of(c: char) -> (u32, u32, &'static str) {
    let at = BLOCKS.partition_point(|&(_, last, _)| last < c as u32);
    BLOCKS.get(at).copied().filter(|&(first, ..)| first <= c as u32).unwrap_or((c as u32, c as u32, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_those_of_unicode() {
        assert_eq!(('\0'..=char::MAX).find(|c| is_letter(*c) != c.is_alphabetic()), None);
    }

    #[test]
    fn escapes_are_no_letters() {
        let (tag, escaped) = (LanguageTag::parse("en").unwrap(), "\\u0434\\n".repeat(60));
        assert!(super::contradicts(&tag, &escaped) && super::contradicts(&tag, &(escaped + &"word ".repeat(6))));
        assert!(!super::contradicts(&tag, &("\\u0434".repeat(60) + &"word ".repeat(7))));
    }

    #[test]
    fn a_tag_is_contradicted_by_most_of_the_letters_only() {
        let contradicts = |tag: &str, text: &str| super::contradicts(&LanguageTag::parse(tag).unwrap(), text);
        let russian = "Широкая электрификация южных губерний даст мощный толчок подъёму сельского хозяйства";
        let arabic = "نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر ومغلف بجلد أزرق";
        let english = "The quick brown fox jumps over the lazy dog, again and again";
        assert!(contradicts("en-GB", russian) && contradicts("en-US", arabic) && contradicts("uk", english));
        assert!(!contradicts("ru-RU", russian) && !contradicts("fa", arabic) && !contradicts("vi", english));
        // Half of the letters, too few letters, or a language with two scripts.
        assert!(!contradicts("en", &format!("{russian} {english} {english}")));
        assert!(!contradicts("en", "Широкая электрификация"));
        assert!(!contradicts("sr", russian) && !contradicts("sr-Latn", russian));
        assert!(!contradicts(
            "ja",
            "日本国民は正当に選挙された国会における代表者を通じて行動しわれらとわれらの子孫のために諸国民との協和による成果"
        ));
        assert!(contradicts(
            "de",
            "日本国民は正当に選挙された国会における代表者を通じて行動しわれらとわれらの子孫のために諸国民との協和による成果"
        ));
        assert!(BLOCKS.is_sorted());
    }
}
