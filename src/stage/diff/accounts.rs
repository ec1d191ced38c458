//! Reads wp-fetch's accounts (`fetch.json`) to find out why a record is missing: the site does not list it any more, or it could not be
//! fetched.

use super::facts::place_of;
use crate::dump::{Deleted, own_type};
use crate::record::{Change, Evidence};
use crate::report::{Error, shown_path};
use crate::wordpress::STANDARD;
use serde::Deserialize;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The part of `fetch.json` that is read.
#[derive(Deserialize)]
struct Account {
    ended: Option<String>,
    stopped: Option<String>,
    collections: Vec<Collection>,
}

#[derive(Deserialize)]
struct Collection {
    r#type: String,
    gaps: u64,
    adds_up: bool,
    refused: Option<String>,
}

/// The identity of a deleted item.
#[derive(PartialEq, Eq, Hash)]
enum Name {
    Id(i64),
    /// For an item without an id.
    Place(String),
}

/// The accounts of `--with`.
#[derive(Default)]
pub(super) struct Accounts {
    accounts: Vec<Account>,
    /// The time at which an item was found to be deleted, by type and name.
    deleted: HashMap<(String, Name), String>,
}

impl Accounts {
    /// Reads each account, and the deleted items in `deleted.ndjson` next to it.
    pub(super) fn read(files: &[PathBuf]) -> Result<Self, Error> {
        let mut accounts = Accounts::default();
        for path in files {
            let json = fs::read(path).map_err(|e| Error::at(path, e))?;
            let account = serde_json::from_slice(&json)
                .map_err(|_| Error::Fatal(format!("{}: not wp-fetch's fetch.json", shown_path(path))))?;
            accounts.accounts.push(account);
            accounts.read_deleted(&path.with_file_name("deleted.ndjson"))?;
        }
        Ok(accounts)
    }

    fn read_deleted(&mut self, path: &Path) -> Result<(), Error> {
        for gone in Deleted::read(path, Err)? {
            let name = gone.id.map(Name::Id).or_else(|| Some(Name::Place(place_of(&gone.link?))));
            self.deleted.extend(name.map(|name| ((gone.r#type, name), gone.time)));
        }
        Ok(())
    }

    /// The evidence for the deletion of a record; [`None`] without an account.
    pub(super) fn of_gone(&self, change: &Change<'_>) -> Option<Evidence<'static>> {
        if self.accounts.is_empty() {
            return None;
        }
        let r#type = change.r#type.as_deref().unwrap_or_default();
        let said = |rule: &'static str, value: Option<String>| Evidence {
            rule: Some(rule.into()),
            value: value.map(Into::into),
            ..Evidence::default()
        };
        let names = [change.id.map(Name::Id), change.link.as_deref().map(|link| Name::Place(place_of(link)))];
        let mut names = names.into_iter().flatten().map(|name| (r#type.to_owned(), name));
        if let Some(time) = names.find_map(|name| self.deleted.get(&name)) {
            return Some(said("deleted", Some(time.clone())));
        }
        if let Some(why) = self.accounts.iter().find_map(|account| account.stopped.clone()) {
            return Some(said("gap", Some(why)));
        }
        let of_type = |account: &Account| {
            let own: Vec<&Collection> = account.collections.iter().filter(|of| holds(&of.r#type, r#type)).collect();
            let lack = own.iter().find(|of| of.gaps > 0 || !of.adds_up || of.refused.is_some());
            let lack =
                lack.map(|of| of.refused.clone().unwrap_or_else(|| format!("{} gaps in {}", of.gaps, of.r#type)));
            (!own.is_empty()).then_some((lack, account.ended.clone()))
        };
        let found: Vec<_> = self.accounts.iter().filter_map(of_type).collect();
        match (found.iter().find_map(|(lack, _)| lack.clone()), found.first()) {
            (Some(lack), _) => Some(said("gap", Some(lack))),
            (None, Some((_, ended))) => Some(said("deleted", ended.clone())),
            (None, None) => Some(said("unknown", None)),
        }
    }
}

/// Whether a collection, as named in its files (`posts.fr`), has this type: its name is the plural that WordPress or the plugin has
/// given it, most often with an added letter.
fn holds(collection: &str, r#type: &str) -> bool {
    let name = own_type(collection.split('.').next().unwrap_or_default());
    let known = STANDARD.iter().any(|(_, known, base)| (*known, *base) == (r#type, name));
    known || name == r#type || name.strip_suffix('s') == Some(r#type)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The posts of a feed may have no id; their lines in deleted.ndjson were ignored.
    #[test]
    fn what_is_gone_without_an_id_is_known_by_its_address() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("fetch.json");
        fs::write(&file, r#"{"ended":null,"stopped":null,"collections":[]}"#).unwrap();
        let line = |r#type: &str, id: &str, link: &str| {
            format!("{{\"time\":\"t\",\"type\":\"{type}\",\"id\":{id},\"link\":{link}}}\n")
        };
        let lines = [
            line("post", "null", "\"http://a.example/p5/\""),
            line("post", "6", "\"https://a.example/p6/\""),
            line("post", "null", "null"),
        ];
        fs::write(dir.path().join("deleted.ndjson"), lines.concat()).unwrap();
        let accounts = Accounts::read(&[file]).unwrap();
        let rule = |r#type: &'static str, id: Option<i64>, link: Option<&'static str>| {
            let (r#type, link) = (Some(r#type.into()), link.map(Into::into));
            let gone = Change { r#type, id, link, ..Change::default() };
            accounts.of_gone(&gone).unwrap().rule.unwrap().to_string()
        };
        assert_eq!(rule("post", Some(5), Some("https://www.a.example/p5")), "deleted");
        assert_eq!(rule("post", None, Some("https://a.example/p5/")), "deleted");
        assert_eq!(rule("post", Some(6), None), "deleted");
        // Another type; another post, which has the address now; another address; no address.
        assert_eq!(rule("page", Some(5), Some("https://a.example/p5/")), "unknown");
        assert_eq!(rule("post", Some(7), Some("https://a.example/p6/")), "unknown");
        assert_eq!(rule("post", None, Some("https://a.example/p50/")), "unknown");
        assert_eq!(rule("post", None, None), "unknown");
    }
}
