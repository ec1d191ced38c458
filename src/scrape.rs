//! Reads a scrape, which is the saved pages of a site, in files or in web archives: which files and captures are pages, the URL that each
//! was saved from, the URL that it states, and the record that it claims to show. The room `join` decides which record a page shows; the
//! stages that read whole pages do the rest.

mod archived;
mod capture;
mod claim;
mod feeds;
mod heads;
mod location;
mod mirror;
mod names;
mod newest;
mod no_content;
mod own_files;
mod page;
mod read;
mod revisit;
mod sample;
mod sites;
mod sniff;
mod sorted;
mod stated;
mod whole;

pub(crate) use capture::Capture;
pub(crate) use claim::{Claim, Space};
pub(crate) use location::{NO_HOST, is_public};
pub(crate) use mirror::is_mirror;
#[cfg(feature = "fetch")]
pub(crate) use no_content::is_challenge;
pub(crate) use own_files::OwnFiles;
pub(crate) use page::Page;
pub(crate) use read::{ScrapeOptions, folders};
pub(crate) use sample::{Sample, Samples, language_of};
pub(crate) use sites::{Site, Sites};
#[cfg(feature = "fetch")]
pub(crate) use sniff::is_html;
pub(crate) use stated::{unescape_query, without_index};
