//! The case tables, written by hand before the checks: each says what a check must find, or that no check of its type may
//! find anything. A case that the rules do not manage says so in `missed`, and fails here as soon as they do.

#![expect(clippy::unwrap_used, reason = "a table that cannot be read is a failure")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use steadfast_audit::Source;
use steadfast_audit::checks;
use steadfast_audit::evaluation::{incident_quote, incidents_of};
use steadfast_audit::incident::Incident;
use steadfast_evidence::{Evaluated, Evidence, FileId};
use steadfast_testkit::cases::{Case, Expected, read};
use steadfast_text::{Document, Format};

fn source(file: usize, name: &str, text: &str, format: Format) -> Source {
    Source {
        file: FileId(u32::try_from(file).unwrap()),
        name: name.to_owned(),
        document: Document::from_str_as(text, format),
    }
}

/// What is wrong with the case's outcome, if anything.
fn fault(case: &Case) -> Option<String> {
    let prompt = source(0, "prompt.txt", &case.ask, Format::Plain);
    let report = if case.files.is_empty() {
        vec![source(1, "report.md", &case.answer, Format::Markdown)]
    } else {
        case.files
            .iter()
            .enumerate()
            .map(|(at, (name, text))| source(at + 1, name, text, Format::of_name(name)))
            .collect()
    };
    let Some(check) = checks::ALL.iter().find(|check| check.id == case.check) else {
        return Some("no such check".to_owned());
    };
    let Evaluated::Value(incidents) = incidents_of(&prompt, report) else {
        return Some("is not evaluable".to_owned());
    };
    if case.expect.is_empty() {
        let found: Vec<&Incident> =
            incidents.iter().filter(|incident| incident.drift_type == check.drift_type).collect();
        return found.first().map(|incident| {
            format!(
                "finds `{}` in \"{}\": {}",
                incident.finding.check,
                incident_quote(incident).map_or("", |quote| quote.text()),
                incident.finding.explanation
            )
        });
    }
    let own: Vec<&Incident> = incidents.iter().filter(|incident| incident.finding.check == case.check).collect();
    let missing = case.expected().find(|wanted| !own.iter().any(|incident| covers(incident, *wanted)))?;
    let found: Vec<String> = incidents
        .iter()
        .map(|incident| {
            format!("{}: \"{}\"", incident.finding.check, incident_quote(incident).map_or("", |quote| quote.text()))
        })
        .collect();
    Some(format!("does not find {missing:?}; it finds {found:?}"))
}

fn covers(incident: &Incident, wanted: Expected<'_>) -> bool {
    match wanted {
        Expected::Absence(words) => {
            let source = incident.finding.source.as_ref().map_or("", |quote| quote.text()).to_lowercase();
            matches!(incident.finding.evidence, Evidence::Absence(_))
                && words.split_whitespace().all(|word| source.contains(&word.to_lowercase()))
        }
        Expected::Quote(wanted) => incident_quote(incident)
            .into_iter()
            .chain(&incident.finding.also_at)
            .any(|quote| quote.text().contains(wanted) || wanted.contains(quote.text())),
    }
}

#[test]
fn every_case_holds() {
    let mut faults = String::new();
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for case in read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")).unwrap() {
        let count = counts.entry(case.check.clone()).or_default();
        count.1 += 1;
        match (fault(&case), case.missed.is_empty()) {
            (None, true) => count.0 += 1,
            (Some(_), false) => {}
            (None, false) => writeln!(faults, "{}: \"{}\" is managed now", case.check, case.name).unwrap(),
            (Some(fault), true) => {
                writeln!(faults, "{}: \"{}\" {fault} ({})", case.check, case.name, case.note).unwrap();
            }
        }
    }
    for (check, (held, all)) in counts {
        writeln!(faults, "# {check}: {held} of {all}").unwrap();
    }
    assert!(faults.lines().all(|line| line.starts_with('#')), "{faults}");
}
