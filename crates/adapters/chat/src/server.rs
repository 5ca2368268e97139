//! A server, and a model there: what is sent, and what is made of what comes.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use steadfast_engine::chat::{
    Attempting, Breaker, Call, ChatModel, Completion, Fault, FaultKind, Patient, Prices, Server, Surroundings,
};
use steadfast_net::{Client, Credential, Method, Origin, Proxy, Received, Sending, Timeouts};
use steadfast_wire::settings::{ServerKind, TokensFieldSetting};

use crate::event::{Event, Events};
use crate::mode::{Mode, Modes};
use crate::reply::{Reply, Wrong, fault};
use crate::words::{Told, passed_on, told};
use crate::{Error, anthropic, openai};

/// Largest body that is read of an answer, in bytes: a reply of the longest kind with the frame of its events.
pub const BODY_BYTES_MAX: u64 = 32 << 20;

/// Largest part of a body that is read of an answer that is no success, in bytes.
const ERROR_BYTES_MAX: usize = 64 << 10;

/// Words by which servers name the form that they are asked for.
const FORM_WORDS: &[&str] = &[
    "response_format",
    "json_schema",
    "json_object",
    "output_config",
    "output_format",
    "tool_choice",
    "structured output",
    "grammar",
];

/// A key. It is never shown.
#[derive(Clone)]
pub struct Key(String);

impl Key {
    /// A key; white space around it is left out.
    #[must_use]
    pub fn new(key: String) -> Self {
        Self(key.trim().to_owned())
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key(…)")
    }
}

/// How long a server is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    /// For a connection.
    pub connect: Duration,
    /// From the question to the head of the answer.
    pub first_byte: Duration,
    /// Between two pieces of it.
    pub idle: Duration,
    /// For a call: all attempts, the waits between them, and the last byte.
    pub whole: Duration,
}

impl Default for Waits {
    /// 5 s, 30 s, 20 s, 120 s.
    fn default() -> Self {
        let [connect, first_byte, idle, whole] = [5, 30, 20, 120].map(Duration::from_secs);
        Self { connect, first_byte, idle, whole }
    }
}

/// What is known of a server beforehand.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// Which protocol it speaks.
    pub kind: ServerKind,
    /// Its address: up to the version (`https://api.openai.com/v1`), with or without it, or the whole way to the end point.
    pub url: String,
    /// Its key, if it wants one.
    pub key: Option<Key>,
    /// How long it is waited for.
    pub waits: Waits,
    /// How it takes the bound on a reply; `None` is `max_completion_tokens` for OpenAI itself and `max_tokens` for all others.
    pub tokens_field: Option<TokensFieldSetting>,
    /// The temperature that is asked for; without one the server's own holds, and some models take no other.
    pub temperature: Option<f64>,
    /// How many tokens its models take in, question and reply together.
    pub context_tokens: usize,
    /// Which proxy is used; none for this machine.
    pub proxy: Proxy,
}

/// A server. Cheap to clone; clones share connections and what is known of it.
#[derive(Clone)]
pub struct ChatServer {
    shared: Arc<Shared>,
    breaker: Arc<Breaker>,
}

struct Shared {
    client: Client,
    kind: ServerKind,
    url: String,
    origin: String,
    key: Option<Key>,
    credentials: Vec<Credential>,
    whole: Duration,
    tokens_field: TokensFieldSetting,
    temperature: Option<f64>,
    context_tokens: usize,
    modes: Arc<Modes>,
}

