//! This is the one test program. Its parts:
//!
//! - workdir: a temporary directory in which the real binaries are run
//! - layers: which module of src/ may import which
//! - index, parse, translations, resolve, export: what each program promises in its man page
//! - archives: WARC and WACZ files as scrape and as dump
//! - pages: which page shows which record, on mirrors and sites that make that hard
//! - identities: pages that state type and id of a post are records of that type, with and without a dump
//! - doors: one record from several sources: the REST API, an export, a feed
//! - exports: exports of WordPress as a dump
//! - fetch: wp-fetch against a server that the tests provide (server), with every fault that a site may have
//! - sites: wp-fetch against generated sites: closed sites whose fetch is killed, all kinds of sitemaps, malicious
//!   servers
//! - media: wp-fetch --media, with every fault that a file and its host may have
//! - formats: wp-export's tables, parallel text and graphs
//! - documents: wp-export with one file per document: text, markdown, tei
//! - local: wp-export with `--links files`: documents whose links lead to each other, file names made from slugs
//! - pseudonyms: wp-export with `--pseudonyms`: names of persons in all formats
//! - align: wp-align on a generated site with known alignments, and the formats of sentence pairs
//! - groups: wp-groups on datasets, and on bad input
//! - language: wp-language on texts of known languages
//! - diff: wp-diff on two fetches of a site, and on bad input
//! - overview: wp-export's report for people
//! - feeds: posts and comments from feeds in scrapes and archives, damaged feeds, counts
//! - faults: how all five handle bad input, full disks and readers that exit early
//! - signals: the files that remain when a run ends by a signal, a limit or for lack of memory
//! - hostile: malicious data: whether they take more time or memory than their size explains
//! - growth: time grows linearly with the input, whatever repeats or nests in it
//! - stated: statements of a page on itself: titles, dates, encodings; the sentences of all scripts, threads, lists
//! - mirrors: names, links and pages as rewritten by wget and HTTrack, and sites without a dump
//! - permalinks: which URL of a page is its own, in generated mirrors by wget and HTTrack
//! - mistaken: inputs that are not what they seem, stages that were left out
//! - laws: laws for the pipe as a whole: any `-j`, any split of the input, any second run
//! - targets: links have no wrong target, over generated sites of several hosts with records on hosts of others
//! - multisite: links have no target in another blog, over generated networks with colliding ids, slugs and uploads
//! - template: text that repeats over the pages of a site is not the text of one, whichever of them are read
//! - place: where the known contents of a site are, its other pages have theirs
//! - rights: licences, reservations and copyright lines, in every place that states them
//! - ends: end records, which show that a dataset is complete
//! - steps: how a dataset states the programs that made it
//! - peer: records that each crash wpextract 1.1.1
//! - demo: the example site, end to end
//! - corpus: the Makefile for many sites: what reruns after a change, and what remains when a stage fails
//! - beside: the documents that wp-export adds to a dataset: schemas, card
//! - joined: wpipe against the pipe that it prints, and faults in each of its stages
//! - pipe: wpipe, the one command that runs the five
//! - progress: the output on a terminal, and its absence elsewhere
//! - manual: flags and fields against the man pages; every console block in the documentation
//! - english: a ledger of unidiomatic phrases in everything that users read

// Tests may unwrap: a panic is how they fail.
#![allow(clippy::unwrap_used)]

mod align;
mod archives;
mod beside;
mod corpus;
mod demo;
mod diff;
mod documents;
mod doors;
mod ends;
mod english;
mod export;
mod exports;
mod faults;
mod feeds;
#[cfg(feature = "fetch")]
mod fetch;
mod formats;
mod groups;
mod growth;
mod hostile;
mod identities;
mod index;
mod joined;
mod language;
mod laws;
mod layers;
mod local;
mod manual;
#[cfg(feature = "fetch")]
mod media;
mod mirrors;
mod mistaken;
mod multisite;
mod overview;
mod pages;
mod parse;
mod peer;
mod permalinks;
mod pipe;
mod place;
mod progress;
mod pseudonyms;
mod rights;
#[cfg(feature = "fetch")]
mod server;
mod signals;
#[cfg(feature = "fetch")]
mod sites;
mod stated;
mod steps;
mod targets;
mod template;
mod translations;
mod workdir;
