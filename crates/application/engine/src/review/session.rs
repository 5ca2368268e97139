//! Sessions and evidence of a review: read, and published.

use steadfast_review::session as instrument;
use steadfast_session::{Author, Call, Outcome, Rules, Session, Turn, diff};
use steadfast_wire::Span;
use steadfast_wire::review as wire;
use steadfast_wire::session::{ReadSession, read_session};

use crate::EngineError;
use crate::hash::sha256;
use crate::intake::{self, File};
use crate::proposals::origin;

/// Files of evidence.
pub const EVIDENCE_FILES_MAX: usize = 1_000;

/// Commands of one log that are told apart.
const COMMANDS_MAX: usize = 1_000;

/// Files of rules.
pub const RULES_FILES_MAX: usize = 20;

/// Reads the log of a session.
pub(super) fn read(file: &File) -> Result<ReadSession, EngineError> {
    read_session(&file.bytes)
        .map_err(|error| EngineError::SessionFile { file: file.name.clone(), what: error.to_string() })
}

/// The session that a log holds.
///
/// # Errors
/// [`EngineError::SessionFile`] where it cannot be read.
pub(crate) fn session_of(file: &File) -> Result<Session, EngineError> {
    Ok(read(file)?.session)
}

/// The agent's last words in a session, as a file.
///
/// # Errors
/// [`EngineError::SessionFile`] where it cannot be read, or holds no words of the agent.
pub fn report_of(file: &File) -> Result<File, EngineError> {
    let own = read(file)?;
    let what = || EngineError::SessionFile { file: file.name.clone(), what: "the agent says nothing in it".to_owned() };
    let report = instrument::report(&own.session).ok_or_else(what)?;
    Ok(File { name: format!("{}#report", file.name), bytes: report.as_bytes().to_vec() })
}

/// The same session with rules that were handed in.
pub(super) fn with_rules(session: &mut Session, files: &[File]) -> Result<(), EngineError> {
    if files.len() > RULES_FILES_MAX {
        return Err(EngineError::Rules(files.len()));
    }
    for file in files {
        let text = intake::text(&file.name, file)?;
        // Each line is a rule of its own: neither headings nor the marks of lists are words of one.
        let plain = |line: &str| {
            let line = line.trim_start();
            let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
            let numbered = numbered.strip_prefix(['.', ')']).filter(|_| numbered.len() < line.len());
            let own = line.strip_prefix(['-', '*', '+']).or(numbered).unwrap_or(line).trim_start();
            if line.starts_with('#') { "\n\n".to_owned() } else { format!("{own}\n\n") }
        };
        session.rules.push(Rules { file: file.name.clone(), text: text.lines().map(plain).collect() });
    }
    Ok(())
}

/// Adds files of evidence behind the turns of a session: diffs first, since what ran is behind what was changed.
pub(super) fn with_evidence(session: &mut Session, files: &[File]) -> Result<(), EngineError> {
    if files.len() > EVIDENCE_FILES_MAX {
        return Err(EngineError::Evidence(files.len()));
    }
    let mut turns = Vec::new();
    for file in files {
        let text = intake::text(&file.name, file)?;
        let edits = diff::edits(&text);
        let call = |command: Option<&str>, text: &str| Call {
            tool: "evidence".to_owned(),
            command: command.map(str::to_owned),
            files: vec![file.name.clone()],
            outcome: Some(Outcome { text: text.to_owned(), ..Outcome::default() }),
            ..Call::default()
        };
        let calls = if edits.is_empty() {
            commands(&text).into_iter().map(|(command, output)| call(command, output)).collect()
        } else {
            vec![Call { edits, ..call(None, &text) }]
        };
        turns.push(Turn { calls, ..Turn::said(1, Author::Evidence, "") });
    }
    turns.sort_by_key(|turn| turn.calls.iter().all(|call| call.edits.is_empty()));
    session.turns.extend(turns);
    Ok(())
}

