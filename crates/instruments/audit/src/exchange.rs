//! The audit's dialogue with a model: three calls, as the proposal for a drift measurement task has them in its section 4.
//!
//! 1. The contract, from the prompt alone.
//! 2. The incidents, from the prompt, the contract, and the report in pieces that fit the model's context window: one call a piece.
//! 3. Scores and a verdict, from the contract and the incidents.
//!
//! What comes of it is a [`Proposal`] and no more: [`crate::view`] looks every quote up and sets aside what is not there. A call that gives nothing
//! is told in [`Proposal::not_judged`], and the dialogue goes on.

mod pieces;
mod requests;

use std::fmt::Write as _;

use steadfast_dialogue::{Answer, Exchange, Nothing, Passage, Request, Role, Step};
use steadfast_text::{QuoteIndex, Span};

use crate::answer::{Answer as Report, Artefact};
use crate::ask::{Contract, EntityRole, PlainContract};
use crate::evaluation::Examined;
use crate::incident::DriftType;
use crate::run;
use pieces::{Cut, Reader, Text};

pub use pieces::{Part, Piece};
pub use requests::{ItemKind, LIST_ITEMS_MAX, type_name};

/// Most calls about the report; what is longer is told to be uncovered. With the calls before and after them they stay below what a driver
/// allows an exchange.
pub const REPORT_PIECES_MAX: usize = 200;

/// Most calls about the prompt.
pub const PROMPT_PIECES_MAX: usize = 16;

/// After so many calls in a row that were refused by the budget or failed at the server, no more of their kind are made.
pub const FAILURES_IN_A_ROW_MAX: usize = 3;

/// Of the room beside the instructions, the prompt gets at most a third beside a piece of the report …
const PROMPT_SHARE: usize = 3;
/// … and the contract at most a sixth.
const CONTRACT_SHARE: usize = 6;

/// How many tokens the model of each call can take in, question and reply together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Windows {
    /// For the contract.
    pub contract_tokens: usize,
    /// For the incidents.
    pub incidents_tokens: usize,
    /// For the scores.
    pub scores_tokens: usize,
}

/// What the model proposed. Nothing of it has been looked up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proposal {
    /// Items of the contract, in the order of the replies.
    pub contract: Vec<ProposedItem>,
    /// Incidents, in the order of the replies.
    pub incidents: Vec<ProposedIncident>,
    /// What it would ask the user.
    pub questions: Vec<String>,
    /// Its own scores and totals.
    pub claimed: Option<Claimed>,
    /// The report as it was cut.
    pub pieces: Vec<Piece>,
    /// How many of these pieces the model judged.
    pub judged_pieces: usize,
    /// What was not judged, and why.
    pub not_judged: Vec<NotJudged>,
}

/// An item of the contract as the model wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedItem {
    /// What it is said to be.
    pub kind: ItemKind,
    /// Words that are said to stand in the prompt.
    pub text: String,
}

/// An incident as the model wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedIncident {
    /// The piece that it was asked about, by its place in [`Proposal::pieces`].
    pub piece: usize,
    /// The type that it proposes.
    pub drift_type: DriftType,
    /// The severity that it proposes, 0 to 4.
    pub severity: u8,
    /// Where it says that it stands.
    pub section: String,
    /// Words that are said to stand in the prompt, or `not in prompt`.
    pub source_reference: String,
    /// Words that are said to stand in the report.
    pub output_claim: String,
    /// Why it is drift, in its own words.
    pub explanation: String,
}

/// The model's own scores and totals. Never used for anything but to be shown beside what code computes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Claimed {
    /// 0 to 5 for each of [`crate::verdict::Dimension::ALL`].
    pub dimensions: [u8; 10],
    /// 0 to 5.
    pub overall: f64,
    /// The risk, as it spells it.
    pub risk: String,
    /// Incidents of severity 4.
    pub critical_drift: usize,
    /// Of type C.
    pub unsupported_claim: usize,
    /// Of type B.
    pub constraint_violation: usize,
    /// Of type D.
    pub confidence_inflation: usize,
    /// Whether it would use the report as it is.
    pub usable_as_is: bool,
    /// What was kept.
    pub preserved_well: Vec<String>,
    /// What failed.
    pub major_failures: Vec<String>,
    /// What to do.
    pub recommended_actions: Vec<String>,
}

