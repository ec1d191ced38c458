//! Reads PHP's JSON, in which any field may be null, false, [], a string or an object instead of its proper type. Each type
//! here accepts any JSON value and keeps the parts that it can use; no value is an error. A value that is not empty but
//! cannot be used is noted, for [`FromObject::odd`].

use crate::ndjson::Str;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::cell::Cell;
use std::fmt;

thread_local! {
    /// Whether a value that is not empty was ignored. It is not a field, because shapes contain shapes, and none has a place
    /// for it.
    static ODD: Cell<bool> = const { Cell::new(false) };
}

/// The default for a value that cannot be used; the value is odd if it is not empty (`holds`).
fn nothing<T: Default>(holds: bool) -> T {
    if holds {
        ODD.set(true);
    }
    T::default()
}

/// Reads the next value of an object, and whether a part of it is odd.
pub(crate) fn watched<'de, T: Deserialize<'de>, A: MapAccess<'de>>(map: &mut A) -> Result<(T, bool), A::Error> {
    let before = ODD.replace(false);
    let value = map.next_value();
    let is_odd = ODD.get();
    ODD.set(before || is_odd);
    Ok((value?, is_odd))
}

/// The visitor methods for the kinds of JSON that a shape ignores.
macro_rules! ignore {
    ($($kind:ident)*) => {
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("any JSON value")
        }
        $(ignore!(@ $kind);)*
    };
    (@ null) => {
        fn visit_unit<E>(self) -> Result<Self::Value, E> { Ok(Default::default()) }
    };
    (@ boolean) => {
        fn visit_bool<E>(self, yes: bool) -> Result<Self::Value, E> { Ok(nothing(yes)) }
    };
    (@ number) => {
        fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> { Ok(nothing(true)) }
        fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> { Ok(nothing(true)) }
        fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> { Ok(nothing(true)) }
    };
    (@ string) => {
        fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> { Ok(nothing(!text.trim().is_empty())) }
    };
    (@ list) => {
        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut holds = false;
            while list.next_element::<IgnoredAny>()?.is_some() {
                holds = true;
            }
            Ok(nothing(holds))
        }
    };
    (@ object) => {
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut holds = false;
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
                holds = true;
            }
            Ok(nothing(holds))
        }
    };
}

/// `Deserialize` for a shape through a visitor that accepts anything.
macro_rules! shape {
    ($name:ident $(<$life:lifetime>)?, $visitor:ident) => {
        impl<'de $(: $life, $life)?> Deserialize<'de> for $name $(<$life>)? {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any($visitor)
            }
        }
    };
}

/// A text: a string, or a number as its digits.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Text<'a>(pub Option<Str<'a>>);
struct TextVisitor;
shape!(Text<'a>, TextVisitor);

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text(Some(text.into())))
    }
    fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text(Some(text.to_owned().into())))
    }
    fn visit_i64<E>(self, number: i64) -> Result<Text<'de>, E> {
        Ok(Text(Some(number.to_string().into())))
    }
    fn visit_u64<E>(self, number: u64) -> Result<Text<'de>, E> {
        Ok(Text(Some(number.to_string().into())))
    }
    fn visit_f64<E>(self, number: f64) -> Result<Text<'de>, E> {
        Ok(Text(Some(number.to_string().into())))
    }
    ignore!(null boolean list object);
}

/// An integer: a JSON integer, a whole float, or a string of digits, within 64 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Int(pub Option<i64>);
struct IntVisitor;
shape!(Int, IntVisitor);

impl<'de> Visitor<'de> for IntVisitor {
    type Value = Int;
    fn visit_i64<E>(self, number: i64) -> Result<Int, E> {
        Ok(Int(Some(number)))
    }
    fn visit_u64<E>(self, number: u64) -> Result<Int, E> {
        Ok(Int(i64::try_from(number).ok().or_else(|| nothing(true))))
    }
    fn visit_f64<E>(self, number: f64) -> Result<Int, E> {
        // Above 2^53, a float does not determine the integer.
        let whole = number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0;
        Ok(Int(whole.then_some(number as i64).or_else(|| nothing(true))))
    }
    fn visit_str<E>(self, text: &str) -> Result<Int, E> {
        let text = text.trim();
        Ok(Int(text.parse().ok().or_else(|| nothing(!text.is_empty()))))
    }
    ignore!(null boolean list object);
}

/// A number: any JSON number, or a string with one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Number(pub Option<f64>);
struct NumberVisitor;
shape!(Number, NumberVisitor);

