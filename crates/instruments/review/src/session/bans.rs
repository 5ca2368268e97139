//! Bans and demands on actions: what the user forbade or asked for as a deed, and the calls that break it.
//!
//! [`read`] reads them from what the user typed; [`acts`] tells whether a call does a thing. A ban that the user lifts later, or binds to
//! a condition, is left alone: a call is only named where the user's words and the call are both plain.

mod action;
mod acts;
mod named;
mod network;
mod paths;
mod read;
mod words;

pub use action::{Action, Ban};
pub use read::bans;

use steadfast_session::purpose::Purpose;

use super::Asked;
use super::deeds::Deed;

/// The most breaks that are kept.
pub const BREAKS_MAX: usize = 200;

/// A call that breaks a ban, or a demand that no call meets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// The user's words.
    pub obligation: String,
    /// The turn in which they stand, from 1.
    pub asked: usize,
    /// The call, by its turn from 1 and its place from 0; `None` where no call meets a demand.
    pub call: Option<(usize, usize)>,
    /// What the call runs or changes.
    pub deed: String,
    /// Why it breaks them, in one sentence.
    pub why: String,
}

/// The calls that break what the user forbade or demanded: for each ban the first.
#[must_use]
pub fn breaks(ask: &[Asked], deeds: &[Deed]) -> Vec<Break> {
    let mut out: Vec<Break> = Vec::new();
    for ban in bans(ask) {
        let of =
            |call, deed: String, why: String| Break { obligation: ban.quote.clone(), asked: ban.turn, call, deed, why };
        if let Some(purpose) = ban.demand {
            // Nothing was done at all: the session may be a part.
            let any = deeds.iter().any(|deed| deed.turn > ban.turn);
            let met = deeds
                .iter()
                .any(|deed| deed.turn > ban.turn && (deed.runs(purpose).next().is_some() || is_check(deed, purpose)));
            if any && !met {
                out.push(of(None, String::new(), "no call does it".to_owned()));
            }
            continue;
        }
        let until = ban.until.unwrap_or(usize::MAX);
        let span =
            || deeds.iter().enumerate().filter(|(_, deed)| deed.turn > ban.turn && deed.turn < until && !deed.evidence);
        let first = span().find_map(|(at, deed)| Some((deed, acts::does(&ban.action, deed, deeds, at)?)));
        if let Some((deed, why)) = first {
            let own = of(Some((deed.turn, deed.call)), deed.shown(), why);
            if !out.iter().any(|it| it.call == own.call && it.obligation == own.obligation) {
                out.push(own);
            }
        }
        if out.len() >= BREAKS_MAX {
            break;
        }
    }
    out
}

/// Whether a call may do what is demanded by another name: `make check` runs tests and linters alike.
fn is_check(deed: &Deed, purpose: Purpose) -> bool {
    let names: &[&str] = match purpose {
        Purpose::Test => &["test", "check", "verify", "ci"],
        Purpose::Lint => &["lint", "check", "verify", "ci", "pre-commit"],
        _ => &["build", "check", "verify", "ci"],
    };
    deed.commands.iter().any(|(command, _)| {
        let script = command
            .words
            .iter()
            .take(4)
            .any(|word| word.split([':', '-', '_', '.', '/']).any(|part| names.contains(&part)));
        let runner = matches!(
            command.program(),
            "make"
                | "just"
                | "npm"
                | "pnpm"
                | "yarn"
                | "task"
                | "rake"
                | "nox"
                | "tox"
                | "gradle"
                | "gradlew"
                | "mvn"
                | "mvnw"
                | "bazel"
                | "nx"
                | "turbo"
                | "composer"
                | "sbt"
        ) || command.words.first().is_some_and(|it| it.starts_with("./") || it.ends_with(".sh"));
        script && runner && !command.has("--collect-only")
    })
}
