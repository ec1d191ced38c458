//! Values as JSON into a `Vec`: what serde_json writes, byte for byte. Names of fields are written as they are, long strings
//! thirty-two bytes at a look, short ones without a call of memcpy: that is most of what a record consists of. Of 10 MB of
//! items from real sites 45 million instructions.

use super::lanes::{LANES, before_escaped, escaped};
use serde::Serialize;
use serde::ser::{self, Impossible};
use std::fmt;
use std::num::NonZeroU32;

/// Writes a value as JSON.
pub(crate) fn write_json(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    value.serialize(Writer(out)).expect("our types have string keys, and no enum with data");
}

/// Writes a key as JSON, with its colon.
pub(crate) fn write_key(out: &mut Vec<u8>, key: &str) {
    write_string(out, key);
    out.push(b':');
}

/// The bytes that are looked at in one step of a long text: two of what fits into a register.
const STEP: usize = 2 * LANES;

/// Writes a text as a JSON string.
fn write_string(out: &mut Vec<u8>, text: &str) {
    let mut rest = text.as_bytes();
    out.reserve(rest.len() + STEP + 2);
    out.push(b'"');
    while let Some(window) = rest.first_chunk() {
        write_step(out, window);
        rest = &rest[STEP..];
    }
    while let Some(&chunk) = rest.first_chunk() {
        // Copied whole, and cut where it was too much: a copy of known length is one instruction.
        out.extend_from_slice(&chunk);
        let n = before_escaped(chunk);
        out.truncate(out.len() - LANES + n);
        if n < LANES {
            escape(out, rest[n]);
            rest = &rest[n + 1..];
        } else {
            rest = &rest[n..];
        }
    }
    write_short(out, rest);
    out.push(b'"');
}

/// Writes the first half of a window of a long text. What the marks of one look tell is done without another one: in
/// HTML there are one or two escapes in a step.
fn write_step(out: &mut Vec<u8>, window: &[u8; 2 * STEP]) {
    let [first, second] = [0, LANES].map(|at| *window[at..].first_chunk().expect("there is more of the window"));
    let mut marks = escaped(first) | escaped(second) << LANES;
    let mut done = 0;
    while let Some(mark) = NonZeroU32::new(marks) {
        let n = mark.trailing_zeros() as usize;
        write_piece(out, window, done, n);
        escape(out, window[n]);
        done = n + 1;
        marks &= marks - 1;
    }
    write_piece(out, window, done, STEP);
}

/// Writes `window[from..to]`, by a copy of known length that is cut where it was too much.
#[inline]
fn write_piece(out: &mut Vec<u8>, window: &[u8; 2 * STEP], from: usize, to: usize) {
    let piece: &[u8; STEP] = window[from..].first_chunk().expect("half of the window, and perhaps one byte of it");
    out.extend_from_slice(piece);
    out.truncate(out.len() - STEP + to - from);
}

/// Writes a text that is shorter than a register: most values of a record are, and a call of memcpy for each would be
/// most of their cost.
fn write_short(out: &mut Vec<u8>, text: &[u8]) {
    let mut chunk = [b' '; LANES];
    if let (Some(head), Some(tail)) = (text.first_chunk::<8>(), text.last_chunk::<8>()) {
        chunk[..8].copy_from_slice(head);
        chunk[8..].copy_from_slice(tail);
        if escaped(chunk) == 0 {
            out.extend_from_slice(head);
            out.truncate(out.len() + text.len() - LANES);
            return out.extend_from_slice(tail);
        }
    } else if let (Some(head), Some(tail)) = (text.first_chunk::<4>(), text.last_chunk::<4>()) {
        chunk[..4].copy_from_slice(head);
        chunk[4..8].copy_from_slice(tail);
        if escaped(chunk) == 0 {
            out.extend_from_slice(head);
            out.truncate(out.len() + text.len() - 8);
            return out.extend_from_slice(tail);
        }
    }
    for &byte in text {
        if matches!(byte, b'"' | b'\\' | ..b' ') { escape(out, byte) } else { out.push(byte) }
    }
}

