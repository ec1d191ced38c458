//! Divides two long lists into pieces that are compared one by one: in the worst case, the time to find the best match grows with the
//! square of a piece's length.
//!
//! A piece ends before an element that both lists have exactly once, if most of these elements have the same order in both ([patience]);
//! if there is none, it ends after a fixed share of both lists.
//!
//! [patience]: https://bramcohen.livejournal.com/73318.html

use super::Hunk;
use std::collections::HashMap;
use std::ops::Range;

/// The most elements of both lists together in a piece.
pub(super) const MOST: usize = 1024;

/// How many times a piece that is too long is divided again at elements that are unique only within it.
const DEEPEST: usize = 4;

/// The pieces of two lists, in their order.
pub(super) fn pieces(old: &[&str], new: &[&str]) -> Vec<Hunk> {
    let mut found = Vec::new();
    part((old, new), (0..old.len(), 0..new.len()), DEEPEST, &mut found);
    found
}

fn length((before, after): &Hunk) -> usize {
    before.len() + after.len()
}

fn part(lists: (&[&str], &[&str]), piece: Hunk, depth: usize, found: &mut Vec<Hunk>) {
    if length(&piece) <= MOST || piece.0.is_empty() || piece.1.is_empty() {
        return found.push(piece);
    }
    let common = if depth > 0 { common(lists, &piece) } else { Vec::new() };
    if common.is_empty() {
        let count = length(&piece).div_ceil(MOST);
        let share = |range: &Range<usize>, at: usize| range.start + range.len() * at / count;
        let part = |range: &Range<usize>, at: usize| share(range, at)..share(range, at + 1);
        return found.extend((0..count).map(|at| (part(&piece.0, at), part(&piece.1, at))));
    }
    let mut start = (piece.0.start, piece.1.start);
    let end = (piece.0.end, piece.1.end);
    let between = |from: (usize, usize), to: (usize, usize)| (from.0..to.0, from.1..to.1);
    let mut last = start;
    for next in common.into_iter().chain([end]) {
        if length(&between(start, next)) > MOST && start != last {
            found.push(between(start, last));
            start = last;
        }
        if length(&between(start, next)) > MOST {
            part(lists, between(start, next), depth - 1, found);
            start = next;
        }
        last = next;
    }
    if start != end {
        found.push(between(start, end));
    }
}

/// The positions of the elements that both pieces have exactly once, as many as have the same order in both.
fn common((old, new): (&[&str], &[&str]), (before, after): &Hunk) -> Vec<(usize, usize)> {
    /// The number of occurrences of an element in each list, and the position of the last one.
    #[derive(Default)]
    struct Seen([(u32, usize); 2]);
    let mut seen: HashMap<&str, Seen> = HashMap::new();
    for (side, list, range) in [(0, old, before), (1, new, after)] {
        for at in range.clone() {
            let place = &mut seen.entry(list[at]).or_default().0[side];
            *place = (place.0 + 1, at);
        }
    }
    let once = |at: usize| match seen[old[at]].0 {
        [(1, at), (1, other)] => Some((at, other)),
        _ => None,
    };
    let pairs: Vec<(usize, usize)> = before.clone().filter_map(once).collect();
    longest(pairs.len(), |one, next| pairs[one].1 < pairs[next].1).into_iter().map(|at| pairs[at]).collect()
}

/// The numbers of the longest subsequence of `count` elements in which each element follows the previous one.
pub(in crate::stage::diff) fn longest(count: usize, follows: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    // The last element of the best subsequence of each length, and for each element the previous one.
    let (mut ends, mut before): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::with_capacity(count));
    for number in 0..count {
        let at = ends.partition_point(|&end| follows(end, number));
        before.push(at.checked_sub(1).map(|at| ends[at]));
        match ends.get_mut(at) {
            Some(end) => *end = number,
            None => ends.push(number),
        }
    }
    let mut found: Vec<usize> = std::iter::successors(ends.last().copied(), |&at| before[at]).collect();
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(crate::cases::cases(60))]

        #[test]
        fn pieces_are_short_and_make_up_both_lists(
            kinds in 1..3000usize, old in proptest::collection::vec(0..3000usize, 0..4000), new in proptest::collection::vec(0..3000usize, 0..4000)
        ) {
            let words: Vec<String> = (0..kinds).map(|kind| kind.to_string()).collect();
            let [old, new] = [old, new].map(|list| list.into_iter().map(|at| words[at % kinds].as_str()).collect::<Vec<_>>());
            let mut end = (0, 0);
            for piece in pieces(&old, &new) {
                prop_assert_eq!(end, (piece.0.start, piece.1.start));
                prop_assert!(length(&piece) <= MOST + 2 || piece.0.is_empty() || piece.1.is_empty());
                end = (piece.0.end, piece.1.end);
            }
            prop_assert_eq!(end, (old.len(), new.len()));
        }
    }
}
