//! What all forms of a review say in the same words.

use std::collections::BTreeSet;

use steadfast_wire::Span;
use steadfast_wire::audit::Origin;
use steadfast_wire::review::{
    ClaimState, Criterion, CriterionStatus, Item, Recommendation, Review, ReviewByCode, ReviewSetAside, SessionBreak,
    SessionClaim, SessionDeed, SessionEvidence,
};

use crate::decided;
use crate::digest::count_of;
use crate::plain::line;

pub(super) const TEXT_CHARS_MAX: usize = 240;

/// Proposals that are set aside and shown.
const SET_ASIDE_MAX: usize = 6;

/// One thing that speaks against taking the output.
pub(super) struct Finding<'a> {
    /// What found it: the id of a rule.
    pub(super) rule: &'static str,
    /// Whether it holds the recommendation down.
    pub(super) hard: bool,
    /// One sentence.
    pub(super) message: String,
    /// Where, the first place first.
    pub(super) spans: Vec<&'a Span>,
}

/// "review · score 0.61 of 1"; where there is no score, what the session decides: "2 claims contradicted · 1 break of what was asked".
pub(crate) fn verdict(review: &Review) -> String {
    match (review.score, found(review)) {
        (Some(score), _) => format!("{} · score {score:.2} of 1", review.recommendation.label()),
        (None, Some(found)) => found,
        (None, None) if review.session.is_some() => "code says nothing for or against it".to_owned(),
        (None, None) => "not evaluable".to_owned(),
    }
}

/// What a session decides of claims and instructions, in counts; `None` where it decides nothing.
pub(super) fn found(review: &Review) -> Option<String> {
    let of = |state: ClaimState| review.claims.iter().flatten().filter(|own| own.state == state).count();
    let (against, for_it) = (of(ClaimState::Contradicted), of(ClaimState::Supported));
    let broken = review.breaks.as_ref().map_or(0, Vec::len);
    let each = [
        (against, "claim", "contradicted"),
        (broken, "break", "of what was asked"),
        (of(ClaimState::Doubtful), "claim", "doubtful"),
        (review.doubtful_breaks.len(), "doubtful break", "of what was asked"),
        (of(ClaimState::Unsupported), "claim", "without a deed"),
        (for_it, "claim", "supported"),
    ];
    let each: Vec<String> = each
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, thing, what)| format!("{} {what}", count_of(count, thing)))
        .collect();
    (!each.is_empty()).then(|| each.join(" · "))
}

pub(crate) fn is_good(review: &Review) -> bool {
    review.recommendation == Recommendation::Approve
}

/// Why the recommendation is no better, in words.
pub(crate) fn capped(review: &Review) -> Option<String> {
    let why: Vec<&str> = review.capped_by.iter().map(|cap| cap.label()).collect();
    (!why.is_empty()).then(|| why.join("; "))
}

/// What an item of a category weighs in the score, in tenths (`EMOJI_WEIGHTS` of the task-evals document; what a house uses as "fixed" and
/// "addressed" weighs as much to the other side). `None` for a category that there is not.
pub(super) fn weight_tenths(category: &str) -> Option<i64> {
    Some(match category {
        "verified" | "security_addressed" => 10,
        "bug_fixed" => 8,
        "improvement" => 5,
        "refactor" => -2,
        "todo" | "clarification" => -3,
        "pitfall" => -4,
        "edge_case" => -5,
        "bug" => -8,
        "security" => -10,
        _ => return None,
    })
}

/// "4 items: 1 bug, 1 clarification, 2 verified".
pub(super) fn counts(review: &Review) -> String {
    let each: Vec<String> =
        review.categories.iter().map(|(name, count)| format!("{count} {}", line(name, 40).replace('_', " "))).collect();
    match each.is_empty() {
        true => "no items".to_owned(),
        false => format!("{}: {}", count_of(review.items.len(), "item"), each.join(", ")),
    }
}

/// "correctness 0.70 · security none"; `None` where the output has no score in any of them.
pub(super) fn dimensions(review: &Review) -> Option<String> {
    let own = &review.dimensions;
    let all = [
        ("correctness", own.correctness),
        ("security", own.security),
        ("completeness", own.completeness),
        ("style", own.style),
    ];
    all.iter().any(|(_, score)| score.is_some()).then_some(())?;
    let all: Vec<String> = all
        .iter()
        .map(|(name, score)| score.map_or_else(|| format!("{name} none"), |score| format!("{name} {score:.2}")))
        .collect();
    Some(all.join(" · "))
}

