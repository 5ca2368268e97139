//! Where a fault entered: the way of a wrong figure or a banned term through the artefacts of a run.
//!
//! What is wrong is what the incident points at, wherever the same sentence stands. What is right is told by the readers of the checks:
//! the figure of the ask said of the same thing, and a ban that is repeated or kept in words. Every other artefact is silent.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use steadfast_annotate::{Quantity, Relation, TermMatcher, Unit, content_stems, is_mention, is_negated, stems};
use steadfast_ask::{Figure, Role, Rule, speaks_of_ban};
use steadfast_evidence::{Evidence, FileId, Quote};

use crate::answer::{Answer, Claim};
use crate::ask::Contract;
use crate::figures::days_late;
use crate::incident::Incident;
use crate::matching::is_generic;
use crate::same_figure::{around, is_vague, relation, statement_of};

steadfast_evidence::vocabulary! {
    /// What an artefact says of the thing that an incident is about.
    Stand {
        /// What the ask says: its figure, or a ban that is repeated.
        Right = "right", "as asked";
        /// The fault of the incident.
        Wrong = "wrong", "wrong";
        /// Both.
        Both = "both", "both";
    }
}

/// What one artefact says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrailPlace {
    /// Its place in the run's order, from 0.
    pub artefact: usize,
    /// What it says.
    pub stand: Stand,
    /// The first words there that say so; of both, the wrong ones.
    pub quote: Quote,
}

/// The artefacts that speak of the thing that an incident is about, in the run's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// Those that do; the others are silent.
    pub places: Vec<TrailPlace>,
}

/// Follows every incident of a wrong figure or a banned term through the artefacts. A single artefact has no order, so nothing is followed there.
pub(crate) fn follow(incidents: &mut [Incident], contract: &Contract, answer: &Answer) {
    if answer.artefacts.len() < 2 {
        return;
    }
    let bans = Bans::of(incidents, contract, answer);
    for incident in incidents {
        let Evidence::Quote(quote) = &incident.finding.evidence else { continue };
        let wrong: Vec<&Quote> = std::iter::once(quote).chain(&incident.finding.also_at).collect();
        let claims = claims_at(answer, &wrong);
        incident.trail = match bans.terms(incident) {
            Some(terms) => Some(bans.trail(&terms, &wrong, &claims, answer)),
            None => figure_trail(incident, &wrong, &claims, contract, answer),
        };
    }
}

/// What is found in artefacts on the way through them: the first wrong and the first right words of each.
#[derive(Default)]
struct Found(BTreeMap<usize, (Option<Quote>, Option<Quote>)>);

impl Found {
    fn wrong(&mut self, artefact: usize, quote: Quote) {
        let own = &mut self.0.entry(artefact).or_default().0;
        if own.as_ref().is_none_or(|first| quote.span() < first.span()) {
            *own = Some(quote);
        }
    }

    fn right(&mut self, artefact: usize, quote: Quote) {
        let own = &mut self.0.entry(artefact).or_default().1;
        if own.as_ref().is_none_or(|first| quote.span() < first.span()) {
            *own = Some(quote);
        }
    }

    fn trail(self) -> Trail {
        let place = |(artefact, found)| {
            let (stand, quote) = match found {
                (Some(wrong), Some(_)) => (Stand::Both, wrong),
                (Some(wrong), None) => (Stand::Wrong, wrong),
                (None, Some(right)) => (Stand::Right, right),
                (None, None) => return None,
            };
            Some(TrailPlace { artefact, stand, quote })
        };
        Trail { places: self.0.into_iter().filter_map(place).collect() }
    }
}

/// Where a file stands in the run's order.
fn artefact_of(answer: &Answer, file: FileId) -> Option<usize> {
    answer.artefacts.iter().position(|artefact| artefact.file == file)
}

