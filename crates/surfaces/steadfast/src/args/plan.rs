//! The formats of plans.

use clap::ValueEnum;
use steadfast_wire::plan::PlanFile;

use super::Format;

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
