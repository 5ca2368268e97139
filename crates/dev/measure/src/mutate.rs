//! Drift mutations: faithful reports made to drift in one place each, so that it is known what a judge should find, and where.
//!
//! An [operator](operators::OPERATORS) changes a faithful report in one way of one type, A to J, and says which words of the report are new and
//! which words of the ask they go against. What it puts there comes from other pairs (an aim, a customer, a means, a fact of theirs), from
//! the ask itself (a ban), or is computed (a figure); where English needs a frame for it, the frame stands in the operator. No operator
//! asks the code that is measured: neither the readers of obligations nor any list that a check uses.

mod count;
pub mod operators;
mod reading;
mod shipped;

pub use count::{FalseIncident, Judged, OfOperator, judge};
pub use shipped::shipped;

use std::collections::HashSet;

use steadfast_engine::File;
use steadfast_text::{Format, Span};

use crate::MeasureError;
use crate::row::{hash, words_of};
use operators::{Change, OPERATORS, Operator, Site};
use reading::Texts;
use steadfast_engine::SplitMix;

/// A prompt or a report, in bytes, at most.
pub const TEXT_BYTES_MAX: usize = 1024 * 1024;
/// All drifted reports together, in bytes, at most.
pub const CASES_BYTES_MAX: usize = 512 * 1024 * 1024;
/// Drifted reports of one pair by one operator, at most, where nobody says otherwise.
pub const PER_OPERATOR: usize = 2;
/// The same, at most.
pub const PER_OPERATOR_MAX: usize = 20;

/// A prompt and a report that is faithful to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Its name.
    pub name: String,
    /// The prompt.
    pub ask: String,
    /// How the prompt is marked up.
    pub ask_format: Format,
    /// The report.
    pub report: String,
    /// How the report is marked up.
    pub report_format: Format,
}

/// The pair of two files; the report's name is the pair's.
///
/// # Errors
///
/// [`MeasureError::Form`] with the file where one is empty, no UTF-8 or longer than [`TEXT_BYTES_MAX`].
pub fn read_pair(prompt: &File, report: &File) -> Result<Pair, MeasureError> {
    let text = |file: &File| {
        let wrong = |what: String| MeasureError::Form { file: file.name.clone(), what };
        if file.bytes.len() > TEXT_BYTES_MAX {
            return Err(wrong(format!("has {} bytes, more than {TEXT_BYTES_MAX}", file.bytes.len())));
        }
        let text = String::from_utf8(file.bytes.clone())
            .map_err(|error| wrong(format!("is not UTF-8: {}", error.utf8_error())))?;
        if text.trim().is_empty() {
            return Err(wrong("is empty".to_owned()));
        }
        Ok((text, Format::of_name(&file.name)))
    };
    let ((ask, ask_format), (own, report_format)) = (text(prompt)?, text(report)?);
    Ok(Pair { name: report.name.clone(), ask, ask_format, report: own, report_format })
}

/// How a pair is made to drift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Which places are taken where there are more: the same seed takes the same.
    pub seed: u64,
    /// Drifted reports of one pair by one operator, at most.
    pub per_operator: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { seed: 1, per_operator: PER_OPERATOR }
    }
}

/// Words of a faithful report, and what stands there instead. Nothing for what is taken away, and an empty place for what is added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Where in the faithful report.
    pub span: Span,
    /// What stands there instead.
    pub text: String,
}

/// A drifted report: a faithful one with one change.
#[derive(Clone, Debug)]
pub struct Case {
    /// The pair, by its place.
    pub pair: usize,
    /// What was done; `None` for the faithful report.
    pub operator: Option<&'static Operator>,
    /// The change, in order; nothing for the faithful report.
    pub edits: Vec<Edit>,
    /// The words of the prompt that it goes against, where there are any.
    pub against: Option<Span>,
}

