//! The form of a reply: one flat object, read strictly.

use std::fmt::Write as _;

use crate::json::{self, Value};

/// Most faults that are told of one reply.
const FAULTS_MAX: usize = 8;

/// Longest part of a value that a fault repeats, in characters.
const SHOWN_CHARACTERS_MAX: usize = 40;

/// The form of a reply: an object with these fields, all of them required, and no other. Objects stand in lists of one level alone,
/// since servers differ in what they make of deeper ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// Its name, where a server wants one: letters, digits and `_`.
    pub name: &'static str,
    /// The fields, in the order in which they are asked for.
    pub fields: Vec<Field>,
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What belongs there, for the model.
    pub hint: &'static str,
    /// What it may hold.
    pub form: Form,
}

/// What a field may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A string. Empty where there is nothing to say.
    Text {
        /// How long it may be.
        characters_max: usize,
    },
    /// A whole number.
    Integer {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// `true` or `false`.
    Flag,
    /// One of these strings.
    Choice(&'static [&'static str]),
    /// A list of strings.
    Texts {
        /// How many.
        items_max: usize,
        /// How long each may be.
        characters_max: usize,
    },
    /// A list of objects, whose fields are no objects.
    Records {
        /// How many.
        items_max: usize,
        /// The fields of each.
        fields: Vec<Field>,
    },
}

impl Field {
    /// A field.
    #[must_use]
    pub const fn new(name: &'static str, hint: &'static str, form: Form) -> Self {
        Self { name, hint, form }
    }
}

/// A reply that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// What it says.
    pub record: Record,
    /// What stood around it and was taken off.
    pub taken: Vec<Taken>,
}

/// What stood around the object of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// A block of thoughts at its beginning.
    Thoughts,
    /// A code fence.
    Fence,
    /// Words before it.
    Before,
    /// Words or characters behind it.
    Behind,
}

impl Schema {
    /// A form of this name with these fields.
    #[must_use]
    pub const fn new(name: &'static str, fields: Vec<Field>) -> Self {
        Self { name, fields }
    }

    /// It as a JSON Schema, for servers that hold a model to one. Of bounds it has only those on the length of lists, and these only where
    /// `list_bounds` says so: servers refuse schemas with more, and [`Schema::read`] checks them all.
    #[must_use]
    pub fn json_schema(&self, list_bounds: bool) -> String {
        object(&self.fields, list_bounds).to_string()
    }

    /// It in words, for the instructions: servers may ignore a schema, and models write better what they were told.
    #[must_use]
    pub fn in_words(&self) -> String {
        let mut words =
            "Reply with one JSON object and nothing else: no introduction, no code fence, no comment. All fields are \
                         required, and there are no others:\n"
                .to_owned();
        for field in &self.fields {
            describe(&mut words, field, "- ");
        }
        words
    }

    /// Reads a reply: a block of thoughts, a code fence and words around the one object are taken off; the object is held to this form.
    ///
    /// # Errors
    /// What is wrong, each with its place, at most eight; nothing of the reply is used then.
    pub fn read(&self, reply: &str) -> Result<Reading, Vec<String>> {
        let mut taken = Vec::new();
        let value = unwrapped(reply, &mut taken).map_err(|fault| vec![fault])?;
        let mut faults = Faults(Vec::new());
        let record = record(&self.fields, value, "", &mut faults);
        if faults.0.is_empty() { Ok(Reading { record, taken }) } else { Err(faults.0) }
    }
}

/// The one object of a reply.
fn unwrapped(reply: &str, taken: &mut Vec<Taken>) -> Result<Value, String> {
    let mut text = reply.trim_start_matches('\u{FEFF}').trim();
    if let Some((_, rest)) = text.strip_prefix("<think>").and_then(|rest| rest.split_once("</think>")) {
        taken.push(Taken::Thoughts);
        text = rest.trim();
    }
    let Some(start) = text.find('{') else {
        return Err(if text.is_empty() { "the reply is empty" } else { "the reply holds no JSON object" }.to_owned());
    };
    let before = &text[..start];
    // A list of objects is another form: an object out of the middle of it is not the reply.
    if before.contains('[') {
        return Err("the reply is a list, not an object".to_owned());
    }
    let (value, read) = json::first(&text[start..]).map_err(|error| format!("it is no JSON: {error}"))?;
    let behind = &text[start + read..];
    if behind.contains('{') {
        return Err("the reply holds more than one object".to_owned());
    }
    let fenced = |text: &str| text.contains("```");
    if fenced(before) || fenced(behind) {
        taken.push(Taken::Fence);
    }
    let words = |text: &str| text.split("```").any(|part| !["", "json", "JSON"].contains(&part.trim()));
    if words(before) {
        taken.push(Taken::Before);
    }
    if words(behind) {
        taken.push(Taken::Behind);
    }
    Ok(value)
}

