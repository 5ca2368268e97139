//! What an agent did against what it was asked and what it says.
//!
//! `deeds` makes one list of a session's calls, `claims` reads what the report says of tests, builds, files and figures and holds it
//! against them, `bans` reads what the user forbade or demanded as an action and finds calls that break it. A claim is called
//! contradicted only where a call says otherwise beyond doubt, else doubtful; where no call speaks of it, it is unsupported; where code cannot tell, not checkable.
//! `open` lays out what that leaves undecided for whoever understands it, and `proposed` holds what they say of it against the calls.

pub mod bans;
mod claim;
pub mod claims;
pub mod deeds;
pub mod interrupt;
pub mod open;
pub(crate) mod proposed;
mod sentences;
mod units;
mod vcs;

pub use bans::{Break, breaks};
pub use claim::{Claim, ClaimKind, ClaimState, Evidence};
pub use claims::CLAIMS_MAX;
pub use deeds::Deed;

use steadfast_session::{Author, Session};

use deeds::deeds;

/// What the user typed in one turn, or a file of rules that holds from the beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The words.
    pub text: String,
    /// The turn, from 1; 0 of rules.
    pub turn: usize,
    /// The file, of rules.
    pub file: Option<String>,
}

/// A session, held against ask and report.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessed {
    /// What the agent is to heed: rules, and what the user typed, all turns.
    pub ask: Vec<Asked>,
    /// What was done.
    pub deeds: Vec<Deed>,
    /// What the report says of it.
    pub claims: Vec<Claim>,
    /// Calls that break what the user forbade or demanded.
    pub breaks: Vec<Break>,
    /// Calls that seem to: code is not sure that the words forbid or demand it of them.
    pub doubtful: Vec<Break>,
    /// What somebody finds kept of that. Code says so of nothing.
    pub kept: Vec<Break>,
}

impl Assessed {
    /// The claims that a call contradicts.
    pub fn contradicted(&self) -> impl Iterator<Item = &Claim> {
        self.claims.iter().filter(|claim| claim.state == ClaimState::Contradicted)
    }

    /// Whether anything was decided: a claim that can be told, or a ban that is broken.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        !self.breaks.is_empty()
            || self.claims.iter().any(|claim| !matches!(claim.state, ClaimState::NotCheckable | ClaimState::Doubtful))
    }
}

/// What the agent is to heed: rules that were handed in, then what the user typed, all turns.
#[must_use]
pub fn ask(session: &Session) -> Vec<Asked> {
    let rules = session.rules.iter();
    let rules = rules.map(|own| Asked { text: own.text.clone(), turn: 0, file: Some(own.file.clone()) });
    rules.chain(typed(session)).collect()
}

/// What the user typed, all turns.
fn typed(session: &Session) -> impl Iterator<Item = Asked> {
    let all = session.turns.iter().enumerate().filter(|(_, turn)| turn.author == Author::User);
    all.map(|(at, turn)| Asked { text: turn.text.clone(), turn: at + 1, file: None })
}

/// The last words of the agent: its report.
#[must_use]
pub fn report(session: &Session) -> Option<&str> {
    let said = session.turns.iter().rev().filter(|turn| turn.author == Author::Agent && !turn.text.trim().is_empty());
    said.map(|turn| turn.text.as_str()).next()
}

/// What is left of a claim that something is said against where lines of the log could not be read.
fn beside_gaps(claim: &mut Claim) {
    claim.state = match claim.state {
        ClaimState::Contradicted => ClaimState::Doubtful,
        ClaimState::Unsupported => ClaimState::NotCheckable,
        state => state,
    };
}

/// Holds a report against a session.
#[must_use]
pub fn assess(session: &Session, report: &str) -> Assessed {
    let deeds = deeds(session);
    let ask = ask(session);
    let mut claims = claims::claims(report, &deeds);
    // Logs and diffs that somebody hands in beside a report are meant for its claims; which of a session's calls a claim means is less plain.
    let is_handed_in = deeds.iter().all(|deed| deed.evidence);
    for claim in claims.iter_mut().filter(|claim| claim.state == ClaimState::Contradicted && !is_handed_in) {
        if !claims::is_sure(claim, report, &deeds) {
            claim.state = ClaimState::Doubtful;
        }
    }
    if session.has_gaps {
        claims.iter_mut().for_each(beside_gaps);
    }
    let is_sure = |own: &Break| !session.has_gaps && bans::is_sure(own, &ask);
    let (breaks, doubtful) = breaks(&ask, &deeds).into_iter().partition(is_sure);
    Assessed { ask, deeds, claims, breaks, doubtful, kept: Vec::new() }
}
