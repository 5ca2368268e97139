//! What is kept of a run: what it read, how it was asked, what came of it. The same whatever door the request came in by.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use steadfast_wire::audit::DriftEvaluation;
use steadfast_wire::pick::FinalOutput;
use steadfast_wire::plan::{Constraints, PlanResponse, Validation, Variant};
use steadfast_wire::request::AgentName;
use steadfast_wire::review::Review;
use steadfast_wire::runs::{Input, Settings};
use steadfast_wire::sessions::{self, SessionVerdict};
use steadfast_wire::trace::Value;
use steadfast_wire::watch::{Aggregate, Comparison, Watch};
use steadfast_wire::{plan, to_json_line};

use super::of_json;
use crate::EngineError;
use crate::hash::hex;
use crate::intake::File;
use crate::plan::{EarlierPlan, NotesRequest, PlanAssistance};
use crate::review::ReviewRequest;
use crate::summary::{self, audited, validated};
use crate::vault::{PickAssistance, PickRequest};

/// Characters of the title of a task.
const TITLE_CHARS_MAX: usize = 60;

/// A file as an input of a run.
#[must_use]
pub fn input(file: &File) -> Input {
    let mut hash = InputHash::default();
    hash.push(&file.bytes);
    hash.end(&file.name)
}

/// The hash of an input that comes in pieces.
#[derive(Clone, Debug, Default)]
pub struct InputHash {
    sha256: Sha256,
    bytes: u64,
}

impl InputHash {
    /// Takes the next piece.
    pub fn push(&mut self, piece: &[u8]) {
        self.sha256.update(piece);
        self.bytes += piece.len() as u64;
    }

    /// The input, under its name.
    #[must_use]
    pub fn end(self, name: &str) -> Input {
        Input { name: name.to_owned(), bytes: self.bytes, sha256: hex(&self.sha256.finalize()) }
    }
}

/// What a run read, and what it was asked for besides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// What it read.
    pub inputs: Vec<Input>,
    /// What it was asked for besides, by name.
    pub settings: Settings,
    /// Whose work it is about, where that is known. It stands beside what was asked for: no result depends on it.
    pub agent: Option<AgentName>,
}

impl Asked {
    /// What reads these inputs, and is asked for nothing besides.
    fn of(inputs: Vec<Input>) -> Self {
        Self { inputs, ..Self::default() }
    }

    /// The same, about the work of an agent.
    #[must_use]
    pub fn about(self, agent: Option<AgentName>) -> Self {
        Self { agent, ..self }
    }

    /// What an audit is asked for; its inputs are the sources of its result.
    #[must_use]
    pub fn audit(evaluation: &DriftEvaluation) -> Self {
        let input = |source: &steadfast_wire::audit::Source| Input {
            name: source.file.clone(),
            bytes: source.bytes as u64,
            sha256: source.sha256.clone(),
        };
        let inputs = evaluation.sources.iter().map(input).collect();
        Self::of(inputs)
            .with("judge", evaluation.judge.name())
            .with("reading", evaluation.reading.by.name())
            .with("trust_host", evaluation.trust_host)
            .with("usable_share", evaluation.usable_share)
    }

    /// What notes are read for, and somebody's plan beside them.
    #[must_use]
    pub fn notes(request: &NotesRequest, plan: Option<&File>) -> Self {
        let inputs = [&request.notes].into_iter().chain(&request.calendars).chain(plan).map(input).collect();
        Self::of(inputs)
            .with("current_time", request.current_time.as_str())
            .with("timezone", request.timezone.as_str())
            .with("preferences", request.preferences.name())
    }

    /// The same with the items of an earlier plan that are done.
    #[must_use]
    pub fn earlier(self, earlier: &EarlierPlan) -> Self {
        let done: Vec<String> = earlier.done.iter().map(ToString::to_string).collect();
        self.with("done", done)
    }

    /// The same with the way in which a plan is made.
    #[must_use]
    pub fn variant(self, variant: Variant) -> Self {
        self.with("variant", variant.name())
    }

    /// The same with what chat models are asked for; nothing where they are asked for nothing.
    #[must_use]
    pub fn plan_assistance(self, assistance: &PlanAssistance) -> Self {
        let PlanAssistance { desk: _, extract, generate, advise } = assistance;
        if !(*extract || *generate || *advise) {
            return self;
        }
        self.with("extract", if *extract { "model" } else { "rules" })
            .with("generate", if *generate { "model" } else { "built-in" })
            .with("advise", *advise)
    }

    /// What steps are followed for.
    #[must_use]
    pub fn watch(inputs: Vec<Input>, aggregate: Aggregate, alert: Option<f64>) -> Self {
        Self::of(inputs).with("aggregate", aggregate.name()).with("alert", alert)
    }

