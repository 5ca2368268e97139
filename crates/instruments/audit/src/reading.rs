//! A reading of the prompt that was handed in: what it states is looked up in the prompt, and what cannot be found there is refused by name.
//!
//! A person's reading replaces that of code; what code would add is kept as [disputed](Contract::disputed) and moves nothing. The reading of a chat model or of
//! whoever calls adds obligations, and drops, weakens or flips none: what it leaves out or reads otherwise stays and is marked.

use std::collections::HashSet;

use steadfast_annotate::quantities;
use steadfast_evidence::{Origin, Polarity, Quote, Strength, shown};
use steadfast_text::{QuoteIndex, Span};

use crate::ask::{self, Contract, ContractItem, Kind};
use crate::run;
use crate::value::{self, Outcome};

/// Obligations that a reading states, at most.
pub const OBLIGATIONS_MAX: usize = 2_000;
/// Longest id of an obligation, in bytes.
pub const ID_BYTES_MAX: usize = 64;

/// An obligation as a reading states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// Its name within the reading.
    pub id: String,
    /// What it obliges to.
    pub kind: Kind,
    /// The words of the prompt.
    pub quote: String,
    /// Where they stand; looked for where it is not said or other words stand there.
    pub span: Option<Span>,
    /// How strongly it is put.
    pub strength: Strength,
    /// Whether it is to be done or left alone.
    pub polarity: Polarity,
    /// The figures, amounts and dates in the words, parted by semicolons.
    pub value: Option<String>,
    /// Who is said to have read it.
    pub by: Origin,
    /// Who confirmed it.
    pub confirmed_by: Option<String>,
}

/// A reading of a prompt, and who hands it in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// What it states.
    pub obligations: Vec<Stated>,
    /// Who hands it in.
    pub from: Origin,
}

/// The contract with a reading that was handed in.
///
/// # Errors
/// Every obligation that cannot be taken, with the reason.
pub fn adopt(own: Contract, reading: Reading) -> Result<Contract, Vec<String>> {
    let Reading { obligations: stated, from } = reading;
    if stated.len() > OBLIGATIONS_MAX {
        return Err(vec![format!("{} obligations are stated, more than {OBLIGATIONS_MAX}", stated.len())]);
    }
    let mut refused = Vec::new();
    let mut ids = HashSet::new();
    let mut located: Vec<(Stated, Quote)> = Vec::new();
    {
        let Some(document) = &own.document else { return Err(vec!["there is no prompt".to_owned()]) };
        let body = run::body(document);
        let index = QuoteIndex::new(document);
        for (at, one) in stated.into_iter().enumerate() {
            let found = check_id(&one.id, &mut ids).and_then(|()| {
                let quote = locate(&own, &index, body, &one)?;
                check_value(&one, &quote)?;
                Ok(quote)
            });
            match found {
                Ok(quote) => located.push((one, quote)),
                Err(why) if one.id.is_empty() => refused.push(format!("obligation {}: {why}", at + 1)),
                Err(why) => refused.push(format!("`{}`: {why}", one.id)),
            }
        }
    }
    if !refused.is_empty() {
        return Err(refused);
    }
    Ok(if matches!(from, Origin::Person(_)) { replace(own, located) } else { add(own, located, from) })
}

fn check_id(id: &str, ids: &mut HashSet<String>) -> Result<(), String> {
    if id.is_empty() {
        return Err("its `id` is empty".to_owned());
    }
    if id.len() > ID_BYTES_MAX || id.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err(format!("its `id` holds white space or more than {ID_BYTES_MAX} bytes"));
    }
    if !ids.insert(id.to_owned()) {
        return Err("its `id` is that of another obligation".to_owned());
    }
    Ok(())
}

/// The words of an obligation in the prompt: at its span, else wherever they stand first.
fn locate(own: &Contract, index: &QuoteIndex<'_>, body: Span, stated: &Stated) -> Result<Quote, String> {
    let wanted = stated.quote.trim();
    let there = |span: Span| {
        let words = own.document.as_ref()?.source.get(span.start..span.end)?;
        (body.contains(span) && words.trim() == wanted).then(|| own.quote(span)).flatten()
    };
    stated
        .span
        .and_then(there)
        .or_else(|| own.quote(index.locate_where(wanted, |span| body.contains(span))?.span))
        .ok_or_else(|| format!("its words do not stand in the prompt: \"{}\"", shown(wanted)))
}

