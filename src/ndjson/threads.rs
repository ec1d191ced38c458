//! Processes lines in threads and preserves their order: batches are numbered when they are read, and written in that order, for any
//! `-j`.

use super::end::note_end;
use super::{Batch, Input, Line, Object, Output};
use crate::report::{Error, Notes, Report};
use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// The number of batches per thread: one that is being processed, and one that waits for earlier ones to be written.
const IN_FLIGHT: usize = 2;

/// The results of a batch: the `T` of one of the functions below. The code that moves batches does not depend on the type, so that
/// it is compiled once and not 26 times.
type Made = Box<dyn Any + Send>;
type Read<'r> = dyn FnMut(&mut Batch, &mut Made) -> Result<bool, Error> + Send + 'r;
type Work<'w> = dyn FnMut(&Batch, &mut Made, &mut Notes) + 'w;
type MakeWorker<'m> = dyn Fn() -> Box<Work<'m>> + Sync + 'm;
type Take<'t> = dyn FnMut(&Batch, &mut Made, &mut Report) -> Result<(), Error> + Send + 't;

/// Returns the results as a `T`.
fn of<T: 'static>(made: &mut Made) -> &mut T {
    made.downcast_mut().expect("a run makes one type")
}

/// A batch with its number and its results.
struct Job {
    number: u64,
    batch: Batch,
    made: Made,
    notes: Notes,
}

/// Turns a panic, which is a bug, into an error that ends the run with a message.
fn unless_panicked<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let panicked = |_| Err(Error::Fatal("a worker thread has panicked: please report this".into()));
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(panicked)
}

impl Job {
    fn new(made: Made) -> Self {
        Job { number: 0, batch: Batch::empty(), made, notes: Notes::default() }
    }

    fn work(&mut self, worker: &mut Work<'_>) {
        for (place, start) in self.batch.too_long() {
            self.notes.count("records_in", 1);
            self.notes.reject(place, LONG, start);
        }
        worker(&self.batch, &mut self.made, &mut self.notes);
    }
}

/// Passes every line of `input` to a worker that appends its output to a `Vec`, in `jobs` threads. The output, the messages and the
/// counts are the same for any `jobs`. Counts `records_in` and `records_out`; an output line that is longer than a line may be
/// becomes a reject, see [`end_record`]. End records are not counted; they are written unchanged after the end of the input, so that
/// a run that is killed writes none.
pub(crate) fn map_lines<W>(
    input: &mut Input,
    output: &mut Output,
    report: &mut Report,
    jobs: usize,
    make_worker: impl Fn() -> W + Sync,
) -> Result<(), Error>
where
    W: FnMut(Line<'_>, &mut Vec<u8>, &mut Notes),
{
    let most = input.max_record();
    report.counts(&["records_out"]);
    let make_worker = || {
        let mut worker = make_worker();
        move |line: Line<'_>, lines: &mut Vec<u8>, notes: &mut Notes| {
            let start = lines.len();
            worker(line, lines, notes);
            end_record(&line, start, most, lines, notes);
        }
    };
    let ends = gather(input, report, jobs, make_worker, |lines: &mut Vec<u8>, awaited| {
        output.hand_on(lines)?;
        if awaited { output.pause() } else { Ok(()) }
    })?;
    output.write(&ends)
}

/// Counts the output for a line, `out[start..]` with its line feed; if there is none, the line was rejected. A record of more than
/// `most` bytes, which the next stage would refuse, is removed and becomes a reject.
pub(crate) fn end_record(line: &Line<'_>, start: usize, most: usize, out: &mut Vec<u8>, notes: &mut Notes) {
    match out.len() - start {
        0 => {}
        length if length <= most.saturating_add(1) => notes.count("records_out", 1),
        _ => {
            out.truncate(start);
            reject_too_long(line, notes);
        }
    }
}

