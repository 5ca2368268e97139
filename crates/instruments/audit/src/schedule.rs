//! Schedules: what planners keep in scripts, diagrams and tables rather than in prose.
//!
//! Three forms are read: Gantt data as JSON objects with `text`, `start_date` and `duration` (days) in a script; Mermaid
//! `gantt` diagrams, in a code block or anywhere in an HTML page; tables with a start and an end column. A task that has no
//! dates of its own spans its children.

use std::collections::HashMap;
use std::sync::LazyLock;

use jiff::ToSpan;
use jiff::civil::Date;
use steadfast_steps::Regex;
use steadfast_text::{Document, Format, Span};
use steadfast_time::DurationUnit;

use crate::answer::{Answer, Artefact};

/// Most tasks that are read of one schedule; the rest is not looked at.
pub const TASKS_MAX: usize = 20_000;

/// Longest quote from a name to its dates, in bytes.
const JSON_QUOTE_BYTES_MAX: usize = 240;

/// Days that one task may last at most: beyond it the number is no duration (a century).
const TASK_DAYS_MAX: i64 = 36_525;

/// One task of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its name.
    pub name: String,
    /// First day.
    pub start: Date,
    /// Last day, inclusive.
    pub end: Date,
    /// The bytes of the file that name it or state its dates.
    pub span: Span,
    /// How many tasks stand above it; 0 for the whole.
    pub depth: usize,
    /// Whether other tasks stand below it.
    pub has_children: bool,
}

/// One schedule of one artefact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Index into the answer's artefacts.
    pub artefact: usize,
    /// Tasks in the order of the file; never empty.
    pub tasks: Vec<Task>,
}

impl Schedule {
    /// The first of the tasks that begin first.
    #[must_use]
    pub fn first(&self) -> Option<&Task> {
        self.tasks.iter().min_by_key(|task| (task.start, task.has_children))
    }

    /// The first of the tasks that end last.
    #[must_use]
    pub fn last(&self) -> Option<&Task> {
        self.tasks.iter().min_by_key(|task| (std::cmp::Reverse(task.end), task.has_children))
    }

    /// From its first to its last day, both counted, in days; 0 for none.
    #[must_use]
    pub fn days(&self) -> i64 {
        match (self.first(), self.last()) {
            (Some(first), Some(last)) => days_between(first.start, last.end) + 1,
            _ => 0,
        }
    }
}

/// Days from `from` to `to`.
#[must_use]
pub fn days_between(from: Date, to: Date) -> i64 {
    from.until(to).map_or(0, |span| i64::from(span.get_days()))
}

/// The schedules of an answer, at most one for each artefact. `begin` is the day from which project months are counted.
#[must_use]
pub fn of_answer(answer: &Answer, begin: Date) -> Vec<Schedule> {
    answer
        .artefacts
        .iter()
        .enumerate()
        .filter_map(|(index, artefact)| {
            let mut tasks = of_artefact(artefact, begin);
            tasks.truncate(TASKS_MAX);
            (!tasks.is_empty()).then_some(Schedule { artefact: index, tasks })
        })
        .collect()
}

fn of_artefact(artefact: &Artefact, begin: Date) -> Vec<Task> {
    let document = &artefact.document;
    for script in &document.scripts {
        let tasks = of_json(&document.source, *script);
        if !tasks.is_empty() {
            return tasks;
        }
    }
    let tasks = of_mermaid(document);
    if !tasks.is_empty() {
        return tasks;
    }
    of_tables(document, begin)
}

/// A task as JSON states it, before its children are known.
struct Raw {
    id: String,
    parent: Option<String>,
    name: String,
    dates: Option<(Date, Date)>,
    span: Span,
}

static JSON_MEMBER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r#""(id|text|start_date|end_date|duration|parent)"\s*:\s*(?:"((?:[^"\\]|\\.)*)"|(-?\d{1,6}(?:\.\d{1,3})?))"#,
    )
    .ok()
});

