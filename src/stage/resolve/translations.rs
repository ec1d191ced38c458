//! Writes the list of a record's translations: those that it states, with their targets, and those that other records state.
//! The registry knows all translations.

use super::element::{Editor, Element, Slot, edit_list, target};
use crate::ndjson::write_json;
use crate::record::{Reason, Translation};
use crate::registry::{Completed, RecordNumber, Registry, Rule, TranslationFacts, Verdict};
use crate::report::Notes;

/// Writes the list `raw`, which is compact JSON, with all known translations; [`None`] if it is not a list and there is
/// nothing to write. Stops like [`edit_list`].
pub(super) fn edit(
    registry: &Registry,
    record: RecordNumber,
    raw: &[u8],
    limit: usize,
    out: &mut Vec<u8>,
    notes: &mut Notes,
) -> Option<()> {
    let mut stated = StatedTranslations { registry, record, known: Vec::new(), notes };
    let is_list = edit_list(raw, &mut stated, limit, out).is_some();
    let known = stated.known;
    let mut empty = out.ends_with(b"[]");
    if !is_list {
        empty = true;
        out.extend_from_slice(b"[]");
    }
    out.pop();
    let mut count = 0;
    for other in registry.complete(record, &known) {
        if out.len() > limit {
            break;
        }
        if !empty {
            out.push(b',');
        }
        empty = false;
        count += 1;
        write_completed(registry, &other, out);
    }
    out.push(b']');
    notes.count("translations_completed", count);
    (is_list || count > 0).then_some(())
}

/// The translations that the record states itself.
struct StatedTranslations<'a> {
    registry: &'a Registry,
    record: RecordNumber,
    known: Vec<RecordNumber>,
    notes: &'a mut Notes,
}

/// The target of a stated translation.
#[derive(Clone, Copy)]
struct Led {
    target: RecordNumber,
    rule: Rule,
    /// Whether the target's language may be written: with it, the statement still leads to this one of several records with one id.
    names_language: bool,
}

impl StatedTranslations<'_> {
    /// Whether a statement still leads to the target if the target's language is written into it.
    fn means_the_same(&self, said: TranslationFacts<'_>, (target, rule): (RecordNumber, Rule)) -> bool {
        let language = self.registry.language(target).map(|(language, _)| language);
        if said.language.as_deref() == language {
            return true;
        }
        let said = TranslationFacts { language: language.map(Into::into), ..said };
        matches!(self.registry.verdict(self.record, &said), Verdict::Target(again, by) if (again, by) == (target, rule))
    }
}

impl Editor for StatedTranslations<'_> {
    /// The target of a stated translation, or the reason why it has none.
    type Decision = Result<Led, Option<Reason>>;
    const WRITTEN: &'static [Slot] = &[Slot::Language, Slot::Target, Slot::Rule, Slot::Reason];

    fn decide(&mut self, element: &Element<'_>) -> Option<Self::Decision> {
        self.notes.count("translations", 1);
        let said = TranslationFacts {
            language: element.text(Slot::Language),
            language_raw: element.text(Slot::LanguageRaw),
            href: element.text(Slot::Href),
            id: element.number(Slot::Id),
            r#type: element.text(Slot::Type),
            source: element.text(Slot::Source),
        };
        let dropped = match self.registry.verdict(self.record, &said) {
            Verdict::Dropped(count) => count,
            Verdict::Open(reason) => {
                self.notes.count("translations_resolved", 0);
                return Some(Err(reason));
            }
            Verdict::Target(target, _) if self.known.contains(&target) => "dropped_twice",
            Verdict::Target(target, rule) => {
                self.known.push(target);
                self.notes.count("translations_resolved", 1);
                let names_language = self.means_the_same(said, (target, rule));
                return Some(Ok(Led { target, rule, names_language }));
            }
        };
        self.notes.count(dropped, 1);
        None
    }

    fn write(&mut self, slot: Slot, found: &Self::Decision, out: &mut Vec<u8>) -> bool {
        let (led, reason) = (found.as_ref().ok(), found.err().flatten());
        match slot {
            Slot::Language => {
                match led.filter(|led| led.names_language).and_then(|led| self.registry.language(led.target)) {
                    Some((language, _)) => write_json(out, language),
                    None => return false,
                }
            }
            Slot::Target => write_json(out, &target(self.registry, led.map(|led| led.target))),
            Slot::Rule => write_json(out, &led.map(|led| led.rule.name())),
            Slot::Reason => write_json(out, &reason.map(Reason::name)),
            _ => return false,
        }
        true
    }
}

/// Writes a translation that another record states.
fn write_completed(registry: &Registry, other: &Completed, out: &mut Vec<u8>) {
    let target = target(registry, Some(other.record));
    write_json(
        out,
        &Translation {
            language: registry.language(other.record).map(|(language, _)| language.into()),
            language_raw: None,
            href: target.link.clone(),
            id: target.id.filter(|_| other.by_id),
            r#type: target.r#type.clone().filter(|_| other.by_id),
            source: Some(other.source.into()),
            target,
            rule: Some(other.rule.name().into()),
            reason: None,
        },
    );
}
