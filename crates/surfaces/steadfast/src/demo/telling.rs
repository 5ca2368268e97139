//! The story in a few lines for a terminal: what each instrument found.

use steadfast_render::audit;
use steadfast_render::story::Story;
use steadfast_wire::pick::PickMode;
use steadfast_wire::plan::PlanResponse;
use steadfast_wire::review::CriterionStatus;

use crate::store::counted;
use crate::talk::legible;

/// Characters of a line that is told.
const CHARS_MAX: usize = 180;
/// A shorter claim is not quoted beside its explanation.
const CLAIM_CHARS_MIN: usize = 12;
/// Lines that are told of one instrument.
const LINES_MAX: usize = 6;

/// What each instrument found, a paragraph each.
pub(super) fn telling(story: &Story<'_>) -> String {
    let mut text = format!("{}\n", short(story.title));
    for (verb, question, lines) in [
        ("pick", "which prompts for the work?", picked(story)),
        (
            "plan",
            "does the day keep what the notes require?",
            story.plans.iter().map(|(own, _)| planned(own)).collect(),
        ),
        ("watch", "is the agent still on the goal?", watched(story)),
        ("review", "is true what the sub-agent reports?", reviewed(story)),
        ("audit", "does the report still say what was asked?", audited(story)),
    ] {
        text.push_str(&format!("\n{verb:<7} {question}\n"));
        let more = lines.len().saturating_sub(LINES_MAX);
        for line in lines.into_iter().take(LINES_MAX) {
            text.push_str(&format!("        {}\n", short(&line)));
        }
        if more > 0 {
            text.push_str(&format!("        and {more} more\n"));
        }
    }
    text.push('\n');
    text
}

fn picked(story: &Story<'_>) -> Vec<String> {
    let told = |own: &steadfast_wire::pick::FinalOutput| {
        let task = own.qid.as_deref().unwrap_or("task");
        let ids: Vec<&str> = own.selected_prompts.iter().map(|it| it.prompt_id.as_str()).collect();
        match (own.mode, own.clarification_questions.first()) {
            (PickMode::Clarify, Some(question)) => format!("{task}: asks first: {question}"),
            _ => format!("{task}: {}", ids.join(" → ")),
        }
    };
    story.picks.iter().map(told).collect()
}

fn planned(own: &PlanResponse) -> String {
    let metrics = &own.validation.metrics;
    format!(
        "{}: {}, {} of {} constraints broken",
        own.debug.variant,
        own.status.label().to_lowercase(),
        metrics.constraints_violated,
        metrics.constraints_declared
    )
}

fn watched(story: &Story<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for own in &story.watch.trajectories {
        match (own.onset, own.onset_test) {
            (Some(step), Some(test)) => lines.push(format!(
                "{}: a sustained change at step {step} of {}: goal distance {:.2} before, {:.2} from there on",
                own.task_id,
                own.steps.len(),
                test.before,
                test.after
            )),
            _ => lines.push(format!("{}: no sustained change in {} steps", own.task_id, own.steps.len())),
        }
        for step in &own.steps {
            lines.extend(
                step.broken.iter().map(|ban| format!("step {} uses “{}”: “{}”", step.step, ban.term, ban.quote)),
            );
        }
    }
    lines
}

fn reviewed(story: &Story<'_>) -> Vec<String> {
    let own = story.review;
    let score = own.score.map_or_else(|| "no score".to_owned(), |score| format!("score {score:.2} of 1"));
    let mut lines = vec![format!("{}, {score}", own.recommendation.label())];
    lines.extend(own.contradictions.iter().map(|it| format!("false: {}", it.message)));
    let open = own.criteria.iter().filter(|it| it.status != CriterionStatus::Met);
    lines.extend(open.map(|it| format!("{}: {}", it.status.label(), it.text)));
    lines
}

fn audited(story: &Story<'_>) -> Vec<String> {
    let own = story.audit;
    let mut lines = vec![
        format!("assessed {}", own.assessed.words()),
        format!(
            "fidelity {:.1} of 5, risk {}, {}",
            own.overall_fidelity_score,
            own.overall_drift_risk,
            audit::verdict(own)
        ),
        format!("{} of the ask: {}", counted(own.obligations.len() as u64, "obligation"), audit::tally(own)),
    ];
    let mut incidents: Vec<_> = own.drift_incidents.iter().collect();
    incidents.sort_by_key(|it| std::cmp::Reverse(it.severity));
    lines.extend(incidents.iter().map(|it| {
        // What points at a figure alone says the rest in its explanation.
        let claim = if it.output_claim.chars().count() > CLAIM_CHARS_MIN {
            format!(" “{}”", it.output_claim)
        } else {
            String::new()
        };
        format!("severity {}: {}{claim}", it.severity, it.explanation)
    }));
    lines
}

/// One line of at most [`CHARS_MAX`] characters.
fn short(text: &str) -> String {
    let text = legible(text).split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(CHARS_MAX) {
        Some((cut, _)) => format!("{}…", text[..cut].trim_end()),
        None => text,
    }
}