/// The claims that stand at these quotes.
fn claims_at(answer: &Answer, quotes: &[&Quote]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for quote in quotes {
        let Some(artefact) = artefact_of(answer, quote.file()) else { continue };
        // Blocks stand in the order of the file.
        let blocks = &answer.artefacts[artefact].document.blocks;
        let first = blocks.partition_point(|block| block.span.end <= quote.span().start);
        let those = blocks[first..].iter().take_while(|block| block.span.start < quote.span().end).count();
        for claim in (first..first + those).flat_map(|block| answer.claims_in(artefact, block)) {
            let own = &answer.claims[*claim];
            let stands_there = own.places.iter().filter(|place| place.artefact == artefact).any(|place| {
                let whole = answer.quote_at(own, place, &(0..own.text.len()));
                whole.is_some_and(|whole| whole.span().overlaps(quote.span()))
            });
            if stands_there {
                found.insert(*claim);
            }
        }
    }
    found
}

/// Puts down the fault: where the incident points, and wherever else the same sentences stand. `at` gives the words in question of a claim.
fn put_wrong(
    found: &mut Found,
    wrong: &[&Quote],
    claims: &BTreeSet<usize>,
    answer: &Answer,
    at: impl Fn(&Claim) -> Option<Range<usize>>,
) {
    for quote in wrong {
        if let Some(artefact) = artefact_of(answer, quote.file()) {
            found.wrong(artefact, (*quote).clone());
        }
    }
    for claim in claims.iter().map(|claim| &answer.claims[*claim]) {
        let range = at(claim).unwrap_or(0..claim.text.len());
        for place in &claim.places {
            if let Some(quote) = answer.quote_at(claim, place, &range) {
                found.wrong(place.artefact, quote);
            }
        }
    }
}

/// The banned terms that incidents are about, and where the answer has them.
struct Bans {
    /// The obligation that bans each.
    items: Vec<usize>,
    matcher: TermMatcher,
    /// For each term the claims that have it, with the place in their text.
    uses: Vec<Vec<(usize, Range<usize>)>>,
}

impl Bans {
    fn of(incidents: &[Incident], contract: &Contract, answer: &Answer) -> Self {
        let broken: BTreeSet<usize> = incidents.iter().filter_map(|incident| incident.finding.obligation).collect();
        let (mut items, mut terms) = (Vec::new(), Vec::new());
        for item in broken {
            let demand = contract.obligations.get(item).and_then(|own| contract.request.demands.get(own.demand?));
            if let Some(Rule::Ban { terms: own, .. }) = demand.map(|demand| &demand.kind.rule) {
                items.extend(own.iter().map(|_| item));
                terms.extend(own.iter().map(String::as_str));
            }
        }
        let matcher = TermMatcher::new(&terms);
        let mut uses = vec![Vec::new(); terms.len()];
        if !terms.is_empty() {
            for (at, claim) in answer.claims.iter().enumerate() {
                for found in matcher.find_all(&claim.text) {
                    uses[found.term].push((at, found.range));
                }
            }
        }
        Self { items, matcher, uses }
    }

    /// The terms that an incident is about; `None` where it breaks no ban of words.
    fn terms(&self, incident: &Incident) -> Option<Vec<usize>> {
        let item = incident.finding.obligation?;
        let all: Vec<usize> = (0..self.items.len()).filter(|term| self.items[*term] == item).collect();
        let Evidence::Quote(quote) = &incident.finding.evidence else { return None };
        let mut used: Vec<usize> = self.matcher.find_all(quote.text()).into_iter().map(|found| found.term).collect();
        used.retain(|term| all.contains(term));
        used.sort_unstable();
        used.dedup();
        Some(if used.is_empty() { all } else { used }).filter(|terms| !terms.is_empty())
    }

