//! Finds the entries of a feed and parses each, in any of the three formats.

use super::entry::FeedEntry;
use super::whole::{self, Content};
use crate::ndjson::begins_with_bracket;
use crate::record::dates;
use crate::urls::{PageUrl, UrlKey, bare_host, is_address, join};
use crate::wordpress::{Object, comment_of, is_query_variable, parameters, shortlinks, without_query};
use crate::xml::{self, Element, Entries, Names};
use memchr::memmem;
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};
use std::io::{self, Read};
use xxhash_rust::xxh3::Xxh3;

/// The elements of an entry in the three formats, and those that give the address of the feed and when it was built.
const NAMES: Names = Names {
    entries: &["item", "entry"],
    fields: &["link", "atom:link", "lastBuildDate"],
    texts: &["content", "content:encoded", "description", "summary"],
    namespaces: &[
        ("http://purl.org/rss/1.0/", ""),
        ("http://purl.org/rss/1.0/modules/content/", "content"),
        ("http://purl.org/dc/elements/1.1/", "dc"),
        ("http://purl.org/rss/1.0/modules/slash/", "slash"),
        ("http://purl.org/syndication/thread/1.0", "thr"),
        ("http://www.w3.org/2005/Atom", "atom"),
        ("http://rssnamespace.org/feedburner/ext/1.0", "feedburner"),
    ],
};

/// The root elements of feeds.
const AROUND: [&[u8]; 3] = [b"<rss", b"<feed", b"<rdf:RDF"];

/// Root elements with a namespace prefix, which no other kind of document has.
const PREFIXED: [&[u8]; 2] = [b":feed", b":RDF"];

/// Starts of the links in a template from which a generator of static sites makes a feed.
const TEMPLATES: [&[u8]; 2] = [b"<link>{{", b"<id>{{"];

/// Tags that no feed has before its root element.
const HTML: [&[u8]; 3] = [b"<html", b"<!doctype html", b"<body"];

/// Bytes at the start of a file that decide whether it is a feed.
pub(crate) const START: usize = 4096;

/// Post types that would be confused with other kinds of records.
const RESERVED: [&str; 9] = ["attachment", "media", "comment", "category", "tag", "post_tag", "user", "html", "end"];

/// An element found in a feed.
pub(super) enum FeedElement {
    /// An entry; if it means the same in any feed of the site, a hash of its bytes and the site.
    Entry(Box<FeedEntry>, Option<u128>),
    /// An entry that the caller knows by that hash.
    Known,
    /// An entry that is not a post or comment of the site: its link leads to another host, if the site quotes or collects entries of
    /// others, or to a part of a page, as for a reply in a forum.
    Foreign,
    /// An entry that cannot be read: its line, the error, and its first bytes.
    Broken(u64, String, Vec<u8>),
}

/// Whether a file with this start is a feed. Messages of PHP may precede it.
pub(crate) fn is_feed(start: &[u8]) -> bool {
    let first = start.trim_ascii_start();
    let begins = |tag: &[u8]| first.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
    if HTML.iter().any(|tag| begins(tag)) {
        return false;
    }
    let is_tag = |at: usize, name: &[u8]| {
        start.get(at + name.len()).is_none_or(|next| next.is_ascii_whitespace() || *next == b'>')
    };
    let find = |name: &[u8]| memmem::find_iter(start, name).find(|&at| is_tag(at, name));
    // The prefix may have any name.
    let prefixed = |name: &[u8]| {
        let at = start[..find(name)?].iter().rposition(|b| *b == b'<')?;
        let is_name = start[at + 1..].iter().take_while(|b| **b != b':').all(u8::is_ascii_alphanumeric);
        is_name.then_some(at)
    };
    let roots = AROUND.iter().filter_map(|name| find(name));
    let Some(at) = roots.chain(PREFIXED.iter().filter_map(|name| prefixed(name))).min() else { return false };
    // WordPress exports are RSS, too.
    if memmem::find(&start[at..], b"wordpress.org/export/").is_some() {
        return false;
    }
    let before = start[..at].trim_ascii_start();
    let holds = |text: &[u8]| before.windows(text.len()).any(|window| window.eq_ignore_ascii_case(text));
    let is_prolog = before.is_empty() || holds(b"<?xml") || before.starts_with(b"<!--");
    // Web archives, programs of WordPress and JSON contain feeds without being one.
    // A template begins with its settings.
    let others = [&b"WARC/"[..], b"HTTP/", b"<?php", b"---"];
    let is_other = begins_with_bracket(start)
        || others.iter().any(|word| before.starts_with(word))
        || TEMPLATES.iter().any(|link| memmem::find(before_entries(&start[at..]), link).is_some());
    is_prolog && !is_other && !HTML.iter().any(|tag| holds(tag))
}

