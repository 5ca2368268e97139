//! What the notes say of other days and of the hours around work: "the forms can wait until Friday", "after work", "in at 9".

use super::Reader;
use super::clauses::Clause;
use super::cues::Cue;
use super::lines::Line;
use super::manner::{beside_it, names_a_thing};
use super::parts::{LISTED_COMMAS_MIN, THING_WORDS_MAX};
use super::statement::spot;
use super::verbs::is_task_verb;
use super::when::Shape;
use super::words::words;
use crate::list::List;
use crate::model::{Readings, Rule, intent};
use crate::open::{Apart, Aside};

/// What people are at for hours, and do other things before and after it.
const HELD: [&str; 9] = ["work", "shift", "school", "class", "classes", "office", "uni", "college", "clinic"];

/// Whether a word is for something that people are at for hours.
pub(super) fn is_held(low: &str) -> bool {
    HELD.contains(&low) || matches!(low, "lunch" | "dinner" | "supper" | "breakfast")
}

/// Whether a word is for the time that one is at work.
pub(super) fn is_working_time(low: &str) -> bool {
    matches!(low, "work" | "shift" | "duty")
}

/// A meal, and from what hour on it is made.
fn meal(low: &str) -> Option<(&'static str, i8)> {
    [("dinner", 16), ("supper", 16), ("lunch", 11)].into_iter().find(|(name, _)| *name == low)
}

/// Words of a text before or after which something is to be done: "after work", "before my shift".
pub(super) fn around(text: &str) -> Vec<String> {
    let all = words(text);
    let mut out = Vec::new();
    for (at, word) in all.iter().enumerate() {
        if !matches!(word.low.as_str(), "after" | "before") {
            continue;
        }
        let own = |at: usize| all.get(at).map_or("", |word| word.low.as_str());
        let is_joint = matches!(own(at + 1), "my" | "the" | "his" | "her" | "our" | "i'm" | "i");
        let what = own(at + 1 + usize::from(is_joint));
        if HELD.contains(&what) {
            out.push(what.to_owned());
        } else if what == "that" {
            // "Shift 3–11, before that: pharmacy".
            let named = all[..at].iter().rev().find(|word| HELD.contains(&word.low.as_str()));
            out.extend(named.map(|word| word.low.clone()));
        }
    }
    out
}

/// "In at 9": when the day begins, and no time alone.
pub(super) fn begins_day(clause: &Clause<'_>) -> bool {
    let head: Vec<&str> =
        clause.words.iter().filter(|word| !clause.is_timed(word)).map(|word| word.low.as_str()).collect();
    matches!(head[..], ["in"] | ["in", "at" | "from" | "by"])
        && matches!(&clause.when.stretches[..], [one] if one.shape == Shape::Point && !one.past)
}

/// "Lab reports to mark too", "a letter to write": what is left to do.
pub(super) fn is_left_to(clause: &Clause<'_>) -> bool {
    let to = clause.words.iter().enumerate().skip(1).find(|(_, word)| word.low == "to").map(|(at, _)| at);
    to.is_some_and(|to| {
        let rest = clause.words.get(to + 2..).unwrap_or_default();
        let beside = |word: &super::words::Word| {
            clause.is_timed(word) || matches!(word.low.as_str(), "too" | "also" | "today" | "still")
        };
        clause.words.get(to + 1).is_some_and(|word| is_task_verb(&word.low))
            && !clause.words[..to]
                .iter()
                .any(|word| is_task_verb(&word.low) || matches!(word.low.as_str(), "i" | "have"))
            && rest.iter().take_while(|word| !word.parted).all(beside)
    })
}

/// "Laundry whenever": a thing to be done at any time.
pub(super) fn is_any_time(clause: &Clause<'_>) -> bool {
    let any = |low: &str| matches!(low, "whenever" | "anytime" | "sometime");
    clause.words.len() > 1
        && clause.words.len() <= THING_WORDS_MAX + 2
        && clause.words.last().is_some_and(|word| any(&word.low))
        && !super::manner::says_something(clause)
}

/// "…, expense report, …": a thing of a list in one line.
pub(super) fn is_among_commas(line: &Line<'_>, clause: &Clause<'_>) -> bool {
    let before = line.text.get(..clause.at).unwrap_or_default().trim_end();
    let after = line.text.get(clause.at + clause.text.len()..).unwrap_or_default();
    let commas = line.text.bytes().filter(|byte| *byte == b',').take(LISTED_COMMAS_MIN).count();
    let ends = clause.text.trim_end().ends_with(',') || after.trim_start().starts_with(',') || after.is_empty();
    before.ends_with(',')
        && ends
        && commas >= LISTED_COMMAS_MIN
        && clause.words.len() <= THING_WORDS_MAX
        && names_a_thing(clause)
}

