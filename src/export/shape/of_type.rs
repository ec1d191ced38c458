//! The shape of a Rust type, found by deserializing it from nothing and noting what it asks for: so record.rs is the only
//! place where records are described. How shapes are widened is the business of the module above.

use super::{Field, Form, Shape};
use serde::de::value::StrDeserializer;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use std::fmt;

/// The shape of a type that is made of structs, `Option`, `Vec`, strings, `i64`, `f64` and `bool`.
pub(super) fn shape_of<'de, T: Deserialize<'de>>() -> Shape {
    let mut shape = Shape::UNKNOWN;
    T::deserialize(Asked(&mut shape)).map(drop).expect("records are made of the types below");
    shape
}

/// Notes what is asked for, and gives some such value.
struct Asked<'s>(&'s mut Shape);

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = Unknown;

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unknown> {
        self.0.null = true;
        visitor.visit_some(self)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unknown> {
        self.0.form = Form::Text;
        visitor.visit_borrowed_str("")
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unknown> {
        self.0.form = Form::Integer;
        visitor.visit_i64(0)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unknown> {
        self.0.form = Form::Number;
        visitor.visit_f64(0.0)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unknown> {
        self.0.form = Form::Boolean;
        visitor.visit_bool(false)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unknown> {
        let mut element = Shape::UNKNOWN;
        let value = visitor.visit_seq(One(Some(&mut element)));
        self.0.form = Form::List(Box::new(element));
        value
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unknown> {
        let mut fields = Vec::with_capacity(names.len());
        let value = visitor.visit_map(Each { names: names.iter(), fields: &mut fields });
        self.0.form = Form::Object(fields);
        value
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Unknown> {
        Err(Unknown)
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i128 u8 u16 u32 u64 u128 f32 char string bytes byte_buf unit unit_struct newtype_struct tuple
        tuple_struct map enum identifier ignored_any
    }
}

/// A list of one.
struct One<'s>(Option<&'s mut Shape>);

impl<'de> SeqAccess<'de> for One<'_> {
    type Error = Unknown;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Unknown> {
        self.0.take().map(|shape| seed.deserialize(Asked(shape))).transpose()
    }
}

/// All keys of a struct.
struct Each<'s> {
    names: std::slice::Iter<'static, &'static str>,
    fields: &'s mut Vec<Field>,
}

impl<'de> MapAccess<'de> for Each<'_> {
    type Error = Unknown;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Unknown> {
        let Some(&name) = self.names.next() else { return Ok(None) };
        self.fields.push(Field::new(name, Shape::UNKNOWN));
        seed.deserialize(StrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Unknown> {
        let field = self.fields.last_mut().expect("a value follows its key");
        seed.deserialize(Asked(&mut field.shape))
    }
}

/// A type that has no shape.
#[derive(Debug)]
struct Unknown;

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a type that records are not made of")
    }
}

impl std::error::Error for Unknown {}

impl de::Error for Unknown {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Unknown
    }
}
