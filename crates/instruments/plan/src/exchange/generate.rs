//! A plan as a model makes it, and its one repair.

use std::fmt::Write as _;

use jiff::Zoned;
use steadfast_dialogue::{Answer, Exchange, Field, Form, Nothing, Passage, Record, Request, Role, Schema, Step};

use super::{Once, head};
use crate::answer::Given;
use crate::checks::{
    BLOCK_MINUTES_MAX, BREAK_FROM_MINUTES, BREAK_MINUTES_MIN, ITEMS_MAX, ITEMS_MIN, TIMEBOX_MINUTES_MIN,
};
use crate::plan::Confidence;
use crate::variant::Variant;
use crate::verdict::Validation;

/// Most of the notes that a request holds, in bytes, whatever a model has room for. What they require beyond that stands in the list of constraints
/// all the same.
pub const NOTES_BYTES_MAX: usize = 48 * 1024;

/// Most constraints and findings that a request names.
const LINES_MAX: usize = 200;

/// What a line has at least, in bytes.
const LINE_BYTES_MIN: usize = 200;

/// Items that a reply may have: more than a plan may, so that a plan with too many is read and told so.
const REPLY_ITEMS_MAX: usize = 20;
const TASK_CHARACTERS_MAX: usize = 300;
const WHY_CHARACTERS_MAX: usize = 400;
const TIME_CHARACTERS_MAX: usize = 40;
const ID_CHARACTERS_MAX: usize = 32;
const IDS_MAX: usize = 20;
const REMARKS_MAX: usize = 10;
const REMARK_CHARACTERS_MAX: usize = 300;
/// A timebox that no plan has can be read all the same, and is told so by the checks.
const TIMEBOX_MINUTES_LIMIT: i64 = 100_000;
const REPLY_TOKENS_MAX: u32 = 2_000;

/// What a plan is made of.
#[derive(Clone, Debug)]
pub struct Brief {
    /// The notes: their source.
    pub notes: String,
    /// The current time, in the zone of the notes.
    pub now: Zoned,
    /// How the plan is made.
    pub variant: Variant,
    /// What is to be done, a line each, with its id. [`Variant::V1Naive`] does not see it.
    pub tasks: Vec<String>,
    /// What the notes require, likewise.
    pub constraints: Vec<String>,
    /// Bytes that there is room for: half of them for the notes, a quarter for what was read in them, a quarter for a plan and what is wrong with it.
    pub room_bytes: usize,
}

impl Brief {
    fn shown(&self) -> &str {
        head(&self.notes, NOTES_BYTES_MAX.min(self.room_bytes / 2))
    }

    /// Bytes of the notes that a request does not hold.
    #[must_use]
    pub fn unread_bytes(&self) -> usize {
        self.notes.len() - self.shown().len()
    }
}

/// A dialogue about a plan: one request, one plan.
pub struct Generation(Once<Proposed>);

/// A plan as a model gave it: plain values, of which nothing is known yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposed {
    /// Its items, in their order.
    pub items: Vec<Given>,
    /// For each item the ids of the constraints that the model says bear on it.
    pub constraint_ids: Vec<Vec<String>>,
    /// What the model assumed.
    pub assumptions: Vec<String>,
    /// What it would ask.
    pub questions: Vec<String>,
    /// How sure it is.
    pub confidence: Confidence,
}

impl Generation {
    /// Asks for a plan.
    #[must_use]
    pub fn first(brief: &Brief) -> Self {
        let mut instructions = opening(&brief.now);
        let mut passages = vec![notes(brief)];
        if brief.variant != Variant::V1Naive {
            instructions.push_str(RULES_ABOVE);
            rules(&mut instructions);
            passages.extend(required(brief));
        }
        Self::asking(instructions, passages)
    }

    /// Asks for a plan anew, with what was wrong with the first. `plan` is that plan; a finding is told with the words of the notes that it
    /// rests on.
    #[must_use]
    pub fn repair(brief: &Brief, plan: &[Given], validation: &Validation) -> Self {
        let mut instructions = opening(&brief.now);
        instructions.push_str(RULES_ABOVE);
        rules(&mut instructions);
        instructions.push_str(
            "\n\nYou made the plan in the text \"plan\". A program checked it; the text \"findings\" says what is wrong with it. Give the whole \
             plan again with all of that mended and as little else changed as can be. Drop, move or shorten what you have to, but nothing below \
             the duration that the notes give it.",
        );
        let hard = validation.findings.iter().filter(|finding| finding.hard);
        let findings: Vec<String> = hard
            .map(|finding| match &finding.ask_span {
                Some(quote) => format!("{} (the notes: \"{}\")", finding.message, quote.text()),
                None => finding.message.clone(),
            })
            .collect();
        let mut passages = vec![notes(brief)];
        passages.extend(required(brief));
        passages.push(Passage { label: "plan", text: head(&shown(plan), brief.room_bytes / 8).to_owned() });
        passages.push(Passage { label: "findings", text: lines(&findings, brief.room_bytes / 8) });
        Self::asking(instructions, passages)
    }

    fn asking(instructions: String, passages: Vec<Passage>) -> Self {
        let request = Request {
            role: Role::PlanGenerate,
            instructions,
            passages,
            schema: schema(),
            reply_tokens_max: REPLY_TOKENS_MAX,
        };
        Self(Once { request: Some(request), read })
    }
}

impl Exchange for Generation {
    type Proposal = Result<Proposed, Nothing>;

    fn next(&mut self, answer: Option<Answer>) -> Step<Self::Proposal> {
        self.0.next(answer)
    }
}

