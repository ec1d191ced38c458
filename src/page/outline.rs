//! Where elements end: a light open-element stack over the tags of a page, after the rules of the
//! [HTML tree construction](https://html.spec.whatwg.org/#parsing-main-inbody) that decide on ends.
//! What the elements mean is left to others; nothing is decoded and nothing is copied.

use memchr::{memchr, memmem};
use std::ops::Range;

/// Elements open at the same time that are followed; browsers stop at 512 as well.
const DEPTH: usize = 512;

/// An element in a page, as byte offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// From the `<` of its start tag to behind its end tag, or to where its end is implied.
    pub(crate) outer: Range<usize>,
    /// What stands between its tags.
    pub(crate) inner: Range<usize>,
}

/// The spans of the elements whose start tags stand at `starts` (rising); none for what is no start tag. An element
/// that is never closed ends with the element around it, or with the page.
pub(crate) fn spans(html: &[u8], starts: &[usize]) -> Vec<Option<Span>> {
    let mut outline = Outline { starts, spans: vec![None; starts.len()], next: 0, open: Vec::new(), foreign: 0 };
    // what starts before the first of them can only be known from the whole page: the stack is built from its start
    let mut at = 0;
    while let Some(tag) = next_tag(html, at) {
        at = tag.end;
        if tag.closing {
            outline.close(&tag);
        } else {
            outline.open(&tag);
            if !outline.is_foreign() {
                at = raw_text_end(html, &tag).unwrap_or(at);
            }
        }
        if outline.is_complete() {
            break;
        }
    }
    outline.pop_to(0, html.len(), html.len());
    outline.spans
}

/// Calls `on_text` with the pieces of text between the tags of `html`: no comments, scripts, styles.
pub(crate) fn texts<'h>(html: &'h [u8], mut on_text: impl FnMut(&'h [u8])) {
    let mut at = 0;
    while let Some(tag) = next_tag(html, at) {
        // between two tags there may be comments
        each_text(&html[at..tag.start], &mut on_text);
        at = match raw_text_end(html, &tag) {
            Some(end) if !tag.closing => end,
            _ => tag.end,
        };
    }
    each_text(&html[at..], &mut on_text);
}

fn each_text<'h>(mut html: &'h [u8], on_text: &mut impl FnMut(&'h [u8])) {
    while let Some(start) = memmem::find(html, b"<!--") {
        on_text(&html[..start]);
        html = &html[comment_end(html, start)..];
    }
    on_text(html);
}

/// A start or end tag.
pub(crate) struct TagSpan<'h> {
    pub(crate) name: &'h [u8],
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) closing: bool,
    self_closing: bool,
}

/// The next tag at or after `from`; comments, doctypes and processing instructions are passed over. A tag that the
/// page's end cuts is none.
pub(crate) fn next_tag(html: &[u8], from: usize) -> Option<TagSpan<'_>> {
    let mut at = from;
    loop {
        let start = at + memchr(b'<', html.get(at..)?)?;
        let closing = html.get(start + 1) == Some(&b'/');
        let name_start = start + 1 + usize::from(closing);
        match html.get(name_start)? {
            byte if byte.is_ascii_alphabetic() => {
                let name_end = name_start + html[name_start..].iter().position(|&byte| is_name_end(byte))?;
                let end = tag_end(html, name_end)?;
                let self_closing = html[end - 2] == b'/';
                return Some(TagSpan { name: &html[name_start..name_end], start, end, closing, self_closing });
            }
            b'!' if html[name_start..].starts_with(b"!--") => at = comment_end(html, start),
            b'!' | b'?' => at = name_start + memchr(b'>', &html[name_start..])? + 1,
            b'>' if closing => at = name_start + 1,
            _ if closing => at = name_start + memchr(b'>', &html[name_start..])? + 1,
            _ => at = start + 1,
        }
    }
}

fn is_name_end(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>')
}

/// Behind the `>` that ends a tag: one within a quoted value does not.
fn tag_end(html: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match html.get(at)? {
            b'>' => return Some(at + 1),
            b'=' => {
                at += 1;
                at += html.get(at..)?.iter().position(|byte| !byte.is_ascii_whitespace())?;
                if let Some(&quote @ (b'"' | b'\'')) = html.get(at) {
                    at += 1;
                    at += memchr(quote, html.get(at..)?)? + 1;
                }
            }
            _ => at += 1,
        }
    }
}

/// Behind the comment that starts at `start`; the page's end where it has none.
fn comment_end(html: &[u8], start: usize) -> usize {
    let body = &html[start + 4..];
    if body.starts_with(b">") {
        return start + 5;
    }
    if body.starts_with(b"->") {
        return start + 6;
    }
    memmem::find(body, b"-->").map_or(html.len(), |at| start + 4 + at + 3)
}

