//! Worker threads that preserve the order: batches are numbered when read and written in that order, whatever `-j`.

use super::end::note_end;
use super::{Batch, Input, Line, Object, Output};
use crate::report::{Error, Notes, Report};
use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Batches under way for each worker: one in work, one waiting, one being written.
const IN_FLIGHT: usize = 3;

/// What becomes of a batch: the `T` of one of the functions below. What moves batches does not know it, so that it is
/// compiled once and not for each of 26.
type Made = Box<dyn Any + Send>;
type Read<'r> = dyn FnMut(&mut Batch, &mut Made) -> Result<bool, Error> + Send + 'r;
type Work<'w> = dyn FnMut(&Batch, &mut Made, &mut Notes) + 'w;
type MakeWorker<'m> = dyn Fn() -> Box<Work<'m>> + Sync + 'm;
type Take<'t> = dyn FnMut(&Batch, &mut Made, &mut Report) -> Result<(), Error> + 't;

/// The `T` in it.
fn of<T: 'static>(made: &mut Made) -> &mut T {
    made.downcast_mut().expect("a run makes one type")
}

/// A batch, what became of it, and its number.
struct Job {
    number: u64,
    batch: Batch,
    made: Made,
    notes: Notes,
}

/// A panic is a bug: the run ends with a message, and neither hangs nor crashes.
fn panicked() -> Error {
    Error::Fatal("a worker thread has panicked: please report this".into())
}

impl Job {
    fn new(made: Made) -> Self {
        Job { number: 0, batch: Batch::empty(), made, notes: Notes::default() }
    }

    fn work(&mut self, worker: &mut Work<'_>) -> Result<(), Error> {
        for (place, start) in self.batch.too_long() {
            self.notes.count("records_in", 1);
            self.notes.reject(place, "the line is longer than --max-record allows", start);
        }
        let work = AssertUnwindSafe(|| worker(&self.batch, &mut self.made, &mut self.notes));
        catch_unwind(work).map_err(|_| panicked())
    }

    fn finish(&mut self, take: &mut Take<'_>, report: &mut Report) -> Result<(), Error> {
        // An error comes first: what was made of the batch after it is worth nothing.
        report.absorb(std::mem::take(&mut self.notes))?;
        take(&self.batch, &mut self.made, report)
    }
}

/// Runs every line of `input` through a worker that appends its output to its `Vec`, in `jobs` threads.
/// The output, the messages and the counts are the same for any `jobs`. Counts `records_in` and `records_out`; what is made of a
/// line and longer than a line may be is a reject, see [`end_record`]. End records are not
/// counted; they pass unchanged when the input has ended, so that a run that is killed passes none.
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
    let make_worker = || {
        let mut worker = make_worker();
        move |line: Line<'_>, lines: &mut Vec<u8>, notes: &mut Notes| {
            let start = lines.len();
            worker(line, lines, notes);
            end_record(&line, start, most, lines, notes);
        }
    };
    let ends = gather(input, report, jobs, make_worker, |lines: &mut Vec<u8>, awaited| {
        output.write(lines)?;
        lines.clear();
        if awaited { output.pause() } else { Ok(()) }
    })?;
    output.write(&ends)
}

/// Counts what was made of a line, `out[start..]` with its line feed; nothing if that is a reject. What the next stage would
/// refuse, a record of more than `most` bytes, is taken back and a reject.
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

