//! What the records of a file look like: every key with its type, known from record.rs before the first record and widened
//! where a record has more or other. How that is told to a loader is left to the schema and the loaders' files.
//!
//! A loader that guesses types from the first rows loses what comes later, silently; so nothing is guessed here: every
//! record is looked at. Most fit, which is seen in one pass over the bytes ([`Shape::fits`]); only a record that does not
//! is parsed as a whole. Memory: one shape a type, however many records there are.

mod fits;

pub use fits::Seen;

use crate::ndjson::{Object, Walk, repair_surrogates};
use crate::record;
use serde_json::Value;

/// Keys that an object may have before it counts as a map, whose keys are data.
const MOST_FIELDS: usize = 400;

/// Lists and objects within each other before the inner ones are not looked at any more.
const DEEPEST: usize = 16;

/// Above this, 2 to the 53rd, a floating-point number does not hold every integer.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Keys of a record among which are its kind and its type.
const FIRST_KEYS: usize = 3;

/// A value's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// What it is when it is not null.
    pub form: Form,
    /// Whether it may be null.
    pub null: bool,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// Nothing but null was seen, or no element of a list.
    Unknown,
    /// A string.
    Text,
    /// A number of at most 64 bits without a fraction.
    Integer,
    /// Any other number.
    Number,
    /// true or false.
    Boolean,
    /// A list of such values.
    List(Box<Shape>),
    /// An object with these keys, in their order.
    Object(Vec<Field>),
    /// Values of several types, or an object whose keys are data: JSON, and nothing more can be said.
    Any,
}

/// A key of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The key.
    pub name: String,
    /// Its value.
    pub shape: Shape,
    /// Whether every object has it.
    pub required: bool,
    /// The key as it is written before its value.
    written: String,
}

impl Field {
    /// One that every object has.
    fn new(name: &str, shape: Shape) -> Field {
        let written = format!("{}:", Value::from(name));
        Field { name: name.to_owned(), shape, required: true, written }
    }
}

impl Shape {
    const UNKNOWN: Shape = Shape { form: Form::Unknown, null: false };
    const ANY: Shape = Shape { form: Form::Any, null: true };

    /// The shape of a kind's records, as record.rs states it; of an unknown kind nothing is known.
    pub fn of_kind(kind: &str) -> Shape {
        match record::shape_of(kind) {
            Some(fields) => Shape::of_known(&record::Shape { form: record::Form::Object(fields), nullable: false }),
            None => Shape::UNKNOWN,
        }
    }

    fn of_known(known: &record::Shape) -> Shape {
        let form = match known.form {
            record::Form::Text => Form::Text,
            record::Form::Integer => Form::Integer,
            record::Form::Number => Form::Number,
            record::Form::Boolean => Form::Boolean,
            record::Form::List(element) => Form::List(Box::new(Shape::of_known(element))),
            record::Form::Object(fields) => {
                Form::Object(fields.iter().map(|field| Field::new(field.key, Shape::of_known(&field.shape))).collect())
            }
        };
        Shape { form, null: known.nullable }
    }

    /// The keys, if it is an object.
    pub fn fields(&self) -> &[Field] {
        if let Form::Object(fields) = &self.form { fields } else { &[] }
    }

    /// Widens it so that this record fits, a line that holds a JSON object. Whether it had to be.
    pub fn take_in(&mut self, line: &[u8]) -> bool {
        if self.fits(line) {
            return false;
        }
        let Ok(object) = Object::parse(line) else { return false };
        let mut fields: Vec<Field> = Vec::new();
        for (name, value) in object.iter() {
            // Most readers take the last value of a repeated key; a loader may take the first.
            let shape = Shape::of_json(value);
            match fields.iter_mut().find(|field| field.name == name) {
                Some(field) => field.shape.merge(shape),
                None => fields.push(Field::new(name, shape)),
            }
        }
        let before = self.clone();
        self.merge(Shape { form: Form::Object(fields), null: false });
        *self != before
    }

    fn of_json(json: &str) -> Shape {
        let repaired = repair_surrogates(json);
        match serde_json::from_str(repaired.as_deref().unwrap_or(json)) {
            Ok(value) => Shape::of_value(&value, 1),
            // A number that no type holds, or nesting beyond what parsers read.
            Err(_) => Shape::ANY,
        }
    }

