//! Whether JSON keeps to its published schema.
//!
//! Only what our own schemas say is understood. A keyword that is not is a breach itself, so that nothing passes unchecked.

use serde_json::{Map, Value};

/// Keywords that describe and bind nothing here. `format` names the width of a number beside its bounds.
const DESCRIPTIONS: &[&str] = &["$defs", "$schema", "default", "description", "examples", "format", "title"];

/// Where `value` does not keep to `schema` (JSON Schema 2020-12), a line each: the place, and what is wrong there.
///
/// ```
/// # use serde_json::json;
/// # use steadfast_testkit::schema::breaches;
/// let schema = json!({"type": "object", "required": ["days"], "properties": {"days": {"type": "integer", "minimum": 0}}});
/// assert!(breaches(&schema, &json!({"days": 3})).is_empty());
/// assert_eq!(breaches(&schema, &json!({"days": -1})), ["$.days: -1 lies below 0"]);
/// ```
#[must_use]
pub fn breaches(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    Reader { root: schema, found: &mut found }.judge(schema, value, "$");
    found
}

struct Reader<'a> {
    root: &'a Value,
    found: &'a mut Vec<String>,
}

impl<'a> Reader<'a> {
    fn judge(&mut self, schema: &'a Value, value: &Value, at: &str) {
        let keywords = match schema {
            Value::Bool(true) => return,
            Value::Object(keywords) => keywords,
            _ => return self.breach(at, "nothing may stand there"),
        };
        for (keyword, bound) in keywords {
            match keyword.as_str() {
                "$ref" => self.referred(bound, value, at),
                "type" => self.typed(bound, value, at),
                "enum" => {
                    if !bound.as_array().is_some_and(|all| all.contains(value)) {
                        self.breach(at, &format!("{value} is none of {bound}"));
                    }
                }
                "const" => {
                    if value != bound {
                        self.breach(at, &format!("{value} is not {bound}"));
                    }
                }
                "anyOf" | "oneOf" => self.one_of(keyword, bound, value, at),
                "minimum" | "maximum" => self.bounded(keyword, bound, value, at),
                "minItems" | "maxItems" | "minProperties" => self.counted(keyword, bound, value, at),
                "required" => self.required(bound, value, at),
                "properties" | "additionalProperties" => {}
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.judge(bound, item, &format!("{at}[{index}]"));
                    }
                }
                other if DESCRIPTIONS.contains(&other) => {}
                other => self.breach(at, &format!("the keyword `{other}` of the schema is not understood")),
            }
        }
        if let Value::Object(members) = value {
            self.members(keywords, members, at);
        }
    }

    fn breach(&mut self, at: &str, what: &str) {
        self.found.push(format!("{at}: {what}"));
    }

    fn referred(&mut self, bound: &Value, value: &Value, at: &str) {
        let name = bound.as_str().and_then(|path| path.strip_prefix("#/$defs/"));
        match name.and_then(|name| self.root.get("$defs")?.get(name)) {
            Some(definition) => self.judge(definition, value, at),
            None => self.breach(at, &format!("{bound} names no definition")),
        }
    }

    fn typed(&mut self, bound: &Value, value: &Value, at: &str) {
        let one = std::slice::from_ref(bound);
        let names = bound.as_array().map_or(one, Vec::as_slice);
        if !names.iter().filter_map(Value::as_str).any(|name| is_of(name, value)) {
            self.breach(at, &format!("{value} is not of type {bound}"));
        }
    }

    fn one_of(&mut self, keyword: &str, bound: &'a Value, value: &Value, at: &str) {
        let mut kept = 0;
        for schema in bound.as_array().into_iter().flatten() {
            let mut found = Vec::new();
            Reader { root: self.root, found: &mut found }.judge(schema, value, at);
            kept += usize::from(found.is_empty());
        }
        if kept == 0 || (keyword == "oneOf" && kept > 1) {
            self.breach(at, &format!("{value} keeps to {kept} forms of `{keyword}`"));
        }
    }

    fn bounded(&mut self, keyword: &str, bound: &Value, value: &Value, at: &str) {
        let (Some(number), Some(end)) = (value.as_f64(), bound.as_f64()) else { return };
        if keyword == "minimum" && number < end {
            self.breach(at, &format!("{value} lies below {bound}"));
        }
        if keyword == "maximum" && number > end {
            self.breach(at, &format!("{value} lies above {bound}"));
        }
    }

    fn counted(&mut self, keyword: &str, bound: &Value, value: &Value, at: &str) {
        let (counted, least) = match value {
            Value::Array(items) => (items.len(), "minItems"),
            Value::Object(members) => (members.len(), "minProperties"),
            _ => return,
        };
        let (count, Some(end)) = (counted as u64, bound.as_u64()) else { return };
        if keyword == least && count < end {
            self.breach(at, &format!("{count} items are fewer than {bound}"));
        }
        if keyword == "maxItems" && value.is_array() && count > end {
            self.breach(at, &format!("{count} items are more than {bound}"));
        }
    }

    fn required(&mut self, bound: &Value, value: &Value, at: &str) {
        let Some(members) = value.as_object() else { return };
        for name in bound.as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !members.contains_key(name) {
                self.breach(at, &format!("`{name}` is missing"));
            }
        }
    }

    fn members(&mut self, keywords: &'a Map<String, Value>, members: &Map<String, Value>, at: &str) {
        let properties = keywords.get("properties").and_then(Value::as_object);
        for (name, value) in members {
            let own = properties.and_then(|all| all.get(name));
            if let Some(schema) = own.or_else(|| keywords.get("additionalProperties")) {
                self.judge(schema, value, &format!("{at}.{name}"));
            }
        }
    }
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {

    use serde_json::{Value, json};

    use super::breaches;

    #[track_caller]
    fn check(schema: Value, value: Value, expect: &[&str]) {
        assert_eq!(breaches(&schema, &value), expect);
    }

    #[test]
    fn every_keyword_binds() {
        check(json!({"type": ["string", "null"]}), json!(null), &[]);
        check(json!({"type": "integer"}), json!(1.5), &["$: 1.5 is not of type \"integer\""]);
        check(json!({"enum": ["a", "b"]}), json!("c"), &["$: \"c\" is none of [\"a\",\"b\"]"]);
        check(json!({"const": 1}), json!(2), &["$: 2 is not 1"]);
        check(json!({"maximum": 1}), json!(1.01), &["$: 1.01 lies above 1"]);
        check(json!({"items": {"type": "string"}}), json!(["a", 1]), &["$[1]: 1 is not of type \"string\""]);
        check(json!({"minItems": 2, "maxItems": 2}), json!([1, 2]), &[]);
        check(json!({"minItems": 2}), json!([1]), &["$: 1 items are fewer than 2"]);
        check(json!({"minProperties": 1}), json!({"a": 1}), &[]);
        check(json!({"minProperties": 1}), json!({}), &["$: 0 items are fewer than 1"]);
        check(json!({"maxItems": 2}), json!([1, 2, 3]), &["$: 3 items are more than 2"]);
        check(json!({"required": ["a"]}), json!({}), &["$: `a` is missing"]);
        check(
            json!({"properties": {"a": true}, "additionalProperties": false}),
            json!({"a": 1, "b": 2}),
            &["$.b: nothing may stand there"],
        );
        check(
            json!({"oneOf": [{"type": "integer"}, {"type": "number"}]}),
            json!(1),
            &["$: 1 keeps to 2 forms of `oneOf`"],
        );
        check(json!({"anyOf": [{"type": "integer"}, {"type": "number"}]}), json!(1), &[]);
        check(json!({"anyOf": [{"type": "null"}]}), json!(1), &["$: 1 keeps to 0 forms of `anyOf`"]);
        check(json!({"$ref": "#/$defs/A", "$defs": {"A": {"const": 1}}}), json!(2), &["$: 2 is not 1"]);
        check(json!({"$ref": "#/$defs/A"}), json!(2), &["$: \"#/$defs/A\" names no definition"]);
        check(json!({"pattern": "a"}), json!("a"), &["$: the keyword `pattern` of the schema is not understood"]);
    }
}
