//! Turns the entries of feeds into records. If an item of the dump is the same post or comment, the entry completes that item instead.

use super::doors::date_and_guid;
use super::records::{Identity, Records};
use crate::dump::{Item, Sources, Text};
use crate::feed::{FeedEntry, Feeds, Gathered, Place, identity};
use crate::join::{Joining, rest_after};
use crate::ndjson::{Object as Json, Output};
use crate::report::{Error, Report};
use crate::scrape::NO_HOST;
use crate::urls::{QuickMap, QuickSet, UrlKey, bare_host, bare_host_of};
use crate::wordpress::{Object, shortlinks};
use crate::wxr;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// The most blogs of a site whose posts with one id are compared.
const MOST_BLOGS: usize = 64;

/// The entries of a site's feeds.
#[derive(Default)]
pub(super) struct Entries {
    pub(super) feeds: Feeds,
    /// The hash of each entry's identity on the site, with the number of the entry; sorted.
    by_hash: Vec<(u64, u32)>,
    /// By id, the entries of posts whose link, feed or guid states an id.
    by_id: QuickMap<i64, u32>,
    /// The entries of posts that have a content.
    pub(super) with_content: Vec<usize>,
    /// For each entry, whether an item of the dump has taken it.
    taken: Vec<bool>,
    /// The entries of posts that plugins may translate page by page, each with the entry of another page of the post.
    translated: QuickMap<usize, usize>,
    /// Whether the ids in guids are those of this site.
    guids_hold: bool,
    /// The posts that have comments, by the hash of their identity, each with its id if that is known.
    commented: QuickMap<u64, Option<i64>>,
    /// The ids of posts so far.
    posts: QuickSet<i64>,
    /// The ids in links of entries that are shortlinks, each with the links of the known posts with that id.
    shortlinks: QuickMap<i64, Vec<String>>,
    /// The facts about the site that the exports among the sources state.
    pub(super) exported: Option<Arc<wxr::Site>>,
    /// How many entries have become records.
    pub(super) made: u64,
}

impl Entries {
    /// `scrape`: the pages of the site.
    pub(super) fn new(feeds: Feeds, scrape: Option<&mut Joining>, report: &mut Report) -> Result<Self, Error> {
        report.count("duplicates", feeds.copies);
        let taken = vec![false; feeds.len()];
        let mut entries = Entries { feeds, taken, guids_hold: true, ..Entries::default() };
        let (mut links, mut posts) = (Vec::new(), BTreeMap::<_, Vec<_>>::new());
        for at in 0..entries.feeds.len() {
            let (entry, identity) = entries.on_site(entries.feeds.entry(at)?, scrape.as_deref());
            entries.by_hash.push((hash_of(&identity), at as u32));
            if entry.comment.is_some() {
                entries.commented.insert(hash_of(post_of(&identity)), None);
                continue;
            }
            links.push(hash_of(&identity));
            entries.with_content.extend(entry.content.is_some().then_some(at));
            let short = id_in(&entry.link);
            entries.shortlinks.extend(short.map(|id| (id, Vec::new())));
            let id = short.or(entry.stated_id).or(entry.guid_id);
            entries.by_id.extend(id.map(|id| (id, at as u32)));
            let stated = scrape.as_deref().and_then(|scrape| Some(scrape.stated_at(&identity)?.1));
            entries.hear(&entry, stated.or(entry.stated_id));
            if let Some(of_post) = stated.or(id).zip(entry.date_gmt) {
                posts.entry(of_post).or_default().push(at);
            }
        }
        for same in posts.into_values().filter(|same| same.len() > 1) {
            let told = |at| {
                let identity = entries.on_site(entries.feeds.entry(at)?, scrape.as_deref()).1;
                let language = scrape.as_deref().and_then(|scrape| scrape.language_at(&identity));
                Ok((identity, at, language))
            };
            let same = same.into_iter().map(told).collect::<Result<Vec<_>, Error>>()?;
            entries.translated.extend(translated(same));
        }
        entries.by_hash.sort_unstable();
        if let Some(scrape) = scrape {
            scrape.learn_links(links.into_iter());
        }
        Ok(entries)
    }

