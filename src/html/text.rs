//! Renders an HTML fragment as text, line by line, as a browser shows it without the site's style sheets.
//! [`Look`] determines which elements break lines, hide text or preserve spaces; this module
//! assembles the lines.

mod blanks;

use self::blanks::{is_blank, leading_blanks, regular};
use super::elements::Element;
use super::names::Name;
use super::style::{Look, WhiteSpace};
use memchr::memchr3;

/// The separator between the text so far and the next word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Gap {
    #[default]
    None,
    Space,
    /// A space from a line end in the source, which disappears beside a zero-width space.
    LineEnd,
    /// The ends of this many cells of a row.
    Tabs(usize),
    Break,
}

const ZERO_WIDTH_SPACE: char = '\u{200B}';

/// A text that is being built.
#[derive(Clone, Debug, Default)]
pub(crate) struct RenderedText {
    out: String,
    gap: Gap,
    /// Spaces and line ends of preformatted text, which are shown only if more of it follows.
    kept: String,
    /// Whether a cell has just ended: a tab goes before the next one of its row.
    after_cell: bool,
    /// The depth of the element that is being left out with all its contents.
    left_at: Option<usize>,
    /// Whether that element is a table, whose content outside cells stays.
    left_is_table: bool,
    lines: Lines,
    /// Whether the gap before the next word is an empty line, if it is a break.
    apart: bool,
    /// The row that a block between its cells has interrupted.
    row: Option<Interrupted>,
    /// The number of open list items.
    items: usize,
    /// Whether a list item has begun or ended since the last word.
    after_item: bool,
}

/// The state of a row when a block began between its cells. A browser shows such a block before the table: the row continues unless the
/// block has text.
#[derive(Clone, Copy, Debug)]
struct Interrupted {
    depth: usize,
    gap: Gap,
    after_cell: bool,
    apart: bool,
    length: usize,
}

/// The rules for line ends, and for which lines there are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lines {
    /// Whether data tables are left out.
    pub without_tables: bool,
    /// Whether blocks and br end the line in cells as they do elsewhere; otherwise, a row is one line.
    pub in_cells: bool,
    /// Whether blocks are separated by an empty line, except for list items, rows, and lines ended by br.
    pub paragraphs: bool,
}

impl RenderedText {
    /// Creates an empty text.
    pub(crate) fn new(lines: Lines) -> Self {
        RenderedText { lines, ..RenderedText::default() }
    }

    /// Clears the text, for another one.
    pub(crate) fn clear(&mut self) {
        self.out.clear();
        self.kept.clear();
        (self.gap, self.after_cell, self.left_at, self.row) = (Gap::None, false, None, None);
        (self.apart, self.items, self.after_item) = (false, 0, false);
    }

    /// The finished text.
    pub(crate) fn finish(&mut self) -> &str {
        self.end_line();
        &self.out
    }

    /// The text so far. Spaces at the end of a line may still be removed.
    pub(crate) fn so_far(&self) -> &str {
        &self.out
    }

    /// Whether content displayed as `look` belongs in this text.
    pub(crate) fn hears(&self, look: &Look) -> bool {
        self.left_at.is_none() || (self.left_is_table && look.fostered)
    }

    /// Handles the start of an element.
    pub(crate) fn open(&mut self, element: &Element<'_>, depth: usize) {
        let look = &element.look;
        if !self.hears(look) {
            return;
        }
        if self.left_at.is_none() && self.leaves_out(element) {
            self.left_is_table = element.name == Name::TABLE && !look.left;
            self.left_at = Some(depth);
        } else if look.cell && self.after_cell {
            self.next_cell();
        }
        if is_item(element) {
            self.items += 1;
        }
        if look.block && !look.invisible {
            let (gap, after_cell, apart) = (self.gap, self.after_cell, self.apart);
            self.end_block(element);
            if look.fostered && self.row.is_none() {
                self.row = Some(Interrupted { depth, gap, after_cell, apart, length: self.out.len() });
            }
        } else if element.name == Name::BR && look.white_space == WhiteSpace::Preserve && !look.left {
            self.end_preserved_line(look);
        }
    }

