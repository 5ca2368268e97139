//! What of a model's proposal code can locate: its view of the report, apart from the verdict.
//!
//! Every quote is looked up: items of the contract and words of the prompt in the prompt, words of the report in the report. What is not there, or points at
//! nothing, is set aside with its reason. What is there becomes an incident whose type and severity code sets. Scores that would
//! follow are computed by the functions of [`verdict`] over what rules found and what was located; they stand beside the verdict and move nothing.

mod kinds;
mod locate;

use std::collections::{BTreeMap, BTreeSet};

use steadfast_evidence::{Confidence, Evidence, FileId, Finding, Origin, Quote, Severity};
use steadfast_text::Span;

use crate::ask::{Contract, Kind};
use crate::evaluation::{self, Counts, Disqualifier, Examined, incident_quote};
use crate::exchange::{Claimed, ItemKind, NotJudged, Proposal, ProposedIncident};
use crate::incident::{DriftType, Incident};
use crate::locate::Finder;
pub use crate::proposals::SetAside;
use crate::status;
use crate::verdict::{self, Risk, Scores};
use kinds::settle;
use locate::Located;

/// The id of what a model found, where results name a check.
pub const CHECK: &str = "model";

/// What a model proposes alone is no graver than this.
pub const SEVERITY_ALONE_MAX: Severity = Severity::Moderate;

/// How sure it is that a reader would agree with what a model proposes. Uncalibrated.
const CONFIDENCE: f64 = 0.5;

/// What a model proposed, as far as code can stand by it.
#[derive(Clone, Debug)]
pub struct View {
    /// Items of the contract that stand in the prompt.
    pub contract: Vec<Item>,
    /// Incidents that stand in the report, the gravest first.
    pub incidents: Vec<Incident>,
    /// For each incident what the model itself proposed: type and severity.
    pub proposed: Vec<(DriftType, u8)>,
    /// What could not be located, or points at nothing that can drift.
    pub set_aside: Vec<SetAside>,
    /// What would follow from the incidents of rules and of the model together.
    pub would_be: WouldBe,
    /// Which incidents of the rules it found as well.
    pub agreement: Agreement,
    /// What it would ask the user.
    pub questions: Vec<String>,
    /// Its own totals.
    pub claimed: Option<Claimed>,
    /// What was not judged.
    pub not_judged: Vec<NotJudged>,
}

/// An item of the contract that stands in the prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What the model says that it is.
    pub kind: ItemKind,
    /// The words of the prompt.
    pub quote: Quote,
    /// The first obligation that rules read in these words, by its place in the contract.
    pub obligation: Option<usize>,
}

/// What would follow.
#[derive(Clone, Debug, PartialEq)]
pub struct WouldBe {
    /// Scores.
    pub scores: Scores,
    /// Risk.
    pub risk: Risk,
    /// Counts.
    pub counts: Counts,
    /// Conditions that disqualify.
    pub disqualifiers: Vec<Disqualifier>,
    /// Whether the report could be used as it is.
    pub usable_as_is: bool,
}

/// Where rules and the model point at the same words, by place in the lists of incidents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Pairs of an incident of the rules and one of the model.
    pub both: Vec<(usize, usize)>,
    /// Incidents of the rules that the model did not find.
    pub rules_only: Vec<usize>,
    /// Incidents of the model that no rule found.
    pub model_only: Vec<usize>,
}

/// Looks up what a model of that name proposed about what was examined.
#[must_use]
pub fn view(examined: &Examined, proposal: Proposal, model: &str) -> View {
    let finder = Finder::new(&examined.evaluation.contract, &examined.answer);
    let mut set_aside = Vec::new();
    let mut contract = Vec::new();
    for item in &proposal.contract {
        match finder.item(item) {
            Ok(found) if contract.contains(&found) => {}
            Ok(found) => contract.push(found),
            Err(reason) => set_aside.push(SetAside { what: "obligation", text: item.text.clone(), reason }),
        }
    }
    let rules = RulePlaces::of(&examined.evaluation.incidents);
    let mut known = Known::default();
    let mut found: Vec<Found> = Vec::new();
    for own in &proposal.incidents {
        let incident = finder.incident(own, &proposal.pieces).and_then(|located| {
            let found = incident(&examined.evaluation.contract, &rules, own, located, model)?;
            if known.repeats(&found.incident) { Err("it was proposed before".to_owned()) } else { Ok(found) }
        });
        match incident {
            Ok(own) => found.push(own),
            Err(reason) => set_aside.push(SetAside { what: "incident", text: words_of(own), reason }),
        }
    }
    found.sort_by_cached_key(|own| {
        let place = incident_quote(&own.incident).map(|quote| (quote.file(), quote.span()));
        (std::cmp::Reverse(own.incident.finding.severity), place, own.incident.drift_type)
    });
    View {
        contract,
        would_be: would_be(examined, &found),
        agreement: agreement(rules.rules.len(), &found),
        proposed: found.iter().map(|own| own.proposed).collect(),
        incidents: found.into_iter().map(|own| own.incident).collect(),
        set_aside,
        questions: proposal.questions,
        claimed: proposal.claimed,
        not_judged: proposal.not_judged,
    }
}

