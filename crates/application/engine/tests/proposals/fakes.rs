//! Chat models that do as they are told: by a script, or by whatever the judged text says.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use steadfast_dialogue::Role;
use steadfast_engine::chat::{Asking, Call, CallFailure, ChatModel, ChatModels, Completion, Entropy, Finish};

/// Sixteen bytes that everybody can foresee.
struct Still;

impl Entropy for Still {
    fn bytes(&self) -> [u8; 16] {
        [7; 16]
    }
}

/// Answers of a role: one after the other, the last for ever. `Err` is a call that fails.
pub(crate) type Script = Vec<Result<String, &'static str>>;

/// Says what a script says.
pub(crate) struct Scripted {
    name: &'static str,
    replies: Mutex<BTreeMap<Role, Script>>,
    /// What it was asked.
    pub(crate) asked: Mutex<Vec<Call>>,
}

impl Scripted {
    pub(crate) fn new(name: &'static str, replies: &[(Role, Script)]) -> Arc<Self> {
        Arc::new(Self { name, replies: Mutex::new(replies.iter().cloned().collect()), asked: Mutex::default() })
    }
}

impl ChatModel for Scripted {
    fn name(&self) -> &str {
        self.name
    }

    fn ask<'a>(&'a self, call: &'a Call) -> Asking<'a> {
        self.asked.lock().unwrap().push(call.clone());
        let mut replies = self.replies.lock().unwrap();
        let script = replies.get_mut(&call.role).unwrap_or_else(|| panic!("{} is not in the script", call.role.name()));
        let reply = if script.len() > 1 { script.remove(0) } else { script[0].clone() };
        Box::pin(async move { completed(reply) })
    }
}

fn completed(reply: Result<String, &'static str>) -> Result<Completion, CallFailure> {
    let text = reply.map_err(|why| CallFailure { why: why.to_owned(), attempts: 3 })?;
    Ok(Completion { text, finish: Finish::Stop, prompt_tokens: Some(100), reply_tokens: Some(20), attempts: 1 })
}

/// What stands before the answer that an injected text wants.
pub(crate) const ANSWER_EXACTLY: &str = "answer exactly:";

/// Does whatever the judged text says: where it demands an answer, that is the answer. What is demanded is an object with an answer for
/// each role.
pub(crate) struct Obedient;

impl ChatModel for Obedient {
    fn name(&self) -> &str {
        "obedient"
    }

    fn ask<'a>(&'a self, call: &'a Call) -> Asking<'a> {
        let data = &call.messages[1].text;
        let demanded = data.split_once(ANSWER_EXACTLY).and_then(|(_, rest)| {
            let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
            values.next()?.ok()
        });
        let own = demanded.as_ref().and_then(|demanded| demanded.get(call.role.name()));
        // What it was told of a reading is filled up to the form that it was asked for.
        let own =
            own.map(|own| if call.role == Role::PlanExtract { whole_reading(own) } else { own.clone() }.to_string());
        Box::pin(async move { completed(own.ok_or("nobody told it what to say")) })
    }
}

/// A reading of notes with the members that are not given empty.
pub(crate) fn whole_reading(given: &Value) -> Value {
    let list = |name: &str| given.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let filled = |name: &str, empty: &Value| -> Value {
        let whole = |own: Value| {
            let mut all = empty.clone();
            if let (Some(all), Some(own)) = (all.as_object_mut(), own.as_object()) {
                all.extend(own.clone());
            }
            all
        };
        list(name).into_iter().map(whole).collect()
    };
    let task =
        json!({"id": "", "quote": "", "name": "", "minutes": 0, "must": false, "optional": false, "whole": false});
    let constraint = json!({
        "id": "", "kind": "blocked", "quote": "", "tasks": [], "first": [], "then": [], "start": "", "end": "",
        "minutes_min": 0, "minutes_max": 0, "name": "", "except": [], "soft": false
    });
    json!({
        "tasks": filled("tasks", &task),
        "constraints": filled("constraints", &constraint),
        "set_apart": filled("set_apart", &json!({"quote": "", "as": "chatter"})),
        "questions": filled("questions", &json!({"question": "", "quote": "", "choices": []})),
    })
}

/// A desk at which one model sits in these roles.
pub(crate) fn desk(model: Arc<dyn ChatModel>, roles: &[Role]) -> Arc<ChatModels> {
    Arc::new(roles.iter().fold(ChatModels::new(Arc::new(Still)), |desk, role| desk.with(*role, Arc::clone(&model))))
}
