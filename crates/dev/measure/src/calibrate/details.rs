//! The coefficients by which `audit` tells that a detail of the report replaces one of the prompt, fitted on reports whose drifts are labelled.
//!
//! Labelled drifts are few, and most details of a report are right. So pairs are made as well: a detail that a faithful report repeats has another one written over it.
//! What surrounds it is natural, what is written is not; such pairs count less.

use std::collections::BTreeMap;

use steadfast_audit::checks::{DetailCase, detail_cases};
use steadfast_audit::{Source, evaluation};
use steadfast_evidence::FileId;
use steadfast_exam::pairs::{Place, belong};
use steadfast_text::{Document, Format};

use super::softmax::{Example, Fit};
use super::{Fitted, HeldOut};
use crate::sets::everyday::gold::{self, Case};
use crate::{Files, MeasureError};

/// The folders that are read.
pub const FOLDERS: [&str; 3] = ["pairs", "everyday", "short"];
/// Kinds of drift that change a detail.
const KINDS: [&str; 6] = ["number", "date", "name", "table", "same-word", "contradiction"];
/// How much a labelled pair counts, and one that is made; a pair that is right counts 1.
const LABELLED_WEIGHT: f64 = 2.0;
const MADE_WEIGHT: f64 = 0.3;
/// The ridge on each coefficient, in half squares. Chosen on writers that were held out.
const RIDGE: f64 = 20.0;
/// A coefficient nearer to nought is left out.
const SMALL: f64 = 0.02;
/// Parts of the writers of which one is held out at a time.
const FOLDS: usize = 5;
/// The probabilities from which on a pair is counted as a detail that is replaced.
const THRESHOLDS: [f64; 6] = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/// The pairs of a request's two reports.
struct Pairs {
    writer: String,
    /// Pairs of the reports, each with whether it replaces a detail; nothing where that is not sure. Those of the faithful report come first.
    labelled: [Vec<(DetailCase, Option<bool>)>; 2],
    made: Vec<DetailCase>,
    /// Words of the faithful report.
    words: usize,
}

/// Fits the coefficients on all requests that are there and not kept aside.
///
/// # Errors
/// [`MeasureError`] where none is there or a file is not of its form.
pub fn calibrate(data: &BTreeMap<String, Files>) -> Result<Fitted, MeasureError> {
    let mut all: Vec<Pairs> = Vec::new();
    for (folder, files) in FOLDERS.iter().filter_map(|folder| Some((folder, data.get(*folder)?))) {
        let cases = gold::cases_to_fit(files)?;
        all.extend(cases.iter().map(|case| pairs(folder, case)));
    }
    if all.is_empty() {
        let looked_for = format!("{}/dev/*/*/gold.json", FOLDERS[0]);
        return Err(MeasureError::NoFile { set: "details", looked_for });
    }
    let mut writers: Vec<&str> = all.iter().map(|own| own.writer.as_str()).collect();
    writers.sort_unstable();
    writers.dedup();
    let fold_of = |own: &Pairs| writers.iter().position(|writer| *writer == own.writer).unwrap_or_default() % FOLDS;
    let mut counts = [Counts::default(); THRESHOLDS.len()];
    for fold in 0..FOLDS.min(writers.len()) {
        let fit = fit(all.iter().filter(|own| fold_of(own) != fold || writers.len() == 1));
        for own in all.iter().filter(|own| fold_of(own) == fold) {
            for (counts, threshold) in counts.iter_mut().zip(THRESHOLDS) {
                counts.add(own, &fit, threshold);
            }
        }
    }
    let replaced = |own: &Pairs| own.labelled.iter().flatten().filter(|(_, is)| *is == Some(true)).count();
    let labelled: usize = all.iter().map(replaced).sum();
    let made: usize = all.iter().map(|own| own.made.len()).sum();
    let told = format!(
        "{} requests, {labelled} details that are replaced and {made} that are made so; on writers that were held out",
        all.len()
    );
    Ok(Fitted {
        files: vec![("detail_differs", fit(all.iter()).written(SMALL))],
        told: vec![told],
        held_out: counts.iter().zip(THRESHOLDS).map(|(own, threshold)| own.held_out(threshold)).collect(),
    })
}

fn fit<'p>(all: impl Iterator<Item = &'p Pairs>) -> Fit {
    let mut examples = Vec::new();
    for own in all {
        for (pair, is) in own.labelled.iter().flatten() {
            let Some(is) = is else { continue };
            let weight = if *is { LABELLED_WEIGHT } else { 1.0 };
            examples.push(Example { column: usize::from(*is), features: &pair.features, weight });
        }
        let made = own.made.iter();
        examples.extend(made.map(|pair| Example { column: 1, features: &pair.features, weight: MADE_WEIGHT }));
    }
    Fit::of(&examples, 2, |count| RIDGE / f64::from(count))
}

