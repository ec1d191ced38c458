//! Fetches one site into its folder: robots.txt, the API, every collection, the pages, and the summary in fetch.json.

mod files;

use super::account::Account;
use super::address::{authority, normalise, origin};
use super::answer::{Verdict, Want};
use super::archives::Archives;
use super::collection::Walk;
use super::discover::{self, Api, Collection, Home, ItemKind};
use super::folder::{Dump, Lock, Tree, clear_parts};
use super::log::{Gap, Log, Past, Update};
use super::media;
use super::messages::Messages;
use super::pages::PageWalk;
use super::reserved::Reserved;
use super::robots::{Rules, TOKEN};
use super::session::{Ask, Session, Stop, now};
use super::update::{Renewal, place_for};
use super::warc::Warc;
use super::wire::{Manners, Wire};
use super::{Options, Pages, http, languages};
use crate::report::{Error, shown_path};
use crate::rights::forbidden_agents;
use crate::whole_file::WholeFile;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// Fetches the site into the folder of the options.
pub(super) fn run(options: &Options, site: &str, messages: Messages<'_>) -> Result<(), Error> {
    let folder = options.directory.as_path();
    let _lock = Lock::take(folder)?;
    clear_parts(folder);
    let (archives, log, mut past) = open(folder)?;
    let wire = connect(options, site)?;
    if let Some(other) = past.site.as_ref().filter(|other| *other != site) {
        let what = format!("{other} was fetched into this directory; name another one with -d");
        return Err(Error::Fatal(format!("{}: {what}", shown_path(folder))));
    }
    let story = if !past.is_there {
        None
    } else if let (Some(ended), false) = (&past.ended, options.update) {
        Some(format!("a run ended here at {ended}; what it got is not asked for again"))
    } else {
        Some("goes on where the log ends".to_owned()).filter(|_| past.ended.is_none())
    };
    let begun = begin(options, folder, &mut past)?;
    let started = http::date(now());
    let renewal = past.update.clone().map(|update| Renewal::open(folder, update)).transpose()?;
    let mut session = Session::new(options, site, wire, (archives, log, past), messages);
    story.iter().for_each(|story| session.messages.say(story));
    if options.contact.is_none() {
        session.messages.say("no --contact: the people who run the site do not learn who asks");
    }
    let dump = Dump::open(Renewal::target(folder, renewal.as_ref()))?;
    session.describe(site, begun.as_ref())?;
    let mut harvest = Harvest { dump, renewal, ..Harvest::default() };
    let mut account = Account::default();
    match collect(&mut session, site, folder, &mut harvest, &mut account) {
        Ok(()) => {}
        Err(Stop::Error(error)) => return Err(error),
        Err(Stop::Patience(what)) => {
            let gap = Gap { r#type: "site".to_owned(), what: "rest".to_owned(), error: what.clone(), ..Gap::default() };
            session.gap(&gap).map_err(into_error)?;
            account.gaps += 1;
            account.stopped = Some(what);
        }
    }
    finish(session, harvest, account, folder, (site, &started))
}

/// Begins an update if requested, and if the previous run was completed. Returns it if so.
fn begin(options: &Options, folder: &Path, past: &mut Past) -> Result<Option<Update>, Error> {
    let Some(ended) = past.ended.clone().filter(|_| options.update) else { return Ok(None) };
    let update = Update {
        time: http::date(after(&ended)?),
        since: past.began.clone().unwrap_or_default(),
        before: place_for(folder, past.done.as_ref().unwrap_or(&ended)),
    };
    past.begin(update.clone());
    Ok(Some(update))
}

/// A second after `ended`, so that everything fetched from then on has a later date than everything before.
fn after(ended: &str) -> Result<u64, Error> {
    if http::date(now() + 2).as_str() < ended {
        return Err(Error::Fatal(format!(
            "the last run ended at {ended}, and it is only {} now: the clock is wrong",
            http::date(now())
        )));
    }
    while http::date(now()).as_str() <= ended {
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(now())
}

pub(super) fn connect(options: &Options, site: &str) -> Result<Wire, Error> {
    let host = authority(site).rsplit_once(':').map_or(authority(site), |(host, _)| host).to_owned();
    let manners = Manners {
        user_agent: options.user_agent(),
        headers: options.headers.clone(),
        proxy: options.proxy.clone(),
        authorities: options.authorities.clone(),
        insecure: options.insecure,
        timeout: options.timeout,
    };
    Wire::new(&host, &manners).map_err(Error::Fatal)
}

/// Requests robots.txt, which is obeyed unless --ignore-robots is given. Returns the robots that it forbids by name.
pub(super) fn ask_robots(session: &mut Session<'_>, site: &str) -> Result<Vec<&'static str>, Stop> {
    let is_ignored = session.options().ignore_robots;
    let url = format!("{}/robots.txt", origin(site));
    let answer = session.ask(&Ask { may_leave: true, once: is_ignored, ..Ask::new(url, Want::Text) })?;
    if !is_ignored {
        session.obey(site, Rules::new(&answer));
    }
    Ok(if answer.verdict == Verdict::Good { forbidden_agents(&answer.response.body) } else { Vec::new() })
}

/// Opens archive and log; each is valid only as far as the other confirms it.
pub(super) fn open(folder: &Path) -> Result<(Archives, Log, Past), Error> {
    let path = folder.join("fetch.warc.gz");
    let bytes = fs::metadata(&path).map_or(0, |file| file.len());
    let (log, past) = Log::open(&folder.join("fetch.ndjson"), bytes)?;
    if bytes > 0 && !past.is_there {
        let what = "there is an archive, but no log of it: name another folder with -d, or move the archive away";
        return Err(Error::Fatal(format!("{}: {what}", shown_path(&path))));
    }
    let warc = Warc::open(&path, past.warc_length)?;
    Ok((Archives::new(warc, folder, past.media_length), log, past))
}

/// Converts a [`Stop`] into an error, for callers that cannot run out of patience with the site.
pub(super) fn into_error(stop: Stop) -> Error {
    match stop {
        Stop::Error(error) => error,
        Stop::Patience(what) => Error::Fatal(what),
    }
}

/// The data that is gathered while a site is fetched.
#[derive(Default)]
struct Harvest {
    dump: Dump,
    /// In an update: the previous dump, and the items deleted since.
    renewal: Option<Renewal>,
    /// The URLs of the records' pages, and whether each record is unchanged in the update.
    links: Vec<(String, bool)>,
    /// The ids from each route.
    known: BTreeMap<String, BTreeSet<i64>>,
    /// In an update: the URLs of deleted pages.
    gone: BTreeSet<String>,
    /// In an update: the files of deleted pages.
    files: Vec<Vec<String>>,
    pages_gone: u64,
    /// The media files in the dump.
    found: media::MediaSources,
    /// In an update: the deleted media files, by URL.
    files_gone: BTreeMap<String, String>,
}

fn collect(
    session: &mut Session<'_>,
    site: &str,
    folder: &Path,
    harvest: &mut Harvest,
    account: &mut Account,
) -> Result<(), Stop> {
    let agents = ask_robots(session, site)?;
    let home = match discover::home(session, site)? {
        Ok(home) => home,
        Err(what) => return account.refuse(session, "site", what),
    };
    account.reserved = Reserved::ask(session, &home, agents)?;
    match discover::api(session, &home)? {
        Ok(api) => harvest.collections(session, &api, &home, account)?,
        Err(what) => {
            account.api_refused = Some(what.clone());
            let is_closed = what.starts_with("the API at") && session.options().pages == Pages::Records;
            let hint = if is_closed { "; --pages all fetches the pages that sitemaps list" } else { "" };
            account.refuse(session, "api", what + hint)?;
            if session.options().media.is_some() {
                session.messages.warn("--media: without the API no files are known, so none was asked for");
            }
        }
    }
    let gone = account.ask_for_feeds(session, &home)?;
    harvest.renewal.iter_mut().for_each(|renewal| renewal.note_posts(&gone));
    let scrape = folder.join("scrape");
    // An update keeps an existing tree up to date.
    let has_tree = session.options().tree || harvest.renewal.is_some() && scrape.exists();
    let has_pages = session.options().pages != Pages::None;
    let is_whole = has_pages && session.options().types.is_empty();
    let renewal = harvest.renewal.as_ref().filter(|_| account.api.is_some() || account.feeds.is_some());
    let left = renewal.map(Renewal::old_links).unwrap_or_default();
    let items = renewal.map(Renewal::gone_items).unwrap_or_default();
    let mut walk = PageWalk::new(session, &home.url, has_tree.then(|| Tree::new(scrape)), &left);
    if has_pages {
        walk.run(&home, &harvest.links)?;
    }
    if renewal.is_some() {
        harvest.gone = walk.look_for_gone(is_whole, &items)?;
        harvest.gone.extend(gone.iter().filter_map(|post| normalise(&post.link)));
    }
    (account.pages, harvest.files, account.other_blogs) = walk.end(&harvest.gone);
    account.gaps += account.pages.gaps;
    harvest.media(session, site, account)
}

impl Harvest {
    fn collections(
        &mut self,
        session: &mut Session<'_>,
        api: &Api,
        home: &Home,
        account: &mut Account,
    ) -> Result<(), Stop> {
        account.api = Some(api.root.clone());
        self.dump.write("index.json".to_owned(), api.index.json())?;
        let listing = discover::collections(session, api)?;
        for (name, answer) in &listing.answers {
            self.dump.write(format!("{name}.json"), answer.json())?;
        }
        for collection in &listing.collections {
            self.walk(session, api, collection, account)?;
        }
        listing.odd.iter().try_for_each(|collection| account.refuse_odd(session, collection))?;
        account.left_out = listing.left_out;
        account.gaps += listing.unknown;
        let mut more = languages::left_out(session, api, home, &listing.collections, &self.known)?;
        for collection in self.renewal.iter().flat_map(|_| &listing.collections) {
            let languages = self.renewal.as_ref().map(|renewal| renewal.languages(&collection.name)).transpose()?;
            for language in languages.into_iter().flatten() {
                let again = collection.in_language(&language);
                if !more.contains(&again) {
                    more.push(again);
                }
            }
        }
        more.iter().try_for_each(|collection| self.walk(session, api, collection, account))?;
        // Absence from the site's list of types is not proof enough: their items are requested all the same.
        if listing.answers.len() == 2 && session.options().types.is_empty() {
            let unlisted = self.renewal.as_ref().map(Renewal::unlisted).transpose()?;
            for name in unlisted.into_iter().flatten() {
                session.messages.warn(&format!("{name}: the site does not list it any more"));
                self.walk(session, api, &Collection::unlisted(&name), account)?;
            }
        }
        self.settle(account);
        Ok(())
    }

    fn walk(
        &mut self,
        session: &mut Session<'_>,
        api: &Api,
        collection: &Collection,
        account: &mut Account,
    ) -> Result<(), Stop> {
        let held = self.renewal.as_mut().map(|renewal| renewal.held(&collection.name)).transpose()?;
        let since = self.renewal.as_ref().map_or("", |renewal| &renewal.update().since);
        let before = held.as_ref().map(|held| (held, since));
        let mut walk = Walk::new(session, api, collection, &mut self.dump, before);
        let mut tally = walk.run()?;
        let (items, gone) = (walk.items, walk.gone);
        self.find_media(collection, held.as_ref(), &|id| items.contains_key(&id) || gone.contains(&id), &api.root)?;
        let mut fresh = None;
        if let (Some(held), Some(renewal)) = (&held, &mut self.renewal) {
            let (mut new, changed) = self.dump.held(&collection.name)?.new_and_changed(held);
            (tally.new, tally.changed) = (Some(new.len() as u64), Some(changed.len() as u64));
            renewal.note(held, &gone, &collection.route, collection.language.as_deref(), &collection.r#type);
            renewal.note_changed(held, &changed, &items, &collection.r#type);
            new.extend(changed);
            fresh = Some(new);
        }
        self.known.entry(collection.route.clone()).or_default().extend(items.keys());
        if matches!(collection.kind, ItemKind::Post | ItemKind::Term) {
            let is_same = |id| fresh.as_ref().is_some_and(|fresh| !fresh.contains(&id));
            self.links.extend(items.into_iter().filter_map(|(id, link)| Some((link?, is_same(id)))));
        }
        account.gaps += tally.gaps + u64::from(!tally.adds_up && tally.refused.is_none());
        account.collections.push(tally);
        Ok(())
    }

    /// Moves the results of the update into place: the dump, and the files of deleted pages; writes a list of outdated contents into the
    /// archive. Safe to repeat after an interrupted run.
    fn finish_update(&mut self, session: &mut Session<'_>, folder: &Path, has_dump: bool) -> Result<(), Error> {
        let Some(renewal) = &self.renewal else { return Ok(()) };
        renewal.finish(has_dump)?;
        let tree = Tree::new(folder.join("scrape"));
        self.files.iter().try_for_each(|path| tree.move_out(path, &renewal.place_of_pages()))?;
        media::move_out(folder, &self.files_gone, &renewal.update().before)?;
        let media: Vec<&String> = self.files_gone.keys().collect();
        self.pages_gone = session.note_outdated(&renewal.notice(&self.gone), &media).map_err(into_error)?;
        Ok(())
    }

    /// Counts deleted items, once all lists are known.
    fn settle(&mut self, account: &mut Account) {
        let Some(renewal) = &mut self.renewal else { return };
        renewal.settle(&self.known);
        for tally in &mut account.collections {
            tally.deleted = Some(renewal.gone(&tally.route, tally.language.as_deref()));
        }
    }
}

/// Writes fetch.json and the messages; the log's last line comes last.
fn finish(
    mut session: Session<'_>,
    mut harvest: Harvest,
    account: Account,
    folder: &Path,
    of: (&str, &str),
) -> Result<(), Error> {
    let is_done = account.stopped.is_none() && account.api.is_some();
    if is_done {
        harvest.dump.clear()?;
    }
    if is_done || account.stopped.is_none() && account.feeds.is_some() {
        harvest.finish_update(&mut session, folder, is_done)?;
    }
    if is_done {
        harvest.dump.moved_to(folder.join("dump"));
    }
    let is_complete = account.gaps == 0;
    if !is_done {
        session.messages.cut_short();
    }
    let end = json!({"complete": is_complete, "gaps": account.gaps, "stopped": account.stopped, "dump": is_done});
    session.note("end", end).map_err(into_error)?;
    let update = harvest.renewal.as_ref().map(|renewal| {
        let of = renewal.update();
        let (deleted, pages) = (renewal.all_gone(), harvest.pages_gone);
        let media = session.past().media_gone + harvest.files_gone.len() as u64;
        json!({"time": of.time, "since": of.since, "before": of.before, "deleted": deleted, "pages": pages, "media": media})
    });
    let media = files::of_media(&mut session, &account)?;
    let told = json!({
        "site": of.0, "api": account.api, "program": session.options().program(), "started": of.1,
        "ended": http::date(now()), "complete": is_complete, "gaps": account.gaps, "stopped": account.stopped,
        "update": update, "collections": account.collections, "left_out": account.left_out, "pages": account.pages, "other_blogs": account.other_blogs, "feeds": account.feeds, "media": media, "reserved": account.reserved, "files": harvest.dump.list()?,
        "warc": {"file": "fetch.warc.gz", "bytes": session.archives().of_site().length(), "sha256": session.archives().of_site().hash()?},
    });
    let path = folder.join("fetch.json");
    let mut file = WholeFile::create(&path)?;
    let written = serde_json::to_writer_pretty(&mut file, &told).map_err(std::io::Error::from);
    written.and_then(|()| file.write_all(b"\n")).map_err(|e| Error::at(&path, e))?;
    file.commit()?;
    session.messages.count("pages", account.pages.got);
    for tally in &account.collections {
        session.messages.count("items", tally.got + tally.gone);
        session.messages.count("hidden", tally.hidden);
    }
    account.tell_of_other_blogs(&mut session.messages);
    session.messages.conclude(&(account.in_words() + &account.reserved.in_words()));
    Ok(())
}

impl Session<'_> {
    /// Describes the run in log and archive: program, site, options.
    fn describe(&mut self, site: &str, update: Option<&Update>) -> Result<(), Error> {
        let fields = self.fields(site);
        self.begin_archive(&fields)?;
        let options = self.options();
        let run = json!({"program": options.program(), "site": site, "options": options.describe(),
            "robots": options.robots(), "update": update});
        self.note("start", run).map_err(into_error)
    }

    /// The fields that describe a run in the archives.
    fn fields(&self, site: &str) -> [(&'static str, String); 8] {
        let options = self.options();
        [
            ("software", options.program()),
            ("format", "WARC File Format 1.1".to_owned()),
            ("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/".to_owned()),
            ("operator", options.contact.clone().unwrap_or_else(|| "not named".to_owned())),
            ("http-header-user-agent", options.user_agent()),
            ("robots", format!("{} (token {TOKEN})", options.robots())),
            ("isPartOf", site.to_owned()),
            ("description", options.describe()),
        ]
    }
}
