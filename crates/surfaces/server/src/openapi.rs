//! The document that describes the API (OpenAPI 3.1), made from the tables of routes and the schemas of `wire`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::http::{Method, StatusCode};
use serde_json::{Map, Value, json};
use steadfast_wire::api::{self, Components};

use crate::api::TABLES;
use crate::problem::{Kind, MEDIA_TYPE, kinds};
use crate::query::{Kind as Of, Parameter};
use crate::routes::{Media, Route, Scope};

/// The document, as it is served.
pub(crate) static DOCUMENT: LazyLock<String> = LazyLock::new(|| {
    // Plain JSON always has a text.
    steadfast_wire::to_json(&document()).unwrap_or_default()
});

/// Text without control characters, as a pattern.
const NO_CONTROLS: &str = r"^[^\u0000-\u001f\u007f-\u009f]*$";

/// Problems that any route may have.
static ALWAYS: &[&Kind] = &[
    &kinds::BAD_REQUEST,
    &kinds::FOREIGN_HOST,
    &kinds::NOT_ACCEPTABLE,
    &kinds::TOO_MANY,
    &kinds::INTERNAL,
    &kinds::BUSY,
];

/// Problems that routes with a body may have.
static OF_BODIES: &[&Kind] = &[&kinds::MALFORMED, &kinds::TOO_SLOW, &kinds::TOO_LARGE, &kinds::MEDIA, &kinds::INVALID];

fn document() -> Value {
    let mut components = Components::default();
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for route in TABLES.iter().copied().flatten() {
        let operation = operation(route, &mut components);
        paths.entry(route.path).or_default().insert(route.method.as_str().to_ascii_lowercase(), operation);
    }
    components.of::<api::Problem>();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Steadfast",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Keeps the work of LLM agents true to what their user asked.",
            "description": "The answer of an instrument is what the command of the same name prints as JSON, byte for byte but for the member \
                `run`. Errors are problem details (RFC 9457); their `type` is a path of the server that says more.",
            "license": {"name": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "tags": [
            {"name": "instruments", "description": "Five questions about a piece of work, in the order in which it meets them."},
            {"name": "vault", "description": "Prompts that are picked from."},
            {"name": "runs", "description": "What was asked and answered."},
            {"name": "decisions", "description": "What people decided on findings."},
            {"name": "tasks", "description": "What agents made of tasks, and which of it is an example."},
            {"name": "trajectories", "description": "Agents that are followed while they work."},
            {"name": "alerts", "description": "Rules that say when an agent goes wrong, and what they said."},
            {"name": "jobs", "description": "Work that takes long, done in the background."},
            {"name": "server", "description": "The server itself."},
        ],
        "paths": paths,
        "components": {
            "schemas": components.schemas(),
            "securitySchemes": {
                "key": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A key that `steadfast key create` made, where the server asks for one (`--require-key`).",
                },
            },
        },
    })
}

fn operation(route: &Route, components: &mut Components) -> Value {
    let mut own = Map::new();
    own.insert("operationId".to_owned(), route.name.into());
    own.insert("tags".to_owned(), json!([route.tag]));
    own.insert("summary".to_owned(), route.summary.into());
    own.insert("description".to_owned(), route.about.into());
    let security = match route.scope.name() {
        // Without `--require-key` nobody needs a key.
        Some(scope) => json!([{"key": [scope]}, {}]),
        None => json!([]),
    };
    own.insert("security".to_owned(), security);
    let parts = route.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let of_path = parts.map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}));
    let query = route.query.iter().map(|own| parameter(own, "query"));
    let headers = route.headers().map(|own| parameter(own, "header"));
    let parameters: Vec<Value> = of_path.chain(query).chain(headers).collect();
    if !parameters.is_empty() {
        own.insert("parameters".to_owned(), parameters.into());
    }
    if !route.takes.is_empty() {
        let mut content = Map::new();
        for takes in route.takes {
            let mut form = Map::new();
            if let Some(schema) = takes.schema {
                form.insert("schema".to_owned(), schema(components));
            }
            if !takes.example.is_empty() {
                let example = match takes.media {
                    // An example of JSON is JSON: a test reads each.
                    Media::Json => serde_json::from_str(takes.example).unwrap_or_default(),
                    _ => Value::from(takes.example),
                };
                form.insert("example".to_owned(), example);
            }
            content.insert(takes.media.name().to_owned(), form.into());
        }
        let about = format!(
            "At most {} bytes, also once inflated (`Content-Encoding: gzip` is read); at most {} bytes in a string of JSON, {} levels deep.",
            route.body_bytes_max,
            route.field_bytes_max,
            crate::json::DEPTH_MAX
        );
        own.insert("requestBody".to_owned(), json!({"required": true, "description": about, "content": content}));
    }
    own.insert("responses".to_owned(), responses(route, components));
    own.into()
}

