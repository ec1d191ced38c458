//! Extracts the visible text of an HTML fragment, with its links, images and embeds. It uses its own tokenizer;
//! [`crate::page`] reads whole pages, and the stages make records of both.

mod content;
pub(crate) mod elements;
pub(crate) mod embeds;
mod figures;
pub(crate) mod images;
mod known_names;
mod links;
pub(crate) mod names;
pub(crate) mod shortcodes;
mod sources;
pub mod structure;
mod style;
mod tables;
#[cfg(test)]
mod tests;
mod text;
mod text_wpextract;
pub(crate) mod tokenizer;

pub(crate) use content::Extractor;
pub(crate) use known_names::KnownNames;

use crate::record::{Embed, Image, Link};
use crate::report::{Notes, Place};

/// How text is extracted.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether the text is the one that wpextract 1.1.1 extracts, not the one that a browser shows without the site's
    /// style sheets.
    pub wpextract: bool,
    /// Whether captions of images and embeds stay in the text as well.
    pub keep_captions: bool,
    /// Whether data tables are left out of the text. Otherwise each row is a line, with tabs between its cells.
    pub without_tables: bool,
    /// Whether blocks in contents, descriptions and excerpts are separated by an empty line.
    pub paragraphs: bool,
    /// Whether leftover shortcodes are removed from the text.
    pub strip_shortcodes: bool,
}

/// A value of `--text`, and the option that it sets.
type Rule = (&'static str, fn(&mut Options) -> &mut bool);

impl Options {
    /// The values of `--text`.
    pub const RULES: [Rule; 5] = [
        ("wpextract", |options| &mut options.wpextract),
        ("captions", |options| &mut options.keep_captions),
        ("no-tables", |options| &mut options.without_tables),
        ("no-shortcodes", |options| &mut options.strip_shortcodes),
        ("paragraphs", |options| &mut options.paragraphs),
    ];

    /// The values of `--text` that are set.
    pub(crate) fn rules(&self) -> Vec<String> {
        let mut options = self.clone();
        Self::RULES.iter().filter(|(_, of)| *of(&mut options)).map(|(rule, _)| (*rule).to_owned()).collect()
    }
}

/// The parts extracted from a fragment. They borrow from the HTML where nothing has to be decoded.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Extracted<'a> {
    /// The text: lines without spaces at their ends, and without empty lines (except in preformatted text).
    pub text: String,
    /// The links: every `a` and `area`.
    pub links: Vec<Link<'a>>,
    /// The images, each once.
    pub images: Vec<Image<'a>>,
    /// The embeds: every frame, video, audio, object and post of another service.
    pub embeds: Vec<Embed<'static>>,
    /// Whether the JSON of all this would exceed the longest record; then nothing of it is kept.
    pub is_too_long: bool,
}

/// How many images and embeds have no URL in the markup.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Missing {
    images: usize,
    embeds: usize,
}

impl Extracted<'_> {
    /// Counts the images and embeds that have no URL.
    pub(crate) fn missing(&self) -> Missing {
        Missing {
            images: self.images.iter().filter(|image| image.url.is_none()).count(),
            embeds: self.embeds.iter().filter(|embed| embed.url.is_none()).count(),
        }
    }
}

impl Missing {
    /// Reports the images and embeds without a URL as defects of the record that `record` names.
    pub(crate) fn report(self, notes: &mut Notes, place: impl Fn() -> Place, record: impl Fn() -> String) {
        let say = |count: usize, name: &str| match count {
            1 => format!("the URL of an {name} is not in the markup ({})", record()),
            _ => format!("the URLs of {count} {name}s are not in the markup ({})", record()),
        };
        if self.images > 0 {
            notes.defect("image", place(), say(self.images, "image"));
        }
        if self.embeds > 0 {
            notes.defect("embed", place(), say(self.embeds, "embed"));
        }
    }
}

/// A hash for comparing texts: xxh3-128 as 32 hexadecimal digits. `None` for an empty text, because equality of empty
/// texts is meaningless.
pub fn hash(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| format!("{:032x}", xxhash_rust::xxh3::xxh3_128(text.as_bytes())))
}
