//! What a ban rules out, part by part, and where the answer does it.
//!
//! "Do not ask for deposits or fines" rules out two things, each by itself; "it is not meant for firms or holiday guests" two circles
//! of people. What a ban is about is told by its verb: what must not be used, taken, asked for or had is ruled out itself, whatever is
//! done with it; of other deeds both the deed and its object must be met.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::{Strength, base_form, content_stems, is_mention, is_negated, modality, verb_forms};
use steadfast_steps::Regex;
use steadfast_text::Span;

use crate::answer::Claim;
use crate::checks::Case;
use crate::context;
use crate::matching::is_generic;
use crate::pattern::{Pattern, hit};

/// Most parts of one ban.
const PARTS_MAX: usize = 12;
/// Content words between the first and the last of what is ruled out, for each, at most.
const SPREAD_MAX: usize = 2;
/// Stems of an object that are looked for, at most: the rest narrows it.
const OBJECT_STEMS_MAX: usize = 4;

/// What is said right after it: that those do not.
static DENIED_LATER: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)^[^;:.]{0,80}, but (?:they|these|those) (?:do|does|did|will|can|may|are) not\b")
        .ok()
});

/// Verbs by which a thing is there; the thing is what is ruled out.
static PRESENCE: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)^(?:us(?:e|ing)|includ(?:e|ing)|hav(?:e|ing)|contain(?:ing)?|serv(?:e|ing)|sell(?:ing)?|employ(?:ing)?|hir(?:e|ing)|allow(?:ing)?|permit(?:ting)?|rely(?:ing)? on|depend(?:ing)? on|put(?:ting)? in|ask(?:ing)? for|charg(?:e|ing)|tak(?:e|ing)(?: out| on)?|accept(?:ing)?|requir(?:e|ing)|demand(?:ing)?|add(?:ing)?|introduc(?:e|ing)|install(?:ing)?|offer(?:ing)?|build(?:ing)?|buy(?:ing)?|print(?:ing)?|plan(?:ning)?(?: for)?|set(?:ting)? up|run(?:ning)?|organi[sz](?:e|ing)|mak(?:e|ing)|creat(?:e|ing)|show(?:ing)?|keep(?:ing)?|appoint(?:ing)?|engag(?:e|ing))$").ok()
});
/// Verbs by which a text brings a thing up: whatever a plan has is proposed by it.
static NAMING: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)^(?:propos(?:e|ing)|suggest(?:ing)?|recommend(?:ing)?|mention(?:ing)?|order(?:ing)?)$",
    )
    .ok()
});
/// What stands before the objects of a ban and is none.
static LEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)^(?:(?:to|be|no|not|never|without|nothing|any|the|a|an|other|more|attempt(?:ing)?(?: to)?|try(?:ing)?(?: to)?|go(?:ing)? for|there (?:is|are)(?: to be)?) )+").ok()
});
/// "for firms", "a fair for traders", "aimed at children": people are ruled out.
static AUDIENCE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)^(?:(?:meant|intended|made|designed|suited|aimed|addressed|open) )?(?:for|at|to) (?:the |any )?([a-z].*)$|^(?:a |an |the )?(?:\w+ )?(?:show|tool|event|fair|place|product|service|programme|program|course|site|app|book|offer|shop|club) for (?:the |any )?(.*)$").ok()
});
/// Where an object ends and what narrows it begins.
static NARROWS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i) (?:of|to|for|in|on|at|from|with|by|near|between|among|during|until|before|after|once|when|while|where|who|that|which|because|since|outside|within|inside|over|under|about) ").ok()
});
static DONE_BY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:do not|don.?t|never|not|must not|cannot|can.?t|refrain from|avoid|without|will not|won.?t|does not|doesn.?t)\W*$").ok()
});
static DENIED_VERB: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:do not|don.?t|never|must not|cannot|can.?t|will not|won.?t|does not|doesn.?t|shall not|may not) ([a-z]+)\W*$").ok()
});
/// Words that leave out, deny or put off what stands in their clause.
static LEFT_OUT: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:rather than|instead of|avoid\w*|out of scope|not|no|never|nothing|nobody|none|nor|neither|without|free of|if|whether|unless|risk of|prevent\w*|exclu\w+|cannot|n.t|clos(?:ed|es)|except|refus\w*|declin\w*|forbid\w*|banned|ban|abstain\w*|renounc\w*|tempt\w*|against|later|deferred|postponed|waits?)\b|n['’]t\b").ok()
});

