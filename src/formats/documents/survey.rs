//! Surveys all records for the information that documents need from each other: files, authors, terms, comments. It keeps only
//! information from other records, never a document itself.

use super::comments::{Comments, Spooled};
use super::glimpse::{Glimpse, Named, Wants, look_at, name_hash, names_by_slug, names_of, scope};
use super::identity::{Hosted, Identity, UNDETERMINED, document_key, id_key, named_key};
use crate::export::dataset::names::{self, Names};
use crate::export::dataset::sites::Sites;
use crate::export::files::Files;
use crate::export::job::Job;
use crate::ndjson::{Line, gather_lines};
use crate::record::Comment;
use crate::report::{Error, Notes, Report};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// The variant in which each document's comments follow its text.
pub(crate) const COMMENTS: &str = "comments";
/// The variant whose files are named after the slugs of documents.
pub(crate) const SLUG: &str = "slug";

/// The result of the survey. Memory: about 270 bytes per document, 100 per user or term in addition to its name, 80 per comment.
pub(crate) struct Survey {
    /// Whether comments were asked for.
    pub(super) has_comments: bool,
    /// The length of the longest document in bytes.
    pub(super) max_record: usize,
    /// The languages of the documents, by site, kind, type, id and link.
    languages: HashMap<Identity, Arc<str>>,
    /// The documents with the same id, by site and id.
    twins: HashMap<Identity, Vec<Twin>>,
    /// Users and terms, by site, kind and id.
    names: HashMap<Identity, Vec<Named>>,
    /// The lines whose document has come before.
    repeated: HashSet<(Arc<str>, u64)>,
    comments: Comments,
    sites: Sites,
    /// How to write links, if they lead to files.
    pub(super) files: Option<Files>,
    /// The slugs of documents, if files are named after them.
    slugs: Option<HashMap<Identity, Box<str>>>,
    /// The sites' folders.
    folders: Names,
    /// The hashes of the possible names of a site's documents.
    names_seen: HashSet<u64>,
    /// The hashes of names that more than one document may have.
    contested: HashSet<u64>,
}

/// One of the documents that share an id.
struct Twin {
    document: Identity,
    blog: u64,
    link: Box<str>,
}

/// The file of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DocumentFile {
    /// The folder, `SITE/LANGUAGE`.
    pub(crate) folder: String,
    /// The name: `TYPE-ID`, `TYPE-ID-HASH` or `TYPE-HASH`, unique among the documents of the site, whatever their language, or a name by
    /// slug, unique in the folder. HASH is longer if two names would otherwise be the same, ignoring case.
    pub(crate) name: String,
}

impl DocumentFile {
    /// The number of folders between the dataset's folder and a document.
    pub(crate) const DEPTH: usize = 2;

    /// The path below the dataset's folder, without the ending.
    pub(crate) fn path(&self) -> String {
        format!("{}/{}", self.folder, self.name)
    }

    /// The relative path from this file's folder to another file.
    pub(crate) fn way_to(&self, other: &DocumentFile, ending: &str) -> String {
        if self.folder == other.folder {
            return format!("{}{ending}", other.name);
        }
        let same_site = self.folder.split('/').next() == other.folder.split('/').next();
        let way =
            if same_site { other.folder.split_once('/').map_or("", |(_, language)| language) } else { &other.folder };
        format!("{}{way}/{}{ending}", if same_site { "../" } else { "../../" }, other.name)
    }
}

impl Survey {
    /// Reads all records once, then rewinds. Errors in a line are reported on the second reading.
    pub(crate) fn of(job: &mut Job<'_>) -> Result<Survey, Error> {
        Survey::read(job, job.has(COMMENTS))
    }

    /// The same, including the comments of the documents, whether the job asks for them or not.
    pub(crate) fn with_comments(job: &mut Job<'_>) -> Result<Survey, Error> {
        Survey::read(job, true)
    }

