//! Taking out of texts what nobody is to keep.

use std::collections::BTreeMap;
use std::sync::Arc;

use regex::{Regex, RegexBuilder};

use crate::hash::{hex, hmac_sha256};
use crate::limits::{REDACTION_BYTES_MAX, REDACTION_PATTERN_BYTES_MAX, REDACTIONS_MAX};

/// Patterns that are known by their names.
pub const NAMED: &[(&str, &str)] = &[
    ("email", r"(?i)[a-z0-9._%+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}\b"),
    ("ip", r"\b(?:[0-9]{1,3}\.){3}[0-9]{1,3}\b"),
    (
        "key",
        r"(?x) -----BEGIN\ [A-Z\ ]*PRIVATE\ KEY-----[^-]*(?:-----END\ [A-Z\ ]*PRIVATE\ KEY-----)?
        | \b(?: (?:sk|pk|rk|sfk)[-_][A-Za-z0-9_-]{16,} | gh[opsur]_[A-Za-z0-9]{20,} | github_pat_[A-Za-z0-9_]{20,}
        | xox[abeprs]-[A-Za-z0-9-]{10,} | glpat-[A-Za-z0-9_-]{16,} | A(?:KIA|SIA)[A-Z0-9]{16} | AIza[A-Za-z0-9_-]{30,}
        | eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]* )",
    ),
    ("phone", r"\+[0-9](?:[ ().-]{0,2}[0-9]){6,14}\b|(?:\([0-9]{3}\) ?|\b[0-9]{3}[ .-])[0-9]{3}[ .-][0-9]{4}\b"),
];

/// Characters of a name.
const NAME_CHARS_MAX: usize = 32;

/// Hexadecimal digits by which two names that were redacted are told apart.
const APART_DIGITS: usize = 8;

/// Why a list of patterns cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}`: {what}")]
pub struct RedactionError {
    /// The pattern, by its name.
    pub name: String,
    /// What is wrong with it.
    pub what: String,
}

/// Patterns; what they match is taken out.
#[derive(Clone, Debug, Default)]
pub struct Redaction(Arc<[(String, Regex)]>);

impl Redaction {
    /// Patterns of [`NAMED`] by their names, and others with theirs; they are applied in this order.
    ///
    /// # Errors
    /// [`RedactionError`] where a name is not known or no name, or a pattern is no regular expression, too long, or matches what is empty.
    pub fn new<'a>(
        named: &[String],
        patterns: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, RedactionError> {
        let of_name = |name: &String| {
            let found = NAMED.iter().find(|(known, _)| known == name).copied();
            found.ok_or_else(|| {
                let known: Vec<&str> = NAMED.iter().map(|(known, _)| *known).collect();
                let what = format!("is no pattern that is known by its name: those are {}", known.join(", "));
                RedactionError { name: name.clone(), what }
            })
        };
        let mut wanted: BTreeMap<&str, usize> = BTreeMap::new();
        let mut all: Vec<(String, Regex)> = Vec::new();
        let named = named.iter().map(of_name).collect::<Result<Vec<_>, _>>()?;
        for (name, pattern) in named.into_iter().chain(patterns) {
            let refuse = |what: String| RedactionError { name: name.to_owned(), what };
            if all.len() >= REDACTIONS_MAX {
                return Err(refuse(format!("there are more than {REDACTIONS_MAX} patterns")));
            }
            if wanted.insert(name, all.len()).is_some() {
                return Err(refuse("is there twice".to_owned()));
            }
            all.push((name.to_owned(), compiled(name, pattern).map_err(refuse)?));
        }
        Ok(Self(all.into()))
    }

    /// Whether nothing is taken out.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names of the patterns, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// A text, with `[redacted:NAME]` where a pattern matched.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        self.replaced(text, |name, _| format!("[redacted:{name}]"))
    }

    /// A name of a task, a file or an agent, with `[redacted:NAME-DIGITS]` where a pattern matched: by the digits of a hash with this key two names
    /// that are not the same stay two.
    #[must_use]
    pub fn name(&self, name: &str, key: &[u8; 32]) -> String {
        self.replaced(name, |pattern, found| {
            let hash = hex(&hmac_sha256(key, found.as_bytes()));
            format!("[redacted:{pattern}-{}]", &hash[..APART_DIGITS])
        })
    }

    fn replaced(&self, text: &str, put: impl Fn(&str, &str) -> String) -> String {
        self.0.iter().fold(text.to_owned(), |text, (name, pattern)| {
            if pattern.is_match(&text) {
                pattern.replace_all(&text, |found: &regex::Captures<'_>| put(name, &found[0])).into_owned()
            } else {
                text
            }
        })
    }
}

