//! Replaces values of attributes in HTML, and texts beside them that name the same person.

use crate::html::elements::{Buffers, Element, ParseOptions, Sink, read};
use crate::html::names::Name;
use crate::html::tokenizer::{Attributes, Nul, Text, TextKind, decode};
use std::collections::BTreeMap;
use std::ops::Range;

/// Attributes with a text that says what a URL leads to or shows.
const LABELS: [&str; 4] = ["alt", "title", "aria-label", "data-caption"];

/// Bytes of an element that may be a name, with white space in its source.
const LONGEST_NAME: usize = 300;

/// Finds persons in attributes and texts.
pub(super) trait Who {
    /// The new value of an attribute; `None` if it identifies nobody.
    fn attribute(&mut self, name: &str, value: &str) -> Option<String>;

    /// The pseudonym of the person to whom an attribute leads, given its new value.
    fn leads_to(&self, name: &str, value: &str) -> Option<String>;

    /// The pseudonym of the person, if the whole text is a person's name.
    fn is_name(&self, text: &str) -> Option<String>;
}

/// The new HTML, and what was replaced in it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Rewritten {
    /// None if nothing has changed.
    pub(super) html: Option<String>,
    /// The texts that were replaced, in order; each is the text between two tags.
    pub(super) texts: Vec<(String, String)>,
    /// The alternative texts that were replaced.
    pub(super) alts: Vec<(String, String)>,
}

/// Replaces the persons whom `who` finds in the HTML by pseudonyms.
pub(super) fn rewrite(html: &str, who: &mut impl Who) -> Rewritten {
    let (parts, pieces, open, alts, replaced) = Default::default();
    let mut found = Replacements { html, who, parts, pieces, open, alts, replaced };
    read(html, ParseOptions::default(), &mut Buffers::default(), &mut found);
    let Replacements { mut parts, alts, .. } = found;
    parts.sort_by_key(|part| part.place.start);
    let (mut out, mut done, mut texts) = (String::new(), 0, Vec::new());
    for Replacement { place, new, is_text } in parts {
        // The tag of a reopened link occurs twice.
        if place.start >= done {
            out.push_str(&html[done..place.start]);
            out.push_str(&new);
            if is_text {
                texts.push((decode(html[place.clone()].trim()).into_owned(), new.trim().to_owned()));
            }
            done = place.end;
        }
    }
    Rewritten { html: (done > 0).then(|| out + &html[done..]), texts, alts }
}

struct Replacement {
    place: Range<usize>,
    new: String,
    is_text: bool,
}

/// An open element.
struct Open {
    depth: usize,
    is_link: bool,
    is_figure: bool,
    /// The person to whom the link leads, or whom a picture in the figure shows.
    who: Option<String>,
    /// Its first piece of text.
    first: usize,
    /// The pieces of its captions, if it is a figure.
    captions: Vec<Range<usize>>,
}

/// The replacements found so far.
struct Replacements<'a, 'w, W> {
    html: &'a str,
    who: &'w mut W,
    parts: Vec<Replacement>,
    pieces: Vec<Text<'a>>,
    open: Vec<Open>,
    alts: Vec<(String, String)>,
    /// The pieces that are replaced, as ranges: the beginning of each, and its end.
    replaced: BTreeMap<usize, usize>,
}

impl<'a, W: Who> Replacements<'a, '_, W> {
    fn place(&self, of: &str) -> Range<usize> {
        let start = of.as_ptr() as usize - self.html.as_ptr() as usize;
        start..start + of.len()
    }

    /// Replaces the first of these pieces of text by the pseudonym, unless one of them is replaced already, and removes the others.
    fn replace(&mut self, pieces: Range<usize>, who: &str) {
        let done: Vec<(usize, usize)> =
            self.replaced.range(pieces.clone()).map(|(start, end)| (*start, *end)).collect();
        if pieces.is_empty() {
            return;
        }
        let mut who = done.is_empty().then_some(who);
        let mut at = pieces.start;
        for (start, end) in done.into_iter().chain([(pieces.end, pieces.end)]) {
            self.replaced.remove(&start);
            for piece in at..start {
                let (raw, kind) = (self.pieces[piece].raw, self.pieces[piece].kind);
                let words = raw.trim();
                if !words.is_empty() && kind != TextKind::Raw {
                    let new = who.take().unwrap_or_default().to_owned();
                    self.parts.push(Replacement { place: self.place(words), new, is_text: true });
                }
            }
            at = end.max(at);
        }
        self.replaced.insert(pieces.start, at);
    }

    /// The text of these pieces, if it may be a name.
    fn name(&self, pieces: Range<usize>) -> Option<String> {
        let (mut length, mut text) = (0, String::new());
        for piece in &self.pieces[pieces] {
            length += piece.raw.len();
            if length > LONGEST_NAME {
                return None;
            }
            piece.decode_into(&mut text, Nul::Drop);
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        (!words.is_empty()).then(|| words.join(" "))
    }
}