struct Faults(Vec<String>);

impl Faults {
    fn tell(&mut self, path: &str, what: &str) {
        if self.0.len() < FAULTS_MAX {
            self.0.push(if path.is_empty() { format!("the reply {what}") } else { format!("`{path}` {what}") });
        }
    }
}

fn record(fields: &[Field], value: Value, path: &str, faults: &mut Faults) -> Record {
    let Value::Object(mut members) = value else {
        faults.tell(path, &format!("is {}, not an object", value.kind()));
        return Record::default();
    };
    let mut record = Record::default();
    for field in fields {
        let place = if path.is_empty() { field.name.to_owned() } else { format!("{path}.{}", field.name) };
        match members.iter().position(|(name, _)| name == field.name) {
            None => faults.tell(&place, "is missing"),
            Some(at) => {
                let (_, value) = members.swap_remove(at);
                if let Some(held) = held(&field.form, value, &place, faults) {
                    record.fields.push((field.name, held));
                }
            }
        }
    }
    for (name, _) in members {
        let name: String = name.chars().take(SHOWN_CHARACTERS_MAX).collect();
        faults.tell(path, &format!("has a field `{}` that was not asked for", name.escape_debug()));
    }
    record
}

fn held(form: &Form, value: Value, place: &str, faults: &mut Faults) -> Option<Held> {
    match (form, value) {
        (Form::Text { characters_max }, Value::Text(text)) => {
            length(&text, *characters_max, place, faults).then_some(Held::Text(text))
        }
        (Form::Integer { min, max }, Value::Integer(number)) => {
            if (min..=max).contains(&&number) {
                return Some(Held::Integer(number));
            }
            faults.tell(place, &format!("is {number}, not between {min} and {max}"));
            None
        }
        (Form::Flag, Value::Flag(flag)) => Some(Held::Flag(flag)),
        (Form::Choice(choices), Value::Text(text)) => {
            if let Some(choice) = choices.iter().find(|choice| **choice == text) {
                return Some(Held::Text((*choice).to_owned()));
            }
            let shown: String = text.chars().take(SHOWN_CHARACTERS_MAX).collect();
            faults.tell(place, &format!("is \"{}\", not one of {}", shown.escape_debug(), choices.join(", ")));
            None
        }
        (Form::Texts { items_max, characters_max }, Value::List(items)) => {
            if items.len() > *items_max {
                faults.tell(place, &format!("has {} items, more than {items_max}", items.len()));
                return None;
            }
            let mut texts = Vec::with_capacity(items.len());
            for (index, item) in items.into_iter().enumerate() {
                let place = format!("{place}[{index}]");
                match item {
                    Value::Text(text) => {
                        if length(&text, *characters_max, &place, faults) {
                            texts.push(text);
                        }
                    }
                    other => faults.tell(&place, &format!("is {}, not a string", other.kind())),
                }
            }
            Some(Held::Texts(texts))
        }
        (Form::Records { items_max, fields }, Value::List(items)) => {
            if items.len() > *items_max {
                faults.tell(place, &format!("has {} items, more than {items_max}", items.len()));
                return None;
            }
            let each = items.into_iter().enumerate();
            Some(Held::Records(
                each.map(|(index, item)| record(fields, item, &format!("{place}[{index}]"), faults)).collect(),
            ))
        }
        (form, value) => {
            faults.tell(place, &format!("is {}, not {}", value.kind(), expected(form)));
            None
        }
    }
}

fn length(text: &str, characters_max: usize, place: &str, faults: &mut Faults) -> bool {
    let characters = text.chars().count();
    if characters > characters_max {
        faults.tell(place, &format!("has {characters} characters, more than {characters_max}"));
    }
    characters <= characters_max
}

