//! Holds the promises "Nothing is lost silently", "A dataset is whole or absent", "No input ends a run" and "Interrupted work resumes" of
//! CONTRIBUTING.md. Checks how the five programs, wp-groups, wp-language, wp-align and wp-diff handle bad input, full disks and readers
//! that exit early: two tables, one of inputs and one of faults of the machine, and tests for cases that do not fit into them.

use crate::workdir::{PROGRAMS, Run, Workdir};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::Duration;

/// An item as the API returns it, and the same item as a record of wp-index: each program reads one of the two.
const ITEM: &str = r#"{"id":1,"type":"post","link":"https://a.example/x/","slug":"x","status":"publish","date":"2020-01-01T00:00:00","guid":{"rendered":""},"title":{"rendered":"X"},"content":{"rendered":"<p>x</p>"}}"#;

pub fn good(program: &str, id: u32) -> String {
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
    let record = parsed(record);
    match program {
        // Without this key, the message would be that a stage was left out.
        "wp-groups" => record[..record.len() - 1].to_owned() + ",\"signature\":null}",
        // A document and its translation, on two lines.
        "wp-align" => {
            let in_group = |language: &str| {
                let group = format!("\"language\":\"{language}\",\"translation_group\":\"post:{id}\"");
                record.replace("\"language\":null", &group).replace(",\"translation_group\":null", "")
            };
            let other = in_group("fr").replace(&format!("\"id\":{id}"), &format!("\"id\":9{id}"));
            in_group("en") + "\n" + &other.replace("/x/", "/fr/x/")
        }
        _ => record,
    }
}

/// The output of wp-parse for a record, computed once.
fn parsed(record: String) -> String {
    static PARSED: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    let mut parsed = PARSED.lock().unwrap();
    let parse = || Workdir::new().program("wp-parse", "", record.clone() + "\n").expect(0).stdout.trim_end().to_owned();
    parsed.entry(record.clone()).or_insert_with(parse).clone()
}

/// Runs the test for each program; wp-diff gets a file without records as its first argument.
pub fn each(test: impl Fn(&Workdir, &str)) {
    for program in
        PROGRAMS.into_iter().chain(["wp-groups", "wp-language", "wp-align", "wp-diff --allow-empty /dev/null"])
    {
        test(&Workdir::new(), program);
    }
}

/// The name of the program in a command.
pub fn name(command: &str) -> &str {
    command.split(' ').next().unwrap()
}

fn lines(run: &Run) -> usize {
    run.stdout.lines().count()
}

/// An input, given in a file and through a pipe, and the expected results, the same for all programs.
struct Case {
    name: &'static str,
    text: Vec<u8>,
    status: i32,
    /// Number of records written; if the run ends with 2, the highest possible number.
    out: usize,
    rejects: u64,
    /// A text that stderr must contain.
    says: &'static str,
}

/// A case without rejects.
fn well(name: &'static str, text: impl Into<Vec<u8>>, out: usize) -> Case {
    Case { name, text: text.into(), status: 0, out, rejects: 0, says: "" }
}

/// A case in which the run cannot continue.
fn trouble(name: &'static str, text: impl Into<Vec<u8>>, out: usize, says: &'static str) -> Case {
    Case { name, text: text.into(), status: 2, out, rejects: 0, says }
}

