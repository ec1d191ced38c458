//! Computes sketches, which show in 64 bytes whether two texts have nearly the same words.

use super::words::{each_word, mixed};
use super::{Least, agreeing};

/// The number of places of a sketch, one byte each.
const PLACES: usize = 64;
/// Texts that share at least this part of their words are copies, measured as the Jaccard index of their sets of words. If two texts of
/// equal length have a part `w` of their words in common, it is `w / (2 - w)`: .5 for two thirds of the words, .74 for 85 %. The estimate
/// from 64 places has a standard deviation of .055 there: one in 100,000 copies with 85 % of the words is missed, and less than one in
/// 10^15 translations that share a quarter of their words (.14: names, numbers, code) is mistaken for a copy.
const COPY: f64 = 0.5;
/// The fewest places with a word of a text that is not short. Short texts differ more by chance.
const SHORT: usize = 16;
/// Short texts that share at least this part of their words are copies: they must have almost all words in common.
const SHORT_COPY: f64 = 0.8;

/// A summary of the words of a text. Each place represents a 64th of all possible words, and has one byte for the smallest hash among the
/// text's words in it, or 0 if there are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sketch {
    places: [u8; PLACES],
}

impl Sketch {
    /// The sketch of JSON strings; `None` without words.
    pub(crate) fn of<'t>(texts: impl Iterator<Item = &'t [u8]>) -> Option<Self> {
        // The rank of a word within its place, and its byte.
        let mut least = Least::<(u32, u8), PLACES>::new((u32::MAX, 0));
        for text in texts.filter(|text| text.starts_with(b"\"")) {
            each_word(text, |hash| {
                let h = mixed(hash);
                least.take((h >> 58) as usize, ((h >> 8) as u32, (h % 255) as u8 + 1));
            });
        }
        let places = least.0.map(|(rank, byte)| if rank == u32::MAX { 0 } else { byte });
        (places != [0; PLACES]).then_some(Sketch { places })
    }

    /// Returns it in the form of a registry file.
    pub(crate) fn to_text(self) -> String {
        self.places.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut places = [0; PLACES];
        for (at, place) in places.iter_mut().enumerate() {
            *place = u8::from_str_radix(text.get(at * 2..at * 2 + 2)?, 16).ok()?;
        }
        Some(Sketch { places })
    }

    /// Whether there are enough words that two texts are not similar by chance.
    pub(crate) fn is_long(&self) -> bool {
        self.places.iter().filter(|place| **place != 0).count() >= SHORT
    }

    /// Returns parts of the sketch, by which similar texts are found among many: one in 10,000 copies with 70 % of the words in common
    /// shares none of them.
    pub(crate) fn bands(&self) -> impl Iterator<Item = &[u8]> {
        self.places.chunks_exact(3)
    }

    /// The number of places in which two texts agree.
    pub(crate) fn agreement(&self, other: &Sketch) -> usize {
        agreeing(&self.places, &other.places)
    }

    /// Whether the sketches of two texts are equal.
    pub(crate) fn is_same(&self, other: &Sketch) -> bool {
        self.places == other.places
    }

    /// Whether two texts have nearly the same words.
    pub(crate) fn is_copy_of(&self, other: &Sketch) -> bool {
        let empty = self.places.iter().zip(&other.places).filter(|(a, b)| **a == 0 && **b == 0).count();
        let (all, common) = (PLACES - empty, agreeing(&self.places, &other.places) - empty);
        // One in 255 places agrees by chance.
        let share = common as f64 / all.max(1) as f64;
        share >= if all < SHORT { SHORT_COPY } else { COPY }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(text: &str) -> Sketch {
        let json = serde_json::to_string(text).unwrap();
        Sketch::of(std::iter::once(json.as_bytes())).unwrap()
    }

    /// `count` words, all different from those of other seeds.
    fn words(seed: usize, count: usize) -> Vec<String> {
        (0..count).map(|n| format!("w{seed}x{n}")).collect()
    }

    /// The share of copies that are recognised, of 200 texts of `length` words that have the part `common` in both versions.
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
            // The threshold is at two thirds.
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
            Sketch::of(std::iter::once(br#""He said Don t it s 5 long Caf\u00e9 a table of cells""#.as_slice())),
            Some(plain)
        );
        assert!(sketch("これは日本語の文章です。").is_copy_of(&sketch("これは、日本語の文章です")));
        assert!(!sketch("これは日本語の文章です。").is_copy_of(&sketch("这是一个中文的句子。")));
        assert_eq!(Sketch::of(std::iter::once(b"\"- \\n \\u0020\"".as_slice())), None);
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
        let words = sketch("only in German");
        assert_eq!(Sketch::parse(&words.to_text()), Some(words));
        assert_eq!(Sketch::parse("zz"), None);
    }
}
