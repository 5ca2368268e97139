//! The checks: one file for each, listed in [`ALL`].

mod assent_invented;
mod assumption_hardened;
mod authority_invented;
mod banned_act_done;
mod banned_list_contested;
mod banned_term_used;
mod certification_claimed;
mod customer_replaced;
mod date_before_start;
mod detail_differs;
mod figure_erased;
mod form_differs;
mod item_dropped;
mod kind_banned;
mod mechanism_replaced;
mod name_replaced;
mod opposite_said;
mod outside_scope;
mod protected_touched;
mod rejected_option_asserted;
mod requirement_denied;
mod row_differs;
mod speech_act;

use std::borrow::Cow;

use steadfast_annotate::{Pattern, content_stems};
use steadfast_ask::Rule;
use steadfast_evidence::{Confidence, Evidence, Finding, Origin, Quote, Severity};
use steadfast_text::Span;

use crate::answer::{Answer, Claim};
use crate::ask::{Contract, ContractItem};
use crate::form;
use crate::incident::{Disqualifies, DriftType, Incident};
use crate::matching::{Index, is_generic};
use crate::passages::{self, Passage};

/// What a check is given.
#[derive(Debug)]
pub struct Case<'a> {
    /// What was asked.
    pub ask: &'a Contract,
    /// What was answered.
    pub answer: &'a Answer,
    /// The words of the answer's claims, in whatever voice.
    pub index: Index<'a>,
    /// For each obligation what the answer says nearest to it.
    pub near: Vec<Vec<Passage>>,
}

impl<'a> Case<'a> {
    /// Reads what checks need of both sides.
    pub(crate) fn new(ask: &'a Contract, answer: &'a Answer) -> Self {
        let near = passages::of_contract(ask, answer);
        Self { ask, answer, index: Index::new(answer), near }
    }
}

/// One check.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Its id; its section in `docs/checks.md` and its cases have the same name.
    pub id: &'static str,
    /// The type of the incidents that it finds.
    pub drift_type: DriftType,
    /// What it looks for, in one line.
    pub summary: &'static str,
    /// Finds incidents.
    pub run: fn(&Case<'_>) -> Vec<Incident>,
}

/// Every check, in the order of types.
pub const ALL: &[Check] = &[
    banned_term_used::CHECK,
    banned_list_contested::CHECK,
    banned_act_done::CHECK,
    requirement_denied::CHECK,
    figure_erased::CHECK,
    item_dropped::CHECK,
    assent_invented::CHECK,
    form_differs::CHECK,
    protected_touched::CHECK,
    outside_scope::CHECK,
    opposite_said::CHECK,
    row_differs::CHECK,
    name_replaced::CHECK,
    detail_differs::CHECK,
    kind_banned::CHECK,
    speech_act::CHECK,
    date_before_start::CHECK,
    assumption_hardened::CHECK,
    customer_replaced::CHECK,
    mechanism_replaced::CHECK,
    rejected_option_asserted::CHECK,
    certification_claimed::CHECK,
    authority_invented::CHECK,
];

/// Whether a check looks at an obligation.
type LooksAt = fn(&ContractItem) -> bool;

/// Of the checks that look at the words of an obligation whether they look at it, by their ids.
pub(crate) const LOOKS_AT: &[(&str, LooksAt)] = &[
    (banned_act_done::ID, banned_act_done::looks_at),
    (protected_touched::ID, protected_touched::looks_at),
    (outside_scope::ID, outside_scope::looks_at),
    (opposite_said::ID, opposite_said::looks_at),
    (kind_banned::ID, kind_banned::looks_at),
    (speech_act::ID, speech_act::looks_at),
    (row_differs::ID, row_differs::looks_at),
    (detail_differs::ID, detail_differs::looks_at),
    (name_replaced::ID, name_replaced::looks_at),
];

/// The check that looks at the report as a whole: the words that it quotes show one fault of several.
pub const OF_THE_WHOLE: &str = form_differs::ID;

/// A ban of the ask.
pub(crate) struct Ban<'a> {
    /// The obligation, by its place in [`Contract::obligations`].
    pub(crate) item: usize,
    /// The terms that are not to be used.
    pub(crate) terms: Cow<'a, [String]>,
    /// The context that it is limited to.
    pub(crate) context: Option<&'a str>,
}

