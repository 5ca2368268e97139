//! Who judged, what people decided on incidents, and what is new, in words. Reasons are texts of others: each format escapes them as it does judged text.

use steadfast_wire::audit::{AuditChat, DriftEvaluation, DriftIncident, Origin, Reading, Unread};

use crate::digest::count_of;
use crate::exam;
use crate::plain::{one_line, shorten};

/// Characters of a name that are shown.
const NAME_CHARS_MAX: usize = 80;
/// Reasons that are shown of what is set aside, and characters of each.
const REASONS_MAX: usize = 6;
const REASON_CHARS_MAX: usize = 120;
/// Unread parts of the prompt that are shown.
const UNREAD_MAX: usize = 3;

/// "accepted until 2026-12-31: the council raised the budget"; empty where nothing is decided.
pub(crate) fn words(incident: &DriftIncident, reason_chars_max: usize) -> String {
    let Some(decision) = &incident.decision else { return String::new() };
    let until = match &decision.until {
        Some(until) if decision.expired => format!(" until {}, which is over", one_line(until)),
        Some(until) => format!(" until {}", one_line(until)),
        None => String::new(),
    };
    format!("{}{until}: {}", decision.kind.label(), shorten(&one_line(&decision.reason), reason_chars_max))
}

/// Whether an incident is known to be new.
pub(crate) fn is_new(incident: &DriftIncident) -> bool {
    incident.new == Some(true)
}

/// " · by the host": who found or judged something, where it is not code. A person who is named stands with the name.
pub(crate) fn by(origin: &Origin, person: Option<&str>) -> String {
    if let Some(name) = person {
        return format!(" · by {}", shorten(&one_line(name), NAME_CHARS_MAX));
    }
    match origin.name() {
        "code" => String::new(),
        "host" => " · by the host".to_owned(),
        "person" => " · by a person".to_owned(),
        name => format!(" · by {}", shorten(&one_line(name.trim_start_matches("chat:")), NAME_CHARS_MAX)),
    }
}

/// Who read the ask and who judged, where it was not code alone.
fn origins(evaluation: &DriftEvaluation) -> Vec<String> {
    let mut facts = Vec::new();
    let reading = &evaluation.reading;
    if reading.by != Origin::code() {
        let confirmed = reading.confirmed_by.iter().map(|name| shorten(&one_line(name), NAME_CHARS_MAX));
        let confirmed = confirmed.collect::<Vec<_>>().join(", ");
        let confirmed = if confirmed.is_empty() { confirmed } else { format!(", confirmed by {confirmed}") };
        let disputed = match reading.disputed.len() + evaluation.obligations.iter().filter(|own| own.disputed).count() {
            0 => String::new(),
            count => format!("; {} that code reads disputed", count_of(count, "obligation")),
        };
        let by = by(&reading.by, None);
        facts.push(format!("The prompt was read{}{confirmed}{disputed}.", by.trim_start_matches(" ·")));
        facts.extend(reading.notes.iter().map(|note| one_line(note)));
    }
    if let Some(fact) = unread(reading) {
        facts.push(fact);
    }
    let others = evaluation.obligations.iter().filter(|own| own.origin != Origin::code()).count();
    let found = evaluation.drift_incidents.iter().filter(|own| own.origin != Origin::code()).count();
    let set_aside = &evaluation.set_aside;
    if others + found + set_aside.len() > 0 {
        let own = &evaluation.by_code;
        let score = own.overall_fidelity_score.map_or("no score".to_owned(), |score| format!("{score:.1} / 5.0"));
        let who =
            evaluation.confirmed_by.as_ref().map(|name| format!(", by {}", shorten(&one_line(name), NAME_CHARS_MAX)));
        facts.push(format!(
            "Proposals{}: {} settled, {} added, {} set aside. By code alone: assessed {}; {}, {score}, {}.",
            who.unwrap_or_default(),
            count_of(others, "obligation"),
            count_of(found, "incident"),
            set_aside.len(),
            own.assessed.words(),
            count_of(own.incidents, "incident"),
            own.usable_because.verdict(),
        ));
        let reasons = set_aside.iter().take(REASONS_MAX);
        facts.extend(reasons.map(|own| {
            let text = shorten(&one_line(&own.text), REASON_CHARS_MAX);
            format!("Set aside: “{text}”: {}.", shorten(&one_line(&own.reason), REASON_CHARS_MAX))
        }));
    }
    if let Some(chat) = &evaluation.chat {
        facts.extend(asked(chat, evaluation.chat_failed.as_deref()));
    }
    facts
}

