//! Fetches the site's HTML pages: those that show a record, their versions in other languages, and those that sitemaps list. It follows no
//! links, so it cannot fall into a crawler trap.

use super::address::{is_same_site, normalise, path_and_query};
use super::answer::{Answer, Verdict, Want};
use super::blogs::{OtherBlogs, Shown, shown};
use super::discover::Home;
use super::file_names::tree_path;
use super::folder::Tree;
use super::log::Gap;
use super::session::{Ask, Session, Stop};
use super::{Pages, http, sitemap};
use crate::page::{Head, PageBuffer, read_head};
use crate::urls::{self, PageUrl};
use std::collections::{BTreeSet, HashSet, VecDeque};

/// Parts of URLs that are never requested: they change something, ask for a login, have no end, or repeat another page.
const NEVER: &str = "\
    /wp-login /wp-admin /xmlrpc.php /wp-json/ /cart/ /checkout/ /my-account/ /feed/ /trackback/ replytocom= \
    share= add-to-cart= add_to_cart= remove_item= add_to_wishlist= _wpnonce= action=logout ical= eventdisplay= \
    tribe-bar-date= outlook-ical= post_type=";

/// Those parts of [`NEVER`] that may be in a record's own URL; in other URLs they mark a repeated page.
const OWN: [&str; 2] = ["/feed/", "post_type="];

/// Endings of files that are not pages.
const FILES: [&str; 28] = [
    "jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "ico", "bmp", "tif", "tiff", "heic", "pdf", "mp3", "m4a",
    "ogg", "wav", "mp4", "m4v", "mov", "webm", "avi", "zip", "gz", "docx", "xlsx", "pptx", "epub",
];

/// The most versions in other languages to request of one page: WordPress has 200 languages.
const MOST_VERSIONS: usize = 250;

/// The most steps from a page to a version of a version.
const MOST_STEPS: u32 = 2;

#[derive(Clone, Debug, Default, serde::Serialize)]
pub(super) struct PageTally {
    pub(super) got: u64,
    /// Pages that do not exist any more.
    pub(super) missing: u64,
    pub(super) disallowed: u64,
    /// Pages that are on another site, or redirect there.
    pub(super) elsewhere: u64,
    pub(super) not_html: u64,
    /// Pages of records that are never requested: carts, logins, URLs that change something.
    pub(super) left_out: u64,
    /// Pages that were fetched, but whose path the file system does not allow.
    pub(super) only_in_archive: u64,
    pub(super) gaps: u64,
}

/// The state of fetching a site's pages.
pub(super) struct PageWalk<'w, 'o> {
    session: &'w mut Session<'o>,
    site: String,
    tree: Option<Tree>,
    queue: VecDeque<Queued>,
    known: HashSet<String>,
    /// The URLs of the pages found.
    there: HashSet<String>,
    /// The URLs that have no page any more: it was deleted, or they redirect elsewhere.
    absent: HashSet<String>,
    /// In an update: the former URLs of deleted records and of records that have moved.
    left: BTreeSet<String>,
    /// For each page that is not a version of another: how many versions in other languages it and its versions have named.
    versions: Vec<usize>,
    buffer: PageBuffer,
    blogs: OtherBlogs,
    tally: PageTally,
}

struct Queued {
    url: String,
    /// Whether a logged answer will do.
    is_same: bool,
    /// The page that it is a version of, by its number.
    of: usize,
    /// The number of steps from that page.
    steps: u32,
}

impl<'w, 'o> PageWalk<'w, 'o> {
    pub(super) fn new(session: &'w mut Session<'o>, site: &str, tree: Option<Tree>, left: &BTreeSet<String>) -> Self {
        PageWalk {
            session,
            site: site.to_owned(),
            tree,
            queue: VecDeque::new(),
            known: HashSet::new(),
            there: HashSet::new(),
            absent: HashSet::new(),
            left: left.iter().filter_map(|link| normalise(link)).collect(),
            versions: Vec::new(),
            buffer: PageBuffer::default(),
            blogs: OtherBlogs::default(),
            tally: PageTally::default(),
        }
    }

