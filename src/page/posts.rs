//! Distinguishes pages with several posts from pages with one if the class of the body does not: themes without
//! `body_class()` still number their posts, or mark the links in their titles as permanent.

use crate::html::elements::{Element, Sink};
use crate::html::names::Name;
use crate::html::tokenizer::Attributes;
use crate::wordpress::after;
use std::ops::Range;

/// The posts that a page shows, read until there are two.
#[derive(Default)]
pub(super) struct Posts {
    /// The numbers of its posts (`post_class()`, `id="post-7"`), and the URLs of its permanent links
    /// (`rel="bookmark"`).
    numbers: Vec<u64>,
    links: Vec<String>,
    /// Its articles that are not named as comments.
    articles: usize,
}

impl Posts {
    /// The number of posts, up to two.
    pub(super) fn count(&self) -> usize {
        self.numbers.len().max(self.links.len()).max(self.articles)
    }
}

impl<'a> Sink<'a> for Posts {
    fn open(&mut self, element: &Element<'a>, tag: Attributes<'_, 'a>, _: usize, _: Range<usize>) {
        if element.name == Name::A {
            let is_bookmark =
                |rel: &str| rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("bookmark"));
            let href = tag.raw("href").filter(|_| tag.raw("rel").is_some_and(is_bookmark));
            self.links.extend(href.filter(|href| !self.links.iter().any(|link| link == href)).map(str::to_owned));
            return;
        }
        let class = tag.raw("class").unwrap_or_default();
        self.articles += usize::from(element.name == Name::ARTICLE && !class.contains("comment"));
        for names in [tag.raw("id"), tag.raw("class")].into_iter().flatten() {
            for number in after(names, "post-").filter_map(|number| number.parse().ok()) {
                if !self.numbers.contains(&number) {
                    self.numbers.push(number);
                }
            }
        }
    }

    fn is_done(&self) -> bool {
        self.count() > 1
    }
}
