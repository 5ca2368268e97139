//! Which tasks and events of the notes an item carries out, by the stems of its words.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use steadfast_steps::flat;

use crate::model::{Notes, Rule, intent, vocabulary};

/// Share of a task's weight that an item's words must exceed to carry it out. Uncalibrated: more than half.
const SHARE_OVER: f64 = 0.5;

/// What a verb weighs that goes with any task: "prepare slides" is about slides.
const LIGHT_WEIGHT: f64 = 0.5;

/// Verbs that go with any task.
static LIGHT: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    flat(0, || {
        vocabulary(
            "add answer attend book call check clean complete continue create discuss do draft email finalise finish fix get go \
         handle make meet message need order organise pay phone pick plan prep prepare read reply respond review ring run \
         send set sort start submit sync take talk tidy update visit work write",
        )
    })
});

/// Words that may stand beside an event's name without making something else of it.
static ATTENDING: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    flat(0, || vocabulary("appointment attend call daily event go join meet session take today visit week weekly"))
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

/// Finds the events that words name.
#[derive(Clone, Debug)]
pub struct Events {
    known: Vec<Event>,
    /// The events that have a stem in their name.
    places: HashMap<String, Vec<usize>>,
}

/// A fixed event or a named blocked time.
#[derive(Clone, Debug)]
struct Event {
    /// Its place in the notes.
    constraint: usize,
    /// Stems of its name.
    named: Vec<String>,
    /// Stems that may stand beside its name.
    beside: BTreeSet<String>,
}

impl Events {
    /// The fixed events and named blocked times of the notes.
    #[must_use]
    pub fn new(notes: &Notes) -> Self {
        let mut events = Self { known: Vec::new(), places: HashMap::new() };
        for (at, constraint) in notes.constraints.iter().enumerate() {
            let (name, with, place): (_, &[String], _) = match &constraint.rule {
                Rule::FixedEvent { name, with, place, .. } => (name, with, place.as_ref()),
                Rule::Blocked { name: Some(name), .. } => (name, &[], None),
                _ => continue,
            };
            let named = intent(name);
            if named.is_empty() {
                continue;
            }
            let texts = with.iter().chain(place).map(String::as_str).chain([constraint.text()]);
            let mut beside: BTreeSet<String> = texts.flat_map(vocabulary).collect();
            beside.extend(named.iter().cloned());
            for stem in &named {
                events.places.entry(stem.clone()).or_default().push(events.known.len());
            }
            events.known.push(Event { constraint: at, named, beside });
        }
        events
    }

    /// The constraints that an item of these stems carries out: it has most words of the name and none that makes something else
    /// of it ("prepare slides for the board meeting" is not the board meeting).
    #[must_use]
    pub fn of(&self, stems: &BTreeSet<String>) -> Vec<usize> {
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for stem in stems {
            for at in self.places.get(stem).into_iter().flatten() {
                *shared.entry(*at).or_default() += 1;
            }
        }
        let carried = |(at, shared): (usize, usize)| {
            let event = self.known.get(at)?;
            let most = shared * 2 > event.named.len() || shared == event.named.len();
            let only = || stems.iter().all(|stem| event.beside.contains(stem) || ATTENDING.contains(stem));
            (most && only()).then_some(event.constraint)
        };
        let mut found: Vec<usize> = shared.into_iter().filter_map(carried).collect();
        found.sort_unstable();
        found
    }
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
