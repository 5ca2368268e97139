//! What became of each obligation, by what the answer says nearest to it.
//!
//! An obligation is *kept* where a passage of the plan says so: it has enough of its words or its very figure, it wants and denies the same
//! things, it leaves nothing open, and it is no repetition of the prompt. A ban that nothing speaks against is *nothing found*; what comes
//! near and is not kept is *unclear*; where nothing comes near the obligation is *unmentioned*. What the checks find broken or
//! weakened is set [afterwards](with_incidents).

mod figure;
mod names;
mod narrowing;
mod sense;

use std::sync::LazyLock;

use steadfast_annotate::{
    MarkKind, NegationKind, Pattern, Relation, Strength as Force, TermMatcher, Unit, base_form, comparable, country_of,
    is_mention, is_negated, modality, negations,
};
use steadfast_ask::{Figure, Rule, speaks_of_ban};
use steadfast_evidence::{Evidence, Origin, Polarity, Quote, Status, Strength};
use steadfast_steps::Regex;
use steadfast_text::Shingles;

use crate::answer::{Answer, Claim};
use crate::ask::{Contract, ContractItem, Kind};
use crate::context;
use crate::denied::is_denied;
use crate::form::{self, Page};
use crate::incident::{Incident, incident_quote};
use crate::left_alone::left;
use crate::matching::is_generic;
use crate::numbers;
use crate::passages::{FoundBy, Passage, whole, words_of};
use crate::value::{self, Outcome};
use figure::{agrees, both_bound_people};
use narrowing::{is_as_often, narrows_as_much};
use sense::{denials, denies_nothing_of, is_as_wide, says_as_told, takes_back, wants_the_same};

/// Most quotes that are shown for one obligation.
pub const QUOTES_MAX: usize = 3;
/// Share of an obligation's weighted words that a passage must have to keep it, by how many words the obligation has: nearly all of a
/// few, about half of many. Uncalibrated.
const SHARES: [(usize, f64); 4] = [(2, 0.99), (4, 0.6), (8, 0.45), (usize::MAX, 0.35)];
/// Fewest words of a longer obligation that a passage must have to keep it.
const HITS_MIN: usize = 2;
/// The same for a passage that has the values of the obligation as well. Uncalibrated.
const SHARE_OF_VALUE_MIN: f64 = 0.2;
/// From this share of an obligation's weighted words on a passage comes near it. Uncalibrated.
const SHARE_NEAR_MIN: f64 = 0.25;
/// Fewest words of an obligation by which its absence can be told.
const MISSING_WORDS_MIN: usize = 3;
/// Below this share of the prompt's stems the answer speaks another language, or of something else.
const COMMON_STEMS_MIN: f64 = 0.1;
/// A sentence repeats the prompt from this share of its words in a row on.
pub(crate) const REPEATED_SHARE_MIN: f64 = 0.8;

/// An obligation with what became of it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Index into [`Contract::obligations`].
    pub item: usize,
    /// What became of it.
    pub status: Status,
    /// Whether that was judged: it is kept, broken or weakened; it must be, and nothing comes near it; or it is forbidden, and the
    /// whole answer was searched for the very words.
    pub assessed: bool,
    /// Words of the answer that keep or break it.
    pub answer: Vec<Quote>,
    /// What code counted, where it is kept by a count: "168 words".
    pub measured: Option<String>,
    /// What the answer says nearest to it, the nearest first.
    pub passages: Vec<Passage>,
    /// Who judged.
    pub origin: Origin,
}

impl Judged {
    /// Whether it must be kept and is missing: it has words to look for, and nothing in the answer has one of them.
    #[must_use]
    pub const fn is_missing(&self) -> bool {
        matches!(self.status, Status::Unmentioned) && self.assessed
    }
}

/// An obligation that somebody decided on, and did not find broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// Its place in the contract.
    pub item: usize,
    /// How it stands.
    pub standing: Standing,
    /// Who found it.
    pub origin: Origin,
}

