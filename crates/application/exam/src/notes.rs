//! Labelled notes: what is to be done, what is required, a plan that keeps it, plans that break one thing each; and whether what a program makes of them is right.

mod judge;
mod outcome;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use steadfast_text::Span;

pub use judge::{Broken, Placed, minutes, violations};
pub use outcome::{Outcome, named, outcome, read_by_rules, settings, stems_of};

/// Notes with their labels.
#[derive(Clone, Debug, Deserialize)]
pub struct Note {
    /// Its name.
    pub id: String,
    /// The current time, RFC 3339.
    pub at: String,
    /// The zone, by its IANA name.
    pub tz: String,
    /// The text.
    pub notes: String,
    /// What is to be done.
    pub tasks: Vec<Task>,
    /// What is required, and what only looks like it.
    pub constraints: Vec<Constraint>,
    /// A plan that keeps all of it; `None` where there is none.
    pub good_plan: Option<Plan>,
    /// Plans that break one thing each.
    pub wrong_plans: Vec<Plan>,
}

/// Something to do.
#[derive(Clone, Debug, Deserialize)]
pub struct Task {
    /// Its name, in words of the notes.
    pub name: String,
    /// The words that say it.
    pub quote: String,
    /// How long it takes, where the notes say so.
    #[serde(default)]
    pub minutes: Option<i64>,
    /// Whether it may be left out.
    #[serde(default)]
    pub optional: bool,
}

/// What is required. Which members it has depends on its kind.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Constraint {
    /// Its kind.
    pub kind: String,
    /// Other kinds that it may be read as.
    pub kind_alt: Vec<String>,
    /// The words that say it.
    pub quote: String,
    /// What an event is called.
    pub name: Option<String>,
    /// The task that it is about; `None` for the whole day.
    pub task: Option<String>,
    /// The tasks that it is about, where there are several.
    pub tasks: Option<Vec<String>>,
    /// Tasks of which one at most is done.
    pub one_of: Option<Vec<String>>,
    /// Tasks that it leaves alone.
    pub except: Vec<String>,
    /// What comes first.
    #[serde(deserialize_with = "one_or_many")]
    pub first: Vec<String>,
    /// What comes after it.
    #[serde(deserialize_with = "one_or_many")]
    pub then: Vec<String>,
    /// Tasks that may be done during an event; "*" for all.
    #[serde(deserialize_with = "one_or_many")]
    pub allow: Vec<String>,
    /// From when.
    #[serde(deserialize_with = "instant")]
    pub start_iso: Option<Timestamp>,
    /// Until when.
    #[serde(deserialize_with = "instant")]
    pub end_iso: Option<Timestamp>,
    /// A length.
    pub minutes: Option<i64>,
    /// The least of a length.
    pub min_minutes: Option<i64>,
    /// The most of a length.
    pub max_minutes: Option<i64>,
    /// Minutes between `first` and `then`, at least.
    pub gap_min: i64,
    /// The same, at most.
    pub gap_max: Option<i64>,
    /// Minutes that work may go on without a break.
    pub max_run: Option<i64>,
    /// Minutes that make a break.
    pub break_minutes: Option<i64>,
    /// Minutes that an event may be moved by.
    pub tolerance_minutes: i64,
    /// Whether a length is that of each part.
    pub each: bool,
    /// Whether the task may be done in parts.
    pub split: bool,
    /// Whether the time is approximate.
    pub approx: bool,
    /// `max` or `min`, of a total.
    pub op: Option<String>,
    /// Whether `first` has to be there where `then` is.
    pub requires: Option<bool>,
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
pub struct Plan {
    /// Its items.
    pub items: Vec<Item>,
    /// What it breaks; `None` where it breaks nothing.
    pub breaks: Option<Breaks>,
}

/// The one thing that a wrong plan breaks: a constraint by its place, or what holds for every plan.
#[derive(Clone, Debug, Deserialize)]
pub struct Breaks {
    /// The constraint, by its place.
    pub constraint: Option<usize>,
    /// What holds for every plan.
    pub invariant: Option<String>,
}

/// An item of a plan.
#[derive(Clone, Debug, Deserialize)]
pub struct Item {
    /// What is done.
    pub task: String,
    /// From when, RFC 3339.
    pub start: String,
    /// Until when, RFC 3339.
    pub end: String,
    /// For how long.
    pub timebox_minutes: i64,
    /// Why.
    pub why: String,
}

impl Note {
    /// Where words of the notes stand, the first time.
    #[must_use]
    pub fn span(&self, quote: &str) -> Span {
        let at = self.notes.find(quote).unwrap_or(self.notes.len());
        Span { start: at, end: (at + quote.len()).min(self.notes.len()) }
    }
}

impl Constraint {
    /// Whether it says that something is nothing to plan today.
    #[must_use]
    pub fn sets_apart(&self) -> bool {
        matches!(self.kind.as_str(), "not_today" | "noise")
    }

    /// The kinds that it may be read as.
    #[must_use]
    pub fn kinds(&self) -> BTreeSet<&str> {
        std::iter::once(self.kind.as_str()).chain(self.kind_alt.iter().map(String::as_str)).collect()
    }
}
