//! A page of a scrape, reduced to what joins it to a record: its location, the URL it states, its claim. Other modules
//! compare these with the records.

mod packed;

use super::claim::{Claim, Names, claim_of, is_archive, type_of};
use super::location::{Location, NO_HOST};
use crate::page::Head;
use crate::report::Error;
use crate::spill::Shelf;
use crate::urls::{self, PageUrl};
use std::borrow::Cow;
use std::sync::Arc;

/// Seconds from which on a meta refresh is a page that reloads itself, not a redirect.
const REDIRECT: f64 = 10.0;

/// A page.
#[derive(Clone, Debug)]
pub(super) struct Page {
    /// Number of its scrape.
    pub(super) root: u32,
    /// Its path in the scrape.
    pub(super) file: Box<str>,
    saved_from: SavedFrom,
    /// Whether the location is the complete URL.
    pub(super) is_certain: bool,
    /// The URL it states; for a redirect, the target.
    stated: Stated,
    pub(super) claim: Option<Claim>,
    /// The type of the record that it claims to show.
    pub(super) r#type: Option<Arc<str>>,
    /// Root of the REST API that it names, if any.
    pub(super) rest: Option<Arc<str>>,
    pub(super) is_archive: bool,
    /// `html[lang]`.
    pub(super) language: Option<Arc<str>>,
    /// Whether it is an error page, or a form to log in that was saved in place of another page.
    pub(super) is_error: bool,
    /// Whether it is a meta refresh that acts as a redirect.
    pub(super) is_redirect: bool,
    /// Whether no WordPress made it, if that has been looked for.
    pub(super) is_foreign: bool,
    /// Whether an archive has a newer capture of it.
    pub(super) is_older: bool,
    pub(super) fate: Fate,
    /// What an archive says of it.
    pub(super) capture: Option<Capture>,
}

/// What an archive says of a page: when it was saved and the digest of its body, as it writes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Capture {
    /// Both, in one piece.
    Said(Box<str>),
    /// On a shelf, before the page's address: there may be many.
    Shelved(u64),
}

impl Capture {
    /// Values of headers, which have no line feeds in them; empty: none.
    pub(super) fn new(time: &str, digest: &str) -> Self {
        Capture::Said(format!("{time}\n{digest}").into())
    }

    fn said(&self) -> &str {
        if let Capture::Said(said) = self { said } else { "" }
    }

    fn halves(&self) -> (&str, &str) {
        self.said().split_once('\n').unwrap_or_default()
    }

    pub(super) fn time(&self) -> Option<&str> {
        Some(self.halves().0).filter(|time| !time.is_empty())
    }

    pub(super) fn digest(&self) -> Option<&str> {
        Some(self.halves().1).filter(|digest| !digest.is_empty())
    }
}

/// The state of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// No record has considered it.
    Open,
    /// It is not a record's page, but shows one under its id (its type), or another URL of it. Stored separately
    /// because few pages are in this state.
    Refused(Box<Refusal>),
    /// The page of a record.
    Joined,
    /// Another URL of a record.
    Alias,
}

impl Fate {
    /// Why the page is not a record's, so far.
    pub(super) fn refusal(&self) -> Refusal {
        match self {
            Fate::Refused(refusal) => (**refusal).clone(),
            _ => Refusal::default(),
        }
    }
}

/// Why a page is not a record's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Refusal {
    /// Type and id of the record whose id it has.
    pub(super) same: Option<(Box<str>, i64)>,
    /// Whether the URL it states is that of a record.
    pub(super) is_quoting: bool,
}

/// The URL that a page was saved from.
#[derive(Clone, Debug)]
enum SavedFrom {
    /// That of its path, without a trailing index.html: true for most pages.
    Path,
    Url(Box<str>),
}

impl SavedFrom {
    fn new(url: &str, file: &str) -> Self {
        if url.strip_prefix("http://") == Some(url_path(file)) { SavedFrom::Path } else { SavedFrom::Url(url.into()) }
    }
}

/// The path encoded in a file name, by wget's naming rules.
fn url_path(file: &str) -> &str {
    file.strip_suffix("index.html").unwrap_or(file)
}

/// The URL that a page states.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stated {
    /// None, or its location.
    Nothing,
    /// Its location with another scheme, which paths do not reveal: true for most pages.
    Secure,
    Url(Box<str>),
}

