//! Sends one HTTP request and records the response byte by byte. No other part of the program opens a connection. Other
//! modules interpret the bytes and decide whether to try again.

mod body;
mod guard;
mod tape;

use crate::report::describe_io;
use body::ReceivedBody;
pub(super) use body::Whole;
use guard::Guard;
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::IpAddr;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;
use tape::{Recorder, Shared, Spool, Tape};
use ureq::config::Config;
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::{Connector, DefaultConnector};
use ureq::{Agent, Body, Error, Proxy, Timeout};

/// The longest response, head and body, as sent over the wire (64 MiB); a longer one is cut off.
const MOST_BYTES: u64 = 64 << 20;

/// The longest response for a media file (4 GiB).
const MOST_OF_FILE: u64 = 4 << 30;

/// How much is kept of a response that is too long, and of an incomplete media file (1 MiB): only for the archive.
const MOST_KEPT: usize = 1 << 20;

/// The longest head of a response, in bytes.
const MOST_HEAD: usize = 64 << 10;

/// The Accept header of a request for a page; the body is read only if the response says that it is HTML.
pub(super) const HTML: &str = "text/html,application/xhtml+xml";

/// A request and its response, as they went over the wire.
#[derive(Debug, Default)]
pub(super) struct Exchange {
    pub(super) sent: Vec<u8>,
    pub(super) received: Vec<u8>,
    /// The address that answered, if it is certain.
    pub(super) address: Option<IpAddr>,
    /// Why the response is missing or incomplete.
    pub(super) fault: Option<Fault>,
    /// For a media file: the whole response and its length; `received` has only its start.
    pub(super) spool: Option<(File, u64)>,
    /// The body without transfer and content encoding, if it may be kept.
    pub(super) whole: Option<Whole>,
}

/// Why a response is missing or incomplete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) what: String,
    /// Whether the fault may pass by itself.
    pub(super) passes: bool,
    /// Whether nothing answers at all: the host does not exist, or has no server.
    pub(super) is_nobody: bool,
    /// WARC's term for why the record is truncated.
    pub(super) truncated: &'static str,
}

impl Fault {
    /// Whether the response was too long to be read to its end.
    pub(super) fn is_too_long(&self) -> bool {
        self.truncated == "length"
    }
}

