//! The parts that a task is told in, each with the stage of work that it asks for.
//!
//! People tell work of several stages in clauses or sentences of their own: "Work out the order. Write the script, and check afterwards that nothing
//! was lost." A part is what stands between sentence ends, commas, "and", "then"; its stage is that of a set phrase in it, else of
//! the verb that it is ordered with, else of the piece of work that it names.

use std::ops::Range;
use std::sync::LazyLock;

use super::actions::{Action, Put, object, opens_object};
use super::verbs::{Form, Intent, verb};
use super::words::{Kind, Phrases, Text};
use crate::stage::Stage;

/// Most parts of a task.
const PARTS_MAX: usize = 64;

/// One part that asks for something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The stage that it asks for.
    pub(super) stage: Stage,
    /// Its words.
    pub(super) words: Range<usize>,
    /// Whether a set phrase says so: a verb alone says less.
    pub(super) by_phrase: bool,
}

static PHRASES: LazyLock<Phrases<Stage>> = LazyLock::new(|| {
    Phrases::new(&[
        (
            "ask me|asks me|you ask|interview me|question me|quiz me first|ask first|ask whatever|ask the hard questions|questions first|get clear on|clear up|nail down|nails down|pin down|settle first|to settle|decide before|need to know first|need to know before|what you need|whatever you need|what do you need|open questions|what is unclear|have to ask|need to ask|should ask|what they need|what they want|what we need|what they actually|what they really|before i begin|before we begin|before we start|before i start|before anyone|clarify|restate|scope it|scoping",
            Stage::Clarify,
        ),
        (
            "work out how|work out the order|work out who|work out when|work out a|think through|think it through|think this through|lay out|lay it out|break down|break it down|break the work|how to go about|go about it|day by day|week by week|month by month|hour by hour|who does what|who delivers|by when|come up with a plan|make a plan|make a schedule|set up a plan|in which order|which order|what order|timetable|programme|roadmap|schedule|agenda|outline|itinerary|timeline|running order|prioritize|prioritise|which do we|weigh them|side by side|a way back|runbook|plan for|plan of|plan the|plan to|strategy|concept for|work the rest out|how it's built up|how it is built up|how it is built|how it's built",
            Stage::Plan,
        ),
        (
            "make sure|double check|cross check|read it over|read over|read it again|read it back|read it as|look over|look it over|look them over|go over|go over it|go through it|pick it apart|pick apart|tear it apart|tear apart|hold every|hold it against|against it|against its|against their|against the notes|against the source|against the sources|for mistakes|for errors|for gaps|for traps|for holes|for anything|any mistakes|anything wrong|something wrong|what is wrong with|what's wrong with|prove that|prove it|proves that|proof that|proves nothing|prove nothing|nothing is lost|nothing got lost|nothing was lost|nobody got lost|slipped in|leading ones|is it true|actually true|really true|true or false|find the holes|poke holes|holes in|can go wrong|could go wrong|might go wrong|list the risks|strict reviewer|back and compare|compare it with|compare it to|whether it worked|whether it works|whether this works|if it worked|gaps|weak spots|would fail|have it checked|gets checked|is checked|checked by|checked for|the traps|quality check|proof read|see whether|automated checks|before it goes|before i send|before we publish|before we send|before you merge|where the meaning|where it differs|what changed|what got lost|turn it back|translate it back|look them through|give feedback on|sanity check",
            Stage::Verify,
        ),
        (
            "look back|looking back|looks back|what did we learn|what did i learn|what we learned|what we learnt|what i learned|what have we learned|learned from|learnt from|lessons learned|lessons learnt|what worked|went well|went badly|how it went|what to do better|do better|do differently|differently next|better next time|to change next time|take away from|in hindsight|retrospective|retro|postmortem|debrief|what we got wrong|was worth|sit down and see|for next year|weekly review|over my week|over the week|what slipped|what did we do wrong|what did i do wrong|now what",
            Stage::Reflect,
        ),
    ])
});

