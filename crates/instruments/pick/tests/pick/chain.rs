//! Chains, critiques and the choice between one prompt, a chain and a question.

use std::collections::BTreeMap;

use proptest::prelude::*;
use steadfast_pick::candidate::{Candidate, Evidence, StageFit};
use steadfast_pick::compatibility::{CACHE_PAIRS_MAX, Compatibility, Likeness};
use steadfast_pick::machine::{State, next};
use steadfast_pick::operating_point::{Mode, OperatingPoint};
use steadfast_pick::record::PromptRecord;
use steadfast_pick::retrieve::hybrid::Source;
use steadfast_pick::stage::Stage;
use steadfast_pick::task::{Missing, RiskLevel, TaskSpec};
use steadfast_pick::{CLARIFY_CANDIDATES, Selection, Vault, pick, weigh};

/// Cosines of pairs by id; 0 where none is said.
#[derive(Default)]
struct Cosines {
    ids: Vec<String>,
    pairs: BTreeMap<(String, String), f64>,
}

impl Likeness for Cosines {
    fn cosine(&self, a: usize, b: usize) -> f64 {
        let (a, b) = (self.ids[a].clone(), self.ids[b].clone());
        let key = if a < b { (a, b) } else { (b, a) };
        self.pairs.get(&key).copied().unwrap_or(0.0)
    }
}

fn spec(stages: &[Stage]) -> TaskSpec {
    TaskSpec {
        raw_query: "Write a two-week plan for a newsletter".to_owned(),
        intent: "create".to_owned(),
        task_type: "content".to_owned(),
        domain_hint: None,
        constraints: Vec::new(),
        deliverable: None,
        risk_level: RiskLevel::Low,
        stages: stages.to_vec(),
        parts: Vec::new(),
        requires_multistep: stages.len() > 1,
        multistep_score: 0.5,
        risk_words: Vec::new(),
        ambiguity_score: 0.0,
        missing: Vec::new(),
    }
}

fn record(id: &str, input: &str, output: &str) -> PromptRecord {
    let said = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    PromptRecord {
        prompt_id: id.to_owned(),
        prompt_text: id.to_owned(),
        expected_input: said(input),
        expected_output: said(output),
        ..PromptRecord::default()
    }
}

/// A prompt that serves one stage wholly, with this much similarity.
fn candidate(record: usize, stage: Stage, similarity: f64) -> Candidate {
    let mut fit = [0.1; 5];
    fit[stage as usize] = 1.0;
    Candidate {
        record,
        evidence: Evidence {
            dense_sim: similarity,
            bm25_sim: similarity,
            metadata_match: 0.8,
            quality_prior: 0.5,
            freshness: 0.9,
        },
        stage_fit: StageFit(fit),
        relevance: [similarity; 5],
        sources: vec![Source::Bm25],
        duplicate_of: None,
    }
}

/// The document's thresholds, but a chain wherever it reaches its own.
fn chains_first() -> OperatingPoint {
    OperatingPoint { delta: -1.0, ..OperatingPoint::seed() }
}

fn run(spec: &TaskSpec, records: &[PromptRecord], cosines: &mut Cosines, candidates: &[Candidate]) -> Selection {
    cosines.ids = records.iter().map(|it| it.prompt_id.clone()).collect();
    let mut compatibility = Compatibility::default();
    let (known, likeness) = (records.to_vec(), &*cosines);
    let vault = Vault { records: &known, likeness, compatibility: &mut compatibility };
    let selection = pick(spec, vault, &chains_first(), |_| candidates.to_vec());
    for pair in selection.log.windows(2) {
        assert_eq!(next(pair[0].state, pair[0].event), Some(pair[1].state));
    }
    assert!(compatibility.len() <= CACHE_PAIRS_MAX);
    selection
}

fn ids(selection: &Selection, records: &[PromptRecord]) -> Vec<String> {
    let id = |at: usize| records[selection.candidates[at].record].prompt_id.clone();
    selection.selected.iter().map(|it| format!("{}:{}", it.stage.name(), id(it.candidate))).collect()
}

fn states(selection: &Selection) -> Vec<&'static str> {
    selection.log.iter().map(|it| it.state.name()).collect()
}

