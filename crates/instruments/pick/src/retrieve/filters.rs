//! What the metadata of a prompt must be, and how far it is what is wanted.

use std::collections::BTreeSet;

use crate::record::PromptRecord;
use crate::stage::Stage;

/// The metadata of a prompt that it is filtered and matched by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts<'a> {
    /// Its name in the vault.
    pub id: Option<&'a str>,
    /// The stage of work that it serves.
    pub stage: Option<Stage>,
    /// What is done with it.
    pub intent: Option<&'a str>,
    /// What it works on.
    pub task_type: Option<&'a str>,
    /// The field that it belongs to.
    pub domain: Option<&'a str>,
    /// Draft, reviewed …
    pub status: Option<&'a str>,
    /// Its tags.
    pub tags: Vec<&'a str>,
    /// The models that it was tried with.
    pub models: Vec<&'a str>,
}

impl<'a> From<&'a PromptRecord> for Facts<'a> {
    fn from(record: &'a PromptRecord) -> Self {
        Self {
            id: Some(&record.prompt_id),
            stage: record.stage,
            intent: record.intent.as_deref(),
            task_type: record.task_type.as_deref(),
            domain: record.domain.as_deref(),
            status: record.status.as_deref(),
            tags: record.tags.iter().map(String::as_str).collect(),
            models: record.models_tested.iter().map(String::as_str).collect(),
        }
    }
}

/// Weights of a match: section 6 of the prompt-orchestration document leaves them open.
const INTENT: f64 = 0.4;
const TASK_TYPE: f64 = 0.3;
const DOMAIN: f64 = 0.3;
/// What a field that nobody filled in counts, as a share of its weight.
const UNKNOWN: f64 = 0.5;

/// Hard constraints: of each list that is not empty, a prompt must have one. Case does not count; what a prompt does not say of itself is not it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    /// Stages of work.
    pub stages: Vec<Stage>,
    /// What is done with it.
    pub intents: Vec<String>,
    /// What it works on.
    pub task_types: Vec<String>,
    /// Fields that it belongs to.
    pub domains: Vec<String>,
    /// Tags.
    pub tags: Vec<String>,
    /// Draft, reviewed …
    pub statuses: Vec<String>,
    /// Those that it must not have: retired, say.
    pub statuses_excluded: Vec<String>,
    /// Models that it was tried with.
    pub models: Vec<String>,
    /// Prompts that are not looked at, by their ids.
    pub ids_excluded: BTreeSet<String>,
}

impl Filters {
    /// Whether there is nothing to hold.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a prompt is let through.
    #[must_use]
    pub fn accept(&self, facts: &Facts<'_>) -> bool {
        let one = |wanted: &[String], field: Option<&str>| wanted.is_empty() || is_one_of(field, wanted);
        let any = |wanted: &[String], fields: &[&str]| {
            wanted.is_empty() || fields.iter().any(|field| is_one_of(Some(field), wanted))
        };
        (self.stages.is_empty() || facts.stage.is_some_and(|stage| self.stages.contains(&stage)))
            && one(&self.intents, facts.intent)
            && one(&self.task_types, facts.task_type)
            && one(&self.domains, facts.domain)
            && one(&self.statuses, facts.status)
            && any(&self.tags, &facts.tags)
            && any(&self.models, &facts.models)
            && !is_one_of(facts.status, &self.statuses_excluded)
            && !facts.id.is_some_and(|id| self.ids_excluded.contains(id))
    }
}

fn is_one_of(field: Option<&str>, wanted: &[String]) -> bool {
    field.is_some_and(|field| wanted.iter().any(|wanted| same(wanted, field)))
}

/// Whether two values of a field are the same: case and white space around them do not count.
fn same(a: &str, b: &str) -> bool {
    let lower = |text: &'_ str| text.trim().to_lowercase();
    a.trim().eq_ignore_ascii_case(b.trim()) || (!a.is_ascii() && lower(a) == lower(b))
}

/// What is wanted of a prompt; what is `None` is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted<'a> {
    /// What is to be done.
    pub intent: Option<&'a str>,
    /// What it is about.
    pub task_type: Option<&'a str>,
    /// The field that it belongs to.
    pub domain: Option<&'a str>,
}

impl Wanted<'_> {
    /// How far a prompt's metadata is what is wanted, 0 to 1: 0.4 for the intent, 0.3 for the task type, 0.3 for the domain, and of a field that either side
    /// does not know half of that.
    #[must_use]
    pub fn metadata_match(&self, facts: &Facts<'_>) -> f64 {
        let part = |weight: f64, wanted: Option<&str>, field: Option<&str>| match (said(wanted), said(field)) {
            (Some(wanted), Some(field)) if same(wanted, field) => weight,
            (Some(_), Some(_)) => 0.0,
            _ => weight * UNKNOWN,
        };
        part(INTENT, self.intent, facts.intent)
            + part(TASK_TYPE, self.task_type, facts.task_type)
            + part(DOMAIN, self.domain, facts.domain)
    }

    /// Whether something is wanted, a prompt says what it is, and all that both say is the same.
    #[must_use]
    pub fn is_met(&self, facts: &Facts<'_>) -> bool {
        let pairs = [(self.intent, facts.intent), (self.task_type, facts.task_type), (self.domain, facts.domain)];
        let known: Vec<(&str, &str)> =
            pairs.into_iter().filter_map(|(wanted, field)| said(wanted).zip(said(field))).collect();
        known.len() >= 2 && known.iter().all(|(wanted, field)| same(wanted, field))
    }
}

fn said(field: Option<&str>) -> Option<&str> {
    field.filter(|field| !field.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(intent: &str, domain: &str) -> PromptRecord {
        let field = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        PromptRecord { intent: field(intent), domain: field(domain), ..PromptRecord::default() }
    }

    #[test]
    fn a_match_is_weighted_and_what_is_unknown_counts_half() {
        let check = |wanted: Wanted<'_>, record: &PromptRecord, expect: f64| {
            let found = wanted.metadata_match(&record.into());
            assert!((found - expect).abs() < 1e-12, "{found}, not {expect}");
        };
        let wanted = Wanted { intent: Some("Create"), task_type: None, domain: Some("marketing") };
        check(wanted, &record("create", " Marketing"), 0.4 + 0.15 + 0.3);
        check(wanted, &record("create", "law"), 0.4 + 0.15);
        check(wanted, &record("", ""), 0.5);
        check(Wanted::default(), &record("create", "law"), 0.5);
        let is_met = |intent: &str, domain: &str| wanted.is_met(&(&record(intent, domain)).into());
        assert!(is_met("create", "marketing") && !is_met("create", "") && !is_met("create", "law"));
    }

    #[test]
    fn every_list_that_is_given_must_be_met() {
        let record = PromptRecord {
            stage: Some(Stage::Plan),
            status: Some("Retired".to_owned()),
            tags: vec!["week".to_owned()],
            ..PromptRecord::default()
        };
        let record = Facts::from(&record);
        let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert!(Filters::default().is_empty() && Filters::default().accept(&record));
        let tagged = Filters { stages: vec![Stage::Plan], tags: words(&["day", "WEEK"]), ..Filters::default() };
        assert!(tagged.accept(&record));
        assert!(!Filters { stages: vec![Stage::Verify], ..tagged.clone() }.accept(&record));
        assert!(!Filters { domains: words(&["law"]), ..tagged.clone() }.accept(&record));
        assert!(!Filters { statuses_excluded: words(&["retired"]), ..tagged.clone() }.accept(&record));
        assert!(!Filters { ids_excluded: [record.id.unwrap().to_owned()].into(), ..tagged }.accept(&record));
    }
}
