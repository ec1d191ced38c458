//! Outlines a page as a tree of HTML blocks: the number of letters in each, how many of them are in links, and the marks of its
//! name ([`crate::boilerplate`]). [`super::choice`] decides which block is the content.

mod builder;
pub(super) mod cards;
pub(super) mod description;

pub(super) use self::builder::{Buffer, Builder};

/// A piece of the text of a run ([`Node`]), with its position in the page.
pub(super) struct Piece {
    pub run: usize,
    pub at: usize,
    pub text: String,
}

use crate::boilerplate::Marks;
use crate::html::names::Name;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// The most letters of a run whose words are kept: longer ones are not headings.
const SHORT: usize = 100;

/// The elements of pictures, frames and players.
pub(super) const MEDIA: [Name; 6] = [Name::IMG, Name::IFRAME, Name::VIDEO, Name::AUDIO, Name::EMBED, Name::OBJECT];

/// A node of the outline: an element, if it is block-level or has a meaningful name; or a run, which is the text between the tags of two
/// such elements.
#[derive(Debug)]
pub(super) struct Node {
    pub name: Name,
    pub is_run: bool,
    /// The number of the element around it; the root has its own.
    pub parent: usize,
    /// The number of the first node that is not inside.
    pub next: usize,
    /// From the `<` of its start tag to the `>` of its end tag.
    pub outer: Range<usize>,
    /// Its contents, without its tags.
    pub inner: Range<usize>,
    pub marks: Marks,
    /// The letters and digits of its visible text.
    pub letters: usize,
    /// The letters that are in links.
    pub linked: usize,
    /// The punctuation marks that end a part of a sentence.
    pub points: usize,
    /// The letters in links to hosts other than the page's own.
    pub away: usize,
    /// The number of pictures, frames and players.
    pub media: usize,
    /// The number of first-level headings.
    pub titles: usize,
    /// A run that belongs to the site, not to the page: see [`super::template`].
    pub is_of_site: bool,
    /// A run with links to tags (`rel=tag`), or to the posts before and after (`rel=prev`).
    pub names_tags: bool,
    /// Its class names it as a paragraph about the post. Unlike a block, it holds nothing else, even if it is most of a short post.
    pub is_of_post: bool,
    /// A run that ends with a colon.
    pub introduces: bool,
    /// A run with the title of the page, if the texts of the site are known.
    pub is_title: bool,
    /// The position of its words in [`Outline::words`], if it is a short run.
    words: Range<usize>,
    /// For a longer run, the hash of its beginning.
    beginning: u64,
}

/// The blocks of a page in document order.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub nodes: Vec<Node>,
    words: String,
    /// The page shows a single post, according to the class of its body (`get_body_class()`).
    pub is_of_one_post: bool,
    /// That post is a page (`page-id-7`), which has no sections.
    pub is_page: bool,
    /// The number of that post.
    pub number: Option<u64>,
    /// The page states that it is an article (`og:type`).
    pub is_article: bool,
    /// The titles of the page, as its head states them.
    pub titles: Vec<String>,
    /// The texts that repeat on the site's pages are marked.
    pub knows_site: bool,
    /// It has a `noscript` element.
    pub has_noscript: bool,
    /// Its scripts of JSON-LD.
    pub json_ld: Vec<String>,
}

impl Outline {
    /// Adds the counts of each block to the one around it.
    fn sum(&mut self) {
        for at in (1..self.nodes.len()).rev() {
            let Node { parent, letters, linked, points, away, media, titles, .. } = self.nodes[at];
            let parent = &mut self.nodes[parent];
            parent.letters += letters;
            parent.linked += linked;
            parent.points += points;
            parent.away += away;
            parent.media += media;
            parent.titles += titles;
        }
    }

    /// The words of a short run, with single blanks; empty for other nodes.
    pub(super) fn words(&self, at: usize) -> &str {
        self.words[self.nodes[at].words.clone()].trim_end()
    }

    /// The hash of the text of a run; [`None`] if it has no letters.
    pub(super) fn hash(&self, at: usize) -> Option<u64> {
        let node = &self.nodes[at];
        let is_text = node.is_run && node.letters > 0;
        let hash = |node: &Node| match node.beginning {
            0 => xxh3_64(self.words(at).as_bytes()),
            beginning => beginning ^ xxh3_64(&node.letters.to_le_bytes()),
        };
        is_text.then(|| hash(node))
    }

    /// The node and those around it, from the inside out.
    pub(super) fn around(&self, at: usize) -> impl Iterator<Item = usize> {
        let mut next = Some(at);
        std::iter::from_fn(move || {
            let at = next?;
            let parent = self.nodes[at].parent;
            next = (parent != at).then_some(parent);
            Some(at)
        })
    }

    /// The element whose start tag is at `start`.
    pub(super) fn element_at(&self, start: usize) -> Option<usize> {
        // skips the root, which has no tag
        let at = self.nodes.partition_point(|node| node.outer.start < start).max(1);
        let same = self.nodes[at..].iter().take_while(|node| node.outer.start == start).position(|node| !node.is_run);
        same.map(|n| at + n)
    }
}
