//! Writes the dates and times of records as TEI attributes.

use crate::formats::xml;
use crate::record::dates;

/// Writes a date as `when`. Omits whatever is neither a time nor a day, because TEI schemas would reject it. wpipe never writes such a
/// value, but its input may come from other programs.
pub(super) fn write_when(date: &str, out: &mut String) {
    let is_day = || date.len() == 10 && dates::normalise(&format!("{date}T00:00:00")).is_some();
    if dates::normalise(date).as_deref() == Some(date) || is_day() {
        xml::attribute("when", date, out);
    }
}
