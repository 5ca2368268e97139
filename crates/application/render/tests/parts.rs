//! An audit in pieces, for a page that pages its incidents.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::collections::BTreeMap;

use common::{example, texts};
use steadfast_render::audit::{Asked, Parts, Standing, in_place, parts, places};
use steadfast_render::{OnePage, Pages};
use steadfast_wire::audit::DriftIncident;

fn asked(filters: &[(&str, &str)], from: usize, limit: usize, state: Option<Standing>) -> Parts {
    let filters: BTreeMap<String, String> =
        filters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let beside = |incident: &DriftIncident| format!("<i>{}</i>", incident.id);
    let asked =
        Asked { filters: &filters, from, limit, state, pages: &OnePage, address: "/runs/x?incident=", beside: &beside };
    parts(&example(), &texts(), &asked).unwrap()
}

/// Cards, and those that pass the filters.
#[track_caller]
fn check(filters: &[(&str, &str)], from: usize, limit: usize, expect: (usize, usize)) {
    let parts = asked(filters, from, limit, None);
    assert_eq!((parts.shown, parts.matching), expect);
    assert_eq!(parts.cards.matches("<article").count(), expect.0);
    assert_eq!(parts.cards.matches("<i>").count(), expect.0, "what stands beside each");
}

#[test]
fn incidents_come_by_the_page_and_filtered() {
    let all = example().drift_incidents.len();
    let of_severity_four = example().drift_incidents.iter().filter(|own| own.severity == 4).count();
    check(&[], 0, usize::MAX, (all, all));
    check(&[], 0, 2, (2, all));
    check(&[], all - 1, 2, (1, all));
    check(&[], all, 2, (0, all));
    check(&[("severity", "4")], 0, usize::MAX, (of_severity_four, of_severity_four));
    check(&[("severity", "")], 0, 1, (1, all));
    check(&[("severity", "9")], 0, 1, (0, 0));
    check(&[("unknown", "9")], 0, 1, (1, all));
    for filter in asked(&[], 0, 0, None).filters {
        for option in filter.options {
            check(&[(filter.name, &option.value)], 0, usize::MAX, (option.count, option.count));
        }
    }
}

#[test]
fn links_to_incidents_of_other_pages_lead_there() {
    let whole = asked(&[], 0, usize::MAX, None);
    assert!(whole.obligations.contains("href=\"#incident-") && !whole.obligations.contains("/runs/x?incident="));
    let none = asked(&[], 0, 0, None);
    assert!(!none.obligations.contains("href=\"#incident-") && none.obligations.contains("/runs/x?incident="));
}

#[test]
fn obligations_in_one_state_stand_alone() {
    for state in Standing::ALL {
        let count = example().obligations.iter().filter(|own| Standing::of(own) == *state).count();
        assert!(count > 0, "the example has one that is {}", state.row().name);
        let rows = asked(&[], 0, 0, Some(*state)).obligations.matches("<tr id=").count();
        assert_eq!(rows, count, "{state:?}");
    }
}

struct From(usize);

impl Pages for From {
    fn from(&self, _: &str) -> usize {
        self.0
    }

    fn href(&self, table: &str, from: usize) -> String {
        format!("/runs/x?{table}={from}")
    }
}

#[test]
fn obligations_come_by_the_page() {
    let mut evaluation = example();
    let one = evaluation.obligations[0].clone();
    evaluation.obligations = vec![one.clone(); 250];
    let (filters, texts) = (BTreeMap::new(), texts());
    let rows = |from: usize| {
        let pages = &From(from);
        let asked =
            Asked { filters: &filters, from: 0, limit: 0, state: None, pages, address: "", beside: &|_| String::new() };
        parts(&evaluation, &texts, &asked).unwrap().obligations
    };
    let name = one.status.name();
    let (first, last) = (rows(0), rows(200));
    assert_eq!((first.matches("<tr id=").count(), last.matches("<tr id=").count()), (100, 50));
    assert!(first.contains("1–100 of 250 obligations") && first.contains(&format!("/runs/x?{name}=100")), "{first}");
    assert!(last.contains("201–250 of 250 obligations") && last.contains(&format!("/runs/x?{name}=100")), "{last}");
}

#[test]
fn a_low_risk_of_a_report_that_is_not_usable_is_that_of_its_score() {
    let mut evaluation = example();
    evaluation.overall_drift_risk = steadfast_wire::audit::Risk::Low;
    let said = |usable: bool| {
        let own = steadfast_wire::audit::DriftEvaluation { usable_as_is: usable, ..evaluation.clone() };
        let (page, html) = (
            steadfast_render::markdown(&own, &texts()),
            steadfast_render::html(&own, &texts(), &Default::default()).unwrap(),
        );
        (page.contains("**Drift Risk:** low, by the score alone"), html.contains("class=\"pill risk-low\""))
    };
    assert_eq!((said(false), said(true)), ((true, false), (false, true)));
}

#[test]
fn places_of_the_same_fault_are_named_once() {
    let mut incident = example().drift_incidents.into_iter().find(|own| own.output_span.is_some()).unwrap();
    let span = incident.output_span.clone().unwrap();
    incident.also_at = vec![span.clone(), span.clone(), span.clone()];
    let known = places(&incident.also_at, &texts());
    assert_eq!(known.len(), 1);
    assert!(known[0].starts_with(&format!("{}:", span.file)) && known[0].ends_with(" (3 times)"), "{known:?}");
    assert_eq!(places(&incident.also_at, &steadfast_render::Texts::default()), [format!("{} (3 times)", span.file)]);
    let mut evaluation = example();
    evaluation.drift_incidents = vec![incident];
    let page = steadfast_render::markdown(&evaluation, &texts());
    assert!(page.contains("** `") && page.contains("` (3 times)\n"), "{page}");
}

#[test]
fn an_incident_stands_in_its_texts_with_its_words_marked() {
    for incident in &example().drift_incidents {
        let html = in_place(incident, &texts()).unwrap();
        for (anchor, span) in [("in-prompt", &incident.source_span), ("in-report", &incident.output_span)] {
            assert_eq!(html.matches(&format!("id=\"{anchor}\"")).count(), usize::from(span.is_some()), "{html}");
        }
        assert!(!html.contains(" style="));
    }
    // Without the texts the words still stand there, and the page says why they stand alone.
    let incident = example().drift_incidents.into_iter().find(|own| own.output_span.is_some()).unwrap();
    let html = in_place(&incident, &steadfast_render::Texts::default()).unwrap();
    assert!(html.contains("was not kept with the run") && html.contains("<mark class=\"own\">"), "{html}");
}
