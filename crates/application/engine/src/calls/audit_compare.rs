//! The call that compares two audits that were made.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Host, Refusal, blocking, store};
use crate::EngineError;
use crate::audit::{AuditComparisonOutcome, AuditGiven, AuditSide, stored_audit};
use crate::intake::File;

/// An audit that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuditMade {
    /// A stored run of `audit`, by its id.
    Stored(String),
    /// The JSON of its result.
    Result(File),
}

/// Compares two audits that were made. The comparison is not stored: what is compared is.
///
/// # Errors
/// [`Refusal`] where a stored run is asked for and nothing is kept, no such run, one of another verb, or a result that is none.
pub async fn audit_compare(
    host: &Arc<dyn Host>,
    a: AuditMade,
    b: AuditMade,
) -> Result<AuditComparisonOutcome, Refusal> {
    let (a, b) = (side(host, a).await?, side(host, b).await?);
    Ok(crate::audit_compare(a, b, host.rules()).await?)
}

async fn side(host: &Arc<dyn Host>, made: AuditMade) -> Result<AuditSide, Refusal> {
    match made {
        AuditMade::Stored(id) => {
            let store = store(&**host)?;
            blocking(host, move || Ok(stored_audit(&*store, &id)?)).await
        }
        AuditMade::Result(File { name, bytes }) => {
            let json = String::from_utf8(bytes)
                .map_err(|error| EngineError::NotText { file: name.clone(), what: error.to_string() })?;
            Ok(AuditSide { name, given: AuditGiven::Result { json, texts: BTreeMap::new() } })
        }
    }
}
