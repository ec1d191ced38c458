//! Estimates how likely the content taken from a page is wrong: the share of wrong contents among comparable pages, as measured
//! (`doubt.toml`).

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
    /// A content with at least this many texts has many.
    many: usize,
    /// If at least this share of the letters in the content's place is dropped, from 0 to 1, much is dropped.
    much: f64,
    front: Row,
    post: Row,
    other: Row,
}

/// The shares of wrong contents on pages of one kind: first where little was dropped, then where much was.
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

    /// The measured share of wrong contents, from 0 to 1, on pages of this kind: of contents with as few or as many texts, and with as
    /// little or as much of the letters in their place dropped.
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
