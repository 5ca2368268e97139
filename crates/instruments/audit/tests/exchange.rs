//! The dialogue with a model: what is asked in which order, what a call that gives nothing costs, and that no byte is asked about twice or
//! never.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use steadfast_audit::exchange::{
    Call, FAILURES_IN_A_ROW_MAX, Inquiry, PROMPT_PIECES_MAX, Proposal, REPORT_PIECES_MAX, Windows, cut,
};
use steadfast_audit::{Examined, Source, examine};
use steadfast_dialogue::{Answer, Delimiter, Exchange, Nothing, Request, Role, Step, messages, tokens_estimate};
use steadfast_evidence::{Evaluated, FileId};
use steadfast_text::{Document, Format, Span};

const PROMPT: &str = "Build a boat house for our club. The budget is 80,000 EUR. Do not use steel.";
const REPORT: &str = "# Boat house\n\nThe frame is made of steel. The budget is 120,000 EUR.\n";

fn examined(prompt: &str, files: &[(&str, String)]) -> Examined {
    let source = |file: usize, name: &str, text: &str| Source {
        file: FileId(u32::try_from(file).unwrap()),
        name: name.to_owned(),
        document: Document::from_str_as(text, Format::of_name(name)),
    };
    let report = files.iter().enumerate().map(|(at, (name, text))| source(at + 1, name, text)).collect();
    match examine(&source(0, "plan.txt", prompt), report) {
        Evaluated::Value(examined) => examined,
        Evaluated::NotEvaluable(reason) => panic!("{reason}"),
    }
}

fn one(report: &str) -> Examined {
    examined(PROMPT, &[("report.md", report.to_owned())])
}

const fn windows(tokens: usize) -> Windows {
    Windows { contract_tokens: tokens, incidents_tokens: tokens, scores_tokens: tokens }
}

/// Drives the dialogue with what `answer` gives for each request and how many of its role came before.
fn driven(
    examined: &Examined,
    windows: Windows,
    answer: impl Fn(&Request, usize) -> Answer,
) -> (Vec<Request>, Proposal) {
    let mut inquiry = Inquiry::new(examined, cut(examined, windows));
    let mut asked: Vec<Request> = Vec::new();
    let mut given = None;
    loop {
        match inquiry.next(given.take()) {
            Step::Done(proposal) => return (asked, proposal),
            Step::Send(request) => {
                let before = asked.iter().filter(|own| own.role == request.role).count();
                given = Some(answer(&request, before));
                asked.push(request);
            }
        }
    }
}

fn good(request: &Request, _: usize) -> Answer {
    let reply = match request.role {
        Role::AuditContract => {
            r#"{"core_intent": "Build a boat house", "primary_problem": "not specified", "proposed_solution": " ", "non_goals": [],
            "constraints": ["Do not use steel", "Do not use steel"], "core_entities": [{"role": "customer", "name": "our club"}],
            "optional_features": [], "uncertainties": [], "success_metrics": []}"#
        }
        Role::AuditIncidents => {
            r#"{"drift_incidents": [{"drift_type": "TypeB", "severity": 4, "section": "Boat house", "source_reference": "Do not use steel",
            "output_claim": "The frame is made of steel.", "explanation": "Steel is banned."}]}"#
        }
        _ => {
            r#"{"scope_fidelity": 5, "constraint_fidelity": 1, "claim_strength_fidelity": 5, "evidence_grounding_fidelity": 5, "entity_fidelity": 5,
            "causal_fidelity": 5, "epistemic_fidelity": 5, "source_trace_fidelity": 5, "structural_priority_fidelity": 5, "language_posture_fidelity": 4,
            "overall_fidelity_score": 4.1, "overall_drift_risk": "critical", "critical_drift_count": 1, "unsupported_claim_count": 0,
            "constraint_violation_count": 1, "confidence_inflation_count": 0, "usable_as_is": false, "verdict_preserved_well": ["the club"],
            "verdict_major_failures": [], "verdict_recommended_actions": [], "questions": ["Why steel?", " "]}"#
        }
    };
    Answer::Record(request.schema.read(reply).unwrap().record)
}

/// Roles that were asked, and what was not judged.
fn told(asked: &[Request], proposal: &Proposal) -> (String, Vec<String>) {
    let roles: Vec<&str> = asked.iter().map(|request| request.role.name().trim_start_matches("audit.")).collect();
    let untold = proposal.not_judged.iter().map(|own| format!("{}: {}", own.what.name(), own.why)).collect();
    (roles.join(" "), untold)
}

