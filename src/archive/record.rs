//! A WARC record without its block: its headers, the place where it begins, and the faults it may have. Other modules find
//! and read records.

use super::header::Headers;
use std::fmt;
use std::str::FromStr;

/// Where a record begins: written as `OFFSET`, the offset of its gzip member or zstd frame as in CDX files, or as
/// `OFFSET+SKIP` if other records precede it in that member and take SKIP bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct WarcPlace {
    pub(super) member: u64,
    pub(super) skip: u64,
}

impl fmt::Display for WarcPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.skip {
            0 => write!(f, "{}", self.member),
            skip => write!(f, "{}+{skip}", self.member),
        }
    }
}

impl FromStr for WarcPlace {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (member, skip) = text.split_once('+').unwrap_or((text, "0"));
        Ok(WarcPlace { member: member.parse()?, skip: skip.parse()? })
    }
}

/// The header of a record.
#[derive(Clone, Debug)]
pub(crate) struct WarcRecord {
    pub(crate) place: WarcPlace,
    pub(super) headers: Headers,
}

impl WarcRecord {
    /// Its type, such as `response`.
    pub(crate) fn kind(&self) -> &str {
        self.headers.get("warc-type").unwrap_or_default()
    }

    pub(crate) fn uri(&self) -> Option<&str> {
        let uri = self.headers.get("warc-target-uri")?;
        // The grammar of WARC 1.0 puts URIs in angle brackets, and some writers follow it.
        Some(uri.strip_prefix('<').and_then(|uri| uri.strip_suffix('>')).unwrap_or(uri)).filter(|uri| !uri.is_empty())
    }

    /// The value of a header, whose name is in lower case.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.headers.get(name)
    }
}

/// A record that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) place: WarcPlace,
    pub(crate) what: String,
}
