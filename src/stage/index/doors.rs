//! Combines the data on one item from several sources: the REST API, an export of WordPress, a feed.

use crate::dump::{self, Deleted, Event, Item, Sources, Text, identity as identity_of};
use crate::feed::{FeedEntry, identity};
use crate::ndjson::Object;
use crate::record::dates;
use crate::report::{Error, Report};
use crate::spill::Shelf;
use crate::urls::QuickMap;
use crate::wordpress::{rest_home, rest_root};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

/// Fields that identify an item; they are never taken from another source, even if that has a later state.
const OWN: [&str; 6] = ["id", "type", "link", "guid", "_links", "_embedded"];

/// An item in an export, and its position.
#[derive(Serialize, Deserialize)]
struct Exported {
    file: String,
    number: u64,
    aliases: Vec<String>,
    api: Map<String, Value>,
    /// The position of the item's state in the previous export.
    before: Option<u64>,
}

/// The items of exports, if other sources or several exports may have the same ones.
#[derive(Default)]
pub(super) struct Exports {
    shelf: Shelf,
    /// The position of each item's last state on the shelf, and whether an item has taken it.
    places: Vec<(u64, bool)>,
    /// The number of an item, by its [`key`] and its [`signs`].
    known: QuickMap<u128, u32>,
    /// The front page of the blog to which all of them belong, in the form of [`identity`].
    home: Option<String>,
    /// Items that were found deleted after their state in the export.
    deleted: HashSet<u128>,
    /// Links of items that are deleted or have a password according to one of the sources, in the form of [`identity`].
    protected: HashSet<String>,
}

