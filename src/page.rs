//! Reads a scraped HTML page: its bytes as UTF-8, the facts in its head, and the elements that selectors match in it. Pages
//! are read in pieces and no further than needed; the layers above interpret the findings.

mod choice;
mod content_selectors;
mod encoding;
mod event;
mod head;
mod index;
mod main_content;
mod matcher;
mod matches;
mod notice;
mod outline;
mod posts;
mod prefilter;
mod prescan;
mod punctuation;
mod relative;
mod select;
mod selector;
mod stated;
mod template;
pub(crate) mod title;

pub(crate) use content_selectors::ContentSelectors;
pub(crate) use event::{Event, StartTag};
#[cfg(any(test, feature = "fetch"))]
pub(crate) use head::Alternate;
pub(crate) use head::Head;
pub(crate) use main_content::{ContentBuffer, Explained, MainContent, main_content};
pub(crate) use notice::has_notice;
pub(crate) use prefilter::Prefilter;
pub(crate) use relative::with_whole_urls;
pub(crate) use select::{Selectors, Wanted, select};
pub(crate) use selector::below;
pub(crate) use stated::{PageStatements, StatedTerm};
pub(crate) use template::{Learner, Site, Template};

use crate::html::elements::{Buffers, ParseOptions, Sink, read};
use encoding::{Bytes, Utf8Pieces};
use head::HeadReader;
use memchr::memmem;
use posts::Posts;
use std::io::{self, Read};

/// How many bytes are read at once for the first head. Later heads are expected to be about as long as those before, so that most are read
/// at once.
const PIECE: usize = 32 * 1024;

/// How much longer than the previous ones a head may be and still be read at once: heads of a site differ little.
const NEAR: usize = 4096;

/// How many bytes are read at a time after the head.
const REST: usize = 128 * 1024;

/// The most bytes of a head that are read at once.
const MOST: usize = 256 * 1024;

/// The most bytes of a page that are read (32 MiB); the rest of a larger file is ignored.
pub(crate) const PAGE_LIMIT: usize = 32 * 1024 * 1024;

/// The memory in which pages are read, reused for the next page.
#[derive(Default)]
pub(crate) struct PageBuffer {
    html: Bytes,
    elements: Buffers,
    /// The greatest length of the last heads, reduced by an eighth for each head since; 0 before the first head.
    head_length: usize,
}

/// A page that is read as far as needed, into a buffer that is reused for the next page.
pub(crate) struct PageReader<R> {
    pieces: Utf8Pieces<R>,
    buffer: PageBuffer,
    body_start: usize,
    ended: bool,
}

impl<R: Read> PageReader<R> {
    /// Reads a page from `source`; `buffer` is emptied and used, see [`PageReader::into_buffer`].
    pub(crate) fn new(source: R, mut buffer: PageBuffer) -> Self {
        buffer.html.clear();
        PageReader { pieces: Utf8Pieces::new(source), buffer, body_start: 0, ended: false }
    }

    /// Sets the encoding in which a server sent the page, if it named one; call it before anything is read.
    pub(crate) fn sent_as(mut self, charset: Option<&str>) -> Self {
        if let Some(charset) = charset {
            self.pieces.send_as(charset);
        }
        self
    }

