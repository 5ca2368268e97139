//! The definitions.

/// A figure or word, and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    /// Its anchor on the page: lower-case letters and `-`.
    pub(crate) id: &'static str,
    /// As pages label it.
    pub(crate) label: &'static str,
    /// What it means, in sentences.
    pub(crate) text: &'static str,
    /// How it is computed; empty where there is no formula.
    pub(crate) formula: &'static str,
}

/// The definitions of one part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) id: &'static str,
    pub(crate) label: &'static str,
    pub(crate) terms: &'static [Term],
}

const fn term(id: &'static str, label: &'static str, text: &'static str) -> Term {
    Term { id, label, text, formula: "" }
}

const fn formula(id: &'static str, label: &'static str, text: &'static str, formula: &'static str) -> Term {
    Term { id, label, text, formula }
}

/// All definitions, by part.
pub(crate) const TERMS: &[Group] = &[
    Group {
        id: "all",
        label: "All instruments",
        terms: &[
            term(
                "run",
                "Run",
                "One call of an instrument, kept with its result, its settings and the hashes of its inputs. Ids are UUIDv7, so they sort by the time at which runs began.",
            ),
            term(
                "verdict",
                "Verdict",
                "What came of a run, in a word: the risk of an audit, the status of a plan, the alerts of a watch, the recommendation of a review, the mode of a pick. It is a function of findings, computed by code.",
            ),
            term(
                "exit-status",
                "Exit status",
                "0 passed, 1 a gate failed, 2 usage or configuration, 3 not evaluable, 4 a model, the store or an exporter failed: the same as at the command line.",
            ),
            term(
                "attention",
                "Needs attention",
                "Runs whose verdict asks somebody to look: an audit of high or critical risk, a plan that was rejected or a check that failed, a watch with alerts, a review that holds an output back, anything that could not be evaluated.",
            ),
            formula(
                "broken-runs",
                "Runs with a broken hard obligation",
                "Of the runs of a week that could break one, those that did. Broken is: in an audit an obligation that is stated and binds, and is broken; in a plan or its check a hard finding; in a review a criterion that is not met; in a trajectory, stored or under way, a ban that an output breaks.",
                "share = broken ÷ runs",
            ),
            term(
                "not-evaluable",
                "Not evaluable",
                "There was nothing to judge. It is never a pass and never a number.",
            ),
            term(
                "duration",
                "Duration",
                "Milliseconds from the beginning of the run to the moment before it was stored.",
            ),
            term(
                "input-hash",
                "Input hash",
                "The SHA-256 of the lines that sha256sum writes of all inputs: equal inputs have equal hashes.",
            ),
            term(
                "span",
                "Span",
                "A place in a file, in bytes of the file as it was given. Every quote was looked up by code and stands there word for word.",
            ),
            term(
                "obligation",
                "Obligation",
                "Something that the ask requires, with the words of the ask that say so. Without such words there is no obligation.",
            ),
            term(
                "model-view",
                "A model's view",
                "What a chat model proposed of a plan or of a task, and code could locate. It stands beside the result and moves nothing in it.",
            ),
            term(
                "set-aside",
                "Set aside",
                "What somebody proposed and code could not locate, or refutes, with the reason. It counts nowhere.",
            ),
        ],
    },
    Group {
        id: "audit",
        label: "Audit",
        terms: &[
            formula(
                "fidelity",
                "Fidelity score",
                "How faithful the report is to the prompt, 0 to 5: the weighted sum of ten dimensions. A dimension that the prompt gives nothing to judge by takes the mean of the others.",
                "constraint .20 + scope .15 + evidence .15 + cause .10 + entity .10 + epistemic .10 + structure .08 + claim strength .05 + source trace .04 + language .03",
            ),
            formula(
                "dimension",
                "Dimension score",
                "One of ten sides of fidelity, a whole number from 0 (failed) to 5 (excellent). n/a where the prompt gave nothing to judge it by.",
                "5 · 2^(−L / (3 · d)), rounded; L is the load of its incidents, d grows with the length of report and prompt",
            ),
            term(
                "risk",
                "Drift risk",
                "Critical with any incident of severity 4; else high below a score of 2.5, medium below 3.5, low from there on.",
            ),
            formula(
                "assessed",
                "Assessed",
                "How many obligations were judged. Score, risk and usability speak of these alone.",
                "kept, broken and weakened ones; what must be kept and nothing in the report comes near; and bans for whose very words the whole report was searched",
            ),
            term(
                "usable",
                "Usable as is",
                "Yes if the risk is low or medium, nothing disqualifies the report, nothing that must be kept is broken, weakened or missing, and at least 60 % of what must be kept was assessed.",
            ),
            term(
                "disqualifier",
                "Disqualifier",
                "Why a report is not usable whatever its score: a banned term used, a non-goal pursued, another customer, another business model, three or more unsupported numbers of severity 3, a regulatory posture misrepresented.",
            ),
            term(
                "incident",
                "Incident",
                "One place where the report departs from the prompt. Repetitions of one fault are one incident; the other places are listed under it.",
            ),
            formula(
                "severity",
                "Severity",
                "4 critical, 3 major, 2 moderate, 1 minor, 0 none. It sets the load of an incident.",
                "loads 0, 0.5, 1.5, 3, 5 for severities 0 to 4, times confidence",
            ),
            term(
                "confidence",
                "Confidence",
                "How often a reader agreed with the check that found the incident, 0 to 1. It weighs in the score.",
            ),
            term(
                "drift-type",
                "Type of drift",
                "A scope expansion, B constraint erosion, C unsupported invention, D confidence inflation, E business model, F customer, G mechanism, H priority, I governance, J style.",
            ),
            term(
                "voice",
                "Voice",
                "How a passage of the report speaks. Only what is asserted, chosen or proposed can drift; a question, an option that was left, criticism or an imagined example cannot.",
            ),
            term("kept", "Kept", "Words of the report say so, in other words than a copy of the prompt."),
            term("broken", "Broken", "An incident breaks the obligation."),
            term(
                "weakened",
                "Weakened",
                "The report takes the obligation up with less force than the prompt gives it.",
            ),
            term("missing", "Missing", "The obligation must be kept, and none of its words stands in the report."),
            term(
                "unclear",
                "Unclear",
                "Something in the report comes near the obligation, and rules cannot tell whether that keeps or breaks it. The nearest passages stand beside it.",
            ),
            term(
                "nothing-found",
                "Nothing found against it",
                "The obligation forbids something, and nothing was found against it. That it is kept is not said.",
            ),
            term(
                "unmentioned",
                "Not mentioned",
                "Nothing in the report comes near the obligation, and it need not be kept. This is no incident by itself.",
            ),
            term(
                "not-assessed",
                "Not assessed",
                "The obligation could not be judged, for instance because it is in another language.",
            ),
            term(
                "absent",
                "Absent",
                "The fault is that something is missing: what was searched is named, with the nearest passage.",
            ),
            term(
                "decision",
                "Decision",
                "What somebody said of an incident: accepted as drift, or contested, with a reason. It belongs to the finding's fingerprint, so it is found again in later runs. It changes no verdict.",
            ),
        ],
    },
    Group {
        id: "plan",
        label: "Plan",
        terms: &[
            term(
                "plan-status",
                "Status",
                "Recommended or rejected. Rejected is a plan that fails validation, and a day into which it is proved that not everything fits.",
            ),
            term(
                "validation",
                "Validation",
                "Passes if no constraint is certainly broken, nothing is invented, no more is planned than the stated time, and at least seven tenths of the tasks are in the plan.",
            ),
            term("feasible", "Feasible", "Whether everything fits into the day; unknown where neither was proved."),
            term(
                "constraint",
                "Constraint",
                "What the notes say of times, order, people or places, with their words. Hard ones must hold; wishes may be left.",
            ),
            formula(
                "coverage",
                "Context coverage",
                "The share of the notes' tasks that the plan carries out. n/a where the notes hold no task.",
                "tasks in the plan / tasks in the notes",
            ),
            term(
                "time-overflow",
                "Time overflow",
                "Minutes that are planned beyond those that the notes state as available.",
            ),
            term(
                "hallucinations",
                "Hallucination flags",
                "Names, meetings or deadlines of the plan that the notes do not hold.",
            ),
            term(
                "plan-confidence",
                "Confidence of a plan",
                "Low if a question stands, high if a fifth of the free time is left and every task is in the plan, else medium. It decides nothing.",
            ),
            term(
                "overload",
                "Overload",
                "The proof that not everything fits: minutes needed against minutes free between two points in time.",
            ),
            term(
                "variant",
                "Variant",
                "How a plan is made: v1 the first tasks in order, v2 the planner, v3 the same and rejected where validation fails, v4 with one repair.",
            ),
            term(
                "time-available",
                "Minutes available",
                "Minutes that the notes leave free between the first and the last moment that they name; 0 where they state none or leave none.",
            ),
            term("time-planned", "Minutes planned", "The sum of all timeboxes of the plan."),
            term(
                "human-feasibility",
                "Human feasibility flags",
                "Advice that fails no plan: no break, a day without slack, a timebox that is very short.",
            ),
            term(
                "questions",
                "Questions",
                "What must be asked because the notes can be read in two ways and the plans would differ.",
            ),
        ],
    },
    Group {
        id: "watch",
        label: "Watch",
        terms: &[
            formula(
                "ids",
                "Intent Drift Score (IDS)",
                "How far an output is from the goal in force, 0 to 1. Both empty is 0, one empty 1; an absent output has no score.",
                "clamp(1 − cos(output, goal), 0, 1)",
            ),
            formula(
                "goal-distance",
                "Goal distance",
                "Distance of an output from the goal, 0 to 1. The onset rests on it.",
                "clamp(1 − (W + S + T) / 3, 0, 1): cosine of the wholes, mean cosine of sentences, cosine of stems",
            ),
            formula(
                "mean-ids",
                "Mean IDS",
                "Mean of the IDS of all steps but the first.",
                "Σ ids / steps with a score",
            ),
            term("max-ids", "Max IDS", "The highest IDS of all steps but the first."),
            term("anchor-ids", "Anchor IDS", "IDS against the initial intent, whatever the goal became since."),
            term(
                "goal-shift",
                "Goal shift",
                "IDS of the initial intent and the last goal: how far the user moved the goal.",
            ),
            term(
                "update-type",
                "Update of the goal",
                "Refinement keeps the goal; a major shift or a high drift risk makes the instruction the goal. Only instructions move it, never an output.",
            ),
            term(
                "live",
                "Live trajectory",
                "An agent's run that is posted step by step while it goes on. A step is kept at once; its scores may come a moment later.",
            ),
            term(
                "onset",
                "Onset",
                "The first step of a sustained change to higher goal distances (maximally selected Wilcoxon statistic, p ≤ .045, at least six steps with text).",
            ),
            term(
                "alert",
                "Alert",
                "A stretch of steps above a threshold: it opens where three of five steps reach it and closes where three in a row lie .05 below.",
            ),
            term(
                "alert-rule",
                "Rule of alerts",
                "A figure with a bound, in the settings of the server. It fires for an agent once so many of the last values are beyond the bound, and is over \
                 once as many as it says are within.",
            ),
            term("echo", "Echo", "The share of an output, in runs of five words, that repeats the instruction."),
            term("broken-ban", "Broken ban", "A term that the intent or the instruction bans and the output uses."),
            formula(
                "delta",
                "Delta",
                "Difference of two arms on one task, below 0 where B drifts less.",
                "mean IDS of B − mean IDS of A",
            ),
            term(
                "paired-t",
                "Paired t test",
                "Whether the mean of the deltas differs from 0, as scipy computes it; n − 1 degrees of freedom.",
            ),
            term("wilcoxon", "Wilcoxon signed-rank test", "The same by ranks, without assuming a normal distribution."),
            formula(
                "cohens-d",
                "Cohen's d",
                "The size of the difference in standard deviations of the deltas.",
                "mean(delta) / sd(delta)",
            ),
            term("bootstrap-ci", "95 % interval", "Percentile bootstrap of 10,000 resamples with a fixed seed."),
            term(
                "embedder",
                "Embedder",
                "What makes vectors of texts: minilm (all-MiniLM-L6-v2, the measure that the thresholds belong to) or lexical (hashed stems, needs no model). Scores of different embedders are never compared.",
            ),
            term(
                "aggregate",
                "Of a long output",
                "What of an output is compared with the goal: the whole, the sentence that is most like it, or the mean over stretches that the embedder reads whole.",
            ),
        ],
    },
    Group {
        id: "review",
        label: "Review",
        terms: &[
            formula(
                "review-score",
                "Review score",
                "From 0 to 1, over the n items that an output reports of itself. Without items there is no score.",
                "(sum of weights + n) / 2n",
            ),
            term(
                "recommendation",
                "Recommendation",
                "Approve from 0.8 on, review from the threshold on, else request revision. Never better than review while a bug or a security item stands, a criterion is not met, or a claim is false.",
            ),
            term(
                "session",
                "Session",
                "The log of what an agent did: what the user typed, what the agent said, its calls of tools and how they ended.",
            ),
            term(
                "session-verdict",
                "Code says",
                "The gravest thing that code says of a session: a claim that a call contradicts, a call that breaks what the user said, what is doubtful, a claim of which no call speaks, claims that are borne out; open where it says nothing. Open is no approval.",
            ),
            term(
                "threshold",
                "Threshold",
                "The score below which an output is held back; 0.6 unless another is given.",
            ),
            term(
                "capped",
                "Capped by",
                "The reasons for which the recommendation cannot be better, whatever the score.",
            ),
            term(
                "contradiction",
                "Contradiction",
                "A claim whose figure was computed again and is another: what is stated, what was computed, and where.",
            ),
            term(
                "criterion",
                "Acceptance criterion",
                "Met, unmet, or unreported: no item of the output says so in like words.",
            ),
            term("tokens", "Tokens", "An estimate: characters by four."),
            formula(
                "item-weight",
                "Weight of an item",
                "What an item adds to the score by its sign. With the profile “fixed” a bug and a vulnerability weigh as much to the other side.",
                "verified +1, improvement +0.5, refactor −0.2, to do and clarification −0.3, pitfall −0.4, edge case −0.5, bug −0.8, security −1",
            ),
            term(
                "review-dimension",
                "Dimension of a review",
                "Correctness, security, completeness, style: the review score over the items of that side alone; n/a where an output has none.",
            ),
            term(
                "flag",
                "Good, bad, unsure",
                "What somebody said of a task, with tags. It holds for every output that the task has then; the last word counts.",
            ),
            term(
                "training-candidate",
                "Candidate for training",
                "An output of a task that was said to be a good or a bad example, until somebody is unsure of it.",
            ),
        ],
    },
    Group {
        id: "pick",
        label: "Pick and vault",
        terms: &[
            term("mode", "Mode", "One prompt, a chain of prompts, or a question that has to be answered first."),
            formula(
                "prompt-score",
                "Prompt score",
                "How well a prompt fits the task, 0 to 1.",
                ".35 meaning + .25 words + .15 metadata + .10 stage + .10 quality + .05 freshness − penalties",
            ),
            formula(
                "chain-score",
                "Chain score",
                "How well prompts in their order fit the task, 0 to 1.",
                ".45 mean prompt score + .25 coverage of stages + .15 transitions + .10 non-redundancy + .05 margin",
            ),
            term(
                "pick-confidence",
                "Confidence of a selection",
                "The score read off a curve that was fitted on labelled tasks: the share of selections of such a score that were right. What a chat model chose has none.",
            ),
            term(
                "operating-point",
                "Operating point",
                "The thresholds that decide between a prompt, a chain and a question. Each names the set that it was fitted on.",
            ),
            term("ambiguity", "Ambiguity", "How much of what a task of its kind needs is missing from it, 0 to 1."),
            term("quality", "Quality", "The mean of a Beta(2, 2) that feedback updates."),
            term("feedback", "Feedback", "Good or bad, said of what was picked. The last word on each prompt counts."),
            term("near-duplicate", "Near-duplicate", "A prompt that says nearly the same as another."),
            term("review-queue", "Review queue", "Prompts of which something was inferred that nobody has confirmed."),
            term(
                "stage",
                "Stage",
                "Clarify, plan, execute, verify, reflect: where in a piece of work a prompt serves, and in this order.",
            ),
            term(
                "dense-sim",
                "Meaning",
                "max(0, cosine) of the vectors of task and prompt; 0 where there are no vectors.",
            ),
            term("words-sim", "Words", "BM25 of the prompt for the task, divided by that of the best prompt, 0 to 1."),
            formula(
                "metadata-match",
                "Metadata",
                "How far intent, task type and domain of the prompt are those of the task; a field that is not known counts half.",
                "0.4 intent + 0.3 task type + 0.3 domain",
            ),
            term(
                "stage-fit",
                "Fit to the stage",
                "How well the prompt serves a stage, 0 to 1: 1 where its record says so, else by what its text is like.",
            ),
            formula(
                "freshness",
                "Freshness",
                "How new the prompt is at the day that is given; without a day no prompt is fresher than another.",
                "exp(−age in days / 365)",
            ),
            term(
                "penalties",
                "Penalties",
                "0.10 for an input that neither the task nor an earlier prompt gives, 0.10 for a near-duplicate of a better candidate.",
            ),
            term(
                "candidate-score",
                "Score of a candidate",
                "How well a prompt fits the task before chains are made of candidates, 0 to 1.",
            ),
            term(
                "workflow-coverage",
                "Stages served",
                "The share of the stages that the task needs which the chain serves.",
            ),
            formula(
                "transition-coherence",
                "How neighbours follow",
                "Whether neighbours of a chain stand in the order of the stages, and whether what one gives is like what the next takes; the mean over all neighbours.",
                "half stage order kept + half similarity of output to input",
            ),
            formula(
                "non-redundancy",
                "How little it repeats",
                "Whether prompts of the chain say the same.",
                "1 − mean over pairs of max(0, cosine − 0.5) / 0.5",
            ),
            formula(
                "confidence-margin",
                "Margin",
                "How much better the chosen prompts are than the next best.",
                "(best − second) / best",
            ),
            term(
                "share-good",
                "Share good",
                "Selections of which the last word on every prompt was good, over those of which anything was said, with the score interval of Wilson (1927) at 95 %.",
            ),
            term(
                "difference",
                "Difference of two operating points",
                "Share of good selections of the one less that of the other, with the hybrid score interval of Newcombe (1998, method 10) at 95 %. Where it holds 0 there is not enough to say which is better.",
            ),
            term("prompt", "Prompt", "A record of the vault: its text, and what is known of it."),
            term(
                "embedding",
                "With vectors",
                "Prompts that have a vector by the embedding model, so that they are found by meaning; the others are found by words.",
            ),
            term(
                "inferred",
                "Inferred",
                "A field that nobody gave. It was inferred from the text, with a confidence from 0 to 1; what you write into the record takes its place.",
            ),
        ],
    },
];
