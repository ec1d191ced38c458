//! Replaces values of attributes in HTML, and nothing else in it.

use crate::html::elements::{Buffers, Element, Reading, Sink, read};
use crate::html::tokenizer::{Attributes, Text, decode};
use std::ops::Range;

/// The HTML with the attribute values that `change` returns; `None` if it does not return any.
pub(super) fn rewrite(html: &str, change: impl FnMut(&str, &str) -> Option<String>) -> Option<String> {
    let mut found = Found { html, change, parts: Vec::new() };
    read(html, Reading::default(), &mut Buffers::default(), &mut found);
    let mut parts = found.parts;
    parts.sort_by_key(|(place, _)| place.start);
    let (mut out, mut done) = (String::new(), 0);
    for (place, value) in parts {
        // The tag of a reopened link occurs twice.
        if place.start >= done {
            out.push_str(&html[done..place.start]);
            out.push_str(&value);
            done = place.end;
        }
    }
    (done > 0).then(|| out + &html[done..])
}

/// The replacements found so far.
struct Found<'a, F> {
    html: &'a str,
    change: F,
    parts: Vec<(Range<usize>, String)>,
}

impl<'a, F: FnMut(&str, &str) -> Option<String>> Sink<'a> for Found<'a, F> {
    fn open(&mut self, _: &Element<'a>, attributes: Attributes<'_, 'a>, _: usize, _: Range<usize>) {
        for (name, value) in attributes.pairs().filter(|(_, value)| !value.is_empty()) {
            if let Some(new) = (self.change)(&name.to_ascii_lowercase(), &decode(value)) {
                let start = value.as_ptr() as usize - self.html.as_ptr() as usize;
                let new = new.replace('&', "&amp;").replace('"', "&quot;").replace('\'', "&#39;").replace('<', "&lt;");
                self.parts.push((start..start + value.len(), new));
            }
        }
    }

    fn close(&mut self, _: &Element<'a>, _: usize, _: Range<usize>) {}

    fn text(&mut self, _: Text<'a>, _: &Element<'a>) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_of_attributes_are_replaced() {
        let change = |_: &str, value: &str| value.contains("bob").then(|| value.replace("bob", "\"x\""));
        let of = |html: &str| rewrite(html, change);
        assert_eq!(
            of("<p class='a bob'>bob <a href=/bob>b</a><!-- bob -->").as_deref(),
            Some("<p class='a &quot;x&quot;'>bob <a href=/&quot;x&quot;>b</a><!-- bob -->")
        );
        assert_eq!(of("<p title='&#98;ob &amp; Ann'>").as_deref(), Some("<p title='&quot;x&quot; &amp; Ann'>"));
        assert_eq!(of("<p>bob"), None);
        // A reopened link.
        assert_eq!(
            of("<a href=bob><div>a<p></a>b</div>").as_deref(),
            Some("<a href=&quot;x&quot;><div>a<p></a>b</div>")
        );
    }
}