/// What an answer is looked through for.
struct Look<'a> {
    contract: &'a Contract,
    answer: &'a Answer,
    /// The answer, where what is asked of its form can be looked for.
    page: Option<Page<'a>>,
    prompt: Shingles,
    /// The claims of the answer in lower case, a line each.
    lower: String,
    /// The answer has hardly a word of the prompt.
    foreign: bool,
}

/// The status of each obligation, in the contract's order, before what the checks found; `near` holds the passages nearest to each.
#[must_use]
pub fn of_obligations(contract: &Contract, answer: &Answer, near: Vec<Vec<Passage>>) -> Vec<Judged> {
    let of_answer: std::collections::HashSet<&str> =
        answer.claims.iter().flat_map(|claim| &claim.stems).map(|(_, stem)| stem.as_str()).collect();
    let common = contract.stems.iter().filter(|stem| of_answer.contains(stem.as_str())).count();
    #[expect(clippy::cast_precision_loss, reason = "counts of stems are far below 2^52")]
    let foreign = (common as f64) < COMMON_STEMS_MIN * contract.stems.len() as f64;
    let lower: String = answer.claims.iter().flat_map(|claim| [claim.text.to_lowercase(), "\n".to_owned()]).collect();
    let page = Page::of(answer);
    let look = Look { contract, answer, page, prompt: Shingles::of(&contract.text), lower, foreign };
    let judged = contract.obligations.iter().zip(near).enumerate().map(|(at, (item, near))| look.judge(at, item, near));
    let mut judged: Vec<Judged> = judged.collect();
    open_parts(&mut judged, contract);
    judged
}

/// The whole is not kept where a part of it is not: "at most 4 commits and don't push" holds "don't push".
fn open_parts(obligations: &mut [Judged], contract: &Contract) {
    let span = |judged: &Judged| contract.obligations.get(judged.item).map(|item| item.obligation.source().span());
    let is_open = |judged: &Judged| matches!(judged.status, Status::Unclear | Status::Broken | Status::Weakened);
    let open: Vec<_> = obligations.iter().filter(|judged| is_open(judged)).filter_map(span).collect();
    for judged in obligations.iter_mut().filter(|judged| judged.status == Status::Kept) {
        let Some(own) = span(judged) else { continue };
        let is_part = |part: &steadfast_text::Span| own.start <= part.start && part.end <= own.end && *part != own;
        if open.iter().any(is_part) {
            judged.status = Status::Unclear;
            judged.assessed = false;
            judged.answer.clear();
            judged.measured = None;
        }
    }
}

/// What became of the obligations with these incidents: what a check quotes breaks its obligation, or weakens it.
#[must_use]
pub fn with_incidents(before: &[Judged], incidents: &[Incident], contract: &Contract) -> Vec<Judged> {
    let mut obligations = before.to_vec();
    for incident in incidents {
        let Some(judged) = incident.finding.obligation.and_then(|index| obligations.get_mut(index)) else { continue };
        let quotes = incident_quote(incident).into_iter().cloned();
        let weakens = incident.weakens;
        let decided = matches!(judged.status, Status::Broken | Status::Weakened);
        match incident.finding.evidence {
            Evidence::Quote(_) if decided => {
                judged.answer.extend(quotes);
                if !weakens && judged.status != Status::Broken {
                    judged.status = Status::Broken;
                    judged.origin = incident.origin.clone();
                }
            }
            Evidence::Quote(_) => {
                judged.status = if weakens { Status::Weakened } else { Status::Broken };
                judged.assessed = true;
                judged.answer = quotes.collect();
                judged.origin = incident.origin.clone();
            }
            // Code looks for the words of an obligation before it calls it missing; whoever reads the whole answer may know.
            Evidence::Absence(_) if !decided && !judged.assessed && incident.origin != Origin::Code => {
                judged.status = Status::Unmentioned;
                judged.assessed = true;
                judged.answer.clear();
                judged.origin = incident.origin.clone();
            }
            Evidence::Absence(_) => {}
        }
    }
    spread_broken(&mut obligations, contract);
    open_parts(&mut obligations, contract);
    obligations
}

/// How an obligation stands that somebody decided on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// These words keep it.
    Kept(Quote),
    /// Nothing was found against what is forbidden.
    NothingAgainst,
    /// It asks nothing that this report could keep or break, so that it is not missing.
    AsksNothing,
}

