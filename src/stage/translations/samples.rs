//! Learns the templates of sites, their repeated texts, from the pages that records name as a sample: once for all records and
//! threads, when the first page needs them.

use super::files::Pages;
use crate::page::{Learner, PageBuffer, Site, Template};
use crate::record::Scrape;
use crate::rights::{RawStatement, Repeated};
use crate::urls::PageUrl;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The most pages of a sample that are read: wp-index names fewer.
const PAGES: usize = 64;

/// The most templates that are kept: a site has one for each of its languages.
const MOST: usize = 128;

/// The templates learnt most recently.
#[derive(Default)]
pub(super) struct Templates {
    known: Mutex<Vec<(Sample, Arc<Slot>)>>,
    /// The reasons why pages could not be read for their statements on rights.
    unread: Mutex<BTreeSet<String>>,
}

/// The root of some pages, and their paths below it.
struct Sample {
    root: Option<String>,
    files: Vec<String>,
}

/// The results of a sample, computed when first needed.
#[derive(Default)]
pub(super) struct Slot {
    learnt: OnceLock<Learnt>,
    rights: OnceLock<Vec<RawStatement>>,
}

/// The result of learning from a sample.
pub(super) struct Learnt {
    template: Option<Arc<Template>>,
    /// The reason why some of its pages could not be read.
    pub(super) missing: Option<String>,
}

impl Sample {
    fn is_of(&self, scrape: &Scrape<'_>) -> bool {
        let files = scrape.sample.iter().take(PAGES).map(|file| &**file);
        self.root.as_deref() == scrape.root.as_deref() && self.files.iter().map(String::as_str).eq(files)
    }
}

impl Slot {
    pub(super) fn learnt(&self) -> Option<&Learnt> {
        self.learnt.get()
    }

    /// The statements on rights in the template, if they were learnt.
    pub(super) fn rights(&self) -> &[RawStatement] {
        self.rights.get().map_or(&[], Vec::as_slice)
    }
}

impl Templates {
    /// Learns the template from the sample of a record's page. The result depends only on the record and the scrape.
    pub(super) fn learn(&self, scrape: &Scrape<'_>, pages: &mut Pages<'_>) -> Arc<Slot> {
        let slot = self.slot(scrape);
        slot.learnt.get_or_init(|| learn(scrape, pages));
        slot
    }

    /// Learns the template's statements on rights.
    pub(super) fn learn_rights(&self, scrape: &Scrape<'_>, pages: &mut Pages<'_>) -> Arc<Slot> {
        let slot = self.slot(scrape);
        slot.rights.get_or_init(|| {
            let mut repeated = Repeated::default();
            let missing = read_each(scrape, pages, |file, html| {
                let url = PageUrl::parse(&format!("http://{file}")).filter(|_| !file.contains('#'));
                repeated.add(html, url.as_ref());
                !repeated.is_done()
            });
            self.unread.lock().unwrap_or_else(PoisonError::into_inner).extend(missing);
            repeated.finish()
        });
        slot
    }

    /// The reasons why pages were not read for their statements on rights.
    pub(super) fn unread(self) -> BTreeSet<String> {
        self.unread.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn slot(&self, scrape: &Scrape<'_>) -> Arc<Slot> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, slot)) = known.iter().find(|(sample, _)| sample.is_of(scrape)) {
            return slot.clone();
        }
        if known.len() == MOST {
            known.remove(0);
        }
        let files = scrape.sample.iter().take(PAGES).map(|file| file.to_string()).collect();
        let sample = Sample { root: scrape.root.as_deref().map(str::to_owned), files };
        let slot = Arc::<Slot>::default();
        known.push((sample, slot.clone()));
        slot
    }
}

impl Learnt {
    /// The site of a page, with the page's number if it is in the sample.
    pub(super) fn site(&self, scrape: &Scrape<'_>) -> Option<Site> {
        let own = scrape.sample.iter().position(|file| Some(&**file) == scrape.file.as_deref());
        self.template.clone().map(|template| Site { template, own })
    }
}

fn learn(scrape: &Scrape<'_>, pages: &mut Pages<'_>) -> Learnt {
    let (mut learner, mut number) = (Learner::default(), 0);
    let missing = read_each(scrape, pages, |file, html| {
        // pages that cannot be read have numbers, too
        number = scrape.sample.iter().position(|own| &**own == file).unwrap_or(number);
        learner.add(number, html);
        true
    });
    Learnt { template: Template::of(&mut learner).map(Arc::new), missing }
}

/// Reads the pages of a sample while `each` asks for more; returns why some cannot be read.
fn read_each(scrape: &Scrape<'_>, pages: &mut Pages<'_>, mut each: impl FnMut(&str, &str) -> bool) -> Option<String> {
    let mut buffer = PageBuffer::default();
    let (mut missing, mut first, mut goes_on) = (0, None, true);
    for file in scrape.sample.iter().take(PAGES) {
        if !goes_on {
            break;
        }
        let page = Scrape { root: scrape.root.clone(), file: Some(file.clone()), ..Scrape::default() };
        if let Err(what) = pages.read(&page, &mut buffer, |html| goes_on = each(file, html)) {
            missing += 1;
            first = first.or(Some(what));
        }
    }
    let of = scrape.sample.len().min(PAGES);
    first.map(|what| format!("{missing} of {of} pages that show what repeats on the site are not read: {what}"))
}
