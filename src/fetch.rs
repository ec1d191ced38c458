//! wp-fetch: from a URL to a dump of the site, complete or with its gaps named, and an archive of every answer.
//! The network lives here and nowhere else; what the answers hold is understood no further than completeness asks for.
//!
//! | module | what it is for |
//! |---|---|
//! | `wire` | one request: bytes out, bytes in, limits |
//! | `http`, `answer` | what the bytes say, and what that amounts to |
//! | `session` | manners, patience, memory: every request goes through it |
//! | `warc`, `log`, `folder` | what is written |
//! | `discover`, `languages`, `collection` | where the API is, what it has, and all of it |
//! | `pages`, `sitemap` | the pages that show it |
//! | `site` | one site from its URL to its folder |
//! | `before`, `update` | what a run with --update finds there, and what it leaves |
//! | `plan`, `progress` | what --dry-run tells, what a terminal shows |

mod address;
mod answer;
mod before;
mod collection;
mod discover;
mod folder;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) mod fuzzing;
mod http;
mod languages;
mod log;
mod pages;
mod plan;
mod progress;
mod robots;
mod session;
mod site;
mod sitemap;
mod update;
mod warc;
mod wire;

use crate::ndjson::Output;
use crate::report::{Error, Place, Report};
use collection::Tally;
use log::Gap;
use pages::PageTally;
use progress::{Progress, Step};
use std::collections::{BTreeMap, VecDeque};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Which pages of the site to fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pages {
    /// Those of the records, and their versions in other languages.
    Records,
    /// These, and those that sitemaps list.
    All,
    /// None but the front page, from which the API is found.
    None,
}

impl Pages {
    /// All of them, by their names.
    pub const ALL: [(&str, Pages); 3] = [("records", Pages::Records), ("all", Pages::All), ("none", Pages::None)];
}

/// What can be asked of wp-fetch.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder that everything goes into.
    pub directory: PathBuf,
    /// Who fetches, for the people who run the site: an address or a URL.
    pub contact: Option<String>,
    /// The pause between two requests to a host, beside the time that it took to answer.
    pub pause: Duration,
    /// How often a request that failed is made again.
    pub retries: u32,
    /// The longest wait that a site may ask for.
    pub max_wait: Duration,
    /// The longest that one answer may take.
    pub timeout: Duration,
    /// Types to fetch; none: all that are content.
    pub types: Vec<String>,
    /// Which pages to fetch.
    pub pages: Pages,
    /// Write the pages as files, too, named as wget names them.
    pub tree: bool,
    /// Only ask what there is, and tell what would be asked for.
    pub dry_run: bool,
    /// Fetch what is new or has changed since the run before, and tell what is gone.
    pub update: bool,
    /// Ask also for what robots.txt forbids.
    pub ignore_robots: bool,
    /// Headers that go with every request and into no file.
    pub headers: Vec<(String, String)>,
    /// A proxy to go through.
    pub proxy: Option<String>,
    /// Certificates of the authorities to trust, in PEM, instead of those that browsers trust.
    pub authorities: Option<Vec<u8>>,
    /// Take any certificate.
    pub insecure: bool,
    /// Pages of one collection, and sitemaps of one site: a server that goes on beyond is not a site.
    pub most_pages: u64,
    /// See `most_pages`.
    pub most_sitemaps: usize,
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
        let contact = self.contact.as_deref().map(|contact| format!("; {contact}")).unwrap_or_default();
        format!("wpipe/{} (+{}{contact})", env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_REPOSITORY"))
    }

    /// What was asked for, in a line, without what is secret.
    fn describe(&self) -> String {
        let seconds = |duration: Duration| duration.as_secs_f64();
        let mut text =
            format!("pause {} s, retries {}, max-wait {} s", seconds(self.pause), self.retries, seconds(self.max_wait));
        text += &format!(", pages {:?}", self.pages).to_lowercase();
        if !self.types.is_empty() {
            text += &format!(", types {}", self.types.join(","));
        }
        if !self.headers.is_empty() {
            let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
            text += &format!(", with headers that are not recorded: {}", names.join(", "));
        }
        if self.proxy.is_some() {
            text += ", through a proxy";
        }
        if self.insecure {
            text += ", certificates not verified";
        }
        text
    }
}

/// What a site's thread has to tell.
enum Event {
    /// A line of a log, or of a plan.
    Line(Vec<u8>),
    Gap {
        site: String,
        gap: Gap,
    },
    Defect {
        site: String,
        kind: &'static str,
        what: String,
    },
    Warning(String),
    Note(String),
    Waiting {
        site: String,
        wait: Duration,
        why: String,
    },
    Step(Step),
    /// The site is done with.
    Left(String),
    Tally(Vec<Tally>, PageTally),
}

/// The headers of a file of lines `Name: value`; empty lines and those that begin with # are passed over.
///
/// # Errors
/// When the file cannot be read or has another line.
pub fn read_headers(path: &Path) -> Result<Vec<(String, String)>, Error> {
    let name = path.display().to_string();
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

/// The sites of a list: one a line, its URL or a JSON object with the key `url`; empty lines are passed over.
///
/// # Errors
/// When a line is neither.
pub fn read_sites(mut list: impl Read) -> Result<Vec<String>, Error> {
    let mut text = String::new();
    list.read_to_string(&mut text).map_err(|e| Error::io("-", e))?;
    let site = |(line, number): (&str, u32)| {
        let told: Option<serde_json::Value> = serde_json::from_str(line).ok();
        let url = told.map_or(Some(line.trim().to_owned()), |told| Some(told.get("url")?.as_str()?.to_owned()));
        let url = url.filter(|url| address::normalise(url).is_some());
        url.ok_or_else(|| {
            Error::Fatal(format!("-:{number}: not an http or https URL, nor an object with one as its url"))
        })
    };
    text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()).map(site).collect()
}

