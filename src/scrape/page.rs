//! Reduces a page of a scrape to the evidence for its record: the URL that it was saved from, the URL that it states, the record that it
//! claims to show. Other modules compare these with the records.

mod packed;

use super::capture::Capture;
use super::claim::{Claim, Names, claim_of, is_rest_base, type_of};
use super::location::{Location, NO_HOST, is_public, locate};
use super::no_content::is_error;
use super::stated::{SavedFrom, StatedUrl, permalink, redirect_goal, unescape_query, url_path, without_index};
use crate::page::Head;
use crate::report::Error;
use crate::spill::Shelf;
use crate::urls::{self, PageUrl, UrlKey, bare_host_of};
use crate::wordpress::{self, Suffix, without_query};
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    /// The number of the scrape that has the page.
    pub(crate) root: u32,
    /// Its path in the scrape.
    pub(crate) file: Box<str>,
    saved_from: SavedFrom,
    /// Whether its location is the complete URL.
    pub(crate) is_certain: bool,
    /// The URL it states; for a redirect, the target.
    stated: StatedUrl,
    /// Whether that URL is where a relative reference leads: to a file, if a mirror has rewritten it.
    stated_by_file: bool,
    /// Whether its shortlink begins with a slash, in a tree without hosts: the top of the scrape is the home.
    pub(crate) names_top: bool,
    pub(crate) claim: Option<Claim>,
    /// The part before `?p=` in the shortlink that the page states, if the shortlink has the id that the page claims.
    shortlink: Option<Arc<str>>,
    /// The type of the record that it claims to show.
    pub(crate) r#type: Option<Arc<str>>,
    /// Whether `type` is only the name that the API's addresses have for the type: boats.
    pub(crate) has_rest_base: bool,
    /// The root of the REST API that it names, if any.
    pub(crate) rest: Option<Arc<str>>,
    pub(crate) is_archive: bool,
    /// The language of the page, from `html[lang]`.
    pub(crate) language: Option<Arc<str>>,
    /// Whether its own list of languages gives its location as that of another language.
    pub(crate) is_in_other_language: bool,
    /// Whether a mirror has rewritten its references, so that they lead from its file to other files.
    pub(crate) is_rewritten: bool,
    /// Whether it is an error page, or a login form that was saved in place of another page.
    pub(crate) is_error: bool,
    /// Whether it is a meta refresh that acts as a redirect.
    pub(crate) is_redirect: bool,
    /// Whether it has no trace of WordPress, if that was checked.
    pub(crate) is_foreign: bool,
    /// Whether an archive has a newer capture of it.
    pub(crate) is_older: bool,
    /// An archive's description of its capture.
    pub(crate) capture: Option<Capture>,
    /// The statements on rights in the headers of its answer, as lines.
    pub(super) headers: Option<Arc<str>>,
    /// The hash of its title; 0 for none.
    pub(crate) title: u32,
}

impl Page {
    /// The page saved as `file` from `location`, with `head`.
    pub(super) fn new(root: u32, file: String, location: Location, head: &Head, names: &mut Names) -> Self {
        let Location { mut url, mut is_certain } = location;
        if let Some(address) =
            head.mirrored_from.as_deref().and_then(|address| PageUrl::parse(&format!("http://{address}")))
        {
            url = without_index(address.as_str()).into_owned();
            is_certain = true;
        }
        let base = PageUrl::parse(&url);
        let redirect = head.refresh.as_deref().and_then(redirect_goal).filter(|_| head.body_class.is_none());
        let named = redirect.map(|goal| (unescape_query(goal), false)).or_else(|| own_url(head, &url, &file));
        let stated_by_file = named.as_ref().is_some_and(|(_, by_file)| *by_file);
        let named = named.map(|(url, _)| url);
        let stated = named.as_ref().and_then(|href| urls::join(base.as_ref(), href));
        // WordPress adds a fragment to the URLs of pages of comments
        let stated = stated.as_deref().map(|url| url.split_once('#').map_or(url, |(page, _)| page));
        let stated = StatedUrl::new(stated.map(without_index).as_deref(), &url);
        let claim = claim_of(head, &url, names).filter(|_| redirect.is_none());
        let saved_from = SavedFrom::new(&url, &file);
        Page {
            root,
            file: file.into(),
            r#type: claim.as_ref().and_then(|claim| type_of(head, claim, names)),
            has_rest_base: claim.as_ref().is_some_and(|claim| is_rest_base(head, claim)),
            shortlink: head.shortlink.as_deref().map(unescape_query).and_then(|href| {
                let url = urls::join(base.as_ref(), &href)?;
                let (before, id) = url.split_once("?p=")?;
                let is_own = claim.as_ref().is_some_and(|claim| id.parse() == Ok(claim.id));
                is_own.then(|| names.share(&without_index(before)))
            }),
            rest: rest_of(head, base.as_ref().filter(|_| !is_without_host(&url))).map(|root| names.share(&root)),
            is_archive: head.classes().is_list() || claim.as_ref().is_some_and(Claim::is_of_list),
            claim,
            language: head.html_lang.as_deref().map(|tag| names.share(tag)),
            is_in_other_language: is_in_other_language(head, base.as_ref()),
            is_rewritten: head
                .canonical
                .as_deref()
                .or(head.shortlink.as_deref())
                .is_some_and(|href| !is_absolute(href)),
            is_error: is_error(head, &url),
            // HTTrack writes a redirect to the same file if only a slash or the scheme differs.
            is_redirect: redirect.is_some() && (stated != StatedUrl::Nothing || head.mirrored_from.is_some()),
            stated,
            stated_by_file,
            names_top: is_without_host(&url) && head.shortlink.as_deref().is_some_and(|href| href.starts_with("/?p=")),
            saved_from,
            is_certain,
            title: head.title.as_deref().map(str::trim).filter(|title| !title.is_empty()).map_or(0, hash_of_title),
            ..Page::default()
        }
    }

