//! The use cases as every door calls them: a request comes in, the answer goes out, and a record is kept where there is a store.
//!
//! A door (HTTP, MCP, the console, the command line) reads a [`request`](steadfast_wire::request), makes one call here, and writes the answer in its own form; so
//! the same request has the same answer at every door. [`TABLE`] lists the calls for the doors that take JSON. What calls need of the world they ask of their [`Host`].

mod audit;
mod host;
pub mod kept;
mod pick;
mod plan;
mod record;
mod review;
mod session;
mod source;
mod table;
pub mod vault;
mod watch;

use std::sync::Arc;

use steadfast_dialogue::Role;

pub use audit::{
    AuditContext, PERSON_BYTES_MAX, audit, audit_again, audit_compare, audit_models, audit_undecided, by_person, lint,
    open_of_nothing, open_to_a_person, saved_audit, texts_are_kept,
};
pub use host::{Host, ModelState, Now, Traces, blocking};
pub use pick::{feedback, pick, vault_search};
pub use plan::{plan, plan_check, plan_constraints};
pub use record::GateSet;
pub use review::{flag, full_payload, review, review_undecided};
pub use session::keep_session;
pub use table::{Prepared, ReadArguments, ReadBody, Row, Stopped, TABLE, UseCase, Working};
pub use watch::{watch, watch_compare};

pub use crate::error::Refusal;
pub use crate::pool::{Context, MemoryBound, SHORT_BYTES};

use crate::EngineError;
use crate::chat::ChatModels;
use crate::store::Keep;

/// Characters of a fingerprint: 128 bits.
const FINGERPRINT_CHARS: usize = 32;

/// A hash by which an answer is recognised: the same bytes have the same one.
#[must_use]
pub fn fingerprint(bytes: &[u8]) -> String {
    let mut hash = crate::hash::sha256(bytes);
    hash.truncate(FINGERPRINT_CHARS);
    hash
}

/// The store of the host.
///
/// # Errors
/// [`Refusal`] where it keeps nothing.
pub fn store(host: &dyn Host) -> Result<Arc<dyn Keep>, Refusal> {
    host.store().ok_or_else(|| {
        Refusal::input("this server keeps nothing, and this needs what was kept")
            .hint("start the server without `--no-store`")
    })
}

/// Reads or writes what the host keeps, off the thread that awaits.
///
/// # Errors
/// Those of `work`; [`Refusal`] where nothing is kept.
pub async fn with_store<T: Send + 'static>(
    host: &Arc<dyn Host>,
    work: impl FnOnce(&dyn Keep) -> Result<T, EngineError> + Send + 'static,
) -> Result<T, Refusal> {
    let store = store(&**host)?;
    blocking(host, move || Ok(work(&*store)?)).await
}

/// The chat models of these roles; `None` where no role is asked for.
fn desk(host: &dyn Host, roles: impl IntoIterator<Item = Role>) -> Result<Option<Arc<ChatModels>>, Refusal> {
    let roles: Vec<Role> = roles.into_iter().collect();
    if roles.is_empty() { Ok(None) } else { host.chat_models(&roles) }
}
