//! The structure of a content: the rendered text in its blocks and spans, with images, as one well-nested stream of events.
//! How it is written down (Markdown, TEI) is left to the listeners; which text is seen, and where lines break, to
//! [`RenderedText`].
//!
//! What listeners may rely on: containers (quotes, lists, their items) hold blocks, lists hold items only; leaves
//! (paragraphs, captions, headings, preformatted texts, cells) hold text and spans and no blocks; tables hold rows, rows
//! hold cells. Nothing but cells is empty. Spans end within their leaf, each kind is open once at most, and code holds no
//! other span.

mod pictures;
mod spans;

use super::elements::{Buffers, Element, Reading, Sink, read};
use super::names::{self, Name};
use super::style::{Look, WhiteSpace};
use super::text::RenderedText;
use super::tokenizer::{Attributes, Nul, Text};
use crate::urls::PageUrl;
use pictures::Pictures;
use spans::{Spans, kind_of};

/// How deep containers nest; what is deeper stands in the innermost of them. Keeps prefixes of lines short.
const DEPTH: usize = 24;

/// A block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// A paragraph, or text that stands between blocks.
    Paragraph,
    /// The caption of a figure or a table.
    Caption,
    /// A heading of level 1 to 6.
    Heading(u8),
    /// Text that keeps its blanks and line ends.
    Preformatted,
    /// A quotation.
    Quote,
    /// A list.
    List(List),
    /// An item of a list, or the definition of a term.
    Item,
    /// A term in a list of definitions.
    Term,
    /// A table of data.
    Table,
    /// A row of a table.
    Row,
    /// A cell of a row; the only block that may be empty.
    Cell {
        /// It names what stands in its row or column.
        header: bool,
    },
}

/// How the items of a list are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// By bullets.
    Bullets,
    /// By numbers, from this one on.
    Numbers(i64),
    /// Not at all: terms and their definitions.
    Definitions,
}

/// A piece of text that differs from the text around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span<'a> {
    /// A link with its absolute URL.
    Link(&'a str),
    /// Of importance, bold.
    Strong,
    /// Stressed, italic.
    Emphasis,
    /// No longer valid, struck through.
    Deleted,
    /// Raised.
    Superscript,
    /// Lowered.
    Subscript,
    /// Code, what is typed, what a program says.
    Code,
}

/// An image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture<'a> {
    /// Its absolute URL, the real one behind lazy loading.
    pub url: &'a str,
    /// Its alternative text, perhaps empty.
    pub alt: &'a str,
}