    /// A redirect from `url` to `goal`, as an archive stores it.
    pub(super) fn redirect(root: u32, file: String, url: String, goal: &str) -> Self {
        let goal = urls::join(PageUrl::parse(&url).as_ref(), goal);
        let stated = StatedUrl::new(goal.as_deref(), &url);
        Page {
            root,
            saved_from: SavedFrom::new(&url, &file),
            file: file.into(),
            is_certain: true,
            // A redirect to https leads to the page itself.
            is_redirect: true,
            stated,
            ..Page::default()
        }
    }

    /// Moves its capture and its path in an archive to the shelf; its URL stays.
    ///
    /// # Errors
    /// If it does not fit into TMPDIR.
    pub(super) fn shelve(&mut self, shelf: &mut Shelf) -> Result<(), Error> {
        if let (Some(capture), SavedFrom::Url(_)) = (&self.capture, &self.saved_from) {
            // A known number of lines, then the path, which may have line feeds itself.
            let piece = [capture.lines(), "\n", &*self.file].concat();
            (self.file, self.capture) = ("".into(), Some(Capture::Shelved(shelf.put(piece.as_bytes())?)));
        }
        Ok(())
    }

    /// Its path in the scrape, and the description of its capture, if it is from an archive.
    ///
    /// # Errors
    /// If the shelf cannot be read.
    pub(crate) fn origin(&self, shelf: &Shelf) -> Result<(Cow<'_, str>, Option<Cow<'_, Capture>>), Error> {
        let Some(Capture::Shelved(place)) = self.capture else {
            return Ok((Cow::Borrowed(&self.file), self.capture.as_ref().map(Cow::Borrowed)));
        };
        let piece = String::from_utf8_lossy(&shelf.get(place)?).into_owned();
        let end = piece.match_indices('\n').nth(Capture::LINES - 1).map_or(piece.len(), |(end, _)| end);
        let (said, file) = (&piece[..end], piece.get(end + 1..).unwrap_or_default());
        Ok((Cow::Owned(file.to_owned()), Some(Cow::Owned(Capture::Said(said.into())))))
    }

