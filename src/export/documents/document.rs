//! A document: a record that gets a file, where that is, and what other records say of it.

use super::identity::{Identity, document_key};
use super::survey::{DocumentFile, Survey};
use crate::export::dataset::key::Key;
use crate::html::structure::{Block, Listener, Structure};
use crate::record::{CATEGORY, Post, TAG, Target, TermRef};
use crate::urls::PageUrl;
use std::collections::HashMap;

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

    /// The name of its author: that of the user record, else as its page has it.
    pub(crate) fn author(&self) -> Option<&str> {
        let id = self.post.author.filter(|id| *id != 0);
        let known = id.and_then(|id| self.survey.name("user", self.site(), id, self.post.language.as_deref()));
        known.or(self.post.author_name.as_deref())
    }

    /// Its key, as in tables and graphs.
    pub(crate) fn key(&self) -> Key {
        Key::new(self.site(), self.r#type, self.post.id, self.post.link.as_deref())
    }

    /// The names of its terms: of its categories, of its tags, of those of each other taxonomy in the order in which the record has
    /// them. Empty lists are left out but for the first two.
    pub(crate) fn terms(&self) -> Vec<(&str, Vec<String>)> {
        let mut lists =
            vec![(CATEGORY, self.named(CATEGORY, &self.post.categories)), (TAG, self.named(TAG, &self.post.tags))];
        let mut places: HashMap<&str, usize> = HashMap::new();
        for term in &self.post.terms {
            let taxonomy = term.taxonomy.as_deref().unwrap_or_default();
            if matches!(taxonomy, CATEGORY | TAG) {
                continue;
            }
            let Some(name) = self.name_of(term) else { continue };
            let place = *places.entry(taxonomy).or_insert(lists.len());
            if place == lists.len() {
                lists.push((taxonomy, Vec::new()));
            }
            lists[place].1.push(name);
        }
        lists
    }

    /// The names of its categories.
    pub(crate) fn categories(&self) -> Vec<String> {
        self.named(CATEGORY, &self.post.categories)
    }

    /// The names of its tags.
    pub(crate) fn tags(&self) -> Vec<String> {
        self.named(TAG, &self.post.tags)
    }

    /// The names of the terms with these ids; where there are none, of those of this taxonomy that its page shows.
    fn named(&self, taxonomy: &str, ids: &[i64]) -> Vec<String> {
        let stated = self.post.terms.iter().filter(|term| term.taxonomy.as_deref() == Some(taxonomy));
        if ids.is_empty() {
            return stated.filter_map(|term| self.name_of(term)).collect();
        }
        let stated: HashMap<i64, &TermRef<'_>> = stated.filter_map(|term| Some((term.id?, term))).collect();
        let bare = |id: i64| TermRef { id: Some(id), ..TermRef::default() };
        ids.iter()
            .filter_map(|id| stated.get(id).map_or_else(|| self.name_of(&bare(*id)), |term| self.name_of(term)))
            .collect()
    }

    /// The name of a term: that of its record, else as the post has it, else its slug, else its id.
    fn name_of(&self, term: &TermRef<'_>) -> Option<String> {
        let language = self.post.language.as_deref();
        let known = term.id.and_then(|id| self.survey.name("term", self.site(), id, language));
        let stated = || known.or(term.name.as_deref()).or(term.slug.as_deref()).map(str::to_owned);
        stated().or_else(|| term.id.map(|id| id.to_string()))
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
