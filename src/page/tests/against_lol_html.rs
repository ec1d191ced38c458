//! Compares the head reader with lol_html, which it replaced: whole, damaged and truncated pages must have the same
//! head. `WPIPE_PAGES=DIR cargo test -- --ignored pages_of_ones_own` compares the files below a directory of your own.

use super::super::*;
use lol_html::html_content::{Comment, Element, TextChunk};
use lol_html::{DocumentContentHandlers, ElementContentHandlers, HtmlRewriter, Selector, Settings};
use std::borrow::Cow;
use std::cell::RefCell;

fn by_lol_html(html: &[u8]) -> Head {
    let head = RefCell::new(Theirs::default());
    {
        let mut rewriter = HtmlRewriter::new(head_settings(&head), |_: &[u8]| {});
        if rewriter.write(html).is_ok() {
            let _ = rewriter.end();
        }
    }
    head.into_inner().finish()
}

/// Ends the reading of a head early. It never reaches a caller.
#[derive(Debug)]
struct HeadEnded;

impl std::fmt::Display for HeadEnded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the head has ended")
    }
}

impl std::error::Error for HeadEnded {}

#[derive(Default)]
struct Theirs {
    head: Head,
    title: String,
    title_ended: bool,
    body_start: Option<usize>,
}

thread_local! {
    static HEAD_SELECTORS: [Selector; 5] = ["html", "link", "meta", "title", "body"]
        .map(|name| name.parse().expect("a type selector is valid"));
}

fn head_settings<'h>(head: &'h RefCell<Theirs>) -> Settings<'h, 'static> {
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
                head.borrow_mut().see_link(el);
                Ok(())
            }),
        ))
        .append_element_content_handler((
            meta,
            ElementContentHandlers::default().element(|el: &mut Element<'_, '_>| {
                head.borrow_mut().see_meta(el);
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
            head.borrow_mut().see_comment(&comment.text());
            Ok(())
        }))
}

impl Theirs {
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

impl Theirs {
    fn see_link(&mut self, el: &Element<'_, '_>) {
        let Some(rel) = el.get_attribute("rel") else { return };
        let is = |word: &str| rel.split_ascii_whitespace().any(|part| part.eq_ignore_ascii_case(word));
        let href = || attribute(el, "href");
        if is("alternate") {
            if let (Some(hreflang), Some(href)) = (attribute(el, "hreflang"), href()) {
                self.head.alternates.push(Alternate { hreflang, href });
            } else if attribute(el, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("application/json")) {
                self.head.json_alternates.extend(href());
            } else if attribute(el, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("application/json+oembed")) {
                self.head.oembed = self.head.oembed.take().or_else(href);
            } else if attribute(el, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("application/rss+xml")) {
                self.head.feed_title = self.head.feed_title.take().or_else(|| attribute(el, "title"));
            }
        }
        if is("canonical") {
            self.head.canonical = self.head.canonical.take().or_else(href);
        }
        if is("shortlink") {
            self.head.shortlink = self.head.shortlink.take().or_else(href);
        }
        if is("https://api.w.org/") || is("https://github.com/WP-API/WP-API") {
            self.head.rest_root = self.head.rest_root.take().or_else(href);
        }
    }

    fn see_meta(&mut self, el: &Element<'_, '_>) {
        let content = || attribute(el, "content");
        // HTML uses http-equiv and name, Open Graph uses property; sites confuse name and property
        let Some(name) = ["property", "name", "http-equiv"].iter().find_map(|key| el.get_attribute(key)) else {
            return;
        };
        let value = match name.trim().to_ascii_lowercase().as_str() {
            "og:url" => &mut self.head.og_url,
            "og:locale" => &mut self.head.og_locale,
            "og:title" => &mut self.head.og_title,
            "og:site_name" => &mut self.head.site_name,
            "article:published_time" => &mut self.head.published,
            "article:modified_time" => &mut self.head.modified,
            "author" => &mut self.head.author,
            "description" => &mut self.head.description,
            "refresh" => &mut self.head.refresh,
            "generator" => return self.head.generators.extend(content()),
            _ => return,
        };
        *value = value.take().or_else(content);
    }

