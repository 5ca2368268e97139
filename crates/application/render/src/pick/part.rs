//! What was picked for a task, for another page.

use std::collections::BTreeMap;

use askama::Template;
use steadfast_wire::pick::{Candidate, Evidence, FinalOutput, LogStep, PickMode, PromptRecord, SelectedPrompt, Stage};

use super::terminal::by_rules;
use super::view;
use crate::digest::count_of;
use crate::plain::{block, line};
use crate::rows::rows_of;
use crate::{Error, Pages};

/// Candidates of a page.
const CANDIDATES_MAX: usize = 100;
const ALTERNATIVES_MAX: usize = 4;
const LINES_MAX: usize = 60;
const TEXT_CHARS_MAX: usize = 400;
const NAME_CHARS_MAX: usize = 120;
/// Characters of a prompt that the page holds.
const PROMPT_CHARS_MAX: usize = 40_000;

/// What stands around a selection on the page that shows it.
pub struct Around<'a> {
    /// What the vault says of prompts, by their ids: those that are not there are shown by id.
    pub prompts: &'a BTreeMap<String, PromptRecord>,
    /// The address of a prompt's page.
    pub href: &'a dyn Fn(&str) -> String,
    /// What stands beside a prompt that was picked: HTML that is put in as it is.
    pub beside: &'a dyn Fn(&str) -> String,
    /// Which of the candidates are shown.
    pub pages: &'a dyn Pages,
}

/// The values of `pick_part.html`.
#[derive(Template)]
#[template(path = "pick_part.html")]
struct Part {
    /// Whether the page has a glossary.
    help: bool,
    /// What stands before the names of its places, where a page has more than one selection.
    anchor: String,
    mode: &'static str,
    asks: bool,
    confidence: Option<Figure>,
    origin: String,
    by_rules: Option<String>,
    ambiguity: Figure,
    vectors: bool,
    point: String,
    questions: Vec<String>,
    missing: Vec<(String, bool)>,
    picked: Vec<Picked>,
    picked_more: usize,
    decided: Vec<(&'static str, &'static str, String, String)>,
    chain: Vec<(&'static str, &'static str, Figure)>,
    fallback: Vec<Named>,
    fallback_mode: &'static str,
    candidates: Vec<Other>,
    candidates_count: usize,
    candidates_pages: String,
    explained: bool,
    understood: Vec<(&'static str, String)>,
    log: Vec<Passed>,
    views: Vec<(&'static str, Vec<String>)>,
}

/// A share, and how wide its bar is.
struct Figure {
    text: String,
    width: String,
}

impl Figure {
    fn of(value: f64) -> Self {
        let width = if value.is_finite() { value.clamp(0.0, 1.0) * 100.0 } else { 0.0 };
        Self { text: format!("{value:.3}"), width: format!("{width:.0}") }
    }
}

/// A prompt by its names.
struct Named {
    id: String,
    title: String,
    href: String,
}

struct Picked {
    rank: usize,
    stage: &'static str,
    own: Named,
    why: String,
    reason: Option<String>,
    score: Figure,
    evidence: Vec<(&'static str, &'static str, Figure, bool)>,
    text: Option<(String, usize)>,
    gives: Vec<(&'static str, String)>,
    alternatives: Vec<(Named, String, String)>,
    beside: String,
}

struct Other {
    own: Named,
    score: Figure,
    parts: Vec<String>,
    sources: String,
    why_not: String,
    picked: bool,
}

struct Passed {
    state: String,
    event: String,
    good: bool,
    why: Vec<String>,
    values: Vec<(String, String)>,
}

/// What was picked: the chain with what speaks for each prompt, its text and what else would serve its stage, or the questions where it
/// asks first; the scores that decided, why not the others, what was understood of the task, and the states that were passed.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn part(found: &FinalOutput, around: &Around<'_>) -> Result<String, Error> {
    drawn(found, around, true, String::new())
}

/// The same, for a page with a glossary or without one.
pub(super) fn drawn(found: &FinalOutput, around: &Around<'_>, help: bool, anchor: String) -> Result<String, Error> {
    let candidates = found.candidates.as_deref().unwrap_or_default();
    let shown = rows_of(around.pages, "candidates", "candidates", CANDIDATES_MAX, candidates.len());
    let thresholds = &found.scores.thresholds;
    let three = |value: f64| format!("{value:.3}");
    let or_none = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), |value| format!("{value:.3}"));
    let chain = found.scores.chain.as_ref();
    let part = Part {
        help,
        anchor,
        mode: found.mode.label(),
        asks: found.mode == PickMode::Clarify,
        confidence: found.confidence.map(Figure::of),
        origin: line(&found.origin, NAME_CHARS_MAX),
        by_rules: found.by_rules.as_ref().map(|own| line(&by_rules(own), TEXT_CHARS_MAX)),
        ambiguity: Figure::of(found.task_spec.ambiguity_score),
        vectors: found.vectors,
        point: line(&thresholds.operating_point, NAME_CHARS_MAX),
        questions: found.clarification_questions.iter().take(LINES_MAX).map(|it| line(it, TEXT_CHARS_MAX)).collect(),
        missing: found
            .task_spec
            .missing
            .iter()
            .take(LINES_MAX)
            .map(|own| (line(&own.what, TEXT_CHARS_MAX), own.required))
            .collect(),
        picked_more: found.selected_prompts.len().saturating_sub(LINES_MAX),
        picked: found
            .selected_prompts
            .iter()
            .take(LINES_MAX)
            .map(|own| picked(own, found, candidates, around))
            .collect(),
        decided: vec![
            (
                "Ambiguity of the task",
                "ambiguity",
                three(found.task_spec.ambiguity_score),
                format!("asks from {}", three(thresholds.t_ambiguity)),
            ),
            (
                "Best single prompt",
                "prompt-score",
                or_none(found.scores.single),
                format!("chosen from {}", three(thresholds.t_single)),
            ),
            (
                "Best chain",
                "chain-score",
                or_none(chain.map(|own| own.score)),
                format!(
                    "chosen from {}, if better than the single prompt by {}",
                    three(thresholds.t_chain),
                    three(thresholds.delta)
                ),
            ),
        ],
        chain: chain.map_or_else(Vec::new, |own| {
            vec![
                ("Mean score of its prompts", "chain-score", Figure::of(own.avg_prompt_score)),
                ("Stages that it serves", "workflow-coverage", Figure::of(own.workflow_coverage)),
                ("How neighbours follow each other", "transition-coherence", Figure::of(own.transition_coherence)),
                ("How little it repeats", "non-redundancy", Figure::of(own.non_redundancy)),
                ("Margin over the next best", "confidence-margin", Figure::of(own.confidence_margin)),
            ]
        }),
        fallback: found.fallback.prompt_ids.iter().take(LINES_MAX).map(|id| named(id, None, around)).collect(),
        fallback_mode: found.fallback.mode.label(),
        explained: found.candidates.is_some(),
        candidates_count: candidates.len(),
        candidates_pages: shown.html()?,
        candidates: candidates
            .iter()
            .skip(shown.from)
            .take(CANDIDATES_MAX)
            .map(|own| other(own, found, around))
            .collect(),
        understood: understood(found),
        log: found.log.iter().take(LINES_MAX).map(passed).collect(),
        views: found.model_view.as_ref().map_or_else(Vec::new, |own| {
            let limited = |text: &String| line(text, TEXT_CHARS_MAX);
            let parts = view::parts(own).into_iter();
            parts.map(|it| (it.title, it.lines.iter().take(LINES_MAX).map(limited).collect())).collect()
        }),
    };
    part.render().map_err(Error::Html)
}

