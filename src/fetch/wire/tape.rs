//! Records the bytes that go over a connection: in memory, or, for responses that may be long, in a file.

use std::fs::File;
use std::io::{self, Write};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;
use ureq::unversioned::transport::time::Duration;
use ureq::unversioned::transport::{Buffers, ConnectionDetails, Connector, NextTimeout, Transport};
use ureq::{Error, Timeout};

/// The number of bytes that are kept in memory of a response that goes into a file: its head, and the start of its body
/// (256 KiB).
const MOST_START: usize = 256 << 10;

/// The slowest rate that a long response may have, in bytes a second: each such amount extends its timeout by one
/// second.
const LEAST_RATE: u64 = 32 << 10;

/// What has gone over the current connection since the last request began.
#[derive(Debug, Default)]
pub(super) struct Tape {
    pub(super) sent: Vec<u8>,
    /// The response, or its start if there is a spool.
    pub(super) received: Vec<u8>,
    /// The number of bytes of the response so far.
    pub(super) length: u64,
    /// The most bytes that the response may have.
    pub(super) most: u64,
    pub(super) spool: Option<Spool>,
    pub(super) address: Option<IpAddr>,
    /// The number of connections opened so far; a request that opens none reuses the last one.
    pub(super) connections: u64,
    /// An address that was refused.
    pub(super) refused: Option<IpAddr>,
    pub(super) overflow: bool,
}

/// The file for a long response.
#[derive(Debug)]
pub(super) struct Spool {
    pub(super) file: File,
    /// Why nothing more can be written.
    pub(super) failed: Option<io::Error>,
    /// When the request was sent.
    pub(super) start: Instant,
    /// How long the response may take if nothing arrives.
    pub(super) patience: std::time::Duration,
}

impl Tape {
    /// Records received bytes.
    fn take(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let room = usize::try_from(self.most.saturating_sub(self.length)).unwrap_or(usize::MAX);
        let bytes = &bytes[..bytes.len().min(room.saturating_add(1))];
        self.length += bytes.len() as u64;
        let kept = if self.spool.is_some() { MOST_START.saturating_sub(self.received.len()) } else { bytes.len() };
        self.received.extend_from_slice(&bytes[..bytes.len().min(kept)]);
        if let Some(spool) = &mut self.spool
            && let Err(e) = spool.file.write_all(bytes)
        {
            spool.failed = Some(e);
            return Err(Error::ConnectionFailed);
        }
        if self.length > self.most {
            self.overflow = true;
            return Err(Error::ConnectionFailed);
        }
        Ok(())
    }

    /// How long to wait for more. For a long response, the time allowed grows with the bytes received.
    fn allow(&self, timeout: NextTimeout) -> Result<NextTimeout, Error> {
        let Some(spool) = &self.spool else { return Ok(timeout) };
        let allowed = spool.patience + std::time::Duration::from_secs(self.length / LEAST_RATE);
        let left = allowed.saturating_sub(spool.start.elapsed());
        if left.is_zero() {
            return Err(Error::Timeout(Timeout::RecvBody));
        }
        let left = Duration::Exact(left);
        Ok(if left < timeout.after {
            NextTimeout { after: left, reason: Timeout::RecvBody, ..timeout }
        } else {
            timeout
        })
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Shared(Arc<Mutex<Tape>>);

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, Tape> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// Wraps a recording transport around the connection, inside of TLS and of a proxy's tunnel.
#[derive(Debug)]
pub(super) struct Recorder {
    pub(super) tape: Shared,
    pub(super) has_proxy: bool,
}

impl<In: Transport> Connector<In> for Recorder {
    type Out = Recorded<In>;

    fn connect(&self, details: &ConnectionDetails, chained: Option<In>) -> Result<Option<Self::Out>, Error> {
        // The connection to the proxy, over which the tunnel is requested.
        if self.has_proxy && details.config.proxy().is_none() {
            return Ok(chained.map(|inner| Recorded { inner, tape: None }));
        }
        let mut tape = self.tape.lock();
        tape.connections += 1;
        let mut addresses = details.addrs.iter().map(|address| address.ip());
        // If there are several addresses, it is unknown which one answered.
        tape.address = addresses.next().filter(|_| addresses.next().is_none() && details.config.proxy().is_none());
        Ok(chained.map(|inner| Recorded { inner, tape: Some(self.tape.clone()) }))
    }
}

#[derive(Debug)]
pub(super) struct Recorded<T> {
    inner: T,
    tape: Option<Shared>,
}

impl<T: Transport> Transport for Recorded<T> {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.inner.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        if let Some(tape) = &self.tape {
            tape.lock().sent.extend_from_slice(&self.inner.buffers().output()[..amount]);
        }
        self.inner.transmit_output(amount, timeout)
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        let Some(tape) = &self.tape else { return self.inner.await_input(timeout) };
        let before = self.inner.buffers().input().len();
        let timeout = tape.lock().allow(timeout)?;
        let progress = self.inner.await_input(timeout)?;
        tape.lock().take(&self.inner.buffers().input()[before..])?;
        Ok(progress)
    }

    fn is_open(&mut self) -> bool {
        self.inner.is_open()
    }

    fn is_tls(&self) -> bool {
        self.inner.is_tls()
    }
}
