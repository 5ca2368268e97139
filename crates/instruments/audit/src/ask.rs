//! The contract of a plan's prompt: what any request states, and what only a plan's prompt has.

mod plan;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use steadfast_annotate::{Pattern, Strength as Force, annotate_within, negations, stems, stems_once};
use steadfast_ask::{Demand, Kind as Asked, Request, Rule};
use steadfast_evidence::{Basis, FileId, Obligation, Origin, Polarity, Quote, Strength};
use steadfast_text::{Document, Span};

use crate::form;

/// Kinds of obligation in a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// What the whole is for.
    Intent,
    /// The problem that it is to solve.
    Problem,
    /// How it is to be solved.
    Solution,
    /// Something that is not to be pursued.
    NonGoal,
    /// Something that has to hold.
    Constraint,
    /// A word or concept that is not to be used.
    Banned,
    /// Who takes part.
    Entity(EntityRole),
    /// Something that may be left out, or comes on top.
    Optional,
    /// Something that the prompt is not sure of.
    Uncertainty,
    /// How success is measured.
    Metric,
    /// What may be spent.
    Budget,
    /// By when.
    Deadline,
    /// Where.
    Place,
}

impl Kind {
    /// What ids of obligations of this kind begin with: `constraint-2` is the second constraint of a prompt.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Intent => "intent",
            Self::Problem => "problem",
            Self::Solution => "solution",
            Self::NonGoal => "non_goal",
            Self::Constraint => "constraint",
            Self::Banned => "banned",
            Self::Entity(_) => "entity",
            Self::Optional => "optional",
            Self::Uncertainty => "uncertainty",
            Self::Metric => "metric",
            Self::Budget => "budget",
            Self::Deadline => "deadline",
            Self::Place => "place",
        }
    }
}

steadfast_evidence::vocabulary! {
    /// The part that a person or body plays in the ask; the keys of `core_entities`.
    EntityRole {
        /// Who pays.
        Buyer = "buyer", "buyer";
        /// Who uses it.
        User = "user", "user";
        /// Whom it is for.
        Customer = "customer", "customer";
        /// Who runs it.
        Operator = "operator", "operator";
        /// Who permits or supervises it.
        Regulator = "regulator", "regulator";
        /// Who works with the user.
        Partner = "partner", "partner";
        /// Where it stands.
        Place = "place", "place";
    }
}

/// What the prompt obliges to, with the words that say so.
#[derive(Clone, Debug, Default)]
pub struct Contract {
    /// What any request states.
    pub request: Request,
    /// All obligations, in the order of the words that they rest on. Those of the request come with their index in
    /// [`Request::demands`].
    pub obligations: Vec<ContractItem>,
    /// The prompt's own text, for looking up words.
    pub text: String,
    /// Stems of the content words of the prompt, sorted, each once.
    pub stems: Vec<String>,
    /// The prompt itself, to quote from.
    pub document: Option<Document>,
    /// What it hands in to be worked on ("Original: …"), which asks nothing.
    pub material: Vec<Span>,
    /// Its place in the list of sources.
    pub file: Option<FileId>,
    /// Where the customer's money comes from, as the prompt says: the sentences on funding, revenue, price.
    pub funding: Vec<Quote>,
    /// Who read it.
    pub by: Origin,
    /// Obligations that code reads in the prompt and a person's reading leaves out. They move nothing.
    pub disputed: Vec<ContractItem>,
}

/// One obligation of a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractItem {
    /// The obligation.
    pub obligation: Obligation<Kind>,
    /// How strongly the prompt puts it.
    pub strength: Strength,
    /// Whether it is to be done or left alone.
    pub polarity: Polarity,
    /// Its demand, by index into [`Request::demands`], if any request can state it.
    pub demand: Option<usize>,
    /// Content stems that a report that speaks of it would use, in order, each once.
    pub stems: Vec<String>,
    /// Its name within the contract.
    pub id: String,
    /// Who read it.
    pub by: Origin,
    /// The person who confirmed it, if one did.
    pub confirmed_by: Option<String>,
    /// Whether a reading that was handed in leaves it out or reads it otherwise.
    pub disputed: bool,
}

impl ContractItem {
    /// An obligation as code reads it; [`name_all`] gives it its name.
    fn new(
        obligation: Obligation<Kind>,
        strength: Strength,
        polarity: Polarity,
        demand: Option<usize>,
        stems: Vec<String>,
    ) -> Self {
        let (id, by, confirmed_by, disputed) = (String::new(), Origin::Code, None, false);
        Self { obligation, strength, polarity, demand, stems, id, by, confirmed_by, disputed }
    }

