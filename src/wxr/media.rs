//! Reads the uploads in an export: their files and sizes, and the HTML by which a page shows them.

use super::php::unserialize;
use crate::wordpress::mime_of;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// The fields of an upload that galleries and pages of attachments need.
#[derive(Default)]
pub(crate) struct Upload {
    pub(super) url: String,
    pub(super) link: String,
    pub(super) parent: i64,
    pub(super) order: i64,
    pub(super) title: String,
    pub(super) caption: String,
    pub(super) alt: String,
    /// The most common sizes: name, file, width and height of each.
    pub(super) sizes: Vec<(String, String, i64, i64)>,
}

/// The sizes that are kept of an upload.
const SIZES: [&str; 4] = ["thumbnail", "medium", "medium_large", "large"];

impl Upload {
    /// Reads the sizes from the metadata.
    pub(super) fn note_sizes(&mut self, metadata: &str) {
        let Some(metadata) = unserialize(metadata) else { return };
        let number = |value: &Value, key: &str| value[key].as_i64().unwrap_or_default();
        self.sizes.push(("full".to_owned(), String::new(), number(&metadata, "width"), number(&metadata, "height")));
        for name in SIZES {
            let size = &metadata["sizes"][name];
            if let Some(file) = size["file"].as_str() {
                self.sizes.push((name.to_owned(), file.to_owned(), number(size, "width"), number(size, "height")));
            }
        }
    }

    /// The `<img>` of an upload, as from `wp_get_attachment_image()`.
    pub(super) fn image(&self, size: &str) -> String {
        let found = self.sizes.iter().find(|(name, ..)| name == size).or(self.sizes.first());
        let mut out = "<img".to_owned();
        let mut src = self.url.clone();
        if let Some((_, file, width, height)) = found {
            if !file.is_empty() {
                src = beside(&self.url, file);
            }
            if *width > 0 && *height > 0 {
                let _ = write!(out, " width=\"{width}\" height=\"{height}\"");
            }
        }
        let _ = write!(
            out,
            " src=\"{}\" class=\"attachment-{size} size-{size}\" alt=\"{}\" />",
            attribute(&src),
            attribute(&self.alt)
        );
        out
    }

    /// The HTML that a page of the upload shows before its description, as from `prepend_attachment()`.
    pub(super) fn shown(&self, title: &str) -> String {
        let url = attribute(&self.url);
        match mime_of(&self.url).split('/').next() {
            Some("image") => format!("<p class=\"attachment\"><a href='{url}'>{}</a></p>\n", self.image("medium")),
            Some("audio") => format!("[audio src=\"{url}\"]\n"),
            Some("video") => format!("[video src=\"{url}\"]\n"),
            _ => format!("<p class=\"attachment\"><a href='{url}'>{title}</a></p>\n"),
        }
    }
}

/// The URL of a file in the same folder.
fn beside(url: &str, file: &str) -> String {
    let folder = url.rfind('/').map_or("", |at| &url[..=at]);
    format!("{folder}{file}")
}

/// Escapes a text for use in an attribute.
pub(super) fn attribute(text: &str) -> String {
    text.replace('"', "&quot;").replace('\'', "&#039;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The field `media_details` of the REST API, from `_wp_attachment_metadata` and `_wp_attached_file`.
pub(super) fn details(metadata: &str, file: &str, url: &str) -> Value {
    const KEPT: &str = "width height filesize length bitrate mime_type original_image length_formatted image_meta";
    let file = Some(file).filter(|file| !file.is_empty());
    let Some(Value::Object(mut metadata)) = unserialize(metadata) else { return json!({ "file": file }) };
    let sizes = match metadata.remove("sizes") {
        Some(Value::Object(sizes)) => sizes,
        _ => Map::new(),
    };
    let mut details: Map<String, Value> =
        KEPT.split(' ').filter_map(|key| Some((key.to_owned(), metadata.remove(key)?))).collect();
    let own = metadata.remove("file").filter(Value::is_string).unwrap_or_else(|| file.into());
    details.insert("file".to_owned(), own);
    let size = |(name, size): (String, Value)| {
        let file = size["file"].as_str()?.to_owned();
        let size = json!({
            "source_url": beside(url, &file), "file": file, "width": size["width"], "height": size["height"],
            "mime_type": size["mime-type"], "filesize": size["filesize"],
        });
        Some((name, size))
    };
    let mut sizes: Map<String, Value> = sizes.into_iter().filter_map(size).collect();
    if mime_of(url).starts_with("image/") && !sizes.is_empty() {
        let full = json!({
            "file": url.rsplit('/').next(), "width": details.get("width"), "height": details.get("height"),
            "mime_type": mime_of(url), "source_url": url,
        });
        sizes.insert("full".to_owned(), full);
    }
    details.insert("sizes".to_owned(), sizes.into());
    details.into()
}
