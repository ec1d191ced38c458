//! Shows the contents of a site, and how many requests it takes to fetch them (--dry-run). Requests the front page, the API's root and
//! lists, and one item of each collection, and keeps nothing.

use super::address::authority;
use super::answer::{Verdict, Want};
use super::collection::PER_PAGE;
use super::discover::{self, Api, Collection, ItemKind};
use super::log::{Gap, MEDIA_FILES};
use super::media::Medium;
use super::messages::Messages;
use super::progress::span;
use super::session::{Ask, Session, Stop};
use super::site::{ask_robots, connect, into_error, open};
use super::{Options, Pages};
use crate::ndjson::write_json;
use crate::report::{Error, escape_control};
use crate::urls::PageUrl;
use serde::Serialize;
use std::collections::BTreeMap;

/// A line of the plan.
#[derive(Debug, Default, Serialize)]
struct PlanLine {
    site: String,
    /// The part of the site: a type, `api`, `html`, or `all`.
    what: String,
    url: Option<String>,
    total: Option<u64>,
    /// How many requests it takes.
    requests: u64,
    /// How many seconds it takes, if the site keeps answering as fast as it did.
    seconds: u64,
    /// For media files: their estimated bytes, by one page of records.
    bytes: Option<u64>,
    /// For media files: how many records of that page state a size.
    sizes_known: Option<u64>,
    /// For media files: how many records that page has.
    sizes_of: Option<u64>,
    /// For media files: other hosts, with the number of files on each, by that page.
    hosts: Option<BTreeMap<String, u64>>,
    error: Option<String>,
}

/// Shows what a fetch would request of the site.
pub(super) fn run(options: &Options, site: &str, messages: Messages<'_>) -> Result<(), Error> {
    let folder = tempfile::tempdir().map_err(|e| Error::at(std::env::temp_dir(), e))?;
    let mut session = Session::new(options, site, connect(options, site)?, open(folder.path())?, messages);
    let parts = match parts(&mut session, site) {
        Ok(parts) => parts,
        Err(Stop::Patience(error)) => {
            let part = PlanLine { what: "site".to_owned(), error: Some(error), ..PlanLine::default() };
            vec![part.refused(&mut session).map_err(into_error)?]
        }
        Err(stop) => return Err(into_error(stop)),
    };
    let requests = parts.iter().map(|part| part.requests).sum();
    let all = PlanLine { what: "all".to_owned(), requests, ..PlanLine::default() };
    for part in parts.into_iter().chain([all]) {
        let seconds = (session.step_time().as_secs_f64() * part.requests as f64).ceil() as u64;
        let part = PlanLine { site: site.to_owned(), seconds, ..part };
        let mut line = Vec::new();
        if options.as_table {
            line.extend_from_slice(part.as_row().as_bytes());
        } else {
            write_json(&mut line, &part);
        }
        line.push(b'\n');
        session.messages.line(&line, false)?;
    }
    Ok(())
}

