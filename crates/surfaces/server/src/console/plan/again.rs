//! Planning the rest of a day from a stored plan.

use std::sync::Arc;

use axum::http::StatusCode;
use steadfast_engine::File;
use steadfast_engine::calls::kept::{StoredNotes, notes_of};
use steadfast_engine::runs::{run_texts, show_run};
use steadfast_wire::plan::{PlanItem, PlanResponse, Preferences};
use steadfast_wire::request::{JsonSource, Source};

use super::super::Query;
use super::super::results::{read, value};
use super::super::shell::kept;
use super::{Typed, setting};
use crate::app::App;
use crate::problem::Problem;

/// What the name of a box begins with that says that an item is done; its number follows.
const DONE: &str = "done-";

/// Characters of a time as a field of a form holds it: without seconds, in the zone beside it.
const FIELD_TIME_CHARS: usize = "2026-02-18T08:30".len();

/// An earlier plan that is gone on with.
#[derive(Clone, Debug)]
pub(super) struct Again {
    /// Its run.
    pub(super) id: String,
    pub(super) items: Vec<Item>,
    /// The calendars that it was made with.
    pub(super) calendars: Vec<File>,
    /// What of it is not kept and has to be given again.
    pub(super) lost: Vec<&'static str>,
    /// Its JSON.
    result: String,
}

/// An item of it, for its box.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) number: usize,
    pub(super) when: String,
    pub(super) task: String,
    pub(super) done: bool,
}

impl Again {
    /// The earlier plan that a form names, with the items that it says are done; `None` where it names none.
    pub(super) async fn of(app: &Arc<App>, form: &Query) -> Result<Option<Self>, Problem> {
        let id = value(form, "from");
        if id.is_empty() {
            return Ok(None);
        }
        let (mut again, ..) = load(app, &id).await?;
        for item in &mut again.items {
            item.done = form.contains_key(&format!("{DONE}{}", item.number));
        }
        Ok(Some(again))
    }

    /// The plan, and the numbers of its items that are done.
    pub(super) fn plan(&self) -> (JsonSource, Vec<usize>) {
        let done = self.items.iter().filter(|item| item.done).map(|item| item.number).collect();
        (JsonSource::Source(Source::Text(self.result.clone())), done)
    }

    /// What the box of an item is called.
    pub(super) fn name(item: &Item) -> String {
        format!("{DONE}{}", item.number)
    }
}

/// The form that goes on with a stored plan: its notes, its zone, and the time that it is, where that is of the plan's day.
pub(super) async fn begun(app: &Arc<App>, id: &str) -> Result<Typed, Problem> {
    let (again, notes, response, hard) = load(app, id).await?;
    let now = app.host.now(None, Some(response.timezone.clone()), "").current_time;
    let field = |time: &str| time.get(..FIELD_TIME_CHARS).unwrap_or_default().to_owned();
    let day = |time: &str| time.get(.."2026-02-18".len()).map(str::to_owned);
    let is_today = day(&now) == day(&response.current_time);
    let text = notes.notes.map(|notes| String::from_utf8_lossy(&notes.bytes).into_owned());
    Ok(Typed {
        context: text.unwrap_or_default(),
        current_time: field(if is_today { &now } else { &response.current_time }),
        timezone: response.timezone,
        variant: response.debug.variant.name().to_owned(),
        hard,
        again: Some(again),
        ..Typed::default()
    })
}

/// A stored plan, what is kept of its notes, and whether wishes bound it.
async fn load(app: &Arc<App>, id: &str) -> Result<(Again, StoredNotes, PlanResponse, bool), Problem> {
    let wanted = id.to_owned();
    let (record, texts) =
        kept(app, move |store| Ok((show_run(store, &wanted)?, run_texts(store, &wanted)?.texts))).await?;
    if record.run.verb != "plan" {
        let what = format!("the run {} is one of `{}`, not of `plan`", record.run.id, record.run.verb);
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "this run cannot be gone on with", what));
    }
    let response: PlanResponse = read(record.result.get())?;
    let notes = notes_of(&record.run, &texts);
    let lost = [(notes.notes.is_none(), "notes"), (notes.calendars.is_none(), "calendars")];
    let again = Again {
        id: record.run.id.clone(),
        items: (1..).zip(&response.plan).map(|(number, item)| of_item(number, item)).collect(),
        calendars: notes.calendars.clone().unwrap_or_default(),
        lost: lost.into_iter().filter(|(is_lost, _)| *is_lost).map(|(_, what)| what).collect(),
        result: record.result.get().to_owned(),
    };
    let hard = setting(&record.run, "preferences") == Preferences::Hard.name();
    Ok((again, notes, response, hard))
}

fn of_item(number: usize, item: &PlanItem) -> Item {
    let clock = |time: Option<&String>| time.and_then(|time| time.get(11..16)).unwrap_or_default().to_owned();
    let when = match (clock(item.start.as_ref()), clock(item.end.as_ref())) {
        (start, end) if start.is_empty() && end.is_empty() => String::new(),
        (start, end) => format!("{start}–{end}"),
    };
    Item { number, when, task: item.task.clone(), done: false }
}
