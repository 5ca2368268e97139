//! Searching a vault, picking prompts for a task, and what is said of that afterwards.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use sha2::{Digest, Sha256};
use steadfast_evidence::RULES_VERSION;
use steadfast_pick::candidate::{Candidate, take_part};
use steadfast_pick::intake;
use steadfast_pick::machine::{Event, Passed};
use steadfast_pick::operating_point::{Mode, OperatingPoint};
use steadfast_pick::record::Records as _;
use steadfast_pick::retrieve::filters::{Filters, Wanted};
use steadfast_pick::retrieve::hybrid::{Fusion, POOL_MAX, Pool, Request};
use steadfast_pick::retrieve::priors::Day;
use steadfast_pick::score::{PENALTY, prompt_score};
use steadfast_pick::task::TaskSpec;
use steadfast_pick::{CLARIFY_CANDIDATES, Selected, Selection, Vault, pick};
use steadfast_wire::pick as wire;
use steadfast_wire::{from_json, to_json_line};

use super::open::{ByVectors, OpenVault, Prompts};
use super::{points, publish};
use crate::EngineError;
use crate::error::of_json;
use crate::hash::{hex, uuid_v8};
use crate::store::{Keep, Receipt, StoredFeedback, StoredSelection};

/// The longest task or query, in bytes.
pub const QUERY_BYTES_MAX: usize = 1024 * 1024;

/// Words of a task that a reason names.
const WORDS_NAMED: usize = 4;

/// What is asked of a vault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PickRequest {
    /// What the task is found by.
    pub qid: Option<String>,
    /// The task in the user's words.
    pub task: String,
    /// The day that freshness is as of; `None` where nobody said: then no prompt is fresher than another.
    pub at: Option<String>,
    /// Whether all candidates are told.
    pub explain: bool,
    /// What the metadata of prompts must be.
    pub filters: Filters,
}

/// What was picked for a task, and the candidates that it was picked from.
pub struct Picked {
    pub(super) request: PickRequest,
    pub(super) spec: TaskSpec,
    pub(super) selection: Selection,
    pub(super) prompts: Prompts,
    /// Words that prompts share with the task, by the places of prompts.
    words: HashMap<usize, Vec<String>>,
    point: OperatingPoint,
    vectors: bool,
    trace_id: String,
}

/// Gives the vectors of texts, in their order; none, or fewer, look by words alone.
pub type VectorsOf<'a> = &'a dyn Fn(&[&str]) -> Vec<Option<Arc<[f32]>>>;

/// How a pool of candidates is looked for.
#[derive(Clone, Copy)]
pub(super) struct Looked<'a> {
    /// What is understood of the task; `None` for a search.
    pub(super) spec: Option<&'a TaskSpec>,
    /// The day that freshness is as of.
    pub(super) at: Option<&'a str>,
    /// How many are looked for.
    pub(super) size: usize,
    /// What they must be.
    pub(super) filters: &'a Filters,
}

impl OpenVault {
    /// The vectors of texts, where the vault has vectors and an embedder of its own.
    fn vectors_of(&self, texts: &[&str]) -> Vec<Option<Arc<[f32]>>> {
        let embedded = self.embedder.as_ref().map(|embedder| embedder.embed(texts));
        embedded.map_or_else(Vec::new, |all| all.into_iter().map(|own| Some(own.vector)).collect())
    }

    /// What is found for each of some texts, of which these are the vectors: as many pools as texts.
    pub(super) fn pools(
        &self,
        texts: &[&str],
        vectors: &[Option<Arc<[f32]>>],
        looked: &Looked<'_>,
    ) -> Result<Vec<Pool>, EngineError> {
        let Looked { spec, at, size, filters } = *looked;
        let wanted = spec.map_or_else(Wanted::default, |spec| Wanted {
            intent: Some(&spec.intent),
            task_type: Some(spec.task_type.as_str()).filter(|it| *it != "general"),
            domain: spec.domain_hint.as_deref(),
        });
        let request = |(place, text)| Request {
            text,
            vector: vectors.get(place).and_then(Option::as_deref),
            wanted,
            filters,
            feedback: &self.feedback,
            at: at.and_then(Day::of),
            size,
            fusion: Fusion::default(),
        };
        let requests: Vec<Request<'_>> = texts.iter().copied().enumerate().map(request).collect();
        self.retriever.retrieve_all(&requests).map_err(|error| EngineError::Internal { what: error.to_string() })
    }

