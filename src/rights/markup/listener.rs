//! Collects the statements about rights in a page while another module reads it for its own purpose.

use super::super::places::Where;
use super::super::statement::RawStatement;
use super::trigger::may_say;
use super::{Memory, Reader};
use crate::html::elements::{Element, Sink};
use crate::html::tokenizer::{Attributes, Text};
use crate::urls::PageUrl;
use std::ops::Range;

/// Receives the events of a whole page, and uses those from its body on.
pub(crate) struct Listener<'p> {
    /// The arguments for a reader, until it is created.
    ready: Option<(Option<&'p PageUrl>, Option<&'p str>, &'p mut Memory)>,
    reader: Option<Reader<'p>>,
    /// The position of the body's start tag.
    body: usize,
    has_begun: bool,
}

impl<'p> Listener<'p> {
    pub(super) fn new(page: Option<&'p PageUrl>, title: Option<&'p str>, memory: &'p mut Memory) -> Self {
        Listener { ready: Some((page, title, memory)), reader: None, body: 0, has_begun: false }
    }

    /// Prepares for a page whose body's start tag is at `body`. Returns whether the page may contain statements.
    pub(crate) fn begin(&mut self, html: &str, body: usize) -> bool {
        (self.body, self.has_begun) = (body, body == 0);
        let ready = self.ready.take().filter(|_| may_say(html.get(body..).unwrap_or(html)));
        self.reader = ready.map(|(page, title, memory)| Reader::new(Where::WholePage, page, title, memory));
        self.reader.is_some()
    }

    /// The statements; `None` if no page was read.
    pub(crate) fn finish(self) -> Option<Vec<RawStatement>> {
        let said = || self.reader.map_or_else(Vec::new, Reader::finish);
        self.ready.is_none().then(said)
    }

    /// The reader, if the body has begun.
    fn hearing(&mut self) -> Option<&mut Reader<'p>> {
        self.reader.as_mut().filter(|_| self.has_begun)
    }
}

impl<'a> Sink<'a> for Listener<'_> {
    fn open(&mut self, element: &Element<'a>, tag: Attributes<'_, 'a>, depth: usize, at: Range<usize>) {
        self.has_begun |= at.start >= self.body;
        if let Some(reader) = self.hearing() {
            reader.open(element, tag, depth, at);
        }
    }

    fn close(&mut self, element: &Element<'a>, depth: usize, tag: Range<usize>) {
        if let Some(reader) = self.hearing() {
            reader.close(element, depth, tag);
        }
    }

    fn text(&mut self, text: Text<'a>, inside: &Element<'a>) {
        if let Some(reader) = self.hearing() {
            reader.text(text, inside);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Markup;
    use super::*;
    use crate::html::elements::{Buffers, ParseOptions, read};
    use proptest::prelude::*;

    /// The last three leave an element open before the body tag.
    const HEADS: [&str; 8] = [
        "",
        "<html><head><title>Waves</title></head><body>",
        "<title>Waves</title><body class=a>",
        "<head><script>'<body>'</script><style></head><body></style><body>",
        "<head><noscript><img></noscript><link><body>",
        "<html><head><meta name=a><body><div>",
        "<div>© 2011 Above<body>",
        "<a href=/above><body id=a>",
    ];

    const PIECES: [&str; 26] = [
        "<p>This text is under <a rel=license href='https://creativecommons.org/licenses/by/4.0/'>CC BY</a>.</p>",
        "<footer>© 2020 Ann Berg. All rights reserved.",
        "</footer>",
        "<p>Photo: Ann, CC BY-SA 2.0",
        "<script type='application/ld+json'>{\"license\":\"https://creativecommons.org/licenses/by/2.0/\"}</script>",
        "<article class=hentry>",
        "</article>",
        "<noscript><p>© 2019 No Script</p></noscript>",
        "<div class='comments'>",
        "</div>",
        "<a href=/x>",
        "</a>",
        "<table><tr><td>© 2018 Cell",
        "</table>",
        "<svg><title>Licence CC0</title>",
        "</svg>",
        "<!-- © 2017 -->",
        "<p property='dct:title'>Waves",
        "<blockquote>Licensed under CC BY-NC 3.0",
        "</blockquote>",
        "</body>",
        "&copy; 2016 <b>Bold</b>",
        "<!--",
        "<title>",
        "<style>",
        "<",
    ];

    fn beside(html: &str, body: usize) -> Vec<RawStatement> {
        let mut markup = Markup::default();
        let mut listener = markup.listener(None, Some("Waves"));
        listener.begin(html, body);
        // with the events that other readers need
        read(html, ParseOptions { page: true, ..ParseOptions::default() }, &mut Buffers::default(), &mut listener);
        listener.finish().unwrap()
    }

    proptest! {
        #[test]
        fn what_is_heard_is_what_a_reading_of_its_own_finds(
            head in 0..HEADS.len(),
            body in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..12),
            cut in 0..2000_usize,
        ) {
            let mut html = HEADS[head].to_owned() + &body.concat();
            html.truncate((cut.min(html.len())..).find(|at| html.is_char_boundary(*at)).unwrap_or_default());
            let start = HEADS[head].rfind("<body").filter(|start| *start < html.len()).unwrap_or_default();
            let heard = beside(&html, start);
            prop_assert_eq!(&heard, &Markup::default().listen(&html, start, None, Some("Waves")));
            if head < 5 {
                let alone = Markup::default().read(&html[start..], Where::WholePage, None, Some("Waves"));
                prop_assert_eq!(heard, alone);
            }
        }
    }
}
