//! Points in time, as attributes.

use crate::export::xml;
use crate::record::dates;

/// When something was, unless another program has written into the record what is not a time: then no schema would take it.
pub(super) fn write_when(date: &str, out: &mut String) {
    let is_day = || date.len() == 10 && dates::normalise(&format!("{date}T00:00:00")).is_some();
    if dates::normalise(date).as_deref() == Some(date) || is_day() {
        xml::attribute("when", date, out);
    }
}
