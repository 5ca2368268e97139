//! A request, read.

use std::ops::Range;

use steadfast_annotate::Strength;
use steadfast_evidence::{Obligation, Quote};
use steadfast_text::Span;

/// What a request says, and what it obliges to.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Its sentences, in order.
    pub statements: Vec<Statement>,
    /// Its figures, in order, each with its role.
    pub figures: Vec<Figure>,
    /// Its obligations, in the order of the words that they rest on.
    pub demands: Vec<Obligation<Demand>>,
    /// The day on which the request was made, where it says so ("Today's date: 2026-Mar-10"), with its place.
    pub today: Option<(jiff::civil::Date, Span)>,
}

/// One sentence of the request.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Index of its block in the request's document.
    pub block: usize,
    /// Where it stands in the block's plain text.
    pub range: Range<usize>,
    /// The sentence, without markup.
    pub text: String,
    /// The sentence as it stands in the file.
    pub quote: Quote,
    /// Title of the section that it stands in; empty for none.
    pub section: String,
    /// How strongly its main clause is said.
    pub strength: Strength,
}

/// What a figure is the figure of. A figure keeps its role: "begin within 3 months" is no phase of 3 months.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// All the money that there is.
    BudgetTotal,
    /// Money for a part, a phase or a year.
    BudgetPart,
    /// Money that is to come in or is aimed at: revenue, gross, price.
    Revenue,
    /// How long the whole takes.
    DurationTotal,
    /// How long a part takes.
    DurationPart,
    /// By when something must be done, from an event or a date.
    Deadline,
    /// How many there are of something.
    Count,
    /// A share or a rate.
    Rate,
    /// A goal to be reached, measured.
    Target,
    /// Anything else.
    Other,
}

/// One figure of the request.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Index into [`Request::statements`].
    pub statement: usize,
    /// The figure, with its range in the statement's text.
    pub quantity: steadfast_annotate::Quantity,
    /// What it is the figure of.
    pub role: Role,
    /// Stems of the words that say what it is the figure of (its noun phrase and label, no function words), sorted.
    pub subject: Vec<String>,
    /// Whether the request rejects it ("do not assume that 8 million is sufficient").
    pub denied: bool,
    /// The clause that states it, verbatim.
    pub quote: Quote,
}

/// Kinds of obligation that any request can state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Something that is not to be pursued.
    NonGoal,
    /// Something that has to hold.
    Constraint,
    /// A word or concept that is not to be used.
    Banned,
    /// Something that may be left out, or comes on top.
    Optional,
    /// Something that the request is not sure of.
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

/// What a demand asks, in a form that a check can hold an answer against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// These terms are not to be used; only where they are used in `context`, if the request says so
    /// ("validated (in the context of claiming a mature system)").
    Ban {
        /// The terms as written.
        terms: Vec<String>,
        /// The words of the context that the ban is limited to.
        context: Option<String>,
    },
    /// This is not to be done, built, assumed or pursued.
    Avoid {
        /// What, in the request's words ("consumer adoption rates as a primary KPI").
        what: String,
        /// Its content stems in order.
        stems: Vec<String>,
    },
    /// This has to be done or to hold.
    Require {
        /// What, in the request's words.
        what: String,
        /// Its content stems in order.
        stems: Vec<String>,
    },
    /// This figure is a bound or a given value; see its quantity's bound.
    Figure {
        /// Index into [`Request::figures`].
        figure: usize,
    },
    /// This comes on top, is left to choice or is deferred.
    Option {
        /// What, in the request's words.
        what: String,
        /// Its content stems in order.
        stems: Vec<String>,
        /// Until when or what it is put off ("until the pilot proves acceptable data quality").
        deferred_until: Option<String>,
    },
    /// The request hedges this claim.
    Hedge {
        /// The claim, in the request's words.
        what: String,
        /// Its content stems in order.
        stems: Vec<String>,
    },
    /// It has to be here.
    Locate {
        /// Names of the places.
        places: Vec<String>,
        /// Whether the request allows no other ("entirely", "only").
        only: bool,
    },
}

/// One thing that the request demands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demand {
    /// Its kind.
    pub kind: Kind,
    /// What it asks.
    pub rule: Rule,
    /// How strongly it is put: "must" more than "should", "should" more than "may".
    pub strength: Strength,
    /// Index into [`Request::statements`].
    pub statement: usize,
}
