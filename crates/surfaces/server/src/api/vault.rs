//! `/api/vault`: prompts, searched and looked after.

use axum::http::Method;
use steadfast_engine::File;
use steadfast_engine::calls::{self, vault, with_store};
use steadfast_engine::vault::{filters, holds_prompts, vault_prompt, vault_queue, vault_results};
use steadfast_wire::api::{Components, ImportBody, members};
use steadfast_wire::pick::{
    Import, PromptList, PromptRecord, PromptRow, QueueEntry, SearchResult, VaultQueue, VaultResults, VaultStatus,
};
use steadfast_wire::request::VaultSearch;

use super::{CURSOR, LIMIT, MIB, NAME_CHARS_MAX, fields, parameter};
use crate::problem::Problem;
use crate::problem::kinds::{INVALID, NOT_STORED, UNUSABLE};
use crate::query::{Kind, Parameter, shown};
use crate::routes::{Answer, Gives, Incoming, Media, Route, Scope, Takes, Work};

/// Prompts that a search gives at most.
const SEARCH_MAX: u64 = 1_000;

/// Characters of a query that stands in the path.
const QUERY_CHARS_MAX: usize = 4 * 1024;

/// Characters of the name of a file.
const FILE_NAME_CHARS_MAX: usize = 256;

/// Files of one import.
const FILES_MAX: usize = 10_000;

const FILTER: Parameter = Parameter {
    many: true,
    ..parameter(
        "filter",
        Kind::Text(NAME_CHARS_MAX),
        "What prompts must be, `FIELD=VALUE`: `stage`, `intent`, `task_type`, `domain`, `tag`, `status` or `model`. Repeatable.",
    )
};

const EXCLUDE: Parameter = Parameter {
    many: true,
    ..parameter(
        "exclude",
        Kind::Text(NAME_CHARS_MAX),
        "What prompts must not be, `FIELD=VALUE`: `status` or `id`. Repeatable.",
    )
};

const SEARCH: Route = Route {
    path: "/api/vault/search",
    work: Work::Heavy,
    query: &[
        Parameter {
            required: true,
            ..parameter("query", Kind::Text(QUERY_CHARS_MAX), "What is looked for, in words.")
        },
        parameter("k", Kind::Count(1, SEARCH_MAX), "How many prompts are given at most; 10 where it is not said."),
        FILTER,
        EXCLUDE,
        fields(members::<SearchResult>),
    ],
    gives: &[Gives::json(Components::of::<SearchResult>, "The prompts, best first.")],
    problems: &[&UNUSABLE],
    name: "searchVault",
    tag: "vault",
    summary: "Search the vault of prompts",
    about: "The prompts that fit a query best, with what speaks for each: what `steadfast vault search --format json` prints.",
    handler: search,
    ..Route::GET
};

pub(super) static ROUTES: &[Route] = &[
    SEARCH,
    Route {
        path: "/api/vault",
        query: &[fields(members::<VaultStatus>)],
        gives: &[Gives::json(Components::of::<VaultStatus>, "What it holds.")],
        name: "vaultStatus",
        summary: "What the vault holds",
        about: "What `steadfast vault status --format json` prints.",
        handler: status,
        ..SEARCH
    },
    Route {
        path: "/api/vault/queue",
        work: Work::Light,
        query: &[LIMIT, fields(members::<QueueEntry>)],
        gives: &[Gives::json(Components::of::<VaultQueue>, "The least sure first.")],
        name: "vaultQueue",
        summary: "Prompts that wait for somebody to look at them",
        about: "Of which something was inferred that somebody should look at, the least sure first.",
        handler: queue,
        ..SEARCH
    },
    Route {
        path: "/api/vault/results",
        work: Work::Light,
        query: &[fields(members::<VaultResults>)],
        gives: &[Gives::json(Components::of::<VaultResults>, "How they did.")],
        name: "vaultResults",
        summary: "How operating points did",
        about: "By what was said of what they picked.",
        handler: results,
        ..SEARCH
    },
    Route {
        path: "/api/vault/prompts",
        query: &[FILTER, EXCLUDE, LIMIT, CURSOR, fields(members::<PromptRow>)],
        gives: &[Gives::json(Components::of::<PromptList>, "The prompts, in the order of their ids.")],
        name: "listPrompts",
        summary: "List prompts",
        about: "What was said of each, without its text: what `steadfast vault list --format json` prints. What was inferred of a prompt counts \
                for a filter as what was said.",
        handler: list,
        ..SEARCH
    },
    Route {
        path: "/api/vault/prompts/{id}",
        work: Work::Light,
        query: &[fields(members::<PromptRecord>)],
        gives: &[Gives::json(Components::of::<PromptRecord>, "The prompt.")],
        problems: &[&UNUSABLE, &NOT_STORED],
        name: "showPrompt",
        summary: "Show a prompt",
        about: "As the vault keeps it.",
        handler: prompt,
        ..SEARCH
    },
    Route {
        method: Method::POST,
        path: "/api/vault/import",
        scope: Scope::Write,
        takes: &[
            Takes {
                media: Media::Json,
                schema: Some(Components::of::<ImportBody>),
                example: r##"{"source": "team prompts", "files": [{"name": "launch.md", "text": "# Launch email\n\nWrite a launch email for {product}."}]}"##,
            },
            Takes {
                media: Media::Lines,
                schema: None,
                example: "{\"prompt_id\": \"launch\", \"prompt_text\": \"Write a launch email.\"}\n",
            },
            Takes {
                media: Media::Markdown,
                schema: None,
                example: "# Launch email\n\nWrite a launch email for {product}.\n",
            },
        ],
        body_bytes_max: 32 * MIB,
        field_bytes_max: MIB,
        query: &[
            parameter(
                "source",
                Kind::Text(vault::SOURCE_CHARS_MAX),
                "What the texts come from. For JSON lines and Markdown, which do not say it themselves.",
            ),
            parameter(
                "name",
                Kind::Text(FILE_NAME_CHARS_MAX),
                "What the file is called: a prompt in Markdown that does not say its own id is called so. For JSON lines and Markdown alone; \
                 `prompts.jsonl` or `prompt.md` where it is not said.",
            ),
            fields(members::<Import>),
        ],
        gives: &[Gives::json(Components::of::<Import>, "What came of it.")],
        name: "importPrompts",
        summary: "Take prompts into the vault",
        about: "Takes the place of what was imported under the same source before. What cannot be read stands in `refused`. Vectors are made by \
                `steadfast vault embed`; until then new prompts are found by words.",
        handler: import,
        ..SEARCH
    },
];

