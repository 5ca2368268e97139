//! The scores of a task's outputs in their order, as a small chart.

use crate::chart::{Anchor, Frame, Mark, Svg};
use crate::plain::line;

/// Width and height of the chart in its own units.
const SIZE: (f64, f64) = (520.0, 190.0);
/// From this score on an output can be approved, and from this one it can be reviewed.
const LEVELS: [(f64, &str); 2] = [(0.8, "approve"), (0.6, "review")];
const POINTS_MAX: usize = 200;

/// Scores in their order with the moments at which they were given: a line, a mark for each score, and the levels of the task-evals
/// document. An output without a score is a gap. Empty where there is none.
#[must_use]
pub fn scores_over_time(scores: &[(String, Option<f64>)]) -> String {
    let scores = &scores[scores.len().saturating_sub(POINTS_MAX)..];
    if scores.is_empty() {
        return String::new();
    }
    let frame = Frame { left: 44.0, right: SIZE.0 - 64.0, top: 12.0, bottom: SIZE.1 - 26.0 };
    let (places, up) = (frame.positions(scores.len()), frame.scores_up());
    let known: Vec<f64> = scores.iter().filter_map(|(_, score)| *score).collect();
    let description = match (known.first(), known.last()) {
        (Some(first), Some(last)) => {
            format!(
                "{} of {} outputs have a score; the first is {first:.2}, the last {last:.2}.",
                known.len(),
                scores.len()
            )
        }
        _ => "No output has a score.".to_owned(),
    };
    let mut svg = Svg::new("scores", "chart", SIZE, "Scores of the task's outputs", &description);
    frame.draw_scores_up(&mut svg);
    for (level, name) in LEVELS {
        svg.line("distance", (frame.left, up.at(level)), (frame.right, up.at(level)));
        svg.text("tick", Anchor::Start, (frame.right + 7.0, up.at(level) + 4.0), name);
    }
    let middle = (frame.left + frame.right) / 2.0;
    let place = |at: usize| if scores.len() == 1 { middle } else { places.at(at as f64) };
    svg.polyline("ids", scores.iter().enumerate().map(|(at, (_, score))| Some((place(at), up.at((*score)?)))));
    for (at, (moment, score)) in scores.iter().enumerate() {
        let moment = line(moment, 40);
        match score.filter(|score| score.is_finite()) {
            Some(score) => {
                let words = format!("{moment}: {score:.2}");
                svg.mark("ids-mark", Mark::Circle, (place(at), up.at(score)), &words);
            }
            None => svg.mark("gap", Mark::Circle, (place(at), frame.bottom), &format!("{moment}: no score")),
        }
    }
    svg.text("axis", Anchor::Start, (frame.left, SIZE.1 - 6.0), "outputs in their order");
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::scores_over_time;

    #[test]
    fn every_output_has_its_mark() {
        assert_eq!(scores_over_time(&[]), "");
        let chart =
            scores_over_time(&[("<a>".to_owned(), Some(0.25)), ("b".to_owned(), None), ("c".to_owned(), Some(1.0))]);
        assert_eq!((chart.matches("class=\"ids-mark\"").count(), chart.matches("class=\"gap\"").count()), (2, 1));
        assert!(
            chart.contains("2 of 3 outputs have a score; the first is 0.25, the last 1.00.") && !chart.contains("<a>")
        );
    }
}
