//! How often a content from a page is wrong, as it was measured of others that were taken from such pages in such a way (`doubt.toml`).

use serde::Deserialize;
use std::sync::LazyLock;

/// The kind of a page whose content is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageKind {
    /// The front page of a site.
    Front,
    /// A single post of any type but `page`, by the class of its body.
    Post,
    /// Any other page.
    Other,
}

/// The table of doubts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Doubts {
    /// The fewest texts that are many.
    many: usize,
    /// The least share of the letters in a place that is much, if it is dropped.
    much: f64,
    front: Row,
    post: Row,
    other: Row,
}

/// The shares that were wrong on one kind of pages: of contents from which little was dropped, and of those from which much was.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    few: [f64; 2],
    many: [f64; 2],
}

impl Doubts {
    /// The built-in table.
    pub(super) fn builtin() -> &'static Doubts {
        static BUILTIN: LazyLock<Doubts> =
            LazyLock::new(|| toml::from_str(include_str!("doubt.toml")).expect("the tests read this table"));
        &BUILTIN
    }

    /// The share of contents that were wrong, from 0 to 1, of those from such pages with so many texts, if this share of the letters in their
    /// place was dropped.
    pub(super) fn of(&self, kind: PageKind, texts: usize, dropped: f64) -> f64 {
        let row = match kind {
            PageKind::Front => &self.front,
            PageKind::Post => &self.post,
            PageKind::Other => &self.other,
        };
        let row = if texts >= self.many { row.many } else { row.few };
        row[usize::from(dropped >= self.much)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_doubt_is_that_of_the_row_and_what_drops_more_is_never_doubted_less() {
        let table = Doubts::builtin();
        for (kind, row) in
            [(PageKind::Front, &table.front), (PageKind::Post, &table.post), (PageKind::Other, &table.other)]
        {
            for (texts, [little, much]) in [(table.many - 1, row.few), (table.many, row.many)] {
                let of = |dropped| table.of(kind, texts, dropped);
                assert_eq!(
                    [of(0.0), of(table.much - 0.01), of(table.much), of(1.0)],
                    [little, little, much, much],
                    "{kind:?}"
                );
                assert!(0.0 < little && little <= much && much < 1.0, "{kind:?} {little} {much}");
            }
        }
    }
}
