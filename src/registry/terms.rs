//! Infers the languages and translations of terms (categories, tags) from posts and slugs. Multilingual plugins keep one term per language,
//! and the saved pages often lack the archive page of a term.
//!
//! Slugs show that two terms of one taxonomy in two languages are translations if one slug is the other plus a language code (`news`,
//! `news-de`: plugins name terms with the same name like this), or if both slugs are equal before their codes. Posts show it if at least
//! two pairs of translated posts carry the two terms, if these are at least four fifths of the comparable pairs, and if no other term
//! occurs in as many. A single pair is enough if neither post has another term of the taxonomy, and at least [`KNOWN`] pairs of its terms
//! were found in other ways. WordPress puts a post without a category into the default category of its language, so posts prove little
//! about default categories: one is matched only with another.

use super::blogs::Blog;
use super::facts::Facts;
use super::groups::{Groups, Guess, Guesses};
use super::record::RecordKind;
use super::records::Records;
use super::votes::candidates;
use crate::codec::{Packed, put_number};
use crate::language::LanguageTag;
use crate::record::term_ids;
use crate::urls::{QuickMap, QuickSet, UrlKey};
use crate::wordpress::is_default_category;

/// The evidence that a site's posts give about its terms.
#[derive(Default)]
pub(super) struct Terms {
    /// The terms of posts with a declared language, packed: for each post, its number minus the previous one's, the number of its terms,
    /// and their ids.
    of_posts: Vec<u8>,
    last: u32,
}

impl Terms {
    /// Adds the terms of a post with a declared language.
    pub(super) fn note(&mut self, facts: &Facts<'_>, number: u32) {
        let terms = || facts.terms.iter().map(|term| (term.taxonomy.as_deref(), term.id));
        let ids = || term_ids(&facts.categories, &facts.tags, terms()).map(|(_, id)| id);
        let count = ids().count();
        if count == 0 {
            return;
        }
        put_number(&mut self.of_posts, u64::from(number - self.last));
        put_number(&mut self.of_posts, count as u64);
        self.last = number;
        ids().for_each(|id| put_number(&mut self.of_posts, id as u64));
    }

    /// Terms whose posts are all in one language, each with that language. The map is empty unless the site keeps a term for each language:
    /// at most one term in twenty has posts in several languages, and the others are not all in one language.
    pub(super) fn of_one_language(&self, records: &Records) -> QuickMap<(Blog, i64), u16> {
        // The language of each term; 0 if its posts are in several.
        let mut terms: QuickMap<(Blog, i64), u16> = QuickMap::default();
        for (post, ids) in self.posts().filter(|(post, _)| !records[*post].is_guest()) {
            let language = records[post].language();
            for id in ids {
                let known = terms.entry((records.blogs.of(post), id)).or_insert(language);
                *known = if *known == language { language } else { 0 };
            }
        }
        let all = terms.len();
        terms.retain(|_, language| *language != 0);
        let first = terms.values().next().copied();
        let tells = (all - terms.len()) * 20 <= all && terms.values().any(|&language| Some(language) != first);
        if tells { terms } else { QuickMap::default() }
    }

    fn posts(&self) -> impl Iterator<Item = (u32, Vec<i64>)> {
        let (mut notes, mut number) = (Packed(&self.of_posts), 0);
        std::iter::from_fn(move || {
            number += u32::try_from(notes.number()?).ok()?;
            let ids = (0..notes.number()?).map_while(|_| notes.number()).map(|id| id as i64).collect();
            Some((number, ids))
        })
    }
}

/// Upper limit for the terms of one slug, and for the posts of one group: more are not compared. No site that we have seen has as many
/// languages.
const MOST_LANGUAGES: usize = 64;
/// The most terms of a post in one taxonomy that count as evidence: a post with more is filed under nearly everything.
const MOST_TERMS: usize = 16;
/// The most terms of a post in all taxonomies together that count as evidence.
const MOST_OF_A_POST: usize = 64;
/// The most pairs of terms that are counted, 30 bytes each; on a site with more, posts are not used as evidence.
const MOST_PAIRS: usize = 1 << 21;
/// How many pairs of translated posts must carry two terms to prove these translations of each other.
const PAIRS: u32 = 2;
/// How many of five comparable pairs must carry the two terms.
const OF_FIVE: u32 = 4;
/// The pairs of terms of a taxonomy that must be known before a single pair of posts is enough.
const KNOWN: u32 = 3;

