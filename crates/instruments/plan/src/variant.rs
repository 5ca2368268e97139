//! The variants of the planner, and the way through extract, plan, validate, repair and validate again, with its trace.
//!
//! Source: the contract for day plans, sections 7, 9 and 10.

use steadfast_evidence::{Evaluated, FileId, Quote};
use steadfast_text::{Document, Span};

use crate::answer::{Answer, Form, Given, Role, read};
use crate::checks::{Finding, ITEMS_MAX, ITEMS_MIN};
use crate::exchange::Proposed;
use crate::free::Settings;
use crate::model::{Notes, Rule};
use crate::open::{Effect, OpenQuestion, QUESTIONS_MAX, QUESTIONS_TRIED_MAX};
use crate::plan::{Confidence, Feasibility, Plan, PlanItem};
use crate::planner::{ESTIMATES_MINUTES, overload, plan};
use crate::repair::repair;
use crate::verdict::{Status, Validation, validate};
use crate::window::{Interval, minutes_after};

/// How a plan is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variant {
    /// The tasks in the order of the notes, half an hour each, one after the other from now on; no constraint is read.
    V1Naive,
    /// Planned with the constraints.
    V2Constraints,
    /// The same, and the verdict of the validation is heeded.
    V3Validator,
    /// The same, with one repair where validation fails.
    #[default]
    V4Repair,
}

impl Variant {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::V1Naive, Self::V2Constraints, Self::V3Validator, Self::V4Repair];

    /// Its name: `v1_naive` …
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::V1Naive => "v1_naive",
            Self::V2Constraints => "v2_constraints",
            Self::V3Validator => "v3_validator",
            Self::V4Repair => "v4_repair",
        }
    }
}

steadfast_evidence::vocabulary! {
    /// Whether a plan may be presented.
    #[schemars(rename = "Status")]
    Standing {
        /// It passes validation, it is not proved that something does not fit, and all of the notes was understood.
        Recommended = "recommended", "Recommended";
        /// Something in the notes that looks like a must was not understood: `open_questions` would settle it.
        NeedsAnswer = "needs_answer", "Needs an answer";
        /// It does not.
        Rejected = "rejected", "Rejected";
    }
}

/// One step on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// `extract`, `plan`, `validate` or `repair`.
    pub span: &'static str,
    /// What went in, in a few words.
    pub input: String,
    /// What came out.
    pub output: String,
}

/// A plan with its proof.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// How it was made.
    pub variant: Variant,
    /// The plan.
    pub plan: Plan,
    /// Its items as they were checked. In a model's plan some may have no times; those are in no [`Plan::items`].
    pub items: Vec<Given>,
    /// What came of checking it.
    pub validation: Validation,
    /// Whether it may be presented.
    pub standing: Standing,
    /// The way that it took.
    pub trace: Vec<Step>,
}

/// Makes a plan from notes and proves it. Notes without a task or constraint are not evaluable.
#[must_use]
pub fn run(notes: &Notes, settings: &Settings, variant: Variant) -> Evaluated<Planned> {
    let made = match variant {
        Variant::V1Naive => naive(notes),
        _ => plan(notes, settings),
    };
    prove(notes, settings, variant, made)
}

