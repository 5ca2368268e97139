//! The ask prescribes a means, and the report names an opposed one for the same work.
//!
//! Means are read from a short table of opposites (by hand and by machine, on paper and digital, open and proprietary, on
//! location and in a studio, by rail and by lorry, by lot and by application, by consensus and by one person's decision, with
//! people and with software, live and recorded, local and imported, in-house and contracted out). The sentence must speak of
//! the same thing: it shares content words with the words around the ask's means. A sentence that names the ask's means too
//! is none, save where it says that something stands in its place. Contingencies, aids beside the means, other projects,
//! denials, and means that the ask names on both sides are none.
//!
//! Where the ask says itself which means is out ("by train and ferry, not by coach"), no table is asked: a sentence of the plan that does
//! something by the one that is out, and does not name the one that is wanted, is an incident.
//!
//! Example: the ask is to move the harvest by rail; "The harvest is moved by lorry" is an incident.

use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::{content_stems, is_mention, is_negated};
use steadfast_evidence::{Evidence, Quote, Severity};
use steadfast_steps::Regex;

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::incident::{DriftType, Incident};
use crate::matching::is_generic;

/// The check's id.
pub(super) const ID: &str = "mechanism-replaced";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::G,
    summary: "the means that the ask prescribes is replaced by an opposed one",
    run,
};

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 2;

/// How many content words before and after the ask's means say what it is for.
const OBJECT_STEMS_BEFORE: usize = 7;
const OBJECT_STEMS_AFTER: usize = 3;

/// Means that exclude each other.
struct Opposites {
    own: Regex,
    other: Regex,
    /// How many content words of its object a sentence has to share.
    shared_min: usize,
}

/// The ask's means, what opposes it, and how many words of its object have to be shared.
#[rustfmt::skip]
const TABLE: &[(&str, &str, usize)] = &[
    (
        r"hand[- ](?:dug|made|built|sewn|woven|drawn|picked|written|painted|carved|printed|set|cut|milked|forged)|by hand|manual(?:ly)?",
        r"machine[- ]\w+|by machines?|mechani[sz]ed|automated|automatically|robot\w*|excavators?|drilling rigs?",
        2,
    ),
    (r"fully automat(?:ed|ic)|by machines?|by robots?", r"by hand|manually", 2),
    (
        r"paper (?:diar|forms?|ballots?|tickets?|maps?|questionnaires?|records?|logs?)\w*|on paper|pen and paper",
        r"wrist ?bands?|apps?|tablets?|smartphones?|online (?:forms?|questionnaires?|surveys?|voting|ballots?|diar\w+)|digital(?:ly)?|electronic(?:ally)?|sensors?",
        2,
    ),
    (
        r"electronic (?:ballots?|forms?|records?)|digital (?:diar\w+|forms?|records?|tickets?)|online (?:forms?|questionnaires?|surveys?|voting)",
        r"on paper|paper (?:diar\w+|forms?|ballots?|questionnaires?|records?|tickets?)|pen and paper",
        2,
    ),
    (
        r"open[- ]source|open (?:standards?|formats?|protocols?|licen[cs]es?)|free software|royalty-free (?:standards?|formats?)",
        r"proprietary|closed[- ]source|vendor[- ]specific|commercial off-the-shelf",
        2,
    ),
    (
        r"(?:shot|filmed|recorded) (?:entirely |wholly |only )?on location|location shoot\w*|on location",
        r"in (?:a|the|our) (?:\w+ )?studios?|studio sets?|sound ?stages?|green ?screens?|virtual production",
        2,
    ),
    (
        r"by lot|by (?:a |random )*draw|by lottery|random(?:ly)? (?:draw|drawn|selected|selection|chosen)|sortition",
        r"by (?:open )?application|by (?:personal )?invitation|hand-?picked|by appointment|(?:appointed|chosen|selected) by|by interview",
        1,
    ),
    (
        r"by consensus|by unanimity|unanimously",
        r"decisions (?:are|will be) (?:taken|made) by (?:a|an|the|one) (?:\w+ )?(?:director|manager|chair|chairman|chairwoman|owner|founder|ceo)|by (?:simple )?majority|majority vote",
        0,
    ),
    (
        r"peer[- ]tutor\w*|peer[- ]support\w*|peer[- ]led|face[- ]to[- ]face|in[- ]person|one[- ]to[- ]one",
        r"(?:adaptive |self-paced |online )*(?:learning|tutoring|teaching|training) (?:programs?|programmes?|software|apps?|platforms?)|chat ?bots?|apps?|software|e-learning|webinars?|video (?:lessons|calls)",
        2,
    ),
    (
        r"live (?:music|band|orchestra|performances?|musicians|interpret\w+)|hand ?bells|(?:rung|played|sung|performed|read aloud) by",
        r"pre-?recorded|recorded (?:music|chimes|sounds?|bells?|voices?|performances?|readings?)|backing tracks?|playback|over loudspeakers",
        2,
    ),
    (
        r"locally (?:sourced|grown|made|quarried|produced)|local (?:stone|timber|wood|clay|produce|ingredients|milk|grain|wool)|home-?grown",
        r"import(?:ed|s)|shipped from abroad|sourced (?:from )?(?:abroad|overseas)|overseas suppliers?",
        1,
    ),
    (
        r"in-house|by our own (?:staff|team|people)",
        r"outsourc\w+|subcontract\w*|contracted out|by (?:a|an) (?:external |outside )(?:\w+ )?(?:contractors?|agency|firm|vendor|company)",
        2,
    ),
    (r"by (?:rail|train)", r"by (?:lorr(?:y|ies)|trucks?|road|air|plane|ship|vans?|cars?|coach|buses|bus)", 2),
    (r"by (?:ship|boat|barge|sea|water)", r"by (?:lorr(?:y|ies)|trucks?|road|air|plane|rail|train|vans?)", 2),
    (r"by (?:bicycles?|bikes?)|on foot", r"by (?:lorr(?:y|ies)|trucks?|car|cars|vans?|taxis?|bus|buses|coach|train)", 2),
];