#[test]
fn a_chain_has_the_best_prompt_of_each_stage_in_order() {
    let records = [
        record("verify-a", "draft", "checked draft"),
        record("plan-a", "brief", "outline"),
        record("plan-b", "brief", "outline"),
        record("clarify-a", "", "brief"),
        record("execute-a", "outline", "draft"),
    ];
    let found = [
        candidate(0, Stage::Verify, 0.8),
        candidate(1, Stage::Plan, 0.9),
        candidate(2, Stage::Plan, 0.7),
        candidate(3, Stage::Clarify, 0.8),
        candidate(4, Stage::Execute, 0.8),
    ];
    let task = spec(&[Stage::Clarify, Stage::Plan, Stage::Execute, Stage::Verify]);
    let got = run(&task, &records, &mut Cosines::default(), &found);
    assert_eq!(got.mode, Mode::Chain, "{got:?}");
    assert_eq!(ids(&got, &records), ["clarify:clarify-a", "plan:plan-a", "execute:execute-a", "verify:verify-a"]);
    assert_eq!(got.fallback.0, Mode::Single);
    assert!(got.selected.iter().all(|it| !it.lacks_input), "what each needs is given by the one before");
    assert_eq!(got.selected.iter().map(|it| it.handover).collect::<Vec<_>>(), [None, Some(1.0), Some(1.0), Some(1.0)]);
    let passed = ["START", "INTAKE", "RISK_CHECK", "RETRIEVE", "PLAN", "CRITIQUE", "SELECT", "PACKAGE", "END"];
    assert_eq!(states(&got), passed);
}

#[test]
fn what_earlier_prompts_settle_decides_what_comes_later() {
    let records = [
        record("clarify-brief", "", "brief"),
        record("plan-from-brief", "brief", "outline"),
        record("plan-from-ledger", "ledger of accounts", "outline"),
    ];
    let task = spec(&[Stage::Clarify, Stage::Plan]);
    let found = [candidate(0, Stage::Clarify, 0.9), candidate(1, Stage::Plan, 0.85), candidate(2, Stage::Plan, 0.88)];
    let got = run(&task, &records, &mut Cosines::default(), &found);
    assert_eq!(ids(&got, &records), ["clarify:clarify-brief", "plan:plan-from-brief"]);
}

#[test]
fn a_chain_is_as_long_as_its_stages_gain_it() {
    let records = [record("plan", "", ""), record("execute", "", ""), record("reflect", "", "")];
    let task = spec(&[Stage::Plan, Stage::Execute, Stage::Reflect]);
    let with = |reflect: f64| {
        let found = [
            candidate(0, Stage::Plan, 1.0),
            candidate(1, Stage::Execute, 1.0),
            Candidate {
                evidence: Evidence { dense_sim: reflect, bm25_sim: reflect, ..Evidence::default() },
                stage_fit: StageFit([0.0, 0.0, 0.0, 0.0, 0.3]),
                ..candidate(2, Stage::Reflect, reflect)
            },
        ];
        run(&task, &records, &mut Cosines::default(), &found).selected.len()
    };
    assert_eq!(with(0.9), 3);
    // A stage weighs .25 / 3; a prompt that has nothing for it costs the mean more than that.
    assert_eq!(with(0.0), 2);
}

#[test]
fn a_prompt_that_repeats_another_is_planned_away() {
    let records = [
        record("plan", "", "outline"),
        record("execute-copy", "outline", "draft"),
        record("execute-own", "outline", "draft"),
    ];
    let mut cosines = Cosines::default();
    cosines.pairs.insert(("execute-copy".to_owned(), "plan".to_owned()), 0.95);
    let task = spec(&[Stage::Plan, Stage::Execute]);
    let found = [candidate(0, Stage::Plan, 1.0), candidate(1, Stage::Execute, 1.0), candidate(2, Stage::Execute, 0.3)];
    let got = run(&task, &records, &mut cosines, &found);
    assert_eq!(ids(&got, &records), ["plan:plan", "execute:execute-own"]);
    let plans = states(&got).iter().filter(|it| **it == "PLAN").count();
    assert_eq!(plans, 2, "{:?}", got.log);
    let critique = got.log.iter().find(|it| it.state == State::Critique).unwrap();
    assert_eq!(critique.why, ["execute-copy says what plan says"]);
}

