//! Finds the record that a URL leads to. The rules are tried in a fixed order, and the first one with a result decides; if several records
//! own a URL, it chooses one or none.

mod derived;
mod files;

use super::blogs::Blog;
use super::copies::Texts;
use super::media::split_file;
use super::places::Places;
use super::record::{NO_ID, RecordKind, RecordNumber, SCRAPED};
use super::records::Records;
use super::rule::Rule;
use super::table::{CONTESTED, Owner, Role};
use crate::record::Reason;
use crate::urls::UrlKey;
use crate::wordpress::{
    self, Object, View, comment_of, is_in_uploads, is_query_variable, parameters, without_punctuation,
};

/// The records of a site and their places, in which URLs are looked up. The languages that records declare, and those of places, are known
/// by now.
pub(super) struct Lookup {
    pub(super) records: Records,
    pub(super) places: Places,
    pub(super) texts: Texts,
    /// Whether all languages share one id, as with plugins that translate on the fly.
    pub(super) shares_ids: bool,
    /// Whether there is no dump: posts are known only from their pages.
    pub(super) is_of_pages: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Query<'a> {
    /// The absolute URL.
    pub(crate) url: &'a str,
    /// The reference as written.
    pub(crate) written: Option<&'a str>,
    /// Language of the record that contains it.
    pub(crate) language: Option<&'a str>,
    /// An id given next to it: `wp-image-N`, `wp-att-N`.
    pub(crate) hint: Option<i64>,
    /// Whether to look for a media record.
    pub(crate) image: bool,
    /// Blog of the record that contains it.
    pub(crate) blog: Blog,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The record, or the reason why there is none; no reason for a URL outside of the site.
    pub(crate) target: Result<RecordNumber, Option<Reason>>,
    pub(crate) rule: Option<Rule>,
    /// The N of `#comment-N`.
    pub(crate) comment: Option<i64>,
    /// Whether the URL is on an own host or a host with many of the site's records, or has a target.
    pub(crate) internal: bool,
}

/// The result of a rule: a record, a contradiction between several, or nothing.
#[derive(Clone, Copy)]
enum Hit {
    Record(u32, Rule),
    Ambiguous,
    None,
}

use Hit::{Ambiguous, None as Nothing, Record};

/// A query, with values derived from it.
struct Asker<'a> {
    asked: &'a Query<'a>,
    /// The number of its language.
    language: u16,
    /// The comment that the URL names.
    comment: Option<i64>,
}

/// Whether the URL contains the script `index.php`: keys ignore it, but a redirect may depend on it.
pub(super) fn has_script(url: &str) -> bool {
    url.contains("/index.php/")
}

/// The hash of an alias that contains the script.
pub(super) fn script_hash(key: &UrlKey) -> u128 {
    crate::urls::hash(&format!("#script {}", key.as_str()))
}

/// Whether a relative reference was meant as another host (`www.linkedin.com/in/x`) or as an email address.
fn is_disguised(written: &str) -> bool {
    let is_quote = |c: char| c.is_whitespace() || "\"'<>«»‘’‚‛“”„‟‹›".contains(c);
    let bare = written.trim_start_matches(is_quote);
    let is_web = |text: &str| {
        ["http", "https"].iter().any(|scheme| {
            let rest = text
                .get(..scheme.len())
                .filter(|start| start.eq_ignore_ascii_case(scheme))
                .map(|_| &text[scheme.len()..]);
            rest.is_some_and(|rest| {
                rest.starts_with("//") || bare.len() < written.trim().len() && rest.starts_with("://")
            })
        })
    };
    if is_web(bare) {
        return true;
    }
    let written = written.trim();
    let scheme_end = written.find([':', '/', '?', '#']).unwrap_or(written.len());
    if written.starts_with(['/', '?', '#', '.', '\\']) || written[scheme_end..].starts_with(':') {
        return false;
    }
    let end = written.find(['/', '?', '#']).unwrap_or(written.len());
    let (host, rest) = written.split_at(end);
    let name = |label: &str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let is_tld = |last: &str| {
        last.len() >= 2
            && last.bytes().all(|b| b.is_ascii_alphabetic())
            && !matches!(last, "php" | "html" | "htm" | "asp" | "aspx")
    };
    let tld = host.rsplit('.').next().is_some_and(is_tld);
    let is_host = host.contains('.') && host.split('.').all(name) && tld;
    // The name of a file of a mirror is not an address: wget writes `index.html@p=5.html` for `?p=5`.
    host.contains('@') && !host.starts_with("index.html@")
        || host.starts_with("www.")
        || (is_host && rest.starts_with('/'))
}

