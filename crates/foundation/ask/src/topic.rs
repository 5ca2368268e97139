//! What a heading, a label or the opening of a sentence says that the words under it are.

use std::sync::LazyLock;

use steadfast_annotate::{Annotated, Governed};
use steadfast_steps::Regex;

use crate::scan::{compiled, head};

/// What a part of a request is about, as its heading or label says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    /// Words and concepts that are not to be used.
    Banned,
    /// What is not to be done.
    NonGoal,
    /// Whom or what is not admitted: nobody is told not to pursue it.
    Excluded,
    /// What may be left out.
    Optional,
    /// How success is measured.
    Metric,
    /// What is uncertain: risks, assumptions, open questions.
    Uncertain,
    /// Money.
    Budget,
    /// Time.
    Time,
    /// Where.
    Place,
    /// What has to hold: constraints, requirements, deliverables, features.
    Must,
    /// How things are or came to be.
    Background,
    /// Anything else that is named; it obliges to nothing by itself.
    Other,
}

/// Longest label or heading that is read as one, in bytes.
const LABEL_BYTES_MAX: usize = 120;

static LABELS: LazyLock<Vec<(Topic, Regex)>> = LazyLock::new(|| {
    [
        (
            Topic::Banned,
            r"\b(?:banned|forbidden|prohibited|disallowed|taboo|blacklisted) (?:words?|terms?|phrases?|concepts?|topics?|technolog|keywords?|vocabulary|language|buzzwords?)|^(?:banned|forbidden|prohibited)$|\b(?:words?|terms?|phrases?|buzzwords?) (?:to avoid|not to use|we avoid|i don.?t want|that are banned)|\b(?:do not|don.?t|never|avoid) (?:use|using|mention)?\s*(?:the |these |any of the |any of these |following )*(?:words?|terms?|phrases?|buzzwords)|^no[ -]go (?:words|terms)|^avoid (?:these |the )?(?:words|terms)",
        ),
        (
            Topic::Uncertain,
            r"\bwhat (?:we|i|is|nobody|no one|remains?|one)\b.{0,20}?\b(?:(?:don.?t|do not|doesn.?t|does not|cannot|can.?t)(?: yet| really)? (?:know|say)|knows?$|unknown|unclear|uncertain|not (?:yet )?(?:known|clear|decided|sure)|open)|^(?:still )?(?:unknowns?|unclear|uncertain|not sure|unsure|unresolved|undecided|to be (?:clarified|decided|confirmed))\b|\bopen (?:questions?|points?|issues?)\b|\buncertainties\b",
        ),
        (Topic::Excluded, r"\bexclusion criteria\b|\b(?:not admitted|not eligible)\b"),
        (
            Topic::NonGoal,
            r"\bnon[- ‐]?goals?\b|\bout[- ]of[- ]scope\b|\bnot in scope\b|\bwon.?t (?:do|have|build)\b|\b(?:explicit )?exclusions?\b|\bexclud(?:ed|es)\b|what (?:this|it|we) (?:is|are|will|do)\w*(?: not|n.t)\b|\banti[- ]goals?\b|\bnot (?:wanted|included|doing)\b|^don.?ts?$|^(?:please )?(?:do not|don.?t|never|avoid)\b|^what\b.{0,40}\b(?:not|never|n.t)\b|\bno[- ]gos?\b",
        ),
        (
            Topic::Optional,
            r"\bnice[- ]to[- ]haves?\b|\boptional\b|\bstretch\b|\bcould[- ]haves?\b|^bonus\b|\bif (?:time|budget) (?:permits|allows)\b|\bwish ?list\b|^later$|\bfuture (?:work|phases?|ideas?|versions?|extensions?)\b|\bdeferred\b|\bbacklog\b|\bextras?\b",
        ),
        (
            Topic::Metric,
            r"\bsuccess\b|\bmetrics?\b|\bkpis?\b|\bacceptance criteria\b|\bdefinition of done\b|\bkey results?\b|\bokrs?\b|^targets?$|\bhow (?:we|i|you)(?:.ll| will| would)? (?:know|measure)\b|\bperformance indicators?\b|^done when\b|\bmeasur(?:es|ed by)\b",
        ),
        (
            Topic::Uncertain,
            r"\brisks?\b|\buncertaint|\bassumptions?\b|\bopen questions?\b|\bunknowns?\b|\bhypothes[ie]s\b|\bnot (?:yet )?(?:known|decided|sure)\b|^tbd$",
        ),
        (
            Topic::Background,
            r"\bbackground\b|\bcontext\b|\bproblem\b|\bmotivation\b|\bintroduction\b|^about\b|\bhistory\b|^why\b|\bcurrent (?:state|situation)\b|\bstatus quo\b|\bpain points?\b|\bcompetit|\breferences?\b|\bexamples?\b|\bglossary\b|^note\b",
        ),
        (Topic::Budget, r"\bbudget|\bfunding\b|\bcosts?\b|\bmoney\b|\bfinanc|\bspend\b|\bprice\b|\binvestment\b"),
        (
            Topic::Place,
            r"^(?:\w+ )?(?:locations?|places?|venues?|sites?|geograph\w*|regions?|countr(?:y|ies)|cit(?:y|ies))$|^where$",
        ),
        (
            Topic::Time,
            r"\bdeadlines?\b|\btime ?line\b|\bschedule\b|\btime ?frame\b|^due\b|\bmilestones?\b|^(?:\w+ )?dates?$|\bduration\b|^when$|\btiming\b|\bstart date\b|\bend date\b",
        ),
        (
            Topic::Must,
            r"\bconstraints?\b|\brequirements?\b|\bmust[- ]haves?\b|\brules?\b|^musts?$|\bconditions?\b|\blimits?\b|\blimitations?\b|\brestrictions?\b|\bguard ?rails?\b|\bspecifications?\b|\bin scope\b|^scope$|\bdeliverables?\b|\bfeatures?\b|^format\b|^style$|\bguidelines?\b|^do.?s$|\bfailure triggers?\b|\binstructions?\b|\bneeds\b|\bprinciples?\b|\bpolic(?:y|ies)\b|\bquality\b|^tone$|\blanguage$|\baims?\b|\bexpectations?\b",
        ),
    ]
    .into_iter()
    .map(|(topic, source)| (topic, compiled(&format!("(?i){source}"))))
    .collect()
});

