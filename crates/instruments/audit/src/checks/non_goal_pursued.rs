//! The answer does, plans or measures what the ask rules out.
//!
//! What is not to be done, built, used or aimed at is looked for by its words in the plan's own claims: most of them, close
//! together, affirmed. Restatements ("rather than", "no league"), exclusions, criticism, questions and hypotheses are none.
//!
//! Example: "do not attempt integration with the live system" against "integrate the reader with the live system".

use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::{Strength, Unit, is_mention, is_negated, modality, negations};
use steadfast_ask::Rule;
use steadfast_evidence::{Evidence, Quote, Severity};
use steadfast_steps::Regex;

use super::{Case, Check, incident, rule};
use crate::answer::Claim;
use crate::ask::Kind;
use crate::forbidden;
use crate::incident::{Disqualifies, DriftType, Incident};
use crate::matching::{self, Index};

/// The check's id.
pub(super) const ID: &str = "non-goal-pursued";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::A, summary: "what the ask rules out is planned", on_by_default: false, run };

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 8;
/// Share of the weighted words of what is ruled out that the claim has, at least.
const SHARE_MIN: f64 = 0.7;
/// Content words from the first to the last of these, for each, at most.
const SPREAD_MAX: usize = 2;

/// A thing that is ruled out as such has few words.
const THING_WORDS_MAX: usize = 4;

/// Verbs and nouns that say that something is ruled out, or lead to what is.
static LEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)^(?:to |the |a |an |be |attempt(?:ing)? |use |using |go for |assume |treat(?:ing)? |making |without |nothing |not |no |rather than |put on )+").ok()
});

/// Verbs by which a thing is there: what must not be used, shown or served is ruled out itself, whatever is done with it.
static PRESENCE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)^(?:us(?:e|ing)|mention(?:ing)?|includ(?:e|ing)|hav(?:e|ing)|contain(?:ing)?|show(?:ing)?|serv(?:e|ing)|employ(?:ing)?|allow(?:ing)?|permit(?:ting)?|rely(?:ing)? on|refer(?:ring)? to|talk(?:ing)? about|depend(?:ing)? on|list(?:ing)?|nam(?:e|ing)|put(?:ting)? in) (?:any |the |a |an )?").ok()
});

/// After these words of the ask stands a verb, or what a verb of its own is done to, not a thing ruled out as such.
static DO_NOT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:do not|don.?t|never|not|cannot|can.t|refrain from|without|\w+ing)\W*$").ok()
});

/// Where the thing ends and its setting begins.
static SETTING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i) (?:at|in|on|during|for|from|within|anywhere in) (?:the |our |my |this |your )")
        .ok()
});

/// Stems of words for the work itself: "at the event", "in the report" narrow nothing.
const WORK: &[&str] = &[
    "answer",
    "app",
    "build",
    "club",
    "code",
    "codebas",
    "cours",
    "day",
    "document",
    "event",
    "festiv",
    "film",
    "game",
    "hous",
    "meet",
    "module",
    "parti",
    "plan",
    "premis",
    "product",
    "project",
    "repo",
    "repositori",
    "report",
    "response",
    "session",
    "shop",
    "show",
    "site",
    "softwar",
    "stori",
    "text",
    "trip",
    "websit",
];

/// Stems of verbs for changing something.
const CHANGES: &[&str] = &[
    "adapt", "adjust", "alter", "amend", "break", "chang", "delet", "edit", "modifi", "refactor", "remov", "renam",
    "replac", "rewrit", "touch", "tweak", "updat",
];

/// What follows is a reason, no part of what is ruled out.
static REASON: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)(?:[;:,]? (?:because|since|as it|so that|within the current)\b|\. ).*$").ok()
});

/// What speaks of the limit itself.
static LIMIT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:rather than|instead of|avoid(?:s|ing|ed)?|out of scope|beyond|not|no|never|without|if|whether|risk of|scope creep|prevent(?:s|ing)?|exclu\w+|neither|nor|cannot|limit(?:s|ed|ing)?|mitigat\w*|reduc\w*|minimi[sz]\w*|dependen\w+ on)\b").ok()
});

