//! Tests the progress line: it is shown only on a terminal, once for a whole pipeline, with rate and, if the size is
//! known, remaining time. `script` from util-linux provides the terminal.

use crate::workdir::{PROGRAMS, Workdir, installed, repository};

/// A directory with wp-index's items in `items`, enough to draw a bar more than once.
fn with_items() -> Workdir {
    let dir = Workdir::new();
    let item = |id: u32| {
        let link = format!("https://a.example/{id}/");
        serde_json::json!({"site": "a", "kind": "post", "type": "post", "id": id, "link": link, "api":
            {"id": id, "type": "post", "link": link, "title": {"rendered": "T"}, "content": {"rendered": "<p>text</p>".repeat(300)}}})
    };
    let items: Vec<String> = (1..750).map(|id| item(id).to_string() + "\n").collect();
    dir.write("items", items.concat());
    dir.sh(&format!("cp -r '{}' site", repository("examples/site").display())).expect(0);
    dir
}

/// The output of a script on a terminal, without the sequences that move the cursor.
pub fn on_a_terminal(dir: &Workdir, script: &str) -> String {
    assert_eq!(dir.sh("script -qec true /dev/null").status, 0, "this test needs script(1) of util-linux");
    dir.write("run.sh", format!("stty cols 120\n{script}\n"));
    let run = dir.sh("timeout -k 5 300 script -qec 'bash run.sh' /dev/null < /dev/null");
    assert!(![124, 137].contains(&run.status), "hangs: {script}: {}", run.stdout);
    let seen = run.stdout;
    let mut text = String::new();
    let mut rest = seen.as_str();
    while let Some(at) = rest.find('\u{1b}') {
        text += &rest[..at];
        rest = rest[at..].split_once(|c: char| c.is_ascii_alphabetic()).map_or("", |(_, after)| after);
    }
    text + rest
}

/// The programs that have drawn a bar.
fn drawn(seen: &str) -> Vec<&'static str> {
    PROGRAMS.into_iter().filter(|program| seen.contains(&format!("{program} "))).collect()
}

#[test]
fn a_pipeline_of_five_draws_one_line() {
    let dir = with_items();
    let pipe = "wp-index -q site/dump --scrape site/scrape --max-rejects 1 | cat - items | wp-parse | wp-translations |
        wp-resolve | wp-export -d data";
    let seen = on_a_terminal(&dir, &format!("({pipe}) 2>&1"));
    assert_eq!(drawn(&seen.replace("wp-parse: ", "")), ["wp-export"], "{seen}");
    assert!(seen.contains("/s, ") && seen.contains(" records"), "{seen}");
    assert!(dir.path("data/manifest.json").exists());
}

#[test]
fn wpipe_without_a_dump_does_not_wait_for_somebody_to_type_one() {
    let dir = with_items();
    let seen = on_a_terminal(&dir, "wpipe -d data; echo status $?; wpipe -d data < /dev/null; echo status $?");
    assert!(seen.contains("name the dump, as in wpipe DUMP -d DATASET"), "{seen}");
    assert!(seen.matches("status 2").count() == 2, "{seen}");
}

#[test]
fn rate_and_time_left_are_drawn_where_the_size_is_known() {
    let dir = with_items();
    for (script, left) in [
        ("wp-parse items -o out", true),
        ("wp-parse < items > out", true),
        ("zstd -q items && wp-parse items.zst -o out", false),
        ("cat items | wp-parse -o out", false),
    ] {
        if script.starts_with("zstd") && !installed("zstd", "progress within a compressed file was not looked at") {
            continue;
        }
        let seen = on_a_terminal(&dir, script);
        assert!(seen.contains("wp-parse ") && seen.contains("B/s, "), "{script}: {seen}");
        assert_eq!((seen.contains("s left, "), seen.contains(" of ")), (left, left), "{script}: {seen}");
    }
}

#[test]
fn nothing_is_drawn_elsewhere() {
    let dir = with_items();
    for script in ["wp-parse items -o out 2> said; cat said", "wp-parse -q items -o out", "wp-parse items | tail -c 0"]
    {
        let seen = on_a_terminal(&dir, script);
        assert!(!seen.contains("MiB") && !seen.contains("/s"), "{script}: {seen}");
    }
    // Records and a bar on the same terminal would disturb each other.
    let seen = on_a_terminal(&dir, "head -3 items > few; wp-parse few");
    // the records name the program as one of their steps
    let drawn = seen.replace("\"wp-parse ", "");
    assert!(seen.starts_with("{\"site\":\"a\"") && !drawn.contains("wp-parse "), "{seen}");
    let run = dir.sh("wp-parse items -o out; wp-export -d data out").expect(0);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
}

#[test]
fn each_stage_of_a_run_on_a_terminal_ends_with_a_line() {
    let dir = with_items();
    let pipe = |quiet: &str| {
        format!(
            "wp-index {quiet} site/dump --scrape site/scrape --max-rejects 1 | wp-parse {quiet} | wp-translations {quiet} |
             wp-resolve {quiet} | wp-export {quiet} -d data"
        )
    };
    let seen = on_a_terminal(&dir, &format!("({}) 2>&1", pipe("")));
    for line in ["wp-index: 60 records, 1 reject", "wp-parse: 60 records", "wp-resolve: 60 records"] {
        assert!(seen.contains(line), "{line}: {seen}");
    }
    assert!(seen.contains("wp-export: 60 records, 28 files \u{2192} data"), "{seen}");
    assert!(!on_a_terminal(&dir, &pipe("-q")).contains("60 records"));
    assert!(on_a_terminal(&dir, "wp-parse items -o out").contains("wp-parse: 749 records \u{2192} out"));
    assert!(!dir.sh("wp-parse items -o out").stderr.contains("749"));
}

#[test]
fn what_wp_resolve_does_before_it_writes_is_shown() {
    let dir = with_items();
    dir.sh("wp-parse items -o records").expect(0);
    let seen = on_a_terminal(&dir, "wp-resolve records -o out");
    // The steps after this may be done before there is a line to show.
    assert!(seen.contains("wp-resolve has registered "), "{seen}");
}

#[test]
fn a_program_that_reads_from_the_terminal_says_so() {
    let script = "mkfifo said; wp-parse -o out < /dev/tty 2> said & read -r line < said; kill $!; wait; echo $line";
    let seen = on_a_terminal(&Workdir::new(), script);
    assert!(seen.contains("reading from the terminal, until Ctrl-D"), "{seen}");
}
