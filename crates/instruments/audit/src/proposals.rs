//! What somebody who understands both texts proposes of them: that an obligation is kept, broken or weakened, or that the report adds or invents something.
//!
//! Code looks up the quotes, refuses what it can refute, and sets type and severity from the obligation. A proposal can settle what code leaves open and
//! add incidents. It takes none away: what code finds broken stays broken.

use std::collections::HashMap;

use steadfast_annotate::{Unit, negations, quantities};
use steadfast_evidence::{
    Absence, Confidence, Evidence, Finding, Origin, PROPOSALS_MAX, Polarity, Quote, Severity, Status, Strength,
    WHY_CHARS_MAX,
};
use steadfast_text::{QuoteIndex, Shingles, Span};

use crate::answer::{Answer, Claim};
use crate::ask::{self, Contract, ContractItem, Kind};
use crate::incident::{DriftType, Incident, incident_quote};
use crate::lists::shortened;
use crate::locate::{Finder, Shown};
use crate::run;
use crate::status::{Decided, Judged, Standing, binds, repeats};
use crate::value::{self, Amount, Outcome, Value};
use crate::voice::Voice;

/// The id of what is proposed, where results name a check.
pub const CHECK: &str = "proposal";

/// How sure it is that a reader would agree with a proposal whose quotes were found. Uncalibrated.
const CONFIDENCE: f64 = 0.8;

/// Words of a sentence that can be asked for as it is: "Cause: under investigation."
const PRESCRIBED_WORDS: usize = 6;

steadfast_evidence::vocabulary! {
    /// How a passage of the report stands to an obligation.
    Relation {
        /// It keeps it. Of a ban without a quote: nothing in the report breaks it.
        Kept = "kept", "keeps";
        /// It breaks it. Without a quote: the report does not do what must be done.
        Broken = "broken", "breaks";
        /// It takes it up with less force: must becomes may, every becomes most.
        Weakened = "weakened", "says less";
        /// It has nothing to do with it.
        Unrelated = "unrelated", "has nothing to do with it";
        /// It adds something that nobody asked for.
        Added = "added", "adds";
        /// It states as given a fact, a figure or an approval that nobody gave.
        Invented = "invented", "makes up";
    }
}

/// What is proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The id of the obligation.
    pub obligation: Option<String>,
    /// Words of the prompt that no obligation rests on.
    pub asked: Option<String>,
    /// How the passage stands to it.
    pub relation: Relation,
    /// Words of the report.
    pub quote: String,
    /// Why, for a reader.
    pub why: String,
}

/// What one origin proposes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposed {
    /// Who proposes it.
    pub by: Origin,
    /// What is proposed.
    pub proposals: Vec<Proposal>,
}

/// What was proposed and is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// What was proposed.
    pub what: &'static str,
    /// The words of whoever proposed it.
    pub text: String,
    /// Why.
    pub reason: String,
}

/// What is left of proposals.
#[derive(Clone, Debug, Default)]
pub struct Settled {
    /// Incidents that code did not find.
    pub incidents: Vec<Incident>,
    /// Obligations that are kept, or that ask nothing.
    pub decided: Vec<Decided>,
    /// What is not taken, and why.
    pub set_aside: Vec<SetAside>,
}

/// The contract with an obligation for what proposals say is asked and was not read, where its words stand in the prompt. Obligations that were there keep
/// their places. The proposals name what they speak of then; one whose words are not found still names nothing.
#[must_use]
pub fn with_asked(mut contract: Contract, proposed: &[Proposed]) -> (Contract, Vec<Proposed>) {
    let mut proposed = proposed.to_vec();
    let found: Vec<Option<Quote>> = {
        let index = contract.document.as_ref().map(|document| (QuoteIndex::new(document), run::body(document)));
        let locate = |proposal: &Proposal| {
            let words = asked(proposal).filter(|_| proposal.obligation.is_none())?;
            let (index, body) = index.as_ref()?;
            contract.quote(index.locate_where(words, |span| body.contains(span))?.span)
        };
        proposed.iter().flat_map(|own| own.proposals.iter().take(PROPOSALS_MAX)).map(locate).collect()
    };
    let named = proposed
        .iter_mut()
        .flat_map(|own| own.proposals.iter_mut().take(PROPOSALS_MAX).map(|proposal| (&own.by, proposal)));
    for ((origin, proposal), quote) in named.zip(found) {
        let Some(quote) = quote else { continue };
        let same = contract.obligations.iter().find(|item| is_same(item.obligation.source().span(), quote.span()));
        proposal.obligation = Some(match same {
            Some(item) => item.id.clone(),
            None => {
                let polarity = if ask::starts_negated(quote.text()) { Polarity::Not } else { Polarity::Do };
                let item = ContractItem::of_quote(Kind::Constraint, Strength::Must, polarity, quote);
                contract.obligations.push(ContractItem { by: origin.clone(), ..item });
                ask::name_all(&mut contract.obligations);
                contract.obligations.last().map(|item| item.id.clone()).unwrap_or_default()
            }
        });
    }
    (contract, proposed)
}

