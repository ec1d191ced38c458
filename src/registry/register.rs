//! The first phase of a registry takes the records of a site, one after the other, in any order. It cannot answer queries yet: the places
//! and languages of a site are known only when all records are in.

use super::copies::Texts;
use super::facts::{Facts, TranslationFacts};
use super::homes::{Homes, states_home};
use super::hosts::{Home, HostCounts, NamedBy};
use super::located::Located;
use super::lookup::{Lookup, has_script, script_hash};
use super::places::{Places, may_be_home};
use super::record::{
    HOME, ITEM, KnownRecord, LANGUAGE_BY_OTHERS, LANGUAGE_BY_POSTS, LANGUAGE_BY_URL, NO_ID, RecordKind, RecordNumber,
    SCRAPED,
};
use super::records::Records;
use super::statements::{Edge, Statements};
use super::table::{Owner, Role};
use super::tags::unite_tags;
use super::terms::Terms;
use super::votes::VotesOfHosts;
use super::{media, pages};
use crate::minhash::Sketch;
use crate::urls::{QuickMap, UrlKey};
use crate::wordpress::is_shortlink;

/// The result of registering a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    /// Its number, or that of the first record with its identity; `None` if nothing can refer to it.
    pub(crate) record: Option<RecordNumber>,
    /// Whether it is the first with its identity.
    pub(crate) is_new: bool,
    /// A message about data that did not fit into the registry.
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

/// The value that wp-parse and wp-translations write for a record with a plugin's notice in place of a translation.
pub(super) const NOTICE: &str = "notice";

/// The kind of records that have files.
const MEDIA: &str = "media";

/// The host number of a record without a link.
const NOWHERE: u32 = u32::MAX;

/// A registry that is being filled.
#[derive(Default)]
pub(crate) struct Register {
    pub(super) records: Records,
    hosts: HostCounts,
    votes: VotesOfHosts,
    /// For each record, the number of its host.
    hosts_of: Vec<u32>,
    statements: Statements,
    terms: Terms,
    texts: Texts,
    home: Home,
    homes: Homes,
    guid: UrlKey,
    /// The URLs that pages of records with an id name as x-default.
    defaults: Vec<Edge>,
    /// Records that may turn out to be copies, and whether they declare their language.
    later: Vec<(u32, bool)>,
    key: UrlKey,
}

