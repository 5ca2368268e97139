//! The use cases of a hook: what an agent is sent back for at the end of its turn, which call is denied, and which words of the user are given back after a summary.
//!
//! All is said in the words of user, report and log, shortened; the verdict is that of [`steadfast_review::session::interrupt`].

use std::fmt::Write as _;

use steadfast_review::session::{self as instrument, interrupt};
use steadfast_session::{Author, Call, Turn};
use steadfast_wire::hook::HookHost;
use steadfast_wire::session::{SENT_BACK, read_typed};

use crate::EngineError;
use crate::hash::sha256;
use crate::intake::File;
use crate::pool::judging;

/// Objections that are told at once.
const OBJECTIONS_MAX: usize = 5;
/// Characters of a quote.
const QUOTE_CHARS_MAX: usize = 300;
/// Characters of what the user typed that are given back …
const GIVEN_BACK_CHARS_MAX: usize = 6_000;
/// … and of one turn of it.
const TURN_CHARS_MAX: usize = 1_500;

/// Why an agent is sent back to its work at the end of a turn; `None` where nothing is said against it, or where it was sent back already since the user
/// spoke. Without a report its last words in the log are it, and where the report only ends with them, too: some hosts put the words of several turns
/// together.
///
/// # Errors
/// [`EngineError::SessionFile`] where the log cannot be read.
pub async fn at_end(log: File, report: Option<String>) -> Result<Option<String>, EngineError> {
    let bytes = log.bytes.len() + report.as_ref().map_or(0, String::len);
    judging(bytes, move || {
        let own = crate::review::session_of(&log)?;
        let mut of_turn = own.turns.iter().rev().take_while(|turn| turn.author != Author::User);
        if of_turn.any(|turn| turn.author == Author::Injected && turn.text.contains(SENT_BACK)) {
            return Ok(None);
        }
        let last = instrument::report(&own);
        let report = match (report.as_deref(), last) {
            (Some(said), Some(last)) if said.trim_end().ends_with(last.trim_end()) => Some(last),
            (said, last) => said.or(last),
        };
        let Some(report) = report else { return Ok(None) };
        let found = interrupt::at_end(&own, report);
        Ok((!found.is_empty()).then(|| objections(report, &found)))
    })
    .await
}

/// Why a call is denied; `None` where nothing that the user typed forbids it.
///
/// # Errors
/// [`EngineError::SessionFile`] where the log cannot be read.
pub async fn before_call(log: File, call: Call) -> Result<Option<String>, EngineError> {
    judging(log.bytes.len() + call.arguments.len(), move || {
        let found = interrupt::before_call(&by_user(typed(&log)?), &call);
        Ok(found.map(|own| {
            format!(
                "Steadfast: the user said “{}”, and this call does it: {}. Do without it, or ask the user.",
                shown(&own.obligation),
                shown(&own.why)
            )
        }))
    })
    .await
}

/// What the user typed, to be given back to an agent that no longer sees it; `None` where nothing was.
///
/// # Errors
/// [`EngineError::SessionFile`] where the log cannot be read.
pub async fn words_of_user(log: File) -> Result<Option<String>, EngineError> {
    judging(log.bytes.len(), move || Ok(words(&by_user(typed(&log)?)))).await
}

/// The same where earlier turns were summarised since the user typed last; `None` elsewhere. Some logs hold the prompt already that the user types now.
///
/// # Errors
/// [`EngineError::SessionFile`] where the log cannot be read.
pub async fn words_after_summary(log: File, prompt: String) -> Result<Option<String>, EngineError> {
    judging(log.bytes.len(), move || {
        let mut typed = typed(&log)?;
        let is_now = |turn: &Turn| !turn.compaction && turn.text.trim() == prompt.trim();
        if typed.last().is_some_and(is_now) {
            typed.pop();
        }
        if !typed.last().is_some_and(|turn| turn.compaction) {
            return Ok(None);
        }
        Ok(words(&by_user(typed)))
    })
    .await
}

