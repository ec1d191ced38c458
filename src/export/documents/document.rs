//! A document: a record that gets a file, where that is, and what other records say of it.

use super::identity::{Identity, document_key};
use super::survey::{DocumentFile, Survey};
use crate::export::dataset::key::Key;
use crate::html::structure::{Block, Listener, Structure};
use crate::record::{Post, Target};
use crate::urls::PageUrl;

/// A document and what other records say of it.
pub(crate) struct Document<'d> {
    /// The record.
    pub(crate) post: &'d Post<'d>,
    /// Its JSON.
    pub(crate) json: &'d [u8],
    /// Shape of the record.
    pub(crate) kind: &'d str,
    /// WordPress' own word.
    pub(crate) r#type: &'d str,
    /// Where it goes.
    pub(crate) place: DocumentFile,
    /// The lines of its comments, in the order of the input.
    pub(crate) comments: Vec<Vec<u8>>,
    survey: &'d Survey,
}

impl<'d> Document<'d> {
    /// None if the record can have no name.
    pub(super) fn of(
        survey: &'d Survey,
        post: &'d Post<'d>,
        json: &'d [u8],
        (kind, r#type): (&'d str, &'d str),
    ) -> Option<Document<'d>> {
        let link = post.link.as_deref().unwrap_or_default();
        let site = post.site.as_deref().unwrap_or_default();
        let place = survey.place(site, post.language.as_deref(), (kind, r#type), post.id, link)?;
        Some(Document { post, json, kind, r#type, place, comments: Vec::new(), survey })
    }

    /// By which the survey knows it.
    pub(super) fn identity(&self) -> Identity {
        document_key(self.site(), self.kind, self.r#type, self.post.id, self.post.link.as_deref().unwrap_or_default())
    }

    /// Its site.
    pub(crate) fn site(&self) -> &str {
        self.post.site.as_deref().unwrap_or_default()
    }

    /// The name of its author, where there is a user record.
    pub(crate) fn author(&self) -> Option<&str> {
        let id = self.post.author.filter(|id| *id != 0)?;
        self.survey.name("user", self.site(), id, self.post.language.as_deref())
    }

    /// Its key, as in tables and graphs.
    pub(crate) fn key(&self) -> Key {
        Key::new(self.site(), self.r#type, self.post.id, self.post.link.as_deref())
    }

    /// The names of the terms with these ids, or the id if there is no record.
    pub(crate) fn terms(&self, ids: impl Iterator<Item = i64>) -> Vec<String> {
        let language = self.post.language.as_deref();
        let name = |id: i64| self.survey.name("term", self.site(), id, language).map(str::to_owned);
        ids.map(|id| name(id).unwrap_or_else(|| id.to_string())).collect()
    }

    /// Where the document is that a reference leads to; none if it is not in this dataset.
    pub(crate) fn place_of(&self, target: &Target<'_>) -> Option<DocumentFile> {
        let r#type = target.r#type.as_deref()?;
        let kind = if r#type == "html" { "html" } else { "post" };
        let link = target.link.as_deref().unwrap_or_default();
        let language = self.survey.language_of(document_key(self.site(), kind, r#type, target.id, link))?;
        self.survey.place(self.site(), Some(language), (kind, r#type), target.id, link)
    }

    /// Tells the structure of its content: of its HTML, and where there is none, of its text, a paragraph a line.
    pub(crate) fn tell_content(&self, structure: &mut Structure, listener: &mut impl Listener) {
        let content = &self.post.content;
        self.tell(content.html.as_deref(), content.text.as_deref(), structure, listener);
    }

    /// Tells the structure of some HTML of this document, or of its text where there is none.
    pub(crate) fn tell(
        &self,
        html: Option<&str>,
        text: Option<&str>,
        structure: &mut Structure,
        listener: &mut impl Listener,
    ) {
        if let Some(html) = html {
            let page = self.post.link.as_deref().and_then(PageUrl::parse);
            return structure.read(html, page.as_ref(), listener);
        }
        for line in text.unwrap_or_default().split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty()) {
            listener.open(Block::Paragraph);
            listener.text(line);
            listener.close(Block::Paragraph);
        }
    }
}

/// A table with a row for each document.
#[derive(Debug)]
pub(crate) struct Table {
    /// Its name in the dataset's folder.
    pub(crate) name: &'static str,
    /// The names of its columns, with the line's end.
    pub(crate) header: &'static str,
    /// Writes the row of a document.
    pub(crate) row: fn(&Document<'_>, &mut Vec<u8>),
}
