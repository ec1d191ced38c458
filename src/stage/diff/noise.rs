//! Finds the parts of records that change from fetch to fetch without an edit, such as counters. They are listed as data
//! (`noise.toml`); everything else is compared.

use crate::html::elements::{Buffers, Element, ParseOptions, Sink, read};
use crate::html::names::Name;
use crate::html::tokenizer::Attributes;
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
    /// Whether its elements contain paragraphs and headings of their own.
    #[serde(default)]
    paragraphs: bool,
    #[serde(default)]
    parameters: Vec<String>,
    #[serde(default)]
    blocks: Vec<String>,
}

/// The tables, indexed: each name with the plugin that it belongs to.
pub(super) struct Noise {
    elements: HashMap<String, &'static Table>,
    parameters: HashMap<String, &'static str>,
    blocks: HashMap<String, &'static str>,
}

/// The names of the tables by which something was left out.
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
                elements: TABLES
                    .noise
                    .iter()
                    .flat_map(|table| table.elements.iter().map(move |word| (word.clone(), table)))
                    .collect(),
                parameters: of(|table| &table.parameters).collect(),
                blocks: of(|table| &table.blocks).collect(),
            }
        });
        &NOISE
    }

    /// Removes the elements in the tables from HTML.
    pub(super) fn strip<'h>(&self, html: &'h str, buffers: &mut Buffers, rules: &mut Rules) -> Cow<'h, str> {
        let mut found = NoiseFinder { noise: self, inside: None, ranges: Vec::new(), rules };
        read(html, ParseOptions::default(), buffers, &mut found);
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

    /// Whether a block of text is in one of the tables.
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

    /// The form in which a URL is compared: normalised, without the parameters in the tables or those that do not change the page.
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

/// An element that is left out.
struct Inside {
    depth: usize,
    start: usize,
    /// The start of its first block.
    block: Option<usize>,
    paragraphs: bool,
}

/// The elements of running text.
const RUNNING: [Name; 10] =
    [Name::P, Name::BLOCKQUOTE, Name::PRE, Name::ARTICLE, Name::H1, Name::H2, Name::H3, Name::H4, Name::H5, Name::H6];

/// Finds the elements in the tables. If an element's end tag is missing or belongs to another one, the element is cut short: a counter ends
/// before its first paragraph, and an element without an end tag before its first block.
struct NoiseFinder<'n, 'r> {
    noise: &'n Noise,
    inside: Option<Inside>,
    ranges: Vec<Range<usize>>,
    rules: &'r mut Rules,
}

impl<'a> Sink<'a> for NoiseFinder<'_, '_> {
    fn open(&mut self, element: &Element<'a>, attributes: Attributes<'_, 'a>, depth: usize, tag: Range<usize>) {
        if let Some(inside) = &mut self.inside {
            if inside.paragraphs || !RUNNING.contains(&element.name) {
                inside.block = inside.block.or(element.look.block.then_some(tag.start));
                return;
            }
            self.ranges.push(inside.start..tag.start);
            self.inside = None;
        }
        let (class, id) = (attributes.get("class").unwrap_or_default(), attributes.get("id").unwrap_or_default());
        let table = class.split_ascii_whitespace().chain([&*id]).find_map(|word| self.noise.elements.get(word));
        if let Some(table) = table {
            self.rules.insert(&table.name);
            self.inside = Some(Inside { depth, start: tag.start, block: None, paragraphs: table.paragraphs });
        }
    }

    fn close(&mut self, _: &Element<'a>, depth: usize, tag: Range<usize>) {
        if let Some(inside) = self.inside.take_if(|inside| inside.depth == depth) {
            let end = inside.block.filter(|_| tag.is_empty()).unwrap_or(tag.end);
            self.ranges.push(inside.start..end);
        }
    }
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
        let popular =
            "<ul class=wpp-list><li>x <span class=wpp-views>9 views</span></ul><p class=wpp-views>7 views</p><p>y";
        assert_eq!(stripped(popular), ("<p>y".into(), vec!["WordPress Popular Posts"]));
    }

    /// A rewritten article counted as unchanged, because a counter's element before it was left open.
    #[test]
    fn a_counter_that_is_left_open_hid_the_article() {
        for (html, kept) in [
            ("<div class=post-views>1 view<p>a</p><p>b</p>", "<p>a</p><p>b</p>"),
            ("<div><div class=post-views>1 view<p>a</p></div>b", "<div><p>a</p></div>b"),
            ("<p>a <span class=wp-postviews>1 view</p><p>b</p>", "<p>a </p><p>b</p>"),
            ("<div class=post-views>1<h2>a</h2><div class=sharedaddy><p>b</p></div>c", "<h2>a</h2>c"),
            ("<div class=post-views>1 view<div>a</div>", "<div>a</div>"),
            ("<div class=yarpp>x<ul><li>y</ul><p>a</p>", "<ul><li>y</ul><p>a</p>"),
            ("<div class=yarpp><p>No related posts.</p></div><p>a</p>", "<p>a</p>"),
        ] {
            assert_eq!(stripped(html).0, kept, "{html}");
        }
    }

    #[test]
    fn numbers_of_counters_are_left_out_and_no_others() {
        let mut rules = Rules::default();
        let mut is = |block| Noise::builtin().is_block(block, &mut rules);
        assert!(is("(Visited 1,204 times, 3 visits today)") && is("1,204 views") && !is("Two views"));
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
