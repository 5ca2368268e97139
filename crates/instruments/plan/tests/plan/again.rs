//! Events of calendars beside notes, and notes without what is done.

use std::collections::BTreeSet;

use jiff::Zoned;
use steadfast_evidence::{FileId, Quote};
use steadfast_plan::again::without_tasks;
use steadfast_plan::ask::{CalendarEvent, read_beside};
use steadfast_plan::{Interval, Kind, Notes, Rule, Settings};
use steadfast_text::{Document, Format, Span};

fn now() -> Zoned {
    "2026-01-26T09:00:00-05:00[America/Toronto]".parse().unwrap()
}

/// Notes beside a calendar with one event, from 11:00 to 12:00.
fn notes(text: &str, event: &str) -> Notes {
    let document = Document::from_str_as(text, Format::Markdown);
    let calendar = Document::from_str_as(event, Format::Plain);
    let at = |hour: i8| now().with().hour(hour).build().unwrap().timestamp();
    let own = CalendarEvent {
        quote: Quote::cut(FileId(1), &calendar, Span::new(0, event.len())).unwrap(),
        name: event.to_owned(),
        when: Interval::new(at(11), at(12)),
        place: None,
    };
    read_beside(FileId(0), &document, &now(), &Settings::default(), vec![own])
}

fn kinds(notes: &Notes) -> Vec<Kind> {
    notes.constraints.iter().map(steadfast_plan::Constraint::kind).collect()
}

#[test]
fn an_event_of_a_calendar_is_one_of_the_notes() {
    let read = notes("- review the budget before the board call\n", "Board call");
    let event = read.constraints.iter().find(|own| own.kind() == Kind::FixedEvent).unwrap();
    assert_eq!((event.text(), event.quote.as_ref().unwrap().file(), event.hard), ("Board call", FileId(1), true));
    assert!(kinds(&read).contains(&Kind::Deadline), "{:?}", read.constraints);
    let ids: BTreeSet<&str> = read.constraints.iter().map(|own| own.id.as_str()).collect();
    assert_eq!(ids.len(), read.constraints.len());
}

#[test]
fn what_stands_in_both_is_one() {
    let read = notes("Board call 11-12.\n- review the budget\n", "Board call");
    assert_eq!(kinds(&read).iter().filter(|kind| **kind == Kind::FixedEvent).count(), 1, "{:?}", read.constraints);
    let other = notes("Board call 14-15.\n- review the budget\n", "Board call");
    assert_eq!(kinds(&other).iter().filter(|kind| **kind == Kind::FixedEvent).count(), 2, "{:?}", other.constraints);
}

#[test]
fn tasks_that_are_done_leave_with_what_is_said_of_them() {
    let read = notes(
        "- call Ana, 20 min\n- write the report, 45 min\n- send the report after the call, due at 16:00\n",
        "Board call",
    );
    let rest = without_tasks(&read, &BTreeSet::from([0]));
    assert_eq!(rest.tasks.len(), read.tasks.len() - 1);
    assert_eq!(rest.tasks.first(), read.tasks.get(1));
    for own in &rest.constraints {
        let before = read.constraints.iter().find(|other| other.id == own.id).unwrap();
        assert_eq!((own.kind(), &own.quote), (before.kind(), &before.quote));
        // Each speaks of the task that it spoke of.
        if let (Rule::Duration { task, .. }, Rule::Duration { task: was, .. }) = (&own.rule, &before.rule) {
            assert_eq!(rest.tasks[*task], read.tasks[*was]);
        }
    }
    let durations = |notes: &Notes| kinds(notes).into_iter().filter(|kind| *kind == Kind::Duration).count();
    assert_eq!(durations(&rest) + 1, durations(&read));
    assert_eq!(without_tasks(&read, &BTreeSet::new()).constraints, read.constraints);
}
