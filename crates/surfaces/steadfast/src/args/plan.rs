//! The arguments of planning through the day.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use steadfast_wire::plan::PlanFile;

use super::Format;

/// A plan that was made earlier in the day.
#[derive(Debug, Args)]
pub(crate) struct EarlierArgs {
    /// Go on with an earlier plan of the day: what `plan --json` wrote. What ended before --at, what the notes check off (`[x]`) and what --done names stands as it
    /// is; the rest is planned anew from --at, and the answer says what became of each item.
    #[arg(long, value_name = "PLAN", requires = "at")]
    pub(crate) from: Option<PathBuf>,

    /// Items of the earlier plan that are done, by their numbers from 1, whatever their times say. Repeatable, or parted by commas.
    #[arg(long, value_name = "N", requires = "from", value_delimiter = ',')]
    pub(crate) done: Vec<usize>,
}

/// What `plan` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlanFormat {
    /// A summary for the terminal.
    Text,
    /// Everything, as the published JSON.
    Json,
    /// A report in Markdown.
    Md,
    /// A report as one self-contained page.
    Html,
    /// JUnit XML.
    Junit,
    /// SARIF 2.1.0, with line annotations.
    Sarif,
    /// The items as events of a calendar (iCalendar, RFC 5545).
    Ics,
    /// The items as Markdown task lines with their times.
    Tasks,
}

impl PlanFormat {
    /// The format that all verbs on notes have, or else the file that other programs read.
    pub(crate) const fn format(self) -> Result<Format, PlanFile> {
        Ok(match self {
            Self::Text => Format::Text,
            Self::Json => Format::Json,
            Self::Md => Format::Md,
            Self::Html => Format::Html,
            Self::Junit => Format::Junit,
            Self::Sarif => Format::Sarif,
            Self::Ics => return Err(PlanFile::Ics),
            Self::Tasks => return Err(PlanFile::Tasks),
        })
    }
}
