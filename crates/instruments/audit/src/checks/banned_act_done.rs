//! What the prompt forbids to do, the report says was done: the verb of the ban in the past, with everything that the ban names.
//!
//! Example: "Don't push" against "I pushed the branch to origin".

use std::ops::Range;

use steadfast_annotate::lexicon::{self, Class};
use steadfast_annotate::{Pattern, base_form, is_mention, negations, stem, stems};
use steadfast_evidence::{Evidence, Polarity, Severity, Strength};

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::ask::ContractItem;
use crate::incident::{DriftType, Incident};

/// The check's id.
pub(super) const ID: &str = "banned-act-done";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::B, summary: "what is not to be done is said to have been done", run };

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 6;
/// A ban that names more than so many things is about a case, and not about an act.
const OBJECTS_MAX: usize = 4;

/// What forbids, at the beginning of a ban, and the verb behind it.
static ACT: Pattern = Pattern::new(
    r"(?i)^(?:(?:please|and|but|also|so)[,:]?\s+)*(?:(?:you\s+)?(?:must|may|should|shall|can)\s*n[o’']?t|do\s+not|don[’']?t|never)\s+(?:ever\s+|just\s+|please\s+)?([a-z]+)\b",
);
/// An act that the asker keeps to himself: "pushing is my job", "leave the posting to me".
static RESERVED: Pattern = Pattern::new(
    r"(?i)^(?:(?:please|and|but|also|so)[,:]?\s+)*(?:leave\s+(?:the\s+|all\s+)?([a-z]+ing)\b(.{0,60}?)\s+to\s+(?:me|us)\b|(?:the\s+)?([a-z]+ing)\b(.{0,60}?)\s+(?:is|stays?|remains?)\s+(?:my|our)\s+(?:job|business|task)\b)",
);
/// What binds a ban to a case, a time or a measure.
static BOUND: Pattern = Pattern::new(
    r"(?i)\b(?:unless|without|until|till|before|after|except|if|when|while|only|just|more|less|fewer|over|under|above|below|beyond|again|yet|both|either|too|same|other|another|any\s+of|instead|than|first|directly)\b|\d",
);
/// What points at something that was named before.
static PRONOUN: Pattern = Pattern::new(r"(?i)\b(?:it|them|this|that|these|those|one)\b");
/// Who says of himself that he did it, right before the verb.
static DONE_BY: Pattern = Pattern::new(
    r"(?i)\b(?:I|we)(?:[’']ve|\s+have)?(?:\s+(?:also|then|just|already|now|have|simply|quickly|even|went\s+ahead\s+and))*\s+$|(?:^|[.;:]\s+|\band\s+|\bthen\s+)$",
);
/// What says that something was done to it, right before the verb.
static DONE_TO: Pattern = Pattern::new(
    r"(?i)\b(?:was|were|has\s+been|have\s+been|got|is\s+now|are\s+now)(?:\s+(?:also|then|now|already|just))*\s+$",
);

/// A ban on an act: its verb, and what the act is on.
struct Act {
    verb: String,
    objects: Vec<String>,
}

impl Act {
    fn of(item: &ContractItem) -> Option<Self> {
        if item.polarity != Polarity::Not || item.strength != Strength::Must {
            return None;
        }
        let text = item.obligation.source().text();
        let (verb, rest) = forbidden(text).or_else(|| reserved(text))?;
        let is_act = lexicon::has(Class::Verb, &verb) || lexicon::has(Class::OrderVerb, &verb);
        // "Don't upgrade it": what "it" is stands elsewhere.
        if !is_act || BOUND.is_match(rest) || PRONOUN.is_match(rest) {
            return None;
        }
        let objects: Vec<String> = stems(rest).iter().map(|stem| base_form(stem).to_owned()).collect();
        (objects.len() <= OBJECTS_MAX).then(|| Self { verb: base_form(&stem(&verb)).to_owned(), objects })
    }

    /// Where a claim says that the act was done.
    fn done_in(&self, claim: &Claim) -> Option<Range<usize>> {
        let text = &claim.text;
        // "I deleted nothing" denies what is done to, and not the verb.
        if !negations(text).is_empty() {
            return None;
        }
        let is_object = |own: &String| claim.stems.iter().any(|(_, stem)| base_form(stem) == own);
        let is_past = |word: &str| {
            let low = word.to_lowercase();
            low.ends_with("ed") || base_form(&stem(&low)) != stem(&low)
        };
        let said = claim.stems.iter().filter(|(range, own)| {
            let word = text.get(range.clone()).unwrap_or_default();
            let before = text.get(..range.start).unwrap_or_default();
            let by_self = DONE_BY.is_match(before);
            base_form(own) == self.verb
                && is_past(word)
                && (by_self || !self.objects.is_empty() && DONE_TO.is_match(before))
                && !is_mention(text, range.clone())
        });
        let mut said = said.filter(|_| self.objects.iter().all(is_object));
        said.next().map(|(range, _)| range.clone())
    }
}

/// The verb of "don't push the branch" in lower case, and what follows.
fn forbidden(text: &str) -> Option<(String, &str)> {
    let verb = ACT.captures(text)?.get(1)?;
    Some((verb.as_str().to_lowercase(), text.get(verb.end()..).unwrap_or_default()))
}

/// The same of "pushing the branch is my job".
fn reserved(text: &str) -> Option<(String, &str)> {
    let found = RESERVED.captures(text)?;
    let (verb, rest) = (found.get(1).or(found.get(3))?, found.get(2).or(found.get(4))?);
    Some((base_form(&stem(&verb.as_str().to_lowercase())).to_owned(), rest.as_str()))
}

/// Whether an obligation forbids an act.
pub(crate) fn looks_at(item: &ContractItem) -> bool {
    Act::of(item).is_some()
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let acts = case.ask.obligations.iter().enumerate().filter_map(|(at, item)| Some((at, item, Act::of(item)?)));
    let found = acts.filter_map(|(at, item, act)| {
        let plans = |claim: &&Claim| claim.is_of_the_plan() && !claim.stance.assumed;
        let (claim, range) =
            case.answer.claims.iter().filter(plans).find_map(|claim| Some((claim, act.done_in(claim)?)))?;
        let quote = case.answer.quote(claim, &(0..claim.text.len()))?;
        let source = item.obligation.source();
        let draft = incident(&CHECK, Severity::Major, 0.8, Evidence::Quote(quote))
            .at(case.answer, claim, &range)
            .source(source)
            .obligation(at)
            .because(format!("The prompt forbids it: \"{}\"; the report says that it was done.", source.text()))
            .repair("Undo it, or say openly that it was done and ask whether it may stand.".to_owned());
        Some(draft.done())
    });
    found.take(INCIDENTS_MAX).collect()
}
