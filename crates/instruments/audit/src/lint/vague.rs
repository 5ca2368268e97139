//! Words that leave open how much, how well or when, where no figure stands beside them.
//!
//! The kinds are those of ISO/IEC/IEEE 29148:2018, section 5.2.7: superlatives, subjective language, ambiguous adverbs and adjectives,
//! open-ended terms, comparative phrases, loopholes.

use std::ops::Range;

use steadfast_annotate::{Pattern, Unit, quantities};
use steadfast_ask::{Rule, Statement, clauses, is_background, is_question, masked};
use steadfast_evidence::Quote;
use steadfast_text::Span;

use crate::ask::{Contract, Kind};

/// Most vague words that are told.
const VAGUE_MAX: usize = 60;

steadfast_evidence::vocabulary! {
    /// What a vague word leaves open.
    VagueKind {
        /// No date and no length of time.
        When = "when", "when";
        /// No figure.
        HowMuch = "how_much", "how much";
        /// Nothing by which it could be told.
        HowWell = "how_well", "how well";
        /// Compared with nothing.
        ThanWhat = "than_what", "than what, and by how much";
        /// Whoever plans decides whether it binds.
        Loophole = "loophole", "whether it binds";
        /// A list without an end.
        OpenEnd = "open_end", "what else belongs to it";
    }
}

/// A vague word of the prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vague {
    /// How it is vague.
    pub kind: VagueKind,
    /// The word, as it stands.
    pub word: String,
    /// The sentence that it stands in.
    pub quote: Quote,
}

/// How many kinds there are.
const KINDS: usize = 6;

static WORDS: [(VagueKind, Pattern); KINDS] = [
    (
        VagueKind::When,
        Pattern::new(
            r"(?i)\b(?:(?:as )?(?:soon|quickly|fast|early) as (?:possible|feasible|we can)\b|asap\b|soon\b|shortly\b|promptly\b|quickly\b|rapidly\b|timely\b|in a timely manner\b|in the near future\b|eventually\b|at some point\b|in due course\b|before long\b|regularly\b|frequently\b|periodically\b)",
        ),
    ),
    (
        VagueKind::HowMuch,
        Pattern::new(
            r"(?i)\b(?:several\b|numerous\b|a (?:few|lot of|number of|handful of|couple of)\b|many\b|plenty of\b|sufficient(?:ly)?\b|adequate(?:ly)?\b|enough\b|significant(?:ly)?\b|substantial(?:ly)?\b|considerable\b|considerably\b|minimal(?:ly)?\b|low[- ]cost\b|cheap(?:ly)?\b|affordable\b|inexpensive\b|reasonably priced\b|large[- ]scale\b|massive\b|most of\b)",
        ),
    ),
    (
        VagueKind::HowWell,
        Pattern::new(
            r"(?i)\b(?:user[- ]friendly\b|easy to use\b|intuitive\b|high[- ]quality\b|good quality\b|state[- ]of[- ]the[- ]art\b|cutting[- ]edge\b|world[- ]class\b|best[- ]in[- ]class\b|next[- ]gen(?:eration)?\b|modern\b|innovative\b|robust\b|scalable\b|flexible\b|efficient(?:ly)?\b|effective(?:ly)?\b|cost[- ]effective\b|seamless(?:ly)?\b|reasonable\b|reasonably\b|acceptable\b|optimal(?:ly)?\b|optimi[sz]ed?\b|appropriate\b|suitable\b|proper(?:ly)?\b|realistic\b|nice\b|attractive\b|engaging\b|reliable\b|the best\b|advanced\b|sophisticated\b)",
        ),
    ),
    (
        VagueKind::ThanWhat,
        Pattern::new(
            r"(?i)\b(?:(?:better|faster|cheaper|easier|improved|enhanced|more (?:efficient|effective|accessible|affordable|sustainable|attractive|reliable))\b)",
        ),
    ),
    (
        VagueKind::Loophole,
        Pattern::new(
            r"(?i)\b(?:as appropriate\b|as (?:needed|required|necessary|applicable)\b|(?:if|where|when|whenever|wherever|as far as) (?:possible|appropriate|practical|practicable|feasible|needed|necessary|applicable|reasonable)\b|to the extent (?:possible|practical|practicable)\b|ideally\b|preferably\b|should the need arise\b|at your discretion\b)",
        ),
    ),
    (
        VagueKind::OpenEnd,
        Pattern::new(
            r"(?i)\b(?:etc\b\.?|et cetera\b|and so on\b|and so forth\b|and the like\b|among others?\b|amongst others\b|including but not limited to\b|but not limited to\b|or similar\b|and more\b)",
        ),
    ),
];

