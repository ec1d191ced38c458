use super::*;
use crate::report::{Notes, Report};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::io::{Read, Write};

fn read_all(mut input: Input) -> Vec<(u64, Vec<u8>)> {
    let mut batch = Batch::empty();
    let mut lines = Vec::new();
    while input.read(&mut batch).unwrap() {
        lines.extend(batch.lines().map(|l| (l.number, l.bytes.to_vec())));
    }
    lines
}

#[test]
fn lines_have_their_numbers_whatever_ends_them() {
    let lines = read_all(Input::from_bytes("-", &b"\xef\xbb\xbfa\r\n\n \nb\nc"[..]));
    assert_eq!(lines, [(1, b"a".to_vec()), (4, b"b".to_vec()), (5, b"c".to_vec())]);
}

#[test]
fn a_line_ends_with_its_file() {
    let input = Input::new(vec![Source::from_bytes("a", &b"1"[..]), Source::from_bytes("b", &b"2"[..])]);
    assert_eq!(read_all(input), [(1, b"1".to_vec()), (1, b"2".to_vec())]);
}

#[test]
fn lines_longer_than_a_batch_stay_whole() {
    let long = vec![b'x'; 5 << 20];
    let text = [b"a\n", &long[..], b"\n", &long[..], b"\nb\n"].concat();
    let lengths: Vec<usize> = read_all(Input::from_bytes("-", text)).iter().map(|l| l.1.len()).collect();
    assert_eq!(lengths, [1, long.len(), long.len(), 1]);
}

#[test]
fn compressed_input_is_told_by_its_first_bytes() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(b"a\nb\n").unwrap();
    let gzip = gzip.finish().unwrap();
    assert_eq!(read_all(Input::from_bytes("-", [&gzip[..], &gzip[..]].concat())).len(), 4);
    assert_eq!(read_all(Input::from_bytes("-", [&gzip[..], &[0; 70_000]].concat())).len(), 2);
    let skippable = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
    let zstd = zstd::encode_all(&b"a\nb\n"[..], 1).unwrap();
    assert_eq!(read_all(Input::from_bytes("-", [&skippable[..], &zstd, &skippable[..], &zstd].concat())).len(), 4);
    assert_eq!(read_all(Input::from_bytes("-", zstd::encode_all(&b"a\nb\n"[..], 1).unwrap())).len(), 2);
}

#[test]
fn any_number_of_threads_gives_the_same_bytes_and_counts() {
    let text: String = (0..200_000).map(|i| format!("{{\"n\":{i}}}\n")).collect();
    let run = |jobs| {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let reading = std::thread::spawn(move || {
            let mut out = Vec::new();
            reader.read_to_end(&mut out).map(|_| out).unwrap()
        });
        let mut output = Output::new("-", Box::new(writer));
        let mut report = Report::silent("wp-test");
        let worker = || {
            |line: Line<'_>, out: &mut Vec<u8>, notes: &mut Notes| {
                notes.count("seen", 1);
                if line.bytes.ends_with(b"7}") {
                    notes.reject(line.place(), "seven", line.bytes);
                } else {
                    out.extend_from_slice(line.bytes);
                }
            }
        };
        map_lines(&mut Input::from_bytes("-", text.clone()), &mut output, &mut report, jobs, worker).unwrap();
        output.flush().unwrap();
        drop(output);
        (reading.join().unwrap(), report.stats().to_string())
    };
    let one = run(1);
    assert!(one.1.contains("\"seen\":200000") && one.1.contains("\"rejects\":20000"));
    assert_eq!(one, run(8));
}

/// A bug ends the run with a message: it does not crash, and no writer waits forever.
#[test]
fn a_worker_that_panics_is_an_error_of_the_run() {
    let text = "{}\n".repeat(200_000) + "bad\n" + &"{}\n".repeat(200_000);
    for jobs in [1, 2, 8] {
        let (mut output, _) = Output::in_memory();
        let worker = || |line: Line<'_>, _: &mut Vec<u8>, _: &mut Notes| assert_ne!(line.bytes, b"bad");
        let mut report = Report::silent("wp-test");
        let done = map_lines(&mut Input::from_bytes("-", text.clone()), &mut output, &mut report, jobs, worker);
        assert_eq!(done.unwrap_err().to_string(), "a worker thread has panicked: please report this", "-j{jobs}");
    }
}

