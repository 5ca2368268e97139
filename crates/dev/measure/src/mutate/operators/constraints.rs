//! Type B: bans brought back, negations dropped, duties made a matter of choice.

use std::sync::LazyLock;

use super::{Change, NEGATED_BOUND, Pattern, Site, affirmed, any, capital, found, has, lower, negations, open};
use steadfast_engine::SplitMix;

static DO_NOT: Pattern =
    LazyLock::new(|| steadfast_annotate::pattern(r"^(?:Please )?(?:[Dd]o not|[Dd]on['’]t|[Nn]ever) (.+)$").ok());
static NO: Pattern = LazyLock::new(|| steadfast_annotate::pattern(r"^No ([\w' ’-]+)$").ok());
static VERB: Pattern =
    LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\b(?:is|are|be|may|must|will|can|has|have|stays?|was)\b").ok());
static BANNED: Pattern =
    LazyLock::new(|| steadfast_annotate::pattern(r"(?i)^(?:banned|forbidden) (?:words|terms)[^:]*: *(.+)$").ok());
static DUTY: Pattern =
    LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\b(?:must|ha(?:s|ve) to|every|each|all)\b").ok());
/// A condition of an ask that makes something a wish: what is wished for `would` be.
static CONDITION: Pattern =
    LazyLock::new(|| steadfast_annotate::pattern(r"(?i)(?:^|[ ,])(if [^,.;:\d]+?)(?:,|\.|$)").ok());

/// "Do not hire a security company." becomes "We hire a security company.", in the place of what the report says of it.
pub(super) fn ban_restored(site: &Site<'_>, random: &mut SplitMix) -> Vec<Change> {
    let mut changes = Vec::new();
    for asked in &site.own().ask.sentences {
        let text = open(&asked.text);
        if has(&NEGATED_BOUND, text) {
            continue;
        }
        let mut said: Vec<String> = Vec::new();
        if let Some(ban) = found(&DO_NOT, text) {
            // What is opposed to the ban, or explains it, is no part of it.
            let deed = ban[1].split([';', ',']).next().unwrap_or_default();
            if negations(deed) == 0 {
                said.push(format!("{} {deed}.", any(random, &["We", "In this plan we", "From the beginning we"])));
            }
        } else if let Some(ban) = found(&NO, text).filter(|_| !has(&VERB, text)) {
            let frame = any(random, &["We work with {}.", "The plan includes {}.", "A part of it are {}."]);
            said.push(frame.replace("{}", &lower(&ban[1])));
        } else if let Some(ban) = found(&BANNED, text) {
            let frame = any(random, &["The result is {}.", "The approach could be called {}."]);
            said.extend(ban[1].split(',').map(|word| frame.replace("{}", word.trim())));
        }
        changes.extend(said.iter().flat_map(|said| site.in_place(asked, said)));
    }
    changes
}

/// A rule that the report keeps with a negation, without it.
pub(super) fn negation_removed(site: &Site<'_>, _: &mut SplitMix) -> Vec<Change> {
    let mut changes = Vec::new();
    for told in &site.own().report.sentences {
        let Some(asked) = site.asked(told).filter(|asked| negations(&asked.text) > 0) else { continue };
        changes.extend(affirmed(&told.text).map(|text| site.instead(told, &text, Some(asked.span))));
    }
    changes
}

/// What the report says of a duty, under the condition of somebody else's wish: "…, if time allows."
pub(super) fn duty_softened(site: &Site<'_>, random: &mut SplitMix) -> Vec<Change> {
    let wishes =
        site.others().flat_map(|other| &other.ask.sentences).filter(|sentence| sentence.text.contains(" would "));
    let conditions: Vec<String> = wishes.filter_map(|wish| Some(lower(&found(&CONDITION, &wish.text)?[1]))).collect();
    if conditions.is_empty() {
        return Vec::new();
    }
    let mut changes = Vec::new();
    for told in site.own().report.sentences.iter().filter(|told| told.text.ends_with('.')) {
        let Some(asked) = site.asked(told).filter(|asked| has(&DUTY, &asked.text) && negations(&asked.text) == 0)
        else {
            continue;
        };
        if negations(&told.text) > 0 || told.text.contains(" if ") || told.text.starts_with("If ") {
            continue;
        }
        let condition = &conditions[random.below(conditions.len())];
        let text = if random.below(2) == 0 {
            format!("{}, {condition}.", open(&told.text))
        } else {
            format!("{}, {}", capital(condition), lower(&told.text))
        };
        changes.push(site.instead(told, &text, Some(asked.span)));
    }
    changes
}
