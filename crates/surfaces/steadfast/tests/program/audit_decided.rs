//! Whoever understands decides: the reading of a prompt as a document, what rules leave open, proposals, context, and what stands in the place of an
//! evaluation where nothing can be evaluated.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::{End, Place, zipped};
use serde_json::{Value, json};
use steadfast_testkit::schema::breaches;

const ASK: &str = "Refactor the login module. Don't touch the database schema. Add tests for every endpoint.\n\n\
                   The budget is at most 500 EUR. The welcome text stays friendly.\n";
const REPORT: &str = "# Login\n\nThe login module is refactored into three services. The users table was migrated to a new layout.\n\n\
                      Every endpoint has a test now. The work cost 480 EUR. Acme Ltd hosts it for 12 EUR a month.\n";

fn place() -> Place {
    Place::empty().with("ask.txt", ASK).with("report.md", REPORT)
}

fn parsed(end: &End) -> Value {
    serde_json::from_str(&end.stdout).unwrap()
}

/// The id of the obligation that quotes `words`.
fn id(contract: &Value, words: &str) -> String {
    let obligations = contract["obligations"].as_array().unwrap().iter();
    let mut found = obligations.filter(|own| own["quote"].as_str().unwrap().contains(words));
    found.next().unwrap_or_else(|| panic!("{words}"))["id"].as_str().unwrap().to_owned()
}

/// What of a value goes against the published schema of that name.
fn breaches_of(name: &str, value: &Value) -> Vec<String> {
    let published = steadfast_wire::schemas::published(name).unwrap_or_else(|| panic!("{name}"));
    breaches(&serde_json::to_value((published.schema)()).unwrap(), value)
}

#[test]
fn a_reading_is_written_edited_and_taken_back() {
    let place = place();
    place.steadfast("audit contract ask.txt -o contract.json").status(0);
    let contract: Value = serde_json::from_str(&place.read("contract.json")).unwrap();
    assert_eq!(breaches_of("audit-contract", &contract), [""; 0]);
    assert_eq!(contract["schema"], "1.0");
    for own in contract["obligations"].as_array().unwrap() {
        let (start, end) = (own["span"]["start"].as_u64().unwrap(), own["span"]["end"].as_u64().unwrap());
        assert_eq!(ASK.get(start as usize..end as usize), own["quote"].as_str());
        assert_eq!((&own["by"], &own["confirmed_by"]), (&json!("code"), &Value::Null));
    }
    let budget = contract["obligations"].as_array().unwrap().iter().find(|own| own["kind"] == "budget").unwrap();
    assert_eq!(budget["value"], "at most 500 EUR");

    // As it was, it changes nothing but who handed it in.
    let plain = parsed(&place.steadfast("audit ask.txt report.md --json").status(0));
    let again = parsed(&place.steadfast("audit ask.txt report.md --contract contract.json --json").status(0));
    assert_eq!((&plain["reading"]["by"], &again["reading"]["by"]), (&json!("code"), &json!("person")));
    assert_eq!(plain["reading"]["sha256"], again["reading"]["sha256"]);
    assert_eq!(plain["obligations"], again["obligations"]);

    // A person leaves one out and adds one.
    let mut edited = contract.clone();
    let list = edited["obligations"].as_array_mut().unwrap();
    list.retain(|own| own["kind"] != "budget");
    list.push(
        json!({"id": "tone", "kind": "constraint", "quote": "The welcome text stays friendly", "strength": "should"}),
    );
    let place = place.with("edited.json", edited.to_string());
    let own =
        parsed(&place.steadfast("audit ask.txt report.md --contract edited.json --confirm Ann␣Lee --json").status(0));
    assert_eq!((&own["reading"]["by"], &own["reading"]["confirmed_by"]), (&json!("person"), &json!(["Ann Lee"])));
    assert_eq!(own["reading"]["disputed"][0]["kind"], "budget");
    let kinds: Vec<&str> =
        own["obligations"].as_array().unwrap().iter().map(|own| own["kind"].as_str().unwrap()).collect();
    assert!(!kinds.contains(&"budget"), "{kinds:?}");
    assert!(own["obligations"].as_array().unwrap().iter().any(|own| own["id"] == "tone" && own["by"] == "person"));
    let text = place.steadfast("audit ask.txt report.md --contract edited.json --confirm Ann␣Lee").status(0).stdout;
    assert!(
        text.contains("The prompt was read by a person, confirmed by Ann Lee; 1 obligation that code reads disputed."),
        "{text}"
    );

    // After a change of the prompt it says what no longer stands.
    let place = place.with("ask2.txt", ASK.replace("500 EUR", "700 EUR"));
    let end = place.steadfast("audit contract ask2.txt --contract contract.json").status(2);
    assert!(
        end.stderr.starts_with(
            "error: contract.json: 1 obligation cannot be taken: `budget-1`: its words do not stand in the prompt"
        ),
        "{}",
        end.stderr
    );
    let list = place.steadfast("audit contract ask.txt --format text").status(0).stdout;
    assert!(list.contains("must do not") && list.contains("“Don't touch the database schema”"), "{list}");
}

