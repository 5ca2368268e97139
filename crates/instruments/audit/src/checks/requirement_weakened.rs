//! What must be is made optional, conditional, postponed, left out of scope or denied.
//!
//! What the ask puts as a duty is looked for by its words in the plan's own claims and in its lists of exclusions; it is an
//! incident where a word of choice ("if possible", "consider", "optional", "in a later phase") governs it, or where most
//! of its words stand in a denial, and no other claim of the plan keeps it. A condition on an elaboration, or weighing the way and not the thing, is none.
//!
//! Example: "every session must have two lifeguards" against "if possible, two lifeguards are on duty".

use std::sync::LazyLock;

use steadfast_annotate::{Strength, is_mention, is_negated, modality, negations};
use steadfast_ask::Rule;
use steadfast_evidence::{Evidence, Severity, Strength as Asked};
use steadfast_steps::Regex;

use super::{Case, Check, incident, rule};
use crate::ask::Kind;
use crate::incident::{DriftType, Incident};
use crate::matching;
use crate::status::INVITES;

/// The check's id.
pub(super) const ID: &str = "requirement-weakened";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::B, summary: "what must be is made optional, conditional, or put off", run };

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 6;
/// Share of the weighted words of the requirement that the claim has, at least.
const SHARE_MIN: f64 = 0.38;
/// The same where it has only two of them.
const SHARE_OF_TWO: f64 = 0.5;
/// A limit that is said as a denial.
static LIMIT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)\b(?:not|never|cannot)\s+(?:to\s+)?(?:exceed|pass|surpass|(?:be|cost|take|last|go)\s+(?:more|less|over|under|above|below|beyond|longer|later))\b|\bno\s+(?:more|less|fewer|later|longer|earlier|higher|lower)\s+than\b",
    )
    .ok()
});

/// Whether words deny no more than that a limit is passed: "must not exceed 4 minutes" asks for what "at most 4 minutes" asks for.
fn states_limit(text: &str) -> bool {
    LIMIT.as_ref().is_some_and(|limit| limit.is_match(text))
}

/// Share of the weighted words of the requirement that a claim has, at least, that denies it.
const SHARE_DENIED: f64 = 0.7;
/// The same where the requirement has no word of duty: all of them.
const SHARE_DENIED_WHOLE: f64 = 0.99;
/// Content words from the first to the last of these, for each, at most.
const SPREAD_MAX: usize = 2;

/// What must be is only welcome: "is a plus".
static WELCOME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:is|are|would be|counts? as|comes? as|as) (?:only |just )?(?:an? )?(?:\w+ )?(?:plus|bonus|advantage|asset|nice[- ]to[- ]have|welcome|desirable|preferred|optional|not (?:required|needed|necessary|essential))\b").ok()
});
/// Content words of a requirement that is looked for by one of them.
const SHORT_STEMS_MAX: usize = 3;

static DUTY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:must|shall|required|essential|mandatory|critical|need(?:s)? to|has to|have to|compulsory|obligatory|never|always)\b").ok()
});

/// Words that make it a matter of choice, before it or after it.
static BEFORE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(&format!(r"(?i)(?:\b(?:(?:where|wherever|when|whenever|if|as far as|as long as|as much as|to the extent) (?:it is |this is |reasonably |at all )?(?:possible|feasible|practical|practicable|reasonable|appropriate|convenient|needed|affordable|(?:the )?[\w-]+ (?:allows?|permits?|agrees?|manages?|can)\b)|subject to (?:available )?(?:budget|funding|funds|time)|ideally|preferably|should|optional(?:ly)?|{INVITES})\b|^\W*consider\w* (?:mak|hav|us|add|provid|keep|offer|introduc|includ)\w*)")).ok()
});

static AFTER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:in a (?:later|second|future|subsequent) (?:phase|stage|release|version)|at a later (?:stage|date)|(?:where|wherever|when|whenever|if|as far as|as long as|as much as|to the extent) (?:it is |this is |reasonably |at all )?(?:possible|feasible|practical|practicable|reasonable|appropriate|convenient|needed|affordable|(?:the )?[\w-]+ (?:allows?|permits?|agrees?|manages?|can)\b)|(?:is|are|remains?) (?:optional|desirable)|is postponed|are postponed|is deferred|are deferred|as a nice-to-have)\b").ok()
});

/// The same among its words or right behind them.
static CHOICE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:(?:where|wherever|when|whenever|if|as far as|as long as|as much as|to the extent) (?:it is |this is |reasonably |at all )?(?:possible|feasible|practical|practicable|reasonable|appropriate|convenient|needed|affordable|(?:the )?[\w-]+ (?:allows?|permits?|agrees?|manages?|can)\b)|should|ideally|preferably|optionally|(?:is|are) a goal|in most cases)\b").ok()
});

/// Bytes behind the words of a requirement in which a word of choice still governs them.
const AFTER_BYTES_MAX: usize = 24;

/// Content words that may stand among them beside.
const SPREAD_SLACK: usize = 3;
/// A claim that keeps the requirement outweighs one that weakens it if it has this share of that one's words, at least.
const KEPT_SHARE_MIN: f64 = 0.8;

