//! No bytes break the parser of self-reports, and every span that it gives can be cut from the output.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_review::answer::read;

fuzz_target!(|bytes: &[u8]| {
    let Ok(output) = std::str::from_utf8(bytes) else { return };
    let report = read(output);
    let spans = report.items.iter().map(|it| it.span).chain(report.bare.iter().map(|it| it.span));
    let blocks = report.blocks.iter().flat_map(|it| [it.span, it.body]);
    for span in spans.chain(blocks).chain(report.labelled.iter().map(|it| it.span)) {
        assert!(output.get(span.range()).is_some(), "{span:?}");
    }
});
