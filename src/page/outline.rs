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
/// such elements. A page has at most [`crate::page::PAGE_LIMIT`] bytes, so that all counts and positions have 32 bits.
#[derive(Debug)]
pub(super) struct Node {
    pub name: Name,
    /// A run that belongs to the site, not to the page: see [`super::template`].
    pub is_of_site: bool,
    /// A run with the title of the page, if the texts of the site are known.
    pub is_title: bool,
    /// Its class names it as a paragraph about the post. Unlike a block, it holds nothing else, even if it is most of a short post.
    pub is_of_post: bool,
    parent: u32,
    next: u32,
    start: u32,
    end: u32,
    letters: u32,
    linked: u32,
    away: u32,
    kind: ElementOrRun,
}

/// What only elements have, and what only runs have.
#[derive(Debug)]
enum ElementOrRun {
    Element {
        titles: u8,
        media: u16,
        marks: Marks,
        inner: [u32; 2],
    },
    Run {
        names_tags: bool,
        introduces: bool,
        is_short: bool,
        points: u16,
        /// The start and end of its words in [`Outline::words`], if it is short; or else the two halves of the hash of its beginning.
        words: [u32; 2],
    },
}

/// Declares what a node tells of itself as numbers.
macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        impl Node {
            $($(#[$doc])* pub(super) fn $name(&self) -> usize { self.$name as usize })*
        }
    };
}

numbers! {
    /// The number of the element around it; the root has its own.
    parent,
    /// The number of the first node that is not inside.
    next,
    /// The letters and digits of its visible text.
    letters,
    /// The letters that are in links.
    linked,
    /// The letters in links to hosts other than the page's own.
    away,
}

impl Node {
    pub(super) fn is_run(&self) -> bool {
        matches!(self.kind, ElementOrRun::Run { .. })
    }

    /// From the `<` of its start tag to the `>` of its end tag.
    pub(super) fn outer(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Its contents, without its tags.
    pub(super) fn inner(&self) -> Range<usize> {
        if let ElementOrRun::Element { inner, .. } = self.kind {
            inner[0] as usize..inner[1] as usize
        } else {
            self.outer()
        }
    }
}

/// Declares what only one kind of node has.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $name:ident: $type:ty,)*) => {
        impl Node {
            $($(#[$doc])* pub(super) fn $name(&self) -> $type {
                if let ElementOrRun::$kind { $name, .. } = self.kind { $name.into() } else { <$type>::default() }
            })*
        }
    };
}

kinds! {
    Element marks: Marks,
    /// The number of pictures, frames and players, up to 65,535.
    Element media: usize,
    /// The number of first-level headings, up to 255.
    Element titles: usize,
    /// The punctuation marks that end a part of a sentence, up to 65,535.
    Run points: usize,
    /// It has links to tags (`rel=tag`), or to the posts before and after (`rel=prev`).
    Run names_tags: bool,
    /// It ends with a colon.
    Run introduces: bool,
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
            let Node { parent, letters, linked, away, .. } = self.nodes[at];
            let (pictures, headings) = (self.nodes[at].media() as u16, self.nodes[at].titles() as u8);
            let parent = &mut self.nodes[parent as usize];
            parent.letters += letters;
            parent.linked += linked;
            parent.away += away;
            if let ElementOrRun::Element { media, titles, .. } = &mut parent.kind {
                (*media, *titles) = (media.saturating_add(pictures), titles.saturating_add(headings));
            }
        }
    }

    /// The words of a short run, with single blanks; empty for other nodes.
    pub(super) fn words(&self, at: usize) -> &str {
        match self.nodes[at].kind {
            ElementOrRun::Run { is_short: true, words: [from, to], .. } => {
                self.words[from as usize..to as usize].trim_end()
            }
            _ => "",
        }
    }

    /// The hash of the text of a run; [`None`] if it has no letters.
    pub(super) fn hash(&self, at: usize) -> Option<u64> {
        let node = &self.nodes[at];
        let ElementOrRun::Run { is_short, words: [low, high], .. } = node.kind else { return None };
        let hash = || match is_short {
            true => xxh3_64(self.words(at).as_bytes()),
            false => (u64::from(low) | u64::from(high) << 32) ^ xxh3_64(&node.letters().to_le_bytes()),
        };
        (node.letters > 0).then(hash)
    }

    /// The node and those around it, from the inside out.
    pub(super) fn around(&self, at: usize) -> impl Iterator<Item = usize> {
        let mut next = Some(at);
        std::iter::from_fn(move || {
            let at = next?;
            let parent = self.nodes[at].parent();
            next = (parent != at).then_some(parent);
            Some(at)
        })
    }

    /// The element whose start tag is at `start`.
    pub(super) fn element_at(&self, start: usize) -> Option<usize> {
        // skips the root, which has no tag
        let at = self.nodes.partition_point(|node| node.outer().start < start).max(1);
        let same =
            self.nodes[at..].iter().take_while(|node| node.outer().start == start).position(|node| !node.is_run());
        same.map(|n| at + n)
    }
}
