//! A hash table from URLs to the records that own them, 24 bytes per entry, grown in parts. The lookup chooses between
//! several owners.

use crate::urls::QuickMap;
use hashbrown::{HashTable, hash_table::Entry};

/// A URL with more owners than this is treated as unowned: comparing them all for each link would take too long.
pub(super) const CONTESTED: usize = 256;

/// The most owners of a name, which is looked up to find its only owner in a blog.
pub(super) const NAMED: usize = 64;

/// Parts of the table. Each grows separately, so that growth never doubles the whole table.
const SHARDS: usize = 64;

/// The role in which a record owns a URL; of two owners, the one with the earlier role takes precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// Its `link`.
    Link,
    /// Another URL that shows it in the scrape.
    Alias,
    /// A comment's link, fragment included.
    Comment,
    /// Its file.
    File,
    /// One of its file's sizes.
    Size,
    /// Its file before WordPress changed it.
    Original,
    /// The name that its file's name is derived from.
    Stem,
    /// The `link` of a scraped page without a record.
    Page,
    /// Not a URL, but a name by which archives and shortened permalinks refer to it.
    Name,
}

/// A record in its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Owner {
    pub(crate) role: Role,
    pub(crate) record: u32,
}

#[derive(Clone, Copy)]
struct Slot {
    hash: [u32; 4],
    record: u32,
    role: Role,
    contested: bool,
}

/// URL → owners.
pub(super) struct Table {
    shards: Vec<HashTable<Slot>>,
    contested: QuickMap<u128, Vec<Owner>>,
}

fn words(hash: u128) -> [u32; 4] {
    [hash as u32, (hash >> 32) as u32, (hash >> 64) as u32, (hash >> 96) as u32]
}

/// The bits by which hashbrown places a slot; other bits select the shard.
fn place(hash: &[u32; 4]) -> u64 {
    u64::from(hash[1]) << 32 | u64::from(hash[0])
}

impl Default for Table {
    fn default() -> Self {
        Table { shards: vec![HashTable::new(); SHARDS], contested: QuickMap::default() }
    }
}

impl Table {
    pub(crate) fn len(&self) -> usize {
        self.shards.iter().map(HashTable::len).sum()
    }

    /// Notes that `owner` owns the key with this hash. The result does not depend on the order of calls.
    pub(crate) fn insert(&mut self, hash: u128, owner: Owner) {
        let key = words(hash);
        let shard = &mut self.shards[key[3] as usize % SHARDS];
        let slot = match shard.entry(place(&key), |slot| slot.hash == key, |slot| place(&slot.hash)) {
            Entry::Vacant(vacant) => {
                vacant.insert(Slot { hash: key, record: owner.record, role: owner.role, contested: false });
                return;
            }
            Entry::Occupied(occupied) => occupied.into_mut(),
        };
        if slot.contested {
            let owners = self.contested.entry(hash).or_default();
            // Owners beyond the limit need not be kept.
            if owners.len() <= if owner.role < Role::Name { CONTESTED } else { NAMED } {
                owners.push(owner);
            }
        } else if slot.record == owner.record {
            slot.role = slot.role.min(owner.role);
        } else {
            slot.contested = true;
            let first = Owner { role: slot.role, record: slot.record };
            self.contested.insert(hash, vec![first, owner]);
        }
    }

    /// Calls `look` with the owners of the key with this hash: at least one, in no particular order. A record may
    /// appear in several roles.
    pub(crate) fn get<T>(&self, hash: u128, look: impl FnOnce(&[Owner]) -> T) -> Option<T> {
        let key = words(hash);
        let slot = self.shards[key[3] as usize % SHARDS].find(place(&key), |slot| slot.hash == key)?;
        if !slot.contested {
            return Some(look(&[Owner { role: slot.role, record: slot.record }]));
        }
        self.contested.get(&hash).map(|owners| look(owners))
    }

    #[cfg(test)]
    pub(crate) fn slot_size() -> usize {
        std::mem::size_of::<Slot>()
    }

    /// The single owner of a key.
    pub(crate) fn only(&self, hash: u128) -> Option<Owner> {
        self.get(hash, |owners| if let [owner] = owners { Some(*owner) } else { None })?
    }
}