/// What somebody does who comes to the one who plans.
const TO_ME: List = List("to-me");

impl<'a> Reader<'a> {
    /// What of the hours that a clause states is held by something around which the notes plan: "work" where they say "after work".
    pub(super) fn held_by(&self, said: &[(usize, &str)]) -> Option<String> {
        let is_it = |word: &str| {
            let word = if word == "working" || word == "works" { "work" } else { word };
            self.around.contains(word).then(|| word.to_owned())
        };
        said.iter().find_map(|(_, word)| is_it(word))
    }

    /// "Before I go to lab": before the event that is named behind "to".
    pub(super) fn goes_to(&mut self, line: &Line<'a>, clause: &Clause<'_>, task: usize) -> bool {
        let before = clause.words.iter().position(|word| word.low == "before").unwrap_or(0);
        let to = clause.words.iter().enumerate().skip(before).find(|(_, word)| word.low == "to").map(|(at, _)| at);
        let Some(first) = to.and_then(|to| clause.words.get(to + 1)) else { return false };
        let rest = clause.words.iter().skip_while(|word| word.range.start < first.range.start);
        let last = rest.clone().enumerate().take_while(|(at, word)| *at == 0 || !word.parted).last();
        let end = last.map_or(first.range.end, |(_, word)| word.range.end);
        let stems = intent(clause.text.get(first.range.start..end).unwrap_or_default());
        let named = self.events.iter().rev().find(|(_, own)| own.iter().any(|stem| stems.contains(stem)));
        let rule = named.map(|(at, _)| *at).and_then(|event| self.beside_event(event, true, task, true));
        match rule {
            Some(rule) => self.state(spot(line, clause), rule, false).is_some(),
            None => false,
        }
    }

    /// Whether the hours of something that is held are known.
    pub(super) fn is_taken_by(&self, what: &str) -> bool {
        let is_it = |rule: &Rule| matches!(rule, Rule::Blocked { name: Some(name), .. } if name == what);
        self.notes.constraints.iter().any(|own| is_it(&own.rule))
    }

    /// "The forms can wait until Friday", "the oven is for the weekend", "physio is Tuesday": nothing for today.
    pub(super) fn waits_for_another_day(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        let low: Vec<&str> = clause.words.iter().map(|word| word.low.as_str()).collect();
        let waits = low.windows(2).any(|pair| matches!(pair[0], "can" | "could" | "will" | "to") && pair[1] == "wait");
        let days = &clause.when.stretches;
        let elsewhere = !days.is_empty() && days.iter().all(|it| it.shape == Shape::Days && !it.today && !it.past);
        let is = low.iter().position(|word| matches!(*word, "is" | "are"));
        let is_for = is.is_some_and(|is| low.get(is + 1) == Some(&"for"));
        let is_then = elsewhere
            && clause.verb().is_none_or(|at| at == 0)
            && !clause.has(Cue::Need)
            && !clause.has(Cue::Must)
            && !clause.has(Cue::Due)
            && (is_for || !clause.has(Cue::Busy) && !clause.has(Cue::Free))
            && is.is_some_and(|is| {
                is > 0
                    && clause.words[is + 1..].iter().all(|word| {
                        clause.is_timed(word)
                            || matches!(word.low.as_str(), "for" | "on" | "not" | "until" | "the" | "only")
                    })
            });
        let today = days.iter().any(|it| it.today && it.shape != Shape::Days);
        let can_wait = waits && !today && !clause.has(Cue::Not);
        if !(is_then || can_wait) {
            return false;
        }
        if let Some(quote) = self.quote(spot(line, clause)) {
            self.notes.apart.push(Apart { quote, reason: Aside::NotToday });
        }
        true
    }