/// What became of the obligations with those that somebody decided on. What code left open, or misses, is settled by it, and nothing else.
#[must_use]
pub fn with_decided(mut obligations: Vec<Judged>, decided: &[Decided]) -> Vec<Judged> {
    for own in decided {
        let Some(judged) = obligations.get_mut(own.item) else { continue };
        if matches!(judged.status, Status::Broken | Status::Weakened | Status::Kept) {
            continue;
        }
        let (status, answer) = match &own.standing {
            Standing::Kept(quote) => (Status::Kept, vec![quote.clone()]),
            Standing::NothingAgainst => (Status::NothingFound, Vec::new()),
            Standing::AsksNothing => (judged.status, Vec::new()),
        };
        judged.status = status;
        judged.assessed = own.standing != Standing::AsksNothing;
        judged.answer = answer;
        judged.origin = own.origin.clone();
    }
    obligations
}

/// Two obligations that rest on the same words are kept or broken together where the same words of the report stand for both; what is open of the very same words is
/// broken with them.
fn spread_broken(obligations: &mut [Judged], contract: &Contract) {
    let source = |judged: &Judged| contract.obligations.get(judged.item).map(|item| item.obligation.source().span());
    let broken: Vec<Judged> = obligations
        .iter()
        .filter(|judged| judged.status == Status::Broken && !judged.answer.is_empty())
        .cloned()
        .collect();
    let polarity = |judged: &Judged| contract.obligations.get(judged.item).map(|item| item.polarity);
    for judged in obligations.iter_mut().filter(|judged| judged.status == Status::Unclear) {
        let same = |other: &&Judged| source(other) == source(judged) && polarity(other) == polarity(judged);
        if let Some(other) = broken.iter().find(same) {
            *judged = Judged { item: judged.item, passages: std::mem::take(&mut judged.passages), ..other.clone() };
        }
    }
    for judged in obligations.iter_mut().filter(|judged| judged.status == Status::Kept && !judged.answer.is_empty()) {
        let Some(own) = source(judged) else { continue };
        let shared = broken.iter().find(|other| {
            source(other).is_some_and(|span| span.overlaps(own))
                && judged.answer.iter().all(|quote| {
                    other.answer.iter().any(|bad| bad.file() == quote.file() && bad.span().overlaps(quote.span()))
                })
        });
        if let Some(other) = shared {
            judged.status = Status::Broken;
            judged.answer.clone_from(&other.answer);
            judged.origin = other.origin.clone();
        }
    }
}

