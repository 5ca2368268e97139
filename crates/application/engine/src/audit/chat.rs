//! A chat model judges in the host's place: it is asked what rules leave open, in the batches of `audit undecided`, one request each; for all that departs from the prompt; and once
//! more about what it lists there alone.
//!
//! The last request alone depends on replies, so a dry run shows all others. What the model proposes takes the way of what a host proposes.

mod again;

use std::collections::BTreeMap;
use std::sync::Arc;

use steadfast_audit::exchange::{Batch, departures, look, proposals, request};
use steadfast_audit::proposals::Proposal;
use steadfast_dialogue::{Answer, Each, Passage, Role};
use steadfast_text::{Document, Format};
use steadfast_wire::audit as wire;
use steadfast_wire::to_json_line;

use self::again::Candidates;
use super::Open;
use super::undecided::{WHOLE_BYTES_MAX, batch};
use crate::EngineError;
use crate::chat::{
    ChatModels, FENCE_BYTES, brought_nothing, drive, fenced_bytes, head, published, room_bytes_beside, tokens,
};
use crate::pool::on_pool;

/// Most requests about one report.
const REQUESTS_MAX: usize = 12;

/// Requests beside those about obligations: for all that departs from the prompt, and about findings once more.
const BESIDE_BATCHES: usize = 2;

/// Most tokens of a reply, where the model's context window has four times as many: more than some servers give.
const REPLY_TOKENS_MAX: usize = 4_000;

/// Bytes of texts that are shown where the question goes beyond the obligations.
const BEYOND_BYTES_MAX: usize = 30_000;

/// Passages of an obligation that are shown with the lines around them; of the others the words alone.
const PASSAGES_IN_PLACE: usize = 2;

/// Bytes that obligations get beside texts that are shown whole, at least.
const OBLIGATIONS_BYTES_MIN: usize = 3_000;

/// What a chat model said of a report.
pub(super) struct Said {
    /// What it proposes; `None` where that is nothing.
    pub(super) proposed: Option<wire::Proposed>,
    /// How it was asked.
    pub(super) chat: wire::AuditChat,
    /// Why calls brought nothing.
    pub(super) failed: Option<String>,
}

/// The requests about one report, and what there is no room for.
#[derive(Default)]
struct Asked {
    batches: Vec<Batch>,
    /// As much of the texts as one request shows.
    texts: Vec<Passage>,
    /// The same where more has to stand beside them: of long ones the prompt alone.
    beside: Vec<Passage>,
    not_judged: Vec<wire::NotJudged>,
}

