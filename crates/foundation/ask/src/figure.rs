//! Figures and what they are the figures of.

use std::cell::OnceCell;
use std::ops::Range;

use steadfast_annotate::lexicon::{self, Class};
use steadfast_annotate::{Bound, Pattern, Quantity, Unit, stem};
use steadfast_steps::Regex;
use steadfast_text::{TokenKind, tokens};
use steadfast_time::DateValue;

use crate::request::Role;
use crate::scan::{head, pattern, segment, tail};
use crate::topic::Topic;

/// Most stems that say what a figure is the figure of.
const SUBJECT_STEMS_MAX: usize = 16;
/// Most figures that are read of one sentence: a longer row of numbers is data and asks for nothing.
const FIGURES_MAX: usize = 40;

/// A figure of one sentence, before it is quoted.
pub(crate) struct Reading {
    /// Where it stands among the sentence's quantities.
    pub(crate) quantity: Quantity,
    /// What it is the figure of.
    pub(crate) role: Role,
    /// What it is the figure of, as stems.
    pub(crate) subject: Vec<String>,
    /// Whether it is rejected.
    pub(crate) denied: bool,
    /// The words that state it.
    pub(crate) segment: Range<usize>,
}

static REVENUE: Pattern = pattern(
    r"(?i)\b(?:revenues?|gross(?:es|ing)?|prices?|priced|pricing|sales|sells?|selling|fees?|income|turnover|earnings?|arr|mrr|profits?|box[- ]office|margin|subscriptions?|royalt\w+|returns?|valuation|charge[sd]?|ticket)\b",
);
static BUDGET: Pattern = pattern(
    r"(?i)\b(?:budget(?:ed)?|funding|funds?|funded|capital|investment|capex|opex|grant|spend(?:ing)?|costs?|money|financ\w*|afford|allocat\w+)\b",
);
static TOTAL: Pattern = pattern(r"(?i)\b(?:total|overall|whole|entire|all-in|altogether|in all)\b");
static PART: Pattern = pattern(
    r"(?i)\b(?:phases?|years?|stages?|quarters?|sprints?|work ?packages?|tranches?|milestones?)[ -](?:one|two|three|four|five|six|\d+|[ivx]+)\b|\b(?:first|second|third|fourth|1st|2nd|3rd) (?:phase|year|stage|quarter|tranche)\b|\bper[- ]\w+",
);
static QUALIFIED_BUDGET: Pattern =
    pattern(r"(?i)\b([\w&-]+) (?:budget|funding|costs?|allocation|spend(?:ing)?|investment|grant)\b");
static PLAIN_QUALIFIER: Pattern = pattern(
    r"(?i)^(?:total|overall|production|project|the|our|entire|whole|a|an|is|maximum|max|estimated|initial|available|my|your|pilot|seed|planned|fixed|limited|full|program|programme|in|of|and|with|on|approved|this|its|rough|tight|small)$",
);
static LIMIT_OF_ACTION: Pattern = pattern(r"(?i)\b(?:above|over|exceed\w*|below)\s*$");
static ACTION: Pattern = pattern(r"(?i)\b(?:realloc\w+|approv\w+|threshold|sign-?off|require\w*|expens\w+|invoice)\b");
static EQUIVALENT: Pattern =
    pattern(r"(?i)^\s*[(/=]\s*(?:approximately|approx\.?|about|around|roughly|ca\.?|~|≈|circa|or)?\s*$");
static DEADLINE_BEFORE: Pattern = pattern(
    r"(?i)\b(?:within|by|no later than|not later than|before|until|in under|in less than|due(?: on| in)?|deadline(?: is| of|:)?|ready (?:in|on)|launch(?:es)? (?:in|on)|deliver(?:ed)?(?: \w+){0,3} in|complete[d]?(?: \w+){0,2} in|finish(?:ed)?(?: \w+){0,2} in|starts? (?:in|on)|begins? (?:in|on)|opens? (?:in|on)|from)\s+(?:the )?(?:end of )?(?:month |week |day |year )?(?:approximately |about |around |~)?$",
);
static DEADLINE_INSIDE: Pattern =
    pattern(r"(?i)^(?:within|by|no later than|before|until|in under|in less than|not later than)\b");
