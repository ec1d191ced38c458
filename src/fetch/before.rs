//! Reads a collection of an existing dump, item by item. A run with --update copies the unchanged items from it, and
//! learns which items are new, changed or deleted.

use super::answer::{Item, elements, read_item, undated};
use super::file_names::file_name;
use crate::report::Error;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// The items of a collection in a dump. If an item occurs twice, the first one counts, as for wp-index.
#[derive(Debug, Default)]
pub(super) struct Held {
    files: Vec<PathBuf>,
    items: BTreeMap<i64, Old>,
    /// The names of the fields that can change without a new date.
    undated: BTreeSet<String>,
}

/// An item, and its place in the dump.
#[derive(Debug)]
struct Old {
    file: usize,
    range: Range<usize>,
    hash: u64,
    item: Item,
}

impl Held {
    /// Reads a collection from the dump in `folder`; the result is empty if the folder does not exist.
    pub(super) fn read(folder: &Path, collection: &str) -> Result<Self, Error> {
        let mut held = Held::default();
        let stem = file_name(collection);
        for (_, path) in files(folder)?.into_iter().filter(|(name, _)| *name == stem) {
            let text = text_of(&path)?;
            let found = elements(&text).or_else(|| Some(vec![(text.trim(), read_item(&text)?)]));
            for (raw, item) in found.into_iter().flatten() {
                let Some(id) = item.id else { continue };
                held.undated.extend(undated(raw).into_iter().map(|(key, _)| key));
                let start = raw.as_ptr() as usize - text.as_ptr() as usize;
                let (file, range) = (held.files.len(), start..start + raw.len());
                held.items.entry(id).or_insert(Old { file, range, hash: xxh3_64(raw.as_bytes()), item });
            }
            held.files.push(path);
        }
        Ok(held)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(super) fn paths(&self) -> &[PathBuf] {
        &self.files
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = i64> {
        self.items.keys().copied()
    }

    pub(super) fn item(&self, id: i64) -> Option<&Item> {
        self.items.get(&id).map(|old| &old.item)
    }

    /// The fields that are requested of each item to see whether it is unchanged.
    pub(super) fn fields(&self) -> String {
        let is_plain = |name: &&String| name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b));
        self.undated
            .iter()
            .filter(is_plain)
            .fold("&_fields=id,link,modified_gmt".to_owned(), |all, name| all + "," + name)
    }

    /// Whether the site lists an item as it is in this dump, and the item last changed before `since`, the second in which the fetch of
    /// this dump began (dates of changes have no fractions of seconds).
    pub(super) fn is_same(&self, now: &Item, since: &str) -> bool {
        let old = now.id.and_then(|id| self.item(id));
        let is_dated = now.modified.as_deref().is_some_and(|modified| modified < since.trim_end_matches('Z'));
        let is_as = |old: &Item| now.undated.iter().all(|one| old.undated.contains(one));
        is_dated && old.is_some_and(|old| old.modified == now.modified && old.link == now.link && is_as(old))
    }

    /// A list of these items as they are in the dump.
    pub(super) fn list(&self, ids: &[i64]) -> Result<Vec<u8>, Error> {
        let (mut json, mut open) = (Vec::new(), (usize::MAX, String::new()));
        for old in ids.iter().filter_map(|id| self.items.get(id)) {
            if open.0 != old.file {
                open = (old.file, text_of(&self.files[old.file])?);
            }
            json.push(if json.is_empty() { b'[' } else { b',' });
            json.extend_from_slice(open.1.get(old.range.clone()).unwrap_or("null").as_bytes());
        }
        json.push(b']');
        Ok(json)
    }

    /// The ids of items that are absent from `before`, and of those that differ from it.
    pub(super) fn new_and_changed(&self, before: &Held) -> (BTreeSet<i64>, BTreeSet<i64>) {
        let is_as = |id: &i64, now: &Old| before.items.get(id).is_some_and(|old| old.hash == now.hash);
        let fresh = self.items.iter().filter(|(id, now)| !is_as(id, now));
        fresh.map(|(id, _)| *id).partition(|id| !before.items.contains_key(id))
    }
}

/// The names of all collections in a dump, as in its file names.
pub(super) fn names(folder: &Path) -> Result<BTreeSet<String>, Error> {
    Ok(files(folder)?.into_iter().map(|(name, _)| name).collect())
}

/// The files of collections, `posts-0001.json`, sorted, each with the part of its name before the number.
fn files(folder: &Path) -> Result<Vec<(String, PathBuf)>, Error> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let fail = |e| Error::at(folder, e);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let parts = name.strip_suffix(".json").and_then(|name| name.rsplit_once('-'));
        if let Some((name, Ok(number))) = parts.map(|(name, number)| (name.to_owned(), number.parse::<u32>())) {
            found.push((number, name, entry.path()));
        }
    }
    found.sort_unstable();
    Ok(found.into_iter().map(|(_, name, path)| (name, path)).collect())
}

fn text_of(path: &Path) -> Result<String, Error> {
    let bytes = fs::read(path).map_err(|e| Error::at(path, e))?;
    Ok(String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_found_in_lists_and_alone_and_compared() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        let post = |id: i64, words: &str| {
            format!("{{\"id\":{id},\"link\":\"l{id}\",\"modified_gmt\":\"2020-01-01T00:00:00\",\"x\":\"{words}\"}}")
        };
        write("posts-0001.json", &format!(" [ {} , {} ] ", post(1, "é"), post(2, "b")));
        write("posts-0002.json", &format!("{}\n", post(3, "c")));
        write("posts-0003.json", &format!("[{}]", post(1, "later")));
        write("posts-0004.json", "[{\"id\":");
        write("types.json", "{}");
        write("my-posts-0001.json", "[]");
        let held = Held::read(folder.path(), "posts").unwrap();
        assert_eq!(held.ids().collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(
            String::from_utf8(held.list(&[1, 3]).unwrap()).unwrap(),
            format!("[{},{}]", post(1, "é"), post(3, "c"))
        );
        assert_eq!(names(folder.path()).unwrap().into_iter().collect::<Vec<_>>(), ["my-posts", "posts"]);
        write("posts-0001.json", &format!("[{},{},{}]", post(1, "é"), post(2, "changed"), post(4, "new")));
        let now = Held::read(folder.path(), "posts").unwrap();
        assert_eq!(now.new_and_changed(&held), (BTreeSet::from([4]), BTreeSet::from([2])));
        assert!(Held::read(&folder.path().join("none"), "posts").unwrap().is_empty());
    }

    #[test]
    fn an_item_is_unchanged_if_date_and_link_are_and_it_is_older_than_the_last_run() {
        let folder = tempfile::tempdir().unwrap();
        let list = r#"[{"id":1,"link":"l","modified_gmt":"2020-01-01T00:00:00"}]"#;
        fs::write(folder.path().join("posts-0001.json"), list).unwrap();
        let held = Held::read(folder.path(), "posts").unwrap();
        let item = |modified: &str, link: &str| Item {
            id: Some(1),
            link: Some(link.to_owned()),
            modified: Some(modified.to_owned()),
            ..Item::default()
        };
        let later = "2020-01-02T00:00:00Z";
        assert!(held.is_same(&item("2020-01-01T00:00:00", "l"), later));
        assert!(!held.is_same(&item("2020-01-01T00:00:00", "l"), "2020-01-01T00:00:00Z"));
        assert!(!held.is_same(&item("2020-01-01T00:00:01", "l"), later));
        assert!(!held.is_same(&item("2020-01-01T00:00:00", "m"), later));
        assert!(!held.is_same(&Item { id: Some(1), ..Item::default() }, later));
    }
}