impl Exports {
    pub(super) fn gather(sources: &mut Sources, report: &mut Report) -> Result<Self, Error> {
        let mut exports = Exports::default();
        if sources.may_have_items_of_exports_twice() {
            exports.home = sources.site_of_exports().filter(|site| site.is_one_blog).map(|site| identity(&site.home));
            let names = ["deleted.ndjson", "../deleted.ndjson"];
            let files = sources.folders().iter().flat_map(|dump| names.map(|name| Path::new(dump).join(name)));
            let mut wrong = |e: Error| {
                report.warn(&e.to_string());
                Ok(())
            };
            let lists = files.map(|file| Deleted::read(&file, &mut wrong)).collect::<Result<Vec<_>, _>>()?;
            let deleted = lists.into_iter().flatten().filter_map(|gone| Some(((gone.r#type, gone.id?), gone.time)));
            let deleted: HashMap<_, _> = deleted.collect();
            dump::read_exports(sources, |event| {
                let Event::Item { item, text, file, number } = event else { return Ok(()) };
                let mut json = Vec::new();
                text.append_compact(&mut json);
                let api: Map<String, Value> = serde_json::from_slice(&json).expect("it was written so");
                let modified =
                    api.get("modified_gmt").and_then(|date| dates::normalise(date.as_str()?)).unwrap_or_default();
                if deleted.get(&(item.r#type.clone(), item.id)).is_some_and(|time| *time > modified) {
                    exports.deleted.insert(key(&item, true));
                    exports.protected.extend(item.link.as_deref().map(identity));
                    return Ok(());
                }
                let signs = exports.home.iter().flat_map(|_| signs(&item, |key| api.get(key).cloned()));
                let keys: Vec<u128> = [key(&item, true)].into_iter().chain(signs).collect();
                let at = exports.find(&keys);
                let before = at.map(|at| exports.places[at].0);
                let exported = Exported { file: file.to_string(), number, aliases: item.aliases, api, before };
                let place = exports.shelf.put(&serde_json::to_vec(&exported).expect("its keys are strings"))?;
                let at = at.unwrap_or(exports.places.len());
                exports.places.resize(exports.places.len().max(at + 1), (place, false));
                exports.places[at].0 = place;
                exports.known.extend(keys.into_iter().map(|key| (key, at as u32)));
                Ok(())
            })?;
        }
        Ok(exports)
    }

    fn find(&self, keys: &[u128]) -> Option<usize> {
        keys.iter().find_map(|key| self.known.get(key)).map(|at| *at as usize)
    }

    /// Whether another item has taken this one of an export.
    pub(super) fn is_taken(&self, item: &Item) -> bool {
        item.via == "wxr" && self.find(&[key(item, true)]).is_some_and(|at| self.places[at].1)
    }

    /// The reason to leave an item of an export out, according to another source: it is deleted, or it is a comment on an item that is
    /// deleted or has a password.
    pub(super) fn reason_to_leave_out(&self, item: &Item) -> Option<&'static str> {
        let post = || item.link.as_deref().and_then(|link| link.split('#').next()).map(identity);
        let is_hidden = || item.kind == "comment" && post().is_some_and(|post| self.protected.contains(&post));
        match item.via == "wxr" {
            true if is_hidden() => Some("left_out_comments"),
            true if self.deleted.contains(&key(item, true)) => Some("left_out_status"),
            _ => None,
        }
    }

    /// The states of this item in exports, if it is the first one to ask; states with a password come first.
    fn take(&mut self, item: &Item, object: &Object<'_>) -> Result<Vec<Exported>, Error> {
        let mut keys = vec![key(item, true)];
        let home = item.self_link.as_deref().and_then(rest_root).map(rest_home).filter(|home| !home.is_empty());
        let is_of_blog = |own: &String| own.is_empty() || home.is_none_or(|home| identity(home) == *own);
        // An id is unique only within one blog.
        if self.home.as_ref().is_some_and(is_of_blog) {
            keys.extend(signs(item, |key| serde_json::from_str(object.get(key)?).ok()));
            keys.push(key(item, false));
        }
        let (mut states, mut next) = (Vec::new(), None);
        if let Some((place, is_taken)) = self.find(&keys).map(|at| &mut self.places[at]) {
            next = Some(*place).filter(|_| !std::mem::replace(is_taken, true));
        }
        while let Some(place) = next {
            let exported: Exported = serde_json::from_slice(&self.shelf.get(place)?).expect("it was written so");
            next = exported.before;
            states.push(exported);
        }
        states.reverse();
        let is_open = |state: &Exported| state.api.get("content").is_none_or(|content| content["protected"] != true);
        states.sort_by_key(is_open);
        Ok(states)
    }

    /// The JSON of an item, completed from exports and the `entry` of a feed; [`None`] if these have nothing to add. If an export has the
    /// latest state, it becomes the source and the `place` of the item.
    pub(super) fn complete(
        &mut self,
        item: &mut Item,
        place: &mut (Arc<str>, u64),
        text: Text,
        entry: Option<&FeedEntry>,
    ) -> Result<Option<Vec<u8>>, Error> {
        if self.known.is_empty() && entry.is_none() {
            return Ok(None);
        }
        let mut json = Vec::new();
        text.append_compact(&mut json);
        let Ok(mut object) = Object::parse(&json) else { return Ok(None) };
        let states = self.take(item, &object)?;
        if states.is_empty() && entry.is_none() {
            return Ok(None);
        }
        let own = item.link.as_deref().map(identity);
        for Exported { file, number, aliases, api, .. } in states {
            let other =
                api.get("link").and_then(Value::as_str).filter(|link| own.is_some() && own != Some(identity(link)));
            item.aliases.extend(aliases.into_iter().chain(other.map(str::to_owned)));
            if complete(&mut object, &api, "export") {
                (item.via, *place) = ("wxr", (file.into(), number));
            }
        }
        if let Some(entry) = entry {
            item.aliases.extend(Some(&entry.link).filter(|link| own != Some(identity(link))).cloned());
            complete(&mut object, &entry.fields(), "feed");
        }
        let mut seen = HashSet::new();
        item.aliases.retain(|alias| seen.insert(alias.clone()));
        if is_protected(&object) {
            self.protected.extend(item.aliases.iter().chain(&item.link).map(|link| identity(link)));
        }
        let mut line = Vec::new();
        object.write_line(&mut line);
        line.pop();
        Ok(Some(line))
    }
}

/// The identity of an item; for terms and users, exports have no link.
fn key(item: &Item, has_link: bool) -> u128 {
    let link = item.link.as_deref().filter(|_| has_link).map(identity);
    identity_of(item.kind, &item.r#type, Some(item.id), link.as_deref())
}

/// Identities of an item on its blog, whatever its link: its id with its guid, and its id with the second in which it was published.
fn signs(item: &Item, field: impl Fn(&str) -> Option<Value>) -> impl Iterator<Item = u128> {
    let sign = |sign| identity_of(item.kind, &item.r#type, Some(item.id), Some(&format!("\0{sign}")));
    date_and_guid(field).map(sign)
}

/// The second in which an item was published, and its guid.
pub(super) fn date_and_guid(field: impl Fn(&str) -> Option<Value>) -> impl Iterator<Item = String> {
    let date = field("date_gmt").and_then(|date| dates::normalise(date.as_str()?));
    // The API escapes it as HTML.
    let guid = field("guid").and_then(|guid| Some(guid["rendered"].as_str()?.replace("&#038;", "&")));
    [date, guid].into_iter().flatten().filter(|sign| !sign.is_empty())
}

/// Completes an item from another source: adds the fields that it lacks, or, if the other source has a later state, replaces all fields
/// but its identity. Returns whether its state is later. A protected text is not copied from the other source.
fn complete(item: &mut Object<'_>, other: &Map<String, Value>, door: &str) -> bool {
    let is_protected = is_protected(item);
    let own = item.text("modified_gmt").and_then(|date| dates::normalise(&date));
    let others = other.get("modified_gmt").and_then(|date| dates::normalise(date.as_str()?));
    // A feed may have a summary instead of the content.
    let is_whole = door == "export" || other.contains_key("content");
    let is_later = is_whole && own.is_some() && own < others;
    for (key, value) in other {
        let lacks = item.get(key).is_none_or(|own| is_absent(own, value));
        let is_text = matches!(&**key, "content" | "excerpt");
        let is_of_text = is_text || key == "_enclosures";
        if value.is_null() || !lacks && (!is_later || OWN.contains(&&**key)) || is_of_text && is_protected {
            continue;
        }
        match &**key {
            // Its terms are those that the API names by ids.
            "_embedded" => {
                value.get("author").into_iter().for_each(|own| item.set_json(key, &json!({ "author": own })));
            }
            "content" | "author_name" => {
                item.set_json(key, value);
                item.set_json(if is_text { "content_source" } else { "author_source" }, &door);
            }
            _ => item.set_json(key, value),
        }
    }
    is_later
}

/// Whether an item has a password, according to its content or its excerpt.
fn is_protected(item: &Object<'_>) -> bool {
    let told = |key: &&str| item.get(key).filter(|text| text.contains("\"protected\":"));
    ["content", "excerpt"].iter().find_map(told).is_some_and(|text| text.contains("\"protected\":true"))
}

/// Whether a value of the API is missing: null, or, if an object is expected, `false`, `[]` or an object
/// with only nulls and `"protected": false`.
fn is_absent(json: &str, other: &Value) -> bool {
    let Ok(object) = Object::parse_str(json) else {
        return json == "null" || other.is_object() && matches!(json, "false" | "[]");
    };
    object.iter().all(|(key, value)| value == "null" || key == "protected" && value == "false")
}
