//! Which strings of our JSON are texts of somebody, and which the program made itself; and changing the former.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::Value;

use crate::api::{Components, Described};
use crate::{Error, audit, live, pick, plan, review, runs, watch};

/// What a string of a JSON document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringKind {
    /// Made by the program: an id, a moment, a version, a word of a closed vocabulary.
    Made,
    /// The SHA-256 of something that was read.
    Digest,
    /// What somebody calls a file, a task or an agent.
    Name,
    /// The name of a member that no published type has.
    Member,
    /// All others: what somebody wrote, or what was said of that.
    Text,
}

/// Members whose strings the program makes.
const MADE: &[&str] = &[
    "aggregate",
    "at",
    "category",
    "check",
    "constraint_id",
    "constraint_ids",
    "content_hash",
    "created_at",
    "current_time",
    "done",
    "embedder",
    "embedding_version",
    "end",
    "estimate",
    "extract",
    "generate",
    "id",
    "incident",
    "incidents",
    "intake",
    "judge",
    "measured_on",
    "model",
    "next_cursor",
    "obligation",
    "operating_point",
    "origin",
    "point_sha256",
    "preferences",
    "profile",
    "program_version",
    "rank",
    "result_schema_version",
    "role",
    "rules_version",
    "run_id",
    "schema_version",
    "scorer",
    "span",
    "start",
    "started",
    "timezone",
    "trace_id",
    "updated_at",
    "variant",
    "verb",
    "verdict",
];

/// Members that hold the SHA-256 of something that was read.
const DIGESTS: &[&str] = &["input_sha256", "sha256"];

/// Members by which somebody calls something.
const NAMES: &[&str] = &[
    "agent",
    "author",
    "duplicate_of",
    "file",
    "introduced_in",
    "name",
    "parent",
    "prompt_id",
    "prompt_ids",
    "qid",
    "same_as",
    "tags",
    "task_id",
    "trajectory_id",
];

/// What published types know: words of their vocabularies, names of their members.
struct Known {
    words: BTreeSet<String>,
    members: BTreeSet<String>,
}

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let described: [Described; 10] = [
        Components::of::<audit::DriftEvaluation>,
        Components::of::<plan::PlanResponse>,
        Components::of::<plan::Constraints>,
        Components::of::<plan::Validation>,
        Components::of::<review::Review>,
        Components::of::<pick::FinalOutput>,
        Components::of::<watch::Watch>,
        Components::of::<watch::Comparison>,
        Components::of::<live::LiveScores>,
        Components::of::<runs::Input>,
    ];
    let mut all = Components::default();
    for describe in described {
        describe(&mut all);
    }
    let mut known = Known { words: BTreeSet::new(), members: BTreeSet::new() };
    collect(&Value::Object(all.schemas()), &mut known);
    known
});

fn collect(schema: &Value, known: &mut Known) {
    match schema {
        Value::Object(own) => {
            let words = own.get("enum").and_then(Value::as_array).into_iter().flatten().chain(own.get("const"));
            known.words.extend(words.filter_map(Value::as_str).map(str::to_owned));
            let members = own.get("properties").and_then(Value::as_object);
            known.members.extend(members.into_iter().flat_map(|members| members.keys().cloned()));
            own.values().for_each(|inner| collect(inner, known));
        }
        Value::Array(all) => all.iter().for_each(|inner| collect(inner, known)),
        _ => {}
    }
}

/// The member whose objects have a `name` that is made of the words of a text: constraints, what an event is called.
const NAMED_BY_TEXTS: &str = "constraints";

/// What a string is that stands in a member of this name, of an object or list in the member `within`.
fn kind_of(within: Option<&str>, member: Option<&str>, value: &str) -> StringKind {
    let is = |list: &[&str]| member.is_some_and(|member| list.contains(&member));
    if within == Some(NAMED_BY_TEXTS) && member == Some("name") {
        StringKind::Text
    } else if is(DIGESTS) {
        StringKind::Digest
    } else if is(NAMES) {
        StringKind::Name
    } else if is(MADE) || KNOWN.words.contains(value) {
        StringKind::Made
    } else {
        StringKind::Text
    }
}

/// What the name of a member is.
fn kind_of_member(name: &str) -> StringKind {
    let listed = [MADE, DIGESTS, NAMES].iter().any(|list| list.contains(&name));
    let known = listed || KNOWN.members.contains(name) || KNOWN.words.contains(name);
    if known || name.bytes().all(|byte| byte.is_ascii_digit()) { StringKind::Made } else { StringKind::Member }
}

