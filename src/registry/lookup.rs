//! Asking the registry: the rules in their order, and who of several owners is meant.

use super::pages::{self, Shape};
use super::table::{Owner, Role};
use super::{Kind, RecordNumber, Registry, Rule, SCRAPED, media};
use crate::registry::Reason;
use crate::urls::UrlKey;

/// A URL that more records own than this is nobody's: to weigh them all for each link to it would take forever.
const CONTESTED: usize = 256;

/// What is to be resolved.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// The absolute URL.
    pub url: &'a str,
    /// The reference as written.
    pub written: Option<&'a str>,
    /// Language of the record in which it stands.
    pub language: Option<&'a str>,
    /// An id that stands beside it: `wp-image-N`, `wp-att-N`.
    pub hint: Option<i64>,
    /// Whether a media record is wanted.
    pub image: bool,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The record, or why there is none.
    pub target: Result<RecordNumber, Reason>,
    /// The rule that decided; `ambiguous` where it decided for nothing.
    pub rule: Option<Rule>,
    /// The N of `#comment-N`.
    pub comment: Option<i64>,
    /// Whether the URL is on one of the site's own hosts, or one of its files elsewhere.
    pub internal: bool,
}

/// What a rule says: a record, that several records contradict each other, or nothing.
enum Hit {
    Record(u32, Rule),
    Ambiguous,
    None,
}

use Hit::{Ambiguous, None as Nothing, Record};

/// The N of a fragment `comment-N`.
pub(crate) fn comment_of(url: &str) -> Option<i64> {
    let (_, fragment) = url.split_once('#')?;
    let number = fragment.strip_prefix("comment-")?;
    number.bytes().all(|b| b.is_ascii_digit()).then(|| number.parse().ok())?
}

/// A relative reference that was meant as another host (`www.linkedin.com/in/x`) or as a mail address.
fn is_disguised(written: &str) -> bool {
    let written = written.trim();
    let scheme_end = written.find([':', '/', '?', '#']).unwrap_or(written.len());
    if written.starts_with(['/', '?', '#', '.', '\\']) || written[scheme_end..].starts_with(':') {
        return false;
    }
    let end = written.find(['/', '?', '#']).unwrap_or(written.len());
    let (host, rest) = written.split_at(end);
    let name = |label: &str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let tld = host.rsplit('.').next().is_some_and(|tld| tld.len() >= 2 && tld.bytes().all(|b| b.is_ascii_alphabetic()));
    let is_host = host.contains('.') && host.split('.').all(name) && tld;
    host.contains('@') || host.starts_with("www.") || (is_host && rest.starts_with('/'))
}

impl Registry {
    /// Which record a URL means.
    pub fn find_url(&self, asked: &Asked<'_>, key: &mut UrlKey) -> Found {
        let mut found = Found { target: Err(Reason::External), rule: None, comment: None, internal: false };
        if !key.read(asked.url) {
            return found;
        }
        found.internal = self.places.is_own(key.host());
        let comment = comment_of(asked.url);
        let language = asked.language.and_then(|tag| self.language_numbers.get(tag)).copied().unwrap_or(0);
        if found.internal && asked.written.is_some_and(is_disguised) {
            found.target = Err(Reason::Disguised);
            return found;
        }
        match self.ask(asked, key, language, found.internal, comment) {
            Record(record, rule) => {
                found.target = Ok(RecordNumber(record));
                found.comment = comment.filter(|_| self.kind(record) != Kind::Media);
                let plain = matches!(rule, Rule::Exact | Rule::Normalised | Rule::QueryCleaned);
                found.rule = Some(if found.comment.is_some() && plain { Rule::Comment } else { rule });
                found.internal = true;
            }
            Ambiguous => {
                found.target = Err(Reason::Ambiguous);
                found.rule = Some(Rule::Ambiguous);
            }
            Nothing if found.internal => found.target = Err(self.reason(key)),
            Nothing => {}
        }
        found
    }

