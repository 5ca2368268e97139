//! What a reading leaves open, as plain types: words that are set apart or not understood, questions with the answers that they offer.

use steadfast_evidence::Quote;
use steadfast_text::Span;

use super::Rule;

steadfast_evidence::vocabulary! {
    /// Why words of the notes are nothing to plan today.
    Aside {
        /// Done, cancelled, or meant for another day.
        NotToday = "not_today", "not today";
        /// Somebody else's.
        NotMine = "not_mine", "somebody else's";
        /// It asks nothing.
        Chatter = "chatter", "asks nothing";
    }
}

/// Words that are nothing to plan today.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart {
    /// The words.
    pub quote: Quote,
    /// Why.
    pub reason: Aside,
}

/// Words of today that are bound to no task and no constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The words.
    pub quote: Quote,
    /// What is not understood of them.
    pub why: String,
    /// Whether they look like something that a plan must heed.
    pub must: bool,
}

/// What an answer makes of the words that are asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// They require this.
    Rules(Vec<Rule>),
    /// They require this, and nothing of what was read of them.
    Instead(Vec<Rule>),
    /// They name nothing to do, and require this.
    NoTask(Vec<Rule>),
    /// They name something to do, which takes so many minutes where they say how long.
    Task(Option<i64>),
    /// They are nothing to plan today. What was read of them alone goes.
    Apart(Aside),
    /// They require nothing of what was read of them; what is to be done stays.
    NotSaid,
    /// It was read as it is meant; what else its line says may be asked.
    Keep,
    /// It says nothing more than what was read of it.
    NothingMore,
}

/// Words that may be read otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    /// How likely they are what they are taken for.
    pub sure: f64,
    /// The words.
    pub quote: Quote,
    /// What else they may require, each in words.
    pub meanings: Vec<(String, Vec<Rule>)>,
}

/// An answer that a question offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The answer in words.
    pub text: String,
    /// What follows from it.
    pub effect: Effect,
}

/// A question whose answer becomes part of the reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenQuestion {
    /// The same for the same words of the same notes.
    pub id: String,
    /// The question.
    pub text: String,
    /// The words that it is about.
    pub quote: Quote,
    /// The answers that it offers.
    pub choices: Vec<Choice>,
    /// Whether answers make different plans. `true` until somebody tried.
    pub changes_plan: bool,
}

/// An answer that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The question.
    pub id: String,
    /// The words that it is about.
    pub span: Span,
    /// The answer in the words of the question.
    pub answer: String,
    /// Whether it leaves what was read as it is: the words may be asked about once more.
    pub keeps: bool,
}

/// An answer that nothing follows from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerError {
    /// No question has the id.
    NoQuestion(String),
    /// The question offers other answers.
    NoChoice {
        /// The question.
        id: String,
        /// What was answered.
        answer: String,
        /// The answers that it offers.
        choices: String,
    },
}

impl std::fmt::Display for AnswerError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoQuestion(id) => write!(out, "the notes leave no question `{id}` open"),
            Self::NoChoice { id, answer, choices } => {
                write!(out, "`{answer}` does not answer `{id}`, which offers {choices}")
            }
        }
    }
}

impl std::error::Error for AnswerError {}

impl OpenQuestion {
    /// The choice that an answer means: its number from 1, or its words.
    #[must_use]
    pub fn choice(&self, answer: &str) -> Option<usize> {
        let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let own = folded(answer);
        let numbered = own.parse::<usize>().ok().filter(|number| (1..=self.choices.len()).contains(number));
        numbered.map(|number| number - 1).or_else(|| self.choices.iter().position(|it| folded(&it.text) == own))
    }
}
