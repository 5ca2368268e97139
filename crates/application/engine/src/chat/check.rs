//! One tiny question, to see whether a model answers.

use steadfast_dialogue::{Answer, Exchange, Field, Form, Passage, Request, Role, Schema, Step};

use super::drive::{CallLog, drive};
use super::models::ChatModels;
use crate::EngineError;

/// How many tokens the reply may have: room for a model that thinks first.
const REPLY_TOKENS_MAX: u32 = 1_000;

/// Asks whoever has a role one tiny question. What came of it is what is put down last; all of it is given, in order.
///
/// # Errors
/// [`EngineError::NoChatModel`] where nobody has the role.
pub async fn check(desk: &ChatModels, role: Role) -> Result<Vec<CallLog>, EngineError> {
    let mut log = Vec::new();
    drive(&mut Tiny(Some(role)), desk, &mut log).await?;
    Ok(log)
}

struct Tiny(Option<Role>);

impl Exchange for Tiny {
    type Proposal = ();

    fn next(&mut self, _: Option<Answer>) -> Step<()> {
        let Some(role) = self.0.take() else { return Step::Done(()) };
        Step::Send(Request {
            role,
            instructions: "This is a test of the connection. Set `ready` to true.".to_owned(),
            passages: vec![Passage { label: "note", text: "Is anybody there?".to_owned() }],
            schema: Schema::new("readiness", vec![Field::new("ready", "whether you read this", Form::Flag)]),
            reply_tokens_max: REPLY_TOKENS_MAX,
        })
    }
}
