//! The part of the SARIF 2.1.0 object model that is needed here, member for member.

use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

impl Log {
    pub(crate) fn of(run: Run) -> Self {
        Self { schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Run {
    pub(crate) tool: Tool,
    pub(crate) column_kind: &'static str,
    pub(crate) artifacts: Vec<Artifact>,
    pub(crate) results: Vec<Result>,
}

#[derive(Serialize)]
pub(crate) struct Tool {
    pub(crate) driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Driver {
    pub(crate) name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) semantic_version: Option<String>,
    pub(crate) rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Rule {
    pub(crate) id: String,
    short_description: Message,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<RuleProperties>,
}

impl Rule {
    pub(crate) fn new(id: &str, description: String, drift_type: &'static str, title: &'static str) -> Self {
        Self {
            id: id.to_owned(),
            short_description: Message { text: description },
            properties: Some(RuleProperties { tags: [drift_type, title] }),
        }
    }

    /// A rule of which no more is known than its description.
    pub(crate) fn plain(id: &str, description: String) -> Self {
        Self { id: id.to_owned(), short_description: Message { text: description }, properties: None }
    }
}

#[derive(Serialize)]
struct RuleProperties {
    tags: [&'static str; 2],
}

#[derive(Serialize)]
pub(crate) struct Message {
    pub(crate) text: String,
}

#[derive(Serialize)]
pub(crate) struct Artifact {
    pub(crate) location: ArtifactLocation,
    pub(crate) length: usize,
    pub(crate) hashes: Hashes,
}

#[derive(Serialize)]
pub(crate) struct Hashes {
    #[serde(rename = "sha-256")]
    pub(crate) sha256: String,
}

#[derive(Serialize)]
pub(crate) struct ArtifactLocation {
    pub(crate) uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Result {
    pub(crate) rule_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rule_index: Option<usize>,
    pub(crate) level: &'static str,
    pub(crate) message: Message,
    pub(crate) locations: Vec<Location>,
    pub(crate) related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) partial_fingerprints: Option<Fingerprints>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rank: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) baseline_state: Option<&'static str>,
    /// Absent where nothing was ever suppressed in the run: a list, even an empty one, says that it was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) suppressions: Option<Vec<Suppression>>,
    pub(crate) properties: Properties,
}

/// Why a result is passed over (section 3.35).
#[derive(Serialize)]
pub(crate) struct Suppression {
    pub(crate) kind: &'static str,
    pub(crate) status: &'static str,
    pub(crate) justification: String,
}

#[derive(Serialize)]
pub(crate) struct Fingerprints {
    #[serde(rename = "steadfastIncident/v1")]
    pub(crate) incident: String,
}

/// What an instrument says of its own results.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Properties {
    Audit { severity: u8, drift_type: &'static str, absent: bool },
    Plan { hard: bool, constraint_id: Option<String> },
    Review { recommendation: &'static str },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<Message>,
    pub(crate) physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) logical_locations: Vec<LogicalLocation>,
}

impl Location {
    /// A file, no place in it.
    pub(crate) const fn of_file(uri: String) -> Self {
        let physical_location = PhysicalLocation { artifact_location: ArtifactLocation { uri }, region: None };
        Self { id: None, message: None, physical_location, logical_locations: Vec::new() }
    }
}

/// A place within what a file means, by its name there.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LogicalLocation {
    fully_qualified_name: String,
}

/// The logical location of a name, where there is one.
pub(crate) fn logical(name: Option<&str>) -> Vec<LogicalLocation> {
    name.map(|name| LogicalLocation { fully_qualified_name: name.to_owned() }).into_iter().collect()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PhysicalLocation {
    pub(crate) artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) region: Option<Region>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Region {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start_line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start_column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end_line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end_column: Option<usize>,
    pub(crate) byte_offset: usize,
    pub(crate) byte_length: usize,
    pub(crate) snippet: Snippet,
}

#[derive(Serialize)]
pub(crate) struct Snippet {
    pub(crate) text: String,
}