fn pairs(folder: &str, case: &Case<'_>) -> Pairs {
    let source = |file: u32, text: &str| Source {
        file: FileId(file),
        name: "file.md".to_owned(),
        document: Document::from_str_as(text, Format::Markdown),
    };
    let read = |report: &str| evaluation::read(&source(0, case.prompt), vec![source(1, report)]).ok();
    let of = |report: &str| {
        let (contract, answer) = read(report)?;
        Some(detail_cases(&contract, &answer, None))
    };
    let faithful = of(case.faithful).unwrap_or_default().into_iter().map(|pair| (pair, Some(false))).collect();
    let label = |pair: DetailCase| {
        let is = is_replaced(case, &pair);
        (pair, is)
    };
    let drifted = of(case.drifted).unwrap_or_default().into_iter().map(label).collect();
    let mut over = Over::default();
    let made = read(case.faithful)
        .map(|(contract, answer)| detail_cases(&contract, &answer, Some(&mut |text: &str| over.write(text))));
    let mut parts = case.name.rsplit('/');
    let writer = parts.nth(1).filter(|_| folder == FOLDERS[0]).unwrap_or(case.name);
    Pairs {
        writer: format!("{folder} {writer}"),
        labelled: [faithful, drifted],
        made: made.unwrap_or_default(),
        words: case.faithful.split_whitespace().count(),
    }
}

/// Whether a pair of the drifted report is a labelled drift; `None` where it stands in one that is something else.
fn is_replaced(case: &Case<'_>, pair: &DetailCase) -> Option<bool> {
    for drift in &case.labels.drifts {
        let Place::Said(span) = drift.place else { continue };
        let said = case.drifted.get(span.start..span.end).unwrap_or_default();
        if span.overlaps(pair.place) && said.contains(pair.said.trim()) {
            let is_its = drift.obligation.is_some_and(|own| belong(own, pair.asked));
            return (is_its && KINDS.contains(&drift.kind.as_str())).then_some(true);
        }
    }
    Some(false)
}

#[derive(Clone, Copy, Default)]
struct Counts {
    wanted: usize,
    found: usize,
    right: usize,
    taken: usize,
    false_ones: usize,
    words: usize,
}

impl Counts {
    fn add(&mut self, own: &Pairs, fit: &Fit, threshold: f64) {
        self.words += own.words;
        for (at, labelled) in own.labelled.iter().enumerate() {
            // A detail of the prompt counts once, with the likeliest pair.
            let mut best: BTreeMap<(usize, &str), (f64, Option<bool>)> = BTreeMap::new();
            let mut wanted: Vec<(usize, &str)> = Vec::new();
            for (pair, is) in labelled {
                let key = (pair.asked.start, pair.wanted.as_str());
                let share = fit.shares(&pair.features)[1];
                if *is == Some(true) && !wanted.contains(&key) {
                    wanted.push(key);
                }
                let known = best.entry(key).or_insert((0.0, Some(false)));
                if share > known.0 {
                    *known = (share, *is);
                }
            }
            self.wanted += wanted.len();
            for (key, (share, is)) in best {
                if share < threshold {
                    continue;
                }
                match is {
                    None => {}
                    Some(_) if at == 0 => self.false_ones += 1,
                    Some(is) => {
                        self.taken += 1;
                        self.right += usize::from(is);
                        self.found += usize::from(is && wanted.contains(&key));
                    }
                }
            }
        }
    }

    fn held_out(&self, threshold: f64) -> HeldOut {
        let share = |a: usize, b: usize| a as f64 / b.max(1) as f64;
        HeldOut {
            threshold,
            found: share(self.found, self.wanted),
            right: share(self.right, self.taken),
            false_per_1000_words: Some(1_000.0 * share(self.false_ones, self.words)),
        }
    }
}

const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const NUMBERS: [&str; 12] =
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// Writes something over a detail, the same each time.
#[derive(Default)]
struct Over {
    state: u64,
    /// A name that was seen before.
    name: Option<String>,
}

impl Over {
    /// A number below `end`.
    fn next(&mut self, end: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % end.max(1)
    }

