//! Tests end records: a dataset is written only if all records have arrived, even after a signal that programs cannot
//! catch.

use crate::workdir::{PROGRAMS, Run, Workdir, installed, repository};
use wpipe::export::Format;
use wpipe::formats;

/// Streams with end records: the example site up to wp-resolve as `a`, and its dump as another site as `b`.
fn streams() -> Workdir {
    let dir = Workdir::new();
    for name in ["dump", "scrape"] {
        std::os::unix::fs::symlink(repository("examples/site").join(name), dir.path(name)).unwrap();
    }
    for (site, flags) in [("a", "--scrape scrape"), ("b", "")] {
        dir.sh(&format!(
            "wp-index dump {flags} -q --site {site} --end --max-rejects 1 -o {site}.index
             wp-parse -q {site}.index | wp-translations -q | wp-resolve -q -o {site}"
        ))
        .expect(0);
    }
    dir
}

fn export(dir: &Workdir, stream: &str) -> Run {
    let run = dir.sh(&format!("({stream}) | wp-export --expect-end -d data"));
    assert_eq!(dir.path("data/manifest.json").exists(), run.status == 0, "{stream}: {}", run.stderr);
    dir.sh("rm -rf data").expect(0);
    run
}

/// A dataset made from a truncated dump did not show this.
#[test]
fn a_dataset_says_what_of_its_dump_could_not_be_read() {
    let dir = streams();
    dir.sh("wp-export -q --expect-end -d data a && grep -v '\"kind\":\"end\"' a | wp-export -q -d without").expect(0);
    let rejects = |folder: &str| dir.sh(&format!("jq -c .rejects {folder}/manifest.json")).stdout;
    assert_eq!([rejects("data"), rejects("without")], ["1\n", "null\n"]);
    assert!(dir.read("data/README.md").contains("Incomplete: elements of the input that could not be read: 1."));
    assert!(!dir.read("without/README.md").contains("Incomplete"));
}

#[test]
fn end_records_pass_every_stage_and_no_format_writes_them() {
    let dir = streams();
    let end =
        "{\"site\":\"a\",\"kind\":\"end\",\"type\":\"end\",\"id\":null,\"link\":null,\"records\":60,\"rejects\":1}\n";
    assert!(dir.read("a.index").ends_with(end) && dir.read("a").ends_with(end));
    dir.sh("cat a b > ab; grep -v '\"kind\":\"end\"' ab > without").expect(0);
    for program in &PROGRAMS[1..4] {
        let script = format!(
            "{program} -q -j 3 --stats stats ab > with && {program} -q -j 1 without > other && grep -v '\"kind\":\"end\"' with | cmp - other"
        );
        dir.sh(&script).expect(0);
        let stats: serde_json::Value = serde_json::from_str(&dir.read("stats")).unwrap();
        assert_eq!((&stats["records_in"], &stats["records_out"]), (&119.into(), &119.into()), "{program}");
        assert_eq!(dir.read("with").matches(end).count(), 1, "{program}");
    }
    // The number of rejects in end records is in the manifest.
    dir.sh("sed 's/,\"rejects\":1}$/}/' a > plain").expect(0);
    for format in formats::ALL.iter().map(Format::name) {
        let export = format!("wp-export -q --allow-empty --format {format} --languages en,fr");
        let plain = format!("wp-export -q --allow-empty --format {format}");
        let export = if dir.sh(&format!("{export} -d data a; rm -rf data")).stderr.is_empty() { export } else { plain };
        dir.sh(&format!("{export} -d data plain --expect-end && {export} -d want <(grep -v '\"type\":\"end\"' a) && diff -r want data && rm -rf want data"))
            .expect(0);
    }
    dir.sh("wp-export -q ab --expect-end | cmp - without").expect(0);
}

