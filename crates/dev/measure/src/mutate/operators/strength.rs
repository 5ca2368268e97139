//! Type D: what the ask is not sure of, told as sure.

use std::sync::LazyLock;

use super::{Change, Pattern, Site, capital, found, has, negations};
use steadfast_engine::SplitMix;

/// Words that the ask may hedge with. They say where an operator may act, and what it drops.
static HEDGE: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:may|might|could|probably|perhaps|possibly|presumably|apparently|reportedly|likely|maybe|roughly guess\w*|guess\w*|seem\w*|appear(?:s|ed)? to|(?:is|are) (?:believed|said|thought|supposed|expected|reported|rumoured|assumed) to)\b").ok()
});
static SAID_TO_BE: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)\b(is|are) (?:believed|said|thought|supposed|expected|reported|rumoured|assumed) to be\b",
    )
    .ok()
});
static SAID_TO_HAVE: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)\b(?:(is)|are) (?:believed|said|thought|supposed|expected|reported|rumoured|assumed) to have\b",
    )
    .ok()
});
static ADVERB: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)(?:^|\b)(?:probably|perhaps|possibly|presumably|apparently|reportedly|likely|maybe),? ",
    )
    .ok()
});
static SEEM: Pattern = LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\b(?:seem|appear) to ").ok());
static MODAL: Pattern =
    LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\b(?:may|might|could) (?:well |perhaps |possibly )?").ok());
static CONDITIONAL: Pattern =
    LazyLock::new(|| steadfast_annotate::pattern(r"(?i)^(?:if|whether|when|should)\b|\?$|\b(?:if|whether)\b").ok());

/// The sentences of the report that hedge what the ask hedges, by what becomes of them.
fn hedged(site: &Site<'_>, raised: &dyn Fn(&str) -> Option<String>) -> Vec<Change> {
    let mut changes = Vec::new();
    for told in &site.own().report.sentences {
        if !has(&HEDGE, &told.text) || has(&CONDITIONAL, &told.text) || negations(&told.text) > 0 {
            continue;
        }
        let Some(asked) = site.asked(told).filter(|asked| has(&HEDGE, &asked.text)) else { continue };
        changes.extend(raised(&told.text).map(|text| site.instead(told, &text, Some(asked.span))));
    }
    changes
}

/// "The lamp probably lasts" becomes "The lamp lasts", "is believed to be" becomes "is".
pub(super) fn hedge_dropped(site: &Site<'_>, _: &mut SplitMix) -> Vec<Change> {
    hedged(site, &|text| {
        if let Some(pattern) = SAID_TO_BE.as_ref().filter(|pattern| pattern.is_match(text)) {
            return Some(pattern.replace(text, "$1").into_owned());
        }
        if let Some(seen) = found(&SAID_TO_HAVE, text) {
            let has = if seen.get(1).is_some() { "has" } else { "have" };
            return Some(text.replacen(&seen[0], has, 1));
        }
        let pattern = [&ADVERB, &SEEM].into_iter().find(|pattern| has(pattern, text))?.as_ref()?;
        // A second hedge would be left.
        let plain = capital(&pattern.replace(text, ""));
        (!has(&HEDGE, &plain)).then_some(plain)
    })
}

/// "A distributor might order" becomes "A distributor will order".
pub(super) fn modal_raised(site: &Site<'_>, _: &mut SplitMix) -> Vec<Change> {
    hedged(site, &|text| {
        let raised = MODAL.as_ref()?.replace(text, "will ").into_owned();
        (raised != text && !has(&HEDGE, &raised)).then_some(raised)
    })
}