/// A line of which no record can be made, because it would be longer than a line may be.
pub(crate) fn reject_too_long(line: &Line<'_>, notes: &mut Notes) {
    let object = Object::parse(line.bytes).unwrap_or_default();
    let id = object.get("id").filter(|id| *id != "null").map_or_else(|| "without id".into(), str::to_owned);
    let r#type = object.text("type");
    notes.reject(line.place(), too_long(&format!("{} {id}", r#type.as_deref().unwrap_or("record"))), line.bytes);
}

/// What is said of a record that cannot be written.
pub(crate) fn too_long(record: &str) -> String {
    format!("its record would be longer than --max-record allows ({record})")
}

/// As [`map_lines`], for what is not one output: the workers put what they find in a batch into a `T`, and `take` is
/// given these one after the other in the order of the input. It leaves them empty: they are used again. End records are
/// noted in the report, if it expects them, and come to nothing else.
pub(crate) fn gather_lines<T, W>(
    input: &mut Input,
    report: &mut Report,
    jobs: usize,
    make_worker: impl Fn() -> W + Sync,
    mut take: impl FnMut(&mut T) -> Result<(), Error>,
) -> Result<(), Error>
where
    T: Default + Send + 'static,
    W: FnMut(Line<'_>, &mut T, &mut Notes),
{
    gather_awaited_lines(input, report, jobs, make_worker, |of, _| take(of))
}

/// As [`gather_lines`]; `take` also learns whether the input has no more at the moment, so that output should be
/// written.
pub(crate) fn gather_awaited_lines<T, W>(
    input: &mut Input,
    report: &mut Report,
    jobs: usize,
    make_worker: impl Fn() -> W + Sync,
    take: impl FnMut(&mut T, bool) -> Result<(), Error>,
) -> Result<(), Error>
where
    T: Default + Send + 'static,
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
    T: Default + Send + 'static,
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
pub(crate) fn gather_batches<T, W>(
    mut read: impl FnMut(&mut Batch, &mut T) -> Result<bool, Error> + Send,
    report: &mut Report,
    jobs: usize,
    make_worker: impl Fn() -> W + Sync,
    mut take: impl FnMut(&Batch, &mut T, &mut Report) -> Result<(), Error>,
) -> Result<(), Error>
where
    T: Default + Send + 'static,
    W: FnMut(&Batch, &mut T, &mut Notes),
{
    let made = || -> Made { Box::new(T::default()) };
    let make_worker = || -> Box<Work<'_>> {
        let mut worker = make_worker();
        Box::new(move |batch, made, notes| worker(batch, of(made), notes))
    };
    let mut read = |batch: &mut Batch, made: &mut Made| read(batch, of(made));
    let mut take = |batch: &Batch, made: &mut Made, report: &mut Report| take(batch, of(made), report);
    if jobs > 1 {
        // Without anything to do no thread is started: they are a third of the start.
        let mut first = Job::new(made());
        if !read(&mut first.batch, &mut first.made)? {
            return Ok(());
        }
        let others = (1..jobs * IN_FLIGHT).map(|_| Job::new(made())).collect();
        return gather_in_threads(first, others, &mut read, report, jobs, &make_worker, &mut take);
    }
    gather_here(Job::new(made()), &mut read, report, &make_worker, &mut take)
}

/// Works in this thread alone, beginning with `job`: a batch, or an empty one.
fn gather_here(
    mut job: Job,
    read: &mut Read<'_>,
    report: &mut Report,
    make_worker: &MakeWorker<'_>,
    take: &mut Take<'_>,
) -> Result<(), Error> {
    let mut worker = make_worker();
    while !job.batch.is_empty() || read(&mut job.batch, &mut job.made)? {
        job.work(&mut *worker)?;
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

fn gather_in_threads(
    first: Job,
    others: Vec<Job>,
    read: &mut Read<'_>,
    report: &mut Report,
    jobs: usize,
    make_worker: &MakeWorker<'_>,
    take: &mut Take<'_>,
) -> Result<(), Error> {
    let (to_workers, waiting) = channel::<Job>();
    let (to_writer, finished) = channel::<Result<Job, Error>>();
    let (to_reader, spent) = channel::<Job>();
    let (waiting, read) = (&Mutex::new(waiting), &Mutex::new(read));
    for other in others {
        to_reader.send(other).expect("the receiver is alive");
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
            let read = &mut **read.lock().unwrap_or_else(PoisonError::into_inner);
            let mut more = true;
            read_batches(read, &spent, |job| {
                more = more && job.number < jobs as u64 && start_worker(&to_writer);
                to_workers.send(job).is_ok()
            })
        };
        let Some(reading) = has_worker.then(|| start(scope, reads)).flatten() else {
            drop(for_first);
            let read = &mut **read.lock().unwrap_or_else(PoisonError::into_inner);
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
fn work_on(waiting: &Mutex<Receiver<Job>>, to_writer: &Sender<Result<Job, Error>>, make_worker: &MakeWorker<'_>) {
    let mut worker = make_worker();
    loop {
        let job = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(mut job) = job else { break };
        let worked = job.work(&mut *worker);
        let goes_on = worked.is_ok();
        if to_writer.send(worked.map(|()| job)).is_err() || !goes_on {
            break;
        }
    }
}

fn read_batches(read: &mut Read<'_>, spent: &Receiver<Job>, mut send: impl FnMut(Job) -> bool) -> Result<(), Error> {
    // The first is on its way already.
    let mut number = 1;
    while let Ok(mut job) = spent.recv() {
        if !read(&mut job.batch, &mut job.made)? {
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

fn take_in_order(
    finished: &Receiver<Result<Job, Error>>,
    to_reader: &Sender<Job>,
    take: &mut Take<'_>,
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
