//! What of a prompt looks like a request and became no obligation, so that whoever corrects the reading knows where to look.

use steadfast_annotate::{MarkKind, modality, negations, quantities};
use steadfast_ask::{Statement, imperative, is_asking, segment};
use steadfast_evidence::Quote;
use steadfast_text::{BlockKind, Span};

use crate::ask::Contract;
use crate::value;

steadfast_evidence::vocabulary! {
    /// Why words look like a request.
    #[schemars(rename = "UnreadWhy")]
    Why {
        /// They say what must or should be.
        Modal = "modal", "says what must be";
        /// They deny something.
        Negation = "negation", "denies something";
        /// They open with a verb that orders.
        Imperative = "imperative", "orders something";
        /// They state a figure, an amount or a date.
        Quantity = "quantity", "states a figure";
        /// They are an item of a list under a heading that asks.
        ListItem = "list_item", "stands in a list of what is asked";
    }
}

/// A sentence, or a part of one, that no obligation rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// Its words.
    pub quote: Quote,
    /// Why it looks like a request: the first reason that holds.
    pub why: Why,
}

/// The sentences of the prompt that look like a request and that no obligation rests on, and the figures and dates beside those that one rests on,
/// in the order of the prompt. What a person's reading leaves out was read.
#[must_use]
pub fn unread(contract: &Contract) -> Vec<Unread> {
    let mut read: Vec<(usize, usize)> = contract
        .obligations
        .iter()
        .chain(&contract.disputed)
        .map(|item| item.obligation.source().span())
        .chain(contract.request.today.iter().map(|(_, span)| *span))
        .map(|span| (span.start, span.end))
        .collect();
    read.sort_unstable();
    let longest = read.iter().map(|(start, end)| end - start).max().unwrap_or_default();
    let is_read = |own: Span| {
        let first = read.partition_point(|(start, _)| *start < own.start.saturating_sub(longest));
        read[first..].iter().take_while(|(start, _)| *start < own.end).any(|(_, end)| *end > own.start)
    };
    let mut found = Vec::new();
    let is_material = |own: Span| contract.material.iter().any(|it| it.start <= own.start && own.start < it.end);
    for statement in contract.request.statements.iter().filter(|own| !is_material(own.quote.span())) {
        if is_read(statement.quote.span()) {
            found.extend(parts(contract, statement).into_iter().filter(|own| !is_read(own.quote.span())));
        } else if let Some(why) = why(contract, statement) {
            found.push(Unread { quote: statement.quote.clone(), why });
        }
    }
    found
}

/// The parts of a sentence that state a figure or a date, where its words stand in the prompt as they were read.
fn parts(contract: &Contract, statement: &Statement) -> Vec<Unread> {
    let text = statement.text.as_str();
    let Some(document) = contract.document.as_ref().filter(|_| text == statement.quote.text()) else {
        return Vec::new();
    };
    let start = statement.quote.span().start;
    let mut found: Vec<Unread> = Vec::new();
    for value in value::read(text, &quantities(text)) {
        let part = segment(text, &value.range);
        let span = Span::new(start + part.start, start + part.end);
        let quote = Quote::cut(statement.quote.file(), document, span);
        let is_new = |own: &Quote| found.last().is_none_or(|last| last.quote.span() != own.span());
        found.extend(quote.filter(is_new).map(|quote| Unread { quote, why: Why::Quantity }));
    }
    found
}

fn why(contract: &Contract, statement: &Statement) -> Option<Why> {
    let text = statement.text.as_str();
    let binds = || modality(text).marks.iter().any(|mark| mark.kind == MarkKind::Deontic);
    [
        (Why::Modal, &binds as &dyn Fn() -> bool),
        (Why::Negation, &|| !negations(text).is_empty()),
        (Why::Imperative, &|| imperative(text).is_some()),
        (Why::Quantity, &|| !value::read(text, &quantities(text)).is_empty()),
        (Why::ListItem, &|| is_asked_item(contract, statement)),
    ]
    .into_iter()
    .find(|(_, holds)| holds())
    .map(|(why, _)| why)
}

/// Whether a sentence is an item of a list whose lead-in or heading asks.
fn is_asked_item(contract: &Contract, statement: &Statement) -> bool {
    let Some(document) = &contract.document else { return false };
    let Some(block) = document.blocks.get(statement.block) else { return false };
    let lead = block.lead.and_then(|lead| document.blocks.get(lead)).map(|lead| lead.text.plain.as_str());
    matches!(block.kind, BlockKind::ListItem { .. }) && is_asking(lead.unwrap_or(&statement.section))
}
