//! Reads PHP's JSON as it really is, and lines that users have changed: instead of its proper type, any value may be null, false, [], a
//! string or an object. No value is an error: a value that cannot be used counts as missing, and is reported as odd unless it is empty.

use crate::ndjson::Str;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

/// A value that is neither a list nor an object.
pub(crate) enum Scalar<'a> {
    /// null.
    Null,
    /// true or false.
    Boolean(bool),
    /// A number of at most 64 bits, with a sign or without.
    Integer(i128),
    /// Any other number.
    Float(f64),
    /// A string.
    Text(Str<'a>),
}

impl Scalar<'_> {
    /// Whether the value is not empty: it holds something that is lost if it cannot be used.
    pub(crate) fn holds(&self) -> bool {
        match self {
            Scalar::Null => false,
            Scalar::Boolean(yes) => *yes,
            Scalar::Integer(_) | Scalar::Float(_) => true,
            Scalar::Text(text) => !text.trim().is_empty(),
        }
    }
}

/// A type that takes any JSON value.
pub(crate) trait Loose<'a>: Sized {
    /// The result for a value that cannot be used. If it is `None`, a list leaves out such elements.
    fn nothing() -> Option<Self> {
        None
    }

    /// Reads a scalar. If it cannot be used, the error says whether it holds something.
    fn of(scalar: Scalar<'a>) -> Result<Self, bool> {
        Err(scalar.holds())
    }

    /// Reads a list.
    ///
    /// # Errors
    /// When the JSON is broken.
    fn of_list<A: SeqAccess<'a>>(mut list: A, odd: &Cell<bool>) -> Result<Option<Self>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {
            odd.set(true);
        }
        Ok(Self::nothing())
    }

    /// Reads an object as this type.
    ///
    /// # Errors
    /// When the JSON is broken.
    fn of_object<A: MapAccess<'a>>(mut map: A, odd: &Cell<bool>) -> Result<Option<Self>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
            odd.set(true);
        }
        Ok(Self::nothing())
    }
}

/// Reads one value, and notes whether something in it is odd.
struct Loosely<'o, T>(&'o Cell<bool>, PhantomData<T>);

impl<'a, T: Loose<'a>> DeserializeSeed<'a> for Loosely<'_, T> {
    type Value = Option<T>;
    fn deserialize<D: Deserializer<'a>>(self, from: D) -> Result<Option<T>, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'a, T: Loose<'a>> Loosely<'_, T> {
    fn scalar<E>(self, scalar: Scalar<'a>) -> Result<Option<T>, E> {
        Ok(T::of(scalar).map_or_else(
            |holds| {
                self.0.set(self.0.get() || holds);
                T::nothing()
            },
            Some,
        ))
    }
}

impl<'a, T: Loose<'a>> Visitor<'a> for Loosely<'_, T> {
    type Value = Option<T>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }
    fn visit_unit<E>(self) -> Result<Option<T>, E> {
        self.scalar(Scalar::Null)
    }
    fn visit_bool<E>(self, yes: bool) -> Result<Option<T>, E> {
        self.scalar(Scalar::Boolean(yes))
    }
    fn visit_i64<E>(self, number: i64) -> Result<Option<T>, E> {
        self.scalar(Scalar::Integer(number.into()))
    }
    fn visit_u64<E>(self, number: u64) -> Result<Option<T>, E> {
        self.scalar(Scalar::Integer(number.into()))
    }
    fn visit_f64<E>(self, number: f64) -> Result<Option<T>, E> {
        self.scalar(Scalar::Float(number))
    }
    fn visit_borrowed_str<E>(self, text: &'a str) -> Result<Option<T>, E> {
        self.scalar(Scalar::Text(text.into()))
    }
    fn visit_str<E>(self, text: &str) -> Result<Option<T>, E> {
        self.scalar(Scalar::Text(text.to_owned().into()))
    }
    fn visit_seq<A: SeqAccess<'a>>(self, list: A) -> Result<Option<T>, A::Error> {
        T::of_list(list, self.0)
    }
    fn visit_map<A: MapAccess<'a>>(self, map: A) -> Result<Option<T>, A::Error> {
        T::of_object(map, self.0)
    }
}

/// The next value of an object.
///
/// # Errors
/// When the JSON is broken.
pub(crate) fn next_loose<'a, T: Loose<'a> + Default, A: MapAccess<'a>>(
    map: &mut A,
    odd: &Cell<bool>,
) -> Result<T, A::Error> {
    map.next_value_seed(Loosely::<T>(odd, PhantomData)).map(Option::unwrap_or_default)
}

/// Reads a value that is known to be JSON.
pub(crate) fn loose<'a, T: Loose<'a>>(json: &'a str) -> Option<T> {
    Loosely(&Cell::default(), PhantomData).deserialize(&mut serde_json::Deserializer::from_str(json)).ok()?
}

/// Takes a string, or the digits of a number.
impl<'a> Loose<'a> for Str<'a> {
    fn of(scalar: Scalar<'a>) -> Result<Self, bool> {
        match scalar {
            Scalar::Text(text) => Ok(text),
            Scalar::Integer(number) => Ok(number.to_string().into()),
            Scalar::Float(number) => Ok(number.to_string().into()),
            other => Err(other.holds()),
        }
    }
}

