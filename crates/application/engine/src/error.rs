//! Why a use case ended without a result.

mod hint;
mod kind;
mod refusal;

pub use kind::ErrorKind;
pub use refusal::Refusal;
use steadfast_steps::Ended;
use steadfast_wire::audit::NotEvaluable;

/// Why a use case ended without a result: what, and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EngineError {
    /// A file is larger than [`FILE_BYTES_MAX`](crate::limits::FILE_BYTES_MAX) or
    /// [`ARCHIVE_BYTES_MAX`](crate::limits::ARCHIVE_BYTES_MAX).
    #[error("{file}: holds {bytes} bytes, more than the limit of {} MiB", limit_bytes / crate::limits::MIB)]
    FileTooLarge {
        /// The file.
        file: String,
        /// Its length in bytes.
        bytes: u64,
        /// The limit in bytes.
        limit_bytes: u64,
    },
    /// The files of a run hold more than [`RUN_BYTES_MAX`](crate::limits::RUN_BYTES_MAX) together.
    #[error("{run}: its files hold more than {} MiB together", limit_bytes / crate::limits::MIB)]
    RunTooLarge {
        /// The folder or archive.
        run: String,
        /// The limit in bytes.
        limit_bytes: u64,
    },
    /// A run holds more than [`FILES_MAX`](crate::limits::FILES_MAX) files.
    #[error("{run}: holds more than {limit} files")]
    TooManyFiles {
        /// The folder or archive.
        run: String,
        /// The limit.
        limit: usize,
    },
    /// An archive as a whole cannot be read.
    #[error("{archive}: cannot be read as a zip archive: {what}")]
    Archive {
        /// The archive.
        archive: String,
        /// What is wrong with it.
        what: String,
    },
    /// A member of an archive cannot be read or is refused.
    #[error("{archive}: member `{member}` {what}")]
    Member {
        /// The archive.
        archive: String,
        /// The member.
        member: String,
        /// What is wrong with it.
        what: String,
    },
    /// A file has more blocks than a document may.
    #[error("{file}: has more than {blocks_max} paragraphs, items and cells")]
    TooManyBlocks {
        /// The file.
        file: String,
        /// How many it may have.
        blocks_max: usize,
    },
    /// A file's bytes are not text.
    #[error("{file}: is not text: {what}")]
    NotText {
        /// The file.
        file: String,
        /// What stands there instead, and at which byte.
        what: String,
    },
    /// A file that holds the prompt in JSON is of another form.
    #[error("{file}: {what}")]
    PromptFile {
        /// The file.
        file: String,
        /// What is wrong with it.
        what: String,
    },
    /// A run holds no prompt.
    #[error("{run}: no prompt among its {files} files")]
    NoPrompt {
        /// The folder or archive.
        run: String,
        /// How many files it holds.
        files: usize,
    },
    /// A file that is to hold a plan is of another form.
    #[error("{file}:{line}:{column}: is no plan: {what}")]
    PlanFile {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong there.
        what: String,
    },
    /// A file that is to be a calendar cannot be read.
    #[error("{place}: {what}")]
    Calendar {
        /// The file, and the line where one is to blame.
        place: String,
        /// What is wrong there.
        what: String,
    },
    /// More calendars than [`CALENDARS_MAX`](crate::CALENDARS_MAX).
    #[error("{calendars} calendars are given, more than {}", crate::CALENDARS_MAX)]
    TooManyCalendars {
        /// How many.
        calendars: usize,
    },
    /// An item that an earlier plan does not have.
    #[error("{file}: has no item {number}; it has {items}")]
    NoItem {
        /// The plan.
        file: String,
        /// What was asked for, from 1.
        number: usize,
        /// How many it has.
        items: usize,
    },
    /// A time zone that nobody knows.
    #[error("`{given}` is no time zone")]
    Zone {
        /// What was given.
        given: String,
    },
    /// A current time that cannot be read, or that does not exist.
    #[error("`{given}` {what}")]
    Time {
        /// What was given.
        given: String,
        /// What is wrong with it.
        what: String,
    },
    /// What prompts must be that means nothing.
    #[error("`{given}` {what}")]
    Filter {
        /// What was given.
        given: String,
        /// What is wrong with it.
        what: String,
    },
    /// A pattern of file names or a tag by which prompts are chosen that means nothing.
    #[error("`{given}` {what}")]
    Selection {
        /// What was given.
        given: String,
        /// What is wrong with it.
        what: String,
    },
    /// A value for a placeholder that no prompt has.
    #[error("`{given}` is no placeholder of what was picked{}", placeholders(known))]
    Placeholder {
        /// What was given.
        given: String,
        /// The placeholders that there are.
        known: Vec<String>,
    },
    /// Steps of more trajectories than [`TRAJECTORIES_MAX`](crate::watch::TRAJECTORIES_MAX).
    #[error("{file}: holds steps of more than {limit} trajectories")]
    TooManyTrajectories {
        /// The file.
        file: String,
        /// The limit.
        limit: usize,
    },
    /// The files of an embedding model cannot be used.
    #[error("the embedding model cannot be used: {what}")]
    Model {
        /// Which file, and what is wrong with it.
        what: String,
    },
    /// The store cannot be read or written.
    #[error("{what}")]
    Store {
        /// The file, and what is wrong with it.
        what: String,
        /// What to do about it.
        hint: Option<String>,
        /// Whether there is no room for what is to be written.
        full: bool,
    },
    /// The result of a run is larger than [`RESULT_BYTES_MAX`](crate::limits::RESULT_BYTES_MAX).
    #[error("the result holds {bytes} bytes; {} MiB can be stored", limit_bytes / crate::limits::MIB)]
    ResultTooLarge {
        /// Its length in bytes.
        bytes: u64,
        /// The limit in bytes.
        limit_bytes: u64,
    },
    /// No run of this id is stored.
    #[error("no run `{0}` is stored")]
    NoRun(String),
    /// No session of this id is kept, or the beginning of several.
    #[error("no session `{0}` is kept, or several begin so")]
    NoSession(String),
    /// Nothing of a task is stored.
    #[error("no task `{0}` is stored")]
    NoTask(String),
    /// The clock is far from what the store knows of the time.
    #[error("the clock says {now}, more than {days} days after {seen_at}, the latest moment that the store knows of")]
    ClockJumped {
        /// What the clock says.
        now: String,
        /// What the store knows.
        seen_at: String,
        /// How many days may lie between them.
        days: u64,
    },
    /// Nothing is kept for so many days.
    #[error("{days} days are no time to keep something")]
    Days {
        /// What was given.
        days: u32,
    },
    /// No summary has so many weeks.
    #[error("{weeks} weeks cannot be summed up")]
    Weeks {
        /// What was given.
        weeks: u32,
    },
    /// Of the output of a task less than all is stored.
    #[error("the output of task `{id}` is not kept whole")]
    NotKept {
        /// The task.
        id: String,
    },
    /// A file of decisions holds what cannot be.
    #[error("{file}: {what}")]
    AcceptedFile {
        /// The file, with the line where one is known.
        file: String,
        /// Which decision, and what is wrong with it.
        what: String,
    },
    /// What is named as an earlier evaluation cannot be compared with.
    #[error("{file}: {what}")]
    EarlierEvaluation {
        /// The file.
        file: String,
        /// What is wrong with it.
        what: String,
    },
    /// A decision on a finding cannot be kept.
    #[error("{what}")]
    Decision {
        /// What is wrong with it.
        what: String,
    },
    /// A key of the API cannot be called so.
    #[error(
        "the name of a key has 1 to {} bytes and no control characters; this one has {bytes} bytes",
        crate::limits::KEY_NAME_BYTES_MAX
    )]
    KeyName {
        /// Its length in bytes.
        bytes: usize,
    },
    /// As many keys of the API hold as may.
    #[error("{limit} keys hold already")]
    TooManyKeys {
        /// The limit.
        limit: usize,
    },
    /// No key of the API has this id.
    #[error("no key `{id}` is kept")]
    NoKey {
        /// What was asked for.
        id: String,
    },
    /// No job of this id is kept.
    #[error("no job `{id}` is kept")]
    NoJob {
        /// What was asked for.
        id: String,
    },
    /// A job of more parts than [`JOB_ITEMS_MAX`](crate::limits::JOB_ITEMS_MAX).
    #[error("the job has {items} parts, more than {limit}")]
    JobTooLarge {
        /// Its parts.
        items: u64,
        /// The limit.
        limit: u64,
    },
    /// No trajectory of this name is kept.
    #[error("no trajectory `{id}` is kept")]
    NoTrajectory {
        /// What was asked for.
        id: String,
    },
    /// What makes vectors of texts is not there.
    #[error("{what}")]
    NoEmbedder {
        /// What is wrong.
        what: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// Steps of a trajectory, or the name of an agent, cannot be taken as they are.
    #[error("{what}")]
    Steps {
        /// Which, and what is wrong with it.
        what: String,
    },
    /// A text of a step, or all of a trajectory, is larger than it may be.
    #[error("{what}")]
    StepsTooLarge {
        /// What, and how large it may be.
        what: String,
    },
    /// Another request was done under the same key.
    #[error("another request was done under the key `{key}`")]
    KeyReused {
        /// The key.
        key: String,
    },
    /// What is searched for, or by what a list is narrowed, cannot be used.
    #[error("{what}")]
    Search {
        /// What is wrong with it.
        what: String,
    },
    /// A file of operating points cannot be used.
    #[error("{file}{what}")]
    Points {
        /// The file, or the operating point's name.
        file: String,
        /// The place in it and what is wrong there, after `:` or a space.
        what: String,
    },
    /// Two operating points that are tried against each other have one name.
    #[error("two operating points are called `{name}`: what they pick could not be told apart")]
    PointsOfOneName {
        /// The name.
        name: String,
    },
    /// No prompt of this name is in the vault.
    #[error("no prompt `{id}` is in the vault")]
    NoPromptKept {
        /// What was asked for.
        id: String,
    },
    /// No selection of this name is stored.
    #[error("no selection `{id}` is stored")]
    NoSelection {
        /// What was asked for.
        id: String,
    },
    /// A prompt that a selection does not hold.
    #[error("`{id}` is no prompt of this selection")]
    NotSelected {
        /// The prompt.
        id: String,
    },
    /// A quality that nobody knows.
    #[error("`{given}` is no quality")]
    Quality {
        /// What was given.
        given: String,
    },
    /// Tags that cannot be stored.
    #[error("{what}")]
    Tags {
        /// What is wrong with them.
        what: String,
    },
    /// Nothing in a baseline can be fitted on.
    #[error("{file}: no trajectory of the baseline is long enough to raise an alert at any threshold")]
    Baseline {
        /// What it is called.
        file: String,
    },
    /// The result of an audit cannot be read.
    #[error("{file}: is no result of `audit`: {what}")]
    AuditFile {
        /// The file, or the run's id.
        file: String,
        /// What is wrong with it.
        what: String,
    },
    /// A contract that was handed in cannot be read.
    #[error("{file}: is no contract: {what}")]
    ContractFile {
        /// The file.
        file: String,
        /// What is wrong with it.
        what: String,
    },
    /// Obligations of a contract that was handed in do not stand in the prompt.
    #[error("{file}: {} cannot be taken: {}", obligations(refused.len()), refused.join("; "))]
    ContractRefused {
        /// The file.
        file: String,
        /// Each of them with the reason.
        refused: Vec<String>,
    },
    /// The log of a session cannot be read.
    #[error("{file}: {what}")]
    SessionFile {
        /// The file.
        file: String,
        /// What is wrong with it, and where.
        what: String,
    },
    /// There are too many files of evidence: how many there are.
    #[error("{0} files of evidence, more than {max}", max = crate::review::EVIDENCE_FILES_MAX)]
    Evidence(usize),
    /// More files of rules than are read.
    #[error("{0} files of rules, more than {max}", max = crate::review::RULES_FILES_MAX)]
    Rules(usize),
    /// A reading of notes cannot be read, says what does not stand in them, or does not hold together.
    #[error("{file}: the reading is refused: {what}")]
    ReadingRefused {
        /// The file.
        file: String,
        /// What is refused, by name.
        what: String,
    },
    /// An answer that no question has.
    #[error("answers: {0}")]
    PlanAnswer(String),
    /// Proposals cannot be read.
    #[error("{file}: are no proposals: {what}")]
    ProposalsFile {
        /// The file.
        file: String,
        /// What is wrong with them.
        what: String,
    },
    /// Scores that were made in different ways are to be compared.
    #[error("scores of different embedders cannot be compared: {a}; {b}")]
    UnlikeEmbedders {
        /// What made the first.
        a: String,
        /// What made the second.
        b: String,
    },
    /// A judge that needs a chat model is asked for.
    #[error("no chat model is configured, and `--judge both` needs one")]
    NoModel,
    /// Something is asked for that needs a chat model, and there is none.
    #[error("no chat model is configured, and `{option}` needs one")]
    NoDesk {
        /// What was asked for.
        option: String,
        /// What to do without one.
        hint: String,
    },
    /// A model is asked to read notes of which a reading is handed in.
    #[error("a reading is handed in, and a model is asked for one")]
    TwoReadings,
    /// A model is asked for something that none is set for.
    #[error("no chat model is set for `{role}`")]
    NoChatModel {
        /// What it would be asked for.
        role: String,
    },
    /// A recording of calls that cannot be read.
    #[error("{file}:{line}: is no recorded call: {what}")]
    Recording {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// A threshold of scores that is none.
    #[error("`{given}` is no threshold")]
    Threshold {
        /// What was given.
        given: String,
    },
    /// A summary of a size that none has.
    #[error("a summary of {given} tokens cannot be made")]
    SummaryTokens {
        /// What was given.
        given: usize,
    },
    /// A list is asked for from a place that it does not have.
    #[error("`{cursor}` is no cursor of this list")]
    Cursor {
        /// The cursor that was given.
        cursor: String,
    },
    /// There is nothing to evaluate.
    #[error("{file}: {what}: nothing can be evaluated")]
    NotEvaluable {
        /// The file, folder or archive.
        file: String,
        /// What is missing.
        what: String,
        /// What to do about it.
        hint: Option<String>,
        /// What stands in the place of an evaluation, where one was asked for.
        answer: Option<Box<NotEvaluable>>,
    },
    /// It takes more steps than texts of this size may.
    #[error("to judge this takes more than {steps} steps, which is more than texts of this size may take")]
    TooMuchWork {
        /// How many it might take.
        steps: u64,
    },
    /// It takes more memory than the work on one request may.
    #[error("to judge this takes more than {} MiB of memory, which is more than one request may take", .bytes_max / (1024 * 1024))]
    TooMuchMemory {
        /// How much it might take, in bytes.
        bytes_max: u64,
    },
    /// Whoever asked wants it no more.
    #[error("the work was stopped: nobody waits for it")]
    Stopped,
    /// The program failed: a fault of ours.
    #[error("the work failed: {what}")]
    Internal {
        /// What is known of it.
        what: String,
    },
}

/// "1 obligation", "2 obligations".
fn obligations(count: usize) -> String {
    format!("{count} {}", if count == 1 { "obligation" } else { "obligations" })
}

/// The placeholders of what was picked, in a message.
fn placeholders(known: &[String]) -> String {
    if known.is_empty() { ": it has none".to_owned() } else { format!(": it has `{}`", known.join("`, `")) }
}

impl From<Ended> for EngineError {
    fn from(ended: Ended) -> Self {
        match ended {
            Ended::Spent { steps } => Self::TooMuchWork { steps },
            Ended::Stopped => Self::Stopped,
        }
    }
}

impl EngineError {
    /// Nothing to evaluate in `file`, for a reason as instruments give it: it may begin with the file's own name and end in a
    /// hint.
    pub(crate) fn not_evaluable(file: impl Into<String>, reason: &str) -> Self {
        let file = file.into();
        let what = reason.strip_prefix(&file).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(reason);
        let (what, hint) = match what.split_once("hint: ") {
            Some((what, hint)) => (what.trim_end_matches([' ', '.', ';']), Some(hint.to_owned())),
            None => (what, None),
        };
        Self::NotEvaluable { file, what: what.to_owned(), hint, answer: None }
    }

    /// The same with what stands in the place of an evaluation.
    pub(crate) fn answering(mut self, own: Box<NotEvaluable>) -> Self {
        if let Self::NotEvaluable { answer, .. } = &mut self {
            *answer = Some(own);
        }
        self
    }

    /// What stands in the place of an evaluation.
    pub(crate) fn answer(&self) -> Option<&NotEvaluable> {
        match self {
            Self::NotEvaluable { answer, .. } => answer.as_deref(),
            _ => None,
        }
    }

    /// `option` needs a chat model, and there is none; `without` does not.
    pub(crate) fn no_desk(option: &str, without: &str) -> Self {
        Self::NoDesk { option: option.to_owned(), hint: format!("`{without}` needs none") }
    }
}

/// What is stored was written as JSON: what is not was damaged.
pub(crate) fn of_json(error: steadfast_wire::Error) -> EngineError {
    EngineError::Internal { what: format!("what is stored cannot be read: {error}") }
}
