//! Writes and recognises the end record of a site, `{"site":…,"kind":"end",…,"records":n}`: a line that is not a record, and shows the last
//! program of a pipe that no earlier program was killed. It is the only line that this room interprets.

use super::{Line, Object, Walk, write_json};
use crate::report::{Notes, Read};
use memchr::memmem::Finder;
use std::sync::LazyLock;

/// An unfinished line at the end of records. It shows the next stage, and every other reader of JSON, that some records are missing.
pub(crate) fn broken_off(program: &str) -> String {
    format!("{{\"broken_off_by\":\"{program}\"")
}

/// The longest line that may be an end record, in bytes, so that long records need not be searched.
const LONGEST: usize = 4096;

/// Appends the end record of `site`, which has this number of records.
pub(crate) fn write_end(out: &mut Vec<u8>, site: Option<&str>, records: u64) {
    write_end_after_rejects(out, site, records, None);
}

/// Like [`write_end`], with the number of elements of the site that could not be read.
pub(crate) fn write_end_after_rejects(out: &mut Vec<u8>, site: Option<&str>, records: u64, rejects: Option<u64>) {
    out.extend_from_slice(b"{\"site\":");
    write_json(out, &site);
    out.extend_from_slice(b",\"kind\":\"end\",\"type\":\"end\",\"id\":null,\"link\":null,\"records\":");
    write_json(out, &records);
    if let Some(rejects) = rejects {
        out.extend_from_slice(b",\"rejects\":");
        write_json(out, &rejects);
    }
    out.extend_from_slice(b"}\n");
}

/// Appends a line on an input that wp-index has read, next to the end record of its site. Like an end record, it does not count as a
/// record.
pub(crate) fn write_input(out: &mut Vec<u8>, read: &Read) {
    out.extend_from_slice(b"{\"site\":");
    write_json(out, &read.site);
    out.extend_from_slice(b",\"kind\":\"end\",\"type\":\"input\",\"id\":null,\"link\":null,\"records\":0");
    for (key, number) in [("number", read.number), ("bytes", read.bytes)] {
        out.extend_from_slice(format!(",\"{key}\":{number}").as_bytes());
    }
    out.extend_from_slice(b",\"sha256\":");
    write_json(out, &read.sha256);
    out.extend_from_slice(b"}\n");
}

/// The input that an end record describes.
fn input(end: &Object<'_>) -> Option<Read> {
    let sha256 =
        end.text("sha256").filter(|digest| digest.len() == 64 && digest.bytes().all(|b| b.is_ascii_hexdigit()))?;
    let number = |key: &str| end.get(key)?.parse().ok();
    let site = end.text("site").map(|site| site.as_str().to_owned());
    Some(Read { site, number: number("number")?, bytes: number("bytes")?, sha256: sha256.to_lowercase() })
}

pub(crate) fn is_end(line: &[u8]) -> bool {
    end(line).is_some()
}

fn end(line: &[u8]) -> Option<Object<'_>> {
    // Built once: in short lines, building it takes longer than the search.
    static WORD: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(b"\"end\""));
    if line.len() > LONGEST || WORD.find(line).is_none() {
        return None;
    }
    Object::parse(line).ok().filter(|object| object.text("kind").as_deref() == Some("end"))
}

/// Whether a line is an end record. If the run `expects` end records, the site of the line is noted.
pub(super) fn note_end(line: &Line<'_>, expects: bool, notes: &mut Notes) -> bool {
    let end = end(line.bytes);
    let input = end.as_ref().and_then(input);
    let is_input = input.is_some();
    input.into_iter().for_each(|read| notes.input_of(read));
    let rejects = end.as_ref().and_then(|end| end.get("rejects")?.parse().ok());
    rejects.into_iter().for_each(|rejects| notes.rejects_before(rejects));
    match &end {
        // A line on an input does not end its site.
        _ if !expects || is_input => {}
        Some(end) => {
            let records = end.get("records").and_then(|records| records.parse().ok());
            notes.end_of(end.text("site").as_deref().unwrap_or_default(), records.unwrap_or(0));
        }
        None => site(line.bytes).iter().for_each(|site| notes.record_of(site)),
    }
    end.is_some()
}

/// The site of a record; `None` if the line is not a record.
fn site(line: &[u8]) -> Option<String> {
    let mut walk = Walk::new(line);
    walk.open(b'{')?;
    while let Some(key) = walk.key()? {
        let is_site = key == b"site";
        let value = walk.value()?;
        if is_site {
            return serde_json::from_slice(&line[value]).ok();
        }
    }
    // The key has escapes, or is missing.
    Object::parse(line).ok()?.text("site").map(|site| site.as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_record_is_known_however_it_is_spelt() {
        let mut line = Vec::new();
        write_end(&mut line, Some("a \"b\""), 3);
        assert!(is_end(line.trim_ascii()));
        for line in [r#"{ "records": 3, "kind": "end", "site": null }"#, r#"{"k\u0069nd":"end"}"#] {
            assert!(is_end(line.as_bytes()), "{line}");
        }
        for line in [r#"{"kind":"post","type":"end"}"#, r#"{"kind":["end"]}"#, r#"["end"]"#, r#"{"kind":"end""#] {
            assert!(!is_end(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn the_site_of_a_record_is_found_however_it_is_spelt() {
        for line in [r#"{"a":{"site":1},"site":"x"}"#, r#"{"s\u0069te" : "\u0078"}"#] {
            assert_eq!(site(line.as_bytes()).as_deref(), Some("x"), "{line}");
        }
        assert_eq!(site(b"{\"site\":"), None);
    }
}
