//! Events that calendars hold beside the notes: each is a fixed event as if the notes said so, with the words of its calendar.

use steadfast_evidence::{FileId, Quote};
use steadfast_text::Document;

use super::{CONSTRAINTS_MAX, Reader, Settings};
use crate::model::{Constraint, Notes, Readings, Rule, vocabulary};
use crate::window::Interval;

/// An event of a calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalendarEvent {
    /// The words of the calendar that name it.
    pub quote: Quote,
    /// What it is called.
    pub name: String,
    /// When.
    pub when: Interval,
    /// Where.
    pub place: Option<String>,
}

/// As [`read`](super::read), with the events of calendars: the notes can speak of them ("before the board call"), and what stands in both counts once.
#[must_use]
pub fn read_beside(
    file: FileId,
    document: &Document,
    now: &jiff::Zoned,
    settings: &Settings,
    events: Vec<CalendarEvent>,
) -> Notes {
    let mut notes = super::fuller(document, now, |by_pieces| {
        let mut reader = Reader::of(file, document, now, settings, by_pieces);
        for event in events.clone() {
            reader.calendar_event(event);
        }
        let mut notes = reader.finish();
        super::account(file, document, settings, &mut notes);
        notes
    });
    if notes.other.is_some() {
        super::account::ask_beside(file, document, &mut notes);
    }
    notes
}

impl Reader<'_> {
    fn calendar_event(&mut self, event: CalendarEvent) {
        let CalendarEvent { quote, name, when, place } = event;
        if self.notes.constraints.len() >= CONSTRAINTS_MAX {
            self.ask(format!("the notes and calendars state more than {CONSTRAINTS_MAX} constraints: which of those after them matter?"));
            return;
        }
        let stems = vocabulary(&name);
        self.notes.vocabulary.extend(stems.iter().cloned());
        self.notes.vocabulary.extend(place.iter().flat_map(|place| vocabulary(place)));
        self.notes.lines.push(name.clone());
        let is_same = |own: &Constraint| match &own.rule {
            Rule::FixedEvent { name: other, when: times, .. } => {
                let of_notes = vocabulary(other);
                let alike = !of_notes.is_empty() && (of_notes.is_subset(&stems) || stems.is_subset(&of_notes));
                alike && times.is_unique() && times.first().as_slice() == [when]
            }
            _ => false,
        };
        if self.notes.constraints.iter().any(is_same) {
            self.assume(format!("\"{name}\" of the calendar is the one that the notes speak of"));
            return;
        }
        self.push(Rule::FixedEvent { name, when: Readings::unique(vec![when]), with: Vec::new(), place }, quote);
    }
}