impl Case {
    /// The report with the change in it.
    #[must_use]
    pub fn report(&self, faithful: &str) -> String {
        let mut text = String::with_capacity(faithful.len() + 64);
        let mut from = 0;
        for edit in &self.edits {
            text.push_str(&faithful[from..edit.span.start]);
            text.push_str(&edit.text);
            from = edit.span.end;
        }
        text + &faithful[from..]
    }

    /// Where the change stands in the drifted report; what was taken away stands nowhere.
    #[must_use]
    pub fn spans(&self) -> Vec<Span> {
        let mut moved = 0_isize;
        let mut spans = Vec::new();
        for edit in &self.edits {
            let start = edit.span.start.saturating_add_signed(moved);
            spans.push(Span::new(start, start + edit.text.len()));
            moved += edit.text.len() as isize - edit.span.len() as isize;
        }
        // The white space that parts an addition from what stands before is no part of what is said.
        let texts = self.edits.iter().map(|edit| edit.text.as_str());
        let trimmed = spans.into_iter().zip(texts).map(|(span, text)| {
            let head = text.len() - text.trim_start().len();
            Span::new(span.start + head, span.start + head + text.trim().len())
        });
        trimmed.filter(|span| !span.is_empty()).collect()
    }
}

/// The faithful reports of the first `changed` of `pairs` and all that operators make of them; the other pairs only give words. The same pairs
/// and settings give the same cases.
///
/// # Errors
///
/// [`MeasureError::Form`] where all drifted reports together would be larger than [`CASES_BYTES_MAX`].
pub fn cases(pairs: &[Pair], changed: usize, settings: Settings) -> Result<Vec<Case>, MeasureError> {
    let texts = Texts::new(pairs);
    let mut cases = Vec::new();
    let mut bytes = 0;
    for (at, pair) in pairs.iter().enumerate().take(changed) {
        cases.push(Case { pair: at, operator: None, edits: Vec::new(), against: None });
        let mut made: HashSet<Vec<(usize, usize, String)>> = HashSet::new();
        for operator in OPERATORS {
            let mut random = SplitMix::new(settings.seed ^ hash(&format!("{}/{}", words_of(&pair.ask), operator.name)));
            let site = Site { texts: &texts, at };
            let mut changes = (operator.apply)(&site, &mut random);
            changes.retain(|change| is_change(pair, change));
            let mut taken = 0;
            // The same words at two places are one case.
            let mut said: HashSet<Vec<String>> = HashSet::new();
            while taken < settings.per_operator && !changes.is_empty() {
                let Change { edits, against } = changes.swap_remove(random.below(changes.len()));
                let known = edits.iter().map(|edit| (edit.span.start, edit.span.end, edit.text.clone())).collect();
                let texts: Vec<String> = edits.iter().map(|edit| edit.text.trim().to_owned()).collect();
                let added = edits.iter().all(|edit| edit.span.is_empty());
                if !made.insert(known) || added && !said.insert(texts) {
                    continue;
                }
                taken += 1;
                bytes += pair.report.len();
                if bytes > CASES_BYTES_MAX {
                    let what =
                        format!("its drifted reports and those before it have more than {CASES_BYTES_MAX} bytes");
                    return Err(MeasureError::Form { file: pair.name.clone(), what });
                }
                cases.push(Case { pair: at, operator: Some(operator), edits, against });
            }
        }
    }
    Ok(cases)
}

/// Whether a change lies within the report, in order, and changes what it says.
fn is_change(pair: &Pair, change: &Change) -> bool {
    let spans_fit = change.edits.iter().all(|edit| pair.report.get(edit.span.range()).is_some());
    let in_order = change.edits.windows(2).all(|two| two[0].span.end <= two[1].span.start);
    let says_other = |edit: &Edit| edit.text.trim() != pair.report[edit.span.range()].trim();
    spans_fit && in_order && !change.edits.is_empty() && change.edits.iter().all(says_other)
}
