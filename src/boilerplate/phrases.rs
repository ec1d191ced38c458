//! Recognises short texts that are boilerplate or head a section of it: `Read more`.

use std::collections::HashMap;

/// The meaning of a short text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Says {
    /// It is boilerplate itself.
    Notice,
    /// It heads a section of boilerplate, unless an author wrote it.
    Reading,
    /// It heads a section of boilerplate.
    Section,
    /// It is boilerplate itself, unless an author wrote it.
    Line,
}

/// Whole texts and beginnings of texts, with their meanings.
pub(super) struct Phrases {
    whole: HashMap<String, Says>,
    /// For each first byte, a bit for each length of a whole text.
    lengths: [u128; 256],
    /// The beginnings of texts, in buckets by their first two bytes.
    starts: Vec<Vec<(String, Says)>>,
}

impl Phrases {
    /// Indexes the phrases. If a text has several meanings, the first one in the order of [`Says`] counts.
    pub(super) fn new(phrases: impl Iterator<Item = (String, Says)>) -> Self {
        let (mut whole, mut lengths) = (HashMap::new(), [0; 256]);
        let mut starts = vec![Vec::new(); STARTS];
        for (phrase, says) in phrases {
            match phrase.strip_suffix('*') {
                Some(start) => starts[place_of_start(start.as_bytes())].push((start.to_owned(), says)),
                None => {
                    lengths[usize::from(phrase.as_bytes()[0])] |= length_bit(&phrase);
                    whole.entry(phrase).or_insert(says);
                }
            }
        }
        Phrases { whole, lengths, starts }
    }

    /// Whether an ASCII text may be known, by its first letter and its length.
    fn may_say(&self, text: &str) -> bool {
        let Some(first) = text.as_bytes().first() else { return false };
        let begins = |start: &str| text.get(..start.len()).is_some_and(|s| s.eq_ignore_ascii_case(start));
        self.lengths[usize::from(first.to_ascii_lowercase())] & length_bit(text) != 0
            || self.starts[place_of_start(text.as_bytes())].iter().any(|(start, _)| begins(start))
    }

    /// The meaning of a text without signs at its ends.
    pub(super) fn says(&self, text: &str) -> Option<Says> {
        // most texts are unknown
        if text.is_ascii() && !self.may_say(text) {
            return None;
        }
        let text = in_lower_case(text);
        let text = text.as_str();
        let starts = &self.starts[place_of_start(text.as_bytes())];
        let by_start = starts.iter().filter(|(start, _)| text.starts_with(start.as_str())).map(|(_, says)| *says);
        by_start.chain(self.whole.get(text).copied()).min()
    }
}

/// The number of buckets for beginnings, by their first two bytes.
const STARTS: usize = 1024;

fn place_of_start(text: &[u8]) -> usize {
    let byte = |at: usize| text.get(at).map_or(0, |byte| usize::from(byte.to_ascii_lowercase()));
    (byte(0) * 31 + byte(1)) % STARTS
}

/// The bit for texts of this length; all from 127 bytes on share one.
fn length_bit(text: &str) -> u128 {
    1 << text.len().min(127)
}

/// Lowercases a text and straightens its apostrophes, as in the table of phrases.
fn in_lower_case(text: &str) -> String {
    match text.is_ascii() {
        true => text.to_ascii_lowercase(),
        false => text.chars().map(|c| if c == '’' { '\'' } else { c }).flat_map(char::to_lowercase).collect(),
    }
}
