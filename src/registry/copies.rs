//! Copies: records that show the words of another one under another language's URL, as plugins do where a translation is
//! missing. They are told by the words of title and text, of which a [`Sketch`] is kept; the groups leave them out.
//!
//! To read all words took a third of wp-resolve, and few records are ever compared: when all are registered, the registry names
//! those whose words it needs ([`Registry::of_shared_ids`], [`Registry::of_doubtful_translations`]).
//!
//! Compared are records of one id, of which the first is the original, and translations in the same language or without
//! one. Two records with ids of their own in two declared languages are never compared: `en-US` and `en-GB` are true pairs.

use super::groups::Edge;
use super::words::{each_word, mixed};
use super::{Kind, LANGUAGES, NO_ID, QuickSet, Registry};
use memchr::memmem;

/// Places of a sketch: one byte each.
const PLACES: usize = 64;
/// From this share of common words on, two texts are copies: the Jaccard index of their sets of words. If a part `w` of the
/// words of two texts of one length is common, it is `w / (2 - w)`: .5 for two thirds of the words, .74 for 85 %. The
/// estimate from 64 places has a standard deviation of .055 there: of copies with 85 % of the words one in 100,000 is
/// missed, of translations that share a quarter of their words (.14: names, numbers, code) none in 10^15 is refused.
const COPY: f64 = 0.5;
/// Texts of fewer words differ by chance in more: almost all must be common.
const SHORT: usize = 16;
const SHORT_COPY: f64 = 0.8;
/// Records of one id at most that are compared.
const MOST_OF_AN_ID: usize = 250;
/// The class of qTranslate's and its successors' note that a text is only available in other languages.
const NOTICE: &[u8] = b"available-languages-message";

/// What the words of a text leave: for each 64th of all words the smallest hash of those it has, as a byte; 0: none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sketch {
    places: [u8; PLACES],
    /// Whether a plugin's notice says that this is not a translation.
    is_notice: bool,
}

impl Sketch {
    /// The sketch of JSON strings; none without words. `html` is searched for a notice.
    pub(crate) fn of<'t>(texts: impl Iterator<Item = &'t [u8]>, html: &[u8]) -> Option<Self> {
        let mut words = Words::default();
        for text in texts.filter(|text| text.starts_with(b"\"")) {
            each_word(text, |hash| words.add(hash));
        }
        let place = |&(rank, byte): &(u32, u8)| if rank == u32::MAX { 0 } else { byte };
        let mut places = [0; PLACES];
        places.iter_mut().zip(&words.least).for_each(|(to, least)| *to = place(least));
        let is_notice = has_notice(html);
        (is_notice || places != [0; PLACES]).then_some(Sketch { places, is_notice })
    }

    /// As in a registry file.
    pub(crate) fn to_text(self) -> String {
        let notice = if self.is_notice { "!" } else { "" };
        self.places.iter().fold(notice.to_owned(), |text, byte| text + &format!("{byte:02x}"))
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let hex = text.strip_prefix('!');
        let (is_notice, hex) = (hex.is_some(), hex.unwrap_or(text));
        let mut places = [0; PLACES];
        for (at, place) in places.iter_mut().enumerate() {
            *place = u8::from_str_radix(hex.get(at * 2..at * 2 + 2)?, 16).ok()?;
        }
        Some(Sketch { places, is_notice })
    }

    /// Whether two texts have the same words but for some.
    fn is_copy_of(&self, other: &Sketch) -> bool {
        let both = || self.places.iter().zip(&other.places).filter(|(a, b)| **a != 0 || **b != 0);
        let (all, common) = (both().count(), both().filter(|(a, b)| a == b).count());
        // One in 255 places agrees by chance.
        let share = common as f64 / all.max(1) as f64;
        share >= if all < SHORT { SHORT_COPY } else { COPY }
    }
}

/// Whether HTML has a plugin's note that this is not a translation.
pub(crate) fn has_notice(html: &[u8]) -> bool {
    memmem::find(html, NOTICE).is_some()
}

/// The least hash of a word in each place, and its byte.
struct Words {
    least: [(u32, u8); PLACES],
}

impl Default for Words {
    fn default() -> Self {
        Words { least: [(u32::MAX, 0); PLACES] }
    }
}

impl Words {
    fn add(&mut self, hash: u64) {
        let h = mixed(hash);
        let least = &mut self.least[(h >> 58) as usize];
        let rank = (h >> 8) as u32;
        if rank < least.0 {
            *least = (rank, (h % 255) as u8 + 1);
        }
    }
}