    /// The encoding that the server or the page states, if that is wrong: the page is valid UTF-8 and is read as UTF-8. It is known once the
    /// head has been read.
    pub(crate) fn misstated(&self) -> Option<&'static str> {
        self.pieces.misstated()
    }

    /// Whether the bytes read so far are not valid UTF-8 although neither server nor page states another encoding.
    pub(crate) fn is_broken(&self) -> bool {
        self.pieces.is_broken()
    }

    /// The first 4096 bytes of the page as they are, whatever their encoding; call it before anything else.
    pub(crate) fn first_bytes(&mut self) -> io::Result<&[u8]> {
        self.pieces.read_first(&mut self.buffer.html, 0)?;
        Ok(&self.buffer.html)
    }

    /// Reads to the end of body's start tag (to the end of the page if there is none) and returns the facts found there.
    /// Fails only if reading fails: the content of a page is never an error.
    pub(crate) fn head(&mut self) -> io::Result<Head> {
        let last = self.buffer.head_length;
        let mut enough = if last == 0 { PIECE } else { last + NEAR };
        loop {
            while !self.ended && self.buffer.html.len() < enough {
                self.read_piece(enough - self.buffer.html.len())?;
            }
            let Some(html) = whole_characters(&self.buffer.html, self.ended) else {
                self.pieces.repair(&mut self.buffer.html);
                continue;
            };
            let mut reader = HeadReader::default();
            let reading = ParseOptions { plain: true, page: true, ..ParseOptions::default() };
            read(html, reading, &mut self.buffer.elements, &mut reader);
            if let Some(body) = &reader.body {
                self.buffer.head_length = body.end.max(last - last / 8).min(MOST);
                self.body_start = body.start;
            }
            if self.ended || reader.is_done() {
                return Ok(reader.head);
            }
            // Doubling: a head of any length is read in linear time.
            enough = self.buffer.html.len() + PIECE.max(self.buffer.html.len());
        }
    }

    /// Whether WordPress made the page, judged by its head, which has just been read: by its statements or by the files that
    /// it names.
    pub(crate) fn is_of_wordpress(&self, head: &Head) -> bool {
        let end = if self.body_start == 0 { self.buffer.html.len() } else { self.body_start };
        let names = |mark: &str| memmem::find(&self.buffer.html[..end], mark.as_bytes()).is_some();
        head.names_wordpress() || ["wp-content/", "wp-includes/", "wp-json/"].into_iter().any(names)
    }

    /// Reads to the end; returns whether the page shows `least` posts or more. `least` is 1 or 2, because no more posts are counted.
    pub(crate) fn shows_posts(&mut self, least: usize) -> io::Result<bool> {
        let mut elements = std::mem::take(&mut self.buffer.elements);
        let reading = ParseOptions { plain: true, page: true, ..ParseOptions::default() };
        let mut posts = Posts::default();
        let read = self.whole(|html| read(html, reading, &mut elements, &mut posts));
        self.buffer.elements = elements;
        read.map(|()| posts.count() >= least)
    }

    /// Reads to the end and passes the whole page as UTF-8, with invalid sequences replaced, to `look`.
    pub(crate) fn whole<T>(&mut self, look: impl FnOnce(&str) -> T) -> io::Result<T> {
        self.look_from(0, look)
    }

    /// The position of body's start tag; 0 before [`PageReader::head`] was called, and if there is none.
    pub(crate) fn body_start(&self) -> usize {
        self.body_start
    }

    /// Reads to the end and passes the page from body's start tag on to `look`; the whole page before [`PageReader::head`]
    /// was called, and if there is no such tag.
    pub(crate) fn body<T>(&mut self, look: impl FnOnce(&str) -> T) -> io::Result<T> {
        self.look_from(self.body_start, look)
    }

    fn look_from<T>(&mut self, start: usize, look: impl FnOnce(&str) -> T) -> io::Result<T> {
        while !self.ended {
            self.read_piece(REST)?;
        }
        let html = &mut self.buffer.html;
        if let Ok(text) = simdutf8::basic::from_utf8(&html[start..]) {
            return Ok(look(text));
        }
        self.pieces.repair(html);
        Ok(look(simdutf8::basic::from_utf8(&html[start..]).expect("it was made UTF-8")))
    }

    pub(crate) fn into_buffer(self) -> PageBuffer {
        self.buffer
    }

    fn read_piece(&mut self, size: usize) -> io::Result<()> {
        let size = size.min(PAGE_LIMIT.saturating_sub(self.buffer.html.len()));
        self.ended = self.ended || size == 0 || !self.pieces.read_into(&mut self.buffer.html, size)?;
        Ok(())
    }
}

/// The bytes as text; [`None`] if there is an invalid sequence. A character that is cut off at the end counts as invalid only if these are
/// all bytes; otherwise, it is left out. If body's start tag comes before the cut, the head is complete.
fn whole_characters(html: &[u8], is_all: bool) -> Option<&str> {
    // The check that does not locate errors takes a sixth less time.
    simdutf8::basic::from_utf8(html).ok().or_else(|| {
        let error = simdutf8::compat::from_utf8(html).err()?;
        let is_cut = !is_all && error.error_len().is_none();
        simdutf8::basic::from_utf8(&html[..error.valid_up_to()]).ok().filter(|_| is_cut)
    })
}

/// Reads a page's head only; see [`PageReader`]. `buffer` is scratch space.
#[cfg(any(test, feature = "fetch", feature = "fuzzing"))]
pub(crate) fn read_head(source: impl Read, buffer: &mut PageBuffer) -> io::Result<Head> {
    let mut page = PageReader::new(source, std::mem::take(buffer));
    let head = page.head();
    *buffer = page.into_buffer();
    head
}

#[cfg(test)]
mod tests {
    pub(super) mod against_lol_html;

    use super::*;
    use crate::rights::HeadRights;

    fn head(html: &str) -> Head {
        read_head(html.as_bytes(), &mut PageBuffer::default()).unwrap()
    }