impl Stated {
    fn new(stated: Option<&str>, location: &str) -> Self {
        match stated {
            None => Stated::Nothing,
            Some(stated) if stated == location => Stated::Nothing,
            Some(stated) if differs_in_scheme(stated, location) => Stated::Secure,
            Some(stated) => Stated::Url(stated.into()),
        }
    }
}

/// Whether the URLs differ only in http and https. False with a port, which may be the default port of the other
/// scheme.
fn differs_in_scheme(secure: &str, url: &str) -> bool {
    let (Some(rest), Some(same)) = (secure.strip_prefix("https://"), url.strip_prefix("http://")) else { return false };
    rest == same && !rest.split('/').next().unwrap_or_default().contains(':')
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
        let named = redirect.or(head.canonical.as_deref()).or(head.og_url.as_deref());
        let named = named.map(unescape_query);
        let stated = named.as_ref().and_then(|href| urls::join(base.as_ref(), href));
        let stated = Stated::new(stated.as_deref().map(without_index).as_deref(), &url);
        let claim = claim_of(head, &url, names).filter(|_| redirect.is_none());
        let saved_from = SavedFrom::new(&url, &file);
        Page {
            root,
            file: file.into(),
            r#type: claim.as_ref().and_then(|claim| type_of(head, claim, names)),
            claim,
            rest: rest_of(head).map(|root| names.share(root)),
            is_archive: head.body_class.as_deref().is_some_and(is_archive),
            language: head.html_lang.as_deref().map(|tag| names.share(tag)),
            is_error: is_error(head, &url),
            is_redirect: redirect.is_some() && stated != Stated::Nothing,
            stated,
            saved_from,
            is_certain,
            is_foreign: false,
            is_older: false,
            fate: Fate::Open,
            capture: None,
        }
    }

    /// A redirect from `url` to `goal`, as an archive holds it.
    pub(super) fn redirect(root: u32, file: String, url: String, goal: &str) -> Self {
        let goal = urls::join(PageUrl::parse(&url).as_ref(), goal);
        let stated = Stated::new(goal.as_deref(), &url);
        Page {
            root,
            saved_from: SavedFrom::new(&url, &file),
            file: file.into(),
            is_certain: true,
            // One to https leads to the page itself.
            is_redirect: true,
            stated,
            claim: None,
            r#type: None,
            rest: None,
            is_archive: false,
            language: None,
            is_error: false,
            is_foreign: false,
            is_older: false,
            fate: Fate::Open,
            capture: None,
        }
    }

    /// Puts away what is known of it from an archive, but for its URL.
    ///
    /// # Errors
    /// When it does not fit into TMPDIR.
    pub(super) fn shelve(&mut self, shelf: &mut Shelf) -> Result<(), Error> {
        if let (Some(capture), SavedFrom::Url(_)) = (&self.capture, &self.saved_from) {
            // Two lines and a name, which may have more.
            let piece = [capture.said(), "\n", &*self.file].concat();
            (self.file, self.capture) = ("".into(), Some(Capture::Shelved(shelf.put(piece.as_bytes())?)));
        }
        Ok(())
    }

    /// Where it is in its scrape, and what an archive says of it.
    ///
    /// # Errors
    /// When that cannot be read again.
    pub(super) fn origin(&self, shelf: &Shelf) -> Result<(Cow<'_, str>, Option<Cow<'_, Capture>>), Error> {
        let Some(Capture::Shelved(place)) = self.capture else {
            return Ok((Cow::Borrowed(&self.file), self.capture.as_ref().map(Cow::Borrowed)));
        };
        let piece = String::from_utf8_lossy(&shelf.get(place)?).into_owned();
        let end = piece.match_indices('\n').nth(1).map_or(piece.len(), |(end, _)| end);
        let (said, file) = (&piece[..end], piece.get(end + 1..).unwrap_or_default());
        Ok((Cow::Owned(file.to_owned()), Some(Cow::Owned(Capture::Said(said.into())))))
    }

    /// The URL it was saved from.
    pub(super) fn location(&self) -> Cow<'_, str> {
        match &self.saved_from {
            SavedFrom::Path => Cow::Owned(["http://", url_path(&self.file)].concat()),
            SavedFrom::Url(url) => Cow::Borrowed(url),
        }
    }

    /// The URL that a mirror's references give to its file, if that is not its location: HTTrack and wget change names.
    pub(super) fn file_url(&self) -> Option<String> {
        let name = self.file.rsplit('/').next().unwrap_or_default();
        let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
        if !plain || self.capture.is_some() || matches!(name, "index.html" | "index.htm") {
            return None;
        }
        let location = self.location();
        let path = &location[..location.find(['?', '#']).unwrap_or(location.len())];
        if path.rsplit('/').next() == Some(name) {
            return None;
        }
        Some(format!("{}/{name}", path.rsplit_once('/')?.0))
    }

    /// The URL it states, if different from its location; for a redirect, the target.
    pub(super) fn stated(&self) -> Option<Cow<'_, str>> {
        match &self.stated {
            Stated::Nothing => None,
            Stated::Secure => Some(Cow::Owned(self.location().replacen("http", "https", 1))),
            Stated::Url(url) => Some(Cow::Borrowed(url)),
        }
    }

    /// Whether it states its location with another scheme, so that both have the same key.
    pub(super) fn states_its_location(&self) -> bool {
        self.stated == Stated::Secure
    }

    /// Whether its location names a host.
    pub(super) fn has_host(&self) -> bool {
        !self.location().starts_with(&format!("http://{NO_HOST}/"))
    }
}