/// The words of the prompt that a proposal speaks of.
fn asked(proposal: &Proposal) -> Option<&str> {
    proposal.asked.as_deref().map(str::trim).filter(|words| !words.is_empty())
}

/// Whether two places are one: each holds at least this share of the other, in per cent.
fn is_same(one: Span, other: Span) -> bool {
    const SHARED_MIN: usize = 60;
    let shared = one.end.min(other.end).saturating_sub(one.start.max(other.start));
    shared * 100 >= SHARED_MIN * one.len().max(other.len())
}

/// Looks up proposals about obligations that code judged, and about what it found. What a person settles stands before what others say of the same obligation,
/// and what a chat model settles before what whoever calls does, who may be judging its own work.
#[must_use]
pub fn settle(
    contract: &Contract,
    answer: &Answer,
    judged: &[Judged],
    found: &[Incident],
    proposed: &[Proposed],
) -> Settled {
    let mut settled = Settled::default();
    if proposed.iter().all(|own| own.proposals.is_empty()) {
        return settled;
    }
    let ids: HashMap<&str, usize> =
        contract.obligations.iter().enumerate().map(|(at, item)| (item.id.as_str(), at)).collect();
    let mut look = Look {
        contract,
        answer,
        judged,
        found,
        origin: &Origin::Host,
        finder: Finder::new(contract, answer),
        prompt: Shingles::of(&contract.text),
    };
    let each = proposed.iter().flat_map(|own| own.proposals.iter().enumerate().map(|(at, each)| (&own.by, at, each)));
    for (origin, at, proposal) in each {
        look.origin = origin;
        let item = match &proposal.obligation {
            None if asked(proposal).is_some() => {
                Err("the words that it says are asked do not stand in the prompt".to_owned())
            }
            None => Ok(None),
            Some(id) => ids
                .get(id.as_str())
                .copied()
                .map(Some)
                .ok_or_else(|| format!("there is no obligation `{}`", shortened(id))),
        };
        let taken = item.and_then(|item| {
            if at >= PROPOSALS_MAX {
                return Err(format!("it comes after the first {PROPOSALS_MAX} proposals"));
            }
            look.take(item, proposal, &settled)
        });
        match taken {
            Ok(Taken::Nothing) => {}
            Ok(Taken::Decided(own)) => settled.decided.push(own),
            Ok(Taken::Incident(incident)) => settled.incidents.push(*incident),
            Err(reason) => {
                let text = if proposal.quote.trim().is_empty() { &proposal.why } else { &proposal.quote };
                settled.set_aside.push(SetAside { what: "proposal", text: text.trim().to_owned(), reason });
            }
        }
    }
    // What somebody finds broken as well is not kept.
    let broken: Vec<usize> = settled.incidents.iter().filter_map(|own| own.finding.obligation).collect();
    settled.decided.retain(|own| !broken.contains(&own.item));
    settled.decided.sort_by_key(|own| (own.item, rank(&own.origin)));
    settled.decided.dedup_by_key(|own| own.item);
    settled
}

/// Whose word stands first.
const fn rank(origin: &Origin) -> u8 {
    match origin {
        Origin::Person(_) => 0,
        Origin::Chat(_) => 1,
        Origin::Host | Origin::Code => 2,
    }
}

/// What is taken of a proposal.
enum Taken {
    /// Nothing: it says nothing new.
    Nothing,
    Decided(Decided),
    Incident(Box<Incident>),
}

struct Look<'a> {
    contract: &'a Contract,
    answer: &'a Answer,
    judged: &'a [Judged],
    found: &'a [Incident],
    /// Whose proposal is looked at.
    origin: &'a Origin,
    finder: Finder<'a>,
    prompt: Shingles,
}

