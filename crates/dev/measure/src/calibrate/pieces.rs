//! The coefficients by which `plan` cuts notes into pieces and tells what each says, fitted on notes whose pieces are labelled.
//!
//! A line of `pieces.jsonl` is a note: `id`, `at` (RFC 3339), `tz`, `notes` (the text), `pieces` in order, each `[quote, kind, about, role]`.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Deserialize;
use steadfast_plan::ask::{Case, Cases, Labelled, Of, Says, piece_cases};
use steadfast_text::{Document, Format};

use super::Fitted;
use super::softmax::{Example, Fit};
use crate::files::json_lines;
use crate::{Files, MeasureError};

/// The folder that is read.
pub const FOLDERS: [&str; 1] = ["notes_wide"];
/// The file of a folder that is read.
const PIECES: &str = "pieces.jsonl";
/// A folder of this name holds notes that nothing is fitted on.
const KEPT: &str = "kept";
/// A coefficient nearer to nought is left out: with .2 that cost .02 to .03 of the loss on writers that were held out, with .1 a tenth of it.
const SMALL: f64 = 0.1;
/// The parts of the writers of which one is held out at a time.
const FOLDS: usize = 5;
/// From this probability on what a piece says is counted as sure.
const SURE: f64 = 0.8;

#[derive(Deserialize)]
struct Note {
    id: String,
    at: String,
    tz: String,
    notes: String,
    pieces: Vec<(String, String, Option<String>, Option<String>)>,
}

/// The names and columns of the scorers, and what is taken off each coefficient in proportion to it, each time that its feature stands in a
/// case: of .0005 to .1 what makes the loss least on writers that were held out.
const SCORERS: [(&str, usize, f64); 3] =
    [("cuts", 2, 0.02), ("says", Says::ALL.len(), 0.004), ("of", Of::ALL.len(), 0.002)];

fn fit(cases: &[Case], which: usize) -> Fit {
    let examples: Vec<Example<'_>> =
        cases.iter().map(|case| Example { column: case.column, features: &case.features, weight: 1.0 }).collect();
    Fit::of(&examples, SCORERS[which].1, |_| SCORERS[which].2)
}

/// Fits the coefficients on all notes that are there.
///
/// # Errors
/// [`MeasureError`] where no notes are there or a file is not of its form.
pub fn calibrate(data: &BTreeMap<String, Files>) -> Result<Fitted, MeasureError> {
    let mut by_writer: BTreeMap<String, Vec<Cases>> = BTreeMap::new();
    let mut notes = 0;
    for (name, bytes) in data.get(FOLDERS[0]).into_iter().flat_map(|files| files.ending(PIECES)) {
        if name.split('/').any(|part| part == KEPT) {
            continue;
        }
        for note in json_lines::<Note>(name, bytes)? {
            let wrong = || MeasureError::Form { file: name.to_owned(), what: format!("`{}` has no time", note.id) };
            let at: Timestamp = note.at.parse().map_err(|_| wrong())?;
            let now = at.in_tz(&note.tz).map_err(|_| wrong())?;
            let document = Document::from_str_as(&note.notes, Format::Markdown);
            let writer = note.id.split('-').next().unwrap_or_default();
            by_writer.entry(format!("{name} {writer}")).or_default().push(piece_cases(&document, &now, &labels(&note)));
            notes += 1;
        }
    }
    if notes == 0 {
        return Err(MeasureError::NoFile { set: "pieces", looked_for: PIECES.to_owned() });
    }
    let writers: Vec<Vec<Cases>> = by_writer.into_values().collect();
    let of = |which: usize, cases: &Cases| match which {
        0 => cases.cuts.clone(),
        1 => cases.says.clone(),
        _ => cases.of.clone(),
    };
    let chosen = |which: usize, take: &dyn Fn(usize) -> bool| -> Vec<Case> {
        let own = writers.iter().enumerate().filter(|(at, _)| take(*at)).flat_map(|(_, own)| own);
        own.flat_map(|cases| of(which, cases)).collect()
    };
    let folds = FOLDS.min(writers.len());
    let held = |which: usize, share: f64| {
        let mut tally = Tally::default();
        for fold in 0..folds {
            let others: Vec<usize> = (0..writers.len()).filter(|at| at % folds != fold).collect();
            let some = &others[..((others.len() as f64 * share).ceil() as usize).min(others.len())];
            let fit = fit(&chosen(which, &|at| some.contains(&at)), which);
            for case in chosen(which, &|at| at % folds == fold) {
                tally.add(case.column, &fit.shares(&case.features));
            }
        }
        tally
    };
    let mut told = vec![format!("{notes} labelled notes of {} writers; on writers that were held out", writers.len())];
    for share in [0.25, 0.5, 1.0] {
        let of = |which: usize| {
            held(which, share).told(&format!("{}, fitted on {share:.2} of the others", SCORERS[which].0))
        };
        told.extend((0..SCORERS.len()).map(of));
    }
    let fitted = |which: usize| (SCORERS[which].0, fit(&chosen(which, &|_| true), which).written(SMALL));
    Ok(Fitted { files: (0..SCORERS.len()).map(fitted).collect(), told, held_out: Vec::new() })
}

