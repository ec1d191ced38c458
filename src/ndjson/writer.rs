//! Writes values as JSON into a `Vec`, by simd-json. For reading, serde_json is used.

use serde::Serialize;

pub(crate) fn write_json(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    simd_json::to_writer(out, value).expect("our types have string keys, and memory takes everything");
}

/// A value as JSON.
pub(crate) fn json_of(value: &(impl Serialize + ?Sized)) -> String {
    let mut json = Vec::new();
    write_json(&mut json, value);
    String::from_utf8(json).expect("JSON is UTF-8")
}

/// Writes a key as JSON, with its colon.
pub(crate) fn write_key(out: &mut Vec<u8>, key: &str) {
    write_json(out, key);
    out.push(b':');
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Both writers must agree: records are compared byte by byte between runs, and serde_json writes some files.
        #[test]
        fn strings_are_written_as_serde_json_does(text in prop_oneof![
            "[\u{0}-\u{7f}é😀]{0,60}",
            "([a-zé]{0,40}[\"\\\\\n\u{1}]{0,3}){0,12}",
        ]) {
            let mut out = Vec::new();
            write_json(&mut out, &text);
            prop_assert_eq!(String::from_utf8(out).unwrap(), serde_json::to_string(&text).unwrap());
        }
    }
}
