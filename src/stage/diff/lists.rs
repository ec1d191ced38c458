//! Compares links, images, translations and terms as sets: finds which elements were added and which were removed. If an element differs
//! only because its target was moved, added or deleted, it counts as the same.

use super::context::Context;
use super::matches::Fate;
use super::noise::{Noise, Rules};
use crate::ndjson::{Object, Str};
use crate::record::{
    CATEGORY, Image, ImageChanges, Link, LinkChanges, TAG, TermChanges, TermRef, Translation, TranslationChanges,
};
use crate::urls::{UrlKey, split_common_end};
use std::collections::HashSet;

/// The keys by which an element of a list is compared: its URL; the record that it leads to; and, if the record that contains it has moved,
/// the part of the URL after the part that moved.
type Keys = [Option<String>; 3];

/// The elements of `of` that share no key with any of `others`, without duplicates.
fn only<T: Clone>(of: Vec<(T, Keys)>, others: &[(T, Keys)]) -> Vec<T> {
    fn add<'k>(known: &mut [HashSet<&'k str>; 3], keys: &'k Keys) {
        known.iter_mut().zip(keys).for_each(|(known, key)| known.extend(key.as_deref()));
    }
    let mut known: [HashSet<&str>; 3] = Default::default();
    others.iter().for_each(|(_, keys)| add(&mut known, keys));
    let mut found = Vec::new();
    for (one, keys) in &of {
        let is_known = known.iter().zip(keys).any(|(known, key)| key.as_deref().is_some_and(|key| known.contains(key)));
        if !is_known && keys.iter().any(Option::is_some) {
            add(&mut known, keys);
            found.push(one.clone());
        }
    }
    found
}

/// The elements that were added, and those that were removed.
fn compare<T: Clone>(old: Vec<(T, Keys)>, new: Vec<(T, Keys)>) -> (Vec<T>, Vec<T>) {
    let added = only(new.clone(), &old);
    (added, only(old, &new))
}

/// One record of the two that are compared.
#[derive(Clone, Copy)]
pub(super) struct Of<'o, 'l, 'w> {
    pub(super) object: &'o Object<'l>,
    pub(super) is_old: bool,
    /// If it has moved, the part of its address before the end that both addresses share.
    pub(super) moved: Option<&'w str>,
    /// The links or images written in its content: only these are compared; `None` for all elements of its lists.
    pub(super) written: Option<&'w HashSet<String>>,
}

impl Of<'_, '_, '_> {
    fn has(&self, written: Option<&str>) -> bool {
        self.written.is_none_or(|all| written.is_some_and(|written| all.contains(written)))
    }

    fn below(&self, url: &str) -> Option<String> {
        below(url, self.moved)
    }
}

/// The part of a normalised URL after `moved`: if a site or a folder moves, everything in it moves, too.
pub(super) fn below(url: &str, moved: Option<&str>) -> Option<String> {
    let rest = url.strip_prefix(moved?)?;
    (rest.is_empty() || rest.starts_with(['/', '?'])).then(|| rest.to_owned())
}

/// The part of each of two addresses before their common end, if the addresses differ.
pub(super) fn moved(old: &str, new: &str) -> Option<[String; 2]> {
    let keys = [UrlKey::new(old)?.into_string(), UrlKey::new(new)?.into_string()];
    let hosts = || keys.each_ref().map(|key| key.split(['/', '?']).next().unwrap_or_default());
    let tops = split_common_end(&keys[0], &keys[1]).map_or_else(hosts, |(old, new)| [old, new]);
    (tops[0] != tops[1]).then(|| tops.map(str::to_owned))
}

/// Compares the lists of two records of a site.
pub(super) struct Lists<'c> {
    pub(super) context: &'c Context<'c>,
    pub(super) site: &'c str,
}

