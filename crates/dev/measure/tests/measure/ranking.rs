//! The metrics of rankings against ranx and trec_eval. The figures were written by `scripts/ranking_metrics.py`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use serde::Deserialize;
use steadfast_measure::metrics::Ranking;

#[derive(Deserialize)]
struct Query {
    ranked: Vec<u32>,
    judged: Vec<(u32, u32)>,
    expect: BTreeMap<String, f64>,
}

fn own(ranking: &Ranking, metric: &str) -> f64 {
    let (name, k) = metric.rsplit_once("_at_").map_or((metric, 0), |(name, k)| (name, k.parse().unwrap()));
    match name {
        "precision" => ranking.precision_at(k),
        "recall" => ranking.recall_at(k),
        "hit" => ranking.hit_at(k),
        "ndcg" => ranking.ndcg_at(k),
        "reciprocal_rank" => ranking.reciprocal_rank(),
        "average_precision" => ranking.average_precision(),
        _ => panic!("no metric {metric}"),
    }
}

#[test]
fn metrics_are_those_of_others() {
    let queries: Vec<Query> = serde_json::from_str(include_str!("../data/ranking_reference.json")).unwrap();
    assert_eq!(queries.len(), 200);
    for query in queries {
        let judged: BTreeMap<u32, u32> = query.judged.into_iter().collect();
        let ranking = Ranking::new(&query.ranked, &judged).unwrap();
        for (metric, expect) in query.expect {
            let found = own(&ranking, &metric);
            assert!((found - expect).abs() <= 1e-12, "{metric} of {:?} is {found}, not {expect}", query.ranked);
        }
    }
}
