//! Holds the languages that `--languages` selects, their order, and their names. Earlier stages determine the language of a record.

use crate::language::LanguageTag;
use crate::report::{Error, Report};

/// Language ranges in the order of the user, or all languages in the order of their tags.
#[derive(Clone, Debug, Default)]
pub(crate) struct Languages {
    ranges: Vec<String>,
}

impl Languages {
    /// The languages that `--languages` names; all if it names none.
    ///
    /// # Errors
    /// If a name is not a language tag, or is given twice.
    pub(crate) fn new(names: &[String]) -> Result<Self, Error> {
        let mut ranges: Vec<String> = Vec::new();
        for name in names {
            let Some(tag) = LanguageTag::parse(name) else {
                return Err(Error::Fatal(format!(
                    "--languages {name}: not a language tag such as en, pt-BR or zh-Hant"
                )));
            };
            if ranges.iter().any(|range| range == tag.as_str()) {
                return Err(Error::Fatal(format!("--languages names {} twice", tag.as_str())));
            }
            ranges.push(tag.as_str().to_owned());
        }
        Ok(Languages { ranges })
    }

    /// The ranges that the user named.
    pub(crate) fn named(&self) -> &[String] {
        &self.ranges
    }

    /// The name of a language: the longest range that includes it (`en` includes en, en-US and en-GB, as in [RFC 4647]),
    /// or its own tag if the user named no ranges. `None` if it is not selected.
    ///
    /// [RFC 4647]: https://www.rfc-editor.org/rfc/rfc4647#section-3.3.1
    pub(crate) fn name_of<'a>(&'a self, tag: &'a str) -> Option<&'a str> {
        if self.ranges.is_empty() {
            return Some(tag);
        }
        let under = |range: &&String| {
            let head = tag.get(..range.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(range))
                && matches!(tag.as_bytes().get(range.len()), None | Some(b'-'))
        };
        self.ranges.iter().filter(under).max_by_key(|range| range.len()).map(String::as_str)
    }

    /// Reports the ranges without documents: most likely they are misspelt, or the site uses other tags.
    pub(crate) fn warn_of_unused(&self, is_used: impl Fn(&str) -> bool, report: &mut Report) {
        for range in self.ranges.iter().filter(|range| !is_used(range)) {
            report.warn(&format!("--languages {range}: no such document"));
        }
    }

    /// These names in the order of the user's list, including languages without documents, or else in the order of the tags.
    pub(crate) fn in_order(&self, mut names: Vec<String>) -> Vec<String> {
        if !self.ranges.is_empty() {
            return self.ranges.clone();
        }
        names.sort();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn languages(names: &[&str]) -> Languages {
        Languages::new(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn a_range_takes_what_is_under_it_and_the_longest_wins() {
        let some = languages(&["pt", "en", "pt-BR"]);
        for (tag, name) in [
            ("en", Some("en")),
            ("en-GB", Some("en")),
            ("eng", None),
            ("pt-BR", Some("pt-BR")),
            ("pt-PT", Some("pt")),
            ("fr", None),
            ("", None),
            ("日本", None),
        ] {
            assert_eq!(some.name_of(tag), name, "{tag}");
        }
        assert_eq!(languages(&[]).name_of("x y"), Some("x y"));
    }

    #[test]
    fn the_order_is_the_users_or_that_of_the_tags() {
        let names = ["en", "de"].map(str::to_owned);
        assert_eq!(languages(&["fr", "en", "de"]).in_order(names.to_vec()), ["fr", "en", "de"]);
        assert_eq!(languages(&[]).in_order(names.to_vec()), ["de", "en"]);
    }

    #[test]
    fn what_is_not_a_tag_or_comes_twice_is_an_error() {
        assert!(Languages::new(&["not a tag".into()]).is_err());
        assert!(Languages::new(&["pt-br".into(), "pt_BR".into()]).is_err());
    }
}
