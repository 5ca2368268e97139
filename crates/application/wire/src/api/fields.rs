//! Which members of an answer are asked for.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::{Error, to_json};

/// What has a JSON form, and a schema of it.
pub trait Published: Serialize + JsonSchema {}

impl<T: Serialize + JsonSchema> Published for T {}

/// The members of an answer, or of each row of a list, that somebody asked for by `fields`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields(Vec<String>);

/// A name among `fields` that no member has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownField {
    /// The name.
    pub name: String,
    /// The names that there are.
    pub known: Vec<String>,
}

impl fmt::Display for UnknownField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: String = self.name.chars().filter(|c| !c.is_control()).take(60).collect();
        write!(f, "names `{shown}`: there are {}", self.known.join(", "))
    }
}

impl Fields {
    /// These members of those that there are: [`members`](super::members) of the answer, or of a row.
    ///
    /// # Errors
    /// [`UnknownField`] for the first name that is none of them.
    pub fn of<S: Into<String>>(
        names: impl IntoIterator<Item = S>,
        known: impl FnOnce() -> Vec<String>,
    ) -> Result<Self, UnknownField> {
        let (names, known): (Vec<String>, _) = (names.into_iter().map(Into::into).collect(), known());
        match names.iter().find(|name| !known.contains(name)) {
            Some(name) => Err(UnknownField { name: name.clone(), known }),
            None => Ok(Self(names)),
        }
    }

    /// An answer as [`to_json`] writes it, with only these members; where `rows` names the member of its rows, with only these members of each row.
    ///
    /// # Errors
    /// [`Error::Write`] where it has no JSON form; no type of this crate is without one.
    pub fn json<T: Serialize>(&self, value: &T, rows: Option<&str>) -> Result<String, Error> {
        let mut value = serde_json::to_value(value).map_err(Error::Write)?;
        match rows {
            None => self.keep(&mut value),
            Some(rows) => self.keep_of_rows(&mut value, rows),
        }
        to_json(&value)
    }

    /// Leaves only these members of an object.
    pub fn keep(&self, value: &mut Value) {
        if let Value::Object(members) = value {
            members.retain(|name, _| self.0.contains(name));
        }
    }

    /// Leaves only these members of each row of a list, whose rows stand in the member `rows`.
    fn keep_of_rows(&self, value: &mut Value, rows: &str) {
        if let Some(Value::Array(rows)) = value.get_mut(rows) {
            rows.iter_mut().for_each(|row| self.keep(row));
        }
    }
}

/// Names that were looked up already.
impl From<Vec<String>> for Fields {
    fn from(names: Vec<String>) -> Self {
        Self(names)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Fields;

    fn known() -> Vec<String> {
        ["id", "verb", "verdict"].map(str::to_owned).to_vec()
    }

    #[test]
    fn only_what_is_asked_for_stays() {
        let fields = Fields::of(["id", "verdict"], known).unwrap();
        let mut one = json!({"id": 1, "verb": "audit", "verdict": null});
        fields.keep(&mut one);
        assert_eq!(one, json!({"id": 1, "verdict": null}));
        let list = json!({"runs": [{"id": 1, "verb": "audit"}, {"verb": "plan"}], "next_cursor": "c"});
        let written: Value = serde_json::from_str(&fields.json(&list, Some("runs")).unwrap()).unwrap();
        assert_eq!(written, json!({"runs": [{"id": 1}, {}], "next_cursor": "c"}));
        assert_eq!(fields.json(&list, None).unwrap(), "{}\n");
    }

    #[test]
    fn a_name_of_nothing_is_refused_and_shown_without_its_control_characters() {
        let refused = Fields::of(["id", "\u{1b}[2Jver"], known).unwrap_err();
        assert_eq!(refused.to_string(), "names `[2Jver`: there are id, verb, verdict");
    }
}
