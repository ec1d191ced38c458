//! Parses the rights stated in HTTP response headers: `tdm-reservation`, `tdm-policy`, `X-Robots-Tag`, `Link`. They are kept as a few lines
//! of text until a record needs them.

use super::files::{reservation, reserved};
use super::statement::{HEADER, RECORD, RawStatement};
use crate::archive::ResponseHead;

/// The `robots` directives about training of models.
pub(super) const DIRECTIVES: [&str; 2] = ["noai", "noimageai"];

/// A reservation of text and data mining, as stated in headers and elements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tdm {
    reservation: Option<String>,
    policy: Option<String>,
}

impl Tdm {
    /// Stores the value of a header or element with this name; if there are several, the first counts.
    pub(crate) fn take(&mut self, name: &str, value: &str) {
        let own = if name.eq_ignore_ascii_case("tdm-policy") { &mut self.policy } else { &mut self.reservation };
        own.get_or_insert_with(|| value.trim().to_owned());
    }

    pub(crate) fn stated(&self, place: &'static str) -> Option<RawStatement> {
        let is_reserved = self.reservation.as_deref().and_then(|text| text.parse().ok()).and_then(reserved);
        let policy = self.policy.as_deref().filter(|policy| !policy.is_empty());
        match (is_reserved, policy) {
            (Some(is_reserved), policy) => {
                Some(RawStatement::reservation(place, RECORD, reservation(is_reserved), policy))
            }
            (None, Some(policy)) => Some(RawStatement::reservation(place, RECORD, "tdm-policy", Some(policy))),
            (None, None) => None,
        }
    }
}

/// The directives in a value of `robots`, without those for a single robot.
pub(crate) fn directives(value: &str) -> impl Iterator<Item = &'static str> + use<> {
    let value = value.to_ascii_lowercase();
    let is_for_one = value.split(',').next().and_then(|first| first.split_once(':')).is_some_and(|(name, _)| {
        !matches!(name.trim(), "unavailable_after" | "max-snippet" | "max-image-preview" | "max-video-preview")
    });
    DIRECTIVES.into_iter().filter(move |own| !is_for_one && value.split([',', ' ']).any(|word| word.trim() == *own))
}

/// The headers of a response that state rights.
pub(crate) struct Headers;

impl Headers {
    /// The headers of a response that state rights, as lines; empty if there are none.
    pub(crate) fn note(head: &ResponseHead) -> String {
        let mut note = String::new();
        for name in ["tdm-reservation", "tdm-policy", "x-robots-tag", "link"] {
            for value in head.headers.all(name) {
                let says = match name {
                    "x-robots-tag" => directives(value).next().is_some(),
                    "link" => licences(value).next().is_some(),
                    _ => true,
                };
                if says && note.len() + value.len() < LONGEST {
                    note += &format!("{name}: {value}\n");
                }
            }
        }
        note
    }

    /// The statements in the lines that [`Headers::note`] has made.
    pub(crate) fn read(note: &str) -> Vec<RawStatement> {
        let (mut tdm, mut found) = (Tdm::default(), Vec::new());
        for (name, value) in note.lines().filter_map(|line| line.split_once(": ")) {
            match name {
                "x-robots-tag" => {
                    found.extend(directives(value).map(|own| RawStatement::reservation(HEADER, RECORD, own, None)));
                }
                "link" => {
                    found.extend(licences(value).map(|url| RawStatement::licence(HEADER, RECORD, None, Some(url))))
                }
                _ => tdm.take(name, value),
            }
        }
        found.extend(tdm.stated(HEADER));
        found
    }
}

/// The most bytes that are kept of a page's headers about rights.
const LONGEST: usize = 4096;

/// The targets in a `Link` header (RFC 8288) that are licences.
fn licences(value: &str) -> impl Iterator<Item = &str> {
    value.split('<').skip(1).filter_map(|link| link.split_once('>')).filter_map(|(url, parameters)| {
        let mut parameters = parameters.split([';', ',']).filter_map(|parameter| parameter.split_once('='));
        let rel = parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case("rel"))?.1;
        let mut words = rel.trim().trim_matches('"').split_ascii_whitespace();
        words.any(|word| word.eq_ignore_ascii_case("license")).then_some(url)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rights::settle;

    #[test]
    fn headers_that_say_something_are_kept() {
        let head = "HTTP/1.1 200 OK\r\nTDM-Reservation: 1\r\ntdm-policy: /p.json\r\nX-Robots-Tag: index, noai\r\nX-Robots-Tag: otherbot: noimageai\r\nLink: <https://a.example/wp-json/>; rel=\"https://api.w.org/\", </terms>; rel=\"License\"\r\nLink: </x>; rel=next\r\n\r\n";
        let (head, _) = ResponseHead::read(head.as_bytes()).unwrap();
        let note = Headers::note(&head);
        let page = crate::urls::PageUrl::parse("https://a.example/b/");
        let said: Vec<_> =
            settle(Headers::read(&note), page.as_ref()).into_iter().map(|one| (one.value, one.url)).collect();
        let some = |text: &'static str| Some(crate::ndjson::Str::from(text));
        assert_eq!(
            said,
            [
                (None, some("https://a.example/terms")),
                (some("noai"), None),
                (some("tdm-reservation: 1"), some("https://a.example/p.json")),
            ]
        );
        let (none, _) =
            ResponseHead::read(b"HTTP/1.1 200 OK\r\nX-Robots-Tag: noindex\r\nLink: </x>; rel=next\r\n\r\n").unwrap();
        assert_eq!(Headers::note(&none), "");
    }
}
