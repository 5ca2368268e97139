//! Every change stands where it says, and nothing else changes.

use std::collections::BTreeSet;

use steadfast_text::{Document, Format};

use super::{OPERATORS, affirmed, capital, lower, narrow};
use crate::mutate::{Case, Pair, Settings, cases, shipped};

#[track_caller]
fn narrows(old: &str, new: &str, was: &str, is: &str) {
    let (from, to) = narrow(old, new);
    assert_eq!((&old[from.clone()], &new[to.clone()]), (was, is));
    assert_eq!(format!("{}{}{}", &old[..from.start], &new[to], &old[from.end..]), new);
}

#[test]
fn a_change_is_what_differs_in_whole_words() {
    narrows("It costs €5 a day.", "It costs €7 a day.", "5", "7");
    narrows("The roof is believed to be sound.", "The roof is sound.", "is believed to be", "is");
    narrows("Perhaps it rains.", "It rains.", "Perhaps it", "It");
    narrows("Calls are not recorded.", "Calls are recorded.", "are not", "are");
    narrows("Each text is read.", "Each text is read, if time allows.", "read.", "read, if time allows.");
    narrows("a b.", "c d!", "a b.", "c d!");
}

#[test]
fn a_single_negation_is_dropped_and_no_bound() {
    let check = |text: &str, expect: Option<&str>| assert_eq!(affirmed(text).as_deref(), expect, "{text}");
    check("Income is not asked about.", Some("Income is asked about."));
    check("We do not advertise.", Some("We advertise."));
    check("There are no cameras.", Some("There are cameras."));
    check("No coach is booked.", Some("Coach is booked."));
    check("Food is never bought at full price.", Some("Food is bought at full price."));
    check("It isn't meant for staff.", Some("It is meant for staff."));
    check("It has no more than 40 pages.", None);
    check("It does not rise above 12 %.", None);
    check("There are no screens and no live animals.", None);
    check("Everything is free.", None);
}

#[test]
fn first_letters() {
    assert_eq!(
        (capital("été vu"), lower("The end"), lower("CHF 5"), lower("I go")),
        ("Été vu".into(), "the end".into(), "CHF 5".into(), "I go".into())
    );
}

/// All cases of the shipped pairs, each with its pair.
fn all() -> (Vec<Pair>, Vec<Case>) {
    let pairs = shipped().unwrap();
    let cases = cases(&pairs, pairs.len(), Settings { seed: 7, per_operator: 20 }).unwrap();
    (pairs, cases)
}

#[test]
fn outside_of_the_spans_nothing_changes_and_within_them_something_does() {
    let (pairs, cases) = all();
    for case in &cases {
        let (faithful, drifted) = (&pairs[case.pair].report, case.report(&pairs[case.pair].report));
        let Some(operator) = case.operator else {
            assert!(case.edits.is_empty() && case.against.is_none() && *faithful == drifted);
            continue;
        };
        assert_ne!(*faithful, drifted, "{}", operator.name);
        // Going back edit by edit gives the faithful report, to the byte.
        let mut back = drifted.clone();
        let mut moved: isize = case.edits.iter().map(|edit| edit.text.len() as isize - edit.span.len() as isize).sum();
        for edit in case.edits.iter().rev() {
            moved -= edit.text.len() as isize - edit.span.len() as isize;
            let start = edit.span.start.checked_add_signed(moved).unwrap();
            assert_eq!(&back[start..start + edit.text.len()], edit.text, "{}", operator.name);
            assert_ne!(edit.text.trim(), faithful[edit.span.range()].trim(), "{}", operator.name);
            back.replace_range(start..start + edit.text.len(), &faithful[edit.span.range()]);
        }
        assert_eq!(back, *faithful, "{}", operator.name);
        for span in case.spans() {
            let text = &drifted[span.range()];
            assert!(!text.is_empty() && text.trim() == text, "{}: {text:?}", operator.name);
        }
        let taken_away = case.edits.iter().all(|edit| edit.text.is_empty());
        assert_eq!(case.spans().is_empty(), taken_away, "{}", operator.name);
        assert!(case.against.is_none_or(|span| pairs[case.pair].ask.get(span.range()).is_some()));
    }
}

