//! Removes the sentence that SEO plugins put after or before each entry of a feed ("The post X appeared first on Y"). It is recognised by
//! repetition: except for titles and links, it is the same in most entries of a site. A site in several languages has one for each.

use super::entry::FeedEntry;
use super::whole::{first_paragraph, last_paragraph};
use std::collections::HashMap;
use std::sync::OnceLock;
use xxhash_rust::xxh3::xxh3_64;

/// Different sentences that are counted: a site has one or two.
const MOST: usize = 10_000;

/// A sentence that is repeated is in more than one of so many entries.
const PART: u64 = 20;

/// Bytes of the shortest title that is replaced in a sentence: a shorter one may be part of any word.
const SHORTEST: usize = 8;

/// The first and last paragraphs of a site's entries, with the number of entries that have each.
#[derive(Default)]
pub(crate) struct Appended {
    entries: u64,
    /// The key says whether it is a last paragraph.
    counts: HashMap<(bool, u64), u64>,
    /// How many paragraphs are repeated ones.
    repeated: OnceLock<u64>,
}

impl Appended {
    /// Counts an entry.
    pub(crate) fn count(&mut self, entry: &FeedEntry) {
        let Some(html) = entry.content.as_deref().or(entry.excerpt.as_deref()).filter(|_| entry.comment.is_none())
        else {
            return;
        };
        self.entries += 1;
        let ends = last_of(html, entry).map(|end| (true, end.1));
        for end in ends.chain(first_of(html, entry).map(|end| (false, end.1))) {
            if self.counts.len() < MOST || self.counts.contains_key(&end) {
                *self.counts.entry(end).or_default() += 1;
            }
        }
    }

    /// Removes from the content and the excerpt of an entry the sentence that most entries have, or its wording in one of the languages.
    pub(crate) fn remove(&self, entry: &mut FeedEntry) {
        let is_repeated = |count: &u64| *count > 1 && *count * PART > self.entries;
        let sum = || self.counts.values().filter(|count| is_repeated(count)).sum();
        if self.repeated.get_or_init(sum) * 2 <= self.entries {
            return;
        }
        let is_usual = |is_last: bool, sentence: u64| self.counts.get(&(is_last, sentence)).is_some_and(is_repeated);
        let cut = |html: Option<&String>, entry: &FeedEntry| {
            let html = html?;
            let end = last_of(html, entry).take_while(|end| is_usual(true, end.1)).last().map(|end| end.0);
            let start = first_of(html, entry).filter(|end| is_usual(false, end.1)).map(|end| end.0);
            let (start, end) = (start.unwrap_or(0), end.unwrap_or(html.len()));
            (start > 0 || end < html.len()).then(|| html.get(start..end).unwrap_or_default().to_owned())
        };
        let (content, excerpt) = (cut(entry.content.as_ref(), entry), cut(entry.excerpt.as_ref(), entry));
        entry.content = content.or(entry.content.take());
        entry.excerpt = excerpt.or(entry.excerpt.take());
    }
}

/// Where the last paragraph begins, and a hash of it without title and link, if it links to the entry (a text may end in the same words);
/// then the same for the paragraph before it, since a site may have two such plugins.
fn last_of(html: &str, entry: &FeedEntry) -> impl Iterator<Item = (usize, u64)> {
    let before = |end: usize| {
        let at = last_paragraph(&html[..end])?;
        Some((at, sentence(html[at..end].trim_end(), entry)?))
    };
    std::iter::successors(before(html.len()), move |(at, _)| before(*at)).take(2)
}

/// Like [`last_of`], for the first paragraph and its end.
fn first_of(html: &str, entry: &FeedEntry) -> Option<(usize, u64)> {
    let end = first_paragraph(html)?;
    Some((end, sentence(html[..end].trim_start(), entry)?))
}

