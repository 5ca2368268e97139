//! Gates: functions of a result, apart from it. Nothing is asked for, nothing fails. They pass over incidents that are accepted or contested.

#[cfg(test)]
mod tests;

use steadfast_wire::audit::{
    Assessed, CodeState, DriftEvaluation, DriftIncident, GateReport, NotEvaluable, Obligation, Risk, Status, Strength,
};

use crate::error::Refusal;
use crate::runs::Asked;

/// The best score.
const SCORE_MAX: f64 = 5.0;

/// What an audit can fail on.
const CONDITIONS: &str =
    "audit fails on `broken`, `missing`, `unassessed`, `disqualified`, `risk=low|medium|high|critical` or `new`";

/// What a result must be to pass.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gates {
    /// Fails below this overall score, 0 to 5.
    pub fail_below: Option<f64>,
    /// Fails at this risk or worse.
    pub fail_on_risk: Option<Risk>,
    /// Fails when anything disqualifies.
    pub fail_on_disqualified: bool,
    /// Fails when an incident of severity 1 or more is new, and not settled.
    pub fail_on_new: bool,
    /// Fails when an obligation is broken or weakened by an incident that is not settled.
    pub fail_on_broken: bool,
    /// Fails when nothing comes near an obligation that must be kept, and nobody settled that.
    pub fail_on_missing: bool,
    /// Fails when less than the `usable_share` of the evaluation of the obligations that must be kept were judged.
    pub fail_on_unassessed: bool,
}

/// Ids that a failure names.
const NAMED_MAX: usize = 3;

/// The first ids of a list: `a, b, c, …`.
fn named(ids: &[String]) -> String {
    let named = ids.iter().take(NAMED_MAX).map(String::as_str).collect::<Vec<_>>().join(", ");
    if ids.len() > NAMED_MAX { format!("{named}, …") } else { named }
}

/// "1 obligation is", "2 obligations are".
fn are(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun} is") } else { format!("{count} {noun}s are") }
}

/// How much was assessed, without what of it.
fn unassessed(assessed: &Assessed, ids: &[String]) -> String {
    let (n, of, those) = share_of(assessed);
    let without = if ids.is_empty() { String::new() } else { format!(", not {}", named(ids)) };
    format!("{n} of {of} {those} were assessed{without} (--fail-on unassessed)")
}

impl Gates {
    /// The gates that a request asks for. Of several risks the lowest holds, since each of them fails.
    ///
    /// # Errors
    /// [`Refusal`] where a condition is not known, or a score cannot be one.
    pub fn asked(conditions: &[String], fail_below: Option<f64>) -> Result<Self, Refusal> {
        if let Some(score) = fail_below.filter(|score| !(0.0..=SCORE_MAX).contains(score)) {
            return Err(Refusal::input(format!("an audit cannot fail below a score of {score}"))
                .hint("a score lies between 0 and 5"));
        }
        let mut gates = Self { fail_below, ..Self::default() };
        for condition in conditions {
            gates.add(condition)?;
        }
        Ok(gates)
    }

    fn add(&mut self, condition: &str) -> Result<(), Refusal> {
        match condition {
            "broken" => self.fail_on_broken = true,
            "missing" => self.fail_on_missing = true,
            "unassessed" => self.fail_on_unassessed = true,
            "disqualified" => self.fail_on_disqualified = true,
            "new" => self.fail_on_new = true,
            _ => {
                let named = condition
                    .strip_prefix("risk=")
                    .and_then(|level| Risk::ALL.iter().copied().find(|risk| risk.name() == level));
                let Some(named) = named else {
                    return Err(Refusal::input(format!("an audit cannot fail on `{condition}`")).hint(CONDITIONS));
                };
                self.fail_on_risk = Some(self.fail_on_risk.map_or(named, |own| own.min(named)));
            }
        }
        Ok(())
    }

    /// What was asked for, as a result names it.
    fn names(&self) -> Vec<String> {
        let flags = [
            (self.fail_on_broken, "broken"),
            (self.fail_on_missing, "missing"),
            (self.fail_on_unassessed, "unassessed"),
            (self.fail_on_disqualified, "disqualified"),
            (self.fail_on_new, "new"),
        ];
        let risk = self.fail_on_risk.map(|risk| format!("risk={}", risk.name()));
        let score = self.fail_below.map(|score| format!("score<{score}"));
        let flags = flags.iter().filter(|(asked, _)| *asked).map(|(_, name)| (*name).to_owned());
        flags.chain(risk).chain(score).collect()
    }

    fn report(&self, failures: Vec<String>) -> Option<GateReport> {
        let asked = self.names();
        (!asked.is_empty()).then_some(GateReport { passed: failures.is_empty(), asked, failures })
    }

    /// What came of the gates; `None` where none was asked for.
    #[must_use]
    pub fn of(&self, evaluation: &DriftEvaluation) -> Option<GateReport> {
        self.report(self.failures(evaluation))
    }

