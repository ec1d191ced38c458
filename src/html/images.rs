//! The images of a content with their captions: the real sources of lazily loaded images, each image once. wp-resolve
//! finds the media records.

use super::figures::{Captions, Surroundings};
use super::links::join;
use super::names::Name;
use super::tokenizer::{AttributeBuffer, Attributes, Token, Tokenizer, decode};
use crate::record::{Image, Str};
use std::borrow::Cow;
use std::collections::HashSet;

/// Attributes in which plugins keep the real source, the most telling first.
const LAZY_SOURCES: [&str; 7] =
    ["data-src", "data-lazy-src", "data-original", "data-lazy", "data-ezsrc", "data-opt-src", "data-soliloquy-src"];
/// The same for srcset.
const SOURCE_SETS: [&str; 3] = ["data-srcset", "data-lazy-srcset", "srcset"];

/// Bytes of the JSON of an image without any value.
const LEAST: usize = 140;

/// The images so far.
#[derive(Default)]
pub(crate) struct Images<'a> {
    found: Vec<Found<'a>>,
    /// Bytes of their JSON, at least.
    pub(super) bytes: usize,
    /// The first usable source of the picture that is open.
    picture: Option<Cow<'a, str>>,
}

struct Found<'a> {
    image: Image<'a>,
    figure: Option<usize>,
    noscript: bool,
    placeholder: bool,
}

impl<'a> Images<'a> {
    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.found.len()
    }

    /// A picture begins or ends.
    pub(crate) fn picture(&mut self) {
        self.picture = None;
    }

    /// A source of a picture.
    pub(crate) fn source(&mut self, attributes: Attributes<'_, 'a>) {
        if self.picture.is_none() {
            self.picture = source_set(attributes).or_else(|| usable(attributes, "src"));
        }
    }

    /// The alternative text of the last.
    pub(crate) fn last_alt(&self) -> Option<&Str<'a>> {
        self.found.last().and_then(|found| found.image.alt.as_ref())
    }

    /// An image.
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
            id: attributes.raw("class").and_then(id_of),
            ..Image::default()
        };
        let values = [&image.src, &image.url, &image.alt];
        self.bytes += LEAST + values.into_iter().flatten().map(|value| value.len()).sum::<usize>();
        self.found.push(Found { image, figure: place.figure, noscript, placeholder });
    }

    /// What a browser without scripts would see: images of which a script would make others.
    pub(crate) fn noscript(&mut self, html: &'a str, place: Surroundings<'_>) {
        if !html.contains("<img") && !html.contains("<IMG") {
            return;
        }
        let mut tokenizer = Tokenizer::new(html, AttributeBuffer::default());
        while let Some(token) = tokenizer.next() {
            if let Token::Start(tag) = token
                && tag.id == Name::IMG
            {
                self.image(tokenizer.attributes(), place, true);
            }
        }
    }

    /// All images with their captions, twins dropped.
    pub(crate) fn finish(mut self, captions: &mut Captions) -> Vec<Image<'a>> {
        self.fill_placeholders();
        self.drop_twins();
        let with_caption = |found: Found<'a>| Image { caption: captions.of(found.figure), ..found.image };
        self.found.into_iter().map(with_caption).collect()
    }

    /// A placeholder without a source of its own is the image of the noscript beside it.
    fn fill_placeholders(&mut self) {
        for at in 0..self.found.len() {
            if !self.found[at].placeholder {
                continue;
            }
            let twin =
                [at + 1, at.wrapping_sub(1)].into_iter().find(|n| self.found.get(*n).is_some_and(|f| f.noscript));
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
        let mut shown: HashSet<String> = self.found.iter().filter(|f| !f.noscript).map(Found::key).collect();
        self.found.retain(|found| !found.noscript || shown.insert(found.key()));
    }
}

impl Found<'_> {
    fn key(&self) -> String {
        without_size(self.image.url.as_deref().or(self.image.src.as_deref()).unwrap_or_default())
    }
}

