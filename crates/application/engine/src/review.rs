//! The use case: is what an agent reports of its own work worth reading in full, and is it true?

mod chat;
mod session;
mod undecided;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use steadfast_embed::Embedder;
use steadfast_evidence::{Evaluated, Origin, RULES_VERSION, Reason};
use steadfast_review as instrument;
use steadfast_session::Session;
use steadfast_wire::Span;
use steadfast_wire::audit::Judge;
use steadfast_wire::review as wire;
use steadfast_wire::review::Profile;
use steadfast_wire::session::ReadSession;

use crate::EngineError;
use crate::chat::ChatModels;
use crate::hash::{sha256, uuid_v8};
use crate::intake::{self, File};
use crate::pool::judging;
use crate::proposals::{origin, refused, text};

pub(crate) use session::session_of;
pub use session::{EVIDENCE_FILES_MAX, RULES_FILES_MAX, report_of};
pub use steadfast_review::ask::{CRITERIA_MAX, criteria_of};
pub use steadfast_review::convention::CONVENTION;
pub use steadfast_review::summary::SUMMARY_TOKENS_DEFAULT;
pub use steadfast_review::verdict::THRESHOLD_DEFAULT;
pub use undecided::{UndecidedRequest, undecided};

/// What a summary may hold, in tokens.
const SUMMARY_TOKENS: RangeInclusive<usize> = 50..=100_000;

/// What an output is called that comes without a file.
const OUTPUT_NAME: &str = "output.md";

/// What to review, and how.
#[derive(Clone)]
pub struct ReviewRequest {
    /// The output.
    pub output: File,
    /// Acceptance criteria; where there are none, those of the output's last check-in are taken.
    pub criteria: Vec<String>,
    /// Below this score a summary is returned, 0 to 1.
    pub threshold: f64,
    /// How the house uses 🐛 and 🔒.
    pub profile: Profile,
    /// What a summary may hold, in tokens.
    pub summary_tokens_max: usize,
    /// What finds partners of criteria that words do not.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Who judges.
    pub judge: Judge,
    /// What was proposed of criteria, claims and what the user asked for; `None` where nobody proposed anything.
    pub proposed: Option<ReviewProposals>,
    /// Whether what whoever calls finds met or supported counts.
    pub trust_host: bool,
    /// The log of the agent's session; whether the output is its last words.
    pub session: Option<(File, bool)>,
    /// Rules that the agent of the session works by.
    pub rules: Vec<File>,
    /// Logs and diffs beside the output.
    pub evidence: Vec<File>,
}

/// What one origin proposes of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewProposals {
    /// Who proposes it.
    pub by: Origin,
    /// What is proposed.
    pub proposals: Vec<wire::ReviewProposal>,
}

impl ReviewProposals {
    /// Reads what is proposed from the bytes of a file. Without a person who stands behind it, it is proposed by whoever calls.
    ///
    /// # Errors
    /// [`EngineError::ProposalsFile`]
    pub fn read(file: &File, person: Option<String>) -> Result<Self, EngineError> {
        let proposals = steadfast_wire::from_json(text(file)?).map_err(|error| refused(file, error.to_string()))?;
        let by = person.map_or(Origin::Host, |name| Origin::Person(Some(name)));
        Ok(Self { by, proposals })
    }

    /// What is proposed, as the instrument takes it.
    #[must_use]
    pub fn taken(&self) -> instrument::proposals::Proposed {
        use instrument::proposals::{Proposal, Proposed};
        let proposal = |own: &wire::ReviewProposal| Proposal {
            criterion: own.criterion.clone(),
            claim: own.claim.clone(),
            asked: own.asked.clone(),
            relation: own.relation,
            turn: own.turn,
            quote: own.quote.clone(),
            why: own.why.clone(),
        };
        Proposed { by: self.by.clone(), proposals: self.proposals.iter().map(proposal).collect() }
    }
}

impl ReviewRequest {
    /// A request with the settings of the task-evals document.
    #[must_use]
    pub fn new(output: File) -> Self {
        Self {
            output,
            criteria: Vec::new(),
            threshold: THRESHOLD_DEFAULT,
            profile: Profile::Seed,
            summary_tokens_max: SUMMARY_TOKENS_DEFAULT,
            embedder: None,
            judge: Judge::Rules,
            proposed: None,
            trust_host: false,
            session: None,
            rules: Vec::new(),
            evidence: Vec::new(),
        }
    }

