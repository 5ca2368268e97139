//! Readers of agents' session logs: one file for one format, all into one [`Session`].
//!
//! Which format a file has is told by its structure, never by its name. A file that almost has one is refused with what was missing; what
//! a log holds that no reader knows is named in [`ReadSession::notes`], so that nothing is left out in silence. `docs/sessions.md` says
//! which versions are known.

mod atif;
mod claude_code;
mod codex;
mod codex_exec;
mod copilot;
mod detect;
mod gemini;
mod mini_swe;
mod openhands;
mod openhands_events;
mod stream_json;
mod swe_agent;
mod tool;
mod typed;

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde_json::Value;
use steadfast_session::{Call, Outcome, Session, Turn};

use crate::misread::Misread;

pub(crate) use claude_code::stands_before;
pub use detect::{Format, Found, looks_like};
pub use typed::read_typed;

/// How many bytes a session log may have.
pub const SESSION_BYTES_MAX: usize = 64 * 1024 * 1024;

/// How what a hook sends an agent back with begins. Some hosts log it among what the user typed.
pub const SENT_BACK: &str = "Steadfast compared your last message with the log of this session.";

/// How many turns are read of one session; a log with more is refused.
pub const TURNS_MAX: usize = 100_000;

/// How many records that can be read a log must have for each that cannot.
const RECORDS_OF_A_GAP_MIN: usize = 10;

/// A session as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadSession {
    /// The session.
    pub session: Session,
    /// What was not read, and other things that a reader should know; a sentence each.
    pub notes: Vec<String>,
}

/// Reads the log of one session.
///
/// # Errors
/// [`Misread`]: no known format, a record that its format does not have, or a limit.
pub fn read_session(bytes: &[u8]) -> Result<ReadSession, Misread> {
    let mut all = read_sessions(bytes)?;
    match all.len() {
        1 => Ok(all.remove(0)),
        several => Err(Misread::of(1, format!("holds {several} sessions, and one is reviewed at a time"))),
    }
}

/// Reads all sessions of a log: some formats keep several in one file.
///
/// # Errors
/// As [`read_session`].
pub fn read_sessions(bytes: &[u8]) -> Result<Vec<ReadSession>, Misread> {
    if bytes.len() > SESSION_BYTES_MAX {
        return Err(Misread::of(1, format!("the log has more than {} MiB", SESSION_BYTES_MAX >> 20)));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| Misread::encoding(1, bytes, error))?;
    sessions_of(Log::parse(text.strip_prefix('\u{feff}').unwrap_or(text))?)
}

/// The sessions of values that were read from a log, each with its line.
pub(crate) fn sessions_of(mut log: Log) -> Result<Vec<ReadSession>, Misread> {
    let format = detect::format(&log)?;
    let whole = |log: Log| log.records.into_iter().next().map_or(Value::Null, |(_, value)| value);
    let mut notes = std::mem::take(&mut log.notes);
    let has_gaps = log.has_gaps;
    let checked = |session: Session, notes: Vec<String>| {
        if session.turns.len() > TURNS_MAX {
            return Err(Misread::of(1, format!("the session has more than {TURNS_MAX} turns")));
        }
        let session = Session { format: format.name().to_owned(), has_gaps, ..session };
        Ok(ReadSession { session, notes })
    };
    let session = match format {
        Format::ClaudeCode => claude_code::read(&log, &mut notes)?,
        Format::StreamJson => stream_json::read(&log, &mut notes)?,
        Format::CodexRollout => codex::read(&log, &mut notes)?,
        Format::CodexExec => codex_exec::read(&log, &mut notes)?,
        Format::Copilot => copilot::read(&log, &mut notes)?,
        Format::Gemini => gemini::read(&log, &mut notes)?,
        Format::Atif => atif::read(&whole(log), &mut notes)?,
        // It keeps several sessions in one log.
        Format::OpenHands => {
            return openhands::read(&log, &notes)?
                .into_iter()
                .map(|(session, notes)| checked(session, notes))
                .collect();
        }
        Format::OpenHandsEvents => openhands_events::read(&log, &mut notes)?,
        Format::SweAgent => swe_agent::read(&whole(log), &mut notes)?,
        Format::MiniSweAgent => mini_swe::read(&whole(log), &mut notes)?,
    };
    Ok(vec![checked(session, notes)?])
}

/// A call of a tool that a host is about to make, as a log would hold it. `arguments` may be an object, or the text of one.
#[must_use]
pub fn call(tool: &str, arguments: &Value) -> Call {
    tool::call(None, tool, arguments)
}

/// A log as JSON values with the lines on which they begin.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) records: Vec<(usize, Value)>,
    notes: Vec<String>,
    /// Whether records could not be read.
    has_gaps: bool,
}

