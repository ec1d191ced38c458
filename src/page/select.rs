//! Parses CSS selectors, and finds what they match in a page. The layers above interpret the matches.
//!
//! lol_html (a streaming tokenizer with CSS selectors) decides whether a text is a selector, and matches the rare selectors that
//! [`super::selector`] does not support.

use super::event::Event;
use super::index::{Classes, Index};
use super::matcher::{Forest, Matcher, Want};
use crate::html::elements::{self, Buffers, ParseOptions, Sink, read};
use crate::html::tokenizer::{Attributes, Text};
use lol_html::html_content::Element;
use lol_html::{ElementContentHandlers, HtmlRewriter, Selector, Settings};
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::OnceLock;

/// CSS selectors, as far as a streaming reader can match them: no `+`, `~`, `:has`, `:last-child`.
#[derive(Default)]
pub(crate) struct Selectors {
    forest: Forest,
    /// The index of all selectors, built when first needed.
    index: OnceLock<Index>,
    /// The selectors that lol_html matches: the number, the node in the forest, and the selector.
    others: Vec<(usize, usize, Selector)>,
    count: usize,
}

impl Selectors {
    /// Parses selectors. The error is the number of the first one that cannot be used, and why.
    pub(crate) fn parse<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Self, (usize, String)> {
        let mut all = Selectors::default();
        for text in texts {
            let selector = valid(text).map_err(|why| (all.count, why))?;
            all.add(text, || selector);
        }
        Ok(all)
    }

    /// Like [`Selectors::parse`], for a built-in table, which a test parses: it is not checked again whether the texts are valid selectors.
    pub(super) fn of_table<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut all = Selectors::default();
        texts.into_iter().for_each(|text| all.add(text, || valid(text).expect("a test parses this table")));
        all
    }

    fn add(&mut self, text: &str, selector: impl FnOnce() -> Selector) {
        let number = self.count;
        self.others.extend(self.forest.add(number, text).map(|node| (number, node, selector())));
        self.count += 1;
    }
}

/// Parses a selector with lol_html. The error says why it cannot be used.
fn valid(text: &str) -> Result<Selector, String> {
    // The parser of lol_html calls itself for each level.
    if nesting(text) > DEEPEST {
        return Err(format!("it is nested deeper than {DEEPEST} levels"));
    }
    text.parse()
        .map_err(|error: lol_html::errors::SelectorError| error.to_string().trim_end_matches('.').to_lowercase())
}

/// The most levels of brackets, such as those of `:not(…)`, in a selector.
const DEEPEST: usize = 32;

fn nesting(selector: &str) -> usize {
    let levels = selector.bytes().scan(0usize, |open, byte| {
        *open = match byte {
            b'(' => *open + 1,
            b')' => open.saturating_sub(1),
            _ => *open,
        };
        Some(*open)
    });
    levels.max().unwrap_or(0)
}

/// Which of the [`Selectors`] is wanted, and whether the text inside its elements is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// The number of the selector.
    pub selector: usize,
    /// Whether text events are wanted as well.
    pub text: bool,
}