    /// Bytes of all that is read.
    fn bytes(&self) -> usize {
        let beside = self.session.iter().map(|(file, _)| file).chain(&self.rules).chain(&self.evidence);
        let beside = beside.map(|it| it.bytes.len()).sum::<usize>();
        beside + self.output.bytes.len() + self.criteria.iter().map(String::len).sum::<usize>()
    }
}

/// What of a request was read.
struct Material<'a> {
    /// The output.
    text: Cow<'a, str>,
    /// The log of the session.
    read: Option<ReadSession>,
    /// The session, with rules and evidence.
    done: Session,
}

impl<'a> Material<'a> {
    fn read(request: &'a ReviewRequest) -> Result<Self, EngineError> {
        let text = intake::text(&request.output.name, &request.output)?;
        let read = request.session.as_ref().map(|(file, _)| session::read(file)).transpose()?;
        let mut done = read.as_ref().map(|own| own.session.clone()).unwrap_or_default();
        session::with_rules(&mut done, &request.rules)?;
        session::with_evidence(&mut done, &request.evidence)?;
        Ok(Self { text, read, done })
    }

    /// What the output is held against; `None` where neither a session nor evidence is there.
    fn session(&self) -> Option<&Session> {
        let is_there = self.read.is_some() || self.done.turns.iter().any(|turn| !turn.calls.is_empty());
        is_there.then_some(&self.done)
    }

    /// How the instrument reviews it.
    fn settings<'b>(
        &'b self,
        request: &'b ReviewRequest,
        proposed: &'b [instrument::proposals::Proposed],
    ) -> instrument::Settings<'b> {
        instrument::Settings {
            criteria: &request.criteria,
            threshold: request.threshold,
            profile: profile(request.profile),
            summary_tokens_max: request.summary_tokens_max,
            embedder: request.embedder.as_deref(),
            proposed,
            trusts_host: request.trust_host,
            session: self.session(),
        }
    }
}

const fn profile(own: Profile) -> instrument::answer::Profile {
    match own {
        Profile::Seed => instrument::answer::Profile::Seed,
        Profile::Fixed => instrument::answer::Profile::Fixed,
    }
}

/// An output that comes without a file, as a file: whatever door it comes in by, it has this name.
#[must_use]
pub fn output_file(bytes: Vec<u8>) -> File {
    File { name: OUTPUT_NAME.to_owned(), bytes }
}

