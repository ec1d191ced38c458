//! Determines how an HTML element is displayed from its `style`, `class` and `hidden` attributes: [`Look`]. There is no cascade: only the
//! element's own attributes count. The text sinks lay out the text.
//!
//! Of [CSS](https://drafts.csswg.org/css-display/), only the properties for line breaks and visibility matter.

mod declared;

use super::names::{self, Name};
use super::tokenizer::Attributes;
use declared::{Declared, Display};
use memchr::memchr2;

/// How line ends and spaces are treated: the CSS property white-space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum WhiteSpace {
    #[default]
    Collapse,
    /// Line ends are kept, and spaces collapse: pre-line.
    Lines,
    /// Line ends and spaces are kept: pre, pre-wrap, break-spaces.
    Preserve,
}

/// How an element is displayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Look {
    /// Whether it breaks the line at both ends.
    pub block: bool,
    /// Whether it is left out of the text.
    pub left: bool,
    /// Whether it is a table cell: a tab separates it from its neighbours.
    pub cell: bool,
    /// Whether its child elements are blocks: flex, grid.
    pub blockifies: bool,
    /// How white space in it is treated; inherited.
    pub white_space: WhiteSpace,
    /// Whether it has the visibility hidden; inherited.
    pub invisible: bool,
    /// Whether it is in a layout table; inherited.
    pub layout: bool,
    /// Whether it is in a table but not in a cell, so that a browser shows it before the table; inherited.
    pub fostered: bool,
    /// Whether it is the MathML of a formula, repeated in HTML beside it (KaTeX).
    pub is_formula: bool,
    /// The kinds of elements around it, one bit each; inherited.
    pub inside: u8,
}

/// Bit of `inside`: a heading, a term or a summary, which introduces other content.
const HEAD: u8 = 1 << 0;
/// Bit of `inside`: a form.
const FORM: u8 = 1 << 1;
/// Bit of `inside`: a button whose content is text.
const BUTTON: u8 = 1 << 2;
/// Bit of `inside`: MathML.
const MATH: u8 = 1 << 3;
/// An element whose formula was already seen in MathML: KaTeX repeats it in HTML.
pub(super) const FORMULA_SEEN: u8 = 1 << 4;
/// The figure of WordPress' table block.
pub(super) const IN_TABLE_BLOCK: u8 = 1 << 5;
/// A cell of a table of data.
const CELL: u8 = 1 << 6;

impl Look {
    /// How the element `name` with `attributes` is displayed inside `parent`.
    pub(crate) fn of(name: Name, attributes: Attributes<'_, '_>, parent: &Look) -> Look {
        let flags = name.flags();
        let mut look = Look {
            block: flags & names::BLOCK != 0,
            left: flags & names::NOT_TEXT != 0,
            cell: false,
            blockifies: false,
            white_space: if flags & names::PRE != 0 { WhiteSpace::Preserve } else { parent.white_space },
            invisible: parent.invisible,
            layout: parent.layout,
            fostered: parent.fostered && flags & names::CELL == 0,
            is_formula: false,
            inside: parent.inside,
        };
        if flags & names::PLACE != 0 {
            look.enter(name, &attributes, parent);
        }
        let mut open = name != Name::DIALOG;
        let mut gone = false;
        let mut flat = parent.blockifies && flags & names::NO_BOX == 0;
        let telling = !open || attributes.any_as_long_as("class".len(), "popover".len());
        for (attribute, value) in attributes.bytes().filter(|_| telling) {
            match attribute.len() {
                4 if !open && attribute.eq_ignore_ascii_case(b"open") => open = true,
                5 if attribute.eq_ignore_ascii_case(b"style") => {
                    flat |= look.declared(name, &attributes, parent, &mut gone)
                }
                5 if value.len() >= "sr-only".len() && attribute.eq_ignore_ascii_case(b"class") => look.classed(value),
                // A script shows the panels of tabs in turn: all of them are content.
                6 if attribute.eq_ignore_ascii_case(b"hidden") => {
                    gone |= !has_role(&attributes, "tabpanel") && !is_streamed(&attributes);
                }
                7 if attribute.eq_ignore_ascii_case(b"popover") => gone = true,
                _ => {}
            }
        }
        if gone || !open {
            look.left = true;
            look.block = false;
        } else if look.inside & BUTTON != 0 && attributes.raw("aria-hidden") == Some("true") {
            look.left = true;
        } else if flat {
            look.block = true;
            look.cell = false;
        }
        if look.is_in_cell() && !parent.is_in_cell() {
            // Whatever its style, it is part of its row.
            (look.cell, look.block) = (!look.left, false);
        }
        if look.left {
            look.block &= flags & names::NO_BOX == 0;
            look.fostered = false;
        }
        look
    }

    /// Whether it is, or is inside, a cell of a data table: elements in it do not end the line.
    pub(crate) fn is_in_cell(&self) -> bool {
        self.inside & CELL != 0
    }

