//! What rules leave open of an audit, for a person to decide.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::Response;
use steadfast_engine::calls;
use steadfast_engine::runs::show_run;
use steadfast_wire::audit::{DriftEvaluation, Polarity, Proposal, Proposed, Relation, Strength, UndecidedObligation};
use steadfast_wire::request::AgentName;
use steadfast_wire::runs::StoredRun;

use super::super::Query;
use super::super::results::{place, typed, value};
use super::super::runs::texts_of;
use super::super::shell::{encoded, filters, go, kept, with_query};
use super::super::upload;
use super::{decided, evaluation, page_of, result_of, title};
use crate::app::App;
use crate::guard::Asker;
use crate::problem::Problem;

/// Obligations on a page.
const ON_A_PAGE: usize = 12;

/// Bytes that the form sends, at most.
pub(super) const FORM_BYTES_MAX: usize = 1024 * 1024;

/// What is said of an obligation, as it is sent and as a button shows it. The last leaves it open.
const RELATIONS: [(&str, &str); 4] =
    [("kept", "keeps"), ("broken", "breaks"), ("weakened", "says less"), ("", "look further")];

/// Where no words of the report are chosen, and where they are typed.
const NO_WORDS: &str = "none";
const OTHER_WORDS: &str = "words";

/// The form in which a person decides.
#[derive(Template)]
#[template(path = "audit_judge.html")]
pub(super) struct Judge {
    /// Where it is sent.
    action: String,
    /// How many obligations are open.
    of: usize,
    /// Why nothing can be decided here; empty where it can.
    closed: String,
    /// What is sent with it, by name.
    carried: Vec<(&'static str, String)>,
    items: Vec<Item>,
    person: String,
    shown: String,
    first: String,
    next: String,
}

/// An open obligation.
struct Item {
    id: String,
    asks: String,
    quote: String,
    before: String,
    is_ban: bool,
    passages: Vec<Passage>,
    chosen: String,
    words: String,
    relation: String,
    relations: &'static [(&'static str, &'static str)],
}

struct Passage {
    file: String,
    before: String,
    quote: String,
    after: String,
}

impl Item {
    fn of(own: UndecidedObligation, form: &Query) -> Self {
        let sent = |name: &str| form.get(&format!("{name}:{}", own.id)).cloned();
        // Where something comes near, the nearest is chosen.
        let chosen = if own.passages.is_empty() { NO_WORDS } else { "0" };
        let must = match own.strength {
            Strength::Must => "must",
            Strength::Should => "should",
            Strength::May => "may",
        };
        let verb = if own.polarity == Polarity::Not { "not do" } else { "do" };
        let passage = |own: steadfast_wire::audit::PassageInPlace| Passage {
            file: own.file,
            before: own.before,
            quote: own.quote,
            after: own.after,
        };
        Self {
            asks: format!("{must} {verb}"),
            is_ban: own.polarity == Polarity::Not,
            chosen: sent("passage").unwrap_or_else(|| chosen.to_owned()),
            words: sent("words").unwrap_or_default(),
            relation: sent("relation").unwrap_or_default(),
            relations: &RELATIONS,
            quote: own.quote,
            before: own.before,
            passages: own.passages.into_iter().map(passage).collect(),
            id: own.id,
        }
    }
}

impl Judge {
    /// The form on the page of a stored run. `form` is what was typed before, where it was not taken.
    pub(super) fn of_run(run: &StoredRun, open: Vec<UndecidedObligation>, query: &Query, form: &Query) -> Self {
        let own = format!("/runs/{}", encoded(&run.id));
        let of = open.len();
        let from = place(query, "open").min(of.saturating_sub(1));
        let to = |from: usize| {
            let from = if from == 0 { String::new() } else { from.to_string() };
            format!("{}#judge", with_query(&own, &[("open", &from)]))
        };
        let items: Vec<Item> = open.into_iter().skip(from).take(ON_A_PAGE).map(|own| Item::of(own, form)).collect();
        let next = from + items.len();
        Self {
            action: format!("{own}/judgements"),
            of,
            closed: String::new(),
            carried: Vec::new(),
            person: form.get("person").cloned().unwrap_or_default(),
            shown: format!("Obligations {} to {next} of {of}", from + 1),
            first: if from > 0 { to(0) } else { String::new() },
            next: if next < of { to(next) } else { String::new() },
            items,
        }
    }

    /// The form on a page that is kept nowhere: prompt and report are sent with it.
    pub(super) fn of_texts(prompt: &str, report: &str, open: Vec<UndecidedObligation>, form: &Query) -> Self {
        Self {
            action: "/audit".to_owned(),
            of: open.len(),
            closed: String::new(),
            carried: vec![("prompt", prompt.to_owned()), ("report", report.to_owned())],
            items: open.into_iter().map(|own| Item::of(own, form)).collect(),
            person: form.get("person").cloned().unwrap_or_default(),
            shown: String::new(),
            first: String::new(),
            next: String::new(),
        }
    }

