//! A fact about the world or the user is stated as given, and the ask never gave it: a signed partner, an approval obtained,
//! a study, a market figure, an event that has taken place.
//!
//! Looked for are completed acts in the plan's own voice ("we have signed …", "… has already approved"), findings of a
//! study and sizes of a market; and, in a report that hangs together, sentences that state how something is of which neither the
//! ask nor any other sentence of the report speaks ("The museum has four hundred clocks"). What the ask itself tells, targets, conditions, flagged assumptions, persons' histories and
//! other projects are none, nor are entries of a timetable and sentences whose times are all the ask's.
//!
//! Example: the ask is a river clean-up; "We have signed an agreement with the Waterways Trust" is an incident.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::{Unit, content_stems, is_mention, is_negated, modality, quantities};
use steadfast_evidence::{Evidence, Severity};
use steadfast_steps::Regex;

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::incident::{DriftType, Incident};
use crate::value::{self, Amount};

/// The check's id.
pub(super) const ID: &str = "fact-invented";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::C,
    summary: "a fact that nobody gave is stated as given",
    on_by_default: false,
    run,
};

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 3;

/// Share of a claim's content words that one sentence of the ask must have to be its source.
const SHARE_MIN: f64 = 0.6;

/// What kind of fact, and how it is said.
const FACTS: &[(&str, &str)] = &[
    (
        "a completed act",
        r"\b(?:we|the (?:project|company|team|founders|organi[sz]ation|initiative))(?:['’]ve| have| has)(?: already| now| recently| successfully)? (?:signed|secured|partnered|obtained|received|agreed|raised|negotiated|acquired|completed|won|hired|recruited|concluded)\b",
    ),
    (
        "an approval",
        r"\b(?:committee|board|agency|authority|ministry|council|regulator|university|government|commission) (?:has|have) (?:already )?(?:approved|granted|authori[sz]ed|cleared|endorsed|signed)\b|\b(?:approval|permit|licen[cs]e|funding|agreement)s? (?:has|have) (?:already )?been (?:granted|obtained|secured|signed|issued)\b",
    ),
    (
        "a study",
        r"\b(?:stud(?:y|ies)|surveys?|trials?|meta-analys[ie]s|polls?) (?:by|from|of|in|at|published|conducted)\b[^.;]{2,90}?\b(?:found|finds|shows?|showed|reveal(?:s|ed)|demonstrate[sd]|conclude[sd]?|report(?:s|ed))\b[^.;]*\d",
    ),
    (
        "what studies are said to show",
        r"\b(?:(?:recent |several |many |numerous |independent |leading |scientific |new )*(?:stud(?:y|ies)|research|surveys?|polls?|statistics|experts?|data|evidence|scientists?|analysts?)(?: by [\w ]{3,40})?) (?:have |has |clearly |consistently |repeatedly )*(?:shows?|showed|shown|finds?|found|proves?|proved|proven|demonstrates?|demonstrated|confirms?|confirmed|suggests?|says?|agree|indicates?|reveals?|revealed)\b",
    ),
    (
        "what a survey is said to have found",
        r"\baccording to (?:a |the |several |recent |new |leading )*(?:stud(?:y|ies)|research|surveys?|polls?|statistics|experts?|scientists?|analysts?)\b|\bit is (?:well[- ]known|widely known|proven|scientifically proven|common knowledge|an established fact) that\b",
    ),
    (
        "a figure of the market",
        r"\bmarket (?:for [^.;]{2,50} )?(?:reached|is worth|was worth|is valued at|was valued at|is growing (?:by|at)|grows (?:by|at)|grew (?:by|at)|has grown|totals|totalled)\b[^.;]*\d",
    ),
    (
        "an event that has taken place",
        r"\b(?:last (?:autumn|spring|summer|winter|fall|year|month|week)|in 20\d\d),? (?:we|our team|the team) (?:tested|ran|held|surveyed|trialled|piloted|launched|built|interviewed|measured)\b",
    ),
];

static COMPILED: LazyLock<Vec<(&'static str, Regex)>> = LazyLock::new(|| {
    FACTS
        .iter()
        .filter_map(|(what, said)| Some((*what, steadfast_annotate::pattern(&format!("(?i){said}")).ok()?)))
        .collect()
});

/// How something is said to be, and not what is done.
static STATE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:has|have|had|is|are|was|were|been|comes?|came|uses?|used|lives?|lived|stands?|stood|lies?|belongs?|holds?|contains?|consists?|counts?|owns?|knows?|works?|runs?|takes?|took|gets?|got|makes?|made|serves?|visits?|visited)\b").ok()
});
/// Telling words of a sentence without a figure, at least.
const TELLING_WITHOUT_FIGURE_MIN: usize = 3;

