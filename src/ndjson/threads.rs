//! Workers that keep the order: batches are numbered when read and written in that order, whatever `-j`.

use super::{Batch, Input, Line, Output};
use crate::report::{Error, Notes, Report};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

/// Batches under way for each worker: one in work, one waiting, one being written.
const IN_FLIGHT: usize = 3;

/// A batch, what became of it, and its number.
struct Job<T> {
    number: u64,
    batch: Batch,
    out: T,
    notes: Notes,
}

impl<T: Default> Job<T> {
    fn empty() -> Self {
        Job { number: 0, batch: Batch::empty(), out: T::default(), notes: Notes::default() }
    }

    fn work(&mut self, worker: &mut impl FnMut(&Batch, &mut T, &mut Notes)) {
        worker(&self.batch, &mut self.out, &mut self.notes);
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

/// Runs every line of `input` through a worker that appends what shall be written to its `Vec`, in `jobs` threads.
/// The output, the messages and the counts are the same for any `jobs`. Counts `records_in`.
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
    gather_lines(input, report, jobs, make_worker, |lines: &mut Vec<u8>| {
        output.write(lines)?;
        lines.clear();
        Ok(())
    })
}

/// As [`map_lines`], for what is not one output: the workers put what they find in a batch into a `T`, and `take` is
/// given these one after the other in the order of the input. It leaves them empty: they are used again.
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
    /// What was made of a batch, and how many lines it had.
    #[derive(Default)]
    struct Lines<T> {
        of: T,
        count: u64,
    }
    let make_worker = || {
        let mut worker = make_worker();
        move |batch: &Batch, out: &mut Lines<T>, notes: &mut Notes| {
            out.count = 0;
            for line in batch.lines() {
                out.count += 1;
                worker(line, &mut out.of, notes);
            }
        }
    };
    let take = |batch: &Batch, out: &mut Lines<T>, report: &mut Report| {
        take(&mut out.of)?;
        report.count("records_in", out.count);
        report.advance(out.count, batch.len() as u64);
        Ok(())
    };
    gather_batches(|batch, _| input.read(batch), report, jobs, make_worker, take)
}

/// As [`gather_lines`], batch by batch. `read` fills the next batch and may put something beside it; false at the end.
/// Nothing is counted here.
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
    let mut worker = make_worker();
    let mut job = Job::empty();
    while read(&mut job.batch, &mut job.out)? {
        job.work(&mut worker);
        job.finish(&mut take, report)?;
    }
    Ok(())
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
    let (to_writer, finished) = channel::<Option<Job<T>>>();
    let (to_reader, spent) = channel::<Job<T>>();
    to_workers.send(first).expect("the receiver is alive");
    for _ in 1..jobs * IN_FLIGHT {
        to_reader.send(Job::empty()).expect("the receiver is alive");
    }
    let waiting = Mutex::new(waiting);
    std::thread::scope(|scope| {
        let reading = scope.spawn(move || read_batches(read, &spent, &to_workers));
        for _ in 0..jobs {
            let (to_writer, waiting) = (to_writer.clone(), &waiting);
            scope.spawn(move || {
                let mut worker = make_worker();
                loop {
                    let job = waiting.lock().expect("no worker panics while it waits").recv();
                    let Ok(mut job) = job else { break };
                    // A panic is a bug; said to the writer, it ends the run and is not a silence that never ends.
                    let work = std::panic::AssertUnwindSafe(|| job.work(&mut worker));
                    if let Err(panic) = std::panic::catch_unwind(work) {
                        let _ = to_writer.send(None);
                        std::panic::resume_unwind(panic);
                    }
                    if to_writer.send(Some(job)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(to_writer);
        let written = take_in_order(&finished, &to_reader, take, report);
        // Without these two the others would wait for a writer that has given up.
        drop((finished, to_reader));
        let read = reading.join().expect("the reader does not panic");
        written.and(read)
    })
}

fn read_batches<T>(
    mut read: impl FnMut(&mut Batch, &mut T) -> Result<bool, Error>,
    spent: &Receiver<Job<T>>,
    to_workers: &Sender<Job<T>>,
) -> Result<(), Error> {
    // The first is on its way already.
    let mut number = 1;
    while let Ok(mut job) = spent.recv() {
        if !read(&mut job.batch, &mut job.out)? {
            break;
        }
        job.number = number;
        number += 1;
        if to_workers.send(job).is_err() {
            break;
        }
    }
    Ok(())
}

fn take_in_order<T: Default>(
    finished: &Receiver<Option<Job<T>>>,
    to_reader: &Sender<Job<T>>,
    take: &mut impl FnMut(&Batch, &mut T, &mut Report) -> Result<(), Error>,
    report: &mut Report,
) -> Result<(), Error> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for job in finished {
        let Some(job) = job else {
            return Err(Error::Trouble("a worker thread has panicked: please report this".into()));
        };
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
