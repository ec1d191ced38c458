//! Declares the structs of records once: readers, writers and shapes follow from the declaration.

use crate::ndjson::{Str, Walk, from_str};
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::de::{Read, StrRead};
use std::fmt;
use std::marker::PhantomData;

/// A key of an object and the values it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The key.
    pub key: &'static str,
    /// Its value.
    pub shape: Shape,
}

/// The values that a field may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// What they are where they are not null.
    pub form: Form,
    /// Whether they may be null.
    pub nullable: bool,
}

/// What a value is that is not null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A string.
    Text,
    /// A number of at most 64 bits without a fraction.
    Integer,
    /// A number.
    Number,
    /// true or false.
    Boolean,
    /// A list of such values.
    List(&'static Shape),
    /// An object with these keys, in this order.
    Object(&'static [Field]),
}

/// A type of which the fields below are made.
pub(crate) trait Shaped {
    /// What it is in JSON.
    const SHAPE: Shape;
}

macro_rules! scalars {
    ($($type:ty => $form:ident,)*) => { $(
        impl Shaped for $type {
            const SHAPE: Shape = Shape { form: Form::$form, nullable: false };
        }
    )* };
}
scalars! { Str<'_> => Text, i64 => Integer, f64 => Number, bool => Boolean, }

impl<T: Shaped> Shaped for Option<T> {
    const SHAPE: Shape = Shape { nullable: true, ..T::SHAPE };
}

impl<T: Shaped> Shaped for Vec<T> {
    const SHAPE: Shape = Shape { form: Form::List(&T::SHAPE), nullable: false };
}

/// The key of a field: its name without the mark of a raw identifier.
pub(crate) const fn key_of(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [b'r', b'#', ..] => name.split_at(2).1,
        _ => name,
    }
}

/// A struct of some keys of an object.
pub(crate) trait Fields<'a>: Default {
    /// Takes the value of a key; false if it does not have that key.
    ///
    /// # Errors
    /// When the value is not of the field's type.
    fn take<M: MapAccess<'a>>(&mut self, key: &str, map: &mut M) -> Result<bool, M::Error>;
}

/// Takes the value of a key, given as JSON, as [`read_fields`] takes it from its object.
///
/// # Errors
/// When the value is not of the field's type.
pub(crate) fn take_json<'a, R: Read<'a>>(fields: &mut impl Fields<'a>, key: &str, json: R) -> serde_json::Result<bool> {
    struct Value<R>(Option<R>);
    impl<'a, R: Read<'a>> MapAccess<'a> for Value<R> {
        type Error = serde_json::Error;
        fn next_key_seed<K: DeserializeSeed<'a>>(&mut self, _: K) -> serde_json::Result<Option<K::Value>> {
            Ok(None)
        }
        fn next_value_seed<V: DeserializeSeed<'a>>(&mut self, seed: V) -> serde_json::Result<V::Value> {
            let json = self.0.take().ok_or_else(|| serde_json::Error::custom("a value is taken once"))?;
            seed.deserialize(&mut serde_json::Deserializer::new(json))
        }
    }
    fields.take(key, &mut Value(Some(json)))
}

/// Reads an object from JSON. A walk passes the values that it does not want, in less time than serde_json.
///
/// # Errors
/// When it is not an object, or a value is not of its field's type.
pub(crate) fn read_object<'a, T: Fields<'a> + Deserialize<'a>>(json: &'a str) -> serde_json::Result<T> {
    let by_walk = || {
        let (mut fields, mut walk) = (T::default(), Walk::new(json.as_bytes()));
        walk.open(b'{')?;
        while let Some(key) = walk.key_place()?.map(|place| (!walk.is_escaped(&place)).then_some(place)) {
            let (key, value) = (&json[key?], &json[walk.value()?]);
            take_json(&mut fields, key, StrRead::new(value)).ok()?;
        }
        walk.end().map(|()| fields)
    };
    by_walk().map_or_else(|| from_str(json), Ok)
}

/// Reads an object as the module says.
///
/// # Errors
/// When it is not an object, or a value is not of its field's type.
pub(crate) fn read_fields<'de, T: Fields<'de>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    struct Object<T>(PhantomData<T>);
    impl<'de, T: Fields<'de>> Visitor<'de> for Object<T> {
        type Value = T;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<T, M::Error> {
            let mut fields = T::default();
            while let Some(key) = map.next_key::<Str<'de>>()? {
                if !fields.take(&key, &mut map)? {
                    map.next_value::<IgnoredAny>()?;
                }
            }
            Ok(fields)
        }
    }
    from.deserialize_map(Object(PhantomData))
}

