#!/usr/bin/env python3
"""Runs `examples/luigi` with Luigi from the package index, and says whether each case came out as it should.

    cargo build
    python3 scripts/luigi_example.py [--steadfast target/debug/steadfast] [--folder FOLDER]

Luigi is installed in a virtual environment in FOLDER (a temporary one without it). It is a script and no test of the gate, since it fetches a package.
Cases: a faithful report, a drifted one with a gate that fails, an empty one, a program that is not there, one that fails, one that hangs, one that writes
nothing. In every case the report must be there and the pipeline must have ended well.
"""

import argparse
import json
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import venv

LUIGI = "luigi==3.6.0"
ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES = ["drift-evaluation.json", "drift-evaluation.md", "drift-evaluation.html"]
SKIPPED = "drift-evaluation.skipped.txt"


def environment(folder):
    """The Python of a virtual environment that has Luigi."""
    home = folder / "venv"
    python = home / "bin" / "python"
    if not python.exists():
        venv.create(home, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", LUIGI], check=True)
    return python


def program(folder, name, body):
    """A program that stands for one that does wrong."""
    path = folder / "programs" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def run(python, folder, name, prompt, report, steadfast, *arguments):
    """One run of the pipeline: its exit status, its folder, what was logged."""
    out = folder / name
    command = [python, "-m", "luigi", "--module", "pipeline", "Pipeline", "--local-scheduler", "--run-dir", out]
    command += ["--prompt-file", prompt, "--report-file", report, "--steadfast", str(steadfast), *arguments]
    # Luigi's own statuses: 0 only where every task ended well.
    statuses = ["--retcode-task-failed", "30", "--retcode-missing-data", "31", "--retcode-scheduling-error", "32", "--retcode-unhandled-exception", "33"]
    ended = subprocess.run(
        [str(part) for part in [*command, *statuses]],
        env={**os.environ, "PYTHONPATH": str(ROOT / "examples" / "luigi")},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return ended.returncode, out, ended.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steadfast", type=pathlib.Path, default=ROOT / "target" / "debug" / "steadfast")
    parser.add_argument("--folder", type=pathlib.Path)
    options = parser.parse_args()
    steadfast = options.steadfast.resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.folder or pathlib.Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        python = environment(folder)
        with tempfile.TemporaryDirectory(dir=folder) as work:
            faults = cases(python, pathlib.Path(work), steadfast)
    for fault in faults:
        print(f"fault: {fault}")
    return 1 if faults else 0


def cases(python, folder, steadfast):
    examples = ROOT / "examples" / "audit"
    prompt, faithful, drifted = (examples / name for name in ("prompt.txt", "faithful.md", "drifted.md"))
    empty = folder / "empty.md"
    empty.write_text("")
    fails = program(folder, "fails", "echo 'error: the disk is gone' >&2; exit 4")
    hangs = program(folder, "hangs", "exec sleep 600")
    silent = program(folder, "silent", "exit 0")
    faults = []

    def check(name, held, what):
        if not held:
            faults.append(f"{name}: {what}")

    def case(name, report, program, *arguments, skipped):
        status, out, log = run(python, folder, name, prompt, report, program, *arguments)
        check(name, status == 0, f"the pipeline ended with status {status}\n{log}")
        check(name, (out / "final-report.md").exists(), "the report is not there")
        left = [path.name for path in out.glob(".drift-*")]
        check(name, not left, f"{left} was left behind")
        written = [file for file in FILES if (out / file).exists()]
        if skipped is None:
            check(name, written == FILES, f"only {written} were written")
            check(name, not (out / SKIPPED).exists(), "it says that it was skipped")
            result = json.loads((out / FILES[0]).read_text(encoding="utf-8"))
            print(f"{name:<9} fidelity {result['overall_fidelity_score']:.2f}, risk {result['overall_drift_risk']}, usable {result['usable_as_is']}")
            return result, log
        check(name, not written, f"{written} were written")
        why = (out / SKIPPED).read_text(encoding="utf-8") if (out / SKIPPED).exists() else ""
        check(name, skipped in why, f"it says {why!r}, not {skipped!r}")
        print(f"{name:<9} skipped: {why.strip()}")
        return why, log

    result, _ = case("faithful", faithful, steadfast, skipped=None)
    check("faithful", result["usable_as_is"], "a faithful report is not usable")
    gate = ["--arguments", "--fail-on risk=high"]
    result, log = case("drifted", drifted, steadfast, *gate, skipped=None)
    check("drifted", not result["usable_as_is"] and result["drift_incidents"], "a drifted report is usable")
    check("drifted", "the risk is critical" in log, "the failed gate is not logged")
    by_hand = subprocess.run([steadfast, "audit", prompt, drifted, "--json"], capture_output=True, text=True, check=True)
    own, hand = {**result}, json.loads(by_hand.stdout)
    # The pipeline gives its files names of its own; what was judged is the same.
    for member in ("overall_fidelity_score", "dimension_scores", "critical_drift_count"):
        check("drifted", own[member] == hand[member], f"`{member}` is not what the program says by hand")
    case("empty", empty, steadfast, skipped="ended with status 3")
    case("absent", faithful, folder / "nowhere", skipped="is not there")
    case("failing", faithful, fails, skipped="ended with status 4: error: the disk is gone")
    case("hanging", faithful, hangs, "--timeout-seconds", "2", skipped="was given up after 2 seconds")
    case("silent", faithful, silent, skipped="did not write")
    return faults


if __name__ == "__main__":
    sys.exit(main())