    /// Applies the rules for single elements and their contents.
    fn enter(&mut self, name: Name, attributes: &Attributes<'_, '_>, parent: &Look) {
        match name {
            Name::FIGURE => {
                let class = attributes.raw("class").unwrap_or_default();
                if class.split_ascii_whitespace().any(|word| word == "wp-block-table") {
                    self.inside |= IN_TABLE_BLOCK;
                }
            }
            Name::TABLE => self.inside &= !IN_TABLE_BLOCK,
            Name::TD | Name::TH if parent.layout || parent.is_in_cell() => self.block = true,
            Name::TD | Name::TH => self.inside |= CELL,
            Name::TR | Name::CAPTION => self.block = true,
            // In preformatted text, a br is an ordinary line end.
            Name::BR => self.block = self.white_space != WhiteSpace::Preserve,
            Name::MATH => self.inside |= MATH,
            Name::ANNOTATION | Name::ANNOTATION_XML if parent.inside & MATH != 0 => self.left = true,
            Name::ANNOTATION | Name::ANNOTATION_XML => {}
            Name::FORM => self.inside |= FORM,
            Name::BUTTON if parent.inside & HEAD != 0 || (parent.inside & FORM == 0 && switches(attributes)) => {
                (self.left, self.block) = (false, true);
                self.inside |= BUTTON;
            }
            Name::BUTTON => {}
            _ => self.inside |= HEAD,
        }
    }

    /// Applies the words of a class attribute. The words for hidden text are [WordPress'
    /// own](https://make.wordpress.org/accessibility/handbook/markup/the-css-class-screen-reader-text/), Bootstrap's two and Elementor's:
    /// sites that use these words also have the style sheet for them.
    fn classed(&mut self, class: &[u8]) {
        // Style sheets show these apart from the text before: the button of core's File block, the unit of a countdown.
        self.block |= class.starts_with(b"wp-block-file__button") || class.ends_with(b"countdown-label");
        // Each of these words contains one of two letters that are rare in other words.
        if memchr2(b'x', b'y', class).is_none() {
            return;
        }
        for word in class.split(|byte| *byte <= b' ') {
            match word {
                b"screen-reader-text" | b"sr-only" | b"visually-hidden" | b"elementor-screen-only" => {
                    self.left = true;
                }
                b"katex-html" if self.inside & FORMULA_SEEN != 0 => self.left = true,
                b"katex-mathml" => self.is_formula = true,
                _ => {}
            }
        }
    }

    /// Applies the style attribute. Returns whether the element is taken out of the line: floats, absolute positions.
    fn declared(&mut self, name: Name, attributes: &Attributes<'_, '_>, parent: &Look, gone: &mut bool) -> bool {
        let Some(style) = attributes.get("style") else {
            return false;
        };
        let declared = Declared::read(&style);
        match declared.display.map(|(display, _)| display) {
            // as `hidden`
            Some(Display::None) => *gone = !has_role(attributes, "tabpanel"),
            // A browser breaks the line at p, whatever its display.
            Some(Display::Inline) => (self.block, self.cell) = (name == Name::P, false),
            Some(Display::InlineFlex) => (self.block, self.cell, self.blockifies) = (name == Name::P, false, true),
            Some(Display::Contents) => (self.block, self.cell) = (false, false),
            Some(Display::Inherit) => {
                (self.block, self.cell, self.blockifies) =
                    (parent.block || name == Name::P, parent.cell, parent.blockifies);
            }
            Some(Display::Block) => (self.block, self.cell) = (true, false),
            Some(Display::Flex) => (self.block, self.cell, self.blockifies) = (true, false, true),
            Some(Display::Cell) => (self.block, self.cell) = (name == Name::P, true),
            Some(Display::Default) | None => {}
        }
        if let Some((visible, _)) = declared.visible {
            self.invisible = !visible;
        }
        if let Some((white_space, _)) = declared.white_space {
            self.white_space = white_space;
        }
        if let Some((true, _)) = declared.skipped {
            self.left = true;
        }
        !*gone && (matches!(declared.float, Some((true, _))) || matches!(declared.position, Some((true, _))))
    }
}

/// Whether a button shows and hides other content: by its [WAI-ARIA](https://www.w3.org/TR/wai-aria/) attributes, or by the class of an
/// accordion that a script has yet to set up (Kadence).
fn switches(attributes: &Attributes<'_, '_>) -> bool {
    attributes.raw("aria-expanded").is_some()
        || attributes.raw("aria-controls").is_some()
        || has_role(attributes, "tab")
        || attributes.raw("class").is_some_and(|class| class.contains("accordion"))
}

/// Whether an element is a part of the page that React's server sent late (`S:2`): a script moves it to its place.
fn is_streamed(attributes: &Attributes<'_, '_>) -> bool {
    let number = attributes.raw("id").and_then(|id| id.strip_prefix("S:"));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn has_role(attributes: &Attributes<'_, '_>, role: &str) -> bool {
    attributes.raw("role").is_some_and(|roles| roles.split_ascii_whitespace().any(|r| r.eq_ignore_ascii_case(role)))
}
