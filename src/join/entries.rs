//! Relates the entries of feeds to pages: an entry without an id of its own takes that of the page at its link.

use super::joining::Joining;
use super::settled::{Settled, range};
use super::template_group::TemplateGroup;
use crate::record::Place;
use crate::report::Error;
use crate::scrape::Page;
use crate::urls::UrlKey;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// The most pages at one URL that are examined.
const MOST_LOOKS: usize = 64;

impl Joining {
    /// The link of an entry, mapped to the site; `None` if the scrape was made on the site itself.
    pub(crate) fn link_on_site(&self, link: &str) -> Option<String> {
        let (page, fragment) = link.split_once('#').map_or((link, None), |(page, fragment)| (page, Some(fragment)));
        let key = UrlKey::new(page)?;
        let mapped = self.known.addresses.prefixes.map_url(page, key.as_str())?;
        Some(fragment.map_or_else(|| mapped.clone(), |fragment| format!("{mapped}#{fragment}")))
    }

    /// Notes the keys of entries' links: a page saved at one of these must not become an alias of another record.
    pub(crate) fn learn_links(&mut self, keys: impl Iterator<Item = u64>) {
        self.known.add_linked(keys);
    }

    /// Type (if known) and id of the record that the page at a URL states.
    pub(crate) fn stated_at(&self, key: &str) -> Option<(Option<String>, i64)> {
        let page = self.known.page(self.page_at(key)?);
        let claim = page.claim.as_ref()?;
        Some((page.r#type.as_deref().map(str::to_owned), claim.id))
    }

    /// The language that the page at a URL declares.
    pub(crate) fn language_at(&self, key: &str) -> Option<Arc<str>> {
        self.known.page(self.page_at(key)?).language.clone()
    }

    /// The number of the page at a URL.
    pub(crate) fn page_at(&self, key: &str) -> Option<u32> {
        let shows = |page: &Page| !(page.is_error || page.is_redirect || page.is_older || page.is_archive);
        let pages = self.known.pages_at(key).filter(|at| shows(self.known.page(*at)));
        pages.min_by_key(|at| self.known.keys(self.known.page(*at)).location != key)
    }

    /// Which template a page may have.
    pub(crate) fn kind_of(&self, page: u32) -> TemplateGroup {
        TemplateGroup::of(self.known.page(page))
    }

    /// Where a page is below the root of its scrape.
    ///
    /// # Errors
    /// When that cannot be read again.
    pub(crate) fn file_of(&self, page: u32) -> Result<String, Error> {
        Ok(self.known.site.origin(self.known.page(page))?.0.into_owned())
    }

    /// The HTML of a page; none if it is too long to learn from.
    pub(crate) fn html_of(&self, page: u32, roots: &[String]) -> Option<String> {
        self.known.site.html(self.known.page(page), roots)
    }

    /// Says where the pages of a kind have their content.
    pub(crate) fn learn_place(&mut self, kind: TemplateGroup, place: Place<'static>) {
        self.places.insert(kind, Arc::new(place));
    }

    /// Whether a record has taken the page at a URL.
    pub(crate) fn is_taken_at(&self, key: &str) -> bool {
        self.known.pages_at(key).any(|at| self.fates.is_taken(at))
    }

    /// Whether the text at a URL continues on a second page.
    pub(crate) fn has_further_page(&self, key: &str) -> bool {
        !key.contains('?') && self.known.pages_at(&format!("{key}/2")).next().is_some()
    }
}

impl Settled {
    /// The pages that were saved at a URL, or state it.
    fn pages_at(&self, key: &str) -> impl Iterator<Item = u32> {
        range(&self.by_key, xxh3_64(key.as_bytes())).iter().take(MOST_LOOKS).map(|&(_, at)| at)
    }
}
