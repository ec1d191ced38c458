//! A request as the parts of a fetch word it, and why they are told to stop.

use super::super::answer::Want;
use crate::report::Error;

/// Why a site is left before its end.
#[derive(Debug)]
pub(in super::super) enum Stop {
    /// The site does not answer any more, or asks to be left alone for longer than we wait.
    Patience(String),
    /// Something is wrong here.
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Error(error)
    }
}

/// A request.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Ask {
    pub(in super::super) url: String,
    pub(in super::super) want: Want,
    /// Whether to ask but once, because a failure tells enough.
    pub(in super::super) once: bool,
    /// How often to ask at most where HTML comes in place of JSON: that it is there is but a guess.
    pub(in super::super) guesses: Option<u32>,
    /// Whether it may lead to other sites.
    pub(in super::super) may_leave: bool,
    /// Whether it need not be asked for anew in an update.
    pub(in super::super) is_same: bool,
    /// Of a media file: where it belongs in the folder, `media/HOST/PATH`, unless that is taken; the type that its record
    /// states, and when that was changed.
    pub(in super::super) file: Option<String>,
    pub(in super::super) stated: Option<String>,
    pub(in super::super) modified: Option<String>,
    /// And the most bytes that it may have.
    pub(in super::super) most: u64,
    /// What the log tells of it.
    pub(in super::super) r#type: Option<String>,
    pub(in super::super) page: Option<u64>,
    pub(in super::super) offset: Option<u64>,
}

impl Ask {
    pub(in super::super) fn new(url: String, want: Want) -> Self {
        Ask { url, want, most: u64::MAX, ..Ask::default() }
    }
}