#[test]
fn objects_keep_what_is_not_touched() {
    let line = br#"{"a":1.10, "b\u0041":{"x": [1, 2]},"n":123456789012345678901234567890,"s":"\ud800"}"#;
    let mut object = Object::parse(line).unwrap();
    object.set("a", "null".into());
    object.set("new", "[]".into());
    let mut out = Vec::new();
    object.write_line(&mut out);
    let want = r#"{"a":null,"bA":{"x": [1, 2]},"n":123456789012345678901234567890,"s":"\ud800","new":[]}"#;
    assert_eq!(String::from_utf8(out).unwrap(), format!("{want}\n"));
}

proptest! {
    /// Copying unchanged fields in runs gives the same line as writing each field.
    #[test]
    fn an_object_is_written_as_its_fields_are(
        keys in prop::collection::vec(prop::sample::select(vec!["a", "b", "c", "d\\u0041", "e", "é"]), 0..7),
        changes in prop::collection::vec((prop::sample::select(vec!["a", "b", "c", "dA", "new"]), any::<bool>()), 0..4),
        space in prop::sample::select(vec!["", "", " "]),
    ) {
        let fields: Vec<String> = keys.iter().enumerate().map(|(n, key)| format!("\"{key}\":{space}[{n}, \"x\"]")).collect();
        let line = format!("{{{}}}", fields.join(","));
        let mut object = Object::parse_str(&line).unwrap();
        for (key, set) in changes {
            if set { object.set(key, "0".to_owned()) } else { object.remove(key) }
        }
        let mut out = Vec::new();
        object.write_line(&mut out);
        let fields: Vec<String> = object.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
        prop_assert_eq!(String::from_utf8(out).unwrap(), format!("{{{}}}\n", fields.join(",")));
    }
}

#[test]
fn errors_name_their_column() {
    assert_eq!(Object::parse(br#"{"a":"\x"}"#).unwrap_err(), ("invalid escape".into(), 8));
    assert_eq!(Object::parse(b"{\"a\":\"\xff\"}").unwrap_err(), ("invalid UTF-8".into(), 7));
    assert!(Object::parse(b"[1]").unwrap_err().0.contains("an array, not a JSON object"));
    assert!(Object::parse(b"{} {}").unwrap_err().0.contains("something follows the JSON"));
}

#[test]
fn lone_surrogates_are_repaired_and_pairs_kept() {
    assert_eq!(repair_surrogates(r#""\ud83d\ude00""#), None);
    assert_eq!(repair_surrogates(r#""\\ud83d""#), None);
    assert_eq!(repair_surrogates(r#""a\ud83dx\ude00\n""#).as_deref(), Some(r#""a\ufffdx\ufffd\n""#));
    assert_eq!(repair_surrogates(r#""\ud83d\ud83d\ude00""#).as_deref(), Some(r#""\ufffd\ud83d\ude00""#));
}

#[test]
fn numbers_out_of_range_are_null() {
    let huge = format!("[1e400,-1E+999,{},1e308,1e-999,\"1e400\",\"é\\\"\",{{\"k9e999\":-9e999}}]", "9".repeat(400));
    let nulled = null_huge_numbers(&huge);
    assert_eq!(nulled.len(), huge.len());
    let want = json!([null, null, null, 1e308, 0.0, "1e400", "é\"", {"k9e999": null}]);
    assert_eq!(serde_json::from_str::<Value>(&nulled).unwrap(), want);
    assert_eq!(from_str::<Value>(&huge).unwrap(), want);
    assert_eq!(from_str::<[Option<i64>; 2]>("[1e400,7]").unwrap(), [None, Some(7)]);
    assert!(from_str::<Value>("[1e400").unwrap_err().to_string().starts_with("EOF"));
}
