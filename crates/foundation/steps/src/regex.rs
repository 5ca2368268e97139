//! Regular expressions that count what they search.

use std::borrow::Cow;

use regex::{CaptureMatches, Captures, Error, Match, Matches, Split};

use crate::spend;

/// Steps of a search beside the bytes that it looks at.
const SEARCH_STEPS: usize = 8;

/// A regular expression of which every search is counted, up to where it finds something or to the end.
#[derive(Clone, Debug)]
pub struct Regex(regex::Regex);

impl Regex {
    /// Reads a regular expression.
    ///
    /// # Errors
    /// Where `source` is none.
    pub fn new(source: &str) -> Result<Self, Error> {
        regex::Regex::new(source).map(Self)
    }

    /// Whether it matches anywhere.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        let end = self.0.shortest_match(text);
        spend(SEARCH_STEPS + end.unwrap_or(text.len()));
        end.is_some()
    }

    /// The first match.
    #[must_use]
    pub fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.find_at(text, 0)
    }

    /// The first match from `start` on; what stands before is seen.
    #[must_use]
    pub fn find_at<'t>(&self, text: &'t str, start: usize) -> Option<Match<'t>> {
        let found = self.0.find_at(text, start);
        let end = found.map_or(text.len(), |found| found.end());
        spend(SEARCH_STEPS + end.saturating_sub(start));
        found
    }

    /// All matches.
    pub fn find_iter<'r, 't>(&'r self, text: &'t str) -> Matches<'r, 't> {
        spend(SEARCH_STEPS + text.len());
        self.0.find_iter(text)
    }

    /// The first match with its groups.
    #[must_use]
    pub fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        let found = self.0.captures(text);
        let end = found.as_ref().and_then(|found| found.get(0)).map_or(text.len(), |found| found.end());
        spend(SEARCH_STEPS + end);
        found
    }

    /// All matches with their groups.
    pub fn captures_iter<'r, 't>(&'r self, text: &'t str) -> CaptureMatches<'r, 't> {
        spend(SEARCH_STEPS + text.len());
        self.0.captures_iter(text)
    }

    /// What stands between the matches.
    pub fn split<'r, 't>(&'r self, text: &'t str) -> Split<'r, 't> {
        spend(SEARCH_STEPS + text.len());
        self.0.split(text)
    }

    /// The text with the first match replaced.
    #[must_use]
    pub fn replace<'t>(&self, text: &'t str, by: &str) -> Cow<'t, str> {
        spend(SEARCH_STEPS + text.len());
        self.0.replace(text, by)
    }

    /// The text with all matches replaced.
    #[must_use]
    pub fn replace_all<'t>(&self, text: &'t str, by: &str) -> Cow<'t, str> {
        spend(SEARCH_STEPS + text.len());
        self.0.replace_all(text, by)
    }
}

impl From<regex::Regex> for Regex {
    fn from(regex: regex::Regex) -> Self {
        Self(regex)
    }
}

#[cfg(test)]
mod tests {
    use super::{Regex, SEARCH_STEPS};
    use crate::counted;

    #[test]
    fn what_is_searched_is_counted() {
        let regex = Regex::new("b+").unwrap();
        let check = |expect: usize, search: &dyn Fn()| {
            assert_eq!(counted(search).1, (SEARCH_STEPS + expect) as u64);
        };
        check(2, &|| assert!(regex.is_match("abb")));
        check(3, &|| assert_eq!(regex.find("abbaa").map(|found| found.range()), Some(1..3)));
        check(2, &|| assert_eq!(regex.find_at("abbab", 3).map(|found| found.range()), Some(4..5)));
        check(5, &|| assert_eq!(regex.find_iter("abbab").count(), 2));
        check(4, &|| assert!(regex.captures("aaaa").is_none()));
        check(5, &|| assert_eq!(regex.captures_iter("abbab").count(), 2));
    }
}