/// The labelled pieces of a note, by their bytes.
fn labels(note: &Note) -> Vec<Labelled> {
    let mut from = 0;
    let mut out: Vec<Labelled> = Vec::new();
    let mut named: Option<&str> = None;
    for (at, (quote, kind, about, role)) in note.pieces.iter().enumerate() {
        let Some(start) = note.notes[from..].find(quote.as_str()).map(|at| from + at) else { continue };
        from = start + quote.len();
        let about = about.as_deref();
        if kind == "task" || kind == "my_event" {
            named = about.or(Some(quote));
        }
        let next = note.pieces[at + 1..].iter().find(|own| own.1 == "task" || own.1 == "my_event");
        let of = match about {
            Some("day") => Some(Of::Day),
            Some(about) if Some(about) == named => Some(Of::Before),
            Some(about) if next.is_some_and(|own| own.2.as_deref() == Some(about)) => Some(Of::Behind),
            _ => None,
        };
        let says = says(kind, role.as_deref());
        let placed = says.is_some_and(Says::tells);
        out.push((start..from, says, of.filter(|_| placed)));
    }
    out
}

fn says(kind: &str, role: Option<&str>) -> Option<Says> {
    Some(match kind {
        "task" => Says::Task,
        "my_event" => Says::Event,
        "others_event" => Says::Others,
        "order" => Says::Order,
        "duration" => Says::Length,
        "total" => Says::Total,
        "wish" => Says::Wish,
        "condition" => Says::Condition,
        "not_today" => Says::NotToday,
        "not_mine" => Says::NotMine,
        "done_or_cancelled" => Says::Done,
        "chatter" => Says::Chatter,
        "heading" | "header" => Says::Heading,
        "limit" => match role {
            Some("by") => Says::By,
            Some("from") => Says::From,
            Some("only") => Says::Only,
            Some("not") => Says::Not,
            _ => return None,
        },
        _ => return None,
    })
}

/// Counts of decisions.
#[derive(Default)]
struct Tally {
    cases: usize,
    right: usize,
    sure: usize,
    sure_right: usize,
    wanted: usize,
    found: usize,
    hits: usize,
}

impl Tally {
    fn add(&mut self, column: usize, shares: &[f64]) {
        let best = (0..shares.len()).max_by(|a, b| shares[*a].total_cmp(&shares[*b])).unwrap_or_default();
        let right = usize::from(best == column);
        self.cases += 1;
        self.right += right;
        if shares[best] >= SURE {
            self.sure += 1;
            self.sure_right += right;
        }
        self.wanted += usize::from(column > 0);
        self.found += usize::from(best > 0);
        self.hits += usize::from(column > 0) * right;
    }

    fn told(&self, what: &str) -> String {
        let share = |a: usize, b: usize| a as f64 / b.max(1) as f64;
        format!(
            "{what}: {} decisions, {:.3} right, {:.3} sure and {:.3} of those right; precision {:.3}, recall {:.3}",
            self.cases,
            share(self.right, self.cases),
            share(self.sure, self.cases),
            share(self.sure_right, self.sure),
            share(self.hits, self.found),
            share(self.hits, self.wanted)
        )
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    fn data(folder: &str) -> BTreeMap<String, Files> {
        let mut lines = String::new();
        for writer in 0..5 {
            for number in 0..6 {
                let note = serde_json::json!({
                    "id": format!("w{writer}-{number}"),
                    "at": "2026-01-26T08:00:00Z",
                    "tz": "UTC",
                    "notes": format!("call shop {number}0, 10 min, they close at 5"),
                    "pieces": [
                        [format!("call shop {number}0"), "task", "call", null],
                        ["10 min", "duration", "call", null],
                        ["they close at 5", "limit", "call", "by"],
                    ],
                });
                let _ = writeln!(lines, "{note}");
            }
        }
        let files = Files([(format!("{folder}/pieces.jsonl"), lines.into_bytes())].into());
        [(FOLDERS[0].to_owned(), files)].into()
    }

    #[test]
    fn pieces_are_told_on_writers_that_were_held_out() {
        let fit = calibrate(&data("dev")).unwrap();
        assert_eq!(fit.told[0], "30 labelled notes of 5 writers; on writers that were held out");
        let [.., cuts, says, of] = &fit.told[..] else { panic!("{:?}", fit.told) };
        assert!(cuts.ends_with("precision 1.000, recall 1.000"), "{cuts}");
        assert!(says.starts_with("says, fitted on 1.00 of the others: 90 decisions, 1.000 right"), "{says}");
        assert!(of.starts_with("of, fitted on 1.00 of the others: 60 decisions, 1.000 right"), "{of}");
        assert!(fit.files.iter().all(|(_, text)| text.lines().all(|line| line.contains('\t'))));
        assert_eq!(fit, calibrate(&data("dev")).unwrap(), "the same notes give the same coefficients");
    }

    #[test]
    fn notes_that_are_kept_aside_are_not_read() {
        assert!(matches!(calibrate(&data("kept")), Err(MeasureError::NoFile { .. })));
    }
}
