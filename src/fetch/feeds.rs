//! Fetches the feeds of a site whose API is closed or absent: it publishes them to everybody. Those of its posts are asked for page by page
//! (`?paged=N`), and the newest comments, which have no pages. What they hold is read by `feed`, for the sake of completeness alone.

use super::address::{is_same_site, normalise, with_parameters};
use super::answer::{Verdict, Want};
use super::discover::{Home, base_of};
use super::log::Gap;
use super::pages::sitemap_of;
use super::session::{Ask, Session, Stop};
use super::sitemap::Sitemap;
use crate::feed::{self, Entry, Found, identity};
use crate::urls::{self, PageUrl};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Sitemaps of posts that are read: each lists 1,000 or 2,000.
const MOST_SITEMAPS: usize = 1000;

/// Bytes of the longest entry that is looked at.
const LONGEST: usize = 64 << 20;

/// What feeds have told.
#[derive(Debug, Default, Serialize)]
pub(super) struct FeedTally {
    /// Answers that were feeds.
    pub(super) got: u64,
    /// Posts with their whole content, with a summary of it, and with a password.
    pub(super) whole: u64,
    pub(super) summaries: u64,
    pub(super) protected: u64,
    /// Comments that came, and those that the feeds count beside.
    pub(super) comments: u64,
    pub(super) comments_missing: u64,
    /// Posts that sitemaps list, and those of them that are in no feed; none without a sitemap of posts.
    pub(super) listed: Option<u64>,
    pub(super) absent: Option<u64>,
    /// Feeds that robots.txt forbids.
    pub(super) disallowed: u64,
    pub(super) gaps: u64,
}

impl FeedTally {
    pub(super) fn posts(&self) -> u64 {
        self.whole + self.summaries + self.protected
    }
}

/// A post, as far as it is looked at.
struct Post {
    link: String,
    is_whole: bool,
    is_protected: bool,
    /// How many comments it has.
    stated: u64,
}

/// The feeds of a site on their way.
pub(super) struct FeedWalk<'w, 'o> {
    session: &'w mut Session<'o>,
    site: String,
    posts: BTreeMap<String, Post>,
    /// By their posts.
    comments: BTreeMap<String, BTreeSet<i64>>,
    /// The posts that sitemaps list.
    listed: BTreeSet<String>,
    tally: FeedTally,
}

/// What a feed has.
struct Page {
    posts: Vec<Entry>,
    comments: Vec<Entry>,
    /// Where the feed says that it goes on (RFC 5005).
    next: Option<String>,
    /// Entries that cannot be read.
    broken: u64,
}

impl<'w, 'o> FeedWalk<'w, 'o> {
    pub(super) fn new(session: &'w mut Session<'o>, home: &Home) -> Self {
        let (posts, comments, listed) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        FeedWalk { session, site: home.url.clone(), posts, comments, listed, tally: FeedTally::default() }
    }

