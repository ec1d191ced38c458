//! All programs in one file, for packages: the name under which it is started decides which program runs. Most of their code
//! is common to all, so one file takes a quarter of the space of single programs.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

macro_rules! programs {
    ($($path:literal as $module:ident),* $(,)?) => {
        $(#[path = $path] mod $module;)*

        /// The programs, by the names of their files.
        const PROGRAMS: &[(&str, fn() -> ExitCode)] = &[$(($path, $module::main)),*];
    };
}

programs! {
    "wp-fetch.rs" as fetch,
    "wp-index.rs" as index,
    "wp-parse.rs" as parse,
    "wp-translations.rs" as translations,
    "wp-resolve.rs" as resolve,
    "wp-export.rs" as export,
}

fn main() -> ExitCode {
    let started_as = std::env::args_os().next().unwrap_or_default();
    let name = Path::new(&started_as).file_name().and_then(OsStr::to_str).unwrap_or_default();
    let names = || PROGRAMS.iter().filter_map(|(path, main)| Some((path.strip_suffix(".rs")?, main)));
    if let Some((_, main)) = names().find(|(program, _)| *program == name) {
        return main();
    }
    let names: Vec<&str> = names().map(|(program, _)| program).collect();
    let _ = writeln!(
        std::io::stderr(),
        "wpipe {}: start it through a link named {}",
        env!("CARGO_PKG_VERSION"),
        names.join(", ")
    );
    ExitCode::from(2)
}
