//! A part of a long list: what is asked for is shown, what is counted stays.

use steadfast_wire::audit::DriftEvaluation;

use crate::EngineError;
use crate::limits::SEARCH_BYTES_MAX;
use crate::store::micros;

/// Where the hyphens of a UUID stand, and how many characters it has.
const HYPHENS: [usize; 4] = [8, 13, 18, 23];
const UUID_CHARS: usize = 36;

/// The place of a list that is in the order of its ids, which are UUIDs: what stood there may be gone.
///
/// # Errors
/// [`EngineError::Cursor`].
pub(crate) fn by_id(cursor: Option<&str>) -> Result<Option<String>, EngineError> {
    let is_id = |text: &str| {
        let fits = |(at, byte): (usize, u8)| match byte {
            b'-' => HYPHENS.contains(&at),
            b'0'..=b'9' | b'a'..=b'f' => !HYPHENS.contains(&at),
            _ => false,
        };
        text.len() == UUID_CHARS && text.bytes().enumerate().all(fits)
    };
    match cursor {
        Some(cursor) if !is_id(cursor) => Err(EngineError::Cursor { cursor: cursor.to_owned() }),
        cursor => Ok(cursor.map(str::to_owned)),
    }
}

/// The place of a list in which what changed last stands first: the moment at which the one before it had changed, and its id.
///
/// # Errors
/// [`EngineError::Cursor`].
pub(crate) fn by_moment(cursor: Option<&str>) -> Result<Option<(String, String)>, EngineError> {
    let place = |cursor: &str| {
        let (at, id) = cursor.split_once(' ').filter(|(at, id)| micros(at).is_some() && !id.is_empty())?;
        Some((at.to_owned(), id.to_owned()))
    };
    cursor.map(|own| place(own).ok_or_else(|| EngineError::Cursor { cursor: own.to_owned() })).transpose()
}

/// Tells all rows of what is read page by page: `page` gives the rows behind a cursor, and where the next ones begin, if there may be some.
pub(crate) fn pages<T, C, E: From<EngineError>>(
    mut page: impl FnMut(Option<C>) -> Result<(Vec<T>, Option<C>), EngineError>,
    mut each: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let mut cursor = None;
    loop {
        let (rows, next) = page(cursor)?;
        rows.into_iter().try_for_each(&mut each)?;
        cursor = match next {
            None => return Ok(()),
            next => next,
        };
    }
}

/// Refuses to search for what is too long or nothing.
///
/// # Errors
/// [`EngineError::Search`].
pub(crate) fn searchable(search: Option<&str>) -> Result<(), EngineError> {
    match search {
        Some(search) if search.is_empty() || search.len() > SEARCH_BYTES_MAX => {
            let bytes = search.len();
            let what = format!("what is searched for has 1 to {SEARCH_BYTES_MAX} bytes; this has {bytes}");
            Err(EngineError::Search { what })
        }
        _ => Ok(()),
    }
}

/// Which incidents are listed. Scores, counts, totals and obligations stay those of the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// How many at most; all of them where it is `None`.
    pub limit: Option<usize>,
    /// Only incidents of at least this severity, 0 to 4.
    pub min_severity: u8,
    /// Where the page begins, as `next_cursor` of the page before said.
    pub cursor: Option<String>,
}

/// Leaves in `evaluation` only the incidents that `page` asks for.
///
/// # Errors
/// [`EngineError::Cursor`] where the cursor is no number within the list.
pub fn page(mut evaluation: DriftEvaluation, page: &Page) -> Result<DriftEvaluation, EngineError> {
    evaluation.drift_incidents.retain(|incident| incident.severity >= page.min_severity);
    let listed = evaluation.drift_incidents.len();
    let start = match &page.cursor {
        None => 0,
        Some(cursor) => match cursor.parse::<usize>() {
            Ok(start) if start <= listed => start,
            _ => return Err(EngineError::Cursor { cursor: cursor.clone() }),
        },
    };
    evaluation.drift_incidents.drain(..start);
    if let Some(limit) = page.limit.filter(|limit| *limit < evaluation.drift_incidents.len()) {
        evaluation.drift_incidents.truncate(limit);
        evaluation.next_cursor = Some((start + limit).to_string());
    }
    Ok(evaluation)
}