    /// The rules, one after the other; the first that says anything decides.
    fn ask(&self, asked: &Asked<'_>, key: &UrlKey, language: u16, internal: bool, comment: Option<i64>) -> Hit {
        let direct = self.direct(asked, key, language);
        if !matches!(direct, Nothing) {
            return direct;
        }
        let clean = key.without_noise();
        if let Some(clean) = &clean {
            match self.direct(asked, clean, language) {
                Record(record, Rule::Exact | Rule::Normalised) => return Record(record, Rule::QueryCleaned),
                Nothing | Record(_, Rule::Html) => {}
                hit => return hit,
            }
        }
        if !internal {
            return self.hosted_elsewhere(asked, key, language);
        }
        let page = clean.as_ref().unwrap_or(key);
        if asked.image {
            return self.file(asked, page, language);
        }
        let home = self.places.is_home(page, None);
        if home || !matches!(self.shape(page), Shape::Other) {
            return Nothing;
        }
        let rules: [&dyn Fn() -> Hit; 8] = [
            &|| self.shortlink(page, language),
            &|| self.subpage(asked, page, language),
            &|| self.comment(page, comment),
            &|| self.file(asked, page, language),
            &|| self.attachment_page(asked, page, language),
            &|| self.archive(page),
            &|| self.category(page),
            &|| self.other_language(asked, page, language),
        ];
        rules.iter().map(|rule| rule()).find(|hit| !matches!(hit, Nothing)).unwrap_or(Nothing)
    }

    /// The records that own the URL itself.
    fn direct(&self, asked: &Asked<'_>, key: &UrlKey, language: u16) -> Hit {
        self.direct_hash(asked, key.hash(), language)
    }

    fn direct_hash(&self, asked: &Asked<'_>, hash: u128, language: u16) -> Hit {
        match self.table.get(hash, |owners| self.choose(owners, asked, language)) {
            None => Nothing,
            Some(None) => Ambiguous,
            Some(Some(owner)) => match owner.role {
                Role::Link if self.link(owner.record) == asked.url => Record(owner.record, Rule::Exact),
                Role::Link => Record(owner.record, Rule::Normalised),
                Role::Alias => Record(owner.record, Rule::Alias),
                Role::File => Record(owner.record, Rule::MediaFile),
                Role::Size => Record(owner.record, Rule::MediaSize),
                Role::Original => Record(owner.record, Rule::MediaOriginal),
                Role::Stem => Record(owner.record, Rule::MediaVariant),
                Role::Html => Record(owner.record, Rule::Html),
                Role::Comment | Role::Name => Nothing,
            },
        }
    }

    /// Who of several owners is meant; none if that cannot be told. The written rule: the best role; then, of files,
    /// the record that the id beside it names, the one in the language of the page, and for one and the same file the
    /// smallest id (translated media records share their file); then the link as written; then the one record that a
    /// scraped page shows.
    pub(super) fn choose(&self, owners: &[Owner], asked: &Asked<'_>, language: u16) -> Option<Owner> {
        if let [owner] = owners {
            return Some(*owner);
        }
        if owners.len() > CONTESTED {
            return None;
        }
        let best = owners.iter().map(|owner| owner.role).min()?;
        let mut claims: Vec<u32> = owners.iter().filter(|o| o.role == best).map(|o| o.record).collect();
        claims.sort_unstable_by(|&a, &b| self.compare(a, b));
        claims.dedup();
        let only = |fits: &dyn Fn(u32) -> bool| {
            let mut fitting = claims.iter().copied().filter(|&record| fits(record));
            fitting.next().filter(|_| fitting.next().is_none())
        };
        let record = if claims.len() == 1 {
            claims.first().copied()
        } else if matches!(best, Role::File | Role::Size | Role::Original | Role::Stem) {
            only(&|record| asked.hint == Some(self.records[record as usize].id()))
                .or_else(|| only(&|record| language != 0 && self.records[record as usize].language() == language))
                .or_else(|| claims.first().copied().filter(|_| matches!(best, Role::File | Role::Size)))
        } else {
            only(&|record| self.link(record) == asked.url)
                .or_else(|| only(&|record| self.records[record as usize].language & SCRAPED != 0))
        };
        record.map(|record| Owner { role: best, record })
    }

