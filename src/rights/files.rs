//! Keeps the rights that robots.txt and tdmrep.json (<https://www.w3.org/community/reports/tdmrep/>) of a host state,
//! by time of capture, and finds those that applied to a URL at a time.

use super::agents::forbidden_agents;
use super::statement::{RECORD, ROBOTS_TXT, RawStatement, SITE, TDMREP};
use crate::urls::{PageUrl, bare_host, bare_host_of};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

const ROBOTS: &str = "/robots.txt";
const TDM: &str = "/.well-known/tdmrep.json";

/// The most captures of robots.txt, and of tdmrep.json, that are kept for each host.
const MOST: usize = 1000;

/// The most bytes of such a file that are read, following RFC 9309.
pub(crate) const LONGEST: usize = 512 * 1024;

/// A rule of tdmrep.json.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TdmRule {
    location: String,
    /// Whether text and data mining is reserved, if the rule states it.
    pub(crate) is_reserved: Option<bool>,
    /// The URL of the terms.
    pub(crate) policy: Option<String>,
}

/// The valid rules in tdmrep.json; ignores everything else in it.
pub(crate) fn tdm_rules(json: &[u8]) -> Vec<TdmRule> {
    #[derive(Deserialize)]
    struct TdmEntry {
        #[serde(default)]
        location: Value,
        #[serde(rename = "tdm-reservation", default)]
        reservation: Value,
        #[serde(rename = "tdm-policy", default)]
        policy: Value,
    }
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    let entries: Vec<Value> = serde_json::from_slice(json).unwrap_or_default();
    let entries = entries.into_iter().filter_map(|entry| serde_json::from_value::<TdmEntry>(entry).ok());
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let rule = |entry: TdmEntry| TdmRule {
        location: text(&entry.location).unwrap_or_else(|| "/".to_owned()),
        is_reserved: match &entry.reservation {
            Value::Number(number) => number.as_i64().and_then(reserved),
            Value::String(text) => text.trim().parse().ok().and_then(reserved),
            _ => None,
        },
        policy: text(&entry.policy),
    };
    entries.map(rule).collect()
}

/// The meaning of a value of `tdm-reservation`.
pub(super) fn reserved(value: i64) -> Option<bool> {
    matches!(value, 0 | 1).then_some(value == 1)
}

/// A reservation of text and data mining, as records state it.
pub(super) fn reservation(is_reserved: bool) -> &'static str {
    if is_reserved { "tdm-reservation: 1" } else { "tdm-reservation: 0" }
}

/// The captures of robots.txt and tdmrep.json, for all hosts of a scrape.
#[derive(Debug, Default)]
pub(crate) struct Files {
    hosts: BTreeMap<String, Host>,
}

/// What the two files of one host stated, by time of capture.
#[derive(Debug, Default)]
struct Host {
    robots: BTreeMap<String, Vec<&'static str>>,
    tdm: BTreeMap<String, Vec<TdmRule>>,
}

impl Files {
    /// Whether a URL is that of a robots.txt or a tdmrep.json.
    pub(crate) fn are_at(url: &str) -> bool {
        let path = url.split_once("://").and_then(|(_, rest)| Some(&rest[rest.find('/')?..]));
        path.is_some_and(|path| path == ROBOTS || path == TDM)
    }

    /// Adds the body of a robots.txt or a tdmrep.json; the time is empty if it is unknown.
    pub(crate) fn add(&mut self, url: &str, time: &str, body: &[u8]) {
        let Some(host) = bare_host_of(url) else { return };
        let host = self.hosts.entry(host).or_default();
        let body = &body[..body.len().min(LONGEST)];
        // If two captures have the same time, the one that sorts last is kept, so that the order of the input does not
        // matter.
        if url.ends_with(ROBOTS) {
            let agents = forbidden_agents(body);
            if host.robots.len() < MOST || host.robots.contains_key(time) {
                let known = host.robots.entry(time.to_owned()).or_default();
                *known = agents.max(std::mem::take(known));
            }
        } else if host.tdm.len() < MOST || host.tdm.contains_key(time) {
            let known = host.tdm.entry(time.to_owned()).or_default();
            *known = tdm_rules(body).max(std::mem::take(known));
        }
    }

