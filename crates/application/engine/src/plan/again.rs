//! Planning the rest of a day: what is done stands, the rest is planned anew, and each item is told what became of it.

use std::collections::{BTreeMap, BTreeSet};

use steadfast_evidence::Evaluated;
use steadfast_plan as own;
use steadfast_plan::again::without_tasks;
use steadfast_plan::answer::{Form, Item, read as read_answer};
use steadfast_plan::model::{Notes, intent};
use steadfast_text::{BlockKind, Document};
use steadfast_wire::plan::{PlanChange, PlanItem, PlanMove, Times, Variant};

use super::{NotesRequest, PlanOutcome, Read, given_items, publish};
use crate::EngineError;
use crate::intake::File;
use crate::pool::on_pool;

/// A plan that was made earlier in the day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierPlan {
    /// What `plan --json` wrote, or any list of items as [`plan_check`](super::plan_check) takes it.
    pub plan: File,
    /// The items of it that are done, from 1, whatever their times say.
    pub done: Vec<usize>,
}

/// Plans the rest of a day. Items of the earlier plan that ended before the current time, that the notes check off (`[x]`) or that are said to be done
/// stand as they are; the rest of the notes is planned from the current time on. `moved` of the response says what became of each item.
///
/// # Errors
/// Those of [`plan`](super::plan) and of [`plan_check`](super::plan_check); [`EngineError::NoItem`] for an item that the plan does not have, and
/// [`EngineError::NotEvaluable`] where nothing is left to do.
pub async fn plan_again(
    request: NotesRequest,
    variant: Variant,
    earlier: EarlierPlan,
) -> Result<PlanOutcome, EngineError> {
    on_pool(move || {
        let (mut read, document) = Read::with_document(request)?;
        let items = given_items(&earlier.plan)?;
        if let Some(number) = earlier.done.iter().find(|number| **number == 0 || **number > items.len()) {
            return Err(EngineError::NoItem { file: earlier.plan.name, number: *number, items: items.len() });
        }
        let answer = read_answer(&read.notes, &items, Form::Plan);
        let was = publish::read_items(&read, &items);
        let checked = checked_off(&document);
        let kept: Vec<Option<&str>> =
            answer.items.iter().map(|item| why_kept(item, &read.notes, &earlier.done, &checked)).collect();
        for (item, _) in answer.items.iter().zip(&kept).filter(|(_, kept)| kept.is_none()) {
            let now = read.notes.now.timestamp();
            if item.interval().is_some_and(|it| it.start < now && now < it.end) {
                read.settled.push(format!(
                    "\"{}\" is under way and not said to be done: all of it is planned anew.",
                    item.task
                ));
            }
        }
        let done = finished(&answer.items, &kept);
        let rest = without_tasks(&read.notes, &done);
        let before = std::mem::replace(&mut read.notes, rest);
        match own::run(&read.notes, &read.settings, publish::own_variant(variant)) {
            Evaluated::Value(planned) => {
                let mut response = publish::response(&read, &planned);
                let now = read_answer(&read.notes, &planned.items, Form::Plan);
                let old: Vec<Keyed<'_>> = keyed(&before, &answer.items, &was);
                let new: Vec<Keyed<'_>> = keyed(&read.notes, &now.items, &response.plan);
                response.moved = Some(moves(&old, &kept, &new));
                Ok(PlanOutcome { response, texts: read.texts })
            }
            Evaluated::NotEvaluable(reason) if done.is_empty() => Err(EngineError::not_evaluable(read.file, &reason.0)),
            Evaluated::NotEvaluable(_) => {
                Err(EngineError::not_evaluable(read.file, "all that the notes ask for is done"))
            }
        }
    })
    .await
}

/// Why an item stands as it is; `None` where it does not.
fn why_kept(item: &Item, notes: &Notes, done: &[usize], checked: &[BTreeSet<String>]) -> Option<&'static str> {
    if done.contains(&(item.index + 1)) {
        return Some("said to be done");
    }
    let stems: BTreeSet<String> = intent(&item.task).into_iter().collect();
    if item.tasks.is_empty() && !stems.is_empty() && checked.iter().any(|line| stems.is_subset(line)) {
        return Some("checked off in the notes");
    }
    item.interval().is_some_and(|it| it.end <= notes.now.timestamp()).then_some("ended before now")
}

