//! Parses an HTTP response from the bytes received: head, transfer and content encoding, and the few headers that wp-fetch needs.

use crate::archive;
use crate::archive::{Encoded, ResponseHead};
use crate::urls;
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;

/// The most bytes of a body after decompression (256 MiB): a small body may expand to any size.
const MOST_DECODED: usize = 256 << 20;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Response {
    pub(super) status: u16,
    head: ResponseHead,
    pub(super) body: Vec<u8>,
}

impl Response {
    /// Parses a received response; `None` if it has no head. On `Err`, the body is invalid and left empty.
    pub(super) fn read(received: &[u8]) -> Option<(Self, Option<String>)> {
        let (head, at) = ResponseHead::read(received)?;
        let (body, wrong) = match head.decode(&received[at..], Encoded::Received, MOST_DECODED) {
            Ok(body) => (body.into_owned(), None),
            Err(what) => (Vec::new(), Some(what)),
        };
        Some((Response { status: head.status, head, body }, wrong))
    }

    /// Parses the start of a response; the body is the part received so far, still encoded. `None` if it has no head.
    pub(super) fn start(received: &[u8]) -> Option<Self> {
        let (head, at) = ResponseHead::read(received)?;
        Some(Response { status: head.status, head, body: received[at..].to_vec() })
    }

    /// The value of the first header with that name, given in lower case.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.head.headers.get(name)
    }

    pub(super) fn number(&self, name: &str) -> Option<u64> {
        self.header(name)?.trim().parse().ok()
    }

    /// The target of a `Link` header with this relation, resolved against `page`.
    pub(super) fn link(&self, relation: &str, page: &str) -> Option<String> {
        let page = urls::PageUrl::parse(page);
        let values = self.head.headers.all("link").flat_map(|value| value.split('<'));
        values.filter_map(|value| value.split_once('>')).find_map(|(url, parameters)| {
            let is_it = parameters.split([';', ',']).any(|parameter| {
                let (name, value) = parameter.split_once('=').unwrap_or_default();
                name.trim() == "rel" && value.trim().trim_matches('"').split(' ').any(|word| word == relation)
            });
            is_it.then(|| urls::join(page.as_ref(), url).map(|url| url.into_owned())).flatten()
        })
    }

    /// The seconds that the server asks to wait: a number, or the time until a date, by the server's own clock if it sends a Date header,
    /// else by `now`.
    pub(super) fn retry_after(&self, now: u64) -> Option<u64> {
        let value = self.header("retry-after")?.trim();
        if let Ok(seconds) = value.parse() {
            return Some(seconds);
        }
        let now = self.header("date").and_then(seconds_of_date).unwrap_or(now);
        Some(seconds_of_date(value)?.saturating_sub(now))
    }

    /// The media type, without its parameters.
    pub(super) fn media_type(&self) -> Option<String> {
        self.head.media_type()
    }
}

/// Decompresses a body that is itself a gzip file, as some sitemaps are; returns any other body unchanged.
pub(super) fn gunzip(body: Vec<u8>) -> Result<Vec<u8>, String> {
    archive::gunzip(body, MOST_DECODED)
}

/// The seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`. Accepts a wrong day of the week, because some servers compute
/// it incorrectly.
fn seconds_of_date(text: &str) -> Option<u64> {
    let date = DateTimeParser::new().relaxed_weekday(true).parse_timestamp(text).ok()?;
    u64::try_from(date.as_second()).ok()
}

/// A time, given in seconds since 1970, as `2026-11-22T01:02:03Z`.
pub(super) fn date(seconds: u64) -> String {
    let date = i64::try_from(seconds).ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    date.unwrap_or_default().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_there_and_back() {
        assert_eq!(seconds_of_date("Sun, 06 Nov 1994 08:49:37 GMT"), Some(784_111_777));
        assert_eq!(seconds_of_date("yesterday"), None);
        assert_eq!(seconds_of_date("Sun, 06 Nov 1994 99:49:37 GMT"), None);
        for (seconds, text) in [
            (784_111_777, "1994-11-06T08:49:37Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (0, "1970-01-01T00:00:00Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
        ] {
            assert_eq!(date(seconds), text);
        }
    }

    #[test]
    fn a_wait_is_a_number_or_a_date_by_the_servers_clock() {
        let wait = |head: &str| {
            Response::read(format!("HTTP/1.1 429 x\r\n{head}\r\n\r\n").as_bytes()).unwrap().0.retry_after(0)
        };
        assert_eq!(wait("Retry-After: 7"), Some(7));
        assert_eq!(wait("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nRetry-After: Sun, 06 Nov 1994 08:50:37 GMT"), Some(60));
        assert_eq!(wait("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nRetry-After: Sun, 06 Nov 1994 08:40:37 GMT"), Some(0));
        assert_eq!(wait("Retry-After: soon"), None);
    }

    #[test]
    fn a_link_is_found_by_its_relation() {
        let head = "Link: <https://a.example/wp-json/>; rel=\"https://api.w.org/\"\r\nlink: </2>; rel=next, </x>; rel=\"prev\"";
        let response = Response::read(format!("HTTP/1.0 200\r\n{head}\r\n\r\n").as_bytes()).unwrap().0;
        assert_eq!(
            response.link("https://api.w.org/", "https://a.example/").as_deref(),
            Some("https://a.example/wp-json/")
        );
        assert_eq!(response.link("next", "https://a.example/1/").as_deref(), Some("https://a.example/2"));
        assert_eq!(response.link("last", "https://a.example/"), None);
    }
}
