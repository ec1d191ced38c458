//! Reads sitemaps: the URLs of pages, of other sitemaps, and of a page's versions in other languages.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sitemap {
    pub(super) sitemaps: Vec<String>,
    pub(super) pages: Vec<String>,
}

/// Reads a sitemap or an index of sitemaps; none if the text is neither. What comes before an error counts.
pub(super) fn read(text: &str) -> Option<Sitemap> {
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}').trim_start());
    let mut sitemap = Sitemap::default();
    let (mut is_one, mut is_index, mut location) = (false, false, None);
    loop {
        match reader.read_event() {
            Ok(Event::Start(element)) => match element.local_name().as_ref() {
                "urlset" | "sitemapindex" => is_one = true,
                "sitemap" => is_index = true,
                "url" => is_index = false,
                // An image's or a video's is called the same in other namespaces.
                "loc" if element.name().prefix().is_none() => location = Some(String::new()),
                "link" => sitemap.pages.extend(alternate(&element)),
                _ => {}
            },
            Ok(Event::Empty(element)) if element.local_name().as_ref() == "link" => {
                sitemap.pages.extend(alternate(&element));
            }
            Ok(Event::Text(text)) => add(&mut location, &text.xml10_content()),
            Ok(Event::CData(text)) => add(&mut location, &text.xml10_content()),
            Ok(Event::GeneralRef(name)) => match name.resolve_char_ref() {
                Ok(Some(char)) => add(&mut location, char.encode_utf8(&mut [0; 4])),
                _ => add(&mut location, if name.xml10_content() == "amp" { "&" } else { "" }),
            },
            Ok(Event::End(element)) if element.local_name().as_ref() == "loc" => {
                let list = if is_index { &mut sitemap.sitemaps } else { &mut sitemap.pages };
                list.extend(location.take().map(|url| url.trim().to_owned()).filter(|url| !url.is_empty()));
            }
            Ok(Event::Eof) | Err(_) => return is_one.then_some(sitemap),
            Ok(_) => {}
        }
    }
}

/// Adds to the text of a `loc`.
fn add(location: &mut Option<String>, text: &str) {
    if let Some(location) = location {
        *location += text;
    }
}

/// Where `<xhtml:link rel="alternate" hreflang="fr" href="…"/>` leads.
fn alternate(element: &BytesStart<'_>) -> Option<String> {
    let value = |name: &str| {
        let attribute = element.try_get_attribute(name).ok()??;
        attribute.normalized_value(XmlVersion::Implicit1_0).ok().map(|value| value.into_owned())
    };
    value("hreflang").and_then(|_| value("href"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_a_sitemap_and_other_xml() {
        let index = r#"<?xml version="1.0"?><sitemapindex xmlns="x"><sitemap><loc>https://a.example/1.xml</loc></sitemap>
            <sitemap><loc> <![CDATA[https://a.example/2.xml?a=1&b=2]]> </loc></sitemap></sitemapindex>"#;
        assert_eq!(read(index).unwrap().sitemaps, ["https://a.example/1.xml", "https://a.example/2.xml?a=1&b=2"]);
        let pages = r#"<urlset xmlns:xhtml="x" xmlns:image="y"><url><loc>https://a.example/?p=1&amp;q=2</loc>
            <image:image><image:loc>https://a.example/i.png</image:loc></image:image>
            <xhtml:link rel="alternate" hreflang="fr" href="https://a.example/fr/?a=1&amp;b=2"/></url>"#;
        assert_eq!(read(pages).unwrap().pages, ["https://a.example/?p=1&q=2", "https://a.example/fr/?a=1&b=2"]);
        assert_eq!(read("<html><body>Not here</body></html>"), None);
        assert_eq!(read(""), None);
        for cut in 0..pages.len() {
            if pages.is_char_boundary(cut) {
                let _ = read(&pages[..cut]);
            }
        }
    }
}