/// What stands in the items that the notes check off, as stems.
fn checked_off(document: &Document) -> Vec<BTreeSet<String>> {
    let checked =
        document.blocks.iter().filter(|block| matches!(block.kind, BlockKind::ListItem { checked: Some(true), .. }));
    checked.map(|block| intent(&block.text.plain).into_iter().collect()).collect()
}

/// The tasks of which every item is kept.
fn finished(items: &[Item], kept: &[Option<&str>]) -> BTreeSet<usize> {
    let of = |wanted: bool| {
        let items = items.iter().zip(kept).filter(move |(_, kept)| kept.is_some() == wanted);
        items.flat_map(|(item, _)| item.tasks.iter().copied()).collect::<BTreeSet<usize>>()
    };
    &of(true) - &of(false)
}

/// An item, and what it is known by: where the notes state its tasks, or its own words where it carries out none.
struct Keyed<'a> {
    item: &'a PlanItem,
    places: BTreeSet<usize>,
    words: Vec<String>,
}

fn keyed<'a>(notes: &Notes, items: &[Item], written: &'a [PlanItem]) -> Vec<Keyed<'a>> {
    let mut places: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for item in items {
        let of = item.tasks.iter().filter_map(|at| notes.tasks.get(*at)).map(|task| task.quote.span().start);
        places.insert(item.index, of.collect());
    }
    let key = |(at, item): (usize, &'a PlanItem)| Keyed {
        item,
        places: places.remove(&at).unwrap_or_default(),
        words: intent(&item.task),
    };
    written.iter().enumerate().map(key).collect()
}

/// What became of each item: those that are kept, then those that lay ahead, then those that are new.
fn moves(old: &[Keyed<'_>], kept: &[Option<&str>], new: &[Keyed<'_>]) -> Vec<PlanMove> {
    let times = |item: &PlanItem| Times { start: item.start.clone(), end: item.end.clone() };
    let mut taken = vec![false; new.len()];
    let (mut done, mut ahead) = (Vec::new(), Vec::new());
    for (own, why) in old.iter().zip(kept) {
        let (task, from) = (own.item.task.clone(), Some(times(own.item)));
        if let Some(why) = why {
            let why = Some((*why).to_owned());
            done.push(PlanMove { task, change: PlanChange::Kept, why, to: from.clone(), from });
            continue;
        }
        let is_same = |other: &Keyed<'_>| {
            if own.places.is_empty() {
                other.places.is_empty() && own.words == other.words
            } else {
                !own.places.is_disjoint(&other.places)
            }
        };
        // Of several the one at the same time, else the first.
        let mut found = new.iter().enumerate().filter(|(at, other)| !taken[*at] && is_same(other)).map(|(at, _)| at);
        let first = found.next();
        let same = first.into_iter().chain(found).find(|at| Some(times(new[*at].item)) == from);
        ahead.push(match same.or(first) {
            Some(at) => {
                taken[at] = true;
                let change = if same.is_some() { PlanChange::Unchanged } else { PlanChange::Moved };
                PlanMove { task, change, why: None, from, to: Some(times(new[at].item)) }
            }
            None => {
                let why = if own.places.is_empty() {
                    "nothing in the notes asks for it now"
                } else {
                    "it has no place of its own in what is left of the day"
                };
                PlanMove { task, change: PlanChange::Dropped, why: Some(why.to_owned()), from, to: None }
            }
        });
    }
    let added = new.iter().zip(&taken).filter(|(_, taken)| !**taken).map(|(own, _)| PlanMove {
        task: own.item.task.clone(),
        change: PlanChange::Added,
        why: None,
        from: None,
        to: Some(times(own.item)),
    });
    done.into_iter().chain(ahead).chain(added).collect()
}