/// "returned 270 of 1,204 tokens (characters / 4)".
pub(super) fn tokens(review: &Review) -> String {
    let tokens = &review.tokens;
    let returned = if tokens.returned == tokens.full {
        format!("all {} tokens returned", tokens.full)
    } else {
        format!("{} of {} tokens returned", tokens.returned, tokens.full)
    };
    format!("{returned} ({})", line(&tokens.estimate, 60))
}

/// Whether an item speaks against the output.
pub(super) fn open(item: &Item) -> bool {
    !matches!(item.category.as_str(), "verified" | "improvement" | "bug_fixed" | "security_addressed")
}

/// "met: Users log in (✅ Login works)".
pub(crate) fn criterion(own: &Criterion) -> String {
    let (text, judged_by) = (line(&own.text, TEXT_CHARS_MAX), decided::by(&own.origin, None));
    let shown = match &own.reported_by {
        Some(by) if by.text != own.text => {
            let mark = line(&by.mark, 20);
            let space = if mark.is_empty() { "" } else { " " };
            format!("{text} ({mark}{space}{})", line(&by.text, TEXT_CHARS_MAX))
        }
        Some(by) => format!("{} {text}", line(&by.mark, 20)),
        None => text,
    };
    format!("{shown}{judged_by}")
}

/// What was proposed, by whom, what is not taken of it, and the verdict by code alone; empty where nobody proposed anything.
pub(super) fn proposed(review: &Review) -> Vec<String> {
    let mut facts = Vec::new();
    if let Some(own) = &review.proposed {
        let by = decided::by(&own.by, own.person.as_deref());
        let trusted = if own.trust_host && own.by == Origin::host() { ", and trusted" } else { "" };
        let said = format!("{}{trusted}", by.replace(" ·", ""));
        facts.extend(proposed_by(review, &own.by, &said, &own.set_aside, &own.by_code));
    }
    if let Some(own) = &review.chat {
        let by = Origin::chat(&own.model);
        let said = decided::by(&by, None).replace(" ·", "");
        facts.extend(proposed_by(review, &by, &said, &own.set_aside, &own.by_code));
        let name = line(&own.model, TEXT_CHARS_MAX);
        facts.push(format!(
            "The chat model {name} was asked what rules leave open: {}, {} tokens and {} in reply.",
            count_of(own.calls.len(), "call"),
            own.prompt_tokens,
            own.reply_tokens,
        ));
        let failed = own.failed.iter().map(|why| format!("The chat model failed: {}.", line(why, TEXT_CHARS_MAX)));
        let untold = own.not_judged.iter().map(|what| format!("Not judged by {name}: {}.", line(what, TEXT_CHARS_MAX)));
        facts.extend(failed.chain(untold));
    }
    facts
}

/// What one origin proposed, in words.
fn proposed_by(
    review: &Review,
    origin: &Origin,
    said: &str,
    set_aside: &[ReviewSetAside],
    by_code: &ReviewByCode,
) -> Vec<String> {
    let settled = review.criteria.iter().filter(|it| it.by_code.is_some() && it.origin == *origin).count();
    let of_it = |it: &&SessionClaim| it.origin == *origin;
    let claimed = || review.claims.iter().flatten().filter(of_it);
    let against = claimed().filter(|it| it.state == ClaimState::Contradicted).count();
    let added = review.contradictions.iter().filter(|it| it.origin == *origin).count() + against;
    let criteria = if settled == 1 { "criterion" } else { "criteria" };
    let claims = if added == 1 { "claim" } else { "claims" };
    let mut facts = vec![format!(
        "Proposals{said}: {settled} {criteria} settled, {added} {claims} contradicted, {} set aside. By code alone: {}.",
        set_aside.len(),
        by_code.recommendation.label(),
    )];
    let settled = claimed().count() - against;
    let broken = review.breaks.iter().flatten().filter(|it| it.origin == *origin).count();
    if review.session.is_some() {
        let noun =
            |count, noun: &'static str| if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") };
        facts.push(format!(
            "Of the session: {} settled otherwise, {} broken, {} kept. By code alone: {} contradicted, {} unsupported, {} broken.",
            noun(settled, "claim"),
            noun(broken, "instruction"),
            review.kept.iter().filter(|it| it.origin == *origin).count(),
            by_code.contradicted,
            by_code.unsupported,
            by_code.broken
        ));
    }
    facts.extend(set_aside.iter().take(SET_ASIDE_MAX).map(|own| {
        format!("Set aside: “{}”: {}.", line(&own.text, TEXT_CHARS_MAX), line(&own.reason, TEXT_CHARS_MAX))
    }));
    facts
}

