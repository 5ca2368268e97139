//! Calendars beside the notes: their events of the day, each with its place in its file.

use jiff::Zoned;
use steadfast_calendar::{CalendarError, Day, read};
use steadfast_evidence::{FileId, Quote};
use steadfast_plan::Interval;
use steadfast_plan::ask::CalendarEvent;
use steadfast_text::{Document, Format, Span};

use super::now::ZONES;
use crate::EngineError;
use crate::intake::{self, File};

/// Calendars that stand beside notes.
pub const CALENDARS_MAX: usize = 50;

/// Whether a file is a calendar, by its ending.
#[must_use]
pub fn is_calendar(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("ics"))
}

/// The events of the day of `now` in these files, which are the sources after the notes. What takes no time is told in `settled`.
pub(super) fn events(
    files: &[File],
    now: &Zoned,
    settled: &mut Vec<String>,
) -> Result<Vec<CalendarEvent>, EngineError> {
    if files.len() > CALENDARS_MAX {
        return Err(EngineError::TooManyCalendars { calendars: files.len() });
    }
    let day = Day { date: now.date(), zone: now.time_zone().clone() };
    let mut out = Vec::new();
    for (number, file) in (1..).zip(files) {
        let text = intake::text(&file.name, file)?;
        let text = text.as_ref();
        let of_file = |error: CalendarError| {
            let place = match &error {
                CalendarError::Line { line, .. } => format!("{}:{line}", file.name),
                _ => file.name.clone(),
            };
            let what = match error {
                CalendarError::Line { what, .. } => what,
                other => other.to_string(),
            };
            EngineError::Calendar { place, what }
        };
        let found = read(text, &day, &ZONES).map_err(of_file)?;
        for own in &found.passed_over {
            settled.push(format!("\"{}\" of {} takes no time: {}.", own.name, file.name, own.why.text()));
        }
        // A calendar has no sentences: of a document only its source is needed.
        let document = Document {
            format: Format::Plain,
            source: text.to_owned().into(),
            sections: Vec::new(),
            blocks: Vec::new(),
            tables: Vec::new(),
            scripts: Vec::new(),
        };
        for own in found.events {
            let quote = Quote::cut(FileId(number), &document, Span::new(own.span.start, own.span.end));
            let Some(quote) = quote else {
                return Err(EngineError::Internal {
                    what: format!("{}:{}: the event has no words", file.name, own.line),
                });
            };
            out.push(CalendarEvent {
                quote,
                name: own.name,
                when: Interval::new(own.start, own.end),
                place: own.place,
            });
        }
    }
    Ok(out)
}
