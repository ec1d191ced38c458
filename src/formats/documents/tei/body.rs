//! Writes the structure of some content as TEI: sections by their headings, paragraphs, lists, quotations, references, images. Code
//! becomes highlighted text with a corresponding `rend`: TEI's `code` is a phrase, and blocks of code would need one more
//! element.

use crate::formats::xml;
use crate::html::structure::{Block, List, Listener, Picture, Span};
use std::fmt::Write as _;

/// The content of a division, while it is being written.
#[derive(Default)]
pub(super) struct Body {
    pub(super) out: String,
    /// The levels of the headings whose sections are open.
    sections: Vec<u8>,
    /// The number of open quotations, lists and items: sections do not end inside them.
    containers: usize,
    /// The number of the next item in each open list; `None` for bullets.
    numbers: Vec<Option<i64>>,
}

impl Body {
    /// Creates content that follows `out`.
    pub(super) fn behind(out: String) -> Self {
        Body { out, ..Body::default() }
    }

    /// Ends all open sections.
    pub(super) fn finish(&mut self) {
        while self.sections.pop().is_some() {
            self.out.push_str("</div>\n");
        }
    }

    fn open_heading(&mut self, level: u8) {
        if self.containers > 0 {
            let _ = write!(self.out, "<ab type=\"head\" rend=\"h{level}\">");
            return;
        }
        while self.sections.pop_if(|open| *open >= level).is_some() {
            self.out.push_str("</div>\n");
        }
        self.sections.push(level);
        let _ = write!(self.out, "<div type=\"section\">\n<head rend=\"h{level}\">");
    }

    fn open_list(&mut self, list: List) {
        let (rend, number) = match list {
            List::Bullets => ("bulleted", None),
            List::Numbers(start) => ("numbered", Some(start)),
            List::Definitions => ("definitions", None),
        };
        let _ = writeln!(self.out, "<list rend=\"{rend}\">");
        self.numbers.push(number);
    }

    fn open_item(&mut self) {
        match self.numbers.last_mut() {
            Some(Some(number)) => {
                let _ = write!(self.out, "<item n=\"{number}\">");
                *number = number.saturating_add(1);
            }
            _ => self.out.push_str("<item>"),
        }
    }
}

fn is_container(block: Block) -> bool {
    matches!(block, Block::Quote | Block::List(_) | Block::Item | Block::Term | Block::Table | Block::Row)
}

impl Listener for Body {
    fn open(&mut self, block: Block) {
        self.containers += usize::from(is_container(block));
        match block {
            Block::Paragraph => self.out.push_str("<p>"),
            Block::Caption => self.out.push_str("<p rend=\"caption\">"),
            Block::Heading(level) => self.open_heading(level),
            Block::Preformatted => self.out.push_str("<ab type=\"pre\" xml:space=\"preserve\">"),
            Block::Quote => self.out.push_str("<quote>\n"),
            Block::List(list) => self.open_list(list),
            Block::Item => self.open_item(),
            Block::Term => self.out.push_str("<item rend=\"term\">"),
            Block::Table => self.out.push_str("<table>\n"),
            Block::Row => self.out.push_str("<row>\n"),
            Block::Cell { header: true } => self.out.push_str("<cell role=\"label\">"),
            Block::Cell { header: false } => self.out.push_str("<cell>"),
        }
    }

    fn close(&mut self, block: Block) {
        self.containers -= usize::from(is_container(block));
        self.out.push_str(match block {
            Block::Paragraph | Block::Caption => "</p>\n",
            Block::Heading(_) if self.containers == 0 => "</head>\n",
            Block::Heading(_) | Block::Preformatted => "</ab>\n",
            Block::Quote => "</quote>\n",
            Block::List(_) => {
                self.numbers.pop();
                "</list>\n"
            }
            Block::Item | Block::Term => "</item>\n",
            Block::Cell { .. } => "</cell>\n",
            Block::Table => "</table>\n",
            Block::Row => "</row>\n",
        });
    }

    fn open_span(&mut self, span: Span<'_>) {
        match span {
            Span::Link(url) => {
                self.out.push_str("<ref");
                xml::attribute("target", &xml::pointer(url), &mut self.out);
                self.out.push('>');
            }
            Span::Strong => self.out.push_str("<hi rend=\"bold\">"),
            Span::Emphasis => self.out.push_str("<hi rend=\"italic\">"),
            Span::Deleted => self.out.push_str("<del rend=\"strikethrough\">"),
            Span::Superscript => self.out.push_str("<hi rend=\"superscript\">"),
            Span::Subscript => self.out.push_str("<hi rend=\"subscript\">"),
            Span::Code => self.out.push_str("<hi rend=\"code\">"),
        }
    }

    fn close_span(&mut self, span: Span<'_>) {
        self.out.push_str(match span {
            Span::Link(_) => "</ref>",
            Span::Deleted => "</del>",
            _ => "</hi>",
        });
    }

    fn text(&mut self, text: &str) {
        xml::text(text, &mut self.out);
    }

    fn line_break(&mut self) {
        self.out.push_str("<lb/>");
    }

    fn image(&mut self, picture: Picture<'_>) {
        self.out.push_str("<graphic");
        xml::attribute("url", &xml::pointer(picture.url), &mut self.out);
        if picture.alt.trim().is_empty() {
            self.out.push_str("/>");
        } else {
            self.out.push('>');
            xml::element("desc", Some(picture.alt), &mut self.out);
            self.out.push_str("</graphic>");
        }
    }

    fn rule(&mut self) {
        self.out.push_str("<milestone unit=\"section\" rend=\"rule\"/>\n");
    }
}