impl<'a, W: Who> Sink<'a> for Replacements<'a, '_, W> {
    fn open(&mut self, element: &Element<'a>, attributes: Attributes<'_, 'a>, depth: usize, _: Range<usize>) {
        let is_link = element.name == Name::A;
        let (mut values, mut who) = (Vec::new(), None);
        for (name, value) in attributes.pairs().filter(|(_, value)| !value.is_empty()) {
            let (name, old) = (name.to_ascii_lowercase(), decode(value));
            let new = self.who.attribute(&name, &old);
            who = who.or_else(|| self.who.leads_to(&name, new.as_deref()?));
            values.push((name, value, old, new));
        }
        // A figure with a picture of a person leads to the person; a picture in a link to a person shows the person.
        if let (Some(who), Name::IMG) = (&who, element.name) {
            self.open.iter_mut().filter(|open| open.is_figure).for_each(|open| open.who = Some(who.clone()));
        } else if element.name == Name::IMG {
            who = self.open.iter().filter(|open| open.is_link).find_map(|open| open.who.clone());
        }
        for (name, value, old, mut new) in values {
            if LABELS.contains(&&*name) {
                new = self.who.is_name(&old).or_else(|| who.clone()).or(new);
                self.alts.extend(new.clone().filter(|_| name == "alt").map(|new| (old.into_owned(), new)));
            }
            if let Some(new) = new {
                let new = new.replace('&', "&amp;").replace('"', "&quot;").replace('\'', "&#39;").replace('<', "&lt;");
                self.parts.push(Replacement { place: self.place(value), new, is_text: false });
            }
        }
        let (first, captions) = (self.pieces.len(), Vec::new());
        let is_figure = element.name == Name::FIGURE;
        self.open.push(Open { depth, is_link, is_figure, who: who.filter(|_| is_link), first, captions });
    }

    fn close(&mut self, element: &Element<'a>, depth: usize, _: Range<usize>) {
        let Some(at) = self.open.iter().rposition(|open| open.depth == depth) else { return };
        let open = self.open.remove(at);
        let pieces = open.first..self.pieces.len();
        if element.name == Name::FIGCAPTION
            && let Some(figure) = self.open.iter_mut().rev().find(|open| open.is_figure)
        {
            while figure.captions.pop_if(|inner| inner.start >= pieces.start).is_some() {}
            figure.captions.push(pieces.clone());
        }
        let name = self.name(pieces.clone()).and_then(|name| self.who.is_name(&name));
        if let Some(name) = name.as_ref().or(open.who.as_ref().filter(|_| open.is_link)) {
            self.replace(pieces, name);
        }
        if let Some(who) = open.who.filter(|_| open.is_figure) {
            open.captions.into_iter().for_each(|caption| self.replace(caption, &who));
        }
    }

    fn text(&mut self, text: Text<'a>, _: &Element<'a>) {
        self.pieces.push(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Replaces bob.
    struct Bob;

    impl Who for Bob {
        fn attribute(&mut self, _: &str, value: &str) -> Option<String> {
            value.contains("bob").then(|| value.replace("bob", "\"x\""))
        }

        fn leads_to(&self, name: &str, value: &str) -> Option<String> {
            (matches!(name, "href" | "src") && value.contains('"')).then(|| "P".to_owned())
        }

        fn is_name(&self, text: &str) -> Option<String> {
            (text == "Bob & Co").then(|| "Q".to_owned())
        }
    }

    #[test]
    fn values_of_attributes_and_texts_beside_them_are_replaced() {
        for (html, wanted) in [
            (
                "<p class='a bob'>bob <a href=/bob>b</a><!-- bob -->",
                "<p class='a &quot;x&quot;'>bob <a href=/&quot;x&quot;>P</a><!-- bob -->",
            ),
            ("<p title='&#98;ob &amp; Ann'>", "<p title='&quot;x&quot; &amp; Ann'>"),
            ("<i title='Bob &amp; Co'> Bob\n&amp; <b>Co</b> </i>", "<i title='Q'> Q <b></b> </i>"),
            (
                "<a href=/bob> <b>B</b> is\n<i>here</i> <img alt=b></a>",
                "<a href=/&quot;x&quot;> <b>P</b> \n<i></i> <img alt=P></a>",
            ),
            ("<a href=/x><img src=bob alt=b title=c>y</a>", "<a href=/x><img src=&quot;x&quot; alt=P title=P>y</a>"),
            (
                "<figure>a<figcaption>b</figcaption><img src=bob></figure>c",
                "<figure>a<figcaption>P</figcaption><img src=&quot;x&quot;></figure>c",
            ),
            ("<a href=/bob><b>Bob &amp; Co</b> is here</a>", "<a href=/&quot;x&quot;><b>Q</b> </a>"),
            (
                "<a href=/bob>a<table><td>b<a href=/bob>c</a>d</table>e</a>",
                "<a href=/&quot;x&quot;><table><td><a href=/&quot;x&quot;>P</a></table></a>",
            ),
            // A reopened link.
            ("<a href=bob><div>a<p></a>b</div>", "<a href=&quot;x&quot;><div>P<p></a>b</div>"),
        ] {
            assert_eq!(rewrite(html, &mut Bob).html.as_deref(), Some(wanted));
        }
        assert_eq!(rewrite("<p>bob", &mut Bob), Rewritten::default());
    }
}