/// Proves a plan that a chat model gave, and the one that it gave when it was told what was wrong with the first: the better of the two stands,
/// fewer hard findings first. `repaired` is `None` where no repair was asked for, and says why where none came. What a model says
/// of its plan decides nothing: assumptions and questions are those of the notes, and of the ids that it names for an item those stand that
/// the notes have. A day of which it is proved that not everything fits has no plan that may be presented.
#[must_use]
pub fn generated(
    notes: &Notes,
    settings: &Settings,
    variant: Variant,
    first: &Proposed,
    repaired: Option<&Result<Proposed, String>>,
) -> Evaluated<Planned> {
    let mut trace = vec![
        Step { span: "extract", input: "notes".to_owned(), output: extracted(notes) },
        Step {
            span: "plan",
            input: format!("{}, by a model", variant.name()),
            output: format!("{} items", first.items.len()),
        },
    ];
    let checked = |proposed: &Proposed| validate(notes, &read(notes, &proposed.items, Form::Plan), settings);
    let mut validation = match checked(first) {
        Evaluated::Value(validation) => validation,
        Evaluated::NotEvaluable(reason) => return Evaluated::NotEvaluable(reason),
    };
    trace.push(validated(first.items.len(), &validation));
    let mut chosen = first;
    let repair = |output: String| Step {
        span: "repair",
        input: format!("{} hard findings, to a model", validation.hard_count()),
        output,
    };
    match repaired {
        None => {}
        Some(Err(why)) => trace.push(repair(format!("nothing: {why}"))),
        Some(Ok(again)) => {
            trace.push(repair(format!("{} items", again.items.len())));
            if let Evaluated::Value(second) = checked(again) {
                trace.push(validated(again.items.len(), &second));
                if second.hard_count() < validation.hard_count() || second.status == Status::Pass {
                    (chosen, validation) = (again, second);
                }
            }
        }
    }
    let answer = read(notes, &chosen.items, Form::Plan);
    let left_out = missing(notes, &answer);
    let said = notes.said();
    let feasibility = match overload(notes, settings, &left_out) {
        Some(proof) => Feasibility::Infeasible(proof),
        None if left_out.iter().all(|task| said[*task].is_optional()) => Feasibility::Feasible,
        None => Feasibility::Unproven,
    };
    let items = answer.items.iter().filter_map(|item| {
        let mut made = PlanItem::of(item)?;
        let named = chosen.constraint_ids.get(item.index).map_or(&[][..], Vec::as_slice);
        let known = |id: &&String| notes.constraints.iter().any(|own| own.id == **id);
        for id in named.iter().filter(known) {
            if !made.constraint_ids.contains(id) {
                made.constraint_ids.push(id.clone());
            }
        }
        Some(made)
    });
    let questions = notes.questions.clone();
    let confidence = if questions.is_empty() { chosen.confidence } else { Confidence::Low };
    let fits = !matches!(feasibility, Feasibility::Infeasible(_));
    let passes = validation.status == Status::Pass && fits && !leaves_out(notes, &left_out);
    let plan = Plan {
        items: items.collect(),
        assumptions: notes.assumptions.clone(),
        questions,
        confidence,
        left_out,
        feasibility,
    };
    Evaluated::Value(Planned {
        variant,
        plan,
        items: chosen.items.clone(),
        validation,
        standing: standing(notes, passes, fits),
        trace,
    })
}

fn prove(notes: &Notes, settings: &Settings, variant: Variant, made: Plan) -> Evaluated<Planned> {
    let items = made.given(notes.now.time_zone());
    let mut trace = vec![
        Step { span: "extract", input: "notes".to_owned(), output: extracted(notes) },
        Step { span: "plan", input: variant.name().to_owned(), output: counted(&made) },
    ];
    let answer = read(notes, &items, Form::Plan);
    let first = match validate(notes, &answer, settings) {
        Evaluated::Value(validation) => validation,
        Evaluated::NotEvaluable(reason) => return Evaluated::NotEvaluable(reason),
    };
    trace.push(validated(items.len(), &first));
    let (mut plan, mut checked, mut validation) = (made, items, first);
    if variant == Variant::V4Repair && validation.status == Status::Fail {
        let repaired = repair(notes, settings, &answer, &validation);
        trace.push(Step {
            span: "repair",
            input: format!("{} hard findings", validation.hard_count()),
            output: counted(&repaired),
        });
        let items = repaired.given(notes.now.time_zone());
        if let Evaluated::Value(again) = validate(notes, &read(notes, &items, Form::Plan), settings) {
            trace.push(validated(items.len(), &again));
            // The better of the two: fewer hard findings.
            if again.hard_count() < validation.hard_count() || again.status == Status::Pass {
                plan = keep_said(repaired, &plan);
                checked = items;
                validation = again;
            }
        }
    }
    let overfull = matches!(plan.feasibility, Feasibility::Infeasible(_));
    let passes = validation.status == Status::Pass && !overfull && !leaves_out(notes, &plan.left_out);
    let standing = standing(notes, passes, !overfull);
    Evaluated::Value(Planned { variant, plan, items: checked, validation, standing, trace })
}

/// Whether something is left out that may not be: nobody is recommended a plan without it, proof or no proof.
fn leaves_out(notes: &Notes, left_out: &[usize]) -> bool {
    let said = notes.said();
    left_out.iter().any(|task| !said[*task].is_optional())
}

/// Where a plan stands: a reading that leaves something open proves neither that it is right nor that it is wrong.
fn standing(notes: &Notes, passes: bool, fits: bool) -> Standing {
    match (notes.needs_answer(), passes && fits) {
        (true, _) => Standing::NeedsAnswer,
        (false, true) => Standing::Recommended,
        (false, false) => Standing::Rejected,
    }
}

/// What the first plan assumed and asked still holds.
fn keep_said(mut repaired: Plan, first: &Plan) -> Plan {
    for (own, other) in [(&mut repaired.assumptions, &first.assumptions), (&mut repaired.questions, &first.questions)] {
        for line in other.iter().rev() {
            if !own.contains(line) {
                own.insert(0, line.clone());
            }
        }
    }
    repaired
}

