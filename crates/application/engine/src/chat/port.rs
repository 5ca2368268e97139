//! What the loop needs of the outside: a model, and randomness.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use steadfast_dialogue::{Delimiter, Message, Role, Schema};
pub use steadfast_wire::chat::RecordedFinish as Finish;

use super::budget::Prices;

/// An answer that is waited for.
pub type Asking<'a> = Pin<Box<dyn Future<Output = Result<Completion, CallFailure>> + Send + 'a>>;

/// The context window that a model is taken to have where nothing says otherwise, in tokens.
pub const CONTEXT_TOKENS_DEFAULT: usize = 8_000;

/// A chat model behind a server.
pub trait ChatModel: Send + Sync {
    /// What it is called in results: the model's name at its server.
    fn name(&self) -> &str;

    /// How many tokens it can take in, question and reply together.
    fn context_tokens(&self) -> usize {
        CONTEXT_TOKENS_DEFAULT
    }

    /// Where it is: the origin (scheme, host and port) of its server. Empty where there is none.
    fn server(&self) -> &str {
        ""
    }

    /// What its tokens cost, where that is known.
    fn prices(&self) -> Option<Prices> {
        None
    }

    /// Asks it once. Attempts, waiting times and what a server can do are its own affair; what comes back is as the model wrote it.
    fn ask<'a>(&'a self, call: &'a Call) -> Asking<'a>;
}

/// Randomness.
pub trait Entropy: Send + Sync {
    /// Sixteen bytes that nobody can foresee.
    fn bytes(&self) -> [u8; 16];
}

/// A wait.
pub type Sleeping<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// Time, for waits and for the day that a budget counts.
pub trait Clock: Send + Sync {
    /// How long it is since some moment before the first call. It never goes back.
    fn elapsed(&self) -> Duration;

    /// Seconds since 1970 in UTC.
    fn unix_seconds(&self) -> i64;

    /// Waits.
    fn sleep(&self, time: Duration) -> Sleeping<'_>;
}

/// One question to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// What for.
    pub role: Role,
    /// What is said, in order.
    pub messages: Vec<Message>,
    /// What stands around the judged texts in them: random, so it is no part of what is asked.
    pub delimiter: Delimiter,
    /// The form that the reply must have, for servers that can hold a model to one.
    pub schema: Schema,
    /// How many tokens the reply may have.
    pub reply_tokens_max: u32,
}

/// What a model wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// Its words.
    pub text: String,
    /// Why it stopped.
    pub finish: Finish,
    /// Tokens of the question, as the server counted them.
    pub prompt_tokens: Option<u64>,
    /// Tokens of the reply, as the server counted them.
    pub reply_tokens: Option<u64>,
    /// How many attempts it took, from 1.
    pub attempts: u32,
}

/// A question without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallFailure {
    /// What happened: no key, no judged text.
    pub why: String,
    /// How many attempts were made, from 0.
    pub attempts: u32,
}

impl Call {
    /// How many bytes all that is said has.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.messages.iter().map(|message| message.text.len()).sum()
    }
}
