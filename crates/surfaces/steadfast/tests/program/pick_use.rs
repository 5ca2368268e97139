//! `vault import` with a choice and a dry run, and `pick --print`, as a whole program.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::{End, Place};
use serde_json::{Value, json};
use steadfast_testkit::schema::breaches;
use steadfast_wire::pick::{Import, ImportPreview};

fn parsed(end: &End) -> Value {
    serde_json::from_str(&end.stdout).unwrap()
}

/// A vault of notes as people keep one, with all that is no prompt in it.
fn notes() -> Place {
    Place::empty()
        .with(
            "notes/Prompts/reply.md",
            "---\ntags: [prompt/mail]\n---\nAnswer the mail of {{who}} in {{tone}} words.\n",
        )
        .with(
            "notes/Prompts/all.md",
            "# All\n\n## Prompt: Thank\n\nThank {{who}} for the mail.\n\n## Prompt 2\n\n```\nDecline the mail.\n```\n",
        )
        .with("notes/Prompts/fenced.md", "For sums. #prompt\n\n```\nCheck every sum of the budget twice.\n```\n")
        .with("notes/Prompts/copy (Ana's conflicted copy 2026-01-02).md", "Answer the mail.\n")
        .with("notes/Prompts/same.md", "Decline the mail.\n")
        .with("notes/Daily/2026-01-26.md", "- [ ] call Ana\n")
        .with("notes/Templates/weekly.md", "# Week\n")
        .with("notes/.trash/old.md", "Old.\n")
        .with("notes/README.md", "About.\n")
        .with("notes/empty.md", "---\ntitle: x\n---\n")
        .with("notes/map.png", "x")
        .with("notes/rows.jsonl", "{\"prompt_id\":\"r1\",\"prompt_text\":\"List it.\"}\n{\"prompt_id\":7}\n")
}

#[test]
fn a_dry_run_says_of_every_file_what_would_come_of_it() {
    let place = notes();
    let end = place.steadfast("vault import notes --vault v.db --dry-run").status(0);
    assert_eq!(
        end.stdout,
        "\
not   .trash/  in the trash
not   Daily/2026-01-26.md  daily note
take  Prompts/all.md  2 prompts, under headings
not   Prompts/copy (Ana's conflicted copy 2026-01-02).md  sync conflict
take  Prompts/fenced.md  1 prompt, in code fences
take  Prompts/reply.md  1 prompt, the whole note
not   Prompts/same.md  `Prompts/same` has the text of `Prompts/all#prompt-2`
not   README.md  about the folder
not   Templates/weekly.md  template for notes
not   empty.md  holds no prompt
not   map.png  no file of prompts
take  rows.jsonl  1 prompt, rows
not   rows.jsonl:2  invalid type: integer `7`, expected a string
5 prompts of 4 files would be taken; not: about the folder 1, daily note 1, no file of prompts 1, same text as another 1, \
         sync conflict 1, template for notes 1, in the trash 1, cannot be read 2
"
    );
    assert!(!place.path("v.db").exists());
    let preview = parsed(&place.steadfast("vault import notes --vault v.db --dry-run --json").status(0));
    let schema = serde_json::to_value(steadfast_wire::schema::<ImportPreview>()).unwrap();
    assert_eq!(breaches(&schema, &preview), [""; 0]);
    assert_eq!(preview["files"][2]["prompts"], json!(["Prompts/all#prompt-2", "Prompts/all#thank"]));

    // What is taken is what was told.
    let import = parsed(&place.steadfast("vault import notes --vault v.db --no-embed --json -q").status(0));
    let schema = serde_json::to_value(steadfast_wire::schema::<Import>()).unwrap();
    let mut found = breaches(&schema, &import);
    // Counts are by name, which this reader of schemas does not know.
    found.retain(|breach| !breach.contains("`additionalProperties`"));
    assert_eq!(found, [""; 0]);
    assert_eq!(
        (&import["added"], &import["duplicates"], &import["passed_over"]["daily_note"]),
        (&5.into(), &1.into(), &1.into())
    );
}

#[test]
fn patterns_and_tags_choose() {
    let place = notes();
    let ids = |options: &str| {
        let preview =
            parsed(&place.steadfast(&format!("vault import notes --vault v.db --dry-run --json {options}")).status(0));
        let files = preview["files"].as_array().unwrap();
        let ids = files.iter().flat_map(|own| own["prompts"].as_array().unwrap());
        ids.map(|id| id.as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(ids("--tag prompt"), "Prompts/fenced Prompts/reply");
    assert_eq!(ids("--tag #prompt/mail"), "Prompts/reply");
    assert_eq!(
        ids("--include Prompts/** --exclude all.md"),
        "Prompts/copy (Ana's conflicted copy 2026-01-02) Prompts/fenced Prompts/reply Prompts/same"
    );
    // What is named is taken, whatever it is called.
    assert_eq!(ids("--include Templates/"), "Templates/weekly");
    let end = place.steadfast("vault import notes --vault v.db --dry-run --include a[");
    assert_eq!((end.status, end.stdout.as_str()), (2, ""));
    assert!(end.stderr.starts_with("error: `a[` is no pattern of file names: "), "{}", end.stderr);
    // A file by itself was chosen by whoever named it.
    let end = place.steadfast("vault import notes/Daily/2026-01-26.md --vault v.db --dry-run").status(0);
    assert!(end.stdout.starts_with("take  2026-01-26.md  1 prompt, the whole note\n"), "{}", end.stdout);
}

fn vault() -> Place {
    let place = notes();
    place.steadfast("vault import notes --include reply.md --vault v.db --no-embed -q").status(0);
    place
}

#[test]
fn what_was_picked_is_printed_to_be_used() {
    let place = vault();
    let end = place
        .run_with(&["pick", "answer the mail", "--vault", "v.db", "--print", "--set", "who=Ana {{tone}} = {{x}}"], b"")
        .status(0);
    assert_eq!(
        end.stdout,
        "# answer the mail\n\n## 1. execute: Prompts/reply\n\nAnswer the mail of Ana {{tone}} = {{x}} in {{tone}} words.\n\n---\n\nNot filled: `{{tone}}`\n"
    );
    assert!(end.stderr.contains("not filled: tone (`--set NAME=VALUE`)"), "{}", end.stderr);
    let all = ["pick", "answer the mail", "--vault", "v.db", "--print", "--set", "who=Ana", "--set", "tone=few", "-q"];
    let end = place.run_with(&all, b"").status(0);
    assert!(end.stdout.ends_with("Answer the mail of Ana in few words.\n"), "{}", end.stdout);
    assert_eq!(end.stderr, "");
}

#[test]
fn values_that_name_nothing_are_refused_before_anything_is_kept() {
    let place = vault();
    let refused = |set: &str, message: &str| {
        let end = place.run_with(&["pick", "answer the mail", "--vault", "v.db", "--print", "-q", "--set", set], b"");
        assert_eq!((end.status, end.stdout.as_str()), (2, ""), "{end:?}");
        assert!(end.stderr.contains(message), "{}", end.stderr);
    };
    refused("name=Ana", "`name` is no placeholder of what was picked: it has `who`, `tone`");
    refused("who", "`--set who` gives no value");
    let runs = parsed(&place.steadfast("runs list --store v.db --json").status(0));
    assert_eq!(runs["runs"], json!([]));
    assert_eq!(place.steadfast("pick x --vault v.db --set who=Ana").status, 2);
}
