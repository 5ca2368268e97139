#!/usr/bin/env python3
"""Writes the figures that the metrics of agreement are held against, as scikit-learn and scipy give them.

    python3 scripts/metrics_reference.py crates/dev/measure/tests/data/metrics_reference.json

Rows are random from a fixed seed: scores with many equal ones, values with and without ties; some lists are short, some have positives
only. A metric that is not defined is null. Needs scikit-learn and scipy from PyPI.
"""

import json
import math
import random
import sys
import warnings
from pathlib import Path

from scipy import stats
from sklearn import metrics

SEED = 20261122


def defined(value: float):
    return None if math.isnan(value) else float(value)


def case(draw: random.Random, number: int) -> dict:
    count = draw.choice([1, 2, 5, 20, 120])
    steps = draw.choice([3, 10, 1000])
    scores = [draw.randrange(steps) / steps for _ in range(count)]
    values = [round(it + draw.gauss(0, 0.3), draw.choice([0, 1, 3])) for it in scores]
    positive = [draw.random() < 0.3 + 0.4 * it for it in scores]
    if number % 9 == 0:
        positive = [True] * count
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one = len(set(scores)) < 2 or len(set(values)) < 2
        expect = {
            "auc": metrics.roc_auc_score(positive, scores) if len(set(positive)) == 2 else None,
            "pearson": None if one else defined(stats.pearsonr(scores, values).statistic),
            "spearman": None if one else defined(stats.spearmanr(scores, values).statistic),
        }
    return {"scores": scores, "values": values, "positive": positive, "expect": expect}


def main() -> int:
    draw = random.Random(SEED)
    cases = [case(draw, number) for number in range(150)]
    lines = ",\n".join(json.dumps(it, separators=(",", ":")) for it in cases)
    Path(sys.argv[1]).write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    print(f"{len(cases)} cases", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