#[test]
fn after_two_plans_that_fail_again_the_best_of_all_is_taken() {
    let records: Vec<PromptRecord> = (0..6).map(|at| record(&format!("p{at}"), "", "")).collect();
    let mut cosines = Cosines::default();
    for a in 0..6 {
        for b in a + 1..6 {
            cosines.pairs.insert((format!("p{a}"), format!("p{b}")), 1.0);
        }
    }
    let task = spec(&[Stage::Plan, Stage::Execute]);
    let found: Vec<Candidate> =
        (0..6).map(|at| candidate(at, if at < 3 { Stage::Plan } else { Stage::Execute }, 0.9)).collect();
    let got = run(&task, &records, &mut cosines, &found);
    let passed = states(&got);
    assert_eq!(passed.iter().filter(|it| **it == "CRITIQUE").count(), 3);
    assert!(passed.contains(&"SELECT_FALLBACK"), "{passed:?}");
    assert!(!got.critiques.is_empty());
}

#[test]
fn what_is_missing_is_asked_for_and_candidates_come_along() {
    let records: Vec<PromptRecord> = (0..9).map(|at| record(&format!("p{at}"), "", "")).collect();
    let found: Vec<Candidate> = (0..9).map(|at| candidate(at, Stage::Execute, 0.1 * at as f64)).collect();
    let missing = Missing { what: "the date".to_owned(), question: "When is it?".to_owned(), required: true };
    let task = TaskSpec { missing: vec![missing], ..spec(&[Stage::Execute]) };
    let got = run(&task, &records, &mut Cosines::default(), &found);
    assert_eq!((got.mode, got.questions.as_slice()), (Mode::Clarify, ["When is it?".to_owned()].as_slice()));
    assert_eq!(states(&got), ["START", "INTAKE", "RISK_CHECK", "END_CLARIFY"]);
    assert_eq!(got.fallback, (Mode::Single, (0..CLARIFY_CANDIDATES).collect()));
    assert_eq!(records[got.candidates[0].record].prompt_id, "p8");

    let vague = TaskSpec { ambiguity_score: 0.65, ..spec(&[Stage::Execute]) };
    assert_eq!(run(&vague, &records, &mut Cosines::default(), &found).mode, Mode::Clarify);
    let clear = TaskSpec { ambiguity_score: 0.6499, ..spec(&[Stage::Execute]) };
    let got = run(&clear, &records, &mut Cosines::default(), &found);
    assert_eq!((got.mode, got.questions.len()), (Mode::Single, 0));
    let nothing = run(&clear, &records, &mut Cosines::default(), &[]);
    assert_eq!((nothing.mode, nothing.confidence, nothing.questions.len()), (Mode::Clarify, 0.0, 1));
}

/// Prompts with any evidence, and tasks of any stages.
fn pools() -> impl Strategy<Value = (Vec<Candidate>, Vec<Stage>, Vec<u8>)> {
    let one = (prop::array::uniform5(0.0..1.0_f64), prop::array::uniform5(0.0..1.0_f64), 0..4_u8);
    let stages = prop::sample::subsequence(Stage::ALL.to_vec(), 1..=5);
    (prop::collection::vec(one, 0..12), stages).prop_map(|(all, stages)| {
        let make = |(at, (evidence, fit, _)): (usize, &([f64; 5], [f64; 5], u8))| Candidate {
            record: at,
            evidence: Evidence {
                dense_sim: evidence[0],
                bm25_sim: evidence[1],
                metadata_match: evidence[2],
                quality_prior: evidence[3],
                freshness: evidence[4],
            },
            stage_fit: StageFit(*fit),
            relevance: [0.8 * evidence[0] + 0.2 * evidence[1]; 5],
            sources: vec![Source::Bm25],
            duplicate_of: None,
        };
        let phrases = all.iter().map(|it| it.2).collect();
        (all.iter().enumerate().map(make).collect(), stages, phrases)
    })
}

fn records_of(phrases: &[u8]) -> Vec<PromptRecord> {
    let of = |at: usize, phrase: u8| match phrase {
        0 => record(&format!("p{at:02}"), "", ""),
        1 => record(&format!("p{at:02}"), "brief", "outline"),
        2 => record(&format!("p{at:02}"), "outline", "draft"),
        _ => record(&format!("p{at:02}"), "draft", "checked draft"),
    };
    phrases.iter().enumerate().map(|(at, phrase)| of(at, *phrase)).collect()
}

