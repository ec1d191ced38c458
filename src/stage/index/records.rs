//! Writes the lines of wp-index: the records of a dump and of its pages, each once, under the label of their site.

use super::Options;
use super::apis::{Apis, host_in, of_own_site};
use crate::dump::{Item, Text, identity as identity_of};
use crate::feed::FeedEntry;
use crate::join::{Joining, LeftOver, Saved, Shown, Sought};
use crate::ndjson::{Output, add_field, too_long, write_end_after_rejects, write_input, write_json};
use crate::record::{self, has_rights};
use crate::report::{Error, Place, Read, Report};
use crate::scrape::folders;
use crate::steps::Step;
use crate::urls::bare_host_of;
use crate::wordpress;
use hashbrown::HashTable;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// How many bytes of lines are collected before they are written.
const BATCH: usize = 256 * 1024;
/// How many bytes of lines may wait for the first item that names the site.
const WAITING: usize = 16 << 20;
/// The most hosts that are counted.
const HOSTS: usize = 100;
/// The beginning of a line that waits until the site is known.
const NO_SITE: &[u8] = b"{\"site\":null";

/// The identity of a record on its site.
#[derive(Clone, Copy)]
pub(super) struct Identity<'r> {
    pub(super) kind: &'r str,
    pub(super) r#type: &'r str,
    pub(super) id: Option<i64>,
    pub(super) link: Option<&'r str>,
}

/// The records that are being written.
#[derive(Default)]
pub(super) struct Records {
    site: Option<String>,
    /// Lines without a site, until the site is known.
    waiting: Vec<u8>,
    out: Vec<u8>,
    /// Hashes of the identities that were written. The probability that two of them are taken for equal by mistake is 2^-64.
    seen: HashTable<u128>,
    types: BTreeMap<String, u64>,
    written: u64,
    /// The number of records of earlier sites.
    written_before: u64,
    rejected_before: u64,
    duplicates: u64,
    /// The hosts of the items (of their addresses in the API, or else of their links), each with the number of items.
    hosts: Vec<(String, u64)>,
    /// The hosts of pages that became records of their own.
    page_hosts: Vec<(String, u64)>,
    /// Checks that the items are of one site; `None` if the user has named the site.
    apis: Option<Apis>,
    /// The directories of the scrapes.
    roots: Vec<String>,
    /// The most bytes that a line may have.
    most: usize,
    /// The places where the scrapes were made, each with the corresponding place on the site.
    mapped: Vec<(String, String)>,
    /// The inputs that were read: length and SHA-256 of each.
    inputs: Vec<(u64, String)>,
    /// The step that each record names: wp-index and its options.
    step: Step,
}

impl Records {
    pub(super) fn new(options: &Options, most: usize) -> Self {
        let mut records = Records {
            out: Vec::with_capacity(2 * BATCH),
            apis: options.site.is_none().then(Apis::default),
            roots: folders(&options.scrapes),
            most,
            step: options.step().max_record(most),
            ..Records::default()
        };
        records.name_site_if_unknown(options.site.clone());
        records
    }

    /// Notes where the scrapes of the following records were made.
    pub(super) fn note_mapped(&mut self, mapped: Vec<(String, String)>) {
        self.mapped = mapped;
    }

