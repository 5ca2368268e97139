//! How often hard obligations were broken, week by week, agent by agent.
//!
//! What counts as a run, and as broken, of each kind:
//!
//! | kind | a run is | broken is |
//! |---|---|---|
//! | `audit` | a stored run | an obligation that is stated, binds, and is broken or weakened; its check is that of the incident |
//! | `plan`, `plan check` | a stored run | a hard finding |
//! | `review` | a stored run with criteria | a criterion that is not met: check `criterion` |
//! | `watch` | a trajectory of a stored run | a ban that an output breaks: check `banned` |
//! | trajectories under way | the steps of one agent | the same |

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Weekday;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, Zoned};
use steadfast_wire::audit::{Basis, DriftEvaluation, ObligationKind};
use steadfast_wire::live::LiveScores;
use steadfast_wire::plan::{PlanResponse, Validation};
use steadfast_wire::review::{CriterionStatus, Review};
use steadfast_wire::summary::{AgentWeek, Broken, CheckWeek, SCHEMA_VERSION, Week, WeeklySummary};
use steadfast_wire::watch::Watch;
use steadfast_wire::{Error, from_json};

use crate::EngineError;
use crate::limits::SUMMARY_WEEKS_MAX;
use crate::plan::now::time_zone;
use crate::store::{Keep, Run, RunPage, TrajectoryPage};

/// Runs, trajectories and steps that are read at a time.
const ROWS: usize = 256;

/// Scores that are read at a time, in bytes.
const SCORES_BYTES: u64 = 4 * 1024 * 1024;

/// The check of a criterion that is not met.
const CRITERION: &str = "criterion";

/// The check of a ban that is broken: the cause of an alert of `watch`.
const BANNED: &str = "banned";

/// What a run of one agent broke, by its checks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    /// The agent, where it is known.
    pub(crate) agent: Option<String>,
    /// The checks that found something broken.
    pub(crate) checks: BTreeSet<String>,
}

/// The last weeks, this one included, in a zone by its IANA name or an offset. It reads all that was stored in them, on the thread that calls.
///
/// # Errors
/// [`EngineError::Weeks`], [`EngineError::Zone`], or [`EngineError::Store`] where something cannot be read.
pub fn weekly(store: &dyn Keep, weeks: u32, zone: &str) -> Result<WeeklySummary, EngineError> {
    if weeks == 0 || weeks > SUMMARY_WEEKS_MAX {
        return Err(EngineError::Weeks { weeks });
    }
    let (zone, timezone) = time_zone(zone)?;
    let mondays = mondays(&store.stamp()?.at, weeks, &zone)?;
    let since = mondays.first().map(|first| format!("{:.3}", first.timestamp())).unwrap_or_default();
    let mut counts = Counts { zone, weeks: BTreeMap::new() };
    let mut unread = 0;
    each_run(store, &since, |run| match seen(run) {
        Ok(all) => all.into_iter().for_each(|seen| counts.add(&run.head.created_at, seen)),
        Err(_) => unread += 1,
    })?;
    each_trajectory(store, &since, |at, seen| counts.add(at, seen))?;
    let weeks = mondays.iter().map(|monday| counts.week(monday)).collect();
    Ok(WeeklySummary { schema_version: SCHEMA_VERSION.to_owned(), timezone, weeks, unread })
}

/// The beginnings of the last weeks, the oldest first.
fn mondays(now: &str, weeks: u32, zone: &TimeZone) -> Result<Vec<Zoned>, EngineError> {
    let beyond = |error: jiff::Error| EngineError::Internal { what: format!("the weeks before {now}: {error}") };
    let today = now.parse::<Timestamp>().map_err(beyond)?.to_zoned(zone.clone()).date();
    let monday = today.tomorrow().and_then(|next| next.nth_weekday(-1, Weekday::Monday)).map_err(beyond)?;
    (0..weeks)
        .rev()
        .map(|back| {
            let begins = monday.checked_sub(Span::new().weeks(back))?;
            begins.to_zoned(zone.clone())
        })
        .collect::<Result<_, jiff::Error>>()
        .map_err(beyond)
}

fn each_run(store: &dyn Keep, since: &str, mut each: impl FnMut(&Run)) -> Result<(), EngineError> {
    let mut page = RunPage { since: Some(since.to_owned()), limit: ROWS, ..RunPage::default() };
    loop {
        let heads = store.runs(&page)?;
        let Some(last) = heads.last() else { return Ok(()) };
        page.after = Some(last.id.clone());
        for head in heads {
            // One that is deleted meanwhile is not there.
            if let Some(run) = store.run(&head.id)? {
                each(&run);
            }
        }
    }
}