#[test]
fn a_site_without_its_end_record_is_an_error() {
    let dir = streams();
    for (stream, what) in [
        ("head -n 59 a", "site a has 59 records and no end record"),
        ("head -n -1 a; cat b", "site a has 60 records and no end record"),
        ("cat a; head -n 9 b", "site b has 9 records and no end record"),
        ("head -n 0 a", "the input has no end record"),
        ("jq -c 'select(.type==\"post\")' a", "site a has 19 records and no end record"),
        // A part of a site without its end, before a complete copy.
        ("head -n 50 a; cat a", "site a has 110 records, but its end records count 60"),
    ] {
        let run = export(&dir, stream).expect(2);
        assert!(run.stderr.starts_with(&format!("wp-export: {what}: ")), "{stream}: {}", run.stderr);
    }
    dir.sh("wp-export -q --expect-end -o out <(head -n 59 a)").expect(2);
    assert!(!dir.path("out").exists());
    let run = dir.sh("head -n 59 a | wp-export --expect-end | wp-resolve").expect(2);
    assert!(run.stderr.contains("wp-resolve: -:60: the input ends within this line"), "{}", run.stderr);
}

#[test]
fn streams_with_end_records_may_be_joined_sorted_and_filtered() {
    let dir = streams();
    for stream in [
        "cat a b",
        "cat a a",
        "sort a b",
        "jq -cs 'sort_by(.kind)[]' a b",
        "python3 -c 'import json,sys\nfor line in sys.stdin: print(json.dumps(json.loads(line), sort_keys=True))' < a",
        "split -n l/3 --filter 'wp-resolve -q | cat' a",
    ] {
        if stream.starts_with("python3")
            && !installed("python3", "end records that its json module wrote were not read")
        {
            continue;
        }
        let stderr = export(&dir, stream).expect(0).stderr;
        let twice = stderr.contains(" records have the site, type, id and link of an earlier one: ");
        assert_eq!(
            (stderr.lines().count(), twice),
            if stream == "cat a a" { (1, true) } else { (0, false) },
            "{stderr}"
        );
    }
    let run = export(&dir, "jq -c 'select(.kind==\"end\" or .type==\"post\")' a").expect(0);
    assert_eq!(run.stderr, "wp-export: site a: 19 of the 60 records that wp-index wrote\n");
}

/// An end record counts the records that wp-index wrote; a dump without items has an end record, too.
#[test]
fn an_empty_dump_has_an_end_record() {
    let dir = Workdir::new();
    let run = dir.sh("echo '[]' | wp-index --end | wp-parse | wp-translations | wp-resolve | tee seen | wp-export --expect-end --allow-empty -d data");
    assert_eq!(run.expect(0).stderr, "");
    assert!(dir.read("seen").starts_with("{\"site\":null,\"kind\":\"end\"") && dir.path("data/manifest.json").exists());
    assert_eq!(dir.sh("echo '[]' | wp-index").expect(0).stdout, "");
}

/// Kills each stage in turn, after the end record of one site has passed it and before the other site ends.
#[test]
fn a_killed_stage_leaves_no_dataset() {
    let dir = streams();
    dir.sh("wp-parse -q a.index -o a.parse; wp-translations -q a.parse -o a.translations").expect(0);
    let input = |stage: &str| format!("cat a.{stage}; head -n 9 a.{stage} | sed 's/\"site\":\"a\"/\"site\":\"b\"/'");
    let inputs = ["head -n 9 dump/comments.ndjson".into(), input("index"), input("parse"), input("translations")];
    for (number, (program, input)) in PROGRAMS.into_iter().zip(inputs).enumerate() {
        let flags = if number == 0 { "--end" } else { "" };
        let after = PROGRAMS[number + 1..].join(" -q | ");
        let script = format!(
            "mkfifo fifo out; exec 3<>fifo; {program} -q {flags} < fifo > out 3>&- & stage=$!
             (tee seen < out | {after} -q --expect-end -d data) 3>&- & rest=$!
             ({input}) >&3; until [ -s seen ]; do sleep .01; done; kill -KILL $stage
             wait $rest; echo $?; rm fifo out seen; ls data/manifest.json"
        );
        let run = dir.sh(&script);
        assert_eq!(run.stdout, "2\n", "{program}: {}", run.stderr);
    }
}
