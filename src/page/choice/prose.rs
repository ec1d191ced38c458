//! Weighs a text of a page: how many of its letters are prose, and how much it adds to the scores of the elements
//! around it.

use super::is_linked;
use crate::html::names;
use crate::page::outline::Node;

/// The letters of a run outside links, if it is prose: long, with punctuation between its parts, and few of its letters
/// in links.
pub(super) fn prose_of(node: &Node) -> i64 {
    if !node.is_run() || node.name.is(names::HEADING) || node.points() == 0 {
        return 0;
    }
    let (letters, linked) = (node.letters() as i64, node.linked() as i64);
    match letters {
        ..=39 => 0,
        40..=79 if linked * 10 <= letters * 3 => letters / 2,
        40..=79 => 0,
        _ if linked * 10 <= letters * 4 => letters - linked,
        _ => 0,
    }
}

/// The same if the texts of the site are known: a text of the page's own is prose without punctuation, too, as code and
/// poems are.
pub(super) fn own_of(node: &Node) -> i64 {
    if !node.is_run() || node.name.is(names::HEADING) || node.is_of_site || node.is_title {
        return 0;
    }
    let (letters, linked) = (node.letters() as i64, node.linked() as i64);
    match letters {
        ..=14 => 0,
        15..=39 if linked * 10 <= letters * 3 => letters / 2,
        15..=39 => 0,
        _ if linked * 10 <= letters * 4 => letters - linked,
        _ => 0,
    }
}

/// How much a run outside boilerplate adds to the scores of the elements around it.
pub(super) fn score_of(node: &Node, prose: i64, knows_site: bool) -> i64 {
    if prose > 0 {
        return prose;
    }
    if node.name.is(names::HEADING) || node.is_of_site || node.is_title {
        return 0;
    }
    match is_linked(node) {
        true => -((node.letters() / 2).min(40) as i64),
        false if knows_site => node.letters() as i64,
        false => -8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::elements::{Buffers, ParseOptions, read};
    use crate::page::outline::{Buffer, Builder};

    /// Letters of prose in a paragraph with so many letters, some of them in a link.
    fn prose(letters: usize, linked: usize, weigh: fn(&Node) -> i64) -> i64 {
        let html = format!("<p>{}<a>{}</a>", "a,".repeat(letters - linked), "b".repeat(linked));
        let mut outline = Buffer::default();
        let mut builder = Builder::new(&mut outline);
        read(&html, ParseOptions { page: true, ..ParseOptions::default() }, &mut Buffers::default(), &mut builder);
        builder.finish(html.len()).nodes.iter().map(weigh).sum()
    }

    #[test]
    fn prose_is_long_and_most_of_it_is_no_links() {
        let known = |letters, linked| prose(letters, linked, own_of);
        assert_eq!([known(14, 0), known(15, 0), known(30, 9), known(30, 10)], [0, 7, 15, 0]);
        assert_eq!([known(40, 16), known(40, 17), known(100, 60)], [24, 0, 0]);
        let unknown = |letters, linked| prose(letters, linked, prose_of);
        assert_eq!([unknown(39, 0), unknown(40, 12), unknown(40, 13), unknown(79, 0)], [0, 20, 0, 39]);
        assert_eq!([unknown(80, 32), unknown(80, 33)], [48, 0]);
    }
}
