//! The report says whom it is for, and it is somebody else than the ask says.
//!
//! Looked at are sentences and labels that define the audience, the customers, users or participants ("Target audience: …",
//! "aimed at …", "our customers are …"). Where none of their content words stands in what the ask says of its own audience,
//! the audience was replaced. Stakeholders, suppliers, companions, readers of a section, options, questions and persons'
//! past customers are none; nor is anything where the ask names nobody.
//!
//! Example: the ask is a film for children aged four to six; "Target audience: young adults worldwide" is an incident.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::{Pattern, content_stems, is_mention, is_negated, stems};
use steadfast_evidence::{Evidence, Quote, Severity};
use steadfast_steps::Regex;

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::ask::{EntityRole, Kind};
use crate::incident::{Disqualifies, DriftType, Incident};

/// The check's id.
pub(super) const ID: &str = "customer-replaced";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::F, summary: "the report is for somebody else than the ask says", run };

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 2;

/// Who people are, in the plural: open endings and common nouns.
const PEOPLE: &str = r"(?:\w+(?:ers|ors|ists|ants|ees|ians|holders|folk)|children|toddlers|infants|babies|teens|people|families|households|students|pupils|adults|women|men|girls|boys|parents|patients|residents|nurses|clerks|members|guests|customers|clients|visitors|tourists|citizens|professionals|executives|schools|hotels|clubs|companies|firms|businesses|banks|ministries|departments|agencies|fans|apprentices|officials|policymakers|viewers|audiences?|markets?|inmates|carers|pensioners|youths?|seniors|veterans|refugees|couples|hospitals|universities|restaurants|retailers|corporations|subscribers)";

