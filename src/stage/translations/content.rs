//! Takes content from the page: for records that were read from it, and for records whose API content is empty although their page's is
//! not.

use super::about::{About, is_front_page};
use super::doubt::{Doubts, PageKind};
use super::files::Pages;
use super::samples::Templates;
use super::schema;
use super::terms;
use crate::html::embeds::{add_enclosures, is_enclosure};
use crate::html::{self, Extracted, Extractor, Missing};
use crate::ndjson::{Object, Str, Walk, write_json};
use crate::page::{
    ContentBuffer, ContentSelectors, Explained, Head, MainContent, PageBuffer, PageReader, PageStatements, Site,
    main_content, with_whole_urls,
};
use crate::record::{Author, Content, Embed, Rendered, Scrape, is_of_page};
use crate::report::{Error, Notes};
use crate::rights::Listener;
use crate::urls::PageUrl;
use crate::wordpress::{BodyClass, mime_of};
use memchr::{memchr2, memrchr_iter};
use serde::Serialize;
use std::io::{self, Read};

/// The most further pages of a post that are read.
const MOST_PAGES: usize = 1000;

/// The user's selectors of main content; `None` for the built-in ones.
pub(super) fn selectors(own: &[String]) -> Result<Option<ContentSelectors>, Error> {
    if own.is_empty() {
        return Ok(None);
    }
    let selectors = ContentSelectors::with_content(own);
    selectors.map(Some).map_err(|what| Error::Fatal(format!("--content-selector {what}")))
}

/// The facts that are known about a page before its body is read.
pub(super) struct Paper<'p> {
    pub(super) head: &'p Head,
    pub(super) url: Option<&'p PageUrl>,
    pub(super) scrape: &'p Scrape<'p>,
}

/// Fills records from their pages.
pub(super) struct Filler<'o> {
    options: &'o html::Options,
    selectors: Option<&'o ContentSelectors>,
    /// The longest record, in bytes.
    most: usize,
    /// Whether the last page was read to its end.
    pub(super) has_read: bool,
    /// The content that the last record got from its page, as HTML.
    pub(super) taken: Option<String>,
    /// The contents of the further pages of the record's post.
    next: Vec<NextPage>,
    /// The place of content of the last site, with the selectors that begin with it.
    place: Option<(String, Result<ContentSelectors, String>)>,
    buffer: ContentBuffer,
    rendered: Extractor,
    /// The extractor for records whose texts follow wpextract's rules.
    peer: Option<Extractor>,
}

impl<'o> Filler<'o> {
    pub(super) fn new(options: &'o html::Options, selectors: Option<&'o ContentSelectors>, most: usize) -> Self {
        let rendered = Extractor::new(html::Options { wpextract: false, ..options.clone() }).bounded(most);
        Filler {
            options,
            selectors,
            most,
            has_read: false,
            taken: None,
            next: Vec::new(),
            place: None,
            buffer: ContentBuffer::default(),
            rendered,
            peer: None,
        }
    }

    /// Makes the filler explain why each text of a page is content or not.
    pub(super) fn explaining(mut self) -> Self {
        self.buffer.explain();
        self
    }

    /// Reads the contents of the further pages of a record's post, to be joined to that of its page; returns why some cannot be read.
    pub(super) fn read_next(
        &mut self,
        object: &Object<'_>,
        scrape: &Scrape<'_>,
        pages: &mut Pages<'_>,
        templates: &Templates,
    ) -> Vec<String> {
        let mut unread = Vec::new();
        if scrape.next_pages.is_empty() || Door::of(object) == Door::Other || is_full(object) {
            return unread;
        }
        let slot = templates.learn(scrape, pages);
        let selectors = self.selectors.unwrap_or_else(|| learnt(&mut self.place, scrape));
        if scrape.next_pages.len() > MOST_PAGES {
            unread.push(format!("a post of more than {MOST_PAGES} pages: the others are not read"));
        }
        for page in scrape.next_pages.iter().take(MOST_PAGES) {
            // With more, the record is too long.
            if self.next.iter().map(|page| page.html.len()).sum::<usize>() > self.most {
                break;
            }
            let own = Scrape { root: scrape.root.clone(), file: page.file.clone(), ..Scrape::default() };
            let url = page.url.as_deref().and_then(PageUrl::parse);
            let site = || slot.learnt()?.site(&own);
            let read = pages.read(&own, &mut PageBuffer::default(), |html| {
                main_content(html, selectors, &mut self.buffer, &mut (), site).0
            });
            match read {
                Ok(main) => {
                    let html = main.map(|main| with_whole_urls(main.html, url.as_ref())).unwrap_or_default();
                    let file = page.file.as_deref().unwrap_or_default().to_owned();
                    self.next.push(NextPage { file, html, explained: self.buffer.take_explained() });
                }
                Err(what) => unread.push(what),
            }
        }
        unread
    }

