//! What a comparison says, in words: the same in every format.

use steadfast_wire::Span;
use steadfast_wire::audit::{
    AuditComparison, ComparedAudit, DriftIncident, Obligation, ObligationChange, ObligationPair, Status,
};

use super::BothTexts;
use crate::context::Index;
use crate::digest::{count_of, severity_word};
use crate::plain::{line, shorten, shown};

/// Characters of the name of a side.
const NAME_CHARS_MAX: usize = 120;

/// Whether B is better or worse than A, as far as obligations say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    /// It breaks what A does not.
    Worse,
    /// It breaks nothing anew and keeps what A did not.
    Better,
    /// Neither.
    Same,
}

/// The lines of both sides' files.
pub(super) struct Indexes<'a> {
    pub(super) a: Index<'a>,
    pub(super) b: Index<'a>,
}

impl<'a> Indexes<'a> {
    pub(super) fn new(texts: BothTexts<'a>) -> Self {
        Self { a: Index::new(texts.a), b: Index::new(texts.b) }
    }
}

/// How many obligations have a change.
pub(super) fn count(comparison: &AuditComparison, change: ObligationChange) -> usize {
    comparison.counts.obligations.get(&change).copied().unwrap_or(0)
}

/// The obligations of a change.
pub(super) fn of(comparison: &AuditComparison, change: ObligationChange) -> Vec<&ObligationPair> {
    comparison.obligations.iter().filter(|pair| pair.change == change).collect()
}

/// What a reader is to see of obligations without asking: all but what both keep and what was not decided.
pub(super) fn is_told(change: ObligationChange) -> bool {
    !matches!(change, ObligationChange::KeptInBoth | ObligationChange::NotAssessed | ObligationChange::Undecided)
}

/// What came of it, in a sentence or two.
pub(super) fn outcome(comparison: &AuditComparison) -> (Tone, String) {
    let broken = count(comparison, ObligationChange::NewlyBroken);
    let repaired = count(comparison, ObligationChange::Repaired);
    let obligations = |count: usize| count_of(count, "obligation");
    let (tone, mut said) = match (broken, repaired) {
        (0, 0) => (Tone::Same, "B breaks no obligation that A does not, and repairs none.".to_owned()),
        (0, _) => (Tone::Better, format!("B repairs {} and breaks none anew.", obligations(repaired))),
        (_, 0) => (Tone::Worse, format!("B breaks {} that A does not, and repairs none.", obligations(broken))),
        _ => (Tone::Worse, format!("B breaks {} that A does not, and repairs {repaired}.", obligations(broken))),
    };
    let ceased = count(comparison, ObligationChange::NoLongerBroken);
    if ceased > 0 {
        let are = if ceased == 1 { "is" } else { "are" };
        said.push_str(&format!(" {} that A breaks {are} neither broken nor kept in B.", obligations(ceased)));
    }
    (tone, said)
}

/// What changed, as counts: a line for obligations, one for incidents.
pub(super) fn tallies(comparison: &AuditComparison) -> [String; 2] {
    let changes = ObligationChange::ALL.iter().map(|change| (count(comparison, *change), change.label()));
    let changes: Vec<String> = changes
        .filter(|(count, _)| *count > 0)
        .map(|(count, label)| format!("{count} {}{}", label[..1].to_lowercase(), &label[1..]))
        .collect();
    let none = || "none was read in either prompt".to_owned();
    let changes = if changes.is_empty() { none() } else { changes.join(", ") };
    let counts = &comparison.counts;
    let reworded = match counts.reworded_incidents {
        0 => String::new(),
        count => format!(", {count} of them in other words"),
    };
    [
        format!("Obligations: {changes}."),
        format!(
            "Incidents: {} new, {} gone, {} still there{reworded}.",
            counts.new_incidents, counts.gone_incidents, counts.still_incidents
        ),
    ]
}

/// The name of a side.
pub(super) fn name(own: &ComparedAudit) -> String {
    line(&own.name, NAME_CHARS_MAX)
}

/// The difference of the scores, with its sign.
pub(super) fn delta(comparison: &AuditComparison) -> String {
    let text = format!("{:.2}", comparison.score_delta.abs());
    match comparison.score_delta {
        _ if text == "0.00" => text,
        value if value < 0.0 => format!("−{text}"),
        _ => format!("+{text}"),
    }
}

/// Whether a side is usable, and why it is not.
pub(super) fn usable(own: &ComparedAudit) -> String {
    own.usable_because.verdict()
}

/// What a side does with an obligation.
pub(super) const fn does(status: Status) -> &'static str {
    match status {
        Status::Broken => "breaks it",
        Status::Weakened => "weakens it",
        Status::Unmentioned => "does not mention it",
        Status::Unclear => "comes near it, and it is unclear what that means",
        Status::NothingFound => "has nothing against it that was found",
        Status::NotAssessed => "was not assessed",
        Status::Kept => "keeps it",
    }
}

/// An obligation in the words of the prompt, from whichever side has it; B's where both do.
pub(super) fn asked(pair: &ObligationPair) -> Option<&Obligation> {
    pair.b.as_ref().or(pair.a.as_ref())
}

/// The sides that have an obligation, with their letters and lines.
pub(super) fn sides<'a, 'i>(
    pair: &'a ObligationPair,
    indexes: &'i Indexes<'i>,
) -> impl Iterator<Item = (&'static str, &'a Obligation, &'i Index<'i>)> {
    let both = [("A", &pair.a, &indexes.a), ("B", &pair.b, &indexes.b)];
    both.into_iter().filter_map(|(letter, own, index)| Some((letter, own.as_ref()?, index)))
}

/// A quote as it is shown.
pub(super) fn quote(span: &Span, chars_max: usize) -> String {
    shorten(&shown(&span.file, &span.quote), chars_max)
}

/// The head of an incident.
pub(super) fn head(own: &DriftIncident) -> String {
    let severity = format!("severity {} {}", own.severity, severity_word(own.severity));
    format!("{severity} · {} {}", own.drift_type, own.drift_type.label())
}

/// The words of the report that an incident points at; where something is missing, those of the prompt.
pub(super) fn evidence(own: &DriftIncident) -> Option<&Span> {
    if own.absent { own.source_span.as_ref() } else { own.output_span.as_ref() }
}
