//! One quantity stated twice with different values.
//!
//! Two figures state the same quantity only if their labels do: the same head noun and the same modifiers ("total
//! marketing budget"), nothing that narrows the scope ("for the pilot", a phase, a year), no bound, no range, no scenario
//! and no change ("raised from … to …"). A label that says the whole ("total", "overall", "the project's") and no other
//! modifier is the whole of the piece of work, and so is the total row of its one budget table. What is only "the budget"
//! supports a figure, but is never held against another: it may be the budget of the section.

use std::collections::BTreeMap;
use std::ops::Range;

use steadfast_annotate::{Pattern, Unit};
use steadfast_text::{BlockKind, Document};

use super::figure::{Figure, Interval, addable, unit_name};
use super::found::{Place, middle, show_interval};
use super::series::{self, Role};
use super::{Statement, StatementKind, budget, pattern};
use crate::FileId;

/// Places that one restatement lists.
const PLACES_MAX: usize = 12;

/// How far before and after a figure its label is looked for, in bytes.
const LABEL_BYTES_MAX: usize = 90;

static BEFORE: Pattern = pattern(concat!(
    r"(?i)(?P<mods>(?:[^\s\d,;:.()=+\[\]]+\s+){0,6})(?P<head>budget|costs?|funding|investment|expenditure|headcount|team size|sample size|duration|timeline|timeframe)",
    r"\s*(?:(?:of|is|was|at|stands at|totals|amounts to|comes to|remains|is set at|is fixed at|is estimated at|will be|equals)\s+|[:=(]\s*|\s+\(\s*)(?:an? |the )?$"
));
static AFTER: Pattern = pattern(
    r"(?i)^[\s-]{1,2}(?P<mods>(?:[^\s\d,;:.()=+\[\]]+\s+){0,4}?)(?P<head>budget|headcount|timeline|duration)(?-u:\b)(?P<rest>[^.;]{0,40})",
);
/// What narrows the scope of the figure before it.
static SCOPE: Pattern = pattern(
    r"(?i)^\W{0,2}\s*(?:for|to|on|in|from|per|each|annually|yearly|monthly|a year|a month|allocated|dedicated|earmarked|reserved|available for|by|until|through|during|line|item|share|portion|increase|overrun|cut|gap|shortfall|request|threshold|allocation|range|higher|lower|more|less|or (?:more|less)|\+|and (?:above|up))(?-u:\b)",
);
static WHOLE_SCOPE: Pattern = pattern(
    r"(?i)^\W{0,2}\s*(?:for|to cover|in)\s+(?:the\s+|this\s+|our\s+|all\s+)*(?:whole|entire|full|project|programme|program|plan|total|phases|game|development phases|development)(?-u:\b)",
);
static OVER_TIME: Pattern = pattern(
    r"(?i)^\W{0,2}\s*(?:for|over|across|in)\s+(?:the\s+)?(?:next\s+)?[\d.]+[\s-]*(?:months?|years?|weeks?)(?-u:\b)",
);
/// Sentences that speak of other figures than the plan's own, or of figures that change.
static NOT_STATED: Pattern = pattern(concat!(
    r"(?i)(?-u:\b)(?:if|would|could|might|should|unless|assuming|suppose|scenarios?|best[- ]case|worst[- ]case|base[- ]case|optimistic|pessimistic|",
    r"at least|at most|up to|exceed(?-u:\w)*|additional|extra|further|rais(?-u:\w)+|reduc(?-u:\w)+|cut|cuts|increas(?-u:\w)+|decreas(?-u:\w)+|grow(?-u:\w)*|grew|shrink(?-u:\w)*|",
    r"originally|previous(?-u:\w)*|initially|formerly|earlier|revised|updated|new|instead|rather|versus|vs|compared?|than|not|never|no longer|",
    r"similar|benchmarks?|comparable|typical(?-u:\w)*|industry|average|example|e\.g|hypothetical(?-u:\w)*|imagine|threshold|approv(?-u:\w)+|per|each|every|annual(?-u:\w)*|monthly|yearly|",
    r"phase|year \d|first year|second year|third year|quarter|stage|option|alternative|corrected|actual(?-u:\w)*|slightly|noted as|",
    r"competitor(?-u:\w)*|other projects?)(?-u:\b)|\?"
));
/// What stands before a label of which only a part is meant.
static PART_OF: Pattern = pattern(
    r"(?i)(?:%|per ?cent|(?-u:\b)(?:percent|share|portion|part|parts|half|third|quarter|fraction|rest|remainder|most|some|much))\s+of\s+(?:the\s+|our\s+|its\s+|this\s+)?$",
);
/// Sections whose figures are of something else, or of a part.
static OTHER_SECTION: Pattern = pattern(concat!(
    r"(?i)(?-u:\b)(?:related|similar|references?|case stud(?-u:\w)+|comparables?|examples?|benchmark(?-u:\w)*|lessons|precedents?|scenarios?|options?|alternatives?|",
    r"phase|stage|year|quarter|competitors?|market|history|background|premortem|failure|what[- ]if|sensitivity|approv(?-u:\w)+|escalation|decision rights|",
    r"thresholds?|suggestions?|sprint|milestone|worst|best|appendix|archive|previous|changelog)(?-u:\b)"
));

