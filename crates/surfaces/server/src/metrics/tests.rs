//! The text, read by the rules of its format.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use steadfast_engine::store::{AgentAudits, AgentCount};
use tower::ServiceExt;

use super::{BUCKETS_US, Text};
use crate::app::{App, Settings, router};
use crate::console::tests::Bare;
use crate::problem::kinds::ALL;

/// A sample: its name, its labels by their names, its value.
type Sample = (String, BTreeMap<String, String>, f64);

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|own: char| own.is_ascii_digit())
        && text.chars().all(|own| own.is_ascii_alphanumeric() || own == '_' || own == ':')
}

/// Reads the labels behind `{`; what follows `}`.
fn labels(mut rest: &str) -> (BTreeMap<String, String>, &str) {
    let mut all = BTreeMap::new();
    loop {
        let (name, value) = rest.split_once("=\"").unwrap();
        assert!(is_name(name) && !name.contains(':'), "{name}");
        let (mut text, mut chars) = (String::new(), value.char_indices());
        let end = loop {
            match chars.next().unwrap() {
                (at, '"') => break at,
                (_, '\\') => match chars.next().unwrap().1 {
                    'n' => text.push('\n'),
                    own @ ('\\' | '"') => text.push(own),
                    other => panic!("no escape: {other}"),
                },
                (_, own) => text.push(own),
            }
        };
        assert!(all.insert(name.to_owned(), text).is_none(), "{name} twice");
        rest = &value[end + 1..];
        match rest.split_at(1) {
            (",", more) => rest = more,
            ("}", more) => return (all, more),
            (other, _) => panic!("{other:?} behind a label"),
        }
    }
}

/// Reads text of the format 0.0.4: each family is told of once, before its samples, which stand together and are all different.
#[track_caller]
fn read(text: &str) -> Vec<Sample> {
    assert!(text.ends_with('\n'));
    let (mut kinds, mut told, mut samples) = (BTreeMap::new(), None, Vec::<Sample>::new());
    let mut seen = BTreeSet::new();
    for line in text.lines() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            let (name, about) = help.split_once(' ').unwrap();
            assert!(is_name(name) && !about.is_empty() && !about.contains('\\'), "{line}");
            told = Some(name);
            continue;
        }
        if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').unwrap();
            assert!(["counter", "gauge", "histogram"].contains(&kind) && told == Some(name), "{line}");
            assert!(kinds.insert(name, kind).is_none(), "{line}");
            assert_eq!(name.ends_with("_total"), kind == "counter", "{line}");
            continue;
        }
        let end = line.find(['{', ' ']).unwrap();
        let (name, rest) = line.split_at(end);
        let (labels, value) = rest.strip_prefix('{').map_or((BTreeMap::new(), rest), labels);
        let value = value.strip_prefix(' ').unwrap();
        let family = told.unwrap();
        let ends: &[&str] = if kinds[family] == "histogram" { &["_bucket", "_sum", "_count"] } else { &[""] };
        assert!(ends.contains(&name.strip_prefix(family).unwrap()), "{line}");
        assert!(seen.insert((name.to_owned(), labels.clone())), "{line}");
        samples.push((name.to_owned(), labels, value.parse().unwrap()));
    }
    samples
}

fn value(samples: &[Sample], name: &str, wanted: &[(&str, &str)]) -> Option<f64> {
    let is = |labels: &BTreeMap<String, String>| {
        labels.len() == wanted.len()
            && wanted.iter().all(|(name, value)| labels.get(*name).is_some_and(|own| own == value))
    };
    samples.iter().find(|(own, labels, _)| own == name && is(labels)).map(|(_, _, value)| *value)
}

