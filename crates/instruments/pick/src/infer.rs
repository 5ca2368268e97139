//! What nobody said of a prompt: its stage, intent, type and field, each with how sure that is.
//!
//! The stage is that of the prototype whose words the prompt has most of: words of its name, title and description count
//! three times, those of the beginning of its text once. Intent, type and field are read from the description (else the title, else the
//! text) as they are read from a task.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::candidate::StageFit;
use crate::intake;
use crate::record::PromptRecord;
use crate::retrieve::terms::{each_word, term};
use crate::stage::Stage;

/// Bytes of a prompt's text that are read for its stage: its beginning says what it is for.
const LEAD_BYTES: usize = 600;

/// How often words of name, title and description count. Uncalibrated, as the two after it.
const LABEL_WEIGHT: f64 = 3.0;

/// What every stage begins with, so that one word is no certainty.
const SMOOTHING: f64 = 1.0;

/// Below this confidence somebody is asked to look at what was inferred. Uncalibrated.
pub const CONFIDENCE_MIN: f64 = 0.5;

/// How well a prompt whose stage is said serves the other stages.
const OTHER_STAGE_FIT: f64 = 0.1;

/// Words that tell the stages apart, in the order of [`Stage::ALL`].
const PROTOTYPES: [&[&str]; 5] = [
    &[
        "clarify",
        "question",
        "questions",
        "ask",
        "interview",
        "intake",
        "requirement",
        "requirements",
        "scope",
        "understand",
        "assumption",
        "assumptions",
        "elicit",
        "brief",
        "unclear",
        "ambiguity",
        "narrow",
        "frame",
        "framing",
        "discovery",
        "restate",
    ],
    &[
        "plan",
        "planning",
        "outline",
        "strategy",
        "roadmap",
        "design",
        "schedule",
        "agenda",
        "calendar",
        "architecture",
        "breakdown",
        "prepare",
        "propose",
        "proposal",
        "milestone",
        "milestones",
        "steps",
        "approach",
        "guide",
        "protocol",
        "structure",
        "specification",
        "itinerary",
        "curriculum",
        "timeline",
    ],
    &[
        "write",
        "create",
        "generate",
        "draft",
        "implement",
        "summarize",
        "summary",
        "extract",
        "translate",
        "convert",
        "build",
        "explain",
        "produce",
        "code",
        "debug",
        "fix",
        "rewrite",
        "compose",
        "develop",
        "transform",
        "answer",
        "reply",
        "make",
        "format",
        "refactor",
        "implementation",
        "story",
        "essay",
        "email",
        "article",
    ],
    &[
        "review",
        "check",
        "checks",
        "verify",
        "verification",
        "test",
        "tests",
        "testing",
        "validate",
        "audit",
        "critique",
        "evaluate",
        "evaluation",
        "rate",
        "rating",
        "grade",
        "proofread",
        "score",
        "assess",
        "assessment",
        "inspect",
        "compare",
        "quality",
        "bias",
        "accuracy",
        "compliance",
        "security",
        "vulnerability",
        "vulnerabilities",
        "lint",
    ],
    &[
        "retrospective",
        "reflect",
        "reflection",
        "lessons",
        "lesson",
        "learned",
        "postmortem",
        "debrief",
        "retro",
        "hindsight",
        "looking",
        "improvement",
        "feedback",
        "insight",
        "insights",
        "journal",
        "after-action",
    ],
];

/// The stage that a term speaks for.
static TERMS: LazyLock<HashMap<String, Vec<usize>>> = LazyLock::new(|| {
    let mut out: HashMap<String, Vec<usize>> = HashMap::new();
    for (stage, words) in PROTOTYPES.iter().enumerate() {
        for word in *words {
            let stages = out.entry(term(word).unwrap_or_default()).or_default();
            if !stages.contains(&stage) {
                stages.push(stage);
            }
        }
    }
    out
});

/// Something that nobody said.
#[derive(Clone, Debug, PartialEq)]
pub struct Inferred {
    /// The field: `stage`, `intent`, `task_type`, `domain`.
    pub field: &'static str,
    /// What was inferred.
    pub value: String,
    /// How sure that is, 0 to 1.
    pub confidence: f64,
}

/// How well a prompt serves each stage: the stage that it names, else by its words.
#[must_use]
pub fn stage_fit(record: &PromptRecord) -> StageFit {
    if let Some(stage) = record.stage {
        let mut fit = [OTHER_STAGE_FIT; 5];
        fit[stage as usize] = 1.0;
        return StageFit(fit);
    }
    let shares = shares(record);
    let best = shares.iter().copied().fold(0.0, f64::max);
    // The best stage of a prompt without any of these words is no stage at all: all are alike, and none is served well.
    StageFit(shares.map(|share| if best > 0.0 { (share / best) * (0.5 + best / 2.0) } else { 0.5 }))
}

