//! Applies robots.txt (RFC 9309) to requests, under wpipe's product token.

use super::address::path_and_query;
use super::answer::{Answer, Verdict};
use robotxt::Robots;
use std::time::Duration;

/// The product token: the name under which a robots.txt addresses this program.
pub(super) const TOKEN: &str = "wpipe";

/// The longest Crawl-delay that is obeyed; a longer one is cut to this.
const MOST_DELAY: Duration = Duration::from_secs(60);

/// The rules of a site.
pub(super) struct Rules {
    /// The parsed robots.txt; `None` if everything is allowed.
    robots: Option<Robots>,
    /// Why nothing is allowed.
    closed: Option<String>,
}

impl Rules {
    pub(super) fn none() -> Self {
        Rules { robots: None, closed: None }
    }

    /// The rules in the answer to a request for robots.txt, after redirects (RFC 9309, 2.3.1.2): a missing or refused file allows
    /// everything, an unreachable one forbids everything.
    pub(super) fn new(answer: &Answer) -> Self {
        match (&answer.verdict, answer.response.status) {
            (Verdict::Good, _) => {
                Rules { robots: Some(Robots::from_bytes(&answer.response.body, TOKEN)), closed: None }
            }
            // Unlike a missing file, a redirect without a target leaves the rules unknown.
            (_, 400..=428 | 430..=499) => Rules::none(),
            (verdict, _) => {
                let why = verdict.error().unwrap_or("no answer");
                Rules {
                    robots: None,
                    closed: Some(format!("robots.txt cannot be read ({why}), which forbids everything")),
                }
            }
        }
    }

    /// Why this URL must not be requested.
    pub(super) fn forbid(&self, url: &str) -> Option<String> {
        if path_and_query(url) == "/robots.txt" {
            return None;
        }
        if self.closed.is_some() {
            return self.closed.clone();
        }
        let robots = self.robots.as_ref()?;
        (!robots.is_relative_allowed(path_and_query(url))).then(|| "robots.txt forbids it".to_owned())
    }

    pub(super) fn delay(&self) -> Option<Duration> {
        self.robots.as_ref()?.crawl_delay().map(|delay| delay.min(MOST_DELAY))
    }

    pub(super) fn sitemaps(&self) -> Vec<String> {
        self.robots.iter().flat_map(|robots| robots.sitemaps()).map(|url| url.as_str().to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::answer::Want;
    use super::super::http::Response;
    use super::*;

    fn rules(status: u16, text: &str) -> Rules {
        let (response, _) = Response::read(format!("HTTP/1.1 {status} x\r\n\r\n{text}").as_bytes()).unwrap();
        Rules::new(&Answer::new("u".to_owned(), Want::Text, response, None))
    }

    #[test]
    fn the_group_of_our_token_counts_and_the_longest_rule_wins() {
        let text = "User-agent: *\nDisallow: /\n\nUser-agent: wpipe\nCrawl-delay: 2.5\nDisallow: /wp-json/\nAllow: /wp-json/wp/v2/pages\nDisallow: /*?s=\n";
        let rules = rules(200, text);
        let allowed = |path: &str| rules.forbid(&format!("https://a.example{path}")).is_none();
        for (path, is_allowed) in [
            ("/", true),
            ("/wp-json/", false),
            ("/wp-json/wp/v2/pages?page=2", true),
            ("/x/?s=1", false),
            ("/x/?t=1", true),
            ("/robots.txt", true),
        ] {
            assert_eq!(allowed(path), is_allowed, "{path}");
        }
        assert_eq!(rules.delay(), Some(Duration::from_millis(2500)));
    }

    #[test]
    fn a_missing_file_forbids_nothing_and_an_unreachable_one_forbids_all() {
        assert_eq!(rules(404, "").forbid("https://a.example/x"), None);
        assert_eq!(rules(403, "").forbid("https://a.example/x"), None);
        assert!(rules(301, "").forbid("https://a.example/x").is_some());
        assert!(rules(503, "").forbid("https://a.example/x").is_some());
        assert!(rules(429, "").forbid("https://a.example/x").is_some());
        assert_eq!(rules(200, "User-agent: *\nCrawl-delay: 9999\n").delay(), Some(MOST_DELAY));
    }
}
