//! Sends one request and records what comes back, byte by byte: the only place in the program that opens a connection.
//! Other modules interpret the bytes and decide whether to try again.

use super::address::is_public;
use crate::report::describe_io;
use std::io::Read;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use ureq::config::Config;
use ureq::http::Uri;
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::time::Duration;
use ureq::unversioned::transport::{Buffers, ConnectionDetails, Connector, DefaultConnector, NextTimeout, Transport};
use ureq::{Agent, Error, Proxy, Timeout};

/// Bytes of a response, head and body, as they come over the wire (64 MiB); one that sends more is cut off.
const MOST_BYTES: usize = 64 << 20;

/// Bytes that are kept of one that is too long (1 MiB): nothing of it is used.
const MOST_KEPT: usize = 1 << 20;

/// Bytes of a response's head.
const MOST_HEAD: usize = 64 << 10;

/// What is asked for, beside the URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Accept {
    Json,
    /// The body is read only if the response says that it is HTML.
    Html,
    Any,
}

/// A request and its response, as they went over the wire.
#[derive(Debug, Default)]
pub(super) struct Exchange {
    pub(super) sent: Vec<u8>,
    pub(super) received: Vec<u8>,
    /// Where it was asked, if that is certain.
    pub(super) address: Option<IpAddr>,
    /// Why the response is missing or not whole.
    pub(super) fault: Option<Fault>,
}

/// Why a response is missing or not whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) what: String,
    /// Whether it may go away by itself.
    pub(super) passes: bool,
    /// Whether nobody answers at all: there is no such host, or no server on it.
    pub(super) is_nobody: bool,
    /// WARC's word for why the record is cut.
    pub(super) truncated: &'static str,
}

impl Fault {
    /// Whether there was too much of the response to be read to its end.
    pub(super) fn is_too_long(&self) -> bool {
        self.truncated == "length"
    }
}

/// What has gone over the current connection since the last request began.
#[derive(Debug, Default)]
struct Tape {
    sent: Vec<u8>,
    received: Vec<u8>,
    address: Option<IpAddr>,
    /// Connections made; a request that makes none goes over the one before.
    connections: u64,
    /// An address that must not be asked.
    refused: Option<IpAddr>,
    overflow: bool,
}