/// Objects begin with their `id`: planners' exporters write it first, so members are read in one pass without a parser for
/// the script around them.
fn of_json(source: &str, script: Span) -> Vec<Task> {
    let Some(text) = source.get(script.range()) else { return Vec::new() };
    if !text.contains("\"start_date\"") {
        return Vec::new();
    }
    let Some(pattern) = &*JSON_MEMBER else { return Vec::new() };
    let mut raws: Vec<Raw> = Vec::new();
    let (mut start, mut start_span) = (None, Span::new(0, 0));
    for member in pattern.captures_iter(text) {
        let (Some(whole), Some(key)) = (member.get(0), member.get(1)) else { continue };
        let value = member.get(2).or_else(|| member.get(3)).map_or("", |value| value.as_str());
        let span = Span::new(script.start + whole.start(), script.start + whole.end());
        if key.as_str() == "id" {
            if raws.len() >= TASKS_MAX {
                break;
            }
            start = None;
            raws.push(Raw { id: value.to_owned(), parent: None, name: String::new(), dates: None, span });
            continue;
        }
        let Some(raw) = raws.last_mut() else { continue };
        match key.as_str() {
            "text" => {
                value.clone_into(&mut raw.name);
                if let Some(own) = member.get(2).filter(|own| !own.is_empty()) {
                    raw.span = Span::new(script.start + own.start(), script.start + own.end());
                }
            }
            "parent" => raw.parent = Some(value.to_owned()),
            "start_date" => {
                start = value.get(..10).and_then(|day| day.parse::<Date>().ok());
                start_span = span;
            }
            "end_date" | "duration" => {
                let Some(first) = start else { continue };
                let last = if key.as_str() == "end_date" {
                    value.get(..10).and_then(|day| day.parse::<Date>().ok())
                } else {
                    last_day(first, value)
                };
                if let Some(last) = last.filter(|last| *last >= first) {
                    raw.dates = Some((first, last));
                    // Exporters that put long texts between name and dates: the name alone is quoted.
                    if span.end - raw.span.start <= JSON_QUOTE_BYTES_MAX {
                        raw.span.end = span.end;
                    } else if raw.name.is_empty() {
                        raw.span = Span::new(start_span.start, span.end);
                    }
                }
            }
            _ => {}
        }
    }
    with_children(&raws)
}

/// The last day of a task of so many days: the whole of them from `first` on.
fn last_day(first: Date, days: &str) -> Option<Date> {
    let days: f64 = days.parse().ok()?;
    // At most six digits, so it fits.
    let days = days.ceil() as i64;
    if !(0..=TASK_DAYS_MAX).contains(&days) {
        return None;
    }
    first.checked_add((days - 1).max(0).days()).ok()
}

/// Gives tasks without dates the span of the tasks below them, and each its depth.
fn with_children(raws: &[Raw]) -> Vec<Task> {
    let index: HashMap<&str, usize> = raws.iter().enumerate().map(|(at, raw)| (raw.id.as_str(), at)).collect();
    let parents: Vec<Option<usize>> = raws
        .iter()
        .enumerate()
        .map(|(at, raw)| raw.parent.as_deref().and_then(|id| index.get(id).copied()).filter(|&parent| parent != at))
        .collect();
    let mut dates: Vec<Option<(Date, Date)>> = raws.iter().map(|raw| raw.dates).collect();
    let mut depths = vec![0_usize; raws.len()];
    let mut has_children = vec![false; raws.len()];
    for (at, raw) in raws.iter().enumerate() {
        let mut above = parents[at];
        // A chain longer than this is a circle.
        for depth in 1..=64 {
            let Some(parent) = above else { break };
            depths[at] = depth;
            has_children[parent] = true;
            if let (Some((first, last)), None) = (raw.dates, raws[parent].dates) {
                let so_far = dates[parent].unwrap_or((first, last));
                dates[parent] = Some((so_far.0.min(first), so_far.1.max(last)));
            }
            above = parents[parent];
        }
    }
    raws.iter()
        .enumerate()
        .filter_map(|(at, raw)| {
            let (start, end) = dates[at]?;
            Some(Task {
                name: unescaped(&raw.name),
                start,
                end,
                span: raw.span,
                depth: depths[at],
                has_children: has_children[at],
            })
        })
        .collect()
}

/// A JSON string's text; an escape that cannot be read stays as it stands.
fn unescaped(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n' | 't' | 'r') => out.push(' '),
            Some('u') => {
                let code: String = chars.by_ref().take(4).collect();
                match u32::from_str_radix(&code, 16).ok().and_then(char::from_u32) {
                    Some(c) => out.push(c),
                    None => out.push('\u{fffd}'),
                }
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

static MERMAID_TASK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?m)^[ \t]*(\S[^:\n]{0,200}?)[ \t]*:[^\n:]{0,60}?(\d{4}-\d{2}-\d{2})[ \t]*,[ \t]*(?:(\d{4}-\d{2}-\d{2})|(\d{1,5})([dw]))",
    )
    .ok()
});

