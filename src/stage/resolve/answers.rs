//! The registry's answers of a site, remembered: of the URLs in texts three quarters come again (two real sites), and to find
//! each anew was a sixth of wp-resolve.

use crate::registry::{Answer, Query, Registry};
use crate::urls::{QuickMap, UrlKey, seed};
use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128_with_seed};

/// Answers that are kept at most: about 300 KB. Then all are forgotten.
const REMEMBERED: usize = 4096;

/// Answers to queries.
#[derive(Default)]
pub(super) struct Answers {
    /// Where the registry is that gave them.
    of: usize,
    known: QuickMap<u128, Answer>,
    key: UrlKey,
}

impl Answers {
    /// As [`Registry::find_url`].
    pub(super) fn find(&mut self, registry: &Registry, asked: &Query<'_>) -> Answer {
        let of = std::ptr::from_ref(registry).addr();
        if self.of != of || self.known.len() == REMEMBERED {
            self.known.clear();
            self.of = of;
        }
        // As with the keys of URLs, no two of 10^7 queries have one hash.
        let of_text = |text: Option<&str>, seed| text.map_or(seed, |text| xxh3_64_with_seed(text.as_bytes(), seed ^ 1));
        let kind = u64::from(asked.image) | u64::from(asked.hint.is_some()) << 1;
        let seed = xxh3_64_with_seed(&asked.hint.unwrap_or(0).to_le_bytes(), seed() ^ kind);
        let seed = of_text(asked.written.filter(|written| *written != asked.url), of_text(asked.language, seed));
        let query = xxh3_128_with_seed(asked.url.as_bytes(), seed);
        *self.known.entry(query).or_insert_with(|| registry.find_url(asked, &mut self.key))
    }
}
