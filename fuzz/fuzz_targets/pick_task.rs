//! No task breaks its reader, nor does a template whose places are filled.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use steadfast_fuzz::bounded;
use steadfast_pick::fill::{fill, placeholders};
use steadfast_pick::intake::read;

fuzz_target!(|text: &str| {
    bounded(text.len(), || {
        let task = read(text);
        assert!(!task.intent.is_empty() && !task.task_type.is_empty() && !task.stages.is_empty());
        let values: BTreeMap<String, String> =
            placeholders(text).into_iter().map(|name| (name.to_owned(), format!("{{{{{name}}}}}"))).collect();
        assert_eq!(fill(text, &BTreeMap::new()), text);
        let _ = fill(text, &values);
    });
});
