//! The report has something of a kind that the prompt rules out: prices, links, mail addresses, emoji, exclamation marks, percentages.
//!
//! The kind must be ruled out as such: "Don't mention prices", "no links"; what is only ruled out somewhere ("no links in the tables") or in part
//! ("no costs above 500 euros") is another thing. What the prompt itself quotes is none.
//!
//! Example: "Don't mention prices" against "A day pass costs 12 €."

use std::sync::LazyLock;

use steadfast_annotate::{Pattern, Unit, is_mention};
use steadfast_evidence::{Evidence, Polarity, Severity};
use steadfast_steps::Regex;

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::ask::ContractItem;
use crate::incident::{DriftType, Incident};

/// The check's id.
pub(super) const ID: &str = "kind-banned";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::B,
    summary: "the report has something of a kind that the prompt rules out",
    run,
};

/// A kind of thing that code can tell, ruled out as such.
static RULED_OUT: LazyLock<Regex> = LazyLock::new(|| {
    let no = r"(?:no|not|never|do not|don['’]?t|dont|without|avoid|omit|leave out|skip)";
    let verb = r"(?:(?:mention|use|include|give|quote|state|add|put|name|show|print|write|any|the|or|and|nor|no)\s+|[\w-]+,?\s+(?:or|and|,)\s*(?:no\s+)?){0,3}";
    let kind = r"(?P<money>(?:prices?|costs?|fees?|salar(?:y|ies)|wages?|pay|rents?|amounts? of money)(?: figures?| amounts?| details?| ranges?)?)|(?P<phone>(?:tele)?phone numbers?)|(?P<link>links?|urls?|web addresses)|(?P<mail>e-?mail addresses|e-?mails)|(?P<emoji>emojis?|emoticons?|smileys)|(?P<mark>exclamation marks?)|(?P<share>percentages?|per ?cents?)";
    steadfast_annotate::pattern(&format!(
        r"(?i)\b{no}\b\s+{verb}(?:{kind})(?:\s+(?:at all|anywhere|please|altogether|whatsoever|yet|(?:in|on) (?:it|here|(?:the|this|that) (?:ad|advert|copy|document|draft|e-?mail|flyer|letter|message|note|notice|page|post|poster|report|sheet|sign|text))))*\s*(?:[,.;!)]|and\b|or\b|$)|\bleave (?P<money2>prices|costs|fees) out\b"
    ))
    .expect("a constant pattern compiles")
});
static LINK: Pattern = Pattern::new(r"(?i)https?://\S+|\bwww\.\w+\S*");
static PHONE: Pattern = Pattern::new(r"(?:\+|\b0)\d[\d ()/-]{5,18}\d\b");
static MAIL: Pattern = Pattern::new(r"[\w.+-]+@[\w-]+\.[\w.-]+");

/// Whether an obligation rules out a kind of thing that code can tell.
pub(crate) fn looks_at(item: &ContractItem) -> bool {
    item.polarity == Polarity::Not && RULED_OUT.is_match(item.obligation.source().text())
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents = Vec::new();
    for (at, item) in case.ask.obligations.iter().enumerate().filter(|(_, item)| looks_at(item)) {
        let source = item.obligation.source();
        let Some(found) = RULED_OUT.captures(source.text()) else { continue };
        // "No prices on the sheet, but under it": where they may stand is not told apart.
        let behind = found.get(0).and_then(|all| source.text().get(all.end()..)).unwrap_or_default();
        if ["but", "except", "only", "unless"].iter().any(|word| behind.trim_start().starts_with(word)) {
            continue;
        }
        let is = |name: &str| found.name(name).is_some();
        let place = |claim: &Claim| -> Option<std::ops::Range<usize>> {
            if is("money") || is("money2") {
                let own = claim.quantities.iter().find(|own| matches!(own.unit, Unit::Money(_)));
                own.map(|own| own.range.clone())
            } else if is("phone") {
                PHONE.find(&claim.text).map(|own| own.range())
            } else if is("share") {
                claim.quantities.iter().find(|own| own.unit == Unit::Percent).map(|own| own.range.clone())
            } else if is("link") {
                LINK.find(&claim.text).map(|own| own.range())
            } else if is("mail") {
                MAIL.find(&claim.text).map(|own| own.range())
            } else if is("mark") {
                claim.text.find('!').map(|at| at..at + 1)
            } else {
                claim.text.char_indices().find(|(_, c)| is_emoji(*c)).map(|(at, c)| at..at + c.len_utf8())
            }
        };
        let used = case.answer.claims.iter().filter(|claim| !claim.stance.excluded).find_map(|claim| {
            let range = place(claim)?;
            let said = claim.text.get(range.clone())?;
            // A mark of the prompt's own is no licence for one of the report's.
            let is_given = !is("mark") && case.ask.text.contains(said);
            (!is_given && !is_mention(&claim.text, range.clone())).then_some((claim, range))
        });
        let Some((claim, range)) = used else { continue };
        let Some(quote) = case.answer.quote(claim, &(0..claim.text.len())) else { continue };
        incidents.push(
            incident(&CHECK, Severity::Major, 0.85, Evidence::Quote(quote))
                .at(case.answer, claim, &range)
                .source(source)
                .obligation(at)
                .because(format!(
                    "The prompt rules it out (\"{}\"); the report has \"{}\".",
                    source.text().trim(),
                    &claim.text[range.clone()]
                ))
                .repair("Take it out.")
                .done(),
        );
    }
    incidents
}

/// Whether a character is a picture (blocks of Unicode that hold little else).
const fn is_emoji(c: char) -> bool {
    matches!(c, '\u{1F300}'..='\u{1FAFF}' | '\u{2600}'..='\u{26FF}' | '\u{2705}' | '\u{2728}' | '\u{274C}')
}
