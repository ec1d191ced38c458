//! Recognises the names of Creative Commons licences in a text, by the table `names.txt`: codes, and the official names in many languages.

use super::ids::id_of;
use super::words::phrases;
use std::collections::HashMap;
use std::sync::LazyLock;

const TABLE: &str = include_str!("names.txt");

/// The elements of a code, in the order that Creative Commons uses.
const PARTS: [&str; 4] = ["by", "nc", "nd", "sa"];

const PORTS: [&str; 9] = ["de", "at", "au", "nl", "us", "uk", "fr", "jp", "igo"];

/// How codes without "CC" begin, which count only before the word for a licence or a version.
const BARE: [&str; 3] = ["BY-NC", "BY-ND", "BY-SA"];

/// The most letters in the name of a licence.
const LONGEST: usize = 160;

/// The licence that a text names.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// Its code without a version: `CC BY-SA`.
    pub(super) code: String,
    /// Its SPDX identifier, if the version is named, too.
    pub(super) id: Option<&'static str>,
    /// Its position in the text.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The role of a phrase in a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Lead,
    Zero,
    Part(usize),
    Closing,
    Filling,
    Port(&'static str),
}

type Phrases = HashMap<char, Vec<(Vec<char>, Role)>>;

/// The letters and digits of each phrase, by first letter; the longest phrase first.
static PHRASES: LazyLock<Phrases> = LazyLock::new(|| {
    let mut all = Phrases::new();
    let parts = PARTS.iter().enumerate().map(|(at, name)| (*name, Role::Part(at)));
    let others = [("leads", Role::Lead), ("zero", Role::Zero), ("closing", Role::Closing), ("filling", Role::Filling)];
    let ports = PORTS.map(|port| (port, Role::Port(port)));
    for (name, kind) in parts.chain(others).chain(ports) {
        for phrase in phrases(TABLE, name) {
            let letters: Vec<char> = Letters::of(phrase).0.iter().map(|letter| letter.c).collect();
            all.entry(letters[0]).or_default().push((letters, kind));
        }
    }
    all.values_mut().for_each(|list| list.sort_by_key(|(letters, _)| std::cmp::Reverse(letters.len())));
    all
});

/// The phrases with which names of Creative Commons licences begin.
#[cfg(test)]
pub(super) fn leads() -> impl Iterator<Item = &'static str> {
    phrases(TABLE, "leads")
}

struct Letter {
    c: char,
    /// Its position in the text.
    at: usize,
    end: usize,
    /// A word or a number may begin here.
    is_first: bool,
}

/// The letters and digits of a text, in lower case, and the points in numbers.
struct Letters(Vec<Letter>);

impl Letters {
    fn of(text: &str) -> Self {
        let mut all: Vec<Letter> = Vec::new();
        let mut chars = text.char_indices().peekable();
        let (mut is_first, mut previous) = (true, ' ');
        while let Some((at, c)) = chars.next() {
            let is_point =
                c == '.' && previous.is_ascii_digit() && chars.peek().is_some_and(|(_, c)| c.is_ascii_digit());
            if c.is_alphanumeric() || is_point {
                let begins = is_first || c.is_ascii_digit() && previous.is_alphabetic();
                let begins = begins || is_unspaced(c) || is_unspaced(previous);
                let lower = c.to_lowercase().enumerate();
                let end = at + c.len_utf8();
                all.extend(lower.map(|(number, c)| Letter { c, at, end, is_first: begins && number == 0 }));
            }
            // a soft hyphen is part of a word
            if c != '\u{ad}' {
                is_first = !(c.is_alphanumeric() || is_point);
                previous = c;
            }
        }
        Letters(all)
    }

    fn is_first(&self, at: usize) -> bool {
        self.0.get(at).is_none_or(|letter| letter.is_first)
    }

    /// The longest phrase of the wanted kinds at a position, and where it ends.
    fn phrase(&self, at: usize, is_wanted: impl Fn(Role) -> bool) -> Option<(Role, usize)> {
        let list = PHRASES.get(&self.0.get(at).filter(|letter| letter.is_first)?.c)?;
        let is_here = |letters: &[char]| {
            self.0.len() - at >= letters.len() && self.0[at..].iter().zip(letters).all(|(own, c)| own.c == *c)
        };
        let is_it = |phrase: &&(Vec<char>, Role)| {
            is_wanted(phrase.1) && is_here(&phrase.0) && self.is_first(at + phrase.0.len())
        };
        list.iter().find(is_it).map(|(letters, kind)| (*kind, at + letters.len()))
    }

