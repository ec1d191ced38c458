//! A scraped page: its bytes as UTF-8, what its head says of it, and the elements that selectors match in it.
//! Pages are read in pieces and no further than asked; what the findings mean is left to the layers above.
//!
//! lol_html (a streaming tokenizer with CSS selectors) is used here and nowhere else.

use crate::html::encoding::Utf8Pieces;
use lol_html::html_content::{Comment, Element, TextChunk};
use lol_html::{DocumentContentHandlers, ElementContentHandlers, HtmlRewriter, Selector, Settings};
use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Read};

/// Bytes read at a time: a WordPress head fits into one or two pieces.
const PIECE: usize = 16 * 1024;

/// Bytes of a page that are looked at (32 MiB); the rest of a larger file is not read.
pub const PAGE_LIMIT: usize = 32 * 1024 * 1024;

/// One `link[rel~=alternate][hreflang]` of a head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alternate {
    /// The language as written: `en`, `pt_BR`, `x-default`.
    pub hreflang: String,
    /// The URL as written, entities decoded; relative in mirrors.
    pub href: String,
}

/// What the head of a page says of it. Values are as written but for decoded entities and white space around;
/// empty ones are none; of several the first counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// `html[lang]`, else `html[xml:lang]`.
    pub html_lang: Option<String>,
    /// `link[rel~=canonical]`.
    pub canonical: Option<String>,
    /// `meta[property=og:url]`.
    pub og_url: Option<String>,
    /// `meta[property=og:locale]`, which Yoast and others write.
    pub og_locale: Option<String>,
    /// `meta[property=og:title]`.
    pub og_title: Option<String>,
    /// `link[rel~=alternate][type=application/json]`: the record in the REST API (WordPress 5.5 and later).
    pub json_alternates: Vec<String>,
    /// `link[rel~=shortlink]`.
    pub shortlink: Option<String>,
    /// `link[rel~="https://api.w.org/"]`: the root of the REST API.
    pub rest_root: Option<String>,
    /// `body[class]`.
    pub body_class: Option<String>,
    /// The content of `meta[http-equiv=refresh]`: `0; url=…`.
    pub refresh: Option<String>,
    /// The address in HTTrack's comment `Mirrored from HOST/PATH by HTTrack`, without a scheme.
    pub mirrored_from: Option<String>,
    /// `link[rel~=alternate][hreflang]` in document order, those without a href left out.
    pub alternates: Vec<Alternate>,
    /// The text of `title`.
    pub title: Option<String>,
    /// `meta[name=description]`.
    pub description: Option<String>,
    /// `meta[name=generator]`, all of them: WordPress and its plugins.
    pub generators: Vec<String>,
}

/// A page that is read as far as is asked, into a buffer that is used again for the next page.
pub struct PageReader<R> {
    pieces: Utf8Pieces<R>,
    html: Vec<u8>,
    body_start: usize,
    ended: bool,
}

impl<R: Read> PageReader<R> {
    /// A page from `source`; `buffer` is emptied and used, see [`PageReader::into_buffer`].
    pub fn new(source: R, mut buffer: Vec<u8>) -> Self {
        buffer.clear();
        PageReader { pieces: Utf8Pieces::new(source), html: buffer, body_start: 0, ended: false }
    }

    /// Reads to the end of body's start tag (to the end of the page where there is none) and returns what stands
    /// there. Fails only when reading fails: no content of a page is an error.
    pub fn head(&mut self) -> io::Result<Head> {
        let head = RefCell::new(HeadReader::default());
        {
            let mut rewriter = HtmlRewriter::new(head_settings(&head), |_: &[u8]| {});
            let mut from = 0;
            loop {
                if from == self.html.len() && !self.read_piece()? {
                    // text at the end of a truncated page is given out by end() only
                    let _ = rewriter.end();
                    break;
                }
                if rewriter.write(&self.html[from..]).is_err() {
                    break;
                }
                from = self.html.len();
            }
        }
        let head = head.into_inner();
        self.body_start = head.body_start.unwrap_or(0);
        Ok(head.finish())
    }