/// Terms that their slugs or their posts show to be translations, except terms in a group with records of other kinds. Translations that
/// the site itself states take precedence over these guesses.
pub(super) fn guesses(records: &Records, groups: &Groups, terms: &Terms) -> Guesses {
    let mut pairs = Guesses::default();
    if records.languages().nth(1).is_some() {
        let of_slugs = by_slugs(records, groups, &mut pairs);
        by_posts(records, groups, terms, &of_slugs, &mut pairs);
    }
    pairs
}

fn ordered(records: &Records, a: u32, b: u32) -> (u32, u32) {
    if records.compare(a, b).then(a.cmp(&b)).is_le() { (a, b) } else { (b, a) }
}

/// Adds the pairs that slugs show. Returns the slug before the language code for each term that has one.
fn by_slugs(records: &Records, groups: &Groups, pairs: &mut Guesses) -> QuickMap<u32, Box<str>> {
    let mut known: QuickMap<u32, Box<str>> = QuickMap::default();
    let mut bases: QuickMap<(u16, Box<str>), Vec<u32>> = QuickMap::default();
    let (mut key, mut others) = (UrlKey::default(), Vec::new());
    for number in records.free_terms(groups) {
        let slug = records.slug(number);
        match key.read(records.link(number)).then(|| records.without_code(number, slug, &key)).flatten() {
            Some(base) => {
                bases.entry((records[number].r#type(), base.into())).or_default().push(number);
                known.insert(number, base.into());
            }
            None => others.push(number),
        }
    }
    for number in others {
        let slug: Box<str> = records.slug(number).into();
        if let Some(terms) = bases.get_mut(&(records[number].r#type(), slug)) {
            terms.push(number);
        }
    }
    for terms in bases.into_values().filter(|terms| (2..=MOST_LANGUAGES).contains(&terms.len())) {
        let languages: QuickSet<u16> = terms.iter().map(|&term| records[term].language()).collect();
        // Two terms of one language, in different places of the category tree: it is unknown which of them is meant.
        if languages.len() == terms.len() {
            let all = terms.iter().enumerate().flat_map(|(i, &a)| terms[i + 1..].iter().map(move |&b| (a, b)));
            pairs.extend(all.map(|(a, b)| (ordered(records, a, b), Guess::Slug)));
        }
    }
    known
}

/// How often a pair was seen, and whether both posts had no other term of the taxonomy.
#[derive(Clone, Copy, Default)]
struct Common {
    count: u32,
    alone: bool,
}

/// The pairs of terms of translated posts.
#[derive(Default)]
struct Counts {
    pairs: QuickMap<(u32, u32), Common>,
    /// (term, language) → number of comparable pairs: one post has the term, and the other has a term of the same taxonomy in that
    /// language.
    all: QuickMap<(u32, u16), u32>,
}

impl Counts {
    /// Adds two translated posts; returns false if there are too many pairs.
    fn add(&mut self, records: &Records, a: &[u32], b: &[u32]) -> bool {
        let record = |term: u32| &records[term];
        for (of, others) in [(a, b), (b, a)] {
            for &term in of {
                if let Some(&other) = others.iter().find(|&&other| record(other).r#type() == record(term).r#type()) {
                    *self.all.entry((term, record(other).language())).or_default() += 1;
                }
            }
        }
        let count = |terms: &[u32], r#type| terms.iter().filter(|&&term| record(term).r#type() == r#type).count();
        for &x in a {
            let of_type = record(x).r#type();
            let numbers = [count(a, of_type), count(b, of_type)];
            for &y in b.iter().filter(|&&y| record(y).r#type() == of_type) {
                let seen = self.pairs.entry(ordered(records, x, y)).or_default();
                seen.count += 1;
                seen.alone = numbers == [1, 1];
            }
        }
        self.pairs.len() <= MOST_PAIRS
    }

    /// The pairs (a, b) that were seen more often than a with any other term in b's language, and than b with any other in a's, and in at
    /// least [`OF_FIVE`] fifths of the comparable pairs.
    fn best(&self, records: &Records) -> impl Iterator<Item = (u32, u32, Common)> {
        let language = |term: u32| records[term].language();
        // (term, language) → the highest count, and whether only one term has it.
        let mut most: QuickMap<(u32, u16), (u32, bool)> = QuickMap::default();
        for (&(a, b), seen) in &self.pairs {
            for (term, other) in [(a, b), (b, a)] {
                let known = most.entry((term, language(other))).or_default();
                *known = match seen.count.cmp(&known.0) {
                    std::cmp::Ordering::Greater => (seen.count, true),
                    std::cmp::Ordering::Equal => (known.0, false),
                    std::cmp::Ordering::Less => *known,
                };
            }
        }
        self.pairs.iter().map(|(&(a, b), &seen)| (a, b, seen)).filter(move |&(a, b, seen)| {
            [(a, b), (b, a)].iter().all(|&(term, other)| {
                let asked = (term, language(other));
                most[&asked] == (seen.count, true) && seen.count * 5 >= self.all[&asked] * OF_FIVE
            })
        })
    }
}

/// Adds the pairs that posts show.
fn by_posts(records: &Records, groups: &Groups, all: &Terms, of_slugs: &QuickMap<u32, Box<str>>, pairs: &mut Guesses) {
    let is_free: QuickSet<u32> = records.free_terms(groups).collect();
    let is_default = |term: u32| {
        let slug = of_slugs.get(&term).map_or_else(|| records.slug(term), |base| &**base);
        is_default_category(slug)
    };
    let taxonomy = |term: u32| records[term].r#type();
    let mut posts: Vec<(u32, Vec<u32>)> = Vec::new();
    for (post, ids) in all.posts().filter(|(post, _)| !records[*post].is_guest()) {
        let Some(group) = groups.first_of(post) else { continue };
        let language = records[post].language();
        let blog = records.blogs.of(post);
        let terms =
            ids.iter().filter_map(|&id| records.referred(RecordKind::Term.space(), id, blog, language, |_, _, _| true));
        let terms = terms.filter(|term| records[*term].language() == language);
        let mut terms: Vec<u32> = terms.filter(|term| is_free.contains(term)).collect();
        terms.sort_unstable_by_key(|&term| (taxonomy(term), term));
        terms.dedup();
        let few = terms.chunk_by(|&a, &b| taxonomy(a) == taxonomy(b)).filter(|terms| terms.len() <= MOST_TERMS);
        let few = few.flatten().copied().collect::<Vec<u32>>();
        posts.push((group, if few.len() <= MOST_OF_A_POST { few } else { Vec::new() }));
    }
    posts.sort_by_key(|(group, _)| *group);
    let mut counts = Counts::default();
    for group in posts.chunk_by(|(a, _), (b, _)| a == b).filter(|group| group.len() <= MOST_LANGUAGES) {
        for (i, (_, a)) in group.iter().enumerate() {
            if !group[i + 1..].iter().all(|(_, b)| counts.add(records, a, b)) {
                return;
            }
        }
    }
    let best: Vec<_> = counts.best(records).filter(|(a, b, _)| is_default(*a) == is_default(*b)).collect();
    let (many, once): (Vec<_>, Vec<_>) = best.into_iter().partition(|(.., seen)| seen.count >= PAIRS);
    many.iter().for_each(|&(a, b, _)| _ = pairs.entry((a, b)).or_insert(Guess::Posts));
    let mut known: QuickMap<u16, u32> = QuickMap::default();
    pairs.keys().for_each(|&(a, _)| *known.entry(taxonomy(a)).or_default() += 1);
    for (a, b, _) in once.into_iter().filter(|(.., seen)| seen.alone) {
        if known.get(&taxonomy(a)).is_some_and(|&n| n >= KNOWN) {
            pairs.entry((a, b)).or_insert(Guess::Posts);
        }
    }
}

impl Records {
    /// Terms that have a language and are not in a group with records of other kinds.
    fn free_terms(&self, groups: &Groups) -> impl Iterator<Item = u32> {
        let is_term = |number: u32| self.kind(number) == RecordKind::Term;
        self.numbers().filter(move |&number| {
            is_term(number)
                && !self[number].is_guest()
                && self[number].language() != 0
                && groups.members_of(number).iter().all(|&(_, member)| is_term(member))
        })
    }

    /// The last part of a record's link; empty if the link has a query.
    fn slug(&self, number: u32) -> &str {
        let link = self.link(number);
        if link.contains(['?', '#']) { "" } else { link.trim_end_matches('/').rsplit('/').next().unwrap_or_default() }
    }

    /// A term's slug without the language code at its end. The code may be the one in the term's URL, or its language tag.
    fn without_code<'s>(&self, number: u32, slug: &'s str, key: &UrlKey) -> Option<&'s str> {
        let tag = LanguageTag::parse(self.language_name(self[number].language())?)?;
        let is_code = |code: &str| {
            let stated =
                || LanguageTag::parse(code).filter(|stated| *stated == tag || stated.as_str() == tag.primary());
            candidates(key).any(|(_, place)| place.eq_ignore_ascii_case(code)) || stated().is_some()
        };
        let mut parts = slug.rmatch_indices('-').take(3).filter(|(at, _)| *at > 0);
        parts.find(|(at, _)| is_code(&slug[at + 1..])).map(|(at, _)| &slug[..at])
    }
}
