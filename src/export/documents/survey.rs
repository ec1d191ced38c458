//! What a pass over all records reveals about the documents: their files, authors, terms, comments. It keeps only what
//! other records say, never a document itself.

use super::comments::{Comments, Spooled};
use super::glimpse::{Glimpse, Named, look_at, name_hash, names_of};
use super::identity::{Hosted, Identity, id_key, named_key};
use crate::export::dataset::names::{self, Names};
use crate::export::dataset::sites::Sites;
use crate::export::job::Job;
use crate::ndjson::{Line, gather_lines};
use crate::record::Comment;
use crate::report::{Error, Notes, Report};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Languages have this folder when nobody knows them: BCP 47's word for it.
const UNDETERMINED: &str = "und";

/// What is known of all documents. Memory: about 270 bytes a document, 100 a user or term beside its name, 80 a comment.
pub(crate) struct Survey {
    /// Whether comments were asked for.
    pub(super) has_comments: bool,
    /// Bytes of the longest document.
    pub(super) max_record: usize,
    /// The languages of the documents, by site, kind, type, id and link.
    languages: HashMap<Identity, Arc<str>>,
    /// The documents of an id, by site and id.
    twins: HashMap<Identity, Vec<Twin>>,
    /// Users and terms, by site, kind and id.
    names: HashMap<Identity, Vec<Named>>,
    /// Lines that repeat a document.
    repeated: HashSet<(Arc<str>, u64)>,
    comments: Comments,
    sites: Sites,
    /// The sites' folders.
    folders: Names,
    /// Hashes of names that documents of a site may have, and of those that more than one may have.
    names_seen: HashSet<u64>,
    contested: HashSet<u64>,
}

/// One of the documents that share an id.
struct Twin {
    document: Identity,
    link: Box<str>,
}

/// Where a document goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DocumentFile {
    /// `SITE/LANGUAGE`.
    pub(crate) folder: String,
    /// `TYPE-ID`, `TYPE-ID-HASH` or `TYPE-HASH`: no other document of the site has it, whatever its language. Where two would,
    /// upper and lower case aside, HASH is longer.
    pub(crate) name: String,
}

impl DocumentFile {
    /// The file below the dataset's folder, without its ending.
    pub(crate) fn path(&self) -> String {
        format!("{}/{}", self.folder, self.name)
    }

    /// The way from this file's folder to another file.
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
    ///
    /// # Errors
    /// When reading or spooling fails.
    pub(crate) fn of(job: &mut Job<'_>) -> Result<Survey, Error> {
        Survey::read(job, job.comments)
    }

    /// The same, with the comments of the documents, asked for or not.
    ///
    /// # Errors
    /// As [`Survey::of`].
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
            folders: Names::of_sites(),
            names_seen: HashSet::new(),
            contested: HashSet::new(),
        };
        let mut found = Spooled::default();
        let selection = job.selection;
        let (mut silent, mut tags) = (Report::silent("wp-export"), HashSet::new());
        gather_lines(
            job.input,
            &mut silent,
            job.jobs,
            || {
                move |line: Line<'_>, seen: &mut Vec<Glimpse>, _: &mut Notes| {
                    seen.extend(look_at(line, wants_comments, selection))
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
            Glimpse::Document { key, of_id, site, link, names, language, place } => {
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
                    self.twins.entry(id).or_default().push(Twin { document: key, link: link.into() });
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

    /// The sites' folders.
    pub(super) fn folders(&self) -> &Names {
        &self.folders
    }

    /// The languages of the documents, sorted.
    pub(crate) fn tags(&self) -> Vec<&str> {
        let tags: BTreeSet<&str> =
            self.languages.values().map(|tag| &**tag).filter(|tag| *tag != UNDETERMINED).collect();
        tags.into_iter().collect()
    }

    /// Whether this line's document came before.
    pub(super) fn is_repeated(&self, line: &Line<'_>) -> bool {
        !self.repeated.is_empty() && self.repeated.contains(&(line.file.clone(), line.number))
    }

    /// The lines of the comments of a document.
    pub(super) fn comments_of(&self, document: Identity) -> std::io::Result<Vec<Vec<u8>>> {
        self.comments.of(document)
    }

    /// The language of a document.
    pub(super) fn language_of(&self, document: Identity) -> Option<&str> {
        self.languages.get(&document).map(|tag| &**tag)
    }

    /// Where a document goes; none if it can have no name.
    pub(super) fn place(
        &self,
        site: &str,
        language: Option<&str>,
        (kind, r#type): (&str, &str),
        id: Option<i64>,
        link: &str,
    ) -> Option<DocumentFile> {
        let several = |id: i64| self.twins.get(&id_key(site, id)).is_some_and(|twins| twins.len() > 1);
        let [with_id, with_hash] = names_of(r#type, id, link);
        let mut name = with_id.filter(|_| !id.is_some_and(several)).or(with_hash)?;
        if self.contested.contains(&name_hash(site, &name)) {
            let id = id.map(|id| format!("-{id}")).unwrap_or_default();
            name = format!("{}{id}-{}", names::part(r#type), names::digest(&format!("{kind} {type} {link}")));
        }
        let folder = self.folders.known(site).map_or_else(|| names::part(site), str::to_owned);
        let language = language.filter(|tag| !tag.is_empty()).unwrap_or(UNDETERMINED);
        Some(DocumentFile { folder: format!("{folder}/{}", names::part(language)), name })
    }

    /// The name of a user or term: of the record in this language, else of the one with the shortest, then least link.
    pub(super) fn name(&self, kind: &str, site: &str, id: i64, language: Option<&str>) -> Option<&str> {
        let all = self.names.get(&named_key(site, kind, id))?;
        let same = all.iter().find(|named| named.language.is_some() && named.language.as_deref() == language);
        let best = same.or_else(|| all.iter().min_by_key(|named| (named.link.len(), &named.link)))?;
        Some(&best.name)
    }

    /// The document that a comment belongs to.
    pub(super) fn host_of(&self, comment: &Comment<'_>) -> Option<Identity> {
        self.host(Hosted::of(comment)?)
    }

    fn host(&self, comment: Hosted) -> Option<Identity> {
        let twins = self.twins.get(&comment.post)?;
        let by_link = twins.iter().find(|twin| xxh3_64(twin.link.as_bytes()) == comment.link);
        by_link.or_else(|| twins.iter().min_by_key(|twin| (twin.link.len(), &twin.link))).map(|twin| twin.document)
    }
}
