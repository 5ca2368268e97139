//! The pages of a story and of a pick: what they hold at their edges, and that no text of results becomes markup.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "common/hostile_texts.rs"]
mod hostile_texts;

use std::collections::BTreeMap;

use hostile_texts::HOSTILE;
use serde_json::Value;
use steadfast_render::Texts;
use steadfast_render::pick;
use steadfast_render::story::{Reports, Story, html};
use steadfast_wire::audit::DriftEvaluation;
use steadfast_wire::pick::FinalOutput;
use steadfast_wire::plan::PlanResponse;
use steadfast_wire::review::Review;
use steadfast_wire::watch::Watch;

/// The results of a story, as JSON.
const PICKS: [&str; 2] =
    [include_str!("../../wire/tests/data/pick.json"), include_str!("../../wire/tests/data/pick-clarify.json")];
const PLAN: &str = include_str!("../../wire/tests/data/plan.json");
const WATCH: &str = include_str!("../../wire/tests/data/watch.json");
const REVIEW: &str = include_str!("../../wire/tests/data/review.json");
const AUDIT: &str = include_str!("../../wire/tests/data/drift-evaluation.json");

/// Members that hold text of users, agents or vaults, alone or in a list.
const JUDGED: [&str; 37] = [
    "agent",
    "alternatives",
    "assumptions",
    "ban",
    "clarification_questions",
    "claim",
    "constraints",
    "deliverable",
    "embedder",
    "embedding_version",
    "errors",
    "explanation",
    "file",
    "goal",
    "initial_intent",
    "intent",
    "meaning",
    "message",
    "next_steps",
    "none",
    "operating_point",
    "origin",
    "output_claim",
    "prompt_id",
    "prompt_ids",
    "questions",
    "quote",
    "raw_query",
    "reason",
    "section",
    "state",
    "task",
    "task_id",
    "task_type",
    "term",
    "text",
    "why",
];

/// `value` with `hostile` in every member that can hold judged text.
fn infect(value: &mut Value, judged: bool, hostile: &str) {
    match value {
        Value::String(text) if judged => hostile.clone_into(text),
        Value::Array(items) => items.iter_mut().for_each(|item| infect(item, judged, hostile)),
        Value::Object(members) => {
            for (name, member) in members {
                infect(member, JUDGED.contains(&name.as_str()), hostile);
            }
        }
        _ => {}
    }
}

fn read<T: serde::de::DeserializeOwned>(json: &str, hostile: Option<&str>) -> T {
    let mut value: Value = serde_json::from_str(json).unwrap();
    if let Some(hostile) = hostile {
        infect(&mut value, false, hostile);
    }
    serde_json::from_value(value).unwrap()
}

struct Results {
    picks: Vec<FinalOutput>,
    plan: PlanResponse,
    watch: Watch,
    review: Review,
    audit: DriftEvaluation,
}

fn results(hostile: Option<&str>) -> Results {
    Results {
        picks: PICKS.iter().map(|json| read(json, hostile)).collect(),
        plan: read(PLAN, hostile),
        watch: read(WATCH, hostile),
        review: read(REVIEW, hostile),
        audit: read(AUDIT, hostile),
    }
}

const REPORTS: Reports<'_> =
    Reports { pick: "pick.html", watch: "watch.html", review: "review.html", audit: "audit.html" };

fn page(own: &Results, title: &str, ask: &str, titles: &BTreeMap<String, String>) -> String {
    let story = Story {
        title,
        ask: (title, ask),
        picks: &own.picks,
        titles,
        plans: &[(&own.plan, "plan.html")],
        watch: &own.watch,
        review: &own.review,
        audit: &own.audit,
        reports: REPORTS,
        notes: &[title.to_owned()],
    };
    html(&story, &Texts::default()).unwrap()
}

/// The tags of a page, in their order; text is left out.
fn tags(page: &str) -> Vec<String> {
    page.match_indices('<')
        .map(|(at, _)| {
            let name = page[at + 1..].split(|c: char| !c.is_ascii_alphanumeric() && c != '/' && c != '!').next();
            name.unwrap_or_default().to_owned()
        })
        .collect()
}

