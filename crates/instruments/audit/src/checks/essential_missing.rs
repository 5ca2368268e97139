//! Something that the ask calls essential, or a figure that it states, is nowhere in the answer.
//!
//! Looked for are explicit obligations only: what must hold (with a word of duty or weight: "must", "essential", "critical"),
//! metrics, budgets, deadlines and counts. They count as missing where no passage of the answer, in whatever voice, brings their
//! telling words together, or states the figure of the same thing. A figure that is there with another value is changed, not
//! missing; what is to be avoided is kept by silence. A limit on the length of the text itself is no figure that the text would give, and money
//! that stays within what there is keeps it.
//!
//! Example: "it is essential that the hatch can be used from a wheelchair" and an answer about sinks and tiles.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use steadfast_annotate::{Bound, Quantity, Relation, Strength, Unit, comparable, negations};
use steadfast_ask::{Figure, Role, Rule};
use steadfast_evidence::{Absence, Basis, Evidence, Quote, Severity};

use super::{Case, Check, incident};
use crate::ask::Kind;
use crate::figures::{self, Stated};
use crate::incident::{DriftType, Incident};
use crate::kin::{share, words_of};
use crate::matching::{self, Index};
use crate::same_figure as same;

/// The check's id.
pub(super) const ID: &str = "essential-missing";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::H,
    summary: "something essential of the ask, or a figure of it, is nowhere in the answer",
    on_by_default: true,
    run,
};

/// Most incidents; the other obligations of which the answer does not speak stand among the obligations.
const INCIDENTS_MAX: usize = 5;
/// Share of an obligation's telling words from which on a passage speaks of it, in per cent.
const SHARE_SPOKEN_PERCENT: usize = 45;
/// Telling words, at least: an obligation of fewer cannot be looked for.
const STEMS_MIN: usize = 2;
/// Of an obligation's rarest words so many count as its key.
const KEY_WORDS: usize = 3;
/// So many of the key words in one passage speak of the obligation.
const KEY_WORDS_TOGETHER: usize = 2;
/// Share of the words of a duty or of a sentence that both have, at least, for the one to say the other.
const SHARE_SAID_MIN: f64 = 0.6;
/// From this count on a count is a figure that a reader would look for.
const COUNT_MIN: i64 = 3;

static WEIGHTY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:essential|critical(?:ly)?|crucial(?:ly)?|vital(?:ly)?|mandatory|imperative|indispensable|non-negotiable|must|at all costs|most important(?:ly)?|above all|required|requires)\b").ok()
});

static DUTY: LazyLock<Option<Regex>> =
    LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\b(?:must|shall|ha(?:s|ve) to|needs? to)\b").ok());

static STRONGEST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:essential|critical|crucial|vital|mandatory|imperative|indispensable|non-negotiable|must|at all costs)\b").ok()
});

