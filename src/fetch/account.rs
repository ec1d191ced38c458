//! Counts the results of fetching one site: the items fetched, the collections refused, the gaps. fetch.json is written from this.

use super::collection::Tally;
use super::discover::{Collection, Home};
use super::feeds::{FeedTally, FeedWalk};
use super::log::Gap;
use super::media::MediaTally;
use super::messages::Messages;
use super::pages::PageTally;
use super::reserved::Reserved;
use super::session::{Session, Stop};
use crate::feed::FeedEntry;

#[derive(Default)]
pub(super) struct Account {
    pub(super) api: Option<String>,
    /// Why there is no API.
    pub(super) api_refused: Option<String>,
    pub(super) collections: Vec<Tally>,
    /// Types that are not content.
    pub(super) left_out: Vec<String>,
    pub(super) pages: PageTally,
    /// Front pages of other blogs that pages name as their versions in other languages.
    pub(super) other_blogs: Vec<String>,
    /// The results of the feeds, if the API is closed.
    pub(super) feeds: Option<FeedTally>,
    /// The results of the media files, if they were asked for.
    pub(super) media: Option<MediaTally>,
    pub(super) reserved: Reserved,
    pub(super) gaps: u64,
    /// Why the run stopped early.
    pub(super) stopped: Option<String>,
}

impl Account {
    /// The summary that wp-fetch prints at the end.
    pub(super) fn in_words(&self) -> String {
        let counted = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let items: u64 = self.collections.iter().map(|tally| tally.got + tally.gone).sum();
        let state = match self.gaps {
            0 => "complete".to_owned(),
            gaps => format!("not complete, {}", counted(gaps, "gap")),
        };
        let media = self.media.as_ref().map(|media| format!(", {}", counted(media.files, "media file")));
        let feeds = self.feeds.as_ref().map(|feeds| {
            let FeedTally { whole, comments, .. } = feeds;
            format!(", {} in feeds ({whole} whole), {}", counted(feeds.posts(), "post"), counted(*comments, "comment"))
        });
        let (items, pages) = (counted(items, "item"), counted(self.pages.got, "page"));
        format!("{state}: {items}, {pages}{}{}", feeds.unwrap_or_default(), media.unwrap_or_default())
    }

    /// Warns of blogs that are not in this fetch.
    pub(super) fn tell_of_other_blogs(&self, messages: &mut Messages<'_>) {
        if !self.other_blogs.is_empty() {
            let urls = self.other_blogs.join(" ");
            messages
                .warn(&format!("its pages name other blogs, each to be fetched into a directory of its own: {urls}"));
        }
    }

    /// Fetches the feeds of a site that answers but whose API is closed or absent; not of one behind a challenge or a login.
    /// In an update, returns the deleted posts.
    pub(super) fn ask_for_feeds(&mut self, session: &mut Session<'_>, home: &Home) -> Result<Vec<FeedEntry>, Stop> {
        let of_posts =
            self.collections.iter().find(|tally| tally.r#type == "post").and_then(|tally| tally.refused.as_ref());
        let why = self.api_refused.as_ref().or(of_posts);
        if !session.options().feeds || !why.is_some_and(|why| home.may_have_feeds(why)) {
            return Ok(Vec::new());
        }
        let types = &session.options().types;
        let (tally, gone) = FeedWalk::new(session, home).run(home, types)?;
        self.gaps += tally.gaps;
        self.feeds = Some(tally);
        Ok(gone)
    }

    /// Counts and logs a part of the site that refused to answer as a gap.
    pub(super) fn refuse(&mut self, session: &mut Session<'_>, part: &str, error: String) -> Result<(), Stop> {
        self.gaps += 1;
        session.gap(&Gap { r#type: part.to_owned(), what: "all".to_owned(), error, ..Gap::default() })
    }

    /// Counts and logs a type whose listed route must not be requested as a gap.
    pub(super) fn refuse_odd(&mut self, session: &mut Session<'_>, collection: &Collection) -> Result<(), Stop> {
        let error = format!("its route is not a plain path: {}", collection.route);
        let (r#type, route) = (collection.r#type.clone(), collection.route.clone());
        let refused = Some(error.clone());
        self.collections.push(Tally { r#type, route, gaps: 1, refused, ..Tally::default() });
        self.refuse(session, &collection.name, error)
    }
}
