//! Runs that were stored: lists and records.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::{Error, Run};

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1";

/// One input of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Its name, without the folders of the machine.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its SHA-256 in hexadecimal.
    pub sha256: String,
}

/// What a run was asked for besides its inputs, by name.
pub type Settings = BTreeMap<String, Value>;

/// A run that was stored, without its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StoredRun {
    /// Its UUIDv7: ids sort by the time at which runs began.
    pub id: String,
    /// What was asked for: `audit`, `plan check`.
    pub verb: String,
    /// When it began: RFC 3339 in UTC.
    pub started: String,
    /// What came of it, in a word; `null` where nothing is judged.
    pub verdict: Option<String>,
    /// The exit status.
    pub exit_status: u8,
    /// The SHA-256 of the lines `SHA256  NAME` of all inputs, as `sha256sum` writes them.
    pub input_sha256: String,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// The settings.
    pub settings: Settings,
    /// How long each part took, in milliseconds.
    pub ms: BTreeMap<String, u64>,
    /// The task that it belongs to; `null` where it has none.
    pub task_id: Option<String>,
    /// Whose work it is about, where whoever asked said so; `null` where not.
    #[serde(default)]
    pub agent: Option<String>,
    /// The version of the program.
    pub program_version: String,
    /// The version of the result's JSON.
    pub result_schema_version: String,
    /// The version of the rules that judged; `null` where they have none.
    pub rules_version: Option<String>,
    /// The length of the result in bytes, as it is stored.
    pub result_bytes: u64,
}

/// Stored runs, the newest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunList {
    /// The version of this JSON.
    pub schema_version: String,
    /// The runs of this page.
    pub runs: Vec<StoredRun>,
    /// Where the next page begins; absent where no more follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// A stored run with its result.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunRecord {
    /// The version of this JSON.
    pub schema_version: String,
    /// The run.
    pub run: StoredRun,
    /// Its result, as it was published.
    #[schemars(with = "serde_json::Value")]
    pub result: Box<RawValue>,
}

impl RunRecord {
    /// A record of a run and the JSON of its result.
    ///
    /// # Errors
    /// [`Error::Read`] where the result is not JSON.
    pub fn new(run: StoredRun, result: String) -> Result<Self, Error> {
        let result = RawValue::from_string(result).map_err(Error::Read)?;
        Ok(Self { schema_version: SCHEMA_VERSION.to_owned(), run, result })
    }

    /// The result as it was answered when it was made: its bytes, with the member `run`, which stands last in every result.
    ///
    /// # Errors
    /// [`Error::Write`] where the run has no JSON form; none is without one.
    pub fn answer(&self) -> Result<String, Error> {
        let run = Run { id: self.run.id.clone(), started: self.run.started.clone(), ms: self.run.ms.clone() };
        let run = serde_json::to_string(&run).map_err(Error::Write)?;
        let result = self.result.get().trim_end();
        Ok(match result.strip_suffix('}') {
            Some(open) => {
                let comma = if open.ends_with('{') { "" } else { "," };
                indented(&format!("{open}{comma}\"run\":{run}}}"))
            }
            None => indented(result),
        })
    }
}

/// Spaces for a level of nesting.
const INDENT: &str = "  ";

/// JSON without white space, as [`to_json`](crate::to_json) would have written it: its bytes are those of the answer that was stored.
#[must_use]
pub fn indented(compact: &str) -> String {
    let mut out = String::with_capacity(compact.len() * 2);
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    let mut before = ' ';
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        (0..depth).for_each(|_| out.push_str(INDENT));
    };
    for character in compact.trim_end().chars() {
        if in_string {
            out.push(character);
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
            before = character;
            continue;
        }
        if matches!(character, ']' | '}') {
            depth = depth.saturating_sub(1);
            if !matches!(before, '[' | '{') {
                line(&mut out, depth);
            }
        } else if matches!(before, '[' | '{') {
            line(&mut out, depth);
        }
        out.push(character);
        match character {
            '"' => in_string = true,
            '[' | '{' => depth += 1,
            ',' => line(&mut out, depth),
            ':' => out.push(' '),
            _ => {}
        }
        // What ends a string is no bracket, whatever the string held.
        before = character;
    }
    out.push('\n');
    out
}
