//! Renders the shortcodes of WordPress itself, as WordPress does for a theme with HTML5 support. Those of plugins are left unchanged.
//! Source: `img_caption_shortcode()`, `gallery_shortcode()`, `wp_audio_shortcode()`, `wp_video_shortcode()`, `wp_playlist_shortcode()`
//! (<https://developer.wordpress.org/reference/>).

use super::media::{Upload, attribute};
use super::site::Site;
use super::texturize::{OWN, is_own};
use crate::html::embeds::provider_of;
use crate::html::shortcodes::tags;
use crate::wordpress::mime_of;
use serde_json::json;
use std::collections::HashSet;
use std::fmt::Write as _;

/// The data that are needed to render the shortcodes of a post.
pub(super) struct Shortcodes<'s> {
    pub(super) site: &'s Site,
    /// The id of the post.
    pub(super) post: i64,
    /// The numbers of audio and video players so far.
    pub(super) players: [u32; 2],
    /// The number of galleries so far.
    pub(super) galleries: u32,
    /// How many more uploads may be shown. Without such a limit, many galleries of the same uploads would take quadratic time.
    pub(super) left: usize,
}

/// The names of a shortcode's attributes, in lower case, and their values.
struct Attributes<'t>(Vec<(String, &'t str)>);

impl<'t> Attributes<'t> {
    fn read(mut text: &'t str) -> Self {
        let mut list = Vec::new();
        loop {
            text = text.trim_start();
            let name = text.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')).count();
            let after = text[name..].trim_start();
            let Some(value) = after.strip_prefix('=').filter(|_| name > 0).map(str::trim_start) else {
                let Some(end) = text.find(char::is_whitespace) else { return Attributes(list) };
                text = &text[end..];
                continue;
            };
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
            let (value, rest) = match quote {
                Some(quote) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
                None => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
            };
            list.push((text[..name].to_ascii_lowercase(), value));
            text = rest;
        }
    }

    fn get(&self, name: &str) -> &'t str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

impl<'s> Shortcodes<'s> {
    /// Renders WordPress' own shortcodes in a text. Each is rendered once; the text of a caption may contain others.
    pub(super) fn render(&mut self, html: &str) -> String {
        if !OWN.iter().any(|name| html.contains(&format!("[{name}"))) {
            return html.to_owned();
        }
        let found: Vec<_> = tags(html).filter(|(_, tag)| is_own(tag.name)).collect();
        let mut out = String::with_capacity(html.len());
        let mut from = 0;
        for (number, (at, tag)) in found.iter().enumerate() {
            if *at < from || tag.closes {
                continue;
            }
            let is_escaped = html[..*at].ends_with('[') && html[tag.end..].starts_with(']');
            if is_escaped {
                out.extend([&html[from..at - 1], &html[*at..tag.end]]);
                from = tag.end + 1;
                continue;
            }
            let attributes = html[at + 1 + tag.name.len()..tag.end - 1].trim_end_matches('/');
            let rest = found[number + 1..].iter().take_while(|(_, other)| other.closes || other.name != tag.name);
            let close = rest.clone().find(|(_, other)| other.closes && other.name == tag.name);
            let (inside, end) = close.map_or(("", tag.end), |(close, other)| (&html[tag.end..*close], other.end));
            out += &html[from..*at];
            out += &self.rendered(tag.name, &Attributes::read(attributes), inside);
            from = end;
        }
        out + &html[from..]
    }

    fn rendered(&mut self, name: &str, attributes: &Attributes<'_>, inside: &str) -> String {
        match name {
            "gallery" => self.gallery(attributes),
            "audio" | "video" => self.player(name, attributes).unwrap_or_default(),
            "playlist" => self.playlist(attributes),
            "embed" => match embed(inside.trim()) {
                Some(embed) => embed,
                None => format!("<a href=\"{0}\">{0}</a>", attribute(inside.trim())),
            },
            _ => {
                let inside = self.render(inside);
                caption(attributes, &inside)
            }
        }
    }

