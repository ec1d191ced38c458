//! Recognises the persons of the sites. Within a site, a person is a user, identified by an id, or by a name or slug that only this user
//! has; any other name is a person by itself. Across sites, users are joined only if they have the same picture, which is derived from a
//! mail address; names never join them.

use super::addresses::Addresses;
use super::decoded::Decoded;
use super::key::{Key, is_pseudonym};
use super::places::Places;
use crate::html::tokenizer::decode;
use crate::ndjson::{self, Object};
use crate::record::{Author, Avatar};
use aho_corasick::{AhoCorasick, MatchKind};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

/// The pictures of nobody: the hashes of an empty address, as MD5 and as SHA-256.
const NOBODY: [&str; 2] =
    ["d41d8cd98f00b204e9800998ecf8427e", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"];

/// The fewest letters of a name that is searched for in attributes: shorter ones may be other words.
const SHORTEST: usize = 3;

/// The beginnings of classes that WordPress or a theme makes from the name of an author.
const CLASSES: [&str; 5] = ["comment-author-", "bypostauthor-", "author-", "user-", "by-"];

/// The characters that may surround a slug in an attribute: `follow('bob')`, `bob, ann`.
const AROUND: [char; 16] = ['"', '\'', ',', ';', '|', ':', '=', '[', ']', '{', '}', '(', ')', '&', '?', '\\'];

/// The characters between the names of classes, and around them in a selector.
const AROUND_CLASSES: [char; 17] =
    [' ', '\t', '\n', '\r', '\u{c}', '.', '#', '>', ',', '[', ']', '=', '"', '\'', ':', '(', ')'];

#[derive(Default)]
struct User {
    pseudonym: String,
    has_avatar: bool,
}

/// The persons of a site, and the texts that identify them.
#[derive(Default)]
struct Site {
    users: BTreeMap<i64, User>,
    /// The slugs in the URLs of author archives.
    slugs: BTreeSet<String>,
    /// The users by names and slugs, in lower case; `None` if several users have one.
    by_name: HashMap<String, Option<i64>>,
    /// The names of users and commenters as written, with their pseudonyms.
    names: BTreeMap<String, String>,
    /// Those of `names` that are titles of pages, because a pingback has the title of a page as its name.
    titles: BTreeSet<String>,
    finder: OnceCell<Option<AhoCorasick>>,
    addresses: Addresses,
    places: Places,
    /// The names that do not belong to a user.
    others: BTreeSet<String>,
}

/// The persons of all sites.
pub(super) struct Persons<'k> {
    key: &'k Key,
    sites: BTreeMap<String, Site>,
    /// The URLs of commenters, each as site, name and URL, until [`Persons::settle`].
    urls: Vec<(String, String, String)>,
    nowhere: Addresses,
}

impl<'k> Persons<'k> {
    pub(super) fn new(key: &'k Key) -> Self {
        Persons { key, sites: BTreeMap::new(), urls: Vec::new(), nowhere: Addresses::default() }
    }