    /// The same where nothing could be evaluated: nothing is broken then, and nothing was assessed.
    #[must_use]
    pub fn of_nothing(&self, answer: &NotEvaluable) -> Option<GateReport> {
        let ids: Vec<String> = answer.obligations.iter().map(|own| own.id.clone()).collect();
        let unassessed = self.fail_on_unassessed.then(|| unassessed(&answer.assessed, &ids));
        self.report(unassessed.into_iter().collect())
    }

    /// The gates as settings of the run.
    #[must_use]
    pub fn settings(&self, asked: Asked) -> Asked {
        asked
            .with("fail_below", self.fail_below)
            .with("fail_on_risk", self.fail_on_risk.map(Risk::name))
            .with("fail_on_disqualified", self.fail_on_disqualified)
            .with("fail_on_new", self.fail_on_new)
            .with("fail_on_broken", self.fail_on_broken)
            .with("fail_on_missing", self.fail_on_missing)
            .with("fail_on_unassessed", self.fail_on_unassessed)
    }

    /// The gates that `evaluation` does not pass, in words and in a fixed order.
    #[must_use]
    pub fn failures(&self, evaluation: &DriftEvaluation) -> Vec<String> {
        let mut failures = Vec::new();
        let remaining = evaluation.decisions.as_ref().map(|decisions| &decisions.remaining);
        let without = if remaining.is_some() { " without what is accepted or contested" } else { "" };
        let score = remaining.map_or(evaluation.overall_fidelity_score, |own| own.overall_fidelity_score);
        // Compared as published: two decimals.
        let score = (score * 100.0).round() / 100.0;
        if let Some(fail_below) = self.fail_below.filter(|fail_below| score < *fail_below) {
            failures.push(format!("the score is {score:.2}{without} (--fail-below {fail_below})"));
        }
        let risk = remaining.map_or(evaluation.overall_drift_risk, |own| own.overall_drift_risk);
        if let Some(fail_on) = self.fail_on_risk.filter(|fail_on| risk >= *fail_on) {
            failures.push(format!("the risk is {risk}{without} (--fail-on risk={fail_on})"));
        }
        let disqualifiers = match remaining {
            Some(own) => own.disqualifiers.clone(),
            None => evaluation.disqualifiers.iter().map(|it| it.condition).collect(),
        };
        if self.fail_on_disqualified && !disqualifiers.is_empty() {
            let labels: Vec<&str> = disqualifiers.iter().map(|condition| condition.label()).collect();
            failures.push(format!("disqualified: {} (--fail-on disqualified)", labels.join("; ")));
        }
        let new: Vec<String> =
            evaluation.drift_incidents.iter().filter(|own| is_new(own)).map(|own| own.id.clone()).collect();
        if self.fail_on_new && !new.is_empty() {
            let new = format!("{} new: {}", are(new.len(), "incident"), named(&new));
            failures.push(format!("{new} (--fail-on new)"));
        }
        let ids = |holds: &dyn Fn(&Obligation) -> bool| -> Vec<String> {
            evaluation.obligations.iter().filter(|own| holds(own)).map(|own| own.id.clone()).collect()
        };
        let broken = remaining.map_or_else(|| ids(&Obligation::is_broken), |own| own.broken.clone());
        if self.fail_on_broken && !broken.is_empty() {
            let broken = format!("{} broken or weakened: {}", are(broken.len(), "obligation"), named(&broken));
            failures.push(format!("{broken} (--fail-on broken)"));
        }
        let counted = |own: &Obligation| own.counted(evaluation.trust_host);
        let is_missing = |own: &Obligation| {
            let CodeState { status, assessed } = counted(own);
            status == Status::Unmentioned && assessed
        };
        let missing = remaining.map_or_else(|| ids(&is_missing), |own| own.missing.clone());
        if self.fail_on_missing && !missing.is_empty() {
            let one = missing.len() == 1;
            let those = if one { "obligation that must be kept is" } else { "obligations that must be kept are" };
            failures.push(format!("{} {those} missing: {} (--fail-on missing)", missing.len(), named(&missing)));
        }
        let is_judged = |own: &&Obligation| counted(own).assessed;
        let is_must = |own: &&Obligation| own.strength == Strength::Must;
        let assessed = Assessed {
            n: evaluation.obligations.iter().filter(is_judged).count(),
            must_n: evaluation.obligations.iter().filter(is_must).filter(is_judged).count(),
            ..evaluation.assessed
        };
        let (n, of, _) = share_of(&assessed);
        if self.fail_on_unassessed && (of == 0 || (n as f64) < evaluation.usable_share * of as f64) {
            let must = assessed.must_of > 0;
            let ids = ids(&|own| !is_judged(&own) && (!must || is_must(&own)));
            failures.push(unassessed(&assessed, &ids));
        }
        failures
    }
}

/// What the share is of that is judged: of what must be kept, of all where nothing must be.
const fn share_of(assessed: &Assessed) -> (usize, usize, &'static str) {
    if assessed.must_of > 0 {
        (assessed.must_n, assessed.must_of, "obligations that must be kept")
    } else {
        (assessed.n, assessed.of, "obligations")
    }
}

fn is_new(incident: &DriftIncident) -> bool {
    incident.new == Some(true) && incident.severity > 0 && !incident.is_settled()
}