/// The letter after the backslash for a byte; 0 if it is written as a number.
const LETTERS: [u8; 256] = {
    let mut letters = [0; 256];
    let pairs = [(b'"', b'"'), (b'\\', b'\\'), (b'\n', b'n'), (b'\t', b't'), (b'\r', b'r'), (8, b'b'), (12, b'f')];
    let mut at = 0;
    while at < pairs.len() {
        letters[pairs[at].0 as usize] = pairs[at].1;
        at += 1;
    }
    letters
};

fn escape(out: &mut Vec<u8>, byte: u8) {
    match LETTERS[usize::from(byte)] {
        0 => {
            let digit = |value: u8| b"0123456789abcdef"[usize::from(value)];
            out.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 15)]);
        }
        letter => out.extend_from_slice(&[b'\\', letter]),
    }
}

/// What serde drives.
struct Writer<'o>(&'o mut Vec<u8>);

/// A value that has no place in our records.
#[derive(Debug)]
struct Unwritable(String);

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unwritable {}

impl ser::Error for Unwritable {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Unwritable(message.to_string())
    }
}

fn unwritable<T>(what: &str) -> Result<T, Unwritable> {
    Err(Unwritable(what.to_owned()))
}

/// Numbers are written by serde_json.
macro_rules! numbers {
    ($($method:ident($type:ty))*) => { $(
        fn $method(self, n: $type) -> Result<(), Unwritable> {
            serde_json::to_writer(self.0, &n).map_err(|e| Unwritable(e.to_string()))
        }
    )* };
}

impl Writer<'_> {
    fn word(self, word: &str) -> Result<(), Unwritable> {
        self.0.extend_from_slice(word.as_bytes());
        Ok(())
    }
}

impl<'o> ser::Serializer for Writer<'o> {
    type Ok = ();
    type Error = Unwritable;
    type SerializeSeq = Elements<'o>;
    type SerializeTuple = Elements<'o>;
    type SerializeTupleStruct = Impossible<(), Unwritable>;
    type SerializeTupleVariant = Impossible<(), Unwritable>;
    type SerializeMap = Elements<'o>;
    type SerializeStruct = Elements<'o>;
    type SerializeStructVariant = Impossible<(), Unwritable>;

    fn serialize_bool(self, yes: bool) -> Result<(), Unwritable> {
        self.word(if yes { "true" } else { "false" })
    }

    numbers! {
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_u8(u8) serialize_u16(u16)
        serialize_u32(u32) serialize_u64(u64) serialize_f32(f32) serialize_f64(f64)
    }

