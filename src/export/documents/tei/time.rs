//! Writes points in time as TEI attributes.

use crate::export::xml;
use crate::record::dates;

/// Writes a date as `when`. Omits a value that is not a valid time, which only other programs write: schemas would reject
/// it.
pub(super) fn write_when(date: &str, out: &mut String) {
    let is_day = || date.len() == 10 && dates::normalise(&format!("{date}T00:00:00")).is_some();
    if dates::normalise(date).as_deref() == Some(date) || is_day() {
        xml::attribute("when", date, out);
    }
}
