//! Checks properties that must hold for any input bytes. `fuzz/` runs each target on the inputs of a fuzzer; a test below runs each on its
//! seeds, some of them slightly damaged, on a stable compiler. A target panics if a property does not hold.

use crate::archive::{Records, Volume, read_at};
use crate::dump::Sources;
#[cfg(feature = "fetch")]
pub use crate::fetch::fuzzing::{response, sitemap};
use crate::html::tokenizer::{self, AttributeBuffer, Nul, Token, Tokenizer};
use crate::html::{self, Extractor};
use crate::language::Switchers;
use crate::ndjson::{Input, Object, Output, Reader, Source, Walk, is_end, repair_surrogates};
use crate::page::{ContentBuffer, ContentSelectors, PageBuffer, main_content, read_head};
use crate::record::{LooseLine, fields};
use crate::report::{Error, Report};
use crate::rights::{Markup, RawStatement, Where, merge, settle};
use crate::stage::{diff, export, groups, index, parse, resolve, translations};
use crate::urls::{PageUrl, UrlKey, join};
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use std::cell::RefCell;
use std::io::{self, Cursor, Read, Write};
use std::str::from_utf8;

/// A target's name and what it checks.
pub type Target = (&'static str, fn(&[u8]));

/// All targets. Each has seeds in `fuzz/seeds/NAME` and a file `fuzz/targets/NAME.rs`.
pub const TARGETS: &[Target] = &[
    ("archive", archive),
    ("content", content),
    ("json", json),
    ("page", page),
    ("registry", registry),
    #[cfg(feature = "fetch")]
    ("response", response),
    ("rights", rights),
    #[cfg(feature = "fetch")]
    ("sitemap", sitemap),
    ("splitter", splitter),
    ("stages", stages),
    ("switchers", switchers),
    ("tokenizer", tokens),
    ("url_keys", url_keys),
    // Feeds and exports, which have seeds of their own.
    ("xml", splitter),
];

/// Returns a few bytes at a time, so that everything is incomplete at first.
struct Drops(Cursor<Vec<u8>>, usize);

impl Read for Drops {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = out.len().min(self.1);
        self.0.read(&mut out[..n])
    }
}

/// The first byte of `data` is the number of bytes per read.
fn in_drops(data: &[u8]) -> Option<(Drops, &[u8])> {
    let (&size, rest) = data.split_first()?;
    Some((Drops(Cursor::new(rest.to_vec()), usize::from(size) + 1), rest))
}

/// The records of an archive are the same whether they are read in sequence or each by itself.
pub fn archive(data: &[u8]) {
    const MOST: usize = 1 << 16;
    let mut file = tempfile::tempfile().expect("TMPDIR can be written");
    file.write_all(data).expect("there is room in TMPDIR");
    let Ok(volumes) = Volume::open("archive", file) else { return };
    let (mut block, mut again) = (Vec::new(), Vec::new());
    for volume in &volumes {
        let mut records = Records::new(volume, MOST);
        while let Some(record) = records.next(|_, _| true, &mut block) {
            let Ok(record) = record else { continue };
            let same = read_at(volume, record.place, MOST, &mut again).expect("what was read can be read again");
            assert_eq!((record.uri(), &block), (same.uri(), &again), "{:?}", record.place);
            drop(record.payload(&block, MOST));
        }
    }
}

/// The output of a stage: its lines, and its counts.
fn outcome(run: impl FnOnce(&mut Output, &mut Report) -> Result<(), Error>) -> Result<(Vec<u8>, Report), Error> {
    let (mut output, memory) = Output::in_memory();
    let mut report = Report::silent("fuzzing");
    run(&mut output, &mut report)?;
    output.flush()?;
    Ok((memory.take(), report))
}

