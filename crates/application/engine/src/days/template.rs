//! A day as it is written: what must hold, and the notes, with slots in both.
//!
//! The head holds a line each of `at DATE TIME ZONE`, `time SLOT CLOCK SHIFT…`, `minutes SLOT NUMBER SHIFT…` (a permutation adds
//! one of the shifts, in minutes), `names SLOT NAME…`, `words SLOT WORDS; WORDS…` (one of them; the first as written), `work FROM UNTIL`,
//! `event KEY: FROM UNTIL`, `block KEY: FROM UNTIL`, `task KEY: minutes=… by=… from=… must`, `optional KEY`. A value is a clock time, a number or a
//! slot, with `+` or `-` minutes. After a line `---` come the notes: `{slot}` and `{slot+15}` are filled, and neighbouring lines that
//! begin with `~ ` may change places.

use std::collections::BTreeMap;

use jiff::Zoned;
use jiff::civil::DateTime;
use jiff::tz::TimeZoneDatabase;

use super::Day;
use super::truth::{Busy, Duty, Truth};
use crate::EngineError;
use crate::SplitMix;

/// A slot, and what may stand in it.
#[derive(Clone, Debug)]
enum Slot {
    /// A time or a length, with the shifts that a permutation may add.
    Minutes { value: i64, shifts: Vec<i64>, is_clock: bool },
    /// Words, the first as written.
    Words(Vec<String>),
}

/// A slot that is filled.
#[derive(Clone, Debug)]
enum Filled {
    Minutes { value: i64, is_clock: bool },
    Words(String),
}

type Slots = BTreeMap<String, Filled>;

/// A day with slots.
#[derive(Clone, Debug)]
pub(super) struct Template<'a> {
    name: &'a str,
    now: Zoned,
    slots: Vec<(String, Slot)>,
    facts: Vec<(&'a str, &'a str)>,
    notes: &'a str,
}

impl<'a> Template<'a> {
    /// Reads a template.
    pub(super) fn read(name: &'a str, text: &'a str) -> Result<Self, EngineError> {
        let refuse = |what: &str| EngineError::Internal { what: format!("days/{name}.txt: {what}") };
        let (head, notes) = text.split_once("\n---\n").ok_or_else(|| refuse("has no line `---`"))?;
        let mut now = None;
        let mut slots = Vec::new();
        let mut facts = Vec::new();
        for line in head.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let (verb, rest) = line.split_once(' ').ok_or_else(|| refuse(line))?;
            match verb {
                "at" => now = moment(rest),
                "time" | "minutes" | "names" | "words" => slots.push(slot(verb, rest).ok_or_else(|| refuse(line))?),
                _ => facts.push((verb, rest)),
            }
        }
        let now = now.ok_or_else(|| refuse("has no time"))?;
        Ok(Self { name, now, slots, facts, notes })
    }

    /// The day as written, or changed by dice.
    pub(super) fn day(&self, id: String, mut dice: Option<&mut SplitMix>) -> Result<Day, EngineError> {
        let refuse = |what: &str| EngineError::Internal { what: format!("days/{}.txt: {what}", self.name) };
        let mut slots = Slots::new();
        for (name, slot) in &self.slots {
            slots.insert(name.clone(), fill(slot, dice.as_deref_mut()));
        }
        let mut truth =
            Truth { now: i64::from(self.now.hour()) * 60 + i64::from(self.now.minute()), ..Truth::default() };
        for (verb, rest) in &self.facts {
            state(&mut truth, verb, rest, &slots).ok_or_else(|| refuse(&format!("{verb} {rest}")))?;
        }
        let canonical = dice.is_none();
        let ordered = ordered(self.notes, dice);
        let notes = filled(&ordered, &slots).map_err(|slot| refuse(&format!("{{{slot}}} is no slot")))?;
        Ok(Day { id, canonical, notes, now: self.now.clone(), truth })
    }
}

/// "2026-03-03 08:10 America/Toronto".
fn moment(text: &str) -> Option<Zoned> {
    let (civil, zone) = text.rsplit_once(' ')?;
    let zone = TimeZoneDatabase::bundled().get(zone).ok()?;
    civil.parse::<DateTime>().ok()?.to_zoned(zone).ok()
}

fn slot(verb: &str, rest: &str) -> Option<(String, Slot)> {
    let (name, values) = rest.split_once(' ')?;
    let slot = match verb {
        "words" => Slot::Words(values.split(';').map(|word| word.trim().to_owned()).collect()),
        "names" => Slot::Words(values.split_whitespace().map(str::to_owned).collect()),
        _ => {
            let mut numbers = values.split_whitespace();
            let value = number(numbers.next()?)?;
            let shifts = numbers.map(|shift| shift.parse().ok()).collect::<Option<Vec<i64>>>()?;
            Slot::Minutes { value, shifts, is_clock: verb == "time" }
        }
    };
    Some((name.to_owned(), slot))
}

/// "9:30" or "90".
fn number(text: &str) -> Option<i64> {
    match text.split_once(':') {
        Some((hours, minutes)) => Some(hours.parse::<i64>().ok()? * 60 + minutes.parse::<i64>().ok()?),
        None => text.parse().ok(),
    }
}

fn fill(slot: &Slot, dice: Option<&mut SplitMix>) -> Filled {
    match (slot, dice) {
        (Slot::Minutes { value, shifts, is_clock }, dice) => {
            let shift = dice.filter(|_| !shifts.is_empty()).map_or(0, |dice| shifts[dice.below(shifts.len())]);
            Filled::Minutes { value: value + shift, is_clock: *is_clock }
        }
        (Slot::Words(words), Some(dice)) if !words.is_empty() => Filled::Words(words[dice.below(words.len())].clone()),
        (Slot::Words(words), _) => Filled::Words(words.first().cloned().unwrap_or_default()),
    }
}

