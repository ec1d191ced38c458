//! Defines a request to the site with its options ([`Ask`]), and the reasons to stop a fetch early ([`Stop`]).

use super::super::answer::Want;
use crate::report::Error;

/// Why a fetch stops early.
#[derive(Debug)]
pub(in super::super) enum Stop {
    /// The site no longer answers, or asks for a longer wait than allowed.
    Patience(String),
    /// An error on this machine.
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
    /// Whether to try only once, because a failure is informative enough.
    pub(in super::super) once: bool,
    /// The most attempts if HTML comes instead of JSON, for a URL that is only a guess.
    pub(in super::super) guesses: Option<u32>,
    /// Whether redirects may lead to other sites.
    pub(in super::super) may_leave: bool,
    /// Whether a logged answer will do in an update.
    pub(in super::super) is_same: bool,
    /// For a media file: its place in the folder, `media/HOST/PATH`, unless that is taken.
    pub(in super::super) file: Option<String>,
    /// For a media file: the type that its record states.
    pub(in super::super) stated: Option<String>,
    /// For a media file: when its record was changed.
    pub(in super::super) modified: Option<String>,
    /// For a media file: the most bytes that it may have.
    pub(in super::super) most: u64,
    /// The fields of the log's line.
    pub(in super::super) r#type: Option<String>,
    pub(in super::super) page: Option<u64>,
    pub(in super::super) offset: Option<u64>,
}

impl Ask {
    pub(in super::super) fn new(url: String, want: Want) -> Self {
        Ask { url, want, most: u64::MAX, ..Ask::default() }
    }
}
