#!/usr/bin/env python3
"""Parses what `--export otlp` sends by OpenTelemetry's own protobuf definitions, checks it, and prints what it holds.

    env/bin/python scripts/otlp_payload.py target/debug/steadfast

It starts the program with a server on the loopback address for a collector. Needs `opentelemetry-proto` from PyPI; with
`opentelemetry-semantic-conventions` as well, every `gen_ai.*` name is looked up there. Ends with status 1 where something is not as it
should be.
"""

import os
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest, ExportTraceServiceResponse

NOTES = "- finish the board report (45 minutes)\n- call Ana (30 minutes)\n- Dentist from 14:00 to 15:00\n"
PROMPT = "Plan a seed library. It must open within 3 months. Budget: 500 EUR. Do not use blockchain.\n"
REPORT = "# Seed library\n\nIt opens within 9 months, costs 5,000 EUR and records loans on a blockchain.\n"
STEPS = (
    '{"task_id":"t","agent":"scout","step":0,"prompt":"tidy the shed","output":"I tidy the shed."}\n'
    '{"task_id":"t","agent":"scout","step":1,"prompt":"tidy the shed","output":"Boats are for sale."}\n'
)
REVIEW = '<npl-block type="reflection">\n✅ Verified: tests pass\n🐛 Bug: crashes on empty input\n</npl-block>\n'
VERBS = [
    "plan notes.md --at 2026-01-26T09:00:00-05:00 --tz America/Toronto",
    "plan constraints notes.md --at 2026-01-26T09:00:00-05:00 --tz America/Toronto",
    "audit prompt.txt report.md",
    "watch steps.jsonl --embedder lexical",
    "review out.md",
]
bodies: list[bytes] = []
wrong: list[str] = []


class Collector(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        expect(self.path == "/v1/traces", f"path {self.path}")
        expect(self.headers["content-type"] == "application/x-protobuf", f"content type {self.headers['content-type']}")
        bodies.append(body)
        answer = ExportTraceServiceResponse().SerializeToString()
        self.send_response(200)
        self.send_header("content-type", "application/x-protobuf")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        pass


def expect(holds: bool, what: str) -> None:
    if not holds:
        wrong.append(what)


def value(any_value: object) -> object:
    kind = any_value.WhichOneof("value")
    if kind == "array_value":
        return [value(own) for own in any_value.array_value.values]
    return getattr(any_value, kind)


def known_names() -> set[str]:
    try:
        from opentelemetry.semconv._incubating.attributes import gen_ai_attributes
    except ImportError:
        return set()
    return {own for own in vars(gen_ai_attributes).values() if isinstance(own, str) and own.startswith("gen_ai.")}


def main() -> int:
    program = Path(sys.argv[1]).resolve()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        texts = {"notes.md": NOTES, "prompt.txt": PROMPT, "report.md": REPORT, "steps.jsonl": STEPS, "out.md": REVIEW}
        for name, text in texts.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        own = {name: text for name, text in os.environ.items() if not name.startswith(("OTEL_", "OPIK_", "STEADFAST_EXPORT"))}
        own |= {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{server.server_port}", "OTEL_SERVICE_NAME": "a-service"}
        own |= {"NO_PROXY": "127.0.0.1"}
        for verb in VERBS:
            arguments = [str(program), *verb.split(), "--export", "otlp", "--export-queue", "queue", "--export-wait", "60"]
            ended = subprocess.run(arguments, cwd=folder, env=own, capture_output=True, text=True)
            expect(ended.returncode in (0, 1), f"{verb}: status {ended.returncode}: {ended.stderr}")
            expect("wait" not in ended.stderr, f"{verb}: {ended.stderr}")
    expect(len(bodies) == len(VERBS), f"{len(bodies)} requests for {len(VERBS)} runs")
    known = known_names()
    names = set()
    for verb, body in zip(VERBS, bodies):
        request = ExportTraceServiceRequest.FromString(body)
        expect(request.SerializeToString() == body, f"{verb}: not the same bytes when written again")
        unknown = [field for field in request.ListFields() if not field[0].name]
        expect(not unknown, f"{verb}: unknown fields {unknown}")
        (resource_spans,) = request.resource_spans
        resource = {own.key: value(own.value) for own in resource_spans.resource.attributes}
        expect(resource["service.name"] == "a-service", f"{verb}: resource {resource}")
        (scope_spans,) = resource_spans.scope_spans
        spans = scope_spans.spans
        ids = {span.span_id for span in spans}
        print(f"\n$ steadfast {verb}\n  {len(body)} bytes, {len(spans)} spans, resource {resource}, scope {scope_spans.scope.name}")
        expect(len(ids) == len(spans), f"{verb}: span ids repeat")
        expect(len({span.trace_id for span in spans}) == 1, f"{verb}: several trace ids")
        for span in spans:
            expect(len(span.trace_id) == 16 and len(span.span_id) == 8, f"{verb}: ids of {span.name}")
            expect(span.trace_id[6] >> 4 == 7, f"{verb}: {span.trace_id.hex()} is no UUIDv7")
            expect(not span.parent_span_id or span.parent_span_id in ids, f"{verb}: {span.name} has an unknown parent")
            expect(0 < span.start_time_unix_nano <= span.end_time_unix_nano, f"{verb}: times of {span.name}")
            ms = (span.end_time_unix_nano - span.start_time_unix_nano) / 1e6
            attributes = {own.key: value(own.value) for own in span.attributes}
            names |= set(attributes)
            depth = 2 if not span.parent_span_id else 4
            print(f"{' ' * depth}{span.name}  {ms:g} ms, {len(attributes)} attributes, {len(span.events)} events")
            if not span.parent_span_id:
                expect(attributes["gen_ai.operation.name"] == "invoke_workflow", f"{verb}: operation of the root")
            for event in span.events:
                told = {own.key: value(own.value) for own in event.attributes}
                names |= set(told)
                expect(event.time_unix_nano >= span.start_time_unix_nano, f"{verb}: {event.name} lies before its span")
                if event.name == "gen_ai.evaluation.result":
                    expect(isinstance(told["gen_ai.evaluation.name"], str), f"{verb}: {told}")
                    expect(isinstance(told["gen_ai.evaluation.score.value"], float), f"{verb}: {told}")
                    label = told.get("gen_ai.evaluation.score.label", "")
                    print(f"{' ' * (depth + 2)}{told['gen_ai.evaluation.name']} = {told['gen_ai.evaluation.score.value']:g} {label}".rstrip())
    ours = sorted(name for name in names if name.startswith("gen_ai."))
    print(f"\ngen_ai names used: {', '.join(ours)}")
    if known:
        expect(set(ours) <= known, f"not in the semantic conventions: {sorted(set(ours) - known)}")
        print(f"all of them stand in the semantic conventions ({len(known)} names): {set(ours) <= known}")
    others = {name for name in names if not name.startswith(("gen_ai.", "steadfast."))}
    expect(not others, f"names without a prefix: {others}")
    print("\n".join(["", f"{len(wrong)} things are wrong", *wrong]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
