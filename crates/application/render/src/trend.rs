//! Runs over days, as a small chart.

use crate::chart::Svg;

/// Units of the chart; the page scales it.
const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 56.0;
/// Between two days.
const GAP: f64 = 1.5;

/// A day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Day {
    /// Its date: `2026-01-25`.
    pub day: String,
    /// Runs of that day.
    pub runs: u64,
    /// Those of them that want looking at.
    pub attention: u64,
}

/// Bars, a day each, the part that wants looking at apart: an SVG with the classes `trend`, `bar`, `bad` and `rule`. `id` is the chart's own on
/// its page, `what` says what is counted.
#[must_use]
pub fn trend(id: &str, what: &str, days: &[Day]) -> String {
    let (runs, attention) =
        days.iter().fold((0, 0), |(runs, attention), day| (runs + day.runs, attention + day.attention));
    let most = days.iter().max_by_key(|day| day.runs).filter(|day| day.runs > 0);
    let most = most.map(|day| format!("; the most on {}: {}", day.day, day.runs)).unwrap_or_default();
    let description = format!("{runs} in {} days, {attention} of them want looking at{most}", days.len());
    let mut svg = Svg::new(id, "trend", (WIDTH, HEIGHT), what, &description);
    svg.line("rule", (0.0, HEIGHT - 0.5), (WIDTH, HEIGHT - 0.5));
    let highest = days.iter().map(|day| day.runs).max().unwrap_or(0).max(1);
    let step = WIDTH / days.len().max(1) as f64;
    for (at, day) in days.iter().enumerate() {
        let tall = |count: u64| (HEIGHT - 2.0) * count as f64 / highest as f64;
        let (x, width) = (at as f64 * step + GAP / 2.0, (step - GAP).max(0.5));
        if day.runs > 0 {
            svg.rect("bar", (x, HEIGHT - 1.0 - tall(day.runs)), (width, tall(day.runs)));
        }
        if day.attention > 0 {
            svg.rect("bar bad", (x, HEIGHT - 1.0 - tall(day.attention)), (width, tall(day.attention)));
        }
    }
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::{Day, trend};

    #[test]
    fn bars_are_as_tall_as_their_days() {
        let day = |day: &str, runs, attention| Day { day: day.to_owned(), runs, attention };
        let svg = trend("t", "Audits", &[day("2026-01-24", 4, 1), day("2026-01-25", 0, 0), day("2026-01-26", 2, 2)]);
        assert!(svg.contains("6 in 3 days, 3 of them want looking at; the most on 2026-01-24: 4"), "{svg}");
        assert_eq!((svg.matches("\"bar\"").count(), svg.matches("\"bar bad\"").count()), (2, 2), "{svg}");
        let none = trend("t", "Audits", &[]);
        assert!(none.contains("0 in 0 days") && !none.contains("NaN"), "{none}");
    }
}