/// Modifiers that do not narrow a label.
const GENERIC: &str = "estimated planned stated proposed available set approximate current at their your approved fixed agreed \
    assumed assumption including allocated";
/// Words before which no label begins.
const NOT_IN_LABEL: &str =
    "the a an our its of with has against given on within and this that is for under in to by from";
/// Modifiers that say that the whole is meant.
const WHOLE: &str =
    "total overall entire whole full combined project project's project’s programme program plan's plan’s grand";
/// Words of a title that do not narrow what its table is about.
const TITLE_GENERIC: &str = "budget budgets breakdown break-down cost costs estimate estimates estimated summary overview total project \
    financial financials finance finances plan funding development production and detailed table allocation by \
    category item items the of resources resource requirements section expenses expenditure our for overall \
    proposed planned executive introduction key facts figures assumptions high-level goal statement";

/// A figure and what it is the figure of.
pub(super) struct Fact {
    pub(super) place: Place,
    pub(super) nominal: Interval,
    pub(super) interval: Interval,
    pub(super) unit: Unit,
    pub(super) key: String,
    /// Whether it may be held against another.
    pub(super) strong: bool,
    /// A total row: the reference where two figures stand against each other.
    row: bool,
}

fn sentence_of(sentences: &[Range<usize>], at: usize, len: usize) -> Range<usize> {
    let index = sentences.partition_point(|sentence| sentence.end <= at);
    sentences.get(index).filter(|sentence| sentence.start <= at).cloned().unwrap_or(0..len)
}

/// Where the label begins in the words before its head: after the last word that cannot stand in it.
fn label_start_in(mods: &str) -> usize {
    let mut start = 0;
    let mut at = 0;
    for word in mods.split_inclusive(char::is_whitespace) {
        at += word.len();
        if among(NOT_IN_LABEL, &word.trim_end().to_lowercase()) {
            start = at;
        }
    }
    start
}

