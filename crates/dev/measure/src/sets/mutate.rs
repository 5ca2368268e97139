//! The shipped pairs, made to drift by operators: what `audit` finds of each type, and what it finds in the faithful reports.

use super::{Reader, Set};
use crate::mutate::{METRICS, Settings, cases, judge_by_rules, shipped};
use crate::{Files, MeasureError, Row};

pub(super) const SET: Set = Set {
    name: crate::mutate::SET,
    about: "in-house: faithful reports made to drift by operators of each type: recall, false incidents (ships with the program)",
    metrics: METRICS,
    read: Reader::Rules(read),
};

fn read(_: &Files) -> Result<Vec<Row>, MeasureError> {
    let pairs = shipped()?;
    let settings = Settings::default();
    let cases = cases(&pairs, pairs.len(), settings)?;
    Ok(judge_by_rules(&pairs, &cases, settings)?.1)
}
