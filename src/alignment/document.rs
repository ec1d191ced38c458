//! Splits a document into the blocks and sentences to align, and collects possible anchors in them.
//! [`crate::html::structure`] defines the blocks.

use super::lengths::length;
use crate::html::structure::{self, Listener, Picture, Span, Structure};
use crate::pairs::document::lines_of;
use crate::sentences::Segmenter;
use crate::urls::PageUrl;
use serde::{Deserialize, Serialize};

#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Document {
    pub(super) blocks: Vec<Block>,
    pub(super) sentences: Vec<Sentence>,
}

/// A block: the title, or a part of the content that has text or images of its own.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    /// The number of its first sentence.
    pub(super) first: usize,
    /// How many sentences it has.
    pub(super) count: usize,
    pub(super) media: Vec<Anchor>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum BlockKind {
    Title,
    Heading(u8),
    Paragraph,
    Preformatted,
    Item,
    Term,
    Cell(bool),
    Caption,
}

impl BlockKind {
    /// What two blocks of this kind have in common, as the value of an anchor; `None` for paragraphs, which are no
    /// evidence.
    pub(super) fn name(self, other: BlockKind) -> Option<String> {
        let name = match self {
            _ if self != other => return None,
            BlockKind::Paragraph => return None,
            BlockKind::Title => "title",
            BlockKind::Heading(level) => return Some(format!("heading {level}")),
            BlockKind::Preformatted => "preformatted",
            BlockKind::Item => "item",
            BlockKind::Term => "term",
            BlockKind::Cell(_) => "cell",
            BlockKind::Caption => "caption",
        };
        Some(name.to_owned())
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Sentence {
    pub(crate) text: String,
    /// The number of the block that it is in, from 0.
    pub(crate) block: usize,
    /// Its number in the block, from 0.
    pub(crate) number: usize,
    /// The records or URLs to which it links.
    pub(super) links: Vec<Anchor>,
    pub(crate) length: usize,
}

/// An image or a link: the record or URL that it shows or leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Anchor {
    /// A hash of the record or, if there is none, of the URL.
    pub(crate) key: u64,
    /// A readable form of the key.
    pub(crate) value: String,
}

impl Document {
    pub(crate) fn sentences(&self) -> &[Sentence] {
        &self.sentences
    }

    pub(crate) fn has_title(&self) -> bool {
        self.blocks.first().is_some_and(|block| block.kind == BlockKind::Title)
    }

    pub(crate) fn length(&self) -> usize {
        self.sentences.iter().map(|sentence| sentence.length).sum()
    }
}

#[derive(Default)]
pub(crate) struct DocumentReader {
    structure: Structure,
    segmenter: Segmenter,
}

/// The fields of a record that make its document.
pub(crate) struct Contents<'c> {
    pub(crate) title: Option<&'c str>,
    pub(crate) html: Option<&'c str>,
    /// The text, used if there is no HTML; each line is a paragraph.
    pub(crate) text: Option<&'c str>,
    pub(crate) link: Option<&'c str>,
    pub(crate) language: Option<&'c str>,
}

impl DocumentReader {
    /// Reads a document. `media` and `link` return the anchor for the URL of an image and of a link.
    pub(crate) fn read(
        &mut self,
        contents: &Contents<'_>,
        media: impl Fn(&str) -> Anchor,
        link: impl Fn(&str) -> Anchor,
    ) -> Document {
        let mut builder = Builder {
            segmenter: &self.segmenter,
            language: contents.language,
            media,
            link,
            document: Document::default(),
            items: Vec::new(),
            block: None,
            line: String::new(),
            links: Vec::new(),
            broken: false,
        };
        if let Some(title) = contents.title {
            builder.block(BlockKind::Title, &lines_of(title).collect::<Vec<_>>().join(" "));
        }
        match contents.html {
            Some(html) => {
                self.structure.read(html, contents.link.and_then(PageUrl::parse).as_ref(), &mut builder);
            }
            None => {
                let lines = lines_of(contents.text.unwrap_or_default());
                lines.for_each(|line| builder.block(BlockKind::Paragraph, &line));
            }
        }
        builder.document
    }
}

