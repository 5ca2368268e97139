//! Chains of prompts, and the single prompt beside them: section 5.4 of the prompt-orchestration document.
//!
//! A beam search goes through the stages that the task needs, in their order: each is served by one prompt or passed over, so that a chain is
//! as long as its stages gain it. What earlier prompts give is settled for later ones: a prompt that needs what nobody gave loses
//! [`PENALTY`](crate::score::PENALTY).

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::candidate::Candidate;
use crate::compatibility::{Compatibility, Likeness, share, terms_of};
use crate::record::{PromptRecord, Records};
use crate::score::{ChainParts, prompt_score, redundancy};
use crate::stage::Stage;
use crate::task::TaskSpec;

/// Prompts of a chain at most.
pub const CHAIN_LENGTH_MAX: usize = 5;

/// Unfinished chains that are kept at a time.
pub const BEAM_WIDTH: usize = 10;

/// Candidates that a planner is given at most.
pub const CANDIDATES_MAX: usize = 80;

/// Chains that are proposed at most.
pub const CHAINS_MAX: usize = 3;

/// Prompts that are tried for a stage after the same beginning: those that its words speak for most. Which of them goes best with the others, the chain's
/// score decides.
const TRIED_MAX: usize = 2;

/// How much less may speak for a prompt that is tried than for the first. The chain's score alone would take a prompt that fits the task badly and hands
/// over well to one that fits it badly too. Of 0, .02, .05, .1 and no bound, 0 and .02 find most of the wanted prompts of `pick_tasks` (.48, .45, .38, .39, .39).
const TRIED_WITHIN: f64 = 0.02;

/// Prompts for a stage that one of them is compared with for its margin.
const COMPARED_MAX: usize = 10;

/// The least share of what a prompt needs that has to be settled before it. Uncalibrated.
const SETTLED_MIN: f64 = 1.0 / 3.0;

/// A prompt that serves less of a stage than this is not tried for it. Uncalibrated.
pub const STAGE_FIT_MIN: f64 = 0.2;

/// A prompt in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The candidate, by its place among the candidates.
    pub candidate: usize,
    /// The stage that it serves.
    pub stage: Stage,
    /// Its score there.
    pub score: f64,
    /// (score − best other for the stage) / score; 0 where another is better.
    pub margin: f64,
    /// Whether it needs what neither the task nor an earlier prompt gives.
    pub lacks_input: bool,
    /// What it was preferred by to other prompts for the stage.
    pub preference: f64,
}

/// Prompts in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// The prompts, by stage.
    pub links: Vec<Link>,
    /// What speaks for them.
    pub parts: ChainParts,
    /// The chain's score.
    pub score: f64,
}

/// What a critic asks of the next plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orders {
    /// Stages that are not passed over where any prompt serves them.
    pub required: Vec<Stage>,
    /// Candidates that are not to be used.
    pub banned: Vec<usize>,
    /// Candidates that are not to stand in one chain.
    pub apart: Vec<(usize, usize)>,
}

/// What is planned with.
pub struct Planner<'a> {
    spec: &'a TaskSpec,
    records: &'a dyn Records,
    candidates: &'a [Candidate],
    likeness: &'a dyn Likeness,
    compatibility: &'a mut Compatibility,
    /// The terms of the task.
    said: BTreeSet<String>,
}

/// An unfinished chain.
#[derive(Clone)]
struct Partial {
    links: Vec<Link>,
    parts: ChainParts,
    settled: BTreeSet<String>,
}

impl<'a> Planner<'a> {
    /// Plans for a task with its candidates, of which the first [`CANDIDATES_MAX`] are looked at.
    #[must_use]
    pub fn new(
        spec: &'a TaskSpec,
        records: &'a dyn Records,
        candidates: &'a [Candidate],
        likeness: &'a dyn Likeness,
        compatibility: &'a mut Compatibility,
    ) -> Self {
        let candidates = &candidates[..candidates.len().min(CANDIDATES_MAX)];
        let mut said = terms_of(&spec.raw_query);
        said.extend(spec.deliverable.as_deref().map(terms_of).unwrap_or_default());
        Self { spec, records, candidates, likeness, compatibility, said }
    }

    /// The preferred single prompt, at the stage that it serves best of those that the task needs.
    pub fn single(&mut self) -> Option<Link> {
        let stages = self.spec.stages.clone();
        let said = self.said.clone();
        let mut ranked: Vec<Link> = Vec::new();
        for candidate in 0..self.candidates.len() {
            let links = stages.iter().map(|stage| self.link(candidate, *stage, &said));
            let best = links.max_by(|a, b| a.preference.total_cmp(&b.preference).then(b.stage.cmp(&a.stage)));
            ranked.extend(best);
        }
        ranked.sort_by(|a, b| b.preference.total_cmp(&a.preference).then_with(|| self.tie(a.candidate, b.candidate)));
        let second = ranked.iter().skip(1).map(|link| link.score).fold(0.0, f64::max);
        let mut best = ranked.into_iter().next()?;
        best.margin = margin(best.score, second);
        Some(best)
    }

