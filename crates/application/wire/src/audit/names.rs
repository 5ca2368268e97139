//! The closed vocabularies of an audit, spelled as they are published.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::vocabulary::names;

names! {
    /// The ten types of drift of the seed (its section 4).
    DriftType {
        /// More is done than was asked for.
        A = "TypeA", "Scope Expansion";
        /// A limit or requirement is weakened or broken.
        B = "TypeB", "Constraint Erosion";
        /// Something is stated as given that nobody gave.
        C = "TypeC", "Unsupported Invention";
        /// A claim is stronger than the ask allows.
        D = "TypeD", "Confidence Inflation";
        /// Somebody else pays, or for something else.
        E = "TypeE", "Business Model Drift";
        /// It is made for somebody else.
        F = "TypeF", "Customer Drift";
        /// The same end by another means than the one asked for.
        G = "TypeG", "Mechanism Drift";
        /// What was optional is made central, or the centre is buried.
        H = "TypeH", "Priority Drift";
        /// Legal, regulatory or certification standing that the ask does not give.
        I = "TypeI", "Governance/Regulatory Drift";
        /// Register or wording changes what is meant.
        J = "TypeJ", "Style-Induced Semantic Drift";
    }
}

impl DriftType {
    /// The letter alone, for narrow places.
    #[must_use]
    pub fn letter(self) -> &'static str {
        self.name().trim_start_matches("Type")
    }
}

names! {
    /// The ten dimensions of fidelity, in the order of the seed's `DimensionScores`.
    Dimension {
        /// Neither more nor less than was asked.
        Scope = "scope_fidelity", "Scope fidelity";
        /// Limits, bans and requirements are kept.
        Constraint = "constraint_fidelity", "Constraint fidelity";
        /// Claims are as strong as the ask makes them.
        ClaimStrength = "claim_strength_fidelity", "Claim strength";
        /// Facts stated as given were given.
        EvidenceGrounding = "evidence_grounding_fidelity", "Evidence grounding";
        /// Customers, buyers, places and names are those of the ask.
        Entity = "entity_fidelity", "Entity fidelity";
        /// The mechanism asked for is the mechanism planned.
        Causal = "causal_fidelity", "Causal fidelity";
        /// What was uncertain is still uncertain.
        Epistemic = "epistemic_fidelity", "Epistemic fidelity";
        /// What is said to come from the ask does.
        SourceTrace = "source_trace_fidelity", "Source trace";
        /// What mattered most still does.
        StructuralPriority = "structural_priority_fidelity", "Structural priority";
        /// The register of the ask is kept.
        LanguagePosture = "language_posture_fidelity", "Language posture";
    }
}

names! {
    /// Overall risk, by the seed's rule.
    Risk {
        /// Score of at least 3.5.
        Low = "low", "low";
        /// Score below 3.5.
        Medium = "medium", "medium";
        /// Score below 2.5.
        High = "high", "high";
        /// Any incident of severity 4.
        Critical = "critical", "critical";
    }
}

names! {
    /// What an obligation obliges to.
    ObligationKind {
        /// What the whole is for.
        Intent = "intent", "Intent";
        /// What is wrong today.
        Problem = "problem", "Problem";
        /// What is to be made.
        Solution = "solution", "Solution";
        /// What is not to be attempted.
        NonGoal = "non_goal", "Non-goal";
        /// A limit or requirement.
        Constraint = "constraint", "Constraint";
        /// A word or concept that must not be used.
        Banned = "banned", "Banned";
        /// Who buys, uses, runs, regulates.
        Entity = "entity", "Entity";
        /// A wish that may be left out.
        Optional = "optional", "Optional";
        /// What the ask says it does not know.
        Uncertainty = "uncertainty", "Uncertainty";
        /// How success is told.
        Metric = "metric", "Metric";
        /// Money.
        Budget = "budget", "Budget";
        /// A date or a length of time.
        Deadline = "deadline", "Deadline";
        /// Where.
        Place = "place", "Place";
    }
}

names! {
    /// Whether the ask says it in so many words.
    Basis {
        /// The quoted words state it.
        Explicit = "explicit", "stated";
        /// It follows from the quoted words.
        Implied = "implied", "implied";
    }
}

