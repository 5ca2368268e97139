//! What is said to the model: the seed's three calls, in our own words, and the forms of their replies.

use std::fmt::Write as _;

use steadfast_dialogue::{Delimiter, Field, Form, Passage, Request, Role, Schema, messages};

use super::pieces::{self, PASSAGE_BYTES};
use super::{Claimed, ProposedIncident, ProposedItem};
use crate::ask::EntityRole;
use crate::incident::DriftType;
use crate::verdict::Dimension;

/// Most entries of a list that a model is asked for.
pub const LIST_ITEMS_MAX: usize = 20;

/// Longest text that a model is asked to quote, in characters. What code takes for a quote is shorter still.
const QUOTE_CHARACTERS_MAX: usize = 1_200;
/// Longest sentence of its own.
const SENTENCE_CHARACTERS_MAX: usize = 500;
/// Longest title.
const TITLE_CHARACTERS_MAX: usize = 300;
/// Most questions.
const QUESTIONS_MAX: usize = 10;
/// The greatest count that a model may claim.
const COUNT_MAX: i64 = 10_000;

/// Tokens of a reply, by role.
pub(super) const fn reply_tokens_max(role: Role) -> u32 {
    match role {
        Role::AuditIncidents => 2_500,
        _ => 1_500,
    }
}

/// The types as the model may write them.
const TYPES: &[&str] = &["TypeA", "TypeB", "TypeC", "TypeD", "TypeE", "TypeF", "TypeG", "TypeH", "TypeI", "TypeJ"];

/// Roles of entities as the model may write them.
const ROLES: &[&str] = &["buyer", "user", "customer", "operator", "regulator", "partner", "place"];

/// Risks as the model may write them.
const RISKS: &[&str] = &["low", "medium", "high", "critical"];

/// What a field says where the prompt does not state it.
const NOT_SPECIFIED: &str = "not specified";

const CONTRACT: &str = "\
You are a strict analyst of prompts. The text `prompt` is what somebody asked a planner for. Extract the contract that it states.

Copy words of the prompt, letter by letter: every entry is a passage that stands in it, as short as it can be without losing its meaning. Add nothing that is \
not in the prompt, and do not infer goals, constraints or names. Where something is not stated, leave the list empty, or write `not specified` in a field of text. \
Entries that cannot be found in the prompt are thrown away.";

const INCIDENTS: &str = "\
You are a strict evaluator of drift. The text `prompt` is what somebody asked for, `contract` is what was read out of it, and each text `report` is a part of the \
plan that was made of it; the line in square brackets names its file and its headings. Find every place in these parts where the plan departs from the prompt.

Types of drift:
- TypeA scope expansion: more is done than was asked for.
- TypeB constraint erosion: a limit, ban or requirement of the prompt is weakened or broken.
- TypeC unsupported invention: a fact, partner, approval, study or market figure is stated as given that nobody gave, or a figure of the prompt is changed.
- TypeD confidence inflation: a claim is stronger than the prompt makes it; \"may\" has become \"will\".
- TypeE business model drift: somebody else pays, or for something else.
- TypeF customer drift: it is made for somebody else.
- TypeG mechanism drift: the same end by other means than the prompt asks for.
- TypeH priority drift: what was optional is made central, or the centre is buried.
- TypeI governance or regulatory drift: legal, regulatory or certified standing is claimed that the prompt does not give.
- TypeJ style-induced semantic drift: wording or register changes what is meant.
Severity: 0 no drift, 1 minor, 2 moderate, 3 major, 4 critical.

What is no drift: rewording, summarising, detail that follows from the prompt, what is marked as an assumption, and targets, budgets and schedules that the plan proposes \
as its own. Questions, criticism, options that were not chosen, imagined failures and other projects do not speak for the plan.

For every place copy into `output_claim` the words of the report, letter by letter, one sentence or less, and into `source_reference` the words of the prompt that they \
depart from, letter by letter, or exactly `not in prompt`. What cannot be found there is thrown away. An empty list is a good answer where nothing departs. Give the \
most severe first, at most 20.";

