//! HTML: the scraped page and the content of records.
//! What the findings mean is decided by the layers above.

mod encoding;
pub mod main_content;
mod outline;
pub mod page;
use crate::record::*;
use crate::urls::PageUrl;
/// x
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextRules {
    /// x
    #[default]
    Rendered,
    /// x
    Wpextract,
}
/// x
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// x
    pub text: TextRules,
    /// x
    pub keep_captions: bool,
    /// x
    pub keep_tables: bool,
    /// x
    pub strip_shortcodes: bool,
}
/// x
pub struct Extractor;
/// x
#[derive(Default)]
pub struct Extracted {
    /// x
    pub text: String,
    /// x
    pub links: Vec<Link<'static>>,
    /// x
    pub images: Vec<Image<'static>>,
    /// x
    pub embeds: Vec<Embed<'static>>,
}
impl Extractor {
    /// x
    pub fn new(_: Options) -> Self {
        Extractor
    }
    /// x
    pub fn content(&mut self, _: &str, _: Option<&PageUrl>) -> Extracted {
        Extracted::default()
    }
    /// x
    pub fn text(&mut self, h: &str) -> String {
        h.to_string()
    }
}
