//! Promotional language: hype words, superlatives, sales address.
//!
//! The lists follow the "puffery" and "peacock" words that style guides warn of (Wikipedia, "Manual of Style: words to watch")
//! and Hyland's boosters of evaluation; weights are our own judgement of how far a word is from a plain plan.

use std::ops::Range;
use std::sync::LazyLock;

use crate::negation::negations;
use crate::verbs;
use crate::words::{Kind, Phrases, Token, is_hyphen, scan};

/// What makes a phrase promotional.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PromotionKind {
    /// "revolutionary", "game-changing", "cutting-edge".
    Hype,
    /// "the first", "the best", "the only": a claim to stand above all others.
    Superlative,
    /// "imagine a …", "join us", "don't miss": the reader is being sold to.
    Address,
    /// An exclamation mark on a sentence that sells.
    Exclamation,
}

/// One promotional phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promotion {
    /// Where it stands, in bytes of the sentence.
    pub range: Range<usize>,
    /// What makes it promotional.
    pub kind: PromotionKind,
    /// 1 (could stand in a plain plan: "exciting") to 3 (only advertising says so: "revolutionary").
    pub weight: u8,
}

use PromotionKind::{Address, Exclamation, Hype, Superlative};

const PHRASES_TABLE: &[(&str, (PromotionKind, u8))] = &[
    (
        "revolutionary|revolutionise|revolutionises|revolutionize|revolutionizes|revolutionizing|revolutionising|game changing|game changer|game changers|groundbreaking|ground breaking|world class|world beating|unparalleled|unrivalled|unrivaled|unprecedented|unmatched|paradigm shifting|paradigm shift|mind blowing|jaw dropping|breathtaking|awe inspiring|once in a lifetime|one of a kind|second to none|best in class|best of breed|holy grail|disruptive innovation|disruptive technology|disruptive technologies|next level|best ever|like never before|as never before|never before seen|never seen before|unlike anything|epic|legendary|iconic|magical|dazzling|spectacular|phenomenal|astonishing|unforgettable|bar none|skyrocket|skyrockets|supercharge|supercharges|turbocharge|unleash|unleashes|unleashing|monumental leap|quantum leap|moonshot|gold mine|no brainer|crown jewel|pushes the boundaries|push the boundaries|pushing the boundaries|sets a new standard|set a new standard|setting a new standard|new gold standard|shatter|shatters|world changing|life changing|industry leading|market leading|world leading|globally leading|award winning",
        (Hype, 3),
    ),
    (
        "cutting edge|state of the art|bleeding edge|redefine|redefines|redefining|reimagine|reimagines|reimagining|reinvent|reinvents|reinventing|visionary|trailblazing|pioneering|transformative|extraordinary|exceptional|remarkable|incredible|incredibly|amazing|stunning|outstanding|superb|captivating|mesmerising|mesmerizing|exhilarating|thrilling|immersive experience|bold vision|bold new|beacon|testament to|cornerstone of a new|monumental|unlock the potential|unlocks the potential|full potential|limitless|boundless|endless possibilities|new era|bright future|brighter future|leap forward|top notch|top tier|first class|premier|elite|unique opportunity|golden opportunity|massive returns|enormous potential|huge potential|immense potential|tremendous potential|significant returns|hugely|massively|blockbuster|must have|must see|killer application|killer app|future proof|make history|making history|change the world|changing the world|legacy that",
        (Hype, 2),
    ),
    (
        "truly|thriving|vibrant|seamless|seamlessly|effortless|effortlessly|next generation|next gen|frontier|frontiers|exciting|excited|passionate|passion|inspiring|inspire|compelling|innovative|empower|empowers|empowering|unlock|unlocks|unlocking|dynamic|rich tapestry|embark on a journey|journey towards|tangible impact|lasting legacy|richly|vision of|dream|dreams|delight|delights|beautiful|beautifully|ambitious vision|robust and scalable|dramatic|dramatically",
        (Hype, 1),
    ),
    (
        "imagine a|imagine an|imagine if|imagine being|imagine your|picture this|picture a|join us|don't miss|act now|be part of|become part of|invest in the future|together we can|together we will|we invite you|your chance|are you ready|ready to|look no further|what if you|what if we told you|you won't believe|you deserve|take your|elevate your|transform your|contact us today|sign up today|visit our website|get ready|step into|dive into|welcome to the|this is more than|this is not just|this isn't just|not just a|more than just a|let's build|let's create|let's make",
        (Address, 3),
    ),
];

/// Superlatives that claim a place above all others, with the article.
const SUPERLATIVES: &[(&str, (PromotionKind, u8))] = &[
    (
        "the best|the finest|the greatest|the leading|the number one|the world's first|the world's best|the world's largest|the world's most|the first ever|the first of its kind|first of its kind|the only one of its kind|the most advanced|the most innovative|the most exciting|the most ambitious|the most immersive|the most anticipated|the most comprehensive|the most powerful|the most realistic|the most compelling|the smartest|the fastest growing|the premier|the foremost|the most successful|the definitive|europe's first|the industry's first|the nation's first|the country's first|world's first|world first",
        (Superlative, 3),
    ),
    ("the first|the only|the largest|the biggest|the fastest|the strongest|the safest|the cheapest", (Superlative, 2)),
];

static PHRASES: LazyLock<Phrases<(PromotionKind, u8)>> = LazyLock::new(|| {
    let all: Vec<_> = PHRASES_TABLE.iter().chain(SUPERLATIVES).copied().collect();
    Phrases::new(&all)
});

