//! The use cases of day plans: make one from notes and prove it, check somebody else's, list what notes require.

mod again;
mod assisted;
mod calendars;
mod meaning;
pub(crate) mod now;
mod proposals;
mod publish;
mod reading;

use std::collections::BTreeMap;

use steadfast_evidence::{Evaluated, FileId, RULES_VERSION};
use steadfast_plan::model::Notes;
use steadfast_plan::{Settings, ask};
use steadfast_text::Document;
use steadfast_wire::plan::{
    Constraints, GivenItem, GivenPlan, ModelView, PlanAnswer, PlanItem, PlanProposals, PlanProposed, PlanReading,
    PlanResponse, Preferences, READING_SCHEMA_VERSION, SCHEMA_VERSION, Validation, Variant,
};

pub use again::{EarlierPlan, plan_again};
pub use assisted::{PlanAssistance, plan_assisted};
pub use calendars::{CALENDARS_MAX, is_calendar};
pub(crate) use proposals::read_proposals;
pub use reading::plan_as_read;
pub(crate) use reading::read_reading;

use crate::EngineError;
use crate::intake::{self, File};
use crate::pool::judging;

/// What notes are called that come without a file.
pub const CONTEXT_NAME: &str = "context.md";

/// The same where they are a page.
pub const CONTEXT_PAGE_NAME: &str = "context.html";

/// Why nothing can be said of notes without anything to plan.
const NOTHING: &str = "the notes hold neither a task nor a constraint";

/// Characters of the notes that `context_preview` shows.
const PREVIEW_CHARS_MAX: usize = 200;

/// Notes, and the time that they are read at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotesRequest {
    /// The notes: Markdown, HTML or plain text, as the file's name says.
    pub notes: File,
    /// Calendars beside them (iCalendar): what they hold of the day stands as if the notes said so.
    pub calendars: Vec<File>,
    /// The current time: RFC 3339, or without an offset, then in `timezone`.
    pub current_time: String,
    /// An IANA name ("America/Toronto"), or an offset ("-05:00").
    pub timezone: String,
    /// Whether wishes bind.
    pub preferences: Preferences,
    /// What the caller settled in asking (that a clock was read, say): it stands first in the result's assumptions.
    pub assumptions: Vec<String>,
    /// What somebody who understands the notes reads in them beside code.
    pub proposals: Option<PlanProposals>,
    /// A reading of the notes instead of code's.
    pub reading: Option<PlanReading>,
    /// Answers to open questions.
    pub answers: Vec<PlanAnswer>,
}

impl NotesRequest {
    /// How much there is to read, in bytes.
    fn bytes(&self) -> usize {
        self.notes.bytes.len() + self.calendars.iter().map(|calendar| calendar.bytes.len()).sum::<usize>()
    }
}

/// What a calendar is called that comes without a name.
pub const CALENDAR_NAME: &str = "calendar.ics";

/// What a plan is called that comes without a file.
pub const PLAN_NAME: &str = "plan.json";

/// A plan that comes without a file, as one: JSON.
#[must_use]
pub fn plan_file(json: String) -> File {
    File::of(PLAN_NAME, json)
}

/// Notes that come without a file, as one: the name says how they are read, and is the same at every door.
#[must_use]
pub fn context_file(bytes: Vec<u8>) -> File {
    let name = if is_page(&bytes) { CONTEXT_PAGE_NAME } else { CONTEXT_NAME };
    File::of(name, bytes)
}

/// Whether a text begins as an HTML page does.
fn is_page(text: &[u8]) -> bool {
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text).trim_ascii_start();
    ["<!doctype html", "<html"]
        .iter()
        .any(|head| text.get(..head.len()).is_some_and(|own| own.eq_ignore_ascii_case(head.as_bytes())))
}

/// A plan with its proof.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanOutcome {
    /// What is published.
    pub response: PlanResponse,
    /// The text of the notes, by their name in the response.
    pub texts: BTreeMap<String, String>,
}

/// What came of checking somebody's plan.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckOutcome {
    /// What is published.
    pub validation: Validation,
    /// The items as they were read, with their times as RFC 3339 where they could be read.
    pub items: Vec<PlanItem>,
    /// The plan's file.
    pub file: String,
    /// The time that the notes were read at, RFC 3339.
    pub current_time: String,
    /// The zone that they were read in.
    pub timezone: String,
    /// The text of the notes, by their name in the validation.
    pub texts: BTreeMap<String, String>,
}

/// What notes require.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstraintsOutcome {
    /// What is published.
    pub constraints: Constraints,
    /// The text of the notes, by their name in the constraints.
    pub texts: BTreeMap<String, String>,
}

/// Makes a plan from notes and proves it. The same request gives the same outcome.
///
/// # Errors
/// [`EngineError`]: notes, a time or a zone that cannot be read, or nothing in the notes to plan.
pub async fn plan(request: NotesRequest, variant: Variant) -> Result<PlanOutcome, EngineError> {
    judging(request.bytes(), move || {
        let read = Read::new(request)?;
        match steadfast_plan::run(&read.notes, &read.settings, publish::own_variant(variant)) {
            Evaluated::Value(planned) => {
                let response = publish::response(&read, &planned);
                Ok(PlanOutcome { response, texts: read.texts })
            }
            Evaluated::NotEvaluable(reason) => Err(EngineError::not_evaluable(read.file, &reason.0)),
        }
    })
    .await
}

