//! Finds out which program of wpipe's pipe this process is: only the first that fails says why, and at most one draws its
//! progress.

/// The variable by which wpipe tells it.
const VARIABLE: &str = "WPIPE_STAGE";

/// The place of a program in the pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    First,
    Inner,
    Last,
}

impl Position {
    /// That of number `at` of so many.
    pub(super) fn of(at: usize, programs: usize) -> Position {
        match at {
            0 => Position::First,
            _ if at + 1 == programs => Position::Last,
            _ => Position::Inner,
        }
    }

    /// The variable and its value for a program in this place.
    pub(super) fn variable(self) -> (&'static str, &'static str) {
        let value = match self {
            Position::First => "first",
            Position::Inner => "inner",
            Position::Last => "last",
        };
        (VARIABLE, value)
    }

    /// That of this process; none if wpipe has not started it.
    pub(super) fn here() -> Option<Position> {
        let said = std::env::var_os(VARIABLE)?;
        [Position::First, Position::Inner, Position::Last].into_iter().find(|position| position.variable().1 == said)
    }
}
