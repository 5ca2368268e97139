//! Money comes from where the ask never said: a source of revenue or funding that the ask does not have joins or replaces its
//! own.
//!
//! Looked for are ways of earning and funding (merchandise, subscriptions, licensing to others, venture capital,
//! commercialisation, returns for investors …) in the plan's own or proposed words, of which the ask has none. What is
//! bought rather than sold, options, questions, criticism, risks and what is denied are none; nor is anything where the ask
//! leaves the model open or says nothing of where its money comes from. Only what the plan asserts without a hedge disqualifies the report.
//!
//! Example: the ask is a pageant that lives on tickets alone; a budget line "Merchandise sales" is an incident.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::{Strength, is_mention, is_negated, strength_at};
use steadfast_ask::Rule;
use steadfast_evidence::{Evidence, Quote, Severity};
use steadfast_steps::Regex;

use super::{Case, Check, incident};
use crate::answer::{Claim, Place};
use crate::ask::Kind;
use crate::incident::{Disqualifies, DriftType, Incident};
use crate::voice::Voice;

/// The check's id.
pub(super) const ID: &str = "revenue-model-replaced";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::E,
    summary: "money comes from where the ask never said",
    on_by_default: false,
    run,
};

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 3;

/// A way of earning or funding.
struct Way {
    /// Its name, for a reader.
    name: &'static str,
    /// How a plan says that it does so.
    said: &'static str,
    /// Beginnings of words; an ask with one of them has this way itself.
    asked: &'static [&'static str],
}

const fn way(name: &'static str, said: &'static str, asked: &'static [&'static str]) -> Way {
    Way { name, said, asked }
}

/// The name of a way that speaks of investors.
const RETURNS: &str = "returns for investors";

const WAYS: &[Way] = &[
    way(
        "commercialisation",
        r"\bcommerciali[sz](?:e|es|ing|ation of|ation)\b|\bmoneti[sz](?:e|es|ing|ation plan|ation strategy|ation model)\b|\b(?:set up|found|launch|spin (?:off|out)) a (?:company|start-?up)\b[^.]{0,40}\b(?:sell|market)\b",
        &["commerci", "moneti", "business model", "revenue model", "sales", "profit"],
    ),
    way(
        "merchandise",
        r"\bmerchandis(?:e|ing)\b(?: (?:sales|opportunities|line|lines|revenue))?",
        &["merchandis", "souvenir"],
    ),
    way(
        "purchases inside the product",
        r"\b(?:micro-?transactions?|in-(?:game|app) purchases?|loot boxes|downloadable content)\b",
        &["microtrans", "in-game purch", "in-app", "moneti", "dlc"],
    ),
    way(
        "a subscription",
        r"\b(?:monthly|annual|yearly|paid|weekly) subscriptions?\b|\bsubscription (?:fees?|models?|plans?|revenues?|options?|income|tiers?|services?)\b|\b(?:premium|paid) (?:tier|plan|version|membership)s?\b|\bfreemium\b",
        &["subscri", "premium tier", "freemium"],
    ),
    way(
        "venture capital",
        r"\b(?:venture capital(?:ists?)?|venture funding|angel investors?|series [ab] (?:round|funding)|seed (?:round|funding|capital)|private equity)\b",
        &["venture", "angel", "equity", "seed round", "seed funding"],
    ),
    way("crowdfunding", r"\bcrowd-?fund(?:ing|ed)\b", &["crowdfund", "crowd-fund"]),
    way(
        "an exit",
        r"\btrade sale\b|\b(?:initial public offering|IPO)\b|\bsell (?:their|our|its) (?:stake|shares|company)\b|\bexit strategy for investors\b",
        &["trade sale", "ipo", "exit"],
    ),
    way(
        RETURNS,
        r"\b(?:investors?|backers|shareholders)\b[^.;]{0,70}?\b(?:returns?|roi|dividends|growing market|profits?)\b|\b(?:returns?|roi) (?:for|to) (?:our |the )?(?:investors?|shareholders)\b",
        &["return", "roi", "dividend", "profit", "gross", "revenue"],
    ),
    way(
        "licensing",
        r"\blicens(?:e|ing) (?:the|our|its|their) [^.;]{2,60}? to\b|\blicensing (?:agreements?|revenues?|fees|income|deals?|partnerships?)\b|\b(?:sell|grant|offer)(?:s|ing)? licen[cs]es\b",
        &["licens", "licenc"],
    ),
    way("franchise fees", r"\bfranchise (?:fees?|licen[cs]es?|income|revenues?)\b|\bfranchisees?\b", &["franchis"]),
    way(
        "advertising",
        r"\b(?:revenue|income|earn\w*|money|funded|financed)\b[^.;]{0,40}\badvert(?:s|isements?|ising|isers?)\b|\b(?:sell|selling|sells) advert\w+|\badvertising (?:revenues?|income|space|sales)\b|\bsponsored (?:articles|content|posts)\b",
        &["advertis", "sponsored"],
    ),
    way(
        "sponsorship",
        r"\b(?:funded|financed|supported|paid|raised|income|revenue)\b[^.;]{0,50}\b(?:corporate |commercial )?sponsorships?\b|\bproduct placement\b|\bnaming rights\b",
        &["sponsor", "product placement", "naming right", "industry partner"],
    ),
    way("the sale of data", r"\bsell(?:ing|s)? (?:[\w-]+ ){0,4}data\b", &["sell data", "sale of data", "data sales"]),
    way(
        "a commission",
        r"\b(?:take|takes|charge|charges|earn|earns|collect|collects) a commission\b|\bcommission of \d",
        &["commission"],
    ),
    way(
        "streams of revenue that the ask does not have",
        r"\bdiversif(?:y|ies|ying) (?:\w+ )?(?:revenues?|income)(?: streams?| sources?)?\b|\b(?:alternative|additional|new|second|secondary|further|multiple|other) (?:revenue|income) (?:streams?|sources?)\b",
        &["revenue", "income", "earn", "monetis", "monetiz"],
    ),
    way("pre-orders", r"\bpre-?orders?\b(?: (?:options?|sales|campaigns?))?", &["pre-order", "preorder"]),
    way("an endowment", r"\bendowment funds?\b", &["endow"]),
];