/// Checks somebody's plan against notes: JSON of a response, of its `plan`, or of a list of items.
///
/// # Errors
/// [`EngineError`]: notes, a plan, a time or a zone that cannot be read, or nothing in the notes to check against.
pub async fn plan_check(request: NotesRequest, plan: File) -> Result<CheckOutcome, EngineError> {
    judging(request.bytes() + plan.bytes.len(), move || {
        let read = Read::new(request)?;
        let items = given_items(&plan)?;
        match steadfast_plan::check(&read.notes, &items, &read.settings) {
            Evaluated::Value(validation) => Ok(CheckOutcome {
                validation: Validation {
                    rules_version: Some(RULES_VERSION.to_owned()),
                    assumptions: read.assumptions(&read.notes.assumptions),
                    questions: publish::questions(&read, &read.notes.questions),
                    proposed: read.proposed.clone(),
                    ..publish::validation(&read, &validation)
                },
                items: publish::read_items(&read, &items),
                file: plan.name,
                current_time: read.current_time(),
                timezone: read.timezone,
                texts: read.texts,
            }),
            Evaluated::NotEvaluable(reason) => Err(EngineError::not_evaluable(read.file, &reason.0)),
        }
    })
    .await
}

/// Lists what notes require, without a plan: as rules read them, or as a model does where it is asked to.
///
/// # Errors
/// [`EngineError`]: notes, a time or a zone that cannot be read, or notes that require nothing; and what [`plan_assisted`] refuses.
pub async fn plan_constraints(
    request: NotesRequest,
    assistance: PlanAssistance,
) -> Result<ConstraintsOutcome, EngineError> {
    match assistance.desk()? {
        Some(desk) => {
            let (read, view) = assisted::read(request, &desk).await?;
            listed(read, Some(view))
        }
        None => judging(request.bytes(), move || listed(Read::new(request)?, None)).await,
    }
}

fn listed(read: Read, model_view: Option<ModelView>) -> Result<ConstraintsOutcome, EngineError> {
    if read.notes.tasks.is_empty() && read.notes.constraints.is_empty() {
        return Err(EngineError::not_evaluable(read.file, NOTHING));
    }
    let sha256 = crate::hash::sha256(read.texts.get(&read.file).map_or(&[][..], String::as_bytes));
    let constraints = Constraints {
        schema: READING_SCHEMA_VERSION.to_owned(),
        source: steadfast_wire::plan::PlanSource { file: read.file.clone(), sha256 },
        set_apart: publish::set_apart(&read),
        unread: publish::unread(&read),
        open_questions: publish::open_questions(&read),
        read_confidence: read.notes.read_confidence(),
        schema_version: SCHEMA_VERSION.to_owned(),
        rules_version: Some(RULES_VERSION.to_owned()),
        current_time: read.current_time(),
        timezone: read.timezone.clone(),
        constraints: publish::reading(&read, &read.notes),
        tasks: publish::tasks(&read, &read.notes.tasks),
        assumptions: read.assumptions(&read.notes.assumptions),
        questions: publish::questions(&read, &read.notes.questions),
        proposed: read.proposed.clone(),
        model_view,
        run: None,
    };
    Ok(ConstraintsOutcome { constraints, texts: read.texts })
}

/// Notes that were read.
#[derive(Clone)]
struct Read {
    /// The file that they stand in.
    file: String,
    /// The calendars beside them.
    calendars: Vec<String>,
    /// What they say.
    notes: Notes,
    /// What is taken for granted.
    settings: Settings,
    /// The zone as it is published.
    timezone: String,
    /// Who read them: `code`, `person`, or `chat:NAME`.
    by: String,
    /// What was settled before they were read.
    settled: Vec<String>,
    /// What became of proposals.
    proposed: Option<PlanProposed>,
    /// Their text.
    texts: BTreeMap<String, String>,
}

impl Read {
    fn new(request: NotesRequest) -> Result<Self, EngineError> {
        let (mut read, document) = Self::of_document(request)?;
        read.texts.insert(read.file.clone(), document.source.to_string());
        Ok(read)
    }