static DEADLINE_AFTER: Pattern = pattern(
    r"(?i)^\s*(?:from|after|of|following|before)\s+(?:the |our |its )?(?:project )?(?:greenlight|approval|start|launch|kick|sign|today|now|premiere|funding|award|go-ahead|contract|theatrical|release|opening|receipt|order|notice|completion)\w*",
);
static TOTAL_TIME_BEFORE: Pattern = pattern(
    r"(?i)\b(?:over|for|spans?|spanning|lasts?|lasting|runs? (?:for|over)|takes?|duration(?: of| is|:)?|time ?(?:line|frame)(?: of| is|:)?|period of|course of|throughout)\s+(?:the\s+|a\s+)?(?:next\s+|period of\s+|total of\s+)?$",
);
static WHOLE: Pattern = pattern(
    r"(?i)\b(?:project|program(?:me)?|budget|plan|phases?|timeline|duration|overall|total|unit|study|initiative|pilot|campaign|build|course|trip|roll-?out|implementation|schedule|years)\b",
);
static BARE_BUDGET: Pattern = pattern(
    r"(?i)\b(?:i have|we have|i've got|we've got|up to|under|max(?:imum)?|at most|no more than|less than|for|around|about|with|costs? (?:no more than|at most|under))\s*$",
);
static TARGET_CUE: Pattern = pattern(
    r"(?i)\b(?:targets?|targeting|goal|aim(?:s|ing)?|reach|achieve|increase|reduce|decrease|grow|cut|improve|at least)\b",
);
static NAMED: Pattern = pattern(
    r"(?i)\b(?:phase|year|stage|level|step|aim|part|option|tier|month|week|day|quarter|sprint|chapter|section|question|version|no\.?|round)\s+$",
);
static MAGNITUDE: Pattern = pattern(r"(?i)\b(?:million|billion|thousand|mio|mia|bn|mn)\b|\d\s?[mk]\b");
static AT_END: Pattern = pattern(r"(?i)\b(?:criteria|metrics?|kpis|measured|review|success|evaluated)\W+at\s+$");
static NO_MORE: Pattern = pattern(
    r"(?i)^,?\s*(?:and |but )?(?:not (?:a (?:penny|cent|dollar|euro|pound|dime|minute|day|second) )?more|no more|and that(?:'|’)?s (?:it|all)|at (?:the )?most|max(?:imum)?|tops|is (?:the|my|our) (?:limit|ceiling|maximum))\b",
);
static DENIED_BEFORE: Pattern = pattern(
    r"(?i)(?:\b(?:not|never|don't|don’t) (?:assume|rely on|expect|use|plan for|accept|budget|suppose|treat)\b[^,;]*|\brather than (?:the )?(?:\w+ )?|\binstead of (?:the )?(?:\w+ )?|\bnot (?:the )?)$",
);

/// Reads the figures of one sentence. `first` is the sentence that says what is wanted; `total_known` whether a total of money
/// has been stated before.
pub(crate) fn read(
    masked: &str,
    quantities: Vec<Quantity>,
    topic: Option<Topic>,
    label: &str,
    first: bool,
    mut total_known: bool,
) -> Vec<Reading> {
    let mut found: Vec<Reading> = Vec::new();
    let places: Vec<Range<usize>> =
        quantities.iter().filter(|quantity| tells(masked, quantity)).map(|quantity| quantity.range.clone()).collect();
    let told = quantities.into_iter().filter(|quantity| tells(masked, quantity)).take(FIGURES_MAX);
    let sentence = Sentence::new(masked);
    for (index, mut quantity) in told.enumerate() {
        // "about £14,500 and not a penny more": whatever stood before it, a ceiling.
        if matches!(quantity.unit, Unit::Money(_)) && NO_MORE.is_match(head(&masked[quantity.range.end..], 60)) {
            quantity.bound = Bound::AtMost;
            quantity.approximate = false;
        }
        let mut segment = segment(masked, &quantity.range);
        let context = Context {
            before: &masked[segment.start..quantity.range.start],
            own: &masked[quantity.range.clone()],
            after: &masked[quantity.range.end..segment.end],
            far: tail(&masked[..quantity.range.start], 90),
            behind: head(&masked[quantity.range.end..], 60),
            sentence: &sentence,
            topic,
            label,
            first,
            total_known,
            after_money: found.iter().any(|earlier| matches!(earlier.quantity.unit, Unit::Money(_))),
        };
        let equivalent = found.last().filter(|last| {
            last.quantity.range.end <= quantity.range.start
                && matches!((&last.quantity.unit, &quantity.unit), (Unit::Money(one), Unit::Money(other)) if one != other)
                && EQUIVALENT.is_match(&masked[last.quantity.range.end..quantity.range.start])
        });
        let role = equivalent.map_or_else(|| context.role(&quantity), |last| last.role);
        let denied = DENIED_BEFORE.is_match(context.far);
        if role == Role::BudgetTotal && !denied {
            total_known = true;
        }
        let mut subject = equivalent.map_or_else(Vec::new, |last| last.subject.clone());
        // "Phase one (months 1–8)": what the brackets are about stands before them.
        let alone = masked[..segment.start].ends_with('(') && masked[segment.end..].starts_with(')');
        if alone && matches!(quantity.unit, Unit::Duration(_) | Unit::Date(_)) {
            let before = tail(&masked[..segment.start - 1], 60);
            let words: Vec<&str> = before.split_whitespace().rev().take(3).collect();
            if let Some(first) = words.last()
                && let Some(at) = before.find(first)
                && !before[at..].contains(['.', ',', ';', ')'])
            {
                segment = segment.start - 1 - (before.len() - at)..segment.end + 1;
            }
        }
        let (before, after) = near(masked, &segment, &places, index);
        let segment = own_part(masked, segment, &places, index);
        subject.extend(stems_of(&masked[before]).into_iter().rev().take(SUBJECT_STEMS_MAX));
        subject.extend(stems_of(&masked[after]).into_iter().take(SUBJECT_STEMS_MAX / 2));
        if let Unit::Count(counted) = &quantity.unit {
            subject.extend(masked.get(counted.phrase.clone()).map(stems_of).unwrap_or_default());
        }
        if subject.is_empty() {
            subject.extend(stems_of(label));
        }
        subject.sort_unstable();
        subject.dedup();
        found.push(Reading { quantity, role, subject, denied, segment });
    }
    found
}

