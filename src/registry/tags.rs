//! Unites two tags for the same language: a theme writes `es`, a plugin `es-ES`, and the site has no other Spanish.

use super::record::HOME;
use super::records::Records;
use super::statements::{Edge, Statements};
use super::votes::Votes;

/// Unites two languages if one is the other without its region, no record declares another region of it, the site does not have separate
/// places for the two, and no record in one is a translation of a record in the other. The tag that more records declare remains.
pub(super) fn unite_tags(records: &mut Records, votes: &mut Votes, statements: &mut Statements) {
    for (bare, full) in tags_of_one_language(records, votes) {
        let declared = |language| votes.declared(language);
        let (few, many) = if declared(bare) > declared(full) { (full, bare) } else { (bare, full) };
        if (declared(few) == 0 || !votes.separates(bare, full)) && !translates(records, statements, bare, full) {
            records.rename_language(few, many);
            statements.edges.iter_mut().filter(|edge| edge.language == few).for_each(|edge| edge.language = many);
            votes.unite(few, many);
        }
    }
}

/// The numbers of languages without a region that occur with exactly one region, each with the number of the language with that region. A
/// region that only stated translations name does not count: their language is merely given to their targets.
fn tags_of_one_language(records: &Records, votes: &Votes) -> Vec<(u16, u16)> {
    let bare = records.languages().filter(|(tag, _)| !tag.contains('-'));
    let with_region = bare.filter_map(|(tag, number)| {
        let is_longer = |other: &str| other.strip_prefix(tag).is_some_and(|rest| rest.starts_with('-'));
        let mut longer = records.languages().filter(|(other, number)| is_longer(other) && votes.declared(*number) > 0);
        let (full, found) = longer.next()?;
        let region = &full[tag.len() + 1..];
        // Not sr-Latn or de-DE-formal: those may be versions of one text.
        let is_region = region.len() == 2 || region.len() == 3 && region.bytes().all(|b| b.is_ascii_digit());
        (longer.next().is_none() && is_region).then_some((number, found))
    });
    with_region.collect()
}

/// Whether a record in one of two languages states a translation in the other.
fn translates(records: &Records, statements: &Statements, a: u16, b: u16) -> bool {
    let language = |record: u32| records[record].language();
    let is_other = |edge: &Edge| {
        let own = language(edge.from);
        (own == a || own == b)
            && !records[edge.from].is_guest()
            && records.stated(edge).flatten().is_some_and(|(to, _)| {
                let other = language(to);
                other != own
                    && (other == a || other == b)
                    && records[to].language & HOME == 0
                    && !records[to].is_guest()
                    && records[to].id() != records[edge.from].id()
            })
    };
    statements.edges.iter().any(is_other)
}