/// Calls `on_event(selector, event)` for what the wanted selectors match in `html`, in document order. Broken and truncated HTML is not an
/// error: whatever matches is reported. `until` is a position from which on no match begins, except inside earlier matches; the end of the
/// page, if that is not known.
pub(crate) fn select(
    html: &str,
    selectors: &Selectors,
    wanted: &[Wanted],
    until: usize,
    on_event: impl FnMut(usize, &Event<'_>),
) {
    let mut wants = vec![Want::Nothing; selectors.count];
    for &Wanted { selector, text } in wanted {
        wants[selector] = if text { Want::TagsAndText } else { Want::Tags };
    }
    let given = by_lol_html(html, selectors, &wants);
    let index = selectors.forest.index(|selector| wants[selector] != Want::Nothing);
    let mut matcher = Matcher::new(&selectors.forest, (&index, None), &wants, &given, until, on_event);
    let reading = ParseOptions { plain: true, page: true, ..ParseOptions::default() };
    read(html, reading, &mut Buffers::default(), &mut matcher);
}

/// Memory that is reused for the next page.
#[derive(Default)]
pub(super) struct Memory {
    pub elements: Buffers,
    classes: Classes,
}

/// Like [`select`] with all selectors and without text; two other sinks get the events of the same reading, including the looks of
/// elements.
pub(super) fn select_beside<'a>(
    html: &'a str,
    selectors: &Selectors,
    memory: &mut Memory,
    (first, second): (&mut impl Sink<'a>, &mut impl Sink<'a>),
    on_event: impl FnMut(usize, &Event<'_>),
) {
    let wants = vec![Want::Tags; selectors.count];
    let given = by_lol_html(html, selectors, &wants);
    let index = selectors.index.get_or_init(|| selectors.forest.index(|_| true));
    let found_by = (index, Some(&mut memory.classes));
    let mut matcher = Matcher::new(&selectors.forest, found_by, &wants, &given, html.len(), on_event);
    let mut others = Both(first, second);
    let mut all = Both(&mut matcher, &mut others);
    read(html, ParseOptions { page: true, ..ParseOptions::default() }, &mut memory.elements, &mut all);
}

/// Passes events to two sinks that want all of them.
struct Both<'b, M, S>(&'b mut M, &'b mut S);

impl<'a, M: Sink<'a>, S: Sink<'a>> Sink<'a> for Both<'_, M, S> {
    fn open(&mut self, element: &elements::Element<'a>, tag: Attributes<'_, 'a>, depth: usize, at: Range<usize>) {
        self.0.open(element, tag, depth, at.clone());
        self.1.open(element, tag, depth, at);
    }

    fn close(&mut self, element: &elements::Element<'a>, depth: usize, tag: Range<usize>) {
        self.0.close(element, depth, tag.clone());
        self.1.close(element, depth, tag);
    }

    fn text(&mut self, text: Text<'a>, inside: &elements::Element<'a>) {
        self.0.text(text, inside);
        self.1.text(text, inside);
    }
}

/// The matches of the wanted selectors that lol_html has to match: the position of the start tag, and the node of the selector.
fn by_lol_html(html: &str, selectors: &Selectors, wants: &[Want]) -> Vec<(usize, usize)> {
    let mut wanted = selectors.others.iter().filter(|(number, ..)| wants[*number] != Want::Nothing).peekable();
    if wanted.peek().is_none() {
        return Vec::new();
    }
    let found = RefCell::new(Vec::new());
    let mut settings = Settings::new().with_strict(false);
    for (_, node, selector) in wanted {
        let found = &found;
        let handler = ElementContentHandlers::default().element(move |element: &mut Element<'_, '_>| {
            found.borrow_mut().push((element.source_location().bytes().start, *node));
            Ok(())
        });
        settings = settings.append_element_content_handler((Cow::Borrowed(selector), handler));
    }
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    // Handlers never fail and memory is not limited: an error could only mean that the parser gave up.
    if rewriter.write(html.as_bytes()).is_ok() {
        let _ = rewriter.end();
    }
    found.take()
}

#[cfg(test)]
mod tests {
    use super::super::tests::against_lol_html::{Random, damage};
    use super::*;
    use crate::html::names;
    use crate::html::tokenizer::Nul;
    use std::path::Path;

    /// Writes the elements of a page as HTML in which no tag is implied. A reader that does not know which tags HTML implies matches in it
    /// what must be matched in the page.
    #[derive(Default)]
    struct WellFormed {
        out: String,
        /// For each start tag that was written: its position here and in the page; none for reopened links.
        starts: Vec<(usize, Option<usize>)>,
        /// The open elements: the label, empty if the end tag has been written, and whether the element ended before those in it.
        open: Vec<(String, bool)>,
    }

    impl<'a> Sink<'a> for WellFormed {
        fn open(&mut self, element: &elements::Element<'a>, tag: Attributes<'_, 'a>, depth: usize, at: Range<usize>) {
            self.end_below(depth - 1);
            let again = self.starts.iter().any(|(_, start)| *start == Some(at.start));
            self.starts.push((self.out.len(), (!again).then_some(at.start)));
            self.out += &format!("<{}", element.label);
            for (name, value) in tag.pairs() {
                let quote = if value.contains('"') { '\'' } else { '"' };
                self.out += &format!(" {name}={quote}{}{quote}", value.replace(quote, "&quot;"));
            }
            self.out += ">";
            self.open.push((element.label.to_owned(), false));
        }

