//! Names of people, companies and all else in the words of a plan.

use std::collections::BTreeSet;

use steadfast_annotate::{NameContext, is_given_name, names};
use steadfast_text::sentences;

use super::{CALENDAR, is_known, stems};

/// Short forms that everybody uses: no names.
const SHORT_FORMS: &[&str] = &[
    "AM", "ASAP", "COB", "EOB", "EOD", "EOW", "ETA", "FAQ", "FYI", "OK", "PM", "PS", "TBA", "TBC", "TBD", "TODO", "UTC",
];

/// The names in `text` that are not known, in their order. A capital at the head of a sentence says nothing by itself: there a
/// word counts only with a name behind it that is not known either, or in the possessive.
#[must_use]
pub fn unknown_names(text: &str, known: &BTreeSet<String>) -> Vec<String> {
    let mut found = Vec::new();
    for range in sentences(text) {
        let Some(sentence) = text.get(range) else { continue };
        if is_title_case(sentence) {
            found.extend(in_title(sentence, known));
            continue;
        }
        // A full stop makes two words with capitals a sentence rather than a title ("Email Priya").
        let closed = format!("{sentence}.");
        for name in names(&closed, &NameContext::default()) {
            let words: Vec<&str> = name.text.split_whitespace().collect();
            let calendar = words.iter().all(|word| stems(word).iter().all(|stem| CALENDAR.contains(stem)));
            if name.generic || calendar || SHORT_FORMS.contains(&name.text.as_str()) || is_known(&name.text, known) {
                continue;
            }
            let at_head =
                sentence.get(..name.range.start).is_none_or(|before| !before.chars().any(char::is_alphanumeric));
            if !at_head {
                found.push(name.text);
                continue;
            }
            // The head word may be a verb: only the rest is certain to be a name.
            let rest = words.get(1..).unwrap_or_default().join(" ");
            let is_person = words.first().is_some_and(|word| is_given_name(word));
            if is_person || (!rest.is_empty() && !is_known(&rest, known)) {
                found.push(if is_person { name.text } else { rest });
            }
        }
        found.extend(possessive_head(sentence, known));
        found.extend(given_name_at_head(sentence, known));
    }
    let mut seen = BTreeSet::new();
    found.retain(|name| seen.insert(name.clone()));
    found
}

/// "Zoltan's draft: …": the head of a sentence is a name where it owns something.
fn possessive_head(sentence: &str, known: &BTreeSet<String>) -> Option<String> {
    let word = sentence.split_whitespace().next()?;
    let owner = word.strip_suffix("'s").or_else(|| word.strip_suffix("\u{2019}s"))?;
    let calendar = stems(owner).iter().all(|stem| CALENDAR.contains(stem));
    let is_name = owner.chars().next().is_some_and(char::is_uppercase) && owner.chars().all(char::is_alphabetic);
    let relative = matches!(
        owner.to_lowercase().as_str(),
        "today" | "tomorrow" | "yesterday" | "it" | "that" | "let" | "here" | "there"
    );
    (is_name && !calendar && !relative && !is_known(owner, known)).then(|| owner.to_owned())
}

/// "Priya: …", "Priya joins": a common given name at the head.
fn given_name_at_head(sentence: &str, known: &BTreeSet<String>) -> Option<String> {
    let word = sentence.split_whitespace().next()?;
    let bare = word.trim_end_matches([':', ',', '.', ';']);
    // "Mark the exam", "Will": given names that are verbs as well are none here.
    let is_name = is_given_name(bare) && !VERBS_TOO.contains(&bare);
    (is_name && !is_known(bare, known) && !stems(bare).is_empty()).then(|| bare.to_owned())
}

/// Given names that open sentences as common words too.
const VERBS_TOO: &[&str] =
    &["Bill", "Chase", "Drew", "Frank", "Grace", "Grant", "Hope", "Joy", "Mark", "May", "Pat", "Rob", "Sue", "Will"];

/// Fewest words of a text that is taken for a title.
const TITLE_WORDS_MIN: usize = 3;

/// Whether every content word has a capital and no full stop ends the text.
fn is_title_case(sentence: &str) -> bool {
    if sentence.ends_with(['.', '!', '?', ';']) {
        return false;
    }
    let mut words = 0;
    for word in sentence.split_whitespace() {
        let Some(first) = word.chars().find(|c| c.is_alphabetic()) else { continue };
        if first.is_uppercase() {
            words += 1;
        } else if !stems(word).is_empty() {
            return false;
        }
    }
    words >= TITLE_WORDS_MIN
}

/// In a title every word has a capital: only common given names, and what follows "with", are names there.
fn in_title(sentence: &str, known: &BTreeSet<String>) -> Vec<String> {
    let mut found = Vec::new();
    let mut after_with = false;
    for word in sentence.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let owner = bare.strip_suffix("'s").or_else(|| bare.strip_suffix("\u{2019}s")).unwrap_or(bare);
        let is_capital = owner.chars().next().is_some_and(char::is_uppercase);
        let is_name = is_given_name(owner) && !VERBS_TOO.contains(&owner);
        if is_capital && (after_with || is_name) && !is_known(owner, known) && !SHORT_FORMS.contains(&owner) {
            found.push(owner.to_owned());
        }
        after_with = bare.eq_ignore_ascii_case("with");
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::model::vocabulary;

    #[track_caller]
    fn check_names(text: &str, expect: &[&str]) {
        let known = vocabulary("email Ana about the Lisbon budget with Rob Lee");
        assert_eq!(unknown_names(text, &known), expect, "{text}");
    }

    #[test]
    fn names_that_are_not_known() {
        check_names("Email Ana about the Lisbon budget", &[]);
        check_names("Email Priya", &["Priya"]);
        check_names("Email Priya about the budget", &["Priya"]);
        check_names("Debrief Ana", &[]);
        check_names("Review Budget With Finance Team", &["Finance"]);
        check_names("Write the budget, then send it to Zoltan", &["Zoltan"]);
        check_names("Prepare the file for Acme Corporation", &["Acme Corporation"]);
        check_names("Finish ASAP, by Monday", &[]);
        check_names("Refactor the login module", &[]);
        check_names("Zoltan's draft: read it", &["Zoltan"]);
        check_names("Maria joins for the budget", &["Maria"]);
        check_names("Mark the exams", &[]);
        check_names("Focus block: Lisbon budget", &[]);
    }
}
