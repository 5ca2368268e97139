//! The words by which a clause forbids, demands, leaves to choice or hedges.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Match;
use steadfast_annotate::lexicon::{self, Class};
use steadfast_annotate::{Pattern, Strength};
use steadfast_steps::Regex;

use crate::scan::{compiled, head, pattern};

/// What a clause does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Force {
    /// Forbids: something that is not to hold or be done on the way.
    Prohibits,
    /// Says what the whole is not or does not do.
    Disclaims,
    /// Leaves to choice or puts off.
    Offers,
    /// Demands.
    Demands,
    /// Is not sure.
    Hedges,
}

/// What may be an imperative: its first word, and the word after it.
static IMPERATIVE: Pattern = pattern(
    r"(?i)^\W{0,4}(?:(?:please|kindly|then|also|first|next|finally|always|and|so|just|only|now|instead|secondly|lastly)\s*,?\s+)*(\w+)(?:\s+([\w'’-]+)|\s*[:.]|\s*$)?",
);
/// Words after which the first word was no imperative: "Budget is", "Support for", "Plan of", "Research shows".
static NO_OBJECT: Pattern = pattern(
    r"(?i)^(?:is|are|was|were|of|must|should|will|would|shall|can|could|may|might|has|had|does|did|shows?|suggests?|says|indicates|covers|runs|contains|comes|costs?|team|teams|phase|phases|members?|lead|leader)$",
);
static OBJECT: Pattern = pattern(
    r"(?i)^(?:a|an|the|this|these|that|those|all|any|every|each|our|my|your|his|her|their|its|it|them|us|me|for|on|with|to|in|at|into|up|out|down|how|what|whether|if|which|who|why|when|where|no|one|two|three|four|five|six|seven|eight|nine|ten|only|both|some|at|exactly|around|about|from|as|new|\d.*)$",
);

/// The verb of a clause that is an imperative, in bytes of the clause.
#[must_use]
pub fn imperative(clause: &str) -> Option<Range<usize>> {
    let found = IMPERATIVE.captures(head(clause, 160))?;
    let verb = found.get(1)?;
    let classes = lexicon::classes(&verb.as_str().to_lowercase());
    if !classes.has(Class::OrderVerb) {
        return None;
    }
    let next = found.get(2).map_or("", |next| next.as_str());
    if NO_OBJECT.is_match(next) {
        return None;
    }
    // "Thank you for your help."
    if verb.as_str().eq_ignore_ascii_case("thank") && next.eq_ignore_ascii_case("you") {
        return None;
    }
    // "Support for the idea grew."
    if verb.as_str().eq_ignore_ascii_case("support") && next.eq_ignore_ascii_case("for") {
        return None;
    }
    if classes.has(Class::OrderNounVerb) && !OBJECT.is_match(next) && !orders_behind(&clause[verb.end()..]) {
        return None;
    }
    // "Be", "do" and "have" alone are too common: they need a lower-case continuation.
    (!next.is_empty() || clause.trim().len() == verb.end()).then(|| verb.range())
}

/// Whether an order is joined to what stands before it: "Offer tea, and sign it from the committee".
fn orders_behind(rest: &str) -> bool {
    head(rest, 160).split(" and ").skip(1).any(|own| imperative(own).is_some())
}

/// What may be pursued: forbidding it makes a non-goal.
static PURSUIT: Pattern = pattern(
    r"(?i)^(?:\s+(?:ever|try to|attempt to|plan to|seek to|aim to))*\s+(?:attempt|expand|build|develop|create|pursue|offer|sell|launch|replace|become|produce|compete|commerciali[sz]e|enter|target|ship|grow|scale|monetise|monetize|market)\b",
);

struct Cue {
    force: Force,
    strength: Strength,
    source: &'static str,
}

const fn cue(force: Force, strength: Strength, source: &'static str) -> Cue {
    Cue { force, strength, source }
}