fn extracted(notes: &Notes) -> String {
    format!("{} tasks, {} constraints", notes.tasks.len(), notes.constraints.len())
}

fn counted(plan: &Plan) -> String {
    format!("{} items", plan.items.len())
}

fn validated(items: usize, validation: &Validation) -> Step {
    let status = if validation.status == Status::Pass { "pass" } else { "fail" };
    Step {
        span: "validate",
        input: format!("{items} items"),
        output: format!("{status}, {} hard findings", validation.hard_count()),
    }
}

/// The tasks that no item names.
fn missing(notes: &Notes, answer: &Answer) -> Vec<usize> {
    (0..notes.tasks.len()).filter(|task| !answer.items.iter().any(|item| item.tasks.contains(task))).collect()
}

/// The tasks in the order of the notes, half an hour each, from now on; a break, a review and a buffer complete three.
#[must_use]
pub fn naive(notes: &Notes) -> Plan {
    let mut items: Vec<PlanItem> = Vec::new();
    let mut start = notes.now.timestamp();
    let [minutes, ..] = ESTIMATES_MINUTES;
    let fillers = [("Break", Role::Break), ("Review of the day", Role::Review), ("Buffer", Role::Buffer)];
    let tasks = notes.tasks.iter().enumerate().take(ITEMS_MAX);
    let missing = ITEMS_MIN.saturating_sub(notes.tasks.len());
    let wanted = tasks
        .map(|(at, task)| (task.text.trim().to_owned(), vec![at], Role::Work))
        .chain(fillers.into_iter().take(missing).map(|(name, role)| (name.to_owned(), Vec::new(), role)));
    for (task, tasks, role) in wanted {
        let end = minutes_after(start, minutes);
        items.push(PlanItem {
            task,
            why: "It stands next in the notes.".to_owned(),
            timebox_minutes: minutes,
            when: Interval::new(start, end),
            with: Vec::new(),
            place: None,
            constraint_ids: Vec::new(),
            tasks,
            role,
        });
        start = end;
    }
    let left_out: Vec<usize> = (ITEMS_MAX.min(notes.tasks.len())..notes.tasks.len()).collect();
    Plan {
        items,
        assumptions: vec![format!("Every task takes {minutes} minutes.")],
        questions: Vec::new(),
        confidence: Confidence::Medium,
        left_out,
        feasibility: Feasibility::Unproven,
    }
}

/// A piece that is as likely what it is taken for may doubt a plan. Of 86 recommended plans of all labelled notes that doubts 13 of 48 that are
/// wrong and 2 of 38 that are right (kept aside 3 of 21 and none of 12; `steadfast-measure days,days_plain,days_wide`).
const DOUBT_MIN: f64 = 0.6;

/// Notes are read twice, by phrases and by pieces. Where phrases leave nothing open, and the plan that is made of them breaks what the
/// other reading has, the notes are as that other one has them, and it is asked whether those words are read right.
pub fn doubt(file: FileId, document: &Document, notes: &mut Notes, settings: &Settings) {
    // Pieces know nothing of what calendars hold, and notes beside these may speak of it.
    let beside = notes.constraints.iter().any(|own| own.quote.as_ref().is_some_and(|quote| quote.file() != file));
    if notes.by_pieces || beside || !notes.unread.is_empty() {
        return;
    }
    // A reading that leaves something open itself doubts nothing.
    let Some(other) = notes.other.take_if(|other| other.least_sure.is_some()) else { return };
    let sure = |quote: &Quote| {
        let span = quote.span();
        let pieces = other.pieces.iter().filter(|(own, _)| own.start < span.end && span.start < own.end);
        pieces.map(|(_, sure)| *sure).fold(1.0, f64::min)
    };
    // Phrases know better what the hours of a day are: "in at 9, out at 5".
    let hours = notes.constraints.iter().filter(|own| {
        matches!(
            own.rule,
            Rule::Availability { who: None, .. }
                | Rule::Deadline { task: None, .. }
                | Rule::NotBefore { task: None, .. }
        )
    });
    let hours: Vec<Span> = hours.filter_map(|own| Some(own.quote.as_ref()?.span())).collect();
    let of_day = |span: Span| hours.iter().any(|own| own.start < span.end && span.start < own.end);
    let doubtful = |finding: &Finding| -> Option<(Quote, f64)> {
        let id = finding.constraint_id.as_ref().filter(|_| finding.hard)?;
        let quote = other.constraints.iter().find(|own| own.id == *id)?.quote.clone()?;
        let sure = sure(&quote);
        (quote.file() == file && sure >= DOUBT_MIN && !of_day(quote.span())).then_some((quote, sure))
    };
    let mut agrees = true;
    let found = match run(notes, settings, Variant::default()) {
        Evaluated::Value(own) if own.standing == Standing::Recommended => {
            let work = own.items.into_iter().zip(&own.plan.items).filter(|(_, item)| item.role == Role::Work);
            let work: Vec<Given> = work.map(|(given, _)| given).collect();
            match validate(&other, &read(&other, &work, Form::Plan), settings) {
                Evaluated::Value(kept) => {
                    agrees = kept.findings.iter().all(|finding| !finding.hard);
                    kept.findings.iter().find_map(doubtful)
                }
                Evaluated::NotEvaluable(_) => None,
            }
        }
        Evaluated::Value(own) if matches!(own.plan.feasibility, Feasibility::Infeasible(_)) => {
            let fits = !matches!(plan(&other, settings).feasibility, Feasibility::Infeasible(_));
            other.least_sure.clone().filter(|_| fits)
        }
        _ => None,
    };
    if let Some(found) = found.filter(|_| !other.tasks.is_empty()) {
        let phrases = std::mem::replace(notes, *other);
        notes.other = Some(Box::new(phrases));
        notes.disputed = true;
        notes.least_sure = Some(found);
        crate::ask::account(file, document, settings, notes);
    } else {
        notes.disputed |= !agrees || notes.tasks.len() != other.tasks.len();
        notes.other = Some(other);
    }
}