    /// An obligation that rests on `quote` alone.
    pub(crate) fn of_quote(kind: Kind, strength: Strength, polarity: Polarity, quote: Quote) -> Self {
        let stems = stems_once(quote.text());
        let text = quote.text().trim().to_owned();
        let obligation = Obligation::new(kind, text, Basis::Explicit, quote);
        Self::new(obligation, strength, polarity, None, stems)
    }
}

/// Puts obligations into the order of the words that they rest on.
pub(crate) fn sort(obligations: &mut [ContractItem]) {
    obligations.sort_by(|one, other| {
        let key = |item: &ContractItem| {
            let span = item.obligation.source().span();
            (span.start, span.end, item.obligation.kind, item.demand)
        };
        key(one).cmp(&key(other)).then_with(|| one.id.cmp(&other.id))
    });
}

/// Names the obligations that have no name: by their kind, and which of that kind they are. No name is given twice.
pub(crate) fn name_all(obligations: &mut [ContractItem]) {
    let mut taken: HashSet<String> = obligations.iter().map(|item| item.id.clone()).collect();
    let mut seen: HashMap<&'static str, usize> = HashMap::new();
    for item in obligations.iter_mut().filter(|item| item.id.is_empty()) {
        let kind = item.obligation.kind.name();
        let count = seen.entry(kind).or_default();
        item.id = loop {
            *count += 1;
            let id = format!("{kind}-{count}");
            if taken.insert(id.clone()) {
                break id;
            }
        };
    }
}

/// Reads the contract in `document`, which is file `file`; only `body` is the user's own text.
#[must_use]
pub fn read(file: FileId, document: &Document, body: Span) -> Contract {
    let request = steadfast_ask::read(file, &annotate_within(document, body));
    let (own, funding) = plan::read(file, document, &request);
    let intent = own.iter().find(|item| item.kind == Kind::Intent).map(|item| item.source().span());
    let material = material(document, body);
    let is_material = |span: Span| material.iter().any(|own| own.start <= span.start && span.start < own.end);
    let mut obligations: Vec<ContractItem> = Vec::new();
    for (index, demand) in request.demands.iter().enumerate() {
        let kind = kind_of(demand.kind.kind);
        let span = demand.source().span();
        if is_material(span) {
            continue;
        }
        // What the whole is for is no constraint on itself.
        if kind == Kind::Constraint
            && matches!(demand.kind.rule, Rule::Require { .. })
            && intent.is_some_and(|intent| intent.overlaps(span) && span.start <= intent.start + 16)
        {
            continue;
        }
        let obligation = Obligation::new(kind, demand.text.clone(), demand.basis, demand.source().clone());
        let (strength, polarity) = (strength_of(demand), polarity_of(&request, demand));
        obligations.push(ContractItem::new(obligation, strength, polarity, Some(index), stems_of(&request, demand)));
    }
    for obligation in own.into_iter().filter(|own| !is_material(own.source().span())) {
        // "Leave the roof leak out of it" is nothing to do, whatever place it has in the prompt.
        let is_banned = |item: &ContractItem| {
            item.polarity == Polarity::Not && item.obligation.source().span() == obligation.source().span()
        };
        if obligation.kind == Kind::Intent && obligations.iter().any(is_banned) {
            continue;
        }
        let stems = stems_once(obligation.source().text());
        // Who takes part and how it is to be solved is what the prompt describes; only its purpose is what it asks.
        let strength = if obligation.kind == Kind::Intent { Strength::Must } else { Strength::Should };
        let polarity = if obligation.kind == Kind::NonGoal { Polarity::Not } else { Polarity::Do };
        obligations.push(ContractItem::new(obligation, strength, polarity, None, stems));
    }
    for statement in &request.statements {
        let demands = form::demands_of(statement.quote.text());
        // "British spelling." has no verb, and asks all the same.
        let span = statement.quote.span();
        if !demands.is_empty()
            && !is_material(span)
            && !obligations.iter().any(|item| item.obligation.source().span().overlaps(span))
        {
            let rules_out = demands.iter().all(|(demand, _)| demand.rules_out());
            let polarity = if rules_out { Polarity::Not } else { Polarity::Do };
            obligations.push(ContractItem::of_quote(
                Kind::Constraint,
                Strength::Must,
                polarity,
                statement.quote.clone(),
            ));
        }
    }
    let mut obligations: Vec<ContractItem> =
        obligations.into_iter().flat_map(|item| parted(file, document, item)).collect();
    sort(&mut obligations);
    name_all(&mut obligations);
    let text = document.quote(body).to_owned();
    let mut stems = stems(&text);
    stems.sort_unstable();
    stems.dedup();
    let document = Some(document.clone());
    Contract { request, obligations, text, stems, document, material, file: Some(file), funding, ..Contract::default() }
}

