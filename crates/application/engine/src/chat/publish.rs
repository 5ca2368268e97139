//! From what is known of calls to the types that are published.

use steadfast_dialogue::{Nothing, Taken};
use steadfast_wire::model::{CallEnded, ModelCall, NeutralisedCount};

use super::drive::{CallLog, Ended};

/// The calls as they are published, in their order.
#[must_use]
pub fn published(log: &[CallLog]) -> Vec<ModelCall> {
    log.iter().map(call).collect()
}

/// Tokens of all questions and of all replies, as far as the server said.
pub(crate) fn tokens(log: &[CallLog]) -> (u64, u64) {
    let sum = |of: fn(&CallLog) -> Option<u64>| log.iter().filter_map(of).fold(0, u64::saturating_add);
    (sum(|call| call.prompt_tokens), sum(|call| call.reply_tokens))
}

/// Why so many of the requests brought nothing, the first reason for all; `None` where each brought a reply.
pub(crate) fn brought_nothing<'a>(
    mut reasons: impl ExactSizeIterator<Item = &'a str>,
    requests: usize,
) -> Option<String> {
    let count = reasons.len();
    Some(format!("{count} of {requests} requests brought nothing: {}", reasons.next()?))
}

fn call(log: &CallLog) -> ModelCall {
    let (ended, why) = ended(&log.ended);
    ModelCall {
        role: log.role.name().to_owned(),
        model: log.model.clone(),
        turn: log.turn,
        ended,
        why,
        attempts: log.attempts,
        prompt_tokens: log.prompt_tokens,
        reply_tokens: log.reply_tokens,
        neutralised: NeutralisedCount { invisible: log.neutralised.invisible, reserved: log.neutralised.reserved },
    }
}

fn ended(own: &Ended) -> (CallEnded, Option<String>) {
    let nothing = match own {
        Ended::Read(taken) => return (CallEnded::Read, took_off(taken)),
        Ended::Without(nothing) => nothing,
    };
    let ended = match nothing {
        Nothing::Unreadable(_) => CallEnded::Unreadable,
        Nothing::Unfinished => CallEnded::Unfinished,
        Nothing::Declined => CallEnded::Declined,
        Nothing::OverBudget(_) => CallEnded::OverBudget,
        Nothing::Failed(_) => CallEnded::Failed,
    };
    (ended, Some(nothing.to_string()))
}

/// What stood around a reply and was taken off it.
fn took_off(taken: &[Taken]) -> Option<String> {
    let words: Vec<&str> = taken
        .iter()
        .map(|taken| match taken {
            Taken::Thoughts => "a block of thoughts",
            Taken::Fence => "a code fence",
            Taken::Before => "words before it",
            Taken::Behind => "what stood behind it",
        })
        .collect();
    (!words.is_empty()).then(|| format!("taken off: {}", words.join(", ")))
}

#[cfg(test)]
mod tests {
    use steadfast_dialogue::{Neutralised, Nothing, Role, Taken};
    use steadfast_wire::model::CallEnded;

    use super::{CallLog, Ended, published};
    use crate::chat::Turn;

    #[track_caller]
    fn check(ended: Ended, wanted: CallEnded, why: Option<&str>) {
        let log = CallLog {
            role: Role::PlanJudge,
            model: "m".to_owned(),
            turn: Turn::Repair,
            ended,
            attempts: 2,
            prompt_tokens: Some(7),
            reply_tokens: None,
            neutralised: Neutralised { invisible: 1, reserved: 3 },
        };
        let call = published(&[log]).remove(0);
        assert_eq!((call.ended, call.why.as_deref()), (wanted, why));
        assert_eq!((call.role.as_str(), call.turn.name(), call.attempts), ("plan.judge", "repair", 2));
        assert_eq!((call.neutralised.invisible, call.neutralised.reserved, call.prompt_tokens), (1, 3, Some(7)));
    }

    #[test]
    fn each_end_has_its_name_and_its_reason() {
        let without = Ended::Without;
        check(Ended::Read(Vec::new()), CallEnded::Read, None);
        check(
            Ended::Read(vec![Taken::Thoughts, Taken::Fence, Taken::Before, Taken::Behind]),
            CallEnded::Read,
            Some("taken off: a block of thoughts, a code fence, words before it, what stood behind it"),
        );
        check(
            without(Nothing::Unreadable(vec!["`a` is missing".to_owned(), "x".to_owned()])),
            CallEnded::Unreadable,
            Some("the reply is not of the form that was asked for: `a` is missing; x"),
        );
        check(without(Nothing::Unfinished), CallEnded::Unfinished, Some("the reply was not finished"));
        check(without(Nothing::Declined), CallEnded::Declined, Some("the model declined to answer"));
        check(
            without(Nothing::OverBudget("2 tokens left".to_owned())),
            CallEnded::OverBudget,
            Some("the call was not made: 2 tokens left"),
        );
        check(without(Nothing::Failed("refused".to_owned())), CallEnded::Failed, Some("the call failed: refused"));
    }
}
