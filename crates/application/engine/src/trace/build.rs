//! What all traces have in common.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use steadfast_wire::trace::{Attributes, Event, SCHEMA_VERSION, Score, Span, Trace, Value};

use super::{About, Capture};
use crate::hash::hex;
use crate::limits::{TRACE_EVENTS_MAX, TRACE_LIST_MAX, TRACE_SPANS_MAX, TRACE_TEXT_CHARS_MAX};
use crate::plan::picture;
use crate::store::{Stamp, uuid_v7, uuid_v7_ms};

/// A trace that is being made.
pub(super) struct Builder<'a> {
    pub(super) about: &'a About<'a>,
    pub(super) trace: Trace,
    spans_left_out: usize,
    events: usize,
    events_left_out: usize,
}

impl<'a> Builder<'a> {
    /// A trace of a run of `verb`, with what it read and how it was asked.
    pub(super) fn new(verb: &str, about: &'a About<'a>) -> Self {
        let mut trace = empty(verb, &about.timing.stamp);
        trace.duration_us = Some(about.timing.total_ms.saturating_mul(1_000));
        let inputs = about.asked.inputs.iter().take(TRACE_LIST_MAX).map(|input| {
            let mut file = named([("name", preview(&input.name).into()), ("bytes", input.bytes.into())]);
            if about.capture != Capture::None {
                file.insert("sha256".to_owned(), input.sha256.as_str().into());
            }
            file
        });
        trace.input.insert("files".to_owned(), inputs.map(Value::Object).collect::<Vec<_>>().into());
        let mut settings = Attributes::new();
        for (name, value) in &about.asked.settings {
            settings.extend(setting(value, about.capture).map(|value| (name.clone(), value)));
        }
        let ms = about.timing.ms().into_iter().map(|(name, ms)| (name, ms.into())).collect::<Attributes>();
        trace.metadata.extend(named([
            ("settings", settings.into()),
            ("ms", ms.into()),
            ("steadfast_version", env!("CARGO_PKG_VERSION").into()),
            ("exit_status", i64::from(about.exit_status).into()),
            ("stored", about.stored.into()),
            ("capture", about.capture.name().into()),
        ]));
        if let Some(agent) = &about.asked.agent {
            trace.metadata.insert("agent".to_owned(), preview(agent.as_str()).into());
        }
        Self { about, trace, spans_left_out: 0, events: 0, events_left_out: 0 }
    }

    /// Names what was read by a word, where names are texts of the user.
    pub(super) fn hide_names(&mut self, word: &str) {
        let Some(Value::Array(files)) = self.trace.input.get_mut("files") else { return };
        for file in files {
            if let Value::Object(file) = file {
                file.insert("name".to_owned(), word.into());
            }
        }
    }

    /// Says something of the outcome.
    pub(super) fn output(&mut self, name: &str, value: impl Into<Value>) {
        self.trace.output.insert(name.to_owned(), value.into());
    }

    /// The beginning of a text, where texts are shown.
    pub(super) fn text(&self, text: &str) -> Option<Value> {
        self.about.capture.shows_words().then(|| preview(text).into())
    }

    /// Says the beginning of a text of the outcome, where texts are shown.
    pub(super) fn said(&mut self, name: &str, text: &str) {
        if let Some(text) = self.text(text) {
            self.trace.output.insert(name.to_owned(), text);
        }
    }

    /// Says the beginnings of texts of the outcome where texts are shown, else how many there are.
    pub(super) fn lines(&mut self, name: &str, lines: &[String]) {
        if self.about.capture.shows_words() {
            let lines = lines.iter().take(TRACE_LIST_MAX).map(|line| preview(line));
            self.output(name, lines.collect::<Vec<_>>());
        } else {
            self.output(&format!("{name}_count"), lines.len());
        }
    }

    /// A figure of the run.
    pub(super) fn score(&mut self, name: &str, value: f64) {
        self.push_score(name, value, None, None, None);
    }

    /// A count of the run.
    pub(super) fn count(&mut self, name: &str, value: usize) {
        self.score(name, value as f64);
    }

    /// A figure of the run with its word.
    pub(super) fn labelled(&mut self, name: &str, value: f64, label: &str, reason: Option<&str>) {
        let reason = reason.filter(|_| self.about.capture.shows_words()).map(preview);
        self.push_score(name, value, Some(label.to_owned()), reason, None);
    }

    /// A figure of a span, where there is one.
    pub(super) fn span_score(&mut self, span: &str, name: &str, value: Option<f64>) {
        if let Some(value) = value {
            self.push_score(name, value, None, None, Some(span.to_owned()));
        }
    }

    fn push_score(
        &mut self,
        name: &str,
        value: f64,
        label: Option<String>,
        reason: Option<String>,
        span: Option<String>,
    ) {
        // No collector takes what is not finite, and one such figure would cost the whole batch.
        if value.is_finite() {
            self.trace.scores.push(Score { name: name.to_owned(), value, label, reason, span });
        }
    }

    /// The parts of the run that were timed, a span each; the id of the span of `wanted`.
    pub(super) fn parts(&mut self, wanted: &str) -> Option<String> {
        let parts = self.about.timing.parts.clone();
        let mut found = None;
        for part in &parts {
            let (start_us, duration_us) = (part.start_ms.saturating_mul(1_000), part.ms.saturating_mul(1_000));
            let id = self.span(None, &part.name, start_us, Some(duration_us), Attributes::new());
            if part.name == wanted {
                found = id;
            }
        }
        found
    }

