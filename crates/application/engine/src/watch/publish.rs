//! From the instrument's types to those that are published.

use steadfast_watch::{Nowhere, StepScore, Stuck, Summary};
use steadfast_wire::watch::{Aggregate, Alert, AlertCause, BrokenBan, Onset, Step, Trajectory};

pub(super) const fn own_aggregate(aggregate: Aggregate) -> steadfast_watch::Aggregate {
    match aggregate {
        Aggregate::Whole => steadfast_watch::Aggregate::Whole,
        Aggregate::MaxSentence => steadfast_watch::Aggregate::MaxSentence,
        Aggregate::MeanChunk => steadfast_watch::Aggregate::MeanChunk,
    }
}

pub(super) fn step(score: StepScore) -> Step {
    Step {
        step: score.number,
        ids: score.ids,
        goal_distance: score.goal_distance,
        goal: score.goal,
        update_type: score.update_type,
        anchor_ids: score.anchor_ids,
        echo: score.echo,
        truncated: score.truncated,
        no_text: score.no_text,
        broken: score
            .broken
            .into_iter()
            .map(|broken| BrokenBan { term: broken.term, ban: broken.ban, quote: broken.quote })
            .collect(),
    }
}

/// A trajectory, named by task, agent and the task of the agent that called it.
pub(super) fn trajectory(
    (task_id, agent, parent): (String, Option<String>, Option<String>),
    steps: Vec<Step>,
    summary: Summary,
) -> Trajectory {
    let ids = summary.alerts.iter().map(|alert| Alert {
        from_step: alert.from_step,
        to_step: alert.to_step,
        cause: AlertCause::Ids,
        message: format!("the scores persist at the threshold or above from step {}", alert.from_step),
    });
    let onset = summary.onset.zip(summary.last_scored).map(|(onset, last)| Alert {
        from_step: onset.step,
        to_step: last,
        cause: AlertCause::Onset,
        message: format!(
            "the goal distance rises for good at step {}: {:.3} before, {:.3} from there on (p = {:.4})",
            onset.step, onset.before, onset.after, onset.p
        ),
    });
    let banned = summary.broken.iter().map(|(step, broken)| Alert {
        from_step: *step,
        to_step: *step,
        cause: AlertCause::Banned,
        message: format!("“{}” bans “{}”; the output uses it: “{}”", broken.ban, broken.term, broken.quote),
    });
    let nowhere = summary.stuck.iter().map(nowhere);
    let mut alerts: Vec<Alert> = onset.into_iter().chain(ids).chain(banned).chain(nowhere).collect();
    alerts.sort_by_key(|alert| (alert.from_step, alert.cause));
    Trajectory {
        task_id,
        agent,
        parent,
        initial_intent: summary.initial_intent,
        steps,
        mean_ids: summary.mean_ids,
        max_ids: summary.max_ids,
        goal_shift: summary.goal_shift,
        onset: summary.onset.map(|onset| onset.step),
        onset_test: summary.onset.map(|onset| Onset { p: onset.p, before: onset.before, after: onset.after }),
        alerts,
    }
}

/// What is said of deeds that lead nowhere, in the words of the log.
fn nowhere(own: &Stuck) -> Alert {
    let Stuck { how, from_step, to_step, times, what, result } = own;
    let (cause, message) = match how {
        Nowhere::Circle { calls: 1 } => (
            AlertCause::Loop,
            format!("the call “{what}” comes {times} times in a row with the same result: “{result}”"),
        ),
        Nowhere::Circle { calls } => (
            AlertCause::Loop,
            format!("{calls} calls come {times} times in a row with the same results, the first “{what}”: “{result}”"),
        ),
        Nowhere::Edits => {
            (AlertCause::Stuck, format!("{times} edits of “{what}” in a row fail, the last with “{result}”"))
        }
        Nowhere::Runs => (
            AlertCause::Stuck,
            format!("“{what}” fails {times} times in the same way, with changes between: “{result}”"),
        ),
    };
    Alert { from_step: *from_step, to_step: *to_step, cause, message }
}
