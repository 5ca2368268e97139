//! A conversation as steps: which instruction is current, and what was said under it.

use std::sync::Arc;

use super::given::GivenStep;
use super::messages::{Message, Role};

/// A conversation while it is read: the current instruction and how many steps there were.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    instruction: Option<Arc<str>>,
    /// The instruction while users' messages still may be added to it.
    begun: String,
    /// Whether the assistant has said something under the instruction: a user's message then begins another.
    answered: bool,
    /// Whether the message before was the assistant's, so that a call is part of it.
    assistant_before: bool,
    steps: i64,
}

impl Conversation {
    /// Takes a message; gives the step that it makes, without task and line.
    pub(super) fn take(&mut self, message: Message) -> Option<GivenStep> {
        match message.role {
            Role::User => {
                self.assistant_before = false;
                let text = message.text.filter(|it| !it.trim().is_empty())?;
                if !self.answered && !self.begun.is_empty() {
                    self.begun.push_str("\n\n");
                } else {
                    self.begun.clear();
                }
                self.begun.push_str(&text);
                self.answered = false;
                None
            }
            Role::Assistant => {
                let continued = message.call_alone && self.assistant_before;
                self.settle();
                self.answered = true;
                self.assistant_before = true;
                if continued {
                    return None;
                }
                let agent = message.name.as_deref().map(Arc::from);
                let output = message.output();
                let step = self.steps;
                self.steps += 1;
                let prompt = self.instruction.clone();
                Some(GivenStep { step: Some(step), prompt, output, agent, ..GivenStep::default() })
            }
            Role::Tool => {
                self.assistant_before = false;
                None
            }
            Role::Other => None,
        }
    }

    /// The current instruction.
    pub(super) fn into_instruction(mut self) -> Option<Arc<str>> {
        self.settle();
        self.instruction
    }

    fn settle(&mut self) {
        if !self.begun.is_empty() {
            self.instruction = Some(std::mem::take(&mut self.begun).into());
        }
    }
}