fn expected(form: &Form) -> String {
    match form {
        Form::Text { characters_max } => format!("a string of at most {characters_max} characters"),
        Form::Integer { min, max } => format!("a whole number from {min} to {max}"),
        Form::Flag => "true or false".to_owned(),
        Form::Choice(choices) => format!("one of {}", choices.join(", ")),
        Form::Texts { items_max, characters_max } => {
            format!("a list of at most {items_max} strings of at most {characters_max} characters")
        }
        Form::Records { items_max, .. } => format!("a list of at most {items_max} objects"),
    }
}

fn describe(words: &mut String, field: &Field, indent: &str) {
    let _ = writeln!(words, "{indent}`{}`: {}; {}", field.name, expected(&field.form), field.hint);
    if let Form::Records { fields, .. } = &field.form {
        for field in fields {
            describe(words, field, &format!("  {indent}"));
        }
    }
}

fn object(fields: &[Field], list_bounds: bool) -> serde_json::Value {
    let properties: serde_json::Map<String, serde_json::Value> =
        fields.iter().map(|field| (field.name.to_owned(), typed(field, list_bounds))).collect();
    let required: Vec<&str> = fields.iter().map(|field| field.name).collect();
    serde_json::json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn typed(field: &Field, list_bounds: bool) -> serde_json::Value {
    use serde_json::json;
    let list = |items: serde_json::Value, items_max: usize| {
        if list_bounds {
            json!({"type": "array", "items": items, "maxItems": items_max})
        } else {
            json!({"type": "array", "items": items})
        }
    };
    let mut typed = match &field.form {
        Form::Text { .. } => json!({"type": "string"}),
        Form::Integer { .. } => json!({"type": "integer"}),
        Form::Flag => json!({"type": "boolean"}),
        Form::Choice(choices) => json!({"type": "string", "enum": choices}),
        Form::Texts { items_max, .. } => list(json!({"type": "string"}), *items_max),
        Form::Records { items_max, fields } => list(object(fields, list_bounds), *items_max),
    };
    if let Some(members) = typed.as_object_mut() {
        members.insert("description".to_owned(), json!(field.hint));
    }
    typed
}

/// An object of the form that was asked for. Asking it for a field that the form does not have gives what is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    fields: Vec<(&'static str, Held)>,
}

#[derive(Clone, Debug, PartialEq)]
enum Held {
    Text(String),
    Integer(i64),
    Flag(bool),
    Texts(Vec<String>),
    Records(Vec<Record>),
}

impl Record {
    fn get(&self, name: &str) -> Option<&Held> {
        self.fields.iter().find(|(own, _)| *own == name).map(|(_, held)| held)
    }