fn named(id: &str, title: Option<&str>, around: &Around<'_>) -> Named {
    let known = around.prompts.get(id).and_then(|record| record.title.as_deref());
    Named {
        id: line(id, NAME_CHARS_MAX),
        title: title.or(known).map_or_else(String::new, |title| line(title, NAME_CHARS_MAX)),
        href: (around.href)(id),
    }
}

/// What speaks for a prompt: a name, its word in the glossary, how much, and whether it takes away.
fn evidence(own: &Evidence) -> Vec<(&'static str, &'static str, Figure, bool)> {
    vec![
        ("Meaning", "dense-sim", Figure::of(own.dense_sim), false),
        ("Words", "words-sim", Figure::of(own.bm25_sim), false),
        ("Metadata", "metadata-match", Figure::of(own.metadata_match), false),
        ("Stage", "stage-fit", Figure::of(own.stage_fit), false),
        ("Quality", "quality", Figure::of(own.quality_prior), false),
        ("Freshness", "freshness", Figure::of(own.freshness), false),
        ("Penalties", "penalties", Figure::of(own.penalties), true),
    ]
}

fn picked(own: &SelectedPrompt, found: &FinalOutput, candidates: &[Candidate], around: &Around<'_>) -> Picked {
    let chosen = |id: &str| found.selected_prompts.iter().any(|other| other.prompt_id == id);
    let mut others: Vec<(&Candidate, f64)> = candidates
        .iter()
        .filter(|other| !chosen(&other.prompt_id))
        .map(|other| (other, fit(other, own.stage)))
        .filter(|(_, fit)| *fit > 0.0)
        .collect();
    others.sort_by(|(a, fit_a), (b, fit_b)| {
        (fit_b * b.score).total_cmp(&(fit_a * a.score)).then_with(|| a.prompt_id.cmp(&b.prompt_id))
    });
    let record = around.prompts.get(&own.prompt_id);
    let said = |name, text: Option<&String>| text.map(|text| (name, line(text, TEXT_CHARS_MAX)));
    Picked {
        rank: own.rank,
        stage: own.stage.label(),
        own: named(&own.prompt_id, None, around),
        why: line(&own.why, TEXT_CHARS_MAX),
        reason: own.reason.as_ref().map(|reason| line(reason, TEXT_CHARS_MAX)),
        score: Figure::of(own.score),
        evidence: evidence(&own.evidence),
        text: record
            .filter(|record| !record.prompt_text.is_empty())
            .map(|record| block(&record.prompt_text, PROMPT_CHARS_MAX)),
        gives: record.map_or_else(Vec::new, |record| {
            [said("Takes", record.expected_input.as_ref()), said("Gives", record.expected_output.as_ref())]
                .into_iter()
                .flatten()
                .collect()
        }),
        alternatives: others
            .into_iter()
            .take(ALTERNATIVES_MAX)
            .map(|(other, fit)| {
                let own = named(&other.prompt_id, other.title.as_deref(), around);
                (own, format!("{fit:.3}"), format!("{:.3}", other.score))
            })
            .collect(),
        beside: (around.beside)(&own.prompt_id),
    }
}

