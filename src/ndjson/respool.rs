//! Rewrites the lines of an input into temporary files before it is read.

use super::threads::LONG;
use super::{Batch, Input, Line, Source};
use crate::report::{Error, Report};
use crate::spill::Spool;
use std::sync::Arc;

/// Returns an input that consists of the output of `write` for each line: nothing, or one line with its line feed. It is stored in spools,
/// one per file, in which each line keeps its number. Overlong lines become rejects.
///
/// # Errors
/// If reading or spooling fails, or the report stops the run.
pub(crate) fn respool(
    input: &mut Input,
    report: &mut Report,
    mut write: impl FnMut(Line<'_>, &mut Vec<u8>),
) -> Result<Input, Error> {
    let (mut batch, mut out, mut next) = (Batch::empty(), Vec::new(), 1);
    let mut spools: Vec<(Arc<str>, Spool)> = Vec::new();
    while input.read(&mut batch)? {
        for (place, start) in batch.too_long() {
            report.count("records_in", 1);
            report.reject(&place, LONG, start)?;
        }
        if spools.last().is_none_or(|(name, _)| !Arc::ptr_eq(name, batch.file())) {
            spools.push((batch.file().clone(), Spool::new()?));
            next = 1;
        }
        for line in batch.lines() {
            out.extend((next..line.number).map(|_| b'\n'));
            let before = out.len();
            write(line, &mut out);
            next = line.number + u64::from(out.len() > before);
        }
        spools.last_mut().map_or(Ok(()), |(_, spool)| spool.write(&out))?;
        out.clear();
    }
    let source = |(name, spool): (_, Spool)| Ok(Source::File { name, file: spool.into_reader()?, start: 0 });
    let mut again = Input::new(spools.into_iter().map(source).collect::<Result<_, Error>>()?);
    again.limit_records(input.max_record());
    again.expect_records();
    Ok(again)
}