/// The query without punctuation after the id or the tag at its end.
fn without_punctuation_of_id(query: &str) -> Option<&str> {
    let (name, _) = parameters(query).last()?;
    without_punctuation(query).filter(|_| matches!(name, "p" | "page_id" | "cat" | "tag"))
}

impl Lookup {
    /// Finds the record for a URL.
    pub(super) fn find_url(&self, asked: &Query<'_>, key: &mut UrlKey) -> Answer {
        let mut found = Answer { target: Err(None), rule: None, comment: None, internal: false };
        if !key.read(asked.url) {
            return found;
        }
        let mapped = self.places.hosts.mapped(key, asked.written.is_some_and(|href| href.starts_with('/')));
        let is_own = self.places.hosts.is_own(key.host());
        found.internal = self.places.hosts.is_internal(key.host()) || mapped.is_some();
        let is_of_site = is_own || mapped.is_some();
        let current = mapped.or_else(|| self.places.hosts.moved(key));
        let comment = comment_of(asked.url);
        let language = self.records.language_number(asked.language);
        let is_disguised = found.internal && asked.written.is_some_and(is_disguised);
        let asker = Asker { asked, language, comment };
        let hit = match (self.ask(&asker, key, is_own && !is_disguised), current) {
            // A name meant as another host may also be the name of a folder here, but only if a record owns this URL.
            (Record(_, rule), _) if is_disguised && !rule.is_owner() => Nothing,
            (Nothing, Some(current)) if !is_disguised => {
                *key = current;
                match self.ask(&asker, key, self.places.hosts.is_own(key.host())) {
                    Record(record, _) => Record(record, Rule::Former),
                    hit => hit,
                }
            }
            (Nothing, _) if is_own && !is_disguised && !asked.image => self.canonical(&asker, key),
            (hit, _) => hit,
        };
        match hit {
            Record(record, rule) => {
                found.target = Ok(RecordNumber(record));
                found.comment = comment.filter(|_| self.records.item_kind(record) != RecordKind::Media);
                let plain = matches!(rule, Rule::Exact | Rule::Normalised | Rule::QueryCleaned);
                found.rule = Some(if found.comment.is_some() && plain { Rule::Comment } else { rule });
                found.internal = true;
            }
            Ambiguous => {
                found.target = Err(Some(Reason::Ambiguous));
            }
            Nothing if is_disguised => found.target = Err(Some(Reason::Disguised)),
            Nothing if is_of_site => found.target = Err(Some(self.reason(key))),
            Nothing if found.internal => found.target = Err(Some(Reason::OutsideDump)),
            Nothing => {}
        }
        found
    }

