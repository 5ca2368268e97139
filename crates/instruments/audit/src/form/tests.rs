//! What is read of a demand, and what is not one.

use super::count::Unit;
use super::layout::Thing;
use super::notation::Country;
use super::{Demand, demands, demands_of};

fn demand_of(text: &str) -> Option<Demand> {
    demands_of(text).into_iter().next().map(|(demand, _)| demand)
}

#[track_caller]
fn names(text: &str, expect: &[&str]) {
    let names = match demand_of(text) {
        Some(Demand::Headings(names) | Demand::Columns(names)) => names,
        other => panic!("{text:?}: {other:?}"),
    };
    assert_eq!(names, expect, "for {text:?}");
}

#[test]
fn headings_are_listed_in_several_ways() {
    names("Exactly these headings: Aim / People / Money.", &["aim", "people", "money"]);
    names("Exactly three headings: `## Done`, `## Not done`, `## Questions`", &["done", "not done", "questions"]);
    names("Sections in this order: Summary, Waves, Cost and Risks", &["summary", "waves", "cost", "risks"]);
    names("Sections: Why – How – What, in this order", &["why", "how", "what"]);
}

#[test]
fn columns_are_listed_in_several_ways() {
    names("Waves as one table: Wave, Scope, Start, End, Owner", &["wave", "scope", "start", "end", "owner"]);
    names("a before/after table (minutes, red runs)", &["minutes", "red runs"]);
    names("table, 4 cols: action / owner / due / minute no.", &["action", "owner", "due", "minute no"]);
    names("A table with columns task, owner and date", &["task", "owner", "date"]);
}

#[test]
fn what_is_to_be_left_out() {
    assert_eq!(demand_of("no tables"), Some(Demand::Without(Thing::Tables)));
    assert_eq!(demand_of("Please don't use any bullet points"), Some(Demand::Without(Thing::Lists)));
    assert_eq!(demand_of("no emoji, no superlatives"), Some(Demand::Without(Thing::Emoji)));
    assert_eq!(demand_of("no new tables in the database"), None);
    assert_eq!(demand_of("no links in the tables"), None);
}

#[test]
fn what_the_answer_is_to_have() {
    assert_eq!(demand_of("Use bullet points"), Some(Demand::With(Thing::Lists)));
    assert_eq!(demand_of("Give me the steps as a bulleted list, please"), Some(Demand::With(Thing::Lists)));
    assert_eq!(demand_of("the results in a small table"), Some(Demand::With(Thing::Tables)));
    assert_eq!(demand_of("use bullet points where they help"), None);
    assert_eq!(demand_of("please don't write it in bullets"), None);
    assert_eq!(demand_of("add the figures to the ones in the table"), None);
}

#[test]
fn counts() {
    let count = |text: &str| match demand_of(text) {
        Some(Demand::Count(count)) => Some(count.shown()),
        _ => None,
    };
    for (text, wanted) in [
        ("no more than 80 words", (Unit::Words, 0, 80, true)),
        ("450 words at most, in English", (Unit::Words, 0, 450, true)),
        ("PR description under 250 words", (Unit::Words, 0, 249, false)),
        ("150-200 words", (Unit::Words, 150, 200, true)),
        ("Between 160 and 220 words", (Unit::Words, 160, 220, true)),
        ("in about 150 words", (Unit::Words, 120, 180, true)),
        ("The title has at most 8 words", (Unit::Words, 0, 8, false)),
        ("250 words at the outside", (Unit::Words, 0, 250, true)),
        ("exactly three short bullets", (Unit::Items, 3, 3, true)),
        ("four bullets at most", (Unit::Items, 0, 4, true)),
        ("a two-sentence summary", (Unit::Sentences, 2, 2, false)),
        ("two sentences under it, not more", (Unit::Sentences, 0, 2, true)),
        ("Put that in one short paragraph.", (Unit::Paragraphs, 1, 1, false)),
        ("one emoji at most", (Unit::Emoji, 0, 1, true)),
        ("a table of exactly four rows", (Unit::Rows, 4, 4, false)),
        ("a one page letter", (Unit::Pages, 0, 2, false)),
        ("keep it to two pages", (Unit::Pages, 0, 4, true)),
        ("half a page at most", (Unit::Pages, 0, 1, true)),
    ] {
        assert_eq!(count(text), Some(wanted), "{text}");
    }
    for text in [
        "the vocabulary has 80 words",
        "see page 3",
        "Each town has one page",
        "the talk has three points",
        "add two rows to it",
    ] {
        assert_eq!(count(text), None, "{text}");
    }
}

#[test]
fn notations() {
    assert_eq!(demand_of("British spelling."), Some(Demand::Spelling(Country::Britain)));
    assert_eq!(demand_of("dates all as YYYY-MM-DD"), Some(Demand::IsoDates));
    assert_eq!(demand_of("24h times"), Some(Demand::Clock24));
    assert_eq!(demand_of("Timeline as a list by the clock, twenty-four hour clock"), Some(Demand::Clock24));
    assert_eq!(demand_of("The shop answers within 24 hours"), None);
    assert_eq!(demand_of("a notice of 24 hours"), None);
    assert_eq!(demand_of("percentages as whole numbers"), Some(Demand::WholePercentages));
    assert_eq!(
        demand_of("This sentence unchanged: \"We welcome everybody here.\""),
        Some(Demand::Verbatim("We welcome everybody here.".to_owned()))
    );
}

#[test]
fn an_obligation_may_ask_for_several_forms_and_for_more() {
    let of = |text: &str| demands(text, "").map(|own| (own.all.len(), own.is_all));
    assert_eq!(of("British spelling, no more than 60 words"), Some((2, true)));
    assert_eq!(of("no emoji, no tables"), Some((2, true)));
    assert_eq!(of("PR description under 250 words pls and tell me what you could not verify"), Some((1, false)));
    assert_eq!(of("tell me what you could not verify"), None);
}
