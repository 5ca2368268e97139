//! On which day a request was made.

use jiff::civil::Date;
use steadfast_annotate::Pattern;
use steadfast_text::{Document, Span};
use steadfast_time::{DateValue, dates};

use crate::scan::{head, pattern};

static CUE: Pattern = pattern(
    r"(?i)\b(?:today(?:'s|’s)? date|today is|current date|date of request|as of today|date today)\b\W{0,6}|(?m:^)[ \t]*(?:today|date)[ \t]*:[ \t]*",
);
static WRITTEN: Pattern = pattern(r"^(\d{4})[-/. ](\d{1,2}|[A-Za-z]{3,9})[-/. ](\d{1,2})\b");

/// The first date that the text gives as its own day, with its place.
pub(crate) fn read(document: &Document) -> Option<(Date, Span)> {
    for found in CUE.find_iter(&document.source) {
        let rest = head(&document.source[found.end()..], 60);
        if let Some((date, length)) = written(rest) {
            return Some((date, Span::new(found.end(), found.end() + length)));
        }
        if let Some(first) = dates(rest).into_iter().find(|date| date.range.start < 24)
            && let DateValue::Window(window) = first.value
            && window.first == window.last
        {
            return Some((window.first, Span::new(found.end() + first.range.start, found.end() + first.range.end)));
        }
    }
    None
}

/// A date of the form 2026-Mar-10 or 2026-03-10.
fn written(text: &str) -> Option<(Date, usize)> {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let found = WRITTEN.captures(text)?;
    let year: i16 = found[1].parse().ok()?;
    let month = found[2].parse::<i8>().ok().or_else(|| {
        let name = found[2].to_lowercase();
        let at = MONTHS.iter().position(|month| name.starts_with(month))?;
        i8::try_from(at + 1).ok()
    })?;
    let day: i8 = found[3].parse().ok()?;
    Some((Date::new(year, month, day).ok()?, found[0].len()))
}
