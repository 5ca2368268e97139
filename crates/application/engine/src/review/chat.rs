//! A chat model judges in the place of whoever calls: it is asked what code leaves open of a report, of its session and of its evidence.
//!
//! No request depends on a reply, so a dry run shows all of them. What the model proposes takes the way of what whoever calls proposes.

use steadfast_dialogue::{Answer, Each, Passage, Role};
use steadfast_evidence::Origin;
use steadfast_review::exchange::{Batch, proposals, request};
use steadfast_review::proposals::{Proposed, criterion_id};
use steadfast_review::session::assess;
use steadfast_review::session::open::open;
use steadfast_review::{Criterion, Review, review};
use steadfast_wire::review as wire;
use steadfast_wire::to_json_line;

use super::undecided::{Shown, entries};
use super::{Material, ReviewRequest};
use crate::EngineError;
use crate::chat::{
    CallLog, ChatModels, brought_nothing, drive, fitting, passage, published, room_bytes_beside, size, tokens, within,
};
use crate::pool::judging;

/// Most requests about one report.
const REQUESTS_MAX: usize = 12;

/// Most tokens of a reply, where the model's context window has four times as many.
const REPLY_TOKENS_MAX: usize = 4_000;

/// Bytes of texts in one request, whatever room the model has: what stands in the middle of more is read badly.
const ROOM_BYTES_MAX: usize = 48_000;

/// Of a request, the share that the user's words and the report may take where not everything fits into it: one part in so many.
const BESIDE_PART: usize = 3;

/// What a chat model said of a report.
#[derive(Clone, Debug)]
pub(super) struct Said {
    /// What it proposes.
    pub(super) proposed: Proposed,
    model: String,
    log: Vec<CallLog>,
    not_judged: Vec<String>,
    failed: Option<String>,
}

impl Said {
    /// The same as it is published.
    pub(super) fn published(
        &self,
        set_aside: Vec<wire::ReviewSetAside>,
        by_code: wire::ReviewByCode,
    ) -> wire::ReviewChat {
        let (prompt_tokens, reply_tokens) = tokens(&self.log);
        wire::ReviewChat {
            model: self.model.clone(),
            prompt_tokens,
            reply_tokens,
            calls: published(&self.log),
            not_judged: self.not_judged.clone(),
            failed: self.failed.clone(),
            set_aside,
            by_code,
        }
    }
}

/// The requests about one report, and what there is no room for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Asked {
    batches: Vec<Batch>,
    not_judged: Vec<String>,
}

/// Asks for what is open.
///
/// # Errors
/// [`EngineError::NoChatModel`], and what cannot be read. That a call fails is none.
pub(super) async fn ask(own: &ReviewRequest, desk: &ChatModels) -> Result<Said, EngineError> {
    let no_model = || EngineError::NoChatModel { role: Role::Review.name().to_owned() };
    let model = desk.model(Role::Review).ok_or_else(no_model)?;
    let reply_tokens = REPLY_TOKENS_MAX.min(model.context_tokens() / 4);
    let room_bytes = room_bytes_beside(model, reply_tokens).min(ROOM_BYTES_MAX);
    let (bytes, request_own) = (own.bytes(), own.clone());
    let Asked { batches, not_judged } = judging(bytes, move || asked(&request_own, room_bytes)).await?;
    let reply_tokens_max = u32::try_from(reply_tokens).unwrap_or(u32::MAX);
    let mut log = Vec::new();
    let requests = batches.iter().map(|batch| request(batch, reply_tokens_max)).collect();
    let answers = drive(&mut Each::new(requests), desk, &mut log).await?;
    let (mut all, mut nothing) = (Vec::new(), Vec::new());
    for (batch, answer) in batches.iter().zip(&answers) {
        match answer {
            Answer::Record(record) => all.extend(proposals(record, batch.is_all)),
            Answer::Nothing(why) => nothing.push(why.to_string()),
        }
    }
    let failed = brought_nothing(nothing.iter().map(String::as_str), batches.len());
    let model = model.name().to_owned();
    let proposed = Proposed { by: Origin::Chat(model.clone()), proposals: all };
    Ok(Said { proposed, model, log, not_judged, failed })
}

