//! Reads an HTML fragment once and passes its events to all collectors: text, links, images, embeds. Each has its own module; this one only
//! decides which of them gets which event.

mod writer;

use super::elements::{Buffers, Element, ParseOptions, Sink, read};
use super::embeds::Embeds;
use super::figures::{Figures, Surroundings};
use super::images::{Images, spoken};
use super::links::Links;
use super::names::Name;
use super::text::{Lines, RenderedText};
use super::text_wpextract::{PeerText, Rule, is_probably_html};
use super::tokenizer::{Attributes, Doctype, Nul, Text};
use super::{Extracted, Options, shortcodes};
use crate::urls::PageUrl;
use std::ops::Range;
use writer::Writer;

/// Extracts text, links, images and embeds from fragment after fragment.
pub(crate) struct Extractor {
    options: Options,
    buffers: Buffers,
    sinks: Sinks,
    /// The longest record, in bytes.
    most: usize,
}

/// The collectors that receive the events of a fragment.
struct Sinks {
    text: Writer,
    link_text: Writer,
    caption_text: Writer,
    embeds: Embeds,
    /// Whether anything but the text is wanted.
    whole: bool,
    /// The depth of the caption that is being read, and where it begins in the text.
    caption_at: Option<(usize, usize)>,
    /// The depth and name of an open template or noscript, whose elements are not part of the page.
    inert_at: Option<(usize, Name)>,
    scratch: String,
}

/// A fragment being read: the collectors, what they need to know of the page, and the parts that borrow from the HTML.
struct Fragment<'s, 'p, 'a> {
    sinks: &'s mut Sinks,
    links: Links<'a>,
    images: Images<'a>,
    figures: Figures,
    keep_captions: bool,
    page: Option<&'p PageUrl>,
    /// How many bytes of JSON the links, images and embeds may have, in addition to the HTML itself.
    room: usize,
    is_too_long: bool,
}

impl Extractor {
    /// Creates an extractor with these options.
    pub(crate) fn new(options: Options) -> Self {
        let writer = |rule| match options.wpextract {
            false => Writer::Rendered(RenderedText::new(match rule {
                Rule::Content => {
                    Lines { without_tables: options.without_tables, paragraphs: options.paragraphs, ..Lines::default() }
                }
                // Texts of links and captions include tables.
                Rule::Plain => Lines::default(),
            })),
            true => Writer::Wpextract(PeerText::new(rule)),
        };
        let sinks = Sinks {
            text: writer(Rule::Content),
            link_text: writer(Rule::Plain),
            caption_text: writer(Rule::Plain),
            embeds: Embeds::default(),
            whole: true,
            caption_at: None,
            inert_at: None,
            scratch: String::new(),
        };
        Extractor { options, buffers: Buffers::default(), sinks, most: usize::MAX }
    }

    /// Limits the extractor to records of at most `most` bytes: it keeps nothing of a longer one.
    pub(crate) fn bounded(self, most: usize) -> Self {
        Extractor { most, ..self }
    }

    /// Extracts everything from a post's content, in one pass. `page` is the post's own URL, against which relative references are
    /// resolved.
    pub(crate) fn content<'a>(&mut self, html: &'a str, page: Option<&PageUrl>) -> Extracted<'a> {
        self.sinks.whole = true;
        self.text_of(html, page, Rule::Content)
    }

    /// Extracts only the text: of titles, excerpts, captions, descriptions, names.
    pub(crate) fn text(&mut self, html: &str) -> String {
        if self.options.wpextract && !is_probably_html(html) {
            return html.to_owned();
        }
        self.sinks.whole = false;
        self.text_of(html, None, Rule::Plain).text
    }

    fn text_of<'a>(&mut self, html: &'a str, page: Option<&PageUrl>, rule: Rule) -> Extracted<'a> {
        let peer = self.options.wpextract;
        if let Writer::Wpextract(text) = &mut self.sinks.text {
            text.rule = rule;
        }
        self.sinks.text.clear();
        (self.sinks.caption_at, self.sinks.inert_at) = (None, None);
        let (links, images, figures) = Default::default();
        let keep_captions = self.options.keep_captions || peer;
        let room = self.most.saturating_sub(html.len());
        let sinks = &mut self.sinks;
        let mut fragment =
            Fragment { sinks, links, images, figures, keep_captions, page, room, is_too_long: html.len() > self.most };
        let reading = ParseOptions { noscript_is_tree: peer, plain: peer, ..ParseOptions::default() };
        read(html, reading, &mut self.buffers, &mut fragment);
        fragment.check_room();
        let Fragment { links, images, figures, mut is_too_long, room, .. } = fragment;
        let captions = &mut figures.captions(!peer, room);
        let (images, embeds) = (images.finish(captions), self.sinks.embeds.finish(captions));
        is_too_long |= captions.are_too_long();
        let mut text = self.sinks.text.finish().into_owned();
        if self.options.strip_shortcodes {
            text = shortcodes::strip(&text).unwrap_or(text);
        }
        is_too_long |= self.most.saturating_sub(html.len()) < text.len();
        if is_too_long {
            return Extracted { is_too_long, ..Extracted::default() };
        }
        Extracted { text, links: links.found, images, embeds, is_too_long }
    }
}

