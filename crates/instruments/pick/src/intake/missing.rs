//! What a task of its kind needs and does not say, and how ambiguous that makes it.

use std::sync::LazyLock;

use steadfast_annotate::{Quantity, Unit};

use super::actions::Action;
use super::genre::{Genre, genre};
use super::slots::{Evidence, SLOTS, Slot};
use super::verbs::Intent;
use super::words::{Kind, Phrases, Text};
use super::{conflict, reference, sense};
use crate::task::Missing;

/// Most of what is missing that is named.
const MISSING_MAX: usize = 8;
/// A slot that is needed less than this is not asked for, though it counts.
const ASKED_NEED_MIN: f64 = 0.1;
/// What may be missing without being required lifts the score no higher than this.
const OPTIONAL_SCORE_MAX: f64 = 0.6;
/// What is required and missing lifts it at least to this.
const REQUIRED_SCORE_MIN: f64 = 0.75;

/// The phrases of a slot.
struct Cues {
    only: Option<Phrases<()>>,
    said: Phrases<()>,
}

static CUES: LazyLock<Vec<Cues>> = LazyLock::new(|| {
    let phrases = |list: &'static str| Phrases::new(&[(list, ())]);
    SLOTS
        .iter()
        .map(|slot| Cues { only: (!slot.only.is_empty()).then(|| phrases(slot.only)), said: phrases(slot.said) })
        .collect()
});

/// What the readers of a task found in it.
pub(super) struct Found<'a> {
    pub(super) text: &'a Text<'a>,
    pub(super) actions: &'a [Action],
    pub(super) main: Option<&'a Action>,
    pub(super) intent: Intent,
    pub(super) quantities: &'a [Quantity],
}

/// What is missing, the most needed first, and the score.
pub(super) fn read(found: &Found<'_>) -> (Vec<Missing>, f64) {
    let mut required = sense::read(found.text, found.actions);
    if required.is_empty() {
        required = conflict::read(found.text, found.quantities);
        required.extend(reference::read(found.text, found.actions));
    }
    let genre = genre(found.text, found.actions, found.main, found.intent);
    let mut open: Vec<(&Slot, f64)> = SLOTS
        .iter()
        .zip(CUES.iter())
        .filter_map(|(slot, cues)| Some((slot, need(found, genre, slot, cues)?)))
        .collect();
    open.sort_by(|a, b| b.1.total_cmp(&a.1));
    let openness: f64 = base(genre) + open.iter().map(|(_, need)| need).sum::<f64>();
    let optional = OPTIONAL_SCORE_MAX * (1.0 - (-openness).exp());
    let ask = |slot: &Slot| Missing {
        what: slot.what.to_owned(),
        question: slot.question.to_owned(),
        required: slot.required,
    };
    if required.is_empty() {
        required.extend(open.iter().filter(|(slot, _)| slot.required).map(|(slot, _)| ask(slot)));
    }
    let score = if required.is_empty() { optional } else { REQUIRED_SCORE_MIN + (1.0 - REQUIRED_SCORE_MIN) * optional };
    let required_names: Vec<String> = required.iter().map(|it| it.what.clone()).collect();
    let mut missing = required;
    // Who does not know what is meant does not ask for details.
    if !missing
        .iter()
        .any(|it| it.what == sense::NO_TASK || it.what == sense::BARE_THING || it.what == reference::NO_OBJECT)
    {
        let asked = |slot: &Slot| required_names.iter().any(|name| name == slot.what);
        let details = open.iter().filter(|(slot, need)| !slot.required && *need >= ASKED_NEED_MIN && !asked(slot));
        missing.extend(details.map(|(slot, _)| ask(slot)));
    }
    missing.truncate(MISSING_MAX);
    (missing, score)
}

/// How open a kind of ask is by nature, whatever it says.
const fn base(genre: Genre) -> f64 {
    match genre {
        Genre::Fact | Genre::Explain => 0.0,
        Genre::Topic => 0.2,
        Genre::Review
        | Genre::Transform
        | Genre::Code
        | Genre::Operate
        | Genre::General
        | Genre::Plan
        | Genre::Write
        | Genre::Message => 0.1,
        Genre::Resource | Genre::Learn | Genre::Decide => 0.3,
        Genre::Data => 0.6,
        Genre::Recommend | Genre::Trip | Genre::Event | Genre::Routine | Genre::Fix | Genre::Purchase => 0.5,
    }
}

/// How much a slot is needed, where it is and nothing says it.
fn need(found: &Found<'_>, genre: Genre, slot: &Slot, cues: &Cues) -> Option<f64> {
    let (_, need) = slot.needed.iter().find(|(of, _)| *of == genre)?;
    let text = found.text;
    let holds =
        |phrases: &Phrases<()>| (0..text.words.len().min(SLOT_WORDS_MAX)).any(|at| phrases.at(text, at).is_some());
    let asked = cues.only.as_ref().is_none_or(holds);
    let said = asked && (holds(&cues.said) || slot.evidence.iter().any(|evidence| shows(found, *evidence)));
    (asked && !said).then_some(*need)
}

/// Words of a task in which slots are looked for: who writes more has said more than slots can tell.
const SLOT_WORDS_MAX: usize = 2_000;

fn shows(found: &Found<'_>, evidence: Evidence) -> bool {
    let text = found.text;
    let unit = |wanted: fn(&Unit) -> bool| found.quantities.iter().any(|quantity| wanted(&quantity.unit));
    match evidence {
        Evidence::Money => unit(|unit| matches!(unit, Unit::Money(_))),
        Evidence::Duration => unit(|unit| matches!(unit, Unit::Duration(_))),
        Evidence::Time => unit(|unit| matches!(unit, Unit::Duration(_) | Unit::Date(_))) || text.any(TIME_WORDS),
        Evidence::Number => text.words.iter().any(|word| word.kind == Kind::Number && !word.quoted),
        Evidence::Name => {
            text.own().any(|(_, word)| word.capital && !word.first && !word.low.starts_with("i'") && word.low != "i")
        }
        Evidence::Quote => text.words.iter().any(|word| word.quoted) || reference::has_material(text),
        Evidence::Person => text.own().any(|(at, word)| {
            word.low == "for" && !text.starts(at + 1) && !text.is(at + 1, &["me", "this", "it", "that", "a"])
        }),
        Evidence::Narrowed => narrowed(text),
    }
}

const TIME_WORDS: &[&str] = &[
    "today",
    "tomorrow",
    "tonight",
    "yesterday",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "now",
];

/// Whether the subject has more words than one thing is called by.
fn narrowed(text: &Text<'_>) -> bool {
    let content = text.own().filter(|(_, word)| {
        !steadfast_annotate::is_stop_word(&word.low)
            && !matches!(
                word.low.as_ref(),
                "tell"
                    | "find"
                    | "information"
                    | "info"
                    | "looking"
                    | "interested"
                    | "give"
                    | "know"
                    | "want"
                    | "learn"
                    | "need"
                    | "write"
                    | "i'm"
                    | "i’m"
                    | "like"
                    | "i'd"
                    | "please"
                    | "help"
                    | "make"
                    | "create"
                    | "draft"
                    | "email"
                    | "letter"
                    | "message"
                    | "report"
                    | "text"
            )
    });
    content.count() > 2 || text.words.iter().any(|word| word.kind == Kind::Number)
}
