//! Reads alignments from the stream, and their links as pairs of texts, for all formats of sentence pairs.

use crate::alignment::has_blanks;
use crate::export::dataset::envelope::Own;
use crate::export::dataset::tally::Tally;
use crate::export::job::Job;
use crate::ndjson::{Line, gather_lines};
use crate::pairs::document::lines_of;
use crate::record::{Aligned, Alignment, Sentence, Side};
use crate::report::{Error, Notes};

impl<'a> Own<'a> for Alignment<'a> {
    const NAME: &'static str = "alignment";

    fn is_of(kind: &str) -> bool {
        kind == "alignment"
    }
}

/// The output of a format for alignments: their languages, and a part for each of its files.
#[derive(Default)]
struct Rendered {
    alignments: Vec<([String; 2], [Vec<u8>; 3])>,
    tally: Tally,
}

/// Passes the output of `render` for each alignment to `take`, in the order of the input. Counts the links with two sides and those with
/// one. Other records are left out.
pub(super) fn each(
    job: &mut Job<'_>,
    render: impl Fn(&Alignment<'_>, &Aligned<'_>, &mut [Vec<u8>; 3]) + Sync,
    mut take: impl FnMut(&[String; 2], &[Vec<u8>; 3]) -> Result<(), Error> + Send,
) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    ["sentence_pairs", "one_sided"].into_iter().for_each(|name| tally.count(name, 0));
    let (selection, render) = (job.selection, &render);
    let worker = || {
        move |line: Line<'_>, rendered: &mut Rendered, notes: &mut Notes| {
            let Some(read) = selection.admit::<Alignment<'_>>(line, &mut rendered.tally, notes) else { return };
            rendered.tally.add(&read.envelope);
            let mut parts = <[Vec<u8>; 3]>::default();
            for link in &read.links {
                let is_pair = !link.from.is_empty() && !link.to.is_empty();
                rendered.tally.count(if is_pair { "sentence_pairs" } else { "one_sided" }, 1);
                if is_pair {
                    render(&read, link, &mut parts);
                }
            }
            rendered.alignments.push(([&read.from, &read.to].map(language), parts));
        }
    };
    gather_lines(job.input, job.report, job.jobs, worker, |rendered: &mut Rendered| {
        tally.absorb(&mut rendered.tally);
        rendered.alignments.drain(..).try_for_each(|(languages, parts)| take(&languages, &parts))
    })?;
    Ok(tally)
}

pub(super) fn language(side: &Side<'_>) -> String {
    side.language.as_deref().filter(|tag| !tag.is_empty()).unwrap_or("und").to_owned()
}

/// Joins sentences into one line, separated by a blank, except in scripts without blanks.
pub(super) fn text(sentences: &[Sentence<'_>], language: &str) -> String {
    let lines = sentences.iter().flat_map(|sentence| lines_of(sentence.text.as_deref().unwrap_or_default()));
    lines.collect::<Vec<_>>().join(if has_blanks(language) { " " } else { "" })
}

/// The number of a sentence in its document: BLOCK.SENTENCE.
pub(super) fn number(sentence: &Sentence<'_>) -> String {
    format!("{}.{}", sentence.block.unwrap_or(0), sentence.sentence.unwrap_or(0))
}

/// The numbers of sentences, separated by blanks.
pub(super) fn numbers(sentences: &[Sentence<'_>]) -> String {
    sentences.iter().map(number).collect::<Vec<_>>().join(" ")
}