static OPPOSITES: LazyLock<Vec<Opposites>> = LazyLock::new(|| {
    let words = |pattern: &str| steadfast_annotate::pattern(&format!(r"(?i)\b(?:{pattern})\b"));
    TABLE
        .iter()
        .filter_map(|(own, other, shared_min)| {
            Some(Opposites { own: words(own).ok()?, other: words(other).ok()?, shared_min: *shared_min })
        })
        .collect()
});

/// A statement of the ask that leaves the means open, or tells how things are.
static LOOSE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:e\.g\.|such as|for example|for instance|currently|today|at present|so far|could|might|may|perhaps|optionally|ideally|instead of|rather than|replace\w*|unlike)\b|\?\s*$").ok()
});

/// A sentence of the report in which the other means stands beside the ask's, or only in need, or is not taken.
static BESIDE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:if|unless|in case|backup|fallback|contingenc\w+|emergenc\w+|addition\w*|alongside|besides|complement\w*|supplement\w*|as well as|also|both|combin\w+|considered|rejected|ruled out|avoid\w*|without|prevent\w*|dependen\w+|reliance|lock-in|unlike|risks?|e\.g\.|such as|could|might|may|would|or)\b").ok()
});

/// What stands in the place of the ask's means.
static IN_PLACE_OF: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:instead of|rather than|in place of|replac(?:es|ing))\s+(?:[\w-]+\s+){0,3}$")
        .ok()
});

/// A means of the ask.
struct Means<'a> {
    opposites: &'static Opposites,
    words: &'a str,
    source: &'a Quote,
    object: Vec<String>,
}

