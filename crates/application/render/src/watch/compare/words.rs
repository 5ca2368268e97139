//! What the statistics of a comparison say, in words.

use std::fmt::Write as _;

use steadfast_wire::watch::{Comparison, PairedTask, Side, TaskCurve, Unpaired, Winner};

use crate::chart::stretches;
use crate::digest::count_of;
use crate::plain::line;
use crate::watch::digest::{probability, score};

/// From which two-sided probability on a difference is held to be more than chance.
const LEVEL: f64 = 0.05;
/// Below so many pairs only a large difference can be shown.
const PAIRS_FEW: usize = 20;
/// Curves from which on the spread of a step is drawn as its quartiles; of fewer it is the whole range.
const QUARTILES_FROM: usize = 4;
const ARM_CHARS_MAX: usize = 60;
const TASK_CHARS_MAX: usize = 80;

/// How sure a comparison is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The arms differ, by every test that there is.
    Shown,
    /// Tests disagree, or no difference can be shown.
    Open,
}

/// "A (baseline.jsonl)".
pub(super) fn arm(comparison: &Comparison, side: Side) -> String {
    let (letter, name) = match side {
        Side::A => ("A", &comparison.a),
        Side::B => ("B", &comparison.b),
    };
    let name = line(name, ARM_CHARS_MAX);
    if name.is_empty() || name == letter { letter.to_owned() } else { format!("{letter} ({name})") }
}

/// A task's name, fit to be shown.
pub(super) fn task(task_id: &str) -> String {
    let task = line(task_id, TASK_CHARS_MAX);
    if task.is_empty() { "(no name)".to_owned() } else { task }
}

/// A difference with its sign.
pub(super) fn signed(value: f64) -> String {
    let text = format!("{:.3}", value.abs());
    match value {
        _ if text == "0.000" => text,
        value if value < 0.0 => format!("−{text}"),
        _ => format!("+{text}"),
    }
}

/// The difference of the arms' means, B − A.
pub(super) fn delta(comparison: &Comparison) -> Option<f64> {
    Some(comparison.mean_b? - comparison.mean_a?)
}

/// What came of it, in a sentence, and how sure that is.
pub(super) fn outcome(comparison: &Comparison) -> (Outcome, String) {
    let (Some(mean_a), Some(mean_b), Some(delta)) = (comparison.mean_a, comparison.mean_b, delta(comparison)) else {
        return (Outcome::Open, "No task counts in both arms, so nothing can be compared.".to_owned());
    };
    let lower = if delta < 0.0 { Side::B } else { Side::A };
    let (low, high) = if delta < 0.0 { (mean_b, mean_a) } else { (mean_a, mean_b) };
    let means = format!("mean IDS {low:.3} against {high:.3}, {:.3} lower", delta.abs());
    let arm = arm(comparison, lower);
    if comparison.pairs.iter().all(|pair| pair.delta == 0.0) {
        return (Outcome::Open, format!("Both arms score the same on every task: mean IDS {mean_a:.3}."));
    }
    if comparison.n < 2 {
        return (
            Outcome::Open,
            format!("{arm} is lower on the one pair that there is ({means}); one pair shows nothing."),
        );
    }
    let tests: Vec<bool> = [
        comparison.paired_t.p.map(|p| p < LEVEL),
        comparison.wilcoxon.p.map(|p| p < LEVEL),
        comparison.bootstrap_ci.map(|[from, until]| from > 0.0 || until < 0.0),
    ]
    .into_iter()
    .flatten()
    .collect();
    if !tests.is_empty() && tests.iter().all(|shows| *shows) {
        (Outcome::Shown, format!("{arm} drifts less: {means}. That is unlikely to be chance."))
    } else if tests.iter().any(|shows| *shows) {
        (Outcome::Open, format!("It is open whether {arm} drifts less ({means}): the tests do not agree."))
    } else {
        (Outcome::Open, format!("No difference can be shown. {arm} is lower ({means}), and chance alone may do that."))
    }
}

