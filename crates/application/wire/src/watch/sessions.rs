//! The log of an agent's session as steps: each turn of the agent is one, under what the user typed last.

use std::collections::BTreeSet;
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
                let (mut out, mut said) = (Vec::new(), BTreeSet::new());
                for (at, own) in all.into_iter().enumerate() {
                    let fallback = if several { format!("{name}#{}", at + 1) } else { name.to_owned() };
                    out.extend(steps(own.session, &fallback).into_iter().map(Ok));
                    // What was not read is said, once.
                    let anew = own.notes.into_iter().filter(|note| said.insert(note.clone()));
                    out.extend(anew.map(|note| Err(Misread::of(first, note))));
                }
                out
            }
        }
    }
}

fn steps(session: Session, fallback: &str) -> Vec<GivenStep> {
    let task: Arc<str> = session.id.as_deref().unwrap_or(fallback).into();
    let agent = session.agent.as_deref().map(Arc::from);
    let side: Arc<str> = format!("{task}/sub-agent").into();
    // What the user typed since the agent's last turn, and the instruction in force.
    let (mut typed, mut prompt): (Option<String>, Option<Arc<str>>) = (None, None);
    let mut aside = false;
    let (mut own, mut of_sub) = (0, 0);
    let mut out = Vec::new();
    for turn in session.turns {
        let output = Some(turn.text.clone()).filter(|it| !it.trim().is_empty());
        match turn.author {
            Author::User => match Said::of(&turn.text) {
                // It goes on under the instruction before.
                Said::GoOn => aside = false,
                Said::Courtesy => aside = true,
                // Messages that follow one another are one instruction.
                Said::Instruction => {
                    match &mut typed {
                        Some(before) => before.extend(["\n\n", turn.text.as_str()]),
                        none => *none = Some(turn.text),
                    }
                    aside = false;
                }
            },
            Author::Agent => {
                prompt = typed.take().map(Arc::from).or(prompt);
                let (task_id, agent) = (Arc::clone(&task), agent.clone());
                out.push(GivenStep {
                    task_id,
                    agent,
                    step: Some(own),
                    prompt: prompt.clone().filter(|_| !aside),
                    output,
                    calls: turn.calls,
                    aside,
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
                    calls: turn.calls,
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

/// What a message of the user does to the instruction in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Instruction,
    /// "Go on": the instruction before it stays in force.
    GoOn,
    /// Thanks, a greeting, a command of the program that runs the agent: nothing is asked of the agent.
    Courtesy,
}

/// Words of a message that may be no instruction: more are one.
const WORDS_MAX: usize = 6;
/// Words of which messages consist that say to go on as before …
const GO_ON: &[&str] = &[
    "ahead", "carry", "continue", "do", "go", "going", "it", "keep", "next", "ok", "okay", "on", "please", "proceed",
    "resume", "sure", "y", "yeah", "yep", "yes",
];
/// … and that ask for nothing.
const COURTESY: &[&str] = &[
    "a",
    "all",
    "awesome",
    "bye",
    "cool",
    "done",
    "excellent",
    "for",
    "good",
    "great",
    "hello",
    "hey",
    "hi",
    "job",
    "lot",
    "much",
    "nice",
    "perfect",
    "so",
    "thank",
    "thanks",
    "that",
    "the",
    "there",
    "thx",
    "very",
    "well",
    "work",
    "you",
];

impl Said {
    fn of(text: &str) -> Self {
        let text = text.trim();
        // A command of the program that runs the agent stands alone and has no arguments.
        if text
            .strip_prefix('/')
            .is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '-'))
        {
            return Self::Courtesy;
        }
        let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let few: Vec<String> = words.by_ref().take(WORDS_MAX).map(str::to_lowercase).collect();
        if few.is_empty() || words.next().is_some() {
            return Self::Instruction;
        }
        let is_in = |list: &[&str], word: &String| list.contains(&word.as_str());
        if !few.iter().all(|word| is_in(GO_ON, word) || is_in(COURTESY, word)) {
            Self::Instruction
        } else if few.iter().any(|word| is_in(GO_ON, word) && word != "it") {
            Self::GoOn
        } else {
            Self::Courtesy
        }
    }
}

#[cfg(test)]
mod tests {
    use steadfast_session::{Author, Session, Turn};

    use super::{Said, steps};

    #[test]
    fn messages_that_follow_one_another_are_one_instruction() {
        let said = |author: Author, text: &str| Turn::said(1, author, text);
        let (user, agent) = (|text: &str| said(Author::User, text), || said(Author::Agent, "Done."));
        let turns = vec![
            user("Fix a."),
            user("go on"),
            user("Fix b."),
            agent(),
            user("go on"),
            agent(),
            user("Fix c."),
            agent(),
        ];
        let prompts = |turns: Vec<Turn>| -> Vec<String> {
            let steps = steps(Session { turns, ..Session::default() }, "t");
            steps.iter().map(|step| step.prompt.as_deref().unwrap_or_default().to_owned()).collect()
        };
        assert_eq!(prompts(turns), ["Fix a.\n\nFix b.", "Fix a.\n\nFix b.", "Fix c."]);
        // Copied for each of them, this would be a terabyte.
        let many: Vec<Turn> = (0..100_000).map(|_| user(&"Fix it all now. ".repeat(16))).chain([agent()]).collect();
        assert_eq!(prompts(many)[0].len(), 100_000 * 256 + 99_999 * 2);
    }

    #[test]
    fn what_instructs_nothing_is_no_instruction() {
        for text in ["go on", "Continue.", "yes, please", "OK, do it", "Perfect, go ahead!", "y"] {
            assert_eq!(Said::of(text), Said::GoOn, "{text}");
        }
        for text in ["Thanks!", "thank you so much", "hi there", "/clear", "Great job"] {
            assert_eq!(Said::of(text), Said::Courtesy, "{text}");
        }
        for text in [
            "Fix it",
            "Go on with the tests",
            "yes, but leave the docs",
            "/etc/hosts is wrong",
            "?",
            "42",
            "ok now the other one",
            "No",
        ] {
            assert_eq!(Said::of(text), Said::Instruction, "{text}");
        }
    }
}
