//! Fetches the feeds of a site whose REST API is closed or absent: feeds are public. Requests those of posts page by page (`?paged=N`), and
//! the one of the newest comments, which has no pages. The module `feed` parses them; this one only checks whether they are complete.

use super::address::{is_same_site, normalise, with_parameters};
use super::answer::{Verdict, Want};
use super::discover::{Home, base_of};
use super::entries::{Page, read};
use super::log::Gap;
use super::pages::sitemap_of;
use super::session::{Ask, Session, Stop};
use super::sitemap::Sitemap;
use crate::feed::{FeedEntry, identity};
use crate::urls::{self, PageUrl};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The most sitemaps of posts that are read: each lists 1,000 or 2,000.
const MOST_SITEMAPS: usize = 1000;

/// The most pages in a row that may fail before the feed is given up.
const MOST_FAILED: u32 = 2;

/// The counts of what feeds contained.
#[derive(Debug, Default, Serialize)]
pub(super) struct FeedTally {
    /// Answers that were feeds.
    pub(super) got: u64,
    /// Posts with their whole content.
    pub(super) whole: u64,
    /// Posts with a summary only.
    pub(super) summaries: u64,
    /// Posts with a password.
    pub(super) protected: u64,
    /// Comments that were fetched.
    pub(super) comments: u64,
    /// Comments that feeds count but do not contain.
    pub(super) comments_missing: u64,
    /// Posts that sitemaps list; `None` without a sitemap of posts.
    pub(super) listed: Option<u64>,
    /// Listed posts that are missing from all feeds; `None` without a sitemap of posts.
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

/// The fields of a post that are needed here.
#[derive(Default)]
struct Post {
    link: String,
    is_whole: bool,
    is_protected: bool,
    /// The number of its comments, as the feed states it.
    stated: u64,
}

/// The state of fetching a site's feeds.
pub(super) struct FeedWalk<'w, 'o> {
    session: &'w mut Session<'o>,
    site: String,
    posts: BTreeMap<String, Post>,
    /// The ids of comments, by the post that they belong to.
    comments: BTreeMap<String, BTreeSet<i64>>,
    /// The URLs of the posts that sitemaps list.
    listed: BTreeMap<String, String>,
    tally: FeedTally,
}

impl<'w, 'o> FeedWalk<'w, 'o> {
    pub(super) fn new(session: &'w mut Session<'o>, home: &Home) -> Self {
        let (posts, comments, listed) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        FeedWalk { session, site: home.url.clone(), posts, comments, listed, tally: FeedTally::default() }
    }

