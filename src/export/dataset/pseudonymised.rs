//! Describes what --pseudonyms did to the records of a dataset, for manifest and card.

use serde::Serialize;

/// The counts for manifest and card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    /// The number of users, each identified by its id.
    pub(crate) users: u64,
    /// The number of users whose picture links their accounts on different sites.
    pub(crate) users_with_avatar: u64,
    /// The number of names in bylines and comments that do not belong to a user; each name on a site counts as one
    /// person.
    pub(crate) names: u64,
    /// The number of records that were left out: author archives, and records of unknown kinds.
    pub(crate) left_out_records: u64,
    /// The number of values that were left out because wp-records(5) does not describe their keys.
    pub(crate) left_out_keys: u64,
}

impl Counts {
    /// The notice for readers of the dataset.
    pub(crate) fn notice(self) -> String {
        let Counts { users, users_with_avatar, names, left_out_records, left_out_keys } = self;
        format!(
            "This dataset is **pseudonymous, not anonymous**: {users} users and {names} other names of authors and commenters\nhave pseudonyms in \
             fields, URLs and attributes, and in place of the texts of links to them. Names in running text stay (\"by Jane Roe\"),\nand \
             each `link` leads to a page with a byline: either may reveal whose a pseudonym is. \
             {users_with_avatar} users have the same pseudonym on all sites of one key; the others, and all who are known by name only, \
             could\nnot be joined over sites. Left out: {left_out_records} records (author archives, unknown kinds), {left_out_keys} values of \
             keys whose meaning is not known."
        )
    }
}
