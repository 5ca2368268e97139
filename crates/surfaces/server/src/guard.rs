//! What is refused before any route sees it, and what every answer carries.

pub(crate) mod keys;
mod origin;
pub(crate) mod rate;
#[cfg(test)]
mod tests;

use std::hash::{BuildHasher, RandomState};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::api::TABLES;
use crate::app::App;
use crate::connections::Peer;
use crate::problem::kinds;
use crate::problem::{MEDIA_TYPE, Problem};
use crate::routes::Scope;
use keys::Credential;
use rate::Caller;

/// What is open to all besides the routes that say so themselves: what a browser needs to sign in.
const OPEN: [&str; 5] = ["/sign-in", "/sign-out", "/assets/{hash}/{name}", "/favicon.ico", "/csp-report"];

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Who decides where no key is asked for: whoever is at the machine.
const LOCAL: &str = "local";

/// The names of the loopback address.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// What gives requests their ids: a part for the server's run, and a count.
pub(crate) struct Ids {
    run: u64,
    count: AtomicU64,
}

impl Default for Ids {
    fn default() -> Self {
        // The standard library's hasher has random keys: two runs of the server differ.
        Self { run: RandomState::new().hash_one(0_u8), count: AtomicU64::new(0) }
    }
}

impl Ids {
    fn next(&self) -> String {
        format!("{:016x}-{:x}", self.run, self.count.fetch_add(1, Ordering::Relaxed))
    }
}

/// The names by which a server may be called that listens at `address`.
pub(crate) fn names(hosts: &[String], address: Option<IpAddr>) -> Vec<String> {
    let own = match address {
        Some(IpAddr::V6(address)) if !address.is_unspecified() => Some(format!("[{address}]")),
        Some(IpAddr::V4(address)) if !address.is_unspecified() => Some(address.to_string()),
        _ => None,
    };
    let given = hosts.iter().map(|host| host.to_ascii_lowercase());
    LOOPBACK.iter().map(|name| (*name).to_owned()).chain(own).chain(given).collect()
}

/// Who asks, by the name of the key that they show; a request that was let in has it with it.
#[derive(Clone, Debug)]
pub(crate) struct Asker(pub(crate) String);

impl Asker {
    /// The name of the key; `None` where none is asked for.
    pub(crate) fn key(&self) -> Option<&str> {
        Some(self.0.as_str()).filter(|name| *name != LOCAL)
    }
}

/// The id of a request that was let in.
#[derive(Clone, Debug)]
pub(crate) struct RequestId(pub(crate) String);

/// Lets a request pass, or refuses it; and gives its answer what every answer has.
pub(crate) async fn guard(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let id = app.ids.next();
    let known = Known::of(&request);
    let counted = app.metrics.begin(&request);
    // A request that came over no connection has no address.
    let peer = request.extensions().get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |Peer(address)| *address);
    let passes = match origin::check(&app.names, &request) {
        Ok(()) => {
            let (scope, shown) = (scope(&request), Credential::of(&request));
            admit(&app, scope, shown, peer).await
        }
        // A page of another site does not use up what its reader may.
        Err(problem) => Err(problem),
    };
    let response = match passes {
        Ok(asker) => {
            request.extensions_mut().insert(asker);
            request.extensions_mut().insert(RequestId(id.clone()));
            next.run(request).await
        }
        Err(problem) => problem.into_response(),
    };
    let response = known.leaves(finish(&app, &id, response));
    counted.end(response.status());
    response
}

/// Refuses who may not do what they ask for, and who asks too often. Whoever shows no key that holds is known by their address: what a
/// header says of it anybody can write.
async fn admit(app: &Arc<App>, scope: Scope, shown: Credential, peer: IpAddr) -> Result<Asker, Problem> {
    let found = if app.settings.needs_key { keys::authorise(app, scope, shown).await } else { Ok(None) };
    let (caller, passes) = match found {
        Ok(Some(key)) => (Caller::Key(key.id), Ok(Asker(key.name))),
        Ok(None) => (Caller::at(peer), Ok(Asker(LOCAL.to_owned()))),
        Err(problem) => (Caller::at(peer), Err(problem)),
    };
    app.rates.take(caller, Instant::now())?;
    passes
}

/// The answer that a client has already, by the tags of `If-None-Match` (RFC 9110, section 13.1.2).
struct Known(Option<String>);

impl Known {
    fn of(request: &Request) -> Self {
        let reads = matches!(*request.method(), Method::GET | Method::HEAD);
        let tags = request.headers().get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
        Self(Some(tags.collect::<Vec<_>>().join(",")).filter(|tags| reads && !tags.is_empty()))
    }

    /// Whether a tag is among them: how strong it is does not matter where a whole answer is compared. Our own tags hold no comma.
    fn has(&self, tag: &str) -> bool {
        let mut tags = self.0.as_deref().unwrap_or_default().split(',').map(str::trim);
        tags.any(|own| own == "*" || own.strip_prefix("W/").unwrap_or(own) == tag)
    }

    /// Leaves the body out of an answer that the client has.
    fn leaves(&self, mut response: Response) -> Response {
        let tag = response.headers().get(header::ETAG).and_then(|tag| tag.to_str().ok());
        if response.status() == StatusCode::OK && tag.is_some_and(|tag| self.has(tag)) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            *response.body_mut() = Body::empty();
            response.headers_mut().remove(header::CONTENT_TYPE);
            response.headers_mut().remove(header::CONTENT_LENGTH);
        }
        response
    }
}

/// What a key must be allowed to do for a request: what its route says, else what its method means.
fn scope(request: &Request) -> Scope {
    let path = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let method = if request.method() == Method::HEAD { &Method::GET } else { request.method() };
    let mut routes = TABLES.iter().copied().flatten();
    match routes.find(|route| route.path == path && route.method == method) {
        Some(route) => route.scope,
        None if OPEN.contains(&path) => Scope::Open,
        None if *method == Method::POST && path.ends_with("/delete") => Scope::Admin,
        None if *method == Method::GET => Scope::Read,
        None if *method == Method::DELETE => Scope::Admin,
        None => Scope::Write,
    }
}

/// Writes a problem with the request's id, and sets the headers that every answer has.
pub(crate) fn finish(app: &App, id: &str, mut response: Response) -> Response {
    let problem = response.extensions_mut().remove::<Problem>().or_else(|| bare(&response));
    if let Some(problem) = problem {
        app.metrics.refused(problem.kind);
        if let Some(inner) = problem.more().inner {
            app.host.note(&format!("request {id} failed: {inner}"));
        }
        // What cannot be written as JSON has no body; no problem is so.
        *response.body_mut() = steadfast_wire::to_json(&problem.told(id)).map_or_else(|_| Body::empty(), Body::from);
        let headers = response.headers_mut();
        headers.remove(header::CONTENT_LENGTH);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
    }
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(REQUEST_ID, id);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.entry(header::REFERRER_POLICY).or_insert(HeaderValue::from_static("no-referrer"));
    response
}

/// What is wrong where nobody but the router said so.
fn bare(response: &Response) -> Option<Problem> {
    if response.headers().contains_key(header::CONTENT_TYPE) {
        return None;
    }
    if response.status() == StatusCode::NOT_FOUND {
        return Some(Problem::of(&kinds::NOT_FOUND, "no route has this path"));
    }
    let kind = kinds::of_status(response.status())?;
    Some(Problem::of(kind, kind.title))
}
