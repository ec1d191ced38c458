//! Holds the parts of a session for media files and other hosts: fetches each host's robots.txt first, puts files in
//! their place, and judges the answers.

use super::super::address::origin;
use super::super::answer::{Answer, Kept, Want};
use super::super::file_type;
use super::super::http::Response;
use super::super::robots::Rules;
use super::super::wire::Whole;
use super::{Ask, Session, Stop};
use crate::report::Error;

impl Session<'_> {
    /// Requests another host's robots.txt before its first media file or its first answer of the API.
    pub(super) fn meet(&mut self, ask: &Ask, url: &str) -> Result<(), Stop> {
        let robots = format!("{}/robots.txt", origin(url));
        if self.hosts.knows(url) || url == robots || ask.want != Want::File && !self.hosts.is_of_api(url) {
            return Ok(());
        }
        let answer =
            self.ask(&Ask { may_leave: true, once: self.options.ignore_robots, ..Ask::new(robots, Want::Text) })?;
        self.obey(url, if self.options.ignore_robots { Rules::none() } else { Rules::new(&answer) });
        Ok(())
    }

    /// Puts a media file in its place, if that is free.
    pub(super) fn keep(&mut self, ask: &Ask, whole: Whole) -> Result<Kept, Error> {
        let bytes = whole.bytes;
        let Some(file) = ask.file.clone() else { return Ok(Kept { bytes, file: None }) };
        let path = self.options.directory.join(&file);
        let is_there = whole.commit(&path).map_err(|e| Error::at(&path, e))?;
        if is_there {
            self.past.files.insert(ask.url.clone(), file.clone());
        }
        Ok(Kept { bytes, file: is_there.then_some(file) })
    }
}

/// Judges the response to a request for a media file, by its type too: an error page with status 200 is refused.
pub(super) fn judge_file(
    url: String,
    mut response: Response,
    fault: Option<(String, bool)>,
    whole: Option<&Whole>,
    ask: &Ask,
) -> Answer {
    if let Some(whole) = whole {
        response.body.clone_from(&whole.start);
    }
    let wrong = fault.is_none().then(|| file_type::wrong(&response, ask.stated.as_deref())).flatten();
    match wrong {
        Some(what) if response.status == 200 => Answer::refused(url, response, what),
        _ => Answer::of_file(url, response, whole.map(|whole| Kept { bytes: whole.bytes, file: None }), fault),
    }
}
