//! The whole audit: prompt and report in, evaluation out.

use steadfast_embed::Embedder;
use steadfast_evidence::{Evaluated, Evidence, FileId, Quote, Reason, Severity, Status};
use steadfast_text::{Document, Shingles};

use crate::answer::{Answer, Artefact, LeftOut};
use crate::ask::{self, Contract, Kind};
use crate::checks::{self, Case, Check};
use crate::incident::{Disqualifies, DriftType, Incident};
use crate::kin::Kin;
use crate::matching::Index;
use crate::verdict::{self, Assessable, Dimension, Risk, Scores, Usable};
use crate::{lists, passages, run, schedule, status, trail};

pub use crate::incident::incident_quote;
pub use crate::status::{Assessed, Judged};

/// A file of the ask or the answer.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its place in the list of sources.
    pub file: FileId,
    /// Its name, relative to the run.
    pub name: String,
    /// What was read in it.
    pub document: Document,
}

/// A condition that makes a report unusable whatever its score, with the incidents that meet it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disqualifier {
    /// Which condition; `None` for three or more unsupported numbers of severity 3 or more.
    pub why: Option<Disqualifies>,
    /// Indices into [`Evaluation::incidents`].
    pub incidents: Vec<usize>,
}

/// How many incidents of each kind there are, as the seed counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Of severity 4.
    pub critical_drift: usize,
    /// Of type C.
    pub unsupported_claim: usize,
    /// Of type B, or against an obligation of kind constraint, banned or non-goal.
    pub constraint_violation: usize,
    /// Of type D.
    pub confidence_inflation: usize,
}

/// What an audit says.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// What was asked.
    pub contract: Contract,
    /// Each obligation with its status, in the contract's order.
    pub obligations: Vec<Judged>,
    /// What was found, the gravest and surest first.
    pub incidents: Vec<Incident>,
    /// Scores by dimension and overall.
    pub scores: Scores,
    /// The risk.
    pub risk: Risk,
    /// The seed's counts.
    pub counts: Counts,
    /// Conditions that make the report unusable.
    pub disqualifiers: Vec<Disqualifier>,
    /// How much of the prompt was judged.
    pub assessed: Assessed,
    /// Whether the report can be used as it is, and what stands against it.
    pub usable: Usable,
    /// Lines on what is kept, with quotes.
    pub preserved_well: Vec<String>,
    /// Lines on what is broken, the gravest first.
    pub major_failures: Vec<String>,
    /// What to do, each once.
    pub recommended_actions: Vec<String>,
    /// What of which file was not judged.
    pub left_out: Vec<(FileId, LeftOut)>,
}

/// An evaluation with what it was made of, for whoever looks further.
#[derive(Clone, Debug)]
pub struct Examined {
    /// What rules found.
    pub evaluation: Evaluation,
    /// What became of the obligations before the incidents were counted.
    pub before: Vec<Judged>,
    /// The report as it was read.
    pub answer: Answer,
    /// What makes the dimensions assessable.
    pub assessable: Assessable,
}

/// A section is the ask again if at least this share of its words stands in the ask in the same order …
const REPEATED_SHARE_MIN: f64 = 0.8;
/// … and it holds at least this share of the ask's words: a report that restates a goal in the ask's words keeps it.
const REPEATED_LENGTH_MIN: f64 = 0.5;
/// Shorter sections are never taken for the ask, in words.
const REPEATED_WORDS_MIN: usize = 30;

/// Unsupported numbers of severity 3 or more that disqualify.
const UNSUPPORTED_NUMBERS_MIN: usize = 3;

/// Audits `report` against `prompt`. The report's files stand in the run's order ([`run::order_key`]). Not evaluable where
/// the prompt or the report says nothing, or nothing that could be read.
#[must_use]
pub fn audit(prompt: &Source, report: Vec<Source>) -> Evaluated<Evaluation> {
    examine(prompt, report, None).map(|examined| examined.evaluation)
}

/// The incidents that the wanted checks find, whatever else is said of the report. Not evaluable as [`audit`] is, but for what is assessed.
#[must_use]
pub fn incidents_of(prompt: &Source, report: Vec<Source>, wanted: impl Fn(&Check) -> bool) -> Evaluated<Vec<Incident>> {
    let (contract, answer) = match read(prompt, report) {
        Ok(both) => both,
        Err(reason) => return Evaluated::NotEvaluable(reason),
    };
    let (incidents, _) = look(&contract, &answer, None, wanted);
    Evaluated::Value(incidents)
}