/// The start of a feed up to the title of its first entry: any text may follow.
fn before_entries(start: &[u8]) -> &[u8] {
    let entry = [&b"<item"[..], b"<entry"].into_iter().filter_map(|tag| memmem::find(start, tag)).min();
    let Some(entry) = entry else { return start };
    let text = [&b"<description"[..], b"<content", b"<summary"].into_iter();
    let text = text.filter_map(|tag| memmem::find(&start[entry..], tag)).min();
    &start[..text.map_or(start.len(), |text| entry + text)]
}

/// The address of a feed, its site, and its date.
struct Origin {
    /// The URL that its references are relative to.
    base: Option<PageUrl>,
    /// The hosts of the site, without `www.`.
    hosts: BTreeSet<String>,
    /// The keys of the front page of its blog, as the feed states it.
    homes: BTreeSet<String>,
    /// The hash of these, made for the first entry: nothing after that changes them.
    site: OnceCell<Xxh3>,
    /// When the feed was built, as RSS states it; empty if it does not.
    built: String,
}

impl Origin {
    fn new(url: Option<&str>) -> Self {
        let base = url.and_then(PageUrl::parse);
        let hosts = base.iter().map(|base| bare_host(base.host()).to_owned()).collect();
        Origin { base, hosts, homes: BTreeSet::new(), site: OnceCell::new(), built: String::new() }
    }

    /// Evaluates its date, or a link of the feed itself: to its site, or its own address.
    fn learn(&mut self, link: &Element) {
        if link.name == "lastBuildDate" {
            self.built = in_utc(&link.text).unwrap_or_default();
            return;
        }
        let href = if link.attribute("href").is_empty() { link.text.trim() } else { link.attribute("href") };
        let rel = link.attribute("rel");
        if matches!(rel, "" | "alternate") {
            self.homes
                .extend(join(self.base.as_ref(), href).and_then(|url| Some(UrlKey::new(&url)?.as_str().to_owned())));
        }
        let Some(url) = PageUrl::parse(href).filter(|_| matches!(rel, "" | "alternate" | "self")) else { return };
        self.hosts.insert(bare_host(url.host()).to_owned());
        self.base.get_or_insert(url);
    }

    /// Whether the base does not change the meaning of the links of an entry.
    fn is_free_of_base(element: &Element) -> bool {
        let is_atom = element.name == "entry";
        let guid = text(element, if is_atom { "id" } else { "guid" });
        link_of(element, is_atom).into_iter().chain(guid.as_deref()).all(|link| PageUrl::parse(link).is_some())
    }

    /// A hash of the bytes of an entry, and of the site that they belong to.
    fn hash(&self, raw: &[u8]) -> u128 {
        let site = || {
            let mut hasher = Xxh3::new();
            for part in self.hosts.iter().chain([&String::new()]).chain(&self.homes).chain([&String::new()]) {
                hasher.update(part.as_bytes());
                hasher.update(b"\0");
            }
            hasher
        };
        let mut hasher = self.site.get_or_init(site).clone();
        hasher.update(raw);
        hasher.digest128()
    }

    fn is_home(&self, page: &UrlKey) -> bool {
        self.homes.contains(page.as_str())
    }

    fn is_own(&self, url: &str) -> bool {
        PageUrl::parse(url).is_some_and(|url| self.hosts.contains(bare_host(url.host())))
    }
}

