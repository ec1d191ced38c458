//! How all five programs handle bad input, full disks and readers that exit early: one table.

use crate::workdir::{PROGRAMS, Run, Workdir};
use std::io::{BufRead, BufReader, Write};
use std::sync::mpsc::channel;
use std::time::Duration;

/// An item as returned by the API, and the same as a record of wp-index: each program reads one of the two.
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
        // For wp-index, an opening bracket begins a list, which continues on the next line.
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
        // For wp-index, a directory contains dumps; for the others, it is not an input.
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

/// `--stats` is written then, too.
#[test]
fn a_reader_that_goes_away_leaves_the_counts() {
    each(|dir, program| {
        let many: String = (1..3000).map(|id| good_cached(program, id) + "\n").collect();
        dir.write("in", many);
        dir.sh(&format!("{program} --stats stats in | head -1")).expect(0);
        let stats: serde_json::Value = serde_json::from_str(&dir.read("stats")).unwrap();
        assert_eq!(stats["program"], program);
    });
}

/// What a script answers to `text` while its input goes on.
#[track_caller]
fn answer(dir: &Workdir, script: &str, text: &str) -> serde_json::Value {
    let mut child = dir.start(script);
    let mut input = child.stdin.take().unwrap();
    let (answered, waiting) = channel();
    let mut line = String::new();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            input.write_all(text.as_bytes()).unwrap();
            // Only a test that fails gets that far: its input ends, and it has its answer too late.
            let _ = waiting.recv_timeout(Duration::from_secs(60));
        });
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(answered.send(()).is_ok(), "{script} answers at the end of its input only");
    });
    child.wait().unwrap();
    serde_json::from_str(&line).unwrap()
}

/// `(echo record; sleep 9) | wp-parse` answers before the nine seconds are over. wp-resolve must know all of a site: it
/// answers when the next begins.
#[test]
fn a_slow_pipe_is_answered_record_by_record() {
    let dir = Workdir::new();
    for program in PROGRAMS {
        let line = good(program, 1) + "\n";
        let more = match program {
            "wp-resolve" => line.replace("\"site\":\"a.example\"", "\"site\":\"b.example\""),
            _ => String::new(),
        };
        for (script, text) in [
            (program.to_owned(), line.clone() + &more),
            (format!("{program} -j 1"), line.clone() + &more),
            // With what cannot be answered yet.
            (format!("{program} -j 3"), line.clone() + &more + &line[..9]),
        ] {
            assert_eq!(answer(&dir, &script, &text)["id"], 1, "{script}");
        }
    }
    let pipe = "wp-index | wp-parse | wp-translations | wp-export";
    assert_eq!(answer(&dir, pipe, &(good("wp-index", 1) + "\n"))["id"], 1);
    // An array whose end has not come.
    assert_eq!(answer(&dir, pipe, &format!("[{},", good("wp-index", 1)))["id"], 1);
}

/// No memory for the stacks of threads, a limit of processes: the work is done in fewer, at last in one.
#[test]
fn threads_that_cannot_be_started_are_done_without() {
    each(|dir, program| {
        let many: String = (1..3000).map(|id| good_cached(program, id) + "\n").collect();
        dir.write("in", many);
        let refused = "export RUST_MIN_STACK=140737488355328";
        let run = dir.sh(&format!("{program} -j 1 in > one && ({refused}; {program} -j 4 in) > four")).expect(0);
        assert_eq!(run.stderr, "", "{program}");
        assert!(dir.read("one") == dir.read("four"), "{program}");
    });
    let dir = Workdir::new();
    let scrape = crate::workdir::repository("examples/site/scrape");
    std::os::unix::fs::symlink(scrape, dir.path("scrape")).unwrap();
    dir.sh("export RUST_MIN_STACK=140737488355328; echo [] | wp-index --scrape scrape -j 500").expect(0);
}

