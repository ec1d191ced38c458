//! A short name for a record, by which the tables and graphs of a dataset refer to it: never null, the same in every
//! run, and computable from a reference as well as from the record itself. wp-resolve has decided what refers to what.

use crate::ndjson::Str;
use crate::record::Target;
use std::fmt;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// `r` and 16 hexadecimal digits: xxh3-64 of site, type, id and link, separated by NUL, with nothing for null.
/// The letter keeps loaders from taking `12e4…` for a number. Of a million records two have one key with a
/// probability of 3 in 10^8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Key(pub u64);

impl Key {
    pub(crate) fn new(site: &str, r#type: &str, id: Option<i64>, link: Option<&str>) -> Self {
        let mut hash = Xxh3::new();
        hash.update(site.as_bytes());
        hash.update(b"\0");
        hash.update(r#type.as_bytes());
        hash.update(b"\0");
        if let Some(id) = id {
            hash.update(id.to_string().as_bytes());
        }
        hash.update(b"\0");
        hash.update(link.unwrap_or_default().as_bytes());
        Key(hash.digest())
    }

    /// The key of the record of this site that a link, an image or a translation leads to.
    pub(crate) fn of_target(site: &str, target: &Target<'_>) -> Option<Self> {
        let r#type = target.r#type.as_deref()?;
        Some(Key::new(site, r#type, target.id, target.link.as_ref().map(Str::as_str)))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{:016x}", self.0)
    }
}

/// The blog of a record, by the root of its API; 0 where that is not known. An id means something within one blog.
pub(crate) fn blog(rest: Option<&str>) -> u64 {
    // http and https are one.
    rest.map_or(0, |root| xxh3_64(root.split_once("://").map_or(root, |(_, place)| place).as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_has_the_key_of_its_record() {
        let target = Target { r#type: Some("post".into()), id: Some(5), link: Some("http://a/".into()) };
        assert_eq!(Key::of_target("a", &target), Some(Key::new("a", "post", Some(5), Some("http://a/"))));
        assert_eq!(Key::of_target("a", &Target::default()), None);
    }

    #[test]
    fn every_part_of_the_identity_counts() {
        let keys = [
            Key::new("a", "post", Some(5), Some("x")),
            Key::new("b", "post", Some(5), Some("x")),
            Key::new("a", "page", Some(5), Some("x")),
            Key::new("a", "post", Some(6), Some("x")),
            Key::new("a", "post", Some(5), Some("y")),
            Key::new("a", "post", Some(5), None),
            Key::new("a", "post", None, Some("5")),
        ];
        let distinct: std::collections::HashSet<_> = keys.iter().collect();
        assert_eq!(distinct.len(), keys.len());
    }

    /// The value that xxhash of Python gives: the formula is documented and must not change.
    #[test]
    fn the_formula_is_what_the_manual_says() {
        let key = Key::new("harbour.example", "post", Some(101), Some("https://harbour.example/"));
        assert_eq!(key.to_string(), "r5cce1018d2b0b00b");
    }
}
