//! A detail of an obligation stands otherwise in the report: another number, date, time of day, identifier or name, where the rest speaks of the same.
//!
//! Details are what [`crate::details`] reads. Each of an obligation is paired with those of its form in the [passages](crate::passages) near the obligation, and with those that are
//! a slip away from it anywhere in the report. A linear scorer says how likely a pair is one detail changed into the other. Its coefficients stand in
//! `detail_differs.tsv`; `steadfast-measure calibrate details --data data` fits them on requests and reports whose drifts are labelled by people who did not know the
//! program.
//!
//! Example: "Closing date 13 June" against "apply by 30 June".

mod features;

use std::collections::HashMap;
use std::sync::LazyLock;

use steadfast_annotate::{Bound, Scorer, base_form, content_stems, negations, quantities};
use steadfast_evidence::{Evidence, FileId, Polarity, Quote, Severity, Strength};
use steadfast_grounding::related;
use steadfast_steps::{flat, spend};
use steadfast_text::Span;

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::ask::{ContractItem, Kind};
use crate::details::{self, Detail, Worth, slip, unit_name};
use crate::incident::{DriftType, Incident};
use crate::passages::{PASSAGES_MAX, Passage, Passages, whole};
use crate::value::{self, Outcome, Value};

/// The check's id.
pub(super) const ID: &str = "detail-differs";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::C,
    summary: "a number, a date, a time, an identifier or a name of the prompt stands otherwise in the report",
    run,
};

static DIFFERS: LazyLock<Scorer> = LazyLock::new(|| flat(0, || Scorer::read(include_str!("detail_differs.tsv"))));

/// From this probability on a pair is an incident.
const SURE: f64 = 0.8;
/// Pairs of one detail of an obligation that are looked at, at most.
const PAIRS_MAX: usize = 24;
/// Details of the prompt that are looked at, and pairs that are scored, at most.
const ASKED_MAX: usize = 512;
const PAIRS_ALL_MAX: usize = 1_024;
/// Longer sentences are passed over, in bytes.
const TEXT_BYTES_MAX: usize = 2_000;
/// Names that make a list.
const NAMES_OF_A_LIST: usize = 3;
/// Words beside a detail that are looked at.
const BESIDE_WORDS: usize = 3;
/// Steps for a pair that is scored.
const PAIR_STEPS: usize = 256;

/// A detail of an obligation and one of the report that may stand in its place.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    /// The obligation, by its place in the contract; none where the prompt only tells it.
    pub(crate) item: Option<usize>,
    /// The words of the prompt.
    pub(crate) source: Quote,
    pub(crate) asked: Detail,
    pub(crate) said: Detail,
    pub(crate) claim: Claim,
    pub(crate) quote: Quote,
    pub(crate) features: Vec<String>,
}

/// Whether an obligation has a detail.
pub(crate) fn looks_at(item: &ContractItem) -> bool {
    !details::read(item.obligation.source().text()).is_empty()
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents = Vec::new();
    let mut best: HashMap<(Span, usize), (f64, Pair)> = HashMap::new();
    let mut order: Vec<(Span, usize)> = Vec::new();
    for pair in pairs(case) {
        let [_, differs] = DIFFERS.shares(|add| pair.features.iter().for_each(|name| add(&[name.as_str()])));
        let key = (pair.source.span(), pair.asked.range.start);
        if differs < SURE {
            continue;
        }
        match best.get_mut(&key) {
            Some(own) if own.0 >= differs => {}
            Some(own) => *own = (differs, pair),
            None => {
                order.push(key);
                best.insert(key, (differs, pair));
            }
        }
    }
    let mut told: Vec<(Quote, std::ops::Range<usize>)> = Vec::new();
    for key in order {
        let Some((differs, pair)) = best.remove(&key) else { continue };
        // Two obligations that rest on the same words are broken by one.
        let stands = told.iter().any(|(quote, range)| *quote == pair.quote && *range == pair.said.range);
        if stands {
            continue;
        }
        told.push((pair.quote.clone(), pair.said.range.clone()));
        let source = &pair.source;
        let wanted = source.text().get(pair.asked.range.clone()).unwrap_or_default().trim();
        let said = pair.claim.text.get(pair.said.range.clone()).unwrap_or_default().trim();
        let draft =
            incident(&CHECK, Severity::Major, (differs * 100.0).round() / 100.0, Evidence::Quote(pair.quote.clone()))
                .at(case.answer, &pair.claim, &(0..pair.claim.text.len()))
                .source(source)
                .because(format!("Asked: \"{wanted}\"; report: \"{said}\"."))
                .repair("Put the detail of the prompt back, or say openly that it is changed and why.");
        let draft = match pair.item {
            Some(at) => draft.obligation(at),
            None => draft,
        };
        incidents.push(if matches!(pair.asked.worth, Worth::Name(_)) { draft.of_name().done() } else { draft.done() });
    }
    incidents
}

