//! Computes the normalised form by which URLs are compared, and its hash.

use super::{after_scheme, is_plain_host, is_web, percent_decoded, query};
use std::fmt::Write as _;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;
use url::Url;

/// A URL in the form used for comparison: `host[:port][/path][?query]`. It lacks everything that a WordPress server ignores: scheme,
/// `www.`, default port, user, fragment, repeated and trailing slashes, dot segments, `index.php`, a final `index.html` and a query in the
/// name of a file (mirrors), an empty query. The host is in lower case and Punycode. Escapes are in upper case, and used for exactly those
/// characters that need them (`é` = `%c3%a9` = `%C3%A9`). The path keeps its case, the query its order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct UrlKey {
    text: String,
    /// Where the host ends.
    host_end: usize,
    /// Where the path ends.
    path_end: usize,
}

impl UrlKey {
    /// The key of an absolute http(s) URL; `None` for anything else.
    pub(crate) fn new(url: &str) -> Option<Self> {
        let mut key = UrlKey::default();
        key.read(url).then_some(key)
    }

    /// Replaces the key by that of `url`, reusing its memory. Returns false, and leaves the key empty, if [`UrlKey::new`] would return
    /// `None`.
    pub(crate) fn read(&mut self, url: &str) -> bool {
        let url = url.trim_matches(|c: char| c <= ' ');
        self.text.clear();
        // Otherwise it would be reallocated two or three times.
        self.text.reserve(url.len());
        (self.host_end, self.path_end) = (0, 0);
        let mut host_end = write_plain(url, &mut self.text);
        if host_end.is_none() {
            self.text.clear();
            host_end = write_any(url, &mut self.text);
        }
        let Some(host_end) = host_end else {
            self.text.clear();
            return false;
        };
        self.host_end = host_end;
        let query = memchr::memchr(b'?', &self.text.as_bytes()[host_end..]);
        self.path_end = query.map_or(self.text.len(), |query| host_end + query);
        true
    }

    /// The complete key.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The complete key.
    pub(crate) fn into_string(self) -> String {
        self.text
    }

    /// The host, with its port unless that is a default port.
    pub(crate) fn host(&self) -> &str {
        &self.text[..self.host_end]
    }

    /// Path and query without the host: empty for the front page, otherwise beginning with `/` or `?`. Pages that were moved to another
    /// host are compared by this.
    pub(crate) fn tail(&self) -> &str {
        &self.text[self.host_end..]
    }

    /// Only the path: empty, or beginning with `/` and not ending with it.
    pub(crate) fn path(&self) -> &str {
        &self.text[self.host_end..self.path_end]
    }

    /// The key without its query.
    pub(crate) fn page(&self) -> &str {
        &self.text[..self.path_end]
    }

    /// The query without its `?`.
    pub(crate) fn query(&self) -> Option<&str> {
        self.text.get(self.path_end + 1..)
    }

    /// The key without query parameters that do not change the page (tracking, previews, replies: a fixed list without `lang`); `None` if
    /// it has no such parameter.
    pub(crate) fn without_noise(&self) -> Option<Self> {
        let clean = query::clean(self.query()?)?;
        let page = self.page();
        let text = if clean.is_empty() { page.to_owned() } else { format!("{page}?{clean}") };
        Some(UrlKey { text, ..*self })
    }

    /// The key of the same host with another path, and perhaps a query.
    pub(crate) fn with_tail(&self, path: &str, query: Option<&str>) -> Option<Self> {
        let query = query.filter(|query| !query.is_empty()).map(|query| format!("?{query}")).unwrap_or_default();
        UrlKey::new(&format!("https://{}{path}{query}", self.host()))
    }

    /// The key with its path in lower case; `None` if that changes nothing.
    pub(crate) fn in_lower_case(&self) -> Option<Self> {
        let path = self.path();
        // Escaped ASCII characters are syntax, not letters.
        let is_text = path.split('%').skip(1).all(|escape| !escape.starts_with(|c| matches!(c, '0'..='7')));
        let text = percent_decoded(path).filter(|_| is_text)?;
        let lower = text.to_lowercase();
        if lower == text { None } else { self.with_tail(&lower, self.query()) }
    }

    /// The key's hash in the registry.
    pub(crate) fn hash(&self) -> u128 {
        hash(&self.text)
    }
}

/// The hash of a normalised URL: XXH3-128, so that 10^7 URLs have no collision (p < 10^-24). It is valid for this run only.
pub(crate) fn hash(key: &str) -> u128 {
    xxhash_rust::xxh3::xxh3_128_with_seed(key.as_bytes(), seed())
}