/// Changes strings of a JSON document: `change` is told what each is and says what stands in its place, where that is something else. Everything
/// around them stays as it is, to the byte: numbers, spaces, the order of members.
///
/// # Errors
/// [`Error::Read`] where a string of it is none of JSON.
pub fn rewrite(json: &str, change: &mut dyn FnMut(StringKind, &str) -> Option<String>) -> Result<String, Error> {
    let mut out = String::with_capacity(json.len());
    // The member that each list and object which is open stands in, or that was named last in it.
    let mut open: Vec<Option<String>> = vec![None];
    let mut rest = json;
    while let Some(at) = rest.find(['"', '{', '[', '}', ']']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let Some(literal) = from.starts_with('"').then(|| literal(from)) else {
            match from.as_bytes().first() {
                Some(b'{' | b'[') => open.push(open.last().cloned().flatten()),
                _ if open.len() > 1 => drop(open.pop()),
                _ => {}
            }
            out.push_str(&from[..1]);
            rest = &from[1..];
            continue;
        };
        let value: String = serde_json::from_str(literal).map_err(Error::Read)?;
        rest = &from[literal.len()..];
        let names = rest.trim_start().starts_with(':');
        let member = |from_last: usize| open.iter().nth_back(from_last).and_then(Option::as_deref);
        let kind = if names { kind_of_member(&value) } else { kind_of(member(1), member(0), &value) };
        match change(kind, &value) {
            Some(new) => out.push_str(&serde_json::to_string(&new).map_err(Error::Write)?),
            None => out.push_str(literal),
        }
        if names && let Some(last) = open.last_mut() {
            *last = Some(value);
        }
    }
    out.push_str(rest);
    Ok(out)
}

/// The string with which a text begins, its quotes included; all of the text where it does not end.
fn literal(text: &str) -> &str {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return &text[..=at],
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{StringKind, kind_of, rewrite};

    fn told(json: &str) -> Vec<(StringKind, String)> {
        let mut all = Vec::new();
        let same = rewrite(json, &mut |kind, value| {
            all.push((kind, value.to_owned()));
            None
        });
        assert_eq!(same.ok().as_deref(), Some(json));
        all
    }

    #[test]
    fn what_a_string_is_depends_on_the_member_that_it_stands_in() {
        use StringKind::{Digest, Made, Member, Name, Text};
        let own = told(
            r#"{"task_id":"t","check":"goal-added","quote":"say \"hi\"","sha256":"00","tags":["a"],"odd":{"4":["x"]}}"#,
        );
        let kinds: Vec<StringKind> = own.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(kinds, [Made, Name, Made, Made, Made, Text, Made, Digest, Made, Name, Member, Made, Text]);
        assert_eq!(own[5].1, "say \"hi\"");
    }

    #[test]
    fn a_member_holds_until_the_next_one_of_the_same_object() {
        let own = told(r#"{"id":"a","spans":[{"file":"f"},{"file":"g"}],"text":"t"}"#);
        let of = |value: &str| own.iter().find(|(_, own)| own == value).map(|(kind, _)| *kind);
        assert_eq!(
            (of("a"), of("f"), of("g")),
            (Some(StringKind::Made), Some(StringKind::Name), Some(StringKind::Name))
        );
        assert_eq!(of("t"), Some(StringKind::Text));
    }

    #[test]
    fn what_an_event_is_called_is_a_text() {
        let own = told(r#"{"constraints":[{"kind":"fixed_event","name":"busy with Ana"}],"name":"ours"}"#);
        let of = |value: &str| own.iter().find(|(_, own)| own == value).map(|(kind, _)| *kind);
        assert_eq!((of("busy with Ana"), of("ours")), (Some(StringKind::Text), Some(StringKind::Name)));
    }

    #[test]
    fn words_of_closed_vocabularies_are_ours_wherever_they_stand() {
        for word in ["TypeA", "constraint", "approve", "major_shift", "recommended"] {
            assert_eq!(kind_of(None, Some("anything"), word), StringKind::Made, "{word}");
        }
        assert_eq!(kind_of(None, Some("anything"), "TypeA of something"), StringKind::Text);
        // Who chose a prompt is told, why is a text of the model.
        assert_eq!(kind_of(None, Some("origin"), "chat:m"), StringKind::Made);
        assert_eq!(kind_of(None, Some("reason"), "It answers Ana."), StringKind::Text);
        assert_eq!(kind_of(Some("rank"), Some("none"), "None answers Ana."), StringKind::Text);
        // Numbers of items that are done, among the settings of a plan.
        assert_eq!(kind_of(None, Some("done"), "2"), StringKind::Made);
    }

    #[test]
    fn what_is_put_in_is_escaped_and_all_else_stays() {
        let json = "{ \"text\" : \"\\u0041\\n\" , \"n\" : 1.50 , \"of\" : [ \"x\" ] }";
        let new = rewrite(json, &mut |kind, _| (kind == StringKind::Text).then(|| "\"\\".to_owned()));
        assert_eq!(new.ok().as_deref(), Some("{ \"text\" : \"\\\"\\\\\" , \"n\" : 1.50 , \"of\" : [ \"\\\"\\\\\" ] }"));
        for broken in ["\"", "{\"a", "\"\\q\"", "\"\\"] {
            assert!(rewrite(broken, &mut |_, _| None).is_err(), "{broken}");
        }
        assert_eq!(rewrite("}]1", &mut |_, _| None).ok().as_deref(), Some("}]1"));
    }
}