    /// The best chains of at least two prompts, best first, at most [`CHAINS_MAX`].
    pub fn chains(&mut self, orders: &Orders) -> Vec<Chain> {
        let stages: Vec<Stage> = self.spec.stages.iter().copied().take(CHAIN_LENGTH_MAX).collect();
        let nothing = Partial { links: Vec::new(), parts: ChainParts::default(), settled: self.said.clone() };
        let mut beam = vec![nothing];
        for (at, stage) in stages.iter().enumerate() {
            let left = stages.len() - at - 1;
            let mut next = Vec::new();
            for partial in &beam {
                let served = self.extended(partial, *stage, orders, stages.len());
                if served.is_empty() || !orders.required.contains(stage) {
                    next.push(partial.clone());
                }
                next.extend(served);
            }
            // What cannot become better than the chains that could end here any more is dropped, then all but the best.
            let hope = |it: &Partial| it.parts.score() + 0.25 * left as f64 / stages.len() as f64;
            next.sort_by(|a, b| hope(b).total_cmp(&hope(a)).then_with(|| self.order(&a.links, &b.links)));
            let mut ends: Vec<f64> = next.iter().filter(|it| it.links.len() > 1).map(|it| it.parts.score()).collect();
            ends.sort_by(|a, b| b.total_cmp(a));
            let floor = ends.get(CHAINS_MAX - 1).copied().unwrap_or(0.0);
            next.retain(|it| bound(it, left, stages.len()) >= floor);
            next.truncate(BEAM_WIDTH);
            beam = next;
        }
        let mut found: Vec<Chain> = beam
            .into_iter()
            .filter(|it| it.links.len() > 1)
            .map(|it| Chain { score: it.parts.score(), parts: it.parts, links: it.links })
            .collect();
        found.sort_by(|a, b| self.better(a, b));
        found.truncate(CHAINS_MAX);
        found
    }

    /// A beginning with each of the best prompts for the next stage.
    fn extended(&mut self, partial: &Partial, stage: Stage, orders: &Orders, stages: usize) -> Vec<Partial> {
        let used = |candidate: usize| partial.links.iter().any(|link| link.candidate == candidate);
        let apart = |candidate: usize| {
            let pair =
                |other: usize| orders.apart.iter().any(|it| *it == (other, candidate) || *it == (candidate, other));
            partial.links.iter().any(|link| pair(link.candidate))
        };
        let mut links: Vec<Link> = Vec::new();
        for candidate in 0..self.candidates.len() {
            let fits = self.candidates[candidate].stage_fit.at(stage) >= STAGE_FIT_MIN;
            if fits && !used(candidate) && !orders.banned.contains(&candidate) && !apart(candidate) {
                links.push(self.link(candidate, stage, &partial.settled));
            }
        }
        links.sort_by(|a, b| b.preference.total_cmp(&a.preference).then_with(|| self.tie(a.candidate, b.candidate)));
        let scores: Vec<f64> = links.iter().take(COMPARED_MAX).map(|link| link.score).collect();
        let first = links.first().map_or(0.0, |link| link.preference);
        links.truncate(TRIED_MAX);
        links.retain(|link| link.preference >= first - TRIED_WITHIN);
        let mut out = Vec::with_capacity(links.len());
        for (rank, mut link) in links.into_iter().enumerate() {
            let others = scores.iter().enumerate().filter(|(at, _)| *at != rank);
            link.margin = margin(link.score, others.map(|(_, score)| *score).fold(0.0, f64::max));
            let mut next = partial.clone();
            let record = self.candidates[link.candidate].record;
            next.settled.extend(self.compatibility.phrases(self.records, record).1.iter().cloned());
            next.links.push(link);
            next.parts = self.parts(&next.links, stages);
            out.push(next);
        }
        out
    }

    /// A candidate at a stage, after what is settled.
    fn link(&mut self, candidate: usize, stage: Stage, settled: &BTreeSet<String>) -> Link {
        let own = &self.candidates[candidate];
        let needs = &self.compatibility.phrases(self.records, own.record).0;
        let lacks_input = !needs.is_empty() && share(needs, settled) < SETTLED_MIN;
        let penalties = u8::from(lacks_input) + u8::from(own.duplicate_of.is_some());
        let score = prompt_score(&own.evidence, own.stage_fit.at(stage), penalties);
        let preference = own.preference(stage, penalties);
        Link { candidate, stage, score, margin: 0.0, lacks_input, preference }
    }

    /// A candidate after these, at the one of some stages that it is preferred for most, and how far the last of them gives what it needs.
    pub(crate) fn placed(
        &mut self,
        candidate: usize,
        stages: &[Stage],
        before: &[usize],
    ) -> Option<(Link, Option<f64>)> {
        let mut settled = self.said.clone();
        let place = |own: &usize| self.candidates.get(*own).map(|own| own.record);
        let before: Vec<usize> = before.iter().filter_map(place).collect();
        let own = place(&candidate)?;
        for record in &before {
            settled.extend(self.compatibility.phrases(self.records, *record).1.iter().cloned());
        }
        let links = stages.iter().map(|stage| self.link(candidate, *stage, &settled));
        let best = links.max_by(|a, b| a.preference.total_cmp(&b.preference).then(b.stage.cmp(&a.stage)))?;
        let last = before.last().copied();
        let handover = last.map(|last| self.compatibility.pair(self.records, self.likeness, last, own).handover);
        Some((best, handover))
    }

