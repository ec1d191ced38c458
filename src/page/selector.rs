//! Parses CSS selectors, and decides which of them this crate's reader can match: names, classes, ids, attributes and
//! `:not` of one of them, as descendants and children of each other. lol_html decides which texts are valid selectors.
//!
//! Matching follows lol_html: classes, ids and values are compared as they are written in the page.

use crate::html::elements::Element;
use crate::html::names::{Name, OTHER};
use crate::html::tokenizer::Attributes;
use memchr::memmem;

/// The conditions on one element.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Compound {
    /// The element's name; [`None`] for any.
    name: Option<ElementName>,
    tests: Vec<Test>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Test {
    negated: bool,
    simple: Simple,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Simple {
    Any,
    Name(ElementName),
    Id(Vec<u8>),
    Class(Vec<u8>),
    Attribute { name: String, value: Option<ValueTest> },
}

/// The condition on an attribute's value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ValueTest {
    operator: Operator,
    wanted: Vec<u8>,
    case: Case,
}

/// A known name by its number, other names by their text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ElementName(Name, String);

impl ElementName {
    fn of(text: String) -> Self {
        ElementName(Name::of(&text), text)
    }

    fn is(&self, element: &Element<'_>) -> bool {
        self.0 == element.name && (self.0 != OTHER || self.1.eq_ignore_ascii_case(element.label))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operator {
    Equal,
    Word,
    Dash,
    Start,
    End,
    Inside,
}

/// How values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Case {
    Exact,
    Ignored,
    /// Ignored in HTML, exact in SVG and MathML.
    IgnoredInHtml,
}

/// The relation of a compound to the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Combinator {
    Below,
    RightBelow,
}

/// Attributes whose values HTML compares without regard to case
/// (<https://html.spec.whatwg.org/multipage/semantics-other.html#case-sensitivity-of-selectors>).
const CASELESS: &str = " accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir \
    direction disabled enctype face frame hreflang http-equiv lang language link media method multiple nohref noresize \
    noshade nowrap readonly rel rev rules scope scrolling selected shape target text type valign valuetype vlink ";

/// Attributes that most elements have: looking for the element's name instead excludes more elements.
const FREQUENT: [&str; 6] = ["class", "href", "id", "src", "style", "title"];

