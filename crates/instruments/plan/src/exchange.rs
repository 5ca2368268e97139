//! Dialogues with a chat model about a day: what the notes ask ([`Extraction`]), a plan and its one repair ([`Generation`]), an opinion on a
//! plan ([`Judgement`]).
//!
//! A model only proposes. [`take_reading`] takes of its reading what code locates in the notes and finds borne out by their figures; what code requires beyond it,
//! and the plan would break, is asked. A generated plan is read as plain values and checked like anybody's ([`generated`](crate::variant::generated)). An opinion
//! counts for nothing; it needs words of the plan all the same. [`accept`] takes what a caller proposes beside code's reading.

mod accept;
mod extract;
mod figures;
mod generate;
mod judge;
mod taken;

use steadfast_dialogue::{Answer, Exchange, Nothing, Record, Request, Step};

pub use accept::{Accepted, Proposals, ProposedConstraint, ProposedTask, accept};
pub use extract::{Answered, Extracted, Extraction, KINDS, PART_BYTES_MAX, PARTS_MAX, ProposedQuestion};
pub use generate::{Brief, Generation, NOTES_BYTES_MAX, Proposed};
pub use judge::{DIMENSIONS, Field, Judgement, Opinion, SCORE_MAX, Said, opinions};
pub use taken::{TakenReading, is_of_the_model, take_reading};

/// Something that a model proposed and that was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// What was proposed: `task`, `constraint`, `question`, `constraint id`, `opinion`.
    pub what: &'static str,
    /// The model's own words.
    pub text: String,
    /// Why it was not taken.
    pub reason: String,
}

impl Aside {
    fn new(what: &'static str, text: &str, reason: impl Into<String>) -> Self {
        Self { what, text: text.to_owned(), reason: reason.into() }
    }
}

/// A dialogue of one request.
struct Once<P> {
    request: Option<Request>,
    read: fn(&Record) -> P,
}

impl<P> Exchange for Once<P> {
    type Proposal = Result<P, Nothing>;

    fn next(&mut self, answer: Option<Answer>) -> Step<Self::Proposal> {
        Step::of_one(self.request.take(), answer, self.read)
    }
}

/// The beginning of a text, at most so many bytes, up to the end of a line where one is near.
fn head(text: &str, bytes_max: usize) -> &str {
    if text.len() <= bytes_max {
        return text;
    }
    let mut end = bytes_max;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let cut = &text[..end];
    match cut.rfind('\n') {
        Some(line) if line >= end / 2 => &cut[..=line],
        _ => cut,
    }
}
