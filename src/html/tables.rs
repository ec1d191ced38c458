//! Distinguishes data tables from layout tables in HTML by looking ahead at the contents of their cells. The text sinks decide what to do
//! with each kind.

use super::names::{self, Name};
use super::tokenizer::{AttributeBuffer, Attributes, Model, Token, Tokenizer};

/// A cell with more characters than this contains running text.
const LONG: usize = 100;

/// The deepest nesting of tables that is examined: so many tables, each with tbody, tr and td, are as deep as elements may nest.
const DEEPEST: usize = 256;

/// The results of looking ahead in a fragment: a look at one table judges the tables inside it as well, so that all tables together are
/// read only once.
#[derive(Default)]
pub(crate) struct Tables {
    /// The positions of the layout tables.
    layout: Vec<usize>,
    /// The position up to which the fragment has been examined.
    seen: usize,
    attributes: AttributeBuffer,
}

/// An open table while looking ahead. Its characters are those of its cells, including those of inner tables.
#[derive(Default)]
struct Open {
    begins: usize,
    /// Whether its own attributes or elements mark it as data.
    is_data: bool,
    /// Whether they mark it as layout.
    is_layout: bool,
    characters: usize,
    /// The characters in cells with a table, a heading or two paragraphs.
    prose: usize,
    /// The characters in long cells.
    long: usize,
    /// The characters in long cells with br.
    long_lines: usize,
    /// The number of rows with text.
    rows: usize,
    /// The number of cells with text in the current row.
    row: usize,
    /// The number of cells with text in the widest row.
    widest: usize,
    cell: Option<Cell>,
}

#[derive(Default)]
struct Cell {
    characters: usize,
    is_prose: bool,
    has_br: bool,
    paragraphs: usize,
    /// Whether a paragraph was opened and is still empty.
    begun: bool,
}

impl Tables {
    /// Clears the results, for another fragment.
    pub(crate) fn clear(&mut self) {
        self.layout.clear();
        self.seen = 0;
    }

    /// Whether the table that begins at `begins` in `html` is a layout table; its start tag ends at `rest`.
    pub(crate) fn is_layout(&mut self, html: &str, begins: usize, rest: usize, attributes: Attributes<'_, '_>) -> bool {
        if begins >= self.seen {
            let mut tokenizer = Tokenizer::new(&html[rest..], std::mem::take(&mut self.attributes));
            self.look(Open::new(begins, attributes), rest, &mut tokenizer);
            self.seen = rest + tokenizer.offset();
            // Inner tables are judged before the outer ones.
            self.layout.sort_unstable();
            self.attributes = tokenizer.into_spans();
        }
        self.layout.binary_search(&begins).is_ok()
    }

    /// Reads to the end of `table`. The tokenizer's input begins at `base`.
    fn look(&mut self, table: Open, base: usize, tokenizer: &mut Tokenizer<'_>) {
        let mut outer: Vec<Open> = Vec::new();
        let mut table = table;
        let mut is_raw = false;
        // Tables nested too deeply to be examined; they count as data.
        let mut deeper = 0_usize;
        while let Some(token) = tokenizer.next() {
            match token {
                Token::Start(tag) => {
                    if tag.id == Name::TABLE && (deeper > 0 || outer.len() == DEEPEST) {
                        deeper += 1;
                    } else if tag.id == Name::TABLE {
                        let inner = Open::new(base + tag.offset, tokenizer.attributes());
                        match &mut table.cell {
                            Some(cell) => {
                                cell.is_prose = true;
                                outer.push(std::mem::replace(&mut table, inner));
                            }
                            // A table can be inside another only in a cell: otherwise, the outer one ends.
                            None => self.judge(std::mem::replace(&mut table, inner), outer.last_mut()),
                        }
                    } else {
                        table.start(tag.id, tokenizer.attributes());
                    }
                    let model = Model::of(tag.id, false);
                    is_raw = model != Model::Data;
                    if is_raw {
                        tokenizer.raw_text(tag.name, model);
                    }
                }
                Token::End(tag) if tag.id == Name::TABLE && deeper > 0 => deeper -= 1,
                Token::End(tag) if tag.id == Name::TABLE => {
                    let Some(next) = outer.pop() else { break };
                    let ended = std::mem::replace(&mut table, next);
                    self.judge(ended, Some(&mut table));
                }
                Token::End(tag) => {
                    is_raw = false;
                    match tag.id {
                        Name::TR => table.end_row(),
                        name if name.is(names::CELL) => table.end_cell(),
                        _ => {}
                    }
                }
                Token::Text(text) if !is_raw => table.text(text.raw),
                _ => {}
            }
        }
        while let Some(mut around) = outer.pop() {
            self.judge(table, Some(&mut around));
            table = around;
        }
        self.judge(table, None);
    }

