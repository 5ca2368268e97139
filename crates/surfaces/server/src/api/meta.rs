//! Health, metrics, schemas, and what problems mean.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use steadfast_engine::calls::{Host, Refusal, blocking};
use steadfast_engine::runs::agent_audits;
use steadfast_engine::store::{AgentAudits, AgentCount};
use steadfast_wire::api::{Components, SchemaHead, SchemaList, members};
use steadfast_wire::schemas::{PUBLISHED, published};

use super::{any, fields, json, tagged};
use crate::live::LiveService;
use crate::metrics::{MEDIA_TYPE, Now};
use crate::openapi::DOCUMENT;
use crate::problem::kinds::{NOT_FOUND, of_name};
use crate::problem::{PROBLEMS, Problem};
use crate::query::shown;
use crate::routes::{Answer, Gives, Incoming, Route, Scope};

/// For how long what the store said of its writer holds.
const READY_AGE_MAX: Duration = Duration::from_secs(1);

/// How long the writer may take.
const READY_WAIT_MAX: Duration = Duration::from_secs(5);

/// For how long a count of the stored runs holds, and of what agents did: all of them are counted.
const RUNS_AGE_MAX: Duration = Duration::from_secs(10);

/// The verbs of runs.
const VERBS: [&str; 9] =
    ["audit", "pick", "plan", "plan check", "plan constraints", "review", "session", "watch", "watch compare"];

/// What all of these have in common.
const BASE: Route = Route {
    path: "/healthz",
    scope: Scope::Open,
    query: &[],
    gives: &[Gives { media: "text/plain", schema: None, about: "`ok`." }],
    problems: &[],
    name: "health",
    tag: "server",
    summary: "Whether the server answers",
    about: "It does as long as it runs.",
    handler: health,
    ..Route::GET
};

pub(super) static ROUTES: &[Route] = &[
    BASE,
    Route {
        path: "/readyz",
        problems: &[&crate::problem::kinds::UNAVAILABLE],
        name: "ready",
        summary: "Whether the server can do its work",
        about: "Whether the writer of the store does what it is given: it is tried at most once a second.",
        handler: ready,
        ..BASE
    },
    Route {
        path: "/metrics",
        scope: Scope::Read,
        gives: &[Gives { media: "text/plain", schema: None, about: "Text of Prometheus (0.0.4)." }],
        name: "metrics",
        summary: "What the server counts of itself",
        about: "Requests by route, method and status, how long they took, who works and waits, what was refused and why, steps that were \
                taken, runs that are stored, what the agents came to that were followed in the last 24 hours, and audits of their work. But for their names no label holds what a client wrote.",
        handler: metrics,
        ..BASE
    },
    Route {
        path: "/openapi.json",
        gives: &[Gives::json(any, "The document (OpenAPI 3.1).")],
        name: "document",
        summary: "The document of the API",
        about: "All routes, what they take and give.",
        handler: document,
        ..BASE
    },
    Route {
        path: "/api/schemas",
        scope: Scope::Read,
        query: &[fields(members::<SchemaHead>)],
        gives: &[Gives::json(Components::of::<SchemaList>, "Their names.")],
        name: "listSchemas",
        summary: "List the JSON Schemas of what goes in and comes out",
        about: "What `steadfast schema` lists.",
        handler: schemas,
        ..BASE
    },
    Route {
        path: "/api/schemas/{name}",
        scope: Scope::Read,
        gives: &[Gives { media: "application/schema+json", schema: Some(any), about: "The schema (draft 2020-12)." }],
        problems: &[&NOT_FOUND],
        name: "schema",
        summary: "One JSON Schema",
        about: "What `steadfast schema NAME` prints.",
        handler: schema,
        ..BASE
    },
    Route {
        path: "/problems/{name}",
        gives: &[Gives { media: "text/plain", schema: None, about: "What it means." }],
        problems: &[&NOT_FOUND],
        name: "problem",
        summary: "What a kind of problem means",
        about: "The `type` of a problem is a path here.",
        handler: problem,
        ..BASE
    },
];

fn health(_: Incoming) -> Answer {
    Box::pin(async { Ok(tagged("text/plain", "ok\n".to_owned())) })
}

fn ready(incoming: Incoming) -> Answer {
    Box::pin(async move {
        incoming.app.ready.get(READY_AGE_MAX, writes(&incoming.calling(), READY_WAIT_MAX)).await?;
        Ok(tagged("text/plain", "ok\n".to_owned()))
    })
}

/// Whether the writer of the store, where there is one, does what it is given.
async fn writes(host: &Arc<dyn Host>, wait_max: Duration) -> Result<(), Refusal> {
    let Some(store) = host.store() else { return Ok(()) };
    // Deleting nothing takes the way of every write: the thread, the lock, the transaction.
    let tried = blocking(host, move || {
        store.delete_runs(&[]).map(drop).map_err(|_| Refusal::external("the store cannot be written to"))
    });
    let late = || Refusal::external("the store has others to write for");
    tokio::time::timeout(wait_max, tried).await.unwrap_or_else(|_| Err(late()))
}