    /// The version at a position, and where it ends.
    fn version(&self, at: usize) -> Option<(String, usize)> {
        let is_number = |letter: &&Letter| letter.c.is_ascii_digit() || letter.c == '.';
        let version: String =
            self.0.get(at..)?.iter().take_while(is_number).take(LONGEST).map(|letter| letter.c).collect();
        let end = at + version.len();
        (self.is_first(at) && version.len() == 3 && version.contains('.')).then_some((version, end))
    }

    /// The position of the next word.
    fn next_word(&self, at: usize) -> usize {
        let rest = self.0.get(at + 1..).unwrap_or_default();
        at + 1 + rest.iter().take(LONGEST).position(|letter| letter.is_first).unwrap_or(rest.len())
    }
}

/// Whether the character's script has no spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// The first Creative Commons licence that a text names.
pub(super) fn find(text: &str) -> Option<Name> {
    let letters = Letters::of(text);
    let begins = |at: &usize| letters.is_first(*at);
    (0..letters.0.len()).filter(begins).find_map(|at| read(text, &letters, at))
}

/// The licence whose name begins at `start`.
fn read(text: &str, letters: &Letters, start: usize) -> Option<Name> {
    let ends = |at: usize| letters.0[at - 1].end;
    let begins = letters.0[start].at;
    let lead = letters.phrase(start, |kind| matches!(kind, Role::Lead | Role::Zero));
    let is_bare = lead.is_none() && BARE.iter().any(|code| text[begins..].starts_with(code));
    let (kind, mut at) = lead.or(is_bare.then_some((Role::Lead, start)))?;
    if kind == Role::Zero {
        let is_it = letters.version(at).is_none_or(|(version, _)| version == "1.0");
        return is_it.then(|| Name { code: "CC0".to_owned(), id: Some("CC0-1.0"), start: begins, end: ends(at) });
    }
    let (mut parts, mut is_code, mut is_closed) = ([false; 4], true, false);
    let is_part = |kind: Role| matches!(kind, Role::Part(_) | Role::Closing | Role::Filling | Role::Lead);
    while let Some((kind, end)) = letters.phrase(at, is_part).filter(|_| at - start < LONGEST) {
        if let Role::Part(part) = kind {
            parts[part] = true;
            let written: String = letters.0[at..end].iter().map(|letter| letter.c).collect();
            is_code &= PARTS.contains(&written.as_str());
        }
        is_closed = kind == Role::Closing;
        at = end;
    }
    if !parts[0] {
        return None;
    }
    let code = (0..PARTS.len()).filter(|part| parts[*part]).map(|part| PARTS[part]).collect::<Vec<_>>().join("-");
    let place = [at, letters.next_word(at)].into_iter().find_map(|at| letters.version(at));
    let versioned = place.and_then(|(version, after)| {
        let (port, end) = port(text, letters, after);
        id_of(&code, &version, port).map(|id| (id, end))
    });
    if is_bare && !is_closed && versioned.is_none() {
        return None;
    }
    // it may continue in unknown words, unless "licence" or the end of the sentence ends it
    let rest = text[ends(at)..].trim_start();
    let is_closed =
        is_closed || is_code || rest.is_empty() || rest.starts_with(['.', ',', ')', ';', '，', '。', '；', '）']);
    let code = format!("CC {}", code.to_ascii_uppercase());
    match versioned {
        Some((id, end)) => Some(Name { code, id: Some(id), start: begins, end: ends(end) }),
        None => is_closed.then(|| Name { code, id: None, start: begins, end: ends(at) }),
    }
}

