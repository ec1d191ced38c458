//! Declares the structs of records once: readers, writers and shapes follow from the declaration.

use crate::ndjson::Str;
use serde::Deserializer;
use serde::de::{IgnoredAny, MapAccess, Visitor};
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

/// Structs that are read as the module says.
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
}
pub(crate) use fields;

/// Structs that are written and read as the module says, with their [`Shape`].
macro_rules! shaped {
    ($($(#[$about:meta])* $vis:vis $name:ident { $($(#[$doc:meta])* $field:ident: $type:ty,)* })*) => { $(
        $crate::record::fields! {
            $(#[$about])*
            #[derive(Clone, PartialEq, serde::Serialize)]
            $vis struct $name<'a> {
                $($(#[$doc])* $vis $field: $type,)*
            }
        }

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
}
pub(crate) use shaped;
