//! A scrape: its files, the heads of its pages, what each page states about itself, and which record it therefore
//! shows. The stages that read whole pages do the rest.

mod archived;
mod claim;
mod join;
mod location;
mod log;
mod page;
mod prefix;
mod read;
mod sniff;
mod sorted;
mod twins;
mod variants;

pub use join::{Keep, LeftOver, Record, Saved, Scrape, Shown, Sites};
pub use read::Reading;