/// Cues in the order in which they are tried: the first that a clause holds decides what it does.
const CUES: &[Cue] = &[
    cue(
        Force::Offers,
        Strength::Possible,
        r"\b(?:optional(?:ly)?|stretch goals?|nice[- ]to[- ]have|would be (?:nice|great|lovely|a plus|a bonus|welcome)|(?:as an? |is an? )?(?:added )?bonus\b|if (?:time|budget|money|funds?|funding|possible|feasible|there is time|there's time|resources)\b|(?:where|wherever|when|whenever|as far as) (?:possible|feasible)\b|ideally\b|not (?:strictly )?(?:required|essential|necessary|mandatory)|as (?:optional )?upside|secondary exploratory|exploratory (?:arm|goal|objective|study)|at (?:your|the \w+'s) discretion|feel free to|deferred|postponed|put off|(?:in|for|to|until) a later (?:phase|version|release|step|project|round|stage|year|date)|(?:left|kept|saved) for later|in future (?:phases|versions|releases)|can wait|later on, (?:we|it)|you (?:may|can|could) (?:also )?(?:use|add|include|choose|assume|skip)|(?:we|users|participants|the team|it|stays|they) (?:may|might|could) (?:also|optionally|later|be (?:extended|added|used|included|omitted|offered|skipped|dropped)))",
    ),
    cue(
        Force::Prohibits,
        Strength::Committed,
        r"\b(?:(?:leave|keep) (?:[\w'’/.,`-]+ ){0,7}(?:out|alone|untouched|unchanged|(?:exactly |just |precisely )?as (?:it|they) (?:is|are|stands?)|to yourself)\b|leave (?:[\w'’/.`-]+ ){0,5}(?:be|to (?:me|us))\b|spare (?:me|us|them)|stay silent|(?:is|are) (?:taboo|none of (?:your|their|anyone's|anybody's) business)\b|(?:stays?|remains?) (?:exactly |just |precisely )?(?:as (?:it|they) (?:is|are)|as[- ]is|untouched|unchanged|read[- ]only)\b|[\w'’]+ing (?:[\w'’-]+ ){0,3}is (?:my|our) (?:job|business|task)\b|(?:is|are) not an option\b|hands off|off the table|out of bounds|(?:stays?|keeps?|kept) (?:out|off)\b|(?:is|are) (?:excluded|out completely|ruled out)|do not|don't|don’t|dont|never|must not|mustn't|mustn’t|shall not|may not|cannot be|can't be|can not be|should (?:\w+ )?not|shouldn't|shouldn’t|should never|(?:must|should|shall|will|may|can) be no|there is to be no|needs? not to|must never|is (?:strictly )?(?:forbidden|prohibited|banned|off[- ]limits|not allowed|not permitted)|are (?:strictly )?(?:forbidden|prohibited|banned|off[- ]limits|not allowed|not permitted)|avoid(?:ing)?|steer clear of|stay away from|refrain from|keep away from|under no circumstances|is not the (?:goal|aim|point)|i (?:do not|don't|don’t) want|we (?:do not|don't|don’t) want|nobody (?:may|is|should)|no one (?:may|is|should)|(?:and|but) (?:will|shall|do|does|must|may|can) not|(?:we|i|you|they) (?:will |shall |must |can )?(?:take|use|accept|allow|make|show|charge|sell|buy|keep|serve|hire|need|print|add|want) (?:out )?no)\b",
    ),
    cue(
        Force::Disclaims,
        Strength::Asserted,
        r"\b(?:this|the|our|my|these|it|we|they|here)\b(?:[ '’\w-]{0,60}?)\b(?:is|are|does|do|will|would|shall) (?:\w+ly )?not (?:meant|intended|designed|supposed|there to|attempt|seek|aim|intend|try|want|plan|build|include|cover|replace|ship|sell|pursue|offer|to\b|an?\b|about\b|the goal|part of|in scope|[a-z]{3,}ing\b|certified|(?:going )?to be\b|interested)|\b(?:goal|aim|objective|point|lever|purpose|focus|role|priority|idea|intention|intent|ambition|mission) (?:here )?is not\b|\b(?:is|are|will be|be) not (?:to be )?(?:deposited|shared|sold|published|stored|included|offered|covered|released|uploaded|collected|supported|in scope|part of|for sale|public)|\b(?:out of scope|outside (?:the |our )?scope|beyond (?:the )?scope|is a non-goal|excluded from|not in scope|isn't (?:a|an|about|in scope|part)|isn’t (?:a|an|about|in scope|part)|we (?:won't|won’t|will not)|we (?:are not|aren't|aren’t) (?:a|an|the|going|looking|planning|interested|trying|here|out|about|\w+ing)\b|i (?:won't|won’t|will not|am not|'m not) (?:looking|interested|going))\b",
    ),
    cue(
        Force::Demands,
        Strength::Committed,
        r"\b(?:must|shall|have to|has to|needs? to|need to|is required|are required|requires?|is mandatory|are mandatory|is essential|are essential|is a must|it is (?:essential|critical|crucial|imperative) (?:that|to)|required to|no (?:more|fewer|less|later) than|at most|capped at|limited to|is conditional on|are conditional on|conditional on|subject to|is unconditional|are unconditional|ceiling of|minimum of|maximum of|exactly|is non-negotiable|are non-negotiable|mandatory|requiring|full\w* compliant|(?:starts?|begins?|opens?|continues?|proceeds?|happens?|paid|released|allowed|permitted|admitted|used|possible) only (?:after|once|when|if|with|between|from|on|until|where|by|for)|pays? nothing)\b",
    ),
    cue(
        Force::Demands,
        Strength::Likely,
        r"\b(?:should|ought to|is supposed to|are supposed to|is expected to (?:have|be|provide|include)|is crucial|is critical|is important that|are expected to)\b",
    ),
    cue(
        Force::Demands,
        Strength::Intended,
        r"\b(?:make sure|ensure|remember to|don't forget to|i (?:want|need|would like|'d like)|i’d like|we (?:want|need|would like)|the client wants|entirely|exclusively|solely|on a budget of|must-have|wants (?:it|the|a|an|all)|while preserving|treat it as|limited budget)\b",
    ),
    cue(
        Force::Demands,
        Strength::Asserted,
        r"^\W*(?:all|every|each|only) \w+(?: \w+){0,3} (?:are|is|be)\b|^\W*(?:[\w-]+ ){1,4}only\W*$|^\W*(?:at least|minimum(?: of)?|min\.?) \d|\b(?:would|will) (?:maintain|have|enforce|control|retain)\b|^\W*(?:[\w'’-]+ ){1,4}(?:is|are|stays?|remains?) free(?: of charge)?(?: for [\w'’-]+)?\W*$|\bthe primary (?:\w+ )?(?:point|lever|constraint|rule) is\b|\bretains?\b",
    ),
    cue(
        Force::Hedges,
        Strength::Possible,
        r"\b(?:believed to|thought to|said to|rumou?red to|reportedly|allegedly|supposedly|presumably|possibly|perhaps|maybe|might|may (?:be|face|have|need|not|lead|cause|require|become|make|delay|change|take|affect|prove|\w+)|could (?:be|face|have|need|lead|cause|require|become|make|delay|change|take|affect|\w+)|unclear|uncertain|unknown|not (?:yet )?(?:sure|known|decided|clear)|i'm not sure|we are not sure|remains to be seen|to be (?:determined|decided|confirmed)|tbd|tbc)\b",
    ),
    cue(
        Force::Hedges,
        Strength::Likely,
        r"\b(?:likely|probably|expected to|estimated (?:to|at)|anticipated|assumes? that|we assume|i assume|we (?:think|believe|expect|hope|suspect|guess|doubt)|i (?:think|believe|guess|hope|expect|suspect|doubt)|appears? to|seems? to|hopefully|(?:some|early|limited|preliminary|anecdotal|weak|first) (?:evidence|data|studies|results|signs|reports) (?:suggests?|indicates?|points? to)|there (?:is|are) (?:some |weak |early )?(?:evidence|signs|indications?) that|(?:approximately|about|around|roughly|some) [\d–.-]+ ?(?:%|per ?cent)[^.;]{0,80}\bwill)\b",
    ),
];

