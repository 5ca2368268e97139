//! What the user forbids or demands as an action, read from their words.
//!
//! An instruction is a polarity (a negator, or a phrase that limits), an action (a verb or the noun of one), an object and what is left out
//! of it. [`negated`](super::negated) reads what stands behind a negator, [`limits`](super::limits) what forbids without one,
//! [`demands`](super::demands) what must be done.

use super::super::Asked;
use super::action::{Action, Ban, Found};
use super::clauses::clause_start;
use super::demands::demands;
use super::limits::limits;
use super::negated::forbidden;
use super::object::{Item, object};
use super::verbs::{Verb, verb};
use super::words::{Word, sentences, words};

/// The most instructions that are read.
pub(super) const BANS_MAX: usize = 100;

/// The most things that are excepted from one ban.
pub(super) const SPARED_MAX: usize = 50;

/// What the user forbids or demands, in the order of the ask.
#[must_use]
pub fn bans(ask: &[Asked]) -> Vec<Ban> {
    let mut out: Vec<Ban> = Vec::new();
    for asked in ask {
        steadfast_steps::spend(asked.text.len());
        let prose = Prose::of(&asked.text);
        for (from, sentence) in sentences(&asked.text) {
            // A file of rules is headings and lists throughout, and all of it is meant.
            if asked.file.is_none() && !prose.holds(from) {
                continue;
            }
            let words = words(sentence, from);
            let (lifted, spared) = allowed(&words);
            // Within one turn a later word of the user takes an earlier one back; another turn lifts it from there on.
            out.retain(|ban| ban.demand.is_some() || ban.turn != asked.turn || !lifted.contains(&ban.action));
            for ban in out.iter_mut().filter(|ban| ban.demand.is_none()) {
                if ban.until.is_none() && ban.turn < asked.turn && lifted.contains(&ban.action) {
                    ban.until = Some(asked.turn);
                }
                spare(ban, &spared, asked.turn);
            }
            for found in of_sentence(sentence, &words) {
                if out.len() >= BANS_MAX {
                    return out;
                }
                let Some(quote) = asked.text.get(found.start..found.end) else { continue };
                let same = |it: &Ban| {
                    it.turn == asked.turn
                        && (&it.action, &it.object, it.demand) == (&found.action, &found.object, found.demand)
                };
                if !out.iter().any(same) {
                    out.push(Ban {
                        quote: quote.to_owned(),
                        turn: asked.turn,
                        file: asked.file.clone(),
                        action: found.action,
                        object: found.object,
                        demand: found.demand,
                        until: None,
                        spared: Vec::new(),
                    });
                }
            }
        }
    }
    out
}

/// Which lines of a text are its own prose: not those of a fenced block, a table or a quotation, which show something.
struct Prose {
    /// Where each line begins, and whether it is prose.
    lines: Vec<(usize, bool)>,
}

impl Prose {
    fn of(text: &str) -> Self {
        let (mut lines, mut at, mut fence) = (Vec::new(), 0, false);
        for line in text.split_inclusive('\n') {
            let own = line.trim_start();
            let marks = own.starts_with("```") || own.starts_with("~~~");
            fence ^= marks;
            lines.push((at, !fence && !marks && !own.starts_with(['|', '>'])));
            at += line.len();
        }
        Self { lines }
    }

    fn holds(&self, at: usize) -> bool {
        let line = self.lines.partition_point(|(start, _)| *start <= at);
        line.checked_sub(1).is_none_or(|it| self.lines[it].1)
    }
}

/// Excepts things from a ban: what is said in its own turn always, else for calls behind the turn.
fn spare(ban: &mut Ban, items: &[Item], turn: usize) {
    for item in items {
        if ban.object.except.len() + ban.spared.len() >= SPARED_MAX {
            return;
        }
        match turn == ban.turn {
            true => ban.object.except.push(item.clone()),
            false => ban.spared.push((turn, item.clone())),
        }
    }
}

/// Actions that a sentence allows or asks for, and things that it frees: "you can push", "dev dependencies are fine".
fn allowed(words: &[Word<'_>]) -> (Vec<Action>, Vec<Item>) {
    let (mut out, mut spared) = (Vec::new(), Vec::new());
    for (at, word) in words.iter().enumerate() {
        let start = clause_start(words, at);
        if words[start..at]
            .iter()
            .any(|it| it.is_negator() || it.is(&["before", "until", "without", "only", "if", "when", "how", "why"]))
        {
            continue;
        }
        let fine = word.is(&["fine", "ok", "okay", "allowed", "welcome", "free", "alright"])
            && at > start
            && words[start..at].iter().any(|it| it.is(&["is", "are"]));
        if fine {
            let to = (start..at).find(|it| words[*it].is(&["is", "are"])).unwrap_or(at);
            let own = object(&words[..to], start, &|_| false).0;
            spared.extend(own.items.into_iter().filter(|item| !item.paths.is_empty()));
            continue;
        }
        let previous = at.checked_sub(1).map_or("", |it| words[it].low.as_str());
        let asked = at == 0
            || word.apart
            || matches!(
                previous,
                "and"
                    | "then"
                    | "can"
                    | "may"
                    | "please"
                    | "now"
                    | "to"
                    | "ahead"
                    | "nvm"
                    | "ok"
                    | "okay"
                    | "just"
                    | "pls"
                    | "should"
            );
        if !asked || words.get(at + 1).is_some_and(|it| it.is(&["message", "messages", "hook", "hooks", "history"])) {
            continue;
        }
        match verb(word) {
            Some(Verb::Of(own)) => out.push(own),
            None if matches!(previous, "may" | "can") => out.push(Action::Named(word.low.clone())),
            Some(Verb::Add) => {
                let (object, end) = object(words, at + 1, &|_| false);
                let named = &words[at + 1..end.max(at + 1)];
                // "Please add zod": a dependency by its name, as far as the sentence says so.
                let own = Verb::Add.actions(&object, named);
                out.extend(own.into_iter().filter(|it| *it == Action::Depend));
            }
            _ => {}
        }
    }
    (out, spared)
}

fn of_sentence(sentence: &str, words: &[Word<'_>]) -> Vec<Found> {
    let mut out = Vec::new();
    forbidden(words, &mut out);
    limits(words, &mut out);
    if !sentence.trim_end().ends_with('?')
        || sentence.to_lowercase().contains("can you")
        || sentence.to_lowercase().contains("could you")
    {
        demands(words, &mut out);
    }
    out
}

#[cfg(test)]
mod tests;