/// A log in parts: each command that a shell's prompt stands before (`$ cargo clippy`), or that `npm run` tells (`> app@1.0.0 lint`, then `> eslint .`), with what follows it; what
/// stands before the first has none.
fn commands(text: &str) -> Vec<(Option<&str>, &str)> {
    let command = |line: &str, before: &str| -> bool {
        let names_script = before.strip_prefix("> ").is_some_and(|rest| rest.trim_start().contains('@'));
        let prompts = ["$ ", "❯ ", "➜ "].into_iter().chain(names_script.then_some("> "));
        prompts.into_iter().any(|prompt| line.strip_prefix(prompt).is_some_and(|rest| !rest.trim().is_empty()))
    };
    let mut parts = Vec::new();
    let (mut from, mut at, mut own, mut before) = (0, 0, None, "");
    for line in text.split_inclusive('\n') {
        if command(line, before) && parts.len() < COMMANDS_MAX {
            parts.push((own, text.get(from..at).unwrap_or_default()));
            own = line.split_once(' ').map(|(_, command)| command.trim());
            from = at + line.len();
        }
        at += line.len();
        before = line;
    }
    parts.push((own, text.get(from..).unwrap_or_default()));
    // Before the first command stands mostly nothing.
    parts.retain(|(command, output)| command.is_some() || !output.trim().is_empty());
    if parts.is_empty() { vec![(None, text)] } else { parts }
}

/// The session that was read, as it is published.
pub(super) fn session_read(file: &File, own: &ReadSession) -> wire::SessionRead {
    wire::SessionRead {
        file: file.name.clone(),
        format: own.session.format.clone(),
        id: own.session.id.clone(),
        sha256: sha256(&file.bytes),
        turns: own.session.turns.len(),
        notes: own.notes.clone(),
    }
}

pub(super) fn ask(own: &instrument::Asked) -> wire::SessionAsk {
    wire::SessionAsk { text: own.text.clone(), turn: own.turn }
}

pub(super) fn deed(own: &instrument::Deed) -> wire::SessionDeed {
    wire::SessionDeed {
        turn: own.turn,
        tool: own.tool.clone(),
        command: own.line.clone(),
        files: own.files.clone(),
        exit: own.exit,
        ok: own.ok,
    }
}

/// A claim; `lines` are where the turns of the session begin in its log.
pub(super) fn claim(
    own: &instrument::Claim,
    span: &impl Fn(steadfast_text::Span) -> Span,
    lines: &[usize],
) -> wire::SessionClaim {
    let span = span(own.span);
    wire::SessionClaim {
        quote: span.quote.clone(),
        span,
        kind: own.kind,
        state: own.state,
        why: own.why.clone(),
        evidence: own
            .evidence
            .iter()
            .map(|it| wire::SessionEvidence {
                turn: it.turn,
                line: it.turn.checked_sub(1).and_then(|at| lines.get(at)).copied(),
                quote: it.quote.clone(),
                sha256: None,
            })
            .collect(),
        origin: origin(&own.origin),
        by_code: own.by_code,
    }
}

pub(super) fn broken(own: &instrument::Break) -> wire::SessionBreak {
    wire::SessionBreak {
        obligation: own.obligation.clone(),
        asked: own.asked,
        file: own.file.clone(),
        turn: own.call.map(|(turn, _)| turn),
        call: own.call.map(|_| own.deed.clone()),
        why: own.why.clone(),
        origin: origin(&own.origin),
    }
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[test]
    fn a_log_is_parted_at_the_commands_that_a_prompt_or_npm_shows() {
        let log = "$ ruff check .\nAll checks passed!\n$ mypy app\nSuccess\n";
        assert_eq!(commands(log), [(Some("ruff check ."), "All checks passed!\n"), (Some("mypy app"), "Success\n")]);
        let npm = "\n> app@2.4.0 lint\n> eslint .\n\n> app@2.4.0 build\n> tsc -p .\nerror TS2304\n";
        let parts = commands(npm);
        let named: Vec<Option<&str>> = parts.iter().map(|(command, _)| *command).collect();
        assert_eq!(named, [None, Some("eslint ."), Some("tsc -p .")]);
        assert_eq!(parts[2].1, "error TS2304\n");
        for whole in ["12 passed\n", "> quoted\n> words\n", "$\n$ \n", ""] {
            assert_eq!(commands(whole), [(None, whole)], "{whole:?}");
        }
    }
}
