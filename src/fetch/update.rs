//! Updates the folder of a fetched site: knows where the previous dump is and where the new one is written, and lists the deleted items.

use super::before::{self, Held};
use super::blogs::Shown;
use super::file_names::file_name;
use super::log::Update;
use crate::archive::Notice;
use crate::feed::FeedEntry;
use crate::ndjson::write_json;
use crate::report::Error;
use crate::whole_file;
use crate::wordpress::common_name;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// An update under way. The new dump is written beside the previous one and takes its place when it is complete.
pub(super) struct Renewal {
    folder: PathBuf,
    update: Update,
    /// Whether the previous dump has already been moved: the update was completed, and runs again.
    has_moved: bool,
    gone: Vec<Gone>,
    /// The items that differ in the new dump: their types, ids, and former URLs if they have moved.
    changed: Vec<(String, i64, Option<String>)>,
    /// The collections that were requested, as their files are called.
    asked: BTreeSet<String>,
}

/// An item that the site no longer gives: a line of deleted.ndjson.
#[derive(Debug, Serialize)]
struct Gone {
    time: String,
    r#type: String,
    /// The id of the item; `None` for some posts of feeds.
    id: Option<i64>,
    link: Option<String>,
    modified_gmt: Option<String>,
    dump: String,
    #[serde(skip)]
    route: String,
    #[serde(skip)]
    language: Option<String>,
}

impl Renewal {
    pub(super) fn open(folder: &Path, update: Update) -> Result<Self, Error> {
        let (gone, changed, asked) = (Vec::new(), Vec::new(), BTreeSet::new());
        let has_moved = folder.join(&update.before).exists();
        let renewal = Renewal { folder: folder.to_owned(), update, has_moved, gone, changed, asked };
        let (dump, new) = (folder.join("dump"), folder.join("dump.new"));
        // The run was interrupted between the two renames at its end.
        if has_moved && new.exists() && !dump.exists() {
            rename(&new, &dump)?;
        }
        Ok(renewal)
    }

    pub(super) fn update(&self) -> &Update {
        &self.update
    }

    fn source(&self) -> PathBuf {
        self.folder.join(if self.has_moved { &self.update.before } else { "dump" })
    }

    /// Where the new dump is written.
    pub(super) fn target(folder: &Path, renewal: Option<&Self>) -> PathBuf {
        folder.join(if renewal.is_some_and(|renewal| !renewal.has_moved) { "dump.new" } else { "dump" })
    }

    /// The items of a collection in the previous dump.
    pub(super) fn held(&mut self, collection: &str) -> Result<Held, Error> {
        self.asked.insert(file_name(collection));
        Held::read(&self.source(), collection)
    }

    /// The languages of a collection in the previous dump.
    pub(super) fn languages(&self, collection: &str) -> Result<Vec<String>, Error> {
        let names = before::names(&self.source())?;
        let is_of = |name: &str, code: &str| file_name(&format!("{collection}.{code}")) == name;
        let codes = names.iter().filter_map(|name| Some(name.rsplit_once('.')?.1).filter(|code| is_of(name, code)));
        Ok(codes.map(str::to_owned).collect())
    }

    /// Notes items as deleted.
    pub(super) fn note(&mut self, held: &Held, ids: &[i64], route: &str, language: Option<&str>, r#type: &str) {
        let items = ids.iter().filter_map(|id| Some((*id, held.item(*id)?)));
        self.gone.extend(items.map(|(id, item)| Gone {
            time: self.update.time.clone(),
            r#type: item.r#type.clone().unwrap_or_else(|| r#type.to_owned()),
            id: Some(id),
            link: item.link.clone(),
            modified_gmt: item.modified.clone(),
            dump: self.update.before.clone(),
            route: route.to_owned(),
            language: language.map(str::to_owned),
        }));
    }

    /// Notes posts of feeds as deleted.
    pub(super) fn note_posts(&mut self, posts: &[FeedEntry]) {
        self.gone.extend(posts.iter().map(|post| Gone {
            time: self.update.time.clone(),
            r#type: post.r#type.clone().unwrap_or_else(|| "post".to_owned()),
            id: post.stated_id,
            link: Some(post.link.clone()),
            modified_gmt: post.modified_gmt.clone(),
            dump: "fetch.warc.gz".to_owned(),
            route: "feeds".to_owned(),
            language: None,
        }));
    }

