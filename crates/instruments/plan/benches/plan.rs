//! Making a plan of 40 tasks, checking one against 200 pages' worth of constraints, and reading notes of 200 pages and lines of
//! a megabyte: the times must grow as the sizes do.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use jiff::civil::date;
use jiff::tz::TimeZone;
use steadfast_evidence::{FileId, Quote};
use steadfast_plan::model::{intent, vocabulary};
use steadfast_plan::window::minutes_after;
use steadfast_plan::{
    Constraint, Interval, Notes, Priority, Readings, Rule, Settings, Task, Variant, ask, check, plan, run,
};
use steadfast_text::{Document, Format, Span};

/// Constraints on 200 pages, ten on each.
const CONSTRAINTS: usize = 2_000;

const VERBS: &[&str] = &["write", "water", "repair", "sort", "iron", "practise", "bake", "translate"];
const NOUNS: &[&str] = &["report", "plants", "gate", "receipts", "shirts", "cello", "bread", "chapter"];

/// Notes of so many tasks and constraints, with one quote each.
fn notes(tasks: usize, constraints: usize) -> Option<Notes> {
    let mut text = String::new();
    let mut lines = Vec::new();
    let mut line = |words: String| {
        let start = text.len();
        text.push_str(&words);
        lines.push(Span::new(start, text.len()));
        text.push('\n');
    };
    for at in 0..tasks {
        line(format!("{} the {} of house {at}", VERBS[at % 8], NOUNS[at / 8 % 8]));
    }
    for at in 0..constraints {
        line(format!("house {} says so on page {}", at % tasks, at / 10));
    }
    let document = Document::from_str_as(&text, Format::Plain);
    let quotes: Vec<Quote> = lines.iter().filter_map(|span| Quote::cut(FileId(0), &document, *span)).collect();
    let now = date(2026, 1, 26).at(8, 0, 0, 0).to_zoned(TimeZone::UTC).ok()?;
    let start = now.timestamp();
    let mut notes = Notes::empty(now);
    notes.vocabulary = vocabulary(&text);
    for quote in quotes.iter().take(tasks) {
        notes.tasks.push(Task {
            quote: quote.clone(),
            text: quote.text().to_owned(),
            intent: intent(quote.text()),
            priority: Priority::Normal,
            with: Vec::new(),
            place: None,
            in_one_go: false,
        });
    }
    for (at, quote) in quotes.iter().skip(tasks).enumerate() {
        let minute = i64::try_from(at).ok()?;
        let task = at % tasks;
        let by = minutes_after(start, 720 + minute % 60);
        let times = vec![Interval::new(minutes_after(start, 1_440 + minute), minutes_after(start, 1_470 + minute))];
        let rule = match at % 5 {
            0 => Rule::Deadline { task: Some(task), by: Readings::unique(by) },
            1 => Rule::Duration { task, minutes_min: Some(10), minutes_max: None },
            2 => Rule::Blocked { name: None, who: None, when: Readings::unique(times) },
            3 => Rule::FixedEvent {
                name: quote.text().to_owned(),
                when: Readings::unique(times),
                with: Vec::new(),
                place: None,
            },
            _ => Rule::MustDo { task, within: None },
        };
        notes.constraints.push(Constraint { id: format!("c{at}"), rule, quote: Some(quote.clone()), hard: true });
    }
    Some(notes)
}

fn planning(criterion: &mut Criterion) {
    let settings = Settings::default();
    let mut group = criterion.benchmark_group("plan a day");
    for tasks in [10, 40] {
        let Some(notes) = notes(tasks, tasks * 2) else { return };
        group.bench_function(BenchmarkId::new("plan, tasks", tasks), |bencher| {
            bencher.iter(|| plan(black_box(&notes), &settings));
        });
        group.bench_function(BenchmarkId::new("plan, prove and repair, tasks", tasks), |bencher| {
            bencher.iter(|| run(black_box(&notes), &settings, Variant::V4Repair));
        });
    }
    group.finish();
}

fn checking(criterion: &mut Criterion) {
    let settings = Settings::default();
    let mut group = criterion.benchmark_group("check a plan against constraints");
    group.sample_size(20);
    for times in [1, 4] {
        let Some(notes) = notes(40, CONSTRAINTS * times) else { return };
        let items = plan(&notes, &settings).given(&TimeZone::UTC);
        group.bench_function(BenchmarkId::from_parameter(CONSTRAINTS * times), |bencher| {
            bencher.iter(|| check(black_box(&notes), &items, &settings));
        });
    }
    group.finish();
}

/// Characters of a page.
const PAGE: usize = 3_000;

/// A day's notes, as often as a text of so many characters holds them.
fn dense(chars: usize) -> String {
    let day = "Working from 8:30 until 17:00, standup 9:30 as always.\n- finish the report for Ana (2h), must go out by 3pm\n\
               - call the bank @ 11:15 (20 min)\n- tidy the desk if there's time\nDentist moved from 2 to 3:30, leave at 3.\n\n";
    day.chars().cycle().take(chars).collect()
}

/// Prose that states nothing of the day, with lines of a day's length between its paragraphs.
fn prose(chars: usize) -> String {
    let sentences = "Old maps show the river further west than it runs. The mason left a mark, although nobody knows whose it is. \
                     Granite holds the heat longer than limestone does, or so the second chapter claims.\n\n";
    sentences.chars().cycle().take(chars).collect()
}

fn reading(criterion: &mut Criterion) {
    let settings = Settings::default();
    let Ok(now) = date(2026, 1, 26).at(8, 0, 0, 0).to_zoned(TimeZone::UTC) else { return };
    let mut group = criterion.benchmark_group("read notes");
    group.sample_size(10);
    let line = |chars: usize| prose(chars).replace('\n', " ");
    let texts = [
        ("prose, pages/50", prose(50 * PAGE)),
        ("prose, pages/200", prose(200 * PAGE)),
        ("days, pages/50", dense(50 * PAGE)),
        ("days, pages/200", dense(200 * PAGE)),
        ("one line, kB/250", line(250_000)),
        ("one line, kB/1000", line(1_000_000)),
    ];
    for (name, text) in texts {
        let document = Document::from_str_as(&text, Format::Markdown);
        group.bench_function(name, |bencher| {
            bencher.iter(|| ask::read(FileId(0), black_box(&document), &now, &settings));
        });
    }
    group.finish();
}

criterion_group!(benches, planning, checking, reading);
criterion_main!(benches);
