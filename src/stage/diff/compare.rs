//! Compares two states of a record: finds the changes in its own item or page, but not the consequences of changes in other records.

use super::context::Context;
use super::facts::{NEVER, address};
use super::fields::Fields;
use super::labels::{self, Label};
use super::lists::{Lists, Of, below, moved};
use super::matches::Fate;
use super::noise::{Noise, Rules};
use super::text;
use crate::html::elements::Buffers;
use crate::html::{Extractor, Options};
use crate::ndjson::{Object, Str, json_of};
use crate::record::{Change, Evidence, FeaturedImage, Version, is_of_page, shape_of};
use crate::urls::PageUrl;
use std::collections::HashSet;

/// The classes of changes, in their order.
pub(super) const CLASSES: [&str; 6] = ["added", "gone", "renumbered", "moved", "redated", "changed"];

/// Lists, which are compared as sets.
const LISTS: &[&str] = &["links", "images", "embeds", "translations", "categories", "tags", "terms"];

/// The fields that follow a record's address: if the record has moved, their changes do not make it `changed` as well.
const OF_ADDRESS: &[&str] = &["link", "slug", "guid", "parent", "seo.canonical", "seo.url"];

/// Sources of a language that describe the record itself, not its URL or other records.
const OWN_LANGUAGE: &[&str] = &["rest", "html", "hreflang", "switcher", "yoast"];

/// The rule that ignores changes of markup which affect neither the text nor links, images, or players.
const MARKUP: &str = "markup";

/// The rule that ignores excerpts which WordPress has made from the content.
const EXCERPT: &str = "automatic excerpt";

/// The most letters that an excerpt may share by chance with the text that plugins add after the content.
const COINCIDENCE: usize = 2;

/// Compares records, one after the other, with the same buffers.
pub(super) struct Comparer<'c> {
    context: &'c Context<'c>,
    extractor: Extractor,
    buffers: Buffers,
}

/// The parts of a content's HTML that are compared.
struct ContentParts {
    text: String,
    /// The `href` of each link as written; then the `src` of each image as written, and the normalised URL of each embed.
    links: HashSet<String>,
    images: HashSet<String>,
    embeds: Vec<String>,
    labels: Vec<Label>,
}

/// The old and the new text of a record, from which its [`Change`] borrows.
#[derive(Default)]
pub(super) struct Texts([String; 2]);

/// Two states of a record.
#[derive(Clone, Copy)]
struct Two<'o, 'l, 'n> {
    old: &'o Object<'l>,
    new: &'o Object<'l>,
    site: &'n str,
    kind: &'n str,
    /// The part of each address before their common end, if the addresses differ.
    moved: [Option<&'n str>; 2],
}

impl<'o> Two<'o, '_, '_> {
    /// The values of a key, as JSON.
    fn values(&self, key: &str) -> [&'o str; 2] {
        [self.old, self.new].map(|of| of.get(key).unwrap_or("null"))
    }

    /// Whether both states were read from a page.
    fn is_of_pages(&self) -> bool {
        [self.old, self.new]
            .iter()
            .all(|of| is_of_page(of.text("kind").as_deref(), of.text_in("source", "via").as_deref()))
    }
}

impl<'c> Comparer<'c> {
    pub(super) fn new(context: &'c Context<'c>) -> Self {
        Comparer { context, extractor: Extractor::new(Options::default()), buffers: Buffers::default() }
    }