#[cfg(test)]
pub(crate) mod tests {
    use steadfast_wire::audit::{DriftIncident, DriftType, Totals, Voice};

    use super::*;

    pub(crate) fn incident(id: &str, severity: u8) -> DriftIncident {
        DriftIncident {
            id: id.to_owned(),
            check: String::new(),
            origin: steadfast_wire::audit::Origin::code(),
            person: None,
            drift_type: DriftType::A,
            severity,
            section: String::new(),
            source_reference: String::new(),
            output_claim: String::new(),
            explanation: String::new(),
            confidence: 1.0,
            source_span: None,
            output_span: None,
            absent: false,
            also_at: Vec::new(),
            repair_action: String::new(),
            voice: Voice::Asserted,
            introduced_in: None,
            trail: None,
            obligation: None,
            decision: None,
            new: None,
        }
    }

    #[test]
    fn a_place_is_an_id_or_a_moment_with_one() {
        let id = "019b0000-0000-7000-8000-00000000000f";
        assert_eq!(by_id(Some(id)).unwrap().as_deref(), Some(id));
        assert_eq!(by_id(None).unwrap(), None);
        let broken = [id.replace('-', "0"), id.replacen('0', "-", 1), id.replace('f', "F"), id.replace('f', "g")];
        for wrong in ["", "2", &id[1..], &format!("{id}0")].into_iter().chain(broken.iter().map(|own| &**own)) {
            let refused = by_id(Some(wrong)).unwrap_err();
            assert_eq!(refused.to_string(), format!("`{wrong}` is no cursor of this list"));
        }
        let at = "2026-01-25T11:00:00.000Z";
        let place = |cursor: &str| by_moment(Some(cursor)).ok().flatten();
        assert_eq!(place(&format!("{at} a b")), Some((at.to_owned(), "a b".to_owned())));
        for wrong in ["", at, "x a", &format!("{at} "), "a b"] {
            assert_eq!(place(wrong), None, "{wrong}");
        }
    }

    /// Severities that are listed, and the next cursor.
    #[track_caller]
    fn check(limit: Option<usize>, min_severity: u8, cursor: Option<&str>, expect: &str) {
        let incidents: Vec<DriftIncident> = [4, 3, 3, 2, 0].map(|severity| incident("", severity)).to_vec();
        let totals = Totals::of(&incidents);
        let evaluation = DriftEvaluation { drift_incidents: incidents, totals, ..DriftEvaluation::default() };
        let page = super::page(evaluation, &Page { limit, min_severity, cursor: cursor.map(str::to_owned) });
        let said = match page {
            Ok(page) => {
                assert_eq!(page.totals.incidents, 5, "totals are of the whole");
                let listed: Vec<String> = page.drift_incidents.iter().map(|it| it.severity.to_string()).collect();
                format!("{} | {}", listed.join(" "), page.next_cursor.unwrap_or_default())
            }
            Err(error) => error.to_string(),
        };
        assert_eq!(said, expect);
    }

    #[test]
    fn pages() {
        check(None, 0, None, "4 3 3 2 0 | ");
        check(Some(2), 0, None, "4 3 | 2");
        check(Some(2), 0, Some("2"), "3 2 | 4");
        check(Some(2), 0, Some("4"), "0 | ");
        check(Some(5), 0, None, "4 3 3 2 0 | ");
        check(Some(0), 0, None, " | 0");
        check(None, 3, None, "4 3 3 | ");
        check(Some(1), 3, Some("1"), "3 | 2");
        check(None, 0, Some("6"), "`6` is no cursor of this list");
        check(None, 0, Some("-1"), "`-1` is no cursor of this list");
    }
}
