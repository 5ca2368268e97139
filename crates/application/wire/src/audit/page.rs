//! A part of the list of incidents. Counts, score and verdict stay those of the whole.

use super::DriftEvaluation;
use crate::Error;

/// Which incidents of an evaluation are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// At most so many; `None` lists all.
    pub limit: Option<usize>,
    /// The `next_cursor` of the page before.
    pub cursor: Option<String>,
    /// Only those of this severity or worse.
    pub min_severity: u8,
}

impl DriftEvaluation {
    /// The same evaluation with the incidents of one page, and `next_cursor` set where more follow.
    ///
    /// # Errors
    /// [`Error::UnknownCursor`] where no incident has the cursor's id.
    pub fn page(&self, page: &Page) -> Result<Self, Error> {
        let mut kept = self.drift_incidents.iter().filter(|incident| incident.severity >= page.min_severity).peekable();
        if let Some(cursor) = &page.cursor {
            while kept.next_if(|incident| incident.id != *cursor).is_some() {}
            if kept.peek().is_none() {
                return Err(Error::UnknownCursor(cursor.clone()));
            }
        }
        let listed: Vec<_> = kept.by_ref().take(page.limit.unwrap_or(usize::MAX)).cloned().collect();
        let next_cursor = kept.next().map(|incident| incident.id.clone());
        Ok(Self { drift_incidents: listed, next_cursor, ..self.clone() })
    }
}
