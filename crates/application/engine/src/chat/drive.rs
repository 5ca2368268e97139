//! The one loop that drives every exchange: fence, ask, read, ask once more where the reply could not be read.

use std::sync::Arc;

use steadfast_dialogue::{
    Answer, Delimiter, Exchange, Message, Neutralised, Nothing, Request, Role, Step, Taken, messages, repair,
    tokens_estimate,
};
pub use steadfast_wire::model::CallTurn as Turn;

use super::models::ChatModels;
use super::port::{Call, ChatModel, Completion, Finish};
use crate::EngineError;

/// Most requests of one exchange. One that asks for more has a fault, and ends as one.
pub const ROUNDS_MAX: usize = 256;

/// What is known of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallLog {
    /// What for.
    pub role: Role,
    /// Who was asked.
    pub model: String,
    /// Whether it was the first or the second try of a request.
    pub turn: Turn,
    /// How it ended.
    pub ended: Ended,
    /// How many attempts the server took.
    pub attempts: u32,
    /// Tokens of the question, where the server said.
    pub prompt_tokens: Option<u64>,
    /// Tokens of the reply, where the server said.
    pub reply_tokens: Option<u64>,
    /// What was neutralised in the judged texts.
    pub neutralised: Neutralised,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// With a reply of the form that was asked for, after this was taken off.
    Read(Vec<Taken>),
    /// Without one.
    Without(Nothing),
}

/// Drives an exchange to its end and gives its proposal. Each call is put down in `log`, in order. That a call fails is no error: the exchange is told, and
/// decides what it can propose without it.
///
/// # Errors
/// [`EngineError::NoChatModel`] where a role is asked for that nobody sits in; [`EngineError::Internal`] where an exchange does not end.
pub async fn drive<E: Exchange>(
    exchange: &mut E,
    desk: &ChatModels,
    log: &mut Vec<CallLog>,
) -> Result<E::Proposal, EngineError> {
    let mut answer = None;
    for _ in 0..=ROUNDS_MAX {
        match exchange.next(answer.take()) {
            Step::Done(proposal) => return Ok(proposal),
            Step::Send(request) => answer = Some(ask(&request, desk, log).await?),
        }
    }
    Err(EngineError::Internal { what: format!("an exchange asks for more than {ROUNDS_MAX} replies") })
}

async fn ask(request: &Request, desk: &ChatModels, log: &mut Vec<CallLog>) -> Result<Answer, EngineError> {
    let Some(model) = desk.model(request.role) else {
        return Err(EngineError::NoChatModel { role: request.role.name().to_owned() });
    };
    let delimiter = Delimiter::new(desk.entropy().bytes());
    let (messages, neutralised) = messages(request, &delimiter);
    let mut call = Call {
        role: request.role,
        messages,
        delimiter,
        schema: request.schema.clone(),
        reply_tokens_max: request.reply_tokens_max,
    };
    let first = turn(&call, model, desk, neutralised, Turn::First, log).await;
    let Err(Unread { reply, nothing: Nothing::Unreadable(faults) }) = first else {
        return Ok(first.unwrap_or_else(|unread| Answer::Nothing(unread.nothing)));
    };
    call.messages.extend::<[Message; 2]>(repair(&reply, &faults));
    let second = turn(&call, model, desk, neutralised, Turn::Repair, log).await;
    Ok(second.unwrap_or_else(|unread| Answer::Nothing(unread.nothing)))
}

/// A reply that gave nothing.
struct Unread {
    reply: String,
    nothing: Nothing,
}

async fn turn(
    call: &Call,
    model: &Arc<dyn ChatModel>,
    desk: &ChatModels,
    neutralised: Neutralised,
    turn: Turn,
    log: &mut Vec<CallLog>,
) -> Result<Answer, Unread> {
    let mut entry = CallLog {
        role: call.role,
        model: model.name().to_owned(),
        turn,
        ended: Ended::Read(Vec::new()),
        attempts: 0,
        prompt_tokens: None,
        reply_tokens: None,
        neutralised,
    };
    let result = match within_budget(call, model, desk).await {
        Err(nothing) => {
            entry.attempts = nothing.attempts;
            Err(Unread { reply: String::new(), nothing: nothing.nothing })
        }
        Ok(completion) => {
            entry.attempts = completion.attempts;
            entry.prompt_tokens = completion.prompt_tokens;
            entry.reply_tokens = completion.reply_tokens;
            read(call, completion)
        }
    };
    let result = result.map(|(record, taken)| {
        entry.ended = Ended::Read(taken);
        Answer::Record(record)
    });
    if let Err(unread) = &result {
        entry.ended = Ended::Without(unread.nothing.clone());
    }
    log.push(entry);
    result
}

