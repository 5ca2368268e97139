//! Ten messy days written by hand: what must be read in each, and whether there is a plan for it.

use std::fs;
use std::path::Path;

use steadfast_evidence::Evaluated;
use steadfast_plan::plan::Feasibility;
use steadfast_plan::verdict::Status;
use steadfast_plan::{Settings, check, planner};

use crate::reading::{read_at, shown};

/// A value of the front matter of a day.
fn value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

#[test]
fn days_are_read_and_planned() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/days");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 10);
    let mut faults = String::new();
    let mut hopeless = 0;
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).unwrap();
        let notes = read_at(value(&text, "now").unwrap(), &text);
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
