//! Compares lengths of texts in two languages: which length is expected, and how much a difference costs.

/// The length of a text in each language relative to its English version, in characters other than white space, measured on the
/// Universal Declaration of Human Rights.
const LENGTHS: [(&str, f64); 36] = [
    ("ar", 0.82),
    ("bg", 1.05),
    ("ca", 1.09),
    ("cs", 0.95),
    ("da", 1.0),
    ("de", 1.13),
    ("el", 1.17),
    ("en", 1.0),
    ("es", 1.12),
    ("et", 0.98),
    ("fa", 0.93),
    ("fi", 1.06),
    ("fr", 1.13),
    ("he", 0.75),
    ("hr", 1.0),
    ("hu", 1.06),
    ("id", 1.07),
    ("it", 1.13),
    ("ja", 0.45),
    ("ko", 0.48),
    ("lt", 1.03),
    ("lv", 1.04),
    ("nb", 0.99),
    ("nl", 1.12),
    ("pl", 1.06),
    ("pt", 1.09),
    ("ro", 1.1),
    ("ru", 1.07),
    ("sk", 0.97),
    ("sl", 0.98),
    ("sv", 1.0),
    ("th", 0.95),
    ("tr", 1.03),
    ("uk", 1.03),
    ("vi", 1.06),
    ("zh", 0.32),
];

/// The languages whose scripts do not separate words by blanks.
const WITHOUT_BLANKS: [&str; 8] = ["bo", "dz", "ja", "km", "lo", "my", "th", "zh"];

fn primary(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or_default()
}

/// The expected length of a translation into the second language, relative to the text in the first.
pub(crate) fn built_in_ratio(from: &str, to: &str) -> f64 {
    let of = |tag: &str| LENGTHS.iter().find(|(known, _)| *known == primary(tag)).map_or(1.0, |(_, length)| *length);
    of(to) / of(from)
}

/// Whether words of this language are separated by blanks.
pub(crate) fn has_blanks(tag: &str) -> bool {
    !WITHOUT_BLANKS.contains(&primary(tag))
}

/// The length of a text: its characters other than white space.
pub(super) fn length(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

/// The sums of the first 0, 1, 2 … lengths.
pub(super) fn sums(lengths: impl Iterator<Item = usize>) -> Vec<usize> {
    let sums = lengths.scan(0, |sum, length| {
        *sum += length;
        Some(*sum)
    });
    std::iter::once(0).chain(sums).collect()
}

/// By how many standard deviations two lengths differ; the first is already scaled to the second language. `spread` is the
/// variance per character of a translation, `least` the variance for an empty text.
pub(super) fn misfit(from: f64, to: f64, spread: f64, least: f64) -> f64 {
    (from - to).abs() / (spread * (from + to) / 2.0 + least).sqrt()
}

/// The cost of a misfit: the logarithm of the probability of one at least as large.
pub(super) fn cost(misfit: f64) -> f64 {
    -upper_tail(misfit).max(1e-12).ln()
}

/// The probability of a normal variable that is at least this far from its mean, by
/// [Abramowitz and Stegun 7.1.26](https://personal.math.ubc.ca/~cbm/aands/page_299.htm).
fn upper_tail(deviations: f64) -> f64 {
    let x = deviations / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let sum = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592]
        .into_iter()
        .fold(0.0, |sum, factor| (sum + factor) * t);
    sum * (-x * x).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_those_of_tables() {
        for (deviations, probability) in [(0.0, 1.0), (1.0, 0.3173), (1.96, 0.05), (3.0, 0.0027)] {
            assert!((upper_tail(deviations) - probability).abs() < 1e-4, "{deviations}");
        }
    }

    #[test]
    fn languages_differ_in_length() {
        assert_eq!((built_in_ratio("en-US", "xx"), built_in_ratio("en", "ja-JP")), (1.0, 0.45));
        assert!(has_blanks("uk") && !has_blanks("zh-Hans"));
    }
}
