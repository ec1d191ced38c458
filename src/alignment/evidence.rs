//! Finds anchors in two documents, whatever their languages: links that lead to translations of each other, images of one
//! record, words that are written alike. What occurs more often says less.

use super::document::{Anchor, Document};
use super::lengths::length;
use super::lexicon::Lexicon;
use super::{Anchors, Bead};
use crate::sentences::addresses;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// A sign that occurs more often than this in a document is not evidence; the limit also keeps the work proportional to the text.
const MOST: usize = 20;

/// How much a link is worth that occurs once in each document.
const LINK: f64 = 2.0;
/// How much an image is worth that occurs once in each document.
const MEDIA: f64 = 4.0;
/// How much a word is worth that occurs once in each document.
const WORD: f64 = 1.0;

/// A sign that a part of a document has.
struct Sign {
    /// The sentence or the block that has it.
    at: usize,
    kind: &'static str,
    key: u64,
    value: String,
    worth: f64,
}

/// For each element of the first document: the elements of the second that share signs with it, and the worth of those signs.
type Shared = Vec<Vec<(usize, f64)>>;

pub(super) struct Evidence {
    /// The signs of the first document, by sentence.
    ours: Vec<Sign>,
    theirs: Vec<Sign>,
    sentences: Shared,
    /// The words of the lexicon that sentences share.
    words: Shared,
    /// Running sums of the worth of all words of the lexicon in each document.
    known: [Vec<f64>; 2],
    /// The images of the first document, by block.
    our_media: Vec<Sign>,
    their_media: Vec<Sign>,
    blocks: Shared,
}

impl Evidence {
    pub(super) fn new(
        from: &Document,
        to: &Document,
        anchors: Anchors,
        lexicon: Option<&Lexicon>,
        group: impl Fn(u64) -> Option<u64>,
    ) -> Self {
        let of_sentences = |document: &Document| signs(document, anchors, &group);
        let of_blocks = |document: &Document| if anchors.media { media(document, &group) } else { Vec::new() };
        let (ours, theirs) = (of_sentences(from), of_sentences(to));
        let (our_media, their_media) = (of_blocks(from), of_blocks(to));
        let sentences = shared(&ours, &theirs, from.sentences.len());
        let of_lexicon = |side: usize, document: &Document| {
            let mut found = Vec::new();
            for (at, sentence) in document.sentences.iter().enumerate() {
                if let Some(lexicon) = lexicon {
                    let take = |key| found.push(Sign { at, kind: "lexicon", key, value: String::new(), worth: WORD });
                    lexicon.read(side, &sentence.text, take);
                }
            }
            found
        };
        let known_words = [of_lexicon(0, from), of_lexicon(1, to)];
        let words = shared(&known_words[0], &known_words[1], from.sentences.len());
        let known = known(&known_words, [from, to].map(|document| document.sentences.len()));
        let mut blocks = shared(&our_media, &their_media, from.blocks.len());
        let rows = from.sentences.iter().zip(&sentences).chain(from.sentences.iter().zip(&words));
        for (sentence, row) in rows {
            blocks[sentence.block].extend(row.iter().map(|&(at, worth)| (to.sentences[at].block, worth)));
        }
        blocks.iter_mut().for_each(sum_up);
        Evidence { ours, theirs, sentences, words, known, our_media, their_media, blocks }
    }

    /// How strongly the anchors support linking these sentences.
    pub(super) fn of_sentences(&self, from: Range<usize>, to: Range<usize>) -> f64 {
        worth(&self.sentences[from], &to)
    }

    /// How many words of the lexicon these sentences share, and how many only one side has; frequent words count less.
    pub(super) fn of_words(&self, from: Range<usize>, to: Range<usize>) -> (f64, f64) {
        let sum = |side: usize, of: &Range<usize>| self.known[side][of.end] - self.known[side][of.start];
        let all = sum(0, &from) + sum(1, &to);
        let shared = worth(&self.words[from], &to);
        (shared, (all - 2.0 * shared).max(0.0))
    }

    /// How strongly the images support linking these blocks.
    pub(super) fn of_blocks(&self, from: Range<usize>, to: Range<usize>) -> f64 {
        worth(&self.blocks[from], &to)
    }

    pub(super) fn both_have_media(&self, from: &Range<usize>, to: &Range<usize>) -> bool {
        !within(&self.our_media, from).is_empty() && !within(&self.their_media, to).is_empty()
    }

    /// Adds the images that blocks share.
    pub(super) fn shared_media(&self, part: &Bead, found: &mut Vec<(&'static str, String)>) {
        common(within(&self.our_media, &part.from), within(&self.their_media, &part.to), found);
    }

    /// Adds the links and words that sentences share.
    pub(super) fn shared(&self, from: Range<usize>, to: Range<usize>, found: &mut Vec<(&'static str, String)>) {
        common(within(&self.ours, &from), within(&self.theirs, &to), found);
    }
}

/// The signs of the elements in this range.
fn within<'s>(signs: &'s [Sign], range: &Range<usize>) -> &'s [Sign] {
    let start = signs.partition_point(|sign| sign.at < range.start);
    let end = signs.partition_point(|sign| sign.at < range.end);
    &signs[start..end]
}

