//! The comparison of two audits in every format: what is shown, what is escaped, how long it may be.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{example, texts};
use steadfast_render::audit::compare::{BothTexts, html, markdown, text};
use steadfast_render::{Colour, HTML_BYTES_MAX, MARKDOWN_BYTES_MAX, Texts};
use steadfast_wire::audit::{
    AuditComparison, COMPARISON_SCHEMA_VERSION, Caveat, ComparedAudit, ComparedIncidents, ComparisonCounts, Dimension,
    DimensionPair, DriftEvaluation, IncidentPair, ObligationChange, ObligationPair, Risk, UsableBecause,
};

fn side(name: &str, own: &DriftEvaluation) -> ComparedAudit {
    ComparedAudit { disqualifiers: Vec::new(), ..ComparedAudit::of(name, own) }
}

/// The example against itself, its obligations and incidents dealt out to what there is.
fn comparison(example: &DriftEvaluation) -> AuditComparison {
    let changes = ObligationChange::ALL.iter().cycle();
    let mut obligations: Vec<ObligationPair> = example
        .obligations
        .iter()
        .zip(changes)
        .map(|(own, change)| ObligationPair {
            change: *change,
            a: Some(own.clone()).filter(|_| *change != ObligationChange::OnlyB),
            b: Some(own.clone()).filter(|_| *change != ObligationChange::OnlyA),
        })
        .collect();
    obligations.sort_by_key(|pair| pair.change);
    let mut counts = ComparisonCounts::default();
    for pair in &obligations {
        *counts.obligations.entry(pair.change).or_default() += 1;
    }
    let mut incidents = ComparedIncidents::default();
    for (at, own) in example.drift_incidents.iter().enumerate() {
        match at % 3 {
            0 => incidents.new.push(own.clone()),
            1 => incidents.gone.push(own.clone()),
            _ => incidents.still.push(IncidentPair { reworded: true, a: own.clone(), b: own.clone() }),
        }
    }
    counts.new_incidents = incidents.new.len();
    counts.gone_incidents = incidents.gone.len();
    counts.still_incidents = incidents.still.len();
    counts.reworded_incidents = incidents.still.len();
    AuditComparison {
        schema_version: COMPARISON_SCHEMA_VERSION.to_owned(),
        a: ComparedAudit {
            score: 3.9,
            risk: Risk::Low,
            usable_as_is: true,
            usable_because: UsableBecause::Yes,
            ..side("before", example)
        },
        b: side("after", example),
        score_delta: example.overall_fidelity_score - 3.9,
        caveats: vec![Caveat::PromptsDiffer],
        dimensions: Dimension::ALL
            .iter()
            .map(|dimension| DimensionPair { dimension: *dimension, a: Some(4), b: None })
            .collect(),
        obligations,
        incidents,
        counts,
    }
}

#[test]
fn as_text_markdown_and_html() {
    let (own, texts) = (comparison(&example()), texts());
    let both = BothTexts { a: &texts, b: &texts };
    insta::assert_snapshot!("audit_compare_text", text(&own, both, Colour::Off));
    insta::assert_snapshot!("audit_compare_markdown", markdown(&own, both));
    let page = html(&own, both).unwrap();
    let main = &page[page.find("<main>").unwrap()..page.find("</main>").unwrap()];
    insta::assert_snapshot!("audit_compare_html", main);
}

#[test]
fn colour_adds_nothing_but_colour() {
    let (own, texts) = (comparison(&example()), texts());
    let both = BothTexts { a: &texts, b: &texts };
    let coloured = text(&own, both, Colour::On);
    let mut bare = String::new();
    let mut rest = coloured.as_str();
    while let Some(at) = rest.find('\u{1b}') {
        bare.push_str(&rest[..at]);
        rest = &rest[at + rest[at..].find('m').unwrap() + 1..];
    }
    bare.push_str(rest);
    assert_eq!(bare, text(&own, both, Colour::Off));
}

#[test]
fn judged_text_is_no_markup_and_the_forms_stay_within_bounds() {
    let hostile = "<script>alert(1)</script>\u{202e}\u{1b}[31m **b** | `c`";
    let mut example = example();
    for own in &mut example.obligations {
        own.span.quote = hostile.to_owned();
        own.answer_spans.iter_mut().for_each(|span| hostile.clone_into(&mut span.quote));
    }
    for own in &mut example.drift_incidents {
        hostile.clone_into(&mut own.explanation);
        own.output_span.iter_mut().chain(&mut own.source_span).for_each(|span| hostile.clone_into(&mut span.quote));
    }
    example.obligations = example.obligations.iter().cycle().take(4_000).cloned().collect();
    example.drift_incidents = example.drift_incidents.iter().cycle().take(4_000).cloned().collect();
    let mut own = comparison(&example);
    hostile.clone_into(&mut own.a.name);
    let none = Texts::default();
    let both = BothTexts { a: &none, b: &none };
    let (page, markdown, text) = (html(&own, both).unwrap(), markdown(&own, both), text(&own, both, Colour::Off));
    assert!(!page.contains("<script") && page.len() < HTML_BYTES_MAX, "{}", page.len());
    assert!(!markdown.replace("\\<", "").contains('<') && markdown.len() < MARKDOWN_BYTES_MAX, "{}", markdown.len());
    for form in [page, markdown, text] {
        assert!(!form.contains('\u{202e}') && !form.contains('\u{1b}'));
    }
}