fn each_trajectory(store: &dyn Keep, since: &str, mut each: impl FnMut(&str, Seen)) -> Result<(), EngineError> {
    let mut page = TrajectoryPage { limit: ROWS, ..TrajectoryPage::default() };
    loop {
        let heads = store.trajectories(&page)?;
        let Some(last) = heads.last() else { return Ok(()) };
        page.after = Some((last.updated_at.clone(), last.id.clone()));
        let is_last = last.updated_at.as_str() < since;
        for head in heads.into_iter().filter(|head| head.created_at.as_str() >= since) {
            let mut agents: BTreeMap<Option<String>, bool> = BTreeMap::new();
            let mut next = 0;
            while next < head.scored {
                let steps = store.scored_steps(&head.id, next, ROWS, SCORES_BYTES)?;
                let Some(last) = steps.last() else { break };
                next = last.number + 1;
                for step in steps {
                    let Some(scores) = step.scores else { continue };
                    let scores: LiveScores = from_json(&scores).map_err(crate::error::of_json)?;
                    *agents.entry(step.agent).or_default() |= !scores.broken.is_empty();
                }
            }
            for (agent, broken) in agents {
                let checks = broken.then(|| BANNED.to_owned()).into_iter().collect();
                each(&head.created_at, Seen { agent, checks });
            }
        }
        if is_last {
            return Ok(());
        }
    }
}

/// What a stored result says of hard obligations; nothing where it could break none.
pub(crate) fn seen(run: &Run) -> Result<Vec<Seen>, Error> {
    let result = run.result.as_str();
    let one = |checks| vec![Seen { agent: run.head.agent.clone(), checks }];
    Ok(match run.head.verb.as_str() {
        "audit" => one(audited(&from_json(result)?)),
        "plan" => one(validated(&from_json::<PlanResponse>(result)?.validation)),
        "plan check" => one(validated(&from_json(result)?)),
        "review" | "session" => {
            let review: Review = from_json(result)?;
            reviewed(&review).map(one).unwrap_or_default()
        }
        "watch" => {
            let watch: Watch = from_json(result)?;
            let of = |own: steadfast_wire::watch::Trajectory| {
                let broken = own.steps.iter().any(|step| !step.broken.is_empty());
                Seen { agent: own.agent, checks: broken.then(|| BANNED.to_owned()).into_iter().collect() }
            };
            watch.trajectories.into_iter().map(of).collect()
        }
        _ => Vec::new(),
    })
}

/// Whether an obligation of this kind binds.
const fn binds(kind: ObligationKind) -> bool {
    use ObligationKind::{Banned, Budget, Constraint, Deadline, Metric, NonGoal, Place};
    matches!(kind, Banned | Budget | Constraint | Deadline | Metric | NonGoal | Place)
}

/// The checks that found a hard obligation broken.
pub(crate) fn audited(own: &DriftEvaluation) -> BTreeSet<String> {
    let broken = own
        .obligations
        .iter()
        .filter(|obligation| obligation.is_broken() && obligation.basis == Basis::Explicit && binds(obligation.kind));
    let ids: BTreeSet<&str> = broken.map(|obligation| obligation.id.as_str()).collect();
    let breaks = own
        .drift_incidents
        .iter()
        .filter(|incident| incident.obligation.as_deref().is_some_and(|obligation| ids.contains(obligation)));
    breaks.map(|incident| incident.check.clone()).collect()
}

/// The same of a plan.
pub(crate) fn validated(own: &Validation) -> BTreeSet<String> {
    own.findings.iter().filter(|finding| finding.hard).map(|finding| finding.check.clone()).collect()
}

/// The same of a review; `None` where it has no criteria.
pub(crate) fn reviewed(own: &Review) -> Option<BTreeSet<String>> {
    let unmet = own.criteria.iter().any(|own| own.status == CriterionStatus::Unmet);
    (!own.criteria.is_empty()).then(|| unmet.then(|| CRITERION.to_owned()).into_iter().collect())
}

/// Runs, broken ones, and those that each check found broken.
#[derive(Default)]
struct Count {
    runs: u64,
    broken: u64,
    checks: BTreeMap<String, u64>,
}

/// What was seen, by the Monday of its week and its agent.
struct Counts {
    zone: TimeZone,
    weeks: BTreeMap<String, BTreeMap<Option<String>, Count>>,
}

impl Counts {
    fn add(&mut self, at: &str, seen: Seen) {
        let Ok(at) = at.parse::<Timestamp>() else { return };
        let date = at.to_zoned(self.zone.clone()).date();
        let count = self.weeks.entry(name_of(date)).or_default().entry(seen.agent).or_default();
        count.runs += 1;
        count.broken += u64::from(!seen.checks.is_empty());
        for check in seen.checks {
            *count.checks.entry(check).or_default() += 1;
        }
    }

