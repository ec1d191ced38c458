//! Fetches the site's pages: those that show a record, their versions in other languages, those that sitemaps list.
//! No link is followed, so there is no trap to fall into.

use super::address::{is_same_site, normalise, path_and_query};
use super::answer::{Answer, Verdict, Want};
use super::discover::Home;
use super::folder::Tree;
use super::log::Gap;
use super::session::{Ask, Session, Stop};
use super::{Pages, http, sitemap};
use crate::page::{Head, PageBuffer, read_head};
use crate::urls::{self, PageUrl};
use std::collections::{HashSet, VecDeque};

/// What changes something, asks for a login, has no end, or is another form of what is there: never asked for.
const NEVER: [&str; 22] = [
    "/wp-login",
    "/wp-admin",
    "/xmlrpc.php",
    "/wp-json/",
    "/cart/",
    "/checkout/",
    "/my-account/",
    "/feed/",
    "/trackback/",
    "replytocom=",
    "share=",
    "add-to-cart=",
    "add_to_cart=",
    "remove_item=",
    "add_to_wishlist=",
    "_wpnonce=",
    "action=logout",
    "ical=",
    "eventdisplay=",
    "tribe-bar-date=",
    "outlook-ical=",
    "post_type=",
];

/// Those of them that the address of a record may have: they are in the way only where they name another form of what is there.
const OWN: [&str; 2] = ["/feed/", "post_type="];

/// Endings of files that are not pages.
const FILES: [&str; 28] = [
    "jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "ico", "bmp", "tif", "tiff", "heic", "pdf", "mp3", "m4a",
    "ogg", "wav", "mp4", "m4v", "mov", "webm", "avi", "zip", "gz", "docx", "xlsx", "pptx", "epub",
];

/// What became of the pages.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub(super) struct PageTally {
    pub(super) got: u64,
    /// There is no such page any more.
    pub(super) missing: u64,
    /// Forbidden by robots.txt.
    pub(super) disallowed: u64,
    /// They lead to another site, or are there.
    pub(super) elsewhere: u64,
    /// They are files.
    pub(super) not_html: u64,
    /// Pages of records that are never asked for: carts, logins, what changes something.
    pub(super) left_out: u64,
    pub(super) gaps: u64,
}

/// The pages of a site on their way.
pub(super) struct PageWalk<'w, 'o> {
    session: &'w mut Session<'o>,
    site: String,
    tree: Option<Tree>,
    /// URLs, and whether the page need not be asked for anew.
    queue: VecDeque<(String, bool)>,
    known: HashSet<String>,
    buffer: PageBuffer,
    tally: PageTally,
}

impl<'w, 'o> PageWalk<'w, 'o> {
    pub(super) fn new(session: &'w mut Session<'o>, site: &str, tree: Option<Tree>) -> Self {
        let (queue, known, buffer) = (VecDeque::new(), HashSet::new(), PageBuffer::default());
        PageWalk { session, site: site.to_owned(), tree, queue, known, buffer, tally: PageTally::default() }
    }