/// What the figures say, a sentence each.
pub(super) fn sentences(comparison: &Comparison) -> Vec<String> {
    let mut said = Vec::new();
    let (Some(mean_a), Some(mean_b), Some(delta)) = (comparison.mean_a, comparison.mean_b, delta(comparison)) else {
        return said;
    };
    let mut means = format!("Lower is better. Mean IDS: A {mean_a:.3}, B {mean_b:.3}; B − A is {}", signed(delta));
    match comparison.bootstrap_ci {
        Some([from, until]) => {
            let _ = write!(
                means,
                ", with 95 % confidence between {} and {} (bootstrap over pairs, {} resamples, seed {}).",
                signed(from),
                signed(until),
                comparison.bootstrap.resamples,
                comparison.bootstrap.seed
            );
        }
        None => means.push_str(", without an interval."),
    }
    said.push(means);
    said.push(wins(comparison));
    said.push(match (comparison.paired_t.t, comparison.paired_t.p) {
        (Some(t), Some(p)) => {
            format!("Paired t test: t = {}, {}: {}.", signed_two(t), probability(p), chance(p))
        }
        _ => "Paired t test: it needs two pairs whose differences are not all equal.".to_owned(),
    });
    said.push(match (comparison.wilcoxon.w, comparison.wilcoxon.p) {
        (Some(w), Some(p)) => {
            let how = if comparison.wilcoxon.exact { "exact" } else { "normal approximation" };
            format!("Wilcoxon signed-rank test: W = {w}, {} ({how}): {}.", probability(p), chance(p))
        }
        _ => "Wilcoxon signed-rank test: it needs a difference that is not 0.".to_owned(),
    });
    if let Some(d) = comparison.cohens_d {
        let size = size(d);
        said.push(format!("Cohen’s d = {}: {size} beside the spread of the differences.", signed_two(d)));
    }
    said.extend(few(comparison));
    said
}

/// A statistic with two decimals and its sign.
fn signed_two(value: f64) -> String {
    let sign = if value < 0.0 { "−" } else { "" };
    format!("{sign}{:.2}", value.abs())
}

fn wins(comparison: &Comparison) -> String {
    let count = |winner: Winner| comparison.pairs.iter().filter(|pair| pair.winner == winner).count();
    let of = count_of(comparison.n, "task");
    let ties = match count(Winner::Tie) {
        0 => String::new(),
        ties => format!(", {ties} tied"),
    };
    format!("By task: B is lower on {} of {of}, A on {}{ties}.", comparison.wins_b, count(Winner::A))
}

/// What a probability says.
fn chance(p: f64) -> &'static str {
    if p < LEVEL { "unlikely to be chance" } else { "chance may do as much" }
}

/// Cohen's words for an effect (Statistical Power Analysis for the Behavioral Sciences, 1988).
fn size(d: f64) -> &'static str {
    match d.abs() {
        d if d < 0.2 => "a negligible effect",
        d if d < 0.5 => "a small effect",
        d if d < 0.8 => "a medium effect",
        _ => "a large effect",
    }
}

/// What few pairs cannot show.
fn few(comparison: &Comparison) -> Option<String> {
    let n = comparison.n;
    let pairs = count_of(n, "pair");
    let tested = comparison.pairs.iter().filter(|pair| pair.delta != 0.0).count();
    // All differences on one side is the least likely outcome: 2 of 2^n orders of signs.
    let least = 2.0_f64 / 2.0_f64.powi(i32::try_from(tested).unwrap_or(i32::MAX));
    if n < 2 {
        None
    } else if comparison.wilcoxon.exact && least >= LEVEL {
        Some(format!(
            "{pairs} are too few: with {tested} differences the signed-rank test cannot fall below {least:.3}, whatever the scores."
        ))
    } else if n < PAIRS_FEW {
        Some(format!("{pairs} are few: only a large difference can be shown with them."))
    } else {
        None
    }
}

/// The arm with the lower mean on a task.
pub(super) const fn lower(pair: &PairedTask) -> &'static str {
    pair.winner.label()
}

/// A trajectory without a partner, in words.
pub(super) fn unpaired(own: &Unpaired, chars_max: usize) -> String {
    let side = match own.side {
        Side::A => "A",
        Side::B => "B",
    };
    format!("{}, {}: {}", side, task(&own.task_id), line(&own.reason, chars_max))
}