/// The claims of one state, a line each: "tests: “All pass.” (the last run failed; turn 9: 3 failed)".
pub(super) fn claims(review: &Review, state: ClaimState) -> Vec<String> {
    let all = review.claims.iter().flatten().filter(|own| own.state == state);
    all.map(|own| {
        let seen = own.evidence.first().map_or_else(String::new, seen);
        format!(
            "{}: “{}” ({}{seen}){}",
            own.kind.label(),
            line(&own.quote, TEXT_CHARS_MAX),
            line(&own.why, TEXT_CHARS_MAX),
            judged(&own.origin, own.by_code)
        )
    })
    .collect()
}

/// "; turn 9: 3 failed"; where the words are not kept the line of the log.
fn seen(own: &SessionEvidence) -> String {
    match (own.quote.is_empty(), own.line) {
        (true, Some(at)) => format!("; turn {}, line {at} of the log", own.turn),
        (true, None) => format!("; turn {}", own.turn),
        (false, _) => format!("; turn {}: {}", own.turn, line(&own.quote, TEXT_CHARS_MAX)),
    }
}

/// " · by the host, by code unsupported": who says so, where it is not code.
fn judged(origin: &Origin, by_code: Option<ClaimState>) -> String {
    let code = by_code.map_or_else(String::new, |state| format!(", by code {}", state.label()));
    format!("{}{code}", decided::by(origin, None))
}

/// Calls that break what was asked, a line each.
pub(super) fn breaks(review: &Review) -> Vec<String> {
    asked(review.breaks.iter().flatten())
}

/// Calls that seem to break what was asked, a line each.
pub(super) fn doubtful_breaks(review: &Review) -> Vec<String> {
    asked(review.doubtful_breaks.iter())
}

/// What somebody finds kept of what was asked, a line each.
pub(super) fn kept(review: &Review) -> Vec<String> {
    asked(review.kept.iter())
}

fn asked<'a>(all: impl Iterator<Item = &'a SessionBreak>) -> Vec<String> {
    all.map(|own| {
        let call = match (own.turn, &own.call) {
            (Some(turn), Some(call)) => format!("; turn {turn}: {}", line(call, TEXT_CHARS_MAX)),
            _ => String::new(),
        };
        let (words, why) = (line(&own.obligation, TEXT_CHARS_MAX), line(&own.why, TEXT_CHARS_MAX));
        let file = own.file.as_ref().map_or_else(String::new, |file| format!(" of {}", line(file, 80)));
        format!("“{words}”{file} ({why}{call}){}", decided::by(&own.origin, None))
    })
    .collect()
}

/// What was done in a session: "14 calls: 5 edits of 2 files, 6 commands, 1 failed"; `None` where no session was read.
pub(super) fn done(review: &Review) -> Option<String> {
    let deeds = review.deeds.as_ref()?;
    let edits: Vec<&SessionDeed> = deeds.iter().filter(|own| own.is_edit()).collect();
    let files: BTreeSet<&str> = edits.iter().flat_map(|own| &own.files).map(String::as_str).collect();
    let commands = deeds.iter().filter(|own| own.command.is_some()).count();
    let failed = deeds.iter().filter(|own| own.ok == Some(false)).count();
    let mut each = Vec::new();
    if !edits.is_empty() {
        each.push(format!("{} of {}", count_of(edits.len(), "edit"), count_of(files.len(), "file")));
    }
    if commands > 0 {
        each.push(count_of(commands, "command"));
    }
    if failed > 0 {
        each.push(format!("{failed} failed"));
    }
    let each = if each.is_empty() { String::new() } else { format!(": {}", each.join(", ")) };
    Some(format!("{}{each}", count_of(deeds.len(), "call")))
}

