//! BIG-Bench Hard, temporal sequences: sightings of a day and four windows; in which one was the person free?
//!
//! The ranges of the text are busy, its limits bound the day; the free window is the option that meets none of them. Everything is read by
//! the reader of time expressions; only the marks of the options are the set's.

use jiff::civil::{Time, date};
use jiff::tz::TimeZone;
use serde::Deserialize;
use steadfast_time::{Anchor, Limit, Reading, expressions};

use super::drift::{ratio, share};
use super::{Reader, Set, Uses};
use crate::files::json;
use crate::row::is_tuned;
use crate::{Files, Means, MeasureError, Row};

pub(super) const SET: Set = Set {
    name: "bbh_time",
    about: "the free window of a day, from sightings",
    metrics: &[ratio("accuracy", Some(1.0), Some(0.91))],
    read: Reader::of(Uses::Rules, read),
};

#[derive(Deserialize)]
struct Examples {
    examples: Vec<Example>,
}

#[derive(Deserialize)]
struct Example {
    input: String,
    target: String,
}

fn read(files: &Files, _: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let mut rows = Vec::new();
    for (name, bytes) in files.ending("temporal_sequences.json") {
        for (index, example) in json::<Examples>(name, bytes)?.examples.iter().enumerate() {
            let prediction = answer(&example.input).unwrap_or_else(|| "none".to_owned());
            let right = prediction == example.target;
            rows.push(Row {
                id: format!("{name}:{index}"),
                prediction,
                score: None,
                label: example.target.clone(),
                tuned: is_tuned(index),
                group: None,
                counts: vec![share("accuracy", right)],
            });
        }
    }
    if rows.is_empty() {
        return Err(MeasureError::NoFile { set: SET.name, looked_for: "*temporal_sequences.json".to_owned() });
    }
    Ok(rows)
}

/// The mark of the option that is free.
fn answer(input: &str) -> Option<String> {
    let anchor = Anchor::new(date(2024, 1, 1).to_zoned(TimeZone::UTC).ok()?);
    let (story, options) = input.split_once("Options:")?;
    let (mut busy, mut begin, mut end) = (Vec::new(), Time::MIN, Time::MAX);
    for expression in expressions(story, &anchor) {
        match (expression.readings.first()?, expression.limit.map(|limit| limit.limit)) {
            (Reading::TimeRange { start, end }, _) => busy.push((*start, *end)),
            // "woke up at 7am": before it nothing; "closed after 9pm": nothing from then on.
            (Reading::Time(at), None) => begin = begin.max(*at),
            (Reading::Time(at), Some(Limit::After)) => end = end.min(*at),
            _ => {}
        }
    }
    options.lines().find_map(|line| {
        let (mark, window) = line.trim().split_once(' ')?;
        let Reading::TimeRange { start, end: until } = *expressions(window, &anchor).first()?.readings.first()? else {
            return None;
        };
        let meets = busy.iter().any(|(from, to)| *from < until && start < *to);
        (!meets && start >= begin && until <= end).then(|| mark.to_owned())
    })
}