/// The details of the prompt and of each claim.
struct Read<'c, 'a> {
    case: &'c Case<'a>,
    /// The details of the prompt, each with the words around it.
    asked: Vec<(Detail, Vec<String>)>,
    said: Vec<Vec<Detail>>,
    lower: String,
    /// What of the prompt the report has nowhere, and what of the report the prompt has not, each once.
    missing: Vec<Detail>,
    new: Vec<Detail>,
}

/// All pairs, with their features.
pub(crate) fn pairs(case: &Case<'_>) -> Vec<Pair> {
    let obligations = &case.ask.obligations;
    let mut left = ASKED_MAX;
    let mut with_details = |text: &str| {
        let own = if text.len() > TEXT_BYTES_MAX || left == 0 { Vec::new() } else { details::read(text) };
        left = left.saturating_sub(own.len());
        Some(own).filter(|own| !own.is_empty())
    };
    let wanted: Vec<(usize, Vec<Detail>)> = obligations
        .iter()
        .enumerate()
        .filter_map(|(at, item)| Some((at, with_details(item.obligation.source().text())?)))
        .collect();
    // Of what no obligation rests on, though it may stand in a sentence with one.
    let is_own = |span: Span| obligations.iter().any(|item| item.obligation.source().span().overlaps(span));
    let told: Vec<(ContractItem, Vec<Detail>)> = case
        .ask
        .request
        .statements
        .iter()
        .filter_map(|own| {
            let start = own.quote.span().start;
            let mut details = with_details(own.quote.text())?;
            details.retain(|detail| !is_own(Span::new(start + detail.range.start, start + detail.range.end)));
            let item = ContractItem::of_quote(Kind::Constraint, Strength::May, Polarity::Do, own.quote.clone());
            Some((item, details))
        })
        .filter(|(_, details)| !details.is_empty())
        .collect();
    if wanted.is_empty() && told.is_empty() {
        return Vec::new();
    }
    let read = Read::new(case);
    let none = Vec::new();
    let near = |at: usize| case.near.get(at).unwrap_or(&none);
    let mut out: Vec<Pair> = Vec::new();
    for (at, own) in wanted {
        let most = PAIRS_ALL_MAX.saturating_sub(out.len());
        out.extend(read.of_item(Some(at), &obligations[at], &own, near(at), most));
    }
    // What the prompt only tells can be told wrongly as well: a detail of it that the report has nowhere.
    let told: Vec<(ContractItem, Vec<Detail>)> = told
        .into_iter()
        .map(|(item, own)| {
            let mut own = own;
            let text = item.obligation.source().text();
            own.retain(|detail| !read.has_of_it(text, detail));
            (item, own)
        })
        .filter(|(_, own)| !own.is_empty())
        .collect();
    if told.is_empty() {
        return out;
    }
    let passages = Passages::new(case.answer);
    for (item, own) in told {
        let near = passages.of(&item, &[], PASSAGES_MAX);
        let most = PAIRS_ALL_MAX.saturating_sub(out.len());
        out.extend(read.of_item(None, &item, &own, &near, most));
    }
    out
}

/// Pairs made of details that a report repeats, each with another one written over it, for whoever fits the scorer: what surrounds a changed detail is what surrounds
/// one that is kept. `other` gives what is written over a detail.
pub(crate) fn made(case: &Case<'_>, other: &mut super::WriteOver<'_>) -> Vec<Pair> {
    let read = Read::new(case);
    let mut out = Vec::new();
    for (at, (item, near)) in case.ask.obligations.iter().zip(&case.near).enumerate() {
        let own = details::read(item.obligation.source().text());
        let values = value::of_obligation(item);
        for asked in &own {
            let repeated = near.iter().find_map(|passage| {
                let claim = whole(case.answer, passage)?;
                let same = details::read(&claim.text).into_iter().find(|said| asked.is_same(said))?;
                Some((Near::of(passage, near), passage, claim, same))
            });
            let Some((place, passage, mut claim, same)) = repeated else { continue };
            let Some(written) = claim.text.get(same.range.clone()).and_then(&mut *other) else { continue };
            claim.text.replace_range(same.range.clone(), &written);
            claim.quantities = quantities(&claim.text);
            claim.stems = content_stems(&claim.text);
            let said = details::read(&claim.text);
            let Some(new) = said.iter().find(|own| own.range.start == same.range.start) else { continue };
            if !asked.is_like(new) || asked.is_same(new) || asked.allows(new) {
                continue;
            }
            let met = Met::of(&values, &claim);
            if met.covers(asked) {
                continue;
            }
            let seen = Seen { at: Some(at), item, own: &own, asked, place, claim: &claim, said: &said, met: &met };
            let read = read.with(&passage.claims, (&claim.text, &said));
            out.push(read.pair(&seen, new, passage.quote.clone()));
        }
    }
    out
}

