//! A notice as a POST, signed as Standard Webhooks has it.

use std::fmt;
use std::thread;
use std::time::{Duration, SystemTime};

use steadfast_engine::alerts::{self, WEBHOOK_SECRET_PREFIX};
use steadfast_net::{Client, Error, Method, Proxy, Sending, Timeouts};

/// Attempts for one notice.
pub const ATTEMPTS_MAX: usize = 5;

/// Waits between two attempts.
const WAITS: [Duration; ATTEMPTS_MAX - 1] =
    [Duration::from_secs(1), Duration::from_secs(5), Duration::from_secs(30), Duration::from_secs(120)];

/// The body of an answer, in bytes; nothing is made of it.
const ANSWER_BYTES_MAX: u64 = 64 * 1024;

/// What notices are signed with.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

impl Secret {
    /// A secret as Standard Webhooks writes it: `whsec_` and base64; `None` where it is none.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        alerts::webhook_secret(text.trim().strip_prefix(WEBHOOK_SECRET_PREFIX)?).map(Self)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret")
    }
}

/// What an attempt came to.
enum Came {
    Taken,
    Never(String),
    Later(String),
}

/// Posts a notice until it is taken, or there is no use in trying; how often it was tried, and what came of it. Each attempt has the same id.
pub(crate) fn post(
    url: &str,
    secret: Option<&Secret>,
    timeout: Duration,
    id: &str,
    body: &str,
) -> (usize, Result<(), String>) {
    let waits = Timeouts { connect: timeout, first_byte: timeout, idle: timeout };
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return (0, Err(error.to_string())),
    };
    let client = match Client::new(waits, Proxy::Environment) {
        Ok(client) => client,
        Err(error) => return (0, Err(error.to_string())),
    };
    let (id, mut why) = (format!("msg_{}", id.replace('-', "")), String::new());
    for (attempts, wait) in (1..).zip([None].into_iter().chain(WAITS.map(Some))) {
        if let Some(wait) = wait {
            thread::sleep(wait);
        }
        match runtime.block_on(attempt(&client, url, secret, timeout, &id, body)) {
            Came::Taken => return (attempts, Ok(())),
            Came::Never(why) => return (attempts, Err(why)),
            Came::Later(own) => why = own,
        }
    }
    (ATTEMPTS_MAX, Err(format!("{why} ({ATTEMPTS_MAX} attempts)")))
}

async fn attempt(client: &Client, url: &str, secret: Option<&Secret>, timeout: Duration, id: &str, body: &str) -> Came {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs().to_string();
    let signature = secret.map(|secret| alerts::signature(&secret.0, id, &now, body));
    let mut headers = vec![("webhook-id", id), ("webhook-timestamp", now.as_str())];
    headers.extend(signature.as_deref().map(|signature| ("webhook-signature", signature)));
    let sending = Sending {
        method: Method::Post,
        url,
        content_type: "application/json",
        body: body.as_bytes(),
        headers: &headers,
        credentials: &[],
        body_bytes_max: ANSWER_BYTES_MAX,
        whole: timeout,
    };
    match client.send(&sending).await {
        // Whoever leads on to elsewhere will do so again.
        Err(error @ Error::Redirect { .. }) => Came::Never(error.to_string()),
        Err(error) => Came::Later(error.to_string()),
        Ok(received) => match received.status {
            200..=299 => Came::Taken,
            status @ (408 | 429 | 500..) => Came::Later(format!("status {status}")),
            status => Came::Never(format!("status {status}")),
        },
    }
}
