//! What notes ask of a day, as a model reads them: a reading of its own, with the words of the notes that each part of it rests on.

use std::fmt::Write as _;

use jiff::Zoned;
use jiff::civil::{DateTime, Time};
use steadfast_dialogue::{Answer, Exchange, Field, Form, Nothing, Passage, Record, Request, Role, Schema, Step};
use steadfast_time::{LocalTime, resolve_in};

use super::{Aside, head};
use crate::document::{GivenConstraint, GivenReading, GivenTask, Words};
use crate::model::Kind;
use crate::open;

/// Most of the notes that one request holds, in bytes, whatever a model has room for.
pub const PART_BYTES_MAX: usize = 16 * 1024;

/// Most requests of one extraction; the rest of the notes is reported as not read.
pub const PARTS_MAX: usize = 16;

/// Most entries of one list in a reply: servers refuse or ignore longer lists in a schema.
const ITEMS_MAX: usize = 20;

/// Most questions in a reply.
const QUESTIONS_MAX: usize = 3;

const QUOTE_CHARACTERS_MAX: usize = 300;
const NAME_CHARACTERS_MAX: usize = 120;
const ID_CHARACTERS_MAX: usize = 40;
const TIME_CHARACTERS_MAX: usize = 20;
const QUESTION_CHARACTERS_MAX: usize = 200;
const CHOICES_MAX: usize = 4;
const MINUTES_MAX: i64 = 24 * 60;

/// The kinds of constraints that a model may state.
pub const KINDS: &[&str] = &[
    "fixed_event",
    "blocked",
    "availability",
    "deadline",
    "not_before",
    "exclusion",
    "duration",
    "order",
    "total",
    "preference",
];

const ASIDES: &[&str] = &["not_today", "not_mine", "chatter"];

const INSTRUCTIONS: &str = "\
You read somebody's notes and say what they ask of one day, for a program that plans that day. You make no plan.

`tasks`: each thing that whoever wrote the notes still has to do that day, at a time that a plan may choose: `id` (t1, t2 …), `quote`, `name` (short, in the words of the notes, without times), `minutes` \
(how long it takes; 0 where the notes do not say), and where the notes say so in words, else false: `must` (it has to be that day), `optional` (it may be left out), `whole` (it is done in one piece). What takes place at a fixed time is an event and no task; \
something to do within certain hours, or by a time, is a task with a constraint.

`constraints`: `id` (c1, c2 …), `kind`, `quote`, and what its kind needs. `tasks` holds the ids of the tasks that it is about, and is empty where it is about the whole day. Times are HH:MM, 24 hours, on that day, or YYYY-MM-DDTHH:MM on another.
- fixed_event: when whoever wrote the notes is busy with an appointment, a meeting, a trip, a meal: `start`, `end` or `minutes_min` where the notes say them, `name`. A trip with a time to leave and a time to be back is one event.
- blocked: time in which nothing may be planned: `start`, `end`; `except`: tasks that may be done then all the same
- availability: the only hours for its tasks, or for all work: `start`, `end`, or one of them. The hours of a shop, an office or a person bind the tasks that need them.
- exclusion: hours in which its tasks cannot be done: `start`, `end`, or one of them; or how long they may be done on end: `minutes_max`, and then `minutes_min` without them
- deadline: by when its tasks must be finished: `end`
- not_before: when its tasks may begin: `start`
- duration: `minutes_min`, `minutes_max` of its tasks, where `minutes` of the task does not say it
- order: `first` comes before `then`, ids of tasks or of fixed events; `minutes_min` between them
- total: `minutes_min`, `minutes_max` of its tasks together, or of all work
- preference: hours in which its tasks are rather done: `start`, `end`, or one of them. Any other wish has `soft` true.
Work the times out from the words and from the current time: noonish, half six, by lunch, before my 3pm. Where words correct earlier ones, only the correction counts.

`set_apart`: what looks like something to do or to heed and is none of that day's plan: done, cancelled or for another day (not_today), somebody else's (not_mine), a remark (chatter).

`questions`: only where the notes can be meant in two ways, the two make different plans, and nothing in the notes says which. `choices` holds the answers. Elsewhere take the likelier meaning without a question.

Every quote is copied from the notes character by character, from one line: the words that say it, and no more. A program looks up each quote and compares the times with the words; what it cannot find is set aside. Leave nothing out that a plan has to heed, and add nothing. \
Use an empty string, 0, false or an empty list for what does not apply.";

const ANSWERED: &str = "\n\nThe text \"answers\" holds what whoever wrote the notes answered about words of them. It goes before all else, and is not asked again.";

/// Words of the notes, and what whoever wrote them answered about them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The words.
    pub quote: String,
    /// The question about them.
    pub question: String,
    /// The answer.
    pub answer: String,
}

/// A dialogue about what notes ask of a day: one request for each part of long notes.
#[derive(Clone, Debug)]
pub struct Extraction {
    now: Zoned,
    answers: String,
    parts: Vec<String>,
    reply_tokens_max: u32,
    sent: usize,
    found: Extracted,
}

