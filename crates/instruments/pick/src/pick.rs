//! The whole of section 5 of the prompt-orchestration document, driven by the table of [`machine`](crate::machine).

use crate::candidate::Candidate;
use crate::compatibility::{Compatibility, Likeness};
use crate::critic::{Critique, criticise};
use crate::machine::{Event, Passed, REPLANS_MAX, State, next};
use crate::operating_point::{Mode, OperatingPoint, select};
use crate::planner::{CANDIDATES_MAX, Chain, Link, Orders, Planner};
use crate::record::Records;
use crate::stage::Stage;
use crate::task::TaskSpec;

/// Candidates that come with every question.
pub const CLARIFY_CANDIDATES: usize = 5;

/// The prompts that a task is served from.
pub struct Vault<'a> {
    /// Its prompts.
    pub records: &'a dyn Records,
    /// How like they are.
    pub likeness: &'a dyn Likeness,
    /// How they go together, as far as it was asked before.
    pub compatibility: &'a mut Compatibility,
}

/// A prompt that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Selected {
    /// The candidate, by its place among the candidates.
    pub candidate: usize,
    /// The stage that it serves.
    pub stage: Stage,
    /// Its score there.
    pub score: f64,
    /// Whether it needs what neither the task nor an earlier prompt gives.
    pub lacks_input: bool,
    /// How far what the prompt before it gives is what it needs; `None` for the first.
    pub handover: Option<f64>,
    /// Why a chat model chose it, in its words; `None` where rules did.
    pub reason: Option<String>,
}

/// What a task gets.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// One prompt, a chain, or a question.
    pub mode: Mode,
    /// How likely the choice is right, 0 to 1.
    pub confidence: f64,
    /// The prompts, in their order; none where something has to be asked.
    pub selected: Vec<Selected>,
    /// What else would do: for a chain its best single prompt, for a single prompt the best chain, else the next best single one; for a
    /// question the best five candidates.
    pub fallback: (Mode, Vec<usize>),
    /// What has to be asked, the most needed first.
    pub questions: Vec<String>,
    /// The candidates, the preferred first. What is chosen is told by its place among them.
    pub candidates: Vec<Candidate>,
    /// The best single prompt's score.
    pub single_score: Option<f64>,
    /// The best chain.
    pub chain: Option<Chain>,
    /// What was wrong with the chain that was looked at last.
    pub critiques: Vec<Critique>,
    /// The states that were passed.
    pub log: Vec<Passed>,
}

/// A question for a task that lacks nothing, and for which the vault has nothing good enough.
pub(crate) const NOTHING_FITS: &str = "No prompt of the vault fits well enough. What should come out of it, and which of the candidates is nearest to it?";

/// A question for a task that is unclear though nothing that it needs is missing by itself.
const UNCLEAR: &str = "What exactly should come out of it, and for whom?";

/// What is known while the machine runs.
struct Run<'a, 'v> {
    spec: &'a TaskSpec,
    vault: Vault<'v>,
    point: &'a OperatingPoint,
    candidates: Vec<Candidate>,
    orders: Orders,
    replans: usize,
    single: Option<Link>,
    chain: Option<Chain>,
    critiques: Vec<Critique>,
    /// Every chain that was looked at, with how many faults it had.
    tried: Vec<(usize, Chain, Vec<Critique>)>,
    mode: Mode,
    log: Vec<Passed>,
}

/// Picks prompts for a task. `retrieve` gives its candidates, best first; they are looked for once. The same task, vault and operating point
/// give the same selection.
pub fn pick(
    spec: &TaskSpec,
    vault: Vault<'_>,
    point: &OperatingPoint,
    retrieve: impl FnOnce(&TaskSpec) -> Vec<Candidate>,
) -> Selection {
    let mut run = Run {
        spec,
        vault,
        point,
        candidates: Vec::new(),
        orders: Orders::default(),
        replans: 0,
        single: None,
        chain: None,
        critiques: Vec::new(),
        tried: Vec::new(),
        mode: Mode::Clarify,
        log: Vec::new(),
    };
    let mut retrieve = Some(retrieve);
    let mut look = |run: &mut Run<'_, '_>| {
        if let Some(retrieve) = retrieve.take() {
            run.candidates = retrieve(spec);
            run.rank();
        }
    };
    let mut state = State::Start;
    while !matches!(state, State::End | State::EndClarify) {
        let (event, why, values) = match state {
            State::Start => (Event::Done, Vec::new(), Vec::new()),
            State::Intake => run.intake(),
            State::RiskCheck => run.risk_check(),
            State::Retrieve => {
                look(&mut run);
                (Event::Done, vec![format!("{} candidates", run.candidates.len())], Vec::new())
            }
            State::Plan => run.plan(),
            State::Critique => run.critique(),
            State::SelectFallback => run.fall_back(),
            State::Select => run.select(),
            State::Package | State::End | State::EndClarify => (Event::Done, Vec::new(), Vec::new()),
        };
        run.log.push(Passed { state, event, why, values });
        // Every event that a state gives has its step: a test holds the table to it.
        state = next(state, event).unwrap_or(State::EndClarify);
    }
    // A question comes with the best candidates, wherever the machine ended.
    look(&mut run);
    run.log.push(Passed { state, event: Event::Done, why: Vec::new(), values: Vec::new() });
    run.package(state)
}

