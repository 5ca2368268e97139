//! Every verb, with a text in the place in which a stranger could put one.

use steadfast_audit::Source;
use steadfast_audit::evaluation::examine;
use steadfast_embed::Lexical;
use steadfast_evidence::FileId;
use steadfast_plan::{Settings as PlanSettings, Variant, ask, run};
use steadfast_review::Settings as ReviewSettings;
use steadfast_session::{Author, Call, Outcome, Session, Turn};
use steadfast_text::{Document, Format};
use steadfast_watch::distance::counted_sentences;

const PROMPT: &str =
    "Plan a pilot in Oslo. It must cost at most $5,000 and must not use blockchain. Finish by 5 May 2026.";
const REPORT: &str = "# Report\n\nThe pilot runs in Oslo for $4,800 and ends on 1 May 2026. No blockchain is used.";

fn source(file: u32, text: &str) -> Source {
    let document = Document::from_str_as(text, Format::Markdown);
    Source { file: FileId(file), name: format!("{file}.md"), document }
}

fn audit_prompt(text: &str) {
    let _ = examine(&source(0, text), vec![source(1, REPORT)]);
}

fn audit_report(text: &str) {
    let _ = examine(&source(0, PROMPT), vec![source(1, text)]);
}

fn plan(text: &str) {
    let now = "2026-01-25T11:00:00[America/Toronto]".parse().expect("a time");
    let document = Document::from_str_as(text, Format::Markdown);
    let settings = PlanSettings::default();
    let notes = ask::read(FileId(0), &document, &now, &settings);
    let _ = run(&notes, &settings, Variant::V4Repair);
}

fn review(text: &str) {
    let settings = ReviewSettings {
        criteria: &["The pilot runs in Oslo".to_owned()],
        threshold: 0.6,
        profile: steadfast_review::answer::Profile::Seed,
        summary_tokens_max: 200,
        embedder: None,
        proposed: &[],
        trusts_host: false,
        session: None,
    };
    let _ = steadfast_review::review(text, &settings);
}

fn review_undecided(text: &str) {
    let said = |author, text: &str| Turn::said(1, author, text);
    let outcome = Some(Outcome { text: text.to_owned(), ..Outcome::default() });
    let call = Call { command: Some(text.to_owned()), outcome, ..Call::default() };
    let done = Turn { calls: vec![call], ..said(Author::Agent, "") };
    let session =
        Session { turns: vec![said(Author::User, text), done, said(Author::Agent, text)], ..Session::default() };
    let _ = steadfast_review::session::open::open(text, &steadfast_review::session::assess(&session, text));
}

fn watch(text: &str) {
    let bans = steadfast_watch::bans::Bans::read("Plan a pilot in Oslo. Do not use blockchain.");
    let _ = bans.map(|bans| bans.broken(text));
    let _ = counted_sentences(text);
    let _ = steadfast_watch::divergence::compute_ids(text, PROMPT, &Lexical);
}

fn pick(text: &str) {
    let _ = steadfast_pick::intake::read(text);
}

/// What reads or judges a text, with its name.
pub(crate) type Verb = (&'static str, fn(&str));

/// Each verb by its name.
pub(crate) const VERBS: &[Verb] = &[
    ("audit, as a prompt", audit_prompt),
    ("audit, as a report", audit_report),
    ("plan", plan),
    ("review", review),
    ("review undecided", review_undecided),
    ("watch", watch),
    ("pick", pick),
];