/// What "the first …" and "the only …" count when they count: no claim of rank.
const COUNTED: &[&str] = &[
    "phase",
    "phases",
    "step",
    "steps",
    "stage",
    "year",
    "years",
    "month",
    "months",
    "week",
    "weeks",
    "day",
    "days",
    "quarter",
    "half",
    "time",
    "version",
    "meeting",
    "draft",
    "part",
    "section",
    "line",
    "night",
    "milestone",
    "task",
    "iteration",
    "release",
    "round",
    "batch",
    "of",
    "two",
    "three",
    "four",
    "five",
    "six",
    "ten",
    "to",
    "priority",
    "deliverable",
    "item",
    "point",
    "floor",
    "page",
    "option",
    "question",
    "one",
    "shipment",
    "harvest",
    "instance",
    "place",
    "person",
    "report",
    "review",
    "risk",
    "risks",
    "path",
    "way",
    "available",
    "practical",
    "available",
    "practice",
    "practices",
    "possible",
    "interests",
    "interest",
    "fit",
    "case",
    "choice",
    "cost",
    "costs",
    "portion",
    "share",
    "component",
    "expense",
    "driver",
    "part",
];

/// Every promotional phrase of a sentence, in order. Linear in its length.
///
/// Negated words ("not revolutionary"), ranks that count ("the first phase") and "unique" or "new" alone are left out; a
/// weak word (weight 1) counts only in a sentence that has another promotional phrase.
#[must_use]
pub fn promotional(sentence: &str) -> Vec<Promotion> {
    let tokens = scan(sentence);
    let mut out = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some(((kind, weight), end)) = PHRASES.at(&tokens, at) else {
            at += 1;
            continue;
        };
        if counts(&tokens, at, end, kind, weight) {
            out.push(Promotion { range: tokens[at].range.start..tokens[end - 1].range.end, kind, weight });
        }
        at = end;
    }
    if !out.is_empty() {
        let mut denied: Vec<Range<usize>> = negations(sentence).into_iter().map(|n| n.scope).collect();
        denied.sort_by_key(|scope| scope.start);
        let mut next = 0;
        let mut end = 0;
        out.retain(|p| {
            while denied.get(next).is_some_and(|scope| scope.start <= p.range.start) {
                end = end.max(denied[next].end);
                next += 1;
            }
            p.range.end > end || p.kind == Address
        });
    }
    let told = out.iter().any(|p| p.weight > 1) || out.len() > 2;
    if !told {
        out.clear();
    }
    exclamation(&tokens, &mut out);
    out
}

/// Whether the phrase is promotional where it stands.
fn counts(tokens: &[Token<'_>], at: usize, end: usize, kind: PromotionKind, weight: u8) -> bool {
    let next = tokens.get(end);
    let before = at.checked_sub(1).map(|p| &tokens[p]);
    if next.is_some_and(|t| is_hyphen(t.raw) && t.glued) && kind != Superlative {
        return false;
    }
    match kind {
        Superlative if weight == 2 => {
            // "the first 10 days", "on the first Monday", "the only risk": a count.
            let noun = next.is_some_and(|t| {
                t.is_word() && !t.is_in(COUNTED) && !verbs::is_finite(&t.low) && !t.is_in(verbs::PREPOSITIONS)
            });
            let predicative = before.is_some_and(|t| t.is_in(verbs::BE) || t.is_in(&["as", "become", "be"]));
            noun && predicative
        }
        Superlative => !next.is_some_and(|t| t.is_in(COUNTED)) && !before.is_some_and(|t| t.is("of")),
        Address => {
            let opens = before.is_none_or(|t| t.kind == Kind::Mark)
                || !tokens[at].is_in(&["ready", "imagine", "picture", "step", "dive", "take", "not", "be"]);
            opens
                && !(tokens[at].is("not")
                    && before.is_some_and(Token::is_word)
                    && !before.is_some_and(|t| t.is_in(verbs::BE)))
        }
        // "frontier", "premier", "elite" inside names; "passion", "dream" are too common to count alone.
        Hype => !(tokens[at].is_capital() && at > 0 && before.is_some_and(Token::is_word)),
        Exclamation => true,
    }
}

/// An exclamation mark sells where something else does, or where two stand together.
fn exclamation(tokens: &[Token<'_>], out: &mut Vec<Promotion>) {
    let marks: Vec<&Token<'_>> = tokens.iter().filter(|t| t.raw == "!").collect();
    let sells = !out.is_empty() || marks.windows(2).any(|w| w[1].glued && w[0].range.end == w[1].range.start);
    if let (true, Some(first)) = (sells, marks.first()) {
        let place = out.partition_point(|p| p.range.start < first.range.start);
        out.insert(place, Promotion { range: first.range.clone(), kind: Exclamation, weight: 1 });
    }
}

/// Words over which the weights are spread, at least.
const DENSITY_WORDS_MIN: usize = 10;

/// Weight of the promotional phrases for each ten words of the sentence (at least ten words are counted). A plain sentence
/// has 0; 3 and more is advertising.
#[must_use]
pub fn promotional_density(sentence: &str) -> f64 {
    let weight: u32 = promotional(sentence).iter().map(|p| u32::from(p.weight)).sum();
    let words = scan(sentence).iter().filter(|t| t.kind != Kind::Mark).count().max(DENSITY_WORDS_MIN);
    let words = u32::try_from(words).unwrap_or(u32::MAX);
    f64::from(weight) * 10.0 / f64::from(words)
}
