//! Tests that time grows linearly with the input, whatever repeats or nests in it: a table of generators, each run at n and at 4n.
//!
//! Linear work gives a ratio of four, quadratic work sixteen. `make test` measures the user time of a part of the table; `make growth`, a
//! part of `make check`, counts the instructions of the whole table under valgrind, which do not depend on other load on the machine.
//! WPIPE_PROGRAMS names optimised programs for that, because unoptimised ones would take hours. With WPIPE_IN_TURN, as in `make check`, the
//! formats of running text take turns.

mod compared;
mod generators;

use crate::workdir::Workdir;
use generators::{Generator, all};
use std::collections::HashMap;
use std::sync::Mutex;

/// The steps that a generator may name, and their commands. The numbers are files: wp-index writes 1, wp-resolve writes 4, which the later
/// steps read. A step that is not listed here is a format of wp-export, which reads 4, too.
const STEPS: [(&str, &str); 9] = [
    ("wp-index", "wp-index -q -j1 -o 1 ARGUMENTS"),
    ("wp-parse", "wp-parse -q -j1 1 -o 2"),
    ("wp-translations", "wp-translations -q -j1 2 -o 3 --explain 9"),
    ("wp-resolve", "wp-resolve -q -j1 3 -o 4"),
    ("wp-align", "wp-align -q -j1 4 -o 8"),
    ("wp-groups --sign", "wp-groups --sign -q -j1 4 -o 5"),
    ("wp-groups", "wp-groups -q -j1 5 -o 6"),
    ("wp-diff", "wp-diff -q -j1 --allow-empty 3 4 -o 7"),
    ("wp-language", "wp-language -q -j1 4 -o 10"),
];

/// Inputs stop growing at this size, even if the step is still too fast to compare ([`LEAST_SECONDS`]).
const MOST_BYTES: u64 = 24 << 20;
/// The same under valgrind, where every byte takes fifty times as long.
const MOST_COUNTED: u64 = 2 << 20;

/// Puts the programs of WPIPE_PROGRAMS before those built for the tests.
const OPTIMISED: &str = "PATH=${WPIPE_PROGRAMS:-.}:$PATH; ";

/// A directory with an input of one size and the files that the measured step reads, and the command of that step.
struct Prepared {
    dir: Workdir,
    command: String,
}

fn prepare(generator: &Generator, step: &str, n: usize) -> Prepared {
    let dir = Workdir::new();
    let arguments = (generator.write)(n, &dir);
    for (name, command) in STEPS {
        let command = command.replace("ARGUMENTS", arguments);
        if name == "wp-index" && arguments.is_empty() || arguments == compared::RECORDS && name != step {
            continue;
        }
        if name == step {
            return Prepared { dir, command };
        }
        let is_beside = name.starts_with("wp-groups") || matches!(name, "wp-diff" | "wp-align" | "wp-language");
        if is_beside && !(name == "wp-groups --sign" && step == "wp-groups") {
            continue;
        }
        let run = dir.sh(&format!("{OPTIMISED}{command}"));
        assert!(matches!(run.status, 0 | 1), "{} at {n}: {command}: {} {}", generator.name, run.status, run.stderr);
    }
    Prepared { dir, command: format!("wp-export -q -j1 --allow-empty --format {step} -d d 4") }
}

impl Prepared {
    /// Bytes written by the generator and the steps.
    fn bytes(&self) -> u64 {
        self.dir.sh("du -sb --apparent-size .").stdout.split_whitespace().next().unwrap().parse().unwrap()
    }

    fn run(&self, command: &str) -> String {
        let run = self.dir.sh(&format!("rm -rf d; {command}"));
        assert!(matches!(run.status, 0 | 1), "{command}: {} {}", run.status, run.stderr);
        run.stderr
    }

    /// User seconds of the command.
    fn seconds(&self) -> f64 {
        let stderr = self.run(&format!("TIMEFORMAT=%U; time {}", self.command));
        stderr.lines().last().unwrap().parse().unwrap_or_else(|_| panic!("no time: {stderr}"))
    }