impl Look<'_> {
    fn judge(&self, at: usize, item: &ContractItem, passages: Vec<Passage>) -> Judged {
        let demands = form::demands(item.obligation.source().text(), self.contract.sentence_of(item));
        let form = demands.as_ref().zip(self.page.as_ref());
        let outcome = form.map(|(demands, page)| demands.look(page, &self.contract.text));
        let is_all = demands.as_ref().is_none_or(|demands| demands.is_all);
        let is_absent = is_all && matches!(outcome, Some(form::Outcome::NothingFound));
        let measured = match &outcome {
            Some(form::Outcome::Kept(_, measured)) if is_all => measured.clone(),
            _ => None,
        };
        let (status, answer) = match outcome {
            _ if self.foreign => (Status::NotAssessed, Vec::new()),
            Some(form::Outcome::Kept(quote, _)) if is_all => (Status::Kept, vec![quote]),
            Some(form::Outcome::NothingFound) if is_all => (Status::NothingFound, Vec::new()),
            // What is broken is said by the check.
            Some(form::Outcome::Broken(_)) => (Status::Unclear, Vec::new()),
            // What does not show is not kept, whatever else is.
            Some(form::Outcome::Open) => match self.status(item, &passages) {
                (Status::Kept, _) => (Status::Unclear, Vec::new()),
                other => other,
            },
            Some(form::Outcome::Kept(..) | form::Outcome::NothingFound) | None => self.status(item, &passages),
        };
        // What is kept by words names whom and what the obligation names, and speaks of each thing that it joins.
        let (status, answer) = match status {
            Status::Kept if measured.is_none() && item.polarity == Polarity::Do && !self.says_all(item, &answer) => {
                (Status::Unclear, Vec::new())
            }
            _ => (status, answer),
        };
        let assessed = match status {
            Status::Kept | Status::Broken | Status::Weakened => true,
            Status::NothingFound => is_absent || self.is_searched(item),
            // Something that must be, that has words to look for, and of which no passage has a single one, is missing. What is asked of the form of
            // the answer ("no more than 80 words") need not be said in it.
            Status::Unmentioned => {
                item.strength == Strength::Must
                    && !self.is_whole(item)
                    && words_of(item).iter().filter(|word| !is_generic(word)).count() >= MISSING_WORDS_MIN
                    && passages.iter().all(|passage| passage.hits == 0 && passage.found_by == FoundBy::Words)
                    && demands.is_none()
                    && steadfast_ask::forms(item.obligation.source().text()).is_empty()
            }
            Status::Unclear | Status::NotAssessed => false,
        };
        Judged { item: at, status, assessed, answer, measured, passages, origin: Origin::Code }
    }

    /// Whether the answer has each name and address of an obligation, and what keeps it has a word of each part and is not taken back.
    fn says_all(&self, item: &ContractItem, kept: &[Quote]) -> bool {
        let said = item.obligation.source().text();
        let names = names::of(said).iter().all(|name| self.lower.contains(name.as_str()));
        let quoted: Vec<String> = kept.iter().flat_map(|quote| stems(quote.text())).collect();
        let parts = said.split(" and that ");
        let spoken_of = |part: &str| {
            let own = stems(part);
            own.is_empty() || own.iter().any(|stem| quoted.contains(stem))
        };
        let all = !said.contains(" and that ") || parts.into_iter().all(spoken_of);
        names && all && !takes_back(said, self.contract.sentence_of(item), kept)
    }

    /// Whether an obligation says what is to be made as a whole: a letter need not say that it is the letter.
    fn is_whole(&self, item: &ContractItem) -> bool {
        let intent = |own: &&ContractItem| own.obligation.kind == Kind::Intent;
        let span = item.obligation.source().span();
        self.contract.obligations.iter().filter(intent).any(|own| own.obligation.source().span().overlaps(span))
    }

    fn rule(&self, item: &ContractItem) -> Option<&Rule> {
        Some(&self.contract.request.demands.get(item.demand?)?.kind.rule)
    }

    fn status(&self, item: &ContractItem, passages: &[Passage]) -> (Status, Vec<Quote>) {
        let near = || passages.iter().any(is_near);
        let open = |silent: Status| if near() { Status::Unclear } else { silent };
        let (found, silent) = match self.rule(item) {
            Some(Rule::Ban { terms, .. }) => {
                return self.ban(terms);
            }
            Some(Rule::Figure { figure }) => {
                let Some(figure) = self.contract.request.figures.get(*figure) else {
                    return (Status::NotAssessed, Vec::new());
                };
                let found = if figure.denied { Vec::new() } else { self.stated(item, figure) };
                (found, open(if figure.denied { Status::NothingFound } else { Status::Unmentioned }))
            }
            Some(Rule::Locate { places, .. }) => (self.placed(places), open(Status::Unmentioned)),
            _ if item.stems.is_empty() => return (Status::NotAssessed, Vec::new()),
            // What was not sure stays kept where the answer is not sure of it either.
            _ if item.obligation.kind == Kind::Uncertainty => {
                (self.saying(item, passages, |claim| hedged(self.answer, claim)), open(Status::Unmentioned))
            }
            _ => {
                let optional = item.obligation.kind == Kind::Optional;
                let silent = match item.polarity {
                    // "Migrated to a new schema" speaks of what "don't touch the schema" is about.
                    Polarity::Not if self.speaks_of(item, passages) => Status::Unclear,
                    Polarity::Not => Status::NothingFound,
                    Polarity::Do => Status::Unmentioned,
                };
                let left = left(item, self.answer).filter(|claim| !repeats(&self.prompt, claim));
                let mut found: Vec<Quote> = left
                    .filter_map(|claim| self.answer.quote(claim, &(0..claim.text.len())))
                    .take(QUOTES_MAX)
                    .collect();
                if found.is_empty() {
                    found = self.saying(item, passages, |claim| optional || !weakens(&claim.text));
                }
                (found, open(silent))
            }
        };
        if found.is_empty() { (silent, found) } else { (Status::Kept, found) }
    }

    /// The passages of the plan that say what the obligation asks, in its polarity, and are fit.
    fn saying(&self, item: &ContractItem, passages: &[Passage], fit: impl Fn(&Claim) -> bool) -> Vec<Quote> {
        let words = words_of(item);
        // Without words of its own nothing shows that a passage speaks of it.
        if words.is_empty() {
            return Vec::new();
        }
        // One or two words that every plan shares can stand anywhere.
        if words.len() <= 2 && words.iter().any(|word| is_generic(word)) {
            return Vec::new();
        }
        // "Nothing that is not decided": what keeps two denials is beyond words.
        if item.polarity == Polarity::Not && denials(item.obligation.source().text()) > 1 {
            return Vec::new();
        }
        // What heads a list speaks of the ban; an item of it that denies something else does not.
        let speaks = |claim: &Claim| {
            item.polarity == Polarity::Do
                || claim.stems.iter().any(|(_, stem)| words.iter().any(|word| word == base_form(stem)))
        };
        let count = words.len();
        let share = SHARES.iter().find(|(most, _)| count <= *most).map_or(1.0, |(_, share)| *share);
        let values = value::of_obligation(item);
        let says = |passage: &&Passage| {
            let Some(claim) = whole(self.answer, passage) else { return false };
            let (outcome, met) = value::meet(&values, &value::read(&claim.text, &claim.quantities));
            let least = if outcome == Some(Outcome::Keeps) { share.min(SHARE_OF_VALUE_MIN) } else { share };
            passage.share >= least
                && passage.hits >= HITS_MIN.min(count)
                && outcome != Some(Outcome::Breaks)
                && numbers::are_said(item.obligation.source().text(), &met, &claim.text)
                && (claim.is_of_the_plan() || item.polarity == Polarity::Not && claim.stance.excluded)
                && speaks(&claim)
                && wants_the_same(item, &claim)
                && denies_nothing_of(item, &claim)
                && is_as_often(item.obligation.source().text(), &claim.text)
                && is_as_wide(item, &claim)
                && (item.polarity == Polarity::Not || narrows_as_much(item.obligation.source().text(), &claim.text))
                && fit(&claim)
                && !repeats(&self.prompt, &claim)
                || says_as_told(item, &claim, &met)
        };
        passages.iter().filter(says).map(|passage| passage.quote.clone()).take(QUOTES_MAX).collect()
    }

    /// A list of terms is kept where the answer says of each that it does without it, and uses none of them otherwise. "No crowdfunding" says
    /// nothing of the other terms.
    fn ban(&self, terms: &[String]) -> (Status, Vec<Quote>) {
        let matcher = TermMatcher::new(terms);
        let mut denied = vec![false; terms.len()];
        let (mut used, mut found) = (false, Vec::new());
        for claim in &self.answer.claims {
            let own = matcher.find_all(&claim.text);
            if own.is_empty() {
                continue;
            }
            let speaks = claim.voice().is_of_the_plan() && !binds(&claim.text) && !repeats(&self.prompt, claim);
            let mut says = false;
            for term in own {
                if is_mention(&claim.text, term.range.clone()) || speaks_of_ban(&claim.text) {
                    continue;
                }
                if !(claim.stance.excluded || is_denied(&claim.text, &term.range)) {
                    used = true;
                } else if let Some(denied) = denied.get_mut(term.term).filter(|_| speaks) {
                    *denied = true;
                    says = true;
                }
            }
            if says {
                found.extend(self.answer.quote(claim, &(0..claim.text.len())));
            }
        }
        found.truncate(QUOTES_MAX);
        match (used, denied.iter().all(|denied| *denied)) {
            (true, _) => (Status::Unclear, Vec::new()),
            (false, true) => (Status::Kept, found),
            (false, false) => (Status::NothingFound, Vec::new()),
        }
    }

    /// Whether what is forbidden has a term, a name, a number, a path or a command, and the whole answer was searched for it.
    fn is_searched(&self, item: &ContractItem) -> bool {
        if matches!(self.rule(item), Some(Rule::Ban { .. })) {
            return true;
        }
        let named = named(item.obligation.source().text());
        !named.is_empty() && !named.iter().any(|word| self.lower.contains(word.as_str()))
    }

    /// Whether a passage of the plan has a word of an obligation that not every plan has.
    fn speaks_of(&self, item: &ContractItem, passages: &[Passage]) -> bool {
        let mut words = words_of(item);
        words.retain(|word| !is_generic(word));
        let has_one =
            |claim: &Claim| claim.stems.iter().any(|(_, stem)| words.iter().any(|word| word == base_form(stem)));
        passages
            .iter()
            .filter_map(|passage| whole(self.answer, passage))
            .any(|claim| claim.is_of_the_plan() && has_one(&claim))
    }

    /// Claims of the plan that name each of the places; a country beside a place in it need not be said. Another place is for the check.
    fn placed(&self, places: &[String]) -> Vec<Quote> {
        let is_within = |place: &&String| country_of(place).is_none();
        let within: Vec<&String> = places.iter().filter(is_within).collect();
        let wanted: Vec<String> =
            if within.is_empty() { places.to_vec() } else { within.into_iter().cloned().collect() };
        let matcher = TermMatcher::new(&wanted);
        let mut found: Vec<Option<Quote>> = vec![None; wanted.len()];
        for claim in self.answer.claims.iter().filter(|claim| claim.voice().is_of_the_plan()) {
            if binds(&claim.text) || repeats(&self.prompt, claim) {
                continue;
            }
            for own in matcher.find_all(&claim.text) {
                let is_said = !is_mention(&claim.text, own.range.clone())
                    && !is_negated(&claim.text, own.range.clone())
                    && !is_denied(&claim.text, &own.range);
                if let Some(place) = found.get_mut(own.term).filter(|place| is_said && place.is_none()) {
                    *place = self.answer.quote(claim, &own.range);
                }
            }
        }
        let mut quotes = found.into_iter().collect::<Option<Vec<Quote>>>().unwrap_or_default();
        quotes.truncate(QUOTES_MAX);
        quotes
    }

    /// Claims of the plan that state the figure: an equal quantity, of the same thing.
    fn stated(&self, item: &ContractItem, figure: &Figure) -> Vec<Quote> {
        let mut found: Vec<(usize, Quote)> = Vec::new();
        for claim in self.answer.claims.iter().filter(|claim| claim.is_of_the_plan() && !claim.quantities.is_empty()) {
            if weakens(&claim.text) || !is_as_wide(item, claim) || repeats(&self.prompt, claim) {
                continue;
            }
            for quantity in &claim.quantities {
                if !agrees(quantity, figure, &claim.text) {
                    continue;
                }
                let shared = figure.subject.iter().filter(|stem| claim.has_stem(stem)).count();
                // An amount of money is told by its value; "three" of something only with what it is three of.
                let telling =
                    matches!(figure.quantity.unit, Unit::Money(_)) || both_bound_people(quantity, figure, &claim.text);
                if shared == 0 && !(telling || figure.subject.is_empty()) {
                    continue;
                }
                // "Within 4 weeks of the premiere" keeps no "within 3 months of greenlight": what only lies inside the bound must be
                // of the very thing.
                let inside = comparable(quantity, &figure.quantity) == Some(Relation::Within);
                let subject = figure.subject.iter().filter(|stem| !context::is_empty_word(stem)).count();
                if inside && shared * 2 < subject {
                    continue;
                }
                if let Some(quote) = self.answer.quote(claim, &quantity.range) {
                    found.push((shared, quote));
                    break;
                }
            }
        }
        found.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
        found.into_iter().map(|(_, quote)| quote).take(QUOTES_MAX).collect()
    }
}