impl Registry {
    fn sketch(&self, record: u32) -> Option<&Sketch> {
        let at = self.sketches.binary_search_by_key(&record, |(number, _)| *number).ok()?;
        Some(&self.sketches[at].1)
    }

    /// Whether its words are known, or it has none.
    fn is_sketched(&self, record: u32) -> bool {
        !matches!(self.kind(record), Kind::Post | Kind::Html | Kind::Term) || self.sketch(record).is_some()
    }

    /// Adds the words of records; of those that are given twice the first.
    pub(crate) fn add_words(&mut self, words: Vec<(u32, Sketch)>) {
        self.sketches.extend(words);
        self.sketches.sort_by_key(|&(number, _)| number);
        self.sketches.dedup_by_key(|&mut (number, _)| number);
    }

    /// The records of ids that others have as well, without those whose words are known.
    pub(crate) fn of_shared_ids(&self) -> Vec<u32> {
        if !self.shares_ids {
            return Vec::new();
        }
        let numbers = 0..self.records.len() as u32;
        let key = |&number: &u32| (self.kind(number).space(), self.records[number as usize].id());
        let mut by_id: Vec<u32> = numbers.filter(|number| key(number).1 != NO_ID).collect();
        by_id.sort_by_key(key);
        let shared = by_id.chunk_by(|a, b| key(a) == key(b)).filter(|same| same.len() > 1).flatten();
        let mut wanted: Vec<u32> = shared.copied().filter(|&number| !self.is_sketched(number)).collect();
        wanted.sort_unstable();
        wanted
    }

    /// The records of which nothing but their words tells whether they are translations, and those that may be in a group with them,
    /// without those whose words are known. Languages must be known, but those that others state.
    pub(super) fn of_doubtful_translations(&self) -> Vec<u32> {
        let pair = |edge: &Edge| {
            let shortlink = self.shortlinks.get(&edge.hash());
            let to = self.resolve(edge, shortlink.map(|url| &**url))?.0;
            (to != edge.from).then_some((edge.from, to))
        };
        let pairs: Vec<(u32, u32)> = self.edges.iter().filter_map(pair).collect();
        let doubtful = || pairs.iter().filter(|(from, to)| self.may_be_one_language(*from, *to));
        if !self.has_repeated && doubtful().next().is_none() {
            return Vec::new();
        }
        let mut forest: Vec<u32> = (0..self.records.len() as u32).collect();
        for &(from, to) in &pairs {
            let (from, to) = (root(&mut forest, from), root(&mut forest, to));
            forest[from as usize] = to;
        }
        let groups: QuickSet<u32> = doubtful().map(|&(from, _)| root(&mut forest, from)).collect();
        let is_wanted = |number: &u32| self.has_repeated || groups.contains(&root(&mut forest, *number));
        let wanted = (0..self.records.len() as u32).filter(is_wanted);
        wanted.filter(|&number| !self.is_sketched(number)).collect()
    }

    /// Finds the copies among the records of each id: they are those of the first that they are like, whose language they
    /// get. 16 bytes a record meanwhile.
    pub(super) fn find_copies(&mut self) {
        let mut by_id: Vec<(u8, i64, u32)> = Vec::new();
        for &(number, sketch) in &self.sketches {
            let id = self.records[number as usize].id();
            if sketch.is_notice {
                self.copies.insert(number, false);
            }
            if self.shares_ids && id != NO_ID {
                by_id.push((self.kind(number).space(), id, number));
            }
        }
        let order = |n: u32| (self.kind(n), self.link(n).len());
        by_id.sort_unstable_by(|a, b| {
            let by_id = (a.0, a.1).cmp(&(b.0, b.1));
            by_id.then_with(|| order(a.2).cmp(&order(b.2))).then_with(|| self.compare(a.2, b.2))
        });
        let same_id = by_id.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).filter(|same| same.len() > 1);
        for same in same_id {
            let same = &same[..same.len().min(MOST_OF_AN_ID)];
            for (at, &(_, _, number)) in same.iter().enumerate().skip(1) {
                let original = same[..at]
                    .iter()
                    .map(|&(_, _, other)| other)
                    .find(|&other| !self.copies.contains_key(&other) && self.has_words_of(number, other));
                if let Some(original) = original {
                    let language = self.records[original as usize].language();
                    let record = &mut self.records[number as usize];
                    self.copies.insert(number, language != 0);
                    if language != 0 {
                        record.language = record.language & !LANGUAGES | language;
                    }
                }
            }
        }
    }

    /// Whether two records have the same words; terms must have the very same.
    fn has_words_of(&self, a: u32, b: u32) -> bool {
        let Some((x, y)) = self.sketch(a).zip(self.sketch(b)) else { return false };
        if self.kind(a) == Kind::Term { x.places == y.places } else { x.is_copy_of(y) }
    }

    /// Whether `to` is not a translation of `from`, because one of them is a copy, or because nothing but its words could
    /// tell them apart.
    pub(super) fn is_copy(&self, from: u32, to: u32) -> bool {
        if self.copies.contains_key(&from) || self.copies.contains_key(&to) {
            return true;
        }
        // A few words are the same in many places.
        let is_long = |record| {
            self.sketch(record).is_some_and(|sketch| sketch.places.iter().filter(|p| **p != 0).count() >= SHORT)
        };
        self.may_be_one_language(from, to) && is_long(from) && self.has_words_of(from, to)
    }

    fn may_be_one_language(&self, a: u32, b: u32) -> bool {
        let [a, b] = [a, b].map(|record| self.records[record as usize].firm_language());
        a == b || a == 0 || b == 0
    }
}

