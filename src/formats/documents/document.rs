//! Defines a document: a record that gets a file of its own, together with its path and with information from other records.

use super::identity::{Identity, document_key};
use super::links::Relinked;
use super::survey::{DocumentFile, Survey};
use crate::export::dataset::key::{Key, blog};
use crate::export::dataset::rights::is_of_text;
use crate::export::files::{Files, reference};
use crate::html::structure::{Block, Listener, Structure};
use crate::record::{CATEGORY, Image, Link, Post, TAG, Target, TermRef};
use crate::urls::PageUrl;
use std::collections::HashMap;

/// A document and the information about it from other records.
pub(crate) struct Document<'d> {
    pub(crate) post: &'d Post<'d>,
    pub(crate) json: &'d [u8],
    pub(crate) kind: &'d str,
    pub(crate) r#type: &'d str,
    /// Its file.
    pub(crate) place: DocumentFile,
    /// The lines of its comments, in the order of the input.
    pub(crate) comments: Vec<Vec<u8>>,
    survey: &'d Survey,
}

impl<'d> Document<'d> {
    /// Creates a document; `None` if the record cannot have a name.
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

    /// The hash by which the survey identifies it.
    pub(super) fn identity(&self) -> Identity {
        document_key(self.site(), self.kind, self.r#type, self.post.id, self.post.link.as_deref().unwrap_or_default())
    }

    pub(crate) fn site(&self) -> &str {
        self.post.site.as_deref().unwrap_or_default()
    }

    /// The scope in which its ids are unique: its blog, and its language.
    fn scope(&self) -> (u64, Option<&str>) {
        (blog(self.post.source.rest.as_deref()), self.post.language.as_deref())
    }

    /// When it was published, in UTC; if only the site's local time is known, this time, without a zone.
    pub(crate) fn published(&self) -> Option<&str> {
        self.post.date_gmt.as_deref().or(self.post.date.as_deref())
    }

    /// The name of its author: that of the user record, or else the one on its page.
    pub(crate) fn author(&self) -> Option<&str> {
        let id = self.post.author.filter(|id| *id != 0);
        let known = id.and_then(|id| self.survey.name("user", self.site(), id, self.scope()));
        known.or(self.post.author_name.as_deref())
    }

    /// Whether its author, and whether one of its terms, has an id but no name.
    pub(super) fn are_nameless(&self) -> [bool; 2] {
        let is_number = |name: &String| crate::wordpress::is_number(name);
        let ids = self.post.categories.iter().chain(&self.post.tags).map(|id| id.to_string());
        let ids: Vec<String> = ids.collect();
        let names = self.categories().into_iter().chain(self.tags());
        let has_nameless_term = names.filter(is_number).any(|name| ids.contains(&name));
        [self.post.author.is_some_and(|id| id != 0) && self.author().is_none(), has_nameless_term]
    }

    /// The licences of its text, or of its site: SPDX ids, or else URLs, or else words.
    pub(crate) fn licences(&self) -> Vec<String> {
        let own = self.post.rights.iter().filter(|one| one.kind.as_deref() == Some("licence") && is_of_text(one));
        let mut names: Vec<String> = Vec::new();
        for name in own.filter_map(|one| one.value.as_deref().or(one.url.as_deref())) {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// Its key in tables and graphs.
    pub(crate) fn key(&self) -> Key {
        Key::new(self.site(), self.r#type, self.post.id, self.post.link.as_deref())
    }

    /// The names of its terms: its categories, its tags, and those of each other taxonomy, in the record's order. Empty lists are
    /// omitted, except for the first two.
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

    pub(crate) fn categories(&self) -> Vec<String> {
        self.named(CATEGORY, &self.post.categories)
    }

    pub(crate) fn tags(&self) -> Vec<String> {
        self.named(TAG, &self.post.tags)
    }

    /// The names of the terms with these ids; without ids, of the terms of this taxonomy that its page shows.
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

    /// The name of a term: that of its record, or else the one in the post, or else its slug, or else its id.
    fn name_of(&self, term: &TermRef<'_>) -> Option<String> {
        let known = term.id.and_then(|id| self.survey.name("term", self.site(), id, self.scope()));
        let stated = || known.or(term.name.as_deref()).or(term.slug.as_deref()).map(str::to_owned);
        stated().or_else(|| term.id.map(|id| id.to_string()))
    }

    /// The file of the document that a reference leads to; `None` if it is not in this dataset.
    pub(crate) fn place_of(&self, target: &Target<'_>) -> Option<DocumentFile> {
        let r#type = target.r#type.as_deref()?;
        let kind = if r#type == "html" { "html" } else { "post" };
        let link = target.link.as_deref().unwrap_or_default();
        let language = self.survey.language_of(document_key(self.site(), kind, r#type, target.id, link))?;
        self.survey.place(self.site(), Some(language), (kind, r#type), target.id, link)
    }

    /// The relative reference that replaces a URL with this target; `None` without a file for it. Its fragment is dropped: the
    /// files have no anchors.
    fn way(&self, files: &Files, url: &str, target: Option<&Target<'_>>) -> Option<String> {
        let place = target.and_then(|target| self.place_of(target));
        let document = place.map(|place| reference(&self.place.way_to(&place, files.ending)));
        document.or_else(|| self.way_to_upload([Some(url), target.and_then(|target| self.upload(target))]))
    }

    /// The reference to the first of these uploads that is available.
    fn way_to_upload(&self, urls: [Option<&str>; 2]) -> Option<String> {
        let uploads = self.files()?.uploads.as_ref()?;
        let found = urls.into_iter().flatten().find_map(|url| uploads.find(url))?;
        Some(reference(&format!("{}{found}", "../".repeat(DocumentFile::DEPTH))))
    }

    /// How to write its links, if they lead to files.
    pub(super) fn files(&self) -> Option<&Files> {
        self.survey.files.as_ref()
    }

    pub(crate) fn links_files(&self) -> bool {
        self.files().is_some()
    }

    /// The URL of the upload that a reference leads to.
    pub(super) fn upload(&self, target: &Target<'_>) -> Option<&str> {
        let id = target.id.filter(|_| target.r#type.as_deref() == Some("media"))?;
        let at_link = target.link.as_deref().and_then(|link| self.survey.upload_at(self.site(), id, link));
        at_link.or_else(|| self.survey.name("media", self.site(), id, self.scope()))
    }

    /// Its featured image: a reference to its file, or else its URL.
    pub(crate) fn featured_image(&self) -> Option<String> {
        let post = self.post;
        let id = post.featured_media.filter(|id| *id != 0);
        let known = id.and_then(|id| self.survey.name("media", self.site(), id, self.scope()));
        let (stated, known) = (post.featured_image.url.as_deref(), known.filter(|url| !url.is_empty()));
        self.way_to_upload([known, stated]).or_else(|| known.or(stated).map(str::to_owned))
    }

    /// The file of its parent, if that is in this dataset.
    pub(crate) fn parent(&self) -> Option<DocumentFile> {
        let id = self.post.parent.filter(|id| *id != 0)?;
        self.survey.place_of_id((self.site(), self.kind, self.r#type), id, self.scope())
    }

    /// Passes the structure of its content to `listener`: that of its HTML or, without HTML, of its text, one paragraph per line.
    pub(crate) fn tell_content(&self, structure: &mut Structure, listener: &mut impl Listener) {
        let content = &self.post.content;
        let references = (self.post.links.as_slice(), self.post.images.as_slice());
        self.tell((content.html.as_deref(), content.text.as_deref()), references, structure, listener);
    }

    /// Passes the structure of a part of this document to `listener`: HTML with these links and images or, without HTML, its text.
    pub(crate) fn tell(
        &self,
        (html, text): (Option<&str>, Option<&str>),
        references: (&[Link<'_>], &[Image<'_>]),
        structure: &mut Structure,
        listener: &mut impl Listener,
    ) {
        if let Some(html) = html {
            let page = self.post.link.as_deref().and_then(PageUrl::parse);
            let Some(files) = self.files() else { return structure.read(html, page.as_ref(), listener) };
            let targets = targets_of(references);
            let way = |url: &str| self.way(files, url, targets.get(url).copied());
            return structure.read(html, page.as_ref(), &mut Relinked { listener, way });
        }
        for line in text.unwrap_or_default().split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty()) {
            listener.open(Block::Paragraph);
            listener.text(line);
            listener.close(Block::Paragraph);
        }
    }
}

/// The targets of these links and images, by their URLs.
fn targets_of<'r>((links, images): (&'r [Link<'r>], &'r [Image<'r>])) -> HashMap<&'r str, &'r Target<'r>> {
    let links = links.iter().map(|link| (&link.url, &link.target));
    let images = images.iter().map(|image| (&image.url, &image.target));
    let known = links.chain(images).filter(|(_, target)| target.r#type.is_some());
    known.filter_map(|(url, target)| Some((url.as_deref()?, target))).collect()
}

/// A table with a row for each document.
#[derive(Debug)]
pub(crate) struct Table {
    /// Its name in the dataset's folder.
    pub(crate) name: &'static str,
    /// The names of its columns, with the line's end.
    pub(crate) header: &'static str,
    /// The ending of the documents' file names.
    pub(crate) ending: &'static str,
    /// Writes the row of a document whose file name has this ending.
    pub(crate) row: fn(&Document<'_>, &str, &mut Vec<u8>),
}