    /// Applies the rules in order; the first one with a result decides.
    fn ask(&self, asker: &Asker<'_>, key: &UrlKey, is_own: bool) -> Hit {
        let &Asker { asked, language, comment } = asker;
        let internal = self.places.hosts.is_internal(key.host());
        let clean = key.without_noise();
        let page = clean.as_ref().unwrap_or(key);
        let owned = match self.direct(asked, key, language) {
            Record(_, Rule::Alias) | Ambiguous | Nothing if has_script(asked.url) => {
                self.direct_hash(asked, script_hash(key), language)
            }
            hit => hit,
        };
        if matches!(owned, Record(record, rule) if self.is_link(record, rule)) || matches!(owned, Ambiguous) {
            return owned;
        }
        let cleaned = clean.as_ref().map_or(Nothing, |clean| self.direct(asked, clean, language));
        match cleaned {
            Record(record, rule) if self.is_link(record, rule) => return Record(record, Rule::QueryCleaned),
            Ambiguous => return Ambiguous,
            _ => {}
        }
        // Records that own the URL itself by a later rule, with or without the query.
        let owns = |fits: fn(Rule) -> bool| {
            let mut hits = [owned, cleaned].into_iter();
            hits.find(|hit| matches!(hit, Record(_, rule) if fits(*rule))).unwrap_or(Nothing)
        };
        let is_page = is_own && !asked.image && self.may_be_record(page);
        let is_file = || internal && asked.image || split_file(page.page()).is_some();
        let when = |applies: bool, rule: &dyn Fn() -> Hit| if applies { rule() } else { Nothing };
        // Below the front page of a language, the id may be that of a translation, which has the URL as an alias.
        let is_of_language = self.shares_ids && !page.path().is_empty();
        let by_shortlink = || match (self.by_shortlink(asked, page, language), owns(|rule| rule == Rule::Alias)) {
            (Record(record, _), Record(other, rule)) if record != other && is_of_language => Record(other, rule),
            (hit, _) => hit,
        };
        let rules: [&dyn Fn() -> Hit; 16] = [
            &|| when(is_page, &by_shortlink),
            &|| owns(|rule| rule == Rule::Alias),
            &|| when(is_page, &|| self.subpage(asked, page, language)),
            &|| when(is_page, &|| self.comment(page, comment)),
            &|| owns(Rule::is_file),
            // Files may be on other hosts than the site's; their names include the host.
            &|| when(is_page || is_file(), &|| self.file(asked, page, internal, language)),
            &|| self.hosted_elsewhere(asked, key, language),
            &|| when(is_page, &|| self.attachment_page(asked, page, language)),
            &|| when(is_page, &|| self.archive(asked, page)),
            // The page itself, but not the same page with another query.
            &|| if matches!(owned, Record(_, Rule::Html)) { owned } else { Nothing },
            &|| when(is_page, &|| self.category(asked, page)),
            &|| when(is_page, &|| self.other_language(asked, page, language)),
            &|| when(is_own, &|| self.other_host(asked, page, language)),
            &|| when(is_page, &|| self.guid(asked, page)),
            &|| when(is_page, &|| self.query_ignored(asked, page, language)),
            &|| when(is_page, &|| self.shortlink_of_other(asked, page, language)),
        ];
        let of_blog = |hit: Hit| match hit {
            Record(record, rule) if self.is_of_other_blog(record, rule, page, asked.blog) => Nothing,
            hit => hit,
        };
        rules.iter().map(|rule| of_blog(rule())).find(|hit| !matches!(hit, Nothing)).unwrap_or(Nothing)
    }

    /// The record at the URL that WordPress would use instead of this one.
    fn canonical(&self, asker: &Asker<'_>, key: &UrlKey) -> Hit {
        let whole = match (without_punctuation(key.path()), key.query().and_then(without_punctuation_of_id)) {
            (None, None) => None,
            (path, query) => key.with_tail(path.unwrap_or(key.path()), query.or(key.query())),
        };
        let lower = whole.as_ref().unwrap_or(key).in_lower_case();
        let hits = [whole, lower].into_iter().flatten().map(|key| self.ask(asker, &key, true));
        match hits.into_iter().find(|hit| !matches!(hit, Nothing)).unwrap_or(Nothing) {
            // File names are case-sensitive, and are not followed by a sentence's punctuation.
            Record(_, rule) if rule.is_file() => Nothing,
            Record(record, _) => Record(record, Rule::Canonical),
            hit => hit,
        }
    }

