#!/usr/bin/env python3
"""How soon a server answers, what it holds when nobody asks, and how large the program is.

    cargo build --release
    python3 scripts/server_start.py [target/release/steadfast] [--rounds 20]

Each round starts a server with a store of its own at a port that was free, and asks `/healthz` until it answers; the time is from the start of the process to the
end of that answer. The first round makes the store, the others find it there. Then nobody asks for two seconds, and the memory is read that the process holds
(`VmRSS`, with what it shares); then once more after some hundreds of plans, and where the embedding model is installed after steps that it scored. Status 1
where a limit is not kept: 50 ms, 40 MiB when idle, 60 MiB on the disk. For Linux.
"""

import argparse
import http.client
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

START_MS_MAX = 50
IDLE_MIB_MAX = 40
FILE_MIB_MAX = 60

PLAN = {
    "context": "Standup 9:30-9:45. Write the report (90 min). Call the bank before 4pm.",
    "current_time": "2026-01-25T09:00:00-05:00",
    "timezone": "America/Toronto",
}
STEP = {"prompt": "Plan a seed library", "output": "It opens in spring."}


def free_port():
    with socket.socket() as own:
        own.bind(("127.0.0.1", 0))
        return own.getsockname()[1]


def started(program, folder):
    """The process, its port, and the milliseconds until it answered."""
    port = free_port()
    command = [program, "serve", "--listen", f"127.0.0.1:{port}", "--store", Path(folder, "store.db")]
    begun = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port)) as own:
                own.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                if own.makefile("rb").readline().startswith(b"HTTP/1.1 200"):
                    return process, port, (time.perf_counter() - begun) * 1000
        except ConnectionRefusedError:
            if process.poll() is not None:
                sys.exit(f"the server ended with {process.returncode}")
            time.sleep(0.0005)


def held_mib(process):
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024


def ask(port, path, body):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    answer.read()
    return answer.status


def main():
    parser = argparse.ArgumentParser(description="Start-up, idle memory and size of the server.")
    parser.add_argument("program", nargs="?", default="target/release/steadfast")
    parser.add_argument("--rounds", type=int, default=20)
    given = parser.parse_args()
    program = Path(given.program).resolve()
    times, idle = [], []
    with tempfile.TemporaryDirectory() as folder:
        for at in range(given.rounds):
            process, port, took = started(program, folder)
            times.append(took)
            if at % 5 == 0:
                time.sleep(2)
                idle.append(held_mib(process))
            if at == given.rounds - 1:
                planned = [ask(port, "/api/plan", PLAN) for _ in range(300)]
                assert planned == [200] * 300, planned
                time.sleep(2)
                used = held_mib(process)
                scored = ask(port, "/api/trajectories/t/steps", STEP)
                time.sleep(2)
                with_model = held_mib(process)
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=60) == 0
    size = os.path.getsize(program) / 1024**2
    start, most = statistics.median(times), max(idle)
    print(f"the first answer: median {start:.1f} ms, with a new store {times[0]:.1f}, at most {max(times):.1f} (limit {START_MS_MAX}), of {len(times)} starts")
    print(f"idle: median {statistics.median(idle):.1f} MiB, at most {most:.1f} (limit {IDLE_MIB_MAX})")
    print(f"after 300 plans: {used:.1f} MiB; {f'with the embedding model at work: {with_model:.1f} MiB' if scored == 200 else 'no embedding model is installed'}")
    print(f"the program: {size:.1f} MiB (limit {FILE_MIB_MAX}); load of the machine {os.getloadavg()[0]:.1f}")
    return 0 if start <= START_MS_MAX and most <= IDLE_MIB_MAX and size <= FILE_MIB_MAX else 1


if __name__ == "__main__":
    sys.exit(main())
