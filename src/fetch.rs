//! Fetches a WordPress site, given its URL, into a folder: its records as a dump, complete or with every gap named, and a WARC archive of
//! every answer (wp-fetch). No other module uses the network. It interprets answers only as far as is necessary to know whether the dump is
//! complete.
//!
//! | module | what it is for |
//! |---|---|
//! | `wire` | sends one request: bytes out, bytes in, limits |
//! | `http`, `answer` | parse a response, and judge whether it can be used |
//! | `session` | sends every request: politeness, retries, answers of earlier runs |
//! | `warc`, `archives`, `log`, `folder`, `file_names` | the files that a run writes |
//! | `discover`, `languages`, `collection` | find the API and its collections, and fetch them completely |
//! | `feeds`, `entries` | fetch the feeds of a site whose API is closed |
//! | `pages`, `sitemap` | fetch the HTML pages that show the records |
//! | `media`, `file_type` | fetch the files of media records, and the images in posts |
//! | `site`, `account` | fetch one site from its URL to its folder; count the results |
//! | `before`, `update` | with --update: read the previous dump, and replace it by the new one |
//! | `reserved` | the site's reservations of text and data mining |
//! | `plan` | shows what --dry-run finds |
//! | `messages`, `progress` | messages, and the progress line of a terminal |

mod account;
mod address;
mod answer;
mod archives;
mod before;
mod blogs;
mod collection;
mod discover;
mod entries;
mod feeds;
mod file_names;
mod file_type;
mod folder;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) mod fuzzing;
mod http;
mod languages;
mod log;
mod media;
mod messages;
mod pages;
mod plan;
mod progress;
mod reserved;
mod robots;
mod session;
mod site;
mod sitemap;
mod update;
mod warc;
mod wire;

use crate::ndjson::Output;
use crate::report::{Error, Report, shown_path};
use messages::Messages;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Which pages of the site to fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pages {
    /// The pages of records, and their versions in other languages.
    Records,
    /// The pages of records, and all pages that sitemaps list.
    All,
    /// Only the front page, from which the API is found.
    None,
}

impl Pages {
    /// Every choice, with its name on the command line.
    pub const ALL: [(&str, Pages); 3] = [("records", Pages::Records), ("all", Pages::All), ("none", Pages::None)];
}

/// Which media files to fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Media {
    /// The files of media records.
    Originals,
    /// The files of media records, and the images in posts that belong to no media record.
    All,
}

impl Media {
    /// Every choice, with its name on the command line.
    pub const ALL: [(&str, Media); 2] = [("originals", Media::Originals), ("all", Media::All)];
}

/// The options of wp-fetch.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder that everything goes into.
    pub directory: PathBuf,
    /// Who fetches, for the people who run the site: an address or a URL.
    pub contact: Option<String>,
    /// The pause between two requests to a host, added to the time that the last answer took.
    pub pause: Duration,
    /// How often a request that failed is made again.
    pub retries: u32,
    /// The longest wait that a site may ask for.
    pub max_wait: Duration,
    /// The longest time that one answer may take.
    pub timeout: Duration,
    /// The types to fetch; if empty, all types that are content.
    pub types: Vec<String>,
    /// Which pages to fetch.
    pub pages: Pages,
    /// Whether to fetch the feeds of a site whose API is closed.
    pub feeds: bool,
    /// Whether to write the pages as files, too, named as wget names them.
    pub tree: bool,
    /// Which media files to fetch, if any.
    pub media: Option<Media>,
    /// Other hosts that media files may come from: `cdn.example`, `cdn.example:8080`.
    pub media_hosts: Vec<String>,
    /// The most bytes that all media files may have together.
    pub max_media: Option<u64>,
    /// Whether only to find out what the site has, and to show which requests a fetch would make.
    pub dry_run: bool,
    /// Whether to show the plan as a table for people, not as NDJSON.
    pub as_table: bool,
    /// Whether to fetch only new and changed items since the previous run, and to list deleted items.
    pub update: bool,
    /// Whether to request URLs that robots.txt forbids, too.
    pub ignore_robots: bool,
    /// Headers for requests to the site. They are never sent from an https site over http, and never written into a file.
    pub headers: Vec<(String, String)>,
    /// A proxy to go through.
    pub proxy: Option<String>,
    /// Certificates of the authorities to trust, in PEM, instead of those that browsers trust.
    pub authorities: Option<Vec<u8>>,
    /// Whether to accept any certificate.
    pub insecure: bool,
    /// The most pages of one collection to request: a server that has more makes them up.
    pub most_pages: u64,
    /// The most sitemaps of one site to read, for the same reason.
    pub most_sitemaps: usize,
}

