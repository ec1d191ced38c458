//! Tests how a run ends by a signal, by the limit on file sizes, and without memory: no temporary file remains, and the next stage knows
//! that records are missing. This holds the promise that a dataset is whole or absent. Programs cannot catch SIGKILL; it is recognised by
//! end records.

use crate::faults::{each, good, name};
use crate::workdir::Workdir;

/// Signals that end a process, and their numbers. The parent of a program may have set some of them to be ignored, as a shell does
/// with INT and QUIT for background jobs: so the tests reset them.
const CAUGHT: [(&str, i32); 11] = [
    ("TERM", 15),
    ("INT", 2),
    ("HUP", 1),
    ("QUIT", 3),
    ("ABRT", 6),
    ("USR1", 10),
    ("USR2", 12),
    ("ALRM", 14),
    ("XCPU", 24),
    ("VTALRM", 26),
    ("PROF", 27),
];

/// The output, further files of the run, and the hidden folder of a dataset.
#[test]
fn a_signal_leaves_no_temporary_files() {
    each(|dir, program| {
        dir.write("in", good(program, 1) + "\n");
        let runs = [("-o out --stats stats --rejects rejects", 3), ("--rejects rejects -d data", 2)];
        for (flags, parts) in runs.into_iter().filter(|(flags, _)| program == "wp-export" || !flags.contains("-d")) {
            let signals = if ["wp-parse", "wp-export"].contains(&program) { &CAUGHT[..] } else { &CAUGHT[..1] };
            for (signal, number) in signals {
                let script = format!(
                    "ulimit -c 0; mkfifo fifo; exec 3<>fifo; env --default-signal={signal} {program} {flags} < fifo 3>&- & cat in >&3
                     until [ $(ls -AR 2> null | grep -cE 'part$|^new$') = {parts} ]; do sleep .01; done; kill -{signal} $!; wait $!
                     echo $?; rm fifo; ls -A . data 2> null; rm -rf data null"
                );
                let run = dir.sh(&script);
                let left: Vec<&str> = run.stdout.split_whitespace().collect();
                let status = (128 + number).to_string();
                let with_folder = [&status, ".:", "data", "in", "null", "data:"];
                let want = if flags.contains("-d") { &with_folder[..] } else { &[&status, ".:", "in", "null"] };
                assert_eq!(left, want, "{program} {flags} {signal}");
            }
        }
    });
}

/// The results of the later stages, wp-export last, if a signal ends a stage: two records have been passed on by then.
#[test]
fn a_stage_that_a_signal_ends_makes_no_dataset() {
    let dir = Workdir::new();
    dir.write("item", good("wp-index", 1));
    dir.sh(
        "wp-index --end --site a item > ended; wp-index --site b item > open; grep -v '\"kind\":\"end\"' ended > plain",
    )
    .expect(0);
    let caught = CAUGHT.map(|(signal, number)| (signal, number, [2, 2]));
    // SIGKILL with end records and without: it is noticed only with them.
    for (signal, number, statuses) in caught.into_iter().chain([("KILL", 9, [0, 2])]) {
        let default = if signal == "KILL" { String::new() } else { format!("--default-signal={signal}") };
        for (stream, flags, status) in [("plain", "", statuses[0]), ("ended", "--expect-end", statuses[1])] {
            let script = format!(
                "ulimit -c 0; mkfifo fifo out; exec 3<>fifo; env {default} wp-parse < fifo > out 3>&- & stage=$!
                 (tee seen < out | wp-resolve | wp-export {flags} -d data; exit ${{PIPESTATUS[2]}}) 2> messages 3>&- & rest=$!
                 cat {stream} open >&3; until [ $(cat seen 2>null | wc -l) = 2 ]; do sleep .01; done; kill -{signal} $stage
                 wait $stage; echo $?; wait $rest; echo $?; ls data/manifest.json 2> null; rm -rf fifo out seen data null"
            );
            let run = dir.sh(&script);
            let manifest = if status == 0 { "data/manifest.json\n" } else { "" };
            assert_eq!(
                run.stdout,
                format!("{}\n{status}\n{manifest}", 128 + number),
                "{signal} {flags}: {}",
                run.stderr
            );
        }
    }
}

/// `ulimit -f`, as batch systems set it: an error like a full disk, for outputs and for temporary files.
#[test]
fn a_file_that_may_not_grow_is_an_error() {
    each(|dir, program| {
        let many: String = (1..2000).map(|id| crate::faults::good_cached(program, id) + "\n").collect();
        dir.write("in", many);
        let run = dir.sh(&format!("ulimit -f 100; {program} -q in -o out"));
        // wp-align spools documents before it writes.
        assert!(run.stderr.contains(": file too large"), "{program}: {}", run.stderr);
        assert_eq!((run.status, dir.list("").len()), (2, 1), "{program}");
    });
    let dir = Workdir::new();
    let line = good("wp-resolve", 4711);
    let site = |name: &str, ids: std::ops::Range<u32>| -> String {
        let of = line.replace("\"site\":\"a.example\"", &format!("\"site\":\"{name}\""));
        ids.map(|id| of.replace("4711", &id.to_string()) + "\n").collect()
    };
    dir.write("sites", site("a", 1..61) + &site("b", 1..61) + &site("c", 1..3001));
    let script = "mkdir tmp; export TMPDIR=$PWD/tmp; ulimit -f 1000; cat sites | wp-resolve | wp-export -d data
        echo ${PIPESTATUS[*]:1}; ls tmp; ls data/manifest.json";
    let run = dir.sh(script);
    assert_eq!(run.stdout, "2 2\n", "{}", run.stderr);
    assert!(run.stderr.contains("file too large"), "{}", run.stderr);
}

/// A failed allocation aborts the process: the effects are those of a signal.
#[test]
fn memory_that_runs_out_leaves_nothing_behind() {
    each(|dir, program| {
        dir.write("in", good(program, 1) + "\n");
        // There is not enough memory for the rest of this line.
        let script = format!(
            "(cat in; printf '{{\"a\":\"'; head -c 140M /dev/zero | tr '\\0' a) 2> null |
             (ulimit -c 0; ulimit -v 170000; {program} -j 2 --max-record 1G -o out; echo $?); ls -A"
        );
        let run = dir.sh(&script);
        assert_eq!(run.stdout, "134\nin\nnull\n", "{program}: {}", run.stderr);
        let script = script.replace("-o out; echo $?); ls -A", "| tail -c 60)");
        let run = dir.sh(&script);
        assert!(
            run.stdout.ends_with(&format!("{{\"broken_off_by\":\"{}\"", name(program))),
            "{program}: {} {}",
            run.stdout,
            run.stderr
        );
    });
}
