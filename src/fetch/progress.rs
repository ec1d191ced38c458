//! What a terminal shows of each site: how much is done of what, how fast, and how long it takes yet.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How far a site is.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    pub(super) site: String,
    /// The collection, or pages.
    pub(super) what: String,
    pub(super) done: u64,
    pub(super) total: Option<u64>,
    /// Requests made in this run: what comes from a run before takes no time.
    pub(super) asked: u64,
}

/// The lines of all sites that are being fetched.
#[derive(Debug, Default)]
pub(super) struct Progress(BTreeMap<String, Line>);

#[derive(Debug)]
struct Line {
    step: Step,
    /// When the first of it was asked for, and how much there was then.
    start: (Instant, u64),
    now: Instant,
    waits: Option<String>,
}

impl Progress {
    pub(super) fn step(&mut self, step: Step, now: Instant) {
        let goes_on = |line: &&Line| line.step.what == step.what && line.step.asked > 0;
        let start = self.0.get(&step.site).filter(goes_on).map_or((now, step.done), |line| line.start);
        self.0.insert(step.site.clone(), Line { step, start, now, waits: None });
    }

    pub(super) fn wait(&mut self, site: &str, wait: Duration, why: &str) {
        if let Some(line) = self.0.get_mut(site) {
            line.waits = Some(format!("waits {} ({why})", span(wait.as_secs_f64().ceil())));
        }
    }

    pub(super) fn end(&mut self, site: &str) {
        self.0.remove(site);
    }

    /// A line for each site.
    pub(super) fn text(&self) -> String {
        self.0.values().map(Line::text).collect::<Vec<_>>().join("\n")
    }
}

impl Line {
    fn text(&self) -> String {
        let Step { site, what, done, total, .. } = &self.step;
        let site = site.split_once("://").map_or(site.as_str(), |(_, rest)| rest).trim_end_matches('/');
        let mut text = format!("wp-fetch {site}: {what} {done}");
        if let Some(total) = total {
            text += &format!(" of {total}");
        }
        let (seconds, came) = ((self.now - self.start.0).as_secs_f64(), done.saturating_sub(self.start.1));
        if let Some(waits) = &self.waits {
            text += &format!(", {waits}");
        } else if seconds > 0.0 && came > 0 {
            let rate = came as f64 / seconds;
            text += &format!(", {rate:.1}/s");
            if let Some(left) = total.map(|total| total.saturating_sub(*done)).filter(|left| *left > 0) {
                text += &format!(", {} left", span((left as f64 / rate).ceil()));
            }
        }
        text
    }
}

/// Seconds in words.
fn span(seconds: f64) -> String {
    match seconds as u64 {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds @ 120..7200 => format!("{} min", seconds.div_ceil(60)),
        seconds => format!("{} h", seconds.div_ceil(3600)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_rate_and_the_time_that_is_left() {
        let (mut progress, start) = (Progress::default(), Instant::now());
        let step = |site: &str, what: &str, done, asked| Step {
            site: format!("https://{site}/"),
            what: what.to_owned(),
            done,
            total: Some(1000),
            asked,
        };
        let after = |seconds| start + Duration::from_secs(seconds);
        // What a run before has brought does not count for the rate.
        progress.step(step("a.example", "posts", 100, 0), start);
        progress.step(step("a.example", "posts", 300, 0), after(1));
        assert_eq!(progress.text(), "wp-fetch a.example: posts 300 of 1000");
        progress.step(step("a.example", "posts", 400, 1), after(2));
        progress.step(step("a.example", "posts", 500, 2), after(4));
        assert_eq!(progress.text(), "wp-fetch a.example: posts 500 of 1000, 50.0/s, 10 s left");
        progress.wait("https://a.example/", Duration::from_secs(300), "HTTP 429, as the site asks");
        progress.step(step("b.example", "pages", 1, 1), after(5));
        progress.step(step("b.example", "pages", 2, 2), after(6));
        assert_eq!(
            progress.text(),
            "wp-fetch a.example: posts 500 of 1000, waits 5 min (HTTP 429, as the site asks)\n\
             wp-fetch b.example: pages 2 of 1000, 1.0/s, 17 min left"
        );
        progress.end("https://a.example/");
        progress.step(step("b.example", "books", 0, 3), after(7));
        assert_eq!(progress.text(), "wp-fetch b.example: books 0 of 1000");
        assert_eq!(span(7201.0), "3 h");
    }
}