static COMPILED: LazyLock<Vec<Regex>> =
    LazyLock::new(|| CUES.iter().map(|cue| compiled(&format!("(?i){}", cue.source))).collect());

/// What a clause does, how strongly, and where its cue stands.
pub(crate) struct Reading {
    /// What it does.
    pub(crate) force: Force,
    /// How strongly.
    pub(crate) strength: Strength,
    /// First byte of its cue.
    pub(crate) at: usize,
    /// One past its last.
    pub(crate) end: usize,
}

static ONLY_PART: Pattern = pattern(
    r"(?i)\b(?:is|are|was|were|be|does|do|will|would|shall) not (?:only|just|merely|simply|limited|necessarily|yet)\b|\bnot (?:only|just|merely|simply|necessarily)\b",
);
static NOMINAL_BAN: Pattern = pattern(
    r"(?i)^\W*(?:absolutely |strictly |please,? )?(?:no|zero) (?:[a-z][\w'’-]*(?:[ ,/]| and | or ){0,1}){1,8}|^\W*nothing [\w-]+|^\W*not (?:an?|the|for|in|to|from|as|about|by|via|through|with|using)\b|^\W*never\b|^\W*without \w+",
);
static NOTHING_THAT: Pattern = pattern(r"(?i)^\W*nothing (?:that|which) ");
/// "Give no reason", "attach nothing", "book or reserve nothing": an order whose object is denied. "No later than" bounds, and "no problem" is one.
static DENIED_OBJECT: Pattern = pattern(
    r"(?i)^\W*(?:(?:and|but|so|then|please|just|also|therefore),?\s+)*[a-z]+(?:\s+(?:or|and|nor)\s+[a-z]+)?(?:\s+(?:them|him|her|us|me|it))?\s+(?:nothing|nobody|no one|nowhere)\b|^\W*(?:(?:and|but|so|then|please|just|also|therefore),?\s+)*[a-z]+(?:\s+(?:them|him|her|us|me))?\s+no\s+[\w'’]",
);
static BOUNDED: Pattern = pattern(
    r"(?i)\b(?:nothing (?:but|else than|other than|less than)|no (?:later|earlier|sooner|more|less|fewer|longer|shorter|smaller|larger|bigger|higher|lower|further|matter|problem|doubt|need|one but))\b",
);
/// "Not Apple": a name is ruled out. Case tells it from "not sure".
static NOT_NAMED: Pattern = pattern(r"^\W*[Nn]ot [A-Z][\w-]*(?: [A-Z][\w-]*)*\W*$");
static FACT: Pattern = pattern(
    r"(?i)^\W*(?:no (?:one knows|doubt|wonder|longer|matter|problem|other|such|clear|single|good|real|existing|known|sign|evidence|study|reliable|public|standard|city|country|company|system)|no more\W*$|without (?:it|this|them|that|doubt)|not (?:only|just|merely|simply|necessarily|surprisingly|everyone|all|many|long))\b",
);
/// Clauses that say how the world is: whatever they deny, they demand nothing.
static BACKGROUND: Pattern = pattern(
    r"(?i)^\W*(?:even where|although|because|since|when|as|whereas|currently|today|historically|traditional(?:ly)?|in recent|until now|so far|many|most|some|there (?:is|are|was|were)|according to|studies|research (?:shows|suggests)|people|last (?:year|month|week)|in (?:19|20)\d\d|he|she|they|according|unfortunately|however, (?:many|most)|nobody knows)\b|\b(?:currently|to date|at the moment|nowadays|explicitly calls? for|has been|have been|had to|was|were)\b",
);

