//! What became of each obligation: whether the answer keeps it, breaks it or does not speak of it.
//!
//! This is the lexical groundwork: an obligation is *kept* where a claim of the plan uses enough of its content words, or states
//! its figure of the same thing; a ban is kept where nothing uses it. What the checks find broken is set afterwards.

use std::sync::LazyLock;

use jiff::civil::Date;
use regex::Regex;
use steadfast_annotate::{Bound, Quantity, Relation, TermMatcher, Unit, comparable, quantities};
use steadfast_ask::{Figure, Role, Rule};
use steadfast_evidence::{Quote, Status};
use steadfast_time::DateValue;

use crate::answer::{Answer, Claim};
use crate::ask::{Contract, ContractItem, Kind};
use crate::context;
use crate::evaluation::Judged;
use crate::matching::Index;
use crate::value::{self, Outcome};

/// Most quotes that are shown for one obligation.
pub const QUOTES_MAX: usize = 3;
/// Share of an obligation's weighted stems that a claim must use, by how many stems the obligation has: nearly all of a few, about half
/// of many. Uncalibrated.
const SHARES: [(usize, f64); 4] = [(2, 0.99), (4, 0.7), (8, 0.55), (usize::MAX, 0.42)];
/// Fewest stems of a longer obligation that a claim must use.
const HITS_MIN: usize = 2;
/// Below this share of the prompt's stems the answer speaks another language, or of something else.
const COMMON_STEMS_MIN: f64 = 0.1;

/// The status of each obligation, in the contract's order, before what the checks found.
#[must_use]
pub fn of_obligations(contract: &Contract, answer: &Answer) -> Vec<Judged> {
    let index = Index::of_the_plan(answer);
    let common = contract.stems.iter().filter(|stem| index.count(stem) > 0).count();
    #[expect(clippy::cast_precision_loss, reason = "counts of stems are far below 2^52")]
    let foreign = (common as f64) < COMMON_STEMS_MIN * contract.stems.len() as f64;
    contract
        .obligations
        .iter()
        .enumerate()
        .map(|(item, obligation)| {
            let (status, answer) = status(contract, obligation, answer, &index, foreign);
            Judged { item, status, answer }
        })
        .collect()
}

/// How much a stem tells: the rarer in the plan, the more. Robertson's inverse document frequency, always above nought. Words that
/// every plan shares are not told apart here, other than in [`Index::weight`]: an obligation may be made of them.
#[expect(clippy::cast_precision_loss, reason = "counts of claims are far below 2^52")]
fn weight(answer: &Answer, index: &Index<'_>, stem: &str) -> f64 {
    ((answer.claims.len() as f64 + 1.0) / (index.count(stem) as f64 + 0.5)).ln().max(0.1)
}

fn status(
    contract: &Contract,
    item: &ContractItem,
    answer: &Answer,
    index: &Index<'_>,
    foreign: bool,
) -> (Status, Vec<Quote>) {
    let rule = item.demand.and_then(|demand| contract.request.demands.get(demand)).map(|demand| &demand.kind.rule);
    match (item.obligation.kind, rule) {
        (_, Some(Rule::Ban { terms, .. })) => (Status::Kept, restated(answer, terms)),
        (_, Some(Rule::Figure { figure })) => {
            let Some(figure) = contract.request.figures.get(*figure) else { return (Status::NotAssessed, Vec::new()) };
            let found = stated(answer, figure);
            (if found.is_empty() { Status::Unmentioned } else { Status::Kept }, found)
        }
        // What was not sure stays kept where the answer is not sure of it either.
        (Kind::Uncertainty, _) if !foreign && !item.stems.is_empty() => {
            let found: Vec<Quote> = spoken_of(answer, index, &item.stems)
                .into_iter()
                .filter(|claim| hedged(answer, claim))
                .filter_map(|claim| whole(answer, claim))
                .take(QUOTES_MAX)
                .collect();
            (if found.is_empty() { Status::Unmentioned } else { Status::Kept }, found)
        }
        // Whether something is avoided cannot be seen from words that say it: nothing says the contrary until a check does.
        (Kind::NonGoal, _) | (_, Some(Rule::Avoid { .. })) => {
            let found = spoken_of(answer, index, &item.stems);
            let negated = found.into_iter().filter(|claim| denies(claim)).filter_map(|claim| whole(answer, claim));
            (Status::Kept, negated.take(QUOTES_MAX).collect())
        }
        _ if foreign || item.stems.is_empty() => (Status::NotAssessed, Vec::new()),
        _ => {
            let found: Vec<Quote> = spoken_of(answer, index, &item.stems)
                .into_iter()
                .filter(|claim| item.obligation.kind == Kind::Optional || !weakens(&claim.text))
                .filter(|claim| !contradicts(item, claim))
                .filter_map(|claim| whole(answer, claim))
                .take(QUOTES_MAX)
                .collect();
            (if found.is_empty() { Status::Unmentioned } else { Status::Kept }, found)
        }
    }
}