    /// The candidates of a pool, and their prompts.
    fn candidates(&self, pool: &Pool) -> Result<(Vec<Candidate>, Prompts), EngineError> {
        let places: Vec<usize> = pool.candidates.iter().map(|own| own.document as usize).collect();
        let known = self.known(&places)?;
        let of = |own: &steadfast_pick::retrieve::hybrid::Candidate| {
            let mut candidate = Candidate::new(own, known.0.get(&(own.document as usize))?.stage_fit);
            candidate.duplicate_of = candidate.duplicate_of.filter(|other| known.0.contains_key(other));
            Some(candidate)
        };
        Ok((pool.candidates.iter().filter_map(of).collect(), known))
    }

    /// The candidates for a task and for each part of it that asks for a stage, their prompts, and whether words alone found them.
    pub(super) fn found(
        &self,
        task: &str,
        vectors_of: VectorsOf<'_>,
        looked: &Looked<'_>,
    ) -> Result<(Vec<Candidate>, Prompts, bool), EngineError> {
        let parts = looked.spec.map_or(&[][..], |spec| &spec.parts);
        // The parts of an undertaking are all about one thing: what is the same is looked for once.
        let mut texts: Vec<&str> = vec![task];
        for (_, words) in parts {
            if !texts.contains(&words.as_str()) {
                texts.push(words);
            }
        }
        let pools = self.pools(&texts, &vectors_of(&texts), looked)?;
        let pools: HashMap<&str, Pool> = texts.into_iter().zip(pools).collect();
        let Some(pool) = pools.get(task) else { return Ok((Vec::new(), Prompts::default(), true)) };
        let (mut found, mut prompts) = self.candidates(pool)?;
        for (stage, words) in parts {
            let Some(part) = pools.get(words.as_str()) else { continue };
            let known: HashSet<usize> = found.iter().map(|own| own.record).collect();
            let (mut more, others) = self.candidates(part)?;
            more.retain(|own| !known.contains(&own.record));
            // What only the part found is no candidate for the other stages.
            more.iter_mut().for_each(|own| own.relevance = [0.0; 5]);
            found.extend(more);
            prompts.0.extend(others.0);
            take_part(&mut found, *stage, part);
        }
        Ok((found, prompts, pool.bm25_only))
    }

    /// The prompts that fit a query best, at most `k`, of those whose metadata are what they must be.
    ///
    /// # Errors
    /// [`EngineError::FileTooLarge`] where the query is longer than [`QUERY_BYTES_MAX`].
    pub fn search(
        &self,
        qid: Option<String>,
        query: &str,
        k: usize,
        filters: &Filters,
    ) -> Result<wire::SearchResult, EngineError> {
        limited(query)?;
        let looked = Looked { spec: None, at: None, size: k, filters };
        let mut pools = self.pools(&[query], &self.vectors_of(&[query]), &looked)?;
        let pool = pools.pop().unwrap_or_else(|| Pool { candidates: Vec::new(), bm25_only: true });
        let scores: HashMap<usize, f64> =
            pool.candidates.iter().map(|own| (own.document as usize, own.score)).collect();
        let (found, prompts) = self.candidates(&pool)?;
        let score = |own: &Candidate| scores.get(&own.record).copied().unwrap_or_default();
        let candidates = found.iter().map(|own| publish::candidate(own, &prompts, score(own))).collect();
        Ok(wire::SearchResult {
            schema_version: wire::SCHEMA_VERSION.to_owned(),
            qid,
            vectors: !pool.bm25_only,
            candidates,
        })
    }

    /// Picks prompts for a task. The same request, vault and operating point give the same answer.
    ///
    /// # Errors
    /// [`EngineError::FileTooLarge`] where the task is longer than [`QUERY_BYTES_MAX`], [`EngineError::NotEvaluable`] where it is empty.
    pub fn pick(&mut self, request: &PickRequest, point: &OperatingPoint) -> Result<wire::FinalOutput, EngineError> {
        Ok(self.picked(request, point, false)?.output())
    }

