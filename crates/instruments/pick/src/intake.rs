//! What is understood of a task, by rules: section 5.1 and 5.2 of the prompt-orchestration document.
//!
//! The task is read into words (`words`), the things to be done in it are found (`actions`, with the table of verbs `verbs`),
//! and from those follow intent, type, deliverable (`pieces`), risk (`risk`), whether one step is enough (`steps`, from the `parts` that it is told in), and what is missing
//! (`missing`): what a task of its kind (`genre`) needs (`slots`) and does not say, what it refers to and does not hold
//! (`reference`, `unnamed`), what excludes each other in it (`conflict`, `opposites`), and whether it is a task at all (`sense`). How long a task is
//! plays no part in its ambiguity.

mod actions;
mod conflict;
mod constraints;
mod genre;
mod missing;
mod opposites;
mod parts;
mod pieces;
mod reference;
mod risk;
mod sense;
mod slots;
mod stages;
mod steps;
mod unnamed;
mod verbs;
mod words;

use steadfast_annotate::quantities;

use crate::task::TaskSpec;
use verbs::Intent;
use words::Text;

/// Most of a task that is read, in bytes: what follows is material, no task.
pub const TASK_BYTES_MAX: usize = 64 * 1024;
/// From this score on one step is not enough: the odds are even.
pub const MULTISTEP_SCORE_MIN: f64 = 0.5;

/// What a task or a prompt can be for: the values of `intent`, for both. A prompt may say another; no task asks for it then.
pub const INTENTS: [&str; 11] = [
    "analyze",
    "communicate",
    "create",
    "decide",
    "explain",
    "fix",
    "learn",
    "plan",
    "review",
    "summarize",
    "transform",
];

/// What a text is for, what it works on, and the field that it belongs to: of a task, or of what is said of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// What is to be done.
    pub intent: &'static str,
    /// What it works on; `general` where nothing tells.
    pub task_type: &'static str,
    /// The field that it belongs to.
    pub domain: Option<&'static str>,
}

/// Reads no more of a text than its [`Kind`]: what [`read`] says of it too.
#[must_use]
pub fn kind(text: &str) -> Kind {
    let plain = words::collapsed(head(text, TASK_BYTES_MAX));
    let text = Text::new(&plain);
    let actions = actions::actions(&text);
    let main = actions::main(&actions);
    let (intent, _, task_type, domain) = of_kind(&text, &actions, main);
    Kind { intent: intent.name(), task_type, domain }
}

/// Intent, deliverable, task type and field.
fn of_kind(
    text: &Text<'_>,
    actions: &[actions::Action],
    main: Option<&actions::Action>,
) -> (Intent, Option<std::ops::Range<usize>>, &'static str, Option<&'static str>) {
    let piece = pieces::deliverable(text, actions, main);
    let (task_type, _) = pieces::task_type(text, piece.as_ref());
    (intent(text, main), piece, task_type, pieces::domain(text))
}

/// Reads a task. White space and the case of its first letter play no part but in what is quoted.
#[must_use]
pub fn read(task: &str) -> TaskSpec {
    let head = head(task, TASK_BYTES_MAX);
    let plain = words::collapsed(head);
    let text = Text::new(&plain);
    let quantities = quantities(&plain);
    let actions = actions::actions(&text);
    let main = actions::main(&actions);
    let (intent, piece, task_type, domain) = of_kind(&text, &actions, main);
    let (risk_level, risk_words) = risk::read(&text, &quantities);
    let parts = parts::read(&text, &actions);
    let multistep_score = steps::score(&text, &actions, &parts, &quantities);
    let project = steps::is_project(&text, &parts, &quantities, piece.as_ref());
    let multistep_score = if project { multistep_score.max(steps::PROJECT_SCORE) } else { multistep_score };
    let requires_multistep = multistep_score >= MULTISTEP_SCORE_MIN;
    let found = missing::Found { text: &text, actions: &actions, main, intent, quantities: &quantities };
    let (missing, ambiguity_score) = missing::read(&found);
    let stages = stages::read(&stages::Known {
        text: &text,
        actions: &actions,
        intent,
        risk_level,
        parts: &parts,
        multistep: requires_multistep,
        project,
        unclear: missing.iter().any(|missing| missing.required),
    });
    TaskSpec {
        raw_query: task.to_owned(),
        intent: intent.name().to_owned(),
        task_type: task_type.to_owned(),
        domain_hint: domain.map(str::to_owned),
        constraints: constraints::read(head, &text),
        deliverable: piece.map(|piece| text.said(piece).to_owned()),
        risk_level,
        risk_words,
        parts: if project {
            let subject = steps::subject(&text, &quantities);
            stages.iter().map(|stage| (*stage, steps::of_project(*stage, &subject))).collect()
        } else {
            parts::told(&text, &parts, &stages)
        },
        stages,
        requires_multistep,
        multistep_score,
        ambiguity_score,
        missing,
    }
}

/// What is to be done: by the verb that the task is about, else by its question word, else by its nouns.
fn intent(text: &Text<'_>, main: Option<&actions::Action>) -> Intent {
    let of_nouns = || pieces::intent_of_nouns(text);
    let of_question = match text.low(0) {
        "how" | "why" | "what's" | "explain" => Some(Intent::Explain),
        "what" | "is" | "are" | "does" | "do" | "did" => Some(Intent::Explain),
        "who" | "when" | "where" => Some(Intent::Find),
        "should" | "which" => Some(Intent::Decide),
        _ => None,
    };
    if let Some(intent) = pieces::intent_of_phrase(text) {
        return intent;
    }
    match (main, of_question) {
        (_, Some(Intent::Decide)) => Intent::Decide,
        (Some(main), None) if main.verb.base == "tell" && text.is(main.at + 1, &["me", "us"]) => Intent::Explain,
        (Some(main), None) if main.verb.base == "prepare" && text.is(main.at + 1, &["for"]) => Intent::Plan,
        // A light verb leaves it to its object: "give me a summary", "make a plan".
        (Some(main), None) if main.verb.light => of_nouns().unwrap_or(main.verb.intent),
        // "create a plan", "write a summary", "write minutes": what is made says what is done.
        (Some(main), None) if main.verb.intent == Intent::Create => match of_piece(text, main) {
            Some(intent @ (Intent::Plan | Intent::Summarize | Intent::Communicate | Intent::Transform)) => intent,
            _ => Intent::Create,
        },
        (Some(main), Some(question)) if main.verb.light || main.put == actions::Put::Purpose => question,
        (Some(main), _) => main.verb.intent,
        (None, Some(question)) => question,
        (None, None) => of_nouns().unwrap_or(if text.any(&["find", "information", "looking"]) {
            Intent::Find
        } else {
            Intent::Create
        }),
    }
}

/// The intent that the last noun of what is made stands for.
fn of_piece(text: &Text<'_>, main: &actions::Action) -> Option<Intent> {
    pieces::intent_of_noun(text, main.object.clone())
}

/// The beginning of a text, at most so many bytes, whole characters.
pub(crate) fn head(text: &str, bytes_max: usize) -> &str {
    let mut end = text.len().min(bytes_max);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