    /// Learns which persons a record names.
    pub(super) fn learn(&mut self, record: &Object<'_>) {
        self.learn_host(record);
        self.learn_slugs(record);
        match record.text("kind").as_deref() {
            Some("user") => self.learn_user(record),
            // Plugins that give a post several authors have archives of these, in folders of any name.
            Some("term") if record.text("taxonomy").as_deref() == Some("author") => {
                let [site, link, slug] = ["site", "link", "slug"].map(|key| record.text(key).unwrap_or_default());
                self.sites.entry(site.to_string()).or_default().addresses.learn(&link, &slug);
            }
            Some("comment" | "html" | "media" | "post") => {
                let site = record.text("site").unwrap_or_default();
                let name = record.text("author_name").unwrap_or_default();
                let is_name = self.learn_name(&site, &name);
                if is_name && matches!(record.text("type").as_deref(), Some("pingback" | "trackback")) {
                    self.sites.entry(site.to_string()).or_default().titles.insert(name.trim().to_owned());
                }
                if let Some(url) = record.text("author_url").filter(|_| is_name) {
                    self.urls.push((site.to_string(), name.trim().to_owned(), url.to_string()));
                }
                let authors = record.get("authors").filter(|authors| *authors != "[]");
                for author in
                    authors.and_then(|json| ndjson::from_str::<Vec<Author<'_>>>(json).ok()).into_iter().flatten()
                {
                    self.learn_name(&site, author.name.as_deref().unwrap_or_default());
                    let (link, slug) = (author.link.unwrap_or_default(), author.slug.unwrap_or_default());
                    let site = self.sites.entry(site.to_string()).or_default();
                    site.addresses.learn(&link, &slug);
                    site.slugs.extend(Some(fold(&slug)).filter(|slug| !slug.is_empty()));
                }
            }
            _ => {}
        }
    }

    /// Learns a name as it is written. Returns whether it is long enough to be distinguished from other words.
    fn learn_name(&mut self, site: &str, name: &str) -> bool {
        let is_name = name.trim().chars().count() >= SHORTEST;
        if is_name {
            let pseudonym = self.of_name(site, &fold(name));
            let site = self.sites.entry(site.to_owned()).or_default();
            for spelling in spellings(name.trim()) {
                site.names.entry(spelling).or_insert_with(|| pseudonym.clone());
            }
        }
        is_name
    }

    /// Learns slugs from links to author archives: the user may have no record.
    fn learn_slugs(&mut self, record: &Object<'_>) {
        let label = record.text("site").unwrap_or_default();
        for value in ["link", "content", "links", "description"].iter().filter_map(|key| record.get(key)) {
            let slugs = self.addresses(&label).slugs(value);
            if !slugs.is_empty() {
                let site = self.sites.entry(label.as_str().to_owned()).or_default();
                site.slugs.extend(slugs.iter().map(|slug| fold(slug)));
            }
        }
    }

    /// Learns a host of the site: that of the API that the record is from.
    fn learn_host(&mut self, record: &Object<'_>) {
        let (Some(rest), Some(site)) = (record.text_in("source", "rest"), record.text("site")) else { return };
        if !self.sites.contains_key(site.as_str()) {
            self.sites.insert(site.as_str().to_owned(), Site::default());
        }
        if let Some(site) = self.sites.get_mut(site.as_str()) {
            site.places.learn_own(&rest);
        }
    }

    /// Assigns the URLs of commenters to persons by their names, once all users are known.
    pub(super) fn settle(&mut self) {
        for (site, name, url) in std::mem::take(&mut self.urls) {
            let lower = fold(&name);
            let known = self.sites.get(&site).and_then(|site| site.by_name.get(&lower).copied().flatten());
            let pseudonym = known.map_or_else(|| self.of_name(&site, &lower), |id| self.user(&site, id));
            self.sites.entry(site).or_default().places.learn(&url, &pseudonym);
        }
    }

    fn learn_user(&mut self, record: &Object<'_>) {
        let Some(id) = record.number("id") else { return };
        let label = record.text("site").unwrap_or_default().to_string();
        let avatars: Vec<Avatar<'_>> = record.read("avatar_urls");
        let hash = avatars.iter().find_map(|avatar| picture(avatar.url.as_deref()?));
        let pseudonym = match &hash {
            Some(hash) => self.key.pseudonym(&["avatar", hash]),
            None => self.key.pseudonym(&["user", &label, &id.to_string()]),
        };
        let site = self.sites.entry(label).or_default();
        site.users.insert(id, User { pseudonym: pseudonym.clone(), has_avatar: hash.is_some() });
        let [name, slug] = ["name", "slug"].map(|key| record.text(key).unwrap_or_default().trim().to_owned());
        let hash = hash.unwrap_or_default();
        for known in [&name, &slug, &hash].into_iter().filter(|known| !known.is_empty()) {
            let entry = site.by_name.entry(fold(known)).or_insert(Some(id));
            if *entry != Some(id) {
                *entry = None;
            }
        }
        if let Some(url) = record.text("url") {
            site.places.learn(&url, &pseudonym);
        }
        if name.chars().count() >= SHORTEST {
            site.names.extend(spellings(&name).into_iter().map(|spelling| (spelling, pseudonym.clone())));
        }
        if let Some(link) = record.text("link") {
            site.places.learn_own(&link);
            site.addresses.learn(&link, &slug);
        }
    }

    /// The number of users, and of those with a picture of their own.
    pub(super) fn users(&self) -> (u64, u64) {
        let users = || self.sites.values().flat_map(|site| site.users.values());
        (users().count() as u64, users().filter(|user| user.has_avatar).count() as u64)
    }

    /// The number of names that do not belong to a user.
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

    /// The pseudonym of the person with this name or slug.
    pub(super) fn name(&mut self, site: &str, name: &str) -> String {
        let lower = fold(name);
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

    /// The pseudonym of a name, in lower case, that does not belong to a user.
    fn of_name(&self, site: &str, name: &str) -> String {
        self.key.pseudonym(&["name", site, name])
    }

    /// Replaces the persons in a URL, or in a text with URLs; `None` if there are none.
    pub(super) fn rewrite_url(&mut self, site: &str, text: &str) -> Option<String> {
        if let Some(url) = self.sites.get(site).and_then(|site| site.places.rewrite(text)) {
            return Some(url);
        }
        // Most texts name nobody.
        let is_query = has_query(text);
        if !self.addresses(site).may_name(text) && !is_query && !Places::may_hold(text) {
            return None;
        }
        let text = Decoded::of(text);
        let addresses = self.addresses(site).find(&text).into_iter();
        let mut found: Vec<_> = addresses.map(|place| (place.clone(), self.who(site, &text.text[place]))).collect();
        if is_query {
            let start = text.text.find('?').unwrap_or_default();
            found.extend(self.names_in(site, &text.text).into_iter().filter(|(place, _)| place.start > start));
            found.extend(
                self.slugs_in(site, &text.text[start..]).map(|(at, who)| (start + at.start..start + at.end, who)),
            );
        }
        found.extend(self.sites.get(site).into_iter().flat_map(|site| site.places.find(&text.text)));
        text.replace(found)
    }

    /// The places at which the value of a parameter is a slug, `?via=bob`, and the pseudonyms.
    fn slugs_in(&self, site: &str, query: &str) -> impl Iterator<Item = (Range<usize>, String)> {
        let mut end = 0;
        query.split(['?', '&', ';', '#']).filter_map(move |part| {
            end += part.len() + 1;
            let value = part.split_once('=')?.1;
            let slug = value.trim_start_matches('@').trim_end_matches('/');
            let start = end - 1 - value.trim_start_matches('@').len();
            let who = Some(slug).filter(|slug| is_telling(slug)).and_then(|slug| self.known(site, slug))?;
            Some((start..start + slug.len(), who))
        })
    }

    /// The pseudonym of the person that a part of a URL names, by a slug, an id or other text. A part that is already a pseudonym stays.
    fn who(&mut self, site: &str, person: &str) -> String {
        if is_pseudonym(person) {
            return person.to_owned();
        }
        match person.parse::<i64>() {
            Ok(id) => self.user(site, id),
            Err(_) if picture_digits(person) => self.key.pseudonym(&["avatar", &person.to_lowercase()]),
            Err(_) => self.name(site, person),
        }
    }

    /// Replaces the persons in a list of classes, each of which may be, or end with, a slug: `bob`, `author-bob`.
    pub(super) fn rewrite_classes(&mut self, site: &str, classes: &str) -> Option<String> {
        let mut found = Vec::new();
        for class in classes.split(AROUND_CLASSES) {
            let end = class.as_ptr() as usize - classes.as_ptr() as usize + class.len();
            let named =
                CLASSES.iter().find_map(|start| class.strip_prefix(start).filter(|who| self.is_known(site, who)));
            let who = named.or_else(|| Some(class).filter(|who| is_telling(who) && self.is_known(site, who)));
            found.extend(who.map(|who| (end - who.len()..end, self.who(site, who))));
        }
        Decoded::as_written(classes).replace(found)
    }

    /// The pseudonym of the person with this slug, or of the user with this name.
    pub(super) fn known(&self, site: &str, who: &str) -> Option<String> {
        let (known, who) = (self.sites.get(site)?, fold(who));
        match known.by_name.get(&who) {
            Some(Some(id)) => Some(self.user(site, *id)),
            // Several users have this name, or the user with this slug has no record.
            one => (one.is_some() || known.slugs.contains(&who)).then(|| self.of_name(site, &who)),
        }
    }

    /// The pseudonym of the person, if a text is a person's name and nothing else.
    pub(super) fn whole(&self, site: &str, text: &str) -> Option<String> {
        let (site, text) = (self.sites.get(site)?, text.trim());
        site.names.get(text).filter(|_| !site.titles.contains(text)).cloned()
    }

    /// Whether a user has this slug, name or id: `author-info` is a class of a theme.
    fn is_known(&self, site: &str, who: &str) -> bool {
        let Some(site) = self.sites.get(site) else { return false };
        let name = fold(who);
        site.by_name.contains_key(&name)
            || site.slugs.contains(&name)
            || who.parse().is_ok_and(|id: i64| site.users.contains_key(&id))
    }

    /// Replaces the names of users and commenters in a text if they are whole words, and slugs if they are the whole text or in quotes,
    /// with or without character references in them.
    pub(super) fn rewrite_names(&self, site: &str, text: &str) -> Option<String> {
        let html = text.contains('&').then(|| Decoded::of_html(text));
        let named = html.and_then(|html| self.replace_names(site, &html));
        self.replace_names(site, &Decoded::of(named.as_deref().unwrap_or(text))).or(named)
    }

    fn replace_names(&self, site: &str, text: &Decoded<'_>) -> Option<String> {
        let mut found = self.names_in(site, &text.text);
        let mut end = 0;
        for part in text.text.split(AROUND) {
            let slug = part.trim_end().trim_start_matches(|c: char| c.is_whitespace() || c == '@');
            let start = end + part.trim_end().len() - slug.len();
            let who = Some(slug).filter(|slug| is_telling(slug)).and_then(|slug| self.known(site, slug));
            found.extend(who.map(|who| (start..start + slug.len(), who)));
            end += part.len() + 1;
        }
        text.replace(found)
    }

    /// The places at which names of users and commenters are whole words, with the pseudonyms.
    fn names_in(&self, site: &str, text: &str) -> Vec<(Range<usize>, String)> {
        let Some(site) = self.sites.get(site) else { return Vec::new() };
        let build = || AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(site.names.keys()).ok();
        let Some(finder) = site.finder.get_or_init(build) else { return Vec::new() };
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let stands_alone = |at: &Range<usize>| {
            !is_letter(text[..at.start].chars().next_back()) && !is_letter(text[at.end..].chars().next())
        };
        let found = finder.find_iter(text).map(|found| found.range()).filter(stands_alone);
        found.map(|at| (at.clone(), site.names[&text[at]].clone())).collect()
    }
}

/// Whether a word by itself can identify a person.
fn is_telling(word: &str) -> bool {
    word.chars().count() >= SHORTEST && !word.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a text may be a URL with a query.
fn has_query(text: &str) -> bool {
    text.contains('?') && !text.trim().contains(char::is_whitespace)
}

/// The form in which names and slugs are compared: WordPress saves names with character references, percent-encodes the letters of slugs,
/// and makes apostrophes typographic in the text of a page, but not in attributes.
fn fold(name: &str) -> String {
    let name = decode(name);
    let name = if name.contains('%') { Decoded::of(&name).text.into() } else { name };
    name.trim().to_lowercase().replace('’', "'")
}

/// The spellings of a name: with and without character references, with either apostrophe; a name of several words also in capitals and in
/// small letters.
fn spellings(name: &str) -> BTreeSet<String> {
    let names = [name.to_owned(), decode(name).into_owned()].map(|name| name.replace('’', "'"));
    let mut all: BTreeSet<String> = names.iter().flat_map(|name| [name.replace('\'', "’"), name.clone()]).collect();
    let several = all.iter().filter(|name| name.contains(' '));
    let cased: Vec<_> = several.flat_map(|name| [name.to_uppercase(), name.to_lowercase()]).collect();
    all.extend(cased);
    all
}

/// The hash of a mail address in the URL of a picture.
fn picture(url: &str) -> Option<String> {
    let hash = url.split_once("/avatar/")?.1.split(['?', '/', '.']).next()?.to_lowercase();
    (picture_digits(&hash) && !NOBODY.contains(&&*hash)).then_some(hash)
}

fn picture_digits(text: &str) -> bool {
    matches!(text.len(), 32 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit())
}