/// Verbs whose stage is not that of their intent.
fn stage_of_verb(action: &Action) -> Option<Stage> {
    Some(match action.verb.base {
        "clarify" => Stage::Clarify,
        "outline" | "structure" | "sketch" | "storyboard" | "split" | "allocate" | "design" | "rank" | "weigh"
        | "prepare" => Stage::Plan,
        "reflect" | "revisit" | "retrospect" => Stage::Reflect,
        "test" | "critique" | "grade" | "rate" | "audit" => Stage::Verify,
        // A light verb alone says nothing: "get back to me", "let me know".
        _ if action.verb.light && action.object.is_empty() => return None,
        "tell" | "see" | "know" | "let" | "try" | "help" | "look" | "come" => return None,
        _ => match action.verb.intent {
            Intent::Plan | Intent::Decide => Stage::Plan,
            Intent::Review => Stage::Verify,
            _ => Stage::Execute,
        },
    })
}

/// "…, write the letter, read it again": a part that begins with a verb orders it, whatever stands before.
fn opening(text: &Text<'_>, words: Range<usize>) -> Option<Action> {
    const LEADS: &[&str] = &[
        "then",
        "first",
        "afterwards",
        "finally",
        "next",
        "also",
        "please",
        "and",
        "at",
        "the",
        "end",
        "just",
        "later",
    ];
    let at = words.clone().take(LEADS_MAX).find(|at| !text.is(*at, LEADS))?;
    let verb = verb(text.low(at)).filter(|verb| verb.form == Form::Base)?;
    let object = object(text, at);
    (!object.is_empty()
        && (!verb.also_noun || opens_object(text, at + 1) || text.is(at + 1, &["everything", "everyone"]))
        && at > 0)
        .then_some(Action { at, verb, put: Put::Ordered, object })
}

/// Words like "and then please" before a verb.
const LEADS_MAX: usize = 4;

/// "make a schedule", "write the tests": what is made says which stage it is, by its last noun before "of".
fn stage_of_made(text: &Text<'_>, action: &Action) -> Option<Stage> {
    let makes = action.verb.light || matches!(action.verb.intent, Intent::Create | Intent::Act | Intent::Find);
    let end = action.object.clone().find(|at| text.is(*at, &["of", "and", ","])).unwrap_or(action.object.end);
    let head = end.checked_sub(1).filter(|at| makes && action.object.contains(at))?;
    stage_of_piece(text.low(head)).filter(|stage| *stage != Stage::Execute)
}

/// The stage that a piece of work stands for by its name.
fn stage_of_piece(low: &str) -> Option<Stage> {
    Some(match low {
        "plan" | "plans" | "outline" | "agenda" | "schedule" | "timetable" | "budget" | "roadmap" | "calendar"
        | "itinerary" | "strategy" | "programme" | "timeline" => Stage::Plan,
        "test" | "tests" | "check" | "checks" | "checklist" | "review" | "audit" | "proof" => Stage::Verify,
        "retrospective" | "retro" | "debrief" | "postmortem" => Stage::Reflect,
        _ if super::pieces::is_piece(low) => Stage::Execute,
        _ => return None,
    })
}

/// The parts that ask for something, in the order of the text.
pub(super) fn read(text: &Text<'_>, actions: &[Action]) -> Vec<Part> {
    let phrases = PHRASES.all(text);
    let mut found = Vec::new();
    for words in segments(text) {
        if found.len() == PARTS_MAX {
            break;
        }
        let denied = |at: usize| at > 0 && text.is(at - 1, &["without", "not", "don't", "never"]);
        let phrase = phrases[phrases.partition_point(|(_, it)| it.start < words.start)..]
            .iter()
            .take_while(|(_, it)| it.start < words.end)
            .filter(|(_, it)| !denied(it.start))
            .map(|(stage, _)| *stage)
            // "find out what they need" is not undone by a later word of the same part.
            .next();
        let own = &actions[actions.partition_point(|it| it.at < words.start)..];
        let own = own.iter().take_while(|it| it.at < words.end);
        let told = own.filter(|it| matches!(it.put, Put::Ordered | Put::Wanted));
        let stage_of = |it: &Action| stage_of_made(text, it).or_else(|| stage_of_verb(it));
        let action = told.filter_map(stage_of).next();
        let opened = || opening(text, words.clone()).as_ref().and_then(stage_of);
        let stage = phrase.or(action).or_else(opened).or_else(|| named(text, words.clone()));
        if let Some(stage) = stage {
            found.push(Part { stage, words, by_phrase: phrase.is_some() });
        }
    }
    found
}