    /// Notes items that have changed; `now` has their present URLs.
    pub(super) fn note_changed(
        &mut self,
        held: &Held,
        ids: &BTreeSet<i64>,
        now: &BTreeMap<i64, Option<String>>,
        r#type: &str,
    ) {
        let moved = |id: &i64| {
            let (before, now) = (held.item(*id)?.link.as_ref()?, now.get(id)?.as_ref()?);
            (before != now).then(|| before.clone())
        };
        self.changed.extend(ids.iter().map(|id| (r#type.to_owned(), *id, moved(id))));
    }

    /// The former URLs of items that were deleted or moved. A comment has no page of its own.
    pub(super) fn old_links(&self) -> BTreeSet<String> {
        let gone = self.gone.iter().filter_map(|gone| gone.link.clone());
        let links = gone.chain(self.changed.iter().filter_map(|(_, _, link)| link.clone()));
        links.filter(|link| !link.contains('#')).collect()
    }

    /// The deleted items, in the form in which pages name them.
    pub(super) fn gone_items(&self) -> BTreeSet<Shown> {
        let base = |route: &str| route.rsplit('/').next().unwrap_or_default().to_owned();
        self.gone.iter().filter_map(|gone| Some((base(&gone.route), gone.id?))).collect()
    }

    /// The outdated contents of the archive; `pages` are its outdated pages.
    pub(super) fn notice(&self, pages: &BTreeSet<String>) -> Notice {
        let mut items: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        let gone = self.gone.iter().filter_map(|gone| Some((&gone.r#type, gone.id?)));
        for (r#type, id) in gone.chain(self.changed.iter().map(|(r#type, id, _)| (r#type, *id))) {
            items.entry(common_name(r#type).to_owned()).or_default().push(id);
        }
        Notice { before: self.update.time.clone(), items, pages: pages.iter().cloned().collect() }
    }

    /// Where the files of deleted pages are moved to.
    pub(super) fn place_of_pages(&self) -> PathBuf {
        self.folder.join(&self.update.before).join("scrape")
    }

    /// The collections that the site no longer lists, as their files are called.
    pub(super) fn unlisted(&self) -> Result<Vec<String>, Error> {
        let names = before::names(&self.source())?;
        Ok(names.difference(&self.asked).cloned().collect())
    }

    /// Drops items that another list of the same route has: their language has changed. `known` has the ids of each route.
    pub(super) fn settle(&mut self, known: &BTreeMap<String, BTreeSet<i64>>) {
        self.gone.retain(|gone| !known.get(&gone.route).is_some_and(|ids| gone.id.is_some_and(|id| ids.contains(&id))));
    }

    /// How many items of a collection were deleted.
    pub(super) fn gone(&self, route: &str, language: Option<&str>) -> u64 {
        let is_of = |gone: &&Gone| gone.route == route && gone.language.as_deref() == language;
        self.gone.iter().filter(is_of).count() as u64
    }

    /// How many items were deleted, in all collections.
    pub(super) fn all_gone(&self) -> u64 {
        self.gone.len() as u64
    }

    /// Adds the deleted items to deleted.ndjson and puts the new dump, if there is one, in the place of the previous one. Safe to repeat
    /// after an interrupted run: finished steps are skipped.
    pub(super) fn finish(&self, has_dump: bool) -> Result<(), Error> {
        if has_dump || !self.gone.is_empty() {
            self.write_deleted()?;
        }
        if self.has_moved || !has_dump {
            // Without an API it is empty.
            let _ = fs::remove_dir(self.folder.join("dump.new"));
            return Ok(());
        }
        let (dump, before) = (self.folder.join("dump"), self.folder.join(&self.update.before));
        let folder = before.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder).map_err(|e| Error::at(folder, e))?;
        rename(&dump, &before)?;
        rename(&self.folder.join("dump.new"), &dump)
    }

    fn write_deleted(&self) -> Result<(), Error> {
        let path = self.folder.join("deleted.ndjson");
        let fail = |e| Error::at(&path, e);
        let mut text = if path.exists() { fs::read(&path).map_err(fail)? } else { Vec::new() };
        let known: BTreeSet<Vec<u8>> = text.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
        for gone in &self.gone {
            let mut line = Vec::new();
            write_json(&mut line, gone);
            if !known.contains(&line) {
                text.extend_from_slice(&line);
                text.push(b'\n');
            }
        }
        whole_file::write(&path, &text)
    }
}

fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    fs::rename(from, to).map_err(|e| Error::at(from, e))
}

/// An unused folder name for the dump that was done at `done`, `dumps/2026-11-22T01-02-03Z`.
pub(super) fn place_for(folder: &Path, done: &str) -> String {
    let name = format!("dumps/{}", done.replace(':', "-"));
    let taken = |name: &String| folder.join(name).exists();
    let others = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.clone()).chain(others).find(|name| !taken(name)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_may_be_interrupted_at_any_of_its_last_steps() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let update = Update { time: "t".to_owned(), since: "s".to_owned(), before: place_for(folder.path(), "2026:1") };
        let write = |name: &str, text: &str| {
            fs::create_dir_all(at(name)).unwrap();
            fs::write(at(name).join("posts-0001.json"), text).unwrap();
        };
        write("dump", "[{\"id\":1,\"link\":\"l\"},{\"id\":2}]");
        write("dump.new", "[{\"id\":2}]");
        let finish = |known: &[i64]| {
            let mut renewal = Renewal::open(folder.path(), update.clone()).unwrap();
            let held = renewal.held("posts").unwrap();
            renewal.note(&held, &[1], "wp/v2/posts", None, "post");
            renewal.settle(&[("wp/v2/posts".to_owned(), known.iter().copied().collect())].into());
            renewal.finish(true).unwrap();
            renewal.all_gone()
        };
        let deleted = || fs::read_to_string(at("deleted.ndjson")).unwrap();
        let line = "{\"time\":\"t\",\"type\":\"post\",\"id\":1,\"link\":\"l\",\"modified_gmt\":null,\"dump\":\"dumps/2026-1\"}\n";
        for _ in 0..2 {
            assert_eq!((finish(&[2]), deleted().as_str()), (1, line));
            assert_eq!(fs::read_to_string(at("dump/posts-0001.json")).unwrap(), "[{\"id\":2}]");
            assert!(at("dumps/2026-1/posts-0001.json").exists() && !at("dump.new").exists());
        }
        // The previous dump has been moved, but not yet the new one.
        fs::rename(at("dump"), at("dump.new")).unwrap();
        finish(&[2]);
        assert!(at("dump/posts-0001.json").exists());
        assert_eq!(finish(&[1, 2]), 0, "it is in the list of another language");
        assert_eq!(place_for(folder.path(), "2026:1"), "dumps/2026-1-2");
    }
}