type Came = (Event, Vec<String>, Vec<(&'static str, f64)>);

impl Run<'_, '_> {
    fn intake(&self) -> Came {
        let stages: Vec<&str> = self.spec.stages.iter().map(|stage| stage.name()).collect();
        let why = format!("{} · {} · {}", self.spec.intent, self.spec.task_type, stages.join(", "));
        (Event::Done, vec![why], vec![("multistep_score", self.spec.multistep_score)])
    }

    fn risk_check(&self) -> Came {
        let values = vec![("ambiguity_score", self.spec.ambiguity_score), ("T_ambiguity", self.point.t_ambiguity)];
        let mut why: Vec<String> =
            self.spec.missing.iter().filter(|it| it.required).map(|it| format!("{} is missing", it.what)).collect();
        if self.spec.ambiguity_score >= self.point.t_ambiguity {
            why.push("the task is too ambiguous".to_owned());
        }
        (if why.is_empty() { Event::Done } else { Event::Clarify }, why, values)
    }

    fn plan(&mut self) -> Came {
        let Vault { records, likeness, compatibility } = &mut self.vault;
        let mut planner = Planner::new(self.spec, *records, &self.candidates, *likeness, compatibility);
        self.single = planner.single();
        // One stage is no chain's work.
        let chains = if self.spec.stages.len() > 1 { planner.chains(&self.orders) } else { Vec::new() };
        let why = chains.iter().map(|chain| self.told(chain)).collect();
        let mut values = vec![("single_score", self.single.as_ref().map_or(0.0, |link| link.score))];
        values.extend(chains.first().map(|chain| ("chain_score", chain.score)));
        self.chain = chains.into_iter().next();
        (Event::Done, why, values)
    }

    fn critique(&mut self) -> Came {
        let Some(chain) = self.chain.clone() else {
            return (Event::Done, vec!["there is no chain".to_owned()], Vec::new());
        };
        let Vault { records, likeness, compatibility } = &mut self.vault;
        let found = criticise(&chain, self.spec, *records, &self.candidates, *likeness, compatibility);
        let why = found.iter().map(|it| it.message(&|candidate| self.id(candidate))).collect();
        let faults = found.iter().filter(|it| it.fails()).count();
        let values = vec![("confidence_margin", chain.parts.confidence_margin), ("replans", self.replans as f64)];
        self.tried.push((faults, chain, found.clone()));
        self.critiques = found;
        if faults == 0 {
            return (Event::Done, why, values);
        }
        if self.replans == REPLANS_MAX {
            return (Event::GiveUp, why, values);
        }
        self.replans += 1;
        self.critiques.iter().for_each(|it| it.order(&mut self.orders));
        (Event::Replan, why, values)
    }

    /// Of all chains that were looked at, the one with the fewest faults, and of those the best.
    fn fall_back(&mut self) -> Came {
        let best = self.tried.iter().min_by(|a, b| a.0.cmp(&b.0).then(b.1.score.total_cmp(&a.1.score))).cloned();
        if let Some((_, chain, critiques)) = best {
            self.chain = Some(chain);
            self.critiques = critiques;
        }
        let why = self.chain.as_ref().map(|chain| self.told(chain)).into_iter().collect();
        (Event::Done, why, Vec::new())
    }

    fn select(&mut self) -> Came {
        let (single, chain) = (self.single.as_ref().map(|it| it.score), self.chain.as_ref().map(|it| it.score));
        self.mode = select(single, chain, self.point);
        let mut values = Vec::new();
        values.extend(single.map(|score| ("single_score", score)));
        values.extend(chain.map(|score| ("chain_score", score)));
        values.extend([
            ("T_single", self.point.t_single),
            ("T_chain", self.point.t_chain),
            ("delta", self.point.delta),
        ]);
        let why = match self.mode {
            Mode::Single => "a single prompt reaches its threshold, and no chain is better by delta",
            Mode::Chain => "the chain reaches its threshold",
            Mode::Clarify => "neither a single prompt nor a chain reaches its threshold",
        };
        (if self.mode == Mode::Clarify { Event::LowConfidence } else { Event::Done }, vec![why.to_owned()], values)
    }

    fn id(&self, candidate: usize) -> String {
        let record = self.candidates.get(candidate).and_then(|it| self.vault.records.get(it.record));
        record.map(|it| it.prompt_id.clone()).unwrap_or_default()
    }

    fn told(&self, chain: &Chain) -> String {
        let links: Vec<String> =
            chain.links.iter().map(|link| format!("{} {}", link.stage.name(), self.id(link.candidate))).collect();
        format!("{:.3}: {}", chain.score, links.join(" → "))
    }

    /// Puts the candidates in their order, the preferred first at the stage that it is preferred for most, and keeps as many as a planner takes.
    fn rank(&mut self) {
        let preferred = |candidate: &Candidate| {
            let penalties = u8::from(candidate.duplicate_of.is_some());
            self.spec
                .stages
                .iter()
                .map(|stage| candidate.preference(*stage, penalties))
                .fold(f64::NEG_INFINITY, f64::max)
        };
        let id = |candidate: &Candidate| self.vault.records.get(candidate.record).map(|it| it.prompt_id.as_str());
        self.candidates.sort_by(|a, b| preferred(b).total_cmp(&preferred(a)).then_with(|| id(a).cmp(&id(b))));
        self.candidates.truncate(CANDIDATES_MAX);
    }

    fn package(mut self, end: State) -> Selection {
        let links: Vec<Link> = match (end, self.mode) {
            (State::End, Mode::Single) => self.single.clone().into_iter().collect(),
            (State::End, Mode::Chain) => self.chain.as_ref().map(|it| it.links.clone()).unwrap_or_default(),
            _ => Vec::new(),
        };
        let mode = if links.is_empty() { Mode::Clarify } else { self.mode };
        let selected: Vec<Selected> = links
            .iter()
            .enumerate()
            .map(|(at, link)| {
                let before = at.checked_sub(1).and_then(|before| links.get(before));
                let record = |link: &Link| self.candidates[link.candidate].record;
                let handover = before.map(|before| {
                    let Vault { records, likeness, compatibility } = &mut self.vault;
                    compatibility.pair(*records, *likeness, record(before), record(link)).handover
                });
                Selected {
                    candidate: link.candidate,
                    stage: link.stage,
                    score: link.score,
                    lacks_input: link.lacks_input,
                    handover,
                    reason: None,
                }
            })
            .collect();
        let single_score = self.single.as_ref().map(|it| it.score);
        let best = match mode {
            Mode::Single => single_score,
            Mode::Chain => self.chain.as_ref().map(|it| it.score),
            Mode::Clarify => single_score.into_iter().chain(self.chain.as_ref().map(|it| it.score)).reduce(f64::max),
        };
        let single = self.single.as_ref().map(|it| it.candidate);
        let count = self.candidates.len();
        let fallback = match mode {
            Mode::Chain => (Mode::Single, single.into_iter().collect()),
            Mode::Single => match &self.chain {
                Some(chain) => (Mode::Chain, chain.links.iter().map(|link| link.candidate).collect()),
                None => (Mode::Single, (0..count).find(|it| Some(*it) != single).into_iter().collect()),
            },
            Mode::Clarify => (Mode::Single, (0..count.min(CLARIFY_CANDIDATES)).collect()),
        };
        let mut questions: Vec<String> = self.spec.missing.iter().map(|it| it.question.clone()).collect();
        if mode == Mode::Clarify && questions.is_empty() {
            let unclear = self.spec.ambiguity_score >= self.point.t_ambiguity;
            questions.push(if unclear { UNCLEAR } else { NOTHING_FITS }.to_owned());
        } else if mode != Mode::Clarify {
            questions.clear();
        }
        Selection {
            mode,
            confidence: best.map_or(0.0, |score| self.point.confidence(score)),
            selected,
            fallback,
            questions,
            candidates: self.candidates,
            single_score,
            chain: self.chain,
            critiques: self.critiques,
            log: self.log,
        }
    }
}
