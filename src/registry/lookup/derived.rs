//! URLs that WordPress derives from records: shortlinks, their pages, archives, other permalinks. The lookup determines
//! the order of the rules.

use super::Hit::{Ambiguous, None as Nothing, Record};
use super::{Hit, Query};
use crate::registry::table::Role;
use crate::registry::{Kind, Registry, Rule, pages};
use crate::urls::UrlKey;

/// The name and the id of a query parameter that may make a shortlink; no id if it is not a number.
pub(in crate::registry) fn shortlink_name(parameter: &str) -> Option<(&str, Option<i64>)> {
    let (name, value) = parameter.split_once('=')?;
    matches!(name, "p" | "page_id" | "attachment_id" | "cat" | "author").then(|| (name, value.parse().ok()))
}

impl Registry {
    /// `?p=`, `?page_id=`, `?attachment_id=`, `?cat=`, `?author=` on a front page.
    pub(in crate::registry) fn shortlink(&self, key: &UrlKey, language: u16) -> Option<u32> {
        let (name, id) = key.query()?.split('&').find_map(shortlink_name)?;
        let path = key.path();
        if !path.is_empty() && self.places.language_directory(path) != path.len() {
            return None;
        }
        let (space, fits): (_, fn(Kind, &str) -> bool) = match name {
            "cat" => (Kind::Term.space(), |kind, r#type| kind == Kind::Term && r#type == "category"),
            "author" => (Kind::User.space(), |kind, _| kind == Kind::User),
            "attachment_id" => (Kind::Media.space(), |kind, _| kind == Kind::Media),
            _ => (Kind::Post.space(), |kind, _| matches!(kind, Kind::Post | Kind::Media)),
        };
        self.referred(space, id?, language, fits)
    }

    pub(super) fn by_shortlink(&self, key: &UrlKey, language: u16) -> Hit {
        self.shortlink(key, language).map_or(Nothing, |record| Record(record, Rule::Shortlink))
    }

    /// A page of a record: without its suffix, the URL is the record's link.
    pub(super) fn subpage(&self, asked: &Query<'_>, key: &UrlKey, language: u16) -> Hit {
        let mut path = key.path();
        let mut needs_post = false;
        // `/2/amp/`, `/comment-page-2/amp/`: at most two suffixes.
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

    /// A comment whose article is not in the registry.
    pub(super) fn comment(&self, key: &UrlKey, comment: Option<i64>) -> Hit {
        let Some(comment) = comment else { return Nothing };
        let name = format!("{}#comment-{comment}", key.as_str());
        let owner = self.table.only(crate::urls::hash(&name)).filter(|owner| owner.role == Role::Comment);
        owner.map_or(Nothing, |owner| Record(owner.record, Rule::Comment))
    }

    /// Archives of authors and terms at URLs other than their link.
    pub(super) fn archive(&self, key: &UrlKey) -> Hit {
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

    /// A post whose category is missing from the URL or differs: only one record has the slug, and everything else in
    /// both paths is slugs of terms, in the same language's directory.
    pub(super) fn category(&self, key: &UrlKey) -> Hit {
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
        // Without a category in the URL only the slug would match, which WordPress does not accept either.
        let named = end > language;
        let same_place = own.host() == key.host() && own.path().get(..own_language) == path.get(..language);
        let dropped = end >= language && own_end >= own_language;
        if named && same_place && dropped && terms(&path[language..end]) && terms(&own.path()[own_language..own_end]) {
            return Record(record, Rule::Category);
        }
        Nothing
    }

    /// The record without the language's directory: for users always, for others if languages share ids.
    pub(super) fn other_language(&self, asked: &Query<'_>, key: &UrlKey, language: u16) -> Hit {
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
}
