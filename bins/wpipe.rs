//! wpipe: runs the five filters as a pipe, in one process. Built with the feature `multicall`, this file contains all programs, for
//! packages, and the name under which it is started selects one. The programs share most of their code, so one file takes a quarter of
//! the space of single programs.

use clap::CommandFactory;
use std::process::ExitCode;
use wpipe::cli::{self, pipe};
use wpipe::formats;

/// The name of a program's file, and its `main`.
#[cfg(feature = "multicall")]
type Program = (&'static str, fn() -> ExitCode);

macro_rules! programs {
    ($($path:literal as $module:ident),* $(,)?) => {
        $(
            #[path = $path]
            #[cfg_attr(not(feature = "multicall"), allow(dead_code, reason = "they are not started by their names"))]
            mod $module;
        )*

        /// The five filters of the pipe, with the names of their files.
        #[cfg(feature = "multicall")]
        const FILTERS: &[Program] = &[$(($path, $module::main)),*];

        /// The five filters as stages of a pipe.
        fn stages() -> Vec<pipe::Program> {
            vec![$(pipe::Program {
                command: $module::Flags::command(),
                called: |matches| Box::new($module::called(cli::passed(matches))),
            }),*]
        }
    };
}

programs! {
    "wp-index.rs" as index,
    "wp-parse.rs" as parse,
    "wp-translations.rs" as translations,
    "wp-resolve.rs" as resolve,
    "wp-export.rs" as export,
}

#[cfg(feature = "multicall")]
#[path = "wp-groups.rs"]
mod groups;

#[cfg(feature = "multicall")]
#[path = "wp-language.rs"]
mod language;

#[cfg(feature = "multicall")]
#[path = "wp-diff.rs"]
mod diff;

#[cfg(feature = "multicall")]
#[path = "wp-align.rs"]
mod align;

#[cfg(all(feature = "multicall", feature = "fetch"))]
#[path = "wp-fetch.rs"]
mod fetch;

/// Runs the program whose name this file was started under; `None` if that is wpipe itself.
#[cfg(feature = "multicall")]
fn as_another() -> Option<ExitCode> {
    use std::io::Write;
    #[cfg(feature = "fetch")]
    let fetch: Option<Program> = Some(("wp-fetch.rs", fetch::main));
    #[cfg(not(feature = "fetch"))]
    let fetch: Option<Program> = None;
    let beside: [Program; 4] = [
        ("wp-groups.rs", groups::main),
        ("wp-language.rs", language::main),
        ("wp-diff.rs", diff::main),
        ("wp-align.rs", align::main),
    ];
    let all = || FILTERS.iter().copied().chain(beside).chain(fetch);
    let programs = || all().filter_map(|(path, main)| Some((path.strip_suffix(".rs")?, main)));

    let started_as = std::env::args_os().next().unwrap_or_default();
    let name = std::path::Path::new(&started_as).file_name().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
    if let Some((_, main)) = programs().find(|(program, _)| *program == name) {
        return Some(main());
    }
    if name == "wpipe" {
        return None;
    }
    let names: Vec<&str> = programs().map(|(program, _)| program).collect();
    let version = env!("CARGO_PKG_VERSION");
    let _ =
        writeln!(std::io::stderr(), "wpipe {version}: start it as wpipe, or through a link named {}", names.join(", "));
    Some(ExitCode::from(2))
}

fn main() -> ExitCode {
    #[cfg(feature = "multicall")]
    if let Some(status) = as_another() {
        return status;
    }
    ExitCode::from(pipe::run(stages(), formats::ALL, std::env::args_os()))
}
