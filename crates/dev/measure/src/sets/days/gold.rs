//! Notes as their file has them: what is to be done, what is required, a plan that keeps it, plans that break one thing each.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use steadfast_text::Span;

/// Notes with their labels.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Note {
    pub(super) id: String,
    /// The current time, RFC 3339.
    pub(super) at: String,
    /// The zone, by its IANA name.
    pub(super) tz: String,
    pub(super) notes: String,
    pub(super) tasks: Vec<Task>,
    pub(super) constraints: Vec<Constraint>,
    pub(super) good_plan: Option<Plan>,
    pub(super) wrong_plans: Vec<Plan>,
}

/// Something to do.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Task {
    pub(super) name: String,
    pub(super) quote: String,
    #[serde(default)]
    pub(super) minutes: Option<i64>,
    #[serde(default)]
    pub(super) optional: bool,
}

/// What is required. Which members it has depends on its kind.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Constraint {
    pub(super) kind: String,
    pub(super) kind_alt: Vec<String>,
    pub(super) quote: String,
    pub(super) name: Option<String>,
    pub(super) task: Option<String>,
    pub(super) tasks: Option<Vec<String>>,
    pub(super) one_of: Option<Vec<String>>,
    pub(super) except: Vec<String>,
    #[serde(deserialize_with = "one_or_many")]
    pub(super) first: Vec<String>,
    #[serde(deserialize_with = "one_or_many")]
    pub(super) then: Vec<String>,
    /// Tasks that may be done during an event; "*" for all.
    #[serde(deserialize_with = "one_or_many")]
    pub(super) allow: Vec<String>,
    #[serde(deserialize_with = "instant")]
    pub(super) start_iso: Option<Timestamp>,
    #[serde(deserialize_with = "instant")]
    pub(super) end_iso: Option<Timestamp>,
    pub(super) minutes: Option<i64>,
    pub(super) min_minutes: Option<i64>,
    pub(super) max_minutes: Option<i64>,
    pub(super) gap_min: i64,
    pub(super) gap_max: Option<i64>,
    pub(super) max_run: Option<i64>,
    pub(super) break_minutes: Option<i64>,
    pub(super) tolerance_minutes: i64,
    pub(super) each: bool,
    pub(super) split: bool,
    pub(super) approx: bool,
    pub(super) op: Option<String>,
    pub(super) requires: Option<bool>,
}

/// An instant, RFC 3339.
fn instant<'de, D: serde::Deserializer<'de>>(given: D) -> Result<Option<Timestamp>, D::Error> {
    let text = Option::<String>::deserialize(given)?;
    text.map(|text| text.parse().map_err(serde::de::Error::custom)).transpose()
}

/// Either a value or a list of values.
fn one_or_many<'de, D: serde::Deserializer<'de>>(given: D) -> Result<Vec<String>, D::Error> {
    let value = serde_json::Value::deserialize(given)?;
    let many = if value.is_array() { value } else { serde_json::Value::Array(vec![value]) };
    Vec::<String>::deserialize(many.into_deserializer()).map_err(serde::de::Error::custom)
}

/// A plan, and what it breaks if it does.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Plan {
    pub(super) items: Vec<Item>,
    pub(super) breaks: Option<Breaks>,
}

/// The one thing that a wrong plan breaks: a constraint by its place, or what holds for every plan.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Breaks {
    pub(super) constraint: Option<usize>,
    pub(super) invariant: Option<String>,
}

/// An item of a plan.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Item {
    pub(super) task: String,
    pub(super) start: String,
    pub(super) end: String,
    pub(super) timebox_minutes: i64,
    pub(super) why: String,
}

impl Note {
    /// Where words of the notes stand, the first time.
    pub(super) fn span(&self, quote: &str) -> Span {
        let at = self.notes.find(quote).unwrap_or(self.notes.len());
        Span { start: at, end: (at + quote.len()).min(self.notes.len()) }
    }
}

impl Constraint {
    /// Whether it says that something is nothing to plan today.
    pub(super) fn sets_apart(&self) -> bool {
        matches!(self.kind.as_str(), "not_today" | "noise")
    }

    /// The kinds that it may be read as.
    pub(super) fn kinds(&self) -> BTreeSet<&str> {
        std::iter::once(self.kind.as_str()).chain(self.kind_alt.iter().map(String::as_str)).collect()
    }
}
