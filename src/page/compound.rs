//! The part of CSS selectors that is matched by our own reader: names, classes, ids, attributes and `:not` of one of
//! them, below and right below each other. Which texts are selectors at all is decided by lol_html.
//!
//! Matching is lol_html's: classes, ids and values are compared as they are written in the page.

use super::scanner::{Scanner, Tag};

/// What is asked of one element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Compound {
    /// The element's name; none: any.
    name: Option<Vec<u8>>,
    tests: Vec<Test>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Test {
    negated: bool,
    what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Any,
    Name(Vec<u8>),
    Id(Vec<u8>),
    Class(Vec<u8>),
    Attribute { name: String, value: Option<(Operator, Vec<u8>, Case)> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Equal,
    Word,
    Dash,
    Start,
    End,
    Inside,
}

/// How values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Exact,
    Ignored,
    /// Ignored in HTML, exact in SVG and MathML.
    IgnoredInHtml,
}

/// How a compound stands to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Combinator {
    Below,
    RightBelow,
}

/// Attributes whose values HTML compares without regard to case
/// (<https://html.spec.whatwg.org/multipage/semantics-other.html#case-sensitivity-of-selectors>).
const CASELESS: &str = " accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir \
    direction disabled enctype face frame hreflang http-equiv lang language link media method multiple nohref noresize \
    noshade nowrap readonly rel rev rules scope scrolling selected shape target text type valign valuetype vlink ";

impl Compound {
    /// Whether the element of the start tag that was read last is meant.
    pub(super) fn matches(&self, html: &[u8], scanner: &Scanner, tag: &Tag<'_>) -> bool {
        self.name.as_ref().is_none_or(|name| name.eq_ignore_ascii_case(tag.label))
            && self.tests.iter().all(|test| test.what.holds(html, scanner, tag) != test.negated)
    }
}

impl What {
    fn holds(&self, html: &[u8], scanner: &Scanner, tag: &Tag<'_>) -> bool {
        let attribute = |name: &str| scanner.attribute(html, name);
        match self {
            What::Any => true,
            What::Name(name) => name.eq_ignore_ascii_case(tag.label),
            What::Id(id) => attribute("id").is_some_and(|value| value == id),
            What::Class(class) => attribute("class").is_some_and(|value| words(value).any(|word| word == class)),
            What::Attribute { name, value: None } => attribute(name).is_some(),
            What::Attribute { name, value: Some((operator, wanted, case)) } => {
                let exact = *case == Case::Exact || *case == Case::IgnoredInHtml && tag.foreign;
                attribute(name).is_some_and(|value| operator.holds(value, wanted, exact))
            }
        }
    }
}

fn words(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(u8::is_ascii_whitespace)
}

impl Operator {
    fn holds(self, value: &[u8], wanted: &[u8], exact: bool) -> bool {
        let is = |part: &[u8]| if exact { part == wanted } else { part.eq_ignore_ascii_case(wanted) };
        let (start, end) = (value.get(..wanted.len()), value.len().checked_sub(wanted.len()));
        match self {
            Operator::Equal => is(value),
            Operator::Dash => is(value) || start.is_some_and(is) && value.get(wanted.len()) == Some(&b'-'),
            // an empty text is at the start of nothing, says CSS
            _ if wanted.is_empty() => false,
            Operator::Word => words(value).any(is),
            Operator::Start => start.is_some_and(is),
            Operator::End => end.is_some_and(|at| is(&value[at..])),
            Operator::Inside => value.windows(wanted.len()).any(is),
        }
    }
}

/// The compounds of a valid selector without commas. None: something in it is left to lol_html.
pub(super) fn parse(text: &str) -> Option<Vec<(Combinator, Compound)>> {
    let mut reader = Reader { text: text.trim(), at: 0 };
    let mut compounds = vec![(Combinator::Below, reader.compound()?)];
    while reader.at < reader.text.len() {
        reader.blanks();
        let combinator = if reader.takes(">") { Combinator::RightBelow } else { Combinator::Below };
        reader.blanks();
        compounds.push((combinator, reader.compound()?));
    }
    Some(compounds)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at = self.text.len() - rest.trim_ascii_start().len();
    }

    fn takes(&mut self, mark: &str) -> bool {
        let is = self.text[self.at..].starts_with(mark);
        self.at += if is { mark.len() } else { 0 };
        is
    }

    /// A name without escapes.
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
            compound.name = Some(self.name()?.into_bytes());
        }
        loop {
            if self.takes(":not(") {
                self.blanks();
                loop {
                    let what = self.simple()?;
                    compound.tests.push(Test { negated: true, what });
                    self.blanks();
                    if self.takes(")") {
                        break;
                    }
                    // two in one, as in :not(.a.b), are another matter
                    if !self.takes(",") {
                        return None;
                    }
                    self.blanks();
                }
            } else if self.text[self.at..].starts_with(['.', '#', '[']) {
                let what = self.simple()?;
                compound.tests.push(Test { negated: false, what });
            } else {
                let ends = self.text[self.at..].chars().next().is_none_or(|c| c.is_ascii_whitespace() || c == '>');
                return (ends && self.at > start).then_some(compound);
            }
        }
    }

    fn simple(&mut self) -> Option<What> {
        Some(if self.takes(".") {
            What::Class(self.name()?.into_bytes())
        } else if self.takes("#") {
            What::Id(self.name()?.into_bytes())
        } else if self.takes("[") {
            self.attribute()?
        } else if self.takes("*") {
            What::Any
        } else {
            What::Name(self.name()?.into_bytes())
        })
    }

    /// What stands behind a `[`.
    fn attribute(&mut self) -> Option<What> {
        self.blanks();
        let name = self.name()?.to_ascii_lowercase();
        self.blanks();
        if self.takes("]") {
            return Some(What::Attribute { name, value: None });
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
        (self.takes("]") && plain).then(|| What::Attribute { name, value: Some((operator, value.into_bytes(), case)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
