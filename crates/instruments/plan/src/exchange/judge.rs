//! An opinion on a plan. It counts for nothing, and still each score has to rest on words of the plan.

use steadfast_dialogue::{
    Answer, Exchange, Field as Asked, Form, Nothing, Passage, Record, Request, Role, Schema, Step,
};
use steadfast_text::{Document, Format, locate};

use super::generate::{NOTES_BYTES_MAX, shown};
use super::{Aside, Once, head};
use crate::answer::Given;

/// What a plan is judged by: qualities that no code measures (section 1 of the contract for day plans).
pub const DIMENSIONS: &[&str] = &["specificity", "realism", "alignment", "prioritisation", "clarity"];

/// The best score; the worst is 0.
pub const SCORE_MAX: i64 = 5;

const QUOTE_CHARACTERS_MAX: usize = 300;
const COMMENT_CHARACTERS_MAX: usize = 300;
const ITEMS_MAX: usize = 20;
const REPLY_TOKENS_MAX: u32 = 1_500;

const INSTRUCTIONS: &str = "\
You give an opinion on a day plan that was made from somebody's notes. Whether it keeps what the notes require is decided elsewhere. Give one score from 0 \
to 5 for each of these:
- specificity: each item says what is done, so that one could begin at once
- realism: the timeboxes are what such work takes
- alignment: the plan serves the goals and priorities that the notes state
- prioritisation: what matters most stands where it gets done
- clarity: the reasons are short and true to the notes
Give with each score the words of the plan that it rests on most, copied character by character from one item's task or reason, and one sentence of comment. \
A score without words of the plan is set aside.";

/// An opinion: one score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// One of [`DIMENSIONS`].
    pub dimension: String,
    /// 0 to [`SCORE_MAX`].
    pub score: i64,
    /// The words of the plan, as the plan has them.
    pub quote: String,
    /// The item that they stand in, by its place in the plan.
    pub item: usize,
    /// Where in it.
    pub field: Field,
    /// One sentence of the model.
    pub comment: String,
}

/// A text of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// What is to be done.
    Task,
    /// Why.
    Why,
}

impl Field {
    /// Its name: that of the item's member.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Why => "why",
        }
    }
}

/// What a model said, before anything of it is looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    dimension: String,
    score: i64,
    quote: String,
    comment: String,
}

/// A dialogue about a plan that is judged: one request.
pub struct Judgement(Once<Vec<Said>>);

impl Judgement {
    /// Asks for an opinion on a plan for these notes, where there is room for so many bytes: half of them each.
    #[must_use]
    pub fn new(notes: &str, plan: &[Given], room_bytes: usize) -> Self {
        let half = room_bytes / 2;
        let request = Request {
            role: Role::PlanJudge,
            instructions: INSTRUCTIONS.to_owned(),
            passages: vec![
                Passage { label: "notes", text: head(notes, NOTES_BYTES_MAX.min(half)).to_owned() },
                Passage { label: "plan", text: head(&shown(plan), half).to_owned() },
            ],
            schema: schema(),
            reply_tokens_max: REPLY_TOKENS_MAX,
        };
        Self(Once { request: Some(request), read })
    }
}

impl Exchange for Judgement {
    type Proposal = Result<Vec<Said>, Nothing>;

    fn next(&mut self, answer: Option<Answer>) -> Step<Self::Proposal> {
        self.0.next(answer)
    }
}

/// The opinions whose words stand in the plan, in the order of [`DIMENSIONS`], and what was set aside.
#[must_use]
pub fn opinions(plan: &[Given], said: Vec<Said>) -> (Vec<Opinion>, Vec<Aside>) {
    let texts: Vec<(usize, Field, Document)> = plan
        .iter()
        .enumerate()
        .flat_map(|(at, item)| {
            let text = |field, text: &Option<String>| {
                let text = text.as_deref().unwrap_or_default();
                (at, field, Document::from_str_as(text, Format::Plain))
            };
            [text(Field::Task, &item.task), text(Field::Why, &item.why)]
        })
        .collect();
    let mut opinions: Vec<Opinion> = Vec::new();
    let mut aside = Vec::new();
    for Said { dimension, score, quote, comment } in said {
        let found = texts.iter().find_map(|(at, field, document)| {
            locate(document, &quote).map(|found| (*at, *field, document.quote(found.span).to_owned()))
        });
        let text = format!("{dimension} {score}: {quote}");
        if opinions.iter().any(|own| own.dimension == dimension) {
            aside.push(Aside::new("opinion", &text, "there is a score of that name already"));
        } else if let Some((item, field, quote)) = found {
            opinions.push(Opinion { dimension, score, quote, item, field, comment });
        } else {
            aside.push(Aside::new("opinion", &text, "its quote does not stand in the plan"));
        }
    }
    opinions.sort_by_key(|own| DIMENSIONS.iter().position(|name| *name == own.dimension));
    (opinions, aside)
}

fn read(record: &Record) -> Vec<Said> {
    let said = |own: &Record| Said {
        dimension: own.text("dimension").to_owned(),
        score: own.integer("score"),
        quote: own.text("quote").trim().to_owned(),
        comment: own.text("comment").trim().to_owned(),
    };
    record.records("scores").iter().map(said).collect()
}

fn schema() -> Schema {
    let text = |name, hint, characters_max| Asked::new(name, hint, Form::Text { characters_max });
    Schema::new(
        "plan_opinion",
        vec![Asked::new(
            "scores",
            "one for each quality",
            Form::Records {
                items_max: ITEMS_MAX,
                fields: vec![
                    Asked::new("dimension", "the quality", Form::Choice(DIMENSIONS)),
                    Asked::new("score", "0 is worst", Form::Integer { min: 0, max: SCORE_MAX }),
                    text("quote", "words of the plan, verbatim", QUOTE_CHARACTERS_MAX),
                    text("comment", "one sentence", COMMENT_CHARACTERS_MAX),
                ],
            },
        )],
    )
}
