//! The statistics of `watch compare` against scipy's figures for the same numbers, and on their edges.
//!
//! `data/compare_reference.json` is written by `scripts/compare_reference.py`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use serde::Deserialize;
use steadfast_watch::statistics::{
    BOOTSTRAP_DRAWS_MAX, BOOTSTRAP_RESAMPLES, EXACT_PAIRS_MAX, SplitMix64, Undefined, WilcoxonMethod, bootstrap_mean,
    cohens_d, paired_t, student_t_cdf, student_t_two_sided, summary, wilcoxon,
};

#[derive(Deserialize)]
struct Reference {
    cases: Vec<Case>,
    student_t: Vec<(usize, f64, f64)>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    differences: Vec<f64>,
    mean: f64,
    sd: f64,
    t: Option<f64>,
    t_p: Option<f64>,
    df: usize,
    d_z: Option<f64>,
    w: Option<f64>,
    w_p: Option<f64>,
    interval: Option<[f64; 2]>,
}

fn reference() -> Reference {
    serde_json::from_str(include_str!("data/compare_reference.json")).unwrap()
}

/// Equal to 1e-9: relative where a number is above 1, and for p values and other small numbers relative to 1e-9 of themselves or
/// 1e-15, whichever is more.
#[track_caller]
fn close(got: f64, wanted: f64, what: &str) {
    let allowed = (1e-9 * wanted.abs()).max(1e-15);
    assert!((got - wanted).abs() <= allowed, "{what}: {got:e}, not {wanted:e}");
}

#[test]
fn every_figure_is_that_of_scipy() {
    let cases = reference().cases;
    assert!(cases.len() > 200);
    let mut methods = [0; 3];
    for case in &cases {
        let what = |figure: &str| format!("{} of {} ({} pairs)", figure, case.name, case.differences.len());
        let of = &case.differences;
        let all = summary(of).unwrap();
        close(all.mean, case.mean, &what("mean"));
        close(all.sd.unwrap(), case.sd, &what("sd"));
        match (paired_t(of), case.t) {
            (Ok(it), Some(t)) => {
                close(it.t, t, &what("t"));
                close(it.p, case.t_p.unwrap(), &what("p of t"));
                assert_eq!(it.df, case.df);
                close(cohens_d(of).unwrap(), case.d_z.unwrap(), &what("d_z"));
            }
            (Err(Undefined::NoVariance), None) => assert_eq!(cohens_d(of), Err(Undefined::NoVariance)),
            (got, wanted) => panic!("{}: {got:?}, not {wanted:?}", what("t")),
        }
        match (wilcoxon(of), case.w) {
            (Ok(it), Some(w)) => {
                close(it.w, w, &what("w"));
                close(it.p, case.w_p.unwrap(), &what(&format!("p of w, {}", it.method.name())));
                methods[it.method as usize] += 1;
            }
            (Err(Undefined::AllZero), None) => {}
            (got, wanted) => panic!("{}: {got:?}, not {wanted:?}", what("w")),
        }
    }
    assert!(methods.iter().all(|count| *count > 20), "every method is met: {methods:?}");
}

#[test]
fn the_interval_is_numpys_percentile_over_the_same_resamples() {
    let mut met = 0;
    for case in reference().cases {
        if let Some([lo, hi]) = case.interval {
            let it = bootstrap_mean(&case.differences).unwrap();
            close(it.lo, lo, &case.name);
            close(it.hi, hi, &case.name);
            met += 1;
        }
    }
    assert!(met > 5);
}

#[test]
fn the_tails_of_students_t_are_exact() {
    let tails = reference().student_t;
    assert!(tails.len() > 200);
    for (df, t, p) in tails {
        let got = student_t_two_sided(t, df);
        // The exponent loses digits where the tail is tiny: as many as it has.
        let allowed = 1e-12 * p * (1.0 + p.ln().abs() / 100.0);
        assert!((got - p).abs() <= allowed, "t {t}, df {df}: {got:e}, not {p:e}");
        assert!((student_t_cdf(-t, df) - p / 2.0).abs() <= allowed);
        assert!((student_t_cdf(t, df) - (1.0 - p / 2.0)).abs() <= 1e-12);
    }
    assert_eq!(student_t_cdf(0.0, 3), 0.5);
    assert_eq!(student_t_two_sided(f64::INFINITY, 3), 0.0);
    assert!(student_t_two_sided(1.0, 0).is_nan() && student_t_two_sided(f64::NAN, 3).is_nan());
    // Where there are endless degrees of freedom the tail is the normal one.
    assert!((student_t_two_sided(1.959_963_984_540_054, usize::MAX) - 0.05).abs() < 1e-14);
    assert_eq!(student_t_two_sided(f64::MAX, usize::MAX), 0.0);
}

