//! How much of a judged text a model has room for.

use std::sync::Arc;

use steadfast_dialogue::{Delimiter, Passage, Role, neutralise};

use super::models::ChatModels;
use super::port::{CONTEXT_TOKENS_DEFAULT, ChatModel};

/// Tokens that a reply has, where nothing else is said.
const REPLY_TOKENS: usize = 2_000;

/// Tokens of a conversation that are no judged text: instructions with the form of the reply (1,500), the reply, and where it could
/// not be read what of it is sent back with its faults (1,500).
pub(crate) const TOKENS_BESIDE: usize = 1_500 + REPLY_TOKENS + 1_500;

/// Tokens by which the instructions to read notes are longer than those of other requests.
const EXTRACTION_INSTRUCTIONS_TOKENS: usize = 1_300;

/// Most tokens of a reading of notes, where the model's context window has four times as many.
const EXTRACTION_REPLY_TOKENS_MAX: usize = 4_000;

/// Bytes that a token is reckoned to have at least, as `dialogue` reckons them.
const BYTES_PER_TOKEN: usize = 3;

/// What a request holds at least of a judged text, in bytes: a model without room for that says so itself.
const ROOM_BYTES_MIN: usize = 1_024;

/// How many bytes of judged text one request may hold for the model in a role.
pub(crate) fn room_bytes(desk: &ChatModels, role: Role) -> usize {
    let context = desk.model(role).map_or(CONTEXT_TOKENS_DEFAULT, |model| model.context_tokens());
    room_of(context)
}

/// The same for a request that reads notes, and the tokens that its reply may have. Its instructions are longer than others.
#[must_use]
pub fn extraction_room(desk: &ChatModels) -> (usize, u32) {
    extraction_room_of(desk.model(Role::PlanExtract).map_or(CONTEXT_TOKENS_DEFAULT, |model| model.context_tokens()))
}

fn extraction_room_of(context_tokens: usize) -> (usize, u32) {
    let reply_tokens = EXTRACTION_REPLY_TOKENS_MAX.min(context_tokens / 4);
    let beside = EXTRACTION_INSTRUCTIONS_TOKENS + reply_tokens.saturating_sub(REPLY_TOKENS);
    (room_of(context_tokens.saturating_sub(beside)), u32::try_from(reply_tokens).unwrap_or(u32::MAX))
}

/// The same as [`room_bytes`] beside a reply of so many tokens.
pub(crate) fn room_bytes_beside(model: &Arc<dyn ChatModel>, reply_tokens: usize) -> usize {
    room_of(model.context_tokens().saturating_sub(reply_tokens.saturating_sub(REPLY_TOKENS)))
}

const fn room_of(context_tokens: usize) -> usize {
    let room = context_tokens.saturating_sub(TOKENS_BESIDE).saturating_mul(BYTES_PER_TOKEN);
    if room > ROOM_BYTES_MIN { room } else { ROOM_BYTES_MIN }
}

/// What the lines around a passage take, in bytes: twice the delimiter of 32 characters, the label, the ends of lines.
pub(crate) const FENCE_BYTES: usize = 112;

/// What a text takes of a request, in bytes: its length once it is neutralised.
pub(crate) fn fenced_bytes(text: &str) -> usize {
    neutralise(text, &Delimiter::new([0; 16])).0.len()
}

/// Lines as a text of a request; `None` where there are none.
pub(crate) fn passage(label: &'static str, lines: &[String]) -> Option<Passage> {
    let text = lines.concat();
    (!text.trim().is_empty()).then_some(Passage { label, text })
}

/// What lines take of a request, with what stands around them.
pub(crate) fn size(lines: &[String]) -> usize {
    if lines.is_empty() { 0 } else { FENCE_BYTES + lines.iter().map(|line| fenced_bytes(line)).sum::<usize>() }
}

/// How many of the first lines fit into so many bytes.
pub(crate) fn fitting(lines: &[String], room: usize) -> usize {
    let mut left = room.saturating_sub(FENCE_BYTES);
    let fits = |line: &&String| match left.checked_sub(fenced_bytes(line)) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    };
    lines.iter().take_while(fits).count()
}

