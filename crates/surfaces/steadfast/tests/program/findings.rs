//! What people decide on findings: accepted and contested ones fail no gate, expired ones come back, and what is new is told from what
//! was known.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::serve::{Served, json_of};
use crate::common::{End, Place};
use serde_json::{Value, json as object};

const PROMPT: &str = "Plan a seed library for the allotments. It must open within 3 months. Budget: 500 EUR.\n\nBanned words: blockchain.\n";
const REPORT: &str =
    "# Seed library\n\nThe seed library opens within 3 months and costs 500 EUR. Loans are kept on a blockchain.\n";
const WORSE: &str = "# Seed library\n\nThe seed library opens within 3 months. Its budget is 900 EUR. Loans are kept on a blockchain.\n";

fn place() -> Place {
    Place::empty().with("prompt.txt", PROMPT).with("report.md", REPORT).with("worse.md", WORSE)
}

fn json(end: &End) -> Value {
    serde_json::from_str(&end.stdout).unwrap_or_else(|error| panic!("{error}: {end:?}"))
}

/// The incidents of an evaluation: the id of each.
fn ids(evaluation: &Value) -> Vec<String> {
    let incidents = evaluation["drift_incidents"].as_array().unwrap();
    incidents.iter().map(|incident| incident["id"].as_str().unwrap().to_owned()).collect()
}

/// The one incident of the report.
#[track_caller]
fn only(place: &Place) -> String {
    let ids = ids(&json(&place.steadfast("audit prompt.txt report.md --json").status(0)));
    assert_eq!(ids.len(), 1, "{ids:?}");
    assert!(ids[0].starts_with("banned-term-used-"), "{ids:?}");
    ids[0].clone()
}

const GATES: &str = "audit prompt.txt report.md --json --fail-on disqualified --fail-on risk=medium --fail-below 5";

#[test]
fn what_is_accepted_fails_no_gate_and_stays_in_the_verdict() {
    let place = place();
    let id = only(&place);
    let before = json(&place.steadfast(GATES).status(1));
    let end =
        place.steadfast(&format!("findings accept {id} --reason known␣to␣the␣board --until 2026-12-31")).status(0);
    assert_eq!(end.stdout, format!("{id}  accepted until 2026-12-31: known to the board\n"));
    assert_eq!(end.stderr, "note: kept in steadfast-accepted.toml\n");
    let after = json(&place.steadfast(&format!("{GATES} --at 2026-12-31")).status(0));
    for member in
        ["overall_fidelity_score", "overall_drift_risk", "usable_as_is", "disqualifiers", "totals", "obligations"]
    {
        assert_eq!(after[member], before[member], "{member}");
    }
    let decision = &after["drift_incidents"][0]["decision"];
    assert_eq!(decision["kind"], "accept");
    assert_eq!(decision["reason"], "known to the board");
    assert_eq!(decision["until"], "2026-12-31");
    assert_eq!(decision["expired"], false);
    let decisions = &after["decisions"];
    assert_eq!((&decisions["accepted"], &decisions["as_of"]), (&Value::from(1), &Value::from("2026-12-31")));
    assert_eq!(decisions["remaining"]["incidents"], 0);
    assert_eq!(decisions["remaining"]["overall_fidelity_score"], 5.0);
    assert_eq!(decisions["remaining"]["usable_as_is"], true);
    assert_eq!(before.get("decisions"), None);
}

#[test]
fn an_expired_decision_comes_back() {
    let place = place();
    let id = only(&place);
    place.steadfast(&format!("findings accept {id} --reason for␣now --until 2026-12-31")).status(0);
    let end = place.steadfast(&format!("{GATES} --at 2027-01-01")).status(1);
    let evaluation = json(&end);
    assert_eq!(evaluation["drift_incidents"][0]["decision"]["expired"], true);
    assert_eq!(evaluation["decisions"]["expired"], 1);
    assert!(end.stderr.contains("failed: disqualified: "), "{}", end.stderr);
    let list = place.steadfast("findings list").status(0);
    assert!(list.stdout.starts_with(&format!("{id}  accepted until 2026-12-31")), "{}", list.stdout);
}

