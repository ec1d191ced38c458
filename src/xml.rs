//! Reads XML documents that are lists of entries: feeds, and WordPress exports. It finds the entries by the bytes of their tags and builds
//! a small tree of each. So a document may have any size, and damage anywhere costs only the entries that it touches. Callers interpret
//! the entries.
//!
//! The only entities are the five of XML, numeric references, and HTML's names of characters: a document type declaration is skipped.

use encoding_rs::{Encoding, UTF_8};
use memchr::{memchr, memchr_iter, memchr3, memmem};
use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};
use std::borrow::Cow;
use std::io::{self, Read};

/// The number of bytes in which a document declares its encoding and namespaces.
const START: usize = 4096;
/// The number of bytes that are read at a time.
const CHUNK: usize = 256 << 10;
/// The number of bytes of memory at the first reading.
const FIRST: usize = 16 << 10;
/// How deeply elements may be nested.
const DEPTH: usize = 64;
/// The most elements of an entry: each takes a hundred bytes of memory.
const ELEMENTS: usize = 1_000_000;
/// The most attributes of an element.
const ATTRIBUTES: usize = 64;
/// The most bytes that are kept of a part that cannot be read.
const KEPT: usize = 1 << 20;

/// An element with its contents.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Element {
    /// The name with its prefix, as in `dc:creator`.
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    /// The element's own text.
    pub(crate) text: String,
    pub(crate) children: Vec<Element>,
}

impl Element {
    pub(crate) fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    pub(crate) fn all<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The text of the first child of that name; empty without one.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.child(name).map_or("", |child| &child.text)
    }

    pub(crate) fn attribute(&self, name: &str) -> &str {
        self.attributes.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

/// The names of the elements to find, with their prefixes.
#[derive(Clone, Copy)]
pub(crate) struct Names {
    /// The elements of entries. They must not be nested, except that the first may contain others.
    pub(crate) entries: &'static [&'static str],
    /// Simple elements beside the entries; inside an entry, they are part of it.
    pub(crate) fields: &'static [&'static str],
    /// The elements whose text may begin or end with white space. The others have values, and tools that indent a document add such space.
    pub(crate) texts: &'static [&'static str],
    /// URIs of namespaces, and the prefixes for them in these names, whatever prefixes a document uses.
    pub(crate) namespaces: &'static [(&'static str, &'static str)],
}

/// A part of a document.
#[derive(Debug, PartialEq)]
pub(crate) enum Parsed {
    Element(Element),
    /// A part that cannot be read: the error, and its first bytes.
    Broken(String, Vec<u8>),
}

/// The entries of a document, in order.
pub(crate) struct Entries<R> {
    reader: R,
    names: Names,
    /// The longest entry that is accepted, in bytes.
    most: usize,
    encoding: &'static Encoding,
    /// Prefixes in the document that differ from those in `names`.
    prefixes: Vec<(String, &'static str)>,
    bytes: Vec<u8>,
    at: usize,
    ended: bool,
    passed: u64,
    line: u64,
    /// The line, from 1, in which the last returned entry begins.
    pub(crate) begins_at: u64,
    /// Whether bytes of that entry are not of the encoding, and became U+FFFD.
    is_replaced: bool,
    /// The bytes that were skipped since the last entry.
    gap: Vec<u8>,
    section: Section,
}

/// The range that was searched for the end of a CDATA section.
#[derive(Default)]
struct Section {
    from: u64,
    to: u64,
    /// Whether it was found, at `to`.
    is_end: bool,
}

/// The search for the end of an entry.
struct Scan<'n> {
    name: &'n [u8],
    /// The open elements inside it.
    open: Vec<Vec<u8>>,
    /// Where a CDATA section begins in the innermost open element.
    section: Option<usize>,
    /// Why the entry cannot be read, and its first bytes.
    broken: Option<(String, Vec<u8>)>,
}