    /// The uploads whose ids the shortcode lists, whatever their type; without a list, the uploads of this type that are attached to the
    /// post.
    fn uploads(&mut self, attributes: &Attributes<'_>, kind: &str) -> Vec<(i64, &'s Upload)> {
        let (site, left) = (self.site, self.left);
        let list = |ids: &str| ids.split(',').take(left).filter_map(|id| id.trim().parse().ok()).collect::<Vec<i64>>();
        let ids = [attributes.get("ids"), attributes.get("include")].into_iter().find(|ids| !ids.is_empty());
        let mut found: Vec<(i64, &Upload)> = match ids.map(list) {
            Some(ids) => ids.into_iter().filter_map(|id| Some((id, site.uploads.get(&id)?))).collect(),
            None => {
                let excluded: HashSet<i64> = list(attributes.get("exclude")).into_iter().collect();
                let post = attributes.get("id").parse().unwrap_or(self.post);
                let mut of_post: Vec<_> = site.uploads_of(post).take(left).collect();
                of_post.retain(|(id, _)| !excluded.contains(id));
                of_post.sort_by_key(|(id, upload)| (upload.order, *id));
                of_post
            }
        };
        self.left -= found.len();
        found.retain(|(_, upload)| mime_of(&upload.url).starts_with(kind) || ids.is_some());
        found
    }

    fn gallery(&mut self, attributes: &Attributes<'_>) -> String {
        let images = self.uploads(attributes, "image/");
        if images.is_empty() {
            return String::new();
        }
        self.galleries += 1;
        let number = self.galleries;
        let size = Some(attributes.get("size")).filter(|size| !size.is_empty()).unwrap_or("thumbnail");
        let mut out =
            format!("<div id='gallery-{number}' class='gallery galleryid-{} gallery-size-{size}'>", self.post);
        for (id, image) in images {
            let link = match attributes.get("link") {
                "file" => &image.url,
                "none" => "",
                _ => &image.link,
            };
            let mut shown = image.image(size);
            if !link.is_empty() {
                shown = format!("<a href='{}'>{shown}</a>", attribute(link));
            }
            let _ = write!(
                out,
                "<figure class='gallery-item'>\n\t\t\t<div class='gallery-icon'>\n\t\t\t\t{shown}\n\t\t\t</div>"
            );
            let caption = image.caption.trim();
            if !caption.is_empty() {
                let caption = self.site.marks().texturize(caption);
                let _ = write!(
                    out,
                    "\n\t\t\t\t<figcaption class='wp-caption-text gallery-caption' id='gallery-{number}-{id}'>\n\t\t\t\t{caption}\n\t\t\t\t</figcaption>"
                );
            }
            out += "</figure>";
        }
        out + "\n\t\t</div>\n"
    }

    /// A player for audio or video.
    fn player(&mut self, name: &str, attributes: &Attributes<'_>) -> Option<String> {
        const FORMS: &str = "src mp3 ogg flac m4a wav mp4 m4v webm ogv wma wmv flv mov";
        let named: Vec<&str> =
            FORMS.split(' ').map(|form| attributes.get(form)).filter(|src| !src.is_empty()).collect();
        let sources = match named[..] {
            [] => vec![self.uploads(attributes, &format!("{name}/")).first()?.1.url.clone()],
            _ => named.into_iter().map(str::to_owned).collect(),
        };
        let count = &mut self.players[usize::from(name == "video")];
        *count += 1;
        let number = *count;
        let mut out =
            format!("<{name} class=\"wp-{name}-shortcode\" id=\"{name}-{}-{number}\" controls=\"controls\"", self.post);
        for key in ["poster", "width", "height"] {
            if name == "video" && !attributes.get(key).is_empty() {
                let _ = write!(out, " {key}=\"{}\"", attribute(attributes.get(key)));
            }
        }
        out += ">";
        for url in &sources {
            let (kind, url) = (mime_of(url), attribute(url));
            let _ = write!(out, "<source type=\"{kind}\" src=\"{url}?_={number}\" />");
        }
        let url = attribute(sources.first()?);
        let _ = write!(out, "<a href=\"{url}\">{url}</a></{name}>");
        Some(if name == "video" { format!("<div class=\"wp-video\">{out}</div>") } else { out })
    }

