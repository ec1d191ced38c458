//! Groups the pages that may have the same template: those of one scrape, type and language.

use crate::scrape::{Page, language_of};

/// The pages of a scrape that may have one template: those of one type and language.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TemplateGroup {
    root: u32,
    r#type: String,
    language: Option<String>,
}

impl TemplateGroup {
    /// The kind of a page. A page that does not state its type may be a post.
    pub(super) fn of(page: &Page) -> Self {
        let r#type = page.r#type.as_deref().unwrap_or("post").to_owned();
        TemplateGroup { root: page.root, r#type, language: language_of(page) }
    }
}
