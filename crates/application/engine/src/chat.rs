//! Chat models: the port through which they are asked, and the one loop that drives every exchange.
//!
//! A model proposes; what it proposes goes back to the instrument that asked, which locates it or sets it aside. Nothing here judges.

mod drive;
mod port;
mod publish;

pub use drive::{CallLog, Desk, Ended, ROUNDS_MAX, Turn, drive};
pub use port::{Asking, CONTEXT_TOKENS_DEFAULT, Call, CallFailure, ChatModel, Completion, Entropy, Finish};
pub use publish::published;
