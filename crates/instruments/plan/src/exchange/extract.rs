//! What notes ask of a day, as a model reads them: proposals with the words that state them.

use steadfast_dialogue::{Answer, Exchange, Field, Form, Nothing, Passage, Record, Request, Role, Schema, Step};

use super::head;

/// Most of the notes that one request holds, in bytes, whatever a model has room for.
pub const PART_BYTES_MAX: usize = 16 * 1024;

/// Most requests of one extraction; what the notes hold beyond them is told as not read.
pub const PARTS_MAX: usize = 16;

/// Most proposals of one kind in a reply: longer lists in a schema are refused or ignored by servers.
const ITEMS_MAX: usize = 20;

const QUOTE_CHARACTERS_MAX: usize = 300;
const TIMES_CHARACTERS_MAX: usize = 80;
const QUESTION_CHARACTERS_MAX: usize = 200;
const REPLY_TOKENS_MAX: u32 = 2_000;

/// The kinds that may be proposed: all but `contract`, which no notes state.
pub const KINDS: &[&str] = &[
    "fixed_event",
    "blocked",
    "deadline",
    "not_before",
    "availability",
    "must_do",
    "duration",
    "order",
    "exclusion",
    "preference",
    "presence",
    "travel",
    "connection",
    "stay",
    "total",
    "objective",
];

const INSTRUCTIONS: &str = "\
You read somebody's notes for one day and list what they ask of a plan for that day. You do not make a plan.

List the tasks: what is still to be done on that day. List the constraints, each with its kind:
- fixed_event: something that takes place at its time (a meeting, an appointment)
- blocked: time in which nothing may be planned
- deadline: by when something must be done
- not_before: when something may begin
- availability: the only time there is
- must_do: what must be done today
- duration: how long something takes
- order: what comes before what
- exclusion: what must not be planned
- preference: a wish
- presence: who is where, and when
- travel: how long a way takes
- connection: which ways there are between places
- stay: how long to stay at a place
- total: how long all of it may or must take
- objective: as many as possible of something
List questions only where the notes can be understood in two ways that lead to different plans.

Every quote is copied from the notes character by character: whole clauses, never shortened, joined or corrected. A program looks each quote up and reads \
it by itself; what it cannot find, or cannot read so, is set aside. Do not work out any time: copy the words. Leave out what is done, struck out, quoted from \
others or meant for another day. Where there is nothing to list, the list is empty.";

/// A dialogue about what notes ask of a day: one request for each part of long notes.
#[derive(Clone, Debug)]
pub struct Extraction {
    parts: Vec<String>,
    sent: usize,
    found: Extracted,
}

/// What a model read in notes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extracted {
    /// What is to be done.
    pub tasks: Vec<ProposedTask>,
    /// What is required.
    pub constraints: Vec<ProposedConstraint>,
    /// What should be asked.
    pub questions: Vec<ProposedQuestion>,
    /// Parts of the notes of which nothing came, and why.
    pub nothing: Vec<Nothing>,
    /// Bytes of the notes that no request held.
    pub unread_bytes: usize,
}

/// Something to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedTask {
    /// The words of the notes, as the model copied them.
    pub quote: String,
}

/// Something required.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedConstraint {
    /// One of [`KINDS`].
    pub kind: String,
    /// The words of the notes, as the model copied them.
    pub quote: String,
    /// Those of them that say when; empty where they say none.
    pub times: String,
}

/// Something to ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedQuestion {
    /// The question, in the model's words.
    pub question: String,
    /// The words of the notes that it is about.
    pub quote: String,
}

impl Extraction {
    /// A dialogue about these notes: their source, byte for byte, in parts of at most so many bytes.
    #[must_use]
    pub fn new(notes: &str, room_bytes: usize) -> Self {
        let part_bytes = room_bytes.min(PART_BYTES_MAX);
        let (mut parts, mut rest) = (Vec::new(), notes);
        while !rest.trim().is_empty() && parts.len() < PARTS_MAX {
            let part = head(rest, part_bytes);
            if part.is_empty() {
                break;
            }
            parts.push(part.to_owned());
            rest = &rest[part.len()..];
        }
        let unread_bytes = rest.trim().len();
        Self { parts, sent: 0, found: Extracted { unread_bytes, ..Extracted::default() } }
    }
}

impl Exchange for Extraction {
    type Proposal = Extracted;

    fn next(&mut self, answer: Option<Answer>) -> Step<Extracted> {
        match answer {
            Some(Answer::Record(record)) => self.found.take(&record),
            Some(Answer::Nothing(nothing)) => self.found.nothing.push(nothing),
            None => {}
        }
        let Some(part) = self.parts.get_mut(self.sent) else {
            return Step::Done(std::mem::take(&mut self.found));
        };
        self.sent += 1;
        Step::Send(Request {
            role: Role::PlanExtract,
            instructions: INSTRUCTIONS.to_owned(),
            passages: vec![Passage { label: "notes", text: std::mem::take(part) }],
            schema: schema(),
            reply_tokens_max: REPLY_TOKENS_MAX,
        })
    }
}

impl Extracted {
    fn take(&mut self, record: &Record) {
        let text = |record: &Record, name: &str| record.text(name).trim().to_owned();
        self.tasks.extend(record.records("tasks").iter().map(|task| ProposedTask { quote: text(task, "quote") }));
        self.constraints.extend(record.records("constraints").iter().map(|own| ProposedConstraint {
            kind: text(own, "kind"),
            quote: text(own, "quote"),
            times: text(own, "times"),
        }));
        self.questions.extend(
            record
                .records("questions")
                .iter()
                .map(|own| ProposedQuestion { question: text(own, "question"), quote: text(own, "quote") }),
        );
    }
}

fn schema() -> Schema {
    let quote =
        || Field::new("quote", "the words of the notes, verbatim", Form::Text { characters_max: QUOTE_CHARACTERS_MAX });
    Schema::new(
        "day_notes",
        vec![
            Field::new(
                "tasks",
                "what is still to be done",
                Form::Records { items_max: ITEMS_MAX, fields: vec![quote()] },
            ),
            Field::new(
                "constraints",
                "what a plan must keep",
                Form::Records {
                    items_max: ITEMS_MAX,
                    fields: vec![
                        Field::new("kind", "the kind of constraint", Form::Choice(KINDS)),
                        quote(),
                        Field::new(
                            "times",
                            "those words of the quote that say when or how long, verbatim; empty where there are none",
                            Form::Text { characters_max: TIMES_CHARACTERS_MAX },
                        ),
                    ],
                },
            ),
            Field::new(
                "questions",
                "what must be asked before planning",
                Form::Records {
                    items_max: ITEMS_MAX,
                    fields: vec![
                        Field::new(
                            "question",
                            "one sentence with a question mark",
                            Form::Text { characters_max: QUESTION_CHARACTERS_MAX },
                        ),
                        quote(),
                    ],
                },
            ),
        ],
    )
}