#[test]
fn every_operator_finds_something_to_do_and_the_same_seed_does_the_same() {
    let (pairs, first) = all();
    let made: BTreeSet<&str> = first.iter().filter_map(|case| Some(case.operator?.name)).collect();
    let missing: Vec<&str> = OPERATORS.iter().map(|it| it.name).filter(|name| !made.contains(name)).collect();
    assert_eq!(missing, Vec::<&str>::new());
    let told = |cases: &[Case]| cases.iter().map(|case| format!("{case:?}")).collect::<Vec<_>>();
    assert_eq!(told(&first), told(&all().1));
    let unique: BTreeSet<String> = told(&first).into_iter().collect();
    assert_eq!(unique.len(), first.len(), "each case stands once");
    let of = |seed| told(&cases(&pairs, pairs.len(), Settings { seed, per_operator: 1 }).unwrap());
    assert_ne!(of(1), of(2));
    assert_eq!(of(1), of(1));
}

fn own(ask: &str, report: &str) -> Pair {
    let (ask_format, report_format) = (Format::Markdown, Format::Markdown);
    Pair { name: "own".to_owned(), ask: ask.to_owned(), ask_format, report: report.to_owned(), report_format }
}

/// What an operator makes of a pair, beside the shipped ones: every changed sentence of the report.
#[track_caller]
fn check(name: &str, ask: &str, report: &str, expect: &[&str]) {
    let mut pairs = vec![own(ask, report)];
    pairs.extend(shipped().unwrap());
    let cases = cases(&pairs, 1, Settings { seed: 1, per_operator: 20 }).unwrap();
    let mut found: Vec<String> = Vec::new();
    for case in cases.iter().filter(|case| case.operator.is_some_and(|operator| operator.name == name)) {
        let document = Document::from_str_as(&case.report(report), Format::Markdown);
        let sentences = document
            .blocks
            .iter()
            .flat_map(|block| block.sentences.iter().map(|range| block.text.plain[range.clone()].to_owned()));
        found.extend(sentences.filter(|text| !report.contains(text)));
    }
    found.sort();
    found.dedup();
    assert_eq!(found, expect, "{name}");
}

const ASK: &str = "Plan a reading club for sailors. The club is for sailors on long voyages. It is not a club for landlubbers. \
    Books may weigh at most 30 kilograms in all. We have 12 lanterns. The purser will possibly lend a cupboard. \
    Do not lend atlases. Every volume must be wrapped in oilcloth. Volumes travel by whaler, not by steamer. A printed almanac would be nice.\n";
const REPORT: &str = "# A club\n\nThe club is for sailors on long voyages. Volumes travel by whaler.\n\n\
    All books together weigh at most 30 kilograms. There are 12 lanterns. Every volume is wrapped in oilcloth. Atlases are not lent.\n\n\
    The purser will possibly lend a cupboard.\n";

#[test]
fn each_operator_on_a_pair_of_somebody_elses() {
    check("negation_removed", ASK, REPORT, &["Atlases are lent."]);
    check("hedge_dropped", ASK, REPORT, &["The purser will lend a cupboard."]);
    check("contrast_taken", ASK, REPORT, &["Volumes travel by steamer."]);
    // Nothing to change, no case.
    check("free_sold", ASK, REPORT, &[]);
    check("deferred_begun", ASK, REPORT, &[]);
    check("modal_raised", ASK, REPORT, &[]);
}

#[test]
fn figures_are_changed_wherever_the_report_gives_them() {
    let mut pairs = vec![own(ASK, REPORT)];
    pairs.extend(shipped().unwrap());
    let cases = cases(&pairs, 1, Settings::default()).unwrap();
    let of =
        |name: &str| cases.iter().filter(|case| case.operator.is_some_and(|it| it.name == name)).collect::<Vec<_>>();
    let [broken] = of("bound_broken")[..] else { panic!("one bound") };
    let value: f64 = broken.edits[0].text.parse().unwrap();
    assert!(value > 30.0 && &REPORT[broken.edits[0].span.range()] == "30");
    assert_eq!(&ASK[broken.against.unwrap().range()], "Books may weigh at most 30 kilograms in all.");
    let [changed] = of("figure_changed")[..] else { panic!("one figure") };
    assert_eq!(&REPORT[changed.edits[0].span.range()], "12");
    assert_eq!(of("ban_restored")[0].edits.len(), 1);
}