proptest! {
    #[test]
    fn the_order_of_the_vault_changes_nothing((found, stages, phrases) in pools(), turn in 0..12_usize) {
        let task = spec(&stages);
        let records = records_of(&phrases);
        let first = run(&task, &records, &mut Cosines::default(), &found);
        let count = records.len();
        let turned: Vec<PromptRecord> = (0..count).map(|at| records[(at + turn) % count].clone()).collect();
        let place = |old: usize| (old + count - turn % count) % count;
        let mut moved: Vec<Candidate> =
            found.iter().map(|it| Candidate { record: place(it.record), ..it.clone() }).collect();
        moved.reverse();
        let second = run(&task, &turned, &mut Cosines::default(), &moved);
        prop_assert_eq!((first.mode, first.confidence), (second.mode, second.confidence));
        prop_assert_eq!(ids(&first, &records), ids(&second, &turned));
    }

    #[test]
    fn more_evidence_never_lowers_a_score((found, stages, phrases) in pools(), which in 0..12_usize, more in 0.0..1.0_f64) {
        prop_assume!(!found.is_empty());
        let task = spec(&stages);
        let records = records_of(&phrases);
        let before = run(&task, &records, &mut Cosines::default(), &found);
        let mut better = found.clone();
        let at = which % better.len();
        let evidence = &mut better[at].evidence;
        evidence.dense_sim += (1.0 - evidence.dense_sim) * more;
        let after = run(&task, &records, &mut Cosines::default(), &better);
        prop_assert!(after.single_score >= before.single_score);
    }

    #[test]
    fn what_was_weighed_once_is_chosen_as_pick_chooses_at_any_thresholds(
        (found, stages, phrases) in pools(),
        (ambiguity, required) in (0.0..1.0_f64, 0..8_u8),
        [t_ambiguity, t_single, t_chain, delta] in prop::array::uniform4(0.0..1.0_f64),
    ) {
        let missing = Missing { what: "it".to_owned(), question: "Which?".to_owned(), required: required == 0 };
        let task = TaskSpec { ambiguity_score: ambiguity, missing: vec![missing], ..spec(&stages) };
        let records = records_of(&phrases);
        let point =
            OperatingPoint { t_ambiguity, t_single, t_chain, delta: delta * 2.0 - 1.0, ..OperatingPoint::seed() };
        let ids = records.iter().map(|it| it.prompt_id.clone()).collect();
        let cosines = Cosines { ids, ..Cosines::default() };
        let mut compatibility = Compatibility::default();
        let vault = Vault { records: &records, likeness: &cosines, compatibility: &mut compatibility };
        let picked = pick(&task, vault, &point, |_| found.clone());
        let mut compatibility = Compatibility::default();
        let vault = Vault { records: &records, likeness: &cosines, compatibility: &mut compatibility };
        let weighed = weigh(&task, vault, |_| found.clone());
        let mode = weighed.mode(&point);
        prop_assert_eq!(mode, picked.mode);
        prop_assert_eq!(weighed.chosen(mode), picked.selected.iter().map(|it| it.candidate).collect::<Vec<_>>());
        prop_assert_eq!(&weighed.candidates, &picked.candidates);
        if !weighed.is_asked_about(t_ambiguity) {
            let confidence = weighed.score(mode).map_or(0.0, |score| point.confidence(score));
            prop_assert_eq!(confidence, picked.confidence);
        }
    }

    #[test]
    fn chains_hold_to_the_limits((found, stages, phrases) in pools()) {
        let records = records_of(&phrases);
        let got = run(&spec(&stages), &records, &mut Cosines::default(), &found);
        prop_assert!(got.selected.len() <= 5 && (0.0..=1.0).contains(&got.confidence));
        prop_assert!(got.selected.windows(2).all(|pair| pair[0].stage < pair[1].stage));
        let mut used: Vec<usize> = got.selected.iter().map(|it| it.candidate).collect();
        used.sort_unstable();
        used.dedup();
        prop_assert_eq!(used.len(), got.selected.len());
    }
}
