//! Fetches media files: those of media records, and the images in posts that belong to no record. A file that cannot be fetched is a gap of
//! each record that has it.

mod named;
mod places;
mod tally;

use super::Media;
use super::address::authority;
use super::answer::{Answer, Verdict, Want};
use super::archives::OF_MEDIA;
use super::file_type;
use super::folder::Tree;
use super::log::{Gap, MEDIA_FILES};
use super::pages::may_be_file;
use super::session::{Ask, Session, Stop};
use super::wire::is_longer_than;
use crate::report::Error;
pub(super) use named::{Medium, media};
use places::{FOLDER, Places};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use tally::Images;
pub(super) use tally::MediaTally;

/// How many files in a row may have no usable answer before a host is given up.
const PATIENCE: u32 = 5;

/// Why a file is not requested, or not read to its end.
pub(super) const BEYOND: &str = "beyond --max-media";

/// The folder for deleted files.
const GONE: &str = "media.gone";

/// The media files that a run knows of once it has fetched all collections.
#[derive(Debug, Default)]
pub(super) struct MediaSources {
    /// The files of the dump that contain media records.
    pub(super) media: Vec<PathBuf>,
    /// The files of the dump that contain posts of any type.
    pub(super) contents: Vec<PathBuf>,
    /// In an update: the URLs in the previous dump's records whose present state is known.
    pub(super) old: BTreeSet<String>,
    /// Whether all items of all collections are known.
    pub(super) is_whole: bool,
}

struct Wanted {
    url: String,
    /// The records that have it; empty for an image in a post.
    records: Vec<i64>,
    stated: Option<String>,
    /// When the last of these records was changed.
    modified: Option<String>,
    /// Whether a logged answer will do if that date is unchanged.
    is_same: bool,
    file: Option<String>,
}

/// The state of fetching a site's media files.
pub(super) struct MediaWalk<'w, 'o> {
    session: &'w mut Session<'o>,
    records: BTreeMap<i64, Medium>,
    /// The images in posts, if these are wanted.
    images: Option<BTreeSet<String>>,
    found: &'w MediaSources,
    /// The URLs that were requested and do not exist.
    absent: BTreeSet<String>,
    /// How many files in a row each host failed to serve.
    failing: HashMap<String, u32>,
    /// Whether a file would have exceeded --max-media.
    is_full: bool,
    pub(super) tally: MediaTally,
}

impl<'w, 'o> MediaWalk<'w, 'o> {
    /// Reads the media files that `found` lists; relative URLs are resolved against `base`.
    pub(super) fn new(session: &'w mut Session<'o>, found: &'w MediaSources, base: &str) -> Result<Self, Error> {
        let records = media(&found.media, base)?;
        let is_all = session.options().media == Some(Media::All);
        let images = is_all.then(|| named::images(&found.contents, base)).transpose()?;
        let (absent, failing, tally) = (BTreeSet::new(), HashMap::new(), MediaTally::default());
        Ok(MediaWalk { session, records, images, found, absent, failing, is_full: false, tally })
    }

    /// Requests all files, recording them in an archive of their own.
    pub(super) fn run(&mut self, which: Media) -> Result<(), Stop> {
        self.tally.which = format!("{which:?}").to_lowercase();
        self.tally.records = self.records.len() as u64;
        let wanted = self.wanted();
        if self.images.is_some() {
            let found = wanted.iter().filter(|wanted| wanted.records.is_empty()).count() as u64;
            self.tally.images = Some(Images { found, ..Images::default() });
        }
        let is_without = |(_, medium): &(&i64, &Medium)| medium.url().is_none();
        for id in self.records.iter().filter(is_without).map(|(id, _)| *id).collect::<Vec<_>>() {
            self.tally.reasons.count(None, 1);
            self.gap(Some(id), None, "it names no file that can be asked for".to_owned())?;
        }
        let total = wanted.len() as u64;
        for (wanted, done) in wanted.iter().zip(1..) {
            let answer = self.ask(wanted)?;
            self.take(wanted, &answer)?;
            self.session.step("media files", done, Some(total));
        }
        self.name_idle_hosts(&wanted);
        Ok(())
    }

