//! Bodies of JSON: within limits on their depth and on the length of what they hold, and with the place of what is wrong.

use serde::de::DeserializeOwned;
use serde_json::error::Category;
use steadfast_wire::{Malformed, from_body};

use crate::problem::Problem;
use crate::problem::kinds::{INVALID, MALFORMED, TOO_LARGE};

/// Objects and arrays within one another.
pub(crate) const DEPTH_MAX: usize = 32;

/// Members and elements of a body, all together.
const VALUES_MAX: usize = 1_000_000;

/// Reads a value. Members that the type does not know are refused.
pub(crate) fn read<T: DeserializeOwned>(body: &[u8], field_bytes_max: usize) -> Result<T, Problem> {
    read_with(body, field_bytes_max, from_body::<T>)
}

/// The same by a reader of a type that the caller does not know.
pub(crate) fn read_with<T>(
    body: &[u8],
    field_bytes_max: usize,
    read: fn(&[u8]) -> Result<T, Malformed>,
) -> Result<T, Problem> {
    let body = body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(body);
    measure(body, field_bytes_max)?;
    // A reader of structures takes a list of their members as well, which no schema says.
    if body.trim_ascii_start().first() == Some(&b'[') {
        return Err(Problem::of(&INVALID, "the body is no JSON object").at(""));
    }
    read(body).map_err(|Malformed { error, pointer }| problem(&error, pointer))
}

/// What is wrong with JSON, and where.
pub(crate) fn problem(error: &serde_json::Error, pointer: Option<String>) -> Problem {
    let is_json = error.classify() == Category::Data;
    let problem = Problem::of(if is_json { &INVALID } else { &MALFORMED }, error.to_string());
    let problem = problem.place(error.line(), error.column());
    match pointer.filter(|_| is_json) {
        Some(pointer) => problem.at(pointer),
        None => problem,
    }
}

/// A name as a part of a JSON Pointer.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// What a place within a body is in.
enum Within {
    /// An object: where its last name begins and ends.
    Object(usize, usize),
    /// An array: how many elements came before.
    Array(usize),
}

/// What a body may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// A string, in bytes.
    pub(crate) field_bytes_max: usize,
    /// Objects and arrays within one another.
    pub(crate) depth_max: usize,
    /// Members and elements, all together.
    pub(crate) values_max: usize,
}

/// Refuses what is too deep, too long or too much, before anything is made of it. What is not JSON is for the reader to say.
pub(crate) fn measure(body: &[u8], field_bytes_max: usize) -> Result<(), Problem> {
    measure_within(body, Limits { field_bytes_max, depth_max: DEPTH_MAX, values_max: VALUES_MAX })
}

/// The same within limits of the caller's.
pub(crate) fn measure_within(body: &[u8], limits: Limits) -> Result<(), Problem> {
    let Limits { field_bytes_max, depth_max, values_max } = limits;
    let mut within: Vec<Within> = Vec::new();
    let (mut at, mut values) = (0, 0_usize);
    let mut begun: Option<usize> = None;
    while let Some(byte) = body.get(at) {
        match (begun, byte) {
            (Some(_), b'\\') => at += 1,
            (Some(start), b'"') => {
                if at - start > field_bytes_max {
                    let what =
                        format!("a string holds {} bytes, more than the {field_bytes_max} of this route", at - start);
                    return Err(Problem::of(&TOO_LARGE, what).at(place(body, &within)));
                }
                if let Some(Within::Object(from, to)) = within.last_mut()
                    && *to == usize::MAX
                {
                    (*from, *to) = (start, at);
                }
                begun = None;
            }
            (Some(_), _) => {}
            (None, b'"') => begun = Some(at + 1),
            (None, b'{' | b'[') => {
                if within.len() == depth_max {
                    let what = format!("values stand more than {depth_max} deep within one another");
                    return Err(Problem::of(&INVALID, what).at(place(body, &within)).late());
                }
                within.push(if *byte == b'{' { Within::Object(0, usize::MAX) } else { Within::Array(0) });
            }
            (None, b'}' | b']') => drop(within.pop()),
            (None, b',') => {
                values += 1;
                if values > values_max {
                    let what = format!("the body holds more than {values_max} values");
                    return Err(Problem::of(&TOO_LARGE, what).late());
                }
                match within.last_mut() {
                    Some(Within::Object(from, to)) => (*from, *to) = (0, usize::MAX),
                    Some(Within::Array(index)) => *index += 1,
                    None => {}
                }
            }
            (None, _) => {}
        }
        at += 1;
    }
    Ok(())
}