    /// "Niamh takes in the bread at 7": what somebody else does at a time is none of mine, unless they come to me.
    pub(super) fn is_done_by_others(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        let comes = |low: &str| TO_ME.contains(low);
        let name =
            clause.words.first().is_some_and(|word| word.capital && !is_task_verb(&word.low) && !word.is_figure());
        let acts = clause.words.get(1).is_some_and(|word| {
            !word.capital && !word.parted && word.low.strip_suffix('s').is_some_and(is_task_verb) && !comes(&word.low)
        });
        if !(name && acts) || clause.words.iter().any(|word| comes(&word.low)) {
            return false;
        }
        if let Some(quote) = self.quote(spot(line, clause)) {
            self.notes.apart.push(Apart { quote, reason: Aside::NotMine });
        }
        true
    }

    /// "Once it's over", "before it starts": beside the event that the task names, else after the task before it, else beside the event that was named last.
    pub(super) fn beside_it(&mut self, line: &Line<'a>, clause: &Clause<'_>, task: usize, earlier: Option<usize>) {
        let Some((before, _)) = beside_it(clause) else { return };
        let stems = self.notes.tasks[task].intent.clone();
        let named = self.events.iter().rev().find(|(_, own)| own.iter().any(|stem| stems.contains(stem)));
        let named = named.map(|(at, _)| *at);
        let rule = match (named, earlier) {
            (None, Some(other)) if other != task => {
                let (first, then) = if before { (task, other) } else { (other, task) };
                Some(Rule::Order { first, then, gap: 0 })
            }
            _ => named.or(self.last_event).and_then(|event| self.beside_event(event, before, task, true)),
        };
        if let Some(rule) = rule {
            self.state(spot(line, clause), rule, false);
        }
    }

    /// "Cook dinner": a wish for the time of day at which such things take place, where the notes name none.
    pub(super) fn at_its_hour(&mut self, line: &Line<'a>, clause: &Clause<'_>, task: usize) {
        let Some((word, hour)) = clause
            .words
            .iter()
            .find_map(|word| meal(&word.low))
            .filter(|_| clause.when.stretches.iter().all(|it| it.limit.is_some()))
        else {
            return;
        };
        let verb = clause.verb().and_then(|at| clause.words.get(at)).map_or("", |word| word.low.as_str());
        if clause.words.len() > 1 && !matches!(verb, "cook" | "make" | "prepare" | "have" | "eat" | "prep" | "start") {
            return;
        }
        let zone = self.notes.now.time_zone().clone();
        let at = self.notes.now.date().at(hour, 0, 0, 0).to_zoned(zone).ok();
        let Some(from) = at.map(|at| Readings::unique(at.timestamp())) else { return };
        if self.state(spot(line, clause), Rule::NotBefore { task: Some(task), from }, true).is_some() {
            self.assume(format!(
                "{word} is made from {hour:02}:00 on where there is time: such things take place then"
            ));
        }
    }

    /// "Coffee 8:30–9:15, then gym": behind the event of the line.
    pub(super) fn behind_event(&mut self, line: &Line<'a>, clause: &Clause<'_>, task: usize) {
        if let Some(rule) = self.line_event.and_then(|event| self.beside_event(event, false, task, true)) {
            self.state(spot(line, clause), rule, false);
        }
    }

    /// A task before an event begins, or after it is over. Of several times that it may have it is not plain which is meant: where `plain`, it
    /// has one.
    pub(super) fn beside_event(&self, event: usize, before: bool, task: usize, plain: bool) -> Option<Rule> {
        let (Rule::FixedEvent { when, .. } | Rule::Blocked { when, .. }) = &self.notes.constraints.get(event)?.rule
        else {
            return None;
        };
        if plain && !when.is_unique() {
            return None;
        }
        let moments = when.iter().filter_map(|times| match before {
            true => times.first().map(|it| it.start),
            false => times.last().map(|it| it.end),
        });
        let at = Readings::of(moments.collect())?;
        let task = Some(task);
        Some(if before { Rule::Deadline { task, by: at } } else { Rule::NotBefore { task, from: at } })
    }

    /// "After work (17:30): go for a run": what follows a heading that names a time.
    pub(super) fn beside_heading(&mut self, line: &Line<'a>, heading: &Clause<'_>, task: usize) {
        let before = heading.hits.first().is_some_and(|hit| hit.cue == Cue::Before);
        for stretch in heading.when.stretches.iter().filter(|it| !it.past) {
            let Some(at) = (if before { stretch.starts() } else { stretch.ends() }) else { continue };
            let task = Some(task);
            let rule = if before { Rule::Deadline { task, by: at } } else { Rule::NotBefore { task, from: at } };
            self.state(spot(line, heading), rule, false);
        }
    }
}
