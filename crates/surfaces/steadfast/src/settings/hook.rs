//! What the hook keeps of sessions, as the settings file says.

use steadfast_engine::limits::RETAIN_DAYS_MAX;
use steadfast_wire::sessions::SessionCapture;
use steadfast_wire::settings::{HookSettings, HookStore};

use super::file;
use crate::exit::Failure;

/// Days for which a session is kept, unless the settings say otherwise.
pub(crate) const RETAIN_DAYS: u32 = 30;

/// How much of a session is kept, and for how many days; `None` where nothing is.
pub(crate) fn hook() -> Result<Option<(SessionCapture, u32)>, Failure> {
    let file = file::read(None)?;
    let HookSettings { store, retain_days } = file.settings.hook;
    let days = retain_days.unwrap_or(RETAIN_DAYS);
    if !(1..=RETAIN_DAYS_MAX).contains(&days) {
        return Err(Failure::usage(format!(
            "{}: `hook.retain_days`: {days} is no time to keep something",
            file.name()
        ))
        .hint("sessions are kept for 1 to 36,500 days; `hook.store = \"off\"` keeps none"));
    }
    Ok(match store.unwrap_or(HookStore::Refs) {
        HookStore::Off => None,
        HookStore::Refs => Some((SessionCapture::Refs, days)),
        HookStore::Full => Some((SessionCapture::Full, days)),
    })
}
