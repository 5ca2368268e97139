//! The part of the model that judges reports.

use steadfast_engine::chat::ChatModels;
use steadfast_engine::{AuditInput, AuditRequest, EngineError, File, Heeded};
use steadfast_wire::audit::{AuditChat, Judge};
use steadfast_wire::chat::ExamFigure;
use steadfast_wire::model::CallEnded;

use crate::Calls;
use crate::figures::{Bar, Share, per_thousand, share};
use crate::material::Pair;
use crate::pairs::{Became, Obligation, Verdict};

/// At least so many drifts are found.
const FOUND_LEAST: f64 = 0.60;

/// At least so many of the model's findings on drifted reports find a drift.
const RIGHT_LEAST: f64 = 0.80;

/// At most so many findings of the model stand on a thousand words of faithful reports.
const FALSE_MOST: f64 = 1.5;

/// At most so many of the obligations that the model calls kept are broken.
const KEPT_BROKEN_MOST: f64 = 0.05;

const PROMPT: &str = "prompt.md";
const REPORT: &str = "report.md";

/// What is said of the faithful and of the drifted report.
pub(crate) type Verdicts = [Verdict; 2];

/// Has both reports of a pair judged.
pub(crate) async fn examine(models: &ChatModels, pair: &Pair) -> Result<(Verdicts, Calls), EngineError> {
    let mut calls = Calls::default();
    let mut verdicts = Verdicts::default();
    for (report, verdict) in [pair.faithful, pair.drifted].into_iter().zip(&mut verdicts) {
        let (said, chat) = judged(pair.prompt, report, Some(models)).await?;
        *verdict = said;
        for call in chat.iter().flat_map(|own| &own.calls) {
            let failure = (call.ended != CallEnded::Read).then(|| call.why.clone().unwrap_or_default());
            calls.put(failure, call.prompt_tokens, call.reply_tokens);
        }
    }
    Ok((verdicts, calls))
}

/// What rules alone say.
pub(crate) async fn by_rules(pairs: &[Pair]) -> Result<Vec<Verdicts>, EngineError> {
    let mut all = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let (faithful, _) = judged(pair.prompt, pair.faithful, None).await?;
        let (drifted, _) = judged(pair.prompt, pair.drifted, None).await?;
        all.push([faithful, drifted]);
    }
    Ok(all)
}

async fn judged(
    prompt: &str,
    report: &str,
    models: Option<&ChatModels>,
) -> Result<(Verdict, Option<AuditChat>), EngineError> {
    let file = |name: &str, text: &str| File { name: name.to_owned(), bytes: text.as_bytes().to_vec() };
    let request = AuditRequest {
        input: AuditInput::Pair { prompt: file(PROMPT, prompt), reports: vec![file(REPORT, report)] },
        judge: if models.is_some() { Judge::Both } else { Judge::Rules },
        heeded: Heeded::default(),
        context: Vec::new(),
    };
    match steadfast_engine::audit(request, models, None).await {
        Ok(outcome) => Ok((Verdict::of(&outcome.evaluation, PROMPT, REPORT), outcome.evaluation.chat)),
        Err(EngineError::NotEvaluable { what, answer, .. }) => {
            let verdict = Verdict { reason: what.to_string(), ..Verdict::default() };
            Ok((verdict, answer.and_then(|own| own.chat)))
        }
        Err(error) => Err(error),
    }
}

/// What is counted of one judge.
#[derive(Default)]
struct Tally {
    found: Share,
    right: Share,
    wrong: Share,
    statuses: Share,
    kept_broken: Share,
    needed: Share,
}

impl Tally {
    /// Counts what stands in verdicts about a pair; of a model's findings and statuses only its own.
    fn put(&mut self, pair: &Pair, verdicts: &Verdicts, is_model: bool) {
        let [faithful, drifted] = verdicts;
        for drift in &pair.labels.drifts {
            self.found.put(drifted.incidents.iter().any(|own| own.finds(drift)));
        }
        for incident in drifted.incidents.iter().filter(|own| own.by_model == is_model) {
            self.right.put(pair.labels.drifts.iter().any(|drift| incident.finds(drift)));
        }
        self.wrong.hits += faithful.incidents.iter().filter(|own| own.by_model == is_model).count();
        self.wrong.of += pair.faithful.split_whitespace().count();
        let became: [fn(&Obligation) -> Became; 2] = [|own| own.faithful, |own| own.drifted];
        for obligation in &pair.labels.obligations {
            for (verdict, became) in verdicts.iter().zip(became) {
                let became = became(obligation);
                let Some(said) = verdict.of_obligation(obligation) else { continue };
                self.needed.put(said.by_model == is_model && (said.is_kept() || said.is_breach()));
                if said.by_model != is_model {
                    continue;
                }
                if said.is_kept() {
                    self.kept_broken.put(became.is_breach());
                }
                if said.is_kept() || said.is_breach() {
                    self.statuses
                        .put(said.is_kept() == (became == Became::Kept) && said.is_breach() == became.is_breach());
                }
            }
        }
    }
}

/// The figures, of what came of each time that each pair was judged, and beside them those of rules alone.
pub(crate) fn figures(pairs: &[Pair], runs: &[Vec<Verdicts>], rules: &[Verdicts]) -> Vec<ExamFigure> {
    let (mut own, mut alone, mut flips) = (Tally::default(), Tally::default(), Share::default());
    for (pair, runs) in pairs.iter().zip(runs) {
        for verdicts in runs {
            own.put(pair, verdicts, true);
        }
        flipped(pair, runs, &mut flips);
    }
    for (pair, verdicts) in pairs.iter().zip(rules) {
        alone.put(pair, verdicts, false);
    }
    vec![
        share("drifts_found", own.found, Some(alone.found), Bar::Least(FOUND_LEAST)),
        share("findings_right", own.right, Some(alone.right), Bar::Least(RIGHT_LEAST)),
        per_thousand("false_per_1000_words", own.wrong, Some(alone.wrong), Bar::Most(FALSE_MOST)),
        share("statuses_right", own.statuses, Some(alone.statuses), Bar::None),
        share("kept_but_broken", own.kept_broken, Some(alone.kept_broken), Bar::Most(KEPT_BROKEN_MOST)),
        share("obligations_settled", own.needed, Some(alone.needed), Bar::None),
        share("flips", flips, None, Bar::None),
    ]
}

/// Counts labelled obligations of both reports that were judged more than once, and those of them that were not judged the same each time.
fn flipped(pair: &Pair, runs: &[Verdicts], flips: &mut Share) {
    if runs.len() < 2 {
        return;
    }
    for obligation in &pair.labels.obligations {
        for report in 0..2 {
            let status = |own: &Verdicts| own[report].of_obligation(obligation).map(|judged| judged.status.clone());
            let first = status(&runs[0]);
            flips.put(runs.iter().any(|own| status(own) != first));
        }
    }
}