/// The key of a label, and whether it says the whole. `None` if it is no label that is compared.
fn key(mods: &str, head: &str, unit: &Unit) -> Option<(String, bool)> {
    let head = head.to_lowercase();
    let head = match head.as_str() {
        "cost" | "costs" => "cost",
        "timeline" | "timeframe" | "duration" => "duration",
        other => other,
    };
    let fits = match head {
        "headcount" | "team size" | "sample size" => matches!(unit, Unit::Count(_) | Unit::Plain),
        "duration" => matches!(unit, Unit::Duration(_)),
        _ => matches!(unit, Unit::Money(_)),
    };
    if !fits {
        return None;
    }
    let mut words: Vec<String> = mods.split_whitespace().map(str::to_lowercase).collect();
    if let Some(at) = words.iter().rposition(|word| among(NOT_IN_LABEL, word)) {
        words.drain(..=at);
    }
    let whole = words.iter().any(|word| among(WHOLE, word));
    let mut own: Vec<String> = words
        .into_iter()
        .filter(|word| !(among(WHOLE, word) || among(GENERIC, word) || whole && word == "development"))
        .collect();
    own.sort();
    own.dedup();
    // "cost of", "investment of" alone say of nothing in particular.
    if own.is_empty() && !whole && !matches!(head, "budget" | "headcount" | "team size" | "sample size") {
        return None;
    }
    if own.len() > 2 || !own.is_empty() && !whole && !matches!(head, "budget") {
        return None;
    }
    let strong = whole || !own.is_empty();
    own.push(head.to_owned());
    Some((own.join(" "), strong))
}

/// Labels in sentences and in "Label: figure".
fn prose(document: &Document, figures: &[Vec<Figure>], out: &mut Vec<Fact>) {
    let elsewhere = other_sections(document);
    for (number, block) in document.blocks.iter().enumerate() {
        if matches!(block.kind, BlockKind::Code { .. } | BlockKind::Heading | BlockKind::TableCell { .. })
            || elsewhere.get(block.section) == Some(&true)
        {
            continue;
        }
        let text = block.text.plain.as_str();
        let Some(own) = figures.get(number) else { continue };
        for (at, figure) in own.iter().enumerate() {
            if !figure.exact_bound() || figure.is_range() || figure.quantity.per.is_some() || figure.is_percent() {
                continue;
            }
            let sentence = sentence_of(&block.sentences, figure.range.start, text.len());
            let start =
                text.floor_char_boundary(sentence.start.max(figure.range.start.saturating_sub(LABEL_BYTES_MAX)));
            let end =
                text.floor_char_boundary(sentence.end.min(figure.range.end + LABEL_BYTES_MAX).max(figure.range.end));
            let (Some(before), Some(after)) = (text.get(start..figure.range.start), text.get(figure.range.end..end))
            else {
                continue;
            };
            let (found, label_start, label_end, rest) = if let Some(found) = BEFORE.captures(before) {
                // The figures of a label lie between it and this one only if it has none.
                let crossing = at.checked_sub(1).and_then(|previous| own.get(previous)).is_some_and(|previous| {
                    found.name("head").is_some_and(|head| previous.range.end > start + head.start())
                });
                if crossing {
                    continue;
                }
                let from = found.name("mods").map_or(0, |mods| mods.start() + label_start_in(mods.as_str()));
                (key(&found["mods"], &found["head"], figure.unit()), start + from, figure.range.end, after)
            } else if let Some(found) = AFTER.captures(after) {
                let head = found.name("head").map_or(0, |head| head.end());
                let rest = found.name("rest").map_or("", |rest| rest.as_str());
                let outer = before.trim_end().ends_with("the") || before.trim_end().ends_with('a');
                let made = key(&found["mods"], &found["head"], figure.unit());
                (made.map(|(key, strong)| (key, strong && outer)), figure.range.start, figure.range.end + head, rest)
            } else {
                continue;
            };
            let Some((key, strong)) = found else { continue };
            let whole_sentence = text.get(sentence.clone()).unwrap_or_default();
            let own_words = whole_sentence.len() <= 600;
            if SCOPE.is_match(rest) && !WHOLE_SCOPE.is_match(rest) && !OVER_TIME.is_match(rest)
                || !own_words
                || NOT_STATED.is_match(whole_sentence)
            {
                continue;
            }
            let outside = before.get(..label_start.saturating_sub(start)).unwrap_or_default();
            // "30 % of the total budget = …" is a figure of a part; "Total cost: …" below the title of a part is one too.
            let part = PART_OF.is_match(outside);
            let labelled = label_start == 0 || block.label.is_some();
            if part || (labelled || !key.ends_with("budget")) && narrow(document, block.section) {
                continue;
            }
            let label_start = before
                .get(label_start.saturating_sub(start)..)
                .map_or(label_start, |label| label_start + (label.len() - label.trim_start().len()));
            out.push(Fact {
                place: Place { block: number, range: label_start..label_end.max(figure.range.end) },
                nominal: figure.nominal,
                interval: figure.interval,
                unit: figure.unit().clone(),
                key,
                strong,
                row: false,
            });
        }
    }
}