impl<'a> Sink<'a> for Fragment<'_, '_, 'a> {
    fn open(&mut self, element: &Element<'a>, attributes: Attributes<'_, 'a>, depth: usize, _: Range<usize>) {
        let spoken = if element.name == Name::IMG { spoken(attributes) } else { None };
        self.sinks.text.open(element, depth);
        self.sinks.text.say(spoken.as_deref(), element);
        if !self.sinks.whole {
            return;
        }
        if self.sinks.caption_at.is_some() {
            self.sinks.caption_text.open(element, depth);
            self.sinks.caption_text.say(spoken.as_deref(), element);
        }
        if self.links.is_open() {
            self.sinks.link_text.open(element, depth);
            self.sinks.link_text.say(spoken.as_deref(), element);
        }
        if self.is_too_long {
            return;
        }
        match self.sinks.inert_at {
            None => self.open_element(element, attributes, depth),
            Some((_, Name::NOSCRIPT)) if element.name == Name::IMG => {
                self.show(|images, place| images.image(attributes, place, true));
            }
            Some((_, Name::NOSCRIPT)) if element.name == Name::IFRAME => {
                self.embed(|embeds, place| embeds.noscript_frame(attributes, place));
            }
            Some(_) => {}
        }
        self.check_room();
    }

    fn close(&mut self, element: &Element<'a>, depth: usize, _: Range<usize>) {
        let Fragment { sinks, links, figures, .. } = self;
        sinks.text.close(element, depth);
        if !sinks.whole {
            return;
        }
        if sinks.inert_at.is_some_and(|(at, _)| at == depth) {
            sinks.inert_at = None;
        }
        if let Some((_, start)) = sinks.caption_at.take_if(|(at, _)| *at == depth) {
            let words = (start, sinks.text.length());
            match &mut sinks.caption_text {
                Writer::Rendered(text) => figures.caption(text.finish(), words, false),
                Writer::Wpextract(text) => figures.caption(text.raw(), words, true),
            }
        } else if sinks.caption_at.is_some() {
            sinks.caption_text.close(element, depth);
        }
        if links.ends_at(depth) && element.name == Name::A {
            let text = sinks.link_text.finish();
            links.close(text);
        } else if links.is_open() {
            sinks.link_text.close(element, depth);
        }
        if self.sinks.embeds.is_open() {
            self.embed(|embeds, place| embeds.close(depth, place));
            self.check_room();
        }
        if let Some((start, end)) = self.figures.close(depth)
            && !self.keep_captions
            && let Writer::Rendered(text) = &mut self.sinks.text
        {
            text.cut(start, end);
        }
    }

    fn text(&mut self, text: Text<'a>, inside: &Element<'a>) {
        if inside.name == Name::NOSCRIPT
            && self.sinks.whole
            && self.sinks.inert_at.is_some_and(|(_, name)| name == Name::NOSCRIPT)
            && !self.is_too_long
        {
            self.show(|images, place| images.noscript(text.raw, place));
            self.embed(|embeds, place| embeds.noscript(text.raw, place));
        }
        if inside.name == Name::SCRIPT && self.sinks.whole && self.sinks.inert_at.is_none() && !self.is_too_long {
            self.embed(|embeds, place| embeds.script(text.raw, place));
        }
        let Fragment { sinks, links, .. } = self;
        let (link, caption) = (links.is_open(), sinks.caption_at.is_some());
        if sinks.text.is_silent(inside) && !link && !caption && !sinks.embeds.wants_text() {
            return;
        }
        let decoded = text.decode(&mut sinks.scratch, Nul::Drop);
        sinks.text.text(decoded, inside);
        if link {
            links.text(text.raw);
            sinks.link_text.text(decoded, inside);
        }
        if caption {
            sinks.caption_text.text(decoded, inside);
        }
        if sinks.whole && sinks.embeds.wants_text() {
            sinks.embeds.text(decoded);
        }
    }

    fn doctype(&mut self, doctype: Doctype<'a>) {
        if let Writer::Wpextract(text) = &mut self.sinks.text {
            text.doctype(doctype);
        }
    }
}