fn metrics(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let app = &incoming.app;
        let (mut turns, mut bodies_bytes) = (app.turns.taken(), app.rooms.held_bytes());
        if let Some(workers) = &app.workers
            && let Some([working, waiting, bytes]) = workers.load().await
        {
            turns = (turns.0 + working, turns.1 + waiting);
            bodies_bytes += bytes;
        }
        let now = Now {
            turns,
            bodies_bytes,
            worker_exits: app.workers.as_ref().map(|workers| workers.exits()),
            steps: app.live.as_ref().map(crate::live::LiveService::steps_taken),
            store_log_bytes: log_bytes(&incoming.calling()).await,
            runs: app.runs.get(RUNS_AGE_MAX, runs(&incoming.calling())).await,
            agents: app.agents.get(RUNS_AGE_MAX, agents(app.live.as_ref())).await,
            audits: app.audits.get(RUNS_AGE_MAX, audits(&incoming.calling())).await,
        };
        Ok(tagged(MEDIA_TYPE, app.metrics.text(&now)))
    })
}

/// Bytes of the store's write-ahead log; `None` where nothing is kept.
async fn log_bytes(host: &Arc<dyn Host>) -> Option<u64> {
    let store = host.store()?;
    blocking(host, move || Ok(store.log_bytes())).await.ok()
}

/// How many runs are stored, by their verbs; `None` where nothing is kept or it cannot be read.
async fn runs(host: &Arc<dyn Host>) -> Option<BTreeMap<&'static str, u64>> {
    let store = host.store()?;
    let counts =
        blocking(host, move || store.run_counts("").map_err(|failure| Refusal::external(failure.what))).await.ok()?;
    let mut all: BTreeMap<&'static str, u64> = VERBS.into_iter().map(|verb| (verb, 0)).collect();
    for count in counts {
        // What somebody else wrote into the store is no label.
        let verb = VERBS.into_iter().find(|verb| *verb == count.verb).unwrap_or("other");
        *all.entry(verb).or_default() += count.runs;
    }
    Some(all)
}

/// What agents came to lately; `None` where none are followed or it cannot be read.
async fn agents(live: Option<&LiveService>) -> Option<Vec<AgentCount>> {
    live?.read(steadfast_engine::live::Live::agents).await.ok()
}

/// Audits of what agents did lately; `None` where nothing is kept or it cannot be read.
async fn audits(host: &Arc<dyn Host>) -> Option<Vec<AgentAudits>> {
    let store = host.store()?;
    blocking(host, move || Ok(agent_audits(&*store)?)).await.ok()
}

fn document(_: Incoming) -> Answer {
    Box::pin(async { Ok(json(DOCUMENT.clone())) })
}

fn schemas(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let head = |own: &steadfast_wire::schemas::Published| SchemaHead {
            name: own.name.to_owned(),
            about: own.about.to_owned(),
        };
        incoming.list(&SchemaList { schemas: PUBLISHED.iter().map(head).collect() }, "schemas")
    })
}

fn schema(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let name = incoming.part("name");
        let Some(own) = published(&name) else {
            let problem = Problem::of(&NOT_FOUND, format!("no schema is called `{}`", shown(&name)));
            return Err(problem.hint("`GET /api/schemas` lists those that there are"));
        };
        let text = steadfast_wire::to_json(&(own.schema)()).map_err(|error| Problem::fault(error.to_string()))?;
        Ok(tagged("application/schema+json", text))
    })
}

fn problem(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let name = incoming.part("name");
        let Some(kind) = of_name(&name) else {
            return Err(Problem::of(&NOT_FOUND, format!("no problem is called `{}`", shown(&name))));
        };
        let text = format!("{}\n{PROBLEMS}{} ({})\n\n{}\n", kind.title, kind.name, kind.status.as_u16(), kind.about);
        Ok(tagged("text/plain", text))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use steadfast_engine::embedder::Embedder;
    use steadfast_engine::store::Keep;
    use steadfast_store::Store;
    use steadfast_wire::request::EmbedderChoice;

    use super::*;

    /// Work that waits.
    type Work = Box<dyn FnOnce() + Send>;

    /// A machine with a store, whose threads may all be busy: what they would do is kept here then.
    struct Machine {
        store: Arc<Store>,
        busy: Option<Mutex<Vec<Work>>>,
    }

    impl Host for Machine {
        fn embedder(&self, _: EmbedderChoice) -> Result<Arc<dyn Embedder>, Refusal> {
            Err(Refusal::input("no embedder"))
        }

        fn store(&self) -> Option<Arc<dyn Keep>> {
            Some(Arc::<Store>::clone(&self.store))
        }

        fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
            match &self.busy {
                Some(waiting) => waiting.lock().unwrap().push(work),
                None => work(),
            }
        }

        fn note(&self, _: &str) {}
    }

    #[tokio::test]
    async fn a_store_is_ready_when_its_writer_is() {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::open(&folder.path().join("s.db")).unwrap());
        let host: Arc<dyn Host> = Arc::new(Machine { store: Arc::clone(&store), busy: None });
        assert_eq!(writes(&host, READY_WAIT_MAX).await, Ok(()));
        assert_eq!(runs(&host).await, Some(VERBS.into_iter().map(|verb| (verb, 0)).collect()));
        let host: Arc<dyn Host> = Arc::new(Machine { store, busy: Some(Mutex::default()) });
        let late = writes(&host, Duration::from_millis(1)).await;
        assert_eq!(late, Err(Refusal::external("the store has others to write for")));
    }
}
