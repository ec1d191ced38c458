//! Runs the five stages at once, as threads of one process: the same as a pipe of the five programs, without copying the data between
//! them. Callers decide what the results mean for files and statuses.

use crate::dump::Sources;
use crate::ndjson::{Ending, Input, Output, hand_over};
use crate::report::{Error, Report};
use crate::stage::{export, index, parse, resolve, translations};
use std::thread::{Builder, scope};

/// The programs of the stages, in their order.
pub const PROGRAMS: [&str; 5] = ["wp-index", "wp-parse", "wp-translations", "wp-resolve", "wp-export"];

/// The number of bytes of a stage's stack: the same as for the main thread of a program.
const STACK: usize = 8 << 20;

/// The options of the five stages.
#[derive(Default)]
#[allow(missing_docs, reason = "each is what its stage says")]
pub struct Options {
    pub index: index::Options,
    pub parse: parse::Options,
    pub translations: translations::Options,
    pub resolve: resolve::Options,
    pub export: export::Options,
}

/// Runs the five stages: from a dump to a dataset in its place, or to its lines in `output`. Each stage has a report, which counts its
/// rejects: `PROGRAMS.map(Report::silent)` makes five.
///
/// # Errors
/// The error of the first stage that fails by itself; an older dataset is then unchanged.
pub fn run(
    options: &Options,
    sources: &mut Sources,
    output: &mut Output,
    reports: &mut [Report; 5],
) -> Result<(), Error> {
    let most = sources.max_record();
    let [first, second, third, fourth, fifth] = reports;
    let Options { index, parse, translations, resolve, export } = options;
    let stages = [
        filter(most, move |_, output| index::run(index, sources, output, first)),
        filter(most, move |input, output| parse::run(parse, input, output, second)),
        filter(most, move |input, output| translations::run(translations, input, output, third)),
        filter(most, move |input, output| resolve::run(resolve, input, output, fourth)),
        filter(most, move |input, _| export::run(export, input, output, fifth).and_then(|()| output.flush())),
    ];
    let ended = join(PROGRAMS.into_iter().zip(stages).collect(), |_| true);
    let ended: Vec<Result<(), Error>> = ended.into_iter().map(|ended| ended.and_then(|done| done)).collect();
    let is_own = |done: &Result<(), Error>| !matches!(done, Ok(()) | Err(Error::BrokenOff(_) | Error::BrokenPipe));
    let at = ended.iter().position(is_own).unwrap_or(ended.len() - 1);
    ended.into_iter().nth(at).unwrap_or(Ok(()))
}

fn filter<'s>(
    max_record: usize,
    work: impl FnOnce(&mut Input, &mut Output) -> Result<(), Error> + Send + 's,
) -> Stage<'s, Result<(), Error>> {
    Box::new(move |input, output| {
        let mut input = input.unwrap_or_else(|| Input::new(Vec::new()));
        let mut output = output.unwrap_or_else(|| Output::in_memory().0);
        input.limit_records(max_record);
        let done = work(&mut input, &mut output).and_then(|()| output.flush());
        let is_whole = done.is_ok();
        (done, is_whole)
    })
}

/// A stage. Its arguments are its input, unless it is the first, and its output, unless it is the last. It returns its result, and
/// whether it has written all of its lines.
pub(crate) type Stage<'s, T> = Box<dyn FnOnce(Option<Input>, Option<Output>) -> (T, bool) + Send + 's>;

/// Runs stages, each of which reads the output of the one before it, and returns their results: an error for a stage that panics, whose
/// lines are then broken off. The input of the last stage ends when all others have ended, and is broken off if `is_good` returns false
/// for their results.
pub(crate) fn join<T: Send>(
    stages: Vec<(&'static str, Stage<'_, T>)>,
    is_good: impl Fn(&[Result<T, Error>]) -> bool,
) -> Vec<Result<T, Error>> {
    let count = stages.len();
    scope(|scope| {
        let (mut threads, mut input) = (Vec::new(), None);
        for (at, (program, stage)) in stages.into_iter().enumerate() {
            let (output, ending, next) = if at + 1 < count {
                let (output, ending, next) = hand_over(program);
                (Some(output), Some(ending), Some(next))
            } else {
                (None, None, None)
            };
            let input = std::mem::replace(&mut input, next);
            let work = move || {
                let (made, is_whole) = stage(input, output);
                (made, ending.filter(|_| is_whole))
            };
            let thread = Builder::new().name(program.to_owned()).stack_size(STACK);
            threads.push((program, thread.spawn_scoped(scope, work)));
        }
        let (mut ended, mut before) = (Vec::new(), None::<Ending>);
        for (program, thread) in threads {
            // All earlier stages have ended.
            let goes_on = ended.len() + 1 < count || is_good(&ended);
            if let Some(ending) = before.take().filter(|_| goes_on) {
                ending.well();
            }
            let thread = thread.map_err(|e| Error::io(format!("{program}: thread"), e));
            let panicked = |_| Error::Fatal(format!("{program} has panicked: please report this"));
            ended.push(thread.and_then(|thread| thread.join().map_err(panicked)).map(|(made, ending)| {
                before = ending;
                made
            }));
        }
        ended
    })
}
