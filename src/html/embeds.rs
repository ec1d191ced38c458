//! Collects the documents embedded in a post: frames, media, objects, and posts from other services. Each is reported
//! once: its fallback for browsers that cannot show it is not counted.

mod services;

use super::elements::Element;
use super::figures::{Captions, Surroundings};
use super::names::Name;
use super::sources::{frame_source, is_usable};
use super::tokenizer::{Attributes, Tokenizer};
use crate::record::{Embed, Str};
use crate::urls;
use crate::wordpress::mime_of;
pub(crate) use services::provider_of;
use std::collections::HashSet;

/// The fewest bytes that the JSON of an embed has: all its values are null.
const LEAST: usize = 160;

/// The embeds so far, and those still open.
#[derive(Default)]
pub(crate) struct Embeds {
    found: Vec<PlacedEmbed>,
    /// A lower bound for the JSON of all embeds together, in bytes.
    pub(super) bytes: usize,
    /// The depth and number of the video, audio or object that is open.
    holder: Option<(usize, usize)>,
    quote: Option<Quote>,
    block: Option<Block>,
    widget: Option<Widget>,
    /// Whether a script is open that may hold the HTML of an embed.
    script: bool,
    /// Whether the script of a playlist is open, with its tracks.
    playlist: bool,
}

/// A widget that shows a video, unless an embed inside it does.
struct Widget {
    depth: usize,
    embeds: usize,
    src: String,
}

struct PlacedEmbed {
    embed: Embed<'static>,
    figure: Option<usize>,
    noscript: bool,
}

struct Quote {
    depth: usize,
    element: &'static str,
    provider: &'static str,
    src: Option<String>,
    /// Whether the URL is in an attribute; links inside do not count then.
    fixed: bool,
}

/// An embed block of WordPress. If it contains no embed, its text is the URL.
struct Block {
    depth: usize,
    provider: Option<String>,
    embeds: usize,
    text: String,
}

impl Embeds {
    /// Handles the start of an element that may be an embed.
    pub(crate) fn open(
        &mut self,
        element: &Element<'_>,
        attributes: Attributes<'_, '_>,
        depth: usize,
        place: Surroundings<'_>,
    ) {
        match element.name {
            Name::IFRAME => {
                let src = source(attributes);
                let is_empty = |src: &str| src.trim_start().get(..6).is_some_and(|s| s.eq_ignore_ascii_case("about:"));
                if src.is_some() || !attributes.raw("src").is_some_and(is_empty) {
                    self.put("iframe", src, place);
                }
            }
            Name::EMBED => self.put("embed", source(attributes), place),
            Name::AMP_IFRAME => self.put("amp-iframe", source(attributes), place),
            Name::LITE_YOUTUBE => self.put("lite-youtube", film(YOUTUBE, attributes), place),
            Name::AMP_YOUTUBE => self.put("amp-youtube", film(YOUTUBE, attributes), place),
            Name::LITE_VIMEO => self.put("lite-vimeo", film(VIMEO, attributes), place),
            Name::AMP_VIMEO => self.put("amp-vimeo", film(VIMEO, attributes), place),
            Name::VIDEO => self.hold("video", source(attributes), depth, place),
            Name::AUDIO => self.hold("audio", source(attributes), depth, place),
            Name::OBJECT => {
                let data = attributes.get("data").map(|data| data.into_owned()).filter(|data| is_usable(data));
                self.hold("object", data, depth, place);
            }
            Name::SOURCE if self.holder.is_some() => self.fill(source(attributes), place),
            Name::PARAM if self.holder.is_some() => {
                let name = attributes.get("name").unwrap_or_default();
                if ["movie", "src", "url"].iter().any(|n| n.eq_ignore_ascii_case(name.trim())) {
                    self.fill(attributes.get("value").map(|value| value.into_owned()).filter(|v| is_usable(v)), place);
                }
            }
            Name::A => {
                if let Some(quote) = self.quote.as_mut().filter(|quote| !quote.fixed)
                    && let Some(href) = attributes.get("href")
                {
                    quote.src = Some(href.into_owned());
                }
            }
            _ => {}
        }
    }