    /// Handles the end of an element.
    pub(crate) fn close(&mut self, element: &Element<'_>, depth: usize) {
        match self.left_at {
            Some(at) if at == depth => self.left_at = None,
            _ if !self.hears(&element.look) => return,
            _ => {}
        }
        if is_item(element) {
            self.items = self.items.saturating_sub(1);
            self.apart = false;
        }
        let interrupted = self.row.take_if(|row| row.depth == depth).filter(|row| row.length == self.out.len());
        if let Some(Interrupted { gap, after_cell, apart, .. }) = interrupted {
            (self.gap, self.after_cell, self.apart) = (gap, after_cell, apart);
        } else if element.look.block && !element.look.invisible {
            self.end_block(element);
        } else if element.look.cell {
            self.after_cell = true;
        }
    }

    fn leaves_out(&self, element: &Element<'_>) -> bool {
        element.look.left || self.leaves_table(element)
    }

    /// Whether the element is a data table that is left out.
    pub(crate) fn leaves_table(&self, element: &Element<'_>) -> bool {
        element.name == Name::TABLE && !element.look.layout && self.lines.without_tables
    }

    /// The length of the text so far.
    pub(crate) fn length(&self) -> usize {
        self.out.len()
    }

    /// Removes the text from `start` to `end`. The text before and after it stays separated as it was: on different lines or in different
    /// cells.
    pub(crate) fn cut(&mut self, start: usize, end: usize) {
        let Some(cut) = self.out.get(start..end).filter(|cut| !cut.is_empty()) else { return };
        let lines = cut.bytes().take_while(|byte| *byte == b'\n').count();
        let tabs = cut.bytes().take_while(|byte| *byte == b'\t').count();
        let begins_line = start == 0 || lines > 0;
        let rest = &self.out[end..];
        let parts: &[char] = if begins_line { &['\n'] } else { &['\n', '\t'] };
        let blanks = if begins_line || tabs > 0 { leading_blanks(rest, parts) } else { 0 };
        let (end, rest) = (end + blanks, &rest[blanks..]);
        if rest.is_empty() {
            self.out.truncate(start + tabs);
            match self.gap {
                _ if begins_line => (self.gap, self.apart) = (Gap::Break, self.apart || lines > 1),
                Gap::Space | Gap::LineEnd if tabs > 0 => self.gap = Gap::None,
                Gap::Break => self.trim_end(),
                _ => {}
            }
        } else if rest.starts_with('\n') {
            let next = if start == 0 { end + rest.len() - rest.trim_start_matches('\n').len() } else { end };
            self.out.replace_range(self.out[..start].trim_end().len()..next, "");
        } else {
            self.out.replace_range(start + lines + tabs..end, "");
        }
    }

    /// Adds text in an element that is displayed as `look`.
    pub(crate) fn text(&mut self, text: &str, look: &Look) {
        if look.invisible || !self.hears(look) {
            return;
        }
        match look.white_space {
            _ if self.is_in_row(look) => self.collapse(text),
            WhiteSpace::Collapse => self.collapse(text),
            WhiteSpace::Preserve => self.preserve(text),
            WhiteSpace::Lines => {
                for (number, line) in text.split('\n').enumerate() {
                    if number > 0 {
                        self.end_line();
                    }
                    self.collapse(line);
                }
            }
        }
    }