/// A located incident.
struct Found {
    incident: Incident,
    /// What the model proposed: type and severity.
    proposed: (DriftType, u8),
    /// Incidents of the rules that point at the same words.
    rules: BTreeSet<usize>,
}

/// The places of the rules' incidents. What is absent stands nowhere.
struct RulePlaces<'a> {
    rules: &'a [Incident],
    /// File, first byte, one past the last, whose; in this order.
    places: Vec<(FileId, usize, usize, usize)>,
    longest_bytes: usize,
}

impl<'a> RulePlaces<'a> {
    fn of(rules: &'a [Incident]) -> Self {
        let mut places: Vec<(FileId, usize, usize, usize)> = rules
            .iter()
            .enumerate()
            .flat_map(|(index, rule)| places(rule).map(move |(file, span)| (file, span.start, span.end, index)))
            .collect();
        places.sort_unstable();
        let longest_bytes = places.iter().map(|(_, start, end, _)| end - start).max().unwrap_or_default();
        Self { rules, places, longest_bytes }
    }

    /// The rules' incidents that point at words of this one.
    fn at(&self, incident: &Incident) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        for (file, span) in places(incident) {
            let from = span.start.saturating_sub(self.longest_bytes);
            let first = self.places.partition_point(|place| (place.0, place.1) < (file, from));
            let near = self.places[first..].iter().take_while(|place| place.0 == file && place.1 < span.end);
            found.extend(near.filter(|place| place.2 > span.start).map(|place| place.3));
        }
        found
    }
}

/// Places that incidents were found at, by type and file, joined where they overlap: where each begins, and its end.
#[derive(Default)]
struct Known(BTreeMap<(DriftType, FileId, usize), usize>);

impl Known {
    /// Whether an incident of the type was found at the place of this one; if not, it is found now.
    fn repeats(&mut self, incident: &Incident) -> bool {
        let of = incident.drift_type;
        let own = match &incident.finding.evidence {
            Evidence::Quote(quote) => (quote.file(), quote.span()),
            Evidence::Absence(_) => return false,
        };
        if self.overlapping(of, own.0, own.1).is_some() {
            return true;
        }
        for (file, mut span) in places(incident) {
            while let Some((start, end)) = self.overlapping(of, file, span) {
                self.0.remove(&(of, file, start));
                span = Span::new(span.start.min(start), span.end.max(end));
            }
            self.0.insert((of, file, span.start), span.end);
        }
        false
    }

    fn overlapping(&self, of: DriftType, file: FileId, span: Span) -> Option<(usize, usize)> {
        let (key, end) = self.0.range((of, file, 0)..(of, file, span.end)).next_back()?;
        (*end > span.start).then_some((key.2, *end))
    }
}

/// What an incident that is set aside said: its words of the report, else its reason.
fn words_of(own: &ProposedIncident) -> String {
    if own.output_claim.trim().is_empty() { own.explanation.clone() } else { own.output_claim.clone() }
}

