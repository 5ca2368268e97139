//! `steadfast demo`, and what the program says of itself.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::Place;
use serde_json::Value;
use steadfast_testkit::http::Client;

/// What the story is made of, and what is written of it.
const INPUTS: [&str; 7] =
    ["ask.txt", "tasks.jsonl", "2026-02-18.md", "steps.jsonl", "criteria.txt", "check-in.md", "report.md"];
const OUTPUTS: [&str; 14] = [
    "story.html",
    "reports/pick.jsonl",
    "reports/pick.html",
    "reports/plan-naive.json",
    "reports/plan-naive.html",
    "reports/plan.json",
    "reports/plan.html",
    "reports/watch.json",
    "reports/watch.html",
    "reports/review.json",
    "reports/review.html",
    "reports/audit/drift-evaluation.json",
    "reports/audit/drift-evaluation.md",
    "reports/audit/drift-evaluation.html",
];

/// The files that the demo wrote to `folder`, but for its store, with their bytes.
fn written(place: &Place, folder: &str) -> Vec<(String, Vec<u8>)> {
    let own = place.files().into_iter().filter_map(|name| name.strip_prefix(&format!("{folder}/")).map(str::to_owned));
    own.filter(|name| !name.starts_with("steadfast.db"))
        .map(|name| (name.clone(), fs::read(place.path(&format!("{folder}/{name}"))).unwrap()))
        .collect()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn the_demo_writes_its_story_and_all_reports() {
    let place = Place::empty();
    let end = place.steadfast("demo --no-model").status(0);
    assert_eq!(end.stderr, "");
    let mut expected: Vec<String> = INPUTS.iter().chain(&OUTPUTS).map(|name| (*name).to_owned()).collect();
    expected.sort();
    let found = written(&place, "steadfast-demo");
    assert_eq!(found.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(), expected);
    for name in INPUTS {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/story");
        assert_eq!(
            fs::read(root.join(name)).unwrap(),
            fs::read(place.path(&format!("steadfast-demo/{name}"))).unwrap()
        );
    }
    for told in ["pick ", "plan ", "watch ", "review ", "audit ", "steadfast-demo/story.html", "The same by hand:"] {
        assert!(end.stdout.contains(told), "{told}: {}", end.stdout);
    }
    // The server answered, and has ended: nobody sits there.
    let last = end.stdout.lines().last().unwrap();
    assert_eq!(last, "The console over these runs answers: steadfast serve --store steadfast-demo/steadfast.db");
    let runs = json(&place.steadfast("runs list --store steadfast-demo/steadfast.db --json").status(0).stdout);
    let mut verbs: Vec<&str> =
        runs["runs"].as_array().unwrap().iter().map(|run| run["verb"].as_str().unwrap()).collect();
    verbs.sort_unstable();
    assert_eq!(verbs, ["audit", "pick", "pick", "pick", "plan", "plan", "review", "watch"]);
}

#[test]
fn what_the_verbs_give_by_hand_is_what_the_demo_wrote() {
    let place = Place::empty();
    place.steadfast("demo --no-model --out-dir d").status(0);
    let at = "--at 2026-02-18T08:30:00+01:00 --tz Europe/Amsterdam";
    for (command, status, file) in [
        ("pick --tasks d/tasks.jsonl --vault d/steadfast.db --at 2026-02-16 --json".to_owned(), 0, "pick.jsonl"),
        (format!("plan d/2026-02-18.md {at} --json"), 0, "plan.json"),
        (format!("plan d/2026-02-18.md {at} --variant v1_naive --json"), 1, "plan-naive.json"),
        (format!("plan d/2026-02-18.md {at} --format html"), 0, "plan.html"),
        ("watch d/steps.jsonl --embedder lexical --json".to_owned(), 0, "watch.json"),
        ("review d/check-in.md --criteria d/criteria.txt --json".to_owned(), 0, "review.json"),
        ("audit d/ask.txt d/report.md --json".to_owned(), 0, "audit/drift-evaluation.json"),
    ] {
        let end = place.steadfast(&command).status(status);
        assert_eq!(end.stdout, place.read(&format!("d/reports/{file}")), "{command}");
    }
}

/// Every command that the demo names can be run as it stands there.
#[test]
fn what_the_demo_says_to_try_can_be_tried() {
    let place = Place::empty();
    let said = place.steadfast("demo --no-model").status(0).stdout;
    let commands: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("  steadfast ")).collect();
    assert_eq!(commands.len(), 7, "{said}");
    for command in commands {
        let (command, status) = command.strip_suffix("; echo $?").map_or((command, 0), |command| (command, 1));
        place.steadfast(command).status(status);
    }
}

