//! Days whose truth is known: a schedule is drawn first, then constraints that it keeps.

use jiff::Timestamp;
use steadfast_evidence::{FileId, Quote};
use steadfast_plan::model::{intent, vocabulary};
use steadfast_plan::window::minutes_after;
use steadfast_plan::{Constraint, Given, Interval, Notes, Priority, Readings, Rule, Task};
use steadfast_text::{Document, Format, Span};

use crate::notation::moment;

/// A small generator of numbers: the same seed gives the same day (Marsaglia's xorshift64).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn roll(&mut self, low: i64, high: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        low + i64::try_from(self.0 % u64::try_from(high - low + 1).unwrap()).unwrap()
    }

    pub(crate) fn chance(&mut self, percent: i64) -> bool {
        self.roll(1, 100) <= percent
    }
}

/// Things to do, no two of which share a content word.
pub(crate) const THINGS: &[&str] = &[
    "write the quarterly report",
    "water the tomato plants",
    "repair the garden gate",
    "sort tax receipts",
    "iron seven shirts",
    "practise the cello",
    "bake rye bread",
    "translate chapter four",
    "clean the aquarium",
    "back up photographs",
    "mend a puncture",
    "order printer paper",
];

/// Things that take place.
const EVENTS: &[&str] = &["dentist", "choir rehearsal", "school pick-up", "plumber"];

/// A day and a schedule that keeps all its constraints.
pub(crate) struct Day {
    pub(crate) notes: Notes,
    /// For each task when the schedule does it.
    pub(crate) truth: Vec<Interval>,
}

/// What has been written of the notes so far.
pub(crate) struct Writer {
    pub(crate) text: String,
    lines: Vec<Span>,
}

impl Writer {
    pub(crate) const fn new() -> Self {
        Self { text: String::new(), lines: Vec::new() }
    }

    /// Writes a line and gives its number.
    pub(crate) fn line(&mut self, words: &str) -> usize {
        let start = self.text.len();
        self.text.push_str(words);
        self.lines.push(Span::new(start, self.text.len()));
        self.text.push('\n');
        self.lines.len() - 1
    }

    /// The lines as quotes.
    pub(crate) fn quotes(&self) -> Vec<Quote> {
        let document = Document::from_str_as(&self.text, Format::Plain);
        self.lines.iter().map(|span| Quote::cut(FileId(0), &document, *span).unwrap()).collect()
    }
}

pub(crate) fn task(text: &str, quote: &Quote) -> Task {
    Task {
        quote: quote.clone(),
        text: text.to_owned(),
        intent: intent(text),
        priority: Priority::Normal,
        with: Vec::new(),
        place: None,
        in_one_go: false,
    }
}

