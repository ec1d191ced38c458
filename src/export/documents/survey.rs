//! What a pass over all records reveals about the documents: their files, authors, terms, comments. It keeps only what
//! other records say, never a document itself.

use super::comments::{Comments, Spooled};
use super::identity::{Hosted, Identity, document_key, id_key, key_of, named_key, sound};
use crate::export::dataset::key::Key;
use crate::export::dataset::names::{self, Names};
use crate::export::dataset::selection::Selection;
use crate::export::dataset::sites::Sites;
use crate::export::job::Job;
use crate::html::structure::{Block, Listener, Structure};
use crate::ndjson::{self, Line, gather_lines, text_of};
use crate::record::{Comment, Post, Str, Target};
use crate::report::{Error, Notes, Report};
use crate::urls::PageUrl;
use serde::Deserialize;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Languages have this folder when nobody knows them: BCP 47's word for it.
const UNDETERMINED: &str = "und";

/// What a format asks of the survey beside the documents' files.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extras {
    /// The names of users and terms.
    pub(crate) names: bool,
    /// The comments.
    pub(crate) comments: bool,
    /// A table beside the documents.
    pub(crate) table: Option<&'static Table>,
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

/// What is known of all documents. Memory: about 270 bytes a document, 100 a user or term beside its name, 80 a comment.
pub(crate) struct Survey {
    /// What was asked for.
    pub(super) wanted: Extras,
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

/// A user or a term, in one language.
struct Named {
    language: Option<String>,
    link: String,
    name: String,
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
    key: Identity,
}

impl Document<'_> {
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
        let language = self.survey.languages.get(&document_key(self.site(), kind, r#type, target.id, link))?;
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

impl Survey {
    /// Reads all records once, then rewinds. Errors in a line are reported on the second reading.
    ///
    /// # Errors
    /// When reading or spooling fails.
    pub(crate) fn of(job: &mut Job<'_>, wanted: Extras) -> Result<Survey, Error> {
        job.input.make_rereadable()?;
        let mut survey = Survey {
            wanted,
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
                    seen.extend(look_at(line, wanted, selection))
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

    /// A record as a document; none if it can have no name.
    pub(super) fn document<'d>(
        &'d self,
        post: &'d Post<'d>,
        json: &'d [u8],
        (kind, r#type): (&'d str, &'d str),
    ) -> Option<Document<'d>> {
        let link = post.link.as_deref().unwrap_or_default();
        let site = post.site.as_deref().unwrap_or_default();
        let place = self.place(site, post.language.as_deref(), (kind, r#type), post.id, link)?;
        let key = document_key(site, kind, r#type, post.id, link);
        Some(Document { post, json, kind, r#type, place, comments: Vec::new(), survey: self, key })
    }

    /// The lines of a document's comments.
    pub(super) fn comments_of(&self, document: &Document<'_>) -> std::io::Result<Vec<Vec<u8>>> {
        self.comments.of(document.key)
    }

    fn place(
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
    fn name(&self, kind: &str, site: &str, id: i64, language: Option<&str>) -> Option<&str> {
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

/// What the first pass takes from a record.
enum Glimpse {
    Document {
        key: Identity,
        of_id: Option<Identity>,
        site: String,
        link: String,
        /// Hashes of the names that it may have.
        names: [Option<u64>; 2],
        language: Option<String>,
        place: (Arc<str>, u64),
    },
    Named {
        key: Identity,
        named: Named,
    },
    Comment {
        hosted: Hosted,
        line: Vec<u8>,
    },
}

/// What the first pass reads of any record.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Glance<'a> {
    #[serde(borrow)]
    site: Option<Str<'a>>,
    kind: Option<Str<'a>>,
    r#type: Option<Str<'a>>,
    id: Option<i64>,
    link: Option<Str<'a>>,
    language: Option<Str<'a>>,
}

/// What it reads of users and terms.
#[derive(Deserialize)]
struct Name {
    name: String,
}

fn look_at(line: Line<'_>, wanted: Extras, selection: &Selection) -> Option<Glimpse> {
    let json = sound(line.bytes);
    let json = text_of(&json).ok()?;
    let glance: Glance<'_> = ndjson::from_str(json).ok()?;
    let (kind, r#type) = names::kind_and_type(glance.kind.as_deref(), glance.r#type.as_deref())?;
    let useful = match kind {
        "post" | "html" => true,
        "user" | "term" => wanted.names,
        "comment" => wanted.comments,
        _ => false,
    };
    if !useful || selection.leaves_out(kind, r#type) {
        return None;
    }
    if kind == "comment" {
        let comment: Comment<'_> = ndjson::from_str(json).ok()?;
        return Some(Glimpse::Comment { hosted: Hosted::of(&comment)?, line: json.as_bytes().to_vec() });
    }
    let site = glance.site.as_deref().unwrap_or_default();
    let link = glance.link.as_deref().unwrap_or_default().to_owned();
    let language = glance.language.map(|tag| tag.to_string());
    if kind == "user" || kind == "term" {
        let Name { name } = ndjson::from_str(json).ok()?;
        return Some(Glimpse::Named { key: named_key(site, kind, glance.id?), named: Named { language, link, name } });
    }
    let key = document_key(site, kind, r#type, glance.id, &link);
    let of_id = glance.id.map(|id| id_key(site, id));
    let names = names_of(r#type, glance.id, &link).map(|name| Some(name_hash(site, &name?)));
    let (site, place) = (site.to_owned(), (line.file.clone(), line.number));
    Some(Glimpse::Document { key, of_id, site, link, names, language, place })
}

/// The names that a document may have: by its id, where no other document has that, else with a hash of its link.
fn names_of(r#type: &str, id: Option<i64>, link: &str) -> [Option<String>; 2] {
    let r#type = names::part(r#type);
    let hash = &format!("{:016x}", xxh3_64(link.as_bytes()))[..12];
    match id {
        Some(id) => [Some(format!("{type}-{id}")), Some(format!("{type}-{id}-{hash}"))],
        None => [None, (!link.is_empty()).then(|| format!("{type}-{hash}"))],
    }
}

/// By which names that clash are found: upper and lower case are one to some file systems.
fn name_hash(site: &str, name: &str) -> u64 {
    key_of(&[site, &name.to_lowercase()]) as u64
}
