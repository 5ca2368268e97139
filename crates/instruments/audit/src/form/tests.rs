//! What is read of a demand, and what is not one.

use steadfast_evidence::FileId;
use steadfast_text::{Document, Format};

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

/// What became of a form in a report: `k`ept, `b`roken, `n`othing found, `o`pen; `-` where none is read.
fn look(asked: &str, report: &str) -> char {
    use super::Outcome;
    match outcome(asked, report) {
        None => '-',
        Some(Outcome::Kept(..)) => 'k',
        Some(Outcome::NothingFound) => 'n',
        Some(Outcome::Broken(_)) => 'b',
        Some(Outcome::Open) => 'o',
    }
}

fn outcome(asked: &str, report: &str) -> Option<super::Outcome> {
    use super::Page;
    use crate::answer::{Answer, Artefact};
    let document = Document::from_str_as(report, Format::Markdown);
    let artefact = Artefact { file: FileId(1), name: "report.md".to_owned(), document, left_out: Vec::new() };
    let answer = Answer::read(vec![artefact]);
    Some(demands(asked, "")?.look(&Page::of(&answer)?, asked))
}

#[test]
fn what_was_counted_is_shown_with_what_it_counts() {
    let shown = |asked: &str, report: &str| match outcome(asked, report) {
        Some(super::Outcome::Kept(_, shown)) => shown,
        other => panic!("{asked}: {other:?}"),
    };
    let report = "# Fair\n\nWe sell bread and tea.\n\n- Tea\n";
    assert_eq!(shown("at most 40 words", report).as_deref(), Some("7 words"));
    // A page is so many words.
    assert_eq!(shown("keep it to two pages", report).as_deref(), Some("7 words"));
    assert_eq!(shown("at most three bullets", report).as_deref(), Some("1 item"));
}

#[test]
fn counts_are_of_the_whole_of_each_part_or_of_what_is_named() {
    let list =
        "# Fair\n\nWe sell bread.\n\n- Rolls are one pound.\n- Loaves are three. They are big.\n- Tea is free.\n";
    for (asked, report, expect) in [
        ("exactly three bullets", list, 'k'),
        ("exactly four bullets", list, 'b'),
        ("at most 40 words", list, 'k'),
        ("at most 12 words", list, 'b'),
        // The whole has more than twice as many: a part of it is meant.
        ("at most 5 words", list, 'o'),
        ("one sentence each", list, 'b'),
        ("two sentences each at most", list, 'k'),
        ("title up to 10 characters", list, 'k'),
        ("title up to 3 characters", list, 'b'),
        ("one emoji at most", "Welcome \u{1F389}", 'k'),
        ("one emoji at most", "Welcome \u{1F389}\u{1F389}", 'b'),
        ("no exclamation marks", "Welcome", 'n'),
        ("no exclamation marks", "Welcome!", 'b'),
        ("three rows max in the table", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n", 'k'),
        ("Keep it to one paragraph", "We open at noon. Come along.\n\nBring a friend. It is free.", 'b'),
        ("Below it one sentence", "We open at noon. Come along.", 'o'),
    ] {
        assert_eq!(look(asked, report), expect, "{asked}: {report}");
    }
}

#[test]
fn orders_are_looked_for_where_things_stand() {
    let table = |rows: &str| format!("| shop | price |\n|---|---|\n{rows}| Total | £9 |\n");
    let (up, down) = ("| A | £2 |\n| B | £3 |\n| C | £4 |\n", "| A | £4 |\n| B | £3 |\n| C | £2 |\n");
    for (asked, report, expect) in [
        ("sorted by price, cheapest on top", table(up).as_str(), 'k'),
        ("sorted by price, cheapest on top", table(down).as_str(), 'b'),
        ("sorted by price, dearest first", table(down).as_str(), 'k'),
        ("in this order: bread, tea, cakes", "# Bread\n\nGood.\n\n# Tea\n\nHot.\n\n# Cakes\n\nSweet.\n", 'k'),
        ("in this order: bread, tea, cakes", "# Tea\n\nHot.\n\n# Bread\n\nGood.\n\n# Cakes\n\nSweet.\n", 'b'),
        ("in this order: bread, tea, cakes", "We have tea, bread and cakes.", 'o'),
        ("bread first, then tea, then cakes", "- Bread first of all\n- Tea\n- Cakes\n", 'k'),
        ("Begin with a question", "Are you hungry? We are open.", 'b'),
        ("Begin with a question", "Are you hungry?\n\nWe are open.", 'k'),
        ("Start with the dates", "From 3 to 5 May we are closed.\n\nThe door is painted.", 'k'),
        ("Start with the dates", "# News\n\nGood news.\n\nThe door is painted.\n\nWe close from 3 May.", 'b'),
        ("End with \"See you there\"", "We are open.\n\nSee you there!", 'k'),
        ("End with \"See you there\"", "See you there.\n\nWe are open.\n\nBring a friend.", 'b'),
        ("End with \"See you there\"", "We are open.", 'o'),
        ("the last line reads \"Ask Seun\"", "We are open.\n\nAsk Seun", 'k'),
        ("Close with \"Thanks\" and my name, Joan", "We are open.\n\nThanks, Joan", 'k'),
        ("Deliver this order: pens, rulers, glue", "Rulers, pens and glue come on Monday.", '-'),
    ] {
        assert_eq!(look(asked, report), expect, "{asked}: {report}");
    }
}

#[test]
fn layout_and_language_are_looked_for() {
    for (asked, report, expect) in [
        ("numbered steps", "1. Mix.\n2. Bake.\n", 'k'),
        ("numbered steps", "Mix, then bake.", 'b'),
        ("as tick boxes", "- [ ] Mix\n- [x] Bake\n", 'k'),
        ("subject line, please", "Subject: Friday\n\nWe are open.", 'k'),
        ("subject line, please", "We are open.", 'b'),
        ("no code", "Call `read(\"a.csv\")` first.", 'b'),
        ("no code", "The file is `a.csv`.", 'n'),
        ("no bold", "We are **open**.", 'b'),
        ("write it in English", "We are open on Friday and the tea is hot.", 'k'),
        ("Answer in Spanish", "We are open on Friday and the tea is hot.", 'b'),
        (
            "Headings Present, Decisions, Next meeting",
            "# Present\n\nA\n\n# Decisions\n\nB\n\n# Next meeting\n\nC\n",
            'k',
        ),
        ("a table with Day, Early, Late", "| Day | Early | Late |\n|---|---|---|\n| Mon | A | B |\n", 'k'),
    ] {
        assert_eq!(look(asked, report), expect, "{asked}: {report}");
    }
}

#[test]
fn a_form_beside_something_else_is_a_part_of_its_own() {
    let of = |text: &'static str| {
        let parts = super::parts(text);
        let words = |own: std::ops::Range<usize>| &text[own];
        (
            parts.rest.into_iter().map(words).collect::<Vec<_>>(),
            parts.forms.into_iter().map(|(own, out)| (words(own), out)).collect::<Vec<_>>(),
        )
    };
    assert_eq!(
        of("Write the public answer please, 80 words max, no emoji and sign it"),
        (vec!["Write the public answer please", "sign it"], vec![("80 words max", false), ("no emoji", true)])
    );
    assert_eq!(of("at most 80 words"), (vec![], vec![]));
    assert_eq!(of("Sections: Summary, Waves, Cost and Risks"), (vec![], vec![]));
    assert_eq!(of("Write to Anna, Ben and Carl"), (vec![], vec![]));
}
