//! Compares two texts block by block, and changed blocks word by word. There is no time limit, so that the same texts always
//! give the same result; the work is bounded by the length of the texts, because long ones are compared piece by piece.

mod pieces;

use crate::record::{BlockChange, Str, WordChange};
use imara_diff::{Algorithm, Diff, InternedInput};
pub(super) use pieces::longest;
use std::collections::HashMap;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// The number of new blocks that are examined as successors of an old block.
const WINDOW: usize = 8;

/// The lowest share of common words with which a block counts as the successor of another.
const ALIKE: f64 = 0.4;

/// A difference: its range in the old list and in the new one.
type Hunk = (Range<usize>, Range<usize>);

/// The blocks of a text: its lines.
pub(super) fn blocks(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// The differences between blocks.
pub(super) fn compare<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<BlockChange<'a>> {
    let mut changes = Vec::new();
    for (before, after) in hunks(old, new) {
        pair(&old[before], &new[after], &mut changes);
    }
    join_moved(&mut changes);
    changes
}

/// The ranges in which two lists differ.
fn hunks(old: &[&str], new: &[&str]) -> Vec<Hunk> {
    let mut found: Vec<Hunk> = Vec::new();
    for (before, after) in pieces::pieces(old, new) {
        let mut input = InternedInput::default();
        input.update_before(old[before.clone()].iter().copied());
        input.update_after(new[after.clone()].iter().copied());
        let place = |start: usize, of: Range<u32>| start + of.start as usize..start + of.end as usize;
        for hunk in Diff::compute(Algorithm::Histogram, &input).hunks() {
            let (before, after) = (place(before.start, hunk.before), place(after.start, hunk.after));
            match found.last_mut().filter(|last| (last.0.end, last.1.end) == (before.start, after.start)) {
                Some(last) => (last.0.end, last.1.end) = (before.end, after.end),
                None => found.push((before, after)),
            }
        }
    }
    found
}

/// Matches old and new blocks in one range: which old block has become which new one.
fn pair<'a>(old: &[&'a str], new: &[&'a str], changes: &mut Vec<BlockChange<'a>>) {
    let hashes = |blocks: &[&str]| blocks.iter().map(|block| word_hashes(block)).collect::<Vec<_>>();
    let (old_words, new_words) = (hashes(old), hashes(new));
    let mut next = 0;
    for (block, words) in old.iter().zip(&old_words) {
        let window = next..new.len().min(next + WINDOW);
        let alike = window.map(|at| (common(words, &new_words[at]), at)).filter(|(share, _)| *share >= ALIKE);
        // Among equals, the first.
        let best = alike.reduce(|best, other| if other.0 > best.0 { other } else { best });
        let Some((_, at)) = best else {
            changes.push(removed(block));
            continue;
        };
        changes.extend(new[next..at].iter().copied().map(added));
        changes.push(BlockChange {
            op: Some("changed".into()),
            old: Some((*block).into()),
            new: Some(new[at].into()),
            words: words_of(block, new[at]),
        });
        next = at + 1;
    }
    changes.extend(new[next..].iter().copied().map(added));
}

/// A deleted block.
pub(super) fn removed(block: &str) -> BlockChange<'_> {
    BlockChange { op: Some("removed".into()), old: Some(block.into()), new: None, words: Vec::new() }
}

fn added(block: &str) -> BlockChange<'_> {
    BlockChange { op: Some("added".into()), old: None, new: Some(block.into()), words: Vec::new() }
}

/// The hashes of a block's words, sorted.
fn word_hashes(block: &str) -> Vec<u64> {
    let mut hashes: Vec<u64> = tokens(block).map(|word| xxh3_64(word.trim_end().as_bytes())).collect();
    hashes.sort_unstable();
    hashes
}

/// The share of common words in two blocks (Dice).
fn common(a: &[u64], b: &[u64]) -> f64 {
    let (mut at, mut common) = (0, 0);
    // The shorter block limits the number of common words: a long block is not compared with one that is too short.
    if 2.0 * (a.len().min(b.len()) as f64) < ALIKE * (a.len() + b.len()) as f64 {
        return 0.0;
    }
    for hash in a {
        while b.get(at).is_some_and(|other| other < hash) {
            at += 1;
        }
        if b.get(at) == Some(hash) {
            (at, common) = (at + 1, common + 1);
        }
    }
    2.0 * f64::from(common) / (a.len() + b.len()).max(1) as f64
}

/// Words with the blanks after them. In scripts without blanks between words, single characters.
fn tokens(block: &str) -> impl Iterator<Item = &str> {
    let mut rest = block;
    std::iter::from_fn(move || {
        let mut was_blank = false;
        let mut end = rest.len();
        for (at, c) in rest.char_indices() {
            let is_alone = c >= '\u{2e80}' && !c.is_whitespace();
            if (was_blank && !c.is_whitespace()) || (is_alone && at > 0) {
                end = at;
                break;
            }
            if is_alone && !rest[c.len_utf8()..].starts_with(char::is_whitespace) {
                end = c.len_utf8();
                break;
            }
            was_blank = c.is_whitespace();
        }
        let token;
        (token, rest) = rest.split_at(end);
        (!token.is_empty()).then_some(token)
    })
}

/// The changed words of a block.
fn words_of<'a>(old: &'a str, new: &'a str) -> Vec<WordChange<'a>> {
    let (mut changes, mut done) = (Vec::new(), (0, 0));
    let (before, after): (Vec<&str>, Vec<&str>) = (tokens(old).collect(), tokens(new).collect());
    let mut push = |op: &'static str, words: &[&'a str]| {
        if !words.is_empty() {
            changes.push(WordChange { op: Some(op.into()), text: Some(Str::from(words.concat())) });
        }
    };
    // A blank after a word does not belong to it.
    let [old_words, new_words] =
        [&before, &after].map(|words| words.iter().map(|word| word.trim_end()).collect::<Vec<_>>());
    for (removed, added) in hunks(&old_words, &new_words) {
        push("same", &after[done.1..added.start]);
        push("removed", &before[removed.clone()]);
        push("added", &after[added.clone()]);
        done = (removed.end, added.end);
    }
    push("same", &after[done.1..]);
    changes
}

/// Treats a block that is removed in one place and added in another as moved.
fn join_moved(changes: &mut Vec<BlockChange<'_>>) {
    let mut removed: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, change) in changes.iter().enumerate().rev() {
        if let (Some("removed"), Some(old)) = (change.op.as_deref(), change.old.as_deref()) {
            removed.entry(old.to_owned()).or_default().push(at);
        }
    }
    if removed.is_empty() {
        return;
    }
    let mut gone = vec![false; changes.len()];
    for change in changes.iter_mut().filter(|change| change.op.as_deref() == Some("added")) {
        let Some(from) = change.new.as_deref().and_then(|new| removed.get_mut(new)?.pop()) else { continue };
        gone[from] = true;
        (change.op, change.old) = (Some("moved".into()), change.new.clone());
    }
    let mut at = 0..;
    changes.retain(|_| at.next().is_some_and(|at| !gone[at]));
}
