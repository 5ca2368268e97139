//! Figures against those that were kept of an earlier measurement.

use steadfast_wire::measure::{Comparison, Figure, Measurement, Regression};

/// How much worse a figure may be that has no interval.
pub const TOLERANCE: f64 = 0.02;

/// Whether of two values of a metric the lower is the better one: alarms that are false, hits where there is nothing, what is broken and
/// called kept or kept and called broken, what is left open, obligations that are none, drifted reports that are called usable, delays.
#[must_use]
pub fn lower_is_better(metric: &str) -> bool {
    let name = metric.split('/').next().unwrap_or_default();
    name.contains("false_")
        || matches!(
            name,
            "accusations_false"
                | "alert_rate"
                | "assistant_shifts"
                | "breaks_false"
                | "broken_called_kept"
                | "broken_kept"
                | "flips"
                | "honest_accused"
                | "junk"
                | "kept_wrong"
                | "lost_tasks"
                | "needs_answer"
                | "onset_delay"
                | "onset_shuffles"
                | "questions_per_note"
                | "unclear"
        )
        || metric == "usable/drifted"
}

/// Compares figures with those of `baseline`. A figure may be worse by `tolerance`, or where none is given by half of the width of the
/// interval that it had, or by [`TOLERANCE`] where it had none. Figures of sets for which `asked` is false are passed over; one that had a value
/// and has none now became worse.
#[must_use]
pub fn compare(
    now: &Measurement,
    baseline: &Measurement,
    tolerance: Option<f64>,
    asked: &dyn Fn(&str) -> bool,
) -> Comparison {
    let mut compared = 0;
    let mut regressions = Vec::new();
    for was in baseline.rows.iter().filter(|was| asked(&was.set)) {
        let Some(value) = was.value else { continue };
        compared += 1;
        let own = now.rows.iter().find(|own| own.set == was.set && own.metric == was.metric);
        let found = own.and_then(|own| own.value);
        let allowed = tolerance.unwrap_or_else(|| half_width(was));
        let worse_by = |found: f64| if lower_is_better(&was.metric) { found - value } else { value - found };
        // Figures are written with six decimals.
        if found.is_none_or(|found| worse_by(found) > allowed + 1e-6) {
            regressions.push(Regression {
                set: was.set.clone(),
                metric: was.metric.clone(),
                was: Some(value),
                now: found,
                tolerance: Some(allowed),
            });
        }
    }
    Comparison { compared, regressions }
}

fn half_width(figure: &Figure) -> f64 {
    figure.ci95.map_or(TOLERANCE, |[low, high]| ((high - low) / 2.0).max(0.0))
}

#[cfg(test)]
mod tests {
    use steadfast_wire::measure::{Figure, Measurement};

    use super::compare;

    /// A metric, its value and its interval.
    type Given<'a> = (&'a str, Option<f64>, Option<[f64; 2]>);

    fn of(figures: &[Given<'_>]) -> Measurement {
        let rows = figures.iter().map(|(metric, value, ci95)| Figure {
            set: "any".to_owned(),
            metric: (*metric).to_owned(),
            value: *value,
            ci95: *ci95,
            n: 1,
            floor: None,
            published: None,
            tuned: None,
            kept: None,
        });
        Measurement { rows: rows.collect(), ..Measurement::default() }
    }

    #[track_caller]
    fn check(was: (&str, f64, Option<[f64; 2]>), now: Option<f64>, tolerance: Option<f64>, worse: bool) {
        let (was, now) = (of(&[(was.0, Some(was.1), was.2)]), of(&[(was.0, now, None)]));
        let found = compare(&now, &was, tolerance, &|_| true);
        assert_eq!((found.compared, found.regressions.len()), (1, usize::from(worse)), "{found:?}");
        assert!(compare(&now, &was, tolerance, &|_| false).regressions.is_empty());
    }

    #[test]
    fn half_of_the_interval_is_allowed_and_no_more() {
        let was = ("accuracy", 0.8, Some([0.75, 0.85]));
        check(was, Some(0.75), None, false);
        check(was, Some(0.749), None, true);
        check(was, Some(0.95), None, false);
        check(was, Some(0.749), Some(0.1), false);
        check(was, Some(0.799), Some(0.0), true);
        check(was, None, None, true);
    }

    #[test]
    fn without_an_interval_a_fixed_share_is_allowed() {
        check(("accuracy", 0.8, None), Some(0.78), None, false);
        check(("accuracy", 0.8, None), Some(0.779), None, true);
    }

    #[test]
    fn of_false_alarms_more_is_worse() {
        check(("false_alarm_rate", 0.1, None), Some(0.13), None, true);
        check(("onset_false_alarms", 0.1, None), Some(0.0), None, false);
        check(("false_hits", 0.0, None), Some(1.0), None, true);
        check(("broken_called_kept", 0.1, None), Some(0.2), None, true);
        check(("kept_wrong", 0.1, None), Some(0.2), None, true);
        check(("usable/drifted", 0.1, None), Some(0.2), None, true);
        check(("usable/faithful", 0.1, None), Some(0.2), None, false);
        check(("alert_rate/0.60", 0.5, None), Some(0.1), None, false);
    }
}
