//! Builds the document structure: turns HTML elements into blocks and leaves, and text into words, in document order.
//! Containers and tables have their own modules.

use super::spans::kind_of;
use super::{Block, Builder, Leaf, Listener, Picture};
use crate::html::elements::{Element, Sink};
use crate::html::images::spoken;
use crate::html::names::{self, Name};
use crate::html::style::{Look, WhiteSpace};
use crate::html::tokenizer::{Attributes, Nul, Text};
use std::ops::Range;

impl<'a, L: Listener> Sink<'a> for Builder<'_, '_, L> {
    fn open(&mut self, element: &Element<'a>, attributes: Attributes<'_, 'a>, depth: usize, _: Range<usize>) {
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
            Name::IMG => match spoken(attributes) {
                Some(alt) => self.add(&alt, look),
                None => self.image(attributes),
            },
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

    fn close(&mut self, element: &Element<'a>, depth: usize, _: Range<usize>) {
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
        // An inline element may end before the blocks inside it do.
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
        let mut scratch = std::mem::take(self.scratch);
        self.add(text.decode(&mut scratch, Nul::Drop), &inside.look);
        *self.scratch = scratch;
    }
}

impl<L: Listener> Builder<'_, '_, L> {
    /// Adds text that is displayed as `look`.
    fn add(&mut self, decoded: &str, look: &Look) {
        if look.white_space == WhiteSpace::Lines {
            // A line end at its start would remove spaces that are already reported.
            self.taken = self.taken.min(self.text.so_far().trim_end().len());
        }
        self.text.text(decoded, look);
        let told = self.text.so_far();
        if told.len() > self.taken {
            // Copied, so that `self` can be borrowed while the rest is reported.
            let new = told[self.taken..].to_owned();
            self.taken = told.len();
            self.say(&new);
        }
    }

    /// Moves the mark of reported text back at the end of a line: spaces at the end may have been removed.
    fn take_back(&mut self) {
        self.taken = self.taken.min(self.text.so_far().len());
    }

    /// Handles the boundary of a block.
    fn end_block(&mut self, name: Name) {
        if name == Name::BR {
            self.breaks += 1;
        } else if self.firm.is_none() && !self.in_table() {
            self.close_leaf();
        }
    }

    pub(super) fn in_table(&self) -> bool {
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

    pub(super) fn close_leaf(&mut self) {
        self.breaks = 0;
        if let Some(leaf) = self.leaf.take() {
            self.spans.close_all(self.listener);
            self.listener.close(leaf.block);
        }
    }

    /// Opens a leaf for text or an image that follows. Returns whether one was open already.
    fn open_leaf(&mut self) -> bool {
        if self.leaf.is_some() {
            return true;
        }
        if self.in_table() {
            // Text in a table but outside its cells.
            self.open_cell(Block::Cell { header: false });
            return false;
        }
        self.tell_frames();
        let block = self.firm.map_or(Block::Paragraph, |(_, block)| block);
        self.listener.open(block);
        self.leaf = Some(Leaf { block, has_text: false, has_image: false });
        false
    }

    /// Reports new text, with the line ends and spaces before its words.
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
            // Authors without p elements separate paragraphs by two line breaks.
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

/// Whether these are captions of WordPress' shortcodes, in themes without HTML 5.
fn is_caption(attributes: Attributes<'_, '_>) -> bool {
    let class = attributes.raw("class").unwrap_or_default();
    class.len() >= 15
        && class.split_ascii_whitespace().any(|word| matches!(word, "wp-caption-text" | "gallery-caption"))
}