impl Lists<'_> {
    pub(super) fn links<'o>(&self, old: Of<'o, '_, '_>, new: Of<'o, '_, '_>, rules: &mut Rules) -> LinkChanges<'o> {
        let mut keyed = |of: Of<'o, '_, '_>| -> Vec<(Link<'o>, Keys)> {
            let links = of.object.read::<Vec<Link<'o>>>("links").into_iter();
            let written = links.filter(|link| link.href.is_some() && of.has(link.href.as_deref()));
            written.map(|link| (link.clone(), self.link_keys(&link, of, rules))).collect()
        };
        let (added, removed) = compare(keyed(old), keyed(new));
        LinkChanges { added, removed }
    }

    fn link_keys(&self, link: &Link<'_>, of: Of<'_, '_, '_>, rules: &mut Rules) -> Keys {
        let href = link.href.as_deref().unwrap_or_default();
        // A link within the page: its place on the page does not matter.
        if href.starts_with('#') {
            return [Some("#".to_owned()), None, None];
        }
        let url = Noise::builtin().url(link.url.as_deref().unwrap_or(href), rules).into_owned();
        let below = of.below(&url);
        let target = self.context.target(self.site, &link.target, of.is_old).or_else(|| {
            // WordPress links in this way to the page of a file whose post is not public.
            let id = UrlKey::new(href)
                .filter(|_| link.internal != Some(false))?
                .query()?
                .split('&')
                .find_map(|one| one.strip_prefix("attachment_id=")?.parse::<i64>().ok())?;
            Some(format!("media:{}", if of.is_old { self.context.new_id(self.site, "media", id) } else { id }))
        });
        [Some(url), target, below]
    }

    pub(super) fn images<'o>(&self, old: Of<'o, '_, '_>, new: Of<'o, '_, '_>, rules: &mut Rules) -> ImageChanges<'o> {
        let mut keyed = |of: Of<'o, '_, '_>| -> Vec<(Image<'o>, Keys)> {
            let images = of.object.read::<Vec<Image<'o>>>("images").into_iter();
            let shown = images.filter(|image| image.src.is_some() && of.has(image.src.as_deref()));
            shown
                .map(|image| {
                    let url = image.url.as_deref().or(image.src.as_deref()).unwrap_or_default();
                    let url = Noise::builtin().url(url, rules).into_owned();
                    let target = self.context.target(self.site, &image.target, of.is_old);
                    let below = of.below(&url);
                    (image, [Some(url), target, below])
                })
                .collect()
        };
        let (added, removed) = compare(keyed(old), keyed(new));
        ImageChanges { added, removed }
    }

    /// Compares the translations that the record itself or its page names.
    pub(super) fn translations<'o>(&self, old: Of<'o, '_, '_>, new: Of<'o, '_, '_>) -> TranslationChanges<'o> {
        let keyed = |of: Of<'o, '_, '_>| -> Vec<(Translation<'o>, Keys)> {
            let all = of.object.read::<Vec<Translation<'o>>>("translations").into_iter();
            let is_own = |one: &Translation<'_>| {
                one.source.as_deref().is_none_or(|source| matches!(source, "rest" | "hreflang" | "switcher"))
            };
            all.filter(is_own)
                .map(|one| {
                    let url =
                        one.href.as_deref().map(|href| Noise::builtin().url(href, &mut Rules::default()).into_owned());
                    let id = one.r#type.as_deref().zip(one.id).map(|(r#type, id)| format!("{type}:{id}"));
                    let target = self.context.target(self.site, &one.target, of.is_old).or(id);
                    let below = url.as_deref().and_then(|url| of.below(url));
                    (one, [url, target, below])
                })
                .collect()
        };
        let (mut added, mut removed) = compare(keyed(old), keyed(new));
        let fate = |one: &Translation<'_>| self.context.fate_of(self.site, &one.target);
        // If the target was added or deleted, its own line reports that.
        added.retain(|one| fate(one) != Some(Fate::Unknown));
        removed.retain(|one| fate(one) != Some(Fate::Gone));
        TranslationChanges { added, removed }
    }

    /// Compares the terms in these keys of the records.
    pub(super) fn terms<'o>(&self, old: Of<'o, '_, '_>, new: Of<'o, '_, '_>, keys: &[&str]) -> TermChanges<'o> {
        let bare = |taxonomy: &'static str, id: i64| {
            let taxonomy = Some(Str::from(taxonomy));
            TermRef { taxonomy, id: Some(id), ..TermRef::default() }
        };
        let keyed = |of: Of<'o, '_, '_>| -> Vec<(TermRef<'o>, Keys)> {
            // `terms` comes first, because its entries have more than an id
            let mut terms: Vec<TermRef<'o>> =
                if keys.contains(&"terms") { of.object.read("terms") } else { Vec::new() };
            for (key, taxonomy) in [("categories", CATEGORY), ("tags", TAG)] {
                let ids = if keys.contains(&key) { of.object.read::<Vec<i64>>(key) } else { Vec::new() };
                terms.extend(ids.into_iter().map(|id| bare(taxonomy, id)));
            }
            let key = |taxonomy: &str, id: i64| {
                let id = if of.is_old { self.context.new_id(self.site, taxonomy, id) } else { id };
                format!("{taxonomy}:{id}")
            };
            let keyed = |term: TermRef<'o>| {
                let record = term.taxonomy.as_deref().zip(term.id).map(|(taxonomy, id)| key(taxonomy, id));
                // a term without an id, which only a page names
                let link = term.link.as_deref().filter(|_| record.is_none());
                let url = link.map(|link| Noise::builtin().url(link, &mut Rules::default()).into_owned());
                let below = url.as_deref().and_then(|url| of.below(url));
                (term, [url, record, below])
            };
            terms.into_iter().map(keyed).collect()
        };
        let (added, mut removed) = compare(keyed(old), keyed(new));
        let is_gone = |term: &TermRef<'_>| {
            let of = term.taxonomy.as_deref().zip(term.id);
            of.is_some_and(|(taxonomy, id)| self.context.fate(self.site, taxonomy, id) == Fate::Gone)
        };
        removed.retain(|term| !is_gone(term));
        TermChanges { added, removed }
    }
}
