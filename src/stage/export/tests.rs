mod any_data;

use super::*;
use crate::formats::ALL;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// A writer whose contents can be read while another owner writes to it.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Sink {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Exported {
    outcome: Result<(), Error>,
    out: String,
    said: String,
    stats: Value,
}

fn export(options: &Options, lines: &str) -> Exported {
    let (out, said) = (Sink::default(), Sink::default());
    let mut report = Report::new("wp-export", Box::new(said.clone()));
    let mut output = Output::new("-", Box::new(out.clone()));
    let outcome = run(options, &mut Input::from_bytes("-", lines), &mut output, &mut report);
    output.flush().unwrap();
    Exported { outcome, out: out.text(), said: said.text(), stats: report.stats() }
}

fn to_folder(path: &Path) -> Options {
    Options { destination: Destination::Folder(path.to_owned()), jobs: 1, ..Options::default() }
}

fn even_empty(path: &Path) -> Options {
    Options { allow_empty: true, ..to_folder(path) }
}

/// The files of a folder, including hidden ones, except the documents about a dataset.
fn files(path: &Path) -> BTreeMap<String, String> {
    let read = |entry: io::Result<fs::DirEntry>| {
        let entry = entry.unwrap();
        let is_document = ["schema", "README.md", "croissant.json", "dataset_infos.json"]
            .iter()
            .any(|name| entry.file_name() == *name);
        (!is_document).then(|| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap()))
    };
    fs::read_dir(path).unwrap().filter_map(read).collect()
}

fn manifest(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path.join("manifest.json")).unwrap()).unwrap()
}

const POST: &str = r#"{"site":"a", "kind":"post","type":"post","id":1,"x":1.50,"big":123456789012345678901234567890}"#;
const PAGE: &str = r#"{"site":"a","kind":"post","type":"page","id":2,"language":"fr"}"#;
const USER: &str = r#"{"site":"a","kind":"user","type":"user","id":3}"#;
const GENRE: &str = r#"{"site":"a","kind":"term","type":"genre","id":4}"#;
const BOOK: &str = r#"{"site":"a","kind":"post","type":"my book/é","id":5}"#;
const WIDGET: &str = r#"{"site":"a","kind":"widget","type":"clock","id":6}"#;

