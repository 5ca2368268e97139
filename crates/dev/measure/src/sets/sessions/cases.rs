//! The cases: reports with the session behind them, asks with calls, and logs.

use serde::Deserialize;
use serde_json::{Value, json};
use steadfast_engine::review::ReviewProposals;
use steadfast_evidence::Origin;
use steadfast_review::session::claims::said::said;
use steadfast_review::session::{Assessed, Break, Claim, ClaimState, assess, report};
use steadfast_review::{Settings, review};
use steadfast_session::test_log::test_log;
use steadfast_wire::review::ReviewProposal;
use steadfast_wire::session::read_session;

/// What is said of a report: the lie in it, where there is one, and its claims.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Gold {
    /// The words that the log contradicts.
    pub(super) lie: Option<Lie>,
    /// What the report claims.
    #[serde(default)]
    pub(super) claims: Vec<GoldClaim>,
}

/// Words of a report that are not so.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Lie {
    /// Verbatim.
    pub(super) quote: String,
}

/// Words of a report that claim something.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct GoldClaim {
    /// Verbatim.
    pub(super) quote: String,
    /// What became of it.
    pub(super) state: String,
}

/// An ask and what was done.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Acted {
    /// Its name.
    pub(super) id: String,
    /// What the user typed.
    pub(super) ask: String,
    /// The calls.
    pub(super) calls: Vec<GoldCall>,
    /// The agent's last words.
    #[serde(default)]
    pub(super) report: String,
    /// What breaks the ask.
    pub(super) breaks: Vec<GoldBreak>,
}

/// A call and what it gave back.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct GoldCall {
    /// The tool.
    pub(super) tool: String,
    /// Its arguments.
    pub(super) input: Value,
    /// What it gave back.
    #[serde(default)]
    pub(super) result: String,
    /// The exit status.
    #[serde(default)]
    pub(super) exit: Option<i64>,
}

/// A break of the ask.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct GoldBreak {
    /// The user's words.
    pub(super) ban: String,
    /// The call, from 0; −1 where a demand was not met.
    pub(super) call: i64,
}

/// A log and what it says.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Logged {
    /// The file that holds it.
    pub(super) file: String,
    /// Tests that pass.
    pub(super) passed: u64,
    /// Tests that fail.
    pub(super) failed: u64,
    /// Tests that are left out.
    #[serde(default)]
    pub(super) skipped: Option<u64>,
}

/// Words on tests, and whether they claim something.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Worded {
    /// The words.
    pub(super) text: String,
    /// Whether they claim something.
    pub(super) claim: bool,
    /// Whether all pass.
    #[serde(default)]
    pub(super) all_pass: Option<bool>,
    /// How many pass.
    #[serde(default)]
    pub(super) passed: Option<u64>,
    /// How many fail.
    #[serde(default)]
    pub(super) failed: Option<u64>,
}

/// Whether two stretches of a text share a byte.
pub(super) fn overlap(text: &str, a: &str, start: usize, end: usize) -> bool {
    text.match_indices(a).any(|(at, own)| at < end && start < at + own.len())
}

/// What the program says of a report.
pub(super) struct Judged {
    /// All of it.
    pub(super) assessed: Assessed,
    /// The report.
    pub(super) report: String,
}

impl Judged {
    /// The claims that it calls contradicted.
    pub(super) fn contradicted(&self) -> impl Iterator<Item = &Claim> {
        self.assessed.claims.iter().filter(|claim| claim.state == ClaimState::Contradicted)
    }

    /// Whether a claim stands at these words.
    #[must_use]
    pub(super) fn is_at(&self, claim: &Claim, quote: &str) -> bool {
        overlap(&self.report, quote, claim.span.start, claim.span.end)
    }
}

/// Judges a report by its session, with what somebody proposed of it, who is trusted.
///
/// # Errors
/// What the reader of sessions says.
pub(super) fn judge(log: &[u8], proposals: &[ReviewProposal]) -> Result<Judged, String> {
    let session = read_session(log).map_err(|error| error.to_string())?.session;
    let report = report(&session).unwrap_or_default().to_owned();
    let own = [ReviewProposals { by: Origin::Host, proposals: proposals.to_vec() }.taken()];
    let settings = Settings { session: Some(&session), proposed: &own, trusts_host: true, ..Settings::default() };
    let assessed = review(&report, &settings).assessed;
    Ok(Judged { assessed: assessed.unwrap_or_else(|| assess(&session, &report)), report })
}

/// The name of a state, as labels have it.
#[must_use]
pub(super) const fn name(state: ClaimState) -> &'static str {
    match state {
        ClaimState::Supported => "supported",
        ClaimState::Contradicted => "contradicted",
        ClaimState::Unsupported => "unsupported",
        ClaimState::Doubtful => "doubtful",
        ClaimState::NotCheckable => "not_checkable",
    }
}

impl Acted {
    /// The case as a log of Claude Code.
    #[must_use]
    pub(super) fn log(&self) -> String {
        let line = |kind: &str, at: usize, content: Value| {
            json!({"type": kind, "isSidechain": false, "sessionId": "s", "uuid": format!("{kind}{at}"),
                   "message": {"id": format!("m{at}"), "role": kind, "content": content}})
            .to_string()
        };
        let mut lines = vec![line("user", 0, json!(self.ask))];
        for (at, call) in self.calls.iter().enumerate() {
            let id = format!("t{at}");
            let failed = call.exit.is_some_and(|it| it != 0);
            let text = if failed {
                format!("Exit code {}\n{}", call.exit.unwrap_or(1), call.result)
            } else {
                call.result.clone()
            };
            lines.push(line(
                "assistant",
                at + 1,
                json!([{"type": "tool_use", "id": id, "name": call.tool, "input": call.input}]),
            ));
            lines.push(line(
                "user",
                at + 1,
                json!([{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed}]),
            ));
        }
        lines.push(line("assistant", self.calls.len() + 1, json!([{"type": "text", "text": self.report}])));
        lines.join("\n") + "\n"
    }

    /// The place of a break among the calls, −1 for a demand that nothing meets.
    #[must_use]
    pub(super) fn place(found: &Break) -> i64 {
        // The first turn is the user's, and each call is a turn.
        found.call.map_or(-1, |(turn, _)| turn as i64 - 2)
    }

    /// Whether a break is this one.
    #[must_use]
    pub(super) fn is(&self, found: &Break, gold: &GoldBreak) -> bool {
        let start = self.ask.find(&found.obligation).unwrap_or(0);
        Self::place(found) == gold.call && overlap(&self.ask, &gold.ban, start, start + found.obligation.len())
    }
}

impl Logged {
    /// Whether the log is read with these counts.
    #[must_use]
    pub(super) fn is_read(&self, log: &str) -> bool {
        test_log(log).is_some_and(|own| {
            (own.passed, own.failed) == (self.passed, self.failed) && self.skipped.is_none_or(|it| it == own.skipped)
        })
    }
}

impl Worded {
    /// Whether the words are read as they are meant.
    #[must_use]
    pub(super) fn is_read(&self) -> bool {
        match said(&self.text) {
            None => !self.claim,
            Some(own) => {
                self.claim
                    && (self.all_pass.is_none() || own.all_pass == self.all_pass)
                    && (self.passed.is_none() || own.passed == self.passed)
                    && (self.failed.is_none() || own.failed == self.failed)
            }
        }
    }
}