/// No number of languages or types ends a run: what the registry has no room for is a defect.
#[test]
fn too_many_languages_or_types_are_defects() {
    let dir = Workdir::new();
    for key in ["language", "type"] {
        let record = |n: u32| {
            let mut record = serde_json::json!({"site": "s", "kind": "post", "type": "post", "id": n, "link": format!("https://s/{n}")});
            record[key] = format!("l{n}").into();
            record.to_string() + "\n"
        };
        let run = dir.program("wp-resolve", "--stats stats", (1..=4200).map(record).collect::<String>()).expect(0);
        assert_eq!(lines(&run), 4200);
        assert!(run.stderr.contains(&format!("-:4096: the site has more than 4,095 {key}s")), "{}", run.stderr);
        let stats: serde_json::Value = serde_json::from_str(&dir.read("stats")).unwrap();
        assert_eq!((&stats["records_out"], &stats["defects"]["unregistered"]), (&4200.into(), &105.into()));
    }
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
        // What comes after `in` never comes: the program waits for it, its output begun.
        let script = format!(
            "export TMPDIR=$PWD/tmp; mkfifo fifo; exec 3<>fifo; {program} -o out - in < fifo & cat in >&3
             until ls -A | grep -q part; do sleep .01; done; kill -KILL $!; wait; ls tmp; ls out"
        );
        let run = dir.sh(&script);
        assert!(!dir.path("out").exists() && run.stdout.is_empty(), "{program}: {} {}", run.stdout, run.stderr);
    });
}

/// A signal removes what is half done: the output, what is written beside it, a dataset's hidden folder. Only TERM: the caller
/// of the tests may ignore INT and HUP, and then so do the programs.
#[test]
fn a_signal_leaves_no_temporary_files() {
    each(|dir, program| {
        dir.write("in", good(program, 1) + "\n");
        let runs = [("-o out --stats stats --rejects rejects", 3), ("--rejects rejects -d data", 1)];
        for (flags, parts) in runs.into_iter().filter(|(flags, _)| program == "wp-export" || !flags.contains("-d")) {
            let script = format!(
                "mkfifo fifo; exec 3<>fifo; {program} {flags} < fifo 3>&- & cat in >&3
                 until [ $(ls -A | grep -c part) = {parts} ]; do sleep .01; done; kill -TERM $!; wait $!
                 echo $?; rm fifo; ls -A . data 2> null; rm -rf data null"
            );
            let run = dir.sh(&script);
            let left: Vec<&str> = run.stdout.split_whitespace().collect();
            let with_folder = ["143", ".:", "data", "in", "null", "data:"];
            let want = if flags.contains("-d") { &with_folder[..] } else { &["143", ".:", "in", "null"] };
            assert_eq!(left, want, "{program} {flags}");
        }
    });
}

/// A stage that fails or is stopped ends its records with an unfinished line; the stages after it end with status 2 and
/// leave no manifest, also without pipefail.
#[test]
fn a_stream_that_is_broken_off_makes_no_dataset() {
    let dir = Workdir::new();
    let after = |from: usize| PROGRAMS[from..].join(" | ");
    for (number, program) in PROGRAMS.into_iter().enumerate().take(4) {
        dir.write("in", good(program, 1) + "\n{]\n");
        for (failing, status) in [("missing", 2), ("--strict in", 1), ("--no-such-flag", 2), ("-j 0 in", 2)] {
            let script = format!("{program} {failing} | {} -d data; echo ${{PIPESTATUS[*]}}", after(number + 1));
            let run = dir.sh(&script);
            let want = format!("{status}{}\n", " 2".repeat(4 - number));
            assert_eq!(run.stdout, want, "{script}: {}", run.stderr);
            assert!(run.stderr.contains("the input ends within this line"), "{script}: {}", run.stderr);
            assert!(!dir.path("data/manifest.json").exists(), "{script}");
        }
        dir.write("in", good(program, 1) + "\n");
        let more = if program == "wp-resolve" {
            good(program, 1).replace("\"a.example\"", "\"b\"") + "\n"
        } else {
            String::new()
        };
        dir.write("more", more);
        let script = format!(
            "mkfifo fifo out; exec 3<>fifo; {program} < fifo > out 3>&- & stage=$!
             (tee seen < out | {} -d data) 3>&- & rest=$!
             cat in more >&3; until [ -s seen ]; do sleep .01; done; kill -TERM $stage
             wait $stage; echo $?; wait $rest; echo $?; rm fifo out seen",
            after(number + 1)
        );
        let run = dir.sh(&script);
        assert_eq!(run.stdout, "143\n2\n", "{program}: {}", run.stderr);
        assert!(!dir.path("data/manifest.json").exists(), "{program}");
    }
}

