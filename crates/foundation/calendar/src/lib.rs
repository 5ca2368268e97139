//! What takes place on a day, read from iCalendar files (RFC 5545).
//!
//! [`read`] takes the text of a file and gives the events of one day, each with the bytes of the file that name it, and those that take no time, with the reason.
//! It knows no clock and no zones but those that are given to it and those that the file describes.

mod error;
mod event;
mod lines;
mod recur;
mod values;
mod zone;

pub use error::CalendarError;
pub use event::{Day, Event, EventsOfDay, PassedOver, Why, read};

/// The largest file that is read, in bytes.
pub const CALENDAR_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Events that a file may hold, recurring ones counted once.
pub const EVENTS_MAX: usize = 20_000;

/// Events of one day that are taken from a file.
pub const DAY_EVENTS_MAX: usize = 200;

/// How often an event may recur up to the day that is read.
pub const RECURRENCES_MAX: usize = 50_000;

/// Recurrences that are counted in a file, of all its events up to the day and of the zones that it describes; the steps in which a rule looks for its next
/// one count as well.
pub const FILE_RECURRENCES_MAX: usize = 2_000_000;

/// Content lines that a file may hold.
pub const LINES_MAX: usize = 500_000;

/// Components within components.
pub const DEPTH_MAX: usize = 16;

/// The longest rule of recurrence, in bytes.
pub const RULE_BYTES_MAX: usize = 1_000;

/// The longest name of an event, in characters; what follows is cut off.
pub const NAME_CHARS_MAX: usize = 200;