    /// `?p=`, `?page_id=`, `?attachment_id=`, `?cat=`, `?author=` on a front page.
    fn shortlink(&self, key: &UrlKey, language: u16) -> Hit {
        let path = key.path();
        if !path.is_empty() && self.places.language_directory(path) != path.len() {
            return Nothing;
        }
        let Some(query) = key.query() else { return Nothing };
        for (name, value) in query.split('&').filter_map(|parameter| parameter.split_once('=')) {
            let fits: fn(Kind, &str) -> bool = match name {
                "p" | "page_id" => |kind, _| matches!(kind, Kind::Post | Kind::Media),
                "attachment_id" => |kind, _| kind == Kind::Media,
                "cat" => |kind, r#type| kind == Kind::Term && r#type == "category",
                "author" => |kind, _| kind == Kind::User,
                _ => continue,
            };
            let space = match name {
                "cat" => Kind::Term.space(),
                "author" => Kind::User.space(),
                _ => Kind::Post.space(),
            };
            let record = value.parse().ok().and_then(|id: i64| self.referred(space, id, language, fits));
            return record.map_or(Nothing, |record| Record(record, Rule::Shortlink));
        }
        Nothing
    }

    /// A page of a record: what is left without its end is the record's link.
    fn subpage(&self, asked: &Asked<'_>, key: &UrlKey, language: u16) -> Hit {
        let mut path = key.path();
        let mut needs_post = false;
        // `/2/amp/`, `/comment-page-2/amp/`: two ends at most.
        for _ in 0..2 {
            let Some((rest, post_only)) = pages::parent_page(path) else { return Nothing };
            needs_post |= post_only;
            path = rest;
            if path.is_empty() || self.places.language_directory(path) == path.len() {
                return Nothing;
            }
            let hash = crate::urls::hash(&format!("{}{path}", key.host()));
            match self.direct_hash(asked, hash, language) {
                Record(record, Rule::Exact | Rule::Normalised | Rule::Alias)
                    if !needs_post || matches!(self.kind(record), Kind::Post | Kind::Media) =>
                {
                    return Record(record, Rule::Subpage);
                }
                Ambiguous => return Ambiguous,
                _ => {}
            }
        }
        Nothing
    }

    /// A comment whose article is not here.
    fn comment(&self, key: &UrlKey, comment: Option<i64>) -> Hit {
        let Some(comment) = comment else { return Nothing };
        let name = format!("{}#comment-{comment}", key.as_str());
        let owner = self.table.only(crate::urls::hash(&name)).filter(|owner| owner.role == Role::Comment);
        owner.map_or(Nothing, |owner| Record(owner.record, Rule::Comment))
    }

    /// A file by a name that WordPress or a plugin made from a known one, or by the id beside it.
    fn file(&self, asked: &Asked<'_>, key: &UrlKey, language: u16) -> Hit {
        // Parameters of an image (`?resize=`, `?ver=`) do not make it another; those of a page may.
        if key.query().is_some() && !asked.image {
            return Nothing;
        }
        let path = key.page();
        match self.file_at(asked, path, language) {
            Nothing => self.file_by_hint(asked, path),
            hit => hit,
        }
    }