/// A download or a copy that stopped in the middle of a record: what is before it is passed on, and the run ends with 2.
#[test]
fn an_unfinished_last_line_is_trouble() {
    each(|dir, program| {
        if program == "wp-index" {
            return;
        }
        let (first, second) = (good(program, 1), good(program, 2));
        for cut in [1, second.len() / 2, second.len() - 1] {
            let run = dir.program(program, "", format!("{first}\n{}", &second[..cut])).expect(2);
            assert!(run.stderr.contains(": -:2: the input ends within this line"), "{program}: {}", run.stderr);
            assert_eq!(lines(&run) - 1, usize::from(program != "wp-resolve"), "{program}: {}", run.stdout);
        }
    });
}

/// `jq .` instead of `jq -c .`.
#[test]
fn pretty_printed_json_is_reported_once() {
    each(|dir, program| {
        dir.write("in", good(program, 1) + "\n");
        for filter in [".", "-s ."] {
            let run = dir.sh(&format!("jq {filter} in | {program} -o out"));
            if program == "wp-index" {
                run.expect(0);
            } else {
                let want = format!(
                    "{program}: -: the JSON is spread over several lines; one record a line is needed, as `jq -c` writes it\n"
                );
                assert_eq!(run.expect(2).stderr, want);
            }
        }
    });
}

/// Additional files are refused if they would replace an input, the output, or each other.
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

/// A good line with another id, without running wp-parse for each.
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

/// Of a line or element that is longer than the limit only the start is kept; those around it are as good as ever.
#[test]
fn a_record_that_is_too_long_is_a_reject() {
    each(|dir, program| {
        let [a, b, long] = [1, 2, 3].map(|id| good(program, id));
        let long = long.replacen("x3", &"x".repeat(3 << 19), 1);
        let arrays =
            [(format!("[{a},{long},{b}]"), 1), (format!("[[{a}],[{long}],{b},\"{}\"]", "x".repeat(3 << 19)), 2)];
        let mut inputs = vec![
            (format!("{a}\n{long}\n{b}\n"), 1),
            (format!("{long}\n{long}\n{a}\n{b}\n"), 2),
            (format!("{a}\n{b}\n{long}"), 1),
        ];
        match program {
            "wp-index" => inputs.extend(arrays),
            _ => inputs.push((format!("{a}\n{}\n{b}\n", "[".repeat(3 << 19)), 1)),
        }
        for (text, rejects) in inputs {
            dir.write("in", &text).write("in.gz", gzip(text.as_bytes()));
            for input in ["-j 1 in.gz", "-j 3 - < in"] {
                let run =
                    dir.sh(&format!("{program} --max-record 1M --rejects rejects --stats stats {input}")).expect(1);
                let stats: serde_json::Value = serde_json::from_str(&dir.read("stats")).unwrap();
                let name = format!("{program} {input} {}: {}", &text[..20], &run.stderr[..run.stderr.len().min(999)]);
                assert_eq!((lines(&run), &stats["rejects"]), (2, &serde_json::json!(rejects)), "{name}");
                if program != "wp-index" {
                    assert_eq!(stats["records_in"], rejects + 2, "{name}");
                }
                let told = run.stderr.matches("is longer than --max-record allows").count();
                assert_eq!(told, rejects, "{name}");
                assert_eq!(dir.read("rejects").lines().filter(|line| line.len() == 1 << 20).count(), rejects, "{name}");
            }
        }
        dir.program(program, "--max-record 4M", format!("{long}\n")).expect(0);
        dir.program(program, "--max-record 1000", "").expect(2);
    });
}

/// A flood of rejects is not a flood of messages; a message is not as long as what it is about.
#[test]
fn messages_about_rejects_are_few_and_short() {
    each(|dir, program| {
        let text = match program {
            "wp-index" => format!("[{}{}]", "{x},".repeat(5000), good(program, 1)),
            _ => format!("{}{}\n", "{x\n".repeat(5000), good(program, 1)),
        };
        let run = dir.program(program, "--rejects rejects --max-rejects 9999", &text).expect(0);
        assert_eq!((lines(&run), dir.read("rejects").lines().count()), (1, 5000), "{program}");
        assert_eq!(run.stderr.lines().count(), 11, "{program}: {}", run.stderr);
        assert!(run.stderr.ends_with(": 4990 more rejects; -v prints all\n"), "{program}: {}", run.stderr);
        assert!(dir.program(program, "-v", &text).expect(1).stderr.lines().count() >= 5000, "{program}");
        let name = "n".repeat(5000);
        let run = dir.program(program, &name, "").expect(2);
        assert!(run.stderr.len() < 1100 && run.stderr.ends_with("name too long\n"), "{program}: {}", run.stderr);
    });
}

