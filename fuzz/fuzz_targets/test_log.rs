//! No output breaks the readers of test runners, builds and linters, and no sum of their counts overflows.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_fuzz::bounded;
use steadfast_session::outcome::report;
use steadfast_session::test_log::test_log;

fuzz_target!(|text: &str| {
    bounded(text.len(), || {
        let _ = test_log(text).map(|log| log.ran());
        let report = report(text);
        let _ = (report.ok(), report.errors(), report.warnings());
    });
});