#[test]
fn what_rules_leave_open_is_decided_by_whoever_understands() {
    let place = place();
    let batch = parsed(&place.steadfast("audit undecided ask.txt report.md").status(0));
    assert_eq!(breaches_of("audit-undecided", &batch), [""; 0]);
    let contract = parsed(&place.steadfast("audit contract ask.txt").status(0));
    let schema_id = id(&contract, "database schema");
    assert!(batch["obligations"].as_array().unwrap().iter().any(|own| own["id"] == *schema_id), "{batch}");
    assert_eq!(batch["texts"].as_array().unwrap().len(), 2, "a short pair is shown whole");
    place.steadfast("audit undecided ask.txt report.md --cursor 99").status(2);

    let proposals = json!([
        {"obligation": schema_id, "relation": "broken", "quote": "The users table was migrated to a new layout.", "why": "That is the schema."},
        {"obligation": null, "asked": "every endpoint", "relation": "kept", "quote": "Every endpoint has a test now."},
        {"obligation": null, "relation": "invented", "quote": "Nothing of the kind."},
    ]);
    let place = place.with("proposals.json", proposals.to_string());
    let own = parsed(&place.steadfast("audit ask.txt report.md --proposals proposals.json --json").status(0));
    let incident = own["drift_incidents"].as_array().unwrap().iter().find(|it| it["origin"] == "host").unwrap();
    assert_eq!((&incident["check"], &incident["severity"]), (&json!("proposal"), &json!(3)));
    assert_eq!(incident["source_reference"], "Don't touch the database schema");
    assert_eq!(own["set_aside"][0]["reason"], "its words do not stand in the report");
    assert_eq!((&own["usable_as_is"], &own["usable_because"]), (&json!(false), &json!("broken")));
    assert!(own["by_code"]["incidents"].as_u64().unwrap() < own["totals"]["incidents"].as_u64().unwrap());
    let state = own["obligations"].as_array().unwrap().iter().find(|it| it["id"] == *schema_id).unwrap();
    assert_eq!((&state["status"], &state["origin"]), (&json!("broken"), &json!("host")));
    assert_ne!(state["by_code"]["status"], "broken");
    place.steadfast("audit ask.txt report.md --proposals proposals.json --fail-on broken -q").status(1);
    // They can come on stdin, and a person can stand behind them.
    let stdin = proposals.to_string();
    let end =
        place.steadfast_with("audit ask.txt report.md --proposals - --confirm Ann --json", stdin.as_bytes()).status(0);
    assert_eq!(parsed(&end)["confirmed_by"], "Ann");
    place.steadfast_with("audit ask.txt - --proposals -", stdin.as_bytes()).status(2);
    let text = place.steadfast("audit ask.txt report.md --proposals proposals.json").status(0).stdout;
    assert!(text.contains("1 incident added, 1 set aside. By code alone:"), "{text}");

    for (bad, said) in [("[{\"relation\": \"kep\"}]", "are no proposals"), ("{", "are no proposals")] {
        let place = Place::empty().with("ask.txt", ASK).with("report.md", REPORT).with("bad.json", bad);
        let end = place.steadfast("audit ask.txt report.md --proposals bad.json").status(2);
        assert!(end.stderr.contains(said), "{}", end.stderr);
    }
}

