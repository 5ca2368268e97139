//! What `plan` takes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AgentName, Generator, JsonSource, Reader, Source};
use crate::call::{Body, Call, Request, Route, Tool, ToolSet, Unfit};
use crate::plan::{
    Constraints, PlanAnswer, PlanFile, PlanProposals, PlanReading, PlanResponse, Preferences, Validation, Variant,
};

/// Notes to make a day plan of, or to go on with an earlier one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PlanRequest")]
pub struct Plan {
    /// The notes, verbatim: tasks, constraints, deadlines, in prose or lists. On the command line a file (Markdown, HTML or plain text), or a folder with one note, or with
    /// one that is called by the day of --at, and its calendars; `-` is stdin.
    #[cfg_attr(feature = "clap", arg(value_name = "NOTES"))]
    pub context: Source,
    /// The current time, such as 2026-01-25T11:00:00-05:00; without an offset, in `timezone`. HTTP needs it. Elsewhere the day is that of the file's name by default
    /// (`2026-01-26.md`, from 07:00 on), else the clock of this machine is read; the result says so.
    #[cfg_attr(feature = "clap", arg(long = "at", value_name = "TIME"))]
    pub current_time: Option<String>,
    /// The zone that the notes are read in, by its IANA name, such as America/Toronto. HTTP needs it. Elsewhere the offset of the current time holds by default, else the
    /// zone of this machine; the result says so.
    #[cfg_attr(feature = "clap", arg(long = "tz", value_name = "ZONE", allow_hyphen_values = true))]
    pub timezone: Option<String>,
    /// Calendars beside the notes (iCalendar), at most 50 of 8 MiB each: what they hold of the day stands as if the notes said so.
    #[cfg_attr(feature = "clap", arg(long = "calendar", value_name = "FILE"))]
    pub calendars: Option<Vec<Source>>,
    /// An earlier plan of the day to go on with: the whole result of `plan`, or a list of items as `plan check` takes it. What ended before the current time, which
    /// has to be given then, what the notes check off (`[x]`) and what `done` names stands as it is; the rest is planned anew, and `moved` says what became of each item.
    #[schemars(with = "Option<ItemsOrResponse>")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "PLAN", requires = "current_time"))]
    pub from: Option<JsonSource>,
    /// Items of the earlier plan that are done, by their numbers from 1, whatever their times say.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", requires = "from", value_delimiter = ','))]
    pub done: Option<Vec<usize>>,
    /// How the plan is made; `v4_repair` by default.
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub variant: Option<Variant>,
    /// Whether wishes of the notes ("would rather not …") bind; `soft` by default.
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub preferences: Option<Preferences>,
    /// What somebody who understands the notes reads in them beside code: on the command line a file of JSON, `-` is stdin.
    ///
    /// It is `{"tasks": [{"quote"}], "constraints": [{"kind", "quote", "times"}], "contested": [{"constraint", "why"}]}`, each quote in the words of the notes. Code looks them up and
    /// reads them by itself; what it takes binds the plan. Nothing that code reads is dropped: what is contested is asked about.
    #[schemars(with = "Option<PlanProposals>")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub proposals: Option<JsonSource>,
    /// The reading of the notes, as `plan constraints` writes it, instead of the program's own: on the command line a file of JSON, `-` is stdin.
    ///
    /// Every quote is located in the notes and every value checked; what cannot be found is refused by name.
    #[schemars(with = "Option<PlanReading>")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub constraints: Option<JsonSource>,
    /// Answers to `open_questions`, each the number of a choice or its words; an answer may open the next question, which can be answered as well.
    #[cfg_attr(feature = "clap", arg(long = "answer", value_name = "ID=TEXT"))]
    pub answers: Option<Vec<PlanAnswer>>,
    /// Who reads the notes: `rules` by default, or `model`.
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "READER", help_heading = "Chat models"))]
    pub extract: Option<Reader>,
    /// Who makes the plan: `built-in` by default, or `model`.
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "PLANNER", help_heading = "Chat models"))]
    pub generate: Option<Generator>,
    /// Whether a chat model gives an opinion on the plan. It decides nothing.
    #[cfg_attr(
        feature = "clap",
        arg(long, num_args = 0, default_missing_value = "true", help_heading = "Chat models")
    )]
    pub advise: Option<bool>,
    /// Files of the plan for other programs, which a tool gives as texts behind the result: `ics` events of a calendar (iCalendar), `tasks` Markdown task lines.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub files: Option<Vec<PlanFile>>,
    /// Whose work it is, 1 to 512 bytes. It stands with the stored run, for rules of alerts, lists and summaries; no result depends on it.
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub agent: Option<AgentName>,
}

