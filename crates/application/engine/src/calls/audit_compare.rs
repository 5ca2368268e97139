//! The call that compares two stored audits.

use std::sync::Arc;

use super::{Host, Refusal, blocking, store};
use crate::audit::{AuditComparisonOutcome, stored_audit};

/// Compares two stored runs of `audit`. What is compared is stored, so the comparison is not.
///
/// # Errors
/// [`Refusal`] where nothing is kept, no such run, or one of another verb.
pub async fn audit_compare(host: &Arc<dyn Host>, a: String, b: String) -> Result<AuditComparisonOutcome, Refusal> {
    let store = store(&**host)?;
    let (a, b) = blocking(host, move || Ok((stored_audit(&*store, &a)?, stored_audit(&*store, &b)?))).await?;
    Ok(crate::audit_compare(a, b, host.rules()).await?)
}