    /// The same with its candidates; where they are `to_rank`, a chat model can choose among them.
    ///
    /// # Errors
    /// As [`pick`](Self::pick).
    pub fn picked(
        &mut self,
        request: &PickRequest,
        point: &OperatingPoint,
        to_rank: bool,
    ) -> Result<Picked, EngineError> {
        self.picked_by(request, point, to_rank, None)
    }

    /// The same where vectors of texts come from elsewhere.
    pub(super) fn picked_by(
        &mut self,
        request: &PickRequest,
        point: &OperatingPoint,
        to_rank: bool,
        vectors_of: Option<VectorsOf<'_>>,
    ) -> Result<Picked, EngineError> {
        limited(&request.task)?;
        if request.task.trim().is_empty() {
            return Err(EngineError::not_evaluable("the task", "it is empty"));
        }
        let spec = intake::read(&request.task);
        let looked = Looked { spec: Some(&spec), at: request.at.as_deref(), size: POOL_MAX, filters: &request.filters };
        let (found, prompts, words_only) =
            self.found(&request.task, vectors_of.unwrap_or(&|texts| self.vectors_of(texts)), &looked)?;
        let mut compatibility = std::mem::take(&mut self.compatibility);
        let likeness = ByVectors { retriever: &self.retriever, prompts: &prompts };
        let vault = Vault { records: &prompts, likeness: &likeness, compatibility: &mut compatibility };
        let selection = pick(&spec, vault, point, |_| found);
        self.compatibility = compatibility;
        let others = if to_rank { selection.to_rank() } else { Vec::new() };
        let told = selection.selected.iter().map(|own| own.candidate).chain(others);
        let places = told.filter_map(|own| selection.candidates.get(own)).map(|own| own.record);
        let words = places.map(|place| (place, self.shared(&request.task, place))).collect();
        let (point_told, filters_told) = (format!("{point:?}"), format!("{:?}", request.filters));
        let at = request.at.as_deref().unwrap_or_default();
        let parts = [request.task.as_str(), at, &point_told, &filters_told, &self.state];
        let trace_id = uuid_v8("steadfast pick", &parts.map(str::as_bytes));
        let (request, point, vectors) = (request.clone(), point.clone(), !words_only);
        Ok(Picked { request, spec, selection, prompts, words, point, vectors, trace_id })
    }

    /// Words that a prompt shares with a task, those that say most first.
    fn shared(&self, task: &str, place: usize) -> Vec<String> {
        let found = self.retriever.explain(task, u32::try_from(place).unwrap_or(u32::MAX));
        found.into_iter().take(WORDS_NAMED).filter_map(|found| found.words.into_iter().next()).collect()
    }
}

impl Picked {
    /// The id of a candidate's prompt.
    pub(super) fn id(&self, candidate: usize) -> String {
        let record = self.selection.candidates.get(candidate).and_then(|it| self.prompts.get(it.record));
        record.map(|record| record.prompt_id.clone()).unwrap_or_default()
    }