#[derive(Clone, Debug, Default)]
struct Shared(Arc<Mutex<Tape>>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Tape> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// What a client is like.
#[derive(Clone, Debug)]
pub(super) struct Manners {
    pub(super) user_agent: String,
    /// Names and values that go with every request and into no file.
    pub(super) headers: Vec<(String, String)>,
    pub(super) proxy: Option<String>,
    /// Certificates in PEM.
    pub(super) authorities: Option<Vec<u8>>,
    /// Whether any certificate will do.
    pub(super) insecure: bool,
    /// The longest that a response may take, from the first byte asked to the last one received.
    pub(super) timeout: std::time::Duration,
}

/// A client for one site: one connection at a time.
pub(super) struct Wire {
    agent: Agent,
    tape: Shared,
    headers: Vec<(String, String)>,
    timeout: std::time::Duration,
}

impl Wire {
    /// A client for the site on `host`. `Err` has what is wrong with the proxy or the certificates.
    pub(super) fn new(host: &str, manners: &Manners) -> Result<Self, String> {
        let tape = Shared::default();
        let proxy = manners.proxy.as_deref().map(Proxy::new).transpose();
        let proxy = proxy.map_err(|e| format!("--proxy: {e}"))?;
        let tls = TlsConfig::builder().disable_verification(manners.insecure);
        let tls = match manners.authorities.as_deref().map(roots).transpose()? {
            Some(roots) => tls.root_certs(roots),
            None => tls,
        };
        let config = Config::builder()
            .tls_config(tls.build())
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_response_header_size(MOST_HEAD)
            .max_idle_connections(1)
            .max_idle_connections_per_host(1)
            .timeout_global(Some(manners.timeout))
            .user_agent(manners.user_agent.as_str())
            .accept_encoding("gzip");
        let guard = Guard {
            host: host.to_owned(),
            proxy: proxy.as_ref().map(|proxy| proxy.host().to_owned()),
            is_private: OnceLock::new(),
            tape: tape.clone(),
            inner: DefaultResolver::default(),
        };
        let connector = DefaultConnector::default().chain(Recorder(tape.clone()));
        let agent = Agent::with_parts(config.proxy(proxy).build(), connector, guard);
        Ok(Wire { agent, tape, headers: manners.headers.clone(), timeout: manners.timeout })
    }

    /// Asks for `url` once; redirects are not followed. What is secret is sent to the site only, if this `is_own`.
    pub(super) fn get(&self, url: &str, accept: Accept, is_own: bool) -> Exchange {
        let before = self.begin();
        let mut outcome = self.try_get(url, accept, is_own);
        // A connection that was kept open may have been closed meanwhile: that says nothing of the server.
        let is_stale = {
            let tape = self.tape.lock();
            tape.connections == before && tape.received.is_empty() && !matches!(outcome, Err(Error::Timeout(_)))
        };
        if outcome.is_err() && is_stale {
            self.begin();
            outcome = self.try_get(url, accept, is_own);
        }
        let mut tape = self.tape.lock();
        let fault = outcome.err().map(|error| self.fault_of(&error, &tape));
        if fault.as_ref().is_some_and(Fault::is_too_long) {
            tape.received.truncate(MOST_KEPT);
        }
        Exchange {
            sent: without_secrets(std::mem::take(&mut tape.sent), &self.headers),
            received: std::mem::take(&mut tape.received),
            address: tape.address,
            fault,
        }
    }

    fn begin(&self) -> u64 {
        let mut tape = self.tape.lock();
        tape.sent.clear();
        tape.received.clear();
        tape.refused = None;
        tape.overflow = false;
        tape.connections
    }

    fn try_get(&self, url: &str, accept: Accept, is_own: bool) -> Result<(), Error> {
        let mut request = self.agent.get(url).header(
            "accept",
            match accept {
                Accept::Json => "application/json",
                Accept::Html => "text/html,application/xhtml+xml",
                Accept::Any => "*/*",
            },
        );
        for (name, value) in self.headers.iter().filter(|_| is_own) {
            request = request.header(name, value);
        }
        let mut response = request.call()?;
        let kind = response.headers().get("content-type").and_then(|value| value.to_str().ok());
        if accept == Accept::Html && response.status() == 200 && kind.is_some_and(|kind| !kind.contains("html")) {
            return Ok(());
        }
        let mut reader = response.body_mut().with_config().limit(u64::MAX).reader();
        let mut piece = vec![0; 64 * 1024];
        while reader.read(&mut piece).map_err(into_error)? > 0 {}
        Ok(())
    }

    fn fault_of(&self, error: &Error, tape: &Tape) -> Fault {
        let fault = |what: String, passes, truncated| Fault { what, passes, truncated, is_nobody: false };
        let nobody = |what: String| Fault { is_nobody: true, ..fault(what, true, "disconnect") };
        if let Some(address) = tape.refused {
            return fault(format!("refused: {address} is not a public address"), false, "unspecified");
        }
        if tape.overflow {
            return fault(format!("more than {} MiB", MOST_BYTES >> 20), false, "length");
        }
        match error {
            Error::Timeout(Timeout::Resolve) => {
                fault("the host's name was not resolved in time".to_owned(), true, "time")
            }
            Error::Timeout(_) => fault(format!("not done within {} s", self.timeout.as_secs_f64()), true, "time"),
            Error::HostNotFound => nobody("no such host".to_owned()),
            Error::LargeResponseHeader(..) => {
                fault(format!("a head of more than {} KiB", MOST_HEAD >> 10), false, "length")
            }
            Error::Protocol(e) => fault(format!("not HTTP: {e}"), false, "unspecified"),
            Error::Rustls(e) => fault(format!("TLS: {e}"), false, "disconnect"),
            Error::Io(e) if e.to_string().contains("CaUsedAsEndEntity") => {
                let what =
                    "the site's certificate is made for an authority, not for a server (CA:TRUE); see --insecure";
                fault(what.to_owned(), false, "disconnect")
            }
            Error::Io(e) if e.to_string().starts_with("invalid peer certificate") => {
                fault(format!("{e}; see --ca-file and --insecure"), false, "disconnect")
            }
            // The resolver has no kinds of its own.
            Error::Io(e) if e.to_string().starts_with("failed to lookup address information") => {
                nobody(format!("no such host ({e})"))
            }
            Error::Io(e) if e.kind() == std::io::ErrorKind::ConnectionRefused => nobody(describe_io(e)),
            Error::Io(e) => fault(describe_io(e), true, "disconnect"),
            other => fault(other.to_string(), true, "disconnect"),
        }
    }
}

/// The error that a body's reader wraps.
fn into_error(error: std::io::Error) -> Error {
    match error.downcast::<Error>() {
        Ok(error) => error,
        Err(error) => Error::Io(error),
    }
}

/// The authorities of a file in PEM.
fn roots(pem: &[u8]) -> Result<RootCerts, String> {
    let certificates = parse_pem(pem).filter_map(|item| match item {
        Ok(PemItem::Certificate(certificate)) => Some(certificate),
        _ => None,
    });
    let certificates: Vec<_> = certificates.collect();
    if certificates.is_empty() {
        return Err("--ca-file: there is no certificate in it (PEM)".to_owned());
    }
    Ok(RootCerts::new_with_certs(&certificates))
}

/// The request without the lines of the headers that go into no file.
fn without_secrets(request: Vec<u8>, secrets: &[(String, String)]) -> Vec<u8> {
    if secrets.is_empty() {
        return request;
    }
    let is_secret = |line: &[u8]| {
        secrets.iter().any(|(name, _)| {
            let start = line.get(..name.len() + 1);
            start.is_some_and(|start| {
                start[..name.len()].eq_ignore_ascii_case(name.as_bytes()) && start[name.len()] == b':'
            })
        })
    };
    request.split_inclusive(|&b| b == b'\n').filter(|line| !is_secret(line)).flatten().copied().collect()
}

/// Resolves names, and refuses addresses inside a network: what a public site's name suddenly means, a server inside must
/// not be asked for. The site itself may be there, when it is from the first request on.
#[derive(Debug)]
struct Guard {
    host: String,
    proxy: Option<String>,
    /// Whether the site's own host is inside.
    is_private: OnceLock<bool>,
    tape: Shared,
    inner: DefaultResolver,
}

impl Resolver for Guard {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, Error> {
        // The inner resolver starts a thread to keep to the time, and panics where it cannot.
        let after = match std::thread::Builder::new().spawn(|| ()) {
            Ok(_) => timeout.after,
            Err(_) => Duration::NotHappening,
        };
        let addresses = self.inner.resolve(uri, config, NextTimeout { after, ..timeout })?;
        let host = uri.host().unwrap_or_default();
        if self.proxy.as_deref() == Some(host) {
            return Ok(addresses);
        }
        let inside = addresses.iter().map(|address| address.ip()).find(|ip| !is_public(*ip));
        let may_be_inside = host.eq_ignore_ascii_case(&self.host) && *self.is_private.get_or_init(|| inside.is_some());
        match inside {
            Some(ip) if !may_be_inside => {
                self.tape.lock().refused = Some(ip);
                Err(Error::HostNotFound)
            }
            _ => Ok(addresses),
        }
    }
}

/// Puts a recording transport around the connection, inside of TLS and of a proxy's tunnel.
#[derive(Debug)]
struct Recorder(Shared);

impl<In: Transport> Connector<In> for Recorder {
    type Out = Recorded<In>;

    fn connect(&self, details: &ConnectionDetails, chained: Option<In>) -> Result<Option<Self::Out>, Error> {
        let mut tape = self.0.lock();
        tape.connections += 1;
        let mut addresses = details.addrs.iter().map(|address| address.ip());
        // Of several, which one answered is not told.
        tape.address = addresses.next().filter(|_| addresses.next().is_none() && details.config.proxy().is_none());
        Ok(chained.map(|inner| Recorded { inner, tape: self.0.clone() }))
    }
}

#[derive(Debug)]
struct Recorded<T> {
    inner: T,
    tape: Shared,
}

impl<T: Transport> Transport for Recorded<T> {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.inner.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        self.tape.lock().sent.extend_from_slice(&self.inner.buffers().output()[..amount]);
        self.inner.transmit_output(amount, timeout)
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        let before = self.inner.buffers().input().len();
        let progress = self.inner.await_input(timeout)?;
        let mut tape = self.tape.lock();
        tape.received.extend_from_slice(&self.inner.buffers().input()[before..]);
        if tape.received.len() > MOST_BYTES {
            tape.overflow = true;
            tape.received.truncate(MOST_BYTES);
            return Err(Error::ConnectionFailed);
        }
        Ok(progress)
    }

    fn is_open(&mut self) -> bool {
        self.inner.is_open()
    }

    fn is_tls(&self) -> bool {
        self.inner.is_tls()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_begins_to_mean_a_server_inside_is_refused() {
        let guard = |host: &str, is_private: Option<bool>| {
            let cell = OnceLock::new();
            is_private.map(|is_private| cell.set(is_private));
            let (proxy, tape, inner) = (None, Shared::default(), DefaultResolver::default());
            Guard { host: host.to_owned(), proxy, is_private: cell, tape, inner }
        };
        let ask_for =
            |guard: &Guard, url: &str| guard.resolve(&url.parse().unwrap(), &Config::default(), NextTimeout::default());
        let ask = |guard: &Guard| ask_for(guard, "http://127.0.0.1/");
        assert!(ask(&guard("127.0.0.1", None)).is_ok(), "the site itself is there");
        assert!(ask(&guard("127.0.0.1", Some(false))).is_err(), "it was not, before");
        let other = guard("site.example", None);
        assert!(ask(&other).is_err());
        assert_eq!(other.tape.lock().refused, Some("127.0.0.1".parse().unwrap()));
        for inside in ["http://localhost/", "http://[::1]/", "http://169.254.169.254/", "http://[::ffff:10.0.0.1]/"] {
            assert!(ask_for(&other, inside).is_err(), "{inside}");
        }
        assert!(ask_for(&other, "http://198.51.100.7/").is_ok());
    }

    #[test]
    fn what_is_secret_is_in_no_file() {
        let request = b"GET / HTTP/1.1\r\nhost: a\r\nauthorization: Basic x\r\naccept: y\r\n\r\n".to_vec();
        let secrets = [("Authorization".to_owned(), "Basic x".to_owned())];
        assert_eq!(without_secrets(request, &secrets), b"GET / HTTP/1.1\r\nhost: a\r\naccept: y\r\n\r\n");
    }
}
