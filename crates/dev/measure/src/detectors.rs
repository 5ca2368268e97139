//! What judges, which sets say how good it is, and what it is bad at, in words: the document of `measure` is made of this and of figures.
//!
//! A new set is named by one of [`DETECTORS`]; a test holds that. Words say no figure: figures stand in the tables beside them, and change.

mod constants;
mod seen;
mod versions;

pub use steadfast_render::measure::Detector;
pub use versions::versions;

use steadfast_render::measure::{About, markdown};
use steadfast_wire::measure::Measurement;

use crate::{lower_is_better, sets};

/// All of them.
pub const DETECTORS: &[Detector] = &[
    Detector {
        name: "audit",
        tells: "Does the report still say what the prompt asked for? An incident quotes the report, and the prompt where that is what it breaks.",
        sets: &["pairs", "everyday", "everyday_host", "everyday_chat", "everyday_alone", "short"],
        headlines: &[
            ("pairs", "recall"),
            ("pairs", "incidents_right"),
            ("pairs", "false_per_1000_words"),
            ("pairs", "kept_wrong"),
            ("pairs", "headline_auc"),
            ("everyday", "recall"),
            ("everyday", "false_per_1000_words"),
            ("everyday", "kept_wrong"),
            ("everyday", "usable/drifted"),
            ("everyday", "headline_auc"),
            ("short", "recall"),
            ("short", "false_per_1000_words"),
            ("short", "headline_auc"),
            ("everyday_host", "recall"),
            ("everyday_host", "false_per_1000_words"),
            ("everyday_host", "kept_wrong"),
            ("everyday_host", "headline_auc"),
            ("everyday_chat", "recall"),
            ("everyday_chat", "incidents_right"),
            ("everyday_chat", "false_per_1000_words"),
            ("everyday_alone", "recall"),
            ("everyday_alone", "incidents_right"),
            ("everyday_alone", "false_per_1000_words"),
        ],
        bad_at: &[
            "Drift told in other words than the ask's: \"a profile in which its loans are kept\" against \"do not keep a record\", \"machine\" for \"drill\".",
            "What needs knowledge of the world: \"the grill offers sausages\" against \"food must be vegetarian\".",
            "What leaves out the words that narrow a rule.",
            "A prompt in other function words (\"has to\" for \"must\"): here and there an obligation is judged otherwise.",
            "Asks of a few lines (`short`): of breaks by writers who did not know the program it finds about one in six on the part kept aside, and a third on the one that rules were tuned with.",
            "By itself it decides little: `everyday_host` has what becomes of the same requests where a capable model answers what rules leave open, a fresh one for each report, once, recorded. Another model will do otherwise.",
            "Planners' runs of many thousand words: no labelled set says how often an incident on one is wrong.",
            "English alone is read; a report in another language is not assessed, never faithful.",
        ],
        versions: &["rules"],
        more: "docs/audit.md",
    },
    Detector {
        name: "plan",
        tells: "Does a plan keep every constraint in the notes? The constraints are read from prose, and a plan is judged by what was read.",
        sets: &[
            "days",
            "days_plain",
            "days_wide",
            "days_host",
            "days_chat",
            "days_plain_chat",
            "days_wide_chat",
            "natural_plan",
        ],
        headlines: &[
            ("days", "recommended_right"),
            ("days", "right_outcome"),
            ("days", "needs_answer"),
            ("days", "valid_accepted"),
            ("days", "invalid_rejected"),
            ("days_plain", "recommended_right"),
            ("days_plain", "right_outcome"),
            ("days_plain", "needs_answer"),
            ("days_wide", "recommended_right"),
            ("days_wide", "right_outcome"),
            ("days_host", "recommended_right"),
            ("days_host", "right_outcome"),
            ("days_chat", "recommended_right"),
            ("days_chat", "right_outcome"),
            ("days_plain_chat", "recommended_right"),
            ("days_plain_chat", "right_outcome"),
            ("days_wide_chat", "recommended_right"),
            ("days_wide_chat", "right_outcome"),
            ("natural_plan", "balanced_accuracy/calendar"),
            ("natural_plan", "balanced_accuracy/meeting"),
            ("natural_plan", "balanced_accuracy/trip"),
        ],
        bad_at: &[
            "Notes as people write them (`days`): few are read so that their plan is right, and most end in `needs_answer`. With a reading that somebody corrected the same planner and checks are right on most (`right_outcome/reading`, `valid_accepted/reading`, `invalid_rejected/reading`).",
            "Ordinary notes of a few lines (`days_plain`): of those kept aside a third is read so that the plan is right, and of the plans that are recommended a third is not.",
            "Notes that are dictated, copied, full of other people's times or half in another language (`days_wide`): one in thirty has the right plan without a question, and of the plans that are recommended six of seven are wrong.",
            "A longest stretch of work on end, either of two, and what holds only if something else does: a reading cannot say them.",
            "`days_host` has what becomes of the notes where a capable agent corrected the reading, `days_chat` and its like what becomes of them where a capable chat model read them; another one will do otherwise.",
            "Deadlines said in passing: of notes by people who had not seen the reader little more than half of those are read (docs/plan.md); the set here words its constraints regularly and says nothing of that.",
            "An order that trails behind a task (\"write the notice, 30 min, after the walk\"), and \"he\" for somebody named before.",
            "Wishes: the calendar task calls some of them binding and some not; `soft_preferences` has the figure if none binds.",
            "Whatever the notes do not say: opening hours, distances, habits. Whether a plan is wise is not judged.",
        ],
        versions: &[],
        more: "docs/plan.md",
    },
    Detector {
        name: "time expressions",
        tells: "Where in a text does a time, a date, a range or a length stand, and what is its value? `plan` and `audit` read times by it.",
        sets: &["recognizers_text", "chrono_en", "bbh_time"],
        headlines: &[
            ("recognizers_text", "span_f1"),
            ("recognizers_text", "value_accuracy"),
            ("chrono_en", "value_accuracy"),
        ],
        bad_at: &[
            "Sets are the test cases of other engines, which those engines pass by construction: what they leave out (typos, speech, tables) is not in them.",
            "Borders of an expression: a word more or less at either end counts as a miss, though the value may be right.",
            "A bare number is a time only with a cue beside it; expressions in other languages are not read.",
        ],
        versions: &[],
        more: "docs/measure.md",
    },
    Detector {
        name: "watch",
        tells: "Is the agent still on the goal, and where did it leave it? Goal distance, onset and bans, step by step.",
        sets: &["intent_drift_runs", "goal_drift", "llmbar", "who_and_when", "sgd_intents"],
        headlines: &[
            ("goal_drift", "auc"),
            ("goal_drift", "onset_found"),
            ("goal_drift", "onset_false_alarms"),
            ("who_and_when", "step_accuracy"),
            ("sgd_intents", "change_f1"),
        ],
        bad_at: &[
            "Mistakes that stay on the topic: it tells that an agent leaves its goal, not that it errs. Nothing here finds the decisive step of a failed log better than always naming the second one.",
            "Alerts on raw scores: no threshold that is worth having raises few false alarms on legitimate requests. Fit one on runs of your own (`--baseline`), or use `onset`.",
            "When the drift began: an onset is sure of itself (few false alarms) and misses most drifting runs of the set.",
            "Instructions that ask for something unlike their own words (\"answer unhelpfully\"), and two outputs that are both on topic: there likeness is worse than chance, or than taking the shorter one.",
            "Turns of a dialogue: `major_shift` says yes to nearly every turn; counting words does better.",
        ],
        versions: &["embedder"],
        more: "docs/watch.md",
    },
    Detector {
        name: "review",
        tells: "Is what a sub-agent reports of its own work true, where code can compute it again?",
        sets: &["sessions", "sessions_host", "npl_reflections"],
        headlines: &[
            ("sessions", "lies_found"),
            ("sessions", "honest_accused"),
            ("sessions", "breaks_found"),
            ("sessions", "breaks_false"),
            ("sessions", "bans_read"),
            ("sessions", "bans_read_right"),
            ("sessions", "logs_read"),
        ],
        bad_at: &[
            "Claims on what code does (\"values that begin with = are neutralised\") are not read: tests, builds, linters, files, sizes, exports, TODOs, added tests, pushes and pairs of figures are.",
            "Bans in words that name no action, and actions of programs that are not known, are not seen.",
            "By themselves rules of words do not carry over to reports and bans by others; `sessions_host` has what becomes of those of which a capable model answers what rules leave open, where answers are recorded.",
            "A ✅ of which nothing can be computed is believed.",
            "A quantity under two names is two quantities, and terms in different sections are not added.",
            "Criteria are matched to items by words that both share: partners that share none are missed.",
        ],
        versions: &[],
        more: "docs/review.md",
    },
    Detector {
        name: "pick",
        tells: "Which prompts of a vault serve a task, in which order, or what must be asked first?",
        sets: &["prompt_vaults", "pick_tasks", "pick_rank", "cranfield", "cisi", "taskbench", "in3", "clariq"],
        headlines: &[
            ("prompt_vaults", "mrr/all"),
            ("pick_tasks", "hit_at_1/pick"),
            ("pick_tasks", "mode_accuracy"),
            ("pick_rank", "hit_at_1"),
            ("pick_rank", "unserved_left"),
            ("taskbench", "auc"),
            ("in3", "auc"),
            ("clariq", "spearman"),
        ],
        bad_at: &[
            "Tasks in everyday words: the prompt that it picks is the right one far less often than when the query is a description (`pick_tasks` against `prompt_vaults`).",
            "A vault that has nothing for the task: scores do not tell it from one that has something similar, so prompts are chosen all the same.",
            "Contradictions that need knowledge of the world (\"roast lamb for my vegan sister\"), and nonsense in the shape of a sentence.",
            "Chains: many end with a stage that is not served, or served by a prompt of another subject; confidence does not tell the good ones.",
            "Which detail a vague request lacks: asking for the same details always found about as many of them, when that was measured.",
            "Parameters of the search were chosen with all rows of `prompt_vaults` in view: its kept half is no evidence for other vaults.",
        ],
        versions: &["operating point", "embedder"],
        more: "docs/pick.md",
    },
    Detector {
        name: "support score",
        tells: "How well is a sentence, a name or a figure supported by a text?",
        sets: &["summedits", "entfa", "wice", "begin"],
        headlines: &[
            ("summedits", "balanced_accuracy/original"),
            ("summedits", "balanced_accuracy/document"),
            ("summedits", "false_alarm_rate"),
            ("entfa", "f1"),
            ("wice", "auc/supported"),
            ("begin", "auc"),
        ],
        bad_at: &[
            "Rewording with words that are not in its list: most false alarms are paraphrases.",
            "Who did it to whom: \"Acme sued Beta\" and \"Beta sued Acme\" hold the same words, and verbs of opposite direction in the passive are told alike.",
            "A negation or a ban that was left out: use the checks of the instruments for bans.",
            "Names that are in the text, in another role.",
            "What takes a step of thought: sums, ages, \"the day before\", who \"he\" is, what follows from what.",
            "A changed adjective or noun that a long document has elsewhere: there it is little better than chance.",
            "Several sentences at once, and other languages than English.",
        ],
        versions: &["support score"],
        more: "docs/grounding.md",
    },
    Detector {
        name: "forms",
        tells: "What does a request demand of the form of an answer (length, words, layout, case, language), and does an answer have it?",
        sets: &["ifeval"],
        headlines: &[("ifeval", "extraction_f1"), ("ifeval", "agreement/instruction")],
        bad_at: &[
            "The set's demands come from a list of twenty-five kinds that a program wrote down; what people demand in their own words is not in it.",
            "A single word, or a list of names in capitals, may be judged in another language than by the official checker.",
            "`followed/instruction` says how well GPT-4's answers do by our verdict; it is no measure of the detector.",
        ],
        versions: &[],
        more: "docs/measure.md",
    },
];

