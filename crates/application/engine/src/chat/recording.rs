//! Exchanges on a tape: what a model said, under a key of what it was asked.
//!
//! The key says nothing of the question to anybody who does not have it. Delimiters, which are random, are no part of it, so that the same question
//! has the same key another time.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use steadfast_dialogue::Role;
use steadfast_wire::chat::{RecordedCall, RecordedReply, SCHEMA_VERSION};

use super::budget::Prices;
use super::models::ChatModels;
use super::port::{Asking, CONTEXT_TOKENS_DEFAULT, Call, CallFailure, ChatModel, Completion, Entropy};
use crate::EngineError;
use crate::hash::uuid_v8;

/// Where lines are put down, each at once and whole.
pub trait Tape: Send + Sync {
    /// Puts down a line, its end of line included.
    ///
    /// # Errors
    /// Why it could not be.
    fn put(&self, line: &str) -> Result<(), String>;
}

/// A model of which every call is put down, whether it brings a reply or not. A call that cannot be put down fails.
pub struct Recording {
    model: Arc<dyn ChatModel>,
    tape: Arc<dyn Tape>,
}

impl Recording {
    /// A desk of which every call is put down.
    #[must_use]
    pub fn desk(desk: ChatModels, tape: &Arc<dyn Tape>) -> ChatModels {
        desk.map(|model| Arc::new(Self { model, tape: Arc::clone(tape) }))
    }

    async fn recorded(&self, call: &Call) -> Result<Completion, CallFailure> {
        let result = self.model.ask(call).await;
        let attempts = result.as_ref().map_or_else(|failure| failure.attempts, |completion| completion.attempts);
        let record = record(call, &*self.model, &result);
        let line = steadfast_wire::to_json_line(&record).map_err(|error| error.to_string());
        line.and_then(|line| self.tape.put(&line))
            .map_err(|why| CallFailure { why: format!("the call cannot be recorded: {why}"), attempts })?;
        result
    }
}

/// A call to a model and what came of it, as it is written.
pub(super) fn record(call: &Call, model: &dyn ChatModel, result: &Result<Completion, CallFailure>) -> RecordedCall {
    RecordedCall {
        schema_version: SCHEMA_VERSION.to_owned(),
        key: key(call, model.name()),
        role: call.role.name().to_owned(),
        model: model.name().to_owned(),
        context_tokens: model.context_tokens(),
        attempts: result.as_ref().map_or_else(|failure| failure.attempts, |completion| completion.attempts),
        reply: result.as_ref().ok().map(|completion| RecordedReply {
            text: completion.text.clone(),
            finish: completion.finish,
            prompt_tokens: completion.prompt_tokens,
            reply_tokens: completion.reply_tokens,
        }),
        failure: result.as_ref().err().map(|failure| failure.why.clone()),
    }
}

impl ChatModel for Recording {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn server(&self) -> &str {
        self.model.server()
    }

    fn prices(&self) -> Option<Prices> {
        self.model.prices()
    }

    fn context_tokens(&self) -> usize {
        self.model.context_tokens()
    }

    fn ask<'a>(&'a self, call: &'a Call) -> Asking<'a> {
        Box::pin(self.recorded(call))
    }
}

/// What was recorded, to be said again.
pub struct Replay {
    file: String,
    calls: BTreeMap<String, Vec<RecordedCall>>,
    models: BTreeMap<Role, (String, usize)>,
    given: Mutex<BTreeMap<String, usize>>,
}