    /// Reads the rest of the page and fills the record, if it needs content and the page has some. `site` is asked for the template of the
    /// site if no selector knows the place of the content; `listener` gets the events of the page of a record that was read from it. Returns
    /// the number of images and embeds in the content without a URL; `None` if the record would be too long with the content.
    pub(super) fn fill<R: Read>(
        &mut self,
        object: &mut Object<'_>,
        page: &mut PageReader<R>,
        paper: &Paper<'_>,
        listener: &mut Listener<'_>,
        site: impl FnOnce() -> Option<Site>,
        notes: &mut Notes,
    ) -> io::Result<Option<Missing>> {
        let head = paper.head;
        (self.has_read, self.taken) = (false, None);
        let mut next = std::mem::take(&mut self.next);
        let door = Door::of(object);
        let of_page = door == Door::Page;
        if door == Door::Other {
            return Ok(Some(Missing::default()));
        }
        let is_full = is_full(object);
        let of_feed = door == Door::Feed;
        if !of_page && !of_feed {
            self.name_author(object, paper, page.is_of_wordpress(head));
        }
        if is_full && !of_feed || !of_page && head.classes().is_home() {
            return Ok(Some(Missing::default()));
        }
        let selectors = self.selectors.unwrap_or_else(|| learnt(&mut self.place, paper.scrape));
        self.has_read = true;
        notes.count(super::ASKED, u64::from(!is_full));
        let body = page.body_start();
        let (main, stated) = page.whole(|html| {
            // Most pages have no statements to listen to.
            if of_page && listener.begin(html, body) {
                return main_content(html, selectors, &mut self.buffer, listener, site);
            }
            main_content(html, selectors, &mut self.buffer, &mut (), site)
        })?;
        if is_full {
            self.buffer.take_explained();
        }
        let link = object.text("link");
        let explained = self.buffer.take_explained();
        write_explained(explained, link.as_deref(), paper.scrape.file.as_deref(), notes);
        for page in &mut next {
            write_explained(std::mem::take(&mut page.explained), link.as_deref(), Some(&page.file), notes);
        }
        if self.selectors.is_some() && !is_full {
            notes.count("content_selector_tried", 1);
            notes.count("content_selector_matched", u64::from(main.is_some()));
        }
        let extractor = self.extractor(object);
        if of_page || of_feed {
            describe(object, paper, &stated, page.is_of_wordpress(head), extractor, notes);
        }
        if is_full {
            return Ok(Some(Missing::default()));
        }
        if stated.is_notice {
            object.set_json("copy_source", &"notice");
            notes.count("notices", 1);
        }
        let Some(mut main) = main else { return Ok(Some(Missing::default())) };
        main.html = joined(main.html, &next, extractor);
        Ok(self.put_content(object, main, paper, notes))
    }

    /// Gives the record the content of its page. Returns what its images and embeds lack; `None` if the record would be too long.
    fn put_content(
        &mut self,
        object: &mut Object<'_>,
        main: MainContent,
        paper: &Paper<'_>,
        notes: &mut Notes,
    ) -> Option<Missing> {
        main.rules.iter().for_each(|rule| notes.count_named("rules", rule.name()));
        let mut missing = Missing::default();
        let extracted = self.extractor(object).content(&main.html, paper.url);
        if extracted.is_too_long {
            return None;
        }
        if !extracted.text.is_empty() || !extracted.images.is_empty() || !extracted.embeds.is_empty() {
            missing = extracted.missing();
            if is_media(object) {
                put_file(object, &main.html, &extracted, paper.head.classes());
            } else {
                put(object, &main.html, extracted);
                object.set_json("content_rule", &main.rule);
                object.set_json("content_share", &main.share);
                // The share was measured with the built-in selectors.
                let doubt = || Doubts::builtin().of(kind_of(paper), main.texts, main.dropped);
                object.set_json("content_doubt", &self.selectors.is_none().then(doubt));
            }
            notes.count("content_from_page", 1);
            self.taken = Some(main.html);
        }
        Some(missing)
    }

