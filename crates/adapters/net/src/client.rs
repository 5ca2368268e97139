//! The client: what it waits for, what it reads, where it goes.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{
    ACCEPT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, ETAG, HeaderMap, HeaderName, IF_RANGE, LOCATION, RANGE,
};
use reqwest::{Response, StatusCode, Url, redirect};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use tokio::time::{Instant, timeout_at};

use crate::metadata::{self, Resolver};
use crate::{Error, REDIRECTS_MAX};

/// How the program names itself to servers.
const USER_AGENT: &str = concat!("steadfast/", env!("CARGO_PKG_VERSION"));

/// How long the client waits.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// For a connection, name look-up and TLS included.
    pub connect: Duration,
    /// From the question to the head of the answer.
    pub first_byte: Duration,
    /// Between two pieces of a body.
    pub idle: Duration,
}

impl Default for Timeouts {
    /// 10 s for a connection, 30 s for an answer, 30 s between two pieces of it.
    fn default() -> Self {
        Self { connect: Duration::from_secs(10), first_byte: Duration::from_secs(30), idle: Duration::from_secs(30) }
    }
}

/// Which proxy is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proxy {
    /// The one that `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` name, if any.
    Environment,
    /// None, whatever the environment says.
    None,
}

/// Where an answer may lead.
#[derive(Clone, Copy, Debug)]
pub enum Redirects<'a> {
    /// Nowhere: an answer that leads on is an error.
    Refused,
    /// To the same scheme, host and port.
    SameOrigin,
    /// To these hosts too. A name that begins with a dot is a domain with all its hosts.
    To(&'a [String]),
}

/// What is asked for. No question carries credentials.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The address, `https` or `http`.
    pub url: &'a str,
    /// Where the answer may lead: at most [`REDIRECTS_MAX`] times, and never from `https` to `http`.
    pub redirects: Redirects<'a>,
    /// Which part is there already.
    pub resume: Option<&'a Resume>,
    /// How large the whole may be, what is there already included.
    pub body_bytes_max: u64,
}

/// The part of a body that is there already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resume {
    /// How many bytes.
    pub bytes: u64,
    /// The `ETag` that came with them. With one, the server sends the rest only of the same thing (`If-Range`).
    pub etag: Option<String>,
}

/// An answer whose head has come.
#[derive(Debug)]
pub struct Answer {
    body: Body,
    /// Where the body begins: what was there already where the server sends the rest, 0 where it sends the whole.
    pub start: u64,
    /// The size of the whole, where it is said.
    pub total: Option<u64>,
    /// The strong `ETag`, where there is one.
    pub etag: Option<String>,
}

/// The client. Cheap to clone; clones share their connections.
#[derive(Clone, Debug)]
pub struct Client {
    pub(crate) inner: reqwest::Client,
    pub(crate) timeouts: Timeouts,
}

