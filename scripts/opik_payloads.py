#!/usr/bin/env python3
"""Holds what `--export opik` sends against the official Python SDK of Opik.

    env/bin/python scripts/opik_payloads.py target/debug/steadfast

A server on the loopback address records what is sent to it. First the program sends to it, and each body is read with the pydantic models that the
SDK's REST client writes it by: members that a model does not know count as wrong. Then the SDK makes the same calls, with the same values taken from our own
bodies: client level (`Opik.trace`, `span`, `log_traces_feedback_scores`, `create_dataset`, `create_experiment` …) where it has one, its REST client
else. Both records are compared call by call and member by member: method, path, headers that both send, members of both. What only one of them sends
is listed. Needs `opik` from PyPI. Ends with status 1 where something that both say differs.
"""

import gzip
import json
import os
import subprocess
import sys
import tempfile
import threading
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

NOTES = "- finish the board report (45 minutes)\n- call Ana (30 minutes)\n- Dentist from 14:00 to 15:00\n"
STEPS = (
    '{"task_id":"t","agent":"scout","step":0,"prompt":"tidy the shed","output":"I tidy the shed."}\n'
    '{"task_id":"t","agent":"scout","step":1,"prompt":"tidy the shed","output":"Boats are for sale."}\n'
)
PLAN = "plan notes.md --at 2026-01-26T09:00:00-05:00 --tz America/Toronto"
KEY, WORKSPACE, PROJECT = "a-key", "a-workspace", "a-project"
calls: list[dict] = []
wrong: list[str] = []
only: dict[str, set[str]] = {"ours": set(), "theirs": set()}


class Stub(BaseHTTPRequestHandler):
    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        call = {"method": self.command, "path": self.path.split("?")[0], "headers": {name.lower(): text for name, text in self.headers.items()}}
        call["body"] = json.loads(body) if body else None
        calls.append(call)
        found = {}
        if self.path.endswith("/datasets/retrieve"):
            found = {"id": "01985c3e-0000-7000-8000-000000000001", "name": call["body"]["dataset_name"]}
        answer = json.dumps(found).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_POST = do_PUT = do_GET = do_PATCH = answer

    def log_message(self, *_: object) -> None:
        pass


def expect(holds: bool, what: str) -> None:
    if not holds:
        wrong.append(what)


def by_path(found: list[dict], end: str) -> list[dict]:
    return [call for call in found if call["path"].endswith(f"/v1/private/{end}")]


def ours(program: Path, base: str) -> list[dict]:
    calls.clear()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "notes.md").write_text(NOTES, encoding="utf-8")
        Path(folder, "steps.jsonl").write_text(STEPS, encoding="utf-8")
        own = {name: text for name, text in os.environ.items() if not name.startswith(("OTEL_", "OPIK_", "STEADFAST_EXPORT"))}
        own |= {"OPIK_URL_OVERRIDE": base, "OPIK_API_KEY": KEY, "OPIK_WORKSPACE": WORKSPACE, "OPIK_PROJECT_NAME": PROJECT}
        own |= {"NO_PROXY": "127.0.0.1"}
        for verb in [PLAN, "watch steps.jsonl --embedder lexical", "plan bench"]:
            arguments = [str(program), *verb.split(), "--export", "opik", "--export-queue", "queue", "--export-wait", "60"]
            ended = subprocess.run(arguments, cwd=folder, env=own, capture_output=True, text=True)
            expect(ended.returncode in (0, 1) and "wait" not in ended.stderr, f"{verb}: {ended.returncode} {ended.stderr}")
    return list(calls)


