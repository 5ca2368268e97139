//! `vault`, `pick` and `feedback`, as a whole program. No vectors are made here: words and metadata decide.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::{End, Place};
use serde_json::Value;
use steadfast_testkit::schema::breaches;
use steadfast_wire::pick::{FinalOutput, SearchResult};

fn json(end: &End) -> Value {
    serde_json::from_str(&end.stdout).unwrap()
}

fn shipped() -> Place {
    let place = Place::empty();
    place.steadfast("vault import --shipped --vault v.db --no-embed -q").status(0);
    place
}

/// A pick of one task, without what differs from run to run.
fn pick(place: &Place, task: &str) -> Value {
    let line = format!("{}\n", serde_json::json!({"qid": "t", "query": task}));
    let end = place.steadfast_with("pick --tasks - --vault v.db -q", line.as_bytes()).status(0);
    let picked = json(&end);
    let schema = serde_json::to_value(steadfast_wire::schema::<FinalOutput>()).unwrap();
    let mut found = breaches(&schema, &picked);
    // The log's values are by name, which this reader of schemas does not know.
    found.retain(|breach| !breach.contains("`additionalProperties`"));
    assert_eq!(found, [""; 0]);
    picked
}

fn stages(picked: &Value) -> Vec<&str> {
    picked["selected_prompts"].as_array().unwrap().iter().map(|it| it["stage"].as_str().unwrap()).collect()
}

#[test]
fn the_task_of_the_document_gets_a_chain_in_order() {
    let place = shipped();
    let task = "Create a 2-week content strategy and execution plan for a B2B AI newsletter.";
    let picked = pick(&place, task);
    assert_eq!(picked["mode"], "chain");
    assert_eq!(stages(&picked), ["clarify", "plan", "execute", "verify"]);
    assert_eq!(picked["selected_prompts"][1]["prompt_id"], "two-week-newsletter-plan");
    assert!(picked["selected_prompts"][1]["why"].as_str().unwrap().contains("“newsletter”"), "{picked}");
    let passed: Vec<&str> = picked["log"].as_array().unwrap().iter().map(|it| it["state"].as_str().unwrap()).collect();
    assert_eq!((passed[0], passed[1], *passed.last().unwrap()), ("START", "INTAKE", "END"));
    assert_eq!(picked, pick(&place, task));
}

#[test]
fn whole_undertakings_get_a_chain_of_four_or_five_in_order() {
    let place = shipped();
    for task in [
        "Design and run a 4-week online course on beekeeping for beginners.",
        "Put together a three-week launch plan for our budgeting app and carry it out.",
        "We need a six-week hiring campaign for two night nurses: strategy, schedule and everything to execute it.",
        "Organise a charity run in five weeks, from first idea to the day itself.",
        "Plan and execute the migration of our customer database to PostgreSQL over the next three weeks.",
        "Draw up a month-long podcast strategy with a production plan for a history museum.",
        "Build a two-week fundraising campaign for the animal shelter and see it through to the thank-you letters.",
        "Create a four-week onboarding programme for new warehouse staff and roll it out.",
        "Develop a 6-week research plan and its implementation for a study on sleep among shift workers.",
        "Prepare a 3-week social media strategy and posting plan for a new vegan bakery.",
    ] {
        let picked = pick(&place, task);
        assert_eq!(picked["mode"], "chain", "{task}");
        let stages = stages(&picked);
        assert!(["clarify", "plan", "execute", "verify"].iter().all(|it| stages.contains(it)), "{task}: {stages:?}");
        let order = ["clarify", "plan", "execute", "verify", "reflect"];
        assert!(stages.is_sorted_by_key(|it| order.iter().position(|stage| stage == it)), "{task}: {stages:?}");
        let chosen = picked["selected_prompts"].as_array().unwrap();
        let ids: std::collections::BTreeSet<&str> = chosen.iter().map(|it| it["prompt_id"].as_str().unwrap()).collect();
        assert_eq!(ids.len(), stages.len(), "{task}: no prompt twice");
        // All prompts that ship say their stage: each stands at its own.
        assert!(chosen.iter().all(|it| it["evidence"]["stage_fit"] == 1.0), "{task}: {picked}");
    }
}

#[test]
fn short_and_clear_tasks_get_one_prompt_and_noise_a_question() {
    let place = shipped();
    let weekly = pick(&place, "weekly review");
    assert_eq!((&weekly["mode"], stages(&weekly)), (&"single".into(), vec!["reflect"]));
    assert_eq!(weekly["selected_prompts"][0]["prompt_id"], "weekly-review");
    for task in ["asdf qwer zxcv", "fix it"] {
        let asked = pick(&place, task);
        assert_eq!(asked["mode"], "clarify", "{task}");
        assert!(!asked["clarification_questions"].as_array().unwrap().is_empty());
        assert_eq!(
            asked["candidates"].as_array().unwrap().len(),
            asked["fallback"]["prompt_ids"].as_array().unwrap().len()
        );
    }
    let end = place
        .steadfast_with("pick --tasks - --vault v.db --fail-on clarify", b"{\"qid\":\"a\",\"query\":\"fix it\"}\n");
    end.status(1);
}

