//! Recognises boilerplate by the class names and ids of HTML elements (`share-buttons`) and by short texts (`Read more`). The words are
//! data (`boilerplate.toml`); the modules that choose a page's content and that read licences decide how to use them.

mod memory;
mod phrases;

pub(crate) use memory::{Memory, Parts};
pub(crate) use phrases::Says;

use crate::html::tokenizer::Attributes;
use aho_corasick::AhoCorasick;
use phrases::Phrases;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

const BUILTIN: &str = include_str!("boilerplate.toml");

/// More bytes than any word of the table has: of overlapping words, one ends at most so much later than another.
const LONGEST: usize = 64;

/// The words of each list.
type Tables = HashMap<String, Vec<String>>;

/// The lists of words in names.
const NAMES: [(&str, u32); 13] = [
    ("comments", Marks::COMMENTS),
    ("never", Marks::NEVER),
    ("others", Marks::OTHERS),
    ("quoted", Marks::QUOTED),
    ("around", Marks::AROUND),
    ("words", Marks::WORD),
    ("captions", Marks::CAPTION),
    ("content", Marks::CONTENT),
    ("rows", Marks::ROW),
    ("headed", Marks::HEADED),
    ("titles", Marks::TITLE),
    ("overlays", Marks::OVERLAY),
    ("nothing", Marks::NOTHING),
];

/// The lists of texts.
const TEXTS: [(&str, Says); 4] =
    [("notices", Says::Notice), ("readings", Says::Reading), ("sections", Says::Section), ("lines", Says::Line)];

/// The meaning of an element's class, id and role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Marks(u32);

impl Marks {
    const COMMENTS: u32 = 1 << 0;
    const NEVER: u32 = 1 << 1;
    const AROUND: u32 = 1 << 2;
    const CONTENT: u32 = 1 << 3;
    const BLOCK: u32 = 1 << 4;
    const ENTRY: u32 = 1 << 6;
    const NOTHING: u32 = 1 << 7;
    const OTHERS: u32 = 1 << 8;
    const ANOTHER: u32 = 1 << 9;
    const CAPTION: u32 = 1 << 10;
    const ROW: u32 = 1 << 11;
    const HEADED: u32 = 1 << 12;
    const TITLE: u32 = 1 << 13;
    const OVERLAY: u32 = 1 << 14;
    const WORD: u32 = 1 << 20;
    /// The element has the classes of `post_class()`, which include the slugs of the post's terms: its other names are ignored.
    const POST: u32 = 1 << 15;
    /// It shows another record's text, which matters only for licences.
    const QUOTED: u32 = 1 << 16;

    /// These marks, with that of a post whose number is not the page's.
    pub(crate) fn of_another(self) -> Self {
        Marks(self.0 | Self::ANOTHER)
    }

    /// Surroundings of content only by a name that is also a word: `services` may be a menu or a text.
    pub(crate) fn word(self) -> bool {
        self.0 & (Self::AROUND | Self::WORD) == Self::WORD
    }
}

