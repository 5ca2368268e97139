//! Whether a sentence says that a thing is not used: "no drone is used", "drones have no place here", "we leave drones aside".

use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::{Pattern, is_negated};
use steadfast_steps::Regex;

/// Behind a term and what stands with it in a list or beside it: that it is not used, left out, has no part in the plan. Other things may be
/// said not to be so of what is used ("the drone is not cheap"), so what is denied must be that it is there.
static DENIED_BEHIND: LazyLock<Regex> = LazyLock::new(|| {
    let list = r"(?:(?:, (?:and |or )?| and | or | nor |/)(?:the |other |any |similar )?[\w’'-]+(?: [\w’'-]+)?){1,6}";
    let beside = r"(?: (?:of|for|in|on|at|over|near|from|with) (?:[\w’'-]+ ){0,2}[\w’'-]+| [\w’'-]+)?";
    let not = r"(?:(?:is|are|was|were)(?:n['’]t| not| never| no longer)|(?:has|have|had)(?:n['’]t| not| never) been|(?:will|would|can|could|may|might|must|shall|should|do|does|did)(?:n['’]t| not| never)(?: be)?|won['’]t be|cannot be)";
    let there = r"(?:used?|flown|employed|needed|required|necessary|planned|included|involved|allowed|permitted|considered|bought|hired|rented|sold|served|offered|deployed|proposed|mentioned|named|foreseen|installed|introduced|built|shown|printed|worn|an option|part|in use|on the (?:list|menu|table|agenda)|there|present|appear|feature|wanted|welcome)";
    let out = r"(?:excluded|avoided|ruled out|forbidden|banned|prohibited|out of scope|off[- ]limits|absent|left out|left aside|omitted|unnecessary|superfluous|out of the question)";
    steadfast_annotate::pattern(&format!(
        r"(?i)^(?:{list}|{beside})(?: {not}(?: \w+ly)? {there}\b| (?:find|finds|found|have|has|had|play|plays|played) no (?:place|part|role|room|business)\b| (?:is|are|was|were|stays?|stayed|remains?|remained|has been|have been|will be)(?: \w+ly| all)? {out}\b| (?:stays?|stayed|remains?|remained) (?:away|out|at home|outside)\b)|^ (?:is|are|appears?|occurs?|stands?|comes? up) (?:in|on) (?:neither|none|no)\b|^\W{{0,3}}[:|–—] ?(?:none|no|nil|not used|not needed)(?:,? (?:please|thanks|thank you|as (?:asked|agreed|wished)))?\W*$"
    ))
    .expect("a constant pattern compiles")
});

/// What only limits such a denial: the thing is there at other times, or in other ways.
static ONLY_PARTLY: Pattern = Pattern::new(
    r"(?i)^ (?:only|just|merely|solely|exclusively|alone|before|until|till|after|unless|without|except|when|while|where|if|at (?:night|noon|first)|on \w+days?|in (?:the (?:morning|afternoon|evening|beginning|first)|winter|summer|spring|autumn|\d)|during|yet|more|every|as often|again|near)\b",
);

/// "We leave drones aside": words before a term, and behind it.
static LEFT: Pattern = Pattern::new(r"(?i)\b(?:leav(?:e|es|ing)|left|put(?:s|ting)?|set(?:s|ting)?) (?:\w+ ){0,2}$");
static ASIDE: Pattern = Pattern::new(r"(?i)^ (?:aside|away|out|at home)\b");

/// "The carpenter worked without drones", whatever another clause of the sentence denies.
static WITHOUT: Pattern = Pattern::new(r"(?i)\bwithout (?:any |the |a |an |using |(?:the )?use of )?$");
static NOT: Pattern = Pattern::new(r"(?i)\b(?:not?|never|nobody|none|nothing|neither|nor|cannot)\b|n['’]t\b");

/// Whether a sentence denies that the term at `range` is used: a negation covers it, or what is said beside it does.
pub(crate) fn is_denied(text: &str, range: &Range<usize>) -> bool {
    is_negated(text, range.clone()) || is_denied_beside(text, range)
}

fn is_denied_beside(text: &str, range: &Range<usize>) -> bool {
    let (before, behind) = (&text[..range.start], &text[range.end..]);
    let denied = DENIED_BEHIND.find(behind);
    let clause =
        [", and ", ", but ", ", so ", "; ", ". "].iter().filter_map(|mark| before.rfind(mark)).max().unwrap_or(0);
    denied.is_some_and(|found| !found.as_str().contains(" only ") && !ONLY_PARTLY.is_match(&behind[found.end()..]))
        || LEFT.is_match(before) && ASIDE.is_match(behind)
        || WITHOUT.is_match(before) && !NOT.is_match(&before[clause..])
}
