//! Collects the images of a post with their captions: the real sources of lazily loaded images, each image once.
//! wp-resolve finds the media records.

use super::figures::{Captions, Surroundings};
use super::links::join;
use super::names::Name;
use super::sources::{picture_source, pixels, real_source};
use super::tokenizer::{Attributes, Tokenizer};
use crate::record::{Image, Str};
use crate::wordpress::{self, number};
use std::borrow::Cow;
use std::collections::HashSet;

/// The fewest bytes that the JSON of an image has: all its values are null.
const LEAST: usize = 140;

/// The images so far.
#[derive(Default)]
pub(crate) struct Images<'a> {
    found: Vec<PlacedImage<'a>>,
    /// A lower bound for the JSON of all images together, in bytes.
    pub(super) bytes: usize,
    /// The first usable source of the open picture element.
    picture: Option<Cow<'a, str>>,
}

struct PlacedImage<'a> {
    image: Image<'a>,
    figure: Option<usize>,
    noscript: bool,
    placeholder: bool,
}

impl<'a> Images<'a> {
    /// The number of images.
    pub(crate) fn count(&self) -> usize {
        self.found.len()
    }

    /// Handles the start or the end of a picture element.
    pub(crate) fn picture(&mut self) {
        self.picture = None;
    }

    /// Handles a source element in a picture.
    pub(crate) fn source(&mut self, attributes: Attributes<'_, 'a>) {
        if self.picture.is_none() {
            self.picture = picture_source(attributes);
        }
    }

    /// The alternative text of the last image.
    pub(crate) fn last_alt(&self) -> Option<&Str<'a>> {
        self.found.last().and_then(|found| found.image.alt.as_ref())
    }

    /// Adds an image.
    pub(crate) fn image(&mut self, attributes: Attributes<'_, 'a>, place: Surroundings<'_>, noscript: bool) {
        let real = real_source(attributes).or_else(|| self.picture.take());
        let placeholder = real.is_none();
        let src = real.or_else(|| attributes.get("src"));
        let pixels = |name: &str| attributes.raw(name).and_then(pixels);
        let (width, height) = (pixels("width"), pixels("height"));
        if noscript && (placeholder || width.is_some_and(|n| n <= 1) || height.is_some_and(|n| n <= 1)) {
            return; // nothing to show, or a counter
        }
        let image = Image {
            url: src.as_ref().filter(|_| !placeholder).and_then(|src| join(place.page, src)).map(Str::from),
            src: src.map(Str::from),
            alt: attributes.get("alt").map(Str::from),
            width,
            height,
            id: attributes.raw("class").and_then(|class| number(class, "wp-image-")).filter(|id| *id > 0),
            ..Image::default()
        };
        let values = [&image.src, &image.url, &image.alt];
        self.bytes += LEAST + values.into_iter().flatten().map(|value| value.len()).sum::<usize>();
        self.found.push(PlacedImage { image, figure: place.figure, noscript, placeholder });
    }

    /// Adds the images in a noscript element: a browser without scripts would show them instead of the ones that a
    /// script makes.
    pub(crate) fn noscript(&mut self, html: &'a str, place: Surroundings<'_>) {
        if html.contains("<img") || html.contains("<IMG") {
            Tokenizer::each(html, Name::IMG, |attributes| self.image(attributes, place, true));
        }
    }

    /// Returns all images with their captions, without duplicates.
    pub(crate) fn finish(mut self, captions: &mut Captions) -> Vec<Image<'a>> {
        self.fill_placeholders();
        self.drop_twins();
        let with_caption = |found: PlacedImage<'a>| Image { caption: captions.of(found.figure), ..found.image };
        self.found.into_iter().map(with_caption).collect()
    }

    /// Gives a placeholder without a source of its own the image of the noscript beside it, unless that belongs to
    /// another image.
    fn fill_placeholders(&mut self) {
        if !self.found.iter().any(|found| found.placeholder) {
            return;
        }
        let is_noscript = |found: &[PlacedImage<'_>], n: usize| found.get(n).is_some_and(|f| f.noscript);
        // Whether the noscript at `n` repeats the image on its other side.
        let is_taken = |found: &[PlacedImage<'_>], n: usize, other: usize| {
            found.get(other).is_some_and(|f| !f.noscript && !f.placeholder && f.key() == found[n].key())
        };
        for at in 0..self.found.len() {
            if !self.found[at].placeholder {
                continue;
            }
            let sides = [(at + 1, at + 2), (at.wrapping_sub(1), at.wrapping_sub(2))];
            let is_own =
                |(n, other): &(usize, usize)| is_noscript(&self.found, *n) && !is_taken(&self.found, *n, *other);
            let twin = sides.into_iter().find(is_own).map(|(n, _)| n);
            if let Some(twin) = twin {
                let real = self.found[twin].image.clone();
                let found = &mut self.found[at];
                found.placeholder = false;
                let image = &mut found.image;
                (image.src, image.url) = (real.src, real.url);
                image.alt = image.alt.take().or(real.alt);
                image.id = image.id.or(real.id);
                (image.width, image.height) = (image.width.or(real.width), image.height.or(real.height));
            }
        }
    }

    fn drop_twins(&mut self) {
        if !self.found.iter().any(|found| found.noscript) {
            return;
        }
        let mut shown: HashSet<String> = self.found.iter().filter(|f| !f.noscript).map(PlacedImage::key).collect();
        self.found.retain(|found| !found.noscript || shown.insert(found.key()));
    }
}

impl PlacedImage<'_> {
    fn key(&self) -> String {
        without_size(self.image.url.as_deref().or(self.image.src.as_deref()).unwrap_or_default())
    }
}

/// The URL without the size that WordPress adds to its smaller copies: `a.jpg` for `a-300x200.jpg`.
pub(crate) fn without_size(url: &str) -> String {
    let (stem, extension) = url.rsplit_once('.').unwrap_or((url, ""));
    wordpress::without_size(stem).map_or_else(|| url.to_owned(), |stem| format!("{stem}.{extension}"))
}

/// The beginnings of classes of images of formulas.
const FORMULAS: [&str; 3] = ["ql-img-inline-formula", "ql-img-displayed-formula", "mwe-math-fallback-image"];

/// The text of an image that represents a character or a formula: an emoji, or LaTeX rendered by WordPress.com, QuickLaTeX, MediaWiki.
pub(super) fn spoken<'a>(attributes: Attributes<'_, 'a>) -> Option<Cow<'a, str>> {
    let mut words = attributes.raw("class").unwrap_or_default().split_ascii_whitespace();
    let is_named = |word: &str| {
        matches!(word, "emoji" | "wp-smiley" | "latex") || FORMULAS.iter().any(|start| word.starts_with(start))
    };
    let speaks =
        words.any(is_named) || attributes.raw("src").is_some_and(|src| src.contains("s.w.org/images/core/emoji/"));
    if speaks { attributes.get("alt") } else { None }
}
