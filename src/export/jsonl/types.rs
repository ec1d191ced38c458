//! Finds the types of the values in a file's records. record.rs defines the keys of WordPress' records and their types; keys that
//! were added, for example with jq, are found while the records pass. The schema and the loaders describe the shape to others.
//!
//! A loader that guesses types from the first rows silently loses later values, so nothing is guessed here. A value whose type is
//! not that of its key would make loaders reject the file: it becomes null, and the run reports it.

use crate::ndjson::{self, Str, Walk};
use crate::record::{self, dates};
use crate::tree::stays_below;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

/// The most added keys of a type that are noted.
pub(crate) const MOST_ADDED: usize = 400;

/// The most levels of lists and objects in an added value: all JSON readers accept at least this many (serde_json 128, jq before
/// 1.8 256, Python's json 1,000).
const DEEPEST: usize = 100;

/// 2 to the 53rd: from this number on, floating-point numbers do not represent every integer.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The type of a value, which may always be null instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ValueType {
    /// The value is always null.
    Null,
    Text,
    /// A time in UTC: `2023-09-08T07:30:00Z`.
    Time,
    /// A number of at most 64 bits without a fraction.
    Integer,
    Number,
    Boolean,
    List(Box<ValueType>),
    /// An object with these keys, in their order.
    Object(Vec<Field>),
    /// Objects, lists, or values of several types: every loader can read them as JSON text.
    Json,
}

/// A key of an object and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) shape: ValueType,
}

impl ValueType {
    /// The shape of a kind's records with these additional keys.
    pub(crate) fn of(kind: &str, added: &Added) -> ValueType {
        let mut fields = ValueType::of_fields(record::shape_of(kind).unwrap_or_default());
        for Extra { path, name, shape, .. } in &added.keys {
            let field = Field { name: name.clone(), shape: shape.clone() };
            let Some((column, inner)) = path.split_first() else {
                fields.push(field);
                continue;
            };
            let column = fields.iter_mut().find(|field| field.name == *column).expect("a path is made of known keys");
            match column.shape.fields_at(inner) {
                // Loaders accept JSON text as a column, but not as a part of one.
                _ if field.shape == ValueType::Json => column.shape = ValueType::Json,
                Some(fields) => fields.push(field),
                None => {}
            }
        }
        ValueType::Object(fields)
    }

    /// The shape of a kind's records without additional keys, built once.
    pub(crate) fn of_kind(kind: &str) -> Option<&'static ValueType> {
        static KNOWN: [OnceLock<ValueType>; record::KINDS.len()] = [const { OnceLock::new() }; record::KINDS.len()];
        let at = record::KINDS.iter().position(|known| *known == kind)?;
        Some(KNOWN[at].get_or_init(|| ValueType::of(kind, &Added::default())))
    }

    fn of_fields(fields: &[record::Field]) -> Vec<Field> {
        let shape = |field: &record::Field| {
            if is_time(field.key) { ValueType::Time } else { ValueType::of_known(&field.shape) }
        };
        fields.iter().map(|field| Field { name: field.key.to_owned(), shape: shape(field) }).collect()
    }

    fn of_known(shape: &record::Shape) -> ValueType {
        match shape.form {
            record::Form::Text => ValueType::Text,
            record::Form::Integer => ValueType::Integer,
            record::Form::Number => ValueType::Number,
            record::Form::Boolean => ValueType::Boolean,
            record::Form::List(element) => ValueType::List(Box::new(ValueType::of_known(element))),
            record::Form::Object(fields) => ValueType::Object(ValueType::of_fields(fields)),
        }
    }

    /// Its name in JSON Schema, and in the manifest.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            ValueType::Null => "null",
            ValueType::Text | ValueType::Time => "string",
            ValueType::Integer => "integer",
            ValueType::Number => "number",
            ValueType::Boolean => "boolean",
            ValueType::List(_) => "array",
            ValueType::Object(_) => "object",
            ValueType::Json => "json",
        }
    }

    /// The keys, if it is an object.
    pub(crate) fn fields(&self) -> &[Field] {
        if let ValueType::Object(fields) = self { fields } else { &[] }
    }

    /// The keys of the object at this path, through lists; `None` if there is JSON text on the way.
    fn fields_at(&mut self, path: &[&str]) -> Option<&mut Vec<Field>> {
        match (self, path) {
            (ValueType::List(element), _) => element.fields_at(path),
            (ValueType::Object(fields), []) => Some(fields),
            (ValueType::Object(fields), [name, rest @ ..]) => {
                fields.iter_mut().find(|field| field.name == *name)?.shape.fields_at(rest)
            }
            _ => None,
        }
    }
}

