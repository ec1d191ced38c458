//! Asks the system about pipes: how much they hold, and whether they have anything now. Who reads and writes them is
//! not known here.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::os::fd::AsFd;
use std::time::Duration;

/// Whether to read from `fd` would mean to wait. At its end it would not.
pub(super) fn is_dry(fd: &impl AsFd) -> bool {
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    matches!(poll(&mut [PollFd::new(fd, PollFlags::IN)], Some(&at_once)), Ok(0))
}

/// Whether something can be written to `fd` within `patience`.
pub(crate) fn has_room(fd: &impl AsFd, patience: Duration) -> bool {
    let patience = Timespec { tv_sec: patience.as_secs() as i64, tv_nsec: patience.subsec_nanos().into() };
    matches!(poll(&mut [PollFd::new(fd, PollFlags::OUT)], Some(&patience)), Ok(1..))
}

/// Bytes that a pipe between two stages holds: what Linux lets everybody have, a batch.
#[cfg(target_os = "linux")]
const PIPE: usize = 1 << 20;

/// Makes a pipe hold a batch instead of 64 KiB: neighbours wait less often for each other. Measured on the five in one
/// pipe: 10 % less CPU, 15 % less wall. What is not a pipe, or may not grow, stays as it is.
#[cfg(target_os = "linux")]
pub(crate) fn widen_if_pipe(fd: &impl AsFd) {
    let _ = rustix::pipe::fcntl_setpipe_size(fd, PIPE);
}

/// Only Linux lets the size of a pipe be chosen.
#[cfg(not(target_os = "linux"))]
pub(crate) fn widen_if_pipe(_: &impl AsFd) {}