/// Reads the entries of a feed, in order.
pub(crate) struct FeedReader<'f, R> {
    pub(super) entries: Entries<R>,
    origin: Origin,
    file: &'f str,
    number: u64,
}

impl<'f, R: Read> FeedReader<'f, R> {
    /// Reads a feed that came from `url`, if that is known. An entry of more than `most` bytes is broken.
    pub(crate) fn new(reader: R, url: Option<&str>, file: &'f str, most: usize) -> Self {
        FeedReader { entries: Entries::new(reader, NAMES, most), origin: Origin::new(url), file, number: 0 }
    }

    /// The next entry; `None` at the end. `is_known` gets the hash of an entry, when its feed was built, and its number, before it is parsed.
    pub(super) fn next(&mut self, is_known: impl Fn(u128, &str, u64) -> bool) -> io::Result<Option<FeedElement>> {
        loop {
            let (mut hash, origin, number) = (None, &self.origin, self.number + 1);
            let known = |raw: &[u8]| is_known(*hash.insert(origin.hash(raw)), &origin.built, number);
            let Some(found) = self.entries.next_unless(known)? else { return Ok(None) };
            let Some(found) = found else {
                self.number += 1;
                return Ok(Some(FeedElement::Known));
            };
            let line = self.entries.begins_at;
            if let xml::Parsed::Element(element) = &found
                && !NAMES.entries.contains(&&*element.name)
            {
                if self.number == 0 {
                    self.origin.learn(element);
                }
                continue;
            }
            self.number += 1;
            return Ok(Some(match found {
                xml::Parsed::Element(element) => match entry(&element, &self.origin) {
                    Some(entry) if !self.origin.is_own(&entry.link) || is_part_of_page(&entry) => FeedElement::Foreign,
                    Some(entry) => {
                        let hash = hash.filter(|_| Origin::is_free_of_base(&element));
                        FeedElement::Entry(
                            Box::new(FeedEntry {
                                built: self.origin.built.clone(),
                                file: self.file.to_owned(),
                                number: self.number,
                                ..entry
                            }),
                            hash,
                        )
                    }
                    None => FeedElement::Broken(line, "an entry of a feed without a link".to_owned(), Vec::new()),
                },
                xml::Parsed::Broken(what, raw) => FeedElement::Broken(line, what, raw),
            }));
        }
    }
}

/// The URL of the next page of a feed that came from `url` (<https://www.rfc-editor.org/rfc/rfc5005>).
#[cfg(feature = "fetch")]
pub(crate) fn next_of(document: &[u8], url: &str) -> Option<String> {
    let mut entries = Entries::new(document, NAMES, 1 << 20);
    while let Ok(Some(found)) = entries.next() {
        let xml::Parsed::Element(element) = found else { continue };
        if NAMES.entries.contains(&&*element.name) {
            return None;
        }
        if matches!(element.attribute("rel"), "next" | "prev-archive") {
            return join(PageUrl::parse(url).as_ref(), element.attribute("href")).map(|url| url.into_owned());
        }
    }
    None
}

/// Whether an entry is only a part of the page at its link, and not a comment; `#more-12` means the post itself.
fn is_part_of_page(entry: &FeedEntry) -> bool {
    let fragment = entry.link.split_once('#').map_or("", |(_, fragment)| fragment);
    entry.comment.is_none() && !fragment.is_empty() && !fragment.starts_with("more")
}

