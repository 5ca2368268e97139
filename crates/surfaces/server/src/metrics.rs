//! What the server counts of itself, as Prometheus reads it (text format 0.0.4).
//!
//! But for the names of agents, of which there are few, no label holds what a client wrote: routes are their templates, methods and statuses of a short list, refusals the names of their kinds.

mod agents;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request};
use axum::http::{Method, StatusCode};
use steadfast_engine::store::{AgentAudits, AgentCount};

use crate::problem::Kind;
use crate::problem::kinds::ALL;

/// The media type of the text.
pub(crate) const MEDIA_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Upper ends of the buckets of how long requests take, in microseconds.
const BUCKETS_US: [u64; 12] =
    [1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 5_000_000, 30_000_000];

/// What stands for a path that no route has.
const NO_ROUTE: &str = "none";

/// Requests of a route and method.
#[derive(Default)]
struct Counted {
    statuses: BTreeMap<u16, u64>,
    /// Those of each bucket alone; the last are beyond all of them.
    buckets: [u64; BUCKETS_US.len() + 1],
    sum: Duration,
}

/// What is counted while the server runs.
#[derive(Default)]
pub(crate) struct Metrics(Arc<Own>);

#[derive(Default)]
struct Own {
    /// By the template of the path, then by the method.
    requests: Mutex<BTreeMap<String, BTreeMap<&'static str, Counted>>>,
    under_way: AtomicU64,
    left: AtomicU64,
    /// In the order of all kinds.
    refused: [AtomicU64; 32],
}

/// What is so at this moment.
pub(crate) struct Now {
    /// Places of those who work that are taken, and requests that wait for one.
    pub(crate) turns: (usize, usize),
    /// Bytes that bodies hold.
    pub(crate) bodies_bytes: usize,
    /// Workers that exited unexpectedly; `None` where there are none.
    pub(crate) worker_exits: Option<u64>,
    /// Steps of trajectories that were acknowledged; `None` where none are taken.
    pub(crate) steps: Option<u64>,
    /// Bytes of the store's write-ahead log; `None` where nothing is kept.
    pub(crate) store_log_bytes: Option<u64>,
    /// Runs that are stored, by their verbs; `None` where they cannot be counted.
    pub(crate) runs: Option<BTreeMap<&'static str, u64>>,
    /// What agents came to lately; `None` where none are followed.
    pub(crate) agents: Option<Vec<AgentCount>>,
    /// Audits of their work lately; `None` where nothing is kept.
    pub(crate) audits: Option<Vec<AgentAudits>>,
}

/// A request that is being counted.
pub(crate) struct Counting {
    own: Arc<Own>,
    route: Option<MatchedPath>,
    method: &'static str,
    begun: Instant,
    is_answered: bool,
}

impl Counting {
    /// It was answered. What follows of a long answer is not waited for.
    pub(crate) fn end(mut self, status: StatusCode) {
        self.is_answered = true;
        let route = self.route.as_ref().map_or(NO_ROUTE, MatchedPath::as_str);
        let took = self.begun.elapsed();
        let us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let mut requests = self.own.requests.lock().unwrap_or_else(PoisonError::into_inner);
        if !requests.contains_key(route) {
            requests.insert(route.to_owned(), BTreeMap::new());
        }
        let Some(methods) = requests.get_mut(route) else { return };
        let counted = methods.entry(self.method).or_default();
        *counted.statuses.entry(status.as_u16()).or_default() += 1;
        let bucket = BUCKETS_US.iter().position(|end| us <= *end).unwrap_or(BUCKETS_US.len());
        if let Some(count) = counted.buckets.get_mut(bucket) {
            *count += 1;
        }
        counted.sum += took;
    }
}