impl<'c, 'a> Read<'c, 'a> {
    fn new(case: &'c Case<'a>) -> Self {
        let statements = case.ask.request.statements.iter();
        let asked = statements.flat_map(|own| {
            let found = details::read(&own.text).into_iter();
            found.map(|detail| (detail.clone(), details::around(&own.text, &detail.range)))
        });
        let said = case.answer.claims.iter().map(|claim| details::read(&claim.text)).collect();
        let lower = case.answer.claims.iter().flat_map(|claim| [claim.text.to_lowercase(), "\n".to_owned()]).collect();
        Self::of(case, asked.collect(), said, lower)
    }

    fn of(case: &'c Case<'a>, asked: Vec<(Detail, Vec<String>)>, said: Vec<Vec<Detail>>, lower: String) -> Self {
        let without = |all: &[&Detail], others: &[&Detail]| {
            let mut out: Vec<Detail> = Vec::new();
            for own in all {
                if !others.iter().copied().chain(&out).any(|other| other.is_same(own)) {
                    out.push((*own).clone());
                }
            }
            out
        };
        let ours: Vec<&Detail> = asked.iter().take(ASKED_MAX).map(|(own, _)| own).collect();
        let theirs: Vec<&Detail> = said.iter().flatten().take(ASKED_MAX).collect();
        spend(ours.len() * theirs.len());
        let (missing, new) = (without(&ours, &theirs), without(&theirs, &ours));
        Self { case, asked, said, lower, missing, new }
    }

    /// The same with a text and its details instead of what some claims state.
    fn with(&self, claims: &[usize], instead: (&str, &[Detail])) -> Self {
        let rest = |at: usize| !claims.contains(&at);
        let texts = self.case.answer.claims.iter().enumerate().filter(|(at, _)| rest(*at));
        let own = self.said.iter().enumerate();
        let mut said: Vec<Vec<Detail>> = own.map(|(at, own)| if rest(at) { own.clone() } else { Vec::new() }).collect();
        said.push(instead.1.to_vec());
        let lower = texts.flat_map(|(_, claim)| [claim.text.to_lowercase(), "\n".to_owned()]);
        let lower = lower.chain([instead.0.to_lowercase()]).collect();
        Self::of(self.case, self.asked.clone(), said, lower)
    }

    /// Whether the report has a detail, in whatever notation or in these characters.
    fn has(&self, text: &str, detail: &Detail) -> bool {
        let raw = text.get(detail.range.clone()).unwrap_or_default().to_lowercase();
        self.said.iter().flatten().any(|other| other.is_same(detail)) || self.lower.contains(&raw)
    }

    /// Whether the report has a detail where it speaks of the same.
    fn has_of_it(&self, text: &str, detail: &Detail) -> bool {
        let around = details::around(text, &detail.range);
        let claims = &self.case.answer.claims;
        spend(self.said.len());
        self.said.iter().zip(claims).any(|(said, claim)| has_there(&around, detail, &claim.text, said))
    }

