"""Asks of the installed package what its documents promise."""

import subprocess
from pathlib import Path

import steadfast

PROMPT = "Plan a seed library for the allotments. Budget: 500 EUR. Banned words: blockchain.\n"
SOUND = "# Seed library\n\nThe seed library costs 500 EUR.\n"
DRIFTED = "# Seed library\n\nThe seed library costs 900 EUR. The catalogue stands on a blockchain.\n"

Path("prompt.txt").write_text(PROMPT)
Path("report.md").write_text(SOUND)
answer = steadfast.run("audit", Path("prompt.txt"), "report.md")
assert answer["usable_as_is"] is True and answer == steadfast.audit(PROMPT, SOUND), answer
assert steadfast.run("audit", "-", "report.md", input=PROMPT)["usable_as_is"] is True

try:
    steadfast.audit(PROMPT, DRIFTED, "--fail-on", "disqualified")
    raise SystemExit("a gate that fails raises")
except steadfast.GateFailed as failed:
    assert failed.status == 1 and failed.stderr.startswith("failed: "), failed
    assert "blockchain" in failed.result["drift_incidents"][0]["output_claim"], failed.result
# Without a gate nothing fails, however much is found.
assert steadfast.audit(PROMPT, DRIFTED)["usable_as_is"] is False

for status, said, arguments in [
    (2, "error: nowhere.txt: no such file", ("audit", "nowhere.txt", "report.md")),
    (3, "error: stdin.md: the report is empty", ("audit", "prompt.txt", "-")),
]:
    try:
        steadfast.run(*arguments)
        raise SystemExit(f"{arguments} raises")
    except steadfast.SteadfastError as error:
        assert error.status == status and not isinstance(error, steadfast.GateFailed), error
        assert said in error.stderr and str(error) == error.stderr.strip(), error

try:
    steadfast.run("plan", "bench", timeout=0.001)
    raise SystemExit("a time that is over raises")
except subprocess.TimeoutExpired:
    pass
print("as it should be")
