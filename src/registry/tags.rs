//! Languages with two tags: a theme writes `es`, a plugin `es-ES`, and the site has no other Spanish.

use super::record::{HOME, LANGUAGES};
use super::{RecordNumber, Registry};

impl Registry {
    /// Makes one of two languages of which one is the other without its region, if no record declares another region of it, no
    /// place of the site has the one and another place the other, and no record of the one is a translation of a record of
    /// the other. The one that more records declare remains.
    pub(super) fn unite_tags(&mut self) {
        for (bare, full) in self.tags_of_one_language() {
            let declared = |language| self.places.declared(language);
            let (few, many) = if declared(bare) > declared(full) { (full, bare) } else { (bare, full) };
            if (declared(few) == 0 || !self.places.separates(bare, full)) && !self.translates(bare, full) {
                self.unite(few, many);
            }
        }
    }

    /// The numbers of the languages without a region that have one region alone, and of that. What a translation states
    /// becomes the language of its target, and is no evidence of a region.
    fn tags_of_one_language(&self) -> Vec<(u16, u16)> {
        let numbered = || self.languages.iter().zip(1u16..);
        let bare = numbered().filter(|(tag, _)| !tag.contains('-'));
        let with_region = bare.filter_map(|(tag, number)| {
            let is_longer = |other: &str| other.strip_prefix(&**tag).is_some_and(|rest| rest.starts_with('-'));
            let mut longer = numbered().filter(|(other, number)| is_longer(other) && self.places.declared(*number) > 0);
            let (full, found) = longer.next()?;
            let region = &full[tag.len() + 1..];
            // Not sr-Latn, nor de-DE-formal: those may be versions of one text.
            let is_region = region.len() == 2 || region.len() == 3 && region.bytes().all(|b| b.is_ascii_digit());
            (longer.next().is_none() && is_region).then_some((number, found))
        });
        with_region.collect()
    }

    /// Whether a record in one of two languages states a translation in the other.
    fn translates(&self, a: u16, b: u16) -> bool {
        let language = |record: u32| self.records[record as usize].language();
        let may_be_home = |record: u32| self.records[record as usize].language & HOME != 0;
        self.edges.iter().any(|edge| {
            let own = language(edge.from);
            (own == a || own == b)
                && self.resolve(edge, None).is_some_and(|(to, _)| {
                    let other = language(to);
                    other != own
                        && (other == a || other == b)
                        && !may_be_home(to)
                        && self.records[to as usize].id() != self.records[edge.from as usize].id()
                })
        })
    }

    fn unite(&mut self, from: u16, to: u16) {
        for record in self.records.iter_mut().filter(|record| record.language() == from) {
            record.language = record.language & !LANGUAGES | to;
        }
        self.edges.iter_mut().filter(|edge| edge.language == from).for_each(|edge| edge.language = to);
        self.language_numbers.insert(self.languages[usize::from(from) - 1].clone(), to);
        self.places.unite(from, to);
    }

    /// The tag of a record's language, if the record declares the same language with another one.
    pub(crate) fn other_tag(&self, record: RecordNumber, declared: &str) -> Option<&str> {
        let language = self.records[record.0 as usize].language();
        let tag = self.language_name(language)?;
        (tag != declared && self.language_numbers.get(declared) == Some(&language)).then_some(tag)
    }
}