impl<'de> Visitor<'de> for NumberVisitor {
    type Value = Number;
    fn visit_i64<E>(self, number: i64) -> Result<Number, E> {
        Ok(Number(Some(number as f64)))
    }
    fn visit_u64<E>(self, number: u64) -> Result<Number, E> {
        Ok(Number(Some(number as f64)))
    }
    fn visit_f64<E>(self, number: f64) -> Result<Number, E> {
        Ok(Number(Some(number)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Number, E> {
        let text = text.trim();
        let number = text.parse().ok().filter(|n: &f64| n.is_finite());
        Ok(Number(number.or_else(|| nothing(!text.is_empty()))))
    }
    ignore!(null boolean list object);
}

/// A boolean: true and false, or PHP's 0, 1, "0", "1", "". A word such as "no" is neither.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Flag(pub Option<bool>);
struct FlagVisitor;
shape!(Flag, FlagVisitor);

impl<'de> Visitor<'de> for FlagVisitor {
    type Value = Flag;
    fn visit_bool<E>(self, yes: bool) -> Result<Flag, E> {
        Ok(Flag(Some(yes)))
    }
    fn visit_i64<E>(self, number: i64) -> Result<Flag, E> {
        Ok(Flag(Some(number != 0)))
    }
    fn visit_u64<E>(self, number: u64) -> Result<Flag, E> {
        Ok(Flag(Some(number != 0)))
    }
    fn visit_f64<E>(self, number: f64) -> Result<Flag, E> {
        Ok(Flag(Some(number != 0.0)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Flag, E> {
        Ok(Flag(match text {
            "" | "0" | "false" => Some(false),
            "1" | "true" => Some(true),
            _ => nothing(true),
        }))
    }
    ignore!(null list object);
}

/// HTML: `{"rendered": …, "protected": …}`, or the bare string in old and reduced dumps.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Markup<'a> {
    /// The HTML.
    pub(crate) rendered: Option<Str<'a>>,
    /// Whether it is protected by a password.
    pub(crate) protected: Option<bool>,
}
struct MarkupVisitor;
shape!(Markup<'a>, MarkupVisitor);

impl<'de> Visitor<'de> for MarkupVisitor {
    type Value = Markup<'de>;
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Markup<'de>, E> {
        Ok(Markup { rendered: Some(text.into()), protected: None })
    }
    fn visit_str<E>(self, text: &str) -> Result<Markup<'de>, E> {
        Ok(Markup { rendered: Some(text.to_owned().into()), protected: None })
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Markup<'de>, A::Error> {
        let mut markup = Markup::default();
        let (mut is_rendered, mut holds) = (false, false);
        while let Some(key) = map.next_key::<Str<'de>>()? {
            match key.as_str() {
                "rendered" => {
                    is_rendered = true;
                    markup.rendered = map.next_value::<Text<'de>>()?.0;
                }
                "protected" => markup.protected = map.next_value::<Flag>()?.0,
                _ => {
                    holds = true;
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        // An object with only `raw`, for example, as in a dump for editing from which `rendered` was removed.
        if is_rendered { Ok(markup) } else { Ok(Markup { protected: markup.protected, ..nothing(holds) }) }
    }
    ignore!(null boolean number list);
}

/// A list of `T`. PHP may write it as an object with numeric keys; false and null are empty.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct List<T>(pub Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        List(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ListVisitor(std::marker::PhantomData))
    }
}

struct ListVisitor<T>(std::marker::PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
    type Value = List<T>;
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<List<T>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(List(items))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<List<T>, A::Error> {
        let mut items = Vec::new();
        while let Some((_, item)) = map.next_entry::<IgnoredAny, T>()? {
            items.push(item);
        }
        Ok(List(items))
    }
    ignore!(null boolean number string);
}

impl List<Int> {
    /// The integers in it.
    pub(crate) fn ids(self) -> Vec<i64> {
        self.0.into_iter().filter_map(|id| id.0).collect()
    }
}

/// An object as a list of its keys and values, in order; empty for anything else.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entries<'a, T>(pub Vec<(Str<'a>, T)>);

impl<T> Default for Entries<'_, T> {
    fn default() -> Self {
        Entries(Vec::new())
    }
}

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Entries<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EntriesVisitor(std::marker::PhantomData))
    }
}

struct EntriesVisitor<T>(std::marker::PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for EntriesVisitor<T> {
    type Value = Entries<'de, T>;
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de, T>, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Entries(entries))
    }
    ignore!(null boolean number string list);
}

/// A `T` if the JSON is an object, otherwise its default.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Maybe<T>(pub T);

impl<'de, T: FromObject<'de>> Deserialize<'de> for Maybe<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MaybeVisitor(std::marker::PhantomData)).map(Maybe)
    }
}

/// A struct that reads the fields that it knows from an object.
pub(crate) trait FromObject<'de>: Default {
    /// Reads the value of `key`, which must be consumed.
    ///
    /// # Errors
    /// If the JSON is broken.
    fn take<A: MapAccess<'de>>(&mut self, key: Str<'de>, map: &mut A) -> Result<(), A::Error>;

    /// Notes that a part of the value of `key` was ignored because it cannot be used.
    fn odd(&mut self, _key: &'static str) {}
}

struct MaybeVisitor<T>(std::marker::PhantomData<T>);

impl<'de, T: FromObject<'de>> Visitor<'de> for MaybeVisitor<T> {
    type Value = T;
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        let mut object = T::default();
        while let Some(key) = map.next_key()? {
            object.take(key, &mut map)?;
        }
        Ok(object)
    }
    ignore!(null boolean number string list);
}