    /// Fetches the front page's other languages, the pages at `links`, what sitemaps list if that is asked for, and what
    /// all of these name as their versions in other languages. Links come with whether what they show is as it was in the
    /// run before an update.
    pub(super) fn run(mut self, home: &Home, links: &[(String, bool)]) -> Result<PageTally, Stop> {
        self.known.insert(home.url.clone());
        self.take_alternates(&home.url, &home.head, false);
        if let Some(tree) = &self.tree {
            tree.write(&home.url, &home.body)?;
        }
        links.iter().for_each(|(link, is_same)| self.add_own(link, *is_same));
        if self.session.options().pages == Pages::All {
            self.sitemaps(home)?;
        }
        while let Some((url, is_same)) = self.queue.pop_front() {
            let ask = Ask { r#type: Some("html".to_owned()), is_same, ..Ask::new(url.clone(), Want::Page) };
            let answer = self.session.ask(&ask)?;
            self.take(&url, answer, is_same)?;
            let total = self.known.len() as u64;
            self.session.step("HTML pages", total - self.queue.len() as u64, Some(total));
        }
        Ok(self.tally)
    }

    /// Puts the page of a record on the list, or counts why not. A record may be called feed, and may have no other address than
    /// `?post_type=book&p=4`.
    fn add_own(&mut self, link: &str, is_same: bool) {
        match normalise(link) {
            Some(url) if !is_same_site(&self.site, &url) => self.tally.elsewhere += 1,
            Some(url) if is_file(&url) => self.tally.not_html += 1,
            Some(url) if may_be_asked(&url, &|part| OWN.contains(&part)) => self.push(url, is_same),
            _ => self.tally.left_out += 1,
        }
    }

    /// Puts a URL on the list, unless it is there, on another site, or never asked for.
    fn add(&mut self, url: &str, is_same: bool) {
        if let Some(url) = normalise(url).filter(|url| is_same_site(&self.site, url) && may_be_page(url)) {
            self.push(url, is_same);
        }
    }

    fn push(&mut self, url: String, is_same: bool) {
        if self.known.insert(url.clone()) {
            self.queue.push_back((url, is_same));
        }
    }

    fn take(&mut self, url: &str, answer: Answer, is_same: bool) -> Result<(), Stop> {
        match &answer.verdict {
            Verdict::Good => {
                self.tally.got += 1;
                self.known.insert(answer.url.clone());
                if let Ok(head) = read_head(answer.response.body.as_slice(), &mut self.buffer) {
                    self.take_alternates(&answer.url, &head, is_same);
                }
                if let Some(tree) = &self.tree {
                    tree.write(&answer.url, &answer.response.body)?;
                }
            }
            Verdict::Missing(_) => self.tally.missing += 1,
            Verdict::Refused(why) if why.starts_with("robots.txt") => self.tally.disallowed += 1,
            Verdict::Refused(why) if why.starts_with("it leads to another site") => self.tally.elsewhere += 1,
            Verdict::Refused(why) if why.starts_with("not HTML") => self.tally.not_html += 1,
            verdict => {
                self.tally.gaps += 1;
                let error = verdict.error().unwrap_or("no answer").to_owned();
                self.session.gap(&Gap {
                    r#type: "html".to_owned(),
                    what: "page".to_owned(),
                    link: Some(url.to_owned()),
                    error,
                    ..Gap::default()
                })?;
            }
        }
        Ok(())
    }

    fn take_alternates(&mut self, url: &str, head: &Head, is_same: bool) {
        let page = PageUrl::parse(url);
        let hrefs = head.alternates.iter().filter_map(|alternate| urls::join(page.as_ref(), &alternate.href));
        let hrefs: Vec<String> = hrefs.map(|url| url.into_owned()).collect();
        hrefs.iter().for_each(|url| self.add(url, is_same));
    }

    /// Reads the sitemaps that robots.txt names, else those at the usual places, of each language too.
    fn sitemaps(&mut self, home: &Home) -> Result<(), Stop> {
        let named = self.session.sitemaps();
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
                    found.pages.iter().for_each(|page| self.add(page, false));
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
        self.tally.gaps += 1;
        let (r#type, what) = ("sitemaps".to_owned(), "sitemap".to_owned());
        self.session.gap(&Gap { r#type, what, link: Some(url), error, ..Gap::default() })
    }
}

fn sitemap_of(answer: Answer) -> Result<sitemap::Sitemap, String> {
    if let Some(error) = answer.verdict.error() {
        return Err(error.to_owned());
    }
    let body = http::gunzip(answer.response.body)?;
    sitemap::read(&String::from_utf8_lossy(&body)).ok_or("not a sitemap".to_owned())
}

/// Whether a URL may be that of a page, and asking for it does nothing else.
fn may_be_page(url: &str) -> bool {
    !is_file(url) && may_be_asked(url, &|_| false)
}

/// Whether there is nothing of [`NEVER`] in a URL, but for what is `allowed`.
fn may_be_asked(url: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let rest = path_and_query(url).to_ascii_lowercase();
    let with_end = format!("{rest}/");
    let has = |part: &str| rest.contains(part) || with_end.contains(part) && part.starts_with('/');
    !NEVER.iter().any(|part| has(part) && !allowed(part))
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
    fn what_does_something_is_no_page() {
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
