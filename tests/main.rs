//! The one test program. Table of contents:
//!
//! - workdir: a temporary directory in which the real binaries are run
//! - layers: who may import whom in src/
//! - index, parse, translations, resolve, export: what each program promises in its man page
//! - formats: wp-export's tables, parallel text and graphs
//! - documents: wp-export with a file a document: text, markdown, tei
//! - faults: what all five do with bad input, full disks, readers that go away
//! - laws: what holds for the pipe as a whole: any `-j`, any cut of the input, any second run
//! - peer: each record that kills wpextract 1.1.1
//! - demo: the example site, end to end
//! - corpus: the Makefile for many sites: what runs again when something changes, and what is left when a stage fails
//! - beside: what wp-export writes beside a dataset: schemas, card
//! - progress: what is drawn on a terminal, and that nothing is drawn elsewhere
//! - manual: flags and fields against the man pages; every console block of the docs

// Tests may unwrap: a panic is how they fail.
#![allow(clippy::unwrap_used)]

mod beside;
mod corpus;
mod demo;
mod documents;
mod export;
mod faults;
mod formats;
mod index;
mod laws;
mod layers;
mod manual;
mod parse;
mod peer;
mod progress;
mod translations;
mod workdir;
