//! Holds back doubtful items: those that begin with other keys than the other items of their type in the file, and have few keys. In a
//! damaged file, such an item may have been nested in another one: the short copy of a post that a plugin lists has the identity of the
//! post and a few of its keys. It is reported only after the items that are beyond doubt, so that it cannot replace any of them.

use super::event::Text;
use super::held::Held;
use super::item::Item;
use super::search::first_keys;
use crate::ndjson::Walk;
use crate::urls::hash;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most items that may be held back.
const MOST: usize = 1000;
/// The most bytes that the held items may have together.
const BYTES: usize = 16 << 20;
/// The most groups of first keys that are kept for a type.
const MOST_BEGINNINGS: usize = 16;

/// Items of one type whose first keys are the same.
struct Beginning {
    /// The hash of these keys.
    hash: u128,
    items: u32,
    /// The number of keys of the first such item.
    keys: usize,
}

#[derive(Default)]
pub(super) struct Doubts {
    /// The first keys of the items in this file, by type.
    beginnings: BTreeMap<String, Vec<Beginning>>,
    /// Whether a part of the file could not be read.
    pub(super) is_damaged: bool,
    held: Vec<Held>,
    /// How many of `held` come from earlier files.
    earlier: usize,
    bytes: usize,
}

impl Doubts {
    /// Whether an item is doubtful: in its type, another group of first keys has at least as many items as its own group, and these have
    /// more than twice as many keys. In a damaged file, the first item of each type is doubtful, too.
    pub(super) fn has(&mut self, item: &Item, text: &[u8]) -> bool {
        let own = hash(&String::from_utf8_lossy(&first_keys(text).join(&b'\n')));
        if !self.beginnings.contains_key(&*item.r#type) {
            self.beginnings.insert(item.r#type.to_string(), Vec::new());
        }
        let Some(known) = self.beginnings.get_mut(&*item.r#type) else { return false };
        let at = known.iter().position(|beginning| beginning.hash == own).unwrap_or(known.len());
        // Only a file made by an attacker has so many.
        if at == MOST_BEGINNINGS {
            return false;
        }
        if at == known.len() {
            known.push(Beginning { hash: own, items: 0, keys: count_keys(text) });
        }
        known[at].items += 1;
        let Beginning { items, keys, .. } = known[at];
        let is_less = known.iter().any(|other| other.keys > 2 * keys && other.items >= items);
        let is_first = self.is_damaged && known.len() == 1 && items == 1;
        (is_less || is_first) && self.held.len() < MOST && self.bytes < BYTES
    }

    pub(super) fn hold(&mut self, item: Item, text: &Text<'_>, file: &Arc<str>, number: u64) {
        let held = Held::new(item, text, file, number);
        self.bytes += held.text.len();
        self.held.push(held);
    }

    /// Ends a file. If the file is not damaged, its items that were held back are not doubtful after all, and are returned.
    pub(super) fn end_file(&mut self) -> Vec<Held> {
        self.beginnings.clear();
        let settled = if std::mem::take(&mut self.is_damaged) { Vec::new() } else { self.held.split_off(self.earlier) };
        self.bytes -= settled.iter().map(|held| held.text.len()).sum::<usize>();
        self.earlier = self.held.len();
        settled
    }

    /// Returns the items that are held back, when all files have been read.
    pub(super) fn end(&mut self) -> Vec<Held> {
        self.earlier = 0;
        std::mem::take(&mut self.held)
    }
}

fn count_keys(object: &[u8]) -> usize {
    let (mut walk, mut keys) = (Walk::new(object), 0);
    if walk.open(b'{').is_some() {
        while let Some(Some(_)) = walk.key() {
            keys += 1;
            if walk.value().is_none() {
                break;
            }
        }
    }
    keys
}
