//! What every format asks of a report.

use std::collections::HashMap;

use steadfast_wire::watch::{Alert, Alerting, Calibration, Duplicate, Problem, Step, Trajectory, UpdateType, Watch};

use crate::decided;
use crate::digest::count_of;
use crate::plain::line;

/// Steps with the highest scores that are named.
const WORST_STEPS_MAX: usize = 3;
/// Trajectories that raise an alert and are named in the summary.
const ALERTED_NAMED_MAX: usize = 12;
/// Repeats of one trajectory that are named.
const REPEATS_NAMED_MAX: usize = 6;
const TERM_CHARS_MAX: usize = 60;
const NAME_CHARS_MAX: usize = 80;
const FILE_CHARS_MAX: usize = 160;
/// Characters of a quote or a reason of a chat model.
const WORDS_CHARS_MAX: usize = 200;

/// "task (agent)", fit to be shown.
pub(crate) fn name(task_id: &str, agent: Option<&str>) -> String {
    let task = line(task_id, NAME_CHARS_MAX);
    let task = if task.is_empty() { "(no name)".to_owned() } else { task };
    match agent.map(|agent| line(agent, NAME_CHARS_MAX)) {
        Some(agent) if !agent.is_empty() => format!("{task} ({agent})"),
        _ => task,
    }
}

/// A score with three decimals.
pub(super) fn score(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or_else(|| "n/a".to_owned(), |value| format!("{value:.3}"))
}

/// A probability, as small as it needs to be written.
pub(super) fn probability(value: f64) -> String {
    if value < 0.0001 {
        "p < 0.0001".to_owned()
    } else if value < 0.01 {
        format!("p = {value:.4}")
    } else {
        format!("p = {value:.3}")
    }
}

/// A share as a percentage.
fn percent(share: f64) -> String {
    let text = format!("{:.1}", share * 100.0);
    format!("{} %", text.strip_suffix(".0").unwrap_or(&text))
}

/// "3 trajectories", "1 trajectory".
pub(super) fn trajectories(count: usize) -> String {
    if count == 1 { "1 trajectory".to_owned() } else { format!("{count} trajectories") }
}

/// How much there is, in a line.
pub(super) fn extent(watch: &Watch) -> String {
    let steps: usize = watch.trajectories.iter().map(|it| it.steps.len()).sum();
    let scored: usize = watch.trajectories.iter().map(|it| scores(it).flatten().count()).sum();
    let scored = if scored == steps { String::new() } else { format!(", {scored} of them with a score") };
    format!("{}, {}{scored}", trajectories(watch.trajectories.len()), count_of(steps, "step"))
}

/// What the scores were made with.
pub(crate) fn made_with(watch: &Watch) -> String {
    format!(
        "embedder {} ({}), {}",
        line(&watch.embedder, NAME_CHARS_MAX),
        line(&watch.embedding_version, FILE_CHARS_MAX),
        watch.aggregate.label()
    )
}

/// Who raises an alert, in one sentence.
pub(super) fn alerted(watch: &Watch) -> String {
    let head = alerted_count(watch);
    let alerted: Vec<&Trajectory> = watch.trajectories.iter().filter(|it| !it.alerts.is_empty()).collect();
    if alerted.is_empty() || watch.trajectories.len() == 1 {
        return head;
    }
    let mut names: Vec<String> =
        alerted.iter().take(ALERTED_NAMED_MAX).map(|it| name(&it.task_id, it.agent.as_deref())).collect();
    if alerted.len() > names.len() {
        names.push(format!("and {} more", alerted.len() - names.len()));
    }
    format!("{}: {}", head.trim_end_matches('.'), names.join(", "))
}

/// How many raise an alert, in one sentence.
pub(crate) fn alerted_count(watch: &Watch) -> String {
    let alerted = watch.trajectories.iter().filter(|it| !it.alerts.is_empty()).count();
    match (watch.trajectories.as_slice(), alerted) {
        ([], _) => "There is no trajectory.".to_owned(),
        ([_], 0) => "It raises no alert.".to_owned(),
        ([one], _) => {
            let alerts =
                if one.alerts.len() == 1 { "an alert".to_owned() } else { count_of(one.alerts.len(), "alert") };
            format!("{} raises {alerts}.", name(&one.task_id, one.agent.as_deref()))
        }
        (all, 0) => format!("None of {} raises an alert.", trajectories(all.len())),
        (all, 1) => format!("1 of {} raises an alert.", trajectories(all.len())),
        (all, count) => format!("{count} of {} raise an alert.", trajectories(all.len())),
    }
}