fn opening(now: &Zoned) -> String {
    format!(
        "Make a plan for one day from somebody's notes. It is {} now; write all times as RFC 3339 with the offset {}. Name each task in the \
         words of the notes. Nothing may be invented: no meeting, deadline, person or name that the notes do not have.",
        now.strftime("%A, %Y-%m-%dT%H:%M:%S%:z"),
        now.strftime("%:z"),
    )
}

const RULES_ABOVE: &str = "\n\nThe texts \"tasks\" and \"constraints\" list what was read in the notes. Plan all of the tasks, keep all of the constraints, and whatever else the notes require. \
A plan is checked by that program, and one that breaks anything is rejected.";

fn rules(instructions: &mut String) {
    let _ = write!(
        instructions,
        " A plan has {ITEMS_MIN} to {ITEMS_MAX} items; batch small tasks into one item that names them all. A timebox is at least \
         {TIMEBOX_MINUTES_MIN} minutes and fits between start and end. No two items overlap, and none begins before now. Fixed events need no \
         item. No block of work is longer than {BLOCK_MINUTES_MAX} minutes; from {BREAK_FROM_MINUTES} minutes of work on there is a break of at \
         least {BREAK_MINUTES_MIN}.",
    );
}

/// What is to be done, and what the notes require.
fn required(brief: &Brief) -> [Passage; 2] {
    let text = |all| lines(all, brief.room_bytes / 8);
    [
        Passage { label: "tasks", text: text(&brief.tasks) },
        Passage { label: "constraints", text: text(&brief.constraints) },
    ]
}

fn notes(brief: &Brief) -> Passage {
    Passage { label: "notes", text: brief.shown().to_owned() }
}

/// Lines, as many as there is room for.
fn lines(all: &[String], bytes_max: usize) -> String {
    if all.is_empty() {
        return "(none)".to_owned();
    }
    let mut text = String::new();
    for (at, line) in all.iter().enumerate() {
        if at == LINES_MAX || (at > 0 && text.len() + line.len() > bytes_max) {
            let _ = writeln!(text, "- and {} more", all.len() - at);
            break;
        }
        let _ = writeln!(text, "- {}", head(line, bytes_max.max(LINE_BYTES_MIN)));
    }
    text
}

/// A plan in lines, for a model.
pub(super) fn shown(items: &[Given]) -> String {
    let mut text = String::new();
    for (at, item) in items.iter().enumerate() {
        let or = |value: &Option<String>| value.clone().unwrap_or_else(|| "?".to_owned());
        let minutes = item.timebox_minutes.map_or_else(|| "?".to_owned(), |minutes| minutes.to_string());
        let _ = writeln!(
            text,
            "{}. {} to {}, {minutes} minutes: {}",
            at + 1,
            or(&item.start),
            or(&item.end),
            item.task.as_deref().unwrap_or_default()
        );
        if let Some(why) = item.why.as_deref().filter(|why| !why.trim().is_empty()) {
            let _ = writeln!(text, "   why: {why}");
        }
    }
    if text.is_empty() { "(the plan is empty)".to_owned() } else { text }
}

fn read(record: &Record) -> Proposed {
    let some = |text: &str| (!text.trim().is_empty()).then(|| text.trim().to_owned());
    let items = record.records("items");
    Proposed {
        items: items
            .iter()
            .map(|item| Given {
                task: Some(item.text("task").trim().to_owned()),
                why: Some(item.text("why").trim().to_owned()),
                timebox_minutes: Some(item.integer("timebox_minutes")),
                start: some(item.text("start")),
                end: some(item.text("end")),
                with: Vec::new(),
                place: None,
            })
            .collect(),
        constraint_ids: items.iter().map(|item| item.texts("constraint_ids").to_vec()).collect(),
        assumptions: record.texts("assumptions").to_vec(),
        questions: record.texts("questions").to_vec(),
        confidence: match record.text("confidence") {
            "high" => Confidence::High,
            "medium" => Confidence::Medium,
            _ => Confidence::Low,
        },
    }
}

fn schema() -> Schema {
    let text = |name, hint, characters_max| Field::new(name, hint, Form::Text { characters_max });
    let remarks = |name, hint| {
        Field::new(name, hint, Form::Texts { items_max: REMARKS_MAX, characters_max: REMARK_CHARACTERS_MAX })
    };
    Schema::new(
        "day_plan",
        vec![
            Field::new(
                "items",
                "the plan, in the order of time",
                Form::Records {
                    items_max: REPLY_ITEMS_MAX,
                    fields: vec![
                        text("task", "what is to be done, in the words of the notes", TASK_CHARACTERS_MAX),
                        text("why", "why then, quoting the notes", WHY_CHARACTERS_MAX),
                        Field::new(
                            "timebox_minutes",
                            "for how many minutes",
                            Form::Integer { min: -TIMEBOX_MINUTES_LIMIT, max: TIMEBOX_MINUTES_LIMIT },
                        ),
                        text("start", "from when: RFC 3339", TIME_CHARACTERS_MAX),
                        text("end", "until when: RFC 3339", TIME_CHARACTERS_MAX),
                        Field::new(
                            "constraint_ids",
                            "the ids of the constraints that bear on it; empty where none does",
                            Form::Texts { items_max: IDS_MAX, characters_max: ID_CHARACTERS_MAX },
                        ),
                    ],
                },
            ),
            remarks("assumptions", "what you took for granted; empty where nothing"),
            remarks("questions", "what should be asked; empty where nothing"),
            Field::new("confidence", "how sure you are of the plan", Form::Choice(&["low", "medium", "high"])),
        ],
    )
}
