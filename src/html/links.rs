//! Collects the links of a post: `a` and `area` elements in document order. wp-resolve determines whether a link leads
//! to this site, and to which record.

use super::elements::Element;
use super::names::Name;
use super::tokenizer::Attributes;
use crate::record::{Link, Str};
use crate::urls::{self, PageUrl};
use crate::wordpress::comment_of;
use std::borrow::Cow;

/// The fewest bytes that the JSON of a link has: all its values are null.
const LEAST: usize = 150;

/// The links so far, and the open one.
#[derive(Default)]
pub(crate) struct Links<'a> {
    pub(crate) found: Vec<Link<'a>>,
    /// A lower bound for the JSON of all links together, in bytes.
    pub(super) bytes: usize,
    open: Option<OpenLink<'a>>,
}

struct OpenLink<'a> {
    depth: usize,
    index: usize,
    /// The first alternative text of an image in it.
    alt: Option<Str<'a>>,
    /// The last text in it, as written: most links contain a single text, which is also their visible text.
    written: &'a str,
}

impl<'a> Links<'a> {
    /// Whether a link is open and needs text.
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Handles the start of a link.
    pub(crate) fn open(
        &mut self,
        element: &Element<'_>,
        attributes: Attributes<'_, 'a>,
        depth: usize,
        page: Option<&PageUrl>,
    ) {
        let href = attributes.get("href");
        let url = href.as_ref().and_then(|href| join(page, href));
        let area = element.name == Name::AREA;
        let value = |name: &str| attributes.get(name).map(Str::from);
        let link = Link {
            element: Some(Str::from(if area { "area" } else { "a" })),
            comment: href.as_deref().and_then(comment_of),
            href: href.map(Str::from),
            url: url.map(Str::from),
            alt: if area { value("alt") } else { None },
            rel: value("rel"),
            ..Link::default()
        };
        let values = [&link.href, &link.url, &link.alt, &link.rel];
        self.bytes += LEAST + values.into_iter().flatten().map(|value| value.len()).sum::<usize>();
        self.found.push(link);
        if !area {
            self.open = Some(OpenLink { depth, index: self.found.len() - 1, alt: None, written: "" });
        }
    }

    /// Notes the alternative text of an image inside the open link.
    pub(crate) fn image(&mut self, alt: Option<&Str<'a>>) {
        if let Some(open) = &mut self.open
            && open.alt.is_none()
        {
            open.alt = alt.filter(|alt| !alt.trim().is_empty()).cloned();
        }
    }

    /// Notes text inside the open link, as written.
    pub(crate) fn text(&mut self, written: &'a str) {
        if let Some(open) = &mut self.open {
            open.written = written;
        }
    }

    /// Whether the link that is open began at `depth`.
    pub(crate) fn ends_at(&self, depth: usize) -> bool {
        self.open.as_ref().is_some_and(|open| open.depth == depth)
    }

    /// Ends the open link, with this text.
    pub(crate) fn close(&mut self, text: Cow<'_, str>) {
        if let Some(open) = self.open.take() {
            let link = &mut self.found[open.index];
            if text.is_empty() {
                link.alt = open.alt;
            }
            self.bytes += text.len() + link.alt.as_ref().map_or(0, |alt| alt.len());
            let same = open.written == text;
            link.text = Some(if same { Str::from(open.written) } else { Str::from(text.into_owned()) });
        }
    }
}

/// Like [`urls::join`]; the result borrows from the HTML if possible.
pub(super) fn join<'a>(page: Option<&PageUrl>, reference: &Cow<'a, str>) -> Option<Cow<'a, str>> {
    match reference {
        Cow::Borrowed(reference) => urls::join(page, reference),
        Cow::Owned(reference) => urls::join(page, reference).map(|url| Cow::Owned(url.into_owned())),
    }
}