static COMPILED: LazyLock<Vec<Option<Regex>>> =
    LazyLock::new(|| WAYS.iter().map(|way| steadfast_annotate::pattern(&format!("(?i){}", way.said)).ok()).collect());

/// The ask leaves it to the answer how to earn.
static OPEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:propose|suggest|develop|find|design|write|outline|recommend|work out|come up with)\b[^.!?]{0,50}\b(?:business (?:models?|plan)|revenue (?:models?|streams?)|pricing|ways? to (?:earn|fund|finance)|funding (?:model|plan|strategy|sources))\b|\bnot decided how\b|\b(?:and the like|or similar|etc\.?)\s*$").ok()
});

/// The ask says that users pay nothing.
static FREE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:is|are|be|remains?|stays?) free\b|\bfree (?:of charge|for (?:everyone|all|the public))\b|\bpays? nothing\b|\bno (?:fees?|charges?|paid features)\b|\bwithout charge\b").ok()
});

/// The plan says that somebody pays.
static PAYS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\bpays? (?:an? |the )?(?:\w+ )?(?:fees?|tuition|charges?|price|entry|admission|[£$€]\s?\d(?:[\d.,]*\d)?)|\b(?:is|are) charged\b|\b(?:charges?|charging) (?:an? )?(?:\w+ )?(?:fees?|[£$€]\s?\d(?:[\d.,]*\d)?)").ok()
});

/// What stands on the side of costs is bought.
static COSTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:costs?|expenses?|expenditures?|purchases?|procurement)\b").ok()
});

/// Where money comes from; that there is funding says nothing of it.
static SOURCES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:funded by|funding (?:sources|comes|from)|revenues?|income|grants?|financed|paid|pays?|sold|earn(?:s|ing|ed)?|belongs? to|owned by|tickets?|investors?|investments?|donations?)\b").ok()
});