/// Whether a sentence of the answer only says again what the prompt says: word for word, or as a duty in its words.
pub(crate) fn repeats(prompt: &Shingles, claim: &Claim) -> bool {
    let share = prompt.share_of(&claim.text);
    share >= 1.0 || share >= REPEATED_SHARE_MIN && binds(&claim.text)
}

/// The stems of what a text speaks of.
fn stems(text: &str) -> Vec<String> {
    steadfast_annotate::stems(text).into_iter().filter(|stem| !is_generic(stem)).collect()
}

/// Whether a passage comes near enough to an obligation to be read for it.
fn is_near(passage: &Passage) -> bool {
    passage.share >= SHARE_NEAR_MIN || passage.found_by == FoundBy::Anchor && passage.hits > 0
}

/// Whether a text is put as a duty or an order: so a prompt speaks, and a report that says it again.
pub(crate) fn binds(text: &str) -> bool {
    let prohibits = || negations(text).iter().any(|own| own.kind == NegationKind::Prohibited);
    let reading = modality(text);
    reading.marks.iter().any(|mark| mark.kind == MarkKind::Deontic && mark.strength >= Force::Likely)
        || prohibits()
        || steadfast_ask::imperative(text).is_some()
}

/// The words of a text that can be searched for as they stand: numbers, names within the sentence, paths, commands and other code.
pub(crate) fn named(text: &str) -> Vec<String> {
    text.split_whitespace()
        .enumerate()
        .map(|(at, word)| (at, word.trim_matches(|c: char| !c.is_alphanumeric())))
        .filter(|(at, word)| {
            let inner_mark = word.contains(['/', '_', '.']);
            let inner_capital = word.chars().skip(1).any(char::is_uppercase);
            let name = *at > 0 && word.starts_with(char::is_uppercase) && word.chars().count() > 1;
            inner_mark || inner_capital || name || word.chars().any(|c| c.is_ascii_digit())
        })
        .map(|(_, word)| word.to_lowercase())
        .collect()
}

