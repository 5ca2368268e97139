//! Where things have to be.

use std::ops::Range;

use steadfast_annotate::{Name, NameKind, Pattern, Sentence};

use crate::scan::{head, pattern, segment, tail};
use crate::topic::Topic;

/// The places of one sentence that the request fixes.
pub(crate) struct Reading {
    /// Names of the places.
    pub(crate) places: Vec<String>,
    /// Whether no other is allowed.
    pub(crate) only: bool,
    /// The words that say so.
    pub(crate) segment: Range<usize>,
}

static BEFORE: Pattern = pattern(
    r"(?i)\b(?:in|to|at|near|around|outside|across|from|within|inside|on)\s+(?:the |a |an |central |downtown |greater |north\w*\s|south\w*\s|east\w*\s|west\w*\s|rural |\w+ (?:part|area|region|city|outskirts|neighbou?rhood)s? of )*$",
);
static CUE: Pattern = pattern(
    r"(?i)\b(?:located|location|based|base|headquarter\w*|site|sites|relocat\w*|shot|filmed|filming|held|hosted|venue|takes? place|set in|set up|operat\w+ in|open(?:ed|ing)? in|built in|situated|housed|only in|entirely)\b",
);
static ONLY: Pattern =
    pattern(r"(?i)\b(?:entirely|only|exclusively|solely|nowhere else|wholly|must be (?:in|located|based))\b");

/// The place that a sentence fixes, if it fixes one. `wanted` says that the sentence is what is to be done.
pub(crate) fn read(sentence: &Sentence<'_>, topic: Option<Topic>, wanted: bool) -> Option<Reading> {
    let (text, masked, all) = (sentence.text, sentence.masked.as_str(), &sentence.names);
    let label = topic == Some(Topic::Place);
    let cued = CUE.is_match(head(masked, 2_000));
    if !(label || cued || wanted) {
        return None;
    }
    let places: Vec<&Name> = all.iter().filter(|name| name.kind == NameKind::Place).collect();
    for (index, first) in places.iter().enumerate() {
        let far = tail(&masked[..first.range.start], 120);
        // "Western Jutland, Denmark": what stands before a place after its preposition belongs to it.
        let (start, prepared) = with_proper(text, all, first);
        let before = tail(&masked[..start], 60);
        if !(label || BEFORE.is_match(before) || prepared && BEFORE.is_match(before)) {
            continue;
        }
        if !label && !wanted && !CUE.is_match(far) {
            continue;
        }
        let mut end = first.range.end;
        let mut named = vec![text[start..end].to_owned()];
        for next in &places[index + 1..] {
            let between = &masked[end..next.range.start];
            if !matches!(between.trim(), "," | "and" | "or" | ", and" | ", or" | "/" | "&") {
                break;
            }
            end = next.range.end;
            named.push(next.text.clone());
        }
        let mut segment = segment(masked, &(start..end));
        if segment.len() > 200 {
            segment = start..end;
        }
        let around = &masked[segment.clone()];
        return Some(Reading { places: named, only: ONLY.is_match(around), segment });
    }
    None
}

fn with_proper(text: &str, all: &[Name], place: &Name) -> (usize, bool) {
    let before = all.iter().rfind(|name| {
        name.range.end <= place.range.start
            && matches!(text[name.range.end..place.range.start].trim(), "," | "")
            && matches!(name.kind, NameKind::Proper | NameKind::Place)
    });
    before.map_or((place.range.start, false), |name| (name.range.start, true))
}
