//! The one test program. Table of contents:
//!
//! - workdir: a temporary directory in which the real binaries are run
//! - layers: who may import whom in src/
//! - index, parse, translations, resolve, export: what each program promises in its man page
//! - formats: wp-export's tables, parallel text and graphs
//! - faults: what all five do with bad input, full disks, readers that go away
//! - laws: what holds for the pipe as a whole: any `-j`, any cut of the input, any second run
//! - peer: each record that kills wpextract 1.1.1
//! - demo: the example site, end to end
//! - manual: flags and fields against the man pages; every console block of the docs

// Tests may unwrap: a panic is how they fail.
#![allow(clippy::unwrap_used)]

mod demo;
mod export;
mod faults;
mod formats;
mod index;
mod laws;
mod layers;
mod manual;
mod parse;
mod peer;
mod translations;
mod workdir;