    fn trail(&self, terms: &[usize], wrong: &[&Quote], claims: &BTreeSet<usize>, answer: &Answer) -> Trail {
        let mut found = Found::default();
        let uses = || terms.iter().flat_map(move |term| &self.uses[*term]);
        put_wrong(&mut found, wrong, claims, answer, |claim| {
            uses().find(|(at, _)| std::ptr::eq(&answer.claims[*at], claim)).map(|(_, range)| range.clone())
        });
        for (at, range) in uses().filter(|(at, _)| !claims.contains(at)) {
            let claim = &answer.claims[*at];
            let text = &claim.text;
            let keeps = is_negated(text, range.clone()) || is_mention(text, range.clone()) || speaks_of_ban(text);
            if keeps || claim.stance.excluded {
                put_right(&mut found, claim, range, answer);
            }
        }
        found.trail()
    }
}

fn put_right(found: &mut Found, claim: &Claim, range: &Range<usize>, answer: &Answer) {
    for place in &claim.places {
        if let Some(quote) = answer.quote_at(claim, place, range) {
            found.right(place.artefact, quote);
        }
    }
}

/// The trail of a figure of the ask that the answer gives otherwise; `None` where the incident is about no figure.
fn figure_trail(
    incident: &Incident,
    wrong: &[&Quote],
    claims: &BTreeSet<usize>,
    contract: &Contract,
    answer: &Answer,
) -> Option<Trail> {
    let source = incident.finding.source.as_ref()?;
    let own = || claims.iter().flat_map(move |claim| &answer.claims[*claim].quantities);
    let asked: Vec<&Figure> = contract
        .request
        .figures
        .iter()
        .filter(|figure| !figure.denied && figure.quote.span().overlaps(source.span()))
        .filter(|figure| own().any(|stated| is_another(stated, &figure.quantity)))
        .collect();
    if asked.is_empty() {
        return None;
    }
    let mut found = Found::default();
    put_wrong(&mut found, wrong, claims, answer, |claim| {
        let mut others = claim.quantities.iter().filter(|own| asked.iter().any(|it| is_another(own, &it.quantity)));
        others.next().map(|other| other.range.clone())
    });
    for claim in answer.claims.iter().filter(|claim| !claim.quantities.is_empty()) {
        for figure in &asked {
            let same = claim.quantities.iter().find(|own| is_same(own, &figure.quantity));
            if let Some(same) = same.filter(|_| is_of_same_thing(claim, figure, contract, answer)) {
                put_right(&mut found, claim, &same.range, answer);
            }
        }
    }
    Some(found.trail())
}

/// Whether a quantity is the one that is asked for, as a limit or as a plain value.
fn is_same(own: &Quantity, asked: &Quantity) -> bool {
    let plain = Quantity { bound: asked.bound, ..own.clone() };
    relation(&plain, asked) == Some(Relation::Equal) || days_late(own, asked) == Some(0)
}

/// Whether a quantity is of the kind that is asked for, and another.
fn is_another(own: &Quantity, asked: &Quantity) -> bool {
    let comparable = relation(own, asked).is_some()
        || days_late(own, asked).is_some()
        || matches!((&own.unit, &asked.unit), (Unit::Money(_), Unit::Money(_)));
    comparable && !is_same(own, asked)
}

/// Whether a claim that has the figure speaks of the thing that the ask says it of. The whole budget and a count of things say it by themselves; of
/// another figure a telling word must stand in the claim, its label, row or column.
fn is_of_same_thing(claim: &Claim, figure: &Figure, contract: &Contract, answer: &Answer) -> bool {
    match &figure.quantity.unit {
        Unit::Money(_) if figure.role == Role::BudgetTotal => return true,
        Unit::Count(counted) if !is_vague(&counted.stem) => return true,
        _ => {}
    }
    let of_statement = || stems(statement_of(contract, figure));
    let subject: Vec<String> = if figure.subject.is_empty() { of_statement() } else { figure.subject.clone() };
    let around = content_stems(&around(answer, claim));
    let mut telling = subject.iter().filter(|stem| !is_generic(stem));
    telling.any(|stem| claim.has_stem(stem) || around.iter().any(|(_, own)| own == stem))
}