/// Asks for what is open.
///
/// # Errors
/// [`EngineError::NoChatModel`]. That a call fails is none.
pub(super) async fn ask(open: Open, trusts_host: bool, desk: &ChatModels) -> Result<Said, EngineError> {
    let no_model = || EngineError::NoChatModel { role: Role::Audit.name().to_owned() };
    let model = desk.model(Role::Audit).ok_or_else(no_model)?;
    let reply_tokens = REPLY_TOKENS_MAX.min(model.context_tokens() / 4);
    let room_bytes = room_bytes_beside(model, reply_tokens);
    let open = Arc::new(open);
    let own = Arc::clone(&open);
    let Asked { batches, texts, beside, mut not_judged } =
        on_pool(move || Ok(asked(&own, trusts_host, room_bytes))).await?;
    let mut log = Vec::new();
    let reply_tokens_max = u32::try_from(reply_tokens).unwrap_or(u32::MAX);
    let requests = batches.iter().map(|batch| request(batch, reply_tokens_max));
    let requests = requests.chain([look(texts, reply_tokens_max)]).collect();
    let answers = drive(&mut Each::new(requests), desk, &mut log).await?;
    let (mut said, mut listed, mut nothing) = (Vec::new(), Vec::new(), Vec::new());
    for (at, answer) in answers.iter().enumerate() {
        match (answer, batches.get(at)) {
            (Answer::Record(record), Some(_)) => said.extend(proposals(record)),
            (Answer::Record(record), None) => listed.extend(departures(record)),
            (Answer::Nothing(why), batch) => {
                let (obligations, beyond) =
                    batch.map_or_else(|| (Vec::new(), true), |own| (own.obligations.clone(), own.beyond));
                nothing.push(wire::NotJudged { obligations, beyond, reason: why.to_string() });
            }
        }
    }
    let mut requests = answers.len();
    let (mut candidates, mut said) = on_pool(move || {
        let own = Candidates::of(listed, &said, &open, beside, room_bytes);
        Ok((own, said))
    })
    .await?;
    if let Some(request) = candidates.request(reply_tokens_max) {
        requests += 1;
        match drive(&mut Each::new(vec![request]), desk, &mut log).await?.pop() {
            Some(Answer::Record(record)) => candidates.decide(&record),
            Some(Answer::Nothing(why)) => {
                let reason = why.to_string();
                nothing.push(wire::NotJudged { obligations: Vec::new(), beyond: true, reason });
            }
            None => {}
        }
    }
    let (stands, unconfirmed) = candidates.left();
    said.extend(stands);
    let failed = brought_nothing(nothing.iter().map(|own| own.reason.as_str()), requests);
    not_judged.extend(nothing);
    let (prompt_tokens, reply_tokens) = tokens(&log);
    let chat = wire::AuditChat {
        model: model.name().to_owned(),
        exam: desk.mark(Role::Audit).cloned(),
        prompt_tokens,
        reply_tokens,
        calls: published(&log),
        not_judged,
        unconfirmed,
    };
    let proposed = (!said.is_empty()).then(|| wire::Proposed {
        by: wire::Origin::chat(model.name()),
        person: None,
        proposals: said.into_iter().map(proposal).collect(),
    });
    Ok(Said { proposed, chat, failed })
}

/// What is to be asked, where a request has room for so many bytes of texts. Short texts stand whole in every request; of longer ones obligations come with the
/// nearest passages, and one request more shows as much of the texts as there is room for.
fn asked(open: &Open, trusts_host: bool, room_bytes: usize) -> Asked {
    let Open { obligations, sources, texts } = open;
    let whole = whole(sources, texts);
    let whole_bytes: usize = whole.iter().map(|(_, own)| fenced_bytes(&own.text) + FENCE_BYTES).sum();
    let is_whole = whole_bytes <= WHOLE_BYTES_MAX.min(room_bytes.saturating_sub(OBLIGATIONS_BYTES_MIN));
    let beside: Vec<Passage> = whole.iter().filter(|_| is_whole).map(|(_, own)| own.clone()).collect();
    let room = room_bytes.saturating_sub(FENCE_BYTES + if is_whole { whole_bytes } else { 0 });

    let mut asked = Asked::default();
    let untold = |obligations: Vec<String>, reason: &str| wire::NotJudged {
        obligations,
        beyond: false,
        reason: reason.to_owned(),
    };
    // What whoever calls found kept, and is not trusted with, is open.
    let is_open = |own: &&wire::Obligation| !own.counted(trusts_host).assessed || own.is_missing();
    let open: Vec<&wire::Obligation> = obligations.iter().filter(is_open).collect();
    let mut rest = open.as_slice();
    while let [first, others @ ..] = rest {
        if asked.batches.len() + usize::from(!is_whole) + BESIDE_BATCHES == REQUESTS_MAX {
            let ids = rest.iter().map(|own| own.id.clone()).collect();
            asked.not_judged.push(untold(ids, &format!("more than {REQUESTS_MAX} requests would be needed")));
            break;
        }
        let mut left = room;
        let lines = batch(rest, texts, is_whole, room).into_iter().map_while(|own| {
            let line = line(own, room);
            left = left.checked_sub(fenced_bytes(&line))?;
            Some(line)
        });
        let lines: Vec<String> = lines.collect();
        if lines.is_empty() {
            asked.not_judged.push(untold(vec![first.id.clone()], "it is too long for the model's context window"));
            rest = others;
            continue;
        }
        let (taken, behind) = rest.split_at(lines.len());
        rest = behind;
        let mut passages = beside.clone();
        passages.push(Passage { label: "obligations", text: lines.concat() });
        asked.batches.push(Batch {
            obligations: taken.iter().map(|own| own.id.clone()).collect(),
            beyond: false,
            passages,
        });
    }
    let (texts, cut) = if is_whole { (beside, None) } else { shown(&whole, room_bytes) };
    asked.not_judged.extend(cut);
    match asked.batches.last_mut().filter(|_| is_whole) {
        Some(last) => last.beyond = true,
        None => asked.batches.push(Batch { obligations: Vec::new(), beyond: true, passages: texts.clone() }),
    }
    asked.beside = texts.iter().filter(|own| is_whole || own.label == PROMPT).cloned().collect();
    asked.texts = texts;
    asked
}