/// Rejects a line whose record would be longer than a line may be.
pub(crate) fn reject_too_long(line: &Line<'_>, notes: &mut Notes) {
    let object = Object::parse(line.bytes).unwrap_or_default();
    let id = object.get("id").filter(|id| *id != "null").map_or_else(|| "without id".into(), str::to_owned);
    let r#type = object.text("type");
    notes.reject(line.place(), too_long(&format!("{} {id}", r#type.as_deref().unwrap_or("record"))), line.bytes);
}

/// The message for a line that is too long to be read.
pub(super) const LONG: &str = "the line is longer than --max-record allows";

/// The message for a record that is too long to be written.
pub(crate) fn too_long(record: &str) -> String {
    format!("its record would be longer than --max-record allows ({record})")
}

/// Like [`map_lines`], for results other than one output: the workers collect the results of a batch in a `T`, and `take` gets these
/// one after the other in the order of the input. It must empty them, because they are used again. End records are noted in the
/// report, if it expects them, and otherwise dropped.
pub(crate) fn gather_lines<T, W>(
    input: &mut Input,
    report: &mut Report,
    jobs: usize,
    make_worker: impl Fn() -> W + Sync,
    mut take: impl FnMut(&mut T) -> Result<(), Error> + Send,
) -> Result<(), Error>
where
    T: Default + Send + 'static,
    W: FnMut(Line<'_>, &mut T, &mut Notes),
{
    gather_awaited_lines(input, report, jobs, make_worker, |of, _| take(of))
}

/// Like [`gather_lines`]; the second argument of `take` says whether the next input has not arrived yet, so that output should be
/// written.
pub(crate) fn gather_awaited_lines<T, W>(
    input: &mut Input,
    report: &mut Report,
    jobs: usize,
    make_worker: impl Fn() -> W + Sync,
    take: impl FnMut(&mut T, bool) -> Result<(), Error> + Send,
) -> Result<(), Error>
where
    T: Default + Send + 'static,
    W: FnMut(Line<'_>, &mut T, &mut Notes),
{
    gather(input, report, jobs, make_worker, take).map(drop)
}

/// Like [`gather_awaited_lines`], and returns the end records.
fn gather<T, W>(
    input: &mut Input,
    report: &mut Report,
    jobs: usize,
    make_worker: impl Fn() -> W + Sync,
    mut take: impl FnMut(&mut T, bool) -> Result<(), Error> + Send,
) -> Result<Vec<u8>, Error>
where
    T: Default + Send + 'static,
    W: FnMut(Line<'_>, &mut T, &mut Notes),
{
    /// The results of a batch, its end records, and the number of its other lines.
    #[derive(Default)]
    struct Lines<T> {
        of: T,
        ends: Vec<u8>,
        count: u64,
    }
    let (expects, mut ends) = (report.expects_ends, Vec::new());
    let make_worker = || {
        let mut worker = make_worker();
        move |batch: &Batch, out: &mut Lines<T>, notes: &mut Notes| {
            out.count = 0;
            for line in batch.lines() {
                if note_end(&line, expects, notes) {
                    out.ends.extend_from_slice(line.bytes);
                    out.ends.push(b'\n');
                    continue;
                }
                out.count += 1;
                worker(line, &mut out.of, notes);
            }
        }
    };
    report.counts(&["records_in"]);
    let take = |batch: &Batch, out: &mut Lines<T>, report: &mut Report| {
        take(&mut out.of, batch.is_awaited())?;
        ends.append(&mut out.ends);
        report.count("records_in", out.count);
        report.advance(out.count, batch.len() as u64);
        Ok(())
    };
    gather_batches(|batch, _| input.read(batch), report, jobs, make_worker, take)?;
    Ok(ends)
}

/// Like [`gather_lines`], batch by batch. `read` fills the next batch, and may store something in the `T`; it returns false at the
/// end. The only lines counted here are overlong ones, as rejects.
pub(crate) fn gather_batches<T, W>(
    mut read: impl FnMut(&mut Batch, &mut T) -> Result<bool, Error> + Send,
    report: &mut Report,
    jobs: usize,
    make_worker: impl Fn() -> W + Sync,
    mut take: impl FnMut(&Batch, &mut T, &mut Report) -> Result<(), Error> + Send,
) -> Result<(), Error>
where
    T: Default + Send + 'static,
    W: FnMut(&Batch, &mut T, &mut Notes),
{
    let make_worker = || -> Box<Work<'_>> {
        let mut worker = make_worker();
        Box::new(move |batch, made, notes| worker(batch, of(made), notes))
    };
    let mut read = |batch: &mut Batch, made: &mut Made| read(batch, of(made));
    let mut take = |batch: &Batch, made: &mut Made, report: &mut Report| take(batch, of(made), report);
    let jobs = jobs.max(1);
    let spare = (0..jobs * IN_FLIGHT).map(|_| Job::new(Box::new(T::default()))).collect();
    let run = SharedState {
        jobs: jobs as u64,
        make_worker: &make_worker,
        reading: Mutex::new(ReadState { read: &mut read, next: 0, ended: None }),
        writing: Mutex::new(WriteState {
            sink: Some((&mut take, report)),
            next: 0,
            early: BTreeMap::new(),
            spare,
            failed: None,
        }),
        progress: Condvar::new(),
    };
    std::thread::scope(|scope| run.work(scope));
    // A batch that failed was read before the input ended, so its error comes first.
    let failed = locked(&run.writing).failed.take();
    let ended = locked(&run.reading).ended.take();
    failed.map_or(ended.unwrap_or(Ok(())), Err)
}

/// Starts a thread; `None` if the system refuses, because of a limit on processes or memory: the other threads then do the work.
pub(crate) fn start<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> R + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, R>> {
    Builder::new().spawn_scoped(scope, work).ok()
}

/// The shared state of the threads of a run. Each thread reads a batch, works on it, and writes it when its turn comes. So a batch
/// stays in the cache of its core, and no thread has to be woken to take it over: in a pipe, the other programs use the cores.
struct SharedState<'r, 'c> {
    jobs: u64,
    make_worker: &'r MakeWorker<'c>,
    reading: Mutex<ReadState<'r, 'c>>,
    writing: Mutex<WriteState<'r, 'c>>,
    /// Signals that a batch has been written, or the run has failed.
    progress: Condvar,
}

struct ReadState<'r, 'c> {
    read: &'r mut Read<'c>,
    /// The number of the next batch.
    next: u64,
    /// How the input ended.
    ended: Option<Result<(), Error>>,
}

struct WriteState<'r, 'c> {
    /// The destination of batches; `None` while a thread writes one.
    sink: Option<(&'r mut Take<'c>, &'r mut Report)>,
    /// The number of the batch to be written next.
    next: u64,
    /// Finished batches with higher numbers.
    early: BTreeMap<u64, Job>,
    /// Batches that are free for reading; the one that was written last is used first, because its memory is in the cache.
    spare: Vec<Job>,
    /// The error that stops the other threads.
    failed: Option<Error>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SharedState<'_, '_> {
    /// The loop of a thread, until there are no more batches. Each of the first batches starts another thread, so that short inputs
    /// start none: starting threads is a third of the start-up time.
    fn work<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
        let mut worker = None;
        while let Some(mut job) = self.read() {
            if job.number + 1 < self.jobs {
                start(scope, || self.work(scope));
            }
            let worked = unless_panicked(|| {
                job.work(worker.get_or_insert_with(self.make_worker));
                Ok(())
            });
            if !self.write(job, worked) {
                break;
            }
        }
    }

    /// The next batch; `None` at the end of the input, or if the run has failed.
    fn read(&self) -> Option<Job> {
        let idle = |writing: &mut WriteState<'_, '_>| writing.spare.is_empty() && writing.failed.is_none();
        let mut writing = self.progress.wait_while(locked(&self.writing), idle).unwrap_or_else(PoisonError::into_inner);
        let mut job = if writing.failed.is_none() { writing.spare.pop() } else { None }?;
        drop(writing);
        let mut reading = locked(&self.reading);
        if reading.ended.is_none() {
            match unless_panicked(|| (reading.read)(&mut job.batch, &mut job.made)) {
                Ok(true) => {
                    job.number = reading.next;
                    reading.next += 1;
                    return Some(job);
                }
                ended => reading.ended = Some(ended.map(drop)),
            }
        }
        drop(reading);
        // Another thread may wait for a batch, and will find the end, too.
        locked(&self.writing).spare.push(job);
        self.progress.notify_all();
        None
    }

    /// Writes a finished batch and the finished ones after it, unless an earlier one is missing or another thread is writing; that
    /// thread will then write it. Returns false if the run has failed.
    fn write(&self, job: Job, worked: Result<(), Error>) -> bool {
        let mut writing = locked(&self.writing);
        match worked {
            Ok(()) => drop(writing.early.insert(job.number, job)),
            Err(error) => drop(writing.failed.get_or_insert(error)),
        }
        let Some((take, report)) = writing.sink.take() else { return writing.failed.is_none() };
        while writing.failed.is_none() {
            let next = writing.next;
            let Some(mut job) = writing.early.remove(&next) else { break };
            drop(writing);
            // Errors come first: after one, the results of the batch are useless.
            let noted = unless_panicked(|| report.absorb(std::mem::take(&mut job.notes)));
            let written = noted.and_then(|()| unless_panicked(|| take(&job.batch, &mut job.made, report)));
            job.batch.clear();
            writing = locked(&self.writing);
            writing.next += 1;
            writing.failed = writing.failed.take().or(written.err());
            writing.spare.push(job);
            self.progress.notify_all();
        }
        writing.sink = Some((take, report));
        self.progress.notify_all();
        writing.failed.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Place;

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Breaks {
        Nothing,
        Read,
        PanicOfRead,
        PanicOfStart,
        PanicOfWork,
        Take,
        PanicOfTake,
    }

    /// Returns the results taken from fifty batches if the twentieth `breaks`, and how the run ended.
    fn run(jobs: usize, breaks: Breaks) -> (Vec<u64>, Result<(), String>) {
        let (mut number, mut taken) = (0_u64, Vec::new());
        let error = || Error::Fatal("broken".into());
        let done = gather_batches(
            |batch, made: &mut u64| {
                if number == 20 && breaks == Breaks::Read {
                    return Err(error());
                }
                assert!(number != 20 || breaks != Breaks::PanicOfRead);
                (batch.length, *made) = (1, number);
                number += 1;
                Ok(number <= 50)
            },
            &mut Report::silent("wp-test"),
            jobs,
            || {
                assert!(breaks != Breaks::PanicOfStart);
                |_: &Batch, made: &mut u64, notes: &mut Notes| {
                    assert!(*made != 20 || breaks != Breaks::PanicOfWork);
                    // so that they are not finished in their order
                    std::thread::sleep(std::time::Duration::from_micros(*made * 7919 % 300));
                    notes.reject(Place::line(&"-".into(), *made), "odd", b"");
                }
            },
            |_, made, report| {
                assert_eq!(report.rejected(), *made + 1, "a batch is taken with its notes");
                assert!(*made != 20 || breaks != Breaks::PanicOfTake);
                taken.push(*made);
                if *made == 20 && breaks == Breaks::Take { Err(error()) } else { Ok(()) }
            },
        );
        (taken, done.map_err(|error| error.to_string()))
    }

    #[test]
    fn a_run_ends_however_it_breaks_and_what_was_taken_is_in_order() {
        let panic = "a worker thread has panicked: please report this";
        for jobs in [0, 1, 2, 3, 8] {
            for (breaks, taken, error) in [
                (Breaks::Nothing, 50..=50, None),
                (Breaks::Read, 20..=20, Some("broken")),
                (Breaks::PanicOfRead, 20..=20, Some(panic)),
                (Breaks::PanicOfStart, 0..=0, Some(panic)),
                (Breaks::PanicOfWork, 0..=20, Some(panic)),
                (Breaks::Take, 21..=21, Some("broken")),
                (Breaks::PanicOfTake, 20..=20, Some(panic)),
            ] {
                let (found, ended) = run(jobs, breaks);
                assert!(taken.contains(&found.len()), "-j{jobs}, {breaks:?}: {} are taken", found.len());
                assert!(found.iter().copied().eq(0..found.len() as u64), "-j{jobs}, {breaks:?}: {found:?}");
                assert_eq!(ended.err().as_deref(), error, "-j{jobs}, {breaks:?}");
            }
        }
    }
}
