//! `steadfast plan bench`, as somebody runs it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common::Place;
use serde_json::Value;
use steadfast_testkit::schema::breaches;
use steadfast_wire::plan::Bench;
use steadfast_wire::schema;

const VARIANTS: [&str; 4] = ["v1_naive", "v2_constraints", "v3_validator", "v4_repair"];

/// Width of the first column of the table.
const NAME_CHARS: usize = 28;

/// The rows of the table, in their order.
const FIGURES: [&str; 20] = [
    "pass rate",
    "true pass rate",
    "feasible days passed",
    "passed and right",
    "infeasible days rejected",
    "of them with a proof",
    "feasible, “proved” not to be",
    "wrongly recommended",
    "constraints violated",
    "days with violations",
    "days with time overflow",
    "hallucination flags",
    "right of low confidence",
    "right of medium confidence",
    "right of high confidence",
    "confidence mismatches",
    "time hallucination",
    "context collapse",
    "overconfidence",
    "humanly impossible",
];

fn variant<'a>(bench: &'a Value, name: &str) -> &'a Value {
    bench["variants"].as_array().unwrap().iter().find(|it| it["variant"] == name).unwrap()
}

#[test]
fn the_bench_compares_all_variants_and_gives_the_same_bytes() {
    let place = Place::empty();
    let json = place.steadfast("plan bench --format json").status(0).stdout;
    assert_eq!(json, place.steadfast("plan bench --json").status(0).stdout);

    let bench: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(breaches(&serde_json::to_value(schema::<Bench>()).unwrap(), &bench), [""; 0]);
    assert!(bench["days"].as_u64().unwrap() >= 60);
    assert!(bench["infeasible_days"].as_u64().unwrap() >= 10);
    let names: Vec<&str> =
        bench["variants"].as_array().unwrap().iter().map(|it| it["variant"].as_str().unwrap()).collect();
    assert_eq!(names, VARIANTS);

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
    let mut blocks = table.split("\n\n").skip(1);
    let figures: Vec<&str> = blocks.next().unwrap().lines().collect();
    assert_eq!(figures[0].split_whitespace().collect::<Vec<_>>(), VARIANTS);
    // Every row has its name in the first column and a figure under each variant.
    let ends: Vec<usize> = VARIANTS.iter().map(|name| figures[0].find(name).unwrap() + name.len()).collect();
    for row in &figures[1..] {
        let chars: Vec<char> = row.chars().collect();
        assert_eq!(chars.len(), *ends.last().unwrap(), "{row}");
        for end in &ends {
            assert!(!chars[end - 1].is_whitespace() && chars.get(*end).is_none_or(|next| *next == ' '), "{row}");
        }
    }
    let names: Vec<String> = figures[1..].iter().map(|row| row.chars().take(NAME_CHARS).collect()).collect();
    assert_eq!(names.iter().map(|name| name.trim_end()).collect::<Vec<_>>(), FIGURES);
    let titles: Vec<&str> = blocks.map(|block| block.lines().next().unwrap()).collect();
    for title in &titles {
        let known = ["Days that it got wrong", "Days that were misread"].contains(title);
        assert!(known || title.starts_with("The reader gets "), "{titles:?}");
    }
    place.steadfast("plan bench --format html -o bench.html").status(0);
    let page = place.read("bench.html");
    assert!(page.contains("Content-Security-Policy") && page.contains("v4_repair") && !page.contains("<script"));
    place.steadfast("plan bench notes.md").status(2);
}