    /// The blog whose folder contains a URL, else that of the record that contains the URL.
    fn blog_at(&self, key: &UrlKey, of_record: Blog) -> Blog {
        Some(self.records.blogs.at(key)).filter(|blog| blog.is_known()).unwrap_or(of_record)
    }

    /// Whether a rule that goes by an id, a name, or a path without its directory has found a record of another blog than the URL's. A
    /// record that states the URL itself may be in any blog. So may a file: the id in an image's class means a file in the blog of the
    /// record that shows the image, wherever its URL is.
    fn is_of_other_blog(&self, record: u32, rule: Rule, key: &UrlKey, of_record: Blog) -> bool {
        let is_stated = rule.is_owner() || matches!(rule, Rule::Former | Rule::MediaCdn | Rule::MediaId);
        !is_stated && !self.records.blogs.is_meant(record, self.blog_at(key, of_record))
    }

    /// Whether this is neither a front page nor a page generated by WordPress.
    fn may_be_record(&self, page: &UrlKey) -> bool {
        !self.places.is_home(page, None) && self.view(page).is_none()
    }

    /// Whether this is a front page whose query WordPress ignores.
    fn is_home_with_more(&self, key: &UrlKey) -> bool {
        self.is_front(key)
            && key.query().is_some_and(|query| parameters(query).all(|(name, _)| self.means_nothing(name)))
    }

    /// Whether this name is neither a query variable nor a type of the site.
    fn means_nothing(&self, name: &str) -> bool {
        !is_query_variable(name) && !self.records.has_type(name)
    }

    /// Whether the path of a URL leads to something, so that the query can select a list there.
    fn is_list_of_something(&self, key: &UrlKey) -> bool {
        let path = self.below(key);
        wordpress::view(path, None).is_some()
            || path.is_empty()
            || wordpress::object_at(path, None).is_some()
            || self.records.table.get(crate::urls::hash(key.page()), |_| ()).is_some()
    }

    /// Whether a URL found by this rule is a record's link, which WordPress also serves with suffixes and queries. With a dump, a page
    /// that states no id may be anything, and so may its queries.
    fn is_link(&self, record: u32, rule: Rule) -> bool {
        let is_known = || self.is_of_pages || self.records[record].id() != NO_ID;
        matches!(rule, Rule::Exact | Rule::Normalised) || rule == Rule::Html && is_known()
    }

    /// The records that own the URL itself.
    fn direct(&self, asked: &Query<'_>, key: &UrlKey, language: u16) -> Hit {
        self.direct_hash(asked, key.hash(), language)
    }

    fn direct_hash(&self, asked: &Query<'_>, hash: u128, language: u16) -> Hit {
        match self.records.table.get(hash, |owners| self.records.choose(owners, asked, language)) {
            None => Nothing,
            Some(None) => Ambiguous,
            Some(Some(owner)) => match owner.role {
                Role::Link if self.records.link(owner.record) == asked.url => Record(owner.record, Rule::Exact),
                Role::Link => Record(owner.record, Rule::Normalised),
                Role::Alias => Record(owner.record, Rule::Alias),
                Role::File => Record(owner.record, Rule::MediaFile),
                Role::Size => Record(owner.record, Rule::MediaSize),
                Role::Original => Record(owner.record, Rule::MediaOriginal),
                Role::Stem => Record(owner.record, Rule::MediaVariant),
                Role::Page => Record(owner.record, Rule::Html),
                Role::Comment | Role::Name => Nothing,
            },
        }
    }