#[test]
fn the_clock_is_named_where_a_decision_has_an_end_and_nowhere_else() {
    let place = place();
    let id = only(&place);
    place.steadfast(&format!("findings contest {id} --reason it␣is␣another␣chain")).status(0);
    let evaluation = json(&place.steadfast("audit prompt.txt report.md --json").status(0));
    assert_eq!(evaluation["decisions"].get("as_of"), None);
    assert_eq!(evaluation["decisions"].get("assumption"), None);
    place.steadfast(&format!("findings accept {id} --reason so --until 2026-12-31")).status(0);
    let evaluation = json(&place.steadfast("audit prompt.txt report.md --json").status(0));
    let assumption = evaluation["decisions"]["assumption"].as_str().unwrap();
    assert!(assumption.starts_with("No date is given: the clock of the machine says 20"), "{assumption}");
    let given = json(&place.steadfast("audit prompt.txt report.md --json --at 2026-06-01").status(0));
    assert_eq!(given["decisions"].get("assumption"), None);
    place
        .steadfast("audit prompt.txt report.md --at June")
        .refused(2, "error: `June` is no day: one is written as 2026-03-31");
}

#[test]
fn what_is_withdrawn_counts_again() {
    let place = place();
    let id = only(&place);
    place.steadfast(&format!("findings contest {id} --reason no")).status(0);
    place.steadfast(GATES).status(0);
    let counts = place.steadfast("findings checks").status(0);
    assert_eq!(counts.stdout, "banned-term-used             1 contested, 0 accepted, of 1 finding decided on\n");
    let end = place.steadfast(&format!("findings withdraw {id}")).status(0);
    assert_eq!(end.stderr, format!("note: {id} counts again\n"));
    place.steadfast(GATES).status(1);
    assert_eq!(place.steadfast("findings list").status(0).stdout, "no decisions\n");
    place.steadfast(&format!("findings withdraw {id}")).refused(
        2,
        &format!("error: steadfast-accepted.toml: nothing is decided on `{id}`\nhint: `steadfast findings list` names what is"),
    );
}

#[test]
fn comments_of_people_stay() {
    let place = place();
    let id = only(&place);
    place.steadfast(&format!("findings accept {id} --reason first")).status(0);
    let file = place.read("steadfast-accepted.toml");
    let place = place
        .with("steadfast-accepted.toml", file.replace("reason = \"first\"", "reason = \"first\" # see the minutes"));
    place.steadfast(&format!("findings accept {id} --reason second")).status(0);
    assert!(place.read("steadfast-accepted.toml").contains("reason = \"second\" # see the minutes\n"));
}

#[test]
fn a_store_keeps_decisions_as_well() {
    let place = place();
    let id = only(&place);
    let stored = json(&place.steadfast("audit prompt.txt report.md --json --store s.db").status(0));
    place.steadfast(&format!("findings contest {id} --reason wrong --store s.db")).status(0);
    place.steadfast(&format!("{GATES} --store s.db")).status(0);
    place.steadfast(GATES).status(1);
    assert_eq!(stored.get("decisions"), None);
    let list = json(&place.steadfast("findings list --store s.db --json").status(0));
    assert_eq!(list["decisions"][0]["decision"], "contest");
    assert!(!place.path("steadfast-accepted.toml").exists());
    // The one that was decided last holds.
    place.steadfast(&format!("findings accept {id} --reason later")).status(0);
    let both = json(&place.steadfast(&format!("{GATES} --store s.db")).status(0));
    assert_eq!(both["drift_incidents"][0]["decision"]["reason"], "later");
    let end = place.steadfast("findings list --store gone.db").status(4);
    assert!(end.stderr.starts_with("error: gone.db: "), "{}", end.stderr);
}

#[test]
fn formats_tell_what_was_decided() {
    let place = place();
    let id = only(&place);
    place.steadfast(&format!("findings accept {id} --reason known␣to␣<the>␣board")).status(0);
    let drawn =
        |format: &str| place.steadfast(&format!("audit prompt.txt report.md --format {format}")).status(0).stdout;
    let text = drawn("text");
    assert!(text.contains("\n   accepted: known to <the> board\n"), "{text}");
    assert!(
        text.contains(
            "Decided on: 1 accepted. Without what is settled: 0 incidents, 5.0 / 5.0, low risk, usable as it is."
        ),
        "{text}"
    );
    assert!(drawn("md").contains("**Decided:** accepted: known to"));
    let html = drawn("html");
    assert!(html.contains("<strong>Decided</strong> accepted: known to &#60;the&#62; board"), "{html}");
    let junit = drawn("junit");
    assert!(!junit.contains("<failure"), "{junit}");
    assert!(junit.contains("<skipped message=\"accepted: known to &lt;the&gt; board\""), "{junit}");
    let sarif: Value = serde_json::from_str(&drawn("sarif")).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    let suppression = &result["suppressions"][0];
    assert_eq!(suppression["kind"], "external");
    assert_eq!(suppression["status"], "accepted");
    assert_eq!(suppression["justification"], "accepted: known to <the> board");
    assert_eq!(result["partialFingerprints"]["steadfastIncident/v1"], id.as_str());
}

