//! The command line that the programs share: the only module that touches stdin, stdout, stderr and the process.

mod bar;
mod before;
mod flags;
mod inputs;
mod output;
pub mod pipe;
mod run;
mod seat;
mod stop;

pub use flags::{Common, Texts, name_in_records, parse, parse_without_records, passed, size};
pub use inputs::{scrapes_of, stdin};
pub use run::{Run, Writes};
pub use seat::{Ended, Seat};
use std::io::{self, IsTerminal, Write};

/// Says a line on stderr in a single write, so that the messages of several programs of a pipeline do not mix. One that cannot be said
/// is lost.
fn say(line: &str) {
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// Whether stdout is a terminal.
pub fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}