/// Whether each part of a value stands in the words, by itself or as the same figure.
fn check_value(stated: &Stated, quote: &Quote) -> Result<(), String> {
    let said = quote.text();
    let asked = value::read(said, &quantities(said));
    let lower = said.to_lowercase();
    for part in stated.value.iter().flat_map(|value| value.split(';')).map(str::trim).filter(|part| !part.is_empty()) {
        let own = value::read(part, &quantities(part));
        let equal = |own: &value::Value, asked: &value::Value| {
            let both = (value::compare(asked, own), value::compare(own, asked));
            own.amount == asked.amount || both == (Some(Outcome::Keeps), Some(Outcome::Keeps))
        };
        let same = !own.is_empty() && own.iter().all(|own| asked.iter().any(|asked| equal(own, asked)));
        if !same && !has_words(&lower, &part.to_lowercase()) {
            return Err(format!("its value \"{}\" does not stand in its words", shown(part)));
        }
    }
    Ok(())
}

/// Whether words stand in a text, as whole words.
fn has_words(text: &str, words: &str) -> bool {
    let joined = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(words).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + words.len()..]);
        !joined(before.chars().next_back()) && !joined(after.chars().next())
    })
}

/// The figures, amounts and dates in the words of an obligation, as they stand there.
#[must_use]
pub fn value_of(item: &ContractItem) -> Option<String> {
    let said = item.obligation.source().text();
    let words = |own: value::Value| Some(said.get(own.range)?.trim().to_owned());
    let found: Vec<String> = value::read(said, &quantities(said)).into_iter().filter_map(words).collect();
    (!found.is_empty()).then(|| found.join("; "))
}

/// Whether code reads the same kind of obligation in the same words.
fn is_of(item: &ContractItem, stated: &Stated, quote: &Quote) -> bool {
    item.obligation.kind.name() == stated.kind.name() && item.obligation.source().span() == quote.span()
}

/// Whether a reading speaks of an obligation of code: it has one of the same kind on some of the same words.
fn is_spoken_of(item: &ContractItem, located: &[(Stated, Quote)]) -> bool {
    located.iter().any(|(stated, quote)| {
        item.obligation.kind.name() == stated.kind.name() && item.obligation.source().span().overlaps(quote.span())
    })
}

fn of_stated(stated: Stated, quote: Quote, from: Origin) -> ContractItem {
    let by = if matches!(stated.by, Origin::Chat(_)) { stated.by } else { from };
    let confirmed_by = stated.confirmed_by;
    ContractItem {
        id: stated.id,
        by,
        confirmed_by,
        ..ContractItem::of_quote(stated.kind, stated.strength, stated.polarity, quote)
    }
}

fn replace(own: Contract, located: Vec<(Stated, Quote)>) -> Contract {
    let disputed = own.obligations.iter().filter(|item| !is_spoken_of(item, &located)).cloned();
    let disputed = disputed.map(|item| ContractItem { disputed: true, ..item }).collect();
    let mut used = HashSet::new();
    let take = |(stated, quote): (Stated, Quote)| {
        let mut same = own.obligations.iter().enumerate().filter(|(_, item)| is_of(item, &stated, &quote));
        let Some((at, item)) = same.find(|(at, _)| !used.contains(at)) else {
            return of_stated(stated, quote, Origin::Person(None));
        };
        used.insert(at);
        let unchanged = item.strength == stated.strength && item.polarity == stated.polarity;
        // What is to be done is looked for otherwise than what is to be left alone.
        let demand = item.demand.filter(|_| item.polarity == stated.polarity);
        let by = if unchanged { Origin::Code } else { Origin::Person(None) };
        let (strength, polarity, confirmed_by) = (stated.strength, stated.polarity, stated.confirmed_by);
        ContractItem { id: stated.id, strength, polarity, demand, by, confirmed_by, ..item.clone() }
    };
    let mut obligations: Vec<ContractItem> = located.into_iter().map(take).collect();
    ask::sort(&mut obligations);
    Contract { obligations, disputed, by: Origin::Person(None), ..own }
}

fn add(own: Contract, located: Vec<(Stated, Quote)>, from: Origin) -> Contract {
    let mut obligations = own.obligations.clone();
    for item in &mut obligations {
        let read_otherwise = located.iter().any(|(stated, quote)| {
            is_of(item, stated, quote) && (stated.strength, stated.polarity) != (item.strength, item.polarity)
        });
        item.disputed = read_otherwise || !is_spoken_of(item, &located);
    }
    let mut taken: HashSet<String> = obligations.iter().map(|item| item.id.clone()).collect();
    for (stated, quote) in located {
        if own.obligations.iter().any(|item| is_of(item, &stated, &quote)) {
            continue;
        }
        // Nobody but a person confirms.
        let mut item = ContractItem { confirmed_by: None, ..of_stated(stated, quote, from.clone()) };
        if !taken.insert(item.id.clone()) {
            item.id.clear();
        }
        obligations.push(item);
    }
    ask::sort(&mut obligations);
    ask::name_all(&mut obligations);
    Contract { obligations, by: from, ..own }
}
