//! Which item reports on which criterion: pairs paraphrased by hand, half of them written before the matcher, half after, and as many
//! again by somebody who had not seen it.
#![expect(clippy::unwrap_used, reason = "tests")]

use serde::Deserialize;
use steadfast_review::answer::read;
use steadfast_review::ask::{Candidate, matches};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    scenario: Vec<Scenario>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    name: String,
    items: Vec<String>,
    criteria: Vec<Criterion>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Criterion {
    text: String,
    partner: Option<usize>,
}

/// Pairs of a table: all, without a partner, wrong partners, partners found, and what was wrong or missed.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    pairs: usize,
    alone: usize,
    wrong: usize,
    found: usize,
    told: Vec<String>,
}

fn count(table: &str) -> Count {
    let table: Table = toml::from_str(table).unwrap();
    let mut count = Count::default();
    for scenario in &table.scenario {
        let report = read(&format!("<npl-ref>\n- {}\n</npl-ref>", scenario.items.join("\n- ")));
        assert_eq!(report.items.len(), scenario.items.len(), "{}", scenario.name);
        let candidates: Vec<Candidate<'_>> =
            report.items.iter().map(|item| Candidate { text: &item.text, block: item.block }).collect();
        let criteria: Vec<&str> = scenario.criteria.iter().map(|it| it.text.as_str()).collect();
        for (criterion, got) in scenario.criteria.iter().zip(matches(&criteria, &candidates, None)) {
            count.pairs += 1;
            count.alone += usize::from(criterion.partner.is_none());
            match (criterion.partner, got) {
                (Some(partner), Some(got)) if got.candidate == partner => count.found += 1,
                (expect, Some(got)) => {
                    count.wrong += 1;
                    let item = candidates[got.candidate].text;
                    let told = format!(
                        "{}: {:?} -> {item:?}, not {expect:?} ({:.2})",
                        scenario.name, criterion.text, got.score
                    );
                    count.told.push(told);
                }
                (Some(partner), None) => {
                    let item = candidates[partner].text;
                    count.told.push(format!("{}: {:?} misses {item:?}", scenario.name, criterion.text));
                }
                (None, None) => {}
            }
        }
    }
    count
}

#[test]
fn at_most_two_in_a_hundred_have_a_wrong_partner() {
    let before = count(include_str!("../data/criteria_before.toml"));
    assert_eq!((before.pairs, before.alone), (50, 20));
    let after = count(include_str!("../data/criteria_after.toml"));
    assert_eq!((after.pairs, after.alone), (50, 20));
    assert!(before.wrong + after.wrong <= 2, "{before:?} {after:?}");
    assert!(before.found >= 25 && after.found >= 20, "{before:?} {after:?}");
}

#[test]
fn free_paraphrases_are_missed_rather_than_given_away() {
    let apart = count(include_str!("../data/criteria_apart.toml"));
    assert_eq!((apart.pairs, apart.alone, apart.wrong), (50, 18, 0));
    assert!(apart.found >= 10, "{apart:?}");
}
