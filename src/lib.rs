//! wpipe: Unix filters that turn a WordPress site (REST API dump, HTML scrape) into a linked, multilingual
//! research corpus. The programs are thin front ends (`bins/`) of this library.
//!
//! **The library is unstable**: its public items are those that the programs, the fuzz targets and the example below need, and they
//! change with them. wpipe promises its programs, their options and their records.
//!
//! # The pipe
//!
//! ```sh
//! wp-fetch https://site.example/ -d raw/
//! wp-index raw/dump --scrape raw/scrape | wp-parse | wp-translations | wp-resolve | wp-export -d dataset/
//! ```
//!
//! | program | does |
//! |---|---|
//! | wp-fetch | downloads a site through its REST API or its feeds, with an archive of every answer |
//! | wp-index | finds the items in dumps, exports and feeds, and the page of each |
//! | wp-parse | makes a complete record of each item: text, links, images, dates |
//! | wp-translations | opens the pages for languages, translations, and texts that the API lacks |
//! | wp-resolve | finds the record behind each link, image and translation |
//! | wp-export | writes a dataset in one of its formats |
//! | wpipe | runs the five filters in one process |
//!
//! Beside the pipe, wp-groups marks texts that are nearly the same, wp-language marks each text with its own language, wp-diff lists what
//! changed between two fetches, and wp-align aligns the sentences of translations.
//!
//! A filter is one pass: a line comes in through [`ndjson`], its stage works on it with the rooms below, and a line goes out.
//! To see a whole one, read `bins/wp-parse.rs`, then [`stage::parse`].
//!
//! # The rooms
//! A room is a module of `src` with the files in its folder. It uses only rooms below it. The rooms of the pipe are those that its five
//! programs and wpipe need; they use none of those beside it, whose formats wp-export gets as a table. `tests/layers.rs` enforces all of
//! this, and that all rooms are drawn:
//!
//! ```text
//!                   the pipe                                                        beside it
//!                   ┌──────────────────────────────────────────────────────────────╥───────────────────────────────────┐
//! programs          │ wp-index wp-parse wp-translations wp-resolve wp-export wpipe ║ wp-fetch wp-groups                │
//!                   │                                                              ║ wp-language wp-diff wp-align      │
//!                   ├──────────────────────────────────────────────────────────────╫───────────────────────────────────┤
//! process           │ cli: flags, files, signals, exit statuses                    ║                                   │
//!                   ├──────────────────────────────────────────────────────────────╫───────────────────────────────────┤
//! pipe              │ pipe: the five stages as threads                             ║                                   │
//!                   ├──────────────────────────────────────────────────────────────╫───────────────────────────────────┤
//! stages            │ stage: index parse translations resolve export               ║ fetch: URL → dump                 │
//!                   │                                                              ║ groups language diff align        │
//!                   ├──────────────────────────────────────────────────────────────╫───────────────────────────────────┤
//! formats, answers  │ rest: the API's fields                                       ║ formats: documents, tables …      │
//!                   ├─────────────────────────────┬────────────────────────────────╫───────────────────────────────────┤
//!                   │ export: dataset, JSON lines │ registry: URL → record by rules║                                   │
//!                   ├─────────────────────────────┴────────────────────────────────╫───────────────────────────────────┤
//! contents          │ place: where the theme of a site puts them                   ║                                   │
//!                   ├─────────────────────────────┬────────────────────────────────╫───────────────────────────────────┤
//!                   │ minhash: texts alike        │ language: tags, switchers      ║ alignment, pairs, sentences       │
//!                   ├────────────────┬──────────┬─┴────────────────────────────────╨─────┬─────────────────────────────┤
//! sources           │ dump: items    │ wxr      │ join: which page shows which item      │ scrape: pages               │
//!                   ├────────────────┴─────┬────┴─────────────┬────────────────────┬─────┴──────────┬──────────────────┤
//! pages             │ page: head, template │ rights: licences │ boilerplate: words │ html: elements │ feed: entries    │
//!                   ├──────────────────────┴──────────────┬───┴────────────────────┴────────────────┴──────────────────┤
//! archives, rules   │ archive: WARC, WACZ                 │ rule: names of the rules by which pages are read           │
//!                   ├──────────────────────────┬──────────┼───────────────────────────────┬────────────────────────────┤
//! records, URLs     │ record: names, shapes    │ steps    │ urls: parse, join, compare    │ wordpress: classes, URLs   │
//!                   ├──────────────────────────┴──┬───────┴────┬────────────┬─────┬───────┴───┬─────────────┬──────────┤
//! bytes             │ ndjson: lines, threads      │ spill      │ whole_file │ xml │ codec     │ digest      │ tree     │
//!                   ├─────────────────────────────┴────────────┴────────────┴─────┴───────────┴─────────────┴──────────┤
//! messages          │ report: places, rejects, defects, counts                                                         │
//!                   └──────────────────────────────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! | room | purpose |
//! |---|---|
//! | [`cli`] | reads flags, opens inputs and outputs, and sets exit statuses: the only place that touches the process |
//! | [`pipe`] | runs the five stages at once, as threads |
//! | `fetch` | downloads a site, from a URL to a dump and an archive (feature `fetch`): the only place that uses the network |
//! | [`stage`] | does the work of each filter, as `Options` and `run` |
//! | `rest` | reads the JSON of the REST API, and the fields that plugins add to it |
//! | [`formats`] | writes a dataset as documents, tables, parallel text, a report |
//! | [`export`] | writes a dataset as lines of JSON, with pseudonyms and a card, and replaces its folder |
//! | [`registry`] | finds the record of a URL by named rules, and the groups of translations |
//! | `place` | learns in which element a site has its contents, from pages whose content is known |
//! | `alignment` | decides which blocks and sentences of two documents belong together |
//! | `minhash` | estimates how alike two texts are, by a few numbers kept of each |
//! | `pairs` | brings documents together that are translations of each other |
//! | [`language`] | parses language tags, and weighs the evidence of a page: hreflang, switchers (as data) |
//! | `sentences` | splits a text into sentences and words, by language |
//! | [`dump`] | reads the items of a dump, however damaged |
//! | `wxr` | turns the items of a WordPress export into those of the REST API |
//! | `join` | decides which page shows which record, and what becomes of the other pages |
//! | `scrape` | lists the pages of a scrape, with the URL and the record that each states |
//! | [`page`] | reads a scraped page: encoding, head, template, and the place of its content, by named rules |
//! | `rights` | finds licences, reservations and copyright lines in pages, headers and fields |
//! | `boilerplate` | recognises by names and short texts what does not belong to a content, from one table |
//! | [`html`] | extracts text, links, images, embeds and structure from HTML, with our own tokenizer |
//! | `feed` | turns the entries of RSS, Atom and RDF into items of the REST API |
//! | `archive` | reads WARC and WACZ files, in order or from a place |
//! | `rule` | names the rules by which pages are read, to count them and to switch them off |
//! | [`record`] | declares the names, shapes and order of the records: nothing else |
//! | `steps` | notes in each record the programs that it passed, with their options |
//! | `urls` | parses, joins and compares URLs |
//! | `wordpress` | knows WordPress itself: classes of pages, the grammar of URLs, names of types |
//! | [`ndjson`] | reads and writes lines with their places, in ordered threads, and keeps untouched fields as they came |
//! | `spill` | keeps in TMPDIR what does not fit into memory: spools, a notebook, a sorter |
//! | `whole_file` | writes files that appear complete or not at all |
//! | `xml` | reads the entries of feeds and exports, each as a small tree |
//! | `codec` | packs numbers and strings into few bytes |
//! | `digest` | computes SHA-256, and a short hash of names |
//! | `tree` | lists the files below a directory, in a fixed order |
//! | [`report`] | holds messages, rejects, defects, counts, and the error type |
//!
//! # Words
//!
//! | word | meaning in names and comments |
//! |---|---|
//! | alias, copy | another URL that shows the same page; another file saved from the same URL |
//! | capture | one saved answer to a URL, with its time: a web archive may have many |
//! | claim | the record that a page says it shows, by an id in its head or its classes; `join` decides whether it is right |
//! | door | how an item comes in: the REST API, an export, a feed, a page |
//! | guest | a record whose link is on a host that is not the site's own |
//! | mark | a flag of an element, by the words of its class, id and role |
//! | own host, foreign host | a host that evidence shows to be the site's; one that has few of its records, or none |
//! | place | where something is: the URL that a page was saved from, the element with a content, the line of a message |
//! | quotation | a text of one page that another shows, as in a list of posts |
//! | reject, defect | input that cannot be passed on; input that is passed on with a null |
//! | room | a module of `src` with the files in its folder |
//! | run | the text between two tags of blocks; for sorting, what is sorted in memory at once |
//! | scrape | the saved pages of a site: files, or a web archive |
//! | statement | what a site or a page says about itself (its URL, language, licence), right or wrong |
//! | taken, untaken | a page is taken by the record that it shows; pages without one are untaken |
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
pub mod formats;
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
mod place;
pub mod record;
pub mod registry;
pub mod report;
mod rest;
mod rights;
mod rule;
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
