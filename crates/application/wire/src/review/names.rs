//! The closed vocabularies of `review`, spelled as they are published.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::vocabulary::names;

names! {
    /// What to do with an output.
    Recommendation {
        /// Take it.
        Approve = "approve", "approve";
        /// Read it with care.
        Review = "review", "review";
        /// Send it back.
        RequestRevision = "request_revision", "request a revision";
    }
}

names! {
    /// How the house uses 🐛 and 🔒.
    Profile {
        /// As the task-evals document does: a bug, a vulnerability.
        Seed = "seed", "bugs and security items stand";
        /// As "fixed" and "addressed".
        Fixed = "fixed", "bugs and security items are mended";
    }
}

names! {
    /// What holds a recommendation at review.
    Cap {
        /// A 🔒 stands.
        OpenSecurity = "open_security", "a security item stands";
        /// A 🐛 stands.
        OpenBug = "open_bug", "a bug stands";
        /// An acceptance criterion is not met.
        CriterionUnmet = "criterion_unmet", "an acceptance criterion is not met";
        /// No item reports on an acceptance criterion.
        CriterionUnreported = "criterion_unreported", "no item reports on an acceptance criterion";
        /// Code finds a claim false.
        Contradiction = "contradiction", "a claim is false";
        /// What was done contradicts a claim.
        ClaimContradicted = "claim_contradicted", "what was done contradicts a claim";
        /// A call breaks what the user forbade or demanded.
        AskBroken = "ask_broken", "a call breaks what was asked";
        /// There is no score.
        NotEvaluable = "not_evaluable", "there is nothing to score";
    }
}

names! {
    /// What became of an acceptance criterion.
    CriterionStatus {
        /// An item says that it is met.
        Met = "met", "met";
        /// An item reports on it otherwise.
        Unmet = "unmet", "not met";
        /// No item reports on it.
        Unreported = "unreported", "not reported";
    }
}

names! {
    /// What found the item that reports on a criterion.
    Matcher {
        /// The criterion is the item, as a check-in lists it.
        Listed = "listed", "listed by the agent";
        /// Words that both share.
        Words = "words", "by words";
        /// An embedder.
        Embedder = "embedder", "by embedding";
        /// Somebody proposed it who understands both.
        Proposed = "proposed", "proposed";
    }
}

names! {
    /// What kind of claim is false.
    ContradictionKind {
        /// Terms do not make the stated sum.
        Sum = "sum", "sum";
        /// Factors do not make the stated product.
        Product = "product", "product";
        /// A row or column of a table does not make its total.
        TableTotal = "table_total", "total of a table";
        /// A percentage does not make the stated amount.
        Percentage = "percentage", "percentage";
        /// Two figures do not lie as far apart as stated.
        Difference = "difference", "difference";
        /// One quantity is stated otherwise in another place.
        Restated = "restated", "stated twice";
        /// The report says that its figures agree, and they do not.
        ConsistencyClaim = "consistency_claim", "claim of consistency";
        /// Sections are counted otherwise than stated.
        SectionCount = "section_count", "number of sections";
        /// A list has more or fewer items than its introduction says.
        ListCount = "list_count", "number of items";
        /// Acceptance criteria are met otherwise than stated.
        CriteriaCount = "criteria_count", "number of criteria met";
        /// Tests pass otherwise than stated.
        TestCount = "test_count", "number of tests";
        /// Other words of the output say otherwise, as somebody proposes.
        Quoted = "quoted", "contradicted by a quote";
    }
}

names! {
    /// What a claim of a report is about.
    ClaimKind {
        /// Tests pass, fail, or are so many.
        Tests = "tests", "tests";
        /// The build comes through.
        Build = "build", "build";
        /// A linter finds nothing.
        Lint = "lint", "linter";
        /// Types check.
        Types = "types", "type check";
        /// A file is created, changed or deleted.
        Files = "files", "files";
        /// So many lines or files are changed.
        Lines = "lines", "size of the change";
        /// Nothing that others use is broken.
        Breaking = "breaking", "breaking changes";
        /// Nothing is left to do in the code.
        Todos = "todos", "things left to do";
        /// Tests are written.
        AddedTests = "added_tests", "added tests";
        /// Something is committed, pushed or opened as a pull request.
        Pushed = "pushed", "commits and pushes";
        /// A figure was measured.
        Number = "number", "figure";
        /// What was asked for was added.
        Criteria = "criteria", "what was added";
        /// Something else, as somebody who understands the report reads it.
        Stated = "stated", "statement";
    }
}

names! {
    /// What became of a claim of a report.
    ClaimState {
        /// A call bears it out.
        Supported = "supported", "supported";
        /// A call says otherwise.
        Contradicted = "contradicted", "contradicted";
        /// A call seems to say otherwise; somebody who understands both has to say whether it does.
        Doubtful = "doubtful", "doubtful";
        /// No call speaks of it.
        Unsupported = "unsupported", "unsupported";
        /// Code cannot tell.
        NotCheckable = "not_checkable", "not checkable";
    }
}