    /// A text or choice.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Some(Held::Text(text)) => text,
            _ => "",
        }
    }

    /// A whole number.
    #[must_use]
    pub fn integer(&self, name: &str) -> i64 {
        match self.get(name) {
            Some(Held::Integer(number)) => *number,
            _ => 0,
        }
    }

    /// Whether a flag is set.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.get(name), Some(Held::Flag(true)))
    }

    /// A list of texts.
    #[must_use]
    pub fn texts(&self, name: &str) -> &[String] {
        match self.get(name) {
            Some(Held::Texts(texts)) => texts,
            _ => &[],
        }
    }

    /// A list of objects.
    #[must_use]
    pub fn records(&self, name: &str) -> &[Self] {
        match self.get(name) {
            Some(Held::Records(records)) => records,
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FAULTS_MAX, Field, Form, Schema, Taken};

    fn schema() -> Schema {
        Schema::new(
            "verdict",
            vec![
                Field::new("title", "what it is about", Form::Text { characters_max: 5 }),
                Field::new("risk", "how bad", Form::Choice(&["low", "high"])),
                Field::new("score", "how good", Form::Integer { min: 0, max: 5 }),
                Field::new("sure", "whether it is", Form::Flag),
                Field::new("notes", "what else", Form::Texts { items_max: 2, characters_max: 3 }),
                Field::new(
                    "faults",
                    "each fault",
                    Form::Records {
                        items_max: 2,
                        fields: vec![Field::new("quote", "verbatim", Form::Text { characters_max: 9 })],
                    },
                ),
            ],
        )
    }

    const GOOD: &str =
        r#"{"title": "a", "risk": "low", "score": 5, "sure": true, "notes": ["x"], "faults": [{"quote": "q"}]}"#;

    #[track_caller]
    fn refused(reply: &str, wanted: &[&str]) {
        assert_eq!(schema().read(reply).unwrap_err(), wanted, "{reply}");
    }

    #[test]
    fn a_right_reply_is_read() {
        let reading = schema().read(GOOD).unwrap();
        let record = reading.record;
        assert!(reading.taken.is_empty());
        assert_eq!((record.text("title"), record.text("risk"), record.integer("score")), ("a", "low", 5));
        assert!(record.flag("sure"));
        assert_eq!(record.texts("notes"), ["x"]);
        assert_eq!(record.records("faults").iter().map(|fault| fault.text("quote")).collect::<Vec<_>>(), ["q"]);
        assert_eq!((record.text("other"), record.texts("title").len()), ("", 0));
    }

    #[test]
    fn what_stands_around_it_is_taken_off_and_told() {
        for (before, behind, taken) in [
            ("\u{FEFF}  ", "\n", vec![]),
            ("```json\n", "\n```", vec![Taken::Fence]),
            ("```\n", "\n```\n", vec![Taken::Fence]),
            ("Here it is:\n", "", vec![Taken::Before]),
            ("", " I hope that helps.", vec![Taken::Behind]),
            ("", "}", vec![Taken::Behind]),
            ("Sure!\n```json\n", "\n```\nDone.", vec![Taken::Fence, Taken::Before, Taken::Behind]),
            ("<think>{\"a\": 1} or [2]</think>\n", "", vec![Taken::Thoughts]),
        ] {
            let reading = schema().read(&format!("{before}{GOOD}{behind}")).unwrap();
            assert_eq!(reading.taken, taken, "{before}…{behind}");
            assert_eq!(reading.record.integer("score"), 5);
        }
    }

    #[test]
    fn what_is_no_single_object_is_refused() {
        refused("", &["the reply is empty"]);
        refused("I cannot help.", &["the reply holds no JSON object"]);
        refused(&format!("[{GOOD}]"), &["the reply is a list, not an object"]);
        refused(&format!("{GOOD}\n{GOOD}"), &["the reply holds more than one object"]);
        refused("{\"title\": NaN}", &["it is no JSON: expected value at line 1 column 11"]);
        assert!(schema().read(&GOOD[..GOOD.len() - 1]).is_err());
    }

    #[test]
    fn each_fault_is_told_with_its_place() {
        refused(&GOOD.replace("\"a\"", "\"abcdef\""), &["`title` has 6 characters, more than 5"]);
        refused(&GOOD.replace("low", "medium"), &["`risk` is \"medium\", not one of low, high"]);
        refused(&GOOD.replace("\"score\": 5", "\"score\": 6"), &["`score` is 6, not between 0 and 5"]);
        refused(
            &GOOD.replace("\"score\": 5", "\"score\": 5.0"),
            &["`score` is a number, not a whole number from 0 to 5"],
        );
        refused(&GOOD.replace("true", "\"yes\""), &["`sure` is a string, not true or false"]);
        refused(&GOOD.replace("[\"x\"]", "[\"x\", \"y\", \"z\"]"), &["`notes` has 3 items, more than 2"]);
        refused(
            &GOOD.replace("[\"x\"]", "[\"wxyz\", 1]"),
            &["`notes[0]` has 4 characters, more than 3", "`notes[1]` is a number, not a string"],
        );
        refused(
            &GOOD.replace("{\"quote\": \"q\"}", "{}, 3"),
            &["`faults[0].quote` is missing", "`faults[1]` is a number, not an object"],
        );
        refused(
            &GOOD.replace("{\"title\"", "{\"extra\": 1, \"title\""),
            &["the reply has a field `extra` that was not asked for"],
        );
    }

    #[test]
    fn a_long_list_of_faults_is_cut() {
        let faults = schema().read("{}").unwrap_err();
        assert_eq!(faults.len(), 6);
        let many: Vec<String> = (0..20).map(|n| format!("\"x{n}\": 1")).collect();
        assert_eq!(schema().read(&format!("{{{}}}", many.join(","))).unwrap_err().len(), FAULTS_MAX);
    }

    #[test]
    fn the_schema_says_the_same_in_json_and_in_words() {
        let bounded = schema().json_schema(true);
        assert!(
            bounded.contains(r#""maxItems":2"#) && bounded.contains(r#""additionalProperties":false"#),
            "{bounded}"
        );
        assert!(!schema().json_schema(false).contains("maxItems"));
        let words = schema().in_words();
        assert!(words.contains("- `risk`: one of low, high; how bad\n"), "{words}");
        assert!(words.contains("\n  - `quote`: a string of at most 9 characters; verbatim\n"), "{words}");
    }
}