    /// It as it is published: by rules alone.
    #[must_use]
    pub fn output(&self) -> wire::FinalOutput {
        let Self { request, spec, selection: own, prompts, point, .. } = self;
        let id = |candidate: usize| self.id(candidate);
        let ids = |candidates: &[usize]| candidates.iter().map(|it| id(*it)).collect::<Vec<_>>();
        let task_id = uuid_v8("steadfast pick task", &[request.task.as_bytes()]);
        let selected_prompts = own
            .selected
            .iter()
            .enumerate()
            .map(|(at, selected)| {
                let candidate = &own.candidates[selected.candidate];
                let before = at.checked_sub(1).map(|before| id(own.selected[before].candidate));
                let fit = candidate.stage_fit.at(selected.stage);
                wire::SelectedPrompt {
                    prompt_id: id(selected.candidate),
                    stage: selected.stage,
                    rank: at + 1,
                    why: self.why(candidate, selected, before.as_deref()),
                    reason: selected.reason.clone(),
                    evidence: wire::Evidence {
                        dense_sim: candidate.evidence.dense_sim,
                        bm25_sim: candidate.evidence.bm25_sim,
                        metadata_match: candidate.evidence.metadata_match,
                        stage_fit: fit,
                        quality_prior: candidate.evidence.quality_prior,
                        freshness: candidate.evidence.freshness,
                        penalties: PENALTY
                            * f64::from(u8::from(selected.lacks_input) + u8::from(candidate.duplicate_of.is_some())),
                    },
                    score: selected.score,
                }
            })
            .collect();
        let chain = own.chain.as_ref().map(|chain| wire::ChainScore {
            prompt_ids: chain.links.iter().map(|link| id(link.candidate)).collect(),
            score: chain.score,
            avg_prompt_score: chain.parts.avg_prompt_score,
            workflow_coverage: chain.parts.workflow_coverage,
            transition_coherence: chain.parts.transition_coherence,
            non_redundancy: chain.parts.non_redundancy,
            confidence_margin: chain.parts.confidence_margin,
        });
        let told = match own.mode {
            _ if request.explain => own.candidates.len(),
            Mode::Clarify => CLARIFY_CANDIDATES,
            _ => 0,
        };
        let candidate = |it: &Candidate| publish::candidate(it, prompts, best_score(it, spec));
        let candidates = (told > 0).then(|| own.candidates.iter().take(told).map(candidate).collect());
        wire::FinalOutput {
            schema_version: wire::SCHEMA_VERSION.to_owned(),
            rules_version: Some(RULES_VERSION.to_owned()),
            qid: request.qid.clone(),
            mode: own.mode,
            confidence: Some(own.confidence),
            origin: wire::RULES.to_owned(),
            by_rules: None,
            task_id: task_id.clone(),
            selected_prompts,
            fallback: wire::Fallback { mode: own.fallback.0, prompt_ids: ids(&own.fallback.1) },
            clarification_questions: own.questions.clone(),
            trace_id: self.trace_id.clone(),
            task_spec: publish::task_spec(spec, &task_id),
            scores: wire::PickScores {
                single: own.single_score,
                chain,
                thresholds: wire::Thresholds {
                    operating_point: point.name.clone(),
                    t_ambiguity: point.t_ambiguity,
                    t_single: point.t_single,
                    t_chain: point.t_chain,
                    delta: point.delta,
                },
            },
            log: own.log.iter().map(log_step).collect(),
            vectors: self.vectors,
            candidates,
            model_view: None,
            run: None,
        }
    }

    /// Why a prompt was picked, from its evidence.
    fn why(&self, own: &Candidate, selected: &Selected, before: Option<&str>) -> String {
        let mut said = Vec::new();
        let words = self.words.get(&own.record).into_iter().flatten();
        let words: Vec<String> = words.map(|word| format!("\u{201c}{word}\u{201d}")).collect();
        if !words.is_empty() {
            said.push(format!("shares {} with the task", words.join(", ")));
        }
        if own.evidence.dense_sim > 0.0 {
            said.push(format!("is near it in meaning ({:.2})", own.evidence.dense_sim));
        }
        let fit = own.stage_fit.at(selected.stage);
        said.push(format!("serves the stage {} ({fit:.2})", selected.stage.name()));
        if let (Some(before), Some(handover)) = (before, selected.handover) {
            let needs = self.prompts.get(own.record).and_then(|record| record.expected_input.as_deref());
            if let Some(needs) = needs.filter(|_| handover > 0.0) {
                said.push(format!("takes its {needs} from {before}"));
            }
        }
        if selected.lacks_input {
            let record = self.prompts.get(own.record);
            let needs = record.and_then(|record| record.expected_input.as_deref()).unwrap_or("input");
            said.push(format!("needs {needs}, which nothing before it gives"));
        }
        said.join("; ")
    }
}

fn best_score(own: &Candidate, spec: &TaskSpec) -> f64 {
    let fit = spec.stages.iter().map(|stage| own.stage_fit.at(*stage)).fold(0.0, f64::max);
    prompt_score(&own.evidence, fit, u8::from(own.duplicate_of.is_some()))
}

