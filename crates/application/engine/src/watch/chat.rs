//! A chat model judges the steps that signals single out, and only these: those under an alert, those whose instruction is a high drift risk, and those that are farthest from the goal.
//!
//! No request depends on a reply, so a dry run shows all of them. What the model says stands beside what code found: it moves no score, no alert and no gate.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use steadfast_dialogue::{Answer, Each, Passage, Role};
use steadfast_watch::exchange::{self, STEPS_A_REQUEST_MAX, Said, asked_of, judgements, request, shown};
use steadfast_watch::texts::{ASKED_BYTES_MAX, Excerpt, StepText, Texts};
use steadfast_wire::audit::Origin;
use steadfast_wire::watch::{AlertCause, JudgedStep, StepSetAside, Trajectory, Watch, WatchChat};

use crate::EngineError;
use crate::chat::{ChatModels, brought_nothing, drive, published, room_bytes_beside, size, tokens, within};
use crate::pool::on_pool;

/// Most requests about one log.
const REQUESTS_MAX: usize = 12;

/// Steps of one trajectory that are asked about, at most: one request holds them where the model has room for it.
const STEPS_OF_TRAJECTORY_MAX: usize = STEPS_A_REQUEST_MAX;

/// Steps of one alert that are asked about: the first ones.
const STEPS_OF_ALERT_MAX: usize = 3;

/// Steps of one trajectory that are asked about though they stand under no alert: those farthest from the goal.
const STEPS_BETWEEN_MAX: usize = 3;

/// Signals that are shown of one step, and bytes of one.
const SIGNALS_MAX: usize = 6;
const SIGNAL_BYTES_MAX: usize = 600;

/// Most tokens of a reply, where the model's context window has four times as many.
const REPLY_TOKENS_MAX: usize = 4_000;

/// Bytes of texts in one request, whatever room the model has: what stands in the middle of more is read badly.
const ROOM_BYTES_MAX: usize = 48_000;

/// Of a request, the share that one text of the user may take: one part in so many.
const ASKED_PART: usize = 3;

/// What is said of a step whose instruction is a high drift risk, where no alert says more.
/// From this goal distance on an output has next to nothing in common with the goal. Uncalibrated: it decides whom to ask, and nothing else.
const FAR_MIN: f64 = 0.9;
const FAR: &str = "what the step said has next to nothing in common with the goal";
const BETWEEN: &str = "the instruction lies between one that keeps the goal and one that leaves it (high drift risk)";

/// What the steps of a log said, by task and agent.
pub(super) type TextsByTrajectory = HashMap<(String, Option<String>), Texts>;

/// A step that is singled out.
#[derive(Clone, Debug, PartialEq)]
struct Suspect {
    step: StepText,
    /// The alerts that it stands under.
    alerts: Vec<AlertCause>,
    /// What code says of it.
    signals: Vec<String>,
}

/// What one request is about: steps of one trajectory.
#[derive(Clone, Debug, PartialEq)]
struct Batch {
    task_id: String,
    agent: Option<String>,
    asked: Excerpt,
    suspects: Vec<Suspect>,
    passages: Vec<Passage>,
}

/// The requests about one log, and how much there is no room for.
#[derive(Debug, Default, PartialEq)]
struct Asked {
    batches: Vec<Batch>,
    beyond_trajectory: usize,
    beyond_requests: usize,
    not_kept: usize,
    cut: usize,
}

/// The result with what a model says of the steps that signals single out; nothing is asked where there are none.
///
/// # Errors
/// [`EngineError::NoChatModel`]. That a call fails is none.
pub(super) async fn ask(watch: Watch, texts: TextsByTrajectory, desk: &ChatModels) -> Result<Watch, EngineError> {
    let no_model = || EngineError::NoChatModel { role: Role::Watch.name().to_owned() };
    let model = desk.model(Role::Watch).ok_or_else(no_model)?;
    let reply_tokens = REPLY_TOKENS_MAX.min(model.context_tokens() / 4);
    let room_bytes = room_bytes_beside(model, reply_tokens).min(ROOM_BYTES_MAX);
    let (mut watch, asked) = on_pool(move || {
        let asked = asked(&watch.trajectories, &texts, room_bytes);
        Ok((watch, asked))
    })
    .await?;
    let reply_tokens_max = u32::try_from(reply_tokens).unwrap_or(u32::MAX);
    let requests = asked.batches.iter().map(|own| request(own.passages.clone(), reply_tokens_max)).collect();
    let mut log = Vec::new();
    let answers = drive(&mut Each::new(requests), desk, &mut log).await?;
    let (prompt_tokens, reply_tokens) = tokens(&log);
    let chat = WatchChat {
        model: model.name().to_owned(),
        prompt_tokens,
        reply_tokens,
        calls: published(&log),
        steps: Vec::new(),
        not_judged: Vec::new(),
        failed: None,
        set_aside: Vec::new(),
    };
    watch.chat = Some(on_pool(move || Ok(read(chat, &asked, &answers))).await?);
    Ok(watch)
}

