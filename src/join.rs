//! Joins the saved HTML pages of a site (a scrape) to the records of its dump: finds which page shows which record, which other URLs lead
//! to that record, and what to do with pages that belong to no record. The pages were read by `scrape`.
//!
//! There are three phases, each with its own type: [`Learning`] sees every record once and finds out where the scrape was made; it becomes
//! [`Joining`], which gives each record its page; finally the remaining pages are compared with each other.

mod addresses;
mod bases;
mod crowds;
mod entries;
mod fates;
mod home;
mod identities;
mod joining;
mod judge;
mod learning;
mod log;
mod outcome;
mod prefix;
mod settled;
mod template_group;
mod twins;
mod untaken;
mod variants;

pub(crate) use joining::Joining;
pub(crate) use learning::{Learning, are_of_several_sites};
pub use outcome::Keep;
pub(crate) use outcome::{LeftOver, Saved, Shown, Sought};
pub(crate) use prefix::rest_after;
pub(crate) use template_group::TemplateGroup;