/// The files as passages: the prompt, then the report, then what the user gave beside them. A page is shown as its reader sees it.
fn whole<'a>(sources: &'a [wire::Source], texts: &BTreeMap<String, String>) -> Vec<(&'a str, Passage)> {
    let mut all = Vec::with_capacity(sources.len());
    for (role, label) in LABELS {
        for source in sources.iter().filter(|source| source.role == role) {
            let Some(text) = texts.get(&source.file) else { continue };
            let text = match Format::of_name(&source.file) {
                Format::Html => visible(text),
                Format::Markdown | Format::Plain => text.clone(),
            };
            all.push((source.file.as_str(), Passage { label, text }));
        }
    }
    all
}

/// What passages are called, in the order in which they stand.
const LABELS: [(wire::Role, &str); 3] =
    [(wire::Role::Ask, PROMPT), (wire::Role::Answer, "report"), (wire::Role::Context, "context")];

/// What the prompt is called.
const PROMPT: &str = "prompt";

/// The text of a page.
fn visible(page: &str) -> String {
    let document = Document::from_str_as(page, Format::Html);
    document.blocks.iter().map(|block| block.text.plain.as_str()).collect::<Vec<_>>().join("\n\n")
}

/// As much of the texts as there is room for, the prompt in at most half of it; and what is left out.
fn shown(whole: &[(&str, Passage)], room_bytes: usize) -> (Vec<Passage>, Option<wire::NotJudged>) {
    let mut left = room_bytes.min(BEYOND_BYTES_MAX);
    let (mut passages, mut cut) = (Vec::new(), Vec::new());
    for (file, Passage { label, text }) in whole {
        let room = if *label == PROMPT { left / 2 } else { left };
        let head = head(text, room.saturating_sub(FENCE_BYTES));
        if head.len() < text.len() {
            cut.push(*file);
        }
        if !head.trim().is_empty() {
            left = left.saturating_sub(fenced_bytes(head) + FENCE_BYTES);
            passages.push(Passage { label, text: head.to_owned() });
        }
    }
    let [first, ..] = cut.as_slice() else { return (passages, None) };
    let reason = match cut.len() {
        1 => format!("{first} was not shown to its end"),
        many => format!("{many} files were not shown, or not to their end, the first: {first}"),
    };
    (passages, Some(wire::NotJudged { obligations: Vec::new(), beyond: true, reason }))
}

/// An obligation on a line of its own; where that has more than so many bytes, with fewer passages.
fn line(mut own: wire::UndecidedObligation, bytes_max: usize) -> String {
    for passage in own.passages.iter_mut().skip(PASSAGES_IN_PLACE) {
        passage.before.clear();
        passage.after.clear();
    }
    loop {
        // Strings always have a JSON form.
        let line = to_json_line(&own).unwrap_or_default();
        if fenced_bytes(&line) <= bytes_max || own.passages.pop().is_none() {
            return line;
        }
    }
}

fn proposal(own: Proposal) -> wire::Proposal {
    wire::Proposal {
        obligation: own.obligation,
        asked: own.asked,
        relation: own.relation,
        quote: own.quote,
        why: own.why,
    }
}
