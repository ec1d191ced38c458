//! Pairs old and new records with the same words but different ids, for example after a site was rebuilt. It compares the words by the
//! sketches that also distinguish copies from translations ([`crate::minhash`]). A page without an id is identified by its address: if such
//! a page is paired here, it has moved.

use super::facts::{KINDS, identity};
use super::side::Side;
use crate::minhash::Sketch;
use crate::ndjson::Object;
use crate::record::is_of_page;
use crate::report::Error;
use crate::spill::Sorter;
use crate::urls::{QuickSet, hash_32};

/// A record that only one side has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unmatched {
    pub(super) number: u32,
    pub(super) at: u64,
    pub(super) guid: u32,
}

/// Bytes of sketches that are sorted in memory at a time.
const RUN: usize = 1 << 20;

/// The most records of each side that are compared in a bucket: a bucket holds the records that share a band of their sketches.
const MOST: usize = 64;

/// The parts of a record that are compared: 88 bytes.
struct Words {
    sketch: Sketch,
    /// The hash of its site, kind and type: only records that have these in common are compared.
    room: u64,
    slug: u32,
    date: u32,
    guid: u32,
    /// Whether it is a term, a user or a file. These have so few words that the words alone do not identify them.
    is_named: bool,
}

/// The records that only one side has, by their words.
pub(super) struct Alike {
    old: Vec<Option<Words>>,
    new: Vec<Option<Words>>,
}

impl Alike {
    /// The pairs of an old and a new record that are the same: the numbers of the old record and of the new one.
    pub(super) fn pairs(
        old: &Side,
        gone: &[Unmatched],
        new: &Side,
        added: &[Unmatched],
    ) -> Result<Vec<(u32, u32)>, Error> {
        let read = |side: &Side, list: &[Unmatched]| -> Result<Vec<Option<Words>>, Error> {
            list.iter().map(|one| Ok(words(&side.line(one.at)?, one.guid))).collect()
        };
        let alike = Alike { old: read(old, gone)?, new: read(new, added)? };
        let mut found = alike.candidates()?;
        // The best score comes first; of equal scores, the pair that comes first in the input.
        found.sort_unstable_by_key(|&(score, old, new)| {
            (std::cmp::Reverse(score), gone[old as usize].at, added[new as usize].at)
        });
        let (mut taken, mut given, mut pairs) = (QuickSet::default(), QuickSet::default(), Vec::new());
        for (_, old, new) in found {
            if !taken.contains(&old) && !given.contains(&new) {
                taken.insert(old);
                given.insert(new);
                pairs.push((gone[old as usize].number, added[new as usize].number));
            }
        }
        Ok(pairs)
    }

    /// The pairs that share a band of their sketches and have a score: (score, old, new).
    fn candidates(&self) -> Result<Vec<(u32, u32, u32)>, Error> {
        let mut sorter = Sorter::with_runs_of(RUN);
        for (side, list) in [(0, &self.old), (1, &self.new)] {
            for (number, words) in list.iter().enumerate() {
                let Some(words) = words else { continue };
                for (band, part) in words.sketch.bands().enumerate() {
                    let key =
                        [&words.room.to_be_bytes(), &[band as u8][..], part, &[side], &(number as u32).to_be_bytes()]
                            .concat();
                    sorter.add(&key, b"")?;
                }
            }
        }
        let (mut sorted, mut found, mut seen) = (sorter.sorted()?, Vec::new(), QuickSet::default());
        let (mut bucket, mut old, mut new) = (Vec::new(), Vec::new(), Vec::new());
        while let Some((key, _)) = sorted.next()? {
            let (part, rest) = key.split_at(key.len() - 5);
            if part != bucket {
                self.compare(&old, &new, &mut seen, &mut found);
                old.clear();
                new.clear();
                bucket = part.to_vec();
            }
            let list = if rest[0] == 0 { &mut old } else { &mut new };
            if list.len() < MOST {
                list.push(u32::from_be_bytes(rest[1..].try_into().expect("four bytes")));
            }
        }
        self.compare(&old, &new, &mut seen, &mut found);
        Ok(found)
    }

    fn compare(&self, old: &[u32], new: &[u32], seen: &mut QuickSet<(u32, u32)>, found: &mut Vec<(u32, u32, u32)>) {
        for &a in old {
            for &b in new.iter().filter(|&&b| seen.insert((a, b))) {
                let (Some(x), Some(y)) = (&self.old[a as usize], &self.new[b as usize]) else { continue };
                found.extend(x.score(y).map(|score| (score, a, b)));
            }
        }
    }
}

impl Words {
    /// The score of a pair, which grows with the words in common; `None` if the two are not the same record.
    fn score(&self, other: &Words) -> Option<u32> {
        let is_at_one_place =
            (self.slug != 0 && self.slug == other.slug) || (self.date != 0 && self.date == other.date);
        let is_same = match self.sketch.is_long() && other.sketch.is_long() && !self.is_named {
            true => self.sketch.is_copy_of(&other.sketch),
            false => is_at_one_place && self.sketch.is_same(&other.sketch),
        };
        // WordPress gives each post a guid of its own, and records with one guid were matched before. So two records that have guids here
        // are different posts, unless their slugs or dates are equal, as on a site that was rebuilt.
        let is_another = self.guid != 0 && other.guid != 0 && !is_at_one_place;
        (is_same && !is_another).then(|| 2 * self.sketch.agreement(&other.sketch) as u32 + u32::from(is_at_one_place))
    }
}

/// The words of a line; none of a record without words.
fn words(line: &[u8], guid: u32) -> Option<Words> {
    let object = Object::parse(line).ok()?;
    let text = |key| object.text(key).unwrap_or_default();
    let kind = KINDS.iter().find(|kind| **kind == &*text("kind"))?;
    let mut texts: Vec<&str> = Vec::new();
    texts.extend(object.get("name"));
    texts.extend(["title", "content", "description", "caption"].iter().filter_map(|key| object.get_in(key, "text")));
    let sketch = Sketch::of(texts.into_iter().map(str::as_bytes))?;
    let hash = |key| Some(text(key)).filter(|text| !text.is_empty()).map_or(0, |text| hash_32(&text).max(1));
    let room = identity(&text("site"), kind, &text("type"), "");
    let is_named = matches!(*kind, "term" | "user" | "media");
    let of_page = is_of_page(Some(kind), object.text_in("source", "via").as_deref());
    let slug = if of_page { end_of(&text("link")).map_or(0, |end| hash_32(end).max(1)) } else { hash("slug") };
    Some(Words { sketch, room, slug, date: hash("date_gmt"), guid, is_named })
}

/// The last segment of the path of a page, which is its slug.
fn end_of(link: &str) -> Option<&str> {
    let path = link.split(['?', '#']).next()?.split_once("://")?.1.split_once('/')?.1;
    path.trim_end_matches('/').rsplit('/').next().filter(|end| !end.is_empty())
}