/// Defines a struct of shapes and how to read it from an object: `"key" => field`. If a key is repeated, the last value
/// counts. Unknown keys are dropped, unless `else` names a field that keeps them raw; the struct then also has the field
/// `odd`.
macro_rules! object {
    (
        $(#[$outer:meta])* $vis:vis struct $name:ident<$life:lifetime> {
            $($(#[$inner:meta])* $key:literal => $field:ident: $type:ty,)*
        }
        $(else $rest:ident)?
    ) => {
        $(#[$outer])*
        #[derive(Debug, Default)]
        $vis struct $name<$life> {
            $($(#[$inner])* pub(crate) $field: $type,)*
            $(
                /// All other fields, raw, in order.
                pub(crate) $rest: Vec<(Str<$life>, &$life serde_json::value::RawValue)>,
                /// The names of fields with a part that cannot be used.
                pub(crate) odd: Vec<&'static str>,
            )?
        }

        impl<$life> FromObject<$life> for $name<$life> {
            fn take<A: MapAccess<$life>>(&mut self, key: Str<$life>, map: &mut A) -> Result<(), A::Error> {
                match key.as_str() {
                    $($key => {
                        let (value, is_odd) = crate::rest::shapes::watched(map)?;
                        self.$field = value;
                        if is_odd {
                            self.odd($key);
                        }
                    })*
                    _ => { object!(@ self key map $($rest)?); }
                }
                Ok(())
            }
            $(object!(@ odd $rest);)?
        }
    };
    (@ odd $rest:ident) => {
        fn odd(&mut self, key: &'static str) {
            self.odd.push(key);
        }
    };
    (@ $self:ident $key:ident $map:ident) => { $map.next_value::<IgnoredAny>()?; };
    (@ $self:ident $key:ident $map:ident $rest:ident) => { let value = $map.next_value()?; $self.$rest.push(($key, value)) };
}
pub(crate) use object;

#[cfg(test)]
mod tests {
    use super::*;

    fn from<'a, T: Deserialize<'a>>(json: &'a str) -> T {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn every_shape_takes_every_json_value() {
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
            from::<Text<'_>>(json);
            from::<Int>(json);
            from::<Number>(json);
            from::<Flag>(json);
            from::<Markup<'_>>(json);
            from::<List<Int>>(json);
            from::<Entries<'_, Text<'_>>>(json);
        }
    }

    #[test]
    fn what_holds_something_and_cannot_be_used_is_odd() {
        fn odd<'a, T: Deserialize<'a>>(json: &'a str) -> bool {
            ODD.set(false);
            from::<T>(json);
            ODD.take()
        }
        for empty in ["null", "false", "\"\"", "[]", "{}"] {
            assert!(!odd::<Text<'_>>(empty) && !odd::<Int>(empty) && !odd::<Number>(empty), "{empty}");
            assert!(!odd::<Flag>(empty) && !odd::<Markup<'_>>(empty) && !odd::<List<Int>>(empty), "{empty}");
            assert!(!odd::<Entries<'_, Int>>(empty), "{empty}");
        }
        assert!(odd::<Text<'_>>("true") && odd::<Text<'_>>("[\"a\"]") && odd::<Text<'_>>("{\"a\":1}"));
        assert!(
            odd::<Int>("{\"id\":1}") && odd::<Int>("1.5") && odd::<Int>("\"x\"") && odd::<Int>("18446744073709551615")
        );
        assert!(odd::<Number>("\"x\"") && odd::<Flag>("\"no\"") && !odd::<Flag>("\"0\""));
        assert!(
            odd::<List<Int>>("[1,{\"id\":2}]") && odd::<List<Int>>("\"a,b\"") && !odd::<List<Int>>("{\"0\":\"4\"}")
        );
        assert!(odd::<Markup<'_>>("{\"raw\":\"x\"}") && !odd::<Markup<'_>>("{\"raw\":\"x\",\"rendered\":null}"));
        assert_eq!(from::<Flag>("\"no\""), Flag(None));
    }

    #[test]
    fn php_habits_are_normalised() {
        assert_eq!(from::<List<Int>>("{\"0\":3,\"2\":\"4\"}").ids(), [3, 4]);
        assert_eq!(from::<List<Int>>("false").ids(), [0; 0]);
        assert_eq!(from::<Int>("12.0"), Int(Some(12)));
        assert_eq!(from::<Int>("12.5"), Int(None));
        assert_eq!(from::<Int>("123456789012345678901234567890"), Int(None));
        assert_eq!(from::<Flag>("\"1\""), Flag(Some(true)));
        assert_eq!(from::<Markup<'_>>("\"<p>\"").rendered.unwrap().as_str(), "<p>");
        assert_eq!(from::<Markup<'_>>("{\"rendered\":\"x\",\"protected\":true}").protected, Some(true));
        assert_eq!(from::<Markup<'_>>("{\"rendered\":null}"), Markup::default());
        assert_eq!(from::<Text<'_>>("2024").0.unwrap().as_str(), "2024");
    }
}
