#!/usr/bin/env python3
"""Sends spans to `steadfast serve` with OpenTelemetry's own exporter, and checks what became of them.

    env/bin/python scripts/otlp_intake.py target/debug/steadfast

It starts the program on the loopback address with a store of its own. Needs `opentelemetry-sdk` and
`opentelemetry-exporter-otlp-proto-http` from PyPI. Ends with status 1 where something is not as it should be.
"""

import json
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

STEPS = [(f"Write part {at} of the plan for a seed library.", f"Part {at}: members lend and return seeds.") for at in range(8)]
wrong: list[str] = []


def expect(holds: bool, what: str) -> None:
    print(("ok    " if holds else "WRONG ") + what)
    if not holds:
        wrong.append(what)


def messages(role: str, text: str) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


def run(tracer, conversation: str, steps) -> None:
    """An agent that calls a model, as instrumentations tell of it: what is no call of a model has to be taken as well."""
    with tracer.start_as_current_span("invoke_agent writer") as agent:
        agent.set_attributes({"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "writer"})
        for prompt, output in steps:
            with tracer.start_as_current_span("chat") as span:
                span.set_attributes({
                    "gen_ai.operation.name": "chat",
                    "gen_ai.conversation.id": conversation,
                    "gen_ai.input.messages": messages("user", prompt),
                    "gen_ai.output.messages": messages("assistant", output),
                    "gen_ai.usage.input_tokens": 12,
                })
            with tracer.start_as_current_span("GET /"):
                pass


def ask(url: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> tuple[bytes, dict[str, str]]:
    with urllib.request.urlopen(urllib.request.Request(url, body, headers or {}), timeout=60) as answer:
        return answer.read(), {name.lower(): value for name, value in answer.headers.items()}


def steps_of(url: str, name: str) -> list[tuple[str, str, str]]:
    page = json.loads(ask(f"{url}/api/trajectories/{name}?limit=100")[0])
    return [(step["agent"], step["prompt"], step["output"]) for step in page["steps"]]


def sent(url: str) -> None:
    wanted = [("writer", prompt, output) for prompt, output in STEPS]
    for name, compression in (("plain", Compression.NoCompression), ("gzip", Compression.Gzip), ("deflate", Compression.Deflate)):
        exporter = OTLPSpanExporter(f"{url}/v1/traces", compression=compression, timeout=20)
        kept = InMemorySpanExporter()
        provider = TracerProvider(resource=Resource.create({"service.name": "otlp_intake"}))
        provider.add_span_processor(BatchSpanProcessor(kept))
        run(provider.get_tracer("otlp_intake"), name, STEPS)
        provider.shutdown()
        result = exporter.export(kept.get_finished_spans())
        if name == "deflate":
            expect(result is SpanExportResult.FAILURE, "a coding that is not read is refused, and the exporter says so")
            continue
        expect(result is SpanExportResult.SUCCESS, f"{name}: the exporter is told that all is taken")
        expect(steps_of(url, name) == wanted, f"{name}: {len(STEPS)} calls of a model are {len(STEPS)} steps, in their order")
        expect(exporter.export(kept.get_finished_spans()) is SpanExportResult.SUCCESS, f"{name}: the same is taken again")
        expect(len(steps_of(url, name)) == len(STEPS), f"{name}: and kept once")


def batches(url: str) -> None:
    """The way in which programs use it: spans of several conversations through the batch processor."""
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(f"{url}/v1/traces"), max_export_batch_size=7))
    for at in range(3):
        run(provider.get_tracer("otlp_intake"), f"batch-{at}", STEPS)
    provider.shutdown()
    for at in range(3):
        said = [output for _, _, output in steps_of(url, f"batch-{at}") if output]
        expect(said == [output for _, output in STEPS], f"batch-{at}: every call is there once, though the spans came in pieces")


def partial(url: str) -> None:
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(kept))
    run(provider.get_tracer("otlp_intake"), "partial", [("a", "x" * (1024 * 1024 + 1)), *STEPS[:1]])
    provider.shutdown()
    body = encode_spans(kept.get_finished_spans()).SerializeToString()
    answer, told = ask(f"{url}/v1/traces", body, {"content-type": "application/x-protobuf"})
    said = ExportTraceServiceResponse.FromString(answer).partial_success
    expect(told["content-type"] == "application/x-protobuf", "an answer has the form of the request")
    expect(said.rejected_spans == 1 and "1048577 bytes" in said.error_message, f"a partial success: {said.error_message}")


def main(program: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        arguments = [program, "serve", "--listen", "127.0.0.1:0", "--print-url", "--embedder", "lexical", "--store", str(Path(folder, "s.db"))]
        server = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            url = server.stdout.readline().strip()
            sent(url)
            batches(url)
            partial(url)
            whole = json.loads(ask(f"{url}/api/trajectories/plain/watch")[0])
            scored = whole["trajectories"][0]["steps"]
            expect(len(scored) == len(STEPS) and all(step["ids"] is not None for step in scored), "every step has its score")
        finally:
            server.terminate()
            expect(server.wait(30) == 0, "the server ends with status 0")
    print(f"{len(wrong)} wrong" if wrong else "all as it should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
