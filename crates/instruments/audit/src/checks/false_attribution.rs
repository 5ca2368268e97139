//! The answer says that the prompt, the user or the plan states something, and it does not.
//!
//! What is attributed to the user or the prompt is looked for in the ask; what is attributed to "the plan" in the ask and in
//! every other artefact. Looked for are words in quotation marks, figures, and (for the user and the prompt) the content words.
//! "The plan lacks …" attributes nothing.
//!
//! Example: the ask has no phases; "the three phases defined in the project description" is an incident.

use std::collections::HashSet;
use std::sync::LazyLock;

use steadfast_annotate::{Unit, content_stems};
use steadfast_evidence::{Evidence, Severity};
use steadfast_steps::Regex;

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::incident::{DriftType, Incident};
use crate::matching;

/// The check's id.
pub(super) const ID: &str = "false-attribution";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::C,
    summary: "the report attributes to the prompt or plan what it does not say",
    run,
};

/// Share of the attributed content words that the ask must have, at least.
const SHARE_MIN: f64 = 0.34;
/// Content words that an attribution has, at least, before their absence says anything.
const STEMS_MIN: usize = 3;
/// Most incidents.
const INCIDENTS_MAX: usize = 4;

/// How far behind the verb a quotation may begin, in bytes.
const ATTRIBUTED_BYTES_MAX: usize = 24;

const STATES: &str = r"(?:states?|stated|mentions?|mentioned|specif(?:y|ies|ied)|requires?|required|requests?|requested|says|said|calls? for|called for|stipulates?|stipulated|asks? for|asked for|has asked|wants?|wanted|demands?|demanded|defines?|defined|indicates?|indicated|sets|names)";

static OF_USER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(&format!(
        r"(?i)\b(?:the|your|our) (?:user|client|prompt|brief|request|requester|customer's brief|project description|original request|initial prompt)(?:'s (?:prompt|brief|request))?\s+(?:(?:has|have|had|is said to have)\s+)?(?:also\s+)?(?:explicitly |clearly |specifically |expressly )?{STATES}\b(?: that| for| to)?"
    ))
    .ok()
});

/// "According to your request, …", "as the prompt says, …", "you told us that …": what follows is attributed.
static LED_IN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(&format!(
        r"(?i)\b(?:according to|following|in line with|in accordance with|per|as in|from) (?:the|your) (?:user|client|prompt|brief|(?:original |initial )?request|requester|project description|wishes|order|instructions?)\b,?|\bas (?:the|your) (?:user|client|prompt|brief|(?:original |initial )?request|requester|project description)(?: (?:has|have))? {STATES}(?: it)?\b,?|\b(?:as )?you (?:have )?(?:told|wrote|written|said|stated|asked|informed|mentioned|specified|requested|explained|let)(?: us| me)?(?: (?:for|that|know))?\b"
    ))
    .ok()
});

static AS_DEFINED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:as )?(?:defined|specified|stated|required|outlined|described|requested|laid down|set|given|demanded) (?:in|by) (?:the|your) (?:user(?:'s)?(?: prompt| brief| request)?|client|prompt|brief|request|project description|original request|initial prompt)\b").ok()
});

static OF_PLAN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(&format!(r"(?i)\bthe (?:project )?(?:plan|proposal|report|document)\s+(?:explicitly |clearly |specifically )?{STATES}\b(?: that| for| to)?")).ok()
});

static HEAD_END: LazyLock<Option<Regex>> =
    LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\s(?:with|for|that|which|who|in|at|by|and|to)\s|,").ok());

static QUOTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r#"(?:^|[\s(])(?:'([^'\n]{4,120})'|"([^"\n]{4,160})"|“([^”\n]{4,160})”)(?:[\s.,;:)]|$)"#,
    )
    .ok()
});

fn run(case: &Case<'_>) -> Vec<Incident> {
    let (Some(of_user), Some(as_defined), Some(of_plan)) = (&*OF_USER, &*AS_DEFINED, &*OF_PLAN) else {
        return Vec::new();
    };
    let asked = matching::asked(case.ask);
    let mut incidents = Vec::new();
    for claim in &case.answer.claims {
        if incidents.len() == INCIDENTS_MAX {
            break;
        }
        if !claim.voice().can_drift() {
            continue;
        }
        let text = &claim.text;
        let missing = if let Some(found) = of_user.find(text) {
            let rest = clause_after(text, found.end());
            not_in_ask(case, claim, rest.clone(), &asked).map(|what| (found.start()..rest.end, what))
        } else if let Some(found) = LED_IN.as_ref().and_then(|pattern| pattern.find(text)) {
            let rest = clause_after(text, found.end());
            not_in_ask(case, claim, rest.clone(), &asked).map(|what| (found.start()..rest.end, what))
        } else if let Some(found) = as_defined.find(text) {
            let rest = clause_before(text, found.start());
            not_in_ask(case, claim, rest.clone(), &asked).map(|what| (rest.start..found.end(), what))
        } else if let Some(found) = of_plan.find(text) {
            let rest = clause_after(text, found.end());
            not_in_answer(case, claim, &rest).map(|what| (found.start()..rest.end, what))
        } else {
            None
        };
        let Some((range, what)) = missing else { continue };
        let Some(quote) = case.answer.quote(claim, &range) else { continue };
        let severity = if claim.is_of_the_plan() { Severity::Major } else { Severity::Moderate };
        incidents.push(
            incident(&CHECK, severity, 0.75, Evidence::Quote(quote))
                .at(case.answer, claim, &range)
                .because(format!("The report attributes this to the prompt or plan, where {what} stands nowhere."))
                .repair("Quote what the prompt says, or drop the attribution.")
                .done(),
        );
    }
    incidents
}