/// What notes, a plan and calendars may hold; a calendar of 8 MiB with the ends of its lines escaped.
const BODY: Body = Body { bytes_max: 32 << 20, string_bytes_max: 16 << 20 };

const NOTES: &str = r#"{"context": "Standup 9:30-9:45. Write the report (90 min). Call the bank before 4pm. Review Ana's draft (45 min).", "current_time": "2026-01-26T09:00:00-05:00", "timezone": "America/Toronto"}"#;

/// Notes of a request over HTTP, in bytes.
const NOTES_BYTES_MAX: usize = 1 << 20;

/// A plan of a request over HTTP, in bytes of its JSON.
const PLAN_BYTES_MAX: usize = 2 << 20;

/// Refuses notes without a time, and notes and plans that are too large.
fn fit(
    context: &Source,
    current_time: Option<&String>,
    timezone: Option<&String>,
    plan: Option<(&'static str, &JsonSource)>,
) -> Result<(), Unfit> {
    for (member, value) in [("current_time", current_time), ("timezone", timezone)] {
        value.ok_or(Unfit::Missing { member })?;
    }
    let within = |member, bytes, bytes_max| {
        if bytes > bytes_max { Err(Unfit::TooLarge { member, bytes, bytes_max }) } else { Ok(()) }
    };
    if let Source::Text(text) | Source::Named { text, .. } = context {
        within("context", text.len(), NOTES_BYTES_MAX)?;
    }
    match plan {
        Some((member, JsonSource::Value(value))) => within(member, value.to_string().len(), PLAN_BYTES_MAX),
        _ => Ok(()),
    }
}

impl Request for Plan {
    type Answer = PlanResponse;

    const CALL: Call = Call {
        verb: "plan",
        title: "Make a day plan and prove it",
        tool: Some(Tool {
            name: "plan",
            about: "Call it when somebody wants their day planned. Makes a day plan of three to seven items from notes in prose and calendars, and proves that \
                    it keeps every constraint in them: fixed events, blocked windows, deadlines, order, travel, preferences. `status` is \
                    `recommended`, `rejected` or `needs_answer`, where `open_questions` say what to ask the user for `answers`; `validation` has each constraint with its words in the notes, `overload` says what to drop where \
                    not everything fits. With `from` it goes on with an earlier plan of the day, and `moved` says what became of each item.",
            reads_only: true,
            needs_store: false,
            set: ToolSet::Hosts,
            takes_max_tokens: true,
        }),
        route: Some(Route {
            path: "/api/plan",
            name: "plan",
            about: "Makes a day plan from notes in prose, with calendars beside them where there are any, and proves that it keeps every constraint in them; or goes \
                    on with an earlier plan of the day (`from`). A plan that does not pass is an answer as well: its `status` is `rejected`. The answer is what \
                    `steadfast plan --format json` prints; `/api/runs/{id}/result?format=ics` gives it as a calendar, `format=tasks` as task lines.",
            example: NOTES,
            gives: "The plan with its proof.",
            reads_only: false,
            body: BODY,
        }),
    };

    fn fit_for_http(&self) -> Result<(), Unfit> {
        let plan = self.from.as_ref().map(|from| ("from", from));
        fit(&self.context, self.current_time.as_ref(), self.timezone.as_ref(), plan)
    }
}

/// Somebody's plan to check against notes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PlanCheckRequest")]
pub struct PlanCheck {
    /// The notes, verbatim: tasks, constraints, deadlines, in prose or lists. On the command line a file (Markdown, HTML or plain text); `-` is stdin.
    #[cfg_attr(feature = "clap", arg(value_name = "NOTES"))]
    pub context: Source,
    /// The plan, as JSON: a list of items, each an object with any of `task`, `why`, `timebox_minutes`, `start`, `end`, `with`, `place`; the
    /// whole result of `plan`, or its `plan` array.
    #[schemars(with = "ItemsOrResponse")]
    #[cfg_attr(feature = "clap", arg(value_name = "PLAN"))]
    pub plan: JsonSource,
    /// The current time, such as 2026-01-25T11:00:00-05:00; without an offset, in `timezone`. HTTP needs it. Elsewhere the day is that of the file's name by default
    /// (`2026-01-26.md`, from 07:00 on), else the clock of this machine is read; the result says so.
    #[cfg_attr(feature = "clap", arg(long = "at", value_name = "TIME"))]
    pub current_time: Option<String>,
    /// The zone that the notes are read in, by its IANA name, such as America/Toronto. HTTP needs it. Elsewhere the offset of the current time holds by default, else the
    /// zone of this machine; the result says so.
    #[cfg_attr(feature = "clap", arg(long = "tz", value_name = "ZONE", allow_hyphen_values = true))]
    pub timezone: Option<String>,
    /// Calendars beside the notes (iCalendar), at most 50 of 8 MiB each: what they hold of the day stands as if the notes said so.
    #[cfg_attr(feature = "clap", arg(long = "calendar", value_name = "FILE"))]
    pub calendars: Option<Vec<Source>>,
    /// Whether wishes of the notes ("would rather not …") bind; `soft` by default.
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub preferences: Option<Preferences>,
    /// What somebody who understands the notes reads in them beside code: on the command line a file of JSON, `-` is stdin.
    ///
    /// It is `{"tasks": [{"quote"}], "constraints": [{"kind", "quote", "times"}], "contested": [{"constraint", "why"}]}`, each quote in the words of the notes. Code looks them up and
    /// reads them by itself; what it takes binds the plan. Nothing that code reads is dropped: what is contested is asked about.
    #[schemars(with = "Option<PlanProposals>")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub proposals: Option<JsonSource>,
    /// The reading of the notes, as `plan constraints` writes it, instead of the program's own: on the command line a file of JSON, `-` is stdin.
    ///
    /// Every quote is located in the notes and every value checked; what cannot be found is refused by name.
    #[schemars(with = "Option<PlanReading>")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub constraints: Option<JsonSource>,
    /// Answers to `open_questions`, each the number of a choice or its words; an answer may open the next question, which can be answered as well.
    #[cfg_attr(feature = "clap", arg(long = "answer", value_name = "ID=TEXT"))]
    pub answers: Option<Vec<PlanAnswer>>,
    /// Whose work it is, 1 to 512 bytes. It stands with the stored run, for rules of alerts, lists and summaries; no result depends on it.
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub agent: Option<AgentName>,
}

impl Request for PlanCheck {
    type Answer = Validation;

    const CALL: Call = Call {
        verb: "plan check",
        title: "Check a plan against notes",
        tool: Some(Tool {
            name: "plan_check",
            about: "Call it on a day plan before you show it: checks any plan against the notes: which constraints of the notes it breaks, \
                    with the words of the notes, which tasks it leaves out and which it invents. What cannot be checked for want of times \
                    stands in `unchecked`.",
            reads_only: true,
            needs_store: false,
            set: ToolSet::Hosts,
            takes_max_tokens: true,
        }),
        route: Some(Route {
            path: "/api/plan/check",
            name: "planCheck",
            about: "The answer is what `steadfast plan check --format json` prints.",
            example: r#"{"context": "Standup 9:30-9:45. Write the report (90 min).", "plan": [{"task": "Write the report", "start": "09:00", "end": "10:30"}], "current_time": "2026-01-26T09:00:00-05:00", "timezone": "America/Toronto"}"#,
            gives: "The validation.",
            reads_only: false,
            body: BODY,
        }),
    };

    fn fit_for_http(&self) -> Result<(), Unfit> {
        let plan = Some(("plan", &self.plan));
        fit(&self.context, self.current_time.as_ref(), self.timezone.as_ref(), plan)
    }
}

/// Notes whose constraints are listed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PlanConstraintsRequest")]
pub struct PlanConstraints {
    /// The notes, verbatim: tasks, constraints, deadlines, in prose or lists. On the command line a file (Markdown, HTML or plain text); `-` is stdin.
    #[cfg_attr(feature = "clap", arg(value_name = "NOTES"))]
    pub context: Source,
    /// The current time, such as 2026-01-25T11:00:00-05:00; without an offset, in `timezone`. HTTP needs it. Elsewhere the day is that of the file's name by default
    /// (`2026-01-26.md`, from 07:00 on), else the clock of this machine is read; the result says so.
    #[cfg_attr(feature = "clap", arg(long = "at", value_name = "TIME"))]
    pub current_time: Option<String>,
    /// The zone that the notes are read in, by its IANA name, such as America/Toronto. HTTP needs it. Elsewhere the offset of the current time holds by default, else the
    /// zone of this machine; the result says so.
    #[cfg_attr(feature = "clap", arg(long = "tz", value_name = "ZONE", allow_hyphen_values = true))]
    pub timezone: Option<String>,
    /// Calendars beside the notes (iCalendar), at most 50 of 8 MiB each: what they hold of the day stands as if the notes said so.
    #[cfg_attr(feature = "clap", arg(long = "calendar", value_name = "FILE"))]
    pub calendars: Option<Vec<Source>>,
    /// Whether wishes of the notes ("would rather not …") bind; `soft` by default.
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub preferences: Option<Preferences>,
    /// What somebody who understands the notes reads in them beside code: on the command line a file of JSON, `-` is stdin.
    ///
    /// It is `{"tasks": [{"quote"}], "constraints": [{"kind", "quote", "times"}], "contested": [{"constraint", "why"}]}`, each quote in the words of the notes. Code looks them up and
    /// reads them by itself; what it takes binds the plan. Nothing that code reads is dropped: what is contested is asked about.
    #[schemars(with = "Option<PlanProposals>")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub proposals: Option<JsonSource>,
    /// The reading of the notes, as `plan constraints` writes it, instead of the program's own: on the command line a file of JSON, `-` is stdin.
    ///
    /// Every quote is located in the notes and every value checked; what cannot be found is refused by name.
    #[schemars(with = "Option<PlanReading>")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub constraints: Option<JsonSource>,
    /// Answers to `open_questions`, each the number of a choice or its words; an answer may open the next question, which can be answered as well.
    #[cfg_attr(feature = "clap", arg(long = "answer", value_name = "ID=TEXT"))]
    pub answers: Option<Vec<PlanAnswer>>,
    /// Who reads the notes: `rules` by default, or `model`.
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "READER", help_heading = "Chat models"))]
    pub extract: Option<Reader>,
}

impl Request for PlanConstraints {
    type Answer = Constraints;

    const CALL: Call = Call {
        verb: "plan constraints",
        title: "List what notes require",
        tool: Some(Tool {
            name: "plan_constraints",
            about: "Call it before you plan by yourself: lists what notes require, without making a plan: tasks and constraints, each with its words, times and kind, and what \
                    had to be settled or asked where the notes can be read in more than one way.",
            reads_only: true,
            needs_store: false,
            set: ToolSet::Hosts,
            takes_max_tokens: true,
        }),
        route: Some(Route {
            path: "/api/plan/constraints",
            name: "planConstraints",
            about: "The answer is what `steadfast plan constraints --format json` prints.",
            example: NOTES,
            gives: "What the notes require.",
            reads_only: false,
            body: BODY,
        }),
    };

    fn fit_for_http(&self) -> Result<(), Unfit> {
        fit(&self.context, self.current_time.as_ref(), self.timezone.as_ref(), None)
    }
}

/// Either form of a plan, for the schema.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "its schema alone is used")]
enum ItemsOrResponse {
    Items(Vec<std::collections::BTreeMap<String, serde_json::Value>>),
    Response(std::collections::BTreeMap<String, serde_json::Value>),
}
