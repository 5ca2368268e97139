//! `steadfast demo`: an example that ships with the program, audited.

use std::path::Path;

use steadfast_engine::{AuditInput, AuditOutcome, AuditRequest, File};
use steadfast_render::Links;
use steadfast_wire::audit::Judge;

use crate::args::Format;
use crate::exit::{Failure, Status};
use crate::talk::Talk;
use crate::{audit, output, wait};

const PROMPT: (&str, &str) = ("prompt.txt", include_str!("../../../../examples/audit/prompt.txt"));
const FAITHFUL: (&str, &str) = ("faithful.md", include_str!("../../../../examples/audit/faithful.md"));
const DRIFTED: (&str, &str) = ("drifted.md", include_str!("../../../../examples/audit/drifted.md"));

/// Writes the example to `folder`, audits both of its reports, and says what to try next.
pub(crate) fn demo(folder: &Path, talk: &Talk) -> Result<Status, Failure> {
    output::make_folder(folder)?;
    let files = [PROMPT, FAITHFUL, DRIFTED].map(|(name, text)| (folder.join(name), text.to_owned()));
    output::to_files(&files)?;

    let mut lines = vec!["One prompt, two reports of it:".to_owned(), String::new()];
    let mut drifted = None;
    for (name, report) in [("faithful", FAITHFUL), ("drifted", DRIFTED)] {
        let outcome = run(report, *talk)?;
        audit::write_folder(&folder.join(name), &outcome, &Links { base: Some("../".to_owned()) })?;
        lines.push(format!("  {}", summary(name, &outcome)));
        drifted = Some(outcome);
    }
    if let Some(drifted) = drifted {
        lines.push(String::new());
        lines.push(audit::render(&drifted, Format::Text, audit::colour(true), &Links::default())?);
    }
    let shown = folder.display();
    lines.push(format!("Everything is in {shown}. What to try next:"));
    lines.push(String::new());
    lines.push(format!("  open {shown}/drifted/drift-evaluation.html in a browser"));
    lines.push(format!("  steadfast audit {shown}/prompt.txt {shown}/drifted.md --fail-on risk=high; echo $?"));
    lines.push(format!("  steadfast audit {shown}/prompt.txt {shown}/drifted.md --json"));
    lines.push("  steadfast audit PROMPT REPORT, on a prompt and a report of your own".to_owned());
    lines.push(String::new());
    output::to_stdout(&lines.join("\n"))?;
    Ok(Status::Passed)
}

fn run((name, text): (&str, &str), talk: Talk) -> Result<AuditOutcome, Failure> {
    let file = |(name, text): (&str, &str)| File { name: name.to_owned(), bytes: text.as_bytes().to_vec() };
    let input = AuditInput::Pair { prompt: file(PROMPT), report: file((name, text)) };
    let message = (!talk.quiet).then(|| format!("auditing {name}"));
    Ok(wait::wait(steadfast_engine::audit(AuditRequest { input, judge: Judge::Rules }, None), message)?)
}

/// One line: score, risk, usable, incidents.
fn summary(name: &str, outcome: &AuditOutcome) -> String {
    let evaluation = &outcome.evaluation;
    let incidents = evaluation.drift_incidents.len();
    format!(
        "{:<12} {:.2} of 5, risk {}, {}, {incidents} {}",
        format!("{name}.md"),
        evaluation.overall_fidelity_score,
        evaluation.overall_drift_risk,
        if evaluation.usable_as_is { "usable as it is" } else { "not usable as it is" },
        if incidents == 1 { "incident" } else { "incidents" }
    )
}