#[test]
fn what_cannot_be_stated_has_its_reason() {
    let all = |differences: &[f64]| {
        (
            paired_t(differences).err(),
            wilcoxon(differences).err(),
            cohens_d(differences).err(),
            bootstrap_mean(differences).err(),
            summary(differences).err(),
        )
    };
    use Undefined::{AllZero, NoPairs, NoVariance, NotFinite, OnePair};
    let five = |it| (Some(it), Some(it), Some(it), Some(it), Some(it));
    assert_eq!(all(&[]), five(NoPairs));
    assert_eq!(all(&[0.5]), (Some(OnePair), None, Some(OnePair), Some(OnePair), None));
    assert_eq!(all(&[0.0, -0.0, 0.0]), (Some(NoVariance), Some(AllZero), Some(NoVariance), None, None));
    assert_eq!(all(&[0.5, 0.5]), (Some(NoVariance), None, Some(NoVariance), None, None));
    // 0.3 − 0.2 and 0.9 − 0.8 differ in their last bits alone.
    assert_eq!(paired_t(&[0.3 - 0.2, 0.9 - 0.8]), Err(NoVariance));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(all(&[0.5, bad, 0.25]), five(NotFinite));
    }
    // Their squares exceed what a double holds; ranks do not care.
    let huge = [f64::MAX, -f64::MAX, 1.0];
    assert_eq!(all(&huge), (Some(NotFinite), None, Some(NotFinite), Some(NotFinite), Some(NotFinite)));
    assert_eq!(bootstrap_mean(&[0.25; 4]).map(|it| (it.lo, it.hi)), Ok((0.25, 0.25)));
    let edge = BOOTSTRAP_DRAWS_MAX / BOOTSTRAP_RESAMPLES;
    assert_eq!(bootstrap_mean(&vec![0.5; edge]).err(), None);
    assert_eq!(bootstrap_mean(&vec![0.5; edge + 1]).err(), Some(Undefined::TooManyPairs));
    assert_eq!(NoPairs.to_string(), "there is no pair");
}

#[test]
fn the_method_is_chosen_as_scipy_chooses() {
    let untied = |n: usize| (1..=n).map(|it| it as f64).collect::<Vec<_>>();
    let method = |differences: &[f64]| wilcoxon(differences).unwrap().method;
    assert_eq!(method(&untied(50)), WilcoxonMethod::Exact);
    assert_eq!(method(&untied(51)), WilcoxonMethod::Normal);
    let mut tied = untied(13);
    tied[1] = -1.0;
    assert_eq!(method(&tied), WilcoxonMethod::Permutation);
    tied.push(20.0);
    assert_eq!(method(&tied), WilcoxonMethod::Normal);
    let mut nought = untied(12);
    nought.push(0.0);
    assert_eq!(method(&nought), WilcoxonMethod::Permutation);
    nought.push(0.0);
    assert_eq!(method(&nought), WilcoxonMethod::Normal, "noughts count");
    assert!(wilcoxon(&untied(EXACT_PAIRS_MAX)).unwrap().exact_p.is_some());
    assert!(wilcoxon(&untied(EXACT_PAIRS_MAX + 1)).unwrap().exact_p.is_none());
}

#[test]
fn a_million_pairs_take_no_time() {
    let mut random = SplitMix64::new(1);
    let many: Vec<f64> = (0..1_000_000).map(|_| random.below(1_000) as f64 - 499.5).collect();
    assert!(paired_t(&many).unwrap().p > 1e-6);
    let it = wilcoxon(&many).unwrap();
    assert!(it.p > 1e-6 && it.w_plus + it.w_minus == 1e6 * (1e6 + 1.0) / 2.0);
}

#[test]
fn the_generator_is_the_published_one() {
    // The first outputs for the seed 1234567 that implementations of SplitMix64 are commonly tested with.
    let mut random = SplitMix64::new(1_234_567);
    let first: Vec<u64> = (0..3).map(|_| random.next_u64()).collect();
    assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    assert_eq!(SplitMix64::new(1).below(0), 0);
}

proptest! {
    #[test]
    fn figures_keep_their_bounds(differences in prop::collection::vec(-1.0_f64..1.0, 2..60)) {
        let flipped: Vec<f64> = differences.iter().map(|it| -it).collect();
        if let (Ok(there), Ok(back)) = (paired_t(&differences), paired_t(&flipped)) {
            prop_assert!((0.0..=1.0).contains(&there.p));
            prop_assert_eq!((there.t, there.p), (-back.t, back.p));
        }
        if let (Ok(there), Ok(back)) = (wilcoxon(&differences), wilcoxon(&flipped)) {
            prop_assert!(there.p > 0.0 && there.p <= 1.0);
            prop_assert_eq!((there.w, there.p, there.w_plus), (back.w, back.p, back.w_minus));
            prop_assert!((there.w_plus + there.w_minus - (there.n * (there.n + 1)) as f64 / 2.0).abs() < 1e-9);
        }
    }

    #[test]
    fn any_doubles_are_borne(differences in prop::collection::vec(any::<f64>(), 0..40)) {
        let _ = (summary(&differences), paired_t(&differences), wilcoxon(&differences), cohens_d(&differences));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_interval_holds_the_mean_and_shrinks(differences in prop::collection::vec(-1.0_f64..1.0, 8..24)) {
        let it = bootstrap_mean(&differences).unwrap();
        let mean = summary(&differences).unwrap().mean;
        prop_assert!(it.lo <= mean && mean <= it.hi);
        prop_assert_eq!(it, bootstrap_mean(&differences).unwrap());
        let more = differences.repeat(16);
        let narrower = bootstrap_mean(&more).unwrap();
        prop_assert!(narrower.hi - narrower.lo < (it.hi - it.lo) / 2.0);
    }
}