impl ChatServer {
    /// A server by its settings; `modes` is what is known of all of them.
    ///
    /// # Errors
    /// Where the address is none, the key cannot stand in a header, or would go over http to another machine.
    pub fn new(settings: ServerSettings, modes: Arc<Modes>) -> Result<Self, Error> {
        let ServerSettings { kind, url, key, waits, tokens_field, temperature, context_tokens, proxy } = settings;
        let Origin { text: origin, https, loopback } = steadfast_net::origin_of(&url)?;
        if key.is_some() && !https && !loopback {
            return Err(Error::Insecure { origin });
        }
        // What is for this machine does not leave it, whatever proxy the environment names.
        let proxy = if loopback { Proxy::None } else { proxy };
        let header = |key: &Key| match kind {
            ServerKind::Openai => Credential::new(&url, "authorization", &format!("Bearer {}", key.expose())),
            ServerKind::Anthropic => Credential::new(&url, "x-api-key", key.expose()),
        };
        let credentials = key.iter().map(header).collect::<Result<_, _>>()?;
        let timeouts = Timeouts { connect: waits.connect, first_byte: waits.first_byte, idle: waits.idle };
        let own = if origin == "https://api.openai.com" {
            TokensFieldSetting::MaxCompletionTokens
        } else {
            TokensFieldSetting::MaxTokens
        };
        let shared = Shared {
            client: Client::new(timeouts, proxy)?,
            kind,
            url: end_point(&url, kind),
            origin,
            key,
            credentials,
            whole: waits.whole,
            tokens_field: tokens_field.unwrap_or(own),
            temperature,
            context_tokens,
            modes,
        };
        Ok(Self { shared: Arc::new(shared), breaker: Arc::default() })
    }

    /// Scheme, host and port.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.shared.origin
    }

    /// A model of this name at this server. A call may take as long as `whole`, all attempts and waits together; each attempt as long as
    /// the server's own settings say.
    #[must_use]
    pub fn model(
        &self,
        name: &str,
        prices: Option<Prices>,
        surroundings: Surroundings,
        whole: Duration,
    ) -> Arc<dyn ChatModel> {
        let model = Model { shared: Arc::clone(&self.shared), name: name.to_owned(), prices };
        Arc::new(Patient::new(model, Arc::clone(&self.breaker), surroundings, whole))
    }
}