impl Register {
    /// Adds a record. Ignores records of an unknown kind and records with neither link nor id; of two records with the same identity, keeps
    /// the first. A record without a link (media on some sites) is identified by its id and its files. If some data do not fit into the
    /// registry, only these are lost: [`Taken::lost`]. Its words may follow later: [`Register::of_shared_ids`].
    pub(crate) fn register(&mut self, facts: &Facts<'_>, sketch: Option<Sketch>) -> Taken {
        let Some(kind) = RecordKind::of(facts) else { return Taken::NOT };
        let link = facts.link.as_deref().unwrap_or_default();
        if link.is_empty() && facts.id.is_none() {
            return Taken::NOT;
        }
        let type_name = facts.r#type.as_deref().unwrap_or_default();
        let Some(r#type) = self.records.number_type(kind, type_name) else { return Taken::lost(TOO_MANY_TYPES) };
        let is_html = facts.kind.as_deref() == Some("html");
        let own = facts.id.filter(|_| !is_html);
        if let Some(first) = self.records.find(kind, type_name, own, link) {
            return self.ignore_repeated(first, facts);
        }
        let (number, link_end) = match self.records.make_room(link) {
            Ok(room) => room,
            Err(what) => return Taken::lost(what),
        };
        let language = self.records.number_language(facts.language.as_deref());
        let mut lost = language.is_none();
        let language = language.unwrap_or(0);
        let id = if is_html { facts.same.id } else { own }.unwrap_or(NO_ID);
        let words = if facts.kind.as_deref() == Some(MEDIA) { media::words(facts) } else { 0 };
        let record = KnownRecord {
            id: [id as u32, (id as u64 >> 32) as u32],
            link_end,
            words,
            r#type: r#type | if kind == RecordKind::Page && own.is_some() { ITEM } else { 0 },
            language: language | flags(facts),
        };
        self.records.push(record);
        self.records.register_id(kind, id, number);
        let declared = language != 0
            && !matches!(facts.language_source.as_deref(), Some("url" | "translation" | "posts" | "copy"));
        self.note_texts(facts, number, declared, sketch);
        if kind == RecordKind::Post && declared {
            self.terms.note(facts, number);
        }
        if let Some(name) = facts.name.as_deref().filter(|_| kind == RecordKind::Term) {
            let named = self.records.named_terms.entry(crate::urls::hash(name));
            named.and_modify(|known| *known = None).or_insert(Some(number));
        }
        let mut host = NOWHERE;
        if self.key.read(link) {
            host = self.hosts.note(&self.key);
            self.register_link(kind, facts, number);
            if self.records.may_be_copy(kind, id, number) {
                self.later.push((number, declared));
            } else {
                self.note_place(number, declared);
            }
        }
        self.hosts_of.push(host);
        let has_guid = self.note_home(kind, facts, number);
        self.hosts.note_mapped(&facts.scrape.mapped);
        self.register_others(kind, facts, number, has_guid);
        lost |= !self.register_translations(facts, number);
        let lost = lost.then_some(TOO_MANY_LANGUAGES);
        Taken { record: Some(RecordNumber(number)), is_new: true, lost }
    }

    /// Notes the home that the last registered record states by its API, else by its guid. If the record has a host, [`Register::key`] is
    /// the key of its link. Returns whether [`Register::guid`] is the key of its guid.
    fn note_home(&mut self, kind: RecordKind, facts: &Facts<'_>, number: u32) -> bool {
        let has_guid = facts.guid.as_deref().is_some_and(|guid| self.guid.read(guid));
        let guid = has_guid.then_some(&self.guid);
        let has_host = self.hosts_of[number as usize] != NOWHERE;
        let by_guid = guid.filter(|guid| has_host && states_home(guid, &self.key));
        let by_api = self.home.read(facts.source.rest.as_deref());
        let home = by_api.or(by_guid);
        let by = match (by_api, kind) {
            (None, _) => NamedBy::Guid,
            (_, RecordKind::Page) => NamedBy::Page,
            _ => NamedBy::Api,
        };
        if let Some(home) = home.filter(|_| has_host) {
            self.hosts.note_home(&self.key, home, by);
        }
        if has_host && may_be_home(&self.key, home) {
            self.records[number].language |= HOME;
        }
        self.homes.note(facts, home, guid);
        if kind == RecordKind::Page {
            self.homes.note_claim(facts);
        }
        has_guid
    }

    /// Notes the evidence that may show the last registered record to be a copy.
    fn note_texts(&mut self, facts: &Facts<'_>, number: u32, declared: bool, sketch: Option<Sketch>) {
        let default = TranslationFacts { href: facts.x_default.clone(), ..TranslationFacts::default() };
        let x_default = Edge::new(number, &default, "", 0, &mut self.key);
        self.defaults.extend(x_default.filter(|_| self.records[number].id() != NO_ID));
        self.texts.push(number, sketch, facts.copy_source.as_deref() == Some(NOTICE));
        if self.records[number].language() != 0 && !declared {
            self.texts.push_undeclared(number);
        }
    }

    /// Ignores a record that is already registered. The translations that it states are still resolved later, so the languages that they
    /// name must be known, as in a second run.
    fn ignore_repeated(&mut self, first: u32, facts: &Facts<'_>) -> Taken {
        self.statements.has_repeated |= !facts.translations.is_empty();
        for said in &facts.translations {
            self.records.number_language(said.language.as_deref());
        }
        Taken { record: Some(RecordNumber(first)), is_new: false, lost: None }
    }

    /// Notes the place of a record; [`Register::key`] is the key of its link.
    fn note_place(&mut self, number: u32, declared: bool) {
        let language = self.records[number].language();
        if let Some(tag) = self.records.language_name(language).filter(|_| declared) {
            self.votes.note(self.records.kind(number), &self.key, language, tag);
        }
    }

    /// Registers the record's link, whose key is [`Register::key`].
    fn register_link(&mut self, kind: RecordKind, facts: &Facts<'_>, number: u32) {
        let role = if kind == RecordKind::Page { Role::Page } else { Role::Link };
        if kind == RecordKind::Comment {
            // The URL without the fragment belongs to the article; the comment owns only the URL with the fragment.
            let name = format!("{}#comment-{}", self.key.as_str(), facts.id.unwrap_or(0));
            self.records.table.insert(crate::urls::hash(&name), Owner { role: Role::Comment, record: number });
        } else {
            self.records.table.insert(self.key.hash(), Owner { role, record: number });
            pages::register_names(&mut self.records.table, kind, &self.key, facts, number);
        }
    }

    fn register_others(&mut self, kind: RecordKind, facts: &Facts<'_>, number: u32, has_guid: bool) {
        if facts.kind.as_deref() == Some(MEDIA) {
            media::register_files(&mut self.records.table, &mut self.key, facts, number);
        }
        for alias in &facts.aliases {
            if kind != RecordKind::Comment && self.key.read(alias) {
                let hash = if has_script(alias) { script_hash(&self.key) } else { self.key.hash() };
                self.records.table.insert(hash, Owner { role: Role::Alias, record: number });
            }
        }
        if let Some(guid) = facts.guid.as_deref().filter(|_| kind == RecordKind::Post && has_guid) {
            self.register_guid(guid, facts.link.as_deref().unwrap_or_default(), number);
        }
    }

    /// A guid shows where the record was first published; if it is a shortlink, it shows only the host.
    fn register_guid(&mut self, guid: &str, link: &str, number: u32) {
        if self.guid.query().is_some_and(is_shortlink) {
            if self.hosts_of[number as usize] != NOWHERE {
                self.hosts.note_former(self.hosts_of[number as usize], &self.guid);
            }
        } else if guid != link && !self.guid.path().is_empty() {
            let name = pages::guid_name(self.guid.as_str());
            self.records.table.insert(name, Owner { role: Role::Name, record: number });
        }
    }

    /// Registers the translations that a record states. Returns false if the language of one was lost.
    fn register_translations(&mut self, facts: &Facts<'_>, number: u32) -> bool {
        let mut complete = true;
        for translation in &facts.translations {
            let language = self.records.number_language(translation.language.as_deref());
            complete &= language.is_some();
            let language = language.unwrap_or(0);
            let own = facts.r#type.as_deref().unwrap_or_default();
            let Some(edge) = Edge::new(number, translation, own, language, &mut self.key) else { continue };
            let (host, is_derived) = (self.hosts_of[number as usize], edge.is_derived());
            let is_here = host != NOWHERE && self.hosts.is_host(host, &self.key);
            let is_mapped = facts.scrape.mapped.iter().any(|pair| pair.from.as_deref() == Some("/"));
            self.statements.add(edge, &self.key, !is_here || is_mapped);
            let by_id = translation.id.is_some();
            let names_host = !by_id || translation.href.as_deref().is_some_and(|url| self.key.read(url));
            if names_host && !is_derived && host != NOWHERE {
                let by_page = matches!(translation.source.as_deref(), Some("hreflang" | "switcher"));
                self.hosts.note_named(host, &self.key, by_page);
            }
        }
        complete
    }

    /// The records whose words [`Register::locate`] needs.
    pub(crate) fn of_shared_ids(&self) -> Vec<u32> {
        self.texts.of_shared_ids(&self.records)
    }

    /// Ends the registration, given the words of [`Register::of_shared_ids`], and determines languages from URLs.
    pub(crate) fn locate(mut self, words: Vec<(u32, Sketch)>) -> Located {
        self.texts.add(words);
        let Register { mut records, hosts, votes, hosts_of, mut statements, terms, mut texts, homes, .. } = self;
        let (defaults, later, mut key) = (self.defaults, self.later, self.key);
        let (hosts, is_own) = hosts.close(|host, other| votes.are_of_other_languages(host, other));
        let is_guest = |host: u32| host != NOWHERE && !is_own[host as usize];
        records.mark_guests(|number| is_guest(hosts_of[number as usize]));
        let mut votes = votes.of_own(|host| hosts.is_own(host));
        unite_tags(&mut records, &mut votes, &mut statements);
        records.blogs = homes.close(&records, &statements.edges);
        let stated = defaults.iter().filter_map(|edge| Some((edge.from, records.stated(edge)??.0)));
        let named = named_by_others(&records, &statements, &texts);
        texts.find_copies(&records, &stated.collect(), &named);
        for &(number, declared) in &later {
            // A copy that replaces a missing translation says nothing about the language of its place.
            if declared && !records[number].is_guest() && !texts.is_found(number) && key.read(records.link(number)) {
                let language = records[number].language();
                if let Some(tag) = records.language_name(language) {
                    votes.note(records.kind(number), &key, language, tag);
                }
            }
        }
        let places = Places { hosts, languages: votes.close() };
        let mut lookup =
            Lookup { is_of_pages: !records.has_kind(RecordKind::Post), records, places, texts, shares_ids: false };
        let of_posts = terms.of_one_language(&lookup.records);
        for number in lookup.records.numbers() {
            let kind = lookup.records.kind(number);
            let record = &lookup.records[number];
            let has_language =
                matches!(kind, RecordKind::Post | RecordKind::Page | RecordKind::Term | RecordKind::Media);
            let asks = record.language() == 0 && has_language && !lookup.texts.adopts(number);
            let may_be_home = record.language & HOME != 0;
            if !(asks || may_be_home) || !key.read(lookup.records.link(number)) {
                continue;
            }
            let places = &lookup.places;
            let home = places.hosts.is_own(key.host()) && places.is_home(&key, None);
            let of_posts = of_posts.get(&(lookup.records.blogs.of(number), record.id())).copied();
            let of_posts = of_posts.filter(|_| asks && kind == RecordKind::Term);
            let is_page = kind != RecordKind::Media && of_posts.is_none();
            let home_path = lookup.records.blogs.home_path(&key);
            let common = || places.languages.common(&key, home_path).filter(|_| is_page);
            let language = places.languages.stated(&key, home_path).or_else(common);
            let language = language.filter(|_| asks && !record.is_guest());
            let record = &mut lookup.records[number];
            if may_be_home && !home {
                record.language &= !HOME;
            }
            let by_posts = of_posts.map(|language| language | LANGUAGE_BY_POSTS);
            if let Some(language) = language.map(|language| language | LANGUAGE_BY_URL).or(by_posts) {
                record.language |= language;
            }
        }
        lookup.texts.adopt_languages(&mut lookup.records);
        lookup.shares_ids = lookup.records.is_one_id_of_languages(later.iter().map(|(number, _)| *number));
        Located { lookup, statements, terms }
    }
}

/// The flags of a record that are kept with its language.
fn flags(facts: &Facts<'_>) -> u16 {
    let scraped = if facts.scrape.file.is_some() { SCRAPED } else { 0 };
    let by_others = match facts.language_source.as_deref() {
        Some("translation") => LANGUAGE_BY_OTHERS,
        Some("posts") => LANGUAGE_BY_POSTS,
        _ => 0,
    };
    scraped | by_others
}

/// How many records name each record as a translation.
fn named_by_others(records: &Records, statements: &Statements, texts: &Texts) -> QuickMap<u32, u32> {
    let mut named: QuickMap<u32, u32> = QuickMap::default();
    for edge in statements.edges.iter().filter(|edge| records.shares_ids && !edge.is_derived()) {
        // Statements between copies will be dropped, and so will those that contradict the declared language.
        if let Some(Some((to, _))) = records.stated(edge)
            && to != edge.from
            && !(records[to].id() == records[edge.from].id() && texts.is_alike(records, edge.from, to))
            && [0, edge.language].contains(&records[to].language())
        {
            *named.entry(to).or_default() += 1;
        }
    }
    named
}
