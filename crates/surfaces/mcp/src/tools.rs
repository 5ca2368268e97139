//! The tools: the calls of the engine that have a name as one, listed with their schemas, and made.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};
use steadfast_engine::calls::{self, Host, Refusal, Row, Stopped, TABLE};
use steadfast_render::plan::file;
use steadfast_wire::Run;
use steadfast_wire::call::ToolSet;
use steadfast_wire::plan::{PlanFile, PlanResponse};

use crate::{Error, bounded, sampling, schema};

/// The calls that are tools, with the name that each has.
fn tools() -> impl Iterator<Item = (&'static Row, steadfast_wire::call::Tool)> {
    TABLE.iter().filter_map(|row| Some((row, row.call.tool?)))
}

/// The call of a tool.
pub(crate) fn row(name: &str) -> Option<&'static Row> {
    tools().find(|(_, tool)| tool.name == name).map(|(row, _)| row)
}

/// The tools of a set, as they are listed.
pub(crate) fn list(set: ToolSet) -> Result<Vec<Tool>, Error> {
    let object = |schema: rmcp::schemars::Schema| match schema.to_value() {
        Value::Object(members) => Ok(members),
        other => Err(Error::Tools(format!("a schema is no object: {other}"))),
    };
    tools()
        .filter(|(_, tool)| tool.set <= set)
        .map(|(row, tool)| {
            let annotations = ToolAnnotations::with_title(row.call.title)
                .read_only(tool.reads_only)
                .destructive(false)
                .idempotent(tool.reads_only)
                .open_world(false);
            let mut arguments = object((row.arguments)())?;
            brief(&mut arguments);
            if tool.name == sampling::TOOL {
                sampling::describe(&mut arguments);
            }
            if tool.takes_max_tokens {
                bounded::describe(&mut arguments);
            }
            let result = outline(&object((row.result)())?);
            Ok(Tool::new(tool.name, tool.about, arguments)
                .with_title(row.call.title)
                .with_raw_output_schema(Arc::new(result))
                .with_annotations(annotations))
        })
        .collect()
}

/// Bytes of JSON of an argument's schema, at most: of a longer one only type and description are listed.
const ARGUMENT_BYTES_MAX: usize = 1_800;

/// Cuts what is long: an argument that is a whole document comes from another tool (`contract` from `audit_contract`), and has a schema of its own.
fn brief(arguments: &mut JsonObject) {
    // The tool has a title and a description of its own.
    for about in ["$schema", "title", "description"] {
        arguments.remove(about);
    }
    let members = arguments.get_mut("properties").and_then(Value::as_object_mut);
    for own in members.into_iter().flat_map(|members| members.values_mut()) {
        schema::compact(own);
        if own.to_string().len() > ARGUMENT_BYTES_MAX {
            let about = own.get("description").cloned().unwrap_or_default();
            *own = json!({"type": ["object", "null"], "description": about});
        }
    }
}

/// The outline of a result's schema: its members and their types. Clients hand the list of tools to a model with every request, and
/// `steadfast schema NAME` and `GET /openapi.json` have the whole of it.
fn outline(schema: &JsonObject) -> JsonObject {
    let members = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let members: JsonObject = members.map(|(name, own)| (name.clone(), type_alone(own))).collect();
    let mut outline = JsonObject::new();
    outline.insert("type".to_owned(), json!("object"));
    outline.insert("properties".to_owned(), Value::Object(members));
    outline
}

/// The type of a member; anything where it is defined elsewhere.
fn type_alone(own: &Value) -> Value {
    own.get("type").map_or_else(|| json!({}), |of| json!({"type": of}))
}

/// What a tool replies: the same value twice, for programs and for models.
pub(crate) struct Reply {
    /// The value.
    pub(crate) value: Value,
    /// Its JSON on one line, and files beside it.
    pub(crate) texts: Vec<String>,
    /// What was left out to keep to `max_tokens`.
    pub(crate) left_out: Vec<String>,
    /// The run that the call was stored as.
    pub(crate) run: Option<Run>,
}

/// Calls a tool. `stopped` says whether anybody still waits for it.
pub(crate) async fn run(
    host: Arc<dyn Host>,
    row: &'static Row,
    mut arguments: JsonObject,
    stopped: Stopped,
) -> Result<Reply, Refusal> {
    let Some(tool) = row.call.tool else { return Err(Refusal::fault("a call without a tool was called as one")) };
    let tokens_max = if tool.takes_max_tokens { bounded::take(&mut arguments)? } else { None };
    let files: Vec<PlanFile> =
        arguments.get("files").cloned().and_then(|files| serde_json::from_value(files).ok()).unwrap_or_default();
    let mut request = (row.read_arguments)(arguments).map_err(|error| {
        let takes = schema::members(&(row.arguments)());
        let hint = format!("`{}` takes {}", tool.name, takes.join(", "));
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
    let mut value = answer.narrowed(whole.clone());
    let (mut texts, mut left_out) = (vec![line], Vec::new());
    if let Some(tokens_max) = tokens_max {
        left_out = bounded::cut(&mut value, tokens_max);
        if !left_out.is_empty() {
            texts = vec![value.to_string()];
        }
    }
    if !files.is_empty() {
        let plan: PlanResponse =
            serde_json::from_value(whole.clone()).map_err(|error| Refusal::fault(error.to_string()))?;
        texts.extend(files.into_iter().map(|form| file(&plan, form).0));
    }
    Ok(Reply { value, texts, left_out, run })
}
