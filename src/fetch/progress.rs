//! Makes the progress line in the terminal: how much of the current step is done, how fast, and how long the rest will
//! take.

use std::time::{Duration, Instant};

#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    /// The name of the collection, or of the pages.
    pub(super) what: String,
    pub(super) done: u64,
    pub(super) total: Option<u64>,
    /// Requests made in this run: answers replayed from earlier runs take no time.
    pub(super) asked: u64,
}

/// The progress line of the site being fetched.
#[derive(Debug)]
pub(super) struct Progress {
    /// Its URL, as a person would write it.
    site: String,
    step: Step,
    /// When its first request was made, and how much was done then.
    start: (Instant, u64),
    now: Instant,
    waits: Option<String>,
}

impl Progress {
    pub(super) fn new(site: &str) -> Self {
        let site = site.split_once("://").map_or(site, |(_, rest)| rest).trim_end_matches('/').to_owned();
        let now = Instant::now();
        Progress { site, step: Step::default(), start: (now, 0), now, waits: None }
    }

    pub(super) fn step(&mut self, step: Step, now: Instant) {
        if self.step.what != step.what || self.step.asked == 0 {
            self.start = (now, step.done);
        }
        (self.step, self.now, self.waits) = (step, now, None);
    }

    pub(super) fn wait(&mut self, wait: Duration, why: &str) {
        self.waits = Some(format!("waits {} ({why})", span(wait.as_secs_f64().ceil())));
    }

    /// The text of the line.
    pub(super) fn text(&self) -> String {
        let Step { what, done, total, .. } = &self.step;
        if what.is_empty() {
            let waits = self.waits.as_deref().unwrap_or("looks for the API");
            return format!("wp-fetch {}: {waits}", self.site);
        }
        let mut text = format!("wp-fetch {}: {what} {done}", self.site);
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

/// A number of seconds in words.
pub(super) fn span(seconds: f64) -> String {
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
        let (mut progress, start) = (Progress::new("https://a.example/"), Instant::now());
        let step = |what: &str, done, asked| Step { what: what.to_owned(), done, total: Some(1000), asked };
        let after = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(progress.text(), "wp-fetch a.example: looks for the API");
        progress.wait(Duration::from_secs(2), "HTTP 503");
        assert_eq!(progress.text(), "wp-fetch a.example: waits 2 s (HTTP 503)");
        // Items from an earlier run do not count for the rate.
        progress.step(step("posts", 100, 0), start);
        progress.step(step("posts", 300, 0), after(1));
        assert_eq!(progress.text(), "wp-fetch a.example: posts 300 of 1000");
        progress.step(step("posts", 400, 1), after(2));
        progress.step(step("posts", 500, 2), after(4));
        assert_eq!(progress.text(), "wp-fetch a.example: posts 500 of 1000, 50.0/s, 10 s left");
        progress.wait(Duration::from_secs(300), "HTTP 429, as the site asks");
        assert_eq!(progress.text(), "wp-fetch a.example: posts 500 of 1000, waits 5 min (HTTP 429, as the site asks)");
        progress.step(step("pages", 1, 3), after(5));
        progress.step(step("pages", 2, 4), after(6));
        assert_eq!(progress.text(), "wp-fetch a.example: pages 2 of 1000, 1.0/s, 17 min left");
        assert_eq!(span(7201.0), "3 h");
    }
}