/// 32 bits of a name, the same in all runs, for comparisons in addition to an identity.
pub(crate) fn hash_32(name: &str) -> u32 {
    xxhash_rust::xxh3::xxh3_64(name.as_bytes()) as u32
}

/// The seed of this run's hashes, so that nobody can prepare two URLs with the same hash.
pub(crate) fn seed() -> u64 {
    static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().build_hasher().finish());
    *SEED
}

/// The host without any number of leading `www.`.
pub(crate) fn bare_host(mut host: &str) -> &str {
    while let Some(rest) = host.strip_prefix("www.") {
        host = rest;
    }
    host
}

/// Writes the key of a URL whose host needs no parser and whose path has no dot segments, and returns the end of the host; `None` for other
/// URLs, possibly after writing something.
fn write_plain(url: &str, out: &mut String) -> Option<usize> {
    let rest = after_scheme(url)?;
    let end = rest.bytes().position(|b| matches!(b, b'/' | b'?' | b'#')).unwrap_or(rest.len());
    let (host, tail) = rest.split_at(end);
    if !is_plain_host(host.as_bytes()) {
        return None;
    }
    out.push_str(bare_host(host));
    let host_end = out.len();
    (write_quick(tail, out) || write_tail(tail, out)).then_some(host_end)
}

/// Writes a path that is its own key except for a trailing slash and a fragment, as nearly all paths are; returns false for others, before
/// writing anything.
fn write_quick(tail: &str, out: &mut String) -> bool {
    let bytes = tail.as_bytes();
    let mut end = 0;
    while let Some(&byte) = bytes.get(end) {
        match CLASS[usize::from(byte)] {
            Class::Keep => end += 1,
            Class::Special if byte == b'/' => match bytes.get(end + 1) {
                Some(b'/' | b'.') => return false,
                Some(b'i') if bytes[end + 1..].starts_with(b"index.") => return false,
                _ => end += 1,
            },
            Class::Special if byte == b'#' => break,
            _ => return false,
        }
    }
    let path = &tail[..end];
    out.push_str(path.strip_suffix('/').unwrap_or(path));
    true
}

/// Writes the key of any URL that can be parsed, and returns the end of the host.
fn write_any(url: &str, out: &mut String) -> Option<usize> {
    let url = Url::parse(url).ok().filter(is_web)?;
    let host = url.host_str()?;
    let host = bare_host(host.strip_suffix('.').unwrap_or(host));
    // Parsers accept such a host, name servers do not; without its dots it may be another host, or none.
    if host.is_empty() || host.ends_with('.') {
        return None;
    }
    out.push_str(host);
    // The default port of the other scheme is a mistake of the server, not another server.
    if let Some(port) = url.port().filter(|port| !matches!(port, 80 | 443)) {
        write!(out, ":{port}").expect("a String takes everything");
    }
    let host_end = out.len();
    // The parser has removed dot segments, including escaped ones, so this cannot fail.
    write_tail(&url[url::Position::BeforePath..url::Position::AfterQuery], out);
    Some(host_end)
}

/// How a byte of a path or query is written.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    /// It is written as it is.
    Keep,
    /// It is written as `%XX`.
    Escape,
    /// It has a special meaning in the path.
    Special,
}

const CLASS: [Class; 256] = {
    let mut table = [Class::Escape; 256];
    let mut i = 0;
    let keep = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_~!$&'()*+,;=:@.";
    while i < keep.len() {
        table[keep[i] as usize] = Class::Keep;
        i += 1;
    }
    let special = b"/%?#\\\t\r\n";
    i = 0;
    while i < special.len() {
        table[special[i] as usize] = Class::Special;
        i += 1;
    }
    table
};

/// Whether a character whose UTF-8 form begins with this byte may have more than one encoding: a combining mark, a part of a syllable, a
/// variant of a letter. The marks of Latin, Cyrillic and Greek begin with the first two bytes; Chinese has none.
/// <https://www.unicode.org/reports/tr15/#Norm_Forms>
fn may_compose(byte: u8) -> bool {
    matches!(byte, 0xcc | 0xcd | 0xd6 | 0xd7 | 0xd9 | 0xe0..=0xe3 | 0xef | 0xf0)
}

