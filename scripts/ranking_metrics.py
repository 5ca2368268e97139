#!/usr/bin/env python3
"""Writes the figures that the metrics of rankings are held against, as ranx and trec_eval give them.

    python3 scripts/ranking_metrics.py crates/dev/measure/tests/data/ranking_reference.json

Queries are random from a fixed seed: 1 to 60 documents ranked, 1 to 30 judged, grades 0 to 4, some of what is relevant not ranked. Gain of nDCG is the grade
itself, its discount log2(place + 1), its cut that of the ranking and of the ideal; a document is relevant from grade 1 on. Runs are
given with scores that fall by place, so that no rule for ties is asked: trec_eval would take equal scores by descending id,
Steadfast by ascending id. Needs ranx and pytrec-eval-terrier from PyPI. Ends with status 1 where the two differ
from each other by more than 1e-12.
"""

import json
import random
import sys
from pathlib import Path

import pytrec_eval
from ranx import Qrels, Run, evaluate

SEED = 20261122
CUTS = [1, 3, 5, 10, 20]
TOLERANCE = 1e-12


def queries(count: int = 200) -> list[dict]:
    draw = random.Random(SEED)
    found = []
    for number in range(count):
        pool = list(range(draw.choice([4, 20, 80])))
        ranked = draw.sample(pool, draw.randint(1, min(60, len(pool))))
        judged = {document: draw.choice([0, 0, 1, 1, 2, 3, 4]) for document in draw.sample(pool, draw.randint(1, min(30, len(pool))))}
        if number % 10 == 0:
            judged = {document: min(grade, 1) for document, grade in judged.items()}
        if not any(judged.values()):
            judged[draw.choice(pool)] = 1
        found.append({"ranked": ranked, "judged": sorted(judged.items())})
    return found


def names() -> dict[str, tuple[str, str]]:
    """Our names, with those of ranx and of trec_eval."""
    cut = {f"precision_at_{k}": (f"precision@{k}", f"P_{k}") for k in CUTS}
    cut |= {f"recall_at_{k}": (f"recall@{k}", f"recall_{k}") for k in CUTS}
    cut |= {f"hit_at_{k}": (f"hit_rate@{k}", f"success_{k}") for k in CUTS}
    cut |= {f"ndcg_at_{k}": (f"ndcg@{k}", f"ndcg_cut_{k}") for k in CUTS}
    return cut | {"reciprocal_rank": ("mrr", "recip_rank"), "average_precision": ("map", "map")}


def main() -> int:
    rows = queries()
    ids = [f"q{number:03}" for number in range(len(rows))]
    judged = {id: {f"d{document:03}": grade for document, grade in row["judged"]} for id, row in zip(ids, rows)}
    run = {id: {f"d{document:03}": float(1000 - at) for at, document in enumerate(row["ranked"])} for id, row in zip(ids, rows)}
    cuts = ",".join(str(k) for k in CUTS)
    asked = {f"{name}.{cuts}" for name in ("P", "recall", "success", "ndcg_cut")} | {"recip_rank", "map"}
    by_trec_eval = pytrec_eval.RelevanceEvaluator(judged, asked).evaluate(run)
    of_ranx = Run(run)
    evaluate(Qrels(judged), of_ranx, [theirs for theirs, _ in names().values()])
    worst = 0.0
    for id, row in zip(ids, rows):
        row["expect"] = {}
        for name, (ranx, trec_eval) in names().items():
            expect = float(by_trec_eval[id][trec_eval])
            difference = abs(expect - float(of_ranx.scores[ranx][id]))
            worst = max(worst, difference if difference == difference else float("inf"))
            row["expect"][name] = expect
    print(f"{len(rows)} queries, {len(names())} metrics: ranx and trec_eval differ by {worst:.1e} at most", file=sys.stderr)
    lines = ",\n".join(json.dumps(row) for row in rows)
    Path(sys.argv[1]).write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    return int(worst > TOLERANCE)


if __name__ == "__main__":
    sys.exit(main())
