//! Brings together what several doors say of one item: the REST API, an export of WordPress, a feed.

use crate::dump::{self, Event, Item, Sources, Text, identity as identity_of};
use crate::feed::{Entry, identity};
use crate::ndjson::Object;
use crate::record::dates;
use crate::report::Error;
use crate::spill::Shelf;
use crate::urls::QuickMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::sync::Arc;

/// Fields by which an item is known; those of another door are not taken for a later state.
const OWN: [&str; 6] = ["id", "type", "link", "guid", "_links", "_embedded"];

/// What an export says of an item, and where.
#[derive(Serialize, Deserialize)]
struct Exported {
    file: String,
    number: u64,
    aliases: Vec<String>,
    api: Map<String, Value>,
    /// Where the state of the item in an export before this one lies.
    before: Option<u64>,
}

/// The items of exports, where other sources or several exports may have the same ones.
#[derive(Default)]
pub(super) struct Exports {
    shelf: Shelf,
    /// Where the last state of each is on it, and whether an item has taken it.
    places: QuickMap<u128, (u64, bool)>,
    /// Links of items that have a password by one of the doors, as [`identity`] has them.
    protected: HashSet<String>,
}

impl Exports {
    pub(super) fn gather(sources: &mut Sources) -> Result<Self, Error> {
        let mut exports = Exports::default();
        if sources.may_have_items_of_exports_twice() {
            dump::read_exports(sources, |event| {
                let Event::Item { item, text, file, number } = event else { return Ok(()) };
                let mut json = Vec::new();
                text.append_compact(&mut json);
                let api = serde_json::from_slice(&json).expect("it was written so");
                let key = key(&item, true);
                let before = exports.places.get(&key).map(|(place, _)| *place);
                let exported = Exported { file: file.to_string(), number, aliases: item.aliases, api, before };
                let place = exports.shelf.put(&serde_json::to_vec(&exported).expect("its keys are strings"))?;
                exports.places.insert(key, (place, false));
                Ok(())
            })?;
        }
        Ok(exports)
    }

    /// Whether another item has taken this one of an export.
    pub(super) fn is_taken(&self, item: &Item) -> bool {
        item.via == "wxr" && self.places.get(&key(item, true)).is_some_and(|(_, is_taken)| *is_taken)
    }

    /// Whether this is a comment, of an export, on an item that has a password by another door.
    pub(super) fn is_on_protected(&self, item: &Item) -> bool {
        let post = || item.link.as_deref().and_then(|link| link.split('#').next()).map(identity);
        item.via == "wxr" && item.kind == "comment" && post().is_some_and(|post| self.protected.contains(&post))
    }

    /// What exports say of this item, if it is the first one to ask: states with a password come first.
    fn take(&mut self, item: &Item) -> Result<Vec<Exported>, Error> {
        let keys = [true, false].map(|has_link| key(item, has_link));
        let known = keys.iter().find(|key| self.places.contains_key(*key));
        let (mut states, mut next) = (Vec::new(), None);
        if let Some((place, is_taken)) = known.and_then(|known| self.places.get_mut(known)) {
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

    /// The JSON of an item, completed by exports and the `entry` of a feed; none if these say nothing of it. An export whose state is
    /// the latest is the door and the `place` of the item.
    pub(super) fn complete(
        &mut self,
        item: &mut Item,
        place: &mut (Arc<str>, u64),
        text: Text,
        entry: Option<&Entry>,
    ) -> Result<Option<Vec<u8>>, Error> {
        let states = self.take(item)?;
        if states.is_empty() && entry.is_none() {
            return Ok(None);
        }
        let mut json = Vec::new();
        text.append_compact(&mut json);
        let Ok(mut object) = Object::parse(&json) else { return Ok(None) };
        for Exported { file, number, aliases, api, .. } in states {
            item.aliases.extend(aliases);
            if complete(&mut object, &api, "export") {
                (item.via, *place) = ("wxr", (file.into(), number));
            }
        }
        let mut seen = HashSet::new();
        item.aliases.retain(|alias| seen.insert(alias.clone()));
        if let Some(entry) = entry {
            complete(&mut object, &entry.fields(), "feed");
        }
        if is_protected(&object) {
            self.protected.extend(item.link.as_deref().map(identity));
        }
        let mut line = Vec::new();
        object.write_line(&mut line);
        line.pop();
        Ok(Some(line))
    }
}

/// Who an item is; of terms and users, exports have no link.
fn key(item: &Item, has_link: bool) -> u128 {
    let link = item.link.as_deref().filter(|_| has_link).map(identity);
    identity_of(item.kind, &item.r#type, Some(item.id), link.as_deref())
}

/// Adds to an item what another door says of it: what the item lacks, or, where the other one has the later state of it, all but who it
/// is; whether that is so. What one of them protects is not read in the other.
fn complete(item: &mut Object<'_>, other: &Map<String, Value>, door: &str) -> bool {
    let is_protected = is_protected(item);
    let own = item.text("modified_gmt").and_then(|date| dates::normalise(&date));
    let others = other.get("modified_gmt").and_then(|date| dates::normalise(date.as_str()?));
    // A feed may have a summary.
    let is_whole = door == "export" || other.contains_key("content");
    let is_later = is_whole && own.is_some() && own < others;
    for (key, value) in other {
        let lacks = item.get(key).is_none_or(|own| is_absent(own, value));
        let is_text = matches!(&**key, "content" | "excerpt");
        if value.is_null() || !lacks && (!is_later || OWN.contains(&&**key)) || is_text && is_protected {
            continue;
        }
        match &**key {
            // The terms in it are those that the API names by ids.
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

/// Whether an item has a password: its content tells, or its excerpt.
fn is_protected(item: &Object<'_>) -> bool {
    let told = |key: &&str| item.get(key).filter(|text| text.contains("\"protected\":"));
    ["content", "excerpt"].iter().find_map(told).is_some_and(|text| text.contains("\"protected\":true"))
}

/// Whether a value of the API is none: null, or, where it should be an object, one without a text that says nothing of a password.
fn is_absent(json: &str, other: &Value) -> bool {
    let Ok(object) = Object::parse_str(json) else {
        return json == "null" || other.is_object() && matches!(json, "false" | "[]");
    };
    object.iter().all(|(key, value)| value == "null" || key == "protected" && value == "false")
}
