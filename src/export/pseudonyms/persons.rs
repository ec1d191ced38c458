//! The persons of the sites. In a site a person is a user, by its id, or by a name or slug that exactly one user has; else a name. Over
//! sites only an equal picture joins two users, since it is made of an address, and never a name.

use super::addresses::Addresses;
use super::key::Key;
use crate::ndjson::Object;
use crate::record::Avatar;
use aho_corasick::{AhoCorasick, MatchKind};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Pictures of nobody: of an empty address, as MD5 and as SHA-256.
const NOBODY: [&str; 2] =
    ["d41d8cd98f00b204e9800998ecf8427e", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"];

/// Letters of a name that is looked for in attributes: shorter ones are words, too.
const SHORTEST: usize = 3;

/// Classes that a theme or WordPress makes of who wrote something.
const CLASSES: [&str; 3] = ["comment-author-", "bypostauthor-", "author-"];

#[derive(Default)]
struct User {
    pseudonym: String,
    has_avatar: bool,
}

/// What is known of a site.
#[derive(Default)]
struct Site {
    users: BTreeMap<i64, User>,
    /// Users by names and slugs, in lower case; none where several have one.
    by_name: HashMap<String, Option<i64>>,
    /// Names as written of users and commenters, with their pseudonyms.
    names: BTreeMap<String, String>,
    finder: OnceCell<Option<AhoCorasick>>,
    addresses: Addresses,
    /// Names that are no user's.
    others: BTreeSet<String>,
}

/// All persons, by site.
pub(super) struct Persons<'k> {
    key: &'k Key,
    sites: BTreeMap<String, Site>,
    nowhere: Addresses,
}

impl<'k> Persons<'k> {
    pub(super) fn new(key: &'k Key) -> Self {
        Persons { key, sites: BTreeMap::new(), nowhere: Addresses::default() }
    }

    /// Learns of the user that a record is.
    pub(super) fn learn(&mut self, record: &Object<'_>) {
        match record.text("kind").as_deref() {
            Some("user") => self.learn_user(record),
            Some("comment" | "html") => {
                let site = record.text("site").unwrap_or_default();
                let name = record.text("author_name").unwrap_or_default();
                if name.trim().chars().count() >= SHORTEST {
                    let pseudonym = self.of_name(&site, &name.trim().to_lowercase());
                    let site = self.sites.entry(site.as_str().to_owned()).or_default();
                    site.names.entry(name.trim().to_owned()).or_insert(pseudonym);
                }
            }
            _ => {}
        }
    }

