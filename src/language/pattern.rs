//! Matches patterns for a language code within a class, an id or a text: `lang-item-{code}`, `menu-item-*-{code}`. The
//! caller decides whether the match is a language.

/// Literal text with one `{code}` and any number of `*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    parts: Vec<PatternPart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum PatternPart {
    Literal(String),
    Anything,
    Code,
}

impl Pattern {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let Some((before, after)) = text.split_once("{code}") else {
            return Err(format!("pattern {text} lacks {{code}}"));
        };
        if after.contains("{code}") {
            return Err(format!("pattern {text} has more than one {{code}}"));
        }
        let mut parts = Vec::new();
        push_parts(&mut parts, before);
        parts.push(PatternPart::Code);
        push_parts(&mut parts, after);
        Ok(Pattern { parts })
    }

    /// The result of `accept` for the first code in `text` that it accepts; `*` matches as little as possible. Texts
    /// are as short as a class or a title, so trying all matches is cheap.
    pub(super) fn find<T>(&self, text: &str, mut accept: impl FnMut(&str) -> Option<T>) -> Option<T> {
        let code = self.parts.iter().position(|part| *part == PatternPart::Code)?;
        let (before, after) = (&self.parts[..code], &self.parts[code + 1..]);
        // longer texts contain no code, and the number of matches grows with the square of the length
        if text.len() > 1000 {
            return None;
        }
        let starts = ends_of(before, text);
        for start in starts {
            let rest = &text[start..];
            let longest =
                rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '@'))).unwrap_or(rest.len());
            // Most patterns end with the code, which is then all that is left.
            let shortest = if after.is_empty() { rest.len() } else { 1 };
            let ends = (shortest.max(1)..=longest).rev();
            let found = ends.filter(|&end| matches(after, &rest[end..])).find_map(|end| accept(&rest[..end]));
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

fn push_parts(parts: &mut Vec<PatternPart>, text: &str) {
    for (number, literal) in text.split('*').enumerate() {
        if number > 0 && parts.last() != Some(&PatternPart::Anything) {
            parts.push(PatternPart::Anything);
        }
        if !literal.is_empty() {
            parts.push(PatternPart::Literal(literal.to_owned()));
        }
    }
}

/// Where in `text` a match of `parts` at its start can end, in ascending order.
fn ends_of(parts: &[PatternPart], text: &str) -> Vec<usize> {
    let mut ends = vec![0];
    for part in parts {
        ends = match part {
            PatternPart::Literal(literal) => ends
                .iter()
                .filter(|&&at| text[at..].starts_with(literal.as_str()))
                .map(|at| at + literal.len())
                .collect(),
            _ => {
                let first = ends.first().copied().unwrap_or(text.len());
                let rest = text[first..].char_indices().map(|(at, _)| first + at);
                if ends.is_empty() { Vec::new() } else { rest.chain([text.len()]).collect() }
            }
        };
    }
    ends
}

fn matches(parts: &[PatternPart], text: &str) -> bool {
    ends_of(parts, text).last() == Some(&text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(pattern: &str, text: &str) -> Vec<String> {
        let mut seen = Vec::new();
        let never: Option<()> = Pattern::parse(pattern).unwrap().find(text, |code| {
            seen.push(code.to_owned());
            None
        });
        assert_eq!(never, None);
        seen
    }

    #[test]
    fn a_code_is_offered_longest_first_where_the_pattern_allows() {
        assert_eq!(codes("lang-item-{code}", "lang-item-pt-br")[0], "pt-br");
        assert_eq!(codes("lang-item-{code}", "my-lang-item-fr"), [""; 0]);
        assert_eq!(codes("*({code})", "English (en)"), ["en"]);
        assert_eq!(codes("*({code})", "Français (France) (fr)"), ["fr"]);
        assert_eq!(codes("*\"slug\":\"{code}\"*", r#"{"id":0,"slug":"fr","dir":0}"#), ["fr"]);
        // the star matches as little as possible, so that the code is the complete tag
        assert_eq!(codes("menu-item-*-{code}", "menu-item-12-pt-br"), ["pt-br", "br"]);
        assert_eq!(codes("menu-item-*-{code}", "menu-item-12"), [""; 0]);
        assert_eq!(codes("{code}", "é"), [""; 0]);
    }

    #[test]
    fn a_pattern_has_one_code() {
        assert!(Pattern::parse("lang-item-").unwrap_err().contains("lacks {code}"));
        assert!(Pattern::parse("{code}-{code}").unwrap_err().contains("more than one"));
    }
}
