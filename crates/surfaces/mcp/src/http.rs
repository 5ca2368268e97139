//! Messages as requests of HTTP, by the rules of the protocol for "streamable HTTP".
//!
//! There are no sessions: every request stands alone, on every revision, and what is kept is in the store. So nothing has to expire, and a
//! request for a stream of the server's own (GET) or for the end of a session (DELETE) is answered 405, as the protocol allows. What
//! stands here comes before the protocol: how much may be asked. Who may ask, by `Host` and `Origin`, is for the server to say that has
//! this endpoint among its routes.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use rmcp::model::{ErrorData, RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::Value;
use steadfast_engine::calls::{Context, Host};
use steadfast_wire::call::ToolSet;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::MESSAGE_BYTES_MAX;
use crate::server::{Held, Server};

/// The path of the one endpoint.
pub const HTTP_PATH: &str = "/mcp";

/// Bytes of all messages together that are held until they are answered; what comes beside them is refused.
pub const MESSAGES_BYTES_MAX: usize = 2 * MESSAGE_BYTES_MAX;

/// Seconds that the body of a request may take.
pub const BODY_SECONDS_MAX: u64 = 30;

/// Seconds after which a client that was refused may come again.
const RETRY_SECONDS: u64 = 1;

/// Bytes that one permit stands for: a semaphore counts to less than the bytes of a large message on small machines.
const PERMIT_BYTES: usize = 1024;

/// How the endpoint is served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpSettings {
    /// How long the body of a request may take; [`BODY_SECONDS_MAX`] where nothing else is said.
    pub body_time_max: Duration,
    /// The tools that are listed.
    pub tools: ToolSet,
}

impl Default for HttpSettings {
    fn default() -> Self {
        Self { body_time_max: Duration::from_secs(BODY_SECONDS_MAX), tools: ToolSet::Hosts }
    }
}

/// The endpoint, at [`HTTP_PATH`]. It looks neither at `Host` nor at `Origin`: let no request through to it that has a strange one.
pub fn http(host: Arc<dyn Host>, settings: HttpSettings) -> Router {
    let endpoint = match Server::new(host, settings.tools) {
        Ok(server) => Arc::new(Endpoint::new(server, settings)),
        Err(error) => {
            let failed = ErrorData::internal_error(error.to_string(), None);
            let answer = move || async move { said(StatusCode::INTERNAL_SERVER_ERROR, failed, None) };
            return Router::new().route(HTTP_PATH, any(answer));
        }
    };
    Router::new().route(HTTP_PATH, any(move |request| async move { endpoint.answer(request).await }))
}

struct Endpoint {
    service: StreamableHttpService<Server, NeverSessionManager>,
    settings: HttpSettings,
    room: Arc<Semaphore>,
}

impl Endpoint {
    fn new(server: Server, settings: HttpSettings) -> Self {
        // The server looks at hosts and origins, before any route.
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_sse_keep_alive(None)
            .with_max_request_body_bytes(MESSAGE_BYTES_MAX)
            .disable_allowed_hosts();
        let sessions = Arc::new(NeverSessionManager::default());
        let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
        Self { service, settings, room: Arc::new(Semaphore::new(MESSAGES_BYTES_MAX / PERMIT_BYTES)) }
    }

    async fn answer(&self, request: Request) -> Response {
        match self.message(request).await {
            Ok((request, bytes)) => {
                let answer = self.service.handle(request).await;
                // The content type was looked at: what is unsupported is the message.
                if answer.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
                    no_message(&bytes)
                } else {
                    answer.map(Body::new)
                }
            }
            Err(refused) => refused.into_response(),
        }
    }

    /// Reads the body of a request that has any business here. The body is given beside it, as the protocol takes it away.
    async fn message(&self, request: Request) -> Result<(Request, Bytes), Refused> {
        let (mut head, body) = request.into_parts();
        if head.method != "POST" {
            return Ok((Request::from_parts(head, Body::empty()), Bytes::new()));
        }
        let content_type =
            head.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if !content_type.split(';').next().is_some_and(|own| own.trim().eq_ignore_ascii_case("application/json")) {
            return Err(Refused::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "a message has the content type `application/json`",
            ));
        }
        if head.headers.get(header::CONTENT_ENCODING).is_some_and(|value| value != "identity") {
            return Err(Refused::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "compressed messages are not read"));
        }
        let read = timeout(self.settings.body_time_max, self.body(body)).await;
        let (bytes, held) =
            read.map_err(|_| Refused::new(StatusCode::REQUEST_TIMEOUT, "the message takes too long to come"))??;
        head.extensions.insert(held);
        // The protocol's SDK answers in a task of its own.
        head.extensions.insert(Context::current());
        Ok((Request::from_parts(head, Body::from(bytes.clone())), bytes))
    }

    /// Reads a body within the limits, and takes room for it.
    async fn body(&self, mut body: Body) -> Result<(Bytes, Held), Refused> {
        let too_large = || {
            let limit_mib = MESSAGE_BYTES_MAX / (1024 * 1024);
            Refused::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("the message holds more than the limit of {limit_mib} MiB"),
            )
        };
        if body.size_hint().lower() > MESSAGE_BYTES_MAX as u64 {
            return Err(too_large());
        }
        let busy = || {
            let what = "the messages that are being answered leave no room for this one";
            Refused::new(StatusCode::SERVICE_UNAVAILABLE, what)
        };
        let (mut bytes, mut held, mut room_bytes) = (Vec::new(), Vec::new(), 0);
        while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
            let frame = frame.map_err(|_| Refused::new(StatusCode::BAD_REQUEST, "the message breaks off"))?;
            let Ok(data) = frame.into_data() else { continue };
            if bytes.len() + data.len() > MESSAGE_BYTES_MAX {
                return Err(too_large());
            }
            let wanted = (bytes.len() + data.len()).saturating_sub(room_bytes).div_ceil(PERMIT_BYTES);
            let room = u32::try_from(wanted)
                .ok()
                .and_then(|wanted| Arc::clone(&self.room).try_acquire_many_owned(wanted).ok());
            held.push(room.ok_or_else(busy)?);
            room_bytes += wanted * PERMIT_BYTES;
            bytes.extend_from_slice(&data);
        }
        Ok((bytes.into(), Arc::new(held)))
    }
}

/// What is said of a body that is no message: to whom, where that can be read.
fn no_message(body: &[u8]) -> Response {
    let (error, id) = match serde_json::from_slice::<Value>(body) {
        Ok(Value::Object(members)) => {
            let id = members.get("id").and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
            (ErrorData::invalid_request("the message is no JSON-RPC 2.0 request", None), id)
        }
        Ok(_) => (ErrorData::invalid_request("a message is one JSON object; batches are not read", None), None),
        Err(error) => (ErrorData::parse_error(format!("the message is no JSON: {error}"), None), None),
    };
    said(StatusCode::BAD_REQUEST, error, id)
}

/// Why what is not known to be a message is not looked at.
struct Refused {
    status: StatusCode,
    what: String,
}

impl Refused {
    fn new(status: StatusCode, what: impl Into<String>) -> Self {
        Self { status, what: what.into() }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let mut response = said(self.status, ErrorData::invalid_request(self.what, None), None);
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, RETRY_SECONDS.into());
        }
        response
    }
}

fn said(status: StatusCode, error: ErrorData, id: Option<RequestId>) -> Response {
    let body = serde_json::to_vec(&ServerJsonRpcMessage::error(error, id)).unwrap_or_default();
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}
