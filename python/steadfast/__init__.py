"""Steadfast from Python: the program that this package carries, its answers as plain dicts.

``run`` calls the program as a shell would, ``audit`` takes texts instead of files. Nothing is judged here.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any, Mapping, Optional, Union

from ._program import find_program

__all__ = ["GateFailed", "SteadfastError", "__version__", "audit", "find_program", "run"]

__version__ = metadata.version("steadfast")

_GATE = 1


class SteadfastError(Exception):
    """The program ended without an answer; the message is what it said on stderr.

    ``status`` is how it ended: 2 arguments or files that cannot be used, 3 not evaluable (nothing to check), 4 something outside failed.
    """

    def __init__(self, status: int, stderr: str) -> None:
        super().__init__(stderr.strip() or f"steadfast ended with status {status}")
        self.status = status
        self.stderr = stderr


class GateFailed(SteadfastError):
    """A gate failed (status 1): one that was asked for, or a plan was rejected. ``result`` is the whole answer."""

    def __init__(self, status: int, stderr: str, result: dict[str, Any]) -> None:
        super().__init__(status, stderr)
        self.result = result


def run(
    *arguments: Union[str, os.PathLike[str]],
    input: Union[str, bytes, None] = None,
    cwd: Union[str, os.PathLike[str], None] = None,
    env: Optional[Mapping[str, str]] = None,
    timeout: Optional[float] = None,
) -> dict[str, Any]:
    """Run a verb with ``--format json``, and return what it prints: ``run("audit", "prompt.txt", "report.md")``.

    ``input`` is what stands on stdin (``-`` among the arguments reads it), ``timeout`` is in seconds.

    Raises ``GateFailed`` where a gate failed, ``SteadfastError`` for every other end without an answer,
    ``subprocess.TimeoutExpired`` after ``timeout``, and ``ValueError`` where the verb prints no JSON object.
    """
    command = [find_program(), *(os.fspath(argument) for argument in arguments), "--format", "json"]
    given = input.encode() if isinstance(input, str) else input
    ended = subprocess.run(
        command,
        input=given if given is not None else b"",
        cwd=cwd,
        env=None if env is None else dict(env),
        timeout=timeout,
        capture_output=True,
        check=False,
    )
    stderr = ended.stderr.decode(errors="replace")
    if ended.returncode not in (0, _GATE):
        raise SteadfastError(ended.returncode, stderr)
    try:
        result = json.loads(ended.stdout)
    except ValueError:
        if ended.returncode == _GATE:
            raise SteadfastError(ended.returncode, stderr) from None
        result = None
    if not isinstance(result, dict):
        raise ValueError(f"`{' '.join(command[1:])}` printed no JSON object")
    if ended.returncode == _GATE:
        raise GateFailed(ended.returncode, stderr, result)
    return result


def audit(prompt: str, report: str, *arguments: str, timeout: Optional[float] = None) -> dict[str, Any]:
    """Hold the text of a report against the text of the prompt that it was made from.

    ``arguments`` are further ones of ``steadfast audit``, such as ``"--fail-on", "risk=high"``. In the answer the texts are called
    ``prompt.txt`` and ``report.md``. Raises what ``run`` raises.
    """
    with tempfile.TemporaryDirectory(prefix="steadfast-") as folder:
        # As bytes: the lines of a text stay as they are, so that spans are those of the text.
        Path(folder, "prompt.txt").write_bytes(prompt.encode())
        Path(folder, "report.md").write_bytes(report.encode())
        return run("audit", "prompt.txt", "report.md", *arguments, cwd=folder, timeout=timeout)
