//! CSS selectors and what they match in a page.
//! What the matches mean is left to the layers above.
//!
//! lol_html (a streaming tokenizer with CSS selectors) is used here and nowhere else: it says what a selector is, and
//! matches the rare ones that [`super::compound`] does not know.

use super::head::text;
use super::matcher::{self, Forest, Found, Want};
use super::scanner::{self, Scanner};
use lol_html::html_content::{Element, TextChunk};
use lol_html::{ElementContentHandlers, HtmlRewriter, Selector, Settings};
use std::borrow::Cow;
use std::cell::RefCell;

/// CSS selectors, as far as a streaming reader can match them: no `+`, `~`, `:has`, `:last-child`.
pub struct Selectors {
    all: Vec<Selector>,
    /// Those that we match ourselves, and which these are.
    forest: Forest,
    ours: Vec<bool>,
}

impl Selectors {
    /// Parses selectors. The error is the number of the first one that cannot be used, and why.
    pub fn parse<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Self, (usize, String)> {
        let parse = |(at, text): (usize, &str)| {
            let why = |error: lol_html::errors::SelectorError| {
                let text = error.to_string();
                (at, text.trim_end_matches('.').to_lowercase())
            };
            text.parse::<Selector>().map_err(why)
        };
        let (mut forest, mut ours) = (Forest::default(), Vec::new());
        let add = |(at, text)| {
            ours.push(forest.add(at, text));
            parse((at, text))
        };
        let all = texts.into_iter().enumerate().map(add).collect::<Result<_, _>>()?;
        Ok(Selectors { all, forest, ours })
    }
}

/// Something that a selector matched; events of one element come in the order of the selectors.
pub enum Event<'e> {
    /// The start tag of a matched element.
    Start(Tag<'e>),
    /// A piece of text inside a matched element, entities decoded but for those on the border of two pieces.
    Text(&'e str),
}

/// The start tag of a matched element.
pub struct Tag<'e>(&'e dyn TagLike);

trait TagLike {
    fn start(&self) -> usize;
    fn attribute(&self, name: &str) -> Option<String>;
}

impl TagLike for Element<'_, '_> {
    fn start(&self) -> usize {
        self.source_location().bytes().start
    }
    fn attribute(&self, name: &str) -> Option<String> {
        self.get_attribute(name).map(|value| htmlize::unescape_attribute(&value).into_owned())
    }
}

/// A start tag as our own scanner sees it.
struct Ours<'s> {
    html: &'s [u8],
    scanner: &'s Scanner,
    tag: &'s scanner::Tag<'s>,
}

impl TagLike for Ours<'_> {
    fn start(&self) -> usize {
        self.tag.start
    }
    fn attribute(&self, name: &str) -> Option<String> {
        let value = text(self.scanner.attribute(self.html, name)?);
        Some(htmlize::unescape_attribute(value).into_owned())
    }
}

impl Tag<'_> {
    /// Where its `<` stands in the page that was given.
    pub fn start(&self) -> usize {
        self.0.start()
    }

    /// An attribute's value, entities decoded; none where it is missing.
    pub fn attribute(&self, name: &str) -> Option<String> {
        self.0.attribute(name)
    }
}

/// Which of the [`Selectors`] is wanted, and whether the text inside its elements is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Number of the selector.
    pub selector: usize,
    /// Whether text events are wanted as well.
    pub text: bool,
}