fn parts(session: &mut Session<'_>, site: &str) -> Result<Vec<PlanLine>, Stop> {
    ask_robots(session, site)?;
    let refused = |what: &str, error| PlanLine { what: what.to_owned(), error: Some(error), ..PlanLine::default() };
    let home = match discover::home(session, site)? {
        Ok(home) => home,
        Err(error) => return Ok(vec![refused("site", error).refused(session)?]),
    };
    let api = match discover::api(session, &home)? {
        Ok(api) => api,
        Err(error) => {
            let has_feeds = session.options().feeds && home.may_have_feeds(&error);
            let url = Some(format!("{}feed/", discover::base_of(&home.url)));
            // Only the last page shows how many pages they have.
            let feeds =
                has_feeds.then(|| PlanLine { what: "feeds".to_owned(), url, requests: 1, ..PlanLine::default() });
            return Ok([refused("api", error).refused(session)?].into_iter().chain(feeds).collect());
        }
    };
    // robots.txt, tdmrep.json, the front page, the root of the API, types and taxonomies.
    let mut parts =
        vec![PlanLine { what: "api".to_owned(), url: Some(api.root.clone()), requests: 6, ..PlanLine::default() }];
    let (mut pages, mut files) = (0, None);
    let listing = discover::collections(session, &api)?;
    for Collection { r#type, route, .. } in listing.odd {
        let error = format!("its route is not a plain path: {route}");
        parts.push(refused(&r#type, error).refused(session)?);
    }
    for Collection { r#type, route, kind, is_there, .. } in listing.collections {
        let answer = session.ask(&Ask::new(api.url(&route, "per_page=1&_fields=id"), Want::Items))?;
        let part = PlanLine { what: r#type, url: Some(api.url(&route, "")), ..PlanLine::default() };
        let is_missing = matches!(answer.verdict, Verdict::Missing(_)) && !is_there;
        if let (Some(error), false) = (answer.verdict.error(), is_missing) {
            parts.push(PlanLine { error: Some(error.to_owned()), requests: 1, ..part }.refused(session)?);
            continue;
        }
        let total = answer.response.number("x-wp-total");
        let lists = total.unwrap_or_default().div_ceil(PER_PAGE).max(1);
        // A collection of several pages needs an inventory.
        let requests = if lists > 1 { 2 * lists } else { 1 };
        if matches!(kind, ItemKind::Post | ItemKind::Term) {
            pages += total.unwrap_or_default();
        }
        parts.push(PlanLine { total, requests, ..part });
        if kind == ItemKind::Media && session.options().media.is_some() {
            files = Some(media_files(session, &api, &route, total.unwrap_or_default())?);
        }
    }
    if session.options().pages != Pages::None {
        parts.push(PlanLine { what: "html".to_owned(), total: Some(pages), requests: pages, ..PlanLine::default() });
    }
    parts.extend(files);
    Ok(parts)
}

/// Estimates the media files by one page of records.
fn media_files(session: &mut Session<'_>, api: &Api, route: &str, total: u64) -> Result<PlanLine, Stop> {
    let url = api.url(route, &format!("per_page={PER_PAGE}&_fields=id,source_url,media_details"));
    let answer = session.ask(&Ask::new(url, Want::Items))?;
    let part = PlanLine { what: MEDIA_FILES.to_owned(), total: Some(total), requests: total, ..PlanLine::default() };
    if let Some(error) = answer.verdict.error() {
        return PlanLine { error: Some(error.to_owned()), ..part }.refused(session);
    }
    let records: Vec<serde_json::Value> = serde_json::from_slice(answer.json()).unwrap_or_default();
    let base = PageUrl::parse(&api.root);
    let media: Vec<Medium> = records.iter().map(|record| Medium::read(record, base.as_ref())).collect();
    let sizes: Vec<u64> = media.iter().filter_map(|medium| medium.bytes).collect();
    let known = sizes.len() as u64;
    let sum = sizes.iter().map(|bytes| u128::from(*bytes)).sum::<u128>();
    let bytes = (known > 0).then(|| u64::try_from(sum * u128::from(total) / u128::from(known)).unwrap_or(u64::MAX));
    let mut hosts = BTreeMap::new();
    for url in media.iter().filter_map(Medium::url).filter(|url| !session.hosts.is_own(url)) {
        *hosts.entry(authority(url).to_owned()).or_default() += 1;
    }
    Ok(PlanLine { bytes, sizes_known: Some(known), sizes_of: Some(media.len() as u64), hosts: Some(hosts), ..part })
}

impl PlanLine {
    /// The line as text for the terminal.
    fn as_row(&self) -> String {
        let total = self.total.map(|total| total.to_string()).unwrap_or_default();
        let what = escape_control(match self.what.as_str() {
            "html" => "HTML pages",
            MEDIA_FILES => "media files",
            what => what,
        });
        match &self.error {
            Some(error) => format!("{what:<20} {:>9}  {}", "-", escape_control(error)),
            None => {
                let time = span(self.seconds as f64);
                let requests = if self.requests == 1 { "request" } else { "requests" };
                format!("{what:<20} {total:>9}  {} {requests}, about {time}{}", self.requests, self.files_in_words())
            }
        }
    }

    /// The estimate for media files; empty for other parts.
    fn files_in_words(&self) -> String {
        let (Some(known), Some(of)) = (self.sizes_known, self.sizes_of) else { return String::new() };
        let mut text = match self.bytes {
            Some(bytes) => format!(", about {} MiB (the size is known for {known} of {of})", bytes.div_ceil(1 << 20)),
            None => format!(", of unknown size (known for none of {of})"),
        };
        for (host, count) in self.hosts.iter().flatten() {
            text += &format!("\n{:<20} {count:>9}  of {of} on another host: --media-host {}", "", escape_control(host));
        }
        text
    }

    /// Reports a part that cannot be fetched as a gap.
    fn refused(self, session: &mut Session<'_>) -> Result<Self, Stop> {
        let (r#type, error) = (self.what.clone(), self.error.clone().unwrap_or_default());
        session.gap(&Gap { r#type, what: "all".to_owned(), error, ..Gap::default() })?;
        Ok(self)
    }
}