const SCORES: &str = "\
You are a strict judge of drift. The text `contract` is what a prompt asked for, `incidents` lists where a plan that was made of it departs from it, with types \
(TypeA scope expansion, TypeB constraint erosion, TypeC unsupported invention, TypeD confidence inflation, TypeE business model, TypeF customer, TypeG mechanism, TypeH \
priority, TypeI governance, TypeJ style) and severities from 0 to 4. Give scores in ten dimensions and a verdict.

Scores: 5 excellent fidelity, 4 good, 3 mixed, 2 weak, 1 severe drift, 0 failed. The overall score is constraint .20 + scope .15 + evidence grounding .15 + causal .10 + \
entity .10 + epistemic .10 + structural priority .08 + claim strength .05 + source trace .04 + language posture .03. The risk is critical with any incident of \
severity 4, else high below 2.5, medium below 3.5, else low. The plan is not usable as it is, whatever its score, if a banned concept is used again, the customer or \
the business model changed materially, several severe numerical claims are unsupported, or a non-goal is pursued.";

fn contract_schema() -> Schema {
    let list = || Form::Texts { items_max: LIST_ITEMS_MAX, characters_max: QUOTE_CHARACTERS_MAX };
    let text = || Form::Text { characters_max: QUOTE_CHARACTERS_MAX };
    Schema::new(
        "prompt_contract",
        vec![
            Field::new("core_intent", "words of the prompt that say what the whole is for", text()),
            Field::new("primary_problem", "words of the prompt that say what is wrong today", text()),
            Field::new("proposed_solution", "words of the prompt that say what is to be made", text()),
            Field::new("non_goals", "what it says is not to be attempted", list()),
            Field::new("constraints", "limits, bans and requirements", list()),
            Field::new(
                "core_entities",
                "who or what takes part",
                Form::Records {
                    items_max: LIST_ITEMS_MAX,
                    fields: vec![
                        Field::new("role", "the part that it plays", Form::Choice(ROLES)),
                        Field::new("name", "its words in the prompt", text()),
                    ],
                },
            ),
            Field::new("optional_features", "wishes that may be left out", list()),
            Field::new("uncertainties", "what it says it does not know", list()),
            Field::new("success_metrics", "how success is told", list()),
        ],
    )
}

fn incidents_schema() -> Schema {
    let text = |characters_max: usize| Form::Text { characters_max };
    Schema::new(
        "drift_incidents",
        vec![Field::new(
            "drift_incidents",
            "every place where the report departs from the prompt",
            Form::Records {
                items_max: LIST_ITEMS_MAX,
                fields: vec![
                    Field::new("drift_type", "the type of drift", Form::Choice(TYPES)),
                    Field::new("severity", "how bad", Form::Integer { min: 0, max: 4 }),
                    Field::new("section", "the heading that it stands under", text(TITLE_CHARACTERS_MAX)),
                    Field::new(
                        "source_reference",
                        "words of the prompt, or `not in prompt`",
                        text(QUOTE_CHARACTERS_MAX),
                    ),
                    Field::new("output_claim", "words of the report", text(QUOTE_CHARACTERS_MAX)),
                    Field::new("explanation", "why this is drift, in one sentence", text(SENTENCE_CHARACTERS_MAX)),
                ],
            },
        )],
    )
}

/// The names of the dimensions in a reply, in the order of [`Dimension::ALL`].
const DIMENSIONS: [&str; 10] = [
    "scope_fidelity",
    "constraint_fidelity",
    "claim_strength_fidelity",
    "evidence_grounding_fidelity",
    "entity_fidelity",
    "causal_fidelity",
    "epistemic_fidelity",
    "source_trace_fidelity",
    "structural_priority_fidelity",
    "language_posture_fidelity",
];