    /// The path of a URL below the front page of its language or its blog.
    fn below<'k>(&self, key: &'k UrlKey) -> &'k str {
        let root = self.places.root(key.host(), key.path());
        &key.path()[root.max(self.records.blogs.home_path(key))..]
    }

    fn view(&self, key: &UrlKey) -> Option<View> {
        wordpress::view(self.below(key), key.query())
    }

    fn reason(&self, key: &UrlKey) -> Reason {
        let clean = key.without_noise();
        let key = clean.as_ref().unwrap_or(key);
        match self.view(key) {
            _ if self.places.is_home(key, None) || self.is_home_with_more(key) => Reason::Home,
            Some(View::Feed) => Reason::Feed,
            Some(View::List) if self.is_list_of_something(key) => Reason::Archive,
            Some(View::System) => Reason::System,
            _ if !self.has_kind(self.kind_of(key)) => Reason::OutsideDump,
            _ if is_in_uploads(key.path()) => Reason::File,
            _ => Reason::Unknown,
        }
    }

    /// Whether there are records of a kind. Without a dump, the pages of a site are its posts.
    fn has_kind(&self, kind: RecordKind) -> bool {
        let is_known = |kind| self.records.has_kind(kind);
        is_known(kind) || kind == RecordKind::Post && is_known(RecordKind::Page)
    }

    /// The kind of record that should be at a URL, judging by the URL.
    fn kind_of(&self, key: &UrlKey) -> RecordKind {
        match wordpress::object_at(self.below(key), key.query()) {
            _ if is_in_uploads(key.path()) => RecordKind::Media,
            None | Some(Object::Post) => RecordKind::Post,
            Some(Object::Attachment) => RecordKind::Media,
            Some(Object::Term(_)) => RecordKind::Term,
            Some(Object::User) => RecordKind::User,
        }
    }
}

impl Records {
    /// Chooses the right one of several owners; `None` if that cannot be determined. Precedence: the best role; then, for files, the record
    /// with the id given next to the URL, the one in the language of the page, and for the same file the smallest id (translated media
    /// records share their file); then the link as written; then the only record that a scraped page shows.
    pub(super) fn choose(&self, owners: &[Owner], asked: &Query<'_>, language: u16) -> Option<Owner> {
        if let [owner] = owners {
            return Some(*owner);
        }
        if owners.len() > CONTESTED {
            return None;
        }
        // A record on a foreign host owns its link. It owns another URL only if no record on the site's own hosts does.
        let of_own = |owner: &&Owner| owner.role == Role::Link || !self[owner.record].is_guest();
        let best = owners.iter().filter(of_own).map(|owner| owner.role).min();
        let (best, only_own) = match best {
            Some(best) => (best, true),
            None => (owners.iter().map(|owner| owner.role).min()?, false),
        };
        let claim = |owner: &&Owner| owner.role == best && (!only_own || of_own(owner));
        let mut claims: Vec<u32> = owners.iter().filter(claim).map(|owner| owner.record).collect();
        claims.sort_unstable_by(|&a, &b| self.compare(a, b));
        claims.dedup();
        let only = |fits: &dyn Fn(u32) -> bool| {
            let mut fitting = claims.iter().copied().filter(|&record| fits(record));
            fitting.next().filter(|_| fitting.next().is_none())
        };
        let record = if claims.len() == 1 {
            claims.first().copied()
        } else if matches!(best, Role::File | Role::Size | Role::Original | Role::Stem) {
            only(&|record| asked.hint == Some(self[record].id()))
                .or_else(|| only(&|record| language != 0 && self[record].firm_language() == language))
                .or_else(|| {
                    claims
                        .first()
                        .copied()
                        .filter(|_| matches!(best, Role::File | Role::Size) || self.have_one_file(&claims))
                })
        } else {
            only(&|record| self.link(record) == asked.url)
                .or_else(|| only(&|record| self[record].language & SCRAPED != 0))
        };
        record.map(|record| Owner { role: best, record })
    }

    /// Whether media records have the same uploaded file, as translations of one record do.
    fn have_one_file(&self, media: &[u32]) -> bool {
        let file = |record: u32| self[record].words;
        media.first().is_some_and(|&first| file(first) != 0 && media.iter().all(|&other| file(other) == file(first)))
    }
}