/// Weighing rather than doing.
static WEIGHED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:explor\w+|consider\w*|assess\w*|investigat\w+|evaluat\w+|potential(?:ly)?|possib\w+|could|may|might|would|if|options?|compar\w+|striv\w+|aim\w*)\b").ok()
});

/// One passage that names a way.
struct Use<'a> {
    claim: &'a Claim,
    range: Range<usize>,
    severity: Severity,
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let statements = &case.ask.request.statements;
    let open = OPEN.as_ref();
    if statements.iter().any(|statement| open.is_some_and(|pattern| pattern.is_match(statement.text.trim()))) {
        return Vec::new();
    }
    let ask = case.ask.text.to_lowercase();
    let options: BTreeSet<(usize, usize)> = case
        .answer
        .claims
        .iter()
        .filter(|claim| claim.stance.voice == Voice::OptionNotChosen)
        .flat_map(|claim| claim.places.iter().filter_map(|place| section(case, place)))
        .collect();
    let mut uses: BTreeMap<usize, Vec<Use<'_>>> = BTreeMap::new();
    for (index, (way, pattern)) in WAYS.iter().zip(COMPILED.iter()).enumerate() {
        let Some(pattern) = pattern else { continue };
        if way.asked.iter().any(|word| has_word(&ask, word)) && !denied(case, pattern) {
            continue;
        }
        for claim in case.answer.claims.iter().filter(|claim| !weighs(case, claim, &options)) {
            if let Some(found) = pattern.find(&claim.text).and_then(|found| used(case, claim, found.range())) {
                uses.entry(index).or_default().push(found);
            }
        }
    }
    // Where the ask says nothing of money, nothing is replaced: a plan must propose.
    let Some(source) = source(case) else { return charged(case).into_iter().collect() };
    let mut ways: Vec<(usize, Vec<Use<'_>>)> = uses.into_iter().collect();
    for (_, uses) in &mut ways {
        // Stable: of equal gravity the first in the run's order comes first.
        uses.sort_by_key(|found| std::cmp::Reverse(found.severity));
    }
    ways.sort_by_key(|(_, uses)| std::cmp::Reverse(uses.first().map(|found| found.severity)));
    let mut told: Vec<&Claim> = Vec::new();
    let mut incidents: Vec<Incident> = Vec::new();
    for (way, uses) in ways {
        // One sentence that names several ways is one fault.
        if !uses.first().is_some_and(|found| told.iter().any(|claim| std::ptr::eq(*claim, found.claim))) {
            incidents.extend(one(case, WAYS[way].name, &uses, Some(source)));
        }
        told.extend(uses.iter().map(|found| found.claim));
    }
    incidents.extend(charged(case));
    // Stable: of equal gravity the order of the list holds.
    incidents.sort_by_key(|incident| std::cmp::Reverse(incident.finding.severity));
    incidents.truncate(INCIDENTS_MAX);
    incidents
}

/// What the ask says of where its money comes from: who funds it, else the sentence that names most sources.
fn source<'a>(case: &Case<'a>) -> Option<&'a Quote> {
    let demands = &case.ask.request.demands;
    let funders = case.ask.obligations.iter().find(|item| {
        item.obligation.kind == Kind::Budget
            && item
                .demand
                .and_then(|demand| demands.get(demand))
                .is_some_and(|demand| matches!(demand.kind.rule, Rule::Require { .. }))
    });
    if let Some(funders) = funders {
        return Some(funders.obligation.source());
    }
    let sources = SOURCES.as_ref()?;
    let counted = case.ask.funding.iter().map(|quote| (quote, sources.find_iter(quote.text()).count()));
    // Of equal counts the first: the order of the comparison is that of the ask, backwards.
    counted.filter(|(_, count)| *count > 0).rev().max_by_key(|(_, count)| *count).map(|(quote, _)| quote)
}

/// The section of a place.
fn section(case: &Case<'_>, place: &Place) -> Option<(usize, usize)> {
    let block = case.answer.artefacts.get(place.artefact)?.document.blocks.get(place.block)?;
    Some((place.artefact, block.section))
}