    /// The number of instructions that the command executes. Optimised programs execute a tenth as many as unoptimised ones.
    fn instructions(&self) -> f64 {
        // Callgrind counts the same (to a few instructions in a thousand million), but takes more than twice as long.
        let valgrind = "valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null --log-file=log";
        self.run(&format!("{OPTIMISED}{valgrind} {}", self.command));
        let log = self.dir.read("log");
        let count = log.lines().find_map(|line| line.rsplit_once(" refs:")).unwrap_or_else(|| panic!("{log}"));
        count.1.trim().replace(',', "").parse().unwrap()
    }
}

/// A step with less user time than this is not compared.
const LEAST_SECONDS: f64 = 0.1;

/// How much longer a step takes for four times the size. A ratio between 9 and 13 is measured up to two more times, and the least counts.
fn ratio(generator: &Generator, step: &str, mut n: usize) -> (f64, usize) {
    let mut small = prepare(generator, step, n);
    let mut first = small.seconds();
    while first < LEAST_SECONDS && small.bytes() < MOST_BYTES / 4 {
        n *= ((1.2 * LEAST_SECONDS / first.max(0.01)).ceil() as usize).max(2);
        small = prepare(generator, step, n);
        first = small.seconds();
    }
    let large = prepare(generator, step, 4 * n);
    let mut least = large.seconds() / first.max(LEAST_SECONDS);
    for _ in 0..2 {
        if (9.0..13.0).contains(&least) {
            least = least.min(large.seconds() / small.seconds().max(LEAST_SECONDS));
        }
    }
    (least, n)
}