/// Whether a quantity says how much or when, rather than which: "phase one" and "the third" name.
fn tells(masked: &str, quantity: &Quantity) -> bool {
    !matches!(quantity.unit, Unit::Label | Unit::Ordinal)
        && masked.get(quantity.range.clone()).is_some()
        && !(matches!(quantity.unit, Unit::Count(_) | Unit::Plain)
            && NAMED.is_match(tail(&masked[..quantity.range.start], 20)))
}

/// The words of a figure's segment that are its own: up to the next figure on either side, and where there is one, up to an "and".
fn near(masked: &str, segment: &Range<usize>, places: &[Range<usize>], index: usize) -> (Range<usize>, Range<usize>) {
    let own = &places[index];
    let mut start = segment.start;
    let mut end = segment.end;
    if let Some(before) = places[..index].iter().rev().find(|place| place.end > segment.start) {
        let between = &masked[before.end.min(own.start)..own.start];
        match between.rfind(" and ") {
            Some(at) => start = before.end + at + 5,
            // "€1.8M year one covering lease and renovation": what the first says, the second is of as well, but for the number.
            None => start = before.end.min(own.start),
        }
    }
    if let Some(next) = places[index + 1..].iter().find(|place| place.start < segment.end) {
        let between = &masked[own.end..next.start.max(own.end)];
        end = between.find(" and ").map_or(next.start.max(own.end), |at| own.end + at);
    }
    (start.min(own.start)..own.start, own.end..end.max(own.end))
}

/// "€9,000 from the union and €7,000 from us": the part of a segment on a figure's side of the "and" between it and the next.
fn own_part(masked: &str, segment: Range<usize>, places: &[Range<usize>], index: usize) -> Range<usize> {
    const AND: &str = " and ";
    let own = &places[index];
    let Range { mut start, mut end } = segment;
    if let Some(before) = places[..index].iter().rev().find(|place| place.end > start && place.end <= own.start)
        && let Some(at) = masked[before.end..own.start].rfind(AND)
    {
        start = before.end + at + AND.len();
    }
    if let Some(next) = places[index + 1..].iter().find(|place| place.start < end && place.start >= own.end)
        && let Some(at) = masked[own.end..next.start].find(AND)
    {
        end = own.end + at;
    }
    start..end
}

/// What is asked of a whole sentence, once for all of its figures.
struct Sentence<'a> {
    masked: &'a str,
    acts: OnceCell<bool>,
    is_whole: OnceCell<bool>,
}

impl<'a> Sentence<'a> {
    fn new(masked: &'a str) -> Self {
        Self { masked, acts: OnceCell::new(), is_whole: OnceCell::new() }
    }

    /// Whether it speaks of what is done with money: approved, allocated, invoiced.
    fn acts(&self) -> bool {
        *self.acts.get_or_init(|| ACTION.is_match(self.masked))
    }

    /// Whether it speaks of an undertaking that lasts.
    fn is_whole(&self) -> bool {
        *self.is_whole.get_or_init(|| WHOLE.is_match(self.masked))
    }
}

struct Context<'a> {
    before: &'a str,
    own: &'a str,
    after: &'a str,
    far: &'a str,
    behind: &'a str,
    sentence: &'a Sentence<'a>,
    topic: Option<Topic>,
    label: &'a str,
    first: bool,
    total_known: bool,
    after_money: bool,
}

