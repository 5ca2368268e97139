//! Types E and F: who pays, and whom it is for.

use std::sync::LazyLock;

use super::{Change, Pattern, Site, any, capital, found, has, lower, negations, open};
use crate::mutate::reading::{Reading, Sentence};
use steadfast_engine::SplitMix;

/// What an amount of money looks like.
const MONEY: &str = r"(?:[€$£]|CHF |EUR |USD |GBP )\d[\d,.]*\d|\d[\d,.]* (?:EUR|USD|GBP|kronor|euros|dollars|pounds)";

static PAYS: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(&format!(
        r"(?i)\b(?:pays?|gives?|sells? at|adds?|costs?|price for) [^.]*?(?:{MONEY})|\bpays? for\b"
    ))
    .ok()
});
static PRICE: Pattern = LazyLock::new(|| steadfast_annotate::pattern(&format!("(?i){MONEY}")).ok());
static SPENDS: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:pay|paid|pays|price|sell|sells|sold|income|fund|funding|grant|subsidy|association|donations|money|borough|town)\b").ok()
});
/// Whom something is for, as an ask says it: what it is, and who.
static FOR: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)^(.{2,40}?)(?: is|'s|’s| are)(?: made| meant| intended| designed| written)? for ([^,;.]+)",
    )
    .ok()
});
static SERVES: Pattern = LazyLock::new(|| steadfast_annotate::pattern(r"(?i)^(it|we) serves? ([^,;.\d]+)").ok());
static ARE: Pattern = LazyLock::new(|| steadfast_annotate::pattern(r"^([A-Z][a-z]+s) are (the [^,;.]+)").ok());
static NOT_FOR: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)(?:\b(?:is|are)|['’]s) ?(?:not|n['’]t) (?:[\w-]+ ){0,3}?(?:for|at) ([^,;.]+)")
        .ok()
});
static FREE: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)^(.{2,40}?) (?:(?:is|are|stays?|remains?) free(?: of charge)?|pays? nothing)\b")
        .ok()
});

/// Whom an ask says that it is for, with the sentence that says so.
fn audience(ask: &Reading) -> Option<(&Sentence, String, String)> {
    ask.sentences.iter().filter(|sentence| negations(&sentence.text) == 0).find_map(|sentence| {
        let text = open(&sentence.text);
        if let Some(seen) = found(&FOR, text).or_else(|| found(&SERVES, text)) {
            return Some((sentence, seen[1].to_owned(), seen[2].trim().to_owned()));
        }
        found(&ARE, text).map(|seen| (sentence, "All of this".to_owned(), seen[2].trim().to_owned()))
    })
}

/// Where the money of another plan comes from, in the paragraph that speaks of money, or any.
pub(super) fn payer_imported(site: &Site<'_>, _: &mut SplitMix) -> Vec<Change> {
    let own = site.own();
    let Some(asked) = own.ask.sentences.iter().find(|sentence| has(&SPENDS, &sentence.text)) else { return Vec::new() };
    let of_money: Vec<&Sentence> =
        own.report.ends().into_iter().filter(|end| has(&PRICE, &end.text) || has(&SPENDS, &end.text)).collect();
    let ends = if of_money.is_empty() { own.report.ends() } else { of_money };
    let mut changes = Vec::new();
    for payer in site.others().flat_map(|other| other.report.prose()) {
        if has(&PAYS, &payer.text)
            && negations(&payer.text) == 0
            && !payer.text.starts_with("If ")
            && payer.text.len() < 120
            && site.texts.is_foreign(&payer.text, &own.ask)
        {
            changes.extend(ends.iter().map(|end| site.after(end, &payer.text, Some(asked.span))));
        }
    }
    changes
}

/// What is free has a price.
pub(super) fn free_sold(site: &Site<'_>, random: &mut SplitMix) -> Vec<Change> {
    let prices = prices(site);
    if prices.is_empty() {
        return Vec::new();
    }
    let mut changes = Vec::new();
    for told in &site.own().report.sentences {
        let (Some(seen), Some(asked)) = (found(&FREE, &told.text), site.asked(told)) else { continue };
        let frame = any(random, &["{} costs {price}.", "For {} we take {price}.", "{}: {price}."]);
        let what = if frame.starts_with("For") { lower(&seen[1]) } else { seen[1].to_owned() };
        let text = frame.replace("{}", &what).replace("{price}", prices[random.below(prices.len())]);
        changes.push(site.instead(told, &text, Some(asked.span)));
    }
    changes
}

/// Those for whom it is pay, where the ask has nobody pay.
pub(super) fn audience_charged(site: &Site<'_>, random: &mut SplitMix) -> Vec<Change> {
    let own = site.own();
    let prices = prices(site);
    let Some((asked, _, who)) = audience(&own.ask) else { return Vec::new() };
    static CUSTOMERS: Pattern =
        LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\b(?:pay|sells?|sold|price|fee)\b").ok());
    if prices.is_empty() || own.ask.sentences.iter().any(|it| has(&CUSTOMERS, &it.text) && negations(&it.text) == 0) {
        return Vec::new();
    }
    let price = prices[random.below(prices.len())];
    let who = capital(&who);
    let frame = any(
        random,
        &["{} pay {price} each.", "{} are charged {price} a month.", "{} bear the cost with {price} per person."],
    );
    site.anywhere(&frame.replace("{}", &who).replace("{price}", price), Some(asked.span))
}

/// Prices of other plans.
fn prices<'a>(site: &Site<'a>) -> Vec<&'a str> {
    let Some(pattern) = PRICE.as_ref() else { return Vec::new() };
    // A price, and no budget: it has no mark for thousands.
    let sentences = site.others().flat_map(|other| other.ask.sentences.iter().chain(&other.report.sentences));
    sentences
        .flat_map(|it| pattern.find_iter(&it.text))
        .map(|seen| seen.as_str())
        .filter(|it| !it.contains(','))
        .collect()
}

/// It is for whom another ask says.
pub(super) fn audience_swapped(site: &Site<'_>, random: &mut SplitMix) -> Vec<Change> {
    let own = site.own();
    let Some((asked, what, _)) = audience(&own.ask) else { return Vec::new() };
    let mut changes = Vec::new();
    for (_, _, who) in site.others().filter_map(|other| audience(&other.ask)) {
        if !site.texts.is_foreign(&who, &own.ask) {
            continue;
        }
        let frame = any(random, &["{what} is for {who}.", "{what} is made for {who}.", "It is aimed at {who}."]);
        changes.extend(site.in_place(asked, &frame.replace("{what}", &capital(&what)).replace("{who}", &who)));
    }
    changes
}

/// It is for those as well for whom the ask says that it is not.
pub(super) fn excluded_welcomed(site: &Site<'_>, random: &mut SplitMix) -> Vec<Change> {
    let mut changes = Vec::new();
    for asked in &site.own().ask.sentences {
        let Some(seen) = found(&NOT_FOR, open(&asked.text)) else { continue };
        let who = seen[1].trim();
        let frame =
            any(random, &["It is also for {}.", "A second group that we address are {}.", "We win over {} as well."]);
        let text = frame.replace("{}", who);
        changes.extend(site.in_place(asked, &text));
    }
    changes
}
