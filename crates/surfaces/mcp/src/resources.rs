//! What is kept, as resources: runs with their results, and the outputs of tasks.

use std::sync::Arc;

use percent_encoding::percent_decode_str;
use rmcp::model::{
    Annotations, ErrorData, ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult, Resource,
    ResourceContents, ResourceTemplate,
};
use steadfast_engine::ErrorKind;
use steadfast_engine::calls::{self, Host, Refusal, blocking};
use steadfast_engine::limits::TASK_ID_BYTES_MAX;
use steadfast_engine::runs::{self, RunFilter};
use steadfast_wire::Run;
use steadfast_wire::request::FullPayload;
use steadfast_wire::runs::StoredRun;

use crate::MESSAGE_BYTES_MAX;

/// What the address of a run begins with; its id follows.
const RUNS: &str = "steadfast://runs/";

/// What the address of a task's output begins with; its id follows, with what is no letter or digit as `%` and two digits.
const TASKS: &str = "steadfast://tasks/";

/// Runs that one page of the list has.
const LIST_ROWS: usize = 50;

/// Bytes of a uuid as it is written.
const UUID_BYTES: usize = 36;

/// Bytes of a resource that is given; larger ones are read by the command line.
const RESOURCE_BYTES_MAX: u64 = MESSAGE_BYTES_MAX as u64;

/// Bytes of an address that an error repeats.
const URI_BYTES_SHOWN: usize = 2_048;

const JSON: &str = "application/json";
const TEXT: &str = "text/plain";

/// The forms that addresses have.
pub(crate) fn templates() -> ListResourceTemplatesResult {
    ListResourceTemplatesResult::with_all_items(vec![
        ResourceTemplate::new(format!("{RUNS}{{id}}"), "run")
            .with_title("The result of a stored run")
            .with_description("All of what a call gave, as JSON: every incident of an audit, for example. `run.id` of an answer is the id.")
            .with_mime_type(JSON),
        ResourceTemplate::new(format!("{TASKS}{{task_id}}"), "task")
            .with_title("The last output of a task")
            .with_description("All of the last output that was evaluated for a task, as `request_full_payload` gives it.")
            .with_mime_type(TEXT),
    ])
}

/// Where the result of a stored run stands.
pub(crate) fn address(run: &Run) -> String {
    format!("{RUNS}{}", run.id)
}

/// The stored run that an answer speaks of.
pub(crate) fn link(verb: &str, run: &Run) -> Resource {
    described(&run.id, verb, &run.started)
        .with_description("The whole result of this call, with all that was left out here.")
}

/// Stored runs, the newest first: a page of them.
pub(crate) async fn list(host: Arc<dyn Host>, cursor: Option<String>) -> Result<ListResourcesResult, Refusal> {
    if cursor.as_deref().is_some_and(|cursor| !is_uuid(cursor)) {
        return Err(
            Refusal::input("the cursor is none of this server").hint("a cursor is the `nextCursor` of the page before")
        );
    }
    let Some(store) = host.store() else { return Ok(ListResourcesResult::default()) };
    let calling: Arc<dyn calls::Host> = host;
    let found = move || Ok(runs::find_runs(&*store, RunFilter::default(), cursor.as_deref(), LIST_ROWS)?);
    let page = blocking(&calling, found).await?;
    let mut listed = ListResourcesResult::with_all_items(page.runs.iter().map(listed).collect());
    listed.next_cursor = page.next_cursor;
    Ok(listed)
}