/// The lines as far as they fit into so many bytes, the last of them cut; and whether that is not all.
pub(crate) fn within(lines: &[String], room: usize) -> (Vec<String>, bool) {
    let whole = fitting(lines, room);
    let mut own = lines[..whole].to_vec();
    let Some(next) = lines.get(whole) else { return (own, false) };
    let part = head(next, room.saturating_sub(size(&own) + FENCE_BYTES));
    if !part.is_empty() {
        own.push(part.to_owned());
    }
    (own, true)
}

/// The longest beginning of a text that takes at most so much of a request, as far as halving finds it.
pub(crate) fn head(text: &str, bytes_max: usize) -> &str {
    let mut head = &text[..text.floor_char_boundary(bytes_max)];
    while fenced_bytes(head) > bytes_max {
        head = &head[..head.floor_char_boundary(head.len() * 3 / 4)];
    }
    head
}

#[cfg(test)]
mod tests {
    use steadfast_dialogue::{Delimiter, Exchange, Request, Step, messages, tokens_estimate};
    use steadfast_pick::record::PromptRecord;
    use steadfast_pick::stage::Stage;
    use steadfast_plan::exchange::{Brief, Extraction, Generation, Judgement};
    use steadfast_plan::{Given, Variant};

    use super::{ROOM_BYTES_MIN, TOKENS_BESIDE, extraction_room_of, room_of};

    fn sent<P>(step: Step<P>) -> Request {
        match step {
            Step::Send(request) => request,
            Step::Done(_) => panic!("nothing is asked"),
        }
    }

    /// Every request of `plan` and `pick` on texts that are longer than any room.
    fn requests(context: usize) -> Vec<Request> {
        let room = room_of(context);
        let (extraction_room, reply_tokens) = extraction_room_of(context);
        let text = "- write a report on the budget of the town, by 15:00\n".repeat(4_000);
        let now = jiff::Timestamp::UNIX_EPOCH.to_zoned(jiff::tz::TimeZone::UTC);
        let brief = Brief {
            notes: text.clone(),
            now,
            variant: Variant::V4Repair,
            tasks: vec!["t1 write a report, 90 minutes".to_owned(); 500],
            constraints: vec!["c1 (deadline): done by 15:00".to_owned(); 500],
            room_bytes: room,
        };
        let item = Given { task: Some("x".repeat(300)), why: Some("y".repeat(400)), ..Given::default() };
        let plan = vec![item; 20];
        let document = steadfast_text::Document::from_str_as("- report by 15:00", steadfast_text::Format::Markdown);
        let settings = steadfast_plan::Settings::default();
        let notes = steadfast_plan::ask::read(steadfast_evidence::FileId(0), &document, &brief.now, &settings);
        let validation = match steadfast_plan::check(&notes, &plan, &settings) {
            steadfast_evidence::Evaluated::Value(validation) => validation,
            steadfast_evidence::Evaluated::NotEvaluable(reason) => panic!("{reason}"),
        };
        let long = Some("y ".repeat(9_000));
        let prompt = PromptRecord {
            prompt_id: "x".repeat(256),
            prompt_text: text.clone(),
            title: long.clone(),
            description: long,
            ..PromptRecord::default()
        };
        vec![
            sent(Extraction::new(&text, &brief.now, &[], extraction_room, reply_tokens).next(None)),
            sent(Generation::first(&brief).next(None)),
            sent(Generation::repair(&brief, &plan, &validation).next(None)),
            sent(Judgement::new(&text, &plan, room).next(None)),
            sent(steadfast_pick::exchange::Intake::new(&text, &["Which one?".to_owned()], room).next(None)),
            sent(steadfast_pick::exchange::Ranking::new(&text, &[&prompt; 30], Stage::ALL, room).next(None)),
        ]
    }

    #[test]
    fn every_request_leaves_room_for_its_reply_and_a_second_try() {
        for context in [6_000, 8_000, 32_000, 200_000] {
            for request in requests(context) {
                let (said, _) = messages(&request, &Delimiter::new([0; 16]));
                let asked: usize = said.iter().map(|message| tokens_estimate(message.text.len())).sum();
                let beside = usize::try_from(request.reply_tokens_max).unwrap() + 1_500;
                assert!(asked + beside <= context, "{}: {asked} + {beside} of {context}", request.role.name());
            }
        }
        assert_eq!([0, TOKENS_BESIDE, TOKENS_BESIDE + 342].map(room_of), [ROOM_BYTES_MIN, ROOM_BYTES_MIN, 1_026]);
    }
}
