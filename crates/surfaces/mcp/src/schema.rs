//! Schemas of arguments in as few words as say what may be sent: hosts hand them to a model with every request.

use serde_json::{Map, Value, json};

/// Longest list of values that a schema names, in bytes of JSON: the members of a result are in the outline of the result as well.
const VALUES_BYTES_MAX: usize = 400;

/// Shortens a schema. What it allowed it allows still, and an argument keeps its description: of a closed vocabulary the values stay, of several forms of an object one
/// that has the members of all, and what describes a type for all its uses goes.
pub(crate) fn compact(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.values_mut().for_each(compact);
            shorten(members);
        }
        Value::Array(all) => all.iter_mut().for_each(compact),
        _ => {}
    }
}

/// The names of what a schema's object has.
pub(crate) fn members(schema: &rmcp::schemars::Schema) -> Vec<String> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flat_map(|members| members.keys().cloned()).collect()
}

fn shorten(members: &mut Map<String, Value>) {
    if let Some(Value::String(about)) = members.get_mut("description") {
        *about = without_command_line(about);
    }
    // What is unknown is refused by its name when it comes.
    members.remove("additionalProperties");
    if let Some(values) = members.get("oneOf").and_then(constants) {
        members.remove("oneOf");
        members.insert("enum".to_owned(), values.into());
    }
    if let Some(Value::Array(forms)) = members.remove("anyOf") {
        let forms = merged(forms.into_iter().flat_map(forms_of).collect());
        match forms.as_slice() {
            [Value::Object(only)] => {
                for (name, own) in only {
                    members.entry(name.clone()).or_insert_with(|| own.clone());
                }
            }
            _ => drop(members.insert("anyOf".to_owned(), forms.into())),
        }
    }
    let is_long = |values: &Value| values.to_string().len() > VALUES_BYTES_MAX;
    if members.get("enum").is_some_and(is_long) {
        members.remove("enum");
    }
}

/// A description without what it says of the command line, which no tool has: up to the end of that sentence.
fn without_command_line(about: &str) -> String {
    let mut left = about.replace(": on the command line a file of JSON, `-` is stdin", "");
    while let Some(at) = left.find("On the command line") {
        let ends = [". ", ".\n"].iter().filter_map(|end| Some(left[at..].find(end)? + end.len()));
        let end = ends.min().map_or(left.len(), |length| at + length);
        left.replace_range(at..end, "");
    }
    left.trim_end().to_owned()
}

/// The values of a vocabulary that says of each what it means.
fn constants(forms: &Value) -> Option<Vec<Value>> {
    forms.as_array()?.iter().map(|form| form.get("const").cloned()).collect()
}

/// The forms that a form stands for, without what describes them.
fn forms_of(mut form: Value) -> Vec<Value> {
    let Some(members) = form.as_object_mut() else { return vec![form] };
    members.remove("description");
    match members.remove("anyOf") {
        Some(Value::Array(forms)) if members.is_empty() => forms,
        Some(forms) => {
            members.insert("anyOf".to_owned(), forms);
            vec![form]
        }
        None => vec![form],
    }
}

/// One form for all objects, and a vocabulary that holds `null` where that is a form of its own.
fn merged(forms: Vec<Value>) -> Vec<Value> {
    let is = |form: &Value, of: &str| form.get("type").and_then(Value::as_str) == Some(of);
    let (objects, mut others): (Vec<Value>, Vec<Value>) =
        forms.into_iter().partition(|form| is(form, "object") && form.get("properties").is_some());
    let mut object = Map::new();
    for (name, own) in objects.iter().filter_map(|form| form["properties"].as_object()).flatten() {
        object.entry(name.clone()).or_insert_with(|| own.clone());
    }
    match objects.len() {
        0 => {}
        1 => others.extend(objects),
        _ => others.push(json!({"type": "object", "properties": object})),
    }
    if let [only, null] = others.as_mut_slice()
        && is(null, "null")
        && let Some(values) = only.get_mut("enum").and_then(Value::as_array_mut)
    {
        values.push(Value::Null);
        others.truncate(1);
        if let Some(members) = others.first_mut().and_then(Value::as_object_mut) {
            members.remove("type");
        }
    }
    others
}

#[cfg(test)]
mod tests {
    use super::compact;
    use serde_json::{Value, json};

    #[track_caller]
    fn check(mut schema: Value, expect: Value) {
        compact(&mut schema);
        assert_eq!(schema, expect);
    }

    #[test]
    fn a_tool_has_no_command_line() {
        for (about, expect) in [
            ("Notes. On the command line a file (`a.md`); `-` is stdin.", "Notes."),
            ("Logs. On the command line a range such as `git:a..b`; repeatable.\nAnd more.", "Logs. And more."),
            ("What is said: on the command line a file of JSON, `-` is stdin.", "What is said."),
            ("Of the command line nothing.", "Of the command line nothing."),
        ] {
            check(json!({"description": about}), json!({"description": expect}));
        }
    }

    #[test]
    fn a_schema_says_the_same_in_fewer_words() {
        let vocabulary = json!({"description": "Who judged.", "oneOf": [{"const": "rules", "description": "Rules."}, {"const": "both", "description": "Both."}]});
        check(
            json!({"description": "Who judges.", "anyOf": [vocabulary, {"type": "null"}]}),
            json!({"description": "Who judges.", "enum": ["rules", "both", null]}),
        );
        let text = json!({"type": "string"});
        let path = json!({"type": "object", "properties": {"path": text}, "required": ["path"], "additionalProperties": false});
        let named = json!({"type": "object", "properties": {"name": text, "text": text}, "required": ["text"], "additionalProperties": false});
        let source = json!({"description": "A text.", "anyOf": [text, path, named]});
        let both = json!({"type": "object", "properties": {"path": text, "name": text, "text": text}});
        check(
            json!({"description": "The report.", "anyOf": [source, {"type": "null"}]}),
            json!({"description": "The report.", "anyOf": [text, {"type": "null"}, both]}),
        );
        check(json!({"type": "string", "description": "A name."}), json!({"type": "string", "description": "A name."}));
        let many: Vec<String> = (0..100).map(|n| format!("member-{n}")).collect();
        check(json!({"type": "string", "enum": many}), json!({"type": "string"}));
    }
}
