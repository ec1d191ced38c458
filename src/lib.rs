//! wpipe: Unix filters that turn a WordPress site (REST API dump, HTML scrape) into a linked, multilingual
//! research corpus. The programs are thin front ends (`bins/`) of this library.
//!
//! **The library is unstable**: what is public is what the programs, the fuzz targets and the example below need, and it changes with them. The
//! programs, their options and their records are not: they are what wpipe promises.
//!
//! # The house
//! A room uses only rooms below it (`tests/layers.rs` enforces this, and that all of them are drawn):
//!
//! ```text
//! the doors          wp-fetch wp-index wp-parse wp-translations wp-resolve wp-export wp-groups wp-language wp-diff wp-align wpipe
//!                   ┌──────────────────────────────────────────────────────────────────────────────────────────────────┐
//! the process       │ cli: flags, files, signals, exit statuses                                                        │
//!                   ├──────────────────────────────────────────────────────────────────────────────────────────────────┤
//! the whole pipe    │ pipe: the five stages as threads                                                                 │
//!                   ├─────────────────────────┬────────────────────────────────────────────────────────────────────────┤
//! the work          │ fetch: URL → dump       │ stage: index parse translations resolve export groups language diff …  │
//!                   ├─────────────────────────┴──┬─────────────────────────┬───────────────────────────────────────────┤
//! what is known     │ rest: the API's fields     │ export: the formats     │ registry: URL → record, by named rules    │
//!                   ├────────────────────────────┴────────────────────┬────┴───────────────────────────┬───────────────┤
//!                   │ alignment, minhash, pairs: documents alike      │ language: tags, switchers      │ sentences     │
//!                   ├─────────────┬──────────┬────────────────────────┴─────────────────────┬──────────┴───────────────┤
//! what is found     │ dump: items │ wxr      │ join: which page shows which item            │ scrape: pages            │
//!                   ├─────────────┴────────┬─┴────────────────┬────────────────────┬────────┴───────┬──────────────────┤
//! what a page says  │ page: head, template │ rights: licences │ boilerplate: words │ html: elements │ feed: entries    │
//!                   ├──────────────────────┴──────────────────┴────────────────────┴────────────────┴──────────────────┤
//! where it is kept  │ archive: WARC, WACZ                                                                              │
//!                   ├──────────────────────────┬──────────┬───────────────────────────────┬────────────────────────────┤
//! what it becomes   │ record: names, shapes    │ steps    │ urls: parse, join, compare    │ wordpress: classes, URLs   │
//!                   ├──────────────────────────┴──┬───────┴────┬────────────┬─────┬───────┴───┬─────────────┬──────────┤
//! bytes             │ ndjson: lines, threads      │ spill      │ whole_file │ xml │ codec     │ digest      │ tree     │
//!                   ├─────────────────────────────┴────────────┴────────────┴─────┴───────────┴─────────────┴──────────┤
//! what went wrong   │ report: places, rejects, defects, counts                                                         │
//!                   └──────────────────────────────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! A filter is one pass: a line comes in through [`ndjson`], its stage works on it with what the rooms below know, and a line goes out.
//! To see a whole one, read `bins/wp-parse.rs`, then [`stage::parse`].
//!
//! # The map
//!
//! | module | purpose |
//! |---|---|
//! | [`cli`] | common flags, inputs and outputs, exit codes: the only place that touches the process |
//! | [`pipe`] | the five stages at once, in one call |
//! | [`stage`] | the five stages, groups of near duplicates, languages of texts, changes between two fetches, sentence pairs, each `Options` and `run` |
//! | `fetch` | the network: from a URL to a dump and an archive (feature `fetch`) |
//! | `rest` | the REST API's JSON and what plugins add to it |
//! | [`export`] | the output formats, by what they are: documents, tables, parallel text, lines, a page; and the dataset's folder |
//! | [`registry`] | URL → its record, by named rules |
//! | `alignment` | which blocks and sentences of two documents belong together |
//! | `minhash` | how alike two texts are, by a few numbers kept of each |
//! | `pairs` | documents that are translations of each other, brought together |
//! | [`language`] | language tags, switchers as data, the evidence of a page |
//! | `sentences` | the sentences and words of a text, by language |
//! | `wxr` | exports of WordPress: their items as the REST API would give them |
//! | `join` | which page shows which record, and what becomes of the other pages |
//! | `scrape`, [`dump`] | finding pages and items |
//! | [`page`] | a scraped page: its encoding, its head, selectors and what they match, its main content |
//! | `rights` | licences, reservations and copyright lines, as pages, headers and fields state them |
//! | `boilerplate` | what the names of elements and short texts say of what is not content |
//! | `feed` | the entries of feeds: posts and comments, as items of the API |
//! | [`html`] | our tokenizer and element stack; the text, links, images, embeds and structure of a fragment |
//! | `archive` | WARC and WACZ files: their records, in order or from a place |
//! | [`record`] | names, shapes and order of the records: nothing else |
//! | `steps` | which programs a record has passed, with which options |
//! | [`urls`] | parse, join, normalised key |
//! | `wordpress` | WordPress' own facts: classes of pages, the grammar of its URLs, names of its types |
//! | [`ndjson`] | lines with their places, raw pass-through, ordered threads |
//! | `spill` | scratch files in TMPDIR: spools, a notebook, a sorter |
//! | `whole_file` | output files that appear complete or not at all |
//! | `xml` | the entries of feeds and exports, each as a small tree |
//! | `codec` | numbers and strings as few bytes |
//! | `digest` | SHA-256 |
//! | `tree` | the files below a directory, in a fixed order |
//! | [`report`] | places, rejects, defects, counts, the error type |
//!
//! # The whole pipe in Rust
//! ```
#![doc = include_str!("../examples/stages.rs")]
//! ```
#![warn(unreachable_pub)]

mod alignment;
mod archive;
mod boilerplate;
#[cfg(test)]
mod cases;
pub mod cli;
mod codec;
mod digest;
pub mod dump;
pub mod export;
mod feed;
#[cfg(feature = "fetch")]
pub mod fetch;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
pub mod html;
mod join;
pub mod language;
mod minhash;
pub mod ndjson;
pub mod page;
mod pairs;
pub mod pipe;
pub mod record;
pub mod registry;
pub mod report;
mod rest;
mod rights;
mod scrape;
mod sentences;
mod spill;
pub mod stage;
mod steps;
mod tree;
mod urls;
mod whole_file;
mod wordpress;
mod wxr;
mod xml;
