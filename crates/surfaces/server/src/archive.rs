//! Zip archives that come over the network: what a run in them inflates to is held to the limit of bodies.

use axum::body::Bytes;
use steadfast_engine::intake::Archive;

use crate::live::off;
use crate::problem::Problem;
use crate::problem::kinds::TOO_LARGE;
use crate::query::shown;

/// Bytes that a run inflates to.
const RUN_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Refuses the archive of a run that inflates to more than that. What else is wrong with it is told by whoever reads it.
pub(crate) async fn bounded(name: &str, archive: &Bytes) -> Result<(), Problem> {
    let (name, archive) = (name.to_owned(), archive.clone());
    off(move || match Archive::open(&name, archive) {
        Ok(archive) => run(&name, archive.members().map(|(_, bytes)| bytes).sum()),
        Err(_) => Ok(()),
    })
    .await
}

/// Refuses a run that inflates to so many bytes, where they are too many.
pub(crate) fn run(name: &str, bytes: u64) -> Result<(), Problem> {
    if bytes > RUN_BYTES_MAX {
        let what = format!("{}: a run inflates to {bytes} bytes, more than {RUN_BYTES_MAX}", shown(name));
        return Err(Problem::of(&TOO_LARGE, what));
    }
    Ok(())
}