impl Scan<'_> {
    /// Takes the token from `at` to `end` of `rest`; returns where to continue, and whether the entry ends there.
    fn take(&mut self, token: Token, is_entry: bool, at: usize, end: usize, rest: &[u8]) -> (usize, bool) {
        let is_broken = self.broken.is_some();
        match token {
            Token::End(own) if own == self.name && (is_broken || self.open.is_empty() || self.section.is_none()) => {
                return (end, true);
            }
            Token::Start(..) if is_entry && (is_broken || self.section.is_none()) => {
                self.fail("this element has no end", &rest[..at]);
                return (at, true);
            }
            _ if is_broken => {}
            Token::End(own) if self.open.last() == Some(&own) => {
                self.open.pop();
                self.section = None;
            }
            Token::Start(..) | Token::End(_) if self.section.is_some() => {
                // The element should end after its section. The section has swallowed the following text because its own end is missing.
                let from = self.section.take().unwrap_or(at);
                self.fail("a CDATA section has no end", &rest[..from]);
                return (from + 1, false);
            }
            Token::Start(own, false) if self.open.len() < DEPTH => self.open.push(own),
            Token::Start(_, false) => self.fail("too many elements within each other", &rest[..at]),
            Token::Section if self.is_swallowing(&rest[at..end]) => {
                self.fail("a CDATA section has no end", &rest[..at]);
                return (at + 1, false);
            }
            Token::Section => self.section = Some(at),
            _ => {}
        }
        (end, false)
    }

    /// Whether a CDATA section contains the end of its entry and, after that, the start of another section. If a text quotes both, the
    /// quoted end stops half-way, because WordPress splits it in that way.
    fn is_swallowing(&self, section: &[u8]) -> bool {
        let end = [b"</", self.name, b">"].concat();
        let inside = &section[1..section.len() - 3];
        let after = memmem::find(inside, &end).map(|at| &inside[at..]);
        after.is_some_and(|after| !after.ends_with(b"]]") && memmem::find(after, b"<![CDATA[").is_some())
    }

    fn fail(&mut self, what: &str, raw: &[u8]) {
        self.broken.get_or_insert_with(|| (what.to_owned(), kept(raw)));
    }
}

/// A token of markup.
enum Token {
    /// A start tag: its name, and whether the element is empty.
    Start(Vec<u8>, bool),
    End(Vec<u8>),
    Section,
    /// A comment, a declaration, an instruction, or a `<` within text.
    Other,
}

impl<R: Read> Entries<R> {
    /// Finds the entries in the data from `reader`; one of more than `most` bytes is broken.
    pub(crate) fn new(reader: R, names: Names, most: usize) -> Self {
        Entries {
            reader,
            names,
            most,
            encoding: UTF_8,
            prefixes: Vec::new(),
            bytes: Vec::new(),
            at: 0,
            ended: false,
            passed: 0,
            line: 1,
            begins_at: 0,
            is_replaced: false,
            gap: Vec::new(),
            section: Section::default(),
        }
    }

    /// The defect of the last returned entry, if some of its bytes are not of the encoding.
    pub(crate) fn defect(&self) -> Option<String> {
        self.is_replaced.then(|| format!("bytes that are not {}, replaced by U+FFFD", self.encoding.name()))
    }

    /// Bytes that have been read and consumed.
    pub(crate) fn passed(&self) -> u64 {
        self.passed
    }