/// A clock time, a number or a slot, with minutes added or taken.
fn value(text: &str, slots: &Slots) -> Option<i64> {
    if let Some(value) = number(text) {
        return Some(value);
    }
    let at = text.find(['+', '-']).unwrap_or(text.len());
    let (name, shift) = text.split_at(at);
    let Some(Filled::Minutes { value, .. }) = slots.get(name) else { return None };
    Some(value + if shift.is_empty() { 0 } else { shift.parse::<i64>().ok()? })
}

fn span(text: &str, slots: &Slots) -> Option<(i64, i64)> {
    let (from, until) = text.split_once(' ')?;
    Some((value(from, slots)?, value(until, slots)?)).filter(|(from, until)| from < until)
}

fn state(truth: &mut Truth, verb: &str, rest: &str, slots: &Slots) -> Option<()> {
    match verb {
        "work" => truth.work.push(span(rest, slots)?),
        "event" | "block" => {
            let (key, when) = rest.split_once(": ")?;
            truth.busy.push(Busy { key: key.to_owned(), span: span(when, slots)?, is_event: verb == "event" });
        }
        "optional" => truth.optional.push(rest.to_owned()),
        "task" => {
            let (key, facts) = rest.split_once(": ")?;
            let mut duty = Duty { key: key.to_owned(), minutes: 0, by: None, from: None, must: false };
            for fact in facts.split_whitespace() {
                match fact.split_once('=') {
                    Some(("minutes", text)) => duty.minutes = value(text, slots)?,
                    Some(("by", text)) => duty.by = Some(value(text, slots)?),
                    Some(("from", text)) => duty.from = Some(value(text, slots)?),
                    None if fact == "must" => duty.must = true,
                    _ => return None,
                }
            }
            truth.duties.push(duty);
        }
        _ => return None,
    }
    Some(())
}

/// The notes without their marks, and with neighbouring marked lines in another order where there are dice.
fn ordered(notes: &str, mut dice: Option<&mut SplitMix>) -> String {
    let mut lines: Vec<&str> = notes.lines().collect();
    let mut start = 0;
    while start < lines.len() {
        let end = start + lines[start..].iter().take_while(|line| line.starts_with("~ ")).count();
        if let Some(dice) = dice.as_deref_mut() {
            // Fisher and Yates.
            for at in (start + 1..end).rev() {
                lines.swap(at, start + dice.below(at - start + 1));
            }
        }
        start = end.max(start) + 1;
    }
    let own: Vec<&str> = lines.iter().map(|line| line.strip_prefix("~ ").unwrap_or(line)).collect();
    own.join("\n") + "\n"
}

/// The notes with their slots filled; the name of a slot that there is none of.
fn filled(notes: &str, slots: &Slots) -> Result<String, String> {
    let mut out = String::with_capacity(notes.len());
    let mut rest = notes;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').ok_or_else(|| after.to_owned())?;
        out.push_str(before);
        match slots.get(name) {
            Some(Filled::Words(words)) => out.push_str(words),
            _ => {
                let minutes = value(name, slots).ok_or_else(|| name.to_owned())?;
                let at = name.find(['+', '-']).unwrap_or(name.len());
                let is_clock = matches!(slots.get(&name[..at]), Some(Filled::Minutes { is_clock: true, .. }));
                if is_clock {
                    out.push_str(&format!("{}:{:02}", minutes.div_euclid(60).rem_euclid(24), minutes.rem_euclid(60)));
                } else {
                    out.push_str(&minutes.to_string());
                }
            }
        }
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {

    use super::Template;
    use crate::SplitMix;

    const TEXT: &str = "# A day.\nat 2026-03-03 08:10 America/Toronto\ntime due 17:00 30\nminutes long 90 15\nnames who Ana\n\
                        words urgent now; soon\nwork 9:00 due\nevent call: due-60 due-30\ntask report: minutes=long by=due must\n---\n\
                        {who} says {urgent}: until {due+15}\n~ - report, {long} min\n~ - mail\n";

    #[test]
    fn slots_are_filled_alike_in_notes_and_truth() {
        let template = Template::read("any", TEXT).unwrap();
        let day = template.day("any".to_owned(), None).unwrap();
        assert_eq!(day.notes, "Ana says now: until 17:15\n- report, 90 min\n- mail\n");
        assert_eq!((day.truth.now, day.truth.work[0], day.truth.busy[0].span), (490, (540, 1020), (960, 990)));
        assert_eq!((day.truth.duties[0].minutes, day.truth.duties[0].by), (90, Some(1020)));

        let day = template.day("any".to_owned(), Some(&mut SplitMix::new(1))).unwrap();
        assert!(day.notes.contains("until 17:45\n") && day.notes.contains("105 min"), "{}", day.notes);
        assert_eq!((day.truth.work[0], day.truth.duties[0].minutes), ((540, 1050), 105));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (from, to, said) in [
            ("---\n", "", "has no line `---`"),
            ("{who}", "{whom}", "{whom} is no slot"),
            ("by=due", "by=never", "task report: minutes=long by=never must"),
            ("work 9:00", "rest 9:00", "rest 9:00 due"),
        ] {
            let text = TEXT.replace(from, to);
            let read = Template::read("any", &text).and_then(|it| it.day("any".to_owned(), None));
            assert_eq!(read.unwrap_err().to_string(), format!("the work failed: days/any.txt: {said}"));
        }
    }
}