/// Whether a claim only tells of a choice: it stands beside options, and is none that was chosen.
fn weighs(case: &Case<'_>, claim: &Claim, options: &BTreeSet<(usize, usize)>) -> bool {
    claim.stance.voice == Voice::Asserted
        && claim.places.iter().all(|place| section(case, place).is_some_and(|own| options.contains(&own)))
}

/// Whether a word of `text` begins with `word`.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| !text[..at].ends_with(char::is_alphanumeric))
}

/// Whether the ask names the way only to deny it.
fn denied(case: &Case<'_>, pattern: &Regex) -> bool {
    let mut found = case
        .ask
        .request
        .statements
        .iter()
        .filter_map(|statement| Some((statement, pattern.find(&statement.text)?)))
        .peekable();
    found.peek().is_some() && found.all(|(statement, found)| is_negated(&statement.text, found.range()))
}

/// The way at `range` of a claim, if the plan takes it.
fn used<'a>(case: &Case<'_>, claim: &'a Claim, range: Range<usize>) -> Option<Use<'a>> {
    let voice = claim.voice_at(&range);
    if claim.stance.excluded || !voice.can_drift() || claim.stance.assumed {
        return None;
    }
    if is_negated(&claim.text, range.clone()) || is_mention(&claim.text, range.clone()) {
        return None;
    }
    let place = claim.places.first()?;
    let costs = COSTS.as_ref()?;
    let label = case.answer.label(place);
    if costs.is_match(&label) || case.answer.section_path(place).last().is_some_and(|title| costs.is_match(title)) {
        return None;
    }
    let weighed =
        WEIGHED.as_ref()?.is_match(&claim.text) || strength_at(&claim.text, range.clone()) < Strength::Intended;
    let severity = match voice {
        Voice::Asserted | Voice::Chosen if !weighed => Severity::Major,
        _ => Severity::Moderate,
    };
    Some(Use { claim, range, severity })
}

fn one(case: &Case<'_>, way: &str, uses: &[Use<'_>], source: Option<&Quote>) -> Option<Incident> {
    let Use { claim, range, severity } = uses.first()?;
    let quote = case.answer.quote(claim, range)?;
    let words = &claim.text[range.clone()];
    let others = uses.iter().skip(1).filter_map(|other| case.answer.quote(other.claim, &other.range));
    let because = match source {
        Some(source) => format!(
            "The report counts on {way} (\"{words}\"); the prompt says of money only: \"{}\".",
            crate::lists::shortened(source.text().trim())
        ),
        None => format!("The report counts on {way} (\"{words}\"); the prompt has no such source of money."),
    };
    let mut draft = incident(&CHECK, *severity, 0.75, Evidence::Quote(quote))
        .at(case.answer, claim, range)
        .voice(claim.voice_at(range))
        .also(others)
        .because(because)
        .repair("Keep to the prompt's own sources of money, or mark this as an idea outside the plan.");
    if let Some(source) = source {
        draft = draft.source(source);
    }
    // Returns and opportunities are told loosely; they alone do not make another business of it.
    let loose = way == RETURNS
        || claim.places.first().is_some_and(|place| {
            case.answer.section_path(place).iter().any(|title| title.to_lowercase().contains("opportunit"))
        });
    if *severity >= Severity::Major && !loose {
        draft = draft.disqualifies(Disqualifies::BusinessModelChanged);
    }
    Some(draft.done())
}

/// What is free in the ask and paid for in the plan.
fn charged(case: &Case<'_>) -> Option<Incident> {
    let (free, pays) = (FREE.as_ref()?, PAYS.as_ref()?);
    let statement = case.ask.request.statements.iter().find(|statement| free.is_match(&statement.text))?;
    let uses: Vec<Use<'_>> = case
        .answer
        .claims
        .iter()
        .filter_map(|claim| used(case, claim, pays.find(&claim.text)?.range()))
        .filter(|found| found.severity >= Severity::Major)
        .collect();
    one(case, "payment by those who pay nothing", &uses, Some(&statement.quote))
}
