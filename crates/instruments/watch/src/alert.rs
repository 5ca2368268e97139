//! Alerts on a threshold that do not flap: one opens where scores persist above it, and closes where they stay below a lower
//! mark.

use std::collections::VecDeque;

/// Scored steps that are looked back upon.
pub const WINDOW_STEPS: usize = 5;
/// How many of them must reach the threshold before an alert opens.
pub const PERSISTENCE_STEPS: usize = 3;
/// How many in a row must stay below the lower mark before it closes.
pub const RELEASE_STEPS: usize = 3;
/// Alerts of one kind that one trajectory tells of at most: the first ones.
pub const ALERTS_MAX: usize = 1_000;
/// How far below the threshold the lower mark lies.
pub const HYSTERESIS: f64 = 0.05;

/// Steps under alert: the first one whose score was too high, and the last one before the alert closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alert {
    /// The number of the first step.
    pub from_step: i64,
    /// The number of the last step that reached the lower mark.
    pub to_step: i64,
}

/// Watches one series of scores.
#[derive(Clone, Debug)]
pub struct Alarm {
    threshold: f64,
    /// The last scored steps, and whether each reached the threshold.
    window: VecDeque<(i64, bool)>,
    open: Option<Alert>,
    below: usize,
}

impl Alarm {
    /// An alarm that goes off where scores persist at `threshold` or above.
    #[must_use]
    pub fn new(threshold: f64) -> Self {
        Self { threshold, window: VecDeque::with_capacity(WINDOW_STEPS), open: None, below: 0 }
    }

    /// The alert that stands open.
    #[must_use]
    pub const fn open(&self) -> Option<Alert> {
        self.open
    }

    /// Takes the score of the next step, and gives the alert that closed with it. Steps without a score are not shown here.
    pub fn push(&mut self, step: i64, score: f64) -> Option<Alert> {
        if let Some(open) = &mut self.open {
            if score >= self.threshold - HYSTERESIS {
                open.to_step = step;
                self.below = 0;
                return None;
            }
            self.below += 1;
            return if self.below < RELEASE_STEPS { None } else { self.open.take() };
        }
        if self.window.len() == WINDOW_STEPS {
            self.window.pop_front();
        }
        self.window.push_back((step, score >= self.threshold));
        let mut over = self.window.iter().filter(|(_, over)| *over).map(|(step, _)| *step);
        if let Some(from_step) = over.next()
            && over.count() + 1 >= PERSISTENCE_STEPS
        {
            self.open = Some(Alert { from_step, to_step: step });
            self.below = 0;
            self.window.clear();
        }
        None
    }
}

/// The highest threshold at which a series still raises an alert: the greatest, over all stretches of [`WINDOW_STEPS`] scores,
/// of the score that [`PERSISTENCE_STEPS`] of them reach. `None` where no threshold would.
#[must_use]
pub fn level(scores: &[f64]) -> Option<f64> {
    let windows = scores.windows(WINDOW_STEPS.min(scores.len()).max(1));
    windows
        .filter_map(|window| {
            let mut window = window.to_vec();
            window.sort_by(|a, b| b.total_cmp(a));
            window.get(PERSISTENCE_STEPS - 1).copied()
        })
        .max_by(f64::total_cmp)
}

/// A threshold fitted on runs that are good.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    /// Scores from it on raise an alert.
    pub threshold: f64,
    /// The share of good runs that raise one at most, if they are like those that it was fitted on.
    pub false_alarm_rate: f64,
    /// Runs that it was fitted on.
    pub runs: usize,
}

/// The share of good runs that a fitted threshold may let raise an alert.
pub const FALSE_ALARM_RATE_MAX: f64 = 0.05;
/// How far above the level of a run its threshold lies: one unit of the last decimal that is published.
pub const THRESHOLD_STEP: f64 = 1e-6;

