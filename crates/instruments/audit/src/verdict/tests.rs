use steadfast_evidence::{Absence, Confidence, Evidence, FileId, Finding, Origin, Quote};
use steadfast_text::{Document, Format, Span};

use super::*;
use crate::ask::read;
use crate::voice::Voice;

/// An incident that the ask says something of.
fn incident(drift_type: DriftType, severity: Severity, confidence: f64) -> Incident {
    let ask = Document::from_str_as("The ask.", Format::Plain);
    Incident {
        finding: Finding {
            check: "any",
            severity,
            confidence: Confidence::new(confidence),
            evidence: Evidence::Absence(Absence { terms: Vec::new(), files: Vec::new(), nearest: None }),
            source: Quote::cut(FileId(0), &ask, Span::new(0, 8)),
            obligation: None,
            explanation: String::new(),
            also_at: Vec::new(),
        },
        origin: Origin::Code,
        drift_type,
        voice: Voice::Asserted,
        section: Vec::new(),
        repair: String::new(),
        concerns_name: false,
        hedge_lost: false,
        weakens: false,
        unsupported_number: false,
        disqualifies: None,
        trail: None,
    }
}

#[test]
fn the_weights_are_those_of_the_proposal() {
    let weights: Vec<f64> = Dimension::ALL.iter().map(|own| own.weight()).collect();
    assert_eq!(weights, [0.15, 0.20, 0.05, 0.15, 0.10, 0.10, 0.10, 0.04, 0.08, 0.03]);
    assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
}

#[test]
fn each_type_counts_against_its_dimensions() {
    use Dimension::{
        Causal, ClaimStrength, Constraint, Entity, Epistemic, EvidenceGrounding, LanguagePosture, Scope, SourceTrace,
        StructuralPriority,
    };
    let of = |drift_type, change: fn(&mut Incident)| {
        let mut own = incident(drift_type, Severity::Minor, 1.0);
        change(&mut own);
        dimensions(&own)
    };
    for (drift_type, expected) in [
        (DriftType::A, Scope),
        (DriftType::B, Constraint),
        (DriftType::C, EvidenceGrounding),
        (DriftType::D, ClaimStrength),
        (DriftType::E, Entity),
        (DriftType::F, Entity),
        (DriftType::G, Causal),
        (DriftType::H, StructuralPriority),
        (DriftType::I, Constraint),
        (DriftType::J, LanguagePosture),
    ] {
        assert_eq!(of(drift_type, |_| {}), [expected]);
        assert_eq!(of(drift_type, |own| own.finding.source = None), [expected, SourceTrace]);
    }
    assert_eq!(of(DriftType::C, |own| own.concerns_name = true), [EvidenceGrounding, Entity]);
    assert_eq!(of(DriftType::D, |own| own.hedge_lost = true), [ClaimStrength, Epistemic]);
}

/// The score of the scope where all can be judged.
fn scope(severity: Severity, confidence: f64, words: usize, obligations: usize) -> u8 {
    let assessable = Assessable { dimensions: Dimension::ALL.to_vec(), words, obligations };
    score(&[incident(DriftType::A, severity, confidence)], &assessable).dimensions[0]
}

#[test]
fn a_dimension_falls_by_severity_and_confidence() {
    let at = |severity, confidence| scope(severity, confidence, 1_000, 30);
    assert_eq!(at(Severity::None, 1.0), 5);
    assert_eq!(at(Severity::Minor, 1.0), 4);
    assert_eq!(at(Severity::Moderate, 1.0), 4);
    assert_eq!(at(Severity::Major, 1.0), 3);
    assert_eq!(at(Severity::Critical, 1.0), 2);
    assert_eq!((at(Severity::Critical, 0.6), at(Severity::Critical, 0.0)), (3, 5));
}

#[test]
fn what_is_long_and_who_was_asked_more_is_allowed_more() {
    let at = |words, obligations| scope(Severity::Critical, 1.0, words, obligations);
    assert_eq!([at(0, 0), at(1, 1), at(999, 29), at(1_000, 30)], [2; 4], "less than the reference allows no less");
    // Five points of load halve the distance five thirds of a time; with twice the room they do so five sixths of a time.
    assert_eq!((at(1_000 << 12, 30), at(1_000 << 6, 30)), (3, 2));
    assert_eq!((at(1_000, 60), at(1_000, 240), at(1_000 << 12, 60)), (3, 4, 3));
}