/// Mermaid diagrams: every line of the form `name :2025-05-12, 37d` after a line `gantt`.
fn of_mermaid(document: &Document) -> Vec<Task> {
    let source = &document.source;
    let may_hold = match document.format {
        Format::Html | Format::Markdown => source.contains("\ngantt"),
        Format::Plain => false,
    };
    let Some(pattern) = MERMAID_TASK.as_ref().filter(|_| may_hold) else { return Vec::new() };
    let begin = source.find("\ngantt").unwrap_or(0);
    let mut tasks: Vec<Task> = Vec::new();
    for task in pattern.captures_iter(&source[begin..]).take(TASKS_MAX) {
        let (Some(whole), Some(name), Some(first)) = (task.get(0), task.get(1), task.get(2)) else { continue };
        let Ok(start) = first.as_str().parse::<Date>() else { continue };
        let end = match (task.get(3), task.get(4), task.get(5)) {
            (Some(last), ..) => last.as_str().parse::<Date>().ok(),
            (None, Some(count), Some(unit)) => {
                let days = count.as_str().parse::<i64>().unwrap_or(0) * if unit.as_str() == "w" { 7 } else { 1 };
                (days <= TASK_DAYS_MAX).then(|| start.checked_add((days - 1).max(0).days()).ok()).flatten()
            }
            _ => None,
        };
        let Some(end) = end.filter(|end| *end >= start) else { continue };
        let indent = whole.as_str().len() - whole.as_str().trim_start().len();
        tasks.push(Task {
            name: name.as_str().trim().to_owned(),
            start,
            end,
            span: Span::new(begin + whole.start() + indent, begin + whole.end()),
            depth: 1,
            has_children: false,
        });
    }
    // Mermaid knows no tree: a task that spans all others is the whole.
    if let (Some(first), Some(last)) =
        (tasks.iter().map(|task| task.start).min(), tasks.iter().map(|task| task.end).max())
        && let Some(root) = tasks.first_mut()
        && root.start == first
        && root.end == last
    {
        root.depth = 0;
        root.has_children = true;
    }
    tasks
}

/// Tables with a start and an end column that hold dates, or with a column of months, weeks or days of the project.
fn of_tables(document: &Document, begin: Date) -> Vec<Task> {
    let mut tasks = Vec::new();
    for table in document.tables.iter().filter(|table| table.has_header) {
        let header: Vec<String> = table
            .rows
            .first()
            .map(|row| row.iter().map(|&cell| document.blocks[cell].text.plain.trim().to_lowercase()).collect())
            .unwrap_or_default();
        let column = |words: &[&str]| header.iter().position(|title| words.iter().any(|word| title.contains(word)));
        let project = header.iter().enumerate().find_map(|(at, title)| Some((at, project_unit(title)?)));
        let (start, end) =
            match (column(&["start", "begin"]), column(&["end", "finish", "due", "complet", "deadline", "date"])) {
                (Some(start), Some(end)) => (start, end),
                (None, Some(only)) | (Some(only), None) => (only, only),
                (None, None) => match project {
                    Some((only, _)) => (only, only),
                    None => continue,
                },
            };
        let name = (0..header.len()).find(|&at| at != start && at != end).unwrap_or(0);
        for row in table.rows.iter().skip(1) {
            let cell = |column: usize| row.get(column).and_then(|&cell| document.blocks.get(cell));
            let (Some(name), Some(first), Some(last)) = (cell(name), cell(start), cell(end)) else { continue };
            let days = match (day_of(&first.text.plain, false), day_of(&last.text.plain, true), project) {
                (Some(start), Some(end), _) => Some((start, end)),
                (_, _, Some((_, unit))) => point_of(&last.text.plain, unit, begin).map(|day| (day, day)),
                _ => None,
            };
            if let Some((start, end)) = days.filter(|(start, end)| end >= start) {
                let from = name.span.start.min(first.span.start);
                tasks.push(Task {
                    name: name.text.plain.clone(),
                    start,
                    end,
                    span: Span::new(from, last.span.end.max(first.span.end).max(name.span.end)),
                    depth: 1,
                    has_children: false,
                });
            }
        }
    }
    tasks
}

/// The unit of a column of project time: "Month", "Weeks", "Month no.".
fn project_unit(title: &str) -> Option<DurationUnit> {
    match title.trim_end_matches(['.', '#', ' ', ':']).trim_end_matches("no").trim().trim_end_matches('s') {
        "day" => Some(DurationUnit::Day),
        "week" => Some(DurationUnit::Week),
        "month" => Some(DurationUnit::Month),
        _ => None,
    }
}