#[test]
fn only_what_is_new_fails() {
    let place = place();
    let id = only(&place);
    place.steadfast("audit prompt.txt report.md --json -o before.json").status(0);
    let same = "audit prompt.txt report.md --json --baseline before.json --fail-on new";
    let evaluation = json(&place.steadfast(same).status(0));
    assert_eq!(evaluation["drift_incidents"][0]["new"], false);
    assert_eq!(evaluation["baseline"]["same_prompt"], true);
    let worse = "audit prompt.txt worse.md --json --baseline before.json --fail-on new";
    let end = place.steadfast(worse).status(1);
    let evaluation = json(&end);
    let new: Vec<&Value> =
        evaluation["drift_incidents"].as_array().unwrap().iter().filter(|incident| incident["new"] == true).collect();
    assert!(!new.is_empty() && new.iter().all(|incident| incident["id"] != id.as_str()), "{new:?}");
    assert_eq!(evaluation["baseline"]["new"], new.len());
    assert!(end.stderr.contains(" new: "), "{}", end.stderr);
    for incident in new {
        let id = incident["id"].as_str().unwrap();
        place.steadfast(&format!("findings accept {id} --reason agreed")).status(0);
    }
    place.steadfast(worse).status(0);
    // What is gone is named.
    let fixed = Place::empty()
        .with("prompt.txt", PROMPT)
        .with("report.md", REPORT.replace(" Loans are kept on a blockchain.", ""))
        .with("before.json", place.read("before.json"));
    let evaluation = json(&fixed.steadfast(same).status(0));
    assert_eq!(evaluation["baseline"]["gone"], object!([id]));
    let sarif = place.steadfast("audit prompt.txt report.md --format sarif --baseline before.json").status(0);
    assert!(sarif.stdout.contains("\"baselineState\": \"unchanged\""));
}

#[test]
fn a_baseline_that_cannot_be_one_is_refused() {
    let place = place().with("other.txt", "Plan a tool library for the estate. Do not use blockchain.\n");
    place.steadfast("audit prompt.txt report.md --fail-on new").refused(
        2,
        "error: `--fail-on new` needs an earlier evaluation to compare with\nhint: `--baseline FILE` names one, as `--json -o FILE` wrote it",
    );
    let hint = "hint: `steadfast audit … --json -o FILE` writes one, whole: without --limit, --min-severity, --cursor and --fields";
    place
        .steadfast("audit prompt.txt report.md --baseline report.md")
        .refused(2, &format!("error: report.md: is no evaluation: expected value at line 1 column 1\n{hint}"));
    place.steadfast("audit prompt.txt report.md --json --limit 0 -o page.json").status(0);
    place.steadfast("audit prompt.txt report.md --baseline page.json").refused(
        2,
        &format!("error: page.json: lists 0 of its 1 incidents, so the others would seem to be new\n{hint}"),
    );
    place
        .steadfast("audit prompt.txt report.md --baseline gone.json")
        .refused(2, "error: gone.json: no such file or folder");
    place.steadfast("audit other.txt report.md --json -o other.json").status(0);
    let end = place.steadfast("audit prompt.txt report.md --json --baseline other.json").status(0);
    assert_eq!(end.stderr, "warning: other.json: is of another prompt, so what is new says little\n");
    place
        .steadfast("audit prompt.txt report.md --baseline page.json -o page.json")
        .refused(2, "error: page.json: is read, so it is not written over\nhint: give another name to -o");
}