/// A located proposal as an incident: its type from the evidence, its severity at most [`SEVERITY_ALONE_MAX`] unless a rule found the same
/// place.
fn incident(
    contract: &Contract,
    rules: &RulePlaces<'_>,
    own: &ProposedIncident,
    located: Located,
    model: &str,
) -> Result<Found, String> {
    if own.severity == 0 {
        return Err("the model itself calls it no drift".to_owned());
    }
    let overlapping: Vec<usize> =
        located.source.as_ref().map_or_else(Vec::new, |source| obligations_at(contract, source.span()));
    let kinds: Vec<Kind> =
        overlapping.iter().filter_map(|index| Some(contract.obligations.get(*index)?.obligation.kind)).collect();
    let funding = located
        .source
        .as_ref()
        .is_some_and(|source| contract.funding.iter().any(|quote| quote.span().overlaps(source.span())));
    let evidence = kinds::Evidence {
        claim: located.quote.text(),
        source: located.source.as_ref().map(Quote::text),
        kinds: &kinds,
        funding,
    };
    let drift_type = settle(own.drift_type, &evidence)?;
    if drift_type == DriftType::C && located.assumed {
        return Err("it stands under a heading or label that marks it as assumed".to_owned());
    }
    let hedge_lost = drift_type == DriftType::D && kinds.contains(&Kind::Uncertainty);
    let mut incident = Incident {
        finding: Finding {
            check: CHECK,
            severity: severity(own.severity).min(SEVERITY_ALONE_MAX),
            confidence: Confidence::new(CONFIDENCE),
            evidence: Evidence::Quote(located.quote),
            source: located.source,
            obligation: overlapping.first().copied(),
            explanation: own.explanation.trim().to_owned(),
            also_at: located.also_at,
        },
        origin: Origin::Chat(model.to_owned()),
        drift_type,
        voice: located.voice,
        section: located.section,
        repair: String::new(),
        concerns_name: false,
        hedge_lost,
        weakens: false,
        unsupported_number: false,
        disqualifies: None,
        trail: None,
    };
    let same = rules.at(&incident);
    if let Some(severity) = same.iter().map(|rule| rules.rules[*rule].finding.severity).max() {
        incident.finding.severity = severity;
    }
    Ok(Found { incident, proposed: (own.drift_type, own.severity), rules: same })
}

const fn severity(level: u8) -> Severity {
    match level {
        0 => Severity::None,
        1 => Severity::Minor,
        2 => Severity::Moderate,
        3 => Severity::Major,
        _ => Severity::Critical,
    }
}

/// The obligations that rest on words at a place of the prompt.
fn obligations_at(contract: &Contract, span: Span) -> Vec<usize> {
    let rests = |index: &usize| contract.obligations[*index].obligation.source().span().overlaps(span);
    (0..contract.obligations.len()).filter(rests).collect()
}

/// Where the words of an incident stand. What is absent stands nowhere.
fn places(incident: &Incident) -> impl Iterator<Item = (FileId, Span)> {
    let quote = match &incident.finding.evidence {
        Evidence::Quote(quote) => Some(quote),
        Evidence::Absence(_) => None,
    };
    quote.into_iter().chain(&incident.finding.also_at).map(|quote| (quote.file(), quote.span()))
}

/// Rules' incidents and the model's together; what both found with one type counts once. One incident more never raises a score, so none of it is ever
/// better than the verdict.
fn would_be(examined: &Examined, found: &[Found]) -> WouldBe {
    let rules = &examined.evaluation.incidents;
    let mut all = rules.clone();
    let more = |own: &&Found| own.rules.iter().all(|rule| rules[*rule].drift_type != own.incident.drift_type);
    all.extend(found.iter().filter(more).map(|own| own.incident.clone()));
    let scores = verdict::score(&all, &examined.assessable);
    let risk = verdict::risk(&all, scores.overall);
    let disqualifiers = evaluation::disqualifiers(&all);
    let contract = &examined.evaluation.contract;
    let obligations = status::with_incidents(&examined.before, &all, contract);
    let usable_as_is = examined.conclude(obligations, !disqualifiers.is_empty(), risk).usable.is_yes();
    WouldBe { counts: evaluation::counts(contract, &all), scores, risk, disqualifiers, usable_as_is }
}

fn agreement(rules: usize, found: &[Found]) -> Agreement {
    let mut agreement = Agreement::default();
    for rule in 0..rules {
        let before = agreement.both.len();
        agreement.both.extend((0..found.len()).filter(|own| found[*own].rules.contains(&rule)).map(|own| (rule, own)));
        if agreement.both.len() == before {
            agreement.rules_only.push(rule);
        }
    }
    agreement.model_only = (0..found.len()).filter(|own| found[*own].rules.is_empty()).collect();
    agreement
}