fn lines(list: &[&str]) -> String {
    list.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn each_type_has_its_file_and_lines_pass_byte_for_byte() {
    let top = tempfile::tempdir().unwrap();
    let other = POST.replace("\"id\":1", "\"id\":7");
    let run = export(&to_folder(top.path()), &lines(&[POST, USER, &other, GENRE, BOOK, WIDGET]));
    run.outcome.unwrap();
    let files = files(top.path());
    assert_eq!(files["posts.jsonl"], lines(&[POST, &other]));
    assert_eq!(files["genre-terms.jsonl"], lines(&[GENRE]));
    assert_eq!(files["my%20book%2F%C3%A9.jsonl"], lines(&[BOOK]));
    assert_eq!(files["clock.jsonl"], lines(&[WIDGET]));
    assert_eq!((run.out.as_str(), run.said.as_str()), ("", ""));
}

#[test]
fn the_standard_files_are_there_even_when_empty() {
    let top = tempfile::tempdir().unwrap();
    export(&even_empty(top.path()), "").outcome.unwrap();
    let files = files(top.path());
    let names = ["categories", "comments", "media", "pages", "posts", "tags", "users"];
    assert!(names.iter().all(|name| files[&format!("{name}.jsonl")].is_empty()));
    assert_eq!(files.len(), 8);
}

#[test]
fn nothing_replaces_no_dataset() {
    let top = tempfile::tempdir().unwrap();
    export(&to_folder(top.path()), &lines(&[POST])).outcome.unwrap();
    let before = files(top.path());
    for (options, input, says) in [
        (to_folder(top.path()), "", "no records came in: "),
        (
            Options { without: vec!["user".into()], ..to_folder(top.path()) },
            USER,
            "nothing in 1 records for --format jsonl: ",
        ),
        (
            Options { format: Format::chosen(ALL, "pairs").unwrap().0, ..to_folder(top.path()) },
            POST,
            "no pair of documents in 1 records for --format pairs (wp-resolve finds translations, most",
        ),
    ] {
        let run = export(&options, input);
        run.outcome.unwrap();
        assert!(run.said.contains(says) && run.said.contains("is left as it was (--allow-empty"), "{}", run.said);
        assert!(files(top.path()) == before);
    }
    let pairs = Options { format: Format::chosen(ALL, "pairs").unwrap().0, jobs: 1, ..Options::default() };
    assert!(export(&pairs, POST).said.contains("of wp-index --scrape): nothing is written ("));
    assert_eq!(export(&Options { jobs: 1, ..Options::default() }, "").said, "");
    export(&Options { format: Format::chosen(ALL, "pairs").unwrap().0, ..even_empty(top.path()) }, POST)
        .outcome
        .unwrap();
    assert_eq!(manifest(top.path())["format"], "pairs");
}

#[test]
fn targets_are_not_replaced_by_records_that_have_not_passed_wp_resolve() {
    let top = tempfile::tempdir().unwrap();
    let link = |target: &str, internal: &str| {
        POST.replace("\"x\":1.50", &format!("\"links\":[{{\"internal\":{internal},\"target\":{{\"type\":{target}}}}}]"))
    };
    let (unresolved, resolved, dangling) = (link("null", "null"), link("\"page\"", "true"), link("null", "true"));
    let put = |options: &Options, line: &str| export(options, &lines(&[line])).said;
    assert!(put(&to_folder(top.path()), &unresolved).contains("wp-resolve comes before"));
    assert_eq!(put(&to_folder(top.path()), &resolved), "");
    let before = files(top.path());
    let said = put(&to_folder(top.path()), &unresolved);
    assert!(said.contains("has targets: ") && said.contains("is left as it was (--allow-empty"), "{said}");
    assert!(files(top.path()) == before);
    assert_eq!(put(&to_folder(top.path()), &dangling), "");
    put(&to_folder(top.path()), &resolved);
    put(&even_empty(top.path()), &unresolved);
    assert_eq!(manifest(top.path())["links"]["resolved"], 0);
}

#[test]
fn the_manifest_counts_what_the_files_hold() {
    let top = tempfile::tempdir().unwrap();
    export(&to_folder(top.path()), &lines(&[POST, PAGE, PAGE, USER])).outcome.unwrap();
    let manifest = manifest(top.path());
    assert_eq!(manifest["sites"], json!(["a"]));
    assert_eq!(manifest["text_rules"], "rendered");
    let languages = json!([{"language":"fr","records":2},{"language":null,"records":2}]);
    assert_eq!(manifest["languages"], languages);
    assert_eq!(manifest["records"][0], json!({"kind":"post","type":"page","records":2}));
    let files = manifest["files"].as_array().unwrap();
    assert_eq!(files.iter().map(|f| f["records"].as_u64().unwrap()).sum::<u64>(), 4);
    assert_eq!(files[1]["name"], "pages.jsonl");
    assert_eq!(files[1]["bytes"], 2 * (PAGE.len() + 1));
}

#[test]
fn two_sites_can_be_one_dataset() {
    let top = tempfile::tempdir().unwrap();
    let other = POST.replace("\"a\"", "\"b\"");
    export(&to_folder(top.path()), &lines(&[POST, &other])).outcome.unwrap();
    assert_eq!(manifest(top.path())["sites"], json!(["a", "b"]));
}

#[test]
fn users_and_comments_can_be_left_out_and_are_counted() {
    let top = tempfile::tempdir().unwrap();
    let without = vec!["users".to_owned(), "comments".to_owned()];
    let run = export(&Options { without: without.clone(), ..to_folder(top.path()) }, &lines(&[POST, USER]));
    run.outcome.unwrap();
    assert!(!files(top.path()).contains_key("users.jsonl"));
    assert_eq!(manifest(top.path())["left_out"], json!([{"kind":"user","type":"user","records":1}]));
    assert_eq!((&run.stats["left_out"], &run.stats["records_out"]), (&json!(1), &json!(1)));
    let run = export(&Options { without, jobs: 1, ..Options::default() }, &lines(&[POST, USER]));
    assert_eq!(run.out, lines(&[POST]));
}

#[test]
fn a_misspelt_name_to_leave_out_is_said() {
    let without =
        |name: &str| export(&Options { without: vec![name.into()], jobs: 1, ..Options::default() }, &lines(&[USER]));
    let what = "--without usrs: no record is of this type; did you mean users? (nothing is written)";
    assert!(matches!(without("usrs").outcome, Err(Error::Fatal(said)) if said == what));
    let what = "--without authors: no record is of this type; did you mean users? (nothing is written)";
    assert!(matches!(without("authors").outcome, Err(Error::Fatal(said)) if said == what));
    let all = vec!["users".to_owned(), "authors".to_owned()];
    assert!(export(&Options { without: all, jobs: 1, ..Options::default() }, &lines(&[POST, USER])).outcome.is_ok());
    let run = without("products");
    assert!(run.outcome.is_ok() && run.said.contains("--without products"), "{}", run.said);
}

#[test]
fn two_types_with_one_file_get_one_each() {
    for other in ["posts", "Posts"] {
        let top = tempfile::tempdir().unwrap();
        let clash = POST.replace("\"type\":\"post\"", &format!("\"type\":\"{other}\""));
        let run = export(&to_folder(top.path()), &lines(&[POST, &clash]));
        run.outcome.unwrap();
        let files = files(top.path());
        assert_eq!(files["posts.jsonl"].lines().count(), 1);
        let stem = format!("{other}-");
        assert!(files.iter().any(|(name, text)| name.starts_with(&stem) && text.lines().count() == 1), "{other}");
    }
}

#[test]
fn a_bad_line_is_a_reject_and_the_rest_is_written() {
    let top = tempfile::tempdir().unwrap();
    let run = export(&to_folder(top.path()), &lines(&[POST, "[1]", "{\"a\":", r#"{"id":7}"#, "", PAGE]));
    run.outcome.unwrap();
    assert_eq!(run.stats["rejects"], 3);
    assert!(run.said.contains("wp-export: -:4: the record has no type"), "{}", run.said);
    assert_eq!(run.stats["records_in"].as_u64(), Some(5));
    assert_eq!(run.stats["records_out"].as_u64(), Some(2));
    assert_eq!(manifest(top.path())["records"].as_array().unwrap().len(), 2);
}

#[test]
fn a_strict_run_that_stops_leaves_no_dataset() {
    let top = tempfile::tempdir().unwrap();
    let mut report = Report::silent("wp-export");
    report.strict(true);
    let mut output = Output::new("-", Box::new(io::sink()));
    let mut input = Input::from_bytes("-", lines(&[POST, "x"]));
    assert!(matches!(run(&to_folder(top.path()), &mut input, &mut output, &mut report), Err(Error::Strict)));
    assert!(files(top.path()).is_empty());
}

#[test]
fn the_stream_passes_in_order_and_what_has_no_type_too() {
    let given = lines(&[USER, r#"{"id":7}"#, POST]);
    let run = export(&Options { jobs: 1, ..Options::default() }, &given);
    run.outcome.unwrap();
    assert_eq!(run.out, given);
}

#[test]
fn any_number_of_threads_gives_the_same_dataset() {
    let given: String = (0..60_000).map(|i| lines(&[[POST, PAGE, USER, GENRE, BOOK][i % 5]])).collect();
    let dataset = |jobs| {
        let top = tempfile::tempdir().unwrap();
        export(&Options { jobs, ..to_folder(top.path()) }, &given).outcome.unwrap();
        files(top.path())
    };
    assert!(dataset(1) == dataset(8));
}

#[test]
fn a_second_run_replaces_the_first() {
    let top = tempfile::tempdir().unwrap();
    export(&to_folder(top.path()), &lines(&[POST, GENRE])).outcome.unwrap();
    let run = export(&to_folder(top.path()), &lines(&[PAGE]));
    assert_eq!(run.said, "");
    assert!(!files(top.path()).contains_key("genre-terms.jsonl"));
    assert_eq!(files(top.path())["posts.jsonl"], "");
}

#[test]
fn whose_rules_the_texts_follow_is_in_the_manifest() {
    let top = tempfile::tempdir().unwrap();
    let peer = r#"{"kind":"post","type":"post","text_rules":"wpextract"}"#;
    export(&to_folder(top.path()), &lines(&[peer])).outcome.unwrap();
    assert_eq!(manifest(top.path())["text_rules"], "wpextract");
    let run = export(&to_folder(top.path()), &lines(&[peer, POST]));
    assert_eq!(manifest(top.path())["text_rules"], "mixed");
    assert!(run.said.contains("some records carry text by the rules of wpextract"), "{}", run.said);
}

#[test]
fn records_with_pages_are_not_replaced_by_a_run_without_a_scrape() {
    let top = tempfile::tempdir().unwrap();
    let page = |file: Value| {
        json!({"site": "a", "kind": "post", "type": "post", "id": 1, "link": "https://a.example/x/", "title": {"text": "T"},
               "content": {"text": "x"}, "scrape": {"root": "s", "file": file}})
        .to_string()
    };
    let (with, without) = (page(json!("a/index.html")), page(Value::Null));
    let of_records =
        |format: &&Format| format.languages.is_none() && !format.reads_alignments && format.name != "report";
    for format in ALL.iter().filter(of_records) {
        let to = |options: Options| Options { format, ..options };
        export(&to(to_folder(top.path())), &lines(&[&with])).outcome.unwrap();
        assert_eq!(manifest(top.path())["pages"], 1, "{}", format.name);
        let before = manifest(top.path());
        let said = export(&to(to_folder(top.path())), &lines(&[&without])).said;
        assert!(said.contains("no record has a page, and the dataset there has records with pages: "), "{said}");
        assert_eq!(manifest(top.path()), before);
        export(&to(even_empty(top.path())), &lines(&[&without])).outcome.unwrap();
        assert_eq!(manifest(top.path())["pages"], 0);
        // The manifest of an older version does not count pages.
        let old = fs::read_to_string(top.path().join("manifest.json")).unwrap().replace("\"pages\": 0,", "");
        fs::write(top.path().join("manifest.json"), old).unwrap();
    }
}