/// What a chat model says of steps that signals single out, what that cost, and what it did not say; empty where none was asked.
pub(super) fn judged(watch: &Watch) -> Vec<String> {
    let Some(chat) = &watch.chat else { return Vec::new() };
    let model = line(&chat.model, NAME_CHARS_MAX);
    let mut facts = vec![if chat.calls.is_empty() {
        format!("The chat model {model} was asked nothing: signals single out no step that could be shown.")
    } else {
        let calls = count_of(chat.calls.len(), "call");
        let (question, reply) = (chat.prompt_tokens, chat.reply_tokens);
        format!(
            "The chat model {model} was asked about the steps that signals single out: {calls}, {question} tokens and {reply} in reply. What it says moves no score and no alert."
        )
    }];
    facts.extend(chat.failed.iter().map(|why| format!("The chat model failed: {}.", line(why, WORDS_CHARS_MAX))));
    let of = |step: Option<i64>, task_id: &str, agent: Option<&str>| {
        let step = step.map_or_else(|| "no step".to_owned(), |step| format!("step {step}"));
        format!("{step} of {}", name(task_id, agent))
    };
    facts.extend(chat.steps.iter().map(|own| {
        let causes: Vec<&str> = own.alerts.iter().map(|cause| cause.label()).collect();
        let signals = if causes.is_empty() { UpdateType::HighDriftRisk.label().to_owned() } else { causes.join(", ") };
        let words = match (own.asked.as_str(), own.quote.as_str()) {
            ("", "") => String::new(),
            (asked, quote) => format!(": “{}”, “{}”", line(asked, WORDS_CHARS_MAX), line(quote, WORDS_CHARS_MAX)),
        };
        let why = if own.why.is_empty() { String::new() } else { format!(": {}", line(&own.why, WORDS_CHARS_MAX)) };
        let stands = if own.dissents { "; the alert of rules stands" } else { "" };
        let place = of(Some(own.step), &own.task_id, own.agent.as_deref());
        format!("{place} ({signals}): {}{}{stands}{words}{why}", own.said.label(), decided::by(&own.origin, None))
    }));
    let untold = chat.not_judged.iter();
    facts.extend(untold.map(|what| format!("Not judged by {model}: {}.", line(what, WORDS_CHARS_MAX))));
    facts.extend(chat.set_aside.iter().map(|own| {
        let place = of(own.step, &own.task_id, own.agent.as_deref());
        format!("Set aside, {place}: “{}”: {}.", line(&own.text, WORDS_CHARS_MAX), line(&own.reason, WORDS_CHARS_MAX))
    }));
    facts
}

/// Whether any trajectory raises an alert.
pub(super) fn any_alert(watch: &Watch) -> bool {
    watch.trajectories.iter().any(|it| !it.alerts.is_empty())
}

/// What alerts rest on, with what is known of false ones.
pub(super) fn rests_on(alert: &Alerting) -> String {
    let measured_on = line(&alert.measured_on, FILE_CHARS_MAX);
    let measured_on = if measured_on.is_empty() { String::new() } else { format!(", measured on {measured_on}") };
    let rate = match alert.false_alarm_rate {
        // Nobody knows this of trajectories in which the work itself moves on: most sessions are of that kind.
        Some(rate) if alert.calibration == Calibration::Test => {
            format!("{} of trajectories whose scores come in no order raise an onset{measured_on}", percent(rate))
        }
        Some(rate) => format!("{} of trajectories without drift raise one{measured_on}", percent(rate)),
        None => format!("how many trajectories without drift raise one is not known{measured_on}"),
    };
    let basis = match alert.threshold {
        Some(threshold) => {
            format!(
                "scores that persist at {threshold:.3} or above, sustained changes, broken bans and deeds that lead nowhere"
            )
        }
        None => "sustained changes, broken bans and deeds that lead nowhere; no threshold on scores was asked for"
            .to_owned(),
    };
    match alert.calibration {
        Calibration::Uncalibrated => format!("Alerts rest on {basis}. Uncalibrated: {rate}."),
        Calibration::Baseline | Calibration::Test => {
            format!("Alerts rest on {basis}. Rate of false alarms, {}: {rate}.", alert.calibration.label())
        }
    }
}

/// A step's score. What is no number, which JSON cannot hold but a caller can, is no score.
pub(super) fn ids(step: &Step) -> Option<f64> {
    step.ids.filter(|ids| ids.is_finite())
}

/// The scores by step.
pub(super) fn scores(trajectory: &Trajectory) -> impl Iterator<Item = Option<f64>> {
    trajectory.steps.iter().map(ids)
}

