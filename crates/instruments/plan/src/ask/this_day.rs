//! Whether words of the notes speak of this day, and of which day they speak otherwise.

use jiff::{ToSpan as _, Zoned};
use steadfast_evidence::{FileId, Quote};
use steadfast_text::{Document, Span};
use steadfast_time::{Anchor, Reading, expressions};

use super::calendar::CalendarEvent;
use super::lines::lines;
use crate::free::Settings;
use crate::model::Notes;

/// The lines of notes that speak of this day: what the reader of notes reads.
#[derive(Clone, Debug)]
pub(crate) struct OfThisDay {
    lines: Vec<(Vec<Span>, String)>,
}

impl OfThisDay {
    /// Those of a document as of a moment.
    pub(crate) fn new(document: &Document, now: &Zoned) -> Self {
        let lines = lines(document, &Anchor::new(now.clone()));
        let of = |line: &super::lines::Line<'_>| {
            let first = line.cells.first().map_or(line.text.len(), |cell| cell.start.saturating_sub(2));
            let mut spans = vec![line.block.text.source_span(line.at..line.at + first)];
            for (at, cell) in line.cells.iter().enumerate() {
                let end = line.cells.get(at + 1).map_or(line.text.len(), |next| next.start.saturating_sub(2));
                let length = end.saturating_sub(cell.start);
                spans.push(cell.block.text.source_span(cell.at..cell.at + length));
            }
            (spans, collapsed(&line.text))
        };
        Self { lines: lines.iter().map(of).collect() }
    }

    /// Whether one of the lines stands at `span` and holds the words, or is held by them: a label before it ("Today:") is none of it.
    pub(crate) fn holds(&self, span: Span, words: &str) -> bool {
        let words = collapsed(words);
        let at = |own: &Span| own.start < span.end && span.start < own.end;
        let mut there = self.lines.iter().filter(|(spans, text)| !text.is_empty() && spans.iter().any(at));
        there.any(|(_, text)| text.contains(&words) || words.ends_with(text.as_str()))
    }
}

/// Days ahead of which notes may be a plan.
const DAYS_AHEAD_MAX: i64 = 7;

/// Bytes of notes that are searched for the day of which they speak.
const SEARCHED_BYTES_MAX: usize = 65_536;

/// Words before which a day that opens notes stands: "Plan for Saturday", "Tomorrow I have".
const OPENING_WORDS_MAX: usize = 3;

/// Notes as notes of another day.
#[derive(Clone, Debug)]
pub struct OfAnotherDay {
    /// The notes. "Tomorrow" is read as "today" in them; what is quoted of them stays as it was written.
    pub document: Document,
    /// The first moment of that day.
    pub start: Zoned,
    /// Whether they open with that day, and name this one nowhere; else nothing in them is for this one.
    pub opens: bool,
}

/// "I'm tired, so this is for": what leads to the day that all of the notes are for.
fn says_for(head: &str) -> bool {
    let low = head.to_lowercase();
    ["this is for", "this is all for", "these are for", "list for", "plan for", "it's all for"]
        .iter()
        .any(|lead| low.trim_end().ends_with(lead))
}

/// Notes as notes of the day that they name first, one of the next seven. `None` where they name no such day.
#[must_use]
fn of_another_day(document: &Document, now: &Zoned) -> Option<OfAnotherDay> {
    let anchor = Anchor::new(now.clone());
    let today = anchor.today();
    let last = today.checked_add(DAYS_AHEAD_MAX.days()).ok()?;
    let mut left = SEARCHED_BYTES_MAX;
    let texts: Vec<&str> = document
        .blocks
        .iter()
        .map(|block| block.text.plain.as_str())
        .take_while(|text| {
            let fits = text.len() <= left;
            left = left.saturating_sub(text.len());
            fits
        })
        .collect();
    let mut opens = false;
    let day = texts.iter().enumerate().find_map(|(at, text)| {
        expressions(text, &anchor).iter().filter(|it| it.limit.is_none()).find_map(|it| {
            let day = match it.readings.first() {
                Some(Reading::Date(date)) => *date,
                Some(Reading::DateTime(at)) => at.date(),
                _ => return None,
            };
            let head = &text[..it.span.start];
            opens = at == 0 && (head.split_whitespace().count() <= OPENING_WORDS_MAX || says_for(head));
            Some(day)
        })
    })?;
    if day <= today || day > last {
        return None;
    }
    let names_today = |text: &&str| {
        let low = text.to_lowercase();
        low.split(|c: char| !c.is_alphanumeric()).any(|word| matches!(word, "today" | "tonight" | "now"))
    };
    let opens = opens && !texts.iter().any(names_today);
    let mut read = document.source.to_string();
    if today.tomorrow().ok() == Some(day) {
        // As many bytes, so that every span holds in both.
        for (word, other) in [("tomorrow", "today   "), ("Tomorrow", "Today   "), ("TOMORROW", "TODAY   ")] {
            read = read.replace(word, other);
        }
    }
    let mut read = Document::read("", read.as_bytes(), document.format).ok()?;
    read.source.clone_from(&document.source);
    let start = day.to_zoned(now.time_zone().clone()).and_then(|day| day.start_of_day()).ok()?;
    Some(OfAnotherDay { document: read, start, opens })
}

/// Notes as they are read for the day of which they are: this one, or the one that they name where nothing is for this one or they begin with it.
/// `beside` are events of calendars.
#[must_use]
pub fn read_for_its_day(
    file: FileId,
    document: &Document,
    now: &Zoned,
    settings: &Settings,
    beside: Vec<CalendarEvent>,
) -> (Notes, Option<OfAnotherDay>) {
    let has_calendar = !beside.is_empty();
    let notes = super::read_beside(file, document, now, settings, beside);
    let is_empty = notes.tasks.is_empty() && notes.constraints.is_empty();
    match of_another_day(document, now).filter(|it| is_empty || it.opens && !has_calendar) {
        Some(other) => {
            let mut notes = super::read(file, &other.document, &other.start, settings);
            mend(&mut notes, &other.document);
            (notes, Some(OfAnotherDay { opens: !is_empty, ..other }))
        }
        None => (notes, None),
    }
}

/// Quotes that end within "tomorrow", of which "today" was read: they end behind it.
fn mend(notes: &mut Notes, document: &Document) {
    let whole = |quote: &mut Quote| {
        let span = quote.span();
        let start = span.end.saturating_sub("today".len());
        let word = document.source.get(start..start + "tomorrow".len()).unwrap_or_default();
        if word.eq_ignore_ascii_case("tomorrow")
            && let Some(mended) = Quote::cut(quote.file(), document, Span::new(span.start, start + word.len()))
        {
            *quote = mended;
        }
    };
    if let Some(other) = &mut notes.other {
        mend(other, document);
    }
    notes.apart.iter_mut().for_each(|own| whole(&mut own.quote));
    notes.unread.iter_mut().for_each(|own| whole(&mut own.quote));
    notes.open.iter_mut().for_each(|own| whole(&mut own.quote));
    notes.tasks.iter_mut().for_each(|own| whole(&mut own.quote));
    notes.constraints.iter_mut().filter_map(|own| own.quote.as_mut()).for_each(whole);
}

/// A text without the marks of links, with one space between two words.
fn collapsed(text: &str) -> String {
    text.replace("[[", " ").replace("]]", " ").split_whitespace().collect::<Vec<_>>().join(" ")
}