const fn fit(own: &Candidate, stage: Stage) -> f64 {
    match stage {
        Stage::Clarify => own.stage_fit.clarify,
        Stage::Plan => own.stage_fit.plan,
        Stage::Execute => own.stage_fit.execute,
        Stage::Verify => own.stage_fit.verify,
        Stage::Reflect => own.stage_fit.reflect,
    }
}

fn other(own: &Candidate, found: &FinalOutput, around: &Around<'_>) -> Other {
    let selected = found.selected_prompts.iter().find(|it| it.prompt_id == own.prompt_id);
    let least = found.selected_prompts.iter().map(|it| it.score).fold(f64::INFINITY, f64::min);
    let why_not = match (selected, &own.duplicate_of) {
        (Some(it), _) => format!("picked for {}", it.stage.label()),
        (None, Some(better)) => format!("says nearly the same as {}, which is better", line(better, NAME_CHARS_MAX)),
        (None, None) if found.selected_prompts.is_empty() => {
            "nothing is picked before the questions are answered".to_owned()
        }
        (None, None) if found.by_rules.is_some() => format!("not chosen by {}", line(&found.origin, NAME_CHARS_MAX)),
        (None, None) if own.score < least => format!("{:.3} below the least that was picked", least - own.score),
        (None, None) => "another serves its stage better".to_owned(),
    };
    let three = |value: f64| format!("{value:.3}");
    Other {
        own: named(&own.prompt_id, own.title.as_deref(), around),
        score: Figure::of(own.score),
        parts: [own.dense_sim, own.bm25_sim, own.metadata_match, own.quality_prior, own.freshness].map(three).to_vec(),
        sources: own.retrieval_sources.iter().map(|it| it.label()).collect::<Vec<_>>().join(", "),
        why_not,
        picked: selected.is_some(),
    }
}

fn understood(found: &FinalOutput) -> Vec<(&'static str, String)> {
    let own = &found.task_spec;
    let list = |all: &[String]| {
        let shown: Vec<String> = all.iter().take(LINES_MAX).map(|it| line(it, TEXT_CHARS_MAX)).collect();
        if shown.is_empty() { "none".to_owned() } else { shown.join("; ") }
    };
    let or_none =
        |text: Option<&String>| text.map_or_else(|| "none that shows".to_owned(), |it| line(it, TEXT_CHARS_MAX));
    let risk = if own.risk_words.is_empty() {
        own.risk_level.label().to_owned()
    } else {
        format!("{} ({})", own.risk_level.label(), list(&own.risk_words))
    };
    let steps = if own.requires_multistep { "more than one step" } else { "one step" };
    vec![
        ("Intent", line(&own.intent, TEXT_CHARS_MAX)),
        ("Task type", line(&own.task_type, TEXT_CHARS_MAX)),
        ("Domain", or_none(own.domain_hint.as_ref())),
        ("Deliverable", or_none(own.deliverable.as_ref())),
        ("Must hold", list(&own.constraints)),
        ("Risk", risk),
        ("Stages", own.stages.iter().map(|stage| stage.label()).collect::<Vec<_>>().join(", ")),
        ("Steps", format!("{steps} ({:.3})", own.multistep_score)),
        (
            "Candidates told",
            found.candidates.as_ref().map_or_else(|| "none".to_owned(), |all| count_of(all.len(), "candidate")),
        ),
    ]
}

fn passed(own: &LogStep) -> Passed {
    Passed {
        state: line(&own.state, NAME_CHARS_MAX),
        event: line(&own.event, NAME_CHARS_MAX).replace('_', " "),
        good: own.event == "done",
        why: own.why.iter().take(LINES_MAX).map(|it| line(it, TEXT_CHARS_MAX)).collect(),
        values: own
            .values
            .iter()
            .take(LINES_MAX)
            .map(|(name, value)| (line(name, NAME_CHARS_MAX), format!("{value:.3}")))
            .collect(),
    }
}