/// The lowest threshold that holds [`FALSE_ALARM_RATE_MAX`] on runs like those whose [`level`]s are given, by split conformal
/// prediction (Vovk, Gammerman and Shafer, "Algorithmic learning in a random world", 2005): of `n` levels the one of rank
/// `k = ⌈(n + 1)·(1 − rate)⌉`, which a further run exceeds with a probability of at most `(n + 1 − k) / (n + 1)`. With fewer than
/// 19 runs no threshold holds that rate: then it is the highest level, which a further run exceeds with 1 / (n + 1). Runs that
/// raise no alert at any threshold count as the lowest. `None` where there are no runs, or all are so.
#[must_use]
pub fn fit(levels: &[Option<f64>]) -> Option<Fitted> {
    let mut levels: Vec<f64> = levels.iter().map(|level| level.unwrap_or(0.0)).collect();
    levels.sort_by(f64::total_cmp);
    let n = levels.len();
    let rank = (((n + 1) as f64 * (1.0 - FALSE_ALARM_RATE_MAX)).ceil() as usize).min(n);
    let level = *levels.get(rank.checked_sub(1)?)?;
    (level > 0.0).then(|| Fitted {
        threshold: level + THRESHOLD_STEP,
        false_alarm_rate: (n + 1 - rank) as f64 / (n + 1) as f64,
        runs: n,
    })
}

#[cfg(test)]
mod tests {
    use super::{Alarm, fit, level};

    /// Alerts of a series with the threshold .6, as "from-to"; one that stands open at the end has a `+`.
    #[track_caller]
    fn check(scores: &[f64], expect: &str) {
        let mut alarm = Alarm::new(0.6);
        let mut told: Vec<String> = scores
            .iter()
            .enumerate()
            .filter_map(|(step, score)| alarm.push(step as i64, *score))
            .map(|alert| format!("{}-{}", alert.from_step, alert.to_step))
            .collect();
        told.extend(alarm.open().map(|alert| format!("{}-{}+", alert.from_step, alert.to_step)));
        assert_eq!(told.join(" "), expect, "{scores:?}");
    }

    #[test]
    fn an_alert_needs_persistence() {
        check(&[], "");
        check(&[0.9, 0.9], "");
        check(&[0.9, 0.1, 0.9, 0.1, 0.1, 0.9], "");
        check(&[0.6, 0.6, 0.6], "0-2+");
        check(&[0.1, 0.9, 0.1, 0.9, 0.9], "1-4+");
        check(&[0.9, 0.1, 0.1, 0.1, 0.9, 0.9], "");
    }

    #[test]
    fn the_level_is_the_last_threshold_that_raises_an_alert() {
        let series: [&[f64]; 6] = [
            &[0.9, 0.8, 0.7],
            &[0.1, 0.9, 0.2, 0.8, 0.3, 0.7, 0.4],
            &[0.5; 9],
            &[0.9, 0.1, 0.1, 0.1, 0.1, 0.9, 0.1, 0.1, 0.1, 0.1, 0.9],
            &[0.2, 0.3, 0.4, 0.3, 0.2, 0.1],
            &[0.6, 0.5, 0.4, 0.5, 0.6, 0.7, 0.8],
        ];
        for scores in series {
            let level = level(scores).unwrap();
            for (threshold, raises) in [(level, true), (level + 1e-9, false)] {
                let mut alarm = Alarm::new(threshold);
                let mut raised = false;
                for (step, score) in scores.iter().enumerate() {
                    raised |= alarm.push(step as i64, *score).is_some() || alarm.open().is_some();
                }
                assert_eq!(raised, raises, "{scores:?} at {threshold}");
            }
        }
        assert_eq!(level(&[]), None);
        assert_eq!(level(&[0.9, 0.9]), None, "two steps never persist");
    }

    #[test]
    fn a_fitted_threshold_holds_its_rate() {
        let levels = |n: usize| (1..=n).map(|i| Some(i as f64 / 1_000.0)).collect::<Vec<_>>();
        let fitted = fit(&levels(99)).unwrap();
        assert!((fitted.threshold - 0.095_001).abs() < 1e-9 && (fitted.false_alarm_rate - 0.05).abs() < 1e-9);
        let few = fit(&levels(4)).unwrap();
        assert!((few.threshold - 0.004_001).abs() < 1e-9 && (few.false_alarm_rate - 0.2).abs() < 1e-9);
        assert_eq!(fit(&[]), None);
        assert_eq!(fit(&[None, None]), None);
    }

    #[test]
    fn an_alert_does_not_flap() {
        check(&[0.9, 0.9, 0.9, 0.57, 0.57, 0.57], "0-5+");
        check(&[0.9, 0.9, 0.9, 0.1, 0.1, 0.9], "0-5+");
        check(&[0.9, 0.9, 0.9, 0.1, 0.1, 0.1], "0-2");
        check(&[0.9, 0.9, 0.9, 0.1, 0.1, 0.1, 0.9, 0.9], "0-2");
        check(&[0.9, 0.9, 0.9, 0.1, 0.1, 0.1, 0.9, 0.9, 0.9], "0-2 6-8+");
    }
}