fn common(ours: &[Sign], theirs: &[Sign], found: &mut Vec<(&'static str, String)>) {
    let theirs: HashSet<u64> = theirs.iter().map(|sign| sign.key).collect();
    let mut told = HashSet::new();
    for sign in ours.iter().filter(|sign| theirs.contains(&sign.key)) {
        if told.insert((sign.kind, &sign.value)) {
            found.push((sign.kind, sign.value.clone()));
        }
    }
}

fn worth(rows: &[Vec<(usize, f64)>], to: &Range<usize>) -> f64 {
    let of_row = |row: &Vec<(usize, f64)>| -> f64 {
        let start = row.partition_point(|(at, _)| *at < to.start);
        row[start..].iter().take_while(|(at, _)| *at < to.end).map(|(_, worth)| worth).sum()
    };
    rows.iter().map(of_row).sum()
}

/// The signs of the sentences, each once a sentence.
fn signs(document: &Document, anchors: Anchors, group: &impl Fn(u64) -> Option<u64>) -> Vec<Sign> {
    let mut found = Vec::new();
    for (at, sentence) in document.sentences.iter().enumerate() {
        let start = found.len();
        if anchors.links {
            found.extend(sentence.links.iter().map(|link| sign(at, "link", link, LINK, group)));
        }
        if anchors.words {
            words(&sentence.text, |word| {
                let key = xxh3_64(word.to_lowercase().as_bytes());
                found.push(Sign { at, kind: "word", key, value: word.to_owned(), worth: WORD });
            });
        }
        let mut own = found.split_off(start);
        own.sort_by_key(|sign: &Sign| sign.key);
        own.dedup_by_key(|sign| sign.key);
        found.append(&mut own);
    }
    found
}

fn sign(at: usize, kind: &'static str, anchor: &Anchor, worth: f64, group: &impl Fn(u64) -> Option<u64>) -> Sign {
    let key = group(anchor.key).unwrap_or(anchor.key);
    Sign { at, kind, key, value: anchor.value.clone(), worth }
}

fn media(document: &Document, group: &impl Fn(u64) -> Option<u64>) -> Vec<Sign> {
    let blocks = document.blocks.iter().enumerate();
    blocks.flat_map(|(at, block)| block.media.iter().map(move |one| sign(at, "media", one, MEDIA, group))).collect()
}

/// Passes `take` the words of a text that other languages write alike: numbers, addresses, and names, which begin with a capital letter or
/// have a digit. Numbers are reduced to their digits, without separators.
fn words(text: &str, mut take: impl FnMut(&str)) {
    let addresses = addresses(text);
    addresses.iter().for_each(|address| take(&text[address.clone()]));
    let mut begin = 0;
    let ends = addresses.iter().map(|address| (address.start, address.end)).chain([(text.len(), text.len())]);
    for (end, next) in ends {
        for word in text[begin..end].split(|c: char| !c.is_alphanumeric() && !is_separator(c)) {
            if word.contains(|c: char| c.is_ascii_digit()) {
                take(&word.chars().filter(|c| !is_separator(*c)).collect::<String>());
                continue;
            }
            for name in word.split(is_separator) {
                let is_name = name.chars().next().is_some_and(char::is_uppercase) && length(name) > 2;
                if is_name {
                    take(name);
                }
            }
        }
        begin = next;
    }
}

/// Whether this character may separate the digits of a number.
fn is_separator(c: char) -> bool {
    matches!(c, '.' | ',' | '\u{a0}' | '\u{202f}' | '\'' | '’')
}

/// The elements in which each sign occurs.
fn places(signs: &[Sign]) -> HashMap<u64, Vec<usize>> {
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    for sign in signs {
        places.entry(sign.key).or_default().push(sign.at);
    }
    places
}

/// For each of two documents, the running sums of the worth of the signs in its sentences.
fn known(signs: &[Vec<Sign>; 2], counts: [usize; 2]) -> [Vec<f64>; 2] {
    let places = signs.each_ref().map(|signs| places(signs));
    let often = |sign: &Sign| places.iter().map(|places| places.get(&sign.key).map_or(0, Vec::len)).max().unwrap_or(1);
    [0, 1].map(|side| {
        let mut sums = vec![0.0; counts[side] + 1];
        for (sign, often) in signs[side].iter().map(|sign| (sign, often(sign))).filter(|(_, often)| *often <= MOST) {
            sums[sign.at + 1] += sign.worth / often as f64;
        }
        (0..counts[side]).for_each(|at| sums[at + 1] += sums[at]);
        sums
    })
}

fn shared(ours: &[Sign], theirs: &[Sign], elements: usize) -> Shared {
    let (here, there) = (places(ours), places(theirs));
    let mut rows: Shared = vec![Vec::new(); elements];
    for sign in ours {
        let (Some(here), Some(there)) = (here.get(&sign.key), there.get(&sign.key)) else { continue };
        let most = here.len().max(there.len());
        if most <= MOST {
            rows[sign.at].extend(there.iter().map(|&at| (at, sign.worth / most as f64)));
        }
    }
    rows.iter_mut().for_each(sum_up);
    rows
}

/// Sorts a row and adds up the entries of the same element.
fn sum_up(row: &mut Vec<(usize, f64)>) {
    row.sort_by_key(|(at, _)| *at);
    row.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        kept.1 += if same { next.1 } else { 0.0 };
        same
    });
}