impl Log {
    pub(crate) const fn of(records: Vec<(usize, Value)>) -> Self {
        Self { records, notes: Vec::new(), has_gaps: false }
    }

    fn parse(text: &str) -> Result<Self, Misread> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).peekable();
        let Some((_, first)) = lines.peek() else { return Err(Misread::of(1, "is empty")) };
        if serde_json::from_str::<IgnoredAny>(first).is_err() {
            // A document over several lines, or a log behind lines that are no records.
            match serde_json::from_str(text) {
                Ok(value) => return Ok(Self::of(vec![(1, value)])),
                Err(error) => {
                    let is_record =
                        |line: &str| line.starts_with('{') && serde_json::from_str::<IgnoredAny>(line).is_ok();
                    if first.starts_with('{') || !text.lines().any(is_record) {
                        return Err(Misread::parser(1, &error));
                    }
                }
            }
        }
        let mut out = Self::default();
        let mut foreign = Vec::new();
        let mut broken: Vec<(usize, serde_json::Error)> = Vec::new();
        while let Some((at, line)) = lines.next() {
            match serde_json::from_str(line) {
                Ok(value) => out.records.push((at + 1, value)),
                // Logs are read while they are written.
                Err(error)
                    if error.is_eof() && lines.peek().is_none() && !text.ends_with('\n') && !out.records.is_empty() =>
                {
                    out.notes.push(format!("line {} is cut off and was not read", at + 1));
                }
                // Scripts that keep what a program prints print lines of their own.
                Err(_) if !line.trim_start().starts_with('{') => foreign.push(at + 1),
                Err(error) => broken.push((at + 1, error)),
            }
        }
        if let Some((line, error)) = broken.first() {
            // A damaged line or two in a long log are not the end of it; a log of them is none.
            if broken.len() * RECORDS_OF_A_GAP_MIN > out.records.len() {
                return Err(Misread::parser(*line, error));
            }
            let (count, error) = (broken.len(), Misread::parser(*line, error));
            out.notes.push(format!("not read: records that are no JSON ({count}, the first: {error})"));
            out.has_gaps = true;
        }
        if let Some(first) = foreign.first() {
            out.notes
                .push(format!("not read: lines that are no records ({}, the first is line {first})", foreign.len()));
        }
        Ok(out)
    }
}

/// Turns while they are collected: results find their calls by identifier.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    all: Vec<Turn>,
    /// Where the call with an identifier stands: turn and place.
    calls: BTreeMap<String, (usize, usize)>,
    /// Kinds of records that are not known, and how many there are.
    unknown: BTreeMap<String, usize>,
}

impl Turns {
    pub(crate) fn push(&mut self, turn: Turn) {
        let at = self.all.len();
        for (place, call) in turn.calls.iter().enumerate() {
            if let Some(id) = &call.id {
                self.calls.insert(id.clone(), (at, place));
            }
        }
        self.all.push(turn);
    }

    /// Adds to the last turn.
    pub(crate) fn extend(&mut self, calls: Vec<Call>) {
        let Some(at) = self.all.len().checked_sub(1) else { return };
        for call in calls {
            let place = self.all[at].calls.len();
            if let Some(id) = &call.id {
                self.calls.insert(id.clone(), (at, place));
            }
            self.all[at].calls.push(call);
        }
    }

    pub(crate) fn last(&mut self) -> Option<&mut Turn> {
        self.all.last_mut()
    }

    pub(crate) fn call(&mut self, id: &str) -> Option<&mut Call> {
        let (turn, place) = *self.calls.get(id)?;
        self.all.get_mut(turn)?.calls.get_mut(place)
    }

    /// Puts a result to its call; a result without one is said to be.
    pub(crate) fn result(&mut self, id: &str, outcome: Outcome) {
        match self.call(id) {
            Some(call) => call.outcome = Some(outcome),
            None => self.unknown("a result without its call"),
        }
    }

    pub(crate) fn unknown(&mut self, kind: impl Into<String>) {
        *self.unknown.entry(kind.into()).or_default() += 1;
    }

    pub(crate) fn finish(self, notes: &mut Vec<String>) -> Vec<Turn> {
        let each = self.unknown.into_iter();
        notes.extend(each.map(|(kind, count)| format!("not read: {kind} ({count})")));
        self.all
    }
}

/// A member that is a text.
pub(crate) fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}

/// The texts of a message's content: a string, or parts that have a `text`.
pub(crate) fn content(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| match part {
                Value::String(text) => Some(text.as_str()),
                part => {
                    let kind = text(part, "type").unwrap_or("text");
                    text(part, "text").filter(|_| matches!(kind, "text" | "input_text" | "output_text"))
                }
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        Value::Object(_) => text(value, "text").or_else(|| text(value, "content")).unwrap_or_default().to_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests;