    /// What prompts are picked for.
    #[must_use]
    pub fn pick(request: &PickRequest, operating_point: &str, filters: Vec<String>) -> Self {
        let task = File::of(title_of(&request.task), request.task.as_str());
        Self::of(vec![input(&task)])
            .with("at", request.at.clone())
            .with("operating_point", operating_point)
            .with("explain", request.explain)
            .with("filters", filters)
    }

    /// The same with what a chat model is asked for; nothing where it is asked for nothing.
    #[must_use]
    pub fn pick_assistance(self, assistance: &PickAssistance) -> Self {
        let asked = [("intake", assistance.intake), ("rank", assistance.rank)];
        asked.into_iter().filter(|(_, asked)| *asked).fold(self, |own, (name, _)| own.with(name, "model"))
    }

    /// What an output is reviewed for.
    #[must_use]
    pub fn review(request: &ReviewRequest) -> Self {
        let session = request.session.iter().map(|(file, _)| file);
        let beside = session.chain(&request.rules).chain(&request.evidence);
        Self::of(std::iter::once(&request.output).chain(beside).map(input).collect())
            .with("criteria", request.criteria.clone())
            .with("judge", request.judge.name())
            .with("threshold", request.threshold)
            .with("profile", request.profile.name())
            .with("summary_tokens", request.summary_tokens_max)
            .with("embedder", request.embedder.as_ref().map(|embedder| embedder.version().to_owned()))
    }

    /// The same with a setting.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.settings.insert(name.to_owned(), value.into());
        self
    }
}

/// How a task begins, by which people know it in a list.
fn title_of(task: &str) -> String {
    let mut words = task.split(|own: char| own.is_whitespace() || own.is_control()).filter(|word| !word.is_empty());
    let mut title = String::new();
    let is_cut = words.any(|word| {
        let gap = if title.is_empty() { "" } else { " " };
        let room = TITLE_CHARS_MAX.saturating_sub(title.chars().count() + gap.len());
        let fits = word.chars().count() <= room;
        if fits {
            title.push_str(gap);
            title.push_str(word);
        } else if title.is_empty() {
            title.extend(word.chars().take(room));
        }
        !fits
    });
    match (title.is_empty(), is_cut) {
        (true, _) => "task".to_owned(),
        (false, true) => format!("{title}…"),
        (false, false) => title,
    }
}

/// What a run came to. Its result is stored whole, whatever is listed of it, and without the member `run`.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// What was asked for: `audit`, `plan check`.
    pub verb: &'static str,
    /// The version of the result's JSON.
    pub schema_version: String,
    /// The version of the rules that judged, where they have one.
    pub rules_version: Option<String>,
    /// What came of it, in a word.
    pub verdict: Option<String>,
    /// How many checks found a hard obligation broken, where one could be.
    pub broken: Option<u64>,
    /// The JSON of its result on one line.
    pub result: String,
    /// The task that it belongs to, where no output is kept with it.
    pub task_id: Option<String>,
    /// The output that it was about, where it is kept with its task.
    pub output: Option<Reviewed>,
    /// The texts of its inputs that are to be kept, each by the name that spans of the result use. None is, unless whoever asks says so.
    pub texts: BTreeMap<String, String>,
}

/// An output that was reviewed, as its task keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reviewed {
    /// The task.
    pub task_id: String,
    /// All of the output.
    pub content: String,
    /// Its score, 0 to 1; `None` where it cannot be evaluated.
    pub score: Option<f64>,
    /// Its summary, where one was made.
    pub summary: Option<String>,
    /// What follows.
    pub recommendation: String,
}

impl Outcome {
    fn of(
        verb: &'static str,
        schema_version: &str,
        verdict: Option<String>,
        result: Result<String, steadfast_wire::Error>,
    ) -> Result<Self, EngineError> {
        let schema_version = schema_version.to_owned();
        Ok(Self {
            verb,
            schema_version,
            rules_version: None,
            verdict,
            broken: None,
            result: result.map_err(of_json)?,
            task_id: None,
            output: None,
            texts: BTreeMap::new(),
        })
    }

    /// The same, with the texts of its inputs, which are kept as far as [`RUN_TEXTS_BYTES_MAX`](crate::limits::RUN_TEXTS_BYTES_MAX) goes.
    #[must_use]
    pub fn with_texts(self, texts: BTreeMap<String, String>) -> Self {
        Self { texts, ..self }
    }

    /// Of an audit.
    ///
    /// # Errors
    /// [`EngineError::Internal`] where it has no JSON form: a fault of ours.
    pub fn audit(own: &DriftEvaluation) -> Result<Self, EngineError> {
        let verdict = format!("risk {}", own.overall_drift_risk);
        let outcome = Self::of("audit", &own.schema_version, Some(verdict), to_json_line(own))?;
        let broken = Some(audited(own).len() as u64);
        Ok(Self { rules_version: Some(own.rules_version.clone()), broken, ..outcome })
    }