#[test]
fn a_vault_is_imported_step_by_step() {
    let place = Place::empty()
        .with("mine/a.md", "---\ntitle: Plan a fair\nstage: plan\n---\nPlan a fair in the village.\n")
        .with("mine/b/system.md", "# IDENTITY\nYou summarize long texts.\n")
        .with("mine/b/user.md", "not a prompt")
        .with("mine/README.md", "about")
        .with("mine/c.jsonl", "{\"prompt_id\":\"c1\",\"prompt_text\":\"Check the sums.\"}\n{\"prompt_id\":7}\n")
        .with("mine/d.csv", "id,prompt\nd1,\"Write a poem, please.\"\n")
        .with("mine/e.md", "---\ntitle: [\n---\nx\n");
    let import =
        |place: &Place| json(&place.steadfast("vault import mine --vault v.db --no-embed --json -q").status(0));
    let first = import(&place);
    assert_eq!((&first["added"], &first["unchanged"]), (&4.into(), &0.into()), "{first}");
    let refused: Vec<&str> =
        first["refused"].as_array().unwrap().iter().map(|it| it["place"].as_str().unwrap()).collect();
    assert_eq!((refused.len(), refused[0]), (2, "c.jsonl:2"), "{first}");
    assert!(refused[1].starts_with("e.md:"), "{first}");
    assert_eq!(import(&place)["unchanged"], 4);
    let place = place.with("mine/a.md", "---\ntitle: Plan a fair\nstage: plan\n---\nPlan a fair in the town.\n");
    std::fs::remove_file(place.path("mine/d.csv")).unwrap();
    let third = import(&place);
    assert_eq!((&third["changed"], &third["removed"], &third["unchanged"]), (&1.into(), &1.into(), &2.into()));

    let status = json(&place.steadfast("vault status --vault v.db --json").status(0));
    assert_eq!((&status["prompts"], &status["stages"]["plan"]), (&3.into(), &1.into()));
    let queue = json(&place.steadfast("vault queue --vault v.db --json").status(0));
    assert_eq!(queue["queue"].as_array().unwrap().len(), usize::try_from(queue["total"].as_u64().unwrap()).unwrap());

    let found = json(&place.steadfast("vault search summarize --vault v.db -k 2 --json -q").status(0));
    let schema = serde_json::to_value(steadfast_wire::schema::<SearchResult>()).unwrap();
    assert_eq!(breaches(&schema, &found), [""; 0]);
    assert_eq!((&found["candidates"][0]["prompt_id"], &found["vectors"]), (&"b".into(), &false.into()));
    assert_eq!(found["candidates"][0]["retrieval_sources"], serde_json::json!(["bm25"]));
    let lines = place.steadfast_with(
        "vault search --queries - --vault v.db -q",
        b"{\"qid\":\"1\",\"query\":\"fair\"}\n{\"qid\":\"2\",\"query\":\"sums\"}\n",
    );
    let ids: Vec<String> = lines
        .stdout
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["candidates"][0]["prompt_id"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(ids, ["a", "c1"]);
}

#[test]
fn the_order_in_which_a_vault_is_filled_changes_nothing() {
    let lines = |ids: std::ops::Range<usize>| -> String {
        ids.map(|at| {
            let (verb, stage) = [("Plan", "plan"), ("Check", "verify"), ("Draft", "execute")][at % 3];
            format!(
                "{{\"prompt_id\":\"p{at}\",\"prompt_text\":\"{verb} the report no. {at}.\",\"stage\":\"{stage}\"}}\n"
            )
        })
        .collect()
    };
    let place = Place::empty().with("a.jsonl", lines(0..9)).with("b.jsonl", lines(9..15));
    let picked = |order: [&str; 2]| {
        for file in order {
            place.steadfast(&format!("vault import {file} --vault {}.db --no-embed -q", order[0])).status(0);
        }
        place
            .steadfast_with(&format!("pick --tasks - --vault {}.db --explain -q", order[0]), TASKS.as_bytes())
            .status(0)
            .stdout
    };
    const TASKS: &str = "{\"qid\":\"1\",\"query\":\"Plan the report, draft it and check it\"}\n{\"qid\":\"2\",\"query\":\"check the report\"}\n";
    assert_eq!(picked(["a.jsonl", "b.jsonl"]), picked(["b.jsonl", "a.jsonl"]));
}

#[test]
fn only_prompts_that_are_what_they_must_be_are_looked_at() {
    let place = shipped();
    let found = |filters: &str| -> Vec<String> {
        let end = place.steadfast(&format!("vault search plan --vault v.db -k 1000 --json -q {filters}")).status(0);
        let found = json(&end);
        found["candidates"].as_array().unwrap().iter().map(|it| it["prompt_id"].as_str().unwrap().to_owned()).collect()
    };
    let (all, plans) = (found(""), found("--filter stage=plan"));
    assert!(!plans.is_empty() && plans.len() < all.len());
    let others = found(&format!("--filter stage=plan --filter stage=verify --exclude id={}", plans[0]));
    assert!(plans[1..].iter().all(|id| others.contains(id)) && !others.contains(&plans[0]));
    let line = b"{\"qid\":\"t\",\"query\":\"weekly review\"}\n";
    let picked = place.steadfast_with("pick --tasks - --vault v.db -q --exclude id=weekly-review --explain", line);
    assert!(!picked.status(0).stdout.contains("\"weekly-review\""));
    place.steadfast("vault search plan --vault v.db --filter colour=red -q").refused(
        2,
        "error: `colour=red` names no field: there are stage, intent, task_type, domain, tag, status, model\nhint: a filter is \
         written as `--filter domain=marketing`, or `--exclude status=retired`",
    );
}

#[test]
fn the_schemas_of_the_contracts_are_published() {
    let place = shipped();
    let list = place.steadfast("schema").status(0).stdout;
    let names: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(
        names.is_sorted()
            && ["candidate", "final-output", "prompt-record", "task-spec"].iter().all(|it| names.contains(it))
    );
    for name in names {
        let mut schema = json(&place.steadfast(&format!("schema {name}")).status(0));
        if schema["type"] == "array" {
            // A list of one type.
            schema = schema["$defs"].as_object().unwrap().values().find(|own| own["type"] == "object").unwrap().clone();
        }
        // A line of a file is one of several types.
        for own in schema["oneOf"].as_array().cloned().unwrap_or_else(|| vec![schema]) {
            assert_eq!((&own["additionalProperties"], &own["type"]), (&false.into(), &"object".into()), "{name}");
        }
    }
    let spec = json(&place.steadfast("schema task-spec").status(0));
    let own = pick(&place, "weekly review")["task_spec"].clone();
    assert_eq!(breaches(&spec, &own), [""; 0]);
    let mut other = own;
    other["mood"] = "good".into();
    assert_eq!(breaches(&spec, &other).len(), 1);
    place
        .steadfast("schema nothing")
        .refused(2, "error: `nothing` is no published schema\nhint: `steadfast schema` lists them");
}

#[test]
fn feedback_moves_the_standing_of_what_was_picked() {
    let place = shipped();
    let picked = pick(&place, "weekly review");
    let (trace, prompt) = (picked["trace_id"].as_str().unwrap(), &picked["selected_prompts"][0]);
    assert_eq!(prompt["evidence"]["quality_prior"], 0.5);
    place.steadfast(&format!("feedback {trace} good --vault v.db")).status(0);
    place.steadfast(&format!("feedback {trace} good weekly-review --vault v.db")).status(0);
    let again = pick(&place, "weekly review");
    // Beta(2, 2) with two good words: (2 + 2) / (4 + 2).
    assert_eq!(again["selected_prompts"][0]["evidence"]["quality_prior"], 0.666667);
    assert_ne!(again["trace_id"], picked["trace_id"], "what decides has changed");
    place.steadfast(&format!("feedback {trace} bad other --vault v.db")).refused(
        2,
        "error: `other` is no prompt of this selection\nhint: without PROMPT_ID it is said of all prompts of the selection",
    );
    place.steadfast("feedback none good --vault v.db").refused(
        2,
        "error: no selection `none` is stored\nhint: the `trace_id` of what `steadfast pick --vault` gave names one",
    );
}

#[test]
fn what_cannot_be_picked_is_said() {
    let place = Place::empty().with("notes.txt", "x").with("empty/x.txt", "");
    assert_eq!(place.steadfast("pick x --vault none.db").status, 4);
    place.steadfast("vault import notes.txt --vault v.db --no-embed").refused(
        2,
        "error: notes.txt: is no file of prompts\nhint: prompts are Markdown (.md), JSON lines (.jsonl) or CSV (.csv)",
    );
    place.steadfast("vault import empty --vault v.db --no-embed -q").status(0);
    place.steadfast("pick x --vault v.db").refused(
        2,
        "error: v.db: the vault holds no prompts\nhint: `steadfast vault import PATH --vault FILE` takes some in; `--shipped` those that ship with the program",
    );
    let place = shipped();
    place
        .steadfast("pick x --vault v.db --at soon")
        .refused(2, "error: `--at soon` is no date\nhint: a date is written as 2026-01-26");
    let end = place.steadfast_with("pick --tasks - --vault v.db -q", b"{\"qid\":\"1\"}\n").status(2);
    assert!(end.stderr.starts_with("error: stdin.txt:1:"), "{}", end.stderr);
}

#[test]
fn a_model_that_is_not_there_is_told_before_anything_is_opened() {
    let place = Place::empty();
    let end = place.steadfast("pick anything --vault none.db --intake model");
    let said =
        "error: no chat model is configured, and `--intake model` needs one\nhint: `--intake rules` needs none\n";
    assert_eq!((end.status, end.stdout.as_str(), end.stderr.as_str()), (2, "", said));
}
