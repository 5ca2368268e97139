//! Rules of alerts, and where they are told: what the settings file says.

use std::collections::BTreeMap;
use std::env;
use std::path::PathBuf;
use std::time::Duration;

use steadfast_engine::alerts::{Bound, Metric, Rule, Share};
use steadfast_notify::{Secret, Target};
use steadfast_wire::settings::{AlertRuleSettings, AlertsSettings, CommandSettings, WebhookSettings};

use super::chat::secret_file;
use super::file::{self, SettingsFile};
use crate::exit::Failure;

/// Rules, and targets, that there may be.
const RULES_MAX: usize = 100;
const TARGETS_MAX: usize = 16;

/// Values that a rule may look back on.
const VALUES_MAX: usize = 1_000;

/// Longest window and cooldown, in minutes: a week.
const MINUTES_MAX: f64 = 7.0 * 24.0 * 60.0;

/// How long a rule is silent after it fired where nothing is said, in minutes.
const COOLDOWN_MINUTES: f64 = 30.0;

/// How long a target is waited for, in seconds: where nothing is said, and at most.
const TIMEOUT_S: f64 = 10.0;
const TIMEOUT_S_MAX: f64 = 300.0;

/// A minute, in microseconds.
const MINUTE_US: f64 = 60e6;

/// Rules, and where they are told.
#[derive(Debug, Default)]
pub(crate) struct AlertSettings {
    /// The rules.
    pub(crate) rules: Vec<Rule>,
    /// Who can be told.
    pub(crate) targets: BTreeMap<String, Target>,
}

/// What the settings file says of alerts.
pub(crate) fn alerts(config: Option<PathBuf>) -> Result<AlertSettings, Failure> {
    let file = file::read(config)?;
    of(&file).map_err(|(place, what)| Failure::usage(format!("{}: `alerts.{place}`: {what}", file.name())))
}

/// A setting that cannot be, and what is wrong with it.
type Wrong = (String, String);

fn of(file: &SettingsFile) -> Result<AlertSettings, Wrong> {
    let AlertsSettings { rules, webhooks, commands } = &file.settings.alerts;
    let mut targets = BTreeMap::new();
    for (name, own) in webhooks {
        targets.insert(name.clone(), webhook(own, file).map_err(|what| (format!("webhooks.{name}"), what))?);
    }
    for (name, own) in commands {
        let place = format!("commands.{name}");
        let target = command(own).map_err(|what| (place.clone(), what))?;
        if targets.insert(name.clone(), target).is_some() {
            return Err((place, "a webhook has the same name".to_owned()));
        }
    }
    if targets.len() > TARGETS_MAX || rules.len() > RULES_MAX {
        return Err(("rules".to_owned(), format!("there may be {RULES_MAX} rules and {TARGETS_MAX} targets")));
    }
    let mut all = AlertSettings::default();
    for own in rules {
        let place = format!("rules.{}", own.name);
        if own.name.is_empty() || all.rules.iter().any(|rule| rule.name == own.name) {
            return Err((place, "its name is empty, or that of another rule".to_owned()));
        }
        let to = own.to.clone().unwrap_or_else(|| targets.keys().cloned().collect());
        if let Some(unknown) = to.iter().find(|name| !targets.contains_key(*name)) {
            return Err((place, format!("`{unknown}` is neither a webhook nor a command")));
        }
        all.rules.push(rule(own, to).map_err(|what| (place, what))?);
    }
    all.targets = targets;
    Ok(all)
}

fn rule(own: &AlertRuleSettings, to: Vec<String>) -> Result<Rule, String> {
    let metric = Metric::ALL.into_iter().find(|metric| metric.name() == own.metric).ok_or_else(|| {
        let known: Vec<&str> = Metric::ALL.iter().map(|metric| metric.name()).collect();
        format!("`{}` is no metric: there are {}", own.metric, known.join(", "))
    })?;
    let bound = match (own.above, own.below) {
        (Some(above), None) if above.is_finite() => Bound::Above(above),
        (None, Some(below)) if below.is_finite() => Bound::Below(below),
        _ => return Err("has one of `above` and `below`, a finite number".to_owned()),
    };
    let fires = share(own.k.unwrap_or(1), own.n, own.k)?;
    let resolves = share(own.recover_k.unwrap_or(fires.k), own.recover_n.or(own.n), own.recover_k)?;
    let minutes = |given: Option<f64>, name: &str| match given {
        Some(minutes) if minutes.is_finite() && (0.0..=MINUTES_MAX).contains(&minutes) => Ok(Some(minutes)),
        Some(minutes) => Err(format!("`{name}` is {minutes}: it lies between 0 and {MINUTES_MAX}")),
        None => Ok(None),
    };
    let window = minutes(own.window_minutes, "window_minutes")?;
    let cooldown = minutes(own.cooldown_minutes, "cooldown_minutes")?.unwrap_or(COOLDOWN_MINUTES);
    Ok(Rule {
        name: own.name.clone(),
        metric,
        bound,
        fires,
        resolves,
        window_us: window.map(|minutes| (minutes * MINUTE_US) as u64),
        cooldown_us: (cooldown * MINUTE_US) as u64,
        agent: own.agent.clone().unwrap_or_else(|| "*".to_owned()),
        to,
    })
}

/// `k` of `n`; where `n` is less than a `k` that is not given with it, `n` is `k`.
fn share(k: usize, n: Option<usize>, given_k: Option<usize>) -> Result<Share, String> {
    let n = n.filter(|n| *n >= k || given_k.is_some()).unwrap_or(k);
    if k == 0 || k > n || n > VALUES_MAX {
        return Err(format!("{k} of {n} cannot be: it is 1 to n of at most {VALUES_MAX}"));
    }
    Ok(Share { k, n })
}

fn seconds(given: Option<f64>) -> Result<Duration, String> {
    let seconds = given.unwrap_or(TIMEOUT_S);
    if seconds > 0.0 && seconds <= TIMEOUT_S_MAX {
        return Ok(Duration::from_secs_f64(seconds));
    }
    Err(format!("`timeout_s` is {seconds}: it lies above 0 and at most at {TIMEOUT_S_MAX}"))
}

fn webhook(own: &WebhookSettings, file: &SettingsFile) -> Result<Target, String> {
    let WebhookSettings { url, secret_env, secret_file: secret_path, timeout_s } = own;
    steadfast_net::origin_of(url).map_err(|error| error.to_string())?;
    let text = match (secret_env, secret_path) {
        (None, None) => None,
        (Some(name), None) => Some(env::var(name).map_err(|_| format!("the variable {name} is not set"))?),
        (None, Some(path)) => Some(secret_file(&file.beside(path)).map_err(|failure| failure.message)?),
        (Some(_), Some(_)) => return Err("has both `secret_env` and `secret_file`".to_owned()),
    };
    // Neither it nor a part of it stands in any message.
    let secret = text.map(|text| Secret::of(&text).ok_or("its secret is not `whsec_` and 24 to 64 bytes in base64"));
    Ok(Target::Webhook { url: url.clone(), secret: secret.transpose()?, timeout: seconds(*timeout_s)? })
}

fn command(own: &CommandSettings) -> Result<Target, String> {
    if own.argv.first().is_none_or(String::is_empty) {
        return Err("`argv` names no program".to_owned());
    }
    Ok(Target::Command { argv: own.argv.clone(), timeout: seconds(own.timeout_s)? })
}
