//! What all routes share, and which routes there are.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use steadfast_engine::calls::{Host, Refusal};
use steadfast_engine::store::{AgentAudits, AgentCount};
use steadfast_mcp::HttpSettings;
use steadfast_wire::alerts::AlertRule;
use steadfast_wire::call::ToolSet;
use steadfast_wire::request::EmbedderChoice;

use crate::admission::Admission;
use crate::body::MemoryBudget;
use crate::guard::rate::Rates;
use crate::jobs::Jobs;
use crate::live::LiveService;
use crate::metrics::Metrics;
use crate::ttl::TtlCache;
use crate::workers::{self, Start, Workers};
use crate::{api, console, guard, routes};

/// How a server serves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Whether every request but those for health needs a key.
    pub needs_key: bool,
    /// The names, beside those of the loopback address, by which the server may be called (`Host`).
    pub hosts: Vec<String>,
    /// Requests a second that a caller may make over time: a key, or an address that shows none. `None` is no limit.
    pub rate: Option<NonZeroU32>,
    /// What makes vectors of the steps of trajectories; the model that is named `minilm` where it is not said.
    pub embedder: Option<EmbedderChoice>,
    /// The tools that the MCP server lists; those of `hosts` where it is not said.
    pub tools: Option<ToolSet>,
    /// The rules of alerts, as they are shown. Who looks by them is somebody else.
    pub rules: Vec<AlertRule>,
    /// The settings in force, for the console: name, value, and where it comes from. Nothing secret stands here.
    pub shown: Vec<Shown>,
}

/// A setting as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Its name in the settings file.
    pub name: String,
    /// Its value; a secret is shown as set or not set.
    pub value: String,
    /// Where it comes from: a flag, the environment, the file, the default.
    pub from: String,
}

/// What all routes share.
pub(crate) struct App {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) settings: Settings,
    /// The names by which the server may be called, in lower case.
    pub(crate) names: Vec<String>,
    pub(crate) rooms: MemoryBudget,
    pub(crate) turns: Admission,
    pub(crate) ids: guard::Ids,
    pub(crate) sessions: guard::keys::Sessions,
    /// What trajectories are followed with; `None` where nothing is kept.
    pub(crate) live: Option<LiveService>,
    /// What takes long; `None` where nothing is kept.
    pub(crate) jobs: Option<Arc<Jobs>>,
    pub(crate) rates: Rates,
    pub(crate) metrics: Metrics,
    /// Who judges; `None` where this process does.
    pub(crate) workers: Option<Arc<Workers>>,
    /// Whether the store takes writes.
    pub(crate) ready: TtlCache<Result<(), Refusal>>,
    /// Runs that the store holds, by their verbs; `None` where they cannot be counted.
    pub(crate) runs: TtlCache<Option<BTreeMap<&'static str, u64>>>,
    /// What agents came to that were followed lately, for metrics.
    pub(crate) agents: TtlCache<Option<Vec<AgentCount>>>,
    /// Audits of what they did lately, for metrics.
    pub(crate) audits: TtlCache<Option<Vec<AgentAudits>>>,
}

impl App {
    pub(crate) fn new(host: Arc<dyn Host>, settings: Settings, start: Option<Start>) -> Self {
        let workers = start.map(|start| Arc::new(Workers::new(start, Arc::clone(&host))));
        let live = LiveService::open(&host, settings.embedder.unwrap_or(EmbedderChoice::Minilm));
        let jobs = Jobs::open(&host, workers.clone());
        Self { live, jobs, workers, ..Self::of_worker(host, settings) }
    }

    /// What a worker has of it: nothing that goes on from one request to another.
    pub(crate) fn of_worker(host: Arc<dyn Host>, settings: Settings) -> Self {
        let names = guard::names(&settings.hosts, None);
        let (rooms, turns, ids) = (MemoryBudget::default(), Admission::default(), guard::Ids::default());
        Self {
            rates: Rates::new(settings.rate),
            host,
            settings,
            names,
            rooms,
            turns,
            ids,
            sessions: guard::keys::Sessions::default(),
            live: None,
            jobs: None,
            metrics: Metrics::default(),
            workers: None,
            ready: TtlCache::default(),
            runs: TtlCache::default(),
            agents: TtlCache::default(),
            audits: TtlCache::default(),
        }
    }

    /// The same, called by the address that it listens at as well.
    pub(crate) fn at(self, address: Option<IpAddr>) -> Self {
        Self { names: guard::names(&self.settings.hosts, address), ..self }
    }
}

/// All routes.
pub(crate) fn judging(app: &Arc<App>) -> Router<Arc<App>> {
    let tools = app.settings.tools.unwrap_or(ToolSet::Hosts);
    let settings = HttpSettings { tools, ..HttpSettings::default() };
    let tables = api::TABLES.iter().map(|table| routes::router(table));
    tables
        .fold(Router::new(), Router::merge)
        .merge(console::routes())
        .merge(steadfast_mcp::http(Arc::clone(&app.host), settings).with_state(()))
}

/// All routes, guarded.
pub(crate) fn router(app: Arc<App>) -> Router {
    judging(&app)
        .layer(from_fn_with_state(Arc::clone(&app), workers::relay))
        .layer(from_fn_with_state(Arc::clone(&app), guard::guard))
        // Outermost, so that what is refused is a page as well where a page was asked for.
        .layer(from_fn_with_state(Arc::clone(&app), console::pages))
        .with_state(app)
}
