//! Parses sitemaps (sitemaps.org): the URLs of pages, of other sitemaps, and of a page's versions in other languages.

use super::address::normalise;
use super::entries::{self, Page};
use crate::feed::is_feed;
use crate::urls::{PageUrl, join};
use crate::xml::{declared, unescaped};
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use memchr::memmem;
use quick_xml::Reader;
use quick_xml::errors::Error;
use quick_xml::events::{BytesStart, Event};

const CUT_OFF: &str = "cut off before its end";
const NOT_A_URL: &str = "an entry that is not an http or https URL";

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sitemap {
    pub(super) sitemaps: Vec<String>,
    pub(super) pages: Vec<String>,
    /// Why some URLs may be missing.
    pub(super) fault: Option<&'static str>,
}

/// Parses the sitemap at `url` in its encoding: XML, a feed, or a text with one URL a line (<https://www.sitemaps.org/protocol.html>);
/// `None` if it is anything else. Damage loses only the entries it affects, and sets the fault.
pub(super) fn decode(body: &[u8], url: &str) -> Option<Sitemap> {
    let wide = match body {
        [b'<', 0, ..] => Some(UTF_16LE),
        [0, b'<', ..] => Some(UTF_16BE),
        _ => Encoding::for_bom(body).map(|(encoding, _)| encoding),
    };
    let encoding = wide.unwrap_or_else(|| declared(&body[..body.len().min(1024)]));
    let (text, _, has_errors) = encoding.decode(body);
    let sitemap = if is_feed(&text.as_bytes()[..text.len().min(64 << 10)]) {
        Some(read_feed(if wide.is_some() { text.as_bytes() } else { body }, url))
    } else {
        read(&text, url).or_else(|| read_lines(&text))
    };
    let wrong = has_errors.then_some("bytes that are not of its encoding, so that URLs may be wrong");
    sitemap.map(|sitemap| Sitemap { fault: sitemap.fault.or(wrong), ..sitemap })
}

fn read_feed(body: &[u8], url: &str) -> Sitemap {
    let Page { posts, broken, .. } = entries::read(body, url, url);
    let is_closed = ["</rss", "</feed", "</rdf:RDF"].iter().any(|end| memmem::rfind(body, end.as_bytes()).is_some());
    let fault = (broken > 0).then_some("an entry that cannot be read").or((!is_closed).then_some(CUT_OFF));
    Sitemap { pages: posts.iter().filter_map(|post| normalise(&post.link)).collect(), fault, ..Sitemap::default() }
}

fn read_lines(text: &str) -> Option<Sitemap> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let urls: Vec<Option<String>> = lines.map(|line| normalise(line).filter(|_| !line.contains(' '))).collect();
    let fault = urls.contains(&None).then_some(NOT_A_URL);
    urls.first()?.as_ref()?;
    Some(Sitemap { pages: urls.into_iter().flatten().collect(), fault, ..Sitemap::default() })
}

/// Parses the sitemap or index of sitemaps at `url`; `None` if the text is neither. Damage loses only the entries it affects, and sets the
/// fault.
pub(super) fn read(text: &str, url: &str) -> Option<Sitemap> {
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}').trim_start());
    // Many sites write `&` in the queries of URLs and in captions without escaping it.
    reader.config_mut().allow_dangling_amp = true;
    let mut reading = SitemapParser { base: PageUrl::parse(url), ..SitemapParser::default() };
    loop {
        match reader.read_event() {
            Ok(Event::Eof) => return reading.end(),
            Ok(event) => reading.take(&event),
            Err(error) => {
                reading.fail("not well-formed XML, so that URLs may be missing");
                // After any other error it is unknown where the next tag begins.
                if !matches!(error, Error::IllFormed(_)) {
                    return reading.end();
                }
            }
        }
    }
}

/// The state of parsing a sitemap.
#[derive(Default)]
struct SitemapParser {
    base: Option<PageUrl>,
    sitemap: Sitemap,
    is_one: bool,
    is_closed: bool,
    /// The namespace prefix of the parent element: the `loc` of an image or a video has another.
    prefix: Option<String>,
    is_index: bool,
    /// Whether the entry has no `loc` so far.
    is_empty: bool,
    /// The text of a `loc`, so far.
    location: Option<String>,
}