/// Where somebody sits at the terminal the console stays: what it shows are the runs of the story, with their texts.
#[test]
fn at_a_terminal_the_console_stays_until_it_is_interrupted() {
    let place = Place::empty();
    let program = env!("CARGO_BIN_EXE_steadfast");
    // `script` gives the program a terminal of its own, which Ctrl-C is typed at. The shell makes room for the program: it would be interrupted as
    // well, and its end told in place of the program's.
    let mut child = Command::new("script")
        .args(["-q", "-e", "-c", &format!("exec '{program}' demo --no-model --out-dir d"), "/dev/null"])
        .current_dir(place.root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let url = loop {
        let begin = said.len();
        assert!(lines.read_line(&mut said).unwrap() > 0, "{said}");
        if let Some((_, rest)) = said[begin..].split_once("The console over these runs: ") {
            break rest.split_whitespace().next().unwrap().trim_end_matches('/').to_owned();
        }
    };
    let client = Client::new(&url);
    let runs = client.ask("GET", "/api/runs", &[], b"").unwrap().json();
    let runs = runs["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 8, "{runs:?}");
    for run in runs {
        let page = client.ask("GET", &format!("/runs/{}", run["id"].as_str().unwrap()), &[], b"").unwrap();
        assert_eq!(page.status, 200, "{run}: {}", page.text());
        if run["verb"] == "audit" {
            let id = run["id"].as_str().unwrap();
            let result = client.ask("GET", &format!("/api/runs/{id}/result"), &[], b"").unwrap().json();
            let incident = result["drift_incidents"][0]["id"].as_str().unwrap();
            let beside = client.ask("GET", &format!("/runs/{id}?incident={incident}"), &[], b"").unwrap().text();
            // Words of the ask that no incident quotes.
            assert!(beside.contains("most households here have no room to keep such things"), "{beside}");
        }
    }
    // The terminal is held until the program has ended: where it went away, that would be a signal of its own.
    let mut terminal = child.stdin.take().unwrap();
    terminal.write_all(b"\x03").unwrap();
    terminal.flush().unwrap();
    lines.read_to_string(&mut said).unwrap();
    let status = child.wait().unwrap();
    assert!(status.success(), "{status}: {said}");
    assert!(client.connect().is_err(), "{url}");
    // It ended well: the store can be read again.
    place.steadfast("runs list --store d/steadfast.db").status(0);
}

#[test]
fn the_demo_writes_the_same_bytes_each_time() {
    let (one, other) = (Place::empty(), Place::empty());
    let said = one.steadfast("demo --no-model").status(0).stdout;
    assert_eq!(said, other.steadfast("demo --no-model").status(0).stdout);
    let first = written(&one, "steadfast-demo");
    assert_eq!(first, written(&other, "steadfast-demo"));
    assert_eq!(said, one.steadfast("demo --no-model").status(0).stdout);
    assert_eq!(first, written(&one, "steadfast-demo"));
}

/// A page's text without the references by which it is escaped.
fn unescaped(text: &str) -> String {
    let mut text = text.to_owned();
    for (reference, character) in
        [("&#34;", "\""), ("&#39;", "'"), ("&#60;", "<"), ("&#62;", ">"), ("&quot;", "\""), ("&#38;", "&")]
    {
        text = text.replace(reference, character);
    }
    text
}

#[test]
fn every_quote_of_the_page_stands_in_the_story() {
    let place = Place::empty();
    place.steadfast("demo --no-model --out-dir d").status(0);
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    // Steps and tasks are lines of JSON: what they say stands there unescaped but for quotation marks.
    let story: Vec<String> =
        INPUTS.iter().map(|name| flat(&place.read(&format!("d/{name}")).replace("\\\"", "\""))).collect();
    let page = place.read("d/story.html");
    let quotes: Vec<String> = page
        .split("<q dir=\"auto\">")
        .skip(1)
        .map(|rest| flat(&unescaped(rest.split("</q>").next().unwrap())))
        .collect();
    assert!(quotes.len() > 20, "{}", quotes.len());
    for quote in &quotes {
        let told = quote.trim_end_matches('…');
        assert!(story.iter().any(|text| text.contains(told)), "{quote}");
    }
    // And what the instruments found stands on the page.
    let held = flat(&unescaped(&page));
    let audit = json(&place.read("d/reports/audit/drift-evaluation.json"));
    let incidents = audit["drift_incidents"].as_array().unwrap();
    assert!(incidents.len() >= 3, "{incidents:?}");
    for incident in incidents {
        assert!(held.contains(&flat(incident["output_claim"].as_str().unwrap())), "{incident}");
        assert!(held.contains(&flat(incident["explanation"].as_str().unwrap())), "{incident}");
    }
    let watch = json(&place.read("d/reports/watch.json"));
    let steps = watch["trajectories"][0]["steps"].as_array().unwrap();
    let broken: Vec<&Value> = steps.iter().flat_map(|step| step["broken"].as_array().unwrap()).collect();
    assert!(broken.len() >= 3, "{broken:?}");
    for ban in broken {
        assert!(held.contains(&flat(ban["quote"].as_str().unwrap())), "{ban}");
        assert!(held.contains(&flat(ban["ban"].as_str().unwrap())), "{ban}");
    }
    let review = json(&place.read("d/reports/review.json"));
    let contradictions = review["contradictions"].as_array().unwrap();
    assert!(contradictions.iter().any(|it| it["kind"] == "table_total"), "{contradictions:?}");
    for contradiction in contradictions {
        assert!(held.contains(&flat(contradiction["message"].as_str().unwrap())), "{contradiction}");
    }
    let naive = json(&place.read("d/reports/plan-naive.json"));
    assert_eq!(naive["status"], "rejected");
    for finding in naive["validation"]["findings"].as_array().unwrap().iter().filter(|it| it["hard"] == true) {
        assert!(held.contains(&flat(finding["ask_span"]["quote"].as_str().unwrap())), "{finding}");
    }
    assert_eq!(json(&place.read("d/reports/plan.json"))["status"], "recommended");
}

#[test]
fn the_page_fetches_nothing_and_its_links_lead_somewhere() {
    let place = Place::empty();
    place.steadfast("demo --no-model --out-dir d").status(0);
    for page in OUTPUTS.iter().filter(|name| name.ends_with(".html")) {
        let text = place.read(&format!("d/{page}"));
        assert!(text.contains("content=\"default-src &#39;none&#39;; style-src &#39;sha256-"), "{page}");
        assert!(!text.contains(" style=") && !text.contains(" src="), "{page}");
        let folder = Path::new("d").join(page);
        let folder = folder.parent().unwrap();
        for address in text.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            let (file, fragment) = address.split_once('#').unwrap_or((address, ""));
            if file.is_empty() {
                assert!(text.contains(&format!(" id=\"{fragment}\"")), "{page}: {address}");
            } else {
                assert!(place.root().join(folder).join(file).is_file(), "{page}: {address}");
            }
        }
    }
}

#[test]
fn nothing_that_the_demo_writes_names_a_folder_of_the_machine() {
    let place = Place::empty();
    let end = place.steadfast("demo --no-model").status(0);
    let root = place.root().to_str().unwrap().to_owned();
    let home = std::env::var("HOME").unwrap_or_else(|_| root.clone());
    let is_told =
        |bytes: &[u8], path: &str| path.len() > 1 && bytes.windows(path.len()).any(|window| window == path.as_bytes());
    for path in [root.as_str(), &format!("{}/", home.trim_end_matches('/')), env!("CARGO_MANIFEST_DIR")] {
        assert!(!is_told(end.stdout.as_bytes(), path), "{path}");
        for name in place.files() {
            assert!(!is_told(&fs::read(place.path(&name)).unwrap(), path), "{name}: {path}");
        }
    }
}

#[test]
fn the_agent_is_held_against_the_ask_itself() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/story");
    let steps = fs::read_to_string(root.join("steps.jsonl")).unwrap();
    let first = json(steps.lines().next().unwrap());
    assert_eq!(first["initial_intent"].as_str().unwrap(), fs::read_to_string(root.join("ask.txt")).unwrap());
}