    /// The same, where nothing can be decided.
    pub(super) fn closed(self, why: String) -> Self {
        Self { closed: why, ..self }
    }
}

/// Whether a form decides anything.
pub(super) fn is_sent(form: &Query) -> bool {
    form.keys().any(|name| name.starts_with("relation:"))
}

/// Who signs a form: only somebody at a page does, never a program with a key or a body of its own.
pub(super) struct Signs {
    is_page: bool,
    key: Option<String>,
}

impl Signs {
    pub(super) fn of(request: &Request) -> Self {
        let headers = request.headers();
        let says_where = headers.contains_key(header::ORIGIN) || headers.contains_key("sec-fetch-site");
        let key = request.extensions().get::<Asker>().and_then(Asker::key).map(str::to_owned);
        Self { is_page: says_where && !headers.contains_key(header::AUTHORIZATION), key }
    }

    /// The name that a person typed; with the key that they signed in with, where one is asked for.
    fn name(&self, typed: &str) -> String {
        match &self.key {
            Some(key) if !typed.trim().is_empty() => format!("{} (key {key})", typed.trim()),
            _ => typed.to_owned(),
        }
    }
}

/// What a form says of open obligations, and who says so.
///
/// # Errors
/// [`Problem`] where it says nothing, nobody signs, or no page sent it.
pub(super) fn proposed(open: &[UndecidedObligation], form: &Query, signs: &Signs) -> Result<Proposed, Problem> {
    if !signs.is_page {
        let what = "a person decides on a page of the console, and this request comes from none";
        let problem = Problem::new(StatusCode::FORBIDDEN, "Nothing was decided", what);
        return Err(problem.hint("programs hand in `proposals` over `POST /api/audit`"));
    }
    let proposal = |own: &UndecidedObligation| {
        let sent = |name: &str| value(form, &format!("{name}:{}", own.id));
        let named = sent("relation");
        let relation = [Relation::Kept, Relation::Broken, Relation::Weakened].into_iter();
        let relation = relation.into_iter().find(|relation| relation.name() == named)?;
        let chosen = sent("passage");
        let quote = match chosen.as_str() {
            OTHER_WORDS => sent("words"),
            NO_WORDS => String::new(),
            at => at
                .parse()
                .ok()
                .and_then(|at: usize| own.passages.get(at))
                .map_or_else(String::new, |own| own.quote.clone()),
        };
        Some(Proposal { obligation: Some(own.id.clone()), asked: None, relation, quote, why: String::new() })
    };
    Ok(calls::by_person(&signs.name(&typed(form, "person")), open.iter().filter_map(proposal).collect())?)
}

/// Audits again with what a person decides, and leads to the run that is kept of it.
pub(super) async fn judge(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let signs = Signs::of(&request);
    let sent = upload::read(&app, request, FORM_BYTES_MAX).await?;
    let form = &sent.texts;
    let wanted = id.clone();
    let record = kept(&app, move |store| show_run(store, &wanted)).await?;
    if record.run.verb != "audit" {
        let what = format!("the run {id} is one of `{}`, not of `audit`", record.run.verb);
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "Nothing can be decided here", what));
    }
    let evaluated = evaluation(&record)?;
    let texts = texts_of(&app, &id).await?;
    let open = calls::open_to_a_person(&evaluated, &texts);
    let done = match proposed(&open, form, &signs) {
        Ok(proposed) => again(&app, &record.run, evaluated.clone(), &texts, proposed).await,
        Err(problem) => Err(problem),
    };
    match done {
        Ok(run) => Ok(go(&format!("/runs/{}?judged=1#judge", encoded(&run)))),
        Err(problem) => {
            let decisions = decided(&app, &evaluated).await?;
            let query = Query::new();
            let judge = Judge::of_run(&record.run, open, &query, form);
            let page = page_of(&record.run, title(&evaluated)).trouble(Some(problem));
            result_of(page, Some(&record.run), &evaluated, &texts, &decisions, &query, Some(judge))
        }
    }
}

/// The id of the run that is kept of an audit that a person decides.
async fn again(
    app: &Arc<App>,
    run: &StoredRun,
    evaluated: DriftEvaluation,
    texts: &std::collections::BTreeMap<String, String>,
    proposed: Proposed,
) -> Result<String, Problem> {
    let agent = run.agent.clone().and_then(|name| AgentName::try_from(name).ok());
    let outcome = calls::audit_again(&app.host, evaluated, texts, agent, proposed).await?;
    let kept = outcome.evaluation.run.map(|run| run.id);
    kept.ok_or_else(|| {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "the audit was not kept", "the store keeps nothing")
    })
}
