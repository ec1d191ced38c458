//! Renders the content of an item as readers of the site see it: `the_content()` of WordPress without plugins.

use super::autop::autop;
use super::shortcodes::{Shortcodes, autoembed};
use super::site::Site;
use super::texturize::{is_own, smilies};
use crate::html::shortcodes::tags;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How deeply reusable blocks may be nested.
const DEPTH: usize = 8;
/// The most bytes of reusable blocks in one content.
const MOST: usize = 16 << 20;
/// The most uploads that the galleries of one content show.
const MOST_SHOWN: usize = 10_000;
/// The most names of blocks that are counted.
const NAMES: usize = 1000;

/// The number of blocks that only the site itself can render, by name.
pub(crate) type Dynamic = BTreeMap<String, u64>;

/// The data that are needed to render the content of an item.
pub(super) struct Rendering<'s> {
    pub(super) site: &'s Site,
    /// The id of the post.
    pub(super) post: i64,
    /// Its footnotes, from its metadata.
    pub(super) footnotes: &'s str,
    pub(super) dynamic: &'s mut Dynamic,
}

impl Rendering<'_> {
    /// Renders a content as `the_content()` does.
    pub(super) fn content(&mut self, raw: &str) -> String {
        let is_of_blocks = raw.contains("<!-- wp:");
        let mut left = MOST;
        let mut html = String::with_capacity(raw.len());
        self.blocks(raw, &mut Vec::new(), &mut left, &mut html);
        let html = self.site.marks().texturize(&autoembed(&html));
        let html = if is_of_blocks { html } else { without_paragraphs(&autop(&html)) };
        let mut shortcodes =
            Shortcodes { site: self.site, post: self.post, players: [0; 2], galleries: 0, left: MOST_SHOWN };
        smilies(&self.site.marks().capital_p(shortcodes.render(&html)))
    }

    /// Appends a text without the comments that delimit blocks.
    fn blocks(&mut self, raw: &str, within: &mut Vec<i64>, left: &mut usize, out: &mut String) {
        let mut rest = raw;
        while let Some(at) = rest.find("<!-- ") {
            let comment = &rest[at..];
            let Some(end) = comment.find("-->").map(|end| end + 3) else { break };
            let inside = comment["<!-- ".len()..end - 3].trim();
            let Some(block) = inside.strip_prefix("wp:").or(inside.strip_prefix("/wp:")) else {
                out.push_str(&rest[..at + end]);
                rest = &comment[end..];
                continue;
            };
            out.push_str(&rest[..at]);
            rest = &comment[end..];
            if let Some(block) = block.strip_suffix('/') {
                let (name, attributes) = block.split_once(char::is_whitespace).unwrap_or((block, ""));
                self.without_content(name.trim(), attributes, within, left, out);
            }
        }
        out.push_str(rest);
    }

    /// Appends the text of a block that is empty in the content; `within` are the reusable blocks around it.
    fn without_content(
        &mut self,
        name: &str,
        attributes: &str,
        within: &mut Vec<i64>,
        left: &mut usize,
        out: &mut String,
    ) {
        match name {
            "block" => {
                let attributes: Option<Value> = serde_json::from_str(attributes).ok();
                let own = attributes.and_then(|attributes| attributes["ref"].as_i64()).unwrap_or_default();
                let site = self.site;
                if let Some(text) = site.blocks.get(&own) {
                    // A block that contains itself is empty.
                    if !within.contains(&own) && within.len() < DEPTH && *left > text.len() {
                        *left -= text.len() + 1;
                        within.push(own);
                        self.blocks(text, within, left, out);
                        within.pop();
                    }
                    return;
                }
            }
            "footnotes" => return footnotes(self.footnotes, out),
            _ => {}
        }
        if self.dynamic.len() < NAMES || self.dynamic.contains_key(name) {
            *self.dynamic.entry(name.to_owned()).or_default() += 1;
        }
    }
}

/// Appends the block of footnotes, from `[{"id":…,"content":…}]`.
fn footnotes(meta: &str, out: &mut String) {
    let Ok(Value::Array(notes)) = serde_json::from_str(meta) else { return };
    out.push_str("<ol class=\"wp-block-footnotes\">");
    for note in &notes {
        let (id, content) = (note["id"].as_str().unwrap_or_default(), note["content"].as_str().unwrap_or_default());
        let id: String = id.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        let _ = write!(out, "<li id=\"{id}\">{content} <a href=\"#{id}-link\">\u{21a9}\u{fe0e}</a></li>");
    }
    out.push_str("</ol>");
}

/// Removes paragraphs around shortcodes, as `shortcode_unautop()` does.
fn without_paragraphs(html: &str) -> String {
    if !html.contains("<p>[") {
        return html.to_owned();
    }
    let mut out = String::with_capacity(html.len());
    for (number, part) in html.split("<p>").enumerate() {
        let inside = part.split_once("</p>").filter(|_| number > 0);
        let is_shortcode = |text: &str| {
            let text = text.trim();
            let first = tags(text).next().filter(|(at, tag)| *at == 0 && is_own(tag.name));
            first.is_some_and(|(_, tag)| tag.end == text.len() || text.ends_with(&format!("[/{}]", tag.name)))
        };
        match inside.filter(|(text, _)| is_shortcode(text)) {
            Some((text, after)) => out.extend([text, after]),
            None if number > 0 => out.extend(["<p>", part]),
            None => out.push_str(part),
        }
    }
    out
}
