//! Replaces the URLs of links and images by other references while passing on the structure of some content.

use crate::html::structure::{Block, Listener, Picture, Span};

/// Passes a structure on; `way` returns the reference that replaces a URL, if any.
pub(super) struct Relinked<'l, L, W> {
    pub(super) listener: &'l mut L,
    pub(super) way: W,
}

impl<L: Listener, W: Fn(&str) -> Option<String>> Relinked<'_, L, W> {
    /// Passes on the beginning or the end of a span, with its URL replaced.
    fn relinked(&mut self, span: Span<'_>, tell: fn(&mut L, Span<'_>)) {
        match span {
            Span::Link(url) => tell(self.listener, Span::Link((self.way)(url).as_deref().unwrap_or(url))),
            other => tell(self.listener, other),
        }
    }
}

impl<L: Listener, W: Fn(&str) -> Option<String>> Listener for Relinked<'_, L, W> {
    fn open(&mut self, block: Block) {
        self.listener.open(block);
    }

    fn close(&mut self, block: Block) {
        self.listener.close(block);
    }

    fn open_span(&mut self, span: Span<'_>) {
        self.relinked(span, L::open_span);
    }

    fn close_span(&mut self, span: Span<'_>) {
        self.relinked(span, L::close_span);
    }

    fn text(&mut self, text: &str) {
        self.listener.text(text);
    }

    fn line_break(&mut self) {
        self.listener.line_break();
    }

    fn image(&mut self, picture: Picture<'_>) {
        let way = (self.way)(picture.url);
        self.listener.image(Picture { url: way.as_deref().unwrap_or(picture.url), ..picture });
    }

    fn rule(&mut self) {
        self.listener.rule();
    }
}