    /// What the files state for a URL at `time`: by the last capture up to then, or else the first one after it.
    /// Without a time, the last capture counts.
    pub(crate) fn say(&self, url: &str, time: Option<&str>) -> Vec<RawStatement> {
        if self.hosts.is_empty() {
            return Vec::new();
        }
        let Some(page) = PageUrl::parse(url) else { return Vec::new() };
        let Some(host) = self.hosts.get(bare_host(page.host())) else { return Vec::new() };
        let scheme = if page.as_str().starts_with("https") { "https" } else { "http" };
        let agents = at(&host.robots, time).filter(|agents| !agents.is_empty()).map(|agents| {
            let file = format!("{scheme}://{}{ROBOTS}", page.host());
            RawStatement::reservation(ROBOTS_TXT, SITE, &agents.join(", "), Some(&file))
        });
        let path = page.as_str().splitn(4, '/').nth(3).unwrap_or_default();
        let path = format!("/{path}");
        let rule = at(&host.tdm, time).and_then(|rules| rules.iter().find(|rule| fits(&rule.location, &path)));
        let rule = rule.and_then(|rule| {
            let scope = if matches!(rule.location.as_str(), "/" | "*" | "/*") { SITE } else { RECORD };
            Some(RawStatement::reservation(TDMREP, scope, reservation(rule.is_reserved?), rule.policy.as_deref()))
        });
        agents.into_iter().chain(rule).collect()
    }
}

fn at<'f, T>(files: &'f BTreeMap<String, T>, time: Option<&str>) -> Option<&'f T> {
    let before = time.and_then(|time| files.range(..=time.to_owned()).next_back());
    let found = match time {
        Some(_) => before.or_else(|| files.first_key_value()),
        None => files.last_key_value(),
    };
    found.map(|(_, file)| file)
}

/// Whether a path matches a pattern of robots.txt: `*` matches anything, `$` the end.
fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, is_whole) = pattern.strip_suffix('$').map_or((pattern, false), |pattern| (pattern, true));
    let mut parts = pattern.split('*');
    let Some(mut rest) = path.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    for (number, part) in parts.iter().enumerate() {
        if is_whole && number + 1 == parts.len() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    !is_whole || rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::super::settle;
    use super::*;

    fn say(files: &Files, url: &str, time: Option<&str>) -> Vec<String> {
        let said = settle(files.say(url, time), None);
        said.iter().map(|one| format!("{} {}", one.scope.as_deref().unwrap(), one.value.as_deref().unwrap())).collect()
    }

    #[test]
    fn the_files_of_the_time_count() {
        let mut files = Files::default();
        assert!(Files::are_at("https://a.example/robots.txt") && !Files::are_at("https://a.example/x/robots.txt"));
        files.add("https://a.example/robots.txt", "2025-01-01", b"User-agent: GPTBot\nDisallow: /\n");
        files.add(
            "https://a.example/robots.txt",
            "2026-01-01",
            b"User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n",
        );
        assert_eq!(say(&files, "https://a.example/b/", Some("2024-01-01")), ["site GPTBot"]);
        assert_eq!(say(&files, "https://a.example/b/", Some("2025-06-01")), ["site GPTBot"]);
        assert_eq!(say(&files, "https://a.example/b/", None), ["site CCBot, GPTBot"]);
        assert!(say(&files, "https://b.example/b/", None).is_empty());
    }

    #[test]
    fn the_first_rule_for_a_path_counts() {
        let mut files = Files::default();
        let json = br#"[{"location":"/open/*.html$","tdm-reservation":0},7,{"location":"/","tdm-reservation":"1","tdm-policy":"https://a.example/p"}]"#;
        files.add("http://a.example/.well-known/tdmrep.json", "", json);
        assert_eq!(say(&files, "https://a.example/open/a/b.html", None), ["record tdm-reservation: 0"]);
        assert_eq!(say(&files, "https://a.example/open/", None), ["site tdm-reservation: 1"]);
        for nothing in ["", "<html>", "{}", "[]", r#"[{"tdm-policy":7}]"#] {
            let mut files = Files::default();
            files.add("http://a.example/.well-known/tdmrep.json", "", nothing.as_bytes());
            assert!(say(&files, "https://a.example/", None).is_empty(), "{nothing}");
        }
    }

    #[test]
    fn patterns_are_those_of_robots_txt() {
        for (pattern, path, want) in [
            ("/", "/a", true),
            ("/a", "/b", false),
            ("/a*c", "/abc", true),
            ("/a*c$", "/abcd", false),
            ("/a*c$", "/abcc", true),
            ("/a$", "/a", true),
            ("*", "/", true),
            ("/*.pdf", "/x.html", false),
        ] {
            assert_eq!(fits(pattern, path), want, "{pattern} {path}");
        }
    }
}
