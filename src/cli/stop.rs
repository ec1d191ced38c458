//! Cleans up after a run that fails or is ended by a signal: removes temporary files, and breaks off the records on stdout in a way
//! that the next stage recognises.

use crate::ndjson::{broken_off, has_room};
use crate::whole_file;
use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
};
use signal_hook::iterator::Signals;
use signal_hook::low_level::{emulate_default_handler, pipe};
use std::fs::File;
use std::hint::black_box;
use std::io::{self, IsTerminal, PipeReader, PipeWriter, Read, Write};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, TryLockError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// The signals that end a process by default and can come from outside: from a person or a supervisor, from timers, and from a limit on CPU
/// time.
const ENDING: [i32; 10] = [SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGXCPU, SIGVTALRM, SIGPROF];

/// How long to wait after a signal for the reader to empty the pipe, before the process ends without writing the unfinished line.
const PATIENCE: Duration = Duration::from_secs(1);

/// Held while a thread writes to stdout.
static WRITING: Mutex<()> = Mutex::new(());

/// Stdout for a stage: once the stream has been broken off, nothing more is written.
pub(super) struct Stdout(pub File);

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _writing = WRITING.lock().expect("no writer panics");
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The name of the program that writes records to stdout, if one does.
static WRITER: OnceLock<&str> = OnceLock::new();

/// From now on, a clean-up breaks off the records on stdout in the name of `program`.
pub(super) fn breaks_off(program: &'static str) {
    let _ = WRITER.set(program);
}

/// Ends the records on stdout with an unfinished line, except on a terminal, where no program reads them.
pub(super) fn break_off(program: &str) {
    if !io::stdout().is_terminal() {
        let mut stdout = io::stdout();
        let _ = stdout.write_all(broken_off(program).as_bytes()).and_then(|()| stdout.flush());
    }
}

/// The number of bytes of free memory that a backtrace needs.
const FOR_BACKTRACE: usize = 64 << 20;

/// From now on, a panic prints only its message if little memory is left, whatever RUST_BACKTRACE says: when memory runs out in the
/// middle of a backtrace, the lock that Rust holds is never released, and the process never ends.
fn keep_panics_short() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |what| {
        let has_room = Vec::<u8>::new().try_reserve_exact(FOR_BACKTRACE).is_ok();
        if has_room { usual(what) } else { _ = writeln!(io::stderr(), "{what}") }
    }));
}

/// From now on, when a signal of [`ENDING`] arrives or an allocation fails, temporary files are removed and the records on stdout, if
/// the program writes any, are broken off; then the process ends by the signal, as it would have without this. A signal that the
/// parent process ignores (nohup) remains ignored. A file that may not grow (SIGXFSZ) is an error like a full disk. If the threads
/// that wait for signals cannot be started, signals have their usual effects.
pub(super) fn clean_up_on_signals() {
    keep_panics_short();
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    let ignored = ignored_signals();
    let ending = ENDING.into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    // Memory for the clean-up, released when there is no other left.
    let mut reserve = Vec::<u8>::new();
    let _ = reserve.try_reserve_exact(1 << 20);
    let reserve = black_box(reserve);
    let (reader, writer) = io::pipe().ok().unzip();
    let held = Arc::new(HeldUp { reader, cleans: AtomicBool::new(false) });
    let watched = Arc::clone(&held);
    let clean_up = move || {
        held.cleans.store(true, Ordering::Relaxed);
        drop(reserve);
        let end = Instant::now() + PATIENCE / 4;
        while !whole_file::remove_unfinished(false) {
            if Instant::now() < end {
                std::thread::sleep(Duration::from_millis(5));
                continue;
            }
            // The suspended thread may be the one that holds the lock on temporary files.
            held.set_free();
            whole_file::remove_unfinished(true);
            break;
        }
        let stdout = WRITER.get().and_then(|program| stop_writing().inspect(|_| break_off(program)));
        // From now on no thread can write to stdout, and no suspended thread is released.
        std::mem::forget((held, stdout));
    };
    // If the clean-up itself cannot run, because memory or a lock is missing for it too, the process must end all the same.
    let watch = move || {
        std::thread::sleep(PATIENCE / 2);
        if !watched.cleans.load(Ordering::Relaxed) {
            // The suspended thread is the one that should clean up: it also receives signals that others cause.
            watched.set_free();
        }
        std::thread::sleep(2 * PATIENCE);
    };
    let waits =
        wait_for("signals", ending.chain([SIGABRT]).collect(), clean_up) && wait_for("watch", vec![SIGABRT], watch);
    let _ = writer.filter(|_| waits).map(hold_up_aborts);
}

/// Starts a thread that waits for one of these signals, calls `then`, and ends the process by the signal. Returns whether it is
/// waiting.
fn wait_for(name: &str, signals: Vec<i32>, then: impl FnOnce() + Send + 'static) -> bool {
    let (ready, is_ready) = sync_channel(1);
    let wait = move || {
        let Ok(mut signals) = Signals::new(signals) else { return };
        let _ = ready.send(());
        if let Some(signal) = signals.forever().next() {
            then();
            let _ = emulate_default_handler(signal);
        }
    };
    let thread = Builder::new().name(name.to_owned()).stack_size(256 << 10);
    thread.spawn(wait).is_ok() && is_ready.recv().is_ok()
}

/// A thread that is suspended in the signal handler of an abort.
struct HeldUp {
    /// Reads from the pipe that the thread is blocked on.
    reader: Option<PipeReader>,
    cleans: AtomicBool,
}

impl HeldUp {
    /// Lets the thread continue: it aborts again unless the abort came from outside.
    fn set_free(&self) {
        let _ = self.reader.as_ref().map(|mut reader| reader.read(&mut [0; 8192]));
    }
}

/// From now on, a thread that aborts, as Rust does when an allocation fails, is suspended until the process ends, so that others can
/// clean up: the signal handler, the last code that runs before the end, blocks on writing to this pipe, which is full. An abort from
/// outside suspends some thread in the same way.
fn hold_up_aborts(writer: PipeWriter) -> io::Result<()> {
    pipe::register(SIGABRT, writer.try_clone()?)?;
    // `register` has made the pipe non-blocking.
    while rustix::io::write(&writer, &[0; 4096]).is_ok() {}
    rustix::fs::fcntl_setfl(&writer, rustix::fs::OFlags::empty())?;
    Ok(())
}

/// Waits until no thread writes to stdout and a line can be written at once. Returns `None` if a write takes too long; the stream then
/// ends in the middle of that write.
fn stop_writing() -> Option<MutexGuard<'static, ()>> {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        match WRITING.try_lock() {
            Ok(guard) => return has_room(&io::stdout(), PATIENCE).then_some(guard),
            Err(TryLockError::Poisoned(_)) => return None,
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
        }
    }
    None
}

/// The signals that are ignored, one bit each, as Linux reports them; 0 on other systems.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
