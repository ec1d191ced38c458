//! Recognises boilerplate by the names of elements (`share-buttons`) and by short texts (`Read more`). The words are data
//! (`boilerplate.toml`); what follows from them is decided in [`super::choice`].

use crate::html::tokenizer::Attributes;
use aho_corasick::AhoCorasick;
use serde::Deserialize;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;
use xxhash_rust::xxh3::xxh3_64;

const BUILTIN: &str = include_str!("boilerplate.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    comments: Vec<String>,
    never: Vec<String>,
    others: Vec<String>,
    around: Vec<String>,
    captions: Vec<String>,
    leads: Vec<String>,
    content: Vec<String>,
    rows: Vec<String>,
    headed: Vec<String>,
    titles: Vec<String>,
    nothing: Vec<String>,
    readings: Vec<String>,
    sections: Vec<String>,
    lines: Vec<String>,
    notices: Vec<String>,
}

/// What the class and the id of an element say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Marks(u16);

impl Marks {
    const COMMENTS: u16 = 1 << 0;
    const NEVER: u16 = 1 << 1;
    const AROUND: u16 = 1 << 2;
    const CONTENT: u16 = 1 << 3;
    const BLOCK: u16 = 1 << 4;
    const LEAD: u16 = 1 << 5;
    const ENTRY: u16 = 1 << 6;
    const NOTHING: u16 = 1 << 7;
    const OTHERS: u16 = 1 << 8;
    const ANOTHER: u16 = 1 << 9;
    const CAPTION: u16 = 1 << 10;
    const ROW: u16 = 1 << 11;
    const HEADED: u16 = 1 << 12;
    const TITLE: u16 = 1 << 13;
    const LIST: u16 = 1 << 14;
    /// It is made by `post_class()`, which writes the slugs of a post's terms there too: other names say nothing.
    const POST: u16 = 1 << 15;

    /// Readers' comments.
    pub(super) fn comments(self) -> bool {
        self.0 & Self::COMMENTS != 0
    }

    /// No content anywhere: share bars, an author's box.
    pub(super) fn never(self) -> bool {
        self.0 & Self::NEVER != 0
    }

    /// Other posts of the site.
    pub(super) fn others(self) -> bool {
        self.0 & (Self::OTHERS | Self::ANOTHER) != 0
    }

    /// A post with another number than the page's.
    pub(super) fn another(self) -> bool {
        self.0 & Self::ANOTHER != 0
    }

    /// The caption of a picture.
    pub(super) fn caption(self) -> bool {
        self.0 & Self::CAPTION != 0
    }

    /// The same, of a post with another number than the page's.
    pub(super) fn of_another(self) -> Self {
        Marks(self.0 | Self::ANOTHER)
    }

    /// What surrounds content: navigation, meta data.
    pub(super) fn around(self) -> bool {
        self.0 & Self::AROUND != 0
    }

    /// A standfirst.
    pub(super) fn lead(self) -> bool {
        self.0 & Self::LEAD != 0
    }

    /// Content.
    pub(super) fn content(self) -> bool {
        self.0 & Self::CONTENT != 0
    }

    /// A row of a document that a page builder made.
    pub(super) fn row(self) -> bool {
        self.0 & Self::ROW != 0
    }

    /// It begins with a heading that is the theme's.
    pub(super) fn headed(self) -> bool {
        self.0 & Self::HEADED != 0
    }

    /// The title of a post, says the theme.
    pub(super) fn title(self) -> bool {
        self.0 & Self::TITLE != 0
    }

    /// A list that an author wrote (the block `core/list`).
    pub(super) fn list(self) -> bool {
        self.0 & Self::LIST != 0
    }

    /// A post, alone or of a list (`post_class()`).
    pub(super) fn entry(self) -> bool {
        self.0 & Self::ENTRY != 0
    }

    /// A block that an author placed (`wp-block-…`): in content it is content, whatever its name.
    pub(super) fn block(self) -> bool {
        self.0 & Self::BLOCK != 0
    }

    /// Whether text inside is apart from text beside it.
    pub(super) fn part(self) -> bool {
        self.0 & (Self::COMMENTS | Self::NEVER | Self::OTHERS | Self::AROUND | Self::ANOTHER | Self::CAPTION) != 0
    }
}

/// What a short text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Says {
    /// It is boilerplate itself.
    Notice,
    /// It heads a section of boilerplate, unless an author wrote it.
    Reading,
    /// It heads a section of boilerplate.
    Section,
    /// It is boilerplate itself, unless an author wrote it.
    Line,
}