    /// Fetches the front page's other languages, the pages at `links`, those that sitemaps list if requested, and all versions in other
    /// languages that these name. Each link comes with a flag: whether its record is unchanged since the run before the update.
    pub(super) fn run(&mut self, home: &Home, links: &[(String, bool)]) -> Result<(), Stop> {
        self.known.insert(home.url.clone());
        self.there.insert(home.url.clone());
        self.versions.push(0);
        self.blogs = OtherBlogs::than(&home.head);
        let front = Queued { url: home.url.clone(), is_same: false, of: 0, steps: 0 };
        self.take_alternates(&home.url, &home.head, &front)?;
        self.write(&home.url, &home.body)?;
        links.iter().for_each(|(link, is_same)| self.add_own(link, *is_same));
        if self.session.options().pages == Pages::All {
            self.sitemaps(home)?;
        }
        self.walk()
    }

    /// Fetches all pages in the queue.
    fn walk(&mut self) -> Result<(), Stop> {
        while let Some(queued) = self.queue.pop_front() {
            let Queued { url, is_same, .. } = &queued;
            let ask = Ask { r#type: Some("html".to_owned()), is_same: *is_same, ..Ask::new(url.clone(), Want::Page) };
            let answer = self.session.ask(&ask)?;
            self.take(&queued, answer)?;
            let total = self.known.len() as u64;
            self.session.step("HTML pages", total - self.queue.len() as u64, Some(total));
        }
        Ok(())
    }

    /// In an update: the deleted and moved pages, by their former URLs. Requests the versions in other languages of records that were
    /// deleted or moved. If `is_whole`, also requests all earlier pages that this walk has not reached; otherwise, an earlier page that
    /// names one of the deleted `items` counts as deleted, too. A page that just fails to answer does not.
    pub(super) fn look_for_gone(&mut self, is_whole: bool, items: &BTreeSet<Shown>) -> Result<BTreeSet<String>, Stop> {
        let mut gone = self.left.clone();
        let old = self.session.past().old.clone();
        let mut doubtful = if is_whole { old.clone() } else { BTreeSet::new() };
        for link in gone.clone() {
            let Some(page) = self.session.old_page(&link)? else { continue };
            let head = read_head(page.response.body.as_slice(), &mut self.buffer).unwrap_or_default();
            doubtful.extend(alternates(&page.url, &head).iter().filter_map(|url| normalise(url)));
            gone.insert(page.url);
        }
        let unseen = old.iter().filter(|url| !is_whole && !items.is_empty() && !self.there.contains(*url));
        for url in unseen.filter(|url| !gone.contains(*url)).cloned().collect::<Vec<_>>() {
            let Some(page) = self.session.old_page(&url)? else { continue };
            let head = read_head(page.response.body.as_slice(), &mut self.buffer).unwrap_or_default();
            gone.extend(shown(&head).filter(|shown| items.contains(shown)).map(|_| url));
        }
        // Another record may be at its URL now.
        gone.retain(|url| old.contains(url) && !self.there.contains(url));
        doubtful.retain(|url| old.contains(url) && !gone.contains(url));
        doubtful.into_iter().for_each(|url| self.push(url, false));
        self.walk()?;
        gone.extend(old.into_iter().filter(|url| self.absent.contains(url)));
        Ok(gone)
    }

    /// Returns the counts, the files of the pages in `gone` except those that an existing page shares, and other blogs.
    pub(super) fn end(self, gone: &BTreeSet<String>) -> (PageTally, Vec<Vec<String>>, Vec<String>) {
        let there: HashSet<Vec<String>> = self.there.iter().map(|url| tree_path(url)).collect();
        let files = gone.iter().map(|url| tree_path(url)).filter(|path| !there.contains(path)).collect();
        (self.tally, files, self.blogs.homes())
    }

    /// Queues the page of a record, or counts why not. A record's slug may be `feed`, and it may have no other URL than
    /// `?post_type=book&p=4`.
    fn add_own(&mut self, link: &str, is_same: bool) {
        let url = normalise(link);
        url.iter().for_each(|url| self.blogs.note_link(url));
        match url {
            Some(url) if !is_same_site(&self.site, &url) => self.tally.elsewhere += 1,
            Some(url) if is_file(&url) => self.tally.not_html += 1,
            Some(url) if may_be_asked(&url, &|part| OWN.contains(&part)) => self.push(url, is_same),
            _ => self.tally.left_out += 1,
        }
    }

    /// The URL normalised, if it is a page of this site that may be requested.
    fn own_page(&self, url: &str) -> Option<String> {
        normalise(url).filter(|url| is_same_site(&self.site, url) && may_be_page(url))
    }

    fn push(&mut self, url: String, is_same: bool) {
        if self.known.insert(url.clone()) {
            self.queue.push_back(Queued { url, is_same, of: self.versions.len(), steps: 0 });
            self.versions.push(0);
        }
    }

    fn take(&mut self, queued: &Queued, answer: Answer) -> Result<(), Stop> {
        let url = &queued.url;
        let is_elsewhere = |why: &str| why.starts_with("it leads to another site") || why.starts_with("not HTML");
        let is_absent = match &answer.verdict {
            Verdict::Good => answer.url != *url,
            Verdict::Refused(why) => is_elsewhere(why),
            verdict => matches!(verdict, Verdict::Missing(_)),
        };
        self.absent.extend(is_absent.then(|| url.clone()));
        match &answer.verdict {
            Verdict::Good => {
                self.tally.got += 1;
                self.known.insert(answer.url.clone());
                self.there.insert(answer.url.clone());
                if let Ok(head) = read_head(answer.response.body.as_slice(), &mut self.buffer) {
                    self.blogs.note_page(url, &answer.url, &head);
                    self.take_alternates(&answer.url, &head, queued)?;
                }
                self.write(&answer.url, &answer.response.body)?;
            }
            Verdict::Missing(_) => self.tally.missing += 1,
            Verdict::Refused(why) if why.starts_with("robots.txt") => self.tally.disallowed += 1,
            Verdict::Refused(why) if why.starts_with("it leads to another site") => self.tally.elsewhere += 1,
            Verdict::Refused(why) if why.starts_with("not HTML") => self.tally.not_html += 1,
            verdict => {
                let error = verdict.error().unwrap_or("no answer").to_owned();
                self.gap("html", "page", url.clone(), error)?;
            }
        }
        Ok(())
    }

    /// Writes a page into the tree, if there is one.
    fn write(&mut self, url: &str, html: &[u8]) -> Result<(), Stop> {
        let Some(tree) = &self.tree else { return Ok(()) };
        if !tree.write(url, html)? {
            self.tally.only_in_archive += 1;
            let what = format!("{url}: its place is taken, or cannot be a path: it is only in fetch.warc.gz");
            self.session.messages.defect("only_in_archive", &what);
        }
        Ok(())
    }

    /// Queues the versions of a page in other languages. A version may name further versions; if these name yet others, the server is
    /// probably making them up.
    fn take_alternates(&mut self, url: &str, head: &Head, queued: &Queued) -> Result<(), Stop> {
        let (page, shown) = (url, shown(head));
        for url in alternates(url, head) {
            self.blogs.note_elsewhere(page, &url);
            self.blogs.note_version(page, &url, shown.as_ref());
            // An unchanged page names versions from before the update.
            let is_of_before = |url: &String| queued.is_same && self.left.contains(url);
            let is_new = |url: &String| !self.known.contains(url) && !is_of_before(url);
            let Some(url) = self.own_page(&url).filter(is_new) else { continue };
            let count = &mut self.versions[queued.of];
            if queued.steps == MOST_STEPS || *count >= MOST_VERSIONS {
                if *count <= MOST_VERSIONS {
                    *count = MOST_VERSIONS + 1;
                    let error = format!(
                        "a version in another language, beyond {MOST_VERSIONS} of a page or {MOST_STEPS} steps away: not asked for"
                    );
                    return self.gap("html", "page", url, error);
                }
                return Ok(());
            }
            *count += 1;
            self.known.insert(url.clone());
            let (of, steps) = (queued.of, queued.steps + 1);
            self.queue.push_back(Queued { url, is_same: queued.is_same, of, steps });
        }
        Ok(())
    }

    /// Reads the sitemaps that robots.txt names, else those at the usual places, in each language.
    fn sitemaps(&mut self, home: &Home) -> Result<(), Stop> {
        let named = self.session.hosts.sitemaps();
        let mut bases = vec![home.url.clone()];
        bases.extend(home.head.alternates.iter().filter_map(|alternate| normalise(&alternate.href)));
        let usual = ["wp-sitemap.xml", "sitemap_index.xml", "sitemap.xml"];
        let guessed =
            bases.iter().filter(|base| base.ends_with('/')).flat_map(|base| usual.map(|name| format!("{base}{name}")));
        let mut queue: VecDeque<(String, bool)> = named.iter().map(|url| (url.clone(), true)).collect();
        if queue.is_empty() {
            queue.extend(guessed.map(|url| (url, false)));
        }
        let mut known = HashSet::new();
        while let Some((url, is_named)) = queue.pop_front() {
            let Some(url) = normalise(&url).filter(|url| is_same_site(&self.site, url)) else { continue };
            if !known.insert(url.clone()) {
                continue;
            }
            let most = self.session.options().most_sitemaps;
            if known.len() > most {
                return self.sitemap_gap(url, format!("more than {most} sitemaps"));
            }
            let answer =
                self.session.ask(&Ask { r#type: Some("sitemaps".to_owned()), ..Ask::new(url.clone(), Want::Text) })?;
            match sitemap_of(answer) {
                Ok(found) => {
                    for page in found.pages.iter().filter_map(|page| self.own_page(page)).collect::<Vec<_>>() {
                        self.push(page, false);
                    }
                    if let Some(fault) = found.fault {
                        self.sitemap_gap(url, fault.to_owned())?;
                    }
                    queue.extend(found.sitemaps.into_iter().map(|url| (url, true)));
                }
                Err(error) if is_named => self.sitemap_gap(url, error)?,
                Err(_) => {}
            }
        }
        Ok(())
    }
}

impl PageWalk<'_, '_> {
    fn sitemap_gap(&mut self, url: String, error: String) -> Result<(), Stop> {
        self.gap("sitemaps", "sitemap", url, error)
    }

    fn gap(&mut self, r#type: &str, what: &str, url: String, error: String) -> Result<(), Stop> {
        self.tally.gaps += 1;
        let (r#type, what) = (r#type.to_owned(), what.to_owned());
        self.session.gap(&Gap { r#type, what, link: Some(url), error, ..Gap::default() })
    }
}

/// The URLs of a page's versions in other languages, as its head states them.
fn alternates(url: &str, head: &Head) -> Vec<String> {
    let page = PageUrl::parse(url);
    let hrefs = head.alternates.iter().filter_map(|alternate| urls::join(page.as_ref(), &alternate.href));
    hrefs.map(|url| url.into_owned()).collect()
}

pub(super) fn sitemap_of(answer: Answer) -> Result<sitemap::Sitemap, String> {
    if let Some(error) = answer.verdict.error() {
        return Err(error.to_owned());
    }
    let body = http::gunzip(answer.response.body)?;
    sitemap::decode(&body, &answer.url).ok_or("not a sitemap".to_owned())
}

/// Whether a URL may be a media file's, and requesting it has no other effect.
pub(super) fn may_be_file(url: &str) -> bool {
    is_file(url) || may_be_asked(url, &|_| false)
}

/// Whether a URL may be a page's, and requesting it has no other effect.
fn may_be_page(url: &str) -> bool {
    !is_file(url) && may_be_asked(url, &|_| false)
}

/// Whether a URL contains nothing from [`NEVER`], `allowed` parts excepted.
fn may_be_asked(url: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let rest = path_and_query(url).to_ascii_lowercase();
    let with_end = format!("{rest}/");
    let has = |part: &str| rest.contains(part) || with_end.contains(part) && part.starts_with('/');
    !NEVER.split(' ').any(|part| has(part) && !allowed(part))
}

fn is_file(url: &str) -> bool {
    let path = path_and_query(url).to_ascii_lowercase();
    let name = path.split('?').next().and_then(|path| path.rsplit('/').next());
    name.and_then(|name| name.rsplit_once('.')).is_some_and(|(_, ending)| FILES.contains(&ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_that_change_something_are_not_pages() {
        for page in
            ["https://a.example/", "https://a.example/a/", "https://a.example/?p=7", "https://a.example/cartoons/"]
        {
            assert!(may_be_page(page), "{page}");
        }
        for other in [
            "https://a.example/a/?replytocom=7",
            "https://a.example/wp-login.php?x",
            "https://a.example/shop/?add-to-cart=7",
            "https://a.example/i.JPG",
            "https://a.example/cart",
            "https://a.example/a/?share=x",
            "https://a.example/feed/",
        ] {
            assert!(!may_be_page(other), "{other}");
        }
    }
}
