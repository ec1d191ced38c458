//! Holds back doubtful items: they begin with other keys than the items of their type in the file, and have few keys. After damage such a one may
//! have been inside of another item: a post that a plugin lists has the identity of the post itself and a few of its keys. It waits until what is
//! no doubt has been told, so that it takes the place of nothing.

use super::event::Text;
use super::held::Held;
use super::item::Item;
use super::search::first_keys;
use crate::ndjson::Walk;
use crate::urls::hash;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Items that may wait, and their bytes.
const MOST: usize = 1000;
const BYTES: usize = 16 << 20;
/// Beginnings of a type.
const MOST_BEGINNINGS: usize = 16;

/// Items of one type that begin with the same keys.
struct Beginning {
    /// Of these keys.
    hash: u128,
    items: u32,
    /// How many keys the first of them has.
    keys: usize,
}

#[derive(Default)]
pub(super) struct Doubts {
    /// By type, how the items of the file begin.
    beginnings: BTreeMap<String, Vec<Beginning>>,
    /// Something in the file could not be read.
    pub(super) is_damaged: bool,
    held: Vec<Held>,
    /// Of them those of files before.
    earlier: usize,
    bytes: usize,
}

impl Doubts {
    /// Whether at least as many items of the type have begun otherwise and have more than twice as many keys; or the file is
    /// damaged, and all of the type have begun as this one.
    pub(super) fn has(&mut self, item: &Item, text: &[u8]) -> bool {
        let own = hash(&String::from_utf8_lossy(&first_keys(text).join(&b'\n')));
        if !self.beginnings.contains_key(&*item.r#type) {
            self.beginnings.insert(item.r#type.to_string(), Vec::new());
        }
        let Some(known) = self.beginnings.get_mut(&*item.r#type) else { return false };
        let at = known.iter().position(|beginning| beginning.hash == own).unwrap_or(known.len());
        // Only a hostile file has many.
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

    /// Ends a file: of one without damage nothing is doubtful.
    pub(super) fn end_file(&mut self) -> Vec<Held> {
        self.beginnings.clear();
        let settled = if std::mem::take(&mut self.is_damaged) { Vec::new() } else { self.held.split_off(self.earlier) };
        self.bytes -= settled.iter().map(|held| held.text.len()).sum::<usize>();
        self.earlier = self.held.len();
        settled
    }

    /// Those that wait for the end of all.
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
