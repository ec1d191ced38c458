//! Turns an HTML fragment into a document structure: the rendered text in blocks and spans, with images, as a
//! well-nested stream of events. Listeners write it as Markdown or TEI; `RenderedText` determines which text is visible
//! and where lines break.
//!
//! Listeners may rely on this: containers (quotes, lists, their items) contain blocks, lists contain only items; leaves
//! (paragraphs, captions, headings, preformatted texts, cells) contain text and spans but no blocks; tables contain
//! rows, rows contain cells. Only cells may be empty. Spans end within their leaf, each kind is open at most once, and
//! code contains no other span.

mod builder;
mod containers;
mod pictures;
mod spans;
mod tables;

use super::elements::{Buffers, ParseOptions, read};
use super::names::Name;
use super::text::{Lines, RenderedText};
use crate::urls::PageUrl;
use pictures::Pictures;
use spans::Spans;

/// How deeply containers may nest, so that the prefixes of lines stay short. Deeper ones are dropped, and their content
/// goes to the innermost one.
const DEPTH: usize = 24;

/// A block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    /// A paragraph, or text between blocks.
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
        /// It is a header of its row or column.
        header: bool,
    },
}

/// How the items of a list are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// They are marked by bullets.
    Bullets,
    /// They are marked by numbers, beginning with this one.
    Numbers(i64),
    /// They are not marked: terms and their definitions.
    Definitions,
}

/// A piece of text that differs from the text around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Span<'a> {
    /// A link with its absolute URL.
    Link(&'a str),
    /// Important: bold.
    Strong,
    /// Stressed: italic.
    Emphasis,
    /// Deleted: struck through.
    Deleted,
    /// Superscript.
    Superscript,
    /// Subscript.
    Subscript,
    /// Code: also keyboard input and program output.
    Code,
}

/// An image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Picture<'a> {
    /// Its absolute URL; if loaded lazily, the real one.
    pub url: &'a str,
    /// Its alternative text, perhaps empty.
    pub alt: &'a str,
}

/// Receives the events of a structure.
pub(crate) trait Listener {
    /// A block begins.
    fn open(&mut self, block: Block);
    /// The innermost block ends.
    fn close(&mut self, block: Block);
    /// A span begins.
    fn open_span(&mut self, span: Span<'_>);
    /// The innermost span ends.
    fn close_span(&mut self, span: Span<'_>);
    /// A text: without line ends, except in preformatted blocks.
    fn text(&mut self, text: &str);
    /// The line ends, but the leaf continues.
    fn line_break(&mut self);
    /// An image, in a leaf.
    fn image(&mut self, picture: Picture<'_>);
    /// A thematic break, among blocks.
    fn rule(&mut self);
}

/// Reads one fragment after another.
pub(crate) struct Structure {
    buffers: Buffers,
    text: RenderedText,
    scratch: String,
}

impl Default for Structure {
    fn default() -> Self {
        Structure {
            buffers: Buffers::default(),
            text: RenderedText::new(Lines { in_cells: true, ..Lines::default() }),
            scratch: String::new(),
        }
    }
}

impl Structure {
    /// Reports the structure of `html` to `listener`. `page` is the URL against which relative references are resolved.
    pub(crate) fn read(&mut self, html: &str, page: Option<&PageUrl>, listener: &mut impl Listener) {
        self.text.clear();
        let reading = ParseOptions::default();
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

/// A container, reported or not yet.
#[derive(Clone, Copy)]
struct Frame {
    block: Block,
    /// The depth of its element; for a container added without an element, that of the element it belongs to.
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

/// An open data table.
struct Table {
    depth: usize,
    /// The number of tables inside it: their cells become lines of its own cell.
    inner: usize,
    told: bool,
    row: bool,
}

/// Builds a structure from elements. Containers and leaves are reported once they have content, spans once they have
/// text.
struct Builder<'s, 'p, L> {
    text: &'s mut RenderedText,
    scratch: &'s mut String,
    page: Option<&'p PageUrl>,
    listener: &'s mut L,
    /// How much of the text has been reported.
    taken: usize,
    frames: Vec<Frame>,
    leaf: Option<Leaf>,
    /// The depth and block of an element that is a leaf whatever it contains.
    firm: Option<(usize, Block)>,
    table: Option<Table>,
    /// The depth and name of the element that is being left out.
    left: Option<(usize, Name)>,
    /// The number of line breaks since the last text.
    breaks: usize,
    spans: Spans,
    pictures: Pictures,
}

#[cfg(test)]
mod tests;
