//! One pass over a fragment that feeds all that is wanted of it: text, links, images, embeds.
//! Each has its own module; here is decided only which of them hears of what.

use super::elements::{Buffers, Element, Reading, Sink, read};
use super::embeds::Embeds;
use super::images::Images;
use super::links::Links;
use super::names::Name;
use super::text::RenderedText;
use super::text_wpextract::{PeerText, Rule, is_probably_html};
use super::tokenizer::{Attributes, Doctype, Nul, Text};
use super::{Extracted, Options, TextRules, shortcodes};
use crate::urls::PageUrl;

/// A text by either of the rules.
enum Writer {
    Rendered(RenderedText),
    Wpextract(PeerText),
}

/// Extracts text, links, images and embeds from fragment after fragment.
pub struct Extractor {
    options: Options,
    buffers: Buffers,
    sinks: Sinks,
}

/// All that hear the events of a fragment.
struct Sinks {
    text: Writer,
    link_text: Writer,
    caption_text: Writer,
    links: Links,
    images: Images,
    embeds: Embeds,
    /// Whether anything but the text is wanted.
    whole: bool,
    /// Depth of the caption that is being read.
    caption_at: Option<usize>,
    /// Depth of a template or noscript, whose elements are not the page's.
    inert_at: Option<(usize, Name)>,
    scratch: String,
}

/// A fragment's events on their way to the sinks, with what they need to know of the page.
struct Fragment<'s, 'p> {
    sinks: &'s mut Sinks,
    page: Option<&'p PageUrl>,
}

impl Extractor {
    /// An extractor by these options.
    pub fn new(options: Options) -> Self {
        let writer = |rule| match options.text {
            TextRules::Rendered => Writer::Rendered(RenderedText::new(options.keep_captions, options.keep_tables)),
            TextRules::Wpextract => Writer::Wpextract(PeerText::new(rule)),
        };
        let sinks = Sinks {
            text: writer(Rule::Content),
            link_text: writer(Rule::Plain),
            caption_text: writer(Rule::Plain),
            links: Links::default(),
            images: Images::default(),
            embeds: Embeds::default(),
            whole: true,
            caption_at: None,
            inert_at: None,
            scratch: String::new(),
        };
        Extractor { options, buffers: Buffers::default(), sinks }
    }

    /// Everything that is wanted of a post's content, in one pass. `page` is the post's own URL, to which relative
    /// references are joined.
    pub fn content(&mut self, html: &str, page: Option<&PageUrl>) -> Extracted {
        self.sinks.whole = true;
        let text = self.text_of(html, page, Rule::Content);
        let inherit = self.options.text == TextRules::Rendered;
        Extracted {
            text,
            links: std::mem::take(&mut self.sinks.links.found),
            images: self.sinks.images.finish(inherit),
            embeds: self.sinks.embeds.finish(),
        }
    }

    /// Only the text: of titles, excerpts, captions, descriptions, names.
    pub fn text(&mut self, html: &str) -> String {
        if self.options.text == TextRules::Wpextract && !is_probably_html(html) {
            return html.to_owned();
        }
        self.sinks.whole = false;
        self.text_of(html, None, Rule::Plain)
    }

    fn text_of(&mut self, html: &str, page: Option<&PageUrl>, rule: Rule) -> String {
        let peer = self.options.text == TextRules::Wpextract;
        if let Writer::Wpextract(text) = &mut self.sinks.text {
            text.rule = rule;
        }
        let mut reading = Reading { noscript_is_tree: peer, plain: peer, tables_are_prose: false };
        let mut text = self.run(html, page, reading);
        if text.is_empty() && self.sinks.text.left_a_table() {
            // A record that is all table: its author laid it out so.
            reading.tables_are_prose = true;
            self.sinks.whole = false;
            text = self.run(html, page, reading);
        }
        text
    }

    fn run(&mut self, html: &str, page: Option<&PageUrl>, reading: Reading) -> String {
        self.sinks.text.clear();
        (self.sinks.caption_at, self.sinks.inert_at) = (None, None);
        let mut fragment = Fragment { sinks: &mut self.sinks, page };
        read(html, reading, &mut self.buffers, &mut fragment);
        let text = self.sinks.text.finish();
        if self.options.strip_shortcodes { shortcodes::strip(&text).unwrap_or(text) } else { text }
    }
}

impl Writer {
    fn clear(&mut self) {
        match self {
            Writer::Rendered(text) => text.clear(),
            Writer::Wpextract(text) => text.clear(),
        }
    }

    fn finish(&mut self) -> String {
        match self {
            Writer::Rendered(text) => text.finish().to_owned(),
            Writer::Wpextract(text) => text.finish(),
        }
    }

    fn left_a_table(&self) -> bool {
        matches!(self, Writer::Rendered(text) if text.left_a_table)
    }

    fn is_silent(&self, inside: &Element<'_>) -> bool {
        match self {
            Writer::Rendered(text) => !text.hears(&inside.look),
            Writer::Wpextract(text) => text.is_silent(),
        }
    }

    fn open(&mut self, element: &Element<'_>, depth: usize) {
        match self {
            Writer::Rendered(text) => text.open(element, depth),
            Writer::Wpextract(text) => text.open(element, depth),
        }
    }

    fn close(&mut self, element: &Element<'_>, depth: usize) {
        match self {
            Writer::Rendered(text) => text.close(element, depth),
            Writer::Wpextract(text) => text.close(depth),
        }
    }

