//! Passes lines from one stage to the next within a process: vectors of whole lines, which are not copied, and are returned to be filled
//! again. Other modules know the stages.

use super::end::broken_off;
use super::{Input, Output};
use std::collections::VecDeque;
use std::io::{self, Read};
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The most bytes that wait between two stages, as many as a pipe holds.
const MOST: usize = 1 << 20;
/// The most vectors that are kept for reuse.
const SPARE: usize = 8;
/// The most bytes of a vector that is kept: the memory of one long record must not be kept for the whole run.
const LARGEST: usize = 4 << 20;

/// The connection between two stages.
#[derive(Default)]
pub(super) struct Hand {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    full: VecDeque<Vec<u8>>,
    /// The number of bytes in `full`.
    bytes: usize,
    spare: Vec<Vec<u8>>,
    ended: bool,
    reader_left: bool,
}

/// Connects the stage `name` to the next one: its output, the handle that ends it, and the input of the next stage.
pub(crate) fn hand_over(name: &'static str) -> (Output, Ending, Input) {
    let hand = Arc::new(Hand::default());
    let taker = Taker { hand: hand.clone(), part: Vec::new(), at: 0 };
    (Output::handed(hand.clone()), Ending { hand, broken_off: Some(broken_off(name)) }, Input::handed(taker))
}

impl Hand {
    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_while(&self, waits: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        self.changed.wait_while(self.locked(), |state| waits(state)).unwrap_or_else(PoisonError::into_inner)
    }

    /// Passes lines on, and leaves an empty vector; returns false if the reader has gone.
    pub(super) fn give(&self, lines: &mut Vec<u8>) -> bool {
        let is_full = |state: &State| state.bytes > 0 && state.bytes + lines.len() > MOST && !state.reader_left;
        let mut state = self.wait_while(is_full);
        if !state.reader_left && !lines.is_empty() {
            let spare = state.spare.pop().unwrap_or_default();
            state.bytes += lines.len();
            state.full.push_back(mem::replace(lines, spare));
            self.changed.notify_all();
        }
        !state.reader_left
    }
}

/// Ends the lines of a stage. If it is dropped without a call of [`Ending::well`], as in a panic, they are broken off by an
/// unfinished line, as in a pipe.
pub(crate) struct Ending {
    hand: Arc<Hand>,
    broken_off: Option<String>,
}

impl Ending {
    /// Marks the lines as complete: all have been written.
    pub(crate) fn well(mut self) {
        self.broken_off = None;
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        let mut state = self.hand.locked();
        state.full.extend(self.broken_off.take().map(String::into_bytes));
        state.ended = true;
        self.hand.changed.notify_all();
    }
}

/// Receives the lines from the stage before.
pub(super) struct Taker {
    hand: Arc<Hand>,
    /// A vector that is being copied.
    part: Vec<u8>,
    /// How much of it has been copied.
    at: usize,
}

impl Taker {
    /// Waits for the next vector; `None` at the end.
    fn next(&mut self) -> Option<Vec<u8>> {
        let mut state = self.hand.wait_while(|state| state.full.is_empty() && !state.ended);
        let next = state.full.pop_front()?;
        state.bytes = state.bytes.saturating_sub(next.len());
        self.hand.changed.notify_all();
        Some(next)
    }

    /// Replaces `bytes` by the next whole lines, and returns its memory to the writer: `Some(false)`, or `Some(true)` at the end.
    /// Returns `None` if the lines must be read as a stream, because one may be longer than `max`, or is unfinished.
    pub(super) fn take_lines(&mut self, bytes: &mut Vec<u8>, max: usize) -> Option<bool> {
        if self.at == self.part.len() {
            (self.part, self.at) = (Vec::new(), 0);
            let Some(next) = self.next() else { return Some(true) };
            if next.len() <= max && next.ends_with(b"\n") {
                self.give_back(mem::replace(bytes, next));
                return Some(false);
            }
            self.part = next;
        }
        None
    }