/// Words by which the titles of error pages name them.
const NOT_FOUND: &[&str] = &[
    "404",
    "not found",
    "nicht gefunden",
    "introuvable",
    "non trouvée",
    "no encontrada",
    "no encontrado",
    "non trovata",
    "não encontrada",
    "niet gevonden",
    "nie znaleziono",
    "не найдена",
    "sayfa bulunamadı",
    "見つかりません",
    "ikke fundet",
    "hittades inte",
    "ei löytynyt",
    "nenalezena",
];

/// A log-in form, an error page, or a file that was saved beside the site's pages. If only its title reveals an error page,
/// search engines are told to ignore it, and it has no URL of its own.
fn is_error(head: &Head, location: &str) -> bool {
    let classes = head.body_class.as_deref().unwrap_or_default();
    let has = |name: &str| classes.split_ascii_whitespace().any(|class| class == name);
    let is_form = || {
        let path = location.split('?').next().unwrap_or_default();
        let is_script = |rest: &str| {
            let hash = rest.strip_suffix(".html").filter(|hash| hash.len() <= 4);
            rest.starts_with(".php") || hash.is_some_and(|hash| hash.bytes().all(|b| b.is_ascii_hexdigit()))
        };
        let last = path.rsplit('/').next().unwrap_or_default();
        last.strip_prefix("wp-login").is_some_and(is_script)
            || (has("login") && has("wp-core-ui"))
            || path.contains("/wp-admin/")
    };
    let says_so = |title: &str| NOT_FOUND.iter().any(|words| title.contains(words));
    let is_missing = || {
        let title = head.title.as_deref().filter(|_| head.canonical.is_none() && head.noindex);
        title.is_some_and(|title| says_so(&title.to_lowercase()))
    };
    has("error404") || is_form() || is_missing() || !head.names_wordpress() && is_file_beside(head, location)
}

/// A server's list of a directory's files, or a file that WordPress, a plugin or a theme brought along: readme, template.
fn is_file_beside(head: &Head, location: &str) -> bool {
    let path = location.split(['?', '#']).next().unwrap_or_default();
    let brought = ["/wp-includes/", "/wp-content/plugins/", "/wp-content/mu-plugins/", "/wp-content/themes/"];
    // Apache and nginx; the server of Python.
    let lists = |title: &str| ["Index of /", "Directory listing for /"].iter().any(|start| title.starts_with(start));
    brought.iter().any(|part| path.contains(part)) || head.title.as_deref().is_some_and(lists)
}

/// Root of the API that the page names; none if the reference is relative, as in mirrors.
fn rest_of(head: &Head) -> Option<&str> {
    let routes = head.json_alternates.iter().filter_map(|href| urls::rest_root(href));
    routes.chain(head.rest_root.as_deref()).find(|root| PageUrl::parse(root).is_some())
}

/// `0; url=…` is a redirect, unless the page only reloads itself.
fn redirect_goal(refresh: &str) -> Option<&str> {
    let (delay, rest) = refresh.split_once([';', ','])?;
    let rest = rest.trim_start();
    let url = rest.get(..3).filter(|word| word.eq_ignore_ascii_case("url")).map(|_| rest[3..].trim_start())?;
    let url = url.strip_prefix('=')?.trim().trim_matches(['\'', '"']);
    (delay.trim().parse::<f64>().ok()? <= REDIRECT && !url.is_empty()).then_some(url)
}