/// Parses an entry; `None` if it has no link.
fn entry(element: &Element, origin: &Origin) -> Option<FeedEntry> {
    let is_atom = element.name == "entry";
    let link = link_of(element, is_atom)?;
    // Mirror programs that rewrite URLs leave this part of `&#038;`.
    let link = join(origin.base.as_ref(), &link.replace("#038;", "&"))?.into_owned();
    let comment = comment_of(&link);
    let guid = text(element, if is_atom { "id" } else { "guid" });
    let slug = without_query(&link).trim_end_matches('/').rsplit('/').next();
    let (guid_id, r#type) = guid.as_deref().map(|guid| in_guid(guid, origin, slug)).unwrap_or_default();
    let post_id = element.child("post-id").filter(|child| child.attribute("xmlns").contains("feed-additions"));
    let author = element.child("author").filter(|_| is_atom);
    let names = [author.and_then(|author| text(author, "name")), text(element, "dc:creator")];
    let date =
        |names: &[&str]| names.iter().find_map(|name| text(element, name)).map(|date| in_utc(&date).unwrap_or(date));
    let excerpt = text(element, if is_atom { "summary" } else { "description" });
    let encoded = text(element, if is_atom { "content" } else { "content:encoded" });
    let link = if comment.is_some() { link } else { without_noise(link) };
    // The excerpt of a comment is only its text without markup.
    let of_post = excerpt.filter(|_| comment.is_none());
    let mut entry = FeedEntry {
        comment,
        stated_id: post_id.and_then(|child| child.text.trim().parse().ok()),
        guid_id,
        r#type: r#type.filter(|_| comment.is_none()),
        guid: guid.filter(|_| comment.is_none()),
        title: text(element, "title").map(|title| html_of(title, element.child("title"))).filter(|_| comment.is_none()),
        author: names.into_iter().flatten().find(|name| !is_address(&xml::unescaped(name))),
        author_url: author
            .and_then(|author| text(author, "uri"))
            .filter(|url| comment.is_some() && PageUrl::parse(url).is_some()),
        // a plugin that translates pages writes feeds as HTML
        date_gmt: date(&["pubDate", "pubdate", "published", "dc:date"]),
        modified_gmt: date(&["updated"]).filter(|_| comment.is_none()),
        parent: element
            .child("thr:in-reply-to")
            .filter(|_| comment.is_some())
            .map(|parent| comment_of(parent.attribute("href")).unwrap_or(0)),
        comment_count: text(element, "slash:comments").and_then(|count| count.trim().parse().ok()),
        enclosures: enclosures(element, origin),
        terms: terms(element),
        ..FeedEntry::default()
    };
    let html = encoded.or_else(|| text(element, "description").filter(|_| comment.is_some())).unwrap_or_default();
    match whole::content(&html, of_post.as_deref(), &link) {
        Content::Whole(html) => entry.content = Some(html),
        Content::Protected => entry.is_protected = comment.is_none(),
        // Comments have no summaries, so the text is complete.
        Content::Absent if comment.is_some() => entry.content = Some(html).filter(|html| !html.is_empty()),
        Content::Absent => {}
    }
    if let Some((parent, text)) =
        entry.content.as_deref().and_then(|html| whole::answered(html, &link)).filter(|_| comment.is_some())
    {
        (entry.parent, entry.content) = (Some(parent), Some(text.to_owned()));
    }
    if entry.is_protected {
        // get_the_title(): "Protected: TITLE", with a colon in all languages.
        let bare = |title: String| {
            title.split_once([':', '：']).map(|(_, title)| title.trim_start().to_owned()).unwrap_or(title)
        };
        entry.title = entry.title.map(bare);
    }
    if entry.is_protected || entry.comment.is_some() {
        entry.enclosures.clear();
    }
    entry.excerpt = of_post.filter(|_| !entry.is_protected);
    entry.link = link;
    Some(entry)
}

/// The link of an entry. FeedBurner states the original one beside its own.
fn link_of(element: &Element, is_atom: bool) -> Option<&str> {
    let original = element.get("feedburner:origLink").trim();
    if ["http://", "https://"].iter().any(|scheme| original.starts_with(scheme)) {
        return Some(original);
    }
    if is_atom {
        let is_alternate = |link: &&Element| matches!(link.attribute("rel"), "" | "alternate");
        return element
            .all("link")
            .find(is_alternate)
            .map(|link| link.attribute("href"))
            .filter(|href| !href.is_empty());
    }
    let permalink = element.child("guid").filter(|guid| guid.attribute("isPermaLink") != "false");
    let links = [element.child("link"), permalink].into_iter().flatten().map(|link| link.text.trim());
    links.into_iter().find(|link| !link.is_empty())
}

/// The text of a child element, unless it is blank.
fn text(element: &Element, name: &str) -> Option<String> {
    Some(element.get(name)).filter(|text| !text.trim().is_empty()).map(|text| text.trim_start().to_owned())
}

/// A title or a name as HTML: Atom states whether it is HTML; RSS has plain text, but plugins write HTML there.
fn html_of(text: String, element: Option<&Element>) -> String {
    let text = text.trim_end();
    let is_html = element.is_some_and(|element| matches!(element.attribute("type"), "html" | "xhtml"));
    if is_html || xml::unescaped(text) != text {
        return text.to_owned();
    }
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The id in a guid, if the guid is from the feed's own blog, and the post type in it: `?post_type=boat&p=12`, or `?boat=SLUG` of a post that
/// was never a draft (`get_post_permalink()`).
fn in_guid(guid: &str, origin: &Origin, slug: Option<&str>) -> (Option<i64>, Option<String>) {
    let Some(url) = join(origin.base.as_ref(), guid) else { return (None, None) };
    let Some((_, query)) = url.split_once('?') else { return (None, None) };
    let query = query.split('#').next().unwrap_or_default();
    let id = shortlinks(query).find_map(|(object, id)| id.filter(|_| matches!(object, Object::Post)));
    let stated = || parameters(query).find(|(name, _)| *name == "post_type").map(|(_, value)| value);
    let of_slug = || query.split_once('=').filter(|(name, value)| Some(*value) == slug && !is_query_variable(name));
    let r#type = stated().or_else(|| Some(of_slug()?.0)).map(str::to_owned);
    let is_page = parameters(query).any(|(name, _)| name == "page_id");
    // register_post_type()
    let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_');
    let is_name = |name: &String| (1..=20).contains(&name.len()) && name.bytes().all(is_plain);
    let r#type = r#type.or_else(|| is_page.then(|| "page".to_owned())).filter(is_name);
    let r#type = r#type.filter(|name| !RESERVED.contains(&name.as_str()));
    let page = UrlKey::new(url.split('?').next().unwrap_or_default());
    let is_of_blog = origin.is_own(&url) && (origin.homes.is_empty() || page.is_some_and(|page| origin.is_home(&page)));
    (id.filter(|id| *id > 0 && is_of_blog), r#type)
}

/// Parses a date with its offset: `Tue, 05 May 2020 10:00:00 +0000`, or as in Atom.
fn in_utc(date: &str) -> Option<String> {
    dates::of_mail(date).or_else(|| dates::normalise(date))
}

/// The names of its terms, each once.
fn terms(element: &Element) -> Vec<String> {
    let named = element.all("category").chain(element.all("dc:subject"));
    let name = |term: &Element| {
        if term.text.trim().is_empty() { term.attribute("term").to_owned() } else { term.text.clone() }
    };
    let mut seen = HashSet::new();
    let names = named.map(|term| html_of(name(term).trim().to_owned(), None));
    names.filter(|name| !name.is_empty() && seen.insert(name.clone())).collect()
}

/// The URLs of the enclosures: elements in RSS (<https://www.rssboard.org/rss-specification>), links in Atom.
fn enclosures(element: &Element, origin: &Origin) -> Vec<String> {
    let links = element.all("link").filter(|link| link.attribute("rel") == "enclosure");
    let urls =
        element.all("enclosure").map(|file| file.attribute("url")).chain(links.map(|link| link.attribute("href")));
    let urls = urls.map(str::trim).filter(|url| !url.is_empty());
    urls.filter_map(|url| join(origin.base.as_ref(), url)).map(|url| url.into_owned()).collect()
}

/// A link without the parameters by which a site counts visitors from its feeds.
fn without_noise(link: String) -> String {
    let clean = UrlKey::new(&link).and_then(|key| key.without_noise());
    match clean.map(|key| key.query().map(str::to_owned)) {
        None => link,
        Some(query) => {
            let page = without_query(&link);
            query.map_or_else(|| page.to_owned(), |query| format!("{page}?{query}"))
        }
    }
}