/// Whether a claim says another value of what the obligation sets: it is no evidence that it is kept.
fn contradicts(item: &ContractItem, claim: &Claim) -> bool {
    if !matches!(item.obligation.kind, Kind::Constraint | Kind::Metric | Kind::Budget | Kind::Deadline) {
        return false;
    }
    let said = item.obligation.source().text();
    let stated = value::read(&claim.text, &claim.quantities);
    if stated.is_empty() {
        return false;
    }
    value::read(said, &quantities(said)).iter().any(|asked| {
        let mut outcomes = stated.iter().filter_map(|own| value::compare(asked, own)).peekable();
        outcomes.peek().is_some() && outcomes.all(|outcome| outcome == Outcome::Breaks)
    })
}

/// Whether a claim leaves open whether what it says will be: such words keep no obligation.
fn weakens(text: &str) -> bool {
    static WEAK: LazyLock<Option<Regex>> = LazyLock::new(|| {
        steadfast_annotate::pattern(
            r"(?i)\b(?:(?:where|if|when|wherever|whenever|as far as|as much as) (?:possible|feasible|practicable|available|needed|time permits|funds allow)|optional(?:ly)?|nice[- ]to[- ]have|consider(?:ing|ed)?|may|might|could|ideally|potentially|possibly|perhaps|subject to availability|to be (?:decided|determined|confirmed)|tbd|at a later stage|in a later phase)\b",
        )
        .ok()
    });
    // "in May" is no permission.
    WEAK.as_ref().is_some_and(|weak| weak.find_iter(text).any(|found| found.start() == 0 || found.as_str() != "May"))
}

/// Whether a claim is unsure of what it says, or stands among what is not sure.
fn hedged(answer: &Answer, claim: &Claim) -> bool {
    static UNSURE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        steadfast_annotate::pattern(
            r"(?i)\b(?:risks?|uncertain\w*|unknown|unclear|assum\w+|if|whether|believed|thought to|said to|reportedly|may|might|could|would|likely|unlikely|probabl[ey]|possibl[ey]|perhaps|potential\w*|expect\w*|estimat\w*|challenge\w*|threat\w*|not (?:yet )?(?:sure|known|confirmed|decided|clear|proven)|unproven|unconfirmed|depends?|verify|inspect\w*|check|confirm)\b",
        )
        .ok()
    });
    claim.stance.assumed
        || UNSURE.as_ref().is_some_and(|unsure| {
            unsure.is_match(&claim.text)
                || claim
                    .places
                    .first()
                    .is_some_and(|place| answer.section_path(place).iter().any(|title| unsure.is_match(title)))
        })
}

fn whole(answer: &Answer, claim: &Claim) -> Option<Quote> {
    answer.quote(claim, &(0..claim.text.len()))
}

fn denies(claim: &Claim) -> bool {
    !steadfast_annotate::negations(&claim.text).is_empty()
}

/// The claims of the plan that use enough of `stems`, the best first; of equals the earlier.
fn spoken_of<'a>(answer: &'a Answer, index: &Index<'_>, stems: &[String]) -> Vec<&'a Claim> {
    let share = SHARES.iter().find(|(most, _)| stems.len() <= *most).map_or(1.0, |(_, share)| *share);
    index
        .aligned_by(stems, share, |stem| weight(answer, index, stem))
        .into_iter()
        .filter(|alignment| alignment.hits >= HITS_MIN.min(stems.len()))
        .filter_map(|alignment| answer.claims.get(alignment.claim))
        .take(QUOTES_MAX * 4)
        .collect()
}