/// As [`audit`], and keeps what it read. With an embedder the support score compares vectors of sentences as well.
#[must_use]
pub fn examine(prompt: &Source, report: Vec<Source>, embedder: Option<&dyn Embedder>) -> Evaluated<Examined> {
    match read(prompt, report) {
        Ok((contract, answer)) => judge(prompt, contract, answer, embedder),
        Err(reason) => Evaluated::NotEvaluable(reason),
    }
}

/// Prompt and report as they are compared.
fn read(prompt: &Source, report: Vec<Source>) -> Result<(Contract, Answer), Reason> {
    let body = run::body(&prompt.document);
    let contract = ask::read(prompt.file, &prompt.document, body);
    if prompt.document.quote(body).trim().is_empty() {
        return Err(Reason(format!("{}: the prompt is empty", prompt.name)));
    }
    if contract.request.statements.is_empty() {
        return Err(Reason(format!("{}: the prompt holds no sentence that could be read", prompt.name)));
    }
    let (ask_words, ask_shingles) = (contract.text.split_whitespace().count(), Shingles::of(&contract.text));
    let artefacts = report
        .into_iter()
        .map(|source| {
            let left_out = repeats_of_ask(&source.document, ask_words, &ask_shingles);
            Artefact { file: source.file, name: source.name, document: source.document, left_out }
        })
        .collect();
    let answer = Answer::read(artefacts);
    if answer.claims.is_empty() {
        return Err(Reason(match answer.artefacts.as_slice() {
            [only] => format!("{}: the report is empty", only.name),
            [] => "no report was given".to_owned(),
            all => format!("the report is empty: {} files were read, none holds a sentence to judge", all.len()),
        }));
    }
    Ok((contract, answer))
}

/// What the wanted checks find, arranged, and the obligations before it is counted.
fn look(
    contract: &Contract,
    answer: &Answer,
    embedder: Option<&dyn Embedder>,
    wanted: impl Fn(&Check) -> bool,
) -> (Vec<Incident>, Vec<Judged>) {
    let schedules = schedule::of_answer(answer, contract.begin());
    let case = Case {
        ask: contract,
        answer,
        schedules: &schedules,
        index: Index::new(answer),
        kin: Kin::new(contract, answer, embedder),
        near: passages::of_contract(contract, answer),
    };
    let mut incidents: Vec<Incident> =
        checks::ALL.iter().filter(|check| wanted(check)).flat_map(|check| (check.run)(&case)).collect();
    link(&mut incidents, contract);
    let before = status::of_obligations(contract, answer, case.near);
    // What something in the report comes near is not missing.
    incidents.retain(|incident| {
        matches!(incident.finding.evidence, Evidence::Quote(_))
            || incident
                .finding
                .obligation
                .and_then(|index| before.get(index))
                .is_none_or(|judged| judged.status == Status::Unmentioned)
    });
    give_way(&mut incidents);
    arrange(&mut incidents);
    trail::follow(&mut incidents, contract, answer);
    (incidents, before)
}

fn judge(prompt: &Source, contract: Contract, answer: Answer, embedder: Option<&dyn Embedder>) -> Evaluated<Examined> {
    let (incidents, before) = look(&contract, &answer, embedder, |check| check.on_by_default);
    let obligations = status::with_incidents(&before, &incidents, &contract);
    let assessed = Assessed::of(&contract, &obligations);
    if assessed.n == 0 {
        return not_evaluable(if contract.obligations.is_empty() {
            format!(
                "{}: no obligation of the prompt could be read, so nothing can be judged. hint: prompts and reports are read in English",
                prompt.name
            )
        } else {
            format!(
                "none of the {} obligations of {} could be judged: the report says nothing that keeps or breaks one",
                assessed.of, prompt.name
            )
        });
    }
    let assessable = assessable(&contract, &answer);
    let scores = verdict::score(&incidents, &assessable);
    let risk = verdict::risk(&incidents, scores.overall);
    let disqualifiers = disqualifiers(&incidents);
    let usable = verdict::usable(!disqualifiers.is_empty(), risk, &contract, &obligations);
    let left_out = answer
        .artefacts
        .iter()
        .flat_map(|artefact| artefact.left_out.iter().map(|left| (artefact.file, left.clone())))
        .collect();
    let evaluation = Evaluation {
        preserved_well: lists::preserved(&contract, &obligations),
        major_failures: lists::failures(&incidents),
        recommended_actions: lists::actions(&incidents),
        counts: counts(&contract, &incidents),
        contract,
        obligations,
        incidents,
        scores,
        risk,
        disqualifiers,
        assessed,
        usable,
        left_out,
    };
    Evaluated::Value(Examined { evaluation, before, answer, assessable })
}