        fn close(&mut self, element: &elements::Element<'a>, depth: usize, _: Range<usize>) {
            while self.open.len() > depth && self.open.last().is_some_and(|(_, ended)| *ended) {
                self.end_below(self.open.len() - 1);
            }
            if self.open.len() > depth {
                self.open[depth - 1].1 = true;
                return;
            }
            if !element.foreign && element.name.is(names::VOID) {
                self.open[depth - 1].0.clear();
            }
            self.end_below(depth - 1);
            // they keep their places
            for (label, _) in self.open.iter_mut().rev().take_while(|(_, ended)| *ended) {
                end(&mut self.out, &std::mem::take(label));
            }
        }

        fn text(&mut self, text: Text<'a>, _: &elements::Element<'a>) {
            self.out += &plain(text.decode(&mut String::new(), Nul::Replace));
        }
    }

    impl WellFormed {
        fn end_below(&mut self, depth: usize) {
            while self.open.len() > depth
                && let Some((label, _)) = self.open.pop()
            {
                end(&mut self.out, &label);
            }
        }
    }

    fn end(out: &mut String, label: &str) {
        if !label.is_empty() {
            *out += &format!("</{label}>");
        }
    }

    /// The text, escaped so that nothing in it is markup.
    fn plain(text: &str) -> String {
        text.chars().filter(|c| !"<>&".contains(*c)).collect()
    }

    type Seen = (Vec<(usize, usize)>, Vec<String>);

    /// Selectors and start tags, and all text of each selector.
    fn ours(html: &str, selectors: &Selectors) -> Seen {
        assert!(selectors.others.is_empty());
        let wanted: Vec<Wanted> = (0..selectors.count).map(|selector| Wanted { selector, text: true }).collect();
        let (mut starts, mut ends, mut texts) = (Vec::new(), 0, vec![String::new(); wanted.len()]);
        select(html, selectors, &wanted, html.len(), |selector, event| match event {
            Event::Start(tag) => starts.push((selector, tag.start())),
            Event::Text(text) => texts[selector].push_str(&plain(text)),
            Event::End(_) => ends += 1,
        });
        assert_eq!(ends, starts.len());
        (starts, texts)
    }

