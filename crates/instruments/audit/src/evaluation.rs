//! The whole audit: prompt and report in, evaluation out.

use steadfast_embed::Embedder;
use steadfast_evidence::{Evaluated, FileId, Origin, Severity, Status};
use steadfast_text::{Document, Shingles, Span};

use crate::answer::{Answer, Artefact, LeftOut};
use crate::ask::{self, Contract, Kind};
use crate::incident::{Disqualifies, DriftType, Incident};
use crate::look::{Looked, TOO_MUCH, look, sort};
use crate::proposals::{self, Proposed, SetAside};
use crate::verdict::{self, Assessable, Dimension, Risk, Scores, Usable};
use crate::{lists, meaning, run, status};

pub use crate::assessed::Assessed;
pub use crate::incident::incident_quote;
pub use crate::not_judged::{NotJudged, WhyNot};
pub use crate::status::{Decided, Judged, Standing};

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
    /// The verdict by code alone.
    pub by_code: ByCode,
    /// What was proposed and is not taken.
    pub set_aside: Vec<SetAside>,
}

/// The verdict by code alone: that of the report if nobody proposed anything.
#[derive(Clone, Debug, PartialEq)]
pub struct ByCode {
    /// How much of the prompt code judged.
    pub assessed: Assessed,
    /// How many incidents it found.
    pub incidents: usize,
    /// The overall score and the risk; `None` where code judged nothing.
    pub score: Option<(f64, Risk)>,
    /// Whether the report could be used as it is.
    pub usable: Usable,
    /// For each obligation what code says of it.
    pub obligations: Vec<(Status, bool)>,
}

/// What an audit heeds beside prompt and report.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What was proposed of them, by whom.
    pub proposals: Vec<Proposed>,
    /// Whether what whoever calls finds kept makes a report usable.
    pub trusts_host: bool,
    /// Share of the obligations that must be kept from which on a report that breaks none can be called usable.
    pub usable_share: f64,
    /// What the user gave beside the prompt: what stands there is no invention.
    pub context: Vec<Document>,
}

impl Default for Settings {
    /// Nothing beside them.
    fn default() -> Self {
        Self { proposals: Vec::new(), trusts_host: false, usable_share: verdict::USABLE_SHARE, context: Vec::new() }
    }
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
    /// Obligations that somebody decided on, and did not find broken.
    pub decided: Vec<Decided>,
    /// Whether what whoever calls finds kept makes a report usable.
    pub trusts_host: bool,
    /// The share of [`Settings::usable_share`].
    pub usable_share: f64,
}

/// What became of the obligations, and what follows.
#[derive(Clone, Debug)]
pub struct Conclusion {
    /// The obligations.
    pub obligations: Vec<Judged>,
    /// The same without what whoever calls found kept, where it is not trusted: gates look at these.
    pub counted: Vec<Judged>,
    /// Whether the report can be used as it is.
    pub usable: Usable,
}

impl Examined {
    /// What follows from obligations with their incidents, and from what somebody decided. What whoever calls found kept may be its own work:
    /// unless it is trusted, it is shown and makes nothing usable, and what it says asks nothing stays missing.
    #[must_use]
    pub fn conclude(&self, obligations: Vec<Judged>, disqualified: bool, risk: Risk) -> Conclusion {
        let counts = |own: &Decided| self.trusts_host || own.origin != Origin::Host;
        let trusted: Vec<Decided> = self.decided.iter().filter(|own| counts(own)).cloned().collect();
        let is_shown = |own: &&Decided| counts(own) || own.standing != Standing::AsksNothing;
        let shown: Vec<Decided> = self.decided.iter().filter(is_shown).cloned().collect();
        let counted = status::with_decided(obligations.clone(), &trusted);
        let obligations = status::with_decided(obligations, &shown);
        let usable = verdict::usable(disqualified, risk, &self.evaluation.contract, &counted, self.usable_share);
        Conclusion { obligations, counted, usable }
    }
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
    examine(prompt, report).map(|examined| examined.evaluation)
}