/// Whether a clause tells how things are or were.
#[must_use]
pub fn is_background(clause: &str) -> bool {
    // "People in homes are not included" says of whom the whole is not.
    static LEFT_OUT: Pattern =
        pattern(r"(?i)\b(?:is|are) not (?:to be )?(?:included|admitted|covered|invited|eligible|addressed|served)\b");
    BACKGROUND.is_match(clause) && !LEFT_OUT.is_match(clause)
}

/// "Could you …?", "would you mind …?": a request that is put as a question.
pub(crate) fn is_polite(sentence: &str) -> bool {
    static POLITE: Pattern =
        pattern(r"(?i)(?:^|[,.;:]\s+|\band )\W*(?:please )?(?:could|can|would|will|may i ask) (?:you|u)\b");
    POLITE.is_match(sentence)
}

/// Whether the words before something deny it.
pub(crate) fn denies(text: &str) -> bool {
    static NOT: Pattern = pattern(r"(?i)\b(?:not|never|nothing|no one|nobody)\b|n['’]t\b");
    NOT.is_match(text)
}

/// Whether a sentence speaks of what is to be made, so that the figures after it may be given values.
pub(crate) fn speaks_of_plan(text: &str) -> bool {
    static OF_PLAN: Pattern = pattern(
        r"(?i)\b(?:this|the|our|my) (?:project|plan|programme|program|initiative|report|app|site|team|budget|goal|answer|response|essay)\b|\b(?:i|we) (?:want|need|will|plan|would|have|are going)\b|\b(?:must|should|shall|needs? to)\b",
    );
    OF_PLAN.is_match(text)
}

