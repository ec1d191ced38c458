//! Reads the rights that the API states for a record: in the content of a post, in the fields of a file.

use crate::ndjson::Object;
use crate::record::{ImageMeta, Item, Rights};
use crate::rest::Api;
use crate::rights::{Markup, Metadata, RawStatement, Where, merge, settle};
use crate::urls::PageUrl;

/// The rights in a post: those of its item, and those that its content states.
pub(super) fn of_post<'a>(
    markup: &mut Markup,
    item: &Item<'a>,
    title: Option<&str>,
    html: Option<&str>,
    page: Option<&PageUrl>,
) -> Vec<Rights<'a>> {
    let stated = html.map(|html| markup.read(html, Where::Content, page, title)).unwrap_or_default();
    with_item(item, stated, page)
}

/// The rights in a file: those of its item, and those that its description, its caption, the camera and plugins state.
pub(super) fn of_media<'a>(
    markup: &mut Markup,
    item: &Item<'a>,
    api: &Api<'a>,
    camera: &ImageMeta<'_>,
    html: Option<&str>,
    page: Option<&PageUrl>,
) -> Vec<Rights<'a>> {
    let mut stated = html.map(|html| markup.read(html, Where::Description, page, None)).unwrap_or_default();
    if let Some(caption) = api.caption.rendered.as_deref() {
        stated.extend(markup.read(caption, Where::Caption, page, None));
    }
    stated.extend(Metadata::of_image(camera.copyright.as_deref(), camera.credit.as_deref()));
    for (name, value) in &api.rest {
        if Metadata::is_field(name) {
            stated.extend(Metadata::of_field(name, value.get()));
        } else if matches!(name.as_str(), "meta" | "acf")
            && let Ok(fields) = Object::parse_str(value.get())
        {
            let own = fields.iter().filter(|(name, _)| Metadata::is_field(name));
            stated.extend(own.flat_map(|(name, value)| Metadata::of_field(name, value)));
        }
    }
    with_item(item, stated, page)
}

fn with_item<'a>(item: &Item<'a>, stated: Vec<RawStatement>, page: Option<&PageUrl>) -> Vec<Rights<'a>> {
    if stated.is_empty() && item.rights.is_empty() {
        return Vec::new();
    }
    let mut all = item.rights.clone();
    all.extend(settle(stated, page));
    merge(all)
}
