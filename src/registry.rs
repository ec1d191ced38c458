//! The registry of a site finds the record for a URL, by rules that prefer no answer to a wrong one. Other modules read
//! and write lines, and find the language of pages.
//!
//! It is filled once ([`Registry::register`]), closed ([`Registry::close_languages`], [`Registry::close`]), then queried from
//! any thread. It stores hashes of URLs (24 bytes each, at most 57 including free slots), the `link` and 20 bytes per record,
//! at most 9 bytes for its id, some 10 bytes per post with terms, 68 bytes per record whose words are compared, and 24 bytes
//! per translation (plus its URL if that is a shortlink). Nothing in it depends on the order of the records.

mod copies;
mod facts;
mod groups;
mod ids;
mod lookup;
mod media;
mod pages;
mod places;
mod record;
mod rule;
mod table;
mod tags;
mod terms;
mod words;

pub(crate) use copies::{Sketch, has_notice};
pub(crate) use facts::{Facts, MediaFacts, SameFacts, ScrapeFacts, SizeFacts, SourceFacts, TranslationFacts};
pub(crate) use groups::{Completed, Verdict};
pub(crate) use lookup::{Answer, Query};
pub(crate) use record::{Kind, RecordNumber};
pub(crate) use rule::Reason;
pub use rule::Rule;
pub(crate) use words::{each_word, mixed};

use crate::urls::{QuickMap, QuickSet, UrlKey};
use groups::{Edge, Groups};
use ids::Ids;
use lookup::{has_script, script_hash, shortlink_name};
use places::Places;
use record::{HOME, LANGUAGE_BY_OTHERS, LANGUAGE_BY_POSTS, LANGUAGE_BY_URL, LANGUAGES, NO_ID, Record, SCRAPED, TYPES};
use std::cmp::Ordering;
use table::{Owner, Role, Table};
use terms::Terms;

/// Whether anything can refer to records of this kind.
pub(crate) fn is_known_kind(name: &str) -> bool {
    Kind::parse(name).is_some()
}

/// The result of registering a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    /// Its number, that of the first with its identity; none if nothing can refer to it.
    pub(crate) record: Option<RecordNumber>,
    /// Whether it is the first.
    pub(crate) is_new: bool,
    /// A message about the part of it that did not fit into the registry.
    pub(crate) lost: Option<&'static str>,
}

impl Taken {
    const NOT: Taken = Taken { record: None, is_new: false, lost: None };

    fn lost(what: &'static str) -> Taken {
        Taken { lost: Some(what), ..Taken::NOT }
    }
}

const TOO_MANY_TYPES: &str = "the site has more than 4,095 types";
const TOO_MANY_LANGUAGES: &str = "the site has more than 4,095 languages";

/// All that is known about a site.
pub(crate) struct Registry {
    table: Table,
    records: Vec<Record>,
    links: String,
    types: Vec<(Kind, Box<str>)>,
    languages: Vec<Box<str>>,
    language_numbers: QuickMap<Box<str>, u16>,
    ids: Ids,
    edges: Vec<Edge>,
    /// Those URLs of translations that may be shortlinks, by their hashes.
    shortlinks: QuickMap<u128, Box<str>>,
    groups: Groups,
    places: Places,
    home: places::Home,
    terms: Terms,
    /// The words of records, by number: of those that are compared, or of more.
    sketches: Vec<(u32, Sketch)>,
    /// The records that show the words of another one, and whether they have its language.
    copies: QuickMap<u32, bool>,
    /// Records that may turn out to be copies, and whether their language is declared.
    later: Vec<(u32, bool)>,
    /// Whether some id has several links, as with plugins that translate on the fly.
    shares_ids: bool,
    /// Whether a record that was ignored as registered before states translations.
    has_repeated: bool,
    key: UrlKey,
}

impl Default for Registry {
    fn default() -> Self {
        Registry::new()
    }
}

