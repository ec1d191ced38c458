//! wp-groups: finds texts that are nearly the same, within a site and across any number of sites, and marks them; it removes nothing.
//! Signing takes one record at a time, so each site can be signed where it is made; grouping needs only the signatures.

mod bands;
mod near;
mod store;

use crate::minhash::{Signature, Texts};
use crate::ndjson::{self, Input, Line, Object, Output};
use crate::report::{Error, Notes, Report};
use crate::steps::{Step, Stepper};
use bands::Bands;
use near::{Marks, Near};
use std::sync::Arc;
use store::Store;

/// The options of wp-groups.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether to write signatures; otherwise, they are compared.
    pub sign: bool,
    /// The least similarity of two texts in one group: the share of their 5-word shingles that both have.
    pub similarity: f64,
    /// The number of threads.
    pub jobs: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { sign: false, similarity: SIMILARITY, jobs: 1 }
    }
}

impl Options {
    fn step(&self) -> Step {
        let similarity = (!self.sign && self.similarity != SIMILARITY).then(|| self.similarity.to_string());
        Step::of("wp-groups").flag("--sign", self.sign).values("--similarity", similarity)
    }
}

/// The least similarity in a group, unless the user names another one.
pub const SIMILARITY: f64 = 0.8;

/// The key that signing adds to a record.
const SIGNATURE: &str = "signature";
/// The key that grouping adds for the name of the group, which is the name of its record with the first link in byte order.
const GROUP: &str = "duplicate_group";
/// The key that grouping adds for the similarity to the first record of the group.
const ALIKE: &str = "duplicate_similarity";
/// The key that grouping adds to show whether a record is the first of its group, or in no group.
const FIRST: &str = "duplicate_first";

/// Signs every record that has a content, or marks the signed records that are nearly the same. Counts `records_in`, `records_out`,
/// and `signed`, `unsigned`, or `signed`, `groups`, `grouped`, `compared`.
///
/// # Errors
/// When reading, spooling, sorting or writing fails, no record has a signature, or the report stops the run.
pub fn run(options: &Options, input: &mut Input, output: &mut Output, report: &mut Report) -> Result<(), Error> {
    input.expect_records();
    if options.sign { sign(options, input, output, report) } else { group(options, input, output, report) }
}

fn sign(options: &Options, input: &mut Input, output: &mut Output, report: &mut Report) -> Result<(), Error> {
    let step = options.step().max_record(input.max_record());
    ndjson::map_lines(input, output, report, options.jobs, || {
        let (mut texts, mut stepper) = (Texts::default(), Stepper::new(&step));
        move |line: Line<'_>, out: &mut Vec<u8>, notes: &mut Notes| {
            let Some(mut object) = line.or_reject(Object::parse(line.bytes), notes) else { return };
            if object.get("content").is_some() {
                let signature = object.get_in("content", "text").and_then(|text| texts.sign(text));
                notes.count(if signature.is_some() { "signed" } else { "unsigned" }, 1);
                object.set_json(SIGNATURE, &signature.as_ref().map(Signature::to_text));
            }
            stepper.mark(&mut object);
            object.write_line(out);
        }
    })
}

/// A record with a signature.
struct Signed {
    file: Arc<str>,
    line: u64,
    name: Name,
    signature: Signature,
}

fn group(options: &Options, input: &mut Input, output: &mut Output, report: &mut Report) -> Result<(), Error> {
    input.make_rereadable()?;
    let (mut bands, mut store) = (Bands::new(), Store::new()?);
    // Faults of a line are reported when it is written.
    let mut silent = Report::silent("wp-groups");
    let read = || {
        |line: Line<'_>, signed: &mut Vec<Signed>, notes: &mut Notes| {
            let Ok(object) = Object::parse(line.bytes) else { return };
            notes.count(SIGNATURE, u64::from(object.get(SIGNATURE).is_some()));
            if let Some(signature) = object.text(SIGNATURE).and_then(|text| Signature::parse(&text)) {
                signed.push(Signed { file: line.file.clone(), line: line.number, name: name_of(&object), signature });
            }
        }
    };
    ndjson::gather_lines(input, &mut silent, options.jobs, read, |signed: &mut Vec<Signed>| {
        signed.drain(..).try_for_each(|one| bands.add(store.add(&one)?, &one.signature))
    })?;
    if silent.counted(SIGNATURE) == 0 && silent.counted("records_in") > 0 {
        return Err(Error::Fatal("no record has a signature: wp-groups --sign comes first".into()));
    }
    let mut near = Near::new(store, options.similarity)?;
    bands.sorted(|numbers| near.compare(numbers))?;
    let marks = near.into_marks(report)?;
    input.rewind();
    let step = options.step().max_record(input.max_record());
    ndjson::map_lines(input, output, report, options.jobs, || {
        let mut stepper = Stepper::new(&step);
        let marks = &marks;
        move |line: Line<'_>, out: &mut Vec<u8>, notes: &mut Notes| mark(marks, &mut stepper, line, out, notes)
    })
}

fn mark(marks: &Marks, stepper: &mut Stepper<'_>, line: Line<'_>, out: &mut Vec<u8>, notes: &mut Notes) {
    let Some(mut object) = line.or_reject(Object::parse(line.bytes), notes) else { return };
    if let Some(signature) = object.get(SIGNATURE) {
        let mark = marks.of(line.file, line.number);
        let is_known = mark.is_some() || signature == "null";
        if !is_known && object.text(SIGNATURE).and_then(|text| Signature::parse(&text)).is_none() {
            notes.defect("signature", line.place(), "not a signature of wp-groups: this record is not compared");
        }
        object.set_json(GROUP, &mark.as_ref().map(|mark| mark.group));
        object.set_json(ALIKE, &mark.as_ref().map(|mark| mark.similarity));
        object.set_json(FIRST, &mark.is_none_or(|mark| mark.is_first));
    }
    stepper.mark(&mut object);
    object.write_line(out);
}

/// The parts of a record's name, after which its group may be named: SITE/TYPE:LINK, or SITE/TYPE:ID without a link. Other blogs and
/// languages may use the same ids.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    has_no_link: bool,
    link: String,
    /// The site and type, as SITE/TYPE.
    before: String,
    /// The id, which is shown if several groups would have one name, and in place of a missing link.
    id: String,
}

impl Name {
    /// The name as text. `is_shared`: another group would have the same name.
    fn text(&self, is_shared: bool) -> String {
        let Name { has_no_link, link, before, id } = self;
        match is_shared {
            _ if *has_no_link => format!("{before}:{id}"),
            true if id != "null" => format!("{before}:{link}#{id}"),
            _ => format!("{before}:{link}"),
        }
    }
}

fn name_of(object: &Object<'_>) -> Name {
    let text = |key| object.text(key).map(|text| text.as_str().to_owned()).unwrap_or_default();
    let id = object.get("id").unwrap_or_default().to_owned();
    let link = text("link");
    Name { has_no_link: link.is_empty(), link, before: format!("{}/{}", text("site"), text("type")), id }
}

#[cfg(test)]
mod tests;
