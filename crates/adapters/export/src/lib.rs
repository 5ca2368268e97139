//! Traces out: JSON lines, Opik, and any collector that speaks OTLP over HTTP.
//!
//! An [`Outbox`] takes what a run came to. Lines of a file are written at once; everything else goes into a [`Queue`] on the disk first, and
//! [`Outbox::send`] sends what waits there, within the time that it is given. An exporter that is down costs a run nothing but that time, once a
//! while, and nothing is dropped without being counted: what does not fit into the queue is refused and said, what the other side will never take
//! stands aside with its reason.
//!
//! How a trace looks to a collector is a pure function of it: [`jsonl::line`], [`opik::calls`], [`otlp::request`].

mod clock;
mod error;
pub mod jsonl;
pub mod opik;
pub mod otlp;
mod outbox;
mod queue;
mod send;
mod settings;

pub use clock::SystemClock;
pub use error::ExportError;
pub use outbox::{Outbox, Report, Urgency, WAIT_DEFAULT};
pub use queue::{BYTES_MAX, ENTRIES_MAX, ENTRY_BYTES_MAX, Limits, Queue};
pub use send::{CALL_SECONDS_MAX, Call};
pub use settings::{Exporter, Opik, Otlp, exporter};