/// HTTrack writes `?p=217` as `index.html%3Fp=217.html`.
fn unescape_query(href: &str) -> Cow<'_, str> {
    let Some((path, query)) = href.split_once("index.html%3F").or_else(|| href.split_once("index.html%3f")) else {
        return Cow::Borrowed(href);
    };
    Cow::Owned(format!("{path}?{}", query.strip_suffix(".html").unwrap_or(query)))
}

/// The URL without the index file added by a mirror.
fn without_index(url: &str) -> Cow<'_, str> {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    match url[..end].strip_suffix("/index.html").or_else(|| url[..end].strip_suffix("/index.htm")) {
        Some(folder) => Cow::Owned(format!("{folder}/{}", &url[end..])),
        None => Cow::Borrowed(url),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scrape::location::locate;
    use std::path::Path;

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
        assert_eq!(stated(canonical("https://x.example/a/#b")).as_deref(), Some("https://x.example/a/#b"));
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
        for (file, time, digest) in [("a\nb.warc#12", "2026", "sha1:X"), ("b.warc#0+7", "", ""), ("é.warc#1", "", "d")]
        {
            let location = Location { url: "http://x.example/".to_owned(), is_certain: true };
            let mut page = Page::new(0, file.to_owned(), location, &Head::default(), &mut Names::default());
            page.capture = Some(Capture::new(time, digest));
            page.shelve(&mut shelf).unwrap();
            assert!(page.file.is_empty());
            let (back, capture) = page.origin(&shelf).unwrap();
            assert_eq!((&*back, capture.as_deref()), (file, Some(&Capture::new(time, digest))));
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
    fn forms_and_error_pages_show_nothing() {
        let head = |title: &str, noindex: bool, canonical: Option<&str>| Head {
            title: Some(title.into()),
            noindex,
            canonical: canonical.map(Into::into),
            ..Head::default()
        };
        let at = |file: &str, head: Head| page(file, head).is_error;
        assert!(at("x.example/wp-admin/post.php?post=4.html", Head::default()));
        assert!(at("x.example/wp-loginc2b6.html", Head::default()));
        assert!(at(
            "x.example/a/index.html",
            Head { body_class: Some("login no-js wp-core-ui".into()), ..Head::default() }
        ));
        assert!(at("x.example/a/index.html", head("Seite nicht gefunden – X", true, None)));
        assert!(!at("x.example/a/index.html", head("Page not found", true, Some("https://x.example/a/"))));
        assert!(!at("x.example/a/index.html", head("404 days", false, None)));
    }

    #[test]
    fn files_beside_the_pages_show_nothing() {
        let titled = |title: &str| Head { title: Some(title.into()), ..Head::default() };
        let of_wordpress = |head: Head| Head { generators: vec!["WordPress 6.8".into()], ..head };
        let at = |file: &str, head: Head| page(file, head).is_error;
        assert!(at("x.example/wp-content/uploads/2020/index.html", titled("Index of /wp-content/uploads/2020/")));
        assert!(at("x.example/wp-includes/index.html", titled("Directory listing for /wp-includes/")));
        assert!(at("x.example/wp-content/plugins/redux/sample/info.html", Head::default()));
        assert!(at("x.example/b/wp-content/themes/t/readme.html", titled("T")));
        assert!(!at("x.example/index/index.html", of_wordpress(titled("Index of /a/ novels"))));
        assert!(!at("x.example/wp-content/plugins/cache/a/index.html", of_wordpress(titled("A"))));
        assert!(!at("x.example/wp-content/uploads/thesis.html", titled("A thesis")));
    }

    #[test]
    fn httrack_knows_where_it_was() {
        let head = Head { mirrored_from: Some("x.example/a/?page=2".into()), ..Head::default() };
        assert_eq!(page("x.example/a/index7c4d.html", head).location(), "http://x.example/a/?page=2");
    }

    #[test]
    fn a_redirect_is_told_from_a_page_that_renews_itself() {
        assert_eq!(redirect_goal("0; url=https://x.example/"), Some("https://x.example/"));
        assert_eq!(redirect_goal("0;URL='../a/index.html'"), Some("../a/index.html"));
        assert_eq!(redirect_goal("300"), None);
        assert_eq!(redirect_goal("300; url=https://x.example/"), None);
        assert_eq!(redirect_goal("0; url="), None);
        assert_eq!(redirect_goal("é; ü"), None);
    }
}
