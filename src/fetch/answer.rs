//! Judges a response to a request: usable, worth another try, or refused, and by what.

use super::file_type;
use super::http::Response;
use super::wire::HTML;
use crate::feed::is_feed;
use crate::ndjson::Object;
use crate::scrape::is_challenge;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// What a request expects as its answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Want {
    Items,
    Json,
    Page,
    Feed,
    /// Anything.
    #[default]
    Text,
    /// A media file, which is written to disk.
    File,
}

impl Want {
    pub(super) fn accept(self) -> &'static str {
        match self {
            Want::Items | Want::Json => "application/json",
            Want::Page => HTML,
            Want::Feed | Want::Text | Want::File => "*/*",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Good,
    /// It is a page after the last one of a collection.
    PastEnd,
    /// The server rejects a parameter of the request.
    Parameter(String),
    Missing(String),
    /// It is closed, behind a challenge, forbidden by robots.txt, or on another site, and must not be requested again.
    Refused(String),
    /// The request failed, but may succeed later.
    Again(String),
    /// The request failed at the last attempt, too.
    Failed(String),
}

impl Verdict {
    /// Why there is no usable answer.
    pub(super) fn error(&self) -> Option<&str> {
        match self {
            Verdict::Good | Verdict::PastEnd => None,
            Verdict::Parameter(what)
            | Verdict::Missing(what)
            | Verdict::Refused(what)
            | Verdict::Again(what)
            | Verdict::Failed(what) => Some(what),
        }
    }
}

/// The fields of an item that wp-fetch reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) id: Option<i64>,
    pub(super) r#type: Option<String>,
    pub(super) link: Option<String>,
    pub(super) modified: Option<String>,
    /// The hashes of the fields that can change without a new date, each with the field's name.
    pub(super) undated: Vec<u64>,
}

/// A media file that was fetched.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) bytes: u64,
    /// Where it is in the folder; `None` if its place was taken, so that it is only in the archive.
    pub(super) file: Option<String>,
}

/// An answer, judged.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) url: String,
    pub(super) response: Response,
    pub(super) verdict: Verdict,
    /// Whether the site answered with status 200, and the response is complete.
    pub(super) is_whole: bool,
    /// The range of the JSON in the body.
    json: Range<usize>,
    /// Whether the body has anything besides the JSON.
    pub(super) is_noisy: bool,
    pub(super) items: Vec<Item>,
    pub(super) kept: Option<Kept>,
}

impl Answer {
    /// Judges the response from `url`; `fault` is why it is incomplete, and whether that may pass.
    pub(super) fn new(url: String, want: Want, response: Response, fault: Option<(String, bool)>) -> Self {
        let is_whole = response.status == 200 && fault.is_none();
        let verdict = match fault {
            Some((what, true)) => Verdict::Again(what),
            Some((what, false)) => Verdict::Failed(what),
            None => judge_status(&response),
        };
        let mut answer = Answer { is_whole, verdict, ..Answer::refused(url, response, String::new()) };
        if answer.verdict == Verdict::Good {
            answer.look_inside(want);
        }
        answer
    }

    /// A refused answer whose body is not read.
    pub(super) fn refused(url: String, response: Response, why: String) -> Self {
        let (items, verdict) = (Vec::new(), Verdict::Refused(why));
        Answer { url, response, verdict, is_whole: false, json: 0..0, is_noisy: false, items, kept: None }
    }

    /// Judges the response to a request for a media file; `kept` is the file, if it is complete.
    pub(super) fn of_file(url: String, response: Response, kept: Option<Kept>, fault: Option<(String, bool)>) -> Self {
        let mut answer = Answer::new(url, Want::File, response, fault);
        let status = answer.response.status;
        if answer.verdict == Verdict::Good && status != 200 {
            answer.verdict = Verdict::Refused(format!("HTTP {status}"));
        } else if answer.verdict == Verdict::Good && kept.as_ref().is_none_or(|kept| kept.bytes == 0) {
            answer.verdict = Verdict::Again("an empty body".to_owned());
        }
        Answer { kept, ..answer }
    }

    /// Adds to the verdict where the site redirected to, if it did so instead of giving the list or item that was `asked` for.
    pub(super) fn with_place(mut self, asked: &str) -> Self {
        match &mut self.verdict {
            Verdict::Again(what) if self.is_whole && self.url != asked => {
                *what += &format!(" (it leads to {})", self.url)
            }
            _ => {}
        }
        self
    }

