//! What an agent is interrupted for while it works: claims of its last words that a call contradicts, and calls that the user forbade.
//!
//! Whoever reads a review weighs its findings; an agent that is sent back obeys. So an interruption asks for more than a finding: the
//! calls in question belong to the turn that ends, and nothing is held against an agent twice.

use steadfast_session::{Author, Call, Session, Turn};

use super::bans::is_sure;
use super::claim::{Claim, ClaimState};
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
    if session.has_gaps {
        return Objections::default();
    }
    let deeds = deeds(session);
    let ask = ask(session);
    let spoken = ask.last().map_or(0, |own| own.turn);
    let is_of_turn = |claim: &Claim| claim.evidence.first().is_some_and(|own| own.turn > spoken);
    let contradicted = claims::claims(report, &deeds)
        .into_iter()
        .filter(|claim| {
            claim.state == ClaimState::Contradicted && claims::is_sure(claim, report, &deeds) && is_of_turn(claim)
        })
        .collect();
    // A demand that no call meets may be met by the next turn.
    let of_turn = |own: &Break| own.call.is_some_and(|(turn, _)| turn > spoken);
    let broken = breaks(&ask, &deeds).into_iter().filter(|own| of_turn(own) && is_sure(own, &ask)).collect();
    Objections { contradicted, broken }
}

/// The words of the user that forbid a call that is about to be made.
#[must_use]
pub fn before_call(typed: &[Turn], call: &Call) -> Option<Break> {
    let asked: Vec<Asked> = typed
        .iter()
        .enumerate()
        .map(|(at, turn)| Asked { text: turn.text.clone(), turn: at + 1, file: None })
        .collect();
    let turn = Turn { calls: vec![call.clone()], ..Turn::said(1, Author::Agent, "") };
    let alone = Session { turns: vec![turn], ..Session::default() };
    let mut own: Vec<Deed> = deeds(&alone);
    // It follows all that was typed.
    own.iter_mut().for_each(|deed| deed.turn = typed.len() + 1);
    breaks(&asked, &own).into_iter().find(|found| found.call.is_some() && is_sure(found, &asked))
}