#[test]
fn who_calls_is_not_trusted_by_default() {
    let report = REPORT.replace("The users table was migrated to a new layout.", "");
    let place = place().with("report.md", &report);
    let contract = parsed(&place.steadfast("audit contract ask.txt").status(0));
    let kept =
        |words: &str, quote: &str| json!({"obligation": id(&contract, words), "relation": "kept", "quote": quote});
    let proposals = json!([
        kept("Refactor", "The login module is refactored into three services."),
        kept("database schema", ""),
        kept("Add tests", "Every endpoint has a test now."),
        kept("500 EUR", "The work cost 480 EUR."),
    ]);
    let place = place.with("proposals.json", proposals.to_string());
    let gates = "--fail-on unassessed --fail-on missing -q";
    place.steadfast(&format!("audit ask.txt report.md --proposals proposals.json {gates}")).status(1);
    place.steadfast(&format!("audit ask.txt report.md --proposals proposals.json --trust-host {gates}")).status(0);
    let own = parsed(&place.steadfast("audit ask.txt report.md --proposals proposals.json --json").status(0));
    assert!(own["assessed"]["by_host"].as_u64().unwrap() > 0);
    assert_eq!((&own["usable_as_is"], &own["trust_host"]), (&json!(false), &json!(false)));
    let said = |own: &Value| own["verdict_recommended_actions"].to_string().contains("Only the host says");
    assert!(said(&own), "{}", own["verdict_recommended_actions"]);
    // With half of it answered the host's word is not all that is missing.
    let half = place.with("half.json", json!([proposals[0]]).to_string());
    assert!(!said(&parsed(&half.steadfast("audit ask.txt report.md --proposals half.json --json").status(0))));
    let place = half;
    let trusted =
        parsed(&place.steadfast("audit ask.txt report.md --proposals proposals.json --trust-host --json").status(0));
    assert_eq!(trusted["usable_as_is"], true, "{}", trusted["usable_because"]);
    let junit = |more: &str| {
        let arguments = "audit ask.txt report.md --proposals proposals.json --format junit";
        place.steadfast(&format!("{arguments} {more}")).status(0).stdout
    };
    assert!(junit("").contains("by a host that is not trusted") && !junit("--trust-host").contains("not trusted"));
    // The share is an option of its own.
    let none = parsed(&place.steadfast("audit ask.txt report.md --usable-share 0 --json").status(0));
    assert_eq!((&none["usable_share"], &none["usable_as_is"]), (&json!(0.0), &json!(true)));
    place.steadfast("audit ask.txt report.md --usable-share 1.5").status(2);
}

#[test]
fn what_the_user_gave_beside_the_prompt_is_listed_and_no_invention() {
    let place = place().with("brief.md", "Acme Ltd hosts our sites for 12 EUR a month.\n");
    let own = parsed(&place.steadfast("audit ask.txt report.md --context brief.md --json").status(0));
    let source = own["sources"].as_array().unwrap().iter().find(|it| it["role"] == "context").unwrap();
    assert_eq!(source["file"], "brief.md");
    let open = parsed(&place.steadfast("audit undecided ask.txt report.md --context brief.md").status(0));
    assert!(open["ask"].as_str().unwrap().contains("beside the request: brief.md."), "{open}");
    assert!(open["texts"].as_array().unwrap().iter().any(|it| it["file"] == "brief.md"), "{open}");
    assert!(own["obligations"].as_array().unwrap().iter().all(|it| it["span"]["file"] == "ask.txt"));
}

#[test]
fn where_nothing_can_be_evaluated_an_object_says_why() {
    let place = place().with("ok.md", "ok\n").with("empty.md", "");
    let check = |arguments: &str, reason: &str| {
        let end = place.steadfast(arguments).status(3);
        let own = parsed(&end);
        assert_eq!(breaches_of("audit-not-evaluable", &own), [""; 0]);
        assert_eq!(own["not_evaluable"]["reason"], reason, "{arguments}");
        assert!(own.get("overall_fidelity_score").is_none());
        assert!(end.stderr.starts_with("error: "), "{}", end.stderr);
        own
    };
    let own = check("audit ask.txt ok.md --json", "nothing_judged");
    assert!(own["obligations"].as_array().unwrap().len() > 3);
    assert_eq!((&own["assessed"]["n"], &own["reading"]["by"]), (&json!(0), &json!("code")));
    // A gate that was asked for and failed counts for more.
    let end = place.steadfast("audit ask.txt ok.md --json --fail-on unassessed --fail-on broken").status(1);
    let gated = parsed(&end);
    assert_eq!(gated["not_evaluable"], own["not_evaluable"]);
    assert_eq!((&gated["gates"]["passed"], gated["gates"]["failures"].as_array().unwrap().len()), (&json!(false), 1));
    assert!(end.stderr.contains("were assessed") && end.stderr.contains("(--fail-on unassessed)"), "{}", end.stderr);
    place.steadfast("audit ask.txt ok.md --json --fail-on broken --fail-below 4").status(3);
    check("audit ask.txt empty.md --json", "report_empty");
    check("audit empty.md ok.md --json", "prompt_empty");
    place.steadfast("audit ask.txt ok.md --out-dir out").status(3);
    let written: Value = serde_json::from_str(&place.read("out/drift-evaluation.json")).unwrap();
    assert_eq!(written["not_evaluable"]["reason"], "nothing_judged");
    assert!(place.read("out/drift-evaluation.md").contains("**Not evaluable**"));
    // Whoever understands both may judge it all the same.
    let contract = parsed(&place.steadfast("audit contract ask.txt").status(0));
    let proposals = json!([{"obligation": id(&contract, "Add tests"), "relation": "broken", "quote": ""}]);
    let place = place.with("proposals.json", proposals.to_string());
    let own = parsed(&place.steadfast("audit ask.txt ok.md --proposals proposals.json --json").status(0));
    assert_eq!((&own["by_code"]["overall_fidelity_score"], &own["usable_because"]), (&Value::Null, &json!("broken")));
    assert_eq!(own["drift_incidents"][0]["absent"], true);
}