/// Unusual inputs that all programs accept.
fn odd_inputs(program: &str) -> Vec<Case> {
    let [a, b] = [1, 2].map(|id| good(program, id));
    let with = |old: &str, new: &str| format!("{}\n{b}\n", a.replacen(old, new, 1));
    let own = |field: &str| with("\"slug\":", &format!("{field},\"slug\":"));
    let page = |file: &str| {
        let scrape = format!(",\"scrape\":{{\"root\":\"scrape\",\"file\":\"{file}\",\"url\":null}}}}\n");
        format!("{}{scrape}{b}\n", &a[..a.len() - 1])
    };
    let value: serde_json::Value = serde_json::from_str(&a).unwrap();
    let sorted: std::collections::BTreeMap<String, serde_json::Value> = serde_json::from_value(value).unwrap();
    let keys: Vec<String> = (0..2000).map(|n| format!("\"k{n}\":{n}")).collect();
    let gz = [gzip(format!("{a}\n").as_bytes()), gzip(format!("{b}\n").as_bytes())].concat();
    let zst = [&a, &b].map(|line| zstd::encode_all(format!("{line}\n").as_bytes(), 0).unwrap()).concat();
    let mut cases = vec![
        well("no final newline", format!("{a}\n{b}"), 2),
        well("CR LF", format!("{a}\r\n{b}\r\n"), 2),
        well("byte order mark", format!("\u{feff}{a}\n{b}\n"), 2),
        well("blank lines", format!("\n{a}\n\n \n{b}\n"), 2),
        well("blanks between tokens", format!("{}\n{b}\n", a.replace("\":", "\" :\t").replace(",\"", " , \"")), 2),
        well("keys in another order", format!("{}\n{b}\n", serde_json::to_string(&sorted).unwrap()), 2),
        well("escapes", with("\"title\"", "\"\\u0074itle\""), 2),
        well("a key twice", format!("{{\"id\":7,\"slug\":\"y\",{}\n{b}\n", &a[1..]), 2),
        well("half of a surrogate pair", with("\"slug\":\"x\"", "\"slug\":\"\\ud83d\""), 2),
        well("a NUL that is escaped", with("\"slug\":\"x\"", "\"slug\":\"\\u0000\""), 2),
        well("a number out of range", own("\"parent\":-1e400,\"own\":1e400"), 2),
        well("deep nesting", own(&format!("\"own\":{}{}", "[".repeat(50_000), "]".repeat(50_000))), 2),
        well("thousands of keys", own(&keys.join(",")), 2),
        well(
            "a type of hundreds of letters",
            with("\"type\":\"post\"", &format!("\"type\":\"{}\"", "t".repeat(300))),
            2,
        ),
        well("a site with the name of the manifest", with("\"site\":\"a.example\"", "\"site\":\"manifest.json\""), 2),
        well(
            "two kinds of one type",
            with("\"kind\":\"post\"", "\"kind\":\"widget\""),
            if program == "wp-diff" { 1 } else { 2 },
        ),
        well("a pipe as page", page("fifo"), 2),
        well("a page outside", page("out"), 2),
        well("gzip in two members", gz, 2),
        well("zstd in two frames", zst, 2),
    ];
    if program == "wp-index" {
        cases.push(well("an item twice", format!("{a}\n{a}\n{b}\n"), 2));
        cases.push(well("spread over lines", format!("[\n{},\n{b}]", a.replace(',', ",\n  ")), 2));
    }
    cases
}

