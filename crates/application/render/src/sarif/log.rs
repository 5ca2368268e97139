//! The part of the SARIF 2.1.0 object model that an audit needs, member for member.

use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

impl Log {
    pub(super) fn of(run: Run) -> Self {
        Self { schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run {
    pub(super) tool: Tool,
    pub(super) column_kind: &'static str,
    pub(super) artifacts: Vec<Artifact>,
    pub(super) results: Vec<Result>,
}

#[derive(Serialize)]
pub(super) struct Tool {
    pub(super) driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub(super) name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) semantic_version: Option<String>,
    pub(super) rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule {
    pub(super) id: String,
    short_description: Message,
    default_configuration: Configuration,
    properties: RuleProperties,
}

impl Rule {
    pub(super) fn new(
        id: &str,
        description: String,
        drift_type: &'static str,
        title: &'static str,
        enabled: bool,
    ) -> Self {
        Self {
            id: id.to_owned(),
            short_description: Message { text: description },
            default_configuration: Configuration { enabled },
            properties: RuleProperties { tags: [drift_type, title] },
        }
    }
}

#[derive(Serialize)]
struct Configuration {
    enabled: bool,
}

#[derive(Serialize)]
struct RuleProperties {
    tags: [&'static str; 2],
}

#[derive(Serialize)]
pub(super) struct Message {
    pub(super) text: String,
}

#[derive(Serialize)]
pub(super) struct Artifact {
    pub(super) location: ArtifactLocation,
    pub(super) length: usize,
    pub(super) hashes: Hashes,
}

#[derive(Serialize)]
pub(super) struct Hashes {
    #[serde(rename = "sha-256")]
    pub(super) sha256: String,
}

#[derive(Serialize)]
pub(super) struct ArtifactLocation {
    pub(super) uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Result {
    pub(super) rule_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rule_index: Option<usize>,
    pub(super) level: &'static str,
    pub(super) message: Message,
    pub(super) locations: Vec<Location>,
    pub(super) related_locations: Vec<Location>,
    pub(super) partial_fingerprints: Fingerprints,
    pub(super) rank: f64,
    pub(super) properties: Properties,
}

#[derive(Serialize)]
pub(super) struct Fingerprints {
    #[serde(rename = "steadfastIncident/v1")]
    pub(super) incident: String,
}

#[derive(Serialize)]
pub(super) struct Properties {
    pub(super) severity: u8,
    pub(super) drift_type: &'static str,
    pub(super) absent: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<Message>,
    pub(super) physical_location: PhysicalLocation,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub(super) artifact_location: ArtifactLocation,
    pub(super) region: Region,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start_line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start_column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end_line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end_column: Option<usize>,
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) snippet: Snippet,
}

#[derive(Serialize)]
pub(super) struct Snippet {
    pub(super) text: String,
}