impl Look<'_> {
    fn take(&self, item: Option<usize>, proposal: &Proposal, settled: &Settled) -> Result<Taken, String> {
        let about = item.and_then(|at| Some((at, self.contract.obligations.get(at)?, self.judged.get(at)?)));
        let quoted = !proposal.quote.trim().is_empty();
        match (proposal.relation, about) {
            (Relation::Unrelated, Some((at, _, judged))) if judged.is_missing() => {
                Ok(self.decided(at, Standing::AsksNothing))
            }
            (Relation::Unrelated, _) => Ok(Taken::Nothing),
            (Relation::Kept | Relation::Broken | Relation::Weakened, None) => Err("it names no obligation".to_owned()),
            (Relation::Kept, Some((at, item, judged))) => self.kept(at, item, judged, quoted.then_some(proposal)),
            (Relation::Broken, Some((at, item, judged))) if !quoted => {
                self.missing(at, item, judged, proposal, settled)
            }
            (Relation::Broken | Relation::Weakened, Some((at, item, _))) => {
                let shown = self.finder.shown(&proposal.quote)?;
                self.check_said(&shown)?;
                if self.refutes(item, &shown) {
                    return Err("its figures keep what is asked".to_owned());
                }
                Ok(self.incident(Some((at, item)), proposal, shown, settled))
            }
            (Relation::Added | Relation::Invented, about) => {
                let shown = self.finder.shown(&proposal.quote)?;
                self.check_said(&shown)?;
                Ok(self.incident(about.map(|(at, item, _)| (at, item)), proposal, shown, settled))
            }
        }
    }

    /// A restatement of the prompt is evidence of nothing, but for what may be asked for as it is: headings, rows, a few words that order nothing.
    fn check_said(&self, shown: &Shown<'_>) -> Result<(), String> {
        let is_prescribed =
            |claim: &Claim| claim.text.split_whitespace().count() <= PRESCRIBED_WORDS && !binds(&claim.text);
        let repeats = |claim: &&Claim| repeats(&self.prompt, claim) && !is_prescribed(claim);
        if !shown.is_form && !shown.said.is_empty() && shown.said.iter().all(repeats) {
            return Err("the report only repeats the prompt there".to_owned());
        }
        Ok(())
    }

    fn kept(
        &self,
        at: usize,
        item: &ContractItem,
        judged: &Judged,
        proposal: Option<&Proposal>,
    ) -> Result<Taken, String> {
        match judged.status {
            Status::Broken | Status::Weakened => return Err("code finds it broken".to_owned()),
            Status::Kept => return Ok(Taken::Nothing),
            Status::Unmentioned | Status::Unclear | Status::NothingFound | Status::NotAssessed => {}
        }
        let Some(proposal) = proposal else {
            // Which part of a sentence a ban is, is read wrongly at times.
            let sentence = || !negations(self.contract.sentence_of(item)).is_empty();
            let bans =
                item.polarity == Polarity::Not || !negations(item.obligation.source().text()).is_empty() || sentence();
            return match bans {
                true => Ok(self.decided(at, Standing::NothingAgainst)),
                false => Err("it quotes no words of the report".to_owned()),
            };
        };
        let shown = self.finder.shown(&proposal.quote)?;
        self.check_said(&shown)?;
        if item.polarity == Polarity::Do && shown.said.iter().any(|claim| claim.stance.excluded) {
            return Err("it stands in a list of what is left out or banned".to_owned());
        }
        if let Some((asked, stated)) = broken_value(item, &shown) {
            return Err(format!("asked: {asked}; report: {stated}"));
        }
        Ok(self.decided(at, Standing::Kept(shown.quote)))
    }

    fn decided(&self, item: usize, standing: Standing) -> Taken {
        Taken::Decided(Decided { item, standing, origin: self.origin.clone() })
    }

    /// What must be done and is not.
    fn missing(
        &self,
        at: usize,
        item: &ContractItem,
        judged: &Judged,
        proposal: &Proposal,
        settled: &Settled,
    ) -> Result<Taken, String> {
        if item.polarity == Polarity::Not {
            return Err("it quotes no words of the report, and what is left alone breaks no ban".to_owned());
        }
        if item.strength == Strength::May {
            return Err("it quotes no words of the report, and what may be done can be left undone".to_owned());
        }
        if judged.status == Status::Kept {
            return Err("code finds words that keep it".to_owned());
        }
        let known = self.found.iter().chain(&settled.incidents).any(|own| own.finding.obligation == Some(at));
        if known {
            return Ok(Taken::Nothing);
        }
        let evidence = Evidence::Absence(Absence {
            terms: item.stems.clone(),
            files: self.answer.artefacts.iter().map(|artefact| artefact.file).collect(),
            nearest: judged.passages.first().map(|passage| passage.quote.clone()),
        });
        Ok(Taken::Incident(Box::new(self.draft(Some((at, item)), proposal, evidence, None))))
    }

    /// An incident, unless it is known: one of the same obligation on the same words, or of the same type there.
    fn incident(
        &self,
        about: Option<(usize, &ContractItem)>,
        proposal: &Proposal,
        shown: Shown<'_>,
        settled: &Settled,
    ) -> Taken {
        let evidence = Evidence::Quote(shown.quote.clone());
        let incident = self.draft(about, proposal, evidence, Some(shown));
        let known = self.found.iter().chain(&settled.incidents).any(|own| is_same_fault(own, &incident));
        if known { Taken::Nothing } else { Taken::Incident(Box::new(incident)) }
    }

    fn draft(
        &self,
        about: Option<(usize, &ContractItem)>,
        proposal: &Proposal,
        evidence: Evidence,
        shown: Option<Shown<'_>>,
    ) -> Incident {
        let weakens = proposal.relation == Relation::Weakened;
        let source = about.map(|(_, item)| item.obligation.source().clone());
        let breaks = matches!(proposal.relation, Relation::Broken | Relation::Weakened);
        // What is added or invented beside an obligation leaves it as it is.
        let obligation = about.filter(|_| breaks).map(|(at, _)| at);
        let voice = shown.as_ref().and_then(|shown| shown.said.first()).map_or(Voice::Asserted, |claim| claim.voice());
        Incident {
            finding: Finding {
                check: CHECK,
                severity: severity(proposal.relation, about.map(|(_, item)| item.strength)),
                confidence: Confidence::new(CONFIDENCE),
                evidence,
                source: source.clone().filter(|_| proposal.relation != Relation::Invented),
                obligation,
                explanation: explanation(proposal, source.as_ref()),
                also_at: Vec::new(),
            },
            origin: self.origin.clone(),
            drift_type: drift_type(proposal.relation, about.map(|(_, item)| item.obligation.kind)),
            voice,
            section: shown.map(|shown| shown.section).unwrap_or_default(),
            repair: repair(proposal.relation, source.as_ref()),
            concerns_name: false,
            hedge_lost: about.is_some_and(|(_, item)| item.obligation.kind == Kind::Uncertainty),
            weakens,
            unsupported_number: false,
            disqualifies: None,
            trail: None,
        }
    }

    /// Whether figures alone say that what is asked is kept: each figure of the obligation is a limit that the passage is within, or stands in it, and its
    /// other figures break none.
    fn refutes(&self, item: &ContractItem, shown: &Shown<'_>) -> bool {
        // "It's forty-six euros an adult" is a price, and no limit that a lower one is within: only words make one.
        let source = item.obligation.source().text();
        let asked = value::read(source, &quantities(source));
        let only_figures = matches!(item.obligation.kind, Kind::Budget | Kind::Deadline | Kind::Metric);
        if !only_figures || asked.is_empty() {
            return false;
        }
        let stated = values_in(shown);
        asked.iter().all(|asked| {
            let outcomes: Vec<Outcome> = stated.iter().filter_map(|own| value::compare(asked, own)).collect();
            !outcomes.is_empty() && outcomes.iter().all(|outcome| *outcome == Outcome::Keeps)
        })
    }
}

