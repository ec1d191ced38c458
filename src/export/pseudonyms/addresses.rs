//! Finds the persons that URLs of a site identify: by author archives, in path or query, by pictures, and by mail
//! addresses.

use super::decoded::Decoded;
use memchr::memmem;
use std::collections::HashSet;
use std::ops::Range;

/// WordPress' default name for the folder of author archives.
const BASE: &str = "author";

/// Characters that end a path segment or the value of a query parameter, also in running text.
const ENDS: [char; 15] = ['/', '?', '#', '&', ';', '"', '\'', '<', '>', ' ', '\n', '\t', ')', '\\', '|'];

/// The characters of [`ENDS`] that end an address even if they are percent-encoded.
const ENCODED_ENDS: [char; 6] = ['/', '?', '#', '&', '"', '<'];

/// The scheme of mail addresses.
const MAIL: &str = "mailto:";

/// Endings of file names, which are not top-level domains.
const FILES: [&str; 10] = ["png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "css", "js", "html"];

/// Query parameters whose value identifies a user.
const PARAMETERS: [&str; 2] = ["author=", "author_name="];

/// The lengths of a picture's name in hexadecimal digits: MD5 or SHA-256 of a mail address.
const DIGITS: [usize; 2] = [32, 64];

/// The folders of a site's author archives.
#[derive(Clone, Debug)]
pub(super) struct Addresses(HashSet<String>);

impl Default for Addresses {
    fn default() -> Self {
        Addresses(HashSet::from([BASE.to_owned()]))
    }
}

impl Addresses {
    /// Learns a folder from the link of a user: the segment before the slug.
    pub(super) fn learn(&mut self, link: &str, slug: &str) {
        let link = Decoded::of(link).lower;
        let slug = Decoded::of(slug).lower;
        let path = link.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        let Some((before, end)) = path.rsplit_once('/') else { return };
        let base = before.rsplit('/').next().unwrap_or_default();
        let is_path = before.contains("://") && before.matches('/').count() > 2;
        if end == slug && is_path && !base.is_empty() {
            self.0.insert(base.to_owned());
        }
    }

    /// Whether a URL is an author archive, or a further page of one.
    pub(super) fn is_archive(&self, url: &str) -> bool {
        let url = Decoded::of(url).lower;
        let (path, query) = url.split_once('?').unwrap_or((&url, ""));
        let named = query.split('&').any(|part| PARAMETERS.iter().any(|parameter| part.starts_with(parameter)));
        let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
        let at = segments.iter().rposition(|segment| self.0.contains(*segment));
        named || at.is_some_and(|at| at > 1 && at + 1 < segments.len())
    }

    /// The slugs in a text's URLs of author archives.
    pub(super) fn slugs(&self, text: &str) -> Vec<String> {
        if !self.may_name(text) {
            return Vec::new();
        }
        let text = Decoded::of(text);
        let found = self.archives(&text).filter(|slug| !slug.is_empty());
        found.map(|slug| text.text[slug].to_owned()).collect()
    }

    /// Whether a text can identify anybody at all.
    pub(super) fn may_name(&self, text: &str) -> bool {
        let lower = text.to_ascii_lowercase();
        let has = |word: &str| memmem::find(lower.as_bytes(), word.as_bytes()).is_some();
        let may_hide = || lower.contains(['%', '\t', '\n', '\r', '\\', '@']);
        has("author") || has("/avatar/") || may_hide() || lower.split('/').any(|segment| self.0.contains(segment))
    }

    /// The places in a text where URLs identify a person.
    pub(super) fn find(&self, text: &Decoded<'_>) -> Vec<Range<usize>> {
        if let Some(address) = mail_address(&text.lower) {
            return vec![address];
        }
        let mut found: Vec<Range<usize>> = self.archives(text).collect();
        for parameter in PARAMETERS {
            let is_parameter = |at: usize| {
                at.checked_sub(1).is_some_and(|at| matches!(text.lower.as_bytes()[at], b'?' | b'&' | b';' | b'@'))
            };
            let starts = text.lower.match_indices(parameter).map(|(at, _)| at).filter(|at| is_parameter(*at));
            found.extend(segments(text, starts.map(|at| at + parameter.len())).map(|Range { start, end }| {
                // `index.html?author=3.html`: a file name in mirrors.
                start..text.lower[start..end].find(".html").map_or(end, |ending| start + ending)
            }));
        }
        found.extend(segments(text, text.lower.match_indices(MAIL).map(|(at, _)| at + MAIL.len())));
        found.extend(mails(&text.lower));
        for (at, folder) in text.lower.match_indices("/avatar/") {
            let start = at + folder.len();
            let digits = text.lower[start..].bytes().take_while(u8::is_ascii_hexdigit).count();
            found.extend(DIGITS.contains(&digits).then_some(start..start + digits));
        }
        found
    }

    /// The places of slugs of author archives: the segments that follow their folder.
    fn archives(&self, text: &Decoded<'_>) -> impl Iterator<Item = Range<usize>> {
        let mut start = 0;
        let slashes = |at: usize| text.lower[at..].bytes().take_while(|byte| *byte == b'/').count();
        let starts = text.lower.match_indices('/').filter_map(move |(at, _)| {
            let segment = &text.lower[std::mem::replace(&mut start, at + 1)..at];
            self.0.contains(segment).then(|| at + slashes(at))
        });
        segments(text, starts)
    }
}

/// The places of mail addresses, whatever surrounds them: `icon@2x.png` and `package@1.2.3` do not count.
fn mails(lower: &str) -> impl Iterator<Item = Range<usize>> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+');
    lower.match_indices('@').filter_map(move |(at, _)| {
        let name = lower[..at].chars().rev().take(64).take_while(|c| is_name(*c)).map(char::len_utf8).sum::<usize>();
        let host = lower[at + 1..].chars().take(255).take_while(|c| c.is_alphanumeric() || matches!(c, '.' | '-'));
        let host = lower[at + 1..][..host.map(char::len_utf8).sum()].trim_end_matches(['.', '-']);
        let top = host.rsplit_once('.')?.1;
        let is_top = top.starts_with("xn--") || !top.contains(|c: char| c.is_ascii_digit());
        let is_host = top.len() > 1 && is_top && !FILES.contains(&top);
        (name > 0 && is_host).then(|| at - name..at + 1 + host.len())
    })
}

