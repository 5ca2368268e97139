"""Tests as a user of the plugin writes them."""

import pytest

PROMPT = "Plan a seed library for the allotments. Budget: 500 EUR. Banned words: blockchain.\n"
SOUND = "# Seed library\n\nThe seed library costs 500 EUR.\n"
DRIFTED = "# Seed library\n\nThe seed library costs 900 EUR. The catalogue stands on a blockchain.\n"


def test_a_report_that_keeps_to_its_prompt(steadfast_audit):
    assert steadfast_audit(PROMPT, SOUND)["usable_as_is"]


def test_files_are_read(steadfast_audit, tmp_path):
    (tmp_path / "a.txt").write_text(PROMPT)
    (tmp_path / "b.md").write_text(SOUND)
    assert steadfast_audit(tmp_path / "a.txt", tmp_path / "b.md")["usable_as_is"]


def test_gates_can_be_chosen(steadfast_audit):
    assert not steadfast_audit(PROMPT, DRIFTED, fail_on=[])["usable_as_is"]
    with pytest.raises(pytest.fail.Exception, match="blockchain"):
        steadfast_audit(PROMPT, DRIFTED, fail_on=["risk=critical"])


def test_a_report_that_drifted(steadfast_audit):
    steadfast_audit(PROMPT, DRIFTED)