    /// `<!-- Mirrored from www.example.com/about/ by HTTrack Website Copier/3.x [XR&CO'2014], … -->`
    fn see_comment(&mut self, comment: &str) {
        let address =
            comment.trim_start().strip_prefix("Mirrored from ").and_then(|rest| rest.split_once(" by HTTrack"));
        if let Some((address, _)) = address
            && self.head.mirrored_from.is_none()
        {
            self.head.mirrored_from = non_empty(address);
        }
    }
}

/// An attribute's value with entities decoded and surrounding white space removed; [`None`] if it is empty.
fn attribute(el: &Element<'_, '_>, name: &str) -> Option<String> {
    non_empty(&htmlize::unescape_attribute(&el.get_attribute(name)?))
}

fn non_empty(text: &str) -> Option<String> {
    // HTML replaces NUL characters, lol_html keeps them
    let text = text.replace('\0', "\u{fffd}");
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    (!text.is_empty()).then(|| text.to_owned())
}

fn by_us(html: &[u8]) -> Head {
    read_head(html, &mut PageBuffer::default()).unwrap()
}

const PAGE: &str = r#"<!DOCTYPE html PUBLIC "a>b"><html lang="fr" xml:lang=de><!-- Mirrored from a.example/b by HTTrack --><head>
<script>if (a<b) document.write("<link rel=canonical href=s><\/script>"); <!-- <script> </script> --></script>
<style>a:before{content:"<meta property=og:url content=t>"}</style><title>A &amp; <b>B</b> &#8211</title ><title>2</title>
<link rel='canonical shortlink' href='/c?a&lt=1' ><LINK REL=alternate HREF="/e" HREFLANG=en /><noscript><link rel=shortlink href=n></noscript>
<meta property=og:url content="a>b"><meta name="description" content='it''s' content=2><meta http-equiv=refresh content="0;url=/x"></meta>
<textarea><link rel=canonical href=t></textarea><? <link rel=p> ?></ x ><meta name=generator content="&#x1f600;é">
<iframe></iframe><p><template><meta property="og:title" content=a></template><select><option><meta name=generator content=s></select>
<xmp></xmp><base href=/b/><meta name=generator><a href="<body>">x</a><body class="home&nbsp;blog" id=a>"#;

/// SVG and MathML, which lol_html follows only if they are complete.
const FOREIGN: &str = r#"<html lang=fr><svg><title>Icon</title><style><link rel=shortlink href=svg></style><![CDATA[<meta name=generator content=no>]]></svg>
<math><mi><title>x</mi></math><meta name=generator content=yes><body class=a>"#;

/// A small generator, the same on every machine.
pub(in crate::page) struct Random(pub(in crate::page) u64);

impl Random {
    pub(in crate::page) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Removes, doubles or inserts some bytes, or cuts the end off.
pub(in crate::page) fn damage(html: &mut Vec<u8>, random: &mut Random) {
    const MARKS: [&str; 16] = [
        "<",
        ">",
        "\"",
        "'",
        "/",
        "=",
        " ",
        "<!--",
        "-->",
        "</",
        "\0",
        "\u{e9}",
        "&",
        "<title>",
        "</script>",
        "<body>",
    ];
    let at = random.below(html.len());
    let to = (at + 1 + random.below(40)).min(html.len());
    match random.below(8) {
        0 => html.truncate(at.max(1)),
        1 | 2 => drop(html.drain(at..to.min(at + 4))),
        3 => drop(html.splice(at..at, html[at..to].to_vec())),
        _ => drop(html.splice(at..at, MARKS[random.below(MARKS.len())].bytes())),
    }
}

#[test]
fn damaged_heads_are_read_as_lol_html_reads_them_however_they_arrive() {
    let mut random = Random(5);
    let whole = by_us(PAGE.as_bytes());
    assert_eq!(whole, by_lol_html(PAGE.as_bytes()));
    assert_eq!(by_us(FOREIGN.as_bytes()), by_lol_html(FOREIGN.as_bytes()));
    let mut changed = 0;
    for _ in 0..3000 {
        let mut html = PAGE.as_bytes().to_vec();
        for _ in 0..1 + random.below(4) {
            damage(&mut html, &mut random);
        }
        let ours = by_us(&html);
        assert_eq!(ours, by_lol_html(&html), "{}", String::from_utf8_lossy(&html));
        // also if it arrives in pieces: the first piece ends anywhere in it
        let cut = [&b" ".repeat(4096 - random.below(html.len().min(4000)))[..], &html].concat();
        let mut buffer = PageBuffer { head_length: 1, ..PageBuffer::default() };
        assert_eq!(ours, read_head(&cut[..], &mut buffer).unwrap(), "{}", String::from_utf8_lossy(&html));
        changed += usize::from(ours != whole);
    }
    assert!(changed > 1000, "the damage is seen in {changed} heads only");
}

#[test]
#[ignore = "needs WPIPE_PAGES=DIR"]
fn pages_of_ones_own_are_read_as_lol_html_reads_them() {
    let folder = std::env::var_os("WPIPE_PAGES").expect("WPIPE_PAGES names a directory of pages");
    let (mut all, mut differ, mut paths) = (0, 0, vec![std::path::PathBuf::from(folder)]);
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            paths.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let html = std::fs::read(&path).unwrap();
        all += 1;
        if by_us(&html) != by_lol_html(&html) {
            differ += 1;
            println!("{}\n  ours   {:?}\n  theirs {:?}", path.display(), by_us(&html), by_lol_html(&html));
        }
    }
    println!("{all} pages, {differ} differ");
    assert_eq!(differ, 0);
}
