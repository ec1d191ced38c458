//! Finds figures in HTML, and assigns their captions to the images and embeds in them. A caption without such an image
//! or embed stays in the text. The collectors of images and embeds report the contents of a figure.

use crate::record::Str;
use crate::urls::PageUrl;
use std::rc::Rc;

/// A caption longer than this is assigned only once, so that the total size stays linear.
const LONG_CAPTION: usize = 4096;

/// The surroundings of an embed or an image.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'p> {
    /// The URL against which references are resolved.
    pub page: Option<&'p PageUrl>,
    /// The number of the figure that contains it.
    pub figure: Option<usize>,
}

/// The figures of a fragment, and those still open.
#[derive(Default)]
pub(crate) struct Figures {
    all: Vec<Figure>,
    /// The open figures: the depth and number of each.
    open: Vec<(usize, usize)>,
}

struct Figure {
    parent: Option<usize>,
    caption: Option<Rc<str>>,
    /// The position of the caption in the text.
    words: (usize, usize),
    /// Whether it contains something to caption, directly or in an inner figure without a caption.
    has_taker: bool,
    given: bool,
}

impl Figures {
    /// Opens a figure: any element that contains images and a caption.
    pub(crate) fn open(&mut self, depth: usize) {
        let parent = self.current();
        self.open.push((depth, self.all.len()));
        self.all.push(Figure { parent, caption: None, words: (0, 0), has_taker: false, given: false });
    }

    /// The number of the innermost figure.
    pub(crate) fn current(&self) -> Option<usize> {
        self.open.last().map(|(_, number)| *number)
    }

    /// Notes that the innermost figure contains something to caption.
    pub(crate) fn add_taker(&mut self) {
        if let Some(number) = self.current() {
            self.all[number].has_taker = true;
        }
    }

    /// Sets the caption of the innermost figure, or of all open ones without a caption (wpextract's rule), with its
    /// position in the text. The first caption of a figure counts.
    pub(crate) fn caption(&mut self, caption: &str, words: (usize, usize), of_all: bool) {
        let count = if of_all { self.open.len() } else { 1 };
        let caption: Rc<str> = caption.into();
        for (_, number) in self.open.iter().rev().take(count) {
            let figure = &mut self.all[*number];
            if figure.caption.is_none() {
                (figure.caption, figure.words) = (Some(caption.clone()), words);
            }
        }
    }

    /// Handles the end of an element, which may be a figure. Returns the position of the caption's text if it is to be
    /// cut out.
    pub(crate) fn close(&mut self, depth: usize) -> Option<(usize, usize)> {
        let (_, number) = self.open.pop_if(|(at, _)| *at == depth)?;
        self.end(number)
    }

    fn end(&mut self, number: usize) -> Option<(usize, usize)> {
        let Figure { parent, has_taker, words, .. } = self.all[number];
        if !has_taker {
            // A figure is dropped unless an inner one refers to it: a million empty figures take no memory.
            self.all.truncate(if number + 1 == self.all.len() { number } else { self.all.len() });
            return None;
        }
        if self.all[number].caption.is_some() {
            return Some(words);
        }
        if let Some(parent) = parent {
            self.all[parent].has_taker = true;
        }
        None
    }

    /// Returns all captions. With `inherit`, a figure without a caption has that of the figure around it. They may have
    /// `room` bytes in all.
    pub(crate) fn captions(self, inherit: bool, room: usize) -> Captions {
        let mut owners: Vec<Option<usize>> = Vec::with_capacity(self.all.len());
        for (number, figure) in self.all.iter().enumerate() {
            let own = figure.caption.is_some().then_some(number);
            owners.push(own.or_else(|| figure.parent.filter(|_| inherit).and_then(|parent| owners[parent])));
        }
        Captions { figures: self.all, owners, room: Some(room) }
    }
}

/// The captions of a fragment.
pub(crate) struct Captions {
    figures: Vec<Figure>,
    /// The figure whose caption each figure has.
    owners: Vec<Option<usize>>,
    /// How many bytes of captions may still be assigned; `None` after the limit was exceeded.
    room: Option<usize>,
}

impl Captions {
    /// The caption for images and embeds in the figure with this number.
    pub(crate) fn of(&mut self, figure: Option<usize>) -> Option<Str<'static>> {
        let figure = &mut self.figures[self.owners[figure?]?];
        let caption = figure.caption.as_deref().filter(|c| !figure.given || c.len() <= LONG_CAPTION)?;
        figure.given = true;
        self.room = self.room?.checked_sub(caption.len());
        self.room.map(|_| Str::from(caption.to_owned()))
    }

    /// Whether a caption exceeded the limit.
    pub(crate) fn are_too_long(&self) -> bool {
        self.room.is_none()
    }
}
