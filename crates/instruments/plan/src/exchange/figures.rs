//! Whether the times and lengths of a reading follow from figures of the notes.
//!
//! How people write times has no end ("8–8.20", "half six", "15 Uhr", "1430"), and a reading is proposed by somebody who understands them. So no grammar is asked of the
//! words here, but their figures: a time or a length whose hours and minutes stand nowhere is none of the notes'.

use std::collections::BTreeSet;

use jiff::civil::Time;
use jiff::{Timestamp, Zoned};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use steadfast_text::{Document, QuoteIndex, Span};
use steadfast_time::numeral::{Found, numeral_at};
use steadfast_time::scan::blocks;

use crate::document::{GivenConstraint, GivenTask};
use crate::model::{Notes, Rule};

/// Notes rarely say which half of a day they mean.
const HALF_DAY_HOURS: i64 = 12;

const HOUR_MINUTES: i64 = 60;

/// Parts of an hour that words say without a figure: half past, a quarter of an hour.
const SPOKEN_MINUTES: [i64; 3] = [15, 30, 45];

/// Lengths that words say without a figure: an hour, an hour and a half.
const SPOKEN_LENGTHS: [i64; 5] = [15, 30, 45, 60, 90];

/// Words for twelve o'clock.
const MIDDLE: [&str; 4] = ["noon", "noonish", "midday", "midnight"];

/// The figures of notes.
pub(super) struct Figures<'a> {
    document: &'a Document,
    index: QuoteIndex<'a>,
    now: Zoned,
    /// Of each block.
    lines: Vec<BTreeSet<i64>>,
    /// The words of tasks of which rules read a length.
    measured: Vec<Span>,
}

impl<'a> Figures<'a> {
    /// Those of a document that rules read so.
    pub(super) fn new(document: &'a Document, own: &Notes) -> Self {
        let lines = document.blocks.iter().map(|block| figures(&block.text.plain)).collect();
        let measured = own.constraints.iter().filter_map(|it| match it.rule {
            Rule::Duration { task, .. } => Some(own.tasks.get(task)?.quote.span()),
            _ => None,
        });
        let measured = measured.collect();
        Self { document, index: QuoteIndex::new(document), now: own.now.clone(), lines, measured }
    }

    /// Why a task's length does not follow from the words; `None` where it does, or where they have no figure.
    pub(super) fn of_task(&self, task: &GivenTask) -> Option<String> {
        let place = self.index.locate(&task.words.quote).map(|found| found.span);
        let is_measured = place.is_some_and(|place| self.measured.iter().any(|own| own.overlaps(place)));
        self.length(&self.around(&task.words.quote), task.minutes?, !is_measured)
    }

    /// The same of the times and lengths of a constraint.
    pub(super) fn of_constraint(&self, own: &GivenConstraint) -> Option<String> {
        let line = self.around(&own.words.quote);
        let times = [&own.start, &own.end].into_iter().flatten().filter_map(|text| text.parse::<Timestamp>().ok());
        let wrong = times.filter_map(|at| self.time(&line, at)).next();
        let mut lengths = [own.minutes_min, own.minutes_max].into_iter().flatten();
        wrong.or_else(|| lengths.find_map(|minutes| self.length(&line, minutes, true)))
    }

    /// The figures of the blocks in which words stand.
    fn around(&self, quote: &str) -> BTreeSet<i64> {
        let Some(found) = self.index.locate(quote) else { return BTreeSet::new() };
        let blocks = self.document.blocks.iter().zip(&self.lines);
        blocks.filter(|(block, _)| block.span.overlaps(found.span)).flat_map(|(_, line)| line.iter().copied()).collect()
    }

    /// A time may be that of an event in another line.
    fn time(&self, line: &BTreeSet<i64>, at: Timestamp) -> Option<String> {
        let time = at.to_zoned(self.now.time_zone().clone()).time();
        let minute = i64::from(time.hour()) * HOUR_MINUTES + i64::from(time.minute());
        let lengths: BTreeSet<i64> = self.lines.iter().flatten().copied().chain(SPOKEN_LENGTHS).collect();
        let follows = line.is_empty()
            || self.lines.iter().any(|line| says(line, minute))
            // Two hours before it, twenty minutes after it.
            || lengths.iter().flat_map(|own| [*own, own * HOUR_MINUTES]).any(|long| {
                says(line, minute + long) || says(line, minute - long)
            });
        (!follows).then(|| format!("no figure of the notes says {}", written(time)))
    }

    /// Words without a figure may say a length where it `may_be_spoken`.
    fn length(&self, line: &BTreeSet<i64>, minutes: i64, may_be_spoken: bool) -> Option<String> {
        let hours = |own: &i64| own * HOUR_MINUTES;
        let follows = line.is_empty()
            || may_be_spoken && SPOKEN_LENGTHS.contains(&minutes)
            || line.iter().any(|one| {
                // "20 min", "2 hours", "2 h 20", "two and a half hours".
                let rest = minutes - hours(one);
                let rests = rest == 0 || line.contains(&rest) || SPOKEN_MINUTES.contains(&rest);
                // "2 x 45", "20 there and 20 back".
                *one == minutes || rests || line.iter().any(|other| one * other == minutes || one + other == minutes)
            });
        (!follows).then(|| format!("no figure beside its words says {minutes} minutes"))
    }
}

/// Whether figures can say a minute of the day: "3.30", "half six", "ten to four".
fn says(line: &BTreeSet<i64>, minute: i64) -> bool {
    let of_day = minute.rem_euclid(2 * HALF_DAY_HOURS * HOUR_MINUTES);
    let (hour, minute) = (of_day / HOUR_MINUTES, of_day % HOUR_MINUTES);
    let has =
        |hour: i64| line.iter().any(|own| *own <= 2 * HALF_DAY_HOURS && (own - hour).rem_euclid(HALF_DAY_HOURS) == 0);
    let to_next = HOUR_MINUTES - minute;
    let spoken = SPOKEN_MINUTES.contains(&minute);
    has(hour) && (minute == 0 || line.contains(&minute) || spoken)
        || minute != 0 && has(hour + 1) && (line.contains(&to_next) || spoken)
}

fn written(time: Time) -> String {
    time.strftime("%H:%M").to_string()
}

/// The numbers of a text, in digits and in words; four digits in a row are hours and minutes as well, and of a fraction its minutes.
fn figures(text: &str) -> BTreeSet<i64> {
    let mut all = BTreeSet::new();
    for digits in text.split(|own: char| !own.is_ascii_digit()).filter(|own| (1..=4).contains(&own.len())) {
        let Ok(number) = digits.parse::<i64>() else { continue };
        all.insert(number);
        if digits.len() > 2 {
            all.extend([number / 100, number % 100]);
        }
    }
    blocks(text, |tokens| {
        for at in 0..tokens.list.len() {
            if let Found::Number(own) = numeral_at(tokens, at) {
                let whole = own.value.trunc();
                all.extend(whole.to_i64());
                if whole != own.value {
                    all.extend((own.value * Decimal::from(HOUR_MINUTES)).to_i64());
                }
            }
            if MIDDLE.contains(&tokens.word(at).to_ascii_lowercase().as_str()) {
                all.insert(HALF_DAY_HOURS);
            }
        }
    });
    all
}
