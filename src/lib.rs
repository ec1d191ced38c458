//! wpipe: five Unix filters that turn what a WordPress site gives out into a research corpus.
#![cfg_attr(test, allow(clippy::unwrap_used))]
pub mod cli;
pub mod dump;
pub mod export;
pub mod html;
pub mod language;
pub mod ndjson;
pub mod record;
pub mod report;
pub mod rest;
pub mod scrape;
pub mod spill;
pub mod stage;
pub mod urls;
