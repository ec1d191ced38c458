//! Computes a short name for a record, by which the tables and graphs of a dataset refer to it: never null, the same in
//! every run, and computable from a reference as well as from the record itself. wp-resolve has decided which records
//! references lead to.

use crate::ndjson::Str;
use crate::record::Target;
use std::fmt;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// `r` and 16 hexadecimal digits: xxh3-64 of site, type, id and link, separated by NUL; null is empty. The letter keeps
/// loaders from reading `12e4…` as a number. Among a million records, two have the same key with a probability of 3 in
/// 10^8.
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

/// The blog of a record, as a hash of its API's root; 0 if that is unknown. An id is unique only within one blog.
pub(crate) fn blog(rest: Option<&str>) -> u64 {
    // http and https denote the same blog.
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

    /// The value that Python's xxhash returns: the formula is documented and must not change.
    #[test]
    fn the_formula_is_what_the_manual_says() {
        let key = Key::new("harbour.example", "post", Some(101), Some("https://harbour.example/"));
        assert_eq!(key.to_string(), "r5cce1018d2b0b00b");
    }
}
