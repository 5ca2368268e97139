//! What was picked, as one self-contained page.

use std::collections::BTreeMap;

use askama::Template;
use steadfast_wire::pick::{FinalOutput, PromptRecord};

use super::part::{Around, drawn};
use crate::html::policy::policy;
use crate::plain::line;
use crate::{Error, OnePage};

const CSS: &str = concat!(
    include_str!("../../templates/report.css"),
    include_str!("../../templates/watch.css"),
    include_str!("../../templates/part.css")
);

/// Tasks of a page.
const TASKS_MAX: usize = 60;
const TASK_CHARS_MAX: usize = 800;

/// The values of `pick.html`.
#[derive(Template)]
#[template(path = "pick.html")]
struct Page {
    csp: String,
    css: &'static str,
    /// Tasks, each with what was picked for it as HTML.
    tasks: Vec<(String, String)>,
    tasks_more: usize,
}

/// What was picked for each task, as one self-contained page without a script: what [`part`](super::part) draws of each. `titles` are
/// those of prompts by their ids; an id without one stands for itself. Text of tasks and prompts is escaped.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn html(picks: &[FinalOutput], titles: &BTreeMap<String, String>) -> Result<String, Error> {
    let record = |title: &String| PromptRecord { title: Some(title.clone()), ..PromptRecord::default() };
    let prompts = titles.iter().map(|(id, title)| (id.clone(), record(title))).collect();
    let around = Around { prompts: &prompts, href: &|_| String::new(), beside: &|_| String::new(), pages: &OnePage };
    let tasks = picks.iter().take(TASKS_MAX).enumerate().map(|(at, own)| {
        let task = line(&own.task_spec.raw_query, TASK_CHARS_MAX);
        Ok((task, drawn(own, &around, false, format!("task-{}-", at + 1))?))
    });
    let page = Page {
        csp: policy(CSS, None),
        css: CSS,
        tasks: tasks.collect::<Result<_, Error>>()?,
        tasks_more: picks.len().saturating_sub(TASKS_MAX),
    };
    page.render().map_err(Error::Html)
}