/// The settings of an HTTP client.
#[derive(Clone, Debug)]
pub(super) struct Manners {
    pub(super) user_agent: String,
    /// Headers that are sent only to the site, and written into no file.
    pub(super) headers: Vec<(String, String)>,
    pub(super) proxy: Option<String>,
    /// The certificates of trusted authorities, in PEM.
    pub(super) authorities: Option<Vec<u8>>,
    /// Whether to accept any certificate.
    pub(super) insecure: bool,
    /// The longest time for a response, from the start of the request to the last byte received.
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
    /// A client for the site on `host`. `Err` describes the problem with the proxy or the certificates.
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
        let recorder = Recorder { tape: tape.clone(), has_proxy: proxy.is_some() };
        let connector = DefaultConnector::default().chain(recorder);
        let agent = Agent::with_parts(config.proxy(proxy).build(), connector, guard);
        Ok(Wire { agent, tape, headers: manners.headers.clone(), timeout: manners.timeout })
    }

    /// Requests `url` once, with the secret headers if `with_secrets`; does not follow redirects.
    pub(super) fn get(&self, url: &str, accept: &str, with_secrets: bool) -> Exchange {
        self.send(|| self.try_get(url, accept, with_secrets))
    }

    /// Like [`Wire::get`], for a media file of at most `most` bytes: response and body go into files in `folder`.
    ///
    /// # Errors
    /// When these cannot be written.
    pub(super) fn download(&self, url: &str, with_secrets: bool, folder: &Path, most: u64) -> io::Result<Exchange> {
        let file = tempfile::tempfile_in(folder)?;
        self.tape.lock().spool = Some(Spool { file, failed: None, start: Instant::now(), patience: self.timeout });
        let mut part = ReceivedBody::create(folder)?;
        let mut exchange = self.send(|| self.try_download(url, with_secrets, &mut part, most.min(MOST_OF_FILE)));
        let mut tape = self.tape.lock();
        let spool = tape.spool.take().filter(|_| !exchange.received.is_empty());
        if let Some(spool) = spool {
            spool.failed.map_or(Ok(()), Err)?;
            let most = if exchange.fault.is_some() { MOST_KEPT as u64 } else { tape.length };
            exchange.spool = Some((spool.file, tape.length.min(most)));
        }
        exchange.whole = part.finish()?.filter(|_| exchange.fault.is_none());
        Ok(exchange)
    }

    fn send(&self, mut ask: impl FnMut() -> Result<(), Error>) -> Exchange {
        let before = self.begin();
        let mut outcome = ask();
        // The server may have closed a kept-alive connection meanwhile: that is not a fault.
        let is_stale = {
            let tape = self.tape.lock();
            tape.connections == before && tape.received.is_empty() && !matches!(outcome, Err(Error::Timeout(_)))
        };
        if outcome.is_err() && is_stale {
            self.begin();
            outcome = ask();
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
            ..Exchange::default()
        }
    }

    fn begin(&self) -> u64 {
        let mut tape = self.tape.lock();
        tape.sent.clear();
        tape.received.clear();
        (tape.length, tape.most) = (0, MOST_BYTES);
        tape.refused = None;
        tape.overflow = false;
        tape.connections
    }

    fn try_get(&self, url: &str, accept: &str, with_secrets: bool) -> Result<(), Error> {
        let mut request = self.agent.get(url).header("accept", accept);
        for (name, value) in self.headers.iter().filter(|_| with_secrets) {
            request = request.header(name, value);
        }
        let mut response = request.call()?;
        let kind = response.headers().get("content-type").and_then(|value| value.to_str().ok());
        if accept == HTML && response.status() == 200 && kind.is_some_and(|kind| !kind.contains("html")) {
            return Ok(());
        }
        read_through(response.body_mut(), &mut io::sink())
    }

    /// Requests a media file; its body goes into `part`, without content encoding.
    fn try_download(&self, url: &str, with_secrets: bool, part: &mut ReceivedBody, most: u64) -> Result<(), Error> {
        let request = self.agent.get(url).config().timeout_global(None);
        let request = request.timeout_connect(Some(self.timeout)).timeout_resolve(Some(self.timeout)).build();
        let mut request = request.header("accept", "*/*").header("accept-encoding", "identity");
        for (name, value) in self.headers.iter().filter(|_| with_secrets) {
            request = request.header(name, value);
        }
        let mut response = request.call()?;
        let header =
            |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let (kind, encoding) = (header("content-type").to_ascii_lowercase(), header("content-encoding").to_owned());
        if response.status() != 200 {
            return read_through(response.body_mut(), &mut io::sink());
        }
        if !kind.contains("html") {
            // The head comes before the body.
            self.tape.lock().most = most + MOST_HEAD as u64;
        }
        part.begin(&encoding, most).map_err(Error::Io)?;
        read_through(response.body_mut(), part)?;
        part.end().map_err(Error::Io)
    }

    fn fault_of(&self, error: &Error, tape: &Tape) -> Fault {
        let fault = |what: String, passes, truncated| Fault { what, passes, truncated, is_nobody: false };
        let nobody = |what: String| Fault { is_nobody: true, ..fault(what, true, "disconnect") };
        if let Some(address) = tape.refused {
            return fault(format!("refused: {address} is not a public address"), false, "unspecified");
        }
        if tape.overflow {
            return fault(format!("more than {} MiB", tape.most >> 20), false, "length");
        }
        match error {
            Error::Timeout(Timeout::Resolve) => {
                fault("the host's name was not resolved in time".to_owned(), true, "time")
            }
            Error::Timeout(Timeout::RecvBody) => fault("too slow".to_owned(), true, "time"),
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
            // The resolver has no error kinds of its own.
            Error::Io(e) if e.to_string().starts_with("failed to lookup address information") => {
                nobody(format!("no such host ({e})"))
            }
            Error::Io(e) if e.to_string().starts_with("more than ") => fault(describe_io(e), false, "length"),
            Error::Io(e) if e.kind() == std::io::ErrorKind::ConnectionRefused => nobody(describe_io(e)),
            Error::Io(e) => fault(describe_io(e), true, "disconnect"),
            other => fault(other.to_string(), true, "disconnect"),
        }
    }
}

/// Whether this error reports a media file longer than `most`, where that is less than the general limit.
pub(super) fn is_longer_than(most: u64, what: &str) -> bool {
    most < MOST_OF_FILE && what.starts_with("more than ")
}

/// Reads a body to its end.
fn read_through(body: &mut Body, target: &mut impl Write) -> Result<(), Error> {
    let mut reader = body.with_config().limit(u64::MAX).reader();
    let mut piece = vec![0; 64 * 1024];
    loop {
        match reader.read(&mut piece).map_err(into_error)? {
            0 => return Ok(()),
            n => target.write_all(&piece[..n]).map_err(Error::Io)?,
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

/// The certificate authorities in a PEM file.
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

/// The request without the lines of secret headers.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_secret_is_in_no_file() {
        let request = b"GET / HTTP/1.1\r\nhost: a\r\nauthorization: Basic x\r\naccept: y\r\n\r\n".to_vec();
        let secrets = [("Authorization".to_owned(), "Basic x".to_owned())];
        assert_eq!(without_secrets(request, &secrets), b"GET / HTTP/1.1\r\nhost: a\r\naccept: y\r\n\r\n");
    }
}
