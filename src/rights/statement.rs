//! Holds a statement about rights as it was found, and turns it into the entry of a record. The lists of kinds, places and scopes are
//! closed.

use super::licence;
use crate::record::{Rights, Str};
use crate::urls::{PageUrl, join};

/// The licence or terms under which something may be used.
pub(crate) const LICENCE: &str = "licence";
/// Uses that are reserved: text and data mining, training.
pub(crate) const RESERVATION: &str = "reservation";
/// The owner, in words.
pub(crate) const COPYRIGHT: &str = "copyright";

const KINDS: [&str; 3] = [LICENCE, RESERVATION, COPYRIGHT];

/// The text of the record, or its file.
pub(crate) const RECORD: &str = "record";
/// A part of the text.
pub(crate) const PART: &str = "part";
/// Images in the text.
pub(crate) const IMAGE: &str = "image";
/// The whole site, this text included.
pub(crate) const SITE: &str = "site";

const SCOPES: [&str; 4] = [RECORD, PART, IMAGE, SITE];

/// An HTTP header of the page.
pub(crate) const HEADER: &str = "header";
/// The site's robots.txt.
pub(crate) const ROBOTS_TXT: &str = "robots.txt";
/// The site's tdmrep.json.
pub(crate) const TDMREP: &str = "tdmrep.json";
/// A `link` in the head.
pub(crate) const LINK: &str = "link";
/// A `meta` in the head.
pub(crate) const META: &str = "meta";
/// A script of JSON-LD.
pub(crate) const JSON_LD: &str = "json-ld";
/// The content of a post, or the description of a file.
pub(crate) const CONTENT: &str = "content";
/// The page, outside of the content.
pub(crate) const PAGE: &str = "page";
/// The parts that repeat on the pages of the site.
pub(crate) const TEMPLATE: &str = "template";
/// The caption of a file.
pub(crate) const CAPTION: &str = "caption";
/// A value that a camera or an image editor wrote into a file.
pub(crate) const IMAGE_META: &str = "image_meta";
/// A metadata field that a plugin adds to a file.
pub(crate) const FIELD: &str = "field";

const PLACES: [&str; 12] =
    [HEADER, ROBOTS_TXT, TDMREP, LINK, META, JSON_LD, CONTENT, PAGE, TEMPLATE, CAPTION, IMAGE_META, FIELD];

/// The most characters in the value of a statement.
const LONGEST: usize = 500;

/// The most bytes in the URL of a statement.
const LONGEST_URL: usize = 2000;

/// The most entries in a record: only a hostile page has more.
const MOST: usize = 64;

/// A statement as found: its words, and the target of its link.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RawStatement {
    pub(crate) kind: &'static str,
    pub(crate) place: &'static str,
    pub(crate) scope: &'static str,
    pub(crate) text: Option<String>,
    pub(crate) href: Option<String>,
}

impl RawStatement {
    /// A licence, given by a link or by its name.
    pub(crate) fn licence(place: &'static str, scope: &'static str, text: Option<&str>, href: Option<&str>) -> Self {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        RawStatement { kind: LICENCE, place, scope, text: owned(text), href: owned(href) }
    }

    pub(crate) fn reservation(place: &'static str, scope: &'static str, value: &str, policy: Option<&str>) -> Self {
        let href = policy.map(str::to_owned);
        RawStatement { kind: RESERVATION, place, scope, text: Some(value.to_owned()), href }
    }

    pub(crate) fn copyright(place: &'static str, scope: &'static str, line: &str) -> Self {
        RawStatement { kind: COPYRIGHT, place, scope, text: Some(line.to_owned()), href: None }
    }

    /// A value from a place for a licence or a copyright line: a link, the name of a licence, or words.
    pub(crate) fn of_value(place: &'static str, scope: &'static str, value: &str) -> Option<Self> {
        let value = value.trim();
        let is_link = ["http://", "https://", "//"].iter().any(|start| value.starts_with(start))
            && !value.contains(char::is_whitespace);
        match value {
            "" => None,
            _ if is_link => Some(RawStatement::licence(place, scope, None, Some(value))),
            _ => Some(match licence::link_in(value) {
                Some(href) => RawStatement::licence(place, scope, None, Some(href)),
                None if licence::by_name(value).is_some() || licence::is_named(value) => {
                    RawStatement::licence(place, scope, Some(value), None)
                }
                None => RawStatement::copyright(place, scope, value),
            }),
        }
    }

    /// Whether it links to an unknown licence.
    pub(super) fn is_unknown(&self) -> bool {
        self.href.as_deref().is_some_and(|href| licence::by_url(href).is_none())
    }