    /// Of a plan.
    ///
    /// # Errors
    /// As [`audit`](Self::audit).
    pub fn plan(own: &PlanResponse) -> Result<Self, EngineError> {
        let verdict = Some(own.status.name().to_owned());
        let outcome = Self::of("plan", plan::SCHEMA_VERSION, verdict, to_json_line(own))?;
        let broken = Some(validated(&own.validation).len() as u64);
        Ok(Self { rules_version: own.rules_version.clone(), broken, ..outcome })
    }

    /// Of the check of somebody's plan.
    ///
    /// # Errors
    /// As [`audit`](Self::audit).
    pub fn plan_check(own: &Validation) -> Result<Self, EngineError> {
        let verdict = Some(own.status.name().to_owned());
        let outcome = Self::of("plan check", plan::SCHEMA_VERSION, verdict, to_json_line(own))?;
        Ok(Self { rules_version: own.rules_version.clone(), broken: Some(validated(own).len() as u64), ..outcome })
    }

    /// Of what notes require.
    ///
    /// # Errors
    /// As [`audit`](Self::audit).
    pub fn plan_constraints(own: &Constraints) -> Result<Self, EngineError> {
        let outcome = Self::of("plan constraints", plan::SCHEMA_VERSION, None, to_json_line(own))?;
        Ok(Self { rules_version: own.rules_version.clone(), ..outcome })
    }

    /// Of steps that were followed.
    ///
    /// # Errors
    /// As [`audit`](Self::audit).
    pub fn watch(own: &Watch) -> Result<Self, EngineError> {
        let alerts: usize = own.trajectories.iter().map(|trajectory| trajectory.alerts.len()).sum();
        let verdict = if alerts == 1 { "1 alert".to_owned() } else { format!("{alerts} alerts") };
        let outcome = Self::of("watch", &own.schema_version, Some(verdict), to_json_line(own))?;
        Ok(Self { rules_version: Some(own.embedding_version.clone()), ..outcome })
    }

    /// Of two arms that were compared.
    ///
    /// # Errors
    /// As [`audit`](Self::audit).
    pub fn watch_compare(own: &Comparison) -> Result<Self, EngineError> {
        let outcome = Self::of("watch compare", &own.schema_version, None, to_json_line(own))?;
        Ok(Self { rules_version: Some(own.embedding_version.clone()), ..outcome })
    }

    /// Of prompts that were picked.
    ///
    /// # Errors
    /// As [`audit`](Self::audit).
    pub fn pick(own: &FinalOutput) -> Result<Self, EngineError> {
        let outcome = Self::of("pick", &own.schema_version, Some(own.mode.name().to_owned()), to_json_line(own))?;
        Ok(Self { rules_version: own.rules_version.clone(), ..outcome })
    }

    /// Of a review, with the output that it was about.
    ///
    /// # Errors
    /// As [`audit`](Self::audit).
    pub fn review(own: &Review, content: &str) -> Result<Self, EngineError> {
        let recommendation = own.recommendation.name().to_owned();
        let outcome = Self::of("review", &own.schema_version, Some(recommendation.clone()), to_json_line(own))?;
        let reviewed = Reviewed {
            task_id: own.task_id.clone(),
            content: content.to_owned(),
            score: own.score,
            summary: own.summary.clone(),
            recommendation,
        };
        let broken = summary::reviewed(own).map(|checks| checks.len() as u64);
        Ok(Self { rules_version: own.rules_version.clone(), broken, output: Some(reviewed), ..outcome })
    }

    /// Of a session, by what is kept of its review.
    ///
    /// # Errors
    /// As [`audit`](Self::audit).
    pub fn session(own: &Review, verdict: SessionVerdict) -> Result<Self, EngineError> {
        let outcome =
            Self::of(sessions::VERB, &own.schema_version, Some(verdict.name().to_owned()), to_json_line(own))?;
        let broken = summary::reviewed(own).map(|checks| checks.len() as u64);
        let (rules_version, task_id) = (own.rules_version.clone(), Some(own.task_id.clone()));
        Ok(Self { rules_version, broken, task_id, ..outcome })
    }
}

#[cfg(test)]
mod tests {
    use super::title_of;

    #[test]
    fn a_task_is_known_by_how_it_begins() {
        assert_eq!(title_of("  Look back\tover\nmy week\u{7} "), "Look back over my week");
        let sixty = "ab".repeat(30);
        assert_eq!(title_of(&sixty), sixty);
        assert_eq!(title_of(&format!("{sixty}c")), format!("{sixty}…"));
        assert_eq!(title_of(&format!("Plan {sixty}")), "Plan…");
        assert_eq!(title_of(&"é ".repeat(31)), format!("{}…", "é ".repeat(30).trim_end()));
        assert_eq!(title_of(" \n"), "task");
    }
}
