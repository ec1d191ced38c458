//! Describes what --pseudonyms has done to the records of a dataset, for manifest and card.

use serde::Serialize;

/// What was done, for manifest and card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    /// Users, each by its id.
    pub(crate) users: u64,
    /// Of those, the ones whose picture joins them over sites.
    pub(crate) users_with_avatar: u64,
    /// Bylines and commenters that are no user's, each name of a site as a person.
    pub(crate) names: u64,
    /// Records that were left out: author archives, and kinds that are not known.
    pub(crate) left_out_records: u64,
    /// Values of keys that are not in wp-records(5).
    pub(crate) left_out_keys: u64,
}

impl Counts {
    /// What a reader of the dataset has to know.
    pub(crate) fn told(self) -> String {
        let Counts { users, users_with_avatar, names, left_out_records, left_out_keys } = self;
        format!(
            "This dataset is **pseudonymous, not anonymous**: {users} users and {names} other names of authors and commenters\nhave pseudonyms in \
             fields, URLs and attributes. Their names may still be in the texts, and each `link` leads to a page with a\nbyline. \
             {users_with_avatar} users have the same pseudonym on all sites of one key; the others, and all who are known by name only, \
             could\nnot be joined over sites. Left out: {left_out_records} records (author archives, unknown kinds), {left_out_keys} values of \
             keys whose meaning is not known."
        )
    }
}
