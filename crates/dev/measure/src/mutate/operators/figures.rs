//! Figures of the ask with another value: beyond a bound (type B), or simply another (type C).

use std::ops::Range;
use std::sync::LazyLock;

use super::{Change, Pattern, Site, has};
use crate::mutate::Edit;
use crate::mutate::reading::{Sentence, words};
use steadfast_engine::SplitMix;
use steadfast_text::Span;

/// Words before a figure that bound it, in a window of this many bytes.
const WINDOW_BYTES: usize = 40;

static UPPER: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)(?:at most|no (?:more|longer|higher|later) than|not (?:\w+ ){0,2}(?:above|exceed|over|higher|more|longer)(?: than)?|up to|under|less than|fewer than|below|within|limited to|maximum of|only)\D*$").ok()
});
static LOWER: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)(?:at least|a minimum of|no (?:less|fewer) than|more than)\D*$").ok()
});
static FIGURE: Pattern = LazyLock::new(|| steadfast_annotate::pattern(r"\d+(?:[,.]\d+)*").ok());
/// A day, a year, a time of day, a number in a name: nothing that has an amount.
static NO_AMOUNT: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"^(?:[:.]\d| ?(?:January|February|March|April|May|June|July|August|September|October|November|December)\b)",
    )
    .ok()
});

/// A figure in a sentence.
#[derive(Clone, Debug)]
struct Figure {
    range: Range<usize>,
    value: f64,
    /// What stands beside it and says what it is of: a sign before it, or the next word.
    unit: String,
}

/// The figures of a text that have an amount.
fn figures(text: &str) -> Vec<Figure> {
    let Some(pattern) = FIGURE.as_ref() else { return Vec::new() };
    let of = |range: Range<usize>| {
        let (before, after) = (&text[..range.start], &text[range.end..]);
        let glued = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ':' | '-' | '–' | '.'))
            || after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '–' | ':'));
        let value: f64 = text[range.clone()].replace(',', "").parse().ok()?;
        let is_year =
            range.len() == 4 && (1900.0..2100.0).contains(&value) && !text[range.clone()].contains([',', '.']);
        // Two of a list ("Chapters 1 to 4", "9 to 13") are names or hours.
        let listed = after.starts_with(" to ")
            || before.ends_with(" to ") && before.trim_end_matches(" to ").ends_with(|c: char| c.is_ascii_digit());
        if glued || is_year || listed || has(&NO_AMOUNT, after) {
            return None;
        }
        let sign = before.trim_end().chars().next_back().filter(|c| !c.is_alphanumeric() && !c.is_ascii_punctuation());
        let word = words(after).first().map(|word| after[word.clone()].to_lowercase()).unwrap_or_default();
        let unit = match sign {
            Some(sign) => sign.to_string(),
            None if after.trim_start().starts_with('%') => "%".to_owned(),
            None => word,
        };
        Some(Figure { range, value, unit })
    };
    pattern.find_iter(text).filter_map(|seen| of(seen.range())).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Upper,
    Lower,
    Plain,
}

fn bound(text: &str, figure: &Figure) -> Bound {
    let mut start = figure.range.start.saturating_sub(WINDOW_BYTES);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let before =
        text[start..figure.range.start].trim_end_matches(|c: char| !c.is_alphanumeric() || c.is_ascii_uppercase());
    // "No more than" ends in "more than".
    if has(&UPPER, before) {
        Bound::Upper
    } else if has(&LOWER, before) {
        Bound::Lower
    } else {
        Bound::Plain
    }
}

/// A figure in the form of another: with its marks for thousands, and as many digits behind the point.
fn written(value: f64, like: &str) -> String {
    let digits = like.rsplit_once('.').map_or(0, |(_, behind)| behind.len());
    let plain = format!("{value:.digits$}");
    if !like.contains(',') && value < 10_000.0 {
        return plain;
    }
    let (whole, rest) =
        plain.split_once('.').map_or((plain.as_str(), String::new()), |(whole, rest)| (whole, format!(".{rest}")));
    let mut marked = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) && like.contains(',') {
            marked.push(',');
        }
        marked.push(digit);
    }
    marked + &rest
}

/// Rounded to two digits that count, but not to the value itself.
fn rounded(value: f64, digits: usize) -> f64 {
    let least = 10_f64.powi(-(digits as i32));
    let step = 10_f64.powi(value.abs().max(least).log10().floor() as i32 - 1).max(least);
    (value / step).round() * step
}

