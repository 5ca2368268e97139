//! What a model is asked of a task.

use steadfast_dialogue::{Answer, Exchange, Field, Form, Nothing, Passage, Record, Request, Role, Schema, Step};

/// Most of a task that a request holds, in bytes, whatever a model has room for; what follows is material, no task.
pub const TASK_SHOWN_BYTES_MAX: usize = 16 * 1024;

/// Most proposals of one kind in a reply: longer lists in a schema are refused or ignored by servers.
const ITEMS_MAX: usize = 20;
const VALUE_CHARACTERS_MAX: usize = 80;
const QUOTE_CHARACTERS_MAX: usize = 300;
const QUESTION_CHARACTERS_MAX: usize = 300;
const REPLY_TOKENS_MAX: u32 = 2_000;

/// What may be said of a task as a whole.
const FIELDS: [&str; 5] = ["intent", "task_type", "domain", "stage", "deliverable"];

const INSTRUCTIONS: &str = "\
Somebody gives a task, and a program looks for prepared prompts that help with it. Say what you read in the task; you do not carry it out.

- readings: what the task is. intent is one of analyze, communicate, create, decide, explain, fix, learn, plan, review, summarize, transform; stage is one of clarify, \
plan, execute, verify, reflect, each stage that the task needs; task_type is the kind of thing that is worked on; domain is the field; deliverable is the words that \
name what is to come out of it.
- constraints: words of the task that say what must hold (limits, bans, form, date, place).
- missing: what is not said and without which the task cannot be done well, with the question that asks for it, and the words of the task that \
make it needed.
- wordings: the text \"questions\" lists questions that the program asks, one a line. Word each of them so that this person understands it at once: one wording for each \
question, in the same order, one sentence, asking for the same thing, with everything that stands there in quotation marks. No questions: an empty list.

Every quote is copied from the task character by character. A program looks it up; what it cannot find is set aside. Where there is nothing to say, a list is \
empty.";

/// A dialogue about a task: one request.
#[derive(Clone, Debug)]
pub struct Intake {
    request: Option<Request>,
}

/// What a model read in a task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proposed {
    /// What the task is.
    pub readings: Vec<Word>,
    /// Words that bind, as the model copied them.
    pub constraints: Vec<String>,
    /// What is missing: its name, the question, the words that make it needed.
    pub missing: Vec<(String, String, String)>,
    /// The questions in other words, in their order.
    pub wordings: Vec<String>,
}

/// One thing that a task is said to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// `intent`, `task_type`, `domain`, `stage` or `deliverable`.
    pub field: &'static str,
    /// What it is.
    pub value: String,
    /// The words of the task that say so, as the model copied them.
    pub quote: String,
}

impl Intake {
    /// Asks about a task, of which there is room for so many bytes, and for other words for the questions that code asks of it.
    #[must_use]
    pub fn new(task: &str, questions: &[String], room_bytes: usize) -> Self {
        let questions = if questions.is_empty() { "(none)".to_owned() } else { questions.join("\n") };
        let request = Request {
            role: Role::PickIntake,
            instructions: INSTRUCTIONS.to_owned(),
            passages: vec![
                Passage { label: "task", text: shown(task, room_bytes).to_owned() },
                Passage { label: "questions", text: questions },
            ],
            schema: schema(),
            reply_tokens_max: REPLY_TOKENS_MAX,
        };
        Self { request: Some(request) }
    }

    /// Bytes of a task that a request does not hold.
    #[must_use]
    pub fn unread_bytes(task: &str, room_bytes: usize) -> usize {
        task.len() - shown(task, room_bytes).len()
    }
}

fn shown(task: &str, room_bytes: usize) -> &str {
    crate::intake::head(task, TASK_SHOWN_BYTES_MAX.min(room_bytes))
}

impl Exchange for Intake {
    type Proposal = Result<Proposed, Nothing>;

    fn next(&mut self, answer: Option<Answer>) -> Step<Self::Proposal> {
        Step::of_one(self.request.take(), answer, read)
    }
}

fn read(record: &Record) -> Proposed {
    let text = |record: &Record, name: &str| record.text(name).trim().to_owned();
    let word = |own: &Record| {
        let field = FIELDS.into_iter().find(|field| *field == own.text("field"))?;
        Some(Word { field, value: text(own, "value"), quote: text(own, "quote") })
    };
    Proposed {
        readings: record.records("readings").iter().filter_map(word).collect(),
        constraints: record.records("constraints").iter().map(|own| text(own, "quote")).collect(),
        missing: record
            .records("missing")
            .iter()
            .map(|own| (text(own, "what"), text(own, "question"), text(own, "quote")))
            .collect(),
        wordings: record.texts("wordings").iter().map(|own| own.trim().to_owned()).collect(),
    }
}

fn schema() -> Schema {
    let text = |name, hint, characters_max| Field::new(name, hint, Form::Text { characters_max });
    let quote = || text("quote", "words of the task, verbatim", QUOTE_CHARACTERS_MAX);
    let records = |name, hint, fields| Field::new(name, hint, Form::Records { items_max: ITEMS_MAX, fields });
    Schema::new(
        "task_intake",
        vec![
            records(
                "readings",
                "what the task is",
                vec![
                    Field::new("field", "what is said of it", Form::Choice(&FIELDS)),
                    text("value", "what it is; for a deliverable the same words as the quote", VALUE_CHARACTERS_MAX),
                    quote(),
                ],
            ),
            records("constraints", "what must hold", vec![quote()]),
            records(
                "missing",
                "what is not said and needed",
                vec![
                    text("what", "what is missing, in a word or two", VALUE_CHARACTERS_MAX),
                    text("question", "the question that asks for it", QUESTION_CHARACTERS_MAX),
                    quote(),
                ],
            ),
            Field::new(
                "wordings",
                "one for each question, in their order",
                Form::Texts { items_max: ITEMS_MAX, characters_max: QUESTION_CHARACTERS_MAX },
            ),
        ],
    )
}