/// A dump has the same items however its bytes arrive.
pub fn splitter(data: &[u8]) {
    let Some((drops, rest)) = in_drops(data) else { return };
    let items = |source| {
        let options = index::Options::default();
        let found = outcome(|output, report| index::run(&options, &mut Sources::new(vec![source]), output, report));
        found.map(|(lines, report)| (lines, report.stats())).map_err(|e| e.to_string())
    };
    let stream = Source::Stream { name: "d".into(), reader: Some(Reader::new(drops)) };
    let (whole, chunked) = (items(Source::from_bytes("d", rest)), items(stream));
    assert_eq!(whole, chunked, "a dump in pieces is another dump");
}

/// A record with a page that exists.
const PAGE: &[u8] =
    br#"{"site":"p","kind":"html","type":"html","id":null,"link":"https://p/","scrape":{"root":"p","file":"head"}}
"#;

/// Each line of input is in the output or the rejects, except end records, and the output is JSON.
fn checked(lines: &[u8], report: &Report) {
    let mut written = 0;
    for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        // There may be any numbers and halves of surrogate pairs in values that no stage reads.
        let line = from_utf8(line).expect("a record is UTF-8");
        serde_json::from_str::<IgnoredAny>(line).expect("a record is JSON");
        written += u64::from(!is_end(line.as_bytes()));
    }
    assert_eq!(report.counted("records_in"), written + report.rejected(), "records have vanished");
}

/// Each stage satisfies [`checked`], and the next stage accepts its output.
pub fn stages(data: &[u8]) {
    let lines_of = |lines: &[u8]| Input::from_bytes("lines", lines);
    // A run ends at a first line that is a bracket, and at a last line that is not finished.
    let data = [PAGE, data, b"\n"].concat();
    let options = parse::Options::default();
    let parsed = outcome(|output, report| parse::run(&options, &mut lines_of(&data), output, report));
    let (parsed, report) = parsed.expect("no item ends the run");
    checked(&parsed, &report);
    // wp-parse replaces the halves of surrogate pairs; the other stages pass on values that they do not read.
    assert_eq!(from_utf8(&parsed).ok().and_then(repair_surrogates), None, "half of a surrogate pair is left");
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/page").into();
    let options = translations::Options { scrape_roots: vec![root], ..translations::Options::default() };
    for lines in [data, parsed] {
        // The run succeeds only if at least one page can be opened.
        let translated = outcome(|output, report| translations::run(&options, &mut lines_of(&lines), output, report));
        let (translated, report) = translated.expect("no record ends the run");
        checked(&translated, &report);
        // wp-resolve ends its run when records of a site come back after those of another one.
        let options = resolve::Options::default();
        let resolved = outcome(|output, report| resolve::run(&options, &mut lines_of(&translated), output, report));
        let Ok((resolved, report)) = resolved else { continue };
        checked(&resolved, &report);
        let options = groups::Options { sign: true, ..groups::Options::default() };
        let signed = outcome(|output, report| groups::run(&options, &mut lines_of(&resolved), output, report));
        let (signed, report) = signed.expect("no record ends the run");
        checked(&signed, &report);
        // With fewer, there are no pairs to find.
        if report.counted("signed") > 1 {
            let mark = |lines: &[u8]| {
                let options = groups::Options::default();
                let marked = outcome(|output, report| groups::run(&options, &mut lines_of(lines), output, report));
                marked.expect("no signed record ends the run")
            };
            let (marked, report) = mark(&signed);
            checked(&marked, &report);
            assert!(mark(&marked).0 == marked, "what is marked is marked otherwise");
        }
        let differ = |old: &[u8], new: &[u8]| {
            let mut streams = [old, new].map(|lines| diff::Stream::from_bytes("lines", lines));
            let [old, new] = &mut streams;
            let options = diff::Options { allow_empty: true, ..diff::Options::default() };
            let compared = outcome(|output, report| diff::run(&options, old, new, output, report));
            compared.expect("no record ends the run")
        };
        assert!(differ(&resolved, &resolved).0.is_empty(), "nothing has changed");
        for (old, new) in [(&translated, &resolved), (&resolved, &translated)] {
            let changed = differ(old, new).0;
            assert!(changed.split(|&b| b == b'\n').all(|line| line.is_empty() || Object::parse(line).is_ok()));
        }
        let options = export::Options::default();
        let exported = outcome(|output, report| export::run(&options, &mut lines_of(&resolved), output, report));
        checked(&exported.expect("no record ends the run").0, &report);
    }
}