fn compiled(name: &str, pattern: &str) -> Result<Regex, String> {
    let is_name = !name.is_empty()
        && name.len() <= NAME_CHARS_MAX
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte));
    if !is_name {
        return Err(format!("a name has 1 to {NAME_CHARS_MAX} of a to z, 0 to 9, `-` and `_`"));
    }
    if pattern.len() > REDACTION_PATTERN_BYTES_MAX {
        return Err(format!("has {} bytes, more than {REDACTION_PATTERN_BYTES_MAX}", pattern.len()));
    }
    let built = RegexBuilder::new(pattern).size_limit(REDACTION_BYTES_MAX).dfa_size_limit(REDACTION_BYTES_MAX).build();
    let built = built.map_err(|error| match error {
        regex::Error::CompiledTooBig(limit) => format!("needs more than {limit} bytes of memory"),
        // The last line of a syntax error says what is wrong; those before draw the place.
        other => {
            let told = other.to_string();
            let last = told.lines().last().unwrap_or_default();
            format!("is no regular expression: {}", last.trim_start_matches("error: "))
        }
    })?;
    // A border of a word or a line is empty as well.
    if ["", "a", "a b\n1"].iter().any(|text| built.find_iter(text).any(|found| found.is_empty())) {
        return Err("matches what is empty".to_owned());
    }
    Ok(built)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, text: &str, expect: &str) {
        let redaction = Redaction::new(&[name.to_owned()], []).map(|own| own.text(text));
        assert_eq!(redaction.as_deref(), Ok(expect));
    }

    #[test]
    fn named_patterns_find_what_they_are_called() {
        check("email", "to Ana.Lee+x@mail.example.co.uk.", "to [redacted:email].");
        check("email", "@home costs 3@4", "@home costs 3@4");
        check("phone", "call +49 (170) 123-4567 now", "call [redacted:phone] now");
        check("phone", "555-867-5309, (555) 867 5309", "[redacted:phone], [redacted:phone]");
        check("phone", "2026-01-25T11:00 and 1,250,000 of 100 200", "2026-01-25T11:00 and 1,250,000 of 100 200");
        check("ip", "from 10.0.0.12:80, v1.2.3", "from [redacted:ip]:80, v1.2.3");
        check("key", "AKIAIOSFODNN7EXAMPLE sk-proj_0123456789abcdefgh", "[redacted:key] [redacted:key]");
        check("key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----.", "[redacted:key].");
        check("key", "a risk-averse desk", "a risk-averse desk");
    }

    #[test]
    fn patterns_are_applied_in_their_order_and_names_stay_apart() {
        let own = Redaction::new(&["email".to_owned()], [("customer", "CUST-[0-9]+"), ("word", "secret")]);
        let own = own.unwrap_or_default();
        assert_eq!(own.names().collect::<Vec<_>>(), ["email", "customer", "word"]);
        assert_eq!(own.text("CUST-1 secret a@b.io"), "[redacted:customer] [redacted:word] [redacted:email]");
        let (a, b) = (own.name("a@b.io", &[1; 32]), own.name("b@b.io", &[1; 32]));
        assert!(a != b && a.starts_with("[redacted:email-"), "{a} {b}");
        assert_eq!(own.name(&a, &[1; 32]), a);
    }

    #[test]
    fn what_is_no_pattern_is_refused_by_its_name() {
        let refused = |name: &str, pattern: &str| match Redaction::new(&[], [(name, pattern)]) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        };
        for (name, pattern, said) in [
            ("a", "(", "`a`: is no regular expression: unclosed group"),
            ("a", "x*", "`a`: matches what is empty"),
            ("a", r"\b", "`a`: matches what is empty"),
            ("a", "(?m)$", "`a`: matches what is empty"),
            ("A b", "x", "`A b`: a name has"),
            ("a", "x".repeat(REDACTION_PATTERN_BYTES_MAX + 1).as_str(), "`a`: has 1001 bytes"),
            ("a", r"(?:\w{500}){500}", "`a`: needs more than"),
        ] {
            assert!(refused(name, pattern).starts_with(said), "{}", refused(name, pattern));
        }
        assert!(refused("a", &"x".repeat(REDACTION_PATTERN_BYTES_MAX)).is_empty());
        let unknown = Redaction::new(&["emails".to_owned()], []).err().map(|error| error.to_string());
        assert!(unknown.is_some_and(|said| said.ends_with("those are email, ip, key, phone")));
        let twice = Redaction::new(&["email".to_owned()], [("email", "x")]).err().map(|error| error.to_string());
        assert_eq!(twice.as_deref(), Some("`email`: is there twice"));
    }
}