/// Figures as a document for people who decide whether to trust a detector: see [`markdown()`]. `kept` and `document` are the paths that the document names for
/// itself.
#[must_use]
pub fn document(measurement: &Measurement, kept: &str, document: &str) -> String {
    let set = |name: &str| sets::named(name).map_or("", |set| set.about);
    let about = About { kept, document, lower_is_better, set, seen: seen::against, rests_on: constants::of };
    markdown(measurement, DETECTORS, &about)
}

#[cfg(test)]
mod tests {
    use super::{DETECTORS, constants, versions};
    use crate::SETS;

    #[test]
    fn every_set_says_how_good_one_detector_is() {
        for set in SETS {
            let named = DETECTORS.iter().flat_map(|own| own.sets).filter(|name| **name == set.name).count();
            assert_eq!(named, 1, "{} stands in no detector, or in two", set.name);
        }
        for own in DETECTORS {
            assert!(!own.bad_at.is_empty() && !constants::of(own.name).is_empty(), "{}", own.name);
            for (name, metric) in own.headlines {
                let set = SETS.iter().find(|set| set.name == *name && own.sets.contains(name));
                assert!(set.is_some_and(|set| set.metrics.iter().any(|it| it.name == *metric)), "{name} {metric}");
            }
            for name in own.sets {
                assert!(SETS.iter().any(|set| set.name == *name), "{name} is no set");
            }
        }
    }

    #[test]
    fn versions_are_those_of_the_detectors_that_were_measured() {
        let all = versions(&SETS.iter().map(|set| set.name).collect::<Vec<_>>(), None);
        let known: Vec<&str> = DETECTORS.iter().flat_map(|own| own.versions).copied().collect();
        for name in known.iter().filter(|name| **name != "embedder") {
            assert!(all.get(*name).is_some_and(|it| !it.is_empty()), "{name}");
        }
        let of_one = versions(&["ifeval"], None);
        assert_eq!(of_one.keys().collect::<Vec<_>>(), ["program"]);
    }
}
