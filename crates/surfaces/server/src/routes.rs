//! What a route is: one row of a table that the router, the limits and the document of the API are made from.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{RawPathParams, Request, State};
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, on};
use steadfast_engine::calls::Stopped;
use steadfast_wire::api::Described;
use tokio::time::sleep;

use crate::app::App;
use crate::guard::Asker;
use crate::problem::kinds::INVALID;
use crate::problem::{Kind, Problem};
use crate::query::{Parameter, Query};
use crate::{admission, body};

/// What a key must be allowed to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// Anybody may: health, the document of the API.
    Open,
    /// Reads.
    Read,
    /// Has work done, and what came of it kept.
    Write,
    /// Deletes.
    Admin,
}

impl Scope {
    /// As keys name it; `None` where no key is needed.
    pub(crate) const fn name(self) -> Option<&'static str> {
        match self {
            Self::Open => None,
            Self::Read => Some("read"),
            Self::Write => Some("write"),
            Self::Admin => Some("admin"),
        }
    }
}

/// What a body may be, by its `Content-Type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Media {
    Json,
    Zip,
    Lines,
    Markdown,
    Protobuf,
}

impl Media {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Zip => "application/zip",
            Self::Lines => "application/x-ndjson",
            Self::Markdown => "text/markdown",
            Self::Protobuf => "application/x-protobuf",
        }
    }
}

/// A body that a route takes.
#[derive(Debug)]
pub(crate) struct Takes {
    pub(crate) media: Media,
    /// The schema of JSON; `None` where the body is bytes.
    pub(crate) schema: Option<Described>,
    /// An example, as it would be sent.
    pub(crate) example: &'static str,
}

/// An answer that a route gives.
#[derive(Debug)]
pub(crate) struct Gives {
    /// Its media type.
    pub(crate) media: &'static str,
    /// The schema of JSON; `None` where it is text.
    pub(crate) schema: Option<Described>,
    /// What it is.
    pub(crate) about: &'static str,
}

impl Gives {
    /// JSON.
    pub(crate) const fn json(schema: Described, about: &'static str) -> Self {
        Self { media: Media::Json.name(), schema: Some(schema), about }
    }
}

/// How much a route has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Next to nothing: it is answered at once.
    Light,
    /// Work that takes a place among those that run.
    Heavy,
}

/// A request on its way to its handler, read within limits.
pub(crate) struct Incoming {
    pub(crate) app: Arc<App>,
    pub(crate) path: Vec<(String, String)>,
    pub(crate) query: Query,
    pub(crate) headers: HeaderMap,
    /// What the body is; `None` where the route takes none.
    pub(crate) media: Option<Media>,
    pub(crate) body: Bytes,
    pub(crate) route: &'static Route,
    /// Who asks, by name.
    pub(crate) asker: String,
    /// Whether nobody waits for the answer any more.
    pub(crate) stopped: Stopped,
}

impl Incoming {
    /// A part of the path.
    pub(crate) fn part(&self, name: &str) -> String {
        self.path.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone()).unwrap_or_default()
    }

    /// The body as JSON of a type.
    pub(crate) fn json<T: serde::de::DeserializeOwned>(&self) -> Result<T, Problem> {
        crate::json::read(&self.body, self.route.field_bytes_max)
    }
}

/// What a handler gives.
pub(crate) type Answer = std::pin::Pin<Box<dyn Future<Output = Result<Response, Problem>> + Send>>;

/// A route.
pub(crate) struct Route {
    pub(crate) method: Method,
    /// With `{name}` for its parts.
    pub(crate) path: &'static str,
    pub(crate) scope: Scope,
    pub(crate) work: Work,
    /// The bodies that it takes; none where there is nothing here.
    pub(crate) takes: &'static [Takes],
    /// A body in bytes, before and after it is inflated.
    pub(crate) body_bytes_max: usize,
    /// A string in JSON, in bytes.
    pub(crate) field_bytes_max: usize,
    pub(crate) query: &'static [Parameter],
    pub(crate) gives: &'static [Gives],
    /// The status of its answer.
    pub(crate) status: u16,
    /// Problems that it has beside those of every route.
    pub(crate) problems: &'static [&'static Kind],
    /// A name for programs.
    pub(crate) name: &'static str,
    pub(crate) tag: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) about: &'static str,
    pub(crate) handler: fn(Incoming) -> Answer,
}