/// A day of `count` tasks that fit.
pub(crate) fn day(seed: u64, count: usize) -> Day {
    let mut dice = Dice::new(seed);
    let now = moment("2026-01-26 08:00");
    let mut writer = Writer::new();
    let mut rules: Vec<(usize, Rule)> = Vec::new();
    let mut truth = Vec::new();
    let mut lines = Vec::new();
    let start = now.timestamp();
    let mut at = minutes_after(start, dice.roll(0, 4) * 15);
    let first = at;
    let mut things: Vec<&str> = Vec::new();
    while things.len() < count {
        let thing = THINGS[usize::try_from(dice.roll(0, i64::try_from(THINGS.len()).unwrap() - 1)).unwrap()];
        if !things.contains(&thing) {
            things.push(thing);
        }
    }
    let mut events = EVENTS.iter();
    for (task, thing) in things.iter().enumerate() {
        let minutes = dice.roll(2, 8) * 10;
        let when = Interval::new(at, minutes_after(at, minutes));
        truth.push(when);
        let line = writer.line(&format!("{thing}, {minutes} minutes"));
        lines.push(line);
        let minutes_max = dice.chance(30).then_some(minutes);
        rules.push((line, Rule::Duration { task, minutes_min: Some(minutes), minutes_max }));
        if dice.chance(40) {
            let slack = dice.roll(0, 6) * 10;
            let by = minutes_after(when.end, slack);
            let line = writer.line(&format!("{thing}: deadline {}", shown(by)));
            rules.push((line, Rule::Deadline { task: Some(task), by: Readings::unique(by) }));
        }
        if dice.chance(25) {
            let from = minutes_after(when.start, -dice.roll(0, 3) * 10);
            let line = writer.line(&format!("{thing}: not before {}", shown(from)));
            rules.push((line, Rule::NotBefore { task: Some(task), from: Readings::unique(from) }));
        }
        if dice.chance(30) {
            let line = writer.line(&format!("{thing}: must be done today"));
            let midnight = now.start_of_day().unwrap();
            let within = Interval::new(midnight.timestamp(), midnight.tomorrow().unwrap().timestamp());
            rules.push((line, Rule::MustDo { task, within: Some(within) }));
        }
        if task > 0 && dice.chance(25) {
            let line = writer.line(&format!("first {}, then {thing}", things[task - 1]));
            rules.push((line, Rule::Order { first: task - 1, then: task, gap: 0 }));
        }
        at = when.end;
        if dice.chance(50) {
            let gap = Interval::new(at, minutes_after(at, dice.roll(2, 6) * 10));
            let name = events.next().filter(|_| dice.chance(60));
            if let Some(name) = name {
                let line = writer.line(&format!("{name} {} to {}", shown(gap.start), shown(gap.end)));
                let when = Readings::unique(vec![gap]);
                let (with, place) = (Vec::new(), None);
                rules.push((line, Rule::FixedEvent { name: (*name).to_owned(), when, with, place }));
            } else {
                let line = writer.line(&format!("nothing {} to {}", shown(gap.start), shown(gap.end)));
                rules.push((line, Rule::Blocked { name: None, who: None, when: Readings::unique(vec![gap]) }));
            }
            at = gap.end;
        } else {
            at = minutes_after(at, dice.roll(0, 3) * 10);
        }
    }
    // Room for a break, and for a review where there are fewer than three tasks.
    let end = minutes_after(at, dice.roll(4, 9) * 10);
    if dice.chance(70) {
        let line = writer.line(&format!("I have from {} to {}", shown(first), shown(end)));
        let when = Readings::unique(vec![Interval::new(first, end)]);
        rules.push((line, Rule::Availability { who: None, when }));
    } else {
        let line = writer.line(&format!("I leave at {}", shown(end)));
        rules.push((line, Rule::Deadline { task: None, by: Readings::unique(end) }));
    }
    let quotes = writer.quotes();
    let mut notes = Notes::empty(now);
    notes.vocabulary = vocabulary(&writer.text);
    notes.tasks = things.iter().zip(&lines).map(|(thing, line)| task(thing, &quotes[*line])).collect();
    notes.constraints = constraints(rules, &quotes);
    Day { notes, truth }
}

pub(crate) fn constraints(rules: Vec<(usize, Rule)>, quotes: &[Quote]) -> Vec<Constraint> {
    let made = rules.into_iter().enumerate().map(|(at, (line, rule))| Constraint {
        id: format!("c{}", at + 1),
        hard: !matches!(rule, Rule::Preference { .. }),
        rule,
        quote: Some(quotes[line].clone()),
    });
    made.collect()
}

/// "14:30" in New York.
pub(crate) fn shown(at: Timestamp) -> String {
    at.to_zoned(crate::notation::zone()).strftime("%H:%M").to_string()
}

/// An item of a plan.
pub(crate) fn given(task: &str, when: Interval) -> Given {
    let written =
        |at: Timestamp| steadfast_plan::answer::written(steadfast_plan::Moment::At(at), &crate::notation::zone());
    Given {
        task: Some(task.to_owned()),
        why: Some("The notes ask for it.".to_owned()),
        timebox_minutes: Some(when.minutes()),
        start: Some(written(when.start)),
        end: Some(written(when.end)),
        ..Given::default()
    }
}
