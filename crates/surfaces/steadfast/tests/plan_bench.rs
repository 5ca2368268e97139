//! `steadfast plan bench`, as somebody runs it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::Place;
use serde_json::Value;

fn variant<'a>(bench: &'a Value, name: &str) -> &'a Value {
    bench["variants"].as_array().unwrap().iter().find(|it| it["variant"] == name).unwrap()
}

#[test]
fn the_bench_compares_all_variants_and_gives_the_same_bytes() {
    let place = Place::empty();
    let json = place.steadfast("plan bench --format json").status(0).stdout;
    assert_eq!(json, place.steadfast("plan bench --json").status(0).stdout);

    let bench: Value = serde_json::from_str(&json).unwrap();
    assert!(bench["days"].as_u64().unwrap() >= 60);
    assert!(bench["infeasible_days"].as_u64().unwrap() >= 10);
    let names: Vec<&str> =
        bench["variants"].as_array().unwrap().iter().map(|it| it["variant"].as_str().unwrap()).collect();
    assert_eq!(names, ["v1_naive", "v2_constraints", "v3_validator", "v4_repair"]);

    let (naive, repair) = (variant(&bench, "v1_naive"), variant(&bench, "v4_repair"));
    assert!(repair["pass_rate"].as_f64().unwrap() >= naive["pass_rate"].as_f64().unwrap());
    assert!(repair["true_pass_rate"].as_f64().unwrap() >= naive["true_pass_rate"].as_f64().unwrap());
    assert_eq!(repair["infeasible_rejected"], bench["infeasible_days"]);
    for row in bench["rows"].as_array().unwrap() {
        if row["variant"] == "v4_repair" && row["feasible"] == false {
            assert_eq!(row["status"], "rejected", "{row}");
        }
    }
}

#[test]
fn the_bench_is_a_table_and_a_page() {
    let place = Place::empty();
    let table = place.steadfast("plan bench").status(0).stdout;
    for figure in
        ["pass rate", "constraints violated", "days with time overflow", "hallucination flags", "context collapse"]
    {
        assert!(table.contains(figure), "{table}");
    }
    place.steadfast("plan bench --format html -o bench.html").status(0);
    let page = place.read("bench.html");
    assert!(page.contains("Content-Security-Policy") && page.contains("v4_repair") && !page.contains("<script"));
    place.steadfast("plan bench notes.md").status(2);
}