/// The words that ask for each of `stages`, where there are several: parts of one stage together, and what asks for nothing by itself with
/// the part before it.
pub(super) fn told(text: &Text<'_>, parts: &[Part], stages: &[Stage]) -> Vec<(Stage, String)> {
    if stages.len() < 2 {
        return Vec::new();
    }
    let words = |stage: Stage| {
        let mut said = String::new();
        for (at, part) in parts.iter().enumerate().filter(|(_, part)| part.stage == stage) {
            let end = parts.get(at + 1).map_or(text.words.len(), |next| next.words.start);
            if !said.is_empty() {
                said.push(' ');
            }
            said.push_str(text.said(part.words.start..end.max(part.words.end)));
        }
        said
    };
    stages.iter().map(|stage| (*stage, words(*stage))).filter(|(_, said)| !said.is_empty()).collect()
}

/// "the outline, then the lessons themselves": a part that begins with a determiner names what it asks for.
fn named(text: &Text<'_>, words: Range<usize>) -> Option<Stage> {
    let from =
        words.clone().find(|at| !text.is(*at, &["then", "first", "afterwards", "finally", "next", "also", "plus"]))?;
    let counted = text.words.get(from).is_some_and(|word| word.kind == Kind::Number);
    let opens = counted || text.is(from, &["a", "an", "the", "one", "two", "three", "four", "five", "six"]);
    let mut nouns = (from + 1..words.end.min(from + NAMED_WORDS_MAX)).take_while(|at| {
        !text.is(
            *at,
            &[
                "of", "for", "is", "are", "was", "has", "that", "which", "who", "about", "on", "with", "to", "in",
                "from",
            ],
        )
    });
    if !opens {
        return None;
    }
    nouns.find_map(|at| stage_of_piece(text.low(at)))
}

/// As many words of a part are looked at for what it names.
const NAMED_WORDS_MAX: usize = 8;

/// What stands between sentence ends, commas, "and", "then".
fn segments(text: &Text<'_>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    for at in 0..text.words.len() {
        let word = &text.words[at];
        let parts = !word.quoted
            && (word.first || matches!(word.low.as_ref(), "," | "and" | "then" | "afterwards" | "but" | "—" | ";"));
        if parts && at > from {
            found.push(from..at);
        }
        if parts {
            from = at + usize::from(word.kind == Kind::Mark || matches!(word.low.as_ref(), "and" | "then" | "but"));
        }
    }
    if from < text.words.len() {
        found.push(from..text.words.len());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::actions::actions;
    use super::super::words::collapsed;
    use super::*;

    #[track_caller]
    fn check(task: &str, expect: &[&str]) {
        let plain = collapsed(task);
        let text = Text::new(&plain);
        let found: Vec<String> = read(&text, &actions(&text))
            .iter()
            .map(|it| format!("{} {}", it.stage.name(), text.said(it.words.clone())))
            .collect();
        assert_eq!(found, expect, "{task:?}");
    }

    #[test]
    fn parts_and_their_stages() {
        check(
            "First ask me whatever you need to know, then write the page.",
            &["clarify First ask me whatever you need to know", "execute write the page."],
        );
        check("Design it, code it and test it.", &["plan Design it", "execute code it", "verify test it."]);
        check("the outline, then the letters", &["plan the outline", "execute the letters"]);
        check("Make a schedule. Write the mail.", &["plan Make a schedule.", "execute Write the mail."]);
        check("Do it without making sure of anything", &[]);
        check("The weather was fine and nobody came", &[]);
    }
}