    /// The same statement with a link that does not depend on the page.
    pub(crate) fn on(self, page: Option<&PageUrl>) -> Self {
        let href = self.href.map(|href| match (address_of(&href), page) {
            (Some(own), _) => own,
            (None, Some(_)) => join(page, &href).map_or(href.clone(), |url| url.into_owned()),
            (None, None) => href,
        });
        RawStatement { href, ..self }
    }

    /// The entry; links are resolved against the URL of the page.
    fn settle(self, page: Option<&PageUrl>) -> Option<Rights<'static>> {
        let href = self.href.as_deref().map(str::trim).filter(|href| !href.is_empty());
        let url = href.and_then(|href| address_of(href).or_else(|| join(page, href).map(|url| url.into_owned())));
        let url = url.filter(|url| url.len() <= LONGEST_URL);
        let text = self.text.as_deref().map(in_one_line).filter(|text| !text.is_empty());
        let value = match self.kind {
            LICENCE => {
                let known = url.as_deref().and_then(licence::by_url).flatten();
                let named = || text.as_deref().and_then(licence::by_name);
                let words = || text.clone().filter(|_| url.is_none());
                known.map(str::to_owned).or_else(|| named().map(str::to_owned)).or_else(words)
            }
            _ => text.clone(),
        };
        (value.is_some() || url.is_some()).then(|| Rights {
            kind: Some(self.kind.into()),
            value: value.map(Str::from),
            url: url.map(Str::from),
            place: Some(self.place.into()),
            scope: Some(self.scope.into()),
        })
    }
}

/// The original URL of a Creative Commons licence that a mirror has saved locally.
fn address_of(href: &str) -> Option<String> {
    let own = licence::address_in(href).filter(|_| !href.contains("://") && !href.starts_with("//"))?;
    Some(format!("http://{own}"))
}

/// Collapses white space into single spaces, and cuts text that is longer than any genuine line.
fn in_one_line(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(LONGEST).collect()
}

/// The entries of a record.
pub(crate) fn settle(stated: impl IntoIterator<Item = RawStatement>, page: Option<&PageUrl>) -> Vec<Rights<'static>> {
    merge(stated.into_iter().filter_map(|stated| stated.settle(page)).collect())
}

/// Sorts the entries, and drops duplicates.
pub(crate) fn merge(mut all: Vec<Rights<'_>>) -> Vec<Rights<'_>> {
    fn place(list: &[&str], own: Option<&str>) -> usize {
        list.iter().position(|known| Some(*known) == own).unwrap_or(list.len())
    }
    let number = |entry: &Rights<'_>| {
        let kind = place(&KINDS, entry.kind.as_deref());
        (kind, place(&SCOPES, entry.scope.as_deref()), place(&PLACES, entry.place.as_deref()))
    };
    all.sort_by(|a, b| {
        let texts = |entry: &Rights<'_>| -> [Option<String>; 5] {
            [&entry.value, &entry.url, &entry.kind, &entry.place, &entry.scope]
                .map(|text| text.as_deref().map(str::to_owned))
        };
        number(a).cmp(&number(b)).then_with(|| texts(a).cmp(&texts(b)))
    });
    all.dedup();
    drop_each(&mut all, is_twin);
    drop_each(&mut all, is_said_fully);
    all.truncate(MOST);
    all
}

/// Drops the entries that others make superfluous.
fn drop_each(all: &mut Vec<Rights<'_>>, is_superfluous: fn(&Rights<'_>, &[Rights<'_>]) -> bool) {
    let dropped: Vec<bool> = all.iter().map(|entry| is_superfluous(entry, all)).collect();
    let mut dropped = dropped.into_iter();
    all.retain(|_| dropped.next() == Some(false));
}

/// Whether an entry is the http twin of an https robots.txt: a site has only one, whichever scheme its pages were saved by.
fn is_twin(entry: &Rights<'_>, all: &[Rights<'_>]) -> bool {
    let address = entry.url.as_deref().and_then(|url| url.strip_prefix("http://"));
    let Some(address) = address.filter(|_| entry.place.as_deref() == Some(ROBOTS_TXT)) else { return false };
    all.iter().any(|other| {
        other.url.as_deref().and_then(|url| url.strip_prefix("https://")) == Some(address)
            && (&other.value, &other.place) == (&entry.value, &entry.place)
    })
}

