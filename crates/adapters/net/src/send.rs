//! What is sent, and to whom a key goes.

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderName, HeaderValue};
use rustls::crypto::ring;
use tokio::time::Instant;

use crate::client::{Body, Client, origin, parsed, reason, shown, text, within};
use crate::error::Error;

/// How something is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// To be worked on.
    Post,
    /// To stand in the place of what is there.
    Put,
    /// To change a part of what is there.
    Patch,
}

/// Where an address leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Scheme, host and port.
    pub text: String,
    /// Whether what is sent there cannot be read on the way.
    pub https: bool,
    /// Whether it is this machine.
    pub loopback: bool,
}

/// Where an address leads.
///
/// # Errors
/// [`Error::Url`] where it is no address of `https` or `http`.
pub fn origin_of(url: &str) -> Result<Origin, Error> {
    let url = parsed(url)?;
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let loopback = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    Ok(Origin { text: origin(&url), https: url.scheme() == "https", loopback })
}

/// Sixteen bytes of the system's randomness; `None` where it gives none.
#[must_use]
pub fn random() -> Option<[u8; 16]> {
    let mut bytes = [0; 16];
    ring::default_provider().secure_random.fill(&mut bytes).ok()?;
    Some(bytes)
}

/// A key with the one origin that it was configured for. It is never shown: neither `Debug` nor any error has it.
#[derive(Clone)]
pub struct Credential {
    origin: String,
    header: HeaderName,
    value: HeaderValue,
}

impl Credential {
    /// A key that goes to the origin (scheme, host and port) of `url` alone, as the header `header` with the value `value`.
    ///
    /// # Errors
    /// Where the address is none, or `header` or `value` cannot stand in a header; the message does not repeat the value.
    pub fn new(url: &str, header: &str, value: &str) -> Result<Self, Error> {
        let url = parsed(url)?;
        let refused = |why: &str| Error::Credential { origin: origin(&url), why: why.to_owned() };
        let header =
            HeaderName::try_from(header).map_err(|_| refused("its header has a name that no header can have"))?;
        let mut value =
            HeaderValue::from_str(value).map_err(|_| refused("it holds characters that no header can hold"))?;
        value.set_sensitive(true);
        Ok(Self { origin: origin(&url), header, value })
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Credential").field("origin", &self.origin).finish_non_exhaustive()
    }
}

/// What is sent. Nothing sent is ever led on to another address.
#[derive(Clone, Copy, Debug)]
pub struct Sending<'a> {
    /// How.
    pub method: Method,
    /// The address, `https` or `http`.
    pub url: &'a str,
    /// The media type of the body.
    pub content_type: &'a str,
    /// The body.
    pub body: &'a [u8],
    /// Further headers, none of them secret.
    pub headers: &'a [(&'a str, &'a str)],
    /// The keys; each must have been made for the origin of `url`.
    pub credentials: &'a [Credential],
    /// How large the body of the answer may be.
    pub body_bytes_max: u64,
    /// How long all of it may take, from the connection to the last byte of the answer.
    pub whole: Duration,
}

/// An answer, of whatever status, whose head has come.
#[derive(Debug)]
pub struct Received {
    body: Body,
    whole: Duration,
    deadline: Instant,
    /// The HTTP status.
    pub status: u16,
}

impl Client {
    /// Sends something and waits for the head of the answer. An answer of any status is one, but for those that lead elsewhere.
    ///
    /// # Errors
    /// Where a key is for another origin, where there is no connection or no answer in time, where the answer leads elsewhere, is
    /// compressed, or announces more than `body_bytes_max`.
    pub async fn send(&self, sending: &Sending<'_>) -> Result<Received, Error> {
        let url = parsed(sending.url)?;
        let own = origin(&url);
        let mut builder = match sending.method {
            Method::Post => self.inner.post(url.clone()),
            Method::Put => self.inner.put(url.clone()),
            Method::Patch => self.inner.patch(url.clone()),
        };
        // What is sent back is bounded by what comes in, so it is never unpacked.
        builder = builder.header(ACCEPT_ENCODING, "identity").header(CONTENT_TYPE, sending.content_type);
        for (name, value) in sending.headers {
            builder = builder.header(*name, *value);
        }
        for credential in sending.credentials {
            if credential.origin != own {
                let why = format!("it was configured for {}", credential.origin);
                return Err(Error::Credential { origin: own, why });
            }
            builder = builder.header(credential.header.clone(), credential.value.clone());
        }
        let deadline = Instant::now() + sending.whole;
        let first_byte = self.timeouts.first_byte;
        let sent = within(first_byte.min(sending.whole), builder.body(sending.body.to_vec()).send(), &url).await?;
        let response = sent.map_err(|error| Error::Unreachable { origin: own.clone(), why: reason(&error) })?;
        let address = shown(&url);
        if response.status().is_redirection() {
            return Err(Error::Redirect {
                from: address,
                to: "elsewhere".to_owned(),
                why: "what is sent is not led on to another address",
            });
        }
        if text(response.headers(), CONTENT_ENCODING).is_some_and(|coding| coding != "identity") {
            return Err(Error::Answer { url: address, why: "is compressed, which was not asked for".to_owned() });
        }
        let length = text(response.headers(), CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
        if length.is_some_and(|bytes| bytes > sending.body_bytes_max) {
            return Err(Error::TooLarge { url: address, bytes_max: sending.body_bytes_max });
        }
        let status = response.status().as_u16();
        let (idle, bytes_max) = (self.timeouts.idle, sending.body_bytes_max);
        let body = Body { response, url: address, origin: own, idle, bytes_max, done: 0 };
        Ok(Received { body, whole: sending.whole, deadline, status })
    }
}

impl Received {
    /// A header of the answer, where it is there and is text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.body.response.headers().get(name)?.to_str().ok()
    }

    /// The next piece of the body, `None` at its end.
    ///
    /// # Errors
    /// [`Error::Broken`] where it ends before its end, where nothing comes in time or all of it takes too long; [`Error::TooLarge`] above
    /// the limit.
    pub async fn chunk(&mut self) -> Result<Option<Vec<u8>>, Error> {
        self.body.chunk(Some((self.deadline, self.whole))).await
    }

    /// The whole of the body.
    ///
    /// # Errors
    /// As [`Received::chunk`].
    pub async fn body(mut self) -> Result<Vec<u8>, Error> {
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk().await? {
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }
}
