//! Outlines a page as a tree of blocks: how many letters each has, how many of them in links, and what its name says
//! ([`crate::boilerplate`]). Which block is the content is decided in [`super::choice`].

mod builder;
pub(super) mod cards;
pub(super) mod description;

pub(super) use self::builder::{Buffer, Builder};

/// A text of a run, where it is in the page.
pub(super) struct Piece {
    pub run: usize,
    pub at: usize,
    pub text: String,
}

use crate::boilerplate::Marks;
use crate::html::names::Name;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// Letters of a run whose words are kept: longer ones are not headings.
const SHORT: usize = 100;

/// What is to be looked at or played.
pub(super) const MEDIA: [Name; 6] = [Name::IMG, Name::IFRAME, Name::VIDEO, Name::AUDIO, Name::EMBED, Name::OBJECT];

/// An element that parts lines or whose name tells something, or a run of text between two of those.
#[derive(Debug)]
pub(super) struct Node {
    pub name: Name,
    pub is_run: bool,
    /// The number of the element around it; its own where there is none.
    pub parent: usize,
    /// The number of the first node that is not inside.
    pub next: usize,
    /// From the `<` of its start tag to the `>` of its end tag.
    pub outer: Range<usize>,
    /// What is between its tags.
    pub inner: Range<usize>,
    pub marks: Marks,
    /// Letters and digits of its visible text, those in links, and marks that end a part of a sentence.
    pub letters: usize,
    pub linked: usize,
    pub points: usize,
    /// Those in links to other hosts than the page says it is of.
    pub away: usize,
    /// Pictures, frames, players; headings of the first level.
    pub media: usize,
    pub titles: usize,
    /// A run that is the site's and not the page's: see [`super::template`].
    pub is_of_site: bool,
    /// A run with links to tags (`rel=tag`), or to the posts before and after (`rel=prev`).
    pub names_tags: bool,
    /// Its class says that it is a paragraph on the post: unlike a block it holds nothing else, however much of a short post it is.
    pub is_of_post: bool,
    /// A run that ends with a colon.
    pub introduces: bool,
    /// A run that says the title of the page, if it is known what is the site's.
    pub is_title: bool,
    /// Where its words are in [`Outline::words`], if it is a short run.
    words: Range<usize>,
    /// Of a longer one the hash of its beginning.
    beginning: u64,
}

/// The blocks of a page in document order.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub nodes: Vec<Node>,
    words: String,
    /// The page is that of one post, says the class of its body (`get_body_class()`).
    pub is_of_one_post: bool,
    /// It is that of a page (`page-id-7`), which is in no section.
    pub is_page: bool,
    /// The number of that post.
    pub number: Option<u64>,
    /// The page is an article, it says (`og:type`).
    pub is_article: bool,
    /// The titles of the page, as its head states them.
    pub titles: Vec<String>,
    /// What repeats over the pages of the site is marked.
    pub knows_site: bool,
    /// It has an element whose content is for those without scripts.
    pub has_noscript: bool,
    /// Where its JSON-LD is.
    pub json_ld: Vec<Range<usize>>,
}

impl Outline {
    /// Adds what each block has to the one around it.
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

    /// The words of a short run, blanks made alike; none of another node.
    pub(super) fn words(&self, at: usize) -> &str {
        self.words[self.nodes[at].words.clone()].trim_end()
    }

    /// The hash of the text of a run; none if it has no letters.
    pub(super) fn hash(&self, at: usize) -> Option<u64> {
        let node = &self.nodes[at];
        let is_text = node.is_run && node.letters > 0;
        let hash = |node: &Node| match node.beginning {
            0 => xxh3_64(self.words(at).as_bytes()),
            beginning => beginning ^ xxh3_64(&node.letters.to_le_bytes()),
        };
        is_text.then(|| hash(node))
    }

    /// The node and those around it, from inside out.
    pub(super) fn around(&self, at: usize) -> impl Iterator<Item = usize> {
        let mut next = Some(at);
        std::iter::from_fn(move || {
            let at = next?;
            let parent = self.nodes[at].parent;
            next = (parent != at).then_some(parent);
            Some(at)
        })
    }

    /// The element whose start tag is there.
    pub(super) fn element_at(&self, start: usize) -> Option<usize> {
        // not the root, which has no tag
        let at = self.nodes.partition_point(|node| node.outer.start < start).max(1);
        let same = self.nodes[at..].iter().take_while(|node| node.outer.start == start).position(|node| !node.is_run);
        same.map(|n| at + n)
    }
}