    fn file_at(&self, asked: &Asked<'_>, path: &str, language: u16) -> Hit {
        let of_file = |name: &str| match self.direct_hash(asked, crate::urls::hash(name), language) {
            // A stem may be an attachment page's slug with a dot: only files are meant.
            Record(record, Rule::MediaFile | Rule::MediaSize | Rule::MediaOriginal | Rule::MediaVariant) => {
                Record(record, Rule::MediaVariant)
            }
            Ambiguous => Ambiguous,
            _ => Nothing,
        };
        let Some((mut folder, mut stem, mut extension)) = media::split_file(path) else { return Nothing };
        if asked.image
            && let Record(record, rule) = self.direct_hash(asked, crate::urls::hash(path), language)
        {
            return Record(record, rule);
        }
        // `a.jpg.webp`: a converter's copy.
        let unconverted = &path[..path.len() - extension.len()];
        if matches!(extension, ".webp" | ".avif") && media::split_file(unconverted).is_some() {
            let hit = of_file(unconverted);
            if !matches!(hit, Nothing) {
                return hit;
            }
            let Some(parts) = media::split_file(unconverted) else { return Nothing };
            (folder, stem, extension) = parts;
        }
        for _ in 0..media::SUFFIXES {
            let Some(shorter) = media::strip_suffix(stem) else { break };
            match of_file(&format!("{folder}{shorter}{extension}")) {
                Nothing => stem = shorter,
                hit => return hit,
            }
        }
        Nothing
    }

    /// `wp-image-N`, only if the record's file has this name too: the class is stale after an import.
    fn file_by_hint(&self, asked: &Asked<'_>, path: &str) -> Hit {
        let Some(id) = asked.hint else { return Nothing };
        let name = media::name_hash(&format!("https://{path}"));
        let media = self.by_id(Kind::Media.space(), id).find(|&n| self.kind(n) == Kind::Media);
        let media = media.filter(|&n| name != 0 && self.records[n as usize].words == name);
        media.map_or(Nothing, |media| Record(media, Rule::MediaId))
    }

    /// A file of this site under an image CDN's address: `i0.wp.com/example.org/…/a.jpg`, `…/https://example.org/…`,
    /// `/cdn-cgi/image/…`.
    fn hosted_elsewhere(&self, asked: &Asked<'_>, key: &UrlKey, language: u16) -> Hit {
        let path = key.page();
        let start = key.host().len();
        let own = path[start..].match_indices('/').filter_map(|(at, _)| {
            let rest = &path[start + at + 1..];
            let rest = rest.strip_prefix("www.").unwrap_or(rest);
            let host = rest.split('/').next().unwrap_or_default();
            (self.places.is_own(host) && host.len() < rest.len()).then_some(rest)
        });
        for rest in own {
            let direct = match self.direct_hash(asked, crate::urls::hash(rest), language) {
                Nothing => self.file_at(asked, rest, language),
                hit => hit,
            };
            match direct {
                Record(record, _) if self.kind(record) == Kind::Media => return Record(record, Rule::MediaCdn),
                Ambiguous => return Ambiguous,
                _ => {}
            }
        }
        Nothing
    }

    /// A media record's page, where the URL is not quite its link.
    fn attachment_page(&self, asked: &Asked<'_>, key: &UrlKey, language: u16) -> Hit {
        let Some((before, slug)) = pages::split_last(key.path()) else { return Nothing };
        if let Some(parent) = before.strip_suffix("/attachment") {
            let hash = crate::urls::hash(&format!("{}{parent}/{slug}", key.host()));
            if let Record(record, _) = self.direct_hash(asked, hash, language)
                && self.kind(record) == Kind::Media
            {
                return Record(record, Rule::AttachmentPage);
            }
        }
        let Some(id) = asked.hint else { return Nothing };
        let fits = |&n: &u32| {
            let key = UrlKey::new(self.link(n));
            let own = key.as_ref().and_then(|key| pages::split_last(key.path())).map(|(_, own)| own);
            self.kind(n) == Kind::Media && own == Some(slug)
        };
        let media = self.by_id(Kind::Media.space(), id).find(fits);
        media.map_or(Nothing, |media| Record(media, Rule::AttachmentPage))
    }