    /// The pairs of the details of an obligation, `most` of them at most.
    fn of_item(
        &self,
        at: Option<usize>,
        item: &ContractItem,
        own: &[Detail],
        near: &[Passage],
        most: usize,
    ) -> Vec<Pair> {
        let values = value::of_obligation(item);
        let near: Vec<Beside<'_>> = near
            .iter()
            .filter_map(|passage| {
                let claim = whole(self.case.answer, passage).filter(|claim| claim.text.len() <= TEXT_BYTES_MAX)?;
                let said = details::read(&claim.text);
                let met = Met::of(&values, &claim);
                Some(Beside { place: Near::of(passage, near), passage, claim, said, met })
            })
            .collect();
        let mut out = Vec::new();
        for asked in own {
            let around = details::around(item.obligation.source().text(), &asked.range);
            // In a run one artefact may be right where another is wrong; within one the right words speak for it.
            let kept: Vec<FileId> = near
                .iter()
                .filter(|own| own.claim.is_of_the_plan() && has_there(&around, asked, &own.claim.text, &own.said))
                .map(|own| own.passage.quote.file())
                .collect();
            let before = out.len();
            for Beside { place, passage, claim, said, met } in &near {
                let quote = &passage.quote;
                if kept.contains(&quote.file()) {
                    continue;
                }
                for other in self.replacing(item, (asked, own, &around), (claim, said, met), *place) {
                    if out.len() - before < PAIRS_MAX && out.len() < most {
                        let seen = Seen { at, item, own, asked, place: *place, claim, said, met };
                        out.push(self.pair(&seen, other, quote.clone()));
                    }
                }
            }
            let is_near = |claim: usize| near.iter().any(|own| own.passage.claims.contains(&claim));
            spend(self.said.len());
            for (number, said) in self.said.iter().enumerate() {
                let claim = &self.case.answer.claims[number];
                if out.len() - before >= PAIRS_MAX || out.len() >= most {
                    break;
                }
                if said.is_empty() || claim.text.len() > TEXT_BYTES_MAX || is_near(number) {
                    continue;
                }
                let met = Met::of(&values, claim);
                let found = self.replacing(item, (asked, own, &around), (claim, said, &met), Near::Far);
                let quote = self.case.answer.quote(claim, &(0..claim.text.len()));
                let Some(quote) = quote.filter(|quote| !found.is_empty() && !kept.contains(&quote.file())) else {
                    continue;
                };
                for other in found {
                    let seen = Seen { at, item, own, asked, place: Near::Far, claim, said, met: &met };
                    out.push(self.pair(&seen, other, quote.clone()));
                }
            }
        }
        out
    }

    /// The details of a passage that may stand in the place of one of an obligation. Where the passage has that one as well, none does; nor does one that the
    /// prompt states elsewhere, but in the nearest passage where the report has the asked one nowhere.
    fn replacing<'d>(
        &self,
        item: &ContractItem,
        (asked, own, around): (&'d Detail, &'d [Detail], &[String]),
        (claim, said, met): (&Claim, &'d [Detail], &Met),
        place: Near,
    ) -> Vec<&'d Detail> {
        let text = item.obligation.source().text();
        let becomes = replaced_by(text, asked, own);
        // "People: Joan, Bilal, Pete": a row that has Pete alone puts him in nobody's place.
        let names = own.iter().filter(|one| matches!(one.worth, Worth::Name(_))).count();
        let lists_names = names >= NAMES_OF_A_LIST && matches!(asked.worth, Worth::Name(_));
        let like = |other: &&Detail| {
            asked.is_like(other)
                && !asked.is_same(other)
                && becomes.is_none_or(|new| !new.is_same(other))
                && !(lists_names && own.iter().any(|one| one.is_same(other)))
                && !other.is_now(&claim.text)
                && (item.polarity == Polarity::Do || !asked.leaves_out(other))
                && (is_limit(&claim.text, other) || !asked.allows(other) && !met.covers(asked))
                && (place != Near::Far
                    || slip(text, asked, &claim.text, other).is_some()
                    || self.may_replace(asked, other))
                && (!details::is_between(own, other)
                    || said.iter().any(|one| one != *other && own.iter().any(|end| end.is_same(one))))
        };
        let mut found: Vec<&Detail> = said.iter().filter(like).collect();
        if found.is_empty() {
            return found;
        }
        if has_there(around, asked, &claim.text, said)
            || !claim.is_of_the_plan()
            || claim.stance.assumed
            // Of a ban something else is right: "no first class", "in second class".
            || item.polarity == Polarity::Not && negations(&claim.text).is_empty()
            || is_of_the_row(item, asked, claim)
        {
            return Vec::new();
        }
        // What the prompt has elsewhere may be of that; where the words around it are those around the asked one, it may be in the wrong place.
        if place != Near::First || self.has(text, asked) {
            found.retain(|other| {
                !self.asked.iter().any(|(one, _)| one.is_same(other))
                    || own.iter().any(|one| one.is_same(other))
                    || share(around, &details::around(&claim.text, &other.range)) > 0.0
            });
        }
        found
    }

    /// Whether the report has one nowhere, the prompt has not the other, and both are of one unit.
    fn may_replace(&self, asked: &Detail, other: &Detail) -> bool {
        let (Worth::Number(one), Worth::Number(two)) = (&asked.worth, &other.worth) else { return false };
        let unit = unit_name(one);
        unit != "plain"
            && unit == unit_name(two)
            && self.missing.iter().any(|own| own.is_same(asked))
            && self.new.iter().any(|own| own.is_same(other))
    }

    fn pair(&self, seen: &Seen<'_>, said: &Detail, quote: Quote) -> Pair {
        spend(PAIR_STEPS);
        let mut features = Vec::new();
        self.features(seen, said, &mut |name| features.push(name.concat()));
        Pair {
            item: seen.at,
            source: seen.item.obligation.source().clone(),
            asked: seen.asked.clone(),
            said: said.clone(),
            claim: seen.claim.clone(),
            quote,
            features,
        }
    }
}

