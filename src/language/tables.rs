//! Parses the tables of switchers as written in TOML, with positions for messages. [`super::switchers`] applies them to
//! pages.

use serde::Deserialize;
use std::fmt;
use toml::Spanned;

/// Why a file of switchers is invalid. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SwitchersError {
    /// The line in the file.
    pub(crate) line: u64,
    /// The column in the line.
    pub(crate) column: u64,
    /// The problem, on one line.
    pub(crate) what: String,
}

impl fmt::Display for SwitchersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.what)
    }
}

impl std::error::Error for SwitchersError {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    switcher: Vec<Spanned<Table>>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub(super) name: Spanned<String>,
    pub(super) root: Option<Spanned<String>>,
    pub(super) item: Spanned<String>,
    pub(super) link: Option<Spanned<String>>,
    #[serde(default = "href")]
    pub(super) href: String,
    pub(super) current: Option<Spanned<String>>,
    pub(super) untranslated: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) code: Vec<Spanned<CodeTable>>,
    #[serde(default)]
    pub(super) strip: Vec<String>,
    #[serde(default)]
    pub(super) shared_ids: bool,
}

fn href() -> String {
    "href".to_owned()
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CodeTable {
    pub(super) of: Spanned<String>,
    pub(super) attribute: Option<String>,
    pub(super) pattern: Option<String>,
    pub(super) class: Option<String>,
    pub(super) id: Option<String>,
    pub(super) file: Option<String>,
    pub(super) text: Option<String>,
}

impl SwitchersError {
    pub(super) fn at(text: &str, offset: usize, what: String) -> Self {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let line = memchr::memchr_iter(b'\n', before).count() as u64 + 1;
        SwitchersError { line, column: (before.len() - line_start) as u64 + 1, what: what.replace('\n', " ") }
    }
}

pub(super) fn unusable(text: &str, offset: usize, why: &str) -> SwitchersError {
    SwitchersError::at(text, offset, format!("selector cannot be used: {why}"))
}

pub(super) fn tables(text: &str) -> Result<Vec<Table>, SwitchersError> {
    let file: File = toml::from_str(text).map_err(|error| {
        SwitchersError::at(text, error.span().map_or(0, |span| span.start), error.message().to_owned())
    })?;
    let mut names: Vec<&str> = Vec::new();
    for table in &file.switcher {
        let name = &table.get_ref().name;
        if names.contains(&name.get_ref().as_str()) {
            let what = format!("duplicate switcher name: {}", name.get_ref());
            return Err(SwitchersError::at(text, name.span().start, what));
        }
        names.push(name.get_ref());
    }
    Ok(file.switcher.into_iter().map(Spanned::into_inner).collect())
}
