//! An incident: what a check found, as the report shows it.

use steadfast_evidence::{Evidence, Finding, Origin, Quote};

use crate::trail::Trail;
use crate::voice::Voice;

steadfast_evidence::vocabulary! {
    /// The ten types of drift of the seed (its section 4).
    DriftType {
        /// More is done than was asked for.
        A = "TypeA", "Scope Expansion";
        /// A limit or requirement is weakened or broken.
        B = "TypeB", "Constraint Erosion";
        /// Something is stated as given that nobody gave.
        C = "TypeC", "Unsupported Invention";
        /// A claim is stronger than the ask allows.
        D = "TypeD", "Confidence Inflation";
        /// Somebody else pays, or for something else.
        E = "TypeE", "Business Model Drift";
        /// It is made for somebody else.
        F = "TypeF", "Customer Drift";
        /// The same end by another means than the one asked for.
        G = "TypeG", "Mechanism Drift";
        /// What was optional is made central, or the centre is buried.
        H = "TypeH", "Priority Drift";
        /// Legal, regulatory or certification standing that the ask does not give.
        I = "TypeI", "Governance/Regulatory Drift";
        /// Register or wording changes what is meant.
        J = "TypeJ", "Style-Induced Semantic Drift";
    }
}

impl DriftType {
    /// The letter alone, for narrow places.
    #[must_use]
    pub fn letter(self) -> &'static str {
        self.name().trim_start_matches("Type")
    }
}

/// What disqualifies a report whatever its score: the seed's list, and the regulatory posture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Disqualifies {
    /// A banned term or concept is used again.
    BannedUsed,
    /// A non-goal is pursued.
    NonGoalPursued,
    /// The customer is another one.
    CustomerChanged,
    /// The business model is another one.
    BusinessModelChanged,
    /// The regulatory posture is misrepresented.
    RegulatoryMisrepresented,
}

/// One fault, as the report shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Incident {
    /// What the check found.
    pub finding: Finding,
    /// Who found it.
    pub origin: Origin,
    /// Its type.
    pub drift_type: DriftType,
    /// The voice in which the answer says it; absences are held against what is asserted.
    pub voice: Voice,
    /// Titles of the sections that it stands in, from the top.
    pub section: Vec<String>,
    /// What to do about it, one sentence.
    pub repair: String,
    /// Whether it concerns a name (it then counts against entity fidelity too).
    pub concerns_name: bool,
    /// Whether a hedge of the ask was lost (it then counts against epistemic fidelity too).
    pub hedge_lost: bool,
    /// Whether the obligation is taken up with less force, and not broken.
    pub weakens: bool,
    /// Whether it is a number that nothing supports.
    pub unsupported_number: bool,
    /// What it disqualifies the report for, if anything.
    pub disqualifies: Option<Disqualifies>,
    /// The way of its wrong figure or banned term through the artefacts of a run; `None` for other faults, and in a single artefact.
    pub trail: Option<Trail>,
}

/// The words of the answer that an incident shows: its quote, or the nearest passage to what is absent.
#[must_use]
pub const fn incident_quote(incident: &Incident) -> Option<&Quote> {
    match &incident.finding.evidence {
        Evidence::Quote(quote) => Some(quote),
        Evidence::Absence(absence) => absence.nearest.as_ref(),
    }
}
