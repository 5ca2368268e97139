#!/usr/bin/env python3
"""Audits a report against its prompt at a server, and lists what drifted.

    python3 check_report.py http://127.0.0.1:8787 prompt.txt report.md

Ends with 0 where the report is usable as it is, with 1 where it is not, and with 2 where it could not be judged. A key is taken from
STEADFAST_KEY, where the server asks for one.
"""

import os
import sys
from pathlib import Path

from steadfast_client import Client, Refused


def main(url, prompt, report):
    server = Client(url, key=os.environ.get("STEADFAST_KEY"))
    texts = {"prompt": Path(prompt).read_text("utf-8"), "report": Path(report).read_text("utf-8")}
    try:
        answer = server.post("/api/audit", texts | {"min_severity": 2})
    except Refused as refused:
        print(f"{refused.kind}: {refused.detail}", file=sys.stderr)
        if refused.hint:
            print(f"hint: {refused.hint}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"no server: {error}", file=sys.stderr)
        return 2
    if "not_evaluable" in answer:
        print(f"not evaluable: {answer['not_evaluable']['detail']}", file=sys.stderr)
        return 2
    for incident in answer["drift_incidents"]:
        print(f"severity {incident['severity']}: {incident['explanation']}")
    assessed = answer["assessed"]
    print(f"assessed {assessed['n']} of {assessed['of']} obligations, {assessed['must_n']} of {assessed['must_of']} that must be kept")
    print(f"fidelity {answer['overall_fidelity_score']} of 5.0, risk {answer['overall_drift_risk']}")
    if not answer["usable_as_is"]:
        print(f"not usable as it is: {answer['usable_because']}")
    return 0 if answer["usable_as_is"] else 1


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