def read_by_models(found: list[dict]) -> None:
    """Every element by the model that the REST client writes it by."""
    from opik.rest_api.types.dataset_item_write import DatasetItemWrite
    from opik.rest_api.types.experiment_item import ExperimentItem
    from opik.rest_api.types.experiment_score_write import ExperimentScoreWrite
    from opik.rest_api.types.feedback_score_batch_item import FeedbackScoreBatchItem
    from opik.rest_api.types.span_write import SpanWrite
    from opik.rest_api.types.trace_write import TraceWrite

    lists = {
        "traces/batch": ("traces", TraceWrite),
        "spans/batch": ("spans", SpanWrite),
        "traces/feedback-scores": ("scores", FeedbackScoreBatchItem),
        "spans/feedback-scores": ("scores", FeedbackScoreBatchItem),
        "datasets/items": ("items", DatasetItemWrite),
        "experiments/items": ("experiment_items", ExperimentItem),
        "experiments": ("experiment_scores", ExperimentScoreWrite),
    }
    for end, (member, model) in lists.items():
        elements = [element for call in by_path(found, end) for element in call["body"][member]]
        expect(bool(elements), f"{end}: nothing was sent")
        for element in elements:
            try:
                read = model.model_validate(element)
            except ValueError as error:
                expect(False, f"{end}: {error}")
                continue
            unknown = set(read.model_extra or {})
            expect(not unknown, f"{end}: {model.__name__} knows no {sorted(unknown)}")
            again = json.loads(read.model_dump_json(exclude_unset=True, by_alias=True))
            expect(set(again) == set(element), f"{end}: {set(again) ^ set(element)} are lost in the model")
        print(f"  {model.__name__:<24} {len(elements):>4} elements of {end}")
    ids = [element["id"] for call in found for key in ("traces", "spans", "items", "experiment_items") for element in (call["body"] or {}).get(key, [])]
    expect(all(own[14] == "7" and len(own) == 36 for own in ids), "an id is no UUIDv7")
    print(f"  {len(ids)} ids, all UUIDv7")


def time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text.replace("Z", "+00:00")) if text else None


def theirs(found: list[dict], base: str) -> list[dict]:
    """The same calls by the SDK, with the values of ours."""
    import opik
    from opik.rest_api.types.dataset_item_write import DatasetItemWrite
    from opik.rest_api.types.experiment_item import ExperimentItem
    from opik.rest_api.types.experiment_score_write import ExperimentScoreWrite

    calls.clear()
    client = opik.Opik(project_name=PROJECT, workspace=WORKSPACE, host=base, api_key=KEY)
    traces = [element for call in by_path(found, "traces/batch")[:2] for element in call["body"]["traces"]]
    spans = [element for call in by_path(found, "spans/batch") for element in call["body"]["spans"]]
    for own in traces:
        members = {name: own[name] for name in ("id", "name", "input", "output", "metadata", "tags")}
        client.trace(**members, start_time=time(own["start_time"]), end_time=time(own.get("end_time")), project_name=PROJECT)
    for own in spans:
        members = {name: own.get(name) for name in ("id", "trace_id", "parent_span_id", "name", "type", "input", "output", "metadata")}
        client.span(**members, start_time=time(own["start_time"]), end_time=time(own.get("end_time")), project_name=PROJECT)
    client.flush()
    for end, log in [
        ("traces/feedback-scores", client.log_traces_feedback_scores),
        ("spans/feedback-scores", client.log_spans_feedback_scores),
    ]:
        for call in by_path(found, end)[:2]:
            log(scores=[{name: own[name] for name in ("id", "name", "value", "category_name", "reason") if name in own} for own in call["body"]["scores"]], project_name=PROJECT)
    client.flush()
    (dataset, items) = (by_path(found, "datasets")[0]["body"], by_path(found, "datasets/items")[0]["body"])
    client.create_dataset(name=dataset["name"], description=dataset["description"], project_name=PROJECT)
    rest = client.rest_client
    rest.datasets.create_or_update_dataset_items(
        dataset_name=items["dataset_name"], project_name=PROJECT, items=[DatasetItemWrite(**item) for item in items["items"]]
    )
    own = by_path(found, "experiments")[0]["body"]
    scores = [ExperimentScoreWrite(**score) for score in own.pop("experiment_scores")]
    rest.experiments.create_experiment(**own, experiment_scores=scores)
    own["experiment_scores"] = [{"name": score.name, "value": score.value} for score in scores]
    links = by_path(found, "experiments/items")[0]["body"]["experiment_items"]
    rest.experiments.create_experiment_items(experiment_items=[ExperimentItem(**link) for link in links])
    client.end()
    return list(calls)


