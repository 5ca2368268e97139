//! How operating points did, by what was said of what they picked.

use steadfast_watch::statistics::{newcombe, wilson};
use steadfast_wire::pick as wire;

use crate::EngineError;
use crate::store::{Keep, PointCounts};

/// Characters of a hash that tell thresholds of one name apart.
const HASH_SHOWN: usize = 8;

/// How the operating points of a vault did: each by name and thresholds, and every pair of them.
///
/// # Errors
/// [`EngineError::Store`] where it cannot be read.
pub fn vault_results(store: &dyn Keep) -> Result<wire::VaultResults, EngineError> {
    Ok(results(&store.results()?))
}

fn results(counts: &[PointCounts]) -> wire::VaultResults {
    let points: Vec<wire::PointResult> = counts.iter().map(|own| point(own, counts)).collect();
    let mut comparisons = Vec::new();
    for (at, a) in points.iter().enumerate() {
        comparisons.extend(points[at + 1..].iter().map(|b| comparison(a, b)));
    }
    wire::VaultResults { schema_version: wire::SCHEMA_VERSION.to_owned(), points, comparisons }
}

fn point(own: &PointCounts, all: &[PointCounts]) -> wire::PointResult {
    let of_name = all.iter().filter(|other| other.operating_point == own.operating_point).count();
    let name = match &own.point_sha256 {
        _ if of_name == 1 => own.operating_point.clone(),
        Some(hash) => format!("{} ({})", own.operating_point, hash.get(..HASH_SHOWN).unwrap_or(hash)),
        None => format!("{} (thresholds not known)", own.operating_point),
    };
    let judged = own.good + own.bad;
    wire::PointResult {
        operating_point: name,
        sha256: own.point_sha256.clone(),
        selections: own.single + own.chain + own.clarify,
        single: own.single,
        chain: own.chain,
        clarify: own.clarify,
        good: own.good,
        bad: own.bad,
        share_good: (judged > 0).then(|| own.good as f64 / judged as f64),
        ci95: wilson(own.good as u64, judged as u64).map(|it| [it.lo, it.hi]),
    }
}

fn comparison(a: &wire::PointResult, b: &wire::PointResult) -> wire::PointComparison {
    let of = |own: &wire::PointResult| (own.good as u64, (own.good + own.bad) as u64);
    let found = newcombe(of(a), of(b));
    let verdict = match &found {
        None => {
            let silent: Vec<&str> =
                [a, b].into_iter().filter(|own| of(own).1 == 0).map(|own| own.operating_point.as_str()).collect();
            format!("not enough: nothing was said of what {} picked", silent.join(" and "))
        }
        Some((_, interval)) if interval.lo > 0.0 => format!("{} is better", a.operating_point),
        Some((_, interval)) if interval.hi < 0.0 => format!("{} is better", b.operating_point),
        Some(_) => "not enough to say which is better: the interval holds 0".to_owned(),
    };
    wire::PointComparison {
        a: a.operating_point.clone(),
        b: b.operating_point.clone(),
        difference: found.map(|(difference, _)| difference),
        ci95: found.map(|(_, interval)| [interval.lo, interval.hi]),
        verdict,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(name: &str, hash: Option<&str>, good: usize, bad: usize) -> PointCounts {
        PointCounts {
            operating_point: name.to_owned(),
            point_sha256: hash.map(|hash| hash.repeat(64)),
            single: good + bad,
            good,
            bad,
            ..PointCounts::default()
        }
    }

    fn verdict(a: PointCounts, b: PointCounts) -> String {
        results(&[a, b]).comparisons[0].verdict.clone()
    }

    #[test]
    fn a_verdict_is_given_where_the_interval_does_not_hold_nought() {
        let told = results(&[counts("a", Some("1"), 9, 1), counts("b", Some("2"), 3, 7)]);
        let pair = &told.comparisons[0];
        assert_eq!((pair.verdict.as_str(), told.points[0].share_good), ("a is better", Some(0.9)));
        assert!((pair.difference.unwrap() - 0.6).abs() < 1e-12 && (pair.ci95.unwrap()[0] - 0.1705).abs() < 1e-4);
        let few = "not enough to say which is better: the interval holds 0";
        assert_eq!(verdict(counts("a", Some("1"), 2, 1), counts("b", Some("2"), 1, 2)), few);
        assert_eq!(verdict(counts("a", Some("1"), 3, 70), counts("b", Some("2"), 70, 3)), "b is better");
        assert_eq!(
            verdict(counts("a", Some("1"), 2, 1), counts("b", Some("2"), 0, 0)),
            "not enough: nothing was said of what b picked"
        );
        assert_eq!(results(&[]).points, []);
    }

    #[test]
    fn thresholds_of_one_name_are_told_apart() {
        let told =
            results(&[counts("default", None, 1, 0), counts("default", Some("a"), 1, 0), counts("x", None, 0, 0)]);
        let names: Vec<&str> = told.points.iter().map(|it| it.operating_point.as_str()).collect();
        assert_eq!(names, ["default (thresholds not known)", "default (aaaaaaaa)", "x"]);
        assert_eq!(told.comparisons.len(), 3);
    }
}