impl Replay {
    /// Reads what was recorded; `file` is what it is called in errors.
    ///
    /// # Errors
    /// [`EngineError::Recording`] with the line that is no record.
    pub fn read(file: &str, text: &str) -> Result<Arc<Self>, EngineError> {
        let mut replay =
            Self { file: file.to_owned(), calls: BTreeMap::new(), models: BTreeMap::new(), given: Mutex::default() };
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let wrong = |what: String| EngineError::Recording { file: file.to_owned(), line: index + 1, what };
            let record: RecordedCall = steadfast_wire::from_json(line).map_err(|error| {
                let what = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
                // Its line is always the first: each is read by itself.
                wrong(what.replace(" at line 1", ""))
            })?;
            if record.schema_version != SCHEMA_VERSION {
                return Err(wrong(format!("version `{}` is not read", record.schema_version)));
            }
            let role = Role::named(&record.role).ok_or_else(|| wrong(format!("`{}` is no role", record.role)))?;
            if record.reply.is_some() == record.failure.is_some() {
                return Err(wrong("either `reply` or `failure` is said".to_owned()));
            }
            replay.models.entry(role).or_insert_with(|| (record.model.clone(), record.context_tokens));
            replay.calls.entry(record.key.clone()).or_default().push(record);
        }
        Ok(Arc::new(replay))
    }

    /// A desk at which nobody but the recording answers: in each role the model that was recorded there.
    #[must_use]
    pub fn desk(self: &Arc<Self>, entropy: Arc<dyn Entropy>) -> ChatModels {
        Role::ALL.into_iter().fold(ChatModels::new(entropy), |desk, role| {
            // A role that nobody was asked in: it is named as the others of its verb are.
            let verb = |role: Role| role.name().split('.').next();
            let beside = || self.models.iter().find(|(other, _)| verb(**other) == verb(role)).map(|(_, known)| known);
            let known = self.models.get(&role).or_else(beside).cloned();
            let (name, context_tokens) = known.unwrap_or_else(|| ("unrecorded".to_owned(), CONTEXT_TOKENS_DEFAULT));
            desk.with(role, Arc::new(Replayed { replay: Arc::clone(self), name, context_tokens }))
        })
    }

    /// What was said to a question; where it was asked oftener, in that order, and the last again.
    fn say(&self, call: &Call, model: &str) -> Result<Completion, CallFailure> {
        let key = key(call, model);
        let Some(calls) = self.calls.get(&key) else {
            let why = format!(
                "{} has no record of this question of `{}` to `{model}`: something in it is not as it was",
                self.file,
                call.role.name()
            );
            return Err(CallFailure { why, attempts: 0 });
        };
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let count = given.entry(key).or_default();
        let record = &calls[(*count).min(calls.len() - 1)];
        *count += 1;
        let attempts = record.attempts;
        match (&record.reply, &record.failure) {
            (Some(reply), _) => Ok(Completion {
                text: reply.text.clone(),
                finish: reply.finish,
                prompt_tokens: reply.prompt_tokens,
                reply_tokens: reply.reply_tokens,
                attempts,
            }),
            (None, why) => Err(CallFailure { why: why.clone().unwrap_or_default(), attempts }),
        }
    }
}

struct Replayed {
    replay: Arc<Replay>,
    name: String,
    context_tokens: usize,
}

impl ChatModel for Replayed {
    fn name(&self) -> &str {
        &self.name
    }

    /// As it was when it was recorded, so that long texts are cut at the same places.
    fn context_tokens(&self) -> usize {
        self.context_tokens
    }

    fn ask<'a>(&'a self, call: &'a Call) -> Asking<'a> {
        Box::pin(async { self.replay.say(call, &self.name) })
    }
}

