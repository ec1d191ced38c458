//! Orders the comments on a document, each after the one it replies to.

use crate::ndjson::{self, text_of};
use crate::record::Comment;
use std::collections::HashMap;

/// How deeply replies may nest; deeper ones become siblings. WordPress itself stops at 10.
const DEPTH: usize = 16;

/// The comments in these lines.
pub(super) fn read(lines: &[Vec<u8>]) -> Vec<Comment<'_>> {
    lines.iter().filter_map(|line| ndjson::from_str(text_of(line).ok()?).ok()).collect()
}

/// The texts of the comments in these lines, in their order.
pub(super) fn texts(lines: &[Vec<u8>]) -> Vec<String> {
    let comments = read(lines);
    let text = |number: usize| comments[number].content.text.as_deref().unwrap_or_default().to_owned();
    in_order(&comments).into_iter().map(|(number, _)| text(number)).collect()
}

/// The numbers of the comments, each after the one it replies to, with their depths.
pub(super) fn in_order(comments: &[Comment<'_>]) -> Vec<(usize, usize)> {
    let mut by_id = HashMap::new();
    for (number, comment) in comments.iter().enumerate() {
        if let Some(id) = comment.id {
            by_id.entry(id).or_insert(number);
        }
    }
    let mut answers = vec![Vec::new(); comments.len()];
    let mut first = Vec::new();
    for (number, comment) in comments.iter().enumerate() {
        let parent = comment.parent.and_then(|parent| by_id.get(&parent)).filter(|parent| **parent != number);
        match parent {
            Some(parent) => answers[*parent].push(number),
            None => first.push(number),
        }
    }
    let mut order = Vec::with_capacity(comments.len());
    let mut told = vec![false; comments.len()];
    // Comments that reply to each other in a circle come last.
    for root in first.into_iter().chain(0..comments.len()) {
        let mut waiting = vec![(root, 0)];
        while let Some((number, depth)) = waiting.pop() {
            if std::mem::replace(&mut told[number], true) {
                continue;
            }
            order.push((number, depth));
            let below = (depth + 1).min(DEPTH - 1);
            waiting.extend(answers[number].iter().rev().map(|answer| (*answer, below)));
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_follow_what_they_answer_and_circles_end() {
        let comment = |id, parent| Comment { id: Some(id), parent: Some(parent), ..Comment::default() };
        let order =
            |parents: &[(i64, i64)]| in_order(&parents.iter().map(|(a, b)| comment(*a, *b)).collect::<Vec<_>>());
        assert_eq!(order(&[(1, 0), (2, 0), (3, 1), (4, 3), (5, 1)]), [(0, 0), (2, 1), (3, 2), (4, 1), (1, 0)]);
        assert_eq!(order(&[(1, 2), (2, 1), (3, 3), (4, 99)]), [(2, 0), (3, 0), (0, 0), (1, 1)]);
        let chain: Vec<_> = (1..100).map(|id| (id, id - 1)).collect();
        assert_eq!(order(&chain).last(), Some(&(98, DEPTH - 1)));
    }
}
