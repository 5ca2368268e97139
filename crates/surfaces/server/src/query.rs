//! Query parameters: only those that a route knows, each once.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use steadfast_wire::api::Fields;

use crate::problem::Problem;
use crate::problem::kinds::{BAD_REQUEST, INVALID};

/// Characters of a query.
const QUERY_BYTES_MAX: usize = 8 * 1024;

/// Characters of a name that a message repeats.
const SHOWN_CHARS_MAX: usize = 60;

/// What a parameter may be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Text of at most so many characters, none of them a control character.
    Text(usize),
    /// Names of members, parted by commas.
    Fields(fn() -> Vec<String>),
    /// A whole number between two.
    Count(u64, u64),
    /// One of some words.
    Word(&'static [&'static str]),
}

/// A parameter of a route.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) about: &'static str,
    /// Whether it may stand there more than once.
    pub(crate) many: bool,
    pub(crate) required: bool,
}

/// The parameters of a request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Query(Vec<(&'static str, String)>);

impl Query {
    /// Reads the parameters that a route knows.
    pub(crate) fn of(query: &str, known: &'static [Parameter]) -> Result<Self, Problem> {
        if query.len() > QUERY_BYTES_MAX {
            return Err(Problem::of(&INVALID, format!("the query holds more than {QUERY_BYTES_MAX} bytes")));
        }
        let mut read = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (name, value) = (decoded(name)?, decoded(value)?);
            let Some(own) = known.iter().find(|own| own.name == name) else {
                let names: Vec<String> = known.iter().map(|own| format!("`{}`", own.name)).collect();
                let problem = Problem::of(&INVALID, format!("`{}` is no parameter of this route", shown(&name)));
                let hint = if names.is_empty() {
                    "it takes none".to_owned()
                } else {
                    format!("it takes {}", names.join(", "))
                };
                return Err(problem.parameter(shown(&name)).hint(hint));
            };
            if !own.many && read.iter().any(|(given, _)| *given == own.name) {
                return Err(Problem::of(&INVALID, format!("`{name}` is given more than once")).parameter(name));
            }
            own.check(&value)?;
            read.push((own.name, value));
        }
        if let Some(own) = known.iter().find(|own| own.required && !read.iter().any(|(name, _)| *name == own.name)) {
            return Err(
                Problem::of(&INVALID, format!("the query parameter `{}` is missing", own.name)).parameter(own.name)
            );
        }
        Ok(Self(read))
    }

    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.0.iter().find(|(own, _)| *own == name).map(|(_, value)| value.clone())
    }

    /// Whether a parameter is given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(own, _)| *own == name)
    }

    pub(crate) fn all(&self, name: &str) -> Vec<String> {
        self.0.iter().filter(|(own, _)| *own == name).map(|(_, value)| value.clone()).collect()
    }

    /// A number, which was checked.
    pub(crate) fn count(&self, name: &str) -> Option<usize> {
        self.text(name).and_then(|value| value.parse().ok())
    }

    /// Names parted by commas; `None` where none was asked for.
    pub(crate) fn fields(&self) -> Option<Fields> {
        self.text("fields").map(|value| value.split(',').map(str::to_owned).collect::<Vec<_>>().into())
    }
}

impl Parameter {
    fn check(&self, value: &str) -> Result<(), Problem> {
        let name = self.name;
        let refuse = |what: String| Err(Problem::of(&INVALID, format!("`{name}` {what}")).parameter(name));
        match self.kind {
            Kind::Text(chars) if value.chars().count() > chars => refuse(format!("holds more than {chars} characters")),
            Kind::Text(_) if value.contains(char::is_control) => refuse("holds a control character".to_owned()),
            Kind::Text(_) => Ok(()),
            Kind::Count(least, most) => match value.parse::<u64>() {
                Ok(count) if (least..=most).contains(&count) && value.bytes().all(|byte| byte.is_ascii_digit()) => {
                    Ok(())
                }
                _ => refuse(format!("is `{}`: a whole number between {least} and {most} is taken", shown(value))),
            },
            Kind::Word(words) if words.contains(&value) => Ok(()),
            Kind::Word(words) => refuse(format!("is `{}`: one of {} is taken", shown(value), words.join(", "))),
            Kind::Fields(names) => {
                Fields::of(value.split(','), names).map(drop).or_else(|unknown| refuse(unknown.to_string()))
            }
        }
    }
}

/// A part of a query, with its escapes taken off.
fn decoded(part: &str) -> Result<String, Problem> {
    let bad = || Problem::of(&BAD_REQUEST, "the query holds an escape that stands for no text in UTF-8");
    let is_escape = |rest: &str| rest.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
    if !part.split('%').skip(1).all(is_escape) {
        return Err(bad());
    }
    percent_decode_str(&part.replace('+', " ")).decode_utf8().map(Cow::into_owned).map_err(|_| bad())
}

/// What was given, in a message: short, and without control characters.
pub(crate) fn shown(text: &str) -> String {
    text.chars().take(SHOWN_CHARS_MAX).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests {
    use super::{Kind, Parameter, Query};

    static KNOWN: &[Parameter] = &[
        Parameter { name: "limit", kind: Kind::Count(1, 20), about: "", many: false, required: false },
        Parameter { name: "tag", kind: Kind::Text(4), about: "", many: true, required: false },
        Parameter { name: "order", kind: Kind::Word(&["up", "down"]), about: "", many: false, required: false },
    ];

    /// What is read, or what is said, with the parameter that it is said of.
    #[track_caller]
    fn check(query: &str, expect: &str) {
        let said = match Query::of(query, KNOWN) {
            Ok(query) => query.0.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" "),
            Err(problem) => {
                format!("{} {}: {}", problem.kind.name, problem.more().parameter.unwrap_or_default(), problem.detail)
            }
        };
        assert_eq!(said, expect);
    }

    #[test]
    fn only_what_is_known_is_read() {
        check("", "");
        check("limit=20&tag=a%20b&tag=c+d&", "limit=20 tag=a b tag=c d");
        check("tag=%C3%A9", "tag=é");
        check("limit=21", "invalid limit: `limit` is `21`: a whole number between 1 and 20 is taken");
        check("limit=0", "invalid limit: `limit` is `0`: a whole number between 1 and 20 is taken");
        check("limit=%2B3", "invalid limit: `limit` is `+3`: a whole number between 1 and 20 is taken");
        check("limit=1&limit=2", "invalid limit: `limit` is given more than once");
        check("limt=1", "invalid limt: `limt` is no parameter of this route");
        check("tag=%C3%A9%C3%A9%C3%A9%C3%A9", "tag=éééé");
        check("tag=abcde", "invalid tag: `tag` holds more than 4 characters");
        check("tag=a%00", "invalid tag: `tag` holds a control character");
        check("order=left", "invalid order: `order` is `left`: one of up, down is taken");
        check("tag=%f", "bad-request : the query holds an escape that stands for no text in UTF-8");
        check("tag=%ff", "bad-request : the query holds an escape that stands for no text in UTF-8");
        check("tag=%", "bad-request : the query holds an escape that stands for no text in UTF-8");
    }
}
