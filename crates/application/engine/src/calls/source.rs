//! From a source of a request to a file.

use std::sync::Arc;

use steadfast_wire::request::{JsonSource, Source};

use super::{Host, Refusal, blocking};
use crate::intake::File;
use crate::plan::plan_file;

/// The file of a source. A text without a name gets the file that `named` makes of it, which has the same name at every door.
pub(super) async fn file(
    host: &Arc<dyn Host>,
    source: Source,
    named: impl FnOnce(Vec<u8>) -> File,
) -> Result<File, Refusal> {
    match source {
        Source::Text(text) => Ok(named(text.into_bytes())),
        Source::Named { name, text } => Ok(File { name, bytes: text.into_bytes() }),
        Source::Bytes { name, bytes } => Ok(File { name, bytes }),
        Source::Folder { name, .. } => Err(Refusal::input(format!("{name}: is a folder, not a file"))),
        Source::Path(path) => {
            let own = Arc::clone(host);
            blocking(host, move || own.file(&path)).await
        }
    }
}

/// The file of a source that a request cannot do without.
pub(super) async fn required(
    host: &Arc<dyn Host>,
    member: &str,
    source: Option<Source>,
    named: impl FnOnce(Vec<u8>) -> File,
) -> Result<File, Refusal> {
    let source = source.ok_or_else(|| Refusal::input(format!("`{member}` is missing")))?;
    file(host, source, named).await
}

/// The file of a plan or a result, which is JSON.
pub(super) async fn json_file(host: &Arc<dyn Host>, source: JsonSource) -> Result<File, Refusal> {
    match source {
        JsonSource::Value(value) => Ok(plan_file(value.to_string())),
        JsonSource::Text(text) => Ok(plan_file(text)),
        JsonSource::Bytes { name, bytes } => Ok(File { name, bytes }),
        JsonSource::Path(path) => file(host, Source::Path(path), |bytes| File { name: String::new(), bytes }).await,
    }
}