/// Words that invite to what must be.
pub(crate) const INVITES: &str = r"(?:would|['’]d) be (?:\w+ )?(?:nice|good|great|lovely|helpful|welcome|appreciated)|(?:would|['’]d) (?:appreciate|love|welcome) it|(?:is|are|['’]re) (?:\w+ )?welcome to|feel free to|if you (?:like|wish|want)|if (?:it|this|that) suits you";

/// Whether a claim leaves open whether what it says will be: such words keep no obligation.
fn weakens(text: &str) -> bool {
    static WEAK: LazyLock<Regex> = LazyLock::new(|| {
        steadfast_annotate::pattern(&format!(
            r"(?i)\b(?:(?:where|if|when|wherever|whenever|as far as|as much as) (?:possible|feasible|practicable|available|needed|time permits|funds allow)|optional(?:ly)?|nice[- ]to[- ]have|consider(?:ing|ed)?|may|might|could|ideally|potentially|possibly|perhaps|subject to availability|to be (?:decided|determined|confirmed)|tbd|at a later stage|in a later phase|{INVITES})\b",
        ))
        .expect("a constant pattern compiles")
    });
    // "in May" is no permission.
    WEAK.find_iter(text).any(|found| found.start() == 0 || found.as_str() != "May")
}

/// Whether a claim is unsure of what it says, or stands among what is not sure.
fn hedged(answer: &Answer, claim: &Claim) -> bool {
    static UNSURE: Pattern = Pattern::new(
        r"(?i)\b(?:risks?|uncertain\w*|unknown|unclear|assum\w+|if|whether|believed|thought to|said to|reportedly|may|might|could|would|likely|unlikely|probabl[ey]|possibl[ey]|perhaps|potential\w*|expect\w*|estimat\w*|challenge\w*|threat\w*|not (?:yet )?(?:sure|known|confirmed|decided|clear|proven)|unproven|unconfirmed|depends?|verify|inspect\w*|check|confirm)\b",
    );
    claim.stance.assumed
        || UNSURE.is_match(&claim.text)
        || claim
            .places
            .first()
            .is_some_and(|place| answer.section_path(place).iter().any(|title| UNSURE.is_match(title)))
}

#[cfg(test)]
mod tests;