    /// Compares the id in an entry's guid with the id that another source states. One contradiction is enough: the site has moved, and its
    /// posts have other ids than when the guids were made.
    fn hear(&mut self, entry: &FeedEntry, id: Option<i64>) {
        self.guids_hold &= entry.guid_id.is_none() || id.is_none() || id == entry.guid_id;
    }

    /// An entry with its link on the site, and its identity there.
    fn on_site(&self, mut entry: FeedEntry, scrape: Option<&Joining>) -> (FeedEntry, String) {
        if let Some(link) = scrape.and_then(|scrape| scrape.link_on_site(&entry.link)) {
            entry.link = link;
        }
        for file in entry.enclosures.iter_mut().filter(|file| bare_host_of(file).as_deref() == Some(NO_HOST)) {
            *file = scrape.and_then(|scrape| scrape.link_on_site(file)).unwrap_or_else(|| std::mem::take(file));
        }
        let identity = identity(&entry.link);
        (entry, identity)
    }

    /// Like [`Entries::on_site`], without the sentences of plugins and the names that are not public.
    pub(super) fn entry(&self, at: usize, scrape: Option<&Joining>) -> Result<(FeedEntry, String), Error> {
        let mut entry = self.feeds.entry(at)?;
        self.feeds.remove_appended(&mut entry);
        let (mut entry, identity) = self.on_site(entry, scrape);
        // A name that the export withholds is a login, or an address.
        if let Some(site) = &self.exported {
            entry.author = entry.author.filter(|name| site.public(name).is_some());
        }
        // Of a post with several pages, a feed has only the first.
        entry.content = entry.content.filter(|_| !scrape.is_some_and(|scrape| scrape.has_further_page(&identity)));
        if let Some(other) = self.translated.get(&at) {
            let mut other = self.feeds.entry(*other)?;
            self.feeds.remove_appended(&mut other);
            let words = |html: &Option<String>| html.as_deref().map(words_of);
            if words(&entry.content) == words(&other.content) {
                entry.content = None;
                entry.excerpt = Some(entry.excerpt).filter(|own| words(own) != words(&other.excerpt)).flatten();
                entry.title = Some(entry.title).filter(|own| words(own) != words(&other.title)).flatten();
            }
        }
        Ok((entry, identity))
    }

    /// The entry that is the same post or comment as an item of the dump, which takes the entry.
    pub(super) fn take(
        &mut self,
        item: &Item,
        text: &Text<'_>,
        scrape: Option<&Joining>,
    ) -> Result<Option<FeedEntry>, Error> {
        if self.by_hash.is_empty() || !matches!(item.kind, "post" | "comment") {
            return Ok(None);
        }
        let Some(link) = item.link.as_deref() else { return Ok(None) };
        let hash = hash_of(&identity(link));
        if item.kind == "post" {
            self.note_post(item.id, link);
            self.commented.entry(hash).and_modify(|post| *post = post.or(Some(item.id)));
        }
        let from = self.by_hash.partition_point(|&(known, _)| known < hash);
        let by_link = self.by_hash[from..].first().filter(|(known, _)| *known == hash).map(|(_, at)| *at);
        let by_id = || self.by_id.get(&item.id).copied().filter(|_| item.kind == "post");
        let Some(at) = by_link.or_else(by_id) else { return Ok(None) };
        let (mut entry, own) = self.entry(at as usize, scrape)?;
        if by_link.is_none() && !is_its_own(&entry, item, text) {
            return Ok(None);
        }
        if let Some(post) = self.commented.get_mut(&hash_of(&own)) {
            *post = post.or(Some(item.id));
        }
        if entry.comment.is_none() {
            self.hear(&entry, Some(item.id));
            if self.is_hidden(Some(item.id)) {
                (entry.content, entry.excerpt) = (None, None);
                entry.enclosures.clear();
            }
        }
        self.taken[at as usize] = true;
        Ok(Some(entry))
    }