struct Missing<'a> {
    item: usize,
    statement: usize,
    rank: u8,
    strong: bool,
    figure: Option<Role>,
    source: &'a Quote,
    terms: Vec<String>,
    nearest: Option<Quote>,
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let index = &case.index;
    let passages = passages(case);
    let mut missing: Vec<Missing<'_>> = Vec::new();
    for (item, obligation) in case.ask.obligations.iter().enumerate() {
        if obligation.obligation.basis != Basis::Explicit {
            continue;
        }
        let Some(demand) = obligation.demand.and_then(|demand| case.ask.request.demands.get(demand)) else { continue };
        let source = obligation.obligation.source();
        let strong = STRONGEST.as_ref().is_some_and(|strong| strong.is_match(source.text()));
        let (terms, nearest, rank, figure) = match &demand.kind.rule {
            Rule::Figure { figure } => {
                let Some(figure) = case.ask.request.figures.get(*figure) else { continue };
                if !figure_is_missing(case, figure, source) && !figure_is_nowhere(case, figure) {
                    continue;
                }
                if is_held(case, figure, source) {
                    continue;
                }
                let rank = match obligation.obligation.kind {
                    Kind::Budget if figure.role == Role::BudgetTotal => 1,
                    Kind::Metric | Kind::Deadline => 2,
                    Kind::Budget => 2,
                    _ => 4,
                };
                let mut terms = vec![source_figure(case, figure)];
                terms.extend(figure.subject.iter().cloned());
                let near = nearest(case, index, &figure.subject, demand.kind.statement);
                (terms, near, rank, Some(figure.role))
            }
            Rule::Require { what, .. } => {
                let weighty = demand.kind.strength >= Strength::Committed
                    && WEIGHTY.as_ref().is_some_and(|weighty| weighty.is_match(source.text()));
                if !(weighty || obligation.obligation.kind == Kind::Metric) || conditional(source.text()) {
                    continue;
                }
                // What is forbidden is kept by silence; what states a figure that stands in the answer is spoken of.
                if !negations(what).is_empty() || states_known_figure(case, demand.kind.statement, source) {
                    continue;
                }
                let stems: Vec<String> = matching::stems_once(what)
                    .into_iter()
                    .filter(|stem| !matching::is_generic(stem) && !filler(stem))
                    .collect();
                if stems.len() < STEMS_MIN || spoken_of(&stems, &passages, index) {
                    continue;
                }
                let near = nearest(case, index, &stems, demand.kind.statement);
                (stems, near, if strong { 0 } else { 3 }, None)
            }
            _ => continue,
        };
        missing.push(Missing { item, statement: demand.kind.statement, rank, strong, figure, source, terms, nearest });
    }
    missing.sort_by_key(|one| (one.rank, one.item));
    let mut statements = BTreeSet::new();
    missing.retain(|one| statements.insert(one.statement));
    // "Phase one (months 1–8)", "phase two (months 9–16)": one fault.
    let mut kept: Vec<Missing<'_>> = Vec::new();
    for one in missing {
        let repeats = one.figure.is_some()
            && kept.iter().any(|other| {
                other.figure == one.figure && other.terms.iter().skip(1).any(|term| one.terms[1..].contains(term))
            });
        if !repeats {
            kept.push(one);
        }
    }
    let mut missing = kept;
    missing.truncate(INCIDENTS_MAX);
    missing.sort_by_key(|one| one.item);
    let files: Vec<_> = case.answer.artefacts.iter().map(|artefact| artefact.file).collect();
    missing
        .into_iter()
        .map(|one| {
            let severity = if one.strong { Severity::Major } else { Severity::Moderate };
            let words = one.source.text().to_owned();
            let absence = Absence { terms: one.terms, files: files.clone(), nearest: one.nearest };
            incident(&CHECK, severity, 0.75, Evidence::Absence(absence))
                .source(one.source)
                .obligation(one.item)
                .because(if one.figure.is_some() {
                    format!("The prompt states \"{words}\"; no part of the report gives that figure.")
                } else {
                    format!("The prompt asks for \"{words}\"; no part of the report speaks of it.")
                })
                .repair(format!("Take up what the prompt asks: \"{words}\"."))
                .done()
        })
        .collect()
}

/// Words of duty and of form that say nothing of what is required.
fn filler(stem: &str) -> bool {
    matches!(
        stem,
        "must"
            | "essenti"
            | "critic"
            | "crucial"
            | "vital"
            | "mandatori"
            | "requir"
            | "everi"
            | "abl"
            | "need"
            | "keep"
            | "want"
    )
}

/// What holds only under a condition of the ask need not be spoken of.
fn conditional(text: &str) -> bool {
    let low = text.to_lowercase();
    low.starts_with("if ") || low.contains(" if ") || low.contains("unless ")
}

/// Whether a figure that the obligation states is found in the answer.
fn states_known_figure(case: &Case<'_>, statement: usize, source: &Quote) -> bool {
    case.ask.request.figures.iter().any(|figure| {
        figure.statement == statement
            && matches!(figure.quantity.unit, Unit::Money(_) | Unit::Date(_) | Unit::Percent)
            && source.text().contains(&source_figure(case, figure))
            && !figure_is_missing(case, figure, source)
    })
}

/// The stems of each passage of the answer, whatever its voice, with the titles and leads that it stands under.
fn passages(case: &Case<'_>) -> Vec<BTreeSet<String>> {
    let mut passages = Vec::new();
    for artefact in &case.answer.artefacts {
        let document = &artefact.document;
        for block in &document.blocks {
            let mut stems: BTreeSet<String> = matching::stems_once(&block.text.plain).into_iter().collect();
            let titles = document.section_path(block.section);
            if let Some(title) = titles.last() {
                stems.extend(matching::stems_once(title));
            }
            passages.push(stems);
        }
    }
    passages
}

fn spoken_of(stems: &[String], passages: &[BTreeSet<String>], index: &Index<'_>) -> bool {
    let mut ranked: Vec<(usize, &String)> = stems.iter().map(|stem| (index.count(stem).max(1), stem)).collect();
    ranked.sort();
    passages.iter().any(|passage| {
        let hits = ranked.iter().filter(|(_, stem)| passage.contains(*stem)).count();
        let keys = ranked.iter().take(KEY_WORDS).filter(|(_, stem)| passage.contains(*stem)).count();
        hits * 100 >= SHARE_SPOKEN_PERCENT * ranked.len() || keys >= KEY_WORDS_TOGETHER.min(ranked.len())
    })
}