#[tokio::test]
async fn what_is_counted_can_be_read() {
    let router = router(Arc::new(App::new(Arc::new(Bare), Settings::default(), None)));
    let ask = async |method: &str, path: &str, host: &str| {
        let request = Request::builder().method(method).uri(path).header(header::HOST, host);
        let response = router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        let headers = response.headers().clone();
        let (status, body) = (response.status(), to_bytes(response.into_body(), 1 << 20).await.unwrap());
        (status, headers, String::from_utf8(body.to_vec()).unwrap())
    };
    ask("GET", "/api/runs/mine", "localhost").await;
    ask("GET", "/api/runs/other%22%0A", "localhost").await;
    ask("BREW", "/api/runs/mine", "localhost").await;
    ask("GET", "/odd%22path", "localhost").await;
    ask("GET", "/healthz", "evil.example").await;
    let (status, headers, text) = ask("GET", "/metrics", "localhost").await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(headers[header::CONTENT_TYPE], super::MEDIA_TYPE);

    let samples = read(&text);
    assert_eq!(value(&samples, "steadfast_build_info", &[("version", env!("CARGO_PKG_VERSION"))]), Some(1.0));
    let requests = |route: &str, method: &str, status: &str| {
        let labels = [("route", route), ("method", method), ("status", status)];
        value(&samples, "steadfast_http_requests_total", &labels)
    };
    assert_eq!(requests("/api/runs/{id}", "GET", "422"), Some(2.0), "{text}");
    assert_eq!(requests("/api/runs/{id}", "other", "405"), Some(1.0), "{text}");
    assert_eq!(requests("/healthz", "GET", "403"), Some(1.0));
    // Nothing that a client wrote stands there.
    assert!(!["mine", "odd", "BREW", "evil"].iter().any(|own| text.contains(own)), "{text}");
    let refused = |reason: &str| value(&samples, "steadfast_http_refused_total", &[("reason", reason)]);
    assert_eq!((refused("unusable"), refused("foreign-host"), refused("busy")), (Some(2.0), Some(1.0), Some(0.0)));
    // The request itself has no answer yet.
    assert_eq!(value(&samples, "steadfast_http_requests_under_way", &[]), Some(1.0));
    assert_eq!(requests("/metrics", "GET", "200"), None);
    // It keeps nothing, so there is nothing to count.
    assert!(!text.contains("steadfast_runs_stored") && !text.contains("steadfast_steps_taken"));

    let name = "steadfast_http_request_duration_seconds";
    let labels = [("route", "/api/runs/{id}"), ("method", "GET")];
    assert_eq!(value(&samples, &format!("{name}_count"), &labels), Some(2.0));
    let buckets: Vec<f64> = samples
        .iter()
        .filter(|(own, all, _)| {
            *own == format!("{name}_bucket") && labels.iter().all(|(name, value)| all[*name] == *value)
        })
        .map(|(_, _, value)| *value)
        .collect();
    assert!(
        buckets.len() == BUCKETS_US.len() + 1 && buckets.is_sorted() && buckets.last() == Some(&2.0),
        "{buckets:?}"
    );
    assert_eq!(value(&samples, &format!("{name}_bucket"), &[labels[0], labels[1], ("le", "+Inf")]), Some(2.0));
}

#[test]
fn a_label_may_hold_any_text() {
    let mut text = Text::default();
    text.family("x", "gauge", "About.");
    text.sample("x", &[("a", "\"q\" \\ \n é"), ("b", "")], "1.5");
    let labels = [("a", "\"q\" \\ \n é"), ("b", "")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(read(&text.0), [("x".to_owned(), BTreeMap::from(labels), 1.5)]);
}

#[test]
fn there_is_a_count_for_every_kind_of_problem() {
    assert!(ALL.len() <= super::Own::default().refused.len());
}

#[test]
fn agents_have_their_gauges_and_what_they_are_called_breaks_none() {
    let agent = |name: &str, rest: bool| AgentCount {
        agent: Some(name.to_owned()).filter(|_| !rest),
        rest,
        trajectories: 2,
        mean_ids: (!rest).then_some(0.25),
        ..AgentCount::default()
    };
    let mut text = Text::default();
    super::agents::tell(&mut text, &[agent("a\"\n\\b", false), agent("other", false), agent("", true)]);
    let samples = read(&text.0);
    for (name, label, expect) in [
        ("steadfast_agent_trajectories", "a\"\n\\b", Some(2.0)),
        ("steadfast_agent_ids_mean", "other (agent)", Some(0.25)),
        ("steadfast_agent_trajectories", "other", Some(2.0)),
        ("steadfast_agent_ids_mean", "other", None),
    ] {
        assert_eq!(value(&samples, name, &[("agent", label)]), expect, "{name} {label}");
    }
}

#[test]
fn audits_of_agents_have_their_gauges_and_their_share() {
    let agent = |name: Option<&str>, rest: bool, broken: u64| AgentAudits {
        agent: name.map(str::to_owned),
        rest,
        audits: 4,
        broken,
    };
    let mut text = Text::default();
    let audits = [agent(Some("other"), false, 1), agent(None, false, 0), agent(None, true, 4)];
    super::agents::tell_audits(&mut text, &audits);
    let samples = read(&text.0);
    for (name, label, expect) in [
        ("steadfast_agent_audits", "other (agent)", 4.0),
        ("steadfast_agent_audits_broken", "other (agent)", 1.0),
        ("steadfast_agent_audits_broken_ratio", "other (agent)", 0.25),
        ("steadfast_agent_audits_broken_ratio", "", 0.0),
        ("steadfast_agent_audits_broken_ratio", "other", 1.0),
    ] {
        assert_eq!(value(&samples, name, &[("agent", label)]), Some(expect), "{name} {label}");
    }
}