    /// Fetches the feeds of these types, in each language, then those of comments. Without types: of posts, and of all other types that
    /// sitemaps list. Pages have no feed (`WP::parse_request()`). In an update, also returns the deleted posts.
    pub(super) fn run(mut self, home: &Home, types: &[String]) -> Result<(FeedTally, Vec<FeedEntry>), Stop> {
        let old = self.old_posts()?;
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
                // Without permalinks only query URLs exist.
                let places = [format!("{base}feed/"), format!("{base}?feed=rss2")];
                let [pretty, plain] = places.map(|feed| with_parameters(&feed, &parameter));
                if !self.walk(&pretty)? && !self.walk(&plain)? {
                    break;
                }
            }
        }
        self.absent()?;
        if !self.posts.is_empty() {
            for base in &bases {
                self.comments_at(&format!("{base}comments/feed/"))?;
            }
        }
        self.comments_of_posts()?;
        let gone = self.look_for_gone(old)?;
        Ok((self.end(), gone))
    }

    /// Reads the sitemaps of posts, as named by WordPress and Yoast SEO. Returns the types that they list, posts first.
    fn sitemaps(&mut self, base: &str) -> Result<Vec<String>, Stop> {
        let mut types = vec!["post".to_owned()];
        let mut named = self.session.hosts.sitemaps();
        let count = named.len();
        named.extend(["wp-sitemap.xml", "sitemap_index.xml"].map(|name| format!("{base}{name}")));
        for (number, index) in named.into_iter().enumerate() {
            if number >= count && !self.listed.is_empty() {
                break;
            }
            let Some(found) = self.sitemap(&index)? else { continue };
            for (url, r#type) in found.sitemaps.iter().filter_map(|url| Some((url, type_of(url)?))).take(MOST_SITEMAPS)
            {
                if !types.contains(&r#type) {
                    types.push(r#type);
                }
                let pages = self.sitemap(url)?.map(|sitemap| sitemap.pages).unwrap_or_default();
                let pages = pages.into_iter().filter(|url| base_of(url) != base);
                self.listed.extend(pages.map(|url| (identity(&url), url)));
            }
        }
        Ok(types)
    }

    fn sitemap(&mut self, url: &str) -> Result<Option<Sitemap>, Stop> {
        let Some(url) = normalise(url).filter(|url| is_same_site(&self.site, url)) else { return Ok(None) };
        let ask = Ask { r#type: Some("sitemaps".to_owned()), ..Ask::new(url, Want::Text) };
        let found = sitemap_of(self.session.ask(&ask)?).ok();
        if let Some(fault) = found.as_ref().and_then(|found| found.fault) {
            self.gap(&ask.url, fault.to_owned())?;
        }
        Ok(found)
    }

    /// Fetches the pages of a feed until there are no more, or no new posts. Returns whether the feed exists.
    fn walk(&mut self, feed: &str) -> Result<bool, Stop> {
        let mut url = feed.to_owned();
        let paged = |number: u64| with_parameters(feed, &format!("paged={}", number + 1));
        let mut failed = 0;
        for number in 1..=self.session.options().most_pages {
            let gaps = self.tally.gaps;
            let Some(page) = self.ask(&url, Some(number))? else {
                // A post that cannot be rendered breaks its page, but not the pages after it.
                failed += 1;
                if self.tally.gaps == gaps || failed > MOST_FAILED {
                    return Ok(number > 1);
                }
                url = paged(number);
                continue;
            };
            failed = 0;
            let known = self.posts.len();
            page.posts.into_iter().for_each(|post| self.note(post));
            self.session.step("feeds", self.tally.got, None);
            let goes_on = page.next.filter(|next| *next != url);
            if self.posts.len() == known && goes_on.is_none() {
                return Ok(true);
            }
            url = goes_on.unwrap_or_else(|| paged(number));
        }
        self.gap(feed, format!("more than {} pages", self.session.options().most_pages)).map(|()| true)
    }

    /// Requests the posts that sitemaps list and all feeds lack, each by its own feed (`WP_Query::parse_query()`), and names those that are
    /// not found as gaps.
    fn absent(&mut self) -> Result<(), Stop> {
        let absent = self.listed.iter().filter(|(key, _)| !self.posts.contains_key(*key) && self.tally.got > 0);
        for (key, url) in absent.map(|(key, url)| (key.clone(), url.clone())).collect::<Vec<_>>() {
            let feed = if url.ends_with('/') { format!("{url}feed/") } else { with_parameters(&url, "feed=rss2") };
            let gaps = self.tally.gaps;
            let page = self.ask(&with_parameters(&feed, "withoutcomments=1"), None)?;
            page.into_iter().flat_map(|page| page.posts).for_each(|post| self.note(post));
            if !self.posts.contains_key(&key) && self.tally.gaps == gaps {
                self.gap(&url, "in no feed".to_owned())?;
            }
        }
        Ok(())
    }

    /// In an update: the posts of the previous feeds. Their logged answers are then dropped, so that the feeds are requested again.
    fn old_posts(&mut self) -> Result<BTreeMap<String, FeedEntry>, Stop> {
        let mut old = BTreeMap::new();
        for url in self.session.past().old_feeds.clone() {
            let Some(answer) = self.session.old_page(&url)? else { continue };
            for post in read(&answer.response.body, &answer.url, &self.site).posts {
                old.insert(identity(&post.link), FeedEntry { content: None, excerpt: None, ..post });
            }
        }
        Ok(old)
    }

    /// The posts of the previous feeds that are missing from all feeds now, and whose pages do not exist any more or redirect to another
    /// post.
    fn look_for_gone(&mut self, mut old: BTreeMap<String, FeedEntry>) -> Result<Vec<FeedEntry>, Stop> {
        old.retain(|key, _| !self.posts.contains_key(key));
        let mut gone = Vec::new();
        for post in old.into_values() {
            let Some(url) = normalise(&post.link) else { continue };
            let ask = Ask { r#type: Some("html".to_owned()), ..Ask::new(url, Want::Page) };
            let answer = self.session.ask(&ask)?;
            let has_moved = answer.verdict == Verdict::Good && self.posts.contains_key(&identity(&answer.url));
            if has_moved || matches!(answer.verdict, Verdict::Missing(_)) {
                gone.push(post);
            }
        }
        Ok(gone)
    }

    fn note(&mut self, entry: FeedEntry) {
        let key = identity(&entry.link);
        let post = self.posts.entry(key).or_insert_with(|| Post { link: entry.link, ..Post::default() });
        post.is_whole |= entry.content.is_some();
        post.is_protected |= entry.is_protected;
        post.stated = post.stated.max(entry.comment_count.unwrap_or(0));
    }

    /// Fetches a feed of comments, which has only the newest.
    fn comments_at(&mut self, url: &str) -> Result<(), Stop> {
        let Some(page) = self.ask(url, None)? else { return Ok(()) };
        for entry in page.comments {
            let post = identity(entry.link.split('#').next().unwrap_or_default());
            self.comments.entry(post).or_default().extend(entry.comment);
        }
        Ok(())
    }

    /// Fetches the comment feed of each post that has more comments than are known, and counts those that are still missing.
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

    /// Requests a feed; `None` if it does not exist.
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
            let absent = self.listed.keys().filter(|listed| !self.posts.contains_key(*listed)).count() as u64;
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

/// The post type whose posts a sitemap lists, by the sitemap's name: `wp-sitemap-posts-book-1.xml` of WordPress (`WP_Sitemaps_Posts`) or
/// `book-sitemap2.xml` of Yoast SEO; `None` for pages and for sitemaps of anything else.
fn type_of(url: &str) -> Option<String> {
    let name = url.rsplit('/').next()?.strip_suffix(".xml")?;
    let number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let of_core = name.strip_prefix("wp-sitemap-posts-").and_then(|rest| rest.rsplit_once('-'));
    let of_yoast = || name.split_once("-sitemap").filter(|(name, _)| *name != "wp");
    let (r#type, rest) = of_core.or_else(of_yoast)?;
    let is_other = matches!(r#type, "page" | "attachment" | "category" | "post_tag" | "author" | "post_format");
    (number(rest) && !is_other && !r#type.is_empty()).then(|| r#type.to_owned())
}