    /// An answer to a request for a media file that the log marks as an error; only the start of its body is kept.
    pub(super) fn with_error(self, what: String) -> Self {
        let verdict = match self.verdict {
            Verdict::Again(_) if !file_type::is_wrong(&what) => Verdict::Again(what),
            Verdict::Missing(_) => Verdict::Missing(what),
            _ => Verdict::Refused(what),
        };
        Answer { verdict, ..self }
    }

    /// An answer without a response: the URL was not requested, or the request failed.
    pub(super) fn none(url: &str, verdict: Verdict) -> Self {
        Answer { verdict, ..Answer::refused(url.to_owned(), Response::default(), String::new()) }
    }

    /// The JSON of the body, without any text around it.
    pub(super) fn json(&self) -> &[u8] {
        &self.response.body[self.json.clone()]
    }

    /// The single item that the body holds, as [`Item`].
    pub(super) fn item(&self) -> Item {
        read_item(&String::from_utf8_lossy(self.json())).unwrap_or_default()
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = i64> {
        self.items.iter().filter_map(|item| item.id)
    }

    fn look_inside(&mut self, want: Want) {
        match want {
            Want::Text | Want::File => {}
            Want::Page => {
                if let Some(kind) = self.response.media_type().filter(|kind| !kind.contains("html")) {
                    self.verdict = Verdict::Refused(format!("not HTML: {kind}"));
                }
            }
            Want::Feed => {
                let body = &self.response.body;
                if !is_feed(&body[..body.len().min(64 << 10)]) {
                    let page = String::from_utf8_lossy(body).to_ascii_lowercase();
                    let is_login = page.contains("wp-login") || page.contains("type=\"password\"");
                    let what = if is_login { "a login in place of a feed" } else { "not a feed" };
                    self.verdict = Verdict::Refused(what.to_owned());
                }
            }
            Want::Json | Want::Items => match find_json(&self.response.body) {
                Some((json, is_noisy)) => {
                    (self.json, self.is_noisy) = (json, is_noisy);
                    if want == Want::Items {
                        self.read_items();
                    }
                }
                None => self.verdict = no_json(&self.response),
            },
        }
    }

    fn read_items(&mut self) {
        let text = String::from_utf8_lossy(&self.response.body[self.json.clone()]);
        match elements(&text) {
            Some(items) => self.items = items.into_iter().map(|(_, item)| item).collect(),
            None => self.verdict = Verdict::Refused(describe_error(&text).unwrap_or("JSON, but not a list".to_owned())),
        }
    }
}

fn judge_status(response: &Response) -> Verdict {
    let status = response.status;
    if let Some(by) = challenge(response) {
        return Verdict::Refused(format!("HTTP {status}: a challenge {by}"));
    }
    let text = String::from_utf8_lossy(&response.body);
    let error = describe_error(&text);
    let what = match &error {
        Some(error) => format!("HTTP {status}: {error}"),
        None => format!("HTTP {status}"),
    };
    match (status, error.as_deref().unwrap_or_default()) {
        (200..300, _) => Verdict::Good,
        (408 | 429 | 500 | 502 | 503 | 504 | 520..=527 | 530, _) => Verdict::Again(what),
        (400, error) if error.contains("invalid_page_number") => Verdict::PastEnd,
        (400, _) => Verdict::Parameter(what),
        (404 | 410, _) => Verdict::Missing(what),
        _ => Verdict::Refused(what),
    }
}

/// Which protection the site has that demands a browser.
fn challenge(response: &Response) -> Option<&'static str> {
    if response.header("cf-mitigated") == Some("challenge") {
        return Some("of Cloudflare");
    }
    let start = String::from_utf8_lossy(&response.body[..response.body.len().min(16 * 1024)]);
    let title = start.split_once("<title>").and_then(|(_, rest)| Some(rest.split_once("</title>")?.0));
    let is_page = response.header("content-type").is_none_or(|kind| kind.contains("html"));
    if is_page && title.is_some_and(is_challenge) && !start.contains("content=\"WordPress") {
        let is_cloudflare = start.contains("Cloudflare") || start.contains("cloudflare");
        return Some(if is_cloudflare { "of Cloudflare" } else { "to prove that one is human" });
    }
    if !matches!(response.status, 202 | 403 | 405 | 429 | 503) {
        return None;
    }
    let has = |words: &[&str]| words.iter().any(|word| start.contains(word));
    if has(&["challenge-platform", "cf-chl-"]) {
        return Some("of Cloudflare");
    }
    has(&["sgcaptcha", "g-recaptcha", "h-captcha", "_Incapsula_Resource", "px-captcha", "awsWafCookieDomainList"])
        .then_some("to prove that one is human")
}

