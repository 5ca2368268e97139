//! Steps as they are posted: one object, or a list of them.

use std::fmt;

use serde::de::{self, DeserializeSeed, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::LiveStep;
use crate::Error;

/// Steps that are posted at a time.
pub const STEPS_MAX: usize = 1_000;

/// A list that ends in an error at the first step too many, before more is held.
struct Bounded;

impl<'de> Visitor<'de> for Bounded {
    type Value = Vec<LiveStep>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of steps")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<LiveStep>, A::Error> {
        let mut steps = Vec::new();
        while let Some(step) = list.next_element::<LiveStep>()? {
            if steps.len() == STEPS_MAX {
                return Err(de::Error::custom(format!("more than {STEPS_MAX} steps are given at a time")));
            }
            steps.push(step);
        }
        Ok(steps)
    }
}

impl<'de> DeserializeSeed<'de> for Bounded {
    type Value = Vec<LiveStep>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<LiveStep>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

/// Reads the step, or the steps, of a body.
///
/// # Errors
/// [`Error::Read`] with line and column where it is neither, or more than [`STEPS_MAX`].
pub fn read_steps(body: &[u8]) -> Result<Vec<LiveStep>, Error> {
    let mut reader = serde_json::Deserializer::from_slice(body);
    let is_list = body.trim_ascii_start().starts_with(b"[");
    let steps = if is_list {
        Bounded.deserialize(&mut reader)
    } else {
        LiveStep::deserialize(&mut reader).map(|step| vec![step])
    };
    let steps = steps.map_err(Error::Read)?;
    reader.end().map_err(Error::Read)?;
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn many(count: usize) -> String {
        format!("[{}]", vec!["{}"; count].join(","))
    }

    #[test]
    fn one_step_or_a_list_of_them_is_read() {
        let one = read_steps(br#" {"prompt": "Find it.", "output": "Here.", "step": 3} "#).unwrap();
        assert_eq!((one.len(), one[0].step, one[0].output.as_deref()), (1, Some(3), Some("Here.")));
        assert_eq!(read_steps(br#"[{"output": "a"}, {"output": null}]"#).unwrap()[1], LiveStep::default());
        assert_eq!(read_steps(b"[]").unwrap(), []);
        assert_eq!(read_steps(many(STEPS_MAX).as_bytes()).unwrap().len(), STEPS_MAX);
    }

    #[test]
    fn what_is_neither_is_refused_by_line_and_column() {
        let said = |body: &str| read_steps(body.as_bytes()).unwrap_err().to_string();
        assert!(said("").contains("EOF"), "{}", said(""));
        assert!(said("3").contains("LiveStep"), "{}", said("3"));
        assert!(said(r#"{"promt": "x"}"#).contains("unknown field `promt`"));
        assert!(said(r#"[{"output": 3}]"#).contains("line 1 column"));
        assert!(said("{} {}").contains("trailing"));
        let long = said(&many(STEPS_MAX + 1));
        assert!(long.contains("more than 1000 steps are given at a time"), "{long}");
    }
}