/// Takes a JSON integer, a whole float, or a string of digits, within 64 bits.
impl<'a> Loose<'a> for i64 {
    fn of(scalar: Scalar<'a>) -> Result<Self, bool> {
        match &scalar {
            Scalar::Integer(number) => i64::try_from(*number).ok(),
            // Above 2^53, a float does not determine the integer.
            Scalar::Float(number) if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 => {
                Some(*number as i64)
            }
            Scalar::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
        .ok_or_else(|| scalar.holds())
    }
}

/// Takes any JSON number, or a string with one.
impl<'a> Loose<'a> for f64 {
    fn of(scalar: Scalar<'a>) -> Result<Self, bool> {
        match &scalar {
            Scalar::Integer(number) => Some(*number as f64),
            Scalar::Float(number) => Some(*number),
            Scalar::Text(text) => text.trim().parse().ok().filter(|n: &f64| n.is_finite()),
            _ => None,
        }
        .ok_or_else(|| scalar.holds())
    }
}

/// Takes true and false, or PHP's 0, 1, "0", "1", "". A word such as "no" is neither.
impl<'a> Loose<'a> for bool {
    fn of(scalar: Scalar<'a>) -> Result<Self, bool> {
        match scalar {
            Scalar::Boolean(yes) => Ok(yes),
            Scalar::Integer(number) => Ok(number != 0),
            Scalar::Float(number) => Ok(number != 0.0),
            Scalar::Text(text) if matches!(&*text, "" | "0" | "false") => Ok(false),
            Scalar::Text(text) if matches!(&*text, "1" | "true") => Ok(true),
            other => Err(!matches!(other, Scalar::Null)),
        }
    }
}

/// Becomes `None` for a value that cannot be used.
impl<'a, T: Loose<'a>> Loose<'a> for Option<T> {
    fn nothing() -> Option<Self> {
        Some(T::nothing())
    }
    fn of(scalar: Scalar<'a>) -> Result<Self, bool> {
        T::of(scalar).map(Some)
    }
    fn of_list<A: SeqAccess<'a>>(list: A, odd: &Cell<bool>) -> Result<Option<Self>, A::Error> {
        T::of_list(list, odd).map(Some)
    }
    fn of_object<A: MapAccess<'a>>(map: A, odd: &Cell<bool>) -> Result<Option<Self>, A::Error> {
        T::of_object(map, odd).map(Some)
    }
}

/// Takes a list, also as an object with numeric keys, as PHP may write it; false and null are empty.
impl<'a, T: Loose<'a>> Loose<'a> for Vec<T> {
    fn nothing() -> Option<Self> {
        Some(Vec::new())
    }
    fn of_list<A: SeqAccess<'a>>(mut list: A, odd: &Cell<bool>) -> Result<Option<Self>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(Loosely::<T>(odd, PhantomData))? {
            items.extend(item);
        }
        Ok(Some(items))
    }
    fn of_object<A: MapAccess<'a>>(map: A, odd: &Cell<bool>) -> Result<Option<Self>, A::Error> {
        let entries = Entries::of_object(map, odd)?.unwrap_or_default();
        Ok(Some(entries.0.into_iter().map(|(_, item)| item).collect()))
    }
}

/// An object as its keys and values in order; empty for anything else.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entries<'a, T>(pub Vec<(Str<'a>, T)>);

impl<T> Default for Entries<'_, T> {
    fn default() -> Self {
        Entries(Vec::new())
    }
}

impl<'a, T: Loose<'a>> Loose<'a> for Entries<'a, T> {
    fn nothing() -> Option<Self> {
        Some(Entries::default())
    }
    fn of_object<A: MapAccess<'a>>(mut map: A, odd: &Cell<bool>) -> Result<Option<Self>, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = map.next_key()? {
            let value = map.next_value_seed(Loosely::<T>(odd, PhantomData))?;
            entries.extend(value.map(|value| (key, value)));
        }
        Ok(Some(Entries(entries)))
    }
}

/// A struct of some keys of an object.
pub(crate) trait LooseFields<'a>: Default {
    /// Takes the value of a key; false if it does not have that key.
    ///
    /// # Errors
    /// When the JSON is broken.
    fn take_loose<A: MapAccess<'a>>(&mut self, key: &Str<'a>, map: &mut A, odd: &Cell<bool>) -> Result<bool, A::Error>;

    /// Notes that something in the value of a key is odd.
    fn note(&mut self, _key: &Str<'a>) {}

    /// Reads an object.
    ///
    /// # Errors
    /// When the JSON is broken.
    fn read_loose<A: MapAccess<'a>>(mut map: A, odd: &Cell<bool>) -> Result<Self, A::Error> {
        let (mut object, within) = (Self::default(), Cell::default());
        while let Some(key) = map.next_key::<Str<'a>>()? {
            if !object.take_loose(&key, &mut map, &within)? {
                map.next_value::<IgnoredAny>()?;
            }
            if within.take() {
                odd.set(true);
                object.note(&key);
            }
        }
        Ok(object)
    }
}