#[test]
fn a_file_of_decisions_that_cannot_be_is_refused() {
    let place = place();
    let hint = "hint: `steadfast schema accepted` has what such a file may say";
    let refused = |text: &str, said: &str| {
        let place = Place::empty().with("prompt.txt", PROMPT).with("report.md", REPORT).with("own.toml", text);
        for arguments in ["audit prompt.txt report.md --accepted own.toml", "findings list --accepted own.toml"] {
            place.steadfast(arguments).refused(2, &format!("error: own.toml{said}\n{hint}"));
        }
    };
    refused(
        "[[finding]]\nid = \"a-1\"\nwhy = 1\n",
        ":3: unknown field `why`, expected one of `id`, `decision`, `reason`, `until`, `author`, `decided`",
    );
    refused("[[finding]]\nid = \"a-1\"\n", ":1: missing field `decision`");
    refused("finding = 1\n", ":1: invalid type: integer `1`, expected a sequence");
    refused(
        "[[finding]]\nid = \"a-1\"\ndecision = \"accept\"\nreason = \"so\"\nuntil = \"soon\"\ndecided = \"2026-03-31\"\n",
        ":5: decision 1 (`a-1`): `soon` is no day: one is written as 2026-03-31",
    );
    place
        .steadfast("audit prompt.txt report.md --accepted gone.toml")
        .refused(2, "error: gone.toml: no such file or folder");
    place.steadfast("findings accept a-1 --reason ␣").refused(2, "error: a decision needs a reason");
    place
        .steadfast("findings accept a-1 --reason so --until 2026-02-30")
        .refused(2, "error: `2026-02-30` is no day: one is written as 2026-03-31");
    assert!(!place.path("steadfast-accepted.toml").exists());
    let end = place.steadfast("findings accept typo-1 --reason so").status(0);
    assert!(end.stderr.starts_with("warning: `typo-1` names no check of this version"), "{}", end.stderr);
}

#[test]
fn a_server_heeds_the_decisions_of_its_store() {
    let place = place();
    let server = Served::start(&place, "--store s.db --embedder lexical");
    let pair = object!({"prompt": PROMPT, "report": REPORT});
    let audited = || json_of(&server.post("/api/audit", &pair), 200);
    let before = audited();
    assert_eq!(before.get("decisions"), None);
    let id = before["drift_incidents"][0]["id"].clone();
    json_of(&server.post("/api/decisions", &object!({"finding": id, "decision": "accept", "reason": "known"})), 200);
    let after = audited();
    assert_eq!(after["drift_incidents"][0]["decision"]["author"], "local");
    assert_eq!(after["decisions"]["remaining"]["usable_as_is"], true);
    for member in ["overall_fidelity_score", "usable_as_is", "disqualifiers"] {
        assert_eq!(after[member], before[member], "{member}");
    }
    server.stop("TERM");
    // The command says the same of the same store.
    let told = json(&place.steadfast("audit prompt.txt report.md --json --store s.db").status(0));
    assert_eq!(told["decisions"], after["decisions"]);
    assert_eq!(told["drift_incidents"][0]["decision"], after["drift_incidents"][0]["decision"]);
}

#[test]
fn a_file_by_hand_is_refused_with_the_line() {
    let entry = |id: &str, more: &str| {
        format!(
            "[[finding]]\nid = \"{id}\"\ndecision = \"accept\"\nreason = \"so\"\ndecided = \"2026-03-31\"\n{more}\n"
        )
    };
    let (one, other) = (entry("non-goal-pursued-0123456789ab", ""), entry("hedge-lost-0123456789ab", ""));
    let schema = "hint: `steadfast schema accepted` has what such a file may say";
    let check = |text: &str, expect: &str| {
        let place = Place::empty().with("a.toml", text);
        let end = place.steadfast("findings list --accepted a.toml");
        end.refused(2, &format!("error: a.toml{expect}"));
        place
            .steadfast("findings accept x-1 --reason so --accepted a.toml")
            .refused(2, &format!("error: a.toml{expect}"));
        assert_eq!(place.read("a.toml"), text, "it is as it was");
    };
    let of_second = "decision 2 (`hedge-lost-0123456789ab`)";
    check(
        &format!("{one}{}", entry("hedge-lost-0123456789ab", "until = \"2026-02-30\"")),
        &format!(":12: {of_second}: `2026-02-30` is no day: one is written as 2026-03-31\n{schema}"),
    );
    check(
        &format!("{one}{}", other.replace("\"2026-03-31\"", "\"March\"")),
        &format!(
            ":11: {of_second}: `March` is neither a day nor a moment: write 2026-03-31 or 2026-03-31T18:30:00Z\n{schema}"
        ),
    );
    check(
        &format!("{one}{}", other.replace("\"2026-03-31\"", "2026-03-31")),
        ":11: `decided` stands without quotes\nhint: write `decided = \"2026-03-31\"`",
    );
    check(
        &format!("{one}{other}{one}"),
        &format!(
            ":14: decision 3 (`non-goal-pursued-0123456789ab`): decision 1 is on the same finding, and a file keeps one for each\n{schema}"
        ),
    );
    check(
        &format!("{one}{}", other.replace("\"so\"", &format!("\"{}\"", "x".repeat(1 << 20)))),
        &format!(
            ":10: {of_second}: a reason has at most 2000 bytes and no control characters; this one has 1048576 bytes\n{schema}"
        ),
    );
    check(
        &format!("{one}{}", other.replace("\"so\"", "\"s\\u0007o\"")),
        &format!(
            ":10: {of_second}: a reason has at most 2000 bytes and no control characters; this one has 3 bytes\n{schema}"
        ),
    );
    check(
        &other.replace("hedge-lost-0123456789ab", "\\u001b[2J"),
        &format!(
            ":2: decision 1: the fingerprint of a finding has 1 to 200 bytes and no control characters; this one has 4 bytes\n{schema}"
        ),
    );
    check(
        "finding = [{ id = \"a-1\", decision = \"accept\", reason = \" \",\n decided = \"2026-03-31\" }]\n",
        &format!(":1: decision 1 (`a-1`): a decision needs a reason\n{schema}"),
    );
    let raw = Place::empty().with("a.toml", "# \u{1b}\n").steadfast("findings list --accepted a.toml").status(2);
    assert!(raw.stderr.starts_with("error: a.toml:1: "), "{}", raw.stderr);
    let odd = other.replace("accept", &"x".repeat(100_000));
    let end = Place::empty().with("a.toml", odd).steadfast("findings list --accepted a.toml").status(2);
    assert!(
        end.stderr.starts_with("error: a.toml:3: unknown variant `xxx") && end.stderr.len() < 1_000,
        "{}",
        end.stderr
    );
    let large = format!("# {}\n", "x".repeat(4 << 20));
    let end = Place::empty().with("a.toml", large).steadfast("findings list --accepted a.toml").status(2);
    assert_eq!(end.stderr, "error: a.toml: holds more than 4194304 bytes\n");
    // An id of no check is kept: the check may be one of another version.
    let end = Place::empty().with("a.toml", one).steadfast("findings list --accepted a.toml").status(0);
    assert_eq!(end.stdout, "non-goal-pursued-0123456789ab  accepted: so\n");
}