    /// Reads to the end, and returns the whole page as UTF-8 (invalid sequences as they are).
    pub fn whole(&mut self) -> io::Result<&[u8]> {
        while self.read_piece()? {}
        Ok(&self.html)
    }

    /// Reads to the end, and returns the page from body's start tag on; all of it when [`PageReader::head`] has not
    /// been asked before or found none.
    pub fn body(&mut self) -> io::Result<&[u8]> {
        while self.read_piece()? {}
        Ok(&self.html[self.body_start..])
    }

    /// Gives the buffer back.
    pub fn into_buffer(self) -> Vec<u8> {
        self.html
    }

    fn read_piece(&mut self) -> io::Result<bool> {
        self.ended = self.ended || self.html.len() >= PAGE_LIMIT || !self.pieces.read_into(&mut self.html, PIECE)?;
        Ok(!self.ended)
    }
}

/// Reads a page's head only; see [`PageReader`]. `buffer` is scratch space.
pub fn read_head(source: impl Read, buffer: &mut Vec<u8>) -> io::Result<Head> {
    let mut page = PageReader::new(source, std::mem::take(buffer));
    let head = page.head();
    *buffer = page.into_buffer();
    head
}

/// What ends the reading of a head early. It never reaches a caller.
#[derive(Debug)]
struct HeadEnded;

impl std::fmt::Display for HeadEnded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the head has ended")
    }
}

impl std::error::Error for HeadEnded {}

#[derive(Default)]
struct HeadReader {
    head: Head,
    title: String,
    title_ended: bool,
    body_start: Option<usize>,
}

thread_local! {
    static HEAD_SELECTORS: [Selector; 5] = ["html", "link", "meta", "title", "body"]
        .map(|name| name.parse().expect("a type selector is valid"));
}

fn head_settings<'h>(head: &'h RefCell<HeadReader>) -> Settings<'h, 'static> {
    let [html, link, meta, title, body] = HEAD_SELECTORS.with(Clone::clone).map(Cow::Owned);
    Settings::new()
        .with_strict(false)
        .append_element_content_handler((
            html,
            ElementContentHandlers::default().element(|el: &mut Element<'_, '_>| {
                let lang = || attribute(el, "lang").or_else(|| attribute(el, "xml:lang"));
                let mut head = head.borrow_mut();
                head.head.html_lang = head.head.html_lang.take().or_else(lang);
                Ok(())
            }),
        ))
        .append_element_content_handler((
            link,
            ElementContentHandlers::default().element(|el: &mut Element<'_, '_>| {
                head.borrow_mut().head.see_link(el);
                Ok(())
            }),
        ))
        .append_element_content_handler((
            meta,
            ElementContentHandlers::default().element(|el: &mut Element<'_, '_>| {
                head.borrow_mut().head.see_meta(el);
                Ok(())
            }),
        ))
        .append_element_content_handler((
            title,
            ElementContentHandlers::default().text(|text: &mut TextChunk<'_>| {
                head.borrow_mut().see_title(text);
                Ok(())
            }),
        ))
        .append_element_content_handler((
            body,
            ElementContentHandlers::default().element(|el: &mut Element<'_, '_>| {
                let mut head = head.borrow_mut();
                head.head.body_class = attribute(el, "class");
                head.body_start = Some(el.source_location().bytes().start);
                Err(Box::new(HeadEnded) as _)
            }),
        ))
        .append_document_content_handler(DocumentContentHandlers::default().comments(|comment: &mut Comment<'_>| {
            head.borrow_mut().head.see_comment(&comment.text());
            Ok(())
        }))
}

impl HeadReader {
    fn see_title(&mut self, text: &TextChunk<'_>) {
        if !self.title_ended {
            self.title.push_str(text.as_str());
            self.title_ended = text.last_in_text_node();
        }
    }

    fn finish(mut self) -> Head {
        self.head.title = non_empty(&htmlize::unescape(&self.title));
        self.head
    }
}