    #[test]
    fn every_key_of_a_head() {
        let found = head(
            r#"<!DOCTYPE html><html lang="fr-FR"> <!-- Mirrored from www.site.example/a/?x=1 by HTTrack Website Copier/3.x [XR&CO'2014], Sun -->
            <head><title>A &amp; B &#8211; C</title><title>second</title>
            <link rel='canonical' href='../a/index.html'><link rel=canonical href=second>
            <link href="https://site.example/?p=7&amp;lang=fr" rel="Shortlink">
            <link rel="https://api.w.org/" href="https://site.example/wp-json/">
            <link rel=alternate type=application/json+oembed href=/wp-json/oembed/1.0/embed?url=https%3A%2F%2Fsite.example%2Fa%2F>
            <link rel="alternate" title="JSON" type="application/json" href="https://site.example/wp-json/wp/v2/posts/7">
            <link rel="alternate" type="application/rss+xml" href="/feed/">
            <link rel="alternate" hreflang="en" href=" /en/a/ "><link rel=alternate hreflang=de>
            <meta property="og:url" content="https://site.example/a/"><meta name="og:locale" content="fr_FR"><meta property=og:title content=T>
            <link rel=alternate type=application/rss+xml title="S &raquo; Feed" href=/feed/>
            <meta property=og:site_name content=S><meta property=article:published_time content=P><meta property=article:modified_time content=M>
            <meta property=article:author content=https://b.example/ann><meta name=author content=A><script type=application/ld+json>{}</script><meta property=article:section content=News><meta name=robots content='NoIndex, follow'><meta http-equiv="Refresh" content="0; URL=/b/"><meta name=description content=D>
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
            site_name: some("S"),
            published: some("P"),
            modified: some("M"),
            section: some("News"),
            author: some("A"),
            feed_title: some("S » Feed"),
            json_alternates: vec!["https://site.example/wp-json/wp/v2/posts/7".to_owned()],
            oembed: some("/wp-json/oembed/1.0/embed?url=https%3A%2F%2Fsite.example%2Fa%2F"),
            shortlink: some("https://site.example/?p=7&lang=fr"),
            rest_root: some("https://site.example/wp-json/"),
            body_class: some("single postid-7"),
            refresh: some("0; URL=/b/"),
            mirrored_from: some("www.site.example/a/?x=1"),
            alternates: vec![Alternate { hreflang: "en".to_owned(), href: "/en/a/".to_owned() }],
            title: some("A & B – C"),
            noindex: true,
            description: some("D"),
            generators: vec!["WordPress 6.1".to_owned(), "WPML".to_owned()],
            json_ld: vec!["{}".to_owned()],
            rights: HeadRights::default(),
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
        assert_eq!(head("<link rel=canonical href=/a\0b/>").canonical.unwrap(), "/a\u{fffd}b/");
        assert_eq!(head("\0\0<p>no head at all<link rel=canonical href=/late/>").canonical.unwrap(), "/late/");
    }

    #[test]
    fn other_encodings_and_invalid_bytes() {
        let latin = b"<meta charset=iso-8859-1><title>caf\xe9</title>";
        assert_eq!(read_head(&latin[..], &mut PageBuffer::default()).unwrap().title.unwrap(), "café");
        let broken = b"\xef\xbb\xbf<html lang=fr><title>a\xffb</title>";
        let found = read_head(&broken[..], &mut PageBuffer::default()).unwrap();
        assert_eq!((found.html_lang.as_deref(), found.title.as_deref()), (Some("fr"), Some("a\u{fffd}b")));
    }

    /// Returns bytes in pieces, and counts the bytes read.
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
            assert_eq!(read_head(&mut source, &mut PageBuffer::default()).unwrap(), whole);
            assert!(source.2 <= PIECE, "{}", source.2);
        }
        let mut used = PageBuffer::default();
        read_head(&b"<html lang=de><body class=old>"[..], &mut used).unwrap();
        // the second head is expected to be as long as the first
        let mut source = Counting(page.as_bytes(), usize::MAX, 0);
        let after_short = read_head(&mut source, &mut used).unwrap();
        assert_eq!((after_short, source.2 <= 2 * NEAR + PIECE), (whole, true));
        let mut reader = PageReader::new(page.as_bytes(), used);
        reader.head().unwrap();
        assert!(reader.body(|body| body.starts_with("<body class")).unwrap());
        assert_eq!(reader.whole(str::len).unwrap(), page.len());
    }

    #[test]
    fn only_a_failed_read_is_an_error() {
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("disk"))
            }
        }
        assert!(read_head(Failing, &mut PageBuffer::default()).is_err());
        assert_eq!(head(""), Head::default());
    }
}
