//! Holds a session with one site. Every request goes through it, so that each one waits its turn, none is sent twice, and all are recorded.
//! A run that resumes an earlier one replays its logged answers.

mod ask;
mod files;
mod hosts;
mod memory;

use super::Options;
use super::address::normalise;
use super::answer::{Answer, Verdict, Want};
use super::archives::Archives;
use super::http::{self, Response};
use super::log::{Gap, Log, LogLine, Past};
use super::messages::Messages;
use super::progress::Step;
use super::robots::Rules;
use super::warc;
use super::wire::{Exchange, Fault, Whole, Wire};
use crate::archive::Notice;
use crate::ndjson::write_json;
use crate::report::Error;
use crate::urls::{self, PageUrl};
pub(super) use ask::{Ask, Stop};
use files::judge_file;
use hosts::Hosts;
use std::time::{Duration, Instant, SystemTime};

/// The most redirects in a row that are followed.
const MOST_REDIRECTS: usize = 10;

/// How many requests in a row may have no usable answer after all their retries before the site is given up.
const PATIENCE: u32 = 5;

/// How many answers may be too long to be read to their end before the site is given up.
const MOST_TOO_LONG: u32 = 64;

pub(super) struct Session<'o> {
    options: &'o Options,
    pub(super) messages: Messages<'o>,
    pub(super) hosts: Hosts,
    wire: Wire,
    archives: Archives,
    log: Log,
    past: Past,
    /// When the next request may be sent.
    next: Instant,
    pause: Duration,
    given_up: u32,
    /// The number of answers that were too long.
    too_long: u32,
    /// The number of requests made in this run.
    asked: u64,
    /// The time that their answers took.
    took: Duration,
    /// Whether there were any answers.
    is_heard: bool,
    /// The state of the generator that randomises waits.
    jitter: u64,
}

impl<'o> Session<'o> {
    pub(super) fn new(
        options: &'o Options,
        site: &str,
        wire: Wire,
        (archives, log, past): (Archives, Log, Past),
        messages: Messages<'o>,
    ) -> Self {
        Session {
            options,
            messages,
            hosts: Hosts::new(site, &options.media_hosts),
            wire,
            archives,
            log,
            past,
            next: Instant::now(),
            pause: options.pause,
            given_up: 0,
            too_long: 0,
            asked: 0,
            took: Duration::ZERO,
            is_heard: false,
            jitter: u64::from(std::process::id()) << 16 | 1,
        }
    }