impl<'a> Fragment<'_, '_, 'a> {
    /// Drops all links, images and embeds once they exceed the longest record.
    fn check_room(&mut self) {
        if self.links.bytes + self.images.bytes + self.sinks.embeds.bytes > self.room {
            self.is_too_long = true;
            (self.links, self.images, self.sinks.embeds) = Default::default();
        }
    }

    /// Lets `see` add an element to the embeds. If that adds an embed, the embed gets the caption of the figure around it.
    fn embed(&mut self, see: impl FnOnce(&mut Embeds, Surroundings<'_>)) {
        let count = self.sinks.embeds.count();
        see(&mut self.sinks.embeds, Surroundings { page: self.page, figure: self.figures.current() });
        if self.sinks.embeds.count() > count {
            self.figures.add_taker();
        }
    }

    /// Like [`Fragment::embed`], for images.
    fn show(&mut self, see: impl FnOnce(&mut Images<'a>, Surroundings<'_>)) {
        let count = self.images.count();
        see(&mut self.images, Surroundings { page: self.page, figure: self.figures.current() });
        if self.images.count() > count {
            self.figures.add_taker();
        }
    }

    fn open_element(&mut self, element: &Element<'a>, attributes: Attributes<'_, 'a>, depth: usize) {
        let Fragment { sinks, links, .. } = self;
        match element.name {
            Name::A | Name::AREA => {
                if element.name == Name::A {
                    if links.is_open() {
                        // A link in a table cell inside another link: the outer link's text ends here.
                        let text = sinks.link_text.finish();
                        links.close(text);
                    }
                    sinks.link_text.clear();
                }
                links.open(element, attributes, depth, self.page);
                if element.name == Name::A {
                    self.embed(|embeds, place| embeds.open(element, attributes, depth, place));
                }
            }
            Name::IMG => {
                self.show(|images, place| images.image(attributes, place, false));
                self.links.image(self.images.last_alt());
            }
            Name::PICTURE => self.images.picture(),
            Name::SOURCE => {
                self.images.source(attributes);
                self.embed(|embeds, place| embeds.open(element, attributes, depth, place));
            }
            Name::IFRAME
            | Name::EMBED
            | Name::VIDEO
            | Name::AUDIO
            | Name::OBJECT
            | Name::PARAM
            | Name::AMP_IFRAME
            | Name::AMP_VIMEO
            | Name::AMP_YOUTUBE
            | Name::LITE_VIMEO
            | Name::LITE_YOUTUBE => {
                self.embed(|embeds, place| embeds.open(element, attributes, depth, place));
            }
            Name::TABLE if sinks.text.leaves_table(element) => self.figures.add_taker(),
            Name::TEMPLATE | Name::NOSCRIPT => sinks.inert_at = Some((depth, element.name)),
            Name::SCRIPT => self.embed(|embeds, place| embeds.open_script(attributes, place)),
            Name::FIGURE | Name::FIGCAPTION | Name::DIV | Name::P | Name::DL | Name::DD | Name::BLOCKQUOTE => {
                self.open_block(element, attributes, depth);
            }
            _ => {}
        }
    }

    /// Passes on blocks whose class may make them figures, captions or embeds.
    fn open_block(&mut self, element: &Element<'a>, attributes: Attributes<'_, 'a>, depth: usize) {
        let Fragment { sinks, figures, .. } = self;
        let class = attributes.raw("class").unwrap_or_default();
        let (mut figure, mut caption) = (element.name == Name::FIGURE, element.name == Name::FIGCAPTION);
        if class.len() >= 10 && matches!(sinks.text, Writer::Rendered(_)) {
            for word in class.split_ascii_whitespace() {
                match word {
                    "wp-caption" | "gallery-item" => figure = true,
                    "wp-caption-text" | "gallery-caption" => caption = true,
                    _ => {}
                }
            }
        }
        if figure {
            figures.open(depth);
        }
        if caption && sinks.caption_at.is_none() && figures.current().is_some() {
            sinks.caption_at = Some((depth, sinks.text.length()));
            sinks.caption_text.clear();
        }
        let is_plain = class.len() < 4 && !(element.name == Name::DIV && attributes.any_begins("data-"));
        if !is_plain && matches!(element.name, Name::FIGURE | Name::BLOCKQUOTE | Name::DIV) {
            self.embed(|embeds, place| embeds.open_block(element, class, attributes, depth, place));
        }
    }
}
