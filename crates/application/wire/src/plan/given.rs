//! Somebody's plan, as `plan check` takes it.

use std::fmt;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::misread::Misread;

/// An item of somebody's plan. What is not given cannot be checked, and the result says so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GivenItem {
    /// What is to be done.
    #[serde(default)]
    pub task: Option<String>,
    /// Why.
    #[serde(default)]
    pub why: Option<String>,
    /// For how many minutes.
    #[serde(default)]
    pub timebox_minutes: Option<i64>,
    /// From when: RFC 3339, a date and time without offset, a clock time of the current day, or `Day n`.
    #[serde(default)]
    pub start: Option<String>,
    /// Until when, in the same forms.
    #[serde(default)]
    pub end: Option<String>,
    /// With whom: a name, or a list of names.
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(with = "OneOrMany")]
    pub with: Vec<String>,
    /// Where.
    #[serde(default)]
    pub place: Option<String>,
    /// What our own plans say of their items; it is not read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraint_ids: Vec<String>,
}

/// A name or a list of names, for the schema.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "its schema alone is used")]
enum OneOrMany {
    Nobody(()),
    One(String),
    Many(Vec<String>),
}

fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    struct Names;
    impl<'de> Visitor<'de> for Names {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a name or a list of names")
        }

        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(Vec::new())
        }

        fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
            Ok(vec![name.to_owned()])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut names: A) -> Result<Self::Value, A::Error> {
            let mut all = Vec::new();
            while let Some(name) = names.next_element()? {
                all.push(name);
            }
            Ok(all)
        }
    }
    deserializer.deserialize_any(Names)
}

/// Somebody's plan: a list of items, or a response of which the items alone are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenPlan {
    /// Its items, in their order.
    pub items: Vec<GivenItem>,
}

/// An item that has names for its members: a derived reader takes a list of their values as well, which no schema says.
struct Named(GivenItem);

impl<'de> Deserialize<'de> for Named {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Named;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an item, which is an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Self::Value, A::Error> {
                GivenItem::deserialize(MapAccessDeserializer::new(members)).map(Named)
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// A response: what is beside its items is not read.
#[derive(Deserialize)]
struct Response {
    plan: Vec<Named>,
}

impl GivenPlan {
    /// Reads a plan from JSON: a response, its `plan`, or any list of items. A byte order mark is accepted; members of an item that
    /// nobody knows are refused.
    ///
    /// # Errors
    /// [`Misread`] with line and column where the text is no such JSON.
    pub fn read(json: &str) -> Result<Self, Misread> {
        let json = json.strip_prefix('\u{feff}').unwrap_or(json);
        let items = if json.trim_start().starts_with('{') {
            serde_json::from_str(json).map(|response: Response| response.plan)
        } else {
            serde_json::from_str(json)
        };
        let items: Vec<Named> = items.map_err(|error| Misread::parser(1, &error))?;
        Ok(Self { items: items.into_iter().map(|Named(item)| item).collect() })
    }
}