    /// Handles the start of a block whose class may be that of a service or of an embed block.
    pub(crate) fn open_block(
        &mut self,
        element: &Element<'_>,
        class: &str,
        attributes: Attributes<'_, '_>,
        depth: usize,
        place: Surroundings<'_>,
    ) {
        if element.name == Name::FIGURE {
            let mut words = class.split_ascii_whitespace();
            if self.block.is_none() && words.any(|word| matches!(word, "wp-block-embed" | "wp-embed-responsive")) {
                let provider = class.split_ascii_whitespace().find_map(|word| word.strip_prefix("is-provider-"));
                let provider = provider.filter(|name| !name.is_empty()).map(canonical);
                self.block = Some(Block { depth, provider, embeds: self.found.len(), text: String::new() });
            }
            return;
        }
        if self.quote.is_some() {
            return;
        }
        if element.name == Name::DIV && self.open_player(class, attributes, depth, place) {
            return;
        }
        if let Some(known) = services::quote(class) {
            let src = known.attribute.as_deref().and_then(|name| attributes.get(name)).map(|src| src.into_owned());
            let src = src.filter(|src| is_usable(src));
            let element = if element.name == Name::BLOCKQUOTE { "blockquote" } else { "div" };
            self.quote = Some(Quote { depth, element, provider: &known.provider, fixed: src.is_some(), src });
        }
    }

    /// Handles the start of a div that a script replaces by a video. Returns whether it is one.
    fn open_player(
        &mut self,
        class: &str,
        attributes: Attributes<'_, '_>,
        depth: usize,
        place: Surroundings<'_>,
    ) -> bool {
        if let Some(src) = services::player(class, attributes) {
            self.put("div", Some(src), place);
        } else if let Some(html) = services::blocked(attributes) {
            self.frames(&html, place, false);
        } else if let Some(src) = services::widget(class, attributes)
            && self.widget.is_none()
        {
            self.widget = Some(Widget { depth, embeds: self.found.len(), src });
        } else {
            return false;
        }
        true
    }

    /// Handles the start of a script that may write an embed at its place.
    pub(crate) fn open_script(&mut self, attributes: Attributes<'_, '_>, place: Surroundings<'_>) {
        if let Some(src) = services::script(attributes) {
            self.put("script", Some(src), place);
        }
        self.script = services::may_be_blocked(attributes);
        let class = attributes.raw("class").unwrap_or_default();
        self.playlist = class.split_ascii_whitespace().any(|word| word == "wp-playlist-script");
    }

    /// Handles the content of a script: HTML blocked by a consent plugin, or the tracks that WordPress' `[playlist]` plays in the empty
    /// player before it.
    pub(crate) fn script(&mut self, text: &str, place: Surroundings<'_>) {
        if std::mem::take(&mut self.script)
            && let Some(html) = services::decoded(text)
        {
            self.frames(&html, place, false);
        }
        if std::mem::take(&mut self.playlist) {
            services::tracks(text).into_iter().for_each(|(kind, src)| self.put_track(kind, src, place));
        }
    }

    fn put_track(&mut self, kind: &'static str, src: String, place: Surroundings<'_>) {
        let is_empty = |last: &PlacedEmbed| last.embed.src.is_none() && last.embed.element.as_deref() == Some(kind);
        match self.found.last().is_some_and(is_empty) {
            true => self.set(self.found.len() - 1, Some(src), place),
            false => self.put_new(kind, Some(src), place),
        }
    }

    /// Whether the following text may be the URL of an embed.
    pub(crate) fn wants_text(&self) -> bool {
        self.block.as_ref().is_some_and(|block| block.embeds == self.found.len() && block.text.len() < 2048)
    }

    /// Adds text inside an embed block.
    pub(crate) fn text(&mut self, text: &str) {
        if let Some(block) = &mut self.block {
            block.text.push_str(text);
        }
    }

    /// Whether an element is open whose end [`Embeds::close`] must handle: an embed, or a block around one.
    pub(crate) fn is_open(&self) -> bool {
        self.holder.is_some() || self.quote.is_some() || self.block.is_some() || self.widget.is_some()
    }

