//! Finds the real source of an image or a frame that a plugin loads lazily: by a rule over all attributes, and by
//! attribute names (`sources.toml`) where that rule fails. The collectors of images and embeds report the results.

use super::tokenizer::{Attributes, decode};
use crate::wordpress::without_query;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    image: ImageNames,
    frame: FrameNames,
    attribute: AttributeWords,
    placeholder: Placeholders,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ImageNames {
    sources: Vec<String>,
    sets: Vec<String>,
    files: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FrameNames {
    sources: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AttributeWords {
    never: HashSet<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Placeholders {
    files: HashSet<String>,
    extensions: Vec<String>,
    paths: Vec<String>,
    frames: Vec<String>,
}

static TABLES: LazyLock<Tables> =
    LazyLock::new(|| toml::from_str(include_str!("sources.toml")).expect("the tests read this table"));

/// The file extensions of images.
const IMAGES: [&str; 14] =
    ["jpg", "jpeg", "jpe", "jfif", "png", "gif", "webp", "avif", "svg", "bmp", "tif", "tiff", "heic", "ico"];
/// File extensions of files that are certainly not images.
const OTHERS: [&str; 14] =
    ["html", "htm", "php", "asp", "aspx", "js", "css", "json", "xml", "pdf", "mp4", "webm", "mp3", "zip"];

/// The source of the image that is finally shown; `None` if there are only placeholders.
pub(super) fn real_source<'a>(attributes: Attributes<'_, 'a>) -> Option<Cow<'a, str>> {
    let names = &TABLES.image;
    let has_data = attributes.any_begins("data-");
    let named = |list: &[String]| list.iter().find_map(|name| candidate(attributes, name));
    if has_data && let Some(source) = named(&names.sources) {
        return Some(source);
    }
    let src = usable(attributes, "src").filter(|src| !is_placeholder(src));
    // A pixel is not an image, but its source is kept if there is no other.
    if let (Some(_), false) = (&src, is_pixel(attributes)) {
        return src;
    }
    (source_set(attributes))
        .or_else(|| if has_data { named(&names.files) } else { None })
        .or_else(|| elsewhere(attributes))
        .or(src)
}

/// The largest candidate of a [srcset](https://html.spec.whatwg.org/multipage/images.html#srcset-attributes); a lazily
/// loaded srcset takes precedence.
pub(super) fn source_set<'a>(attributes: Attributes<'_, 'a>) -> Option<Cow<'a, str>> {
    let later = TABLES.image.sets.iter().map(String::as_str);
    later.chain(["srcset"]).find_map(|name| largest_of(attributes.raw(name)?).map(|(url, _)| url))
}

/// The source in a source element of a picture.
pub(super) fn picture_source<'a>(attributes: Attributes<'_, 'a>) -> Option<Cow<'a, str>> {
    source_set(attributes)
        .or_else(|| usable(attributes, "src").filter(|src| !is_placeholder(src)))
        .or_else(|| elsewhere(attributes))
}

/// The source of a frame, a video or an audio element.
pub(super) fn frame_source<'a>(attributes: Attributes<'_, 'a>) -> Option<Cow<'a, str>> {
    let is_stand_in = |url: &str| TABLES.placeholder.frames.iter().any(|end| url.ends_with(end.as_str()));
    let shown = |name: &str| usable(attributes, name).filter(|url| !is_stand_in(url));
    let named = TABLES.frame.sources.iter().find_map(|name| shown(name).filter(|url| !is_word(url)));
    named.or_else(|| shown("src")).or_else(|| {
        let is_source = |(name, value): &(&str, &str)| holds_src(name) && is_absolute(value.trim());
        attributes.pairs().filter(is_source).map(|(_, value)| decode(value.trim())).find(|url| !is_stand_in(url))
    })
}

/// The value of an attribute as written, if it is a usable source.
pub(super) fn usable<'a>(attributes: Attributes<'_, 'a>, name: &str) -> Option<Cow<'a, str>> {
    attributes.raw(name).filter(|raw| is_usable(raw)).map(decode)
}

/// Whether a source is neither empty nor a placeholder, judged by its scheme.
pub(crate) fn is_usable(source: &str) -> bool {
    let source = source.trim();
    let scheme = |name: &str| source.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    !source.is_empty() && source != "#" && !scheme("data:") && !scheme("about:") && !scheme("javascript:")
}

/// The value of an attribute that is known to contain images, if it does.
fn candidate<'a>(attributes: Attributes<'_, 'a>, name: &str) -> Option<Cow<'a, str>> {
    attributes.raw(name).filter(|raw| may_be_image(raw)).map(decode)
}

/// The image in any other attribute; preferably in one whose name contains `src`, then the largest, then the first.
fn elsewhere<'a>(attributes: Attributes<'_, 'a>) -> Option<Cow<'a, str>> {
    let mut best: Option<((bool, f64), Cow<'a, str>)> = None;
    for (name, value) in attributes.pairs() {
        // The shortest URL has a name, a dot, and an extension.
        if value.len() < 5 || ["src", "srcset"].iter().any(|own| name.eq_ignore_ascii_case(own)) || says_other(name) {
            continue;
        }
        let is_source = holds_src(name);
        let value = value.trim();
        let found = if value.contains(|c: char| c.is_ascii_whitespace()) {
            largest_of(value).filter(|(url, _)| is_image(url))
        } else if is_image(value) && (is_source || value.contains('/')) || is_source && may_be_image(value) {
            Some((decode(value), size_of(value)))
        } else {
            None
        };
        if let Some((url, size)) = found
            && best.as_ref().is_none_or(|(known, _)| (is_source, size) > *known)
        {
            best = Some(((is_source, size), url));
        }
    }
    best.map(|(_, url)| url)
}

/// The width of a smaller copy, as WordPress writes it into the file name; infinite for the original.
fn size_of(url: &str) -> f64 {
    let stem = without_query(url).rsplit_once('.').map_or("", |(stem, _)| stem);
    let size = stem.rsplit_once('-').and_then(|(_, size)| size.split_once('x'));
    size.and_then(|(width, height)| height.parse::<u32>().ok().and(width.parse().ok())).unwrap_or(f64::INFINITY)
}

/// Whether an attribute's name contains `src`.
fn holds_src(name: &str) -> bool {
    name.as_bytes().windows(3).any(|part| part.eq_ignore_ascii_case(b"src"))
}

/// Whether the words in an attribute's name exclude its value as a source of this image.
fn says_other(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.starts_with("on") || lower.split(['-', '_', ':']).any(|word| TABLES.attribute.never.contains(word))
}

/// Whether a file is a placeholder for another that is shown later.
fn is_placeholder(source: &str) -> bool {
    let table = &TABLES.placeholder;
    let path = without_query(source.trim());
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_name = || {
        let Some((stem, extension)) = name.rsplit_once('.') else { return false };
        stem.len() <= 32
            && table.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
            && table.files.contains(&stem.to_ascii_lowercase())
    };
    is_name() || (path.contains("-lazy-") && table.paths.iter().any(|part| path.contains(part.as_str())))
}

/// Whether the markup gives an image the size of a single pixel.
fn is_pixel(attributes: Attributes<'_, '_>) -> bool {
    let is_dot = |name| attributes.raw(name).and_then(pixels).is_some_and(|n| n <= 1);
    is_dot("width") && is_dot("height")
}

/// The number of pixels in a width or height; `None` for a percentage.
pub(super) fn pixels(value: &str) -> Option<i64> {
    let value = value.trim_start();
    let digits = value.bytes().take_while(u8::is_ascii_digit).count();
    let tail = value[digits..].trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
    if tail.starts_with('%') { None } else { value[..digits].parse().ok() }
}

fn is_absolute(value: &str) -> bool {
    let begins = |start: &str| value.get(..start.len()).is_some_and(|s| s.eq_ignore_ascii_case(start));
    begins("https://") || begins("http://") || (value.starts_with("//") && !value.starts_with("///"))
}

/// Whether a value is a word, a number or code rather than a URL.
fn is_word(value: &str) -> bool {
    let value = value.trim();
    !value.contains(['/', '.', '?', ':']) || value.starts_with(['{', '[', '<'])
}

/// Whether a value from an attribute that contains images can be one: the URL of an image, or of a file whose type is
/// unknown.
fn may_be_image(value: &str) -> bool {
    let value = value.trim();
    if !is_usable(value) || is_word(value) || value.contains(['<', '>', '"', '\n']) || is_placeholder(value) {
        return false;
    }
    let address = without_query(value);
    let name = match address.find("://").map_or(address, |at| &address[at + 3..]).rsplit_once('/') {
        Some((_, name)) => name,
        // A host alone is not an image; a file name alone is, if its extension says so.
        None if is_absolute(value) => "",
        None => return is_image(value),
    };
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_other = OTHERS.iter().any(|other| other.eq_ignore_ascii_case(extension));
    if is_other || name.is_empty() { value.len() > address.len() && is_image(value) } else { true }
}

/// Whether a value looks like the URL of an image: its path, or a part of its query, ends in an image's extension.
fn is_image(value: &str) -> bool {
    let value = value.trim();
    let ends = |part: &str| {
        part.rsplit_once('.').is_some_and(|(_, end)| IMAGES.iter().any(|image| image.eq_ignore_ascii_case(end)))
    };
    if !is_usable(value) || value.contains(['<', '>', '"', '\n', '{']) || is_placeholder(value) {
        return false;
    }
    let address = without_query(value);
    ends(address) || value[address.len()..].split(['=', '&', '?', '#', ';']).any(ends)
}

/// The largest candidate of a srcset, and its size.
fn largest_of<'a>(raw: &'a str) -> Option<(Cow<'a, str>, f64)> {
    match decode(raw) {
        Cow::Borrowed(set) => largest(set).map(|(url, size)| (Cow::Borrowed(url), size)),
        Cow::Owned(set) => largest(&set).map(|(url, size)| (Cow::Owned(url.to_owned()), size)),
    }
}

fn largest(set: &str) -> Option<(&str, f64)> {
    let mut best: Option<(&str, f64)> = None;
    let mut rest = set;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        if rest.is_empty() {
            return best;
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
        // An invalid descriptor shows that the value is not a srcset but, for example, a drawing or a sentence.
        let Ok(size) = (if descriptor.is_empty() { "1" } else { descriptor.trim_end_matches(['w', 'x', 'h']) }).parse()
        else {
            continue;
        };
        if may_be_image(url) && best.is_none_or(|(_, largest)| size > largest) {
            best = Some((url, size));
        }
    }
}