/// The vague words of what a prompt asks, in its order. What it only tells of (its problem, how things are, what it is not sure of, what it
/// bans) is not looked at, nor what stands in quotation marks, nor a clause that has a figure.
pub(super) fn find(contract: &Contract) -> Vec<Vague> {
    let mut found: Vec<(Span, Vague)> = Vec::new();
    for statement in &contract.request.statements {
        if !asks(contract, statement) {
            continue;
        }
        let masked = masked(&statement.text);
        let mut taken: Vec<Range<usize>> = Vec::new();
        for clause in clauses(&masked) {
            let Some(text) = masked.get(clause.clone()).filter(|text| !has_figure(text)) else { continue };
            // The longest reading first: "as soon as possible" is one word here.
            let mut hits: Vec<(VagueKind, Range<usize>)> = Vec::new();
            for (kind, pattern) in &WORDS {
                for hit in pattern.find_iter(text) {
                    hits.push((*kind, clause.start + hit.start()..clause.start + hit.end()));
                }
            }
            hits.sort_by_key(|(kind, range)| (range.start, std::cmp::Reverse(range.end), *kind));
            for (kind, range) in hits {
                if taken.iter().any(|other| other.start < range.end && range.start < other.end) {
                    continue;
                }
                let word = statement.text.get(range.clone()).unwrap_or_default().to_owned();
                if is_name(&statement.text, &range, kind) || found.len() >= VAGUE_MAX {
                    continue;
                }
                found.push((statement.quote.span(), Vague { kind, word, quote: statement.quote.clone() }));
                taken.push(range);
            }
        }
    }
    found.sort_by_key(|(span, _)| *span);
    found.into_iter().map(|(_, own)| own).collect()
}

/// Whether a sentence asks for something.
fn asks(contract: &Contract, statement: &Statement) -> bool {
    if is_question(&statement.text) {
        return false;
    }
    let own = statement.quote.span();
    let mut any = false;
    for item in contract.obligations.iter().filter(|item| item.obligation.source().span().overlaps(own)) {
        let rule = item.demand.and_then(|demand| contract.request.demands.get(demand)).map(|demand| &demand.kind.rule);
        match (item.obligation.kind, rule) {
            (_, Some(Rule::Ban { .. })) => return false,
            (Kind::Problem | Kind::Uncertainty, _) => {}
            _ => any = true,
        }
    }
    any || !is_background(&statement.text)
        && contract.obligations.iter().all(|item| !item.obligation.source().span().overlaps(own))
}

/// A number that says how much: no label, no place in an order.
fn has_figure(text: &str) -> bool {
    quantities(text).iter().any(|own| !matches!(own.unit, Unit::Label | Unit::Ordinal))
}

/// A word with a capital letter within a sentence is part of a name: "Modern Art Museum", "the Fast Track".
fn is_name(text: &str, range: &Range<usize>, kind: VagueKind) -> bool {
    let before = text.get(..range.start).unwrap_or_default().trim_end();
    let starts = before.is_empty() || before.ends_with(['.', ':', '-', '*', '•', '–', '—']);
    let own = text.get(range.clone()).unwrap_or_default();
    let shouted = own.chars().filter(|c| c.is_alphabetic()).all(char::is_uppercase);
    !starts && !shouted && kind != VagueKind::OpenEnd && own.chars().next().is_some_and(char::is_uppercase)
}