impl SitemapParser {
    fn take(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(element) => self.start(element),
            Event::Empty(element) => {
                self.start(element);
                self.end_of(element.local_name().as_ref());
            }
            Event::End(element) => self.end_of(element.local_name().as_ref()),
            Event::Text(text) => self.add(&text.xml10_content()),
            Event::CData(text) => self.add(&text.xml10_content()),
            Event::GeneralRef(name) => self.add(&unescaped(&format!("&{};", name.xml10_content()))),
            _ => {}
        }
    }

    fn start(&mut self, element: &BytesStart<'_>) {
        let name = element.name();
        let prefix = name.prefix().map(|prefix| prefix.as_ref().to_owned());
        match element.local_name().as_ref() {
            "urlset" | "sitemapindex" => (self.is_one, self.prefix) = (true, prefix),
            kind @ ("url" | "sitemap") => {
                (self.is_index, self.is_empty, self.prefix) = (kind == "sitemap", true, prefix);
            }
            "loc" if prefix == self.prefix => self.location = Some(String::new()),
            "link" => match alternate(element) {
                Ok(href) => href.into_iter().for_each(|href| self.add_url(&href, false)),
                Err(_) => self.fail("a link that cannot be read"),
            },
            _ => {}
        }
    }

    fn end_of(&mut self, name: &str) {
        match name {
            "urlset" | "sitemapindex" => self.is_closed = true,
            "url" | "sitemap" if std::mem::take(&mut self.is_empty) => self.fail("an entry without a URL"),
            "loc" => {
                let Some(location) = self.location.take() else { return };
                self.is_empty = false;
                self.add_url(location.trim(), self.is_index);
            }
            _ => {}
        }
    }

    /// Adds to the text of a `loc`.
    fn add(&mut self, text: &str) {
        if let Some(location) = &mut self.location {
            *location += text;
        }
    }

    /// Adds a URL, which may be relative to the sitemap's own.
    fn add_url(&mut self, url: &str, is_sitemap: bool) {
        if url.is_empty() {
            return;
        }
        let list = if is_sitemap { &mut self.sitemap.sitemaps } else { &mut self.sitemap.pages };
        match join(self.base.as_ref(), url).and_then(|url| normalise(&url)) {
            Some(url) => list.push(url),
            None => self.fail(NOT_A_URL),
        }
    }

    fn fail(&mut self, why: &'static str) {
        self.sitemap.fault.get_or_insert(why);
    }

    fn end(mut self) -> Option<Sitemap> {
        if !self.is_closed {
            self.fail(CUT_OFF);
        }
        self.is_one.then_some(self.sitemap)
    }
}

