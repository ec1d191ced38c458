//! Lists what changes from fetch to fetch although nobody has edited it: as data, `noise.toml`. Everything that is not named
//! there is compared.

use crate::html::elements::{Buffers, Element, Reading, Sink, read};
use crate::html::tokenizer::{Attributes, Text};
use crate::urls::UrlKey;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::LazyLock;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    noise: Vec<Table>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    name: String,
    #[serde(default)]
    elements: Vec<String>,
    #[serde(default)]
    parameters: Vec<String>,
    #[serde(default)]
    blocks: Vec<String>,
}

/// The tables: what belongs to which plugin.
pub(super) struct Noise {
    elements: HashMap<String, &'static str>,
    parameters: HashMap<String, &'static str>,
    blocks: HashMap<String, &'static str>,
}

/// The names of the tables that something was left out by.
pub(super) type Rules = BTreeSet<&'static str>;

impl Noise {
    pub(super) fn builtin() -> &'static Self {
        static TABLES: LazyLock<Tables> =
            LazyLock::new(|| toml::from_str(include_str!("noise.toml")).expect("the tests read this table"));
        static NOISE: LazyLock<Noise> = LazyLock::new(|| {
            let of = |list: fn(&'static Table) -> &'static Vec<String>| {
                TABLES
                    .noise
                    .iter()
                    .flat_map(move |table| list(table).iter().map(move |word| (word.clone(), table.name.as_str())))
            };
            Noise {
                elements: of(|table| &table.elements).collect(),
                parameters: of(|table| &table.parameters).collect(),
                blocks: of(|table| &table.blocks).collect(),
            }
        });
        &NOISE
    }

    /// HTML without the elements of the tables.
    pub(super) fn strip<'h>(&self, html: &'h str, buffers: &mut Buffers, rules: &mut Rules) -> Cow<'h, str> {
        let mut found = Found { noise: self, inside: None, ranges: Vec::new(), rules };
        read(html, Reading::default(), buffers, &mut found);
        if found.ranges.is_empty() {
            return Cow::Borrowed(html);
        }
        let (mut kept, mut end) = (String::with_capacity(html.len()), 0);
        for range in found.ranges {
            kept.push_str(&html[end..range.start.max(end)]);
            end = range.end.max(end);
        }
        kept.push_str(&html[end..]);
        Cow::Owned(kept)
    }

    /// Whether a block of text is one of the tables.
    pub(super) fn is_block(&self, block: &str, rules: &mut Rules) -> bool {
        if !block.contains(|c: char| c.is_ascii_digit()) || block.len() > 100 {
            return false;
        }
        let mut masked = String::new();
        let is_number = |c: char| c.is_ascii_digit();
        for (at, c) in block.char_indices() {
            let in_number = matches!(c, '.' | ',') && masked.ends_with('#') && block[at + 1..].starts_with(is_number);
            if !is_number(c) && !in_number {
                masked.push(c);
            } else if !masked.ends_with('#') {
                masked.push('#');
            }
        }
        let rule = self.blocks.get(&masked).copied();
        rules.extend(rule);
        rule.is_some()
    }

    /// What a URL is compared by: its normalised form without parameters of the tables, and those that show the same.
    pub(super) fn url<'u>(&self, url: &'u str, rules: &mut Rules) -> Cow<'u, str> {
        let Some(key) = UrlKey::new(url) else { return Cow::Borrowed(url) };
        let key = key.without_noise().unwrap_or(key);
        let Some(query) = key.query() else { return Cow::Owned(key.into_string()) };
        let rule_of = |parameter: &str| {
            let name = parameter.split('=').next().unwrap_or_default().to_ascii_lowercase();
            let mut families = name.match_indices('-').map(|(at, _)| format!("{}*", &name[..=at]));
            self.parameters.get(&name).or_else(|| families.find_map(|family| self.parameters.get(&family)))
        };
        let kept: Vec<&str> = query
            .split('&')
            .filter(|parameter| {
                let rule = rule_of(parameter);
                rules.extend(rule.copied());
                rule.is_none()
            })
            .collect();
        let sign = if kept.is_empty() { "" } else { "?" };
        Cow::Owned(format!("{}{sign}{}", key.page(), kept.join("&")))
    }
}

/// Finds the elements of the tables.
struct Found<'n, 'r> {
    noise: &'n Noise,
    /// The depth of the element that is left out, and where it begins.
    inside: Option<(usize, usize)>,
    ranges: Vec<Range<usize>>,
    rules: &'r mut Rules,
}

impl<'a> Sink<'a> for Found<'_, '_> {
    fn open(&mut self, _: &Element<'a>, attributes: Attributes<'_, 'a>, depth: usize, tag: Range<usize>) {
        if self.inside.is_some() {
            return;
        }
        let (class, id) = (attributes.get("class").unwrap_or_default(), attributes.get("id").unwrap_or_default());
        let rule = class.split_ascii_whitespace().chain([&*id]).find_map(|word| self.noise.elements.get(word));
        if let Some(rule) = rule {
            self.rules.insert(rule);
            self.inside = Some((depth, tag.start));
        }
    }

    fn close(&mut self, _: &Element<'a>, depth: usize, tag: Range<usize>) {
        if let Some((_, start)) = self.inside.take_if(|(own, _)| *own == depth) {
            self.ranges.push(start..tag.end);
        }
    }

    fn text(&mut self, _: Text<'a>, _: &Element<'a>) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripped(html: &str) -> (String, Vec<&'static str>) {
        let mut rules = Rules::default();
        let html = Noise::builtin().strip(html, &mut Buffers::default(), &mut rules).into_owned();
        (html, rules.into_iter().collect())
    }

    #[test]
    fn only_what_the_tables_name_is_left_out() {
        let related = "<p>a<div class='x jp-relatedposts'><b>b</b><p>c</div>d<ul class=related><li>e</ul>";
        assert_eq!(stripped(related), ("<p>ad<ul class=related><li>e</ul>".into(), vec!["Jetpack"]));
        assert_eq!(stripped("<a>a<div id=jp-post-flair>b").0, "<a>a");
    }

    #[test]
    fn numbers_of_counters_are_left_out_and_no_others() {
        let mut rules = Rules::default();
        let mut is = |block| Noise::builtin().is_block(block, &mut rules);
        assert!(is("(Visited 1,204 times, 3 visits today)"));
        assert!(!is("(Visited 1,204 times, 3 visits today, which is little)") && !is("1,204 times") && !is("12"));
    }

    #[test]
    fn urls_are_compared_without_versions_and_nonces() {
        let mut rules = Rules::default();
        let mut key = |url| Noise::builtin().url(url, &mut rules).into_owned();
        assert_eq!(key("http://www.a/x/?ver=6.1&b=2"), key("https://a/x?b=2"));
        assert_eq!(key("https://a/x.png?X-Amz-Date=1&X-Amz-Signature=2"), key("https://a/x.png"));
        assert_ne!(key("https://a/x?version=1"), key("https://a/x?version=2"));
        assert_eq!(key("mailto:b"), "mailto:b");
    }
}
