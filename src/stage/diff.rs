//! wp-diff: compares the records of two fetches of a site, and reports which ones were added, deleted, renumbered, moved, re-dated or
//! changed. A line describes changes in the record's own item or page; consequences of changes in other records are not reported.
//!
//! Both sides are written to temporary files. First, each new record is matched with its old one; then both are read and compared.

mod accounts;
mod alike;
mod compare;
mod context;
mod dates;
mod facts;
mod fields;
mod labels;
mod lists;
mod matches;
mod noise;
mod side;
mod stream;
mod text;
mod write;

use crate::ndjson::Output;
use crate::report::{Error, Report};
use accounts::Accounts;
use context::Context;
use matches::Matches;
use side::Side;
use std::collections::BTreeMap;
use std::path::PathBuf;
pub use stream::Stream;
use write::Writer;

/// Options of wp-diff.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// wp-fetch's accounts of its runs, which distinguish deleted records from those that could not be fetched.
    pub with: Vec<PathBuf>,
    /// Whether to accept a side without records.
    pub allow_empty: bool,
    /// Number of threads.
    pub jobs: usize,
}

/// Compares two streams. Counts `records_old`, `records_in` of the new one, `records_out`, `unchanged`, `duplicates`, `left_out`, and the
/// records of each class.
///
/// # Errors
/// If reading, spooling or writing fails, the records of a site are not contiguous, or the report stops the run.
pub fn run(
    options: &Options,
    old: &mut Stream,
    new: &mut Stream,
    output: &mut Output,
    report: &mut Report,
) -> Result<(), Error> {
    let accounts = Accounts::read(&options.with)?;
    report.counts(&["records_old", "records_in", "records_out", "unchanged", "duplicates_old"]);
    report.counts(&compare::CLASSES);
    let names = [old.name.clone(), new.name.clone()];
    let old = Side::read(old, "records_old", report, options.jobs)?;
    let new = Side::read(new, "records_in", report, options.jobs)?;
    for (side, name) in [&old, &new].into_iter().zip(&names) {
        if side.count() == 0 && !options.allow_empty {
            report.nothing(&format!(
                "{name}: no records: nothing can be compared (--allow-empty takes all for added or gone)"
            ));
            return Ok(());
        }
    }
    tell_what_is_not_compared([&old, &new], &names, report);
    let matches = Matches::find(&old, &new)?;
    report.count("duplicates_old", matches.old_twice);
    let context = Context { old: &old, new: &new, matches: &matches };
    let (changes, ignored) = (BTreeMap::new(), BTreeMap::new());
    let mut writer = Writer {
        context: &context,
        accounts: &accounts,
        output,
        jobs: options.jobs,
        ends: Vec::new(),
        changes,
        ignored,
    };
    writer.run(report)?;
    let count = |class: &str| writer.changes.get(class).copied().unwrap_or(0);
    let classes = ["added", "gone", "changed", "moved", "redated", "renumbered"];
    let words: Vec<String> = classes
        .iter()
        .filter(|class| **class != "renumbered" || count(class) > 0)
        .map(|class| format!("{} {class}", count(class)))
        .collect();
    report.conclude(words.join(", "));
    for class in compare::CLASSES {
        report.count(class, count(class));
    }
    let ignored = writer.ignored.iter().map(|(rule, n)| ((*rule).to_owned(), (*n).into())).collect();
    report.detail("ignored", serde_json::Value::Object(ignored));
    Ok(())
}

/// Writes a line for each post of a stream with an inconsistent date. Counts `records_in`, `records_out`, `odd_date`.
///
/// # Errors
/// The same as for [`run`].
pub fn run_dates(
    options: &Options,
    stream: &mut Stream,
    output: &mut Output,
    report: &mut Report,
) -> Result<(), Error> {
    report.counts(&["records_in", "records_out", "odd_date"]);
    let side = Side::read(stream, "records_in", report, options.jobs)?;
    if side.count() == 0 && !options.allow_empty {
        report.nothing(&format!("{}: no records (--allow-empty takes that, too)", stream.name));
        return Ok(());
    }
    dates::run(&side, output, report)
}

/// Reports the fields that all records of one side lack, and whether the sides have a site in common.
fn tell_what_is_not_compared([old, new]: [&Side; 2], names: &[String; 2], report: &mut Report) {
    let mut all = Vec::new();
    for (side, other, name) in [(old, new, &names[0]), (new, old, &names[1])] {
        let missing = side.empty_beside(other);
        if !missing.is_empty() {
            report.warn(&format!("{name}: all records lack {} (KIND.FIELD): not compared", missing.join(", ")));
        }
        all.extend(missing);
    }
    report.detail("not_compared", all.into());
    let is_common = old.sites.iter().any(|site| new.sites.iter().any(|other| other.name == site.name));
    if !is_common && old.count() > 0 && new.count() > 0 {
        report.warn("no site is in both: wp-index --site gives two fetches one name");
    }
}

#[cfg(test)]
mod tests;