    /// The hosts of the site, without `www.`: those of the dump's items and of the scrape, or else the one that most entries name. A mirror
    /// may also have saved feeds of other sites.
    fn hosts_of_site(&self, records: &Records, scrape: Option<&Joining>) -> Result<BTreeSet<String>, Error> {
        let mut own: BTreeSet<String> = records.hosts().iter().map(|(host, _)| without_port(host)).collect();
        own.extend(scrape.and_then(Joining::host).map(|host| without_port(&host)));
        let top = scrape.and_then(|scrape| scrape.link_on_site(&format!("http://{NO_HOST}/")));
        own.extend(top.and_then(|top| Some(without_port(&bare_host_of(&top)?))));
        let mapped = scrape.map(Joining::mapped).unwrap_or_default();
        own.extend(mapped.iter().map(|(_, to)| without_port(to.split('/').next().unwrap_or_default())));
        if own.is_empty() {
            own.extend(links_of(&self.feeds)?.first().and_then(|(link, _)| Some(without_port(&bare_host_of(link)?))));
        }
        Ok(own)
    }

    /// Adds the entries that are not items of the dump: posts, then comments.
    pub(super) fn finish(
        &mut self,
        records: &mut Records,
        mut scrape: Option<&mut Joining>,
        output: &mut Output,
        report: &mut Report,
    ) -> Result<(), Error> {
        let own = self.hosts_of_site(records, scrape.as_deref())?;
        let mut others: BTreeMap<String, u64> = BTreeMap::new();
        for at in 0..self.feeds.len() {
            if self.taken[at] {
                report.count("merged", 1);
                continue;
            }
            let (entry, identity) = self.entry(at, scrape.as_deref())?;
            let host = bare_host_of(&entry.link).map(|host| without_port(&host));
            if host.as_ref().is_none_or(|host| !own.contains(host)) {
                report.leave_out("left_out_feeds", 1);
                *others.entry(host.unwrap_or_default()).or_default() += 1;
                continue;
            }
            self.made += 1;
            match entry.comment {
                Some(_) => self.add_comment(&entry, &identity, records, scrape.as_deref_mut(), report)?,
                None => self.add_post(entry, &identity, records, scrape.as_deref_mut(), report)?,
            }
            records.write_if_full(output)?;
        }
        warn_of_others(&others, &own, report);
        Ok(())
    }

    /// Whether an export has the post with this id, but the post is not published.
    fn is_hidden(&self, id: Option<i64>) -> bool {
        self.exported.as_ref().zip(id).is_some_and(|(site, id)| site.is_hidden(id))
    }