/// The URL in `<xhtml:link rel="alternate" hreflang="fr" href="…"/>`.
fn alternate(element: &BytesStart<'_>) -> Result<Option<String>, Error> {
    if element.try_get_attribute("hreflang")?.is_none() {
        return Ok(None);
    }
    Ok(element.try_get_attribute("href")?.map(|href| unescaped(&href.value).trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "https://a.example/maps/1.xml";

    /// The paths of the pages in a sitemap with this content, and its fault.
    fn pages(inside: &str) -> (Vec<String>, Option<&'static str>) {
        let text = format!("<?xml version='1.0'?><urlset xmlns='x' xmlns:image='y'>{inside}</urlset>");
        let Sitemap { pages, fault, .. } = read(&text, URL).unwrap();
        (pages.iter().map(|page| page.replace("https://a.example", "")).collect(), fault)
    }

    #[test]
    fn an_index_a_sitemap_and_other_xml() {
        let index = r#"<?xml version="1.0"?><sitemapindex xmlns="x"><sitemap><loc>https://a.example/1.xml</loc></sitemap>
            <sitemap><loc> <![CDATA[https://a.example/2.xml?a=1&b=2]]> </loc></sitemap></sitemapindex>"#;
        let sitemaps = ["https://a.example/1.xml", "https://a.example/2.xml?a=1&b=2"].map(str::to_owned).into();
        assert_eq!(read(index, URL), Some(Sitemap { sitemaps, ..Sitemap::default() }));
        let whole = r#"<urlset xmlns:xhtml="x" xmlns:image="y"><url><loc>https://a.example/?p=1&amp;q=2</loc>
            <image:image><image:loc>https://a.example/i.png</image:loc></image:image>
            <xhtml:link rel="alternate" hreflang="fr" href="https://a.example/fr/?a=1&amp;b=2"/></url></urlset>"#;
        let pages = ["https://a.example/?p=1&q=2", "https://a.example/fr/?a=1&b=2"].map(str::to_owned).into();
        assert_eq!(read(whole, URL), Some(Sitemap { pages, ..Sitemap::default() }));
        assert_eq!(read("<html><body>Not here</body></html>", URL), None);
        assert_eq!(read("", URL), None);
        for cut in (0..whole.len()).filter(|cut| whole.is_char_boundary(*cut)) {
            assert!(read(&whole[..cut], URL).is_none_or(|sitemap| sitemap.fault.is_some()), "{}", &whole[..cut]);
        }
        assert_eq!(read("<urlset/>", URL), Some(Sitemap::default()));
    }

    #[test]
    fn a_bare_ampersand_costs_nothing() {
        let inside = "<url><loc>/a/?x=1&y=2</loc></url><url><loc>/b/?x=1&y=2;z&amp;c&#38;&lt&eacute;</loc></url>
            <url><loc>/c/</loc><image:image><image:caption>Fish & chips; caf&eacute; &</image:caption></image:image>
            <x:link hreflang='fr' href='/fr/?a=1&b=2&amp;c=3'/></url><url><loc>/d/</loc></url>";
        let found = ["/a/?x=1&y=2", "/b/?x=1&y=2;z&c&&lt%C3%A9", "/c/", "/fr/?a=1&b=2&c=3", "/d/"];
        assert_eq!(pages(inside), (found.map(str::to_owned).to_vec(), None));
    }

    #[test]
    fn elements_may_have_a_prefix_and_entries_may_be_relative() {
        for (s, kind) in [("sm:", "url"), ("", "url"), ("s:", "sitemap")] {
            let root = if kind == "url" { "urlset" } else { "sitemapindex" };
            let entry = |url: &str| format!("<{s}{kind}><{s}loc> {url} </{s}loc></{s}{kind}>");
            let entries = [entry("/a/"), entry("b"), entry("?p=1"), entry("//www.a.example/d/")].concat();
            let text = format!("<{s}{root}>{entries}<image:loc>/i/</image:loc></{s}{root}>");
            let sitemap = read(&text, URL).unwrap();
            let all = [sitemap.pages, sitemap.sitemaps].concat();
            let [maps, www] = ["https://a.example/maps/", "https://www.a.example/d/"];
            assert_eq!(all, ["https://a.example/a/", &format!("{maps}b"), &format!("{maps}1.xml?p=1"), www]);
            assert_eq!(sitemap.fault, None);
        }
    }

    #[test]
    fn damage_loses_only_the_entries_it_affects_and_is_a_fault() {
        let url = |path: &str| format!("<url><loc>{path}</loc></url>");
        for (damage, fault) in [
            (
                "<url><image:title>a < b</image:title><loc>/x/</loc></url>",
                "not well-formed XML, so that URLs may be missing",
            ),
            ("<br>", "not well-formed XML, so that URLs may be missing"),
            ("<url><other:loc>/x/</other:loc></url>", "an entry without a URL"),
            ("<url><loc>mailto:a@a.example</loc></url>", "an entry that is not an http or https URL"),
            ("<x:link hreflang='fr' href=/fr/ />", "a link that cannot be read"),
        ] {
            let (pages, found) = pages(&[&url("/a/"), damage, &url("/b/")].concat());
            assert_eq!(found, Some(fault), "{damage}");
            assert!(pages.contains(&"/a/".to_owned()) && pages.contains(&"/b/".to_owned()), "{damage}: {pages:?}");
        }
        assert_eq!(pages("<url><loc/></url>"), (Vec::new(), None));
    }

    #[test]
    fn entities_are_not_expanded() {
        let text = "<!DOCTYPE urlset [<!ENTITY x SYSTEM 'file:///etc/passwd'><!ENTITY y 'yyyy'>]>
            <urlset><url><loc>/a/&x;&y;</loc></url></urlset>";
        let sitemap = read(text, URL).unwrap();
        assert_eq!((sitemap.pages, sitemap.fault), (vec!["https://a.example/a/&x;&y;".to_owned()], None));
    }
}