/// Takes an object; anything else is empty.
impl<'a, T: LooseFields<'a>> Loose<'a> for T {
    fn nothing() -> Option<Self> {
        Some(T::default())
    }
    fn of_object<A: MapAccess<'a>>(map: A, odd: &Cell<bool>) -> Result<Option<Self>, A::Error> {
        T::read_loose(map, odd).map(Some)
    }
}

/// Takes the fields of both structs.
impl<'a, T: LooseFields<'a>, U: LooseFields<'a>> LooseFields<'a> for (T, U) {
    fn take_loose<A: MapAccess<'a>>(&mut self, key: &Str<'a>, map: &mut A, odd: &Cell<bool>) -> Result<bool, A::Error> {
        Ok(self.0.take_loose(key, map, odd)? || self.1.take_loose(key, map, odd)?)
    }
}

/// A line that is an object, read loosely.
pub(crate) struct LooseLine<T>(pub T);

impl<'de, T: LooseFields<'de>> Deserialize<'de> for LooseLine<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Object<T>(PhantomData<T>);
        impl<'de, T: LooseFields<'de>> Visitor<'de> for Object<T> {
            type Value = T;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }
            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<T, M::Error> {
                T::read_loose(map, &Cell::default())
            }
        }
        from.deserialize_map(Object(PhantomData)).map(LooseLine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Same;

    fn from<'a, T: Loose<'a> + Default>(json: &'a str) -> T {
        loose(json).unwrap_or_default()
    }

    fn is_odd<'a, T: Loose<'a>>(json: &'a str) -> bool {
        let odd = Cell::default();
        let _: Option<T> =
            Loosely(&odd, PhantomData).deserialize(&mut serde_json::Deserializer::from_str(json)).unwrap();
        odd.get()
    }

    #[test]
    fn every_type_takes_every_json_value() {
        for json in [
            "null",
            "true",
            "false",
            "0",
            "-1",
            "1.5",
            "1e300",
            "18446744073709551615",
            "\"\"",
            "\"a\\n\"",
            "[]",
            "[1,[2]]",
            "{}",
            "{\"a\":{\"b\":[]}}",
        ] {
            is_odd::<Str<'_>>(json);
            is_odd::<i64>(json);
            is_odd::<f64>(json);
            is_odd::<bool>(json);
            is_odd::<Same<'_>>(json);
            is_odd::<Vec<i64>>(json);
            is_odd::<Entries<'_, Str<'_>>>(json);
        }
    }

    #[test]
    fn a_value_that_cannot_be_used_is_odd_unless_it_is_empty() {
        for empty in ["null", "false", "\"\"", "[]", "{}"] {
            assert!(!is_odd::<Str<'_>>(empty) && !is_odd::<i64>(empty) && !is_odd::<f64>(empty), "{empty}");
            assert!(!is_odd::<bool>(empty) && !is_odd::<Same<'_>>(empty) && !is_odd::<Vec<i64>>(empty), "{empty}");
            assert!(!is_odd::<Entries<'_, i64>>(empty), "{empty}");
        }
        assert!(is_odd::<Str<'_>>("true") && is_odd::<Str<'_>>("[\"a\"]") && is_odd::<Str<'_>>("{\"a\":1}"));
        assert!(is_odd::<i64>("{\"id\":1}") && is_odd::<i64>("1.5") && is_odd::<i64>("\"x\""));
        assert!(is_odd::<i64>("18446744073709551615") && is_odd::<f64>("\"x\""));
        assert!(is_odd::<bool>("\"no\"") && !is_odd::<bool>("\"0\""));
        assert!(is_odd::<Vec<i64>>("[1,{\"id\":2}]") && is_odd::<Vec<i64>>("\"a,b\""));
        assert!(!is_odd::<Vec<i64>>("{\"0\":\"4\"}") && is_odd::<Same<'_>>("{\"id\":[4]}"));
        assert_eq!(from::<Option<bool>>("\"no\""), None);
    }

    #[test]
    fn php_habits_are_normalised() {
        assert_eq!(from::<Vec<i64>>("{\"0\":3,\"2\":\"4\"}"), [3, 4]);
        assert_eq!(from::<Vec<i64>>("false"), [0; 0]);
        assert_eq!(from::<Option<i64>>("12.0"), Some(12));
        assert_eq!(from::<Option<i64>>("12.5"), None);
        assert_eq!(from::<Option<i64>>("123456789012345678901234567890"), None);
        assert_eq!(from::<Option<bool>>("\"1\""), Some(true));
        assert_eq!(from::<Str<'_>>("2024").as_str(), "2024");
        assert_eq!(from::<Vec<Str<'_>>>("[\"a\",null,{},2]"), ["a".into(), "2".into()]);
        let one = Same { r#type: None, id: Some(1) };
        assert_eq!(from::<Vec<Same<'_>>>("[null,{\"id\":\"0\",\"id\":\"1\"}]"), [Same::default(), one]);
    }
}