/// A site, and the folder that it goes into.
type Job = (String, PathBuf);

/// The sites of each host, which are fetched one after the other, with their folders: that of the options for one site, a
/// folder of its own in it for each of several.
fn jobs(options: &Options, sites: &[String], report: &mut Report) -> Vec<Vec<Job>> {
    let mut hosts: BTreeMap<String, Vec<Job>> = BTreeMap::new();
    for site in sites {
        let url = address::normalise(site).unwrap_or_default();
        let host = address::authority(&url).to_owned();
        let path = address::path_and_query(&url).trim_matches('/').replace('/', "_");
        let name = if path.is_empty() { host.clone() } else { format!("{host}_{path}") };
        let folder = options.directory.join(folder::file_name(&name));
        let folder = if sites.len() > 1 { folder } else { options.directory.clone() };
        let jobs = hosts.entry(host).or_default();
        if jobs.iter().any(|(_, other)| *other == folder) {
            report.warn(&format!("{site}: listed twice"));
        } else {
            jobs.push((site.clone(), folder));
        }
    }
    hosts.into_values().collect()
}

/// Fetches the sites, `at_once` of them side by side and those of one host one after the other, and passes the lines of their
/// logs on to `output`, if there is one. A gap is a reject of `report`.
///
/// # Errors
/// When a folder cannot be used or written, after all other sites are done; or `output` cannot be written.
pub fn run(
    options: &Options,
    sites: &[String],
    at_once: usize,
    mut output: Option<&mut Output>,
    report: &mut Report,
) -> Result<(), Error> {
    let jobs = jobs(options, sites, report);
    let threads = at_once.clamp(1, jobs.len().max(1));
    let (queue, is_one) = (Mutex::new(VecDeque::from(jobs)), sites.len() == 1);
    let (tell, told) = channel();
    std::thread::scope(|scope| {
        let queue = &queue;
        let workers: Vec<_> = (0..threads)
            .map_while(|_| {
                let tell = tell.clone();
                let work = move || work(options, queue, is_one, &tell);
                std::thread::Builder::new().spawn_scoped(scope, work).ok()
            })
            .collect();
        // Where no thread can be started, the work is done in this one, and heard of afterwards.
        let alone = if workers.is_empty() { work(options, queue, is_one, &tell) } else { Ok(()) };
        drop(tell);
        let heard = listen(told, &mut output, report);
        let ended_badly = |_| Err(Error::Fatal("a thread has ended badly".to_owned()));
        let done: Result<(), Error> =
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(ended_badly)).fold(Ok(()), Result::and);
        heard.and(alone).and(done)
    })
}

/// Fetches what is in the queue. That one of several sites cannot be fetched does not stop the others.
fn work(options: &Options, queue: &Mutex<VecDeque<Vec<Job>>>, is_one: bool, tell: &Sender<Event>) -> Result<(), Error> {
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let mut outcome = Ok(());
    while let Some(jobs) = next() {
        for (site, folder) in jobs {
            let done = if options.dry_run {
                plan::run(options, &site, tell)
            } else {
                site::run(options, &site, &folder, tell.clone())
            };
            let _ = tell.send(Event::Left(site.clone()));
            match done {
                Ok(()) => {}
                Err(Error::BrokenPipe) => return Err(Error::BrokenPipe),
                Err(error) if is_one => return Err(error),
                Err(error) => {
                    let _ = tell.send(Event::Warning(format!("{site}: {error}")));
                    outcome = Err(Error::Fatal("not all sites could be fetched".to_owned()));
                }
            }
        }
    }
    outcome
}

/// Passes on what the threads tell, until the last one is done.
fn listen(told: Receiver<Event>, output: &mut Option<&mut Output>, report: &mut Report) -> Result<(), Error> {
    let mut progress = Progress::default();
    for event in told {
        match event {
            Event::Line(line) => {
                report.count("requests", u64::from(line.windows(17).any(|part| part == b"\"event\":\"request\"")));
                if let Some(output) = output {
                    output.write(&line)?;
                    output.flush()?;
                }
            }
            Event::Gap { site, gap } => report.reject(&Place::file(&site), &describe(&gap), b"")?,
            Event::Defect { site, kind, what } => report.defect(kind, &Place::file(&site), &what),
            Event::Warning(what) => report.warn(&what),
            Event::Note(what) => report.tell(&what),
            Event::Waiting { site, wait, why } => {
                report.tell(&format!("{site}: {why}: waits {:.1} s", wait.as_secs_f64()));
                progress.wait(&site, wait, &why);
                report.show(progress.text());
            }
            Event::Step(step) => {
                progress.step(step, Instant::now());
                report.show(progress.text());
            }
            Event::Left(site) => {
                progress.end(&site);
                report.show(progress.text());
            }
            Event::Tally(tallies, pages) => {
                report.count("pages", pages.got);
                for tally in tallies {
                    report.count("items", tally.got + tally.gone);
                    report.count("hidden", tally.hidden);
                }
            }
        }
    }
    Ok(())
}

/// A gap in words.
fn describe(gap: &Gap) -> String {
    let mut text = match (gap.what.as_str(), gap.id) {
        ("item", Some(id)) => format!("{} {id}", gap.r#type),
        ("item", None) => format!("{}: an item at offset {}", gap.r#type, gap.offset.unwrap_or_default()),
        ("page" | "sitemap", _) => gap.what.clone(),
        _ => gap.r#type.clone(),
    };
    if let Some(link) = &gap.link {
        text += &format!(" ({link})");
    }
    format!("{text}: {}", gap.error)
}
