//! Two events of the notes at the same time: nobody is at both.

use steadfast_evidence::Quote;

use crate::model::open::{Choice, Effect, OpenQuestion, Unread};
use crate::model::{Constraint, Notes, Rule, vocabulary};
use crate::window::Interval;

/// An event of so many minutes may be time in which others take place, or tasks are done: a shift, a day at the office.
pub(crate) const SHIFT_MINUTES_MIN: i64 = 180;

/// Ids of questions about events at the same time begin with this.
const AT_ONCE: &str = "events";

/// Whether all that notes leave open is which of two events at the same time is meant.
pub(crate) fn is_all_that_is_open(notes: &Notes) -> bool {
    let asked = notes.open.iter().filter(|question| question.id.starts_with(AT_ONCE)).count();
    notes.unread.len() == asked
}

/// An event with its name, its words and its time.
struct Event<'a> {
    at: usize,
    name: &'a str,
    quote: &'a Quote,
    when: Interval,
}

/// The first two events of the notes that are at the same time, by their places among the constraints. Calendars often hold several
/// at once of which somebody chooses: their events clash with nothing. Nor do two of one name, or two that the same words state.
#[must_use]
pub(crate) fn clash(notes: &Notes) -> Option<(usize, usize)> {
    let file = notes.tasks.first()?.quote.file();
    let all = notes.constraints.iter().enumerate();
    let mut events: Vec<Event<'_>> = all.filter_map(|(at, own)| event(at, own)).collect();
    events.retain(|own| own.quote.file() == file);
    // Of events in the order of time each is compared with the one before it that ends last.
    events.sort_by_key(|own| (own.when, own.at));
    let mut last: Option<&Event<'_>> = None;
    for own in &events {
        if let Some(before) = last.filter(|last| own.when.start < last.when.end && differ(last, own)) {
            return Some((before.at.min(own.at), before.at.max(own.at)));
        }
        if last.is_none_or(|last| last.when.end < own.when.end) {
            last = Some(own);
        }
    }
    None
}

/// An event at one time that is too short to hold others.
fn event(at: usize, own: &Constraint) -> Option<Event<'_>> {
    let Rule::FixedEvent { name, when, .. } = &own.rule else { return None };
    let [time] = when.first().as_slice() else { return None };
    let is_short = time.minutes() < SHIFT_MINUTES_MIN;
    let quote = own.quote.as_ref().filter(|_| own.hard && is_short && when.is_unique())?;
    Some(Event { at, name, quote, when: *time })
}

/// The question whether both of two events are meant that are at the same time, and the words that are open until it is answered. `apart` are the answers by which the second is nothing to heed.
pub(crate) fn question(notes: &Notes, apart: Vec<Choice>) -> Option<(OpenQuestion, Unread)> {
    let (a, b) = clash(notes)?;
    let (first, quote) = (notes.constraints[a].quote.as_ref()?, notes.constraints[b].quote.as_ref()?);
    if is_meant(notes, quote) {
        return None;
    }
    let mut choices = vec![Choice { text: "yes, and I cannot be at both".to_owned(), effect: Effect::Keep }];
    choices.extend(apart);
    let question = OpenQuestion {
        id: format!("{AT_ONCE}{}", quote.span().start),
        text: format!(
            "\"{}\" and \"{}\" are at the same time: is the second yours as well?",
            first.text(),
            quote.text()
        ),
        quote: quote.clone(),
        choices,
        changes_plan: true,
    };
    let why = format!("whether it is meant beside \"{}\", which is at the same time", first.text());
    Some((question, Unread { quote: quote.clone(), why, must: true }))
}

/// Whether it was answered that an event is meant beside the one that is at the same time.
pub(crate) fn is_meant(notes: &Notes, quote: &Quote) -> bool {
    notes.answered.iter().any(|own| own.keeps && own.id.starts_with(AT_ONCE) && own.span == quote.span())
}

/// Whether two events have names and words of their own.
fn differ(a: &Event<'_>, b: &Event<'_>) -> bool {
    let (own, other) = (vocabulary(a.name), vocabulary(b.name));
    let (a, b) = (a.quote.span(), b.quote.span());
    let apart = a.end <= b.start || b.end <= a.start;
    apart && !own.is_subset(&other) && !other.is_subset(&own)
}
