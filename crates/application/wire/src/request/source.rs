//! A text that a request is about: the text itself, or the file that holds it.

use std::path::PathBuf;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// A text, or the file that holds it.
///
/// In JSON a string is the text itself, `{"path": "notes.md"}` a file that the program may read, `{"name": "a.ics", "text": "…"}` a text with the name of the
/// file that it stands for. On the command line it is a path, and `-` is stdin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The text itself.
    Text(String),
    /// The text, and the name of the file that it stands for.
    Named {
        /// The name, by which spans refer to it; its ending says how it is read.
        name: String,
        /// The text.
        text: String,
    },
    /// A file, or a folder where a use case takes one.
    Path(PathBuf),
    /// A file that came with the request, such as an upload. JSON has no such form.
    Bytes {
        /// Its name.
        name: String,
        /// What it holds.
        bytes: Vec<u8>,
    },
    /// A folder that came with the request. JSON has no such form.
    Folder {
        /// Its name.
        name: String,
        /// Its files, by their paths within it.
        files: Vec<(String, Vec<u8>)>,
    },
}

/// An empty text.
impl Default for Source {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl Source {
    /// The path, where the source is a file.
    #[must_use]
    pub fn path(&self) -> Option<PathBuf> {
        match self {
            Self::Path(path) => Some(path.clone()),
            _ => None,
        }
    }
}

/// The forms of a source that are objects.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Members {
    path: Option<PathBuf>,
    name: Option<String>,
    text: Option<String>,
}

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Source;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a text, or an object with `path`, or with `text` and `name`")
            }

            fn visit_str<E>(self, text: &str) -> Result<Source, E> {
                Ok(Source::Text(text.to_owned()))
            }

            fn visit_string<E>(self, text: String) -> Result<Source, E> {
                Ok(Source::Text(text))
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, members: A) -> Result<Source, A::Error> {
                let members = Members::deserialize(serde::de::value::MapAccessDeserializer::new(members))?;
                match members {
                    Members { path: Some(path), name: None, text: None } => Ok(Source::Path(path)),
                    Members { path: None, name: Some(name), text: Some(text) } => Ok(Source::Named { name, text }),
                    Members { path: None, name: None, text: Some(text) } => Ok(Source::Text(text)),
                    _ => Err(A::Error::custom("a source has either `path`, or `text` and a `name` if need be")),
                }
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl Serialize for Source {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Named { name, text } => {
                let mut members = serializer.serialize_map(Some(2))?;
                members.serialize_entry("name", name)?;
                members.serialize_entry("text", text)?;
                members.end()
            }
            Self::Path(path) => {
                let mut members = serializer.serialize_map(Some(1))?;
                members.serialize_entry("path", path)?;
                members.end()
            }
            Self::Bytes { name, .. } | Self::Folder { name, .. } => {
                Err(serde::ser::Error::custom(format!("{name}: bytes of a file have no JSON form")))
            }
        }
    }
}

impl JsonSchema for Source {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Source".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let text = json_schema!({"type": "string"});
        json_schema!({
            "description": "A text; or `path`, a file that the program may read; or a `text` with the `name` of the file that it stands for.",
            "anyOf": [
                text,
                {
                    "type": "object",
                    "properties": {"path": text},
                    "required": ["path"],
                    "additionalProperties": false,
                },
                {
                    "type": "object",
                    "properties": {"name": text, "text": text},
                    "required": ["text"],
                    "additionalProperties": false,
                },
            ],
        })
    }
}

/// One source, or a list of them: a member that takes one file or several.
pub(super) mod one_or_many {
    use super::{Deserialize, Deserializer, Serialize, Serializer, Source, Value};

    pub(in crate::request) fn serialize<S: Serializer>(sources: &[Source], serializer: S) -> Result<S::Ok, S::Error> {
        match sources {
            [only] => only.serialize(serializer),
            all => all.serialize(serializer),
        }
    }

    pub(in crate::request) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Source>, D::Error> {
        let one = |value: Value| Source::deserialize(value).map_err(serde::de::Error::custom);
        match Value::deserialize(deserializer)? {
            Value::Null => Ok(Vec::new()),
            Value::Array(all) => all.into_iter().map(one).collect(),
            value => Ok(vec![one(value)?]),
        }
    }
}

