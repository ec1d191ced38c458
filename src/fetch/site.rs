//! One site from its URL to its folder: robots.txt, the API, every collection, the account of it.

use super::address::{authority, normalise, origin};
use super::answer::Want;
use super::collection::{Tally, Walk};
use super::discover::{self, Api, Collection, Home, Shape};
use super::folder::{Dump, Lock, Tree};
use super::log::{Gap, Log};
use super::pages::{PageTally, PageWalk};
use super::robots::{Rules, TOKEN};
use super::session::{Ask, Session, Stop, now};
use super::warc::Warc;
use super::wire::{Manners, Wire};
use super::{Event, Options, Pages, http, languages};
use crate::report::Error;
use crate::spill::WholeFile;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::mpsc::Sender;

/// What became of a site.
#[derive(Default)]
struct Account {
    api: Option<String>,
    collections: Vec<Tally>,
    pages: PageTally,
    gaps: u64,
    /// Why the run ended before its end.
    stopped: Option<String>,
}

/// Fetches the site at `url` into `folder`.
pub(super) fn run(options: &Options, url: &str, folder: &Path, tell: Sender<Event>) -> Result<(), Error> {
    let site = normalise(url).ok_or_else(|| Error::Trouble(format!("{url}: not an http or https URL")))?;
    let _lock = Lock::take(folder)?;
    let (warc, log, past) = open(folder)?;
    let host = authority(&site).rsplit_once(':').map_or(authority(&site), |(host, _)| host).to_owned();
    let manners = Manners {
        user_agent: options.user_agent(),
        headers: options.headers.clone(),
        proxy: options.proxy.clone(),
        timeout: options.timeout,
    };
    let wire = Wire::new(&host, &manners).map_err(Error::Trouble)?;
    let (is_new, ended) = (!past.is_there, past.ended.clone());
    let mut session = Session::new(options, &site, wire, (warc, log, past), tell);
    match (is_new, ended) {
        (true, _) => {}
        (false, Some(ended)) => {
            session.say(&format!("a run ended here at {ended}; what it got is not asked for again"))
        }
        (false, None) => session.say("goes on where the log ends"),
    }
    let mut dump = Dump::open(folder.join("dump"))?;
    let started = http::date(now());
    session.describe(&site)?;
    let mut account = Account::default();
    match collect(&mut session, &site, folder, &mut dump, &mut account) {
        Ok(()) => {}
        Err(Stop::Error(error)) => return Err(error),
        Err(Stop::Patience(what)) => {
            let gap = Gap { r#type: "site".to_owned(), what: "rest".to_owned(), error: what.clone(), ..Gap::default() };
            session.gap(&gap).map_err(into_error)?;
            account.gaps += 1;
            account.stopped = Some(what);
        }
    }
    finish(session, dump, &account, folder, (&site, &started))
}

/// Opens archive and log; neither is believed without the other.
fn open(folder: &Path) -> Result<(Warc, Log, super::log::Past), Error> {
    let path = folder.join("fetch.warc.gz");
    let bytes = fs::metadata(&path).map_or(0, |file| file.len());
    let (log, past) = Log::open(&folder.join("fetch.ndjson"), bytes)?;
    if bytes > 0 && !past.is_there {
        let what = "there is an archive, but no log of it: name another folder with -d, or move the archive away";
        return Err(Error::Trouble(format!("{}: {what}", path.display())));
    }
    let warc = Warc::open(&path, past.warc_length)?;
    Ok((warc, log, past))
}

/// What is left of a [`Stop`] that cannot be one of patience.
fn into_error(stop: Stop) -> Error {
    match stop {
        Stop::Error(error) => error,
        Stop::Patience(what) => Error::Trouble(what),
    }
}

fn collect(
    session: &mut Session<'_>,
    site: &str,
    folder: &Path,
    dump: &mut Dump,
    account: &mut Account,
) -> Result<(), Stop> {
    if !session.options().ignore_robots {
        let answer = session.ask(&Ask::new(format!("{}/robots.txt", origin(site)), Want::Text))?;
        session.obey(Rules::new(&answer));
    }
    let home = match discover::home(session, site)? {
        Ok(home) => home,
        Err(what) => return account.refuse(session, "site", what),
    };
    let mut links = Vec::new();
    match discover::api(session, &home)? {
        Ok(api) => collections(session, &api, &home, (dump, &mut links), account)?,
        Err(what) => account.refuse(session, "api", what)?,
    }
    if session.options().pages != Pages::None {
        let tree = session.options().tree.then(|| Tree::new(folder.join("scrape")));
        account.pages = PageWalk::new(session, &home.url, tree).run(&home, &links)?;
        account.gaps += account.pages.gaps;
    }
    Ok(())
}

fn collections(
    session: &mut Session<'_>,
    api: &Api,
    home: &Home,
    (dump, links): (&mut Dump, &mut Vec<String>),
    account: &mut Account,
) -> Result<(), Stop> {
    account.api = Some(api.root.clone());
    dump.write("index.json".to_owned(), api.index.json())?;
    let listing = discover::collections(session, api)?;
    for (name, answer) in &listing.answers {
        dump.write(format!("{name}.json"), answer.json())?;
    }
    let mut known: BTreeMap<String, BTreeSet<i64>> = BTreeMap::new();
    let mut walk = |session: &mut Session<'_>, collection: &Collection, known: &mut BTreeMap<String, BTreeSet<i64>>| {
        let mut walk = Walk::new(session, api, collection, dump);
        let tally = walk.run()?;
        known.entry(collection.route.clone()).or_default().extend(walk.items.keys());
        if matches!(collection.shape, Shape::Post | Shape::Term) {
            links.extend(walk.items.into_values().flatten());
        }
        account.gaps += tally.gaps + u64::from(!tally.adds_up && tally.refused.is_none());
        account.collections.push(tally);
        Ok::<(), Stop>(())
    };
    for collection in &listing.collections {
        walk(session, collection, &mut known)?;
    }
    let more = languages::left_out(session, api, home, &listing.collections, &known)?;
    more.iter().try_for_each(|collection| walk(session, collection, &mut known))
}