/// Resolving records a second time does not change them.
pub fn registry(data: &[u8]) {
    let resolve = |lines: &[u8]| {
        let options = resolve::Options::default();
        outcome(|output, report| resolve::run(&options, &mut Input::from_bytes("lines", lines), output, report))
    };
    let Ok((once, _)) = resolve(data) else { return };
    let (twice, _) = resolve(&once).expect("its own output is taken");
    assert_eq!(String::from_utf8(once), String::from_utf8(twice), "twice is not once");
}

fields! {
    /// An object of which no key is known.
    loose Unknown {
        ..rest, odd
    }
}

/// The walk accepts the JSON that serde_json accepts, and returns the same values.
pub fn json(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    let mut walk = Walk::new(data);
    let ours = walk.value().filter(|_| walk.end().is_some()).map(|place| &text[place]);
    assert_eq!(ours, serde_json::from_str::<&RawValue>(text).ok().map(RawValue::get));
    if text.trim_start().starts_with('{') {
        let ours = Object::parse_str(text).ok();
        let ours = ours.as_ref().map(|object| object.iter().map(|(key, value)| (key.into(), value)).collect());
        let theirs = serde_json::from_str::<LooseLine<Unknown<'_>>>(text).ok();
        let theirs = theirs.map(|LooseLine(theirs)| theirs.rest.into_iter());
        assert_eq!(ours, theirs.map(|rest| rest.map(|(key, value)| (key, value.get())).collect::<Vec<_>>()));
    }
}

/// An extractor that has been used returns the same as a new one, and a text has no control characters of the page.
pub fn content(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    let (other, html) = text.split_once('|').unwrap_or(("", text));
    for wpextract in [false, true] {
        for keeps in [false, true] {
            let options = html::Options {
                wpextract,
                keep_captions: keeps,
                without_tables: keeps,
                paragraphs: keeps,
                strip_shortcodes: keeps,
            };
            let fresh = Extractor::new(options.clone()).content(html, None);
            let mut used = Extractor::new(options);
            used.content(other, None);
            used.text(other);
            assert_eq!(used.content(html, None), fresh);
            assert!(wpextract || !fresh.text.contains(['\0', '\r']), "{:?}", fresh.text);
        }
    }
}

/// The head of a page is the same however its bytes arrive; main content and switchers can be searched for in any text.
pub fn page(data: &[u8]) {
    let Some((drops, rest)) = in_drops(data) else { return };
    let mut buffer = PageBuffer::default();
    let whole = read_head(rest, &mut buffer).expect("memory can be read");
    let chunked = read_head(drops, &mut buffer).expect("memory can be read");
    assert_eq!(whole, chunked, "a page in pieces has another head");
    let text = String::from_utf8_lossy(rest);
    main_content(&text, ContentSelectors::builtin(), &mut ContentBuffer::default(), &mut (), || None);
    Switchers::builtin().scan(&text);
}

/// The statements of rights on a page are distinct and sorted, the same whether or not the reader was used before, and their links
/// occur in the page.
pub fn rights(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    let (other, html) = text.split_once('|').unwrap_or(("", text));
    let page = PageUrl::parse("https://p/q/");
    let is_plain = !html.contains(['&', '\\', '\r', '\0']);
    let holds = |stated: &[RawStatement]| {
        let links = stated.iter().filter_map(|stated| stated.href.as_deref());
        assert!(!is_plain || links.clone().all(|link| html.contains(link)), "{:?}", links.collect::<Vec<_>>());
    };
    let mut used = Markup::default();
    for of in [Where::Content, Where::Description, Where::Caption, Where::Page, Where::WholePage] {
        let fresh = Markup::default().read(html, of, page.as_ref(), Some("Words"));
        used.read(other, of, page.as_ref(), None);
        assert_eq!(used.read(html, of, page.as_ref(), Some("Words")), fresh);
        holds(&fresh);
        let once = settle(fresh.iter().cloned(), page.as_ref());
        assert_eq!(settle(fresh.iter().rev().cloned(), page.as_ref()), once, "another order gives other entries");
        assert_eq!(merge([once.clone(), once.clone()].concat()), once, "twice is not once");
    }
    let head = read_head(html.as_bytes(), &mut PageBuffer::default()).expect("memory can be read");
    let stated: Vec<RawStatement> = head.rights.all(page.as_ref()).collect();
    let once = settle(stated.iter().cloned(), page.as_ref());
    assert_eq!(settle(stated.into_iter().rev(), page.as_ref()), once, "another order gives other entries");
}

