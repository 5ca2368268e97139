//! Chat models: the ports through which they are asked, and the one loop that drives every exchange.
//!
//! A model proposes; what it proposes goes back to the instrument that asked, which locates it or sets it aside. Nothing here judges. [`drive()`]
//! goes through an exchange at a [`ChatModels`]; each call keeps to the [`Budget`], and a [`Patient`] server is asked again where that may help.
//! What was said can be recorded ([`Recording`]) and replayed ([`Replay`]), be kept so that no question is asked twice ([`Cached`]), or only be put down ([`Rehearsal`]).

mod breaker;
mod budget;
mod cached;
mod check;
mod drive;
#[cfg(test)]
mod fakes;
mod models;
mod patient;
mod port;
mod publish;
mod recording;
mod rehearse;
mod retry;
mod room;

pub use steadfast_dialogue::{Nothing, Role};

pub use breaker::{BREAKER_FAILURES, BREAKER_OPEN, Breaker};
pub use budget::{Budget, Cost, Ledger, Limit, Limits, Prices, Reserved, money};
pub use cached::{Cached, Replies};
pub use check::check;
pub use drive::{CallLog, Ended, ROUNDS_MAX, Turn, drive};
pub use models::{ChatModels, SelfJudged};
pub use patient::{Attempting, Patient, Server, Surroundings};
pub use port::{
    Asking, CONTEXT_TOKENS_DEFAULT, Call, CallFailure, ChatModel, Clock, Completion, Entropy, Finish, Sleeping,
};
pub use publish::published;
pub(crate) use publish::{brought_nothing, tokens};
pub use recording::{Recording, Replay, Tape};
pub use rehearse::{Planned, Rehearsal};
pub use retry::{ATTEMPTS_MAX, Fault, FaultKind, Next, RETRY_AFTER_MAX, next};
pub use room::extraction_room;
pub(crate) use room::{FENCE_BYTES, fenced_bytes, fitting, head, passage, room_bytes, room_bytes_beside, size, within};
