//! Defines the place at which a program runs: alone, or as a stage of wpipe. In wpipe, stages exchange records in memory, only the first
//! stage that fails reports the cause, and at most one stage draws a progress bar.

use crate::ndjson::{Input, Output};
use std::process::ExitCode;

/// The place of a program; by default it runs alone.
#[derive(Default)]
pub struct Seat {
    pub(super) position: Option<Position>,
    /// The records from the stage before it.
    pub input: Option<Input>,
    /// The records for the stage after it.
    pub output: Option<Output>,
}

impl Seat {
    /// The place of a stage of wpipe.
    pub(super) fn between(input: Option<Input>, output: Option<Output>) -> Self {
        let position = match (&input, &output) {
            (None, _) => Position::First,
            (_, None) => Position::Last,
            _ => Position::Inner,
        };
        Seat { position: Some(position), input, output }
    }
}

/// The position of a stage in the pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    First,
    Inner,
    Last,
}

/// How a program has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The exit status: 0 for success, 1 for rejects or nothing found, 2 for an error.
    pub status: u8,
    /// Whether it has written all of its lines.
    pub is_whole: bool,
    /// Whether lines are missing because its input was broken off.
    pub is_cut: bool,
}

impl From<Ended> for ExitCode {
    fn from(ended: Ended) -> Self {
        ExitCode::from(ended.status)
    }
}
