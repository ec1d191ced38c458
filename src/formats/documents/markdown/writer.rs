//! Writes blocks of Markdown: quotes and lists as prefixes of lines, tables with pipes, fences around preformatted text.
//! [`inline`](super::inline) writes the leaves.

use super::inline::{Context, Leaf, longest_run};
use crate::html::structure::{Block, List, Listener, Picture, Span};
use std::fmt::Write as _;

/// A document that is being written.
#[derive(Default)]
pub(super) struct Writer {
    out: String,
    leaf: Leaf,
    /// The text of a preformatted block, while one is open.
    preformatted: Option<String>,
    containers: Vec<Container>,
    /// The prefix of lines in the open containers.
    prefix: String,
    /// The same for the first line of containers that were just opened, with their markers.
    first: Option<String>,
    /// The length of the prefix that the last line and the next one share.
    common: usize,
    gap: Gap,
    /// The list that has just ended, outside of all containers.
    ended: Option<Ended>,
    table: Option<Table>,
    /// The most bytes of a document, which ends there.
    most: Option<usize>,
}

/// What separates the last block from the next.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Gap {
    /// A line end.
    Line,
    /// An empty line.
    #[default]
    Blank,
}

/// A list that has ended: a list right after it needs another marker.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Ended {
    numbered: bool,
    other: bool,
}

/// An open quote, list or item.
struct Container {
    block: Block,
    /// The length of the prefix before it.
    prefix: usize,
    /// The length of the markers before it that were still to be written.
    first: Option<usize>,
    /// For a list: the number of its next item.
    number: i64,
    /// For a list: whether it has the other marker.
    other: bool,
    /// The number of blocks in it so far.
    blocks: usize,
    /// Whether these are only paragraphs and lists.
    simple: bool,
    /// For a list: whether its last item was one paragraph, perhaps with nested lists.
    tight: bool,
    ended: Option<Ended>,
}

/// The most columns to which short rows are padded with empty cells. Markdown readers add the rest; without this limit, one
/// wide row would make all others as wide.
const PADDED: usize = 64;

/// A table that is being built; its memory is proportional to its text.
#[derive(Default)]
struct Table {
    text: String,
    /// The end of each cell in the text.
    cells: Vec<usize>,
    /// The number of cells up to the end of each row, and whether all cells of the row are headers.
    rows: Vec<(usize, bool)>,
}

impl Table {
    fn open_row(&mut self) {
        self.rows.push((self.cells.len(), true));
    }

    fn push(&mut self, cell: &str, header: bool) {
        if let Some((end, headers)) = self.rows.last_mut() {
            self.text.push_str(cell);
            self.cells.push(self.text.len());
            *end = self.cells.len();
            *headers &= header;
        }
    }

    /// The ends of each row's cells, the start of the row in the text, and whether all of its cells are headers.
    fn rows(&self) -> impl Iterator<Item = (&[usize], usize, bool)> {
        let mut start = 0;
        self.rows.iter().map(move |&(end, headers)| {
            let from = std::mem::replace(&mut start, end);
            (&self.cells[from..end], from.checked_sub(1).map_or(0, |last| self.cells[last]), headers)
        })
    }

    fn write_row(&self, (cells, mut from): (&[usize], usize), columns: usize, out: &mut String) {
        out.push('|');
        for &end in cells {
            let cell = &self.text[std::mem::replace(&mut from, end)..end];
            let _ = write!(out, " {cell}{}|", if cell.is_empty() { "" } else { " " });
        }
        out.extend(std::iter::repeat_n(" |", columns.saturating_sub(cells.len())));
        out.push('\n');
    }
}

impl Writer {
    /// Creates a writer that stops after `most` bytes: prefixes of lines can make a document far longer than its HTML.
    pub(super) fn bounded(most: usize) -> Self {
        Writer { most: Some(most), ..Writer::default() }
    }

    fn is_full(&self, more: usize) -> bool {
        self.most.is_some_and(|most| self.out.len() + more > most)
    }

    /// The finished document; lines end in `\n`.
    pub(super) fn finish(&mut self) -> String {
        let mut out = std::mem::take(self).out;
        if !out.is_empty() {
            out.push('\n');
        }
        out
    }