/// The incidents that checks find, whatever else is said of the report. Not evaluable as [`audit`] is, but for what is assessed.
#[must_use]
pub fn incidents_of(prompt: &Source, report: Vec<Source>) -> Evaluated<Vec<Incident>> {
    let (contract, answer) = match read(prompt, report) {
        Ok(both) => both,
        Err(not) => return Evaluated::NotEvaluable(not.reason),
    };
    Evaluated::Value(look(&contract, &answer, &[]).incidents)
}

/// As [`audit`], and keeps what it read.
#[must_use]
pub fn examine(prompt: &Source, report: Vec<Source>) -> Evaluated<Examined> {
    let judged = read(prompt, report)
        .and_then(|(contract, answer)| judge(&prompt.name, contract, answer, &Settings::default(), None));
    match judged {
        Ok(examined) => Evaluated::Value(examined),
        Err(not) => Evaluated::NotEvaluable(not.reason),
    }
}

/// Reads prompt and report.
///
/// # Errors
/// [`NotJudged`] where one of them says nothing that could be read.
pub fn read(prompt: &Source, report: Vec<Source>) -> Result<(Contract, Answer), NotJudged> {
    let body = run::body(&prompt.document);
    let contract = ask::read(prompt.file, &prompt.document, body);
    if prompt.document.quote(body).trim().is_empty() {
        return Err(NotJudged::new(WhyNot::PromptEmpty, format!("{}: the prompt is empty", prompt.name)));
    }
    if contract.request.statements.is_empty() {
        let what = format!("{}: the prompt holds no sentence that could be read", prompt.name);
        return Err(NotJudged::new(WhyNot::PromptUnread, what));
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
        let what = match answer.artefacts.as_slice() {
            [only] => format!("{}: the report is empty", only.name),
            [] => "no report was given".to_owned(),
            all => format!("the report is empty: {} files were read, none holds a sentence to judge", all.len()),
        };
        return Err(NotJudged { contract: Some(Box::new(contract)), ..NotJudged::new(WhyNot::ReportEmpty, what) });
    }
    Ok((contract, answer))
}