/// What a model read in notes. Nothing of it has been looked up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extracted {
    /// The reading.
    pub reading: GivenReading,
    /// What it would ask.
    pub questions: Vec<ProposedQuestion>,
    /// What it stated in a form that says nothing.
    pub aside: Vec<Aside>,
    /// Parts of the notes of which nothing came, and why.
    pub nothing: Vec<Nothing>,
    /// Lists that were full: what lies beyond them is not known.
    pub full: Vec<&'static str>,
    /// Bytes of the notes that no request held.
    pub unread_bytes: usize,
}

/// Something to ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedQuestion {
    /// The question, in the model's words.
    pub question: String,
    /// The words of the notes that it is about.
    pub quote: String,
    /// The answers that it offers.
    pub choices: Vec<String>,
}

impl Extraction {
    /// A dialogue about these notes: their source, byte for byte, in parts of at most so many bytes, with replies of at most so many tokens.
    #[must_use]
    pub fn new(notes: &str, now: &Zoned, answers: &[Answered], room_bytes: usize, reply_tokens_max: u32) -> Self {
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
        let mut said = String::new();
        for own in answers {
            // Infallible: a string takes all that is written to it.
            let _ = writeln!(said, "- of \"{}\": {} {}", own.quote, own.question, own.answer);
        }
        let found = Extracted { unread_bytes, ..Extracted::default() };
        Self { now: now.clone(), answers: said, parts, reply_tokens_max, sent: 0, found }
    }
}

impl Exchange for Extraction {
    type Proposal = Extracted;

    fn next(&mut self, answer: Option<Answer>) -> Step<Extracted> {
        match answer {
            Some(Answer::Record(record)) => self.found.take(&record, self.sent, &self.now),
            Some(Answer::Nothing(nothing)) => self.found.nothing.push(nothing),
            None => {}
        }
        let Some(part) = self.parts.get_mut(self.sent) else {
            return Step::Done(std::mem::take(&mut self.found));
        };
        self.sent += 1;
        let mut instructions = format!(
            "{INSTRUCTIONS}\n\nThe day is {}. What is done before {} of it is over.",
            self.now.strftime("%A, %Y-%m-%d"),
            self.now.strftime("%H:%M"),
        );
        let mut passages = vec![Passage { label: "notes", text: std::mem::take(part) }];
        if !self.answers.is_empty() {
            instructions.push_str(ANSWERED);
            passages.push(Passage { label: "answers", text: self.answers.clone() });
        }
        Step::Send(Request {
            role: Role::PlanExtract,
            instructions,
            passages,
            schema: schema(),
            reply_tokens_max: self.reply_tokens_max,
        })
    }
}