    fn give_back(&self, mut bytes: Vec<u8>) {
        let mut state = self.hand.locked();
        if state.spare.len() < SPARE && (1..=LARGEST).contains(&bytes.capacity()) {
            bytes.clear();
            state.spare.push(bytes);
        }
    }

    /// Whether the next read would have to wait for data.
    pub(super) fn is_dry(&self) -> bool {
        let state = self.hand.locked();
        self.at == self.part.len() && state.full.is_empty() && !state.ended
    }
}

impl Read for Taker {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.at == self.part.len() {
            self.part = self.next().unwrap_or_default();
            self.at = 0;
        }
        let read = (&self.part[self.at..]).read(into)?;
        self.at += read;
        Ok(read)
    }
}

impl Drop for Taker {
    fn drop(&mut self) {
        let mut state = self.hand.locked();
        state.reader_left = true;
        // The lines are dropped: they will not be read, and the writer may run on for a long time.
        (state.full, state.spare) = Default::default();
        self.hand.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ndjson::Batch;
    use crate::report::Error;

    /// The lines that are read if each of these is passed on as a vector, with a limit of one MiB per line.
    fn read(lines: &[&[u8]], is_well: bool) -> (Vec<u8>, Result<bool, Error>) {
        let (mut output, ending, mut input) = hand_over("wp-test");
        input.limit_records(1);
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for &line in lines {
                    let mut line = line.to_vec();
                    output.hand_on(&mut line).and_then(|()| output.flush()).unwrap();
                    assert!(line.is_empty());
                }
                drop(output);
                if is_well {
                    ending.well();
                }
            });
            let (mut batch, mut read) = (Batch::empty(), Vec::new());
            loop {
                match input.read(&mut batch) {
                    Ok(true) => batch.lines().for_each(|line| read.extend_from_slice(line.bytes)),
                    ended => return (read, ended),
                }
            }
        })
    }

    #[test]
    fn lines_arrive_whole_and_in_order_and_their_end_is_known() {
        let long = [&[b'x'; 3 << 20][..], b"\n"].concat();
        let full = [&[b'y'; 1 << 19][..], b"\n"].concat();
        let all: Vec<&[u8]> = vec![b"1\n", &full, &full, b"2\n", &long, b"3\n", &full, b"4\n"];
        // The line that is longer than allowed is in no batch.
        let want = [b"1", &full[..1 << 19], &full[..1 << 19], b"23", &full[..1 << 19], b"4"].concat();
        let (got, ended) = read(&all, true);
        assert!(got == want && matches!(ended, Ok(false)));
        let (got, ended) = read(&all, false);
        assert!(got == want && matches!(&ended, Err(Error::BrokenOff(why)) if why.contains("wp-test has failed")));
        assert!(matches!(read(&[], true), (none, Ok(false)) if none.is_empty()));
        assert!(matches!(read(&[], false), (none, Err(Error::BrokenOff(_))) if none.is_empty()));
    }

    #[test]
    fn a_writer_notices_that_nobody_reads() {
        let (mut output, _ending, input) = hand_over("wp-test");
        drop(input);
        assert!(matches!(output.hand_on(&mut vec![b'\n'; 1 << 20]), Err(Error::BrokenPipe)));
        let (mut output, _ending, input) = hand_over("wp-test");
        let writer = std::thread::spawn(move || while output.hand_on(&mut vec![b'\n'; 1 << 20]).is_ok() {});
        drop(input);
        writer.join().unwrap();
    }

    #[test]
    fn vectors_come_back_to_be_filled_again() {
        let (mut output, _ending, mut input) = hand_over("wp-test");
        let (mut batch, mut lines) = (Batch::empty(), Vec::with_capacity(1 << 20));
        let first = lines.as_ptr();
        for _ in 0..3 {
            lines.resize(1 << 17, b'\n');
            output.hand_on(&mut lines).unwrap();
            assert!(input.read(&mut batch).unwrap());
        }
        assert_eq!(lines.as_ptr(), first);
    }
}