/// What stands at an address.
pub(crate) async fn read(host: Arc<dyn Host>, uri: String) -> Result<ReadResourceResult, Refusal> {
    let calling: Arc<dyn calls::Host> = Arc::clone(&host);
    let (text, form) = if let Some(id) = uri.strip_prefix(RUNS).filter(|id| is_uuid(id)).map(str::to_owned) {
        let store = calls::store(&*calling)?;
        let record = blocking(&calling, move || Ok(runs::show_run(&*store, &id)?)).await?;
        (record.result.get().to_owned(), JSON)
    } else if let Some(id) = uri.strip_prefix(TASKS).and_then(decoded) {
        (calls::full_payload(&calling, FullPayload { task_id: id }).await?.full_output, TEXT)
    } else {
        return Err(Refusal::input("no resource of this server has this address")
            .hint(format!("addresses are `{RUNS}ID` and `{TASKS}ID`")));
    };
    if text.len() as u64 > RESOURCE_BYTES_MAX {
        let limit_mib = RESOURCE_BYTES_MAX / (1024 * 1024);
        return Err(Refusal::external(format!(
            "it holds {} bytes, more than the limit of {limit_mib} MiB",
            text.len()
        ))
        .hint("`steadfast runs show` and `steadfast tasks show` have no limit"));
    }
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(form)]))
}

/// Why there is no such page or resource, as the protocol says it.
pub(crate) fn error(refusal: &Refusal, uri: Option<&str>) -> ErrorData {
    let mut what = refusal.message.clone();
    if let Some(hint) = &refusal.hint {
        what.push_str("; hint: ");
        what.push_str(hint);
    }
    match (refusal.kind, uri) {
        (ErrorKind::External | ErrorKind::Full | ErrorKind::Fault, _) => ErrorData::internal_error(what, None),
        (_, Some(uri)) => {
            let uri = uri.get(..uri.floor_char_boundary(URI_BYTES_SHOWN));
            ErrorData::resource_not_found(what, Some(serde_json::json!({ "uri": uri })))
        }
        (_, None) => ErrorData::invalid_params(what, None),
    }
}

/// Nothing of what was read stands in a list: names of files and verdicts are in the result.
fn listed(run: &StoredRun) -> Resource {
    let verdict = run.verdict.as_deref().map(|verdict| format!(": {verdict}")).unwrap_or_default();
    described(&run.id, &run.verb, &run.started)
        .with_description(format!("The result of `{}`{verdict}", run.verb))
        .with_size(run.result_bytes)
}

fn described(id: &str, verb: &str, started: &str) -> Resource {
    let name = format!("{verb} {started}");
    let mut annotations = Annotations::default();
    annotations.last_modified = Some(started.to_owned());
    Resource::new(format!("{RUNS}{id}"), name).with_mime_type(JSON).with_annotations(annotations)
}

fn is_uuid(text: &str) -> bool {
    text.len() == UUID_BYTES
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit() && !byte.is_ascii_uppercase(),
        })
}

/// A task's id as it was before it stood in an address; `None` where none stands there.
fn decoded(text: &str) -> Option<String> {
    let is_escape = |rest: &str| rest.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
    let id = percent_decode_str(text).decode_utf8().ok().filter(|_| text.split('%').skip(1).all(is_escape))?;
    (!id.is_empty() && id.len() <= TASK_ID_BYTES_MAX).then(|| id.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_out_of_addresses() {
        assert_eq!(decoded("task-123").as_deref(), Some("task-123"));
        assert_eq!(decoded("a%20b%2Fc%c3%A9").as_deref(), Some("a b/cé"));
        for none in ["", "%", "%4", "%zz", "%+1", "%ff"] {
            assert_eq!(decoded(none), None, "{none}");
        }
        assert_eq!(decoded(&"x".repeat(TASK_ID_BYTES_MAX)).map(|id| id.len()), Some(TASK_ID_BYTES_MAX));
        assert_eq!(decoded(&"x".repeat(TASK_ID_BYTES_MAX + 1)), None);
    }

    #[test]
    fn only_ids_of_runs_are_looked_up() {
        assert!(is_uuid("0198f0a2-7c1b-7d3e-8a4f-0123456789ab"));
        for none in
            ["", "0198F0A2-7c1b-7d3e-8a4f-0123456789ab", "0198f0a2-7c1b-7d3e-8a4f-0123456789a", "../../etc/passwd"]
        {
            assert!(!is_uuid(none), "{none}");
        }
    }
}