/// The table of faults in the example's README: each quote stands in the report, and is found by the audit exactly where it says so.
#[test]
fn the_example_says_honestly_what_the_audit_finds_of_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/story");
    let (readme, report) =
        (fs::read_to_string(root.join("README.md")).unwrap(), fs::read_to_string(root.join("report.md")).unwrap());
    let place = Place::empty().with("ask.txt", fs::read(root.join("ask.txt")).unwrap()).with("report.md", &report);
    let audit = json(&place.steadfast("audit ask.txt report.md --json").status(0).stdout);
    let spans: Vec<(usize, usize)> = audit["drift_incidents"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["absent"] == false)
        .map(|it| &it["output_span"])
        .map(|span| {
            (
                usize::try_from(span["start"].as_u64().unwrap()).unwrap(),
                usize::try_from(span["end"].as_u64().unwrap()).unwrap(),
            )
        })
        .collect();
    let rows: Vec<&str> = readme.lines().filter(|line| line.starts_with("| “")).collect();
    assert_eq!(rows.len(), 13);
    let rows: Vec<(&str, &str, Vec<usize>)> = rows
        .into_iter()
        .map(|row| {
            let quote = row.strip_prefix("| “").unwrap().split('”').next().unwrap();
            let start = report.find(quote).unwrap_or_else(|| panic!("{quote}"));
            let at = (0..spans.len()).filter(|&at| spans[at].0 < start + quote.len() && start < spans[at].1).collect();
            (quote, row.trim_end_matches(" |").rsplit("| ").next().unwrap(), at)
        })
        .collect();
    // One sentence may hold two faults of which one is found.
    let told: Vec<usize> = rows.iter().filter(|row| row.1 == "yes").flat_map(|row| row.2.clone()).collect();
    for (quote, said, at) in &rows {
        match *said {
            "yes" => assert!(!at.is_empty(), "{quote}: is not found"),
            _ => assert!(at.iter().all(|at| told.contains(at)), "{quote}: is found"),
        }
    }
    let found = readme.matches("| yes |").count();
    assert_eq!(found, spans.len(), "an incident points at nothing that the table names");
}

