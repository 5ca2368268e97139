//! Rows of a calendar that were pasted into notes: "07:45,08:15,School run,me," under "Start,End,Title,Who,Notes".

use std::collections::BTreeSet;
use std::ops::Range;

/// Where the columns are that are read.
struct Columns {
    start: usize,
    end: usize,
    title: usize,
    who: Option<usize>,
}

const STARTS: &[&str] = &["start", "start time", "begin", "begins", "from"];
const ENDS: &[&str] = &["end", "end time", "finish", "ends", "until", "to"];
const TITLES: &[&str] = &["title", "summary", "subject", "event", "name", "what", "description"];
const WHO: &[&str] = &["who", "person", "owner", "attendee", "for"];

/// Words for the one who plans, alone or with others.
const OWN: &[&str] = &["", "me", "i", "self", "myself", "us", "we", "all", "both", "everyone", "family"];

/// Words of what does not take place.
const OFF: &[&str] = &["cancelled", "canceled", "postponed", "rescheduled", "called off"];

/// The cells of a row.
fn cells(row: &str) -> Vec<Range<usize>> {
    let mut from = 0;
    row.split(',')
        .map(|cell| {
            let at = from;
            from += cell.len() + 1;
            at..at + cell.len()
        })
        .collect()
}

fn value<'t>(row: &'t str, cells: &[Range<usize>], at: usize) -> &'t str {
    cells.get(at).and_then(|cell| row.get(cell.clone())).unwrap_or_default().trim()
}

fn columns(head: &str) -> Option<Columns> {
    let names: Vec<String> = head.split(',').map(|name| name.trim().to_lowercase()).collect();
    let find = |list: &[&str]| names.iter().position(|name| list.contains(&name.as_str()));
    Some(Columns { start: find(STARTS)?, end: find(ENDS)?, title: find(TITLES)?, who: find(WHO) })
}

/// Turns rows of a calendar into lines of a time and a title, byte for byte, and tells which of the lines are none of the day: the names of
/// the columns, what does not take place, and what is somebody else's.
pub(super) fn of_calendar(text: &mut String, lines: &[Range<usize>]) -> BTreeSet<usize> {
    let mut left_out = BTreeSet::new();
    let head = lines.iter().enumerate().find_map(|(at, line)| Some((at, columns(text.get(line.clone())?)?)));
    let Some((head, columns)) = head.filter(|(_, own)| own.end == own.start + 1 && own.title > own.end) else {
        return left_out;
    };
    left_out.insert(head);
    let count = cells(&text[lines[head].clone()]).len();
    let mut own = std::mem::take(text).into_bytes();
    for (at, line) in lines.iter().enumerate().skip(head + 1) {
        let Ok(row) = std::str::from_utf8(&own[line.clone()]).map(str::to_owned) else { break };
        let cells = cells(&row);
        if cells.len() != count || !value(&row, &cells, columns.start).starts_with(|c: char| c.is_ascii_digit()) {
            break;
        }
        let who = columns.who.map_or("", |who| value(&row, &cells, who)).to_lowercase();
        let off =
            (0..count).any(|cell| OFF.iter().any(|off| value(&row, &cells, cell).to_lowercase().starts_with(off)));
        if off || !OWN.contains(&who.as_str()) {
            left_out.insert(at);
            continue;
        }
        let ranged = !value(&row, &cells, columns.end).is_empty();
        for (cell, range) in cells.iter().enumerate() {
            if ![columns.start, columns.end, columns.title].contains(&cell) {
                own[line.start + range.start..line.start + range.end].fill(b' ');
            }
            if let Some(comma) = own[..line.end].get_mut(line.start + range.end) {
                *comma = if ranged && cell == columns.start { b'-' } else { b' ' };
            }
        }
    }
    *text = String::from_utf8(own).unwrap_or_default();
    left_out
}