#[test]
fn what_cannot_be_judged_counts_as_the_mean_of_the_rest() {
    // Scope is halved and weighs 0.15, constraints are whole and weigh 0.20: (3 × 0.15 + 5 × 0.20) / 0.35 = 4.14.
    let incidents = [incident(DriftType::A, Severity::Major, 1.0)];
    let two = Assessable { dimensions: vec![Dimension::Scope, Dimension::Constraint], words: 1, obligations: 1 };
    let scores = score(&incidents, &two);
    assert_eq!(scores.dimensions, [3, 5, 4, 4, 4, 4, 4, 4, 4, 4]);
    assert_eq!((scores.overall, scores.unassessed.len()), (4.05, 8));
    let none = score(&incidents, &Assessable { dimensions: Vec::new(), words: 1, obligations: 1 });
    assert_eq!((none.dimensions, none.overall), ([0; 10], 0.0));
}

#[test]
fn loads_of_a_dimension_add_up() {
    let all = Assessable { dimensions: Dimension::ALL.to_vec(), words: 1, obligations: 1 };
    let minor = incident(DriftType::G, Severity::Minor, 1.0);
    let of = |count: usize| score(&vec![minor.clone(); count], &all).dimensions[Dimension::Causal as usize];
    assert_eq!([of(0), of(1), of(6), of(12)], [5, 4, 3, 1]);
}

#[test]
fn a_risk_begins_below_its_score() {
    let at = |overall| risk(&[incident(DriftType::A, Severity::Major, 1.0)], overall);
    assert_eq!([at(5.0), at(3.5)], [Risk::Low; 2]);
    assert_eq!([at(3.49), at(2.5)], [Risk::Medium; 2]);
    assert_eq!([at(2.49), at(0.0)], [Risk::High; 2]);
    assert_eq!(risk(&[incident(DriftType::J, Severity::Critical, 0.1)], 5.0), Risk::Critical);
    assert_eq!(risk(&[], 5.0), Risk::Low);
}

/// Whether a report of these obligations can be used: the strength of each, how it stands, and whether it was judged.
fn of(rows: &[(Strength, Status, bool)], disqualified: bool, risk: Risk) -> Usable {
    let prompt = Document::from_str_as("You must build a seed library.", Format::Plain);
    let mut contract = read(FileId(0), &prompt, Span::new(0, 30));
    let item = contract.obligations[0].clone();
    contract.obligations =
        rows.iter().map(|row| crate::ask::ContractItem { strength: row.0, ..item.clone() }).collect();
    let judged = |(item, row): (usize, &(Strength, Status, bool))| Judged {
        item,
        status: row.1,
        assessed: row.2,
        answer: Vec::new(),
        measured: None,
        passages: Vec::new(),
        origin: Origin::Code,
    };
    let obligations: Vec<Judged> = rows.iter().enumerate().map(judged).collect();
    usable(disqualified, risk, &contract, &obligations, USABLE_SHARE)
}

#[test]
fn what_stands_against_a_report_makes_it_unusable() {
    use Strength::{May, Must, Should};
    let kept = (Must, Status::Kept, true);
    assert_eq!(of(&[kept], false, Risk::Low), Usable::Yes);
    assert_eq!(of(&[kept], false, Risk::Medium), Usable::Yes);
    assert_eq!(of(&[kept], false, Risk::High), Usable::Broken);
    assert_eq!(of(&[kept], false, Risk::Critical), Usable::Broken);
    assert_eq!(of(&[kept], true, Risk::Low), Usable::Broken);
    for status in [Status::Broken, Status::Weakened, Status::Unmentioned] {
        assert_eq!(of(&[kept, (Must, status, true)], false, Risk::Low), Usable::Broken, "{status:?}");
        for weaker in [Should, May] {
            assert_eq!(of(&[kept, (weaker, status, true)], false, Risk::Low), Usable::Yes, "{status:?}");
        }
    }
    // What nothing was looked for is not missing.
    assert_eq!(of(&[kept, kept, (Must, Status::Unmentioned, false)], false, Risk::Low), Usable::Yes);
}

#[test]
fn a_report_is_usable_only_where_enough_was_judged() {
    use Strength::{May, Must, Should};
    let (kept, open) = (|strength| (strength, Status::Kept, true), |strength| (strength, Status::Unclear, false));
    let share = |judged: usize, all: usize, strength| {
        let rows: Vec<_> = (0..all).map(|at| if at < judged { kept(strength) } else { open(strength) }).collect();
        of(&rows, false, Risk::Low)
    };
    assert_eq!((share(3, 5, Must), share(2, 5, Must)), (Usable::Yes, Usable::TooLittleAssessed));
    // Where nothing must be kept all obligations count.
    assert_eq!((share(3, 5, Should), share(2, 5, May)), (Usable::Yes, Usable::TooLittleAssessed));
    // Else only those do that must be kept.
    assert_eq!(of(&[kept(Must), open(Should), open(May)], false, Risk::Low), Usable::Yes);
    assert_eq!(of(&[open(Must), kept(Should), kept(Should)], false, Risk::Low), Usable::TooLittleAssessed);
    assert!(Usable::Yes.is_yes() && !Usable::Broken.is_yes() && !Usable::TooLittleAssessed.is_yes());
}