    fn read(job: &mut Job<'_>, wants_comments: bool) -> Result<Survey, Error> {
        job.input.make_rereadable()?;
        let mut survey = Survey {
            has_comments: wants_comments,
            max_record: job.input.max_record(),
            languages: HashMap::new(),
            twins: HashMap::new(),
            names: HashMap::new(),
            repeated: HashSet::new(),
            comments: Comments::default(),
            sites: Sites::default(),
            files: None,
            slugs: job.has(SLUG).then(HashMap::new),
            folders: Names::of_sites(),
            names_seen: HashSet::new(),
            contested: HashSet::new(),
        };
        let mut found = Spooled::default();
        let selection = job.selection;
        let wants = Wants { comments: wants_comments, uploads: job.links, slugs: job.has(SLUG) };
        let (mut silent, mut tags) = (Report::silent("wp-export"), HashSet::new());
        gather_lines(
            job.input,
            &mut silent,
            job.jobs,
            || {
                move |line: Line<'_>, seen: &mut Vec<Glimpse>, _: &mut Notes| {
                    seen.extend(look_at(line, wants, selection))
                }
            },
            |seen: &mut Vec<Glimpse>| seen.drain(..).try_for_each(|seen| survey.take(seen, &mut tags, &mut found)),
        )?;
        survey.comments = found.finish(|hosted| survey.host(hosted))?;
        survey.names_seen = HashSet::new();
        job.input.rewind();
        Ok(survey)
    }

    fn take(&mut self, seen: Glimpse, tags: &mut HashSet<Arc<str>>, found: &mut Spooled) -> Result<(), Error> {
        match seen {
            Glimpse::Document { key, of_id, site, link, slug, names, language, blog, place } => {
                self.sites.add(&site);
                self.folders.name(&site);
                let language = language.as_deref().unwrap_or(UNDETERMINED);
                let tag = tags.get(language).cloned().unwrap_or_else(|| Arc::from(language));
                tags.insert(tag.clone());
                if self.languages.insert(key, tag).is_some() {
                    self.repeated.insert(place);
                    return Ok(());
                }
                if let Some(id) = of_id {
                    self.twins.entry(id).or_default().push(Twin { document: key, blog, link: link.into() });
                }
                if let (Some(slugs), Some(slug)) = (&mut self.slugs, slug) {
                    slugs.insert(key, slug);
                }
                let seen = names.into_iter().flatten().filter(|name| !self.names_seen.insert(*name));
                self.contested.extend(seen);
            }
            Glimpse::Named { key, named } => self.names.entry(key).or_default().push(named),
            Glimpse::Comment { hosted, line } => found.add(hosted, &line)?,
        }
        Ok(())
    }

    /// The sites of the documents, in the order of the input.
    pub(crate) fn sites(&self) -> &[String] {
        self.sites.labels()
    }

    pub(super) fn folders(&self) -> &Names {
        &self.folders
    }

    /// The languages of the documents, sorted.
    pub(crate) fn tags(&self) -> Vec<&str> {
        let tags: BTreeSet<&str> =
            self.languages.values().map(|tag| &**tag).filter(|tag| *tag != UNDETERMINED).collect();
        tags.into_iter().collect()
    }

    /// Whether the document of this line has come before.
    pub(super) fn is_repeated(&self, line: &Line<'_>) -> bool {
        !self.repeated.is_empty() && self.repeated.contains(&(line.file.clone(), line.number))
    }

    /// The lines of the comments of a document.
    pub(super) fn comments_of(&self, document: Identity) -> std::io::Result<Vec<Vec<u8>>> {
        self.comments.of(document)
    }

    pub(super) fn language_of(&self, document: Identity) -> Option<&str> {
        self.languages.get(&document).map(|tag| &**tag)
    }

    /// The file of a document; `None` if the document cannot have a name.
    pub(super) fn place(
        &self,
        site: &str,
        language: Option<&str>,
        (kind, r#type): (&str, &str),
        id: Option<i64>,
        link: &str,
    ) -> Option<DocumentFile> {
        let several = |id: i64| self.twins.get(&id_key(site, id)).is_some_and(|twins| twins.len() > 1);
        let scope = scope(site, self.slugs.is_some(), language);
        let is_contested = |name: &str| self.contested.contains(&name_hash(&scope, name));
        let slug = self.slugs.as_ref().and_then(|s| s.get(&document_key(site, kind, r#type, id, link)));
        let [first, second] = match slug {
            Some(slug) => {
                let [alone, longer] = names_by_slug(slug, r#type, id, link);
                [alone.filter(|name| !is_contested(name)), longer]
            }
            None => names_of(r#type, id, link),
        };
        let mut name = first.filter(|_| slug.is_some() || !id.is_some_and(several)).or(second)?;
        if is_contested(&name) {
            let id = id.map(|id| format!("-{id}")).unwrap_or_default();
            name = format!("{}{id}-{}", names::part(r#type), names::digest(&format!("{kind} {type} {link}")));
        }
        let folder = self.folders.known(site).map_or_else(|| names::part(site), str::to_owned);
        let language = language.filter(|tag| !tag.is_empty()).unwrap_or(UNDETERMINED);
        Some(DocumentFile { folder: format!("{folder}/{}", names::part(language)), name })
    }

    /// The file of the document with this id. If several documents share the id, one in this blog is preferred, then one in this
    /// language, then the one with the shortest link; ties are broken by byte order.
    pub(super) fn place_of_id(
        &self,
        (site, kind, r#type): (&str, &str, &str),
        id: i64,
        (blog, language): (u64, Option<&str>),
    ) -> Option<DocumentFile> {
        let is_it = |twin: &&Twin| twin.document == document_key(site, kind, r#type, Some(id), &twin.link);
        let mut twins: Vec<&Twin> = self.twins.get(&id_key(site, id))?.iter().filter(is_it).collect();
        let is_foreign = |twin: &Twin| self.language_of(twin.document) != language;
        twins.sort_by_key(|twin| (twin.blog != blog, is_foreign(twin), twin.link.len(), &twin.link));
        let twin = twins.first()?;
        self.place(site, self.language_of(twin.document), (kind, r#type), Some(id), &twin.link)
    }

    /// The same survey, with links that lead to files with this ending, if the job asks for them.
    pub(super) fn linking(mut self, job: &Job<'_>, ending: &'static str) -> Self {
        self.files = job.links.then(|| Files { ending, uploads: job.uploads.clone() });
        self
    }

    /// The name of a user or term, or the URL of an upload. If several records share the id, one in this blog is preferred, then one in
    /// this language, then the one with the shortest link; ties are broken by byte order.
    pub(super) fn name(&self, kind: &str, site: &str, id: i64, (blog, language): (u64, Option<&str>)) -> Option<&str> {
        let all = self.names.get(&named_key(site, kind, id))?;
        let is_of_blog = all.iter().any(|named| named.blog == blog);
        let of_blog = || all.iter().filter(|named| !is_of_blog || named.blog == blog);
        let same = of_blog().find(|named| named.language.is_some() && named.language.as_deref() == language);
        let best = same.or_else(|| of_blog().min_by_key(|named| (named.link.len(), &named.link)))?;
        Some(&best.name)
    }

    /// The URL of the upload with this link; it may be in another blog than the record that refers to it.
    pub(super) fn upload_at(&self, site: &str, id: i64, link: &str) -> Option<&str> {
        let all = self.names.get(&named_key(site, "media", id))?;
        all.iter().find(|named| named.link == link).map(|named| &*named.name)
    }

    /// The document that a comment belongs to.
    pub(super) fn host_of(&self, comment: &Comment<'_>) -> Option<Identity> {
        self.host(Hosted::of(comment)?)
    }

    fn host(&self, comment: Hosted) -> Option<Identity> {
        let twins = self.twins.get(&comment.post)?;
        let by_link = twins.iter().find(|twin| xxh3_64(twin.link.as_bytes()) == comment.link);
        let order = |twin: &&Twin| (twin.blog != comment.blog, twin.link.len(), twin.link.clone());
        by_link.or_else(|| twins.iter().min_by_key(order)).map(|twin| twin.document)
    }
}