/// The values of a passage.
fn values_in(shown: &Shown<'_>) -> Vec<Value> {
    let text = shown.quote.text();
    value::read(text, &quantities(text))
}

/// The limit of a budget or a deadline that the one comparable amount or date of the passage is beyond: as asked and as stated. Of other figures nobody knows
/// here what they count.
fn broken_value(item: &ContractItem, shown: &Shown<'_>) -> Option<(String, String)> {
    let is_limit = |own: &Value| match &own.amount {
        Amount::Quantity(own) => matches!(own.unit, Unit::Money(_)),
        Amount::Date(..) => true,
        _ => false,
    };
    let is_asked = matches!(item.obligation.kind, Kind::Budget | Kind::Deadline) && !shown.is_form;
    let (asked, stated) = (value::of_obligation(item), values_in(shown));
    let [asked] = asked.as_slice() else { return None };
    let compared: Vec<(Outcome, &Value)> =
        stated.iter().filter_map(|own| Some((value::compare(asked, own)?, own))).collect();
    let [(Outcome::Breaks, own)] = compared.as_slice() else { return None };
    let words = |text: &str, value: &Value| text.get(value.range.clone()).map(|words| words.trim().to_owned());
    let both = || Some((words(item.obligation.source().text(), asked)?, words(shown.quote.text(), own)?));
    (is_asked && is_limit(asked)).then(both).flatten()
}

