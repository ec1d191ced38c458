//! Makes the record of each kind, field by field.

use super::authors::authors;
use super::rights;
use super::terms::{featured_image, terms};
use crate::html::{self, Extracted, Extractor};
use crate::ndjson::{Line, Str, write_json};
use crate::page::has_notice;
use crate::record::{Avatar, Comment, Content, Item, Media, Post, Rendered, Target, Term, User};
use crate::report::Notes;
use crate::rest::{Api, dates, language, media, seo};
use crate::rights::Markup;
use crate::urls::PageUrl;
use std::mem::take;

/// What is needed besides the item to make a record.
pub(super) struct Context<'c, 'l> {
    pub extractor: &'c mut Extractor,
    pub markup: &'c mut Markup,
    pub line: Line<'l>,
    pub notes: &'c mut Notes,
    /// Whether the record has no room for the parts of the item's HTML.
    pub is_too_long: bool,
}

/// Writes the record of `item` as a JSON object.
pub(super) fn write<'a>(context: &mut Context<'_, '_>, item: &Item<'a>, api: &mut Api<'a>, out: &mut Vec<u8>) {
    let page = item.link.as_deref().and_then(PageUrl::parse);
    let kind = item.kind.as_deref();
    context.odd_fields(item, api);
    let described = matches!(kind, Some("media" | "term" | "user"));
    // Links and images of the record borrow from it.
    let html = if described { &mut api.description } else { &mut api.content }.rendered.take();
    let main = Main { html: html.as_deref(), page: page.as_ref() };
    match kind {
        Some("media") => write_json(out, &media(context, item, api, main)),
        Some("term") => write_json(out, &term(context, item, api, main)),
        Some("user") => write_json(out, &user(context, item, api, main)),
        Some("comment") => write_json(out, &comment(context, item, api, main)),
        _ => write_json(out, &post(context, item, api, main)),
    }
}

/// The HTML of an item that is searched for links: its content or description, with the URL against which they are resolved.
#[derive(Clone, Copy)]
struct Main<'h> {
    html: Option<&'h str>,
    page: Option<&'h PageUrl>,
}

/// What the API states about an item's language and translations.
struct Languages<'a> {
    language: Option<Str<'a>>,
    language_source: Option<Str<'a>>,
    copy_source: Option<Str<'a>>,
    translations: Vec<crate::record::Translation<'a>>,
}

impl<'a> Languages<'a> {
    fn of(item: &Item<'a>, api: &Api<'a>) -> Self {
        let link = item.link.as_deref();
        let own = language::stated_language(api, link);
        Languages {
            language_source: own.as_ref().map(|(_, source)| (*source).into()),
            language: own.map(|(tag, _)| Str::from(tag.as_str().to_owned())),
            copy_source: None,
            translations: language::translations(api, item.r#type.as_deref(), item.id, link),
        }
    }
}

impl Context<'_, '_> {
    /// Returns HTML with its text.
    fn rendered<'a>(&mut self, html: Option<Str<'a>>) -> Rendered<'a> {
        let text = html.as_deref().map(|html| Str::from(self.extractor.text(html)));
        Rendered { html, text }
    }

    /// Returns HTML with its text, and the parts extracted from it.
    fn extracted<'h>(&mut self, item: &Item<'_>, main: Main<'h>) -> (Rendered<'h>, Extracted<'h>) {
        let Some(html) = main.html else { return Default::default() };
        let mut extracted = self.extractor.content(html, main.page);
        self.is_too_long |= extracted.is_too_long;
        let record = || format!("{} {}", type_of(item), id_of(item));
        extracted.missing().report(self.notes, || self.line.place(), record);
        let text = Some(take(&mut extracted.text).into());
        (Rendered { html: Some(html.into()), text }, extracted)
    }

    /// A date in UTC; an invalid one becomes null and a defect.
    fn date<'a>(&mut self, item: &Item<'a>, field: &str, date: &Option<Str<'a>>) -> Option<Str<'a>> {
        let raw = date.as_deref()?;
        let date = dates::normalise(raw);
        if date.is_none() {
            let what = format!("{field} is not a valid date: {raw:?} ({} {})", type_of(item), id_of(item));
            self.notes.defect("date", self.line.place(), what);
        }
        date.map(Str::from)
    }

    /// The date in the time of the site. If the date in UTC is broken, too, both are only one defect.
    fn local_date<'a>(&mut self, item: &Item<'_>, api: &Api<'a>) -> Option<Str<'a>> {
        let raw = api.date.as_deref()?;
        let date = dates::local(raw);
        let utc = api.date_gmt.as_deref();
        if date.is_none() && utc.is_none_or(|utc| dates::normalise(utc).is_some()) {
            let what = format!("date is not a valid date: {raw:?} ({} {})", type_of(item), id_of(item));
            self.notes.defect("date", self.line.place(), what);
        }
        date.map(Str::from)
    }

    /// Reports fields with another shape than WordPress gives them as defects; their values become null or empty. Fields of plugins change
    /// too often to be reported.
    fn odd_fields(&mut self, item: &Item<'_>, api: &Api<'_>) {
        let odd = api.odd.iter().map(Str::as_str).filter(|field| !field.ends_with("_head_json"));
        // wp-index has read the link; a text that is missing here was removed on the way.
        let is_odd = |link: &str| !link.starts_with('"') && !matches!(link, "false" | "[]" | "{}");
        let link = (item.link.is_none() && api.raw("link").is_some_and(is_odd)).then_some("link");
        for field in odd.chain(link) {
            let what = format!("{field} has a shape that is not WordPress's; what cannot be read of it is left out");
            let what = format!("{what} ({} {})", type_of(item), id_of(item));
            self.notes.defect("shape", self.line.place(), what);
        }
    }

    /// Counts the signs of a dump that was unescaped once too often; see `warn_of_unescaped_dump`.
    fn look_for_entities(&mut self, html: &str) {
        let bytes = html.as_bytes();
        let mut bare = false;
        for at in memchr::memchr_iter(b'&', bytes) {
            let rest = &bytes[at + 1..bytes.len().min(at + 12)];
            let name = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'#').count();
            if name > 1 && rest.get(name) == Some(&b';') {
                return self.notes.count("contents_with_entities", 1);
            }
            bare |= rest.first() == Some(&b' ');
        }
        if bare {
            self.notes.count("contents_with_bare_ampersand", 1);
        }
    }
}