    /// Archives of authors and terms under another address than their link.
    fn archive(&self, key: &UrlKey) -> Hit {
        let path = &key.path()[self.places.language_directory(key.path())..];
        let only = |hash: u128, kind: Kind, rule: Rule| {
            let owner = self.table.only(hash).filter(|owner| self.kind(owner.record) == kind);
            owner.map_or(Nothing, |owner| Record(owner.record, rule))
        };
        if let Some(("", two)) = pages::split_last_two(path) {
            let hit = only(pages::author_name(two), Kind::User, Rule::Author);
            if !matches!(hit, Nothing) {
                return hit;
            }
        }
        let query = || key.query().into_iter().flat_map(|query| query.split('&')).filter_map(|p| p.split_once('='));
        if !path.is_empty() {
            return Nothing;
        }
        let value = |name: &str| query().find(|(n, _)| *n == name).map(|(_, value)| value);
        let term = |r#type: &str, slug: &str| only(pages::term_name(r#type, slug), Kind::Term, Rule::Term);
        match (value("author_name"), value("tag"), value("category_name"), value("taxonomy"), value("term")) {
            (Some(slug), ..) => only(pages::author_slug_name(slug), Kind::User, Rule::Author),
            (_, Some(slug), ..) => term("tag", slug),
            (_, _, Some(slug), ..) => term("category", slug.rsplit("%2F").next().unwrap_or(slug)),
            (.., Some(taxonomy), Some(slug)) => term(taxonomy, slug),
            _ => Nothing,
        }
    }

    /// A post whose category has gone from the URL or changed in it: exactly one record has the slug, and everything
    /// else in both paths is slugs of terms, in the same language's directory.
    fn category(&self, key: &UrlKey) -> Hit {
        if key.query().is_some() {
            return Nothing;
        }
        let split = |path: &str| -> Option<(usize, usize)> {
            Some((self.places.language_directory(path), pages::split_last(path)?.0.len()))
        };
        let path = key.path();
        let Some((language, end)) = split(path) else { return Nothing };
        let owner = self.table.only(pages::slug_name(&path[end + 1..]));
        let Some(record) = owner.map(|owner| owner.record).filter(|&r| self.r#type(r).0 == Kind::Post) else {
            return Nothing;
        };
        let Some(own) = UrlKey::new(self.link(record)) else { return Nothing };
        let Some((own_language, own_end)) = split(own.path()) else { return Nothing };
        let terms = |path: &str| {
            path.split('/').filter(|segment| !segment.is_empty()).all(|segment| {
                !matches!(segment, "tag" | "author" | "feed" | "category" | "page")
                    && self.table.get(pages::any_term_name(segment), |_| ()).is_some()
            })
        };
        // Without a category in the URL it would be the slug alone, which WordPress does not answer either.
        let named = end > language;
        let same_place = own.host() == key.host() && own.path().get(..own_language) == path.get(..language);
        let dropped = end >= language && own_end >= own_language;
        if named && same_place && dropped && terms(&path[language..end]) && terms(&own.path()[own_language..own_end]) {
            return Record(record, Rule::Category);
        }
        Nothing
    }

    /// The record without the language's directory: users everywhere, anything where languages share ids.
    fn other_language(&self, asked: &Asked<'_>, key: &UrlKey, language: u16) -> Hit {
        let end = self.places.language_directory(key.path());
        if end == 0 || end == key.path().len() {
            return Nothing;
        }
        let hash = crate::urls::hash(&format!("{}{}", key.host(), &key.tail()[end..]));
        match self.direct_hash(asked, hash, language) {
            Record(record, Rule::Exact | Rule::Normalised)
                if matches!(self.kind(record), Kind::User | Kind::Media) || self.shares_ids =>
            {
                Record(record, Rule::OtherLanguage)
            }
            _ => Nothing,
        }
    }

    fn shape(&self, key: &UrlKey) -> Shape {
        pages::shape(&key.path()[self.places.language_directory(key.path())..], key.query())
    }

    /// Why nothing was found.
    fn reason(&self, key: &UrlKey) -> Reason {
        let clean = key.without_noise();
        let key = clean.as_ref().unwrap_or(key);
        match self.shape(key) {
            _ if self.places.is_home(key, None) => Reason::Home,
            Shape::Feed => Reason::Feed,
            Shape::Archive => Reason::Archive,
            Shape::System => Reason::System,
            Shape::Other if key.path().contains("/uploads/") => Reason::File,
            Shape::Other => Reason::Unknown,
        }
    }
}
