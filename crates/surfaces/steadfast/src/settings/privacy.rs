//! Keeping less: what the settings file says of it.

use std::path::PathBuf;

use steadfast_engine::limits::RETAIN_DAYS_MAX;
use steadfast_engine::privacy::{Capture, Privacy, Redaction};
use steadfast_wire::settings::{CaptureSetting, PrivacySettings};

use super::file::{self, SettingsFile};
use crate::exit::Failure;

/// What is kept of texts, as the settings file says: that of the flag, else of `STEADFAST_CONFIG`, else that of the working folder.
pub(crate) fn privacy(config: Option<PathBuf>) -> Result<Privacy, Failure> {
    of(&file::read(config)?)
}

fn of(file: &SettingsFile) -> Result<Privacy, Failure> {
    let PrivacySettings { capture, redact, patterns, retain_days } = &file.settings.privacy;
    let name = file.name();
    let redaction = Redaction::new(redact, patterns.iter().map(|(name, pattern)| (name.as_str(), pattern.as_str())));
    let redaction = redaction.map_err(|error| {
        let place = if patterns.contains_key(&error.name) { "patterns" } else { "redact" };
        Failure::usage(format!("{name}: `privacy.{place}`: {error}"))
    })?;
    if let Some(days) = retain_days.filter(|days| !(1..=RETAIN_DAYS_MAX).contains(days)) {
        return Err(Failure::usage(format!("{name}: `privacy.retain_days`: {days} is no time to keep something"))
            .hint("things are kept for 1 to 36,500 days; without it they are kept until somebody deletes them"));
    }
    let capture = match capture {
        Some(CaptureSetting::Nothing) => Capture::None,
        Some(CaptureSetting::Hash) => Capture::Hash,
        Some(CaptureSetting::Preview) => Capture::Preview,
        Some(CaptureSetting::Full) | None => Capture::Full,
    };
    Ok(Privacy { capture, redaction, retain_days: *retain_days })
}