/// The way to the end point: what is there of it is not repeated.
fn end_point(url: &str, kind: ServerKind) -> String {
    let end = match kind {
        ServerKind::Openai => "/chat/completions",
        ServerKind::Anthropic => "/messages",
    };
    let url = url.trim_end_matches('/');
    let version = |part: &str| {
        part.strip_prefix('v').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    if url.ends_with(end) {
        url.to_owned()
    } else if url.rsplit('/').next().is_some_and(version) {
        format!("{url}{end}")
    } else {
        format!("{url}/v1{end}")
    }
}

struct Model {
    shared: Arc<Shared>,
    name: String,
    prices: Option<Prices>,
}

impl Server for Model {
    fn name(&self) -> &str {
        &self.name
    }

    fn origin(&self) -> &str {
        &self.shared.origin
    }

    fn prices(&self) -> Option<Prices> {
        self.prices
    }

    fn context_tokens(&self) -> usize {
        self.shared.context_tokens
    }

    fn attempt<'a>(&'a self, call: &'a Call, left: Duration) -> Attempting<'a> {
        Box::pin(self.ask(call, left))
    }
}

impl Model {
    async fn ask(&self, call: &Call, left: Duration) -> Result<Completion, Fault> {
        let shared = &*self.shared;
        let mode = shared.modes.get(&shared.origin, &self.name).mode;
        let body = match shared.kind {
            ServerKind::Openai => openai::body(call, &self.name, mode, shared.tokens_field, shared.temperature),
            ServerKind::Anthropic => anthropic::body(call, &self.name, mode, shared.temperature),
        };
        let body = body.to_string();
        let mut headers = vec![("accept", "text/event-stream, application/json")];
        if shared.kind == ServerKind::Anthropic {
            headers.push(("anthropic-version", anthropic::VERSION));
        }
        let time = Time { begun: Instant::now(), whole: shared.whole.min(left) };
        let sending = Sending {
            method: Method::Post,
            url: &shared.url,
            content_type: "application/json",
            body: body.as_bytes(),
            headers: &headers,
            credentials: &shared.credentials,
            body_bytes_max: BODY_BYTES_MAX,
            whole: time.whole,
        };
        let received = shared.client.send(&sending).await.map_err(|error| time.fault(&error))?;
        if !(200..300).contains(&received.status) {
            return Err(self.refusal(received, call, mode).await);
        }
        let mut reply = Reply::default();
        match self.read(received, &mut reply, &time).await {
            Ok(()) => {
                shared.modes.prove(&shared.origin, &self.name, mode);
                Ok(reply.completion())
            }
            Err(Unread::Fault(fault)) => Err(Fault { began: Some(reply.bytes()), ..fault }),
            Err(Unread::Wrong(Wrong::Protocol(what))) => {
                let why = format!("{}: {what}", shared.origin);
                Err(Fault { began: Some(reply.bytes()), ..Fault::new(FaultKind::Wrong, why) })
            }
            Err(Unread::Wrong(Wrong::Told(told))) => {
                let words = passed_on(&told.message, call, shared.key.as_ref());
                let mut fault = fault(&told, &words, &shared.origin);
                if reply.bytes() == 0 && names_form(&told) && self.step_down(mode) {
                    fault.kind = FaultKind::Form;
                }
                Err(Fault { began: Some(reply.bytes()), ..fault })
            }
        }
    }

    /// What an answer that is no success says.
    async fn refusal(&self, mut received: Received, call: &Call, mode: Mode) -> Fault {
        let shared = &*self.shared;
        let status = received.status;
        let header = |name: &str| received.header(name).map(str::to_owned);
        let (retry_after, date) = (header("retry-after"), header("date"));
        let mut body = Vec::new();
        // What does not come of a body is no fault beside the status.
        while let Ok(Some(piece)) = received.chunk().await {
            body.extend_from_slice(&piece);
            if body.len() > ERROR_BYTES_MAX {
                break;
            }
        }
        let told = match serde_json::from_slice::<Value>(&body) {
            Ok(value) => told(&value).unwrap_or_default(),
            Err(_) => {
                let text = String::from_utf8_lossy(&body);
                let markup = text.trim_start().starts_with('<');
                Told { message: if markup { String::new() } else { text.into_owned() }, code: String::new() }
            }
        };
        let known = shared.modes.get(&shared.origin, &self.name);
        let of_form = names_form(&told) || (!known.proved && [400, 422].contains(&status));
        let kind = if of_form && self.step_down(mode) { FaultKind::Form } else { FaultKind::Status(status) };
        if kind == FaultKind::Status(status) && of_form && !known.proved {
            // It was not the form: what was tried has shown nothing.
            shared.modes.forget(&shared.origin, &self.name);
        }
        let words = passed_on(&told.message, call, shared.key.as_ref());
        let why = format!("{}: status {status}{}{words}", shared.origin, if words.is_empty() { "" } else { ": " });
        Fault { retry_after, date, ..Fault::new(kind, why) }
    }

    /// The next attempt in a lesser form, if there is one.
    fn step_down(&self, mode: Mode) -> bool {
        let shared = &*self.shared;
        let below = mode.below(shared.kind);
        if let Some(below) = below {
            shared.modes.try_next(&shared.origin, &self.name, below);
        }
        below.is_some()
    }

    /// Reads an answer: a stream of events, or one piece of JSON.
    async fn read(&self, mut received: Received, reply: &mut Reply, time: &Time) -> Result<(), Unread> {
        let kind = self.shared.kind;
        let content_type = received.header("content-type").unwrap_or_default().to_owned();
        let media_type = content_type.split(';').next().unwrap_or_default().trim().to_lowercase();
        match media_type.as_str() {
            "text/event-stream" => {
                let mut events = Events::default();
                while !reply.ended {
                    let Some(piece) = received.chunk().await.map_err(|error| time.fault(&error))? else { break };
                    for event in events.push(&piece)? {
                        take(kind, &event, reply)?;
                        if reply.ended {
                            break;
                        }
                    }
                }
                if !reply.ended
                    && let Some(event) = events.end()?
                {
                    take(kind, &event, reply)?;
                }
            }
            "application/json" => {
                let mut body = Vec::new();
                while let Some(piece) = received.chunk().await.map_err(|error| time.fault(&error))? {
                    body.extend_from_slice(&piece);
                }
                if body.is_empty() {
                    return Err("the answer is empty".to_owned().into());
                }
                let value: Value =
                    serde_json::from_slice(&body).map_err(|error| format!("the answer is no JSON: {error}"))?;
                match kind {
                    ServerKind::Openai => openai::whole(&value, reply)?,
                    ServerKind::Anthropic => anthropic::whole(&value, reply)?,
                }
            }
            "" => return Err("the answer does not say what it is: it has no content type".to_owned().into()),
            other => {
                let shown: String = other.chars().take(40).collect();
                let shown = shown.escape_debug();
                return Err(format!("the answer is `{shown}`, neither a stream of events nor JSON").into());
            }
        }
        if reply.begun { Ok(()) } else { Err("the answer holds no reply".to_owned().into()) }
    }
}

fn take(kind: ServerKind, event: &Event, reply: &mut Reply) -> Result<(), Wrong> {
    match kind {
        ServerKind::Openai => openai::event(event, reply),
        ServerKind::Anthropic => anthropic::event(event, reply),
    }
}

/// Why an answer could not be read.
enum Unread {
    Fault(Fault),
    Wrong(Wrong),
}

impl From<Fault> for Unread {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<Wrong> for Unread {
    fn from(wrong: Wrong) -> Self {
        Self::Wrong(wrong)
    }
}

impl From<String> for Unread {
    fn from(what: String) -> Self {
        Self::Wrong(Wrong::Protocol(what))
    }
}

fn names_form(told: &Told) -> bool {
    let message = told.message.to_lowercase();
    FORM_WORDS.iter().any(|word| message.contains(word))
}

/// How long an attempt takes, and may.
struct Time {
    begun: Instant,
    whole: Duration,
}

impl Time {
    /// What a failure on the way means.
    fn fault(&self, error: &steadfast_net::Error) -> Fault {
        use steadfast_net::Error as Net;
        let kind = match error {
            Net::Silent { .. } | Net::Broken { .. } if self.begun.elapsed() >= self.whole => FaultKind::TimeUp,
            Net::Unreachable { .. } | Net::Silent { .. } | Net::Broken { .. } => FaultKind::Transport,
            Net::TooLarge { .. } | Net::Redirect { .. } | Net::Answer { .. } | Net::Status { .. } => FaultKind::Wrong,
            _ => FaultKind::Ours,
        };
        Fault::new(kind, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use steadfast_engine::chat::CONTEXT_TOKENS_DEFAULT;
    use steadfast_net::Proxy;

    use super::{ChatServer, Error, Key, ServerKind, ServerSettings, Waits, end_point};
    use crate::Modes;

    #[test]
    fn the_end_point_is_found_from_any_part_of_it() {
        for (url, wanted) in [
            ("https://a.example", "https://a.example/v1/chat/completions"),
            ("https://a.example/", "https://a.example/v1/chat/completions"),
            ("https://a.example/v1", "https://a.example/v1/chat/completions"),
            ("https://a.example/api/v3/", "https://a.example/api/v3/chat/completions"),
            ("https://a.example/openai", "https://a.example/openai/v1/chat/completions"),
            ("https://a.example/x/chat/completions", "https://a.example/x/chat/completions"),
        ] {
            assert_eq!(end_point(url, ServerKind::Openai), wanted);
        }
        assert_eq!(end_point("https://a.example", ServerKind::Anthropic), "https://a.example/v1/messages");
    }

    fn server(url: &str, key: Option<&str>) -> Result<ChatServer, Error> {
        let settings = ServerSettings {
            kind: ServerKind::Openai,
            url: url.to_owned(),
            key: key.map(|key| Key::new(key.to_owned())),
            waits: Waits::default(),
            tokens_field: None,
            temperature: None,
            context_tokens: CONTEXT_TOKENS_DEFAULT,
            proxy: Proxy::None,
        };
        assert!(!format!("{settings:?}").contains("canary"));
        ChatServer::new(settings, Arc::new(Modes::default()))
    }

    #[test]
    fn a_key_goes_over_http_to_this_machine_alone() {
        for url in ["http://a.example", "http://10.0.0.7:80/v1", "http://localhost.example", "http://[2001:db8::1]"] {
            let error = server(url, Some("canary")).err().unwrap().to_string();
            assert!(error.ends_with("a key is not sent over http to another machine"), "{error}");
            assert!(server(url, None).is_ok(), "{url}");
        }
        for url in ["http://localhost:11434", "http://127.0.0.9:1", "http://[::1]:8080/v1", "https://a.example"] {
            assert!(server(url, Some("canary")).is_ok(), "{url}");
        }
        let error = server("https://a.example", Some("canary\u{1}")).err().unwrap();
        assert!(!format!("{error} {error:?}").contains("canary"));
    }
}