/// Judges the report. An embedder adds passages to those that are shown of each obligation, and decides nothing.
///
/// # Errors
/// [`NotJudged`] where no obligation could be judged.
pub fn judge(
    prompt: &str,
    contract: Contract,
    mut answer: Answer,
    settings: &Settings,
    embedder: Option<&dyn Embedder>,
) -> Result<Examined, NotJudged> {
    let Looked { mut incidents, mut before, mut broken_off } = look(&contract, &answer, &settings.context);
    let mut assessable = assessable(&contract, &answer);
    let by_code = by_code(&contract, &before, &incidents, &assessable, settings);
    let read = contract.obligations.len();
    let (contract, proposals) = proposals::with_asked(contract, &settings.proposals);
    if contract.obligations.len() > read {
        // What code says of what it read itself stays as it is.
        let again = look(&contract, &answer, &settings.context);
        let is_new = |own: &Incident| {
            let is_of_added = own.finding.obligation.is_some_and(|at| at >= read);
            is_of_added && !incidents.iter().any(|known| proposals::is_same_fault(known, own))
        };
        let added: Vec<Incident> = again.incidents.into_iter().filter(is_new).collect();
        incidents.extend(added);
        sort(&mut incidents);
        before.extend(again.before.into_iter().skip(read));
        broken_off |= again.broken_off;
    }
    if let Some(embedder) = embedder {
        meaning::add(&contract, &answer, &mut before, embedder);
    }
    if broken_off {
        for artefact in &mut answer.artefacts {
            let span = Span::new(0, artefact.document.source.len());
            artefact.left_out.push(LeftOut { span, reason: TOO_MUCH });
        }
    }
    let judged = status::with_incidents(&before, &incidents, &contract);
    let settled = proposals::settle(&contract, &answer, &judged, &incidents, &proposals);
    if !settled.incidents.is_empty() {
        incidents.extend(settled.incidents);
        sort(&mut incidents);
    }
    let mut scores = verdict::score(&incidents, &assessable);
    if contract.obligations.len() > read {
        // More to keep makes no score better.
        let with_added = self::assessable(&contract, &answer);
        let own = verdict::score(&incidents, &with_added);
        if own.overall < scores.overall {
            (scores, assessable) = (own, with_added);
        }
    }
    let risk = verdict::risk(&incidents, scores.overall);
    let disqualifiers = disqualifiers(&incidents);
    let left_out = answer
        .artefacts
        .iter()
        .flat_map(|artefact| artefact.left_out.iter().map(|left| (artefact.file, left.clone())))
        .collect();
    let mut examined = Examined {
        evaluation: Evaluation {
            preserved_well: Vec::new(),
            major_failures: lists::failures(&incidents),
            recommended_actions: lists::actions(&incidents),
            counts: counts(&contract, &incidents),
            contract,
            obligations: Vec::new(),
            incidents,
            scores,
            risk,
            disqualifiers,
            assessed: Assessed::default(),
            usable: Usable::TooLittleAssessed,
            left_out,
            by_code,
            set_aside: settled.set_aside,
        },
        before,
        answer,
        assessable,
        decided: settled.decided,
        trusts_host: settings.trusts_host,
        usable_share: settings.usable_share,
    };
    let evaluation = &examined.evaluation;
    let obligations = status::with_incidents(&examined.before, &evaluation.incidents, &evaluation.contract);
    let concluded = examined.conclude(obligations, !evaluation.disqualifiers.is_empty(), risk);
    let evaluation = &mut examined.evaluation;
    evaluation.usable = concluded.usable;
    evaluation.obligations = concluded.obligations;
    evaluation.assessed = Assessed::of(&evaluation.contract, &evaluation.obligations);
    evaluation.preserved_well = lists::preserved(&evaluation.contract, &evaluation.obligations);
    if evaluation.assessed.n > 0 {
        return Ok(examined);
    }
    let Evaluation { contract, assessed, obligations, .. } = examined.evaluation;
    let what = if contract.obligations.is_empty() {
        format!(
            "{prompt}: no obligation of the prompt could be read, so nothing can be judged. hint: prompts and reports are read in English"
        )
    } else if broken_off {
        format!("{prompt}: {TOO_MUCH}. hint: leave out what is no prose: data, logs, code")
    } else {
        let noun = if assessed.of == 1 { "obligation" } else { "obligations" };
        format!(
            "{prompt}: rules can decide none of its {} {noun}. hint: `steadfast audit undecided PROMPT REPORT` (over MCP `audit_undecided`) lists them for whoever understands both",
            assessed.of
        )
    };
    let why = if contract.obligations.is_empty() { WhyNot::PromptUnread } else { WhyNot::NothingJudged };
    Err(NotJudged { contract: Some(Box::new(contract)), assessed, obligations, ..NotJudged::new(why, what) })
}

/// The verdict by code alone.
fn by_code(
    contract: &Contract,
    before: &[Judged],
    incidents: &[Incident],
    assessable: &Assessable,
    settings: &Settings,
) -> ByCode {
    let obligations = status::with_incidents(before, incidents, contract);
    let assessed = Assessed::of(contract, &obligations);
    let overall = verdict::score(incidents, assessable).overall;
    let risk = verdict::risk(incidents, overall);
    let disqualified = !disqualifiers(incidents).is_empty();
    ByCode {
        incidents: incidents.len(),
        score: (assessed.n > 0).then_some((overall, risk)),
        usable: verdict::usable(disqualified, risk, contract, &obligations, settings.usable_share),
        obligations: obligations.iter().map(|judged| (judged.status, judged.assessed)).collect(),
        assessed,
    }
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
            .filter(|block| *block.text.plain != *section.title)
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

fn assessable(contract: &Contract, answer: &Answer) -> Assessable {
    let has = |wanted: &dyn Fn(Kind) -> bool| contract.obligations.iter().any(|item| wanted(item.obligation.kind));
    let words = answer.claims.iter().map(|claim| claim.text.split_whitespace().count() * claim.places.len()).sum();
    let obligations = contract.obligations.len();
    let mut dimensions = Vec::new();
    if obligations == 0 {
        return Assessable { dimensions, words, obligations };
    }
    for dimension in Dimension::ALL.iter().copied() {
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