#[test]
fn a_report_may_be_several_files_or_a_folder_of_them() {
    let place = place()
        .with("parts/a.md", "# Login\n\nThe login module is refactored into three services.\n")
        .with("parts/b.html", "<h1>Tests</h1><p>Every endpoint has a test now.</p>")
        .with("parts/photo.jpg", [0xff, 0xd8, 0xff])
        .with("other/a.md", "The work cost 480 EUR.\n")
        .with("none/photo.jpg", [0xff, 0xd8, 0xff]);
    let files = |arguments: &str| -> Vec<String> {
        let own = parsed(&place.steadfast(&format!("audit ask.txt {arguments} --json")).status(0));
        let sources = own["sources"].as_array().unwrap().iter();
        let mut names: Vec<String> = sources.map(|it| it["file"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(files("report.md parts/b.html"), ["ask.txt", "b.html", "report.md"]);
    assert_eq!(files("parts"), ["a.md", "ask.txt", "b.html"]);
    assert_eq!(files("parts other/a.md"), ["a.md", "ask.txt", "b.html", "report-3/a.md"]);
    let end = place.steadfast("audit ask.txt none").status(2);
    assert!(end.stderr.contains("error: none: holds no file that can be read"), "{}", end.stderr);
    place.steadfast("audit ask.txt - -").status(2);
    place.steadfast("audit ask.txt report.md missing.md").status(2);
}

#[test]
fn passages_are_found_by_meaning_where_the_model_is() {
    let place = Place::empty().with("ask.txt", "Write the notice for our hall. Children must have a grown-up with them.\n").with(
        "report.md",
        "# Notice\n\nWelcome to the hall.\n\nThe café sells soup on Fridays.\n\nMinors are admitted when a parent comes along.\n",
    );
    // The model of this machine: other tests of `audit` are kept from it.
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_steadfast"))
        .args(["audit", "ask.txt", "report.md", "--json"])
        .current_dir(place.path(""))
        .output()
        .unwrap();
    let own: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found: Vec<(&str, &str)> = own["obligations"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|it| {
            let passages = it["passages"].as_array().unwrap().iter();
            passages.map(|own| (own["found_by"].as_str().unwrap(), own["quote"].as_str().unwrap()))
        })
        .collect();
    assert!(found.contains(&("vector", "Minors are admitted when a parent comes along.")), "{found:?}");
}

#[test]
fn files_that_people_have_are_read_or_refused_by_name() {
    let words = "<w:document><w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr><w:r><w:t>Login</w:t></w:r></w:p>\
                 <w:p><w:r><w:t>The login module is refactored. The work cost 900 EUR.</w:t></w:r></w:p></w:document>";
    let utf16: Vec<u8> = ASK.encode_utf16().fold(vec![0xFF, 0xFE], |mut out, unit| {
        out.extend(unit.to_le_bytes());
        out
    });
    let archive = |name: &str, content: &str| zipped(&[(name.to_owned(), content.as_bytes().to_vec())]);
    let place = Place::empty()
        .with("ask.txt", utf16)
        .with("report.docx", archive("word/document.xml", words))
        .with("sheet.xlsx", archive("xl/workbook.xml", "<workbook/>"));
    let own = parsed(&place.steadfast("audit ask.txt report.docx --json").status(0));
    let notes: Vec<&str> = own["sources"].as_array().unwrap().iter().map(|it| it["note"].as_str().unwrap()).collect();
    assert_eq!(
        notes,
        ["UTF-16: places are bytes of its text in UTF-8", "a Word document: places are bytes of its text in UTF-8"]
    );
    let kept = own["obligations"].as_array().unwrap().iter().find(|it| it["status"] == "kept").unwrap();
    assert_eq!(kept["answer_spans"][0]["quote"], "The login module is refactored.");
    let end = place.steadfast("audit ask.txt sheet.xlsx").status(2);
    assert!(
        end.stderr.contains("it is a workbook of Excel; `soffice --headless --convert-to csv FILE`"),
        "{}",
        end.stderr
    );
}