fn scores_schema() -> Schema {
    let count = || Form::Integer { min: 0, max: COUNT_MAX };
    let list = |items_max: usize| Form::Texts { items_max, characters_max: SENTENCE_CHARACTERS_MAX };
    let mut fields: Vec<Field> = DIMENSIONS
        .iter()
        .map(|&name| Field::new(name, "from 0 failed to 5 excellent", Form::Integer { min: 0, max: 5 }))
        .collect();
    fields.extend([
        Field::new("overall_fidelity_score", "the weighted score", Form::Number { min: 0, max: 5 }),
        Field::new("overall_drift_risk", "the risk", Form::Choice(RISKS)),
        Field::new("critical_drift_count", "incidents of severity 4", count()),
        Field::new("unsupported_claim_count", "incidents of TypeC", count()),
        Field::new("constraint_violation_count", "incidents of TypeB", count()),
        Field::new("confidence_inflation_count", "incidents of TypeD", count()),
        Field::new("usable_as_is", "whether the plan can be used as it is", Form::Flag),
        Field::new("verdict_preserved_well", "what was kept, a sentence each", list(LIST_ITEMS_MAX)),
        Field::new("verdict_major_failures", "what failed, a sentence each", list(LIST_ITEMS_MAX)),
        Field::new("verdict_recommended_actions", "what to do about it, a sentence each", list(LIST_ITEMS_MAX)),
        Field::new("questions", "what to ask whoever wrote the prompt", list(QUESTIONS_MAX)),
    ]);
    Schema::new("drift_verdict", fields)
}

/// The request of a role over these passages.
pub(super) fn request(role: Role, passages: Vec<Passage>) -> Request {
    let (instructions, schema) = match role {
        Role::AuditContract => (CONTRACT, contract_schema()),
        Role::AuditScores => (SCORES, scores_schema()),
        _ => (INCIDENTS, incidents_schema()),
    };
    Request { role, instructions: instructions.to_owned(), passages, schema, reply_tokens_max: reply_tokens_max(role) }
}

/// How many bytes all passages of a role's request may take in a window of so many tokens.
pub(super) fn room_bytes(role: Role, context_tokens: usize) -> usize {
    let request = request(role, Vec::new());
    let (said, _) = messages(&request, &Delimiter::new([0; 16]));
    let own: usize = said.iter().map(|message| message.text.len()).sum();
    // As `tokens_estimate` reckons: three bytes for a token.
    let bytes = context_tokens.saturating_sub(request.reply_tokens_max as usize).saturating_mul(3);
    bytes.saturating_sub(own)
}

/// A passage that takes at most so much, and how many bytes of the text it leaves out.
pub(super) fn passage(label: &'static str, text: &str, bytes_max: usize) -> (Passage, usize) {
    let shown = pieces::beginning(text, bytes_max.saturating_sub(PASSAGE_BYTES));
    (Passage { label, text: shown.to_owned() }, text.len() - shown.len())
}

/// What a contract item is, named as the seed names its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemKind {
    /// What the whole is for.
    CoreIntent,
    /// What is wrong today.
    PrimaryProblem,
    /// What is to be made.
    ProposedSolution,
    /// What is not to be attempted.
    NonGoal,
    /// A limit, ban or requirement.
    Constraint,
    /// Who or what takes part.
    Entity(EntityRole),
    /// A wish that may be left out.
    OptionalFeature,
    /// What the prompt says it does not know.
    Uncertainty,
    /// How success is told.
    SuccessMetric,
}

impl ItemKind {
    /// The field of the contract that it stands in.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            Self::CoreIntent => "core_intent",
            Self::PrimaryProblem => "primary_problem",
            Self::ProposedSolution => "proposed_solution",
            Self::NonGoal => "non_goals",
            Self::Constraint => "constraints",
            Self::Entity(_) => "core_entities",
            Self::OptionalFeature => "optional_features",
            Self::Uncertainty => "uncertainties",
            Self::SuccessMetric => "success_metrics",
        }
    }
}

