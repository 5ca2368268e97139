//! Expressions in one line.

use jiff::civil::{DateTime, Time};
use steadfast_time::{DayPart, Diagnostic, Expression, Length, Reading, Recurrence};

/// `[until ]words = reading | reading[ ~][ (diagnostics)]`
pub(crate) fn shown(text: &str, expression: &Expression) -> String {
    let limit = expression.limit.as_ref().map_or(String::new(), |it| format!("<{:?}> ", it.limit).to_lowercase());
    let readings: Vec<String> = expression.readings.iter().map(reading).collect();
    let about = if expression.approximate { " ~" } else { "" };
    let zone = expression.zone.as_ref().map_or(String::new(), |it| format!(" @{}", &text[it.span.clone()]));
    let told: Vec<String> =
        expression.diagnostics.iter().filter(|it| !expected(**it)).map(|it| format!(" ({it:?})")).collect();
    format!("{limit}{} = {}{about}{zone}{}", &text[expression.span.clone()], readings.join(" | "), told.concat())
}

/// What the readings show already.
fn expected(diagnostic: Diagnostic) -> bool {
    matches!(
        diagnostic,
        Diagnostic::BeforeOrAfterNoon | Diagnostic::ComingOrPast | Diagnostic::WhichWeek | Diagnostic::WhichMidnight
    )
}

fn clock(at: Time) -> String {
    if at.second() == 0 { at.strftime("%H:%M").to_string() } else { at.strftime("%H:%M:%S").to_string() }
}

fn moment(at: Option<DateTime>) -> String {
    at.map_or(String::new(), |at| format!("{}T{}", at.date(), clock(at.time())))
}

fn reading(reading: &Reading) -> String {
    match reading {
        Reading::Time(at) => clock(*at),
        Reading::TimeRange { start, end } => format!("{}..{}", clock(*start), clock(*end)),
        Reading::Date(date) => date.to_string(),
        Reading::DateRange { first, last } => {
            let side = |date: Option<jiff::civil::Date>| date.map_or(String::new(), |date| date.to_string());
            format!("{}..={}", side(*first), side(*last))
        }
        Reading::DateTime(at) => moment(Some(*at)),
        Reading::DateTimeRange { start, end } => format!("{}..{}", moment(*start), moment(*end)),
        Reading::Duration { min, max } if *max == Some(*min) => length(*min),
        Reading::Duration { min, max } => format!("{} to {}", length(*min), max.map_or("…".to_owned(), length)),
        Reading::Recurrence(it) => recurrence(it),
        Reading::DayPart { part, date } => {
            let date = date.map_or(String::new(), |date| format!(" {date}"));
            format!("{}{date}", day_part(*part))
        }
    }
}

fn day_part(part: DayPart) -> String {
    let edge = part.edge.map_or(String::new(), |edge| format!("{edge:?} "));
    format!("{edge}{:?}", part.name).to_lowercase()
}

fn length(length: Length) -> String {
    let mut shown = String::new();
    if length.months != 0 {
        shown += &format!("{}mo", length.months);
    }
    if length.days != 0 {
        shown += &format!("{}d", length.days);
    }
    if !length.clock.is_zero() || shown.is_empty() {
        shown += &format!("{:#}", length.clock).replace(' ', "");
    }
    shown
}

fn recurrence(it: &Recurrence) -> String {
    let mut shown = format!("every {} {}", it.count, it.unit.name());
    for weekday in &it.weekdays {
        shown += &format!(" {weekday:?}")[..4];
    }
    if let Some(part) = it.part {
        shown += &format!(" {}", day_part(part));
    }
    if let Some(at) = it.at {
        shown += &format!(" at {}", clock(at));
    }
    if let Some(until) = it.until {
        shown += &format!("..{}", clock(until));
    }
    shown
}
