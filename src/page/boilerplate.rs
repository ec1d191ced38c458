//! What names and short texts say of a block: that it is boilerplate, stands around content, or is content. The words are
//! data (`boilerplate.toml`); what is made of them is decided in [`super::choice`].

use crate::html::tokenizer::Attributes;
use aho_corasick::AhoCorasick;
use serde::Deserialize;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

const BUILTIN: &str = include_str!("boilerplate.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    comments: Vec<String>,
    never: Vec<String>,
    around: Vec<String>,
    leads: Vec<String>,
    content: Vec<String>,
    nothing: Vec<String>,
    sections: Vec<String>,
    lines: Vec<String>,
    notices: Vec<String>,
}

/// What the class and the id of an element say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks(u8);

impl Marks {
    const COMMENTS: u8 = 1 << 0;
    const NEVER: u8 = 1 << 1;
    const AROUND: u8 = 1 << 2;
    const CONTENT: u8 = 1 << 3;
    const BLOCK: u8 = 1 << 4;
    const LEAD: u8 = 1 << 5;
    const ENTRY: u8 = 1 << 6;
    const NOTHING: u8 = 1 << 7;

    /// Readers' comments.
    pub fn comments(self) -> bool {
        self.0 & Self::COMMENTS != 0
    }

    /// No content anywhere: share bars, related posts, an author's box.
    pub fn never(self) -> bool {
        self.0 & Self::NEVER != 0
    }

    /// What stands around content: navigation, meta data.
    pub fn around(self) -> bool {
        self.0 & Self::AROUND != 0
    }

    /// A standfirst.
    pub fn lead(self) -> bool {
        self.0 & Self::LEAD != 0
    }

    /// Content.
    pub fn content(self) -> bool {
        self.0 & Self::CONTENT != 0
    }

    /// A post, alone or of a list (`post_class()`).
    pub fn entry(self) -> bool {
        self.0 & Self::ENTRY != 0
    }

    /// A block that an author placed (`wp-block-…`): in content it is content, whatever its name.
    pub fn block(self) -> bool {
        self.0 & Self::BLOCK != 0
    }

    /// Whether text inside is apart from text beside it.
    pub fn part(self) -> bool {
        self.0 & (Self::COMMENTS | Self::NEVER | Self::AROUND) != 0
    }
}

/// What a short text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// It heads a section of boilerplate.
    Section,
    /// It is boilerplate itself, unless an author wrote it.
    Line,
    /// It is boilerplate itself.
    Notice,
}

pub(super) struct Boilerplate {
    words: AhoCorasick,
    /// The marks of each word.
    marks: Vec<u8>,
    sections: Phrases,
    lines: Phrases,
    notices: Phrases,
}

/// Texts that are known whole, and beginnings of texts.
#[derive(Default)]
struct Phrases {
    whole: HashSet<String>,
    starts: Vec<String>,
}

impl Boilerplate {
    pub fn builtin() -> &'static Self {
        static COMPILED: LazyLock<Boilerplate> = LazyLock::new(|| {
            let tables = toml::from_str(BUILTIN).expect("the tests read this table");
            Boilerplate::compile(tables)
        });
        &COMPILED
    }

    fn compile(tables: Tables) -> Self {
        let Tables { comments, never, around, leads, content, nothing, sections, lines, notices } = tables;
        let groups = [
            (comments, Marks::COMMENTS),
            (never, Marks::NEVER),
            (around, Marks::AROUND),
            (leads, Marks::LEAD),
            (content, Marks::CONTENT),
            (nothing, Marks::NOTHING),
            (vec!["wp-block*".to_owned()], Marks::BLOCK),
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
        let [sections, lines, notices] = [sections, lines, notices].map(Phrases::new);
        Boilerplate { words, marks, sections, lines, notices }
    }

    /// What class and id of an element say. `names` is scratch space.
    pub fn marks(&self, attributes: Attributes<'_, '_>, names: &mut String) -> Marks {
        names.clear();
        for value in ["class", "id", "role"].iter().filter_map(|name| attributes.raw(name)) {
            spell(value, names);
        }
        // post_class() writes the slugs of a post's terms there too
        if names.contains("-hentry-") || names.contains("-status-publish-") {
            return Marks(Marks::CONTENT | Marks::ENTRY);
        }
        let found = || self.words.find_overlapping_iter(names.as_str());
        let says_nothing = |at: Range<usize>| {
            let mut nothing = found().filter(|found| self.marks[found.pattern().as_usize()] == Marks::NOTHING);
            nothing.any(|nothing| nothing.start() <= at.start && nothing.end() >= at.end)
        };
        let mut marks = 0;
        for found in found().filter(|found| !says_nothing(found.range())) {
            // "has-sidebar" and "no-comments" are of something else
            let before = names[..=found.start()].rsplit([' ', '-']).nth(1).unwrap_or_default();
            if !matches!(before, "has" | "no" | "with" | "without" | "not" | "hide" | "show" | "is") {
                marks |= self.marks[found.pattern().as_usize()];
            }
        }
        Marks(marks)
    }

    /// What a short text says; `text` has single blanks.
    pub fn says(&self, text: &str) -> Option<Says> {
        let text = plain(text);
        let tables = [(&self.sections, Says::Section), (&self.notices, Says::Notice), (&self.lines, Says::Line)];
        tables.into_iter().find(|(table, _)| table.has(&text)).map(|(_, says)| says)
    }
}

impl Phrases {
    fn new(phrases: Vec<String>) -> Self {
        let (starts, whole): (Vec<String>, Vec<String>) = phrases.into_iter().partition(|phrase| phrase.ends_with('*'));
        let starts = starts.iter().map(|start| start.trim_end_matches('*').to_owned()).collect();
        Phrases { whole: whole.into_iter().collect(), starts }
    }

    fn has(&self, text: &str) -> bool {
        self.whole.contains(text) || self.starts.iter().any(|start| text.starts_with(start))
    }
}

/// Appends the words of class names in lower case, those of camelCase too: a hyphen before and after each, a blank between
/// the names.
fn spell(value: &str, names: &mut String) {
    names.push_str(" -");
    let mut lower = false;
    for byte in value.bytes() {
        let ends = !byte.is_ascii_alphanumeric() || byte.is_ascii_uppercase() && lower;
        if ends && !names.ends_with('-') {
            names.push('-');
        }
        lower = byte.is_ascii_lowercase();
        match byte {
            0..=b' ' => names.push_str(" -"),
            _ if byte.is_ascii_alphanumeric() => names.push(char::from(byte.to_ascii_lowercase())),
            _ => {}
        }
    }
    names.push('-');
}

/// Lower case, no signs but blanks within.
fn plain(text: &str) -> String {
    let kept = text.chars().map(|c| if c == '’' { '\'' } else { c });
    let lower: String = kept.flat_map(char::to_lowercase).collect();
    lower.trim_matches(|c: char| !c.is_alphanumeric() && c != '©').to_owned()
}
