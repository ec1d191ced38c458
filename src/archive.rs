//! Reads web archives: the records of WARC files (ISO 28500, versions 1.0 and 1.1) and of WACZ files, which contain
//! WARC files, in order or from a given place. Callers interpret the pages and API responses in them.
//!
//! The reader is our own because it must report each record's offset, hold no more than one record in memory, and find
//! the next good record after a broken one (`docs/decisions.md`).

mod address;
mod header;
mod http;
mod open;
mod outdated;
mod payload;
mod record;
mod records;
mod scratch;
mod stream;
mod volume;

pub(crate) use address::{is_archive, split};
#[cfg(feature = "fetch")]
pub(crate) use http::Encoded;
pub(crate) use http::ResponseHead;
#[cfg(feature = "fetch")]
pub(crate) use http::gunzip;
pub(crate) use open::Archives;
#[cfg(feature = "fetch")]
pub(crate) use outdated::Notice;
pub(crate) use outdated::Outdated;
pub(crate) use payload::{Body, Payload};
pub(crate) use record::{WarcPlace, WarcRecord};
pub(crate) use records::{Records, read_at};
pub(crate) use volume::{Volume, xml_in_zip};
