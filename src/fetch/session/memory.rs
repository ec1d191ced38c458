//! Replays the answers of earlier runs from the log and the archives, where they are still valid.

use super::super::answer::{Answer, Kept, Verdict, Want};
use super::super::http::{self, Response};
use super::super::log::LogLine;
use super::{Ask, Session, Stop, now};

impl Session<'_> {
    /// The logged answer of an earlier run that is still valid.
    pub(super) fn logged_answer(&mut self, ask: &Ask) -> Option<LogLine> {
        let folder = &self.options.directory;
        let holds = |entry: &LogLine| {
            !is_stale(entry) && (ask.want != Want::File || entry.has_file(folder, ask.file.as_deref()))
        };
        while let Some(entry) = self.past.next(&ask.url) {
            if holds(&entry) {
                return Some(entry);
            }
        }
        // A file is requested again if it could not be fetched, or if its record has changed.
        let is_same =
            |entry: &LogLine| ask.is_same && (ask.want != Want::File || entry.is_as_of(ask.modified.as_deref()));
        self.past.page(&ask.url).filter(|entry| is_same(entry) && holds(entry))
    }

    /// Reads a logged answer from its archive.
    pub(super) fn remember(&mut self, entry: LogLine, ask: &Ask) -> Result<Answer, Stop> {
        let url = entry.final_url.unwrap_or_else(|| ask.url.clone());
        let fault = entry.error.map(|what| (what, true));
        let Some(offset) = entry.warc_offset else {
            let (what, _) = fault.unwrap_or_default();
            // URLs that robots.txt forbids are checked anew.
            let forbidden = self.hosts.forbid(&url).map(Verdict::Refused);
            return Ok(Answer::none(&url, forbidden.unwrap_or(Verdict::Again(what))));
        };
        let warc = self.archives.get(entry.archive.as_deref());
        if ask.want == Want::File {
            return Ok(answer_of_file(url, &warc.start_of_response(offset)?, (entry.bytes, entry.file), fault));
        }
        let received = warc.response(offset)?;
        let response = Response::read(&received).map(|(response, _)| response).unwrap_or_default();
        let answer = Answer::new(url.clone(), ask.want, response, None).with_place(&ask.url);
        // An answer that looks complete was not, if the log says so.
        Ok(match (fault, &answer.verdict) {
            (Some(fault), Verdict::Good) => Answer::new(url, ask.want, answer.response, Some(fault)),
            _ => answer,
        })
    }
}

/// Whether it is a robots.txt older than a day: rules must not be kept longer (RFC 9309, 2.4).
fn is_stale(entry: &LogLine) -> bool {
    entry.url.as_deref().is_some_and(|url| url.ends_with("/robots.txt"))
        && entry.time < http::date(now().saturating_sub(86_400))
}

/// The logged answer to a request for a media file: the start of the response, bytes and place of the file, and the
/// fault.
fn answer_of_file(
    url: String,
    start: &[u8],
    (bytes, file): (Option<u64>, Option<String>),
    fault: Option<(String, bool)>,
) -> Answer {
    let response = Response::start(start).unwrap_or_default();
    let kept = bytes.filter(|_| fault.is_none()).map(|bytes| Kept { bytes, file });
    let answer = Answer::of_file(url, response, kept, None);
    match fault {
        Some((what, _)) => answer.with_error(what),
        None => answer,
    }
}
