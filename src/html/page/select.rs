//! CSS selectors and what they match in a page.
//! What the matches mean is left to the layers above.
//!
//! lol_html (a streaming tokenizer with CSS selectors) is used here and nowhere else.

use lol_html::html_content::{Element, TextChunk};
use lol_html::{ElementContentHandlers, HtmlRewriter, Selector, Settings};
use std::borrow::Cow;
use std::cell::RefCell;

/// CSS selectors, as far as a streaming reader can match them: no `+`, `~`, `:has`, `:last-child`.
pub struct Selectors(Vec<Selector>);

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
        texts.into_iter().enumerate().map(parse).collect::<Result<_, _>>().map(Selectors)
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
/// truncated HTML is no error: what can be told is told.
pub fn select(html: &[u8], selectors: &Selectors, wanted: &[Wanted], on_event: impl FnMut(usize, Event<'_>)) {
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
        settings = settings.append_element_content_handler((Cow::Borrowed(&selectors.0[selector]), handlers));
    }
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    // handlers never fail and memory is not limited: an error could only mean that the parser gave up
    if rewriter.write(html).is_ok() {
        let _ = rewriter.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_one_element_come_in_the_order_of_the_selectors() {
        let selectors = Selectors::parse(["b", "p > b", "b.x", "*"]).unwrap();
        let wanted = [0, 1, 2].map(|selector| Wanted { selector, text: selector == 1 });
        let mut seen = Vec::new();
        select(b"<p><b class=x title='a&amp;b'>T&eacute;</b>no", &selectors, &wanted, |selector, event| {
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