/// What the user typed, a line each: "turn 1: Make the export stream".
pub(super) fn typed(review: &Review) -> Vec<String> {
    let all = review.ask.iter().flatten();
    all.map(|own| format!("turn {}: {}", own.turn, line(&own.text, TEXT_CHARS_MAX))).collect()
}

/// A call on a line: "turn 5: pytest -q, exit 1".
pub(super) fn deed(own: &SessionDeed) -> String {
    let what = own.command.as_ref().map_or_else(
        || format!("{} {}", line(&own.tool, 60), line(&own.files.join(", "), TEXT_CHARS_MAX)),
        |command| line(command, TEXT_CHARS_MAX),
    );
    let end = match (own.exit, own.ok) {
        (Some(exit), _) => format!(", exit {exit}"),
        (None, Some(false)) => ", failed".to_owned(),
        (None, _) => String::new(),
    };
    format!("turn {}: {}{end}", own.turn, what.trim_end())
}

/// "12 claims: 1 contradicted, 0 doubtful, 9 supported, 2 unsupported, 0 not checkable"; `None` where no claim was looked at.
pub(super) fn claimed(review: &Review) -> Option<String> {
    let own = review.claims.as_ref()?;
    let count = |state| own.iter().filter(|claim| claim.state == state).count();
    let read = review.session.as_ref().map_or_else(String::new, |session| {
        format!(
            " · session {} ({}, {})",
            line(&session.file, 120),
            line(&session.format, 40),
            count_of(session.turns, "turn")
        )
    });
    Some(format!(
        "{}: {} contradicted, {} doubtful, {} supported, {} unsupported, {} not checkable{read}",
        count_of(own.len(), "claim"),
        count(ClaimState::Contradicted),
        count(ClaimState::Doubtful),
        count(ClaimState::Supported),
        count(ClaimState::Unsupported),
        count(ClaimState::NotCheckable)
    ))
}

/// Everything that speaks against the output: false claims, contradicted claims, bans that are broken, criteria, items.
pub(super) fn findings(review: &Review) -> Vec<Finding<'_>> {
    let mut out = Vec::new();
    for own in &review.contradictions {
        out.push(Finding {
            rule: own.kind.name(),
            hard: true,
            message: own.message.clone(),
            spans: own.spans.iter().collect(),
        });
    }
    for own in review.claims.iter().flatten().filter(|it| it.state == ClaimState::Contradicted) {
        let message = format!("{} ({}){}", own.quote, own.why, judged(&own.origin, own.by_code));
        out.push(Finding { rule: "claim_contradicted", hard: true, message, spans: vec![&own.span] });
    }
    for message in breaks(review) {
        out.push(Finding { rule: "ask_broken", hard: true, message, spans: Vec::new() });
    }
    for own in review.criteria.iter().filter(|it| it.status != CriterionStatus::Met) {
        let rule = if own.status == CriterionStatus::Unmet { "criterion_unmet" } else { "criterion_unreported" };
        let message = format!("acceptance criterion {}: {}", own.status.label(), criterion(own));
        out.push(Finding { rule, hard: true, message, spans: own.reported_by.iter().map(|by| &by.span).collect() });
    }
    for item in review.items.iter().filter(|item| open(item)) {
        let rule = match item.category.as_str() {
            "security" => "open_security",
            "bug" => "open_bug",
            _ => "item",
        };
        let message = format!("{} {}", item.emoji, item.text);
        out.push(Finding { rule, hard: rule != "item" && !item.says_none, message, spans: vec![&item.span] });
    }
    out
}

#[cfg(test)]
mod tests {
    use steadfast_review::answer::{Profile, Sign};

    use super::weight_tenths;

    #[test]
    fn weights_are_those_of_the_instrument() {
        for profile in [Profile::Seed, Profile::Fixed] {
            for sign in Sign::ALL {
                assert_eq!(weight_tenths(sign.category(profile)), Some(sign.weight_tenths(profile)), "{sign:?}");
            }
        }
        assert_eq!(weight_tenths("other"), None);
    }
}
