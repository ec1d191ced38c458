//! Reads the language of a switcher's item from an attribute, a class, the name of a flag or a text.
//! [`super::switchers`] decides which item an element belongs to.

use super::pattern::Pattern;
use super::tables::CodeTable;
use super::tags::LanguageTag;
use crate::page::StartTag;
use crate::wordpress::without_query;

/// A place in which a kind of switcher writes the language.
pub(super) struct CodeSource {
    pub(super) of: Of,
    place: CodePlace,
}

#[derive(PartialEq, Eq)]
pub(super) enum Of {
    Root,
    Item,
    Link,
    Inside,
}

enum CodePlace {
    Attribute(String, Pattern),
    Class(Pattern),
    File(String),
    Text(Pattern),
}

impl CodeSource {
    pub(super) fn new(table: &CodeTable) -> Result<Self, String> {
        let of = match table.of.get_ref().as_str() {
            "root" => Of::Root,
            "item" => Of::Item,
            "link" => Of::Link,
            _ => Of::Inside,
        };
        let pattern = |text: &Option<String>| text.as_deref().map(Pattern::parse).transpose();
        let whole = || Pattern::parse("{code}");
        let places = [
            table
                .attribute
                .clone()
                .map(|name| Ok(CodePlace::Attribute(name, pattern(&table.pattern)?.map_or_else(whole, Ok)?))),
            pattern(&table.class)?.map(|pattern| Ok(CodePlace::Class(pattern))),
            pattern(&table.id)?.map(|pattern| Ok(CodePlace::Attribute("id".to_owned(), pattern))),
            table.file.clone().map(|name| Ok(CodePlace::File(name))),
            pattern(&table.text)?.map(|pattern| Ok(CodePlace::Text(pattern))),
        ];
        let mut places = places.into_iter().flatten();
        let (Some(place), None) = (places.next(), places.next()) else {
            return Err("a code needs exactly one of attribute, class, id, file, text".to_owned());
        };
        let place: CodePlace = place.map_err(|what: String| what)?;
        if table.pattern.is_some() && table.attribute.is_none() {
            return Err("pattern requires attribute".to_owned());
        }
        if matches!(place, CodePlace::Text(_)) && matches!(of, Of::Root | Of::Link) {
            return Err("text is only possible for the item or an element below it".to_owned());
        }
        Ok(CodeSource { of, place })
    }

    /// Whether the code is in the text, which [`CodeSource::read_text`] reads, rather than in the tag.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.place, CodePlace::Text(_))
    }

    /// The code in the element's tag, if it is a language tag.
    pub(super) fn read(&self, tag: &StartTag<'_>) -> Option<Code> {
        match &self.place {
            CodePlace::Attribute(name, pattern) => code(pattern, tag.attribute(name)?.trim()),
            CodePlace::Class(pattern) => {
                let classes = tag.attribute("class")?;
                classes.split_ascii_whitespace().find_map(|class| code(pattern, class))
            }
            CodePlace::File(name) => {
                let value = tag.attribute(name)?;
                let file = without_query(&value).rsplit('/').next()?;
                let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
                Some((LanguageTag::parse(stem)?, stem.to_owned()))
            }
            CodePlace::Text(_) => None,
        }
    }

    /// The code in the complete text of the element, if it is a language tag.
    pub(super) fn read_text(&self, text: &str) -> Option<Code> {
        match &self.place {
            CodePlace::Text(pattern) => code(pattern, text.trim()),
            _ => None,
        }
    }
}

/// A language and its original spelling.
pub(super) type Code = (LanguageTag, String);

fn code(pattern: &Pattern, text: &str) -> Option<Code> {
    pattern.find(text, |code| LanguageTag::parse(code).map(|tag| (tag, code.to_owned())))
}
