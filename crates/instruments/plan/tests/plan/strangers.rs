//! Notes of a day as people scribble them, by writers who had not seen the reader, each with what a sensible person reads in
//! it: 200 on which the reader was tuned, and 60 that were kept aside. Floors hold what was measured; a change that reads
//! worse fails here, and the printed table says where.
//!
//! A task counts as read where its words do; an event where its clock times do; a limit ("by", "must", minutes) where the task
//! was read and the limit is the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use serde_json::Value;
use steadfast_evidence::FileId;
use steadfast_plan::window::clock;
use steadfast_plan::{Notes, Rule, Settings, ask};
use steadfast_text::{Document, Format};

/// What was read right, what there is, and what was read in all.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    right: usize,
    wanted: usize,
    read: usize,
}

impl Tally {
    fn recall(self) -> f64 {
        share(self.right, self.wanted)
    }

    fn precision(self) -> f64 {
        share(self.right, self.read)
    }
}

fn share(part: usize, whole: usize) -> f64 {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap());
    if whole == 0 { 1.0 } else { number(part) / number(whole) }
}

type Tallies = BTreeMap<&'static str, Tally>;

fn add(tallies: &mut Tallies, name: &'static str, right: bool, wanted: bool, read: bool) {
    let tally = tallies.entry(name).or_default();
    tally.right += usize::from(right);
    tally.wanted += usize::from(wanted);
    tally.read += usize::from(read);
}

fn words(text: &str) -> Vec<String> {
    let low = text.to_lowercase().replace('\u{2019}', "'");
    low.split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Whether two names say the same: one within the other, or more than half of the longer one's words.
fn alike(a: &str, b: &str) -> bool {
    let (a, b) = (words(a), words(b));
    if a.is_empty() || b.is_empty() {
        return false;
    }
    let (joined_a, joined_b) = (a.join(" "), b.join(" "));
    let shared = a.iter().filter(|word| b.contains(word)).count();
    joined_a.contains(&joined_b) || joined_b.contains(&joined_a) || shared * 2 > a.len().max(b.len())
}

/// What the notes say of one task: by when, that it must be done, and how many minutes it takes at least and at most.
fn limits(notes: &Notes, task: usize) -> (Option<Timestamp>, bool, Option<i64>, Option<i64>) {
    let mut found = (None, false, None, None);
    for constraint in &notes.constraints {
        match &constraint.rule {
            Rule::Deadline { task: Some(of), by } if *of == task => found.0 = Some(*by.first()),
            Rule::MustDo { task: of, .. } if *of == task => found.1 = true,
            Rule::Duration { task: of, minutes_min, minutes_max } if *of == task => {
                found.2 = minutes_min.or(found.2);
                found.3 = minutes_max.or(found.3);
            }
            _ => {}
        }
    }
    found
}

fn tasks(notes: &Notes, truth: &Value, tallies: &mut Tallies) {
    let shown = |at: Timestamp| clock(at, notes.now.time_zone(), notes.now.date());
    let mut left: Vec<usize> = (0..notes.tasks.len()).collect();
    for wanted in truth["tasks"].as_array().unwrap() {
        let name = wanted["words"].as_str().unwrap();
        let same = |at: &usize| words(&notes.tasks[*at].text) == words(name);
        let near = |at: &usize| alike(&notes.tasks[*at].text, name);
        let Some(place) = left.iter().position(same).or_else(|| left.iter().position(near)) else {
            add(tallies, "tasks", false, true, false);
            continue;
        };
        let task = left.remove(place);
        add(tallies, "tasks", true, true, true);
        let (by, must, min, max) = limits(notes, task);
        let wanted_by = wanted["by"].as_str().map(str::to_owned);
        // The end of the day or of usual work says no more than "today".
        let by = by.map(shown).filter(|by| wanted_by.is_some() || !(by.ends_with("00:00") || by == "18:00"));
        add(tallies, "by", by.is_some() && by == wanted_by, wanted_by.is_some(), by.is_some());
        let wanted_must = wanted["must"].as_bool().unwrap();
        let must = must || (wanted_must && by.is_some());
        add(tallies, "must", must && wanted_must, wanted_must, must);
        let minutes = wanted["minutes"].as_array().map(|range| (range[0].as_i64(), range[1].as_i64()));
        let read = min.is_some() || max.is_some();
        let right = minutes.is_some_and(|(least, most)| {
            (min == least && (max == most || max.is_none())) || (max == most && min.is_none())
        });
        add(tallies, "minutes", right && read, minutes.is_some(), read);
    }
    for _ in left {
        add(tallies, "tasks", false, false, true);
    }
}

fn events(notes: &Notes, truth: &Value, tallies: &mut Tallies) {
    let shown = |at: Timestamp| clock(at, notes.now.time_zone(), notes.now.date());
    let mut left: Vec<(String, String)> = Vec::new();
    for constraint in &notes.constraints {
        if let Rule::FixedEvent { when, .. } = &constraint.rule {
            left.extend(when.first().iter().map(|it| (shown(it.start), shown(it.end))));
        }
    }
    for wanted in truth["events"].as_array().unwrap() {
        let fits = |(start, end): &(String, String)| {
            Some(start.as_str()) == wanted["start"].as_str()
                && wanted["end"].as_str().is_none_or(|wanted| wanted == end)
        };
        let place = left.iter().position(fits);
        add(tallies, "events", place.is_some(), true, place.is_some());
        place.map(|place| left.remove(place));
    }
    for _ in left {
        add(tallies, "events", false, false, true);
    }
}

/// Reads all notes of a set.
fn tallies(set: &str) -> Tallies {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/notes").join(set);
    let mut all = Tallies::new();
    for line in fs::read_to_string(path).unwrap().lines() {
        let truth: Value = serde_json::from_str(line).unwrap();
        let zone = TimeZone::get(truth["tz"].as_str().unwrap()).unwrap();
        let now: Zoned = truth["at"].as_str().unwrap().parse::<Timestamp>().unwrap().to_zoned(zone);
        let document = Document::from_str_as(truth["notes"].as_str().unwrap(), Format::Markdown);
        let notes = ask::read(FileId(0), &document, &now, &Settings::default());
        tasks(&notes, &truth, &mut all);
        events(&notes, &truth, &mut all);
    }
    all
}

#[track_caller]
fn check(set: &str, floors: &[(&str, f64, f64)]) {
    let all = tallies(set);
    let mut table = String::new();
    let mut fallen = false;
    for (name, recall, precision) in floors {
        let tally = all[name];
        table += &format!(
            "{name:8} recall {:.3} (floor {recall}), precision {:.3} (floor {precision}), of {}\n",
            tally.recall(),
            tally.precision(),
            tally.wanted
        );
        fallen |= tally.recall() < *recall || tally.precision() < *precision;
    }
    assert!(!fallen, "{set}\n{table}");
}

#[test]
fn notes_that_the_reader_was_tuned_on() {
    // Pieces read times at which somebody is busy as events, so of events fewer are right.
    check(
        "tuned.jsonl",
        &[
            ("tasks", 0.94, 0.85),
            ("events", 0.80, 0.74),
            ("by", 0.89, 0.89),
            ("must", 0.87, 0.98),
            ("minutes", 0.91, 0.97),
        ],
    );
}

#[test]
fn notes_that_were_kept_aside() {
    check(
        "kept.jsonl",
        &[
            ("tasks", 0.92, 0.86),
            ("events", 0.85, 0.75),
            ("by", 0.60, 0.69),
            ("must", 0.67, 0.91),
            ("minutes", 0.91, 0.96),
        ],
    );
}