/// The user agent: the program, the project's address if it has one, and whom to write to.
fn agent(repository: &str, contact: Option<&str>) -> String {
    let address = (!repository.is_empty()).then(|| format!("+{repository}"));
    let said: Vec<String> = address.into_iter().chain(contact.map(str::to_owned)).collect();
    let said = if said.is_empty() { String::new() } else { format!(" ({})", said.join("; ")) };
    format!("wpipe/{}{said}", env!("CARGO_PKG_VERSION"))
}

impl Options {
    /// The usual value of `most_pages`.
    pub const MOST_PAGES: u64 = 100_000;
    /// The usual value of `most_sitemaps`.
    pub const MOST_SITEMAPS: usize = 10_000;

    fn program(&self) -> String {
        format!("wp-fetch {}", env!("CARGO_PKG_VERSION"))
    }

    fn user_agent(&self) -> String {
        agent(env!("CARGO_PKG_REPOSITORY"), self.contact.as_deref())
    }

    /// Whether robots.txt is obeyed, in a word.
    fn robots(&self) -> &'static str {
        if self.ignore_robots { "ignored" } else { "obeyed" }
    }

    /// The options in one line, without secrets.
    fn describe(&self) -> String {
        let seconds = |duration: Duration| duration.as_secs_f64();
        let mut text =
            format!("pause {} s, retries {}, max-wait {} s", seconds(self.pause), self.retries, seconds(self.max_wait));
        text += &format!(", pages {:?}", self.pages).to_lowercase();
        let list = |what: &str, names: &[String]| {
            if names.is_empty() { String::new() } else { format!(", {what} {}", names.join(",")) }
        };
        let said = |is_so: bool, what: &str| if is_so { format!(", {what}") } else { String::new() };
        let headers: Vec<String> = self.headers.iter().map(|(name, _)| name.clone()).collect();
        text += &said(!self.feeds, "no feeds");
        text += &self.media.map(|media| format!(", media {media:?}").to_lowercase()).unwrap_or_default();
        text += &list("media hosts", &self.media_hosts);
        text += &self.max_media.map(|most| format!(", max-media {most} bytes")).unwrap_or_default();
        text += &list("types", &self.types);
        text += &list("with headers that are not recorded:", &headers);
        text += &said(self.proxy.is_some(), "through a proxy");
        text + &said(self.insecure, "certificates not verified")
    }
}

/// Reads headers from a file of lines `Name: value`; skips empty lines and lines that begin with #.
///
/// # Errors
/// When the file cannot be read or has another line.
pub fn read_headers(path: &Path) -> Result<Vec<(String, String)>, Error> {
    let name = shown_path(path);
    let text = std::fs::read_to_string(path).map_err(|e| Error::io(name.as_str(), e))?;
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#'));
    let header = |(line, number): (&str, u32)| {
        let (header, value) = line.split_once(':').unwrap_or_default();
        let is_name = !header.is_empty() && header.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
        let header = is_name.then(|| (header.to_owned(), value.trim().to_owned()));
        // The line itself may be a secret.
        header.ok_or_else(|| Error::Fatal(format!("{name}:{number}: not a header (Name: value)")))
    };
    lines.map(header).collect()
}

/// The error for a SITE that is not a URL. Its hint covers the usual mistake: people write a site without `https://`.
fn no_url(url: &str) -> Error {
    let whole = format!("https://{url}");
    let is_host = !url.contains("://") && url.contains(['.', ':']) && address::normalise(&whole).is_some();
    let hint = if is_host { format!("; write {whole}") } else { String::new() };
    Error::Fatal(format!("{url}: not an http or https URL{hint}"))
}

/// Fetches the site at `url`, or shows what that would take, and copies the lines of its log to `output`, if there is one.
/// Each gap counts as a reject in `report`.
///
/// # Errors
/// When `url` is not a URL, or the folder or `output` cannot be written.
pub fn run(options: &Options, url: &str, output: Option<&mut Output>, report: &mut Report) -> Result<(), Error> {
    if address::has_credentials(url) {
        // The URL itself is not shown: it is a secret.
        let what = "SITE has a name or a password in it, which would go into files; send it by --header-file";
        return Err(Error::Fatal(what.to_owned()));
    }
    let site = address::normalise(url).ok_or_else(|| no_url(url))?;
    let messages = Messages::new(&site, output, report);
    if options.dry_run { plan::run(options, &site, messages) } else { site::run(options, &site, messages) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_agent_names_an_address_only_if_there_is_one() {
        let version = env!("CARGO_PKG_VERSION");
        let whole = format!("wpipe/{version} (+https://a.example/; me@b.example)");
        assert_eq!(agent("https://a.example/", Some("me@b.example")), whole);
        assert_eq!(agent("https://a.example/", None), format!("wpipe/{version} (+https://a.example/)"));
        assert_eq!(agent("", Some("me@b.example")), format!("wpipe/{version} (me@b.example)"));
        assert_eq!(agent("", None), format!("wpipe/{version}"));
    }
}
