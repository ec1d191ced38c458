//! No page takes more memory than is stated, however many elements it has.

use super::*;
use crate::html::elements::{Buffers, ParseOptions, read};
use crate::page::outline::{Buffer, Builder};
use std::mem::{size_of, size_of_val};

const MB: usize = 1_000_000;

/// The bytes of all that is stored by node while the content of a page is chosen and cut.
fn bytes(html: &str) -> usize {
    let mut buffer = Buffer::default();
    let mut builder = Builder::new(&mut buffer);
    read(html, ParseOptions { page: true, ..ParseOptions::default() }, &mut Buffers::default(), &mut builder);
    let choice = Choice::new(builder.finish(html.len()));
    let Choice { prose, score, off, outline, .. } = &choice;
    let drops = choice.dropped(choice.best.unwrap_or(0), Block::Scored);
    // the sums before each node, and those of `Drops`: two marks, a rule and a count
    let other = outline.nodes.len() * (size_of::<usize>() + 2 * size_of::<bool>() + size_of::<Option<Rule>>() + 8);
    let own =
        size_of_val(&outline.nodes[..]) + (0..outline.nodes.len()).map(|at| outline.words(at).len()).sum::<usize>();
    own + size_of_val(&prose[..]) + size_of_val(&score[..]) + size_of_val(&off[..]) + other + size_of_val(&drops[..])
}

#[test]
fn no_page_takes_more_memory_than_is_stated() {
    assert!(size_of::<Node>() <= 48);
    let prose = "a, b. ".repeat(20);
    let units = [
        "<p>",
        "<p>a",
        "<p>a</p>b",
        "<div>",
        "<div>a",
        "<dd><dt>a",
        "<li><a href=/a>a</a>",
        "<td>1",
        "<h1>a</h1>a",
        "<b>a</b>",
        "<p class=share>a",
        "<i class=comments>a</i>",
        "<a b c d e f=g>",
        "<ul><li>a</ul>",
        &format!("<p>{prose}<p>a"),
        "a<hr>",
        "<br>.",
    ];
    for unit in units {
        let html = format!("<body><div>{}</div>", unit.repeat(3 * MB / unit.len()));
        let bytes = bytes(&html);
        assert!(bytes <= 8 * html.len() + 32 * MB, "{unit:.20}: {bytes}");
    }
    // end tags make texts, too
    let html = "<div>".repeat(3 * MB / 2 / 5) + &"</div>a".repeat(3 * MB / 2 / 7);
    assert!(bytes(&html) <= 8 * html.len() + 32 * MB);
}