/// The steps with the highest scores, the highest first.
pub(super) fn worst(trajectory: &Trajectory) -> Vec<(&Step, f64)> {
    let mut worst: Vec<(&Step, f64)> = Vec::with_capacity(WORST_STEPS_MAX + 1);
    for (step, ids) in trajectory.steps.iter().filter_map(|step| ids(step).map(|ids| (step, ids))) {
        let at = worst.partition_point(|(_, other)| *other >= ids);
        worst.insert(at, (step, ids));
        worst.truncate(WORST_STEPS_MAX);
    }
    worst
}

/// The position of the step at which scores change for good.
pub(super) fn onset_at(trajectory: &Trajectory) -> Option<usize> {
    let onset = trajectory.onset?;
    trajectory.steps.iter().position(|step| step.step == onset)
}

/// What is known of the onset, in words.
pub(crate) fn onset(trajectory: &Trajectory) -> Option<String> {
    let step = trajectory.onset?;
    Some(match trajectory.onset_test {
        Some(test) => format!(
            "step {step}: mean goal distance {:.3} before, {:.3} from it on ({})",
            test.before,
            test.after,
            probability(test.p)
        ),
        None => format!("step {step}"),
    })
}

/// "steps 3–9", "step 3".
pub(crate) fn steps_of(alert: &Alert) -> String {
    if alert.from_step == alert.to_step {
        format!("step {}", alert.from_step)
    } else {
        format!("steps {}–{}", alert.from_step, alert.to_step)
    }
}

/// What the scores of a trajectory do not cover; nothing where they cover all.
pub(super) fn gaps(trajectory: &Trajectory) -> Vec<String> {
    let count = |held: &dyn Fn(&&Step) -> bool| trajectory.steps.iter().filter(held).count();
    let truncated = count(&|step| step.truncated);
    let no_text = count(&|step| step.no_text);
    let no_goal = count(&|step| !step.no_text && ids(step).is_none());
    let mut gaps = Vec::new();
    if truncated > 0 {
        let outputs = count_of(truncated, "output");
        gaps.push(format!("{outputs} longer than what the embedder reads (truncated)"));
    }
    if no_text > 0 {
        gaps.push(format!("{} without text", count_of(no_text, "step")));
    }
    if no_goal > 0 {
        gaps.push(format!("{} with text but without a known goal", count_of(no_goal, "step")));
    }
    gaps
}

/// What stands in place of a mean where there is none.
pub(super) fn no_mean(trajectory: &Trajectory) -> Option<&'static str> {
    if trajectory.mean_ids.is_some() {
        return None;
    }
    Some(match trajectory.steps.len() {
        0 => "no step",
        1 => "a single step has no mean",
        _ => "no step after the first has a score",
    })
}

/// What is said of a step beside its numbers.
pub(super) fn flags(step: &Step) -> Vec<String> {
    let mut flags = Vec::new();
    if let Some(first) = step.broken.first() {
        let more = match step.broken.len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        flags.push(format!("uses what is banned: “{}”{more}", line(&first.term, TERM_CHARS_MAX)));
    }
    if step.no_text {
        flags.push("no text".to_owned());
    } else if ids(step).is_none() {
        flags.push("no goal".to_owned());
    }
    if step.truncated {
        flags.push("truncated".to_owned());
    }
    flags
}

/// Duplicates by what they repeat, in the order of the input, a line for each: "a: repeated by b, c (agent)".
pub(super) fn repeats(duplicates: &[Duplicate]) -> Vec<String> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut groups: Vec<(&str, Vec<&Duplicate>)> = Vec::new();
    for duplicate in duplicates {
        let place = *places.entry(&duplicate.same_as).or_insert(groups.len());
        match groups.get_mut(place) {
            Some((_, group)) => group.push(duplicate),
            None => groups.push((&duplicate.same_as, vec![duplicate])),
        }
    }
    let lines = groups.into_iter().map(|(same_as, group)| {
        let names = group.iter().take(REPEATS_NAMED_MAX).map(|it| name(&it.task_id, it.agent.as_deref()));
        let mut names: Vec<String> = names.collect();
        if group.len() > names.len() {
            names.push(format!("and {} more", group.len() - names.len()));
        }
        format!("{}: repeated by {}", name(same_as, None), names.join(", "))
    });
    lines.collect()
}

/// Where a problem stands, and what it is.
pub(super) fn problem(problem: &Problem, chars_max: usize) -> (String, String) {
    (format!("{}:{}", line(&problem.file, FILE_CHARS_MAX), problem.line), line(&problem.message, chars_max))
}

/// Positions of the trajectories that are shown in full: at most `max`, those with alerts before others, each in its place.
pub(super) fn shown_in_full(watch: &Watch, max: usize) -> Vec<usize> {
    let mut shown: Vec<usize> = (0..watch.trajectories.len()).collect();
    shown.sort_by_key(|at| watch.trajectories[*at].alerts.is_empty());
    shown.truncate(max);
    shown.sort_unstable();
    shown
}
