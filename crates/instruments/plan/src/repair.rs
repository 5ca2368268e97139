//! One repair of a plan that failed: what was right stands, the rest is planned again around it.
//!
//! Items without a hard finding keep their words, their reasons and their time. Tasks of the others, and tasks that are missing,
//! are planned by the planner in the time that is left. Where what stands leaves no room for a passing plan, less and less of it
//! stands. Nothing gets fewer minutes than the notes give it.
//!
//! Source: the contract for day plans, section 7.

use std::collections::BTreeSet;

use steadfast_evidence::Evaluated;

use crate::answer::{Answer, Form, Item, Role, read};
use crate::checks::{ITEMS_MAX, TIMEBOX_MINUTES_MIN};
use crate::free::Settings;
use crate::model::Notes;
use crate::plan::{Feasibility, Plan, PlanItem};
use crate::planner::plan_around;
use crate::verdict::{Status, Validation, validate};
use crate::window::minutes_after;

/// Repairs a plan by what its validation found. The result need not pass: who calls it validates it again.
#[must_use]
pub fn repair(notes: &Notes, settings: &Settings, answer: &Answer, validation: &Validation) -> Plan {
    let sound = sound(answer, validation);
    let mut best: Option<(usize, Plan)> = None;
    for kept in ladder(notes, &sound) {
        let plan = plan_around(notes, settings, &kept);
        let items = plan.given(notes.now.time_zone());
        let Evaluated::Value(again) = validate(notes, &read(notes, &items, Form::Plan), settings) else { return plan };
        let complete = again.status == Status::Pass && plan.feasibility == Feasibility::Feasible;
        let faults = again.hard_count() * FAULT_WORTH + plan.left_out.len();
        if complete {
            return plan;
        }
        if best.as_ref().is_none_or(|(fewest, _)| faults < *fewest) {
            best = Some((faults, plan));
        }
    }
    best.map_or_else(|| plan_around(notes, settings, &[]), |(_, plan)| plan)
}

/// One hard finding weighs more than all tasks that are left out.
const FAULT_WORTH: usize = 1_000_000;

/// The items that have times and no hard finding, in the order of time.
fn sound(answer: &Answer, validation: &Validation) -> Vec<PlanItem> {
    let broken: BTreeSet<usize> =
        validation.findings.iter().filter(|finding| finding.hard).filter_map(|finding| finding.item_index).collect();
    let mut items: Vec<PlanItem> =
        answer.items.iter().filter(|item| !broken.contains(&item.index)).filter_map(standing).collect();
    items.sort_by_key(|item| item.when);
    items
}

/// An item that can stand as it is.
fn standing(item: &Item) -> Option<PlanItem> {
    let mut own = PlanItem::of(item)?;
    let minutes = own.timebox_minutes;
    if !own.when.is_bounded() || minutes < TIMEBOX_MINUTES_MIN || minutes > own.when.minutes() {
        return None;
    }
    own.when.end = minutes_after(own.when.start, minutes);
    Some(own)
}

/// What is to stand, in falling order: everything; what does something for the notes; that, without the items that carry out
/// the fewest tasks, one after the other; nothing.
fn ladder(notes: &Notes, sound: &[PlanItem]) -> Vec<Vec<PlanItem>> {
    let mut steps: Vec<Vec<PlanItem>> = Vec::new();
    let missing = |kept: &[PlanItem]| {
        let done: BTreeSet<usize> = kept.iter().flat_map(|item| item.tasks.iter().copied()).collect();
        done.len() < notes.tasks.len()
    };
    let fits = |kept: &[PlanItem]| kept.len() + usize::from(missing(kept)) <= ITEMS_MAX;
    if fits(sound) {
        steps.push(sound.to_vec());
    }
    let mut useful: Vec<PlanItem> =
        sound.iter().filter(|item| !item.tasks.is_empty() || item.role == Role::Event).cloned().collect();
    while !useful.is_empty() {
        if fits(&useful) && !steps.contains(&useful) {
            steps.push(useful.clone());
        }
        let least = useful.iter().enumerate().min_by_key(|(at, item)| (item.tasks.len(), item.timebox_minutes, *at));
        let Some((at, _)) = least else { break };
        useful.remove(at);
    }
    steps.push(Vec::new());
    steps
}
