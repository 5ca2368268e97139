//! From a source of a request to a file.

use std::sync::Arc;

use steadfast_wire::request::{JsonSource, Source};

use super::{Host, Refusal, blocking};
use crate::intake::File;

/// The file of a source. A text without a name gets the file that `named` makes of it, which has the same name at every door.
pub(super) async fn file(
    host: &Arc<dyn Host>,
    source: Source,
    named: impl FnOnce(String) -> File,
) -> Result<File, Refusal> {
    match source {
        Source::Text(text) => Ok(named(text)),
        Source::Named { name, text } => Ok(File::of(name, text)),
        Source::Bytes { name, bytes } => Ok(File { name, bytes }),
        Source::Folder { name, .. } => Err(Refusal::input(format!("{name}: is a folder, not a file"))),
        Source::Path(path) => {
            let own = Arc::clone(host);
            blocking(host, move || own.file(&path)).await
        }
    }
}

/// The files of sources. Texts without a name get one of their number, from 1.
pub(super) async fn files(
    host: &Arc<dyn Host>,
    sources: Vec<Source>,
    named: impl Fn(usize) -> String,
) -> Result<Vec<File>, Refusal> {
    let mut files = Vec::with_capacity(sources.len());
    for (at, source) in sources.into_iter().enumerate() {
        files.push(file(host, source, |text| File::of(named(at + 1), text)).await?);
    }
    Ok(files)
}

/// The file of a source that a request cannot do without.
pub(super) async fn required(
    host: &Arc<dyn Host>,
    member: &str,
    source: Option<Source>,
    named: impl FnOnce(String) -> File,
) -> Result<File, Refusal> {
    let source = source.ok_or_else(|| Refusal::input(format!("`{member}` is missing")))?;
    file(host, source, named).await
}

/// The file of a plan or a result, which is JSON. A value and a text without a name get the file that `named` makes of them.
pub(super) async fn json_file(
    host: &Arc<dyn Host>,
    source: JsonSource,
    named: impl FnOnce(String) -> File,
) -> Result<File, Refusal> {
    match source {
        JsonSource::Value(value) => Ok(named(value.to_string())),
        JsonSource::Source(source) => file(host, source, named).await,
    }
}
