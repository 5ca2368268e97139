//! `steadfast demo`: one piece of work that ships with the program, from the ask to the report, seen by all five instruments.
//!
//! Each instrument runs through the use case that its verb runs through, over the files of `examples/story` as they are written to the demo's
//! folder: whoever runs the verbs on that folder gets the same bytes. Nothing here knows what the story says.

mod console;
mod instruments;
mod telling;

use std::path::Path;
use std::sync::Arc;

use steadfast_engine::embedder::Embedder;
use steadfast_engine::store::Keep;
use steadfast_render::Links;
use steadfast_render::story::{Reports, Story, html};
use steadfast_store::Store;
use steadfast_wire::request::EmbedderChoice;

use crate::args::DemoArgs;
use crate::exit::{Failure, Status};
use crate::talk::Talk;
use crate::{audit, embedder, output};
use instruments::{AT, PICKED_ON, TIMEZONE};

/// What the story is about.
const TITLE: &str = "A library of things for the Weaver Street estate";

const ASK: (&str, &str) = ("ask.txt", include_str!("../../../../examples/story/ask.txt"));
const TASKS: (&str, &str) = ("tasks.jsonl", include_str!("../../../../examples/story/tasks.jsonl"));
const NOTES: (&str, &str) = ("2026-02-18.md", include_str!("../../../../examples/story/2026-02-18.md"));
const STEPS: (&str, &str) = ("steps.jsonl", include_str!("../../../../examples/story/steps.jsonl"));
const CRITERIA: (&str, &str) = ("criteria.txt", include_str!("../../../../examples/story/criteria.txt"));
const CHECK_IN: (&str, &str) = ("check-in.md", include_str!("../../../../examples/story/check-in.md"));
const REPORT: (&str, &str) = ("report.md", include_str!("../../../../examples/story/report.md"));

/// What the page says where the embedding model is not there.
const WITHOUT_MODEL: &str = "Made without the embedding model: steps are compared by words (`--embedder lexical`), and prompts are found by words.";

/// The page that tells the story, the store of its runs, and the folders of full reports.
const PAGE: &str = "story.html";
const STORE: &str = "steadfast.db";
const REPORTS: &str = "reports";
const AUDIT: &str = "audit";

/// Writes the story to a folder, runs all five instruments on it, says what they found and what to open, and serves the console over the runs.
pub(crate) fn demo(args: &DemoArgs, talk: &Talk) -> Result<Status, Failure> {
    let folder = args.out_dir.as_path();
    let reports = folder.join(REPORTS);
    output::make_folder(&reports)?;
    let files = [ASK, TASKS, NOTES, STEPS, CRITERIA, CHECK_IN, REPORT];
    output::to_files(&files.map(|(name, text)| (folder.join(name), text.to_owned())))?;

    let embedder = model(args.no_model, *talk)?;
    let notes: Vec<String> = embedder.is_none().then(|| WITHOUT_MODEL.to_owned()).into_iter().collect();
    let store = Arc::new(Store::open(&folder.join(STORE))?);
    let kept: Arc<dyn Keep> = Arc::<Store>::clone(&store);
    let say = |what: &str| (!talk.quiet).then(|| what.to_owned());
    let found = instruments::run(&kept, embedder.as_ref(), &say)?;
    drop(kept);

    let plans = [(&found.naive.response, "reports/plan-naive.html"), (&found.plan.response, "reports/plan.html")];
    let story = Story {
        title: TITLE,
        ask: ASK,
        picks: &found.picks,
        titles: &found.titles,
        plans: &plans,
        watch: &found.watch,
        review: &found.review.review,
        audit: &found.audit.evaluation,
        reports: Reports {
            pick: "reports/pick.html",
            watch: "reports/watch.html",
            review: "reports/review.html",
            audit: "reports/audit/drift-evaluation.html",
        },
        notes: &notes,
    };
    audit::write_folder(&reports.join(AUDIT), &found.audit, &Links { base: Some("../../".to_owned()) })?;
    let pages = found.pages()?.into_iter().map(|(name, text)| (reports.join(name), text));
    let page = (folder.join(PAGE), html(&story, &found.texts())?);
    output::to_files(&pages.chain([page]).collect::<Vec<_>>())?;
    output::to_stdout(&telling::telling(&story))?;
    output::to_stdout(&next(folder, embedder.is_some()))?;
    let compared = if embedder.is_some() { EmbedderChoice::Minilm } else { EmbedderChoice::Lexical };
    console::console(store, &folder.join(STORE), compared, *talk)?;
    Ok(Status::Passed)
}

/// The embedding model, which is fetched where it is not there; without it the story goes on with what needs none, and says so.
fn model(is_unwanted: bool, talk: Talk) -> Result<Option<Arc<dyn Embedder>>, Failure> {
    if is_unwanted {
        return Ok(None);
    }
    if let Err(failure) = embedder::bring(talk) {
        talk.warning(&format!("the embedding model cannot be fetched: {failure}"));
        talk.note("the demo goes on without it: `steadfast embedder pull` fetches it later");
        return Ok(None);
    }
    Ok(Some(embedder::load(EmbedderChoice::Minilm)?))
}

/// What to open, and what to try.
fn next(folder: &Path, has_model: bool) -> String {
    let shown = folder.display();
    let lexical = if has_model { "" } else { " --embedder lexical" };
    let lines = [
        format!("Open {shown}/{PAGE} in a browser: the whole story with its quotes, and links to the full reports."),
        String::new(),
        "The same by hand:".to_owned(),
        String::new(),
        format!("  steadfast pick --tasks {shown}/{} --vault {shown}/{STORE} --at {PICKED_ON}", TASKS.0),
        format!("  steadfast plan {shown}/{} --at {AT} --tz {TIMEZONE}", NOTES.0),
        format!("  steadfast watch {shown}/{}{lexical}", STEPS.0),
        format!("  steadfast review {shown}/{} --criteria {shown}/{}", CHECK_IN.0, CRITERIA.0),
        format!("  steadfast audit {shown}/{} {shown}/{}", ASK.0, REPORT.0),
        String::new(),
        "Then on work of your own; and to let a build fail on what is found:".to_owned(),
        String::new(),
        format!("  steadfast audit {shown}/{} {shown}/{} --fail-on risk=high; echo $?", ASK.0, REPORT.0),
        format!("  steadfast runs list --store {shown}/{STORE}"),
    ];
    lines.join("\n") + "\n"
}