/// The verdict on a body that should be JSON and is not.
fn no_json(response: &Response) -> Verdict {
    let start = response.body.trim_ascii_start();
    let page = String::from_utf8_lossy(&start[..start.len().min(64 * 1024)]).to_ascii_lowercase();
    if start.is_empty() {
        Verdict::Again("an empty body".to_owned())
    } else if page.contains("wp-login") || page.contains("type=\"password\"") {
        Verdict::Refused("HTML, not JSON: a login".to_owned())
    } else if start.starts_with(b"<") {
        Verdict::Again("HTML, not JSON".to_owned())
    } else {
        Verdict::Again("broken JSON".to_owned())
    }
}

/// Where JSON is in a body, and whether anything but white space is around it: a notice of PHP before, a cache's
/// comment after.
fn find_json(body: &[u8]) -> Option<(Range<usize>, bool)> {
    let starts = memchr::memchr2_iter(b'[', b'{', body).take(256);
    for start in starts {
        let mut values = serde_json::Deserializer::from_slice(&body[start..]).into_iter::<IgnoredAny>();
        match values.next() {
            Some(Ok(_)) => {}
            // The JSON is cut off; a value inside it would look complete.
            Some(Err(e)) if e.is_eof() => return None,
            _ => continue,
        }
        let end = start + values.byte_offset();
        let around = [&body[..start], &body[end..]];
        let is_bare = around.iter().all(|bytes| bytes.trim_ascii().is_empty());
        // A PHP notice may have brackets with a number in them.
        let holds = |first: u8| body[start + 1..end].trim_ascii_start().first() == Some(&first);
        if is_bare || holds(b'{') || holds(b'"') || holds(b']') && body[end..].trim_ascii().is_empty() {
            return Some((start..end, !is_bare));
        }
    }
    None
}

/// The fields of an item that are read.
#[derive(Deserialize)]
struct Fields<'a> {
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    r#type: Option<&'a RawValue>,
    #[serde(borrow, default)]
    taxonomy: Option<&'a RawValue>,
    #[serde(borrow, default)]
    link: Option<&'a RawValue>,
    /// The link, as search results name it.
    #[serde(borrow, default)]
    url: Option<&'a RawValue>,
    #[serde(borrow, default)]
    modified_gmt: Option<&'a RawValue>,
}

/// The elements of a list, each with its JSON and as [`Item`].
pub(super) fn elements(list: &str) -> Option<Vec<(&str, Item)>> {
    let elements: Vec<&RawValue> = serde_json::from_str(list).ok()?;
    Some(elements.into_iter().map(|raw| (raw.get(), read_item(raw.get()).unwrap_or_default())).collect())
}

/// Fields that WordPress changes without a new date of change, besides lists of terms: `set_post_thumbnail()`, `stick_post()`, post
/// metadata.
pub(super) const UNDATED: [&str; 5] = ["author", "featured_media", "sticky", "source_url", "alt_text"];

/// Reads an item; `None` if the JSON is not an object.
pub(super) fn read_item(json: &str) -> Option<Item> {
    let string = |raw: Option<&RawValue>| serde_json::from_str(raw?.get()).ok();
    let fields: Fields<'_> = serde_json::from_str(json).ok()?;
    Some(Item {
        id: fields.id.and_then(|raw| raw.get().trim_matches('"').parse().ok()),
        r#type: string(fields.r#type).or_else(|| string(fields.taxonomy)),
        link: string(fields.link).or_else(|| string(fields.url)),
        modified: string(fields.modified_gmt),
        undated: undated(json).iter().map(|(key, value)| xxh3_64(format!("{key}:{value}").as_bytes())).collect(),
    })
}

