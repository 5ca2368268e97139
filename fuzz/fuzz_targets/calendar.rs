//! No iCalendar file breaks its reader, and the name of each event that it finds stands in the file.
#![no_main]

use jiff::civil::date;
use jiff::tz::{TimeZone, TimeZoneDatabase};
use libfuzzer_sys::fuzz_target;
use steadfast_calendar::{Day, read};
use steadfast_fuzz::{bounded, lie_within};

fuzz_target!(|text: &str| {
    let day = Day { date: date(2026, 3, 29), zone: TimeZone::get("Europe/Berlin").expect("a bundled zone") };
    let known = TimeZoneDatabase::bundled();
    let Ok(read) = bounded(text.len(), || read(text, &day, &known)) else { return };
    for event in &read.events {
        lie_within(text, [event.span.clone()]);
        assert!(event.start < event.end, "{event:?}");
    }
});
