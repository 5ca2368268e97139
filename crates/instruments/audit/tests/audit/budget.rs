//! What is said of a report where a check is broken off.

use steadfast_audit::Source;
use steadfast_audit::evaluation::examine;
use steadfast_evidence::{Evaluated, FileId, Status};
use steadfast_steps::{Budget, counted, within};
use steadfast_text::{Document, Format};

fn source(file: u32, text: &str) -> Source {
    let document = Document::from_str_as(text, Format::Markdown);
    Source { file: FileId(file), name: format!("{file}.md"), document }
}

/// With every budget the report is judged whole, or nothing is said of what was not looked at, or there is no answer.
#[test]
fn nothing_is_said_that_was_not_looked_at() {
    let wishes = "We must ship 3 hubs by 5 May for $100. Do not use steel.\n\n";
    let ask = format!("{wishes}Open 4 sites in Oslo.");
    let report =
        format!("# Report\n\n{}We ship 3 hubs by 5 May for $100, of oak.", "All of it is on time. ".repeat(40));
    let judge = || examine(&source(0, &ask), vec![source(1, &report)]);
    let (Evaluated::Value(whole), steps) = counted(judge) else { unreachable!("the report can be judged") };
    assert!(whole.evaluation.left_out.is_empty());
    let (mut open, mut told) = (0, 0);
    for budget in (0..60).map(|part| steps * part / 30) {
        let Ok(judged) = within(&Budget::of(budget), judge) else { continue };
        match judged {
            Evaluated::NotEvaluable(reason) => {
                let what = "0.md: to judge it takes more steps than a text of its size may take. hint: ";
                assert!(reason.0.starts_with(what), "{}", reason.0);
                open += 1;
            }
            Evaluated::Value(own) if own.evaluation.left_out.is_empty() => {
                assert_eq!(own.evaluation.scores.overall, whole.evaluation.scores.overall);
                told += 1;
            }
            Evaluated::Value(own) => {
                let decided = |status| !matches!(status, Status::NotAssessed | Status::Broken | Status::Weakened);
                assert!(!own.evaluation.obligations.iter().any(|judged| decided(judged.status)));
                open += 1;
            }
        }
    }
    assert!(open > 0 && told > 0, "{open} were broken off, {told} were whole");
}