/// What is to be asked, where a request has room for so many bytes of texts. What fits into one request is asked in one; else criteria, sentences and calls are asked about apart, each
/// with as much of the report or of the user's words as there is room for beside them.
fn asked(own: &ReviewRequest, room_bytes: usize) -> Result<Asked, EngineError> {
    let material = Material::read(own)?;
    let text = material.text.as_ref();
    let Review { criteria, .. } = review(text, &material.settings(own, &[]));
    let criteria: Vec<String> = criteria.iter().enumerate().map(|(at, it)| criterion(at, it)).collect();
    let (mut words, mut sentences, mut calls) = (Vec::new(), Vec::new(), Vec::new());
    if let Some(session) = material.session() {
        let assessed = assess(session, text);
        let open = open(text, &assessed);
        for entry in entries(text, &assessed, &open) {
            match entry {
                // Plain data always has a JSON form.
                Shown::Asked(own) => words.push(to_json_line(&own).unwrap_or_default()),
                Shown::Sentence(own) => sentences.push(to_json_line(&own).unwrap_or_default()),
                Shown::Call(own) => calls.push(own + "\n"),
            }
        }
    }
    Ok(Layout { report: text, criteria, words, sentences, calls, room_bytes }.asked())
}

/// What there is to ask about.
struct Layout<'a> {
    report: &'a str,
    criteria: Vec<String>,
    words: Vec<String>,
    sentences: Vec<String>,
    calls: Vec<String>,
    room_bytes: usize,
}

impl Layout<'_> {
    fn asked(self) -> Asked {
        let report = [self.report.to_owned()];
        let parts: [(&'static str, &[String]); 5] = [
            ("asked", &self.words),
            ("report", &report),
            ("criteria", &self.criteria),
            ("sentences", &self.sentences),
            ("calls", &self.calls),
        ];
        let all: usize = parts.iter().map(|(_, lines)| size(lines)).sum();
        let has_calls = !self.sentences.is_empty() || !self.calls.is_empty();
        if all <= self.room_bytes {
            let batch = Batch {
                criteria: !self.criteria.is_empty(),
                claims: !self.sentences.is_empty(),
                instructions: !self.words.is_empty() && !self.calls.is_empty(),
                is_all: true,
                passages: parts.iter().filter_map(|(label, lines)| passage(label, lines)).collect(),
            };
            return Asked { batches: vec![batch], not_judged: Vec::new() };
        }
        let mut asked = Asked::default();
        let beside = self.room_bytes / BESIDE_PART;
        let (report, is_cut) = within(&report, beside);
        if is_cut {
            asked.not_judged.push("the report was not shown to its end beside other texts".to_owned());
        }
        if !self.criteria.is_empty() || !has_calls {
            let batch =
                |passages| Batch { criteria: !self.criteria.is_empty(), is_all: true, passages, ..Batch::default() };
            self.in_parts(&mut asked, ("criteria", &self.criteria), ("report", &report), batch);
        }
        let batch = |passages| Batch { claims: true, passages, ..Batch::default() };
        self.in_parts(&mut asked, ("sentences", &self.sentences), ("report", &report), batch);
        if !self.words.is_empty() {
            let (words, is_cut) = within(&self.words, beside);
            if is_cut {
                asked.not_judged.push("not all that the user typed was shown".to_owned());
            }
            let batch = |passages| Batch { instructions: true, passages, ..Batch::default() };
            self.in_parts(&mut asked, ("calls", &self.calls), ("asked", &words), batch);
        }
        asked
    }

    /// Asks about lines in as many requests as they need, each with the same texts beside them.
    fn in_parts(
        &self,
        asked: &mut Asked,
        (label, lines): (&'static str, &[String]),
        (beside_label, beside): (&'static str, &[String]),
        batch: impl Fn(Vec<Passage>) -> Batch,
    ) {
        let room = self.room_bytes.saturating_sub(size(beside));
        let mut rest = lines;
        let mut too_long = 0;
        loop {
            let taken = fitting(rest, room);
            let (own, behind) = match (taken, rest) {
                (0, [_, behind @ ..]) => {
                    too_long += 1;
                    rest = behind;
                    continue;
                }
                _ => rest.split_at(taken),
            };
            if own.is_empty() && !lines.is_empty() {
                break;
            }
            if asked.batches.len() == REQUESTS_MAX {
                let count = rest.len();
                asked.not_judged.push(format!("{count} {label}: more than {REQUESTS_MAX} requests would be needed"));
                break;
            }
            let passages = [passage(beside_label, beside), passage(label, own)];
            asked.batches.push(batch(passages.into_iter().flatten().collect()));
            rest = behind;
            if rest.is_empty() {
                break;
            }
        }
        if too_long > 0 {
            asked.not_judged.push(format!("{too_long} {label}: too long for the model's context window"));
        }
    }
}

/// A criterion on a line: its id, its words, and what code takes for the report on it.
fn criterion(at: usize, own: &Criterion) -> String {
    let on_a_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let reported_by = own.by.as_ref().map_or_else(String::new, |by| format!("  reported_by: {}", on_a_line(&by.text)));
    format!("{}: {}{reported_by}\n", criterion_id(at), on_a_line(&own.text))
}
