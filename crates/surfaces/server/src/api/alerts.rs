//! `/api/alerts`: how rules stand, and what was told of them.

use steadfast_engine::alerts::{AlertFilter, alert_history, alert_standing};
use steadfast_engine::calls::with_store;
use steadfast_engine::store::Keep;
use steadfast_wire::alerts::{AlertHistory, AlertList, AlertStanding, ToldNotice};
use steadfast_wire::api::{Components, members};

use super::{CURSOR, LIMIT, NAME_CHARS_MAX, fields, parameter};
use crate::problem::kinds::UNUSABLE;
use crate::query::{Kind, Parameter};
use crate::routes::{Answer, Gives, Incoming, Route};

const RULE: Parameter = parameter("rule", Kind::Text(NAME_CHARS_MAX), "Only those of this rule.");

const AGENT: Parameter = parameter("agent", Kind::Text(NAME_CHARS_MAX), "Only those of this agent.");

const LIST: Route = Route {
    path: "/api/alerts",
    query: &[
        parameter("firing", Kind::Word(&["true"]), "`true`: only those that fire."),
        RULE,
        AGENT,
        LIMIT,
        CURSOR,
        fields(members::<AlertStanding>),
    ],
    gives: &[Gives::json(Components::of::<AlertList>, "The rules, and how they stand.")],
    problems: &[&UNUSABLE],
    name: "listAlerts",
    tag: "alerts",
    summary: "How rules of alerts stand",
    about: "For each rule and agent whether it fires, since when, and the last value, in the order in which a first value came.",
    handler: list,
    ..Route::GET
};

pub(super) static ROUTES: &[Route] = &[
    LIST,
    Route {
        path: "/api/alerts/history",
        query: &[RULE, AGENT, LIMIT, CURSOR, fields(members::<ToldNotice>)],
        gives: &[Gives::json(Components::of::<AlertHistory>, "The notices, the newest first.")],
        name: "alertHistory",
        summary: "What was told of rules of alerts",
        about: "Each change of a rule for an agent, the newest first: what was told, to whom, in how many attempts, and why not where it was not.",
        handler: history,
        ..LIST
    },
];

fn filter(incoming: &Incoming) -> AlertFilter {
    let firing = incoming.query.has("firing");
    AlertFilter { firing, rule: incoming.query.text("rule"), agent: incoming.query.text("agent") }
}

fn list(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let (rules, cursor) = (incoming.app.settings.rules.clone(), incoming.query.text("cursor"));
        let (filter, limit) = (filter(&incoming), incoming.limit());
        let found = move |store: &dyn Keep| alert_standing(store, rules, filter, cursor.as_deref(), limit);
        let list = with_store(&incoming.calling(), found).await?;
        incoming.list(&list, "standing")
    })
}

fn history(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let (filter, cursor, limit) = (filter(&incoming), incoming.query.text("cursor"), incoming.limit());
        let found = move |store: &dyn Keep| alert_history(store, filter, cursor.as_deref(), limit);
        let list = with_store(&incoming.calling(), found).await?;
        incoming.list(&list, "notices")
    })
}