/// Declares what the marks tell of an element.
macro_rules! marks {
    ($($(#[$doc:meta])* $name:ident: $bits:expr,)*) => {
        impl Marks {
            $($(#[$doc])* pub(crate) fn $name(self) -> bool { self.0 & ($bits) != 0 })*
        }
    };
}

marks! {
    /// Readers' comments.
    comments: Self::COMMENTS,
    /// Never content: share bars, author boxes.
    never: Self::NEVER,
    /// Other posts of the site.
    others: Self::OTHERS | Self::ANOTHER,
    /// A post with another number than the page's.
    another: Self::ANOTHER,
    /// The caption of a picture.
    caption: Self::CAPTION,
    /// Surroundings of content: navigation, metadata.
    around: Self::AROUND | Self::WORD,
    /// Laid over the page until a visitor closes it, or from when one opens it.
    overlay: Self::OVERLAY,
    /// Content.
    content: Self::CONTENT,
    /// A row of a document made with a page builder.
    row: Self::ROW,
    /// An element that begins with a heading of the theme.
    headed: Self::HEADED,
    /// The title of a post, according to the theme.
    title: Self::TITLE,
    /// A post, alone or of a list (`post_class()`).
    entry: Self::ENTRY,
    /// A block that an author placed (`wp-block-…`): in content it is content, whatever its name.
    block: Self::BLOCK,
    /// Whether the text inside is separate from the neighbouring text.
    part: Self::COMMENTS | Self::NEVER | Self::OTHERS | Self::AROUND | Self::ANOTHER | Self::CAPTION,
}

/// The source of an element's text, if that is not the page's record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    Readers,
    AnotherRecord,
}

pub(crate) struct Boilerplate {
    words: AhoCorasick,
    /// The marks of each word.
    marks: Vec<u32>,
    /// Pairs of names: the second one is ignored right after the first.
    after: Vec<(String, String)>,
    phrases: Phrases,
}

impl Boilerplate {
    pub(crate) fn builtin() -> &'static Self {
        static COMPILED: LazyLock<Boilerplate> = LazyLock::new(|| {
            let tables = toml::from_str(BUILTIN).expect("the tests read this table");
            Boilerplate::compile(&tables)
        });
        &COMPILED
    }

    fn compile(tables: &Tables) -> Self {
        let (mut words, mut marks, mut after) = (vec!["-wp-block".to_owned()], vec![Marks::BLOCK], Vec::new());
        for (list, mark) in NAMES {
            for word in &tables[list] {
                if let Some((before, name)) = word.split_once(' ') {
                    after.push((before.to_owned(), name.to_owned()));
                    continue;
                }
                let word = format!("-{word}-");
                let word = word.strip_suffix("*-").unwrap_or(&word);
                words.push(word.strip_prefix("-*").unwrap_or(word).to_owned());
                marks.push(mark);
            }
        }
        let words = AhoCorasick::new(words).expect("the table is small");
        let phrases =
            TEXTS.into_iter().flat_map(|(list, says)| tables[list].iter().map(move |text| (text.clone(), says)));
        Boilerplate { words, marks, after, phrases: Phrases::new(phrases) }
    }

    /// The marks of an element's class, id and role.
    pub(crate) fn marks(&self, attributes: Attributes<'_, '_>, memory: &mut Memory) -> Marks {
        let names = attributes.several(["class", "id", "role"]);
        if names == [None; 3] {
            return Marks::default();
        }
        memory.known(names, |parts| self.marks_of(names, parts))
    }

    /// The marks of an element's class alone.
    pub(crate) fn marks_of_class(&self, attributes: Attributes<'_, '_>, memory: &mut Memory) -> Marks {
        let names = [attributes.raw("class"), None, None];
        memory.known(names, |parts| self.marks_of(names, parts))
    }

    /// The source of an element's text, by its class, id and role, if that is not the page's record.
    pub(crate) fn whose(&self, attributes: Attributes<'_, '_>, parts: &mut Parts) -> Option<Whose> {
        let marks = self.marks_of_names(attributes.several(["class", "id", "role"]), parts);
        let is = |of: u32| marks & of != 0;
        if is(Marks::COMMENTS) {
            return Some(Whose::Readers);
        }
        is(Marks::OTHERS | Marks::QUOTED).then_some(Whose::AnotherRecord)
    }

    fn marks_of(&self, values: [Option<&str>; 3], parts: &mut Parts) -> Marks {
        Marks(self.marks_of_names(values, parts) & !Marks::QUOTED)
    }

    /// The marks of all names together. Names with a colon are left out: they state when a style applies (`md:hidden`), not the kind of
    /// element.
    fn marks_of_names(&self, values: [Option<&str>; 3], parts: &mut Parts) -> u32 {
        let names = values.into_iter().flatten().flat_map(str::split_ascii_whitespace);
        let (mut marks, mut before) = (0, "");
        // Enfold names an element's neighbours: "el_before_av_promobox"
        let is_of_it =
            |name: &&str| !name.contains(':') && !name.starts_with("el_before_") && !name.starts_with("el_after_");
        for name in names.filter(is_of_it) {
            if !self.after.iter().any(|(first, then)| first == before && then == name) {
                marks |= parts.names.known(name, |name| self.marks_of_name(name, &mut parts.spelt));
            }
            before = name;
        }
        if marks & Marks::POST != 0 { Marks::CONTENT | Marks::ENTRY } else { marks }
    }

    /// The word of the table that gives a name such a mark.
    pub(crate) fn word(&self, name: &str, says: fn(Marks) -> bool) -> Option<String> {
        let mut names = String::new();
        if !says(Marks(self.marks_of_name(name, &mut names))) {
            return None;
        }
        let mut found = self.words.find_overlapping_iter(names.as_str());
        let word = found.find(|found| says(Marks(self.marks[found.pattern().as_usize()])))?;
        Some(names[word.range()].trim_matches(['-', ' ']).to_owned())
    }

    fn marks_of_name(&self, name: &str, names: &mut String) -> u32 {
        names.clear();
        spell(name, names);
        if names.contains("-hentry-") || names.contains("-status-publish-") {
            return Marks::POST;
        }
        // matches are ordered by their ends
        let found = self.words.find_overlapping_iter(names.as_str());
        let found: Vec<(Range<usize>, u32)> =
            found.map(|found| (found.range(), self.marks[found.pattern().as_usize()])).collect();
        let nothing = found.iter().filter(|(_, mark)| *mark == Marks::NOTHING);
        let nothing: Vec<&Range<usize>> = nothing.map(|(range, _)| range).collect();
        let is_in_nothing = |at: &Range<usize>| {
            let first = nothing.partition_point(|nothing| nothing.end < at.end);
            let near = nothing[first..].iter().take_while(|nothing| nothing.end < at.end + LONGEST);
            near.into_iter().any(|nothing| nothing.start <= at.start)
        };
        let mut marks = 0;
        for (range, mark) in found.iter().filter(|(range, _)| !is_in_nothing(range)) {
            // "has-sidebar" and "no-comments" describe other elements
            let before = names[..=range.start].rsplit([' ', '-']).nth(1).unwrap_or_default();
            if !matches!(before, "has" | "no" | "with" | "without" | "not" | "hide" | "show" | "is") {
                marks |= mark;
            }
        }
        marks
    }

    /// The meaning of a short text, if it is known; `text` has single blanks.
    pub(crate) fn says(&self, text: &str) -> Option<Says> {
        let text = text.trim_matches(|c: char| !c.is_alphanumeric() && c != '©');
        self.phrases.says(text)
    }
}

/// Appends the words of a name in lower case, splitting camelCase too: a blank and a hyphen before the first, a hyphen after each.
fn spell(name: &str, names: &mut String) {
    names.push_str(" -");
    let mut lower = false;
    for byte in name.bytes() {
        let ends = !byte.is_ascii_alphanumeric() || byte.is_ascii_uppercase() && lower;
        if ends && !names.ends_with('-') {
            names.push('-');
        }
        lower = byte.is_ascii_lowercase();
        if byte.is_ascii_alphanumeric() {
            names.push(char::from(byte.to_ascii_lowercase()));
        }
    }
    if !names.ends_with('-') {
        names.push('-');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_say_nothing_after_another() {
        let marks = |class: &str| Boilerplate::builtin().marks_of([Some(class), None, None], &mut Parts::default());
        for class in ["so-panel widget", "x so-panel widget widget_sow-editor", "elementor-widget", "has-sidebar"] {
            assert_eq!(marks(class), Marks::default(), "{class}");
        }
        for class in ["widget", "widget so-panel", "so-panel x widget", "Widget_Area", "siteSidebar"] {
            assert!(marks(class).around(), "{class}");
        }
    }

    #[test]
    fn without_any_of_its_rows_the_table_says_less() {
        let (tables, own): (Tables, _) = (toml::from_str(BUILTIN).unwrap(), Boilerplate::builtin());
        for (list, rows) in &tables {
            let is_of_texts = TEXTS.iter().any(|(of_texts, _)| of_texts == list);
            for row in rows {
                let mut less = tables.clone();
                less.get_mut(list).unwrap().retain(|other| other != row);
                let less = Boilerplate::compile(&less);
                let known = row.replace('*', if is_of_texts { " x" } else { "x" });
                let says = |own: &Boilerplate| match is_of_texts {
                    true => (0, own.says(&known)),
                    false => (own.marks_of_names([Some(&known), None, None], &mut Parts::default()), None),
                };
                assert_ne!(says(own), says(&less), "{list}: {known}");
            }
        }
    }

    /// If two lists had one name, or phrase, their order would decide.
    #[test]
    fn no_two_lists_have_the_same_row() {
        let tables: Tables = toml::from_str(BUILTIN).unwrap();
        let mut rows: HashMap<(bool, &str), &str> = HashMap::new();
        for (list, row) in tables.iter().flat_map(|(list, rows)| rows.iter().map(move |row| (list, row))) {
            let is_of_texts = TEXTS.iter().any(|(of_texts, _)| of_texts == list);
            let before = rows.insert((is_of_texts, row), list);
            assert_eq!(before, None, "{list}: {row}");
        }
    }

    #[test]
    fn each_phrase_is_known_in_capitals_and_with_what_may_follow() {
        let (tables, own): (Tables, _) = (toml::from_str(BUILTIN).unwrap(), Boilerplate::builtin());
        for phrase in TEXTS.iter().flat_map(|(list, _)| &tables[*list]) {
            let text = phrase.strip_suffix('*').map_or(phrase.clone(), |start| format!("{start} more"));
            for text in [text.to_uppercase(), format!("» {text}…")] {
                // some phrases end with a sign that is trimmed from texts
                let is_known =
                    own.says(&text).is_some() || phrase.ends_with(|c: char| !c.is_alphanumeric() && c != '*');
                assert!(is_known, "{phrase}: {text}");
            }
        }
        assert_eq!(own.says("A harbour, and the men in it"), None);
    }

    #[test]
    fn what_was_found_of_a_name_is_found_again() {
        let (mut memory, own) = (Memory::default(), Boilerplate::builtin());
        // more names than the memory holds, an attribute that is too long, and a name that is itself long
        let mut classes: Vec<String> = (0..20_000).map(|n| format!("menu-item-{n} share-{n} post-{n}")).collect();
        classes.extend([format!("sidebar {}", "x ".repeat(400)), format!("sidebar-{}", "x".repeat(100))]);
        for class in classes.iter().chain(&classes[..3]) {
            let names = [Some(class.as_str()), None, None];
            let known = memory.known(names, |parts| own.marks_of(names, parts));
            let found = class.split(' ').fold(0, |marks, name| marks | own.marks_of_name(name, &mut String::new()));
            assert_eq!(known, Marks(found), "{class}");
        }
    }
}