    /// Adds the author that the head of a post's page states, if the API names none.
    fn name_author(&mut self, object: &mut Object<'_>, paper: &Paper<'_>, is_of_wordpress: bool) {
        if !object.get("authors").is_some_and(super::is_empty_list) {
            return;
        }
        let (schema, stated) = (schema::of(&paper.head.json_ld), PageStatements::default());
        let about = About::new(paper, &stated, &schema, is_of_wordpress);
        put_author(object, about.author(self.extractor(object)).as_deref());
    }

    fn extractor(&mut self, object: &Object<'_>) -> &mut Extractor {
        if object.text("text_rules").as_deref() != Some("wpextract") {
            return &mut self.rendered;
        }
        self.peer.get_or_insert_with(|| {
            Extractor::new(html::Options { wpextract: true, ..self.options.clone() }).bounded(self.most)
        })
    }
}

/// A further page of a post of several: its file, its content, and why each of its texts is content or not.
struct NextPage {
    file: String,
    html: String,
    explained: Vec<Explained>,
}

/// The content of all pages of a post, as the API gives it: with WordPress' mark (`<!--nextpage-->`) between two pages. Pages that repeat
/// an earlier one are left out: a site shows such a page at a page number that the post does not have.
fn joined(first: String, next: &[NextPage], extractor: &mut Extractor) -> String {
    if next.is_empty() {
        return first;
    }
    // A page without a text may have pictures; one that is too long makes the record too long.
    let mut own = |html: &str| {
        let extracted = extractor.content(html, None);
        let is_told_by_html = extracted.is_too_long || extracted.text.is_empty();
        if is_told_by_html { html.trim().to_owned() } else { extracted.text.clone() }
    };
    let mut known = vec![String::new(), own(&first)];
    let mut whole = first;
    for page in next {
        let own = own(&page.html);
        if !known.contains(&own) {
            whole.push_str("\n<!--nextpage-->\n");
            whole.push_str(&page.html);
            known.push(own);
        }
    }
    whole
}

/// Writes a line for each text of a page, with the reason why it is content or not, to the file of `--explain`.
fn write_explained(texts: Vec<Explained>, link: Option<&str>, file: Option<&str>, notes: &mut Notes) {
    let mut line = Vec::new();
    for text in texts {
        write_json(&mut line, &Line { link, file, text });
        line.push(b'\n');
    }
    notes.aside(&line);
}

/// The selectors that begin with the place where the site of a page has its contents, if that is known and a selector; otherwise the
/// built-in ones, which are compiled when the first page needs them: this saves 0.6 ms of start-up.
fn learnt<'p>(
    last: &'p mut Option<(String, Result<ContentSelectors, String>)>,
    scrape: &Scrape<'_>,
) -> &'p ContentSelectors {
    let Some(place) = scrape.place.content.as_deref() else { return ContentSelectors::builtin() };
    if last.as_ref().is_none_or(|(known, _)| known != place) {
        *last = Some((place.to_owned(), ContentSelectors::with_place(place)));
    }
    last.as_ref().and_then(|(_, own)| own.as_ref().ok()).unwrap_or_else(|| ContentSelectors::builtin())
}

/// The kind of a page, by its address and the classes of its body.
fn kind_of(Paper { head, url, .. }: &Paper<'_>) -> PageKind {
    let body = head.classes();
    match is_front_page(head, *url) {
        true => PageKind::Front,
        false if body.is_singular() && !body.has(&["page"]) => PageKind::Post,
        false => PageKind::Other,
    }
}

/// A line of `--explain`: a text, and the page that it is on.
#[derive(Serialize)]
struct Line<'l> {
    link: Option<&'l str>,
    file: Option<&'l str>,
    #[serde(flatten)]
    text: Explained,
}

