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
    /// Type and id of the record that has the id that the page claims.
    pub(super) same: Option<(Box<str>, i64)>,
    /// Whether the URL that the page states as its own belongs to a record.
    pub(super) is_quoting: bool,
    /// Whether the page claims an id, and was refused by a record that is not in another language. Such a page does not become a record.
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

    /// Why the page has been refused so far; empty if no record has refused it.
    pub(super) fn refusal(&self, at: u32) -> Refusal {
        self.refusals.get(&at).cloned().unwrap_or_default()
    }

    /// The same; `None` if no record has refused the page.
    pub(super) fn refused(&self, at: u32) -> Option<&Refusal> {
        self.refusals.get(&at)
    }

    pub(super) fn join(&mut self, at: u32, fate: Fate) {
        self.fates[at as usize] = fate;
        self.refusals.remove(&at);
    }

    /// Notes that a record has refused a page. `same` is that record if it has the id that the page claims; only the first one is kept.
    /// `is_quoting` and `is_doubled` are as in [`Refusal`].
    pub(super) fn refuse(&mut self, at: u32, same: Option<(&str, i64)>, is_quoting: bool, is_doubled: bool) {
        let refusal = self.refusals.entry(at).or_default();
        refusal.is_quoting |= is_quoting;
        refusal.is_doubled |= is_doubled;
        if refusal.same.is_none() {
            refusal.same = same.map(|(r#type, id)| (r#type.into(), id));
        }
    }
}