fn search(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let request = VaultSearch {
            query: incoming.query.text("query").unwrap_or_default(),
            k: incoming.query.count("k"),
            filter: Some(incoming.query.all("filter")),
            exclude: Some(incoming.query.all("exclude")),
            fields: None,
        };
        incoming.answer(&calls::vault_search(&incoming.calling(), request).await?)
    })
}

fn status(incoming: Incoming) -> Answer {
    Box::pin(async move { incoming.answer(&vault::status(&incoming.calling()).await?) })
}

fn list(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let wanted =
            filters(&incoming.query.all("filter"), &incoming.query.all("exclude")).map_err(calls::Refusal::from)?;
        let (cursor, limit) = (incoming.query.text("cursor"), incoming.limit());
        incoming.list(&vault::list(&incoming.calling(), wanted, cursor, limit).await?, "prompts")
    })
}

fn queue(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let limit = incoming.limit();
        incoming.list(&with_store(&incoming.calling(), move |store| vault_queue(store, 0, limit)).await?, "queue")
    })
}

fn results(incoming: Incoming) -> Answer {
    Box::pin(async move { incoming.answer(&with_store(&incoming.calling(), |store| vault_results(store)).await?) })
}

fn prompt(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let id = incoming.part("id");
        incoming.answer(&with_store(&incoming.calling(), move |store| vault_prompt(store, &id)).await?)
    })
}

fn import(incoming: Incoming) -> Answer {
    Box::pin(async move {
        let (source, files) = match incoming.media {
            Some(Media::Lines) => {
                (incoming.query.text("source"), vec![whole(&incoming, "prompts", &["jsonl", "ndjson"])?])
            }
            Some(Media::Markdown) => {
                (incoming.query.text("source"), vec![whole(&incoming, "prompt", &["md", "markdown"])?])
            }
            _ => {
                if let Some(name) = ["source", "name"].into_iter().find(|name| incoming.query.has(name)) {
                    let problem = Problem::of(&UNUSABLE, format!("`{name}` stands in the body")).parameter(name);
                    return Err(problem.hint("leave the parameter out"));
                }
                let ImportBody { source, files } = incoming.json()?;
                if files.len() > FILES_MAX {
                    let what = format!("{} files are given, more than {FILES_MAX}", files.len());
                    return Err(Problem::of(&INVALID, what).at("/files"));
                }
                let file = |own: steadfast_wire::api::NamedText| File { name: own.name, bytes: own.text.into_bytes() };
                (Some(source), files.into_iter().map(file).collect())
            }
        };
        let Some(source) = source else {
            let problem = Problem::of(&UNUSABLE, "the query parameter `source` is missing").parameter("source");
            return Err(problem.hint("name what the prompts come from: `?source=team`"));
        };
        incoming.answer(&vault::import(&incoming.calling(), source, files).await?)
    })
}

/// The whole body as one file, under the name that was given, which ends in one of these ways.
fn whole(incoming: &Incoming, stem: &str, endings: &[&str]) -> Result<File, Problem> {
    let name = incoming.query.text("name").unwrap_or_else(|| format!("{stem}.{}", endings[0]));
    let own = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, ending)| ending.to_ascii_lowercase());
    let is_prompt = own.is_some_and(|own| endings.contains(&own.as_str())) && holds_prompts(&name);
    if !is_prompt {
        let what = format!("`name` is `{}`, which names no file of prompts of this form", shown(&name));
        let hint = format!("one ends in `.{}`", endings.join("` or `."));
        return Err(Problem::of(&UNUSABLE, what).parameter("name").hint(hint));
    }
    Ok(File { name, bytes: incoming.body.to_vec() })
}
