#!/usr/bin/env python3
"""Runs `examples/python` against a server that it starts: python3 scripts/python_example.py target/debug/steadfast

Five cases: a faithful report, a drifted one, an empty one, a server that has too much to do for a while (one of our own), and a server that is not there.
"""

import json
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "examples/python"))
import steadfast_client  # noqa: E402


def check(url, prompt, report):
    command = [sys.executable, "-B", ROOT / "examples/python/check_report.py", url, prompt, report]
    ended = subprocess.run(command, capture_output=True, text=True)
    return ended.returncode, ended.stdout.splitlines(), ended.stderr


class Busy(BaseHTTPRequestHandler):
    """Too much to do, twice; then an answer."""

    asked = 0

    def do_GET(self):
        Busy.asked += 1
        busy = Busy.asked <= 2
        body = json.dumps({"type": "/problems/busy", "status": 503} if busy else {"prompts": 3}).encode()
        self.send_response(503 if busy else 200)
        if busy:
            self.send_header("Retry-After", "0")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main(program):
    examples = ROOT / "examples/audit"
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder, "empty.md")
        empty.write_text("")
        command = [program, "serve", "--listen", "127.0.0.1:0", "--print-url", "--store", Path(folder, "store.db")]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            url = server.stdout.readline().strip()
            status, lines, said = check(url, examples / "prompt.txt", examples / "faithful.md")
            assert (status, lines, said) == (0, ["fidelity 5.0 of 5.0, risk low"], ""), (status, lines, said)
            status, lines, said = check(url, examples / "prompt.txt", examples / "drifted.md")
            assert status == 1 and len(lines) == 18 and lines[-1].startswith("fidelity 1.9"), lines
            status, lines, said = check(url, examples / "prompt.txt", empty)
            assert (status, lines) == (2, []) and said.startswith("not evaluable: report.md: the report is empty"), said
            client = steadfast_client.Client(url)
            runs = list(client.rows("/api/runs", "runs", limit=1))
            assert [run["verb"] for run in runs] == ["audit", "audit"], runs
            assert client.delete(f"/api/runs/{runs[0]['id']}") is None
            assert len(list(client.rows("/api/runs", "runs"))) == 1
        finally:
            server.terminate()
            assert server.wait(timeout=60) == 0
        busy = HTTPServer(("127.0.0.1", 0), Busy)
        threading.Thread(target=busy.serve_forever, daemon=True).start()
        assert steadfast_client.Client(f"http://127.0.0.1:{busy.server_port}").get("/api/vault") == {"prompts": 3}
        busy.shutdown()
        status, lines, said = check(url, examples / "prompt.txt", examples / "faithful.md")
        assert (status, lines) == (2, []) and said.startswith("no server: "), (status, lines, said)
    print("5 cases as they should be")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