/// For each section whether its title, or one above, says that its figures are of something else.
fn other_sections(document: &Document) -> Vec<bool> {
    let mut out: Vec<bool> = Vec::with_capacity(document.sections.len());
    for section in &document.sections {
        let above = section.parent.and_then(|parent| out.get(parent).copied()).unwrap_or(false);
        let title = &section.title[..section.title.floor_char_boundary(300)];
        out.push(above || OTHER_SECTION.is_match(title));
    }
    out
}

/// Whether `word` is one of a list parted by blanks.
fn among(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|other| other == word)
}

/// Whether the title of a section says that it is about a part of the work.
fn narrow(document: &Document, section: usize) -> bool {
    let Some(section) = document.sections.get(section).filter(|section| section.level > 0) else { return false };
    let title = section.title[..section.title.floor_char_boundary(300)].to_lowercase();
    title
        .split(|c: char| !c.is_alphabetic() && c != '-')
        .filter(|word| word.len() > 1)
        .any(|word| !among(TITLE_GENERIC, word))
}

/// The total row of the one budget table.
fn rows(document: &Document, figures: &[Vec<Figure>], out: &mut Vec<Fact>) {
    let elsewhere = other_sections(document);
    let mut found: Vec<Fact> = Vec::new();
    for table in &document.tables {
        let mut cells = table.rows.iter().flatten().filter_map(|cell| document.blocks.get(*cell));
        let Some(section) = cells.clone().next().map(|block| block.section) else { continue };
        let title = document.sections.get(section).map_or("", |section| section.title.as_str()).to_lowercase();
        let budget = title.contains("budget")
            || title.contains("cost")
            || cells.any(|block| {
                let text = block.text.plain.trim().to_lowercase();
                text.len() < 80
                    && ["contingency", "salaries", "personnel", "overhead", "budget"]
                        .iter()
                        .any(|word| text.starts_with(word))
            });
        if narrow(document, section) || !budget || elsewhere.get(section) == Some(&true) {
            continue;
        }
        let mut totals = Vec::new();
        for row in &table.rows {
            let Some(label) = row.first().and_then(|cell| document.blocks.get(*cell)) else { continue };
            if series::role(&label.text.plain) != Role::Total {
                continue;
            }
            let money: Vec<&Figure> = row
                .iter()
                .skip(1)
                .filter_map(|cell| figures.get(*cell))
                .flatten()
                .filter(|figure| figure.is_money())
                .collect();
            totals.push((row, money));
        }
        // Several totals (of years, of groups) are not one quantity.
        let [(row, money)] = totals.as_slice() else { continue };
        let [figure] = money.as_slice() else { continue };
        if !figure.exact_bound() || figure.is_range() || row.is_empty() || figure.quantity.per.is_some() {
            continue;
        }
        found.push(Fact {
            place: Place::of(figure),
            nominal: figure.nominal,
            interval: figure.interval,
            unit: figure.unit().clone(),
            key: "budget".to_owned(),
            strong: true,
            row: true,
        });
    }
    if let [_] = found.as_slice() {
        out.append(&mut found);
    }
}