/// Criteria that come as a list: each is one line, whatever breaks it has.
#[must_use]
pub fn criteria_of_each(criteria: &[String]) -> Vec<String> {
    let line = |criterion: &String| criterion.split_whitespace().collect::<Vec<_>>().join(" ");
    criteria.iter().flat_map(|criterion| criteria_of(&line(criterion))).collect()
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewOutcome {
    /// The review. Its score is `null` where nothing can be evaluated: a surface says so, and takes it for no pass.
    pub review: wire::Review,
    /// Why nothing can be evaluated, as an error that whoever has no use for the rest can end with.
    pub not_evaluable: Option<EngineError>,
    /// The text of the output, by its name.
    pub texts: BTreeMap<String, String>,
}

/// Reviews an output. By rules alone the same request gives the same outcome, on any number of cores. A chat model is asked what rules leave open: what it proposes and
/// code locates counts, and takes nothing away that rules found.
///
/// # Errors
/// [`EngineError::Threshold`], [`EngineError::SummaryTokens`], a model that is not there, and those of [`intake::text`]. An output without anything to score is an outcome, not an
/// error; nor is it one that a model fails.
pub async fn review(request: ReviewRequest, desk: Option<&ChatModels>) -> Result<ReviewOutcome, EngineError> {
    if !(0.0..=1.0).contains(&request.threshold) {
        return Err(EngineError::Threshold { given: request.threshold.to_string() });
    }
    if !SUMMARY_TOKENS.contains(&request.summary_tokens_max) {
        return Err(EngineError::SummaryTokens { given: request.summary_tokens_max });
    }
    let mut said = None;
    if request.judge == Judge::Both {
        said = Some(chat::ask(&request, desk.ok_or(EngineError::NoModel)?).await?);
    }
    judging(request.bytes(), move || work(&request, said.as_ref())).await
}

fn work(request: &ReviewRequest, said: Option<&chat::Said>) -> Result<ReviewOutcome, EngineError> {
    let file = &request.output;
    let material = Material::read(request)?;
    let (text, read) = (material.text.as_ref(), &material.read);
    let of_model = said.iter().map(|said| said.proposed.clone());
    let proposed: Vec<_> = request.proposed.iter().map(ReviewProposals::taken).chain(of_model).collect();
    let found = instrument::review(text, &material.settings(request, &proposed));
    let why = match &found.score {
        Evaluated::Value(_) => None,
        Evaluated::NotEvaluable(Reason(reason)) => Some(EngineError::not_evaluable(&file.name, reason)),
    };
    let decided = found.assessed.as_ref().is_some_and(instrument::session::Assessed::is_decided);
    let lines: Vec<usize> = read.iter().flat_map(|own| &own.session.turns).map(|turn| turn.line).collect();
    let mut review = published(request, text, (found, said), why.as_ref(), &lines);
    if let (Some(own), Some((file, is_report))) = (read, &request.session) {
        review.session = Some(session::session_read(file, own));
        review.report = is_report.then(|| text.to_owned());
    }
    // Without a score a claim that was decided is a result all the same.
    let not_evaluable = why.filter(|_| !decided);
    let texts = BTreeMap::from([(file.name.clone(), text.to_owned())]);
    Ok(ReviewOutcome { review, not_evaluable, texts })
}

/// The published form of a review.
fn published(
    request: &ReviewRequest,
    text: &str,
    (found, said): (instrument::Review, Option<&chat::Said>),
    not_evaluable: Option<&EngineError>,
    lines: &[usize],
) -> wire::Review {
    let name = request.output.name.as_str();
    let span = |span: steadfast_text::Span| Span {
        file: name.to_owned(),
        start: span.start,
        end: span.end,
        quote: text.get(span.range()).unwrap_or_default().to_owned(),
    };
    let report = &found.report;
    let assessed = found.assessed.as_ref();
    let with_session = assessed.filter(|_| request.session.is_some());
    let profile = profile(request.profile);
    let recommendation = found.recommendation;
    let by_code = by_code(&found.by_code);
    let mut set_aside = found.set_aside.into_iter();
    let proposed = request
        .proposed
        .as_ref()
        .map(|own| proposed(own, request.trust_host, set_aside.next().unwrap_or_default(), by_code.clone()));
    let chat = said.map(|said| said.published(set_aside_of(set_aside.next().unwrap_or_default()), by_code));
    let score = match found.score {
        Evaluated::Value(score) => Some(score),
        Evaluated::NotEvaluable(_) => None,
    };
    let timeline: Vec<wire::CheckIn> = report
        .check_ins
        .iter()
        .map(|own| {
            let block = report.blocks.get(own.block);
            wire::CheckIn {
                task_id: own.task_id.clone(),
                status: own.status.clone(),
                next_steps: own.next_steps.iter().map(|step| step.text.clone()).collect(),
                start: block.map_or(0, |block| block.span.start),
                end: block.map_or(0, |block| block.span.end),
                cut_off: block.is_some_and(|block| block.cut_off),
            }
        })
        .collect();
    wire::Review {
        schema_version: wire::SCHEMA_VERSION.to_owned(),
        rules_version: Some(RULES_VERSION.to_owned()),
        task_id: report.task_id().map_or_else(|| own_task_id(request), str::to_owned),
        score,
        not_evaluable: not_evaluable.map(ToString::to_string),
        recommendation,
        capped_by: found.capped_by.clone(),
        threshold: request.threshold,
        profile: request.profile,
        dimensions: dimensions(&found.dimensions),
        full_payload: found.summary.is_none().then(|| text.to_owned()),
        summary: found.summary,
        warnings: found.warnings,
        items: report
            .items
            .iter()
            .map(|item| wire::Item {
                emoji: item.sign.emoji().to_owned(),
                category: item.sign.category(profile).to_owned(),
                text: item.text.clone(),
                span: span(item.span),
                says_none: item.none,
            })
            .collect(),
        categories: found.categories.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect(),
        criteria: found
            .criteria
            .into_iter()
            .enumerate()
            .map(|(at, criterion)| published_criterion(at, criterion, &span))
            .collect(),
        contradictions: found
            .contradictions
            .into_iter()
            .map(|own| wire::Contradiction {
                kind: own.kind,
                origin: origin(&own.origin),
                claim: own.claim,
                computed: Some(own.computed).filter(|it| it.is_finite()),
                stated: Some(own.stated).filter(|it| it.is_finite()),
                unit: own.unit,
                spans: own.spans.into_iter().map(span).collect(),
                message: own.message,
                refuted_by: own.refuted_by,
            })
            .collect(),
        session: None,
        ask: with_session.map(|own| own.ask.iter().filter(|it| it.file.is_none()).map(session::ask).collect()),
        report: None,
        deeds: with_session.map(|own| own.deeds.iter().filter(|it| !it.evidence).map(session::deed).collect()),
        claims: assessed.map(|own| own.claims.iter().map(|claim| session::claim(claim, &span, lines)).collect()),
        breaks: with_session.map(|own| own.breaks.iter().map(session::broken).collect()),
        doubtful_breaks: with_session.map(|own| own.doubtful.iter().map(session::broken).collect()).unwrap_or_default(),
        kept: with_session.map(|own| own.kept.iter().map(session::broken).collect()).unwrap_or_default(),
        proposed,
        chat,
        check_in: timeline.last().cloned(),
        timeline,
        not_counted: report
            .bare
            .iter()
            .map(|own| wire::NotCounted { mark: own.mark.clone(), text: own.text.clone(), span: span(own.span) })
            .collect(),
        reflection: report
            .labelled
            .iter()
            .map(|own| wire::Labelled { label: own.label.clone(), span: span(own.span) })
            .collect(),
        tokens: wire::Tokens {
            full: found.tokens.full,
            returned: found.tokens.returned,
            estimate: wire::TOKEN_ESTIMATE.to_owned(),
        },
        output: wire::Output {
            file: name.to_owned(),
            bytes: request.output.bytes.len(),
            sha256: sha256(&request.output.bytes),
        },
        embedding_version: request.embedder.as_ref().map(|it| it.version().to_owned()),
        run: None,
    }
}

/// What was proposed, and what became of it.
fn proposed(
    own: &ReviewProposals,
    trust_host: bool,
    set_aside: Vec<instrument::proposals::SetAside>,
    by_code: wire::ReviewByCode,
) -> wire::ReviewProposed {
    let person = match &own.by {
        Origin::Person(name) => name.clone(),
        _ => None,
    };
    wire::ReviewProposed { by: origin(&own.by), person, trust_host, set_aside: set_aside_of(set_aside), by_code }
}

/// What is not taken.
fn set_aside_of(all: Vec<instrument::proposals::SetAside>) -> Vec<wire::ReviewSetAside> {
    all.into_iter().map(|own| wire::ReviewSetAside { text: own.text, reason: own.reason }).collect()
}

/// The verdict by code alone.
fn by_code(own: &instrument::ByCode) -> wire::ReviewByCode {
    wire::ReviewByCode {
        recommendation: own.recommendation,
        capped_by: own.capped_by.clone(),
        contradicted: own.contradicted,
        unsupported: own.unsupported,
        broken: own.broken,
    }
}

fn published_criterion(
    at: usize,
    own: instrument::Criterion,
    span: &impl Fn(steadfast_text::Span) -> Span,
) -> wire::Criterion {
    let item = own.by.as_ref().and_then(|by| by.item);
    let reported_by = own.by.map(|by| wire::ReportedBy {
        matched: match (by.fit, by.lexical) {
            _ if by.proposed => wire::Matcher::Proposed,
            (None, _) => wire::Matcher::Listed,
            (Some(_), true) => wire::Matcher::Words,
            (Some(_), false) => wire::Matcher::Embedder,
        },
        mark: by.mark,
        text: by.text,
        span: span(by.span),
        fit: by.fit,
    });
    wire::Criterion {
        id: instrument::proposals::criterion_id(at),
        text: own.text,
        status: own.status,
        origin: origin(&own.origin),
        by_code: own.by_code,
        item,
        reported_by,
    }
}

fn dimensions(own: &[(instrument::verdict::Dimension, Option<f64>)]) -> wire::Dimensions {
    use instrument::verdict::Dimension;
    let mut out = wire::Dimensions::default();
    for (dimension, score) in own {
        *match dimension {
            Dimension::Correctness => &mut out.correctness,
            Dimension::Security => &mut out.security,
            Dimension::Completeness => &mut out.completeness,
            Dimension::Style => &mut out.style,
        } = *score;
    }
    out
}

/// A task of an output that names none: a UUIDv8 of output and settings, so that the same call gives the same.
fn own_task_id(request: &ReviewRequest) -> String {
    let mut parts: Vec<&[u8]> = vec![&request.output.bytes];
    let threshold = request.threshold.to_bits().to_be_bytes();
    parts.push(&threshold);
    parts.push(request.profile.name().as_bytes());
    parts.push(request.embedder.as_ref().map_or("", |it| it.version()).as_bytes());
    parts.extend(request.criteria.iter().map(String::as_bytes));
    let session = request.session.iter().map(|(file, _)| file);
    parts.extend(session.chain(&request.rules).chain(&request.evidence).map(|it| it.bytes.as_slice()));
    uuid_v8("steadfast review", &parts)
}