/// Lines that are not records, among good ones.
fn bad_lines(program: &str) -> Vec<Case> {
    let [a, b, long] = [1, 2, 3].map(|id| good(program, id));
    let long = long.replacen("x3", &"x".repeat(3 << 19), 1).into_bytes();
    let lines: [(&str, Vec<u8>); 15] = [
        ("an escape that is none", br#"{"a":"\.."}"#.to_vec()),
        ("not UTF-8", b"{\"a\":\xff\"\"}".to_vec()),
        ("a NUL", b"{\"a\":\"\0\"}".to_vec()),
        ("a word that is none", b"{\"a\": tru}".to_vec()),
        ("an object cut short", b"{\"id\":1,\"title\":".to_vec()),
        ("no key", b"{]".to_vec()),
        ("a text", b"\"text\"".to_vec()),
        ("a number", b"7.5e3".to_vec()),
        ("null", b"null".to_vec()),
        ("a notice of PHP", b"<b>Warning</b>: x".to_vec()),
        ("brackets", b"[".repeat(40)),
        ("a word in an array", b"[tru".to_vec()),
        ("a string in an array", b"[\"x".to_vec()),
        ("a long record", long),
        ("a long line of brackets", b"[".repeat(3 << 19)),
    ];
    let among = |line: Vec<u8>| [a.as_bytes(), b"\n", &line, b"\n", b.as_bytes(), b"\n"].concat();
    // wp-index does not read lines: after an error, it continues with the next element.
    let says = |name| match name {
        _ if program == "wp-index" => ": in:2",
        "brackets" | "a word in an array" | "a string in an array" => ": an array, not a JSON object",
        "a text" => ": a text, not a JSON object",
        "a number" => ": a number, not a JSON object",
        "a NUL" => ": a control character in a string",
        "an object cut short" => ": the JSON ends too early",
        "a word that is none" => ": not JSON: a word that is neither true, false nor null",
        "a notice of PHP" => ": not JSON",
        _ => ": in:2",
    };
    let case = |(name, line)| Case { name, text: among(line), status: 1, out: 2, rejects: 1, says: says(name) };
    lines.into_iter().map(case).collect()
}

/// Incomplete inputs. For wp-index, an empty file is a failed download, and so is one that ends too early.
fn broken_inputs(program: &str) -> Vec<Case> {
    let [a, b, long] = [1, 2, 3].map(|id| good(program, id));
    let long = long.replacen("x3", &"x".repeat(3 << 19), 1);
    let gz = gzip(format!("{a}\n").as_bytes());
    let zst = zstd::encode_all(format!("{a}\n").as_bytes(), 0).unwrap();
    // wp-index rejects the part of a dump that is lost, and goes on with the next file.
    let (status, rejects) = if program == "wp-index" { (1, 1) } else { (2, 0) };
    let cut_short = |name, text: &[u8], out, says| Case { name, text: text.into(), status, out, rejects, says };
    let mut cases = vec![
        cut_short("gzip cut short", &gz[..gz.len() - 10], 1, "in: the gzip data break off"),
        cut_short(
            "something after gzip",
            &[&gz[..], b"junk"].concat(),
            1,
            "something else follows them: delete the file, and make or fetch it again",
        ),
        cut_short("zstd cut short", &zst[..zst.len() - 6], 0, "in: the zstd data break off"),
    ];
    if program == "wp-index" {
        let rejected =
            |name, text: String, out, rejects, says| Case { name, text: text.into(), status: 1, out, rejects, says };
        let failed = |name, text, out, says| rejected(name, text, out, 1, says);
        let too_long = "the element is longer than --max-record allows";
        cases.push(failed("a long item", format!("[{a},{long},{b}]"), 2, too_long));
        let text = format!("[[{a}],[{long}],{b},\"{}\"]", "x".repeat(3 << 19));
        cases.push(rejected("a long item and a long text", text, 2, 2, too_long));
        cases.push(failed("nothing", String::new(), 0, "in: an empty file"));
        cases.push(failed("an array cut short", format!("[{a},"), 1, "the file ends within an array"));
        cases.push(failed("an item cut short", format!("[{a},{}", &b[..50]), 1, "the file ends within this element"));
    } else {
        cases.push(well("nothing", "\n \n\r\n", 0));
        for cut in [1, b.len() / 2, b.len() - 1] {
            cases.push(trouble(
                "a line cut short",
                format!("{a}\n{}", &b[..cut]),
                1,
                "in:2: the input ends within this line",
            ));
        }
        for text in [a.replace(',', ",\n  "), format!("[\n{a},\n{b}\n]")].map(|text| text.replacen('{', "{\n", 1)) {
            cases.push(trouble("spread over lines", text, 0, "one record a line is needed, as `jq -c` writes it"));
        }
    }
    cases
}

/// The five programs, wp-export again with a dataset as its output, both steps of wp-groups, wp-language, and wp-diff compared with no
/// records.
const COMMANDS: [&str; 10] = [
    "wp-index",
    "wp-parse",
    "wp-translations",
    "wp-resolve",
    "wp-export",
    "wp-export -d data",
    "wp-groups --sign",
    "wp-groups",
    "wp-language",
    "wp-diff --allow-empty none",
];

/// The table of faulty inputs, for each program: every program ends, and reports each record that it loses.
#[test]
fn every_fault_of_an_input_has_its_status_message_and_counts() {
    for command in COMMANDS {
        let dir = Workdir::new();
        dir.write("secret", "<title>secret</title>").write("scrape/x.html", "<title>x</title>").write("none", "");
        dir.sh("mkfifo scrape/fifo; ln -s ../secret scrape/out").expect(0);
        let program = name(command);
        for case in [odd_inputs(program), bad_lines(program), broken_inputs(program)].into_iter().flatten() {
            check(&dir, command, &case);
        }
    }
}

/// Runs a case from a file and through a pipe and, if there are rejects, again with --max-rejects and --strict.
fn check(dir: &Workdir, command: &str, case: &Case) {
    let program = name(command);
    let name = format!("{command}, {}", case.name);
    let to_folder = command.ends_with("-d data");
    dir.write("in", &case.text);
    let flags = "--max-record 1M --rejects rejects --stats stats";
    let clear = || ["stats", "rejects", "out"].map(|file| std::fs::remove_file(dir.path(file)));
    drop(clear());
    drop(std::fs::remove_dir_all(dir.path("data")));
    let run = dir.program(program, &format!("{} -j 1 {flags} in", &command[program.len()..]), "");
    let status = if to_folder && case.out == 0 && case.status == 0 { 1 } else { case.status };
    let name = format!("{name}: {}", run.stderr.chars().take(500).collect::<String>());
    assert_eq!(run.status, status, "{name}");
    assert!(run.stderr.contains(case.says) && !run.stderr.contains("secret"), "{name}");
    assert!(run.stderr.lines().all(|line| line.starts_with(&format!("{program}: "))), "{name}");
    let data = dir.path("data/manifest.json").exists().then(|| dir.sh("cat data/*.jsonl").stdout);
    let written = data.as_deref().unwrap_or(&run.stdout);
    // After a run that ends with 2, stdout ends in the middle of a line.
    let whole = written.split_inclusive('\n').filter(|line| line.ends_with('\n')).count();
    match status {
        0 => assert_eq!((whole, data.is_some()), (case.out, to_folder), "{name}"),
        1 => assert_eq!((whole, data.is_some()), (if to_folder { 0 } else { case.out }, false), "{name}"),
        _ => assert!(whole <= case.out && data.is_none() && (to_folder || !written.ends_with('\n')), "{name}"),
    }
    if status < 2 {
        let stats: serde_json::Value = serde_json::from_str(&dir.read("stats")).unwrap();
        let sum = |keys: &[&str]| keys.iter().map(|key| stats[key].as_u64().unwrap_or(0)).sum::<u64>();
        assert_eq!(sum(&["rejects"]), case.rejects, "{name}");
        let out = sum(&["records_out", "rejects", "duplicates", "left_out"]);
        assert_eq!(sum(&["items", "records_in"]), out, "{name}: {stats}");
        let raw = dir.read_bytes("rejects");
        let lines: Vec<&[u8]> = raw.split_inclusive(|byte| *byte == b'\n').collect();
        assert!(lines.iter().all(|line| line.len() <= (1 << 20) + 1), "{name}");
        // wp-index writes rejects of more than a MiB in several lines.
        let is_long = program == "wp-index" && raw.len() > 1 << 20;
        assert!(if is_long { lines.len() > 1 } else { lines.len() as u64 == case.rejects }, "{name}");
    }
    // For wp-index, an empty pipe does not count as a failed download.
    let is_no_file = program == "wp-index" && case.text.is_empty();
    if !to_folder && !is_no_file {
        let piped = dir.sh(&format!("cat in | {command} -j 3 {flags} -o out")).status;
        assert_eq!((piped, dir.path("out").exists()), (status, status < 2), "{name}");
        // The output of wp-index contains the name of the file.
        if status < 2 && program != "wp-index" {
            assert!(dir.read("out") == run.stdout, "{name}");
        }
        drop(clear());
    }
    if case.rejects > 0 {
        let enough = format!("{} {flags} --max-rejects {} in", &command[program.len()..], case.rejects);
        dir.program(program, &enough, "").expect(0);
        let strict = format!("{} --max-record 1M --strict -o out in", &command[program.len()..].replace("-d data", ""));
        let strict = dir.program(program, &strict, "").expect(1);
        assert!(!dir.path("out").exists(), "{program} {}", strict.stderr);
    }
}

/// Faults of the machine or the command line, for each program: a script in which `$P` is the program and `in` a good record, its status,
/// and its message.
const MACHINE: [(&str, i32, &str); 21] = [
    ("$P missing.ndjson -o out", 2, "missing.ndjson: no such file or directory"),
    ("$P in > /dev/full", 2, "no space left"),
    ("$P -o /dev/full in", 2, "/dev/full: no space left"),
    ("$P -o in/out in", 2, "in/out"),
    ("$P -o none/out in", 2, "none/out: no such file or directory"),
    ("$P --rejects none/r in", 2, "none/r: no such file or directory"),
    ("$P --stats in in", 2, "would replace it"),
    ("$P --rejects ./in in", 2, "would replace it"),
    ("$P --stats out -o out in", 2, "would replace it"),
    ("$P --rejects x --stats ./x in", 2, "would replace it"),
    ("$P in >> in", 2, "in: is also the output"),
    ("$P < in >> in", 2, "-: is also the output"),
    ("$P - < in 1<> in", 2, "-: is also the output"),
    ("$P $'no\\e[2Jfile'", 2, "no\\x1b[2Jfile"),
    ("$P $(printf '%05000d' 1)", 2, "name too long"),
    ("$P --no-such-flag", 2, "--no-such-flag"),
    ("$P --max-record 1000 in", 2, "a number of bytes of at least 1M"),
    ("$P in 2>&-", 0, ""),
    ("$P in | head -n 0", 0, ""),
    ("mkdir d; $P -o d in", 2, "d: is a directory"),
    ("TMPDIR=/nonexistent $P -o out in; s=$?; [ $s = 0 ] && [ -s out ] || { [ $s = 2 ] && [ ! -e out ]; }", 0, ""),
];

/// The table of faults of the machine, for each program: inputs are never overwritten, and incomplete outputs never appear.
#[test]
fn every_fault_of_the_machine_has_its_status_and_message() {
    each(|dir, program| {
        let line = good(program, 1) + "\n";
        let only_resolve =
            ["--unresolved in", "--registry-out in", "--unresolved out -o out", "--registry-out x --unresolved x"];
        let more = only_resolve.map(|flags| (format!("$P {flags} in"), 2, "would replace it"));
        let more = more.into_iter().filter(|_| program == "wp-resolve");
        let all = MACHINE.map(|(script, status, says)| (script.to_owned(), status, says)).into_iter().chain(more);
        for (script, status, says) in all {
            dir.write("in", &line);
            let run = dir.sh(&format!("P='{program}'; rm -f out; {script}"));
            let name = format!("{program}: {script}: {}", run.stderr);
            assert_eq!(run.status, status, "{name}");
            assert!(
                run.stderr.contains(says) && !run.stderr.contains(['\x1b', '\0']) && run.stderr.len() < 1100,
                "{name}"
            );
            assert!(!dir.path("x").exists() && (status != 2 || !dir.path("out").exists()), "{name}");
            assert_eq!(dir.read("in"), line, "{name}");
        }
        // For wp-index, a directory contains dumps, for wp-diff it is a dataset; for the others, it is not an input.
        if program != "wp-index" {
            let run = dir.program(program, "d", "").expect(2);
            let says = if name(program) == "wp-diff" { "d/manifest.json: no such file" } else { "d: is a directory" };
            assert!(run.stderr.contains(says), "{program}: {}", run.stderr);
        }
        dir.sh(&format!("{program} in >> new && {program} in >> new")).expect(0);
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

/// `--stats` is written for an empty input, too, so that scripts need not check whether it exists.
#[test]
fn the_counts_of_an_empty_input_have_the_keys_of_others() {
    let all = Mutex::new(Vec::new());
    each(|dir, command| {
        let [none, some] = [String::new(), good(name(command), 1) + "\n"].map(|input| {
            dir.program(command, "--stats counts", input);
            let counts: serde_json::Map<_, _> = serde_json::from_str(&dir.read("counts")).unwrap();
            counts.into_iter().map(|(key, _)| key).collect::<BTreeSet<String>>()
        });
        assert!(some.contains("records_out"), "{command}");
        all.lock().unwrap().extend(some.difference(&none).map(|key| format!("{command}: {key}")));
    });
    assert_eq!(all.into_inner().unwrap(), Vec::<String>::new());
}

#[test]
fn a_reader_that_goes_away_leaves_the_counts() {
    each(|dir, program| {
        let many: String = (1..1000).map(|id| good_cached(program, id) + "\n").collect();
        dir.write("in", many);
        dir.sh(&format!("{program} --stats stats in | head -1")).expect(0);
        let stats: serde_json::Value = serde_json::from_str(&dir.read("stats")).unwrap();
        assert_eq!(stats["program"], name(program));
    });
}

/// The output of a script for `text` while its input remains open.
#[track_caller]
fn answer(dir: &Workdir, script: &str, text: &str) -> serde_json::Value {
    let mut child = dir.start(script);
    let mut input = child.stdin.take().unwrap();
    let (answered, waiting) = channel();
    let mut line = String::new();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            input.write_all(text.as_bytes()).unwrap();
            // Reached only if the test fails: the input ends, and the answer comes too late.
            let _ = waiting.recv_timeout(Duration::from_secs(60));
        });
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(answered.send(()).is_ok(), "{script} answers only at the end of its input");
    });
    child.wait().unwrap();
    serde_json::from_str(&line).unwrap()
}