/// How much of some words is among others.
fn share(words: &[String], others: &[String]) -> f64 {
    let found = words.iter().filter(|word| others.iter().any(|own| own == *word || related(own, word))).count();
    found as f64 / words.len().max(1) as f64
}

/// Whether a text has a detail where it is of the same: the words around it share some with those around the asked one.
fn has_there(around: &[String], asked: &Detail, text: &str, said: &[Detail]) -> bool {
    said.iter().any(|one| {
        asked.is_same(one)
            && (around.is_empty() || {
                let there = details::around(text, &one.range);
                there.is_empty() || share(around, &there) > 0.0
            })
    })
}

/// Whether a detail is told as a limit: "by 6 December", "within 2 metres". What lies inside an asked one keeps it, another limit does not.
fn is_limit(text: &str, detail: &Detail) -> bool {
    if let Worth::Number(number) = &detail.worth
        && number.bound != Bound::Exact
    {
        return true;
    }
    let before = text[..detail.range.start].to_lowercase();
    let words: Vec<&str> = before.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let near = words.iter().rev().take(BESIDE_WORDS);
    let limits = [
        "by", "before", "until", "till", "latest", "due", "deadline", "within", "under", "below", "over", "than",
        "most", "least", "max", "maximum",
    ];
    near.into_iter().any(|word| limits.contains(word))
}

/// How near a passage is to an obligation. Its place among the passages is not asked for: that goes by how long the others are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Near {
    /// No passage near it has more of its words.
    First,
    /// It is one of the passages near it.
    Later,
    /// It is none of them.
    Far,
}

impl Near {
    fn of(passage: &Passage, near: &[Passage]) -> Self {
        if near.iter().any(|other| other.hits > passage.hits) { Self::Later } else { Self::First }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Later => "later",
            Self::Far => "far",
        }
    }
}

/// What a claim has to do with the values of an obligation.
struct Met {
    outcome: Option<Outcome>,
    /// The values that it keeps: before the date that is the last, within the limit.
    ranges: Vec<std::ops::Range<usize>>,
}

impl Met {
    fn of(values: &[Value], claim: &Claim) -> Self {
        let (outcome, ranges) = value::meet(values, &value::read(&claim.text, &claim.quantities));
        Self { outcome, ranges }
    }

    /// Whether a detail of the obligation is in a value that the claim keeps.
    fn covers(&self, asked: &Detail) -> bool {
        self.ranges.iter().any(|range| range.start < asked.range.end && asked.range.start < range.end)
    }
}

/// A passage near an obligation, with what was read of it.
struct Beside<'p> {
    place: Near,
    passage: &'p Passage,
    claim: Claim,
    said: Vec<Detail>,
    met: Met,
}

/// What a detail is to become, where an arrow says so: "minSdk 24 -> 26".
fn replaced_by<'d>(text: &str, asked: &Detail, own: &'d [Detail]) -> Option<&'d Detail> {
    let new = own.iter().find(|other| other.range.start >= asked.range.end)?;
    let between = text.get(asked.range.end..new.range.start)?.trim();
    ["->", "=>", "-->", "→", "⇒"].contains(&between).then_some(new)
}

/// Whether a date stands in a row that has no word of the obligation: it says by when of what the row is about.
fn is_of_the_row(item: &ContractItem, asked: &Detail, claim: &Claim) -> bool {
    let shares = |stem: &str| claim.stems.iter().any(|(_, own)| base_form(own) == base_form(stem));
    let words = content_stems(item.obligation.source().text());
    let mut rest = words.iter().filter(|(range, _)| range.end <= asked.range.start || asked.range.end <= range.start);
    matches!(asked.worth, Worth::Date(..)) && claim.text.contains(" | ") && !rest.any(|(_, stem)| shares(stem))
}

/// What is looked at of a pair.
struct Seen<'s> {
    at: Option<usize>,
    item: &'s ContractItem,
    own: &'s [Detail],
    asked: &'s Detail,
    place: Near,
    claim: &'s Claim,
    said: &'s [Detail],
    met: &'s Met,
}
