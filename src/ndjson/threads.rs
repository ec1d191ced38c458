//! Worker threads that preserve the order: batches are numbered when read and written in that order, whatever `-j`.

use super::end::note_end;
use super::{Batch, Input, Line, Output};
use crate::report::{Error, Notes, Report};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Batches under way for each worker: one in work, one waiting, one being written.
const IN_FLIGHT: usize = 3;

/// A batch, what became of it, and its number.
struct Job<T> {
    number: u64,
    batch: Batch,
    out: T,
    notes: Notes,
}

/// A panic is a bug: the run ends with a message, and neither hangs nor crashes.
fn panicked() -> Error {
    Error::Trouble("a worker thread has panicked: please report this".into())
}

impl<T: Default> Job<T> {
    fn empty() -> Self {
        Job { number: 0, batch: Batch::empty(), out: T::default(), notes: Notes::default() }
    }

    fn work(&mut self, worker: &mut impl FnMut(&Batch, &mut T, &mut Notes)) -> Result<(), Error> {
        for (place, start) in self.batch.too_long() {
            self.notes.count("records_in", 1);
            self.notes.reject(place, "the line is longer than --max-record allows", start);
        }
        let work = AssertUnwindSafe(|| worker(&self.batch, &mut self.out, &mut self.notes));
        catch_unwind(work).map_err(|_| panicked())
    }

    fn finish(
        &mut self,
        take: &mut impl FnMut(&Batch, &mut T, &mut Report) -> Result<(), Error>,
        report: &mut Report,
    ) -> Result<(), Error> {
        // Trouble comes first: what was made of the batch after it is worth nothing.
        report.absorb(std::mem::take(&mut self.notes))?;
        take(&self.batch, &mut self.out, report)
    }
}