    /// Where the part of a name begins, in microseconds; 0 where there is none.
    pub(super) fn part_start_us(&self, name: &str) -> u64 {
        self.about.timing.part(name).map_or(0, |part| part.start_ms.saturating_mul(1_000))
    }

    /// One more span, and its id; `None` where there are [`TRACE_SPANS_MAX`] already: they are counted.
    pub(super) fn span(
        &mut self,
        parent: Option<&str>,
        name: &str,
        start_us: u64,
        duration_us: Option<u64>,
        attributes: Attributes,
    ) -> Option<String> {
        if self.trace.spans.len() >= TRACE_SPANS_MAX {
            self.spans_left_out += 1;
            return None;
        }
        let id = derived(&self.trace.id, &format!("span {}", self.trace.spans.len()));
        self.trace.spans.push(Span {
            id: id.clone(),
            parent: parent.map(str::to_owned),
            name: name.to_owned(),
            start_us,
            duration_us,
            input: Attributes::new(),
            output: Attributes::new(),
            attributes,
            events: Vec::new(),
        });
        Some(id)
    }

    /// The span that was begun last.
    pub(super) fn last(&mut self) -> Option<&mut Span> {
        self.trace.spans.last_mut()
    }

    /// Something that was found in a span. From [`TRACE_EVENTS_MAX`] on they are counted.
    pub(super) fn event(&mut self, span: Option<&str>, name: &str, attributes: Attributes) {
        let found = span.and_then(|id| self.trace.spans.iter_mut().find(|span| span.id == id));
        match found {
            Some(span) if self.events < TRACE_EVENTS_MAX => {
                span.events.push(Event { name: name.to_owned(), attributes });
                self.events += 1;
            }
            _ => self.events_left_out += 1,
        }
    }

    /// More was to be told of than a trace has spans for.
    pub(super) fn leave_out(&mut self, spans: usize) {
        self.spans_left_out += spans;
    }

    /// The trace, which says what was left out of it.
    pub(super) fn end(mut self) -> Trace {
        for (name, count) in [("spans_left_out", self.spans_left_out), ("events_left_out", self.events_left_out)] {
            if count > 0 {
                self.trace.metadata.insert(name.to_owned(), count.into());
            }
        }
        self.trace
    }
}

/// A trace that says nothing yet.
pub(super) fn empty(verb: &str, stamp: &Stamp) -> Trace {
    Trace {
        schema_version: SCHEMA_VERSION.to_owned(),
        id: stamp.id.clone(),
        name: verb.to_owned(),
        started: stamp.at.clone(),
        duration_us: None,
        input: Attributes::new(),
        output: Attributes::new(),
        metadata: Attributes::new(),
        tags: vec!["steadfast".to_owned(), verb.to_owned()],
        spans: Vec::new(),
        scores: Vec::new(),
    }
}

/// Attributes of names and values.
pub(super) fn named<const N: usize>(values: [(&str, Value); N]) -> Attributes {
    values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The first characters of a text, control characters as their pictures, with a mark where more follows.
pub(super) fn preview(text: &str) -> String {
    let mut characters = text.chars();
    let mut shown: String = characters.by_ref().take(TRACE_TEXT_CHARS_MAX).map(picture).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

fn setting(value: &Value, capture: Capture) -> Option<Value> {
    match value {
        Value::Bool(_) | Value::Number(_) => Some(value.clone()),
        Value::String(text) => Some(preview(text).into()),
        Value::Array(list) if capture.shows_words() => {
            let texts = list.iter().filter_map(Value::as_str).take(TRACE_LIST_MAX);
            Some(texts.map(preview).collect::<Vec<_>>().into())
        }
        // Lists of settings hold words of the user: criteria, filters.
        Value::Array(list) => Some(list.len().into()),
        Value::Null | Value::Object(_) => None,
    }
}

/// Sixteen hexadecimal digits of a hash, as a number.
fn digest(parts: &[&str]) -> u64 {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    u64::from_str_radix(hex(&hash.finalize()).get(..16).unwrap_or_default(), 16).unwrap_or_default()
}

/// A UUIDv7 of the same millisecond as `id`, which depends on `id` and `what` alone.
pub(super) fn derived(id: &str, what: &str) -> String {
    uuid_v7(uuid_v7_ms(id).saturating_mul(1_000), digest(&[id, what]))
}

/// A UUIDv7 that depends on its parts alone. Its moment is always the same, since collectors take no other version and the same thing must
/// get the same id at any time.
pub(super) fn lasting(parts: &[&str]) -> String {
    /// 2026-01-01, in microseconds since 1970.
    const MOMENT_US: u64 = 1_767_225_600_000_000;
    uuid_v7(MOMENT_US, digest(parts))
}

/// Eight hexadecimal digits of a hash, for a name.
pub(super) fn short_hash(parts: &[&str]) -> String {
    format!("{:08x}", digest(parts) >> 32)
}

/// Values by name, of counts.
pub(super) fn counts<K: ToString>(counts: &BTreeMap<K, usize>) -> Attributes {
    counts.iter().map(|(name, count)| (name.to_string(), (*count).into())).collect()
}
