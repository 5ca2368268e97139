//! What figures say against a detector, without anybody's opinion.

use steadfast_wire::measure::{Figure, Measurement};

use super::Detector;
use crate::lower_is_better;

/// Last parts of the names of metrics that are trivial rules, there to compare with.
const TRIVIAL: &[&str] =
    &["every_turn", "keywords", "longer", "longer_unquoted", "phase_2", "random", "second", "seven_words", "shorter"];

/// What is said once for each finding, and of which figures.
struct Findings {
    overfitted: Vec<String>,
    trivial: Vec<String>,
    floor: Vec<String>,
    published: Vec<String>,
}

/// What the figures of a detector's sets say against it: figures on kept rows below the interval of all, at or below a trivial rule or a floor, and
/// below what others report.
pub(super) fn against(measurement: &Measurement, detector: &Detector) -> Vec<String> {
    let own: Vec<&Figure> =
        measurement.rows.iter().filter(|figure| detector.sets.contains(&figure.set.as_str())).collect();
    let mut found = Findings { overfitted: Vec::new(), trivial: Vec::new(), floor: Vec::new(), published: Vec::new() };
    for figure in own.iter().filter(|figure| trivial(&figure.metric).is_none()) {
        let Some(kept) = figure.kept else { continue };
        // Of two values how much worse the first is; what is equal to six decimals is equal.
        let worse = |a: f64, b: f64| if lower_is_better(&figure.metric) { a - b } else { b - a };
        let name = format!("{} `{}`", figure.set, figure.metric);
        if let Some([low, high]) = figure.ci95 {
            let bound = if lower_is_better(&figure.metric) { high } else { low };
            if worse(kept, bound) > 1e-6 {
                found.overfitted.push(format!("{name} ({kept:.3}; tuned {})", number(figure.tuned)));
            }
        }
        for other in own.iter().filter(|it| it.set == figure.set && trivial(&it.metric) == Some(&figure.metric)) {
            if let Some(theirs) = other.kept.filter(|theirs| worse(kept, *theirs) > -1e-6) {
                found.trivial.push(format!("{name} ({kept:.3}; `{}` {theirs:.3})", last(&other.metric)));
            }
        }
        if let Some(floor) = figure.floor.filter(|floor| worse(kept, *floor) > -1e-6) {
            found.floor.push(format!("{name} ({kept:.3}; floor {floor:.3})"));
        }
        if let Some(published) = figure.published.filter(|published| worse(kept, *published) > 1e-6) {
            found.published.push(format!("{name} ({kept:.3}; published {published:.3})"));
        }
    }
    let said = [
        ("On kept rows worse than the interval of all rows allows, so fitted closer than it holds", found.overfitted),
        ("On kept rows no better than a trivial rule", found.trivial),
        ("On kept rows no better than the floor", found.floor),
        ("On kept rows below what others report", found.published),
    ];
    said.into_iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(what, names)| format!("{what}: {}.", names.join("; ")))
        .collect()
}

/// The metric that a trivial rule is to be compared with.
fn trivial(metric: &str) -> Option<&str> {
    let (compared, rule) = metric.rsplit_once('/')?;
    TRIVIAL.contains(&rule).then_some(compared)
}

fn last(metric: &str) -> &str {
    metric.rsplit('/').next().unwrap_or(metric)
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"))
}

#[cfg(test)]
mod tests {
    use steadfast_wire::measure::{Figure, Measurement};

    use super::against;
    use crate::DETECTORS;

    fn figure(metric: &str, kept: f64) -> Figure {
        Figure {
            set: "everyday".to_owned(),
            metric: metric.to_owned(),
            value: Some(kept),
            ci95: None,
            n: 9,
            floor: None,
            published: None,
            tuned: Some(0.9),
            kept: Some(kept),
        }
    }

    #[track_caller]
    fn check(rows: Vec<Figure>, expected: &[&str]) {
        let measurement = Measurement { rows, ..Measurement::default() };
        assert_eq!(against(&measurement, &DETECTORS[0]), expected);
    }

    #[test]
    fn what_speaks_against_a_detector_is_said() {
        check(vec![figure("recall", 0.6)], &[]);
        check(
            vec![Figure { ci95: Some([0.61, 0.8]), ..figure("recall", 0.6) }],
            &[
                "On kept rows worse than the interval of all rows allows, so fitted closer than it holds: everyday `recall` (0.600; tuned 0.900).",
            ],
        );
        check(vec![Figure { ci95: Some([0.6, 0.8]), ..figure("recall", 0.6) }], &[]);
        check(
            vec![figure("recall", 0.6), figure("recall/longer", 0.6), figure("recall/A", 0.7)],
            &["On kept rows no better than a trivial rule: everyday `recall` (0.600; `longer` 0.600)."],
        );
        check(
            vec![Figure { floor: Some(0.7), published: Some(0.8), ..figure("recall", 0.6) }],
            &[
                "On kept rows no better than the floor: everyday `recall` (0.600; floor 0.700).",
                "On kept rows below what others report: everyday `recall` (0.600; published 0.800).",
            ],
        );
    }

    #[test]
    fn of_false_incidents_more_speak_against_it() {
        let bounds = Some([0.1, 0.5]);
        check(vec![Figure { ci95: bounds, ..figure("false_incidents_per_1000_words", 0.0) }], &[]);
        check(
            vec![Figure { ci95: bounds, ..figure("false_incidents_per_1000_words", 0.6) }],
            &[
                "On kept rows worse than the interval of all rows allows, so fitted closer than it holds: everyday `false_incidents_per_1000_words` (0.600; tuned 0.900).",
            ],
        );
    }
}