/// The name of a file without the size that WordPress gives its smaller copies: `a-300x200.jpg` is `a.jpg`.
pub(crate) fn without_size(url: &str) -> String {
    let (stem, extension) = url.rsplit_once('.').unwrap_or((url, ""));
    let is_size = |size: &str| {
        let is_number = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
        size.split_once('x').is_some_and(|(width, height)| is_number(width) && is_number(height))
    };
    match stem.rsplit_once('-') {
        Some((stem, size)) if is_size(size) => format!("{stem}.{extension}"),
        _ => url.to_owned(),
    }
}

/// The text of an image that represents a character or a formula: an emoji, or what wordpress.com makes of LaTeX.
pub(super) fn spoken<'a>(attributes: Attributes<'_, 'a>) -> Option<Cow<'a, str>> {
    let mut words = attributes.raw("class").unwrap_or_default().split_ascii_whitespace();
    let speaks = words.any(|word| matches!(word, "emoji" | "wp-smiley" | "latex"))
        || attributes.raw("src").is_some_and(|src| src.contains("s.w.org/images/core/emoji/"));
    if speaks { attributes.get("alt") } else { None }
}

/// The source of the image that is shown in the end; none if all there is is a placeholder.
pub(super) fn real_source<'a>(attributes: Attributes<'_, 'a>) -> Option<Cow<'a, str>> {
    if !attributes.any_begins("data-") {
        return usable(attributes, "src").or_else(|| source_set(attributes));
    }
    LAZY_SOURCES
        .iter()
        .chain(["src", "data-orig-file"].iter())
        .find_map(|name| usable(attributes, name))
        .or_else(|| source_set(attributes))
}

pub(super) fn usable<'a>(attributes: Attributes<'_, 'a>, name: &str) -> Option<Cow<'a, str>> {
    attributes.raw(name).filter(|raw| is_usable(raw)).map(decode)
}

/// Whether a source is neither empty nor a placeholder.
pub(crate) fn is_usable(source: &str) -> bool {
    let source = source.trim();
    let scheme = |name: &str| source.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    !source.is_empty() && source != "#" && !scheme("data:") && !scheme("about:") && !scheme("javascript:")
}

/// The largest candidate of a [srcset](https://html.spec.whatwg.org/multipage/images.html#srcset-attributes).
pub(super) fn source_set<'a>(attributes: Attributes<'_, 'a>) -> Option<Cow<'a, str>> {
    match SOURCE_SETS.iter().find_map(|name| usable(attributes, name))? {
        Cow::Borrowed(set) => largest(set).map(Cow::Borrowed),
        Cow::Owned(set) => largest(&set).map(|url| Cow::Owned(url.to_owned())),
    }
}

fn largest(set: &str) -> Option<&str> {
    let mut best: Option<(f64, &str)> = None;
    let mut rest = set;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        if rest.is_empty() {
            break;
        }
        let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        let (url, tail) = rest.split_at(end);
        let (url, descriptor) = match url.strip_suffix(',') {
            Some(url) => {
                rest = tail;
                (url.trim_end_matches(','), "")
            }
            None => {
                let (descriptor, tail) = tail.split_once(',').unwrap_or((tail, ""));
                rest = tail;
                (url, descriptor.trim())
            }
        };
        let size = descriptor.trim_end_matches(['w', 'x', 'h']).parse().unwrap_or(1.0);
        if is_usable(url) && best.is_none_or(|(largest, _)| size > largest) {
            best = Some((size, url));
        }
    }
    best.map(|(_, url)| url)
}

/// The number of pixels of a width or height; a percentage is none.
pub(super) fn pixels(value: &str) -> Option<i64> {
    let value = value.trim_start();
    let digits = value.bytes().take_while(u8::is_ascii_digit).count();
    let tail = value[digits..].trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
    if tail.starts_with('%') { None } else { value[..digits].parse().ok() }
}

/// The N of the class `wp-image-N`.
fn id_of(class: &str) -> Option<i64> {
    class.split_ascii_whitespace().find_map(|word| word.strip_prefix("wp-image-")?.parse().ok().filter(|id| *id > 0))
}
