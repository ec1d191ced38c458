//! Caches the registry's answers about URLs: three quarters of the URLs in texts are repeated (on two real sites), and
//! looking each up again took a sixth of wp-resolve's time.

use crate::registry::{Answer, Query, Registry};
use crate::urls::{QuickMap, UrlKey, seed};
use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128_with_seed};

/// The most answers that are cached, about 300 KB. A full cache is emptied.
const REMEMBERED: usize = 4096;

#[derive(Default)]
pub(super) struct Answers {
    /// The address of the registry that gave the answers.
    of: usize,
    known: QuickMap<u128, Answer>,
    key: UrlKey,
}

impl Answers {
    pub(super) fn find(&mut self, registry: &Registry, asked: &Query<'_>) -> Answer {
        let of = std::ptr::from_ref(registry).addr();
        if self.of != of || self.known.len() == REMEMBERED {
            self.known.clear();
            self.of = of;
        }
        // Like the keys of URLs, no two of 10^7 queries share a hash.
        let of_text = |text: Option<&str>, seed| text.map_or(seed, |text| xxh3_64_with_seed(text.as_bytes(), seed ^ 1));
        let has = |is_there, bit: u64| u64::from(is_there) << bit;
        let kind = has(asked.image, 0) | has(asked.hint.is_some(), 1) | has(asked.language.is_some(), 2);
        let kind = kind | u64::from(asked.blog.number()) << 3;
        let seed = xxh3_64_with_seed(&asked.hint.unwrap_or(0).to_le_bytes(), seed() ^ kind);
        let seed = of_text(asked.written.filter(|written| *written != asked.url), of_text(asked.language, seed));
        let query = xxh3_128_with_seed(asked.url.as_bytes(), seed);
        *self.known.entry(query).or_insert_with(|| registry.find_url(asked, &mut self.key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Facts, Register};

    /// Two media records share a file; the language decides between them. The reference as written may itself look
    /// like a language tag.
    #[test]
    fn a_reference_that_reads_like_a_language_is_another_query() {
        let mut register = Register::default();
        for (id, link, language) in [(1, "https://e.org/m1/", "en"), (2, "https://e.org/m2/", "fr")] {
            let facts = Facts {
                kind: Some("media".into()),
                r#type: Some("attachment".into()),
                id: Some(id),
                link: Some(link.into()),
                language: Some(language.into()),
                source_url: Some("https://e.org/fr".into()),
                ..Facts::default()
            };
            register.register(&facts, None);
        }
        let registry = register.locate(Vec::new()).group(Vec::new());
        let plain = Query { url: "https://e.org/fr", image: true, ..Query::default() };
        let queries = [Query { written: Some("fr"), ..plain }, Query { language: Some("fr"), ..plain }];
        let mut answers = Answers::default();
        let anew = |asked: &Query<'_>| registry.find_url(asked, &mut UrlKey::default());
        assert_ne!(anew(&queries[0]).target, anew(&queries[1]).target);
        for asked in &queries {
            assert_eq!(answers.find(&registry, asked), anew(asked));
        }
    }
}
