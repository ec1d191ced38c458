//! Finds the records that a post's terms and its featured image mean. The API names them by ids, a page by addresses.

use super::Here;
use crate::ndjson::write_json;
use crate::record::{Target, is_of_page};
use crate::registry::{Query, Rule};
use crate::stage::resolve::answers::Answers;
use crate::stage::resolve::element::{Editor, Element, Slot, target};
use crate::stage::resolve::outline::{Field, via};

/// Fills in the ids of terms that a page names, and the addresses of those that the API names.
pub(super) struct Terms<'r, 'h> {
    here: &'h Here<'h>,
    answers: &'r mut Answers,
    /// Whether the record is a page, which has no ids of terms but those that were found.
    from_page: bool,
}

impl<'r, 'h> Terms<'r, 'h> {
    pub(super) fn new(answers: &'r mut Answers, here: &'h Here<'_>) -> Self {
        let via = here.raw(Field::Source).and_then(via);
        let from_page = is_of_page(here.text(Field::Kind).as_deref(), via.as_deref());
        Terms { here, answers, from_page }
    }
}

/// What is known about a term.
pub(super) enum Known<'h> {
    /// It has a record, with this taxonomy, id and link.
    Record(&'h str, Option<i64>, &'h str),
    /// No record has the address that the page gives.
    Nothing,
    /// It stays as the API states it.
    Stated,
}

impl<'h> Editor for Terms<'_, 'h> {
    type Decision = Known<'h>;
    const WRITTEN: &'static [Slot] = &[Slot::Taxonomy, Slot::Id, Slot::Link];

    fn decide(&mut self, term: &Element<'_>) -> Option<Known<'h>> {
        let registry = self.here.registry;
        let (blog, language) = (self.here.blog(), self.here.language.as_deref());
        let known = |record| {
            let (taxonomy, id, link) = registry.target(record);
            Known::Record(taxonomy, id, link)
        };
        if self.from_page {
            let link = term.text(Slot::Link);
            let found = link.and_then(|link| {
                let asked = Query { url: &link, language, blog, ..Query::default() };
                self.answers.find(registry, &asked).target.ok().filter(|&record| registry.is_term(record))
            });
            return Some(found.map_or(Known::Nothing, known));
        }
        let (taxonomy, id) = (term.text(Slot::Taxonomy), term.number(Slot::Id));
        let record = match (&taxonomy, id) {
            (Some(taxonomy), Some(id)) => registry.of_id("term", Some(taxonomy), id, blog, language),
            // A feed has only names.
            (None, None) => term.text(Slot::Name).and_then(|name| registry.term_called(&name, blog)),
            _ => None,
        };
        Some(record.map_or(Known::Stated, known))
    }

    fn write(&mut self, slot: Slot, known: &Known<'h>, out: &mut Vec<u8>) -> bool {
        match (slot, known) {
            (Slot::Taxonomy, Known::Record(taxonomy, ..)) => write_json(out, taxonomy),
            (Slot::Id, Known::Record(_, id, _)) => write_json(out, id),
            (Slot::Id, Known::Nothing) => write_json(out, &None::<i64>),
            (Slot::Link, Known::Record(_, _, link)) if !link.is_empty() => write_json(out, link),
            _ => return false,
        }
        true
    }
}

/// Finds the media record of the featured image: by its id, or else by its file.
pub(super) struct Featured<'r, 'h> {
    pub(super) here: &'h Here<'h>,
    pub(super) answers: &'r mut Answers,
}

impl<'h> Editor for Featured<'_, 'h> {
    type Decision = (Target<'h>, Option<Rule>);
    const WRITTEN: &'static [Slot] = &[Slot::Target, Slot::Rule];

    fn decide(&mut self, image: &Element<'_>) -> Option<Self::Decision> {
        let (registry, blog, language) = (self.here.registry, self.here.blog(), self.here.language.as_deref());
        let id = self.here.number(Field::FeaturedMedia).filter(|id| *id > 0);
        if let Some(record) = id.and_then(|id| registry.of_id("media", None, id, blog, language)) {
            return Some((target(registry, Some(record)), Some(Rule::Id)));
        }
        let Some(url) = image.text(Slot::Url) else { return Some((Target::default(), None)) };
        let found = self.answers.find(registry, &Query { url: &url, language, image: true, blog, ..Query::default() });
        Some((target(registry, found.target.ok()), found.rule))
    }

    fn write(&mut self, slot: Slot, (target, rule): &Self::Decision, out: &mut Vec<u8>) -> bool {
        match slot {
            Slot::Target => write_json(out, target),
            Slot::Rule => write_json(out, &rule.map(Rule::name)),
            _ => return false,
        }
        true
    }
}
