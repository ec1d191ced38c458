//! Sketches show in 64 bytes whether two texts have the same words but for some.

use super::words::{each_word, mixed};
use super::{Least, agreeing};

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

/// What the words of a text leave: for each 64th of all words the smallest hash of those it has, as a byte; 0: none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sketch {
    places: [u8; PLACES],
}

impl Sketch {
    /// The sketch of JSON strings; none without words.
    pub(crate) fn of<'t>(texts: impl Iterator<Item = &'t [u8]>) -> Option<Self> {
        // The rank of a word among those of its place, and its byte.
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

    /// As in a registry file.
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

    /// Whether there are so many words that chance does not make two texts alike.
    pub(crate) fn is_long(&self) -> bool {
        self.places.iter().filter(|place| **place != 0).count() >= SHORT
    }

    /// Parts of it, by which texts that are alike are found among many: of copies with 70 % of the words in common one in 10,000 shares none.
    pub(crate) fn bands(&self) -> impl Iterator<Item = &[u8]> {
        self.places.chunks_exact(3)
    }

    /// In how many places two texts agree.
    pub(crate) fn agreement(&self, other: &Sketch) -> usize {
        agreeing(&self.places, &other.places)
    }

    /// Whether two texts have the very same words.
    pub(crate) fn is_same(&self, other: &Sketch) -> bool {
        self.places == other.places
    }

    /// Whether two texts have the same words but for some.
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