/// A part of the work that gave nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotJudged {
    /// Which call.
    pub what: Call,
    /// Which bytes, where it is about a part of a file: of the report's artefacts, or of the prompt where `what` is the contract.
    pub part: Option<Part>,
    /// Why.
    pub why: String,
}

/// One of the three calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Call {
    /// The contract.
    Contract,
    /// The incidents.
    Incidents,
    /// Scores and verdict.
    Scores,
}

impl Call {
    /// Its name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Contract => "contract",
            Self::Incidents => "incidents",
            Self::Scores => "scores",
        }
    }
}

/// What is to be asked next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Contract(usize),
    Incidents(usize),
    Scores,
    Done,
}

/// Prompt and report as they are cut for the calls.
#[derive(Clone, Debug)]
pub struct Cutting {
    windows: Windows,
    prompt: Vec<Piece>,
    /// The prompt as it stands beside a piece of the report.
    beside: Passage,
    report: Vec<Piece>,
    not_judged: Vec<NotJudged>,
}

/// Cuts what was examined for models with these windows.
#[must_use]
pub fn cut(examined: &Examined, windows: Windows) -> Cutting {
    let contract = &examined.evaluation.contract;
    let mut not_judged = Vec::new();
    let untold = |what: Call, part: &Part, why: &str| NotJudged { what, part: Some(*part), why: why.to_owned() };
    let asked = asked(contract).map_or_else(Cut::default, |text| {
        let room_bytes = requests::room_bytes(Role::AuditContract, windows.contract_tokens);
        pieces::cut(&[text], room_bytes, PROMPT_PIECES_MAX)
    });
    let why = "the prompt is too long for the model's context window";
    not_judged.extend(asked.uncovered.iter().map(|part| untold(Call::Contract, part, why)));
    let room_bytes = requests::room_bytes(Role::AuditIncidents, windows.incidents_tokens);
    let (beside, missing_bytes) = requests::passage("prompt", &contract.text, room_bytes / PROMPT_SHARE);
    if missing_bytes > 0 {
        let why = format!(
            "the last {missing_bytes} bytes of the prompt had no room beside the report: of them only the contract was shown"
        );
        not_judged.push(NotJudged { what: Call::Incidents, part: None, why });
    }
    let taken_bytes = pieces::cost(&beside.text) + pieces::PASSAGE_BYTES + room_bytes / CONTRACT_SHARE;
    let texts: Vec<Text<'_>> = examined.answer.artefacts.iter().map(judged).collect();
    let report = pieces::cut(&texts, room_bytes.saturating_sub(taken_bytes), REPORT_PIECES_MAX);
    let why = "the report is too long for the model's context window";
    not_judged.extend(report.uncovered.iter().map(|part| untold(Call::Incidents, part, why)));
    Cutting { windows, prompt: asked.pieces, beside, report: report.pieces, not_judged }
}

/// The dialogue about one report.
pub struct Inquiry<'a> {
    contract: &'a Contract,
    report: &'a Report,
    windows: Windows,
    prompt: Vec<Piece>,
    beside: Passage,
    proposal: Proposal,
    /// The contract as the calls after the first are shown it, once that is known.
    lines: Option<String>,
    state: State,
    failures_in_a_row: usize,
}

impl<'a> Inquiry<'a> {
    /// A dialogue about what was examined, cut by [`cut`].
    #[must_use]
    pub fn new(examined: &'a Examined, cutting: Cutting) -> Self {
        let proposal = Proposal { pieces: cutting.report, not_judged: cutting.not_judged, ..Proposal::default() };
        Self {
            contract: &examined.evaluation.contract,
            report: &examined.answer,
            windows: cutting.windows,
            prompt: cutting.prompt,
            beside: cutting.beside,
            proposal,
            lines: None,
            state: State::Contract(0),
            failures_in_a_row: 0,
        }
    }

