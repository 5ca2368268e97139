//! What the user typed in a session, read without the rest of its log: a log of many megabytes is mostly results of tools.

use steadfast_session::{Author, Turn};

use super::{Log, ReadSession, detect, read_sessions, sessions_of};
use crate::misread::Misread;

/// What the user typed, and where earlier turns were summarised ([`Turn::compaction`]), in the order of the log. Lines that hold neither are not
/// parsed.
///
/// # Errors
/// As [`read_session`](super::read_session).
pub fn read_typed(bytes: &[u8]) -> Result<Vec<Turn>, Misread> {
    let text = std::str::from_utf8(bytes).map_err(|error| Misread::encoding(1, bytes, error))?;
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let mut log = Log::default();
    let mut is_known = false;
    if serde_json::from_str::<serde::de::IgnoredAny>(first).is_err() {
        // One document over several lines.
        return Ok(typed(read_sessions(bytes)?));
    }
    for (at, line) in text.lines().enumerate() {
        if is_known && !may_be_typed(line) {
            continue;
        }
        let Ok(value) = serde_json::from_str(line) else { continue };
        is_known |= matches!(detect::looks_like(&value), detect::Found::Is(_));
        log.records.push((at + 1, value));
    }
    Ok(typed(sessions_of(log)?))
}

fn typed(sessions: Vec<ReadSession>) -> Vec<Turn> {
    let turns = sessions.into_iter().flat_map(|own| own.session.turns);
    turns.filter(|turn| turn.author == Author::User || turn.compaction).collect()
}

/// Members and values of which a record that holds words of the user has one.
const MARKS: &[&str] = &["\"user\"", "\"user_message\"", "\"user.message\"", "\"queued_command\"", "\"compacted\""];

/// Whether a line of a log may hold words of the user: it says so, and is no result of a tool.
fn may_be_typed(line: &str) -> bool {
    let is_result = line.contains("\"type\":\"tool_result\"") || line.contains("\"content\":[{\"functionResponse\"");
    line.contains("\"$rewindTo\"")
        || line.starts_with("{\"$set\"")
        || MARKS.iter().any(|mark| line.contains(mark)) && !is_result
}