/// Builds blocks and sentences from the events of [`Structure`].
struct Builder<'r, M, L> {
    segmenter: &'r Segmenter,
    language: Option<&'r str>,
    media: M,
    link: L,
    document: Document,
    /// The items that are open.
    items: Vec<BlockKind>,
    /// The leaf that is open.
    block: Option<Block>,
    /// The line of the leaf so far; `links` has the places in it at which links begin.
    line: String,
    links: Vec<(usize, Anchor)>,
    /// Whether the line ends here, unless the sentence continues.
    broken: bool,
}

impl<M: Fn(&str) -> Anchor, L: Fn(&str) -> Anchor> Builder<'_, M, L> {
    fn block(&mut self, kind: BlockKind, line: &str) {
        self.open_leaf(kind);
        self.line.push_str(line);
        self.close_leaf();
    }

    fn open_leaf(&mut self, kind: BlockKind) {
        self.close_leaf();
        self.block = Some(Block { kind, first: self.document.sentences.len(), count: 0, media: Vec::new() });
    }

    fn close_leaf(&mut self) {
        self.broken = false;
        self.end_line();
        if let Some(block) = self.block.take().filter(|block| block.count > 0 || !block.media.is_empty()) {
            self.document.blocks.push(block);
        }
    }

    /// Ends a line, and with it the last sentence of the line.
    fn end_line(&mut self) {
        let (line, mut links) =
            (std::mem::take(&mut self.line), std::mem::take(&mut self.links).into_iter().peekable());
        let Some(block) = &mut self.block else { return };
        let mut end = 0;
        for text in self.segmenter.sentences(&line, self.language) {
            end += text.len();
            let text = text.trim();
            if text.is_empty() {
                continue;
            }
            let mut own = Vec::new();
            while let Some((_, anchor)) = links.next_if(|(at, _)| *at < end) {
                own.push(anchor);
            }
            self.document.sentences.push(Sentence {
                length: length(text),
                text: text.to_owned(),
                block: self.document.blocks.len(),
                number: block.count,
                links: own,
            });
            block.count += 1;
        }
    }
}

impl<M: Fn(&str) -> Anchor, L: Fn(&str) -> Anchor> Listener for Builder<'_, M, L> {
    fn open(&mut self, block: structure::Block) {
        use structure::Block;
        let kind = match block {
            Block::Quote | Block::List(_) | Block::Table | Block::Row => return,
            Block::Item | Block::Term => {
                return self.items.push(if block == Block::Item { BlockKind::Item } else { BlockKind::Term });
            }
            Block::Paragraph => self.items.last().copied().unwrap_or(BlockKind::Paragraph),
            Block::Caption => BlockKind::Caption,
            Block::Heading(level) => BlockKind::Heading(level),
            Block::Preformatted => BlockKind::Preformatted,
            Block::Cell { header } => BlockKind::Cell(header),
        };
        self.open_leaf(kind);
    }

    fn close(&mut self, block: structure::Block) {
        self.close_leaf();
        if matches!(block, structure::Block::Item | structure::Block::Term) {
            self.items.pop();
        }
    }

    fn open_span(&mut self, span: Span<'_>) {
        if let Span::Link(url) = span {
            self.links.push((self.line.len(), (self.link)(url)));
        }
    }

    fn close_span(&mut self, _: Span<'_>) {}

    fn text(&mut self, text: &str) {
        if std::mem::take(&mut self.broken) {
            let open = self.line.ends_with(|c: char| c.is_alphanumeric() || c == ',');
            match open && text.starts_with(char::is_lowercase) {
                true => self.line.push(' '),
                false => self.end_line(),
            }
        }
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                self.end_line();
            }
            let odd = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}' | '\u{2028}' | '\u{2029}');
            self.line.extend(line.chars().map(|c| if odd(c) { ' ' } else { c }));
        }
    }

    fn line_break(&mut self) {
        self.broken = true;
    }

    fn image(&mut self, picture: Picture<'_>) {
        if let Some(block) = &mut self.block {
            block.media.push((self.media)(picture.url));
        }
    }

    fn rule(&mut self) {}
}