pub(super) fn limited(text: &str) -> Result<(), EngineError> {
    if text.len() > QUERY_BYTES_MAX {
        let (file, bytes) = ("the task".to_owned(), text.len() as u64);
        return Err(EngineError::FileTooLarge { file, bytes, limit_bytes: QUERY_BYTES_MAX as u64 });
    }
    Ok(())
}

fn log_step(own: &Passed) -> wire::LogStep {
    let event = match own.event {
        Event::Done => "done",
        Event::Clarify => "clarify",
        Event::Replan => "replan",
        Event::GiveUp => "give_up",
        Event::LowConfidence => "low_confidence",
    };
    let rounded = |value: f64| (value * 1e6).round() / 1e6;
    let values: BTreeMap<String, f64> =
        own.values.iter().map(|(name, value)| ((*name).to_owned(), rounded(*value))).collect();
    wire::LogStep { state: own.state.name().to_owned(), event: event.to_owned(), why: own.why.clone(), values }
}

/// Keeps what was picked, so that something can be said of it. It does not wait for the disk: the receipt does.
///
/// # Errors
/// [`EngineError::Store`] where it cannot be kept.
pub fn keep_selection(store: &dyn Keep, output: &wire::FinalOutput) -> Result<Receipt, EngineError> {
    let prompts: Vec<&String> = output.selected_prompts.iter().map(|it| &it.prompt_id).collect();
    // What a chat model chose is counted by its name: thresholds are not good or bad by it.
    let rules = output.by_rules.is_none();
    let selection = StoredSelection {
        trace_id: output.trace_id.clone(),
        created_at: store.stamp()?.at,
        operating_point: if rules { output.scores.thresholds.operating_point.clone() } else { output.origin.clone() },
        point_sha256: rules.then(|| points::sha256_of(&output.scores.thresholds)),
        prompts: to_json_line(&prompts).map_err(of_json)?.trim_end().to_owned(),
    };
    Ok(store.keep_selection(selection))
}

/// Says of prompts of a selection, or of all of them, whether they were good: their `quality_prior` moves.
///
/// # Errors
/// [`EngineError::NoSelection`], [`EngineError::NotSelected`], or [`EngineError::Store`] where it is not on the disk.
pub fn give_feedback(
    store: &dyn Keep,
    trace_id: &str,
    good: bool,
    prompt_ids: &[String],
) -> Result<wire::Feedback, EngineError> {
    let found = store.selection(trace_id)?.ok_or_else(|| EngineError::NoSelection { id: trace_id.to_owned() })?;
    let selected: Vec<String> = from_json(&found.prompts).map_err(of_json)?;
    if let Some(other) = prompt_ids.iter().find(|id| !selected.contains(id)) {
        return Err(EngineError::NotSelected { id: other.clone() });
    }
    let prompt_ids = if prompt_ids.is_empty() { selected } else { prompt_ids.to_vec() };
    let said = prompt_ids
        .iter()
        .map(|prompt_id| {
            let stamp = store.stamp()?;
            Ok(StoredFeedback {
                id: stamp.id,
                trace_id: trace_id.to_owned(),
                prompt_id: prompt_id.clone(),
                good,
                at: stamp.at,
            })
        })
        .collect::<Result<_, EngineError>>()?;
    store.add_feedback(said)?;
    Ok(wire::Feedback {
        schema_version: wire::SCHEMA_VERSION.to_owned(),
        trace_id: trace_id.to_owned(),
        good,
        prompt_ids,
    })
}

/// The operating point that a task gets where several are tried against each other: by a hash of the task, so that the same task always
/// gets the same.
#[must_use]
pub fn assigned<'a>(task: &str, points: &'a [OperatingPoint]) -> Option<&'a OperatingPoint> {
    let digest = hex(&Sha256::digest(task.trim().as_bytes()));
    let number = u64::from_str_radix(digest.get(..15)?, 16).ok()?;
    points.get(usize::try_from(number % u64::try_from(points.len()).ok()?.max(1)).ok()?)
}