    pub(super) fn options(&self) -> &'o Options {
        self.options
    }

    pub(super) fn archives(&mut self) -> &mut Archives {
        &mut self.archives
    }

    /// The log of earlier runs.
    pub(super) fn past(&self) -> &Past {
        &self.past
    }

    /// Obeys `rules` from now on, those of the site or of the other host in this URL.
    pub(super) fn obey(&mut self, url: &str, rules: Rules) {
        self.pause = self.pause.max(rules.delay().unwrap_or_default());
        self.hosts.obey(url, rules);
    }

    /// Sends a request, and repeats it while that may help and retries are left. A request that an earlier run made is answered from its
    /// log.
    pub(super) fn ask(&mut self, ask: &Ask) -> Result<Answer, Stop> {
        self.meet(ask, &ask.url)?;
        let tries = if ask.once { 1 } else { self.options.retries + 1 };
        for attempt in 1.. {
            let mut answer = match self.logged_answer(ask) {
                Some(entry) => self.remember(entry, ask)?,
                None => self.ask_now(ask, attempt)?,
            };
            let (what, passes) = match &answer.verdict {
                Verdict::Again(what) => {
                    let is_no = |most| attempt >= most && answer.response.status == 200;
                    (what, !ask.guesses.is_some_and(is_no))
                }
                Verdict::Failed(what) => (what, false),
                _ => {
                    if answer.response.status > 0 {
                        self.given_up = 0;
                    }
                    return Ok(answer);
                }
            };
            if attempt >= tries || !passes {
                // Failures of another host do not end the run, nor do files that the site lists but cannot serve.
                let is_of_site =
                    self.hosts.is_of_site(&ask.url) && (ask.want != Want::File || answer.response.status != 200);
                self.given_up += u32::from(!ask.once && is_of_site);
                if self.given_up >= PATIENCE {
                    return Err(Stop::Patience(format!(
                        "no usable answer to {PATIENCE} requests in a row, the last: {what}"
                    )));
                }
                answer.verdict = Verdict::Failed(what.clone());
                return Ok(answer);
            }
        }
        unreachable!("the last try returns")
    }

    /// Resets the count of failures in a row: the site does answer, though not as expected.
    pub(super) fn forgive(&mut self) {
        self.given_up = 0;
    }

    /// Sends a request over the network, follows redirects, records all, and sets the time of the next request.
    fn ask_now(&mut self, ask: &Ask, attempt: u32) -> Result<Answer, Stop> {
        let mut url = ask.url.clone();
        let (mut offset, mut stop, mut whole) = (None, None, None);
        let mut hops = 0;
        let mut answer = loop {
            self.meet(ask, &url)?;
            if let Some(why) = self.hosts.forbid(&url) {
                break Answer::none(&url, Verdict::Refused(why));
            }
            let (mut exchange, now) = self.exchange(&url, ask)?;
            offset = self.archives.current().record(now, &url, &exchange)?;
            stop = self.judge_manners(&exchange, &url);
            whole = exchange.whole.take();
            let (response, fault) = read(&exchange);
            hops += 1;
            match redirect(&url, &response).filter(|_| fault.is_none()) {
                Some(target) if !self.hosts.may_lead(ask, &target) => {
                    let hint = if ask.want == Want::File { " (see --media-host)" } else { "" };
                    break Answer::refused(url, response, format!("it leads to another site: {target}{hint}"));
                }
                Some(_) if hops > MOST_REDIRECTS => {
                    break Answer::refused(url, response, format!("more than {MOST_REDIRECTS} redirects"));
                }
                Some(target) => url = target,
                None if ask.want == Want::File => break judge_file(url, response, fault, whole.as_ref(), ask),
                None => break Answer::new(url, ask.want, response, fault).with_place(&ask.url),
            }
        };
        self.record(ask, attempt, &mut answer, offset, whole)?;
        if let Some(what) = stop {
            return Err(Stop::Patience(what));
        }
        if matches!(answer.verdict, Verdict::Again(_)) {
            match self.wait_longer(&answer.response, attempt) {
                // Another host that asks for a long wait does not stop the fetch of the site.
                Err(Stop::Patience(what)) if !self.hosts.is_of_site(&ask.url) => answer.verdict = Verdict::Failed(what),
                waited => waited?,
            }
        }
        Ok(answer)
    }

    /// Sends one request, not before its time.
    fn exchange(&mut self, url: &str, ask: &Ask) -> Result<(Exchange, u64), Error> {
        std::thread::sleep(self.next.saturating_duration_since(Instant::now()));
        self.asked += 1;
        let start = Instant::now();
        let (with_secrets, folder) = (self.hosts.may_have_secrets(url), self.options.directory.as_path());
        let exchange = match ask.want {
            Want::File => self.wire.download(url, with_secrets, folder, ask.most).map_err(|e| Error::at(folder, e))?,
            want => self.wire.get(url, want.accept(), with_secrets),
        };
        let end = Instant::now();
        self.took += end - start;
        // A slow server is busy: it gets as long again to rest.
        self.next = end + self.pause + (end - start);
        Ok((exchange, now()))
    }

    /// Why to give up a site: nothing answers the first request, or the site sends too much too often.
    fn judge_manners(&mut self, exchange: &Exchange, url: &str) -> Option<String> {
        let fault = exchange.fault.as_ref();
        if let Some(fault) = fault.filter(|fault| fault.is_nobody && !self.is_heard && self.hosts.is_own(url)) {
            return Some(fault.what.clone());
        }
        self.is_heard |= !exchange.received.is_empty();
        self.too_long += u32::from(fault.is_some_and(Fault::is_too_long));
        (self.too_long > MOST_TOO_LONG).then(|| format!("more than {MOST_TOO_LONG} answers that are too long"))
    }

    /// Delays the next request: as long as the server asks, else twice as long each time.
    fn wait_longer(&mut self, response: &Response, attempt: u32) -> Result<(), Stop> {
        let asked = response.retry_after(now()).map(Duration::from_secs);
        if let Some(asked) = asked.filter(|asked| *asked > self.options.max_wait) {
            let (asked, most) = (asked.as_secs(), self.options.max_wait.as_secs());
            return Err(Stop::Patience(format!("the site asks to wait {asked} s, and --max-wait is {most} s")));
        }
        // xorshift: between one and one and a half times the wait.
        self.jitter ^= self.jitter << 13;
        self.jitter ^= self.jitter >> 7;
        self.jitter ^= self.jitter << 17;
        let spread = 1.0 + (self.jitter % 1000) as f64 / 2000.0;
        let growing = self.pause.mul_f64(f64::from(1_u32 << attempt.min(16)) * spread).min(self.options.max_wait);
        let wait = asked.unwrap_or(growing);
        self.next = self.next.max(Instant::now() + wait);
        let mut why = if response.status > 0 { format!("HTTP {}", response.status) } else { "no answer".to_owned() };
        why += if asked.is_some() { ", as the site asks" } else { "" };
        self.messages.waits(wait, &why);
        Ok(())
    }

    /// Puts a media file in its place, and writes a line of the log.
    fn record(
        &mut self,
        ask: &Ask,
        attempt: u32,
        answer: &mut Answer,
        warc_offset: Option<u64>,
        whole: Option<Whole>,
    ) -> Result<(), Stop> {
        self.archives.current().sync()?;
        let mut sha256 = None;
        if let Some(whole) = whole.filter(|_| answer.verdict == Verdict::Good) {
            sha256 = Some(whole.sha256.clone());
            answer.kept = Some(self.keep(ask, whole)?);
        }
        let is_answer = answer.response.status > 0 && ask.want != Want::File;
        let body = &answer.response.body;
        let kept = answer.kept.clone();
        let entry = LogLine {
            event: "request".to_owned(),
            url: Some(ask.url.clone()),
            final_url: (answer.url != ask.url).then(|| answer.url.clone()),
            status: Some(answer.response.status).filter(|status| *status > 0),
            bytes: kept.as_ref().map(|kept| kept.bytes).or(is_answer.then_some(body.len() as u64)),
            sha256: sha256.or_else(|| is_answer.then(|| warc::hash(body))),
            file: kept.and_then(|kept| kept.file),
            modified: ask.modified.clone(),
            r#type: ask.r#type.clone(),
            page: ask.page,
            offset: ask.offset,
            ids: (ask.want == Want::Items && answer.verdict == Verdict::Good).then(|| answer.ids().collect()),
            total: answer.response.number("x-wp-total"),
            total_pages: answer.response.number("x-wp-totalpages"),
            attempt: Some(attempt),
            warc_offset,
            error: answer.verdict.error().map(str::to_owned),
            ..LogLine::default()
        };
        self.write(entry)
    }

    /// Appends a line to the log and copies it to the output.
    fn write(&mut self, entry: LogLine) -> Result<(), Stop> {
        let warc = self.archives.current();
        let (archive, warc_length) = (Some(warc.name()), warc.length());
        let entry = LogLine { time: http::date(now()), archive, warc_length, ..entry };
        let line = self.log.append(&entry)?;
        if self.options.dry_run {
            return Ok(());
        }
        self.messages.line(&line, entry.event == "request").map_err(Stop::Error)
    }

    /// Writes a description of the run into the archive.
    pub(super) fn begin_archive(&mut self, fields: &[(&str, String)]) -> Result<(), Error> {
        self.archives.current().describe(now(), fields)
    }

    /// Records in the archive which of its contents are outdated, and logs the deleted pages and media files, unless an earlier run did so.
    /// Returns the number of deleted pages, those of an earlier run included.
    pub(super) fn note_outdated(&mut self, notice: &Notice, media: &[&String]) -> Result<u64, Stop> {
        let items = notice.items.values().map(Vec::len).sum::<usize>() as u64;
        let (noted, gone) = self.past.outdated.unzip();
        if noted != Some(items) || !notice.pages.is_empty() || !media.is_empty() {
            for notice in notice.parts() {
                let mut block = Vec::new();
                write_json(&mut block, &notice);
                self.archives.current().add_metadata(now(), self.hosts.site(), Notice::TYPE, &block)?;
            }
            self.note("gone", serde_json::json!({"items": items, "pages": notice.pages, "media": media}))?;
        }
        Ok(gone.unwrap_or_default() + notice.pages.len() as u64)
    }

    /// A page or a feed as it was before the update began.
    pub(super) fn old_page(&mut self, url: &str) -> Result<Option<Answer>, Stop> {
        let ask = Ask::new(url.to_owned(), Want::Page);
        self.past.page(url).map(|entry| self.remember(entry, &ask)).transpose()
    }

    /// The time from one request to the next, as far as is known: the pause, the answer, and as long again.
    pub(super) fn step_time(&self) -> Duration {
        self.pause + 2 * self.took / u32::try_from(self.asked).unwrap_or(u32::MAX).max(1)
    }

    /// Updates the progress line.
    pub(super) fn step(&mut self, what: &str, done: u64, total: Option<u64>) {
        self.messages.step(Step { what: what.to_owned(), done, total, asked: self.asked });
    }

    /// Logs that a run begins, or that it has ended.
    pub(super) fn note(&mut self, event: &str, run: serde_json::Value) -> Result<(), Stop> {
        self.archives.current().sync()?;
        self.write(LogLine { event: event.to_owned(), run: Some(run), ..LogLine::default() })
    }

    /// Reports and logs a gap.
    pub(super) fn gap(&mut self, gap: &Gap) -> Result<(), Stop> {
        self.messages.gap(gap)?;
        if self.past.is_new(gap) {
            self.write(LogLine { event: "gap".to_owned(), gap: Some(gap.clone()), ..LogLine::default() })?;
        }
        Ok(())
    }
}

/// The current time, in seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// The response of an exchange, and why it is incomplete.
fn read(exchange: &Exchange) -> (Response, Option<(String, bool)>) {
    let fault = exchange.fault.as_ref().map(|Fault { what, passes, .. }| (what.clone(), *passes));
    if exchange.spool.is_some() {
        let response = Response::start(&exchange.received);
        let fault = fault.or_else(|| response.is_none().then(|| ("no HTTP".to_owned(), true)));
        return (response.unwrap_or_default(), fault);
    }
    match Response::read(&exchange.received) {
        Some((response, wrong)) => (response, fault.or(wrong.map(|what| (what, true)))),
        None => (Response::default(), Some(fault.unwrap_or(("no HTTP".to_owned(), true)))),
    }
}

/// Where a response redirects to.
fn redirect(url: &str, response: &Response) -> Option<String> {
    if !matches!(response.status, 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let target = urls::join(PageUrl::parse(url).as_ref(), response.header("location")?)?;
    normalise(&target)
}
