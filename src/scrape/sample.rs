//! Chooses a few pages of a site as its sample: what repeats over them belongs to the site, not to the text of one page. The stage
//! that takes contents of pages reads them; here they are only chosen.
//!
//! The chosen pages are those whose URLs have the lowest hashes, so that one page more in the scrape changes at most one of them; pages
//! whose URLs look like those of lists come last. The sample for a page has pages of its own language first, because each language may have
//! its own template, and takes the types of pages in turn.

use super::page::Page;
use super::sites::Site;
use crate::report::Error;
use crate::wordpress::{may_be_list, without_query};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// The paths of the chosen pages below the directory of their scrape.
pub(crate) type Sample = Arc<[Box<str>]>;

/// The most pages in a sample.
const MOST: usize = 16;

/// The most types of pages that take turns in a sample.
const MOST_TYPES: usize = 5;

/// The most pages among which a sample is chosen: those with the lowest hashes.
const MOST_LOOKS: usize = 1000;

/// The most bytes of all paths in a sample with more than [`FEWEST`] pages.
const MOST_BYTES: usize = 1024;
/// The number of pages up to which [`MOST_BYTES`] does not limit a sample.
const FEWEST: usize = 8;

/// The longest path of a page in a sample, in bytes: sites do not give longer names.
const LONGEST: usize = 512;

/// The samples of a site, by the scrape and the language of a page.
#[derive(Default)]
pub(crate) struct Samples(BTreeMap<(u32, Option<String>), Chosen>);

/// The numbers of the pages in a sample, and their paths as soon as they are needed.
struct Chosen {
    pages: Vec<u32>,
    places: OnceCell<Sample>,
}

/// A page that may be in a sample.
struct Candidate<'s> {
    /// Its URL may be that of a list, which shows little of the template of posts.
    is_list: bool,
    hash: u64,
    at: u32,
    page: &'s Page,
}

impl Samples {
    /// Chooses the pages.
    pub(crate) fn of(site: &Site) -> Self {
        let mut roots: BTreeMap<u32, Vec<Candidate<'_>>> = BTreeMap::new();
        for (page, at) in site.pages.iter().zip(0..) {
            if !(page.is_redirect || page.is_error || page.is_archive || page.is_older || page.is_foreign) {
                let location = page.location();
                let (is_list, hash) = (may_be_list(&location), xxh3_64(without_query(&location).as_bytes()));
                roots.entry(page.root).or_default().push(Candidate { is_list, hash, at, page });
            }
        }
        let mut samples = BTreeMap::new();
        for (root, mut pages) in roots {
            pages.sort_unstable_by_key(|candidate| (candidate.is_list, candidate.hash, candidate.at));
            let mut languages: BTreeMap<Option<String>, Vec<&Candidate<'_>>> = BTreeMap::new();
            for candidate in &pages {
                languages.entry(language_of(candidate.page)).or_default().push(candidate);
            }
            for (language, own) in &languages {
                let mut chosen = Vec::new();
                spread(&own[..own.len().min(MOST_LOOKS)], &mut chosen);
                if chosen.len() < MOST {
                    spread(&pages.iter().take(MOST_LOOKS).collect::<Vec<_>>(), &mut chosen);
                }
                let pages = chosen.iter().map(|candidate| candidate.at).collect();
                samples.insert((root, language.clone()), Chosen { pages, places: OnceCell::new() });
            }
        }
        Samples(samples)
    }

    /// The sample for a page of `site`.
    ///
    /// # Errors
    /// When what is known of a page cannot be read again.
    pub(crate) fn sample(&self, page: &Page, site: &Site) -> Result<Sample, Error> {
        let Some(chosen) = self.0.get(&(page.root, language_of(page))) else { return Ok(Sample::default()) };
        if let Some(places) = chosen.places.get() {
            return Ok(places.clone());
        }
        let (mut places, mut bytes) = (Vec::new(), 0);
        for &at in &chosen.pages {
            let (file, _) = site.origin(&site.pages[at as usize])?;
            bytes += file.len();
            if file.len() <= LONGEST && (bytes <= MOST_BYTES || places.len() < FEWEST) {
                places.push(file.into());
            }
        }
        Ok(chosen.places.get_or_init(|| places.into()).clone())
    }
}

/// Adds pages to `chosen`, taking the types in turn, and then pages of any type. No page is added that may show the same text as a chosen
/// one.
fn spread<'p, 's>(pages: &[&'p Candidate<'s>], chosen: &mut Vec<&'p Candidate<'s>>) {
    let mut types: Vec<(Option<&str>, Vec<&Candidate<'_>>)> = Vec::new();
    for &candidate in pages {
        let r#type = candidate.page.r#type.as_deref();
        match types.iter().position(|(known, _)| *known == r#type) {
            Some(at) => types[at].1.push(candidate),
            None if types.len() < MOST_TYPES => types.push((r#type, vec![candidate])),
            None => {}
        }
    }
    let mut turns: Vec<_> = types.into_iter().map(|(_, pages)| pages.into_iter()).collect();
    let mut more = true;
    while more && chosen.len() < MOST {
        more = false;
        for pages in &mut turns {
            if let Some(next) = pages.find(|next| !chosen.iter().any(|other| is_alike(next.page, other.page))) {
                more = true;
                chosen.push(next);
            }
        }
    }
    chosen.truncate(MOST);
    for next in pages {
        if chosen.len() < MOST && !chosen.iter().any(|other| is_alike(next.page, other.page)) {
            chosen.push(next);
        }
    }
}

/// Whether two pages may show the same text: they claim the same record, or their URLs differ only in the query.
fn is_alike(a: &Page, b: &Page) -> bool {
    match (&a.claim, &b.claim) {
        (Some(a), Some(b)) => a.id == b.id,
        _ => {
            let url = |page: &Page| without_query(&page.stated().unwrap_or_else(|| page.location())).to_owned();
            url(a) == url(b)
        }
    }
}

/// The first part of the language that a page says it is in.
pub(crate) fn language_of(page: &Page) -> Option<String> {
    let tag = page.language.as_deref()?;
    tag.split(['-', '_']).next().map(str::to_ascii_lowercase).filter(|tag| !tag.is_empty())
}