/// The rest of the sentence up to a strong mark.
fn clause_after(text: &str, from: usize) -> std::ops::Range<usize> {
    let end = text[from..].find([';', '.']).map_or(text.len(), |at| from + at);
    from..end
}

fn clause_before(text: &str, to: usize) -> std::ops::Range<usize> {
    let start = text[..to].rfind([';', ':', '.']).map_or(0, |at| at + 1);
    start..to
}

/// What of the words at `range` the ask does not have.
fn not_in_ask(
    case: &Case<'_>,
    claim: &Claim,
    range: std::ops::Range<usize>,
    asked: &HashSet<String>,
) -> Option<String> {
    let words = claim.text.get(range.clone())?;
    if steadfast_annotate::is_negated(&claim.text, range.start..range.start + 1) {
        return None;
    }
    let ask = ask_text(case);
    for quantity in claim.quantities.iter().filter(|quantity| range.contains(&quantity.range.start)) {
        let known = case.ask.request.figures.iter().any(|figure| figure.quantity.low == quantity.low);
        let digits = claim.text.get(quantity.number_range.clone()).unwrap_or_default();
        if !known && !matches!(quantity.unit, Unit::Label | Unit::Ordinal) && !ask.contains(&digits.to_lowercase()) {
            return Some(format!("\"{}\"", &claim.text[quantity.range.clone()]));
        }
    }
    let stems: Vec<String> =
        content_stems(words).into_iter().map(|(_, stem)| stem).filter(|stem| !matching::is_generic(stem)).collect();
    let known = stems.iter().filter(|stem| matching::is_asked(stem, asked)).count();
    // What is attributed first: "a franchise model" of "a franchise model with a fee for the shop".
    let head_end = HEAD_END.as_ref().and_then(|pattern| pattern.find(words)).map_or(words.len(), |found| found.start());
    let head: Vec<String> = content_stems(&words[..head_end])
        .into_iter()
        .map(|(_, stem)| stem)
        .filter(|stem| !matching::is_generic(stem))
        .collect();
    let head_is_foreign = !head.is_empty() && head.iter().all(|stem| !matching::is_asked(stem, asked));
    let apart = case.kin.judges() && case.kin.ties(claim, &range).is_alone();
    let missing = head_is_foreign
        || apart
        || (stems.len() >= STEMS_MIN && (known as f64) < SHARE_MIN * stems.len() as f64)
        || (!stems.is_empty() && known == 0);
    missing.then(|| format!("\"{}\"", words.trim()))
}

/// What of the words at `range` stands neither in the ask nor anywhere else in the answer.
fn not_in_answer(case: &Case<'_>, claim: &Claim, range: &std::ops::Range<usize>) -> Option<String> {
    let words = claim.text.get(range.clone())?;
    let ask = ask_text(case);
    for quantity in claim.quantities.iter().filter(|quantity| range.contains(&quantity.range.start)) {
        let digits = claim.text.get(quantity.number_range.clone()).unwrap_or_default();
        if digits.chars().filter(char::is_ascii_digit).count() < 2
            || !matches!(quantity.unit, Unit::Count(_) | Unit::Money(_) | Unit::Measure(_))
        {
            continue;
        }
        let elsewhere = case.ask.request.figures.iter().any(|figure| figure.quantity.low == quantity.low)
            || case.answer.claims.iter().any(|other| {
                !std::ptr::eq(other, claim)
                    && other.quantities.iter().any(|own| own.low == quantity.low && own.high == quantity.high)
            });
        if !elsewhere {
            return Some(format!("\"{}\"", &claim.text[quantity.range.clone()]));
        }
    }
    for found in QUOTED.as_ref()?.captures_iter(words) {
        let quoted = found.get(1).or_else(|| found.get(2)).or_else(|| found.get(3))?.as_str();
        let folded = quoted.trim_end_matches(['.', ',']).to_lowercase();
        // What stands right after the verb is attributed; quotation marks further on may be scare quotes.
        let at = found.get(0).map_or(0, |whole| whole.start());
        if at > ATTRIBUTED_BYTES_MAX {
            break;
        }
        if folded.split_whitespace().count() < 2 || folded.contains("...") || folded.contains('…') {
            continue;
        }
        let stands = ask.contains(&folded)
            || case.answer.artefacts.iter().any(|artefact| {
                artefact.document.blocks.iter().any(|block| {
                    let plain = block.text.plain.to_lowercase();
                    plain.contains(&folded)
                        && plain != claim.text.to_lowercase()
                        && !plain.contains(&claim.text.to_lowercase())
                })
            });
        if !stands {
            return Some(format!("\"{quoted}\""));
        }
    }
    None
}

fn ask_text(case: &Case<'_>) -> String {
    case.ask.request.statements.iter().map(|statement| statement.text.to_lowercase()).collect::<Vec<_>>().join(" ")
}