    /// Adds text, replacing each run of spaces, tabs and line ends by one space.
    fn collapse(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let start = at;
            let mut line_end = false;
            while at < bytes.len() && is_blank(bytes[at]) {
                line_end |= matches!(bytes[at], b'\n' | b'\r');
                at += 1;
            }
            if at > start {
                self.blank(line_end);
            }
            if at < bytes.len() {
                let end = at + regular(&bytes[at..]);
                self.write(&text[at..end]);
                at = end;
            }
        }
    }

    fn blank(&mut self, line_end: bool) {
        if self.gap == Gap::None && !self.out.is_empty() {
            if !line_end {
                self.gap = Gap::Space;
            } else if !self.out.ends_with(ZERO_WIDTH_SPACE) {
                self.gap = Gap::LineEnd;
            }
        } else if self.gap == Gap::Space && line_end {
            self.gap = Gap::LineEnd;
        }
    }

    /// Appends text that neither begins nor ends with white space.
    fn write(&mut self, text: &str) {
        if !self.kept.is_empty() {
            self.flush_kept();
        }
        let mut text = text;
        if self.gap == Gap::Break || self.out.is_empty() {
            if !text.as_bytes()[0].is_ascii_graphic() {
                text = text.trim_start();
            }
            if text.is_empty() {
                return;
            }
        }
        self.fill_gap(text.starts_with(ZERO_WIDTH_SPACE));
        self.after_cell = false;
        self.out.push_str(text);
    }

    fn fill_gap(&mut self, before_zero_width: bool) {
        match std::mem::take(&mut self.gap) {
            Gap::None => {}
            Gap::Space => self.out.push(' '),
            Gap::LineEnd if before_zero_width => {}
            Gap::LineEnd => self.out.push(' '),
            Gap::Tabs(count) => self.out.extend(std::iter::repeat_n('\t', count)),
            Gap::Break if self.out.is_empty() => {}
            Gap::Break => self.out.push_str(if self.apart { "\n\n" } else { "\n" }),
        }
        (self.apart, self.after_item) = (false, false);
    }

    /// Adds text with its spaces and line ends, except those at both ends of the whole block.
    fn preserve(&mut self, text: &str) {
        let mut rest = text;
        while !rest.is_empty() {
            let blanks = rest.bytes().position(|b| !is_blank(b)).unwrap_or(rest.len());
            // A carriage return, which only a character reference can produce, is a space in CSS
            // (https://www.w3.org/TR/css-text-3/#white-space-processing).
            self.kept.extend(rest[..blanks].chars().map(|c| if c == '\r' { ' ' } else { c }));
            rest = &rest[blanks..];
            let words = memchr3(b'\n', b'\r', b'\t', rest.as_bytes()).unwrap_or(rest.len());
            let words = rest[..words].trim_end_matches(' ');
            if !words.is_empty() {
                self.flush_kept();
                self.fill_gap(false);
                self.after_cell = false;
                self.out.push_str(words);
                rest = &rest[words.len()..];
            }
        }
    }

    fn flush_kept(&mut self) {
        let mut kept = self.kept.as_str();
        if self.gap == Gap::Break || self.out.is_empty() {
            kept = kept.rsplit('\n').next().unwrap_or(kept);
        }
        if !kept.is_empty() {
            let kept = kept.to_owned();
            self.fill_gap(false);
            self.out.push_str(&kept);
        }
        self.kept.clear();
    }

    /// Whether content displayed as `look` is part of a row that becomes one line.
    fn is_in_row(&self, look: &Look) -> bool {
        look.is_in_cell() && !self.lines.in_cells
    }

    /// Handles the boundary of a block.
    fn end_block(&mut self, element: &Element<'_>) {
        if self.is_in_row(&element.look) {
            return self.blank(false);
        }
        self.end_line();
        if self.lines.paragraphs {
            self.after_item |= is_item(element);
            self.apart |= match element.name {
                Name::BR | Name::TR | Name::CAPTION => false,
                Name::UL | Name::OL | Name::MENU | Name::DIR | Name::DL => self.items == 0,
                _ => !self.after_item,
            };
        }
    }

    /// Handles a br in preformatted text.
    fn end_preserved_line(&mut self, look: &Look) {
        if self.is_in_row(look) { self.blank(false) } else { self.kept.push('\n') }
    }

    /// Ends the line, if it has any text.
    fn end_line(&mut self) {
        self.kept.clear();
        self.after_cell = false;
        if self.gap != Gap::Break {
            self.gap = Gap::Break;
            self.trim_end();
        }
    }

    fn trim_end(&mut self) {
        if !self.out.as_bytes().last().is_some_and(u8::is_ascii_graphic) {
            self.out.truncate(self.out.trim_end().len());
        }
    }

    fn next_cell(&mut self) {
        self.after_cell = false;
        self.gap = match self.gap {
            Gap::Tabs(count) => Gap::Tabs(count + 1),
            Gap::Break => Gap::Break,
            Gap::None | Gap::Space | Gap::LineEnd => Gap::Tabs(1),
        };
    }
}

/// Whether an element is an item of a list: items are not separated by empty lines, whatever blocks they contain.
fn is_item(element: &Element<'_>) -> bool {
    matches!(element.name, Name::LI | Name::DT | Name::DD) && !element.look.left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_its_words_wherever_blanks_stand() {
        let base = "one two three four! five é 漢";
        for at in (0..base.len()).filter(|at| base.is_char_boundary(*at)) {
            for insert in ["  ", "\n", " \n", "\t ", "\r", "\u{c}", "\u{1}", "! ", "", " !"] {
                let html = [&base[..at], insert, &base[at..]].concat();
                let words: Vec<&str> = html.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty()).collect();
                let mut text = RenderedText::default();
                text.text(&html, &Look::default());
                assert_eq!(text.finish(), words.join(" ").trim_start(), "{at} {insert:?}");
            }
        }
    }
}
