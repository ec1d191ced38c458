//! Keeps, for each page of a scrape, whether a record has taken it so far, as its page or as another of its URLs, or why it
//! was refused.

use std::collections::HashMap;

/// What has become of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Fate {
    /// No record has taken it.
    #[default]
    Open,
    /// It is the page of a record.
    Joined,
    /// It has another URL of a record.
    Alias,
}

/// Why a page is not the page of a record although it has its id or its URL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Refusal {
    /// Type and id of the record whose id it has.
    pub(super) same: Option<(Box<str>, i64)>,
    /// Whether the URL it states is that of a record.
    pub(super) is_quoting: bool,
}

/// The fates of the pages, by their numbers.
pub(super) struct Fates {
    fates: Vec<Fate>,
    /// Few pages are refused.
    refusals: HashMap<u32, Refusal>,
}

impl Fates {
    /// Of so many pages, which are all open.
    pub(super) fn new(pages: usize) -> Self {
        Fates { fates: vec![Fate::Open; pages], refusals: HashMap::new() }
    }

    pub(super) fn of(&self, at: u32) -> Fate {
        self.fates[at as usize]
    }

    pub(super) fn is_taken(&self, at: u32) -> bool {
        self.of(at) != Fate::Open
    }

    /// Why no record has taken it, so far.
    pub(super) fn refusal(&self, at: u32) -> Refusal {
        self.refusals.get(&at).cloned().unwrap_or_default()
    }

    /// The same, if a record has looked at it.
    pub(super) fn refused(&self, at: u32) -> Option<&Refusal> {
        self.refusals.get(&at)
    }

    pub(super) fn join(&mut self, at: u32, fate: Fate) {
        self.fates[at as usize] = fate;
        self.refusals.remove(&at);
    }

    /// It is not the page of a record: `same`, if it has its id. The first record is noted.
    pub(super) fn refuse(&mut self, at: u32, same: Option<(&str, i64)>, is_quoting: bool) {
        let refusal = self.refusals.entry(at).or_default();
        refusal.is_quoting |= is_quoting;
        if refusal.same.is_none() {
            refusal.same = same.map(|(r#type, id)| (r#type.into(), id));
        }
    }
}
