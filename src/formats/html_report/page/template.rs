//! Runs the template of a report's page, and defines the filters for its values. All output is escaped, and an undefined
//! name is an error.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, Error, Output, State, UndefinedBehavior, Value, escape_formatter};
use std::collections::BTreeMap;

/// The most rows, and the most columns, of a table; the rest is summed up.
pub(super) const ROWS: usize = 25;

/// The template's name, by which the engine knows that it is HTML.
pub(super) const NAME: &str = "report.html";

/// The template, ready to be rendered.
pub(super) fn environment() -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    environment.set_formatter(write);
    environment.add_filter("grouped", grouped);
    environment
        .add_filter("share", |part: u64, whole: u64| format!("{:.2}", 100.0 * part as f64 / whole.max(1) as f64));
    environment.add_filter("most", |all: Serde<BTreeMap<String, u64>>| Value::from(Serde(most(all.0))));
    environment.add_filter("readable", readable);
    environment.add_filter("short", short);
    environment.add_test("web_address", |url: &str| url.starts_with("http://") || url.starts_with("https://"));
    environment.add_template(NAME, include_str!("../report.html"))?;
    Ok(environment)
}

/// Writes a value, escaped. Control characters, which HTML does not allow, are replaced.
fn write(out: &mut Output<'_>, state: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    let is_bad = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    match value.as_str() {
        Some(text) if !value.is_safe() && text.contains(is_bad) => {
            escape_formatter(out, state, &Value::from(text.replace(is_bad, "\u{fffd}")))
        }
        _ => escape_formatter(out, state, value),
    }
}

/// A number with a comma before each group of three digits; a dash if it is unknown.
fn grouped(number: &Value) -> String {
    let Some(digits) = number.is_integer().then(|| number.to_string()) else { return "–".to_owned() };
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The rows with the highest numbers, and the sum of all others.
pub(super) fn most(all: impl IntoIterator<Item = (String, u64)>) -> Vec<(String, u64)> {
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    if all.len() > ROWS {
        let rest = all.split_off(ROWS - 1);
        all.push((format!("{} others", rest.len()), rest.iter().map(|(_, n)| n).sum()));
    }
    all
}

/// A URL with letters of other alphabets instead of their `%XX`.
fn readable(url: &str) -> String {
    let mut bytes = Vec::with_capacity(url.len());
    let mut rest = url.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = |byte: &u8| char::from(*byte).to_digit(16);
        match (first, tail) {
            (b'%', [high @ b'8'..=b'f', low, after @ ..]) if hex(high).is_some() && hex(low).is_some() => {
                bytes.push((hex(high).unwrap_or(0) * 16 + hex(low).unwrap_or(0)) as u8);
                rest = after;
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    match String::from_utf8(bytes) {
        Ok(text) if !text.chars().any(|c| c.is_control() || c.is_whitespace()) => text,
        _ => url.to_owned(),
    }
}

/// A label, shortened to fit on a line.
fn short(label: &str) -> String {
    const LONGEST: usize = 36;
    match label.char_indices().nth(LONGEST) {
        Some((end, _)) => label[..end].to_owned() + "…",
        None => label.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(|n: u64| grouped(&n.into())), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([grouped(&().into()), grouped(&"5".into()), grouped(&true.into())], ["–", "–", "–"]);
    }

    #[test]
    fn urls_are_readable() {
        assert_eq!(readable("http://a/%d8%b3/%20%zz"), "http://a/س/%20%zz");
        assert_eq!(readable("http://a/%ff%e2%80"), "http://a/%ff%e2%80");
        assert_eq!(readable("http://a/%c2%85"), "http://a/%c2%85");
    }

    #[test]
    fn a_name_that_nobody_gives_is_an_error() {
        let mut environment = environment().unwrap();
        environment.add_template("other.html", "{{ a }}{{ b }}").unwrap();
        let render = |context: &Value| environment.get_template("other.html").unwrap().render(context);
        assert_eq!(render(&Value::from_pairs([("a", "<\u{1b}"), ("b", "'")])).unwrap(), "&lt;\u{fffd}&#x27;");
        assert!(render(&Value::from_pairs([("a", "<")])).is_err());
    }
}