/// What the clause does; nothing where it only says how things are.
pub(crate) fn read(clause: &str) -> Option<Reading> {
    let background_at = BACKGROUND.find(clause).filter(|_| is_background(clause)).map(|found| found.start());
    let background = background_at.is_some();
    let partly = ONLY_PART.is_match(clause);
    // "Nothing that is not decided": what the clause says behind it is what is ruled out.
    if let Some(found) = NOTHING_THAT.find(head(clause, 60)) {
        return Some(Reading {
            force: Force::Prohibits,
            strength: Strength::Committed,
            at: found.start(),
            end: found.end(),
        });
    }
    if let Some(found) = DENIED_OBJECT.find(head(clause, 120)).filter(|found| {
        imperative(clause).is_some_and(|verb| verb.start < found.end())
            && !BOUNDED.is_match(head(clause, found.end() + 20))
    }) {
        // The noun behind "no" is what is ruled out.
        let end = clause[..found.end()]
            .rfind(char::is_whitespace)
            .filter(|_| !found.as_str().ends_with("thing"))
            .unwrap_or(found.end());
        return Some(Reading { force: Force::Prohibits, strength: Strength::Committed, at: found.start(), end });
    }
    for (cue, compiled) in CUES.iter().zip(COMPILED.iter()) {
        let Some(found) =
            compiled.find_iter(clause).find(|found| !is_wish(clause, found) && !is_no_doubt(clause, found))
        else {
            continue;
        };
        if is_month(clause, &found) {
            continue;
        }
        // What is told only after the cue is no background of it: "… should stop rather than claim that it has been done".
        if background_at.is_some_and(|at| at <= found.start())
            && !matches!(cue.force, Force::Hedges | Force::Prohibits | Force::Offers)
            && cue.strength != Strength::Committed
        {
            continue;
        }
        if background && cue.force != Force::Hedges && is_past(clause, &found) {
            continue;
        }
        let mut force = cue.force;
        if partly && clause[..found.start()].trim_end().ends_with("not") {
            continue;
        }
        if force == Force::Disclaims && partly {
            continue;
        }
        if force == Force::Prohibits {
            if is_statement_of_habit(clause, &found) {
                continue;
            }
            if PURSUIT.is_match(&clause[found.end()..]) {
                force = Force::Disclaims;
            }
        }
        return Some(Reading { force, strength: cue.strength, at: found.start(), end: found.end() });
    }
    let nominal = NOMINAL_BAN.is_match(head(clause, 200)) || NOT_NAMED.is_match(head(clause, 80));
    if nominal && !FACT.is_match(head(clause, 60)) && !background && !partly {
        let first = clause.trim_start().len();
        let at = clause.len() - first;
        let force = if head(&clause[at..], 8).to_lowercase().starts_with("without")
            || head(&clause[at..], 3).eq_ignore_ascii_case("no ")
        {
            Force::Prohibits
        } else {
            Force::Disclaims
        };
        return Some(Reading { force, strength: Strength::Committed, at, end: at });
    }
    let verb = imperative(clause)?;
    Some(Reading { force: Force::Demands, strength: Strength::Intended, at: verb.start, end: verb.start })
}

