//! A scrape: its files, the heads of its pages, what each page says of itself, and which record it therefore shows.
//! What is in the pages beyond that is for the stages that read them.

mod claim;
mod join;
mod location;
mod page;
mod prefix;
mod read;
mod sniff;
mod variants;
mod walk;

pub use join::{LeftOver, Record, Scrape, Shown};
pub use walk::walk;
