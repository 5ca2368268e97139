//! The forms of a result besides JSON, and what a stored one is drawn from.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use steadfast_wire::audit::DriftEvaluation;
use steadfast_wire::pick::FinalOutput;
use steadfast_wire::plan::{Constraints, PlanItem, PlanResponse, Validation};
use steadfast_wire::review::Review;
use steadfast_wire::watch::{Comparison, Watch};

use crate::plan::{self, Origin, Sheet};
use crate::{Colour, Error, Links, Texts, audit, pick, review, watch};

/// A form of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A summary for terminals.
    Text,
    /// Markdown.
    Markdown,
    /// One self-contained page.
    Html,
    /// JUnit XML.
    Junit,
    /// SARIF 2.1.0.
    Sarif,
}

impl Form {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Text, Self::Markdown, Self::Html, Self::Junit, Self::Sarif];

    /// As people name it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Markdown => "md",
            Self::Html => "html",
            Self::Junit => "junit",
            Self::Sarif => "sarif",
        }
    }

    /// Its media type.
    #[must_use]
    pub const fn media(self) -> &'static str {
        match self {
            Self::Text => "text/plain",
            Self::Markdown => "text/markdown",
            Self::Html => "text/html",
            Self::Junit => "application/xml",
            Self::Sarif => "application/sarif+json",
        }
    }

    /// The forms that the result of a verb has; none where nothing is known of the verb.
    #[must_use]
    pub fn of(verb: &str) -> &'static [Self] {
        match verb {
            "audit" | "plan" | "plan check" | "review" | "session" => Self::ALL,
            "plan constraints" | "watch" | "watch compare" => &[Self::Text, Self::Markdown, Self::Html],
            "pick" => &[Self::Text],
            _ => &[],
        }
    }
}

/// The result of a run that was stored, with what it is drawn from.
#[derive(Clone, Debug)]
pub struct Stored<'a> {
    /// What was asked for: `audit`, `plan check`.
    pub verb: &'a str,
    /// The JSON of its result.
    pub result: &'a str,
    /// The texts that it was about, as far as they are kept.
    pub texts: Texts<'a>,
    /// Titles of prompts by their ids, where some were picked.
    pub titles: &'a BTreeMap<String, String>,
    /// The plan that was checked; nothing else has one.
    pub checked: Option<Checked<'a>>,
}

/// Somebody's plan: what a validation does not repeat of it.
#[derive(Clone, Copy, Debug)]
pub struct Checked<'a> {
    /// Its items, as they were read.
    pub items: &'a [PlanItem],
    /// The file that it stands in.
    pub file: &'a str,
    /// The time that it is for, RFC 3339.
    pub current_time: &'a str,
    /// The zone that the notes were read in.
    pub timezone: &'a str,
}

impl<'a> Checked<'a> {
    /// The sheet that is drawn of it.
    #[must_use]
    pub fn sheet(self, validation: &'a Validation) -> Sheet<'a> {
        let Self { items, file, current_time, timezone } = self;
        Sheet {
            validation,
            items,
            current_time,
            timezone,
            assumptions: &validation.assumptions,
            questions: &validation.questions,
            set_apart: &[],
            moved: &[],
            origin: Origin::Given { file },
            model_view: None,
        }
    }
}

/// A stored result in a form: the bytes that its command writes. `None` where it has no such form, or what it takes is not there.
///
/// # Errors
/// [`Error`] where it cannot be read or drawn.
pub fn stored(own: &Stored<'_>, form: Form) -> Result<Option<String>, Error> {
    fn read<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
        steadfast_wire::from_json(text).map_err(Error::Stored)
    }
    if !Form::of(own.verb).contains(&form) {
        return Ok(None);
    }
    let (texts, shade) = (&own.texts, Colour::Off);
    Ok(match own.verb {
        "audit" => Some(audit::drawn(&read::<DriftEvaluation>(own.result)?, texts, &Links::default(), form, shade)?),
        "plan" => Some(plan::drawn(&Sheet::from(&read::<PlanResponse>(own.result)?), texts, form, shade)?),
        "plan check" => match own.checked {
            Some(checked) => Some(plan::drawn(&checked.sheet(&read(own.result)?), texts, form, shade)?),
            None => None,
        },
        "plan constraints" => plan::constraints_drawn(&read::<Constraints>(own.result)?, texts, form, shade)?,
        "review" | "session" => Some(review::drawn(&read::<Review>(own.result)?, texts, form, shade)?),
        "watch" => watch::drawn(&read::<Watch>(own.result)?, form, shade)?,
        "watch compare" => watch::compare_drawn(&read::<Comparison>(own.result)?, form, shade)?,
        "pick" => Some(pick::text(&read::<FinalOutput>(own.result)?, own.titles)),
        _ => None,
    })
}