    /// The URL that it was saved from.
    pub(crate) fn location(&self) -> Cow<'_, str> {
        match &self.saved_from {
            SavedFrom::Path => Cow::Owned(["http://", url_path(&self.file)].concat()),
            SavedFrom::Url(url) => Cow::Borrowed(url),
        }
    }

    /// The URL that a mirror's references give to its file, if that is not its location: HTTrack and wget change names.
    pub(crate) fn file_url(&self) -> Option<String> {
        let name = self.file.rsplit('/').next().unwrap_or_default();
        let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
        if !plain || self.capture.is_some() {
            return None;
        }
        let location = self.location();
        if matches!(name, "index.html" | "index.htm") {
            return self.folder_url(&location);
        }
        let path = without_query(&location);
        if path.rsplit('/').next() == Some(name) {
            return None;
        }
        Some(format!("{}/{name}", path.rsplit_once('/')?.0))
    }

    /// The URL that references give to its folder, if HTTrack has given that another name than the page's path has.
    fn folder_url(&self, location: &str) -> Option<String> {
        let place = locate(Path::new(&*self.file), None).url;
        let names = |url: &str| url.trim_end_matches('/').split('/').skip(3).map(str::to_owned).collect::<Vec<_>>();
        let (folder, mut path) = (names(&place), names(without_query(location)));
        if place.contains('?') || path.ends_with(&folder) || folder.ends_with(&path) {
            return None;
        }
        path.truncate(path.len().checked_sub(folder.len())?);
        path.extend(folder);
        Some(urls::join(PageUrl::parse(location).as_ref(), &format!("/{}/", path.join("/")))?.into_owned())
    }

    /// The URL that it states, if different from its location; for a redirect, the target.
    pub(crate) fn stated(&self) -> Option<Cow<'_, str>> {
        match &self.stated {
            StatedUrl::Nothing => None,
            StatedUrl::Secure => Some(Cow::Owned(self.location().replacen("http", "https", 1))),
            StatedUrl::Url(url) => Some(Cow::Borrowed(url)),
        }
    }

    /// The shortlink of its own id, if it states one.
    pub(crate) fn shortlink(&self) -> Option<String> {
        let id = self.claim.as_ref()?.id;
        self.shortlink.as_ref().map(|before| format!("{before}?p={id}"))
    }

    /// The home of its site, according to the root of the API or to a shortlink with a host.
    pub(crate) fn named_home(&self) -> Option<&str> {
        let shortlink = || self.shortlink.as_deref().filter(|before| !is_without_host(before));
        self.rest.as_deref().map(wordpress::rest_home).or_else(shortlink)
    }

    /// Whether it names the same home of its site as another page, by its API and its shortlink.
    pub(crate) fn names_home_of(&self, other: &Page) -> bool {
        self.rest == other.rest && (self.shortlink == other.shortlink || self.is_rewritten)
    }

    /// Whether the URL that it states is where a relative reference of its file leads.
    pub(crate) fn is_stated_by_file(&self) -> bool {
        self.stated_by_file && self.capture.is_none()
    }

    /// Forgets the URL that it states.
    pub(crate) fn forget_stated(&mut self) {
        self.stated = StatedUrl::Nothing;
    }

    /// Whether it states its location with another scheme: both have the same key.
    pub(crate) fn states_its_location(&self) -> bool {
        self.stated == StatedUrl::Secure
    }

    pub(crate) fn has_host(&self) -> bool {
        !is_without_host(&self.location())
    }
}

/// The URL that a page states as its own, as written, and whether that is where a reference from its file leads. `location` is where `file`
/// was saved from.
///
/// A reference that a mirror has rewritten is relative: it leads to the file in which the mirror saved the page last, perhaps under another
/// of its URLs. So it counts only if nothing else states a URL, and not if it leads to a copy of the page or to the page itself.
fn own_url<'h>(head: &'h Head, location: &str, file: &str) -> Option<(Cow<'h, str>, bool)> {
    let canonical = head.canonical.as_deref().filter(|canonical| !is_of_a_source(canonical, head));
    // A template of a generator of static sites has a variable there.
    let stated = || canonical.into_iter().chain(head.og_url.as_deref()).filter(|href| !href.contains("{{"));
    let is_of_host = |url: &&str| is_without_host(location) || bare_host_of(url) == bare_host_of(location);
    let is_sure = |href: &&str| is_absolute(href) && (stated().next() == Some(*href) || is_of_host(href));
    if let Some(absolute) = stated().find(is_sure) {
        return Some((unescape_query(absolute), false));
    }
    let is_own = |href: &&str| !names_copy(href) && !names_itself(href, file);
    let relative = || {
        let href = stated().find(is_own)?;
        let url = urls::join(PageUrl::parse(location).as_ref(), &unescape_query(href))?.into_owned();
        Some((Cow::Owned(without_added_query(url)), !href.starts_with('/')))
    };
    let permalink = head.oembed.as_deref().and_then(permalink);
    let permalink = permalink.filter(|url| is_of_host(&url.as_str()) && is_permalink(url, head, location));
    permalink.map(|url| (Cow::Owned(url), false)).or_else(relative)
}