/// Where the end tag of an element starts whose content is text, whatever it looks like; the page's end where there is
/// none. None for other elements.
fn raw_text_end(html: &[u8], tag: &TagSpan<'_>) -> Option<usize> {
    const RAW: [&[u8]; 9] =
        [b"script", b"style", b"textarea", b"title", b"noscript", b"iframe", b"xmp", b"noembed", b"noframes"];
    let name = RAW.iter().find(|name| name.eq_ignore_ascii_case(tag.name))?;
    let mut at = tag.end;
    while let Some(found) = memmem::find(&html[at..], b"</") {
        let name_start = at + found + 2;
        let after = html.get(name_start..name_start + name.len()).filter(|after| after.eq_ignore_ascii_case(name));
        if after.is_some() && html.get(name_start + name.len()).is_none_or(|&byte| is_name_end(byte)) {
            return Some(name_start - 2);
        }
        at = name_start;
    }
    Some(html.len())
}

struct Outline<'s, 'h> {
    starts: &'s [usize],
    spans: Vec<Option<Span>>,
    next: usize,
    open: Vec<Open<'h>>,
    /// How many svg and math elements are open.
    foreign: usize,
}

struct Open<'h> {
    name: &'h [u8],
    content: usize,
    wanted: Option<usize>,
}

impl<'h> Outline<'_, 'h> {
    fn is_foreign(&self) -> bool {
        self.foreign > 0
    }

    fn is_complete(&self) -> bool {
        self.next == self.starts.len() && !self.open.iter().any(|open| open.wanted.is_some())
    }

    fn open(&mut self, tag: &TagSpan<'h>) {
        if !self.is_foreign() {
            self.close_implied(tag);
        }
        while self.starts.get(self.next).is_some_and(|&start| start < tag.start) {
            self.next += 1;
        }
        let wanted = (self.starts.get(self.next) == Some(&tag.start)).then_some(self.next);
        self.next += usize::from(wanted.is_some());
        let empty = is(tag.name, VOID) || (self.is_foreign() && tag.self_closing);
        if empty || self.open.len() >= DEPTH {
            if let Some(at) = wanted {
                self.spans[at] = Some(Span { outer: tag.start..tag.end, inner: tag.end..tag.end });
            }
            return;
        }
        self.foreign += usize::from(is(tag.name, FOREIGN));
        self.open.push(Open { name: tag.name, content: tag.end, wanted });
    }

    /// Start tags that end what is open: a list item the one before it, a block a paragraph.
    fn close_implied(&mut self, tag: &TagSpan<'h>) {
        let (ended, within): (&[&str], &[&str]) = match () {
            () if is(tag.name, &["li"]) => {
                (&["li"], &["ul", "ol", "menu", "table", "td", "th", "article", "section", "nav"])
            }
            () if is(tag.name, &["dt", "dd"]) => (&["dt", "dd"], &["dl", "table", "td", "th", "article", "section"]),
            () if is(tag.name, &["option", "optgroup"]) => (&["option"], &["select", "datalist"]),
            () if is(tag.name, &["td", "th"]) => (&["td", "th"], &["table", "tr"]),
            () if is(tag.name, &["tr"]) => (&["tr"], &["table"]),
            () if is(tag.name, &["tbody", "thead", "tfoot"]) => (&["tbody", "thead", "tfoot"], &["table"]),
            () if is(tag.name, BLOCKS) => (&["p"], SCOPES),
            () => return,
        };
        let from_top = self.open.iter().rposition(|open| is(open.name, ended) || is(open.name, within));
        if let Some(at) = from_top.filter(|&at| is(self.open[at].name, ended)) {
            self.pop_to(at, tag.start, tag.start);
        }
        if is(tag.name, &["li", "dt", "dd"]) {
            // and the paragraph in which it stands
            let paragraph = self.open.iter().rposition(|open| is(open.name, &["p"]) || is(open.name, SCOPES));
            if let Some(at) = paragraph.filter(|&at| is(self.open[at].name, &["p"])) {
                self.pop_to(at, tag.start, tag.start);
            }
        }
    }

    fn close(&mut self, tag: &TagSpan<'h>) {
        let special = is(tag.name, BLOCKS) || is(tag.name, TABLE);
        // a block's end tag reaches out to its scope, that of a phrase only to the next block
        let stops = |name: &[u8]| match special {
            true => is(name, SCOPES) && !is(tag.name, TABLE),
            false => is(name, BLOCKS) || is(name, SCOPES),
        };
        let found = self.open.iter().rposition(|open| open.name.eq_ignore_ascii_case(tag.name) || stops(open.name));
        let Some(at) = found.filter(|&at| self.open[at].name.eq_ignore_ascii_case(tag.name)) else { return };
        if is(tag.name, &["form"]) {
            // a form ends without ending what was opened in it
            let form = self.open.remove(at);
            self.end(&form, tag.start, tag.end);
        } else {
            self.end_from(at, tag);
        }
    }

    /// Ends the element at `at` with its end tag, and what is open in it before the tag.
    fn end_from(&mut self, at: usize, tag: &TagSpan<'h>) {
        self.pop_to(at + 1, tag.start, tag.start);
        self.pop_to(at, tag.start, tag.end);
    }

    fn pop_to(&mut self, length: usize, inner_end: usize, outer_end: usize) {
        while self.open.len() > length {
            if let Some(open) = self.open.pop() {
                self.foreign -= usize::from(is(open.name, FOREIGN));
                self.end(&open, inner_end, outer_end);
            }
        }
    }

    fn end(&mut self, open: &Open<'h>, inner_end: usize, outer_end: usize) {
        if let Some(at) = open.wanted {
            self.spans[at] = Some(Span { outer: self.starts[at]..outer_end, inner: open.content..inner_end });
        }
    }
}

