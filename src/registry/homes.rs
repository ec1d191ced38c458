//! Distinguishes the blogs of a WordPress multisite, once all records are known.
//!
//! Most records state a home: that of the REST API they came from, or else that of their guid. A record that states none belongs to a home
//! above its link, if other records state such a home. Several homes may belong to one blog, because plugins give each language its own: if
//! a home's folder contains mostly items of another home, the two are one blog. A blog without items shows only in its pages: by the host
//! or directory of pages that contradict the records with their ids. The remaining homes are different blogs if records contradict each
//! other: the same id has another guid, which WordPress never changes
//! (<https://developer.wordpress.org/reference/functions/wp_insert_post/>), and another slug; or the translations of a page, in the home of
//! the record with its id, are other records. A single odd record is not a contradiction.

use super::blogs::{Blogs, is_below};
use super::facts::Facts;
use super::groups::forest::root;
use super::record::RecordKind;
use super::records::Records;
use super::statements::Edge;
use crate::language::LanguageTag;
use crate::ndjson::Str;
use crate::urls::{QuickMap, QuickSet, UrlKey, hash_32};
use crate::wordpress::{is_shortlink, shortlinks};

/// The most homes for which blogs are distinguished.
const MOST_HOMES: usize = u16::MAX as usize - 1;
/// The most records with one id that are compared: more blogs are not needed as evidence.
const MOST_OF_AN_ID: usize = 64;
/// Contradictions count if they affect at least one in this many records of the smaller home.
const ONE_IN: usize = 20;

/// Whether a guid states the home of the record with this link: WordPress writes HOME/?p=ID.
pub(super) fn states_home(guid: &UrlKey, link: &UrlKey) -> bool {
    guid.query().is_some_and(is_shortlink) && is_below(link, guid.page())
}

/// The evidence about blogs, until all records are known: 8 bytes per record, and 16 per page with an id.
#[derive(Default)]
pub(super) struct Homes {
    /// Homes as hosts with paths, as in keys, and their numbers from 1.
    homes: Vec<Box<str>>,
    numbers: QuickMap<Box<str>, u16>,
    /// For each record: the number of the home that it states, and the hashes of its guid and slug; 0 = none.
    of: Vec<u16>,
    guids: Vec<u32>,
    slugs: Vec<u16>,
    /// Pages without a record, and the ids that they state.
    claims: QuickMap<u32, i64>,
}

/// Evidence about two homes: the number of ids with the same guid, and of ids with two guids and two slugs.
#[derive(Clone, Copy, Default)]
struct Common {
    same: usize,
    others: usize,
}

/// What pairs of homes have in common, and how many of what was compared each home has.
type Compared = (QuickMap<(u16, u16), Common>, QuickMap<u16, usize>);

/// A page without a record that states an id, and the records that it names as its translations.
struct Claimed {
    page: u32,
    id: i64,
    led: Vec<u32>,
}

/// Whether one home is in a folder of another, the folder is not named after a language, and all items of both homes are inside their own
/// home.
fn are_named_apart(homes: &[Box<str>], at_home: &[bool]) -> bool {
    homes.iter().zip(at_home).filter(|(_, at_home)| **at_home).any(|(home, _)| {
        let Some((above, folder)) = home.rsplit_once('/') else { return false };
        let is_there = homes.binary_search_by(|other| (**other).cmp(above)).is_ok_and(|at| at_home[at]);
        is_there && LanguageTag::parse(folder).is_none()
    })
}

impl Homes {
    /// Notes the next record: the home that it states, and its guid.
    pub(super) fn note(&mut self, facts: &Facts<'_>, home: Option<&UrlKey>, guid: Option<&UrlKey>) {
        let home = home.map_or(0, |home| self.number(home.page()));
        self.of.push(home);
        self.guids.push(guid.map_or(0, |guid| hash_32(guid.as_str()).max(1)));
        let slug = facts.slug.as_deref().filter(|slug| !slug.is_empty());
        self.slugs.push(slug.map_or(0, |slug| (hash_32(slug) as u16).max(1)));
    }