/// The place of the addresses if a text is a link to them; browsers drop white space before and in the scheme.
fn mail_address(lower: &str) -> Option<Range<usize>> {
    let (scheme, _) = lower.split_once(':')?;
    let letters = scheme.chars().filter(|c| !c.is_whitespace() && !c.is_control());
    // `mailto:?subject=` is to nobody.
    let is_to_somebody = !lower[scheme.len() + 1..].trim_start().starts_with('?');
    (is_to_somebody && letters.eq("mailto".chars())).then_some(scheme.len() + 1..lower.len())
}

/// The segments that begin at these places of a text, except those that begin within another one: each letter is
/// examined once.
fn segments(text: &Decoded<'_>, starts: impl Iterator<Item = usize>) -> impl Iterator<Item = Range<usize>> {
    let mut done = 0;
    starts.filter_map(move |start| {
        let found = (start >= done).then(|| segment(text, start))?;
        done = found.end;
        Some(found)
    })
}

/// The segment that begins at a place of a text. If a URL is encoded in another one, the encoded characters at its ends
/// count, too.
fn segment(text: &Decoded<'_>, start: usize) -> Range<usize> {
    let mut signs = text.text[start..].char_indices();
    let is_end =
        |at: usize, c: char| ENDS.contains(&c) && (text.is_as_written(start + at) || ENCODED_ENDS.contains(&c));
    start..signs.find(|(at, c)| is_end(*at, *c)).map_or(text.text.len(), |(at, _)| start + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn persons_are_found_in_urls() {
        let mut addresses = Addresses::default();
        addresses.learn("https://a.example/blog/team/bob/", "bob");
        let of = |text: &str| {
            let text = Decoded::of(text);
            let found = addresses.find(&text).into_iter();
            let persons = found.map(|place| (place.clone(), format!("[{}]", &text.text[place])));
            text.replace(persons.collect())
        };
        for (url, expected) in [
            ("https://a.example/author/bob/page/2/", "https://a.example/author/[bob]/page/2/"),
            ("https://a.example/blog/team/bob", "https://a.example/blog/team/[bob]"),
            ("author/bob/", "author/[bob]/"),
            ("//a.example/author//bob/", "//a.example/author//[bob]/"),
            ("/?author=bob.html;author=ann", "/?author=[bob].html;author=[ann]"),
            ("/?author=3&x=1", "/?author=[3]&x=1"),
            ("/?x=1&amp;author_name=bob#c", "/?x=1&amp;author_name=[bob]#c"),
            ("a.example/index.html?author=3.html", "a.example/index.html?author=[3].html"),
            ("a.example/author/bob/index.html", "a.example/author/[bob]/index.html"),
            ("mailto:bob@a.example", "mailto:[bob@a.example]"),
            (" MAIL\tto:bob@a.example?cc=ann@a.example", " MAIL\tto:[bob@a.example?cc=ann@a.example]"),
            ("mailto:?subject=x&body=//a.example/author/bob/", "mailto:?subject=x&body=//a.example/author/[bob]/"),
            ("mailto%3Abob%40a.example", "mailto%3A[bob@a.example]"),
            ("http://mailto:bob@a.example/", "http://mailto:[bob@a.example]/"),
            ("by bob.lee@a.example, x", "by [bob.lee@a.example], x"),
            ("//x.example/?m=bob%40a.example&y", "//x.example/?m=[bob@a.example]&y"),
            ("(bob@a.xn--p1ai)", "([bob@a.xn--p1ai])"),
            ("https://a.example/AUTHOR/Bob/", "https://a.example/AUTHOR/[Bob]/"),
            ("https://a.example/%61uthor/b%6fb/feed", "https://a.example/%61uthor/[bob]/feed"),
            ("https://a.example/blog/t%65am/bob", "https://a.example/blog/t%65am/[bob]"),
            ("/?AUTHOR_NAME=Bob+Lee%20x&y", "/?AUTHOR_NAME=[Bob Lee x]&y"),
            (
                "//x.example/?u=http%3A%2F%2Fa.example%2Fauthor%2Fbob%2F&t",
                "//x.example/?u=http%3A%2F%2Fa.example%2Fauthor%2F[bob]%2F&t",
            ),
            ("//x.example/?u=%252Fauthor%252Fbob%253Fx", "//x.example/?u=%252Fauthor%252F[bob]%253Fx"),
            (r#"{"url":"https:\/\/a.example\/author\/bob\/"}"#, r#"{"url":"https:\/\/a.example\/author\/[bob]\/"}"#),
            (
                "https://secure.gravatar.com/avatar/0123456789abcdef0123456789abcdef?s=96",
                "https://secure.gravatar.com/avatar/[0123456789abcdef0123456789abcdef]?s=96",
            ),
        ] {
            assert_eq!((addresses.may_name(url), of(url).as_deref()), (true, Some(expected)));
        }
        assert!(!addresses.may_name("https://a.example/b/"));
        for url in [
            "https://a.example/authors/bob/",
            "https://a.example/x?coauthor=3",
            "/author/",
            "/avatar/i.png",
            "/i@2x.png",
            "/p@1.2.3/",
            "/@bob",
            "",
        ] {
            assert_eq!(of(url), None, "{url}");
        }
        assert!(addresses.is_archive("https://a.example/author/bob/page/2/") && addresses.is_archive("/?author=3"));
        assert!(!addresses.is_archive("https://author/bob/x/") && !addresses.is_archive("https://a.example/author/"));
    }
}