/// Declares structs with some keys of an object, each once: `struct` is read as the module says, `loose` as [`mod@super::loose`] does,
/// `record` in both ways; it is also written, and has its [`Shape`]. A key that is not the name of its field stands after a
/// field; `..rest, odd` keeps all other keys, raw and in order, and the names of those in which something is odd.
macro_rules! fields {
    ($($(#[$about:meta])* $vis:vis struct $name:ident<'a> {
        $($(#[$doc:meta])* $of:vis $field:ident: $type:ty,)*
    })*) => { $(
        $(#[$about])*
        #[derive(Debug, Default)]
        $vis struct $name<'a> {
            $($(#[$doc])* $of $field: $type,)*
        }

        impl<'a> $crate::record::Fields<'a> for $name<'a> {
            fn take<M: serde::de::MapAccess<'a>>(&mut self, key: &str, map: &mut M) -> Result<bool, M::Error> {
                $(if key == const { $crate::record::key_of(stringify!($field)) } {
                    self.$field = map.next_value::<Option<_>>()?.unwrap_or_default();
                    return Ok(true);
                })*
                Ok(false)
            }
        }

        impl<'de: 'a, 'a> serde::Deserialize<'de> for $name<'a> {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::record::read_fields(deserializer)
            }
        }
    )* };
    ($($(#[$about:meta])* $vis:vis record $name:ident { $($(#[$doc:meta])* $field:ident: $type:ty,)* })*) => { $(
        $crate::record::fields! {
            $(#[$about])*
            #[derive(Clone, PartialEq, serde::Serialize)]
            $vis struct $name<'a> {
                $($(#[$doc])* $vis $field: $type,)*
            }
        }
        $crate::record::fields! { @loose $name $($field)* }

        impl<'a> $crate::record::Shaped for $name<'a> {
            const SHAPE: $crate::record::Shape = $crate::record::Shape {
                form: $crate::record::Form::Object(&[$($crate::record::Field {
                    key: $crate::record::key_of(stringify!($field)),
                    shape: <$type as $crate::record::Shaped>::SHAPE,
                }),*]),
                nullable: false,
            };
        }
    )* };
    ($($(#[$about:meta])* $vis:vis loose $name:ident {
        $($(#[$doc:meta])* $field:ident $($key:literal)?: $type:ty,)* $(..$rest:ident, $odd:ident)?
    })*) => { $(
        $(#[$about])*
        #[derive(Debug, Default)]
        $vis struct $name<'a> {
            $($(#[$doc])* $vis $field: $type,)*
            $(
                $vis $rest: Vec<($crate::ndjson::Str<'a>, &'a serde_json::value::RawValue)>,
                $vis $odd: Vec<$crate::ndjson::Str<'a>>,
            )?
        }
        $crate::record::fields! { @loose $name $($field $($key)?)* $(.. $rest $odd)? }
    )* };
    (@loose $name:ident $($field:ident $($key:literal)?)* $(.. $rest:ident $odd:ident)?) => {
        impl<'a> $crate::record::LooseFields<'a> for $name<'a> {
            #[allow(unused_variables, unreachable_code, reason = "with `rest` all keys are taken, without fields none is read")]
            fn take_loose<M: serde::de::MapAccess<'a>>(
                &mut self,
                key: &$crate::ndjson::Str<'a>,
                map: &mut M,
                odd: &std::cell::Cell<bool>,
            ) -> Result<bool, M::Error> {
                $(if key.as_str() == $crate::record::fields!(@key $field $($key)?) {
                    self.$field = $crate::record::next_loose(map, odd)?;
                    return Ok(true);
                })*
                $(
                    self.$rest.push((key.clone(), map.next_value()?));
                    return Ok(true);
                )?
                Ok(false)
            }
            $(
                fn note(&mut self, key: &$crate::ndjson::Str<'a>) {
                    self.$odd.push(key.clone());
                }
            )?
        }
    };
    (@key $field:ident $key:literal) => { $key };
    (@key $field:ident) => { const { $crate::record::key_of(stringify!($field)) } };
}
pub(crate) use fields;