/// What a chat model was asked, what that cost, and what it did not judge.
fn asked(chat: &AuditChat, failed: Option<&str>) -> Vec<String> {
    let name = shorten(&one_line(&chat.model), NAME_CHARS_MAX);
    let neutralised: usize = chat.calls.iter().map(|call| call.neutralised.invisible + call.neutralised.reserved).sum();
    let hidden = match neutralised {
        0 => String::new(),
        count => format!(
            "; {} neutralised in what it was shown: hidden characters or words that chat templates reserve",
            count_of(count, "place")
        ),
    };
    let mut facts = vec![format!(
        "The chat model {name} was asked what rules leave open: {}, {} tokens and {} in reply{hidden}.",
        count_of(chat.calls.len(), "call"),
        chat.prompt_tokens,
        chat.reply_tokens,
    )];
    facts.push(format!("Of the model {name}: {}.", exam::sentence(chat.exam.as_ref())));
    facts.extend(failed.map(|why| format!("The chat model failed: {}.", shorten(&one_line(why), REASON_CHARS_MAX))));
    let untold = chat.not_judged.iter().take(REASONS_MAX);
    facts.extend(untold.map(|own| {
        let what = match own.obligations.len() {
            0 => "what the report adds, and what no obligation says".to_owned(),
            count => count_of(count, "obligation"),
        };
        format!("Not judged by {name}: {what}: {}.", shorten(&one_line(&own.reason), REASON_CHARS_MAX))
    }));
    let dropped = chat.unconfirmed.iter().take(REASONS_MAX);
    facts.extend(dropped.map(|own| {
        let words = if own.quote.trim().is_empty() { &own.asked } else { &own.quote };
        let (words, reason) = (one_line(words), one_line(&own.reason));
        format!(
            "Found once by {name}, and not when asked again: “{}”: {}",
            shorten(&words, REASON_CHARS_MAX),
            shorten(&reason, REASON_CHARS_MAX)
        )
    }));
    facts
}

/// What of the prompt no obligation rests on, so that nobody takes it for kept.
fn unread(reading: &Reading) -> Option<String> {
    let quote = |own: &Unread| format!("“{}”", shorten(&one_line(&own.quote), REASON_CHARS_MAX));
    let quotes: Vec<String> = reading.unread.iter().take(UNREAD_MAX).map(quote).collect();
    let more = match reading.unread.len() - quotes.len() {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    (!quotes.is_empty()).then(|| format!("Not read as an obligation, and not judged: {}{more}.", quotes.join(", ")))
}

/// What is said of the whole: how many are settled and what remains without them, how many are new.
pub(crate) fn facts(evaluation: &DriftEvaluation) -> Vec<String> {
    let mut facts = origins(evaluation);
    if let Some(own) = &evaluation.decisions {
        let counts = [(own.accepted, "accepted"), (own.contested, "contested"), (own.expired, "expired")];
        let counts = counts.iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, label)| format!("{count} {label}")).collect();
        let as_of = own.as_of.as_ref().map_or_else(String::new, |day| format!(" as of {}", one_line(day)));
        let mut fact = format!("Decided on{as_of}: {}.", counts.join(", "));
        if own.accepted + own.contested > 0 {
            let rest = &own.remaining;
            let usable = rest.usable_because.verdict();
            let incidents = count_of(rest.incidents, "incident");
            let (score, risk) = (rest.overall_fidelity_score, rest.overall_drift_risk);
            fact.push_str(&format!(" Without what is settled: {incidents}, {score:.1} / 5.0, {risk} risk, {usable}."));
        }
        facts.push(fact);
        facts.extend(own.assumption.as_ref().map(|text| one_line(text)));
    }
    if let Some(own) = &evaluation.baseline {
        let other = if own.same_prompt { "" } else { " It is of another prompt." };
        facts.push(format!(
            "Against the baseline: {} new, {} known, {} gone.{other}",
            own.new,
            own.known,
            own.gone.len()
        ));
    }
    facts
}
