//! Keeps the account of a site: what was fetched of it, what was refused, and how many gaps there are.

use super::collection::Tally;
use super::discover::Collection;
use super::log::Gap;
use super::media::MediaTally;
use super::pages::PageTally;
use super::reserved::Reserved;
use super::session::{Session, Stop};

#[derive(Default)]
pub(super) struct Account {
    pub(super) api: Option<String>,
    pub(super) collections: Vec<Tally>,
    /// Types that are not content.
    pub(super) left_out: Vec<String>,
    pub(super) pages: PageTally,
    /// What became of the media files, if they were asked for.
    pub(super) media: Option<MediaTally>,
    pub(super) reserved: Reserved,
    pub(super) gaps: u64,
    /// Why the run ended before its end.
    pub(super) stopped: Option<String>,
}

impl Account {
    /// What a person is told at the end.
    pub(super) fn in_words(&self) -> String {
        let counted = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let items: u64 = self.collections.iter().map(|tally| tally.got + tally.gone).sum();
        let state = match self.gaps {
            0 => "complete".to_owned(),
            gaps => format!("not complete, {}", counted(gaps, "gap")),
        };
        let media = self.media.as_ref().map(|media| format!(", {}", counted(media.files, "media file")));
        let (items, pages) = (counted(items, "item"), counted(self.pages.got, "page"));
        format!("{state}: {items}, {pages}{}", media.unwrap_or_default())
    }

    /// A part of the site that is not given out.
    pub(super) fn refuse(&mut self, session: &mut Session<'_>, part: &str, error: String) -> Result<(), Stop> {
        self.gaps += 1;
        session.gap(&Gap { r#type: part.to_owned(), what: "all".to_owned(), error, ..Gap::default() })
    }

    /// A type that the site lists under a route that may not be asked for.
    pub(super) fn refuse_odd(&mut self, session: &mut Session<'_>, collection: &Collection) -> Result<(), Stop> {
        let error = format!("its route is not a plain path: {}", collection.route);
        let (r#type, route) = (collection.r#type.clone(), collection.route.clone());
        let refused = Some(error.clone());
        self.collections.push(Tally { r#type, route, gaps: 1, refused, ..Tally::default() });
        self.refuse(session, &collection.name, error)
    }
}