#[test]
fn with_the_model_the_demo_uses_it() {
    let place = Place::empty();
    let end = place.steadfast("demo --out-dir d").status(0);
    assert_eq!(end.stderr, "");
    let watch = json(&place.read("d/reports/watch.json"));
    assert_eq!(watch["embedder"], "minilm");
    assert!(watch["trajectories"][0]["onset"].is_i64(), "{watch}");
    assert!(place.read("d/reports/pick.jsonl").lines().all(|line| json(line)["vectors"] == true));
    assert!(!place.read("d/story.html").contains("without the embedding model"));
    assert_eq!(place.steadfast("watch d/steps.jsonl --json").status(0).stdout, place.read("d/reports/watch.json"));
    let picked = place.steadfast("pick --tasks d/tasks.jsonl --vault d/steadfast.db --at 2026-02-16 --json").status(0);
    assert_eq!(picked.stdout, place.read("d/reports/pick.jsonl"));
}

#[test]
fn where_no_model_is_within_reach_the_demo_says_so_and_goes_on() {
    let place = Place::empty();
    let output = Command::new(env!("CARGO_BIN_EXE_steadfast"))
        .arg("demo")
        .current_dir(place.root())
        .env_clear()
        .env("STEADFAST_MODELS", "models")
        // Nobody listens on the discard port of this machine, and no pip is found.
        .envs(["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"].map(|name| (name, "http://127.0.0.1:9")))
        .env("PATH", "")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains("warning: the embedding model cannot be fetched: "), "{stderr}");
    assert!(stderr.contains("note: the demo goes on without it"), "{stderr}");
    assert_eq!(json(&place.read("steadfast-demo/reports/watch.json"))["embedder"], "lexical");
    assert!(place.read("steadfast-demo/story.html").contains("Made without the embedding model"));
    let other = Place::empty();
    other.steadfast("demo --no-model").status(0);
    assert_eq!(written(&place, "steadfast-demo"), written(&other, "steadfast-demo"));
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let place = Place::empty().with("taken", "a file");
    let end = place.steadfast("demo --no-model --out-dir taken");
    assert_eq!((end.status, end.stdout.as_str()), (2, ""), "{end:?}");
    assert!(end.stderr.starts_with("error: taken"), "{end:?}");
}

/// The lines between `$ steadfast …` and `…` in the README are the first that the program prints.
#[test]
fn the_readme_shows_what_the_program_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let (_, example) = readme.split_once("    $ steadfast ").unwrap();
    let (command, shown) = example.split_once('\n').unwrap();
    let (shown, _) = shown.split_once("    …\n").unwrap();
    let mut place = Place::empty();
    for name in ["prompt.txt", "faithful.md", "drifted.md"] {
        place =
            place.with(&format!("examples/audit/{name}"), fs::read(root.join("examples/audit").join(name)).unwrap());
    }
    let printed = place.steadfast(command).status(0).stdout;
    let shown: Vec<&str> = shown.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    assert!(shown.len() > 10);
    assert_eq!(shown, printed.lines().take(shown.len()).collect::<Vec<_>>());
    let faithful = place.steadfast("audit examples/audit/prompt.txt examples/audit/faithful.md").status(0).stdout;
    assert!(
        readme.contains("scores\n5.0 of 5.0, with no incident") && faithful.contains(" · fidelity 5.0 / 5.0"),
        "{faithful}"
    );
}

#[test]
fn help_and_version_are_data() {
    let place = Place::empty();
    for arguments in ["--help", "audit --help", "demo --help", "--version"] {
        let end = place.steadfast(arguments).status(0);
        assert!(end.stderr.is_empty() && !end.stdout.is_empty(), "{arguments}");
    }
    assert!(place.steadfast("audit --help").stdout.contains("Exit status: 0 passed, 1 a gate failed"));
}