/// Whether nothing else in a head names the host of the canonical link, while two other kinds of statements name one host: a plugin that
/// collects news gives each article the canonical link of its source. The API alone may be on a host that visitors do not see. The same name
/// at the end of og:url shows a copy of the page that the link leads to: of a site that has moved, or for tests or telephones.
fn is_of_a_source(canonical: &str, head: &Head) -> bool {
    let host = |href: &str| if is_absolute(href) { bare_host_of(href) } else { None };
    let og_url = head.og_url.as_deref().and_then(host);
    let oembed = head.oembed.as_deref().and_then(permalink);
    let roots = [&head.shortlink, &head.rest_root, &oembed].map(|href| href.as_deref().and_then(host));
    let alternates = || head.alternates.iter().take(MOST_ALTERNATES).filter_map(|other| host(&other.href));
    let names = |host: &str| {
        let is_it = |other: &Option<String>| other.as_deref() == Some(host);
        [is_it(&og_url), alternates().any(|other| other == host), roots.iter().any(is_it)]
    };
    let Some((source, own)) = host(canonical).zip(og_url.clone().or_else(|| alternates().next())) else { return false };
    let name = |href: &str| href.trim_end_matches('/').rsplit('/').next().map(str::to_owned);
    let is_copy = head.og_url.as_deref().is_some_and(|og_url| name(og_url) == name(canonical));
    !is_copy && names(&source) == [false; 3] && names(&own).into_iter().filter(|is_named| *is_named).count() > 1
}

/// Whether the permalink that an oEmbed's address states can be that of the page: it is public, and not the URL of a translation or of the first
/// page of a list.
fn is_permalink(url: &str, head: &Head, location: &str) -> bool {
    let permalink = PageUrl::parse(url).filter(|permalink| is_public(permalink.host()));
    let place = UrlKey::new(location);
    let suffix = place.as_ref().and_then(|place| wordpress::without_suffix(place.path()));
    !matches!(suffix, Some((_, Suffix::Page)))
        && permalink.is_some_and(|permalink| !is_in_other_language(head, Some(&permalink)))
}

/// A URL below the home without a query that WordPress does not read: the server answers it as it does the URL without the query.
fn without_added_query(url: String) -> String {
    let is_below = |page: &str| page.trim_end_matches('/').matches('/').count() > 2;
    match url.split_once('?') {
        Some((page, query)) if is_below(page) && !wordpress::has_variable(query) => page.to_owned(),
        _ => url,
    }
}

/// The hash of a title, which is never 0; runs of blanks count as one.
fn hash_of_title(title: &str) -> u32 {
    let words: Vec<&str> = title.split_whitespace().collect();
    (xxh3_64(words.join(" ").as_bytes()) as u32).max(1)
}

/// Whether a relative reference of a saved file leads to that file: HTTrack writes `8.html` for the page that it mirrored from `…/blog/8`.
fn names_itself(href: &str, file: &str) -> bool {
    let file = PageUrl::parse(&format!("http://{NO_HOST}/{file}"));
    file.as_ref().is_some_and(|url| urls::join(Some(url), href).as_deref() == Some(url.as_str()))
}

/// Whether a relative reference leads to a file that a mirror renamed because another file had its name.
fn names_copy(href: &str) -> bool {
    !locate(Path::new(href.split('#').next().unwrap_or_default()), None).is_certain
}

fn is_absolute(href: &str) -> bool {
    PageUrl::parse(href).is_some()
}

fn is_without_host(location: &str) -> bool {
    location
        .strip_prefix("http://")
        .and_then(|rest| rest.strip_prefix(NO_HOST))
        .is_some_and(|rest| rest.starts_with('/'))
}

/// Whether a page's list of languages gives its own location for a language other than `<html lang>`.
fn is_in_other_language(head: &Head, location: Option<&PageUrl>) -> bool {
    let primary = |tag: &str| tag.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    let (Some(own), Some(location)) = (head.html_lang.as_deref().map(primary), location) else { return false };
    let is_here = |href: &str| {
        urls::join(Some(location), href).is_some_and(|url| {
            let bare = |url: &str| url.split_once("://").map_or("", |(_, rest)| rest).trim_end_matches('/').to_owned();
            bare(&without_index(&url)) == bare(location.as_str())
        })
    };
    let others =
        head.alternates.iter().take(MOST_ALTERNATES).filter(|other| !other.hreflang.eq_ignore_ascii_case("x-default"));
    let mut others = others.filter(|other| primary(&other.hreflang) != own);
    others.any(|other| is_here(&other.href))
}