    fn text(&mut self, decoded: &str, inside: &Element<'_>) {
        match self {
            Writer::Rendered(text) => text.text(decoded, &inside.look),
            Writer::Wpextract(text) => text.text(decoded),
        }
    }
}

impl<'a> Sink<'a> for Fragment<'_, '_> {
    fn open(&mut self, element: &Element<'a>, attributes: Attributes<'_, 'a>, depth: usize) {
        self.sinks.text.open(element, depth);
        if !self.sinks.whole {
            return;
        }
        if self.sinks.caption_at.is_some() {
            self.sinks.caption_text.open(element, depth);
        }
        if self.sinks.links.is_open() {
            self.sinks.link_text.open(element, depth);
        }
        match self.sinks.inert_at {
            None => self.open_element(element, attributes, depth),
            Some((_, Name::NOSCRIPT)) if element.name == Name::IMG => {
                self.sinks.images.image(attributes, self.page, true);
            }
            Some(_) => {}
        }
    }

    fn close(&mut self, element: &Element<'a>, depth: usize) {
        let sinks = &mut *self.sinks;
        sinks.text.close(element, depth);
        if !sinks.whole {
            return;
        }
        if sinks.inert_at.is_some_and(|(at, _)| at == depth) {
            sinks.inert_at = None;
        }
        if sinks.caption_at == Some(depth) {
            sinks.caption_at = None;
            let (caption, of_all) = match &mut sinks.caption_text {
                Writer::Rendered(text) => (text.finish().to_owned(), false),
                Writer::Wpextract(text) => (text.raw().to_owned(), true),
            };
            sinks.images.caption(caption, of_all);
        } else if sinks.caption_at.is_some() {
            sinks.caption_text.close(element, depth);
        }
        if sinks.links.ends_at(depth) && element.name == Name::A {
            let text = sinks.link_text.finish();
            sinks.links.close(text);
        } else if sinks.links.is_open() {
            sinks.link_text.close(element, depth);
        }
        sinks.images.close(depth);
        sinks.embeds.close(depth, self.page);
    }

    fn text(&mut self, text: Text<'a>, inside: &Element<'a>) {
        let sinks = &mut *self.sinks;
        if inside.name == Name::NOSCRIPT
            && sinks.whole
            && sinks.inert_at.is_some_and(|(_, name)| name == Name::NOSCRIPT)
        {
            sinks.images.noscript(text.raw, self.page);
        }
        let (link, caption) = (sinks.links.is_open(), sinks.caption_at.is_some());
        if sinks.text.is_silent(inside) && !link && !caption && !sinks.embeds.wants_text() {
            return;
        }
        let decoded = text.decode(&mut sinks.scratch, Nul::Drop);
        sinks.text.text(decoded, inside);
        if link {
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

impl Fragment<'_, '_> {
    fn open_element(&mut self, element: &Element<'_>, attributes: Attributes<'_, '_>, depth: usize) {
        let sinks = &mut *self.sinks;
        match element.name {
            Name::A | Name::AREA => {
                if element.name == Name::A {
                    if sinks.links.is_open() {
                        // A link in a table's cell in a link: the outer one's text ends here.
                        let text = sinks.link_text.finish();
                        sinks.links.close(text);
                    }
                    sinks.link_text.clear();
                    sinks.embeds.open(element, attributes, depth, self.page);
                }
                sinks.links.open(element, attributes, depth, self.page);
            }
            Name::IMG => {
                let alt = sinks.images.image(attributes, self.page, false);
                sinks.links.image(alt);
            }
            Name::PICTURE => sinks.images.picture(),
            Name::SOURCE => {
                sinks.images.source(attributes);
                sinks.embeds.open(element, attributes, depth, self.page);
            }
            Name::IFRAME | Name::EMBED | Name::VIDEO | Name::AUDIO | Name::OBJECT | Name::PARAM => {
                sinks.embeds.open(element, attributes, depth, self.page);
            }
            Name::TEMPLATE | Name::NOSCRIPT => sinks.inert_at = Some((depth, element.name)),
            Name::FIGURE | Name::FIGCAPTION | Name::DIV | Name::P | Name::DL | Name::DD | Name::BLOCKQUOTE => {
                self.open_block(element, attributes, depth);
            }
            _ => {}
        }
    }

    /// Blocks that may be figures, captions or embeds by their class.
    fn open_block(&mut self, element: &Element<'_>, attributes: Attributes<'_, '_>, depth: usize) {
        let sinks = &mut *self.sinks;
        let class = attributes.raw("class").unwrap_or_default();
        let by_class = matches!(sinks.text, Writer::Rendered(_));
        let has = |words: &[&str]| by_class && class.split_ascii_whitespace().any(|word| words.contains(&word));
        if element.name == Name::FIGURE || (class.len() >= 10 && has(&["wp-caption", "gallery-item"])) {
            sinks.images.open_figure(depth);
        }
        let is_caption =
            element.name == Name::FIGCAPTION || (class.len() >= 15 && has(&["wp-caption-text", "gallery-caption"]));
        if is_caption && sinks.caption_at.is_none() && sinks.images.wants_caption() {
            sinks.caption_at = Some(depth);
            sinks.caption_text.clear();
        }
        if class.len() >= 7 && matches!(element.name, Name::FIGURE | Name::BLOCKQUOTE | Name::DIV) {
            sinks.embeds.open_block(element, class, attributes, depth);
        }
    }
}