fn words(typed: &[Turn]) -> Option<String> {
    let texts: Vec<&str> = typed.iter().map(|turn| turn.text.trim()).filter(|text| !text.is_empty()).collect();
    (!texts.is_empty()).then(|| given_back(&texts))
}

fn by_user(mut typed: Vec<Turn>) -> Vec<Turn> {
    typed.retain(|turn| turn.author == Author::User);
    typed
}

/// A name for what is kept of a session, which is no path whatever the host calls the session: the host's name and 128 bits of a hash.
#[must_use]
pub fn kept_name(host: HookHost, session: &str) -> String {
    let mut hash = sha256(session.as_bytes());
    hash.truncate(32);
    format!("{}-{hash}", host.name())
}

fn typed(log: &File) -> Result<Vec<Turn>, EngineError> {
    read_typed(&log.bytes).map_err(|error| EngineError::SessionFile { file: log.name.clone(), what: error.to_string() })
}

fn objections(report: &str, found: &interrupt::Objections) -> String {
    let mut out = SENT_BACK.to_owned();
    let mut number = 0;
    for claim in &found.contradicted {
        number += 1;
        if number > OBJECTIONS_MAX {
            break;
        }
        let said = report.get(claim.span.range()).unwrap_or_default();
        _ = write!(out, "\n{number}. You say “{}”. {}.", shown(said.trim_end_matches('.')), sentence(&claim.why));
        if let Some(own) = claim.evidence.first() {
            _ = write!(out, " The log says, in turn {}: “{}”.", own.turn, shown(&own.quote));
        }
    }
    for own in &found.broken {
        number += 1;
        if number > OBJECTIONS_MAX {
            break;
        }
        let turn = own.call.map_or(0, |(turn, _)| turn);
        _ = write!(
            out,
            "\n{number}. The user said “{}” (turn {}), and in turn {turn} you ran “{}”: {}.",
            shown(&own.obligation),
            own.asked,
            shown(&own.deed),
            shown(&own.why)
        );
    }
    let more = found.contradicted.len() + found.broken.len();
    if more > OBJECTIONS_MAX {
        _ = write!(out, "\nAnd {} more.", more - OBJECTIONS_MAX);
    }
    out.push_str("\nFinish the work or mend it, or say plainly in your report what is so. If this is wrong, say why and end your turn: you are not held up again.");
    out
}

/// The first and the last turns, as many as there is room for.
fn given_back(texts: &[&str]) -> String {
    let shortened: Vec<String> = texts.iter().map(|text| cut(text, TURN_CHARS_MAX)).collect();
    let mut left = GIVEN_BACK_CHARS_MAX.saturating_sub(shortened[0].chars().count());
    let mut first_shown = shortened.len();
    while first_shown > 1 {
        let chars = shortened[first_shown - 1].chars().count();
        if chars > left {
            break;
        }
        left -= chars;
        first_shown -= 1;
    }
    let mut out = String::from(
        "What the user typed in this session, in their own words, given back after earlier turns were summarised:",
    );
    _ = write!(out, "\n1. {}", shortened[0]);
    if first_shown > 1 {
        _ = write!(out, "\n({} turns left out)", first_shown - 1);
    }
    for (at, text) in shortened.iter().enumerate().skip(first_shown.max(1)) {
        _ = write!(out, "\n{}. {text}", at + 1);
    }
    out
}

fn cut(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Words on one line, shortened.
fn shown(text: &str) -> String {
    cut(&text.split_whitespace().collect::<Vec<_>>().join(" "), QUOTE_CHARS_MAX)
}

/// A reason as the beginning of a sentence, without its full stop.
fn sentence(text: &str) -> String {
    let text = shown(text.trim_end_matches('.'));
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::given_back;

    #[test]
    fn the_first_turn_and_the_last_ones_are_given_back() {
        let long = "x".repeat(2_000);
        let all = given_back(&["Never push.", &long, &long, &long, &long, &long, "Use pnpm."]);
        assert!(all.contains("\n1. Never push.\n(2 turns left out)\n4. xxx"), "{}", &all[..200]);
        assert!(all.ends_with("\n7. Use pnpm."));
        assert!(all.chars().count() < 6_400);
    }
}