/// What a heading or label announces; nothing where it is no label by its length or has no letters.
pub(crate) fn of_label(label: &str) -> Option<Topic> {
    let label = label.trim().trim_end_matches([':', '.', '：', '!']).trim();
    let label = label.trim_start_matches(|c: char| !c.is_alphabetic());
    if label.is_empty() || label.len() > LABEL_BYTES_MAX {
        return None;
    }
    Some(LABELS.iter().find(|(_, known)| known.is_match(label)).map_or(Topic::Other, |(topic, _)| *topic))
}

static OPENINGS: LazyLock<Vec<(Topic, Regex)>> = LazyLock::new(|| {
    let before = r"^\W{0,4}(?:(?:the|our|my|its|key|main|explicit|primary|project(?:'s|’s)?|hard|major|overall|some|known|other) ){0,3}";
    // A list follows, after a colon or a verb that lists.
    let after = r"(?: (?:at|for|of|in|by|after|within) [^:.;]{1,60}?)?(?: ?:|,? (?:are|include|includes|comprise|will be|would be|is|is that|means)\b:?)\s*";
    [
        (Topic::Banned, r"(?:banned|forbidden|prohibited) (?:words?|terms?|phrases?|concepts?|keywords?)"),
        (Topic::Excluded, r"exclusion criteria"),
        (Topic::NonGoal, r"(?:non[- ]goals?|exclusions?)"),
        (Topic::Optional, r"(?:stretch goals?|nice[- ]to[- ]haves?|optional (?:features?|extras?|items?|additions?))"),
        (
            Topic::Metric,
            r"(?:success (?:metrics?|criteria|criterion|measures?|indicators?)|kpis?|acceptance criteria|success|measures? of success|key results)",
        ),
        (Topic::Uncertain, r"(?:risks?|uncertainties|open questions|unknowns)"),
        (
            Topic::Must,
            r"(?:deliverables?|constraints?|requirements?|must[- ]haves?|failure triggers?|rules?|channels?|\w+ channels)",
        ),
    ]
    .into_iter()
    .map(|(topic, source)| (topic, compiled(&format!("(?i){before}{source}{after}"))))
    .chain([
        (
            Topic::Metric,
            compiled(r"(?i)^\W{0,4}(?:[^,.;:]{0,60}\b)?(?:success (?:is|will be|should be|shall be)|will be|should be) (?:measured|judged|evaluated|defined|assessed) (?:by|on|against|in terms of|as|through)\b:?\s*"),
        ),
        (
            Topic::Metric,
            compiled(r"(?i)^\W{0,4}(?:(?:it|the \w+|this) (?:is|will be) (?:a success|successful|done) (?:if|when|once)|we succeed (?:if|when)|done means|success (?:means|looks like))\b:?\s*"),
        ),
        // "We call it a success if", "we are content when", "the plan is good if", "it worked if".
        (
            Topic::Metric,
            compiled(r"(?i)^\W{0,4}[^,.;:]{0,40}?\b(?:(?:call|consider|count|regard|rate)s? (?:it|this|that) (?:as )?(?:a success|done|well done|good|successful)(?: well)?|(?:is|are|am|be|shall be|will be) (?:good|satisfied|content|happy|pleased|complete|successful)|worked|(?:has |have )?succeeded|d(?:id|o) well) (?:if|when|once)\s+"),
        ),
        (
            Topic::Must,
            compiled(r"(?i)^[^.:;]{0,80}\b(?:aims|goals|objectives|steps|rules|principles)(?: are)?:\s+"),
        ),
    ])
    .collect()
});

/// A sentence that opens as a list of its own ("Success criteria at 36 months: …", "Key risks include …"), and where its
/// list begins.
pub(crate) fn of_opening(masked: &str) -> Option<(Topic, usize)> {
    let start = head(masked, 240);
    OPENINGS.iter().find_map(|(topic, known)| known.find(start).map(|found| (*topic, found.end())))
}

/// The topic of the nearest section around a block whose title says one.
pub(crate) fn of_sections(annotated: &Annotated<'_>, governed: &Governed) -> Option<Topic> {
    let sections = governed.sections.iter().filter_map(|section| annotated.document.sections.get(*section));
    sections.filter_map(|section| of_label(&section.title)).find(|topic| *topic != Topic::Other)
}

/// The topic that the words leading into a block's list say ("We will not:"), or those around that list.
pub(crate) fn of_leads(annotated: &Annotated<'_>, governed: &Governed) -> Option<Topic> {
    let leads = governed.leads.iter().filter_map(|lead| annotated.document.blocks.get(*lead));
    for lead in leads.take_while(|lead| annotated.body.overlaps(lead.span)) {
        let text = lead.text.plain.as_str();
        let last = lead.sentences.last().map_or(text, |range| &text[range.clone()]);
        let label = lead.label.as_deref().map(|range| &text[range.clone()]);
        for label in [label, Some(last)].into_iter().flatten() {
            if let Some(topic) = of_label(label).filter(|topic| *topic != Topic::Other) {
                return Some(topic);
            }
        }
        if let Some((topic, _)) = of_opening(last) {
            return Some(topic);
        }
    }
    None
}