fn not_evaluable(reason: String) -> Evaluated<Examined> {
    Evaluated::NotEvaluable(Reason(reason))
}

/// Sections that hold the ask again; of nested ones the outermost.
fn repeats_of_ask(document: &Document, ask_words: usize, ask: &Shingles) -> Vec<LeftOut> {
    let mut left_out: Vec<LeftOut> = Vec::new();
    for section in &document.sections {
        if left_out.last().is_some_and(|last: &LeftOut| last.span.contains(section.span)) {
            continue;
        }
        // Blocks stand in the order of the file.
        let first = document.blocks.partition_point(|block| block.span.start < section.span.start);
        let blocks = &document.blocks[first..];
        let blocks = &blocks[..blocks.partition_point(|block| block.span.end <= section.span.end)];
        let words: usize = blocks.iter().map(|block| block.text.plain.split_whitespace().count()).sum();
        if words > ask_words * 2 + REPEATED_WORDS_MIN {
            continue;
        }
        let text: String = blocks
            .iter()
            .filter(|block| block.text.plain != section.title)
            .map(|block| block.text.plain.as_str())
            .collect::<Vec<_>>()
            .join("\n");
        let words = text.split_whitespace().count();
        // A section much longer than the ask cannot be made of it, and need not be compared.
        if words < REPEATED_WORDS_MIN || (words as f64) < REPEATED_LENGTH_MIN * ask_words as f64 {
            continue;
        }
        if ask.share_of(&text) >= REPEATED_SHARE_MIN {
            left_out.push(LeftOut { span: section.span, reason: "it repeats the prompt" });
        }
    }
    left_out
}

/// An incident whose source is the very words of an obligation breaks that obligation.
fn link(incidents: &mut [Incident], contract: &Contract) {
    for incident in incidents.iter_mut().filter(|incident| incident.finding.obligation.is_none()) {
        let Some(source) = &incident.finding.source else { continue };
        incident.finding.obligation =
            contract.obligations.iter().position(|item| item.obligation.source().span() == source.span());
    }
}

/// Leaves out what a [yielding](checks::YIELDING) check says of words of which another check tells.
fn give_way(incidents: &mut Vec<Incident>) {
    let yields = |incident: &Incident| checks::YIELDING.contains(&incident.finding.check);
    let quote = |incident: &Incident| match &incident.finding.evidence {
        Evidence::Quote(quote) => Some(quote.clone()),
        Evidence::Absence(_) => None,
    };
    let told: Vec<Quote> = incidents.iter().filter(|own| !yields(own)).filter_map(quote).collect();
    let tells = |own: &Quote| told.iter().any(|other| other.file() == own.file() && other.span().overlaps(own.span()));
    incidents.retain(|own| !yields(own) || quote(own).is_none_or(|own| !tells(&own)));
}

/// Sorts incidents, the gravest and surest first, and keeps one for one fault: of two of one type on the same words the
/// graver stays.
fn arrange(incidents: &mut Vec<Incident>) {
    incidents.sort_by(|a, b| {
        let key = |incident: &Incident| {
            (
                std::cmp::Reverse(incident.finding.severity),
                std::cmp::Reverse((incident.finding.confidence.value() * 1e6) as u64),
                incident.drift_type,
                incident_quote(incident).map(|quote| (quote.file(), quote.span())),
                incident.finding.check,
            )
        };
        key(a).cmp(&key(b))
    });
    let mut kept: Vec<Incident> = Vec::with_capacity(incidents.len());
    for incident in incidents.drain(..) {
        let repeats = kept.iter().any(|earlier| {
            earlier.drift_type == incident.drift_type
                && !breaks_another(earlier, &incident)
                && match (&earlier.finding.evidence, &incident.finding.evidence) {
                    (Evidence::Quote(a), Evidence::Quote(b)) => a.file() == b.file() && a.span().overlaps(b.span()),
                    _ => false,
                }
        });
        if !repeats {
            kept.push(incident);
        }
    }
    // What another incident shows to be changed or misread is not missing as well.
    let shown: Vec<usize> = kept
        .iter()
        .filter(|incident| matches!(incident.finding.evidence, Evidence::Quote(_)))
        .filter_map(|incident| incident.finding.obligation)
        .collect();
    kept.retain(|incident| {
        matches!(incident.finding.evidence, Evidence::Quote(_))
            || incident.finding.obligation.is_none_or(|index| !shown.contains(&index))
    });
    *incidents = kept;
}