/// The fields and values of a dated item that can change without a new date, its terms of any taxonomy included.
pub(super) fn undated(json: &str) -> Vec<(String, String)> {
    let is_ids = |value: &str| value.starts_with('[') && value.bytes().all(|b| b"[0123456789, ]".contains(&b));
    let object = Object::parse_str(json).ok().filter(|object| object.get("modified_gmt").is_some());
    let fields = object.iter().flat_map(Object::iter).filter(|(key, value)| UNDATED.contains(key) || is_ids(value));
    fields.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

/// Code and message of an error of the API.
fn describe_error(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Wrong {
        code: String,
        #[serde(default)]
        message: String,
        #[serde(default)]
        data: serde_json::Value,
    }
    let wrong: Wrong = serde_json::from_str(&text[text.find('{')?..]).ok()?;
    let parameters = wrong.data.get("params").and_then(|params| params.as_object());
    let names: Vec<&str> = parameters.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    let names = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
    Some(format!("{}: {}{names}", wrong.code, wrong.message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(want: Want, head: &str, body: &str) -> Answer {
        let raw = format!("HTTP/1.1 {head}\r\n\r\n{body}");
        let (response, wrong) = Response::read(raw.as_bytes()).unwrap();
        Answer::new("u".to_owned(), want, response, wrong.map(|what| (what, true)))
    }

    #[test]
    fn json_is_found_among_what_plugins_and_caches_put_around_it() {
        let list = r#"[{"id":7,"link":"l","title":{"rendered":"a [b] {c}"}}]"#;
        for (before, after, noisy) in [
            ("", "\n", false),
            ("\u{feff}", "", true),
            ("<br />\n<b>Notice</b>: Undefined offset [0] in {main}\n<br />", "", true),
            ("", "<!-- cached [1] -->", true),
        ] {
            let found = answer(Want::Items, "200 OK", &format!("{before}{list}{after}"));
            assert_eq!((found.verdict.clone(), found.is_noisy), (Verdict::Good, noisy), "{before}{after}");
            assert_eq!(found.json(), list.as_bytes());
            assert_eq!(found.items, [Item { id: Some(7), link: Some("l".to_owned()), ..Item::default() }]);
        }
        assert_eq!(answer(Want::Items, "200 OK", " [] ").verdict, Verdict::Good);
        for cut in 1..list.len() {
            let cut = answer(Want::Items, "200 OK", &list[..cut]);
            assert!(matches!(cut.verdict, Verdict::Again(_)), "{:?} {:?}", cut.verdict, cut.json);
        }
    }

    #[test]
    fn the_reason_for_a_refusal_is_named() {
        let verdict = |head: &str, body: &str| answer(Want::Items, head, body).verdict;
        let refused = |what: &str| Verdict::Refused(what.to_owned());
        let again = |what: &str| Verdict::Again(what.to_owned());
        let closed = r#"{"code":"rest_not_logged_in","message":"Log in.","data":{"status":401}}"#;
        assert_eq!(verdict("401 x", closed), refused("HTTP 401: rest_not_logged_in: Log in."));
        assert_eq!(verdict("200 OK", closed), refused("rest_not_logged_in: Log in."));
        assert_eq!(verdict("403 x\r\ncf-mitigated: challenge", ""), refused("HTTP 403: a challenge of Cloudflare"));
        assert_eq!(
            verdict("503 x", "<title>Just a moment...</title>"),
            refused("HTTP 503: a challenge to prove that one is human")
        );
        assert_eq!(
            verdict("200 OK", "<title>One moment, please...</title>"),
            refused("HTTP 200: a challenge to prove that one is human")
        );
        let quoted = r#"[{"id":1,"title":"<title>One moment, please...</title>"}]"#;
        assert_eq!(verdict("200 OK\r\ncontent-type: application/json", quoted), Verdict::Good);
        assert_eq!(verdict("503 x", "<h1>Maintenance</h1>"), again("HTTP 503"));
        assert_eq!(verdict("200 OK", "<form action=/wp-login.php>"), refused("HTML, not JSON: a login"));
        assert_eq!(verdict("200 OK", "<h1>Maintenance</h1>"), again("HTML, not JSON"));
        assert_eq!(verdict("200 OK", ""), again("an empty body"));
        assert_eq!(verdict("400 x", r#"{"code":"rest_post_invalid_page_number"}"#), Verdict::PastEnd);
        let parameter = r#"{"code":"rest_invalid_param","message":"No.","data":{"params":{"orderby":"x"}}}"#;
        assert_eq!(
            verdict("400 x", parameter),
            Verdict::Parameter("HTTP 400: rest_invalid_param: No. (orderby)".to_owned())
        );
        assert_eq!(verdict("404 x", "<html>"), Verdict::Missing("HTTP 404".to_owned()));
    }
}
