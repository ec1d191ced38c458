//! Writes JSON like Python's `json.dump(…, indent=2)`: indented by two, only ASCII.

use serde::Serialize;

/// Appends a line end and `value` as an element of an array that is a file's whole content.
pub(crate) fn write_element(out: &mut Vec<u8>, value: &impl Serialize) {
    let json = serde_json::to_string_pretty(&[value]).expect("all keys are strings");
    // The caller, which has all elements, writes the brackets.
    let mut rest = &json["[".len()..json.len() - "\n]".len()];
    while let Some(at) = rest.bytes().position(|byte| byte >= 0x7f) {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at..];
        let length = rest.chars().take_while(|&char| char >= '\u{7f}').map(char::len_utf8).sum();
        for unit in rest[..length].encode_utf16() {
            let digit = |shift: u32| b"0123456789abcdef"[usize::from(unit >> shift & 15)];
            out.extend_from_slice(&[b'\\', b'u', digit(12), digit(8), digit(4), digit(0)]);
        }
        rest = &rest[length..];
    }
    out.extend_from_slice(rest.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected text is from Python 3.11.
    #[test]
    fn strings_are_written_as_python_does() {
        let mut out = Vec::new();
        write_element(&mut out, &"a\"\\/\n\r\t\u{8}\u{c}\u{1}\u{7f}é\u{2028}😀z");
        let expected = "\n  \"a\\\"\\\\/\\n\\r\\t\\b\\f\\u0001\\u007f\\u00e9\\u2028\\ud83d\\ude00z\"";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn long_runs_of_other_letters_lose_nothing() {
        for length in [0, 15, 16, 17, 31, 32, 33, 100] {
            let mut out = Vec::new();
            write_element(&mut out, &format!("{}a{}", "я".repeat(length), "😀".repeat(length)));
            let expected = format!("\n  \"{}a{}\"", "\\u044f".repeat(length), "\\ud83d\\ude00".repeat(length));
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    #[test]
    fn nesting_is_written_as_python_does() {
        let mut out = Vec::new();
        write_element(&mut out, &serde_json::json!({"a": [], "b": {}, "c": [1, {"d": null}]}));
        let expected = "\n  {\n    \"a\": [],\n    \"b\": {},\n    \"c\": [\n      1,\n      {\n        \"d\": null\n      }\n    ]\n  }";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