fn responses(route: &Route, components: &mut Components) -> Value {
    let mut content = Map::new();
    let fields = route.query.iter().find_map(|own| match own.kind {
        Of::Fields(names) => Some(names()),
        _ => None,
    });
    for gives in route.gives {
        let mut form = Map::new();
        let fields = fields.as_ref().filter(|_| !content.contains_key(gives.media));
        let schema = match (gives.schema, fields) {
            (Some(schema), Some(fields)) => {
                let whole = schema(components);
                match partial(components, &whole, fields) {
                    Some(part) => json!({"anyOf": [whole, part]}),
                    None => whole,
                }
            }
            (Some(schema), None) => schema(components),
            (None, _) if gives.media == crate::live::events::MEDIA_TYPE => {
                let text = json!({"type": "string"});
                json!({
                    "type": "object",
                    "description": "One event of the stream; its data is JSON.",
                    "properties": {"event": text, "id": text, "data": text},
                    "required": ["event", "data"],
                })
            }
            (None, _) => json!({"type": "string"}),
        };
        // A route may answer with one of two things in the same form.
        let before = content.get(gives.media).and_then(|form: &Value| form.get("schema")).cloned();
        let schema = before.map_or(schema.clone(), |before| json!({"anyOf": [before, schema]}));
        form.insert("schema".to_owned(), schema);
        content.insert(gives.media.to_owned(), form.into());
    }
    let about = route.gives.iter().map(|gives| gives.about).filter(|own| !own.is_empty()).collect::<Vec<_>>().join(" ");
    let mut answer = Map::new();
    answer.insert("description".to_owned(), if about.is_empty() { "It is done.".into() } else { about.into() });
    if !content.is_empty() {
        answer.insert("content".to_owned(), content.into());
    }
    let mut responses = Map::new();
    responses.insert(route.status.to_string(), answer.into());
    let streams = route.gives.iter().any(|gives| gives.media == crate::live::events::MEDIA_TYPE);
    if route.method == Method::GET && !streams {
        let about = "`If-None-Match` names the `ETag` of what there is.";
        responses.insert(StatusCode::NOT_MODIFIED.as_u16().to_string(), json!({"description": about}));
    }
    let mut kinds: Vec<&Kind> = ALWAYS.iter().chain(route.problems).copied().collect();
    // Whatever keeps something may find no room.
    let keeps = !matches!(route.method, Method::GET | Method::HEAD);
    kinds.extend((keeps && route.problems.contains(&&kinds::UNAVAILABLE)).then_some(&kinds::FULL));
    if !route.takes.is_empty() {
        kinds.extend(OF_BODIES);
    } else if !route.query.is_empty() {
        kinds.push(&kinds::INVALID);
    }
    if route.scope != Scope::Open {
        kinds.extend([&kinds::NO_KEY, &kinds::SCOPE, &kinds::CROSS_SITE]);
    }
    kinds.sort_by_key(|kind| (kind.status, kind.name));
    kinds.dedup();
    for same in kinds.chunk_by(|a, b| a.status == b.status) {
        let about = same.iter().map(|kind| format!("{}: {}.", kind.name, kind.title)).collect::<Vec<_>>().join(" ");
        let content = json!({MEDIA_TYPE: {"schema": components.of::<api::Problem>()}});
        let status = same.first().map_or(0, |kind| kind.status.as_u16());
        responses.insert(status.to_string(), json!({"description": about, "content": content}));
    }
    responses.into()
}