    fn playlist(&mut self, attributes: &Attributes<'_>) -> String {
        let kind = if attributes.get("type") == "video" { "video" } else { "audio" };
        let uploads = self.uploads(attributes, &format!("{kind}/")).into_iter().map(|(_, upload)| upload);
        let tracks: Vec<_> = uploads
            .filter(|upload| mime_of(&upload.url).starts_with(kind))
            .map(|upload| json!({"src": upload.url, "title": upload.title}))
            .collect();
        if tracks.is_empty() {
            return String::new();
        }
        // As JSON in a script: `<` would end it.
        let script = json!({"type": kind, "tracks": tracks}).to_string().replace('<', "\\u003c");
        format!(
            "<div class=\"wp-playlist wp-{kind}-playlist\"><{kind} controls></{kind}>\
             <script type=\"application/json\" class=\"wp-playlist-script\">{script}</script></div>"
        )
    }
}

/// An embed block for a URL whose service would supply the HTML (YouTube …). An export does not contain that HTML.
fn embed(url: &str) -> Option<String> {
    let is_url = !url.contains(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"'));
    let provider = provider_of(url).filter(|_| is_url && url.starts_with("http"))?;
    let url = attribute(url);
    Some(format!(
        "<figure class=\"wp-block-embed is-provider-{provider}\"><div class=\"wp-block-embed__wrapper\">\n{url}\n</div></figure>"
    ))
}

/// Embeds the URLs that are alone in their line or paragraph, as `WP_Embed::autoembed()` does.
pub(super) fn autoembed(text: &str) -> String {
    if !text.contains("://") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut is_block = false;
    for line in text.split_inclusive('\n') {
        let own = line.trim();
        let own = own.strip_prefix("<p>").and_then(|own| own.strip_suffix("</p>")).map_or(own, str::trim);
        match embed(own).filter(|_| !is_block) {
            Some(embed) => out.extend([&embed, "\n"]),
            None => out += line,
        }
        is_block = line.contains("wp-block-embed__wrapper");
    }
    out
}

/// An image with its caption.
fn caption(attributes: &Attributes<'_>, inside: &str) -> String {
    let own = attributes.get("caption");
    let (image, caption) = if own.is_empty() { split_caption(inside) } else { (inside, own) };
    let width: u32 = attributes.get("width").parse().unwrap_or_default();
    if width < 1 || caption.is_empty() {
        return inside.to_owned();
    }
    let id = match attributes.get("id") {
        "" => String::new(),
        id => format!("id=\"{}\" ", attribute(id)),
    };
    format!(
        "<figure {id}style=\"width: {width}px\" class=\"wp-caption {}\">{image}<figcaption class=\"wp-caption-text\">{caption}</figcaption></figure>",
        attribute(attributes.get("align"))
    )
}

/// Splits the text of a caption into the image, with a link around it, and the rest.
fn split_caption(inside: &str) -> (&str, &str) {
    let Some(image) = inside.find("<img ") else { return (inside, "") };
    let Some(end) = inside[image..].find('>').map(|at| image + at + 1) else { return (inside, "") };
    let linked = inside[end..].trim_start();
    let end = match linked.strip_prefix("</a>") {
        Some(rest) => inside.len() - rest.len(),
        None => end,
    };
    let start = inside[..image].rfind("<a ").unwrap_or(image);
    (&inside[start..end], inside[end..].trim())
}
