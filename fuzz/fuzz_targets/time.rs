//! No prose breaks the readers of dates, lengths and times, and what they find stands in the text.
#![no_main]

use jiff::civil::date;
use jiff::tz::TimeZone;
use libfuzzer_sys::fuzz_target;
use steadfast_fuzz::{bounded, lie_within};
use steadfast_time::{Anchor, dates, durations, expressions};

fuzz_target!(|text: &str| {
    let zone = TimeZone::get("Europe/Berlin").expect("a bundled zone");
    let anchor = Anchor::new(date(2026, 10, 24).at(9, 30, 0, 0).to_zoned(zone).expect("a time"));
    bounded(text.len(), || {
        lie_within(text, dates(text).into_iter().map(|own| own.range));
        lie_within(text, durations(text).into_iter().flat_map(|own| [own.range, own.number_range]));
        for found in expressions(text, &anchor) {
            lie_within(text, [found.span.clone()].into_iter().chain(found.parts.iter().map(|part| part.span.clone())));
            let _ = found.local_times(&anchor);
        }
    });
});