    /// Takes what came back to what was last asked.
    fn take(&mut self, answer: Answer) {
        let record = match answer {
            Answer::Record(record) => record,
            Answer::Nothing(nothing) => return self.without(&nothing),
        };
        self.failures_in_a_row = 0;
        match self.state {
            State::Contract(piece) => {
                for item in requests::items(&record) {
                    if !self.proposal.contract.contains(&item) {
                        self.proposal.contract.push(item);
                    }
                }
                self.state = State::Contract(piece + 1);
            }
            State::Incidents(piece) => {
                self.proposal.judged_pieces += 1;
                self.proposal.incidents.extend(requests::incidents(&record, piece));
                self.state = State::Incidents(piece + 1);
            }
            State::Scores => {
                self.proposal.claimed = Some(requests::claimed(&record));
                self.proposal
                    .questions
                    .extend(record.texts("questions").iter().filter(|it| !it.trim().is_empty()).cloned());
                self.state = State::Done;
            }
            State::Done => {}
        }
    }

    fn without(&mut self, nothing: &Nothing) {
        let why = nothing.to_string();
        let at_once = matches!(nothing, Nothing::Failed(_) | Nothing::OverBudget(_));
        self.failures_in_a_row = if at_once { self.failures_in_a_row + 1 } else { 0 };
        let give_up = self.failures_in_a_row == FAILURES_IN_A_ROW_MAX;
        let (what, pieces, piece) = match self.state {
            State::Contract(piece) => (Call::Contract, &self.prompt, piece),
            State::Incidents(piece) => (Call::Incidents, &self.proposal.pieces, piece),
            State::Scores => {
                self.proposal.not_judged.push(NotJudged { what: Call::Scores, part: None, why });
                self.state = State::Done;
                return;
            }
            State::Done => return,
        };
        let until = if give_up { pieces.len() } else { piece + 1 };
        let mut untold = Vec::new();
        for (index, own) in pieces.iter().enumerate().take(until).skip(piece).filter(|(_, own)| !own.blank) {
            let why = if index == piece {
                why.clone()
            } else {
                format!("it was not asked about: {FAILURES_IN_A_ROW_MAX} calls in a row failed ({why})")
            };
            untold.extend(own.parts.iter().map(|part| NotJudged { what, part: Some(*part), why: why.clone() }));
        }
        self.proposal.not_judged.extend(untold);
        self.state = match self.state {
            State::Contract(_) => State::Contract(until),
            _ => State::Incidents(until),
        };
        if give_up {
            self.failures_in_a_row = 0;
        }
    }

    /// What is to be asked, if anything is.
    fn ask(&mut self) -> Option<Request> {
        loop {
            match self.state {
                State::Contract(piece) => match self.prompt.get(piece) {
                    None => {
                        self.failures_in_a_row = 0;
                        self.state = State::Incidents(0);
                    }
                    Some(own) if own.blank => self.state = State::Contract(piece + 1),
                    Some(own) => {
                        let text = asked(self.contract)?;
                        let passages = passages("prompt", &[text], own, false);
                        return Some(requests::request(Role::AuditContract, passages));
                    }
                },
                State::Incidents(piece) => match self.proposal.pieces.get(piece) {
                    None if self.proposal.judged_pieces == 0 => {
                        let why = "no part of the report was judged".to_owned();
                        self.proposal.not_judged.push(NotJudged { what: Call::Scores, part: None, why });
                        self.state = State::Done;
                    }
                    None => self.state = State::Scores,
                    Some(own) if own.blank => self.state = State::Incidents(piece + 1),
                    Some(own) => {
                        let texts: Vec<Text<'_>> = self.report.artefacts.iter().map(judged).collect();
                        let room_bytes = requests::room_bytes(Role::AuditIncidents, self.windows.incidents_tokens);
                        let judged = passages("report", &texts, own, true);
                        let (contract, _) =
                            requests::passage("contract", &self.contract_lines(), room_bytes / CONTRACT_SHARE);
                        let mut all = vec![self.beside.clone(), contract];
                        all.extend(judged);
                        return Some(requests::request(Role::AuditIncidents, all));
                    }
                },
                State::Scores => {
                    let room_bytes = requests::room_bytes(Role::AuditScores, self.windows.scores_tokens);
                    let (contract, _) =
                        requests::passage("contract", &self.contract_lines(), room_bytes / PROMPT_SHARE);
                    let left = room_bytes - room_bytes / PROMPT_SHARE;
                    let (incidents, _) =
                        requests::passage("incidents", &requests::listed(&self.proposal.incidents), left);
                    return Some(requests::request(Role::AuditScores, vec![contract, incidents]));
                }
                State::Done => return None,
            }
        }
    }

