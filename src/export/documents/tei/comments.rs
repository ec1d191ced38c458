//! The comments on a document as divisions, with replies nested in the comments they reply to. A byline names author
//! and date; [`body`](super::body) writes the content.

use super::body::Body;
use super::time::write_when;
use crate::export::documents::Document;
use crate::export::xml;
use crate::html::structure::Structure;
use crate::ndjson::{self, text_of};
use crate::record::Comment;
use std::collections::HashMap;

/// How deep replies nest; deeper ones become siblings. WordPress itself stops at 10.
const DEPTH: usize = 16;

/// Appends the comments, and tells their number.
pub(super) fn write(document: &Document<'_>, structure: &mut Structure, out: &mut String) -> u64 {
    let comments: Vec<Comment<'_>> =
        document.comments.iter().filter_map(|line| ndjson::from_str(text_of(line).ok()?).ok()).collect();
    if comments.is_empty() {
        return 0;
    }
    out.push_str("<div type=\"comments\">\n");
    let mut open = 0;
    for (number, depth) in in_order(&comments) {
        // What is open at this depth or deeper has ended.
        out.push_str(&"</div>\n".repeat(open - depth.min(open)));
        open = depth + 1;
        write_one(&comments[number], document, structure, out);
    }
    out.push_str(&"</div>\n".repeat(open + 1));
    comments.len() as u64
}

/// The numbers of the comments, each after the one it replies to, with their depths.
fn in_order(comments: &[Comment<'_>]) -> Vec<(usize, usize)> {
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
    // Those that answer each other in a circle come last.
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

/// A comment's division, not yet ended.
fn write_one(comment: &Comment<'_>, document: &Document<'_>, structure: &mut Structure, out: &mut String) {
    out.push_str("<div type=\"comment\"");
    if let Some(id) = comment.id {
        xml::attribute("n", &id.to_string(), out);
    }
    out.push_str(">\n<byline>");
    xml::element("name", comment.author_name.as_deref(), out);
    if let Some(date) = &comment.date_gmt {
        out.push_str("<date");
        write_when(date, out);
        out.push_str("/>");
    }
    out.push_str("</byline>\n");
    let mut body = Body::behind(std::mem::take(out));
    document.tell(comment.content.html.as_deref(), comment.content.text.as_deref(), structure, &mut body);
    body.finish();
    *out = body.out;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_stand_behind_what_they_answer_and_circles_end() {
        let comment = |id, parent| Comment { id: Some(id), parent: Some(parent), ..Comment::default() };
        let order =
            |parents: &[(i64, i64)]| in_order(&parents.iter().map(|(a, b)| comment(*a, *b)).collect::<Vec<_>>());
        assert_eq!(order(&[(1, 0), (2, 0), (3, 1), (4, 3), (5, 1)]), [(0, 0), (2, 1), (3, 2), (4, 1), (1, 0)]);
        assert_eq!(order(&[(1, 2), (2, 1), (3, 3), (4, 99)]), [(2, 0), (3, 0), (0, 0), (1, 1)]);
        let chain: Vec<_> = (1..100).map(|id| (id, id - 1)).collect();
        assert_eq!(order(&chain).last(), Some(&(98, DEPTH - 1)));
    }
}