pub(super) struct Boilerplate {
    words: AhoCorasick,
    /// The marks of each word.
    marks: Vec<u16>,
    phrases: Phrases,
}

/// Texts that are known whole, and beginnings of texts, with what they say.
struct Phrases {
    whole: HashMap<String, Says>,
    /// Of each first byte, a bit for each length that a text has which is known whole.
    lengths: [u128; 256],
    /// By their first two bytes.
    starts: Vec<Vec<(String, Says)>>,
}

impl Boilerplate {
    pub(super) fn builtin() -> &'static Self {
        static COMPILED: LazyLock<Boilerplate> = LazyLock::new(|| {
            let tables = toml::from_str(BUILTIN).expect("the tests read this table");
            Boilerplate::compile(tables)
        });
        &COMPILED
    }

    fn compile(tables: Tables) -> Self {
        let Tables { comments, never, others, around, captions, leads, content, rows, headed, titles, nothing, .. } =
            tables;
        let Tables { readings, sections, lines, notices, .. } = tables;
        let groups = [
            (comments, Marks::COMMENTS),
            (never, Marks::NEVER),
            (others, Marks::OTHERS),
            (around, Marks::AROUND),
            (captions, Marks::CAPTION),
            (leads, Marks::LEAD),
            (content, Marks::CONTENT),
            (rows, Marks::ROW),
            (headed, Marks::HEADED),
            (titles, Marks::TITLE),
            (nothing, Marks::NOTHING),
            (vec!["wp-block*".to_owned()], Marks::BLOCK),
            (vec!["wp-block-list".to_owned()], Marks::LIST),
        ];
        let (mut words, mut marks) = (Vec::new(), Vec::new());
        for (group, mark) in groups {
            for word in group {
                let word = format!("-{word}-");
                let word = word.strip_suffix("*-").unwrap_or(&word);
                words.push(word.strip_prefix("-*").unwrap_or(word).to_owned());
                marks.push(mark);
            }
        }
        let words = AhoCorasick::new(words).expect("the table is small");
        let says = [(notices, Says::Notice), (readings, Says::Reading), (sections, Says::Section), (lines, Says::Line)];
        let phrases = says.into_iter().flat_map(|(phrases, says)| phrases.into_iter().map(move |text| (text, says)));
        Boilerplate { words, marks, phrases: Phrases::new(phrases) }
    }

    /// What class, id and role of an element say.
    pub(super) fn marks(&self, attributes: Attributes<'_, '_>, memory: &mut Memory) -> Marks {
        let names = attributes.several(["class", "id", "role"]);
        if names == [None; 3] {
            return Marks::default();
        }
        memory.known(names, |parts| self.marks_of(names, parts))
    }

    /// The same of its class alone.
    pub(super) fn marks_of_class(&self, attributes: Attributes<'_, '_>, memory: &mut Memory) -> Marks {
        let names = [attributes.raw("class"), None, None];
        memory.known(names, |parts| self.marks_of(names, parts))
    }

    /// What any of the names says. Those with a colon are left out: they tell when a style applies (`md:hidden`), not what an element is.
    fn marks_of(&self, values: [Option<&str>; 3], parts: &mut Parts) -> Marks {
        let names = values.into_iter().flatten().flat_map(str::split_ascii_whitespace);
        let names = names.filter(|name| !name.contains(':'));
        let marks =
            names.fold(0, |marks, name| marks | parts.known(name, |name, spelt| self.marks_of_name(name, spelt)));
        if marks & Marks::POST != 0 { Marks(Marks::CONTENT | Marks::ENTRY) } else { Marks(marks) }
    }

    fn marks_of_name(&self, name: &str, names: &mut String) -> u16 {
        names.clear();
        spell(name, names);
        if names.contains("-hentry-") || names.contains("-status-publish-") {
            return Marks::POST;
        }
        // they come by their ends
        let found = self.words.find_overlapping_iter(names.as_str());
        let found: Vec<(Range<usize>, u16)> =
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
            // "has-sidebar" and "no-comments" are of something else
            let before = names[..=range.start].rsplit([' ', '-']).nth(1).unwrap_or_default();
            if !matches!(before, "has" | "no" | "with" | "without" | "not" | "hide" | "show" | "is") {
                marks |= mark;
            }
        }
        marks
    }

    /// What a short text says; `text` has single blanks.
    pub(super) fn says(&self, text: &str) -> Option<Says> {
        let text = text.trim_matches(|c: char| !c.is_alphanumeric() && c != '©');
        // most say nothing that is known
        if text.is_ascii() && !self.phrases.may_say(text) {
            return None;
        }
        self.phrases.says(&in_lower_case(text))
    }
}