/// The schema of an answer of which `fields` left only some members: of the answer itself, or of the rows of a list.
fn partial(components: &Components, whole: &Value, fields: &[String]) -> Option<Value> {
    let about = "Where `fields` is given: only the members that it names.";
    let (place, own) = components.definition(whole)?;
    let properties = own.get("properties")?.as_object()?;
    let of = |place: &str, names: &mut dyn Iterator<Item = &String>| {
        let refer = |name: &String| (name.clone(), json!({"$ref": format!("{place}/properties/{name}")}));
        names.map(refer).collect::<Map<String, Value>>()
    };
    if fields.iter().all(|name| properties.contains_key(name)) {
        let properties = of(place, &mut fields.iter());
        return Some(
            json!({"type": "object", "description": about, "properties": properties, "additionalProperties": false}),
        );
    }
    let (rows, of_row) = properties.iter().find_map(|(name, schema)| {
        let (place, row) = components.definition(schema.get("items")?)?;
        let members = row.get("properties")?.as_object()?;
        fields.iter().all(|field| members.contains_key(field)).then_some((name, place))
    })?;
    let row = json!({"type": "object", "properties": of(of_row, &mut fields.iter()), "additionalProperties": false});
    let mut list = of(place, &mut properties.keys().filter(|name| *name != rows));
    list.insert(rows.clone(), json!({"type": "array", "items": row}));
    Some(json!({
        "type": "object",
        "description": about,
        "properties": list,
        "required": own.get("required"),
        "additionalProperties": false,
    }))
}

fn parameter(own: &Parameter, place: &str) -> Value {
    let mut schema = match own.kind {
        // Counted in characters, as the query counts them.
        Of::Text(chars) => json!({"type": "string", "maxLength": chars, "pattern": NO_CONTROLS}),
        Of::Count(least, most) => json!({"type": "integer", "minimum": least, "maximum": most}),
        Of::Word(words) => json!({"type": "string", "enum": words}),
        Of::Fields(names) => json!({"type": "array", "items": {"type": "string", "enum": names()}, "minItems": 1}),
    };
    if own.many {
        schema = json!({"type": "array", "items": schema});
    }
    let explode = own.many;
    json!({
        "name": own.name,
        "in": place,
        "required": own.required,
        "description": own.about,
        "style": if place == "query" { "form" } else { "simple" },
        "explode": explode,
        "schema": schema,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::DOCUMENT;
    use crate::api::TABLES;
    use crate::routes::Media;

    /// The document as it was when somebody last looked at it. What changes it changes what clients were made from.
    const GOLDEN: &str = include_str!("../openapi.json");

    #[test]
    fn the_document_is_as_it_was() {
        let differs = DOCUMENT.lines().zip(GOLDEN.lines()).position(|(own, golden)| own != golden);
        let line = differs.map(|at| (at + 1, DOCUMENT.lines().nth(at), GOLDEN.lines().nth(at)));
        assert_eq!(line, None, "`curl …/openapi.json` of a server built from this gives the new `openapi.json`");
        assert_eq!(DOCUMENT.len(), GOLDEN.len());
    }

    #[test]
    fn every_route_is_in_the_document_under_its_own_name() {
        let document: Value = serde_json::from_str(&DOCUMENT).unwrap();
        let mut names = BTreeSet::new();
        for route in TABLES.iter().copied().flatten() {
            let operation = &document["paths"][route.path][route.method.as_str().to_ascii_lowercase()];
            assert_eq!(operation["operationId"], route.name, "{route:?}");
            assert!(names.insert(route.name), "{route:?}");
            for takes in route.takes.iter().filter(|takes| takes.media == Media::Json) {
                assert!(serde_json::from_str::<Value>(takes.example).is_ok(), "{route:?}");
            }
        }
        let told = document["paths"].as_object().unwrap().values().map(|own| own.as_object().unwrap().len());
        assert_eq!(told.sum::<usize>(), names.len());
    }

    #[test]
    fn every_reference_leads_somewhere() {
        fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
            match value {
                Value::Object(members) => {
                    found.extend(members.get("$ref").and_then(Value::as_str));
                    members.values().for_each(|value| references(value, found));
                }
                Value::Array(elements) => elements.iter().for_each(|value| references(value, found)),
                _ => {}
            }
        }
        let document: Value = serde_json::from_str(&DOCUMENT).unwrap();
        let mut found = Vec::new();
        references(&document, &mut found);
        assert!(found.len() > 50);
        for reference in found {
            assert!(reference.strip_prefix('#').is_some_and(|at| document.pointer(at).is_some()), "{reference}");
        }
    }
}