    /// Warns of hosts in --media-host that appear in no URL of a file and in no redirect.
    fn name_idle_hosts(&mut self, wanted: &[Wanted]) {
        for host in self.session.options().media_hosts.clone() {
            let is_named = || wanted.iter().any(|wanted| authority(&wanted.url).eq_ignore_ascii_case(&host));
            if !self.session.hosts.knows(&format!("https://{}/", host.to_ascii_lowercase())) && !is_named() {
                let files = wanted.len();
                self.session.messages.warn(&format!("--media-host {host}: none of {files} files names this host"));
            }
        }
    }

    /// The files to request: those of records, by id, then images, by URL. Records may share a file.
    fn wanted(&self) -> Vec<Wanted> {
        let named = named_by(&self.records);
        let mut wanted: Vec<Wanted> = Vec::new();
        let mut known: HashMap<&str, usize> = HashMap::new();
        for (id, medium) in &self.records {
            let Some(url) = medium.url() else { continue };
            let modified = medium.modified.clone();
            if let Some(at) = known.get(url) {
                wanted[*at].records.push(*id);
                wanted[*at].is_same &= modified.is_some();
                wanted[*at].modified = wanted[*at].modified.take().max(modified);
                continue;
            }
            known.insert(url, wanted.len());
            let (records, stated) = (vec![*id], medium.stated.clone());
            let is_same = modified.is_some();
            wanted.push(Wanted { url: url.to_owned(), records, stated, modified, is_same, file: None });
        }
        for url in self.images.iter().flatten().filter(|url| !known.contains_key(url.as_str())) {
            // A smaller size counts as unchanged if its record is; if that record was deleted, the file may be deleted, too.
            let medium = named.get(url.as_str());
            let modified = medium.and_then(|medium| medium.modified.clone());
            let is_same = if medium.is_some() { modified.is_some() } else { !self.found.old.contains(url) };
            wanted.push(Wanted { url: url.clone(), records: Vec::new(), stated: None, modified, is_same, file: None });
        }
        let mut places = Places::default();
        for wanted in &mut wanted {
            wanted.file = places.take(&wanted.url);
        }
        wanted
    }

    fn ask(&mut self, wanted: &Wanted) -> Result<Answer, Stop> {
        let url = &wanted.url;
        let host = authority(url).to_owned();
        if !self.session.hosts.may_have_files(url) {
            *self.tally.hosts.entry(host).or_default() += 1;
            return Ok(Answer::none(url, Verdict::Refused("on another host (see --media-host)".to_owned())));
        }
        if !may_be_file(url) {
            return Ok(Answer::none(
                url,
                Verdict::Refused("never asked for: it is a login, a cart or the like".to_owned()),
            ));
        }
        if self.failing.get(&host).is_some_and(|failed| *failed >= PATIENCE) {
            let why = format!("not asked for: {PATIENCE} files in a row could not be had of this host");
            return Ok(Answer::none(url, Verdict::Failed(why)));
        }
        let most = self.session.options().max_media.map(|most| most.saturating_sub(self.tally.bytes));
        let stated = wanted.records.first().and_then(|id| self.records.get(id)?.bytes);
        self.is_full |= most.is_some_and(|most| most == 0 || stated.is_some_and(|bytes| bytes > most));
        let beyond = || Answer::none(url, Verdict::Refused(BEYOND.to_owned()));
        if self.is_full {
            return Ok(beyond());
        }
        let answer = self.session.ask(&Ask {
            is_same: wanted.is_same,
            file: wanted.file.clone(),
            stated: wanted.stated.clone(),
            modified: wanted.modified.clone(),
            most: most.unwrap_or(u64::MAX),
            r#type: Some(MEDIA_FILES.to_owned()),
            ..Ask::new(url.clone(), Want::File)
        })?;
        let is_longer = |most| matches!(&answer.verdict, Verdict::Failed(what) if is_longer_than(most, what));
        self.is_full = most.is_some_and(is_longer);
        if self.is_full {
            return Ok(beyond());
        }
        let failed = self.failing.entry(host).or_default();
        let is_silent = matches!(answer.verdict, Verdict::Failed(_)) && answer.response.status != 200;
        *failed = if is_silent { *failed + 1 } else { 0 };
        Ok(answer)
    }

