//! The links of a content: `a` and `area` in document order.
//! Whether a link leads to this site, and to which record, is told when the whole site is known.

use super::elements::Element;
use super::names::Name;
use super::tokenizer::Attributes;
use crate::record::{Link, Str};
use crate::urls::{self, PageUrl};

/// The links so far, and the one that is open.
#[derive(Default)]
pub(crate) struct Links {
    pub(crate) found: Vec<Link<'static>>,
    open: Option<Open>,
}

struct Open {
    depth: usize,
    index: usize,
    /// Alternative text of the first image that has one.
    alt: Option<String>,
}

impl Links {
    /// Whether a link is open, whose text is wanted.
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// A link begins.
    pub(crate) fn open(
        &mut self,
        element: &Element<'_>,
        attributes: Attributes<'_, '_>,
        depth: usize,
        page: Option<&PageUrl>,
    ) {
        let href = attributes.get("href");
        let url = href.as_deref().and_then(|href| urls::join(page, href).map(|url| url.into_owned()));
        let area = element.name == Name::AREA;
        let owned = |name: &str| attributes.get(name).map(|value| Str::from(value.into_owned()));
        self.found.push(Link {
            element: Some(Str::from(if area { "area" } else { "a" })),
            comment: href.as_deref().and_then(comment_of),
            href: href.map(|href| Str::from(href.into_owned())),
            url: url.map(Str::from),
            alt: if area { owned("alt") } else { None },
            rel: owned("rel"),
            ..Link::default()
        });
        if !area {
            self.open = Some(Open { depth, index: self.found.len() - 1, alt: None });
        }
    }

    /// An image inside the open link has this alternative text.
    pub(crate) fn image(&mut self, alt: Option<&str>) {
        if let Some(open) = &mut self.open
            && open.alt.is_none()
        {
            open.alt = alt.filter(|alt| !alt.trim().is_empty()).map(str::to_owned);
        }
    }

    /// Whether the link that is open began at `depth`.
    pub(crate) fn ends_at(&self, depth: usize) -> bool {
        self.open.as_ref().is_some_and(|open| open.depth == depth)
    }

    /// The open link ends, with this text.
    pub(crate) fn close(&mut self, text: String) {
        if let Some(open) = self.open.take() {
            let link = &mut self.found[open.index];
            if text.is_empty() {
                link.alt = open.alt.map(Str::from);
            }
            link.text = Some(Str::from(text));
        }
    }
}

/// The N of `#comment-N`.
fn comment_of(href: &str) -> Option<i64> {
    let (_, fragment) = href.split_once('#')?;
    let digits = fragment.trim_end().strip_prefix("comment-")?;
    if digits.bytes().all(|b| b.is_ascii_digit()) { digits.parse().ok() } else { None }
}