/// Claims of the plan that state the figure: an equal quantity, of the same thing.
fn stated(answer: &Answer, figure: &Figure) -> Vec<Quote> {
    let mut found: Vec<(usize, Quote)> = Vec::new();
    for claim in answer.claims.iter().filter(|claim| claim.is_of_the_plan() && !claim.quantities.is_empty()) {
        if weakens(&claim.text) {
            continue;
        }
        for quantity in &claim.quantities {
            if !agrees(quantity, figure, &claim.text) {
                continue;
            }
            let shared = figure.subject.iter().filter(|stem| claim.has_stem(stem)).count();
            // An amount of money is told by its value; "three" of something only with what it is three of.
            let telling =
                matches!(figure.quantity.unit, Unit::Money(_)) || both_bound_people(quantity, figure, &claim.text);
            if shared == 0 && !(telling || figure.subject.is_empty()) {
                continue;
            }
            // "Within 4 weeks of the premiere" keeps no "within 3 months of greenlight": what only lies inside the bound must be
            // of the very thing.
            let inside = comparable(quantity, &figure.quantity) == Some(Relation::Within);
            let subject = figure.subject.iter().filter(|stem| !context::is_empty_word(stem)).count();
            if inside && shared * 2 < subject {
                continue;
            }
            if let Some(quote) = answer.quote(claim, &quantity.range) {
                found.push((shared, quote));
                break;
            }
        }
    }
    found.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
    found.into_iter().map(|(_, quote)| quote).take(QUOTES_MAX).collect()
}

/// Whether a quantity of the answer states the figure: the same value or window of time, or one inside the figure's bound.
fn agrees(quantity: &Quantity, figure: &Figure, text: &str) -> bool {
    if let (Unit::Date(stated), Unit::Date(asked)) = (&quantity.unit, &figure.quantity.unit) {
        let in_time = matches!((last(*stated), last(*asked)), (Some(stated), Some(asked)) if stated <= asked);
        return stated == asked || (figure.role == Role::Deadline && in_time && ends(text));
    }
    match comparable(quantity, &figure.quantity) {
        Some(Relation::Equal) => true,
        Some(Relation::Within) => figure.quantity.bound != Bound::Exact,
        _ => both_bound_people(quantity, figure, text),
    }
}

/// The last day of a date, if it has one.
fn last(date: DateValue) -> Option<Date> {
    match date {
        DateValue::Window(window) => Some(window.last),
        _ => None,
    }
}

/// Whether a claim says that the whole is done by then.
fn ends(text: &str) -> bool {
    static ENDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        steadfast_annotate::pattern(r"(?i)\b(?:last \w+ (?:ends?|is|closes?|moves?)|all \w+(?: \w+){0,3} (?:is|are|will be) (?:done|finished|complete\w*|moved|delivered|in)|(?:launch|open|go|finish|complete|deliver|end)(?:es|s|ed)? (?:\w+ ){0,3}(?:on|by|in|before)|goes live|is held|takes place|final \w+)\b").ok()
    });
    static PART: LazyLock<Option<Regex>> = LazyLock::new(|| {
        steadfast_annotate::pattern(
            r"(?i)\b(?:phase|stage|wave|draft|milestone|step|sprint|part) (?:one|two|three|[0-9a-c]|i+)\b|\bfirst\b",
        )
        .ok()
    });
    ENDS.as_ref().is_some_and(|ends| ends.is_match(text)) && !PART.as_ref().is_some_and(|part| part.is_match(text))
}

/// "12 places and no more" says "no more than 12 participants": places are counted by those who take them.
fn both_bound_people(quantity: &Quantity, figure: &Figure, text: &str) -> bool {
    const TAKEN: &[&str] = &[
        "adult",
        "attendee",
        "child",
        "guest",
        "member",
        "participant",
        "person",
        "people",
        "place",
        "pupil",
        "seat",
        "spot",
        "student",
        "teenager",
        "visitor",
        "volunteer",
    ];
    static BOUND: LazyLock<Option<Regex>> = LazyLock::new(|| {
        steadfast_annotate::pattern(
            r"(?i)\b(?:and no more|no more than|at most|maximum|max|up to|limit(?:ed)?|capped|cap|not more)\b",
        )
        .ok()
    });
    let (Unit::Count(a), Unit::Count(b)) = (&quantity.unit, &figure.quantity.unit) else { return false };
    figure.quantity.bound == Bound::AtMost
        && quantity.high == figure.quantity.high
        && TAKEN.contains(&a.stem.as_str())
        && TAKEN.contains(&b.stem.as_str())
        && (quantity.bound == Bound::AtMost || BOUND.as_ref().is_some_and(|bound| bound.is_match(text)))
}

