//! Groups nearly identical texts: records that share a band are compared, and similar ones are joined.

use super::Name;
use super::store::{Signatures, Store};
use crate::minhash::Signature;
use crate::report::{Error, Report};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// The most texts of a band with which a text is compared in vain. Bands, of 160 bits, are not equal by coincidence, but if the frame of a
/// page was taken for its text, millions of records may have it.
const UNLIKE: usize = 100;

/// The records, each leading to an earlier one of its group or to itself; needs four bytes for each record.
pub(super) struct Near {
    signatures: Signatures,
    earlier: Vec<u32>,
    threshold: f64,
    compared: u64,
}

impl Near {
    pub(super) fn new(store: Store, threshold: f64) -> Result<Self, Error> {
        let signatures = store.finish()?;
        let earlier = (0..signatures.count).collect();
        Ok(Near { signatures, earlier, threshold, compared: 0 })
    }

    /// The first record of the group of `number`.
    fn first(&mut self, mut number: u32) -> u32 {
        while self.earlier[number as usize] != number {
            let next = self.earlier[number as usize];
            self.earlier[number as usize] = self.earlier[next as usize];
            number = next;
        }
        number
    }

    /// Joins the similar ones among records with a common band.
    pub(super) fn compare(&mut self, numbers: &[u32]) -> Result<(), Error> {
        let mut unlike: Vec<(u32, Option<Signature>)> = Vec::new();
        for &number in numbers {
            let first = self.first(number);
            if unlike.iter().any(|&(other, _)| self.first(other) == first) {
                continue;
            }
            let mut signature = None;
            let mut alike = None;
            for (other, theirs) in &mut unlike {
                let own = match &signature {
                    Some(known) => known,
                    None => signature.insert(self.signatures.entry(number)?.signature),
                };
                let theirs = match theirs {
                    Some(known) => known,
                    None => theirs.insert(self.signatures.entry(*other)?.signature),
                };
                self.compared += 1;
                if own.similarity(theirs) >= self.threshold {
                    alike = Some(*other);
                    break;
                }
            }
            match alike {
                Some(other) => {
                    let other = self.first(other);
                    self.earlier[first.max(other) as usize] = first.min(other);
                }
                None if unlike.len() < UNLIKE => unlike.push((number, signature)),
                None => {}
            }
        }
        Ok(())
    }

    /// The marks of all records that are in a group.
    pub(super) fn into_marks(mut self, report: &mut Report) -> Result<Marks, Error> {
        let (mut names, mut marks) = (HashMap::<u32, Name>::new(), HashMap::new());
        for number in 0..self.signatures.count {
            let first = self.first(number);
            if first == number {
                continue;
            }
            let (own, firsts) = (self.signatures.entry(number)?, self.signatures.entry(first)?);
            let name = self.signatures.name(&own)?;
            match names.entry(first) {
                Entry::Occupied(mut least) if name < *least.get() => _ = least.insert(name),
                Entry::Occupied(_) => {}
                Entry::Vacant(least) => {
                    least.insert(name.min(self.signatures.name(&firsts)?));
                    marks.insert(firsts.place, (first, 1.0, true));
                }
            }
            marks.insert(own.place, (first, own.signature.similarity(&firsts.signature), false));
        }
        report.count("signed", u64::from(self.signatures.count));
        report.count("compared", self.compared);
        report.count("groups", names.len() as u64);
        report.count("grouped", marks.len() as u64);
        let mut groups: HashMap<String, u32> = HashMap::new();
        names.values().for_each(|name| *groups.entry(name.text(false)).or_default() += 1);
        let text = |name: &Name| name.text(groups[&name.text(false)] > 1);
        let mut names: Vec<(u32, String)> = names.iter().map(|(first, name)| (*first, text(name))).collect();
        names.sort_unstable_by(|(a, x), (b, y)| x.cmp(y).then(a.cmp(b)));
        // Captures of one page have neither ids nor links of their own.
        for same in names.chunk_by_mut(|(_, a), (_, b)| a == b).filter(|same| same.len() > 1) {
            same.iter_mut().enumerate().for_each(|(at, (_, name))| *name += &format!("#{}", at + 1));
        }
        let names = names.into_iter().collect();
        Ok(Marks { names, marks, files: self.signatures.files })
    }
}

/// The groups by the position of their records. Only grouped records take memory, about 100 bytes each, and the name of a group.
pub(super) struct Marks {
    names: HashMap<u32, String>,
    marks: HashMap<(u32, u64), (u32, f64, bool)>,
    files: HashMap<Arc<str>, u32>,
}

/// The group of a record.
pub(super) struct Mark<'m> {
    pub(super) group: &'m str,
    /// The similarity to the first record of the group.
    pub(super) similarity: f64,
    pub(super) is_first: bool,
}

impl Marks {
    /// The mark of the record in this line, if it is in a group.
    pub(super) fn of(&self, file: &Arc<str>, line: u64) -> Option<Mark<'_>> {
        let &(first, similarity, is_first) = self.marks.get(&(*self.files.get(file)?, line))?;
        Some(Mark { group: self.names.get(&first)?, similarity, is_first })
    }
}