    fn of_value(value: &Value, depth: usize) -> Shape {
        let form = match value {
            Value::Null => return Shape { form: Form::Unknown, null: true },
            Value::Bool(_) => Form::Boolean,
            Value::String(_) => Form::Text,
            Value::Number(number) if number.is_i64() => Form::Integer,
            // What a floating-point number may have lost digits of.
            Value::Number(number) if number.as_f64().is_none_or(|number| number.abs() >= EXACT) => Form::Any,
            Value::Number(_) => Form::Number,
            _ if depth > DEEPEST => Form::Any,
            Value::Array(values) => {
                let mut element = Shape::UNKNOWN;
                values.iter().for_each(|value| element.merge(Shape::of_value(value, depth + 1)));
                Form::List(Box::new(element))
            }
            Value::Object(map) if map.len() > MOST_FIELDS => Form::Any,
            Value::Object(map) => Form::Object(
                map.iter().map(|(name, value)| Field::new(name, Shape::of_value(value, depth + 1))).collect(),
            ),
        };
        Shape { form, null: false }
    }

    /// Widens it so that everything fits that fits the other.
    pub fn merge(&mut self, other: Shape) {
        self.null |= other.null;
        match (&mut self.form, other.form) {
            (_, Form::Unknown) => {}
            (form @ Form::Unknown, other) => *form = other,
            (Form::List(element), Form::List(other)) => element.merge(*other),
            (Form::Object(fields), Form::Object(others)) => {
                merge_fields(fields, others);
                if fields.len() > MOST_FIELDS {
                    *self = Shape::ANY;
                }
            }
            (form @ Form::Integer, Form::Number) => *form = Form::Number,
            (Form::Number, Form::Integer) => {}
            (form, other) if *form == other => {}
            _ => *self = Shape::ANY,
        }
    }
}

fn merge_fields(fields: &mut Vec<Field>, mut others: Vec<Field>) {
    for field in fields.iter_mut() {
        match others.iter().position(|other| other.name == field.name) {
            Some(at) => {
                let other = others.remove(at);
                field.required &= other.required;
                field.shape.merge(other.shape);
            }
            None => field.required = false,
        }
    }
    fields.extend(others.into_iter().map(|other| Field { required: false, ..other }));
}

/// What is known of the records of each type: their shape, and the length of the longest line in bytes.
#[derive(Debug, Default)]
pub struct Shapes(Vec<OfType>);

/// Of one type.
#[derive(Clone, Debug)]
pub struct OfType {
    kind: String,
    r#type: String,
    /// The shape that all of its records have.
    pub shape: Shape,
    /// Bytes of its longest record.
    pub longest: usize,
}

impl Shapes {
    /// That of a type; as record.rs has it where no record has been seen.
    pub fn of(&mut self, kind: &str, r#type: &str) -> &mut OfType {
        let found = self.0.iter().position(|of| of.r#type == r#type && of.kind == kind);
        let at = found.unwrap_or_else(|| {
            let [kind, r#type] = [kind, r#type].map(str::to_owned);
            self.0.push(OfType { shape: Shape::of_kind(&kind), longest: 0, kind, r#type });
            self.0.len() - 1
        });
        &mut self.0[at]
    }

    /// The shape of the type that this line says it is of, in its first keys; none if no record of it was taken in.
    pub fn of_line(&self, line: &[u8]) -> Option<&Shape> {
        let (kind, r#type) = kind_and_type(line)?;
        let of = self.0.iter().find(|of| of.r#type.as_bytes() == r#type && of.kind.as_bytes() == kind)?;
        Some(&of.shape)
    }

    /// Takes in a record, of which it may be known already that it `fits`; what became wider or longer by it is put into
    /// `news`.
    pub fn take_in(&mut self, line: &[u8], fits: bool, (kind, r#type): (&str, &str), news: &mut Shapes) {
        let known = self.of(kind, r#type);
        let wider = !fits && known.shape.take_in(line);
        if wider || line.len() > known.longest {
            known.longest = known.longest.max(line.len());
            *news.of(kind, r#type) = known.clone();
        }
    }

    /// Takes in, and empties, what others have seen of the records that follow.
    pub fn absorb(&mut self, news: &mut Shapes) {
        for new in news.0.drain(..) {
            let known = self.of(&new.kind, &new.r#type);
            known.longest = known.longest.max(new.longest);
            known.shape.merge(new.shape);
        }
    }
}

/// The strings `kind` and `type` of a line that has them among its first keys, as stages write them.
fn kind_and_type(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let (mut kind, mut r#type) = (None, None);
    let mut walk = Walk::new(line);
    walk.open(b'{')?;
    for _ in 0..FIRST_KEYS {
        let key = walk.key()??;
        let value = line[walk.value()?].strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\""));
        match key {
            b"kind" => kind = value,
            b"type" => r#type = value,
            _ => {}
        }
    }
    Some((kind?, r#type?))
}

#[cfg(test)]
mod tests;
