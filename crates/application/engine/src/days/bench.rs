//! Every variant over the shipped days.

use steadfast_evidence::{Evaluated, FileId};
use steadfast_plan::{Confidence, Feasibility, Notes, Planned, Settings, Standing, Variant, ask, run};
use steadfast_text::{Document, Format};
use steadfast_wire::plan as wire;

use super::judge::{misread, span};
use super::truth::{Placed, Problem, ProblemKind};
use super::{Day, days};
use crate::EngineError;

/// A plan, judged.
struct Outcome {
    variant: wire::Variant,
    planned: Planned,
    problems: Vec<Problem>,
    feasible: bool,
}

impl Outcome {
    fn has(&self, kinds: &[ProblemKind]) -> bool {
        self.problems.iter().any(|problem| kinds.contains(&problem.kind))
    }

    /// Whether the plan holds what the generator knows; advice aside.
    fn holds(&self) -> bool {
        self.problems.iter().all(|problem| problem.kind == ProblemKind::Human)
    }

    fn is_recommended(&self) -> bool {
        self.planned.standing == Standing::Recommended
    }

    /// Whether the planner claims a proof that not everything fits.
    fn is_proved_infeasible(&self) -> bool {
        matches!(self.planned.plan.feasibility, Feasibility::Infeasible(_))
    }

    fn is_right(&self) -> bool {
        if self.feasible { self.is_recommended() && self.holds() } else { !self.is_recommended() }
    }

    fn row(&self, day: &Day, in_long_notes: bool, problems: Vec<String>) -> wire::BenchRow {
        wire::BenchRow {
            day: day.id.clone(),
            in_long_notes,
            feasible: self.feasible,
            variant: self.variant,
            status: if self.is_recommended() { wire::Status::Recommended } else { wire::Status::Rejected },
            confidence: self.planned.plan.confidence,
            right: self.is_right(),
            problems,
        }
    }
}

/// Runs every variant over the shipped days. Always gives the same.
///
/// # Errors
///
/// [`EngineError::Internal`] where a shipped day cannot be read: a fault of the program.
pub fn bench() -> Result<wire::Bench, EngineError> {
    let days = days()?;
    let settings = Settings::default();
    let mut reader =
        wire::BenchReader { right: 0, free_time_right: 0, tasks_right: 0, limits_right: 0, wrong: Vec::new() };
    let mut rows = Vec::new();
    let mut all: Vec<Vec<Outcome>> = VARIANTS.iter().map(|_| Vec::new()).collect();
    let mut collapsed = [0; VARIANTS.len()];
    for day in &days {
        let notes = read(day, &day.notes)?;
        let long = if day.canonical { Some(read(day, &day.in_long_notes())?) } else { None };
        judge(&mut reader, day, &notes, &settings);
        for (at, variant) in VARIANTS.into_iter().enumerate() {
            let outcome = outcome(day, &notes, &settings, variant)?;
            rows.push(outcome.row(day, false, outcome.problems.iter().map(|it| it.text.clone()).collect()));
            if let Some(long) = &long {
                let other = self::outcome(day, long, &settings, variant)?;
                let differs = differences(day, &outcome, &other);
                collapsed[at] += usize::from(!differs.is_empty());
                rows.push(other.row(day, true, differs));
            }
            all[at].push(outcome);
        }
    }
    let feasible = days.iter().filter(|day| day.truth.overload().is_none()).count();
    let variants = VARIANTS.into_iter().zip(&all).zip(collapsed);
    Ok(wire::Bench {
        schema_version: wire::SCHEMA_VERSION.to_owned(),
        days: days.len(),
        canonical_days: days.iter().filter(|day| day.canonical).count(),
        feasible_days: feasible,
        infeasible_days: days.len() - feasible,
        reader,
        variants: variants.map(|((variant, own), collapsed)| figures(variant, own, feasible, collapsed)).collect(),
        rows,
    })
}

const VARIANTS: [Variant; 4] = Variant::ALL;

fn read(day: &Day, text: &str) -> Result<Notes, EngineError> {
    let document = Document::read(&day.id, text.as_bytes(), Format::Markdown)
        .map_err(|error| EngineError::Internal { what: format!("{}: {error}", day.id) })?;
    Ok(ask::read(FileId(0), &document, &day.now, &Settings::default()))
}

