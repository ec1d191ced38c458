//! Holds the promise "wpipe is the pipe that it prints" of CONTRIBUTING.md: both give the same dataset, output, status, counts,
//! rejects and messages, for good and for damaged dumps; and whatever happens to a stage, an older dataset remains complete and
//! no other file is left.

use crate::workdir::{PROGRAMS, Workdir, repository};
use clap::CommandFactory;
use std::io::{self, Write};
use wpipe::cli::pipe::{self, Called, Program};
use wpipe::cli::{self, Ended, Seat};
use wpipe::ndjson::Output;

/// The number of cases to try; `make check` tries `all`.
fn number(all: usize) -> usize {
    if std::env::var_os("WPIPE_CASES").is_some() { all } else { all.div_ceil(10) }
}

/// The example site in `site`, twelve copies of it in `many`, and a dataset in `data`.
fn with_sites() -> Workdir {
    let dir = Workdir::new();
    dir.sh(&format!(
        "cp -r '{}' site; mkdir many; for f in site/dump/*.json; do for i in $(seq 12); do
           sed \"s/\\(\\\"id\\\": *\\)/\\1$i/; s,/\\([a-z0-9-]*\\)/\\\",/\\1-$i/\\\",g\" $f > many/$i-${{f##*/}}; done; done
         wpipe -q site/dump --max-rejects 1 -d data",
        repository("examples/site").display()
    ))
    .expect(0);
    dir
}

/// Lists the dataset's files with their contents.
const STATE: &str = "ls -AR data && find data -type f -exec sha256sum {} + | sort";

/// Checks that the dataset is in one of these states, and that no other file is left.
#[track_caller]
fn is_whole(dir: &Workdir, states: &[&str], what: &str) {
    let state = dir.sh(STATE).expect(0).stdout;
    assert!(states.contains(&&*state), "{what}: {state}");
    let parts = dir.sh("ls -AR | grep -E 'part$|^new$' || true").stdout;
    assert_eq!(parts, "", "{what}");
}

