"""A Luigi task that audits a finished report against its prompt, after everything else, and never blocks the pipeline.

It calls the `steadfast` program and writes `drift-evaluation.json`, `drift-evaluation.md` and `drift-evaluation.html` beside the report. Whatever goes
wrong with that (the program is not there, fails, hangs, or has nothing to evaluate), the task is done: `drift-evaluation.skipped.txt` says why, and the
pipeline goes on. Delete that file to have it tried again. It needs Luigi and the standard library, no chat model and no network.

In a pipeline of your own, name the tasks that make prompt and report:

    class MyDriftEvaluation(DriftEvaluationTask):
        def requires(self):
            return {"prompt": self.clone(SetupTask), "report": self.clone(FinalReportTask)}
"""

import logging
import os
import shlex
import subprocess
import tempfile

import luigi

logger = logging.getLogger(__name__)

JSON, MARKDOWN, HTML = "drift-evaluation.json", "drift-evaluation.md", "drift-evaluation.html"
SKIPPED = "drift-evaluation.skipped.txt"

# What is kept of what the program said, in characters.
SAID_MAX_CHARS = 4_000

# Exit statuses of `steadfast audit` that come with a result: passed, and a gate failed.
WITH_RESULT = {0, 1}


class DriftEvaluationTask(luigi.Task):
    """Optional: nothing should require it, so that nothing waits for it."""

    # Where the three files go.
    run_dir = luigi.Parameter()
    # The program, as a shell would split it: "steadfast", or "/opt/steadfast/bin/steadfast".
    steadfast = luigi.Parameter(default="steadfast", significant=False)
    # What is passed on beside prompt and report: "--fail-on risk=high", "--judge both".
    arguments = luigi.Parameter(default="", significant=False)
    # After so many seconds it is given up.
    timeout_seconds = luigi.IntParameter(default=600, significant=False)

    def requires(self):
        raise NotImplementedError("a subclass names the tasks that make `prompt` and `report`")

    def output(self):
        return {
            "json": luigi.LocalTarget(self._path(JSON)),
            "markdown": luigi.LocalTarget(self._path(MARKDOWN)),
            "html": luigi.LocalTarget(self._path(HTML)),
        }

    def complete(self):
        return os.path.exists(self._path(SKIPPED)) or all(target.exists() for target in self.output().values())

    def run(self):
        try:
            why = self._audit()
        except Exception as error:  # Whatever it is: an evaluation does not end somebody's pipeline.
            why = f"{type(error).__name__}: {error}"
        if why is not None:
            logger.warning("drift is not evaluated: %s", why)
            os.makedirs(self.run_dir, exist_ok=True)
            with luigi.LocalTarget(self._path(SKIPPED)).open("w") as out:
                out.write(why.rstrip() + "\n")

    def _path(self, name):
        return os.path.join(self.run_dir, name)

    def _audit(self):
        """Runs the program. `None` where all three files are there, else why not."""
        inputs = self.input()
        os.makedirs(self.run_dir, exist_ok=True)
        # The files appear together or not at all: a folder is filled beside the run, then each file is renamed.
        with tempfile.TemporaryDirectory(prefix=".drift-", dir=self.run_dir) as folder:
            command = [*shlex.split(self.steadfast), "audit", os.path.abspath(inputs["prompt"].path), os.path.abspath(inputs["report"].path)]
            command += ["--out-dir", os.path.abspath(folder), "--format", "text", *shlex.split(self.arguments)]
            try:
                ended = subprocess.run(
                    command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=self.timeout_seconds
                )
            except FileNotFoundError:
                return f"`{command[0]}` is not there"
            except subprocess.TimeoutExpired:
                return f"`{command[0]}` was given up after {self.timeout_seconds} seconds"
            said = ended.stderr.strip()[-SAID_MAX_CHARS:]
            if ended.returncode not in WITH_RESULT:
                return f"`{command[0]}` ended with status {ended.returncode}: {said}"
            missing = [name for name in (JSON, MARKDOWN, HTML) if not os.path.exists(os.path.join(folder, name))]
            if missing:
                return f"`{command[0]}` did not write {', '.join(missing)}: {said}"
            for name in (MARKDOWN, HTML, JSON):
                os.replace(os.path.join(folder, name), self._path(name))
        first = next(iter(ended.stdout.splitlines()), "")
        logger.log(logging.WARNING if ended.returncode else logging.INFO, "drift: %s", first)
        if ended.returncode:
            # A gate that was asked for failed: it is said, and stands in the files; it stops nothing.
            logger.warning("%s", said)
        return None
