//! Cleans up after a run that fails or is ended by a signal: removes temporary files, and breaks off the records on stdout
//! in a way that the next stage recognises.

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

/// The signals that end a process unless it does something about them, and that may come from outside: those of a person or a
/// supervisor, of timers, and of a limit to CPU time.
const ENDING: [i32; 10] = [SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGXCPU, SIGVTALRM, SIGPROF];

/// How long a signal waits for a reader to take what is in the pipe, before the process ends without the unfinished line.
const PATIENCE: Duration = Duration::from_secs(1);

/// Held while something is written to stdout.
static WRITING: Mutex<()> = Mutex::new(());

/// Stdout as a stage writes to it: nothing comes after the end of a stream that was broken off.
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

/// The program that writes records to stdout, where one does.
static WRITER: OnceLock<&str> = OnceLock::new();

/// From now on whoever cleans up breaks off the records on stdout, in the name of `program`.
pub(super) fn breaks_off(program: &'static str) {
    let _ = WRITER.set(program);
}

/// Ends the records on stdout by an unfinished line. Not on a terminal: nobody reads on there.
pub(super) fn break_off(program: &str) {
    if !io::stdout().is_terminal() {
        let mut stdout = io::stdout();
        let _ = stdout.write_all(broken_off(program).as_bytes()).and_then(|()| stdout.flush());
    }
}

/// Bytes that must be there for a backtrace.
const FOR_BACKTRACE: usize = 64 << 20;

/// From now on a panic where little memory is left says where it was, and no more, whatever RUST_BACKTRACE asks for: where memory runs
/// out in the middle of a backtrace, the lock that Rust holds then is never released, and the process never ends.
fn keep_panics_short() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |what| {
        let has_room = Vec::<u8>::new().try_reserve_exact(FOR_BACKTRACE).is_ok();
        if has_room { usual(what) } else { _ = writeln!(io::stderr(), "{what}") }
    }));
}

/// From now on the signals of [`ENDING`], and an allocation that fails, leave no temporary file, and records on stdout broken off
/// where a program writes any. Then the process ends by the signal, as it would have. A signal that the caller ignores (nohup)
/// is ignored. A file that may not grow (SIGXFSZ) is an error like a full disk. Without threads that wait for signals, they do what
/// they always do.
pub(super) fn clean_up_on_signals() {
    keep_panics_short();
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    let ignored = ignored_signals();
    let ending = ENDING.into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    // Where memory has run out, this is left for cleaning up.
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
            // The thread that makes a file may be the one that is held up.
            held.set_free();
            whole_file::remove_unfinished(true);
            break;
        }
        let stdout = WRITER.get().and_then(|program| stop_writing().inspect(|_| break_off(program)));
        // Nothing is written any more, and nobody set free.
        std::mem::forget((held, stdout));
    };
    // An abort that cannot be cleaned up after, because memory or a lock is missing for that too, ends the process all the same.
    let watch = move || {
        std::thread::sleep(PATIENCE / 2);
        if !watched.cleans.load(Ordering::Relaxed) {
            // The thread that cleans up is the one that is held up: it takes the signals of others, too.
            watched.set_free();
        }
        std::thread::sleep(2 * PATIENCE);
    };
    let waits =
        wait_for("signals", ending.chain([SIGABRT]).collect(), clean_up) && wait_for("watch", vec![SIGABRT], watch);
    let _ = writer.filter(|_| waits).map(hold_up_aborts);
}

/// Starts a thread that waits for one of these signals, does something about it, and ends the process by it. Whether it waits.
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

/// The thread that an abort holds up.
struct HeldUp {
    /// Of the pipe that it writes to.
    reader: Option<PipeReader>,
    cleans: AtomicBool,
}

impl HeldUp {
    /// Goes on with what it did, unless it is itself what aborts.
    fn set_free(&self) {
        let _ = self.reader.as_ref().map(|mut reader| reader.read(&mut [0; 8192]));
    }
}

/// From now on a thread that aborts, as Rust does where an allocation fails, waits for the end of the process: for others to
/// clean up. Its handler, and only a handler comes before its end, writes to this pipe, which is full. An abort from outside holds up
/// any thread in the same way.
fn hold_up_aborts(writer: PipeWriter) -> io::Result<()> {
    pipe::register(SIGABRT, writer.try_clone()?)?;
    // `register` has made it one that does not block.
    while rustix::io::write(&writer, &[0; 4096]).is_ok() {}
    rustix::fs::fcntl_setfl(&writer, rustix::fs::OFlags::empty())?;
    Ok(())
}

/// Waits until nobody writes to stdout and a word can be written at once. None where a write is under way for too long: then
/// the stream ends in the middle of that.
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

/// The signals that are ignored, bit by bit; Linux tells. Elsewhere none is known to be.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
