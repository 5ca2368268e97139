#!/usr/bin/env python3
"""Writes the figures that the statistics of `watch compare` are held against, as scipy, mpmath and numpy give them.

    python3 scripts/compare_reference.py crates/instruments/watch/tests/data/compare_reference.json

The pairs are random from a fixed seed: normal and heavy-tailed differences, ties, noughts, from 2 to 200 pairs. Paired t and
signed-rank test are scipy's, with its defaults; the tails of Student's t are mpmath's, to more than 50 digits; the intervals are
numpy's percentiles over resamples that are drawn here by the same published generator. Needs scipy, numpy and mpmath
from PyPI. Ends with status 1 where scipy is older than 1.17, whose choice of method is the one that is mirrored.
"""

import json
import sys
import warnings
from pathlib import Path

import mpmath
import numpy as np
import scipy
from scipy import stats

SEED = 20261122
MASK = (1 << 64) - 1
RESAMPLES = 10_000


def split_mix(state: int):
    """SplitMix64: Steele, Lea and Flood 2014."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def interval(differences: np.ndarray) -> list[float]:
    n = len(differences)
    numbers = split_mix(0x5EED)
    chosen = [(next(numbers) * n) >> 64 for _ in range(RESAMPLES * n)]
    means = differences[np.array(chosen).reshape(RESAMPLES, n)].mean(axis=1)
    return [float(it) for it in np.percentile(means, [2.5, 97.5])]


def number(value) -> float | None:
    value = float(value)
    return value if np.isfinite(value) else None


def pairs(rng: np.random.Generator):
    sizes = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 18, 20, 25, 30, 40, 49, 50, 51, 60, 80, 100, 150, 200]
    for n in sizes:
        a = rng.normal(0.5, 0.15, n)
        yield "normal", a, a + rng.normal(0.03, 0.1, n)
        yield "far apart", a, a + rng.normal(1.0, 0.1, n)
        yield "no difference", a, rng.permutation(a) if n > 2 else a[::-1].copy()
        yield "six decimals", a.round(6), (a + rng.normal(0.01, 0.05, n)).round(6)
        yield "tied", rng.integers(0, 8, n) / 8.0, rng.integers(0, 8, n) / 8.0
        whole = rng.integers(1, 6, n) * rng.choice([-1, 1, 1], n)
        yield "tied, none nought", whole.astype(float), np.zeros(n)
        zeros = rng.normal(0, 1, n)
        zeros[rng.random(n) < 0.4] = 0.0
        yield "noughts", zeros, np.zeros(n)
        yield "heavy tails", rng.standard_cauchy(n), rng.standard_cauchy(n)
        yield "one sign", np.abs(rng.normal(0, 1, n)), np.zeros(n)
        yield "small differences", a, a + rng.normal(0, 1e-7, n)
    yield "all nought", np.full(5, 0.25), np.full(5, 0.25)
    yield "all the same", np.full(5, 0.75), np.full(5, 0.25)


def case(name: str, a: np.ndarray, b: np.ndarray, with_interval: bool) -> dict:
    differences = a - b
    t = stats.ttest_rel(a, b)
    ranked = np.any(differences != 0)
    w = stats.wilcoxon(a, b) if ranked else None
    sd = differences.std(ddof=1)
    return {
        "name": name,
        "differences": [float(it) for it in differences],
        "mean": float(differences.mean()),
        "sd": float(sd),
        "t": number(t.statistic),
        "t_p": number(t.pvalue) if np.isfinite(t.statistic) else None,
        "df": int(t.df),
        "d_z": number(differences.mean() / sd) if sd > 0 else None,
        "w": number(w.statistic) if ranked else None,
        "w_p": number(w.pvalue) if ranked else None,
        "interval": interval(differences) if with_interval else None,
    }


def tails() -> list[list[float]]:
    mpmath.mp.dps = 340
    rows = []
    for df in [1, 2, 3, 4, 5, 7, 10, 29, 99, 199, 200, 201, 1_000, 9_999, 19_999, 20_000, 100_000]:
        for t in [1e-8, 1e-3, 0.1, 0.5, 1.0, 1.5, 1.7, 1.8, 1.9, 2.0, 2.5, 3.0, 5.0, 8.0, 20.0, 100.0, 1e6]:
            squared = mpmath.mpf(t) ** 2
            a, half = mpmath.mpf(df) / 2, mpmath.mpf(1) / 2
            if squared < df:
                p = 1 - mpmath.betainc(half, a, 0, squared / (df + squared), regularized=True)
            else:
                p = mpmath.betainc(a, half, 0, df / (df + squared), regularized=True)
            if p > mpmath.mpf("1e-290"):
                rows.append([df, t, float(p)])
    return rows


def main() -> int:
    if tuple(int(part) for part in scipy.__version__.split(".")[:2]) < (1, 17):
        print(f"scipy {scipy.__version__} chooses its method in another way: 1.17 or later is needed", file=sys.stderr)
        return 1
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(SEED)
    cases = []
    for index, (name, a, b) in enumerate(pairs(rng)):
        cases.append(case(name, a, b, index % 30 == 0))
    made = {"scipy": scipy.__version__, "numpy": np.__version__, "seed": SEED, "cases": cases, "student_t": tails()}
    Path(sys.argv[1]).write_text(json.dumps(made, indent=None, separators=(",", ":")).replace('{"name"', '\n{"name"') + "\n")
    print(f"{len(cases)} cases, {len(made['student_t'])} tails")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main())
