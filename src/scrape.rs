//! A scrape: its files, the heads of its pages, what each page states about itself, and which record it therefore
//! shows. The stages that read whole pages do the rest.

mod archived;
mod claim;
mod join;
mod location;
mod log;
mod outcome;
mod page;
mod prefix;
mod read;
mod sites;
mod sniff;
mod sorted;
mod twins;
mod variants;

pub use join::Scrape;
pub use outcome::{Keep, LeftOver, Record, Saved, Shown};
pub use read::Reading;
pub use sites::Sites;