/// A hash of a paragraph without the title and the link of its entry; `None` if the paragraph does not link to the entry.
fn sentence(paragraph: &str, entry: &FeedEntry) -> Option<u64> {
    let after_host = entry.link.split_once("://")?.1;
    let path = after_host.find('/').map_or("", |at| &after_host[at..]);
    let quoted = |link: &str| ['"', '\''].iter().find_map(|quote| paragraph.find(&format!("{quote}{link}{quote}")));
    // Some mirrors omit the host.
    let at = quoted(&entry.link).or_else(|| quoted(path).filter(|_| path.len() > 1))?;
    let (before, rest) = paragraph.split_at(paragraph[..at].rfind("<a ")?);
    let plain = [before, rest.split_once("</a>")?.1].join("LINK");
    let title = entry.title.as_deref().filter(|title| title.len() >= SHORTEST);
    Some(xxh3_64(title.map_or(plain.clone(), |title| plain.replace(title, "TITLE")).as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(path: &str, title: &str, content: &str) -> FeedEntry {
        let (link, title) = (format!("https://a.example{path}"), Some(title.to_owned()));
        FeedEntry { link, title, content: Some(content.to_owned()), ..FeedEntry::default() }
    }

    fn remove(mut entries: Vec<FeedEntry>) -> Vec<String> {
        let mut appended = Appended::default();
        entries.iter().for_each(|entry| appended.count(entry));
        entries.iter_mut().for_each(|entry| appended.remove(entry));
        entries.into_iter().filter_map(|entry| entry.content).collect()
    }

    #[test]
    fn what_most_entries_end_or_begin_with_is_removed() {
        let said = |path: &str| {
            format!("<p>The post <a href=\"https://a.example{path}\">&#8216;X&#8217;</a> appeared first on A.</p>")
        };
        let with = |path: &str, title: &str| entry(path, title, &format!("<p>{title}</p>\n{}\n", said(path)));
        let entries = vec![with("/a/", "A"), with("/b/", "B"), entry("/c/", "C", "<p>C</p>")];
        assert_eq!(remove(entries), ["<p>A</p>\n", "<p>B</p>\n", "<p>C</p>"]);
        let before = |path: &str| entry(path, "A", &format!("<p><a href='{path}'>A</a> is on A.</p><p>A</p>"));
        assert_eq!(remove(vec![before("/a/"), before("/b/")]), ["<p>A</p>", "<p>A</p>"]);
        let twice = |path: &str| {
            entry(
                path,
                "A",
                &["<p>A</p>".to_owned(), said(path), said(path).replace("appeared first", "first appeared")].join("\n"),
            )
        };
        assert_eq!(remove(vec![twice("/a/"), twice("/b/")]), ["<p>A</p>\n", "<p>A</p>\n"]);
        // each language has its own
        let spanish = |path: &str| {
            let said = format!("<p>La entrada <a href=\"https://a.example{path}\">X</a> aparece primero en A.</p>");
            entry(path, "Uno", &format!("<p>Uno</p>\n{said}\n"))
        };
        let entries = vec![with("/a/", "A"), with("/b/", "B"), spanish("/es/a/"), with("/c/", "C"), spanish("/es/b/")];
        assert!(remove(entries).iter().all(|html| html.matches("<p>").count() == 1));
        // one entry does not show which sentence is usual
        assert_eq!(remove(vec![with("/a/", "A")])[0].matches("<p>").count(), 2);
    }

    #[test]
    fn what_the_posts_themselves_say_stays() {
        let thanks =
            |path: &str| entry(path, "A", "<p>A</p><p>Thanks for <a href=\"https://a.example/\">reading</a>.</p>");
        assert!(remove(vec![thanks("/a/"), thanks("/b/")]).iter().all(|html| html.contains("Thanks")));
        let own = |path: &str, text: &str| {
            entry(path, "A", &format!("<p>A</p><p>{text} <a href=\"https://a.example{path}\">here</a>.</p>"))
        };
        let entries = vec![own("/a/", "See"), own("/b/", "It was"), own("/c/", "More")];
        assert!(remove(entries).iter().all(|html| html.contains("here")));
    }
}
