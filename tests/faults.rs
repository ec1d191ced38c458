//! What all five programs do with bad input, full disks and readers that go away: one table.

use crate::workdir::{PROGRAMS, Run, Workdir};

/// An item as the API gives it, and the same as a record of wp-index: each program takes one of the two.
const ITEM: &str = r#"{"id":1,"type":"post","link":"https://a.example/x/","slug":"x","status":"publish","title":{"rendered":"X"},"content":{"rendered":"<p>x</p>"}}"#;

fn good(program: &str, id: u32) -> String {
    let item = ITEM.replace("\"id\":1", &format!("\"id\":{id}")).replace("/x/", &format!("/x{id}/"));
    if program == "wp-index" {
        return item;
    }
    let head = format!("\"site\":\"a.example\",\"kind\":\"post\",\"type\":\"post\",\"id\":{id}");
    let record = format!(
        "{{{head},\"link\":\"https://a.example/x{id}/\",\"source\":null,\"scrape\":null,\"aliases\":[],\"api\":{item}}}"
    );
    if program == "wp-parse" {
        return record;
    }
    Workdir::new().program("wp-parse", "", record + "\n").expect(0).stdout.trim_end().to_owned()
}

fn each(test: impl Fn(&Workdir, &str)) {
    for program in PROGRAMS {
        test(&Workdir::new(), program);
    }
}

fn lines(run: &Run) -> usize {
    run.stdout.lines().count()
}

#[test]
fn empty_input_is_no_record() {
    each(|dir, program| {
        let run = dir.program(program, "-", "").expect(0);
        assert_eq!(lines(&run), 0, "{program}");
    });
}

#[test]
fn no_final_newline_crlf_bom_and_blank_lines_are_fine() {
    each(|dir, program| {
        let (a, b) = (good(program, 1), good(program, 2));
        for text in [
            format!("{a}\n{b}"),
            format!("{a}\r\n{b}\r\n"),
            format!("\u{feff}{a}\n{b}\n"),
            format!("\n{a}\n\n \n{b}\n"),
        ] {
            let run = dir.program(program, "", &text).expect(0);
            assert_eq!(lines(&run), 2, "{program} {text:?} {}", run.stderr);
        }
    });
}

#[test]
fn a_bad_line_among_good_ones_is_a_reject_with_its_place() {
    let bad: [&[u8]; 6] = [
        b"{\"a\":\"\\..\"}",
        b"{\"a\":\xff\"\"}",
        b"{\"a\":\"\0\"}",
        b"{\"a\": tru}",
        b"[1,2",
        b"{\"id\":1,\"title\":",
    ];
    each(|dir, program| {
        // To wp-index an opening bracket is the beginning of a list, which goes on in the next line.
        for bad in bad.into_iter().filter(|bad| program != "wp-index" || !bad.starts_with(b"[")) {
            let text = [good(program, 1).as_bytes(), b"\n", bad, b"\n", good(program, 2).as_bytes(), b"\n"].concat();
            dir.write("in", &text);
            let args = "--rejects rejects --stats stats in";
            let run = dir.program(program, args, "").expect(1);
            let name = String::from_utf8_lossy(bad).into_owned();
            assert_eq!(lines(&run), 2, "{program} {name} {}", run.stderr);
            assert!(run.stderr.starts_with(&format!("{program}: in:2")), "{program} {name}: {}", run.stderr);
            assert!(dir.read_bytes("rejects").starts_with(&bad[..bad.len().min(4)]), "{program} {name}");
            let stats: serde_json::Value = serde_json::from_str(&dir.read("stats")).unwrap();
            assert_eq!(stats["rejects"], 1, "{program} {name}");
            dir.program(program, "--max-rejects 1 in", "").expect(0);
            let strict = dir.program(program, "--strict -o out in", "").expect(1);
            assert!(!dir.path("out").exists(), "{program} {}", strict.stderr);
        }
    });
}

#[test]
fn what_cannot_be_read_is_trouble_and_names_the_file() {
    each(|dir, program| {
        let run = dir.program(program, "-o out missing.ndjson", "").expect(2);
        assert!(run.stderr.contains("missing.ndjson: no such file"), "{program}: {}", run.stderr);
        assert!(!dir.path("out").exists());
        // A directory holds dumps for wp-index; for the others it is no input.
        if program != "wp-index" {
            std::fs::create_dir(dir.path("folder")).unwrap();
            let run = dir.program(program, "folder", "").expect(2);
            assert!(run.stderr.contains("folder: is a directory"), "{program}: {}", run.stderr);
        }
        dir.write("cut.gz", &gzip(good(program, 1).repeat(50).as_bytes())[..40]);
        let run = dir.program(program, "cut.gz", "").expect(2);
        assert!(run.stderr.contains("cut.gz"), "{program}: {}", run.stderr);
    });
}