/// "… is not used": a denial of what stands before it.
static DENIED_AFTER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)^[^;:.]{0,80}, but (?:they|these|those) (?:do|does|did|will|can|may|are) not\b|^[^,;:.]{0,40}?\b(?:(?:is|are|was|were|be|been|has|have|does|do|did|will|would|can|could|should|must|may)(?:n['’]t| not| never| no longer)|cannot|remains? (?:forbidden|banned|excluded|out of scope)|(?:is|are|was|were|stays?) (?:\w+ )?(?:excluded|avoided|ruled out|forbidden|banned|prohibited|out of scope|absent|left out|dropped|removed|off[- ]limits))\b").ok()
});

fn run(case: &Case<'_>) -> Vec<Incident> {
    let (Some(lead), Some(reason), Some(limit), Some(denied_after)) = (&*LEAD, &*REASON, &*LIMIT, &*DENIED_AFTER)
    else {
        return Vec::new();
    };
    let index = &case.index;
    let elsewhere = forbidden::Elsewhere::new(case);
    let mut incidents: Vec<Incident> = Vec::new();
    for (item, obligation) in case.ask.obligations.iter().enumerate() {
        let Some(Rule::Avoid { what, .. }) = rule(case, item) else { continue };
        if !matches!(obligation.obligation.kind, Kind::NonGoal | Kind::Constraint) || is_degree(what) {
            continue;
        }
        let source = obligation.obligation.source();
        if is_left_out_of_a_sum(case, obligation.demand, source) {
            continue;
        }
        let what = reason.replace(what, "");
        // A list of exclusions rules out each of its items.
        let parts: Vec<&str> =
            if source.text().trim() == what.trim() && !what.contains(" or ") && negations(&what).is_empty() {
                what.split(',').collect()
            } else {
                vec![what.as_ref()]
            };
        let subject = subject_of(source.text(), &what, index);
        let known = incidents.len();
        for part in parts {
            let thing = thing(case, source.text(), part.trim());
            let subject = subject.as_ref().filter(|_| thing.is_none());
            let part = lead.replace(part.trim(), "");
            let stems = match &thing {
                Some(thing) => matching::stems_once(thing),
                None => matching::stems_once(&part),
            };
            // "Do not touch the tests": whoever updates them touches them.
            let changes = stems.len() > 1 && stems.first().is_some_and(|stem| CHANGES.contains(&stem.as_str()));
            let stems = if changes { stems[1..].to_vec() } else { stems };
            let telling = stems.iter().filter(|stem| !matching::is_generic(stem)).count();
            if (thing.is_none() && !changes && stems.len() + usize::from(subject.is_some()) < 2)
                || (telling == 0 && !changes)
            {
                continue;
            }
            let head = stems.iter().find(|stem| !matching::is_generic(stem)).or_else(|| stems.first());
            let found = index.aligned(&stems, SHARE_MIN).into_iter().find_map(|alignment| {
                let claim = &case.answer.claims[alignment.claim];
                let text = &claim.text;
                let range = alignment.range.clone();
                let before_and_within = &text[..range.end];
                let affirmed = claim.is_of_the_plan()
                    && !claim.stance.assumed
                    && alignment.words <= SPREAD_MAX * alignment.hits
                    && (alignment.hits >= 2 || subject.is_some() || thing.is_some() || changes)
                    && (!changes || claim.stems.iter().any(|(_, stem)| CHANGES.contains(&stem.as_str())))
                    && subject.is_none_or(|stem| claim.has_stem(stem))
                    && head.is_some_and(|stem| claim.has_stem(stem))
                    && !limit.is_match(before_and_within)
                    && !is_negated(text, range.clone())
                    && !denied_after.is_match(&text[range.end..])
                    && !is_mention(text, range.clone())
                    && modality(text).strength_at(range.clone()) >= Strength::Intended;
                affirmed.then_some((claim, range))
            });
            let Some((claim, range)) = found else { continue };
            incidents.extend(told(case, item, claim, &range, 0.7));
        }
        // What no single run of its words meets is looked for part by part.
        if incidents.len() == known
            && let Some((claim, range)) = forbidden::used(case, &elsewhere, item, &what, source.text())
        {
            incidents.extend(told(case, item, claim, &range, 0.65));
        }
    }
    incidents.truncate(INCIDENTS_MAX);
    incidents
}

fn told(case: &Case<'_>, item: usize, claim: &Claim, range: &Range<usize>, confidence: f64) -> Option<Incident> {
    let obligation = &case.ask.obligations[item].obligation;
    let source = obligation.source();
    let quote = case.answer.quote(claim, range)?;
    let severity = if obligation.kind == Kind::NonGoal { Severity::Critical } else { Severity::Major };
    Some(
        incident(&CHECK, severity, confidence, Evidence::Quote(quote))
            .at(case.answer, claim, range)
            .source(source)
            .obligation(item)
            .disqualifies(Disqualifies::NonGoalPursued)
            .because(format!(
                "The prompt rules this out (\"{}\"); the report plans it: \"{}\".",
                source.text(),
                &text_of(claim, range)
            ))
            .repair("Drop it: the prompt rules it out.")
            .done(),
    )
}

/// Bytes between an amount of money and what is left out of it, at most.
const SUM_BYTES_MAX: usize = 60;

/// "2,400 euros, without the train tickets" says what a sum does not cover, and rules nothing out.
fn is_left_out_of_a_sum(case: &Case<'_>, demand: Option<usize>, source: &Quote) -> bool {
    let request = &case.ask.request;
    let Some(demand) = demand.and_then(|demand| request.demands.get(demand)) else { return false };
    let text = request.statements.get(demand.kind.statement).map_or("", |statement| statement.text.as_str());
    let lead = source.text().trim_start().to_lowercase();
    let Some(at) = text.find(source.text()) else { return false };
    ["without ", "excluding ", "not counting ", "not including "].iter().any(|word| lead.starts_with(word))
        && request.figures.iter().any(|figure| {
            figure.statement == demand.kind.statement
                && matches!(figure.quantity.unit, Unit::Money(_))
                && text
                    .get(figure.quantity.range.end..at)
                    .is_some_and(|between| between.len() <= SUM_BYTES_MAX && !between.contains([';', '.', ':']))
        })
}

/// The thing that is ruled out as such, wherever it stands: "alcohol" of "no alcohol at the event", "Redis" of "do not use
/// Redis". Nothing where an act is ruled out ("do not panic"), or a thing only in a setting of its own ("in the wetland").
fn thing<'a>(case: &Case<'_>, source: &str, what: &'a str) -> Option<&'a str> {
    let (presence, do_not, setting) = (PRESENCE.as_ref()?, DO_NOT.as_ref()?, SETTING.as_ref()?);
    let denied = what.strip_prefix("not ").unwrap_or(what);
    let used = presence.find(denied);
    let before = source.find(denied).map_or("", |at| &source[..at]);
    let named = ["a ", "an ", "the ", "any ", "another "].iter().any(|word| denied.starts_with(word));
    if used.is_none() && !named && do_not.is_match(before) {
        return None;
    }
    let what = denied;
    let rest = used.map_or(what, |used| &what[used.end()..]);
    let (thing, around) = setting.find(rest).map_or((rest, ""), |found| (&rest[..found.start()], &rest[found.end()..]));
    let of_work = |stem: &String| WORK.contains(&stem.as_str()) || is_of_intent(case, stem);
    let words = thing.split_whitespace().count();
    (words <= THING_WORDS_MAX && matching::stems_once(around).iter().all(of_work)).then_some(thing)
}

/// Whether the sentence that says what the whole is for has the word.
fn is_of_intent(case: &Case<'_>, stem: &str) -> bool {
    let mut intents = case.ask.obligations.iter().filter(|item| item.obligation.kind == Kind::Intent);
    intents.any(|item| matching::stems_once(item.obligation.source().text()).iter().any(|own| own == stem))
}

fn text_of(claim: &Claim, range: &Range<usize>) -> String {
    claim.text.get(range.clone()).unwrap_or_default().to_owned()
}

/// What is ruled out only in a degree ("the most aggressive", "only as") or at a time is not ruled out as such.
fn is_degree(what: &str) -> bool {
    let low = format!(" {} ", what.to_lowercase());
    [" most ", " only ", " exclusively ", " solely ", " before ", " until ", " exceed ", " more than ", " within "]
        .iter()
        .any(|word| low.contains(word))
}

/// The most telling word of the obligation before what is ruled out: "illness" of "interviews about illness are not to be
/// put on the internet".
fn subject_of(source: &str, what: &str, index: &Index<'_>) -> Option<String> {
    let at = source.find(what)?;
    matching::stems_once(&source[..at])
        .into_iter()
        .filter(|stem| !matching::is_generic(stem) && !NO_SUBJECT.contains(&stem.as_str()))
        .max_by(|a, b| index.weight(a).total_cmp(&index.weight(b)).then(b.cmp(a)))
}

/// Words before what is ruled out that name no subject.
const NO_SUBJECT: &[&str] =
    &["project", "goal", "aim", "meant", "primari", "objectiv", "attempt", "scope", "use", "role", "point", "assum"];
