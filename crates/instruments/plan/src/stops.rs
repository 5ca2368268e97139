//! Where a plan is, in the order of time.

use crate::answer::Answer;
use crate::model::{Extent, Notes, Rule};
use crate::window::Window;

/// Somewhere at some time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The item; `None` where the notes say that the planner is there.
    pub item: Option<usize>,
    /// Where.
    pub place: String,
    /// When.
    pub when: Window,
}

/// The items that have place and time, and where the notes say that the planner is at a time, in the order of time; days and
/// clock times are apart.
#[must_use]
pub fn stops(notes: &Notes, answer: &Answer) -> Vec<Stop> {
    let mut stops: Vec<Stop> = Vec::new();
    for constraint in notes.constraints.iter().filter(|constraint| constraint.hard) {
        if let Rule::Presence { who: None, place, when, extent: Extent::Throughout } = &constraint.rule
            && when.is_unique()
        {
            for window in when.first() {
                if matches!(window, Window::Clock(_)) {
                    stops.push(Stop { item: None, place: place.clone(), when: *window });
                }
            }
        }
    }
    for item in &answer.items {
        if let (Some(place), Some(when)) = (&item.at, item.when) {
            stops.push(Stop { item: Some(item.index), place: place.clone(), when });
        }
    }
    stops.sort_by_key(|stop| (stop.when, stop.item));
    stops
}