    /// Starts a block: separates it from the one before.
    fn start_block(&mut self, is_paragraph: bool) {
        match self.containers.last_mut() {
            Some(container) => {
                container.blocks += 1;
                container.simple &= is_paragraph;
                container.ended = None;
            }
            None => self.ended = None,
        }
        self.separate();
    }

    fn separate(&mut self) {
        let gap = std::mem::replace(&mut self.gap, Gap::Blank);
        if self.out.is_empty() || self.is_full(0) {
            return;
        }
        self.out.push('\n');
        if gap == Gap::Blank {
            let prefix = self.prefix[..self.common.min(self.prefix.len())].trim_end();
            self.out.push_str(prefix);
            self.out.push('\n');
        }
    }

    /// Appends lines with their prefixes.
    fn lines(&mut self, text: &str) {
        for (number, line) in text.split('\n').enumerate() {
            if self.is_full(0) {
                return;
            }
            if number > 0 {
                self.out.push('\n');
            }
            let prefix = self.first.take();
            let prefix = prefix.as_deref().unwrap_or(&self.prefix);
            self.out.push_str(if line.is_empty() { prefix.trim_end() } else { prefix });
            self.out.push_str(line);
        }
        self.common = self.prefix.len();
    }

    fn open_container(&mut self, block: Block, marker: &str, prefix: &str) {
        let length = self.prefix.len();
        let before = self.first.as_ref().map(String::len);
        let mut first = self.first.take().unwrap_or_else(|| self.prefix.clone());
        first.push_str(marker);
        self.first = Some(first);
        self.prefix.push_str(prefix);
        self.containers.push(Container {
            block,
            prefix: length,
            first: before,
            number: 1,
            other: false,
            blocks: 0,
            simple: true,
            tight: true,
            ended: None,
        });
    }

    /// Closes the last container. If nothing was written in it (for example for a table without text), it leaves no trace.
    fn close_container(&mut self) -> Option<Container> {
        let container = self.containers.pop()?;
        self.prefix.truncate(container.prefix);
        self.common = self.common.min(container.prefix);
        self.gap = Gap::Blank;
        let Some(mut first) = self.first.take() else { return Some(container) };
        self.first = container.first.map(|length| {
            first.truncate(length);
            first
        });
        if let Some(outer) = self.containers.last_mut() {
            outer.blocks -= 1;
        }
        None
    }

    fn open_list(&mut self, list: List) {
        let (numbered, start) = match list {
            List::Numbers(start) => (true, start.clamp(0, 999_999_999)),
            List::Bullets | List::Definitions => (false, 1),
        };
        let (ended, blocks) = match self.containers.last_mut() {
            Some(item) => {
                item.blocks += 1;
                (item.ended.take(), item.blocks)
            }
            None => (self.ended.take(), 1),
        };
        let in_item =
            matches!(self.containers.last(), Some(Container { block: Block::Item | Block::Term, simple: true, .. }));
        // A numbered list interrupts a paragraph only if it begins with 1.
        if in_item && blocks == 2 && ended.is_none() && start == 1 && self.gap == Gap::Blank {
            self.gap = Gap::Line;
        }
        self.open_container(Block::List(list), "", "");
        if let Some(list) = self.containers.last_mut() {
            list.number = start;
            list.other = ended.is_some_and(|ended| ended.numbered == numbered && !ended.other);
        }
    }

    fn open_item(&mut self, block: Block) {
        let Some(list) = self.containers.last_mut() else { return };
        let numbered = matches!(list.block, Block::List(List::Numbers(_)));
        let marker = match (numbered, list.other) {
            (false, false) => "- ".to_owned(),
            (false, true) => "+ ".to_owned(),
            (true, other) => format!("{}{} ", list.number, if other { ')' } else { '.' }),
        };
        list.number = (list.number + 1).min(999_999_999);
        if list.blocks > 0 && list.tight {
            self.gap = Gap::Line;
        }
        list.blocks += 1;
        let indent = " ".repeat(marker.len());
        self.open_container(block, &marker, &indent);
    }

