//! A step as it was read.

use std::sync::Arc;

use steadfast_session::Call;

/// One step of an agent's run. What many steps have in common is shared, so that a long instruction above a thousand steps is held
/// once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenStep {
    /// Which task it belongs to.
    pub task_id: Arc<str>,
    /// Who made it.
    pub agent: Option<Arc<str>>,
    /// Its number: as given in steps, counted from 0 in messages and spans.
    pub step: Option<i64>,
    /// The instruction under which it was made; `None` where none was given or captured.
    pub prompt: Option<Arc<str>>,
    /// What the model said; `None` where it said nothing in words (a tool call alone) or nothing was captured, which is not the
    /// same as an empty text.
    pub output: Option<String>,
    /// The goal of the whole task, where the input states it. Of a sub-agent: what its parent asked of it.
    pub initial_intent: Option<Arc<str>>,
    /// The task of the agent that called this one, where it was called by one.
    pub parent: Option<Arc<str>>,
    /// The calls that the agent made in it, where the input is the log of a session.
    pub calls: Vec<Call>,
    /// Whether it answers words that instruct nothing, as thanks do.
    pub aside: bool,
    /// The line of the file, from 1, on which it stands, or on which the document begins that holds it.
    pub line: usize,
}

impl Default for GivenStep {
    fn default() -> Self {
        Self {
            task_id: Arc::from(""),
            agent: None,
            step: None,
            prompt: None,
            output: None,
            initial_intent: None,
            parent: None,
            calls: Vec::new(),
            aside: false,
            line: 0,
        }
    }
}

/// The forms of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// JSONL of steps.
    Steps,
    /// Chat messages.
    Messages,
    /// OTLP/JSON spans.
    Spans,
    /// The log of an agent's session.
    Session,
}