/// Fills in the statements of a page without a record about itself: title, dates, author, section, terms, featured image. For a post from a
/// feed, fills in only what the feed does not state.
fn describe(
    object: &mut Object<'_>,
    paper: &Paper<'_>,
    stated: &PageStatements,
    is_of_wordpress: bool,
    extractor: &mut Extractor,
    notes: &mut Notes,
) {
    let schema = schema::of(&stated.json_ld);
    let about = About::new(paper, stated, &schema, is_of_wordpress);
    let of_page = Door::of(object) == Door::Page;
    let lacks = |object: &Object<'_>, key: &str| of_page || object.get(key).is_none_or(has_nothing);
    if lacks(object, "title") {
        object.set_json("title", &about.title(extractor));
    }
    let lacks_any = |keys: [&str; 3]| keys.iter().any(|key| lacks(object, key));
    let dates = lacks_any(["date", "date_gmt", "modified_gmt"]).then(|| about.dates(extractor));
    let author = if lacks(object, "author_name") { about.author(extractor) } else { None };
    let dates = dates
        .into_iter()
        .flat_map(|dates| [("date", dates.local), ("date_gmt", dates.published), ("modified_gmt", dates.modified)]);
    let said: Vec<(&str, Option<String>)> =
        dates.chain([("author_name", author), ("section", about.section())]).collect();
    about.decided().into_iter().for_each(|rule| notes.count_named("rules", rule.name()));
    let is_media = is_media(object);
    for (key, value) in said.iter().filter(|(key, value)| value.is_some() && !(is_media && *key == "section")) {
        if lacks(object, key) {
            object.set_json(key, value);
            if *key == "author_name" && !is_media {
                put_author(object, value.as_deref());
            }
        }
    }
    if is_media {
        return;
    }
    let mut terms = terms::terms(stated, paper.url, extractor, notes);
    let named = object.get("terms").filter(|_| !lacks(object, "terms")).map(str::to_owned);
    if let Some(named) = &named {
        terms = terms::completed(named, terms);
    }
    if !terms.is_empty() {
        object.set_json("terms", &terms);
    }
    if lacks(object, "featured_image")
        && let Some(image) = terms::featured_image(stated, paper.url, extractor)
    {
        object.set_json("featured_image", &image);
    }
}

/// Whether a value is null, an empty list, or an object of nulls.
fn has_nothing(json: &str) -> bool {
    let of_nulls = |object: Object<'_>| object.iter().all(|(_, value)| has_nothing(value));
    super::is_empty_list(json) || json.starts_with('{') && Object::parse_str(json).is_ok_and(of_nulls)
}

/// Where a record comes from, which decides what its page may fill.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Door {
    /// It was read from the page: all its fields are the page's statements.
    Page,
    /// A post from a feed.
    Feed,
    /// A post from the API or an export.
    Item,
    /// Any other record: its content is never taken from the page.
    Other,
}

impl Door {
    fn of(object: &Object<'_>) -> Self {
        let (kind, via) = (object.text("kind"), object.text_in("source", "via"));
        match (kind.as_deref(), via.as_deref()) {
            (kind, via) if is_of_page(kind, via) => Door::Page,
            (Some("post"), Some("feed")) => Door::Feed,
            (Some("post"), _) => Door::Item,
            _ => Door::Other,
        }
    }
}

/// Whether a record is a media file, which has a description where posts have a content.
fn is_media(object: &Object<'_>) -> bool {
    object.text("kind").as_deref() == Some("media")
}

/// Whether the content is not to be taken from the page: there is one, or it needs a password in one place, and is not taken from another.
fn is_full(object: &Object<'_>) -> bool {
    !is_empty(object) || is_protected(object)
}

fn is_protected(object: &Object<'_>) -> bool {
    object.get_in("content", "protected") == Some("true")
}

/// Sets the author that the page states.
fn put_author(object: &mut Object<'_>, name: Option<&str>) {
    if let Some(name) = name {
        object.set_json("author_name", &name);
        let name = Some(Str::from(name));
        object.set_json("authors", &[Author { name, source: Some("page".into()), ..Author::default() }]);
    }
}

fn put(object: &mut Object<'_>, html: &str, mut extracted: Extracted<'_>) {
    let content = Content {
        html: Some(html.into()),
        hash: html::hash(&extracted.text).map(Str::from),
        text: Some(extracted.text.into()),
        protected: object.get_in("content", "protected").and_then(|json| json.parse().ok()),
    };
    object.set_json("content", &content);
    object.set_json("content_source", &"scrape");
    object.set_json("links", &extracted.links);
    object.set_json("images", &extracted.images);
    let known: Vec<Embed<'_>> = object.read("embeds");
    let enclosures = known.iter().filter(|embed| is_enclosure(embed)).filter_map(|embed| embed.url.as_deref());
    add_enclosures(&mut extracted.embeds, enclosures);
    object.set_json("embeds", &extracted.embeds);
}