    fn add_post(
        &mut self,
        mut entry: FeedEntry,
        key: &str,
        records: &mut Records,
        scrape: Option<&mut Joining>,
        report: &mut Report,
    ) -> Result<(), Error> {
        let page = scrape.as_deref().and_then(|scrape| scrape.stated_at(key));
        let (r#type, id) = page.map_or((None, None), |(r#type, id)| (r#type, Some(id)));
        // One id at two links is a contradiction, too: a post may have had another slug, or be from another blog.
        let of_guid = entry.guid_id.filter(|_| self.guids_hold);
        let is_its_own = |id: &i64| !self.posts.contains(id) || self.is_its_shortlink(&entry.link, Some(*id));
        let id = id.or(entry.stated_id).or(of_guid.filter(is_its_own));
        if self.is_hidden(id) {
            report.leave_out("left_out_status", 1);
            return Ok(());
        }
        if self.is_its_shortlink(&entry.link, id) || scrape.as_deref().is_some_and(|scrape| scrape.is_taken_at(key)) {
            report.count("merged", 1);
            return Ok(());
        }
        let r#type = r#type.or(entry.r#type.take()).unwrap_or_else(|| "post".to_owned());
        if let Some(id) = id {
            self.note_post(id, &entry.link);
        }
        self.commented.entry(hash_of(key)).and_modify(|post| *post = post.or(id));
        let identity = Identity { kind: "post", r#type: &r#type, id, link: Some(&entry.link) };
        records.add_entry(&entry, identity, None, scrape, report)
    }

    fn note_post(&mut self, id: i64, link: &str) {
        self.posts.insert(id);
        if let Some(known) = self.shortlinks.get_mut(&id).filter(|known| known.len() < MOST_BLOGS) {
            known.push(link.to_owned());
        }
    }

    /// Whether a link is the shortlink of the known post with this id, and not of a post of another blog below the same host.
    fn is_its_shortlink(&self, link: &str, id: Option<i64>) -> bool {
        let known = id.filter(|_| id_in(link) == id).and_then(|id| self.shortlinks.get(&id));
        known.is_some_and(|known| known.iter().any(|known| is_below_home(known, link)))
    }

    fn add_comment(
        &self,
        entry: &FeedEntry,
        key: &str,
        records: &mut Records,
        scrape: Option<&mut Joining>,
        report: &mut Report,
    ) -> Result<(), Error> {
        let post = post_of(key);
        let known = self.commented.get(&hash_of(post)).copied().flatten();
        let of_page = || scrape.as_deref().and_then(|scrape| Some(scrape.stated_at(post)?.1));
        let post = known.or_else(of_page).or(entry.stated_id).or(entry.guid_id.filter(|_| self.guids_hold));
        if self.is_hidden(post) {
            report.leave_out("left_out_comments", 1);
            return Ok(());
        }
        let identity = Identity { kind: "comment", r#type: "comment", id: entry.comment, link: Some(&entry.link) };
        records.add_entry(entry, identity, post, scrape, report)
    }
}

/// Of the entries of one post, given by identity, number and the language of the page, those whose pages are in another language than that
/// of the original, which has the shortest link, if all others end like it; each with the entry of the original. Else the first, too.
fn translated(mut entries: Vec<(String, usize, Option<Arc<str>>)>) -> Vec<(usize, usize)> {
    entries.sort_by_key(|(identity, at, _)| (identity.len(), *at));
    let [(first, original, of_original), others @ ..] = &entries[..] else { return Vec::new() };
    let primary =
        |tag: &Option<Arc<str>>| tag.as_ref().map(|tag| tag.split(['-', '_']).next().map(str::to_ascii_lowercase));
    let is_other = |(_, _, language): &&(String, usize, Option<Arc<str>>)| {
        language.is_some() && primary(language) != primary(of_original)
    };
    let path = first.find('/').map_or("", |at| &first[at..]);
    let is_below = |(identity, ..): &(String, usize, _)| identity.len() > first.len() && identity.ends_with(path);
    let copies: Vec<(usize, usize)> = others.iter().filter(is_other).map(|(_, at, _)| (*at, *original)).collect();
    let is_unknown = of_original.is_some() && !others.iter().filter(is_other).all(is_below);
    let other = copies.first().map(|(at, _)| (*original, *at)).filter(|_| is_unknown);
    copies.into_iter().chain(other).collect()
}

/// The letters and digits of HTML outside its tags.
fn words_of(html: &str) -> String {
    let texts = html
        .split('<')
        .enumerate()
        .map(|(at, part)| if at == 0 { part } else { part.split_once('>').map_or("", |(_, text)| text) });
    texts.flat_map(str::chars).filter(|c| c.is_alphanumeric()).collect()
}

/// The entries of the feeds in a dump.
pub(super) fn gather(sources: &mut Sources, report: &mut Report) -> Result<Gathered, Error> {
    let (mut gathered, mut added) = (Gathered::default(), Ok(()));
    sources.read_feeds(report, |index, entry| {
        if added.is_ok() {
            added = gathered.add("", &entry, &Place { time: "", root: index as u32 }, None);
        }
    })?;
    added.map(|()| gathered)
}

/// The links of the entries of posts on the host that more than half of them name, which is the site's; each with its id, if stated.
/// Without such entries, those of the posts with the comments.
pub(super) fn links_of(feeds: &Feeds) -> Result<Vec<(String, Option<i64>)>, Error> {
    let mut hosts: BTreeMap<String, usize> = BTreeMap::new();
    let (mut links, mut are_comments) = (Vec::new(), false);
    for at in 0..feeds.len() {
        let entry = feeds.entry(at)?;
        let Some(host) = bare_host_of(&entry.link).filter(|host| host != NO_HOST) else { continue };
        let is_comment = entry.comment.is_some();
        // posts come first
        if is_comment && !are_comments && !links.is_empty() {
            break;
        }
        are_comments = is_comment;
        *hosts.entry(host.clone()).or_default() += 1;
        let id = entry.stated_id.or(entry.guid_id).filter(|_| !is_comment);
        links.push((host, post_of(&entry.link).to_owned(), id));
    }
    let most = hosts.into_iter().find(|(_, entries)| entries * 2 > links.len()).map(|(host, _)| host);
    let of_most = links.into_iter().filter(|(host, ..)| most.as_ref() == Some(host));
    Ok(of_most.map(|(_, link, id)| (link, id)).collect())
}

/// Warns of entries that were left out when the feeds were read, because of what the feeds themselves state.
pub(super) fn warn_of_foreign(report: &mut Report) {
    let entries = report.counted("left_out_feeds");
    if entries > 0 {
        let why = "their links lead to hosts that their feeds do not name, or into pages";
        report.warn(&format!("entries of feeds left out ({entries}): {why}"));
    }
}

/// Warns of entries that are left out because their links lead to other hosts than the site's.
fn warn_of_others(others: &BTreeMap<String, u64>, own: &BTreeSet<String>, report: &mut Report) {
    if let Some((most, _)) = others.iter().max_by_key(|(_, entries)| **entries) {
        let (entries, own): (u64, Vec<_>) = (others.values().sum(), own.iter().map(String::as_str).collect());
        let why = match own.is_empty() {
            true => "no host has most of these: index one site at a time".to_owned(),
            false => format!(
                "not of {}, most of {most}; --scrape-base URL names the site's host, if it is not known",
                own.join(", ")
            ),
        };
        report.warn(&format!("entries of feeds left out ({entries}): {why}"));
    }
}

/// A host without its port and `www.`.
fn without_port(host: &str) -> String {
    bare_host(host.split(':').next().unwrap_or_default()).to_owned()
}

/// Whether an entry with the id of an item, but another link, is the same post, and not a post of another blog: the link is a shortlink of
/// the blog, or the post has moved.
fn is_its_own(entry: &FeedEntry, item: &Item, text: &Text<'_>) -> bool {
    let link = item.link.as_deref().unwrap_or_default();
    if id_in(&entry.link).is_some() {
        return is_below_home(link, &entry.link);
    }
    let mut json = Vec::new();
    text.append_compact(&mut json);
    let Ok(object) = Json::parse(&json) else { return false };
    let (fields, mut own) = (entry.fields(), date_and_guid(|key| serde_json::from_str(object.get(key)?).ok()));
    bare_host_of(&entry.link) == bare_host_of(link)
        && own.any(|sign| date_and_guid(|key| fields.get(key).cloned()).any(|other| other == sign))
}

/// Whether a link is below the home that a shortlink names; another shortlink, if it names the same home.
fn is_below_home(link: &str, shortlink: &str) -> bool {
    let key = |link: &str| UrlKey::new(link.split('?').next().unwrap_or_default());
    let Some((own, home)) = key(link).zip(key(shortlink)) else { return false };
    match id_in(link) {
        Some(_) => own.as_str() == home.as_str(),
        None => rest_after(own.as_str(), home.as_str()).is_some(),
    }
}

/// The id of the post in a link that is a shortlink.
fn id_in(link: &str) -> Option<i64> {
    let query = link.split_once('?').map_or("", |(_, query)| query);
    shortlinks(query).find_map(|(object, id)| id.filter(|_| matches!(object, Object::Post)))
}

/// The identity of the post of a comment.
fn post_of(identity: &str) -> &str {
    identity.split('#').next().unwrap_or_default()
}

fn hash_of(identity: &str) -> u64 {
    xxh3_64(identity.as_bytes())
}