fn source_figure(case: &Case<'_>, figure: &Figure) -> String {
    case.ask
        .request
        .statements
        .get(figure.statement)
        .and_then(|statement| statement.text.get(figure.quantity.range.clone()))
        .unwrap_or_default()
        .to_owned()
}

/// Units of the text itself, as stems: a limit in them is kept by the text, not said in it.
const FORM: &[&str] = &["word", "charact", "page", "line", "sentenc", "paragraph", "slide"];

/// What makes an amount that of everything, or what is left of everything.
static IN_ALL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:in all|in total|altogether|all told|together|total(?:s|ling)?|sum|comes to|adds? up|left|remain\w*|spare|in hand|reserve)\b").ok()
});

/// Whether the answer holds a figure without saying it in a sentence of the same thing: it stands in a row or column of that thing, it limits
/// the text itself, or the money of the answer stays within it.
fn is_held(case: &Case<'_>, figure: &Figure, source: &Quote) -> bool {
    let asked = &figure.quantity;
    if let Unit::Count(counted) = &asked.unit
        && asked.bound == Bound::AtMost
        && FORM.contains(&counted.stem.as_str())
    {
        return true;
    }
    let words = source_figure(case, figure);
    // "18 euros a head at most": what stands behind the figure binds it as well.
    let at_most = asked.bound == Bound::AtMost || source.text().to_lowercase().contains("at most");
    let month = matches!(asked.unit, Unit::Date(_)).then(|| words.split_whitespace().last()).flatten();
    let month = month.filter(|_| !words.contains(|c: char| c.is_ascii_digit()));
    let of_source: BTreeSet<String> = matching::stems_once(source.text()).into_iter().collect();
    case.answer.claims.iter().any(|claim| {
        if let Some(month) = month
            && claim.text.split(|c: char| !c.is_alphanumeric()).any(|word| word == month)
        {
            return true;
        }
        let in_all = IN_ALL.as_ref().is_some_and(|pattern| pattern.is_match(&claim.text));
        let cell = claim.places.first().is_some_and(|place| same::cell_heads(case.answer, place)[0].is_some());
        let money =
            |own: &Quantity| matches!((&own.unit, &asked.unit), (Unit::Money(a), Unit::Money(b)) if a.matches(*b));
        let total = figure.role == Role::BudgetTotal;
        // "Beds 1,900 euros, meals 1,000: 2,900 in all" does not stay within 2,400.
        let over = total && claim.quantities.iter().any(|own| money(own) && own.high > asked.high);
        claim.quantities.iter().any(|own| {
            let within = money(own)
                && own.high <= asked.high
                && own.high + own.high >= asked.high
                && !over
                && (at_most || in_all && total);
            let in_row = || {
                cell && std::mem::discriminant(&own.unit) == std::mem::discriminant(&asked.unit)
                    && (own.low, own.high) == (asked.low, asked.high)
                    && matching::stems_once(&same::around(case.answer, claim)).iter().any(|it| of_source.contains(it))
            };
            within || in_row()
        })
    })
}