impl Head {
    fn see_link(&mut self, el: &Element<'_, '_>) {
        let Some(rel) = el.get_attribute("rel") else { return };
        let is = |word: &str| rel.split_ascii_whitespace().any(|part| part.eq_ignore_ascii_case(word));
        let href = || attribute(el, "href");
        if is("alternate") {
            if let (Some(hreflang), Some(href)) = (attribute(el, "hreflang"), href()) {
                self.alternates.push(Alternate { hreflang, href });
            } else if attribute(el, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("application/json")) {
                self.json_alternates.extend(href());
            }
        }
        if is("canonical") {
            self.canonical = self.canonical.take().or_else(href);
        }
        if is("shortlink") {
            self.shortlink = self.shortlink.take().or_else(href);
        }
        if is("https://api.w.org/") || is("https://github.com/WP-API/WP-API") {
            self.rest_root = self.rest_root.take().or_else(href);
        }
    }

    fn see_meta(&mut self, el: &Element<'_, '_>) {
        let content = || attribute(el, "content");
        // HTML says http-equiv and name, Open Graph property; sites mix name and property up
        let Some(name) = ["property", "name", "http-equiv"].iter().find_map(|key| el.get_attribute(key)) else {
            return;
        };
        let value = match name.trim().to_ascii_lowercase().as_str() {
            "og:url" => &mut self.og_url,
            "og:locale" => &mut self.og_locale,
            "og:title" => &mut self.og_title,
            "description" => &mut self.description,
            "refresh" => &mut self.refresh,
            "generator" => return self.generators.extend(content()),
            _ => return,
        };
        *value = value.take().or_else(content);
    }

    /// `<!-- Mirrored from www.example.com/about/ by HTTrack Website Copier/3.x [XR&CO'2014], … -->`
    fn see_comment(&mut self, comment: &str) {
        let address =
            comment.trim_start().strip_prefix("Mirrored from ").and_then(|rest| rest.split_once(" by HTTrack"));
        if let Some((address, _)) = address
            && self.mirrored_from.is_none()
        {
            self.mirrored_from = non_empty(address);
        }
    }
}

/// An attribute's value with entities decoded and white space around dropped; none where nothing is left.
fn attribute(el: &Element<'_, '_>, name: &str) -> Option<String> {
    non_empty(&htmlize::unescape_attribute(&el.get_attribute(name)?))
}

fn non_empty(text: &str) -> Option<String> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    (!text.is_empty()).then(|| text.to_owned())
}

/// CSS selectors, as far as a streaming reader can match them: no `+`, `~`, `:has`, `:last-child`.
pub struct Selectors(Vec<Selector>);

impl Selectors {
    /// Parses selectors. The error is the number of the first one that cannot be used, and why.
    pub fn parse<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Self, (usize, String)> {
        let parse = |(at, text): (usize, &str)| {
            let why = |error: lol_html::errors::SelectorError| {
                let text = error.to_string();
                (at, text.trim_end_matches('.').to_lowercase())
            };
            text.parse::<Selector>().map_err(why)
        };
        texts.into_iter().enumerate().map(parse).collect::<Result<_, _>>().map(Selectors)
    }
}

/// Something that a selector matched; events of one element come in the order of the selectors.
pub enum Event<'e> {
    /// The start tag of a matched element.
    Start(Tag<'e>),
    /// A piece of text inside a matched element, entities decoded but for those on the border of two pieces.
    Text(&'e str),
}

/// The start tag of a matched element.
pub struct Tag<'e>(&'e dyn TagLike);

trait TagLike {
    fn start(&self) -> usize;
    fn attribute(&self, name: &str) -> Option<String>;
}

impl TagLike for Element<'_, '_> {
    fn start(&self) -> usize {
        self.source_location().bytes().start
    }
    fn attribute(&self, name: &str) -> Option<String> {
        self.get_attribute(name).map(|value| htmlize::unescape_attribute(&value).into_owned())
    }
}

