//! Where a program runs, alone or as a stage of wpipe: what it then reads and writes, and that only the first stage that fails says
//! why and at most one draws its progress.

use crate::ndjson::{Input, Output};
use std::process::ExitCode;

/// The place of a program; the default is that of one that runs alone.
#[derive(Default)]
pub struct Seat {
    pub(super) position: Option<Position>,
    /// What the stage before it hands on.
    pub input: Option<Input>,
    /// What the stage after it takes.
    pub output: Option<Output>,
}

impl Seat {
    /// That of a stage of wpipe.
    pub(super) fn between(input: Option<Input>, output: Option<Output>) -> Self {
        let position = match (&input, &output) {
            (None, _) => Position::First,
            (_, None) => Position::Last,
            _ => Position::Inner,
        };
        Seat { position: Some(position), input, output }
    }
}

/// The place of a stage in the pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    First,
    Inner,
    Last,
}

/// How a program has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// 0 success, 1 rejects or nothing found, 2 an error.
    pub status: u8,
    /// Whether the lines that it has written are all there.
    pub is_whole: bool,
    /// Whether they are not because those that it reads were broken off.
    pub is_cut: bool,
}

impl From<Ended> for ExitCode {
    fn from(ended: Ended) -> Self {
        ExitCode::from(ended.status)
    }
}
