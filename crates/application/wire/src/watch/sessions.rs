//! The log of an agent's session as steps: each turn of the agent is one, under what the user typed last.

use std::sync::Arc;

use serde_json::Value;
use steadfast_session::{Author, Session};

use super::given::GivenStep;
use crate::misread::Misread;
use crate::session::{Log, SESSION_BYTES_MAX, sessions_of};

/// Values of a log, held until it ends: results stand behind their calls.
#[derive(Debug, Default)]
pub(super) struct Held {
    records: Vec<(usize, Value)>,
    bytes: usize,
}

impl Held {
    pub(super) fn take(&mut self, line: usize, bytes: usize, value: Value) {
        self.bytes += bytes;
        if self.bytes <= SESSION_BYTES_MAX {
            self.records.push((line, value));
        }
    }

    /// The steps of all sessions that are held.
    pub(super) fn finish(&mut self, name: &str) -> Vec<Result<GivenStep, Misread>> {
        let records = std::mem::take(&mut self.records);
        let Some((first, _)) = records.first() else { return Vec::new() };
        let first = *first;
        if self.bytes > SESSION_BYTES_MAX {
            return vec![Err(Misread::of(first, format!("the log has more than {} MiB", SESSION_BYTES_MAX >> 20)))];
        }
        match sessions_of(Log::of(records)) {
            Err(misread) => vec![Err(misread)],
            Ok(all) => {
                let several = all.len() > 1;
                let mut out = Vec::new();
                for (at, own) in all.into_iter().enumerate() {
                    let fallback = if several { format!("{name}#{}", at + 1) } else { name.to_owned() };
                    out.extend(steps(&own.session, &fallback).into_iter().map(Ok));
                    // What was not read is said, once.
                    if at == 0 {
                        out.extend(own.notes.into_iter().map(|note| Err(Misread::of(first, note))));
                    }
                }
                out
            }
        }
    }
}

fn steps(session: &Session, fallback: &str) -> Vec<GivenStep> {
    let task: Arc<str> = session.id.as_deref().unwrap_or(fallback).into();
    let agent = session.agent.as_deref().map(Arc::from);
    let side: Arc<str> = format!("{task}/sub-agent").into();
    let (mut prompt, mut asked): (Option<Arc<str>>, bool) = (None, false);
    let (mut own, mut of_sub) = (0, 0);
    let mut out = Vec::new();
    for turn in &session.turns {
        let output = Some(turn.text.clone()).filter(|it| !it.trim().is_empty());
        match turn.author {
            Author::User => {
                // Messages that follow one another are one instruction.
                let text = match (&prompt, asked) {
                    (Some(before), true) => format!("{before}\n\n{}", turn.text),
                    _ => turn.text.clone(),
                };
                (prompt, asked) = (Some(text.into()), true);
            }
            Author::Agent => {
                asked = false;
                let (task_id, agent, prompt) = (Arc::clone(&task), agent.clone(), prompt.clone());
                out.push(GivenStep {
                    task_id,
                    agent,
                    step: Some(own),
                    prompt,
                    output,
                    line: turn.line,
                    ..GivenStep::default()
                });
                own += 1;
            }
            Author::SubAgent => {
                let (task_id, agent) = (Arc::clone(&side), Some(Arc::from("sub-agent")));
                let parent = Some(Arc::clone(&task));
                out.push(GivenStep {
                    task_id,
                    agent,
                    step: Some(of_sub),
                    output,
                    parent,
                    line: turn.line,
                    ..GivenStep::default()
                });
                of_sub += 1;
            }
            Author::Injected | Author::System | Author::Evidence => {}
        }
    }
    out
}