/// What came back, taken into what is published.
fn read(mut chat: WatchChat, asked: &Asked, answers: &[Answer]) -> WatchChat {
    let (mut nothing, mut unasked, mut untold) = (Vec::new(), 0, 0);
    for (batch, answer) in asked.batches.iter().zip(answers) {
        match answer {
            Answer::Record(record) => {
                let steps: Vec<&StepText> = batch.suspects.iter().map(|own| &own.step).collect();
                let (told, set_aside) = judgements(record, &batch.asked, &steps);
                let named: BTreeSet<usize> =
                    told.iter().map(|own| own.at).chain(set_aside.iter().filter_map(|own| own.at)).collect();
                untold += steps.len() - named.len();
                let origin = Origin::chat(&chat.model);
                chat.steps.extend(told.into_iter().map(|own| judged(batch, own, origin.clone())));
                chat.set_aside.extend(set_aside.into_iter().map(|own| StepSetAside {
                    task_id: batch.task_id.clone(),
                    agent: batch.agent.clone(),
                    step: own.at.map(|at| steps[at].number),
                    text: own.text,
                    reason: own.reason,
                }));
            }
            Answer::Nothing(why) => {
                nothing.push(why.to_string());
                unasked += batch.suspects.len();
            }
        }
    }
    chat.failed = brought_nothing(nothing.iter().map(String::as_str), asked.batches.len());
    let steps = |count: usize| if count == 1 { "1 step".to_owned() } else { format!("{count} steps") };
    let alerts = if asked.not_kept == 1 { "1 alert".to_owned() } else { format!("{} alerts", asked.not_kept) };
    let all = [
        (unasked, format!("{}: the call brought nothing", steps(unasked))),
        (untold, format!("{}: left out of the reply", steps(untold))),
        (asked.not_kept, format!("{alerts}: no step there has a text, or none that was kept")),
        (
            asked.beyond_trajectory,
            format!("{}: more than {STEPS_OF_TRAJECTORY_MAX} of one trajectory", steps(asked.beyond_trajectory)),
        ),
        (
            asked.beyond_requests,
            format!("{}: more than {REQUESTS_MAX} requests would be needed", steps(asked.beyond_requests)),
        ),
        (asked.cut, format!("of {} not all was shown: there is no room for it", steps(asked.cut))),
    ];
    chat.not_judged.extend(all.into_iter().filter(|(count, _)| *count > 0).map(|(_, what)| what));
    chat
}

fn judged(batch: &Batch, own: exchange::Judgement, origin: Origin) -> JudgedStep {
    let suspect = &batch.suspects[own.at];
    JudgedStep {
        task_id: batch.task_id.clone(),
        agent: batch.agent.clone(),
        step: suspect.step.number,
        alerts: suspect.alerts.clone(),
        origin,
        said: own.said,
        dissents: own.said == Said::OnTheWay && !suspect.alerts.is_empty(),
        asked: own.asked,
        quote: own.quote,
        why: own.why,
    }
}

fn is_far(step: &StepText) -> bool {
    step.distance.is_some_and(|distance| distance >= FAR_MIN)
}

/// What is to be asked, where a request has room for so many bytes of texts: of trajectories with an alert first.
fn asked(trajectories: &[Trajectory], texts: &TextsByTrajectory, room_bytes: usize) -> Asked {
    let mut order: Vec<&Trajectory> = trajectories.iter().collect();
    order.sort_by_key(|own| own.alerts.is_empty());
    let mut asked = Asked::default();
    for own in order {
        let texts = texts.get(&(own.task_id.clone(), own.agent.clone())).map(Texts::steps).unwrap_or_default();
        let suspects = asked.singled_out(own, texts);
        asked.add(own, &suspects, room_bytes);
    }
    asked
}