fn outcome(day: &Day, notes: &Notes, settings: &Settings, variant: Variant) -> Result<Outcome, EngineError> {
    match run(notes, settings, variant) {
        Evaluated::Value(planned) => Ok(Outcome {
            variant: published(variant),
            problems: day.truth.problems(&placed(day, &planned)),
            planned,
            feasible: day.truth.overload().is_none(),
        }),
        Evaluated::NotEvaluable(reason) => Err(EngineError::Internal { what: format!("{}: {}", day.id, reason.0) }),
    }
}

fn placed(day: &Day, planned: &Planned) -> Vec<Placed> {
    planned.plan.items.iter().map(|item| Placed { task: item.task.clone(), span: span(day, item.when) }).collect()
}

fn judge(reader: &mut wire::BenchReader, day: &Day, notes: &Notes, settings: &Settings) {
    let misread = misread(day, notes, settings);
    let problems = misread.all();
    reader.free_time_right += usize::from(misread.free_time.is_empty());
    reader.tasks_right += usize::from(misread.tasks.is_empty());
    reader.limits_right += usize::from(misread.tasks.is_empty() && misread.limits.is_empty());
    reader.right += usize::from(problems.is_empty());
    if !problems.is_empty() {
        reader.wrong.push(wire::BenchMisread { day: day.id.clone(), problems });
    }
}

/// How a plan made inside long notes differs from the one made without them.
fn differences(day: &Day, alone: &Outcome, inside: &Outcome) -> Vec<String> {
    let mut found = Vec::new();
    if alone.is_recommended() != inside.is_recommended() {
        found.push("the verdict is another".to_owned());
    }
    let (own, other) = (placed(day, &alone.planned), placed(day, &inside.planned));
    let line = |item: &Placed| format!("{} {}", super::truth::shown(item.span), item.task);
    found.extend(own.iter().filter(|item| !other.contains(item)).map(|item| format!("lost: {}", line(item))));
    found.extend(other.iter().filter(|item| !own.contains(item)).map(|item| format!("gained: {}", line(item))));
    found
}

fn figures(variant: Variant, all: &[Outcome], feasible: usize, context_collapse: usize) -> wire::BenchVariant {
    let count = |holds: &dyn Fn(&Outcome) -> bool| all.iter().filter(|it| holds(it)).count();
    let passed = count(&|it| it.feasible && it.is_recommended());
    let true_passed = count(&|it| it.feasible && it.is_right());
    let sure = |it: &Outcome| it.planned.plan.confidence == Confidence::High;
    let unsure = |it: &Outcome| it.planned.plan.confidence == Confidence::Low;
    let metrics = |it: &Outcome| it.planned.validation.metrics;
    let overconfidence = count(&|it| sure(it) && !it.holds());
    wire::BenchVariant {
        variant: published(variant),
        passed,
        pass_rate: share(passed, feasible),
        true_passed,
        true_pass_rate: share(true_passed, feasible),
        wrongly_recommended: count(&|it| it.is_recommended() && !it.is_right()),
        infeasible_rejected: count(&|it| !it.feasible && !it.is_recommended()),
        infeasible_proved: count(&|it| !it.feasible && it.is_proved_infeasible()),
        falsely_proved: count(&|it| it.feasible && it.is_proved_infeasible()),
        constraints_violated: all.iter().map(|it| metrics(it).constraints_violated).sum(),
        days_with_violations: count(&|it| metrics(it).constraints_violated > 0),
        overflow_days: count(&|it| metrics(it).time_overflow_minutes > 0),
        hallucination_flags: all.iter().map(|it| metrics(it).hallucination_flags).sum(),
        confidence: wire::Confidence::ALL
            .iter()
            .map(|level| wire::BenchConfidence {
                confidence: *level,
                days: count(&|it| it.planned.plan.confidence == *level),
                right: count(&|it| it.planned.plan.confidence == *level && it.holds()),
            })
            .collect(),
        confidence_mismatches: overconfidence + count(&|it| unsure(it) && it.holds()),
        failure_modes: wire::BenchFailureModes {
            time_hallucination: count(&|it| it.has(&[ProblemKind::Time, ProblemKind::Overflow])),
            context_collapse,
            overconfidence,
            humanly_impossible: count(&|it| it.has(&[ProblemKind::Human, ProblemKind::Overlap])),
        },
    }
}

fn share(part: usize, all: usize) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

const fn published(variant: Variant) -> wire::Variant {
    match variant {
        Variant::V1Naive => wire::Variant::V1Naive,
        Variant::V2Constraints => wire::Variant::V2Constraints,
        Variant::V3Validator => wire::Variant::V3Validator,
        Variant::V4Repair => wire::Variant::V4Repair,
    }
}