/// What becomes of the requirement.
#[derive(Clone, Copy)]
enum How {
    LeftOut,
    Weakened,
    Denied,
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let (Some(duty), Some(before), Some(after), Some(choice)) = (&*DUTY, &*BEFORE, &*AFTER, &*CHOICE) else {
        return Vec::new();
    };
    let index = &case.index;
    let mut incidents = Vec::new();
    for (item, obligation) in case.ask.obligations.iter().enumerate() {
        let Some(Rule::Require { what, .. }) = rule(case, item) else { continue };
        let source = obligation.obligation.source();
        // An order without a word of duty ("Add tests") is only looked for where it is denied as a whole.
        let firm = duty.is_match(source.text());
        if obligation.obligation.kind != Kind::Constraint || !firm && obligation.strength != Asked::Must {
            continue;
        }
        let stems: Vec<String> = matching::stems_once(&duty.replace_all(what, " "))
            .into_iter()
            .filter(|stem| !matches!(stem.as_str(), "everi" | "each" | "ani" | "abl" | "year" | "all"))
            .collect();
        if stems.len() < 2 {
            continue;
        }
        let found = index.aligned(&stems, SHARE_MIN);
        let mut weak = None;
        let mut share = 0.0;
        for alignment in &found {
            let claim = &case.answer.claims[alignment.claim];
            let text = &claim.text;
            if alignment.hits < 2
                || (alignment.share < SHARE_OF_TWO && alignment.hits < 3)
                || alignment.words > SPREAD_MAX * alignment.hits + SPREAD_SLACK
                || claim.stance.assumed
            {
                continue;
            }
            let left_out = claim.voice().is_of_the_plan() && claim.stance.excluded;
            if !claim.is_of_the_plan() && !left_out {
                continue;
            }
            let marked = before
                .find(text)
                .filter(|mark| {
                    mark.start() <= alignment.range.start
                        && clause_is_one(&text[mark.end()..alignment.range.start.max(mark.end())], mark.start() == 0)
                })
                // "tested, where possible before they are lent": among the words of the requirement.
                .or_else(|| {
                    choice.find_iter(text).find(|mark| {
                        (alignment.range.start..alignment.range.end + AFTER_BYTES_MAX).contains(&mark.start())
                            && clause_is_one(text.get(alignment.range.end..mark.start()).unwrap_or_default(), true)
                    })
                })
                .or_else(|| {
                    after.find(text).filter(|mark| {
                        mark.start() >= alignment.range.end
                            && clause_is_one(&text[alignment.range.end..mark.start()], false)
                    })
                });
            let denied = alignment.share >= if firm { SHARE_DENIED } else { SHARE_DENIED_WHOLE }
                && !claim.stance.excluded
                && !states_limit(text)
                && negations(what).is_empty()
                && modality(text).strength_at(alignment.range.clone()) >= Strength::Intended
                && claim.stems.iter().any(|(range, stem)| {
                    stems.contains(stem) && !matching::is_generic(stem) && is_negated(text, range.clone())
                });
            if denied {
                if weak.is_none() && !is_mention(text, alignment.range.clone()) {
                    weak = Some((claim, alignment.range.clone(), How::Denied));
                    share = alignment.share;
                }
            } else if firm && (left_out || marked.is_some()) {
                if weak.is_none() && !is_mention(text, alignment.range.clone()) | left_out {
                    let range = marked.map_or(alignment.range.clone(), |mark| {
                        mark.start().min(alignment.range.start)..mark.end().max(alignment.range.end)
                    });
                    weak = Some((claim, range, if left_out { How::LeftOut } else { How::Weakened }));
                    share = alignment.share;
                }
            } else if modality(text).strength_at(alignment.range.clone()) >= Strength::Intended {
                // Kept elsewhere, or here.
                if alignment.share >= KEPT_SHARE_MIN * share {
                    weak = None;
                }
                break;
            }
        }
        let weak = weak.or_else(|| {
            if !firm || stems.len() > SHORT_STEMS_MAX {
                return None;
            }
            // Its rarest word is what it is about: "Xero experience is required" against "Having worked in Xero is a plus".
            case.answer.claims.iter().filter(|claim| claim.is_of_the_plan()).find_map(|claim| {
                let mark = WELCOME.as_ref()?.find(&claim.text)?;
                let before = |range: &std::ops::Range<usize>| range.end <= mark.start();
                let (range, own) = claim.stems.iter().find(|(range, stem)| {
                    before(range)
                        && stems.contains(stem)
                        && claim.text[range.clone()].starts_with(char::is_uppercase)
                        && range.start > 0
                })?;
                let elsewhere = |other: &&crate::answer::Claim| !std::ptr::eq(*other, claim) && other.has_stem(own);
                let is_alone = !case.answer.claims.iter().any(|other| elsewhere(&other));
                is_alone.then(|| (claim, range.start..mark.end(), How::Weakened))
            })
        });
        let Some((claim, range, how)) = weak else { continue };
        let Some(quote) = case.answer.quote(claim, &range) else { continue };
        let (how, weakens) = match how {
            How::LeftOut => ("leaves it out", true),
            How::Weakened => ("makes it a matter of choice or of later", true),
            How::Denied => ("denies it", false),
        };
        let draft = incident(&CHECK, Severity::Major, 0.7, Evidence::Quote(quote))
            .at(case.answer, claim, &range)
            .source(source)
            .obligation(item)
            .because(format!("The prompt demands \"{}\"; the report {how}.", source.text()))
            .repair(format!("Put it as a requirement: \"{}\".", source.text()));
        incidents.push(if weakens { draft.weakens().done() } else { draft.done() });
        if incidents.len() == INCIDENTS_MAX {
            break;
        }
    }
    incidents
}

/// Whether no mark ends the clause in these words; one comma may follow a condition that opens the sentence.
fn clause_is_one(words: &str, opens: bool) -> bool {
    let commas = words.matches(',').count();
    !words.contains([';', '.', ':', '—']) && commas <= usize::from(opens)
}