/// Every ban of the ask: lists of words, and what is not to be used, installed or mentioned ("do not use steel", "No emoji"). What is not to be
/// sold or added may well be spoken of.
pub(crate) fn bans<'a>(case: &Case<'a>) -> impl Iterator<Item = Ban<'a>> {
    let ask = case.ask;
    // "No emoji" and "no tables" ask for a form, and rule out no words.
    let says_words = |(_, item): &(usize, &ContractItem)| {
        form::demands(item.obligation.source().text(), "").is_none_or(|demands| !demands.is_all)
    };
    ask.obligations
        .iter()
        .enumerate()
        .filter(says_words)
        .filter_map(move |(item, obligation)| {
            let rule = &ask.request.demands.get(obligation.demand?)?.kind.rule;
            let (terms, context) = match rule {
                Rule::Ban { terms, context } => (Cow::Borrowed(terms.as_slice()), context.as_deref()),
                Rule::Avoid { what, .. } => (Cow::Owned(vec![banned_thing(what)?.to_owned()]), None),
                _ => return None,
            };
            Some(Ban { item, terms, context })
        })
        .chain(contrasted(ask))
}

/// What is named to be left for something else: "with user-event, not fireEvent". Only names that are no words of the language.
fn contrasted(ask: &Contract) -> impl Iterator<Item = Ban<'_>> {
    static NOT: Pattern = Pattern::new(
        r"(?:,|\band|\() not (?:with |via |by |from |to )?`?([a-z]+[A-Z]\w*|\w+_\w+|[A-Za-z]\w*(?:\.\w+|\(\)))`?\s*(?:$|[,;.)\n])",
    );
    ask.request.statements.iter().filter_map(|statement| {
        let term = NOT.captures(&statement.text)?.get(1)?.as_str().trim_end_matches("()").to_owned();
        let item =
            ask.obligations.iter().position(|own| own.obligation.source().span().overlaps(statement.quote.span()))?;
        Some(Ban { item, terms: Cow::Owned(vec![term]), context: None })
    })
}

/// A thing of one or two words that is ruled out as such: what follows a verb of using, or the "No" that opens a sentence, to the
/// end of what is ruled out.
pub(crate) fn banned_thing(what: &str) -> Option<&str> {
    static THING: Pattern = Pattern::new(
        r"^\W*(?:(?i:(?:use|using|contain|containing|install|installing|mention|mentioning|say|saying)\s+(?:any\s+|an?\s+|the\s+)?)|No\s+)([\w][\w-]*(?:\s+[\w-]{3,})?)\W*$",
    );
    let thing = THING.captures(what)?.get(1)?.as_str();
    // "No new vendor", "no other word" leave the thing itself alone; "no answer" is no ban on the word.
    let narrowed = content_stems(thing).iter().any(|(_, stem)| is_generic(stem) || NARROWED.contains(&stem.as_str()));
    (!narrowed && !content_stems(thing).is_empty()).then_some(thing)
}

/// What makes of a thing one of many.
const NARROWED: &[&str] = &["new", "other", "extra", "addit", "more", "further", "need", "such", "same", "separ"];

/// What an obligation forbids.
pub(crate) struct Forbidden {
    /// Content stems of it.
    pub(crate) stems: Vec<String>,
    /// Whether it is a list of banned words.
    pub(crate) is_list: bool,
}

/// Everything that the ask forbids: bans, and what is not to be done.
pub(crate) fn prohibitions(case: &Case<'_>) -> impl Iterator<Item = (usize, Forbidden)> {
    (0..case.ask.obligations.len()).filter_map(|item| match rule(case, item)? {
        Rule::Ban { terms, .. } => {
            let stems = terms.iter().flat_map(|term| content_stems(term)).map(|(_, stem)| stem).collect();
            Some((item, Forbidden { stems, is_list: true }))
        }
        Rule::Avoid { stems, .. } => Some((item, Forbidden { stems: stems.clone(), is_list: false })),
        _ => None,
    })
}

/// The rule behind an obligation, if any request can state it.
pub(crate) fn rule<'a>(case: &Case<'a>, item: usize) -> Option<&'a Rule> {
    let demand = case.ask.obligations.get(item)?.demand?;
    Some(&case.ask.request.demands.get(demand)?.kind.rule)
}