#[test]
fn three_calls_each_with_what_the_one_before_gave() {
    let (asked, proposal) = driven(&one(REPORT), windows(8_000), good);
    assert_eq!(told(&asked, &proposal), ("contract incidents scores".to_owned(), vec![]));
    let labels: Vec<Vec<&str>> =
        asked.iter().map(|own| own.passages.iter().map(|passage| passage.label).collect()).collect();
    assert_eq!(labels, [vec!["prompt"], vec!["prompt", "contract", "report"], vec!["contract", "incidents"]]);
    assert_eq!(asked[0].passages[0].text, PROMPT);
    assert_eq!(asked[1].passages[0].text, PROMPT);
    let contract =
        "core_intent: Build a boat house\nconstraints: Do not use steel\ncore_entities, customer: our club\n";
    assert_eq!(asked[1].passages[1].text, contract);
    assert_eq!(asked[1].passages[2].text, format!("[report.md | Boat house]\n{REPORT}"));
    assert_eq!(
        asked[2].passages[1].text,
        "1. TypeB, severity 4, report: \"The frame is made of steel.\", prompt: \"Do not use steel\": Steel is banned.\n"
    );
    assert_eq!((proposal.contract.len(), proposal.incidents.len(), proposal.judged_pieces), (3, 1, 1));
    assert_eq!(proposal.questions, ["Why steel?"]);
    let claimed = proposal.claimed.unwrap();
    assert_eq!((claimed.dimensions[1], claimed.risk.as_str(), claimed.usable_as_is), (1, "critical", false));
    // What is judged stands in no instructions.
    for request in &asked {
        assert!(!request.instructions.contains("boat") && !request.instructions.contains("steel"));
    }
}

#[test]
fn a_call_that_gives_nothing_is_told_and_the_dialogue_goes_on() {
    let nothings = [
        (
            Nothing::Unreadable(vec!["`a` is missing".to_owned()]),
            "the reply is not of the form that was asked for: `a` is missing",
        ),
        (Nothing::Unfinished, "the reply was not finished"),
        (Nothing::Declined, "the model declined to answer"),
        (Nothing::OverBudget("no tokens are left".to_owned()), "the call was not made: no tokens are left"),
        (Nothing::Failed("refused".to_owned()), "the call failed: refused"),
    ];
    for (nothing, why) in nothings {
        let without = |role: Role| {
            let (asked, proposal) = driven(&one(REPORT), windows(8_000), |request, before| {
                if request.role == role { Answer::Nothing(nothing.clone()) } else { good(request, before) }
            });
            let (roles, untold) = told(&asked, &proposal);
            (roles, untold, asked, proposal)
        };
        let (roles, untold, asked, proposal) = without(Role::AuditContract);
        assert_eq!((roles.as_str(), untold), ("contract incidents scores", vec![format!("contract: {why}")]));
        // The contract that rules read takes its place.
        assert!(asked[1].passages[1].text.contains("constraints: Do not use steel\n"), "{:?}", asked[1].passages[1]);
        assert_eq!((proposal.contract.len(), proposal.incidents.len()), (0, 1));

        let (roles, untold, _, proposal) = without(Role::AuditIncidents);
        let scores = "scores: no part of the report was judged".to_owned();
        assert_eq!((roles.as_str(), untold), ("contract incidents", vec![format!("incidents: {why}"), scores]));
        assert_eq!((proposal.judged_pieces, proposal.claimed), (0, None));
        let part = proposal.not_judged[0].part.unwrap();
        assert_eq!((part.text, part.span), (0, Span::new(0, REPORT.len())));

        let (roles, untold, _, proposal) = without(Role::AuditScores);
        assert_eq!((roles.as_str(), untold), ("contract incidents scores", vec![format!("scores: {why}")]));
        assert_eq!((proposal.claimed, proposal.incidents.len()), (None, 1));
    }
}

fn long(sections: usize) -> String {
    let mut text = REPORT.to_owned();
    for at in 0..sections {
        text.push_str(&format!("\n## Part {at}\n\nPart {at} takes its time. {}\n", "It is built by hand. ".repeat(30)));
    }
    text
}

#[test]
fn after_failures_in_a_row_no_more_calls_of_the_kind_are_made() {
    let examined = one(&long(60));
    let all = driven(&examined, windows(6_000), good).1.pieces.len();
    assert!(all > 6, "{all}");
    let failing = |fails: &dyn Fn(usize) -> bool, with: Nothing| {
        driven(&examined, windows(6_000), |request, before| {
            let fails = request.role == Role::AuditIncidents && fails(before);
            if fails { Answer::Nothing(with.clone()) } else { good(request, before) }
        })
    };
    let down = || Nothing::Failed("down".to_owned());
    let (asked, proposal) = failing(&|before| before > 0, down());
    assert_eq!(asked.iter().filter(|own| own.role == Role::AuditIncidents).count(), 1 + FAILURES_IN_A_ROW_MAX);
    assert_eq!((proposal.judged_pieces, proposal.not_judged.len()), (1, all - 1));
    assert_eq!(proposal.not_judged[2].why, "the call failed: down");
    assert_eq!(
        proposal.not_judged.last().unwrap().why,
        "it was not asked about: 3 calls in a row failed (the call failed: down)"
    );
    assert_eq!(asked.last().unwrap().role, Role::AuditScores);
    // What fails now and then is asked on, and so is what answers in a form that cannot be read.
    let (asked, proposal) = failing(&|before| before % 3 != 0, down());
    assert_eq!(asked.len(), all + 2);
    assert_eq!(proposal.judged_pieces, all.div_ceil(3));
    let (asked, _) = failing(&|_| true, Nothing::Unfinished);
    assert_eq!(asked.len(), all + 1);
}