/// The part of a hedged clause that makes the claim: "I think the roof would hold, but nobody has looked" claims that the roof
/// would hold. In bytes of the clause; the whole clause where it frames nothing.
pub(crate) fn bare_claim(clause: &str) -> Range<usize> {
    static BELIEF: Pattern = pattern(
        r"(?i)^\W*(?:(?:but|yet|and|so|also|though)\W+)?(?:(?:i|we|they|he|she|people|some|many|experts?|locals?) )(?:\w+ly )?(?:think|believe|guess|suspect|expect|hope|assume|reckon|suppose|feel)s?(?: that)?\s+",
    );
    static RESERVATION: Pattern = pattern(
        r"(?i),?\s+(?:but|yet|though|although)\s+(?:nobody|no one|none|we|i|it|that|this|they|not|neither|nothing)\b.*$",
    );
    let start = BELIEF.find(clause).map_or(0, |found| found.end());
    let end = RESERVATION.find(&clause[start..]).map_or(clause.len(), |found| start + found.start());
    if clause[start..end].split_whitespace().nth(1).is_none() { 0..clause.len() } else { start..end }
}

/// Where a clause hedges, whatever else it does.
pub(crate) fn hedges(clause: &str) -> Vec<Reading> {
    let mut found = Vec::new();
    for (cue, compiled) in CUES.iter().zip(COMPILED.iter()).filter(|(cue, _)| cue.force == Force::Hedges) {
        for hedge in compiled.find_iter(clause) {
            if !is_month(clause, &hedge) && !is_permission(clause, &hedge) && !is_no_doubt(clause, &hedge) {
                found.push(Reading { force: cue.force, strength: cue.strength, at: hedge.start(), end: hedge.end() });
            }
        }
    }
    found.sort_by_key(|reading| (reading.at, reading.end));
    found
}

/// "we should like" wants what "we would like" wants, and obliges nobody.
fn is_wish(clause: &str, found: &Match<'_>) -> bool {
    found.as_str().eq_ignore_ascii_case("should")
        && head(&clause[found.end()..], 6).trim_end().eq_ignore_ascii_case(" like")
}

/// "Could you draft it?" asks, and "what you could not check" says what somebody is unable to do: neither leaves anything open.
fn is_no_doubt(clause: &str, found: &Match<'_>) -> bool {
    static ASKS_OR_DENIES: Pattern = pattern(r"(?i)^could (?:you|u|we|i|not|no longer)\b");
    ASKS_OR_DENIES.is_match(head(&clause[found.start()..], 20))
}

/// "in May 2026" is no permission.
fn is_month(clause: &str, found: &Match<'_>) -> bool {
    clause[found.range()].starts_with("May") && found.start() > 0
}