    /// Handles the end of an element.
    pub(crate) fn close(&mut self, depth: usize, place: Surroundings<'_>) {
        if self.holder.is_some_and(|(at, _)| at == depth) {
            self.holder = None;
        }
        if self.quote.as_ref().is_some_and(|quote| quote.depth == depth)
            && let Some(Quote { element, provider, src: Some(src), .. }) = self.quote.take()
        {
            self.put(element, Some(src), place);
            if let Some(last) = self.found.last_mut() {
                last.embed.provider = Some(Str::from(provider));
            }
        }
        if self.block.as_ref().is_some_and(|block| block.depth == depth)
            && let Some(block) = self.block.take()
        {
            self.close_block(&block, place);
        }
        if self.widget.as_ref().is_some_and(|widget| widget.depth == depth)
            && let Some(Widget { embeds, src, .. }) = self.widget.take()
            && embeds == self.found.len()
        {
            self.put("div", Some(src), place);
        }
    }

    /// Uses the text of an embed block as its URL, if the block contains no embed.
    fn close_block(&mut self, block: &Block, place: Surroundings<'_>) {
        if block.embeds == self.found.len() {
            let address = block.text.split_ascii_whitespace().next().unwrap_or_default();
            if !(address.starts_with("https://") || address.starts_with("http://")) {
                return;
            }
            self.put("figure", Some(address.to_owned()), place);
        }
        if let (Some(found), Some(provider)) = (self.found.get_mut(block.embeds), &block.provider) {
            found.embed.provider.get_or_insert_with(|| Str::from(provider.clone()));
        }
    }

    /// The number of embeds.
    pub(crate) fn count(&self) -> usize {
        self.found.len()
    }

    /// Adds the frames in a noscript element: a browser without scripts would show them instead of the ones that a
    /// script makes.
    pub(crate) fn noscript(&mut self, html: &str, place: Surroundings<'_>) {
        self.frames(html, place, true);
    }

    /// Adds the frames in HTML that is not part of the page yet.
    fn frames(&mut self, html: &str, place: Surroundings<'_>, noscript: bool) {
        if !html.contains("<iframe") && !html.contains("<IFRAME") {
            return;
        }
        Tokenizer::each(html, Name::IFRAME, |attributes| match noscript {
            true => self.noscript_frame(attributes, place),
            false => self.put("iframe", source(attributes), place),
        });
    }

    /// Adds a frame in noscript.
    pub(crate) fn noscript_frame(&mut self, attributes: Attributes<'_, '_>, place: Surroundings<'_>) {
        if let (Some(src), None) = (source(attributes), self.holder) {
            self.put_new("iframe", Some(src), place);
            self.found.last_mut().expect("it was just put there").noscript = true;
        }
    }