/// An obligation without the forms that it asks for beside something else, and each of those by itself: "Write the public answer, 80 words at most" is two.
fn parted(file: FileId, document: &Document, item: ContractItem) -> Vec<ContractItem> {
    let source = item.obligation.source().clone();
    let form::Parts { rest, forms } = form::parts(source.text());
    if forms.is_empty() {
        return vec![item];
    }
    let cut = |range: Range<usize>| {
        Quote::cut(file, document, Span::new(source.span().start + range.start, source.span().start + range.end))
    };
    let of_form = |(range, rules_out): (Range<usize>, bool)| {
        let polarity = if rules_out { Polarity::Not } else { Polarity::Do };
        Some(ContractItem::of_quote(Kind::Constraint, item.strength, polarity, cut(range)?))
    };
    let mut out: Vec<ContractItem> = forms.into_iter().filter_map(of_form).collect();
    for (at, quote) in rest.into_iter().filter_map(cut).enumerate() {
        let kind = item.obligation.kind;
        let own = ContractItem::of_quote(kind, item.strength, item.polarity, quote);
        out.push(if at == 0 { ContractItem { demand: item.demand, ..own } } else { own });
    }
    out
}

/// What a prompt hands in to be worked on, behind "Original:" and the like: the rest of the line, or the lines below it up to an empty one. It asks
/// nothing. Where the prompt asks for no work on a text, nothing is handed in.
fn material(document: &Document, body: Span) -> Vec<Span> {
    static WORKED_ON: Pattern = Pattern::new(
        r"(?i)\b(?:re-?write|re-?word|re-?phrase|translate|shorten|edit|improve|adapt|convert|summari[sz]e|proofread|correct|revise|rework|update|polish|simplify)\b",
    );
    static LABEL: Pattern = Pattern::new(
        r"(?im)^[ \t>*_#-]*(?:(?:the|my|our|here is the|here['’]s the) )?(?:original|(?:original|current|existing|old|previous|source) (?:text|version|recipe|copy|draft|e-?mail|message|paragraph|wording|description|post|article))[ \t]*:[*_]*[ \t]*",
    );
    let text = document.quote(body);
    if !WORKED_ON.is_match(text) {
        return Vec::new();
    }
    let spans = LABEL.find_iter(text).map(|label| {
        let start = label.end();
        let rest = text.get(start..).unwrap_or_default();
        let line = rest.find('\n').unwrap_or(rest.len());
        let end = match rest[..line].trim().is_empty() {
            false => line,
            true => rest.get(line + 1..).and_then(|below| below.find("\n\n")).map_or(rest.len(), |at| line + 1 + at),
        };
        Span::new(body.start + label.start(), body.start + start + end)
    });
    spans.collect()
}

const fn kind_of(kind: Asked) -> Kind {
    match kind {
        Asked::NonGoal => Kind::NonGoal,
        Asked::Constraint => Kind::Constraint,
        Asked::Banned => Kind::Banned,
        Asked::Optional => Kind::Optional,
        Asked::Uncertainty => Kind::Uncertainty,
        Asked::Metric => Kind::Metric,
        Asked::Budget => Kind::Budget,
        Asked::Deadline => Kind::Deadline,
        Asked::Place => Kind::Place,
    }
}

/// How strongly a demand is put: "must" and an order bind, "should" is wanted, "may" is left to choice. What the prompt is not sure of
/// is wanted to stay so.
fn strength_of(demand: &Obligation<Demand>) -> Strength {
    match (demand.kind.kind, demand.kind.strength) {
        (Asked::Optional, _) => Strength::May,
        (Asked::Uncertainty, _) | (_, Force::Likely) => Strength::Should,
        (_, Force::Doubted | Force::Possible | Force::Tentative) => Strength::May,
        _ => Strength::Must,
    }
}

