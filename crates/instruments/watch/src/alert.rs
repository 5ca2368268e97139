//! Alerts on a threshold that do not flap: one opens where scores persist above it, and closes where they stay below a lower
//! mark.

use std::collections::VecDeque;

/// Scored steps that are looked back upon.
pub const WINDOW_STEPS: usize = 5;
/// How many of them must reach the threshold before an alert opens.
pub const PERSISTENCE_STEPS: usize = 3;
/// How many in a row must stay below the lower mark before it closes.
pub const RELEASE_STEPS: usize = 3;
/// How far below the threshold the lower mark lies.
pub const HYSTERESIS: f64 = 0.05;

/// Steps under alert: the first one whose score was too high, and the last one before the alert closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alert {
    /// The number of the first step.
    pub from_step: u64,
    /// The number of the last step that reached the lower mark.
    pub to_step: u64,
}

/// Watches one series of scores.
#[derive(Clone, Debug)]
pub struct Alarm {
    threshold: f64,
    /// The last scored steps, and whether each reached the threshold.
    window: VecDeque<(u64, bool)>,
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
    pub fn push(&mut self, step: u64, score: f64) -> Option<Alert> {
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

#[cfg(test)]
mod tests {
    use super::Alarm;

    /// Alerts of a series with the threshold .6, as "from-to"; one that stands open at the end has a `+`.
    #[track_caller]
    fn check(scores: &[f64], expect: &str) {
        let mut alarm = Alarm::new(0.6);
        let mut told: Vec<String> = scores
            .iter()
            .enumerate()
            .filter_map(|(step, score)| alarm.push(step as u64, *score))
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
    fn an_alert_does_not_flap() {
        check(&[0.9, 0.9, 0.9, 0.57, 0.57, 0.57], "0-5+");
        check(&[0.9, 0.9, 0.9, 0.1, 0.1, 0.9], "0-5+");
        check(&[0.9, 0.9, 0.9, 0.1, 0.1, 0.1], "0-2");
        check(&[0.9, 0.9, 0.9, 0.1, 0.1, 0.1, 0.9, 0.9], "0-2");
        check(&[0.9, 0.9, 0.9, 0.1, 0.1, 0.1, 0.9, 0.9, 0.9], "0-2 6-8+");
    }
}