    /// Appends the line of an item with its page, unless the same record was already written.
    pub(super) fn add(
        &mut self,
        item: &Item,
        text: Text,
        (file, number): (&Arc<str>, u64),
        scrape: &mut Option<Joining>,
        report: &mut Report,
    ) -> Result<(), Error> {
        if self.is_repeated(identity_of(item.kind, &item.r#type, Some(item.id), item.link.as_deref())) {
            return Ok(());
        }
        if self.site.is_none() {
            self.name_site_if_unknown(site_of(item));
        }
        self.count_host(item);
        let mut rights = Vec::new();
        let shown = match (scrape, record_of(item)) {
            (Some(scrape), Some(record)) => {
                let mut shown = scrape.take(&record)?;
                if let Some(page) = shown.page.as_mut() {
                    page.place = None;
                }
                let of_page = shown.page.as_ref().map(|page| page.rights.clone());
                rights = of_page.unwrap_or_else(|| scrape.rights_at(record.link));
                shown
            }
            _ => Shown::default(),
        };
        let source = record::Source {
            via: Some(item.via.into()),
            file: Some((&**file).into()),
            item: Some(number.cast_signed()),
            rest: item.self_link.as_deref().and_then(wordpress::rest_root).or(shown.rest.as_deref()).map(Into::into),
            steps: Vec::new(),
        };
        let identity =
            Identity { kind: item.kind, r#type: &item.r#type, id: Some(item.id), link: item.link.as_deref() };
        self.write_item(identity, source, (&shown, rights), |line| text.append_compact(line), Some(item), report)
    }

    /// Appends the line of an entry of a feed with its page, unless the same record was already written. `post`: the id of a comment's
    /// post.
    pub(super) fn add_entry(
        &mut self,
        entry: &FeedEntry,
        identity: Identity<'_>,
        post: Option<i64>,
        scrape: Option<&mut Joining>,
        report: &mut Report,
    ) -> Result<(), Error> {
        let Identity { kind, r#type, id, link } = identity;
        if self.is_repeated(identity_of(kind, r#type, id, link)) {
            return Ok(());
        }
        if self.site.is_none() {
            self.name_site_if_unknown(link.and_then(bare_host_of));
        }
        let (mut shown, mut rights) = (Shown::default(), Vec::new());
        if let (Some(scrape), Some(link)) = (scrape, link) {
            let id = id.unwrap_or(Sought::NO_ID);
            shown = scrape.take(&Sought { kind, r#type, id, link, rest_base: None })?;
            if let Some(page) = shown.page.as_mut().filter(|_| entry.content.is_some()) {
                page.place = None;
            }
            rights = shown.page.as_ref().map_or_else(|| scrape.rights_at(link), |page| page.rights.clone());
        }
        let source = record::Source {
            via: Some("feed".into()),
            file: Some((&*entry.file).into()),
            item: Some(entry.number.cast_signed()),
            rest: shown.rest.as_deref().map(Into::into),
            steps: Vec::new(),
        };
        let append = |line: &mut Vec<u8>| entry.append_item(r#type, id, post, line);
        self.write_item(identity, source, (&shown, rights), append, None, report)
    }

    /// Appends the line of an item, whose JSON `append` appends.
    fn write_item(
        &mut self,
        identity: Identity<'_>,
        source: record::Source<'_>,
        (shown, rights): (&Shown, Vec<record::Rights<'static>>),
        append: impl FnOnce(&mut Vec<u8>),
        of_dump: Option<&Item>,
        report: &mut Report,
    ) -> Result<(), Error> {
        let Identity { kind, r#type, id, link } = identity;
        let mut line = self.begin();
        let from = line.len();
        let (file, number) = (source.file.clone(), source.item);
        let aliases = of_dump.iter().flat_map(|item| &item.aliases);
        let known = record::Item {
            site: self.site.as_deref().map(Into::into),
            kind: Some(kind.into()),
            r#type: Some(r#type.into()),
            id,
            link: link.map(Into::into),
            source: record::Source { steps: vec![self.step.as_str().into()], ..source },
            scrape: shown.page.as_ref().map_or_else(|| self.no_scrape(), |page| self.scrape(page, has_rights(kind))),
            aliases: aliases.chain(&shown.aliases).map(|alias| (&**alias).into()).collect(),
            rights: if has_rights(kind) { rights } else { Vec::new() },
        };
        write_json(&mut line, &known);
        let start = line.len();
        add_field(&mut line, record::Item::API, append);
        if let (Some(apis), Some(item)) = (&mut self.apis, of_dump) {
            apis.add(item, &line[start..]);
        }
        let place = || {
            let name = id.map_or_else(|| r#type.to_owned(), |id| format!("{type} {id}"));
            let file = file.as_deref().unwrap_or_default();
            (Place::file(file), format!("{name}, item {}", number.unwrap_or_default()))
        };
        self.end(line, from, r#type, place, report)
    }

    fn count_host(&mut self, item: &Item) {
        let url = of_own_site(item).or(item.link.as_deref());
        url.into_iter().for_each(|url| count_host_of(url, &mut self.hosts));
    }

    /// Appends the line of a page that was not joined to a record. The record whose id the page has is written into `api`, where wp-parse
    /// finds it: the keys of a line are the same for every kind.
    pub(super) fn add_page(&mut self, page: &LeftOver, report: &mut Report) -> Result<(), Error> {
        let (kind, r#type, id) = page.identity();
        // Each older capture of a page is a record of its own.
        if page.link.is_some()
            && !page.is_older
            && self.is_repeated(identity_of(kind, r#type, id, page.link.as_deref()))
        {
            return Ok(());
        }
        page.link.iter().for_each(|link| count_host_of(link, &mut self.page_hosts));
        let mut line = self.begin();
        let from = line.len();
        let known = record::Item {
            site: self.site.as_deref().map(Into::into),
            kind: Some(kind.into()),
            r#type: Some(r#type.into()),
            id,
            link: page.link.as_deref().map(Into::into),
            source: record::Source {
                via: Some("page".into()),
                rest: page.rest.as_deref().map(Into::into),
                steps: vec![self.step.as_str().into()],
                ..record::Source::default()
            },
            aliases: page.aliases.iter().map(|alias| (&**alias).into()).collect(),
            scrape: self.scrape(&page.saved, true),
            rights: page.saved.rights.clone(),
        };
        write_json(&mut line, &known);
        let same =
            page.same.as_ref().map(|(r#type, id)| record::Same { r#type: Some((&**r#type).into()), id: Some(*id) });
        add_field(&mut line, record::Item::API, |line| match same {
            Some(same) => {
                line.extend_from_slice(b"{}");
                add_field(line, "same", |line| write_json(line, &same));
            }
            None => line.extend_from_slice(b"null"),
        });
        let place = || (Place::file(&page.saved.file), "html".to_owned());
        self.end(line, from, r#type, place, report)
    }

    /// The `scrape` of a record with a page. `has_rights`: the sample of the site's pages is included, which is needed for statements on
    /// rights and for contents.
    fn scrape<'s>(&'s self, page: &'s Saved, has_rights: bool) -> record::Scrape<'s> {
        let sample = page.sample.iter().filter(|_| has_rights);
        record::Scrape {
            root: Some((&*self.roots[page.root as usize]).into()),
            file: Some((&*page.file).into()),
            url: page.url.as_deref().map(Into::into),
            time: page.time.as_deref().map(Into::into),
            digest: page.digest.as_deref().map(Into::into),
            record: page.record.as_deref().map(Into::into),
            status: page.status.map(i64::from),
            site_name: page.site_name.as_deref().map(Into::into),
            sample: sample.map(|file| (&**file).into()).collect(),
            next_pages: page.next_pages.iter().map(next_page).collect(),
            place: page.place.as_deref().cloned().unwrap_or_default(),
            ..self.no_scrape()
        }
    }

    /// The `scrape` of a record without a page.
    fn no_scrape(&self) -> record::Scrape<'_> {
        let pair = |(from, to): &'_ (String, String)| record::Mapped {
            from: Some(from.clone().into()),
            to: Some(to.clone().into()),
        };
        record::Scrape { mapped: self.mapped.iter().map(pair).collect(), ..record::Scrape::default() }
    }

    /// Notes an identity; returns whether it was noted before.
    fn is_repeated(&mut self, hash: u128) -> bool {
        let is_repeated = self.seen.find(hash as u64, |&other| other == hash).is_some();
        if is_repeated {
            self.duplicates += 1;
        } else {
            self.seen.insert_unique(hash as u64, hash, |&other| other as u64);
        }
        is_repeated
    }

    /// Takes out the buffer to append a line to.
    fn begin(&mut self) -> Vec<u8> {
        std::mem::take(if self.site.is_none() { &mut self.waiting } else { &mut self.out })
    }

    /// Ends the line that begins at `from` and puts its buffer back. Rejects a line that is too long for the next stage.
    fn end(
        &mut self,
        mut line: Vec<u8>,
        from: usize,
        r#type: &str,
        record: impl FnOnce() -> (Place, String),
        report: &mut Report,
    ) -> Result<(), Error> {
        let is_too_long = line.len() - from > self.most;
        let mut rejected = Ok(());
        if is_too_long {
            let (place, name) = record();
            rejected = report.reject(&place, &too_long(&name), &line[from..]);
            line.truncate(from);
        } else {
            line.push(b'\n');
        }
        *if self.site.is_none() { &mut self.waiting } else { &mut self.out } = line;
        if is_too_long {
            return rejected;
        }
        self.written += 1;
        match self.types.get_mut(r#type) {
            Some(n) => *n += 1,
            None => _ = self.types.insert(r#type.to_owned(), 1),
        }
        Ok(())
    }

    /// Names the site, unless it has a name already; lines that waited for the name can then be written.
    pub(super) fn name_site_if_unknown(&mut self, site: Option<String>) {
        let Some(site) = site.filter(|_| self.site.is_none()) else { return };
        for line in std::mem::take(&mut self.waiting).split_inclusive(|&b| b == b'\n') {
            self.out.extend_from_slice(b"{\"site\":");
            write_json(&mut self.out, &site);
            self.out.extend_from_slice(line.strip_prefix(NO_SITE).expect("it waits because it has none"));
        }
        self.site = Some(site);
    }

    /// Goes on with the records of another site.
    pub(super) fn begin_site(&mut self, site: Option<String>) {
        self.site = site;
        self.seen.clear();
        self.written_before = self.written;
    }

    /// Goes on with the items of an export from the site with this front page.
    pub(super) fn begin_export(&mut self, home: &str) {
        if let Some(apis) = &mut self.apis {
            home.clone_into(&mut apis.home);
        }
    }

    /// How many records this site has so far.
    pub(super) fn of_site(&self) -> u64 {
        self.written - self.written_before
    }

    /// Notes length and SHA-256 of the inputs of this site, which are written before its end record. An input that was named twice is noted
    /// once.
    pub(super) fn note_inputs(&mut self, inputs: impl Iterator<Item = (u64, String)>) {
        let mut seen = HashSet::new();
        self.inputs = inputs.filter(|input| seen.insert(input.clone())).collect();
    }

    pub(super) fn end_site(&mut self, with_end: bool, report: &Report) {
        if with_end {
            for (number, (bytes, sha256)) in (1..).zip(self.inputs.drain(..)) {
                write_input(&mut self.out, &Read { site: self.site.clone(), number, bytes, sha256 });
            }
            let (records, rejects) = (self.of_site(), report.rejected() - self.rejected_before);
            write_end_after_rejects(&mut self.out, self.site.as_deref(), records, Some(rejects));
        }
        self.rejected_before = report.rejected();
    }

    pub(super) fn write_if_full(&mut self, output: &mut Output) -> Result<(), Error> {
        if self.waiting.len() > WAITING {
            return Err(no_site());
        }
        if self.out.len() >= BATCH { self.write(output) } else { Ok(()) }
    }

    pub(super) fn write(&mut self, output: &mut Output) -> Result<(), Error> {
        output.hand_on(&mut self.out)
    }

    /// The hosts of the items, and how many each has.
    pub(super) fn hosts(&self) -> &[(String, u64)] {
        &self.hosts
    }

    /// The hosts of items and of pages, and the number of records of each.
    pub(super) fn all_hosts(&self) -> Vec<(String, u64)> {
        let mut all = self.hosts.clone();
        for (host, n) in &self.page_hosts {
            match all.iter_mut().find(|(known, _)| known == host) {
                Some((_, sum)) => *sum += n,
                None => all.push((host.clone(), *n)),
            }
        }
        all
    }

    /// The evidence that the items are of two sites, if there is any.
    pub(super) fn clash(&self) -> Option<String> {
        self.apis.as_ref()?.clash()
    }

    pub(super) fn are_none(&self) -> bool {
        self.written == 0
    }

    pub(super) fn finish(mut self, with_end: bool, output: &mut Output, report: &mut Report) -> Result<(), Error> {
        if !self.waiting.is_empty() {
            return Err(no_site());
        }
        self.end_site(with_end, report);
        output.hand_on(&mut self.out)?;
        report.count("records_out", self.written);
        report.count("duplicates", self.duplicates);
        report.detail("types", self.types.into_iter().collect());
        Ok(())
    }
}

fn next_page((file, url): &(String, Option<String>)) -> record::NextPage<'_> {
    record::NextPage { file: Some((&**file).into()), url: url.as_deref().map(Into::into) }
}

/// Counts the host of a URL, among the first [`HOSTS`].
fn count_host_of(url: &str, hosts: &mut Vec<(String, u64)>) {
    let Some(host) = host_in(url) else { return };
    match hosts.iter().position(|(known, _)| known == host) {
        Some(at) => hosts[at].1 += 1,
        // There is a limit because links may lead anywhere.
        None if hosts.len() < HOSTS => hosts.push((host.to_owned(), 1)),
        None => {}
    }
}

fn no_site() -> Error {
    Error::Fatal("no item has a link that reveals the site; use --site".to_owned())
}

fn site_of(item: &Item) -> Option<String> {
    of_own_site(item).and_then(bare_host_of).or_else(|| item.link.as_deref().and_then(bare_host_of))
}

/// The fields by which an item is joined to its pages; `None` for an item without a link.
pub(super) fn record_of(item: &Item) -> Option<Sought<'_>> {
    let link = item.link.as_deref()?;
    let rest_base = item.rest_base.as_deref();
    Some(Sought { kind: item.kind, r#type: &item.r#type, id: item.id, link, rest_base })
}