impl Registry {
    /// An empty registry.
    pub(crate) fn new() -> Self {
        Registry {
            table: Table::new(),
            records: Vec::new(),
            links: String::new(),
            types: Vec::new(),
            languages: Vec::new(),
            language_numbers: QuickMap::default(),
            ids: Ids::default(),
            edges: Vec::new(),
            shortlinks: QuickMap::default(),
            groups: Groups::default(),
            places: Places::default(),
            home: places::Home::default(),
            terms: Terms::default(),
            sketches: Vec::new(),
            copies: QuickMap::default(),
            later: Vec::new(),
            shares_ids: false,
            has_repeated: false,
            key: UrlKey::default(),
        }
    }

    /// Number of records.
    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    /// Number of URLs and names.
    pub(crate) fn urls(&self) -> usize {
        self.table.len()
    }

    /// Adds a record; ignores one of an unknown kind, or without link and id; of two with the same identity, keeps the
    /// first. A record without a link (media on some sites) is identified by its id and its files. Only the part that
    /// does not fit into the registry is lost: [`Taken::lost`]. Its words may follow: [`Registry::add_words`].
    pub(crate) fn register(&mut self, facts: &Facts<'_>, sketch: Option<Sketch>) -> Taken {
        let Some(kind) = facts.kind.as_deref().and_then(Kind::parse) else { return Taken::NOT };
        let link = facts.link.as_deref().unwrap_or_default();
        if link.is_empty() && facts.id.is_none() {
            return Taken::NOT;
        }
        let type_name = facts.r#type.as_deref().unwrap_or_default();
        let id = if kind == Kind::Html { facts.same.id } else { facts.id };
        let Some(r#type) = self.number_type(kind, type_name) else { return Taken::lost(TOO_MANY_TYPES) };
        if let Some(first) = self.find(kind, type_name, facts.id, link) {
            return self.ignore_repeated(first, facts);
        }
        let Ok(number) = u32::try_from(self.records.len()) else {
            return Taken::lost("the site has more than 4,294,967,295 records");
        };
        let Ok(link_end) = u32::try_from(self.links.len() + link.len()) else {
            return Taken::lost("the site has more than 4 GiB of links");
        };
        self.links.push_str(link);
        let language = self.number_language(facts.language.as_deref());
        let mut lost = language.is_none();
        let language = language.unwrap_or(0);
        let id = id.unwrap_or(NO_ID);
        let words = if kind == Kind::Media { media::words(facts) } else { 0 };
        let scraped = if facts.scrape.file.is_some() { SCRAPED } else { 0 };
        let id_words = [id as u32, (id as u64 >> 32) as u32];
        let by_others = match facts.language_source.as_deref() {
            Some("translation") => LANGUAGE_BY_OTHERS,
            Some("posts") => LANGUAGE_BY_POSTS,
            _ => 0,
        };
        self.records.push(Record { id: id_words, link_end, words, r#type, language: language | scraped | by_others });
        self.register_id(kind, id, number);
        self.sketches.extend(sketch.map(|sketch| (number, sketch)));
        let declared = language != 0
            && !matches!(facts.language_source.as_deref(), Some("url" | "translation" | "posts" | "copy"));
        if kind == Kind::Post && declared {
            self.terms.note(facts, number);
        }
        if self.key.read(link) {
            self.register_link(kind, facts, number);
            if self.may_be_copy(kind, id, number) {
                self.later.push((number, declared));
            } else {
                self.note_place(number, declared);
            }
            let home = self.home.read(facts.source.rest.as_deref());
            if let Some(home) = home {
                self.places.note_base(&self.key, home);
            }
            if Places::may_be_home(&self.key, home) {
                self.records[number as usize].language |= HOME;
            }
        }
        self.register_others(kind, facts, number);
        lost |= !self.register_translations(facts, number);
        let lost = lost.then_some(TOO_MANY_LANGUAGES);
        Taken { record: Some(RecordNumber(number)), is_new: true, lost }
    }

    /// Ignores a record that is registered already. What it states is answered, too: a language that it alone names must mean
    /// the same as in a second run.
    fn ignore_repeated(&mut self, first: u32, facts: &Facts<'_>) -> Taken {
        self.has_repeated |= !facts.translations.is_empty();
        for said in &facts.translations {
            self.number_language(said.language.as_deref());
        }
        Taken { record: Some(RecordNumber(first)), is_new: false, lost: None }
    }

    /// Notes where a record lies, of whose link [`Registry::key`] is the key.
    fn note_place(&mut self, number: u32, declared: bool) {
        let language = self.records[number as usize].language();
        let name = declared.then(|| (language, &*self.languages[usize::from(language) - 1]));
        self.places.note(self.kind(number), &self.key, name);
    }

    /// Registers the record's link, whose key is [`Registry::key`].
    fn register_link(&mut self, kind: Kind, facts: &Facts<'_>, number: u32) {
        let role = if kind == Kind::Html { Role::Html } else { Role::Link };
        if kind == Kind::Comment {
            // The URL without the fragment belongs to the article; the comment owns only the URL with the fragment.
            let name = format!("{}#comment-{}", self.key.as_str(), facts.id.unwrap_or(0));
            self.table.insert(crate::urls::hash(&name), Owner { role: Role::Comment, record: number });
        } else {
            self.table.insert(self.key.hash(), Owner { role, record: number });
            pages::register_names(&mut self.table, kind, &self.key, facts, number);
        }
    }

    fn register_others(&mut self, kind: Kind, facts: &Facts<'_>, number: u32) {
        if kind == Kind::Media {
            media::register_files(&mut self.table, &mut self.key, facts, number);
        }
        for alias in &facts.aliases {
            if kind != Kind::Comment && self.key.read(alias) {
                let hash = if has_script(alias) { script_hash(&self.key) } else { self.key.hash() };
                self.table.insert(hash, Owner { role: Role::Alias, record: number });
            }
        }
        if let Some(guid) = facts.guid.as_deref().filter(|_| kind == Kind::Post) {
            self.register_guid(guid, facts.link.as_deref().unwrap_or_default(), number);
        }
    }

    /// A guid reveals where the record was first published: only the host if it is a shortlink.
    fn register_guid(&mut self, guid: &str, link: &str, number: u32) {
        if !self.key.read(guid) {
            return;
        }
        if self.key.query().is_some_and(|query| query.split('&').any(|parameter| shortlink_name(parameter).is_some())) {
            self.places.note_former(&self.key);
        } else if guid != link && !self.key.path().is_empty() {
            let name = pages::guid_name(self.key.as_str());
            self.table.insert(name, Owner { role: Role::Name, record: number });
        }
    }

    /// False if a translation's language was lost.
    fn register_translations(&mut self, facts: &Facts<'_>, number: u32) -> bool {
        let mut complete = true;
        for translation in &facts.translations {
            let language = self.number_language(translation.language.as_deref());
            complete &= language.is_some();
            let language = language.unwrap_or(0);
            let own = facts.r#type.as_deref().unwrap_or_default();
            if let Some(edge) = Edge::new(number, translation, own, language, &mut self.key) {
                self.remember_shortlink(&edge);
                self.edges.push(edge);
            }
        }
        complete
    }

    /// None if there are too many. They are looked for one by one: a site has a dozen.
    fn number_type(&mut self, kind: Kind, name: &str) -> Option<u16> {
        let known = self.types.iter().position(|(k, n)| *k == kind && **n == *name);
        if known.is_none() && self.types.len() < TYPES {
            self.types.push((kind, name.into()));
            return u16::try_from(self.types.len() - 1).ok();
        }
        known.and_then(|number| u16::try_from(number).ok())
    }

    /// 0 for none; none if there are too many.
    fn number_language(&mut self, tag: Option<&str>) -> Option<u16> {
        let Some(tag) = tag.filter(|tag| !tag.is_empty()) else { return Some(0) };
        if let Some(&number) = self.language_numbers.get(tag) {
            return Some(number);
        }
        let number = u16::try_from(self.languages.len() + 1).ok().filter(|&n| n <= LANGUAGES)?;
        self.languages.push(tag.into());
        self.language_numbers.insert(tag.into(), number);
        Some(number)
    }

    /// Ends the registration, after the words of [`Registry::of_shared_ids`] were added: determines languages from URLs. The
    /// records whose words [`Registry::close`] needs.
    pub(crate) fn close_languages(&mut self) -> Vec<u32> {
        self.unite_tags();
        self.find_copies();
        for (number, declared) in std::mem::take(&mut self.later) {
            let mut key = std::mem::take(&mut self.key);
            let is_read = key.read(self.link(number));
            self.key = key;
            if is_read {
                // What is shown in a language's place in another one says nothing about the place.
                self.note_place(number, declared && !self.copies.contains_key(&number));
            }
        }
        self.places.close();
        let of_posts = self.terms.of_one_language(&self.records);
        let mut key = std::mem::take(&mut self.key);
        for number in 0..self.records.len() as u32 {
            let kind = self.kind(number);
            let record = &self.records[number as usize];
            let asks = record.language() == 0 && matches!(kind, Kind::Post | Kind::Html | Kind::Term | Kind::Media);
            let may_be_home = record.language & HOME != 0;
            if !(asks || may_be_home) || !key.read(self.link(number)) {
                continue;
            }
            let home = self.places.is_own(key.host()) && self.places.is_home(&key, None);
            let id = self.records[number as usize].id();
            let of_posts = of_posts.get(&id).copied().filter(|_| asks && kind == Kind::Term);
            let is_page = kind != Kind::Media && of_posts.is_none();
            let language = if asks { self.places.language(&key, is_page) } else { None };
            let record = &mut self.records[number as usize];
            if may_be_home && !home {
                record.language &= !HOME;
            }
            let by_posts = of_posts.map(|language| language | LANGUAGE_BY_POSTS);
            if let Some(language) = language.map(|language| language | LANGUAGE_BY_URL).or(by_posts) {
                record.language |= language;
            }
        }
        self.key = key;
        self.of_doubtful_translations()
    }

    /// Resolves and groups translations, after [`Registry::close_languages`].
    pub(crate) fn close(&mut self) {
        groups::close(self);
    }

    fn r#type(&self, number: u32) -> (Kind, &str) {
        let (kind, name) = &self.types[usize::from(self.records[number as usize].r#type)];
        (*kind, name)
    }

    fn kind(&self, number: u32) -> Kind {
        self.r#type(number).0
    }

    fn link(&self, number: u32) -> &str {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.records[number - 1].link_end as usize };
        &self.links[start..self.records[number].link_end as usize]
    }

    /// The order of records for naming groups: kind (post, term, media, user, comment, html), type, id, link.
    fn compare(&self, a: u32, b: u32) -> Ordering {
        let order = |n: u32| {
            let (kind, r#type) = self.r#type(n);
            let id = if kind == Kind::Html { NO_ID } else { self.records[n as usize].id() };
            (kind, r#type, id, self.link(n))
        };
        order(a).cmp(&order(b))
    }

    /// Type, id (none for an html record) and link of a record.
    pub(crate) fn target(&self, record: RecordNumber) -> (&str, Option<i64>, &str) {
        let (kind, r#type) = self.r#type(record.0);
        let id = Some(self.records[record.0 as usize].id()).filter(|&id| id != NO_ID && kind != Kind::Html);
        (r#type, id, self.link(record.0))
    }

    /// A record's language and, if the registry found it, the source: `url`, `translation`, `posts`, `copy`.
    pub(crate) fn language(&self, record: RecordNumber) -> Option<(&str, Option<&'static str>)> {
        let is_copy = || self.copies.get(&record.0) == Some(&true);
        let record = &self.records[record.0 as usize];
        let source = match record.language {
            _ if is_copy() => Some("copy"),
            l if l & LANGUAGE_BY_POSTS == LANGUAGE_BY_POSTS => Some("posts"),
            l if l & LANGUAGE_BY_URL != 0 => Some("url"),
            l if l & LANGUAGE_BY_OTHERS != 0 => Some("translation"),
            _ => None,
        };
        Some((self.language_name(record.language())?, source))
    }

    fn language_name(&self, number: u16) -> Option<&str> {
        self.languages.get(usize::from(number).checked_sub(1)?).map(|tag| &**tag)
    }
}

#[cfg(test)]
mod tests;
