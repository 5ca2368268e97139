"""A planner's pipeline in miniature: a prompt, a report, and the evaluation of drift after both.

    PYTHONPATH=examples/luigi luigi --module pipeline Pipeline --run-dir out \
        --prompt-file examples/story/ask.txt --report-file examples/story/report.md --local-scheduler

In a real pipeline `FinalReportTask` asks language models for its text; here it copies a file, so that the example needs none.
"""

import os

import luigi
from drift_evaluation import DriftEvaluationTask


class CopyTask(luigi.Task):
    """Stands for a task that makes a file."""

    run_dir = luigi.Parameter()
    source = luigi.Parameter()
    name = luigi.Parameter()

    def output(self):
        return luigi.LocalTarget(os.path.join(self.run_dir, self.name))

    def run(self):
        with open(self.source, encoding="utf-8") as source, self.output().open("w") as out:
            out.write(source.read())


class Parameters(luigi.Config):
    """What all tasks of the pipeline are given."""

    run_dir = luigi.Parameter()
    prompt_file = luigi.Parameter()
    report_file = luigi.Parameter()


class SetupTask(Parameters, luigi.WrapperTask):
    """The prompt that the user wrote."""

    def requires(self):
        return CopyTask(run_dir=self.run_dir, source=self.prompt_file, name="001-2-initial_plan.txt")

    def output(self):
        return self.requires().output()


class FinalReportTask(Parameters, luigi.WrapperTask):
    """The report that the pipeline is for."""

    def requires(self):
        yield self.clone(SetupTask)
        yield CopyTask(run_dir=self.run_dir, source=self.report_file, name="final-report.md")

    def output(self):
        return luigi.LocalTarget(os.path.join(self.run_dir, "final-report.md"))


class PlanDriftEvaluation(Parameters, DriftEvaluationTask):
    """What stands behind the report; no other task requires it."""

    def requires(self):
        return {"prompt": self.clone(SetupTask), "report": self.clone(FinalReportTask)}


class Pipeline(Parameters, luigi.WrapperTask):
    """Report first, then what is optional."""

    steadfast = luigi.Parameter(default="steadfast", significant=False)
    arguments = luigi.Parameter(default="", significant=False)
    timeout_seconds = luigi.IntParameter(default=600, significant=False)

    def requires(self):
        yield self.clone(FinalReportTask)
        yield self.clone(PlanDriftEvaluation)