impl Context<'_> {
    fn role(&self, quantity: &Quantity) -> Role {
        let measured = self.topic == Some(Topic::Metric);
        match &quantity.unit {
            Unit::Money(_) => self.money(quantity),
            Unit::Duration(_) if measured => self.deadline().unwrap_or(Role::Target),
            Unit::Duration(_) => self.duration(),
            Unit::Date(DateValue::Project(point)) if point.low != point.high => Role::DurationPart,
            Unit::Date(_) => self.date(),
            Unit::Percent | Unit::PercentagePoints | Unit::Ratio => {
                if measured || TARGET_CUE.is_match(self.before) {
                    Role::Target
                } else {
                    Role::Rate
                }
            }
            // "10.5 million DKK (3.0 million for phase one …)": the currency is said once.
            Unit::Plain | Unit::Count(_) if MAGNITUDE.is_match(self.own) && self.total_known && self.after_money => {
                Role::BudgetPart
            }
            Unit::Count(_) => {
                if measured {
                    Role::Target
                } else {
                    Role::Count
                }
            }
            Unit::Measure(_) | Unit::Plain => {
                if measured {
                    Role::Target
                } else {
                    Role::Other
                }
            }
            Unit::Label | Unit::Ordinal => Role::Other,
        }
    }

    fn money(&self, quantity: &Quantity) -> Role {
        if (LIMIT_OF_ACTION.is_match(self.before) || LIMIT_OF_ACTION.is_match(head(self.own, 8)))
            && self.sentence.acts()
        {
            return Role::Other;
        }
        let nearest = |known: &Regex| {
            let before = known.find_iter(self.far).last().map(|found| self.far.len() - found.end());
            let after = known.find(self.after).map(|found| found.start() + 2);
            before.into_iter().chain(after).min()
        };
        let revenue = nearest(&REVENUE);
        let budget = nearest(&BUDGET);
        if let Some(distance) = revenue
            && budget.is_none_or(|other| distance < other)
            && (REVENUE.is_match(self.before) || REVENUE.is_match(self.after) || distance < 40)
        {
            return Role::Revenue;
        }
        if self.topic == Some(Topic::Metric) {
            return Role::Target;
        }
        if PART.is_match(self.after) || PART.is_match(tail(self.before, 30)) || quantity.per.is_some() {
            return Role::BudgetPart;
        }
        let by_label = self.topic == Some(Topic::Budget) && !self.total_known;
        if TOTAL.is_match(self.before) && (budget.is_some() || by_label) {
            return Role::BudgetTotal;
        }
        if let Some(found) = QUALIFIED_BUDGET.captures_iter(self.before).last()
            && let Some(qualifier) = found.get(1)
            && !PLAIN_QUALIFIER.is_match(qualifier.as_str())
        {
            return Role::BudgetPart;
        }
        if self.total_known {
            return if budget.is_some()
                && self.before.trim_start().len() > 3
                && BUDGET.is_match(self.before)
                && TOTAL.is_match(self.far)
            {
                Role::BudgetTotal
            } else {
                Role::BudgetPart
            };
        }
        if budget.is_some()
            || by_label
            || self.first
            || quantity.bound == Bound::AtMost
            || BARE_BUDGET.is_match(self.before)
            || self.label.to_lowercase().contains("budget")
        {
            return Role::BudgetTotal;
        }
        Role::Other
    }

    fn deadline(&self) -> Option<Role> {
        (DEADLINE_BEFORE.is_match(self.far)
            || AT_END.is_match(self.far)
            || DEADLINE_INSIDE.is_match(self.own)
            || DEADLINE_AFTER.is_match(self.behind))
        .then_some(Role::Deadline)
    }

    fn duration(&self) -> Role {
        if let Some(deadline) = self.deadline() {
            return deadline;
        }
        let adjectival = self.own.contains('-') && !self.own.contains("--");
        let whole = self.sentence.is_whole();
        if (TOTAL_TIME_BEFORE.is_match(self.far) || head(self.own, 5).to_lowercase().starts_with("over")) && whole
            || (adjectival && self.first && self.own.chars().any(char::is_alphabetic))
            || (self.topic == Some(Topic::Time) && self.before.trim().is_empty())
        {
            return Role::DurationTotal;
        }
        Role::DurationPart
    }

    fn date(&self) -> Role {
        // "sources from 2015 onwards": a beginning.
        let onwards = ["onward", "on,", "on.", "and later", "or later", "and newer", "or newer"];
        let after = self.behind.trim_start();
        if after == "on" || onwards.iter().any(|word| after.starts_with(word)) {
            return Role::Other;
        }
        if self.deadline().is_some() || self.topic == Some(Topic::Time) { Role::Deadline } else { Role::Other }
    }
}

fn stems_of(text: &str) -> Vec<String> {
    tokens(text)
        .into_iter()
        .filter(|token| token.kind == TokenKind::Word)
        .map(|token| text[token.range].to_lowercase())
        .filter(|word| !lexicon::has(Class::FigureEmpty, word) && (word.chars().nth(1).is_some() || !word.is_ascii()))
        .map(|word| stem(word.trim_end_matches(['.', '_'])))
        .filter(|stem| !stem.is_empty() && !stem.contains("__"))
        .collect()
}