/// Whether the values of a key of record.rs are points in time.
fn is_time(key: &str) -> bool {
    matches!(key, "date_gmt" | "modified_gmt")
}

/// A key that record.rs does not define.
#[derive(Clone, Debug)]
struct Extra {
    /// The known keys above it.
    path: Vec<&'static str>,
    name: String,
    /// The type of its values; JSON for objects and lists, whose keys and elements are unknown.
    shape: ValueType,
    /// Whether one of them is an integer that a floating-point number cannot represent.
    wide: bool,
}

impl Extra {
    fn join(&mut self, shape: ValueType, wide: bool) {
        self.wide |= wide;
        self.shape = match (&self.shape, shape) {
            (ValueType::Null, shape) => shape,
            (known, ValueType::Null) => known.clone(),
            (known, shape) if *known == shape => shape,
            (ValueType::Integer | ValueType::Number, ValueType::Integer | ValueType::Number) if !self.wide => {
                ValueType::Number
            }
            _ => ValueType::Json,
        };
    }
}

/// The type of an added value, and whether it is an integer that a floating-point number cannot represent.
fn shape_of(value: &[u8]) -> (ValueType, bool) {
    let number = || std::str::from_utf8(value).unwrap_or_default();
    match value[0] {
        b'n' => (ValueType::Null, false),
        b'"' => (ValueType::Text, false),
        b't' | b'f' => (ValueType::Boolean, false),
        b'[' | b'{' => (ValueType::Json, false),
        _ => match (number().parse::<i64>(), number().parse::<f64>()) {
            (Ok(_), Ok(number)) => (ValueType::Integer, number.abs() >= EXACT),
            (_, Ok(number)) if number.abs() < EXACT => (ValueType::Number, false),
            _ => (ValueType::Json, false),
        },
    }
}

/// The keys of a type's records that record.rs does not define, in the order in which they first occurred.
#[derive(Clone, Debug, Default)]
pub(crate) struct Added {
    keys: Vec<Extra>,
    /// Whether there are more keys than are noted.
    pub(crate) more: bool,
}

impl Added {
    /// Adds the keys of records that follow.
    pub(crate) fn absorb(&mut self, other: Added) {
        other.keys.into_iter().for_each(|Extra { path, name, shape, wide }| self.note(&path, &name, shape, wide));
        self.more |= other.more;
    }