#[test]
fn no_hostile_text_becomes_markup() {
    let titles = |own: &Results, text: &str| -> BTreeMap<String, String> {
        let picked = own.picks.iter().flat_map(|it| &it.selected_prompts);
        picked.map(|it| (it.prompt_id.clone(), text.to_owned())).collect()
    };
    let (mut story_tags, mut pick_tags) = (None, None);
    for hostile in HOSTILE {
        let own = results(Some(hostile));
        let in_one_line = hostile.split_whitespace().collect::<Vec<_>>().join(" ");
        let ask = format!("{in_one_line}\n\nAnother {in_one_line}\n");
        let titles = titles(&own, hostile);
        for (page, expected) in [
            (page(&own, hostile, &ask, &titles), &mut story_tags),
            (pick::html(&own.picks, &titles).unwrap(), &mut pick_tags),
        ] {
            let found = tags(&page);
            let expected = expected.get_or_insert_with(|| found.clone());
            assert!(found == *expected, "{hostile:?} becomes markup");
            let shown = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
            assert!(!page.contains(shown), "{hostile:?}");
            for address in page.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
                let own = ["pick.html", "plan.html", "watch.html", "review.html", "audit.html"];
                assert!(address.starts_with('#') || own.contains(&address), "{hostile:?}: {address}");
            }
        }
    }
}

#[test]
fn a_page_of_a_story_stays_small_however_much_was_found() {
    let mut own = results(None);
    own.picks = vec![own.picks[0].clone(); 500];
    own.picks[0].selected_prompts = vec![own.picks[0].selected_prompts[0].clone(); 500];
    own.audit.drift_incidents = vec![own.audit.drift_incidents[0].clone(); 500];
    own.audit.obligations = vec![own.audit.obligations[0].clone(); 5_000];
    own.watch.trajectories = vec![own.watch.trajectories[0].clone(); 500];
    own.watch.trajectories[0].steps = vec![own.watch.trajectories[0].steps[0].clone(); 50_000];
    own.review.criteria = vec![own.review.criteria[0].clone(); 500];
    own.plan.plan = vec![own.plan.plan[0].clone(); 500];
    let ask = "A paragraph of the ask.\n\n".repeat(10_000);
    let page = page(&own, &"title ".repeat(10_000), &ask, &BTreeMap::new());
    assert!(page.len() < 400_000, "{}", page.len());
    assert!(page.contains("and 9940 more paragraphs in the file"));
    assert!(page.contains("and 488 more"));
    let page = pick::html(&own.picks, &BTreeMap::new()).unwrap();
    assert!(page.len() < 2_000_000, "{}", page.len());
    assert!(page.contains("and 440 more in the JSON"));
}

#[test]
fn the_page_of_a_pick_says_what_was_picked_and_what_is_asked() {
    let own = results(None);
    let [chain, asks] = own.picks.as_slice() else { panic!("two picks") };
    let titles = BTreeMap::from([(chain.selected_prompts[0].prompt_id.clone(), "A title".to_owned())]);
    let page = pick::html(&own.picks, &titles).unwrap();
    assert!(page.contains("<h3><span dir=\"auto\">A title</span></h3>"));
    for prompt in &chain.selected_prompts {
        assert!(page.contains(&prompt.prompt_id) && page.contains(&format!("Score <b>{:.3}</b>", prompt.score)));
    }
    assert!(page.contains(&format!("<li dir=\"auto\">{}</li>", asks.clarification_questions[0])));
    assert!(page.contains("a question first"));
    // Who chose, why, and what rules alone pick.
    assert!(page.contains("not known: chosen by chat:small"));
    assert!(page.contains("<span class=\"muted\">chat:small:</span> It plans an event by what guests meet.</p>"));
    assert!(page.contains("by rules alone: one prompt (confidence 0.44): event-plan-guest-path"));
    assert!(page.contains("the model small was shown 20 candidates"));
}