/// `(echo record; sleep 9) | wp-parse` answers before the nine seconds are over. wp-resolve must know a whole site: it answers when the
/// next one begins.
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
            // Followed by a line that is incomplete and cannot be answered yet.
            (format!("{program} -j 3"), line.clone() + &more + &line[..9]),
        ] {
            assert_eq!(answer(&dir, &script, &text)["id"], 1, "{script}");
        }
    }
    let pipe = "wp-index | wp-parse | wp-translations | wp-export";
    assert_eq!(answer(&dir, pipe, &(good("wp-index", 1) + "\n"))["id"], 1);
    // An array whose end has not arrived.
    assert_eq!(answer(&dir, pipe, &format!("[{},", good("wp-index", 1)))["id"], 1);
}

/// If threads cannot be started, because there is no memory for their stacks or processes are limited, fewer threads do the work, at least
/// one.
#[test]
fn threads_that_cannot_be_started_are_done_without() {
    each(|dir, program| {
        let many: String = (1..1000).map(|id| good_cached(program, id) + "\n").collect();
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

/// Any number of languages or types is accepted: those that the registry has no room for are defects.
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
fn wrong_usage_is_an_error_and_help_is_not() {
    each(|dir, program| {
        dir.program(program, "--no-such-flag", "").expect(2);
        let help = dir.program(program, "--help", "").expect(0);
        assert!(help.stdout.contains("Examples:"), "{program}");
        assert!(dir.program(program, "--version", "").expect(0).stdout.starts_with(name(program)));
    });
}

#[test]
fn killed_in_the_middle_leaves_no_output_in_place() {
    each(|dir, program| {
        std::fs::create_dir(dir.path("tmp")).unwrap();
        dir.write("in", good(program, 1) + "\n");
        // The input after `in` never arrives: the program waits for it after it has begun its output.
        let script = format!(
            "export TMPDIR=$PWD/tmp; mkfifo fifo; exec 3<>fifo; {program} -o out < fifo & cat in >&3
             until ls -A | grep -q part; do sleep .01; done; kill -KILL $!; wait; ls tmp; ls out"
        );
        let run = dir.sh(&script);
        assert!(!dir.path("out").exists() && run.stdout.is_empty(), "{program}: {} {}", run.stdout, run.stderr);
    });
}

/// A stage that fails or is stopped ends its records with an unfinished line; the stages after it end with status 2 and leave no manifest,
/// even without pipefail.
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

/// A good line with another id, without running wp-parse for each.
pub fn good_cached(program: &str, id: u32) -> String {
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

/// Many rejects must not cause as many messages.
#[test]
fn messages_about_rejects_are_few() {
    each(|dir, program| {
        let text = match program {
            // For wp-index, the text between two items is one reject.
            "wp-index" => format!("[{}{}]", format!("{{x}},{},", good(program, 1)).repeat(5000), good(program, 1)),
            _ => format!("{}{}\n", "{x\n".repeat(5000), good(program, 1)),
        };
        let run = dir.program(program, "--rejects rejects --max-rejects 9999", &text).expect(0);
        assert_eq!((lines(&run), dir.read("rejects").lines().count()), (1, 5000), "{program}");
        assert_eq!(run.stderr.lines().count(), 11, "{program}: {}", run.stderr);
        assert!(run.stderr.ends_with(": 4990 more rejects; -v prints all\n"), "{program}: {}", run.stderr);
        assert!(dir.program(program, "-v", &text).expect(1).stderr.lines().count() >= 5000, "{program}");
    });
}

/// The mode of a replaced file, a link to a file that does not exist yet, the longest name that the system allows.
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
    });
}

/// Inputs, outputs and other files may have any name that the system allows; messages show such bytes.
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
        assert!(
            run.stderr.starts_with(&format!(r"{}: i\xe9:{}:", name(program), good(program, 1).lines().count() + 1)),
            "{program}: {}",
            run.stderr
        );
        for script in [r"$'n\xe9'", r"-o $'n\xe9/o' in", r"--rejects $'n\xe9/o' in"] {
            let run = dir.sh(&format!("{program} {script}")).expect(2);
            assert!(run.stderr.starts_with(&format!(r"{}: n\xe9", name(program))), "{program}: {}", run.stderr);
        }
    });
    let dir = Workdir::new();
    dir.write("in", good("wp-export", 1) + "\n").write("scrape/x.html", "<title>x</title>");
    let script = r"mv scrape $'s\xe9'; wp-export -q -d $'d\xe9' in && wp-export -q -d data in && diff -r data $'d\xe9' &&
        wp-resolve -q --registry-out $'r\xe9' in | wp-resolve -q --registry $'r\xe9' --unresolved $'u\xe9' | wc -l &&
        wp-translations -q --scrape-root $'s\xe9' in | wc -l; wp-index --scrape $'s\xe9' in";
    let run = dir.sh(script).expect(2);
    assert!(run.stdout.starts_with("1\n1\n") && run.stderr.contains("its name is not UTF-8"), "{}", run.stderr);
}