/// "by train and ferry, not by coach", "with solar lamps rather than with candles".
static CONTRAST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:by|with|via|through|using|on|from|in)\s+([^,;:.()]{3,60}?),?\s+(?:and |but )?(?:not|never|rather than|instead of)\s+(?:by|with|via|through|using|on|from|in)\s+((?:[\w'’-]+\s?){1,4}?)(?:[,;:.()]|\s(?:and|or|but|to|for|as|so|because)\b|\s*$)").ok()
});
/// What stands before a means that is used.
static USED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)\b(?:by|with|via|through|using|on|from|in|uses?|used|takes?|taken)\s+(?:[\w'’-]+\s+){0,3}$",
    )
    .ok()
});

fn run(case: &Case<'_>) -> Vec<Incident> {
    let by_table = prescribed(case).into_iter().filter_map(|means| one(case, &means));
    by_table.chain(contrasted(case)).take(INCIDENTS_MAX).collect()
}

/// Means that the ask itself rules out beside the one that it wants, and that the plan uses.
fn contrasted(case: &Case<'_>) -> Vec<Incident> {
    let Some(contrast) = CONTRAST.as_ref() else { return Vec::new() };
    let telling = |text: &str| -> Vec<String> {
        content_stems(text).into_iter().map(|(_, stem)| stem).filter(|stem| !is_generic(stem)).collect()
    };
    let mut found = Vec::new();
    for statement in &case.ask.request.statements {
        for pair in contrast.captures_iter(&statement.text) {
            let (Some(own), Some(out)) = (pair.get(1), pair.get(2)) else { continue };
            let (wanted, banned) = (telling(own.as_str()), telling(out.as_str()));
            if banned.is_empty() || banned.iter().any(|stem| wanted.contains(stem)) {
                continue;
            }
            let uses: Vec<_> = case.answer.claims.iter().filter_map(|claim| used(claim, &wanted, &banned)).collect();
            let Some((claim, range)) = uses.first() else { continue };
            let Some(quote) = case.answer.quote(claim, range) else { continue };
            let others = uses.iter().skip(1).filter_map(|(claim, range)| case.answer.quote(claim, range));
            let (own, out) = (own.as_str().trim(), out.as_str().trim());
            found.push(
                incident(&CHECK, Severity::Major, 0.8, Evidence::Quote(quote))
                    .at(case.answer, claim, range)
                    .also(others)
                    .source(&statement.quote)
                    .because(format!("The prompt wants \"{own}\" and rules out \"{out}\"; the report uses it."))
                    .repair(format!("Return to \"{own}\"."))
                    .done(),
            );
        }
    }
    found
}

/// Where a claim of the plan does something by a means that is out, and does not name the one that is wanted.
fn used<'a>(claim: &'a Claim, wanted: &[String], banned: &[String]) -> Option<(&'a Claim, Range<usize>)> {
    let place = |stem: &String| claim.stems.iter().find(|(_, own)| own == stem).map(|(range, _)| range.clone());
    let places: Vec<Range<usize>> = banned.iter().map(place).collect::<Option<_>>()?;
    let range = places.iter().map(|at| at.start).min()?..places.iter().map(|at| at.end).max()?;
    let holds = claim.is_of_the_plan()
        && !wanted.iter().any(|stem| claim.has_stem(stem))
        && USED.as_ref()?.is_match(&claim.text[..range.start])
        && !BESIDE.as_ref()?.is_match(&claim.text)
        && !is_negated(&claim.text, range.clone())
        && !is_mention(&claim.text, range.clone());
    holds.then_some((claim, range))
}

/// The means that the ask prescribes, one for each pair of opposites.
fn prescribed<'a>(case: &Case<'a>) -> Vec<Means<'a>> {
    let Some(loose) = LOOSE.as_ref() else { return Vec::new() };
    let statements = &case.ask.request.statements;
    OPPOSITES
        .iter()
        .filter(|opposites| !opposites.other.is_match(&case.ask.text))
        .filter_map(|opposites| {
            statements.iter().find_map(|statement| {
                let found = opposites.own.find(&statement.text)?;
                if loose.is_match(&statement.text)
                    || is_negated(&statement.text, found.range())
                    || is_mention(&statement.text, found.range())
                {
                    return None;
                }
                let object = object(&statement.text, &found.range());
                Some(Means { opposites, words: found.as_str(), source: &statement.quote, object })
            })
        })
        .collect()
}