fn is(name: &[u8], names: &[&str]) -> bool {
    names.iter().any(|other| name.eq_ignore_ascii_case(other.as_bytes()))
}

const VOID: &[&str] =
    &["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];
const FOREIGN: &[&str] = &["svg", "math"];
/// What ends an open paragraph.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "li",
    "main",
    "menu",
    "nav",
    "ol",
    "p",
    "pre",
    "search",
    "section",
    "summary",
    "table",
    "ul",
];
const TABLE: &[&str] = &["caption", "table", "tbody", "td", "tfoot", "th", "thead", "tr"];
/// What end tags do not reach out of.
const SCOPES: &[&str] = &["applet", "button", "caption", "html", "marquee", "object", "table", "td", "template", "th"];

#[cfg(test)]
mod tests {
    use super::*;

    /// The outer HTML of the first element whose start tag begins with `tag`.
    fn outer<'h>(html: &'h str, tag: &str) -> &'h str {
        let start = html.find(tag).unwrap();
        spans(html.as_bytes(), &[start])[0].clone().map_or("none", |span| &html[span.outer])
    }

    #[test]
    fn elements_end_at_their_end_tag() {
        let html = "<div id=a><div>x</div>y<br>z<DIV class='>'>w</DIV ></div><p>after";
        assert_eq!(outer(html, "<div id=a"), &html[..html.len() - 8]);
        assert_eq!(
            outer("<main><!-- </main> --><script>'</main>'</script>x</main>y", "<main"),
            "<main><!-- </main> --><script>'</main>'</script>x</main>"
        );
        assert_eq!(outer("<div><svg><path d=1/><g/></svg></div>x", "<div"), "<div><svg><path d=1/><g/></svg></div>");
        assert_eq!(outer("<div><div/>x</div>y</div>z", "<div><"), "<div><div/>x</div>y</div>");
        assert_eq!(outer("<p>a<img id=x>b", "<img"), "<img id=x>");
    }

    #[test]
    fn ends_are_implied_by_siblings_parents_and_the_end_of_the_page() {
        assert_eq!(outer("<ul><li id=a>x<li>y</ul>", "<li id=a"), "<li id=a>x");
        assert_eq!(outer("<ul><li id=a>x<ul><li>z</ul><li>y</ul>", "<li id=a"), "<li id=a>x<ul><li>z</ul>");
        assert_eq!(outer("<p id=a>x<b>y<div>z</div>", "<p id=a"), "<p id=a>x<b>y");
        assert_eq!(outer("<article><div id=a>x</article>y", "<div"), "<div id=a>x");
        assert_eq!(outer("<div id=a><p>x", "<div"), "<div id=a><p>x");
        assert_eq!(outer("<table><tr id=a><td>x<tr><td>y</table>", "<tr id=a"), "<tr id=a><td>x");
        assert_eq!(outer("<dl><dt id=a>x<dd>y</dl>", "<dt id=a"), "<dt id=a>x");
    }

    #[test]
    fn stray_end_tags_end_nothing() {
        assert_eq!(
            outer("<div id=a>x</article></span></p>y</div>z", "<div"),
            "<div id=a>x</article></span></p>y</div>"
        );
        assert_eq!(outer("<div id=a><b><p>x</b>y</p></div>z", "<div"), "<div id=a><b><p>x</b>y</p></div>");
        assert_eq!(
            outer("<div id=a><table><tr><td></div>x</table>y</div>", "<div"),
            "<div id=a><table><tr><td></div>x</table>y</div>"
        );
        assert_eq!(outer("<div id=a><form><p>x</div></form>", "<form"), "<form><p>x");
        assert_eq!(outer("<form><div id=a>x</form>y</div>", "<div"), "<div id=a>x</form>y</div>");
    }

    #[test]
    fn any_bytes_are_read() {
        for html in [
            "<",
            "</",
            "<a",
            "<a b='",
            "<!--",
            "<!-->",
            "<!",
            "</>",
            "< a>",
            "<a =\">",
            "<script>",
            "<title></titlex>",
            "<?x",
        ] {
            spans(html.as_bytes(), &[0]);
            texts(html.as_bytes(), |_| ());
        }
        let deep = "<div>".repeat(100_000);
        assert_eq!(spans(deep.as_bytes(), &[0])[0].as_ref().unwrap().outer, 0..deep.len());
    }

    #[test]
    fn texts_are_what_a_reader_may_see() {
        let mut seen = Vec::new();
        texts(b"a<b>c</b><!-- x <i> -->d<script>e<b></script>f<style>g</style>&amp;", |text| {
            seen.extend_from_slice(text)
        });
        assert_eq!(seen, b"acdf&amp;");
    }
}