/// The one of its tree by which a record's is known; the way there becomes shorter.
fn root(forest: &mut [u32], mut record: u32) -> u32 {
    while forest[record as usize] != record {
        forest[record as usize] = forest[forest[record as usize] as usize];
        record = forest[record as usize];
    }
    record
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(text: &str) -> Sketch {
        let json = serde_json::to_string(text).unwrap();
        Sketch::of(std::iter::once(json.as_bytes()), b"").unwrap()
    }

    /// `count` words that no other `seed` has.
    fn words(seed: usize, count: usize) -> Vec<String> {
        (0..count).map(|n| format!("w{seed}x{n}")).collect()
    }

    /// The share of copies recognised among 200 texts of `length` words, of which the part `common` is in both.
    fn recognised(length: usize, common: f64) -> usize {
        let kept = (length as f64 * common).round() as usize;
        let copies = (0..200).filter(|&seed| {
            let original = words(seed, length);
            let changed = [&original[..kept], &words(seed + 5000, length - kept)].concat();
            sketch(&original.join(" ")).is_copy_of(&sketch(&changed.join(" ")))
        });
        copies.count()
    }

    #[test]
    fn copies_are_told_from_translations_by_the_words_they_share() {
        for length in [40, 100, 400] {
            for common in [0.85, 0.9, 0.95, 0.99, 1.0] {
                assert!(recognised(length, common) >= 198, "{common} of {length} words");
            }
            // Two thirds are the threshold.
            assert!((40..160).contains(&recognised(length, 0.667)), "{length} words");
            for common in [0.0, 0.1, 0.25, 0.4] {
                assert!(recognised(length, common) <= 1, "{common} of {length} words");
            }
        }
    }

    #[test]
    fn typography_does_not_matter() {
        let plain = sketch("He said: \"Don't - it's 5'' long...\" Caf\u{e9}\nA table\tof cells");
        assert_eq!(
            sketch(
                "He said: \u{ab} Don\u{2019}t \u{2013} it\u{2019}s 5\u{2033} long\u{2026} \u{bb} CAF\u{c9}\tA table of cells"
            ),
            plain
        );
        assert_eq!(
            Sketch::of(std::iter::once(br#""He said Don t it s 5 long Caf\u00e9 a table of cells""#.as_slice()), b""),
            Some(plain)
        );
        assert!(sketch("これは日本語の文章です。").is_copy_of(&sketch("これは、日本語の文章です")));
        assert!(!sketch("これは日本語の文章です。").is_copy_of(&sketch("这是一个中文的句子。")));
        assert_eq!(Sketch::of(std::iter::once(b"\"- \\n \\u0020\"".as_slice()), b""), None);
    }

    #[test]
    fn short_texts_must_have_almost_all_words_in_common() {
        assert!(
            sketch("Contact us: Hafenstr. 7, 10115 Berlin")
                .is_copy_of(&sketch("Contact us: Hafenstr. 7, 10115 Berlin!"))
        );
        assert!(
            !sketch("Contact us: Hafenstr. 7, 10115 Berlin")
                .is_copy_of(&sketch("Schreiben Sie uns: Hafenstr. 7, 10115 Berlin"))
        );
    }

    #[test]
    fn a_registry_file_keeps_the_sketch() {
        let notice = Sketch::of(
            std::iter::once(b"\"only in German\"".as_slice()),
            b"<p class=\\\"qtranxs-available-languages-message\\\">",
        );
        assert!(notice.unwrap().is_notice);
        assert_eq!(Sketch::parse(&notice.unwrap().to_text()), notice);
        assert_eq!(Sketch::parse("zz"), None);
    }
}