fn type_of<'i>(item: &'i Item<'_>) -> &'i str {
    item.r#type.as_deref().unwrap_or("item")
}

fn id_of(item: &Item<'_>) -> String {
    item.id.map_or_else(|| "without id".into(), |id| id.to_string())
}

/// The `content_source` of a record whose item has a content, by the door of the item. An item without a door is from an older stream.
fn source_of_content<'a>(item: &Item<'_>, api: &mut Api<'a>) -> Str<'a> {
    let said = take(&mut api.content_source);
    said.unwrap_or_else(|| match item.source.via.as_deref() {
        Some("wxr") => "export".into(),
        Some("feed") => "feed".into(),
        _ => "api".into(),
    })
}

/// Makes a record of the item: the fields of all kinds, those of kinds with a language, and the fields given here.
macro_rules! record {
    ($kind:ident of $item:ident $(, $languages:ident)?; $($field:ident: $value:expr,)*) => {
        $kind {
            site: $item.site.clone(),
            kind: $item.kind.clone(),
            r#type: $item.r#type.clone(),
            id: $item.id,
            link: $item.link.clone(),
            $(
                language: $languages.language,
                language_source: $languages.language_source,
                x_default: None,
                copy_source: $languages.copy_source,
                copy_of: Target::default(),
                translations: $languages.translations,
                translation_group: None,
            )?
            $($field: $value,)*
            aliases: $item.aliases.clone(),
            scrape: $item.scrape.clone(),
            source: $item.source.clone(),
        }
    };
}

fn post<'h, 'a: 'h>(context: &mut Context<'_, '_>, item: &Item<'a>, api: &mut Api<'a>, main: Main<'h>) -> Post<'h> {
    let mut languages = Languages::of(item, api);
    let protected = api.content.protected;
    let source = main.html.is_some_and(|html| !html.trim().is_empty()).then(|| source_of_content(item, api));
    if let Some(html) = main.html {
        context.look_for_entities(html);
        languages.copy_source = has_notice(html).then(|| "notice".into());
    }
    let (content, mut extracted) = context.extracted(item, main);
    let is_public = protected != Some(true) && api.excerpt.protected != Some(true);
    let enclosures = api.enclosures.iter().filter(|_| is_public).map(|url| &**url);
    context.is_too_long |= html::embeds::add_enclosures(&mut extracted.embeds, enclosures);
    let door = match (api.author_source.as_deref(), item.source.via.as_deref()) {
        (Some("export"), _) | (None, Some("wxr")) => "export",
        _ => "feed",
    };
    let authors = authors(context.extractor, api, door);
    let terms = terms(context.extractor, api);
    let rights = rights::of_post(context.markup, item, api.title.rendered.as_deref(), main.html, main.page);
    record! { Post of item, languages;
        slug: take(&mut api.slug),
        status: take(&mut api.status),
        date: context.local_date(item, api),
        date_gmt: context.date(item, "date_gmt", &api.date_gmt),
        modified_gmt: context.date(item, "modified_gmt", &api.modified_gmt),
        author: api.author,
        author_name: authors.first().and_then(|author| author.name.clone()),
        authors: authors,
        section: None,
        parent: api.parent,
        menu_order: api.menu_order,
        featured_media: api.featured_media,
        featured_image: featured_image(api, main.page),
        format: take(&mut api.format),
        template: take(&mut api.template),
        sticky: api.sticky,
        comment_status: take(&mut api.comment_status),
        guid: take(&mut api.guid).rendered,
        categories: take(&mut api.categories),
        tags: take(&mut api.tags),
        terms: terms,
        title: context.rendered(take(&mut api.title).rendered),
        excerpt: context.rendered(take(&mut api.excerpt).rendered),
        content: Content {
            hash: content.text.as_deref().and_then(html::hash).map(Str::from),
            html: content.html,
            text: content.text,
            protected,
        },
        content_source: source,
        content_rule: None,
        content_share: None,
        content_doubt: None,
        links: extracted.links,
        images: extracted.images,
        embeds: extracted.embeds,
        seo: seo::take(api),
        rights: rights,
        same: take(&mut api.same),
    }
}