/// Whether a demand is to be done or left alone. A figure keeps the polarity of the clause that states it.
fn polarity_of(request: &Request, demand: &Obligation<Demand>) -> Polarity {
    let denied = match &demand.kind.rule {
        Rule::Ban { .. } | Rule::Avoid { .. } => true,
        Rule::Figure { figure } => request.figures.get(*figure).is_some_and(|figure| figure.denied),
        Rule::Require { what, .. } => starts_negated(what),
        Rule::Option { .. } | Rule::Hedge { .. } | Rule::Locate { .. } => false,
    };
    if denied { Polarity::Not } else { Polarity::Do }
}

/// Whether words open with what forbids them: "no new dependencies", "not later than" is none.
pub(crate) fn starts_negated(what: &str) -> bool {
    negations(what)
        .first()
        .is_some_and(|negation| negation.cue.start == 0 && negation.scope.end + 1 >= what.trim_end().len())
}

/// The stems that a report that speaks of a demand would use.
fn stems_of(request: &Request, demand: &Obligation<Demand>) -> Vec<String> {
    match &demand.kind.rule {
        Rule::Avoid { stems, .. }
        | Rule::Require { stems, .. }
        | Rule::Option { stems, .. }
        | Rule::Hedge { stems, .. } => stems.clone(),
        Rule::Figure { figure } => {
            request.figures.get(*figure).map(|figure| figure.subject.clone()).unwrap_or_default()
        }
        Rule::Ban { terms: named, .. } | Rule::Locate { places: named, .. } => {
            let mut seen = HashSet::new();
            named.iter().flat_map(|name| stems(name)).filter(|stem| seen.insert(stem.clone())).collect()
        }
    }
}

/// The contract as plain words of the prompt: the seed's `PromptContract`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainContract {
    /// What the whole is for.
    pub core_intent: Option<String>,
    /// The problem to be solved.
    pub primary_problem: Option<String>,
    /// How it is to be solved.
    pub proposed_solution: Option<String>,
    /// What is not to be pursued.
    pub non_goals: Vec<String>,
    /// What has to hold, bans included.
    pub constraints: Vec<String>,
    /// Who takes part, by role.
    pub core_entities: std::collections::BTreeMap<EntityRole, String>,
    /// What may be left out.
    pub optional_features: Vec<String>,
    /// What the prompt is not sure of.
    pub uncertainties: Vec<String>,
    /// How success is measured.
    pub success_metrics: Vec<String>,
}

impl Contract {
    /// The sentence of the prompt that an obligation is a part of; nothing where it is part of none.
    #[must_use]
    pub fn sentence_of(&self, item: &ContractItem) -> &str {
        let span = item.obligation.source().span();
        let around = self.request.statements.iter().find(|own| own.quote.span().contains(span));
        around.map_or("", |statement| statement.quote.text())
    }

    /// The words of the prompt at `span`.
    #[must_use]
    pub fn quote(&self, span: Span) -> Option<Quote> {
        Quote::cut(self.file?, self.document.as_ref()?, span)
    }

    /// The contract as plain words of the prompt.
    #[must_use]
    pub fn plain(&self) -> PlainContract {
        let words = |wanted: &dyn Fn(Kind) -> bool| -> Vec<String> {
            self.obligations
                .iter()
                .filter(|item| wanted(item.obligation.kind))
                .map(|item| item.obligation.source().text().to_owned())
                .collect()
        };
        let first = |wanted: Kind| words(&|kind| kind == wanted).into_iter().next();
        let mut core_entities = std::collections::BTreeMap::new();
        for item in &self.obligations {
            if let Kind::Entity(role) = item.obligation.kind {
                core_entities.entry(role).or_insert_with(|| item.obligation.source().text().to_owned());
            } else if item.obligation.kind == Kind::Place {
                let demand = item.demand.and_then(|demand| self.request.demands.get(demand));
                let named = match demand.map(|demand| &demand.kind.rule) {
                    Some(Rule::Locate { places, .. }) => places.join(", "),
                    _ => item.obligation.source().text().to_owned(),
                };
                core_entities.entry(EntityRole::Place).or_insert(named);
            }
        }
        PlainContract {
            core_intent: first(Kind::Intent),
            primary_problem: first(Kind::Problem),
            proposed_solution: first(Kind::Solution),
            non_goals: words(&|kind| kind == Kind::NonGoal),
            constraints: words(&|kind| {
                matches!(kind, Kind::Constraint | Kind::Banned | Kind::Budget | Kind::Deadline | Kind::Place)
            }),
            core_entities,
            optional_features: words(&|kind| kind == Kind::Optional),
            uncertainties: words(&|kind| kind == Kind::Uncertainty),
            success_metrics: words(&|kind| kind == Kind::Metric),
        }
    }
}