/// Words that define an audience; what follows is who it is.
static DEFINES: Pattern = Pattern::new(
    r"(?ix)
        ^\W*(?:target\ (?:audience|market|group|customers?|clients?|users?|participants|demographic)|customers|users|participants|audience|clientele|beneficiaries)\s*[:–—]\s*
        |\b(?:target|primary|main|key)\ (?:customer\ |target\ |user\ |market\ )?(?:audience|market|groups?|customers?|clients?|users?|participants|demographic|segments?|buyers?)\s(?:is|are|will\ be|includes?|consists?\ of)\s+
        |\b(?:our|the\ (?:service|product|project)['’]s)\ (?:main\ |primary\ |paying\ )?(?:customers|clients|patients|users|buyers|participants|guests|readers|audience)\ (?:is|are|will\ be)\s+
        |^\W*participants\ (?:are|will\ be)\s+
        |\b(?:is|are|was)\ (?:primarily\ |mainly\ )?(?:aimed|targeted|geared|marketed)\ (?:at|towards?|to)\s+
        |\b(?:is|are)\ (?:primarily\ |mainly\ )?(?:designed|intended|meant)\ for\s+
        |^\W*we\ sell\ (?:the|our)\ [^.;]{2,40}?\ to\s+
        |^\W*(?:the|our)\ \w+\ addresses\s+
        |^\W*serve\ (?:[\d.,]+|hundreds\ of|thousands\ of)\s+
        ",
);

static PERSONS: LazyLock<Regex> =
    LazyLock::new(|| steadfast_annotate::pattern(&format!(r"(?i)\b{PEOPLE}\b")).expect("a constant pattern compiles"));

/// How an ask says whom it is for without a word such as "audience".
static FOR_WHOM: LazyLock<Regex> = LazyLock::new(|| {
    steadfast_annotate::pattern(&format!(
        r"(?i)\b(?:for|to|serving|among|of)\s+(?:the\s+|our\s+|all\s+)?(?:[\w-]+\s+){{0,3}}?{PEOPLE}\b(?:\s+(?:of|in|aged|with|on|from|who|at)\b[^.;:!?]*)?"
    ))
    .expect("a constant pattern compiles")
});

/// The ask leaves it to the answer whom it is for.
static OPEN: Pattern = Pattern::new(
    r"(?i)\b(?:propose|suggest|find|identify|define|decide|recommend|work out)\b[^.!?]{0,40}\b(?:who|whom|audience|target|customers?|users?|market)\b",
);

/// Parts of a document: their reader is not the plan's customer.
static PAPER: Pattern = Pattern::new(
    r"(?i)\b(?:summary|document|section|table|appendix|chapter|report|review|pitch|presentation|plan|analysis|meeting|dashboard|charter)\b",
);

/// Groups of which one excludes the other.
const OPPOSED: &[(&str, &str)] = &[("girls", "boys"), ("women", "men"), ("children", "adults")];

fn run(case: &Case<'_>) -> Vec<Incident> {
    if case.ask.request.statements.iter().any(|statement| OPEN.is_match(&statement.text)) {
        return Vec::new();
    }
    let Some((asked, source)) = audience(case) else { return Vec::new() };
    let writes = case.ask.stems.iter().any(|stem| ["report", "cours", "book", "guid", "memo"].contains(&stem.as_str()));
    let ask = case.ask.text.to_lowercase();
    let mut uses: Vec<(&Claim, Range<usize>)> = Vec::new();
    for claim in &case.answer.claims {
        if !claim.is_of_the_plan() {
            continue;
        }
        let other = opposed(&ask, claim);
        let Some((range, who)) = defined(claim, writes).or_else(|| other.clone().map(|range| (range.clone(), range)))
        else {
            continue;
        };
        let words = &claim.text[who];
        let stems: Vec<String> = stems(words)
            .into_iter()
            // How old they are says nothing of who they are.
            .filter(|stem| !["age", "year", "old"].contains(&stem.as_str()))
            .collect();
        let shares = stems.iter().any(|stem| asked.contains(stem)) && other.is_none();
        if stems.is_empty()
            || shares
            || is_negated(&claim.text, range.clone())
            || is_mention(&claim.text, range.clone())
        {
            continue;
        }
        uses.push((claim, range));
    }
    uses.truncate(8);
    let Some((claim, range)) = uses.first() else { return Vec::new() };
    let Some(quote) = case.answer.quote(claim, range) else { return Vec::new() };
    let mut incidents = Vec::new();
    let others = uses.iter().skip(1).filter_map(|(claim, range)| case.answer.quote(claim, range));
    let words = claim.text[range.clone()].trim();
    incidents.push(
        incident(&CHECK, Severity::Major, 0.75, Evidence::Quote(quote))
            .at(case.answer, claim, range)
            .also(others)
            .source(&source)
            .because(format!(
                "The prompt is for \"{}\"; the report is for \"{words}\".",
                crate::lists::shortened(source.text().trim())
            ))
            .repair("Name the prompt's own audience here.")
            .disqualifies(Disqualifies::CustomerChanged)
            .done(),
    );
    incidents.truncate(INCIDENTS_MAX);
    incidents
}

/// What the ask says of its audience: the stems, and the words that say so.
fn audience(case: &Case<'_>) -> Option<(BTreeSet<String>, Quote)> {
    let named: Vec<&Quote> = case
        .ask
        .obligations
        .iter()
        .filter(|item| {
            matches!(item.obligation.kind, Kind::Entity(EntityRole::Customer | EntityRole::User | EntityRole::Buyer))
        })
        .map(|item| item.obligation.source())
        .filter(|quote| PERSONS.is_match(quote.text()))
        .collect();
    let mut asked = BTreeSet::new();
    if let Some(first) = named.first() {
        let texts = named.iter().map(|quote| quote.text());
        asked.extend(texts.flat_map(content_stems).map(|(_, stem)| stem));
        return Some((asked, (*first).clone()));
    }
    // Nobody is named as the audience: whoever the ask speaks of may be it.
    let statement = case.ask.request.statements.iter().find(|statement| FOR_WHOM.is_match(&statement.text))?;
    asked.extend(case.ask.stems.iter().cloned());
    Some((asked, statement.quote.clone()))
}

/// Where a claim defines an audience, and who it is.
fn defined(claim: &Claim, writes: bool) -> Option<(Range<usize>, Range<usize>)> {
    let text = &claim.text;
    let found = DEFINES.find(text)?;
    let before = text.get(..found.end())?;
    let sentence_of_paper = PAPER.is_match(before);
    if sentence_of_paper && (!writes || before.to_lowercase().contains("plan")) {
        return None;
    }
    let rest = &text[found.end()..];
    let end = rest.find([';', '.', '(', ':']).unwrap_or(rest.len());
    let end = [" who ", " that ", " which ", " with ", " per ", ", and ", " because "]
        .iter()
        .filter_map(|word| rest[..end].find(word))
        .min()
        .unwrap_or(end);
    let who = &rest[..end];
    if !PERSONS.is_match(who) {
        return None;
    }
    Some((found.start()..found.end() + end, found.end()..found.end() + end))
}

/// A group that excludes the ask's own.
fn opposed(ask: &str, claim: &Claim) -> Option<Range<usize>> {
    if !OPPOSED.iter().any(|(a, b)| ask.contains(a) || ask.contains(b)) {
        return None;
    }
    let text = claim.text.to_lowercase();
    if text.len() != claim.text.len() {
        return None;
    }
    OPPOSED.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).find_map(|(own, other)| {
        let is_word = |text: &str, word: &str| {
            text.match_indices(word).any(|(at, _)| {
                !text[..at].ends_with(char::is_alphanumeric)
                    && !text[at + word.len()..].starts_with(char::is_alphanumeric)
            })
        };
        if !is_word(ask, own) || is_word(ask, other) || is_word(&text, own) {
            return None;
        }
        ["for ", "gives ", "give ", "serves ", "offers "].iter().find_map(|verb| {
            let phrase = format!("{verb}{other} ");
            let at = text.find(&phrase)?;
            Some(at..at + phrase.len() - 1)
        })
    })
}
