//! Chat models behind servers: OpenAI-compatible ones (OpenAI, vLLM, llama.cpp, Ollama, LM Studio) and Anthropic.
//!
//! A [`ChatServer`] is one server with its key, its limits and what is known of it; [`ChatServer::model`] gives a model there, as the
//! engine's port has it. Replies come as a stream of events or, from servers that do not stream, as one piece of JSON; what is neither is no answer. How a
//! model can be held to a form is found out by asking, and remembered ([`Modes`]). Nothing here reads what a reply means: that is done by
//! the form that was asked for, strictly, whatever the server promised.
//!
//! [`FileLedger`] is the account of a day, [`FileTape`] a recording, [`FileReplies`] a folder of replies, [`FileMarks`] holds what exams say of models.

mod anthropic;
mod error;
mod event;
mod files;
mod guard;
mod marks;
mod mode;
mod openai;
mod reply;
mod server;
mod surroundings;
mod words;

pub use error::Error;
pub use files::{FileLedger, FileReplies, FileTape};
pub use guard::{DIGITS_MAX, LINE_REPEATS_MAX, REPLY_BYTES_MAX, WHITE_SPACE_MAX};
pub use marks::FileMarks;
pub use mode::{Mode, Modes};
pub use server::{BODY_BYTES_MAX, ChatServer, Key, ServerSettings, Waits};
pub use surroundings::{SystemClock, SystemEntropy};