/// A table of switchers is accepted, or refused with a position inside the file.
pub fn switchers(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    match Switchers::from_toml(text) {
        Ok(switchers) => drop(switchers.scan("<ul class=x><li class=lang-item><a lang=de href=/de/>Deutsch</a></ul>")),
        Err(error) => {
            assert!(error.line >= 1 && error.line <= text.split('\n').count() as u64, "line {}", error.line);
            assert!(!error.what.is_empty() && !error.what.contains('\n'), "{}", error.what);
        }
    }
}

/// A URL normalised by the parser has the same key as the original, and a key is its own key.
pub fn url_keys(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    let Some(key) = UrlKey::new(text) else { return };
    assert_eq!(UrlKey::new(&format!("https://{}", key.as_str())).as_ref(), Some(&key), "a key has another key");
    if let Some(url) = join(None, text) {
        assert_eq!(UrlKey::new(&url).as_ref(), Some(&key), "{url}");
    }
}

/// A token in a form that both tokenizers can produce. The text of a comment is ignored.
#[derive(Debug, PartialEq)]
enum Seen {
    Text(String),
    Start(String, Vec<(String, String)>, bool),
    End(String),
    Comment,
    Doctype(bool),
}

#[derive(Default)]
struct Tokens(RefCell<Vec<Seen>>);

impl Tokens {
    fn text(&self, text: &str) {
        match self.0.borrow_mut().last_mut() {
            Some(Seen::Text(before)) => return before.push_str(text),
            _ if text.is_empty() => return,
            _ => {}
        }
        self.0.borrow_mut().push(Seen::Text(text.to_owned()));
    }
}

impl html5ever::tokenizer::TokenSink for Tokens {
    type Handle = ();

    fn process_token(
        &self,
        token: html5ever::tokenizer::Token,
        _: u64,
    ) -> html5ever::tokenizer::TokenSinkResult<Self::Handle> {
        use html5ever::tokenizer::TagKind::{EndTag, StartTag};
        use html5ever::tokenizer::Token as Theirs;
        let seen = match token {
            Theirs::CharacterTokens(text) => {
                self.text(&text);
                None
            }
            Theirs::NullCharacterToken => {
                self.text("\0");
                None
            }
            Theirs::TagToken(tag) if tag.kind == EndTag => Some(Seen::End(tag.name.to_string())),
            Theirs::TagToken(tag) => {
                debug_assert_eq!(tag.kind, StartTag);
                let attributes = tag.attrs.iter().map(|a| (a.name.local.to_string(), a.value.to_string())).collect();
                Some(Seen::Start(tag.name.to_string(), attributes, tag.self_closing))
            }
            Theirs::CommentToken(_) => Some(Seen::Comment),
            Theirs::DoctypeToken(doctype) => Some(Seen::Doctype(doctype.force_quirks)),
            Theirs::EOFToken | Theirs::ParseError(_) => None,
        };
        self.0.borrow_mut().extend(seen);
        html5ever::tokenizer::TokenSinkResult::Continue
    }
}