/// Writes path and query in normalised form; returns false if this needs a parser (dot segments, backslashes, line ends).
fn write_tail(tail: &str, out: &mut String) -> bool {
    let mut bytes = tail.as_bytes();
    let host_end = out.len();
    let (mut composes, mut in_query) = (false, false);
    let (mut segment, mut at) = (host_end, 0);
    while at < bytes.len() {
        let byte = bytes[at];
        let run = bytes[at..].iter().take_while(|&&b| CLASS[b as usize] == Class::Keep).count();
        let begins_name = !in_query && out.ends_with('/');
        if let Some(end) = if begins_name { end_of_query_after_at(&bytes[at..]) } else { None } {
            (bytes, in_query) = (&bytes[..at + end], true);
            end_path(out, segment, host_end);
            (segment, at) = (out.len(), at + INDEX_AT.len());
            out.push('?');
            continue;
        }
        if run > 0 {
            out.push_str(&tail[at..at + run]);
            at += run;
            continue;
        }
        at += 1;
        match byte {
            b'#' => break,
            b'/' | b'?' if !in_query => {
                in_query = byte == b'?';
                let is_plain = if in_query { end_path(out, segment, host_end) } else { end_segment(out, segment) };
                if !is_plain {
                    return false;
                }
                segment = out.len();
                out.push(byte as char);
            }
            b'/' | b'?' => out.push(byte as char),
            b'\\' if in_query => push_escape(byte, out),
            b'\\' | b'\t' | b'\r' | b'\n' => return false,
            b'%' => match escape_at(&bytes[at..], in_query) {
                (_, Some(end)) => {
                    (bytes, in_query) = (&bytes[..at + end], true);
                    if !end_path(out, segment, host_end) {
                        return false;
                    }
                    (segment, at) = (out.len(), at + 2);
                    out.push('?');
                }
                (Some(byte), None) => {
                    at += 2;
                    composes |= may_compose(byte);
                    push_decoded(byte, out);
                }
                (None, None) => out.push_str("%25"),
            },
            _ => {
                composes |= may_compose(byte);
                push_escape(byte, out);
            }
        }
    }
    if !in_query && !end_path(out, segment, host_end) {
        return false;
    } else if in_query && out.len() == segment + 1 {
        out.truncate(segment);
    }
    if composes {
        compose(out, host_end);
    }
    true
}

/// Closes the last segment of the path, as [`end_segment`] does, and then the path, from which index files are removed.
fn end_path(out: &mut String, segment: usize, host_end: usize) -> bool {
    let is_plain = end_segment(out, segment);
    if is_plain {
        drop_index_files(out, host_end);
    }
    is_plain
}

/// The byte that an escape stands for, and the end of the query, if the escape begins one; `rest` is the text after the percent sign.
fn escape_at(rest: &[u8], in_query: bool) -> (Option<u8>, Option<usize>) {
    let byte = rest.get(..2).and_then(hex_pair);
    let end = if byte == Some(b'?') && !in_query { end_of_saved_query(rest) } else { None };
    (byte, end)
}

/// The end of a query that a mirror has made part of a file name, `index.html%3Fp=5.html`; `rest` is the text after the percent sign.
/// Returns `None` if it is a question mark in a name.
fn end_of_saved_query(rest: &[u8]) -> Option<usize> {
    let end = end_of_name(rest)?;
    let query = rest[..end].strip_suffix(b".html")?;
    (query.contains(&b'=') && ends_path(&rest[end..])).then_some(query.len())
}

/// The most bytes of a name in a URL that may be a file's: three for each of the 255 that file systems allow.
const LONGEST_NAME: usize = 765;

/// The end of the name of a file at the beginning of this text; `None` if it is too long for one.
fn end_of_name(text: &[u8]) -> Option<usize> {
    let most = text.len().min(LONGEST_NAME);
    let end = text[..most].iter().position(|&b| matches!(b, b'/' | b'?' | b'#'));
    end.or_else(|| (most == text.len()).then_some(most))
}

/// How wget begins the names of files with a query for systems that forbid question marks.
const INDEX_AT: &[u8] = b"index.html@";

/// The end of the query in such a name, `index.html@p=5.html`; `None` if a path does not begin with one.
fn end_of_query_after_at(path: &[u8]) -> Option<usize> {
    let rest = path.strip_prefix(INDEX_AT)?;
    let end = end_of_name(rest)?;
    let query = rest[..end].strip_suffix(b".html").unwrap_or(&rest[..end]);
    let parameter = &query[..query.iter().position(|&b| b == b'=')?];
    let is_name = !parameter.is_empty() && parameter.iter().all(|b| b.is_ascii_alphanumeric() || b"_-[]".contains(b));
    (is_name && ends_path(&rest[end..])).then_some(INDEX_AT.len() + query.len())
}

