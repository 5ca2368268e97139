//! Which tasks and events of the notes an item carries out, by the stems of its words.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use steadfast_language::content_stems;

use crate::model::{Notes, Rule, intent, vocabulary};

/// Share of a task's weight that an item's words must exceed to carry it out. Uncalibrated: more than half.
const SHARE_OVER: f64 = 0.5;

/// What a verb weighs that goes with any task: "prepare slides" is about slides.
const LIGHT_WEIGHT: f64 = 0.5;

/// Verbs that go with any task.
static LIGHT: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    vocabulary(
        "add answer attend book call check clean complete continue create discuss do draft email finalise finish fix get go \
         handle make meet message need order organise pay phone pick plan prep prepare read reply respond review ring run \
         send set sort start submit sync take talk tidy update visit work write",
    )
});

/// Words that may stand beside an event's name without making something else of it.
static ATTENDING: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    vocabulary("appointment attend call daily event go join meet session take today visit week weekly")
});

/// Finds the tasks that words name.
#[derive(Clone, Debug)]
pub struct Matcher {
    /// For each stem the tasks that have it, and what it weighs there.
    places: HashMap<String, (f64, Vec<usize>)>,
    /// The weight of each task.
    weights: Vec<f64>,
}

impl Matcher {
    /// A matcher of the tasks of `notes`. A stem that several tasks share tells them apart less, so it weighs less: its
    /// weight is one over their number, half of that for a verb that goes with anything.
    #[must_use]
    pub fn new(notes: &Notes) -> Self {
        let mut places: HashMap<String, (f64, Vec<usize>)> = HashMap::new();
        for (at, task) in notes.tasks.iter().enumerate() {
            for stem in task.intent.iter().collect::<BTreeSet<_>>() {
                places.entry(stem.clone()).or_default().1.push(at);
            }
        }
        let mut weights = vec![0.0; notes.tasks.len()];
        for (stem, (weight, tasks)) in &mut places {
            let light = if LIGHT.contains(stem) { LIGHT_WEIGHT } else { 1.0 };
            *weight = light / f64::from(u32::try_from(tasks.len()).unwrap_or(u32::MAX));
        }
        for (at, task) in notes.tasks.iter().enumerate() {
            // Summed in the order of the task, so that the sum is the same each time.
            let stems: BTreeSet<&String> = task.intent.iter().collect();
            weights[at] = stems.iter().filter_map(|stem| places.get(*stem)).map(|(weight, _)| weight).sum();
        }
        Self { places, weights }
    }

    /// The tasks that the stems name, in the order of the notes.
    #[must_use]
    pub fn tasks(&self, stems: &BTreeSet<String>) -> Vec<usize> {
        let mut found: HashMap<usize, f64> = HashMap::new();
        for stem in stems {
            let Some((weight, tasks)) = self.places.get(stem) else { continue };
            for task in tasks {
                *found.entry(*task).or_default() += weight;
            }
        }
        let mut tasks: Vec<usize> = found
            .into_iter()
            .filter(|(task, weight)| *weight > self.weights.get(*task).copied().unwrap_or_default() * SHARE_OVER + 1e-9)
            .map(|(task, _)| task)
            .collect();
        tasks.sort_unstable();
        tasks
    }
}

/// The constraints (fixed events and named blocked times) that an item of these stems carries out: it has most words of the
/// name and none that makes something else of it ("prepare slides for the board meeting" is not the board meeting).
#[must_use]
pub(crate) fn events(notes: &Notes, stems: &BTreeSet<String>) -> Vec<usize> {
    if stems.is_empty() {
        return Vec::new();
    }
    let carried = |name: &str, rest: &[&str], words: &str| {
        let named = intent(name);
        let shared = named.iter().filter(|stem| stems.contains(*stem)).count();
        if named.is_empty() || shared * 2 <= named.len() && shared < named.len() {
            return false;
        }
        let beside: BTreeSet<String> = rest
            .iter()
            .chain(&[name, words])
            .flat_map(|text| content_stems(text).into_iter().map(|(_, stem)| stem))
            .collect();
        stems.iter().all(|stem| beside.contains(stem) || ATTENDING.contains(stem))
    };
    let mut found = Vec::new();
    for (at, constraint) in notes.constraints.iter().enumerate() {
        let words = constraint.text();
        let is_carried = match &constraint.rule {
            Rule::FixedEvent { name, with, place, .. } => {
                let rest: Vec<&str> = with.iter().chain(place).map(String::as_str).collect();
                carried(name, &rest, words)
            }
            Rule::Blocked { name: Some(name), .. } => carried(name, &[], words),
            _ => false,
        };
        if is_carried {
            found.push(at);
        }
    }
    found
}

/// Whether two names of people are one: the same words, or one of them is part of the other ("Ana", "Ana Souza").
#[must_use]
pub fn same_person(a: &str, b: &str) -> bool {
    let (a, b) = (words(a), words(b));
    !a.is_empty() && !b.is_empty() && (a.is_subset(&b) || b.is_subset(&a))
}

/// Whether two names of places are one: the same words, whatever their case.
#[must_use]
pub fn same_place(a: &str, b: &str) -> bool {
    let (a, b) = (words(a), words(b));
    !a.is_empty() && a == b
}

/// A name's words in small letters, without possessive endings.
#[must_use]
pub fn words(name: &str) -> BTreeSet<String> {
    name.split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '\u{2019}'))
        .map(|word| word.to_lowercase())
        .map(|word| match word.strip_suffix("'s").or_else(|| word.strip_suffix("\u{2019}s")) {
            Some(bare) => bare.to_owned(),
            None => word,
        })
        .filter(|word| !word.is_empty() && word != "the")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_people_and_places() {
        assert!(same_person("Ana", "Ana Souza"));
        assert!(same_person("Ana's", "ana"));
        assert!(!same_person("Ana", "Anna"));
        assert!(!same_person("", "Ana"));
        assert!(same_place("the Marina District", "Marina district"));
        assert!(!same_place("York", "New York"));
        assert!(!same_place("", ""));
    }
}
