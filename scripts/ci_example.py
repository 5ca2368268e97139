#!/usr/bin/env python3
"""Holds `examples/ci/steadfast.yml` against the schema of GitHub's workflows, and runs its checks on the example story.

    cargo build
    python3 scripts/ci_example.py [--steadfast target/debug/steadfast] [--folder FOLDER]

The steps are run as they stand in the file, by the shell that a runner uses, on the files of `examples/story` (every gate must fail) and on a report
and a check-in that are sound (every gate must pass). What only a runner can do (checking out, caching, uploading) is not run. It fetches
check-jsonschema and PyYAML from the package index, so it is a script and no test of the gate. FOLDER keeps the virtual environment.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORKFLOW = ROOT / "examples" / "ci" / "steadfast.yml"
PACKAGES = ["check-jsonschema==0.37.4", "pyyaml==6.0.3"]
CHECKS = ["audit", "watch", "review"]

SOUND_CHECK_IN = """# Costs

| Item | Amount |
|---|---|
| Timber | €11,400 |
| Tools | €6,200 |
| Total | €17,600 |

<npl-block type="reflection">
✅ The costs stay within €38,000
</npl-block>
"""


def environment(folder):
    home = folder / "venv"
    python = home / "bin" / "python"
    if not python.exists():
        venv.create(home, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES], check=True)
    return home / "bin"


def workspace(folder, name, files):
    """A repository as the workflow finds it."""
    place = folder / name
    (place / "agents").mkdir(parents=True)
    for target, content in files.items():
        if isinstance(content, pathlib.Path):
            shutil.copy(content, place / "agents" / target)
        else:
            (place / "agents" / target).write_text(content, encoding="utf-8")
    return place


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steadfast", type=pathlib.Path, default=ROOT / "target" / "debug" / "steadfast")
    parser.add_argument("--folder", type=pathlib.Path)
    options = parser.parse_args()
    program = options.steadfast.resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.folder or pathlib.Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        tools = environment(folder)
        subprocess.run([tools / "check-jsonschema", "--builtin-schema", "vendor.github-workflows", WORKFLOW], check=True)
        read = "import json, sys, yaml; json.dump(yaml.safe_load(open(sys.argv[1], encoding='utf-8')), sys.stdout)"
        workflow = json.loads(subprocess.run([tools / "python", "-c", read, WORKFLOW], capture_output=True, check=True).stdout)
        steps = {step["id"]: step["run"] for step in workflow["jobs"]["steadfast"]["steps"] if "id" in step}
        assert list(steps) == CHECKS, steps
        story, audit = ROOT / "examples" / "story", ROOT / "examples" / "audit"
        with tempfile.TemporaryDirectory(dir=folder) as work:
            drifted = workspace(
                pathlib.Path(work),
                "drifted",
                {
                    "prompt.txt": story / "ask.txt",
                    **{name: story / name for name in ("report.md", "steps.jsonl", "check-in.md", "criteria.txt")},
                },
            )
            lines = (story / "steps.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
            sound = workspace(
                pathlib.Path(work),
                "sound",
                {
                    "prompt.txt": audit / "prompt.txt",
                    "report.md": audit / "faithful.md",
                    # The agent before it is led away.
                    "steps.jsonl": "".join(lines[:7]),
                    "check-in.md": SOUND_CHECK_IN,
                    "criteria.txt": "The costs stay within €38,000\n",
                },
            )
            faults = []
            for place, wanted in ((drifted, 1), (sound, 0)):
                for check in CHECKS:
                    ended = subprocess.run(
                        # The shell of a runner, with the options that it gives it.
                        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", steps[check]],
                        env={**os.environ, **workflow["env"], "PATH": f"{program.parent}:{os.environ['PATH']}"},
                        cwd=place,
                        capture_output=True,
                        text=True,
                    )
                    told = ended.stderr.strip().splitlines()
                    print(f"{place.name:<8} {check:<7} status {ended.returncode}  {told[-1] if told else ''}")
                    if ended.returncode != wanted:
                        faults.append(f"{place.name}: {check} ended with {ended.returncode}, not {wanted}: {ended.stderr}")
                for report in ("drift.sarif", "drift/drift-evaluation.html", "drift/watch.html", "drift/review.html"):
                    if not (place / report).exists():
                        faults.append(f"{place.name}: {report} is not there")
    for fault in faults:
        print(f"fault: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
