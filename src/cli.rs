//! The command line that the programs share: the only module that touches stdin, stdout, stderr and the process.

mod bar;
mod flags;
mod inputs;
mod output;
pub mod pipe;
mod position;
mod run;
mod stop;

pub use flags::{Common, Texts, name_in_records, parse, parse_without_records};
pub use inputs::stdin;
pub use run::{Run, Writes};
use std::io::{self, IsTerminal};

/// Whether stdout is a terminal.
pub fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}
