//! wpipe: five Unix filters that turn what a WordPress site gives out into a research corpus.
#![cfg_attr(test, allow(clippy::unwrap_used))]
pub mod html;
pub mod record;
pub mod urls;
