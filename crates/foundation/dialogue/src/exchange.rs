//! A conversation with a model as a state machine without input and output.

use crate::{Record, Request};

/// A conversation. Whoever drives it asks for the next step, sends what it says, and gives it what came back.
pub trait Exchange {
    /// What it ends in.
    type Proposal;

    /// What comes next: at first without an answer, then with the answer to what was last sent. It is never asked again after
    /// [`Step::Done`].
    fn next(&mut self, answer: Option<Answer>) -> Step<Self::Proposal>;
}

/// Questions that do not depend on each other's replies: each is asked, whatever came of the one before. It ends in their answers, in the order of the questions.
#[derive(Clone, Debug)]
pub struct Each {
    requests: std::vec::IntoIter<Request>,
    answers: Vec<Answer>,
}

impl Each {
    /// Asks each of these.
    #[must_use]
    pub fn new(requests: Vec<Request>) -> Self {
        Self { requests: requests.into_iter(), answers: Vec::new() }
    }
}

impl Exchange for Each {
    type Proposal = Vec<Answer>;

    fn next(&mut self, answer: Option<Answer>) -> Step<Vec<Answer>> {
        self.answers.extend(answer);
        self.requests.next().map_or_else(|| Step::Done(std::mem::take(&mut self.answers)), Step::Send)
    }
}

/// What comes next in an exchange.
#[derive(Clone, Debug, PartialEq)]
pub enum Step<P> {
    /// This is to be asked.
    Send(Request),
    /// Nothing more is to be asked: this came of it.
    Done(P),
}

impl<P> Step<Result<P, Nothing>> {
    /// The next step of an exchange of one question: the question while it was not asked, then what is read of the answer to it.
    #[must_use]
    pub fn of_one(request: Option<Request>, answer: Option<Answer>, read: impl FnOnce(&Record) -> P) -> Self {
        match (request, answer) {
            (Some(request), _) => Self::Send(request),
            (None, Some(Answer::Record(record))) => Self::Done(Ok(read(&record))),
            (None, Some(Answer::Nothing(nothing))) => Self::Done(Err(nothing)),
            (None, None) => Self::Done(Err(Nothing::Unfinished)),
        }
    }
}

/// What came back.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A reply of the form that was asked for.
    Record(Record),
    /// None, and why.
    Nothing(Nothing),
}

/// Why there is no reply that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nothing {
    /// The reply was not of the form that was asked for, twice. What was wrong the second time.
    Unreadable(Vec<String>),
    /// The reply was cut off, or its end was never said.
    Unfinished,
    /// The model or its server refused to answer.
    Declined,
    /// The budget has no room for the call.
    OverBudget(String),
    /// The server failed, after as many attempts as are made.
    Failed(String),
}

impl std::fmt::Display for Nothing {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unreadable(faults) => {
                write!(formatter, "the reply is not of the form that was asked for: {}", faults.join("; "))
            }
            Self::Unfinished => formatter.write_str("the reply was not finished"),
            Self::Declined => formatter.write_str("the model declined to answer"),
            Self::OverBudget(why) => write!(formatter, "the call was not made: {why}"),
            Self::Failed(why) => write!(formatter, "the call failed: {why}"),
        }
    }
}
