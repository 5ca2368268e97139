//! What holds of every audit: scores stay in bounds and never rise with one incident more; the same text as Markdown and as
//! HTML gives the same incidents; what an incident quotes stands in the file.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its own tables has failed")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use steadfast_audit::evaluation::incident_quote;
use steadfast_audit::incident::{DriftType, Incident};
use steadfast_audit::verdict::{Assessable, Dimension, risk, score};
use steadfast_audit::voice::Voice;
use steadfast_audit::{Evaluation, Source, audit};
use steadfast_evidence::{Absence, Confidence, Evaluated, Evidence, FileId, Finding, Origin, Quote, Severity};
use steadfast_testkit::cases::read;
use steadfast_text::{BlockKind, Document, Format, Span};

const TYPES: [DriftType; 10] = [
    DriftType::A,
    DriftType::B,
    DriftType::C,
    DriftType::D,
    DriftType::E,
    DriftType::F,
    DriftType::G,
    DriftType::H,
    DriftType::I,
    DriftType::J,
];

const SEVERITIES: [Severity; 5] =
    [Severity::None, Severity::Minor, Severity::Moderate, Severity::Major, Severity::Critical];

fn an_incident() -> impl Strategy<Value = Incident> {
    (0..10_usize, 0..5_usize, 0.0..=1.0_f64, any::<(bool, bool, bool)>()).prop_map(
        |(drift_type, severity, confidence, (name, hedge, in_ask))| {
            let ask = Document::from_str_as("The ask.", Format::Plain);
            Incident {
                finding: Finding {
                    check: "any",
                    severity: SEVERITIES[severity],
                    confidence: Confidence::new(confidence),
                    evidence: Evidence::Absence(Absence { terms: Vec::new(), files: Vec::new(), nearest: None }),
                    source: in_ask.then(|| Quote::cut(FileId(0), &ask, Span::new(0, 8)).unwrap()),
                    obligation: None,
                    explanation: String::new(),
                    also_at: Vec::new(),
                },
                origin: Origin::Code,
                drift_type: TYPES[drift_type],
                voice: Voice::Asserted,
                section: Vec::new(),
                repair: String::new(),
                concerns_name: name,
                hedge_lost: hedge,
                weakens: false,
                unsupported_number: false,
                disqualifies: None,
                trail: None,
            }
        },
    )
}

fn assessable() -> impl Strategy<Value = Assessable> {
    (proptest::sample::subsequence(Dimension::ALL.to_vec(), 1..=10), 0..200_000_usize, 0..4_000_usize)
        .prop_map(|(dimensions, words, obligations)| Assessable { dimensions, words, obligations })
}

proptest! {
    #[test]
    fn one_incident_more_never_raises_a_score(
        incidents in proptest::collection::vec(an_incident(), 0..40),
        more in an_incident(),
        assessable in assessable(),
    ) {
        let before = score(&incidents, &assessable);
        let mut all = incidents.clone();
        all.push(more);
        let after = score(&all, &assessable);
        prop_assert!(after.overall <= before.overall);
        prop_assert!((0.0..=5.0).contains(&after.overall));
        for (after, before) in after.dimensions.iter().zip(before.dimensions) {
            prop_assert!(*after <= before && *after <= 5);
        }
        prop_assert!(risk(&all, after.overall) >= risk(&incidents, before.overall));
        prop_assert_eq!(&after.unassessed, &before.unassessed);
    }

    #[test]
    fn the_order_of_incidents_moves_no_score(
        incidents in proptest::collection::vec(an_incident(), 0..20),
        assessable in assessable(),
    ) {
        let mut backwards = incidents.clone();
        backwards.reverse();
        prop_assert_eq!(score(&incidents, &assessable).dimensions, score(&backwards, &assessable).dimensions);
    }
}

fn source(file: u32, name: &str, text: &str, format: Format) -> Source {
    Source { file: FileId(file), name: name.to_owned(), document: Document::from_str_as(text, format) }
}

fn value(evaluated: Evaluated<Evaluation>) -> Option<Evaluation> {
    match evaluated {
        Evaluated::Value(evaluation) => Some(evaluation),
        Evaluated::NotEvaluable(_) => None,
    }
}

/// Prompts and answers: the case tables and the example that ships with the project.
fn pairs() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cases = read(&root.join("cases")).unwrap();
    let mut pairs: Vec<(String, String)> =
        cases.into_iter().filter(|case| case.files.is_empty()).map(|case| (case.ask, case.answer)).collect();
    let example = root.join("../../../examples/audit");
    let prompt = fs::read_to_string(example.join("prompt.txt")).unwrap();
    for report in ["faithful.md", "drifted.md"] {
        pairs.push((prompt.clone(), fs::read_to_string(example.join(report)).unwrap()));
    }
    pairs
}