    fn learn_user(&mut self, record: &Object<'_>) {
        let Some(id) = record.get("id").and_then(|id| id.parse::<i64>().ok()) else { return };
        let label = record.text("site").unwrap_or_default().to_string();
        let avatars = record.get("avatar_urls").and_then(|json| serde_json::from_str::<Vec<Avatar<'_>>>(json).ok());
        let hash = avatars.unwrap_or_default().iter().find_map(|avatar| picture(avatar.url.as_deref()?));
        let pseudonym = match &hash {
            Some(hash) => self.key.pseudonym(&["avatar", hash]),
            None => self.key.pseudonym(&["user", &label, &id.to_string()]),
        };
        let site = self.sites.entry(label).or_default();
        site.users.insert(id, User { pseudonym: pseudonym.clone(), has_avatar: hash.is_some() });
        let [name, slug] = ["name", "slug"].map(|key| record.text(key).unwrap_or_default().trim().to_owned());
        for known in [&name, &slug].into_iter().filter(|known| !known.is_empty()) {
            let entry = site.by_name.entry(known.to_lowercase()).or_insert(Some(id));
            if *entry != Some(id) {
                *entry = None;
            }
        }
        if name.chars().count() >= SHORTEST {
            site.names.insert(name, pseudonym);
        }
        if let Some(link) = record.text("link") {
            site.addresses.learn(&link, &slug);
        }
    }

    /// How many users there are, and how many of them have a picture of their own.
    pub(super) fn users(&self) -> (u64, u64) {
        let users = || self.sites.values().flat_map(|site| site.users.values());
        (users().count() as u64, users().filter(|user| user.has_avatar).count() as u64)
    }

    /// How many names are no user's.
    pub(super) fn names(&self) -> u64 {
        self.sites.values().map(|site| site.others.len() as u64).sum()
    }

    pub(super) fn addresses(&self, site: &str) -> &Addresses {
        self.sites.get(site).map_or(&self.nowhere, |site| &site.addresses)
    }

    /// The pseudonym of a user by its id.
    pub(super) fn user(&self, site: &str, id: i64) -> String {
        let known = self.sites.get(site).and_then(|site| site.users.get(&id));
        known.map_or_else(|| self.key.pseudonym(&["user", site, &id.to_string()]), |user| user.pseudonym.clone())
    }

    /// The pseudonym of who has this name or slug.
    pub(super) fn name(&mut self, site: &str, name: &str) -> String {
        let lower = name.trim().to_lowercase();
        if lower.is_empty() {
            return String::new();
        }
        let known = self.sites.get(site).and_then(|site| site.by_name.get(&lower).copied().flatten());
        if let Some(id) = known {
            return self.user(site, id);
        }
        let pseudonym = self.of_name(site, &lower);
        self.sites.entry(site.to_owned()).or_default().others.insert(lower);
        pseudonym
    }

    /// The pseudonym of a name in lower case that is no user's.
    fn of_name(&self, site: &str, name: &str) -> String {
        self.key.pseudonym(&["name", site, name])
    }

    /// A URL, or a text with some, without who is named in it.
    pub(super) fn rewrite_url(&mut self, site: &str, text: &str) -> Option<String> {
        // Most texts name nobody.
        let addresses = self.addresses(site);
        if !addresses.may_name(text) {
            return None;
        }
        let addresses = addresses.clone();
        addresses.rewrite(text, |person| self.who(site, person))
    }

    /// Whom a part of a URL names: by a slug or an id, and by what else there is. What is replaced already stays.
    fn who(&mut self, site: &str, person: &str) -> String {
        if person.starts_with("person-") {
            return person.to_owned();
        }
        match person.parse::<i64>() {
            Ok(id) => self.user(site, id),
            Err(_) if picture_digits(person) => self.key.pseudonym(&["avatar", &person.to_lowercase()]),
            Err(_) => self.name(site, person),
        }
    }

    pub(super) fn rewrite_classes(&mut self, site: &str, classes: &str) -> Option<String> {
        let mut changed = false;
        let words = classes.split(' ').map(|class| {
            let found = CLASSES.iter().find_map(|start| Some((start, class.strip_prefix(start)?)));
            let Some((start, who)) = found.filter(|(_, who)| !who.is_empty() && self.is_known(site, who)) else {
                return class.to_owned();
            };
            changed = true;
            format!("{start}{}", self.who(site, who))
        });
        let words: Vec<String> = words.collect();
        changed.then(|| words.join(" "))
    }

    /// Whether a user has this slug, name or id: `author-info` is a class of a theme.
    fn is_known(&self, site: &str, who: &str) -> bool {
        let Some(site) = self.sites.get(site) else { return false };
        site.by_name.contains_key(&who.to_lowercase()) || who.parse().is_ok_and(|id: i64| site.users.contains_key(&id))
    }

    /// A text with the names of users and commenters replaced where they stand as words.
    pub(super) fn rewrite_names(&self, site: &str, text: &str) -> Option<String> {
        let site = self.sites.get(site)?;
        let build = || AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(site.names.keys()).ok();
        let finder = site.finder.get_or_init(build).as_ref()?;
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let (mut out, mut done) = (String::new(), 0);
        for found in finder.find_iter(text) {
            let (start, end) = (found.start(), found.end());
            if !is_letter(text[..start].chars().next_back()) && !is_letter(text[end..].chars().next()) {
                out += &text[done..start];
                out += &site.names[&text[start..end]];
                done = end;
            }
        }
        (done > 0).then(|| out + &text[done..])
    }
}

/// The hash of an address in the URL of a picture.
fn picture(url: &str) -> Option<String> {
    let hash = url.split_once("/avatar/")?.1.split(['?', '/', '.']).next()?.to_lowercase();
    (picture_digits(&hash) && !NOBODY.contains(&&*hash)).then_some(hash)
}

fn picture_digits(text: &str) -> bool {
    matches!(text.len(), 32 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit())
}