    fn write_table(&mut self, table: &Table) {
        let columns = table.rows().map(|(cells, ..)| cells.len()).max().unwrap_or(0);
        if columns == 0 || table.text.is_empty() {
            return;
        }
        let mut rows = table.rows().peekable();
        // GFM tables must have a header.
        let head = rows.next_if(|(.., headers)| *headers).map_or((&[][..], 0), |(cells, from, _)| (cells, from));
        let mut text = String::new();
        table.write_row(head, columns, &mut text);
        text.push('|');
        text.extend(std::iter::repeat_n(" --- |", columns));
        text.push('\n');
        for (cells, from, _) in rows {
            table.write_row((cells, from), columns.min(PADDED), &mut text);
            if self.is_full(text.len()) {
                break;
            }
        }
        text.pop();
        self.start_block(false);
        self.lines(&text);
    }
}

impl Listener for Writer {
    fn open(&mut self, block: Block) {
        match block {
            Block::Quote => {
                // The first block inside it writes the separator.
                match self.containers.last_mut() {
                    Some(container) => {
                        (container.blocks, container.simple, container.ended) = (container.blocks + 1, false, None)
                    }
                    None => self.ended = None,
                }
                self.open_container(block, "> ", "> ");
            }
            Block::List(list) => self.open_list(list),
            Block::Item | Block::Term => self.open_item(block),
            Block::Preformatted => self.preformatted = Some(String::new()),
            Block::Table => self.table = Some(Table::default()),
            Block::Row => {
                if let Some(table) = &mut self.table {
                    table.open_row();
                }
            }
            Block::Paragraph | Block::Caption | Block::Heading(_) | Block::Cell { .. } => {}
        }
    }

    fn close(&mut self, block: Block) {
        match block {
            Block::Paragraph | Block::Caption => {
                let text = self.leaf.take(Context::Paragraph);
                self.start_block(true);
                self.lines(&text);
            }
            Block::Heading(level) => {
                let text = self.leaf.take(Context::Heading);
                self.start_block(false);
                self.lines(&format!("{} {text}", "#".repeat(usize::from(level))));
            }
            Block::Preformatted => {
                let text = self.preformatted.take().unwrap_or_default().replace("\r\n", "\n").replace('\r', "\n");
                let fence = "`".repeat((longest_run(&text) + 1).max(3));
                self.start_block(false);
                self.lines(&format!("{fence}\n{text}\n{fence}"));
            }
            Block::Cell { header } => {
                let text = self.leaf.take(Context::Cell);
                if let Some(table) = &mut self.table {
                    table.push(&text, header);
                }
            }
            Block::Row => {}
            Block::Table => {
                if let Some(table) = self.table.take() {
                    self.write_table(&table);
                }
            }
            Block::Quote => drop(self.close_container()),
            Block::Item | Block::Term => {
                let item = self.close_container();
                if let (Some(item), Some(list)) = (item, self.containers.last_mut()) {
                    list.tight = item.simple && item.blocks <= 2;
                }
            }
            Block::List(list) => {
                let Some(closed) = self.close_container() else { return };
                let numbered = matches!(list, List::Numbers(_));
                let ended = Some(Ended { numbered, other: closed.other });
                match self.containers.last_mut() {
                    Some(container) => container.ended = ended,
                    None => self.ended = ended,
                }
            }
        }
    }

    fn open_span(&mut self, span: Span<'_>) {
        if self.preformatted.is_none() {
            self.leaf.open(span);
        }
    }

    fn close_span(&mut self, span: Span<'_>) {
        if self.preformatted.is_none() {
            self.leaf.close(span);
        }
    }

    fn text(&mut self, text: &str) {
        match &mut self.preformatted {
            Some(preformatted) => preformatted.push_str(text),
            None => self.leaf.text(text),
        }
    }

    fn line_break(&mut self) {
        self.leaf.line_break();
    }

    fn image(&mut self, picture: Picture<'_>) {
        self.leaf.image(picture);
    }

    fn rule(&mut self) {
        self.start_block(false);
        self.lines("***");
    }
}