/// Runs every line of `input` through a worker that appends its output to its `Vec`, in `jobs` threads.
/// The output, the messages and the counts are the same for any `jobs`. Counts `records_in`. End records are not
/// counted; they pass unchanged when the input has ended, so that a run that is killed passes none.
///
/// # Errors
/// When reading or writing fails, or the report stops the run.
pub fn map_lines<W>(
    input: &mut Input,
    output: &mut Output,
    report: &mut Report,
    jobs: usize,
    make_worker: impl Fn() -> W + Sync,
) -> Result<(), Error>
where
    W: FnMut(Line<'_>, &mut Vec<u8>, &mut Notes),
{
    let ends = gather(input, report, jobs, make_worker, |lines: &mut Vec<u8>, awaited| {
        output.write(lines)?;
        lines.clear();
        if awaited { output.pause() } else { Ok(()) }
    })?;
    output.write(&ends)
}

/// As [`map_lines`], for what is not one output: the workers put what they find in a batch into a `T`, and `take` is
/// given these one after the other in the order of the input. It leaves them empty: they are used again. End records are
/// noted in the report, if it expects them, and come to nothing else.
///
/// # Errors
/// As [`map_lines`], and those of `take`.
pub fn gather_lines<T, W>(
    input: &mut Input,
    report: &mut Report,
    jobs: usize,
    make_worker: impl Fn() -> W + Sync,
    mut take: impl FnMut(&mut T) -> Result<(), Error>,
) -> Result<(), Error>
where
    T: Default + Send,
    W: FnMut(Line<'_>, &mut T, &mut Notes),
{
    gather_awaited_lines(input, report, jobs, make_worker, |of, _| take(of))
}

/// As [`gather_lines`]; `take` also learns whether the input has no more at the moment, so that output should be
/// written.
///
/// # Errors
/// As [`gather_lines`].
pub fn gather_awaited_lines<T, W>(
    input: &mut Input,
    report: &mut Report,
    jobs: usize,
    make_worker: impl Fn() -> W + Sync,
    take: impl FnMut(&mut T, bool) -> Result<(), Error>,
) -> Result<(), Error>
where
    T: Default + Send,
    W: FnMut(Line<'_>, &mut T, &mut Notes),
{
    gather(input, report, jobs, make_worker, take).map(drop)
}

/// As [`gather_awaited_lines`]: the end records.
fn gather<T, W>(
    input: &mut Input,
    report: &mut Report,
    jobs: usize,
    make_worker: impl Fn() -> W + Sync,
    mut take: impl FnMut(&mut T, bool) -> Result<(), Error>,
) -> Result<Vec<u8>, Error>
where
    T: Default + Send,
    W: FnMut(Line<'_>, &mut T, &mut Notes),
{
    /// What was made of a batch, its end records, and how many other lines it had.
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

/// As [`gather_lines`], batch by batch. `read` fills the next batch and may put something beside it; false at the end.
/// Nothing is counted here but lines that are too long, as rejects.
///
/// # Errors
/// Those of `read` and `take`, or when the report stops the run.
pub fn gather_batches<T, W>(
    mut read: impl FnMut(&mut Batch, &mut T) -> Result<bool, Error> + Send,
    report: &mut Report,
    jobs: usize,
    make_worker: impl Fn() -> W + Sync,
    mut take: impl FnMut(&Batch, &mut T, &mut Report) -> Result<(), Error>,
) -> Result<(), Error>
where
    T: Default + Send,
    W: FnMut(&Batch, &mut T, &mut Notes),
{
    if jobs > 1 {
        // Without anything to do no thread is started: they are a third of the start.
        let mut first = Job::empty();
        let any = read(&mut first.batch, &mut first.out)?;
        return if any { gather_in_threads(first, read, report, jobs, &make_worker, &mut take) } else { Ok(()) };
    }
    gather_here(Job::empty(), read, report, make_worker, &mut take)
}

/// Works in this thread alone, beginning with `job`: a batch, or an empty one.
fn gather_here<T, W>(
    mut job: Job<T>,
    mut read: impl FnMut(&mut Batch, &mut T) -> Result<bool, Error>,
    report: &mut Report,
    make_worker: impl Fn() -> W,
    take: &mut impl FnMut(&Batch, &mut T, &mut Report) -> Result<(), Error>,
) -> Result<(), Error>
where
    T: Default,
    W: FnMut(&Batch, &mut T, &mut Notes),
{
    let mut worker = make_worker();
    while !job.batch.is_empty() || read(&mut job.batch, &mut job.out)? {
        job.work(&mut worker)?;
        job.finish(take, report)?;
        job.batch.clear();
    }
    Ok(())
}

/// Starts a thread; none where the system refuses one (a limit of processes or of memory): then fewer do the work.
pub(crate) fn start<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> R + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, R>> {
    Builder::new().spawn_scoped(scope, work).ok()
}

fn gather_in_threads<T, W>(
    first: Job<T>,
    read: impl FnMut(&mut Batch, &mut T) -> Result<bool, Error> + Send,
    report: &mut Report,
    jobs: usize,
    make_worker: &(impl Fn() -> W + Sync),
    take: &mut impl FnMut(&Batch, &mut T, &mut Report) -> Result<(), Error>,
) -> Result<(), Error>
where
    T: Default + Send,
    W: FnMut(&Batch, &mut T, &mut Notes),
{
    let (to_workers, waiting) = channel::<Job<T>>();
    let (to_writer, finished) = channel::<Result<Job<T>, Error>>();
    let (to_reader, spent) = channel::<Job<T>>();
    let (waiting, read) = (&Mutex::new(waiting), &Mutex::new(read));
    for _ in 1..jobs * IN_FLIGHT {
        to_reader.send(Job::empty()).expect("the receiver is alive");
    }
    std::thread::scope(|scope| {
        // One for each batch, until there are enough.
        let start_worker = move |to_writer: &Sender<_>| {
            let to_writer = to_writer.clone();
            start(scope, move || work_on(waiting, &to_writer, make_worker)).is_some()
        };
        let for_first = to_workers.clone();
        let has_worker = start_worker(&to_writer);
        let reads = move || {
            let read = &mut *read.lock().unwrap_or_else(PoisonError::into_inner);
            let mut more = true;
            read_batches(read, &spent, |job| {
                more = more && job.number < jobs as u64 && start_worker(&to_writer);
                to_workers.send(job).is_ok()
            })
        };
        let Some(reading) = has_worker.then(|| start(scope, reads)).flatten() else {
            drop(for_first);
            let read = &mut *read.lock().unwrap_or_else(PoisonError::into_inner);
            return gather_here(first, read, report, make_worker, take);
        };
        for_first.send(first).expect("the receiver is alive");
        drop(for_first);
        let written = take_in_order(&finished, &to_reader, take, report);
        // Without these two the others would wait for a writer that has given up.
        drop((finished, to_reader));
        let read = reading.join().unwrap_or_else(|_| Err(panicked()));
        written.and(read)
    })
}

/// The loop of a worker, until there are no more batches.
fn work_on<T, W>(
    waiting: &Mutex<Receiver<Job<T>>>,
    to_writer: &Sender<Result<Job<T>, Error>>,
    make_worker: &impl Fn() -> W,
) where
    T: Default,
    W: FnMut(&Batch, &mut T, &mut Notes),
{
    let mut worker = make_worker();
    loop {
        let job = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(mut job) = job else { break };
        let worked = job.work(&mut worker);
        let goes_on = worked.is_ok();
        if to_writer.send(worked.map(|()| job)).is_err() || !goes_on {
            break;
        }
    }
}

fn read_batches<T: Default>(
    read: &mut impl FnMut(&mut Batch, &mut T) -> Result<bool, Error>,
    spent: &Receiver<Job<T>>,
    mut send: impl FnMut(Job<T>) -> bool,
) -> Result<(), Error> {
    // The first is on its way already.
    let mut number = 1;
    while let Ok(mut job) = spent.recv() {
        if !read(&mut job.batch, &mut job.out)? {
            break;
        }
        job.number = number;
        number += 1;
        if !send(job) {
            break;
        }
    }
    Ok(())
}

fn take_in_order<T: Default>(
    finished: &Receiver<Result<Job<T>, Error>>,
    to_reader: &Sender<Job<T>>,
    take: &mut impl FnMut(&Batch, &mut T, &mut Report) -> Result<(), Error>,
    report: &mut Report,
) -> Result<(), Error> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for job in finished {
        let job = job?;
        early.insert(job.number, job);
        while let Some(mut job) = early.remove(&next) {
            job.finish(take, report)?;
            next += 1;
            // The reader may be at its end already.
            let _ = to_reader.send(job);
        }
    }
    Ok(())
}
