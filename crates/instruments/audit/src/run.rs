//! A planner's run: in which order the artefacts were made, what the prompt is wrapped in.

use jiff::civil::Date;
use steadfast_text::{Document, Span};

/// The key that sorts artefacts into the order in which a run made them: by the numbers that their names begin with, part by part
/// ("002-4-x" before "002-14-y"), where there are none by the first date in the name ("notes-2026-01-05"), then by name.
#[must_use]
pub fn order_key(name: &str) -> (Vec<u64>, String) {
    let base = name.rsplit('/').next().unwrap_or(name);
    let mut numbers: Vec<u64> = base.split(['-', '_', '.']).map_while(|part| part.parse().ok()).collect();
    if numbers.is_empty() {
        numbers.extend(date_in(base).into_iter().flatten());
    }
    (numbers, name.to_owned())
}

/// An earlier year is no date of an artefact.
const YEAR_MIN: i16 = 1900;

/// The first date of a name, as year, month and day: "2026-01-05", "2026_01_05", "20260105".
fn date_in(name: &str) -> Option<[u64; 3]> {
    let mut digits = name.split(|character: char| !character.is_ascii_digit()).filter(|run| !run.is_empty()).peekable();
    while let Some(run) = digits.next() {
        let parts = match (run.len(), digits.peek().copied()) {
            (8, _) => [&run[..4], &run[4..6], &run[6..]],
            (4, Some(month)) => [run, month, digits.clone().nth(1)?],
            _ => continue,
        };
        let [Ok(year), Ok(month), Ok(day)] = parts.map(str::parse::<i16>) else { continue };
        let date = i8::try_from(month).ok().zip(i8::try_from(day).ok());
        if year >= YEAR_MIN && date.is_some_and(|(month, day)| Date::new(year, month, day).is_ok()) {
            return Some([year, month, day].map(i16::unsigned_abs).map(u64::from));
        }
    }
    None
}

/// The part of a prompt file that the user wrote: planners wrap it in `Plan:` … `Today's date:` … `Project start …`.
#[must_use]
pub fn body(document: &Document) -> Span {
    let source = &document.source;
    let whole = Span::new(0, source.len());
    let text = source.strip_prefix('\u{feff}').unwrap_or(source);
    let offset = source.len() - text.len();
    let Some(rest) = text.trim_start().strip_prefix("Plan:") else { return whole };
    let start = offset + (text.len() - rest.len());
    let end = source[start..].find("\nToday's date:").map_or(source.len(), |at| start + at);
    Span::new(start, end)
}

#[cfg(test)]
mod tests {
    use super::order_key;

    #[track_caller]
    fn check(names: &[&str]) {
        let mut sorted = names.to_vec();
        sorted.reverse();
        sorted.sort_by_key(|name| order_key(name));
        assert_eq!(sorted, names);
    }

    #[test]
    fn artefacts_stand_in_the_order_in_which_they_were_made() {
        check(&["002-4-x.md", "002-14-y.md", "010-a.md"]);
        check(&["zeal-2026-01-05.md", "anger-2026-02-01.md", "notes_20260301.md"]);
        check(&["2025-12-31-b.md", "2026-01-05-a.md"]);
        check(&["appendix.md", "report.md"]);
        // No dates: no such month, too early, a number of another length.
        check(&["a-2026-13-05.md", "b-1200-01-05.md", "c-123456.md"]);
        check(&["report.md", "draft-2026-01-05.md", "run/b-2026-01-06.md"]);
    }
}
