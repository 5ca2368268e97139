//! JSON, read more strictly than the parser does by itself: no name twice in an object.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// A value as it stands in a reply.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Flag(bool),
    Integer(i64),
    Number(f64),
    Text(String),
    List(Vec<Value>),
    /// In the order of the reply.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// What it is, for messages.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Flag(_) => "true or false",
            Self::Integer(_) | Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// The first JSON value of a text, and how many bytes of it were read. Nesting is bounded by the parser (128 levels).
///
/// # Errors
/// What is wrong, with line and column.
pub(crate) fn first(text: &str) -> Result<(Value, usize), String> {
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    match stream.next() {
        Some(Ok(value)) => Ok((value, stream.byte_offset())),
        Some(Err(error)) => Err(error.to_string()),
        None => Err("there is no JSON value".to_owned()),
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Flag(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Integer(value))
    }

    #[expect(clippy::cast_precision_loss, reason = "an integer above 2^63 is no integer that any schema allows")]
    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or(Value::Number(value as f64), Value::Integer))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object: Vec<(String, Value)> = Vec::new();
        let mut names = std::collections::BTreeSet::new();
        while let Some((name, value)) = members.next_entry::<String, Value>()? {
            if !names.insert(name.clone()) {
                return Err(A::Error::custom(format!("`{}` stands twice in an object", name.escape_debug())));
            }
            object.push((name, value));
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::{Value, first};

    #[test]
    fn the_first_value_is_read_and_the_rest_left() {
        assert_eq!(
            first("{\"a\": [1, 2.5, null, true]} and").unwrap(),
            (
                Value::Object(vec![(
                    "a".to_owned(),
                    Value::List(vec![Value::Integer(1), Value::Number(2.5), Value::Null, Value::Flag(true)])
                )]),
                27
            )
        );
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in [
            "",
            "{",
            "{\"a\": NaN}",
            "{\"a\": Infinity}",
            "{\"a\": 1e999}",
            "{\"a\": \"\\ud800\"}",
            "{\"a\": 1, \"a\": 2}",
            "{\"a\": {\"b\": 1, \"\\u0062\": 2}}",
            "{'a': 1}",
            "{\"a\": 1,}",
            "{\"a\": \"line\nbreak\"}",
            "[01]",
        ] {
            assert!(first(text).is_err(), "{text}");
        }
        assert!(first(&"[".repeat(100_000)).is_err());
    }
}
