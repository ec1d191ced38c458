//! Reads documents from the stream into groups, and counts groups as they are written, for all formats of parallel text.

use crate::export::dataset::envelope::{Counted, Envelope, Enveloped, Own};
use crate::export::dataset::selection::Selection;
use crate::export::dataset::tally::Tally;
use crate::export::job::Job;
use crate::formats::parallel::aligned::language;
use crate::language::ranges::Languages;
use crate::ndjson::{Line, gather_lines, write_json};
use crate::pairs::document::Texts;
use crate::pairs::{Batch, Gathered, Gatherer, Member, NO_LINK, REASONS, Traits};
use crate::record::Alignment;
use crate::report::{Error, Notes};
use std::collections::HashSet;

impl<'a> Own<'a> for Texts<'a> {
    const NAME: &'static str = "document";

    fn is_of(kind: &str) -> bool {
        matches!(kind, "post" | "html")
    }
}

pub(super) type Document<'a> = Enveloped<'a, Texts<'a>>;

pub(super) type TakeAlignment<'t> = &'t mut (dyn FnMut(&[u8]) -> Result<(), Error> + Send);

/// The requirements of a format for documents.
pub(super) struct Requirements<R> {
    /// Whether documents without a link are left out.
    pub(super) link: bool,
    /// Whether further documents in a language that the group already has are written.
    pub(super) same_language: bool,
    /// Writes a document in the format; the string is the name of its language.
    pub(super) render: R,
}

/// The documents of a batch, each as the counted fields of its record in JSON, LF, and the output of the format.
#[derive(Default)]
struct Candidates {
    documents: Batch,
    /// The lines of alignments, if the format uses them.
    alignments: Vec<Vec<u8>>,
    tally: Tally,
}

/// The format's output for a document.
pub(super) fn body(member: &Member) -> &[u8] {
    &member.entry[end_of_note(member)..]
}

/// The counted fields of its record.
pub(super) fn counted(member: &Member) -> Counted<'_> {
    serde_json::from_slice(&member.entry[..end_of_note(member)]).expect("it was written by us")
}

fn end_of_note(member: &Member) -> usize {
    memchr::memchr(b'\n', &member.entry).map_or(0, |at| at + 1)
}

pub(super) struct Groups {
    gathered: Gathered,
    same_language: bool,
    /// The languages named by the user in which there are documents.
    named: HashSet<String>,
}