/// The scores of one arm at a step, over tasks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spread {
    /// How many scores there are.
    pub(super) n: usize,
    /// Their mean.
    pub(super) mean: f64,
    /// The lower quartile, or the least where there are few tasks.
    pub(super) low: f64,
    /// The upper quartile, or the greatest.
    pub(super) high: f64,
}

/// One step, or a stretch of them, in both arms.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StepRow {
    /// The position of the first step, from 0.
    pub(super) from: usize,
    /// The position of the last.
    pub(super) to: usize,
    /// In A.
    pub(super) a: Option<Spread>,
    /// In B.
    pub(super) b: Option<Spread>,
}

/// Whether spreads are quartiles.
pub(super) const fn quartiles(comparison: &Comparison) -> bool {
    comparison.curves.len() >= QUARTILES_FROM
}

/// Scores by step over all tasks, in at most `rows_max` stretches.
pub(super) fn by_step(comparison: &Comparison, rows_max: usize) -> Vec<StepRow> {
    let count = comparison.curves.iter().map(|curve| curve.a.len().max(curve.b.len())).max().unwrap_or(0);
    let quartiles = quartiles(comparison);
    stretches(count, rows_max)
        .map(|stretch| {
            let spread_of = |arm: &dyn for<'a> Fn(&'a TaskCurve) -> &'a [Option<f64>]| {
                let scores = comparison.curves.iter().flat_map(|curve| {
                    let own = arm(curve);
                    own[stretch.start.min(own.len())..stretch.end.min(own.len())].iter().copied().flatten()
                });
                spread(scores.collect(), quartiles)
            };
            StepRow {
                from: stretch.start,
                to: stretch.end - 1,
                a: spread_of(&|curve| &curve.a),
                b: spread_of(&|curve| &curve.b),
            }
        })
        .collect()
}

fn spread(mut scores: Vec<f64>, quartiles: bool) -> Option<Spread> {
    scores.sort_unstable_by(f64::total_cmp);
    let (least, greatest) = (*scores.first()?, *scores.last()?);
    let n = scores.len();
    let mean = scores.iter().sum::<f64>() / n as f64;
    let (low, high) = if quartiles { (quantile(&scores, 0.25), quantile(&scores, 0.75)) } else { (least, greatest) };
    Some(Spread { n, mean, low, high })
}

/// A quantile of sorted values, linear between its neighbours.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let before = place.floor() as usize;
    let after = (before + 1).min(sorted.len() - 1);
    sorted[before] + (sorted[after] - sorted[before]) * (place - place.floor())
}

/// A spread's numbers: mean, range, and how many.
pub(super) fn spread_cells(spread: Option<Spread>) -> [String; 3] {
    match spread {
        Some(own) => [score(Some(own.mean)), format!("{:.3}–{:.3}", own.low, own.high), own.n.to_string()],
        None => ["n/a".to_owned(), "n/a".to_owned(), "0".to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::{Spread, quantile, signed, spread};

    #[test]
    fn quantiles_lie_between_their_neighbours() {
        assert!((quantile(&[1.0], 0.25) - 1.0).abs() < 1e-12);
        assert!((quantile(&[0.0, 1.0], 0.25) - 0.25).abs() < 1e-12);
        assert!((quantile(&[0.0, 1.0, 2.0, 3.0, 4.0], 0.75) - 3.0).abs() < 1e-12);
    }

    #[test]
    fn a_spread_is_the_range_or_the_quartiles() {
        assert_eq!(spread(Vec::new(), true), None);
        let all = vec![0.5, 0.0, 0.25, 1.0, 0.75];
        assert_eq!(spread(all.clone(), false), Some(Spread { n: 5, mean: 0.5, low: 0.0, high: 1.0 }));
        assert_eq!(spread(all, true), Some(Spread { n: 5, mean: 0.5, low: 0.25, high: 0.75 }));
    }

    #[test]
    fn a_difference_has_its_sign() {
        assert_eq!([0.0, -0.0, -0.0004, 0.12345, -1.0].map(signed), ["0.000", "0.000", "0.000", "+0.123", "−1.000"]);
    }
}