/// What is ruled out, in one part.
#[derive(Debug, PartialEq, Eq)]
struct Part {
    /// Stems of the deed, where it has to be met.
    deed: Option<String>,
    /// Stems of the thing or the people.
    object: Vec<String>,
    /// Stems of what narrows it.
    narrowed: Vec<String>,
    /// Whether it is people whom the whole is not for.
    people: bool,
}

/// The words of the ask outside its denials: where each stem, folded, stands.
pub(crate) struct Elsewhere {
    by_stem: HashMap<String, Vec<usize>>,
}

/// Sentences of the ask that are looked through for one word, at most.
const SENTENCES_OF_WORD_MAX: usize = 16;

impl Elsewhere {
    /// Reads the ask once.
    pub(crate) fn new(case: &Case<'_>) -> Self {
        let mut by_stem: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, statement) in case.ask.request.statements.iter().enumerate() {
            for (_, stem) in content_stems(&statement.text) {
                let found = by_stem.entry(base_form(&stem).to_owned()).or_default();
                if found.len() < SENTENCES_OF_WORD_MAX && found.last() != Some(&at) {
                    found.push(at);
                }
            }
        }
        Self { by_stem }
    }

    /// Whether the ask uses a stem outside `own` without denying it.
    fn has(&self, case: &Case<'_>, own: Span, stem: &str) -> bool {
        self.by_stem.get(stem).into_iter().flatten().any(|at| {
            case.ask.request.statements.get(*at).is_some_and(|statement| {
                !statement.quote.span().overlaps(own)
                    && content_stems(&statement.text)
                        .iter()
                        .any(|(range, other)| base_form(other) == stem && !is_negated(&statement.text, range.clone()))
            })
        })
    }
}

/// Where the plan does what `what` rules out; `source` are the words of the ask that say so.
pub(crate) fn used<'a>(
    case: &Case<'a>,
    elsewhere: &Elsewhere,
    item: usize,
    what: &str,
    source: &str,
) -> Option<(&'a Claim, Range<usize>)> {
    parts(what, source).iter().find_map(|part| {
        if !is_telling(case, elsewhere, item, part) {
            return None;
        }
        let head = part.object.last()?;
        verb_forms(head)
            .flat_map(|form| case.index.using(form))
            .find_map(|at| case.answer.claims.get(*at).and_then(|claim| Some((claim, use_of(case, claim, part)?))))
    })
}

