//! The tools: the calls of the engine that have a name as one, listed with their schemas, and made.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};
use steadfast_engine::calls::{self, Host, Refusal, Row, Stopped, TABLE};
use steadfast_render::plan::file;
use steadfast_wire::Run;
use steadfast_wire::plan::{PlanFile, PlanResponse};

use crate::Error;

/// The calls that are tools, with the name that each has.
fn tools() -> impl Iterator<Item = (&'static Row, steadfast_wire::call::Tool)> {
    TABLE.iter().filter_map(|row| Some((row, row.call.tool?)))
}

/// The call of a tool.
pub(crate) fn row(name: &str) -> Option<&'static Row> {
    tools().find(|(_, tool)| tool.name == name).map(|(row, _)| row)
}

/// The tools as they are listed.
pub(crate) fn list() -> Result<Vec<Tool>, Error> {
    let object = |schema: rmcp::schemars::Schema| match schema.to_value() {
        Value::Object(members) => Ok(members),
        other => Err(Error::Tools(format!("a schema is no object: {other}"))),
    };
    tools()
        .map(|(row, tool)| {
            let annotations = ToolAnnotations::with_title(row.call.title)
                .read_only(tool.reads_only)
                .destructive(false)
                .idempotent(tool.reads_only)
                .open_world(false);
            let (arguments, mut result) = (object((row.arguments)())?, object((row.result)())?);
            if arguments.get("properties").is_some_and(|properties| properties.get("fields").is_some()) {
                result = partial(result);
            }
            Ok(Tool::new(tool.name, tool.about, arguments)
                .with_title(row.call.title)
                .with_raw_output_schema(Arc::new(result))
                .with_annotations(annotations))
        })
        .collect()
}

/// The schema of a result of which `fields` may leave only some members: all that are there are as they always are.
fn partial(mut schema: JsonObject) -> JsonObject {
    let required = schema.remove("required").unwrap_or_else(|| json!([]));
    let without_fields = json!({"required": required});
    let about = "Where `fields` is given: only the members that it names.";
    schema.insert("anyOf".to_owned(), json!([without_fields, {"description": about, "minProperties": 1}]));
    schema
}

/// What a tool replies: the same value twice, for programs and for models.
pub(crate) struct Reply {
    /// The value.
    pub(crate) value: Value,
    /// Its JSON on one line, and files beside it.
    pub(crate) texts: Vec<String>,
    /// The run that the call was stored as.
    pub(crate) run: Option<Run>,
}

/// Calls a tool. `stopped` says whether anybody still waits for it.
pub(crate) async fn run(
    host: Arc<dyn Host>,
    row: &'static Row,
    arguments: JsonObject,
    stopped: Stopped,
) -> Result<Reply, Refusal> {
    let Some(tool) = row.call.tool else { return Err(Refusal::fault("a call without a tool was called as one")) };
    let files: Vec<PlanFile> =
        arguments.get("files").cloned().and_then(|files| serde_json::from_value(files).ok()).unwrap_or_default();
    let mut request = (row.read_arguments)(arguments).map_err(|error| {
        let hint = format!("`tools/list` has the schema of what `{}` takes", tool.name);
        Refusal::input(format!("{}: {error}", tool.name)).hint(hint)
    })?;
    if tool.needs_store {
        calls::store(&*host)?;
    }
    request.for_tool();
    let answer = request.run(host, stopped).await?;
    let fault = |error: steadfast_wire::Error| Refusal::fault(error.to_string());
    let (whole, line) = (answer.whole().map_err(fault)?, answer.line().map_err(fault)?);
    let run = whole.get("run").cloned().and_then(|run| serde_json::from_value(run).ok());
    let mut texts = vec![line];
    if !files.is_empty() {
        let plan: PlanResponse =
            serde_json::from_value(whole.clone()).map_err(|error| Refusal::fault(error.to_string()))?;
        texts.extend(files.into_iter().map(|form| file(&plan, form).0));
    }
    Ok(Reply { value: answer.narrowed(whole), texts, run })
}