impl Asked {
    /// The steps that signals single out, in their order.
    fn singled_out(&mut self, own: &Trajectory, texts: &[StepText]) -> Vec<Suspect> {
        let mut by_number: Vec<(i64, usize)> = texts.iter().enumerate().map(|(at, it)| (it.number, at)).collect();
        by_number.sort_unstable();
        // A threshold that somebody chose says least.
        let mut alerts: Vec<_> = own.alerts.iter().collect();
        alerts.sort_by_key(|alert| (alert.cause == AlertCause::Ids, alert.cause, alert.from_step));
        let (mut chosen, mut beyond) = (BTreeSet::new(), BTreeSet::new());
        let mut choose = |at: usize| {
            if chosen.len() < STEPS_OF_TRAJECTORY_MAX {
                chosen.insert(at);
            } else if !chosen.contains(&at) {
                beyond.insert(at);
            }
        };
        for alert in alerts {
            let from = by_number.partition_point(|(number, _)| *number < alert.from_step);
            let under = by_number[from..].iter().take_while(|(number, _)| *number <= alert.to_step);
            let under: Vec<usize> = under.take(STEPS_OF_ALERT_MAX).map(|(_, at)| *at).collect();
            self.not_kept += usize::from(under.is_empty());
            under.into_iter().for_each(&mut choose);
        }
        let stands_under = |step: &StepText| {
            let number = step.number;
            own.alerts.iter().filter(move |alert| (alert.from_step..=alert.to_step).contains(&number))
        };
        let is_between =
            |(_, step): &(usize, &StepText)| (step.is_between || is_far(step)) && stands_under(step).next().is_none();
        let mut between: Vec<_> = texts.iter().enumerate().filter(is_between).collect();
        between.sort_by(|(_, a), (_, b)| b.distance.unwrap_or(0.0).total_cmp(&a.distance.unwrap_or(0.0)));
        between.into_iter().take(STEPS_BETWEEN_MAX).for_each(|(at, _)| choose(at));
        self.beyond_trajectory += beyond.len();
        let suspect = |at: usize| {
            let step = texts[at].clone();
            let by_cause: BTreeMap<AlertCause, ()> = stands_under(&step).map(|alert| (alert.cause, ())).collect();
            let message = |text: &str| text[..text.floor_char_boundary(SIGNAL_BYTES_MAX)].to_owned();
            let mut signals: Vec<String> =
                stands_under(&step).take(SIGNALS_MAX).map(|alert| message(&alert.message)).collect();
            if signals.is_empty() {
                signals.push(if step.is_between { BETWEEN } else { FAR }.to_owned());
            }
            Suspect { alerts: by_cause.into_keys().collect(), signals, step }
        };
        chosen.into_iter().map(suspect).collect()
    }

    /// Asks about steps of a trajectory, in as many requests as they need.
    fn add(&mut self, own: &Trajectory, suspects: &[Suspect], room_bytes: usize) {
        let asked = Excerpt::of(own.initial_intent.as_deref().unwrap_or_default(), ASKED_BYTES_MAX);
        let (first, _) = within(&[asked.shown()], room_bytes / ASKED_PART);
        let mut rest = suspects;
        while !rest.is_empty() {
            if self.batches.len() == REQUESTS_MAX {
                self.beyond_requests += rest.len();
                return;
            }
            let mut passages = Vec::new();
            if !asked.is_empty() {
                passages.push(exchange::asked(first.concat()));
            }
            let mut left = room_bytes.saturating_sub(size(&first));
            let mut taken = 0;
            for (at, suspect) in rest.iter().enumerate() {
                let before = at.checked_sub(1).map(|before| &rest[before].step);
                let beside: Vec<String> = asked_of(at, &suspect.step, &asked, before).into_iter().collect();
                let (beside, is_beside_cut) = within(&beside, room_bytes / ASKED_PART);
                let signals: Vec<&str> = suspect.signals.iter().map(String::as_str).collect();
                let text = [shown(at, &suspect.step, &signals)];
                if at > 0 && size(&beside) + size(&text) > left {
                    break;
                }
                let (text, is_cut) = within(&text, left.saturating_sub(size(&beside)));
                self.cut += usize::from(is_cut || is_beside_cut);
                left = left.saturating_sub(size(&beside) + size(&text));
                passages.extend(beside.into_iter().map(exchange::asked));
                passages.push(exchange::step(text.concat()));
                taken = at + 1;
            }
            let (own_suspects, behind) = rest.split_at(taken);
            self.batches.push(Batch {
                task_id: own.task_id.clone(),
                agent: own.agent.clone(),
                asked: asked.clone(),
                suspects: own_suspects.to_vec(),
                passages,
            });
            rest = behind;
        }
    }
}