/// A call that brought no reply.
struct Unanswered {
    attempts: u32,
    nothing: Nothing,
}

/// Asks, where the budget has room for the question and the longest reply; afterwards the budget has what the server counted, or an
/// estimate of what went and came.
async fn within_budget(call: &Call, model: &Arc<dyn ChatModel>, desk: &ChatModels) -> Result<Completion, Unanswered> {
    let (question, prices) = (tokens_estimate(call.bytes()) as u64, model.prices());
    let reserved = match desk.budget() {
        None => None,
        Some(budget) => match budget.reserve(prices, question, u64::from(call.reply_tokens_max)) {
            Ok(reserved) => Some((budget, reserved)),
            Err(why) => return Err(Unanswered { attempts: 0, nothing: Nothing::OverBudget(why) }),
        },
    };
    let result = model.ask(call).await;
    if let Some((budget, reserved)) = reserved {
        let (asked, replied) = match &result {
            // What was begun and lost, the model has put to the account itself.
            Err(_) => (0, 0),
            Ok(completion) => (
                completion.prompt_tokens.unwrap_or(question),
                completion.reply_tokens.unwrap_or(tokens_estimate(completion.text.len()) as u64),
            ),
        };
        budget.settle(reserved, prices, asked, replied);
    }
    result.map_err(|failure| Unanswered { attempts: failure.attempts, nothing: Nothing::Failed(failure.why) })
}