/// Most tasks with which answers are tried: plans of more take long.
const TRIED_TASKS_MAX: usize = 30;

/// Tries the answers to each open question and says of it whether they make different plans. A question whose every answer leaves the plan as
/// it is needs none: its words are no must any more. Of notes with very many tasks none is tried: each question counts as one that does.
pub fn weigh(notes: &mut Notes, settings: &Settings) {
    if notes.tasks.len() <= TRIED_TASKS_MAX {
        let holds = |plan: Plan| {
            let fits = !matches!(plan.feasibility, Feasibility::Infeasible(_));
            (fits, plan.items.into_iter().map(|item| (item.task, item.when)).collect::<Vec<_>>())
        };
        let own = holds(plan(notes, settings));
        // A day into which not everything fits has no plan that an answer could leave as it is.
        let fits = own.0;
        let differs = |question: &OpenQuestion| {
            (1..=question.choices.len()).any(|number| {
                let mut tried = notes.clone();
                tried.answer(&question.id, &number.to_string()).is_ok() && holds(plan(&tried, settings)) != own
            })
        };
        // A question that is not tried counts as one that does.
        let tried = notes.open.iter().enumerate();
        let changes: Vec<bool> = tried.map(|(at, question)| at >= QUESTIONS_TRIED_MAX || differs(question)).collect();
        for (question, changes) in notes.open.iter_mut().zip(changes) {
            question.changes_plan = changes;
        }
        // What a time or a length belongs to is asked all the same: the plan may lack the task that it is said of.
        // Notes that are read by pieces are looked at by somebody, whatever the plan.
        let least = notes.least_sure.as_ref().map(|(quote, _)| quote.clone());
        let of_itself = |question: &OpenQuestion| {
            question.changes_plan
                || !fits
                || is_of_time(question)
                || offers_no_meaning(question)
                || least.as_ref() == Some(&question.quote)
        };
        let unseen = notes.by_pieces && notes.answered.is_empty() && !notes.open.iter().any(of_itself);
        let first = notes.open.first().filter(|_| unseen).map(|own| own.id.clone());
        let needed = |question: &OpenQuestion| of_itself(question) || first.as_ref() == Some(&question.id);
        for unread in &mut notes.unread {
            let asked = notes.open.iter().find(|question| question.quote == unread.quote);
            unread.must &= asked.is_none_or(needed);
        }
        notes.open.retain(needed);
    }
    notes.open.truncate(QUESTIONS_MAX);
}

/// Whether all that a question offers is that its words ask nothing: what else they may mean, a ban above all, no answer can say, so none can
/// show that it would leave the plan as it is.
fn offers_no_meaning(question: &OpenQuestion) -> bool {
    question.choices.iter().all(|choice| matches!(choice.effect, Effect::Apart(_) | Effect::NothingMore))
}

/// Whether an answer to a question says what a time or a length belongs to.
fn is_of_time(question: &OpenQuestion) -> bool {
    let is_time = |rule: &Rule| !matches!(rule, Rule::Order { .. });
    question.choices.iter().any(|choice| matches!(&choice.effect, Effect::Rules(rules) if rules.iter().any(is_time)))
}
