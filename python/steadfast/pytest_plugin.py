"""The fixture ``steadfast_audit`` of pytest: a test fails where a report left what its prompt asked for, and says where, with quotes.

pytest finds it by itself once the package is installed; ``-p no:steadfast`` switches it off.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Callable, Sequence, Union

import pytest

from . import GateFailed, audit

#: What stands against a report. That too little was assessed does not: ``"unassessed"`` is for those who want to know.
FAIL_ON = ("risk=high", "disqualified", "broken", "missing")

#: Findings that a failure lists.
SHOWN_MAX = 10

Text = Union[str, "os.PathLike[str]"]


def assert_faithful(prompt: Text, report: Text, *, fail_on: Sequence[str] = FAIL_ON, min_severity: int = 1) -> dict[str, Any]:
    """Fail the test where the audit of ``report`` against ``prompt`` fails one of the gates ``fail_on``; else return the audit.

    A ``str`` is the text itself, a path the file that holds it (UTF-8). ``fail_on`` are conditions of ``steadfast audit --fail-on``. Of the
    findings a failure lists those of at least ``min_severity`` (0 none … 4 critical), the most severe first.
    """
    __tracebackhide__ = True
    gates = [word for condition in fail_on for word in ("--fail-on", condition)]
    try:
        return audit(_text(prompt), _text(report), *gates)
    except GateFailed as failed:
        message = _told(failed, min_severity)
    pytest.fail(message, pytrace=False)


@pytest.fixture
def steadfast_audit() -> Callable[..., dict[str, Any]]:
    """``steadfast_audit(prompt, report)`` fails the test where the report drifted; it returns the audit. See ``assert_faithful``."""
    return assert_faithful


def _text(given: Text) -> str:
    return given if isinstance(given, str) else Path(given).read_bytes().decode("utf-8-sig")


def _told(failed: GateFailed, min_severity: int) -> str:
    lines = [line.removeprefix("failed: ") for line in failed.stderr.splitlines()]
    incidents = [it for it in failed.result["drift_incidents"] if it["severity"] >= min_severity]
    incidents.sort(key=lambda it: -it["severity"])
    for incident in incidents[:SHOWN_MAX]:
        span = incident["output_span"]
        place = "" if span is None else f" {span['file']}, byte {span['start']}"
        claim = incident["output_claim"]
        missing = "nothing says it; nearest: " if incident["absent"] else ""
        lines += [
            "",
            f"severity {incident['severity']}: {incident['explanation']} [{incident['check']}]",
            f"  asked:  {_quoted(incident['source_reference'])}",
            f"  report: {missing}{_quoted(claim) if claim else 'nothing comes near'}{place}",
        ]
    if len(incidents) > SHOWN_MAX:
        lines += ["", f"and {len(incidents) - SHOWN_MAX} more"]
    return "\n".join(lines)


def _quoted(text: str) -> str:
    """A text on one line; what would move the cursor of a terminal is shown and not sent."""
    shown = "".join(it if it.isprintable() else " " if it.isspace() else ascii(it)[1:-1] for it in text)
    return text if text == "not in prompt" else f"“{' '.join(shown.split())}”"
