//! Learns in which element the theme of a site puts its contents, from pages whose content is known. The same pages judge the result: it is
//! used only if the content taken from there is closer to the known content than what the tables and scores choose.

use crate::html::elements::{Buffers, Element, ParseOptions, Sink, read};
use crate::html::names::Name;
use crate::html::tokenizer::{Attributes, Nul, Text};
use crate::minhash::each_word;
use crate::page::{ContentBuffer, ContentSelectors, Learner, Site, Template, main_content};
use crate::record::Place;
use crate::urls::QuickMap;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// The fewest pages that must agree on a place.
const FEWEST: usize = 3;

/// The most places that are tried: those whose words are closest to the known contents.
const TRIED: usize = 4;

/// An element agrees with the best element of a page if its share is less by at most this much.
const NEAR: f64 = 0.05;

/// How much closer to the known contents a place must be than the rules, as a mean over the pages.
const BETTER: f64 = 0.005;

/// The least mean share of a place: a place with less belongs to another template.
const LEAST: f64 = 0.9;

/// Elements that contain all of a content only by chance: the frames of pages, and parts of texts.
const NEVER: [Name; 8] = [Name::HTML, Name::BODY, Name::P, Name::LI, Name::UL, Name::OL, Name::PRE, Name::BLOCKQUOTE];

/// A page and its content, both as HTML.
pub(crate) struct Known {
    pub(crate) page: String,
    pub(crate) content: String,
}

/// The place of the contents of these pages; `None` if too few pages agree on one, or if the rules choose as well. Each page is judged by
/// the place that the other pages teach.
pub(crate) fn learn(pages: &[Known]) -> Option<Place<'static>> {
    if pages.len() < FEWEST {
        return None;
    }
    let contents: Vec<Bag> = pages.iter().map(|known| Bag::of(&known.content)).collect();
    let mut judge = Judge::new(pages, &contents);
    let rules = judge.shares(ContentSelectors::builtin());
    let of = pages.len();
    let of_rules = rules.iter().sum::<f64>() / of as f64;
    if of_rules + BETTER >= 1.0 {
        return None;
    }
    let read = pages.iter().zip(&contents);
    let fits: Vec<Fits> = read.map(|(known, content)| Fits::of(&known.page, content)).collect();
    let tried = tried(&fits);
    if tried.is_empty() {
        return None;
    }
    let mut places = Vec::new();
    for name in tried {
        places.push(Tried { shares: judge.shares(&ContentSelectors::with_place(&name).ok()?), name });
    }
    let all = 0..pages.len();
    let others = |page: usize| all.clone().filter(move |other| *other != page);
    let learnt = all.clone().map(|page| best(&places, others(page)).shares[page]).sum::<f64>();
    let is_better = learnt / of as f64 - of_rules > BETTER;
    let best = best(&places, all.clone());
    let agree = fits.iter().filter(|fits| fits.agrees(xxh3_64(best.name.as_bytes()))).count();
    let share = best.shares.iter().sum::<f64>() / of as f64;
    (is_better && agree >= FEWEST && share >= LEAST).then(|| Place {
        content: Some(best.name.clone().into()),
        agree: Some(agree as i64),
        of: Some(of as i64),
        share: Some((share * 10_000.0).round() / 10_000.0),
    })
}

/// A place that was tried: its selector, and how close the content at it is to the known content, for each page.
struct Tried {
    name: String,
    shares: Vec<f64>,
}

/// The place that is closest on these pages; of equal places, the first.
fn best(places: &[Tried], pages: impl Iterator<Item = usize> + Clone) -> &Tried {
    let sum = |place: &Tried| pages.clone().map(|page| place.shares[page]).sum::<f64>();
    let nearest = places.iter().map(|place| (sum(place), place)).reduce(|a, b| if b.0 > a.0 + 1e-9 { b } else { a });
    nearest.expect("there is a place").1
}

