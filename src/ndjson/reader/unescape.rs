//! Decodes strings with escapes, thirty-two bytes at a time. The reader finds the strings and stores the result.
//!
//! With the writer's technique, this saved an eighth of wp-parse's CPU on real sites and on a generated dump.

use crate::ndjson::lanes::{LANES, escaped};
use crate::ndjson::skip::{Refused, unit};
use std::num::NonZeroU32;

/// The bytes that are unescaped in one step: two of what fits into a register.
const STEP: usize = 2 * LANES;
/// The most that a step writes, with what it writes too much.
const ROOM: usize = 4 * STEP;

/// Unescapes the string from `at` on into `out`, which is not cut after it: how long it is, and where its closing quote
/// is.
///
/// What the marks of one look tell is done without another one, and what is between two of them is copied with what
/// follows it, as a copy of known length: in HTML as PHP writes it there is an escape every fifteen bytes.
pub(super) fn unescape(bytes: &[u8], mut at: usize, out: &mut Vec<u8>) -> Result<(usize, usize), Refused> {
    let mut length = 0;
    'step: loop {
        if out.len() < length + ROOM {
            // At once as much as an address takes.
            out.resize(2 * (out.len() + ROOM), 0);
        }
        let room = &mut out[length..length + ROOM];
        let Some(window) = bytes.get(at..).and_then(|rest| rest.first_chunk::<{ 2 * STEP }>()) else {
            let Some((taken, written)) = unescape_one(&bytes[at..], room)? else { return Ok((length, at)) };
            (at, length) = (at + taken, length + written);
            continue;
        };
        let [first, second] = [0, LANES].map(|at| *window[at..].first_chunk().expect("there is more of the window"));
        let mut marks = escaped(first) | escaped(second) << LANES;
        let (mut done, mut written) = (0, 0);
        while let Some(mark) = NonZeroU32::new(marks) {
            let n = mark.trailing_zeros() as usize;
            room[written..written + STEP].copy_from_slice(&window[done..done + STEP]);
            written += n - done;
            if window[n] != b'\\' {
                return if window[n] == b'"' { Ok((length + written, at + n)) } else { Err(Refused::Odd) };
            }
            let byte = SHORT[usize::from(window[n + 1])];
            if byte != 0 {
                room[written] = byte;
                written += 1;
                done = n + 2;
            } else if let Some((utf8, count)) = letter(&window[n..]) {
                room[written..written + 4].copy_from_slice(&utf8);
                (done, written) = (n + 6, written + count);
                // More of a word that is written so.
                while let Some((utf8, count)) = letter(&window[done..]) {
                    room[written..written + 4].copy_from_slice(&utf8);
                    (done, written) = (done + 6, written + count);
                }
            } else {
                let (taken, more) = unescape_odd(&bytes[at + n..], &mut room[written..])?;
                (at, length) = (at + n + taken, length + written + more);
                continue 'step;
            }
            if done >= STEP {
                (at, length) = (at + done, length + written);
                continue 'step;
            }
            marks &= u32::MAX << done;
        }
        room[written..written + STEP].copy_from_slice(&window[done..done + STEP]);
        (at, length) = (at + STEP, length + written + STEP - done);
    }
}

/// The character for the letter after a backslash; 0 if it needs a closer look.
const SHORT: [u8; 256] = {
    let mut table = [0; 256];
    let pairs = [
        (b'"', b'"'),
        (b'\\', b'\\'),
        (b'/', b'/'),
        (b'n', b'\n'),
        (b't', b'\t'),
        (b'r', b'\r'),
        (b'b', 8),
        (b'f', 12),
    ];
    let mut at = 0;
    while at < pairs.len() {
        table[pairs[at].0 as usize] = pairs[at].1;
        at += 1;
    }
    table
};

/// Unescapes one character, near the end of the line; none if it is the closing quote.
fn unescape_one(bytes: &[u8], room: &mut [u8]) -> Result<Option<(usize, usize)>, Refused> {
    match bytes.first().ok_or(Refused::Unfinished)? {
        b'"' => Ok(None),
        b'\\' => unescape_odd(bytes, room).map(Some),
        ..b' ' => Err(Refused::Odd),
        &byte => {
            room[0] = byte;
            Ok(Some((1, 1)))
        }
    }
}

/// Unescapes what `bytes` begin with into `room`: how many bytes it takes and how many it gives.
fn unescape_odd(bytes: &[u8], room: &mut [u8]) -> Result<(usize, usize), Refused> {
    match bytes.get(1) {
        Some(b'u') => {}
        Some(&letter) if SHORT[usize::from(letter)] != 0 => {
            room[0] = SHORT[usize::from(letter)];
            return Ok((2, 1));
        }
        _ => return Err(Refused::Odd),
    }
    let (char, taken) = escaped_char(bytes)?;
    Ok((taken, char.encode_utf8(room).len()))
}

/// The character of the escape `\uXXXX` that `bytes` begin with, in UTF-8, and how many bytes of it there are: of those
/// that need no second escape and are not ASCII. PHP writes all Cyrillic and Chinese so.
#[inline]
fn letter(bytes: &[u8]) -> Option<([u8; 4], usize)> {
    let code = unit(bytes).ok()?;
    let [high, middle, low] = [code >> 12, code >> 6 & 0x3f, code & 0x3f].map(|bits| bits as u8);
    match code {
        0x80..0x800 => Some(([0xc0 | (code >> 6) as u8, 0x80 | low, 0, 0], 2)),
        0x800..0xd800 | 0xe000.. => Some(([0xe0 | high, 0x80 | middle, 0x80 | low, 0], 3)),
        _ => None,
    }
}

/// The character of the escape `\uXXXX` that `bytes` begin with, and how many bytes it is written with.
fn escaped_char(bytes: &[u8]) -> Result<(char, usize), Refused> {
    let (code, length) = match unit(bytes)? {
        first @ 0xd800..=0xdbff => match unit(bytes.get(6..).ok_or(Refused::Odd)?)? {
            second @ 0xdc00..=0xdfff => (0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00), 12),
            _ => return Err(Refused::Odd),
        },
        code => (code, 6),
    };
    Ok((char::from_u32(code).ok_or(Refused::Odd)?, length))
}