fn media<'h, 'a: 'h>(context: &mut Context<'_, '_>, item: &Item<'a>, api: &mut Api<'a>, main: Main<'h>) -> Media<'h> {
    let languages = Languages::of(item, api);
    let (description, extracted) = context.extracted(item, main);
    let (details, files) = take(&mut api.media_details);
    let rights = rights::of_media(context.markup, item, api, &details.image_meta, main.html, main.page);
    record! { Media of item, languages;
        slug: take(&mut api.slug),
        status: take(&mut api.status),
        date: context.local_date(item, api),
        date_gmt: context.date(item, "date_gmt", &api.date_gmt),
        modified_gmt: context.date(item, "modified_gmt", &api.modified_gmt),
        author: api.author,
        author_name: authors(context.extractor, api, "feed").into_iter().next().and_then(|author| author.name),
        featured_media: api.featured_media,
        template: take(&mut api.template),
        comment_status: take(&mut api.comment_status),
        guid: take(&mut api.guid).rendered,
        alt_text: take(&mut api.alt_text),
        media_type: take(&mut api.media_type),
        mime_type: take(&mut api.mime_type),
        post: api.post,
        source_url: take(&mut api.source_url),
        title: context.rendered(take(&mut api.title).rendered),
        caption: context.rendered(take(&mut api.caption).rendered),
        description: description,
        parent_image_id: files.parent_image.attachment_id,
        sizes: media::sizes(&details, files),
        media_details: details,
        links: extracted.links,
        images: extracted.images,
        seo: seo::take(api),
        rights: rights,
    }
}

fn term<'h, 'a: 'h>(context: &mut Context<'_, '_>, item: &Item<'a>, api: &mut Api<'a>, main: Main<'h>) -> Term<'h> {
    let languages = Languages::of(item, api);
    let (description, extracted) = context.extracted(item, main);
    let name = context.rendered(take(&mut api.name));
    record! { Term of item, languages;
        name: name.text,
        name_html: name.html,
        slug: take(&mut api.slug),
        description: description,
        count: api.count,
        parent: api.parent,
        taxonomy: take(&mut api.taxonomy),
        links: extracted.links,
        images: extracted.images,
    }
}

fn user<'h, 'a: 'h>(context: &mut Context<'_, '_>, item: &Item<'a>, api: &mut Api<'a>, main: Main<'h>) -> User<'h> {
    let (description, extracted) = context.extracted(item, main);
    let name = context.rendered(take(&mut api.name));
    let avatars = take(&mut api.avatar_urls).0.into_iter();
    record! { User of item;
        name: name.text,
        slug: take(&mut api.slug),
        description: description,
        url: take(&mut api.url),
        avatar_urls: avatars.map(|(size, url)| Avatar { size: size.parse().ok(), url }).collect(),
        links: extracted.links,
        seo: seo::take(api),
    }
}

fn comment<'h, 'a: 'h>(
    context: &mut Context<'_, '_>,
    item: &Item<'a>,
    api: &mut Api<'a>,
    main: Main<'h>,
) -> Comment<'h> {
    let (content, extracted) = context.extracted(item, main);
    let author_name = context.rendered(take(&mut api.author_name));
    record! { Comment of item;
        post: api.post,
        parent: api.parent,
        author: api.author,
        author_name: author_name.text,
        author_url: take(&mut api.author_url),
        date: context.local_date(item, api),
        date_gmt: context.date(item, "date_gmt", &api.date_gmt),
        content: content,
        status: take(&mut api.status),
        links: extracted.links,
        images: extracted.images,
    }
}
