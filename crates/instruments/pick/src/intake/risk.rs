//! How much harm a wrong result does, and the words that say so.

use std::sync::LazyLock;

use steadfast_annotate::{Quantity, Unit};

use super::words::{Phrases, Text};
use crate::task::RiskLevel;

/// From this amount on money is large, whatever the currency.
const LARGE_MONEY_MIN: i64 = 100_000;
/// Most words that are given as reasons.
const REASONS_MAX: usize = 8;

static CUES: LazyLock<Phrases<RiskLevel>> = LazyLock::new(|| {
    Phrases::new(&[
        (
            "medication|medicine|dosage|dose|diagnosis|diagnose me|patient|symptom|chest pain|heart attack|disease|illness|treatment|surgery|pregnant|pregnancy|suicide|self harm|overdose|allergy|allergic|drug interaction|side effect|mental illness|therapy|first aid|poison|blood pressure|infant|vaccine|vaccination|medical|clinical",
            RiskLevel::High,
        ),
        (
            "contract|lawsuit|sue|legal advice|legal|liability|gdpr|hipaa|compliance|regulation|nda|terms of service|privacy policy|immigration|visa application|custody|divorce|court|patent|will and testament|terminate an employee|termination letter|firing|fire an employee|layoff|dismissal|discrimination|harassment|evict|eviction",
            RiskLevel::High,
        ),
        (
            "mortgage|life savings|retirement|pension|acquisition|merger|ipo|payroll|tax return|taxes|tax|invest|investing|investment|loan|bankruptcy|wire transfer|insider|financial advice",
            RiskLevel::High,
        ),
        (
            "password|personal data|customer data|personal information|social security|credit card|bank account|health record|private key|api key|secrets|identity theft|surveillance|biometric|confidential",
            RiskLevel::High,
        ),
        (
            "explosive|weapon|gas leak|electrical wiring|high voltage|evacuation|hazard|hazardous|chemical spill|brake|asbestos|nuclear|safety critical|emergency",
            RiskLevel::High,
        ),
        (
            "drop the database|delete production|production database|wipe|rm rf|format the disk|data breach|security breach|ransomware|vulnerability|security incident|penetration test|production outage",
            RiskLevel::High,
        ),
        (
            "migration|migrate|production|deploy|deployment|delete|overwrite|outage|incident|rollback|cutover|security|backup|server|downtime|merge to main",
            RiskLevel::Medium,
        ),
        (
            "customer|client|investor|board|press release|public statement|announcement|complaint|refund|publish|go live|launch|stakeholder|executive|crisis|apology|apologize|media statement",
            RiskLevel::Medium,
        ),
        (
            "hire|hiring|candidate|interview|salary|performance review|promotion|resignation|resign|budget|invoice|price|pricing|purchase|buy|pay|payment|transfer|book|booking|insurance|stock|crypto|cryptocurrency|bitcoin|fundraising|deadline|grant|negotiate|negotiation|rent|lease",
            RiskLevel::Medium,
        ),
        (
            "health|diet|fasting|injury|pain|exam|visa|passport|travel abroad|child|children|repair|brake pads|roof",
            RiskLevel::Medium,
        ),
    ])
});

/// The level, and the words of the task that it rests on: those of the level alone.
pub(super) fn read(text: &Text<'_>, quantities: &[Quantity]) -> (RiskLevel, Vec<String>) {
    let mut found: Vec<(RiskLevel, String)> =
        CUES.all(text).into_iter().map(|(level, words)| (level, text.said(words).to_owned())).collect();
    for quantity in quantities.iter().filter(|quantity| matches!(quantity.unit, Unit::Money(_))) {
        let level = if quantity.high >= LARGE_MONEY_MIN.into() { RiskLevel::High } else { RiskLevel::Medium };
        found.push((level, text.plain.get(quantity.range.clone()).unwrap_or_default().to_owned()));
    }
    let level = found.iter().map(|(level, _)| *level).max().unwrap_or(RiskLevel::Low);
    let mut reasons: Vec<String> = Vec::new();
    for (of, word) in found {
        if of == level
            && reasons.len() < REASONS_MAX
            && !reasons.iter().any(|reason| reason.eq_ignore_ascii_case(&word))
        {
            reasons.push(word);
        }
    }
    (level, reasons)
}
