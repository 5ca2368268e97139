//! A dry run: what would be sent, without anything being sent.

use std::sync::{Arc, Mutex, PoisonError};

use steadfast_dialogue::{Message, Role, tokens_estimate};

use super::budget::Prices;
use super::models::ChatModels;
use super::port::{Asking, Call, CallFailure, ChatModel};

/// A call that would have been made.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// What for.
    pub role: Role,
    /// The model's name at its server.
    pub model: String,
    /// The server's origin.
    pub server: String,
    /// What would have been said.
    pub messages: Vec<Message>,
    /// How many tokens that is, estimated rather too high.
    pub question_tokens: u64,
    /// How many tokens the reply may have had.
    pub reply_tokens_max: u64,
    /// What it may have cost at most, in millionths of the unit that prices are given in.
    pub micros_max: Option<u64>,
}

/// What a dry run would have sent.
#[derive(Clone, Default)]
pub struct Rehearsal(Arc<Mutex<Vec<Planned>>>);

impl Rehearsal {
    /// A desk whose models put down what they are asked and answer nothing. Of an exchange in which a question depends on the reply to the
    /// one before, only what is asked without a reply comes.
    #[must_use]
    pub fn desk(&self, desk: ChatModels) -> ChatModels {
        let planned = Arc::clone(&self.0);
        desk.without_budget()
            .map(move |model| Arc::new(Silent { model, planned: Arc::clone(&planned) }) as Arc<dyn ChatModel>)
    }

    /// What would have been sent so far, in order.
    #[must_use]
    pub fn planned(&self) -> Vec<Planned> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

struct Silent {
    model: Arc<dyn ChatModel>,
    planned: Arc<Mutex<Vec<Planned>>>,
}

impl ChatModel for Silent {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn server(&self) -> &str {
        self.model.server()
    }

    fn prices(&self) -> Option<Prices> {
        self.model.prices()
    }

    fn context_tokens(&self) -> usize {
        self.model.context_tokens()
    }

    fn ask<'a>(&'a self, call: &'a Call) -> Asking<'a> {
        let (question, reply) = (tokens_estimate(call.bytes()) as u64, u64::from(call.reply_tokens_max));
        self.planned.lock().unwrap_or_else(PoisonError::into_inner).push(Planned {
            role: call.role,
            model: self.name().to_owned(),
            server: self.server().to_owned(),
            messages: call.messages.clone(),
            question_tokens: question,
            reply_tokens_max: reply,
            micros_max: self.prices().map(|prices| prices.micros(question, reply)),
        });
        Box::pin(async { Err(CallFailure { why: "nothing was sent: it is a dry run".to_owned(), attempts: 0 }) })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use steadfast_dialogue::{Delimiter, Message, Role, Schema, Speaker};

    use super::Rehearsal;
    use steadfast_testkit::wait;

    use crate::chat::fakes::{Counting, Named};
    use crate::chat::{Call, ChatModels};

    #[test]
    fn what_would_be_sent_is_put_down_and_not_sent() {
        let rehearsal = Rehearsal::default();
        let desk =
            ChatModels::new(Arc::new(Counting::default())).with(Role::PlanJudge, Arc::new(Named("m", "http://a")));
        let desk = rehearsal.desk(desk);
        let message = Message { speaker: Speaker::System, text: "abcdefg".to_owned() };
        let call = Call {
            role: Role::PlanJudge,
            messages: vec![message.clone()],
            delimiter: Delimiter::new([0; 16]),
            schema: Schema::new("s", Vec::new()),
            reply_tokens_max: 9,
        };
        let failure = wait(desk.model(Role::PlanJudge).unwrap().ask(&call)).unwrap_err();
        assert_eq!((failure.why.as_str(), failure.attempts), ("nothing was sent: it is a dry run", 0));
        let planned = rehearsal.planned().remove(0);
        assert_eq!((planned.model.as_str(), planned.server.as_str()), ("m", "http://a"));
        assert_eq!((planned.question_tokens, planned.reply_tokens_max, planned.micros_max), (3, 9, None));
        assert_eq!(planned.messages, [message]);
    }
}
