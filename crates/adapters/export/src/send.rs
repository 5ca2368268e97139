//! One call to a server, and what its answer means.

use std::time::Duration;

use steadfast_net::{Client, Credential, Method, Received, Sending};

use crate::settings::Secrets;

/// How long one call may take, in seconds.
pub const CALL_SECONDS_MAX: u64 = 30;

/// The body of an answer in bytes: a reason, or what was not kept.
const ANSWER_BYTES_MAX: u64 = 1024 * 1024;

/// Characters of a server's reason that are shown.
const REASON_CHARS_MAX: usize = 300;

/// What is sent to a server.
#[derive(Clone, Debug)]
pub struct Call {
    /// How.
    pub method: Method,
    /// Where, after the server's address; empty where that is all of it.
    pub path: &'static str,
    /// The media type of the body.
    pub content_type: &'static str,
    /// The body.
    pub body: Vec<u8>,
}

impl Call {
    /// A call with a JSON body.
    #[must_use]
    pub fn json(method: Method, path: &'static str, body: String) -> Self {
        Self { method, path, content_type: "application/json", body: body.into_bytes() }
    }
}

/// What a call came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Came {
    /// The server took it. The body of its answer, where there is one.
    Taken(Vec<u8>),
    /// The server will never take it.
    Never(String),
    /// It may take it another time.
    Later {
        /// Why not now.
        why: String,
        /// How long it asks to be left alone.
        wait: Option<Duration>,
    },
}

/// Makes one call. Nothing is tried twice here.
pub(crate) async fn call(
    client: &Client,
    server: &str,
    headers: &[(&str, &str)],
    credentials: &[Credential],
    secrets: &Secrets,
    call: &Call,
) -> Came {
    let url = format!("{server}{}", call.path);
    let sending = Sending {
        method: call.method,
        url: &url,
        content_type: call.content_type,
        body: &call.body,
        headers,
        credentials,
        body_bytes_max: ANSWER_BYTES_MAX,
        whole: Duration::from_secs(CALL_SECONDS_MAX),
    };
    match client.send(&sending).await {
        Err(error) => Came::Later { why: shown(&secrets.hide(&error.to_string())), wait: None },
        Ok(received) => came(received, &url, secrets).await,
    }
}

async fn came(received: Received, url: &str, secrets: &Secrets) -> Came {
    let status = received.status;
    let wait = ["retry-after", "ratelimit-reset"]
        .iter()
        .find_map(|name| received.header(name)?.trim().parse::<u64>().ok())
        .map(Duration::from_secs);
    let body = received.body().await.unwrap_or_default();
    // That it stands there already is what Opik says of what was sent before.
    if (200..300).contains(&status) || status == 409 {
        return Came::Taken(body);
    }
    let reason = secrets.hide(&String::from_utf8_lossy(&body));
    let reason = if reason.trim().is_empty() { String::new() } else { format!(": {}", shown(reason.trim())) };
    let why = format!("{url}: status {status}{reason}");
    match status {
        400 | 413 | 422 => Came::Never(why),
        // What else is wrong lies with the server or the settings, and can be mended.
        429 | 503 => Came::Later { why, wait },
        _ => Came::Later { why, wait: None },
    }
}

/// The beginning of what somebody else says, on one line.
pub(crate) fn shown(text: &str) -> String {
    let mut characters = text.chars().map(|it| if it.is_control() { ' ' } else { it });
    let mut shown: String = characters.by_ref().take(REASON_CHARS_MAX).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}
