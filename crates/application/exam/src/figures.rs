//! Figures of an exam: shares with their intervals, and the bars that they are measured by.

use steadfast_watch::statistics::wilson;
use steadfast_wire::chat::{ExamBar, ExamFigure};

/// A share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Share {
    pub(crate) hits: usize,
    pub(crate) of: usize,
}

impl Share {
    pub(crate) fn put(&mut self, hit: bool) {
        self.hits += usize::from(hit);
        self.of += 1;
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of cases")]
    fn value(self, scale: f64) -> Option<f64> {
        (self.of > 0).then(|| self.hits as f64 * scale / self.of as f64)
    }
}

/// Where a figure must lie.
#[derive(Clone, Copy)]
pub(crate) enum Bar {
    None,
    Least(f64),
    Most(f64),
}

/// A figure that is a share.
pub(crate) fn share(name: &str, own: Share, rules: Option<Share>, bar: Bar) -> ExamFigure {
    let interval = wilson(own.hits as u64, own.of as u64).map(|it| [it.lo, it.hi]);
    figure(name, own, 1.0, interval, rules, bar)
}

/// A figure that counts something in every thousand of something else.
pub(crate) fn per_thousand(name: &str, own: Share, rules: Option<Share>, bar: Bar) -> ExamFigure {
    figure(name, own, 1_000.0, None, rules, bar)
}

fn figure(name: &str, own: Share, scale: f64, ci95: Option<[f64; 2]>, rules: Option<Share>, bar: Bar) -> ExamFigure {
    let value = own.value(scale);
    let (bar, met) = match bar {
        Bar::None => (None, None),
        // What nothing was counted for has not been shown.
        Bar::Least(least) => {
            (Some(ExamBar { least: Some(least), most: None }), Some(value.is_some_and(|it| it >= least)))
        }
        Bar::Most(most) => (Some(ExamBar { least: None, most: Some(most) }), Some(value.is_none_or(|it| it <= most))),
    };
    ExamFigure {
        name: name.to_owned(),
        value,
        ci95,
        hits: own.hits,
        of: own.of,
        rules: rules.and_then(|own| own.value(scale)),
        bar,
        met,
    }
}

#[cfg(test)]
mod tests {
    use super::{Bar, Share, per_thousand, share};

    #[test]
    fn a_bar_is_met_at_its_edge_and_not_by_nothing() {
        let of = |hits, of| Share { hits, of };
        let met = |own: Share, bar| share("x", own, None, bar).met;
        assert_eq!(met(of(6, 10), Bar::Least(0.6)), Some(true));
        assert_eq!(met(of(5, 10), Bar::Least(0.6)), Some(false));
        assert_eq!(met(of(0, 0), Bar::Least(0.6)), Some(false));
        assert_eq!(met(of(1, 20), Bar::Most(0.05)), Some(true));
        assert_eq!(met(of(2, 20), Bar::Most(0.05)), Some(false));
        assert_eq!(met(of(0, 0), Bar::Most(0.05)), Some(true));
        assert_eq!(met(of(1, 2), Bar::None), None);
        let false_ones = per_thousand("x", of(3, 2_000), Some(of(1, 2_000)), Bar::Most(1.5));
        assert_eq!((false_ones.value, false_ones.rules, false_ones.met), (Some(1.5), Some(0.5), Some(true)));
    }
}