impl Route {
    /// What most routes have in common: they read, at once, and take no body. What a route is called, gives and does is its own.
    pub(crate) const GET: Self = Self {
        method: Method::GET,
        path: "",
        scope: Scope::Read,
        work: Work::Light,
        takes: &[],
        body_bytes_max: 0,
        field_bytes_max: 0,
        query: &[],
        gives: &[],
        status: 200,
        problems: &[],
        name: "",
        tag: "",
        summary: "",
        about: "",
        handler: |incoming| Box::pin(async move { Err(Problem::fault(format!("{:?}: no handler", incoming.route))) }),
    };

    /// The headers that it reads.
    pub(crate) fn headers(&self) -> impl Iterator<Item = &'static Parameter> {
        crate::live::HEADERS.iter().filter(|(name, _)| *name == self.name).map(|(_, header)| header)
    }
}

impl std::fmt::Debug for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

/// The routes of a table.
pub(crate) fn router(table: &'static [Route]) -> Router<Arc<App>> {
    table.iter().fold(Router::new(), |router, route| router.route(route.path, method(route)))
}

fn method(route: &'static Route) -> MethodRouter<Arc<App>> {
    let filter = MethodFilter::try_from(route.method.clone()).unwrap_or(MethodFilter::GET);
    on(filter, move |State(app): State<Arc<App>>, path: RawPathParams, request: Request| {
        dispatch(route, app, path, request)
    })
}

/// How long a problem is held back that is told late.
pub(crate) const LATE: Duration = Duration::from_millis(100);

/// Answers; what is told late holds nothing while it waits.
async fn dispatch(
    route: &'static Route,
    app: Arc<App>,
    path: RawPathParams,
    request: Request,
) -> Result<Response, Problem> {
    let answer = answer(route, app, path, request).await;
    if answer.as_ref().is_err_and(|problem| problem.more().late) {
        sleep(LATE).await;
    }
    answer
}

/// Refuses a key by which a request would be done once, where the route does not heed it: whoever sends it again would have it done again.
fn heeds_keys(route: &Route, headers: &HeaderMap) -> Result<(), Problem> {
    const KEY: &str = "Idempotency-Key";
    let changes = !matches!(route.method, Method::GET | Method::HEAD | Method::DELETE);
    if changes && headers.contains_key(KEY) && !route.headers().any(|header| header.name == KEY) {
        return Err(Problem::of(&INVALID, format!("this route does not heed `{KEY}`: each request is done anew"))
            .parameter(KEY)
            .hint("leave it out"));
    }
    Ok(())
}

/// Reads a request within the limits of its route, waits for its turn where it is work, and answers.
async fn answer(
    route: &'static Route,
    app: Arc<App>,
    path: RawPathParams,
    request: Request,
) -> Result<Response, Problem> {
    let query = Query::of(request.uri().query().unwrap_or_default(), route.query)?;
    crate::accept::check(request.headers(), route.gives)?;
    heeds_keys(route, request.headers())?;
    let path = path.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let (mut parts, incoming) = request.into_parts();
    let asker = parts.extensions.remove::<Asker>().map(|Asker(name)| name).unwrap_or_default();
    let (media, body, room) = body::read(&app, route, &parts.headers, incoming).await?;
    let own = Arc::clone(&app);
    let stopped = Stopped::default();
    let incoming = Incoming { app, path, query, headers: parts.headers, media, body, route, asker, stopped };
    match route.work {
        Work::Light => (route.handler)(incoming).await,
        Work::Heavy => admission::within(&own, incoming, room, route.handler).await,
    }
}