    /// Notes the id that the last record, a page, states directly or in its shortlink.
    pub(super) fn note_claim(&mut self, facts: &Facts<'_>) {
        let of_shortlink = |alias: &Str<'_>| {
            let key = alias.contains('?').then(|| UrlKey::new(alias))??;
            shortlinks(key.query()?).next()?.1
        };
        if let Some(id) = facts.same.id.or_else(|| facts.aliases.iter().find_map(of_shortlink)) {
            self.claims.insert(self.of.len() as u32 - 1, id);
        }
    }

    fn number(&mut self, home: &str) -> u16 {
        // Most records state the same home as the previous one.
        let last = self.of.last().copied().unwrap_or(0);
        if last != 0 && *self.homes[usize::from(last) - 1] == *home {
            return last;
        }
        match self.numbers.get(home) {
            Some(&known) => known,
            None => {
                if self.homes.len() <= MOST_HOMES {
                    self.homes.push(home.into());
                }
                let number = self.homes.len().min(MOST_HOMES) as u16;
                self.numbers.insert(home.into(), number);
                number
            }
        }
    }

    /// Determines the blogs, once all records and their statements are known.
    pub(super) fn close(mut self, records: &Records, edges: &[Edge]) -> Blogs {
        if !self.homes.is_empty() {
            self.add_folders(records, edges);
        }
        if !(2..=MOST_HOMES).contains(&self.homes.len()) {
            return Blogs::default();
        }
        // Sorting makes the numbers independent of the order of the records.
        let mut sorted = std::mem::take(&mut self.homes);
        let met = sorted.clone();
        sorted.sort_unstable();
        let number = |home| sorted.binary_search(home).map_or(0, |at| at as u16 + 1);
        let numbers: Vec<u16> = met.iter().map(number).collect();
        self.of.iter_mut().filter(|home| **home != 0).for_each(|home| *home = numbers[usize::from(*home) - 1]);
        let blogs = Blogs::new(sorted.iter().cloned().zip(1..));
        let (blog_of, at_home) = self.settle(records, &blogs, sorted.len());
        if !are_named_apart(&sorted, &at_home) && !self.are_several(records, edges) {
            return Blogs::default();
        }
        Blogs::new(sorted.into_iter().zip(blog_of)).with_records(self.of)
    }

    /// Adds hosts and directories without items as homes, if several pages there that state no home contradict the records with their ids.
    fn add_folders(&mut self, records: &Records, edges: &[Edge]) {
        let mut found: QuickMap<Box<str>, Common> = QuickMap::default();
        let mut key = UrlKey::default();
        for Claimed { page, id, led } in self.claimed(records, edges) {
            if self.of[page as usize] != 0 || led.is_empty() || !key.read(records.link(page)) {
                continue;
            }
            let is_same = led.iter().any(|&to| records[to].id() == id);
            // The first directory below the home of the other record, or the host.
            let folder = |other: u32| {
                let home = self.of[other as usize].checked_sub(1).map(|home| &*self.homes[usize::from(home)]);
                let below = home.and_then(|home| key.page().strip_prefix(home)?.strip_prefix('/'));
                let Some(below) = below else { return Some(key.host()) };
                Some(&key.page()[..key.page().len() - below.len() + below.find('/')?])
            };
            let mut folders: Vec<&str> = self.others(records, page, id).filter_map(folder).collect();
            folders.sort_unstable();
            folders.dedup();
            for folder in folders {
                let common = found.entry(folder.into()).or_default();
                *if is_same { &mut common.same } else { &mut common.others } += 1;
            }
        }
        let contradict = |(folder, Common { same, others }): (Box<str>, Common)| {
            (others > same + 1 && !self.numbers.contains_key(&folder)).then_some(folder)
        };
        let folders: Vec<Box<str>> = found.into_iter().filter_map(contradict).collect();
        if (1..MOST_HOMES).contains(&folders.len()) {
            let known = self.homes.iter().cloned().zip(std::iter::repeat(0));
            let all = Blogs::new(known.chain(folders.iter().cloned().zip(1..)));
            let items = records.numbers().filter(|&number| records.kind(number) != RecordKind::Page);
            let mut at = |number: u32| if key.read(records.link(number)) { all.at(&key).number() } else { 0 };
            let used: QuickSet<u16> = items.map(&mut at).collect();
            let unused = (1..).zip(folders).filter(|(number, _)| !used.contains(number));
            self.homes.extend(unused.map(|(_, folder)| folder));
        }
    }

    /// The pages without a record that state an id, with the records that they name as their translations.
    fn claimed<'r>(&'r self, records: &'r Records, edges: &'r [Edge]) -> impl Iterator<Item = Claimed> + 'r {
        edges.chunk_by(|a, b| a.from == b.from).filter_map(|stated| {
            let page = stated[0].from;
            let &id = self.claims.get(&page).filter(|_| !records[page].is_guest())?;
            let led = stated.iter().filter(|edge| !edge.is_derived() && !edge.is_by_id());
            Some(Claimed { page, id, led: led.filter_map(|edge| records.stated(edge)?).map(|(to, _)| to).collect() })
        })
    }

    /// The posts with the id that a page states, in other homes than the page's.
    fn others<'r>(&'r self, records: &'r Records, page: u32, id: i64) -> impl Iterator<Item = u32> + 'r {
        let home = |number: u32| self.of[number as usize];
        let is_other = move |&number: &u32| home(number) != home(page) && !records[number].is_guest();
        records.by_id(RecordKind::Post.space(), id).filter(is_other).take(MOST_OF_AN_ID)
    }

    /// Replaces the number of each record's home by that of its blog. Returns for each home the number of its blog, and whether it has
    /// several items, all of them in its own folder.
    fn settle(&mut self, records: &Records, folders: &Blogs, count: usize) -> (Vec<u16>, Vec<bool>) {
        let mut key = UrlKey::default();
        let mut at = |number: u32| if key.read(records.link(number)) { folders.at(&key).number() } else { 0 };
        let mut lying: QuickMap<(u16, u16), usize> = QuickMap::default();
        for (number, home) in records.numbers().zip(&mut self.of) {
            let folder = at(number);
            let is_item = records.kind(number) != RecordKind::Page && !records[number].is_guest();
            match *home {
                0 => *home = folder,
                stated if is_item && folder != 0 => *lying.entry((folder, stated)).or_default() += 1,
                _ => {}
            }
        }
        let mut most: Vec<(usize, u16)> = vec![(0, 0); count + 1];
        for (&(folder, stated), &n) in &lying {
            let known = &mut most[usize::from(folder)];
            let own = lying.get(&(folder, folder)).copied().unwrap_or(0);
            if stated != folder && n > own && (n, u16::MAX - stated) > (known.0, u16::MAX - known.1) {
                *known = (n, stated);
            }
        }
        let mut parents: Vec<u32> = (0..=count as u32).collect();
        for (folder, &(_, stated)) in most.iter().enumerate().filter(|(_, (n, _))| *n > 0) {
            let (a, b) = (root(&mut parents, folder as u32), root(&mut parents, u32::from(stated)));
            parents[a.max(b) as usize] = a.min(b);
        }
        self.of.iter_mut().for_each(|home| *home = root(&mut parents, u32::from(*home)) as u16);
        let is_at_home = |home: u16| {
            lying.get(&(home, home)).is_some_and(|n| *n > 1)
                && !lying.keys().any(|(folder, stated)| *stated == home && folder != stated)
        };
        let at_home = (1..=count as u16).map(is_at_home).collect();
        ((1..=count as u32).map(|home| root(&mut parents, home) as u16).collect(), at_home)
    }

    /// Whether the homes belong to several blogs.
    fn are_several(&self, records: &Records, edges: &[Edge]) -> bool {
        let are_apart = |(common, all): Compared| {
            common.iter().any(|((a, b), Common { same, others })| {
                let fewer = [*a, *b].iter().filter_map(|home| all.get(home)).min().copied().unwrap_or(0);
                others > same && others * ONE_IN >= fewer
            })
        };
        are_apart(self.compare_guids(records)) || are_apart(self.compare_translations(records, edges))
    }

    /// Compares the homes by the guids of their posts and files. Also returns how many posts and files with a guid each home has.
    fn compare_guids(&self, records: &Records) -> Compared {
        let (mut common, mut all) = Compared::default();
        let told = records.numbers().zip(&self.of).zip(self.guids.iter().zip(&self.slugs));
        let is_post = |number| {
            matches!(records.kind(number), RecordKind::Post | RecordKind::Media) && !records[number].is_guest()
        };
        let told = told.filter(|((number, home), (guid, _))| **home != 0 && **guid != 0 && is_post(*number));
        let mut told: Vec<(i64, u16, u32, u16)> =
            told.map(|((number, &home), (&guid, &slug))| (records[number].id(), home, guid, slug)).collect();
        told.sort_unstable();
        told.dedup();
        told.iter().for_each(|(_, home, ..)| *all.entry(*home).or_default() += 1);
        for of_id in told.chunk_by(|a, b| a.0 == b.0).filter(|of_id| of_id.len() > 1) {
            let of_id = &of_id[..of_id.len().min(MOST_OF_AN_ID)];
            // For each pair of homes: whether they share a guid, and whether they share a slug.
            let mut pairs: QuickMap<(u16, u16), [bool; 2]> = QuickMap::default();
            for (at, (_, a, guid, slug)) in of_id.iter().enumerate() {
                for (_, b, other, its) in of_id[at + 1..].iter().filter(|(_, b, ..)| b != a) {
                    let alike = pairs.entry((*a, *b)).or_default();
                    *alike = [alike[0] || guid == other, alike[1] || *slug != 0 && slug == its];
                }
            }
            for (pair, alike) in pairs {
                let common = common.entry(pair).or_default();
                match alike {
                    [true, _] => common.same += 1,
                    [_, false] => common.others += 1,
                    _ => {}
                }
            }
        }
        (common, all)
    }

    /// Compares the homes by the translations of pages without a record: whether a translation of such a page is the record in another home
    /// that has the page's id. Also returns how many such pages each home has.
    fn compare_translations(&self, records: &Records, edges: &[Edge]) -> Compared {
        let (mut common, mut all) = Compared::default();
        let home = |number: u32| self.of[number as usize];
        for Claimed { page, id, led } in self.claimed(records, edges) {
            *all.entry(home(page)).or_default() += 1;
            for other in self.others(records, page, id) {
                let common = common.entry((home(page), home(other))).or_default();
                if led.iter().any(|&to| records[to].id() == id) {
                    common.same += 1;
                } else if home(other) != 0 && led.iter().any(|&to| home(to) == home(other)) {
                    common.others += 1;
                }
            }
        }
        (common, all)
    }
}