/// Whether an entry is less precise than others, "CC BY" beside "CC-BY-4.0": it names a Creative Commons licence without its version, and
/// they name it with a version, for the same scope or more.
fn is_said_fully(entry: &Rights<'_>, all: &[Rights<'_>]) -> bool {
    let vague = |entry: &Rights<'_>| entry.value.as_deref()?.strip_prefix("CC ").map(str::to_owned);
    let Some(code) = vague(entry).filter(|_| entry.url.is_none()) else { return false };
    let is_version =
        |rest: &str| rest.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let is_full =
        |full: &str| full.strip_prefix("CC-").and_then(|full| full.strip_prefix(code.as_str())).is_some_and(is_version);
    all.iter().any(|other| {
        let is_covered = other.scope == entry.scope || matches!(other.scope.as_deref(), Some(RECORD | SITE));
        is_covered && other.kind.as_deref() == Some(LICENCE) && other.value.as_deref().is_some_and(is_full)
    })
}

/// The entries in `found` that add something to `known`: the same statement in another place adds nothing, unless its scope is wider.
pub(crate) fn beside<'a>(found: Vec<Rights<'a>>, known: &[Rights<'_>]) -> Vec<Rights<'a>> {
    let same = |one: &Rights<'_>, other: &Rights<'_>| {
        let is_wide = matches!(other.scope.as_deref(), Some(RECORD | SITE));
        (&one.kind, &one.value, &one.url) == (&other.kind, &other.value, &other.url)
            && (is_wide || one.scope == other.scope)
    };
    found.into_iter().filter(|one| !known.iter().any(|other| same(one, other))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_in_one_order() {
        let stated = || {
            vec![
                RawStatement::copyright(META, RECORD, " © 2024\n Ann "),
                RawStatement::reservation(META, RECORD, "noai", None),
                RawStatement::licence(TEMPLATE, SITE, None, Some("//creativecommons.org/licenses/by/4.0/")),
                RawStatement::licence(CONTENT, RECORD, None, Some("/terms/")),
                RawStatement::licence(META, RECORD, Some("CC BY-SA 4.0"), None),
            ]
        };
        let page = PageUrl::parse("https://a.example/b/");
        let once = settle(stated(), page.as_ref());
        let twice = settle(stated().into_iter().rev().chain(stated()), page.as_ref());
        assert_eq!(once, twice);
        assert_eq!(merge([once.clone(), once.clone()].concat()), once);
        let short: Vec<_> = once.iter().map(|entry| (entry.value.as_deref(), entry.url.as_deref())).collect();
        let want = [
            (Some("CC-BY-SA-4.0"), None),
            (None, Some("https://a.example/terms/")),
            (Some("CC-BY-4.0"), Some("https://creativecommons.org/licenses/by/4.0/")),
            (Some("noai"), None),
            (Some("© 2024 Ann"), None),
        ];
        assert_eq!(short, want);
    }

    #[test]
    fn what_is_said_more_precisely_elsewhere_is_one() {
        let named = |scope, name| RawStatement::licence(CONTENT, scope, Some(name), None);
        let values = |all: &[RawStatement]| -> Vec<String> {
            settle(all.to_vec(), None).into_iter().map(|one| one.value.unwrap().to_string()).collect()
        };
        let full = named(SITE, "CC BY-SA 4.0");
        assert_eq!(values(&[full.clone(), named(RECORD, "CC BY-SA")]), ["CC-BY-SA-4.0"]);
        assert_eq!(values(&[full.clone(), named(RECORD, "CC BY")]), ["CC BY", "CC-BY-SA-4.0"]);
        assert_eq!(values(&[named(IMAGE, "CC BY 4.0"), named(RECORD, "CC BY")]), ["CC BY", "CC-BY-4.0"]);
    }

    #[test]
    fn a_mirror_keeps_the_address_of_a_licence() {
        let stated =
            RawStatement::licence(CONTENT, RECORD, None, Some("../../creativecommons.org/licenses/by/3.0/index.html"));
        let page = PageUrl::parse("https://a.example/b/");
        let entry = settle([stated], page.as_ref()).remove(0);
        assert_eq!(entry.value.as_deref(), Some("CC-BY-3.0"));
        assert_eq!(entry.url.as_deref(), Some("http://creativecommons.org/licenses/by/3.0/index.html"));
    }

    #[test]
    fn a_file_for_robots_is_one_with_either_scheme() {
        let entry = |url: &str| RawStatement::reservation(ROBOTS_TXT, SITE, "GPTBot", Some(url));
        let both = settle([entry("http://a.example/robots.txt"), entry("https://a.example/robots.txt")], None);
        assert_eq!(both.len(), 1);
        assert_eq!(both[0].url.as_deref(), Some("https://a.example/robots.txt"));
        assert_eq!(
            settle([entry("http://a.example/robots.txt"), entry("https://b.example/robots.txt")], None).len(),
            2
        );
    }
}