/// The share of each stage in a prompt's words.
fn shares(record: &PromptRecord) -> [f64; 5] {
    let mut counts = [SMOOTHING / 5.0; 5];
    let mut take = |text: &str, weight: f64| {
        each_word(text, |word| {
            let stages = term(word).and_then(|term| TERMS.get(&term));
            for stage in stages.into_iter().flatten() {
                counts[*stage] += weight / stages.map_or(1, Vec::len) as f64;
            }
        });
    };
    take(&record.prompt_id, LABEL_WEIGHT);
    record.title.iter().chain(&record.description).for_each(|text| take(text, LABEL_WEIGHT));
    record.tags.iter().for_each(|tag| take(tag, 1.0));
    take(&record.prompt_text[..record.prompt_text.floor_char_boundary(LEAD_BYTES)], 1.0);
    let sum: f64 = counts.iter().sum();
    counts.map(|count| count / sum)
}

/// What can be inferred of what a prompt does not say.
#[must_use]
pub fn infer(record: &PromptRecord) -> Vec<Inferred> {
    let mut out = Vec::new();
    if record.stage.is_none() {
        let shares = shares(record);
        let mut ranked: Vec<(f64, Stage)> = shares.iter().copied().zip(Stage::ALL.iter().copied()).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let (best, second) = (ranked[0], ranked[1]);
        // Certain where the best stage has all the words, none where two have as many.
        let confidence = best.0 - second.0 / 2.0;
        out.push(Inferred { field: "stage", value: best.1.name().to_owned(), confidence: confidence.clamp(0.0, 1.0) });
    }
    if record.intent.is_some() && record.task_type.is_some() && record.domain.is_some() {
        return out;
    }
    let described = record.description.as_deref().or(record.title.as_deref());
    let (text, confidence) = match described {
        Some(text) => (text, 0.8),
        None => (&record.prompt_text[..record.prompt_text.floor_char_boundary(LEAD_BYTES)], 0.5),
    };
    let kind = intake::kind(text);
    let mut add = |field, known: bool, value: &str, general: bool| {
        if !known && !value.is_empty() {
            let confidence = if general { confidence / 2.0 } else { confidence };
            out.push(Inferred { field, value: value.to_owned(), confidence });
        }
    };
    add("intent", record.intent.is_some(), kind.intent, false);
    add("task_type", record.task_type.is_some(), kind.task_type, kind.task_type == "general");
    add("domain", record.domain.is_some(), kind.domain.unwrap_or_default(), false);
    out
}

/// A prompt with what was inferred of it: what somebody said stays.
#[must_use]
pub fn completed(record: &PromptRecord, inferred: &[Inferred]) -> PromptRecord {
    let mut out = record.clone();
    for own in inferred.iter().filter(|own| own.confidence >= CONFIDENCE_MIN) {
        let slot = match own.field {
            "intent" => &mut out.intent,
            "task_type" => &mut out.task_type,
            "domain" => &mut out.domain,
            _ => continue,
        };
        slot.get_or_insert_with(|| own.value.clone());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: &str, description: &str, text: &str) -> PromptRecord {
        PromptRecord {
            prompt_id: id.to_owned(),
            prompt_text: text.to_owned(),
            description: (!description.is_empty()).then(|| description.to_owned()),
            ..PromptRecord::default()
        }
    }

    #[track_caller]
    fn stage(id: &str, description: &str, text: &str, expect: &str) {
        let found = infer(&record(id, description, text));
        let stage = found.iter().find(|it| it.field == "stage").unwrap();
        assert_eq!(stage.value, expect, "{found:?}");
        let fit = stage_fit(&record(id, description, text));
        let best = Stage::ALL.iter().copied().max_by(|a, b| fit.at(*a).total_cmp(&fit.at(*b))).unwrap();
        assert_eq!(best.name(), expect);
        assert!(fit.0.iter().all(|it| (0.0..=1.0).contains(it)), "{fit:?}");
    }

    #[test]
    fn stages_follow_the_words() {
        stage("review_code", "", "You review a change and check it for faults.", "verify");
        stage("weekly-retro", "Looks back on the week: lessons learned.", "", "reflect");
        stage("summarize_paper", "", "Summarize the paper in five points.", "execute");
        stage("roadmap", "A plan with milestones", "", "plan");
        stage("intake", "Asks the questions that a brief leaves open", "", "clarify");
    }

    #[test]
    fn what_is_said_is_not_inferred_and_what_is_unsure_is_not_taken() {
        let said =
            PromptRecord { stage: Some(Stage::Plan), intent: Some("x".into()), ..record("a", "Write a poem", "") };
        let found = infer(&said);
        assert!(!found.iter().any(|it| matches!(it.field, "stage" | "intent")), "{found:?}");
        assert_eq!(completed(&said, &found).intent.as_deref(), Some("x"));
        assert_eq!((stage_fit(&said).at(Stage::Plan), stage_fit(&said).at(Stage::Verify)), (1.0, OTHER_STAGE_FIT));
        let blank = infer(&record("a", "", "zzz"));
        let stage = blank.iter().find(|it| it.field == "stage").unwrap();
        assert!(stage.confidence < CONFIDENCE_MIN, "{blank:?}");
    }
}