/// Starts an incident of `check` from words of the answer.
#[must_use]
pub(crate) fn incident(check: &Check, severity: Severity, confidence: f64, evidence: Evidence) -> Draft {
    Draft(Incident {
        finding: Finding {
            check: check.id,
            severity,
            confidence: Confidence::new(confidence),
            evidence,
            source: None,
            obligation: None,
            explanation: String::new(),
            also_at: Vec::new(),
        },
        origin: Origin::Code,
        drift_type: check.drift_type,
        voice: crate::voice::Voice::Asserted,
        section: Vec::new(),
        repair: String::new(),
        concerns_name: false,
        hedge_lost: false,
        weakens: false,
        unsupported_number: false,
        disqualifies: None,
        trail: None,
    })
}

/// An incident in the making.
pub(crate) struct Draft(Incident);

impl Draft {
    /// The words of the ask that it is held against.
    pub(crate) fn source(mut self, quote: &Quote) -> Self {
        self.0.finding.source = Some(quote.clone());
        self
    }

    /// The obligation that it breaks, by its place in [`Contract::obligations`].
    pub(crate) const fn obligation(mut self, index: usize) -> Self {
        self.0.finding.obligation = Some(index);
        self
    }

    /// What was asked, what was answered, why it matters: one sentence each at most.
    pub(crate) fn because(mut self, explanation: impl Into<String>) -> Self {
        self.0.finding.explanation = explanation.into();
        self
    }

    /// What to do about it.
    pub(crate) fn repair(mut self, repair: impl Into<String>) -> Self {
        self.0.repair = repair.into();
        self
    }

    /// It concerns a name.
    pub(crate) const fn of_name(mut self) -> Self {
        self.0.concerns_name = true;
        self
    }

    /// It is a number that nothing supports.
    pub(crate) const fn unsupported_number(mut self) -> Self {
        self.0.unsupported_number = true;
        self
    }

    /// It disqualifies the report.
    pub(crate) const fn disqualifies(mut self, why: Disqualifies) -> Self {
        self.0.disqualifies = Some(why);
        self
    }

    /// Where the claim stands: voice, sections and repetitions.
    pub(crate) fn at(mut self, answer: &Answer, claim: &Claim, range: &std::ops::Range<usize>) -> Self {
        self.0.voice = claim.voice();
        self.0.section = answer.section_path(&claim.places[0]).into_iter().map(str::to_owned).collect();
        self.0.finding.also_at.extend(answer.repetitions(claim, range));
        self
    }

    /// The voice in which the words in question are said, where it is not the sentence's.
    pub(crate) const fn voice(mut self, voice: crate::voice::Voice) -> Self {
        self.0.voice = voice;
        self
    }

    /// Another place where the same fault stands.
    pub(crate) fn also(mut self, quotes: impl IntoIterator<Item = Quote>) -> Self {
        self.0.finding.also_at.extend(quotes);
        self
    }

    /// The incident.
    pub(crate) fn done(self) -> Incident {
        self.0
    }
}

/// A detail of an obligation and one of the report that may stand in its place, for whoever fits the scorer of the check `detail-differs`.
#[derive(Clone, Debug, PartialEq)]
pub struct DetailCase {
    /// Where the prompt states the obligation.
    pub asked: Span,
    /// The detail's words in it.
    pub wanted: String,
    /// Where the passage stands in the report.
    pub place: Span,
    /// The words in the passage that may stand for the detail.
    pub said: String,
    /// The names of the features.
    pub features: Vec<String>,
}

/// Says what to write over a detail, if anything.
pub type WriteOver<'w> = dyn FnMut(&str) -> Option<String> + 'w;

/// The pairs of details of a contract and an answer, and, where `other` says what to write over a detail, pairs made of details that the answer repeats.
#[must_use]
pub fn detail_cases(contract: &Contract, answer: &Answer, other: Option<&mut WriteOver<'_>>) -> Vec<DetailCase> {
    let case = Case::new(contract, answer);
    let of = |pair: detail_differs::Pair| {
        let source = &pair.source;
        DetailCase {
            asked: source.span(),
            wanted: source.text().get(pair.asked.range.clone()).unwrap_or_default().to_owned(),
            place: pair.quote.span(),
            said: pair.claim.text.get(pair.said.range.clone()).unwrap_or_default().to_owned(),
            features: pair.features,
        }
    };
    let pairs = match other {
        Some(other) => detail_differs::made(&case, other),
        None => detail_differs::pairs(&case),
    };
    pairs.into_iter().map(of).collect()
}
