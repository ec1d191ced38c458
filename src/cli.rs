//! Holds the command line that all programs share. No other module uses stdin, stdout, stderr and the exit status of the process.

mod bar;
mod before;
mod flags;
mod format;
mod inputs;
mod output;
pub mod pipe;
mod run;
mod seat;
mod stop;

use clap::builder::styling::Style;
pub use flags::{Common, Texts, name_in_records, parse, parse_without_records, passed, size};
pub use format::Formats;
pub use inputs::{scrapes_of, stdin};
pub use run::{Invocation, Writes};
pub use seat::{Ended, Seat};
use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::sync::LazyLock;

/// Prints a line on stderr in a single write, so that the messages of several programs of a pipeline do not mix. A line that cannot be
/// written is lost.
fn say(line: &str) {
    let _ = io::stderr().write_all(painted(format!("{line}\n").as_bytes()).as_ref());
}

/// Formats a message for stderr: on a terminal with the program's name in bold, unless `NO_COLOR` or `TERM` forbid that.
fn painted(line: &[u8]) -> Cow<'_, [u8]> {
    static HAS_COLOURS: LazyLock<bool> =
        LazyLock::new(|| anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never);
    match memchr::memmem::find(line, b": ") {
        Some(at) if *HAS_COLOURS && line.starts_with(b"wp") => {
            let bold = Style::new().bold();
            Cow::Owned(
                [format!("{bold}").as_bytes(), &line[..=at], format!("{bold:#}").as_bytes(), &line[at + 1..]].concat(),
            )
        }
        _ => Cow::Borrowed(line),
    }
}

/// Whether stdout is a terminal.
pub fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}