/// Calls `on_event(selector, event)` for what the wanted selectors match in `html`, in document order. Broken and
/// truncated HTML is no error: what can be told is told. `until`: where a tag starts there or later, nothing begins to
/// match but in what has begun before (the end of the page if that is not known).
pub fn select(
    html: &[u8],
    selectors: &Selectors,
    wanted: &[Wanted],
    until: usize,
    mut on_event: impl FnMut(usize, Event<'_>),
) {
    if wanted.iter().any(|wanted| !selectors.ours[wanted.selector]) {
        return select_by_lol_html(html, selectors, wanted, on_event);
    }
    let mut wants = vec![Want::Nothing; selectors.all.len()];
    for &Wanted { selector, text } in wanted {
        wants[selector] = if text { Want::TagsAndText } else { Want::Tags };
    }
    matcher::run(&selectors.forest, &wants, html, until, |selector, found| match found {
        Found::Start(scanner, tag) => on_event(selector, Event::Start(Tag(&Ours { html, scanner, tag }))),
        Found::Text(bytes) => on_event(selector, Event::Text(&htmlize::unescape(text(bytes)))),
    });
}

fn select_by_lol_html(html: &[u8], selectors: &Selectors, wanted: &[Wanted], on_event: impl FnMut(usize, Event<'_>)) {
    let on_event = RefCell::new(on_event);
    let mut settings = Settings::new().with_strict(false);
    for &Wanted { selector, text } in wanted {
        let on_event = &on_event;
        let mut handlers = ElementContentHandlers::default().element(move |el: &mut Element<'_, '_>| {
            (on_event.borrow_mut())(selector, Event::Start(Tag(el)));
            Ok(())
        });
        if text {
            handlers = handlers.text(move |chunk: &mut TextChunk<'_>| {
                (on_event.borrow_mut())(selector, Event::Text(&htmlize::unescape(chunk.as_str())));
                Ok(())
            });
        }
        settings = settings.append_element_content_handler((Cow::Borrowed(&selectors.all[selector]), handlers));
    }
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    // handlers never fail and memory is not limited: an error could only mean that the parser gave up
    if rewriter.write(html).is_ok() {
        let _ = rewriter.end();
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::against_lol_html::{Random, damage};
    use super::*;
    use std::path::Path;

    type Seen = Vec<(usize, usize, Option<String>)>;

    /// Starts with an attribute of theirs, and all text of each selector.
    fn seen(
        selectors: &Selectors,
        by: impl FnOnce(&[Wanted], &mut dyn FnMut(usize, Event<'_>)),
    ) -> (Seen, Vec<String>) {
        let wanted: Vec<Wanted> = (0..selectors.all.len()).map(|selector| Wanted { selector, text: true }).collect();
        let (mut starts, mut texts) = (Seen::new(), vec![String::new(); wanted.len()]);
        by(&wanted, &mut |selector, event| match event {
            Event::Start(tag) => starts.push((selector, tag.start(), tag.attribute("class"))),
            Event::Text(text) => texts[selector].push_str(text),
        });
        // where a damaged page cuts a reference, lol_html decodes its parts
        texts.iter_mut().for_each(|text| text.retain(|c| !"&;".contains(c)));
        (starts, texts)
    }

    fn ours(html: &[u8], selectors: &Selectors) -> (Seen, Vec<String>) {
        assert!(selectors.ours.iter().all(|&ours| ours));
        seen(selectors, |wanted, on_event| select(html, selectors, wanted, html.len(), on_event))
    }

    fn theirs(html: &[u8], selectors: &Selectors) -> (Seen, Vec<String>) {
        seen(selectors, |wanted, on_event| select_by_lol_html(html, selectors, wanted, on_event))
    }

    const SELECTORS: [&str; 17] = [
        "*",
        "li",
        "ul > li",
        "ul li a",
        "li.lang-item, a[hreflang]",
        "[class*=item-]",
        "[class^='lang-']",
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
        <p lang=fr-CA>&eacute;t&eacute;<math><mi>x<b></mi></math><div id=lang_sel><ul><li><a class=lang_sel_sel href='/EN/'>en<ul><li class='lang- lang-item'></ul>
        <script>'<li class=lang-item>'</script><textarea><li></textarea><nav><ul><li><li>a</ul></nav><select><option selected>x<option>y</select>";

    #[test]
    fn damaged_pages_are_matched_as_lol_html_matches_them() {
        let selectors = Selectors::parse(SELECTORS).unwrap();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/switchers");
        let pages = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut pages: Vec<Vec<u8>> = pages
            .filter(|path| path.extension().is_some_and(|e| e == "html"))
            .map(|p| std::fs::read(p).unwrap())
            .collect();
        pages.sort();
        pages.push(PAGE.as_bytes().to_vec());
        let mut random = Random(7);
        for page in pages {
            for round in 0..40 {
                let mut html = page.clone();
                (0..random.below(4).min(round)).for_each(|_| damage(&mut html, &mut random));
                let (ours, theirs) = (ours(&html, &selectors), theirs(&html, &selectors));
                assert_eq!(ours, theirs, "{}", String::from_utf8_lossy(&html));
            }
        }
    }

    #[test]
    fn what_we_do_not_know_lol_html_matches() {
        let selectors = Selectors::parse(["li:nth-child(2)", "li"]).unwrap();
        assert_eq!(selectors.ours, [false, true]);
        let mut seen = Vec::new();
        let wanted = [0, 1].map(|selector| Wanted { selector, text: false });
        let page = b"<ul><li></li><li></li></ul>";
        select(page, &selectors, &wanted, page.len(), |selector, event| {
            if let Event::Start(tag) = event {
                seen.push((selector, tag.start()));
            }
        });
        assert_eq!(seen, [(1, 4), (0, 13), (1, 13)]);
    }

    #[test]
    fn what_is_open_at_the_end_is_read_on() {
        let selectors = Selectors::parse(["ul.a li"]).unwrap();
        let starts = |until: usize| {
            let mut starts = Vec::new();
            let page = b"<ul class=a><li>x<li>y</ul><ul class=a><li>z";
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
        let page = b"<p><b class=x title='a&amp;b'>T&eacute;</b>no";
        select(page, &selectors, &wanted, page.len(), |selector, event| {
            seen.push(match event {
                Event::Start(tag) => format!("{selector} {} {:?}", tag.start(), tag.attribute("title")),
                Event::Text(text) => format!("{selector} {text}"),
            });
        });
        seen.retain(|event| event != "1 ");
        assert_eq!(seen, ["0 3 Some(\"a&b\")", "1 3 Some(\"a&b\")", "2 3 Some(\"a&b\")", "1 Té"]);
        let (at, why) = Selectors::parse(["a", "a ~ b"]).err().unwrap();
        assert_eq!((at, why.as_str()), (1, "unsupported combinator `~` in selector"));
    }
}
