//! HTML: the scraped page and the content of records.
//! What the findings mean is decided by the layers above.

mod encoding;
pub mod main_content;
pub(crate) mod needles;
mod outline;
pub mod page;