    /// The notes, and the document that they stand in. Their text is the caller's to add.
    fn of_document(request: NotesRequest) -> Result<(Self, Document), EngineError> {
        let NotesRequest {
            notes: file,
            calendars,
            current_time,
            timezone,
            preferences,
            assumptions,
            proposals,
            reading,
            answers,
        } = request;
        let mut settled = assumptions;
        let (now, timezone) = now::now(&current_time, &timezone, &mut settled)?;
        let mut document = intake::document(&file.name, &file)?;
        if document.blocks.is_empty() {
            return Err(EngineError::not_evaluable(file.name, "the notes are empty"));
        }
        let settings = Settings { preferences_hard: preferences == Preferences::Hard, ..Settings::default() };
        let events = calendars::events(&calendars, &now, &mut settled)?;
        let (mut notes, other) = ask::read_for_its_day(FileId(0), &document, &now, &settings, events);
        let own = other.as_ref().map_or(&document, |other| &other.document);
        steadfast_plan::variant::doubt(FileId(0), own, &mut notes, &settings);
        if let Some(other) = other {
            let day = |day: &jiff::Zoned| day.strftime("%A, %-d %B").to_string();
            settled.push(match other.opens {
                true => format!("The notes begin with {0}: the plan is for {0}.", day(&other.start)),
                false => format!("Nothing in the notes is for {}: the plan is for {}.", day(&now), day(&other.start)),
            });
            document = other.document;
        }
        let proposed = proposals.map(|own| proposals::taken(own, &document, &mut notes, &settings));
        let by = if reading.is_some() { "person" } else { "code" }.to_owned();
        if let Some(given) = reading {
            notes = reading::plan_as_read(&file.name, &document, &notes, given)?;
        }
        reading::answered(&document, &settings, &mut notes, answers)?;
        steadfast_plan::variant::weigh(&mut notes, &settings);
        let names = calendar_names(&file.name, calendars.iter().map(|own| own.name.as_str()));
        let texts = names.iter().zip(&calendars);
        let texts = texts.map(|(name, own)| (name.clone(), String::from_utf8_lossy(&own.bytes).into_owned())).collect();
        let read = Self { file: file.name, calendars: names, notes, settings, timezone, by, settled, proposed, texts };
        Ok((read, document))
    }

    /// The notes, and the document that they stand in, for whoever looks up more in it.
    fn with_document(request: NotesRequest) -> Result<(Self, Document), EngineError> {
        let (mut read, document) = Self::of_document(request)?;
        read.texts.insert(read.file.clone(), document.source.to_string());
        Ok((read, document))
    }

    /// The name of a source.
    fn name_of(&self, file: FileId) -> &str {
        let at = usize::try_from(file.0).unwrap_or(usize::MAX);
        at.checked_sub(1).and_then(|at| self.calendars.get(at)).unwrap_or(&self.file)
    }

    /// The current time as it is published.
    fn current_time(&self) -> String {
        publish::written(self.notes.now.timestamp(), &self.notes)
    }

    /// What was settled before the notes were read, and what was settled after that.
    fn assumptions(&self, later: &[String]) -> Vec<String> {
        self.settled.iter().chain(later).cloned().collect()
    }

    /// The first characters of the notes, with control characters as their pictures.
    fn preview(&self) -> String {
        let text = self.texts.get(&self.file).map_or("", String::as_str);
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        text.chars().take(PREVIEW_CHARS_MAX).map(picture).collect()
    }
}

/// A character, or the picture of a control character (Unicode, Control Pictures); one that has none is shown as a replacement.
pub(crate) fn picture(character: char) -> char {
    match character {
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + character as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        '\u{80}'..='\u{9f}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        _ => character,
    }
}

/// The items of somebody's plan.
fn given_items(plan: &File) -> Result<Vec<steadfast_plan::Given>, EngineError> {
    let text = intake::document(&plan.name, plan)?.source;
    let given = GivenPlan::read(&text).map_err(|misread| EngineError::PlanFile {
        file: plan.name.clone(),
        line: misread.line,
        column: misread.column,
        what: misread.message,
    })?;
    Ok(given.items.into_iter().map(own_item).collect())
}

/// What calendars are called beside notes: by their own names, told apart from the notes and from calendars of the same name.
pub(crate) fn calendar_names<'a>(notes: &str, calendars: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for own in calendars {
        let is_free = |name: &String| *name != notes && !names.contains(name);
        let numbered = (2..).map(|number| format!("{own} ({number})"));
        let free = std::iter::once(own.to_owned()).chain(numbered).find(is_free);
        names.push(free.unwrap_or_default());
    }
    names
}

fn own_item(item: GivenItem) -> steadfast_plan::Given {
    let GivenItem { task, why, timebox_minutes, start, end, with, place, constraint_ids: _ } = item;
    steadfast_plan::Given { task, why, timebox_minutes, start, end, with, place }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_told_from_notes() {
        assert!(is_page(b" <!DOCTYPE html><p>x"));
        assert!(is_page("\u{feff}<HTML>".as_bytes()));
        assert!(!is_page(b"<3 call Ana"));
        assert!(!is_page(b""));
    }

    #[test]
    fn calendars_of_one_name_are_told_apart() {
        let names = calendar_names("day.ics", ["team.ics", "day.ics", "team.ics", "team.ics (2)"].into_iter());
        assert_eq!(names, ["team.ics", "day.ics (2)", "team.ics (2)", "team.ics (2) (2)"]);
    }

    #[test]
    fn control_characters_are_shown() {
        let shown: String = "a\n\u{1b}[31m\u{7f}\u{85}\u{202e}b".chars().map(picture).collect();
        assert_eq!(shown, "a\u{240a}\u{241b}[31m\u{2421}\u{fffd}\u{fffd}b");
    }
}
