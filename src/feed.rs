//! Reads posts and comments from feeds: RSS 2.0, Atom and RDF (RSS 1.0), as WordPress writes them
//! (<https://developer.wordpress.org/advanced-administration/wordpress/feeds/>). An entry becomes the JSON of an item of the REST API;
//! other modules find feeds, and decide which entries become records.

mod appended;
mod entry;
mod gathered;
mod read;
mod rest;
mod whole;

pub(crate) use entry::{FeedEntry, identity};
pub(crate) use gathered::{Feeds, Gathered, Place};
#[cfg(feature = "fetch")]
pub(crate) use read::next_of;
pub(crate) use read::{FeedReader, START, is_feed};
pub(crate) use rest::Rest;