def same(name: str, ours: object, theirs: object) -> bool:
    if name.endswith("_time") and isinstance(ours, str) and isinstance(theirs, str):
        return time(ours) == time(theirs)
    return ours == theirs


def compare(end: str, member: str | None, ours: list[dict], theirs: list[dict]) -> None:
    (mine, other) = (by_path(ours, end), by_path(theirs, end))
    expect(bool(mine) and bool(other), f"{end}: {len(mine)} calls of ours, {len(other)} of theirs")
    if not mine or not other:
        return
    expect(mine[0]["method"] == other[0]["method"], f"{end}: {mine[0]['method']} and {other[0]['method']}")
    expect(mine[0]["path"] == other[0]["path"], f"{end}: {mine[0]['path']} and {other[0]['path']}")
    for name in ("authorization", "comet-workspace", "content-type"):
        expect(mine[0]["headers"].get(name) == other[0]["headers"].get(name), f"{end}: header {name}: {mine[0]['headers'].get(name)} and {other[0]['headers'].get(name)}")
    compared = 0
    if member is None:
        pairs = [(mine[0]["body"], other[0]["body"])]
    else:
        key = lambda element: (element.get("id"), element.get("name") if "value" in element else None)
        by_key = {key(element): element for call in mine for element in call["body"][member]}
        found = [element for call in other for element in call["body"][member]]
        expect(all(key(element) in by_key for element in found), f"{end}: the SDK sends elements that are not ours")
        expect(len(found) > 0, f"{end}: the SDK sends nothing")
        pairs = [(by_key.get(key(element), {}), element) for element in found]
        for name in set(mine[0]["body"]) & set(other[0]["body"]) - {member}:
            expect(mine[0]["body"][name] == other[0]["body"][name], f"{end}: {name}")
    for own, their in pairs:
        (own, their) = ({k: v for k, v in own.items() if v is not None}, {k: v for k, v in their.items() if v is not None})
        for name in set(own) & set(their):
            compared += 1
            expect(same(name, own[name], their[name]), f"{end}: {name}: {str(own[name])[:200]} and {str(their[name])[:200]}")
        only["ours"] |= {f"{end}: {name}" for name in set(own) - set(their)}
        only["theirs"] |= {f"{end}: {name}" for name in set(their) - set(own)}
    print(f"  {mine[0]['method']:<4} {mine[0]['path']:<44} {len(pairs):>4} elements, {compared} members of both")


def main() -> int:
    program = Path(sys.argv[1]).resolve()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Stub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}/api"
    os.environ |= {"NO_PROXY": "127.0.0.1", "OPIK_SENTRY_ENABLE": "false", "OPIK_ANALYTICS_ENABLE": "false", "HOME": tempfile.mkdtemp()}
    print("what the program sends")
    mine = ours(program, base)
    for call in mine:
        print(f"  {call['method']:<4} {call['path']}")
    print("read by the models of the SDK")
    read_by_models(mine)
    print("the same calls by the SDK")
    other = theirs(mine, base + "/")
    for end, member in [
        ("traces/batch", "traces"),
        ("spans/batch", "spans"),
        ("traces/feedback-scores", "scores"),
        ("spans/feedback-scores", "scores"),
        ("datasets", None),
        ("datasets/items", "items"),
        ("experiments", None),
        ("experiments/items", "experiment_items"),
    ]:
        compare(end, member, mine, other)
    for who, names in only.items():
        print(f"only {who}: {', '.join(sorted(names)) or 'nothing'}")
    print("\n".join([f"{len(wrong)} things are wrong", *wrong[:20]]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