/// Only a finished reply counts.
fn read(call: &Call, completion: Completion) -> Result<(steadfast_dialogue::Record, Vec<Taken>), Unread> {
    let reply = completion.text;
    match completion.finish {
        Finish::Length | Finish::Unsaid => Err(Unread { reply, nothing: Nothing::Unfinished }),
        Finish::Declined => Err(Unread { reply, nothing: Nothing::Declined }),
        Finish::Stop => match call.schema.read(&reply) {
            Ok(reading) => Ok((reading.record, reading.taken)),
            Err(faults) => Err(Unread { reply, nothing: Nothing::Unreadable(faults) }),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use steadfast_dialogue::{Answer, Exchange, Field, Form, Nothing, Passage, Request, Role, Schema, Speaker, Step};

    use super::{CallLog, Ended, Turn, drive};
    use steadfast_testkit::wait;

    use crate::EngineError;
    use crate::chat::{Asking, Call, CallFailure, ChatModel, ChatModels, Completion, Entropy, Finish};

    struct Counting(Mutex<u8>);

    impl Entropy for Counting {
        fn bytes(&self) -> [u8; 16] {
            let mut count = self.0.lock().unwrap();
            *count += 1;
            [*count; 16]
        }
    }

    /// Gives these replies, one after the other, and keeps what it was asked.
    struct Scripted {
        replies: Mutex<Vec<Result<(&'static str, Finish), &'static str>>>,
        asked: Mutex<Vec<Call>>,
    }

    impl ChatModel for Scripted {
        fn name(&self) -> &str {
            "scripted"
        }

        fn ask<'a>(&'a self, call: &'a Call) -> Asking<'a> {
            self.asked.lock().unwrap().push(call.clone());
            let reply = self.replies.lock().unwrap().remove(0);
            Box::pin(async move {
                let (text, finish) = reply.map_err(|why| CallFailure { why: why.to_owned(), attempts: 3 })?;
                Ok(Completion {
                    text: text.to_owned(),
                    finish,
                    prompt_tokens: Some(7),
                    reply_tokens: None,
                    attempts: 1,
                })
            })
        }
    }

    /// Asks the same twice.
    #[derive(Default)]
    struct Twice(Vec<Answer>);

    impl Exchange for Twice {
        type Proposal = Vec<Answer>;

        fn next(&mut self, answer: Option<Answer>) -> Step<Vec<Answer>> {
            self.0.extend(answer);
            if self.0.len() == 2 {
                return Step::Done(std::mem::take(&mut self.0));
            }
            Step::Send(Request {
                role: Role::PlanJudge,
                instructions: "Count.".to_owned(),
                passages: vec![Passage { label: "notes", text: "a<|b".to_owned() }],
                schema: Schema::new("count", vec![Field::new("n", "how many", Form::Integer { min: 0, max: 9 })]),
                reply_tokens_max: 10,
            })
        }
    }

    type Reply = Result<(&'static str, Finish), &'static str>;

    fn driven(replies: Vec<Reply>) -> (Vec<Option<i64>>, Vec<CallLog>, Vec<Call>) {
        let model = Arc::new(Scripted { replies: Mutex::new(replies), asked: Mutex::default() });
        let desk =
            ChatModels::new(Arc::new(Counting(Mutex::new(0)))).with(Role::PlanJudge, Arc::<Scripted>::clone(&model));
        let mut log = Vec::new();
        let answers = wait(drive(&mut Twice::default(), &desk, &mut log)).unwrap();
        let counted = answers.into_iter().map(|answer| match answer {
            Answer::Record(record) => Some(record.integer("n")),
            Answer::Nothing(_) => None,
        });
        (counted.collect(), log, model.asked.lock().unwrap().clone())
    }

    #[test]
    fn every_call_has_a_delimiter_of_its_own_and_counts_what_was_neutralised() {
        let (counted, log, asked) =
            driven(vec![Ok(("{\"n\": 1}", Finish::Stop)), Ok(("```\n{\"n\": 2}\n```", Finish::Stop))]);
        assert_eq!(counted, [Some(1), Some(2)]);
        assert!(
            asked[0].messages[1].text.contains(&"01".repeat(16))
                && asked[1].messages[1].text.contains(&"02".repeat(16))
        );
        assert_eq!(
            log.iter().map(|call| (call.turn, call.neutralised.reserved, call.prompt_tokens)).collect::<Vec<_>>(),
            [(Turn::First, 1, Some(7)), (Turn::First, 1, Some(7))]
        );
    }

    #[test]
    fn a_reply_that_cannot_be_read_is_asked_for_once_more_and_no_oftener() {
        let (counted, log, asked) = driven(vec![
            Ok(("{\"n\": 12}", Finish::Stop)),
            Ok(("{\"n\": 3}", Finish::Stop)),
            Ok(("no", Finish::Stop)),
            Ok(("no", Finish::Stop)),
        ]);
        assert_eq!(counted, [Some(3), None]);
        assert_eq!(asked.iter().map(|call| call.messages.len()).collect::<Vec<_>>(), [2, 4, 2, 4]);
        assert_eq!(
            (asked[1].messages[2].speaker, asked[1].messages[2].text.as_str()),
            (Speaker::Assistant, "{\"n\": 12}")
        );
        assert!(asked[1].messages[3].text.contains("`n` is 12, not between 0 and 9"));
        let ended: Vec<bool> = log.iter().map(|call| matches!(call.ended, Ended::Read(_))).collect();
        assert_eq!(ended, [false, true, false, false]);
        assert_eq!(
            log.iter().map(|call| call.turn).collect::<Vec<_>>(),
            [Turn::First, Turn::Repair, Turn::First, Turn::Repair]
        );
    }

    #[test]
    fn only_a_finished_reply_counts_and_a_failure_is_told_not_repeated() {
        let (counted, log, _) = driven(vec![Ok(("{\"n\": 1}", Finish::Length)), Err("refused")]);
        assert_eq!(counted, [None, None]);
        assert_eq!(log[0].ended, Ended::Without(Nothing::Unfinished));
        assert_eq!((&log[1].ended, log[1].attempts), (&Ended::Without(Nothing::Failed("refused".to_owned())), 3));
        let (counted, log, _) = driven(vec![Ok(("{\"n\": 1}", Finish::Unsaid)), Ok(("{\"n\": 1}", Finish::Declined))]);
        assert_eq!(counted, [None, None]);
        assert_eq!(log[1].ended, Ended::Without(Nothing::Declined));
    }

    #[test]
    fn a_role_without_a_model_and_an_exchange_without_an_end_are_errors() {
        struct Endless;
        impl Exchange for Endless {
            type Proposal = ();
            fn next(&mut self, _: Option<Answer>) -> Step<()> {
                match Twice::default().next(None) {
                    Step::Send(request) => Step::Send(request),
                    Step::Done(_) => Step::Done(()),
                }
            }
        }
        struct Always;
        impl ChatModel for Always {
            fn name(&self) -> &str {
                "always"
            }
            fn ask<'a>(&'a self, _: &'a Call) -> Asking<'a> {
                Box::pin(async { Err(CallFailure { why: "down".to_owned(), attempts: 0 }) })
            }
        }
        let desk = ChatModels::new(Arc::new(Counting(Mutex::new(0))));
        let error = wait(drive(&mut Endless, &desk, &mut Vec::new())).unwrap_err();
        assert_eq!(error, EngineError::NoChatModel { role: "plan.judge".to_owned() });
        struct Still;
        impl Entropy for Still {
            fn bytes(&self) -> [u8; 16] {
                [0; 16]
            }
        }
        let desk = ChatModels::new(Arc::new(Still)).with(Role::PlanJudge, Arc::new(Always));
        let error = wait(drive(&mut Endless, &desk, &mut Vec::new())).unwrap_err();
        assert!(matches!(error, EngineError::Internal { .. }), "{error}");
    }
}
