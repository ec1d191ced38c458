//! Joins the pages of a scrape to the records of a dump: which page shows which record, which URLs lead to it, and what becomes
//! of the pages that no record takes. The room `scrape` has read the pages.
//!
//! There are three phases, each with a type of its own: [`Learning`] sees every record once and finds out where the scrape was
//! made; it becomes [`Joining`], which gives each record its page; the pages that are left are compared with each other.

mod addresses;
mod bases;
mod crowds;
mod entries;
mod fates;
mod home;
mod joining;
mod judge;
mod learning;
mod log;
mod outcome;
mod prefix;
mod settled;
mod twins;
mod untaken;
mod variants;

pub(crate) use joining::Joining;
pub(crate) use learning::{Learning, are_of_several_sites};
pub use outcome::Keep;
pub(crate) use outcome::{LeftOver, Saved, Shown, Sought};