/// Fills in what an attachment page shows of its file. Its content is what the API has as the description (`prepend_attachment()`).
fn put_file(object: &mut Object<'_>, html: &str, extracted: &Extracted<'_>, classes: BodyClass<'_>) {
    let description = Rendered { html: Some(html.into()), text: Some(extracted.text.as_str().into()) };
    object.set_json("description", &description);
    object.set_json("links", &extracted.links);
    object.set_json("images", &extracted.images);
    let links = extracted.links.iter().map(|link| (&link.url, None));
    let embeds = extracted.embeds.iter().map(|embed| (&embed.url, None));
    let images = extracted.images.iter().map(|image| (&image.url, image.alt.as_deref()));
    let files = links.chain(embeds).chain(images).filter_map(|(url, alt)| Some((url.as_deref()?, alt)));
    let mut files = files.filter(|(url, _)| classes.is_of_file(mime_of(url)));
    let Some((url, alt)) = files.next() else { return };
    let mime = mime_of(url);
    let alt = alt.or_else(|| files.find_map(|(_, alt)| alt));
    object.set_json("source_url", &url);
    object.set_json("mime_type", &mime);
    object.set_json("media_type", &if mime.starts_with("image/") { "image" } else { "file" });
    if let Some(alt) = alt {
        object.set_json("alt_text", &alt);
    }
}

/// Whether the record has nothing to read or see: no text, no image, no embed but enclosures.
fn is_empty(object: &Object<'_>) -> bool {
    let none = |key: &str| object.get(key).is_none_or(super::is_empty_list);
    let has_embed = || {
        let embeds: Vec<Embed<'_>> = object.read("embeds");
        !embeds.iter().all(is_enclosure)
    };
    let text = if is_media(object) { "description" } else { "content" };
    none("images") && !object.get(text).is_some_and(has_text) && (none("embeds") || !has_embed())
}

/// Whether the `text` of this content is a non-empty string.
fn has_text(content: &str) -> bool {
    text_of(content).is_some_and(|text| text.starts_with('"') && text.len() > 2)
}

/// The beginning of the text of a content, at most `most` bytes of the JSON between its quotes, by which its script is recognised.
pub(super) fn beginning(content: &str, most: usize) -> Option<&str> {
    // In JSON, these bytes can only be a key. Reading the HTML before them took a tenth of the time for heads, and the text after them has
    // few quotes.
    let key = b",\"text\":\"";
    let is_key = |at: &usize| content.as_bytes()[..=*at].ends_with(key);
    if content.starts_with("{\"html\":\"")
        && let Some(at) = memrchr_iter(b'"', content.as_bytes()).find(is_key)
    {
        return Some(cut(&content[at + 1..], most));
    }
    Some(cut(text_of(content)?.strip_prefix('"')?, most))
}

/// The part of a string before its closing quote, at most `most` bytes; no escape is cut in two.
fn cut(text: &str, most: usize) -> &str {
    let window = &text.as_bytes()[..text.len().min(most + 1)];
    let (mut at, mut escape) = (0, None);
    while let Some(n) = window.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        if window[at + n] == b'"' {
            return &text[..at + n];
        }
        escape = Some(at + n);
        at += n + 2;
    }
    let end = (0..=text.len().min(most)).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    &text[..escape.filter(|&start| start + 12 > end).map_or(end, |start| start.min(end))]
}

/// The JSON of the `text` of this content.
fn text_of(content: &str) -> Option<&str> {
    let [text] = Walk::new(content.as_bytes()).fields(["text"])?;
    std::str::from_utf8(text?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_is_that_of_the_text_and_no_escape_is_cut() {
        const BEGINNING: usize = 4096;
        let of = |content: &str| beginning(content, BEGINNING).map(str::to_owned);
        let quoted = r#"{"html":"<a title=\",\"text\":\"no\">","text":"a \"b\" \\","hash":"x"}"#;
        assert_eq!(of(quoted).as_deref(), Some(r#"a \"b\" \\"#));
        assert_eq!(of(r#"{"text":"first","html":"second"}"#).as_deref(), Some("first"));
        assert_eq!((of(r#"{"html":"","text":null}"#), of(r#"{"html":""}"#)), (None, None));
        let long =
            |end: &str| of(&format!(r#"{{"html":"","text":"{}{end}"}}"#, "a".repeat(BEGINNING - 3))).unwrap().len();
        assert_eq!([long(""), long("abc"), long("abcd")], [BEGINNING - 3, BEGINNING, BEGINNING]);
        assert_eq!([long("a\u{e9}"), long("ab\u{e9}"), long(r"\u00e9x")], [BEGINNING, BEGINNING - 1, BEGINNING - 3]);
    }
}
