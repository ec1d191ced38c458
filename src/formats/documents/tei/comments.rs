//! Writes the comments on a document as divisions, with replies nested in the comments they reply to. A byline names
//! author and date; [`body`](super::body) writes the content.

use super::body::Body;
use super::time::write_when;
use crate::formats::documents::{Document, thread};
use crate::formats::xml;
use crate::html::structure::Structure;
use crate::record::Comment;

/// Appends the comments and returns their number.
pub(super) fn write(document: &Document<'_>, structure: &mut Structure, out: &mut String) -> u64 {
    let comments = thread::read(&document.comments);
    if comments.is_empty() {
        return 0;
    }
    out.push_str("<div type=\"comments\">\n");
    let mut open = 0;
    for (number, depth) in thread::in_order(&comments) {
        // Divisions at this depth or deeper end here.
        out.push_str(&"</div>\n".repeat(open - depth.min(open)));
        open = depth + 1;
        write_one(&comments[number], document, structure, out);
    }
    out.push_str(&"</div>\n".repeat(open + 1));
    comments.len() as u64
}

/// Writes the division of a comment, without its end tag.
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
    let references = (comment.links.as_slice(), comment.images.as_slice());
    let content = (comment.content.html.as_deref(), comment.content.text.as_deref());
    document.tell(content, references, structure, &mut body);
    body.finish();
    *out = body.out;
}