    /// The change from `old` to `new`, if there is one, and the rules by which differences were ignored.
    pub(super) fn compare<'o>(
        &mut self,
        old: &'o Object<'_>,
        new: &'o Object<'_>,
        renumbered: bool,
        texts: &'o mut Texts,
    ) -> (Option<Change<'o>>, Rules) {
        let (site, kind) = (new.text("site").unwrap_or_default(), new.text("kind").unwrap_or_default());
        let links = [old, new].map(|of| of.text("link").unwrap_or_default());
        let tops = if links[0] == links[1] { None } else { moved(&links[0], &links[1]) };
        let tops = tops.as_ref().map_or([None; 2], |[old, new]| [Some(old.as_str()), Some(new.as_str())]);
        let two = Two { old, new, site: &site, kind: &kind, moved: tops };
        let (mut fields, mut body, mut lists) = (Fields::default(), None, Vec::new());
        let old_kind = old.text("kind").unwrap_or_default();
        for field in shape_of(&kind).unwrap_or_default() {
            let [was, is] = two.values(field.key);
            if was == is || NEVER.contains(&field.key) || !self.context.is_compared([&old_kind, &kind], field.key) {
                continue;
            }
            match field.key {
                "content" | "description" => body = Some(field.key),
                key if LISTS.contains(&key) => lists.push(key),
                key => self.compare_field(two, key, &mut fields),
            }
        }
        // Records that were matched by their identity have one type; it differs only if they were matched in another way. Between a page
        // without an id and an item, it is not compared.
        let [was, is] = two.values("type");
        if was != is && old_kind == kind {
            fields.push("type", was, is);
        }
        let mut change = frame(Some(old), new);
        self.compare_relations(two, &lists, &mut change);
        if let Some(body) = body {
            self.compare_contents(two, body, &lists, texts, &mut change, &mut fields);
        }
        if fields.has("link") && !fields.has("parent") && !fields.has("slug") {
            change.evidence.extend(self.parent_that_moved(two));
        }
        let have_ids = two.values("id").iter().all(|id| *id != "null");
        let classes = classes(&change, &fields, renumbered && have_ids);
        (change.change, change.changes, change.fields) = (classes.first().cloned(), classes, fields.changed);
        (change.change.is_some().then_some(change), fields.ignored)
    }

    fn compare_field(&mut self, two: Two<'_, '_, '_>, key: &str, fields: &mut Fields) {
        let [was, is] = two.values(key);
        match key {
            // The link of a comment is that of its post.
            "link" if two.kind == "comment" => {}
            "link" => {
                let [old, new] = [two.old, two.new].map(|of| of.text(key).map_or(0, |link| address(&link)));
                if old != new {
                    fields.push(key, was, is);
                }
            }
            "excerpt" if self.begins_content(two.old) && self.begins_content(two.new) => {
                fields.ignored.insert(EXCERPT);
            }
            "title" | "excerpt" | "caption" => self.compare_rendered(key, [was, is], fields),
            "author" | "parent" | "featured_media" | "post" | "parent_image_id" => {
                if !self.refers_to_the_same(two, key) {
                    fields.push(key, was, is);
                }
            }
            // `date_gmt` is compared instead: if only the local date differs, the site has another time zone
            "date" if two.values("date_gmt").iter().all(|date| date.starts_with('"')) => {}
            // for pages only: the image of other posts is compared by `featured_media`
            "featured_image" if two.is_of_pages() => {
                let url = |json: &str| {
                    let image = crate::ndjson::from_str::<FeaturedImage<'_>>(json).unwrap_or_default();
                    image.url.map(|url| url.to_string())
                };
                let [was, is] = [(url(was), two.moved[0]), (url(is), two.moved[1])].map(|(url, top)| {
                    let compared = url.as_deref().map(|url| Noise::builtin().url(url, &mut fields.ignored));
                    let place = compared.and_then(|url| below(&url, top));
                    (serde_json::to_string(&url).unwrap_or_default(), place)
                });
                if was.1.is_none() || was.1 != is.1 {
                    fields.compare("featured_image.url", &was.0, &is.0);
                }
            }
            "featured_image" => {}
            "language" => {
                let is_own = |of: &Object<'_>| {
                    of.text("language_source").is_none_or(|source| OWN_LANGUAGE.contains(&source.as_str()))
                };
                if is_own(two.old) && is_own(two.new) {
                    fields.compare(key, was, is);
                }
            }
            _ => fields.compare(key, was, is),
        }
    }

    /// Compares a title, an excerpt or a caption by its text. Equal HTML counts as equal text, whichever version extracted it.
    fn compare_rendered(&mut self, key: &str, [was, is]: [&str; 2], fields: &mut Fields) {
        let (Ok(old), Ok(new)) = (Object::parse_str(was), Object::parse_str(is)) else {
            return fields.compare(key, was, is);
        };
        let [old_text, new_text] = match old.text("html").zip(new.text("html")) {
            Some((old, new)) if old == new => return,
            Some((old, new)) => [old, new].map(|html| {
                let html = Noise::builtin().strip(&html, &mut self.buffers, &mut fields.ignored);
                self.extractor.text(&html)
            }),
            None => [old, new].map(|of| of.text("text").unwrap_or_default().to_string()),
        };
        if old_text == new_text {
            fields.ignored.insert(MARKUP);
        } else {
            fields.push(key, &json_of(&old_text), &json_of(&new_text));
        }
    }

    /// Whether WordPress made the excerpt from the content: the content begins with the excerpt; or the excerpt begins with the content
    /// (all of it, or the part before `<!--more-->`) and goes on with the first letters of the text that plugins add after the content.
    /// Plugins run anew for the excerpt, so that the counters in it may differ from those in the content.
    fn begins_content(&mut self, of: &Object<'_>) -> bool {
        let html = |key| of.text_in(key, "html");
        let (Some(excerpt), Some(content)) = (html("excerpt"), html("content")) else { return false };
        let own = Noise::builtin().strip(&content, &mut self.buffers, &mut Rules::default());
        let has_noise = own.len() < content.len();
        let teaser = own.split("<!--more-->").next().unwrap_or_default();
        let [own, teaser, content, text] = [&*own, teaser, &*content, &*excerpt].map(|html| self.extractor.text(html));
        let end = ["[…]", "[...]", "…", "..."].into_iter().filter_map(|sign| text.rfind(sign)).min();
        // A link to the rest of the post may follow the ellipsis.
        let end = end.filter(|&end| excerpt.contains("</a>") || !text[end..].contains(char::is_alphanumeric));
        let text = &text[..end.unwrap_or(text.len())];
        let [own, teaser, content, excerpt] = [&own, &teaser, &content, text].map(|text| letters(text, has_noise));
        let at = content.find(&*own).filter(|_| has_noise && !own.is_empty());
        let goes_on = |at: usize| {
            let (begins, added) = (content.get(..at + teaser.len()), &content[at + own.len()..]);
            let more = begins.and_then(|begins| excerpt.strip_prefix(begins)).unwrap_or_default();
            added.chars().zip(more.chars()).take_while(|(of, is)| of == is).count() > COINCIDENCE
        };
        content.starts_with(&excerpt) || at.is_some_and(goes_on)
    }

    /// Whether a field refers to the same record as before. If that record is gone, the loss of the reference is not a change, except for
    /// an author.
    fn refers_to_the_same(&self, two: Two<'_, '_, '_>, key: &str) -> bool {
        let [was, is] = two.values(key).map(|id| id.parse::<i64>().unwrap_or(0));
        if was == 0 {
            return is == 0;
        }
        let own = two.old.text("type").unwrap_or_default();
        let types: Vec<&str> = match key {
            "author" => vec!["user"],
            "featured_media" | "parent_image_id" => vec!["media"],
            "parent" => vec![&own],
            _ => self.context.post_types(two.site).collect(),
        };
        let mut fates = types.into_iter().map(|r#type| (r#type, self.context.fate(two.site, r#type, was)));
        match fates.rfind(|(_, fate)| *fate != Fate::Unknown) {
            Some((_, Fate::Gone)) => key != "author",
            Some((r#type, Fate::Renumbered(_))) => self.context.new_id(two.site, r#type, was) == is,
            _ => was == is,
        }
    }

    /// Compares translations and terms.
    fn compare_relations<'o>(&self, two: Two<'o, '_, '_>, lists: &[&str], change: &mut Change<'o>) {
        let compare = Lists { context: self.context, site: two.site };
        let [old, new] = [(two.old, 0), (two.new, 1)].map(|(object, side)| Of {
            object,
            is_old: side == 0,
            moved: two.moved[side],
            written: None,
        });
        if lists.contains(&"translations") {
            change.translations = compare.translations(old, new);
        }
        change.terms = compare.terms(old, new, lists);
    }

    /// Compares text, links, images and embeds.
    fn compare_contents<'o>(
        &mut self,
        two: Two<'o, '_, '_>,
        body: &str,
        lists: &[&str],
        texts: &'o mut Texts,
        change: &mut Change<'o>,
        fields: &mut Fields,
    ) {
        let Some([old, new]) = parsed(two.values(body)) else { return };
        let protected = [&old, &new].map(|of| of.get("protected").unwrap_or("null"));
        if !protected.contains(&"null") {
            fields.compare(&format!("{body}.protected"), protected[0], protected[1]);
        }
        let before = fields.changed.len();
        let read = match old.text("html").zip(new.text("html")) {
            Some((old, new)) if old == new => return,
            Some((old, new)) => Some(
                [(&old, two.old, 0), (&new, two.new, 1)]
                    .map(|(html, of, side)| self.read(html, of, two.moved[side], fields)),
            ),
            None => None,
        };
        if let Some([old, new]) = &read
            && lists.contains(&"embeds")
            && old.embeds != new.embeds
        {
            fields.push("embeds", &json_of(&old.embeds), &json_of(&new.embeds));
        }
        if let Some([old, new]) = &read {
            labels::compare([&old.labels, &new.labels], lists, fields);
        }
        let compare = Lists { context: self.context, site: two.site };
        let of = |written: fn(&ContentParts) -> &HashSet<String>| {
            let written = |side: usize| read.as_ref().map(|read| written(&read[side]));
            let of = |object, side| Of { object, is_old: side == 0, moved: two.moved[side], written: written(side) };
            (of(two.old, 0), of(two.new, 1))
        };
        if lists.contains(&"links") {
            let (old, new) = of(|reading| &reading.links);
            change.links = compare.links(old, new, &mut fields.ignored);
        }
        if lists.contains(&"images") {
            let (old, new) = of(|reading| &reading.images);
            change.images = compare.images(old, new, &mut fields.ignored);
        }
        texts.0 = match read {
            Some(read) => read.map(|reading| reading.text),
            None => [old, new].map(|of| of.text("text").unwrap_or_default().to_string()),
        };
        let [old, new] = texts.0.each_ref().map(|text| {
            let mut blocks = text::blocks(text);
            blocks.retain(|block| !Noise::builtin().is_block(block, &mut fields.ignored));
            blocks
        });
        change.text = text::compare(&old, &new);
        if is_of_one_content(change) && fields.changed.len() == before {
            fields.ignored.insert(MARKUP);
        }
    }

    /// Reads the parts of an HTML that are compared, without noise.
    fn read(&mut self, html: &str, of: &Object<'_>, top: Option<&str>, fields: &mut Fields) -> ContentParts {
        let html = Noise::builtin().strip(html, &mut self.buffers, &mut fields.ignored);
        let page = of.text("link").and_then(|link| PageUrl::parse(&link));
        let found = self.extractor.content(&html, page.as_ref());
        let mut key = |url: &str| {
            let url = Noise::builtin().url(url, &mut fields.ignored);
            below(&url, top).unwrap_or(url.into_owned())
        };
        let (mut embeds, mut labels) = (Vec::new(), Vec::new());
        for embed in &found.embeds {
            let Some(url) = embed.url.as_deref().or(embed.src.as_deref()) else { continue };
            embeds.push(key(url));
            labels.push(Label::new(("embeds", "caption"), [url, &key(url)], embed.caption.as_deref()));
        }
        for image in &found.images {
            let Some(url) = image.url.as_deref().or(image.src.as_deref()) else { continue };
            labels.push(Label::new(("images", "alt"), [url, &key(url)], image.alt.as_deref()));
            labels.push(Label::new(("images", "caption"), [url, &key(url)], image.caption.as_deref()));
        }
        ContentParts {
            embeds,
            labels,
            links: found.links.iter().filter_map(|link| link.href.as_deref().map(str::to_owned)).collect(),
            images: found.images.iter().filter_map(|image| image.src.as_deref().map(str::to_owned)).collect(),
            text: found.text,
        }
    }

    /// The evidence that a record moved only because its parent did. The parent of a file is the post to which it was uploaded.
    fn parent_that_moved(&self, two: Two<'_, '_, '_>) -> Option<Evidence<'static>> {
        let own = two.old.text("type").unwrap_or_default();
        let is_media = two.kind == "media";
        let (kind, key) = if is_media { ("post", "post") } else { (two.kind, "parent") };
        let id = two.old.get(key)?.parse::<i64>().ok().filter(|id| *id != 0)?;
        let types: Vec<&str> = if is_media { self.context.post_types(two.site).collect() } else { vec![&own] };
        let moved = |r#type| Some((r#type, self.context.moved(two.site, kind, r#type, id)?));
        let (r#type, moved) = types.into_iter().find_map(moved)?;
        Some(Evidence {
            rule: Some("parent".into()),
            value: Some(moved.new_link.clone().into()),
            expected: Some(moved.old_link.into()),
            r#type: Some(r#type.to_owned().into()),
            id: Some(self.context.new_id(two.site, r#type, id)),
            link: Some(moved.new_link.into()),
        })
    }
}

/// The letters and digits of a text; `masked` replaces each number by a single `#`.
fn letters(text: &str, masked: bool) -> String {
    let mut letters = String::with_capacity(text.len());
    for c in text.chars().filter(|c| c.is_alphanumeric()) {
        match masked && c.is_ascii_digit() {
            true if letters.ends_with('#') => {}
            true => letters.push('#'),
            false => letters.push(c),
        }
    }
    letters
}

/// The two values, if both are objects.
fn parsed(values: [&str; 2]) -> Option<[Object<'_>; 2]> {
    let [old, new] = values.map(|value| Object::parse_str(value).ok());
    Some([old?, new?])
}

/// Whether neither text, links nor images differ.
fn is_of_one_content(change: &Change<'_>) -> bool {
    let Change { text, links, images, .. } = change;
    text.is_empty()
        && [&links.added, &links.removed].iter().all(|list| list.is_empty())
        && [&images.added, &images.removed].iter().all(|list| list.is_empty())
}

/// The classes of a change between two states of a record: all but `added` and `gone`.
fn classes(change: &Change<'_>, fields: &Fields, renumbered: bool) -> Vec<Str<'static>> {
    let (moved, redated) = (fields.has("link"), fields.has("date_gmt") || fields.has("date"));
    let is_apart = |field: &str| {
        matches!(field, "date" | "date_gmt")
            || (moved && OF_ADDRESS.contains(&field))
            || (renumbered && field == "guid")
    };
    let Change { translations, terms, .. } = change;
    let changed = fields.changed.iter().any(|field| !is_apart(field.field.as_deref().unwrap_or_default()))
        || !is_of_one_content(change)
        || [&translations.added, &translations.removed].iter().any(|list| !list.is_empty())
        || [&terms.added, &terms.removed].iter().any(|list| !list.is_empty());
    let applies = [false, false, renumbered, moved, redated, changed];
    CLASSES.iter().zip(applies).filter(|(_, yes)| *yes).map(|(class, _)| Str::from(*class)).collect()
}

/// The line of a record, still without its changes; `old` is its earlier state.
pub(super) fn frame<'o>(old: Option<&'o Object<'_>>, new: &'o Object<'_>) -> Change<'o> {
    Change {
        site: new.text("site"),
        kind: Some("change".into()),
        r#type: new.text("type"),
        id: new.number("id"),
        link: new.text("link"),
        old: old.map(version).unwrap_or_default(),
        new: version(new),
        ..Change::default()
    }
}

/// The fields that describe a state of a record in a line.
pub(super) fn version<'o>(of: &'o Object<'_>) -> Version<'o> {
    Version {
        id: of.number("id"),
        link: of.text("link"),
        status: of.text("status"),
        date_gmt: of.text("date_gmt"),
        modified_gmt: of.text("modified_gmt"),
        author: of.number("author"),
        title: of.text_in("title", "text").or_else(|| of.text("name")),
        language: of.text("language"),
    }
}