    fn write(&mut self, text: &str) -> Option<String> {
        let month = MONTHS.iter().find(|month| text.contains(**month));
        if let Some(month) = month.filter(|_| self.next(3) == 0) {
            return Some(text.replace(month, MONTHS[self.next(MONTHS.len())]));
        }
        let digits: Vec<usize> =
            text.bytes().enumerate().filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at).collect();
        if let Some(first) = digits.first() {
            let mut out = text.as_bytes().to_vec();
            match self.next(8) {
                0 | 1 if digits.len() > 1 => {
                    let at = self.next(digits.len() - 1);
                    out.swap(digits[at], digits[at + 1]);
                }
                2 if digits.len() < 3 => out.insert(*first, b'1' + self.next(9) as u8),
                _ => {
                    let at = digits[self.next(digits.len())];
                    let least = usize::from(at == *first);
                    out[at] = b'0' + (least + (usize::from(out[at] - b'0') + self.next(8)) % (10 - least)) as u8;
                }
            }
            return String::from_utf8(out).ok();
        }
        if let Some(day) = DAYS.iter().find(|day| text.contains(**day)) {
            return Some(text.replace(day, DAYS[self.next(DAYS.len())]));
        }
        let low = text.to_lowercase();
        if let Some(number) = low.split(' ').find_map(|word| NUMBERS.iter().find(|own| **own == word)) {
            return Some(low.replace(number, NUMBERS[self.next(NUMBERS.len())]));
        }
        let is_name = text.starts_with(char::is_uppercase);
        let before = if is_name { self.name.replace(text.to_owned()) } else { None };
        before.filter(|before| before != text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(folder: &str, number: usize) -> Vec<(String, Vec<u8>)> {
        let asked = 11 + number;
        let prompt = format!(
            "Write a note to the team about the {} fair. Say that the doors open on {asked} June.",
            ["spring", "book", "craft", "seed"][number % 4]
        );
        let faithful = format!("Dear team, the doors of the fair open on {asked} June. We look forward to it.");
        let drifted = format!("Dear team, the doors of the fair open on {} June. We look forward to it.", asked + 2);
        let quote = format!("the doors open on {asked} June");
        let said = format!("open on {} June", asked + 2);
        let gold = serde_json::json!({
            "obligations": [{"id": "o1", "quote": quote, "faithful": "kept", "drifted": "broken"}],
            "drifts": [{"id": "d1", "quote": said, "obligation": "o1", "kind": "date"}],
        });
        let path = |name: &str| format!("{folder}/w{}/c{number}/{name}", number % 5);
        let texts = [
            ("prompt.md", prompt),
            ("faithful.md", faithful),
            ("drifted.md", drifted),
            ("gold.json", gold.to_string()),
        ];
        texts.into_iter().map(|(name, text)| (path(name), text.into_bytes())).collect()
    }

    fn data(folder: &str) -> BTreeMap<String, Files> {
        [("pairs".to_owned(), Files((0..15).flat_map(|number| case(folder, number)).collect()))].into()
    }

    #[test]
    fn dates_that_are_replaced_are_found_on_writers_that_were_held_out() {
        let fit = calibrate(&data("dev")).unwrap();
        let made = fit.told[0].strip_prefix("15 requests, 15 details that are replaced and ").unwrap();
        assert!(made.split(' ').next().unwrap().parse::<usize>().unwrap() > 0, "{made}");
        let held = fit.held_out[1];
        assert!(held.found > 0.9 && held.right > 0.9 && held.false_per_1000_words.unwrap() < 0.1, "{held:?}");
        assert_eq!(fit, calibrate(&data("dev")).unwrap(), "the same requests give the same coefficients");
    }

    #[test]
    fn requests_that_are_kept_aside_are_not_read() {
        assert!(matches!(calibrate(&data("kept")), Err(MeasureError::NoFile { .. })));
    }

    #[test]
    fn requests_to_fit_on_alone_are_read_here_and_measured_nowhere() {
        let data = data("more");
        assert!(calibrate(&data).unwrap().told[0].starts_with("15 requests, "));
        assert!(matches!(gold::cases(&data["pairs"]), Err(MeasureError::NoFile { .. })));
    }

    #[test]
    fn what_is_written_over_a_detail_is_another_one() {
        let mut over = Over::default();
        for text in ["£1,944", "13 June", "Wednesday", "two sentences"] {
            let all: Vec<String> = (0..20).filter_map(|_| over.write(text)).filter(|own| own != text).collect();
            assert!(all.len() > 10, "{text}: {all:?}");
        }
        assert_eq!((over.write("Anna"), over.write("Ben")), (None, Some("Anna".to_owned())));
    }
}
