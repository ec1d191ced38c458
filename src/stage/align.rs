//! wp-align: finds the sentence pairs of documents that are translations of each other, and writes one line for each pair
//! of documents. [`crate::pairs`] forms the pairs of documents; [`crate::alignment`] aligns their sentences.

mod entry;
mod lexicons;
mod ratios;

use crate::alignment::{self, Anchors, Document, DocumentReader};
use crate::digest::group_hash;
use crate::export::dataset::names;
use crate::language::ranges::Languages;
use crate::ndjson::{self, Input, Line, Object, Output, describe, gather_lines, text_of, write_end, write_json};
use crate::pairs::{self, Batch, Gathered, Gatherer, REASONS};
use crate::record::{Aligned, Alignment, Anchor, Sentence};
use crate::report::{Error, Notes, Report};
use crate::urls::QuickMap;
use entry::{Head, Record, read_entry};
use lexicons::Lexicons;
use ratios::Ratios;
use std::collections::BTreeMap;

/// The options of wp-align.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The languages, in the order of the pairs; all languages if empty.
    pub languages: Vec<String>,
    /// Links with a lower score are split.
    pub min_score: f64,
    /// The kinds of evidence that are used; switching one off shows how much it contributes.
    pub anchors: Anchors,
    /// The number of threads.
    pub jobs: usize,
}

#[derive(Default)]
struct BatchDocuments {
    documents: Batch,
    /// The keys of records, and their translation groups.
    groups: Vec<(u64, u64)>,
}

/// The names of the counts of links that are written.
const COUNTS: [&str; 8] =
    ["records_out", "links", "sentences", "aligned", "unaligned", "cut_by_score", "cut_to_band", "cut_to_languages"];

/// Aligns the documents. Counts `records_in`, documents without a pair by reason, and the output.
///
/// # Errors
/// If reading, spooling or writing fails, or the report stops the run.
pub fn run(options: &Options, input: &mut Input, output: &mut Output, report: &mut Report) -> Result<(), Error> {
    input.expect_records();
    report.expect_ends(true);
    let languages = Languages::new(&options.languages)?;
    if options.languages.len() == 1 {
        return Err(Error::Fatal("--languages needs two or more".into()));
    }
    let names = ["documents", "others", "parallel_groups", "pairs", "same_language"];
    names.into_iter().chain(REASONS).chain(COUNTS).for_each(|name| report.count(name, 0));
    let (mut gatherer, mut groups) = (Gatherer::new()?, QuickMap::default());
    let read = || reader(&languages);
    gather_lines(input, report, options.jobs, read, |found: &mut BatchDocuments| {
        groups.extend(found.groups.drain(..));
        gatherer.take(&mut found.documents)
    })?;
    languages.warn_of_unused(|name| gatherer.has(name), report);
    let ends = report.ended_sites()?;
    let gathered = gatherer.finish(&languages)?;
    let written = write(&gathered, &groups, options, output, report)?;
    if report.counted("records_out") == 0 && report.counted("records_in") > 0 {
        let records = report.counted("records_in");
        report.warn(&format!("no pair of documents in {records} records: wp-resolve finds translations"));
    }
    let mut lines = Vec::new();
    for site in ends {
        write_end(&mut lines, Some(&site), written.get(&site).copied().unwrap_or(0));
    }
    output.write(&lines)
}