/// Whether no claim states the figure, and none states another figure of the same thing in its place.
fn figure_is_missing(case: &Case<'_>, figure: &Figure, source: &Quote) -> bool {
    let quantity = &figure.quantity;
    let money = matches!(quantity.unit, Unit::Money(_));
    let eligible = match &quantity.unit {
        Unit::Money(_) | Unit::Percent | Unit::Date(_) => true,
        Unit::Duration(_) => quantity.high > 1.into(),
        // "3.0 million for phase one", of a budget in a named currency.
        Unit::Plain => matches!(figure.role, Role::BudgetPart | Role::BudgetTotal),
        Unit::Count(_) => quantity.low >= COUNT_MIN.into(),
        _ => false,
    };
    if figure.denied
        || !eligible
        || matches!(figure.role, Role::Other)
        || figure.quote.text().to_lowercase().starts_with("if ")
    {
        return false;
    }
    let guessed = case
        .ask
        .request
        .statements
        .get(figure.statement)
        .is_some_and(|statement| statement.strength <= Strength::Possible);
    if guessed {
        return false;
    }
    let words: Vec<String> =
        matching::stems_once(source.text()).into_iter().filter(|stem| !stem.chars().any(char::is_numeric)).collect();
    let of_source: Vec<&String> = words.iter().filter(|stem| !matching::is_generic(stem)).collect();
    let telling: Vec<&String> = figure.subject.iter().filter(|stem| !matching::is_generic(stem)).collect();
    // A figure whose thing is not named cannot be looked for by its thing, only by its value.
    for sibling in &case.ask.request.figures {
        // "HK$470 million (approximately US$60 million)" is one figure, said twice.
        if sibling.statement == figure.statement
            && sibling.role == figure.role
            && sibling.quantity.range != quantity.range
            && matches!((&sibling.quantity.unit, &quantity.unit), (Unit::Money(a), Unit::Money(b)) if !a.matches(*b))
        {
            return false;
        }
    }
    // "3 months" stands in "the 3-month phase" too, in whatever role.
    let in_words = source_figure(case, figure).to_lowercase().trim_end_matches('s').replace('-', " ");
    let in_words = in_words.trim_start_matches(|c: char| !c.is_numeric());
    let in_words = if in_words.is_empty() { "\u{0}" } else { in_words };
    for claim in &case.answer.claims {
        // Another figure stands with most of the same words: it is changed, or said in another unit.
        let all = of_source.iter().filter(|stem| claim.has_stem(stem)).count();
        if of_source.len() >= 3 && all * 4 >= of_source.len() * 3 && !claim.quantities.is_empty() {
            return false;
        }
        let any = words.iter().filter(|stem| claim.has_stem(stem)).count();
        if any >= 2 && claim.text.to_lowercase().replace('-', " ").contains(in_words) {
            return false;
        }
        // A budget that is another, or stays inside the limit, is not missing.
        let whole = |stated: &Stated| same::is_whole_budget(case.answer, claim, stated, &figure.subject);
        if figure.role == Role::BudgetTotal && figures::stated(claim, case.answer).iter().any(whole) {
            return false;
        }
        for stated in &claim.quantities {
            let relation = comparable(stated, quantity);
            let same_number = stated.low == quantity.low && stated.high == quantity.high;
            let of_thing = telling.is_empty() || telling.iter().any(|stem| claim.has_stem(stem));
            let of_source = of_source.iter().filter(|stem| claim.has_stem(stem)).count();
            // Who spends less than the most there is need not say how much there was.
            if money && quantity.bound != Bound::Exact && relation == Some(Relation::Within) {
                return false;
            }
            if matches!(relation, Some(Relation::Equal)) || same_number {
                if money || of_thing || of_source >= 2 || matches!(quantity.unit, Unit::Date(_)) || telling.len() <= 1 {
                    return false;
                }
            } else if relation.is_some() {
                let shared = telling.iter().filter(|stem| claim.has_stem(stem)).count();
                if !telling.is_empty() && shared >= telling.len().div_ceil(2).max(1) {
                    return false;
                }
            }
        }
    }
    true
}

/// Whether a single report gives the figure of a duty nowhere, in no unit, and no sentence of it says what the duty says.
fn figure_is_nowhere(case: &Case<'_>, figure: &Figure) -> bool {
    let Some(statement) = case.ask.request.statements.get(figure.statement) else { return false };
    let counts = match figure.quantity.unit {
        Unit::Count(_) => figure.quantity.low >= COUNT_MIN.into(),
        Unit::Duration(_) | Unit::Percent | Unit::Measure(_) => figure.quantity.high > 1.into(),
        _ => false,
    };
    let duty = DUTY.as_ref().is_some_and(|duty| duty.is_match(&statement.text)) && !conditional(&statement.text);
    let digits = source_figure(case, figure);
    if !case.kin.judges() || figure.denied || !counts || !duty || !digits.contains(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let words = words_of(&statement.text, 0..statement.text.len());
    !case.answer.claims.iter().any(|claim| {
        claim.quantities.iter().any(|own| {
            matches!(comparable(own, &figure.quantity), Some(Relation::Equal | Relation::Within))
                || own.low == figure.quantity.low && own.high == figure.quantity.high
        }) || share(&words, &words_of(&claim.text, 0..claim.text.len())) >= SHARE_SAID_MIN
    })
}

/// The passage of the plan that comes nearest: by the words looked for, else by those of the sentence that asks for them.
fn nearest(case: &Case<'_>, index: &Index<'_>, stems: &[String], statement: usize) -> Option<Quote> {
    let best = |stems: &[String]| {
        index.aligned(stems, 0.0).into_iter().find(|one| case.answer.claims[one.claim].is_of_the_plan())
    };
    let asking = case.ask.request.statements.get(statement).map_or("", |statement| &statement.text);
    let best = best(stems).or_else(|| best(&matching::stems_once(asking)))?;
    case.answer.quote(&case.answer.claims[best.claim], &best.range)
}