/// The selectors on which most pages agree, the closest first; of selectors that find the same elements, only one.
fn tried(fits: &[Fits]) -> Vec<String> {
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for fits in fits {
        let near = fits.names.iter().filter(|(_, fit)| *fit >= fits.best - NEAR);
        near.for_each(|(name, _)| *names.entry(name).or_default() += 1);
    }
    names.retain(|_, agree| *agree >= FEWEST && *agree * 2 >= fits.len());
    let of = |name: &str| fits.iter().map(|fits| fits.of_name(xxh3_64(name.as_bytes()))).collect::<Vec<_>>();
    let mut ranked: Vec<(&str, Vec<f64>)> = names.keys().map(|name| (*name, of(name))).collect();
    let mean = |fits: &[f64]| fits.iter().sum::<f64>();
    ranked.sort_by(|a, b| mean(&b.1).total_cmp(&mean(&a.1)).then_with(|| (a.0.len(), a.0).cmp(&(b.0.len(), b.0))));
    ranked.dedup_by(|a, b| a.1 == b.1);
    ranked.into_iter().take(TRIED).map(|(name, _)| name.to_owned()).collect()
}

/// Compares the contents that are taken from pages with the known ones.
struct Judge<'k> {
    pages: &'k [Known],
    contents: &'k [Bag],
    template: Option<Arc<Template>>,
    buffer: ContentBuffer,
}

impl<'k> Judge<'k> {
    fn new(pages: &'k [Known], contents: &'k [Bag]) -> Self {
        let mut learner = Learner::default();
        pages.iter().enumerate().for_each(|(number, known)| learner.add(number, &known.page));
        Judge { pages, contents, template: Template::of(&mut learner).map(Arc::new), buffer: ContentBuffer::default() }
    }

    /// For each page, how close the content that the selectors choose is to the known content: see [`Bag::share`].
    fn shares(&mut self, selectors: &ContentSelectors) -> Vec<f64> {
        let mut shares = Vec::new();
        for (number, (known, content)) in self.pages.iter().zip(self.contents).enumerate() {
            let site = || self.template.clone().map(|template| Site { template, own: Some(number) });
            let (main, _) = main_content(&known.page, selectors, &mut self.buffer, &mut (), site);
            shares.push(main.map_or(0.0, |main| content.share(&Words::of(&main.html, false).words)));
        }
        shares
    }
}

/// How often each word is in a text.
struct Bag {
    counts: QuickMap<u64, usize>,
    total: usize,
}

impl Bag {
    fn of(html: &str) -> Self {
        let words = Words::of(html, false).words;
        let mut counts = QuickMap::default();
        words.iter().for_each(|word| *counts.entry(*word).or_default() += 1);
        Bag { counts, total: words.len() }
    }

    /// How close the words of another text are (F score), from 0 to 1; 0 for a text that is much longer or shorter.
    fn share(&self, words: &[u64]) -> f64 {
        if words.len() * 3 < self.total || self.total * 3 < words.len() || words.is_empty() {
            return 0.0;
        }
        let mut left = self.counts.clone();
        let mut takes =
            |word: &&u64| left.get_mut(*word).and_then(|n| n.checked_sub(1).map(|less| *n = less)).is_some();
        let both = words.iter().filter(|word| takes(word)).count();
        (2 * both) as f64 / (words.len() + self.total) as f64
    }
}

/// How close each element of a page is to its known content.
struct Fits {
    /// For the hash of each selector, the share of the first element that it finds.
    first: QuickMap<u64, f64>,
    /// The selectors of elements with a share above one half, and these shares.
    names: Vec<(String, f64)>,
    best: f64,
}

