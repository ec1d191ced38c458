//! Keeps the state of each page of a scrape: whether a record has taken it, as its page or as an alias, or why it was refused.

use std::collections::HashMap;

/// The state of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is not taken yet.
    #[default]
    Open,
    /// It is the page of a record.
    Joined,
    /// Its URL is an alias of a record.
    Alias,
}

/// Why a page does not belong to a record, although it has the record's id or URL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Refusal {
    /// Type and id of the record with the same id.
    pub(super) same: Option<(Box<str>, i64)>,
    /// Whether the URL that it states is a record's.
    pub(super) is_quoting: bool,
    /// Whether a record has the id that it claims, and is not in another language.
    pub(super) is_doubled: bool,
}

/// The state of each page, by its number.
pub(super) struct Fates {
    fates: Vec<Fate>,
    /// Only for refused pages, which are few.
    refusals: HashMap<u32, Refusal>,
}

impl Fates {
    /// For this many pages, all open.
    pub(super) fn new(pages: usize) -> Self {
        Fates { fates: vec![Fate::Open; pages], refusals: HashMap::new() }
    }

    pub(super) fn of(&self, at: u32) -> Fate {
        self.fates[at as usize]
    }

    pub(super) fn is_taken(&self, at: u32) -> bool {
        self.of(at) != Fate::Open
    }

    /// Why the page has been refused so far.
    pub(super) fn refusal(&self, at: u32) -> Refusal {
        self.refusals.get(&at).cloned().unwrap_or_default()
    }

    /// The same, if a record has examined the page.
    pub(super) fn refused(&self, at: u32) -> Option<&Refusal> {
        self.refusals.get(&at)
    }

    pub(super) fn join(&mut self, at: u32, fate: Fate) {
        self.fates[at as usize] = fate;
        self.refusals.remove(&at);
    }

    /// Refuses a page; `same` is the record if it has the same id, `is_doubled` if it may be in the same language, too. Only the first
    /// such record is kept.
    pub(super) fn refuse(&mut self, at: u32, same: Option<(&str, i64)>, is_quoting: bool, is_doubled: bool) {
        let refusal = self.refusals.entry(at).or_default();
        refusal.is_quoting |= is_quoting;
        refusal.is_doubled |= is_doubled;
        if refusal.same.is_none() {
            refusal.same = same.map(|(r#type, id)| (r#type.into(), id));
        }
    }
}
