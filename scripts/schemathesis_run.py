#!/usr/bin/env python3
"""Has Schemathesis try what the server's own document says: requests that keep to it and requests that do not, and chains of them.

    python3 -m venv venv && venv/bin/pip install schemathesis==4.32.5
    cargo build
    venv/bin/python scripts/schemathesis_run.py target/debug/steadfast

It starts a server with a store of its own in a folder that is thrown away, with the prompts that ship with the program in its vault, runs all checks of
Schemathesis but one, and ends with their status; the server must then end well. `watch` uses the embedding model, so `steadfast embedder pull` comes first. A stream of events ends when
nothing was read for six seconds; with 50 requests of each kind it takes about twenty minutes, with `--examples 10` a few.

The check in whose place ours stands is `positive_data_acceptance`: it holds that whatever keeps to its schema is taken. Notes without a task, or a time that is
none, keep to their schema and are refused all the same, with the problem `unusable` or `not-evaluable`. Ours holds that such a request is never refused as one that does not
keep to its schema.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

# What says that a request does not keep to the document.
OF_SCHEMA = {f"/problems/{name}" for name in ["bad-request", "malformed-json", "invalid", "unsupported-media-type"]}


def run(program, examples, seed, more):
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder, "store.db")
        subprocess.run([program, "vault", "import", "--shipped", "--vault", store, "--no-embed", "-q"], check=True, stdout=subprocess.DEVNULL)
        with open(Path(folder, "stderr"), "w+") as stderr:
            command = [program, "serve", "--listen", "127.0.0.1:0", "--print-url", "--store", store]
            server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=stderr, text=True)
            try:
                url = server.stdout.readline().strip()
                status = tried(url, folder, examples, seed, more)
            finally:
                server.send_signal(signal.SIGTERM)
                ended = server.wait(timeout=60)
            stderr.seek(0)
            said = stderr.read()
        if ended != 0 or "failed" in said or "panicked" in said:
            print(f"the server ended with {ended} and said:\n{said}", file=sys.stderr)
            return 1
        return status


def tried(url, folder, examples, seed, more):
    command = [Path(sys.executable).with_name("schemathesis"), "run", f"{url}/openapi.json", "--checks", "all", "--exclude-checks", "positive_data_acceptance"]
    command += ["--max-examples", str(examples), "--seed", str(seed), "--continue-on-failure", "--no-color", "--request-timeout", "6"]
    # Schemathesis imports this very file for the hooks below.
    environment = os.environ | {"SCHEMATHESIS_HOOKS": Path(__file__).stem, "PYTHONPATH": str(Path(__file__).resolve().parent)}
    return subprocess.run([*command, *more], cwd=folder, env=environment).returncode


def hooks():
    """What Schemathesis does not do by itself."""
    import schemathesis
    from schemathesis.core import NOT_SET

    @schemathesis.check
    def what_keeps_to_its_schema_is_not_refused_for_it(ctx, response, case):
        meta = case.meta
        if meta is None or not meta.generation.mode.is_positive or response.status_code < 400:
            return
        problem = json.loads(response.content)
        # To JSON Schema 400.0 is a whole number, to us it is none.
        if not re.match(r"invalid type: floating point `-?\d+\.0`", problem["detail"]):
            assert problem["type"] not in OF_SCHEMA, problem

    @schemathesis.check
    def every_problem_is_one_of_ours(ctx, response, case):
        if response.status_code >= 400 and case.method != "HEAD":
            problem = json.loads(response.content)
            assert problem["status"] == response.status_code and problem["type"].startswith("/problems/"), problem
            assert problem["instance"] == response.headers["x-request-id"][0], problem

    def as_bytes(ctx, value):
        if value is NOT_SET:
            return None
        if isinstance(value, bytes):
            return value
        if isinstance(value, list):
            return b"".join(json.dumps(line).encode() + b"\n" for line in value)
        return (value if isinstance(value, str) else json.dumps(value)).encode(errors="replace")

    for media in ["application/x-ndjson", "text/markdown", "application/zip"]:
        schemathesis.serializer(media)(as_bytes)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--examples", type=int, default=50, help="requests of each kind for each route")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("more", nargs="*", help="arguments for Schemathesis, after --")
    given = parser.parse_args()
    sys.exit(run(given.program.resolve(), given.examples, given.seed, given.more))
else:
    hooks()
