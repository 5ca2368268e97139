#!/usr/bin/env python3
"""Parses a drift-evaluation.json with the Pydantic models of the drift proposal that Steadfast implements.

    python3 scripts/seed_models.py drift-evaluation.json [MORE.json ...]

The models are the proposal's own (its section 3), name for name and type for type; they are validated strictly, so a
number where a string belongs is an error and not a conversion. Members beside the proposal's are allowed there and
ignored here. What the proposal states in words (ranges, the weighted score, the risk rule) is checked after parsing.
Needs pydantic 2 from PyPI. Ends with status 1 where a file does not parse or breaks a rule.
"""

import sys
from pathlib import Path

from pydantic import BaseModel, ValidationError


class DriftIncident(BaseModel):
    drift_type: str  # TypeA–TypeJ
    severity: int  # 0–4
    section: str
    source_reference: str
    output_claim: str
    explanation: str


class DimensionScores(BaseModel):
    scope_fidelity: int
    constraint_fidelity: int
    claim_strength_fidelity: int
    evidence_grounding_fidelity: int
    entity_fidelity: int
    causal_fidelity: int
    epistemic_fidelity: int
    source_trace_fidelity: int
    structural_priority_fidelity: int
    language_posture_fidelity: int


class PromptContract(BaseModel):
    core_intent: str
    primary_problem: str
    proposed_solution: str
    non_goals: list[str]
    constraints: list[str]
    core_entities: dict[str, str]
    optional_features: list[str]
    uncertainties: list[str]
    success_metrics: list[str]


class DriftEvaluationResult(BaseModel):
    prompt_contract: PromptContract
    dimension_scores: DimensionScores
    drift_incidents: list[DriftIncident]
    overall_fidelity_score: float
    overall_drift_risk: str
    critical_drift_count: int
    unsupported_claim_count: int
    constraint_violation_count: int
    confidence_inflation_count: int
    usable_as_is: bool
    verdict_preserved_well: list[str]
    verdict_major_failures: list[str]
    verdict_recommended_actions: list[str]


WEIGHTS = {
    "constraint_fidelity": 20,
    "scope_fidelity": 15,
    "evidence_grounding_fidelity": 15,
    "causal_fidelity": 10,
    "entity_fidelity": 10,
    "epistemic_fidelity": 10,
    "structural_priority_fidelity": 8,
    "claim_strength_fidelity": 5,
    "source_trace_fidelity": 4,
    "language_posture_fidelity": 3,
}


def broken_rules(result: DriftEvaluationResult) -> list[str]:
    """What the proposal states in words and the result does not keep."""
    broken = []
    scores = result.dimension_scores.model_dump()
    for name, score in scores.items():
        if not 0 <= score <= 5:
            broken.append(f"{name} is {score}, outside 0 to 5")
    for number, incident in enumerate(result.drift_incidents, 1):
        if not 0 <= incident.severity <= 4:
            broken.append(f"incident {number}: severity {incident.severity} lies outside 0 to 4")
        if incident.drift_type not in {f"Type{letter}" for letter in "ABCDEFGHIJ"}:
            broken.append(f"incident {number}: drift_type {incident.drift_type!r}")
    weighted = sum(scores[name] * weight for name, weight in WEIGHTS.items()) / 100
    if abs(weighted - result.overall_fidelity_score) > 0.005:
        broken.append(f"overall_fidelity_score is {result.overall_fidelity_score}, the weighted mean is {weighted}")
    worst = max((incident.severity for incident in result.drift_incidents), default=0)
    score = result.overall_fidelity_score
    risk = "critical" if worst == 4 else "high" if score < 2.5 else "medium" if score < 3.5 else "low"
    if result.overall_drift_risk != risk:
        broken.append(f"overall_drift_risk is {result.overall_drift_risk!r}, the rule gives {risk!r}")
    counts = {
        "critical_drift_count": sum(i.severity == 4 for i in result.drift_incidents),
        "unsupported_claim_count": sum(i.drift_type == "TypeC" for i in result.drift_incidents),
        "confidence_inflation_count": sum(i.drift_type == "TypeD" for i in result.drift_incidents),
    }
    for name, count in counts.items():
        if getattr(result, name) != count:
            broken.append(f"{name} is {getattr(result, name)}, the incidents give {count}")
    return broken


def main(paths: list[str]) -> int:
    if not paths:
        print(__doc__, file=sys.stderr)
        return 2
    status = 0
    for path in paths:
        try:
            result = DriftEvaluationResult.model_validate_json(Path(path).read_bytes(), strict=True)
        except (OSError, ValidationError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            status = 1
            continue
        broken = broken_rules(result)
        for rule in broken:
            print(f"{path}: {rule}", file=sys.stderr)
        status = status or int(bool(broken))
        if not broken:
            print(f"{path}: parsed, {len(result.drift_incidents)} incidents, score {result.overall_fidelity_score}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