impl Tag<'_> {
    /// Where its `<` stands in the page that was given.
    pub fn start(&self) -> usize {
        self.0.start()
    }

    /// An attribute's value, entities decoded; none where it is missing.
    pub fn attribute(&self, name: &str) -> Option<String> {
        self.0.attribute(name)
    }
}

/// Which of the [`Selectors`] is wanted, and whether the text inside its elements is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Number of the selector.
    pub selector: usize,
    /// Whether text events are wanted as well.
    pub text: bool,
}

/// Calls `on_event(selector, event)` for what the wanted selectors match in `html`, in document order. Broken and
/// truncated HTML is no error: what can be told is told.
pub fn select(html: &[u8], selectors: &Selectors, wanted: &[Wanted], on_event: impl FnMut(usize, Event<'_>)) {
    let on_event = RefCell::new(on_event);
    let mut settings = Settings::new().with_strict(false);
    for &Wanted { selector, text } in wanted {
        let on_event = &on_event;
        let mut handlers = ElementContentHandlers::default().element(move |el: &mut Element<'_, '_>| {
            (on_event.borrow_mut())(selector, Event::Start(Tag(el)));
            Ok(())
        });
        if text {
            handlers = handlers.text(move |chunk: &mut TextChunk<'_>| {
                (on_event.borrow_mut())(selector, Event::Text(&htmlize::unescape(chunk.as_str())));
                Ok(())
            });
        }
        settings = settings.append_element_content_handler((Cow::Borrowed(&selectors.0[selector]), handlers));
    }
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    // handlers never fail and memory is not limited: an error could only mean that the parser gave up
    if rewriter.write(html).is_ok() {
        let _ = rewriter.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(html: &str) -> Head {
        read_head(html.as_bytes(), &mut Vec::new()).unwrap()
    }

    #[test]
    fn every_key_of_a_head() {
        let found = head(
            r#"<!DOCTYPE html><html lang="fr-FR"> <!-- Mirrored from www.site.example/a/?x=1 by HTTrack Website Copier/3.x [XR&CO'2014], Sun -->
            <head><title>A &amp; B &#8211; C</title><title>second</title>
            <link rel='canonical' href='../a/index.html'><link rel=canonical href=second>
            <link href="https://site.example/?p=7&amp;lang=fr" rel="Shortlink">
            <link rel="https://api.w.org/" href="https://site.example/wp-json/">
            <link rel="alternate" title="JSON" type="application/json" href="https://site.example/wp-json/wp/v2/posts/7">
            <link rel="alternate" type="application/rss+xml" href="/feed/">
            <link rel="alternate" hreflang="en" href=" /en/a/ "><link rel=alternate hreflang=de>
            <meta property="og:url" content="https://site.example/a/"><meta name="og:locale" content="fr_FR"><meta property=og:title content=T>
            <meta http-equiv="Refresh" content="0; URL=/b/"><meta name=description content=D>
            <meta name="generator" content="WordPress 6.1"><meta name=generator content=WPML></head>
            <body class="single postid-7"><link rel=shortlink href=no><div lang=no>"#,
        );
        let some = |text: &str| Some(text.to_owned());
        let want = Head {
            html_lang: some("fr-FR"),
            canonical: some("../a/index.html"),
            og_url: some("https://site.example/a/"),
            og_locale: some("fr_FR"),
            og_title: some("T"),
            json_alternates: vec!["https://site.example/wp-json/wp/v2/posts/7".to_owned()],
            shortlink: some("https://site.example/?p=7&lang=fr"),
            rest_root: some("https://site.example/wp-json/"),
            body_class: some("single postid-7"),
            refresh: some("0; URL=/b/"),
            mirrored_from: some("www.site.example/a/?x=1"),
            alternates: vec![Alternate { hreflang: "en".to_owned(), href: "/en/a/".to_owned() }],
            title: some("A & B – C"),
            description: some("D"),
            generators: vec!["WordPress 6.1".to_owned(), "WPML".to_owned()],
        };
        assert_eq!(found, want);
    }

    #[test]
    fn what_is_hidden_or_broken_is_not_taken() {
        let found = head(
            "<html xml:lang=de><script>'<link rel=canonical href=x>'</script><!-- <link rel=canonical href=y> --><noscript><link rel=canonical href=z></noscript><link rel=shortlink><body><link rel=canonical href=w>",
        );
        assert_eq!(found, Head { html_lang: Some("de".to_owned()), ..Head::default() });
        assert_eq!(head("<title>cut o").title.unwrap(), "cut o");
        assert_eq!(head("<link rel=canonical href='cut"), Head::default());
        assert_eq!(head("<link rel=canonical href=/a\0b/>").canonical.unwrap(), "/a\0b/");
        assert_eq!(head("\0\0<p>no head at all<link rel=canonical href=/late/>").canonical.unwrap(), "/late/");
    }

    #[test]
    fn other_encodings_and_invalid_bytes() {
        let latin = b"<meta charset=iso-8859-1><title>caf\xe9</title>";
        assert_eq!(read_head(&latin[..], &mut Vec::new()).unwrap().title.unwrap(), "café");
        let broken = b"\xef\xbb\xbf<html lang=fr><title>a\xffb</title>";
        let found = read_head(&broken[..], &mut Vec::new()).unwrap();
        assert_eq!((found.html_lang.as_deref(), found.title.as_deref()), (Some("fr"), Some("a\u{fffd}b")));
    }

    /// Gives pieces of some bytes, and counts what was taken.
    struct Counting<'a>(&'a [u8], usize, usize);

    impl Read for Counting<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let take = self.0.len().min(out.len()).min(self.1);
            out[..take].copy_from_slice(&self.0[..take]);
            self.0 = &self.0[take..];
            self.2 += take;
            Ok(take)
        }
    }

    #[test]
    fn a_head_is_the_same_however_it_arrives_and_no_more_is_read() {
        let page = format!(
            "<html lang=fr><title>é€</title><link rel=alternate hreflang=en href=/en/><body class=\"a b\">{}",
            "x".repeat(1 << 20)
        );
        let whole = head(&page);
        for size in [1, 2, 7, 100] {
            let mut source = Counting(page.as_bytes(), size, 0);
            assert_eq!(read_head(&mut source, &mut Vec::new()).unwrap(), whole);
            assert!(source.2 < 5000, "{}", source.2);
        }
        let mut reader = PageReader::new(page.as_bytes(), b"old".to_vec());
        reader.head().unwrap();
        assert!(reader.body().unwrap().starts_with(b"<body class"));
        assert_eq!(reader.whole().unwrap().len(), page.len());
    }

    #[test]
    fn only_a_failed_read_is_an_error() {
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("disk"))
            }
        }
        assert!(read_head(Failing, &mut Vec::new()).is_err());
        assert_eq!(head(""), Head::default());
    }

    #[test]
    fn events_of_one_element_come_in_the_order_of_the_selectors() {
        let selectors = Selectors::parse(["b", "p > b", "b.x", "*"]).unwrap();
        let wanted = [0, 1, 2].map(|selector| Wanted { selector, text: selector == 1 });
        let mut seen = Vec::new();
        select(b"<p><b class=x title='a&amp;b'>T&eacute;</b>no", &selectors, &wanted, |selector, event| {
            seen.push(match event {
                Event::Start(tag) => format!("{selector} {} {:?}", tag.start(), tag.attribute("title")),
                Event::Text(text) => format!("{selector} {text}"),
            });
        });
        seen.retain(|event| event != "1 ");
        assert_eq!(seen, ["0 3 Some(\"a&b\")", "1 3 Some(\"a&b\")", "2 3 Some(\"a&b\")", "1 Té"]);
        let (at, why) = Selectors::parse(["a", "a ~ b"]).err().unwrap();
        assert_eq!((at, why.as_str()), (1, "unsupported combinator `~` in selector"));
    }
}