/// Whether two incidents are one fault: they break one obligation on the same words, or are of one type on the same words.
pub(crate) fn is_same_fault(known: &Incident, incident: &Incident) -> bool {
    let overlap = match (incident_quote(known), incident_quote(incident)) {
        (Some(one), Some(other)) => one.file() == other.file() && one.span().overlaps(other.span()),
        _ => false,
    };
    let same = known.finding.obligation.is_some() && known.finding.obligation == incident.finding.obligation;
    overlap && (same || known.drift_type == incident.drift_type)
}

/// How grave: by how strongly it is asked, and by whether it is broken or only weakened.
///
/// | | must | should | may |
/// |---|---|---|---|
/// | broken | 3 | 2 | 1 |
/// | weakened | 2 | 1 | 1 |
/// | added, invented | 2 | 2 | 2 |
const fn severity(relation: Relation, strength: Option<Strength>) -> Severity {
    match (relation, strength) {
        (Relation::Broken, Some(Strength::Must)) => Severity::Major,
        (Relation::Weakened, Some(Strength::Should | Strength::May)) | (Relation::Broken, Some(Strength::May)) => {
            Severity::Minor
        }
        _ => Severity::Moderate,
    }
}

/// The type, by what is proposed and of what kind the obligation is.
const fn drift_type(relation: Relation, kind: Option<Kind>) -> DriftType {
    match (relation, kind) {
        (Relation::Invented, _) => DriftType::C,
        (Relation::Added, _) | (_, None | Some(Kind::Intent | Kind::Problem)) => DriftType::A,
        (_, Some(kind)) => match kind {
            Kind::Solution => DriftType::G,
            Kind::Optional => DriftType::H,
            Kind::Uncertainty => DriftType::D,
            Kind::Entity(crate::ask::EntityRole::Place) => DriftType::B,
            Kind::Entity(_) => DriftType::F,
            _ => DriftType::B,
        },
    }
}

/// The reason that was given, else what is said without one.
fn explanation(proposal: &Proposal, source: Option<&Quote>) -> String {
    let why: String = proposal.why.split_whitespace().collect::<Vec<_>>().join(" ");
    if !why.is_empty() {
        let cut: String = why.chars().take(WHY_CHARS_MAX).collect();
        return if cut.len() < why.len() { format!("{cut}…") } else { cut };
    }
    let asked = source.map(|source| shortened(source.text()));
    match (proposal.relation, asked) {
        (Relation::Broken, Some(asked)) if proposal.quote.trim().is_empty() => {
            format!("The prompt asks \"{asked}\"; the report does not do it.")
        }
        (Relation::Weakened, Some(asked)) => format!("The prompt asks \"{asked}\"; the report says less."),
        (Relation::Invented, _) => "The report states it as given, and nobody gave it.".to_owned(),
        (_, Some(asked)) => format!("The prompt asks \"{asked}\"; the report says otherwise."),
        (_, None) => "The report adds what the prompt does not ask for.".to_owned(),
    }
}

fn repair(relation: Relation, source: Option<&Quote>) -> String {
    match (relation, source.map(|source| shortened(source.text()))) {
        (Relation::Invented, _) => "Remove it, or say where it comes from.".to_owned(),
        (Relation::Added, _) | (_, None) => "Remove it, or ask the user whether it is wanted.".to_owned(),
        (_, Some(asked)) => format!("Bring it into line with \"{asked}\"."),
    }
}

#[cfg(test)]
mod tests {
    use super::{Relation, drift_type, severity};
    use crate::ask::Kind;
    use crate::incident::DriftType;
    use steadfast_evidence::{Severity, Strength};

    #[test]
    fn type_and_severity_follow_from_the_obligation() {
        assert_eq!(drift_type(Relation::Broken, Some(Kind::Budget)), DriftType::B);
        assert_eq!(drift_type(Relation::Broken, Some(Kind::Solution)), DriftType::G);
        assert_eq!(drift_type(Relation::Invented, Some(Kind::Budget)), DriftType::C);
        assert_eq!(drift_type(Relation::Added, None), DriftType::A);
        assert_eq!(severity(Relation::Broken, Some(Strength::Must)), Severity::Major);
        assert_eq!(severity(Relation::Weakened, Some(Strength::Must)), Severity::Moderate);
        assert_eq!(severity(Relation::Weakened, Some(Strength::Should)), Severity::Minor);
        assert_eq!(severity(Relation::Invented, None), Severity::Moderate);
    }
}