/// Our tokenizer splits HTML as html5ever does, outside of raw text.
pub fn tokens(data: &[u8]) {
    let Ok(html) = from_utf8(data) else { return };
    let options = html5ever::tokenizer::TokenizerOpts { discard_bom: false, ..Default::default() };
    let theirs = html5ever::tokenizer::Tokenizer::new(Tokens::default(), options);
    let queue = html5ever::tokenizer::BufferQueue::default();
    queue.push_back(html.into());
    let _ = theirs.feed(&queue);
    theirs.end();

    let ours = Tokens::default();
    let name = |raw: &str| raw.to_ascii_lowercase().replace('\0', "\u{fffd}");
    let mut tokenizer = Tokenizer::new(html, AttributeBuffer::default());
    while let Some(token) = tokenizer.next() {
        let seen = match token {
            Token::Text(text) => {
                let mut decoded = String::new();
                text.decode_into(&mut decoded, Nul::Keep);
                ours.text(&decoded);
                continue;
            }
            Token::Comment(_) => Seen::Comment,
            Token::End(tag) => Seen::End(name(tag.name)),
            Token::Start(tag) => {
                let mut attributes: Vec<(String, String)> = Vec::new();
                for (key, value) in tokenizer.attributes().pairs() {
                    let key = name(key);
                    if !attributes.iter().any(|(known, _)| *known == key) {
                        attributes.push((key, tokenizer::decode(value).to_string()));
                    }
                }
                Seen::Start(name(tag.name), attributes, tag.self_closing)
            }
            Token::Doctype(doctype) => Seen::Doctype(doctype.quirks),
        };
        ours.0.borrow_mut().push(seen);
    }
    assert_eq!(ours.0.into_inner(), theirs.sink.0.into_inner());
}

#[cfg(test)]
mod tests {
    use super::TARGETS;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::path::Path;

    /// A small random generator, the same on every machine.
    struct Random(u64);

    impl Random {
        fn below(&mut self, n: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % n.max(1)
        }
    }

    /// Duplicates, moves, removes or changes a few bytes.
    fn damaged(seed: &[u8], random: &mut Random) -> Vec<u8> {
        const BYTES: &[u8] = b"<>/&\"'={}[],:\\-! \n\r\t\0\xff09ae;#.";
        let mut data = seed.to_vec();
        for _ in 0..=random.below(4) {
            let (one, two) = (random.below(data.len()), random.below(data.len()));
            let part = one.min(two)..one.max(two);
            let at = random.below(data.len());
            match random.below(4) {
                0 => drop(data.drain(part)),
                1 => drop(data.splice(at..at, data[part].to_vec()).count()),
                2 => data.insert(at, BYTES[random.below(BYTES.len())]),
                _ => data.iter_mut().skip(at).take(1).for_each(|byte| *byte = BYTES[random.below(BYTES.len())]),
            }
        }
        data
    }

    /// Runs every target on its seeds, and on `rounds` damaged versions of each; each `pass` damages them differently. Prints which
    /// input broke which target.
    fn drive(rounds: usize, pass: u64) -> usize {
        let mut runs = 0;
        for &(name, target) in TARGETS {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(name);
            let mut seeds: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
            seeds.sort();
            assert!(!seeds.is_empty(), "{}", folder.display());
            for (number, path) in seeds.iter().enumerate() {
                let seed = std::fs::read(path).unwrap();
                let mut random = Random(number as u64 + (pass << 32));
                for round in 0..=rounds {
                    let data = if round == 0 { seed.clone() } else { damaged(&seed, &mut random) };
                    let held = catch_unwind(AssertUnwindSafe(|| target(&data))).is_ok();
                    assert!(held, "{name}: {} round {round}: {}", path.display(), data.escape_ascii());
                    runs += 1;
                }
            }
        }
        runs
    }

    #[test]
    fn seeds_and_damaged_seeds_hold() {
        let rounds = crate::cases::number(32) as usize;
        assert!(drive(rounds, 0) > 20 * rounds);
    }

    /// `cargo test --release fuzzing -- --ignored`: the same for longer, if there is no nightly compiler.
    #[test]
    #[ignore = "takes minutes"]
    fn much_damage_holds() {
        println!("{} runs", (1..1000).map(|pass| drive(100, pass)).sum::<usize>());
    }
}