impl Groups {
    /// Reads the documents. Documents outside all groups are left out in `tally`, and the reason is counted.
    pub(super) fn gather<R>(job: &mut Job<'_>, tally: &mut Tally, wanted: &Requirements<R>) -> Result<Self, Error>
    where
        R: Fn(&Document<'_>, &str, &mut Vec<u8>) + Sync,
    {
        let groups = Groups::gather_beside(job, tally, wanted, None)?;
        job.languages.warn_of_unused(|name| groups.has(name), job.report);
        Ok(groups)
    }

    /// Like [`Groups::gather`]; `take` receives the alignments in the order of the input.
    pub(super) fn gather_beside<R>(
        job: &mut Job<'_>,
        tally: &mut Tally,
        wanted: &Requirements<R>,
        mut take: Option<TakeAlignment<'_>>,
    ) -> Result<Self, Error>
    where
        R: Fn(&Document<'_>, &str, &mut Vec<u8>) + Sync,
    {
        let alignments = take.is_some();
        let names = ["parallel_groups", "pairs", "same_language", NO_LINK];
        names.into_iter().chain(REASONS).for_each(|name| tally.count(name, 0));
        let mut gatherer = Gatherer::new()?;
        let (selection, languages) = (job.selection, job.languages);
        gather_lines(
            job.input,
            job.report,
            job.jobs,
            || finder(selection, languages, wanted, alignments),
            |found: &mut Candidates| {
                tally.absorb(&mut found.tally);
                for line in found.alignments.drain(..) {
                    take.as_mut().map_or(Ok(()), |take| take(&line))?;
                }
                gatherer.take(&mut found.documents)
            },
        )?;
        let named = languages.named().iter().filter(|name| gatherer.has(name)).cloned().collect();
        Ok(Groups { gathered: gatherer.finish(languages)?, same_language: wanted.same_language, named })
    }

    /// Whether there are documents in a language that the user named.
    pub(super) fn has(&self, name: &str) -> bool {
        self.named.contains(name)
    }

    /// Leaves out all documents, and returns their number.
    pub(super) fn leave_out(&self, tally: &mut Tally) -> Result<u64, Error> {
        let mut count = 0;
        self.gathered.each_group(|members, _| {
            count += members.len() as u64;
            members.iter().for_each(|member| leave_out(member, tally));
            Ok(())
        })?;
        Ok(count)
    }

    /// The names of the languages, in their order.
    pub(super) fn languages(&self) -> &[String] {
        self.gathered.languages()
    }

    /// Passes the documents of each group to `take`, in the order of the languages, and counts them. Further documents in
    /// the same language are omitted unless the format wants them.
    pub(super) fn each(
        &self,
        tally: &mut Tally,
        mut take: impl FnMut(&[Member]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.gathered.each_group(|mut members, languages| {
            if languages < 2 {
                tally.count("documents_alone", members.len() as u64);
                members.iter().for_each(|member| leave_out(member, tally));
                return Ok(());
            }
            tally.count("parallel_groups", 1);
            tally.count("pairs", (languages * (languages - 1) / 2) as u64);
            tally.count("same_language", (members.len() - languages) as u64);
            if !self.same_language {
                members.iter().filter(|member| !member.first).for_each(|member| leave_out(member, tally));
                members.retain(|member| member.first);
            }
            members.iter().for_each(|member| tally.add_counted(&counted(member)));
            take(&members)
        })
    }
}

fn finder<R>(
    selection: &Selection,
    languages: &Languages,
    wanted: &Requirements<R>,
    alignments: bool,
) -> impl FnMut(Line<'_>, &mut Candidates, &mut Notes)
where
    R: Fn(&Document<'_>, &str, &mut Vec<u8>),
{
    move |line, found, notes| {
        if alignments && is_alignment(line.bytes) {
            let bytes = line.bytes;
            if let Some(read) = selection.admit::<Alignment<'_>>(line, &mut found.tally, notes) {
                let is_asked = [&read.from, &read.to].iter().all(|side| languages.name_of(&language(side)).is_some());
                if is_asked {
                    found.tally.add(&read.envelope);
                    found.alignments.push(bytes.to_vec());
                } else {
                    found.tally.leave_out_as(ALIGNMENTS_IN_OTHER_LANGUAGES, read.envelope.filed());
                }
            }
            return;
        }
        let Some(document) = selection.admit(line, &mut found.tally, notes) else { return };
        match traits(&document).group(languages, wanted.link) {
            Ok(belongs) => found.documents.push(&belongs, |out| {
                write_json(out, &document.envelope.counted());
                out.push(b'\n');
                (wanted.render)(&document, belongs.language, out);
            }),
            Err(reason) => found.tally.leave_out_as(reason, document.envelope.filed()),
        }
    }
}

/// The name of the count of alignments in languages that were not requested.
pub(super) const ALIGNMENTS_IN_OTHER_LANGUAGES: &str = "alignments_in_other_languages";

fn is_alignment(line: &[u8]) -> bool {
    let may_be = memchr::memmem::find(line, b"\"alignment\"").is_some();
    may_be && Envelope::parse(line).is_ok_and(|envelope| envelope.kind.as_deref() == Some("alignment"))
}

fn traits<'d>(document: &'d Document<'_>) -> Traits<'d> {
    Traits {
        site: document.envelope.site.as_deref().unwrap_or_default(),
        language: document.envelope.language.as_deref(),
        group: document.envelope.translation_group.as_deref(),
        link: document.link.as_deref(),
        has_text: document.text().is_some(),
    }
}

fn leave_out(member: &Member, tally: &mut Tally) {
    let counted = counted(member);
    tally.leave_out(&counted.kind, &counted.r#type);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_of_another_type_is_an_error_but_the_head_is_read() {
        let (envelope, texts) = Envelope::with::<Texts<'_>>(br#"{"type":"post","language":5,"id":"five"}"#).unwrap();
        assert_eq!((envelope.r#type.as_deref(), envelope.language), (Some("post"), None));
        assert!(texts.unwrap_err().0.starts_with("invalid type"));
        assert!(Envelope::with::<Texts<'_>>(br#"{"language":5,"id":5}"#).unwrap().1.is_err());
        // A value of another type is not an error in a field that is only counted.
        assert!(Envelope::with::<Texts<'_>>(br#"{"links":5,"id":5}"#).unwrap().1.is_ok());
    }
}