    fn week(&mut self, monday: &Zoned) -> Week {
        let week = name_of(monday.date());
        let agents = self.weeks.remove(&week).unwrap_or_default();
        let (runs, broken) = agents.values().fold((0, 0), |(runs, broken), own| (runs + own.runs, broken + own.broken));
        let agents = agents.into_iter().map(|(agent, own)| AgentWeek {
            agent,
            runs: own.runs,
            broken: own.broken,
            share: share(own.broken, own.runs),
            checks: own
                .checks
                .into_iter()
                .map(|(check, broken)| CheckWeek { check, broken, share: share(broken, own.runs) })
                .collect(),
        });
        Week {
            begins: monday.date().to_string(),
            all: Broken { runs, broken, share: share(broken, runs) },
            agents: agents.collect(),
            week,
        }
    }
}

/// The ISO week of a day: `2026-W04`.
fn name_of(date: jiff::civil::Date) -> String {
    let week = date.iso_week_date();
    format!("{:04}-W{:02}", week.year(), week.week())
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str) -> TimeZone {
        time_zone(name).map(|(zone, _)| zone).unwrap_or(TimeZone::UTC)
    }

    fn of(now: &str, weeks: u32, name: &str) -> Vec<String> {
        let mondays = mondays(now, weeks, &zone(name)).unwrap_or_default();
        mondays.iter().map(|monday| format!("{} {}", name_of(monday.date()), monday.timestamp())).collect()
    }

    #[test]
    fn weeks_are_those_of_iso_8601_in_their_zone() {
        assert_eq!(of("2026-01-01T12:00:00Z", 1, "UTC"), ["2026-W01 2025-12-29T00:00:00Z"]);
        assert_eq!(
            of("2021-01-03T23:59:59Z", 2, "UTC"),
            ["2020-W52 2020-12-21T00:00:00Z", "2020-W53 2020-12-28T00:00:00Z"]
        );
        // A Monday in Auckland is a Sunday in UTC; over a change of the clocks a week has 167 hours.
        assert_eq!(of("2026-01-25T11:00:00Z", 1, "Pacific/Auckland"), ["2026-W05 2026-01-25T11:00:00Z"]);
        assert_eq!(
            of("2026-03-30T12:00:00Z", 2, "Europe/Berlin"),
            ["2026-W13 2026-03-22T23:00:00Z", "2026-W14 2026-03-29T22:00:00Z"]
        );
    }

    #[test]
    fn runs_count_in_the_week_and_for_the_agent_of_theirs() {
        let mut counts = Counts { zone: zone("Europe/Berlin"), weeks: BTreeMap::new() };
        let seen = |agent: Option<&str>, checks: &[&str]| Seen {
            agent: agent.map(str::to_owned),
            checks: checks.iter().map(|check| (*check).to_owned()).collect(),
        };
        counts.add("2026-01-25T22:59:59.999Z", seen(None, &["budget-broken"]));
        counts.add("2026-01-25T23:00:00.000Z", seen(Some("baker"), &[]));
        counts.add("2026-01-26T10:00:00.000Z", seen(Some("baker"), &["banned", "criterion"]));
        let mondays = mondays("2026-01-27T12:00:00Z", 2, &zone("Europe/Berlin")).unwrap_or_default();
        let weeks: Vec<Week> = mondays.iter().map(|monday| counts.week(monday)).collect();
        assert_eq!(weeks[0].all, Broken { runs: 1, broken: 1, share: 1.0 });
        assert_eq!((weeks[1].week.as_str(), weeks[1].begins.as_str()), ("2026-W05", "2026-01-26"));
        let baker = &weeks[1].agents[0];
        assert_eq!((baker.agent.as_deref(), baker.runs, baker.broken, baker.share), (Some("baker"), 2, 1, 0.5));
        let checks: Vec<(&str, u64)> = baker.checks.iter().map(|own| (own.check.as_str(), own.broken)).collect();
        assert_eq!(checks, [("banned", 1), ("criterion", 1)]);
    }

    #[test]
    fn what_cannot_be_read_is_told_apart_from_what_is_not_counted() {
        let run = |verb: &str| Run {
            head: crate::store::RunHead { verb: verb.to_owned(), ..crate::store::RunHead::default() },
            result: "{}".to_owned(),
        };
        assert_eq!(seen(&run("pick")).ok(), Some(Vec::new()));
        assert!(seen(&run("audit")).is_err());
    }
}
