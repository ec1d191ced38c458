//! Exports a report: one HTML page about the contents of a dataset, for people. It needs a browser, but neither network
//! nor scripts. The manifest has the same numbers.
//!
//! Memory: [`Tops`] takes at most about 30 MB, even if there are many different texts; [`Numbers`] grows with the
//! number of types, languages and rules, but not with the number of records.

mod accounts;
mod changes;
mod frequent;
mod numbers;
mod overview;
mod page;
mod view;

use crate::export::dataset::envelope::is_change;
use crate::export::dataset::tally::Tally;
use crate::export::job::{Job, Put};
use crate::ndjson::{Line, gather_lines};
use crate::report::{Error, Notes};
use numbers::{Numbers, Tops};
use overview::Overview;
use view::{ChangeView, View};

#[derive(Default)]
struct Batch {
    numbers: Numbers,
    tally: Tally,
}

/// Writes `report.html`.
pub(crate) fn write(job: &mut Job<'_>, put: &mut Put<'_>) -> Result<Tally, Error> {
    let (mut tally, mut numbers, mut tops) = (Tally::default(), Numbers::default(), Tops::default());
    let selection = job.selection;
    let worker = || {
        move |line: Line<'_>, batch: &mut Batch, notes: &mut Notes| {
            if is_change(line.bytes) {
                if let Some(change) = selection.admit::<ChangeView<'_>>(line, &mut batch.tally, notes) {
                    batch.tally.add(&change.envelope);
                    batch.numbers.changes.add(&change);
                }
            } else if let Some(record) = selection.admit::<View<'_>>(line, &mut batch.tally, notes) {
                batch.tally.add(&record.envelope);
                batch.numbers.add(&record);
            }
        }
    };
    gather_lines(job.input, job.report, job.jobs, worker, |batch: &mut Batch| {
        tally.absorb(&mut batch.tally);
        numbers.absorb(&mut batch.numbers, &mut tops);
        Ok(())
    })?;
    // Read only now: the programs of the same pipe have ended and written their reports.
    let accounts = accounts::read(job.with)?;
    let overview = Overview::of(numbers, &tops, job.report.rejected(), accounts);
    let page = page::write(&overview, &tally)?;
    tally.overview = Some(serde_json::to_value(&overview).expect("texts, numbers, lists and objects with text keys"));
    put(page.as_bytes(), tally.written())?;
    Ok(tally)
}

#[cfg(test)]
mod tests;