#[test]
fn every_request_fits_its_window() {
    let prompt = format!("{PROMPT} {}", "It should be light and warm. ".repeat(600));
    let many: Vec<(&str, String)> =
        vec![("a.md", long(40)), ("b.html", format!("<p>{}</p>", long(9))), ("c.md", "<|x|> ".repeat(3_000))];
    let examined = examined(&prompt, &many);
    for tokens in [4_500, 6_000, 8_000, 32_000, 200_000] {
        let (asked, proposal) = driven(&examined, windows(tokens), good);
        assert!(asked.len() <= PROMPT_PIECES_MAX + REPORT_PIECES_MAX + 1);
        for request in &asked {
            let (said, _) = messages(request, &Delimiter::new([9; 16]));
            let bytes: usize = said.iter().map(|message| message.text.len()).sum();
            let all = tokens_estimate(bytes) + request.reply_tokens_max as usize;
            assert!(all <= tokens, "{:?}: {all} > {tokens}", request.role);
        }
        // The larger the window, the fewer calls; in the largest the whole prompt stands beside the report.
        let short =
            proposal.not_judged.iter().any(|own| own.why.contains("of the prompt had no room beside the report"));
        assert_eq!(short, tokens < 32_000, "{tokens}: {:?}", proposal.not_judged);
    }
}

/// Bytes of each artefact, and what became of them.
#[track_caller]
fn partition(examined: &Examined, proposal: &Proposal) {
    let mut spans: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
    for part in proposal.pieces.iter().flat_map(|piece| &piece.parts) {
        spans.entry(part.text).or_default().push(part.span);
    }
    for untold in proposal.not_judged.iter().filter(|own| own.what == Call::Incidents && own.why.contains("too long")) {
        let part = untold.part.unwrap();
        spans.entry(part.text).or_default().push(part.span);
    }
    for (index, artefact) in examined.answer.artefacts.iter().enumerate() {
        let mut own = spans.remove(&index).unwrap_or_default();
        own.sort_unstable();
        let mut at = 0;
        for span in own {
            if span.start > at {
                // What lies between is left out of the audit: it repeats the prompt or another artefact.
                let gap = Span::new(at, span.start);
                let covered: usize =
                    artefact.left_out.iter().filter(|left| gap.contains(left.span)).map(|left| left.span.len()).sum();
                assert_eq!(covered, gap.len(), "{} {gap:?}", artefact.name);
            }
            assert!(span.start >= at, "{} {span:?}", artefact.name);
            at = span.end;
        }
        let rest = artefact.document.source.len() - at;
        let left: usize =
            artefact.left_out.iter().filter(|left| left.span.start >= at).map(|left| left.span.len()).sum();
        assert_eq!(rest, left, "{}", artefact.name);
    }
}

#[test]
fn every_byte_of_every_artefact_is_asked_about_once_or_told() {
    let again = format!("## The request\n\n{}\n\n## After\n\nMore is built.\n", PROMPT.repeat(3));
    let page = format!(
        "<h1>Boat house</h1><script>var a;</script><p>The frame is made of steel.</p><p>{}</p>",
        "Own words. ".repeat(300)
    );
    let files = vec![
        ("001-a.md", REPORT.to_owned()),
        ("002-b.md", format!("{}\n{again}\n{}", long(5), long(30))),
        ("003-page.html", page),
        ("004-line.txt", "word ".repeat(5_000)),
        ("005-empty.md", "\n \n".to_owned()),
    ];
    let examined = examined(&PROMPT.repeat(3), &files);
    for tokens in [4_000, 4_600, 5_000, 8_000, 100_000] {
        let (_, proposal) = driven(&examined, windows(tokens), good);
        partition(&examined, &proposal);
    }
    // A report beyond the most calls is told as such.
    let huge = one(&format!("The budget of 80,000 EUR is kept. {}", "A sentence of a long report. ".repeat(60_000)));
    let (asked, proposal) = driven(&huge, windows(4_800), good);
    assert_eq!(asked.iter().filter(|own| own.role == Role::AuditIncidents).count(), REPORT_PIECES_MAX);
    partition(&huge, &proposal);
    assert!(proposal.not_judged.iter().any(|own| own.why == "the report is too long for the model's context window"));
}

#[test]
fn a_page_is_shown_as_its_reader_sees_it() {
    let files = vec![(
        "page.html",
        "<h1>Boat &amp; house</h1><script>var hidden;</script><p>The <b>frame</b> is steel.</p>".to_owned(),
    )];
    let (asked, _) = driven(&examined(PROMPT, &files), windows(8_000), good);
    assert_eq!(asked[1].passages[2].text, "[page.html | Boat & house]\nBoat & house\nThe frame is steel.");
}
