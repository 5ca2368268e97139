//! The constants that verdicts depend on, and where each comes from: a set that it was fitted on, the document that gives it, or nowhere.

use steadfast_grounding::{Form, Model};
use steadfast_pick::operating_point::{OperatingPoint, Points};
use steadfast_render::measure::Constant;
use steadfast_review::verdict::{APPROVE_SCORE_MIN, THRESHOLD_DEFAULT};
use steadfast_watch::alert::{FALSE_ALARM_RATE_MAX, HYSTERESIS, PERSISTENCE_STEPS, WINDOW_STEPS};
use steadfast_watch::onset;

/// Nobody fitted it.
const UNCALIBRATED: &str = "**uncalibrated**";
/// The document that the instrument follows says it.
const GIVEN: &str = "given by the document that the instrument follows";

/// Those of a detector.
pub(super) fn of(detector: &str) -> Vec<Constant> {
    let all = match detector {
        "audit" => audit(),
        "plan" => vec![
            ("the pass rule: hard constraints, three to seven items, coverage, timebox".to_owned(), GIVEN.to_owned()),
            (
                "the share of a task's words that an item must have to carry it out".to_owned(),
                format!("{UNCALIBRATED}: more than half"),
            ),
            ("waking hours, by which a clock time with two readings is settled".to_owned(), "a setting".to_owned()),
        ],
        "time expressions" => {
            vec![(
                "nothing: an expression is read by rules, and all of its readings are kept".to_owned(),
                "–".to_owned(),
            )]
        }
        "watch" => watch(),
        "review" => vec![
            (
                format!(
                    "the scores from which an output is to be read ({THRESHOLD_DEFAULT}) and approved ({APPROVE_SCORE_MIN})"
                ),
                GIVEN.to_owned(),
            ),
            ("weights of signs".to_owned(), GIVEN.to_owned()),
        ],
        "pick" => pick(),
        "support score" => support(),
        "forms" => {
            vec![("nothing: a demand is read by rules, and an answer has the form or not".to_owned(), "–".to_owned())]
        }
        _ => Vec::new(),
    };
    all.into_iter().map(|(what, from)| Constant { what, from }).collect()
}

type Rows = Vec<(String, String)>;

fn audit() -> Rows {
    vec![
        ("weights of the ten dimensions, the limits of risk, what disqualifies a report".to_owned(), GIVEN.to_owned()),
        (
            "the load of an incident by severity, the load that halves a score, how much a long report or a long prompt is allowed more".to_owned(),
            UNCALIBRATED.to_owned(),
        ),
        (
            "a check's confidence, which weighs in the score".to_owned(),
            "how often a reader agreed with that check; no labelled set".to_owned(),
        ),
        ("the share of an obligation's words that a claim must use to keep it".to_owned(), UNCALIBRATED.to_owned()),
        ("the share of a clause's words that a claim must have to break a bound in it".to_owned(), UNCALIBRATED.to_owned()),
        (
            "the coefficients by which a detail of the report counts as another one than the prompt's, and the probability from which on it does (.8)".to_owned(),
            "fitted on the tuned parts of `pairs`, `everyday` and `short`, the probability by what is right between .7 and .8 on labelled reports".to_owned(),
        ),
        ("rules and word lists".to_owned(), "written by hand".to_owned()),
    ]
}

fn watch() -> Rows {
    vec![
        ("the thresholds of intent replay, .8 and .6".to_owned(), GIVEN.to_owned()),
        (
            "the same for the lexical embedder, .58 and .38".to_owned(),
            "fitted to MiniLM's decisions on pairs of four sets".to_owned(),
        ),
        (
            format!("the level of an onset ({})", onset::LEVEL),
            "a test of the run's own scores by shuffles; `goal_drift` `onset_shuffles` holds it".to_owned(),
        ),
        (
            format!("an alert on raw scores: {PERSISTENCE_STEPS} of {WINDOW_STEPS} steps, hysteresis {HYSTERESIS}"),
            format!(
                "{UNCALIBRATED}; with `--baseline` its threshold is fitted on your runs to at most {FALSE_ALARM_RATE_MAX} false alarms"
            ),
        ),
        ("the goal distance: the mean of three cosines".to_owned(), "nothing in it is fitted".to_owned()),
    ]
}

fn pick() -> Rows {
    let points = Points::fitted();
    let told = |point: &Option<OperatingPoint>| {
        point.as_ref().map_or_else(
            || "none".to_owned(),
            |it| format!("{}, {}, {}, {}", it.t_ambiguity, it.t_single, it.t_chain, it.delta),
        )
    };
    vec![
        (
            format!(
                "`t_ambiguity`, `t_single`, `t_chain`, `delta`: {} with vectors, {} by words alone",
                told(&points.vectors),
                told(&points.words)
            ),
            "fitted on `prompt_vaults`, `in3`, `taskbench` and every second task of `pick_tasks`, cross-validated".to_owned(),
        ),
        ("confidence".to_owned(), "isotonic regression on the same".to_owned()),
        ("weights of a prompt's and a chain's score".to_owned(), GIVEN.to_owned()),
        ("parameters of the search".to_owned(), "chosen with all rows of `prompt_vaults` in view".to_owned()),
        (
            "weights of metadata, what is redundant, what is a handover, how much of an input must be settled, which fit a prompt must have for a stage".to_owned(),
            UNCALIBRATED.to_owned(),
        ),
    ]
}

fn support() -> Rows {
    let model = Model::shipped(Form::Lexical);
    let mut rows = vec![
        (
            format!(
                "{} coefficients of words alone, and as many and those of vectors for `minilm`",
                model.coefficients.len()
            ),
            format!("fitted on the tuning halves of {}", names(&model.sets)),
        ),
        (
            "the lists of words that stand for each other or contradict each other".to_owned(),
            "written by hand".to_owned(),
        ),
    ];
    rows.extend(model.thresholds.iter().map(|own| {
        (
            format!("the threshold for questions like those of `{}`: {:.3}", own.set, own.score),
            format!("fitted on the tuning half of `{}`", own.set),
        )
    }));
    rows
}

fn names(sets: &[String]) -> String {
    sets.iter().map(|set| format!("`{set}`")).collect::<Vec<_>>().join(", ")
}