    /// The next entry or field; `None` at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Parsed>> {
        Ok(self.next_unless(|_| false)?.flatten())
    }

    /// Like [`Entries::next`], but does not parse an entry whose bytes the caller knows: it is `Some(None)`. In another encoding or with
    /// other prefixes, the same bytes have another meaning, and no entry is known.
    pub(crate) fn next_unless(&mut self, is_known: impl FnOnce(&[u8]) -> bool) -> io::Result<Option<Option<Parsed>>> {
        if self.passed == 0 {
            while self.rest().len() < START && self.more()? {}
            let start = &self.rest()[..self.rest().len().min(START)];
            (self.encoding, self.prefixes) = (declared(start), prefixes(start, self.names.namespaces));
        }
        loop {
            let Some(at) = memchr(b'<', self.rest()) else {
                self.pass(self.rest().len());
                if self.more()? {
                    continue;
                }
                return Ok(None);
            };
            self.pass(at);
            self.begins_at = self.line;
            let (token, end) = self.token(0)?;
            match token {
                Token::Start(name, is_empty) if self.is_wanted(&name) => {
                    self.gap.clear();
                    return self.entry(&name, end, is_empty, is_known).map(Some);
                }
                Token::End(name) if self.is_entry(&name) => {
                    self.pass(end);
                    let what = format!("the beginning of this {} is missing", String::from_utf8_lossy(&name));
                    return Ok(Some(Some(Parsed::Broken(what, std::mem::take(&mut self.gap)))));
                }
                _ => self.pass(end),
            }
        }
    }

    /// Reads the entry of that name at the start of the rest; its start tag ends at `at`.
    fn entry(
        &mut self,
        name: &[u8],
        mut at: usize,
        is_empty: bool,
        is_known: impl FnOnce(&[u8]) -> bool,
    ) -> io::Result<Option<Parsed>> {
        let mut scan = Scan { name, open: Vec::new(), section: None, broken: None };
        let mut is_at_end = is_empty;
        while !is_at_end {
            if at > self.most || scan.broken.is_some() && at > KEPT {
                scan.fail("the element is longer than --max-record allows", &self.rest()[..at]);
                self.pass(at);
                at = 0;
            }
            let Some(next) = memchr(b'<', &self.rest()[at..]) else {
                at = self.rest().len();
                if self.more()? {
                    continue;
                }
                scan.fail("the file ends within this element", self.rest());
                break;
            };
            at += next;
            let (token, end) = self.token(at)?;
            let main = self.names.entries.first().map(|main| main.as_bytes());
            let is_next = |own: &[u8]| self.is_entry(own) && (own == name || main == Some(own) || main != Some(name));
            let is_entry = matches!(&token, Token::Start(own, _) if is_next(own));
            (at, is_at_end) = scan.take(token, is_entry, at, end, self.rest());
        }
        self.is_replaced = false;
        let found = match scan.broken {
            Some((what, raw)) => Some(Parsed::Broken(what, raw)),
            None if self.is_entry(name) && self.is_plain() && is_known(&self.rest()[..at]) => None,
            None => Some(self.tree(at)),
        };
        self.pass(at);
        self.gap.clear();
        Ok(found)
    }

    /// Parses the first `length` bytes of the rest into a tree.
    fn tree(&mut self, length: usize) -> Parsed {
        let raw = &self.bytes[self.at..self.at + length];
        let (text, is_replaced) = self.encoding.decode_without_bom_handling(raw);
        self.is_replaced = is_replaced;
        parse(&text, self.names.texts, &self.prefixes)
            .map_or_else(|what| Parsed::Broken(what, kept(raw)), Parsed::Element)
    }

    /// The token that begins with the `<` at `at` of the rest, and where it ends.
    fn token(&mut self, at: usize) -> io::Result<(Token, usize)> {
        while self.rest().len() < at + 9 && self.more()? {}
        let start = &self.rest()[at..];
        if start.starts_with(b"<![CDATA[") {
            return Ok(match self.section_end(at)? {
                Some(end) => (Token::Section, end),
                None => (Token::Other, at + 1),
            });
        }
        if start.starts_with(b"<!--") {
            return self.comment(at + 4).map(|end| (Token::Other, end.unwrap_or(at + 1)));
        }
        let closes = start.get(1) == Some(&b'/');
        let from = at + 1 + usize::from(closes);
        if !self.rest().get(from).is_some_and(|b| b.is_ascii_alphabetic() || *b >= 0x80 || matches!(b, b'_' | b':')) {
            return Ok((Token::Other, at + 1));
        }
        let Some(end) = self.tag_end(from)? else { return Ok((Token::Other, at + 1)) };
        let inside = &self.rest()[from..end - 1];
        let ends_name = |b: &u8| b.is_ascii_whitespace() || *b == b'/';
        let name = &inside[..inside.iter().position(ends_name).unwrap_or(inside.len())];
        let name = with_known_prefix(name, &self.prefixes).into_owned();
        let token = if closes { Token::End(name) } else { Token::Start(name, inside.ends_with(b"/")) };
        Ok((token, end))
    }

    /// The end of the tag whose name begins at `from`; `None` if another tag begins inside it.
    fn tag_end(&mut self, from: usize) -> io::Result<Option<usize>> {
        let (mut at, mut quote) = (from, None);
        loop {
            let rest = &self.rest()[at..];
            let next = match quote {
                None => rest.iter().position(|b| matches!(b, b'<' | b'>' | b'"' | b'\'')),
                Some(quote) => memchr::memchr2(quote, b'<', rest),
            };
            let Some(next) = next else {
                at = self.rest().len();
                if at - from > self.most || !self.more()? {
                    return Ok(None);
                }
                continue;
            };
            at += next + 1;
            match self.rest()[at - 1] {
                b'<' => return Ok(None),
                b'>' => return Ok(Some(at)),
                byte => quote = if quote.is_some() { None } else { Some(byte) },
            }
        }
    }

    /// The end of the comment whose text begins at `from`; `None` if it is not a comment: two hyphens end one.
    fn comment(&mut self, from: usize) -> io::Result<Option<usize>> {
        let mut at = from;
        loop {
            match memmem::find(&self.rest()[at..], b"--") {
                Some(found) => {
                    at += found + 2;
                    while self.rest().len() == at && self.more()? {}
                    return Ok((self.rest().get(at) == Some(&b'>')).then_some(at + 1));
                }
                None if self.rest().len() - from > self.most => return Ok(None),
                None => {
                    at = from.max(self.rest().len() - 1);
                    if !self.more()? {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// The end of the CDATA section at `at`. The result of an earlier search is reused, because many sections may have no end.
    fn section_end(&mut self, at: usize) -> io::Result<Option<usize>> {
        let own = self.passed + at as u64;
        let Section { from, to, is_end } = self.section;
        let is_known = (from..to).contains(&own);
        let known = usize::try_from(to.saturating_sub(self.passed)).unwrap_or(usize::MAX);
        if is_known && is_end {
            return Ok(Some(known));
        }
        let mut tried = if is_known { known.saturating_sub(2).max(at) } else { at };
        loop {
            let found = memmem::find(&self.rest()[tried..], b"]]>").map(|found| tried + found + 3);
            let to = self.passed + found.unwrap_or(self.rest().len()) as u64;
            self.section = Section { from: own, to, is_end: found.is_some() };
            if found.is_some() {
                return Ok(found);
            }
            tried = at.max(self.rest().len().saturating_sub(2));
            if tried - at > self.most || !self.more()? {
                return Ok(None);
            }
        }
    }

    /// Whether the document is in UTF-8 and has the prefixes in `names`.
    fn is_plain(&self) -> bool {
        self.encoding == UTF_8 && self.prefixes.is_empty()
    }

    fn is_entry(&self, name: &[u8]) -> bool {
        self.names.entries.iter().any(|known| known.as_bytes() == name)
    }

    fn is_wanted(&self, name: &[u8]) -> bool {
        self.is_entry(name) || self.names.fields.iter().any(|known| known.as_bytes() == name)
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    fn pass(&mut self, length: usize) {
        let passed = &self.bytes[self.at..self.at + length];
        self.line += memchr_iter(b'\n', passed).count() as u64;
        let kept = length.min(KEPT - self.gap.len());
        self.gap.extend_from_slice(&passed[..kept]);
        self.at += length;
        self.passed += length as u64;
    }

    /// Reads more, at least as much as is in memory already; returns false at the end.
    fn more(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        self.bytes.drain(..self.at);
        self.at = 0;
        let wanted = self.bytes.len().max(CHUNK) as u64;
        self.bytes.reserve(FIRST);
        let read = self.reader.by_ref().take(wanted).read_to_end(&mut self.bytes)?;
        self.ended = read == 0;
        Ok(read > 0)
    }
}

fn kept(raw: &[u8]) -> Vec<u8> {
    raw[..raw.len().min(KEPT)].to_vec()
}

/// The encoding that the start of a document declares.
pub(crate) fn declared(start: &[u8]) -> &'static Encoding {
    let label = memmem::find(start, b"<?xml").and_then(|at| {
        let declaration = &start[at..];
        let declaration = &declaration[..memchr(b'>', declaration)?];
        let value = &declaration[memmem::find(declaration, b"encoding")? + "encoding".len()..];
        let open = memchr::memchr2(b'"', b'\'', value)?;
        let value = &value[open + 1..];
        Some(&value[..memchr3(b'"', b'\'', b' ', value)?])
    });
    // A declaration in ASCII cannot be right about UTF-16.
    label.and_then(Encoding::for_label).map_or(UTF_8, Encoding::output_encoding)
}

/// The prefixes that the start of a document declares for known namespaces, if they differ from ours.
fn prefixes(start: &[u8], known: &[(&str, &'static str)]) -> Vec<(String, &'static str)> {
    let is_root = |at: &usize| start.get(at + 1).is_some_and(u8::is_ascii_alphabetic);
    let root = memchr_iter(b'<', start).find(is_root).map_or(start, |at| &start[at + 1..]);
    let declared = memmem::find_iter(start, b"xmlns:").filter_map(|at| {
        let (prefix, rest) =
            std::str::from_utf8(start[at + 6..].split(|b| *b == b'>').next()?).ok()?.split_once('=')?;
        let quote = rest.trim_start().chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let uri = rest.trim_start()[1..].split(quote).next()?;
        let (prefix, known) = (prefix.trim(), known.iter().find(|(known, _)| *known == uri)?.1);
        let own = if root.starts_with(format!("{prefix}:").as_bytes()) { "" } else { known };
        (prefix != own).then(|| (prefix.to_owned(), own))
    });
    declared.collect()
}

/// A name with our prefix for its namespace.
fn with_known_prefix<'n>(name: &'n [u8], prefixes: &[(String, &str)]) -> Cow<'n, [u8]> {
    let Some(colon) = memchr(b':', name).filter(|_| !prefixes.is_empty()) else { return Cow::Borrowed(name) };
    match prefixes.iter().find(|(prefix, _)| prefix.as_bytes() == &name[..colon]) {
        Some((_, "")) => Cow::Borrowed(&name[colon + 1..]),
        Some((_, own)) => Cow::Owned([own.as_bytes(), &name[colon..]].concat()),
        None => Cow::Borrowed(name),
    }
}

/// Parses the text of an element. If its `type` says that it is XHTML, its text is the markup inside the `div`. White space around CDATA is not
/// part of a text, and white space at the ends is only if the element is among `texts`.
fn parse(text: &str, texts: &[&str], prefixes: &[(String, &str)]) -> Result<Element, String> {
    let mut reader = Reader::from_str(text);
    // Many feeds have unescaped ampersands, in URLs and in text.
    reader.config_mut().allow_dangling_amp = true;
    let mut open: Vec<Element> = vec![Element::default()];
    // Where the last CDATA section ends in the text of an element without others.
    let mut section: Option<(usize, bool)> = None;
    let mut elements = 0;
    loop {
        let event = reader.read_event().map_err(|e| format!("not well-formed XML: {e}"))?;
        let last = open.last_mut().ok_or("not well-formed XML")?;
        match event {
            Event::Eof => break,
            Event::Start(start) => {
                elements += 1;
                let mut own = element(&start, prefixes)?;
                if own.attribute("type") == "xhtml" {
                    let raw = reader.read_text(start.name()).map_err(|e| format!("not well-formed XML: {e}"))?;
                    own.text = markup_in(&raw.xml10_content());
                    last.children.push(own);
                    continue;
                }
                open.push(own);
                section = None;
            }
            Event::Empty(start) => {
                elements += 1;
                last.children.push(element(&start, prefixes)?);
            }
            Event::End(_) => {
                let mut closed = open.pop().unwrap_or_default();
                let section = section.take().filter(|(end, _)| closed.text[*end..].trim_ascii().is_empty());
                let (end, is_indented) = section.unwrap_or((closed.text.len(), false));
                let is_indented = is_indented || end < closed.text.len();
                closed.text.truncate(end);
                // A browser shows an empty section as a blank. Elsewhere, a blank may be a password.
                if !texts.contains(&&*closed.name) || is_indented && closed.text.trim_ascii().is_empty() {
                    trim(&mut closed.text);
                }
                open.last_mut().ok_or("not well-formed XML")?.children.push(closed);
            }
            Event::Text(text) => last.text += &text.xml10_content(),
            Event::CData(text) => {
                let is_indented = section.map_or(!last.text.is_empty(), |(_, is_indented)| is_indented);
                if section.is_none() && last.text.trim_ascii().is_empty() {
                    last.text.clear();
                }
                last.text += &text.xml10_content();
                section = Some((last.text.len(), is_indented));
            }
            Event::GeneralRef(name) => last.text += &unescaped(&format!("&{};", name.xml10_content())),
            _ => {}
        }
        if open.len() > DEPTH || elements > ELEMENTS {
            return Err(format!("more than {DEPTH} elements within each other, or {ELEMENTS} in all"));
        }
    }
    let [root] = &mut open[..] else { return Err("not well-formed XML: an element has no end".to_owned()) };
    root.children.pop().ok_or_else(|| "not an element".to_owned())
}

/// Removes the white space at the ends of a text.
fn trim(text: &mut String) {
    text.truncate(text.trim_end().len());
    text.drain(..text.len() - text.trim_start().len());
}

/// The markup inside the `div` that the text consists of, with HTML's names even if the XHTML uses a prefix; without a `div`, the text.
fn markup_in(text: &str) -> String {
    let tag = text.trim().strip_prefix('<').and_then(|text| text.split_once('>'));
    let div = tag.and_then(|(tag, rest)| Some((tag.split_ascii_whitespace().next()?, rest.rsplit_once("</")?.0)));
    match div.and_then(|(name, markup)| Some((name.strip_suffix("div")?, markup))) {
        Some(("", markup)) => as_html(markup),
        Some((prefix, markup)) if prefix.ends_with(':') => {
            as_html(&markup.replace(&format!("<{prefix}"), "<").replace(&format!("</{prefix}"), "</"))
        }
        _ => as_html(text),
    }
}

/// Converts XHTML to HTML: a self-closing tag gets an end tag, unless HTML forbids one, and CDATA become text.
fn as_html(xhtml: &str) -> String {
    const VOID: &str = "area base br col embed hr img input link meta param source track wbr";
    let mut reader = Reader::from_str(xhtml);
    reader.config_mut().allow_dangling_amp = true;
    reader.config_mut().check_end_names = false;
    let (mut html, mut from) = (String::with_capacity(xhtml.len()), 0);
    loop {
        let event = match reader.read_event() {
            Ok(Event::Eof) | Err(_) => return html + &xhtml[from..],
            Ok(event) => event,
        };
        let raw = usize::try_from(reader.buffer_position()).ok().and_then(|to| xhtml.get(from..to)).unwrap_or_default();
        match event {
            Event::CData(text) => html += &text.xml10_content().replace('&', "&amp;").replace('<', "&lt;"),
            Event::Empty(tag) if !VOID.split(' ').any(|void| tag.name().as_ref().eq_ignore_ascii_case(void)) => {
                html.extend([raw.trim_end_matches("/>"), "></", tag.name().as_ref(), ">"]);
            }
            _ => html += raw,
        }
        from += raw.len();
    }
}

fn element(start: &BytesStart<'_>, prefixes: &[(String, &str)]) -> Result<Element, String> {
    let mut attributes = Vec::new();
    // A check for duplicates would compare each attribute with all others.
    for attribute in start.html_attributes().with_checks(false).take(ATTRIBUTES) {
        let attribute = attribute.map_err(|e| format!("not well-formed XML: {e}"))?;
        attributes.push((attribute.key.as_ref().to_owned(), unescaped(&attribute.value)));
    }
    let name = String::from_utf8_lossy(&with_known_prefix(start.name().as_ref().as_bytes(), prefixes)).into_owned();
    Ok(Element { name, attributes, ..Element::default() })
}

/// Decodes the character references in a text. An ampersand that does not begin one is kept, and so are other entities, which a document
/// may define.
pub(crate) fn unescaped(text: &str) -> String {
    let meaning = |name: &str| -> Option<String> {
        if name.starts_with('#') {
            return BytesRef::new(name).resolve_char_ref().ok().flatten().map(String::from);
        }
        let reference = format!("&{name};");
        match htmlize::unescape(&*reference) {
            Cow::Owned(text) if !text.ends_with(';') || name == "semi" => Some(text),
            _ => None,
        }
    };
    let mut parts = text.split('&');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(';').and_then(|(name, rest)| Some((meaning(name)?, rest))) {
            Some((meaning, rest)) => plain.extend([meaning.as_str(), rest]),
            None => plain.extend(["&", part]),
        }
    }
    plain
}

#[cfg(test)]
mod tests;