/// What only holds under a condition, or is wanted.
static OPEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:if|once|until|when|unless|whether|target|targets|after|before|assum\w+|by the (?:end|time)|ensure|verify|confirm|success (?:is|means)|should|would|could|might|may)\b").ok()
});

/// In the ask: still to be done.
static TO_DO: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:to be|must|should|needs? to|seek|sought|obtain|apply|will)\b").ok()
});

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents = Vec::new();
    for claim in case.answer.claims.iter().filter(|claim| claim.is_of_the_plan() && !claim.stance.assumed) {
        let Some((what, range)) = fact(claim) else { continue };
        if incidents.len() == INCIDENTS_MAX || given(case, claim) {
            continue;
        }
        let Some(quote) = case.answer.quote(claim, &range) else { continue };
        let words = &claim.text[range.clone()];
        incidents.push(
            incident(&CHECK, Severity::Major, 0.75, Evidence::Quote(quote))
                .at(case.answer, claim, &range)
                .because(format!("The report states {what} as given (\"{words}\"); the prompt gives no such fact."))
                .repair("Name the source, mark it as an assumption to be checked, or drop it.")
                .done(),
        );
    }
    incidents.extend(strangers(case).take(INCIDENTS_MAX - incidents.len()));
    incidents
}

/// What is said to be so of something of which neither the ask nor the rest of the report speaks.
fn strangers<'a>(case: &'a Case<'_>) -> impl Iterator<Item = Incident> + 'a {
    let times = times_of_ask(case);
    case.kin.strangers(case.answer).into_iter().filter_map(move |(claim, ties)| {
        if tells_the_time(claim, &times) {
            return None;
        }
        let figure = claim.quantities.iter().any(|quantity| !matches!(quantity.unit, Unit::Label | Unit::Ordinal));
        let states = STATE.as_ref()?.is_match(&claim.text) && !modality(&claim.text).directive;
        let enough = figure || (ties.telling >= TELLING_WITHOUT_FIGURE_MIN && ties.alone.len() == ties.telling);
        let range = 0..claim.text.len();
        if !states || !enough || fact(claim).is_some() || is_mention(&claim.text, range.clone()) {
            return None;
        }
        let quote = case.answer.quote(claim, &range)?;
        Some(
            incident(&CHECK, Severity::Major, 0.65, Evidence::Quote(quote))
                .at(case.answer, claim, &range)
                .because(format!(
                    "The report states this as given; neither the prompt nor any other sentence of the report speaks of {}.",
                    ties.words(&claim.text)
                ))
                .repair("Name the source, mark it as an assumption to be checked, or drop it.")
                .done(),
        )
    })
}

/// The times of day that the ask names.
fn times_of_ask(case: &Case<'_>) -> BTreeSet<u32> {
    let statements = case.ask.request.statements.iter();
    statements.flat_map(|statement| times(&statement.text)).collect()
}

fn times(text: &str) -> impl Iterator<Item = u32> {
    value::read(text, &quantities(text)).into_iter().filter_map(|value| match value.amount {
        Amount::Clock(minutes) => Some(minutes),
        _ => None,
    })
}

/// Whether a claim is an entry of a timetable, which proposes, or says in other words what the ask says of these times.
fn tells_the_time(claim: &Claim, asked: &BTreeSet<u32>) -> bool {
    static ENTRY: LazyLock<Option<Regex>> =
        LazyLock::new(|| steadfast_annotate::pattern(r"^\W*(?:[01]?\d|2[0-4])[:.][0-5]\d\b").ok());
    let mut own = times(&claim.text).peekable();
    ENTRY.as_ref().is_some_and(|entry| entry.is_match(&claim.text))
        || own.peek().is_some() && own.all(|time| asked.contains(&time))
}

fn fact(claim: &Claim) -> Option<(&'static str, Range<usize>)> {
    let text = &claim.text;
    COMPILED.iter().find_map(|(what, pattern)| {
        let range = pattern.find(text)?.range();
        let open = OPEN.as_ref()?.is_match(&text[..range.start])
            || is_negated(text, range.clone())
            || is_mention(text, range.clone());
        (!open).then_some((*what, range))
    })
}

/// Whether a sentence of the ask tells it, as done.
fn given(case: &Case<'_>, claim: &Claim) -> bool {
    let stems: BTreeSet<&str> = claim.stems.iter().map(|(_, stem)| stem.as_str()).collect();
    case.ask.request.statements.iter().any(|statement| {
        let own: BTreeSet<String> = content_stems(&statement.text).into_iter().map(|(_, stem)| stem).collect();
        let shared = stems.iter().filter(|stem| own.contains(**stem)).count();
        shared as f64 >= SHARE_MIN * stems.len() as f64
            && !TO_DO.as_ref().is_some_and(|pattern| pattern.is_match(&statement.text))
    })
}