/// The day on which so many units have passed.
fn point_of(text: &str, unit: DurationUnit, begin: Date) -> Option<Date> {
    let last: i64 = text.trim().rsplit(['-', '–', ' ']).next()?.parse().ok()?;
    if !(0..=1_200).contains(&last) {
        return None;
    }
    let span = match unit {
        DurationUnit::Day => last.days(),
        DurationUnit::Week => last.weeks(),
        _ => last.months(),
    };
    begin.checked_add(span).ok()
}

/// The first or last day of the only date in a cell.
fn day_of(text: &str, last: bool) -> Option<Date> {
    let dates = steadfast_time::dates(text);
    let [date] = dates.as_slice() else { return None };
    match date.value {
        steadfast_time::DateValue::Window(window) if date.alternative.is_none() => {
            Some(if last { window.last } else { window.first })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use steadfast_evidence::FileId;

    fn read(source: &str, format: Format) -> Vec<(String, String, String, usize)> {
        let artefact = Artefact {
            file: FileId(0),
            name: "schedule".to_owned(),
            document: Document::from_str_as(source, format),
            left_out: Vec::new(),
        };
        of_artefact(&artefact, Date::constant(2027, 1, 1))
            .into_iter()
            .map(|task| {
                assert!(source.get(task.span.range()).is_some_and(|quote| !quote.is_empty()));
                (task.name, task.start.to_string(), task.end.to_string(), task.depth)
            })
            .collect()
    }

    fn row(name: &str, start: &str, end: &str, depth: usize) -> (String, String, String, usize) {
        (name.to_owned(), start.to_owned(), end.to_owned(), depth)
    }

    #[test]
    fn json_tasks_and_their_parents() {
        let page = r#"<p>Plan</p><script>const DATA = {"tasks": [
            {"id": "a", "text": "Whole", "type": "project"},
            {"id": "b", "text": "Survey \"north\"", "start_date": "2027-01-04", "duration": 5.0, "parent": "a"},
            {"id": "c", "text": "Build", "start_date": "2027-01-09", "duration": 10, "parent": "a"}]};</script>"#;
        assert_eq!(
            read(page, Format::Html),
            [
                row("Whole", "2027-01-04", "2027-01-18", 0),
                row("Survey \"north\"", "2027-01-04", "2027-01-08", 1),
                row("Build", "2027-01-09", "2027-01-18", 1)
            ]
        );
    }

    #[test]
    fn mermaid_tasks() {
        let text = "# Plan\n\n```mermaid\ngantt\n    dateFormat YYYY-MM-DD\n    section One\n    All :2027-01-01, 31d\n    Dig :done, d1, 2027-01-01, 2w\n    Fill :2027-01-15, 2027-01-31\n```\n";
        assert_eq!(
            read(text, Format::Markdown),
            [
                row("All", "2027-01-01", "2027-01-31", 0),
                row("Dig", "2027-01-01", "2027-01-14", 1),
                row("Fill", "2027-01-15", "2027-01-31", 1)
            ]
        );
    }

    #[test]
    fn tables_with_dates() {
        let text =
            "| Task | Start | End |\n|---|---|---|\n| Dig | 2027-01-01 | 2027-01-14 |\n| Fill | soon | later |\n";
        assert_eq!(read(text, Format::Markdown), [row("Dig", "2027-01-01", "2027-01-14", 1)]);
    }

    #[test]
    fn a_circle_of_parents_ends() {
        let page = r#"<script>[{"id":"a","text":"A","parent":"b","start_date":"2027-01-01","duration":1},
            {"id":"b","text":"B","parent":"a","start_date":"2027-01-02","duration":1}]</script>"#;
        assert_eq!(read(page, Format::Html).len(), 2);
    }

    #[test]
    fn absurd_durations_are_no_dates() {
        let page = r#"<script>[{"id":"a","text":"A","start_date":"2027-01-01","duration":999999}]</script>"#;
        assert!(read(page, Format::Html).is_empty());
        let all = of_mermaid(&Document::from_str_as("\ngantt\n A :9999-12-31, 99999w\n", Format::Markdown));
        assert!(all.is_empty());
        assert_eq!(days_between("2027-01-01".parse().unwrap(), "2027-12-31".parse().unwrap()), 364);
    }
}