/// A feature that an element must have for a compound to match: most compounds are skipped because of it.
#[derive(Clone, Copy)]
pub(super) enum Key<'c> {
    Id(&'c [u8]),
    Class(&'c [u8]),
    /// A test of the class attribute other than for one of its words.
    ClassLike(&'c ValueTest),
    /// The name of an attribute.
    Attribute(&'c [u8]),
    Name(Name),
    Nothing,
}

impl Compound {
    /// The rarest required feature.
    pub(super) fn key(&self) -> Key<'_> {
        let asked = self.tests.iter().filter(|test| !test.negated).map(|test| &test.simple);
        let keys = asked.map(|simple| match simple {
            Simple::Id(id) => (0, Key::Id(id)),
            Simple::Class(class) => (1, Key::Class(class)),
            Simple::Attribute { name, value: Some(test) } if name == "class" => (2, Key::ClassLike(test)),
            Simple::Attribute { name, .. } => {
                (if FREQUENT.contains(&name.as_str()) { 5 } else { 3 }, Key::Attribute(name.as_bytes()))
            }
            Simple::Any | Simple::Name(_) => (6, Key::Nothing),
        });
        let name = self.name.as_ref().map(|name| (4, Key::Name(name.0)));
        keys.chain(name).min_by_key(|(rank, _)| *rank).map_or(Key::Nothing, |(_, key)| key)
    }

    /// Whether [`Compound::key`] is the only condition.
    pub(super) fn is_key(&self) -> bool {
        match (&self.name, &self.tests[..]) {
            (None, []) => true,
            (Some(name), []) => name.0 != OTHER,
            (None, [Test { negated: false, simple }]) => match simple {
                Simple::Id(_) | Simple::Class(_) | Simple::Attribute { value: None, .. } => true,
                Simple::Attribute { name, .. } => name == "class",
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether the element meets all conditions.
    pub(super) fn matches(&self, element: &Element<'_>, attributes: Attributes<'_, '_>) -> bool {
        self.name.as_ref().is_none_or(|name| name.is(element))
            && self.tests.iter().all(|test| test.simple.holds(element, attributes) != test.negated)
    }
}

impl Simple {
    fn holds(&self, element: &Element<'_>, attributes: Attributes<'_, '_>) -> bool {
        let attribute = |name: &str| attributes.raw(name).map(str::as_bytes);
        match self {
            Simple::Any => true,
            Simple::Name(name) => name.is(element),
            Simple::Id(id) => attribute("id").is_some_and(|value| value == id),
            Simple::Class(class) => attribute("class").is_some_and(|value| words(value).any(|word| word == class)),
            Simple::Attribute { name, value: None } => attribute(name).is_some(),
            Simple::Attribute { name, value: Some(test) } => {
                attribute(name).is_some_and(|value| test.holds(value, element.foreign))
            }
        }
    }
}

impl ValueTest {
    /// `foreign`: the element is in SVG or MathML.
    pub(super) fn holds(&self, value: &[u8], foreign: bool) -> bool {
        let exact = self.case == Case::Exact || self.case == Case::IgnoredInHtml && foreign;
        self.operator.holds(value, &self.wanted, exact)
    }
}

pub(super) fn words(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(u8::is_ascii_whitespace)
}

impl Operator {
    fn holds(self, value: &[u8], wanted: &[u8], exact: bool) -> bool {
        let is = |part: &[u8]| if exact { part == wanted } else { part.eq_ignore_ascii_case(wanted) };
        let (start, end) = (value.get(..wanted.len()), value.len().checked_sub(wanted.len()));
        match self {
            Operator::Equal => is(value),
            Operator::Dash => is(value) || start.is_some_and(is) && value.get(wanted.len()) == Some(&b'-'),
            // an empty text does not match anything, according to CSS
            _ if wanted.is_empty() => false,
            Operator::Word => words(value).any(is),
            Operator::Start => start.is_some_and(is),
            Operator::End => end.is_some_and(|at| is(&value[at..])),
            Operator::Inside if exact => memmem::find(value, wanted).is_some(),
            Operator::Inside => value.windows(wanted.len()).any(is),
        }
    }
}

/// `inner` as a descendant of `outer`, for each pair of their alternatives; `inner` unchanged if `outer` is empty.
pub(crate) fn below(outer: &str, inner: &str) -> String {
    if outer.trim().is_empty() {
        return inner.trim().to_owned();
    }
    let inner = alternatives(inner);
    let pairs =
        alternatives(outer).into_iter().flat_map(|outer| inner.iter().map(move |inner| format!("{outer} {inner}")));
    pairs.collect::<Vec<_>>().join(", ")
}

/// Splits a selector at its commas, except at those in brackets and quotes.
pub(super) fn alternatives(selector: &str) -> Vec<&str> {
    let (mut depth, mut quote, mut start, mut found) = (0_u32, None, 0, Vec::new());
    for (at, c) in selector.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[') => depth += 1,
            (None, ')' | ']') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                found.push(selector[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(selector[start..].trim());
    found
}

/// The compounds of a valid selector without commas; [`None`] if lol_html must match it.
pub(super) fn parse(text: &str) -> Option<Vec<(Combinator, Compound)>> {
    let mut reader = SelectorReader { text: text.trim(), at: 0 };
    let mut compounds = vec![(Combinator::Below, reader.compound()?)];
    while reader.at < reader.text.len() {
        reader.blanks();
        let combinator = if reader.takes(">") { Combinator::RightBelow } else { Combinator::Below };
        reader.blanks();
        compounds.push((combinator, reader.compound()?));
    }
    Some(compounds)
}

struct SelectorReader<'t> {
    text: &'t str,
    at: usize,
}

impl SelectorReader<'_> {
    fn blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at = self.text.len() - rest.trim_ascii_start().len();
    }

    fn takes(&mut self, mark: &str) -> bool {
        let is = self.text[self.at..].starts_with(mark);
        self.at += if is { mark.len() } else { 0 };
        is
    }

    /// Reads a name without escapes.
    fn name(&mut self) -> Option<String> {
        let rest = &self.text[self.at..];
        let is_end = |c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_');
        let name = &rest[..rest.find(is_end).unwrap_or(rest.len())];
        self.at += name.len();
        (!name.is_empty()).then(|| name.to_owned())
    }

    fn compound(&mut self) -> Option<Compound> {
        let mut compound = Compound::default();
        let start = self.at;
        if !self.takes("*") && !self.text[self.at..].starts_with(['.', '#', '[', ':']) {
            compound.name = Some(ElementName::of(self.name()?));
        }
        loop {
            if self.takes(":not(") {
                self.blanks();
                loop {
                    let simple = self.simple()?;
                    compound.tests.push(Test { negated: true, simple });
                    self.blanks();
                    if self.takes(")") {
                        break;
                    }
                    // two conditions at once, as in :not(.a.b), are not supported
                    if !self.takes(",") {
                        return None;
                    }
                    self.blanks();
                }
            } else if self.text[self.at..].starts_with(['.', '#', '[']) {
                let simple = self.simple()?;
                compound.tests.push(Test { negated: false, simple });
            } else {
                let ends = self.text[self.at..].chars().next().is_none_or(|c| c.is_ascii_whitespace() || c == '>');
                return (ends && self.at > start).then_some(compound);
            }
        }
    }

    fn simple(&mut self) -> Option<Simple> {
        Some(if self.takes(".") {
            Simple::Class(self.name()?.into_bytes())
        } else if self.takes("#") {
            Simple::Id(self.name()?.into_bytes())
        } else if self.takes("[") {
            self.attribute()?
        } else if self.takes("*") {
            Simple::Any
        } else {
            Simple::Name(ElementName::of(self.name()?))
        })
    }

    /// The condition after a `[`.
    fn attribute(&mut self) -> Option<Simple> {
        self.blanks();
        let name = self.name()?.to_ascii_lowercase();
        self.blanks();
        if self.takes("]") {
            return Some(Simple::Attribute { name, value: None });
        }
        let operators = [
            ("=", Operator::Equal),
            ("~=", Operator::Word),
            ("|=", Operator::Dash),
            ("^=", Operator::Start),
            ("$=", Operator::End),
            ("*=", Operator::Inside),
        ];
        let (_, operator) = operators.into_iter().find(|(mark, _)| self.takes(mark))?;
        self.blanks();
        let quote = self.text[self.at..].chars().next().filter(|c| matches!(c, '"' | '\''));
        let value = match quote {
            Some(quote) => {
                let rest = &self.text[self.at + 1..];
                let value = rest[..rest.find(quote)?].to_owned();
                self.at += value.len() + 2;
                value
            }
            None => self.name()?,
        };
        self.blanks();
        let case = if self.takes("i") || self.takes("I") {
            Case::Ignored
        } else if self.takes("s") || self.takes("S") {
            Case::Exact
        } else if CASELESS.contains(&format!(" {name} ")) {
            Case::IgnoredInHtml
        } else {
            Case::Exact
        };
        self.blanks();
        let plain = !value.contains(['\\', '\n', '\r', '\x0C', '\0']);
        (self.takes("]") && plain)
            .then(|| Simple::Attribute { name, value: Some(ValueTest { operator, wanted: value.into_bytes(), case }) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_are_combined() {
        assert_eq!(below("", " li.a "), "li.a");
        assert_eq!(below("#a, .b", "li"), "#a li, .b li");
        assert_eq!(below("ul", "> li, a[title=\"x, y\"]"), "ul > li, ul a[title=\"x, y\"]");
        assert_eq!(below("p:not(.a, .b)", "a"), "p:not(.a, .b) a");
    }

    #[test]
    fn what_is_not_ours_is_left() {
        for text in [
            "a:first-child",
            "a:not(.b.c)",
            "a:not(b > c)",
            "a\\:b",
            ".a\\62",
            "a[b='\\c']",
            "*|a",
            "a/**/b",
            "a :not(:not(b))",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
        for text in ["*", "a>b", ":not(*)", "a.b#c[d][ e = 'f' i ]:not([g~=h], i , .j) > *:not(#k)", "é.ü"] {
            assert!(parse(text).is_some(), "{text}");
        }
    }
}