impl Fits {
    fn of(page: &str, content: &Bag) -> Self {
        let Words { words, elements, first, .. } = Words::of(page, true);
        let fits: Vec<f64> = elements.iter().map(|element| content.share(&words[element.clone()])).collect();
        let names: Vec<_> = first.iter().map(|(name, at)| (name.clone(), fits[*at])).collect();
        let by_hash = names.iter().map(|(name, fit)| (xxh3_64(name.as_bytes()), *fit)).collect();
        let best = names.iter().map(|(_, fit)| *fit).fold(0.0, f64::max);
        Fits { first: by_hash, names: names.into_iter().filter(|(_, fit)| *fit > 0.5).collect(), best }
    }

    fn of_name(&self, name: u64) -> f64 {
        self.first.get(&name).copied().unwrap_or_default()
    }

    fn agrees(&self, name: u64) -> bool {
        self.of_name(name) > 0.5 && self.of_name(name) >= self.best - NEAR
    }
}

/// The words of HTML as hashes, and the range of words of each element.
#[derive(Default)]
struct Words {
    words: Vec<u64>,
    elements: Vec<Range<usize>>,
    /// The first element that each selector finds.
    first: BTreeMap<String, usize>,
    /// The open elements: depth, number, name, and the selectors of the element itself.
    open: Vec<(usize, usize, String, Vec<String>)>,
    /// The depth of the element whose text is not visible.
    left: Option<usize>,
    names: bool,
    scratch: String,
}

impl Words {
    fn of(html: &str, page: bool) -> Self {
        let mut words = Words { names: page, ..Words::default() };
        read(html, ParseOptions { page, ..ParseOptions::default() }, &mut Buffers::default(), &mut words);
        words.close_from(0);
        words
    }

    fn close_from(&mut self, depth: usize) {
        while self.open.last().is_some_and(|(open, ..)| *open >= depth) {
            let (_, at, ..) = self.open.pop().expect("it is there");
            self.elements[at].end = self.words.len();
        }
    }

    /// The selectors of an element: its name with its id or one of its classes; without these, its name as a child of an element with one.
    fn selectors(&self, label: &str, own: &[String]) -> Vec<String> {
        let around = self.open.last().filter(|_| own.is_empty());
        let above = around.iter().flat_map(|(.., own)| own.iter().map(|above| format!("{above} > {label}")));
        own.iter().cloned().chain(above).collect()
    }
}

/// Whether a theme may give this name to all its pages: it contains no number.
fn is_name(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'-' | b'_'))
        && name.bytes().next().is_some_and(|b| b.is_ascii_alphabetic())
}

impl<'a> Sink<'a> for Words {
    fn open(&mut self, element: &Element<'a>, attributes: Attributes<'_, 'a>, depth: usize, _: Range<usize>) {
        if self.left.is_some() {
            return;
        }
        self.left = element.look.left.then_some(depth);
        if !self.names {
            return;
        }
        self.close_from(depth);
        let label = element.label.to_ascii_lowercase();
        let id = attributes.get("id").filter(|id| is_name(id)).map(|id| format!("{label}#{id}"));
        let class = attributes.get("class").unwrap_or_default();
        let classes = class.split_ascii_whitespace().filter(|class| is_name(class));
        let own: Vec<String> = id.into_iter().chain(classes.map(|class| format!("{label}.{class}"))).collect();
        let at = self.elements.len();
        if !NEVER.contains(&element.name) {
            self.selectors(&label, &own).into_iter().for_each(|name| _ = self.first.entry(name).or_insert(at));
        }
        self.elements.push(self.words.len()..self.words.len());
        self.open.push((depth, at, label, own));
    }

    fn close(&mut self, _: &Element<'a>, depth: usize, _: Range<usize>) {
        if self.left.is_some_and(|left| left >= depth) {
            self.left = None;
        }
        if self.left.is_none() {
            self.close_from(depth);
        }
    }

    fn text(&mut self, text: Text<'a>, _: &Element<'a>) {
        if self.left.is_none() {
            let Words { words, scratch, .. } = self;
            each_word(text.decode(scratch, Nul::Drop).as_bytes(), |word| words.push(word));
        }
    }
}

#[cfg(test)]
mod tests;