/// The items of a reply; what is empty or `not specified` is none.
pub(super) fn items(record: &steadfast_dialogue::Record) -> Vec<ProposedItem> {
    let mut items = Vec::new();
    let mut add = |kind: ItemKind, text: &str| {
        let text = text.trim();
        if !text.is_empty() && !text.eq_ignore_ascii_case(NOT_SPECIFIED) {
            items.push(ProposedItem { kind, text: text.to_owned() });
        }
    };
    for kind in [ItemKind::CoreIntent, ItemKind::PrimaryProblem, ItemKind::ProposedSolution] {
        add(kind, record.text(kind.field()));
    }
    for kind in [
        ItemKind::NonGoal,
        ItemKind::Constraint,
        ItemKind::OptionalFeature,
        ItemKind::Uncertainty,
        ItemKind::SuccessMetric,
    ] {
        for text in record.texts(kind.field()) {
            add(kind, text);
        }
    }
    for entity in record.records("core_entities") {
        let role = match entity.text("role") {
            "buyer" => EntityRole::Buyer,
            "user" => EntityRole::User,
            "customer" => EntityRole::Customer,
            "operator" => EntityRole::Operator,
            "regulator" => EntityRole::Regulator,
            "partner" => EntityRole::Partner,
            _ => EntityRole::Place,
        };
        add(ItemKind::Entity(role), entity.text("name"));
    }
    items
}

/// The incidents of a reply that was asked for a piece.
pub(super) fn incidents(record: &steadfast_dialogue::Record, piece: usize) -> Vec<ProposedIncident> {
    record
        .records("drift_incidents")
        .iter()
        .map(|own| ProposedIncident {
            piece,
            drift_type: type_named(own.text("drift_type")),
            severity: level(own.integer("severity")),
            section: own.text("section").to_owned(),
            source_reference: own.text("source_reference").to_owned(),
            output_claim: own.text("output_claim").to_owned(),
            explanation: own.text("explanation").to_owned(),
        })
        .collect()
}

/// The totals of a reply.
pub(super) fn claimed(record: &steadfast_dialogue::Record) -> Claimed {
    let count = |name: &str| usize::try_from(record.integer(name)).unwrap_or_default();
    Claimed {
        dimensions: DIMENSIONS.map(|name| level(record.integer(name))),
        overall: record.number("overall_fidelity_score"),
        risk: record.text("overall_drift_risk").to_owned(),
        critical_drift: count("critical_drift_count"),
        unsupported_claim: count("unsupported_claim_count"),
        constraint_violation: count("constraint_violation_count"),
        confidence_inflation: count("confidence_inflation_count"),
        usable_as_is: record.flag("usable_as_is"),
        preserved_well: record.texts("verdict_preserved_well").to_vec(),
        major_failures: record.texts("verdict_major_failures").to_vec(),
        recommended_actions: record.texts("verdict_recommended_actions").to_vec(),
    }
}

fn level(number: i64) -> u8 {
    u8::try_from(number).unwrap_or_default()
}

fn type_named(name: &str) -> DriftType {
    match name {
        "TypeA" => DriftType::A,
        "TypeB" => DriftType::B,
        "TypeC" => DriftType::C,
        "TypeD" => DriftType::D,
        "TypeE" => DriftType::E,
        "TypeF" => DriftType::F,
        "TypeG" => DriftType::G,
        "TypeH" => DriftType::H,
        "TypeI" => DriftType::I,
        _ => DriftType::J,
    }
}

/// The name of a type, as models and results write it.
#[must_use]
pub const fn type_name(own: DriftType) -> &'static str {
    TYPES[own as usize]
}

/// Incidents as lines for the third call: the gravest first.
pub(super) fn listed(incidents: &[ProposedIncident]) -> String {
    let mut order: Vec<&ProposedIncident> = incidents.iter().collect();
    order.sort_by_key(|incident| std::cmp::Reverse(incident.severity));
    let mut lines = String::new();
    for (index, incident) in order.iter().enumerate() {
        let name = type_name(incident.drift_type);
        // Infallible: a string takes all that is written to it.
        let _ = writeln!(
            lines,
            "{}. {name}, severity {}, report: \"{}\", prompt: \"{}\": {}",
            index + 1,
            incident.severity,
            one_line(&incident.output_claim),
            one_line(&incident.source_reference),
            one_line(&incident.explanation),
        );
    }
    if lines.is_empty() { "none was found\n".to_owned() } else { lines }
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

// The names above stand in the order of the dimensions.
const _: () = assert!(Dimension::ALL.len() == DIMENSIONS.len());
