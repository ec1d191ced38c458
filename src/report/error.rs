//! Defines places in inputs, the error that ends a run, and the form in which messages are printed.

use std::borrow::Cow;
use std::fmt::{self, Display, Write as _};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

/// The longest message that is printed whole, in bytes.
const LONGEST: usize = 1000;

/// A place in an input. `file` is as the user typed it, `-` for stdin; `line` and `column` count from 1, 0 means
/// unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u64,
    /// The byte in the line, from 1.
    pub column: u64,
}

impl Place {
    /// A whole file.
    pub fn file(file: &str) -> Self {
        Place { file: file.into(), line: 0, column: 0 }
    }

    /// A line of a file.
    pub fn line(file: &Arc<str>, line: u64) -> Self {
        Place { file: file.clone(), line, column: 0 }
    }

    /// The same line, at a byte.
    pub fn column(mut self, column: u64) -> Self {
        self.column = column;
        self
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        for number in [self.line, self.column].into_iter().take_while(|&n| n > 0) {
            write!(f, ":{number}")?;
        }
        Ok(())
    }
}

/// Why a run ends early. Everything except [`Error::BrokenPipe`] and [`Error::Strict`] is a fatal error.
#[derive(Debug)]
pub enum Error {
    /// A file could not be read or written.
    Io {
        /// The file as the user typed it.
        file: String,
        /// The system's error.
        source: io::Error,
    },
    /// Anything else that stops a run; the text is for the user.
    Fatal(String),
    /// The request is probably a mistake: nothing is written, so that no good file is replaced. The text names the remedy.
    Refused(String),
    /// The input was broken off: the program that wrote it has failed, or was stopped, and may have printed the reason. The text is for
    /// the user.
    BrokenOff(String),
    /// The first reject of a run with `--strict`; it is already reported.
    Strict,
    /// The reader of the output has exited.
    BrokenPipe,
}

impl Error {
    /// Creates an I/O error with the name of its file.
    pub fn io(file: impl Into<String>, source: io::Error) -> Self {
        Error::Io { file: file.into(), source }
    }

    /// Creates an I/O error with the path of its file.
    pub fn at(path: impl AsRef<Path>, source: io::Error) -> Self {
        Error::io(shown_path(path.as_ref()), source)
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io { file, source } => f.write_str(&shown(&format!("{file}: {}", describe_io(source)))),
            Error::Fatal(what) | Error::Refused(what) | Error::BrokenOff(what) => f.write_str(&shown(what)),
            Error::Strict => f.write_str("stopped at the first reject"),
            Error::BrokenPipe => f.write_str("broken pipe"),
        }
    }
}

impl std::error::Error for Error {}

/// A word of a command, quoted for a shell.
pub(crate) fn in_shell(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
    match word.chars().all(is_plain) && !word.is_empty() {
        true => Cow::Borrowed(word),
        false => Cow::Owned(format!("'{}'", word.replace('\'', "'\\''"))),
    }
}

/// Whether the system reports this error. Otherwise the data are damaged: their decoder reports it.
pub(crate) fn is_of_system(error: &io::Error) -> bool {
    error.raw_os_error().is_some()
}

/// The system's error message without Rust's "(os error N)".
pub(crate) fn describe_io(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error ") {
        Some(at) => text[..at].to_lowercase(),
        // Rust's message, if the system's has been lost.
        None if error.kind() == io::ErrorKind::NotFound && error.get_ref().is_none() => {
            "no such file or directory".to_owned()
        }
        None => text,
    }
}

/// Escapes control characters as `\xNN` or `\u{NNNN}`, so that messages about an input cannot control a terminal.
pub(crate) fn escape_control(text: &str) -> Cow<'_, str> {
    let steers = |c: char| {
        c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if !steers(c) {
            out.push(c);
        } else if (c as u32) < 0x100 {
            let _ = write!(out, "\\x{:02x}", c as u32);
        } else {
            let _ = write!(out, "\\u{{{:x}}}", c as u32);
        }
    }
    Cow::Owned(out)
}

/// A path for messages; bytes that are not UTF-8 become `\xNN`.
pub(crate) fn shown_path(path: &Path) -> String {
    let mut out = String::new();
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        out += chunk.valid();
        out.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    out
}

/// The printed form of a message: without control characters, and shortened in the middle if it is too long, because the place at its
/// start and the reason at its end matter most.
pub(super) fn shown(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST {
        return escape_control(text);
    }
    let before = |at: usize| (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let (head, tail) = (&text[..before(LONGEST / 2)], &text[before(text.len() - LONGEST / 2)..]);
    Cow::Owned(format!("{} [...] {}", escape_control(head), escape_control(tail)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_prints_what_is_known() {
        assert_eq!(Place::file("a").to_string(), "a");
        assert_eq!(Place::line(&"a".into(), 3).to_string(), "a:3");
        assert_eq!(Place::line(&"a".into(), 3).column(7).to_string(), "a:3:7");
    }

    #[test]
    fn messages_cannot_steer_a_terminal() {
        assert_eq!(escape_control("a\x1b[2J\u{9b}\u{202e}b\n"), "a\\x1b[2J\\x9b\\u{202e}b\\x0a");
    }
}