/// Where the answer says again that `terms` are banned.
fn restated(answer: &Answer, terms: &[String]) -> Vec<Quote> {
    let matcher = TermMatcher::new(terms);
    let mut found = Vec::new();
    for claim in &answer.claims {
        if found.len() == QUOTES_MAX {
            break;
        }
        if (claim.stance.excluded || steadfast_ask::speaks_of_ban(&claim.text))
            && let Some(first) = matcher.find_all(&claim.text).first()
            && let Some(quote) = answer.quote(claim, &first.range)
        {
            found.push(quote);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use steadfast_evidence::{FileId, Status};
    use steadfast_text::{Document, Format, Span};

    use super::of_obligations;
    use crate::answer::{Answer, Artefact};
    use crate::ask;

    /// The status of the obligation that quotes `words`, and how many quotes of the answer stand for it.
    #[track_caller]
    fn check(prompt: &str, report: &str, words: &str, expect: Status) {
        let document = Document::from_str_as(prompt, Format::Markdown);
        let contract = ask::read(FileId(0), &document, Span::new(0, prompt.len()));
        let own = Document::from_str_as(report, Format::Markdown);
        let artefact = Artefact { file: FileId(1), name: "report.md".into(), document: own, left_out: Vec::new() };
        let answer = Answer::read(vec![artefact]);
        let judged = of_obligations(&contract, &answer);
        let found = judged
            .iter()
            .find(|one| contract.obligations[one.item].obligation.source().text().contains(words))
            .map(|one| (one.status, one.answer.len()));
        assert_eq!(found.map(|found| found.0), Some(expect), "{prompt:?} {report:?}");
        assert!(expect != Status::Kept || found.is_some_and(|found| found.1 > 0), "{prompt:?}: kept without words");
    }

    #[test]
    fn what_is_kept() {
        use Status::{Kept, Unmentioned};
        let date = "Plan a choir. The first evening must be held by 5 October 2026.";
        check(date, "# Choir\n\nThe first evening is held by 5 October 2026.\n", "first evening", Kept);
        check(date, "# Choir\n\nThe first evening is held by 9 October 2026.\n", "first evening", Unmentioned);
        let places = "Plan a choir. We meet on Mondays, with no more than 12 participants.";
        check(places, "# Choir\n\nThere are 12 places and no more.\n", "no more than 12", Kept);
        check(places, "# Choir\n\nThe hall has 12 seats.\n", "no more than 12", Unmentioned);
        check(places, "# Choir\n\nThere are at most 12 participants on Mondays.\n", "no more than 12", Kept);
        let ratio = "Plan a choir. At least 9 of 10 singers must know their part.";
        check(ratio, "# Choir\n\nAt least 9 of 10 singers know their part.\n", "9 of 10", Kept);
        check(ratio, "# Choir\n\nAt least 7 of 10 singers know their part.\n", "9 of 10", Unmentioned);
        let adults = "Plan a choir. Every session must have two adults with a first aid certificate.";
        let kept = "# Choir\n\nTwo adults with a first aid certificate are at every session.\n";
        check(adults, kept, "two adults", Kept);
        let weak = "# Choir\n\nWhere possible, two adults with a first aid certificate will be at every session.\n";
        check(adults, weak, "two adults", Unmentioned);
        let hedge = "Plan a choir. The chapel floor is believed to be sound.";
        check(
            hedge,
            "# Choir\n\nThe chapel floor is believed to be sound, and will be inspected.\n",
            "chapel floor",
            Kept,
        );
        check(hedge, "# Choir\n\nThe chapel floor is sound.\n", "chapel floor", Unmentioned);
        let money = "Plan a choir. The budget is €4,000 in total.";
        check(money, "# Choir\n\nThe budget of the choir is €4,000.\n", "€4,000", Kept);
    }
}
