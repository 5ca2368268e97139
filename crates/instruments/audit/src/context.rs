//! What a clause speaks of, and how well another clause speaks of the same: by stems, with the forms of irregular verbs folded.

use std::ops::Range;

use steadfast_annotate::{base_form, content_stems};

use crate::matching::is_generic;

/// Words of duty, measure and time that say nothing of what a clause is about.
const EMPTY: &[&str] = &[
    "allow", "also", "altogeth", "anyth", "everyth", "noth", "someth", "begin", "day", "daytim", "earliest", "everi",
    "hour", "latest", "least", "less", "longer", "maximum", "may", "mean", "minimum", "minut", "month", "most", "must",
    "need", "number", "per", "percent", "requir", "success", "total", "want", "week", "year", "one", "two", "three",
    "four", "five", "six", "seven", "eight", "nine", "ten", "twice", "onc", "half", "third", "januari", "februari",
    "march", "april", "full", "fewer", "greater", "higher", "june", "juli", "august", "weekend", "septemb", "octob",
    "novemb", "decemb", "until", "so", "sinc", "pleas", "other", "th", "st", "nd", "rd",
];

/// Whether a stem says nothing of what a clause is about.
#[must_use]
pub(crate) fn is_empty_word(stem: &str) -> bool {
    EMPTY.contains(&stem)
}

/// What a clause speaks of: its stems outside `without`, folded, in order, each once.
#[must_use]
pub(crate) fn of_clause(text: &str, without: &[Range<usize>]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (range, stem) in content_stems(text) {
        let own = base_form(&stem);
        let out = without.iter().any(|cut| cut.start < range.end && range.start < cut.end);
        if !out && !EMPTY.contains(&own) && own.chars().any(char::is_alphabetic) && !found.iter().any(|one| one == own)
        {
            found.push(own.to_owned());
        }
    }
    found
}

/// How well a claim speaks of what a clause speaks of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meeting {
    /// Share of the clause's stems that the claim has; a stem that every plan shares counts half.
    pub(crate) share: f64,
    /// How many stems they have in common.
    pub(crate) common: usize,
    /// How many of these tell something.
    pub(crate) telling: usize,
}

/// How well stems of a claim meet those of a clause.
#[must_use]
pub(crate) fn meeting(clause: &[String], claim: &[String]) -> Meeting {
    let weight = |stem: &str| if is_generic(stem) { 0.5 } else { 1.0 };
    let (mut all, mut met, mut common, mut telling) = (0.0, 0.0, 0, 0);
    for stem in clause {
        all += weight(stem);
        if claim.contains(stem) {
            met += weight(stem);
            common += 1;
            telling += usize::from(!is_generic(stem));
        }
    }
    Meeting { share: if all > 0.0 { met / all } else { 0.0 }, common, telling }
}