    fn note(&mut self, path: &[&'static str], name: &str, shape: ValueType, wide: bool) {
        match self.keys.iter().position(|key| key.name == name && key.path == path) {
            Some(at) => self.keys[at].join(shape, wide),
            None if self.keys.len() == MOST_ADDED => self.more = true,
            None => self.keys.push(Extra { path: path.to_vec(), name: name.to_owned(), shape, wide }),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Each key, preceded by its parents, and the type of its values.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (String, &ValueType)> {
        self.keys.iter().map(|Extra { path, name, shape, .. }| {
            (path.iter().copied().chain([name.as_str()]).collect::<Vec<_>>().join("."), shape)
        })
    }
}

/// A value whose type is not that of its key.
pub(crate) struct Odd {
    /// Where it is in the line.
    pub(crate) place: Range<usize>,
    /// Its key and the expected type; `None` for a path on this machine, which is private.
    pub(crate) what: Option<String>,
}

/// Examines the values of a record of this kind; `line` holds an object. Notes the keys that record.rs does not define in `added`,
/// and returns the values whose type is not that of their key. `long` has the places of the record's long values, in order, as far
/// as they are known.
pub(crate) fn look_at(kind: &str, line: &[u8], long: &[Range<usize>], added: &mut Added) -> Vec<Odd> {
    let mut look = Look { line, walk: Walk::new(line), long, path: Vec::new(), added, odd: Vec::new() };
    // The walk ends early only at broken JSON, which the caller has already rejected.
    let _ = look.object(record::shape_of(kind).unwrap_or_default());
    look.odd
}

struct Look<'l> {
    line: &'l [u8],
    walk: Walk<'l>,
    /// The places of long values that are still to come.
    long: &'l [Range<usize>],
    path: Vec<&'static str>,
    added: &'l mut Added,
    odd: Vec<Odd>,
}

impl Look<'_> {
    /// The recursion is as deep as the shapes in record.rs, not as the input.
    fn object(&mut self, fields: &'static [record::Field]) -> Option<()> {
        self.walk.open(b'{')?;
        let mut next = 0;
        loop {
            // Most of the time, keys come in their usual order.
            let mut known = fields.get(next).filter(|field| self.walk.passes(field.key));
            if known.is_none() {
                let Some(key) = self.walk.key()? else { return Some(()) };
                let key = unescaped(key);
                next = fields.iter().position(|field| field.key == key).unwrap_or(next);
                known = fields.get(next).filter(|field| field.key == key);
                if known.is_none() {
                    let place = self.skip()?;
                    let value = &self.line[place.clone()];
                    let too_deep = is_too_deep(value);
                    let (shape, wide) = if too_deep { (ValueType::Null, false) } else { shape_of(value) };
                    self.added.note(&self.path, &key, shape, wide);
                    if too_deep {
                        self.odd
                            .push(Odd { place, what: Some(format!("{key} is nested deeper than {DEEPEST} levels")) });
                    }
                }
            }
            if let Some(field) = known {
                next += 1;
                self.path.push(field.key);
                self.value(&field.shape)?;
                self.path.pop();
            }
        }
    }

    /// Skips a value and returns its position; if its end is known, the value is not read.
    fn skip(&mut self) -> Option<Range<usize>> {
        self.walk.peek()?;
        let at = self.walk.at();
        while let Some((place, rest)) = self.long.split_first().filter(|(place, _)| place.start <= at) {
            self.long = rest;
            if place.start == at {
                self.walk.go_to(place.end);
                return Some(place.clone());
            }
        }
        self.walk.value()
    }

    fn text(&self, place: &Range<usize>) -> &str {
        std::str::from_utf8(&self.line[place.clone()]).unwrap_or_default()
    }

    fn is_time(&self) -> bool {
        self.path.last().is_some_and(|key| is_time(key))
    }

    fn value(&mut self, shape: &record::Shape) -> Option<()> {
        let what = match (self.walk.peek()?, shape.form) {
            (b'[', record::Form::List(element)) => {
                self.walk.open(b'[')?;
                while self.walk.element()? {
                    self.value(element)?;
                }
                return Some(());
            }
            (b'{', record::Form::Object(fields)) => return self.object(fields),
            (_, record::Form::Text) if self.is_time() => "a time such as 2023-09-08T07:30:00Z",
            (_, record::Form::Text) => "a string",
            (_, record::Form::Integer) => "an integer",
            (_, record::Form::Number) => "a number",
            (_, record::Form::Boolean) => "true or false",
            (_, record::Form::List(_)) => "a list",
            (_, record::Form::Object(_)) => "an object",
        };
        let place = self.skip()?;
        let fits = match (self.line[place.start], shape.form) {
            (b'"', record::Form::Text) if self.is_time() => {
                dates::is_normalised(self.line[place.clone()].trim_ascii_end())
            }
            (b'n', _) | (b'"', record::Form::Text) | (b't' | b'f', record::Form::Boolean) => true,
            (b'-' | b'0'..=b'9', record::Form::Integer) => is_integer(&self.line[place.clone()]),
            (b'-' | b'0'..=b'9', record::Form::Number) => true,
            _ => false,
        };
        let is_root = || self.path == ["scrape", "root"] && self.line[place.start] == b'"';
        if !fits {
            self.odd.push(Odd { place, what: Some(format!("{} is not {what}", self.path.join("."))) });
        } else if is_root() && !ndjson::from_str(self.text(&place)).is_ok_and(|root: Str<'_>| stays_below(&root)) {
            self.odd.push(Odd { place, what: None });
        }
        Some(())
    }
}

/// Whether a value nests lists and objects too deep.
fn is_too_deep(value: &[u8]) -> bool {
    if value.len() < 2 * DEEPEST || !matches!(value[0], b'[' | b'{') {
        return false;
    }
    let (mut open, mut in_string, mut escaped) = (0usize, false, false);
    value.iter().any(|byte| {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => open += 1,
            b']' | b'}' if !in_string => open -= 1,
            _ => {}
        }
        open > DEEPEST
    })
}

/// Whether a number fits into a 64-bit integer; ten digits always do.
fn is_integer(number: &[u8]) -> bool {
    (number.len() <= 10 && !number.iter().any(|byte| b".eE".contains(byte)))
        || std::str::from_utf8(number).is_ok_and(|number| number.parse::<i64>().is_ok())
}

/// A key without its escapes.
pub(crate) fn unescaped(key: &[u8]) -> Cow<'_, str> {
    let key = String::from_utf8_lossy(key);
    match key.contains('\\').then(|| serde_json::from_str(&format!("\"{key}\""))) {
        Some(Ok(key)) => Cow::Owned(key),
        _ => key,
    }
}

/// The line with null in place of these values.
pub(crate) fn without(line: &[u8], odd: &[Odd]) -> Vec<u8> {
    let mut out = Vec::with_capacity(line.len());
    let mut done = 0;
    for Odd { place, .. } in odd {
        out.extend_from_slice(&line[done..place.start]);
        out.extend_from_slice(b"null");
        done = place.end;
    }
    out.extend_from_slice(&line[done..]);
    out
}

#[cfg(test)]
mod tests;