impl Client {
    /// A client with these waiting times.
    ///
    /// Servers prove themselves by the certificates of this machine (`SSL_CERT_FILE` and `SSL_CERT_DIR` name others); where it has
    /// none, by Mozilla's, which are built in.
    ///
    /// # Errors
    /// [`Error::Tls`] where no client can be made.
    pub fn new(timeouts: Timeouts, proxy: Proxy) -> Result<Self, Error> {
        let tls = |error: &dyn std::error::Error| Error::Tls { why: reason(error) };
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| tls(&error))?
            .with_root_certificates(roots())
            .with_no_client_auth();
        let builder = reqwest::Client::builder()
            .tls_backend_preconfigured(config)
            .user_agent(USER_AGENT)
            .redirect(redirect::Policy::none())
            .referer(false)
            .dns_resolver(Arc::new(Resolver))
            .connect_timeout(timeouts.connect);
        let builder = match proxy {
            Proxy::Environment => builder,
            Proxy::None => builder.no_proxy(),
        };
        Ok(Self { inner: builder.build().map_err(|error| tls(&error))?, timeouts })
    }

    /// Asks for something and waits for the head of the answer.
    ///
    /// # Errors
    /// Where there is no connection or no answer in time, where the answer is no success, leads where it must not, or announces
    /// more than `body_bytes_max`. A server that has nothing from [`Resume::bytes`] on answers with status 416.
    pub async fn get(&self, request: &Request<'_>) -> Result<Answer, Error> {
        let mut url = parsed(request.url)?;
        for _ in 0..=REDIRECTS_MAX {
            let response = self.ask(&url, request.resume).await?;
            if !response.status().is_redirection() {
                return self.answer(response, &url, request);
            }
            url = led(&url, response.headers(), request.redirects)?;
        }
        Err(Error::Redirect { from: origin(&parsed(request.url)?), to: shown(&url), why: "too many redirects" })
    }

    async fn ask(&self, url: &Url, resume: Option<&Resume>) -> Result<Response, Error> {
        // What counts is the bytes themselves, never a compressed form of them.
        let mut builder = self.inner.get(url.clone()).header(ACCEPT_ENCODING, "identity");
        if let Some(resume) = resume.filter(|resume| resume.bytes > 0) {
            builder = builder.header(RANGE, format!("bytes={}-", resume.bytes));
            if let Some(etag) = &resume.etag {
                builder = builder.header(IF_RANGE, etag);
            }
        }
        let seconds = self.timeouts.first_byte;
        within(seconds, builder.send(), url).await?.map_err(|error| {
            let origin = origin(url);
            if error.is_timeout() && !error.is_connect() {
                return Error::Silent { origin, seconds: seconds.as_secs() };
            }
            Error::Unreachable { origin, why: reason(&error) }
        })
    }

    fn answer(&self, response: Response, url: &Url, request: &Request<'_>) -> Result<Answer, Error> {
        let address = shown(url);
        let headers = response.headers();
        let wrong = |why: String| Error::Answer { url: address.clone(), why };
        let length = text(headers, CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
        let (start, total) = match response.status() {
            StatusCode::OK => (0, length),
            StatusCode::PARTIAL_CONTENT => {
                let wanted = request.resume.map_or(0, |resume| resume.bytes);
                let range = text(headers, CONTENT_RANGE).unwrap_or_default();
                let (start, total) =
                    content_range(range).ok_or_else(|| wrong(format!("its range `{range}` cannot be read")))?;
                if start != wanted {
                    return Err(wrong(format!("sends from byte {start} on, asked for was {wanted}")));
                }
                (start, total)
            }
            status => return Err(Error::Status { url: address, status: status.as_u16() }),
        };
        let announced = total.max(length.map(|length| start.saturating_add(length)));
        if announced.is_some_and(|bytes| bytes > request.body_bytes_max) {
            return Err(Error::TooLarge { url: address, bytes_max: request.body_bytes_max });
        }
        let etag = text(headers, ETAG).filter(|etag| etag.starts_with('"')).map(str::to_owned);
        let body = Body {
            response,
            url: address,
            origin: origin(url),
            idle: self.timeouts.idle,
            bytes_max: request.body_bytes_max,
            done: start,
        };
        Ok(Answer { body, start, total, etag })
    }
}

impl Answer {
    /// The next piece of the body, `None` at its end.
    ///
    /// # Errors
    /// [`Error::Broken`] where it ends before its end or nothing comes in time, [`Error::TooLarge`] above the limit.
    pub async fn chunk(&mut self) -> Result<Option<Vec<u8>>, Error> {
        self.body.chunk(None).await
    }
}

/// A body that is read piece by piece, within limits.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) response: Response,
    pub(crate) url: String,
    pub(crate) origin: String,
    pub(crate) idle: Duration,
    pub(crate) bytes_max: u64,
    pub(crate) done: u64,
}

impl Body {
    /// The next piece, `None` at the end. `whole` is when all of it must be there, and how long that was from the beginning.
    pub(crate) async fn chunk(&mut self, whole: Option<(Instant, Duration)>) -> Result<Option<Vec<u8>>, Error> {
        let broken = |why| Error::Broken { origin: self.origin.clone(), bytes: self.done, why };
        let idle = Instant::now() + self.idle;
        let whole = whole.filter(|(deadline, _)| *deadline <= idle);
        let until = whole.map_or(idle, |(deadline, _)| deadline);
        let chunk = match timeout_at(until, self.response.chunk()).await {
            Err(_) => {
                return Err(broken(match whole {
                    Some((_, whole)) => format!("it took longer than {} s", whole.as_secs()),
                    None => format!("nothing came for {} s", self.idle.as_secs()),
                }));
            }
            Ok(Err(error)) => return Err(broken(reason(&error))),
            Ok(Ok(chunk)) => chunk,
        };
        let Some(chunk) = chunk else { return Ok(None) };
        self.done = self.done.saturating_add(chunk.len() as u64);
        if self.done > self.bytes_max {
            return Err(Error::TooLarge { url: self.url.clone(), bytes_max: self.bytes_max });
        }
        Ok(Some(chunk.to_vec()))
    }
}

