//! The state machine of section 7 of the prompt-orchestration document.

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Nothing is done.
    Start,
    /// The task is read.
    Intake,
    /// Whether anything has to be asked first.
    RiskCheck,
    /// Candidates are looked for.
    Retrieve,
    /// Chains are made of them.
    Plan,
    /// Chains are criticised.
    Critique,
    /// What is best of all that was planned is taken.
    SelectFallback,
    /// One prompt, a chain, or a question.
    Select,
    /// The answer is made.
    Package,
    /// Done, with prompts.
    End,
    /// Done, with a question.
    EndClarify,
}

impl State {
    /// As the document writes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "START",
            Self::Intake => "INTAKE",
            Self::RiskCheck => "RISK_CHECK",
            Self::Retrieve => "RETRIEVE",
            Self::Plan => "PLAN",
            Self::Critique => "CRITIQUE",
            Self::SelectFallback => "SELECT_FALLBACK",
            Self::Select => "SELECT",
            Self::Package => "PACKAGE",
            Self::End => "END",
            Self::EndClarify => "END_CLARIFY",
        }
    }
}

/// What came of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// It is done.
    Done,
    /// Something has to be asked first.
    Clarify,
    /// A critique fails, and fewer than [`REPLANS_MAX`] plans were made again.
    Replan,
    /// A critique fails, and [`REPLANS_MAX`] were.
    GiveUp,
    /// Nothing reaches its threshold.
    LowConfidence,
}

/// Plans that are made again at most.
pub const REPLANS_MAX: usize = 2;

/// Every step there is: from a state, by what came of it, to the next.
pub const TRANSITIONS: &[(State, Event, State)] = &[
    (State::Start, Event::Done, State::Intake),
    (State::Intake, Event::Done, State::RiskCheck),
    (State::RiskCheck, Event::Clarify, State::EndClarify),
    (State::RiskCheck, Event::Done, State::Retrieve),
    (State::Retrieve, Event::Done, State::Plan),
    (State::Plan, Event::Done, State::Critique),
    (State::Critique, Event::Replan, State::Plan),
    (State::Critique, Event::GiveUp, State::SelectFallback),
    (State::Critique, Event::Done, State::Select),
    // The document leaves open what follows a fallback: it is chosen, or not, like any other chain.
    (State::SelectFallback, Event::Done, State::Select),
    (State::Select, Event::LowConfidence, State::EndClarify),
    (State::Select, Event::Done, State::Package),
    (State::Package, Event::Done, State::End),
];

/// The next state; `None` where there is no such step.
#[must_use]
pub fn next(state: State, event: Event) -> Option<State> {
    TRANSITIONS.iter().find(|(from, by, _)| *from == state && *by == event).map(|(.., to)| *to)
}

/// A state that was passed, and why it was left as it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Passed {
    /// The state.
    pub state: State,
    /// What came of it.
    pub event: Event,
    /// Why, in words, a line each.
    pub why: Vec<String>,
    /// What was compared: a name and its value, thresholds among them.
    pub values: Vec<(&'static str, f64)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_is_reached_and_left_and_no_step_is_ambiguous() {
        let ends = [State::End, State::EndClarify];
        for (at, (from, by, to)) in TRANSITIONS.iter().enumerate() {
            assert_eq!(next(*from, *by), Some(*to));
            assert!(!ends.contains(from));
            assert!(!TRANSITIONS[..at].iter().any(|(other, event, _)| other == from && event == by), "{from:?} {by:?}");
            assert!(ends.contains(to) || TRANSITIONS.iter().any(|(other, ..)| other == to), "{to:?} is left");
            assert!(
                *from == State::Start || TRANSITIONS.iter().any(|(.., other)| other == from),
                "{from:?} is reached"
            );
        }
        assert_eq!(next(State::End, Event::Done), None);
    }
}