    /// Counts a file, or names it as a gap of each record that has it.
    fn take(&mut self, wanted: &Wanted, answer: &Answer) -> Result<(), Stop> {
        let Wanted { url, records, .. } = wanted;
        let is_good = answer.verdict == Verdict::Good;
        match (&mut self.tally.images, records.is_empty(), is_good) {
            (Some(images), true, true) => images.got += 1,
            (Some(images), true, false) => images.gaps += 1,
            _ if is_good => self.tally.got += records.len() as u64,
            _ => {}
        }
        if !is_good {
            if matches!(answer.verdict, Verdict::Missing(_)) {
                self.absent.insert(url.clone());
            }
            let error = answer.verdict.error().unwrap_or("no answer").to_owned();
            self.tally.reasons.count(Some(&answer.verdict), records.len().max(1) as u64);
            if records.is_empty() {
                return self.name_gap(None, Some(url), error);
            }
            return records.iter().try_for_each(|id| self.gap(Some(*id), Some(url), error.clone()));
        }
        let Some(kept) = &answer.kept else { return Ok(()) };
        self.tally.files += 1;
        self.tally.bytes += kept.bytes;
        if kept.file.is_none() {
            self.tally.only_in_archive += 1;
            let what = format!("{url}: its place is taken, or cannot be a path: it is only in {OF_MEDIA}");
            self.session.messages.defect("only_in_archive", &what);
        }
        if let Some(kind) = file_type::other(&answer.response, wanted.stated.as_deref()) {
            self.tally.other_types += 1;
            let stated = wanted.stated.as_deref().unwrap_or_default();
            self.session.messages.defect("other_type", &format!("{url}: {kind}, and the record says {stated}"));
        }
        Ok(())
    }

    fn gap(&mut self, id: Option<i64>, url: Option<&String>, error: String) -> Result<(), Stop> {
        self.tally.gaps += 1;
        self.name_gap(id, url, error)
    }

    fn name_gap(&mut self, id: Option<i64>, url: Option<&String>, error: String) -> Result<(), Stop> {
        let what = if id.is_some() { "file" } else { "image" };
        let (r#type, what) = ("media".to_owned(), what.to_owned());
        self.session.gap(&Gap { r#type, what, id, link: url.cloned(), error, ..Gap::default() })
    }

    /// In an update: the deleted files, by URL, unless another file has the place now. These are files of records that are deleted or have
    /// other files now, and images that occur in posts no longer. A file that just fails to answer does not count as deleted.
    pub(super) fn gone(&self) -> BTreeMap<String, String> {
        let files = &self.session.past().files;
        let named: BTreeSet<&String> = self.records.values().flat_map(Medium::urls).collect();
        let is_shown = |url: &String| self.images.as_ref().is_none_or(|images| images.contains(url));
        let is_gone = |url: &String| {
            let is_old =
                self.found.old.contains(url) && !self.images.as_ref().is_some_and(|images| images.contains(url));
            self.absent.contains(url) || !named.contains(url) && (is_old || self.found.is_whole && !is_shown(url))
        };
        let (gone, there): (BTreeMap<_, _>, BTreeMap<_, _>) = files.iter().partition(|(url, _)| is_gone(url));
        let taken: BTreeSet<&String> = there.into_values().collect();
        gone.into_iter()
            .filter(|(_, file)| !taken.contains(file))
            .map(|(url, file)| (url.clone(), file.clone()))
            .collect()
    }
}

/// Moves deleted media files to a folder named after the date of the dump called `before`: `media.gone/DATE/HOST/PATH`. They are not put
/// beside that dump, because readers of its folder read everything in it.
pub(super) fn move_out(folder: &Path, files: &BTreeMap<String, String>, before: &str) -> Result<(), Error> {
    let date = before.rsplit('/').next().unwrap_or(before);
    let target = folder.join(GONE).join(date);
    let tree = Tree::new(folder.join(FOLDER));
    files.values().try_for_each(|file| {
        let parts: Vec<String> = file.split('/').skip(1).map(str::to_owned).collect();
        tree.move_out(&parts, &target)
    })
}

/// For each URL in the records, a record that has it.
fn named_by(records: &BTreeMap<i64, Medium>) -> HashMap<&str, &Medium> {
    records.values().flat_map(|medium| medium.urls().map(move |url| (url.as_str(), medium))).collect()
}