/// The place that is being read, as a JSON Pointer.
fn place(body: &[u8], within: &[Within]) -> String {
    let mut pointer = String::new();
    for own in within {
        match own {
            Within::Object(from, to) => {
                let name = String::from_utf8_lossy(body.get(*from..*to).unwrap_or_default());
                pointer.push('/');
                pointer.push_str(&escaped(&crate::query::shown(&name)));
            }
            Within::Array(index) => pointer.push_str(&format!("/{index}")),
        }
    }
    pointer
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::Value;
    use steadfast_wire::jobs::JobPair;

    use super::{DEPTH_MAX, read};
    use crate::problem::Problem;

    fn told(problem: &Problem) -> String {
        let place = problem.more().place.map_or_else(String::new, |(line, column)| format!(" {line}:{column}"));
        format!("{}{place} {}: {}", problem.kind.name, problem.more().pointer.as_deref().unwrap_or("-"), problem.detail)
    }

    #[track_caller]
    fn check(body: &str, expect: &str) {
        let said = read::<JobPair>(body.as_bytes(), 8).map_or_else(|problem| told(&problem), |_| "read".to_owned());
        assert_eq!(said, expect, "{body}");
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        check("\u{feff}{\"prompt\": \"a\", \"report\": \"b\"}", "read");
        check("{\"prompt\": \"12345678\", \"report\": \"b\"}", "read");
        check(
            "{\"report\": \"b\", \"prompt\": \"123456789\"}",
            "too-large /prompt: a string holds 9 bytes, more than the 8 of this route",
        );
        check("{\"prompt\": \"a\",\n \"report\": }", "malformed-json 2:12 -: expected value at line 2 column 12");
        check("{\"prompt\": \"a\"", "malformed-json 1:14 -: EOF while parsing an object at line 1 column 14");
        check(
            "{\"prompt\": \"a\", \"report\": \"b\"} x",
            "malformed-json 1:32 -: trailing characters at line 1 column 32",
        );
        check("", "malformed-json 1:0 -: EOF while parsing a value at line 1 column 0");
        check("[]", "invalid : the body is no JSON object");
        check(" [\"a\", \"b\", null, null, null, null]", "invalid : the body is no JSON object");
        check("5", "invalid 1:1 : invalid type: integer `5`, expected struct JobPair at line 1 column 1");
        check(
            "{\"prompt\": 5}",
            "invalid 1:12 /prompt: invalid type: integer `5`, expected a string at line 1 column 12",
        );
        check("{\"prompt\": \"a\"}", "invalid 1:15 : missing field `report` at line 1 column 15");
    }

    #[test]
    fn depth_is_limited() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let flat = |depth: usize| format!("{{\"a\": {}}}", nested(depth - 1));
        assert!(read::<Value>(flat(DEPTH_MAX).as_bytes(), 8).is_ok());
        let problem = read::<Value>(nested(DEPTH_MAX + 1).as_bytes(), 8).unwrap_err();
        assert_eq!(problem.more().pointer.as_deref(), Some("/0".repeat(DEPTH_MAX).as_str()));
        let deep = format!("{{\"a/b\": [1, {}]}}", "[".repeat(1_000_000));
        let problem = read::<BTreeMap<String, Value>>(deep.as_bytes(), 8).unwrap_err();
        assert!(problem.more().pointer.as_deref().unwrap().starts_with("/a~1b/1/0"), "{problem:?}");
    }
}
