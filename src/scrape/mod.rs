//! A scrape: its files, the heads of its pages, what each page says of itself.
//! Which record a page belongs to is decided by wp-index.

mod walk;

pub use walk::{Found, walk};
