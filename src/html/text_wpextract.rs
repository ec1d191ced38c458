//! Extracts the text as wpextract 1.1.1 does, for users who must reproduce an old dataset; no other module knows its
//! rules. It reads the same events as the rendered text, and ignores visibility.

use super::elements::Element;
use super::names::Name;
use super::tokenizer::{Doctype, is_space};

/// Which of wpextract's two methods to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Rule {
    /// The content of a post: without figcaption and table, with a line end at p and br.
    #[default]
    Content,
    /// Titles, excerpts, captions, link texts: all text except scripts, styles, templates and ruby.
    Plain,
}

/// A text that is being built.
#[derive(Clone, Debug, Default)]
pub(crate) struct PeerText {
    out: String,
    pub(crate) rule: Rule,
    left_at: Option<usize>,
    /// The depth of the outermost pre or textarea, in which white space is kept.
    kept_at: Option<usize>,
}

impl PeerText {
    /// Creates an empty text, for `rule`.
    pub(crate) fn new(rule: Rule) -> Self {
        PeerText { rule, ..PeerText::default() }
    }

    /// Clears the text, for another one.
    pub(crate) fn clear(&mut self) {
        self.out.clear();
        (self.left_at, self.kept_at) = (None, None);
    }

    /// The text without squashing, as used for image captions.
    pub(crate) fn raw(&self) -> &str {
        &self.out
    }

    /// The finished text.
    pub(crate) fn finish(&mut self) -> String {
        squash(&self.out)
    }

    /// Whether text would be ignored.
    pub(crate) fn is_silent(&self) -> bool {
        self.left_at.is_some()
    }

    /// Handles the start of an element.
    pub(crate) fn open(&mut self, element: &Element<'_>, depth: usize) {
        if self.left_at.is_some() {
            return;
        }
        let left = match self.rule {
            Rule::Content => matches!(element.name, Name::FIGCAPTION | Name::TABLE),
            Rule::Plain => {
                matches!(element.name, Name::SCRIPT | Name::STYLE | Name::TEMPLATE | Name::RT | Name::RP)
            }
        };
        if left {
            self.left_at = Some(depth);
        } else if self.rule == Rule::Content && matches!(element.name, Name::P | Name::BR) {
            self.out.push('\n');
        } else if self.kept_at.is_none() && matches!(element.name, Name::PRE | Name::TEXTAREA) {
            self.kept_at = Some(depth);
        }
    }

    /// Handles the end of an element.
    pub(crate) fn close(&mut self, depth: usize) {
        if self.left_at == Some(depth) {
            self.left_at = None;
        }
        if self.kept_at == Some(depth) {
            self.kept_at = None;
        }
    }

    /// Adds a text node.
    pub(crate) fn text(&mut self, text: &str) {
        if self.left_at.is_some() {
            return;
        }
        if self.kept_at.is_none() && text.bytes().all(is_space) {
            self.out.push(if text.contains('\n') { '\n' } else { ' ' });
        } else {
            self.out.push_str(text);
        }
    }

    /// Adds a document type, which wpextract treats as text of the content.
    pub(crate) fn doctype(&mut self, doctype: Doctype<'_>) {
        if self.rule == Rule::Content {
            self.out.push_str(doctype.name.unwrap_or_default());
            if let Some(public) = doctype.public {
                self.out.push_str(&format!(" PUBLIC \"{public}\""));
                if let Some(system) = doctype.system {
                    self.out.push_str(&format!(" \"{system}\""));
                }
            } else if let Some(system) = doctype.system {
                self.out.push_str(&format!(" SYSTEM \"{system}\""));
            }
        }
    }
}

/// Whether wpextract would parse a title, an excerpt or a caption as HTML at all.
pub(crate) fn is_probably_html(text: &str) -> bool {
    text.contains('<')
        || text
            .split(is_python_space)
            .any(|word| word.find('&').is_some_and(|at| word[at + 1..].rfind(';').is_some_and(|end| end > 0)))
}

/// Collapses runs of line ends, and removes white space at line starts and at both ends.
fn squash(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split('\n') {
        let line = line.trim_start_matches(is_python_space);
        if !line.is_empty() {
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(line);
        }
    }
    out.truncate(out.trim_end_matches(is_python_space).len());
    out
}

/// Whether a character is white space in Python: Unicode's, and four more separators.
fn is_python_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1C}'..='\u{1F}').contains(&character)
}