    fn serialize_char(self, char: char) -> Result<(), Unwritable> {
        self.serialize_str(char.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Result<(), Unwritable> {
        write_string(self.0, text);
        Ok(())
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), Unwritable> {
        unwritable("bytes")
    }

    fn serialize_none(self) -> Result<(), Unwritable> {
        self.word("null")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Unwritable> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Unwritable> {
        self.word("null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Unwritable> {
        self.word("null")
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Unwritable> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Unwritable> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Unwritable> {
        unwritable("an enum with data")
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Elements<'o>, Unwritable> {
        Ok(Elements::begin(self.0, b'['))
    }

    fn serialize_tuple(self, _: usize) -> Result<Elements<'o>, Unwritable> {
        Ok(Elements::begin(self.0, b'['))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Unwritable> {
        unwritable("a tuple struct")
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Unwritable> {
        unwritable("an enum with data")
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Elements<'o>, Unwritable> {
        Ok(Elements::begin(self.0, b'{'))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Elements<'o>, Unwritable> {
        Ok(Elements::begin(self.0, b'{'))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Unwritable> {
        unwritable("an enum with data")
    }
}

/// A list or an object that is being written.
struct Elements<'o> {
    out: &'o mut Vec<u8>,
    first: bool,
}

impl<'o> Elements<'o> {
    fn begin(out: &'o mut Vec<u8>, bracket: u8) -> Self {
        out.push(bracket);
        Elements { out, first: true }
    }

    #[inline(always)]
    fn separate(&mut self) {
        if !std::mem::take(&mut self.first) {
            self.out.push(b',');
        }
    }
}

impl ser::SerializeSeq for Elements<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        self.separate();
        value.serialize(Writer(self.out))
    }

    fn end(self) -> Result<(), Unwritable> {
        self.out.push(b']');
        Ok(())
    }
}

impl ser::SerializeTuple for Elements<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        ser::SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<(), Unwritable> {
        ser::SerializeSeq::end(self)
    }
}

impl ser::SerializeMap for Elements<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unwritable> {
        self.separate();
        let start = self.out.len();
        key.serialize(Writer(self.out))?;
        if self.out.get(start) == Some(&b'"') { Ok(()) } else { unwritable("a key that is not a string") }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        self.out.push(b':');
        value.serialize(Writer(self.out))
    }

    fn end(self) -> Result<(), Unwritable> {
        self.out.push(b'}');
        Ok(())
    }
}

impl ser::SerializeStruct for Elements<'_> {
    type Ok = ();
    type Error = Unwritable;

    // In place, so that the length of each name is known: a call of memcpy for six bytes was a twentieth of wp-parse. The key is
    // put together first, which the compiler does once for all.
    #[inline(always)]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Unwritable> {
        self.separate();
        let mut key = [b'"'; 32];
        match key.get_mut(1..name.len() + 3) {
            Some(after) => {
                // A name that Rust takes for a field needs no escape.
                after[..name.len()].copy_from_slice(name.as_bytes());
                after[name.len() + 1] = b':';
                self.out.extend_from_slice(&key[..name.len() + 3]);
            }
            None => write_key(self.out, name),
        }
        value.serialize(Writer(self.out))
    }

    fn end(self) -> Result<(), Unwritable> {
        self.out.push(b'}');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;
    use std::collections::BTreeMap;

    fn written(value: &impl Serialize) -> String {
        let mut out = Vec::new();
        write_json(&mut out, value);
        String::from_utf8(out).unwrap()
    }

    proptest! {
        #[test]
        fn strings_are_written_as_serde_json_does(text in prop_oneof![
            "[\u{0}-\u{7f}é😀]{0,60}",
            "[a-z\"\\\\\n é😀]{0,20}",
            // Longer than a window, with an escape now and then.
            "([a-zé]{0,40}[\"\\\\\n\u{1}]{0,3}){0,12}",
        ]) {
            prop_assert_eq!(written(&text), serde_json::to_string(&text).unwrap());
        }

        #[test]
        fn numbers_are_written_as_serde_json_does(integer in any::<i64>(), float in any::<f64>()) {
            prop_assert_eq!(written(&integer), integer.to_string());
            prop_assert_eq!(written(&float), serde_json::to_string(&float).unwrap());
        }
    }

    #[test]
    fn lists_and_objects_are_written_as_serde_json_does() {
        #[derive(Serialize)]
        struct Record<'a> {
            r#type: &'a str,
            none: Option<i64>,
            some: Option<bool>,
            list: Vec<(u8, char)>,
            map: BTreeMap<&'a str, ()>,
            value: Value,
        }
        let value: Value = serde_json::from_str(r#"{"a":[],"b":{},"c":[null,-1.5,"x\u0001\n"]}"#).unwrap();
        let map = BTreeMap::from([("k\"", ()), ("l", ())]);
        let record = Record { r#type: "\t", none: None, some: Some(true), list: vec![(1, '"'), (2, 'b')], map, value };
        assert_eq!(written(&record), serde_json::to_string(&record).unwrap());
    }
}