/// The content stems around a means: what it is for.
fn object(text: &str, means: &Range<usize>) -> Vec<String> {
    let stems = content_stems(text);
    let before = stems.iter().rev().filter(|(at, _)| at.end <= means.start).take(OBJECT_STEMS_BEFORE);
    let after = stems.iter().filter(|(at, _)| at.start >= means.end).take(OBJECT_STEMS_AFTER);
    before.chain(after).map(|(_, stem)| stem).filter(|stem| !is_generic(stem)).cloned().collect()
}

fn one(case: &Case<'_>, means: &Means<'_>) -> Option<Incident> {
    let mut uses: Vec<(&Claim, Range<usize>)> = Vec::new();
    let mut is_kept = false;
    for claim in case.answer.claims.iter().filter(|claim| claim.is_of_the_plan()) {
        let own = means.opposites.own.find(&claim.text);
        if let Some(range) = replaced(means, claim) {
            uses.push((claim, range));
        } else if own.is_some() {
            is_kept |= shared(case, claim, &means.object) > 0;
        } else if let Some(range) = opposed(case, means, claim) {
            uses.push((claim, range));
        }
    }
    if is_kept {
        // The report keeps the ask's means as well: only what plainly does the same work by another stands against it.
        uses.retain(|(claim, _)| shared(case, claim, &means.object) > means.opposites.shared_min);
    }
    let (claim, range) = uses.first()?;
    let quote = case.answer.quote(claim, range)?;
    let others = uses.iter().skip(1).filter_map(|(claim, range)| case.answer.quote(claim, range));
    Some(
        incident(&CHECK, Severity::Major, 0.7, Evidence::Quote(quote))
            .at(case.answer, claim, range)
            .also(others)
            .source(means.source)
            .because(format!(
                "The prompt prescribes \"{}\"; the report says \"{}\".",
                means.words,
                &claim.text[range.clone()]
            ))
            .repair(format!("Return to \"{}\", or ask the user for another means.", means.words))
            .done(),
    )
}

/// Where a claim says that something stands in the place of the ask's means.
fn replaced(means: &Means<'_>, claim: &Claim) -> Option<Range<usize>> {
    let pattern = IN_PLACE_OF.as_ref()?;
    let own = means.opposites.own.find(&claim.text)?;
    let found = pattern.find(&claim.text[..own.start()])?;
    let is_shared = claim.stems.iter().any(|(_, stem)| means.object.contains(stem));
    let range = found.start()..own.end();
    (is_shared && !is_negated(&claim.text, found.range()) && !BESIDE.as_ref()?.is_match(&claim.text)).then_some(range)
}

/// Where a claim names an opposed means for the same work.
fn opposed(case: &Case<'_>, means: &Means<'_>, claim: &Claim) -> Option<Range<usize>> {
    let found = means.opposites.other.find(&claim.text)?;
    let holds = !BESIDE.as_ref()?.is_match(&claim.text)
        && shared(case, claim, &means.object) >= means.opposites.shared_min
        && !is_negated(&claim.text, found.range())
        && !is_mention(&claim.text, found.range());
    holds.then(|| found.range())
}

/// How many words of the object a claim and its label have.
fn shared(case: &Case<'_>, claim: &Claim, object: &[String]) -> usize {
    let label = claim.places.first().map(|place| case.answer.label(place)).unwrap_or_default();
    let label = content_stems(&label);
    object
        .iter()
        .enumerate()
        .filter(|(at, stem)| {
            !object[..*at].contains(*stem) && (claim.has_stem(stem) || label.iter().any(|(_, own)| own == *stem))
        })
        .count()
}