/// Every quantity that is stated in two places or more.
pub(super) fn read(file: FileId, document: &Document, figures: &[Vec<Figure>]) -> Vec<Statement> {
    let mut facts = Vec::new();
    prose(document, figures, &mut facts);
    rows(document, figures, &mut facts);
    let mut out = budget::read(file, document, figures, &facts);
    let mut groups: BTreeMap<(String, String), Vec<&Fact>> = BTreeMap::new();
    for fact in &facts {
        // "$" and US dollars are one unit here.
        let unit = match &fact.unit {
            Unit::Money(currency) if currency.code() == "USD" => "$".to_owned(),
            Unit::Count(_) => String::new(),
            unit => unit_name(unit),
        };
        groups.entry((fact.key.clone(), unit)).or_default().push(fact);
    }
    for group in groups.values() {
        out.extend(compare(file, document, group));
    }
    out.sort_by_key(|statement: &Statement| statement.claim.span());
    out
}

/// One statement for the figure that most places agree on, one for each that differs.
fn compare(file: FileId, document: &Document, group: &[&Fact]) -> Vec<Statement> {
    // Clusters of one nominal value, in the order of the text.
    let mut clusters: Vec<Vec<&Fact>> = Vec::new();
    let mut known: BTreeMap<(rust_decimal::Decimal, rust_decimal::Decimal), usize> = BTreeMap::new();
    for fact in group {
        let value = (fact.nominal.low.normalize(), fact.nominal.high.normalize());
        let slot = *known.entry(value).or_insert(clusters.len());
        if slot == clusters.len() {
            clusters.push(Vec::new());
        }
        if let Some(cluster) = clusters.get_mut(slot) {
            cluster.push(fact);
        }
    }
    let strong = |cluster: &[&Fact]| cluster.iter().filter(|fact| fact.strong).count();
    let row = |cluster: &[&Fact]| cluster.iter().any(|fact| fact.row);
    let reference = clusters
        .iter()
        .enumerate()
        .filter(|(_, cluster)| strong(cluster) > 0)
        .max_by_key(|(index, cluster)| (strong(cluster), row(cluster), usize::MAX - index))
        .map(|(index, _)| index);
    let Some(reference) = reference else { return Vec::new() };
    let Some(main) = clusters.get(reference) else { return Vec::new() };
    let mut out = Vec::new();
    out.extend(statement(file, document, main, None));
    for (index, cluster) in clusters.iter().enumerate() {
        if index != reference && strong(cluster) > 0 {
            out.extend(statement(file, document, cluster, Some(main)));
        }
    }
    out
}

fn statement(file: FileId, document: &Document, own: &[&Fact], other: Option<&[&Fact]>) -> Option<Statement> {
    let strong: Vec<&Fact> = own.iter().copied().filter(|fact| fact.strong).collect();
    let first = *strong.first()?;
    let rest: Vec<&Fact> = match other {
        Some(other) => other.iter().copied().filter(|fact| fact.strong).collect(),
        None => own.iter().copied().filter(|fact| !std::ptr::eq(*fact, first)).collect(),
    };
    let second = *rest.iter().find(|fact| fact.row).or(rest.first())?;
    let alike = addable(&first.unit, &second.unit);
    // Two roundings of one figure: one of them lies where the other may lie.
    let holds = first.nominal.meets(second.interval) || second.nominal.meets(first.interval);
    if !alike {
        return None;
    }
    let quote = |fact: &Fact| fact.place.quote(file, document);
    let claim = quote(first)?;
    let terms = vec![quote(second)?];
    let mut places = vec![claim.clone()];
    for fact in std::iter::once(&second).chain(&rest).chain(strong.iter().skip(1)) {
        let Some(place) = quote(fact) else { continue };
        if !places.contains(&place) && places.len() < PLACES_MAX {
            places.push(place);
        }
    }
    let unit = unit_name(&first.unit);
    let label = &first.key;
    let here = show_interval(first.nominal, &unit);
    let there = show_interval(second.nominal, &unit);
    let message = if holds {
        format!("the {label} is {here} wherever it is stated")
    } else {
        format!("the {label} is {here} here, {there} elsewhere")
    };
    Some(Statement {
        kind: StatementKind::Restated,
        claim,
        stated: middle(first.nominal),
        computed: middle(second.nominal),
        unit,
        terms,
        places,
        message,
        holds,
    })
}