/// Whether the rest of a path consists of parts that a key omits at its end.
fn ends_path(mut rest: &[u8]) -> bool {
    let left_out = ["/index.php", "/index.html", "/index.htm", "/"];
    while let Some(after) = left_out.iter().find_map(|part| rest.strip_prefix(part.as_bytes())) {
        rest = after;
    }
    matches!(rest, [] | [b'?' | b'#', ..])
}

/// Closes the path segment that begins at `start` (with its slash); an empty segment and `index.php` are removed. Returns false for a dot
/// segment.
fn end_segment(out: &mut String, start: usize) -> bool {
    match out.get(start..).unwrap_or_default() {
        "/." | "/.." => return false,
        "/" | "/index.php" => out.truncate(start),
        _ => {}
    }
    true
}

/// Removes index files at the end of the path, even if a slash or `index.php` followed them.
fn drop_index_files(out: &mut String, host_end: usize) {
    while let Some((_, "index.html" | "index.htm")) = out.get(host_end..).and_then(|path| path.rsplit_once('/')) {
        out.truncate(out.rfind('/').expect("it was just found"));
    }
}

fn hex_pair(pair: &[u8]) -> Option<u8> {
    let digit = |b: u8| (b as char).to_digit(16).map(|d| d as u8);
    Some(digit(pair[0])? << 4 | digit(pair[1])?)
}

/// Replaces unnecessary escapes by their characters, and writes the others in upper case.
fn push_decoded(byte: u8, out: &mut String) {
    // In a query, an escaped separator is not a separator.
    if CLASS[usize::from(byte)] == Class::Keep && !matches!(byte, b'&' | b'=' | b'+' | b';') {
        out.push(byte as char);
    } else {
        push_escape(byte, out);
    }
}

fn push_escape(byte: u8, out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.push('%');
    out.push(DIGITS[usize::from(byte >> 4)] as char);
    out.push(DIGITS[usize::from(byte & 15)] as char);
}

/// Composes letters and separate accents (as in file names typed on a Mac) into the characters that browsers send. Escapes of ASCII are
/// unchanged, and no accent is combined with one.
fn compose(out: &mut String, from: usize) {
    let text = out.split_off(from);
    let bytes = text.as_bytes();
    let mut raw = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match bytes.get(at + 1..at + 3).filter(|_| bytes[at] == b'%').and_then(hex_pair) {
            Some(byte) if byte >= 0x80 => {
                raw.push(byte);
                at += 3;
            }
            Some(_) => {
                flush_composed(&mut raw, out);
                out.push_str(&text[at..at + 3]);
                at += 3;
            }
            None => {
                raw.push(bytes[at]);
                at += 1;
            }
        }
    }
    flush_composed(&mut raw, out);
}

/// Appends `raw`, composed and escaped again, or unchanged if it is not UTF-8, and empties it.
fn flush_composed(raw: &mut Vec<u8>, out: &mut String) {
    let composed = match std::str::from_utf8(raw) {
        Ok(text) => icu_normalizer::ComposingNormalizerBorrowed::new_nfc().normalize(text),
        Err(_) => "".into(),
    };
    for &byte in if composed.is_empty() { raw.as_slice() } else { composed.as_bytes() } {
        if byte < 0x80 { out.push(byte as char) } else { push_escape(byte, out) }
    }
    raw.clear();
}

/// Cuts two keys before the segments that both have at their ends; `None` if they have none in common.
pub(crate) fn split_common_end<'k>(page: &'k str, link: &'k str) -> Option<(&'k str, &'k str)> {
    let same = page.bytes().rev().zip(link.bytes().rev()).take_while(|(a, b)| a == b).count();
    let end = &link[link.len() - floor_boundary(link, same)..];
    // The common end begins at its first slash, because a part of a segment means nothing.
    let start = end.find('/').or_else(|| end.find('?'))?;
    let length = end.len() - start;
    let (from, to) = (&page[..page.len() - length], &link[..link.len() - length]);
    (!from.is_empty() && !to.is_empty()).then_some((from, to))
}

/// The largest length of an end of `text` that is at most `length` and does not split a character.
fn floor_boundary(text: &str, length: usize) -> usize {
    (0..=length).rev().find(|&n| text.is_char_boundary(text.len() - n)).unwrap_or(0)
}
