//! What a server says of an error, so far as it may be passed on.

use serde_json::Value;
use steadfast_dialogue::Speaker;
use steadfast_engine::chat::Call;

use crate::server::Key;

/// Longest part of a server's words that is passed on, in characters.
const CHARACTERS_MAX: usize = 200;

/// So many characters in a row that also stand in what was sent are no chance.
const REPEATED_CHARACTERS: usize = 24;

/// So many characters in a row of a key are too many.
const KEY_BYTES: usize = 8;

/// What stands in the place of words that are not passed on.
const LEFT_OUT: &str = "its words repeat what was sent, and are left out";

/// An error as servers tell it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Told {
    /// In words.
    pub(crate) message: String,
    /// Its kind and number, in lower case.
    pub(crate) code: String,
}

/// The error in a body: `{"error": {"message", "type", "code"}}`, `{"error": "…"}`, `{"message": "…"}` or `{"detail": "…"}`.
pub(crate) fn told(value: &Value) -> Option<Told> {
    let error = value.get("error").filter(|error| !error.is_null());
    let text = |value: Option<&Value>| match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        Some(other @ (Value::Array(_) | Value::Object(_))) => other.to_string(),
        _ => String::new(),
    };
    match error {
        Some(Value::Object(error)) => {
            let code = ["type", "code", "status"].map(|name| text(error.get(name))).join(" ");
            Some(Told { message: text(error.get("message")), code: code.trim().to_lowercase() })
        }
        Some(other) => Some(Told { message: text(Some(other)), code: String::new() }),
        None => {
            let message = ["message", "detail"].iter().find_map(|name| value.get(*name))?;
            Some(Told { message: text(Some(message)), code: String::new() })
        }
    }
}

/// A server's words, as far as they may be passed on: cut, without control characters, and none at all where they repeat the key or what
/// was judged.
pub(crate) fn passed_on(words: &str, call: &Call, key: Option<&Key>) -> String {
    let cut: String = words.chars().take(CHARACTERS_MAX).collect();
    let secret = key.map(Key::expose).filter(|key| key.len() >= KEY_BYTES);
    let shows_key = secret.is_some_and(|key| {
        key.as_bytes().windows(KEY_BYTES).any(|part| cut.as_bytes().windows(KEY_BYTES).any(|own| own == part))
    });
    if shows_key || repeats(&cut, call) {
        return LEFT_OUT.to_owned();
    }
    let mut legible = String::with_capacity(cut.len());
    for character in cut.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        if character.is_control() {
            legible.extend(character.escape_default());
        } else {
            legible.push(character);
        }
    }
    legible
}

fn repeats(words: &str, call: &Call) -> bool {
    let judged = || call.messages.iter().filter(|message| message.speaker != Speaker::System);
    let starts: Vec<usize> = words.char_indices().map(|(at, _)| at).chain([words.len()]).collect();
    starts
        .iter()
        .zip(starts.iter().skip(REPEATED_CHARACTERS))
        .any(|(start, end)| judged().any(|message| message.text.contains(&words[*start..*end])))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use steadfast_dialogue::{Delimiter, Message, Role, Schema, Speaker};
    use steadfast_engine::chat::Call;

    use super::{LEFT_OUT, Told, passed_on, told};
    use crate::Key;

    fn call() -> Call {
        let message = |speaker, text: &str| Message { speaker, text: text.to_owned() };
        Call {
            role: Role::PlanJudge,
            messages: vec![
                message(Speaker::System, "These are our instructions, word for word."),
                message(Speaker::User, "The secret merger of Acme and Übersee is planned for May."),
            ],
            delimiter: Delimiter::new([0; 16]),
            schema: Schema::new("s", Vec::new()),
            reply_tokens_max: 9,
        }
    }

    #[test]
    fn errors_are_read_in_all_their_forms() {
        for (value, message, code) in [
            (json!({"error": {"message": "a", "type": "Overloaded", "code": 503}}), "a", "overloaded 503"),
            (json!({"error": "a"}), "a", ""),
            (json!({"detail": [{"msg": "a"}]}), "[{\"msg\":\"a\"}]", ""),
            (json!({"message": "a"}), "a", ""),
        ] {
            assert_eq!(told(&value), Some(Told { message: message.to_owned(), code: code.to_owned() }));
        }
        assert_eq!(told(&json!({"error": null, "choices": []})), None);
        assert_eq!(told(&json!([])), None);
    }

    #[test]
    fn neither_key_nor_judged_text_is_passed_on() {
        let key = Key::new("sk-canary-7f3a".to_owned());
        let passed = |words: &str| passed_on(words, &call(), Some(&key));
        assert_eq!(passed("no such\n model\u{7}"), "no such model\\u{7}");
        assert_eq!(passed("wrong key sk-canary-7f3a"), LEFT_OUT);
        assert_eq!(passed("wrong key canary-7***"), LEFT_OUT);
        assert_eq!(passed("cannot read: merger of Acme and Übersee is"), LEFT_OUT);
        assert_eq!(passed("These are our instructions, word for word."), "These are our instructions, word for word.");
        assert_eq!(passed(&"ü".repeat(500)).chars().count(), 200);
    }
}