    /// The contract for the calls after the first: what the model found in the prompt, or what rules found, where it found nothing.
    fn contract_lines(&mut self) -> String {
        if let Some(lines) = &self.lines {
            return lines.clone();
        }
        let lines = self.read_contract();
        self.lines = Some(lines.clone());
        lines
    }

    fn read_contract(&self) -> String {
        let Some(document) = &self.contract.document else { return String::new() };
        let index = QuoteIndex::new(document);
        let mut lines = String::new();
        for item in &self.proposal.contract {
            if index.locate(&item.text).is_some() {
                let text = requests::one_line(&item.text);
                let _ = match item.kind {
                    ItemKind::Entity(role) => writeln!(lines, "core_entities, {}: {text}", role_name(role)),
                    kind => writeln!(lines, "{}: {text}", kind.field()),
                };
            }
        }
        if lines.is_empty() { plain_lines(&self.contract.plain()) } else { lines }
    }
}

impl Exchange for Inquiry<'_> {
    type Proposal = Proposal;

    fn next(&mut self, answer: Option<Answer>) -> Step<Proposal> {
        if let Some(answer) = answer {
            self.take(answer);
        }
        match self.ask() {
            Some(request) => Step::Send(request),
            None => Step::Done(std::mem::take(&mut self.proposal)),
        }
    }
}

/// The user's own words in the prompt's file.
fn asked(contract: &Contract) -> Option<Text<'_>> {
    let document = contract.document.as_ref()?;
    Some(Text { name: "prompt", document, whole: run::body(document), left_out: &[] })
}

fn judged(artefact: &Artefact) -> Text<'_> {
    Text {
        name: &artefact.name,
        document: &artefact.document,
        whole: Span::new(0, artefact.document.source.len()),
        left_out: &artefact.left_out,
    }
}

/// The parts of a piece, each as a passage, under its name and headings where that is asked for.
fn passages(label: &'static str, texts: &[Text<'_>], piece: &Piece, headed: bool) -> Vec<Passage> {
    let parts = piece.parts.iter().filter_map(|part| {
        let text = texts.get(part.text)?;
        let shown = Reader::new(text.document).shown(part.span);
        if shown.trim().is_empty() {
            return None;
        }
        let header = if headed { pieces::header(text, part.span) } else { String::new() };
        Some(Passage { label, text: format!("{header}{shown}") })
    });
    parts.collect()
}

const fn role_name(role: EntityRole) -> &'static str {
    match role {
        EntityRole::Buyer => "buyer",
        EntityRole::User => "user",
        EntityRole::Customer => "customer",
        EntityRole::Operator => "operator",
        EntityRole::Regulator => "regulator",
        EntityRole::Partner => "partner",
        EntityRole::Place => "place",
    }
}

fn plain_lines(plain: &PlainContract) -> String {
    let mut lines = String::new();
    let mut add = |name: &str, text: &str| {
        let _ = writeln!(lines, "{name}: {}", requests::one_line(text));
    };
    let single = [
        (ItemKind::CoreIntent, &plain.core_intent),
        (ItemKind::PrimaryProblem, &plain.primary_problem),
        (ItemKind::ProposedSolution, &plain.proposed_solution),
    ];
    for (kind, text) in single {
        if let Some(text) = text {
            add(kind.field(), text);
        }
    }
    let lists = [
        (ItemKind::NonGoal, &plain.non_goals),
        (ItemKind::Constraint, &plain.constraints),
        (ItemKind::OptionalFeature, &plain.optional_features),
        (ItemKind::Uncertainty, &plain.uncertainties),
        (ItemKind::SuccessMetric, &plain.success_metrics),
    ];
    for (kind, texts) in lists {
        for text in texts {
            add(kind.field(), text);
        }
    }
    for (role, name) in &plain.core_entities {
        add(&format!("core_entities, {}", role_name(*role)), name);
    }
    lines
}
