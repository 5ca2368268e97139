//! `--intents FILE`: what each task was to reach.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, Deserializer as _, MapAccess, Visitor};

use crate::misread::Misread;

/// Reads a JSON object from task id to initial intent, in UTF-8, with or without a byte order mark.
///
/// # Errors
/// [`Misread`] with line and column where the text is no such object: no JSON, another value than a string, a task twice.
pub fn read_intents(bytes: &[u8]) -> Result<BTreeMap<String, String>, Misread> {
    struct Intents;
    impl<'de> Visitor<'de> for Intents {
        type Value = BTreeMap<String, String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object from task id to initial intent")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
            let mut intents = BTreeMap::new();
            while let Some(task) = members.next_key::<String>()? {
                if intents.contains_key(&task) {
                    return Err(de::Error::custom(format!("task `{task}` is given twice")));
                }
                let intent = members.next_value::<String>()?;
                intents.insert(task, intent);
            }
            Ok(intents)
        }
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|it| Misread::encoding(1, bytes, it))?;
    let mut json = serde_json::Deserializer::from_str(text);
    let intents = json.deserialize_map(Intents).map_err(|it| Misread::parser(1, &it))?;
    json.end().map_err(|it| Misread::parser(1, &it))?;
    Ok(intents)
}