/// What hears of a structure.
pub trait Listener {
    /// A block begins.
    fn open(&mut self, block: Block);
    /// The innermost block ends.
    fn close(&mut self, block: Block);
    /// A span begins.
    fn open_span(&mut self, span: Span<'_>);
    /// The innermost span ends.
    fn close_span(&mut self, span: Span<'_>);
    /// Text: without line ends, but in preformatted blocks.
    fn text(&mut self, text: &str);
    /// The line ends, and the leaf goes on.
    fn line_break(&mut self);
    /// An image, in a leaf.
    fn image(&mut self, picture: Picture<'_>);
    /// A thematic break, among blocks.
    fn rule(&mut self);
}

/// Reads fragment after fragment.
pub struct Structure {
    buffers: Buffers,
    text: RenderedText,
    scratch: String,
}

impl Default for Structure {
    fn default() -> Self {
        Structure { buffers: Buffers::default(), text: RenderedText::new(true, true), scratch: String::new() }
    }
}

impl Structure {
    /// Tells `listener` the structure of `html`. `page` is the URL to which relative references are joined.
    pub fn read(&mut self, html: &str, page: Option<&PageUrl>, listener: &mut impl Listener) {
        self.text.clear();
        let reading = Reading::default();
        let mut builder = Builder {
            text: &mut self.text,
            scratch: &mut self.scratch,
            page,
            listener,
            taken: 0,
            frames: Vec::new(),
            leaf: None,
            firm: None,
            table: None,
            left: None,
            breaks: 0,
            spans: Spans::new(html.len()),
            pictures: Pictures::default(),
        };
        read(html, reading, &mut self.buffers, &mut builder);
        builder.close_leaf();
        builder.close_frames(0);
    }
}

/// A container, told or not yet.
#[derive(Clone, Copy)]
struct Frame {
    block: Block,
    /// Of its element; of one without, that of the element it goes with.
    depth: usize,
    told: bool,
}

/// The leaf that is open.
#[derive(Clone, Copy)]
struct Leaf {
    block: Block,
    has_text: bool,
    has_image: bool,
}

/// A table of data that is open.
struct Table {
    depth: usize,
    /// Tables inside it: their cells are lines of its own.
    inner: usize,
    told: bool,
    row: bool,
}

/// Makes a structure of elements. Containers and leaves are told when something stands in them, spans when text does.
struct Builder<'s, 'p, L> {
    text: &'s mut RenderedText,
    scratch: &'s mut String,
    page: Option<&'p PageUrl>,
    listener: &'s mut L,
    /// How much of the text has been told.
    taken: usize,
    frames: Vec<Frame>,
    leaf: Option<Leaf>,
    /// The depth of an element that is a leaf whatever stands in it, and what it is.
    firm: Option<(usize, Block)>,
    table: Option<Table>,
    /// Depth of the element that is left out, and its name.
    left: Option<(usize, Name)>,
    /// Line breaks since the last text.
    breaks: usize,
    spans: Spans,
    pictures: Pictures,
}

impl<'a, L: Listener> Sink<'a> for Builder<'_, '_, L> {
    fn open(&mut self, element: &Element<'a>, attributes: Attributes<'_, 'a>, depth: usize) {
        let heard = self.left.is_none();
        self.text.open(element, depth);
        self.take_back();
        if !heard {
            return;
        }
        let look = &element.look;
        let breaks = look.block && !look.invisible;
        if breaks {
            self.end_block(element.name);
        }
        if !self.text.hears(look) {
            self.left = Some((depth, element.name));
            return;
        }
        match element.name {
            Name::IMG => self.image(attributes),
            Name::PICTURE => self.pictures.open_picture(),
            Name::SOURCE => self.pictures.source(attributes),
            Name::HR if breaks => self.rule(),
            Name::TABLE | Name::TR | Name::TD | Name::TH => self.open_table_part(element, depth),
            name if breaks => self.open_block(name, attributes, look, depth),
            _ => {}
        }
        if let Some(kind) = kind_of(element.name) {
            self.spans.enter(kind, depth, attributes, self.page);
        }
    }

    fn close(&mut self, element: &Element<'a>, depth: usize) {
        self.text.close(element, depth);
        self.take_back();
        match self.left {
            Some((at, _)) if at == depth => self.left = None,
            Some(_) => return,
            None => {}
        }
        if element.look.block && !element.look.invisible && element.name != Name::BR {
            self.end_block(element.name);
        }
        self.spans.leave(depth);
        if self.firm.is_some_and(|(at, _)| at == depth) {
            self.close_leaf();
            self.firm = None;
        }
        self.close_table_part(element.name, depth);
        // An inline element may end before the blocks in it do.
        if self.frames.last().is_some_and(|frame| frame.depth == depth) {
            self.close_leaf();
            self.close_frames(depth);
        }
    }

    fn text(&mut self, text: Text<'a>, inside: &Element<'a>) {
        if let Some((_, name)) = self.left {
            if name == Name::NOSCRIPT && inside.name == Name::NOSCRIPT {
                self.noscript(text.raw);
            }
            return;
        }
        let decoded = text.decode(self.scratch, Nul::Drop);
        if inside.look.white_space == WhiteSpace::Lines {
            // Its first line end would take back what no line ends with.
            self.taken = self.taken.min(self.text.so_far().trim_end().len());
        }
        self.text.text(decoded, &inside.look);
        let told = self.text.so_far();
        if told.len() > self.taken {
            // Not borrowed, so that the rest of this can be told of.
            let new = told[self.taken..].to_owned();
            self.taken = told.len();
            self.say(&new);
        }
    }
}

impl<L: Listener> Builder<'_, '_, L> {
    /// A line has ended: some of what was told may have been no text, but spaces at its end.
    fn take_back(&mut self) {
        self.taken = self.taken.min(self.text.so_far().len());
    }

    /// A block begins or ends here.
    fn end_block(&mut self, name: Name) {
        if name == Name::BR {
            self.breaks += 1;
        } else if self.firm.is_none() && !self.in_table() {
            self.close_leaf();
        }
    }

    fn in_table(&self) -> bool {
        self.table.as_ref().is_some_and(|table| table.told)
    }

    fn open_block(&mut self, name: Name, attributes: Attributes<'_, '_>, look: &Look, depth: usize) {
        if self.firm.is_some() || self.in_table() {
            return;
        }
        let firm = match name {
            Name::H1 => Block::Heading(1),
            Name::H2 => Block::Heading(2),
            Name::H3 => Block::Heading(3),
            Name::H4 => Block::Heading(4),
            Name::H5 => Block::Heading(5),
            Name::H6 => Block::Heading(6),
            Name::FIGCAPTION | Name::CAPTION => Block::Caption,
            Name::P | Name::DD if is_caption(attributes) => Block::Caption,
            name if name.is(names::PRE) && look.white_space == WhiteSpace::Preserve => Block::Preformatted,
            _ => return self.open_container(name, attributes, depth),
        };
        self.firm = Some((depth, firm));
    }

    fn open_container(&mut self, name: Name, attributes: Attributes<'_, '_>, depth: usize) {
        let block = match name {
            Name::BLOCKQUOTE => Block::Quote,
            Name::UL | Name::MENU | Name::DIR => Block::List(List::Bullets),
            Name::OL => {
                let start = attributes.get("start").and_then(|start| start.trim().parse().ok());
                Block::List(List::Numbers(start.unwrap_or(1)))
            }
            Name::DL => Block::List(List::Definitions),
            Name::LI | Name::DD => Block::Item,
            Name::DT => Block::Term,
            _ => return,
        };
        if matches!(block, Block::Item | Block::Term)
            && let [.., list, item] = self.frames[..]
            && item.depth == list.depth
            && matches!((list.block, item.block), (Block::List(_), Block::Item))
        {
            // An item that was made up for what stood between items.
            self.frames.pop();
            if item.told {
                self.listener.close(item.block);
            }
        }
        if self.frames.len() < DEPTH {
            self.frames.push(Frame { block, depth, told: false });
        }
    }

    fn open_table_part(&mut self, element: &Element<'_>, depth: usize) {
        let name = element.name;
        if name == Name::TABLE {
            match &mut self.table {
                Some(table) => table.inner += 1,
                None if element.look.layout || self.firm.is_some() => {}
                None => self.table = Some(Table { depth, inner: 0, told: false, row: false }),
            }
            return;
        }
        if self.firm.is_some() || self.table.as_ref().is_none_or(|table| table.inner > 0) {
            return;
        }
        if name == Name::TR {
            return self.end_row();
        }
        if element.look.cell || element.look.block {
            self.open_cell(Block::Cell { header: name == Name::TH });
        }
    }

    fn open_cell(&mut self, cell: Block) {
        self.close_leaf();
        if !self.in_table() {
            self.tell_frames();
            self.listener.open(Block::Table);
        }
        if let Some(table) = &mut self.table {
            table.told = true;
            if !std::mem::replace(&mut table.row, true) {
                self.listener.open(Block::Row);
            }
        }
        self.listener.open(cell);
        self.leaf = Some(Leaf { block: cell, has_text: false, has_image: false });
        self.breaks = 0;
    }

    fn end_row(&mut self) {
        if self.in_table() {
            self.close_leaf();
        }
        if let Some(table) = &mut self.table
            && std::mem::take(&mut table.row)
        {
            self.listener.close(Block::Row);
        }
    }

    fn close_table_part(&mut self, name: Name, depth: usize) {
        let Some(table) = &mut self.table else { return };
        if table.depth == depth {
            self.end_row();
            if self.in_table() {
                self.listener.close(Block::Table);
            }
            self.table = None;
        } else if name == Name::TABLE && table.inner > 0 {
            table.inner -= 1;
        } else if table.told && table.inner == 0 && self.firm.is_none() {
            match name {
                Name::TD | Name::TH => self.close_leaf(),
                Name::TR => self.end_row(),
                _ => {}
            }
        }
    }

    fn close_leaf(&mut self) {
        self.breaks = 0;
        if let Some(leaf) = self.leaf.take() {
            self.spans.close_all(self.listener);
            self.listener.close(leaf.block);
        }
    }

    /// Closes the containers at this depth or deeper.
    fn close_frames(&mut self, depth: usize) {
        while let Some(frame) = self.frames.pop_if(|frame| frame.depth >= depth) {
            if frame.told {
                self.listener.close(frame.block);
            }
        }
    }

    /// Tells the containers that are open, with the lists and items that are missing between them.
    fn tell_frames(&mut self) {
        let untold = self.frames.iter().position(|frame| !frame.told).unwrap_or(self.frames.len());
        let ends_in_list = matches!(self.frames.last(), Some(Frame { block: Block::List(_), .. }));
        if untold == self.frames.len() && !ends_in_list {
            return;
        }
        let mut parent = untold.checked_sub(1).map(|at| self.frames[at]);
        for frame in self.frames.split_off(untold) {
            let in_list = matches!(parent, Some(Frame { block: Block::List(_), .. }));
            match frame.block {
                Block::Item | Block::Term if !in_list => self.tell(Block::List(List::Bullets), frame.depth),
                Block::Item | Block::Term => {}
                _ => self.tell_item_in(parent),
            }
            self.tell(frame.block, frame.depth);
            parent = Some(frame);
        }
        self.tell_item_in(parent);
    }

    /// What stands in a list, and in no item of it, gets one.
    fn tell_item_in(&mut self, parent: Option<Frame>) {
        if let Some(Frame { block: Block::List(_), depth, .. }) = parent {
            self.tell(Block::Item, depth);
        }
    }

    fn tell(&mut self, block: Block, depth: usize) {
        self.listener.open(block);
        self.frames.push(Frame { block, depth, told: true });
    }

    /// Text or an image follows: its leaf is open then. True if it was open before.
    fn open_leaf(&mut self) -> bool {
        if self.leaf.is_some() {
            return true;
        }
        if self.in_table() {
            // Text of a table that is in no cell.
            self.open_cell(Block::Cell { header: false });
            return false;
        }
        self.tell_frames();
        let block = self.firm.map_or(Block::Paragraph, |(_, block)| block);
        self.listener.open(block);
        self.leaf = Some(Leaf { block, has_text: false, has_image: false });
        false
    }

    /// New text, with the line ends and blanks before its words.
    fn say(&mut self, new: &str) {
        if matches!(self.firm, Some((_, Block::Preformatted))) && !self.in_table() {
            let was_open = self.open_leaf();
            self.listener.text(if was_open { new } else { new.strip_prefix('\n').unwrap_or(new) });
            return;
        }
        let mut ended = false;
        for (number, line) in new.split(['\n', '\r']).enumerate() {
            ended |= number > 0;
            let words = line.trim_start_matches([' ', '\t']);
            if !words.is_empty() {
                self.words(words, line.len() > words.len(), std::mem::take(&mut ended));
            }
        }
    }

    fn words(&mut self, words: &str, blank: bool, ended: bool) {
        let is_paragraph = matches!(self.leaf, Some(Leaf { block: Block::Paragraph, .. }));
        if ended && self.breaks > 1 && is_paragraph {
            // Two in a row are how paragraphs are made where there is no p.
            self.close_leaf();
        }
        self.open_leaf();
        let (mut after_text, mut after_image) = (false, false);
        if let Some(leaf) = &mut self.leaf {
            (after_text, after_image) = (leaf.has_text, leaf.has_image);
            leaf.has_text = true;
        }
        self.spans.close_ended(self.listener);
        if ended && (after_text || (after_image && self.breaks > 0)) {
            self.listener.line_break();
        } else if (blank || ended) && (after_text || after_image) {
            self.listener.text(" ");
        }
        self.breaks = 0;
        self.spans.open_missing(self.listener);
        self.listener.text(words);
    }

    fn rule(&mut self) {
        if self.firm.is_none() && !self.in_table() {
            self.tell_frames();
            self.listener.rule();
        }
    }

    fn image(&mut self, attributes: Attributes<'_, '_>) {
        if let Some((url, alt)) = self.pictures.image(attributes, self.page, false) {
            self.show(&url, &alt);
        }
    }

    fn noscript(&mut self, html: &str) {
        for (url, alt) in self.pictures.noscript(html, self.page) {
            self.show(&url, &alt);
        }
    }

    fn show(&mut self, url: &str, alt: &str) {
        if matches!(self.firm, Some((_, Block::Preformatted))) {
            return;
        }
        self.open_leaf();
        if let Some(leaf) = &mut self.leaf {
            leaf.has_image = true;
        }
        self.spans.close_ended(self.listener);
        self.spans.open_missing(self.listener);
        self.spans.close_code(self.listener);
        self.listener.image(Picture { url, alt });
    }
}

/// Captions that WordPress makes of its shortcodes, in themes without HTML 5.
fn is_caption(attributes: Attributes<'_, '_>) -> bool {
    let class = attributes.raw("class").unwrap_or_default();
    class.len() >= 15
        && class.split_ascii_whitespace().any(|word| matches!(word, "wp-caption-text" | "gallery-caption"))
}

#[cfg(test)]
mod tests;
