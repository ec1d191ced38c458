//! Recognises embedded services (YouTube, Vimeo and others) and the markup that plugins use for their videos, by the
//! table in `services.toml`. [`super::Embeds`] collects the results.

use crate::html::sources::is_usable;
use crate::html::tokenizer::Attributes;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::LazyLock;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    hosts: HashMap<String, String>,
    quote: Vec<Quote>,
    player: Vec<Player>,
    widget: Vec<Widget>,
    script: Vec<Script>,
    blocked: Vec<Blocked>,
}

/// The markup that a service uses to quote one of its posts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Quote {
    class: String,
    pub(super) provider: String,
    pub(super) attribute: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Player {
    class: Option<String>,
    attribute: Option<String>,
    #[serde(default)]
    before: String,
    url: Option<String>,
    service: Option<String>,
    #[serde(default)]
    urls: HashMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Widget {
    class: String,
    attribute: String,
    kind: String,
    r#else: String,
    keys: Vec<String>,
    others: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    src: Option<String>,
    attribute: Option<String>,
    url: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Blocked {
    attribute: Option<String>,
    script: Option<String>,
}

static TABLES: LazyLock<Tables> =
    LazyLock::new(|| toml::from_str(include_str!("services.toml")).expect("the tests read this table"));

/// The service that an absolute URL belongs to.
pub(crate) fn provider_of(url: &str) -> Option<&'static str> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let mut host = authority.rsplit('@').next()?.split(':').next()?;
    loop {
        if let Some(provider) = TABLES.hosts.get(host) {
            return Some(provider);
        }
        host = host.split_once('.')?.1;
    }
}

/// The service that gives this class to the elements that quote its posts.
pub(super) fn quote(class: &str) -> Option<&'static Quote> {
    class.split_ascii_whitespace().find_map(|word| TABLES.quote.iter().find(|quote| quote.class == word))
}

/// The video that a script will play in place of an element.
pub(super) fn player(class: &str, attributes: Attributes<'_, '_>) -> Option<String> {
    TABLES.player.iter().find_map(|player| player.film(class, attributes))
}

impl Player {
    fn film(&self, class: &str, attributes: Attributes<'_, '_>) -> Option<String> {
        let word = match self.class.as_deref().map(|name| (name, name.strip_suffix('*'))) {
            None => "",
            Some((name, None)) => class.split_ascii_whitespace().find(|word| *word == name)?,
            Some((_, Some(start))) => class.split_ascii_whitespace().find_map(|word| word.strip_prefix(start))?,
        };
        let value = match &self.attribute {
            None => word.to_owned(),
            Some(attribute) => attributes.get(attribute)?.trim().strip_prefix(self.before.as_str())?.to_owned(),
        };
        if value.contains("://") || value.starts_with("//") {
            return Some(value);
        }
        let address = match &self.service {
            None => self.url.as_ref()?,
            Some(service) => self.urls.get(attributes.get(service)?.trim())?,
        };
        (!value.is_empty() && is_id(&value)).then(|| address.replace('%', &value))
    }
}

/// Whether a value can be the id of a video.
fn is_id(value: &str) -> bool {
    value.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

/// The video in the settings of a widget.
pub(super) fn widget(class: &str, attributes: Attributes<'_, '_>) -> Option<String> {
    let is_it = |widget: &&Widget| class.split_ascii_whitespace().any(|word| word == widget.class);
    let widget = TABLES.widget.iter().find(is_it)?;
    let settings: Value = serde_json::from_str(&attributes.get(&widget.attribute)?).ok()?;
    let kind = settings.get(&widget.kind).and_then(Value::as_str).unwrap_or(&widget.r#else);
    let own = widget.keys.iter().map(|key| format!("{kind}{key}"));
    own.chain(widget.others.iter().cloned()).find_map(|key| {
        let value = settings.get(&key)?;
        let url = value.as_str().or_else(|| value.get("url")?.as_str())?;
        is_usable(url).then(|| url.to_owned())
    })
}

/// The tracks in the script of WordPress' `[playlist]`: the element that plays them, and the URL of each.
pub(super) fn tracks(json: &str) -> Vec<(&'static str, String)> {
    let list: Value = serde_json::from_str(json).unwrap_or_default();
    let kind = if list["type"] == "video" { "video" } else { "audio" };
    let tracks = list["tracks"].as_array().into_iter().flatten();
    tracks.filter_map(|track| Some((kind, track["src"].as_str().filter(|src| is_usable(src))?.to_owned()))).collect()
}

/// The URL of the content that a script writes into the page at its place.
pub(super) fn script(attributes: Attributes<'_, '_>) -> Option<String> {
    TABLES.script.iter().find_map(|script| match (&script.src, &script.attribute, &script.url) {
        (Some(part), ..) => attributes.get("src").filter(|src| src.contains(part.as_str())).map(|src| src.into_owned()),
        (_, Some(attribute), Some(url)) => {
            let value = attributes.get(attribute)?;
            let value = value.trim();
            (!value.is_empty()).then(|| url.replace('%', value))
        }
        _ => None,
    })
}

/// The HTML that a consent plugin keeps in an attribute of its placeholder.
pub(super) fn blocked(attributes: Attributes<'_, '_>) -> Option<String> {
    let kept = |blocked: &Blocked| decoded(attributes.raw(blocked.attribute.as_deref()?)?);
    TABLES.blocked.iter().find_map(kept)
}

/// Whether a script of this kind may hold the HTML that a consent plugin blocks.
pub(super) fn may_be_blocked(attributes: Attributes<'_, '_>) -> bool {
    let kind = attributes.raw("type").unwrap_or_default();
    TABLES.blocked.iter().any(|blocked| blocked.script.as_deref() == Some(kind))
}

/// Decodes base64, if the result is HTML.
pub(super) fn decoded(text: &str) -> Option<String> {
    let html = String::from_utf8(STANDARD.decode(text.trim()).ok()?).ok()?;
    html.contains('<').then_some(html)
}
