//! Finds records by URLs that WordPress derives from them: shortlinks, numbered pages, archives, other permalinks. The lookup determines
//! the order of the rules.

use super::Hit::{Ambiguous, None as Nothing, Record};
use super::{Hit, Lookup, Query};
use crate::language::LanguageTag;
use crate::registry::blogs::Blog;
use crate::registry::record::RecordKind;
use crate::registry::table::{NAMED, Owner, Role};
use crate::registry::{Rule, pages};
use crate::urls::UrlKey;
use crate::wordpress::{Object, Suffix, is_number, parameters, shortlinks, without_suffix};

impl Lookup {
    /// `?p=`, `?page_id=`, `?attachment_id=`, `?cat=`, `?author=` on a front page.
    /// `blog`: the blog of the record that contains the URL, used if the URL's folder belongs to no blog.
    pub(in crate::registry) fn shortlink(&self, key: &UrlKey, blog: Blog, language: u16) -> Option<u32> {
        let (object, id) = shortlinks(key.query()?).next()?;
        let path = key.path();
        // Only front pages answer shortlinks. A mirror may have put a translation elsewhere, but then a statement says where.
        if !path.is_empty() && !self.is_front(key) {
            return None;
        }
        let (space, fits): (_, fn(RecordKind, &str) -> bool) = match object {
            Object::Term(_) => {
                (RecordKind::Term.space(), |kind, r#type| kind == RecordKind::Term && r#type == "category")
            }
            Object::User => (RecordKind::User.space(), |kind, _| kind == RecordKind::User),
            _ => (RecordKind::Post.space(), |kind, _| matches!(kind, RecordKind::Post | RecordKind::Media)),
        };
        let is_here = |number: u32| !self.is_of_another_site(key.host(), number);
        let fits = |number, kind, r#type: &str| fits(kind, r#type) && is_here(number);
        self.records.referred(space, id?, self.blog_at(key, blog), language, fits)
    }

    /// Whether this is a front page: of the site, of a language or of a blog.
    pub(super) fn is_front(&self, key: &UrlKey) -> bool {
        self.places.is_front(key.host(), key.path()) || self.records.blogs.is_home(key)
    }

    /// `?p=` and the like at the link of a post with a different id: WordPress finds no such post there and redirects to the post with the
    /// id (`redirect_canonical()`).
    pub(super) fn shortlink_of_other(&self, asked: &Query<'_>, key: &UrlKey, language: u16) -> Hit {
        let named = key.query().and_then(|query| shortlinks(query).next());
        let Some((Object::Post, Some(id))) = named.filter(|_| !self.is_front(key)) else {
            return Nothing;
        };
        let hash = crate::urls::hash(key.page());
        let Record(owner, Rule::Exact | Rule::Normalised) = self.direct_hash(asked, hash, language) else {
            return Nothing;
        };
        let is_post = |kind: RecordKind| matches!(kind, RecordKind::Post | RecordKind::Media);
        let blog = self.blog_at(key, asked.blog);
        let found = || self.records.referred(RecordKind::Post.space(), id, blog, language, |_, kind, _| is_post(kind));
        let found = if is_post(self.records.kind(owner)) { found() } else { None };
        found.map_or(Nothing, |record| Record(record, Rule::Shortlink))
    }

    pub(super) fn by_shortlink(&self, asked: &Query<'_>, key: &UrlKey, language: u16) -> Hit {
        let found = self.shortlink(key, asked.blog, language).filter(|_| self.is_front(key));
        found.map_or(Nothing, |record| Record(record, Rule::Shortlink))
    }

    /// A page of a record: the URL without its suffix is the record's link.
    pub(super) fn subpage(&self, asked: &Query<'_>, key: &UrlKey, language: u16) -> Hit {
        let mut path = key.path();
        let mut needs_post = false;
        // `/2/amp/`, `/comment-page-2/amp/`: at most two suffixes, but two numbers are a date.
        for _ in 0..2 {
            let Some((rest, suffix)) = without_suffix(path).filter(|(_, suffix)| *suffix != Suffix::Feed) else {
                return Nothing;
            };
            if [path, rest].iter().all(|path| path.rsplit('/').next().is_some_and(is_number)) {
                return Nothing;
            }
            needs_post |= !matches!(suffix, Suffix::Page | Suffix::Amp);
            path = rest;
            if path.is_empty() || self.places.is_front(key.host(), path) {
                return Nothing;
            }
            let hash = crate::urls::hash(&format!("{}{path}", key.host()));
            match self.direct_hash(asked, hash, language) {
                Record(record, rule)
                    if (rule == Rule::Alias || self.is_link(record, rule))
                        && (!needs_post
                            || matches!(
                                self.records.kind(record),
                                RecordKind::Post | RecordKind::Media | RecordKind::Page
                            )) =>
                {
                    return Record(record, Rule::Subpage);
                }
                Ambiguous => return Ambiguous,
                _ => {}
            }
        }
        Nothing
    }

    /// Whether a record is on an own host that belongs to a different site than `host`, which is an own host, too.
    fn is_of_another_site(&self, host: &str, record: u32) -> bool {
        let other = || UrlKey::new(self.records.link(record));
        self.places.hosts.are_several_sites()
            && other().is_some_and(|key| self.places.hosts.are_apart(host, key.host()))
    }

    /// The only record of a blog with this name, on this host or on those that form one site with it.
    fn only_named(&self, host: &str, blog: Blog, name: &dyn Fn(&str) -> u128) -> Option<Owner> {
        let mut found = None;
        for host in self.places.hosts.together(host) {
            let is_meant = |owner: &&Owner| self.records.blogs.is_meant(owner.record, blog);
            let meant = |owners: &[Owner]| {
                let mut meant = owners.iter().filter(is_meant);
                meant.next().map(|owner| (owners.len() <= NAMED && meant.next().is_none()).then_some(*owner))
            };
            if let Some(owner) = self.records.table.get(name(host), meant).flatten()
                && found.replace(owner?).is_some()
            {
                return None;
            }
        }
        found
    }

    /// Whether some term of the site has this slug.
    fn is_term(&self, host: &str, slug: &str) -> bool {
        let mut hosts = self.places.hosts.together(host).iter();
        hosts.any(|host| self.records.table.get(pages::any_term_name(host, slug), |_| ()).is_some())
    }

    /// A comment whose article is not in the registry.
    pub(super) fn comment(&self, key: &UrlKey, comment: Option<i64>) -> Hit {
        let Some(comment) = comment else { return Nothing };
        let name = format!("{}#comment-{comment}", key.as_str());
        let owner = self.records.table.only(crate::urls::hash(&name)).filter(|owner| owner.role == Role::Comment);
        owner.map_or(Nothing, |owner| Record(owner.record, Rule::Comment))
    }

    /// Archives of authors and terms at URLs other than their link.
    pub(super) fn archive(&self, asked: &Query<'_>, key: &UrlKey) -> Hit {
        let (hosts, path) = (&self.places.hosts, self.below(key));
        // Outside of the site's path, there may be another site: the main blog of a multisite.
        let is_outside = hosts.has_base(key.host()) && hosts.base(key.host(), key.path()) == 0;
        if is_outside && !self.records.blogs.at(key).is_known() {
            return Nothing;
        }
        let blog = self.blog_at(key, asked.blog);
        let only = |name: &dyn Fn(&str) -> u128, kind: RecordKind, rule: Rule| {
            let owner = self.only_named(key.host(), blog, name).filter(|owner| self.records.kind(owner.record) == kind);
            owner.map_or(Nothing, |owner| Record(owner.record, rule))
        };
        if let Some(("", two)) = pages::split_last_two(path) {
            let hit = only(&|host| pages::author_name(host, two), RecordKind::User, Rule::Author);
            if !matches!(hit, Nothing) {
                return hit;
            }
        }
        let query = || key.query().into_iter().flat_map(|query| query.split('&')).filter_map(|p| p.split_once('='));
        if !path.is_empty() {
            return Nothing;
        }
        let value = |name: &str| query().find(|(n, _)| *n == name).map(|(_, value)| value);
        if let Some(record) = self.post_named(key, blog, &value) {
            return Record(record, Rule::Shortlink);
        }
        // The slugs of its ancestors may precede its own slug.
        let last = |slug: &str| {
            slug.rsplit("%2F").next().unwrap_or_default().rsplit('/').next().unwrap_or_default().to_owned()
        };
        let named = |r#type: &str, slug: &str| match only(
            &|host| pages::type_name(host, r#type, &last(slug)),
            RecordKind::Term,
            Rule::Term,
        ) {
            Nothing => only(&|host| pages::type_name(host, r#type, &last(slug)), RecordKind::Post, Rule::Shortlink),
            hit => hit,
        };
        match (value("author_name"), value("category_name"), value("taxonomy"), value("term")) {
            (Some(slug), ..) => only(&|host| pages::author_slug_name(host, slug), RecordKind::User, Rule::Author),
            (_, Some(slug), ..) => named("category", slug),
            (.., Some(taxonomy), Some(slug)) => named(taxonomy, slug),
            _ => query().map(|(name, slug)| named(name, slug)).find(|hit| !matches!(hit, Nothing)).unwrap_or(Nothing),
        }
    }

    /// The post, page or attachment that a query names: `?name=` with a slug, `?pagename=` with a path, `?attachment=` with the slug of a
    /// file without a parent (`WP_Query::parse_query()`).
    fn post_named<'q>(&self, front: &UrlKey, blog: Blog, value: &dyn Fn(&str) -> Option<&'q str>) -> Option<u32> {
        let at = |path: &str| {
            let key = front.with_tail(&format!("{}/{}", front.path(), path.replace("%2F", "/")), None)?;
            self.records.table.only(key.hash()).filter(|owner| owner.role == Role::Link)
        };
        let (owner, r#type) = match (value("name"), value("pagename"), value("attachment")) {
            (Some(slug), ..) => {
                let named = self.only_named(front.host(), blog, &|host| pages::slug_name(host, slug));
                (named, value("post_type").unwrap_or("post"))
            }
            (_, Some(path), _) => (at(path), "page"),
            (.., Some(slug)) => (at(slug), "attachment"),
            _ => return None,
        };
        let record = owner?.record;
        let (kind, own) = self.records.r#type(record);
        (own == r#type || kind == RecordKind::Media && r#type == "attachment").then_some(record)
    }

    /// The same path on another of the site's hosts, if one record owns it there.
    pub(super) fn other_host(&self, asked: &Query<'_>, key: &UrlKey, language: u16) -> Hit {
        let mut found = Nothing;
        if key.path().is_empty() {
            return found;
        }
        for host in self.places.hosts.together(key.host()).iter().filter(|host| ***host != *key.host()) {
            let hash = crate::urls::hash(&format!("{host}{}", key.tail()));
            match (self.direct_hash(asked, hash, language), found) {
                (Record(record, rule), Nothing) if rule <= Rule::Normalised || rule.is_file() => {
                    found = Record(record, Rule::OtherHost);
                }
                (Nothing, _) => {}
                _ => return Nothing,
            }
        }
        found
    }

    /// The post with this `guid`: for many posts, the URL at which they were first published.
    pub(super) fn guid(&self, asked: &Query<'_>, key: &UrlKey) -> Hit {
        // WordPress searches by slug alone if a URL contains the script.
        if asked.url.contains("/index.php") {
            return Nothing;
        }
        let owner = self.records.table.only(pages::guid_name(key.as_str()));
        owner.map_or(Nothing, |owner| Record(owner.record, Rule::Former))
    }

    /// A record's link with parameters that WordPress does not know.
    pub(super) fn query_ignored(&self, asked: &Query<'_>, key: &UrlKey, language: u16) -> Hit {
        let Some(query) = key.query().filter(|_| !self.places.is_front(key.host(), key.path())) else {
            return Nothing;
        };
        let hash = crate::urls::hash(key.page());
        let Record(record, rule) = self.direct_hash(asked, hash, language) else { return Nothing };
        if !self.is_link(record, rule) {
            return Nothing;
        }
        let own = self.records.language_name(self.records[record].language());
        let is_own = |code: &str| {
            let primary = |tag: &str| LanguageTag::parse(tag).map(|tag| tag.primary().to_owned());
            own.is_some_and(|own| primary(own) == primary(code))
        };
        let means_nothing = parameters(query).all(|parameter| match parameter {
            ("lang", code) => is_own(code),
            (name, _) => self.means_nothing(name),
        });
        if means_nothing { Record(record, Rule::QueryIgnored) } else { Nothing }
    }

    /// A post whose category is missing from the URL or differs: only one record has the slug, and all other parts of both paths are slugs
    /// of terms, in the same language's directory.
    pub(super) fn category(&self, asked: &Query<'_>, key: &UrlKey) -> Hit {
        if key.query().is_some() {
            return Nothing;
        }
        let split = |path: &str| -> Option<(usize, usize)> {
            Some((self.places.root(key.host(), path), pages::split_last(path)?.0.len()))
        };
        let path = key.path();
        let Some((language, end)) = split(path) else { return Nothing };
        let blog = self.blog_at(key, asked.blog);
        let owner = self.only_named(key.host(), blog, &|host| pages::slug_name(host, &path[end + 1..]));
        let Some(record) = owner.map(|owner| owner.record).filter(|&r| self.records.r#type(r).0 == RecordKind::Post)
        else {
            return Nothing;
        };
        let Some(own) = UrlKey::new(self.records.link(record)) else { return Nothing };
        let Some((own_language, own_end)) = split(own.path()) else { return Nothing };
        let terms = |path: &str| {
            path.split('/').filter(|segment| !segment.is_empty()).all(|segment| {
                let is_own = Object::of_folder(segment).is_some() || matches!(segment, "feed" | "page");
                !is_own && self.is_term(key.host(), segment)
            })
        };
        // Without a category in the URL, only the slug would match, which WordPress does not accept either.
        let named = end > language;
        let same_place = own.host() == key.host() && own.path().get(..own_language) == path.get(..language);
        let dropped = end >= language && own_end >= own_language;
        if named && same_place && dropped && terms(&path[language..end]) && terms(&own.path()[own_language..own_end]) {
            return Record(record, Rule::Category);
        }
        Nothing
    }

    /// The record at the URL without the language's directory: for users and media always, for others if languages share ids. The default
    /// language has no directory, but WordPress redirects from one.
    pub(super) fn other_language(&self, asked: &Query<'_>, key: &UrlKey, language: u16) -> Hit {
        let (host, path) = (key.host(), key.path());
        let base = self.places.hosts.base(host, path);
        let (end, is_default) = match self.places.language_directory(path) {
            0 => (self.default_directory(path, base), true),
            end => (end, false),
        };
        if end <= base || end == path.len() {
            return Nothing;
        }
        let hash = crate::urls::hash(&format!("{host}{}{}", &path[..base], &key.tail()[end..]));
        match self.direct_hash(asked, hash, language) {
            Record(record, Rule::Exact | Rule::Normalised)
                if is_default
                    && self.places.languages.default_language() == Some(self.records[record].firm_language())
                    || !is_default
                        && (matches!(self.records.kind(record), RecordKind::User | RecordKind::Media)
                            || self.shares_ids) =>
            {
                Record(record, Rule::OtherLanguage)
            }
            _ => Nothing,
        }
    }

    /// Where the directory of the default language would end in a path; `base` is the length of the site's own path in it. 0 if the path is
    /// not in such a directory.
    fn default_directory(&self, path: &str, base: usize) -> usize {
        let name = self.places.languages.default_language().and_then(|number| self.records.language_name(number));
        let Some(segment) = path[base..].split('/').nth(1) else { return 0 };
        let primary = |tag: &str| LanguageTag::parse(tag).map(|tag| tag.primary().to_owned());
        let is_own = name.is_some_and(|name| primary(name) == primary(segment));
        if is_own && segment.len() <= 5 { base + 1 + segment.len() } else { 0 }
    }
}
