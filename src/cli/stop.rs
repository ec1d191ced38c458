//! Cleans up after a run that fails or is ended by a signal: removes temporary files, and breaks off the records on stdout
//! in a way that the next stage recognises.

use crate::ndjson::has_room;
use crate::whole_file;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

/// How long a signal waits for a reader to take what is in the pipe, before the process ends without a last word.
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

/// Ends the records on stdout with an unfinished line, by which the next stage knows that some are missing, and every other
/// reader of JSON as well. Not on a terminal: nobody reads on there.
pub(super) fn break_off(program: &str) {
    if !io::stdout().is_terminal() {
        let mut stdout = io::stdout();
        let _ = write!(stdout, "{{\"broken_off_by\":\"{program}\"").and_then(|()| stdout.flush());
    }
}

/// From now on TERM, INT and HUP leave no temporary file, and records on stdout broken off where the program `writes_records`.
/// Then the process ends by the signal, as it would have. A signal that the caller ignores (nohup) is ignored. Without a
/// thread to wait for signals they do what they always do.
pub(super) fn clean_up_on_signals(program: &'static str, writes_records: bool) {
    let ignored = ignored_signals();
    let (to_thread, signals) = std::sync::mpsc::channel::<Signals>();
    let wait = move || {
        let Ok(mut signals) = signals.recv() else { return };
        let Some(signal) = signals.forever().next() else { return };
        whole_file::remove_unfinished();
        let stdout = if writes_records { stop_writing() } else { None };
        if stdout.is_some() {
            break_off(program);
        }
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    };
    if std::thread::Builder::new().name("signals".into()).spawn(wait).is_ok() {
        let wanted = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
        if let Ok(signals) = Signals::new(wanted) {
            let _ = to_thread.send(signals);
        }
    }
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
pub(super) fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