/// The country of a port after the version, if one is named, and where the name ends.
fn port(text: &str, letters: &Letters, mut at: usize) -> (&'static str, usize) {
    while let Some((_, end)) = letters.phrase(at, |kind| kind == Role::Filling) {
        at = end;
    }
    if let Some((Role::Port(port), end)) = letters.phrase(at, |kind| matches!(kind, Role::Port(_))) {
        return (port, end);
    }
    // "at" is a word, "AT" is a country
    let end = letters.next_word(at).min(letters.0.len());
    let written = letters.0.get(at..end).unwrap_or_default();
    let word: String = written.iter().map(|letter| letter.c).collect();
    let port = PORTS.into_iter().find(|port| *port == word);
    let is_upper = |letter: &Letter| text[letter.at..letter.end].chars().all(char::is_uppercase);
    let is_code = end == letters.0.len() || written.iter().all(is_upper);
    port.filter(|_| is_code).map_or(("", at), |port| (port, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn official_names_in_many_languages() {
        for (text, code, id) in [
            ("知识共享署名-非商业性使用-相同方式共享 4.0 国际许可协议", "CC BY-NC-SA", Some("CC-BY-NC-SA-4.0")),
            ("知识共享 署名-禁止演绎 4.0 国际", "CC BY-ND", Some("CC-BY-ND-4.0")),
            ("創用 CC 姓名標示-非商業性-禁止改作 3.0 台灣", "CC BY-NC-ND", Some("CC-BY-NC-ND-3.0")),
            ("クリエイティブ・コモンズ 表示 - 継承 4.0 国際 ライセンス", "CC BY-SA", Some("CC-BY-SA-4.0")),
            ("クリエイティブ・コモンズ 表示 - 継承 2.1 日本", "CC BY-SA", Some("CC-BY-SA-2.1-JP")),
            (
                "크리에이티브 커먼즈 저작자표시-비영리-동일조건변경허락 4.0 국제 라이선스",
                "CC BY-NC-SA",
                Some("CC-BY-NC-SA-4.0"),
            ),
            (
                "Creative Commons Namensnennung - Weitergabe unter gleichen Bedingungen 4.0 International",
                "CC BY-SA",
                Some("CC-BY-SA-4.0"),
            ),
            (
                "Creative Commons Namensnennung-Keine kommerzielle Nutzung-Keine Bearbeitung 3.0 Deutschland Lizenz",
                "CC BY-NC-ND",
                Some("CC-BY-NC-ND-3.0-DE"),
            ),
            (
                "Creative Commons Attribution - Pas d’Utilisation Commerciale - Partage dans les Mêmes Conditions 4.0",
                "CC BY-NC-SA",
                Some("CC-BY-NC-SA-4.0"),
            ),
            ("Creative Commons Reconocimiento-NoComercial-SinObraDerivada 3.0", "CC BY-NC-ND", Some("CC-BY-NC-ND-3.0")),
            ("Creative Commons Atribuição-NãoComercial-CompartilhaIgual 4.0", "CC BY-NC-SA", Some("CC-BY-NC-SA-4.0")),
            (
                "Creative Commons Attribuzione - Non commerciale - Condividi allo stesso modo 4.0",
                "CC BY-NC-SA",
                Some("CC-BY-NC-SA-4.0"),
            ),
            (
                "Creative Commons «Attribution-NonCommercial» («Атрибуция — Некоммерческое использование») 4.0 Всемирная",
                "CC BY-NC",
                Some("CC-BY-NC-4.0"),
            ),
            ("Creative Commons Zero", "CC0", Some("CC0-1.0")),
            ("under Creative Commons Attribution.", "CC BY", None),
        ] {
            let found = find(text).unwrap();
            assert_eq!((found.code.as_str(), found.id), (code, id), "{text}");
        }
        for text in
            ["署名 4.0", "CC 4.0", "クリエイティブ・コモンズ", "Creative Commons Attributions of 4.0", "cc bypass"]
        {
            assert_eq!(find(text), None, "{text}");
        }
    }

    #[test]
    fn a_name_ends_where_its_last_word_ends() {
        for (text, end) in [
            ("CC BY-SA 4.0 International, by Ann", "CC BY-SA 4.0 International"),
            ("the CC BY 3.0 at noon", "the CC BY 3.0"),
            ("a CC BY licence that", "a CC BY licence"),
        ] {
            assert_eq!(&text[..find(text).unwrap().end], end);
        }
        let port = find("CC BY-SA 3.0 DE, by Ann").unwrap();
        assert_eq!((port.id, port.end), (Some("CC-BY-SA-3.0-DE"), "CC BY-SA 3.0 DE".len()));
    }

    #[test]
    fn the_table_has_each_list() {
        for name in PARTS.iter().chain(&PORTS).chain(&["leads", "zero", "closing", "filling"]) {
            let list: Vec<&str> = phrases(TABLE, name).collect();
            assert!(!list.is_empty() && list.iter().all(|phrase| phrase.to_lowercase() == *phrase), "{name}");
        }
    }
}