fn some(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn words(record: &Record) -> Words {
    Words { quote: record.text("quote").trim().to_owned(), span: None }
}

impl Extracted {
    /// Takes the reply about part `part` of the notes, from 1.
    fn take(&mut self, record: &Record, part: usize, now: &Zoned) {
        // Each part has a model begin with t1 and c1 anew.
        let id = |own: &str| if part == 1 { own.trim().to_owned() } else { format!("{}.{part}", own.trim()) };
        let ids = |own: &[String]| own.iter().filter_map(|own| some(own)).map(|own| id(&own)).collect::<Vec<_>>();
        let minutes = |record: &Record, name: &str| Some(record.integer(name)).filter(|own| *own > 0);
        for (name, list) in ["tasks", "constraints", "set_apart"].map(|name| (name, record.records(name))) {
            if list.len() >= ITEMS_MAX {
                self.full.push(name);
            }
        }
        self.reading.tasks.extend(record.records("tasks").iter().map(|own| GivenTask {
            id: id(own.text("id")),
            words: words(own),
            name: some(own.text("name")),
            minutes: minutes(own, "minutes"),
            must: own.flag("must") && !own.flag("optional"),
            optional: own.flag("optional"),
            whole: own.flag("whole"),
        }));
        for own in record.records("constraints") {
            let mut given = GivenConstraint {
                id: id(own.text("id")),
                kind: Kind::ALL.iter().copied().find(|kind| kind.name() == own.text("kind")),
                words: words(own),
                tasks: ids(own.texts("tasks")),
                first: ids(own.texts("first")),
                then: ids(own.texts("then")),
                start: some(own.text("start")),
                end: some(own.text("end")),
                minutes_min: minutes(own, "minutes_min"),
                minutes_max: minutes(own, "minutes_max"),
                name: some(own.text("name")),
                soft: own.flag("soft"),
                excepted: ids(own.texts("except")),
                unchanged: false,
            };
            match timed(&mut given, now) {
                Ok(()) => self.reading.constraints.push(given),
                Err(why) => self.aside.push(Aside::new("constraint", &given.words.quote, why)),
            }
        }
        for own in record.records("set_apart") {
            let aside = open::Aside::ALL.iter().copied().find(|aside| aside.name() == own.text("as"));
            self.reading.apart.extend(aside.map(|aside| (words(own), aside)));
        }
        self.questions.extend(record.records("questions").iter().map(|own| ProposedQuestion {
            question: own.text("question").trim().to_owned(),
            quote: own.text("quote").trim().to_owned(),
            choices: own.texts("choices").iter().filter_map(|own| some(own)).collect(),
        }));
    }
}

/// Writes the times of a constraint as RFC 3339, and gives it the kind that its members say: a deadline with a beginning is a window. Members
/// that say nothing of its kind go.
fn timed(given: &mut GivenConstraint, now: &Zoned) -> Result<(), String> {
    let start = given.start.take().map(|text| local(&text, now)).transpose()?;
    let mut end = given.end.take().map(|text| local(&text, now)).transpose()?;
    given.kind = match (given.kind, start.is_some(), end.is_some()) {
        (Some(Kind::Deadline), true, true) | (Some(Kind::NotBefore), true, true) => Some(Kind::Availability),
        (Some(Kind::Deadline), true, false) => Some(Kind::NotBefore),
        (Some(Kind::NotBefore), false, true) => Some(Kind::Deadline),
        (kind, ..) => kind,
    };
    // "22:00 to 06:00" ends on the day after.
    if let (Some(from), Some(until)) = (start, end)
        && until < from
    {
        end = until.tomorrow().ok();
    }
    let instant = |at: Option<DateTime>| at.map(|at| written(at, now)).transpose();
    (given.start, given.end) = (instant(start)?, instant(end)?);
    given.leave_out_unused();
    Ok(())
}

/// A time of the day, or a date with one.
fn local(text: &str, now: &Zoned) -> Result<DateTime, String> {
    let of_day = || text.parse::<Time>().ok().map(|time| now.date().to_datetime(time));
    let whole = || text.parse::<DateTime>().ok();
    // The end of the day.
    let midnight =
        || (text == "24:00").then(|| now.date().tomorrow().ok().map(|day| day.to_datetime(Time::midnight())))?;
    of_day().or_else(midnight).or_else(whole).ok_or_else(|| format!("\"{text}\" is no time as HH:MM"))
}

/// The instant of a local time, RFC 3339.
fn written(at: DateTime, now: &Zoned) -> Result<String, String> {
    let zone = now.time_zone();
    match resolve_in(at, zone) {
        Some(LocalTime::Unique(at)) => Ok(at.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()),
        _ => Err(format!("{at} is a time that the zone does not have, or has twice")),
    }
}

fn schema() -> Schema {
    let text = |name, hint, characters_max| Field::new(name, hint, Form::Text { characters_max });
    let quote = || text("quote", "the words of the notes, verbatim", QUOTE_CHARACTERS_MAX);
    let id = || text("id", "what it is called here", ID_CHARACTERS_MAX);
    let ids =
        |name, hint| Field::new(name, hint, Form::Texts { items_max: ITEMS_MAX, characters_max: ID_CHARACTERS_MAX });
    let minutes = |name, hint| Field::new(name, hint, Form::Integer { min: 0, max: MINUTES_MAX });
    let flag = |name, hint| Field::new(name, hint, Form::Flag);
    let list = |name, hint, items_max, fields| Field::new(name, hint, Form::Records { items_max, fields });
    Schema::new(
        "day_notes",
        vec![
            list(
                "tasks",
                "what is still to be done",
                ITEMS_MAX,
                vec![
                    id(),
                    quote(),
                    text("name", "a short name in the words of the notes", NAME_CHARACTERS_MAX),
                    minutes("minutes", "how long it takes; 0 where the notes do not say"),
                    flag("must", "whether the notes say that it has to be that day"),
                    flag("optional", "whether it may be left out"),
                    flag("whole", "whether it is done in one piece"),
                ],
            ),
            list(
                "constraints",
                "what a plan must keep",
                ITEMS_MAX,
                vec![
                    id(),
                    Field::new("kind", "the kind of constraint", Form::Choice(KINDS)),
                    quote(),
                    ids("tasks", "the ids of the tasks that it is about; empty: the whole day"),
                    ids("first", "of an order: what comes first"),
                    ids("then", "of an order: what comes then"),
                    text("start", "from when on: HH:MM; empty where there is none", TIME_CHARACTERS_MAX),
                    text("end", "until when: HH:MM; empty where there is none", TIME_CHARACTERS_MAX),
                    minutes("minutes_min", "at least so many minutes; 0 for none"),
                    minutes("minutes_max", "at most so many minutes; 0 for none"),
                    text("name", "what an event is called; empty otherwise", NAME_CHARACTERS_MAX),
                    ids("except", "tasks that it does not bind"),
                    flag("soft", "whether it is a wish"),
                ],
            ),
            list(
                "set_apart",
                "what is none of that day's plan",
                ITEMS_MAX,
                vec![quote(), Field::new("as", "why", Form::Choice(ASIDES))],
            ),
            list(
                "questions",
                "what must be asked before planning",
                QUESTIONS_MAX,
                vec![
                    text("question", "one sentence with a question mark", QUESTION_CHARACTERS_MAX),
                    quote(),
                    Field::new(
                        "choices",
                        "the answers",
                        Form::Texts { items_max: CHOICES_MAX, characters_max: QUESTION_CHARACTERS_MAX },
                    ),
                ],
            ),
        ],
    )
}