/// The most translations in a page's head that are read, to find its own URL among them.
const MOST_ALTERNATES: usize = 250;

/// The root of the API that the page names; in mirrors, the reference is relative to the page.
fn rest_of(head: &Head, base: Option<&PageUrl>) -> Option<String> {
    let routes = head.json_alternates.iter().filter_map(|href| wordpress::rest_root(href));
    let absolute = routes.clone().chain(head.rest_root.as_deref()).find(|root| PageUrl::parse(root).is_some());
    let relative = || routes.clone().find_map(|root| urls::join(base, root));
    absolute.map(str::to_owned).or_else(|| relative().map(|root| root.into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(file: &str, head: Head) -> Page {
        Page::new(0, file.to_owned(), locate(Path::new(file), None), &head, &mut Names::default())
    }

    #[test]
    fn a_page_states_its_url_as_its_head_gives_it() {
        let canonical = |href: &str| Head { canonical: Some(href.into()), ..Head::default() };
        let stated = |head| page("x.example/a/index.html", head).stated().map(String::from);
        assert_eq!(stated(canonical("https://x.example/b/")).as_deref(), Some("https://x.example/b/"));
        assert_eq!(stated(canonical("../b/index.html")).as_deref(), Some("http://x.example/b/"));
        let port = |host: &str| page(&format!("{host}/a/index.html"), canonical(&format!("https://{host}/a/")));
        assert!(port("x.example").states_its_location());
        assert!(!port("x.example:80").states_its_location(), "it is usual for http only");
        assert_eq!(stated(canonical("https://x.example/a/")).as_deref(), Some("https://x.example/a/"));
        assert_eq!(stated(canonical("https://x.example/b/#c")).as_deref(), Some("https://x.example/b/"));
        assert_eq!(stated(canonical("index.html")), None);
        assert_eq!(stated(canonical("../index.html%3Fp=5.html")).as_deref(), Some("http://x.example/?p=5"));
        let og = Head { og_url: Some("https://x.example/c/".into()), ..Head::default() };
        assert_eq!(stated(og).as_deref(), Some("https://x.example/c/"));
    }

    #[test]
    fn where_a_page_was_saved_from_is_not_lost() {
        let files =
            ["x.example/a/index.html", "x.example/a.html", "x.example/a b/index.html", "x.example/index.html@p=1"];
        for file in files.into_iter().chain(["a/index.html", "x.example/index.html", "x.example/a/index.php"]) {
            assert_eq!(page(file, Head::default()).location(), locate(Path::new(file), None).url, "{file}");
        }
    }

    #[test]
    fn what_an_archive_says_comes_back_from_the_shelf() {
        let mut shelf = Shelf::default();
        for (file, time, digest, status) in
            [("a\nb.warc#12", "2026", "sha1:X", Some(200)), ("b.warc#0+7", "", "", None), ("é.warc#1", "", "d", None)]
        {
            let location = Location { url: "http://x.example/".to_owned(), is_certain: true };
            let mut page = Page::new(0, file.to_owned(), location, &Head::default(), &mut Names::default());
            let said = Capture::new(time, digest, "<urn:uuid:1>", status);
            page.capture = Some(said.clone());
            page.shelve(&mut shelf).unwrap();
            assert!(page.file.is_empty());
            let (back, capture) = page.origin(&shelf).unwrap();
            assert_eq!((&*back, capture.as_deref()), (file, Some(&said)));
        }
    }

    #[test]
    fn a_mirror_refers_to_its_files() {
        let url = |file: &str, from: Option<&str>| {
            page(file, Head { mirrored_from: from.map(Into::into), ..Head::default() }).file_url()
        };
        assert_eq!(
            url("x.example/a/index7c4d.html", Some("x.example/a/?page=2")).as_deref(),
            Some("http://x.example/a/index7c4d.html")
        );
        assert_eq!(url("x.example/a/index.html", Some("x.example/a/")), None);
        assert_eq!(url("x.example/a.html", None), None);
        assert_eq!(url("x.example/a/index.html?p=5.html", None), None);
    }

    #[test]
    fn httrack_knows_where_it_was() {
        let head = Head { mirrored_from: Some("x.example/a/?page=2".into()), ..Head::default() };
        assert_eq!(page("x.example/a/index7c4d.html", head).location(), "http://x.example/a/?page=2");
    }
}