/// Runs wpipe with these arguments, then the pipe that it prints, and compares their files and messages.
fn same(dir: &Workdir, arguments: &str, destination: &str) {
    let script = format!(
        "rm -rf one five; mkdir one five
         (cd one; wpipe {arguments} {destination} --stats logs --rejects logs > out 2> said; echo $? > status)
         (cd five; mkdir logs; wpipe -n {arguments} {destination} --stats logs --rejects logs > pipe.sh
          echo 'printf \"%s\\n\" ${{PIPESTATUS[@]}} | sort -n | tail -1 > status' >> pipe.sh; bash pipe.sh > out 2> said; rm pipe.sh)
         for run in one five; do
           # wpipe alone knows the others: EXIT STATUS and DIAGNOSTICS of its page
           sed -i '/^wpipe: /d; /allows for as many/d; /-:[0-9]*: the input ends within this line: wp-/d' $run/said
           sort -s -k1,1 -o $run/said $run/said
         done
         [ ! -f one/logs/export.json ] && [ $(cat one/status) = 1 ] && rm -rf five/data five/logs/export.json
         [ $(cat one/status) = 2 ] && rm -f */logs/*.json
         diff -r one five"
    );
    let run = dir.sh(&script);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "wpipe {arguments} {destination}: {}", run.stderr);
}

/// Pseudo-random numbers, the same in every run.
fn chance(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    }
}

#[test]
fn wpipe_is_the_pipe_that_it_prints() {
    let dir = with_sites();
    let site = "../site/dump --max-rejects 99";
    for (arguments, destination) in [
        (&*format!("{site} --scrape ../site/scrape -j 1"), "-d data"),
        (&format!("{site} --scrape ../site/scrape -j 8"), "-o records"),
        ("--no-dump --scrape ../site/scrape -j 2", "-d data"),
        ("../many --max-rejects 99 -j 8", "-d data"),
        ("../many -j 1", "-d data"),
        ("../many -j 2", ""),
        ("../site/dump", "-d data"),
        ("../site/dump --strict", "-d data"),
        ("../site/dump --strict", "-o records"),
        ("../gone", "-d data"),
        (&format!("{site} --switchers gone"), "-d data"),
        (&format!("{site} --format wpextract --text wpextract"), "-d data"),
        (&format!("{site} --format pairs --languages en"), "-d data"),
        (&format!("{site} --format markdown:slug"), "-d data"),
        (&format!("{site} --format tei:corpus"), ""),
        (&format!("{site} --without posts,pages -v"), "-d data"),
    ] {
        same(&dir, arguments, destination);
    }
}

#[test]
fn damage_and_long_records_are_those_of_the_pipe() {
    let dir = with_sites();
    let whole = dir.read_bytes("site/dump/posts-1.json");
    for seed in 0..number(60) as u64 {
        let mut chance = chance(seed);
        let mut dump = whole.clone();
        for _ in 0..=chance(3) {
            let at = chance(dump.len());
            match chance(4) {
                0 => dump.truncate(at),
                1 => dump[at] = chance(256) as u8,
                2 => drop(dump.splice(at..at, b"{}[],:\"\\\n\xff"[chance(9)..].iter().copied())),
                _ => drop(dump.drain(at..(at + chance(300)).min(dump.len()))),
            }
            dump.extend_from_slice(b"\n");
        }
        dir.write("site/dump/posts-1.json", &dump);
        let more = ["--max-rejects 9999", "", "--strict", "--max-rejects 9999 --scrape ../site/scrape"][chance(4)];
        same(&dir, &format!("../site/dump -j {} {more}", [1, 2, 8][chance(3)]), ["-d data", ""][chance(2)]);
    }
    let item = |id: u32, text: usize| {
        let text = "x ".repeat(text / 2);
        format!(
            "{{\"id\":{id},\"type\":\"post\",\"link\":\"https://a.example/{id}/\",\"content\":{{\"rendered\":\"{text}\"}}}}\n"
        )
    };
    let long = [1 << 18, 900_000, 1_040_000, 1 << 20, 3 << 20, 100];
    dir.write("long.json", (1..).zip(long).map(|(id, length)| item(id, length)).collect::<String>());
    same(&dir, "../long.json --max-record 1M --max-rejects 9", "-d data");
    same(&dir, "../long.json --max-record 2M -j 1", "");
}

#[test]
fn a_full_disk_and_a_reader_that_goes_away() {
    let dir = with_sites();
    let before = dir.sh(STATE).expect(0).stdout;
    let run = dir.sh("wpipe many --max-rejects 99 2> null | head -1 | wc -l; rm null").expect(0);
    assert_eq!(run.stdout, "1\n");
    for script in ["wpipe many --max-rejects 99 > /dev/full", "wpipe many --max-rejects 99 -o /dev/full"] {
        let run = dir.sh(script).expect(2);
        assert_eq!(run.stderr.matches("wp-export: ").count(), 1, "{}", run.stderr);
    }
    for blocks in [1, 20, 100, 300] {
        let run = dir.sh(&format!("ulimit -f {blocks}; wpipe many --max-rejects 99 -d data")).expect(2);
        assert!(run.stderr.contains(": file too large"), "{}", run.stderr);
        is_whole(&dir, &[&before], &format!("ulimit -f {blocks}"));
    }
}

/// In steps of 2 MB, starting below what the program itself needs.
#[test]
fn memory_that_runs_out_anywhere_leaves_the_dataset_whole() {
    let dir = with_sites();
    let before = dir.sh(STATE).expect(0).stdout;
    let after = dir.sh(&format!("cp -r data old; wpipe -q many --max-rejects 99 -d data; {STATE}")).expect(0).stdout;
    let steps = number(62);
    for limit in (0..steps).map(|step| 18_000 + step * 122_000 / steps) {
        let run = dir.sh(&format!(
            "rm -rf data; cp -r old data; (ulimit -c 0; ulimit -v {limit}; exec wpipe -q many --max-rejects 99 -d data) 2> null; status=$?; rm null; exit $status"
        ));
        is_whole(
            &dir,
            &[if run.status == 0 { &after } else { &before }],
            &format!("ulimit -v {limit}: {}", run.status),
        );
    }
}

/// The dump is a pipe, and the signal arrives after this many bytes; in the last case, the dump may have ended.
#[test]
fn a_signal_at_any_moment_leaves_the_dataset_whole() {
    let dir = with_sites();
    let before = dir.sh(STATE).expect(0).stdout;
    dir.sh("cat many/*posts*.json > dump; cp -r data old; mkfifo fifo").expect(0);
    let after = dir.sh(&format!("cat dump | wpipe -q --max-rejects 99 -d data; {STATE}")).expect(0).stdout;
    let (length, moments) = (dir.read_bytes("dump").len(), number(20));
    for (signal, status) in [("TERM", 143), ("INT", 130)] {
        for moment in 0..=moments {
            let (bytes, ends) = ((moment * length).div_ceil(moments), moment == moments);
            let run = dir.sh(&format!(
                "rm -rf data; cp -r old data; exec 3<>fifo
                 (head -c {bytes} dump; {ends} || head -c 1 <&3 > /dev/null) |
                   env --default-signal={signal} wpipe -q --max-rejects 99 -d data 3>&- &
                 until {ends} || ls -AR data | grep -q '^new$'; do sleep .01; done; kill -{signal} $!; echo >&3; wait $!"
            ));
            let statuses: &[i32] = if ends { &[0, status] } else { &[status] };
            assert!(statuses.contains(&run.status), "{signal} {bytes}: {} {}", run.status, run.stderr);
            // A signal may arrive when the new dataset is in place, but the process has not ended.
            let states: &[&str] = match run.status {
                0 => &[&after],
                _ if ends => &[&before, &after],
                _ => &[&before],
            };
            is_whole(&dir, states, &format!("{signal} {bytes}"));
        }
    }
}

/// What happens to a stage at its record `at`.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    Fails,
    Panics,
    Stalls,
}

/// The output of a stage that has a fault after `left` records.
struct Faulty {
    next: Output,
    fault: Fault,
    left: usize,
}

impl Faulty {
    fn strike(fault: Fault) -> io::Error {
        match fault {
            Fault::Fails => io::Error::other("made to fail"),
            Fault::Panics => panic!("made to panic"),
            Fault::Stalls => loop {
                std::thread::park();
            },
        }
    }
}

impl Write for Faulty {
    fn write(&mut self, lines: &[u8]) -> io::Result<usize> {
        let broken = |_| io::Error::from(io::ErrorKind::BrokenPipe);
        for line in lines.split_inclusive(|&byte| byte == b'\n') {
            if self.left == 0 {
                self.flush()?;
                return Err(Faulty::strike(self.fault));
            }
            self.left -= 1;
            self.next.write(line).map_err(broken)?;
        }
        Ok(lines.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.next.flush().map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

/// Gives this stage the fault that `FAULT` names, if any. The last stage has it from the start.
fn faulty(stage: &str, called: Called) -> Called {
    let wanted = std::env::var("FAULT").unwrap();
    let [of, what, at] = wanted.split(' ').collect::<Vec<_>>()[..] else { panic!("FAULT=STAGE FAULT RECORD") };
    let fault = [Fault::Fails, Fault::Panics, Fault::Stalls].into_iter().find(|fault| format!("{fault:?}") == what);
    let (true, Some(fault), left) = (of == stage, fault, at.parse().unwrap()) else { return called };
    Box::new(move |mut seat: Seat| match seat.output.take() {
        Some(next) => {
            seat.output = Some(Output::new("next stage", Box::new(Faulty { next, fault, left })));
            called(seat)
        }
        None => {
            drop(Faulty::strike(fault));
            Ended { status: 2, is_whole: false, is_cut: false }
        }
    })
}

macro_rules! programs {
    ($($path:literal as $module:ident),* $(,)?) => {
        $(
            #[path = $path]
            #[allow(dead_code, reason = "they are not started by their names")]
            mod $module;
        )*

        fn programs() -> Vec<Program> {
            vec![$(Program {
                command: $module::Flags::command(),
                called: |matches| faulty(stringify!($module), Box::new($module::called(cli::passed(matches)))),
            }),*]
        }
    };
}

programs! {
    "../bins/wp-index.rs" as index,
    "../bins/wp-parse.rs" as parse,
    "../bins/wp-translations.rs" as translations,
    "../bins/wp-resolve.rs" as resolve,
    "../bins/wp-export.rs" as export,
}

/// wpipe with a fault: `a_fault_of_any_stage_leaves_the_dataset_whole` starts it.
#[test]
#[ignore = "another test starts it"]
fn as_wpipe() {
    if let Ok(arguments) = std::env::var("WPIPE") {
        std::process::exit(pipe::run(programs(), wpipe::formats::ALL, arguments.split(' ').map(Into::into)).into());
    }
}

#[test]
fn a_fault_of_any_stage_leaves_the_dataset_whole() {
    let dir = with_sites();
    let before = dir.sh(STATE).expect(0).stdout;
    let wpipe =
        format!("'{}' --exact joined::as_wpipe --ignored --nocapture", std::env::current_exe().unwrap().display());
    for program in PROGRAMS {
        let stage = program.trim_start_matches("wp-");
        let records = if stage == "export" { 1 } else { number(20) };
        for (fault, at) in (0..records).flat_map(|n| [Fault::Fails, Fault::Panics, Fault::Stalls].map(|f| (f, n * 31)))
        {
            let begun = if stage == "export" { "resolve.*part" } else { "^new$" };
            let script = format!(
                "export FAULT='{stage} {fault:?} {at}' WPIPE='wpipe many --max-rejects 99 -j 2 -d data --rejects rejects'; {wpipe} > out 2> said &
                 if [ {fault:?} = Stalls ]; then until ls -AR data rejects 2> null | grep -qE '{begun}'; do sleep .01; done; kill -TERM $!; fi
                 wait $!; status=$?; cat said; rm -rf rejects out said null; exit $status"
            );
            let run = dir.sh(&script);
            let what = format!("{program} {fault:?} {at}: {}", run.stdout);
            assert_eq!(run.status, if fault == Fault::Stalls { 143 } else { 2 }, "{what}");
            let says = match fault {
                Fault::Fails if stage != "export" => format!("{program}: next stage: made to fail\n"),
                // Most of a stage's work is done by its worker threads.
                Fault::Panics => "panicked: please report this\n".to_owned(),
                _ => String::new(),
            };
            assert!(run.stdout.contains(&says), "{what}");
            is_whole(&dir, &[&before], &what);
        }
    }
}