names! {
    /// What became of an obligation, worst first.
    Status {
        /// The answer breaks it.
        Broken = "broken", "Broken";
        /// The answer takes it up with less force than the ask.
        Weakened = "weakened", "Weakened";
        /// Few of its words stand in the answer, or none; it may be said in others.
        Unmentioned = "unmentioned", "Unmentioned";
        /// Something in the answer comes near it, and it is not decided whether that keeps or breaks it.
        Unclear = "unclear", "Unclear";
        /// Nothing in the answer was found against what the ask forbids. That it is kept is not said.
        NothingFound = "nothing_found", "Nothing found against it";
        /// It could not be judged.
        NotAssessed = "not_assessed", "Not assessed";
        /// Words of the answer keep it.
        Kept = "kept", "Kept";
    }
}

names! {
    /// How strongly the ask puts an obligation.
    Strength {
        /// It has to hold.
        Must = "must", "must";
        /// It is wanted, and may give way.
        Should = "should", "should";
        /// It comes on top, or is left to choice.
        May = "may", "may";
    }
}

names! {
    /// Whether the ask wants something done or left alone.
    Polarity {
        /// It is to be done, or to hold.
        Do = "do", "do";
        /// It is not to be done, or not to be used.
        Not = "not", "do not";
    }
}

names! {
    /// How a passage of the answer was found.
    FoundBy {
        /// It shares words with the obligation.
        Words = "words", "by its words";
        /// It has a figure, an amount or a date of the same kind.
        Anchor = "anchor", "by a figure of the same kind";
        /// Its vector is near that of the obligation.
        Vector = "vector", "by its meaning";
    }
}

names! {
    /// Why an answer is usable as it is, or not.
    UsableBecause {
        /// Enough was judged, and nothing stands against it.
        Ok = "ok", "enough was assessed, and nothing stands against it";
        /// It is disqualified, its risk is high, or something that must be kept is broken, weakened or missing.
        Broken = "broken", "something is broken or missing";
        /// Nothing stands against it, and too little of what must be kept was judged to say that it is usable.
        TooLittleAssessed = "too_little_assessed", "too little was assessed";
    }
}

impl UsableBecause {
    /// The verdict in words: "not usable as it is: too little was assessed".
    #[must_use]
    pub fn verdict(self) -> String {
        match self {
            Self::Ok => "usable as it is".to_owned(),
            because => format!("not usable as it is: {}", because.label()),
        }
    }
}

names! {
    /// In what voice a passage of the answer speaks.
    Voice {
        /// Stated.
        Asserted = "asserted", "asserted";
        /// An option that was chosen.
        Chosen = "chosen", "chosen";
        /// Proposed as the plan's own.
        Proposed = "proposed", "proposed";
        /// An option that was weighed and left.
        OptionNotChosen = "option_not_chosen", "option not chosen";
        /// A question.
        Question = "question", "question";
        /// Criticism of the plan or the ask.
        Criticism = "criticism", "criticism";
        /// An example that is imagined.
        ImaginedExample = "imagined_example", "imagined example";
        /// About other projects.
        OtherProject = "other_project", "about other projects";
        /// A document that is still to be made.
        FutureDocument = "future_document", "document still to be made";
    }
}

names! {
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

names! {
    /// Why an answer is not usable as it is, whatever its score.
    Disqualification {
        /// A banned term or concept is used again.
        BannedConcept = "banned_concept_reintroduced", "A banned concept is used";
        /// A non-goal is pursued.
        NonGoal = "non_goal_violated", "A non-goal is pursued";
        /// The target customer is another one.
        Customer = "customer_changed", "The target customer changed";
        /// The business model is another one.
        BusinessModel = "business_model_changed", "The business model changed";
        /// Three or more unsupported numerical claims of severity 3 or 4.
        NumericalClaims = "unsupported_numerical_claims", "Several severe numerical claims are unsupported";
        /// Regulatory standing is claimed that the ask does not give.
        RegulatoryPosture = "regulatory_posture_misrepresented", "The regulatory posture is misrepresented";
    }
}

names! {
    /// Who judged.
    Judge {
        /// Rules alone.
        Rules = "rules", "rules";
        /// Rules, and a chat model for what they leave open.
        Both = "both", "rules, and a chat model for what they leave open";
    }
}

names! {
    /// What a source was read as.
    Role {
        /// The user's own words.
        Ask = "ask", "ask";
        /// What an agent made.
        Answer = "answer", "report";
        /// What the user gave beside the ask.
        Context = "context", "context";
    }
}