/// The mode of a file that is replaced, a link that leads nowhere yet, the longest name that the system allows.
#[test]
fn an_output_is_put_where_its_name_leads() {
    each(|dir, program| {
        dir.write("in", good(program, 1) + "\n").write("out", "old");
        let script = format!(
            "chmod 600 out; ln -s far link; name=$(printf '%0255d' 1)
             for out in out link $name; do {program} -o $out in || exit; done
             stat -c %a out; stat -c %F link; cmp out far && cmp out $name && ls | wc -l"
        );
        let run = dir.sh(&script).expect(0);
        assert_eq!(run.stdout, "600\nsymbolic link\n5\n", "{program}: {}", run.stderr);
        let run = dir.program(program, "-o none/out in", "").expect(2);
        assert!(run.stderr.ends_with("none/out: no such file or directory\n"), "{program}: {}", run.stderr);
    });
}

/// `wp-parse in >> in` would read what it has just written.
#[test]
fn an_input_that_is_the_output_is_refused() {
    each(|dir, program| {
        dir.write("in", good(program, 1) + "\n");
        let before = dir.read("in");
        for (script, file) in [("in >> in", "in"), ("< in >> in", "-"), ("- < in 1<> in", "-")] {
            let run = dir.sh(&format!("{program} {script}")).expect(2);
            assert_eq!(run.stderr, format!("{program}: {file}: is also the output\n"));
            assert_eq!(dir.read("in"), before, "{program}");
        }
        dir.sh(&format!("{program} in >> new && {program} in >> new")).expect(0);
    });
}

/// Inputs, outputs and what lies beside them may have any names that the system allows; messages show such bytes.
#[test]
fn names_that_are_not_utf8_are_names_like_others() {
    each(|dir, program| {
        dir.write("in", good(program, 1) + "\n{]\n");
        let script = format!(
            r"cp in $'i\xe9'; flags='-q --max-rejects 1'; {program} $flags -o want $'i\xe9'
              {program} --max-rejects 1 --rejects $'r\xe9' --stats $'s\xe9' -o $'o\xe8' $'i\xe9' && cmp want $'o\xe8' &&
              {program} $flags -o $'o\xe9.gz' $'i\xe9' && gzip -dc $'o\xe9.gz' | cmp - want && cat $'r\xe9' && ls | wc -l"
        );
        let run = dir.sh(&script).expect(0);
        assert_eq!(run.stdout, "{]\n7\n", "{program}");
        assert!(run.stderr.starts_with(&format!(r"{program}: i\xe9:2:")), "{program}: {}", run.stderr);
        for script in [r"$'n\xe9'", r"-o $'n\xe9/o' in", r"--rejects $'n\xe9/o' in"] {
            let run = dir.sh(&format!("{program} {script}")).expect(2);
            assert!(run.stderr.starts_with(&format!(r"{program}: n\xe9")), "{program}: {}", run.stderr);
        }
    });
    let dir = Workdir::new();
    dir.write("in", good("wp-export", 1) + "\n").write("scrape/x.html", "<title>x</title>");
    let script = r"mv scrape $'s\xe9'; wp-export -q -d $'d\xe9' in && wp-export -q -d data in && diff -r data $'d\xe9' &&
        wp-resolve -q --registry-out $'r\xe9' in | wp-resolve -q --registry $'r\xe9' --unresolved $'u\xe9' | cmp - in &&
        wp-translations -q --scrape-root $'s\xe9' in | wc -l; wp-index --scrape $'s\xe9' in";
    let run = dir.sh(script).expect(2);
    assert!(run.stdout.starts_with("1\n") && run.stderr.contains("its name is not UTF-8"), "{}", run.stderr);
}