/// What a question is known by: role, model, all messages without their delimiters, the form of the reply and its length.
pub(super) fn key(call: &Call, model: &str) -> String {
    let reply_tokens_max = call.reply_tokens_max.to_string();
    let schema = call.schema.json_schema(true);
    let mut parts = vec![call.role.name(), model, call.schema.name, &schema, &reply_tokens_max];
    let texts: Vec<String> = call.messages.iter().map(|message| call.delimiter.without(&message.text)).collect();
    for (message, text) in call.messages.iter().zip(&texts) {
        parts.push(message.speaker.name());
        parts.push(text);
    }
    uuid_v8("chat", &parts.iter().map(|part| part.as_bytes()).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use steadfast_dialogue::{Delimiter, Field, Form, Message, Role, Schema, Speaker};

    use super::{Recording, Replay, Tape};
    use steadfast_testkit::wait;

    use crate::chat::fakes::{Counting, Named};
    use crate::chat::{Asking, Call, CallFailure, ChatModel, ChatModels, Completion, Finish};

    #[derive(Default)]
    struct Lines(Mutex<String>);

    impl Tape for Lines {
        fn put(&self, line: &str) -> Result<(), String> {
            self.0.lock().unwrap().push_str(line);
            Ok(())
        }
    }

    /// Counts.
    struct Counter(Mutex<u32>);

    impl ChatModel for Counter {
        fn name(&self) -> &str {
            "counter"
        }

        fn ask<'a>(&'a self, _: &'a Call) -> Asking<'a> {
            Box::pin(async {
                let mut count = self.0.lock().unwrap();
                *count += 1;
                Ok(Completion {
                    text: format!("{{\"n\": {count}}}"),
                    finish: Finish::Length,
                    prompt_tokens: Some(5),
                    reply_tokens: None,
                    attempts: 2,
                })
            })
        }
    }

    fn call(role: Role, random: u8, text: &str) -> Call {
        let delimiter = Delimiter::new([random; 16]);
        let text = format!("{}\n{text}\n{}", delimiter.opening("notes"), delimiter.closing("notes"));
        Call {
            role,
            messages: vec![Message { speaker: Speaker::User, text }],
            delimiter,
            schema: Schema::new("count", vec![Field::new("n", "how many", Form::Flag)]),
            reply_tokens_max: 10,
        }
    }

    fn ask(desk: &ChatModels, call: &Call) -> Result<Completion, CallFailure> {
        wait(desk.model(call.role).unwrap().ask(call))
    }

    #[test]
    fn what_was_recorded_is_said_again_whatever_the_delimiter() {
        let (tape, entropy) = (Arc::new(Lines::default()), Arc::new(Counting::default()));
        let live = ChatModels::new(Arc::<Counting>::clone(&entropy))
            .with(Role::PlanJudge, Arc::new(Counter(Mutex::new(0))))
            .with(Role::PickIntake, Arc::new(Named("n", "http://a")));
        let recording = Recording::desk(live, &(Arc::<Lines>::clone(&tape) as Arc<dyn Tape>));
        let said = [1, 2].map(|random| ask(&recording, &call(Role::PlanJudge, random, "canary-71 of the notes")));
        let other = ask(&recording, &call(Role::PlanJudge, 3, "b"));
        let failed = ask(&recording, &call(Role::PickIntake, 4, "c"));
        let text = tape.0.lock().unwrap().clone();
        assert_eq!(text.lines().count(), 4);
        assert!(!text.contains("canary-71") && !text.contains("01010101") && !text.contains("http://"), "{text}");
        let replay = Replay::read("tape.jsonl", &text).unwrap().desk(entropy);
        for (wanted, random) in [(&said[0], 9), (&said[1], 8), (&said[1], 7)] {
            assert_eq!(&ask(&replay, &call(Role::PlanJudge, random, "canary-71 of the notes")), wanted);
        }
        assert_eq!(ask(&replay, &call(Role::PlanJudge, 6, "b")), other);
        assert_eq!(ask(&replay, &call(Role::PickIntake, 6, "c")), failed);
        let unknown = ask(&replay, &call(Role::PlanJudge, 1, "another")).unwrap_err();
        assert_eq!(
            unknown.why,
            "tape.jsonl has no record of this question of `plan.judge` to `counter`: something in it is not as it was"
        );
        assert!(ask(&replay, &call(Role::Audit, 1, "b")).unwrap_err().why.contains("`unrecorded`"));
    }

    #[test]
    fn what_is_no_recording_is_refused_with_its_line() {
        let good = r#"{"schema_version":"1","key":"k","role":"plan.judge","model":"m","context_tokens":8000,"attempts":1,"reply":null,"failure":"down"}"#;
        assert!(Replay::read("t", good).is_ok());
        let refused = |line: &str| Replay::read("t", &format!("{good}\n\n{line}\n")).err().unwrap().to_string();
        assert!(refused("{").starts_with("t:3: is no recorded call: "), "{}", refused("{"));
        assert_eq!(
            refused(&good.replace("plan.judge", "plan.jury")),
            "t:3: is no recorded call: `plan.jury` is no role"
        );
        assert_eq!(
            refused(&good.replace("\"down\"", "null")),
            "t:3: is no recorded call: either `reply` or `failure` is said"
        );
        assert!(refused(&good.replace("\"key\"", "\"keys\"")).contains("unknown field `keys`"));
    }

    #[test]
    fn a_call_that_cannot_be_recorded_fails() {
        struct Full;
        impl Tape for Full {
            fn put(&self, _: &str) -> Result<(), String> {
                Err("the disk is full".to_owned())
            }
        }
        let live =
            ChatModels::new(Arc::new(Counting::default())).with(Role::PlanJudge, Arc::new(Counter(Mutex::new(0))));
        let desk = Recording::desk(live, &(Arc::new(Full) as Arc<dyn Tape>));
        let failure = ask(&desk, &call(Role::PlanJudge, 1, "a")).unwrap_err();
        assert_eq!((failure.why.as_str(), failure.attempts), ("the call cannot be recorded: the disk is full", 2));
    }
}