#[test]
fn a_full_disk_is_trouble() {
    each(|dir, program| {
        dir.write("in", good(program, 1) + "\n");
        let run = dir.sh(&format!("{program} in > /dev/full")).expect(2);
        assert!(run.stderr.contains("no space left"), "{program}: {}", run.stderr);
        let run = dir.program(program, "-o /dev/full in", "").expect(2);
        assert!(run.stderr.contains("/dev/full: no space left"), "{program}: {}", run.stderr);
    });
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    each(|dir, program| {
        let many: String = (1..3000).map(|id| format!("{{\"n\":{id},{}\n", &good_cached(program, id)[1..])).collect();
        dir.write("in", many);
        let run = dir.sh(&format!("{program} in | head -1")).expect(0);
        assert_eq!((lines(&run), run.stderr.as_str()), (1, ""), "{program}");
    });
}

#[test]
fn an_output_that_cannot_be_made_is_trouble() {
    each(|dir, program| {
        dir.write("in", good(program, 1) + "\n").write("file", "x");
        let run = dir.program(program, "-o file/out in", "").expect(2);
        assert!(run.stderr.contains("file/out"), "{program}: {}", run.stderr);
    });
}

#[test]
fn wrong_usage_is_trouble_and_help_is_not() {
    each(|dir, program| {
        dir.program(program, "--no-such-flag", "").expect(2);
        let help = dir.program(program, "--help", "").expect(0);
        assert!(help.stdout.contains("Examples:"), "{program}");
        assert!(dir.program(program, "--version", "").expect(0).stdout.starts_with(program));
        assert!(dir.program(program, "--completions bash", "").expect(0).stdout.contains(program));
    });
}

#[test]
fn killed_in_the_middle_leaves_no_output_in_place() {
    each(|dir, program| {
        std::fs::create_dir(dir.path("tmp")).unwrap();
        dir.write("in", good(program, 1) + "\n");
        let script = format!(
            "export TMPDIR=$PWD/tmp; (cat in; sleep 5) | {program} -o out & sleep 1
             ls -A | grep -c part; kill -KILL $!; wait; ls tmp; ls out"
        );
        let run = dir.sh(&script);
        assert!(!dir.path("out").exists() && run.stdout == "1\n", "{program}: {} {}", run.stdout, run.stderr);
    });
}

/// What is written beside the output is refused where it would take the place of an input, of the output, or of another.
#[test]
fn side_files_replace_nothing() {
    each(|dir, program| {
        dir.write("in", good(program, 1) + "\n");
        let mut flags = vec!["--stats in", "--rejects ./in", "--stats out -o out", "--rejects x --stats ./x"];
        if program == "wp-resolve" {
            flags.extend([
                "--unresolved in",
                "--registry-out in",
                "--unresolved out -o out",
                "--registry-out x --unresolved x",
            ]);
        }
        for flags in flags {
            let run = dir.program(program, &format!("{flags} in"), "").expect(2);
            assert!(run.stderr.contains("would replace it"), "{program} {flags}: {}", run.stderr);
            assert!(!dir.path("out").exists() && !dir.path("x").exists(), "{program} {flags}");
        }
        assert_eq!(dir.read("in"), good(program, 1) + "\n");
    });
}

#[test]
fn messages_cannot_steer_the_terminal() {
    each(|dir, program| {
        dir.write("in", good(program, 1) + "\n");
        let run = dir.sh(&format!("{program} in $'no\\e[2Jfile'")).expect(2);
        assert!(!run.stderr.contains('\x1b') && run.stderr.contains("\\x1b"), "{program}: {}", run.stderr);
    });
}

/// A good line with another id, without a run of wp-parse for each.
fn good_cached(program: &str, id: u32) -> String {
    use std::sync::Mutex;
    static CACHE: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());
    let mut cache = CACHE.lock().unwrap();
    if !cache.iter().any(|(p, _)| p == program) {
        let line = good(program, 4711);
        cache.push((program.to_owned(), line));
    }
    let line = &cache.iter().find(|(p, _)| p == program).unwrap().1;
    line.replace("4711", &id.to_string())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