    /// Records whether `table` is layout, and adds its contents to the cell of the table `around` it.
    fn judge(&mut self, mut table: Open, around: Option<&mut Open>) {
        table.end_row();
        if let Some(cell) = around.and_then(|around| around.cell.as_mut()) {
            cell.characters += table.characters;
        }
        if table.lays_out() {
            self.layout.push(table.begins);
        }
    }
}

impl Open {
    fn new(begins: usize, attributes: Attributes<'_, '_>) -> Self {
        let role = attributes.get("role").unwrap_or_default();
        let class = attributes.raw("class").unwrap_or_default();
        let is_kind = |word: &str| word == "wp-block-table" || word.starts_with("tablepress");
        Open {
            begins,
            is_data: class.split_ascii_whitespace().any(is_kind),
            is_layout: ["presentation", "none"].iter().any(|layout| role.trim().eq_ignore_ascii_case(layout)),
            ..Open::default()
        }
    }

    fn start(&mut self, name: Name, attributes: Attributes<'_, '_>) {
        match name {
            Name::TD | Name::TH => {
                self.end_cell();
                self.cell = Some(Cell::default());
                self.is_data |= name == Name::TH || attributes.raw("scope").is_some();
            }
            _ if name.is(names::TABLE_PART) => {
                self.end_row();
                self.is_data |= matches!(name, Name::THEAD | Name::CAPTION);
            }
            _ => {
                if let Some(cell) = &mut self.cell {
                    cell.is_prose |= name.is(names::HEADING) || name == Name::PRE;
                    cell.has_br |= name == Name::BR;
                    cell.begun |= name == Name::P;
                }
            }
        }
    }

    fn text(&mut self, text: &str) {
        let text = text.trim();
        if let Some(cell) = &mut self.cell
            && !text.is_empty()
            && text != "&nbsp;"
        {
            cell.characters += text.chars().count();
            cell.paragraphs += usize::from(std::mem::take(&mut cell.begun));
        }
    }

    fn end_cell(&mut self) {
        let Some(cell) = self.cell.take().filter(|cell| cell.characters > 0) else { return };
        let count = |holds| if holds { cell.characters } else { 0 };
        let is_long = cell.characters > LONG;
        self.characters += cell.characters;
        self.prose += count(cell.is_prose || cell.paragraphs > 1);
        self.long += count(is_long);
        self.long_lines += count(is_long && cell.has_br);
        self.row += 1;
    }

    fn end_row(&mut self) {
        self.end_cell();
        self.rows += usize::from(self.row > 0);
        self.widest = self.widest.max(self.row);
        self.row = 0;
    }

    fn lays_out(&self) -> bool {
        let is_most = |characters: usize| characters > 0 && 2 * characters >= self.characters;
        let is_line = self.rows == 1 || self.widest == 1;
        !self.is_data
            && (self.is_layout || is_most(self.prose) || is_most(self.long_lines) || (is_line && is_most(self.long)))
    }
}