impl Drop for Counting {
    fn drop(&mut self) {
        self.own.under_way.fetch_sub(1, Ordering::Relaxed);
        if !self.is_answered {
            self.own.left.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Metrics {
    /// Counts a request from now on.
    pub(crate) fn begin(&self, request: &Request) -> Counting {
        self.0.under_way.fetch_add(1, Ordering::Relaxed);
        Counting {
            own: Arc::clone(&self.0),
            route: request.extensions().get::<MatchedPath>().cloned(),
            method: method(request.method()),
            begun: Instant::now(),
            is_answered: false,
        }
    }

    /// Counts a problem that goes out.
    pub(crate) fn refused(&self, kind: &Kind) {
        let place = ALL.iter().position(|own| own.name == kind.name);
        if let Some(count) = place.and_then(|place| self.0.refused.get(place)) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// All of it as text.
    pub(crate) fn text(&self, now: &Now) -> String {
        let mut text = Text::default();
        text.family("steadfast_build_info", "gauge", "The version of the program.");
        text.sample("steadfast_build_info", &[("version", env!("CARGO_PKG_VERSION"))], "1");
        self.requests(&mut text);
        let gauge = |text: &mut Text, name: &str, about: &str, value: u64| {
            text.family(name, "gauge", about);
            text.sample(name, &[], &value.to_string());
        };
        let count = |own: &AtomicU64| own.load(Ordering::Relaxed);
        let (running, waiting) = now.turns;
        gauge(
            &mut text,
            "steadfast_http_requests_under_way",
            "Requests that have no answer yet.",
            count(&self.0.under_way),
        );
        gauge(
            &mut text,
            "steadfast_work_places_taken",
            "Places of requests that work; large ones take more.",
            running as u64,
        );
        gauge(&mut text, "steadfast_work_requests_waiting", "Requests that wait for such a place.", waiting as u64);
        gauge(&mut text, "steadfast_bodies_bytes", "Bytes that the bodies of requests hold.", now.bodies_bytes as u64);
        let name = "steadfast_http_requests_left_total";
        text.family(name, "counter", "Requests whose client went away before there was an answer.");
        text.sample(name, &[], &count(&self.0.left).to_string());
        let name = "steadfast_http_refused_total";
        text.family(name, "counter", "Requests that were answered by a problem, by its name.");
        for (kind, refused) in ALL.iter().zip(&self.0.refused) {
            text.sample(name, &[("reason", kind.name)], &count(refused).to_string());
        }
        if let Some(exits) = now.worker_exits {
            let name = "steadfast_worker_exits_total";
            text.family(name, "counter", "Worker processes that exited unexpectedly.");
            text.sample(name, &[], &exits.to_string());
        }
        if let Some(steps) = now.steps {
            let name = "steadfast_steps_taken_total";
            text.family(name, "counter", "Steps of trajectories that were acknowledged, those sent again as well.");
            text.sample(name, &[], &steps.to_string());
        }
        if let Some(bytes) = now.store_log_bytes {
            gauge(&mut text, "steadfast_store_log_bytes", "Bytes of the store's write-ahead log.", bytes);
        }
        if let Some(runs) = &now.runs {
            let name = "steadfast_runs_stored";
            text.family(name, "gauge", "Runs that the store holds, by their verbs.");
            for (verb, runs) in runs {
                text.sample(name, &[("verb", *verb)], &runs.to_string());
            }
        }
        if let Some(agents) = &now.agents {
            agents::tell(&mut text, agents);
        }
        if let Some(audits) = &now.audits {
            agents::tell_audits(&mut text, audits);
        }
        text.0
    }

    fn requests(&self, text: &mut Text) {
        let requests = self.0.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let rows =
            || requests.iter().flat_map(|(route, own)| own.iter().map(move |(method, own)| (route, *method, own)));
        let name = "steadfast_http_requests_total";
        text.family(name, "counter", "Requests that were answered.");
        for (route, method, own) in rows() {
            for (status, count) in &own.statuses {
                let status = status.to_string();
                text.sample(
                    name,
                    &[("route", route.as_str()), ("method", method), ("status", &status)],
                    &count.to_string(),
                );
            }
        }
        let name = "steadfast_http_request_duration_seconds";
        text.family(name, "histogram", "Seconds until the answer to a request began.");
        for (route, method, own) in rows() {
            let labels = [("route", route.as_str()), ("method", method)];
            let mut below = 0;
            let ends = BUCKETS_US.iter().map(|end| seconds(Duration::from_micros(*end)));
            for (end, count) in ends.chain(["+Inf".to_owned()]).zip(own.buckets) {
                below += count;
                let [route, method] = labels;
                text.sample(&format!("{name}_bucket"), &[route, method, ("le", &end)], &below.to_string());
            }
            text.sample(&format!("{name}_sum"), &labels, &seconds(own.sum));
            text.sample(&format!("{name}_count"), &labels, &below.to_string());
        }
    }
}

/// A method by its name; what is no method of HTTP has none.
fn method(method: &Method) -> &'static str {
    const METHODS: [&str; 9] = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"];
    METHODS.into_iter().find(|own| *own == method.as_str()).unwrap_or("other")
}

fn seconds(duration: Duration) -> String {
    duration.as_secs_f64().to_string()
}

/// Lines of the text format.
#[derive(Default)]
struct Text(String);

impl Text {
    fn family(&mut self, name: &str, kind: &str, about: &str) {
        self.0.push_str(&format!("# HELP {name} {about}\n# TYPE {name} {kind}\n"));
    }

    fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: &str) {
        self.0.push_str(name);
        for (place, (label, value)) in labels.iter().enumerate() {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            self.0.push_str(&format!("{}{label}=\"{value}\"", if place == 0 { '{' } else { ',' }));
        }
        self.0.push_str(&format!("{} {value}\n", if labels.is_empty() { "" } else { "}" }));
    }
}
