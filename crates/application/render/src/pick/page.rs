//! What was picked, as one self-contained page.

use std::collections::BTreeMap;

use askama::Template;
use steadfast_wire::pick::{FinalOutput, PromptRecord};

use super::part::{Around, drawn};
use crate::html::Frame;
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

/// The values of `pick_page.html`.
#[derive(Template)]
#[template(path = "pick_page.html")]
struct Part {
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
    let part = Part { tasks: tasks.collect::<Result<_, Error>>()?, tasks_more: picks.len().saturating_sub(TASKS_MAX) };
    let tasks = if picks.len() == 1 { "task" } else { "tasks" };
    let frame = Frame {
        css: CSS,
        kind: &format!("Prompts for {} {tasks}", picks.len()),
        title: "What was picked, and why".to_owned(),
        beside: String::new(),
        part: part.render().map_err(Error::Html)?,
        footer: "Steadfast pick. What was picked is a function of the task, the vault and the feedback it holds.",
    };
    frame.render().map_err(Error::Html)
}