    /// Returns all embeds with their captions, without frames of noscript that repeat another embed.
    pub(crate) fn finish(&mut self, captions: &mut Captions) -> Vec<Embed<'static>> {
        (self.holder, self.quote, self.block, self.widget, self.script, self.playlist) = Default::default();
        let mut found = std::mem::take(&mut self.found);
        self.bytes = 0;
        if found.iter().any(|found| found.noscript) {
            let key = |found: &PlacedEmbed| {
                found.embed.url.as_deref().or(found.embed.src.as_deref()).unwrap_or_default().to_owned()
            };
            let mut shown: HashSet<String> = found.iter().filter(|f| !f.noscript).map(key).collect();
            found.retain(|found| {
                let key = key(found);
                // The same video may be requested with other player controls.
                let bare = key.split('?').next().unwrap_or_default();
                !found.noscript || (!shown.contains(bare) && shown.insert(key))
            });
        }
        found.into_iter().map(|found| Embed { caption: captions.of(found.figure), ..found.embed }).collect()
    }

    fn hold(&mut self, element: &'static str, src: Option<String>, depth: usize, place: Surroundings<'_>) {
        if self.holder.is_some() {
            return self.fill(src, place);
        }
        self.holder = Some((depth, self.found.len()));
        self.put_new(element, src, place);
    }

    fn put(&mut self, element: &'static str, src: Option<String>, place: Surroundings<'_>) {
        if self.holder.is_some() { self.fill(src, place) } else { self.put_new(element, src, place) }
    }

    fn put_new(&mut self, element: &'static str, src: Option<String>, place: Surroundings<'_>) {
        let embed = Embed { element: Some(Str::from(element)), ..Embed::default() };
        self.found.push(PlacedEmbed { embed, figure: place.figure, noscript: false });
        let last = self.found.len() - 1;
        self.bytes += LEAST;
        self.set(last, src, place);
    }

    /// Sets the source of the open video, audio or object, if it has none yet.
    fn fill(&mut self, src: Option<String>, place: Surroundings<'_>) {
        if let Some((_, number)) = self.holder
            && self.found[number].embed.src.is_none()
        {
            self.set(number, src, place);
        }
    }

    fn set(&mut self, number: usize, src: Option<String>, place: Surroundings<'_>) {
        let embed = &mut self.found[number].embed;
        let url = src.as_deref().and_then(|src| urls::join(place.page, src).map(|url| url.into_owned()));
        embed.provider = url.as_deref().and_then(provider_of).map(Str::from);
        self.bytes += [&src, &url].into_iter().flatten().map(String::len).sum::<usize>();
        (embed.src, embed.url) = (src.map(Str::from), url.map(Str::from));
    }
}

/// The `element` of an embed that a feed or an export names, not the content.
const ENCLOSURE: &str = "enclosure";

/// The most enclosures of a post.
const MOST_ENCLOSURES: usize = 1 << 12;

/// The URL of a file without the number that a player adds to it.
fn without_number(url: &str) -> &str {
    ["?_=", "&_="].iter().find_map(|number| Some(url.split_once(number)?.0)).unwrap_or(url)
}

/// Whether a feed or an export names the embed, not the content.
pub(crate) fn is_enclosure(embed: &Embed<'_>) -> bool {
    embed.element.as_deref() == Some(ENCLOSURE)
}

/// Appends enclosures to the embeds of a post. A file that one of these shows is not appended: players add a number to its URL (`?_=1`).
/// Pictures are none.
/// Returns whether there are too many.
pub(crate) fn add_enclosures<'u>(embeds: &mut Vec<Embed<'static>>, urls: impl Iterator<Item = &'u str>) -> bool {
    let shown = |embed: &Embed<'_>| Some(without_number(embed.url.as_deref()?).to_owned());
    let mut known: HashSet<String> = embeds.iter().filter_map(shown).collect();
    let mut left = MOST_ENCLOSURES;
    for url in urls.filter(|url| !mime_of(url).starts_with("image/") && known.insert((*url).to_owned())) {
        let Some(less) = left.checked_sub(1) else { return true };
        let (src, provider) = (Some(Str::from(url.to_owned())), provider_of(url).map(Str::from));
        embeds.push(Embed { url: src.clone(), src, element: Some(ENCLOSURE.into()), provider, ..Embed::default() });
        left = less;
    }
    false
}

/// The start of the URL at which YouTube shows a video in a frame.
const YOUTUBE: &str = "https://www.youtube.com/embed/";
/// The start of the URL at which Vimeo shows a video in a frame.
const VIMEO: &str = "https://player.vimeo.com/video/";

/// The URL of the video that an element names only by its id.
fn film(service: &str, attributes: Attributes<'_, '_>) -> Option<String> {
    let id = ["videoid", "data-videoid", "data-id"].iter().find_map(|name| attributes.get(name))?;
    let id = id.trim();
    (!id.is_empty()).then(|| format!("{service}{id}"))
}

fn source(attributes: Attributes<'_, '_>) -> Option<String> {
    frame_source(attributes).map(|source| source.into_owned())
}

/// Our name for a provider, given WordPress' name.
fn canonical(provider: &str) -> String {
    match provider {
        "twitter" => "x".to_owned(),
        _ => provider.to_ascii_lowercase(),
    }
}
