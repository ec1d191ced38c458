//! Words, sentences and titles of invented languages that look like real ones: ASCII, Latin with accents, Cyrillic,
//! Greek, so that escapes and percent codes are as frequent as on real sites.

use crate::chance::Chance;

/// A language of the site.
pub struct Language {
    /// As it stands in paths; the first language has none there.
    pub code: &'static str,
    /// As it stands in `<html lang>`.
    pub tag: &'static str,
    /// Its own name.
    pub name: &'static str,
    words: Vec<String>,
}

const LANGUAGES: [(&str, &str, &str, &str); 6] = [
    ("en", "en-US", "English", "the an to re con st ing er or al tion ma pro ver ly com in un der ate ist"),
    ("fr", "fr-FR", "Français", "le la dé ré con tion ment é ée ant eur que ai ou ne pas très ê ça oi our ette"),
    ("de", "de-DE", "Deutsch", "der ge be ver ung keit sch ein aus ü ö ä ß lich heit ten ern bau stadt zeit"),
    ("ru", "ru-RU", "Русский", "про при ста ние ость но на го во ска ть ли ми рос тел под раз ход дел ное"),
    ("es", "es-ES", "Español", "el la de ción dad mente es con por ía ñ ó ado ida os las ter ción ble que"),
    ("el", "el-GR", "Ελληνικά", "το και να με σε ση μα τικ ός ία ών ου αν εν δια προ κα τα λό γος πο λι"),
];

/// The first `count` languages, six at most.
pub fn languages(count: usize) -> Vec<Language> {
    let with_words = |&(code, tag, name, syllables): &(&'static str, &'static str, &'static str, &str)| {
        let syllables: Vec<&str> = syllables.split(' ').collect();
        let mut chance = Chance::of(0, 0, code.bytes().map(u64::from).sum());
        let word = |_| {
            let length = *chance.one_of(&[1, 2, 2, 3, 3, 4]);
            (0..length).map(|_| *chance.one_of(&syllables)).collect()
        };
        Language { code, tag, name, words: (0..1500).map(word).collect() }
    };
    LANGUAGES.iter().take(count).map(with_words).collect()
}

impl Language {
    /// `count` words.
    pub fn words(&self, chance: &mut Chance, count: u64) -> String {
        let mut text = String::with_capacity(count as usize * 12);
        for i in 0..count {
            if i > 0 {
                text.push(' ');
            }
            text.push_str(chance.one_of(&self.words).as_str());
        }
        text
    }

    /// A sentence of 6 to 20 words.
    pub fn sentence(&self, chance: &mut Chance) -> String {
        let count = chance.between(6, 20);
        let mut text = capital(&self.words(chance, count));
        text.push(*chance.one_of(&['.', '.', '.', '?', '!']));
        text
    }

    /// A title of 4 to 9 words.
    pub fn title(&self, chance: &mut Chance) -> String {
        let count = chance.between(4, 9);
        capital(&self.words(chance, count))
    }
}

fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or(String::new(), |first| first.to_uppercase().chain(rest).collect())
}

/// The slug WordPress makes of a title: accents dropped, other scripts in percent codes of lower case, 180 bytes at
/// most (WordPress cuts at 200; the rest is for the number that makes it unique).
pub fn slug(title: &str) -> String {
    let mut slug = String::new();
    for letter in title.chars().flat_map(char::to_lowercase) {
        let mut coded = String::new();
        match letter {
            ' ' => coded.push('-'),
            'à' | 'á' | 'â' | 'ä' => coded.push('a'),
            'ç' => coded.push('c'),
            'è' | 'é' | 'ê' => coded.push('e'),
            'í' => coded.push('i'),
            'ñ' => coded.push('n'),
            'ó' | 'ö' => coded.push('o'),
            'ü' => coded.push('u'),
            'ß' => coded.push_str("ss"),
            _ if letter.is_ascii() => coded.push(letter),
            _ => letter.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| coded.push_str(&format!("%{byte:02x}"))),
        }
        if slug.len() + coded.len() > 180 {
            break;
        }
        slug.push_str(&coded);
    }
    slug
}
