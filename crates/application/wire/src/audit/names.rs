//! The closed vocabularies of an audit, spelled as they are published.

use crate::vocabulary::names;

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