/// Whether two incidents of one check break two obligations: "bullet points and an emoji in each heading" may break two bans.
fn breaks_another(earlier: &Incident, incident: &Incident) -> bool {
    let (one, other) = (&earlier.finding, &incident.finding);
    let apart = match (&one.source, &other.source) {
        (Some(a), Some(b)) => !a.span().overlaps(b.span()),
        _ => false,
    };
    one.check == other.check && one.obligation.is_some() && other.obligation.is_some() && apart
}

fn assessable(contract: &Contract, answer: &Answer) -> Assessable {
    let has = |wanted: &dyn Fn(Kind) -> bool| contract.obligations.iter().any(|item| wanted(item.obligation.kind));
    let words = answer.claims.iter().map(|claim| claim.text.split_whitespace().count() * claim.places.len()).sum();
    let obligations = contract.obligations.len();
    let mut dimensions = Vec::new();
    if obligations == 0 {
        return Assessable { dimensions, words, obligations };
    }
    for dimension in Dimension::ALL {
        let assessed = match dimension {
            Dimension::Scope | Dimension::EvidenceGrounding | Dimension::SourceTrace | Dimension::LanguagePosture => {
                true
            }
            Dimension::Constraint => has(&|kind| {
                matches!(
                    kind,
                    Kind::Constraint
                        | Kind::Banned
                        | Kind::NonGoal
                        | Kind::Budget
                        | Kind::Deadline
                        | Kind::Metric
                        | Kind::Place
                )
            }),
            Dimension::ClaimStrength => {
                has(&|kind| matches!(kind, Kind::Intent | Kind::Uncertainty | Kind::Optional | Kind::Metric))
            }
            Dimension::Entity => has(&|kind| matches!(kind, Kind::Entity(_) | Kind::Place)),
            Dimension::Causal => has(&|kind| kind == Kind::Solution),
            Dimension::Epistemic => has(&|kind| kind == Kind::Uncertainty),
            Dimension::StructuralPriority => {
                has(&|kind| matches!(kind, Kind::Metric | Kind::Optional | Kind::Solution))
            }
        };
        if assessed {
            dimensions.push(dimension);
        }
    }
    Assessable { dimensions, words, obligations }
}

pub(crate) fn counts(contract: &Contract, incidents: &[Incident]) -> Counts {
    let count = |wanted: &dyn Fn(&Incident) -> bool| incidents.iter().filter(|incident| wanted(incident)).count();
    Counts {
        critical_drift: count(&|incident| incident.finding.severity == Severity::Critical),
        unsupported_claim: count(&|incident| incident.drift_type == DriftType::C),
        constraint_violation: count(&|incident| {
            incident.drift_type == DriftType::B
                || incident
                    .finding
                    .obligation
                    .and_then(|index| contract.obligations.get(index))
                    .is_some_and(|item| matches!(item.obligation.kind, Kind::Constraint | Kind::Banned | Kind::NonGoal))
        }),
        confidence_inflation: count(&|incident| incident.drift_type == DriftType::D),
    }
}

/// What disqualifies a report in which these incidents were found, in a fixed order.
#[must_use]
pub fn disqualifiers(incidents: &[Incident]) -> Vec<Disqualifier> {
    let of = |wanted: &dyn Fn(&Incident) -> bool| -> Vec<usize> {
        incidents.iter().enumerate().filter(|(_, incident)| wanted(incident)).map(|(index, _)| index).collect()
    };
    let mut found = Vec::new();
    for why in [
        Disqualifies::BannedUsed,
        Disqualifies::NonGoalPursued,
        Disqualifies::CustomerChanged,
        Disqualifies::BusinessModelChanged,
        Disqualifies::RegulatoryMisrepresented,
    ] {
        let incidents = of(&|incident| incident.disqualifies == Some(why));
        if !incidents.is_empty() {
            found.push(Disqualifier { why: Some(why), incidents });
        }
    }
    let numbers = of(&|incident| incident.unsupported_number && incident.finding.severity >= Severity::Major);
    if numbers.len() >= UNSUPPORTED_NUMBERS_MIN {
        found.push(Disqualifier { why: None, incidents: numbers });
    }
    found
}