/// The generators that are timed, a third of them in `make test`, each with the step that was once quadratic or does most of the work.
#[test]
fn time_grows_with_the_input() {
    let only = std::env::var("ONLY").ok();
    let every = if only.is_some() || std::env::var_os("WPIPE_CASES").is_some() { 1 } else { 3 };
    let mut wrong = Vec::new();
    for (generator, (step, n)) in
        all().iter().filter_map(|generator| Some((generator, generator.timed?))).step_by(every)
    {
        if !format!("{step} {}", generator.name).contains(only.as_deref().unwrap_or_default()) {
            continue;
        }
        let (ratio, n) = ratio(generator, step, n);
        println!("{ratio:6.2}  {step:18} {} (n = {n})", generator.name);
        if ratio >= 9.0 {
            wrong.push(format!("{}: {step} takes {ratio:.1} times as long for 4 × {n} as for {n}", generator.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// One line of the table. The ratio is 0 if the step does too little work to measure.
struct Counted {
    ratio: f64,
    line: String,
    /// Its line in [`SIZES`].
    size: String,
}

/// A higher ratio is not linear: linear work has four, quadratic work sixteen.
const MOST_RATIO: f64 = 6.0;

/// The cost of starting: the instructions of each step on an input of size 1, for each group of generators. The group is the part of a
/// generator's name before the colon.
#[derive(Default)]
struct Starts(Mutex<HashMap<(String, String), f64>>);

impl Starts {
    fn of(&self, generator: &Generator, step: &str) -> f64 {
        let group = generator.name.split(':').next().unwrap_or_default();
        let key = (step.to_owned(), group.to_owned());
        if let Some(start) = self.0.lock().unwrap().get(&key) {
            return *start;
        }
        let start = prepare(generator, step, 1).instructions();
        self.0.lock().unwrap().insert(key, start);
        start
    }
}

/// The sizes that were large enough when data/growth.tsv was last written (`make growth SIZES=tests/data/growth.tsv`). Starting from them,
/// most lines are counted twice instead of four times. If a size is missing or has become too small, a new one is searched for.
const SIZES: &str = include_str!("data/growth.tsv");

/// Steps, names and sizes, separated by tabs.
fn sizes() -> HashMap<(&'static str, &'static str), usize> {
    let cells = SIZES.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    cells.map(|cells| ((cells[0], cells[1]), cells[2].parse().unwrap())).collect()
}

/// Counts one line of the table, starting with the size `n`.
fn counted(generator: &Generator, step: &str, mut n: usize, nothing: f64) -> Counted {
    let mut small = prepare(generator, step, n);
    let mut at_n = small.instructions();
    while at_n < 5.0 * nothing && small.bytes() < MOST_COUNTED / 4 {
        let factor = 4.0 * nothing / (at_n - nothing).max(nothing / 4.0);
        n *= (factor.ceil() as usize).max(2);
        small = prepare(generator, step, n);
        at_n = small.instructions();
    }
    let at_4n = prepare(generator, step, 4 * n).instructions();
    let ratio = (at_4n - nothing) / (at_n - nothing).max(1.0);
    // A step that needs little more than the program's start has no meaningful ratio.
    let told = at_4n >= 5.0 * nothing;
    let shown = if told { format!("{ratio:6.2}") } else { "  none".to_owned() };
    let line = format!("{shown}  {step:18} {} (n = {n})", generator.name);
    Counted { ratio: if told { ratio } else { 0.0 }, line, size: format!("{step}\t{}\t{n}", generator.name) }
}

/// The formats that parse the markup of contents again.
const TEXTS: [&str; 4] = ["text", "markdown", "tei", "vert"];

/// The steps of a generator. In turn means: one of [`TEXTS`] for each generator, so that each is counted with a quarter of them.
fn steps(generator: &Generator, turn: Option<usize>) -> impl Iterator<Item = &'static str> {
    let texts: Vec<&str> = generator.steps.iter().copied().filter(|step| TEXTS.contains(step)).collect();
    let own = turn.and_then(|turn| texts.get(turn % texts.len().max(1)).copied());
    generator.steps.iter().copied().filter(move |step| own.is_none_or(|own| own == *step || !TEXTS.contains(step)))
}

/// `make growth`: all generators with all their steps.
#[test]
#[ignore = "takes minutes, and needs valgrind: make growth"]
fn instructions_grow_with_the_input() {
    let only = std::env::var("ONLY").unwrap_or_default();
    let table = all();
    let in_turn = std::env::var_os("WPIPE_IN_TURN").is_some();
    let mut jobs: Vec<(&Generator, &str)> = Vec::new();
    for (at, generator) in table.iter().enumerate() {
        jobs.extend(steps(generator, in_turn.then_some(at)).map(|step| (generator, step)));
    }
    jobs.retain(|(generator, step)| format!("{step} {}", generator.name).contains(&only));
    println!("{} lines", jobs.len());
    jobs.reverse();
    let jobs = Mutex::new(jobs);
    let counts = Mutex::new(Vec::new());
    let (sizes, starts) = (sizes(), Starts::default());
    let work = || {
        loop {
            let Some((generator, step)) = jobs.lock().unwrap().pop() else { return };
            let n = sizes.get(&(step, &*generator.name)).copied().unwrap_or(generator.n);
            let counted = counted(generator, step, n, starts.of(generator, step));
            println!("{} {}", if counted.ratio <= MOST_RATIO { "ok  " } else { "MORE" }, counted.line);
            counts.lock().unwrap().push(counted);
        }
    };
    std::thread::scope(|scope| {
        (0..std::thread::available_parallelism().unwrap().get()).for_each(|_| drop(scope.spawn(work)))
    });
    let mut counts = counts.into_inner().unwrap();
    if let Ok(file) = std::env::var("SIZES") {
        // With ONLY, the other lines are kept.
        let is_counted = |line: &str| {
            line.rsplit_once('\t')
                .is_some_and(|(key, _)| counts.iter().any(|c| c.size.starts_with(&format!("{key}\t"))))
        };
        let others = SIZES.lines().filter(|line| !only.is_empty() && !is_counted(line));
        let mut lines: Vec<&str> = counts.iter().map(|counted| &*counted.size).chain(others).collect();
        lines.sort_unstable();
        std::fs::write(file, lines.join("\n") + "\n").unwrap();
    }
    counts.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
    println!("The worst of {} lines:", counts.len());
    counts.iter().take(10).for_each(|counted| println!("{}", counted.line));
    let wrong = counts.iter().filter(|counted| counted.ratio > MOST_RATIO).map(|counted| &*counted.line);
    let wrong: Vec<&str> = wrong.collect();
    assert!(wrong.is_empty(), "more than linear:\n{}", wrong.join("\n"));
}