/// Every figure of the ask that the report gives, wherever its sentences give it, with a value by one of the factors.
fn changed(site: &Site<'_>, random: &mut SplitMix, wanted: &dyn Fn(Bound) -> &'static [f64]) -> Vec<Change> {
    let own = site.own();
    let mut changes = Vec::new();
    let known: Vec<f64> = own
        .ask
        .sentences
        .iter()
        .chain(&own.report.sentences)
        .flat_map(|it| figures(&it.text))
        .map(|it| it.value)
        .collect();
    for asked in &own.ask.sentences {
        for figure in figures(&asked.text) {
            let factors = wanted(bound(&asked.text, &figure));
            if factors.is_empty() {
                continue;
            }
            let places = places(&own.report.sentences, &figure);
            if places.is_empty() {
                continue;
            }
            let like = &asked.text[figure.range.clone()];
            let digits = like.rsplit_once('.').map_or(0, |(_, behind)| behind.len());
            let start = random.below(factors.len());
            let values =
                (0..factors.len()).map(|at| rounded(figure.value * factors[(start + at) % factors.len()], digits));
            // A value that stands somewhere else could be meant.
            let Some(value) =
                values.into_iter().find(|value| *value > 0.0 && !known.iter().any(|it| (it - value).abs() < 1e-9))
            else {
                continue;
            };
            let edits = places.into_iter().map(|(span, text)| Edit { span, text: written(value, text) }).collect();
            changes.push(Change { edits, against: Some(asked.span) });
        }
    }
    changes
}

/// Where sentences give a figure, and as what.
fn places<'a>(sentences: &'a [Sentence], figure: &Figure) -> Vec<(Span, &'a str)> {
    let mut places = Vec::new();
    for told in sentences {
        for same in figures(&told.text).into_iter().filter(|it| it.value == figure.value && it.unit == figure.unit) {
            let span = Span::new(told.span.start + same.range.start, told.span.start + same.range.end);
            places.push((span, &told.text[same.range]));
        }
    }
    places
}

/// A bound of the ask, broken: more than it allows, less than it wants.
pub(super) fn bound_broken(site: &Site<'_>, random: &mut SplitMix) -> Vec<Change> {
    changed(site, random, &|bound| match bound {
        Bound::Upper => &[1.25, 1.5, 2.0, 3.0],
        Bound::Lower => &[0.25, 0.5, 0.6, 0.75],
        Bound::Plain => &[],
    })
}

/// A figure of the ask that has no bound, with another value.
pub(super) fn figure_changed(site: &Site<'_>, random: &mut SplitMix) -> Vec<Change> {
    changed(site, random, &|bound| match bound {
        Bound::Plain => &[0.5, 0.7, 0.8, 1.2, 1.4, 2.0, 3.0],
        Bound::Upper | Bound::Lower => &[],
    })
}

#[cfg(test)]
mod tests {
    use super::{Bound, bound, figures, rounded, written};

    #[track_caller]
    fn check(text: &str, expect: &[(f64, &str, char)]) {
        let seen = figures(text);
        let of = |bound: Bound| match bound {
            Bound::Upper => '<',
            Bound::Lower => '>',
            Bound::Plain => '=',
        };
        let seen: Vec<(f64, &str, char)> =
            seen.iter().map(|it| (it.value, it.unit.as_str(), of(bound(text, it)))).collect();
        assert_eq!(seen, expect, "{text}");
    }

    #[test]
    fn figures_with_what_they_are_of_and_their_bounds() {
        check("It must not exceed €60,000.", &[(60_000.0, "€", '<')]);
        check("At least 80 shops by 30 September 2026", &[(80.0, "shops", '>')]);
        check("Admission is CHF 8, and 4.5 % return", &[(8.0, "and", '='), (4.5, "%", '=')]);
        check("Bedtime is 21:30; chapters 1 to 4; years 3-6", &[]);
        check("cost must stay under CHF 75,000.", &[(75_000.0, "", '<')]);
    }

    #[test]
    fn values_are_written_like_the_old_ones() {
        assert_eq!(written(72_000.0, "60,000"), "72,000");
        assert_eq!(written(2.4, "1.2"), "2.4");
        assert_eq!(written(1_500_000.0, "1,000,000"), "1,500,000");
        assert_eq!(rounded(61.25, 0), 61.0);
        assert_eq!(written(rounded(0.6, 1), "1.2"), "0.6");
        assert_eq!(rounded(1_234.0, 0), 1_200.0);
    }
}
