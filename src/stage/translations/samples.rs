//! The templates of sites, learnt of the pages that records name as a sample: once for all records and threads, when the first page
//! needs them.

use super::files::{Opened, Pages};
use crate::page::{Learner, PageBuffer, PageReader, Site, Template};
use crate::record::Scrape;
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Pages of a sample that are read: wp-index names fewer.
const PAGES: usize = 64;

/// Templates that are kept: a site has one for each of its languages.
const MOST: usize = 32;

/// The templates learnt last.
#[derive(Default)]
pub(super) struct Templates(Mutex<Vec<(Sample, Arc<OnceLock<Learnt>>)>>);

/// The root of some pages and their places below it.
#[derive(PartialEq, Eq)]
struct Sample {
    root: Option<String>,
    files: Vec<String>,
}

/// What came of a sample.
pub(super) struct Learnt {
    template: Option<Arc<Template>>,
    /// Why pages of it could not be read.
    pub(super) missing: Option<String>,
}

impl Templates {
    /// What the sample of a record's page shows. All of it is a function of the record and the scrape.
    pub(super) fn learn(&self, scrape: &Scrape<'_>, pages: &mut Pages<'_>) -> Arc<OnceLock<Learnt>> {
        let files = scrape.sample.iter().take(PAGES).map(|file| file.to_string()).collect();
        let sample = Sample { root: scrape.root.as_deref().map(str::to_owned), files };
        let slot = {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            match known.iter().find(|(other, _)| *other == sample) {
                Some((_, slot)) => slot.clone(),
                None => {
                    if known.len() == MOST {
                        known.remove(0);
                    }
                    let slot = Arc::<OnceLock<Learnt>>::default();
                    known.push((sample, slot.clone()));
                    slot
                }
            }
        };
        slot.get_or_init(|| learn(scrape, pages));
        slot
    }
}

impl Learnt {
    /// The site of the page that is saved there.
    pub(super) fn site(&self, scrape: &Scrape<'_>) -> Option<Site> {
        let own = scrape.sample.iter().position(|file| Some(&**file) == scrape.file.as_deref());
        self.template.clone().map(|template| Site { template, own })
    }
}

fn learn(scrape: &Scrape<'_>, pages: &mut Pages<'_>) -> Learnt {
    let (mut learner, mut buffer) = (Learner::default(), PageBuffer::default());
    let (mut missing, mut first) = (0, None);
    for (number, file) in scrape.sample.iter().take(PAGES).enumerate() {
        let page = Scrape { root: scrape.root.clone(), file: Some(file.clone()), ..Scrape::default() };
        let read = match pages.open(&page) {
            Opened::Page(file) => {
                let charset = file.charset();
                let mut reader = PageReader::new(file, std::mem::take(&mut buffer)).sent_as(charset.as_deref());
                let read = reader.whole(|html| learner.add(number, html));
                buffer = reader.into_buffer();
                read.map_err(|e| pages.describe(&page, &e))
            }
            Opened::Defect(_, what) | Opened::Refused(what) => Err(what),
            Opened::None => Err(io::Error::from(io::ErrorKind::NotFound).to_string()),
        };
        if let Err(what) = read {
            missing += 1;
            first = first.or(Some(what));
        }
    }
    let of = scrape.sample.len().min(PAGES);
    let missing =
        first.map(|what| format!("{missing} of {of} pages that show what repeats on the site are not read: {what}"));
    Learnt { template: Template::of(&mut learner).map(Arc::new), missing }
}