/// The schema of a member that takes one source or several.
pub(super) struct OneOrMany;

impl JsonSchema for OneOrMany {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Sources".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<Source>();
        json_schema!({"anyOf": [one, {"type": "array", "items": {"type": ["string", "object"]}}]})
    }
}

/// A path, as the command line gives it.
impl FromStr for Source {
    type Err = std::convert::Infallible;

    fn from_str(path: &str) -> Result<Self, Self::Err> {
        Ok(Self::Path(path.into()))
    }
}

/// Something that is JSON itself (an earlier result, a plan), or the file that holds it.
///
/// In JSON it is the value itself, or `{"path": "plan.json"}`. On the command line it is a path, and `-` is stdin.
#[derive(Clone, Debug, PartialEq)]
pub enum JsonSource {
    /// The value itself.
    Value(Value),
    /// Its text, which is not parsed yet, or a file. Of these JSON has the form of a path alone.
    Source(Source),
}

/// `null`.
impl Default for JsonSource {
    fn default() -> Self {
        Self::Value(Value::Null)
    }
}

impl JsonSource {
    /// The path, where the source is a file.
    #[must_use]
    pub fn path(&self) -> Option<PathBuf> {
        match self {
            Self::Source(source) => source.path(),
            Self::Value(_) => None,
        }
    }
}

impl<'de> Deserialize<'de> for JsonSource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let path = value.as_object().filter(|members| members.len() == 1).and_then(|members| members.get("path"));
        Ok(match path.and_then(Value::as_str) {
            Some(path) => Self::Source(Source::Path(path.into())),
            None => Self::Value(value),
        })
    }
}

impl Serialize for JsonSource {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Value(value) => value.serialize(serializer),
            Self::Source(Source::Text(text)) => {
                serde_json::from_str::<Value>(text).map_err(serde::ser::Error::custom)?.serialize(serializer)
            }
            Self::Source(source) => source.serialize(serializer),
        }
    }
}

/// A path, as the command line gives it.
impl FromStr for JsonSource {
    type Err = std::convert::Infallible;

    fn from_str(path: &str) -> Result<Self, Self::Err> {
        path.parse().map(Self::Source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, expect: &Source) {
        let read: Source = serde_json::from_str(json).unwrap();
        assert_eq!(&read, expect, "{json}");
        assert_eq!(serde_json::from_str::<Source>(&serde_json::to_string(&read).unwrap()).unwrap(), read);
    }

    #[test]
    fn a_member_takes_one_source_or_several() {
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        struct Member(#[serde(with = "one_or_many")] Vec<Source>);
        let read = |json: &str| serde_json::from_str::<Member>(json).unwrap();
        let (a, b) = (Source::Text("a".to_owned()), Source::Path("b.md".into()));
        assert_eq!(read("null"), Member(Vec::new()));
        for (json, expect) in [(r#""a""#, vec![a.clone()]), (r#"["a",{"path":"b.md"}]"#, vec![a, b])] {
            assert_eq!(read(json), Member(expect));
            assert_eq!(serde_json::to_string(&read(json)).unwrap(), json);
        }
        assert!(serde_json::from_str::<Member>("[1]").is_err());
    }

    #[test]
    fn sources_have_three_forms() {
        check(r#""the text""#, &Source::Text("the text".to_owned()));
        check(r#"{"text": "the text"}"#, &Source::Text("the text".to_owned()));
        check(r#"{"path": "a/b.md"}"#, &Source::Path("a/b.md".into()));
        check(r#"{"name": "a.md", "text": "x"}"#, &Source::Named { name: "a.md".to_owned(), text: "x".to_owned() });
        for wrong in ["{}", "1", "[]", r#"{"path": "a", "text": "b"}"#, r#"{"name": "a"}"#, r#"{"path": "a", "x": 1}"#]
        {
            assert!(serde_json::from_str::<Source>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_value_with_more_than_a_path_is_a_value() {
        let read = |json: &str| serde_json::from_str::<JsonSource>(json).unwrap();
        assert_eq!(read(r#"{"path": "plan.json"}"#), JsonSource::Source(Source::Path("plan.json".into())));
        assert!(matches!(read(r#"{"path": "plan.json", "plan": []}"#), JsonSource::Value(_)));
        assert!(matches!(read(r#"["a"]"#), JsonSource::Value(_)));
    }
}
