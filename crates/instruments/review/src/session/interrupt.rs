//! What an agent is interrupted for while it works: claims of its last words that a call contradicts, and calls that the user forbade.
//!
//! Whoever reads a review weighs its findings; an agent that is sent back obeys. So an interruption asks for more than a finding: the
//! calls in question belong to the turn that ends, and nothing is held against an agent twice.

use steadfast_session::{Author, Call, Session, Turn};

use super::bans::Reach;
use super::claim::{Claim, ClaimKind, ClaimState};
use super::deeds::{Deed, deeds};
use super::{Asked, Break, ask, breaks, claims};

/// What is said against the end of a turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Objections {
    /// Claims of the report that a call contradicts.
    pub contradicted: Vec<Claim>,
    /// Calls since the user spoke last that the user's words forbid.
    pub broken: Vec<Break>,
}

impl Objections {
    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.contradicted.is_empty() && self.broken.is_empty()
    }
}

/// What is said against the end of a turn in which the agent reports this.
#[must_use]
pub fn at_end(session: &Session, report: &str) -> Objections {
    let deeds = deeds(session);
    let ask = ask(session);
    let spoken = ask.last().map_or(0, |own| own.turn);
    let contradicted = claims::claims(report, &deeds)
        .into_iter()
        .filter(|claim| claim.state == ClaimState::Contradicted && is_plain(claim, report, &deeds, spoken))
        .collect();
    // A demand that no call meets may be met by the next turn.
    let of_turn = |own: &Break| own.call.is_some_and(|(turn, _)| turn > spoken);
    let broken = breaks(&ask, &deeds).into_iter().filter(|own| of_turn(own) && still_holds(own, spoken)).collect();
    Objections { contradicted, broken }
}

/// Words of the longest sentence whose claim interrupts an agent: what more words say of a run is seldom all there is to it.
const PLAIN_WORDS_MAX: usize = 16;

/// Whether a claim says in few words how a run ended that failed since the user spoke last, and nothing that may be such a run came through
/// behind it. What is said of files, sizes and interfaces depends on what is meant by it.
fn is_plain(claim: &Claim, report: &str, deeds: &[Deed], spoken: usize) -> bool {
    let stems: &[&str] = match claim.kind {
        ClaimKind::Tests => &["test", "spec", "check", "verify", "ci"],
        ClaimKind::Build => &["build", "compile", "check", "make", "test", "run"],
        ClaimKind::Lint => &["lint", "check", "clippy", "verify", "ci"],
        ClaimKind::Types => &["type", "tsc", "check", "build", "verify", "ci"],
        _ => return false,
    };
    let said = report.get(claim.span.range()).unwrap_or_default();
    let line = report[..claim.span.start.min(report.len())].rfind('\n').map_or(0, |at| at + 1);
    let is_prose = !report[line..].trim_start().starts_with(['#', '|', '>']);
    let Some(at) = claim.evidence.first().and_then(|own| deeds.iter().rposition(|deed| deed.turn == own.turn)) else {
        return false;
    };
    let speaks_of_it = |deed: &Deed| {
        let line = deed.line.as_deref().unwrap_or_default().to_lowercase();
        line.split(|c: char| !c.is_alphanumeric()).any(|word| stems.iter().any(|stem| word.starts_with(stem)))
    };
    is_prose
        && said.split_whitespace().count() <= PLAIN_WORDS_MAX
        && deeds[at].turn > spoken
        && deeds[at].ok == Some(false)
        && deeds[at + 1..].iter().all(|deed| deed.ok == Some(false) || !speaks_of_it(deed))
}

/// The words of the user that forbid a call that is about to be made.
#[must_use]
pub fn before_call(typed: &[Turn], call: &Call) -> Option<Break> {
    let asked: Vec<Asked> =
        typed.iter().enumerate().map(|(at, turn)| Asked { text: turn.text.clone(), turn: at + 1 }).collect();
    let turn = Turn { calls: vec![call.clone()], ..Turn::said(1, Author::Agent, "") };
    let alone = Session { turns: vec![turn], ..Session::default() };
    let mut own: Vec<Deed> = deeds(&alone);
    // It follows all that was typed.
    own.iter_mut().for_each(|deed| deed.turn = typed.len() + 1);
    breaks(&asked, &own).into_iter().find(|found| found.call.is_some() && still_holds(found, typed.len()))
}

/// Whether a ban holds for calls behind the user's last turn. What is said of files belongs to the task that it is said with, unless it is said
/// for good; what reaches beyond the folder (a push, a release) stays forbidden until the user lifts it. Words that must not stand in a file
/// interrupt nobody.
fn still_holds(own: &Break, spoken: usize) -> bool {
    let for_good = || {
        let said = own.obligation.to_lowercase();
        said.split(|c: char| !c.is_alphanumeric()).any(|word| matches!(word, "never" | "ever" | "always"))
    };
    match own.reach {
        Reach::Words => false,
        Reach::Folder => own.asked >= spoken || for_good(),
        Reach::Outward => true,
    }
}
