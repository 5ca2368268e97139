//! What is said to a chat model and how its reply is read, as plain types: no network, no clock, no randomness.
//!
//! An [`Exchange`] is a conversation as a state machine: it gives a [`Request`], takes the [`Answer`], and ends in a proposal. A request has
//! our instructions, the [`Passage`]s that are judged, and the flat [`Schema`] that a reply must have. [`messages`] makes what goes over
//! the wire: passages stand apart from the instructions, fenced by a [`Delimiter`] that is drawn anew for every call, with what could pass for markup of a chat
//! neutralised and counted. [`Schema::read`] takes a reply apart strictly; what it cannot read, it says in words that can be sent back
//! once as a [`repair`].
//!
//! A model only ever proposes. What stands in a [`Record`] has the form that was asked for, and nothing more is known of it.

mod exchange;
mod fence;
mod json;
mod message;
mod role;
mod schema;

pub use exchange::{Answer, Each, Exchange, Nothing, Step};
pub use fence::{Delimiter, Neutralised, neutralise};
pub use message::{Message, Passage, Request, Speaker, messages, repair, tokens_estimate};
pub use role::Role;
pub use schema::{Field, Form, Reading, Record, Schema, Taken};