/// The parts of a ban.
fn parts(what: &str, source: &str) -> Vec<Part> {
    let Some(lead) = &*LEAD else { return Vec::new() };
    let at = source.find(what).unwrap_or(0);
    let before = &source[..at];
    let bare = lead.replace(what.trim().trim_end_matches('.'), "").into_owned();
    if bare.is_empty() {
        return Vec::new();
    }
    if let Some(found) = AUDIENCE.as_ref().and_then(|pattern| pattern.captures(&bare))
        && (source.to_lowercase().contains("not") || source.contains("n't") || source.contains("n’t"))
        && let Some(people) = found.get(1).or_else(|| found.get(2))
    {
        return alternatives(people.as_str())
            .map(|object| part(None, object, true))
            .filter(|part| !part.object.is_empty())
            .collect();
    }
    if let Some(passive) = passive(&bare) {
        return vec![passive];
    }
    // "Do not VERB a or b": the first word is the deed; the cue of the ban may have taken it in.
    let taken = DENIED_VERB.as_ref().and_then(|pattern| pattern.captures(before)).and_then(|found| found.get(1));
    let bare = taken.map_or(bare.clone(), |verb| format!("{} {bare}", verb.as_str()));
    let verb_first = taken.is_some()
        || DONE_BY.as_ref().is_some_and(|pattern| pattern.is_match(before)) && !what.starts_with(char::is_uppercase);
    if !verb_first {
        // "No cameras", "no gifts or payments": things.
        let nominal = ["no ", "without ", "never "].iter().any(|word| what.to_lowercase().starts_with(word))
            || before.trim_end().to_lowercase().ends_with(" no")
            || before.trim().eq_ignore_ascii_case("no");
        return if nominal {
            alternatives(&bare).map(|object| part(None, object, false)).filter(|part| !part.object.is_empty()).collect()
        } else {
            Vec::new()
        };
    }
    let words: Vec<&str> = bare.splitn(3, ' ').collect();
    let (verb, rest) = match words.as_slice() {
        [verb, small, rest] if matches!(*small, "for" | "out" | "on" | "up" | "in" | "about" | "down") => {
            (format!("{verb} {small}"), *rest)
        }
        [verb, ..] => ((*verb).to_owned(), bare.get(verb.len()..).unwrap_or_default().trim()),
        [] => return Vec::new(),
    };
    let named = hit(&NAMING, words[0]);
    let present = named || hit(&PRESENCE, &verb) || hit(&PRESENCE, words[0]);
    let deed = content_stems(words[0]).first().map(|(_, stem)| base_form(stem).to_owned());
    let objects: Vec<Part> = alternatives(rest)
        .map(|object| part(deed.clone().filter(|_| !present), object, false))
        .filter(|part| !part.object.is_empty())
        .collect();
    if objects.is_empty() && deed.is_some() && rest.split_whitespace().count() <= 1 {
        // "We do not sell anything."
        return vec![Part { deed: None, object: deed.into_iter().collect(), narrowed: Vec::new(), people: false }];
    }
    objects
}

/// "Reserves are to be invested in shares", denied: the deed, where it is done, and to what.
fn passive(bare: &str) -> Option<Part> {
    static PASSIVE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        steadfast_annotate::pattern(r"(?i)^([\w' -]{3,60}?) (?:is|are|may be|shall be|should be|can be|must be)(?: to be)? (\w+(?:ed|en|[^e]t|ld))\b(.*)$").ok()
    });
    let found = PASSIVE.as_ref()?.captures(bare)?;
    let deed = content_stems(found.get(2)?.as_str()).first().map(|(_, stem)| base_form(stem).to_owned())?;
    let mut object = context::of_clause(found.get(3)?.as_str(), &[]);
    object.truncate(OBJECT_STEMS_MAX);
    let narrowed = context::of_clause(found.get(1)?.as_str(), &[]);
    (!object.is_empty()).then_some(Part { deed: Some(deed), object, narrowed, people: false })
}

fn part(deed: Option<String>, object: &str, people: bool) -> Part {
    let (head, rest) = NARROWS
        .as_ref()
        .and_then(|pattern| pattern.find(object))
        .map_or((object, ""), |found| (&object[..found.start()], &object[found.start()..]));
    let mut stems = context::of_clause(head, &[]);
    stems.truncate(OBJECT_STEMS_MAX);
    Part { deed, object: stems, narrowed: context::of_clause(rest, &[]), people }
}

/// "deposits or fines", "gifts, payments and prizes": each.
fn alternatives(list: &str) -> impl Iterator<Item = &str> {
    static OR: LazyLock<Option<Regex>> =
        LazyLock::new(|| steadfast_annotate::pattern(r"(?i),? (?:or|nor|and) (?:the |any |no )?|, ").ok());
    let cut = list.find([';', ':', '(', '—']).unwrap_or(list.len());
    let list = &list[..cut];
    OR.iter().flat_map(move |pattern| pattern.split(list)).take(PARTS_MAX)
}

/// Whether words of a part can tell its use: where the ask itself uses all of them otherwise, they tell nothing.
fn is_telling(case: &Case<'_>, elsewhere: &Elsewhere, item: usize, part: &Part) -> bool {
    let own = case.ask.obligations[item].obligation.source().span();
    let rare = |stem: &String| !elsewhere.has(case, own, stem);
    if part.deed.is_some() {
        let mut words = part.object.iter().chain(&part.deed);
        return part.object.len() > 1 || words.any(rare);
    }
    part.object.iter().any(rare) && (part.object.len() > 1 || part.object.iter().any(|stem| !is_generic(stem)))
}