#[test]
fn a_file_with_the_line_ends_of_another_system_is_kept_as_it_is() {
    let file = "\u{feff}# Ours.\r\n\r\n[[finding]]\r\nid = \"hedge-lost-0123456789ab\" # the well\r\ndecision = \"accept\"\r\nreason = \"so\"\r\n\
        decided = \"2026-03-31\"\r\n\r\n# About b.\r\n[[finding]]\r\nid = \"goal-added-0123456789ab\"\r\ndecision = \"accept\"\r\nreason = \"so\"\r\n\
        decided = \"2026-03-31\"\r\n";
    let place = Place::empty().with("a.toml", file);
    place.steadfast("findings contest hedge-lost-0123456789ab --reason no --accepted a.toml").status(0);
    let after = place.read("a.toml");
    assert!(
        after.starts_with("\u{feff}# Ours.\r\n\r\n[[finding]]\r\nid = \"hedge-lost-0123456789ab\" # the well\r\n"),
        "{after:?}"
    );
    assert!(after.contains("\r\n\r\n# About b.\r\n[[finding]]\r\n"), "{after:?}");
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count(), "{after:?}");
    place.steadfast("findings withdraw hedge-lost-0123456789ab --accepted a.toml").status(0);
    let after = place.read("a.toml");
    assert!(after.starts_with("\u{feff}# Ours.\r\n\r\n# About b.\r\n[[finding]]\r\nid = \"goal"), "{after:?}");
}

#[test]
fn of_many_who_decide_at_once_each_is_kept() {
    let place = Place::empty();
    std::thread::scope(|scope| {
        for number in 0..12 {
            let place = &place;
            scope.spawn(move || {
                place
                    .steadfast(&format!("findings accept hedge-lost-{number:012} --reason so --accepted a.toml"))
                    .status(0);
            });
        }
    });
    let list = place.steadfast("findings list --accepted a.toml").status(0);
    assert_eq!(list.stdout.lines().count(), 12, "{}", list.stdout);
    assert_eq!(place.files(), ["a.toml"]);
}

#[test]
fn stdin_is_read_once() {
    let place = place();
    for target in ["- report.md", "prompt.txt -", "-"] {
        place.steadfast(&format!("audit {target} --baseline -")).refused(
            2,
            "error: what is audited and the baseline cannot both be read from stdin\n\
             hint: give one of them as a file: `steadfast audit prompt.txt - --baseline before.json`",
        );
    }
}