/// A Markdown document as a planner's exporter would write it in HTML.
fn html(markdown: &str) -> String {
    let document = Document::from_str_as(markdown, Format::Markdown);
    let escaped =
        |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\n', "<br>");
    let mut out = String::from("<html><body>\n");
    let mut open: Vec<&str> = Vec::new();
    let mut row: Option<(usize, usize)> = None;
    for block in &document.blocks {
        let depth = match block.kind {
            BlockKind::ListItem { depth, .. } => usize::from(depth) + 1,
            _ => 0,
        };
        while open.len() > depth {
            write!(out, "</li></{}>", open.pop().unwrap()).unwrap();
        }
        let cell = match block.kind {
            BlockKind::TableCell { table, row, .. } => Some((table, row)),
            _ => None,
        };
        if row != cell {
            if row.is_some() {
                out.push_str("</tr>");
            }
            if row.is_some_and(|(table, _)| cell.is_none_or(|(next, _)| next != table)) {
                out.push_str("</table>\n");
            }
            if cell.is_some_and(|(table, _)| row.is_none_or(|(last, _)| last != table)) {
                out.push_str("<table>");
            }
            if cell.is_some() {
                out.push_str("<tr>");
            }
            row = cell;
        }
        let plain = &block.text.plain;
        let text = match block.label.as_deref() {
            Some(label) => format!(
                "{}<strong>{}</strong>{}",
                escaped(&plain[..label.start]),
                escaped(&plain[label.clone()]),
                escaped(&plain[label.end..])
            ),
            None => escaped(plain),
        };
        match &block.kind {
            BlockKind::Heading => {
                let level = document.sections[block.section].level;
                writeln!(out, "<h{level}>{text}</h{level}>").unwrap();
            }
            BlockKind::ListItem { ordinal, .. } => {
                let list = if ordinal.is_some() { "ol" } else { "ul" };
                if open.len() == depth {
                    write!(out, "</li><li>{text}").unwrap();
                } else {
                    open.push(list);
                    write!(out, "<{list}><li>{text}").unwrap();
                }
            }
            BlockKind::TableCell { header, .. } => {
                let tag = if *header { "th" } else { "td" };
                write!(out, "<{tag}>{text}</{tag}>").unwrap();
            }
            BlockKind::Quote => writeln!(out, "<blockquote><p>{text}</p></blockquote>").unwrap(),
            BlockKind::Code { language } => {
                let class = language.clone().unwrap_or_default();
                writeln!(out, "<pre class=\"{class}\">\n{}</pre>", escaped(plain).replace("<br>", "\n")).unwrap();
            }
            BlockKind::Paragraph => writeln!(out, "<p>{text}</p>").unwrap(),
        }
    }
    while let Some(list) = open.pop() {
        write!(out, "</li></{list}>").unwrap();
    }
    if row.is_some() {
        out.push_str("</tr></table>");
    }
    out.push_str("</body></html>\n");
    out
}

#[test]
fn markdown_and_html_give_the_same_incidents() {
    let mut differ = String::new();
    for (ask, answer) in pairs() {
        let prompt = source(0, "prompt.txt", &ask, Format::Plain);
        let incidents = |report: Source| -> Vec<(String, String)> {
            value(audit(&prompt, vec![report])).map_or(Vec::new(), |evaluation| {
                let mut found: Vec<(String, String)> = evaluation
                    .incidents
                    .iter()
                    .map(|incident| (incident.finding.check.to_owned(), format!("{:?}", incident.finding.severity)))
                    .collect();
                found.sort();
                found
            })
        };
        let page = html(&answer);
        let of_markdown = incidents(source(1, "report.md", &answer, Format::Markdown));
        let of_html = incidents(source(1, "report.html", &page, Format::Html));
        if of_markdown != of_html {
            writeln!(differ, "{of_markdown:?} but {of_html:?}:\n{answer}\n{page}").unwrap();
        }
    }
    assert!(differ.is_empty(), "{differ}");
}

#[test]
fn only_what_is_asserted_chosen_or_proposed_drifts() {
    for (ask, answer) in pairs() {
        let prompt = source(0, "prompt.txt", &ask, Format::Plain);
        let Some(evaluation) = value(audit(&prompt, vec![source(1, "report.md", &answer, Format::Markdown)])) else {
            continue;
        };
        for incident in &evaluation.incidents {
            assert!(incident.voice.can_drift(), "{:?}: {answer}", incident.finding);
        }
    }
}

#[test]
fn every_quote_stands_in_its_file() {
    for (ask, answer) in pairs() {
        let prompt = source(0, "prompt.txt", &ask, Format::Plain);
        let Some(evaluation) = value(audit(&prompt, vec![source(1, "report.md", &answer, Format::Markdown)])) else {
            continue;
        };
        let text =
            |quote: &Quote| if quote.file() == FileId(0) { &ask } else { &answer }[quote.span().range()].to_owned();
        for incident in &evaluation.incidents {
            let quotes =
                incident_quote(incident).into_iter().chain(&incident.finding.also_at).chain(&incident.finding.source);
            for quote in quotes {
                assert_eq!(quote.text(), text(quote));
            }
        }
        for item in &evaluation.contract.obligations {
            assert_eq!(item.obligation.source().text(), text(item.obligation.source()));
        }
    }
}
