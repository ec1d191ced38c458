//! Turns the entries of an export into the responses of the REST API for them. Data that identify a person and that no page shows are
//! never included: logins, addresses, passwords, and all metadata that no field needs.

use super::content::{Dynamic, Rendering};
use super::entry::{Term, id_of, meta, number};
use super::languages::{in_language, is_of_languages, tagged};
use super::media::details;
use super::site::Site;
use super::texturize::smilies;
use super::{autop::autop, comments::clickable, is_listed};
use crate::urls::PageUrl;
use crate::wordpress::{common_name, mime_of};
use crate::xml::Element;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashSet};

/// The result for an entry, or for a part of it.
pub(crate) enum Made {
    Item(Item),
    /// It is left out, and counted under this name.
    LeftOut(&'static str),
}

/// An item, with the JSON that the REST API would return.
pub(crate) struct Item {
    /// The kind of record: `post`, `term`, `media`, `user` or `comment`.
    pub(crate) kind: &'static str,
    pub(crate) r#type: String,
    pub(crate) id: i64,
    pub(crate) link: Option<String>,
    /// Former links, which WordPress redirects to the item.
    pub(crate) aliases: Vec<String>,
    pub(crate) json: Value,
}

impl Made {
    fn item(kind: &'static str, r#type: &str, id: i64, link: Option<String>, json: Value) -> Self {
        Made::Item(Item { kind, r#type: r#type.to_owned(), id, link, aliases: Vec::new(), json })
    }
}

/// Taxonomies without a meaning for readers.
const INTERNAL_TAXONOMIES: &str = "nav_menu link_category wp_theme wp_template_part_area wp_pattern_category author post_format product_type product_visibility action-group elementor_library_type amp_validation_error";

/// The most languages of one text that become records.
const MOST_LANGUAGES: usize = 32;

/// Names of fields that a taxonomy must not replace.
const FIELDS: &str =
    "id type slug link status date title content excerpt author parent format template sticky guid meta";

impl Site {
    /// Turns an entry into items: its own, and those of its comments.
    ///
    /// # Errors
    /// If it has no id.
    pub(crate) fn items(&self, element: &Element, dynamic: &mut Dynamic) -> Result<Vec<Made>, String> {
        match &*element.name {
            "wp:author" => Ok(vec![self.user(element)]),
            "wp:category" | "wp:tag" | "wp:term" => Ok(vec![self.term(element)]),
            _ => self.post(element, dynamic),
        }
    }

    fn user(&self, author: &Element) -> Made {
        let login = author.get("wp:author_login");
        let Some((Some(id), name)) = self.author(login).filter(|_| self.is_writer(login)) else {
            return Made::LeftOut("left_out_authors");
        };
        // WordPress derives the slug, and with it the address, from the login.
        let json = json!({ "id": id, "name": name, "slug": null, "link": null });
        Made::item("user", "user", *id, None, json)
    }

    fn term(&self, element: &Element) -> Made {
        let term = Term::of(element);
        if is_of_languages(term.taxonomy) || is_listed(INTERNAL_TAXONOMIES, term.taxonomy) {
            return Made::LeftOut("left_out_types");
        }
        let Some(id) = term.id else { return Made::LeftOut("left_out_without_id") };
        let parent = self.terms.get(&(term.taxonomy.to_owned(), term.parent.to_owned())).copied().unwrap_or_default();
        let mut api = fields(json!({
            "id": id, "name": term.name, "slug": term.slug, "taxonomy": term.taxonomy,
            "description": term.description, "link": null,
        }));
        if term.taxonomy == "category" || self.hierarchical.contains(term.taxonomy) {
            api.insert("parent".to_owned(), parent.into());
        }
        self.languages.add_to_term(id, &mut api);
        Made::item("term", common_name(term.taxonomy), id, None, api.into())
    }

    fn post(&self, item: &Element, dynamic: &mut Dynamic) -> Result<Vec<Made>, String> {
        let id = id_of(item).ok_or("an item without wp:post_id")?;
        let parent = number(item.get("wp:post_parent"));
        let of_hidden = item.get("wp:post_type") == "attachment" && self.is_hidden(parent);
        let reason = self.selection.reason_to_leave_out(item).or(of_hidden.then_some("left_out_status"));
        let mut made = Vec::new();
        if let Some(reason) = reason {
            made.extend(item.all("wp:comment").map(|_| Made::LeftOut("left_out_comments")));
            made.push(Made::LeftOut(reason));
            return Ok(made);
        }
        let mut languages = tagged(["title", "content:encoded", "excerpt:encoded"].map(|name| item.get(name)));
        // Each language becomes a record.
        languages.truncate(MOST_LANGUAGES);
        match languages[..] {
            [] => made.push(self.post_in(item, id, None, &[], dynamic)),
            _ => made.extend(languages.iter().map(|own| self.post_in(item, id, Some(*own), &languages, dynamic))),
        }
        let link = item.get("link");
        let is_open = item.get("wp:post_password").is_empty();
        made.extend(item.all("wp:comment").map(|comment| self.comment(comment, id, link, is_open)));
        Ok(made)
    }

    /// A post or an upload; if its texts are in several languages, in one of them.
    fn post_in(&self, item: &Element, id: i64, own: Option<&str>, languages: &[&str], dynamic: &mut Dynamic) -> Made {
        let text = |name: &str| match own {
            Some(language) => in_language(item.get(name), language),
            None => item.get(name).to_owned(),
        };
        let address = |language: &str| {
            let link = item.get("link");
            let is_first = languages.first() == Some(&language);
            if is_first {
                link.to_owned()
            } else {
                format!("{link}{}lang={language}", if link.contains('?') { '&' } else { '?' })
            }
        };
        let link = own.map_or_else(|| item.get("link").to_owned(), address);
        let is_media = item.get("wp:post_type") == "attachment";
        let is_protected = !item.get("wp:post_password").is_empty();
        let mut api = self.common(item, id, &text("title"));
        api.insert("link".to_owned(), link.clone().into());
        if let Some(language) = own {
            let others = languages.iter().filter(|other| **other != language);
            let list: Vec<Value> = others.map(|other| json!({ "lang": other, "link": address(other) })).collect();
            api.extend([("lang".to_owned(), language.into()), ("translations".to_owned(), list.into())]);
        }
        let mut rendering = Rendering { site: self, post: id, footnotes: meta(item, "footnotes"), dynamic };
        let excerpt = text("excerpt:encoded");
        let excerpt = if is_protected || excerpt.trim().is_empty() {
            String::new()
        } else {
            autop(&smilies(&self.marks().texturize(&excerpt)))
        };
        if is_media {
            let raw = text("content:encoded");
            let shown = self.uploads.get(&id).map(|upload| upload.shown(item.get("title"))).unwrap_or_default();
            self.add_media(item, &mut api);
            let shown = if is_protected { String::new() } else { rendering.content(&[shown, raw].concat()) };
            api.insert("description".to_owned(), json!({ "rendered": shown }));
            api.insert("caption".to_owned(), json!({ "rendered": excerpt }));
        } else {
            self.add_post(item, &mut api);
            let content = if is_protected { String::new() } else { rendering.content(&text("content:encoded")) };
            api.insert("content".to_owned(), json!({ "rendered": content, "protected": is_protected }));
            if is_protected || !excerpt.is_empty() {
                api.insert("excerpt".to_owned(), json!({ "rendered": excerpt, "protected": is_protected }));
            }
            let files = enclosures(item);
            if !is_protected && !files.is_empty() {
                api.insert("_enclosures".to_owned(), files.into());
            }
        }
        let (kind, r#type) = if is_media { ("media", "media") } else { ("post", item.get("wp:post_type")) };
        Made::Item(Item {
            kind,
            r#type: r#type.to_owned(),
            id,
            aliases: former_links(item, &link),
            link: Some(link).filter(|link| !link.is_empty()),
            json: api.into(),
        })
    }

    /// The fields that posts and uploads have in common.
    fn common(&self, item: &Element, id: i64, title: &str) -> Map<String, Value> {
        let creator = item.get("dc:creator");
        let author = self.author(creator);
        let title = self.marks().texturize(title.trim()).replace("Wordpress", "WordPress");
        let mut api = fields(json!({
            "id": id,
            "type": item.get("wp:post_type"),
            "slug": item.get("wp:post_name"),
            "status": item.get("wp:status"),
            "date": date(item.get("wp:post_date")),
            "date_gmt": date(item.get("wp:post_date_gmt")),
            "modified": date(item.get("wp:post_modified")),
            "modified_gmt": date(item.get("wp:post_modified_gmt")),
            "guid": { "rendered": item.get("guid") },
            "title": { "rendered": title },
            "author": author.and_then(|(id, _)| *id),
            "author_name": author.map_or(self.name_of_creator(creator), |(_, name)| name.as_deref()),
            "comment_status": item.get("wp:comment_status"),
        }));
        self.add_authors(item, &mut api);
        self.languages.add_to_post(id, item, &mut api);
        api
    }

    /// Adds the authors that Co-Authors Plus and PublishPress name: terms whose names may be logins.
    fn add_authors(&self, item: &Element, api: &mut Map<String, Value>) {
        let author = |term: &Element| {
            let (name, slug) = (&*term.text, term.attribute("nicename"));
            let known = self.author(name).or_else(|| self.author(slug.trim_start_matches("cap-")));
            match known {
                Some((id, name)) => Some(json!({ "id": id, "name": name.as_deref()? })),
                None if slug.starts_with("cap-") => None,
                None => Some(json!({ "id": null, "name": self.public(name)? })),
            }
        };
        let terms = item.all("category").filter(|term| term.attribute("domain") == "author");
        let authors: Vec<Value> = terms.filter_map(author).collect();
        if let Some(first) = authors.first() {
            api.insert("author_name".to_owned(), first["name"].clone());
            api.insert("_embedded".to_owned(), json!({ "author": authors }));
        }
    }

    fn add_post(&self, item: &Element, api: &mut Map<String, Value>) {
        let r#type = item.get("wp:post_type");
        let (is_post, is_page) = (r#type == "post", r#type == "page");
        let template = Some(meta(item, "_wp_page_template")).filter(|name| *name != "default").unwrap_or_default();
        api.insert("template".to_owned(), template.into());
        let thumbnail = number(meta(item, "_thumbnail_id"));
        if is_post || is_page || thumbnail > 0 {
            api.insert("featured_media".to_owned(), thumbnail.into());
        }
        let (parent, order) = (number(item.get("wp:post_parent")), number(item.get("wp:menu_order")));
        if is_page || !is_post && (parent > 0 || order > 0) {
            api.extend([("parent".to_owned(), parent.into()), ("menu_order".to_owned(), order.into())]);
        }
        let format = item.all("category").find(|term| term.attribute("domain") == "post_format");
        let format = format.map(|term| term.attribute("nicename").trim_start_matches("post-format-"));
        if let Some(format) = format.or(is_post.then_some("standard")) {
            api.insert("format".to_owned(), format.into());
        }
        if is_post {
            api.insert("sticky".to_owned(), (item.get("wp:is_sticky") == "1").into());
        }
        self.add_terms(item, is_post, api);
    }

    /// Adds the terms by their ids, if the export states these, else by their names.
    fn add_terms(&self, item: &Element, is_post: bool, api: &mut Map<String, Value>) {
        let mut ids: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
        if is_post {
            ids.extend([("category", Vec::new()), ("post_tag", Vec::new())]);
        }
        let mut seen = HashSet::new();
        let mut named: Vec<Value> = Vec::new();
        for term in item.all("category") {
            let taxonomy = match term.attribute("domain") {
                // WXR 1.0 names no taxonomy for categories, and calls that of tags `tag`.
                "" | "category" => "category",
                "tag" | "post_tag" => "post_tag",
                other => other,
            };
            let slug = term.attribute("nicename");
            let is_internal = is_of_languages(taxonomy) || is_listed(INTERNAL_TAXONOMIES, taxonomy);
            if slug.is_empty() || is_internal || !seen.insert((taxonomy, slug)) {
                continue;
            }
            match self.terms.get(&(taxonomy.to_owned(), slug.to_owned())) {
                Some(id) => ids.entry(taxonomy).or_default().push(*id),
                None => named.push(json!({ "taxonomy": taxonomy, "name": term.text, "slug": slug })),
            }
        }
        let mut links: Vec<Value> = Vec::new();
        for (taxonomy, list) in ids {
            let base = match taxonomy {
                "category" => "categories".to_owned(),
                "post_tag" => "tags".to_owned(),
                name if is_listed(FIELDS, name) => format!("terms-{name}"),
                name => name.to_owned(),
            };
            links.push(json!({ "taxonomy": taxonomy, "href": format!("/wp/v2/{base}") }));
            api.insert(base, list.into());
        }
        api.insert("_links".to_owned(), json!({ "wp:term": links }));
        if !named.is_empty() {
            let embedded = api.entry("_embedded").or_insert_with(|| json!({}));
            embedded["wp:term"] = json!([named]);
        }
    }

    fn add_media(&self, item: &Element, api: &mut Map<String, Value>) {
        let url = item.get("wp:attachment_url");
        let mime = mime_of(url);
        let parent = number(item.get("wp:post_parent"));
        api.extend(fields(json!({
            "source_url": url,
            "mime_type": mime,
            "media_type": if mime.starts_with("image/") { "image" } else { "file" },
            "alt_text": meta(item, "_wp_attachment_image_alt"),
            "post": (parent > 0).then_some(parent),
            "template": "",
            "media_details": details(meta(item, "_wp_attachment_metadata"), meta(item, "_wp_attached_file"), url),
        })));
    }

    fn comment(&self, comment: &Element, post: i64, link: &str, is_open: bool) -> Made {
        let get = |name: &str| comment.get(name);
        let is_comment = matches!(get("wp:comment_type"), "" | "comment");
        let Some(id) = get("wp:comment_id").parse::<i64>().ok().filter(|id| *id > 0) else {
            return Made::LeftOut("left_out_without_id");
        };
        if !is_open || !is_comment || get("wp:comment_approved") != "1" {
            return Made::LeftOut("left_out_comments");
        }
        let author = number(get("wp:comment_user_id"));
        let name = get("wp:comment_author");
        let name = self.public(name).or_else(|| self.author_name(author));
        let url = get("wp:comment_author_url");
        // WordPress derives the address of an author's archive from the login.
        let rest = url.rsplit("://").next().unwrap_or_default();
        let is_telling = url.contains('@')
            || url.contains("%40")
            || rest.split(['/', '?', '=', '&', '#']).skip(1).any(|part| self.is_login(part));
        let content = smilies(&self.marks().texturize(&clickable(comment.get("wp:comment_content"))));
        let link = (!link.is_empty()).then(|| format!("{link}#comment-{id}"));
        let json = json!({
            "id": id, "post": post, "parent": number(get("wp:comment_parent")), "author": author,
            "author_name": name, "author_url": if is_telling { "" } else { url }, "link": link,
            "date": date(get("wp:comment_date")), "date_gmt": date(get("wp:comment_date_gmt")),
            "content": { "rendered": self.marks().capital_p(autop(&content)) }, "status": "approved", "type": "comment",
        });
        Made::item("comment", "comment", id, link, json)
    }
}

/// The URLs of the files that an item has for podcasts, each the first line of its value (`do_enclose()`). PowerPress has a key for each of
/// its further feeds.
fn enclosures(item: &Element) -> Vec<&str> {
    let is_enclosure = |key: &str| key == "enclosure" || key.ends_with(":enclosure");
    let values = item.all("wp:postmeta").filter(|meta| is_enclosure(meta.get("wp:meta_key")));
    let urls = values.filter_map(|meta| Some(meta.get("wp:meta_value").lines().next()?.trim()));
    urls.filter(|url| PageUrl::parse(url).is_some()).collect()
}

/// The link with each slug that the item had before (`_wp_old_slug`).
fn former_links(item: &Element, link: &str) -> Vec<String> {
    let slug = item.get("wp:post_name");
    let Some((before, after)) = link
        .rsplit_once(slug)
        .filter(|(before, after)| !slug.is_empty() && before.ends_with('/') && matches!(*after, "" | "/"))
    else {
        return Vec::new();
    };
    let former = item.all("wp:postmeta").filter(|meta| meta.get("wp:meta_key") == "_wp_old_slug");
    former.map(|meta| format!("{before}{}{after}", meta.get("wp:meta_value"))).collect()
}

/// The date, if there is one: WordPress writes zeros for a missing one.
fn date(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty() && !text.starts_with("0000"))
}

fn fields(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