pub(crate) async fn within<T>(limit: Duration, future: impl Future<Output = T>, url: &Url) -> Result<T, Error> {
    tokio::time::timeout(limit, future)
        .await
        .map_err(|_| Error::Silent { origin: origin(url), seconds: limit.as_secs() })
}

pub(crate) fn parsed(url: &str) -> Result<Url, Error> {
    let refused = |why: String| Error::Url { url: url.split('?').next().unwrap_or_default().to_owned(), why };
    let parsed = Url::parse(url).map_err(|error| refused(error.to_string()))?;
    if !["http", "https"].contains(&parsed.scheme()) {
        return Err(refused("only http and https are".to_owned()));
    }
    if metadata::is_named(&parsed) {
        return Err(refused(metadata::WHY.to_owned()));
    }
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return Err(Error::Url { url: shown(&parsed), why: "an address carries no name and no password".to_owned() });
    }
    Ok(parsed)
}

/// The address that an answer leads to, if it may.
fn led(from: &Url, headers: &HeaderMap, redirects: Redirects<'_>) -> Result<Url, Error> {
    let Some(location) = text(headers, LOCATION) else {
        return Err(Error::Answer { url: shown(from), why: "leads on without saying where".to_owned() });
    };
    let Ok(to) = from.join(location) else {
        return Err(Error::Answer { url: shown(from), why: "leads to what is no address".to_owned() });
    };
    let refused = |why| Error::Redirect { from: shown(from), to: shown(&to), why };
    if !to.username().is_empty() || to.password().is_some() {
        return Err(refused("an address carries no name and no password"));
    }
    if !["http", "https"].contains(&to.scheme()) || (from.scheme() == "https" && to.scheme() != "https") {
        return Err(refused("that is less safe"));
    }
    let same = from.origin() == to.origin();
    let host = to.host_str().unwrap_or_default();
    match redirects {
        Redirects::Refused => Err(refused("redirects are not followed")),
        Redirects::SameOrigin if !same => Err(refused("that is another server")),
        Redirects::To(hosts) if !same && !hosts.iter().any(|known| named(host, known)) => {
            Err(refused("that server is not on the list"))
        }
        _ => Ok(to),
    }
}

/// Whether a host is the one that is named, or stands in the domain that is named.
fn named(host: &str, known: &str) -> bool {
    if known.starts_with('.') { host.ends_with(known) && host.len() > known.len() } else { host == known }
}

/// `bytes 10-19/20` as (10, 20); the size may be `*`.
fn content_range(range: &str) -> Option<(u64, Option<u64>)> {
    let (part, total) = range.strip_prefix("bytes ")?.split_once('/')?;
    let (start, end) = part.split_once('-')?;
    let (start, end) = (start.parse::<u64>().ok()?, end.parse::<u64>().ok()?);
    let total = if total == "*" { None } else { Some(total.parse::<u64>().ok()?) };
    (start <= end && total.is_none_or(|total| end < total)).then_some((start, total))
}

pub(crate) fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// Scheme, host and port.
pub(crate) fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// An address without its query.
pub(crate) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    // Neither can fail on an address with a host.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.to_string()
}

/// The innermost cause, which says most.
pub(crate) fn reason(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

fn roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    // A certificate that cannot be read is one that proves nothing.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    roots
}

#[cfg(test)]
mod tests {
    use super::{content_range, named, parsed};

    #[test]
    fn ranges_are_read_or_refused() {
        assert_eq!(content_range("bytes 10-19/20"), Some((10, Some(20))));
        assert_eq!(content_range("bytes 10-19/*"), Some((10, None)));
        for wrong in
            ["", "bytes", "bytes 3-2/9", "bytes 1-9/9", "bytes */9", "bytes -1-2/9", "items 1-2/9", "bytes 1-2"]
        {
            assert_eq!(content_range(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_domain_is_told_from_what_ends_like_it() {
        assert!(named("a.example", "a.example") && named("cdn.a.example", ".a.example"));
        assert!(!named("a.example", ".a.example") && !named("evil-a.example", ".a.example"));
        assert!(!named(".a.example", ".a.example") && !named("b.a.example", "a.example"));
    }

    #[test]
    fn addresses_without_http_or_with_a_password_are_refused() {
        let refused = |url: &str| parsed(url).unwrap_err().to_string();
        assert_eq!(refused("file:///etc"), "file:///etc: is not fetched: only http and https are");
        assert_eq!(
            refused("https://ann:secret@a.example/x?y"),
            "https://a.example/x: is not fetched: an address carries no name and no password"
        );
        assert_eq!(refused("x"), "x: is not fetched: relative URL without a base");
        assert!(parsed("https://a.example").is_ok());
    }
}
