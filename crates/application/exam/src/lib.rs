//! The exam of chat models: what the models of the settings make of labelled requests, reports and notes that ship with the program.
//!
//! No prompt and no rule was tuned on these cases. An exam says how many drifts are found and how many findings are right, which plans are recommended and how many
//! of them are right, how much of that changes from one time to the next, and what it costs. [`sit`] has models sit it; [`pairs`] and [`notes`] say what is right.

mod audit;
mod figures;
mod material;
pub mod notes;
pub mod pairs;
mod plan;
#[cfg(test)]
mod tests;

use std::time::Instant;

use futures_util::{StreamExt, stream};
use steadfast_dialogue::Role;
use steadfast_engine::EngineError;
use steadfast_engine::chat::{CallLog, ChatModels, Ended};
use steadfast_wire::chat::{ExamFigure, ExamPart};

pub use steadfast_evidence::RULES_VERSION;

/// Cases of each part where nothing else is asked for; from as many on a mark is kept.
pub const CASES_DEFAULT: u16 = 40;

/// Where none of the first so many cases brings a reply that can be used, the part ends.
const SILENT_CASES_MAX: usize = 5;

/// What is sat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sitting {
    /// Which part.
    pub part: ExamPart,
    /// Of how many cases.
    pub cases: usize,
    /// How many times.
    pub repeats: usize,
    /// How many cases at once.
    pub parallel: usize,
    /// Whether it ends where none of the first cases brings a reply that can be used.
    pub ends_when_silent: bool,
}

/// What came of a part.
#[derive(Clone, Debug, PartialEq)]
pub struct Sat {
    /// Cases that were judged.
    pub cases: usize,
    /// The figures, in the order of the documents; none where nothing came.
    pub figures: Vec<ExamFigure>,
    /// Calls that were made.
    pub calls: usize,
    /// Those of them that brought nothing.
    pub failed_calls: usize,
    /// Why the first of these brought nothing.
    pub first_failure: Option<String>,
    /// Whether the part ended because nothing came.
    pub is_silent: bool,
    /// Tokens of all questions, as far as servers said.
    pub prompt_tokens: u64,
    /// Tokens of all replies, as far as servers said.
    pub reply_tokens: u64,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
}

impl Sat {
    /// Whether no figure lies beyond its bar.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        !self.is_silent && self.figures.iter().all(|figure| figure.met != Some(false))
    }
}

/// What is known of the calls about one case.
#[derive(Clone, Debug, Default)]
struct Calls {
    made: usize,
    failed: usize,
    failure: Option<String>,
    prompt_tokens: u64,
    reply_tokens: u64,
}

impl Calls {
    fn of(log: &[CallLog]) -> Self {
        let mut all = Self::default();
        for call in log {
            let failure = match &call.ended {
                Ended::Read(_) => None,
                Ended::Without(nothing) => Some(nothing.to_string()),
            };
            all.put(failure, call.prompt_tokens, call.reply_tokens);
        }
        all
    }

    fn put(&mut self, failure: Option<String>, prompt_tokens: Option<u64>, reply_tokens: Option<u64>) {
        self.made += 1;
        self.failed += usize::from(failure.is_some());
        self.failure = self.failure.take().or(failure);
        self.prompt_tokens = self.prompt_tokens.saturating_add(prompt_tokens.unwrap_or_default());
        self.reply_tokens = self.reply_tokens.saturating_add(reply_tokens.unwrap_or_default());
    }

    fn add(&mut self, other: Self) {
        self.made += other.made;
        self.failed += other.failed;
        self.failure = self.failure.take().or(other.failure);
        self.prompt_tokens = self.prompt_tokens.saturating_add(other.prompt_tokens);
        self.reply_tokens = self.reply_tokens.saturating_add(other.reply_tokens);
    }
}

/// Has the models sit a part. `tell` hears how many of how many runs of cases are done.
///
/// # Errors
/// [`EngineError::NoChatModel`] where the role of the part has no model. That calls fail is no error: [`Sat`] counts them.
pub async fn sit(models: &ChatModels, sitting: &Sitting, tell: &dyn Fn(usize, usize)) -> Result<Sat, EngineError> {
    match sitting.part {
        ExamPart::Audit => {
            let cases = material::pairs(sitting.cases);
            let (rows, calls) = runs(cases.len(), sitting, tell, |at| audit::examine(models, &cases[at])).await?;
            if calls.is_silent {
                return Ok(calls.sat(Vec::new()));
            }
            let rules = audit::by_rules(&cases[..calls.cases]).await?;
            Ok(calls.sat(audit::figures(&cases, &rows, &rules)))
        }
        ExamPart::Plan => {
            let cases = material::notes(sitting.cases);
            let (rows, calls) = runs(cases.len(), sitting, tell, |at| plan::examine(models, &cases[at])).await?;
            if calls.is_silent {
                return Ok(calls.sat(Vec::new()));
            }
            let rules: Vec<notes::Outcome> = cases[..calls.cases].iter().map(plan::by_rules).collect();
            Ok(calls.sat(plan::figures(&rows, &rules)))
        }
    }
}

/// The role whose model sits a part.
#[must_use]
pub const fn role(part: ExamPart) -> Role {
    match part {
        ExamPart::Audit => Role::Audit,
        ExamPart::Plan => Role::PlanExtract,
    }
}

/// The calls of all runs.
struct AllCalls {
    calls: Calls,
    cases: usize,
    is_silent: bool,
    began: Instant,
}

impl AllCalls {
    fn sat(self, figures: Vec<ExamFigure>) -> Sat {
        Sat {
            cases: self.cases,
            figures,
            calls: self.calls.made,
            failed_calls: self.calls.failed,
            first_failure: self.calls.failure,
            is_silent: self.is_silent,
            prompt_tokens: self.calls.prompt_tokens,
            reply_tokens: self.calls.reply_tokens,
            duration_ms: u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX),
        }
    }
}

/// Has each case judged as many times as are asked for: for each case what came of each time. All cases are judged once before any is judged again, so that a
/// server that keeps replies by question is asked anew as late as possible.
async fn runs<R, F: Future<Output = Result<(R, Calls), EngineError>>>(
    cases: usize,
    sitting: &Sitting,
    tell: &dyn Fn(usize, usize),
    examine: impl Fn(usize) -> F,
) -> Result<(Vec<Vec<R>>, AllCalls), EngineError> {
    let began = Instant::now();
    let count = cases * sitting.repeats;
    let examine = &examine;
    let asked = (0..count).map(|run| async move { (run % cases, examine(run % cases).await) });
    let mut rows: Vec<Vec<R>> = (0..cases).map(|_| Vec::new()).collect();
    let (mut calls, mut done, mut is_silent) = (Calls::default(), 0, false);
    // `buffered` keeps the order, so that the same replies give the same figures.
    let mut running = stream::iter(asked).buffered(sitting.parallel.max(1));
    while let Some((at, came)) = running.next().await {
        let (row, own) = came?;
        calls.add(own);
        rows[at].push(row);
        done += 1;
        tell(done, count);
        if sitting.ends_when_silent && done == SILENT_CASES_MAX.min(count) && calls.made == calls.failed {
            is_silent = true;
            break;
        }
    }
    let cases = rows.iter().take_while(|runs| !runs.is_empty()).count();
    Ok((rows, AllCalls { calls, cases, is_silent, began }))
}
