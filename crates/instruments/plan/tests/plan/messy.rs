//! Ten messy days written by hand: what must be read in each, and whether there is a plan for it; alone, and inside long notes.

use std::fs;
use std::path::Path;

use steadfast_evidence::Evaluated;
use steadfast_plan::plan::{Feasibility, PlanItem};
use steadfast_plan::variant::{Variant, run};
use steadfast_plan::verdict::Status;
use steadfast_plan::{Given, Notes, Settings, check, planner};

use crate::days::Dice;
use crate::reading::{read_at, shown};

/// A value of the front matter of a day.
fn value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

/// The days by name.
pub(crate) fn days() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/days");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 10);
    let named = |file: &Path| file.file_stem().unwrap().to_string_lossy().into_owned();
    files.iter().map(|file| (named(file), fs::read_to_string(file).unwrap())).collect()
}

/// The notes of a day at its time.
pub(crate) fn noted(text: &str) -> Notes {
    read_at(value(text, "now").unwrap(), text)
}

#[test]
fn days_are_read_and_planned() {
    let mut faults = String::new();
    let mut hopeless = 0;
    for (name, text) in days() {
        let notes = noted(&text);
        let read = shown(&notes);
        for line in text.lines().filter_map(|line| line.strip_prefix("  - ")) {
            let line = line.trim_matches('"');
            if !read.iter().any(|it| it == line || it.strip_prefix("task ") == Some(line)) {
                faults += &format!("{name}: \"{line}\" is not read\n");
            }
        }
        if let Some(asked) = value(&text, "asks")
            && !notes.questions.iter().any(|it| it.contains(asked))
        {
            faults += &format!("{name}: is not asked: {asked}\n");
        }
        let settings = Settings::default();
        let plan = planner::plan(&notes, &settings);
        let feasible = matches!(plan.feasibility, Feasibility::Feasible);
        let wanted = value(&text, "feasible") == Some("true");
        hopeless += usize::from(!wanted);
        if feasible != wanted {
            faults += &format!("{name}: feasible {feasible}, {:?}\n", plan.feasibility);
        }
        let verdict = check(&notes, &plan.given(notes.now.time_zone()), &settings);
        let Evaluated::Value(verdict) = verdict else { panic!("{name} is not evaluable") };
        if wanted && verdict.status != Status::Pass {
            let hard: Vec<_> = verdict.findings.iter().filter(|it| it.hard).map(|it| &it.message).collect();
            faults += &format!("{name}: the plan does not pass: {hard:#?}\n");
        }
        if faults.contains(&name) {
            faults += &format!("{read:#?}\n");
        }
    }
    assert!(hopeless >= 3);
    assert!(faults.is_empty(), "{faults}");
}

/// Characters of a page.
const PAGE_CHARS: usize = 3_000;

/// Pages around a day.
const PAGES: usize = 20;

/// Sentences of a book that ask nothing of anybody and name no time.
const UNRELATED: [&str; 14] = [
    "The old harbour was built of granite that came down the river on flat boats.",
    "Lichens grow slowly, and their rings tell how long a wall has stood.",
    "Most of the letters in the archive are about the price of rope.",
    "A good map leaves out more than it shows.",
    "The painter mixed chalk into her blues to keep them from shining.",
    "Herons fish alone, although they nest in crowds.",
    "What the author calls a tradition is seldom older than the railway.",
    "Copper roofs turn green because of the sulphur in the air.",
    "The chapter on tides is clearer than the one on winds.",
    "Glass was rare in the valley, and oiled paper served instead.",
    "In the second part the narrator becomes less certain of everything.",
    "The bells were cast from cannon that nobody wanted to keep.",
    "Bees find their way home by the sun even under thin cloud.",
    "Its footnotes quarrel with each other in a friendly manner.",
];

/// Half of the pages: paragraphs of sentences, in an order that `seed` gives.
fn unrelated(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let mut out = String::new();
    while out.len() < PAGES * PAGE_CHARS / 2 {
        for _ in 0..5 {
            out += UNRELATED[usize::try_from(dice.roll(0, UNRELATED.len() as i64 - 1)).unwrap()];
            out += " ";
        }
        out += "\n\n";
    }
    out
}

/// What a reader of the notes is told: what is read, asked and planned, and the verdict.
fn told(notes: &Notes) -> Vec<String> {
    let mut lines = shown(notes);
    lines.extend(notes.questions.iter().map(|question| format!("asks {question}")));
    let settings = Settings::default();
    let Evaluated::Value(planned) = run(notes, &settings, Variant::default()) else { panic!("not evaluable") };
    let item = |it: &PlanItem| format!("plans {} {} to {}", it.task, it.when.start, it.when.end);
    lines.extend(planned.plan.items.iter().map(item));
    lines.push(format!("{:?}, {:?}, {:?}", planned.standing, planned.validation.status, planned.plan.feasibility));
    lines.extend(planned.validation.findings.iter().map(|it| format!("finds {}", it.message)));
    lines
}

#[test]
fn days_are_the_same_inside_twenty_pages() {
    let mut faults = String::new();
    for (seed, (name, text)) in (1..).zip(days()) {
        let (_, own) = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
        let (before, after) = (unrelated(seed), unrelated(seed + 100));
        let long = format!("# Reading notes\n\n{before}\n# Today\n\n{own}\n\n# More reading notes\n\n{after}");
        assert!(long.len() >= PAGES * PAGE_CHARS);
        let now = value(&text, "now").unwrap();
        let (alone, inside) = (told(&read_at(now, own)), told(&read_at(now, &long)));
        for (sign, lines, others) in [("lost", &alone, &inside), ("gained", &inside, &alone)] {
            for line in lines.iter().filter(|line| !others.contains(line)) {
                faults += &format!("{name}: {sign}: {line}\n");
            }
        }
        if alone.len() != inside.len() {
            faults += &format!("{name}: {} lines alone, {} inside\n", alone.len(), inside.len());
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

/// The inventions that are found in a plan.
fn inventions(notes: &Notes, items: &[Given]) -> Vec<String> {
    let Evaluated::Value(verdict) = check(notes, items, &Settings::default()) else { panic!("not evaluable") };
    let gates = verdict.findings.into_iter().filter(|it| it.check.starts_with("invented-"));
    gates.map(|it| it.message).collect()
}

#[test]
fn what_we_say_of_an_item_is_no_invention() {
    let mut said = std::collections::BTreeSet::new();
    let mut all = Vec::new();
    for (name, text) in days() {
        let notes = noted(&text);
        for variant in Variant::ALL {
            let Evaluated::Value(planned) = run(&notes, &Settings::default(), variant) else { panic!("not evaluable") };
            said.extend(planned.items.iter().filter_map(|it| it.why.clone()));
            assert_eq!(inventions(&notes, &planned.items), [""; 0], "{name}, {variant:?}");
        }
        all.push((name, notes));
    }
    // What quotes no notes must hold in any others.
    said.retain(|why| !why.contains(['"', '\u{201C}']) && !why.contains("it is due") && !why.contains(" at "));
    assert!(said.contains("It stands next in the notes."), "{said:?}");
    for (name, notes) in &all {
        for why in &said {
            let task = notes.tasks.first().map(|it| it.text.clone());
            let item = Given { task, why: Some(why.clone()), timebox_minutes: Some(10), ..Given::default() };
            assert_eq!(inventions(notes, &[item]), [""; 0], "{name}");
        }
    }
}