impl Phrases {
    /// Of a text that says several things the first counts, as [`Says`] lists them.
    fn new(phrases: impl Iterator<Item = (String, Says)>) -> Self {
        let (mut whole, mut lengths) = (HashMap::new(), [0; 256]);
        let mut starts = vec![Vec::new(); STARTS];
        for (phrase, says) in phrases {
            match phrase.strip_suffix('*') {
                Some(start) => starts[place_of_start(start.as_bytes())].push((start.to_owned(), says)),
                None => {
                    lengths[usize::from(phrase.as_bytes()[0])] |= length_bit(&phrase);
                    whole.entry(phrase).or_insert(says);
                }
            }
        }
        Phrases { whole, lengths, starts }
    }

    /// Whether an ASCII text may be known, by its first letter and its length.
    fn may_say(&self, text: &str) -> bool {
        let Some(first) = text.as_bytes().first() else { return false };
        let begins = |start: &str| text.get(..start.len()).is_some_and(|s| s.eq_ignore_ascii_case(start));
        self.lengths[usize::from(first.to_ascii_lowercase())] & length_bit(text) != 0
            || self.starts[place_of_start(text.as_bytes())].iter().any(|(start, _)| begins(start))
    }

    fn says(&self, text: &str) -> Option<Says> {
        let starts = &self.starts[place_of_start(text.as_bytes())];
        let by_start = starts.iter().filter(|(start, _)| text.starts_with(start.as_str())).map(|(_, says)| *says);
        by_start.chain(self.whole.get(text).copied()).min()
    }
}

/// Places of beginnings by their first two bytes.
const STARTS: usize = 1024;

fn place_of_start(text: &[u8]) -> usize {
    let byte = |at: usize| text.get(at).map_or(0, |byte| usize::from(byte.to_ascii_lowercase()));
    (byte(0) * 31 + byte(1)) % STARTS
}

/// The bit of texts as long as this one; long ones share one.
fn length_bit(text: &str) -> u128 {
    1 << text.len().min(127)
}

/// Names whose marks are remembered at a time, and how long they may be together.
const SLOTS: usize = 4096;
const LONG: usize = 512;

/// Longer than any word of the table.
const LONGEST: usize = 64;

/// What names were found to say: a theme writes the same again and again, on each page.
#[derive(Default)]
pub(super) struct Memory {
    /// The names one after the other, where they are cut, and their marks; in the place that their hash gives.
    slots: Vec<(String, (usize, usize), Marks)>,
    joined: String,
    parts: Parts,
}

/// The same of single names: themes put them together in many ways, with numbers.
#[derive(Default)]
struct Parts {
    slots: Vec<(String, u16)>,
    spelt: String,
}

impl Parts {
    fn known(&mut self, name: &str, find: impl FnOnce(&str, &mut String) -> u16) -> u16 {
        if name.len() > LONGEST {
            return find(name, &mut self.spelt);
        }
        self.slots.resize_with(SLOTS, Default::default);
        let (known, marks) = &mut self.slots[xxh3_64(name.as_bytes()) as usize % SLOTS];
        if known != name {
            *marks = find(name, &mut self.spelt);
            name.clone_into(known);
        }
        *marks
    }
}

impl Memory {
    fn known(&mut self, names: [Option<&str>; 3], find: impl FnOnce(&mut Parts) -> Marks) -> Marks {
        let [class, id, role] = names.map(Option::unwrap_or_default);
        if class.len() + id.len() + role.len() > LONG {
            return find(&mut self.parts);
        }
        self.joined.clear();
        [class, id, role].iter().for_each(|name| self.joined.push_str(name));
        let cuts = (class.len(), id.len());
        self.slots.resize_with(SLOTS, Default::default);
        let slot = &mut self.slots[xxh3_64(self.joined.as_bytes()) as usize % SLOTS];
        if slot.0 != self.joined || slot.1 != cuts {
            slot.0.clone_from(&self.joined);
            (slot.1, slot.2) = (cuts, find(&mut self.parts));
        }
        slot.2
    }
}

/// Appends the words of a name in lower case, those of camelCase too: a blank and a hyphen before the first, a hyphen after each.
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

/// A text as phrases are written.
fn in_lower_case(text: &str) -> String {
    match text.is_ascii() {
        true => text.to_ascii_lowercase(),
        false => text.chars().map(|c| if c == '’' { '\'' } else { c }).flat_map(char::to_lowercase).collect(),
    }
}