/// Where a claim of the plan uses what a part rules out.
fn use_of(case: &Case<'_>, claim: &Claim, part: &Part) -> Option<Range<usize>> {
    if !claim.is_of_the_plan() || claim.stance.assumed {
        return None;
    }
    let has = |stem: &String| claim.stems.iter().any(|(_, own)| base_form(own) == stem);
    if !part.object.iter().all(has) || !part.deed.iter().all(has) {
        return None;
    }
    let text = claim.text.as_str();
    let wanted: Vec<&String> = part.object.iter().chain(&part.deed).collect();
    // The last word of a thing is its head; what is done stands around it.
    let head = part.object.last()?;
    let range = claim.stems.iter().enumerate().filter(|(_, (_, own))| base_form(own) == head).find_map(
        |(at, (range, _))| {
            let low = at.saturating_sub(SPREAD_MAX * part.object.len());
            let high = (at + 1 + SPREAD_MAX).min(claim.stems.len());
            let near = &claim.stems[low..high];
            part.object.iter().all(|stem| near.iter().any(|(_, own)| base_form(own) == stem)).then(|| range.clone())
        },
    )?;
    if !part.narrowed.is_empty() && !part.people {
        let around = context::of_claim(case.answer, claim);
        let met = part.narrowed.iter().filter(|stem| around.contains(stem)).count();
        if met * 2 < part.narrowed.len() {
            return None;
        }
    }
    let (from, to) = clause_around(text, &range);
    let clause = &text[from..to];
    let open = hit(&LEFT_OUT, clause)
        || (part.people && hit(&LEFT_OUT, text))
        || hit(&DENIED_LATER, &text[range.end..])
        || is_negated(text, range.clone())
        || is_mention(text, range.clone());
    if open || modality(text).strength_at(range.clone()) < Strength::Likely {
        return None;
    }
    let first = claim
        .stems
        .iter()
        .filter(|(_, own)| wanted.iter().any(|stem| base_form(own) == stem.as_str()))
        .map(|(range, _)| range.start);
    let start = first.filter(|start| *start >= from).min().unwrap_or(range.start);
    Some(start.min(range.start)..range.end)
}

/// The clause around a range: to the nearest semicolon, colon or dash, or a comma with "but".
fn clause_around(text: &str, range: &Range<usize>) -> (usize, usize) {
    const ENDS: [&str; 8] = ["; ", ": ", " — ", " – ", ", but ", ". ", ", and ", ", so that "];
    let from =
        ENDS.iter().filter_map(|mark| text[..range.start].rfind(mark).map(|at| at + mark.len())).max().unwrap_or(0);
    let to = ENDS
        .iter()
        .filter_map(|mark| text[range.end..].find(mark).map(|at| range.end + at))
        .min()
        .unwrap_or(text.len());
    (from, to)
}

#[cfg(test)]
mod tests {
    use super::{Part, parts};

    #[track_caller]
    fn check(what: &str, source: &str, expect: &[(&str, &str)]) {
        let found: Vec<(String, String)> = parts(what, source)
            .into_iter()
            .map(|Part { deed, object, .. }| (deed.unwrap_or_default(), object.join(" ")))
            .collect();
        let expect: Vec<(String, String)> = expect.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        assert_eq!(found, expect, "{what:?}");
    }

    #[test]
    fn a_ban_falls_into_its_parts() {
        check("ask for deposits or fines", "Do not ask for deposits or fines", &[("", "deposit"), ("", "fine")]);
        check(
            "for firms or holiday guests",
            "It is not meant for firms or holiday guests",
            &[("", "firm"), ("", "holiday guest")],
        );
        check("No cameras", "No cameras", &[("", "camera")]);
        check("No gifts or payments to singers", "No gifts or payments to singers", &[("", "gift"), ("", "payment")]);
        check("insulate the façade", "Do not insulate the façade", &[("insul", "façad")]);
        check("sell anything", "we do not sell anything", &[("", "sell")]);
        check("propose cameras", "Do not propose cameras", &[("", "camera")]);
    }
}