impl Account {
    /// A part of the site that is not given out.
    fn refuse(&mut self, session: &mut Session<'_>, part: &str, error: String) -> Result<(), Stop> {
        self.gaps += 1;
        session.gap(&Gap { r#type: part.to_owned(), what: "all".to_owned(), error, ..Gap::default() })
    }
}

/// Writes what became of it all; the log's end comes last.
fn finish(
    mut session: Session<'_>,
    dump: Dump,
    account: &Account,
    folder: &Path,
    of: (&str, &str),
) -> Result<(), Error> {
    let files = if account.stopped.is_none() && account.api.is_some() { dump.finish()? } else { dump.list()? };
    let is_complete = account.gaps == 0;
    session.note("end", json!({"complete": is_complete, "gaps": account.gaps})).map_err(into_error)?;
    let ended = http::date(now());
    let path = folder.join("fetch.json");
    let told = json!({
        "site": of.0, "api": account.api, "program": session.options().program(), "started": of.1, "ended": ended,
        "complete": is_complete, "gaps": account.gaps, "stopped": account.stopped,
        "collections": account.collections, "pages": account.pages, "files": files,
        "warc": {"file": "fetch.warc.gz", "bytes": session.warc().length(), "sha256": session.warc().hash()?},
    });
    let mut file = WholeFile::create(&path)?;
    let written = serde_json::to_writer_pretty(&mut file, &told).map_err(std::io::Error::from);
    written.and_then(|()| file.write_all(b"\n")).map_err(|e| Error::io(path.display().to_string(), e))?;
    file.commit()?;
    session.tell(Event::Tally(account.collections.clone(), account.pages.clone()));
    Ok(())
}

impl Session<'_> {
    /// Notes in log and archive who begins to fetch what, and how.
    fn describe(&mut self, site: &str) -> Result<(), Error> {
        let options = self.options();
        let robots = if options.ignore_robots { "ignored" } else { "obeyed" };
        let fields = [
            ("software", options.program()),
            ("format", "WARC File Format 1.1".to_owned()),
            ("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/".to_owned()),
            ("operator", options.contact.clone().unwrap_or_else(|| "not named".to_owned())),
            ("http-header-user-agent", options.user_agent()),
            ("robots", format!("{robots} (token {TOKEN})")),
            ("isPartOf", site.to_owned()),
            ("description", options.describe()),
        ];
        self.begin_archive(&fields)?;
        let run = json!({"program": options.program(), "site": site, "options": options.describe(), "robots": robots});
        self.note("start", run).map_err(into_error)
    }
}
