//! Decides which records to leave out of a dataset: users and comments are personal data, and not everyone may keep or share them;
//! copies show words in a language other than the one of their place on the site. The formats write the rest.

use crate::export::dataset::envelope::{Envelope, Enveloped, Own};
use crate::export::dataset::names;
use crate::export::dataset::tally::Tally;
use crate::ndjson::Line;
use crate::report::Notes;

/// The names in `--without`: files by their stem (`users`, `comments`, `genre-terms`) or types (`user`, `product`); and whether
/// copies are left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    without: Vec<String>,
    without_copies: bool,
}

/// The name of the count of records that are left out as copies.
const COPIES: &str = "copies_left_out";

impl Selection {
    /// Leaves out the records that `without` names.
    pub(crate) fn new(without: &[String]) -> Self {
        let (copies, without): (Vec<_>, Vec<_>) = without.iter().cloned().partition(|name| name == "copies");
        Selection { without, without_copies: !copies.is_empty() }
    }

    /// Whether to leave out a copy although other records of its type are kept; `source` is its `copy_source`.
    pub(crate) fn leaves_out_copy(&self, source: Option<&str>) -> bool {
        self.without_copies && source.is_some_and(|source| !source.is_empty())
    }

    /// Whether to leave out a record, which is then counted.
    pub(crate) fn leave_out(&self, record: &Envelope<'_>, tally: &mut Tally) -> bool {
        let (kind, r#type) = record.filed();
        let by_name = self.leaves_out(kind, r#type);
        let as_copy = !by_name && self.leaves_out_copy(record.copy_source.as_deref());
        if by_name || as_copy {
            tally.leave_out(kind, r#type);
        }
        if as_copy {
            tally.count(COPIES, 1);
        }
        by_name || as_copy
    }

    /// Whether records of this type are left out.
    pub(crate) fn leaves_out(&self, kind: &str, r#type: &str) -> bool {
        !self.without.is_empty() && {
            let stem = names::stem(kind, r#type);
            self.without.iter().any(|name| *name == stem || name == r#type || is_file_of(name, r#type))
        }
    }

    /// Reads the record of a line, if it is to be written. Counts records that are left out, and rejects lines that are not records.
    pub(crate) fn admit<'a, T: Own<'a>>(
        &self,
        line: Line<'a>,
        tally: &mut Tally,
        notes: &mut Notes,
    ) -> Option<Enveloped<'a, T>> {
        let (envelope, own) = line.or_reject(Envelope::with::<T>(line.bytes), notes)?;
        if self.leave_out(&envelope, tally) {
            return None;
        }
        let (kind, r#type) = envelope.filed();
        if !T::is_of(kind) {
            tally.leave_out(kind, r#type);
            return None;
        }
        let own = own.map_err(|(what, column)| (format!("not the shape of a {}: {what}", T::NAME), column));
        line.or_reject(own, notes).map(|own| Enveloped { envelope, own })
    }

    /// The names in `--without` that matched no record and are not standard ones: most likely misspelt.
    pub(crate) fn unknown<'a>(&'a self, tally: &Tally) -> Vec<&'a str> {
        let left_out = tally.left_out.sorted();
        let known = |name: &str| {
            let is_of = |kind: &str, r#type: &str| name == r#type || name == names::stem(kind, r#type);
            left_out.iter().any(|c| is_of(&c.kind, &c.r#type))
                || matches!(name, "html" | "changes" | "alignment" | "alignments")
                || names::STANDARD.iter().any(|(kind, r#type, _)| is_of(kind, r#type))
        };
        self.without.iter().map(String::as_str).filter(|name| !known(name)).collect()
    }

    /// An unknown name, and its most likely meaning: users or comments, which may not be shared, or a type in the dataset.
    pub(crate) fn misspelt<'a>(&'a self, tally: &Tally) -> Option<(&'a str, String)> {
        let there = tally.records.sorted().into_iter().flat_map(|c| [names::stem(&c.kind, &c.r#type), c.r#type]);
        let personal = ["users", "user", "comments", "comment"].map(str::to_owned);
        let candidates: Vec<String> = personal.into_iter().chain(there).collect();
        let is_written = |kind: &str| tally.records.sorted().iter().any(|c| c.kind == kind);
        self.unknown(tally).into_iter().find_map(|name| {
            let people = PEOPLE.iter().find(|(other, _)| *other == name).map(|(_, kind)| *kind);
            if let Some(kind) = people.filter(|kind| is_written(kind)) {
                return Some((name, format!("{kind}s")));
            }
            let distance = |other: &String| strsim::osa_distance(name, other);
            let nearest = candidates.iter().min_by_key(|other| distance(other))?;
            // One letter in four may be wrong.
            (distance(nearest) * 4 <= nearest.chars().count()).then(|| (name, nearest.clone()))
        })
    }
}

/// Other words for users and commenters.
const PEOPLE: [(&str, &str); 7] = [
    ("author", "user"),
    ("authors", "user"),
    ("member", "user"),
    ("members", "user"),
    ("people", "user"),
    ("persons", "user"),
    ("commenters", "comment"),
];

/// Whether the file of this name would hold records of this type under any kind: leaving out comments also leaves out changes of
/// comments, and comments so damaged that they pass for posts.
fn is_file_of(name: &str, r#type: &str) -> bool {
    ["post", "term", "media", "user", "comment"].iter().any(|kind| names::stem(kind, r#type) == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_go_with_what_has_changed() {
        let selection = Selection::new(&["users".into(), "genre-terms".into()]);
        let left_out = |r#type| selection.leaves_out("change", r#type);
        assert!(left_out("user") && left_out("genre") && !left_out("post") && !left_out("comment"));
        assert!(Selection::new(&["changes".into()]).leaves_out("change", "post"));
    }

    #[test]
    fn files_and_types_can_be_named() {
        let selection = Selection::new(&["users".into(), "comment".into(), "genre-terms".into()]);
        assert!(selection.leaves_out("user", "user"));
        assert!(selection.leaves_out("comment", "comment"));
        assert!(selection.leaves_out("post", "comment"), "so damaged that it passes for a post");
        assert!(selection.leaves_out("term", "genre"));
        assert!(!selection.leaves_out("post", "post"));
    }

    #[test]
    fn a_misspelt_name_is_noticed() {
        let selection = Selection::new(&["usrs".into(), "comments".into()]);
        assert_eq!(selection.unknown(&Tally::default()), ["usrs"]);
        let misspelt =
            |name: &str, tally: &Tally| Selection::new(&[name.into()]).misspelt(tally).map(|(_, meant)| meant);
        let mut tally = Tally::default();
        for (name, meant) in
            [("usrs", "users"), ("usr", "user"), ("coments", "comments"), ("commnets", "comments"), ("Users", "users")]
        {
            assert_eq!(misspelt(name, &tally).as_deref(), Some(meant));
        }
        assert_eq!(["products", "product", "fred", "us"].map(|name| misspelt(name, &tally)), [const { None }; 4]);
        tally.records.add("post", "product", 1);
        assert_eq!(misspelt("prodct", &tally).as_deref(), Some("product"));
    }
}
