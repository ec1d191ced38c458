//! Reads single values of a line, in the form that our stages write; none of another form.

use crate::ndjson::{Str, string};

pub(super) fn text(raw: &str) -> Option<Option<Str<'_>>> {
    if raw == "null" { Some(None) } else { string(raw).map(Some) }
}

pub(super) fn number(raw: &[u8]) -> Option<Option<i64>> {
    if raw == b"null" {
        return Some(None);
    }
    std::str::from_utf8(raw).ok()?.parse().ok().map(Some)
}