fn reader(languages: &Languages) -> impl FnMut(Line<'_>, &mut BatchDocuments, &mut Notes) {
    let mut reader = DocumentReader::default();
    move |line, found, notes| {
        let record = text_of(line.bytes).and_then(|text| ndjson::from_str::<Record<'_>>(text).map_err(describe));
        let record = match record {
            Ok(record) => record,
            Err(wrong) => return misshapen(&line, wrong, notes),
        };
        let (kind, r#type) = names::kind_and_type(record.kind.as_deref(), record.r#type.as_deref()).unwrap_or_default();
        if let (Some(key), Some(group)) = (record.key(r#type), record.translation_group.as_deref()) {
            found.groups.push((key.0, group_hash(record.site(), group) as u64));
        }
        if !matches!(kind, "post" | "html") {
            return notes.count("others", 1);
        }
        notes.count("documents", 1);
        match record.traits().group(languages, false) {
            Ok(belongs) => {
                let document = record.read(&mut reader);
                found.documents.push(&belongs, |out| entry::write_entry(&record, r#type, &document, out));
            }
            Err(reason) => notes.count(reason, 1),
        }
    }
}

/// Rejects a line that cannot be read, unless it is a record of a kind that is not aligned.
fn misshapen(line: &Line<'_>, (what, column): (String, u64), notes: &mut Notes) {
    let (what, column) = match Object::parse(line.bytes) {
        Err(wrong) => wrong,
        Ok(object) => {
            let (kind, r#type) = (object.text("kind"), object.text("type"));
            match names::kind_and_type(kind.as_deref(), r#type.as_deref()) {
                Some(("post" | "html", _)) => (format!("not the shape of a document: {what}"), column),
                _ => return notes.count("others", 1),
            }
        }
    };
    notes.reject(line.place().column(column), what, line.bytes);
}

/// Writes a line for each pair; returns the number of lines for each site.
fn write(
    gathered: &Gathered,
    groups: &QuickMap<u64, u64>,
    options: &Options,
    output: &mut Output,
    report: &mut Report,
) -> Result<BTreeMap<String, u64>, Error> {
    let ratios = Ratios::learn(gathered)?;
    let lexicons = Lexicons::learn(gathered, &ratios, options.anchors)?;
    let (mut written, mut line) = (BTreeMap::<String, u64>::new(), Vec::new());
    gathered.each_group(|members, languages| {
        if languages < 2 {
            report.count("documents_alone", members.len() as u64);
            return Ok(());
        }
        report.count("parallel_groups", 1);
        report.count("cut_to_languages", (languages > pairs::MOST + 1).into());
        report.count("same_language", (members.len() - languages) as u64);
        for (from, to) in pairs::pairs(&members) {
            let ((head, ours), (other, theirs)) = (read_entry(&from.entry), read_entry(&to.entry));
            let ratio = ratios.of(&head.site, gathered.languages(), from, to);
            let lexicon = lexicons.of(&head.site, from, to);
            let group = |key| groups.get(&key).copied();
            let alignment = alignment::align(&ours, &theirs, ratio, options.anchors, lexicon, group);
            report.count("pairs", 1);
            report.count("cut_to_band", alignment.cut.into());
            let record = record((&head, &ours), (&other, &theirs), alignment, options, report);
            line.clear();
            write_json(&mut line, &record);
            line.push(b'\n');
            output.write(&line)?;
            *written.entry(head.site.to_string()).or_default() += 1;
            report.count("records_out", 1);
        }
        Ok(())
    })?;
    Ok(written)
}

fn record<'r>(
    (from, ours): (&'r Head<'r>, &'r Document),
    (to, theirs): (&'r Head<'r>, &'r Document),
    alignment: alignment::Alignment,
    options: &Options,
    report: &mut Report,
) -> Alignment<'r> {
    let mut links = Vec::with_capacity(alignment.links.len());
    let mut letters = [0; 2];
    for link in alignment.links {
        let cut = link.score.is_some_and(|score| score < options.min_score);
        report.count("cut_by_score", cut.into());
        if cut {
            // A link with a low score is split: both sides stay without a translation.
            let none = |at| at..at;
            links.extend(link.from.map(|at| aligned(ours, theirs, at..at + 1, none(link.to.start))));
            links.extend(link.to.map(|at| aligned(ours, theirs, none(0), at..at + 1)));
            continue;
        }
        if link.score.is_some_and(|score| score > 0.5) {
            letters[0] += ours.sentences()[link.from.clone()].iter().map(|sentence| sentence.length).sum::<usize>();
            letters[1] += theirs.sentences()[link.to.clone()].iter().map(|sentence| sentence.length).sum::<usize>();
        }
        let anchors = link.anchors.into_iter();
        links.push(Aligned {
            score: link.score,
            anchors: anchors
                .map(|(kind, value)| Anchor { kind: Some(kind.into()), value: Some(value.into()) })
                .collect(),
            ..aligned(ours, theirs, link.from, link.to)
        });
    }
    count(&links, report);
    let share = |letters: usize, of: usize| thousandths(letters as f64 / of.max(1) as f64);
    Alignment {
        site: Some(from.site.as_str().into()),
        kind: Some("alignment".into()),
        r#type: Some(from.r#type.as_str().into()),
        id: from.id,
        link: from.side().link,
        group: Some(from.group.as_str().into()),
        share: vec![share(letters[0], ours.length()), share(letters[1], theirs.length())],
        from: from.side(),
        to: to.side(),
        links,
    }
}

fn aligned<'r>(
    ours: &'r Document,
    theirs: &'r Document,
    from: std::ops::Range<usize>,
    to: std::ops::Range<usize>,
) -> Aligned<'r> {
    let sentences = |document: &'r Document, range: std::ops::Range<usize>| {
        let first = i64::from(!document.has_title());
        let sentence = |sentence: &'r alignment::Sentence| Sentence {
            block: Some(sentence.block as i64 + first),
            sentence: Some(sentence.number as i64 + 1),
            text: Some(sentence.text.as_str().into()),
        };
        document.sentences()[range].iter().map(sentence).collect()
    };
    Aligned { score: None, from: sentences(ours, from), to: sentences(theirs, to), anchors: Vec::new() }
}

fn count(links: &[Aligned<'_>], report: &mut Report) {
    for link in links {
        let sentences = (link.from.len() + link.to.len()) as u64;
        let is_link = !link.from.is_empty() && !link.to.is_empty();
        report.count("links", is_link.into());
        report.count("sentences", sentences);
        report.count(if is_link { "aligned" } else { "unaligned" }, sentences);
    }
}

/// Rounds a share to the written precision.
fn thousandths(share: f64) -> f64 {
    (share * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests;