    fn theirs(html: &str, selectors: &[&str]) -> Seen {
        let mut page = WellFormed::default();
        let reading = ParseOptions { plain: true, page: true, ..ParseOptions::default() };
        read(html, reading, &mut Buffers::default(), &mut page);
        page.end_below(0);
        let seen = RefCell::new((Vec::new(), vec![String::new(); selectors.len()]));
        let mut settings = Settings::new().with_strict(false);
        for (number, selector) in selectors.iter().enumerate() {
            let (seen, starts) = (&seen, &page.starts);
            let handlers = ElementContentHandlers::default()
                .element(move |element: &mut Element<'_, '_>| {
                    let at = element.source_location().bytes().start;
                    let start = starts[starts.binary_search_by_key(&at, |(at, _)| *at).unwrap()].1;
                    seen.borrow_mut().0.extend(start.map(|start| (number, start)));
                    Ok(())
                })
                .text(move |text: &mut lol_html::html_content::TextChunk<'_>| {
                    seen.borrow_mut().1[number].push_str(text.as_str());
                    Ok(())
                });
            settings = settings.append_element_content_handler((Cow::Owned(selector.parse().unwrap()), handlers));
        }
        let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
        rewriter.write(page.out.as_bytes()).unwrap();
        rewriter.end().unwrap();
        seen.take()
    }

    const SELECTORS: [&str; 18] = [
        "*",
        "li",
        "ul > li",
        "ul li a",
        "li.lang-item, a[hreflang]",
        "[class*=item-]",
        "[class^='lang-']",
        "ul[class$=LANG i] a",
        "a[href$='/' i]",
        "[lang|=fr]",
        "[class~=lang-item]",
        "ul ul > li",
        ":not(li):not(.a, #b)",
        "option[selected]",
        "#lang_sel > ul li > a.lang_sel_sel",
        "svg *",
        "nav > * > li",
        "x-y b",
    ];

    const PAGE: &str = "<body><x-y><b>x<X-Z></b><img src=a>y</x-y><p>one<p>two<svg viewBox='0 0'><title>T<b>i</b></title><path/><style>li</style></svg>
        <p lang=fr-CA>&eacute;t&eacute;<math><mi>x<b></mi></math><div no=a id=lang_sel><ul><li><a style=b class=lang_sel_sel href='/EN/'>en<ul><li class='lang- lang-item'></ul>
        <script>'<li class=lang-item>'</script><textarea><li></textarea><nav><ul><li><li>a</ul></nav><select><option selected>x<option>y</select>";

    #[test]
    fn damaged_pages_are_matched_as_lol_html_matches_their_elements() {
        let selectors = Selectors::parse(SELECTORS).unwrap();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/switchers");
        let pages = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut pages: Vec<String> = pages
            .filter(|path| path.extension().is_some_and(|e| e == "html"))
            .map(|path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned())
            .collect();
        pages.sort();
        pages.push(PAGE.to_owned());
        let mut random = Random(7);
        for page in pages {
            for round in 0..40 {
                let mut html = page.clone().into_bytes();
                (0..random.below(4).min(round)).for_each(|_| damage(&mut html, &mut random));
                let html = String::from_utf8_lossy(&html);
                assert_eq!(ours(&html, &selectors), theirs(&html, &SELECTORS), "{html}");
            }
        }
    }

    #[test]
    fn an_item_ends_where_the_next_one_begins() {
        let selectors = Selectors::parse(["ul > li", "li li"]).unwrap();
        let found = ours("<ul><li>x<li>y</ul>", &selectors);
        assert_eq!(found, (vec![(0, 4), (0, 9)], vec!["xy".to_owned(), String::new()]));
    }

    #[test]
    fn what_we_do_not_know_lol_html_matches() {
        let selectors = Selectors::parse(["li:nth-child(2)", "li"]).unwrap();
        assert_eq!(selectors.others.iter().map(|(number, ..)| *number).collect::<Vec<_>>(), [0]);
        let mut seen = Vec::new();
        let wanted = [0, 1].map(|selector| Wanted { selector, text: selector == 0 });
        let page = "<ul><li>a</li><li class=b>c</li></ul>";
        select(page, &selectors, &wanted, page.len(), |selector, event| {
            seen.push(match event {
                Event::Start(tag) => format!("{selector} {} {:?}", tag.start(), tag.attribute("class")),
                Event::Text(text) => format!("{selector} {text}"),
                Event::End(tag) => format!("{selector} {tag:?}"),
            });
        });
        assert_eq!(
            seen,
            ["1 4 None", "1 9..14", "0 14 Some(\"b\")", "1 14 Some(\"b\")", "0 c", "0 27..32", "1 27..32"]
        );
    }

    #[test]
    fn what_is_open_at_the_end_is_read_on() {
        let selectors = Selectors::parse(["ul.a li"]).unwrap();
        let starts = |until: usize| {
            let mut starts = Vec::new();
            let page = "<ul class=a><li>x<li>y</ul><ul class=a><li>z";
            select(page, &selectors, &[Wanted { selector: 0, text: true }], until, |_, event| {
                if let Event::Start(tag) = event {
                    starts.push(tag.start());
                }
            });
            starts
        };
        assert_eq!(starts(11), [12, 17]);
        assert_eq!(starts(38), [12, 17, 39]);
        assert_eq!(starts(0), [0_usize; 0]);
    }

    #[test]
    fn events_of_one_element_come_in_the_order_of_the_selectors() {
        let selectors = Selectors::parse(["b", "p > b", "b.x", "*"]).unwrap();
        let wanted = [0, 1, 2].map(|selector| Wanted { selector, text: selector == 1 });
        let mut seen = Vec::new();
        let page = "<p><b class=x title='a&amp;b'>T&eacute;</b>no";
        select(page, &selectors, &wanted, page.len(), |selector, event| {
            seen.push(match event {
                Event::Start(tag) => format!("{selector} {} {:?}", tag.start(), tag.attribute("title")),
                Event::Text(text) => format!("{selector} {text}"),
                Event::End(tag) => format!("{selector} {tag:?}"),
            });
        });
        let title = "3 Some(\"a&b\")";
        let want = [0, 1, 2].map(|selector| format!("{selector} {title}"));
        assert_eq!(seen[..3], want);
        assert_eq!(seen[3..], ["1 Té", "0 39..43", "1 39..43", "2 39..43"]);
        let (at, why) = Selectors::parse(["a", "a ~ b"]).err().unwrap();
        assert_eq!((at, why.as_str()), (1, "unsupported combinator `~` in selector"));
    }

    #[test]
    fn a_link_that_goes_on_is_told_once_and_its_text_is_whole() {
        let selectors = Selectors::parse(["a"]).unwrap();
        let page = "<p><a href=/fr/>Fran<div>çais</div></a>";
        assert_eq!(ours(page, &selectors), (vec![(0, 3)], vec!["Français".to_owned()]));
    }
}
