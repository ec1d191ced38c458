//! Builds an OPUS corpus from alignments: each document once, with the sentences of all its pairs, and each link. Sentences wait
//! in a spool, because a document may be in many alignments. Memory: a name for each document, 16 bytes for each alignment it is
//! in.

use super::{Corpus, open_document, open_group, stem_of};
use crate::export::dataset::key::Key;
use crate::export::dataset::tally::Tally;
use crate::formats::parallel::aligned::{language, number, numbers};
use crate::formats::xml;
use crate::language::ranges::Languages;
use crate::ndjson::{from_str, text_of, write_json};
use crate::record::{Alignment, Sentence, Side};
use crate::report::Error;
use crate::spill::{self, Spool};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::os::unix::fs::FileExt;

/// A document, with the places of its sentences in the spool.
struct Waiting {
    stem: String,
    language: String,
    link: String,
    group: String,
    /// Its name in alignments.
    file: String,
    entries: Vec<(u64, usize)>,
}

/// The numbers and texts of sentences, by their block and their place in it.
type ByPlace = BTreeMap<(Option<i64>, Option<i64>), (String, String)>;

pub(super) struct Sentences {
    spool: Spool,
    end: u64,
    documents: Vec<Waiting>,
    numbers: HashMap<Key, usize>,
    links: [u64; 2],
    /// The languages named by the user that occur in the alignments.
    named: HashSet<String>,
}

impl Sentences {
    pub(super) fn new() -> Result<Self, Error> {
        let (documents, numbers) = (Vec::new(), HashMap::new());
        let named = HashSet::new();
        Ok(Sentences { spool: Spool::new()?, end: 0, documents, numbers, links: [0; 2], named })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// Whether there are documents in a language that the user named.
    pub(super) fn has(&self, name: &str) -> bool {
        self.named.contains(name)
    }

    /// Adds an alignment, whose line has been read once, and appends its links.
    pub(super) fn take(&mut self, line: &[u8], asked: &Languages, corpus: &mut Corpus<'_>) -> Result<(), Error> {
        let text = text_of(line).expect("it has been read");
        let alignment: Alignment<'_> = from_str(text).expect("it has been read");
        let [one, other] = [&alignment.from, &alignment.to].map(language);
        let (Some(one), Some(other)) = (asked.name_of(&one), asked.name_of(&other)) else { return Ok(()) };
        for name in [one, other].into_iter().filter(|name| asked.named().iter().any(|named| named == name)) {
            self.named.insert(name.to_owned());
        }
        let [one, other] = [one, other].map(|tag| corpus.languages.name(tag).to_owned());
        let from = self.document(&alignment, &alignment.from, &one, corpus);
        let to = self.document(&alignment, &alignment.to, &other, corpus);
        for (document, is_from) in [(from, true), (to, false)] {
            let side = alignment.links.iter().flat_map(|link| if is_from { &link.from } else { &link.to });
            self.spool_sentences(document, &side.collect::<Vec<_>>())?;
        }
        // opus_read first looks for the language that comes first in the alphabet.
        let turned = other < one;
        let (first, second) = if turned { (to, from) } else { (from, to) };
        let mut group = String::new();
        open_group(&self.documents[first].file, &self.documents[second].file, &mut group);
        for (at, link) in alignment.links.iter().enumerate() {
            let (ours, theirs) = if turned { (&link.to, &link.from) } else { (&link.from, &link.to) };
            let _ = write!(group, "  <link id=\"SL{}\"", at + 1);
            if let Some(score) = link.score {
                let _ = write!(group, " certainty=\"{score}\"");
            }
            xml::attribute("xtargets", &format!("{};{}", numbers(ours), numbers(theirs)), &mut group);
            group.push_str(" />\n");
            self.links[usize::from(ours.is_empty() || theirs.is_empty())] += 1;
        }
        group.push_str(" </linkGrp>\n");
        if turned { corpus.append(&other, &one, &group) } else { corpus.append(&one, &other, &group) }
    }

    fn document(&mut self, of: &Alignment<'_>, side: &Side<'_>, folder: &str, corpus: &mut Corpus<'_>) -> usize {
        let (site, r#type, link) = (of.site.as_deref(), side.r#type.as_deref(), side.link.as_deref());
        let key = Key::new(site.unwrap_or_default(), r#type.unwrap_or_default(), side.id, link);
        let next = self.documents.len();
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            let stem = stem_of(site, r#type, side.id, link);
            let link = link.unwrap_or_default().to_owned();
            let file = corpus.name(folder, &stem, &link) + ".gz";
            let group = of.group.as_deref().unwrap_or_default().to_owned();
            self.documents.push(Waiting { stem, language: language(side), link, group, file, entries: Vec::new() });
        }
        number
    }

    fn spool_sentences(&mut self, document: usize, sentences: &[&Sentence<'_>]) -> Result<(), Error> {
        let mut bytes = Vec::new();
        write_json(&mut bytes, &sentences);
        self.spool.write(&bytes)?;
        self.documents[document].entries.push((self.end, bytes.len()));
        self.end += bytes.len() as u64;
        Ok(())
    }

    pub(super) fn finish(self, corpus: &mut Corpus<'_>, tally: &mut Tally) -> Result<(), Error> {
        tally.count("sentence_pairs", self.links[0]);
        tally.count("one_sided", self.links[1]);
        let spool = self.spool.into_reader()?;
        for document in &self.documents {
            let mut sentences = ByPlace::new();
            for &(at, length) in &document.entries {
                let mut bytes = vec![0; length];
                spool.read_exact_at(&mut bytes, at).map_err(spill::failed)?;
                let read: Vec<Sentence<'_>> = serde_json::from_slice(&bytes).expect("it was written by us");
                for sentence in read {
                    let text = sentence.text.as_deref().unwrap_or_default().to_owned();
                    sentences.insert((sentence.block, sentence.sentence), (number(&sentence), text));
                }
            }
            let name = document.file.strip_suffix(".gz").unwrap_or(&document.file);
            corpus.folder.write_file(
                &format!("raw/{name}"),
                (None, None),
                content(document, &sentences).as_bytes(),
                1,
            )?;
        }
        Ok(())
    }
}

/// A document, with a paragraph for each block.
fn content(document: &Waiting, sentences: &ByPlace) -> String {
    let mut out = String::new();
    open_document(&document.stem, &document.language, &document.link, &document.group, &mut out);
    let mut open = None;
    for ((block, _), (number, text)) in sentences {
        if open != Some(block) {
            let close = if open.is_some() { "</p>\n" } else { "" };
            let _ = write!(out, "{close}  <p id=\"{}\">", block.unwrap_or(0));
            open = Some(block);
        }
        let _ = write!(out, "<s id=\"{number}\">");
        xml::data(text, &mut out);
        out.push_str("</s>");
    }
    out.push_str(if open.is_some() { "</p>\n</document>\n" } else { "</document>\n" });
    out
}