    /// What speaks for a chain, where the task needs so many stages.
    fn parts(&mut self, links: &[Link], stages: usize) -> ChainParts {
        let count = links.len() as f64;
        let mean = |of: &dyn Fn(&Link) -> f64| links.iter().map(of).sum::<f64>() / count;
        let (mut flow, mut repeats, mut pairs) = (0.0, 0.0, 0_usize);
        for (at, link) in links.iter().enumerate() {
            for (later, other) in links.iter().enumerate().skip(at + 1) {
                let pair = self.compatibility.pair(
                    self.records,
                    self.likeness,
                    self.candidates[link.candidate].record,
                    self.candidates[other.candidate].record,
                );
                repeats += redundancy(pair.likeness);
                pairs += 1;
                if later == at + 1 {
                    flow += 0.5 * f64::from(u8::from(link.stage < other.stage)) + 0.5 * pair.handover;
                }
            }
        }
        let mean_of = |sum: f64, count: usize, none: f64| if count == 0 { none } else { sum / count as f64 };
        ChainParts {
            avg_prompt_score: mean(&|link| link.score),
            workflow_coverage: count / stages as f64,
            transition_coherence: mean_of(flow, links.len() - 1, 1.0),
            non_redundancy: 1.0 - mean_of(repeats, pairs, 0.0),
            confidence_margin: mean(&|link| link.margin),
        }
    }

    /// The better chain first: by score, then by the tie-breakers of section 6.
    fn better(&self, a: &Chain, b: &Chain) -> Ordering {
        let quality = |chain: &Chain| {
            let of = |link: &Link| self.candidates[link.candidate].evidence.quality_prior;
            chain.links.iter().map(of).sum::<f64>() / chain.links.len() as f64
        };
        b.score
            .total_cmp(&a.score)
            .then_with(|| b.parts.workflow_coverage.total_cmp(&a.parts.workflow_coverage))
            .then_with(|| quality(b).total_cmp(&quality(a)))
            .then_with(|| b.parts.non_redundancy.total_cmp(&a.parts.non_redundancy))
            .then_with(|| self.newest(&b.links).cmp(&self.newest(&a.links)))
            .then_with(|| self.order(&a.links, &b.links))
    }

    /// When the newest prompt of a chain was changed.
    fn newest(&self, links: &[Link]) -> Option<&str> {
        links.iter().filter_map(|link| self.named(link.candidate).1).max()
    }

    /// Of two candidates with one score: the better prior, then the newer, then by name.
    fn tie(&self, a: usize, b: usize) -> Ordering {
        let prior = |it: usize| self.candidates[it].evidence.quality_prior;
        prior(b)
            .total_cmp(&prior(a))
            .then_with(|| self.named(b).1.cmp(&self.named(a).1))
            .then_with(|| self.named(a).0.cmp(self.named(b).0))
    }

    /// Chains by their prompts' names, so that no order of the vault decides.
    fn order(&self, a: &[Link], b: &[Link]) -> Ordering {
        let key = |links: &[Link]| -> Vec<(Stage, &str)> {
            links.iter().map(|link| (link.stage, self.named(link.candidate).0)).collect()
        };
        key(a).cmp(&key(b))
    }

    /// The id of a candidate's prompt, and when that was changed.
    fn named(&self, candidate: usize) -> (&str, Option<&str>) {
        let record: Option<&PromptRecord> = self.candidates.get(candidate).and_then(|it| self.records.get(it.record));
        let updated = record.and_then(|record| record.last_updated.as_deref());
        (record.map_or("", |record| record.prompt_id.as_str()), updated)
    }
}

fn margin(score: f64, other: f64) -> f64 {
    if score > 0.0 { ((score - other) / score).clamp(0.0, 1.0) } else { 0.0 }
}

/// The most that a beginning can come to: every stage that is left served by a prompt of score 1, and nothing lost besides.
fn bound(partial: &Partial, left: usize, stages: usize) -> f64 {
    let sum: f64 = partial.links.iter().map(|link| link.score).sum();
    let served = partial.links.len();
    if served + left == 0 {
        return 0.0;
    }
    ChainParts {
        avg_prompt_score: (sum + left as f64) / (served + left) as f64,
        workflow_coverage: (served + left) as f64 / stages as f64,
        transition_coherence: if left == 0 { partial.parts.transition_coherence } else { 1.0 },
        non_redundancy: if left == 0 { partial.parts.non_redundancy } else { 1.0 },
        confidence_margin: if left == 0 { partial.parts.confidence_margin } else { 1.0 },
    }
    .score()
}