    /// Fetches the feeds of these types, in each language; then those of comments. Of no types: posts, and what else sitemaps list. Pages
    /// have no feed (`WP::parse_request()`).
    pub(super) fn run(mut self, home: &Home, types: &[String]) -> Result<FeedTally, Stop> {
        let mut bases = vec![base_of(&home.url)];
        let listed = self.sitemaps(&bases[0])?;
        let types = if types.is_empty() { listed } else { types.to_vec() };
        let page = PageUrl::parse(&home.url);
        let versions = home.head.alternates.iter().filter_map(|other| urls::join(page.as_ref(), &other.href));
        for base in versions.filter_map(|url| normalise(&url)).filter(|url| is_same_site(&home.url, url)) {
            let base = base_of(&base);
            if !bases.contains(&base) {
                bases.push(base);
            }
        }
        for base in &bases {
            for r#type in &types {
                let parameter = if r#type == "post" { String::new() } else { format!("post_type={type}") };
                // Without permalinks there are queries alone.
                let places = [format!("{base}feed/"), format!("{base}?feed=rss2")];
                let [pretty, plain] = places.map(|feed| with_parameters(&feed, &parameter));
                if !self.walk(&pretty)? && !self.walk(&plain)? {
                    break;
                }
            }
        }
        if !self.posts.is_empty() {
            for base in &bases {
                self.comments_at(&format!("{base}comments/feed/"))?;
            }
        }
        self.comments_of_posts()?;
        Ok(self.end())
    }

    /// Reads the sitemaps of posts, as WordPress and Yoast SEO name them. Returns the types that they list, posts first.
    fn sitemaps(&mut self, base: &str) -> Result<Vec<String>, Stop> {
        let mut types = vec!["post".to_owned()];
        let mut named = self.session.sitemaps();
        named.extend(["wp-sitemap.xml", "sitemap_index.xml"].map(|name| format!("{base}{name}")));
        for index in named {
            let Some(found) = self.sitemap(&index)? else { continue };
            for (url, r#type) in found.sitemaps.iter().filter_map(|url| Some((url, type_of(url)?))).take(MOST_SITEMAPS)
            {
                if !types.contains(&r#type) {
                    types.push(r#type);
                }
                let pages = self.sitemap(url)?.map(|sitemap| sitemap.pages).unwrap_or_default();
                let is_front = |url: &String| base_of(url) == base;
                self.listed.extend(pages.iter().filter(|url| !is_front(url)).map(|url| identity(url)));
            }
            break;
        }
        Ok(types)
    }

    fn sitemap(&mut self, url: &str) -> Result<Option<Sitemap>, Stop> {
        let Some(url) = normalise(url).filter(|url| is_same_site(&self.site, url)) else { return Ok(None) };
        let ask = Ask { r#type: Some("sitemaps".to_owned()), ..Ask::new(url, Want::Text) };
        Ok(sitemap_of(self.session.ask(&ask)?).ok())
    }

    /// Fetches the pages of a feed until it has no more, or no new post. Returns whether it is there.
    fn walk(&mut self, feed: &str) -> Result<bool, Stop> {
        let mut url = feed.to_owned();
        for number in 1..=self.session.options().most_pages {
            let Some(page) = self.ask(&url, Some(number))? else { return Ok(number > 1) };
            let known = self.posts.len();
            page.posts.into_iter().for_each(|post| self.note(post));
            self.session.step("feeds", self.tally.got, None);
            let goes_on = page.next.filter(|next| *next != url);
            if self.posts.len() == known && goes_on.is_none() {
                return Ok(true);
            }
            url = goes_on.unwrap_or_else(|| with_parameters(feed, &format!("paged={}", number + 1)));
        }
        self.gap(feed, format!("more than {} pages", self.session.options().most_pages)).map(|()| true)
    }

    fn note(&mut self, entry: Entry) {
        let post = self.posts.entry(identity(&entry.link)).or_insert_with(|| Post {
            link: entry.link,
            is_whole: false,
            is_protected: false,
            stated: 0,
        });
        post.is_whole |= entry.content.is_some();
        post.is_protected |= entry.is_protected;
        post.stated = post.stated.max(entry.comment_count.unwrap_or(0));
    }

    /// Fetches a feed of comments, which has the newest alone.
    fn comments_at(&mut self, url: &str) -> Result<(), Stop> {
        let Some(page) = self.ask(url, None)? else { return Ok(()) };
        for entry in page.comments {
            let post = identity(entry.link.split('#').next().unwrap_or_default());
            self.comments.entry(post).or_default().extend(entry.comment);
        }
        Ok(())
    }

    /// Fetches the feed of each post that has more comments than are known, and counts those that are in none.
    fn comments_of_posts(&mut self) -> Result<(), Stop> {
        let wanted: Vec<(String, String, u64)> = self
            .posts
            .iter()
            .filter(|(_, post)| post.stated > 0)
            .map(|(key, post)| (key.clone(), post.link.clone(), post.stated))
            .collect();
        for (key, link, stated) in wanted {
            let known = |walk: &Self| walk.comments.get(&key).map_or(0, |comments| comments.len() as u64);
            if known(self) < stated && link.ends_with('/') {
                self.comments_at(&format!("{link}feed/"))?;
            }
            let missing = stated.saturating_sub(known(self));
            if missing > 0 {
                self.tally.comments_missing += missing;
                self.gap(&link, format!("{missing} of {stated} comments are in no feed"))?;
            }
        }
        Ok(())
    }

    /// Asks for a feed; none if there is no such one.
    fn ask(&mut self, url: &str, page: Option<u64>) -> Result<Option<Page>, Stop> {
        let ask = Ask { r#type: Some("feeds".to_owned()), page, ..Ask::new(url.to_owned(), Want::Feed) };
        let answer = self.session.ask(&ask)?;
        match &answer.verdict {
            Verdict::Good => {}
            Verdict::Refused(why) if why.starts_with("robots.txt") => {
                self.tally.disallowed += 1;
                return Ok(None);
            }
            Verdict::Missing(_) | Verdict::PastEnd => return Ok(None),
            Verdict::Refused(why) if why.starts_with("not a feed") => return Ok(None),
            verdict => {
                let error = verdict.error().unwrap_or("no feed").to_owned();
                return self.gap(url, error).map(|()| None);
            }
        }
        self.tally.got += 1;
        let page = read(&answer.response.body, &answer.url, &self.site);
        if page.broken > 0 {
            self.gap(url, format!("{} entries cannot be read", page.broken))?;
        }
        Ok(Some(page))
    }

    fn end(mut self) -> FeedTally {
        for post in self.posts.values() {
            match () {
                () if post.is_protected => self.tally.protected += 1,
                () if post.is_whole => self.tally.whole += 1,
                () => self.tally.summaries += 1,
            }
        }
        if !self.listed.is_empty() {
            let absent = self.listed.iter().filter(|listed| !self.posts.contains_key(*listed)).count() as u64;
            (self.tally.listed, self.tally.absent) = (Some(self.listed.len() as u64), Some(absent));
        }
        self.tally.comments = self.comments.values().map(|comments| comments.len() as u64).sum();
        self.tally
    }

    fn gap(&mut self, link: &str, error: String) -> Result<(), Stop> {
        self.tally.gaps += 1;
        let (r#type, what, link) = ("feeds".to_owned(), "feed".to_owned(), Some(link.to_owned()));
        self.session.gap(&Gap { r#type, what, link, error, ..Gap::default() })
    }
}

/// The post type that a sitemap lists by its name, `wp-sitemap-posts-book-1.xml` of WordPress (`WP_Sitemaps_Posts`) or
/// `book-sitemap2.xml` of Yoast SEO; none of pages and of what is no post.
fn type_of(url: &str) -> Option<String> {
    let name = url.rsplit('/').next()?.strip_suffix(".xml")?;
    let number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let of_core = name.strip_prefix("wp-sitemap-posts-").and_then(|rest| rest.rsplit_once('-'));
    let of_yoast = || name.split_once("-sitemap").filter(|(name, _)| *name != "wp");
    let (r#type, rest) = of_core.or_else(of_yoast)?;
    let is_other = matches!(r#type, "page" | "attachment" | "category" | "post_tag" | "author" | "post_format");
    (number(rest) && !is_other && !r#type.is_empty()).then(|| r#type.to_owned())
}

/// Reads a feed of the site.
fn read(body: &[u8], url: &str, site: &str) -> Page {
    let next = feed::next_of(body, url).and_then(|next| normalise(&next)).filter(|next| is_same_site(site, next));
    let mut page = Page { posts: Vec::new(), comments: Vec::new(), next, broken: 0 };
    let mut reading = feed::Reading::new(body, Some(url), "", LONGEST);
    // Bytes in memory can be read.
    while let Ok(Some(found)) = reading.next() {
        match found {
            Found::Entry(entry) if entry.comment.is_some() => page.comments.push(*entry),
            Found::Entry(entry) => page.posts.push(*entry),
            Found::Foreign => {}
            Found::Broken(..) => page.broken += 1,
        }
    }
    page
}
