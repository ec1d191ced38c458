//! Writes a page of a scrape as bytes and reads it again, so that pages can be sorted outside of memory.

use super::super::capture::Capture;
use super::super::claim::{Claim, Names, Space};
use super::super::stated::{SavedFrom, StatedUrl};
use super::Page;
use crate::codec::{Packed, put_bytes, put_number};
use std::sync::Arc;

impl Page {
    /// Appends everything that was read about the page.
    pub(in super::super) fn pack(&self, notes: &mut Vec<u8>) {
        let flags = [
            self.is_certain,
            self.is_archive,
            self.is_error,
            self.is_redirect,
            self.is_foreign,
            self.is_in_other_language,
            self.is_rewritten,
            self.has_rest_base,
            self.stated_by_file,
            self.names_top,
        ];
        let flags = flags.iter().rev().fold(0, |all, &flag| all << 1 | u64::from(flag));
        put_number(notes, u64::from(self.root));
        put_number(notes, flags);
        put_number(notes, u64::from(self.title));
        put_bytes(notes, self.file.as_bytes());
        let (stated, url) = match &self.stated {
            StatedUrl::Nothing => (0, ""),
            StatedUrl::Secure => (1, ""),
            StatedUrl::Url(url) => (2, &**url),
        };
        put_number(notes, stated);
        let (space, base) = match self.claim.as_ref().map(|claim| &claim.space) {
            None => (0, ""),
            Some(Space::Posts) => (1, ""),
            Some(Space::Terms) => (2, ""),
            Some(Space::Users) => (3, ""),
            Some(Space::Base(base)) => (4, &**base),
        };
        put_number(notes, space);
        put_number(notes, self.claim.as_ref().map_or(0, |claim| claim.id).cast_unsigned());
        let saved_from = match &self.saved_from {
            SavedFrom::Path => "",
            SavedFrom::Url(url) => url,
        };
        let capture = self.capture.as_ref().map_or("", Capture::lines);
        let shared = [&self.r#type, &self.rest, &self.language, &self.shortlink, &self.headers];
        let shared = shared.map(|text| text.as_deref().unwrap_or_default());
        for text in [url, base, saved_from, capture].into_iter().chain(shared) {
            put_bytes(notes, text.as_bytes());
        }
    }

    /// The page that [`Page::pack`] has appended; `None` if it is truncated.
    pub(in super::super) fn unpack(notes: &mut Packed<'_>, names: &mut Names) -> Option<Page> {
        let root = u32::try_from(notes.number()?).ok()?;
        let flags = notes.number()?;
        let title = u32::try_from(notes.number()?).ok()?;
        let file = text(notes)?.into();
        let (stated, space, id) = (notes.number()?, notes.number()?, notes.number()?.cast_signed());
        let [url, base, saved_from, capture] = [text(notes)?, text(notes)?, text(notes)?, text(notes)?];
        let mut shared = || -> Option<Option<Arc<str>>> {
            let text = text(notes)?;
            Some((!text.is_empty()).then(|| names.share(text)))
        };
        let [r#type, rest, language, shortlink, headers] = [shared()?, shared()?, shared()?, shared()?, shared()?];
        let space = match space {
            0 => None,
            1 => Some(Space::Posts),
            2 => Some(Space::Terms),
            3 => Some(Space::Users),
            _ => Some(Space::Base(names.share(base))),
        };
        Some(Page {
            root,
            file,
            saved_from: if saved_from.is_empty() { SavedFrom::Path } else { SavedFrom::Url(saved_from.into()) },
            stated: match stated {
                0 => StatedUrl::Nothing,
                1 => StatedUrl::Secure,
                _ => StatedUrl::Url(url.into()),
            },
            claim: space.map(|space| Claim { space, id }),
            r#type,
            rest,
            language,
            shortlink,
            is_certain: flags & 1 != 0,
            is_archive: flags & 2 != 0,
            is_error: flags & 4 != 0,
            is_redirect: flags & 8 != 0,
            is_foreign: flags & 16 != 0,
            is_in_other_language: flags & 32 != 0,
            is_rewritten: flags & 64 != 0,
            has_rest_base: flags & 128 != 0,
            stated_by_file: flags & 256 != 0,
            names_top: flags & 512 != 0,
            is_older: false,
            capture: (!capture.is_empty()).then(|| Capture::Said(capture.into())),
            headers,
            title,
        })
    }
}

fn text<'n>(notes: &mut Packed<'n>) -> Option<&'n str> {
    std::str::from_utf8(notes.bytes()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Head;
    use crate::scrape::location::Location;

    #[test]
    fn a_page_is_the_same_after_it_was_packed() {
        let text = |text: &str| Some(text.to_owned());
        let heads = [
            Head::default(),
            Head { canonical: text("https://x.example/a/"), html_lang: text("fr"), ..Head::default() },
            Head {
                canonical: text("https://y.example/é/"),
                json_alternates: vec!["https://x.example/wp-json/wp/v2/boats/7".to_owned()],
                ..Head::default()
            },
            Head { body_class: text("archive author author-ann author-3"), ..Head::default() },
            Head { body_class: text("error404 term-4 archive"), ..Head::default() },
            Head { title: text("A title"), ..Head::default() },
            Head { shortlink: text("/?p=12"), refresh: text("0; url=/b/"), ..Head::default() },
        ];
        for (at, head) in heads.iter().enumerate() {
            let location = Location { url: "http://x.example/a/".to_owned(), is_certain: at % 2 == 0 };
            let file = if at == 1 { "x.example/a/index.html" } else { "x.warc#12" };
            let mut page = Page::new(at as u32, file.to_owned(), location, head, &mut Names::default());
            page.is_foreign = at == 3;
            page.headers = (at == 2).then(|| "tdm-reservation: 1\n".into());
            page.capture = (at > 1).then(|| Capture::new("2026", if at == 2 { "" } else { "sha1:X" }, "", None));
            let mut bytes = Vec::new();
            page.pack(&mut bytes);
            let back = Page::unpack(&mut Packed(&bytes), &mut Names::default()).unwrap();
            assert_eq!(format!("{back:?}"), format!("{page:?}"));
            assert!(
                (0..bytes.len()).all(|end| Page::unpack(&mut Packed(&bytes[..end]), &mut Names::default()).is_none())
            );
        }
    }
}