/// "may be down for at most four hours", "none may be lost", "objects that visitors may touch": what is allowed, and how much of
/// it, is nothing that anybody is unsure of.
fn is_permission(clause: &str, found: &Match<'_>) -> bool {
    static LIMIT: Pattern = pattern(
        r"(?i)\b(?:at most|at the (?:most|latest|earliest)|no (?:more|longer|later|less|fewer|higher|earlier|larger)\b|not (?:above|exceed|be)\b|only\b|up to [\d£€$]|(?:longer|more|higher|later) than|exceed\w*|rise above|go above)",
    );
    static WHOSE: Pattern = pattern(
        r"(?i)(?:^\W*(?:and |but )?(?:no|none|nobody|nothing|only|any|each|every)\b[^,;]*|\b(?:that|which|who) (?:\w+ ){1,2})$",
    );
    head(found.as_str(), 3).eq_ignore_ascii_case("may")
        && (LIMIT.is_match(&clause[found.start()..]) || WHOSE.is_match(&clause[..found.start()]))
}

/// "had to", "was required": what once had to be is no demand.
fn is_past(clause: &str, found: &Match<'_>) -> bool {
    static PAST: Pattern = pattern(r"(?i)\b(?:had to|was|were|has been|have been)\b");
    PAST.find_iter(clause).any(|past| past.start() <= found.start() + 12)
}

/// Whether what stands behind "may not" is withheld: "may not be altered", "may not exceed", but not "may not be needed".
fn withholds(behind: &str) -> bool {
    static WITHHELD: Pattern = pattern(
        r"(?i)^ (?:exceed|cost more|(?:take|last) longer|(?:go|rise|fall|drop) (?:above|over|below|under|beyond)|be (?:\w+ly )?(?:\w{2,}ed|sold|told|made|taken|given|shown|built|kept|left|lost|paid|sent|held|cut|set|moved|put|bought|hidden|broken|written|drawn|spent|lent|thrown|let|run|worn|hung|used|higher|lower|more|less|longer|shorter|later|earlier|larger|smaller|greater|fewer|above|below|over|under|beyond|passed on))\b",
    );
    static DOUBTED: Pattern = pattern(
        r"(?i)^ be (?:\w+ly )?(?:need|requir|expect|interest|affect|concern|satisf|convinc|prepar|finish|complet|decid|settl|inform|involv|relat|justifi|warrant|motivat|experienc|suit|limit|qualifi|skill|train|dri|impress|surpris|pleas|accept(?:ed)? by|notic|reach|achiev|solv|caus|link|connect|explain)\w*",
    );
    WITHHELD.is_match(head(behind, 60)) && !DOUBTED.is_match(head(behind, 60))
}

/// "Users do not trust it", "the glass towers never sleep", "people avoid it": a subject of its own that is not addressed.
fn is_statement_of_habit(clause: &str, found: &Match<'_>) -> bool {
    static HABITUAL: Pattern =
        pattern(r"(?i)^(?:do not|don't|don’t|dont|never|avoid(?:ing)?|cannot be|can't be|can not be|may not)$");
    static ADDRESSED: Pattern = pattern(
        r"(?i)^\W*(?:(?:please|also|and|but|so|then|you|therefore|thus|however|kindly|instead|just|finally|strictly|important|note|we|it|should|must|to|is|that|or|the project|the plan|the report|the answer|your \w+|the response)\W+)*$",
    );
    if !HABITUAL.is_match(found.as_str())
        || (found.as_str().eq_ignore_ascii_case("may not") && withholds(&clause[found.end()..]))
    {
        return false;
    }
    if found.as_str().eq_ignore_ascii_case("never") && clause[found.end()..].trim_start().is_empty() {
        return true;
    }
    let before = &clause[..found.start()];
    let reason =
        found.as_str().to_lowercase().starts_with("avoid") && before.to_lowercase().trim_end().ends_with(" to");
    !(reason || ADDRESSED.is_match(before))
}
